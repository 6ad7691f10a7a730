#include "figures/pass_text.h"

#include <array>
#include <cstdlib>
#include <set>
#include <span>
#include <tuple>

#include <fmt/ranges.h>

#include "base/problem.h"
#include "base/ranges.h"
#include "catalogue/element.h"
#include "figures/run_text.h"

namespace lab::figures {
namespace {

using fmt::arg;

std::vector<const analysis::FarRead*> far_reads_of(const analysis::Row& row, std::size_t cell,
                                                   std::int64_t item) {
    std::vector<const analysis::FarRead*> found;
    auto read = std::lower_bound(
        row.far_reads.begin(), row.far_reads.end(), cell,
        [](const analysis::FarRead& each, std::size_t of) { return each.cell < of; });
    for (; read != row.far_reads.end() && read->cell == cell; ++read)
        if (read->item == item) found.push_back(&*read);
    return found;
}

// What one work-item did to one cell of a row.
struct Deed {
    // In the order of being told.
    enum class Kind : std::uint8_t {
        combined,  // several cells of the row above, or of others further up
        copied,    // one, as it was
        changed,   // one
        joined,    // one or several with what the cell held, which the row above does not show
        wrote,     // none
    } kind = Kind::wrote;
    std::size_t cell = 0, count = 0;  // how many cells went in
    std::int64_t item = -1;           // -1: not known
    bool atomic = false;

    // Those of more cells come first.
    auto group() const { return std::tuple(kind, kind == Kind::combined ? ~count : 0, atomic); }
};

class RowDeeds {
  public:
    RowDeeds(const analysis::StepTable& table, std::size_t row)
        : pass_(table.rows[row]), above_(table.rows[row - 1]) {
        std::set<std::int64_t> items;
        for (const std::size_t cell : written_cells(pass_)) {
            const analysis::Cell& of = pass_.cells[cell];
            for (const analysis::Writer& writer : writers_of(of))
                add(cell, writer.item, writer.from, of.atomic || of.kept);
        }
        for (const Deed& deed : all)
            by_items = items.insert(deed.item).second && deed.item >= 0 && by_items;
        stable_sort(all, [&](const Deed& a, const Deed& b) {
            return std::pair(a.group(), by_items ? a.item : 0) <
                   std::pair(b.group(), by_items ? b.item : 0);
        });
    }

    std::vector<Deed> all;
    bool by_items = true;  // each item wrote one cell and is known: then it is told by items

  private:
    void add(std::size_t cell, std::int64_t item, const std::vector<std::uint32_t>& from,
             bool joins) {
        const std::vector<const analysis::FarRead*> far = far_reads_of(pass_, cell, item);
        Deed deed{Deed::Kind::combined, cell, from.size() + far.size(), item,
                  pass_.cells[cell].atomic};
        if (deed.count == 0)
            deed.kind = Deed::Kind::wrote;
        else if (joins)
            deed.kind = Deed::Kind::joined;
        else if (deed.count == 1)
            deed.kind = (far.empty() ? copies(cell, item, from.front())
                                     : far.front()->took == pass_.cells[cell].value)
                            ? Deed::Kind::copied
                            : Deed::Kind::changed;
        all.push_back(deed);
    }

    bool copies(std::size_t cell, std::int64_t item, std::uint32_t source) const {
        const analysis::Cell& of = pass_.cells[cell];
        if (of.item != item || of.late_item >= 0) return false;
        const auto took = [&](const analysis::StaleValue& read) {
            return read.item == item && read.took == of.value;
        };
        if (const auto* other = find_if(pass_.other_reads, [&](const auto& read) {
                return read.item == item && read.cell == source;
            }))
            return other->took == of.value;
        return above_.cells[source].value == of.value || any_of(pass_.stale, took);
    }

    const analysis::Row &pass_, &above_;
};

constexpr std::size_t kMostCounts = 2;  // of cells combined, told one by one

// What follows figure.cell_ or figure.cells_, figure.item_ or figure.items_ in the text's key.
const char* key_of(const Deed& deed, bool by_items, bool adds, bool two) {
    const bool combined = deed.kind == Deed::Kind::combined;
    if (!by_items) {
        if (combined) return two ? "made_of_two" : "made_of";
        return deed.kind == Deed::Kind::wrote || deed.kind == Deed::Kind::joined ? "written"
                                                                                 : "made_of_one";
    }
    if (deed.kind == Deed::Kind::copied) return "combined_one";
    if (deed.kind == Deed::Kind::changed) return "changed";
    if (deed.kind == Deed::Kind::wrote) return "wrote";
    if (deed.kind == Deed::Kind::joined) return adds ? "added_to" : "combined_to";
    if (two) return adds ? "added_two" : "combined_two";
    return adds ? "added" : "combined";
}

// A sentence, without its stop, on deeds of one kind.
std::string deeds_text(const analysis::StepTable& table, const analysis::Row& pass,
                       std::span<const Deed> deeds, bool by_items, const Translations& tr) {
    std::vector<std::string> who, cells;
    std::set<std::uint64_t> named;
    std::set<std::string> named_cells;
    for (const Deed& deed : deeds) {
        if (named.insert(by_items ? static_cast<std::uint64_t>(deed.item) : deed.cell).second)
            who.push_back(by_items ? table.item_name(deed.item) : fmt::format("{}", deed.cell));
        const std::string cell = pass.cell_name(deed.cell);
        if (named_cells.insert(cell).second) cells.push_back(cell);
    }
    const auto [least, most] = std::minmax_element(
        deeds.begin(), deeds.end(), [](const Deed& a, const Deed& b) { return a.count < b.count; });
    const std::string counts = least->count == most->count
                                   ? fmt::format("{}", most->count)
                                   : fmt::format("{}–{}", least->count, most->count);
    const bool two = least->count == 2 && most->count == 2;
    const std::string key =
        fmt::format("figure.{}{}_{}", by_items ? "item" : "cell", who.size() == 1 ? "" : "s",
                    key_of(deeds.front(), by_items, table.op == "add", two));
    std::string text =
        tr(key, arg("who", listed(who, tr)), arg("cells", counts), arg("to", listed(cells, tr)));
    return deeds.front().atomic ? tr("figure.atomically", arg("said", text)) : text;
}

// What the work-items did, a sentence for each kind of work.
std::vector<std::string> work_done(const analysis::StepTable& table, std::size_t row,
                                   const Translations& tr) {
    const analysis::Row& pass = table.rows[row];
    if (!pass.origins_known) return {tr("figure.not_recorded")};
    RowDeeds deeds(table, row);
    if (deeds.all.empty()) return {tr("figure.nothing_written")};
    std::set<std::size_t> counts;
    for (const Deed& deed : deeds.all)
        if (deed.kind == Deed::Kind::combined) counts.insert(deed.count);
    const bool each = counts.size() <= kMostCounts;
    std::vector<std::string> said;
    for (auto first = deeds.all.begin(), end = first; first != deeds.all.end(); first = end) {
        while (end != deeds.all.end() && end->kind == first->kind && end->atomic == first->atomic &&
               (end->count == first->count || first->kind != Deed::Kind::combined || !each))
            ++end;
        const std::span<const Deed> alike(&*first, static_cast<std::size_t>(end - first));
        said.push_back(deeds_text(table, pass, alike, deeds.by_items, tr));
    }
    if (!pass.items_known) return said;
    std::set<std::int64_t> wrote;
    for (const Deed& deed : deeds.all)
        wrote.insert(deed.item);
    std::vector<std::string> helped;  // who only read
    for (const std::int64_t item : working_items(pass))
        if (!wrote.contains(item)) helped.push_back(table.item_name(item));
    if (!helped.empty())
        said.push_back(tr(helped.size() == 1 ? "figure.item_helped" : "figure.items_helped",
                          arg("who", listed(helped, tr))));
    return said;
}

bool is_identity(const analysis::StepTable& table, const analysis::CellValue& value) {
    try {
        return text_of(value) ==
               catalogue::text_of(catalogue::identity(catalogue::parse_op(table.op),
                                                      catalogue::parse_type(table.type)),
                                  0);
    } catch (const Problem&) {
        return false;  // a kernel of the user's own
    }
}

// Cells that were combined, too, though nothing of the input is in them.
std::string neutral_text(const analysis::StepTable& table, std::size_t row,
                         const Translations& tr) {
    const std::vector<std::uint32_t>& cells = table.rows[row].neutral;
    if (cells.empty()) return {};
    const analysis::CellValue& value = table.rows[row - 1].cells[cells.front()].value;
    for (const std::uint32_t cell : cells)
        if (!(table.rows[row - 1].cells[cell].value == value))
            return tr.counted("figure.sentence_constants", cells.size(),
                              arg("cells", listed(cells, tr)));
    return tr.counted(
        is_identity(table, value) ? "figure.sentence_identity" : "figure.sentence_constant",
        cells.size(), arg("cells", listed(cells, tr)), arg("value", text_of(value)));
}

// "8 values became 2", where a row has fewer values than went into it.
std::string fewer_text(const analysis::StepTable& table, std::size_t row, const Translations& tr) {
    const analysis::Row& pass = table.rows[row];
    if (!pass.origins_known || table.rows[row - 1].cells.size() == pass.cells.size()) return {};
    std::set<std::uint32_t> sources;
    std::size_t after = 0;
    for (const analysis::Cell& cell : pass.cells) {
        if (!cell.written) continue;
        if (cell.from.empty()) return {};
        ++after;
        for (const analysis::Writer& writer : writers_of(cell))
            sources.insert(writer.from.begin(), writer.from.end());
    }
    for (const std::uint32_t cell : pass.neutral)
        sources.erase(cell);
    // Atomics may have left values out that the result holds all the same, as a maximum does.
    const bool updated = std::any_of(pass.cells.begin(), pass.cells.end(),
                                     [](const analysis::Cell& each) { return each.atomic; });
    const std::size_t above = table.rows[row - 1].cells.size() - pass.neutral.size();
    if (after == 0 || sources.size() <= after || (updated && sources.size() < above)) return {};
    return tr.counted("figure.sentence_fewer", sources.size(), arg("before", sources.size()),
                      arg("after", after));
}

constexpr std::size_t kMostStale = 2;  // told one by one

// What the work-item read in a cell of the row above for its value; empty if that is not known.
std::optional<analysis::CellValue> value_read(const analysis::StepTable& table, std::size_t row,
                                              std::int64_t item, std::uint32_t source) {
    const analysis::Row &pass = table.rows[row], &above = table.rows[row - 1];
    if (source >= above.cells.size()) return std::nullopt;
    const std::size_t cell = above.local_memory && above.group_cells > 0
                                 ? source % above.group_cells
                                 : std::size_t{source};
    for (const analysis::StaleValue& read : pass.stale)
        if (read.item == item && read.array == above.array && read.cell == cell) {
            if (read.update) return std::nullopt;
            return read.took;
        }
    for (const analysis::OtherRead& read : pass.other_reads)
        if (read.item == item && read.cell == source) return read.took;
    return above.cells[source].value;
}

// Whether the operator makes the value of the terms, one after the other, in that type.
template <typename T>
bool makes(const std::string& op, const std::vector<std::string>& terms, T value,
           T (*number)(const std::string&)) {
    T all = number(terms.front());
    for (std::size_t i = 1; i < terms.size(); ++i) {
        const T next = number(terms[i]);
        all = op == "add"       ? static_cast<T>(all + next)
              : op == "product" ? static_cast<T>(all * next)
              : op == "min"     ? std::min(all, next)
                                : std::max(all, next);
    }
    return all == value;
}

template <typename T>
T number_in(const std::string& text) {
    return static_cast<T>(std::strtold(text.c_str(), nullptr));
}

// Of an integer of whatever sign: modulo 2^64.
std::uint64_t wrapped_number(const std::string& text) {
    return text.starts_with('-')
               ? static_cast<std::uint64_t>(std::strtoll(text.c_str(), nullptr, 10))
               : std::strtoull(text.c_str(), nullptr, 10);
}

// "data[0] = 22 + 5 = 27.", of each cell, where the pass wrote few.
std::string equations_text(const analysis::StepTable& table, std::size_t row,
                           const Translations& tr) {
    constexpr std::size_t kMostEquations = 2;
    const analysis::Row& pass = table.rows[row];
    const std::vector<std::size_t> cells = written_cells(pass);
    std::string text;
    if (pass.array.empty() || cells.size() > kMostEquations) return text;
    for (const std::size_t cell : cells) {
        const std::string made = equation(table, row, cell);
        if (made.empty()) continue;
        text += (text.empty() ? std::string() : tr("figure.space")) + pass.cell_name(cell) + " = " +
                made + tr("figure.stop");
    }
    return text;
}

// What races did in the pass; else, where they might have.
void add_races(std::vector<std::string>& to, const analysis::StepTable& table, std::size_t row,
               const Translations& tr) {
    const analysis::Row& pass = table.rows[row];
    const std::size_t told = std::min(pass.stale.size(), kMostStale);
    for (std::size_t i = 0; i < told; ++i)
        to.push_back(stale_text(table, pass.stale[i], tr));
    if (told < pass.stale.size())
        to.push_back(tr("figure.sentence_more_stale", arg("count", pass.stale.size() - told)));
    using Ordered = analysis::RacedCell::Ordered;
    const bool well = table.right && table.fault.empty() && told == 0;
    // In the order of Ordered.
    const std::array keys{well ? "figure.sentence_race" : "figure.sentence_race_open",
                          "figure.sentence_race_lockstep", "figure.sentence_race_by_hand"};
    for (const Ordered ordered : {Ordered::by_nothing, Ordered::in_lockstep, Ordered::by_hand}) {
        std::vector<std::uint64_t> cells;
        for (const analysis::RacedCell& raced : pass.raced)
            if (raced.ordered == ordered) cells.push_back(raced.cell);
        if (cells.empty() || (told > 0 && ordered == Ordered::by_nothing)) continue;
        sort(cells);
        to.push_back(tr.counted(keys.at(static_cast<std::size_t>(ordered)), cells.size(),
                                arg("cells", listed(cells, tr))));
    }
}

std::string items_label(const analysis::Row& pass, const Translations& tr) {
    if (pass.global == 0) return {};
    if (pass.items_known) {
        const std::size_t active = working_items(pass).size();
        return tr.counted(active == 1 ? "figure.item_works" : "figure.items_work", pass.global,
                          arg("active", active), arg("total", pass.global));
    }
    return tr.counted("figure.items_launched", pass.global, arg("total", pass.global),
                      arg("group", pass.local));
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
    if (waits && pass.of_grid) return Boundary::grid;
    if (pass.handed_over && pass.number != next.number) return Boundary::atomics;
    if (!pass.by_hand.empty() && pass.number != next.number) return Boundary::by_hand;
    return waits ? Boundary::group : Boundary::none;
}

namespace {

bool is_one_group(const analysis::Row& pass) {
    return pass.global <= pass.local;
}

// What orders this row and the next one; that nothing does, where there is no barrier at all.
std::string said_after(const analysis::StepTable& table, std::size_t row, const Translations& tr) {
    const analysis::Row& pass = table.rows[row];
    switch (boundary_after(table, row)) {
        case Boundary::launch:
            return tr(is_one_group(pass) ? "figure.sentence_launch_end_one"
                                         : "figure.sentence_launch_end");
        case Boundary::grid:
            return tr("figure.sentence_grid");
        case Boundary::atomics:
            return tr("figure.sentence_atomics");
        case Boundary::by_hand:
            return tr("figure.sentence_by_hand", arg("counters", pass.by_hand));
        case Boundary::group:
            return tr(is_one_group(pass)  ? "figure.sentence_barrier_one"
                      : pass.local_memory ? "figure.sentence_barrier_local"
                                          : "figure.sentence_barrier");
        case Boundary::none:
            break;
    }
    const bool goes_on = row + 1 < table.rows.size() && table.rows[row + 1].launch == pass.launch &&
                         table.rows[row + 1].number != pass.number;
    return goes_on && !pass.waited && pass.global != 1 ? tr("figure.sentence_no_barrier")
                                                       : std::string();
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

// The input, and into how many groups the first pass divides it.
std::string start_sentence(const analysis::StepTable& table, const Translations& tr) {
    const std::size_t count = table.rows.front().cells.size();
    std::string text = tr.counted("figure.sentence_start", count);
    const analysis::Row* first = table.rows.size() > 1 ? &table.rows[1] : nullptr;
    if (first != nullptr && first->items_known && first->local > 0)
        text += tr.counted("figure.sentence_start_groups",
                           (first->global + first->local - 1) / first->local,
                           arg("local", first->local));
    return text + tr("figure.stop");
}

// What stopped the run, why, and what would help.
std::string stopped_sentence(const analysis::StepTable& table, const Translations& tr) {
    return tr("figure.stopped", arg("why", fault_text(table, tr))) + tr("figure.stop") +
           fault_reasons(table.fault_phrases, tr);
}

}  // namespace

std::string sentence(const analysis::StepTable& table, std::size_t row, const Translations& tr) {
    if (row >= table.rows.size()) return {};
    const analysis::Row& pass = table.rows[row];
    const bool stopped = row + 1 == table.rows.size() && !table.fault.empty();
    // A pass that does not end has no counts.
    if (stopped && table.never_ends) {
        std::string text =
            fault_text(table, tr) + tr("figure.stop") + fault_reasons(table.fault_phrases, tr);
        std::vector<std::string> races;
        add_races(races, table, row, tr);
        for (const std::string& each : races)
            text += tr("figure.space") + each;
        return text;
    }
    if (row == 0)
        return start_sentence(table, tr) +
               (stopped ? tr("figure.space") + stopped_sentence(table, tr) : "");

    std::string text = fmt::format(
        "{}", fmt::join(work_done(table, row, tr), tr("figure.stop") + tr("figure.space")));
    if (pass.items_known && pass.global > 0)
        text += tr.counted("figure.sentence_worked", pass.global,
                           arg("active", working_items(pass).size()), arg("total", pass.global));
    text += tr("figure.stop");

    std::vector<std::string> more{equations_text(table, row, tr), neutral_text(table, row, tr)};
    add_races(more, table, row, tr);
    add_late(more, table, row, tr);
    more.push_back(fewer_text(table, row, tr));
    if (stopped) {
        more.push_back(stopped_sentence(table, tr));
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

static std::string boundary_label(const analysis::StepTable& table, std::size_t row,
                                  const Translations& tr) {
    const analysis::Row& pass = table.rows[row];
    const bool one = is_one_group(pass);
    switch (boundary_after(table, row)) {
        case Boundary::launch:
            return tr(one ? "figure.launch_end_one" : "figure.launch_end");
        case Boundary::group:
            return tr(one ? "figure.barrier_one" : "figure.barrier");
        case Boundary::grid:
            return tr("figure.grid_barrier");
        case Boundary::atomics:
            return tr("figure.atomics");
        case Boundary::by_hand:
            return tr("figure.by_hand", arg("counters", pass.by_hand));
        case Boundary::none:
            break;
    }
    return {};
}

std::vector<RowLabel> row_labels(const analysis::StepTable& table, const Translations& tr) {
    std::vector<RowLabel> labels;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const analysis::Row& pass = table.rows[row];
        RowLabel& label = labels.emplace_back();
        label.title = pass_title(table, row, tr);
        label.variables = pass.variables;
        const bool unfinished = table.never_ends && row + 1 == table.rows.size();
        // Another array that was written in the pass of the row above.
        const bool again = row > 1 && pass.number > 0 &&
                           pass.number == table.rows[row - 1].number &&
                           pass.launch == table.rows[row - 1].launch;
        if (again) label.title = tr("figure.pass_again", arg("pass", label.title));
        if (row > 0 && !unfinished && (!again || pass.items_known))
            label.items = items_label(pass, tr);
        label.boundary = boundary_label(table, row, tr);
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

static std::string heading_text(const analysis::StepTable& table, const std::string& where,
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

std::string variant_title(const std::string& id, const std::string& title, const Translations& tr) {
    constexpr std::string_view kWithout = "-without-barrier-";
    const auto at = id.find(kWithout);
    const std::string whole = tr.get("variant." + id.substr(0, at) + ".title", "");
    if (at != std::string::npos && !whole.empty())
        return tr("kernel.without_barrier", arg("title", whole),
                  arg("n", id.substr(at + kWithout.size())));
    return tr.get("variant." + id + ".title", title);
}

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

std::string other_text(const analysis::StepTable& table, std::size_t row,
                       const analysis::OtherRead& read, const analysis::CellValue& shown,
                       const Translations& tr) {
    const analysis::Row& above = table.rows[row - 1];
    return tr("figure.other_read", arg("item", table.item_name(read.item)),
              arg("array", above.array),
              arg("cell", above.local_memory ? read.cell % above.group_cells : read.cell),
              arg("took", text_of(read.took)), arg("shown", text_of(shown)));
}

std::string stale_text(const analysis::StepTable& table, const analysis::StaleValue& read,
                       const Translations& tr) {
    const char* key = read.update    ? "figure.stale_update"
                      : read.too_new ? "figure.stale_new"
                                     : "figure.stale_old";
    return tr(key, arg("item", table.item_name(read.item)), arg("cell", read.cell_name()),
              arg("took", text_of(read.took)), arg("missed", text_of(read.missed)),
              arg("writer", table.item_name(read.writer)));
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
    using Ordered = analysis::RacedCell::Ordered;
    const char* why = raced.ordered == Ordered::by_hand       ? "figure.race_by_hand"
                      : raced.ordered == Ordered::in_lockstep ? "figure.race_lockstep"
                      : raced.across_groups                   ? "figure.race_groups"
                                                              : "figure.race_in_group";
    return text + tr("figure.stop") + tr("figure.space") + tr(why);
}

std::string combination(const std::string& op, lang::Scalar type,
                        const std::vector<std::string>& terms, const std::string& value) {
    const bool add = op == "add", sum = add || op == "product";
    if (!sum && op != "min" && op != "max") return {};
    const std::string all = fmt::format("{}", fmt::join(terms, add ? " + " : sum ? " × " : ", "));
    const std::string text = sum ? all : fmt::format("{}({})", op, all);
    const auto made_in = [&]<typename T>(T number) {
        return makes<T>(op, terms, number, number_in);
    };
    const bool exact = type == lang::Scalar::float_    ? made_in(number_in<float>(value))
                       : type == lang::Scalar::double_ ? made_in(number_in<double>(value))
                                                       : made_in(number_in<long double>(value));
    if (exact) return text + " = " + value;
    // A kernel may make anything else of them.
    const std::size_t bits = 8 * lang::info(type).bytes;
    const auto shifted = [&](std::uint64_t number) { return number << (64 - bits); };
    if (lang::info(type).floating || !sum || bits > 64) return {};
    std::uint64_t made = wrapped_number(terms.front());
    for (std::size_t i = 1; i < terms.size(); ++i)
        made = add ? made + wrapped_number(terms[i]) : made * wrapped_number(terms[i]);
    if (shifted(made) != shifted(wrapped_number(value))) return {};
    return fmt::format("{} ≡ {} (mod 2^{})", text, value, bits);
}

std::string equation(const analysis::StepTable& table, std::size_t row, std::size_t cell) {
    constexpr std::size_t kMostTerms = 8;
    const analysis::Row& pass = table.rows[row];
    const analysis::Cell& of = pass.cells[cell];
    if (row == 0 || !of.written || of.kept || !of.also.empty() || of.late_item >= 0 ||
        of.from.size() > kMostTerms || !of.value.bits)
        return {};
    std::vector<std::string> terms;
    for (const std::uint32_t source : of.from) {
        const std::optional<analysis::CellValue> read = value_read(table, row, of.item, source);
        if (!read || !read->bits) return {};
        terms.push_back(text_of(*read));
    }
    for (const analysis::FarRead* read : far_reads_of(pass, cell, of.item))
        terms.push_back(text_of(read->took));
    if (terms.size() < 2 || terms.size() > kMostTerms) return {};
    return combination(table.op, of.value.type, terms, text_of(of.value));
}

std::string signal_words(std::span<const analysis::Signal* const> signals) {
    const analysis::Signal& first = *signals.front();
    const bool waits = first.kind == analysis::Signal::Kind::waits;
    std::string words = first.name, last;
    for (const analysis::Signal* signal : signals) {
        if (signal->array != first.array || signal->cell != first.cell) return {};
        const std::string before = text_of(signal->before), after = text_of(signal->after);
        const bool begins = signal == &first;
        if (waits && (begins || after != last))
            words += (begins ? " = " : ", ") + after;
        else if (!waits)
            words += begins           ? fmt::format(": {} → {}", before, after)
                     : before == last ? " → " + after
                                      : fmt::format(", {} → {}", before, after);
        last = after;
    }
    return words;
}

std::string signal_text(const analysis::StepTable& table, const analysis::Signal& signal,
                        const Translations& tr) {
    static constexpr std::array kKeys{"figure.tip_counts", "figure.tip_sets", "figure.tip_waits"};
    const std::array alone{&signal};
    return tr(kKeys[static_cast<std::size_t>(signal.kind)],
              arg("item", table.item_name(signal.item)), arg("said", signal_words(alone)),
              arg("line", signal.line));
}

std::string cell_tip(const analysis::StepTable& table, std::size_t row, std::size_t cell,
                     analysis::CellState state, const Translations& tr) {
    const analysis::Cell& of = table.rows[row].cells[cell];
    if (of.late_item >= 0)
        return tr("figure.tip_late", arg("cell", cell), arg("value", text_of(of.value)),
                  arg("item", table.item_name(of.late_item)), arg("pass", of.late_pass));
    if (state != analysis::CellState::written)
        return tr(kCellTips[static_cast<std::size_t>(state)], arg("cell", cell),
                  arg("value", text_of(of.value)));
    const std::string from = listed(of.from, tr);
    std::string value = equation(table, row, cell);
    if (value.empty()) value = text_of(of.value);
    if (of.item < 0)
        return tr("figure.tip_written", arg("cell", cell), arg("value", value), arg("from", from));
    return tr("figure.tip_written_by", arg("cell", cell), arg("value", value), arg("from", from),
              arg("item", table.item_name(of.item)));
}

}  // namespace lab::figures
