/* The step Knowledge: tiers, statements about pairs, randomised variables, and the same as text. */

import { byId, entered, focusKey, keyed, made, named, once, options, refill, shown, spoken, worded } from "./dom.js";
import { changed, store, write } from "./server.js";
import { draggable } from "./drag.js";

/** Statements about two variables: the key in the knowledge, the words between the names, and what they mean. */
export const PAIRS = [
  ["forbidden", "does not cause", "The first does not cause the second, neither directly nor through others."],
  ["required", "causes directly", "The first causes the second, without other measured variables between them. The edge is kept whatever the data say."],
  ["causes", "causes, directly or through others", "The first causes the second, by some way. This does not claim an edge."],
  ["no_edge", "has no edge with", "Neither is a direct cause of the other, and nothing unmeasured causes both."],
  ["unconfounded", "has no unmeasured common cause with", "If the two are connected, then because one causes the other."],
];

/** The column of variables that are in no tier. */
const UNSORTED = -1;

let tools;
/** The tiers as they are shown: those of the knowledge, and empty ones that were added here. */
let tiers = [[], []];
let known = "[]";
const selected = new Set();

const filled = (some) => some.filter((tier) => tier.length > 0);

const variables = () => {
  const { state, describe } = store;
  const names = new Set((describe && describe.variables) || []);
  for (const tier of state.knowledge.tiers || []) for (const name of tier) names.add(name);
  return [...names];
};

const set = (change) => {
  tools.hush();
  const knowledge = { ...store.state.knowledge, ...change };
  return write("api/knowledge", { knowledge }, (state) => (state.knowledge = knowledge));
};

/** Add a statement about two variables, unless it is there already. */
export function state(key, a, b) {
  const had = store.state.knowledge[key] || [];
  if (had.some(([x, y]) => x === a && y === b)) tools.announce("This statement is already there.");
  else set({ [key]: [...had, [a, b]] });
}

const titled = (at) => {
  if (at === UNSORTED) return "Not sorted";
  if (tiers.length === 1) return "Tier 1";
  return `Tier ${at + 1}${at === 0 ? " (first)" : at === tiers.length - 1 ? " (last)" : ""}`;
};

const tierOf = (name) => tiers.findIndex((tier) => tier.includes(name));

/** Move variables to a tier; a tier beyond the last one is added. */
function move(names, to) {
  const target = Math.min(to, tiers.length);
  const moving = names.filter((name) => tierOf(name) !== target);
  if (moving.length === 0) return;
  tiers = tiers.map((tier) => tier.filter((name) => !moving.includes(name)));
  if (target === tiers.length) tiers.push([]);
  if (target !== UNSORTED) tiers[target] = [...tiers[target], ...moving];
  const what = moving.length === 1 ? moving[0] : `${moving.length} variables`;
  tools.announce(`${what}: ${titled(target)}`);
  save();
}

function save() {
  known = JSON.stringify(filled(tiers));
  set({ tiers: filled(tiers) });
}

function addTier() {
  tiers = [...tiers, []];
  changed();
}

function removeTier(at) {
  const had = tiers[at].length > 0;
  tiers = tiers.filter((_, other) => other !== at);
  if (had) save();
  else changed();
  const buttons = byId("board").querySelectorAll(".tier button.remove");
  (buttons[Math.min(at, buttons.length - 1)] || byId("add-tier")).focus();
}

const carried = (name) => (selected.has(name) ? [...selected] : [name]);

function onKey(event, name, at) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const chip = event.currentTarget;
  const chips = [...chip.closest(".tier").querySelectorAll(".chip")];
  const here = chips.indexOf(chip);
  if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    const next = chips[here + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) next.focus();
  } else if (event.key === "Home" || event.key === "End") {
    chips[event.key === "Home" ? 0 : chips.length - 1].focus();
  } else if (event.key === "ArrowLeft") {
    if (at > UNSORTED) move(carried(name), at - 1);
  } else if (event.key === "ArrowRight") {
    const alone = at === tiers.length - 1 && tiers[at].length <= carried(name).length;
    if (!alone) move(carried(name), at + 1);
  } else {
    return;
  }
  event.preventDefault();
  // the variable keeps the focus wherever it went
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") focusKey(byId("board"), `chip ${name}`);
}

function chipOf(name, at, first) {
  const chip = keyed(made("button", { type: "button", className: "chip", tabIndex: first ? 0 : -1 }, made("span", { className: "grip", ariaHidden: "true", textContent: "⠿" }), named(name)), `chip ${name}`);
  chip.setAttribute("aria-pressed", String(selected.has(name)));
  chip.addEventListener("click", () => {
    if (selected.has(name)) selected.delete(name);
    else selected.add(name);
    changed();
  });
  chip.addEventListener("keydown", (event) => onKey(event, name, at));
  chip.addEventListener("focus", () => {
    for (const other of chip.closest(".tier").querySelectorAll(".chip")) other.tabIndex = other === chip ? 0 : -1;
  });
  draggable(chip, {
    count: () => carried(name).length,
    dropped: (tier) => move(carried(name), Number(tier.dataset.tier)),
    ended: () => changed(),
  });
  return chip;
}

function tierColumn(names, at) {
  const title = titled(at);
  const column = made("div", { className: "tier", role: "group" });
  column.setAttribute("aria-label", title);
  column.dataset.tier = String(at);
  const head = made("div", { className: "bar" }, made("h4", { textContent: title }));
  if (at !== UNSORTED) {
    const remove = keyed(made("button", { type: "button", className: "remove", textContent: "Remove" }, made("span", { className: "unseen", textContent: ` ${title}` })), `remove ${at}`);
    remove.addEventListener("click", () => removeTier(at));
    head.append(remove);
  }
  const list = made("div", { className: "chips" }, ...names.map((name, index) => chipOf(name, at, index === 0)));
  if (names.length === 0) list.append(made("p", { className: "hint", textContent: at === UNSORTED ? "All are sorted." : "Drop variables here." }));
  column.append(head, list);
  return column;
}

const board = once((unsorted, sorted, chosen) => {
  const beyond = made("div", { className: "tier beyond", ariaHidden: "true" }, made("p", { className: "hint", textContent: "Drop here for a new tier" }));
  beyond.dataset.tier = String(sorted.length);
  const element = byId("board");
  const scrolled = new Map([...element.querySelectorAll(".tier")].map((tier) => [tier.dataset.tier, (tier.querySelector(".chips") || tier).scrollTop]));
  refill(element, tierColumn(unsorted, UNSORTED), ...sorted.map((tier, at) => tierColumn(tier, at)), beyond);
  for (const tier of element.querySelectorAll(".tier")) {
    const list = tier.querySelector(".chips");
    if (list) list.scrollTop = scrolled.get(tier.dataset.tier) || 0;
  }
  filter();
  worded(byId("move-what"), chosen.length === 0 ? "Select variables to move them." : chosen.length === 1 ? `Selected: ${chosen[0]}` : `${chosen.length} variables selected`);
  options(byId("move-to"), [[String(UNSORTED), titled(UNSORTED)], ...sorted.map((_, at) => [String(at), titled(at)]), [String(sorted.length), "a new tier"]]);
});

function filter() {
  const wanted = byId("find-variable").value.toLowerCase();
  for (const chip of byId("board").querySelectorAll(".chip")) chip.classList.toggle("faint", wanted !== "" && !chip.dataset.key.slice(5).toLowerCase().includes(wanted));
  const hit = wanted && byId("board").querySelector(".chip:not(.faint)");
  if (hit) hit.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// ---- statements ------------------------------------------------------------------------------------------------------

const without = (list, at) => list.filter((_, other) => other !== at);

function statement(words, key, at, sentence) {
  const remove = made("button", { type: "button", textContent: "Remove" }, made("span", { className: "unseen", textContent: ` “${sentence}”` }));
  keyed(remove, `${key} ${at}`);
  remove.addEventListener("click", () => {
    set({ [key]: without(store.state.knowledge[key], at) });
    const rest = byId("statements").querySelector("button");
    (rest || byId("pair-first")).focus();
  });
  return made("li", {}, made("span", {}, ...words), remove);
}

const statements = once((knowledge) => {
  const rows = [];
  for (const [key, words] of PAIRS) {
    (knowledge[key] || []).forEach(([a, b], at) => rows.push(statement([named(a), ` ${words} `, named(b)], key, at, `${a} ${words} ${b}`)));
  }
  (knowledge.exogenous || []).forEach((name, at) => rows.push(statement(["Nothing measured causes ", named(name)], "exogenous", at, `Nothing measured causes ${name}`)));
  refill(byId("statements"), ...(rows.length ? rows : [made("li", { className: "hint", textContent: "There are no statements yet." })]));
});

function checks(id, names, checked) {
  const boxes = names.map((name) => {
    const box = keyed(made("input", { type: "checkbox", checked: checked.includes(name) }), name);
    box.addEventListener("change", () => {
      const others = (store.state.knowledge[id] || []).filter((other) => other !== name);
      set({ [id]: box.checked ? [...others, name] : others });
    });
    return made("label", {}, box, " ", named(name));
  });
  const legend = byId(id).querySelector("legend");
  refill(byId(id), legend, ...boxes);
}
const checksOf = { randomised: once((...given) => checks("randomised", ...given)), contexts: once((...given) => checks("contexts", ...given)) };

const faults = once((sentences) => {
  shown(byId("faults"), sentences.length > 0);
  byId("faults").replaceChildren(...sentences.map((sentence) => made("p", {}, ...spoken(sentence))));
});

export function setUp(given) {
  tools = given;
  byId("add-tier").addEventListener("click", addTier);
  byId("find-variable").addEventListener("input", filter);
  byId("move").addEventListener("submit", (event) => {
    event.preventDefault();
    if (selected.size === 0) {
      tools.announce("Select variables first: click them, or press Space on them.");
      return;
    }
    const names = [...selected];
    selected.clear();
    move(names, Number(byId("move-to").value));
    changed();
  });
  options(byId("pair-kind"), PAIRS.map(([key, words]) => [key, words]), "forbidden");
  const meaning = () => worded(byId("pair-hint"), PAIRS.find(([key]) => key === byId("pair-kind").value)[2]);
  byId("pair-kind").addEventListener("change", meaning);
  meaning();
  byId("state-pair").addEventListener("submit", (event) => {
    event.preventDefault();
    const [key, a, b] = [byId("pair-kind").value, byId("pair-first").value, byId("pair-second").value];
    if (a === b) {
      tools.say("A statement is about two different variables; choose another one.");
      return;
    }
    state(key, a, b);
  });
  byId("notation-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    tools.hush();
    if (await write("api/knowledge_text", { text: byId("notation").value })) {
      typed = false;
      tools.announce("The text was read.");
      changed();
    }
  });
  byId("notation").addEventListener("input", () => (typed = true));
}

/** Whether the text was edited and not yet read; then the page leaves it alone. */
let typed = false;

export function render({ state }) {
  const names = variables();
  const some = Boolean(state.data) && names.length > 0;
  shown(byId("knowledge-none"), !some);
  shown(byId("knowledge-some"), some);
  faults(state.knowledge_faults || []);
  if (!some) return;
  const told = JSON.stringify(filled(state.knowledge.tiers || []));
  if (told !== known) {
    known = told;
    tiers = filled(state.knowledge.tiers || []).map((tier) => [...tier]);
    while (tiers.length < 2) tiers.push([]);
  }
  const sorted = new Set(tiers.flat());
  for (const name of selected) if (!names.includes(name)) selected.delete(name);
  if (!draggable.active) board(names.filter((name) => !sorted.has(name)), tiers, [...selected]);
  for (const id of ["pair-first", "pair-second"]) options(byId(id), names.map((name) => [name, name]));
  if (byId("pair-second").dataset.begun === undefined && names.length > 1) {
    byId("pair-second").dataset.begun = "";
    byId("pair-second").value = names[1];
  }
  statements(state.knowledge);
  checksOf.randomised(names, state.knowledge.randomised || []);
  checksOf.contexts(names, state.knowledge.contexts || []);
  if (!typed && state.knowledge_text !== undefined) entered(byId("notation"), state.knowledge_text || "");
}
