// Strings of JSON: escaped characters, and bytes that are not UTF-8.
#include "validator/tool/json/json_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

using namespace tracelint;
using Json = nlohmann::json;

TEST_CASE("strings of JSON are escaped where readers or terminals would stumble") {
    struct Example {
        std::string_view value, text;
    };
    constexpr Example kExamples[] = {
        {"", R"("")"},
        {"main.js:7", R"("main.js:7")"},
        {R"(say "C:\tmp")", R"("say \"C:\\tmp\"")"},
        {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
        {"\x01\x1f\x7f", R"("\u0001\u001f\u007f")"},
        {"caf\xc3\xa9", "\"caf\xc3\xa9\""},
        {"\xe2\x80\xae", R"("\u202e")"},            // turns the direction of what follows
        {"\xf3\xa0\x80\x81", R"("\udb40\udc01")"},  // an invisible tag
        {"a\xff\xfe", "\"a\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xe2\x82", "\"\xef\xbf\xbd\""},  // a sequence that is cut
        {"\xf0\x9f\x92x", "\"\xef\xbf\xbdx\""},
    };
    for (const Example& example : kExamples) CHECK(json_string(example.value) == example.text);
}

TEST_CASE("whatever bytes a string has, readers of JSON get what a library would have written") {
    const auto by_library = [](const std::string& value) {
        return Json::parse(Json(value).dump(-1, ' ', false, Json::error_handler_t::replace));
    };
    // Leads and continuations of sequences of all lengths, at the limits of their ranges.
    constexpr std::string_view kBytes =
        "a\"\\\n\x7f\x80\x8f\x90\x9f\xa0\xbf\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1\xf4\xf5\xff";
    for (const std::string start : {"", "\xf0", "\xf4"})
        for (const char second : kBytes)
            for (const char third : kBytes)
                for (const char fourth : kBytes) {
                    const std::string value = start + second + third + fourth;
                    if (Json::parse(json_string(value)) != by_library(value)) FAIL(value);
                }
}
