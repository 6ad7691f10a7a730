// Pictures that people have looked at and found good, kept as SVG: for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/paths.h"
#include "draw/palette.h"
#include "draw/scene.h"
#include "draw/svg.h"

namespace lab::draw {

// Holds the light SVG of `scene` against tests/golden/NAME.svg. A picture that is meant to change
// is written anew with LAB_UPDATE_GOLDEN=1 in the environment: look at it before you commit it.
// Widths are the shipped fonts': with other versions of them a picture may differ by a few points.
inline void expect_golden(const Scene& scene, const std::string& name) {
    const fs::path file = fs::path(LAB_SOURCE_DIR) / "tests/golden" / (name + ".svg");
    const std::string drawn = svg(scene, load_palette("light"));
    const char* update = std::getenv("LAB_UPDATE_GOLDEN");
    if (update != nullptr && std::string(update) == "1") {
        write_file(file, drawn);
        return;
    }
    ASSERT_TRUE(fs::exists(file)) << file << ": run once with LAB_UPDATE_GOLDEN=1, and look at it";
    const std::string kept = read_file(file);
    if (drawn == kept) return;
    const fs::path made = fs::temp_directory_path() / (name + ".svg");
    write_file(made, drawn);
    std::size_t at = 0, line = 1;
    while (at < std::min(drawn.size(), kept.size()) && drawn[at] == kept[at])
        line += kept[at++] == '\n' ? 1U : 0U;
    const auto line_of = [&](const std::string& text) {
        const std::size_t begin = text.rfind('\n', at == 0 ? 0 : at - 1);
        const std::size_t from = begin == std::string::npos ? 0 : begin + 1;
        return text.substr(from, text.find('\n', from) - from);
    };
    ADD_FAILURE() << name << " differs from line " << line << " on\n  kept:  " << line_of(kept)
                  << "\n  drawn: " << line_of(drawn) << "\n  as drawn now: " << made.string();
}

}  // namespace lab::draw
