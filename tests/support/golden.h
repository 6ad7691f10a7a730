// Pictures that people have looked at and found good, kept as SVG: for tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/paths.h"
#include "figures/font.h"
#include "figures/painters/save.h"
#include "figures/scene.h"

namespace lab::figures {

// How wide the fonts that a picture was drawn with make a text: other versions of them make it
// another width, and with it every place in a picture.
inline std::string fonts_used() {
    const Fonts fonts;
    std::string text;
    for (const Face face : {Face::sans, Face::bold, Face::mono})
        text += fmt::format("{:.3f}\n", fonts.text_width("Reduction Lab: 0123456789", 100, face));
    return text;
}

// An SVG without the numbers in its places, and these numbers.
struct SvgParts {
    std::string rest;
    std::vector<double> numbers;
};
inline SvgParts parts_of(const std::string& svg) {
    SvgParts parts;
    bool in_tag = false;
    for (std::size_t index = 0; index < svg.size();) {
        const char c = svg[index];
        if (c == '<') in_tag = true;
        if (c == '>') in_tag = false;
        const bool colour = index > 0 &&
                            (svg[index - 1] == '#' || std::isalnum(svg[index - 1]) != 0) &&
                            svg[index - 1] != 'M' && svg[index - 1] != 'L' &&
                            svg[index - 1] != 'C' && svg[index - 1] != 'Q' && svg[index - 1] != 'A';
        char* end = nullptr;
        const double number = std::isdigit(c) != 0 || c == '-' ? std::strtod(&svg[index], &end) : 0;
        if (in_tag && !colour && end != nullptr && end != &svg[index]) {
            parts.numbers.push_back(number);
            parts.rest += '0';
            index = static_cast<std::size_t>(end - svg.data());
        } else {
            parts.rest += c;
            ++index;
        }
    }
    return parts;
}

// Whether they are the same but for places, and no place is farther off than wider letters make it.
inline bool same_but_fonts(const std::string& a, const std::string& b) {
    constexpr double kFarthest = 12;  // points
    const SvgParts one = parts_of(a), other = parts_of(b);
    if (one.rest != other.rest || one.numbers.size() != other.numbers.size()) return false;
    for (std::size_t i = 0; i < one.numbers.size(); ++i)
        if (std::abs(one.numbers[i] - other.numbers[i]) > kFarthest) return false;
    return true;
}

// Holds the light SVG of `scene` against tests/golden/NAME.svg. A picture that is meant to change
// is written again with LAB_UPDATE_GOLDEN=1 in the environment: look at it before you commit it.
// With the fonts that fonts.txt was written with every byte counts; with another version of them
// everything but places does, and those within a few points.
inline void expect_golden(const Scene& scene, const std::string& name) {
    const fs::path file = fs::path(LAB_SOURCE_DIR) / "tests/golden" / (name + ".svg");
    const std::string drawn = svg(scene, load_palette("light"));
    const char* update = std::getenv("LAB_UPDATE_GOLDEN");
    if (update != nullptr && std::string(update) == "1") {
        write_file(file, drawn);
        write_file(file.parent_path() / "fonts.txt", fonts_used());
        return;
    }
    ASSERT_TRUE(fs::exists(file)) << file << ": run once with LAB_UPDATE_GOLDEN=1, and look at it";
    const std::string kept = read_file(file);
    if (drawn == kept) return;
    if (read_file(file.parent_path() / "fonts.txt") != fonts_used() && same_but_fonts(drawn, kept))
        return;
    const fs::path result = fs::temp_directory_path() / (name + ".svg");
    write_file(result, drawn);
    std::size_t index = 0, line = 1;
    while (index < std::min(drawn.size(), kept.size()) && drawn[index] == kept[index])
        line += kept[index++] == '\n' ? 1U : 0U;
    const auto line_of = [&](const std::string& text) {
        const std::size_t begin = text.rfind('\n', index == 0 ? 0 : index - 1);
        const std::size_t from = begin == std::string::npos ? 0 : begin + 1;
        return text.substr(from, text.find('\n', from) - from);
    };
    ADD_FAILURE() << name << " differs from line " << line << " on\n  kept:  " << line_of(kept)
                  << "\n  drawn: " << line_of(drawn) << "\n  as drawn now: " << result.string();
}

}  // namespace lab::figures
