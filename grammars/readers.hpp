// The lists of readers: a file readers/readers.cpp in a folder here, two lines below. A format may have none.
#pragma once

#include "validator/readers/reader.hpp"

namespace tracelint {

extern const ReaderList kJitdumpReaders;
extern const ReaderList kXrayReaders;
extern const ReaderList kGperftoolsReaders;
extern const ReaderList kMlpdReaders;
extern const ReaderList kPerfmapReaders;
extern const ReaderList kPerfdataReaders;

inline constexpr const ReaderList* kReaderLists[] = {
    &kJitdumpReaders, &kXrayReaders, &kGperftoolsReaders, &kMlpdReaders, &kPerfmapReaders, &kPerfdataReaders,
};

}  // namespace tracelint
