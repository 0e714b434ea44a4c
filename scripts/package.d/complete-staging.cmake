# CPack runs this when the files of all packages are in their staging folders, and before it packs them: adds what Debian
# wants in each package, compresses the manual, and gives all files the time SOURCE_DATE_EPOCH, so that two builds are
# equal byte by byte.
set(here ${CMAKE_CURRENT_LIST_DIR})
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  message(FATAL_ERROR "SOURCE_DATE_EPOCH is not set; run scripts/package")
endif()
string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)  # that of SOURCE_DATE_EPOCH
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

# What CHANGELOG.md says of the version, so does the changelog of Debian.
string(REPLACE "." "[.]" pattern ${CPACK_PACKAGE_VERSION})
file(STRINGS ${here}/../../CHANGELOG.md heading REGEX "^## ${pattern}( |$)")
if(NOT heading)
  message(FATAL_ERROR "CHANGELOG.md has no heading for ${CPACK_PACKAGE_VERSION}")
endif()
set(state "Release ${CPACK_PACKAGE_VERSION}")
if(heading MATCHES "unreleased")
  set(state "Not released yet")
endif()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
  string(TOUPPER ${component} key)
  set(package ${CPACK_DEBIAN_${key}_PACKAGE_NAME})
  set(documents ${root}/usr/share/doc/${package})
  file(COPY ${here}/copyright ${here}/../../CHANGELOG.md DESTINATION ${documents} FILE_PERMISSIONS
    OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
  file(WRITE ${documents}/changelog.Debian "tracelint (${version}) unstable; urgency=medium

  * ${state}; changelog.gz has its changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${day}
")
  file(GLOB_RECURSE pages LIST_DIRECTORIES OFF ${root}/usr/share/man/*.[0-9])
  foreach(page IN LISTS pages ITEMS ${documents}/changelog ${documents}/changelog.Debian)
    if(IS_SYMLINK ${page})
      file(READ_SYMLINK ${page} target)
      file(REMOVE ${page})
      file(CREATE_LINK ${target}.gz ${page}.gz SYMBOLIC)
    else()
      run(gzip -9nf ${page})
    endif()
  endforeach()
  set(overrides "# No bug of Debian's tracker asks for the package.\n${package}: initial-upload-closes-no-bugs\n")
  if(component STREQUAL library)
    string(APPEND overrides "# The libraries for C++ and C are released together.\n")
    string(APPEND overrides "${package}: package-name-doesnt-match-sonames\n")
  elseif(component STREQUAL development)
    string(APPEND overrides "# Fuzzers load the mutator by name, and targets are built where they run.\n")
    string(APPEND overrides "${package}: package-name-doesnt-match-sonames\n")
    string(APPEND overrides "${package}: shared-library-lacks-version *\n")
  elseif(component STREQUAL corpus)
    string(APPEND overrides "# Files that are broken on purpose.\n")
    foreach(tag arch-dependent-file-in-usr-share arch-independent-package-contains-binary-or-object broken-gz elf-error
            national-encoding)
      string(APPEND overrides "${package}: ${tag} *\n")
    endforeach()
  endif()
  file(WRITE ${root}/usr/share/lintian/overrides/${package} ${overrides})
  run(chmod -R u=rwX,go=rX ${root})
  run(find ${root} -depth -exec touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} "{}" +)
endforeach()

# What the shared libraries of a component depend on, as CPack computes it for the program. dpkg-shlibdeps wants a
# debian/control.
function(find_needs component out)
  set(work ${CPACK_TEMPORARY_DIRECTORY}/shlibdeps)
  file(WRITE ${work}/debian/control "Source: tracelint\n")
  set(libraries)
  file(GLOB_RECURSE files LIST_DIRECTORIES OFF ${CPACK_TEMPORARY_DIRECTORY}/${component}/*.so
    ${CPACK_TEMPORARY_DIRECTORY}/${component}/*.so.*)
  foreach(file IN LISTS files)
    if(NOT IS_SYMLINK ${file})
      list(APPEND libraries ${file})
    endif()
  endforeach()
  execute_process(COMMAND dpkg-shlibdeps -O ${libraries} WORKING_DIRECTORY ${work} OUTPUT_VARIABLE answer
    ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "^shlibs:Depends=([^\n]*).*" "\\1" needs "${answer}")
  file(REMOVE_RECURSE ${work})
  set(${out} "${needs}" PARENT_SCOPE)
endfunction()
find_needs(library CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS)
find_needs(development needs)
string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", ${needs}")
