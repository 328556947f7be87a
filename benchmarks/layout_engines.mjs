// Lays out the graphs of graphs.json with ELK, dagre and Graphviz; `python -m benchmarks.layout_engines` runs it.
import fs from "fs";
import ELK from "elkjs";
import dagre from "@dagrejs/dagre";
import { Graphviz } from "@hpcc-js/wasm-graphviz";

const graphviz = await Graphviz.load();

async function byElk({ sizes, edges }) {
  const found = await new ELK().layout({
    id: "graph",
    layoutOptions: {
      "elk.algorithm": "layered", "elk.edgeRouting": "SPLINES", "elk.aspectRatio": "1.6",
      "elk.layered.wrapping.strategy": "MULTI_EDGE", "elk.layered.spacing.nodeNodeBetweenLayers": "60",
    },
    children: sizes.map(([width, height], i) => ({ id: `n${i}`, width, height })),
    edges: edges.map(([a, b], i) => ({ id: `e${i}`, sources: [`n${a}`], targets: [`n${b}`] })),
  });
  const points = ({ startPoint, bendPoints, endPoint }) => [startPoint, ...(bendPoints || []), endPoint].map(({ x, y }) => [x, y]);
  return {
    boxes: found.children.map(({ x, y, width, height }) => [x, y, width, height]),
    curves: found.edges.map(({ sections }) => points(sections[0])),
    kind: "cubic",
  };
}

async function byDagre({ sizes, edges }) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", ranksep: 60, nodesep: 26 });
  graph.setDefaultEdgeLabel(() => ({}));
  sizes.forEach(([width, height], i) => graph.setNode(`n${i}`, { width, height }));
  edges.forEach(([a, b]) => graph.setEdge(`n${a}`, `n${b}`));
  dagre.layout(graph);
  const nodes = sizes.map((_, i) => graph.node(`n${i}`));
  return {
    boxes: nodes.map(({ x, y, width, height }) => [x - width / 2, y - height / 2, width, height]),
    curves: edges.map(([a, b]) => graph.edge(`n${a}`, `n${b}`).points.map(({ x, y }) => [x, y])),
    kind: "straight",
  };
}

async function byGraphviz({ sizes, edges }) {
  const nodes = sizes.map(([width, height], i) => `n${i}[width=${width / 72} height=${height / 72}]`);
  const arrows = edges.map(([a, b], i) => `n${a}->n${b}[arrowhead=none id=e${i}]`);
  const text = `digraph{rankdir=LR;nodesep=.36;ranksep=.8;node[shape=box fixedsize=true label=""];${[...nodes, ...arrows].join(";")}}`;
  const found = JSON.parse(graphviz.layout(text, "json", "dot"));
  const places = new Map(found.objects.map(({ name, pos }) => [name, pos.split(",").map(Number)]));
  const curves = new Map(found.edges.map(({ id, pos }) => [id, pos.split(" ").map((point) => point.split(",").map(Number))]));
  return {
    boxes: sizes.map(([width, height], i) => [places.get(`n${i}`)[0] - width / 2, places.get(`n${i}`)[1] - height / 2, width, height]),
    curves: edges.map((_, i) => curves.get(`e${i}`)),
    kind: "cubic",
  };
}

const out = [];
for (const graph of JSON.parse(fs.readFileSync("graphs.json"))) {
  const row = {};
  for (const [name, layout] of [["ELK", byElk], ["dagre", byDagre], ["Graphviz dot", byGraphviz]]) {
    const start = performance.now();
    row[name] = await layout(graph);
    row[name].milliseconds = performance.now() - start;
  }
  out.push(row);
}
fs.writeFileSync("layouts.json", JSON.stringify(out));
