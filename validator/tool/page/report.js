// @ts-check
// The report as data, and helpers that all parts of the page share. The page builds its elements from text nodes and
// never from markup, so that no string of a trace can become an element.
"use strict";

/**
 * A rule that a finding of the report names. `sections`: indexes of CheckReport.sections. `in_container`: its offsets count in
 * the compressed file.
 * @typedef {{id: string, severity: number, statement: string, why: string, spec: string, since: string, sections: number[],
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
 * has length, kind (-1: no record) and records of each stretch, and when its first record was written, if that is known:
 * how much later than the first number of `clock`, in its unit. `lanes` has a width and, for each kind and then for what
 * is not recognised, runs of parts of the file of this width: how many to skip, how many follow, and how many sixteenths
 * of each belong to the kind; it is empty if the stretches are single records. `spread` has a width, and for each severity
 * which parts of the file, of this width, have how many findings, listed or not; `total` counts findings, close-ups and
 * maps before any were left out.
 * @typedef {{path: string, format: string, format_version: ?number, byte_order: ?string, word_size: ?number,
 *   container: string, size: ?number, verdict: string, failure: string, counts: [number, number, number],
 *   not_shown: [string, number][], recording: string, pairings: string[], readers: [number, string][],
 *   statistics: [string, number][], bytes: string,
 *   kinds: [string, number, number][], map: [number, number, number, number?][], map_note: string,
 *   clock: [string, "time"|"ticks"]|[], lanes: [number, ...number[][]]|[], findings: FindingRow[],
 *   spread: [number, [number, number][], [number, number][], [number, number][]]|[],
 *   close_ups: CloseUp[], total: [number, number, number]}} FileReport
 */
/**
 * Everything that the page shows. `sections` of specifications: heading and text, in Markdown.
 * @typedef {{schema: number, tool: {name: string, version: string}, rules: Rule[], sections: [string, string][], strings: string[],
 *   files: FileReport[],
 *   summary: {counts: [number, number, number], files: number, clean: number, with_findings: number, unreadable: number, skipped: number,
 *     incomplete: string, not_checked: number}}} CheckReport
 */

/**
 * A finding as the page uses it.
 * `cause`: what the bytes suggest as the cause, or ""; `others`: how many findings of other rules the record has that
 * this one is the first of; `followers`: how many of the listed findings probably follow from this one.
 * @typedef {{rule: Rule, severity: number, offset: number, length: number, field: string, message: string, help: string,
 *   cause: string, others: number, followers: number, related: ?[number, number], other: string, hash: string, text: string}} Finding
 */

const SEVERITIES = ["note", "warning", "error"];
/** How the hint of a finding begins that follows from another one, and the rule of that one. */
const CONSEQUENCE = "probably a consequence of ", CAUSE = "input/text-mangled";
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

/**
 * How long something takes, to four digits.
 * @param {number} amount
 * @param {string} [unit] of a file's clock
 */
function duration(amount, unit = "time") {
  /** @type {[string, number][]} */
  const units = unit === "time" ? [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9], ["min", 60e9], ["h", 3600e9], ["days", 86400e9]]
    : [["ticks", 1], ["k ticks", 1e3], ["M ticks", 1e6], ["G ticks", 1e9]];
  const [name, scale] = units.filter(([, least]) => Math.abs(amount) >= least).at(-1) ?? units[0];
  return `${Number((amount / scale).toPrecision(4)).toLocaleString("en", {maximumFractionDigits: 3})} ${name}`;
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
  return file.counts[1] > 0 ? badge(1) : okBadge();
}

function okBadge() {
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
 * A stretch of the file: what most of its bytes belong to, and when it begins, on the file's clock.
 * @typedef {{start: number, end: number, kind: number, records: number, moment: ?number}} Stretch
 */
/**
 * A row of the map: records of one kind or of several rare ones (`kind` -1: bytes that are not a record), whose names it has,
 * and the parts of the file that have them, with the share of their bytes.
 * @typedef {{kind: number, name: string, names: string[], records: number, bytes: number,
 *   parts: {start: number, end: number, share: number}[]}} Lane
 */
/**
 * A record whose place the report has: its kind, and what it is called.
 * @typedef {{start: number, end: number, kind: string, name: string}} KnownRecord
 */
/**
 * A part of the file with findings that are not listed, and how many.
 * @typedef {{start: number, end: number, count: number}} Unlisted
 */

/**
 * @param {FileReport} file
 * @returns {Stretch[]}
 */
function stretchesOf(file) {
  let at = 0;
  return file.map.map(([length, kind, records, moment]) => ({start: at, end: at += length, kind, records, moment: moment ?? null}));
}

/**
 * The rows of a file's map, those with the most bytes first. The last one of `most` stands for all other kinds.
 * @param {FileReport} file
 * @param {Stretch[]} stretches
 * @param {number} most
 * @returns {Lane[]}
 */
function lanesOf(file, stretches, most) {
  /** @type {Lane[]} */
  const lanes = file.kinds.map(([name, records, bytes], kind) => ({kind, name, names: [name], records, bytes, parts: []}));
  /** @type {Lane} */
  const unknown = {kind: -1, name: "not recognised", names: [], records: 0, bytes: 0, parts: []};
  const [width, ...runs] = file.lanes;
  if (width === undefined) {
    for (const {start, end, kind} of stretches) (lanes[kind] ?? unknown).parts.push({start, end, share: 1});
  } else {
    const size = stretches.at(-1)?.end ?? 0;
    runs.forEach((numbers, kind) => {
      for (let i = 0, at = 0; i + 2 < numbers.length; i += 3) {
        at += numbers[i] * width;
        for (let n = 0; n < numbers[i + 1]; ++n, at += width)
          (lanes[kind] ?? unknown).parts.push({start: at, end: Math.min(at + width, size), share: numbers[i + 2] / 16});
      }
    });
  }
  lanes.sort((a, b) => b.bytes - a.bytes);
  if (lanes.length > most) {
    const others = lanes.splice(most - 1);
    const parts = others.flatMap((lane) => lane.parts).sort((a, b) => a.start - b.start);
    lanes.push({kind: others[0].kind, name: counted(others.length, "other kind"), names: others.map(({name}) => name), parts,
                records: others.reduce((sum, lane) => sum + lane.records, 0), bytes: others.reduce((sum, lane) => sum + lane.bytes, 0)});
  }
  if (unknown.parts.length > 0) lanes.push({...unknown, bytes: unknown.parts.reduce((sum, {start, end, share}) => sum + (end - start) * share, 0)});
  return lanes;
}

/**
 * The last moment before an offset, as far as the stretches tell.
 * @param {Stretch[]} timed those with a moment
 * @param {number} offset
 * @returns {?number}
 */
function momentAt(timed, offset) {
  return timed[lowerBound(timed, (one) => one.start <= offset) - 1]?.moment ?? null;
}

/**
 * The records of a file whose place is known, in order: those in close-ups, and all of them if the map has each one.
 * @param {CheckReport} report
 * @param {FileReport} file
 * @returns {KnownRecord[]}
 */
function knownRecords(report, file) {
  /** @type {Map<number, KnownRecord>} */ const known = new Map();
  for (const {start, end, kind, records} of stretchesOf(file))
    if (records === 1 && kind >= 0) known.set(start, {start, end, kind: file.kinds[kind][0], name: file.kinds[kind][0]});
  for (const [, , records, inContainer] of file.close_ups)
    for (const [name, offset, length, index] of inContainer ? [] : records) {
      const kind = typeof name === "number" ? report.strings[name] : name;
      known.set(offset, {start: offset, end: offset + length, kind, name: index < 0 ? kind : `records[${index}] ${kind}`});
    }
  return [...known.values()].sort((a, b) => a.start - b.start);
}

/**
 * The record that holds an offset and its neighbours; null where the report does not know them.
 * @param {KnownRecord[]} records
 * @param {number} offset
 */
function recordsAround(records, offset) {
  const after = lowerBound(records, (one) => one.start <= offset), here = records[after - 1];
  if (!here || here.end <= offset) return {before: null, here: null, after: null};
  const adjacent = (/** @type {number} */ i, /** @type {number} */ end) => records[i]?.end === end ? records[i] : null;
  return {before: adjacent(after - 2, here.start), here, after: records[after]?.start === here.end ? records[after] : null};
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
  /** The first, worst finding of each record. @type {Map<string, Finding>} */ const leading = new Map();
  let followers = 0;
  const findings = rows.map((row, i) => {
    const [ruleIndex, severity, offset, length, field, message, help, related, other] = row;
    const rule = report.rules[ruleIndex];
    const isAlone = rows[i - 1]?.[2] !== offset && rows[i + 1]?.[2] !== offset;
    const hint = help?.startsWith(`${rule.why}; `) ? help.slice(rule.why.length + 2) : "";
    followers += hint.startsWith(CONSEQUENCE) ? 1 : 0;
    /** @type {Finding} */
    const finding = {rule, severity, offset, length, field, message, help: help || rule.why, others: 0, followers: 0,
                     cause: hint.replace(CONSEQUENCE, ""),
                     related: related ?? null, other: other ?? "", hash: `#${prefix}${hex(offset)}${isAlone ? "" : "/" + rule.id}`,
                     text: `${hex(offset)} ${rule.id} ${field} ${message}`.toLowerCase()};
    const record = /^records\[\d+\]/.exec(field)?.[0];
    const first = record && leading.get(record);
    if (record && (!first || first.severity < severity)) {
      finding.others = first ? first.others + 1 : 0;
      if (first) first.others = 0;
      leading.set(record, finding);
    } else if (first && first.rule !== rule) ++first.others;
    return finding;
  });
  for (const finding of findings) if (finding.rule.id === CAUSE) finding.followers = followers;
  return findings;
}

/** @param {Finding} finding */
function followersOf({followers}) {
  return `and ${counted(followers, "finding")} that ${followers === 1 ? "follows" : "follow"} from it`;
}

/**
 * Where there are more findings than are listed, by severity.
 * @param {FileReport} file
 * @param {Finding[]} findings
 * @param {number} size of the file
 * @returns {Unlisted[][]}
 */
function unlistedOf(file, findings, size) {
  const [width, ...bySeverity] = file.spread;
  if (width === undefined) return [[], [], []];
  const listed = [0, 1, 2].map(() => /** @type {Map<number, number>} */ (new Map()));
  const last = Math.floor(Math.max(size - 1, 0) / width);
  for (const {severity, offset} of findings) {
    const part = Math.min(Math.floor(offset / width), 255);
    listed[severity].set(part, (listed[severity].get(part) ?? 0) + 1);
  }
  return bySeverity.map((parts, severity) => parts.map(([part, count]) => ({
    start: part * width, end: part >= last ? size : (part + 1) * width,
    count: count - (listed[severity].get(part) ?? 0)})).filter(({count}) => count > 0));
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

// Drawing.

/**
 * A text that fits: its middle is left out.
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} width
 */
function shortened(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const cut = (/** @type {number} */ length) => `${text.slice(0, Math.ceil(length / 3))}…${text.slice(text.length - Math.floor(2 * length / 3))}`;
  let length = text.length - 1;
  while (length > 1 && context.measureText(cut(length)).width > width) --length;
  return cut(length);
}

/**
 * Marks bytes that are not a record, or that have findings which are not listed, since colour would not be enough.
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} height
 * @param {number} alpha
 */
function hatch(context, colour, left, top, width, height, alpha = 0.35) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.globalAlpha = alpha;
  context.beginPath();
  const start = Math.max(left, 0) - height, end = left + width;
  for (let x = Math.floor(start / 8) * 8; x < end; x += 8) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} severity
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function drawMark(context, severity, x, y, r) {
  context.beginPath();
  if (severity === 0) context.arc(x, y, r * 0.8, 0, 2 * Math.PI);
  else if (severity === 1) context.moveTo(x, y - r), context.lineTo(x + r, y), context.lineTo(x, y + r), context.lineTo(x - r, y);
  else context.moveTo(x, y - r), context.lineTo(x + r, y + r), context.lineTo(x - r, y + r);
  context.fill();
}
