/* Checks the files of its command line and prints their findings, one per line. Exits with 1 if there is an error in one
 * of them.
 *
 *     cc -std=c11 example.c $(pkg-config --cflags --libs tracelint_c)
 */
#include <inttypes.h>
#include <stdio.h>

#include "tracelint.h"

/* Prints why the library refuses. */
static int complain(const char *path, tracelint_error error) {
    fprintf(stderr, "%s: %s: %s\n", path, tracelint_error_string(error), tracelint_error_detail());
    return 1;
}

static int check(const char *path) {
    const tracelint_options options = {.size = sizeof options, .max_per_rule = 3};
    tracelint_report *report = NULL;
    tracelint_error error = tracelint_check_file(path, &options, &report);
    if (error != TRACELINT_OK) return complain(path, error);

    tracelint_summary summary = {.size = sizeof summary};
    tracelint_report_summary(report, &summary);
    for (size_t i = 0; i < summary.finding_count; ++i) {
        tracelint_finding finding = {.size = sizeof finding};
        tracelint_report_finding(report, i, &finding);
        printf("%s:0x%" PRIx64 "+%" PRIu64 ": %s: %s [%s]\n", path, finding.offset, finding.length,
               tracelint_severity_string(finding.severity), finding.message, finding.rule);
    }
    printf("%s: %s, %" PRIu64 " errors\n", path, tracelint_verdict_string(summary.verdict), summary.errors);
    tracelint_report_free(report);
    return summary.verdict == TRACELINT_UNREADABLE || summary.errors != 0;
}

int main(int count, char **paths) {
    int status = 0;
    for (int i = 1; i < count; ++i) status |= check(paths[i]);
    return status;
}
