// Where the sources and the programs of this build are. One source file knows, so that the others compile to the same
// object in every checkout.
#pragma once

#include <string>

namespace tracelint::paths {

std::string root();       // of the source tree
std::string program();    // tracelint, or what TRACELINT_PROGRAM names
std::string exporter();   // tracelint_export
std::string go_pprof();   // may not exist
std::string core_only();  // a program that links nothing but the core library

}  // namespace tracelint::paths
