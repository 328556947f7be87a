/* Dragging with the pointer: an element is carried onto another one of the class `tier`. */

/** Pixels that the pointer must move before a click becomes a drag. */
const THRESHOLD = 5;
/** Pixels from the edge of the window or board within which it scrolls, and pixels that it scrolls at a time. */
const EDGE = 48, STEP = 12;

export function draggable(element, { count, dropped, ended }) {
  let from = null;
  let ghost = null;
  let over = null;
  let at = null;
  let wasDragged = false;

  function place() {
    ghost.style.transform = `translate(${at.x + 8}px, ${at.y + 8}px)`;
    const below = document.elementFromPoint(at.x, at.y);
    const tier = below && below.closest(".tier");
    if (tier === over) return;
    if (over) over.classList.remove("over");
    if (tier) tier.classList.add("over");
    over = tier;
  }

  function scroll() {
    if (!ghost) return;
    const board = element.closest("#board") || document.getElementById("board");
    const box = board.getBoundingClientRect();
    if (at.y >= box.top && at.y <= box.bottom) {
      if (at.x < box.left + EDGE) board.scrollLeft -= STEP;
      if (at.x > box.right - EDGE) board.scrollLeft += STEP;
    }
    if (at.y < EDGE) window.scrollBy(0, -STEP);
    if (at.y > window.innerHeight - EDGE) window.scrollBy(0, STEP);
    place();
    requestAnimationFrame(scroll);
  }

  function start(event) {
    draggable.active = true;
    wasDragged = true;
    ghost = element.cloneNode(true);
    ghost.removeAttribute("data-key");
    ghost.classList.add("carried");
    if (count() > 1) ghost.append(` and ${count() - 1} more`);
    document.body.append(ghost);
    document.body.classList.add("dragging");
    element.classList.add("lifted");
    element.setPointerCapture(event.pointerId);
    requestAnimationFrame(scroll);
  }

  function stop(accepted) {
    const target = over;
    if (over) over.classList.remove("over");
    if (ghost) ghost.remove();
    const began = ghost !== null;
    from = ghost = over = null;
    document.body.classList.remove("dragging");
    element.classList.remove("lifted");
    document.removeEventListener("keydown", escape, true);
    if (!began) return;
    draggable.active = false;
    if (accepted && target) dropped(target);
    else ended();
  }

  function escape(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    stop(false);
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    // a finger scrolls, unless it takes the grip
    if (event.pointerType !== "mouse" && !event.target.closest(".grip")) return;
    from = { x: event.clientX, y: event.clientY };
    wasDragged = false;
    document.addEventListener("keydown", escape, true);
  });
  element.addEventListener("pointermove", (event) => {
    if (!from) return;
    at = { x: event.clientX, y: event.clientY };
    if (!ghost && Math.hypot(at.x - from.x, at.y - from.y) >= THRESHOLD) start(event);
    if (ghost) place();
  });
  element.addEventListener("pointerup", () => stop(true));
  element.addEventListener("pointercancel", () => stop(false));
  element.addEventListener("lostpointercapture", () => stop(false));
  // the click that ends a drag does not select
  element.addEventListener("click", (event) => {
    if (!wasDragged) return;
    wasDragged = false;
    event.stopImmediatePropagation();
  }, true);
}
draggable.active = false;
