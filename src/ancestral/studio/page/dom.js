/* Helpers that build the page. Texts of the user reach the page as text only (textContent, setAttribute), never as markup. */

export const byId = (id) => document.getElementById(id);

/** An element with properties (or attributes, if it has no such property) and children. */
export function made(tag, properties = {}, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name in out) out[name] = value;
    else out.setAttribute(name, value);
  }
  out.append(...children);
  return out;
}

/** A name of the user inside of a sentence: its direction of writing does not affect the words around it. */
export const named = (name) => made("bdi", { textContent: name, className: "name" });

/** Words that are written from right to left. */
const LEFTWARDS = "[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]";
const WORD = `${LEFTWARDS}(?:${LEFTWARDS}|[\\p{M}\\p{N}_])*`;
const WORDS = new RegExp(`(${WORD}(?:[\\s.-]+${WORD})*)`, "u");

/** A sentence as children of an element: names that are written from right to left do not affect the words around them. */
export const spoken = (text) => text.split(WORDS).map((part, at) => (at % 2 ? made("bdi", { textContent: part }) : part));

/** What an element of a list on the page is about; survives a new rendering, so that the focus can return to it. */
export const keyed = (element, key) => {
  element.dataset.key = key;
  return element;
};

/** Replace the children of an element, and give the focus back to the element with the same key. */
export function refill(element, ...children) {
  const active = document.activeElement;
  const key = active && element.contains(active) ? active.dataset.key : undefined;
  const [top, left] = [element.scrollTop, element.scrollLeft];
  element.replaceChildren(...children);
  element.scrollTop = top;
  element.scrollLeft = left;
  if (key !== undefined) focusKey(element, key);
}

export function focusKey(element, key) {
  for (const other of element.querySelectorAll("[data-key]")) {
    if (other.dataset.key === key) {
      other.focus({ preventScroll: false });
      return true;
    }
  }
  return false;
}

/** Fill a select with [value, text] pairs and keep what is chosen, unless a value is given. */
export function options(select, pairs, value = select.value) {
  const signature = JSON.stringify(pairs);
  if (select.dataset.filled !== signature) {
    select.replaceChildren(...pairs.map(([at, text]) => made("option", { value: at, textContent: text, dir: "auto" })));
    select.dataset.filled = signature;
  }
  if (document.activeElement !== select || select.value !== value) select.value = value;
  if (select.selectedIndex < 0 && select.options.length) select.selectedIndex = 0;
}

/** Set the value of a text field, unless somebody is typing in it. */
export function entered(input, value) {
  if (document.activeElement !== input && input.value !== value) input.value = value;
}

export function shown(element, visible) {
  if (element.hidden === visible) element.hidden = !visible;
}

/** Set a text only when it differs, so that a live region is not read again. */
export function worded(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const counted = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

/** A duration in words: "3 s", "2 min". */
export const lasting = (seconds) => (seconds < 100 ? `${Math.max(0, Math.round(seconds))} s` : seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`);

export const sized = (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** A function that does its work only when what it is given differs from the last time. */
export function once(work) {
  let last;
  return (...given) => {
    const signature = JSON.stringify(given);
    if (signature === last) return;
    last = signature;
    work(...given);
  };
}
