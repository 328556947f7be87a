/* The step Data: a file is dropped, chosen, or taken from the project folder. */

import { byId, counted, keyed, made, named, once, refill, shown, sized, spoken, worded } from "./dom.js";
import { upload, write } from "./server.js";

/** Bytes that the server accepts; a larger file is refused before it is sent. */
const LARGEST = 512 * 1024 * 1024;

let tools;

async function chosen(file) {
  tools.hush();
  if (file.size > LARGEST) {
    tools.say(`${file.name} has ${sized(file.size)}; a file may have at most ${sized(LARGEST)}. Put a larger one into the project folder yourself and choose it from the list.`);
    return;
  }
  if (file.size === 0) {
    tools.say(`${file.name} is empty; choose a file with a table, and drop files rather than folders.`);
    return;
  }
  const bar = byId("upload-progress");
  shown(byId("upload"), true);
  worded(byId("upload-label"), `Reading ${file.name} …`);
  bar.value = 0;
  try {
    await upload(file, (share) => (bar.value = share));
    tools.announce(`${file.name} is in use.`);
  } catch (error) {
    tools.say(error.message);
  } finally {
    shown(byId("upload"), false);
    byId("file").value = "";
  }
}

export function setUp(given) {
  tools = given;
  byId("file").addEventListener("change", () => {
    const [file] = byId("file").files;
    if (file) chosen(file);
  });
  const drop = byId("drop");
  const carries = (event) => [...(event.dataTransfer ? event.dataTransfer.types : [])].includes("Files");
  // a file that misses the card must not replace the page, so the whole page takes it
  document.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    drop.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && drop.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    drop.classList.remove("over");
    const [file, ...others] = event.dataTransfer.files;
    if (others.length) {
      tools.say(`One file at a time: ${file.name} and ${counted(others.length, "other")} were dropped. Put them into one table first.`);
      return;
    }
    tools.go("data");
    if (file) chosen(file);
  });
}

const files = once((names, used) => {
  const rows = names.map((name) => {
    const button = keyed(made("button", { type: "button" }, named(name)), name);
    if (name === used) {
      button.setAttribute("aria-pressed", "true");
      button.append(made("span", { className: "hint", textContent: " in use" }));
    }
    button.addEventListener("click", () => {
      tools.hush();
      write("api/choose", { name });
    });
    return made("li", {}, button);
  });
  refill(byId("files"), ...(rows.length ? rows : [made("li", { className: "hint", textContent: "There is none yet." })]));
});

export function render({ state, describe, describing }) {
  files(state.files || [], state.data && state.data.name);
  shown(byId("chosen-data"), Boolean(state.data));
  if (!state.data) return;
  const facts = [sized(state.data.bytes)];
  if (describing) facts.push("being read …");
  else if (describe && describe.columns.length) facts.push(counted(describe.rows, "row"), counted(describe.columns.length, "column"));
  const { errors = [], refused = null } = (!describing && describe) || {};
  const faults = errors.length || !refused ? errors : [refused];
  const content = [named(state.data.name), `: ${facts.join(", ")}.`];
  for (const fault of faults) content.push(made("span", { className: "note block" }, ...spoken(fault)));
  refill(byId("data-facts"), ...content);
}
