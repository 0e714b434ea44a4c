// @ts-check
// The bytes around a finding in hex, with the fields that they hold.
"use strict";

/** Bytes shown before and after a place, and of the place itself, until the user asks for more. */
const CONTEXT = 32, PLACE_SHOWN = 96;

/**
 * A field that a close-up shows.
 * @typedef {{start: number, end: number, name: string, value: string, meaning: string,
 *    record: string}} NamedField
 */
/**
 * A part of the file that a close-up shows.
 * @typedef {{start: number, end: number}} Span
 */

/**
 * The close-up that holds the byte at `offset`; null if the report has none.
 * @param {FileReport} file
 * @param {number} offset
 * @param {boolean} inContainer whether the offset counts in the compressed file
 */
function closeUpAt(file, offset, inContainer) {
  const ofOneFile = file.close_ups.filter((one) => (one[3] ?? false) === inContainer);
  const closeUp = ofOneFile[lowerBound(ofOneFile, (one) => one[0] <= offset) - 1];
  // A place at the end of the file has no byte of its own.
  return closeUp && offset <= closeUp[0] + closeUp[1].length / 2 ? closeUp : null;
}

/**
 * The fields of a close-up, in the order of the file.
 * @param {CheckReport} report
 * @param {CloseUp} closeUp
 * @returns {NamedField[]}
 */
function fieldsOf(report, closeUp) {
  const text = (/** @type {SharedText} */ shared) => typeof shared === "number" ? report.strings[shared] : shared;
  return closeUp[2].flatMap(([kind, , , index, fields]) => {
    const record = index < 0 ? text(kind) : `records[${index}] ${text(kind)}`;
    return fields.map(([at, length, name, value, meaning, element]) => {
      const start = closeUp[0] + at;
      return {start, end: start + length, name: element ? `${element}.${text(name)}` : text(name), value,
              meaning: text(meaning), record};
    });
  });
}

/** Shows the bytes around a place and the table of their fields. */
class BytesView {
  /**
   * @param {CheckReport} report
   * @param {FileReport} file
   * @param {Span} place
   * @param {?Span} related
   * @param {boolean} inContainer
   */
  constructor(report, file, place, related, inContainer) {
    this.inContainer = inContainer;
    this.report = report;
    this.file = file;
    this.place = place;
    this.related = related;
    this.context = CONTEXT;
    this.element = el("div", {class: "bytes"});
    this.fill();
  }

  fill() {
    const closeUp = closeUpAt(this.file, this.place.start, this.inContainer);
    if (!closeUp) {
      const reason = this.file.bytes || (this.file.size === 0 && "The file is empty.") || (leftOut(this.file).closeUps > 0
        ? "The bytes here were left out to keep this report small." : "The report has no bytes from here.");
      this.element.replaceChildren(el("p", {class: "absent"}, reason));
      return;
    }
    this.bytes = closeUp[1];
    this.base = closeUp[0];
    const available = {start: this.base, end: this.base + closeUp[1].length / 2};
    const columns = window.matchMedia("(max-width: 700px)").matches ? 8 : 16;
    const placeEnd = Math.min(this.place.end, this.place.start + PLACE_SHOWN);
    const shown = {
      start: Math.max(available.start, Math.floor((this.place.start - this.context) / columns) * columns),
      end: Math.min(available.end, Math.ceil((placeEnd + this.context) / columns) * columns)};
    this.fields = fieldsOf(this.report, closeUp).filter((field) => field.end > shown.start && field.start < shown.end);
    const isAll = shown.start === available.start && shown.end === available.end;
    const children = [this.hexTable(shown, columns), this.statusLine()];
    if (!isAll) children.push(el("button", {class: "small", onclick: () => { this.context = 1 << 20; this.fill(); }},
                                 `Show all ${available.end - available.start} bytes kept here`));
    if (this.place.end > available.end && this.place.end > this.place.start + PLACE_SHOWN)
      children.push(el("p", {class: "absent"}, `The place continues for ${counted(this.place.end - shown.end, "byte")} more.`));
    if (this.fields.length > 0) children.push(this.fieldTable());
    this.element.replaceChildren(...children);
  }

  /** @param {number} offset */
  classOf(offset) {
    const lies = (/** @type {Span} */ span) => offset >= span.start && offset < span.end;
    if (lies(this.place)) return "marked";
    return this.related && lies(this.related) ? "related" : "";
  }

  /**
   * The rows of bytes.
   * @param {Span} shown
   * @param {number} columns
   */
  hexTable(shown, columns) {
    /** @type {Map<number, HTMLElement[]>} */ this.cells = new Map();
    const rows = [];
    const first = Math.floor(shown.start / columns) * columns;
    for (let row = first; row < shown.end || (row === first && shown.start === shown.end); row += columns) {
      const digits = [], text = [];
      for (let at = row; at < row + columns; ++at) {
        const gap = at > row && at % 8 === 0 ? " wide" : "";
        if (at < shown.start || at >= shown.end) {
          const isEnd = at === this.place.start && this.place.end === this.place.start && at === shown.end;
          digits.push(el("span", {class: isEnd ? `end marked${gap}` : `void${gap}`}, isEnd ? "∅ " : "  "));
          text.push(" ");
          continue;
        }
        const pair = (this.bytes ?? "").substr(2 * (at - (this.base ?? 0)), 2);
        const code = parseInt(pair, 16);
        const cell = el("span", {class: this.classOf(at) + gap, "data-at": at}, pair);
        const letter = el("span", {class: this.classOf(at), "data-at": at},
                          code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : "·");
        this.cells.set(at, [cell, letter]);
        digits.push(cell);
        text.push(letter);
      }
      rows.push(el("div", {class: "row"}, el("span", {class: "offset"}, row.toString(16).padStart(8, "0")),
                   el("span", {class: "digits"}, ...digits), el("span", {class: "letters"}, ...text)));
    }
    for (const field of this.fields ?? [])
      for (let at = Math.max(field.start, shown.start); at < Math.min(field.end, shown.end); ++at)
        this.cells.get(at)?.[0].setAttribute("title", `${field.name} = ${field.value}${field.meaning ? ": " + field.meaning : ""}`);
    const light = (/** @type {Event} */ event) => {
      const at = /** @type {HTMLElement} */ (event.target).dataset?.at;
      if (at !== undefined) this.light(this.fieldAt(Number(at)));
    };
    return el("div", {class: "hex", role: "figure", "aria-label": this.description(), onmouseover: light, onclick: light},
              ...rows);
  }

  /** The bytes of the place, as far as the report has them, in hex. */
  placeInHex() {
    const {start, end} = this.place, base = this.base ?? 0;
    return ((this.bytes ?? "").slice(2 * (start - base), 2 * (end - base)).match(/../g) ?? []).join(" ");
  }

  /** The text for people who cannot see the marks. */
  description() {
    const {start, end} = this.place;
    if (start === end) return `Bytes around ${hex(start)}`;
    return `Bytes around ${hex(start)}; marked: ${this.placeInHex().slice(0, 3 * 16 - 1)}` +
      (end - start > 16 ? ` and ${counted(end - start - 16, "more byte")}` : "");
  }

  statusLine() {
    this.status = el("p", {class: "pointed"}, "Point at a byte, or choose a field, to see what belongs together.");
    return this.status;
  }

  /**
   * The smallest field that holds the byte.
   * @param {number} offset
   */
  fieldAt(offset) {
    const holding = (this.fields ?? []).filter((field) => field.start <= offset && offset < field.end);
    return holding.sort((a, b) => (a.end - a.start) - (b.end - b.start))[0] ?? null;
  }

  /**
   * Highlights the bytes and the row of a field.
   * @param {?NamedField} field
   */
  light(field) {
    for (const lit of this.element.querySelectorAll(".lit")) lit.classList.remove("lit");
    if (!field) return;
    const end = Math.min(field.end, field.start + 4096);
    for (let at = field.start; at < end; ++at)
      for (const cell of this.cells?.get(at) ?? []) cell.classList.add("lit");
    this.rows?.get(field)?.classList.add("lit");
    if (this.status)
      this.status.textContent = `${hex(field.start)}, ${counted(field.end - field.start, "byte")}: ${field.record}, ` +
        `${field.name} = ${field.value}${field.meaning ? ` (${field.meaning})` : ""}`;
  }

  fieldTable() {
    /** @type {Map<NamedField, HTMLElement>} */ this.rows = new Map();
    const body = el("tbody");
    let record = "";
    for (const field of this.fields ?? []) {
      if (field.record !== record) {
        record = field.record;
        body.append(el("tr", {class: "record"}, el("th", {colspan: 4, scope: "rowgroup"}, record)));
      }
      const isMarked = field.start < this.place.end && field.end > this.place.start;
      const light = () => this.light(field);
      const row = el("tr", {class: isMarked ? "marked" : null, onmouseover: light, onclick: light},
        el("td", {}, el("code", {}, hex(field.start))),
        el("th", {scope: "row"}, isMarked ? el("span", {class: "pointer", title: "in the marked bytes"}, "▶ ") : null, field.name),
        el("td", {class: "value"}, field.value), el("td", {class: "meaning"}, field.meaning));
      this.rows.set(field, row);
      body.append(row);
    }
    return el("div", {class: "scroll"}, el("table", {class: "fields"},
      el("caption", {class: "unseen"}, "Fields around the finding"),
      el("thead", {}, el("tr", {}, ...["Offset", "Field", "Value", "Meaning"].map((name) => el("th", {scope: "col"}, name)))),
      body));
  }
}

/**
 * The other file of a finding about two, with a link to its place there if the report has the file.
 * @param {CheckReport} report
 * @param {Finding} finding
 */
function otherFile(report, finding) {
  const {related, other} = finding;
  const index = report.files.findIndex((file) => file.path === other);
  const place = related && related[1] > 0 ? `${hex(related[0])}+${related[1]}` : "0x0";
  const path = el("code", {}, other);
  const link = index < 0 ? path : el("a", {href: `#${index + 1}:${place}`}, path);
  return related && related[1] > 0 ? [`${counted(related[1], "byte")} at ${hex(related[0])} of `, link] : [link];
}

/** Everything about one finding, or about a place that no finding has. */
class Detail {
  /** @param {(by: number) => void} step called to select another finding */
  constructor(step) {
    this.step = step;
    this.element = el("section", {id: "detail", tabindex: "-1", "aria-label": "The selected finding"});
    this.clear(null);
  }

  /** @param {?FileReport} file */
  clear(file) {
    this.view = null;
    this.file = file;
    // The records of the file, once they are asked for.
    /** @type {?KnownRecord[]} */
    this.records = null;
    const isSound = file && !file.failure && file.counts[2] + file.counts[1] === 0;
    const hint = file && file.findings.length === 0 ? "There is nothing to show." : "Choose a finding to see its bytes.";
    this.element.replaceChildren(...(isSound ? [el("p", {class: "sound"}, "Nothing is wrong with this file.")] : []),
                                 el("p", {class: "absent"}, hint));
  }

  /**
   * A finding for an issue tracker.
   * @param {FileReport} file
   * @param {Finding} finding
   */
  markdown(file, finding) {
    const bytes = this.view?.description().replace(/^.*; marked: /, "") ?? "";
    return [`**${SEVERITIES[finding.severity]}**: ${finding.message} (\`${finding.rule.id}\`)`, "",
            `- \`${baseName(file.path)}\` at ${hex(finding.offset)}, ${counted(finding.length, "byte")}` +
              (finding.field ? `, \`${finding.field}\`` : ""),
            ...(finding.length > 0 && bytes && !bytes.startsWith("Bytes") ? [`- bytes: \`${bytes}\``] : []),
            `- required: ${finding.rule.statement}${finding.rule.spec ? ` (${finding.rule.spec})` : ""}`,
            ...(finding.help ? [`- effect: ${finding.help}`] : []), ""].join("\n");
  }

  /**
   * @param {CheckReport} report
   * @param {FileReport} file
   * @param {Finding} finding
   * @param {string} filePrefix
   * @param {Finding[]} findings of the file, by offset
   * @param {string} when the bytes were written, if that is known
   */
  show(report, file, finding, filePrefix, findings, when) {
    const {rule, related, other} = finding;
    const place = {start: finding.offset, end: finding.offset + finding.length};
    const isHere = related && !other;
    this.view = new BytesView(report, file, place, isHere ? {start: related[0], end: related[0] + related[1]} : null,
                              rule.in_container);
    const facts = el("dl", {});
    const fact = (/** @type {string} */ name, /** @type {(Node|string)[]} */ ...content) =>
      facts.append(el("dt", {}, name), el("dd", {}, ...content));
    fact("The format requires", rule.statement, rule.spec ? el("span", {class: "spec"}, ` — ${rule.spec}`) : "");
    if (other) fact("Other file", ...otherFile(report, finding));
    if (isHere)
      fact("Related", el("a", {href: `#${filePrefix}${hex(related[0])}+${related[1]}`},
                         `${counted(related[1], "byte")} at ${hex(related[0])}`));
    const around = rule.in_container ? null : recordsAround(this.recordsOf(report, file), finding.offset);
    const beside = around?.here ? this.besides(finding, findings, around.here) : [];
    if (beside.length > 0) fact("Also in this record", ...beside);
    this.element.replaceChildren(
      el("div", {class: "detail-head"}, badge(finding.severity), el("code", {class: "rule", tabindex: "0", "data-rule": rule.id}, rule.id), this.stepper()),
      el("h2", {}, finding.message),
      el("p", {class: "place"}, el("a", {href: finding.hash}, el("code", {}, hex(finding.offset))), `, ${counted(finding.length, "byte")}`,
         rule.in_container ? " of the compressed file" : "",
         finding.field ? el("span", {}, " at ", el("code", {}, finding.field)) : "",
         when && finding.field.startsWith("records[") ? `, written${when}` : ""),  // a header has no time
      ...(finding.help ? [el("p", {class: "why"}, el("b", {}, "Why it matters: "), finding.help)] : []),
      ...(finding.followers > 0 ? [el("p", {class: "cause"}, followersOf(finding))] : []),
      this.view.element,
      el("p", {class: "buttons"}, copyButton("Copy as Markdown", () => this.markdown(file, finding)), this.linkButton(finding.hash),
         ...this.bytesButton(), ...actionsForFinding(file, finding), ...this.neighbours(around, filePrefix)), facts);
    for (const number of rule.sections) {
      const [heading, text] = report.sections[number];
      this.element.append(el("details", {class: "section"}, el("summary", {"data-section": number}, `The specification: ${heading}`),
                             ...sectionElements(text)));
    }
    if (rule.example)
      this.element.append(el("details", {class: "example"}, el("summary", {}, "The smallest example of this rule"),
                             el("pre", {}, rule.example)));
  }

  /**
   * A place of the file that is not a finding.
   * @param {CheckReport} report
   * @param {FileReport} file
   * @param {Span} place
   * @param {string} filePrefix
   */
  showPlace(report, file, place, filePrefix) {
    this.view = new BytesView(report, file, place, null, false);
    const around = recordsAround(this.recordsOf(report, file), place.start), {here} = around;
    const isRecord = here && here.start === place.start && here.end === place.end;
    this.element.replaceChildren(
      el("div", {class: "detail-head"}, el("span", {class: "badge"}, "place"), el("span", {class: "rule"}), this.stepper()),
      el("h2", {}, `${isRecord ? `${here.name}, ` : ""}${counted(place.end - place.start, "byte")} at ${hex(place.start)}`),
      ...(here && !isRecord ? [el("p", {class: "place"}, `in ${here.name} at ${hex(here.start)}`)] : []), this.view.element,
      el("p", {class: "buttons"}, this.linkButton(`#${filePrefix}${hex(place.start)}+${place.end - place.start}`), ...this.bytesButton(),
         ...this.neighbours(around, filePrefix)));
  }

  /** @param {string} hash */
  linkButton(hash) {
    return copyButton("Copy link", () => location.href.replace(/#.*$/, "") + hash);
  }

  bytesButton() {
    const {view} = this;
    return view && view.placeInHex() ? [copyButton("Copy bytes", () => view.placeInHex())] : [];
  }

  /**
   * @param {CheckReport} report
   * @param {FileReport} file
   */
  recordsOf(report, file) {
    return this.records ??= knownRecords(report, file);
  }

  /**
   * Links to the records before and after the one of a place.
   * @param {?ReturnType<recordsAround>} around
   * @param {string} filePrefix
   */
  neighbours(around, filePrefix) {
    if (!around?.here) return [];
    /** @type {[?KnownRecord, string][]} */
    const beside = [[around.before, "← previous record"], [around.after, "next record →"]];
    return beside.map(([record, label]) => record
      ? el("a", {class: "step", href: `#${filePrefix}${hex(record.start)}+${record.end - record.start}`, title: `${record.name} at ${hex(record.start)}`}, label)
      : el("span", {class: "step", title: "The report does not have it."}, label));
  }

  /**
   * Links to the other findings of a record.
   * @param {Finding} finding
   * @param {Finding[]} findings
   * @param {Span} record
   */
  besides(finding, findings, record) {
    const from = lowerBound(findings, (one) => one.offset < record.start), to = lowerBound(findings, (one) => one.offset < record.end);
    const others = findings.slice(from, Math.min(to, from + 7)).filter((one) => one !== finding && !one.rule.in_container);
    const links = others.slice(0, 5).map((one) =>
      el("span", {class: "beside"}, badge(one.severity), " ", el("a", {href: one.hash}, el("code", {}, hex(one.offset)), ` ${one.message}`)));
    const left = to - from - 1 - links.length;
    return left > 0 ? [...links, `and ${counted(left, "more finding")}`] : links;
  }

  stepper() {
    return el("span", {class: "stepper"},
      el("button", {class: "small", "aria-label": "Previous finding", title: "k", onclick: () => this.step(-1)}, "↑"),
      el("button", {class: "small", "aria-label": "Next finding", title: "j", onclick: () => this.step(1)}, "↓"));
  }
}
