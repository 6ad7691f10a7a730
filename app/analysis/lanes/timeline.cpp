#include "analysis/lanes/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "analysis/lanes/state_view.h"
#include "analysis/rows/pass_numbers.h"
#include "analysis/rows/stale_reads.h"
#include "analysis/rows/trace_rows.h"
#include "lang/code/value.h"

namespace lab::analysis {
namespace {

using machine::Action;
using machine::ActionKind;

class TimelineMaker {
  public:
    explicit TimelineMaker(const machine::Run& run) : run_(run), numbers_(run) {}

    Timeline make() {
        const machine::Trace& trace = run_.trace();
        made_.actions.reserve(trace.size());
        made_.space = run_.machine().space();
        for (std::uint64_t time = 0; time < trace.size(); ++time)
            add(time);
        made_.stale_known = trace.events() <= kMostEventsForStale;
        if (made_.stale_known) add_stale();
        return std::move(made_);
    }

  private:
    void add(std::uint64_t time) {
        const Action& action = run_.trace().action(time);
        const machine::Context& context = run_.machine().context(action.launch);
        if (time == 0 || run_.trace().action(time - 1).launch != action.launch) {
            made_.launches.push_back(
                {time, run_.machine().job().launches[action.launch].variables});
            made_.groups = std::max(made_.groups, context.groups);
            made_.warps = std::max(made_.warps, context.warps);
        }
        TimelineAction& timeline_action = made_.actions.emplace_back();
        timeline_action.launch = action.launch;
        timeline_action.group = action.group;
        timeline_action.warp = action.warp;
        timeline_action.pass = numbers_.of(action.launch, action.pass);
        timeline_action.line = context.code->places[action.place].line;
        timeline_action.lanes = static_cast<std::uint32_t>(std::popcount(action.mask));
        timeline_action.kind = action.kind;
        const auto accesses = run_.trace().accesses(action);
        if (accesses.empty()) return;
        const machine::ObjectInfo& object = context.objects[action.object];
        timeline_action.local = object.space == machine::Space::local;
        timeline_action.name = name_of_array(object.name);
        std::vector<std::uint64_t> indices;
        for (const machine::Access& access : accesses)
            indices.push_back(access.index);
        timeline_action.cells = cells_text(std::move(indices));
        if (accesses.size() > kMostValues) return;
        std::vector<std::string> values;
        for (const machine::Access& access : accesses)
            values.push_back(access.node == machine::kUnwritten
                                 ? "?"
                                 : lang::text_of(access.after, action.type));
        timeline_action.values = values_text(values);
    }

    std::uint32_t name_of_array(const std::string& name) {
        const auto [at, news] =
            names_.emplace(name, static_cast<std::uint32_t>(made_.arrays.size()));
        if (news) made_.arrays.push_back(name);
        return at->second;
    }

    void add_stale() {
        const std::vector<StaleRead> reads = stale_reads(run_, &made_.stale_known);
        made_.stale_reads = reads.size();
        for (const StaleRead& read : reads) {
            made_.actions[read.time].stale = true;
            if (made_.stale.size() == kMostArcs) continue;
            const machine::Context& context = run_.machine().context(read.launch);
            StaleArc& arc = made_.stale.emplace_back();
            arc.read = read.time;
            arc.write = write_of(read);
            arc.cell = fmt::format("{}[{}]", context.objects[read.object].name, read.cell);
            arc.took = lang::text_of(read.took, read.type);
            arc.missed = lang::text_of(read.missed, read.type);
            arc.item = read.item;
            arc.writer = read.writer;
            arc.group = read.group;
            arc.line = context.code->places[read.place].line;
            arc.too_new = read.too_new;
        }
    }

    // The action by which the writer wrote what the read missed, or saw too early.
    std::optional<std::uint64_t> write_of(const StaleRead& read) const {
        const machine::Trace& trace = run_.trace();
        const machine::Context& context = run_.machine().context(read.launch);
        const std::uint64_t group = read.writer / context.local;
        const std::uint64_t in_group = read.writer % context.local;
        const std::uint64_t warp = in_group / context.lanes, lane = in_group % context.lanes;
        std::optional<std::uint64_t> found;
        for (std::uint64_t time = made_.launches[launch_at(read.launch)].first;
             time < trace.size() && trace.action(time).launch == read.launch; ++time) {
            const Action& action = trace.action(time);
            const bool same = action.kind != ActionKind::load && action.group == group &&
                              action.warp == warp && action.place == read.write_place &&
                              action.pass == read.write_pass && (action.mask >> lane & 1U) != 0;
            if (!same || !touches(action, read)) continue;
            if (!found || !read.too_new || time < read.time) found = time;
            if (!read.too_new && time > read.time) break;
        }
        return found;
    }

    std::size_t launch_at(std::uint32_t launch) const {
        std::size_t index = 0;
        while (made_.actions[made_.launches[index].first].launch != launch)
            ++index;
        return index;
    }

    bool touches(const Action& action, const StaleRead& read) const {
        const auto accesses = run_.trace().accesses(action);
        return std::any_of(accesses.begin(), accesses.end(), [&](const machine::Access& access) {
            return access.index == read.cell;
        });
    }

    const machine::Run& run_;
    PassNumbers numbers_;
    Timeline made_;
    std::map<std::string, std::uint32_t> names_;
};

}  // namespace

Timeline timeline_of(const machine::Run& run) {
    return TimelineMaker(run).make();
}

}  // namespace lab::analysis
