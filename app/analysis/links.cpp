#include "analysis/links.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/ranges.h"

namespace lab::analysis {
namespace {

using machine::ActionKind;
using TargetKind = HighlightTarget::Kind;

// One access, under all its names.
struct NamedAccess {
    std::uint64_t time = 0, line = 0, item = 0, group = 0;
    HighlightTarget memory, worker, cell;
};

class NamedAccesses {
  public:
    explicit NamedAccesses(const LinkedActions& actions) : actions_(actions) {}

    // Of the action at a time, each access in turn; once without memory if it has none.
    template <typename Take>
    void of_action(std::uint64_t time, Take take) const {
        const machine::Run& run = actions_.run;
        const machine::Action& action = run.trace().action(time);
        const machine::Context& context = run.machine().context(action.launch);
        NamedAccess touch;
        touch.time = time;
        touch.line = context.code->places[action.place].line;
        touch.group = action.group;
        if (run.trace().accesses(action).empty()) return take(touch);
        const machine::ObjectInfo& object = context.objects[action.object];
        const bool local = object.space == machine::Space::local;
        const std::size_t row = row_of(time);
        for_accesses(run.trace(), context, action,
                     [&](std::uint64_t item, const machine::Access& access) {
                         touch.item = item;
                         touch.memory = memory_of(object.name, local, action.group, access.index);
                         if (row > 0) {
                             touch.worker = {TargetKind::worker, row, touch.item};
                             touch.cell = cell_of(action.kind == ActionKind::load ? row - 1 : row,
                                                  object, action.group, access.index);
                         }
                         take(touch);
                     });
    }

  private:
    // The row that the action belongs to; 0: none.
    std::size_t row_of(std::uint64_t time) const {
        if (actions_.table == nullptr) return 0;
        const auto& ends = *actions_.row_ends;
        const auto row = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), time) -
                                                  ends.begin());
        return row < actions_.table->rows.size() ? row : 0;
    }

    HighlightTarget cell_of(std::size_t row, const machine::ObjectInfo& object, std::uint64_t group,
                            std::uint64_t index) const {
        const Row& shown = actions_.table->rows[row];
        const bool local = object.space == machine::Space::local;
        const bool input = shown.array.empty() && !local &&
                           actions_.run.machine().job().buffers[object.buffer].is_input;
        if (!input && (object.name != shown.array || local != shown.local_memory)) return {};
        const std::uint64_t cell = local ? group * shown.group_cells + index : index;
        return cell < shown.cells.size() ? HighlightTarget{TargetKind::cell, row, cell}
                                         : HighlightTarget{};
    }

    const LinkedActions& actions_;
};

bool is_of(const NamedAccess& touch, const HighlightTarget& referent) {
    using Kind = TargetKind;
    const Kind kind = referent.kind;
    return kind == Kind::cell     ? touch.cell == referent
           : kind == Kind::worker ? touch.worker == referent
           : kind == Kind::memory ? touch.memory == referent
           : kind == Kind::item   ? touch.memory.kind != Kind::none && touch.item == referent.first
           : kind == Kind::line   ? touch.line == referent.first
           : kind == Kind::action ? touch.time == referent.first
                                  : kind == Kind::group && touch.group == referent.first;
}

void add_name(Names& names, const HighlightTarget& referent) {
    if (referent.kind != TargetKind::none) names.insert(name_of(referent));
}

void add_names_of(const NamedAccess& touch, TargetKind pointed, Names& names) {
    add_name(names, {TargetKind::action, touch.time});
    if (pointed == TargetKind::group) return;  // all memory and most lines belong to every group
    if (pointed == TargetKind::action) add_name(names, {TargetKind::group, touch.group});
    add_name(names, {TargetKind::line, touch.line});
    if (touch.memory.kind == TargetKind::none) return;
    add_name(names, {TargetKind::item, touch.item});
    for (const HighlightTarget* each : {&touch.memory, &touch.worker, &touch.cell})
        add_name(names, *each);
}

bool has_part(const Hazard& hazard, const HighlightTarget& referent, const Names& names) {
    const auto any = [&](auto test) { return any_of(hazard.sides, test); };
    if (referent.kind == TargetKind::line)
        return any([&](const HazardSide& side) { return side.line == referent.first; });
    if (referent.kind != TargetKind::cell && referent.kind != TargetKind::memory &&
        referent.kind != TargetKind::action)
        return false;
    return any([&](const HazardSide& side) {
        const HighlightTarget memory =
            memory_of(hazard.object, hazard.space == "local", side.group, hazard.index);
        return memory == referent || names.contains(name_of(memory));
    });
}

// The row that shows what was done when it was printed; 0: none does.
std::size_t row_with(const LinkedActions& actions, const PrintedText& print) {
    if (actions.table == nullptr) return 0;
    const auto& ends = *actions.row_ends;
    for (auto row = static_cast<std::size_t>(
             std::lower_bound(ends.begin(), ends.end(), print.time) - ends.begin());
         row < actions.table->rows.size(); ++row)
        if (actions.table->rows[row].launch >= static_cast<int>(print.launch)) return row;
    return 0;
}

}  // namespace

void add_links(const LinkedActions& actions, const HighlightTarget& referent, Names& names) {
    if (actions.end - actions.first > kMostLinkedActions) return;
    const NamedAccesses touches(actions);
    for (std::uint64_t time = actions.first; time < actions.end; ++time)
        touches.of_action(time, [&](const NamedAccess& touch) {
            if (is_of(touch, referent)) add_names_of(touch, referent.kind, names);
        });
}

void add_next_links(const StateView& state, const HighlightTarget& referent, Names& names) {
    for (const WarpView& warp : state.warps) {
        const HighlightTarget next{TargetKind::next, warp.group, warp.warp},
            group{TargetKind::group, warp.group};
        bool meant = referent == next || referent == group ||
                     (referent.kind == TargetKind::line && warp.line == referent.first);
        if (warp.next)
            for (const LaneTouch& touch : warp.next->touches)
                meant = meant || referent == memory_of(warp.next->array, warp.next->local,
                                                       warp.group, touch.index);
        if (!meant || warp.line == 0) continue;
        add_name(names, next);
        add_name(names, {TargetKind::line, warp.line});
        if (referent.kind == TargetKind::next || referent.kind == TargetKind::line)
            add_name(names, group);
        if (referent.kind != TargetKind::next || !warp.next) continue;
        for (const LaneTouch& touch : warp.next->touches)
            add_name(names, memory_of(warp.next->array, warp.next->local, warp.group, touch.index));
    }
}

void add_race_links(const LinkedActions& actions, const std::vector<Hazard>& hazards,
                    const HighlightTarget& referent, Names& names) {
    for (std::size_t place = 0; place < hazards.size(); ++place) {
        const Hazard& hazard = hazards[place];
        const HighlightTarget race{TargetKind::race, place};
        if (has_part(hazard, referent, names)) add_name(names, race);
        if (referent != race) continue;
        for (const HazardSide& side : hazard.sides) {
            const HighlightTarget memory =
                memory_of(hazard.object, hazard.space == "local", side.group, hazard.index);
            add_name(names, memory);
            add_name(names, {TargetKind::line, side.line});
            if (actions.end - actions.first > kMostLinkedActions) continue;
            for (std::uint64_t time = actions.first; time < actions.end; ++time)
                NamedAccesses(actions).of_action(time, [&](const NamedAccess& touch) {
                    if (touch.memory == memory && touch.line == side.line &&
                        touch.item == side.item)
                        add_names_of(touch, TargetKind::race, names);
                });
        }
    }
}

void add_print_links(const LinkedActions& actions, const std::vector<PrintedText>& prints,
                     const HighlightTarget& referent, Names& names) {
    for (std::size_t place = 0; place < prints.size(); ++place) {
        const PrintedText& print = prints[place];
        const HighlightTarget self{TargetKind::print, place}, item{TargetKind::item, print.item},
            line{TargetKind::line, print.line},
            worker{TargetKind::worker, row_with(actions, print), print.item};
        const bool seen =
            print.time <= actions.end && (print.time > actions.first || actions.first == 0);
        const bool meant = referent == self ||
                           (seen && (referent == item || referent == line || referent == worker));
        if (!meant) continue;
        for (const HighlightTarget* each : {&self, &item, &line})
            add_name(names, *each);
        if (worker.first > 0) add_name(names, worker);
    }
}

namespace {

struct KindName {
    const char* word;
    bool array, pair;  // what follows the word, beside a number
};
// In the order of Kind.
constexpr std::array<KindName, 11> kKindNames{{{"", false, false},
                                               {"cell", false, true},
                                               {"worker", false, true},
                                               {"item", false, false},
                                               {"memory", true, false},
                                               {"line", false, false},
                                               {"action", false, false},
                                               {"group", false, false},
                                               {"next", false, true},
                                               {"race", false, false},
                                               {"print", false, false}}};

std::string_view take_word(std::string_view& rest) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

bool take_number(std::string_view& rest, std::uint64_t& number) {
    const std::string_view word = take_word(rest);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

std::string name_of(const HighlightTarget& referent) {
    const KindName& kind = kKindNames.at(static_cast<std::size_t>(referent.kind));
    if (referent.kind == TargetKind::none) return {};
    if (kind.array) return fmt::format("{} {} {}", kind.word, referent.array, referent.first);
    if (kind.pair) return fmt::format("{} {} {}", kind.word, referent.first, referent.second);
    return fmt::format("{} {}", kind.word, referent.first);
}

HighlightTarget referent_of(std::string_view name) {
    const std::string_view word = take_word(name);
    for (std::size_t i = 1; i < kKindNames.size(); ++i) {
        const KindName& kind = kKindNames.at(i);
        if (word != kind.word) continue;
        HighlightTarget referent{static_cast<TargetKind>(i)};
        if (kind.array) referent.array = take_word(name);
        if (!take_number(name, referent.first)) return {};
        if (kind.pair && !take_number(name, referent.second)) return {};
        return name.empty() ? referent : HighlightTarget{};
    }
    return {};
}

HighlightTarget memory_of(const std::string& array, bool local, std::uint64_t group,
                          std::uint64_t index) {
    return {TargetKind::memory, index, 0, local ? fmt::format("{}/{}", array, group) : array};
}

}  // namespace lab::analysis
