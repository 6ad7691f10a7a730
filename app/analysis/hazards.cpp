#include "analysis/hazards.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "analysis/conflicts.h"
#include "analysis/machine_run.h"
#include "analysis/outcomes.h"
#include "analysis/simulate.h"
#include "base/json_fields.h"
#include "base/ranges.h"
#include "lang/builtins.h"
#include "lang/code.h"
#include "lang/dataflow.h"

namespace lab::analysis {
namespace {

using machine::Context;
using machine::Run;

bool both_write(const Race& race) {
    return race.example.first.writes && race.example.second.writes;
}

// Of races that share their lines.
const char* note_of(const std::vector<const Race*>& races) {
    if (races.front()->by_atomics) return kOrderedByAtomics;
    const bool same = all_of(races, [](const Race* each) { return each->same_value; });
    return same ? kSameValue : "";
}

// Lines by number, each text gone through once.
class Lines {
  public:
    std::string line(const lang::Source& source, std::uint32_t number) {
        std::vector<std::size_t>& begins = begins_[&source];
        if (begins.empty()) {
            begins.push_back(0);
            for (std::size_t end = source.text.find('\n'); end != std::string::npos;
                 end = source.text.find('\n', end + 1))
                begins.push_back(end + 1);
        }
        if (number == 0 || number > begins.size()) return {};
        const std::size_t begin = begins[number - 1];
        std::size_t end = number == begins.size() ? source.text.size() : begins[number] - 1;
        if (end > begin && source.text[end - 1] == '\r') --end;
        return source.text.substr(begin, end - begin);
    }

  private:
    std::map<const lang::Source*, std::vector<std::size_t>> begins_;
};

// The place of an access by a work-item.
HazardSide side_at(const Context& context, const lang::Place& place, std::uint64_t item,
                   Lines& lines) {
    HazardSide side;
    if (place.file < context.code->sources.size()) {
        side.file = context.code->sources[place.file].name;
        side.text = lines.line(context.code->sources[place.file], place.line);
    }
    side.line = place.line;
    side.column = place.column;
    side.length = place.length;
    side.item = item;
    side.group = item / context.local;
    side.global_id = context.space.global_id(item);
    side.group_id = context.space.group_id(side.group);
    return side;
}

// Whether what a line writes to a cell, or whether it does, depends on what it read there before.
bool depends(const lang::Code& code, const Race::Side& write, const Race::Side& read) {
    if (write.place == read.place) return true;
    std::set<std::uint32_t> registers;  // that hold what depends on it
    std::size_t chosen = 0;             // where a block ends whose condition does
    for (std::size_t pc = 0; pc < code.instructions.size(); ++pc) {
        const lang::Instruction& each = code.instructions[pc];
        bool takes = each.place == read.place && each.op == lang::Op::load;
        lang::for_inputs(each, [&](auto reg) { takes = takes || registers.contains(reg); });
        if (each.place == write.place && each.op == lang::Op::store && (takes || pc < chosen))
            return true;
        if (takes && each.op == lang::Op::if_) chosen = std::max<std::size_t>(chosen, each.target);
        lang::for_outputs(each, [&](auto reg) {
            if (takes)
                registers.insert(reg);
            else
                registers.erase(reg);
        });
    }
    return false;
}

// One hazard of several races, which share their lines.
class HazardBuilder {
  public:
    HazardBuilder(const Run& run, const std::vector<const Race*>& races, Lines& lines,
                  const ShownRows* shown)
        : run_(run), races_(races), lines_(lines), shown_(shown) {
        update_ = is_update();
        race_ = *std::max_element(races.begin(), races.end(), [&](const Race* a, const Race* b) {
            return weight(*a) < weight(*b);
        });
        context_ = &run.machine().context(race_->launch);
        if (shown != nullptr && !update_) take_stale_example();
    }

    Hazard build() {
        const Race::Pair& pair = race_->example;
        const machine::ObjectInfo& object = context_->objects[pair.object];
        made_.note = note_of(races_);
        made_.severity = race_->by_atomics ? Hazard::Severity::note : Hazard::Severity::race;
        made_.across_groups = race_->across_groups;
        made_.update = update_;
        made_.copy = pair.first.copies || pair.second.copies;
        made_.launch = static_cast<int>(race_->launch) + 1;
        made_.object = object.name;
        made_.space = lang::name_of(object.space);
        made_.index = pair.cell;
        made_.cell = object.cell(pair.cell);
        made_.time = pair.time;
        count();
        made_.sides = {side(pair.first, pair), side(pair.second, pair)};
        if (polls()) made_.times_shown = 0;  // it is read again and again until it has changed
        made_.shown = made_.note.empty() && made_.times_shown > 0;
        if (made_.note.empty() && !made_.shown && context_->lanes > 1 &&
            all_of(races_, [](const Race* each) { return each->lockstep; })) {
            made_.lockstep_lanes = context_->lanes;
            made_.hidden = fmt::format("hidden here by lockstep ({} lanes)", context_->lanes);
        }
        made_.what = what();
        made_.why = why();
        made_.hint = hint();
        return made_;
    }

  private:
    // Whether work-items read a cell, write it back, and all on one line.
    bool is_update() const {
        const auto& places = run_.machine().context(races_[0]->launch).code->places;
        const Race::Pair& pair = races_[0]->example;
        if (places[pair.first.place].line != places[pair.second.place].line ||
            none_of(races_, [](const Race* each) { return both_write(*each) && each->one_turn; }))
            return false;
        return any_of(races_, [this](const Race* each) {
            const bool first_writes = each->example.first.writes;
            const Race::Side& writes = first_writes ? each->example.first : each->example.second;
            const Race::Side& reads = first_writes ? each->example.second : each->example.first;
            return !both_write(*each) && each->one_turn &&
                   depends(*run_.machine().context(each->launch).code, writes, reads);
        });
    }

    void take_stale_example() {
        for (const StaleRead& read : shown_->stale)
            for (const Race* race : races_)
                if (is_of(read, *race)) {
                    race_ = race;
                    context_ = &run_.machine().context(race->launch);
                    take_example(read);
                    return;
                }
    }

    bool is_of(const StaleRead& read, const Race& race) const {
        const Race::Pair& pair = race.example;
        if (both_write(race) || race.by_atomics || read.update || read.launch != race.launch ||
            read.object != pair.object)
            return false;
        const Race::Side& writes = pair.first.writes ? pair.first : pair.second;
        const Race::Side& reads = pair.first.writes ? pair.second : pair.first;
        return reads.place == read.place && writes.place == read.write_place &&
               pair.first.writes != read.too_new &&
               (read.group != read.writer / context_->local) == race.across_groups;
    }

    void take_example(const StaleRead& read) {
        shown_race_ = *race_;
        Race::Pair& pair = shown_race_->example;
        Race::Side& writes = pair.first.writes ? pair.first : pair.second;
        Race::Side& reads = pair.first.writes ? pair.second : pair.first;
        writes.item = read.writer;
        writes.pass = read.write_pass;
        writes.turn = read.write_turn;
        reads.item = read.item;
        reads.pass = read.pass;
        reads.turn = read.turn;
        pair.cell = read.cell;
        pair.type = read.type;
        pair.taken = read.took;
        pair.unwritten = read.unwritten;
        pair.before = read.too_new ? read.missed : read.took;
        pair.after = read.too_new ? read.took : read.missed;
        pair.time = read.time;
        pair.adjacent = true;
        race_ = &*shown_race_;
    }

    std::uint32_t line(const Race::Side& side) const {
        return run_.machine().context(races_[0]->launch).code->places[side.place].line;
    }
    // For the races that share lines, which one is told as the example.
    std::uint64_t weight(const Race& race) const {
        if (update_ && !both_write(race) && race.in_order > 0) return ~std::uint64_t{0};
        return (race.mattered > 0 ? std::uint64_t{1} << 62U : 0) + race.in_order + race.swapped;
    }

    std::string value(std::uint64_t bits) const {
        const machine::Scalar type = race_->example.type;
        const machine::Scalar element = context_->objects[race_->example.object].element;
        const bool other = lang::info(type).bytes != lang::info(element).bytes;
        return lang::text_of(bits, type) +
               (other ? fmt::format(" (as {})", lang::info(type).name) : std::string());
    }

    HazardSide side(const Race::Side& of, const Race::Pair& pair) {
        HazardSide hazard_side =
            side_at(*context_, context_->code->places[of.place], of.item, lines_);
        hazard_side.does = of.atomic && of.writes ? "updates atomically"
                           : of.atomic            ? "reads atomically"
                           : of.writes            ? "writes"
                                                  : "reads";
        hazard_side.pass = shown_ != nullptr ? shown_->numbers.of(race_->launch, of.pass)
                           : context_->code->has_barrier ? of.pass + 1
                                                         : std::max(1U, of.pass);
        hazard_side.turn = of.turn;
        const bool first = &of == &pair.first;
        hazard_side.value = both_write(*race_) ? value(first ? pair.before : pair.after)
                            : of.writes        ? value(pair.after)
                            : pair.unwritten   ? "?"  // as rows have it
                                               : value(pair.taken);
        return hazard_side;
    }

    void count() {
        std::map<std::string, std::uint64_t> seen;
        for (const Race* race : races_) {
            const bool apart = race->in_order + race->swapped == 0;
            const std::uint64_t in_order =
                apart && !race->example.swapped ? race->apart : race->in_order;
            const std::uint64_t swapped =
                apart && race->example.swapped ? race->apart : race->swapped;
            made_.count += in_order + swapped;
            if (both_write(*race)) {
                seen["WAW"] += in_order + swapped;
                made_.times_shown += update_ ? 0 : race->mattered;
                continue;
            }
            const bool write_first = race->example.first.writes;
            seen["RAW"] += write_first ? in_order : swapped;
            seen["WAR"] += write_first ? swapped : in_order;
            // Who read before the other wrote back will overwrite it.
            made_.times_shown += update_ ? (write_first ? 0 : race->in_order) : race->mattered;
        }
        const bool read_write = seen.contains("RAW");
        for (const auto& [kind, times] : seen)
            if (times > 0) made_.kinds.push_back(kind);
        stable_sort(made_.kinds, [&](const auto& a, const auto& b) { return seen[a] > seen[b]; });
        for (const char* kind : {"RAW", "WAR"})
            if (read_write && seen[kind] == 0) made_.could.emplace_back(kind);
    }

    const HazardSide& reader() const { return made_.sides[race_->example.first.writes ? 1 : 0]; }
    const HazardSide& writer() const { return made_.sides[race_->example.first.writes ? 0 : 1]; }
    const std::string& cell() const { return made_.cell; }

    // What happened in this run.
    std::string what() const {
        const Race::Pair& pair = race_->example;
        if (made_.note == kSameValue)
            return "Both write the same value, so their order makes no difference here; by the "
                   "letter "
                   "it is a race all the same";
        if (made_.note == kOrderedByAtomics) return handing_over().what;
        if (polls())
            return fmt::format(
                "Work-item {} reads {} in a loop by plain loads, which work-item {} updates "
                "atomically",
                item_name(reader()), cell(), item_name(writer()));
        if (!pair.adjacent)
            return fmt::format(
                "In this run {} was written again between the two; nothing makes it so", cell());
        const std::string often =
            made_.times_shown > 1 ? fmt::format(" ({} times in this run)", made_.times_shown) : "";
        if (update_ && made_.shown && !both_write(*race_))
            return fmt::format(
                "It happened: work-item {} read {} as {} before work-item {} wrote {}, and then "
                "wrote back a value that knows nothing of it{}",
                item_name(reader()), cell(), reader().value, item_name(writer()), writer().value,
                often);
        if (update_)
            return "In this run each work-item wrote back before the next one read; nothing makes "
                   "it so";
        if (both_write(*race_))
            return made_.shown && !pair.first.atomic && !pair.second.atomic &&
                           made_.sides[0].value != made_.sides[1].value
                       ? fmt::format(
                             "It happened: what work-item {} wrote came last, and "
                             "{} stays in {} where the program intends {}{}",
                             item_name(made_.sides[0]), made_.sides[0].value, cell(),
                             made_.sides[1].value, often)
                       : fmt::format("Of these two {} came last in {}; it may be the other as well",
                                     value(pair.swapped ? pair.before : pair.after), cell());
        if (made_.shown)
            return pair.first.writes
                       ? fmt::format(
                             "It happened: work-item {} read {} too early and took {}, a "
                             "stale value; {} came after it{}",
                             item_name(reader()), cell(), reader().value, writer().value, often)
                   : may_be_unwritten(context_->objects[pair.object], pair.before, pair.type)
                       ? fmt::format(
                             "It happened: work-item {} read {} too late and took {}, not what "
                             "was there before{}",
                             item_name(reader()), cell(), reader().value, often)
                       : fmt::format(
                             "It happened: work-item {} read {} too late and took {}, not "
                             "{}{}",
                             item_name(reader()), cell(), reader().value, value(pair.before),
                             often);
        const std::string where = made_.kinds.size() > 1 ? "Of these two" : "In this run";
        const std::string time = made_.kinds.size() == 1 && made_.count > 1 ? " each time" : "";
        return pair.first.writes
                   ? fmt::format(
                         "{} the write came first{}; the other way round work-item {} would "
                         "take a stale value",
                         where, time, item_name(reader()))
                   : fmt::format(
                         "{} the read came first{}; the other way round work-item {} would "
                         "take a value that is too new",
                         where, time, item_name(reader()));
    }

    // Plain reads, in a loop, of what an atomic updates.
    bool polls() const {
        const Race::Pair& pair = race_->example;
        const Race::Side& reads = pair.first.writes ? pair.second : pair.first;
        return one_atomic() && !both_write(*race_) && !reads.atomic && reads.turn > 0;
    }
    template <typename Holds>
    bool any_instruction(Holds holds) const {
        return any_of(context_->code->instructions, holds);
    }
    bool has_atomics() const {
        return any_instruction(
            [](const lang::Instruction& each) { return each.op == lang::Op::atomic; });
    }
    static bool is_fence(const lang::Instruction& each) {
        return each.op == lang::Op::fence && (each.extra & lang::kTogether) == 0;
    }
    bool has_fences() const { return any_instruction(is_fence); }
    // Atomics that release or acquire by themselves.
    bool has_orders() const {
        return any_instruction([](const lang::Instruction& each) {
            return each.op == lang::Op::atomic &&
                   (each.imm & (lang::kAcquires | lang::kReleases)) != 0;
        });
    }
    bool one_atomic() const { return race_->example.first.atomic != race_->example.second.atomic; }
    bool two_atomics() const { return race_->example.first.atomic && race_->example.second.atomic; }
    const lang::Instruction& instruction_of(const Race::Side& side) const {
        const lang::Op op = side.atomic   ? lang::Op::atomic
                            : side.writes ? lang::Op::store
                                          : lang::Op::load;
        const auto& code = context_->code->instructions;
        const auto found =
            std::find_if(code.begin(), code.end(), [&](const lang::Instruction& each) {
                return each.op == op && each.place == side.place;
            });
        return found != code.end() ? *found : code.front();  // a copy in the background
    }
    unsigned size_of(const Race::Side& side) const {
        return lang::info(instruction_of(side).type).bytes;
    }
    // Whether atomic functions take what both access.
    bool fits_atomics() const {
        return size_of(race_->example.first) >= 4 &&
               size_of(race_->example.first) == size_of(race_->example.second);
    }
    // Whether they are in two passes of a group, which also its collectives part.
    bool apart() const {
        return context_->code->has_barrier && !race_->across_groups &&
               race_->example.first.pass != race_->example.second.pass;
    }
    // Whether a barrier that does not name their memory may be what parts them.
    bool barrier_between() const {
        return apart() && any_instruction([&](const lang::Instruction& each) {
                   return each.op == lang::Op::barrier && (each.extra & own_memory()) == 0;
               });
    }
    std::uint16_t own_memory() const {
        return made_.space == "local" ? lang::kFenceLocal : lang::kFenceGlobal;
    }
    const char* own_flag() const {
        return made_.space == "local" ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
    }
    // Of what hands over in OpenCL, where each memory has an order of its own.
    bool fences_name_the_other() const {
        return !context_->code->is_cuda && has_atomics() && has_fences() &&
               !any_instruction([&](const lang::Instruction& each) {
                   return is_fence(each) && (each.extra & own_memory()) != 0;
               });
    }
    bool atomics_are_in_the_other() const {
        return !context_->code->is_cuda && !race_->across_groups && race_->atomics_in != 0 &&
               (race_->atomics_in & own_memory()) == 0 && (has_fences() || has_orders());
    }

    std::string why() const {
        if (two_atomics())
            return "Both are atomic, but not for each other: they must have one size and one "
                   "scope, with both work-items within it";
        if (!race_->by_atomics && !one_atomic() && fences_name_the_other())
            return fmt::format("The fences that hand over do not name {} memory", made_.space);
        if (!race_->by_atomics && !one_atomic() && atomics_are_in_the_other())
            return fmt::format(
                "The atomics that hand over are in {} memory: they order {} memory only by fences "
                "that name both, one on each side, or if both are memory_order_seq_cst",
                made_.space == "local" ? "global" : "local", made_.space);
        if (race_->narrow_scope && !race_->by_atomics)
            return race_->across_groups
                       ? "The fences or atomics that hand over have the scope of their group, as "
                         "mem_fence does by OpenCL 2.0 to 3.0, and order nothing between two "
                         "groups; by 1.2 nothing does. Compilers for AMD, Intel and NVIDIA GPUs "
                         "make no more of it"
                       : "The fences or atomics that hand over order only what has the same scope "
                         "on both sides, with both work-items within it";
        if (race_->across_groups && !one_atomic())
            return race_->by_atomics ? "They are of different groups: no barrier orders them"
                   : any_instruction(lang::is_of_grid)
                       ? "No barrier of the grid comes between the two"
                   : has_atomics()
                       ? "Two groups of one launch are ordered by atomics that release and acquire "
                         "for the whole device, by themselves or by fences around them, or not at "
                         "all; here a part of that is missing"
                   : has_fences() ? "Nothing here orders two groups of one launch: a barrier holds "
                                    "one group only, and a fence hands over by atomics alone, not "
                                    "by volatile accesses"
                                  : "Nothing here orders two groups of one launch: a barrier holds "
                                    "one group only";
        if (made_.note == kOrderedByAtomics) return "No barrier orders them";
        if (made_.copy)
            return "A copy in the background may be done at any time from its call until "
                   "wait_group_events, whatever barriers come between";
        if (one_atomic())
            return "An atomic is indivisible for other atomics only: a plain access of the same "
                   "cell needs an order of its own";
        if (barrier_between())
            return fmt::format("The barrier between them does not name {} memory", made_.space);
        if (apart())
            return "The work-group function between them waits for all, but orders no memory";
        if (any_instruction([](const lang::Instruction& each) {
                return each.op == lang::Op::fence && (each.extra & lang::kTogether) != 0;
            }))
            return "No barrier that both come to, and that names their memory, comes between the "
                   "two";
        std::string text = "No barrier comes between the two";
        if (race_->lockstep && context_->lanes > 1)
            text += fmt::format(
                "; only the lockstep of a warp's {} lanes orders them here, and OpenCL promises "
                "none",
                context_->lanes);
        return text;
    }

    // What hands over: fences, orders of the atomics themselves, barriers of a scope beyond their
    // group, or some of each.
    struct HandingOver {
        const char* what;
        const char* keep;
    };
    HandingOver handing_over() const {
        const bool fences = has_fences(), orders = has_orders();
        const bool barriers = any_instruction([](const lang::Instruction& each) {
            return each.op == lang::Op::barrier &&
                   lang::scope_of(each.extra) != lang::MemoryScope::group;
        });
        if (fences + orders + barriers > 1)
            return {
                "Atomics ordered the two in this run, with their own memory orders, with "
                "fences or with the scope of barriers",
                "Keep the fences, the scopes and the orders of the atomics: without one of "
                "them this may be a race"};
        if (orders)
            return {"An atomic that releases and one that acquires ordered the two in this run",
                    "Keep the orders of both atomics: were one of them relaxed, this would be a "
                    "race"};
        if (barriers)
            return {
                "Atomics with barriers of a wider scope on either side ordered the two in this "
                "run",
                "Keep the scope of both barriers: without it this is a race"};
        return {"Atomics with a fence on either side ordered the two in this run",
                "Keep both fences: without one of them this is a race"};
    }

    // The plain one of the two as an atomic, by a function that takes its type.
    std::string as_atomic() const {
        const Race::Pair& pair = race_->example;
        const lang::Instruction& atomic =
            instruction_of(pair.first.atomic ? pair.first : pair.second);
        const bool writes = (pair.first.atomic ? pair.second : pair.first).writes;
        const bool floating = lang::info(atomic.type).floating;
        const bool wide = lang::info(atomic.type).bytes == 8;
        if (context_->code->is_cuda) {
            if (atomic.type == lang::Scalar::long_ || (writes && floating && wide))
                return writes ? "store(value) of a cuda::atomic_ref"
                              : "load() of a cuda::atomic_ref";
            return writes     ? "atomicExch(p, value)"
                   : floating ? "atomicAdd(p, 0)"
                              : "atomicOr(p, 0)";
        }
        if ((atomic.imm & lang::kLegacyAtomic) == 0)
            return writes ? "atomic_store(p, value)" : "atomic_load(p)";
        if (writes) return wide ? "atom_xchg(p, value)" : "atomic_xchg(p, value)";
        if (floating)
            return fmt::format("as_float(atomic_or((volatile {} int*)p, 0))", made_.space);
        return wide ? "atom_or(p, 0)" : "atomic_or(p, 0)";
    }

    std::string hint() {
        const std::string barrier =
            context_->code->is_cuda ? "__syncthreads()" : fmt::format("barrier({})", own_flag());
        if (made_.note == kSameValue)
            return race_->across_groups && fits_atomics()
                       ? "Let one work-item write it, or make both atomic"
                       : "Let one work-item write it";
        if (made_.note == kOrderedByAtomics) return handing_over().keep;
        if (two_atomics() && size_of(race_->example.first) != size_of(race_->example.second))
            return "Give both one size";
        if (two_atomics())
            return race_->across_groups ? "Give both memory_scope_device"
                                        : "Give both memory_scope_work_group";
        if (race_->narrow_scope)
            return race_->across_groups
                       ? "Hand over by atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, "
                         "memory_order_acq_rel, memory_scope_device) on both sides"
                       : "Use memory_scope_work_group on both sides";
        if (one_atomic()) {
            if (!race_->across_groups) made_.barrier = barrier;
            return "Make both atomic, the plain one by " + as_atomic();
        }
        if (fences_name_the_other())
            return fmt::format("Add {} to the flags of the fences", own_flag());
        if (atomics_are_in_the_other())
            return "Put atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, "
                   "memory_order_acq_rel, memory_scope_work_group) before the atomic that hands "
                   "over, and behind the one that takes over";
        if (race_->across_groups && !update_ && any_instruction(lang::is_of_grid))
            return "Let all groups come to this_grid().sync() between the two: a statement, "
                   "condition or loop that holds both may have to be split";
        if (update_ && !fits_atomics())
            return "Let one work-item do it, or take a type for the cell that atomic functions "
                   "take, such as int";
        if (race_->across_groups)
            return update_ ? "Use an atomic function, or let each group write a cell of its own "
                             "and a second launch join them"
                           : "Let a second launch do what comes after (as relaunch does), or hand "
                             "over by atomics with fences for the device (as single-pass does)";
        if (barrier_between()) return fmt::format("Add {} to its flags", own_flag());
        if (update_) return "Use an atomic function, or let one work-item do it";
        if (made_.copy && race_->example.first.copies)
            return fmt::format(
                "Let all work-items of the group wait for the copy of line {} by "
                "wait_group_events before one touches what it copies",
                made_.sides[0].line);
        const HazardSide& first = made_.sides[0];
        const HazardSide& second = made_.sides[1];
        if (!made_.copy && first.line == second.line && first.turn == second.turn &&
            both_write(*race_))
            return "Let one work-item write it";
        made_.barrier = barrier;
        if (made_.copy)
            return fmt::format(
                "Let all work-items of the group come to {} before one begins the copy of line {}",
                barrier, second.line);
        return fmt::format(
            "Let all work-items of the group come to {} between the two: a statement, condition "
            "or loop that holds both may have to be split",
            barrier);
    }

    const Run& run_;
    const std::vector<const Race*>& races_;
    Lines& lines_;
    const ShownRows* shown_;
    const Race* race_ = nullptr;      // the one whose example is told
    std::optional<Race> shown_race_;  // the same with a stale read of this run as its example
    const Context* context_ = nullptr;
    bool update_ = false;
    Hazard made_;
};

void sort_by_rank(std::vector<Hazard>& hazards) {
    stable_sort(hazards, [](const Hazard& a, const Hazard& b) { return rank(a) < rank(b); });
}

Hazard hazard_of(const Run& run, const machine::Finding& finding, Lines& lines) {
    const Context& context = run.machine().context(finding.launch);
    Hazard hazard;
    hazard.severity = Hazard::Severity::uninitialised;
    hazard.kinds = {"uninitialised"};
    hazard.launch = static_cast<int>(finding.launch) + 1;
    hazard.count = hazard.times_shown = finding.count;
    hazard.shown = true;
    hazard.what = finding.what;
    hazard.why = finding.why;
    hazard.hint = finding.hint;
    HazardSide side = side_at(context, finding.place, finding.item, lines);
    side.does = "reads";
    hazard.sides.push_back(std::move(side));
    return hazard;
}

}  // namespace

std::string item_name(const HazardSide& side) {
    return side.global_id.empty() ? std::to_string(side.item) : id_text(side.global_id);
}

std::string group_name(const HazardSide& side) {
    return side.group_id.empty() ? std::to_string(side.group) : id_text(side.group_id);
}

ShownRows::ShownRows(const Run& run) : numbers(run) {
    if (run.trace().events() <= kMostEventsForStale) stale = stale_reads(run);
}

std::vector<Hazard> hazards_of(const Run& run, const RaceDetector& detector,
                               const ShownRows* shown) {
    // By lines, whichever comes first; in the order of discovery.
    using Key = std::tuple<std::uint16_t, std::uint32_t, std::uint32_t, bool, bool>;
    std::map<Key, std::size_t> places;
    std::vector<std::vector<const Race*>> merged;
    for (const Race& race : detector.races()) {
        const auto& all = run.machine().context(race.launch).code->places;
        const lang::Place& a = all[race.example.first.place];
        const lang::Place& b = all[race.example.second.place];
        const Key key{a.file, std::min(a.line, b.line), std::max(a.line, b.line),
                      race.across_groups, race.by_atomics};
        const auto [at, news] = places.try_emplace(key, merged.size());
        if (news) merged.emplace_back();
        merged[at->second].push_back(&race);
    }
    std::vector<Hazard> hazards;
    Lines lines;
    for (const auto& races : merged)
        hazards.push_back(HazardBuilder(run, races, lines, shown).build());
    for (const machine::Finding& finding : run.findings())
        hazards.push_back(hazard_of(run, finding, lines));
    sort_by_rank(hazards);
    return hazards;
}

int rank(const Hazard& hazard) {
    if (hazard.severity == Hazard::Severity::note) return 3;
    return hazard.shown ? 0 : hazard.note.empty() ? 1 : 2;
}

RaceCaveats caveats_of(const machine::Job& job, const RaceDetector& detector) {
    return {for_these_numbers(job), detector.legacy_between_groups(),
            detector.ended_before_barrier()};
}

std::uint64_t count_of(const std::vector<Hazard>& hazards, Hazard::Severity severity) {
    return count_if(hazards, [severity](const Hazard& each) { return each.severity == severity; });
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HazardSide, does, file, line, column, length, text, item, group,
                                   global_id, group_id, pass, turn, value)
NLOHMANN_JSON_SERIALIZE_ENUM(Hazard::Severity, {{Hazard::Severity::note, "note"},
                                                {Hazard::Severity::uninitialised, "uninitialised"},
                                                {Hazard::Severity::race, "race"}})
LAB_JSON_FIELDS(Hazard, severity, kinds, could, across_groups, update, copy, note, launch, object,
                space, index, cell, sides, count, shown, times_shown, time, what, why, hint,
                lockstep_lanes, hidden, schedule, schedules, here, independent_only)

namespace {

using machine::SchedulingPolicy;

constexpr std::uint64_t kRandomSchedules = 4;
constexpr std::uint64_t kQuickSteps = 2'000'000;  // a tenth of a second or so
constexpr std::size_t kMostHazards = 1000;        // races of a run; that there are more is said

using LinePair = std::tuple<std::string, std::uint32_t, std::uint32_t, bool>;

LinePair lines_of(const Hazard& hazard) {
    const std::uint32_t a = hazard.sides.front().line;
    const std::uint32_t b = hazard.sides.size() > 1 ? hazard.sides.back().line : 0;
    return {hazard.sides.front().file, std::min(a, b), std::max(a, b), hazard.across_groups};
}

bool is_fault(const Hazard& hazard) {
    return hazard.severity != Hazard::Severity::note;
}
machine::Recording watched(RaceDetector& detector, const std::atomic<bool>* cancel) {
    machine::Recording recording;
    recording.trace = recording.lineage = false;
    recording.observers.push_back(&detector);
    recording.cancel = cancel;
    return recording;
}

// Tells a run's races as a window does, which knows the reads that made a difference from a trace:
// it is run once more with one, unless nobody could be shown a run of so many accesses.
std::vector<Hazard> hazards_as_shown(const machine::Job& job, const SchedulingPolicy& order,
                                     const Run& run, const RaceDetector& detector,
                                     const std::atomic<bool>* cancel) {
    if (detector.races().empty()) return hazards_of(run, detector);
    machine::Recording recording;
    recording.lineage = false;
    recording.most_events = kMostEvents;
    recording.cancel = cancel;
    const Run again(job, order, recording);
    const bool whole = !again.cancelled() &&
                       (!again.fault() || again.fault()->kind != machine::Fault::Kind::recording);
    const std::optional<ShownRows> shown = whole ? std::optional<ShownRows>(again) : std::nullopt;
    return hazards_of(run, detector, shown ? &*shown : nullptr);
}

std::string lanes_text(std::uint32_t lanes) {
    return lanes == 1 ? std::string("independent items (1 lane)") : fmt::format("{} lanes", lanes);
}

// What lockstep hides is looked for with fewer lanes, the most first.
class Unhiding {
  public:
    Unhiding(const machine::Job& job, std::vector<SchedulingPolicy> orders,
             const HazardSearchOptions& options, std::uint64_t steps)
        : job_(job), orders_(std::move(orders)), options_(options), steps_(steps) {}

    void run(std::vector<Hazard>& hazards) {
        for (Hazard& each : hazards)
            if (each.lockstep_lanes > 0) hidden_[lines_of(each)] = &each;
        if (hidden_.empty()) return;
        if (has_sub_groups(job_)) {
            for (auto& [lines, hazard] : hidden_)
                hazard->hidden += "; OpenCL promises no lockstep";
            return;
        }
        std::uint64_t widest = 1;
        for (const machine::Launch& each : job_.launches)
            widest = std::max(widest, each.range.group_items());
        auto lanes = static_cast<std::uint32_t>(std::min<std::uint64_t>(job_.config.lanes, widest));
        while (lanes > 1 && !hidden_.empty() && !cancelled()) {
            lanes = std::bit_floor(lanes - 1);
            try_with(lanes);
        }
        for (auto& [lines, hazard] : hidden_)
            hazard->hidden +=
                ": no schedule that was tried with fewer lanes shows it, but no order is "
                "promised";
    }

  private:
    bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

    void try_with(std::uint32_t lanes) {
        machine::Job job = job_;
        job.config.lanes = lanes;
        for (const SchedulingPolicy& order : orders_) {
            // Turns are of warps as wide as they were.
            if (order.kind == SchedulingPolicy::Kind::list || hidden_.empty() || cancelled())
                continue;
            if (steps_ > options_.most_steps) return;
            RaceDetector detector;
            const Run run(job, order, watched(detector, options_.cancel));
            steps_ += run.end().steps + kPerCompared * detector.compared();
            for (const Hazard& each : hazards_of(run, detector)) {
                const auto found = hidden_.find(lines_of(each));
                if (found == hidden_.end() || !each.shown) continue;
                found->second->hidden += fmt::format(": with {} it shows (--order {})",
                                                     lanes_text(lanes), text_of(order));
                hidden_.erase(found);
            }
        }
    }

    const machine::Job& job_;
    const std::vector<SchedulingPolicy> orders_;
    const HazardSearchOptions& options_;
    std::uint64_t steps_;
    std::map<LinePair, Hazard*> hidden_;
};

}  // namespace

std::vector<Hazard> merged(const std::vector<ScheduleHazards>& found, ExampleFrom from) {
    std::map<LinePair, std::size_t> places;
    std::vector<Hazard> hazards;
    for (std::size_t i = 0; i < found.size(); ++i) {
        std::map<LinePair, bool> counted;  // of this schedule
        for (Hazard each : found[i].hazards) {
            each.schedule = found[i].schedule;
            each.schedules = 1;
            each.here = i == 0;
            const auto [at, news] = places.try_emplace(lines_of(each), hazards.size());
            const bool again = !counted.try_emplace(at->first, true).second;
            if (news) {
                hazards.push_back(std::move(each));
                continue;
            }
            Hazard& known = hazards[at->second];
            // A race counts where it is one; a note on the same lines is none.
            const bool alike = is_fault(known) == is_fault(each);
            const std::uint64_t schedules = alike             ? known.schedules + (again ? 0 : 1)
                                            : is_fault(known) ? known.schedules
                                                              : 1;
            const bool here = alike             ? known.here || each.here
                              : is_fault(known) ? known.here
                                                : each.here;
            const bool hides = is_fault(known) && is_fault(each) && known.lockstep_lanes > 0 &&
                               each.lockstep_lanes > 0;
            // Where they differ in one schedule, the order of two stores does make a difference.
            const bool differs = known.note == kSameValue && is_fault(each) && each.note.empty();
            const bool stays =
                from == ExampleFrom::first_schedule && known.here && is_fault(known) && !differs;
            if (known.note == kSameValue && each.note == kSameValue && known.index == each.index &&
                known.object == each.object &&
                known.sides.front().value != each.sides.front().value) {
                known.note.clear();
                known.what =
                    "Both write the same value in this run; in another schedule it is another one";
            }
            if (rank(each) < rank(known) && !stays) known = std::move(each);
            known.schedules = schedules;
            known.here = here;
            if (!hides && !stays && known.lockstep_lanes > 0 && alike) {
                known.lockstep_lanes = 0;
                known.hidden.clear();
            }
        }
    }
    sort_by_rank(hazards);
    return hazards;
}

std::vector<SchedulingPolicy> orders_to_try(const SchedulingPolicy& first) {
    std::vector<SchedulingPolicy> orders{first};
    using Kind = SchedulingPolicy::Kind;
    const auto add = [&](Kind kind, std::uint64_t seed) {
        if (first.kind == kind && first.groups.empty() &&
            (kind != Kind::random || first.seed == seed))
            return;
        orders.emplace_back().kind = kind;
        orders.back().seed = seed;
    };
    for (const Kind kind : {Kind::in_order, Kind::reversed, Kind::round_robin})
        add(kind, 0);
    for (std::uint64_t seed = 1; seed <= kRandomSchedules; ++seed)
        add(Kind::random, seed);
    return orders;
}

std::string TriedSchedule::text() const {
    return text_of(order) + (independent ? " --lanes 1" : "");
}

std::vector<TriedSchedule> schedules_to_try(const machine::Job& job,
                                            const SchedulingPolicy& first) {
    std::vector<TriedSchedule> trials;
    for (SchedulingPolicy& each : orders_to_try(first))
        trials.push_back({std::move(each), false});
    if (job.config.lanes == 1 || has_sub_groups(job)) return trials;
    for (std::size_t i = 0, count = trials.size(); i < count; ++i)
        // A list's turns are of warps as wide as they were.
        if (trials[i].order.kind != SchedulingPolicy::Kind::list)
            trials.push_back({trials[i].order, true});
    return trials;
}

bool holds_for_all_schedules(const Run& run, const RaceDetector& detector) {
    if (run.fault() || run.cancelled() || detector.forgot() || detector.handed_over()) return false;
    const machine::Job& job = run.machine().job();
    if (accesses_depend_on_data(job)) return false;
    // Who is there may be others elsewhere, and so may be whom a barrier with that mask orders.
    if (any_code(job, lang::asks_who_is_there)) return false;
    for (const machine::Launch& launch : job.launches)
        for (const lang::Instruction& each : launch.code->instructions)
            // Whether it writes depends on what it finds.
            if (each.op == lang::Op::atomic &&
                static_cast<lang::Builtin>(each.extra) == lang::Builtin::atomic_cmpxchg)
                return false;
    return true;
}

bool for_these_numbers(const machine::Job& job) {
    return any_code(job, lang::accesses_depend_on_numbers);
}

RacesInOtherSchedules::RacesInOtherSchedules(const machine::Job& job, const SchedulingPolicy& shown)
    : job_(job) {
    for (TriedSchedule& each : schedules_to_try(job, shown))
        if (each.independent || text_of(each.order) != text_of(shown))
            left_.push_back(std::move(each));
    std::reverse(left_.begin(), left_.end());
}

void RacesInOtherSchedules::begin_next() {
    schedule_ = left_.back().text();
    machine::Job job = job_;
    if (left_.back().independent) job.config.lanes = 1;
    detector_ = std::make_unique<RaceDetector>();
    run_ = Run::begun(std::move(job), std::move(left_.back().order), watched(*detector_, nullptr));
    left_.pop_back();
}

bool RacesInOtherSchedules::go_on(std::uint64_t actions) {
    if (!run_ && left_.empty()) return false;
    if (!run_) begin_next();
    if (run_->go_on(actions)) return true;
    found_.push_back({schedule_, hazards_of(*run_, *detector_)});
    steps_ += run_->end().steps + kPerCompared * detector_->compared();
    if (steps_ > kQuickSteps) left_.clear();
    run_.reset();
    return !left_.empty();
}

std::vector<ScheduleHazards> hazards_elsewhere(const machine::Job& job,
                                               const SchedulingPolicy& shown) {
    RacesInOtherSchedules search(job, shown);
    while (search.go_on(UINT64_MAX)) {
    }
    return search.found();
}

std::vector<ScheduleHazards> races_of_results(const machine::Job& job,
                                              const std::vector<PossibleResult>& results,
                                              const std::atomic<bool>* cancel,
                                              std::uint64_t most_steps) {
    constexpr std::size_t kMostTried = 64;  // results whose schedules are tried; others are not
    std::vector<ScheduleHazards> found;
    most_steps = std::min(most_steps, kQuickSteps);
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < std::min(results.size(), kMostTried) && steps < most_steps; ++i) {
        SchedulingPolicy order;
        order.kind = SchedulingPolicy::Kind::list;
        order.turns = results[i].turns;
        order.name = std::string(machine::kTurnsPrefix) + in_a_line(order.turns);
        RaceDetector detector;
        const Run run(job, order, watched(detector, cancel));
        steps += run.end().steps + kPerCompared * detector.compared();
        std::vector<Hazard> hazards = hazards_of(run, detector);
        if (races_in(hazards) > 0) found.push_back({order.name, std::move(hazards)});
    }
    return found;
}

HazardSearch search_hazards(const machine::Job& job, const SchedulingPolicy& order,
                            const HazardSearchOptions& options) {
    HazardSearch search;
    std::vector<TriedSchedule> trials = schedules_to_try(job, order);
    if (!options.others) trials.resize(1);
    search.for_these_numbers = for_these_numbers(job);
    std::vector<ScheduleHazards> found;
    std::set<LinePair> in_lockstep;
    std::uint64_t steps = 0, longest = 0, after_fault = 0;
    for (const TriedSchedule& each : trials) {
        const bool shares = !found.empty() && (options.first_race || search.fault);
        if (shares ? steps >= options.most_steps
                   : !found.empty() && steps + longest > options.most_steps)
            break;
        // Whoever touches the same cells under every schedule does so without lockstep, too.
        if (each.independent && search.all_schedules) break;
        RaceDetector detector;
        machine::Job trial = job;
        if (each.independent) trial.config.lanes = 1;
        if (shares) {
            const std::uint64_t share =
                search.fault ? after_fault
                             : (options.most_steps - steps) / (trials.size() - found.size());
            trial.budget = std::min(job.budget != 0 ? job.budget : default_budget(job), share + 1);
        }
        const Run run(std::move(trial), each.order, watched(detector, options.cancel));
        const std::uint64_t took = run.end().steps + kPerCompared * detector.compared();
        steps += took;
        longest = std::max(longest, took);
        const bool first = found.empty();
        search.cancelled = run.cancelled();
        if (search.cancelled && !first) break;
        if (run.fault() && first) {
            search.fault = run.problem(*run.fault());
            after_fault = std::max(kQuickSteps, run.end().steps) / trials.size();
        }
        if (run.fault() && !first) {
            using Kind = machine::Fault::Kind;
            const Kind kind = run.fault()->kind;
            search.faults_elsewhere |=
                kind != Kind::budget && kind != Kind::deadlock && kind != Kind::recording;
            if (++search.unfinished == 1)
                search.unfinished_why = fmt::format("--order {}: {}", each.text(),
                                                    run.problem(*run.fault()).what_happened);
        }
        if (first) search.all_schedules = holds_for_all_schedules(run, detector);
        search.left_out |= detector.left_out();
        search.forgot |= detector.forgot();
        search.legacy_between_groups |= detector.legacy_between_groups();
        search.ended_before_barrier |= detector.ended_before_barrier();
        found.push_back(
            {each.text(), first && !options.first_race
                              ? hazards_as_shown(job, each.order, run, detector, options.cancel)
                              : hazards_of(run, detector)});
        if (!each.independent)
            for (const Hazard& hazard : found.back().hazards)
                if (is_fault(hazard)) in_lockstep.insert(lines_of(hazard));
        search.independent += each.independent ? 1 : 0;
        search.schedules.push_back(found.back().schedule);
        if (search.cancelled || (search.fault && options.first_race)) break;
        const bool racy = any_of(found.back().hazards, is_fault);
        if (racy ? options.first_race : search.all_schedules) break;
    }
    const auto has_race = [](const ScheduleHazards& each) { return races_in(each.hazards) > 0; };
    if (options.others && !options.first_race && !search.all_schedules && !search.fault &&
        !search.cancelled && none_of(found, has_race)) {
        machine::Job searched = job;
        const bool independent = job.config.lanes != 1 && !has_sub_groups(job);
        if (independent) searched.config.lanes = 1;
        OutcomesOptions quick;
        quick.most_effort = kSecondOfEffort / 4;
        quick.samples = 0;
        quick.shortest = false;
        quick.cancel = options.cancel;
        const Outcomes all = outcomes_of(searched, ending_of(searched), quick);
        for (ScheduleHazards& each : races_of_results(searched, all.results, options.cancel)) {
            search.independent += independent ? 1 : 0;
            each.schedule += independent ? " --lanes 1" : "";
            search.schedules.push_back(each.schedule);
            found.push_back(std::move(each));
        }
    }
    // What lockstep hides keeps its words, though independent items show it.
    std::vector<Hazard> hidden =
        merged({found.begin(), found.end() - static_cast<std::ptrdiff_t>(search.independent)});
    std::erase_if(hidden, [](const Hazard& each) { return each.lockstep_lanes == 0; });
    if (options.others && !options.first_race && !search.fault && !search.cancelled)
        Unhiding(job, orders_to_try(order), options, steps).run(hidden);
    search.hazards = merged(found);
    for (Hazard& each : search.hazards) {
        const LinePair lines = lines_of(each);
        each.independent_only =
            search.independent > 0 && is_fault(each) && !in_lockstep.contains(lines);
        const auto kept = std::find_if(hidden.begin(), hidden.end(),
                                       [&](const Hazard& one) { return lines_of(one) == lines; });
        if (kept == hidden.end()) continue;
        kept->schedules = each.schedules;
        each = std::move(*kept);
        hidden.erase(kept);
    }
    sort_by_rank(search.hazards);
    if (search.hazards.size() > kMostHazards) {
        search.hazards.resize(kMostHazards);
        search.left_out = true;
    }
    return search;
}

}  // namespace lab::analysis
