/** Validates binary traces of runtimes and profilers: the library. output.schema.json describes the reports. */

export type Severity = "error" | "warning" | "note";

/** Rules by id or prefix: "jitdump/bad-magic", "jitdump/". */
export type RulePattern = string;

/** The kinds of report that `tracelint --output` has. */
export type OutputKind =
  | "text" | "concise" | "json" | "ndjson" | "sarif" | "github" | "gitlab" | "junit" | "markdown" | "html";

/** What a file is read from. A Blob is read piece by piece in a worker, and as a whole elsewhere. */
export type Input = ArrayBufferView | ArrayBuffer | Blob | PositionedReader;

/** Gives the bytes of a file as they are asked for. */
export interface PositionedReader {
  /** Bytes. */
  size: number;
  /**
   * Fills `to` with the bytes from `position` on, as many as it has now, and returns their number. It is not asked for bytes
   * beyond `size`. If it returns 0 or throws, the file is unreadable, and what it throws is the failure. A promise is a
   * TypeError.
   */
  read(to: Uint8Array, position: number): number;
}

/** Files by name: pairs of a name and what it is read from, or an object of them. */
export type Companions = [string, Input][] | Map<string, Input> | Record<string, Input>;

/** The options of the command `tracelint check`, in camel case. Other options of the command are also accepted. */
export interface CheckOptions {
  /** The file's name, for reports, and for formats and rules that go by it. A NUL or a lone surrogate in it is a TypeError. */
  name?: string;
  /** The id of a format, to be taken instead of recognising it. */
  as?: string;
  /** Enable only these rules. */
  select?: RulePattern | RulePattern[];
  /** Disable these rules. */
  ignore?: RulePattern | RulePattern[];
  error?: RulePattern | RulePattern[];
  warning?: RulePattern | RulePattern[];
  note?: RulePattern | RulePattern[];
  off?: RulePattern | RulePattern[];
  /** The lowest severity that is shown. */
  minSeverity?: Severity;
  /** Findings that are shown of a rule; 0 for all. */
  maxPerRule?: number;
  /** Memory for all that grows with the file, in bytes or as "64M". */
  maxMemory?: number | string;
  /** The longest record that is read as a whole, in bytes or as "64M". */
  maxRecord?: number | string;
  /** Predicts what these readers do with the file: "perf", "llvm-xray@14", "any". Needs command.wasm. */
  for?: string | string[];
  /**
   * Files that belong to this one, such as the jitdump or perf map of a recording. Each has a report of its own. Needs
   * command.wasm.
   */
  with?: Companions;
  [option: string]: string | number | boolean | string[] | Companions | undefined;
}

export interface Diagnostic {
  rule: string;
  severity: Severity;
  /** First byte of the place, from the start of the decompressed trace; for gzip/ and zstd/ rules, of the compressed file. */
  offset: number;
  /** Bytes of the place; 0 at the end of the file. */
  length: number;
  /** Such as "records[3].entries[12].line"; null if the finding is not about a record. */
  field: string | null;
  message: string;
  /** What the violation does to readers of the file. */
  help: string;
  /** Other places that the finding refers to; `path` is that of another file of its group. */
  related: { offset: number; length: number; path?: string }[];
  /** The other file of the group that the finding is about; missing if it is about one file. */
  with?: string;
}

/** What one version of a reader does with a file. */
export interface Reader {
  name: string;
  version: string;
  /** "unknown": the file has errors that were not tried with this reader. */
  outcome: "loads" | "ignores" | "unknown" | "drops" | "misreads" | "refuses" | "hangs" | "crashes";
  /** How it is known what the reader does. */
  evidence: "measured" | "by its source" | "by a report";
  /** Offset of the finding that decides the outcome, in bytes; null if no finding does. */
  offset: number | null;
  /** The rule of the finding that decides; null if no finding does. */
  rule: string | null;
  /** What the reader shows, in the singular. */
  unit: string;
  /** Units in the file. */
  total: number;
  /** Units that the reader drops: after the place where it stops, or one by one. */
  lost: number;
  /** Errors of rules that were not tried with this reader. */
  untried: number;
  sentence: string;
}

/** What a check found in one file. */
export interface FileReport {
  schema_version: 1;
  tool: { name: "tracelint"; version: string };
  path: string;
  /** The format's id; null if the file was not recognised. */
  format: string | null;
  format_version: number | null;
  byte_order: "little" | "big" | null;
  word_size: number | null;
  container: "gzip" | "zstd" | null;
  size: number | null;
  /** The highest severity found, shown or not. */
  verdict: Severity | "clean" | "unreadable";
  /** Why reading failed. */
  failure?: string;
  counts: Record<Severity, number>;
  /** By rule: findings that are counted but not listed. */
  not_shown: Record<string, number>;
  statistics: Record<string, number>;
  /** What a recording (perf.data) shows by itself. Absent for other files. */
  recording?: Record<string, unknown>;
  /** With `for`: what the reader does with the file; with several readers, the worst outcome. */
  reader?: Reader;
  /** With `for`: what each of the readers does with the file. */
  readers?: Reader[];
  diagnostics: Diagnostic[];
  /** With `with`: the reports of those files, in the order in which they were given. */
  with?: FileReport[];
  /** With `with`: the functions of one file and the samples of another, joined. */
  groups?: Pairing[];
}

/** The functions of a jitdump or a perf map, and the samples of a recording. */
export interface Pairing {
  /** The name of the file with the functions. */
  path: string;
  /** The name of the recording; null if absent. */
  with: string | null;
  functions: number;
  processes: number;
  pid: number | null;
  /** In user mode, of these processes. */
  samples: number;
  /** Samples in the functions; null if the files cannot be joined, or their times do not match. */
  samples_in_functions: number | null;
  samples_in_chains: number;
  samples_not_consulted: number;
  forked: number;
  at_least: boolean;
  remark: string | null;
  next_step: string | null;
}

export interface Rule {
  id: string;
  format: string | null;
  severity: Severity;
  statement: string;
  why: string;
  spec: string;
  since: string;
  status: string;
  milder?: { severity: Severity; when: string };
}

/** An option, rule or format that does not exist, or an option that gives no report. */
export class UsageError extends Error {}

/**
 * Checks one file. Whatever is wrong with it is in the result. Throws a UsageError for a wrong option, and a TypeError if
 * `input` is not an Input.
 */
export function check(input: Input, options?: CheckOptions): Promise<FileReport>;

/** The text that `tracelint --output KIND` prints for one file. */
export function report(input: Input, kind: OutputKind, options?: CheckOptions): Promise<string>;

/** The records of a file, as text, or as JSON with {output: "json"}. */
export function dump(
  input: Input,
  options?: { name?: string; as?: string; output?: "text" | "json"; records?: string; around?: string | number },
): Promise<string>;

/** A place where what is salvaged differs from the input. */
export interface SalvageChange {
  change: "left out" | "set" | "inserted";
  /** In the input, decompressed. */
  offset: number;
  /** Bytes that are left out or replaced. */
  length: number;
  /** Where that is in what is salvaged. */
  new_offset: number;
  cause: string;
  /** The rule that is broken; null: other changes make this one necessary. */
  rule: string | null;
  /** Of what is left out: records, and the offset of what it depends on. */
  records?: number;
  depends_on?: number | null;
  /** Of what is set or inserted: the field, and the bytes in hexadecimal. */
  field?: string;
  bytes?: string;
}

/** salvage.schema.json describes all but `data`. */
export interface Salvaged {
  schema_version: 1;
  verdict: "clean" | "salvaged" | "impossible" | "limited" | "unreadable";
  /** Why nothing is salvaged; null if something is. */
  why: string | null;
  format: string | null;
  container: "gzip" | "zstd" | null;
  size: number;
  new_size: number | null;
  changes: SalvageChange[];
  /** The trace without errors; null if nothing can be trusted. */
  data: Uint8Array | null;
}

/**
 * The part of a broken trace that can be trusted, as a trace without errors. Needs command.wasm. Throws a UsageError for a
 * wrong option, and a TypeError if `input` is not an Input.
 */
export function salvage(
  input: Input,
  options?: { name?: string; as?: string; maxMemory?: number | string; maxRecord?: number | string },
): Promise<Salvaged>;

/** shrink.schema.json describes all but `data`. */
export interface Shrunk {
  schema_version: 1;
  rule: string;
  format: string | null;
  container: "gzip" | "zstd" | null;
  verdict: "shrunk" | "absent" | "impossible" | "limited" | "unreadable";
  /** Why no smaller trace was made; null if one was. */
  why: string | null;
  /** What ended it early: the trace might become smaller. */
  stopped_by: string | null;
  size: number | null;
  new_size: number | null;
  /** Of the shrunk trace. */
  records: number | null;
  /** Where the finding begins in the input, and in the shrunk trace. */
  offset: number | null;
  new_offset: number | null;
  /** Other errors and warnings of the shrunk trace, which always come with the finding. */
  others: number | null;
  /** How many files were checked. */
  checks: number;
  /** What `redact` had to keep, because the finding needs it. */
  not_redacted: { offset: number; length: number; field: string | null; text: string }[];
  /** The shrunk trace, or null. */
  data: Uint8Array | null;
}

/**
 * The smallest trace that still has a finding: `keep` is its rule, or RULE@OFFSET. `redact` replaces names, paths, code and
 * payloads. Needs command.wasm. Throws a UsageError for a wrong option, and a TypeError if `input` is not an Input.
 */
export function shrink(
  input: Input,
  options: {
    keep: string; redact?: boolean; maxSeconds?: number;
    name?: string; as?: string; maxMemory?: number | string; maxRecord?: number | string;
  },
): Promise<Shrunk>;

/** All rules. */
export function rules(): Promise<Rule[]>;

/** What a rule demands and why, with an example, as text. */
export function explain(rule: string): Promise<string>;

/** Runs the command line on files in memory. */
export function run(
  args: string[],
  files?: Record<string, Input>,
): Promise<{ status: number; stdout: string; stderr: string }>;

/** Compiles tracelint.wasm from another source than the package. Call it before check(). */
export function load(source?: WebAssembly.Module | BufferSource): Promise<WebAssembly.Module>;

/**
 * The same for command.wasm, the whole command line: what run(), dump(), rules(), explain() and reports other than JSON
 * need, and check() only for `for`, `with` and options that CheckOptions does not list.
 */
export function loadCommand(source?: WebAssembly.Module | BufferSource): Promise<WebAssembly.Module>;
