// @ts-check
// The page as a whole: summary, files, statistics, keyboard, links. render(report) builds it from a report.
"use strict";

/** Findings that a print shows at most. */
const PRINTED = 1000;
/** Files that the list shows at a time. */
const FILES_SHOWN = 200;
/** Pairs of files that are shown unfolded. */
const PAIRS_ON_TOP = 5;

/**
 * What a surrounding page offers for a file, as buttons; a report by itself offers nothing.
 * @type {(file: FileReport) => HTMLElement[]}
 */
let actionsFor = () => [];
/**
 * The same for a finding.
 * @type {(file: FileReport, finding: Finding) => HTMLElement[]}
 */
let actionsForFinding = () => [];

class Page {
  /**
   * @param {CheckReport} report
   * @param {HTMLElement} root
   */
  constructor(report, root) {
    this.report = report;
    this.root = root;
    this.fileIndex = -1;
    this.lifetime = new AbortController();
    /** @type {Finding[]} */ this.findings = [];
    /** @type {?Finding} */ this.selected = null;
    this.list = new FindingList((finding) => this.choose(finding));
    this.strip = new Strip((finding) => this.choose(finding), (start, end) => this.go(`#${this.prefix()}${hex(start)}+${end - start}`));
    this.detail = new Detail((by) => this.step(by));
    this.summary = el("section", {id: "summary", "aria-label": "Summary of the file"});
    this.statistics = el("section", {id: "statistics", "aria-labelledby": "statistics-title"});
    this.filesShown = FILES_SHOWN;
    this.files = el("section", {id: "files", "aria-labelledby": "files-title"});
    this.pairs = this.pairings();
    root.replaceChildren(
      el("header", {}, el("h1", {}, "tracelint"), el("p", {id: "verdict"}, this.verdict()),
         el("button", {class: "small", id: "theme", onclick: () => this.switchTheme()}, "dark / light")),
      el("main", {}, ...(this.pairs.length > 0 ? [this.together()] : []), this.files, this.summary, this.strip.element,
         el("div", {id: "panes"}, this.list.element, this.detail.element), this.statistics),
      this.footer());
    document.title = this.title();
    this.listen();
    this.open(location.hash);
  }

  listen() {
    const {signal} = this.lifetime;
    const narrow = window.matchMedia("(max-width: 700px)");
    document.addEventListener("keydown", (event) => this.key(event), {signal});
    this.root.addEventListener("pointerover", ({target, pointerType}) => this.explain(pointerType === "mouse" ? target : null), {signal});
    this.root.addEventListener("focusin", ({target}) =>
      this.explain(target instanceof Element && target.matches(":focus-visible") ? target : null), {signal});
    document.addEventListener("scroll", () => this.explain(null), {signal, capture: true});
    window.addEventListener("hashchange", () => this.go(location.hash), {signal});
    window.addEventListener("beforeprint", () => this.list.unfold(PRINTED), {signal});
    narrow.addEventListener("change", () => this.detail.view?.fill(), {signal});
    // The map is drawn in the colours of the moment; paper has its own.
    for (const query of ["(prefers-color-scheme: dark)", "print"])
      window.matchMedia(query).addEventListener("change", () => this.strip.draw(), {signal});
  }

  /** Ends the page, so that another one can take its place. */
  close() {
    this.lifetime.abort();
  }

  /** What a run found, in one sentence. */
  verdict() {
    const {summary} = this.report;
    const total = summary.counts;
    const found = [2, 1, 0].filter((severity) => total[severity] > 0)
      .map((severity) => counted(total[severity], SEVERITIES[severity]));
    let text = `${counted(summary.files, "file")} checked: `;
    text += total[2] + total[1] > 0 ? found.join(", ") : ["ok", ...found].join(", ");
    if (summary.unreadable > 0) text += `; ${counted(summary.unreadable, "file")} could not be read`;
    if (summary.skipped > 0) text += `; ${summary.skipped.toLocaleString("en")} skipped`;
    if (summary.incomplete) text += `; ${summary.incomplete}, ${counted(summary.not_checked, "input")} not checked`;
    return text + ".";
  }

  /** What files say together, which comes before everything else. */
  pairings() {
    return this.report.files.flatMap((file) => file.pairings);
  }

  together() {
    // The worst that was found about two files.
    const found = this.report.files.flatMap((file) => file.findings.filter(([, , , , , , , , other]) => other));
    const worst = found.reduce((most, [, severity]) => Math.max(most, severity), 0);
    const lines = this.pairs.map((text) => el("p", {class: "pairing"}, text));
    const more = lines.splice(PAIRS_ON_TOP);
    return el("section", {id: "together", class: worst > 0 ? SEVERITIES[worst] : "ok", "aria-label": "Files that belong together"},
              worst > 0 ? badge(worst) : okBadge(), ...lines,
              ...(more.length > 0 ? [el("details", {}, el("summary", {}, counted(more.length, "more pair")), ...more)] : []));
  }

  /** What precedes an offset in a hash that is about the file that is shown. */
  prefix() {
    return this.report.files.length > 1 ? `${this.fileIndex + 1}:` : "";
  }

  title() {
    const {files} = this.report;
    return files.length === 1 ? `${baseName(files[0].path)} – tracelint` : `${counted(this.report.summary.files, "file")} – tracelint`;
  }

  footer() {
    const key = (/** @type {string} */ name, /** @type {string} */ does) => el("span", {class: "key"}, el("kbd", {}, name), ` ${does}`);
    this.keys = /** @type {HTMLDialogElement} */ (el("dialog", {id: "keys", "aria-label": "Keys", onclick: () => this.keys?.close()},
      el("h2", {}, "Keys"),
      el("p", {class: "keys"}, key("j", "next finding"), key("k", "previous finding"), key("Enter", "read it"), key("/", "filter"),
         key("Esc", "leave the filter"), key("?", "this list")),
      el("p", {class: "keys"}, "On the map:", key("+ −", "zoom"), key("← →", "point at what is there"), key("Enter", "open it"),
         key("Page Up, Page Down", "move"), key("0", "the whole file"))));
    this.tip = el("div", {id: "tip", role: "tooltip", hidden: true});
    return el("footer", {}, this.keys, this.tip,
      el("p", {class: "keys"}, key("j", "next finding"), key("k", "previous"), key("/", "filter"), key("?", "all keys")),
      el("p", {}, `${this.report.tool.name} ${this.report.tool.version}. This file is complete in itself and loads nothing from the network.`));
  }

  // Files.

  /**
   * Shows what a hash asks for, or the worst finding of the first file.
   * @param {string} hash
   */
  open(hash) {
    if (this.report.files.length === 0) return this.fillFiles();
    const wanted = parseHash(hash);
    const isThere = wanted && wanted.file < this.report.files.length;
    this.showFile(isThere ? wanted.file : this.worstFile());
    if (isThere) this.go(hash);
    else this.select(this.first(), false, false);
  }

  /** The finding that a file opens with: its worst, but no note, as healthy files have notes. */
  first() {
    const finding = this.list.neighbour(0);
    return finding && finding.severity > 0 ? finding : null;
  }

  /** The first file of those with the worst verdict. */
  worstFile() {
    const {files} = this.report;
    for (const severity of [2, 1, 0]) {
      const index = files.findIndex((file) => file.counts[severity] > 0);
      if (index >= 0) return index;
    }
    return 0;
  }

  /** @param {number} index */
  showFile(index) {
    if (index === this.fileIndex) return;
    this.fileIndex = index;
    const file = this.report.files[index];
    file.close_ups.sort((a, b) => a[0] - b[0]);
    this.findings = findingsOf(this.report, index);
    this.selected = null;
    this.fillFiles();
    this.fillSummary(file);
    this.strip.show(this.report, file, this.findings);
    this.list.show(this.findings, file);
    this.detail.clear(file);
    this.fillStatistics(file);
  }

  fillFiles() {
    const {files, summary} = this.report;
    const dropped = summary.files - files.length;
    this.files.hidden = files.length <= 1 && dropped === 0;
    if (this.files.hidden) return;
    // The worst come first.
    const rank = (/** @type {FileReport} */ file) => file.failure ? 4 : file.counts.reduce((worst, count, i) => count > 0 ? 1 + i : worst, 0);
    const order = files.map((_, i) => i).sort((a, b) => rank(files[b]) - rank(files[a]) || a - b);
    const body = el("tbody");
    const folder = commonFolder(files.map((file) => file.path));
    const shown = Math.max(this.filesShown, order.indexOf(this.fileIndex) + 1);
    for (const i of order.slice(0, shown)) {
      const file = files[i];
      const choose = (/** @type {Event} */ event) => {
        event.preventDefault();
        this.showFile(i);
        this.select(this.first(), true);
        if (!this.selected) history.replaceState(null, "", `#${i + 1}:0x0`);
      };
      body.append(el("tr", {class: file.verdict, "aria-current": i === this.fileIndex ? "true" : null},
        el("td", {}, verdictOf(file)),
        el("th", {scope: "row"}, el("a", {href: `#${i + 1}:0x0`, title: file.path, onclick: choose}, file.path.slice(folder.length))),
        ...[2, 1, 0].map((severity) => el("td", {class: "number"}, file.counts[severity] ? file.counts[severity].toLocaleString("en") : "–")),
        el("td", {}, file.format || "unknown"), el("td", {class: "number"}, file.size === null ? "" : byteSize(file.size))));
    }
    const columns = ["Verdict", "File", "Errors", "Warnings", "Notes", "Format", "Size"];
    const isNumber = (/** @type {string} */ name) => ["Errors", "Warnings", "Notes", "Size"].includes(name);
    this.files.replaceChildren(
      el("h2", {id: "files-title"}, counted(files.length + dropped, "file"), folder ? el("span", {class: "absent"}, ` in ${folder}`) : ""),
      el("div", {class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "files-title"}, el("table", {},
        el("thead", {}, el("tr", {}, ...columns.map((name) => el("th", {scope: "col", class: isNumber(name) ? "number" : null}, name)))),
        body)));
    const current = body.querySelector("[aria-current]");
    const frame = this.files.querySelector(".scroll");
    if (current instanceof HTMLElement && frame) frame.scrollTop = current.offsetTop - frame.clientHeight / 2;
    if (files.length > shown)
      this.files.append(el("button", {class: "small", onclick: () => { this.filesShown = files.length; this.fillFiles(); }},
                           `Show ${files.length - shown} more`));
    if (dropped > 0)
      this.files.append(el("p", {class: "absent"}, `${counted(dropped, "more file")} left out to keep this report small.`));
  }

  /** @param {FileReport} file */
  fillSummary(file) {
    /** @type {HTMLElement[]} */ const facts = [];
    const fact = (/** @type {string} */ name, /** @type {string} */ value) =>
      facts.push(el("div", {}, el("dt", {}, name), el("dd", {}, value)));
    const tiles = [2, 1, 0].map((severity) =>
      el("div", {class: `tile ${SEVERITIES[severity]} ${file.counts[severity] ? "" : "none"}`},
         el("span", {class: "caption"}, el("span", {"aria-hidden": "true"}, MARKS[severity] + " "), SEVERITIES[severity] + "s"),
         el("span", {class: "value"}, file.counts[severity].toLocaleString("en"))));
    const format = file.format ? `${file.format}${file.format_version === null ? "" : ` version ${file.format_version}`}` : "unknown";
    fact("format", format + (file.container ? ` in ${file.container}` : ""));
    if (file.size !== null) fact("size", byteSize(file.size));
    const records = file.statistics.find(([name]) => name === "records");
    if (records) fact("records", records[1].toLocaleString("en"));
    if (file.byte_order) fact("byte order", file.byte_order + (file.word_size ? `, ${8 * file.word_size} bits` : ""));
    const children = [el("div", {class: "summary-head"}, verdictOf(file), el("h2", {class: "path"}, file.path)),
                      el("div", {class: "tiles"}, ...tiles), el("dl", {class: "facts"}, ...facts),
                      ...file.readers.map(([severity, text]) =>
                        el("p", {class: `verdict ${SEVERITIES[severity] ?? ""}`},
                           el("span", {"aria-hidden": "true"}, severity < 0 ? "" : MARKS[severity] + " "), text)),
                      ...(file.recording ? [el("p", {class: "pairing"}, file.recording)] : [])];
    const actions = actionsFor(file);
    if (actions.length > 0) children.push(el("p", {class: "actions"}, ...actions));
    if (file.failure) children.push(el("p", {class: "failure"}, `Reading the file failed: ${file.failure}`));
    const left = [];
    const {findings, closeUps} = leftOut(file);
    if (findings > 0) left.push(counted(findings, "finding"));
    if (closeUps > 0) left.push(counted(closeUps, "window") + " of bytes");
    if (left.length > 0)
      children.push(el("p", {class: "absent dropped"}, `Left out to keep this report small: ${left.join(" and ")}.`));
    this.summary.replaceChildren(...children);
  }

  /** @param {FileReport} file */
  fillStatistics(file) {
    const total = file.kinds.reduce((sum, [, , bytes]) => sum + bytes, 0) || 1;
    const kinds = file.kinds.slice().sort((a, b) => b[2] - a[2]);
    const children = [el("h2", {id: "statistics-title"}, "Statistics")];
    const table = (/** @type {string} */ caption, /** @type {string[]} */ columns, /** @type {HTMLElement[]} */ rows) =>
      el("div", {class: "scroll"}, el("table", {}, el("caption", {}, caption),
        el("thead", {}, el("tr", {}, ...columns.map((name) => el("th", {scope: "col"}, name)))), el("tbody", {}, ...rows)));
    const number = (/** @type {number} */ value) => el("td", {class: "number"}, value.toLocaleString("en"));
    if (kinds.length > 0)
      children.push(table("Records by kind", ["Kind", "Records", "Bytes", "Share"], kinds.map(([name, records, bytes], rank) =>
        el("tr", {}, el("th", {scope: "row"}, el("span", {class: `swatch hue${Math.min(rank, HUES - 1)}`}), name), number(records), number(bytes),
           el("td", {class: "share"}, el("meter", {min: 0, max: 1, value: bytes / total, "aria-label": `share of ${name}`}),
              ` ${(100 * bytes / total).toFixed(1)} %`)))));
    if (file.statistics.length > 0)
      children.push(table("Counted by the check", ["What", "Count"], file.statistics.map(([name, count]) =>
        el("tr", {}, el("th", {scope: "row"}, name), number(count)))));
    if (file.not_shown.length > 0)
      children.push(table("Findings that are counted but not listed", ["Rule", "Count"], file.not_shown.map(([rule, count]) =>
        el("tr", {}, el("th", {scope: "row"}, el("code", {}, rule)), number(count)))));
    this.statistics.replaceChildren(...children);
    this.statistics.hidden = children.length === 1;
  }

  // Findings.

  /**
   * Selects a finding that the user chose, and puts it into the address.
   * @param {Finding} finding
   */
  choose(finding) {
    history.replaceState(null, "", finding.hash);
    this.select(finding, false);
    // On a narrow screen the finding is below the list.
    if (window.matchMedia("(max-width: 900px)").matches) this.detail.element.scrollIntoView({block: "start"});
  }

  /**
   * @param {?Finding} finding
   * @param {boolean} isAddressed whether the address follows
   * @param {boolean} isScrolled whether the list scrolls to it
   */
  select(finding, isAddressed, isScrolled = true) {
    this.selected = finding;
    this.list.select(finding, isScrolled);
    this.strip.select(finding);
    if (!finding) return this.detail.clear(this.report.files[this.fileIndex]);
    if (isAddressed) history.replaceState(null, "", finding.hash);
    this.detail.show(this.report, this.report.files[this.fileIndex], finding, this.prefix(), this.findings, this.strip.when(finding.offset));
  }

  /**
   * Goes to the place that a hash names: a finding there, or the bytes.
   * @param {string} hash
   */
  go(hash) {
    const wanted = parseHash(hash);
    if (!wanted || wanted.file >= this.report.files.length) return;
    this.showFile(wanted.file);
    const here = this.findings.filter((one) => one.offset === wanted.offset);
    const finding = here.find((one) => one.rule.id === wanted.rule) ?? here[0];
    if (location.hash !== hash) history.replaceState(null, "", hash);
    if (finding) return this.select(finding, false);
    this.selected = null;
    this.list.select(null);
    this.detail.showPlace(this.report, this.report.files[this.fileIndex],
                          {start: wanted.offset, end: wanted.offset + wanted.length}, this.prefix());
  }

  /** @param {number} by */
  step(by) {
    const finding = this.list.neighbour(by);
    if (finding) this.select(finding, true);
  }

  /**
   * Shows what the rule says that an element names, or the section of the specification, as long as the pointer or the focus
   * is there.
   * @param {?EventTarget} target
   */
  explain(target) {
    const about = target instanceof Element ? target.closest("[data-rule], details:not([open]) > [data-section]") : null;
    if (!this.tip) return;
    this.tip.hidden = !about;
    if (!about) return;
    const section = about.getAttribute("data-section");
    this.tip.classList.toggle("section", section !== null);
    this.tip.replaceChildren(...(section ? [el("h3", {}, about.textContent), ...sectionElements(this.report.sections[Number(section)][1])]
      : this.aboutRule(about.getAttribute("data-rule"))));
    const {left, bottom, top} = about.getBoundingClientRect(), {width, height} = this.tip.getBoundingClientRect();
    const wanted = bottom + height + 8 < window.innerHeight ? bottom + 4 : top - height - 4;
    this.tip.style.left = `${Math.max(Math.min(left, window.innerWidth - width - 8), 8)}px`;
    this.tip.style.top = `${Math.max(Math.min(wanted, window.innerHeight - height - 4), 4)}px`;
  }

  /** @param {?string} id */
  aboutRule(id) {
    const rule = this.report.rules.find((one) => one.id === id);
    if (!rule) return [];
    const line = (/** @type {string} */ name, /** @type {string} */ text) => text ? [el("p", {}, el("b", {}, name), text)] : [];
    return [el("p", {}, badge(rule.severity), " ", el("code", {}, rule.id)), ...line("The format requires: ", rule.statement),
            ...line("Otherwise: ", rule.why), ...line("Specification: ", rule.spec), ...line("Checked since: ", rule.since)];
  }

  switchTheme() {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    this.strip.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape") this.explain(null);
    if (event.key === "Escape" && target === this.list.search) return target.blur();
    if (target.matches("input[type=search], select")) {
      if (event.key === "Enter" && target === this.list.search) {
        target.blur();
        this.select(this.list.neighbour(0), true);
      }
      return;
    }
    /** @type {Object<string, () => void>} */
    const actions = {
      j: () => this.step(1),
      k: () => this.step(-1),
      "/": () => this.list.search.focus(),
      "?": () => { if (!this.keys?.open) this.keys?.showModal(); },
      Enter: () => { this.detail.element.scrollIntoView({block: "nearest"}); this.detail.element.focus(); },
    };
    if (!actions[event.key]) return;
    // Enter on a button or a link is theirs.
    if (event.key === "Enter" && target.matches("a, button, summary, input")) return;
    event.preventDefault();
    actions[event.key]();
  }
}

/** @type {?Page} */
let shownPage = null;

/**
 * Builds the page from a report, which may come from anywhere, in place of the one before.
 * @param {CheckReport} report
 * @param {HTMLElement} root
 */
function render(report, root) {
  shownPage?.close();
  shownPage = new Page(report, root);
}

{
  const island = document.getElementById("report");
  const root = document.getElementById("page");
  if (island?.textContent && root) render(JSON.parse(island.textContent), root);
}
