#include "figures/state_figure.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/links.h"
#include "figures/chart.h"
#include "figures/scene.h"

namespace lab::figures {
namespace {

using fmt::arg;
using machine::ActionKind;
using machine::Status;

constexpr float kStateCellHeight = 34, kCellGap = 6, kLeastStateCell = 36, kMostCell = 96;
constexpr float kLineGap = 8, kArrayGap = 16, kDisc = 10;
constexpr std::size_t kMostDiscs = 64, kMostValues = 4;
constexpr TextStyle kValueText{15, Face::mono, Role::text, Anchor::middle};
constexpr TextStyle kIndexText{10, Face::mono, Role::muted, Anchor::middle};

struct StateCellLook {
    Role fill = Role::panel, text = Role::text;
    Stroke stroke{Role::border, 1.25F, Dash::solid};
};

bool meets(const analysis::StateCell& cell) {
    return cell.next_write && cell.next_read && *cell.next_write != *cell.next_read;
}

class StateFigure {
  public:
    StateFigure(const analysis::StateView& state, const StateFigureOptions& options,
                const Fonts& fonts, const Translations& tr)
        : state_view_(state), options_(options), tr_(tr), page_(options.figure, fonts, tr) {}

    Scene make() {
        float y = s(6);
        if (options_.items) y = add_items(y);
        for (const analysis::StateArray& array : state_view_.arrays)
            if (!array.cells.empty()) y = add_array(array, y);
        if (options_.legend) page_.legend(legend(), y + s(4));
        const std::string last =
            state_view_.last ? action_text(*state_view_.last, tr_) : std::string();
        return page_.finish(tr_("state.title", arg("time", state_view_.time)), last);
    }

  private:
    float s(float points) const { return page_.s(points); }
    float labels() const { return s(92); }
    float left() const { return page_.left() + labels(); }

    // Work-items of the resident groups, a line a group.
    float add_items(float y) {
        std::uint32_t group = ~0U;
        float x = 0;
        for (const analysis::WarpView& warp : state_view_.warps) {
            if (warp.group != group) {
                if (group != ~0U) y += s(2 * kDisc + 8);
                group = warp.group;
                x = left();
                page_.text({left() - s(12), y + s(kDisc)},
                           tr_("figure.group", arg("n", state_view_.space.group_name(group))),
                           kCaptionText.at(Anchor::end));
            }
            x = add_warp(warp, x, y) + s(10);
        }
        return group == ~0U ? y : y + s(2 * kDisc + 18);
    }

    bool just_acted(const analysis::WarpView& warp, std::uint32_t lane) const {
        return state_view_.last && state_view_.last->launch == state_view_.launch &&
               state_view_.last->group == warp.group && state_view_.last->warp == warp.warp &&
               (state_view_.last->mask >> lane & 1U) != 0;
    }

    float add_warp(const analysis::WarpView& warp, float x, float y) {
        const float radius = s(kDisc), step = s(2 * kDisc + 4);
        if (state_view_.group_items > kMostDiscs) return add_warp_box(warp, x, y);
        for (std::uint32_t lane = 0; lane < warp.lanes; ++lane, x += step) {
            const bool acted = just_acted(warp, lane);
            const bool waits = warp.status == Status::waiting;
            const bool idle = warp.status == Status::done || (warp.running >> lane & 1U) == 0;
            Rect circle = disc({x + radius, y + radius}, radius,
                               acted   ? Role::act
                               : waits ? Role::panel
                               : idle  ? Role::idle_fill
                                       : Role::panel);
            circle.stroke = {acted   ? Role::act
                             : waits ? Role::barrier
                             : idle  ? Role::idle
                                     : Role::act,
                             waits ? 2.5F : 1.25F, waits ? Dash::dashed : Dash::solid};
            const char* key = acted                         ? "state.item_acted"
                              : warp.status == Status::done ? "state.item_done"
                              : waits                       ? "state.item_waits"
                              : idle                        ? "state.item_idle"
                                                            : "state.item_ready";
            const std::uint64_t item = warp.first_item + lane;
            const std::string name = state_view_.space.item_name(item);
            page_.scene.add(circle, tr_(key, arg("item", name), arg("line", warp.line)),
                            fmt::format("item {}", item));
            page_.fitted({x + radius, y + radius}, name,
                         TextStyle{11, Face::mono,
                                   acted  ? Role::on_act
                                   : idle ? Role::muted
                                          : Role::text,
                                   Anchor::middle},
                         2 * radius);
        }
        if (warp.status != Status::done && warp.line > 0) {
            const std::string words = tr_("state.line", arg("line", warp.line));
            page_.text({x + s(4), y + radius}, words, kSmallText);
            x += s(4) + page_.width(words, kSmallText);
        }
        return x;
    }

    // Of large groups a box a warp.
    float add_warp_box(const analysis::WarpView& warp, float x, float y) {
        const float size = s(2 * kDisc);
        const bool acted =
            just_acted(warp, 0) ||
            (state_view_.last && state_view_.last->mask != 0 &&
             state_view_.last->group == warp.group && state_view_.last->warp == warp.warp);
        Rect rect = box(x, y, size * 0.7F, size,
                        acted                            ? Role::act
                        : warp.status == Status::done    ? Role::idle_fill
                        : warp.status == Status::waiting ? Role::barrier
                                                         : Role::act_fill);
        rect.radius = s(3);
        page_.scene.add(rect, fmt::format("{}: {}", warp_text(warp, state_view_, tr_),
                                          tr_("state.line", arg("line", warp.line))));
        return x + size * 0.7F - s(6);
    }

    float cell_width(const analysis::StateArray& array) const {
        float widest = 0;
        for (const analysis::StateCell& cell : array.cells)
            widest = std::max(widest, page_.width(cell.value, kValueText));
        return std::clamp(widest + s(14), s(kLeastStateCell), s(kMostCell));
    }

    float add_array(const analysis::StateArray& array, float y) {
        const std::string name =
            array.local ? fmt::format("{} · {}", array.name,
                                      tr_("figure.group",
                                          arg("n", state_view_.space.group_name(array.group))))
                        : array.name;
        const float width = cell_width(array), step = width + s(kCellGap);
        auto columns = std::max<std::size_t>(
            1, static_cast<std::size_t>((page_.right() - left() + s(kCellGap)) / step));
        if (columns < array.cells.size()) columns = std::bit_floor(columns);
        page_.fitted({left() - s(12), y + s(kStateCellHeight) / 2}, name,
                     kCaptionText.at(Anchor::end), labels() - s(8), name);
        std::size_t index = 0;
        for (; index < array.cells.size(); ++index) {
            if (index > 0 && index % columns == 0) y += s(kStateCellHeight + 12 + kLineGap);
            add_cell(array, index, {left() + static_cast<float>(index % columns) * step, y}, width);
        }
        y += s(kStateCellHeight + 12);
        if (array.left_out > 0)
            y = page_.paragraph(tr_("state.left_out", arg("count", array.left_out)), kSmallText,
                                y + s(4));
        return y + s(kArrayGap);
    }

    StateCellLook look_of(const analysis::StateCell& cell) const {
        if (cell.wrote)
            return {Role::wrote_fill,
                    Role::text,
                    {Role::wrote, cell.changed ? 3.0F : 2.0F, Dash::solid}};
        if (cell.read) return {Role::read_fill, Role::text, {Role::read, 2, Dash::dashed}};
        return {};
    }

    void add_cell(const analysis::StateArray& array, std::size_t index, Point point, float width) {
        const analysis::StateCell& cell = array.cells[index];
        const StateCellLook look = look_of(cell);
        Rect rect = box(point.x, point.y, width, s(kStateCellHeight), look.fill);
        rect.radius = s(5);
        rect.stroke = look.stroke;
        const std::string name = fmt::format("{}[{}] = {}", array.name, index, cell.value);
        page_.scene.add(rect, name,
                        name_of(analysis::memory_of(array.name, array.local, array.group, index)));
        const bool nobody = cell.value == "?";
        page_.fitted_value({point.x + width / 2, point.y + s(kStateCellHeight) / 2}, cell.value,
                           kValueText.in(nobody ? Role::muted : look.text), width - s(6), name);
        page_.text({point.x + width / 2, point.y + s(kStateCellHeight + 7)},
                   fmt::format("{}", index), kIndexText);
        if (!options_.next) return;
        if (meets(cell)) {
            Rect frame = box(point.x - s(3), point.y - s(3), width + s(6), s(kStateCellHeight + 6),
                             Role::none);
            frame.radius = s(7);
            frame.stroke = {Role::race, 2.5F, Dash::dashed};
            page_.scene.add(
                frame,
                tr_("state.meet", arg("reader", state_view_.space.group_name(*cell.next_read)),
                    arg("writer", state_view_.space.group_name(*cell.next_write))));
            add_badge(page_.scene, {point.x + width - s(2), point.y + s(2)}, s(8), false);
            any_meets_ = true;
        }
    }

    std::vector<LegendEntry> legend() {
        const auto sample = [this](StateCellLook look) {
            return [this, look](Scene& scene, const Box& at) {
                Rect rect = box(at.left, at.top, at.right - at.left, at.bottom - at.top, look.fill);
                rect.radius = s(3);
                rect.stroke = look.stroke;
                scene.add(rect);
            };
        };
        std::vector<LegendEntry> entries;
        analysis::StateCell wrote, read;
        wrote.wrote = wrote.changed = true;
        read.read = true;
        entries.push_back({tr_("state.legend_read"), sample(look_of(read))});
        entries.push_back({tr_("state.legend_wrote"), sample(look_of(wrote))});
        if (any_meets_)
            entries.push_back(
                {tr_("state.legend_meet"),
                 sample({Role::panel, Role::text, {Role::race, 2.5F, Dash::dashed}})});
        return entries;
    }

    const analysis::StateView& state_view_;
    const StateFigureOptions& options_;
    const Translations& tr_;
    Page page_;
    bool any_meets_ = false;
};

}  // namespace

Scene state_figure(const analysis::StateView& state, const StateFigureOptions& options,
                   const Fonts& fonts, const Translations& tr) {
    return StateFigure(state, options, fonts, tr).make();
}

std::string action_text(const analysis::ActionView& action, const Translations& tr) {
    if (action.array.empty())
        return tr(action.kind == ActionKind::barrier ? "action.barrier" : "action.collective");
    std::vector<std::uint64_t> cells;
    std::vector<std::string> values;
    for (const analysis::LaneTouch& touch : action.touches) {
        cells.push_back(touch.index);
        values.push_back(touch.value);
    }
    const char* key = action.kind == ActionKind::load    ? "action.load"
                      : action.kind == ActionKind::store ? "action.store"
                                                         : "action.atomic";
    const bool many = values.size() > kMostValues;
    if (many) values.resize(kMostValues);
    return tr(key, arg("cells", action.array + analysis::cells_text(std::move(cells))),
              arg("values", fmt::format("{}{}", fmt::join(values, " "), many ? " …" : "")));
}

std::string warp_text(const analysis::WarpView& warp, const analysis::StateView& state,
                      const Translations& tr) {
    if (state.warp_lanes == 1 && state.group_items > 1)
        return tr("warp.item", arg("item", state.space.item_name(warp.first_item)),
                  arg("group", state.space.group_name(warp.group)));
    const std::string group = state.space.group_name(warp.group);
    if (state.group_items <= state.warp_lanes) return tr("figure.group", arg("n", group));
    return tr("warp.warp", arg("group", group), arg("warp", warp.warp));
}

}  // namespace lab::figures
