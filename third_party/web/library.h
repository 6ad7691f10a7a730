// What the C++ library of older Emscriptens lacks of C++20, included before everything else. Newer ones
// have it, and then nothing is added.
#pragma once

#include <bit>
#include <charconv>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace std {

#if !defined(__cpp_lib_bit_cast)
template <typename To, typename From>
constexpr To bit_cast(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}
#endif

#if _LIBCPP_VERSION < 200000
// Decimal numbers only, with an exponent or without, as strtod reads them in the C locale.
template <typename Float>
enable_if_t<is_floating_point_v<Float>, from_chars_result> from_chars(const char* first, const char* last,
                                                                      Float& value) {
    const char* at = first;
    if (at != last && *at == '-') ++at;
    if (at == last || !((*at >= '0' && *at <= '9') || *at == '.' || *at == 'i' || *at == 'n'))
        return {first, errc::invalid_argument};
    const string text(first, last);
    if (text.find_first_of("xX") != string::npos && text.find_first_of("xX") <= 2)
        return {at + 1, (value = 0, errc())};  // "0x" is a 0 and an x
    char* end = nullptr;
    const Float read = static_cast<Float>(is_same_v<Float, float> ? strtof(text.c_str(), &end)
                                                                  : strtod(text.c_str(), &end));
    if (end == text.c_str()) return {first, errc::invalid_argument};
    const from_chars_result result{first + (end - text.c_str()), errc()};
    if (read - read != 0 && *at >= '.' && *at <= '9') return {result.ptr, errc::result_out_of_range};
    value = read;
    return result;
}

// Hexadecimal numbers, without a sign and without "0x".
template <typename Float>
enable_if_t<is_floating_point_v<Float>, from_chars_result> from_chars(const char* first, const char* last,
                                                                      Float& value, chars_format) {
    const string text = "0x" + string(first, last);
    char* end = nullptr;
    const Float read = static_cast<Float>(strtod(text.c_str(), &end));
    const auto length = end - text.c_str() - 2;
    if (length <= 0) return {first, errc::invalid_argument};
    value = read;
    return {first + length, errc()};
}
#endif

}  // namespace std
