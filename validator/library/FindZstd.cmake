# Finds libzstd, which has no CMake package on most systems: the target Zstd::Zstd, and Zstd_FOUND. With
# ZSTD_USE_STATIC_LIBS, the archive. It is installed with tracelint's package, whose static library needs it.
find_path(ZSTD_INCLUDE_DIR zstd.h)
if(ZSTD_USE_STATIC_LIBS)
  find_library(ZSTD_LIBRARY libzstd.a)
else()
  find_library(ZSTD_LIBRARY zstd)
endif()
mark_as_advanced(ZSTD_INCLUDE_DIR ZSTD_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zstd REQUIRED_VARS ZSTD_LIBRARY ZSTD_INCLUDE_DIR)
if(Zstd_FOUND AND NOT TARGET Zstd::Zstd)
  add_library(Zstd::Zstd UNKNOWN IMPORTED)
  set_target_properties(Zstd::Zstd PROPERTIES IMPORTED_LOCATION "${ZSTD_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${ZSTD_INCLUDE_DIR}")
endif()
