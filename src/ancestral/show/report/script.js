"use strict";
/* Shows the content of the page: the picture, the reasons, the table. Everything from the user's data is put on the page
   as text (textContent, setAttribute), never as markup. Marks stand on edges as in show/routes.py. */
(() => {
  const content = JSON.parse(document.getElementById("content").textContent);
  const n = content.names.length;
  const CIRCLE = 1, ARROW = 2, TAIL = 3;
  const SYMBOLS = ["-->", "<->", "o->", "---", "o--", "o-o"];
  const MARK_SIZE = { [CIRCLE]: 10, [ARROW]: 12, [TAIL]: 0 };
  const MOST_GHOSTS = 600, ROWS = 200;
  /** The size of labels, and the smallest at which the first view shows them, in pixels. */
  const FONT = 13, SMALLEST = 11.2;

  // ---- small helpers -------------------------------------------------------------------------------------------------

  const byId = (id) => document.getElementById(id);
  const key = (i, j) => (i < j ? i * n + j : j * n + i);
  const end = (x, y) => x * n + y;

  function made(tag, properties = {}, ...children) {
    const out = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in out) out[name] = value;
      else out.setAttribute(name, value);
    }
    out.append(...children);
    return out;
  }

  /** Words that are written from right to left. */
  const LEFTWARDS = "[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]";
  const WORD = `${LEFTWARDS}(?:${LEFTWARDS}|[\\p{M}\\p{N}_])*`;
  const WORDS = new RegExp(`(${WORD}(?:[\\s.-]+${WORD})*)`, "u");

  /** A sentence as children of an element: names that are written from right to left do not affect the words around them. */
  const spoken = (text) => text.split(WORDS).map((part, at) => (at % 2 ? made("bdi", {}, part) : part));

  function drawn(tag, attributes = {}, ...children) {
    const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value);
    out.append(...children);
    return out;
  }

  /** A sentence with its {placeholders} filled in, in one pass, so that names cannot contain placeholders themselves. */
  const filled = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const listed = (nodes) => "{" + nodes.map((v) => content.names[v]).join(", ") + "}";

  const number = (value) => (value === null ? "" : value === 0 ? "0" : Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6
    ? value.toExponential(1) : String(Number(value.toPrecision(3))));

  const counted = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

  // ---- the content, by variable and pair ---------------------------------------------------------------------------------------------------

  const graphs = content.stages.map((stage) => new Map(stage.edges.map(([i, j, atI, atJ]) => [key(i, j), [i, j, atI, atJ]])));
  const last = graphs.length - 1;
  /** How edges run from box to box: points of quadratic curves, one after the other. */
  const curves = new Map(content.curves.map(([i, j, flat]) => [key(i, j), flat.flatMap((x, k) => (k % 2 ? [] : [[x / 10, flat[k + 1] / 10]]))]));
  const visible = new Set(content.visible.map(([i, j]) => key(i, j)));
  const unanswered = new Map(content.unanswered.map(([i, j, ...kept]) => [key(i, j), kept]));
  const decided = new Map(content.pairs.map((row) => [key(row[0], row[1]), row]));
  const reasons = new Map(content.marks.map(([x, y, text, rule, because, marks, apart]) => [end(x, y), { x, y, text, rule, because, marks, apart }]));
  const required = new Set(content.known.required.map(([i, j]) => key(i, j)));
  const knownNoEdge = new Set(content.known.no_edge.map(([i, j]) => key(i, j)));
  const targets = new Set(content.known.target.map(([i, j]) => key(i, j)));
  /** Contexts whose relation was designed, so that nothing is told about it; and what a variable that was set from outside does to another one. */
  const designed = new Set(content.known.designed.map(([i, j]) => key(i, j)));
  const outside = new Set(content.outside);
  const actions = new Map(content.actions.map(([i, j, sentence]) => [key(i, j), sentence]));
  const undecided = new Map(content.open.map(([x, y, text]) => [end(x, y), text]));
  const answers = new Map(content.answers.map((row) => [key(row[0], row[1]), row]));

  /** Of a window of time series: for each pair with a later copy, the copy that ends at t; sentences about pairs; texts beside the boxes. */
  const latest = new Map((content.copies || []).map(([i, j, x, y]) => [key(i, j), key(x, y)]));
  const remarks = new Map((content.remarks || []).map(([i, j, sentences]) => [key(i, j), sentences]));
  const captions = content.captions || [];

  /** The class of a line: of an edge that repeats a later one, or that exists only early. */
  const copied = (pair) => (!latest.has(pair) ? "" : graphs[state.stage].has(latest.get(pair)) ? "copy" : "copy early");

  /** Whether the search asked questions; otherwise separations are what the graph implies, and there may be notes. */
  const asks = content.asks !== false;
  const notes = new Map((content.notes || []).map(([about, x, y, text]) => [about + (about === "mark" ? end(x, y) : key(x, y)), text]));
  /** The evidence of edges and of missing edges, if the algorithm has any. */
  const weighed = new Map((content.weighed ? content.notes : []).filter(([about]) => about !== "mark").map(([, x, y, , number]) => [key(x, y), number]));

  /** How certain the edge or missing edge of a pair is, and sentences about it, if resamples were searched. */
  const certainty = new Map((content.certainty ? content.certainty.pairs : []).map(([i, j, edge, sentences, marks]) => [key(i, j), { edge, sentences, marks }]));

  /** The number of resamples with an edge between the pair, and with each mark at its ends. */
  const resampled = new Map((content.resampled ? content.resampled.pairs : []).map(([i, j, ...marks]) => [key(i, j), { i, marks }]));
  function frequency(a, b) {
    const { i, marks } = resampled.get(key(a, b)) || { i: a, marks: [0, 0, 0, 0, 0, 0] };
    const [first, second] = [marks.slice(0, 3), marks.slice(3)];
    return { edge: first[0] + first[1] + first[2], at: i === a ? [first, second] : [second, first] };
  }

  /** A share in percent; nearly all is not rounded to all, nor hardly any to none. */
  const inPercent = (share) => (share > 0 && share < 0.01 ? "<1 %" : share < 1 && share > 0.99 ? ">99 %" : `${Math.round(100 * share)} %`);
  const percent = (count) => inPercent(count / content.resampled.repeats);

  /** Whether resamples tell how stable edges are, by a bootstrap (counts) or by the certainty of the run. */
  const counts = Boolean(content.resampled && content.resampled.repeats > 0);
  const resamples = counts || Boolean(content.certainty && content.certainty.repeats > 0);

  /** The share of resamples with an edge between a pair. */
  function stable(a, b) {
    if (counts) return frequency(a, b).edge / content.resampled.repeats;
    const known = certainty.get(key(a, b));
    return known === undefined ? 1 : graphs[last].has(key(a, b)) ? known.edge : 1 - known.edge;
  }
  /** The share of resamples with this mark at the end `side` of the edge between i and j, which has i < j. */
  function stableMark(i, j, side, mark) {
    if (counts) return frequency(i, j).at[side][mark - 1] / content.resampled.repeats;
    const known = certainty.get(key(i, j));
    return known === undefined ? 1 : known.marks[side] ?? known.edge;
  }
  const edgeShare = (row) => stable(row[0], row[1]);

  const symbol = (atA, atB) => "·o<-"[atA] + "-" + "·o>-"[atB];

  /** The edge between a and b at a stage, read from a to b; undefined if there is none. */
  function edgeAt(stage, a, b) {
    const row = graphs[stage].get(key(a, b));
    return row && (row[0] === a ? symbol(row[2], row[3]) : symbol(row[3], row[2]));
  }

  /** The ends of an edge in the order in which it is written. */
  function inOrder(stage, a, b) {
    const edge = edgeAt(stage, a, b);
    const symmetric = edge === "<->" || edge === "---" || edge === "o-o";
    if (symmetric) return a < b ? [a, b] : [b, a];
    return SYMBOLS.includes(edge) ? [a, b] : [b, a];
  }

  /** The steps of `why`, as in show/reasons.py: each with its depth, its text and the variables it is about. */
  function explained(a, b) {
    if (designed.has(key(a, b))) return [{ depth: 0, text: filled(content.sentences.designed, { a: content.names[a], b: content.names[b] }), nodes: [a, b] }];
    const acts = actions.has(key(a, b)) ? [{ depth: 0, text: actions.get(key(a, b)), nodes: [a, b] }] : [];
    const steps = edgeAt(last, a, b) === undefined ? separated(a, b) : unfolded(a, b);
    const certain = certainty.has(key(a, b)) ? certainty.get(key(a, b)).sentences.map((text) => ({ depth: 0, text, nodes: [] })) : [];
    const remarked = (remarks.get(key(a, b)) || []).map((text) => ({ depth: 0, text, nodes: [] }));
    return [...acts, ...steps, ...certain, ...remarked, ...(content.caveat ? [{ depth: 0, text: content.caveat, nodes: [] }] : [])];
  }

  /** The steps about an edge. */
  function unfolded(a, b) {
    const edge = edgeAt(last, a, b);
    const row = decided.get(key(a, b));
    const closest = asks && row && row[8] ? filled(content.sentences.closest, { given: given(row[5] || []), words: row[8] }) : "";
    const [kept, questions] = unanswered.get(key(a, b)) || ["edge", ""];
    const names = { a: content.names[a], edge, b: content.names[b], radius: content.radius, closest, questions };
    const known = required.has(key(a, b)) ? "required" : targets.has(key(a, b)) ? "target" : null;
    const steps = [{ depth: 0, text: known ? filled(content.sentences[known], names) : noted(kept, a, b, names), nodes: [a, b] }];
    const shown = new Set();
    for (const [x, y] of [[b, a], [a, b]]) {
      const place = steps.length + 1;
      if (reasons.has(end(x, y))) unfold(x, y, shown, steps);
      else steps.push({ depth: 1, text: undecided.get(end(x, y)), nodes: [] });
      const note = notes.get("mark" + end(x, y));
      if (note !== undefined) steps.splice(place, 0, { depth: 2, text: note + ".", nodes: [] });
    }
    return [...steps, ...weakest(steps)];
  }

  /** The separation with the smallest p-value among the steps, if the search asked data. */
  function weakest(steps) {
    const found = steps.filter((step) => step.row && step.row[8]);
    if (!asks || content.alpha === null || !found.length) return [];
    const step = found.reduce((least, other) => (other.row[2] < least.row[2] ? other : least));
    const [a, b] = step.nodes;
    return [{ depth: 0, text: filled(content.sentences.weakest, { a: content.names[a], b: content.names[b], given: given(step.given), words: step.row[8], alpha: String(content.alpha) }), nodes: [a, b], given: step.given }];
  }

  const given = (set) => (set.length ? listed(set) : "nothing");

  /** The sentence about an edge or a missing edge, with the note of the algorithm if there is one. */
  function noted(about, a, b, names) {
    const note = notes.get(about + key(a, b));
    return note === undefined ? filled(content.sentences[about], names) : filled(content.sentences[`${about}, noted`], { ...names, note });
  }

  /** Append the reason of the mark at y on x–y and all it rests on, each premise once. */
  function unfold(x, y, shown, steps) {
    const waiting = [["mark", x, y, 1]];
    while (waiting.length) {
      const [kind, a, b, depth] = waiting.pop();
      const name = kind + (kind === "mark" ? end(a, b) : key(a, b));
      const before = shown.has(name);
      if (kind === "separation") {
        if (!before && decided.has(key(a, b))) steps.push(separationStep(...(a < b ? [a, b] : [b, a]), depth, ""));
        shown.add(name);
        continue;
      }
      const reason = reasons.get(end(a, b));
      if (!reason || (before && depth > 1)) continue;
      shown.add(name);
      steps.push({ depth, text: reason.text, rule: reason.rule, nodes: reason.because, path: true });
      if (before) continue;
      const below = [...reason.marks.map(([u, v]) => ["mark", u, v, depth + 1]), ...reason.apart.map(([u, v]) => ["separation", u, v, depth + 1])];
      waiting.push(...below.reverse());
    }
  }

  function separated(a, b) {
    const row = decided.get(key(a, b));
    const names = { a: content.names[a], b: content.names[b] };
    if (knownNoEdge.has(key(a, b))) return [{ depth: 0, text: filled(content.sentences["known no edge"], names), nodes: [a, b] }];
    if (!row && !content.allPairs) {
      return [{ depth: 0, text: filled(content.sentences["no edge"], names), nodes: [a, b] },
        { depth: 1, text: "With this many variables, the report has the reasons of edges only; ancestral why, or found.why in Python, has all.", nodes: [] }];
    }
    if (!row || row[5] === null) {
      return [{ depth: 0, text: notes.has("no edge" + key(a, b)) ? noted("no edge", a, b, names) : filled(content.sentences["no set"], names), nodes: [a, b] }];
    }
    return [{ depth: 0, text: noted("no edge", a, b, names), nodes: [a, b] }, separationStep(a, b, 1, content.sentences[row[7]])];
  }

  function separationStep(a, b, depth, how) {
    const row = decided.get(key(a, b));
    const within = row[7] === "score graph";
    const words = row[8] ? filled(content.sentences[within || !asks ? "in the data" : "words"], { words: row[8] }) : "";
    const text = filled(content.sentences[within || row[7] === "fdr" ? row[7] : "separation"], { a: content.names[a], b: content.names[b], given: given(row[5]), radius: row[6], words, how });
    return { depth, text, nodes: [a, b], given: row[5], row };
  }

  // ---- the state of the page, and positions ------------------------------------------------------------------------------------------------

  const state = { stage: last, chosen: [], lit: { nodes: new Set(), edges: new Set(), set: new Set() }, focus: null, steps: 1, rows: ROWS, fade: false };
  let places = new Map();

  /** The curves as they are drawn now: in a neighbourhood, empty bands of the page are left out. */
  let ways = curves;

  function arrange() {
    places = new Map(content.boxes.map((box, i) => [i, box]));
    ways = curves;
    if (state.focus !== null) squeeze(around(state.focus, state.steps));
  }

  /** The variables at most so many edges away. */
  function around(v, steps) {
    const found = new Set([v]);
    for (let step = 0; step < steps; step++) for (const u of [...found]) for (const w of neighbours(u)) found.add(w);
    return found;
  }

  /** Keep only these variables, in their order from left to right and from top to bottom, and leave out empty bands. */
  function squeeze(kept) {
    const boxes = [...kept].map((v) => [v, content.boxes[v]]);
    const inner = [...curves].filter(([pair]) => kept.has(Math.floor(pair / n)) && kept.has(pair % n));
    const levels = inner.flatMap(([, points]) => points.filter((_, k) => k % 2 === 0).map(([, y]) => [y - 5, y + 5]));
    const across = shrunk(boxes.map(([, [x, , w]]) => [x - w / 2 - 20, x + w / 2 + 20]), 60);
    const down = shrunk([...boxes.map(([, [, y, , h]]) => [y - h / 2 - 8, y + h / 2 + 8]), ...levels], 20);
    places = new Map(boxes.map(([v, [x, y, w, h]]) => [v, [across(x), down(y), w, h]]));
    ways = new Map(inner.map(([pair, points]) => [pair, moved(points, across, down)]));
  }

  /** A map of coordinates that keeps these intervals as long as they are, and makes what is between them shorter. */
  function shrunk(intervals, longest) {
    const parts = [];
    for (const [low, high] of intervals.sort((one, other) => one[0] - other[0])) {
      const before = parts[parts.length - 1];
      if (before && low <= before[1]) before[1] = Math.max(before[1], high);
      else parts.push([low, high]);
    }
    const starts = [0];
    parts.slice(1).forEach(([low], k) => starts.push(starts[k] + parts[k][1] - parts[k][0] + Math.min(longest, low - parts[k][1])));
    return (value) => {
      const k = Math.max(parts.findLastIndex(([low]) => low <= value), 0), [low, high] = parts[k];
      if (value <= high || k === parts.length - 1) return starts[k] + value - low;
      const share = (value - high) / (parts[k + 1][0] - high);
      return starts[k] + high - low + share * Math.min(longest, parts[k + 1][0] - high);
    };
  }

  /** The points of a curve on a page with other coordinates; what was half-way between its neighbours stays so. */
  function moved(points, across, down) {
    const out = points.map(([x, y]) => [across(x), down(y)]);
    for (const odd of [1, 0]) {
      for (let k = 2 - odd; k < points.length - 1; k += 2) {
        const half = [0, 1].every((axis) => Math.abs(2 * points[k][axis] - points[k - 1][axis] - points[k + 1][axis]) < 0.5);
        if (half) out[k] = [0, 1].map((axis) => (out[k - 1][axis] + out[k + 1][axis]) / 2);
      }
    }
    return out;
  }

  function neighbours(u) {
    const out = [];
    for (const [i, j] of graphs[state.stage].values()) if (i === u) out.push(j); else if (j === u) out.push(i);
    return out.sort((a, b) => a - b);
  }

  // ---- edges: the line ends where its mark begins, as in routes.py --------------------------------------------------------

  function at([ax, ay, cx, cy, bx, by], t) {
    const s = 1 - t;
    return [s * s * ax + 2 * s * t * cx + t * t * bx, s * s * ay + 2 * s * t * cy + t * t * by];
  }

  /** The curve from its first box on, without the part that its mark takes; the tip of the mark, and where it points. */
  function trimmed(points, mark) {
    const first = points.slice(0, 3).flat(), tip = points[0];
    const size = Math.max(MARK_SIZE[mark], 1);
    let [low, high] = [0, 1];
    for (let k = 0; k < 24; k++) {
      const middle = (low + high) / 2, p = at(first, middle);
      if (Math.hypot(p[0] - tip[0], p[1] - tip[1]) >= size) high = middle; else low = middle;
    }
    const back = at(first, high);
    const length = Math.max(Math.hypot(back[0] - tip[0], back[1] - tip[1]), 1e-9);
    const end = { tip, towards: [(tip[0] - back[0]) / length, (tip[1] - back[1]) / length] };
    if (!MARK_SIZE[mark]) return [points, end];
    const control = [0, 1].map((k) => (1 - high) * first[2 + k] + high * first[4 + k]);
    return [[back, control, ...points.slice(2)], end];
  }

  /** The points of an edge between its marks, and its two ends. */
  function route(pair, marks) {
    const [from, one] = trimmed(ways.get(pair), marks[0]);
    const [to, other] = trimmed([...from].reverse(), marks[1]);
    return { points: to.reverse(), ends: [one, other] };
  }

  const text = (point) => point.map((value) => value.toFixed(1)).join(" ");
  const path = ([start, ...others]) => `M${text(start)}Q${others.map(text).join(" ")}`;

  function markShape(mark, tip, [dx, dy], classes) {
    if (mark === ARROW) {
      const back = [tip[0] - MARK_SIZE[ARROW] * dx, tip[1] - MARK_SIZE[ARROW] * dy];
      const corners = [tip, [back[0] - 4.6 * dy, back[1] + 4.6 * dx], [back[0] + 4.6 * dy, back[1] - 4.6 * dx]];
      return drawn("path", { class: `head ${classes}`, d: "M" + corners.map(text).join("L") + "Z" });
    }
    if (mark === CIRCLE) {
      return drawn("circle", { class: `ring ${classes}`, cx: (tip[0] - 5 * dx).toFixed(1), cy: (tip[1] - 5 * dy).toFixed(1), r: 4.25 });
    }
    return null;
  }

  /** A small picture of an edge, for a line of text. */
  function small(edge, classes = "") {
    const out = drawn("svg", { width: 58, height: 14, viewBox: "0 0 58 14", role: "img", "aria-label": edge });
    const marks = [{ "<": ARROW, o: CIRCLE, "-": TAIL }[edge[0]], { ">": ARROW, o: CIRCLE, "-": TAIL }[edge[2]]];
    out.append(drawn("path", { class: `line ${classes}`, d: `M${2 + MARK_SIZE[marks[0]]} 7H${56 - MARK_SIZE[marks[1]]}` }));
    for (const shape of [markShape(marks[0], [2, 7], [-1, 0], ""), markShape(marks[1], [56, 7], [1, 0], "")]) if (shape) out.append(shape);
    return out;
  }

  // ---- the picture -----------------------------------------------------------------------------------------------------------

  const picture = byId("picture");
  let view = null;
  let stops = [];  // the nodes and edges that arrow keys go through

  function draw() {
    const ghosts = drawn("g"), lines = drawn("g"), boxes = drawn("g"), marks = drawn("g"), hits = drawn("g");
    const graph = graphs[state.stage];
    const titles = drawn("g", {}, ...(state.focus === null ? captions : []).map(([x, y, words, anchor]) => drawn("text", { class: "caption", x, y: y + 4.6, "text-anchor": anchor }, words)));
    const before = state.stage ? graphs[state.stage - 1] : new Map();
    const shown = [...graph.values()].filter(([i, j]) => places.has(i) && places.has(j));
    const gone = [...before.values()].filter(([i, j]) => !graph.has(key(i, j)) && ways.has(key(i, j)));
    const busy = state.chosen.length > 0 || state.lit.nodes.size > 0;
    if (gone.length <= MOST_GHOSTS) {
      for (const [i, j, atI, atJ] of gone) ghosts.append(drawn("path", { class: "ghost", d: path(route(key(i, j), [atI, atJ]).points) }));
    }
    stops = [];
    for (const v of [...places.keys()].sort((a, b) => a - b)) stops.push(boxes.appendChild(node(v, busy)));
    if (shown.length > content.mostDrawn) {
      const all = shown.map(([i, j]) => `M${text(places.get(i).slice(0, 2))}L${text(places.get(j).slice(0, 2))}`).join("");
      lines.append(drawn("path", { class: "bulk", d: all }));
    } else {
      for (const row of shown) edge(row, before, busy, lines, marks, hits);
    }
    picture.replaceChildren(titles, ghosts, lines, boxes, marks, hits);
    if (stops.length) stops[0].setAttribute("tabindex", "0");
    drawOverview();
    if (!view) open(); else look();
  }

  /** The frame of a variable that was set from outside, as in show/picture.py. */
  function pointedBox(x, y, w, h) {
    const [right, down, inner] = [w / 2, h / 2, w / 2 - Math.min(9, w / 2)];
    const corners = [[-right, 0], [-inner, -down], [inner, -down], [right, 0], [inner, down], [-inner, down]];
    return drawn("path", { class: "frame pointed", d: "M" + corners.map(([dx, dy]) => text([x + dx, y + dy])).join("L") + "Z" });
  }

  function node(v, busy) {
    const [x, y, w, h] = places.get(v);
    const classes = ["node"];
    if (content.kinds) classes.push(content.kinds[v]);
    if (state.chosen.includes(v)) classes.push("chosen");
    else if (state.lit.set.has(v)) classes.push("set");
    else if (state.lit.nodes.has(v)) classes.push("witness");
    else if (busy && !(state.chosen.length === 1 && graphs[state.stage].has(key(v, state.chosen[0])))) classes.push("dim");
    const label = drawn("text", { class: "label", x: x.toFixed(1), y: (y + 4.6).toFixed(1) });
    label.textContent = content.labels[v];
    const title = drawn("title");
    title.textContent = content.names[v];
    const frame = outside.has(v) ? pointedBox(x, y, w, h)
      : drawn("rect", { class: "frame", x: (x - w / 2).toFixed(1), y: (y - h / 2).toFixed(1), width: w, height: h, rx: content.kinds && content.kinds[v] !== "continuous" ? 2 : 8 });
    const out = drawn("g", { class: classes.join(" "), role: "button", tabindex: "-1", "aria-label": content.names[v], "data-node": v }, title, frame, label);
    out.addEventListener("click", () => pickNode(v));
    return out;
  }

  function edge([i, j, atI, atJ], before, busy, lines, marks, hits) {
    const way = route(key(i, j), [atI, atJ]);
    const chosen = state.chosen.length === 2 && key(...state.chosen) === key(i, j);
    const lit = state.lit.edges.has(key(i, j));
    const classes = chosen ? "chosen" : lit ? "witness" : busy && !(state.chosen.length === 1 && (i === state.chosen[0] || j === state.chosen[0])) ? `dim ${copied(key(i, j))}` : copied(key(i, j));
    const faint = (share) => (state.fade && !chosen && !lit ? { opacity: Math.max(0.12, share).toFixed(2) } : {});
    const thick = state.stage === last && visible.has(key(i, j)) ? " visible" : "";
    lines.append(drawn("path", { class: `line ${classes}${thick}`, d: path(way.points), ...faint(stable(i, j)) }));
    const old = before.get(key(i, j));
    [atI, atJ].forEach((mark, side) => {
      const fresh = old && old[2 + side] !== mark ? "fresh" : "";
      const shape = markShape(mark, way.ends[side].tip, way.ends[side].towards, `${classes} ${fresh}`.trim());
      if (shape) {
        for (const [name, value] of Object.entries(faint(stableMark(i, j, side, mark)))) shape.setAttribute(name, value);
        marks.append(shape);
      }
    });
    const [a, b] = inOrder(state.stage, i, j);
    const written = `${content.names[a]} ${edgeAt(state.stage, a, b)} ${content.names[b]}`;
    const title = drawn("title");
    title.textContent = written;
    const hit = drawn("path", { class: "hit", d: path(way.points), role: "button", tabindex: "-1", "aria-label": written, "data-pair": `${i} ${j}` }, title);
    hit.addEventListener("click", () => choose(a, b));
    hits.append(hit);
    stops.push(hit);
  }

  function bounds() {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y, w, h] of places.values()) {
      left = Math.min(left, x - w / 2); right = Math.max(right, x + w / 2);
      top = Math.min(top, y - h / 2); bottom = Math.max(bottom, y + h / 2);
    }
    for (const pair of graphs[state.stage].size > content.mostDrawn ? [] : graphs[state.stage].keys()) {
      for (const [x, y] of ways.get(pair) || []) {
        left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
      }
    }
    for (const [x, y, words, anchor] of state.focus === null ? captions : []) {
      const width = 8 * words.length * { start: 0, middle: 0.5, end: 1 }[anchor];
      left = Math.min(left, x - width); top = Math.min(top, y - 8);
    }
    return n ? [left - 24, top - 24, right - left + 48, bottom - top + 48] : [0, 0, 100, 100];
  }

  /** Set the height of the picture: a small graph does not need a tall one. */
  function size() {
    const [, , , h] = bounds();
    picture.style.height = `${Math.min(0.62 * window.innerHeight, 760, Math.max(260, 1.35 * h))}px`;
  }

  /** Show the whole graph; small ones are not enlarged. */
  function fit() {
    const [x, y, w, h] = bounds();
    const [width, height] = panel();
    const scale = Math.max(w / width, h / height, 1 / 1.35);
    view = [x + w / 2 - (scale * width) / 2, y + h / 2 - (scale * height) / 2, scale * width, scale * height];
    look();
  }

  const panel = () => {
    const { width, height } = picture.getBoundingClientRect();
    return [width || 800, height || 500];
  };

  /** The first view: the whole graph if its labels can be read, otherwise the surroundings of its most connected variable. */
  function open() {
    fit();
    const [width, height] = panel();
    if (view[2] / width <= FONT / SMALLEST) return;
    const degrees = new Map([...places.keys()].map((v) => [v, 0]));
    for (const pair of ways.keys()) if (graphs[state.stage].has(pair)) for (const v of [Math.floor(pair / n), pair % n]) degrees.set(v, degrees.get(v) + 1);
    const centre = state.focus ?? [...degrees].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
    lookAt(places.get(centre), (width * FONT) / SMALLEST, (height * FONT) / SMALLEST);
  }

  /** Move the view, `w` by `h` large, so that a place is in its middle, or as near to it as the border of the graph allows. */
  function lookAt([x, y], w, h) {
    const [left, top, wide, high] = bounds();
    const inside = (at, size, start, all) => (all <= size ? start + (all - size) / 2 : Math.min(Math.max(at - size / 2, start), start + all - size));
    view = [inside(x, w, left, wide), inside(y, h, top, high), w, h];
    look();
  }

  const overview = byId("overview");
  const frameOfView = drawn("rect", { class: "window" });

  /** The whole graph in small, with a frame around what is in view; only where not all of it is. */
  function look() {
    picture.setAttribute("viewBox", view.map((value) => value.toFixed(1)).join(" "));
    const [x, y, w, h] = bounds();
    overview.toggleAttribute("hidden", view[0] <= x + 1 && view[1] <= y + 1 && view[0] + view[2] >= x + w - 1 && view[1] + view[3] >= y + h - 1);
    ["x", "y", "width", "height"].forEach((name, k) => frameOfView.setAttribute(name, view[k].toFixed(1)));
  }

  function drawOverview() {
    const [x, y, w, h] = bounds();
    overview.setAttribute("viewBox", [x, y, w, h].map((value) => value.toFixed(1)).join(" "));
    overview.style.aspectRatio = `${w} / ${h}`;
    const boxes = [...places].map(([v, [cx, cy, bw, bh]]) => drawn("rect", { class: state.chosen.includes(v) ? "far chosen" : "far", x: (cx - bw / 2).toFixed(0), y: (cy - bh / 2).toFixed(0), width: bw.toFixed(0), height: bh.toFixed(0) }));
    overview.replaceChildren(...boxes, frameOfView);
  }

  function lookFromOverview(event) {
    const box = overview.getBoundingClientRect(), [x, y, w, h] = bounds();
    lookAt([x + ((event.clientX - box.left) / box.width) * w, y + ((event.clientY - box.top) / box.height) * h], view[2], view[3]);
  }
  overview.addEventListener("pointerdown", (event) => { overview.setPointerCapture(event.pointerId); lookFromOverview(event); });
  overview.addEventListener("pointermove", (event) => { if (event.buttons) lookFromOverview(event); });

  /** Move the view if a variable or an edge that has the focus is outside of it. */
  function keepInView(one) {
    const inner = one.getBoundingClientRect(), outer = picture.getBoundingClientRect();
    if (inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom) return;
    const { x, y, width, height } = one.getBBox();
    lookAt([x + width / 2, y + height / 2], view[2], view[3]);
  }

  function zoom(factor, px = 0.5, py = 0.5) {
    const [x, y, w, h] = view;
    view = [x + w * px * (1 - factor), y + h * py * (1 - factor), w * factor, h * factor];
    look();
  }

  picture.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = picture.getBoundingClientRect();
    zoom(Math.exp(Math.sign(event.deltaY) * 0.12), (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }, { passive: false });

  let drag = null;
  picture.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".node, .hit")) drag = [event.clientX, event.clientY, ...view];
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const box = picture.getBoundingClientRect();
    picture.classList.add("dragging");
    view = [drag[2] - ((event.clientX - drag[0]) * drag[4]) / box.width, drag[3] - ((event.clientY - drag[1]) * drag[5]) / box.height, drag[4], drag[5]];
    look();
  });
  window.addEventListener("pointerup", (event) => {
    const still = drag && Math.hypot(event.clientX - drag[0], event.clientY - drag[1]) < 4;
    drag = null;
    picture.classList.remove("dragging");
    if (still) clear();
  });

  picture.addEventListener("keydown", (event) => {
    const here = stops.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step && here >= 0) {
      stops[here].setAttribute("tabindex", "-1");
      const next = stops[(here + step + stops.length) % stops.length];
      next.setAttribute("tabindex", "0");
      next.focus({ preventScroll: true });
      keepInView(next);
    } else if ((event.key === "Enter" || event.key === " ") && here >= 0) {
      stops[here].dispatchEvent(new MouseEvent("click"));
      const again = stops[here];
      if (again) { stops[0].setAttribute("tabindex", "-1"); again.setAttribute("tabindex", "0"); again.focus(); }
    } else if (event.key === "+") zoom(0.8);
    else if (event.key === "-") zoom(1.25);
    else if (event.key === "0") fit();
    else if (event.key === "Escape") clear();
    else return;
    event.preventDefault();
  });

  // ---- what is selected --------------------------------------------------------------------------------------------------------

  function pickNode(v) {
    if (state.chosen.length === 1 && state.chosen[0] !== v) choose(...inWritten(state.chosen[0], v));
    else chooseOne(v);
  }

  const inWritten = (a, b) => (edgeAt(last, a, b) === undefined ? [a, b] : inOrder(last, a, b));

  function clear() {
    state.chosen = [];
    light([], [], []);
    show();
  }

  function chooseOne(v) {
    state.chosen = [v];
    light([], [], []);
    show();
  }

  function choose(a, b) {
    if (a === b) return chooseOne(a);
    state.chosen = [a, b];
    const steps = explained(a, b);
    if (edgeAt(last, a, b) === undefined) light([], [], steps.flatMap((step) => step.given || []));
    else light(steps.filter((step) => step.depth === 1).flatMap((step) => step.nodes), steps.filter((step) => step.depth === 1), []);
    show();
    return undefined;
  }

  /** Make variables, edges and a separating set stand out beside the chosen ones. */
  function light(nodes, steps, set) {
    state.lit = { nodes: new Set(nodes), edges: new Set(), set: new Set(set) };
    for (const step of steps) {
      step.nodes.forEach((v, k) => { if (k) state.lit.edges.add(key(step.nodes[k - 1], v)); });
    }
  }

  function show() {
    describeSelection();
    if (state.focus !== null && state.chosen.some((v) => !places.has(v))) leaveFocus();
    draw();
    byId("first").value = state.chosen.length ? String(state.chosen[0]) : "";
    byId("second").value = state.chosen.length > 1 ? String(state.chosen[1]) : "";
    const names = state.chosen.map((v) => content.names[v]);  // in a frame of the studio, the page around it is told
    if (window.parent !== window && location.origin !== "null") window.parent.postMessage({ ancestral: "chosen", names }, location.origin);
  }

  function describeSelection() {
    const answer = byId("answer");
    byId("details").classList.toggle("idle", !state.chosen.length);
    if (!state.chosen.length) answer.replaceChildren(made("p", {}, "Click an edge to read what it means and why it is there. Pick two variables to read why they have no edge."));
    else if (state.chosen.length === 1) answer.replaceChildren(...aboutOne(state.chosen[0]));
    else answer.replaceChildren(...aboutTwo(...state.chosen));
  }

  function boxShapes() {
    const box = (x, rx) => drawn("rect", { class: "frame", x, y: 1, width: 26, height: 16, rx });
    return drawn("svg", { width: 58, height: 18, "aria-hidden": "true" }, box(1, 8), box(31, 2));
  }

  function aboutOne(v) {
    const list = made("ul", { className: "neighbours" });
    for (const u of neighbours(v)) {
      const button = made("button", { type: "button" }, small(edgeAt(state.stage, v, u)), made("span", { dir: "auto" }, content.names[u]));
      button.addEventListener("click", () => choose(...inOrder(state.stage, v, u)));
      list.append(made("li", {}, button));
    }
    const around = made("button", { type: "button" }, "Show its neighbourhood");
    around.addEventListener("click", () => focusOn(v));
    const words = [...(content.kinds ? [content.kinds[v]] : []), ...(outside.has(v) ? ["set from outside"] : [])];
    const kind = words.length ? [made("p", { className: "hint" }, words.join(", "))] : [];
    return [made("p", { className: "pair-title" }, made("span", { dir: "auto" }, content.names[v])), ...kind,
      made("p", {}, list.children.length ? "Its edges, read from here. Click a second variable to ask about the two." : "It depends on none of the others."), list, around];
  }

  function aboutTwo(a, b) {
    const edge = edgeAt(last, a, b), now = edgeAt(state.stage, a, b);
    const title = made("p", { className: "pair-title" }, made("span", { dir: "auto" }, content.names[a]), edge ? small(edge) : "and", made("span", { dir: "auto" }, content.names[b]));
    const out = [title];
    if (designed.has(key(a, b))) {
      out.push(made("p", { className: "meaning" }, "Both are contexts, and the study set them: an edge between them would tell nothing about the others."));
    } else if (actions.has(key(a, b))) {
      out.push(made("p", { className: "meaning" }, ...spoken((content.onData ? "By this graph: " : "") + actions.get(key(a, b)))));
    } else if (edge) {
      const [x, y] = inOrder(last, a, b);
      out.push(made("p", { className: "meaning" }, (content.onData ? "By this graph: " : "") + filled(content.meanings[visible.has(key(x, y)) ? "visible" : edgeAt(last, x, y)] || "", { a: content.names[x], b: content.names[y] })));
    } else {
      const row = decided.get(key(a, b));
      const known = knownNoEdge.has(key(a, b)) ? "No edge: that is known, and was not asked of the data." : null;
      const once = row && row[5] && row[5].length ? ", once the variables below are known" : "";
      out.push(made("p", { className: "meaning" }, known || `No edge: neither tells anything more about the other${once}.`));
    }
    if (designed.has(key(a, b))) return [...out, made("h3", {}, "Why"), reasonList(explained(a, b))];
    if (now !== edge) out.push(made("p", { className: "note" }, now === undefined ? "At the stage that is shown there is no such edge." : `At the stage that is shown (${content.stages[state.stage].name}) this reads ${content.names[a]} ${now} ${content.names[b]}.`));
    if (certainty.has(key(a, b))) out.push(made("p", { className: "note" }, ...spoken(certainty.get(key(a, b)).sentences.join(" "))));
    out.push(...evidence(a, b, edge), ...agreement(a, b));
    out.push(made("h3", {}, "Why"), reasonList(explained(a, b)));
    return [...out, ...answered(a, b)];
  }

  /** What `causes` says in both directions, and `confounded`, with their reasons. */
  function answered(a, b) {
    const title = made("h3", {}, "Does one cause the other?"), row = answers.get(key(a, b));
    if (!row) return [title, made("p", {}, `With this many variables, the report answers this ${answers.size ? "for edges only" : "not at all"}; found.causes and found.confounded in Python answer it for all.`)];
    const [, , forth, whyForth, back, whyBack, both, whyBoth, turned] = row;
    const said = (question, answer, reason) => made("p", {}, ...spoken(question), made("strong", {}, answer), ...spoken(` (${reason})`));
    const ways = [[row[0], row[1], forth, whyForth], [row[1], row[0], back, whyBack]];
    return [title, ...(row[0] === a ? ways : ways.reverse()).map(([x, y, answer, reason]) => said(`${content.names[x]} causes ${content.names[y]}: `, answer, reason)),
      made("h3", {}, "Does something unmeasured cause both?"), said("", both, row[0] === a ? whyBoth : turned || whyBoth)];
  }

  function evidence(a, b, edge) {
    const row = decided.get(key(a, b));
    if (!row) return [];
    const [, , p, statistic, df, given] = row;
    const facts = made("dl");
    const fact = (what, value) => facts.append(made("dt", {}, what), made("dd", {}, value));
    if (p !== null) fact(edge ? "Largest p-value" : asks ? "p-value" : "p-value of this in the data", (p === 0 ? "below 1e-300" : number(p)) + (content.alpha === null ? "" : ` (alpha ${number(content.alpha)})`));
    if (statistic !== null) fact("Statistic", number(statistic) + (df ? `, ${number(df)} ${df === 1 ? "degree" : "degrees"} of freedom` : ""));
    if (given !== null) {
      const chips = made("ul", { className: "chips" });
      for (const v of given) chips.append(made("li", { className: "chip", dir: "auto" }, content.names[v]));
      fact(edge ? "Closest to independent given" : asks ? "Separated by" : "Independent by the graph, given", given.length ? chips : "nothing");
    }
    return facts.children.length ? [facts] : [];
  }

  /** The share of resamples with an edge here, and with each mark at its ends. */
  function agreement(a, b) {
    if (!content.resampled || !content.resampled.repeats) return [];
    const { edge, at } = frequency(a, b);
    const list = made("ul", { className: "agreement" });
    [a, b].forEach((v, side) => {
      const marks = ["circle", "arrowhead", "tail"].map((name, k) => [name, at[side][k]]).filter(([, count]) => count).sort((x, y) => y[1] - x[1]);
      if (marks.length) list.append(made("li", {}, ...spoken(`at ${content.names[v]}: ${marks.map(([name, count]) => `${name} in ${percent(count)}`).join(", ")}`)));
    });
    return [made("h3", {}, "How stable it is"), made("p", {}, `An edge in ${percent(edge)} of ${counted(content.resampled.repeats, "resample")}.`), ...(list.children.length ? [list] : [])];
  }

  function reasonList(steps) {
    const top = made("ul", { className: "why" });
    const levels = [top];
    for (const step of steps) {
      levels.length = step.depth + 1;
      const nodes = step.nodes.length > 0;
      const line = made(nodes ? "button" : "p", nodes ? { type: "button", className: "step" } : { className: "step" }, ...spoken(step.text));
      if (nodes) {
        line.setAttribute("aria-pressed", "false");
        line.addEventListener("click", () => {
          for (const other of top.querySelectorAll("[aria-pressed]")) other.setAttribute("aria-pressed", String(other === line));
          light(step.nodes, step.path ? [step] : [], step.given || []);
          draw();
        });
      }
      const inner = made("ul");
      const item = made("li", {}, line, inner);
      levels[step.depth].append(item);
      levels.push(inner);
    }
    for (const list of top.querySelectorAll("ul")) if (!list.children.length) list.remove();
    return top;
  }

  // ---- stages, neighbourhoods, search -------------------------------------------------------------------------------------------

  const slider = byId("stage");
  slider.max = last;
  slider.value = last;
  byId("stages").hidden = last === 0;

  const scored = (score) => (score === null ? "" : score.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

  function goTo(stage) {
    state.stage = stage;
    const { name, questions, score, edges } = content.stages[stage];
    const gone = asks && stage ? content.stages[stage - 1].edges.length - edges.length : 0;
    const how = asks ? `, ${counted(questions, "question")}` : score === null ? "" : `, ${content.score} ${scored(score)}`;
    byId("stage-name").textContent = `${name}: ${counted(edges.length, "edge")}` + (gone > 0 ? `, ${gone.toLocaleString("en")} fewer than before (dashed)` : gone < 0 ? `, ${(-gone).toLocaleString("en")} more than before` : "") + how;
    slider.setAttribute("aria-valuetext", byId("stage-name").textContent);
    if (state.focus !== null) { arrange(); view = null; }
    describeSelection();
    draw();
  }
  slider.addEventListener("input", () => goTo(Number(slider.value)));

  function focusOn(v) {
    state.focus = v;
    if (!state.chosen.includes(v)) state.chosen = [v];
    arrange();
    view = null;
    byId("whole").hidden = byId("steps-label").hidden = false;
    show();
  }

  function leaveFocus() {
    state.focus = null;
    arrange();
    view = null;
    byId("whole").hidden = byId("steps-label").hidden = true;
  }
  byId("whole").addEventListener("click", () => { leaveFocus(); draw(); });
  byId("steps").addEventListener("change", (event) => { state.steps = Number(event.target.value); arrange(); view = null; draw(); });

  const search = byId("search"), matches = byId("matches");
  search.addEventListener("input", () => {
    const query = search.value.trim().toLowerCase();
    const found = query ? content.names.map((name, v) => [name.toLowerCase().indexOf(query), v]).filter(([place]) => place >= 0) : [];
    found.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    matches.replaceChildren(...found.slice(0, 12).map(([, v]) => {
      const button = made("button", { type: "button", dir: "auto" }, content.names[v]);
      button.addEventListener("click", () => { matches.hidden = true; search.value = ""; chooseOne(v); focusOn(v); });
      return made("li", {}, button);
    }));
    if (query && !found.length) matches.append(made("li", {}, "no such variable"));
    matches.hidden = !query;
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { const top = matches.querySelector("button"); if (top && !matches.hidden) top.click(); event.preventDefault(); }
    if (event.key === "Escape") matches.hidden = true;
  });
  document.addEventListener("click", (event) => { if (!event.target.closest(".find")) matches.hidden = true; });

  for (const select of [byId("first"), byId("second")]) {
    select.append(made("option", { value: "" }, "–"), ...content.names.map((name, v) => made("option", { value: String(v) }, name)));
    select.addEventListener("change", () => {
      const [a, b] = [byId("first").value, byId("second").value];
      if (a !== "" && b !== "" && a !== b) choose(Number(a), Number(b));
      else if (a !== "" || b !== "") chooseOne(Number(a !== "" ? a : b));
      else clear();
    });
  }
  byId("pair").addEventListener("submit", (event) => event.preventDefault());

  // ---- the table ------------------------------------------------------------------------------------------------------------------

  const written = (row) => edgeAt(last, row[0], row[1]);
  const confounded = (row) => (answers.get(key(row[0], row[1])) || [])[6] || "";
  const COLUMNS = [
    ["Variable", (row) => row[0]], ["Edge", (row) => written(row) || "~"], ["Variable", (row) => row[1]], ["p-value", (row) => row[2] ?? 2],
    ["Statistic", (row) => (row[3] === null ? -1 : Math.abs(row[3]))], ["Given", (row) => (row[5] === null ? -1 : row[5].length)], ...(asks ? [["Radius", (row) => row[6] ?? -1]] : []),
    ...(content.weighed ? [["Evidence", (row) => weighed.get(key(row[0], row[1])) ?? -Infinity]] : []),
  ];
  if (answers.size) COLUMNS.push(["Confounded", (row) => confounded(row) || "~", "Whether something unmeasured causes both"]);
  if (resamples) COLUMNS.push(["In resamples", (row) => edgeShare(row), counts ? "The share of resamples with an edge here; after the dot, with the mark at the first and at the second variable as it is written" : "The share of resamples with an edge here"]);
  const sorting = { column: 0, down: false };
  const order = [...content.pairs];

  const heads = COLUMNS.map(([name, , title], column) => {
    const button = made("button", { type: "button", title: title || "" }, name);
    const head = made("th", { scope: "col" }, button);
    button.addEventListener("click", () => { sorting.down = sorting.column === column && !sorting.down; sorting.column = column; state.rows = ROWS; sort(); table(); });
    return head;
  });
  byId("table").querySelector("thead tr").append(...heads, made("th", { scope: "col" }, "Reasons"));

  function sort() {
    const of = COLUMNS[sorting.column][1], sign = sorting.down ? -1 : 1;
    const rank = new Map(order.map((row) => [row, of(row)]));
    order.sort((one, other) => {
      const [x, y] = [rank.get(one), rank.get(other)];
      return sign * (x < y ? -1 : x > y ? 1 : 0) || one[0] - other[0] || one[1] - other[1];
    });
    heads.forEach((head, column) => {
      if (column === sorting.column) head.setAttribute("aria-sort", sorting.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }

  function table() {
    const only = byId("only").value, query = byId("filter").value.trim().toLowerCase();
    const rows = order.filter((row) => (only === "all" || (!designed.has(key(row[0], row[1])) && (written(row) !== undefined) === (only === "edges")))
      && (!query || content.names[row[0]].toLowerCase().includes(query) || content.names[row[1]].toLowerCase().includes(query)));
    byId("table").querySelector("tbody").replaceChildren(...rows.slice(0, state.rows).map(tableRow));
    byId("count").textContent = `${rows.length.toLocaleString("en")} of ${counted(order.length, "pair")}` + (content.allPairs ? "" : " (edges, and what their marks rest on)");
    byId("more").hidden = rows.length <= state.rows;
  }

  /** The shares of resamples with the marks of an edge, as it is written from a to b; empty without a bootstrap or an edge. */
  function markShares(a, b) {
    const edge = graphs[last].get(key(a, b));
    if (!counts || !edge) return "";
    const { at: found } = frequency(a, b), marks = edge[0] === a ? [edge[2], edge[3]] : [edge[3], edge[2]];
    return ` · ${marks.map((mark, side) => percent(found[side][mark - 1])).join(" ")}`;
  }

  function tableRow(row) {
    const [a, b, p, statistic, , given, radius] = row;
    const edge = written(row);
    const button = made("button", { type: "button", "aria-label": `Why: ${content.names[a]} and ${content.names[b]}` }, "Why?");
    button.addEventListener("click", () => { choose(...inWritten(a, b)); byId("details").focus(); });
    return made("tr", {}, made("td", { dir: "auto" }, content.names[a]), made("td", {}, ...(edge ? [small(edge)] : [designed.has(key(a, b)) ? "by design" : "none"])), made("td", { dir: "auto" }, content.names[b]),
      made("td", { className: "number" }, number(p)), made("td", { className: "number" }, number(statistic)),
      made("td", { dir: "auto" }, given === null ? "" : given.length ? given.map((v) => content.names[v]).join(", ") : "nothing"), ...(asks ? [made("td", { className: "number" }, radius === null ? "" : String(radius))] : []),
      ...(content.weighed ? [made("td", { className: "number" }, number(weighed.get(key(a, b)) ?? null))] : []),
      ...(answers.size ? [made("td", {}, designed.has(key(a, b)) ? "" : confounded(row))] : []),
      ...(resamples ? [made("td", { className: "number" }, designed.has(key(a, b)) ? "" : inPercent(edgeShare(row)) + markShares(a, b))] : []), made("td", {}, button));
  }

  byId("only").addEventListener("change", () => { state.rows = ROWS; table(); });
  byId("filter").addEventListener("input", () => { state.rows = ROWS; table(); });
  byId("more").addEventListener("click", () => { state.rows += 5 * ROWS; table(); });

  if (resamples) {
    byId("resampled").hidden = byId("fade").hidden = false;
    byId("resampled").textContent = counts
      ? `In resamples, the last column of the table and part of the text about a chosen edge: how often it was found in ${content.resampled.drawn}; after the dot, how often with the mark at the first and at the second variable as it is written. A frequency tells how stable an answer is, not how probable it is that it is true.`
      : `In resamples, the last column of the table: how many of ${content.certainty.repeats} resamples of the rows have an edge there.`;
    byId("fade").addEventListener("click", () => {
      state.fade = !state.fade;
      byId("fade").setAttribute("aria-pressed", String(state.fade));
      draw();
    });
  }

  // ---- the rest of the page ---------------------------------------------------------------------------------------------------------

  byId("state").textContent = content.state.charAt(0).toUpperCase() + content.state.slice(1) + ".";
  byId("state").after(...content.belief.map((sentence) => made("p", { className: "belief" }, sentence)));
  for (const [what, value] of content.facts) byId("facts").append(made("dt", {}, what), made("dd", {}, ...spoken(value)));
  if (content.check) {
    const { lines, fit: fitted, denied, count } = content.check, part = byId("check-denied");
    byId("check").hidden = false;
    part.hidden = !denied.length;
    byId("check-lines").append(...lines.map((line) => made("p", {}, ...spoken(line))));
    for (const [what, value] of fitted) byId("check-fit").append(made("dt", {}, what), made("dd", {}, ...spoken(value)));
    byId("check-fit").hidden = !fitted.length;
    part.querySelector("caption").textContent = denied.length < count ? `The ${denied.length} worst of ${counted(count, "denied dependence")}` : "Denied dependences";
    part.querySelector("tbody").append(...denied.map(([a, b, p]) => made("tr", {}, made("td", { dir: "auto" }, a), made("td", { dir: "auto" }, b), made("td", { className: "number" }, number(p)))));
  }
  /** Sentences as items of a list, each with a button that shows its pairs in the graph. */
  function toldItems(rows) {
    return rows.map(([label, text, pairs]) => {
      const item = made("li", {}, made("span", {}, ...(label ? [made("strong", {}, label), ": "] : []), ...spoken(text)));
      if (pairs.length) {
        const button = made("button", { type: "button", "aria-label": `Show in the graph: ${pairs.map((pair) => pair.map((v) => content.names[v]).join(" and ")).join(", ")}` }, "Show in the graph");
        button.addEventListener("click", () => {
          if (pairs.length === 1) choose(...inWritten(...pairs[0]));
          else { state.chosen = []; light(pairs.flat(), pairs.map((nodes) => ({ nodes })), []); show(); }
          byId("graph").scrollIntoView({ block: "start" });
        });
        item.append(" ", button);
      }
      return item;
    });
  }
  if (content.warned.given.length || content.warned.count) {
    const { given, conflicts, count } = content.warned;
    byId("warned").hidden = false;
    byId("warnings").hidden = !given.length;
    byId("warnings").append(...toldItems(given));
    byId("conflicts").hidden = !count;
    byId("conflict-count").textContent = `${counted(count, "proposal")} of rules ${count === 1 ? "was" : "were"} refused, so such marks stay open` + (conflicts.length < count ? `; the first ${conflicts.length}:` : ".");
    byId("conflict-list").append(...toldItems(conflicts.map(([text, pairs]) => ["", text, pairs])));
  }
  if (content.knowledge) {
    const { statements, count, contradicted } = content.knowledge;
    byId("knowledge").hidden = false;
    statements.forEach(([kind, text], k) => byId("statements").append(...(k && statements[k - 1][0] === kind ? [] : [made("dt", {}, kind)]), made("dd", {}, ...spoken(text))));
    byId("statement-count").textContent = counted(count, "statement") + (statements.length < count ? `, of which these are the first ${statements.length}.` : ".");
    byId("contradicted").hidden = !contradicted.length;
    byId("contradictions").append(...toldItems(contradicted.map(([text, pairs]) => ["", text, pairs])));
  }
  if (content.columns.length) {
    byId("columns").hidden = false;
    byId("columns").querySelector("tbody").append(...content.columns.map(([name, kind, given]) => made("tr", {}, made("td", { dir: "auto" }, name), made("td", {}, kind), made("td", {}, given ? "given" : "the data"))));
  }
  if (content.acting) {
    byId("acting").hidden = false;
    byId("acting-title").textContent = content.acting.title;
    byId("acting-lines").append(...content.acting.lines.map((line) => made("p", {}, ...spoken(line))));
  }
  byId("effects").hidden = !content.effects.length;
  for (const { query, identified, lines, because } of content.effects) {
    const button = made("button", { type: "button", "aria-label": `Show what is in the way of ${query}` }, "Show in the graph");
    button.addEventListener("click", () => {
      state.chosen = [];
      light(because.flat(), because.map((nodes) => ({ nodes })), []);
      show();
      byId("graph").scrollIntoView({ block: "start" });
    });
    byId("asked").append(made("section", { className: identified ? "asked" : "asked refused" }, made("h3", { dir: "auto" }, query),
      ...lines.map((line) => made("p", {}, ...spoken(line))), ...(because.length ? [button] : [])));
  }
  for (const [name, value] of Object.entries(content.settings)) byId("settings").append(made("dt", {}, name), made("dd", {}, value));
  byId("settings").append(made("dt", {}, "fingerprint of the data"), made("dd", {}, content.fingerprint));
  if (!asks) ["Step", content.score, "Edges"].forEach((name, k) => { byId("history").tHead.rows[0].cells[k].textContent = name; });
  for (const stage of content.stages) {
    byId("history").tBodies[0].append(made("tr", {}, made("td", {}, stage.name), made("td", { className: "number" }, asks ? stage.questions.toLocaleString("en") : scored(stage.score)), made("td", { className: "number" }, stage.edges.length.toLocaleString("en"))));
  }
  for (const [edge, sentence] of content.lessons) {
    const kind = { latest: "", copy: "copy", early: "copy early", visible: "visible" }[edge];
    const example = kind !== undefined ? small(edge === "visible" ? "-->" : "---", kind) : edge === "boxes" ? boxShapes() : edge === "pointed" ? drawn("svg", { width: 58, height: 18, "aria-hidden": "true" }, pointedBox(29, 9, 36, 16)) : edge ? small(edge) : drawn("svg", { width: 58, height: 14, "aria-hidden": "true" });
    byId("lessons").append(made("p", {}, example, made("span", {}, sentence)));
  }
  if (content.command) byId("commands").append(made("p", {}, "On the command line:"), made("pre", { tabIndex: 0 }, content.command));
  byId("commands").append(made("p", {}, "In Python:"), made("pre", { tabIndex: 0 }, "import ancestral as an\n" + content.call));
  byId("made").textContent = `Made by ${content.made_by}. This page needs no network.`;

  const root = document.documentElement;
  function theme(name) {
    root.dataset.theme = name;
    byId("theme").textContent = name === "dark" ? "Light" : "Dark";
  }
  theme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  byId("theme").addEventListener("click", () => theme(root.dataset.theme === "dark" ? "light" : "dark"));
  byId("print").addEventListener("click", () => window.print());
  let beforePrint = "light";
  window.addEventListener("beforeprint", () => { beforePrint = root.dataset.theme; theme("light"); fit(); });
  window.addEventListener("afterprint", () => { theme(beforePrint); open(); });
  byId("zoom-in").addEventListener("click", () => zoom(0.8));
  byId("zoom-out").addEventListener("click", () => zoom(1.25));
  byId("fit").addEventListener("click", fit);
  window.addEventListener("resize", () => { size(); open(); });

  /** The picture as an SVG document of its own: the whole graph in its own size, with style rules and plain colours. */
  function asFile() {
    const [x, y, w, h] = bounds();
    const out = picture.cloneNode(true);
    for (const hit of out.querySelectorAll(".hit")) hit.remove();
    for (const one of out.querySelectorAll("[role], [tabindex]")) for (const name of ["role", "tabindex", "aria-label"]) one.removeAttribute(name);
    for (const name of ["id", "role", "aria-labelledby", "aria-describedby", "class", "style"]) out.removeAttribute(name);
    out.setAttribute("viewBox", [x, y, w, h].map((value) => value.toFixed(1)).join(" "));
    out.setAttribute("width", w.toFixed(0));
    out.setAttribute("height", h.toFixed(0));
    const rules = document.querySelector("style").textContent.split("/* the picture;")[1].split("*/")[1].split("@media")[0];
    const values = getComputedStyle(root);
    const style = drawn("style");
    style.textContent = rules.replace(/var\((--[\w-]+)\)/g, (_, name) => values.getPropertyValue(name).trim());
    out.prepend(style, drawn("rect", { x: x.toFixed(1), y: y.toFixed(1), width: w.toFixed(1), height: h.toFixed(1), fill: values.getPropertyValue("--card").trim() }));
    return new XMLSerializer().serializeToString(out);
  }
  byId("export").addEventListener("click", () => {
    const link = made("a", { download: "graph.svg", href: URL.createObjectURL(new Blob([asFile()], { type: "image/svg+xml" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

  sort();
  table();
  arrange();
  size();
  goTo(last);
  show();
})();
