// Makes gzip containers for the tests.
#pragma once

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>
#include <string_view>

namespace tracelint {

// One gzip member: 10 bytes of header, deflate data, CRC-32, length.
inline std::string gzip_member(std::string_view data) {
    std::string input(data), output(data.size() + 100, '\0');
    z_stream deflater{};
    REQUIRE(deflateInit2(&deflater, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    deflater.next_in = reinterpret_cast<Bytef*>(input.data());
    deflater.avail_in = static_cast<uInt>(input.size());
    deflater.next_out = reinterpret_cast<Bytef*>(output.data());
    deflater.avail_out = static_cast<uInt>(output.size());
    REQUIRE(deflate(&deflater, Z_FINISH) == Z_STREAM_END);
    output.resize(deflater.total_out);
    deflateEnd(&deflater);
    return output;
}

}  // namespace tracelint
