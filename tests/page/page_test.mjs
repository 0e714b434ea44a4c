// The page of html reports in a browser: it shows the content of the JSON, it can be used, and nothing in a trace
// becomes markup.
//   node page_test.mjs TRACELINT CHROMIUM FOLDER    FOLDER gets the reports and the screenshots
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdirSync, readFileSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {Browser} from "./chromium.mjs";
import {faint} from "./contrast.mjs";
import {header, hexOf, load, lostMove, many} from "./files.mjs";

const [program, chromium, folder] = process.argv.slice(2);
const corpus = fileURLToPath(new URL("../../corpus/", import.meta.url));
const broken = join(corpus, "jitdump/real/llvm-jitlink-19-uninitialised-flags.dump");
mkdirSync(folder, {recursive: true});

/** Checks files and returns where the page is, and what the JSON output says of them. */
function report(name, files, options = [], input = undefined) {
  const page = join(folder, `${name}.html`), json = join(folder, `${name}.json`);
  const run = spawnSync(program, ["--quiet", ...options, "--output", `html=${page}`, "--output", `json=${json}`, ...files], {input});
  assert.equal(run.stderr.toString(), "");
  return {page, json: JSON.parse(readFileSync(json, "utf8"))};
}

function fileOf(name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const browser = new Browser(chromium);
const value = (expression) => browser.value(expression);
const count = (selector) => value(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
const text = (selector) => value(`document.querySelector(${JSON.stringify(selector)}).textContent`);
const texts = (selector) => value(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`);
const rows = ".group li > a";
const selected = () => text("[aria-current] code");

const boxOf = (selector) =>
  value(`(({x, y, width}) => ({x, y, width}))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);
/** How many colours a canvas has. */
const coloursOf = (selector) => value(`(() => {
  const canvas = document.querySelector(${JSON.stringify(selector)});
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let i = 0; i < pixels.length; i += 4) colours.add(pixels.slice(i, i + 3).join());
  return colours.size;
})()`);

/** Unfolds all groups. */
const unfold = () => value(`document.querySelectorAll('.group h3 button[aria-expanded="false"]').forEach((one) => one.click())`);

const tests = {
  async "the counts and the findings are those of the JSON"() {
    const {page, json} = report("broken", [broken]);
    const [file] = json.files;
    await browser.open(page);
    await unfold();
    for (const severity of ["error", "warning", "note"]) {
      assert.equal(await text(`.tile.${severity} .value`), String(file.counts[severity]));
      assert.equal(await text(`.toggle.${severity} .count`), String(file.counts[severity]));
    }
    const shown = await value(`[...document.querySelectorAll(${JSON.stringify(rows)})].map((row) =>
      [Number(row.querySelector("code").textContent), row.querySelector(".message").textContent])`);
    const expected = file.diagnostics.map((finding) => [finding.offset, finding.message]);
    const inOrder = (list) => list.map((one) => JSON.stringify(one)).sort();
    assert.deepEqual(inOrder(shown), inOrder(expected));
    assert.equal(await count(".group"), new Set(file.diagnostics.map((finding) => finding.rule)).size);
    assert.equal(await text("#shown"), `${file.diagnostics.length} findings.`);
    assert.match(await text("#verdict"), /^1 file checked: 1 error, 3 warnings, 4 notes\.$/);
  },

  async "the bytes of a finding are marked and the fields around them named"() {
    const {page, json} = report("broken", [broken]);
    await browser.open(page);
    const worst = json.files[0].diagnostics.find((finding) => finding.severity === "error");
    assert.equal(await text("#detail h2"), worst.message);
    const bytes = readFileSync(broken).subarray(worst.offset, worst.offset + worst.length).toString("hex");
    assert.equal((await texts(".digits .marked")).join(""), bytes);
    assert.deepEqual(await texts(".fields tr.marked th"), ["▶ flags"]);
    // More than the numbers of JavaScript hold.
    assert.equal((await texts(".fields tr.marked .value"))[0], `${readFileSync(broken).readBigUInt64LE(0x20)} = 0x5a375961772e0103`);
    assert.ok((await texts(".fields th[scope=row]")).includes("total_size"));
    assert.ok((await text(".why")).includes(worst.help));
    assert.ok((await text(".example pre")).includes("jitdump/header-unknown-flags"));
    // Pointing at a byte names its field.
    await value(`document.querySelector('.digits [data-at="8"]').dispatchEvent(new MouseEvent("mouseover", {bubbles: true}))`);
    assert.match(await text(".bytes .pointed"), /^0x8, 4 bytes: header, total_size = 40/);
    assert.equal(await count(".digits .lit"), 4);
    assert.ok((await value(`document.querySelector('.digits [data-at="8"]').title`)).startsWith("total_size = 40"));
  },

  async "filters by severity, rule and text"() {
    const {page, json} = report("broken", [broken]);
    const {diagnostics} = json.files[0];
    await browser.open(page);
    await unfold();
    await value(`document.querySelector('[data-severity="note"]').click()`);
    assert.equal(await count(rows), diagnostics.filter((finding) => finding.severity !== "note").length);
    await value(`document.querySelector('[data-severity="error"]').click()`);
    assert.equal(await count(rows), diagnostics.filter((finding) => finding.severity === "warning").length);
    assert.match(await text("#shown"), /^3 of 8 findings/);
    await browser.open(page);
    await value(`{const choice = document.querySelector("#rule-filter"); choice.value = "jitdump/debug-line-zero";
                  choice.dispatchEvent(new Event("change"));}`);
    assert.deepEqual(await texts(".group .rule"), ["jitdump/debug-line-zero"]);
    await browser.open(page);
    await browser.press("/");
    assert.equal(await value("document.activeElement.id"), "text-filter");
    await browser.type("header.");
    assert.equal(await count(rows), diagnostics.filter((finding) => finding.field.startsWith("header.")).length);
    await browser.type("jj");
    assert.equal(await count(rows), 0);
    await browser.press("Escape");
    assert.notEqual(await value("document.activeElement.id"), "text-filter");
  },

  async "the keyboard goes through all findings, and the address follows"() {
    const {page, json} = report("broken", [broken]);
    const total = json.files[0].diagnostics.length;
    await browser.open(page);
    const seen = [await selected()];
    for (let i = 1; i < total; ++i) {
      await browser.press("j");
      seen.push(await selected());
      assert.match(await value("location.hash"), new RegExp(`^#${seen.at(-1)}(/|$)`));
    }
    await browser.press("j");
    assert.equal(await selected(), seen.at(-1));
    assert.deepEqual(seen.map(Number).sort(), json.files[0].diagnostics.map((finding) => finding.offset).sort());
    await browser.press("k");
    assert.equal(await selected(), seen.at(-2));
    await browser.press("Enter");
    assert.equal(await value("document.activeElement.id"), "detail");
  },

  async "an address leads to a finding or to a place"() {
    const {page} = report("broken", [broken]);
    await browser.open(page, "#0x13a");
    assert.equal(await selected(), "0x13a");
    await browser.open(page, "#314");
    assert.equal(await selected(), "0x13a");
    await browser.open(page, "#0x30");
    assert.equal(await text("#detail h2"), "1 byte at 0x30");
    assert.equal((await texts(".digits .marked")).join(""), readFileSync(broken).subarray(0x30, 0x31).toString("hex"));
    await browser.open(page, "#0x30+4");
    assert.equal((await texts(".digits .marked")).join(""), readFileSync(broken).subarray(0x30, 0x34).toString("hex"));
    const several = report("several", [join(corpus, "jitdump/real/node-20.dump"), broken]);
    await browser.open(several.page, "#2:0x13a");
    assert.equal(await selected(), "0x13a");
    assert.equal(await text("#summary .path"), broken);
    await browser.open(several.page);
    assert.equal(await text("#summary .path"), broken);  // the worst
    assert.equal(await count("#files tbody tr"), 2);
    // Without the folder that they share, and with the verdict in front.
    assert.deepEqual(await texts("#files tbody tr:first-child td:first-child"), ["▲ error"]);
    assert.equal(await text("#files tbody tr:first-child a"), "llvm-jitlink-19-uninitialised-flags.dump");
    assert.equal(await value(`document.querySelector("#files tbody tr a").title`), broken);
    await value(`document.querySelectorAll("#files tbody a")[1].click()`);
    assert.equal(await text("#summary .path"), several.json.files[0].path);
    assert.match(await value("location.hash"), /^#1:/);
  },

  async "a related place is one click away, and so is the way back"() {
    const twice = Buffer.concat([header(), load("f", 0), load("g", 0)]);
    const {page, json} = report("related", [fileOf("related.dump", twice)]);
    const finding = json.files[0].diagnostics.find((one) => one.related.length > 0);
    assert.ok(finding, JSON.stringify(json.files[0].diagnostics));
    const [{offset, length}] = finding.related;
    await browser.open(page, `#${hexOf(finding.offset)}/${finding.rule}`);
    await value(`document.querySelector(".bytes button").click()`);
    assert.equal(await count(".digits .related"), length);
    await value(`document.querySelector("#detail dd a").click()`);
    await browser.until(`document.querySelector("#detail h2").textContent !== ${JSON.stringify(finding.message)}`);
    assert.equal((await texts(".digits .marked")).join(""), twice.subarray(offset, offset + length).toString("hex"));
    await value("history.back()");
    await browser.until(`document.querySelector("#detail h2").textContent === ${JSON.stringify(finding.message)}`);
  },

  async "a finding about two files leads to its place in the other one"() {
    const recorded = new URL("../../corpus/siblings/real/c-writer/", import.meta.url);
    const recording = readFileSync(new URL("perf.data", recorded));
    recording[0xa3] = 0x61;  // the clock of the kernel
    const dump = fileOf("jit-4.dump", readFileSync(new URL("jit-4.dump", recorded)));
    const data = fileOf("perf.data", recording);
    const {page} = report("pair", [dump], ["--with", data]);
    await browser.open(page, "#2:0xa0");
    assert.equal(await text("#detail .rule"), "siblings/clock-not-monotonic");
    assert.equal(await text("#summary .path"), data);
    // What the two say together is on top, whichever of them is shown.
    assert.match(await text("main > :first-child .pairing"), /: 8 functions of pid 4, which has 126 samples; record again/);
    assert.equal(await text("#together .badge"), "▲ error");
    assert.equal(await count(".pairing"), 2);  // with what the recording shows
    assert.equal(await count(".digits .related"), 0);
    assert.equal(await text("#detail dd:last-child"), `8 bytes at 0x20 of ${dump}`);
    await value(`document.querySelector("#detail dd:last-child a").click()`);
    await browser.until(`document.querySelector("#summary .path").textContent === ${JSON.stringify(dump)}`);
    assert.equal(await value("location.hash"), "#1:0x20+8");
    assert.equal(await count(".pairing"), 1);
  },

  async "a second report takes the place of the first"() {
    const {page} = report("broken", [broken]);
    await browser.open(page);
    await value(`render(JSON.parse(document.getElementById("report").textContent), document.getElementById("page"))`);
    assert.equal(await count("#findings"), 1);
    const before = await selected();
    await browser.press("j");
    await browser.press("k");
    assert.equal(await selected(), before);
  },

  async "the map selects, zooms, and counts records by kind"() {
    const {page, json} = report("broken", [broken]);
    await browser.look(1280, 1000);
    await browser.open(page);
    const records = (await texts("#statistics table:first-of-type td.number:nth-of-type(1)")).length;
    assert.ok(records > 0);
    const total = await value(`[...document.querySelectorAll("#statistics .scroll:first-of-type tbody tr")]
      .filter((row) => row.cells[0].textContent !== "header").reduce((sum, row) => sum + Number(row.cells[1].textContent), 0)`);
    assert.equal(total, json.files[0].statistics.records);
    const box = await boxOf("#lanes");
    const x = (offset) => value(`${box.x} + shownPage.strip.x(${offset})`);
    await browser.click(await x(0x13a), box.y + 24);
    assert.equal(await selected(), "0x13a");
    assert.match(await text(".range"), /^whole file/);
    await browser.click(await x(200), box.y + 60, await x(400), box.y + 60);
    assert.match(await text(".range"), /^0x[0-9a-f]+ to 0x[0-9a-f]+, 2\d\d bytes, /);
    await value(`document.querySelector('[aria-label="Show the whole file"]').click()`);
    assert.match(await text(".range"), /^whole file/);
    assert.match(await text("#map .pointed"), /^0x[0-9a-f]+ at \+[0-9.]+ [nµm]?s: JIT_CODE_/);
    assert.ok(await coloursOf("#lanes") >= 8, "the map is empty");
    assert.equal(await value("shownPage.strip.lanes.length"), await count("#statistics .scroll:first-of-type tbody tr"));
  },

  async "the brush chooses the part of the map that is shown"() {
    const {page} = report("healthy", [join(corpus, "jitdump/real/node-18.dump")]);
    await browser.look(1280, 1000);
    await browser.open(page);
    const box = await boxOf("#brush"), y = box.y + 9;
    const shown = () => value("[shownPage.strip.from, shownPage.strip.to].map((at) => at / shownPage.strip.size)");
    const x = (share) => value(`${box.x} + shownPage.strip.gutter + ${share} * shownPage.strip.width`);
    const near = ([from, to], [a, b]) => assert.ok(Math.abs(from - a) < 0.02 && Math.abs(to - b) < 0.02, `${from} to ${to}`);
    await browser.click(await x(0.2), y, await x(0.4), y);
    near(await shown(), [0.2, 0.4]);
    await browser.click(await x(0.3), y, await x(0.5), y);  // moves it
    near(await shown(), [0.4, 0.6]);
    await browser.click(await x(0.6), y, await x(0.8), y);  // from its edge
    near(await shown(), [0.4, 0.8]);
    await browser.click(await x(0.1), y, await x(0.3), y);  // another one
    near(await shown(), [0.1, 0.3]);
  },

  async "the map can be read with the keyboard"() {
    const {page} = report("healthy", [join(corpus, "jitdump/real/node-18.dump")]);
    await browser.open(page);
    await value(`document.querySelector("#lanes").focus()`);
    const press = (key) => value(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: ${JSON.stringify(key)}, bubbles: true}))`);
    await press("ArrowRight");
    assert.match(await text("#map .pointed"), /^0x[0-9a-f]+ at \+.*: JIT_CODE_[A-Z_]+ at 0x[0-9a-f]+, [0-9,]+ bytes/);
    const before = await value("shownPage.strip.cursor");
    await press("ArrowLeft");
    assert.ok(await value("shownPage.strip.cursor") < before);
    await press("+");
    assert.ok(await value("shownPage.strip.to - shownPage.strip.from < 0.51 * shownPage.strip.size"));
    for (let i = 0; i < 120; ++i) await press("ArrowRight");  // the map follows
    assert.ok(await value("shownPage.strip.from > 0 && shownPage.strip.cursor <= shownPage.strip.to"));
    await press("0");
    assert.match(await text(".range"), /^whole file/);
    await press("Enter");
    assert.ok(await count("#detail h2") > 0);
  },

  async "the records around a place are one step away, and its bytes can be copied"() {
    const {page} = report("several-loads", [fileOf("several-loads.dump", Buffer.concat([header(), many(4, (i) => load(`f${i}`, i)), lostMove(0)]))]);
    await browser.open(page);
    const move = 40 + 4 * 75;
    assert.equal(await text("#detail .place code"), hexOf(move + 56));
    assert.deepEqual(await texts("#detail .step"), ["← previous record", "next record →"]);
    assert.equal(await count("#detail a.step"), 1);  // the file ends here
    await value(`document.querySelector("#detail a.step").click()`);
    await browser.until(`location.hash === "#${hexOf(move - 75)}+75"`);
    assert.equal(await text("#detail h2"), `records[3] JIT_CODE_LOAD, 75 bytes at ${hexOf(move - 75)}`);
    await value(`window.copied = undefined; navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };
                 [...document.querySelectorAll("#detail button")].find((one) => one.textContent === "Copy bytes").click()`);
    await browser.until("window.copied !== undefined");
    assert.match(await value("copied"), /^00 00 00 00 4b 00 00 00 eb 03 00( [0-9a-f]{2}){64}$/);
    assert.deepEqual(await value(`[...document.querySelectorAll(".fields tr")].filter((row) => row.classList.contains("marked"))
      .map((row) => row.cells[2].textContent).slice(1, 3)`), ["75 bytes", "0.000001003 s"]);
    await value(`document.querySelectorAll("#detail a.step")[0].click()`);
    await browser.until(`location.hash === "#${hexOf(move - 150)}+75"`);
    await value(`document.querySelectorAll("#detail a.step")[1].click()`);
    await browser.until(`location.hash === "#${hexOf(move - 75)}+75"`);
  },

  async "a rule explains itself where the pointer or the focus is"() {
    const {page, json} = report("broken", [broken]);
    await browser.open(page);
    assert.ok(await value(`document.querySelector("#tip").hidden`));
    await value(`document.querySelector(".group h3 button").focus()`);
    const worst = json.files[0].diagnostics.find((finding) => finding.severity === "error");
    assert.ok(!await value(`document.querySelector("#tip").hidden`));
    assert.ok((await text("#tip")).includes(worst.rule));
    assert.match(await text("#tip"), /The format requires: .*Otherwise: .*Specification: 3\.1/);
    await browser.press("Escape");
    assert.ok(await value(`document.querySelector("#tip").hidden`));
    await value(`document.querySelector("#detail .rule").dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse"}))`);
    assert.ok((await text("#tip")).includes(worst.rule));
    await value(`document.querySelector("#detail h2").dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse"}))`);
    assert.ok(await value(`document.querySelector("#tip").hidden`));
  },

  async "the sections that a rule cites are shown in full, unfolded or where the pointer is"() {
    const {page} = report("broken", [broken]);
    await browser.look(1280, 1000);
    await browser.open(page);
    assert.deepEqual(await texts("#detail .section summary"), ["The specification: 3.1 Jitdump file header"]);
    const spec = readFileSync(new URL("../../grammars/jitdump/spec.md", import.meta.url), "utf8").split(/^### 3\.1 .*\n|^### 3\.2 .*\n/m)[1];
    const words = (text) => text.replace(/[^0-9A-Za-z]+/g, " ").trim();
    const whole = words(spec.replace(/^#+ /gm, ""));
    const shown = (selector) => value(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.innerText).join(" ")`);
    await value(`document.querySelector("#detail .section summary").dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse"}))`);
    assert.equal(words(await shown("#tip.section > :not(h3)")), whole);
    await browser.screenshot(join(folder, "page-section.png"));
    await browser.press("Escape");
    await value(`document.querySelector("#detail .section summary").click()`);
    assert.equal(words(await shown("#detail .section > :not(summary)")), whole);
    assert.ok(await value(`document.querySelector("#tip").hidden`));
    assert.ok(await count("#detail .section table td code") > 0 || await count("#detail .section li code") > 0);
  },

  async "a cause counts what follows from it"() {
    const damaged = fileOf("damaged.dump", Buffer.from(readFileSync(join(corpus, "jitdump/real/node-20.dump")).toString("latin1").replaceAll("\n", "\r\n"), "latin1"));
    const {page, json} = report("damaged", [damaged]);
    const followers = json.files[0].diagnostics.filter(({help}) => help.includes("probably a consequence of the text filter")).length;
    assert.ok(followers > 1);
    await browser.look(1280, 1000);
    await browser.open(page, "#0x0/input/text-mangled");
    assert.equal(await text("#detail .cause"), `and ${followers} findings that follow from it`);
    assert.deepEqual(await texts(".group .others"), [`and ${followers} findings that follow from it`]);
    assert.equal(await text("#groups .cause"), `Likely cause of ${followers} findings: the text filter that damaged the file`);
  },

  async "deep in a long file, the records around a finding are drawn one by one"() {
    const trace = Buffer.concat([header(4n), many(15_000, (i) => load(`f${i % 10}`, i)), lostMove(0), many(15_000, (i) => load(`f${i % 10}`, 15_000 + i))]);
    const {page, json} = report("deep", [fileOf("deep.dump", trace)]);
    const {offset} = json.files[0].diagnostics.find(({rule}) => rule === "jitdump/move-unknown-code-index");
    await browser.look(1280, 1000);
    // The header shares a part of the map with records, but was not written when they were.
    await browser.open(page, "#0x20");
    assert.equal(await text("#detail .place"), "0x20, 8 bytes at header.flags");
    await browser.open(page, `#${hexOf(offset)}`);
    assert.match(await text("#detail .place"), /, 8 bytes at records\[15000\]\.code_index, written at \+\d+(\.\d+)? µs$/);
    assert.doesNotMatch(await text(".range"), /block/);
    await value(`shownPage.strip.view(${offset} - 1500, ${offset} + 1500)`);
    assert.match(await text(".range"), /; a pale block stands for about 1\d\d records$/);
    const box = await boxOf("#lanes");
    // The record before the one with the finding, and one that the report only has as part of a block.
    const move = offset - 56;
    const [single, inBlock] = await value(`(() => {
      const canvas = document.querySelector("#lanes"), scale = devicePixelRatio || 1, strip = shownPage.strip;
      const {data} = canvas.getContext("2d").getImageData(0, Math.floor((strip.layout().records + ROW / 2) * scale), canvas.width, 1);
      return [${move} - 30, ${move} - 1000].map((place) => [...data.slice(4 * Math.floor(strip.x(place) * scale)).slice(0, 4)].join());
    })()`);
    assert.notEqual(single, inBlock);
    await browser.click(await value(`${box.x} + shownPage.strip.x(${move} - 30)`), box.y + 56);
    assert.match(await text("#map .pointed"), new RegExp(`: JIT_CODE_LOAD at ${hexOf(move - 75)}, 75 bytes`));
    assert.match(await text("#detail h2"), new RegExp(`^records\\[14999\\] JIT_CODE_LOAD, 75 bytes at ${hexOf(move - 75)}$`));
    await browser.screenshot(join(folder, "page-deep.png"));
  },

  async "a long file has lanes of many records, and times"() {
    const {page} = report("long", [fileOf("long.dump", Buffer.concat([header(), many(30_000, (i) => load(`f${i % 10}`, i))]))]);
    await browser.look(1280, 1000);
    await browser.open(page);
    const [width, ...lanes] = await value(`JSON.parse(document.getElementById("report").textContent).files[0].lanes`);
    assert.ok(width >= 2048 && lanes.flat().length < 3 * 512 * 3, `${width}`);
    assert.match(await text(".range"), /^whole file, .*, 29\.\d+ µs$/);
    const box = await boxOf("#lanes");
    await browser.click(await value(`${box.x} + shownPage.strip.x(shownPage.strip.size / 2)`), box.y + 56);
    assert.match(await text("#map .pointed"), /^0x[0-9a-f]+ at \+1[45](\.\d+)? µs: \d+ records from 0x[0-9a-f]+, mostly JIT_CODE_LOAD$/);
    await browser.screenshot(join(folder, "page-long.png"));
  },

  async "strings of a trace and of a path stay text"() {
    const attack = `</script><img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>\u202e<!--`;
    const trace = Buffer.concat([header(), many(20, (i) => Buffer.concat([load(attack, i % 3), lostMove(i)]))]);
    const {page, json} = report("hostile", [fileOf("a<img src=x onerror=alert(1)>&lt;'\".dump", trace)], ["--max-per-rule", "0"]);
    await browser.open(page);
    await unfold();
    await value(`document.querySelectorAll("details").forEach((one) => one.open = true)`);
    for (let i = 0; i < 30; ++i) await browser.press("j");
    assert.equal(await count("img"), 0);
    assert.equal(await count("script"), 2);
    assert.doesNotMatch(await value("document.title"), /hacked/);
    assert.ok((await text("#summary .path")).includes("<img src=x onerror=alert(1)>&lt;'\""));
    assert.ok((await texts(".fields .value")).some((one) => one.includes("</script><img")));
    assert.ok(json.files[0].diagnostics.length > 20);
    assert.ok(!readFileSync(page, "utf8").includes("\u202e"));
    // The policy would stop what the page let through.
    await value(`document.body.append(Object.assign(document.createElement("script"), {textContent: "document.title = 'hacked'"}))`)
      .catch(() => {});
    assert.doesNotMatch(await value("document.title"), /hacked/);
    browser.events = [];
  },

  async "20,000 findings fit and are there at once"() {
    const reportOf = number => report(`many-${number}`, [fileOf("many.dump", Buffer.concat([header(), many(number, lostMove)]))],
      ["--max-per-rule", "0", "--select", "jitdump/move-unknown-code-index"]);
    await browser.open(reportOf(200).page);
    const elements = await count("*");
    const {page, json} = reportOf(20_000);
    assert.equal(json.files[0].diagnostics.length, 20_000);
    const {size} = statSync(page);
    assert.ok(size < 5_000_000, `${size} bytes`);
    await browser.open(page);
    // As many elements as for a hundredth of the findings: the browser makes none for those that are not shown.
    assert.ok(await count("*") <= elements + 10, `${await count("*")} elements, with 200 findings ${elements}`);
    assert.equal(await text(".group .count"), "20,000");
    assert.equal(await text("#shown"), "20,000 findings.");
    // One stands for all, until more are asked for.
    assert.equal(await count(rows), 1);
    assert.equal(await text(".more button"), "and 19,999 like it");
    await value(`document.querySelector(".more button").click()`);
    assert.equal(await count(rows), 100);
    await browser.open(page, `#${hexOf(json.files[0].diagnostics[19_999].offset)}`);
    assert.match(await text("#detail h2"), /7019999/);
    await browser.open(page);
    await browser.press("/");
    await browser.type("7012345");
    assert.equal(await count(rows), 1);
    console.log(`  ${size} bytes`);
  },

  async "with 20,000 findings a key takes no longer than with 200"() {
    const times = {};
    for (const number of [200, 20_000]) {
      const trace = Buffer.concat([header(), many(number, lostMove)]);
      const {page} = report("keys", [fileOf("keys.dump", trace)], ["--max-per-rule", "0", "--select", "jitdump/move-unknown-code-index"]);
      await browser.open(page);
      times[number] = await value(`(() => {
        const times = [];
        for (let i = 0; i < 41; ++i) {
          const before = performance.now();
          document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "j", bubbles: true}));
          times.push(performance.now() - before);
        }
        return Math.min(...times);
      })()`);
    }
    console.log(`  a key takes ${times[200].toFixed(1)} ms, ${times[20_000].toFixed(1)} ms with 20,000 findings`);
    assert.ok(times[20_000] < 2 * times[200] + 15, JSON.stringify(times));
  },

  async "with 120,000 findings the first have bytes, and the map shows where the others are"() {
    const trace = Buffer.concat([header(), many(120_000, lostMove)]);
    const {page} = report("far-too-many", [fileOf("far-too-many.dump", trace)], ["--max-per-rule", "0"]);
    assert.ok(statSync(page).size < 5_000_000);
    await browser.look(1280, 1000);
    await browser.open(page);
    assert.ok(await count(".digits .marked") > 0);
    assert.ok(await value("shownPage.strip.lanes.length") > 0);
    assert.match(await text("#map .absent"), /^Hatched: [0-9,]+ findings outside the list\.$/);
    // The lanes show something in the last part of the file: where marks and hatching cover it, the map has the colour.
    const covered = await value(`(() => {
      const canvas = document.querySelector("#lanes"), scale = devicePixelRatio || 1;
      const left = Math.floor((canvas.clientWidth - 60) * scale), width = Math.floor(40 * scale);
      const {data} = canvas.getContext("2d").getImageData(left, Math.floor(3 * scale), width, Math.floor(10 * scale));
      let coloured = 0;
      for (let i = 3; i < data.length; i += 4) coloured += data[i] > 40;
      return coloured / (data.length / 4);
    })()`);
    assert.ok(covered > 0.15, `${covered} of the end of the errors' lane`);
    await browser.screenshot(join(folder, "page-far-too-many.png"));
    const box = await boxOf("#lanes");
    await browser.click(box.x + box.width - 20, box.y + 60);
    assert.match(await text("#map .pointed"), /errors about here not listed/);
  },

  async "what is left out is said"() {
    const trace = Buffer.concat([header(), many(60_000, lostMove)]);
    const {page, json} = report("too-many", [fileOf("too-many.dump", trace)], ["--max-per-rule", "0"]);
    assert.ok(statSync(page).size < 5_000_000);
    await browser.open(page);
    const island = await value(`(({total, findings, close_ups}) => ({total, findings: findings.length, closeUps: close_ups.length}))
      (JSON.parse(document.getElementById("report").textContent).files[0])`);
    assert.equal(island.total[0], json.files[0].diagnostics.length);
    assert.ok(island.findings < island.total[0]);
    const left = island.total[0] - island.findings;
    assert.ok((await text(".dropped")).includes(left.toLocaleString("en")));
    assert.ok((await text("#shown")).includes(left.toLocaleString("en")));
  },

  async "standard input, an empty file and a clean one"() {
    const piped = report("piped", ["-"], [], readFileSync(broken));
    await browser.open(piped.page);
    const worst = piped.json.files[0].diagnostics.find((finding) => finding.severity === "error");
    assert.equal(await text("#detail h2"), worst.message);
    assert.equal((await texts(".digits .marked")).join(""), readFileSync(broken).subarray(worst.offset, worst.offset + worst.length).toString("hex"));
    assert.ok(await value("shownPage.strip.lanes.length") > 2);
    const empty = report("empty", [fileOf("empty.dump", "")], ["--as", "jitdump"]);
    await browser.open(empty.page);
    assert.match(await text(".bytes"), /The file is empty/);
    const clean = report("clean", [fileOf("clean.dump", Buffer.concat([header(), load("f", 0)]))]);
    assert.deepEqual(clean.json.files[0].counts, {error: 0, warning: 0, note: 0});
    await browser.open(clean.page);
    assert.equal(await text("#verdict"), "1 file checked: ok.");
    assert.equal(await text("#shown"), "No findings.");
    assert.equal(await text(".summary-head .badge"), "✔ ok");
  },

  async "a healthy file opens with the good news, not with a note"() {
    const {page, json} = report("healthy", [join(corpus, "jitdump/real/node-18.dump")]);
    assert.ok(json.files[0].counts.note > 0);
    await browser.look(1280, 1000);
    await browser.open(page);
    assert.equal(await text(".summary-head .badge"), "✔ ok");
    assert.equal(await text("#detail .sound"), "Nothing is wrong with this file.");
    assert.equal(await count(".group [aria-current]"), 0);
    await browser.screenshot(join(folder, "page-healthy.png"));
    await browser.press("j");
    assert.equal(await count(".group [aria-current]"), 1);
  },

  async "keys are listed, and a finding can be copied"() {
    const {page, json} = report("broken", [broken]);
    await browser.open(page);
    await browser.press("?");
    assert.ok(await value(`document.querySelector("#keys").open`));
    await browser.press("Escape");
    assert.ok(!await value(`document.querySelector("#keys").open`));
    await value(`document.execCommand = () => { window.copied = document.activeElement.value; return true; };
                 navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));`);
    await value(`document.querySelector("#detail .buttons button").click()`);
    await browser.until(`window.copied !== undefined`);
    const worst = json.files[0].diagnostics.find((finding) => finding.severity === "error");
    const [first, , place, bytes] = (await value("copied")).split("\n");
    assert.equal(first, `**error**: ${worst.message} (\`${worst.rule}\`)`);
    assert.equal(place, "- `llvm-jitlink-19-uninitialised-flags.dump` at 0x20, 8 bytes, `header.flags`");
    assert.equal(bytes, "- bytes: `03 01 2e 77 61 59 37 5a`");
  },

  async "notes that are not asked for are counted"() {
    const {page, json} = report("notes", [join(corpus, "jitdump/real/node-18.dump")], ["--min-severity", "error"]);
    const {note} = json.files[0].counts;
    assert.ok(note > 1);
    await browser.open(page);
    assert.equal(await text("#shown"), `${note} findings were counted but are not listed.`);
    assert.equal(await text("#map .absent"), `${note} findings are only counted, and not on the map.`);
  },

  async "everything that can be used has a name, and texts stand out from their ground"() {
    const {page} = report("several", [join(corpus, "jitdump/real/node-20.dump"), broken]);
    for (const scheme of ["light", "dark"]) {
      await browser.look(1280, 1000, scheme);
      await browser.open(page);
      await new Promise((resolve) => setTimeout(resolve, 300));  // transitions
      const {nodes} = await browser.send("Accessibility.getFullAXTree");
      const used = nodes.filter((node) => ["button", "link", "checkbox", "combobox", "searchbox", "img"].includes(node.role?.value));
      assert.ok(used.length > 20);
      assert.deepEqual(used.filter((node) => !node.name?.value), []);
      assert.deepEqual(await value(`(${faint.toString()})()`), []);
    }
  },

  async "fits a phone, prints, and looks as it should"() {
    const {page} = report("broken", [broken]);
    for (const [name, width, height, scheme, media] of [["light", 1280, 960, "light", ""], ["dark", 1280, 960, "dark", ""],
         ["phone-light", 390, 844, "light", ""], ["phone-dark", 390, 844, "dark", ""], ["print", 800, 1100, "dark", "print"]]) {
      await browser.look(width, height, scheme, media);
      await browser.open(page);
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.ok(await value("document.documentElement.scrollWidth <= window.innerWidth"), `${name} is too wide`);
      await browser.screenshot(join(folder, `page-${name}.png`));
    }
    const {data} = await browser.send("Page.printToPDF", {printBackground: true});
    assert.ok(data.length > 10_000);
    writeFileSync(join(folder, "page.pdf"), Buffer.from(data, "base64"));
  },
};

let failed = 0;
await browser.start();
await browser.send("Accessibility.enable");
for (const [name, test] of Object.entries(tests)) {
  try {
    await browser.look(1280, 1000);
    await test();
    assert.deepEqual(browser.complaints(), []);
    console.log(`ok: ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
await browser.close();
console.log(failed === 0 ? `${Object.keys(tests).length} tests passed` : `${failed} tests failed`);
process.exit(failed === 0 ? 0 : 1);
