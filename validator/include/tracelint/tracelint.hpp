// All of tracelint: checks XRay, jitdump, gperftools, Mono log-profiler, perf.data, pprof and nettrace files and perf
// maps.
//
//     #include <tracelint/tracelint.hpp>
//
//     const tracelint::Result result = tracelint::check_file("perf-1.dump");
//     for (const tracelint::Finding& finding : result.findings())
//         std::cout << finding.place().offset << ' ' << finding.message() << '\n';
#pragma once

#include "tracelint/catalogue.hpp"
#include "tracelint/check.hpp"
#include "tracelint/salvage.hpp"
#include "tracelint/session.hpp"
