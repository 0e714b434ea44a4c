// @ts-check
// The report as data, and helpers that all parts of the page share. The page builds its elements from text nodes and
// never from markup, so that no string of a trace can become an element.
"use strict";

/**
 * A rule that a finding of the report names. `in_container`: its offsets count in the compressed file.
 * @typedef {{id: string, severity: number, statement: string, why: string, spec: string, since: string,
 *   in_container: boolean, example: string}} Rule
 */
/**
 * A finding: index of the rule, severity (0 note, 1 warning, 2 error), offset, length, field or "", sentence; then
 * what differs from the rule's own explanation or "", the related place, and the path of the other file that has it, if
 * there are any.
 * @typedef {[number, number, number, number, string, string, string?, ([number, number]|null)?, string?]} FindingRow
 */
/**
 * A text, or its index in CheckReport.strings.
 * @typedef {string|number} SharedText
 */
/**
 * A field: offset from the start of the close-up, length, name, value, what the value means or "", and the element of a
 * list that it belongs to, if it does. Values are texts, since numbers of 64 bits do not fit into those of JavaScript.
 * @typedef {[number, number, SharedText, string, SharedText, string?]} FieldRow
 */
/**
 * A record in a close-up: name, offset, length, index or -1, fields that the close-up shows.
 * @typedef {[SharedText, number, number, number, FieldRow[]]} RecordRow
 */
/**
 * Bytes around findings: offset, bytes in hex, the records there, and whether the offset counts in the compressed file.
 * @typedef {[number, string, RecordRow[], boolean?]} CloseUp
 */
/**
 * One checked file. `counts` by severity; `recording` says what a recording shows, `pairings` what it has in common with
 * others; `readers` what each reader does with it, with its severity (-1: no harm); `bytes` says why no bytes are shown; `map`
 * has length, kind (-1: no record) and records of each stretch; `spread` has a width, and for each severity which parts of
 * the file, of this width, have how many findings, listed or not; `total` counts findings, close-ups and maps before any
 * were left out.
 * @typedef {{path: string, format: string, format_version: ?number, byte_order: ?string, word_size: ?number,
 *   container: string, size: ?number, verdict: string, failure: string, counts: [number, number, number],
 *   not_shown: [string, number][], recording: string, pairings: string[], readers: [number, string][],
 *   statistics: [string, number][], bytes: string,
 *   kinds: [string, number, number][], map: [number, number, number][], map_note: string, findings: FindingRow[],
 *   spread: [number, [number, number][], [number, number][], [number, number][]]|[],
 *   close_ups: CloseUp[], total: [number, number, number]}} FileReport
 */
/**
 * Everything that the page shows.
 * @typedef {{schema: number, tool: {name: string, version: string}, rules: Rule[], strings: string[],
 *   files: FileReport[],
 *   summary: {counts: [number, number, number], files: number, clean: number, with_findings: number, unreadable: number, skipped: number,
 *     incomplete: string, not_checked: number}}} CheckReport
 */

/**
 * A finding as the page uses it.
 * @typedef {{rule: Rule, severity: number, offset: number, length: number, field: string, message: string,
 *   help: string, related: ?[number, number], other: string, hash: string, text: string}} Finding
 */

const SEVERITIES = ["note", "warning", "error"];
/** Shapes, so that colour is not the only mark of a severity. */
const MARKS = ["●", "◆", "▲"];

/**
 * Creates an element. Properties that begin with "on" are listeners, all others are attributes; null and false ones
 * are left out.
 * @param {string} tag
 * @param {Object<string, any>} [properties]
 * @param {...(Node|string|null)} children
 * @returns {HTMLElement}
 */
function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** @param {number} offset */
function hex(offset) {
  return "0x" + offset.toString(16);
}

/**
 * @param {number} count
 * @param {string} noun
 */
function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** @param {number} bytes */
function byteSize(bytes) {
  if (bytes < 10000) return counted(bytes, "byte");
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let scaled = bytes / 1024, unit = 0;
  for (; scaled >= 1000 && unit + 1 < units.length; ++unit) scaled /= 1024;
  return `${scaled.toFixed(1)} ${units[unit]}`;
}

/**
 * A severity as a word with its mark.
 * @param {number} severity
 */
function badge(severity) {
  return el("span", {class: `badge ${SEVERITIES[severity]}`}, el("span", {"aria-hidden": "true"}, MARKS[severity]),
            ` ${SEVERITIES[severity]}`);
}

/**
 * The verdict on a file as a badge: the worst that matters, or "ok".
 * @param {FileReport} file
 */
function verdictOf(file) {
  if (file.failure) return el("span", {class: "badge error"}, el("span", {"aria-hidden": "true"}, MARKS[2]), " unreadable");
  if (file.counts[2] > 0) return badge(2);
  if (file.counts[1] > 0) return badge(1);
  return el("span", {class: "badge ok"}, el("span", {"aria-hidden": "true"}, "✔"), " ok");
}

/**
 * The folder that all paths are in, with its slash; empty if they have none in common.
 * @param {string[]} paths
 */
function commonFolder(paths) {
  let [folder] = paths;
  for (const path of paths)
    while (!path.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder.slice(0, folder.lastIndexOf("/") + 1);
}

/**
 * Puts a text where the user can paste it from. Where the page may not, it selects the text for the user to copy.
 * @param {string} text
 * @returns {Promise<boolean>} whether it is there
 */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = /** @type {HTMLTextAreaElement} */ (el("textarea", {class: "unseen"}, text));
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}

/**
 * A button that copies a text and says so.
 * @param {string} label
 * @param {() => string} text
 */
function copyButton(label, text) {
  const button = el("button", {class: "small", onclick: async () => {
    button.textContent = await copy(text()) ? "Copied" : "Not copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  }}, label);
  return button;
}

/**
 * How many findings, close-ups and maps of a file were left out to keep the report small.
 * @param {FileReport} file
 */
function leftOut(file) {
  return {findings: file.total[0] - file.findings.length, closeUps: file.total[1] - file.close_ups.length,
          maps: file.map.length > 0 ? 0 : file.total[2]};
}

/**
 * How many findings of a file are counted but not listed, for whatever reason.
 * @param {FileReport} file
 */
function notListed(file) {
  return leftOut(file).findings + file.not_shown.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * The last part of a path.
 * @param {string} path
 */
function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}

/**
 * The first index whose item is not `before`.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => boolean} before
 */
function lowerBound(items, before) {
  let low = 0, high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(items[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The findings of a file in the order of their offsets, each with the hash that leads to it: #OFFSET, with the number
 * of the file if there are several, and with the rule if others have the same offset.
 * @param {CheckReport} report
 * @param {number} fileIndex
 * @returns {Finding[]}
 */
function findingsOf(report, fileIndex) {
  const rows = report.files[fileIndex].findings.slice().sort((a, b) => a[2] - b[2] || b[1] - a[1]);
  const prefix = report.files.length > 1 ? `${fileIndex + 1}:` : "";
  return rows.map((row, i) => {
    const [ruleIndex, severity, offset, length, field, message, help, related, other] = row;
    const rule = report.rules[ruleIndex];
    const isAlone = rows[i - 1]?.[2] !== offset && rows[i + 1]?.[2] !== offset;
    return {rule, severity, offset, length, field, message, help: help || rule.why, related: related ?? null, other: other ?? "",
            hash: `#${prefix}${hex(offset)}${isAlone ? "" : "/" + rule.id}`,
            text: `${hex(offset)} ${rule.id} ${field} ${message}`.toLowerCase()};
  });
}

/**
 * What a hash asks for: "#0x20", "#2:0x20" in the second file, "#0x20+8" with a length, "#0x20/jitdump/bad-magic" with a
 * rule. Null if it has another form.
 * @param {string} hash
 * @returns {?{file: number, offset: number, length: number, rule: string}}
 */
function parseHash(hash) {
  const match = /^#(?:(\d{1,7}):)?(0x[0-9a-f]{1,13}|\d{1,15})(?:\+(\d{1,15}))?(?:\/(.*))?$/i.exec(hash);
  if (!match) return null;
  return {file: match[1] ? Number(match[1]) - 1 : 0, offset: Number(match[2]), length: Number(match[3] ?? 1),
          rule: match[4] ?? ""};
}
