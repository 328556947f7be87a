/* Pictures in panes: the whole picture if its labels can be read then, otherwise a part of it, and the pane scrolls. */

import { shown, worded } from "./dom.js";

/** Pixels of the labels of a picture, and the fewest on the screen that can be read. */
const LABEL = 13, LEAST = 11;
/** How much a small picture is enlarged at most. */
const MOST = 1.4;
/** The share of the window's height that a pane takes at most; style.css has it, too. */
const HEIGHT = 0.7;

/** Begin in the middle, where most of a large graph is. */
function middle(pane) {
  pane.scrollLeft = (pane.scrollWidth - pane.clientWidth) / 2;
  pane.scrollTop = (pane.scrollHeight - pane.clientHeight) / 2;
}

/**
 * Show images, each of which stands in a pane, at one scale; what is scrolled in one pane is scrolled in all.
 * The button, which is there while not everything is in view, switches to the whole picture and back.
 */
export function panes(button, ...images) {
  const all = images.map((image) => image.parentElement);
  let whole = false, begun = false;

  function fit() {
    const seen = images.filter((image, at) => image.naturalWidth && all[at].clientWidth);
    if (seen.length === 0) return;
    const scales = seen.map((image) => Math.min((image.parentElement.clientWidth - 1) / image.naturalWidth, (HEIGHT * window.innerHeight) / image.naturalHeight));
    const fitting = Math.min(MOST, ...scales);
    const scale = whole ? fitting : Math.max(fitting, LEAST / LABEL);
    for (const image of seen) image.style.width = `${Math.floor(image.naturalWidth * scale * 10) / 10}px`;
    shown(button, fitting < LEAST / LABEL);
    worded(button, whole ? "Readable size" : "Whole picture");
    if (begun) return;
    begun = true;
    for (const pane of all) middle(pane);
  }

  button.addEventListener("click", () => {
    whole = !whole;
    fit();
  });
  const observer = new ResizeObserver(fit);
  for (const pane of all) {
    observer.observe(pane);
    pane.addEventListener("scroll", () => {
      for (const other of all) {
        if (other === pane) continue;
        other.scrollLeft = pane.scrollLeft;
        other.scrollTop = pane.scrollTop;
      }
    });
  }
  for (const image of images) image.addEventListener("load", fit);
  window.addEventListener("resize", fit);
}
