/* The step Compare: all answers with what changed between them, and two of them side by side. */

import { answerName } from "./answer.js";
import { byId, counted, keyed, made, named, once, options, refill, shown, spoken, worded } from "./dom.js";
import { panes } from "./pane.js";
import { address, get, store, write } from "./server.js";

let tools;
let asked = 0;

export function setUp(given) {
  tools = given;
  for (const id of ["compare-one", "compare-other"]) byId(id).addEventListener("change", compare);
  panes(byId("drawn-whole"), byId("drawn-one"), byId("drawn-other"));
}

function action(text, about, key, work) {
  const button = keyed(made("button", { type: "button", textContent: text }, made("span", { className: "unseen", textContent: ` ${about}` })), key);
  button.addEventListener("click", work);
  return button;
}

const list = once((answers, current) => {
  const rows = [...answers].reverse().map((answer) => {
    const about = `answer ${answer.id}`;
    const actions = made("td", { className: "actions" });
    if (answer.id !== current) {
      actions.append(
        action("Show", about, `show ${answer.id}`, async () => {
          if (await write("api/current", { id: answer.id })) tools.go("answer");
        }),
        action("Compare", `${about} with the current one`, `compare ${answer.id}`, () => {
          byId("compare-one").value = answer.id;
          byId("compare-other").value = current;
          compare();
          byId("compare-one").focus();
        }),
      );
    }
    actions.append(action("Forget", about, `forget ${answer.id}`, () => write("api/forget", { id: answer.id })));
    const changes = (answer.changed || []).map((change) => made("li", {}, ...spoken(change)));
    const head = made("th", { scope: "row" }, answer.id);
    if (answer.id === current) head.append(made("span", { className: "badge", textContent: "current" }));
    if (answer.bootstrap) head.append(made("span", { className: "badge", textContent: "bootstrap" }));
    return made(
      "tr",
      {},
      head,
      made("td", {}, ...spoken(answer.title)),
      made("td", { className: "number", textContent: `${answer.edges}${answer.complete === false ? " (not finished)" : ""}` }),
      made("td", {}, changes.length ? made("ul", { className: "plain" }, ...changes) : "–"),
      actions,
    );
  });
  refill(byId("answers").tBodies[0], ...rows);
});

/** Show the two chosen answers: first the pictures, then the differences, then the reports, which take longest. */
async function compare() {
  const [one, other] = [byId("compare-one").value, byId("compare-other").value];
  drawn("one", one, other, "own");
  drawn("other", other, one, "other");
  const mine = (asked += 1);
  const edges = byId("compare-edges").tBodies[0];
  let told;
  try {
    told = one === other ? { edges: [], settings: [], sentence: "Choose two different answers." } : await get(`api/compare?one=${encodeURIComponent(one)}&other=${encodeURIComponent(other)}`);
  } catch (error) {
    told = { edges: [], settings: [], sentence: error.message };
  }
  if (mine !== asked) return;
  frame("one", one);
  frame("other", other);
  worded(byId("compare-sentence"), told.sentence || (told.edges.length ? `${counted(told.edges.length, "pair")} differ, ${counted(told.same, "edge")} are the same.` : "The two graphs are the same."));
  byId("compare-settings").replaceChildren(...told.settings.map((change) => made("li", {}, ...spoken(change))));
  shown(byId("compare-scroll"), told.edges.length > 0);
  worded(byId("compare-head-one"), `Answer ${one}`);
  worded(byId("compare-head-other"), `Answer ${other}`);
  edges.replaceChildren(
    ...told.edges.map((edge) =>
      made("tr", {}, made("td", {}, named(edge.a)), made("td", {}, named(edge.b)), made("td", {}, ...spoken(edge.one ?? "no edge")), made("td", {}, ...spoken(edge.other ?? "no edge"))),
    ),
  );
}

const frames = {};
function frame(which, id) {
  if (frames[which] === id) return;
  frames[which] = id;
  byId(`frame-${which}`).contentWindow.location.replace(address(`answers/${encodeURIComponent(id)}/report#graph`));
}

/** The picture of an answer, where edges that differ from those of the rest stand out. */
function drawn(which, id, rest, first) {
  const image = byId(`drawn-${which}`);
  worded(byId(`twin-${which}`), `Answer ${id}`);
  shown(image.parentElement, id !== rest);
  if (id === rest) return;
  image.alt = `The graph of answer ${id}; edges that differ from those of answer ${rest} stand out`;
  const of = (wanted) => store.state.answers.filter((answer) => answer.id === wanted).map((answer) => `${answer.edges}-${answer.complete}`);
  image.src = address(`answers/${encodeURIComponent(id)}/beside/${encodeURIComponent(rest)}?first=${first}&of=${of(id)}.${of(rest)}`);
}

const pairs = once((ids, current) => {
  // the newest one against the one before it, unless both that are shown still exist
  const [one, other] = [byId("compare-one"), byId("compare-other")];
  const at = ids.indexOf(current);
  one.value = ids[at > 0 ? at - 1 : ids.length - 2];
  other.value = at > 0 ? current : ids[ids.length - 1];
  compare();
});

export function render({ state }) {
  const answers = state.answers || [];
  shown(byId("answers-none"), answers.length === 0);
  shown(byId("answers-scroll"), answers.length > 0);
  list(answers, state.current);
  shown(byId("compare-some"), answers.length > 1);
  if (answers.length < 2) return;
  for (const id of ["compare-one", "compare-other"]) options(byId(id), answers.map((answer) => [answer.id, answerName(answer)]));
  pairs(answers.map((answer) => answer.id), state.current);
}
