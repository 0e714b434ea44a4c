# compile_folders_together(TARGET): the sources of a folder are one unit, so that names without linkage are unique in a
# folder. Headers are parsed once for all of them, which is most of what compiling takes. TRACELINT_UNITY=OFF leaves every
# source alone.
get_filename_component(unity_root ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)

function(compile_folders_together target)
  if(DEFINED TRACELINT_UNITY AND NOT TRACELINT_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE absolute)
    cmake_path(GET absolute PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${unity_root})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
