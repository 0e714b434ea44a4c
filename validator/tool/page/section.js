// @ts-check
// Sections of a specification, which are written in Markdown, as elements. The page that checks files has none, and does
// without this file.
"use strict";

/**
 * A part of a section: a heading, a paragraph, items of a list, rows of a table or lines of code.
 * @typedef {{kind: "h4"|"p"|"ul"|"ol"|"table"|"pre", lines: string[]}} Block
 */

/**
 * @param {string} markdown
 * @returns {Block[]}
 */
function blocksOf(markdown) {
  /** @type {Block[]} */ const blocks = [];
  /** What the next line may continue. @type {?Block} */ let open = null;
  const begin = (/** @type {Block["kind"]} */ kind, /** @type {string[]} */ ...lines) => {
    blocks.push(open = {kind, lines});
    return open;
  };
  let isFenced = false;
  for (const line of markdown.split("\n")) {
    const text = line.trim(), item = /^(?:[-*]|\d+\.) +(.*)$/.exec(text);
    const isCode = line.startsWith("    ") && (open === null || open.kind === "pre");
    if (text.startsWith("```")) {
      isFenced = !isFenced;
      open = isFenced ? begin("pre") : null;
    } else if (isFenced && open) open.lines.push(line);
    else if (text === "") open = null;
    else if (isCode) (open ?? begin("pre")).lines.push(line.slice(4));
    else if (text.startsWith("#")) {
      begin("h4", text.replace(/^#+ */, ""));
      open = null;
    } else if (text.startsWith("|")) {
      const table = open?.kind === "table" ? open : begin("table");
      if (!/^[-:| ]+$/.test(text)) table.lines.push(text);
    } else if (item) {
      const kind = /^\d/.test(text) ? "ol" : "ul";
      (open?.kind === kind ? open : begin(kind)).lines.push(item[1]);
    } else if (open && open.kind !== "table" && open.kind !== "pre") open.lines.push(`${open.lines.pop()} ${text}`);
    else begin("p", text);
  }
  return blocks;
}

/**
 * The words of a line: code, strong and slanted ones, and the texts of links, whose files the page does not have.
 * @param {string} text
 * @returns {(Node|string)[]}
 */
function phrases(text) {
  /** @type {(Node|string)[]} */ const parts = [];
  let at = 0;
  for (const match of text.matchAll(/`([^`]+)`|\*\*(.+?)\*\*|\*(\w+)\*|\[([^\]]+)\]\([^)]*\)/g)) {
    const [all, code, strong, slanted, link] = match;
    parts.push(text.slice(at, match.index), code ? el("code", {}, code) : strong ? el("b", {}, ...phrases(strong))
      : slanted ? el("i", {}, slanted) : link);
    at = (match.index ?? 0) + all.length;
  }
  return [...parts, text.slice(at)];
}

/**
 * The cells of a row: `| a | b |`, in which `\|` is a sign of a cell.
 * @param {string} row
 */
function cellsOf(row) {
  return row.replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/**
 * @param {string} markdown
 * @returns {HTMLElement[]}
 */
function sectionElements(markdown) {
  const row = (/** @type {string} */ line, /** @type {string} */ tag) =>
    el("tr", {}, ...cellsOf(line).map((cell) => el(tag, tag === "th" ? {scope: "col"} : {}, ...phrases(cell))));
  return blocksOf(markdown).map(({kind, lines}) => {
    if (kind === "pre") return el("pre", {}, lines.join("\n"));
    if (kind === "table")
      return el("div", {class: "scroll"}, el("table", {}, el("thead", {}, row(lines[0], "th")), el("tbody", {}, ...lines.slice(1).map((line) => row(line, "td")))));
    if (kind === "ul" || kind === "ol") return el(kind, {}, ...lines.map((line) => el("li", {}, ...phrases(line))));
    return el(kind, {}, ...phrases(lines.join(" ")));
  });
}
