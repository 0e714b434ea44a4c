# What is installed of the command, and how the install components become Debian packages. scripts/package runs it.
include(GNUInstallDirs)

# The manual, the completions, and the references and specifications of the grammars, if they were built.
set(TRACELINT_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
  "where zsh finds completions, below the prefix")
set(documents ${PROJECT_BINARY_DIR}/documents)
install(TARGETS tracelint RUNTIME COMPONENT command)
install(DIRECTORY ${documents}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT command OPTIONAL)
install(DIRECTORY ${documents}/bash-completion/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion
  COMPONENT command OPTIONAL)
install(DIRECTORY ${documents}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish COMPONENT command OPTIONAL)
install(DIRECTORY ${documents}/zsh/vendor-completions/ DESTINATION ${TRACELINT_ZSH_DIR} COMPONENT command OPTIONAL)
install(DIRECTORY ${documents}/grammars DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command OPTIONAL)

# The conformance corpus, and seeds and dictionaries for fuzzers, if packaged_corpus was built.
set(packaged_corpus ${PROJECT_BINARY_DIR}/packaged_corpus)
file(GLOB seed_files CONFIGURE_DEPENDS corpus/*/real/* corpus/*/crashes/*)
add_custom_command(OUTPUT ${packaged_corpus}/done VERBATIM
  DEPENDS tracelint_export tracelint_seeds ${corpus_texts} ${seed_files} corpus/conformance.md
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${packaged_corpus}
  COMMAND tracelint_export --packaged . ${packaged_corpus}/conformance > ${PROJECT_BINARY_DIR}/packaged_corpus.log
  COMMAND tracelint_seeds --packaged . ${packaged_corpus}/seeds
  COMMAND ${CMAKE_COMMAND} -E touch ${packaged_corpus}/done)
add_custom_target(packaged_corpus DEPENDS ${packaged_corpus}/done)
# All that is installed. `all` would build tests, too.
add_custom_target(packaged DEPENDS tracelint documents packaged_corpus)
foreach(target tracelint_shared tracelint_static tracelint_c tracelint_c_archive tracelint_mutator tracelint_python)
  if(TARGET ${target})
    add_dependencies(packaged ${target})
  endif()
endforeach()
foreach(folder conformance seeds)
  install(DIRECTORY ${packaged_corpus}/${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/tracelint
    COMPONENT corpus OPTIONAL)
endforeach()

# The program without shared libraries, for containers. It has the archives of the shared one, and those
# of zlib and zstd.
find_library(TRACELINT_ZLIB_ARCHIVE libz.a)
set(compression_archives ${TRACELINT_ZLIB_ARCHIVE})
if(TRACELINT_ZSTD_FOUND)
  find_library(TRACELINT_ZSTD_ARCHIVE libzstd.a)
  list(APPEND compression_archives ${TRACELINT_ZSTD_ARCHIVE})
endif()
if(TRACELINT_ZLIB_ARCHIVE AND (TRACELINT_ZSTD_ARCHIVE OR NOT TRACELINT_ZSTD_FOUND))
  set(archives)
  foreach(library tracelint_tool tracelint_json tracelint_generator tracelint_core)
    list(APPEND archives $<TARGET_FILE:${library}>)
  endforeach()
  add_executable(tracelint_without_libraries EXCLUDE_FROM_ALL validator/tool/main.cpp)
  add_dependencies(tracelint_without_libraries tracelint_tool tracelint_json tracelint_generator tracelint_core)
  target_link_libraries(tracelint_without_libraries PRIVATE tracelint_flags -static-pie -Wl,--start-group ${archives}
    -Wl,--end-group ${compression_archives})
  set_target_properties(tracelint_without_libraries PROPERTIES LINK_DEPENDS "${archives}")

  # The library for C as the wheel has it: with libstdc++, libgcc, zlib and zstd in it, and without what only a new glibc has.
  if(TARGET tracelint_c_archive)
    set(map ${PROJECT_SOURCE_DIR}/validator/bindings/c/tracelint_c.map)
    add_library(tracelint_c_of_wheel SHARED EXCLUDE_FROM_ALL validator/bindings/python/old_glibc.cpp)
    add_dependencies(tracelint_c_of_wheel tracelint_c_archive)
    target_link_libraries(tracelint_c_of_wheel PRIVATE tracelint_flags -Wl,--whole-archive $<TARGET_FILE:tracelint_c_archive>
      -Wl,--no-whole-archive ${compression_archives} Threads::Threads)
    target_link_options(tracelint_c_of_wheel PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--no-undefined
      -Wl,--as-needed -Wl,--version-script=${map})
    set_target_properties(tracelint_c_of_wheel PROPERTIES OUTPUT_NAME tracelint_c SOVERSION ${TRACELINT_ABI}
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/wheel LINK_DEPENDS "$<TARGET_FILE:tracelint_c_archive>;${map}")
  endif()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR tracelint)
set(CPACK_PACKAGE_CONTACT "the authors of tracelint <tracelint@tracelint.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/scripts/package.d/complete-staging.cmake)
set(CPACK_COMPONENTS_ALL command library development python corpus)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(zstd)
if(TRACELINT_ZSTD_FOUND)
  set(zstd ", libzstd-dev")
endif()
set(same "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME tracelint)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "checks binary traces of runtimes and profilers
tracelint reports where a binary trace breaks its format, with the rule, the
severity, the byte offset and the effect on the tools that read the file. It
checks jitdump, XRay, gperftools, Mono log-profiler, perf.data, pprof and
nettrace files, and perf maps.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libtracelint${TRACELINT_ABI})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# complete-staging.cmake computes what it depends on: CPack would call ldconfig from scripts instead of triggers.
foreach(control shlibs triggers)
  configure_file(scripts/package.d/${control}.in ${PROJECT_BINARY_DIR}/${control} @ONLY)
  list(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/${control})
endforeach()
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "checks binary traces in a process: shared libraries
The C++ and the C library of tracelint, which reports where a binary trace
breaks its format: jitdump, XRay, gperftools, Mono log-profiler, perf.data,
pprof and nettrace files, and perf maps.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtracelint-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/triggers)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libtracelint${TRACELINT_ABI} ${same}, zlib1g-dev${zstd}")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "checks binary traces in a process: headers
What programs in C++ and C are built with that use the libraries of tracelint,
which reports where a binary trace breaks its format: headers, the static
library, and the files of CMake and pkg-config. A mutator of such traces for
libFuzzer and AFL++.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tracelint)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/scripts/package.d/python/postinst
  ${PROJECT_SOURCE_DIR}/scripts/package.d/python/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "python3 (>= 3.9), libtracelint${TRACELINT_ABI} (>= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
# For tracelint.dask.
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "tracelint ${same}, python3-distributed, python3-fsspec")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "checks binary traces in a process: Python package
The Python package of tracelint, which reports where a binary trace breaks its
format: jitdump, XRay, gperftools, Mono log-profiler, perf.data, pprof and
nettrace files, and perf maps. It has a fixture for pytest.")

set(CPACK_DEBIAN_CORPUS_PACKAGE_NAME tracelint-corpus)
set(CPACK_DEBIAN_CORPUS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_CORPUS_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_CORPUS_PACKAGE_SUGGESTS "tracelint, libtracelint-dev")
set(CPACK_DEBIAN_CORPUS_DESCRIPTION "files to test readers of binary traces with
Small valid and invalid jitdump, XRay, gperftools, Mono log-profiler,
perf.data, pprof and nettrace files, and perf maps: a conformance corpus, which
says of each file what is wrong and what a reader must do with it, and seeds
and dictionaries for fuzzers.")
include(CPack)
