// What the page computes from a report before it draws anything: lanes, times, records, findings, sections.
//   node layout_test.mjs
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";

const source = ["report", "section"].map((name) => readFileSync(new URL(`../../validator/tool/page/${name}.js`, import.meta.url), "utf8")).join("");
const names = ["duration", "stretchesOf", "lanesOf", "momentAt", "knownRecords", "recordsAround", "findingsOf", "followersOf", "unlistedOf",
               "commonFolder", "parseHash", "blocksOf", "cellsOf"];
const {duration, stretchesOf, lanesOf, momentAt, knownRecords, recordsAround, findingsOf, followersOf, unlistedOf, commonFolder, parseHash,
       blocksOf, cellsOf} = new Function(`${source}; return {${names.join(", ")}};`)();

/** A file of a report, with what a test is about. */
const file = (parts) => ({kinds: [], map: [], clock: [], lanes: [], close_ups: [], findings: [], ...parts});
/** The parts of a lane, shortly. */
const partsOf = (lane) => lane.parts.map(({start, end, share}) => `${start}-${end} ${share}`).join(", ");

const tests = {
  "a duration has four digits and the unit that suits it"() {
    for (const [amount, unit, text] of [[0, "time", "0 ns"], [999, "time", "999 ns"], [1500, "time", "1.5 µs"], [12345678, "time", "12.35 ms"],
         [-2e9, "time", "-2 s"], [90e9, "time", "1.5 min"], [12 * 3600e9, "time", "12 h"], [3 * 86400e9, "time", "3 days"],
         [123, "ticks", "123 ticks"], [4.5e6, "ticks", "4.5 M ticks"]])
      assert.equal(duration(amount, unit), text);
  },

  "without lanes of its own, a file has a part for each stretch"() {
    const small = file({kinds: [["header", 1, 8], ["LOAD", 2, 50]], map: [[8, 0, 1], [20, 1, 1], [5, -1, 0], [30, 1, 1]]});
    const lanes = lanesOf(small, stretchesOf(small), 8);
    assert.deepEqual(lanes.map(({name, records, bytes}) => [name, records, bytes]), [["LOAD", 2, 50], ["header", 1, 8], ["not recognised", 0, 5]]);
    assert.deepEqual(lanes.map(partsOf), ["8-28 1, 33-63 1", "0-8 1", "28-33 1"]);
  },

  "lanes are runs of cells, which end with the file"() {
    const large = file({kinds: [["A", 90, 900], ["B", 9, 40]], map: [[940, 0, 99]], lanes: [100, [0, 2, 16, 1, 1, 4], [9, 1, 8], []]});
    const lanes = lanesOf(large, stretchesOf(large), 8);
    assert.deepEqual(lanes.map(partsOf), ["0-100 1, 100-200 1, 300-400 0.25", "900-940 0.5"]);
  },

  "kinds beyond the most share a lane, in the order of the file"() {
    const many = file({kinds: ["A", "B", "C", "D"].map((name, i) => [name, 1, 10 - i]), map: [[7, 3, 1], [10, 0, 1], [8, 2, 1], [9, 1, 1]]});
    const lanes = lanesOf(many, stretchesOf(many), 3);
    assert.deepEqual(lanes.map(({name, records, bytes}) => [name, records, bytes]), [["A", 1, 10], ["B", 1, 9], ["2 other kinds", 2, 15]]);
    assert.deepEqual(lanes.map((lane) => lane.names), [["A"], ["B"], ["C", "D"]]);
    assert.equal(partsOf(lanes[2]), "0-7 1, 17-25 1");
    assert.equal(lanesOf(many, stretchesOf(many), 4).length, 4);
  },

  "the moment of an offset is the last one before it"() {
    const timed = stretchesOf(file({map: [[10, 0, 1], [10, 0, 1, 500], [10, 0, 1], [10, 0, 1, 300]]})).filter(({moment}) => moment !== null);
    assert.deepEqual([0, 10, 25, 30, 99].map((offset) => momentAt(timed, offset)), [null, 500, 500, 300, 300]);
    assert.equal(momentAt([], 5), null);
  },

  "the neighbours of a record are those that touch it"() {
    const shown = file({kinds: [["LOAD", 3, 60]], map: [[20, 0, 1], [20, 0, 1], [40, 0, 2], [20, 0, 1]],
                        close_ups: [[40, "", [[0, 45, 10, 7, []]]], [0, "", [["gzip", 41, 5, -1, []]], true]]});
    const records = knownRecords({strings: ["MOVE"]}, shown);
    assert.deepEqual(records.map(({start, name, kind}) => [start, name, kind]),
                     [[0, "LOAD", "LOAD"], [20, "LOAD", "LOAD"], [45, "records[7] MOVE", "MOVE"], [80, "LOAD", "LOAD"]]);
    const starts = (offset) => ["before", "here", "after"].map((which) => recordsAround(records, offset)[which]?.start);
    assert.deepEqual(starts(5), [undefined, 0, 20]);
    assert.deepEqual(starts(39), [0, 20, undefined]);
    assert.deepEqual(starts(41), [undefined, undefined, undefined]);
    assert.deepEqual(starts(50), [undefined, 45, undefined]);
  },

  "the worst finding of a record counts the others, and a hint is the cause"() {
    const rules = ["note", "error", "other"].map((id) => ({id: `x/${id}`, why: "why", in_container: false}));
    const report = {rules, files: [{findings: [[0, 0, 16, 1, "records[3]", "a"], [1, 2, 20, 1, "records[3].size", "b", "why; a filter"],
                                               [2, 1, 24, 1, "records[3]", "c"], [1, 2, 40, 1, "records[4]", "d", "another why"]]}]};
    const findings = findingsOf(report, 0);
    assert.deepEqual(findings.map(({message, others, cause, help}) => [message, others, cause, help]),
                     [["a", 0, "", "why"], ["b", 2, "a filter", "why; a filter"], ["c", 0, "", "why"], ["d", 0, "", "another why"]]);
  },

  "what damaged the file counts the findings that follow from it"() {
    const rules = ["input/text-mangled", "x/size", "x/hint"].map((id) => ({id, why: "why"}));
    const follows = "why; probably a consequence of the text filter that damaged the file";
    const report = {rules, files: [{findings: [[0, 0, 0, 0, "", "a", "why; CR LF"], [1, 2, 20, 1, "", "b", follows], [1, 2, 30, 1, "", "c", follows],
                                               [2, 2, 40, 1, "", "d", "why; another hint"]]}]};
    const findings = findingsOf(report, 0);
    assert.deepEqual(findings.map(({followers}) => followers), [2, 0, 0, 0]);
    assert.equal(findings[1].cause, "the text filter that damaged the file");
    assert.equal(followersOf(findings[0]), "and 2 findings that follow from it");
    assert.equal(followersOf({followers: 1}), "and 1 finding that follows from it");
  },

  "findings that are not listed are in the parts of the file that have more than the list"() {
    const spread = [100, [], [[0, 1]], [[0, 2], [3, 5]]];
    const listed = [{severity: 2, offset: 10}, {severity: 2, offset: 20}, {severity: 2, offset: 399}];
    assert.deepEqual(unlistedOf(file({spread}), listed, 350), [[], [{start: 0, end: 100, count: 1}], [{start: 300, end: 350, count: 4}]]);
    assert.deepEqual(unlistedOf(file({spread: []}), [], 350), [[], [], []]);
  },

  "a section consists of headings, paragraphs, lists, tables and code"() {
    const section = ["40 bytes,", "or more.", "| size | what |", "|---|:-:|", "| 4 | `a\\|b` |", "", "#### 3.1.1 Fields", "- **one**", "  of them", "- two",
                     "1. first", "```", "- code", "", "```", "    W = SP", "    X = 1", "", "the end"].join("\n");
    assert.deepEqual(blocksOf(section).map(({kind, lines}) => [kind, ...lines]), [
      ["p", "40 bytes, or more."], ["table", "| size | what |", "| 4 | `a\\|b` |"], ["h4", "3.1.1 Fields"], ["ul", "**one** of them", "two"],
      ["ol", "first"], ["pre", "- code", ""], ["pre", "W = SP", "X = 1"], ["p", "the end"]]);
    assert.deepEqual(cellsOf("| 4 | `a\\|b` |"), ["4", "`a|b`"]);
  },

  "paths lose the folder that they share, and hashes name places"() {
    assert.equal(commonFolder(["/a/b/c.dump", "/a/b/d/e.dump"]), "/a/b/");
    assert.equal(commonFolder(["a.dump", "b.dump"]), "");
    assert.deepEqual(parseHash("#2:0x20+8/jitdump/bad-magic"), {file: 1, offset: 32, length: 8, rule: "jitdump/bad-magic"});
    assert.equal(parseHash("#else"), null);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    test();
    console.log(`ok: ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
