// @ts-check
// Files that are dropped or chosen go to the worker, and its report to the page.
"use strict";

{
  const area = /** @type {HTMLElement} */ (document.getElementById("drop"));
  const progress = /** @type {HTMLElement} */ (document.getElementById("progress"));
  const choose = /** @type {HTMLInputElement} */ (document.getElementById("choose"));
  const root = /** @type {HTMLElement} */ (document.getElementById("page"));
  const textOf = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";

  /** The module, which the page holds in gzip, four bytes in five digits (assemble.mjs). */
  async function unpacked() {
    const text = textOf("module"), packed = new DataView(new ArrayBuffer(text.length / 5 * 4));
    for (let digit = 0, byte = 0; digit < text.length; byte += 4) {
      let number = 0;
      for (const end = digit + 5; digit < end; ++digit) {
        const code = text.charCodeAt(digit);
        number = number * 85 + (code === 118 ? 27 : code - 33);
      }
      packed.setUint32(byte, number);
    }
    const size = Number(document.getElementById("module")?.dataset.size);
    return new Response(new Blob([packed.buffer.slice(0, size)]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }

  const code = URL.createObjectURL(new Blob([textOf("worker")], {type: "text/javascript"}));
  // The policy of the page lets this one address be a script.
  const types = /** @type {*} */ (window).trustedTypes;
  const address = types ? types.createPolicy("tracelint-worker", {createScriptURL: () => code}).createScriptURL("") : code;
  /** @type {?Worker} */ let worker = null;
  /** @type {?Promise<Worker>} */ let starting = null;
  let pending = 0;  // reports that are to come

  function fail(/** @type {string} */ message) {
    progress.className = "failed";
    progress.textContent = message;
    // A worker that has failed is not used again.
    worker?.terminate();
    worker = starting = null;
    pending = 0;
  }

  /** Gives the user a file to keep. */
  function download(/** @type {Uint8Array} */ data, /** @type {string} */ name) {
    const address = URL.createObjectURL(new Blob([data], {type: "application/octet-stream"}));
    const link = el("a", {href: address, download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  // What is broken can be salvaged.
  actionsFor = (file) => file.format && file.counts[2] > 0
    ? [el("button", {class: "small", id: "salvage", onclick: () => ask({salvage: file.path}, `Salvaging ${file.path} …`)},
          "Download the part without errors")]
    : [];
  // What is true of a file as a whole has no example that would be smaller.
  actionsForFinding = (file, {rule, offset}) => file.format && !rule.in_container
    ? [el("button", {class: "small", id: "shrink", title: "A file of a few bytes that has this finding",
                     onclick: () => ask({shrink: {path: file.path, keep: `${rule.id}@${offset}`}}, `Shrinking ${file.path} …`)},
          "Download the smallest example")]
    : [];

  async function start() {
    const started = worker = new Worker(address);
    worker.onmessage = ({data}) => {
      if (data.failure) return fail(data.failure);
      // An answer that another one is to follow leaves the word of that.
      if (--pending === 0) progress.className = progress.textContent = "";
      if (data.made) return download(data.made, data.name);
      if (data.refusal) return void (progress.textContent = data.refusal);
      area.dataset.state = "shown";
      history.replaceState(null, "", "#");
      render(JSON.parse(data.report), root);
    };
    worker.onerror = (event) => fail(`The check could not be run: ${event.message}`);
    started.postMessage({module: await unpacked()});
    return started;
  }

  /**
   * Asks the worker for something, and says so until it is there.
   * @param {object} message
   * @param {string} words
   */
  async function ask(message, words) {
    progress.className = "";
    progress.textContent = words;
    ++pending;
    try {
      (await (starting ??= start())).postMessage(message);
    } catch (error) {
      fail(`The check could not be started: ${error}`);
    }
  }

  /** @param {FileList|File[]} files */
  function check(files) {
    if (files.length === 0) return;
    ask({files: [...files]}, files.length === 1 ? `Checking ${files[0].name} …` : `Checking ${files.length} files …`);
  }

  choose.addEventListener("change", () => {
    check([...choose.files ?? []]);
    choose.value = "";
  });
  // Files may be dropped anywhere: the browser would open them in place of the page.
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) area.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    check(event.dataTransfer?.files ?? []);
  });
}
