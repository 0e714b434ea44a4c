# tracelint::tracelint (shared) and tracelint::tracelint_static need C++20. Only who links the static library needs zlib
# to link: the shared one has it.
find_package(ZLIB QUIET)
find_package(Threads QUIET)
include("${CMAKE_CURRENT_LIST_DIR}/tracelintTargets.cmake")
