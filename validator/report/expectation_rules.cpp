// The rules about what the user expects of files, whatever their format.
#include "validator/report/expectation_rules.hpp"

namespace tracelint {

constinit const Rule kExpectedFormat{
    .id = "expect/format",
    .severity = Severity::error,
    .statement = "a file has the format that is expected of it",
    .message = "the file is not in the expected format, {text}",
    .why = "another writer made the file, or the wrong file was named; readers of the expected format reject it",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kExpectedStatistic{
    .id = "expect/statistic",
    .severity = Severity::error,
    .statement = "a file has as many records of a kind as are expected of it",
    .message = "the statistic {text} is {0}; expected at least {1}",
    .why = "the run wrote less than it was meant to, so a test that relies on the file proves nothing",
    .spec = "tracelint",
    .since = "0.2.0",
    .about_end = true,
    .of_input = true,
};

constinit const Rule kExpectedName{
    .id = "expect/name",
    .severity = Severity::error,
    .statement = "a file names the functions that are expected of it",
    .message = "none of the {0 name|names} of functions in the file matches '{text}'",
    .why = "the function did not run, or the writer lost it or gave it another name",
    .spec = "tracelint",
    .since = "0.2.0",
    .about_end = true,
    .of_input = true,
};

constinit const Rule kExpectedFile{
    .id = "expect/file",
    .severity = Severity::error,
    .statement = "as many files are written as are expected",
    .message = "{0 trace|traces} found here; expected at least {1}",
    .why = "the run wrote no trace, or wrote it elsewhere, so there was nothing to check",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
};

RuleList expectation_rules() { return rules<&kExpectedFormat, &kExpectedStatistic, &kExpectedName, &kExpectedFile>; }

}  // namespace tracelint
