/* The state of the project, which the server keeps, and the calls that change it. Calls that write are sent one after
   the other, each with the version of the state that it was made from; a state that was changed elsewhere is taken over. */

/** Where the page is: everything is asked relative to it, so that the secret in the address is never written down here. */
const base = new URL(".", document.baseURI);
export const address = (path) => new URL(path, base).href;

/** The server refuses: the message is its sentence. */
export class Refused extends Error {
  constructor(message, status, answer) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

/** The server does not answer. */
export class Gone extends Error {}

const listeners = [];
export const store = { state: null, describe: null, describing: false, choices: null };
let confirmed = null; // the last state that the server told, without edits that are on their way
let pending = 0;
let queue = Promise.resolve();

export function onChange(listener) {
  listeners.push(listener);
}

export function changed() {
  for (const listener of listeners) listener(store);
}

let tell = () => {};
let connection = () => {};

/** Set who is told about errors (`say`), and whether the server answers (`reached`). */
export function reports({ say, reached }) {
  tell = say;
  connection = reached;
}

async function answered(response) {
  let answer = null;
  try {
    answer = await response.json();
  } catch {
    // an answer without JSON is described by its status
  }
  if (!response.ok) {
    const message = answer && typeof answer.error === "string" ? answer.error : `The server answered with status ${response.status}.`;
    throw new Refused(message, response.status, answer);
  }
  return answer;
}

export async function get(path) {
  let response;
  try {
    response = await fetch(address(path), { cache: "no-store" });
  } catch {
    throw new Gone("The studio does not answer.");
  }
  return answered(response);
}

async function send(path, body, version) {
  let response;
  try {
    response = await fetch(address(path), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ...body, version }) });
  } catch {
    throw new Gone("The studio does not answer; this change was not saved.");
  }
  return answered(response);
}

const about = (state) => state && JSON.stringify([state.data, state.options, state.knowledge]);

function take(state) {
  if (!state || typeof state.version !== "number") return false;
  if (confirmed && state.version < confirmed.version) return false;
  confirmed = state;
  if (pending === 0) {
    store.state = structuredClone(state);
    changed();
  }
  return true;
}

/** Send a change; returns the answer, or null after telling why it was refused. `edit` shows its result at once. */
export function write(path, body, edit) {
  if (edit && store.state) {
    edit(store.state);
    pending += 1;
    changed();
  } else {
    pending += 1;
  }
  const work = queue.then(async () => {
    try {
      const before = confirmed;
      let answer;
      try {
        answer = await send(path, body, before ? before.version : 0);
      } catch (error) {
        const state = error instanceof Refused && error.status === 409 && error.answer && error.answer.state;
        if (!state) throw error;
        take(state);
        // only a search has ended or the like: nothing that this change could tread on
        if (about(state) !== about(before)) throw error;
        answer = await send(path, body, state.version);
      }
      pending -= 1;
      if (answer && typeof answer.version === "number") take(answer);
      else await refresh();
      return answer || {};
    } catch (error) {
      pending -= 1;
      if (error instanceof Gone) connection(false);
      if (error instanceof Refused && error.status === 409 && error.answer && error.answer.state) {
        tell("The project was changed in another tab. You now see its new state; your last change was not made.");
      } else {
        tell(error.message);
      }
      if (confirmed && pending === 0) {
        store.state = structuredClone(confirmed);
        changed();
      }
      return null;
    }
  });
  queue = work;
  return work;
}

/** A question that changes nothing: returns the answer, or throws. */
export const ask = (path, body) => send(path, body, confirmed ? confirmed.version : 0);

export async function refresh() {
  const state = await get("api/state");
  confirmed = null;
  take(state);
}

/** Send a file; `progress` is told the share that was sent. XMLHttpRequest, since fetch does not tell how far it is. */
export function upload(file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address(`api/data?name=${encodeURIComponent(file.name)}`));
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", (event) => event.lengthComputable && progress(event.loaded / event.total));
    request.addEventListener("load", () => {
      let answer = null;
      try {
        answer = JSON.parse(request.responseText);
      } catch {
        // described by its status
      }
      if (request.status >= 200 && request.status < 300) {
        if (!take(answer)) refresh().then(() => resolve(answer), reject);
        else resolve(answer);
      } else {
        reject(new Refused((answer && answer.error) || `The file was not accepted (status ${request.status}).`, request.status, answer));
      }
    });
    request.addEventListener("error", () => reject(new Gone("The file could not be sent: the connection to the studio broke off. It may be too large, or the studio was closed.")));
    request.send(file);
  });
}

/** Milliseconds between two looks at a search that runs. */
const PAUSE = 50;

const asleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const visible = () =>
  document.visibilityState === "visible"
    ? Promise.resolve()
    : new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));

/** Follow the project for ever, as far as somebody looks at it: a browser keeps few connections, and each tab needs one. */
export async function follow() {
  let lost = true;
  let heard = 0;
  for (;;) {
    await visible();
    try {
      const state = await get(lost ? "api/state" : `api/state?after=${confirmed.version}&news=${heard}`);
      if (lost) confirmed = null; // a server that was started again counts anew
      lost = false;
      heard = state.news;
      connection(true);
      take(state);
      if (state.job) await asleep(PAUSE);
    } catch (error) {
      lost = true;
      connection(false, error);
      await asleep(1000);
    }
  }
}

// ---- what depends on the data and the options ------------------------------------------------------------------------

let described = null;

/** Ask for a description of the data when what it depends on has changed. */
export async function describe() {
  const { state } = store;
  if (!state) return;
  const { kinds, missing, na, drop, weights, clusters } = state.options;
  const wanted = state.data ? JSON.stringify([state.data, kinds, missing, na, drop, weights, clusters]) : null;
  if (wanted === described || pending > 0) return;
  described = wanted;
  if (wanted === null) {
    store.describe = null;
    changed();
    return;
  }
  store.describing = true;
  changed();
  let answer;
  try {
    answer = await get("api/describe");
  } catch (error) {
    answer = { rows: null, columns: [], advice: [], errors: [error.message], refused: null, variables: [] };
    if (error instanceof Gone) described = null;
  }
  if (described === wanted || described === null) {
    store.describe = { ...answer, of: wanted };
    store.describing = false;
    changed();
  }
}
