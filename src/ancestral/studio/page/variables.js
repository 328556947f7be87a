/* The step Variables: what `describe` says about each column, its kind, and how missing values are treated. */

import { byId, counted, entered, keyed, made, named, once, options, refill, shown, spoken, worded } from "./dom.js";
import { store, write } from "./server.js";

const set = (changed) => write("api/options", { options: changed }, (state) => Object.assign(state.options, changed));

export function setUp(tools) {
  byId("missing").addEventListener("change", () => set({ missing: byId("missing").value }));
  byId("na-form").addEventListener("submit", (event) => {
    event.preventDefault();
    tools.hush();
    set({ na: byId("na").value.split(",").map((code) => code.trim()).filter((code) => code !== "") });
  });
  byId("find-column").addEventListener("input", filter);
}

function filter() {
  const wanted = byId("find-column").value.toLowerCase();
  let count = 0;
  for (const row of byId("columns").tBodies[0].rows) {
    const fits = row.dataset.name.toLowerCase().includes(wanted);
    shown(row, fits);
    count += fits;
  }
  worded(byId("columns-count"), wanted ? counted(count, "column") : "");
}

function use(name, used) {
  const drop = new Set(store.state.options.drop || []);
  if (used) drop.delete(name);
  else drop.add(name);
  return set({ drop: [...drop] });
}

function rowOf(column, kinds, choices) {
  const { name } = column;
  const used = !column.dropped;
  const box = keyed(made("input", { type: "checkbox", checked: used, "aria-label": `Use ${name}` }), `use ${name}`);
  box.addEventListener("change", () => use(name, box.checked));
  const kind = keyed(made("select", { "aria-label": `Kind of ${name}`, disabled: !used }), `kind ${name}`);
  const automatic = column.kind && !(name in kinds) ? `automatic: ${column.kind}` : "automatic";
  options(kind, [["", automatic], ...choices.map((choice) => [choice, choice])], kinds[name] || "");
  kind.addEventListener("change", () => {
    const changed = { ...store.state.options.kinds };
    if (kind.value) changed[name] = kind.value;
    else delete changed[name];
    set({ kinds: changed });
  });
  const says = made("td", { className: "says" });
  if (column.summary) says.append(made("span", {}, ...spoken(column.summary)));
  else if (column.values && column.values.length) says.append(made("span", {}, ...spoken(column.values.join(", "))));
  for (const doubt of column.doubts || []) says.append(made("p", { className: "note" }, ...spoken(doubt)));
  const row = made(
    "tr",
    { className: used ? "" : "unused" },
    made("td", {}, box),
    made("th", { scope: "row" }, named(name)),
    made("td", {}, kind),
    made("td", { className: "number", textContent: column.distinct === undefined || column.distinct === null ? "" : column.distinct.toLocaleString("en") }),
    made("td", { className: "number", textContent: column.missing ? column.missing.toLocaleString("en") : "" }),
    says,
  );
  row.dataset.name = name;
  return row;
}

const table = once((columns, kinds, choices) => {
  refill(byId("columns").tBodies[0], ...columns.map((column) => rowOf(column, kinds, choices)));
  filter();
});

/** A button that leads to the setting for missing values. */
function toMissing() {
  const button = made("button", { type: "button", textContent: "Choose how missing values are treated" });
  button.addEventListener("click", () => {
    byId("missing").scrollIntoView({ block: "center" });
    byId("missing").focus();
  });
  return button;
}

const notes = once((refused, errors, warnings, advice, gaps) => {
  const faults = errors && errors.length ? errors : refused ? [refused] : [];
  shown(byId("refused"), faults.length > 0);
  byId("refused").replaceChildren(
    made("p", {}, made("strong", { textContent: "A search would be refused as it is:" })),
    ...faults.map((fault) => made("p", {}, ...spoken(fault))),
    ...(gaps ? [toMissing()] : []),
  );
  shown(byId("worth"), (warnings || []).length > 0);
  byId("worth-list").replaceChildren(...(warnings || []).map((warning) => made("li", {}, ...spoken(warning))));
  const sentences = (advice || []).filter((sentence) => !faults.includes(sentence));
  shown(byId("advice"), sentences.length > 0);
  byId("advice-list").replaceChildren(...sentences.map((sentence) => made("li", {}, ...spoken(sentence))));
});

export function render({ state, describe, describing, choices }) {
  shown(byId("variables-none"), !state.data);
  shown(byId("variables-some"), Boolean(state.data));
  if (!state.data) return;
  byId("columns").setAttribute("aria-busy", String(describing));
  const drop = new Set(state.options.drop || []);
  const columns = ((describe && describe.columns) || []).map((column) => ({ ...column, dropped: drop.has(column.name) }));
  const listed = new Set(columns.map((column) => column.name));
  for (const name of drop) if (!listed.has(name)) columns.push({ name, dropped: true });
  table(columns, state.options.kinds || {}, (choices && choices.kinds) || ["continuous", "discrete", "ordinal"]);
  worded(byId("columns-title"), describing && !describe ? "Columns (the file is being read …)" : "Columns");
  if (describe) notes(describe.refused, describe.errors, describe.warnings, describe.advice, (state.options.missing || "refuse") === "refuse" && columns.some((column) => column.missing && !column.dropped));
  const ways = ((choices && choices.missing) || []).map((way) => (typeof way === "string" ? { name: way } : way));
  options(byId("missing"), ways.map((way) => [way.name, way.title || way.name]), state.options.missing || "refuse");
  const chosen = ways.find((way) => way.name === byId("missing").value);
  worded(byId("missing-sentence"), (chosen && chosen.sentence) || "");
  entered(byId("na"), (state.options.na || []).join(", "));
}
