// @ts-check
// The list of findings, grouped by rule: filters, folding, selection.
"use strict";

/** Findings of a group that are added to the page at a time. */
const CHUNK = 100;
/** Of a larger group, the first finding stands for those like it. */
const SMALL_GROUP = 3;

/**
 * @typedef {{rule: Rule, severity: number, items: Finding[], isOpen: boolean, shown: number, list: HTMLElement,
 *    head: HTMLElement}} Group
 */

class FindingList {
  /** @param {(finding: Finding) => void} onSelect called when the user chooses a finding */
  constructor(onSelect) {
    this.onSelect = onSelect;
    /** @type {Finding[]} */ this.findings = [];
    /** @type {Group[]} */ this.groups = [];
    /** Whether the user folded or unfolded a group, by rule and severity. @type {Map<string, boolean>} */
    this.folding = new Map();
    /** @type {?Finding} */ this.selected = null;
    /** The findings of all groups, in order. */
    this.order = /** @type {Finding[]} */ ([]);
    /** Where in this order a finding stands. @type {Map<Finding, number>} */ this.places = new Map();
    /** @type {Map<Finding, HTMLElement>} */ this.rows = new Map();
    /** The row that is marked as selected. @type {HTMLElement|undefined} */ this.marked = undefined;
    this.severities = new Set([0, 1, 2]);
    this.rule = "";
    this.words = "";

    this.toggles = [2, 1, 0].map((severity) => this.toggle(severity));
    this.ruleChoice = /** @type {HTMLSelectElement} */ (el("select", {
      id: "rule-filter", onchange: () => { this.rule = this.ruleChoice.value; this.refresh(); }}));
    this.search = /** @type {HTMLInputElement} */ (el("input", {
      id: "text-filter", type: "search", placeholder: "offset, field or word", autocomplete: "off",
      oninput: () => { this.words = this.search.value.trim().toLowerCase(); this.refresh(); }}));
    this.status = el("p", {id: "shown", role: "status"});
    this.body = el("div", {id: "groups"});
    this.element = el("section", {id: "findings", "aria-labelledby": "findings-title"},
      el("h2", {id: "findings-title"}, "Findings"),
      el("div", {class: "filters"},
        el("fieldset", {}, el("legend", {class: "unseen"}, "Severities"), ...this.toggles),
        el("label", {}, el("span", {class: "caption"}, "Rule"), this.ruleChoice),
        el("label", {}, el("span", {class: "caption"}, "Text"), this.search)),
      this.status, this.body);
  }

  /** @param {number} severity */
  toggle(severity) {
    const box = /** @type {HTMLInputElement} */ (el("input", {
      type: "checkbox", "data-severity": SEVERITIES[severity], checked: true, onchange: () => {
        if (box.checked) this.severities.add(severity);
        else this.severities.delete(severity);
        this.refresh();
      }}));
    return el("label", {class: `toggle ${SEVERITIES[severity]}`}, box, badge(severity),
              el("span", {class: "count"}));
  }

  /**
   * Shows the findings of another file, or those of the first.
   * @param {Finding[]} findings
   * @param {FileReport} file
   */
  show(findings, file) {
    this.findings = findings;
    this.file = file;
    this.selected = null;
    this.rule = "";
    [2, 1, 0].forEach((severity, i) => {
      const count = /** @type {Element} */ (this.toggles[i].querySelector(".count"));
      count.textContent = file.counts[severity].toLocaleString("en");
    });
    const ids = [...new Set(findings.map((finding) => finding.rule.id))].sort();
    this.ruleChoice.replaceChildren(el("option", {value: ""}, `all rules (${ids.length})`),
                                    ...ids.map((id) => el("option", {value: id}, id)));
    this.refresh();
  }

  /** @param {Finding} finding */
  admits(finding) {
    return this.severities.has(finding.severity) && (this.rule === "" || finding.rule.id === this.rule) &&
      (this.words === "" || finding.text.includes(this.words));
  }

  /** Builds the groups again, after a filter changed. */
  refresh() {
    /** @type {Map<string, Group>} */ const groups = new Map();
    let admitted = 0;
    for (const finding of this.findings) {
      if (!this.admits(finding)) continue;
      ++admitted;
      const key = `${finding.severity} ${finding.rule.id}`;
      let group = groups.get(key);
      if (!group) groups.set(key, group = this.newGroup(finding));
      group.items.push(finding);
    }
    this.groups = [...groups.values()].sort((a, b) => b.severity - a.severity || a.items[0].offset - b.items[0].offset);
    this.order = this.groups.flatMap((group) => group.items);
    this.places = new Map(this.order.map((finding, place) => [finding, place]));
    const isFiltered = admitted !== this.findings.length;
    const hasWorse = this.groups.some((group) => group.severity > 0);
    this.rows.clear();
    for (const group of this.groups) {
      // Notes are what healthy files have: they do not push anything worse out of sight.
      const byDefault = group.severity > 0 || !hasWorse || isFiltered || group.items.length <= 3;
      group.isOpen = this.folding.get(this.key(group)) ?? byDefault;
      this.fillGroup(group);
    }
    const elements = this.groups.map((group) => el("section", {class: "group"}, group.head, group.list));
    this.body.replaceChildren(...this.causes(), ...elements);
    this.status.textContent = this.sentence(admitted);
    this.mark();
  }

  /** What the bytes suggest as the cause of several findings. */
  causes() {
    /** @type {Map<string, number>} */ const counts = new Map();
    for (const {cause} of this.order) if (cause) counts.set(cause, (counts.get(cause) ?? 0) + 1);
    return [...counts].filter(([, count]) => count > 1).map(([cause, count]) =>
      el("p", {class: "cause"}, el("b", {}, `Likely cause of ${counted(count, "finding")}: `), cause));
  }

  /** @param {number} admitted */
  sentence(admitted) {
    const total = this.findings.length;
    const missing = this.file ? notListed(this.file) : 0;
    if (total === 0 && this.file?.failure) return "The file could not be checked.";
    if (total === 0)
      return missing === 0 ? "No findings." : `${counted(missing, "finding")} ${missing === 1 ? "was" : "were"} counted but ${missing === 1 ? "is" : "are"} not listed.`;
    const shown = admitted === total ? counted(total, "finding") : `${admitted.toLocaleString("en")} of ${counted(total, "finding")}`;
    return missing === 0 ? `${shown}.` : `${shown}; ${missing.toLocaleString("en")} more were counted but are not listed.`;
  }

  /** @param {Group} group */
  key(group) {
    return `${group.severity} ${group.rule.id}`;
  }

  /**
   * @param {Finding} first
   * @returns {Group}
   */
  newGroup(first) {
    return {rule: first.rule, severity: first.severity, items: [], isOpen: true, shown: 0,
            list: el("ol", {}), head: el("h3")};
  }

  /**
   * Fills in the heading and, if the group is open, the first findings.
   * @param {Group} group
   */
  fillGroup(group) {
    const button = el("button", {"aria-expanded": String(group.isOpen), "data-rule": group.rule.id, onclick: () => {
      group.isOpen = !group.isOpen;
      this.folding.set(this.key(group), group.isOpen);
      this.fillGroup(group);
      this.mark();
    }}, badge(group.severity), " ", el("span", {class: "rule"}, group.rule.id), " ",
      el("span", {class: "count"}, group.items.length.toLocaleString("en")));
    const hadFocus = group.head.contains(document.activeElement);
    group.head.replaceChildren(button);
    if (hadFocus) button.focus();
    group.list.replaceChildren();
    group.shown = 0;
    group.list.hidden = !group.isOpen;
    if (group.isOpen) this.extend(group, group.items.length > SMALL_GROUP ? 1 : SMALL_GROUP);
  }

  /**
   * Shows the first `count` findings of a group at least.
   * @param {Group} group
   * @param {number} count
   */
  extend(group, count) {
    group.list.querySelector(":scope > .more")?.remove();
    const end = Math.min(Math.max(count, group.shown), group.items.length);
    const added = document.createDocumentFragment();
    for (; group.shown < end; ++group.shown) added.append(this.row(group.items[group.shown]));
    const left = group.items.length - end;
    if (left > 0) {
      const more = Math.min(left, end === 1 ? CHUNK - 1 : 10 * CHUNK);
      const label = end === 1 ? `and ${left.toLocaleString("en")} like it`
        : `Show ${more.toLocaleString("en")} more of ${left.toLocaleString("en")}`;
      added.append(el("li", {class: "more"}, el("button", {class: "small", onclick: () => this.extend(group, end + more)}, label)));
    }
    group.list.append(added);
  }

  /** @param {Finding} finding */
  row(finding) {
    const link = el("a", {href: finding.hash, onclick: (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.onSelect(finding);
    }}, el("code", {}, hex(finding.offset)), " ", el("span", {class: "message"}, finding.message),
      finding.field ? el("span", {class: "field"}, finding.field) : null,
      finding.others > 0 ? el("span", {class: "others"}, `${finding.others} more in this record`) : null,
      finding.followers > 0 ? el("span", {class: "others"}, followersOf(finding)) : null);
    this.rows.set(finding, link);
    return el("li", {}, link);
  }

  /**
   * Marks a finding as the selected one and makes it visible, if the filters admit it.
   * @param {?Finding} finding
   * @param {boolean} isScrolled
   */
  select(finding, isScrolled = true) {
    this.selected = finding;
    if (finding) {
      const group = this.groups.find((one) => one.rule === finding.rule && one.severity === finding.severity);
      const place = this.places.get(finding);
      if (group && place !== undefined) {
        const index = place - (this.places.get(group.items[0]) ?? 0);
        if (!group.isOpen) {
          group.isOpen = true;
          this.fillGroup(group);
        }
        if (index >= group.shown) this.extend(group, Math.ceil((index + 1) / CHUNK) * CHUNK);
      }
    }
    this.mark();
    const row = finding && this.rows.get(finding);
    if (row && isScrolled) row.scrollIntoView({block: "nearest"});
  }

  mark() {
    this.marked?.removeAttribute("aria-current");
    this.marked = this.selected ? this.rows.get(this.selected) : undefined;
    this.marked?.setAttribute("aria-current", "true");
  }

  /**
   * The finding `step` places after the selected one in the order of the list; null at its ends.
   * @param {number} step
   */
  neighbour(step) {
    const at = this.selected ? this.places.get(this.selected) : undefined;
    return this.order[at === undefined ? 0 : at + step] ?? null;
  }

  /**
   * Shows every finding, up to a limit, for printing.
   * @param {number} limit
   */
  unfold(limit) {
    for (const group of this.groups) {
      if (limit <= 0) return;
      if (!group.isOpen) {
        group.isOpen = true;
        this.fillGroup(group);
      }
      this.extend(group, limit);
      limit -= group.shown;
    }
  }
}
