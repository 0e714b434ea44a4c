// @ts-check
// The map of a file as a strip: its records by kind, and above them the findings by severity.
"use strict";

/** Pixels: of the column with the names of the lanes, of a lane of findings, of the lane of records, of the axis, and
 *  for half a mark at the right end. */
const GUTTER = 64, LANE = 16, RECORDS = 34, AXIS = 16, MARGIN = 8;
/** The fewest bytes that the strip shows. */
const CLOSEST = 64;
/** Colours for kinds of records, in the order of their bytes; the rest share the last one. */
const HUES = 8;

/**
 * A stretch of the file: what most of its bytes belong to.
 * @typedef {{start: number, end: number, kind: number,
 *    records: number}} Stretch
 */

/**
 * A part of the file with findings that are not listed, and how many.
 * @typedef {{start: number, end: number, count: number}} Unlisted
 */

class Strip {
  /** @param {(finding: Finding) => void} onSelect called when the user clicks a finding */
  constructor(onSelect) {
    this.onSelect = onSelect;
    /** @type {Finding[]} */ this.findings = [];
    /** @type {Stretch[]} */ this.stretches = [];
    /** By severity: the parts of the file that have more findings than are listed. */
    this.unlisted = /** @type {Unlisted[][]} */ ([[], [], []]);
    /** @type {[string, number, number][]} */ this.kinds = [];
    /** @type {?Finding} */ this.selected = null;
    this.size = 0;
    this.from = 0;
    this.to = 0;
    /** Where a drag began, and where it is, in pixels. @type {?[number, number]} */ this.drag = null;
    this.canvas = /** @type {HTMLCanvasElement} */ (el("canvas", {
      tabindex: "0", role: "img", height: 3 * LANE + RECORDS + AXIS,
      onpointerdown: (/** @type {PointerEvent} */ event) => this.press(event),
      onpointermove: (/** @type {PointerEvent} */ event) => this.move(event),
      onpointerup: (/** @type {PointerEvent} */ event) => this.release(event),
      onpointercancel: () => { this.drag = null; this.paint(); },
      onwheel: (/** @type {WheelEvent} */ event) => this.wheel(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event)}));
    /** What of the picture stays when another finding is selected: many findings take long to draw. */
    this.ground = document.createElement("canvas");
    this.width = 1;
    this.pointed = el("p", {class: "pointed", "aria-live": "off"});
    this.range = el("span", {class: "range", role: "status"});
    const button = (/** @type {string} */ label, /** @type {string} */ text, /** @type {() => void} */ act) =>
      el("button", {class: "small", "aria-label": label, title: label, onclick: act}, text);
    this.legend = el("ul", {class: "legend"});
    this.note = el("p", {class: "absent"});
    this.element = el("section", {id: "map", "aria-labelledby": "map-title"},
      el("div", {class: "map-head"}, el("h2", {id: "map-title"}, "Map of the file"), this.range,
        el("span", {class: "buttons"},
          button("Move left", "←", () => this.pan(-0.5)), button("Move right", "→", () => this.pan(0.5)),
          button("Zoom in", "+", () => this.zoom(0.25)), button("Zoom out", "−", () => this.zoom(4)),
          button("Zoom to the selected finding", "finding", () => this.focusSelected()),
          button("Show the whole file", "all", () => this.view(0, this.size)))),
      this.canvas, this.pointed, this.legend, this.note);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /**
   * @param {FileReport} file
   * @param {Finding[]} findings
   */
  show(file, findings) {
    // Offsets in a compressed file are no places of the trace.
    this.findings = findings.filter((finding) => !finding.rule.in_container);
    findings = this.findings;
    this.selected = null;
    this.kinds = file.kinds;
    let at = 0;
    this.stretches = file.map.map(([length, kind, records]) => ({start: at, end: at += length, kind, records}));
    const last = findings.reduce((most, one) => Math.max(most, one.offset + one.length), 0);
    this.size = Math.max(file.size ?? 0, at, last, 1);
    this.unlisted = this.unlistedOf(file);
    const byBytes = file.kinds.map((_, kind) => kind).sort((a, b) => file.kinds[b][2] - file.kinds[a][2]);
    this.hues = new Map(byBytes.map((kind, rank) => [kind, Math.min(rank, HUES - 1)]));
    this.legend.replaceChildren(...byBytes.slice(0, HUES - 1).map((kind) => this.legendEntry(kind)));
    if (byBytes.length >= HUES)
      this.legend.append(el("li", {}, el("span", {class: `swatch hue${HUES - 1}`}), counted(byBytes.length - HUES + 1, "other kind")));
    if (this.stretches.some((stretch) => stretch.kind < 0))
      this.legend.append(el("li", {}, el("span", {class: "swatch unknown"}), "not recognised"));
    const hatched = this.unlisted.flat().reduce((sum, one) => sum + one.count, 0), lost = notListed(file) - hatched;
    const reasons = [file.map_note];
    if (leftOut(file).maps > 0) reasons.push("The records were left out to keep this report small.");
    if (hatched > 0) reasons.push(`Hatched: ${counted(hatched, "finding")} outside the list.`);
    if (lost > 0) reasons.push(`${counted(lost, "finding")} ${lost === 1 ? "is" : "are"} only counted, and not on the map.`);
    this.note.textContent = reasons.filter((reason) => reason).join(" ");
    this.note.hidden = this.note.textContent === "";
    this.element.hidden = file.size === 0 || (file.format === "" && findings.length === 0);
    const [notes, warnings, errors] = file.counts;
    this.canvas.setAttribute("aria-label", `Map of ${byteSize(this.size)}: ` +
      `${counted(errors, "error")}, ${counted(warnings, "warning")}, ${counted(notes, "note")}; ` +
      file.kinds.map(([name, records]) => `${records} ${name}`).join(", ") +
      ". Plus and minus zoom, the arrow keys move.");
    this.view(0, this.size);
  }

  /**
   * Where there are more findings than are listed.
   * @param {FileReport} file
   * @returns {Unlisted[][]}
   */
  unlistedOf(file) {
    const [width, ...bySeverity] = file.spread;
    if (width === undefined) return [[], [], []];
    const listed = [0, 1, 2].map(() => /** @type {Map<number, number>} */ (new Map()));
    const last = Math.floor(Math.max(this.size - 1, 0) / width);
    for (const {severity, offset} of this.findings) {
      const part = Math.min(Math.floor(offset / width), 255);
      listed[severity].set(part, (listed[severity].get(part) ?? 0) + 1);
    }
    return bySeverity.map((parts, severity) => parts.map(([part, count]) => ({
      start: part * width, end: part >= last ? this.size : (part + 1) * width,
      count: count - (listed[severity].get(part) ?? 0)})).filter(({count}) => count > 0));
  }

  /** @param {number} kind */
  legendEntry(kind) {
    const [name, records] = this.kinds[kind];
    return el("li", {}, el("span", {class: `swatch hue${this.hues?.get(kind) ?? 0}`}), `${name} `,
              el("span", {class: "count"}, records.toLocaleString("en")));
  }

  /** @param {?Finding} finding */
  select(finding) {
    this.selected = finding;
    if (finding && (finding.offset < this.from || finding.offset > this.to)) {
      const half = (this.to - this.from) / 2;
      this.view(finding.offset - half, finding.offset + half);
    } else this.paint();
  }

  /**
   * Shows a part of the file.
   * @param {number} from
   * @param {number} to
   */
  view(from, to) {
    const width = Math.min(Math.max(to - from, Math.min(CLOSEST, this.size)), this.size);
    this.from = Math.round(Math.min(Math.max(from, 0), this.size - width));
    this.to = Math.round(this.from + width);
    this.range.textContent = width >= this.size ? `whole file, ${byteSize(this.size)}`
      : `${hex(this.from)} to ${hex(this.to)}, ${byteSize(this.to - this.from)}`;
    this.draw();
  }

  /**
   * @param {number} factor of the width shown
   * @param {number} [around] an offset that stays in its place
   */
  zoom(factor, around) {
    const width = this.to - this.from;
    const isVisible = this.selected && this.selected.offset >= this.from && this.selected.offset <= this.to;
    const centre = around ?? (isVisible && this.selected ? this.selected.offset : this.from + width / 2);
    const share = (centre - this.from) / width;
    this.view(centre - share * width * factor, centre + (1 - share) * width * factor);
  }

  /** @param {number} share of the width shown */
  pan(share) {
    const by = (this.to - this.from) * share;
    this.view(this.from + by, this.to + by);
  }

  focusSelected() {
    if (!this.selected) return;
    const reach = Math.max(2 * this.selected.length, 512);
    this.view(this.selected.offset - reach, this.selected.offset + reach);
  }

  // Pixels and offsets.

  /** @param {number} offset */
  x(offset) {
    return GUTTER + (offset - this.from) / (this.to - this.from) * this.width;
  }
  /** @param {number} x */
  offsetAt(x) {
    return this.from + Math.min(Math.max((x - GUTTER) / this.width, 0), 1) * (this.to - this.from);
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.drag = [event.offsetX, event.offsetX];
    this.canvas.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (this.drag) {
      this.drag[1] = event.offsetX;
      this.paint();
    }
    this.pointed.textContent = this.describe(event.offsetX);
  }

  /**
   * A click selects a finding; a drag zooms to what it spans.
   * @param {PointerEvent} event
   */
  release(event) {
    if (!this.drag) return;
    const [from, to] = this.drag;
    this.drag = null;
    if (Math.abs(to - from) > 6) return this.view(this.offsetAt(Math.min(from, to)), this.offsetAt(Math.max(from, to)));
    this.paint();
    this.pointed.textContent = this.describe(event.offsetX);
    const severity = event.offsetY < 3 * LANE ? 2 - Math.floor(event.offsetY / LANE) : -1;
    const finding = this.nearest(event.offsetX, severity);
    if (finding) this.onSelect(finding);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (document.activeElement !== this.canvas && !event.ctrlKey) return;
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? 1.5 : 1 / 1.5, this.offsetAt(event.offsetX));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Object<string, () => void>} */
    const actions = {"+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2),
                     ArrowLeft: () => this.pan(-0.25), ArrowRight: () => this.pan(0.25),
                     Home: () => this.view(0, this.to - this.from), End: () => this.view(this.size, this.size * 2),
                     "0": () => this.view(0, this.size)};
    if (!actions[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions[event.key]();
  }

  /**
   * The finding that is nearest to a column, within 8 pixels; of one severity, or of any if it is -1.
   * @param {number} x
   * @param {number} severity
   * @returns {?Finding}
   */
  nearest(x, severity) {
    /** @type {?Finding} */ let best = null;
    let least = 8.5;
    const low = this.offsetAt(x - 9), high = this.offsetAt(x + 9);
    for (let i = lowerBound(this.findings, (one) => one.offset < low); i < this.findings.length; ++i) {
      const finding = this.findings[i];
      if (finding.offset > high) break;
      if (severity >= 0 && finding.severity !== severity) continue;
      const distance = Math.abs(this.x(finding.offset) - x);
      const isWorse = best !== null && distance < least + 0.5 && finding.severity > best.severity;
      if (distance < least || isWorse) {
        best = finding;
        least = distance;
      }
    }
    return best;
  }

  /**
   * What is at a column.
   * @param {number} x
   */
  describe(x) {
    const offset = Math.floor(this.offsetAt(x));
    const stretch = this.stretches[lowerBound(this.stretches, (one) => one.end <= offset)];
    const what = !stretch ? "" : stretch.kind < 0 ? ": not recognised as a record"
      : stretch.records <= 1 ? `: ${this.kinds[stretch.kind][0]} at ${hex(stretch.start)}, ${counted(stretch.end - stretch.start, "byte")}`
      : `: ${counted(stretch.records, "record")} here, mostly ${this.kinds[stretch.kind][0]}`;
    const finding = this.nearest(x, -1);
    const unlisted = [2, 1, 0].flatMap((severity) => this.unlisted[severity]
      .filter(({start, end}) => start <= offset && offset < end)
      .map(({count}) => `; ${counted(count, SEVERITIES[severity])} about here not listed`));
    return hex(offset) + what + (finding ? `; ${SEVERITIES[finding.severity]}: ${finding.message}` : "") + unlisted.join("");
  }

  draw() {
    const scale = window.devicePixelRatio || 1, height = 3 * LANE + RECORDS + AXIS;
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    this.width = Math.max(width - GUTTER - MARGIN, 1);
    for (const canvas of [this.canvas, this.ground]) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const context = this.ground.getContext("2d");
    if (!context) return;
    const colour = this.colours();
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    this.drawRecords(context, colour);
    this.drawAxis(context, colour);
    for (const severity of [0, 1, 2]) this.drawLane(context, colour, severity);
    this.paint();
  }

  /** The colours of the page at the moment, by name. */
  colours() {
    const style = getComputedStyle(this.canvas);
    return (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  }

  /** Paints what was drawn, the selected finding, and the part that a drag spans. */
  paint() {
    const scale = window.devicePixelRatio || 1, height = 3 * LANE + RECORDS + AXIS;
    const context = this.canvas.getContext("2d");
    if (!context || this.ground.width === 0) return;
    const colour = this.colours();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.ground, 0, 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.drawSelected(context, colour);
    if (this.drag) {
      context.fillStyle = colour("--lit");
      context.globalAlpha = 0.5;
      context.fillRect(Math.min(...this.drag), 0, Math.abs(this.drag[1] - this.drag[0]), height);
      context.globalAlpha = 1;
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} colour
   */
  drawRecords(context, colour) {
    const top = 3 * LANE;
    context.fillStyle = colour("--sunken");
    context.fillRect(GUTTER, top, this.width, RECORDS);
    context.save();
    context.beginPath();
    context.rect(GUTTER, top, this.width, RECORDS);
    context.clip();
    for (let i = lowerBound(this.stretches, (one) => one.end <= this.from); i < this.stretches.length; ++i) {
      const stretch = this.stretches[i];
      if (stretch.start >= this.to) break;
      const left = this.x(stretch.start), right = this.x(stretch.end);
      const gap = right - left > 4 ? 1 : 0;
      const hue = stretch.kind < 0 ? "--unknown" : `--hue${this.hues?.get(stretch.kind) ?? 0}`;
      context.fillStyle = colour(hue);
      context.fillRect(left, top, right - left - gap, RECORDS);
      if (stretch.kind < 0) this.hatch(context, colour("--text"), left, top, right - left - gap, RECORDS);
      const name = stretch.kind < 0 ? "not recognised" : this.kinds[stretch.kind][0];
      const start = Math.max(left, GUTTER);
      if (Math.min(right, GUTTER + this.width) - start < context.measureText(name).width + 12) continue;
      context.fillStyle = colour("--on-hue");
      context.fillText(name, start + 6, top + RECORDS / 2);
    }
    context.restore();
    context.fillStyle = colour("--quiet");
    context.fillText("records", 0, top + RECORDS / 2);
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
  hatch(context, colour, left, top, width, height, alpha = 0.35) {
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.strokeStyle = colour;
    context.globalAlpha = alpha;
    context.beginPath();
    const start = Math.max(left, 0) - height, end = Math.min(left + width, GUTTER + this.width);
    for (let x = Math.floor(start / 8) * 8; x < end; x += 8) {
      context.moveTo(x, top + height);
      context.lineTo(x + height, top);
    }
    context.stroke();
    context.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} colour
   */
  drawAxis(context, colour) {
    const y = 3 * LANE + RECORDS + AXIS / 2 + 1;
    context.fillStyle = colour("--quiet");
    const start = hex(this.from), end = hex(this.to);
    context.fillText(start, GUTTER, y);
    context.fillText(end, GUTTER + this.width - context.measureText(end).width, y);
  }

  /**
   * The findings of one severity. Many in one column are drawn once.
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} colour
   * @param {number} severity
   */
  drawLane(context, colour, severity) {
    const y = (2 - severity) * LANE + LANE / 2;
    context.fillStyle = colour("--quiet");
    context.fillText(SEVERITIES[severity] + "s", 0, y);
    context.strokeStyle = colour("--line");
    context.beginPath();
    context.moveTo(GUTTER, y);
    context.lineTo(GUTTER + this.width, y);
    context.stroke();
    for (const {start, end} of this.unlisted[severity]) {
      if (end <= this.from || start >= this.to) continue;
      const left = Math.max(this.x(start), GUTTER), right = Math.min(this.x(end), GUTTER + this.width);
      this.hatch(context, colour(`--${SEVERITIES[severity]}`), left, y - LANE / 2 + 2, Math.max(right - left, 2), LANE - 4, 1);
    }
    context.fillStyle = colour(`--${SEVERITIES[severity]}`);
    let last = -1;
    // An earlier, long finding may reach into the part that is shown; its bytes are drawn only if it begins here.
    for (let i = lowerBound(this.findings, (one) => one.offset < this.from); i < this.findings.length; ++i) {
      const finding = this.findings[i];
      if (finding.offset > this.to) break;
      if (finding.severity !== severity) continue;
      const x = Math.round(this.x(finding.offset));
      const end = Math.min(this.x(finding.offset + finding.length), GUTTER + this.width);
      if (end - x > 6) context.fillRect(x, y - 1.5, end - x, 3);
      if (x === last) continue;
      last = x;
      this.drawMark(context, severity, x, y, 4);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} colour
   */
  drawSelected(context, colour) {
    if (!this.selected || this.selected.offset < this.from || this.selected.offset > this.to) return;
    const {severity, offset} = this.selected;
    const x = Math.round(this.x(offset)), y = (2 - severity) * LANE + LANE / 2;
    context.strokeStyle = colour("--text");
    context.strokeRect(x - 0.5, y + LANE / 2, 1, 3 * LANE + RECORDS - y);
    context.fillStyle = colour(`--${SEVERITIES[severity]}`);
    this.drawMark(context, severity, x, y, 6.5);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} severity
   * @param {number} x
   * @param {number} y
   * @param {number} r
   */
  drawMark(context, severity, x, y, r) {
    context.beginPath();
    if (severity === 0) context.arc(x, y, r * 0.8, 0, 2 * Math.PI);
    else if (severity === 1) context.moveTo(x, y - r), context.lineTo(x + r, y), context.lineTo(x, y + r), context.lineTo(x - r, y);
    else context.moveTo(x, y - r), context.lineTo(x + r, y + r), context.lineTo(x - r, y + r);
    context.fill();
  }
}
