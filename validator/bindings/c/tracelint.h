/* tracelint's C interface: checks binary traces of runtimes and profilers (jitdump, perf.data, XRay, pprof, nettrace, ...).
 *
 *     tracelint_report *report = NULL;
 *     if (tracelint_check_file("perf.dump", NULL, &report) == TRACELINT_OK) {
 *         tracelint_summary summary = {.size = sizeof summary};
 *         tracelint_report_summary(report, &summary);
 *         printf("%llu errors\n", (unsigned long long)summary.errors);
 *     }
 *     tracelint_report_free(report);
 *
 * Errors. A function returns TRACELINT_OK or says why it did nothing; its results are then unchanged. (Only
 * tracelint_session_feed() and _finish() may have done a part, as they say.) A malformed trace
 * is not an error: it has a report with findings. Nor is an input that cannot be read: its verdict is "unreadable". Misuse
 * is an error and never a crash: null pointers, handles that are freed or were never handed out, calls in the wrong
 * order, structs of a wrong size, an index that is not below its count (TRACELINT_ERROR_OUT_OF_RANGE). The library cannot
 * check other arguments: pointers must point to what the function says, and strings must end in a zero byte. No C++
 * exception leaves a function.
 *
 * Units. Offsets, lengths and sizes count bytes, from the start of the input, or of what it decompresses to if it is
 * gzip or zstd. Only a finding about the container itself, such as gzip/corrupt, counts in the compressed input; it has
 * `about_container` set. An index counts from 0.
 *
 * Structs begin with their size, so that later versions can add members at the end. Set all members to zero and `size`
 * to the size of the struct: zero is the default of every option. The library reads and writes that many bytes. It takes
 * the structs of all versions of this ABI: earlier ones, which lack members, and later ones, whose further members it
 * sets to zero and must find zero.
 *
 * Ownership. Reports and sessions are freed by the caller. Every string that the library returns ends in a zero byte. A
 * string of a report lives as long as the report, but JSON only until the next call that makes JSON of the same report.
 * All other strings live as long as the library is loaded.
 *
 * Threads. Any function may be called from any thread, and different handles may be used at the same time. One handle
 * may be used by one thread at a time.
 *
 * A call for a session that another call for it has not returned from, or that its own on_finding makes, returns
 * TRACELINT_ERROR_WRONG_ORDER, and tracelint_error_detail() says which of the two. Only tracelint_session_free() is
 * allowed in both cases.
 *
 * Memory. What a check takes is bounded by tracelint_options.max_memory, whatever the input holds. Where there is no
 * memory, a function returns TRACELINT_ERROR_OUT_OF_MEMORY; if it runs out in the middle of a check, the report's
 * verdict is TRACELINT_UNREADABLE and its failure "out of memory".
 */
#ifndef TRACELINT_H
#define TRACELINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* The versions of this header. tracelint_version() and tracelint_abi() return those of the library. */
#define TRACELINT_VERSION_MAJOR 0
#define TRACELINT_VERSION_MINOR 2
#define TRACELINT_VERSION_PATCH 0
/* Incremented when programs have to be compiled again. The number in libtracelint_c.so.0. */
#define TRACELINT_ABI 0

/* The version of the library: "0.2.0". */
const char *tracelint_version(void);
/* TRACELINT_ABI of the library. */
uint32_t tracelint_abi(void);

/* What a function returns. */
typedef int32_t tracelint_error;
enum {
    TRACELINT_OK = 0,
    TRACELINT_ERROR_NULL_ARGUMENT = 1,  /* a pointer is null that must not be */
    TRACELINT_ERROR_STRUCT_SIZE = 2,    /* `size` is no version's, or a member that this version does not know is set */
    TRACELINT_ERROR_INVALID_OPTION = 3, /* an unknown format, rule, severity or setting */
    TRACELINT_ERROR_INVALID_HANDLE = 4, /* freed, never handed out, or of another kind */
    TRACELINT_ERROR_WRONG_ORDER = 5,    /* the session is finished or in use */
    TRACELINT_ERROR_OUT_OF_RANGE = 6,   /* there is no element of this index */
    TRACELINT_ERROR_NOT_FOUND = 7,      /* there is no rule of this id */
    TRACELINT_ERROR_OUT_OF_MEMORY = 8,
    TRACELINT_ERROR_NO_THREAD = 9,      /* a session takes more than 256 KiB, and the system gives no thread for it */
    TRACELINT_ERROR_INTERNAL = 10       /* a fault of the library */
};

/* The error as an English sentence without a full stop, never null. */
const char *tracelint_error_string(tracelint_error error);
/* More about the last error of the calling thread, such as the option that is wrong; empty if there is no more to say.
 * Never null; lives until the next call from this thread that fails. */
const char *tracelint_error_detail(void);

/* A number that the input does not have, or that is not known. */
#define TRACELINT_UNKNOWN UINT64_MAX
/* For tracelint_options.max_per_rule. */
#define TRACELINT_UNLIMITED UINT64_MAX

/* error: the file violates a requirement of the format, or a real reader fails on it or misreads it. warning: today's
 * readers cope, but the writer is at fault. note: files from healthy producers have them. */
typedef int32_t tracelint_severity;
enum {
    TRACELINT_NOTE = 1,
    TRACELINT_WARNING = 2,
    TRACELINT_ERROR = 3,
    TRACELINT_OFF = 4 /* only as a choice: findings of the rule are neither counted nor kept */
};

/* "note", "warning", "error", "off"; empty for any other number. */
const char *tracelint_severity_string(tracelint_severity severity);

/* The highest severity found, or that reading the input failed, so that findings may be missing. */
typedef int32_t tracelint_verdict;
enum {
    TRACELINT_CLEAN = 0,
    TRACELINT_HAS_NOTES = 1,
    TRACELINT_HAS_WARNINGS = 2,
    TRACELINT_HAS_ERRORS = 3,
    TRACELINT_UNREADABLE = 4
};

/* As in the JSON output: "clean", "note", "warning", "error", "unreadable"; empty for any other number. */
const char *tracelint_verdict_string(tracelint_verdict verdict);

/* --- Checking ----------------------------------------------------------------------------------------------------- */

/* Gives the rules that a pattern covers another severity. */
typedef struct tracelint_choice {
    const char *rules;           /* the id of a rule, or a prefix that ends in a slash or dash ("jitdump/load-") */
    tracelint_severity severity;
} tracelint_choice;

/* An option of a format, as on the command line without its dashes: "samply-260". */
typedef struct tracelint_setting {
    const char *name;
    const char *value;
} tracelint_setting;

/* A file that belongs to the input: the jitdump or perf map of a recording, or the recording of a jitdump or map. If
 * `bytes` is null, the file called `name` is opened; an empty file is any other pointer with a `length` of 0. The call
 * that returns the report reads the bytes, after the input. They are not copied and must not change until then. */
typedef struct tracelint_companion {
    const char *name;            /* in reports, and for rules about names: "perf-4.map" */
    const void *bytes;
    size_t length;
} tracelint_companion;

struct tracelint_finding;

/* How to check. The library copies what it needs before a function returns. */
typedef struct tracelint_options {
    size_t size;                 /* sizeof(tracelint_options) */
    const char *format;          /* the id of a format; null: recognise it by the first bytes */
    const char *file_name;       /* for rules about names and for reports of memory, callbacks and sessions; may be null */
    const char *const *select;   /* patterns; if there are any, only rules that they cover are enabled */
    size_t select_count;
    const char *const *ignore;   /* patterns of rules that are not enabled */
    size_t ignore_count;
    const tracelint_choice *severities; /* if several cover a rule, the last one wins */
    size_t severity_count;
    const tracelint_setting *settings;
    size_t setting_count;
    uint64_t max_memory;         /* bytes of everything that grows with an input; 0: 512 MiB */
    uint64_t max_record;         /* bytes of a record that must be in memory as a whole; 0: 64 MiB */
    uint64_t max_per_rule;       /* findings of each rule to keep; all are counted. 0: 20 */
    /* Called for each finding when it is made, kept or not, in the order of discovery. Findings about the end of the input
     * come when the check is over, those that are kept only, since a truncated container withdraws them.
     *
     * Runs on the thread that calls tracelint_check_*(). A session calls it on the thread that calls its finish(), or, once
     * it was fed more than 256 KiB, on a thread of the session, until finish() or free() returns. It never runs twice at a
     * time for one check. `finding` and its strings live until the function returns; finding->size says which members are
     * set. If there is no memory for texts, message and help are empty and field is null.
     *
     * It may call other functions of the library, and must not jump out. It may free the session that it is called by; the
     * other functions for this session return TRACELINT_ERROR_WRONG_ORDER. If it throws, it is not called again, and the
     * check continues. Null: only the report has the findings. */
    void (*on_finding)(void *user, const struct tracelint_finding *finding);
    void *user;                  /* passed on to on_finding */
    /* Programs that read the input: "perf" (its newest version), "perf@6.1", or "any" (the newest version of each).
     * tracelint_report_reader() predicts what each does with the input. The findings are those that affect at least one
     * of the readers, with the severity that they have for it; on_finding is called for those that are kept, when the
     * check is over. The input is read twice. If it cannot seek, up to a 32nd of max_memory, and 8 MiB at most, are kept
     * for that. */
    const char *const *readers;
    size_t reader_count;
    /* Files that belong to the input. Each is checked with the same options and has a report of its own
     * (tracelint_report_companion()). A mismatch between two files is a finding of one of them. on_finding is called for
     * mismatches that the input has, when all files are checked, on the thread that asks for the report; it is not
     * called for other findings of companions. What is remembered to compare the files takes at most max_memory, in
     * addition to the memory of each check. */
    const tracelint_companion *companions;
    size_t companion_count;
    /* Not 0: the input is still being written. Its end is then where the writer has come to: what would be reported for a
     * file that ends there is one note, input/growing. Excludes `readers`. */
    int32_t growing;
} tracelint_options;

/* An input that is read by calls of the caller's functions, from the thread that calls tracelint_check_callback(). They
 * may call other functions of the library, and must not jump out. If one throws, reading has failed. */
typedef struct tracelint_source {
    size_t size;                 /* sizeof(tracelint_source) */
    void *user;                  /* passed on to the functions */
    /* Reads up to `bytes` bytes to `to`, in order. Returns how many, 0 at the end, less than 0 if reading failed. */
    int64_t (*read)(void *user, void *to, size_t bytes);
    /* Moves to `offset` from the start: less than `total`, or, if that is unknown, up to INT64_MAX, which may be beyond
     * the end. Returns 0 if it cannot, else any other number. Null: the input can only be read in order. */
    int32_t (*seek)(void *user, uint64_t offset);
    /* Bytes of the whole input; TRACELINT_UNKNOWN if only reading shows it. Ignored without a `seek`. */
    uint64_t total;
} tracelint_source;

/* The findings of one input. */
typedef struct tracelint_report tracelint_report;

/* Each of these checks one input and gives its report, to be freed with tracelint_report_free(). `options` may be null.
 * `path` is the name of a file, a pipe or a device; "-" is not special. `bytes` may be null if `length` is 0. */
tracelint_error tracelint_check_file(const char *path, const tracelint_options *options, tracelint_report **report);
tracelint_error tracelint_check_memory(const void *bytes, size_t length, const tracelint_options *options,
                                       tracelint_report **report);
tracelint_error tracelint_check_callback(const tracelint_source *source, const tracelint_options *options,
                                         tracelint_report **report);

/* --- Inputs that arrive in pieces --------------------------------------------------------------------------------- */

/* A check that is fed. An input of up to 256 KiB is collected and checked when it is finished; a larger one is checked
 * meanwhile, by a thread of the session. */
typedef struct tracelint_session tracelint_session;

/* Begins a check, to be freed with tracelint_session_free(). `options` may be null. */
tracelint_error tracelint_session_open(const tracelint_options *options, tracelint_session **session);
/* Gives the next bytes, any number of them. They are copied. Waits while the thread has 256 KiB to check. `more`, which
 * may be null, is set to 0 if no further byte can change the report; feeding then does nothing. `bytes` may be null if
 * `length` is 0. */
tracelint_error tracelint_session_feed(tracelint_session *session, const void *bytes, size_t length, int32_t *more);
/* Says that the input ends here and gives its report: that of tracelint_check_callback() for the same bytes without a
 * `seek`, however they were split. There is one exception: if the check needs no further bytes, input_size may be
 * TRACELINT_UNKNOWN or not, depending on whether it had reached the end by then. The session still has to be freed.
 *
 * Call it once, unless it returns TRACELINT_ERROR_OUT_OF_MEMORY: the session is finished, but another call gives its
 * report if memory was only missing for the report. If the check itself could not keep its result, every call returns
 * that error. */
tracelint_error tracelint_session_finish(tracelint_session *session, tracelint_report **report);
/* Frees a session, and ends its check if it is not finished. Null is allowed and does nothing.
 *
 * on_finding is not called again. It may be what calls this: then the memory goes, and the check ends, when on_finding and
 * other calls for the session have returned, and a tracelint_session_finish() among them still gives the report. */
tracelint_error tracelint_session_free(tracelint_session *session);

/* --- Reports ------------------------------------------------------------------------------------------------------ */

/* A report without its lists. */
typedef struct tracelint_summary {
    size_t size;              /* sizeof(tracelint_summary), set by the caller */
    tracelint_verdict verdict;
    int32_t limit_hit;        /* not 0: a limit left something unchecked, so findings may be missing */
    const char *format;       /* its id; null if not recognised */
    const char *container;    /* "gzip" or "zstd"; null if absent */
    const char *failure;      /* why reading the input failed; null if it did not */
    uint64_t input_size;      /* in bytes; TRACELINT_UNKNOWN: not read to its end, since nothing more could be checked */
    uint64_t format_version;  /* as the file states it; TRACELINT_UNKNOWN: it states none, or was not read up to there */
    uint32_t byte_order;      /* 1: little-endian, 2: big-endian, 0: not known */
    uint32_t word_size;       /* bytes of an address, if the format allows for several; else 0 */
    uint64_t errors;          /* all findings, kept or not */
    uint64_t warnings;
    uint64_t notes;
    size_t finding_count;     /* kept findings: elements for tracelint_report_finding() */
    size_t statistic_count;   /* elements for tracelint_report_statistic() */
    size_t rule_count;        /* elements for tracelint_report_rule() */
    size_t reader_count;      /* elements for tracelint_report_reader() */
    size_t companion_count;   /* elements for tracelint_report_companion() */
} tracelint_summary;

/* A finding. */
typedef struct tracelint_finding {
    size_t size;              /* sizeof(tracelint_finding), set by the caller */
    const char *rule;         /* its id */
    tracelint_severity severity;
    uint32_t has_related;     /* not 0: the finding also refers to another place */
    uint64_t offset;
    uint64_t length;          /* 0: at the end of the input */
    const char *field;        /* "records[2].total_size"; null if the finding is not about a record */
    const char *message;      /* what is wrong and what was expected, as one sentence */
    const char *help;         /* what it does to the tools that read the file */
    uint64_t related_offset;  /* in related_file, if there is one */
    uint64_t related_length;
    uint64_t about_container; /* not 0: offset counts in the compressed input, since the container itself is at fault */
    const char *related_file; /* the name of the other file that it is about; null if it is about one file */
} tracelint_finding;

/* A name and a number. */
typedef struct tracelint_count {
    size_t size;              /* sizeof(tracelint_count), set by the caller */
    const char *name;
    uint64_t number;
} tracelint_count;

/* What one version of a reader does with the input. */
typedef struct tracelint_reader {
    size_t size;              /* sizeof(tracelint_reader), set by the caller */
    const char *name;         /* "perf" */
    const char *version;      /* "7.2" */
    const char *outcome;      /* "loads", "ignores" (a broken rule does not matter to it), "unknown" (not tried), "drops",
                                 "misreads", "refuses", "hangs" or "crashes" */
    const char *evidence;     /* "measured", "by its source" or "by a report" */
    const char *rule;         /* of the finding that decides the outcome; null if no finding does */
    uint64_t offset;          /* of that finding; TRACELINT_UNKNOWN if no finding decides */
    const char *unit;         /* what it shows, in the singular: "function" */
    uint64_t total;           /* units in the input */
    uint64_t lost;            /* of these, those that it drops: after the place where it stops, or one by one */
    const char *sentence;     /* "perf 7.2 stops at 0x1a40 and silently drops ..."; its wording is not stable */
} tracelint_reader;

/* The verdict, the counts, and the lengths of the lists. */
tracelint_error tracelint_report_summary(const tracelint_report *report, tracelint_summary *summary);
/* The kept findings, sorted by offset, then rule. */
tracelint_error tracelint_report_finding(const tracelint_report *report, size_t index, tracelint_finding *finding);
/* "records", then what the format counts. */
tracelint_error tracelint_report_statistic(const tracelint_report *report, size_t index, tracelint_count *statistic);
/* The rules that are broken, by id, with the number of their findings, kept or not. */
tracelint_error tracelint_report_rule(const tracelint_report *report, size_t index, tracelint_count *rule);
/* The report as an element of `files` in the command's `--output json`, the same bytes. `path` is the member of that
 * name; null: that of the file, or options.file_name, or "-". `length` may be null. */
tracelint_error tracelint_report_json(const tracelint_report *report, const char *path, const char **json,
                                      size_t *length);
/* A finding as an element of `diagnostics` in the report as JSON. */
tracelint_error tracelint_finding_json(const tracelint_report *report, size_t index, const char **json, size_t *length);
/* Predicts what a reader that the options name does with the input. Readers of other formats are left out; the others
 * keep the order of the options. */
tracelint_error tracelint_report_reader(const tracelint_report *report, size_t index, tracelint_reader *reader);
/* The report of a companion, in the order of the options. Free it with tracelint_report_free(), before or after the
 * report of the input. It has no companions. */
tracelint_error tracelint_report_companion(const tracelint_report *report, size_t index, tracelint_report **companion);
/* The report, and those of its companions, as the command prints them with `--output json`: `files`, `groups` (how the
 * files belong together, if there are companions) and `summary`. `path` is as in tracelint_report_json(). */
tracelint_error tracelint_report_document(const tracelint_report *report, const char *path, const char **json,
                                          size_t *length);
/* The report, and those of its companions, as the page that the command writes with `--output html`: one file below 5 MB
 * that needs nothing else. Reads again what was checked by its name. `bytes` are those of an input that was not; null if
 * `size` is 0: the page then has no bytes and no map of it, as of companions that were not opened by their names. `length`
 * may be null. The text lives until the next call for a page of the same report. Takes as long as a check. Other threads may
 * meanwhile call the other functions for the report, but not free it. */
tracelint_error tracelint_report_html(const tracelint_report *report, const void *bytes, size_t size, const char **html,
                                      size_t *length);
/* Frees a report with its strings. Null is allowed and does nothing. */
tracelint_error tracelint_report_free(tracelint_report *report);

/* --- Salvage ------------------------------------------------------------------------------------------------------ */

/* How a salvage ended. Only the first two wrote a trace. */
typedef int32_t tracelint_salvage_verdict;
enum {
    TRACELINT_SALVAGE_CLEAN = 0,      /* the input has no error: it was copied, with its container */
    TRACELINT_SALVAGE_SALVAGED = 1,   /* what was written has no error; it is not in a container */
    TRACELINT_SALVAGE_IMPOSSIBLE = 2, /* nothing can be trusted, or an error remains whatever is left out */
    TRACELINT_SALVAGE_LIMITED = 3,    /* a limit was reached: it is not known whether an error remains */
    TRACELINT_SALVAGE_UNREADABLE = 4, /* reading failed, or the input can be read only once */
    TRACELINT_SALVAGE_UNWRITABLE = 5  /* `write` returned 0 or threw */
};

/* Where a salvaged trace goes. It is called from the thread that calls tracelint_salvage_*(), may call other functions
 * of the library, and must not jump out. */
typedef struct tracelint_sink {
    size_t size;                 /* sizeof(tracelint_sink) */
    void *user;                  /* passed on to the function */
    /* Takes the next `length` bytes, all of them. Returns 0 if it cannot, else any other number. */
    int32_t (*write)(void *user, const void *bytes, size_t length);
} tracelint_sink;

/* A salvage that ended. */
typedef struct tracelint_salvaged tracelint_salvaged;

/* A salvage without its changes. */
typedef struct tracelint_salvage_summary {
    size_t size;                 /* sizeof(tracelint_salvage_summary), set by the caller */
    tracelint_salvage_verdict verdict;
    const char *format;          /* its id; null if not recognised */
    const char *container;       /* of the input: "gzip" or "zstd"; null if absent */
    const char *why;             /* why no trace was written; null if one was */
    uint64_t input_size;         /* decompressed */
    uint64_t new_size;           /* of what was written */
    uint64_t records_kept;       /* where something was left out; otherwise both are 0 */
    uint64_t records_left_out;
    size_t change_count;         /* elements for tracelint_salvaged_change() */
} tracelint_salvage_summary;

/* A place where what was written differs from the input. */
typedef struct tracelint_change {
    size_t size;                 /* sizeof(tracelint_change), set by the caller */
    uint32_t kind;               /* 0: bytes are left out, 1: replaced, 2: inserted */
    uint32_t byte_count;         /* of `bytes` */
    uint64_t offset;             /* in the input, decompressed */
    uint64_t length;             /* bytes that are left out or replaced */
    uint64_t new_offset;         /* in what was written */
    uint64_t records;            /* that are left out */
    const char *rule;            /* the id of the rule that is broken; null: other changes made this one necessary */
    const uint8_t *bytes;        /* that took the place; null if they were left out */
} tracelint_change;

/* Each of these passes on to `sink` the part of the input that can be trusted, as a trace without errors, and says what it
 * left out or set; free that with tracelint_salvaged_free(). `sink` is not called before what it gets is known to have no
 * error. Of the options, which may be null, `format`, `file_name`, `max_memory`, `max_record` and the settings count. The
 * input is read several times, so tracelint_source must have a `seek`. */
tracelint_error tracelint_salvage_file(const char *path, const tracelint_options *options, const tracelint_sink *sink,
                                       tracelint_salvaged **salvaged);
tracelint_error tracelint_salvage_memory(const void *bytes, size_t length, const tracelint_options *options,
                                         const tracelint_sink *sink, tracelint_salvaged **salvaged);
tracelint_error tracelint_salvage_callback(const tracelint_source *source, const tracelint_options *options,
                                           const tracelint_sink *sink, tracelint_salvaged **salvaged);
/* How it ended. The strings live as long as `salvaged`. */
tracelint_error tracelint_salvaged_summary(const tracelint_salvaged *salvaged, tracelint_salvage_summary *summary);
/* The changes, in the order of their offsets. The bytes live as long as `salvaged`. */
tracelint_error tracelint_salvaged_change(const tracelint_salvaged *salvaged, size_t index, tracelint_change *change);
/* Frees it. Null is allowed and does nothing. */
tracelint_error tracelint_salvaged_free(tracelint_salvaged *salvaged);

/* --- Rules -------------------------------------------------------------------------------------------------------- */

/* A rule of the catalogue. */
typedef struct tracelint_rule {
    size_t size;              /* sizeof(tracelint_rule), set by the caller */
    const char *id;           /* "jitdump/bad-magic"; never given to another rule */
    const char *format;       /* the id of its format; null for rules about inputs and containers */
    const char *statement;    /* what the format requires */
    const char *why;          /* what a violation does to the tools that read the file */
    const char *spec;         /* headings of the specification */
    const char *since;        /* the first version that has the rule */
    const char *status;       /* "stable", "preview", "deprecated" */
    tracelint_severity severity;
    tracelint_severity milder_severity; /* while `milder_when` holds; 0 without such a condition */
    const char *milder_when;  /* a condition, as the continuation of "when ..."; null if absent */
} tracelint_rule;

/* Rules in the order of the catalogue: the engine's own, then those of each format. 0 if there is no memory. */
size_t tracelint_rule_count(void);
tracelint_error tracelint_rule_at(size_t index, tracelint_rule *rule);
/* The rule of an id. TRACELINT_ERROR_NOT_FOUND if no rule has it. */
tracelint_error tracelint_rule_find(const char *id, tracelint_rule *rule);
/* The output of the command `rules --output json`. `length` may be null. */
tracelint_error tracelint_rules_json(const char **json, size_t *length);

/* A format. */
typedef struct tracelint_format {
    size_t size;              /* sizeof(tracelint_format), set by the caller */
    const char *id;           /* "jitdump" */
    const char *title;        /* "perf jitdump" */
} tracelint_format;

/* Formats in the order of the catalogue. */
size_t tracelint_format_count(void);
tracelint_error tracelint_format_at(size_t index, tracelint_format *format);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif /* TRACELINT_H */
