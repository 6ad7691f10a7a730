#include "shrink.h"

#include <algorithm>

#include "reductions.h"

namespace lab::differential {
namespace {

// The shortest text so far, and how often the predicate may still be asked.
struct Search {
    GeneratedKernel kernel;
    std::vector<std::string> lines;
    const Fails* fails = nullptr;
    unsigned left = 0;
};

// Whether it fails with these lines too; then they are the ones to go on with.
bool accepts(Search& search, std::vector<std::string> lines) {
    if (search.left == 0) return false;
    --search.left;
    GeneratedKernel candidate = search.kernel;
    candidate.text = text_of(lines);
    if (!(*search.fails)(candidate)) return false;
    search.kernel = std::move(candidate);
    search.lines = std::move(lines);
    return true;
}

std::vector<std::string> without(const std::vector<std::string>& lines, std::size_t first,
                                 std::size_t last) {
    std::vector<std::string> rest(lines.begin(),
                                  lines.begin() + static_cast<std::ptrdiff_t>(first));
    rest.insert(rest.end(), lines.begin() + static_cast<std::ptrdiff_t>(last), lines.end());
    return rest;
}

// Runs of `count` lines, from the end, for what stands there depends on what stands before.
bool drop_runs(Search& search, std::size_t count) {
    bool changed = false;
    for (std::size_t last = search.lines.size(); last >= count; --last) {
        if (last > search.lines.size()) continue;
        const std::size_t first = last - count;
        if (!removable(search.lines, first, last)) continue;
        if (accepts(search, without(search.lines, first, last))) {
            changed = true;
            last = std::min(last, search.lines.size() + 1);
        }
    }
    return changed;
}

// Whole blocks; where one cannot go, its braces alone.
bool drop_blocks(Search& search) {
    bool changed = false;
    for (std::size_t first = 0; first < search.lines.size();) {
        const std::size_t last = block_end(search.lines, first);
        if (last <= first + 1) {
            ++first;
            continue;
        }
        const bool gone = removable(search.lines, first, last) &&
                          accepts(search, without(search.lines, first, last));
        if (gone) {
            changed = true;
            continue;
        }
        const std::vector<std::string> open = without(search.lines, last - 1, last);
        // A loop to keep has barriers inside, and its counter.
        const bool kept = search.lines[first].ends_with("// keep");
        if (!kept && accepts(search, without(open, first, first + 1))) {
            changed = true;
            continue;
        }
        ++first;
    }
    return changed;
}

bool simplify_expressions(Search& search) {
    bool changed = false;
    for (std::size_t i = 0; i < search.lines.size();) {
        bool simplified = false;
        if (has_expressions(search.lines[i])) {
            for (const std::string& form : simpler(search.lines[i])) {
                std::vector<std::string> lines = search.lines;
                lines[i] = form;
                if (accepts(search, std::move(lines))) {
                    simplified = true;
                    break;
                }
            }
        }
        changed = changed || simplified;
        if (!simplified) ++i;
    }
    return changed;
}

}  // namespace

GeneratedKernel shrink(const GeneratedKernel& kernel, const Fails& fails, unsigned most) {
    Search search{kernel, lines_of(kernel.text), &fails, most};
    for (bool changed = true; changed && search.left > 0;) {
        changed = drop_blocks(search);
        for (const std::size_t count : {16U, 8U, 4U, 2U, 1U})
            changed = drop_runs(search, count) || changed;
        if (!changed) changed = simplify_expressions(search);
    }
    return search.kernel;
}

}  // namespace lab::differential
