// Integers only: in WebAssembly, formatting floating-point numbers would cost as much code as a grammar.
#include "validator/tool/dump/quantity_text.hpp"

#include <fmt/core.h>

#include <chrono>

#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;        // ns
constexpr uint64_t kLatestDate = 253'402'300'799;  // s since 1970: the end of the year 9999

// `number` in units of 10^-digits, without zeros at the end.
std::string decimal(uint64_t number, unsigned digits) {
    uint64_t scale = 1;
    for (unsigned i = 0; i < digits; ++i) scale *= 10;
    std::string text = std::to_string(number / scale);
    if (number % scale == 0) return text;
    text += fmt::format(".{:0{}}", number % scale, digits);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

std::string size_text(uint64_t bytes) {
    const std::string exact = counted(bytes, "byte"), scaled = byte_size(bytes);
    return scaled == exact ? exact : fmt::format("{} = {}", exact, scaled);
}

std::string duration_text(uint64_t ns) {
    if (ns < 1'000) return fmt::format("{} ns", ns);
    if (ns < 1'000'000) return decimal(ns, 3) + " µs";
    if (ns < kSecond) return decimal(ns, 6) + " ms";
    return decimal(ns, 9) + " s";
}

// Empty for a date that has more than four digits for the year.
std::string date_text(uint64_t number, unsigned digits) {
    const uint64_t scale = digits == 3 ? 1'000 : kSecond, seconds = number / scale;
    if (seconds > kLatestDate) return {};
    const std::chrono::sys_days day{std::chrono::days{static_cast<int>(seconds / 86'400)}};
    const std::chrono::year_month_day date(day);
    const uint64_t of_day = seconds % 86'400;
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:0{}} UTC", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), of_day / 3'600,
                       of_day / 60 % 60, of_day % 60, number % scale, digits);
}

}  // namespace

std::string quantity_text(Quantity quantity, uint64_t number) {
    switch (quantity) {
        case Quantity::plain: return {};
        case Quantity::address: return fmt::format("{:#x}", number);
        case Quantity::size: return size_text(number);
        case Quantity::time: return decimal(number, 9) + " s";
        case Quantity::ticks: return fmt::format("{} ticks", number);
        case Quantity::nanoseconds: return duration_text(number);
        case Quantity::microseconds:
            return number < kNone / 1'000 ? duration_text(number * 1'000) : fmt::format("{} µs", number);
        case Quantity::date_ms: return date_text(number, 3);
        case Quantity::date_ns: return date_text(number, 9);
    }
    return {};
}

}  // namespace tracelint
