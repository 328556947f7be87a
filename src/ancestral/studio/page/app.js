/* The page of the studio: its steps, its messages, and what is always in view. Each step is a module of its own. */

import { byId, made, shown, spoken, worded } from "./dom.js";
import { changed, describe, follow, get, onChange, reports, store, write } from "./server.js";
import * as data from "./data.js";
import * as variables from "./variables.js";
import * as knowledge from "./knowledge.js";
import * as search from "./search.js";
import * as answer from "./answer.js";
import * as compare from "./compare.js";

const STEPS = ["data", "variables", "knowledge", "search", "answer", "compare"];
const parts = { data, variables, knowledge, search, answer, compare };

// ---- messages --------------------------------------------------------------------------------------------------------

/** Show an error in words, until it is closed or another one takes its place. */
function say(text) {
  const close = made("button", { type: "button", textContent: "Close" });
  close.addEventListener("click", () => byId("alert").replaceChildren());
  byId("alert").replaceChildren(made("div", { className: "banner" }, made("p", {}, ...spoken(text)), close));
}

function hush() {
  byId("alert").replaceChildren();
}

/** Tell those who do not see the page what has happened. */
const announce = (text) => worded(byId("status"), text);

function reached(ok, error) {
  const banner = byId("gone");
  if (ok) {
    shown(banner, false);
    banner.textContent = "";
    return;
  }
  worded(
    banner,
    error && error.status === 404
      ? "The studio was started again, under a new address. Open the address that it has printed; your project is kept in its folder."
      : "The studio does not answer: it was closed, or this computer was asleep. Trying again … Your project is kept in its folder; start it with “ancestral studio”.",
  );
  shown(banner, true);
}

reports({ say, reached });

// ---- steps -----------------------------------------------------------------------------------------------------------

const current = () => STEPS.find((name) => location.hash === `#step-${name}`) || "data";

function showStep(moved) {
  const step = current();
  for (const name of STEPS) shown(byId(`step-${name}`), name === step);
  for (const link of document.querySelectorAll("#steps a")) {
    if (link.dataset.step === step) {
      link.setAttribute("aria-current", "step");
      link.scrollIntoView({ block: "nearest", inline: "center" });
    } else link.removeAttribute("aria-current");
  }
  document.title = `${step[0].toUpperCase()}${step.slice(1)} – ancestral studio`;
  if (moved) {
    window.scrollTo(0, 0);
    byId(`title-${step}`).focus({ preventScroll: true });
  }
  render();
}

window.addEventListener("hashchange", () => {
  if (location.hash === "#content") byId("content").focus();
  else showStep(true);
});

// ---- always in view --------------------------------------------------------------------------------------------------

function remembered(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {
    // a browser may forbid it; then nothing is remembered
  }
  return null;
}

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

function theme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").textContent = name === "dark" ? "Light" : "Dark";
  for (const frame of document.querySelectorAll("iframe")) dress(frame);
}

/** Give the report inside of a frame the theme of the page. */
function dress(frame) {
  const inside = frame.contentDocument;
  const button = inside && inside.getElementById("theme");
  if (button && inside.documentElement.dataset.theme !== document.documentElement.dataset.theme) button.click();
}
for (const frame of document.querySelectorAll("iframe")) frame.addEventListener("load", () => dress(frame));

theme(remembered("theme") || (prefersDark.matches ? "dark" : "light"));
prefersDark.addEventListener("change", () => remembered("theme") || theme(prefersDark.matches ? "dark" : "light"));
byId("theme").addEventListener("click", () => {
  const name = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  remembered("theme", name);
  theme(name);
});

let beforePrint = "light";
window.addEventListener("beforeprint", () => {
  beforePrint = document.documentElement.dataset.theme;
  theme("light");
});
window.addEventListener("afterprint", () => theme(beforePrint));
byId("print").addEventListener("click", () => window.print());

const repeat = byId("repeat");
if (remembered("repeat") === "folded" || (!remembered("repeat") && window.matchMedia("(max-width: 900px), (max-height: 620px)").matches)) repeat.open = false;
// a click comes before the change
repeat.querySelector("summary").addEventListener("click", () => remembered("repeat", repeat.open ? "folded" : "open"));

function copies(button, source) {
  const label = button.firstChild;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(byId(source).textContent);
      label.textContent = "Copied";
      announce("Copied.");
    } catch {
      getSelection().selectAllChildren(byId(source));
      label.textContent = "Press Ctrl+C";
    }
    setTimeout(() => (label.textContent = "Copy"), 2000);
  });
}
copies(byId("copy-command"), "command");
copies(byId("copy-python"), "python");

// ---- undo and redo ---------------------------------------------------------------------------------------------------

async function turn(what) {
  const sentence = store.state && store.state[what];
  if (!sentence) return;
  hush();
  if (await write(`api/${what}`, {})) announce(`${what === "undo" ? "Undone" : "Done again"}: ${sentence}`);
}
for (const what of ["undo", "redo"]) for (const id of [what, `${what}-here`]) byId(id).addEventListener("click", () => turn(what));
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  if (event.target instanceof Element && event.target.closest("input:not([type=checkbox]):not([type=file]), textarea, [contenteditable]")) return;
  event.preventDefault();
  turn(key === "y" || event.shiftKey ? "redo" : "undo");
});

function renderUndo(state) {
  for (const what of ["undo", "redo"]) {
    const button = byId(what);
    const word = what === "undo" ? "Undo" : "Redo";
    // a button that loses its use keeps the focus
    button.disabled = false;
    button.setAttribute("aria-disabled", String(!state[what]));
    button.title = state[what] ? `${word}: ${state[what]}` : `There is nothing to ${what}.`;
    worded(byId(`${what}-here`), button.title);
    shown(byId(`${what}-here`), Boolean(state[what]));
  }
}

// ---- everything together ---------------------------------------------------------------------------------------------

function render() {
  const { state } = store;
  if (!state) return;
  worded(byId("where"), state.data ? `${state.data.name} in ${state.folder}` : state.folder);
  worded(byId("command"), (state.repeat && state.repeat.command) || "");
  worded(byId("python"), (state.repeat && state.repeat.python) || "");
  shown(repeat, Boolean(state.repeat && (state.repeat.command || state.repeat.python)));
  renderUndo(state);
  const step = current();
  for (const name of STEPS) {
    if (parts[name].always) parts[name].always(store);
    if (name === step) parts[name].render(store);
  }
}

const tools = { say, hush, announce, go: (step) => (location.hash = `#step-${step}`) };
for (const name of STEPS) parts[name].setUp(tools);
onChange(render);
onChange(describe);

/** Ask for the lists of algorithms and tests until they are there. */
async function choices() {
  try {
    store.choices = await get("api/choices");
    changed();
  } catch {
    setTimeout(choices, 1500);
  }
}

showStep(false);
choices();
follow();
