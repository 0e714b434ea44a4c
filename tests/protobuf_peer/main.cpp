// protobuf_peer FILE...: reads profiles with the parser that protoc makes for C++, and says of each what came of it:
//   FILE ok SAMPLES LOCATIONS FUNCTIONS STRINGS
//   FILE refused
// With -samples in front, a line for each sample follows: its values, and its locations and labels by number.
// Files in gzip are decompressed.
#include <zlib.h>

#include <array>
#include <cstdio>
#include <string>

#include "profile.pb.h"

namespace {

// False: the file cannot be read, or its container is faulty.
bool read(const char* path, std::string& to) {
    const gzFile file = gzopen(path, "rb");  // also reads files that are not compressed
    if (file == nullptr) return false;
    static std::array<char, 1 << 18> part;
    int got = 0;
    while ((got = gzread(file, part.data(), part.size())) > 0) to.append(part.data(), static_cast<size_t>(got));
    gzclose(file);
    return got == 0;
}

void print_samples(const profile_peer::Profile& profile) {
    for (const profile_peer::Sample& sample : profile.sample()) {
        std::string values;
        for (const auto value : sample.value()) values += (values.empty() ? "" : ",") + std::to_string(value);
        std::printf("sample %s %d %d\n", values.c_str(), sample.location_id_size(), sample.label_size());
    }
}

}  // namespace

int main(int count, char** arguments) {
    const bool with_samples = count > 1 && arguments[1] == std::string("-samples");
    for (int i = with_samples ? 2 : 1; i < count; ++i) {
        std::string bytes;
        profile_peer::Profile profile;
        if (!read(arguments[i], bytes) || !profile.ParseFromString(bytes))
            std::printf("%s refused\n", arguments[i]);
        else
            std::printf("%s ok %d %d %d %d\n", arguments[i], profile.sample_size(), profile.location_size(),
                        profile.function_size(), profile.string_table_size());
        if (with_samples) print_samples(profile);
    }
    return 0;
}
