// The words of the step view, made from the passes: the sentence under the figure, labels and tips.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/step_table.h"
#include "base/translations.h"
namespace lab::figures {

// "0, 2, 4 and 6"; "0, 2, 4, 6 and 12 more".
template <typename Things>
std::string listed(const Things& things, const Translations& tr) {
    constexpr std::size_t kMostListed = 4;
    const std::size_t shown = std::min<std::size_t>(things.size(), kMostListed);
    std::string list;
    for (std::size_t i = 0; i < shown; ++i) {
        const bool last = i + 1 == things.size();
        if (i > 0) list += tr(last ? "figure.and" : "figure.comma");
        list += fmt::format("{}", things[i]);
    }
    if (shown == things.size()) return list;
    return tr("figure.more", fmt::arg("list", list), fmt::arg("count", things.size() - shown));
}

// A boundary orders one row and the next.
enum class Boundary : std::uint8_t {
    none,
    launch,   // the launch ends: every group waits for every other
    group,    // a barrier: the items of each group wait for each other
    atomics,  // likewise; and atomics hand values over from group to group
    grid,     // a barrier of all groups
    by_hand,  // groups have waited for each other at counters: an order in practice alone
};
Boundary boundary_after(const analysis::StepTable& table, std::size_t row);

// Says what just happened in a pass, in a student's words; row 0 is the start.
std::string sentence(const analysis::StepTable& table, std::size_t row, const Translations& tr);

// Says what a read found where the row above shows `shown`.
std::string other_text(const analysis::StepTable& table, std::size_t row,
                       const analysis::OtherRead& read, const analysis::CellValue& shown,
                       const Translations& tr);
// Says what a read found instead of what it should have, and that nothing ordered it.
std::string stale_text(const analysis::StepTable& table, const analysis::StaleValue& read,
                       const Translations& tr);
// Says which two work-items race at a cell, and in which lines.
std::string race_text(const analysis::StepTable& table, const analysis::RacedCell& raced,
                      const Translations& tr);

// Returns the name of a row, as reports number them: by the launch's passes, and by the launch
// where there are several. Where each launch is one pass its number is the pass's. Row 0 is the
// start.
std::string pass_title(const analysis::StepTable& table, std::size_t row, const Translations& tr);

// Says what races did to the result, a sentence each; at most four, and how many more there are.
std::vector<std::string> notes(const analysis::StepTable& table, const Translations& tr);

// The words beside a row; empty ones are left out.
struct RowLabel {
    std::string title, variables, items, boundary;
};
std::vector<RowLabel> row_labels(const analysis::StepTable& table, const Translations& tr);

// The variant's title in the user's language.
std::string variant_title(const std::string& id, const std::string& title, const Translations& tr);
// "n = 8 · groups of 4 · add · int · PoCL"
std::string subtitle(const analysis::StepTable& table, const Translations& tr);
// The same without the order.
std::string settings_text(const analysis::StepTable& table, const Translations& tr);
// Says what stopped the run; empty if nothing did.
std::string fault_text(const analysis::StepTable& table, const Translations& tr);
// Why it did, and what would help: a sentence each, with a space before. The same that the command
// line says.
std::string fault_reasons(const ProblemPhrases& phrases, const Translations& tr);
// "right: 41"; of a float that is not exact, and of an integer that wrapped, what exact arithmetic
// gives. `parts`: of all parts together.
std::string right_text(const std::string& result, const Exactness& near, bool parts,
                       const Translations& tr);
// The same as a sentence.
std::string right_sentence(const analysis::StepTable& table, const Translations& tr);
// "right: 41" or "wrong: 33, expected 41"
std::string verdict(const analysis::StepTable& table, const Translations& tr);

// "22 + 5 = 27"; of integers that left their range "2147483647 + 1 ≡ -2147483648 (mod 2^32)"; empty
// where the operator does not make that value of the terms.
std::string combination(const std::string& op, lang::Scalar type,
                        const std::vector<std::string>& terms, const std::string& value);
// "22 + 5 = 27": how the cell came to its value, where the operator makes it of what its writer
// read; else empty.
std::string equation(const analysis::StepTable& table, std::size_t row, std::size_t cell);

// "done[0]: 1 → 2", or "done[0] = 2" of a wait; of several of one kind "done[0]: 1 → 2, 4 → 5",
// empty where they have several cells. And one as a tooltip, with who did it.
std::string signal_words(std::span<const analysis::Signal* const> signals);
std::string signal_text(const analysis::StepTable& table, const analysis::Signal& signal,
                        const Translations& tr);

// Texts of cells that nobody wrote; in the order of CellState.
inline constexpr std::array kCellTips{"figure.tip_input", "figure.tip_same", "figure.tip_read",
                                      "figure.tip_spent"};
std::string cell_tip(const analysis::StepTable& table, std::size_t row, std::size_t cell,
                     analysis::CellState state, const Translations& tr);

}  // namespace lab::figures
