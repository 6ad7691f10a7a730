#include "figures/toggle_figure.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "figures/chart.h"
#include "figures/pass_text.h"
#include "figures/scene.h"

namespace lab::figures {
namespace {

using fmt::arg;
using machine::ActionKind;

constexpr float kToggleLane = 30, kToggleGap = 8;
constexpr std::uint32_t kMostGroups = 4;
constexpr std::size_t kMostToggleArcs = 4;

// For one group, in one pass of one launch: from its first action to its last.
struct PassSpan {
    std::uint64_t first = 0, end = 0;
    bool stale = false, barrier = false;
};

class ToggleFigure {
  public:
    ToggleFigure(const FigureOptions& options, const Fonts& fonts, const Translations& tr)
        : tr_(tr), page_(options, fonts, tr) {}

    Scene make(const std::vector<ToggledRun>& runs) {
        float y = s(4);
        for (const ToggledRun& run : runs)
            y = add_run(run, y) + s(18);
        page_.paragraph(tr_("toggle.sentence"), kSmallText, y - s(6));
        return page_.finish(tr_("toggle.title"), tr_("toggle.sentence"));
    }

  private:
    float s(float points) const { return page_.s(points); }

    float add_run(const ToggledRun& run, float y) {
        const Role role = run.right ? Role::wrote : Role::race;
        page_.fitted({page_.left(), y + s(8)}, run.title, kTitleText, page_.room());
        y += s(26);
        const float names = s(66);
        left_ = page_.left() + names;
        per_action_ = (page_.right() - left_) /
                      std::max<float>(1, static_cast<float>(run.timeline->actions.size()));
        const std::map<Key, PassSpan> spans = spans_of(*run.timeline);
        const std::uint32_t groups = std::min(run.timeline->groups, kMostGroups);
        add_launches(*run.timeline, y, groups);
        for (std::uint32_t group = 0; group < groups; ++group)
            page_.fitted({left_ - s(8), y + lane(group) + s(kToggleLane) / 2},
                         tr_("figure.group", arg("n", group)), kSmallText.at(Anchor::end),
                         names - s(8));
        for (const auto& [key, span] : spans)
            if (key.group < groups) add_span(key, span, y + lane(key.group));
        add_arcs(*run.timeline, spans, y, groups);
        y += lane(groups);
        if (run.timeline->groups > groups)
            y = page_.paragraph(
                tr_("toggle.more_groups", arg("count", run.timeline->groups - groups)), kSmallText,
                y);
        if (run.result.empty()) return y;
        add_badge(page_.scene, {page_.left() + s(8), y + s(10)}, s(7), run.right);
        page_.text({page_.left() + s(22), y + s(10)},
                   !run.right ? tr_("figure.wrong", arg("result", run.result),
                                    arg("expected", run.expected))
                   : run.luck ? tr_("toggle.luck", arg("result", run.result))
                              : right_text(run.result, run.exactness, false, tr_),
                   kTitleText.in(role));
        return y + s(22);
    }

    struct Key {
        std::uint32_t launch = 0, group = 0, pass = 0;
        auto operator<=>(const Key&) const = default;
    };
    float lane(std::uint32_t group) const {
        return static_cast<float>(group) * s(kToggleLane + kToggleGap);
    }
    float x_of(std::uint64_t time) const { return left_ + static_cast<float>(time) * per_action_; }

    static std::map<Key, PassSpan> spans_of(const analysis::Timeline& timeline) {
        std::map<Key, PassSpan> result;
        for (std::uint64_t time = 0; time < timeline.actions.size(); ++time) {
            const analysis::TimelineAction& action = timeline.actions[time];
            if (action.kind == ActionKind::barrier) {
                const auto position = result.find({action.launch, action.group, action.pass});
                if (position != result.end()) position->second.barrier = true;
                continue;
            }
            PassSpan& span =
                result.try_emplace({action.launch, action.group, action.pass}, PassSpan{time, 0})
                    .first->second;
            span.end = time + 1;
            span.stale = span.stale || action.stale;
        }
        return result;
    }

    void add_span(const Key& key, const PassSpan& span, float y) {
        const float x = x_of(span.first) + 1, width = std::max(x_of(span.end) - x - 2, s(5));
        Rect rect = box(x, y, width, s(kToggleLane), span.stale ? Role::race_fill : Role::act_fill);
        rect.radius = s(4);
        rect.stroke = {span.stale ? Role::race : Role::act, span.stale ? 2.0F : 1.0F, Dash::solid};
        const std::string name =
            tr_("toggle.pass", arg("pass", key.pass), arg("launch", key.launch + 1));
        page_.scene.add(rect, name);
        const std::string shown =
            launches_ > 1 ? fmt::format("{}", key.launch + 1) : fmt::format("{}", key.pass);
        page_.fitted({x + width / 2, y + s(kToggleLane) / 2}, shown,
                     kCaptionText.in(Role::text).at(Anchor::middle), width);
        if (span.barrier)
            page_.scene.add(
                line({x + width + s(2), y - s(2)}, {x + width + s(2), y + s(kToggleLane + 2)},
                     {Role::barrier, 3, Dash::solid}),
                tr_("toggle.barrier"));
    }

    void add_launches(const analysis::Timeline& timeline, float y, std::uint32_t groups) {
        launches_ = timeline.launches.size();
        for (std::size_t i = 1; i < timeline.launches.size(); ++i) {
            const float x = x_of(timeline.launches[i].first);
            page_.scene.add(line({x, y - s(5)}, {x, y + lane(groups) - s(kToggleGap) + s(5)},
                                 {Role::barrier, 4, Dash::solid}),
                            tr_("toggle.launch"));
        }
    }

    void add_arcs(const analysis::Timeline& timeline, const std::map<Key, PassSpan>&, float y,
                  std::uint32_t groups) {
        std::size_t count = 0;
        for (const analysis::StaleArc& arc : timeline.stale) {
            if (!arc.write || ++count > kMostToggleArcs) continue;
            const std::uint32_t from = timeline.actions[*arc.write].group;
            const std::uint32_t to = timeline.actions[arc.read].group;
            if (from >= groups || to >= groups) continue;
            Path path =
                line({x_of(*arc.write) + per_action_ / 2, y + lane(from) + s(kToggleLane) / 2},
                     {x_of(arc.read) + per_action_ / 2, y + lane(to) + s(kToggleLane) / 2},
                     {Role::race, 2.5F, Dash::dotted});
            page_.scene.add(path, tr_("toggle.stale", arg("cell", arc.cell), arg("took", arc.took),
                                      arg("missed", arc.missed)));
        }
    }

    const Translations& tr_;
    Page page_;
    float left_ = 0, per_action_ = 1;
    std::size_t launches_ = 1;
};

}  // namespace

Scene toggle_figure(const std::vector<ToggledRun>& runs, const FigureOptions& options,
                    const Fonts& fonts, const Translations& tr) {
    return ToggleFigure(options, fonts, tr).make(runs);
}

}  // namespace lab::figures
