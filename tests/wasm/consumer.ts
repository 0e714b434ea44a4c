// A program that uses the package, only for the compiler.
import {check, dump, explain, report, rules, run, salvage, shrink, UsageError} from "tracelint";
import type {Diagnostic, FileReport, Reader, Severity} from "tracelint";

const file: FileReport = await check(new Uint8Array(4), {name: "a.dump", as: "jitdump", select: ["jitdump/"], maxPerRule: 3});
const first: Diagnostic | undefined = file.diagnostics[0];
const severity: Severity = first?.severity ?? "note";
const offset: number = first.offset + file.counts[severity];
const readers: Reader[] = (await check(new Uint8Array(4), {for: ["perf", "samply"]})).readers ?? [];
const other: string | undefined = first.with ?? first.related[0]?.path ?? readers[0]?.sentence;
const recorded: FileReport = await check(new Uint8Array(4), {with: [["jit-1.dump", new Uint8Array(4)]], for: "perf"});
const beside: FileReport | undefined = (await check(new Uint8Array(4), {with: {"jit-1.dump": new Blob([])}})).with?.[0];
const samples: number | null | undefined = recorded.groups?.[0]?.samples_in_functions;
// @ts-expect-error: files have names
await check(new Uint8Array(4), {with: [new Uint8Array(4)]});
const page: string = await report(new Blob([]), "html");
const all: string[] = (await rules()).map((rule) => rule.id);
const {status, stdout} = await run(["--version"], {"a.dump": {size: 0, read: (to: Uint8Array, position: number) => to.length + position}});
const texts: string[] = [page, stdout, await explain(all[status]), await dump(new ArrayBuffer(8), {output: "json"})];
const good: Uint8Array | null = (await salvage(new Uint8Array(4), {name: "a.dump"})).data;
const small: Uint8Array | null = (await shrink(new Uint8Array(4), {keep: all[0], redact: true})).data;
// @ts-expect-error: the finding to keep is named
await shrink(new Uint8Array(4), {});
// @ts-expect-error: no such kind of report
await report(new Uint8Array(), "pdf");
await check(new DataView(new ArrayBuffer(4)));
// @ts-expect-error: a name is no input
await check("a.dump");
// @ts-expect-error: bytes are read at once
await check({size: 4, read: async () => 4});
export {beside, good, offset, other, samples, small, texts, UsageError};
