// A page shows a kernel in a shape on a simulator, and where to stand in its run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/simulate.h"
#include "base/index_space.h"
#include "catalogue/kernel.h"
namespace lab::lessons {

struct Place {
    enum class Kind : std::uint8_t { start, row, end, action } kind = Kind::start;
    std::size_t row = 0;  // after this pass, from 1; of Kind::action: after so many actions

    bool operator==(const Place&) const = default;
};

// `variant` may be a .cl file in the lesson's folder; `user_kernel` is its launch, without its
// text, where it has no header.
struct Show : analysis::RunChoice {
    std::optional<std::string> text;  // in place of that file's: what a student wrote
    // True if what can come out is asked of warps of these lanes; else of independent items, which
    // is all that OpenCL promises.
    bool in_lockstep = false;
    Place at;
    bool hide_later = false;
    std::string view = "step", panel;  // the picture, and what stands beside it; empty: nothing
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;  // marked: first and last of each

    bool operator==(const Show&) const = default;
};

// True if it is a key of `show`.
bool is_show_key(std::string_view key);
// True if it is the name of a toggle, as BARRIER: where keys may stand, NAME=VALUE sets one.
bool is_toggle(std::string_view word);
// Sets one; naming another kernel starts afresh, and naming the lanes asks of them. Throws Problem:
// the key is unknown, or its value cannot be read.
void set_key(Show& show, std::string_view key, const std::string& value);
// For an `n` and an `input` that are given side by side. Throws Problem: the numbers are typed, and
// are not so many.
void check_count(const std::string& n, const std::string& input);

// "1..9": whole numbers from the first to the last, in the place of an input; empty: it is no
// range. Throws Problem for one that cannot be.
std::optional<std::pair<std::int64_t, std::int64_t>> read_range(const std::string& text,
                                                                const std::string& key = "input");
// "3,9,1": so many numbers of that range, shuffled: each as often as any other.
std::string shuffled(std::uint64_t n, std::pair<std::int64_t, std::int64_t> range,
                     std::uint64_t seed);
std::uint64_t count_of_input(const Show& show);

// The kernels that a lesson can show: the program's own, and the files in its folder.
struct Library {
    const catalogue::Catalogue& catalogue;
    std::filesystem::path folder;  // of the lesson; empty: none

    bool has(std::string_view kernel) const;  // by name alone
};

// True of a file in the lesson's folder; else it is the id of a shipped kernel.
bool is_kernel_file(std::string_view kernel);

// Throws Problem: there is no such kernel or file, or its text cannot be read as a variant.
analysis::RunSpec spec_of(const Show& show, const Library& library);
// The text of its kernel.
std::string text_of(const Show& show, const Library& library);

// The comment that a variant's text begins with, with the line end after it; empty: none.
std::string_view header_of(std::string_view text);

}  // namespace lab::lessons
