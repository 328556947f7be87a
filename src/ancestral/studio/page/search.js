/* The step Search: settings, each with its sentence, and the search as it proceeds, stage by stage. */

import { byId, counted, entered, lasting, made, once, options, shown, spoken, worded } from "./dom.js";
import { panes } from "./pane.js";
import { address, store, write } from "./server.js";

const SELECTION = {
  "": "Each algorithm has its own default. Say it here if you know it.",
  true: "Who is in the sample may depend on the variables, as with patients of a hospital. The answer then claims less.",
  false: "Who is in the sample does not depend on the variables. More arrows can be found, but they are wrong if this does not hold.",
};
const RADIUS = "Questions are asked given at most this many variables at a time. A small number is faster and more careful; empty means no limit.";

let tools;
/** Whether a job was seen running by this page, so that its end is told. */
let running = null;

const set = (changed) => write("api/options", { options: changed }, (state) => Object.assign(state.options, changed));

/** What an empty field or "automatic" stands for. */
const orNull = (text) => (text === "" ? null : text);

export function setUp(given) {
  tools = given;
  panes(byId("stage-whole"), byId("stage-picture"));
  byId("algorithm").addEventListener("change", () => set({ algorithm: orNull(byId("algorithm").value) }));
  byId("test").addEventListener("change", () => set({ test: orNull(byId("test").value) }));
  byId("selection").addEventListener("change", () => set({ selection_bias: { "": null, true: true, false: false }[byId("selection").value] }));
  byId("alpha").addEventListener("change", () => {
    const alpha = byId("alpha").valueAsNumber;
    if (alpha > 0 && alpha < 1) {
      tools.hush();
      set({ alpha });
    } else {
      tools.say("Alpha must be a number between 0 and 1; common choices are 0.05 and 0.01.");
      byId("alpha").value = store.state.options.alpha ?? "";
    }
  });
  byId("radius").addEventListener("change", () => {
    const text = byId("radius").value;
    if (text === "" && !byId("radius").validity.badInput) set({ max_radius: null });
    else if (/^\d+$/.test(text)) set({ max_radius: Number(text) });
    else {
      tools.say("The largest radius must be a whole number, 0 or more; leave it empty for no limit.");
      byId("radius").value = store.state.options.max_radius ?? "";
    }
  });
  for (const name of ["weights", "clusters"]) byId(name).addEventListener("change", () => set({ [name]: orNull(byId(name).value) }));
  byId("settings").addEventListener("submit", (event) => {
    event.preventDefault();
    if (store.state.job) return;
    tools.hush();
    write("api/search", {});
  });
  byId("resume").addEventListener("click", () => {
    tools.hush();
    write("api/resume", {});
  });
  for (const id of ["stop", "bootstrap-stop"]) {
    byId(id).addEventListener("click", () => write("api/stop", {}, (state) => state.job && (state.job.stopping = true)));
  }
}

/** Fill a select of named choices, with the sentence of the chosen one below it. */
function choose(id, choices, value, automatic) {
  const listed = (choices || []).map((choice) => (typeof choice === "string" ? { name: choice } : choice));
  const pairs = listed.map((choice) => [choice.name ?? "", choice.title || choice.name || "automatic"]);
  if (!pairs.some(([name]) => name === "")) pairs.unshift(["", "automatic"]);
  options(byId(id), pairs, value ?? "");
  const chosen = listed.find((choice) => (choice.name ?? "") === byId(id).value);
  worded(byId(`${id}-sentence`), (chosen && chosen.sentence) || automatic);
}

/** What "automatic" stands for with these data, as `describe` tells it. */
const wouldChoose = (chosen, otherwise) => (chosen && chosen.name ? `Unless another setting asks for something else: ${chosen.name}${chosen.why ? ` (${chosen.why})` : ""}.` : otherwise);

const warnings = once((sentences) => byId("search-warnings").replaceChildren(...sentences.map((sentence) => made("li", { className: "note" }, ...spoken(sentence)))));

const stages = once((rows) => {
  shown(byId("stage-scroll"), rows.length > 0);
  byId("stages").tBodies[0].replaceChildren(
    ...rows.map((stage) => made("tr", {}, made("td", { textContent: stage.name }), made("td", { className: "number", textContent: stage.edges === null || stage.edges === undefined ? "" : String(stage.edges) }))),
  );
});

/** The picture of a stage. The next one is shown when it has arrived, so that the place does not flicker. */
const picture = once((id, count, caption) => {
  const image = byId("stage-picture");
  if (id === null) {
    shown(byId("stage-figure"), false);
    image.removeAttribute("src");
    return;
  }
  const next = new Image();
  next.addEventListener("load", () => {
    image.src = next.src;
    image.alt = `The graph: ${caption}`;
    worded(byId("stage-caption"), caption);
    shown(byId("stage-figure"), true);
  });
  next.src = address(`answers/${encodeURIComponent(id)}/stage/last?of=${count}`);
});

const share = (bar, job) => {
  if (job.total) {
    bar.max = job.total;
    bar.value = Math.min(job.done, job.total);
  } else {
    bar.removeAttribute("value");
  }
};

/** What a job is doing, in words. */
export function inWords(job) {
  if (job.stopping) return "Stopping; the last finished stage is kept …";
  const words = [job.label || "Starting …"];
  if (job.total) words.push(`${job.done.toLocaleString("en")} of ${job.total.toLocaleString("en")}`);
  if (job.edges !== null && job.edges !== undefined) words.push(counted(job.edges, "edge"));
  if (job.elapsed !== null && job.elapsed !== undefined) words.push(lasting(job.elapsed));
  if (job.remaining !== null && job.remaining !== undefined) words.push(`about ${lasting(job.remaining)} left`);
  return words.join(" · ");
}

/** Show a running job by a progress bar and its label. */
export function progress(bar, label, job) {
  share(byId(bar), job);
  worded(byId(label), inWords(job));
}

/** What must happen whichever step is shown: the end of a job, and each finished stage, are told. */
export function always({ state }) {
  const job = state.job;
  document.querySelector('#steps a[data-step="search"]').classList.toggle("busy", Boolean(job && job.kind === "search"));
  document.querySelector('#steps a[data-step="answer"]').classList.toggle("busy", Boolean(job && job.kind === "bootstrap"));
  if (job) {
    const count = (job.stages || []).length;
    if (!running) tools.announce(job.kind === "search" ? "The search has begun." : "The bootstrap has begun.");
    else if (running.count !== count && count) {
      const stage = job.stages[count - 1];
      tools.announce(`${stage.name} is finished: ${counted(stage.edges ?? 0, "edge")}.`);
    }
    running = { kind: job.kind, count };
    return;
  }
  if (!running) return;
  const { kind } = running;
  running = null;
  if (state.last_error) {
    tools.say(state.last_error);
    return;
  }
  const answer = (state.answers || []).find((one) => one.id === state.current);
  if (kind === "bootstrap") tools.announce("The bootstrap is finished; the report shows it.");
  else if (answer) tools.announce(`The search ${answer.stopped ? "was stopped" : "is finished"}: ${counted(answer.edges, "edge")}.`);
}

export function render({ state, describe, choices }) {
  shown(byId("search-none"), !state.data);
  shown(byId("search-some"), Boolean(state.data));
  if (!state.data) return;
  const { options: set, job } = state;
  choose("algorithm", choices && choices.algorithms, set.algorithm, wouldChoose(describe && describe.algorithm, "It is chosen by the data and the other settings."));
  choose("test", choices && choices.tests, set.test, wouldChoose(describe && describe.test, "It is chosen by the kinds of the variables."));
  worded(byId("alpha-sentence"), (choices && choices.alpha) || "");
  entered(byId("alpha"), set.alpha === null || set.alpha === undefined ? "" : String(set.alpha));
  const selection = set.selection_bias === null || set.selection_bias === undefined ? "" : String(set.selection_bias);
  byId("selection").value = selection;
  worded(byId("selection-sentence"), (choices && typeof choices.selection_bias === "string" && choices.selection_bias) || SELECTION[selection]);
  entered(byId("radius"), set.max_radius === null || set.max_radius === undefined ? "" : String(set.max_radius));
  worded(byId("radius-sentence"), (choices && choices.max_radius) || RADIUS);
  const names = ((describe && describe.columns) || []).map((column) => column.name);
  for (const name of ["weights", "clusters"]) {
    const all = set[name] && !names.includes(set[name]) ? [...names, set[name]] : names;
    options(byId(name), [["", "none"], ...all.map((column) => [column, column])], set[name] || "");
  }

  const searching = job && job.kind === "search";
  const answer = (state.answers || []).find((one) => one.id === state.current);
  byId("start").setAttribute("aria-disabled", String(Boolean(job)));
  worded(byId("start"), searching ? "Searching …" : "Search");
  const resumable = Boolean(answer && (answer.resumable ?? answer.complete === false) && !job);
  shown(byId("resume"), resumable);
  shown(byId("resume-why"), resumable);
  if (resumable) worded(byId("resume-why"), `${answer.stopped || "The last search was not finished."} Resume goes on from its last stage; Search begins anew.`);
  shown(byId("stop"), Boolean(searching));
  byId("stop").setAttribute("aria-disabled", String(Boolean(job && job.stopping)));
  shown(byId("progress-none"), !job && !answer);
  shown(byId("progress-some"), Boolean(searching));
  worded(byId("progress-title"), searching ? "Progress" : answer ? "The last answer" : "Progress");
  if (searching) progress("bar", "progress-label", job);
  const said = searching ? "" : answer ? `${answer.title}: ${counted(answer.edges, "edge")}. ${answer.stopped || (answer.complete === false ? "The search was not finished." : "The search is complete.")}` : "";
  worded(byId("search-said"), said);
  byId("search-said").dataset.answer = (!searching && answer && answer.id) || "";
  warnings((!searching && answer && answer.warnings) || []);
  shown(byId("search-done"), Boolean(answer && !searching));
  if (searching) {
    stages(job.stages || []);
    const count = (job.stages || []).length;
    if (job.id && count) picture(job.id, count, `${job.stages[count - 1].name}, ${counted(job.stages[count - 1].edges ?? 0, "edge")}`);
    else picture(null, 0, "");
  } else if (answer) {
    stages(answer.stages || []);
    picture(answer.id, answer.edges, answer.title);
  } else {
    stages([]);
    picture(null, 0, "");
  }
}
