# add_build_info(TARGET OUTPUT BUILD ABI): a target that writes OUTPUT (scripts/build-info.cmake) if it would change. It runs
# in every build: the commit, whether files are modified and SOURCE_DATE_EPOCH are no files that a build could watch.
set(build_info_script ${CMAKE_CURRENT_LIST_DIR}/build-info.cmake)
get_filename_component(build_info_root ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)

function(add_build_info target output build abi)
  # scripts/build goes by the comment: a step of this name alone is no work.
  add_custom_target(${target} BYPRODUCTS ${output} COMMENT "Reading the commit" VERBATIM
    COMMAND ${CMAKE_COMMAND} -DROOT=${build_info_root} -DOUTPUT=${output} -DABI=${abi} -DBUILD=${build}
      -P ${build_info_script})
endfunction()
