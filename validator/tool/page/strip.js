// @ts-check
// The map of a file: a lane for the findings of each severity, one for each kind of record, and the times, over the
// offsets of the file. Above it is the whole file, as a brush for the part that is shown.
"use strict";

/** Pixels: the heights of a lane of findings, of records, of the times and of an axis, of the brush, and the room for half
 *  a mark at the right end. */
const LANE = 16, ROW = 15, TIMES = 26, AXIS = 15, BRUSH = 18, MARGIN = 8;
/** Pixels: the least and the most that the names of the lanes take. */
const LEAST_GUTTER = 64, MOST_GUTTER = 210;
/** The fewest bytes that the strip shows. */
const CLOSEST = 64;
/** Lanes of records that are shown unasked, and their colours; those that follow share the last colour. */
const LANES = 8, HUES = 8;
/** Pixels of a block from which on the records are drawn that the report has one by one. */
const WIDE_BLOCK = 16;
const FONT = "12px system-ui, sans-serif";

/** @typedef {(name: string) => string} Colours */

class Strip {
  /**
   * @param {(finding: Finding) => void} onSelect called when the user chooses a finding
   * @param {(start: number, end: number) => void} onPlace called when the user chooses a record without one
   */
  constructor(onSelect, onPlace) {
    this.onSelect = onSelect;
    this.onPlace = onPlace;
    /** @type {Finding[]} */ this.findings = [];
    /** @type {Stretch[]} */ this.stretches = [];
    /** @type {Stretch[]} */ this.timed = [];  // those with a moment
    /** @type {KnownRecord[]} */ this.records = [];
    /** @type {Lane[]} */ this.lanes = [];
    /** Whether all kinds of records have a lane. */ this.isUnfolded = false;
    /** By severity: the parts of the file that have more findings than are listed. */
    this.unlisted = /** @type {Unlisted[][]} */ ([[], [], []]);
    /** @type {?Finding} */ this.selected = null;
    /** @type {?FileReport} */ this.file = null;
    this.size = 0;
    this.from = 0;
    this.to = 0;
    /** @type {?number} */ this.cursor = null;  // the offset at which the keyboard points
    /** Where a drag began, and where it is, in pixels. @type {?[number, number]} */ this.drag = null;
    /** @type {?((offset: number) => void)} */ this.brushing = null;  // what a drag of the brush does with the part that is shown
    this.canvas = /** @type {HTMLCanvasElement} */ (el("canvas", {
      id: "lanes", tabindex: "0", role: "img",
      onpointerdown: (/** @type {PointerEvent} */ event) => this.press(event),
      onpointermove: (/** @type {PointerEvent} */ event) => this.move(event),
      onpointerup: (/** @type {PointerEvent} */ event) => this.release(event),
      onpointercancel: () => { this.drag = null; this.paint(); },
      onwheel: (/** @type {WheelEvent} */ event) => this.wheel(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event)}));
    this.brush = /** @type {HTMLCanvasElement} */ (el("canvas", {id: "brush", "aria-hidden": "true", title: "Drag to choose the part that is shown",
      onpointerdown: (/** @type {PointerEvent} */ event) => this.pressBrush(event),
      onpointermove: (/** @type {PointerEvent} */ event) => this.brushing?.(this.brushedAt(event.offsetX)),
      onpointerup: () => { this.brushing = null; },
      onpointercancel: () => { this.brushing = null; }}));
    /** What of the picture stays when another finding is selected: many findings take long to draw. */
    this.ground = document.createElement("canvas");
    this.width = 1;
    this.gutter = LEAST_GUTTER;
    this.pointed = el("p", {class: "pointed", "aria-live": "off"});
    this.range = el("span", {class: "range", role: "status"});
    const button = (/** @type {string} */ label, /** @type {string} */ text, /** @type {() => void} */ act) =>
      el("button", {class: "small", "aria-label": label, title: label, onclick: act}, text);
    this.fold = el("button", {class: "small", id: "kinds", onclick: () => { this.isUnfolded = !this.isUnfolded; this.fillLanes(); this.draw(); }});
    this.note = el("p", {class: "absent"});
    this.element = el("section", {id: "map", "aria-labelledby": "map-title"},
      el("div", {class: "map-head"}, el("h2", {id: "map-title"}, "Map of the file"), this.range,
        el("span", {class: "buttons"}, this.fold,
          button("Move left", "←", () => this.pan(-0.5)), button("Move right", "→", () => this.pan(0.5)),
          button("Zoom in", "+", () => this.zoom(0.25)), button("Zoom out", "−", () => this.zoom(4)),
          button("Zoom to the selected finding", "finding", () => this.focusSelected()),
          button("Show the whole file", "all", () => this.view(0, this.size)))),
      this.brush, this.canvas, this.pointed, this.note);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /**
   * @param {CheckReport} report
   * @param {FileReport} file
   * @param {Finding[]} findings
   */
  show(report, file, findings) {
    this.file = file;
    this.records = knownRecords(report, file);
    // Offsets in a compressed file are no places of the trace.
    findings = this.findings = findings.filter((finding) => !finding.rule.in_container);
    this.selected = this.cursor = null;
    this.stretches = stretchesOf(file);
    this.timed = this.stretches.filter(({moment}) => moment !== null);
    const last = findings.reduce((most, one) => Math.max(most, one.offset + one.length), 0);
    this.size = Math.max(file.size ?? 0, this.stretches.at(-1)?.end ?? 0, last, 1);
    this.unlisted = unlistedOf(file, findings, this.size);
    this.isUnfolded = false;
    this.fillLanes();
    const hatched = this.unlisted.flat().reduce((sum, one) => sum + one.count, 0), lost = notListed(file) - hatched;
    const reasons = [file.map_note];
    if (leftOut(file).maps > 0) reasons.push("The records were left out to keep this report small.");
    if (hatched > 0) reasons.push(`Hatched: ${counted(hatched, "finding")} outside the list.`);
    if (lost > 0) reasons.push(`${counted(lost, "finding")} ${lost === 1 ? "is" : "are"} only counted, and not on the map.`);
    this.note.textContent = reasons.filter((reason) => reason).join(" ");
    this.note.hidden = this.note.textContent === "";
    this.pointed.textContent = "";
    this.element.hidden = file.size === 0 || (file.format === "" && findings.length === 0);
    const [notes, warnings, errors] = file.counts;
    this.canvas.setAttribute("aria-label", `Map of ${byteSize(this.size)}: ` +
      `${counted(errors, "error")}, ${counted(warnings, "warning")}, ${counted(notes, "note")}; ` +
      file.kinds.map(([name, records]) => `${records} ${name}`).join(", ") +
      ". Plus and minus zoom, the arrow keys point, Page Up and Page Down move, Enter opens what is there.");
    this.view(0, this.size);
  }

  fillLanes() {
    const kinds = this.file?.kinds.length ?? 0;
    this.lanes = this.file ? lanesOf(this.file, this.stretches, this.isUnfolded ? kinds : LANES) : [];
    this.fold.hidden = kinds <= LANES;
    this.fold.textContent = this.isUnfolded ? "fewer kinds" : `all ${kinds} kinds`;
    this.fold.setAttribute("aria-pressed", String(this.isUnfolded));
  }

  /** The heights of the map's parts, from the top. */
  layout() {
    const records = 3 * LANE + 3, times = records + this.lanes.length * ROW;
    const axis = times + (this.timed.length > 1 ? TIMES : 0);
    return {records, times, axis, height: axis + AXIS * (this.timed.length > 1 ? 2 : 1)};
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
    const moments = [this.from, this.to].map((at) => momentAt(this.timed, Math.max(at, this.timed[0]?.start ?? 0)));
    const time = this.timed.length < 2 || moments[0] === null || moments[1] === null ? "" : `, ${this.duration(Math.abs(moments[1] - moments[0]))}`;
    this.range.textContent = (width >= this.size ? `whole file, ${byteSize(this.size)}`
      : `${hex(this.from)} to ${hex(this.to)}, ${byteSize(this.to - this.from)}`) + time + this.blockText();
    this.draw();
  }

  /**
   * @param {number} factor of the width shown
   * @param {number} [around] an offset that stays in its place
   */
  zoom(factor, around) {
    const width = this.to - this.from;
    const wanted = around ?? this.cursor ?? this.selected?.offset;
    const centre = wanted !== undefined && wanted >= this.from && wanted <= this.to ? wanted : this.from + width / 2;
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

  // Pixels, offsets, times.

  /** @param {number} offset */
  x(offset) {
    return this.gutter + (offset - this.from) / (this.to - this.from) * this.width;
  }
  /** @param {number} x */
  offsetAt(x) {
    return this.from + Math.min(Math.max((x - this.gutter) / this.width, 0), 1) * (this.to - this.from);
  }
  /** @param {number} x of the brush */
  brushedAt(x) {
    return Math.min(Math.max((x - this.gutter) / this.width, 0), 1) * this.size;
  }
  /** @param {number} amount */
  duration(amount) {
    return duration(amount, this.file?.clock[1]);
  }
  /**
   * How long after the first record what is at an offset was written; empty if its part of the map does not say.
   * @param {number} offset
   */
  when(offset) {
    const moment = this.stretchAt(offset)?.moment ?? null;
    return moment === null ? "" : ` at +${this.duration(moment)}`;
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
    this.pointed.textContent = this.describe(event.offsetX, event.offsetY);
  }

  /**
   * A click selects a finding or a record; a drag zooms to what it spans.
   * @param {PointerEvent} event
   */
  release(event) {
    if (!this.drag) return;
    const [from, to] = this.drag;
    this.drag = null;
    if (Math.abs(to - from) > 6) return this.view(this.offsetAt(Math.min(from, to)), this.offsetAt(Math.max(from, to)));
    this.cursor = null;
    this.paint();
    this.pointed.textContent = this.describe(event.offsetX, event.offsetY);
    this.choose(event.offsetX, event.offsetY < 3 * LANE ? 2 - Math.floor(event.offsetY / LANE) : -1);
  }

  /**
   * Selects what is at a column.
   * @param {number} x
   * @param {number} severity
   */
  choose(x, severity) {
    const finding = this.nearest(x, severity);
    if (finding) return this.onSelect(finding);
    const {here} = recordsAround(this.records, this.offsetAt(x));
    if (severity < 0 && here) this.onPlace(here.start, here.end);
  }

  /**
   * The part that is shown follows the pointer: from its edges it changes its size, within it moves, and where it is
   * the whole file, or elsewhere, a new one begins.
   * @param {PointerEvent} event
   */
  pressBrush(event) {
    this.brush.setPointerCapture(event.pointerId);
    const scale = this.width / this.size, x = event.offsetX - this.gutter, at = this.brushedAt(event.offsetX);
    const {from, to} = this, isAll = to - from >= this.size;
    if (!isAll && Math.abs(x - from * scale) < 6) this.brushing = (offset) => this.view(Math.min(offset, to), Math.max(offset, to));
    else if (!isAll && Math.abs(x - to * scale) < 6) this.brushing = (offset) => this.view(Math.min(offset, from), Math.max(offset, from));
    else if (!isAll && at > from && at < to) this.brushing = (offset) => this.view(from + offset - at, to + offset - at);
    else this.brushing = (offset) => { if (Math.abs(offset - at) * scale > 4) this.view(Math.min(offset, at), Math.max(offset, at)); };
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (document.activeElement !== this.canvas && !event.ctrlKey) return;
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? 1.5 : 1 / 1.5, this.offsetAt(event.offsetX));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = event.shiftKey ? 0.1 : 0.01;
    /** @type {Object<string, () => void>} */
    const actions = {"+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2),
                     ArrowLeft: () => this.point(-step), ArrowRight: () => this.point(step),
                     PageUp: () => this.pan(-0.5), PageDown: () => this.pan(0.5),
                     Home: () => this.view(0, this.to - this.from), End: () => this.view(this.size, this.size * 2),
                     "0": () => this.view(0, this.size),
                     Enter: () => { if (this.cursor !== null) this.choose(this.x(this.cursor), -1); }};
    if (!actions[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  /**
   * Moves the cursor of the keyboard, and says what is there.
   * @param {number} by share of the width shown
   */
  point(by) {
    const width = this.to - this.from;
    const isVisible = this.cursor !== null && this.cursor >= this.from && this.cursor <= this.to;
    const from = isVisible && this.cursor !== null ? this.cursor : this.from + width / 2;
    this.cursor = Math.min(Math.max(from + by * width, 0), this.size - 1);
    if (this.cursor < this.from || this.cursor > this.to) this.pan(Math.sign(by) * 0.5);
    this.pointed.setAttribute("aria-live", "polite");
    this.pointed.textContent = this.describe(this.x(this.cursor), -1);
    this.paint();
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
   * The parts that are shown.
   * @template {Span} T
   * @param {T[]} parts by offset
   */
  shown(parts) {
    return parts.slice(lowerBound(parts, (one) => one.end <= this.from), lowerBound(parts, (one) => one.start < this.to));
  }

  /** @param {number} offset */
  stretchAt(offset) {
    return this.stretches[lowerBound(this.stretches, (one) => one.end <= offset)] ?? null;
  }

  /**
   * What is at a column, and in the lane there.
   * @param {number} x
   * @param {number} y
   */
  describe(x, y) {
    const offset = Math.floor(this.offsetAt(x));
    const lane = this.lanes[Math.floor((y - this.layout().records) / ROW)];
    const part = lane?.parts[lowerBound(lane.parts, ({end}) => end <= offset)];
    const isThere = part && part.start <= offset;
    const finding = this.nearest(x, -1);
    return [hex(offset) + this.when(offset) + this.recordsAt(offset),
            ...(lane && isThere && part.share < 1 ? [`${lane.name}: up to ${Math.round(100 * part.share)} % of the bytes here`] : []),
            ...(finding ? [`${SEVERITIES[finding.severity]}: ${finding.message}`] : []),
            ...[2, 1, 0].flatMap((severity) => this.unlisted[severity]
              .filter(({start, end}) => start <= offset && offset < end)
              .map(({count}) => `${counted(count, SEVERITIES[severity])} about here not listed`))].join("; ");
  }

  /** @param {number} offset */
  recordsAt(offset) {
    const {here} = recordsAround(this.records, offset), stretch = this.stretchAt(offset);
    if (here) return `: ${here.kind} at ${hex(here.start)}, ${counted(here.end - here.start, "byte")}`;
    if (!stretch) return "";
    if (stretch.kind < 0) return ": not recognised as a record";
    return `: ${counted(stretch.records, "record")} from ${hex(stretch.start)}, mostly ${this.file?.kinds[stretch.kind][0]}`;
  }

  /** How wide a block of a lane is, in pixels; 0: lanes have single records. */
  blockWidth() {
    return (this.file?.lanes[0] ?? 0) / (this.to - this.from) * this.width;
  }

  /** How many records a block stands for, where it is wide enough to be taken for one. */
  blockText() {
    const total = this.file?.kinds.reduce((sum, [, records]) => sum + records, 0) ?? 0;
    const each = Math.round(total * (this.file?.lanes[0] ?? 0) / this.size);
    return this.blockWidth() < WIDE_BLOCK || each < 2 ? "" : `; a pale block stands for about ${counted(each, "record")}`;
  }

  // Drawing.

  draw() {
    const scale = window.devicePixelRatio || 1, {height, records, times, axis} = this.layout();
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const context = this.ground.getContext("2d");
    if (!context) return;
    context.font = FONT;
    const widest = this.lanes.reduce((most, lane) => Math.max(most, context.measureText(lane.name).width + 22), 0);
    this.gutter = Math.round(Math.min(Math.max(widest, LEAST_GUTTER), MOST_GUTTER, Math.max(0.3 * width, LEAST_GUTTER)));
    this.width = Math.max(width - this.gutter - MARGIN, 1);
    this.canvas.style.height = `${height}px`;
    for (const canvas of [this.canvas, this.ground]) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const colour = this.colours();
    context.setTransform(scale, 0, 0, scale, 0, 0);
    Object.assign(context, {font: FONT, textBaseline: "middle"});
    this.lanes.forEach((lane, i) => this.drawLane(context, colour, lane, i, records + i * ROW));
    if (axis > times) this.drawTimes(context, colour, times);
    this.drawAxis(context, colour, axis);
    for (const severity of [0, 1, 2]) this.drawFindings(context, colour, severity);
    this.paint();
    this.drawBrush(colour, scale);
  }

  /**
   * The colours of the page at the moment, by name.
   * @returns {Colours}
   */
  colours() {
    const style = getComputedStyle(this.canvas);
    return (name) => style.getPropertyValue(name).trim();
  }

  /** Paints what was drawn, the selected finding, the cursor, and the part that a drag spans. */
  paint() {
    const scale = window.devicePixelRatio || 1, {height} = this.layout();
    const context = this.canvas.getContext("2d");
    if (!context || this.ground.width === 0) return;
    const colour = this.colours();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.ground, 0, 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.drawSelected(context, colour);
    if (this.cursor !== null && this.cursor >= this.from && this.cursor <= this.to) {
      context.fillStyle = colour("--focus");
      context.fillRect(Math.round(this.x(this.cursor)) - 1, 0, 2, height - AXIS);
    }
    if (this.drag) {
      context.fillStyle = colour("--lit");
      context.globalAlpha = 0.5;
      context.fillRect(Math.min(...this.drag), 0, Math.abs(this.drag[1] - this.drag[0]), height);
      context.globalAlpha = 1;
    }
  }

  /**
   * The whole file: where it has errors and warnings, and the part that is shown.
   * @param {Colours} colour
   * @param {number} scale
   */
  drawBrush(colour, scale) {
    this.brush.width = Math.round(this.brush.clientWidth * scale);
    this.brush.height = Math.round(BRUSH * scale);
    const context = this.brush.getContext("2d");
    if (!context) return;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const x = (/** @type {number} */ offset) => this.gutter + offset / this.size * this.width;
    context.fillStyle = colour("--sunken");
    context.fillRect(this.gutter, 0, this.width, BRUSH);
    context.fillStyle = colour("--lit");
    context.fillRect(x(this.from), 0, Math.max(x(this.to) - x(this.from), 2), BRUSH);
    for (const severity of [0, 1, 2]) {
      context.fillStyle = colour(`--${SEVERITIES[severity]}`);
      const columns = new Set(this.findings.filter((one) => one.severity === severity).map((one) => Math.round(x(one.offset))));
      for (const {start, end} of this.unlisted[severity])
        for (let at = Math.round(x(start)); at < x(end); at += 3) columns.add(at);
      for (const column of columns) context.fillRect(column, 4 * (2 - severity) + 3, 1.5, BRUSH - 6 - 4 * (2 - severity));
    }
    context.fillStyle = colour("--focus");
    for (const offset of [this.from, this.to]) context.fillRect(x(offset) - 1, 0, 2, BRUSH);
    context.fillStyle = colour("--quiet");
    Object.assign(context, {font: FONT, textBaseline: "middle"});
    context.fillText("whole file", 0, BRUSH / 2);
  }

  /**
   * Records of one kind: where they are, and as high as their share of the bytes.
   * @param {CanvasRenderingContext2D} context
   * @param {Colours} colour
   * @param {Lane} lane
   * @param {number} rank
   * @param {number} top
   */
  drawLane(context, colour, lane, rank, top) {
    const height = ROW - 3, isOther = lane.kind < 0, block = this.blockWidth(), isWide = block >= WIDE_BLOCK;
    const fill = colour(isOther ? "--unknown" : `--hue${Math.min(rank, HUES - 1)}`);
    context.fillStyle = colour("--sunken");
    context.fillRect(this.gutter, top, this.width, height);
    context.fillStyle = fill;
    context.fillRect(0, top + 2, 8, 8);
    // Cells touch, single records do not. A rare, short one is to be seen, too.
    const drawPart = (/** @type {Span} */ part, /** @type {number} */ high, /** @type {boolean} */ isCell) => {
      const left = Math.max(this.x(part.start), this.gutter), right = Math.min(this.x(part.end), this.gutter + this.width);
      const width = Math.max(right - left + (isCell ? 0.7 : right - left > 4 ? -1 : 0), 1.5);
      context.fillRect(left, top + height - high, width, high);
      if (isOther) hatch(context, colour("--text"), left, top + height - high, width, high);
    };
    context.globalAlpha = isWide ? 0.4 : 1;
    for (const part of this.shown(lane.parts)) drawPart(part, Math.max(part.share * height, 3), block > 0);
    context.globalAlpha = 1;
    if (isWide) for (const record of this.shown(this.records)) if (lane.names.includes(record.kind)) drawPart(record, height, false);
    const name = shortened(context, lane.name, this.gutter - 18);
    context.fillStyle = colour("--text");
    context.fillText(name, 12, top + height / 2 + 0.5);
  }

  /**
   * When the records were written: a line that rises, unless they are out of order.
   * @param {CanvasRenderingContext2D} context
   * @param {Colours} colour
   * @param {number} top
   */
  drawTimes(context, colour, top) {
    const height = TIMES - 6;
    const first = Math.max(lowerBound(this.timed, (one) => one.end <= this.from) - 1, 0);
    const shown = this.timed.slice(first, lowerBound(this.timed, (one) => one.start < this.to) + 1);
    let least = Infinity, most = -Infinity;
    for (const {moment} of shown) least = Math.min(least, moment ?? 0), most = Math.max(most, moment ?? 0);
    const y = (/** @type {number} */ moment) => top + 3 + height * (1 - (most > least ? (moment - least) / (most - least) : 0.5));
    context.fillStyle = colour("--quiet");
    context.fillText("time", 12, top + 3 + height / 2);
    context.save();
    context.beginPath();
    context.rect(this.gutter, top, this.width, TIMES);
    context.clip();
    context.strokeStyle = colour("--focus");
    context.lineWidth = 1.5;
    context.beginPath();
    for (const {start, moment} of shown) context.lineTo(this.x(start), y(moment ?? 0));
    if (shown.length > 0) context.lineTo(this.gutter + this.width, y(shown.at(-1)?.moment ?? 0));
    context.stroke();
    context.restore();
  }

  /**
   * Offsets, and below them how long after the first record the records there were written.
   * @param {CanvasRenderingContext2D} context
   * @param {Colours} colour
   * @param {number} top
   */
  drawAxis(context, colour, top) {
    context.fillStyle = colour("--quiet");
    const steps = Math.max(Math.floor(this.width / 170), 1);
    for (let i = 0; i <= steps; ++i) {
      const x = this.gutter + i / steps * this.width, offset = Math.round(this.offsetAt(x));
      const moment = this.timed.length > 1 ? momentAt(this.timed, offset) : null;
      [hex(offset), ...(moment === null ? [] : [`+${this.duration(moment)}`])].forEach((text, line) => {
        const width = context.measureText(text).width;
        const left = i === 0 ? x : i === steps ? x - width : x - width / 2;
        context.fillText(text, left, top + line * AXIS + AXIS / 2 + 1);
      });
      context.fillRect(Math.min(x, this.gutter + this.width - 1), top - 2, 1, 3);
    }
  }

  /**
   * The findings of one severity. Many in one column are drawn once.
   * @param {CanvasRenderingContext2D} context
   * @param {Colours} colour
   * @param {number} severity
   */
  drawFindings(context, colour, severity) {
    const y = (2 - severity) * LANE + LANE / 2;
    context.fillStyle = colour(`--${SEVERITIES[severity]}`);
    drawMark(context, severity, 4, y, 4);
    context.fillStyle = colour("--text");
    context.fillText(SEVERITIES[severity] + "s", 12, y);
    context.strokeStyle = colour("--line");
    context.beginPath();
    context.moveTo(this.gutter, y);
    context.lineTo(this.gutter + this.width, y);
    context.stroke();
    for (const {start, end} of this.unlisted[severity]) {
      if (end <= this.from || start >= this.to) continue;
      const left = Math.max(this.x(start), this.gutter), right = Math.min(this.x(end), this.gutter + this.width);
      hatch(context, colour(`--${SEVERITIES[severity]}`), left, y - LANE / 2 + 2, Math.max(right - left, 2), LANE - 4, 1);
    }
    context.fillStyle = colour(`--${SEVERITIES[severity]}`);
    let last = -1;
    // An earlier, long finding may reach into the part that is shown; its bytes are drawn only if it begins here.
    for (let i = lowerBound(this.findings, (one) => one.offset < this.from); i < this.findings.length; ++i) {
      const finding = this.findings[i];
      if (finding.offset > this.to) break;
      if (finding.severity !== severity) continue;
      const x = Math.round(this.x(finding.offset));
      const end = Math.min(this.x(finding.offset + finding.length), this.gutter + this.width);
      if (end - x > 6) context.fillRect(x, y - 1.5, end - x, 3);
      if (x === last) continue;
      last = x;
      drawMark(context, severity, x, y, 4);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Colours} colour
   */
  drawSelected(context, colour) {
    if (!this.selected || this.selected.offset < this.from || this.selected.offset > this.to) return;
    const {severity, offset} = this.selected;
    const x = Math.round(this.x(offset)), y = (2 - severity) * LANE + LANE / 2;
    context.strokeStyle = colour("--text");
    context.strokeRect(x - 0.5, y + LANE / 2, 1, this.layout().axis - y - LANE / 2);
    context.fillStyle = colour(`--${SEVERITIES[severity]}`);
    drawMark(context, severity, x, y, 6.5);
  }
}
