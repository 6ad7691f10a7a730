#include "figures/parts/run_text/pass_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "figures/parts/run_subject.h"

namespace lab::figures {
namespace {

using fmt::arg;

constexpr std::size_t kMostListed = 4;

// "0, 2, 4 and 6"; "0, 2, 4, 6 and 12 more".
template <typename Numbers>
std::string listed(const Numbers& numbers, const Translations& tr) {
    const std::size_t count = numbers.size();
    const std::size_t shown = std::min(count, kMostListed);
    std::string list;
    for (std::size_t i = 0; i < shown; ++i) {
        const bool last = i + 1 == count;
        if (i > 0) list += tr(last ? "figure.and" : "figure.comma");
        list += fmt::format("{}", numbers[i]);
    }
    if (count == shown) return list;
    return tr("figure.more", arg("list", list), arg("count", count - shown));
}

template <typename Numbers>
std::vector<std::string> names_of(const analysis::StepTable& table, const Numbers& items) {
    std::vector<std::string> names;
    for (const auto item : items)
        names.push_back(table.item_name(static_cast<std::int64_t>(item)));
    return names;
}

// How many cells went into each written one: "2", or "2–8" where it varies.
struct Combined {
    std::size_t least = 0, most = 0;
    std::string text() const {
        return least == most ? fmt::format("{}", most) : fmt::format("{}–{}", least, most);
    }
};
Combined combined(const analysis::Row& pass, const std::vector<std::size_t>& written) {
    Combined range;
    for (const std::size_t cell : written) {
        const std::size_t count = pass.cells[cell].from.size();
        range.least = cell == written.front() ? count : std::min(range.least, count);
        range.most = std::max(range.most, count);
    }
    return range;
}

// For one cell or several, and of another number of cells combined in each, one, or two.
struct Keys {
    std::array<const char*, 3> one, several;
};
constexpr Keys kByCells{
    {"figure.cell_made_of", "figure.cell_made_of_one", "figure.cell_made_of_two"},
    {"figure.cells_made_of", "figure.cells_made_of_one", "figure.cells_made_of_two"}};
constexpr Keys kByItems{
    {"figure.item_combined", "figure.item_combined_one", "figure.item_combined_two"},
    {"figure.items_combined", "figure.items_combined_one", "figure.items_combined_two"}};
constexpr Keys kByItemsAdded{
    {"figure.item_added", "figure.item_combined_one", "figure.item_added_two"},
    {"figure.items_added", "figure.items_combined_one", "figure.items_added_two"}};

std::string work_done(const analysis::StepTable& table, std::size_t row, const Translations& tr) {
    const analysis::Row& pass = table.rows[row];
    if (!pass.origins_known) return tr("figure.not_recorded");
    const auto written = written_cells(pass);
    if (written.empty()) return tr("figure.nothing_written");
    const Combined range = combined(pass, written);
    const std::size_t number = range.least == range.most && range.most <= 2 ? range.most : 0;
    const auto items = working_items(pass);
    // Each item wrote one cell and is known: then it is told by items.
    const bool by_items = items.size() == written.size();
    const Keys& keys = !by_items ? kByCells : table.op == "add" ? kByItemsAdded : kByItems;
    const char* key = (written.size() == 1 ? keys.one : keys.several).at(number);
    const std::string who = by_items ? listed(names_of(table, items), tr) : listed(written, tr);
    return tr(key, arg("who", who), arg("cells", range.text()));
}

constexpr std::size_t kMostStale = 2;  // told one by one

// What races did in the pass; else, where they might have.
void add_races(std::vector<std::string>& to, const analysis::StepTable& table, std::size_t row,
               const Translations& tr) {
    const analysis::Row& pass = table.rows[row];
    const std::size_t told = std::min(pass.stale.size(), kMostStale);
    for (std::size_t i = 0; i < told; ++i)
        to.push_back(stale_text(table, pass.stale[i], tr));
    if (told < pass.stale.size())
        to.push_back(tr("figure.sentence_more_stale", arg("count", pass.stale.size() - told)));
    if (told > 0 || pass.raced.empty()) return;
    std::vector<std::uint64_t> cells;
    for (const analysis::RacedCell& raced : pass.raced)
        cells.push_back(raced.cell);
    std::sort(cells.begin(), cells.end());
    to.push_back(tr(cells.size() == 1 ? "figure.sentence_race" : "figure.sentence_races",
                    arg("cells", listed(cells, tr))));
}

std::string items_label(const analysis::Row& pass, const Translations& tr) {
    if (pass.global == 0) return {};
    if (pass.items_known) {
        const std::size_t active = working_items(pass).size();
        return tr(active == 1 ? "figure.item_works" : "figure.items_work", arg("active", active),
                  arg("total", pass.global));
    }
    return tr("figure.items_launched", arg("total", pass.global), arg("group", pass.local));
}

}  // namespace

std::string pass_title(const analysis::StepTable& table, std::size_t row, const Translations& tr) {
    const std::vector<analysis::Row>& all = table.rows;
    if (row == 0) return tr("figure.start");
    const analysis::Row& pass = all[row];
    const bool several = std::any_of(all.begin() + 1, all.end(),
                                     [](const analysis::Row& each) { return each.number > 1; });
    if (!several)
        return tr("figure.pass",
                  arg("n", pass.number == 0 ? row : static_cast<std::size_t>(pass.launch)));
    if (all.back().launch == 1) return tr("figure.pass", arg("n", pass.number));
    return tr(pass.number == 0 ? "lanes.launch" : "lanes.launch_pass", arg("launch", pass.launch),
              arg("n", pass.number));
}

Boundary boundary_after(const analysis::StepTable& table, std::size_t row) {
    if (row == 0 || row + 1 >= table.rows.size()) return Boundary::none;
    const analysis::Row& pass = table.rows[row];
    const analysis::Row& next = table.rows[row + 1];
    if (pass.launch != next.launch) return Boundary::launch;
    // Two arrays of one pass, or turns of a loop in which nobody waits.
    const bool waits = pass.waited && (pass.number == 0 || pass.number != next.number);
    if (pass.handed_over && pass.number != next.number) return Boundary::atomics;
    return waits ? Boundary::group : Boundary::none;
}

namespace {

// In the order of Boundary.
constexpr std::array<const char*, 4> kSaidAfter{
    "", "figure.sentence_launch_end", "figure.sentence_barrier", "figure.sentence_atomics"};

// What orders this row and the next one; that nothing does, where there is no barrier at all.
std::string said_after(const analysis::StepTable& table, std::size_t row, const Translations& tr) {
    if (const Boundary boundary = boundary_after(table, row); boundary != Boundary::none)
        return tr(kSaidAfter.at(static_cast<std::size_t>(boundary)));
    const analysis::Row& pass = table.rows[row];
    const bool goes_on = row + 1 < table.rows.size() && table.rows[row + 1].launch == pass.launch &&
                         table.rows[row + 1].number != pass.number;
    return goes_on && !pass.waited ? tr("figure.sentence_no_barrier") : std::string();
}

// Stores of earlier passes that came last.
void add_late(std::vector<std::string>& to, const analysis::StepTable& table, std::size_t row,
              const Translations& tr) {
    const analysis::Row& pass = table.rows[row];
    std::size_t told = 0;
    for (std::size_t cell = 0; cell < pass.cells.size() && told < kMostStale; ++cell)
        if (const analysis::Cell& of = pass.cells[cell]; of.late_item >= 0 && ++told > 0)
            to.push_back(tr("figure.sentence_late", arg("cell", cell),
                            arg("value", text_of(of.value)),
                            arg("item", table.item_name(of.late_item)), arg("pass", of.late_pass)));
}

}  // namespace

namespace {

// The input, and into how many groups the first pass divides it.
std::string start_sentence(const analysis::StepTable& table, const Translations& tr) {
    const std::size_t count = table.rows.front().cells.size();
    std::string text = tr("figure.sentence_start", arg("count", count));
    const analysis::Row* first = table.rows.size() > 1 ? &table.rows[1] : nullptr;
    if (first != nullptr && first->items_known && first->local > 0)
        text = tr("figure.sentence_start_groups", arg("count", count),
                  arg("groups", (first->global + first->local - 1) / first->local),
                  arg("local", first->local));
    return text + tr("figure.stop");
}

}  // namespace

std::string sentence(const analysis::StepTable& table, std::size_t row, const Translations& tr) {
    if (row >= table.rows.size()) return {};
    const analysis::Row& pass = table.rows[row];
    if (row == 0) return start_sentence(table, tr);
    // A pass that does not end has no counts.
    if (row + 1 == table.rows.size() && table.never_ends)
        return fault_text(table, tr) + tr("figure.stop") + fault_reasons(table.fault_phrases, tr);

    std::string text = work_done(table, row, tr);
    if (pass.items_known && pass.global > 0)
        text += tr("figure.sentence_worked", arg("active", working_items(pass).size()),
                   arg("total", pass.global));
    text += tr("figure.stop");

    std::vector<std::string> more;
    add_races(more, table, row, tr);
    add_late(more, table, row, tr);
    if (table.rows[row - 1].cells.size() != pass.cells.size()) {
        const std::size_t before = analysis::used_cells(table, row - 1);
        const std::size_t after = analysis::used_cells(table, row);
        if (before != after && before != 0 && after != 0)
            more.push_back(tr("figure.sentence_fewer", arg("before", before), arg("after", after)));
    }
    if (row + 1 == table.rows.size() && !table.fault.empty()) {
        more.push_back(tr("figure.stopped", arg("why", fault_text(table, tr))) + tr("figure.stop") +
                       fault_reasons(table.fault_phrases, tr));
    } else if (row + 1 == table.rows.size() && !table.expected.empty()) {
        more.push_back(table.right ? right_sentence(table, tr)
                                   : tr("figure.sentence_wrong", arg("result", table.result),
                                        arg("expected", table.expected)));
    } else {
        more.push_back(said_after(table, row, tr));
    }
    for (const std::string& each : more)
        if (!each.empty()) text += tr("figure.space") + each;
    return text;
}

std::vector<RowLabel> row_labels(const analysis::StepTable& table, const Translations& tr) {
    constexpr std::array<const char*, 4> boundaries{"", "figure.launch_end", "figure.barrier",
                                                    "figure.atomics"};
    const auto other = [&](const analysis::Row& pass) {
        return pass.launch > 0 && pass.array != table.rows.back().array;
    };
    const bool several_arrays = std::any_of(table.rows.begin(), table.rows.end(), other);
    std::vector<RowLabel> labels;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const analysis::Row& pass = table.rows[row];
        RowLabel& label = labels.emplace_back();
        label.title = pass_title(table, row, tr);
        label.variables = pass.variables;
        // Which array a row is of, where the rows are of several.
        if (label.variables.empty() && several_arrays) label.variables = pass.array;
        if (pass.local_memory)
            label.variables += (label.variables.empty() ? "" : " · ") + tr("figure.local");
        const bool unfinished = table.never_ends && row + 1 == table.rows.size();
        if (row > 0 && !unfinished) label.items = items_label(pass, tr);
        if (const Boundary boundary = boundary_after(table, row); boundary != Boundary::none)
            label.boundary = tr(boundaries[static_cast<std::size_t>(boundary)]);
    }
    return labels;
}

std::string fault_reasons(const ProblemPhrases& phrases, const Translations& tr) {
    std::string text;
    const auto add = [&](const Phrase& phrase) {
        const std::string words = translated(phrase, tr);
        const bool quoted = words.starts_with(' ');  // the line of the text, for a terminal
        if (!words.empty() && !quoted) text += tr("figure.space") + words + tr("figure.stop");
    };
    for (const Phrase& line : phrases.why)
        add(line);
    add(phrases.hint);
    return text;
}

std::string right_text(const std::string& result, const Exactness& near, bool parts,
                       const Translations& tr) {
    // In the order of Exactness::Kind.
    constexpr std::array keys{"figure.right", "figure.right_within", "figure.right_no_digit",
                              "figure.right_left_range", "figure.right_wrapped"};
    const bool exact = near.kind == Exactness::Kind::exact;
    return tr(exact && parts ? "figure.right_parts" : keys.at(static_cast<std::size_t>(near.kind)),
              arg("result", result), arg("exact", near.value), arg("bound", near.bound));
}

std::string right_sentence(const analysis::StepTable& table, const Translations& tr) {
    constexpr std::array keys{"figure.sentence_right", "figure.sentence_within",
                              "figure.sentence_no_digit", "figure.sentence_left_range",
                              "figure.sentence_wrapped"};
    const bool exact = table.exactness.kind == Exactness::Kind::exact;
    return tr(exact && table.parts ? "figure.sentence_right_parts"
                                   : keys.at(static_cast<std::size_t>(table.exactness.kind)),
              arg("result", table.result), arg("exact", table.exactness.value),
              arg("bound", table.exactness.bound), arg("type", table.type));
}

std::string fault_text(const analysis::StepTable& table, const Translations& tr) {
    return translated(table.fault_phrases.what, tr, table.fault);
}

namespace {

std::string heading_text(const analysis::StepTable& table, const std::string& where,
                         const Translations& tr) {
    std::string text = fmt::format("n = {}", table.n);
    const NDRange& range = table.space.range();
    if (table.group > 0)
        text += " · " +
                tr("figure.groups_of", arg("group", sizes_text(range.local, range, table.group)));
    for (const std::string& part : {table.op, table.type, table.settings, where})
        if (!part.empty()) text += " · " + part;
    if (!table.stale_known) text += " · " + tr("figure.stale_not_all");
    if (!table.optimised)
        text += " · " + tr("figure.not_optimised");
    else if (!table.note.empty())
        text += " · " + tr("figure.launches_only");
    return text;
}

}  // namespace

std::string subtitle(const analysis::StepTable& table, const Translations& tr) {
    return heading_text(table, table.machine ? machine_text(*table.machine, tr) : table.device, tr);
}

std::string settings_text(const analysis::StepTable& table, const Translations& tr) {
    return heading_text(table, table.machine ? shape_text(*table.machine, tr) : "", tr);
}

std::string verdict(const analysis::StepTable& table, const Translations& tr) {
    if (!table.fault.empty()) return tr("figure.stopped", arg("why", fault_text(table, tr)));
    if (table.right) return right_text(table.result, table.exactness, table.parts, tr);
    return tr("figure.wrong", arg("result", table.result), arg("expected", table.expected));
}

std::string stale_text(const analysis::StepTable& table, const analysis::StaleValue& read,
                       const Translations& tr) {
    const char* key = read.update    ? "figure.stale_update"
                      : read.too_new ? "figure.stale_new"
                                     : "figure.stale_old";
    return tr(key, arg("item", table.item_name(read.item)), arg("array", read.array),
              arg("cell", read.cell), arg("took", text_of(read.took)),
              arg("missed", text_of(read.missed)), arg("writer", table.item_name(read.writer)));
}

std::vector<std::string> notes(const analysis::StepTable& table, const Translations& tr) {
    constexpr std::size_t kMost = 4;
    std::vector<std::string> texts;
    std::size_t more = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        for (const analysis::StaleValue& read : table.rows[row].stale) {
            if (texts.size() == kMost) {
                ++more;
                continue;
            }
            texts.push_back(tr("figure.note", arg("pass", pass_title(table, row, tr)),
                               arg("said", stale_text(table, read, tr))));
        }
    if (more > 0) texts.push_back(tr("figure.more_stale", arg("count", more)));
    return texts;
}

std::string race_text(const analysis::StepTable& table, const analysis::RacedCell& raced,
                      const Translations& tr) {
    const char* key = !raced.first_writes   ? "figure.race_read_write"
                      : raced.second_writes ? "figure.race_write_write"
                                            : "figure.race_write_read";
    std::string text =
        tr(key, arg("cell", raced.cell), arg("first", table.item_name(raced.first)),
           arg("second", table.item_name(raced.second)), arg("first_line", raced.first_line),
           arg("second_line", raced.second_line));
    return text + tr("figure.space") +
           tr(raced.across_groups ? "figure.race_groups" : "figure.race_in_group");
}

std::string cell_tip(const analysis::StepTable& table, std::size_t row, std::size_t cell,
                     analysis::CellState state, const Translations& tr) {
    // In the order of CellState.
    constexpr std::array<const char*, 4> keys{"figure.tip_input", "figure.tip_same",
                                              "figure.tip_read", "figure.tip_spent"};
    const analysis::Cell& of = table.rows[row].cells[cell];
    if (of.late_item >= 0)
        return tr("figure.tip_late", arg("cell", cell), arg("value", text_of(of.value)),
                  arg("item", table.item_name(of.late_item)), arg("pass", of.late_pass));
    if (state != analysis::CellState::written)
        return tr(keys[static_cast<std::size_t>(state)], arg("cell", cell),
                  arg("value", text_of(of.value)));
    const std::string from = listed(of.from, tr);
    if (of.item < 0)
        return tr("figure.tip_written", arg("cell", cell), arg("value", text_of(of.value)),
                  arg("from", from));
    return tr("figure.tip_written_by", arg("cell", cell), arg("value", text_of(of.value)),
              arg("from", from), arg("item", table.item_name(of.item)));
}

}  // namespace lab::figures
