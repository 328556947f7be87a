/* The step Answer: the report in a frame, and beside it questions about what is chosen there, the bootstrap, and exports. */

import { byId, counted, made, once, options, shown, spoken, worded } from "./dom.js";
import { address, ask, store, write } from "./server.js";
import { PAIRS, state as stated } from "./knowledge.js";
import { progress } from "./search.js";

const QUESTIONS = [
  ["why", "Why?", (a, b) => `Why is the relation of ${a} and ${b} as it is?`],
  ["causes", "Causes?", (a, b) => `Does ${a} cause ${b}?`],
  ["adjust", "Adjust", (a, b) => `What to adjust for, to estimate the effect of ${a} on ${b}?`],
  ["identify", "Identify", (a, b) => `Can the effect of ${a} on ${b} be computed from the data?`],
  ["effect", "Effect", (a, b) => `How large is the effect of ${a} on ${b}?`],
  ["robust", "Effect, any form", (a, b) => `How large is the effect of ${a} on ${b}, if it need not be linear (estimator robust)?`],
  ["possible", "Possible effects", (a, b) => `Which effects of ${a} on ${b} are possible?`],
  ["sensitivity", "Sensitivity", (a, b) => `How strong must a hidden cause of ${a} and ${b} be to explain the effect away?`],
];
const EXPORTS = [
  ["report.html", "Report (HTML)"],
  ["graph.svg", "Picture (SVG)"],
  ["pairs.csv", "Table of pairs (CSV)"],
  ["run.json", "Run file (JSON)"],
  ["knowledge.toml", "Knowledge (TOML)"],
  ["bootstrap.json", "Bootstrap (JSON)"],
];
/** Answers to questions that stay on the page. */
const KEPT = 20;

let tools;
/** Answers to questions, by the answer that they are about. */
const said = new Map();

const theAnswer = () => (store.state && (store.state.answers || []).find((one) => one.id === store.state.current)) || null;

/** The two variables that are chosen; without two different ones, the page says so. */
function two() {
  const [a, b] = [byId("ask-first").value, byId("ask-second").value];
  if (a && b && a !== b) return [a, b];
  tools.say("Choose two different variables, here or in the report.");
  return null;
}

async function question(what, title) {
  const answer = theAnswer(), pair = two();
  if (!answer || !pair) return;
  const [a, b] = pair;
  tools.hush();
  const entry = { title: title(a, b), text: "…", ok: true };
  const list = said.get(answer.id) || [];
  said.set(answer.id, [entry, ...list.filter((other) => other.title !== entry.title)].slice(0, KEPT));
  talk();
  try {
    const reply = await ask("api/ask", { id: answer.id, what, a, b });
    entry.text = reply.text;
    entry.ok = reply.ok !== false;
  } catch (error) {
    entry.text = error.message;
    entry.ok = false;
  }
  talk();
}

const conversation = once((entries) => {
  byId("said").replaceChildren(
    ...entries.map((entry) => made("article", { className: entry.ok ? "" : "refused" }, made("h4", {}, ...spoken(entry.title)), made("pre", {}, ...spoken(entry.text)))),
  );
});
const talk = () => conversation(theAnswer() ? said.get(theAnswer().id) || [] : []);

/** Take over what is chosen inside of the report: one variable becomes the first, two become the pair. */
function chosen(event) {
  if (event.origin !== location.origin || event.source !== byId("report").contentWindow) return;
  const { data } = event;
  if (!data || data.ancestral !== "chosen" || !Array.isArray(data.names)) return;
  const known = new Set([...byId("ask-first").options].map((option) => option.value));
  const names = data.names.filter((name) => typeof name === "string" && known.has(name));
  if (names.length >= 1) byId("ask-first").value = names[0];
  if (names.length >= 2) byId("ask-second").value = names[1];
}

export function setUp(given) {
  tools = given;
  window.addEventListener("message", chosen);
  byId("questions").replaceChildren(
    ...QUESTIONS.map(([what, label, title]) => {
      const button = made("button", { type: "button", textContent: label });
      button.addEventListener("click", () => question(what, title));
      return button;
    }),
  );
  byId("ask").addEventListener("submit", (event) => event.preventDefault());
  options(byId("know-kind"), PAIRS.map(([key, words]) => [key, words]), "forbidden");
  byId("know").addEventListener("submit", (event) => {
    event.preventDefault();
    const pair = two();
    if (!pair) return;
    stated(byId("know-kind").value, ...pair);
    const [, words] = PAIRS.find(([key]) => key === byId("know-kind").value);
    worded(byId("known-said"), `Known from now on: ${pair[0]} ${words} ${pair[1]}. Search again to see what it changes.`);
  });
  byId("swap").addEventListener("click", () => {
    const [first, second] = [byId("ask-first"), byId("ask-second")];
    [first.value, second.value] = [second.value, first.value];
  });
  byId("which").addEventListener("change", () => write("api/current", { id: byId("which").value }));
  byId("bootstrap").addEventListener("submit", (event) => {
    event.preventDefault();
    const repeats = byId("repeats").valueAsNumber;
    if (!Number.isInteger(repeats) || repeats < 2) {
      tools.say("The number of samples must be a whole number of at least 2; 100 is a common choice.");
      return;
    }
    tools.hush();
    write("api/bootstrap", { repeats });
  });
}

/** Show a report; one whose bootstrap was made meanwhile, or whose search went on, is loaded again. */
const report = once((id, bootstrap, edges, complete) => {
  byId("report").contentWindow.location.replace(address(`answers/${encodeURIComponent(id)}/report`));
  byId("answer-picture").src = address(`answers/${encodeURIComponent(id)}/stage/last?of=${edges}-${complete}`);
});

const exported = once((id, files) => {
  byId("exports").replaceChildren(
    ...EXPORTS.filter(([file]) => files.includes(file)).map(([file, title]) =>
      made("li", {}, made("a", { className: "button", href: `answers/${encodeURIComponent(id)}/files/${file}`, download: "", textContent: title })),
    ),
  );
});

/** The name of an answer in lists. */
export const answerName = (answer) => `${answer.id}: ${answer.title}, ${counted(answer.edges, "edge")}${answer.complete === false ? " (not finished)" : ""}`;

export function render({ state, describe }) {
  const answer = theAnswer();
  shown(byId("answer-none"), !answer);
  shown(byId("answer-some"), Boolean(answer));
  shown(byId("which-label"), Boolean(answer));
  if (!answer) return;
  options(byId("which"), state.answers.map((one) => [one.id, answerName(one)]), state.current);
  const names = answer.variables || (describe && describe.variables) || [];
  for (const id of ["ask-first", "ask-second"]) options(byId(id), names.map((name) => [name, name]));
  if (byId("ask-first").value === byId("ask-second").value && names.length > 1 && byId("ask-second").dataset.begun === undefined) {
    byId("ask-second").dataset.begun = "";
    byId("ask-second").value = names[1];
  }
  report(answer.id, answer.bootstrap, answer.edges, answer.complete);
  exported(answer.id, answer.files);
  talk();
  const { job } = state;
  const resampling = Boolean(job && job.kind === "bootstrap");
  byId("bootstrap-start").setAttribute("aria-disabled", String(Boolean(job)));
  shown(byId("bootstrap-stop"), resampling);
  shown(byId("bootstrap-some"), resampling);
  if (resampling) progress("bootstrap-bar", "bootstrap-label", job);
  worded(
    byId("bootstrap-hint"),
    answer.bootstrap
      ? "The bootstrap was made: in the report, press “Fade by frequency”."
      : "The bootstrap repeats the search on samples drawn from your rows and counts how often each edge comes back.",
  );
}
