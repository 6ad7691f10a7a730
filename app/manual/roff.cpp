#include "manual/roff.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

namespace lab::manual {
namespace {

constexpr std::array<std::pair<char, const char*>, 6> kEscapes{
    {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}}};

// The bytes that the character at `at` takes in UTF-8, and its number; text that is no UTF-8 is
// taken byte by byte.
std::pair<std::size_t, std::uint32_t> character(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (count == 1 || at + count > text.size()) return {1, first};
    std::uint32_t code = first & (0xFFU >> (count + 1));
    for (std::size_t i = 1; i < count; ++i)
        code = code << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    return {count, code};
}

std::string in_font(char font, std::string_view text) {
    return fmt::format("\\f{}{}\\fR", font, roff(text));
}

}  // namespace

std::string roff(std::string_view text) {
    std::string out;
    // At a line's beginning these two are a request.
    if (!text.empty() && (text.front() == '.' || text.front() == '\'')) out += "\\&";
    for (std::size_t at = 0; at < text.size();) {
        const auto [count, code] = character(text, at);
        at += count;
        if (code >= 0x80) {
            out += fmt::format("\\[u{:04X}]", code);
            continue;
        }
        const char plain = static_cast<char>(code);
        const char* escaped = nullptr;
        for (const auto& [from, to] : kEscapes)
            if (from == plain) escaped = to;
        if (escaped != nullptr)
            out += escaped;
        else
            out += plain;
    }
    return out;
}

std::string bold(std::string_view text) {
    return in_font('B', text);
}
std::string italic(std::string_view text) {
    return in_font('I', text);
}

std::string head(std::string_view program, std::string_view summary) {
    std::string capitals;
    for (const char c : program)
        capitals += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return fmt::format(
        ".TH {} 1 {} \"Reduction Lab {}\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n",
        roff(capitals), LAB_RELEASE_DATE, LAB_VERSION, roff(program), roff(summary));
}

std::string section(std::string_view heading) {
    return fmt::format(".SH {}\n", roff(heading));
}

std::string subsection(std::string_view heading) {
    return fmt::format(".SS {}\n", roff(heading));
}

std::string opening(std::string_view marked) {
    return std::string(marked) + "\n";
}

std::string paragraph(std::string_view marked) {
    return fmt::format(".PP\n{}\n", marked);
}

std::string entry(std::string_view marked_term, std::string_view marked) {
    return fmt::format(".TP 4\n{}\n{}\n", marked_term, marked);
}

std::string example(std::string_view line, std::string_view does) {
    return fmt::format(".TP 4\n{}\n.nf\n{}\n.fi\n", roff(does), bold(line));
}

}  // namespace lab::manual
