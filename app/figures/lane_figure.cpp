#include "figures/lane_figure.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "analysis/timeline.h"
#include "base/ranges.h"
#include "figures/run_text.h"

namespace lab::figures {
namespace {

using fmt::arg;

constexpr std::size_t kMostLaneRows = 40, kManyRows = 16;  // shown; above the second they are low
constexpr std::size_t kMostBranches = 6;
constexpr float kBar = 72;  // of the share, points at scale 1

// Those of so many passes that have a row: of many the first ones and the last.
std::vector<std::size_t> rows_of(std::size_t passes) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < passes; ++i)
        if (passes <= kMostLaneRows || i < kMostLaneRows / 2 || i >= passes - kMostLaneRows / 2)
            rows.push_back(i);
    return rows;
}

// Points: a narrower lane has no edge of its own.
constexpr float kNarrowLane = 8;

void add_dots(Scene& scene, const Box& at, float scale) {
    const auto [x, y] = at.middle();
    const float apart = at.width() / 4;
    const float radius = std::min({1.6F * scale, apart, at.height() / 3});
    for (const float side : {-apart, 0.0F, apart})
        if (side == 0 || at.width() >= kNarrowLane)
            scene.add(disc({x + side, y}, radius, Role::idle));
}

void add_part(Scene& scene, const Box& at, LaneState state, float scale) {
    if (state == LaneState::active)
        scene.add(box(at, Role::act));
    else if (state == LaneState::idle && at.width() < kNarrowLane)
        scene.add(box(at, Role::idle_fill));
    else if (state == LaneState::idle)
        scene.add(box(at.left + 0.5F, at.top + 0.5F, at.width() - 1,
                      std::max(at.height() - 1, 0.5F), Role::idle_fill, {Role::idle, 1}));
    else if (state == LaneState::waiting)
        add_dots(scene, at, scale);
}

// From the bottom up: active filled with blue, idle hollow in grey, waiting dotted, done empty. So
// each state has a shape of its own.
void add_lane_cell(Scene& scene, const Box& at, const std::array<float, kLaneStates>& shares,
                   float scale, std::string tip = {}, std::string name = {}) {
    const bool wide = at.width() >= kNarrowLane;
    scene.add(wide ? box(at, Role::panel, {Role::border, 1}) : box(at, Role::none), std::move(tip),
              std::move(name));
    float bottom = at.bottom;
    for (std::size_t i = 0; i < kLaneStates; ++i) {
        const float height = shares[i] * at.height();
        if (height < 0.05F) continue;
        add_part(scene, {at.left, bottom - height, at.right, bottom}, static_cast<LaneState>(i),
                 scale);
        bottom -= height;
    }
}

// Parts of a mark's pitch that lie between warps and between groups.
constexpr float kWarpGap = 0.3F, kBetweenGroups = 0.9F;
constexpr float kWidest = 56, kNarrowest = 3.5F, kLeastWhole = 12;  // pitches, points at scale 1
constexpr std::uint64_t kWholeItems = 64;  // so many stand one by one, however wide that is

struct Division {
    std::uint64_t items, local, lanes, per_mark;

    std::vector<LaneMark> marks() const {
        std::vector<LaneMark> lane_marks;
        const std::uint64_t block = per_mark <= local ? local : items;
        for (std::uint64_t from = 0; from < items; from += block)
            for (std::uint64_t index = from; index < std::min(from + block, items);
                 index += per_mark)
                lane_marks.push_back({index, std::min({index + per_mark, from + block, items}), 0});
        return lane_marks;
    }
    // The gap before a mark, in pitches.
    float gap(const LaneMark& mark) const {
        if (mark.first == 0) return 0;
        if (mark.first % local == 0) return per_mark <= local ? kBetweenGroups : 0;
        const bool warp = lanes > 1 && per_mark < lanes && mark.first % local % lanes == 0;
        return warp ? kWarpGap : 0;
    }
    float pitches(const std::vector<LaneMark>& all) const {
        auto sum = static_cast<float>(all.size());
        for (const LaneMark& mark : all)
            sum += gap(mark);
        return sum;
    }
    Division coarser() const {
        Division division = *this;
        if (per_mark == 1 && lanes > 1 && lanes <= local)
            division.per_mark = lanes;
        else
            division.per_mark = per_mark * 2 <= local ? per_mark * 2
                                : per_mark < local    ? local
                                                      : (per_mark / local * 2) * local;
        return division;
    }
};

// The spans of every `size` items of each group.
std::vector<Span> spans_of(const LaneColumns& columns, std::uint64_t local, std::uint64_t size) {
    std::vector<Span> spans;
    std::uint64_t before = ~std::uint64_t{0};
    for (const LaneMark& mark : columns.marks) {
        const std::uint64_t group = mark.first / local, part = mark.first % local / size;
        const std::uint64_t key = group << 32U | part;
        const float right = mark.x + columns.mark_width;
        if (key != before)
            spans.push_back({mark.x, right, size == local ? group : part});
        else
            spans.back().right = right;
        before = key;
    }
    return spans;
}

class LaneFigure {
  public:
    LaneFigure(const LaneChart& chart, const RunSubject& subject, const FigureOptions& options,
               const Fonts& fonts, const Translations& tr)
        : chart_(chart), subject_(subject), tr_(tr), page_(options, fonts, tr) {}

    Scene make() {
        float y = page_.heading(subject_, kPageMargin);
        place();
        y = add_captions_at(y);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const std::size_t left_out = chart_.passes.size() - rows_.size();
            if (left_out > 0 && i == kMostLaneRows / 2) {
                page_.text({columns_.left, y + s(4)}, tr_("lanes.left_out", arg("count", left_out)),
                           kLabelText);
                y += s(24);
            }
            y = add_row(i, y);
        }
        y = page_.legend(legend(), y + s(14)) + s(10);
        y = add_branches(y);
        const std::string words = sentence();
        page_.paragraph(words, kSentenceText, y);
        return page_.finish(title_of(subject_, tr_) + ": " + tr_("lanes.name"), words);
    }

  private:
    float s(float points) const { return page_.s(points); }
    const analysis::PassActivity& pass(std::size_t row) const { return chart_.passes[rows_[row]]; }

    // Where each launch is one pass, the pass's number says nothing more.
    std::string title(const analysis::PassActivity& activity) const {
        const auto& all = chart_.passes;
        if (all.back().launch == 0) return tr_("figure.pass", arg("n", activity.pass));
        const bool one_each = all_of(all, [](const auto& each) { return each.pass == 1; });
        return tr_(one_each ? "lanes.launch" : "lanes.launch_pass",
                   arg("launch", activity.launch + 1), arg("n", activity.pass));
    }

    std::string items_text(const analysis::PassActivity& activity) const {
        if (activity.unfinished) return tr_("lanes.unfinished");
        const std::uint64_t active = active_items(activity);
        return tr_.counted(active == 1 ? "lanes.item_steps" : "lanes.items_step",
                           activity.items.size(), arg("active", active),
                           arg("total", activity.items.size()));
    }

    void place() {
        float before = page_.width(tr_("lanes.items"), kSmallText), after = s(kBar + 60);
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            const analysis::PassActivity& activity = pass(row);
            before = std::max({before, page_.width(title(activity), kTitleText),
                               page_.width(activity.variables, kSmallText)});
            after = std::max(after, page_.width(items_text(activity), kSmallText));
        }
        std::uint64_t items = 0;
        for (const analysis::PassActivity& pass_activity : chart_.passes)
            items = std::max<std::uint64_t>(items, pass_activity.items.size());
        const float left = page_.left() + std::min(before, s(190)) + s(16);
        // In a narrow page the words after the columns are shortened first.
        after = std::clamp(page_.right() - left - s(16 + 160), s(kBar + 60), after);
        const float room = std::max(s(160), page_.right() - left - s(16) - after);
        const analysis::PassActivity first =
            chart_.passes.empty() ? analysis::PassActivity() : chart_.passes.front();
        columns_ = place_lanes(items, first.local, first.lanes, left, room, s(1));
        // The captions of what is left of the columns need no less than this.
        words_right_ = left - s(12);
        after_ = columns_.right + s(18);
        after_width_ = after;
        const float square = std::clamp(columns_.mark_width, s(22), s(36));
        height_ = low_ ? s(15) : square;
        pitch_ = low_ ? s(22) : std::max(height_, s(32)) + s(16);
    }

    float add_captions_at(float y) {
        const IndexSpace space = chart_.passes.empty() ? IndexSpace() : chart_.passes.front().space;
        if (!columns_.groups.empty()) {
            add_captions(page_, columns_.groups, y + s(8), kCaptionText, "figure.group",
                         tr_("figure.group_numbers"), words_right_,
                         [&](std::uint64_t group) { return space.group_name(group); });
            y += s(20);
        }
        if (!columns_.warps.empty()) {
            add_captions(page_, columns_.warps, y + s(8), kSmallText, "lanes.warp",
                         tr_("lanes.warps"), words_right_);
            y += s(18);
        }
        if (columns_.per_mark == 1) {
            std::vector<Span> ids;
            for (const LaneMark& mark : columns_.marks)
                ids.push_back({mark.x, mark.x + columns_.mark_width, mark.first});
            add_captions(page_, ids, y + s(8), kCodeText.sized(11).in(Role::muted), "",
                         tr_("lanes.items"), words_right_,
                         [&](std::uint64_t item) { return space.item_name(item); });
            y += s(18);
        } else {
            page_.text({columns_.left, y + s(8)}, per_mark_text(), kSmallText);
            y += s(20);
        }
        return y + s(4);
    }

    std::string per_mark_text() const {
        const analysis::PassActivity& activity = chart_.passes.front();
        const std::uint64_t per = columns_.per_mark;
        if (activity.lanes > 1 && per == activity.lanes)
            return tr_("lanes.mark_is_warp", arg("items", per));
        if (per > activity.local)
            return tr_("lanes.mark_is_groups", arg("items", per),
                       arg("groups", per / activity.local));
        return tr_("lanes.mark_is_items", arg("items", per));
    }

    // Returns the top of the next.
    float add_row(std::size_t row, float y) {
        const analysis::PassActivity& activity = pass(row);
        const bool current = chart_.current == rows_[row];
        if (current)
            page_.scene.add(box(page_.left() - s(4), y - s(5), page_.room() + s(8), height_ + s(10),
                                Role::act_fill, {}, s(5)));
        add_frames(activity, y);
        for (const LaneMark& mark : columns_.marks) {
            if (mark.first >= activity.items.size()) break;
            add_lane_cell(page_.scene, {mark.x, y, mark.x + columns_.mark_width, y + height_},
                          shares_of(activity, mark.first, mark.end), s(1), tip(activity, mark),
                          name(row, mark));
        }
        add_labels(activity, y + height_ / 2, current ? Role::act : Role::text);
        add_boundary(row, y + height_ + (pitch_ - height_) / 2);
        return y + pitch_;
    }

    // Around the marks of each group, where they are too narrow for edges of their own.
    void add_frames(const analysis::PassActivity& activity, float y) {
        if (columns_.mark_width >= kNarrowLane) return;
        std::vector<Span> parts = columns_.groups;
        if (parts.empty()) parts.push_back({columns_.left, columns_.right, 0});
        for (const Span& part : parts) {
            if (part.number * activity.local >= activity.items.size()) break;
            page_.scene.add(box(part.left - 1, y - 1, part.right - part.left + 2, height_ + 2,
                                Role::panel, {Role::border, 1}));
        }
    }

    std::string name(std::size_t row, const LaneMark& mark) const {
        if (!chart_.rows || mark.end - mark.first != 1) return {};
        return fmt::format("worker {} {}", rows_[row] + 1, mark.first);
    }

    std::string tip(const analysis::PassActivity& activity, const LaneMark& mark) const {
        if (activity.unfinished)
            return title(activity) + tr_("figure.colon") + tr_("lanes.unfinished");
        const std::uint64_t end = std::min<std::uint64_t>(mark.end, activity.items.size());
        if (end - mark.first == 1) {
            const analysis::ItemSlots& item = activity.items[mark.first];
            return tr_("lanes.tip_item", arg("item", activity.space.item_name(mark.first)),
                       arg("pass", title(activity)), arg("active", item.active),
                       arg("idle", item.idle), arg("waiting", item.waiting), arg("done", item.done),
                       arg("steps", item.total()));
        }
        return tr_("lanes.tip_items", arg("first", activity.space.item_name(mark.first)),
                   arg("last", activity.space.item_name(end - 1)), arg("pass", title(activity)),
                   arg("percent", percent_text(shares_of(activity, mark.first, end)[0])));
    }

    void add_labels(const analysis::PassActivity& activity, float y, Role role) {
        const float x = page_.left(), room = words_right_ - page_.left();
        const double share = active_share(activity);
        const std::string percent = percent_text(share) + " %";
        const bool two = !low_ && !activity.variables.empty();
        page_.fitted({x, two ? y - s(8) : y}, title(activity),
                     (low_ ? kCaptionText : kTitleText).in(role), room);
        if (two) page_.fitted({x, y + s(9)}, activity.variables, kSmallText, room);
        if (activity.unfinished)  // a share of endless steps is none
            return page_.fitted({after_, y}, items_text(activity), kSmallText, after_width_);
        const float line = low_ ? y : y - s(8);
        page_.text({after_ + s(54), line}, percent,
                   (low_ ? kCaptionText.in(Role::text) : kTitleText).at(Anchor::end));
        Rect bar = box(after_ + s(62), line - s(4), s(kBar), s(8), Role::idle_fill);
        page_.scene.add(bar, percent);
        bar.width = share > 0 ? std::max(bar.width * static_cast<float>(share), 1.0F) : 0;
        bar.fill = Role::act;
        if (bar.width > 0) page_.scene.add(bar, percent);
        if (!low_) page_.fitted({after_, y + s(9)}, items_text(activity), kSmallText, after_width_);
    }

    // The end of a launch runs across all groups, and so does a barrier of the grid; one of a group
    // ends at the edge of each.
    void add_boundary(std::size_t row, float y) {
        if (row + 1 >= rows_.size()) return;
        const analysis::PassActivity& activity = pass(row);
        const Stroke stroke{Role::barrier, low_ ? 2.0F : 3.0F};
        const bool ends = pass(row + 1).launch != activity.launch;
        if (ends || activity.of_grid) {
            (ends ? launches_ : grids_) = true;
            page_.scene.add(line({columns_.left - s(5), y}, {columns_.right + s(5), y}, stroke),
                            tr_(ends ? "figure.launch_end" : "figure.grid_barrier"));
            return;
        }
        if (!contains(activity.barrier, true)) return;
        barriers_ = true;
        for (const Span& group : columns_.groups)
            if (group.number < activity.barrier.size() && activity.barrier[group.number])
                page_.scene.add(line({group.left, y}, {group.right, y}, stroke),
                                tr_("figure.legend_barrier"));
        if (columns_.groups.empty())  // no place is the edge of one
            page_.scene.add(line({columns_.left, y}, {columns_.right, y},
                                 {Role::barrier, stroke.width, Dash::dashed}),
                            tr_("figure.legend_barrier"));
    }

    std::vector<LegendEntry> legend() const {
        constexpr std::array<const char*, kLaneStates> kWords{"lanes.active", "lanes.idle",
                                                              "lanes.waiting", "lanes.done"};
        std::array<bool, kLaneStates> has{};
        bool mixed = false;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            for (const LaneMark& mark : columns_.marks) {
                if (mark.first >= pass(row).items.size()) break;
                const auto shares = shares_of(pass(row), mark.first, mark.end);
                for (std::size_t i = 0; i < kLaneStates; ++i)
                    has[i] = has[i] || shares[i] > 0;
                mixed = mixed || (shares[0] > 0.01F && shares[0] < 0.99F);
            }
        std::vector<LegendEntry> entries;
        const float scale = s(1);
        const auto add = [&](const char* key, std::array<float, kLaneStates> shares) {
            entries.push_back(
                {tr_(key), [shares, scale](Scene& scene, const Box& at) {
                     const float x = at.middle().x, half = 8 * scale;
                     add_lane_cell(scene, {x - half, at.top, x + half, at.bottom}, shares, scale);
                 }});
        };
        for (std::size_t i = 0; i < kLaneStates; ++i) {
            std::array<float, kLaneStates> one{};
            one[i] = 1;
            const bool alone = chart_.passes.front().lanes == 1;
            const bool waits = static_cast<LaneState>(i) == LaneState::waiting;
            if (has[i]) add(alone && waits ? "lanes.waiting_items" : kWords[i], one);
        }
        if (mixed) add("lanes.mixed", {0.33F, 0.67F, 0, 0});
        if (barriers_) entries.push_back({tr_("figure.legend_barrier"), line_swatch(scale, 4)});
        if (grids_) entries.push_back({tr_("figure.legend_grid"), line_swatch(scale, 0)});
        if (launches_) entries.push_back({tr_("figure.legend_launch"), line_swatch(scale, 0)});
        return entries;
    }

    static std::function<void(Scene&, const Box&)> line_swatch(float scale, float gap) {
        return [scale, gap](Scene& scene, const Box& at) {
            const auto [x, y] = at.middle();
            const Stroke stroke{Role::barrier, 3};
            scene.add(line({at.left, y}, {x - gap * scale, y}, stroke));
            scene.add(line({x + gap * scale, y}, {at.right, y}, stroke));
        };
    }

    float add_branches(float y) {
        if (chart_.branches.empty()) return y;
        page_.text({page_.left(), y + s(8)}, tr_("lanes.branches"), kCaptionText);
        y += s(22);
        std::size_t shown = 0;
        for (const analysis::DivergentBranch& branch : chart_.branches) {
            if (++shown > kMostBranches) {
                page_.text({page_.left(), y + s(8)},
                           tr_("lanes.more_branches",
                               arg("count", chart_.branches.size() - kMostBranches)),
                           kSmallText);
                y += s(20);
                break;
            }
            const std::string line = tr_("lanes.line", arg("line", branch.line));
            const std::string lanes = branch.least == branch.most
                                          ? fmt::format("{}", branch.most)
                                          : fmt::format("{}–{}", branch.least, branch.most);
            const std::string times = tr_("lanes.split", arg("splits", branch.splits),
                                          arg("times", branch.times), arg("lanes", lanes));
            float x = page_.left();
            page_.text({x, y + s(8)}, line, kSmallText);
            x += std::max(page_.width(line, kSmallText) + s(12), s(64));
            const float room = page_.right() - x - page_.width(times, kSmallText) - s(16);
            const std::string code = page_.fonts().shortened(
                branch.text, room < s(80) ? page_.right() - x : room, s(12), Face::mono);
            page_.text({x, y + s(8)}, code, kCodeText, branch.text);
            if (room < s(80)) {  // on a line of its own
                y += s(16);
                page_.text({x, y + s(8)}, times, kSmallText);
            } else {
                page_.text({x + page_.width(code, kCodeText) + s(16), y + s(8)}, times, kSmallText);
            }
            y += s(20);
        }
        return y + s(10);
    }

    // What to see: the last pass, and how much of all slots was used.
    std::string sentence() const {
        if (chart_.passes.empty()) return tr_("lanes.sentence_nothing");
        const analysis::PassActivity& last = chart_.passes.back();
        if (last.unfinished) return tr_("lanes.sentence_unfinished");
        const std::uint64_t active = active_items(last);
        std::string text = tr_(active == 1 ? "lanes.sentence_last_one" : "lanes.sentence_last",
                               arg("active", active), arg("total", last.items.size()),
                               arg("percent", percent_text(active_share(last))));
        if (last.lanes == 1) return text;  // each warp is one item, and never idle
        return text + tr_("figure.space") +
               tr_("lanes.sentence_total", arg("offered", chart_.total.offered),
                   arg("active", chart_.total.active),
                   arg("percent", percent_text(utilisation(chart_.total))));
    }

    const LaneChart& chart_;
    const RunSubject& subject_;
    const Translations& tr_;
    Page page_;
    const std::vector<std::size_t> rows_ = rows_of(chart_.passes.size());
    const bool low_ = rows_.size() > kManyRows;
    LaneColumns columns_;
    float words_right_ = 0, after_ = 0, after_width_ = 0, height_ = 0, pitch_ = 0;
    bool barriers_ = false, grids_ = false, launches_ = false;
};

constexpr std::size_t kMostBankRows = 36;  // of words that are touched
constexpr float kLeastBankCell = 25, kWidestBankCell = 34,
                kBankCellHeight = 24;  // points at scale 1

// Of words that are read, written, changed atomically; in the order of ActionKind.
constexpr std::array<Look, 3> kTouched{{{Role::read_fill, Role::text, {Role::read, 1.5F}},
                                        {Role::wrote_fill, Role::text, {Role::wrote, 1.5F}},
                                        {Role::act_fill, Role::text, {Role::act, 1.5F}}}};
constexpr std::array<const char*, 3> kBankKinds{"banks.load", "banks.store", "banks.atomic"};
constexpr Look kEmpty{Role::panel, Role::text, {Role::border, 1}};
constexpr Look kFetched{Role::panel, Role::text, {Role::barrier, 1}, true};
constexpr Stroke kFramed{Role::barrier, 2};

class BankFigure {
  public:
    BankFigure(const analysis::RequestDetail& request, const RunSubject& subject,
               const FigureOptions& options, const Fonts& fonts, const Translations& tr)
        : request_(request), subject_(subject), tr_(tr), page_(options, fonts, tr) {}

    Scene make() {
        float y = page_.heading(subject_, kPageMargin);
        y = add_line(y);
        place();
        y = add_captions_at(y);
        y = add_rows(y);
        if (local_) y = add_turns(y);
        y = page_.legend(legend(), y + s(12)) + s(10);
        const std::string text = bank_sentence(request_, words_, tr_);
        page_.paragraph(text, kSentenceText, y);
        return page_.finish(
            title_of(subject_, tr_) + ": " + tr_(local_ ? "banks.name" : "banks.name_sectors"),
            cost_text(request_, tr_) + tr_("figure.stop") + tr_("figure.space") + text);
    }

  private:
    float s(float points) const { return page_.s(points); }
    std::size_t kind() const {
        return std::min<std::size_t>(static_cast<std::size_t>(request_.kind), 2);
    }

    // The line of the text, who asks, and what it costs.
    float add_line(float y) {
        std::string code = request_.text;
        code.erase(0, std::min(code.find_first_not_of(" \t"), code.size()));
        const std::string line = tr_("lanes.line", arg("line", request_.line));
        const float x = page_.left() + page_.width(line, kLabelText) + s(14);
        const float wide = std::min(page_.width(code, kCodeText.sized(14)), page_.right() - x);
        page_.scene.add(box(x - s(7), y, wide + s(14), s(26), Role::act_fill, {}, s(4)));
        page_.text({page_.left(), y + s(13)}, line, kLabelText);
        page_.fitted({x, y + s(13)}, code, kCodeText.sized(14), wide + 1);
        y += s(44);
        const bool dear = local_ ? request_.cost.degree > request_.cost.least_degree
                                 : request_.cost.sectors > request_.cost.ideal_sectors;
        const std::string cost = cost_text(request_, tr_);
        page_.text({page_.left(), y}, cost,
                   kHeadingText.sized(16).in(dear ? Role::barrier_text : Role::text));
        y += s(22);
        const std::string who =
            tr_(kBankKinds.at(kind()), arg("array", request_.array)) + " · " +
            tr_("banks.who", arg("group", request_.space.group_name(request_.group)),
                arg("warp", request_.warp), arg("pass", request_.pass),
                arg("launch", request_.launch + 1));
        return page_.lines(who, kLabelText, page_.left(), page_.room(), y, 0, s(19)) + s(6);
    }

    // "buf[32…63]", "flag[0]": the elements that lie in a row.
    std::string row_name(std::uint64_t row) const {
        const std::uint64_t size = std::uint64_t{columns_} * word_bytes(request_);
        const std::uint64_t first = std::max(row * size, request_.array_first);
        const std::uint64_t end = std::min((row + 1) * size, request_.array_end);
        const std::uint64_t element = std::max(request_.element_bytes, 1U);
        if (end <= first) return request_.array;
        const std::uint64_t from = (first - request_.array_first) / element;
        const std::uint64_t to = (end - request_.array_first - 1) / element;
        std::vector<std::uint64_t> cells(to - from + 1);
        std::iota(cells.begin(), cells.end(), from);
        return request_.array + analysis::cells_text(std::move(cells), request_.shape);
    }

    void place() {
        for (const auto& [number, word] : words_)
            if (rows_.empty() || rows_.back() != number / columns_)
                rows_.push_back(number / columns_);
        left_out_ = rows_.size() > kMostBankRows ? rows_.size() - kMostBankRows : 0;
        rows_.resize(rows_.size() - left_out_);
        float names = page_.width(tr_(local_ ? "banks.bank" : "banks.sector_word"), kSmallText);
        names = std::max(names, page_.width(tr_("banks.turns_label"), kSmallText));
        for (const std::uint64_t row : rows_)
            names = std::max(names, page_.width(row_name(row), kCodeText));
        left_ = page_.left() + names + s(14);
        gap_ = local_ ? 0 : s(8);
        const std::uint32_t sectors = columns_ / per_sector_;  // in a row
        const float gaps = gap_ * static_cast<float>(sectors - 1);
        pitch_ = std::clamp((page_.right() - left_ - gaps) / static_cast<float>(columns_),
                            s(kLeastBankCell), s(kWidestBankCell));
    }

    float x_of(std::uint64_t column) const {
        const std::uint64_t sector = column / per_sector_;
        return left_ + static_cast<float>(column) * pitch_ + gap_ * static_cast<float>(sector);
    }

    float add_captions_at(float y) {
        if (local_) {
            page_.text({left_ - s(14), y + s(8)}, tr_("banks.bank"), kSmallText.at(Anchor::end));
            for (std::uint32_t bank = 0; bank < columns_; ++bank)
                page_.text({x_of(bank) + pitch_ / 2, y + s(8)}, std::to_string(bank),
                           kCodeText.sized(11).in(Role::muted).at(Anchor::middle));
            return y + s(20);
        }
        for (std::uint32_t first = 0; first < columns_; first += per_sector_)
            page_.text({(x_of(first) + x_of(first + per_sector_ - 1) + pitch_) / 2, y + s(8)},
                       tr_("banks.sector", arg("n", first / per_sector_),
                           arg("bytes", request_.sector_bytes)),
                       kCaptionText.at(Anchor::middle));
        return y + s(22);
    }

    float add_rows(float y) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (i > 0 && rows_[i] != rows_[i - 1] + 1) y = add_untouched(i, y);
            add_row(rows_[i], y);
            y += s(kBankCellHeight + 3);
        }
        if (left_out_ == 0) return y;
        page_.text({left_, y + s(10)}, tr_("banks.left_out", arg("rows", left_out_)), kLabelText);
        return y + s(24);
    }

    // Three dots for rows that nobody touches.
    float add_untouched(std::size_t i, float y) {
        const std::uint64_t rows = rows_[i] - rows_[i - 1] - 1;
        const float x = x_of(0) + pitch_ / 2;
        const std::string words = tr_("banks.untouched", arg("rows", rows));
        for (const float at : {3.0F, 8.0F, 13.0F})
            page_.scene.add(disc({x, y + s(at)}, s(1.5F), Role::idle), words);
        page_.text({x_of(1), y + s(8)}, words, kSmallText);
        return y + s(20);
    }

    bool fetched(std::uint64_t number) const {
        const std::uint64_t first = number / per_sector_ * per_sector_;
        const auto position = words_.lower_bound(first);
        return position != words_.end() && position->first < first + per_sector_;
    }

    void add_row(std::uint64_t row, float y) {
        page_.text({left_ - s(14), y + s(kBankCellHeight) / 2}, row_name(row),
                   kCodeText.in(Role::muted).at(Anchor::end));
        for (std::uint32_t column = 0; column < columns_; ++column) {
            const std::uint64_t number = row * columns_ + column;
            const std::uint64_t byte = number * word_bytes(request_);
            if (byte >= request_.array_end || byte + word_bytes(request_) <= request_.array_first)
                continue;
            if (const auto found = words_.find(number); found != words_.end()) {
                add_word(number, found->second, y);
                continue;
            }
            const bool wasted = !local_ && fetched(number);
            wasted_ = wasted_ || wasted;
            page_.scene.add(cell(number, y, wasted ? kFetched : kEmpty),
                            wasted ? tr_("banks.tip_wasted") : std::string());
        }
        if (local_) return;
        for (std::uint32_t first = 0; first < columns_; first += per_sector_) {
            if (!fetched(row * columns_ + first)) continue;
            page_.scene.add(
                box(x_of(first) - s(1), y - s(1), pitch_ * static_cast<float>(per_sector_) + s(1),
                    s(kBankCellHeight + 2), Role::none, kFramed, s(3)),
                tr_("banks.tip_sector", arg("bytes", request_.sector_bytes)));
        }
    }

    Rect cell(std::uint64_t number, float y, const Look& look) const {
        return box(x_of(number % columns_) + s(1), y, pitch_ - s(2), s(kBankCellHeight), look,
                   s(2));
    }

    void add_word(std::uint64_t number, const Word& word, float y) {
        Rect rect = cell(number, y, kTouched.at(kind()));
        const bool waits = word.of > 1;
        conflict_ = conflict_ || waits;
        shared_ = shared_ || word.lanes.size() > 1;
        if (waits) rect.stroke = kFramed;
        page_.scene.add(rect, tip(number, word));
        const std::string lanes = lanes_text(word);
        const float x = rect.x + rect.width / 2, wide = rect.width - s(5);
        const float fits = 12 * std::min(1.0F, wide / page_.width(lanes, kCodeText));
        page_.text({x, y + s(kBankCellHeight) / 2},
                   fits >= 9 ? lanes : fmt::format("{}×", word.lanes.size()),
                   kCodeText.sized(std::max(fits, 9.0F)).at(Anchor::middle), tip(number, word));
        if (waits && word.turn > 1) page_.scene.add(flag({rect.x + rect.width, rect.y}, s(9)));
    }

    // In the corner of a word that is served after others of its bank.
    static Path flag(Point corner, float size) {
        return polygon({{corner.x - size, corner.y}, corner, {corner.x, corner.y + size}},
                       Role::barrier);
    }

    std::string tip(std::uint64_t number, const Word& word) const {
        const std::string who =
            word.lanes.size() == 1
                ? tr_("banks.tip_lane", arg("lane", word.lanes.front()),
                      arg("item", request_.space.item_name(word.items.front())))
                : tr_("banks.tip_lanes", arg("count", word.lanes.size()),
                      arg("first", word.lanes.front()), arg("last", word.lanes.back()));
        const std::uint64_t byte = number * word_bytes(request_) - request_.array_first;
        const std::string where =
            request_.array + request_.shape.at(byte / std::max(request_.element_bytes, 1U));
        if (!local_) return where + ": " + who;
        return where + ": " + who + "; " +
               tr_("banks.tip_turn", arg("bank", number % columns_), arg("turn", word.turn),
                   arg("of", word.of));
    }

    // Below each bank a bar of the turns that it takes.
    float add_turns(float y) {
        std::vector<std::uint32_t> turns(columns_);
        for (const auto& [number, word] : words_)
            turns[number % columns_] = word.of;
        const std::uint32_t most = *std::max_element(turns.begin(), turns.end());
        const float step = std::min(s(9), s(54) / static_cast<float>(std::max(most, 1U)));
        y += s(10);
        page_.text({left_ - s(14), y + s(8)}, tr_("banks.turns_label"), kSmallText.at(Anchor::end));
        for (std::uint32_t bank = 0; bank < columns_; ++bank) {
            const std::uint32_t count = turns[bank];
            const bool dear = count > 1;
            page_.text({x_of(bank) + pitch_ / 2, y + s(8)}, std::to_string(count),
                       kCodeText.in(dear ? Role::barrier_text : Role::muted).at(Anchor::middle));
            if (count == 0) continue;
            const Rect bar =
                box(x_of(bank) + s(3), y + s(20), pitch_ - s(6), step * static_cast<float>(count),
                    dear ? Role::barrier : Role::idle_fill, {dear ? Role::none : Role::idle, 1});
            page_.scene.add(bar, tr_("banks.tip_bank", arg("bank", bank), arg("turns", count)));
            for (std::uint32_t turn = 1; turn < count && step > 3; ++turn) {
                const float at = bar.y + step * static_cast<float>(turn);
                page_.scene.add(line({bar.x, at}, {bar.x + bar.width, at}, {Role::panel, 1}));
            }
        }
        return y + s(26) + step * static_cast<float>(most);
    }

    std::vector<LegendEntry> legend() {
        constexpr std::array<const char*, 3> kWords{"banks.legend_read", "banks.legend_write",
                                                    "banks.legend_atomic"};
        std::vector<LegendEntry> entries;
        const float scale = s(1);
        const auto add = [&](const char* key, const Look& look, const std::string& number,
                             bool later) {
            entries.push_back(
                {tr_(key), [look, number, later, scale, this](Scene& scene, const Box& at) {
                     scene.add(box(at, look, 2 * scale));
                     page_.text(at.middle(), number, kCodeText.sized(11).at(Anchor::middle));
                     if (later) scene.add(flag({at.right, at.top}, 9 * scale));
                 }});
        };
        const Look touched = kTouched.at(kind());
        const Look waits{touched.fill, Role::text, kFramed};
        add(kWords.at(kind()), touched, "5", false);
        if (shared_) add("banks.legend_shared", touched, "0–3", false);
        if (conflict_) {
            add("banks.legend_conflict", waits, "5", false);
            add("banks.legend_later", waits, "6", true);
        }
        if (!local_) add("banks.legend_sector", {Role::none, Role::text, kFramed}, "", false);
        if (wasted_) add("banks.legend_wasted", kFetched, "", false);
        return entries;
    }

    const analysis::RequestDetail& request_;
    const RunSubject& subject_;
    const Translations& tr_;
    Page page_;
    const Words words_ = words_of(request_);
    const bool local_ = request_.cost.local;
    // Words in a row, and in a sector.
    const std::uint32_t columns_ = local_ ? request_.banks : request_.line_bytes / kGlobalWord;
    const std::uint32_t per_sector_ = local_ ? columns_ : request_.sector_bytes / kGlobalWord;
    std::vector<std::uint64_t> rows_;
    std::size_t left_out_ = 0;
    float left_ = 0, pitch_ = 0, gap_ = 0;
    bool conflict_ = false, shared_ = false, wasted_ = false;
};

}  // namespace

std::array<float, kLaneStates> shares_of(const analysis::PassActivity& pass, std::uint64_t first,
                                         std::uint64_t end) {
    std::array<float, kLaneStates> shares{};
    end = std::min<std::uint64_t>(end, pass.items.size());
    for (std::uint64_t index = first; index < end; ++index) {
        const analysis::ItemSlots& item = pass.items[index];
        const auto all = static_cast<float>(item.total());
        if (item.total() == 0) {
            ++shares[static_cast<std::size_t>(item.ended ? LaneState::done : LaneState::waiting)];
            continue;
        }
        const std::array<std::uint32_t, kLaneStates> parts{item.active, item.idle, item.waiting,
                                                           item.done};
        for (std::size_t i = 0; i < kLaneStates; ++i)
            shares[i] += static_cast<float>(parts[i]) / all;
    }
    for (float& share : shares)
        share /= static_cast<float>(std::max<std::uint64_t>(end - std::min(first, end), 1));
    return shares;
}

LaneColumns place_lanes(std::uint64_t items, std::uint32_t local, std::uint32_t lanes, float left,
                        float room, float scale) {
    Division division{items, std::max<std::uint64_t>(local, 1), std::max<std::uint64_t>(lanes, 1),
                      1};
    LaneColumns columns;
    columns.left = columns.right = left;
    if (items == 0) return columns;
    columns.marks = division.marks();
    float pitch = room / division.pitches(columns.marks);
    if (items <= kWholeItems) pitch = std::max(pitch, kLeastWhole * scale);
    while (pitch < kNarrowest && columns.marks.size() > 1) {
        division = division.coarser();
        columns.marks = division.marks();
        pitch = room / division.pitches(columns.marks);
    }
    pitch = std::min(pitch, kWidest * scale);
    columns.per_mark = division.per_mark;
    columns.mark_width = pitch > 8 ? pitch * 0.86F : pitch - 1;
    float x = left;
    for (LaneMark& mark : columns.marks) {
        x += division.gap(mark) * pitch;
        mark.x = x;
        x += pitch;
    }
    columns.right = x - pitch + columns.mark_width;
    const bool whole_groups = columns.per_mark <= local;
    if (whole_groups) columns.groups = spans_of(columns, local, local);
    if (whole_groups && lanes > 1 && columns.per_mark <= lanes && lanes < local)
        columns.warps = spans_of(columns, local, lanes);
    return columns;
}

Scene lane_figure(const LaneChart& chart, const RunSubject& subject, const FigureOptions& options,
                  const Fonts& fonts, const Translations& tr) {
    return LaneFigure(chart, subject, options, fonts, tr).make();
}

Scene bank_figure(const analysis::RequestDetail& request, const RunSubject& subject,
                  const FigureOptions& options, const Fonts& fonts, const Translations& tr) {
    return BankFigure(request, subject, options, fonts, tr).make();
}

}  // namespace lab::figures
