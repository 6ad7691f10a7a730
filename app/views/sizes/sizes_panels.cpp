#include "views/sizes/sizes_panels.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "base/ranges.h"
#include "figures/painters/save.h"
#include "figures/size_map_figure.h"
#include "gui/choice_fields.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"
#include "views/sizes/sizes.h"
#include "views/step/step_panels.h"

namespace lab::gui {
namespace {

using analysis::SyncPoint;
using session::SizesView;

struct SizesPanelState {
    CachedScene scene;
    Cached<std::string> sentence;
    std::string opens;  // the cell that the mouse went down on
};

constexpr float kSmallestMap = 0.6F;  // a map is drawn as much smaller before it scrolls

// Points of the room that it is laid out in.
const figures::Scene& map_scene(const Ui& ui, const analysis::SizeMap& map, ImVec2 room) {
    const auto key = fmt::format("{} {} {}", ui.view<SizesView>().version, room.x, room.y);
    return ui.state<SizesPanelState>().scene.get(ui, key, [&] {
        return size_map_figure(map, {}, {room.x, ui.palette.text_scale, false, room.y}, ui.metrics,
                               ui.tr());
    });
}

// A click on a cell opens its run.
void map_in(Ui& ui, const analysis::SizeMap& map, ImVec2 room) {
    const figures::Scene& scene = map_scene(ui, map, {room.x / ui.scale, room.y / ui.scale - 4});
    const float fit =
        std::min(room.x / ui.px(scene.width), (room.y - ui.px(4)) / ui.px(scene.height));
    const Hovered hovered =
        show_scene(ui.smaller(std::clamp(fit, kSmallestMap, 1.0F)), scene, "map", room, "shapes");
    std::string& opens = ui.state<SizesPanelState>().opens;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) opens = std::string(hovered.name);
    std::size_t row = 0, column = 0;
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && hovered.name == opens &&
        std::sscanf(opens.c_str(), "shape %zu %zu", &row, &column) == 2) {
        SizesView& view = ui.change<SizesView>();
        view.open(view.run_of_cell(row, column));
    }
}

// The pattern, once the map is whole; until then how far it is.
const std::string& map_sentence(const Ui& ui, const analysis::SizeMap& map) {
    const std::string key = std::to_string(ui.view<SizesView>().version);
    return ui.state<SizesPanelState>().sentence.get(ui, key, [&] {
        return map.complete() ? figures::size_map_sentence(map, ui.tr())
                              : ui.tr()("sizes.filling", arg("judged", map.judged),
                                        arg("all", map.cells.size()));
    });
}

Tone map_tone(const analysis::SizeMap& map) {
    return tone_of(any_of(map.cells, [](const auto& each) { return is_bad(each.verdict); }));
}

std::string side_words(const Ui& ui, const std::string& name) {
    return ui.tr().get("sizes.side." + name, ui.tr().get("field." + name, name));
}

void side_fields(Ui& ui, Flow& flow) {
    const SizesView& view = ui.view<SizesView>();
    const std::vector<std::string> names = view.side_names();
    auto [rows, columns] = view.sides();
    const auto field = [&](const char* id, std::string& side,
                           void (SizesView::*set)(const std::string&)) {
        const std::string command = std::string("sizes.") + id;
        const float words = ui.metrics.text_width(side_words(ui, side), kTextSize, Face::sans);
        flow.field(ui.tr()("field." + command), std::max(132.0F, words + 44), [&](float width) {
            if (value_combo(ui, ("###" + command).c_str(), names, side, width,
                            [&](const std::string& each) { return side_words(ui, each); }))
                (ui.change<SizesView>().*set)(side);
            key_tip(ui, command.c_str());
        });
    };
    field("rows", rows, &SizesView::set_rows);
    field("columns", columns, &SizesView::set_columns);
}

void sizes_controls(Ui& ui, float width) {
    Flow flow(ui, width);
    side_fields(ui, flow);
    if (ui.choice().user_kernel) return;
    session::RunChoice choice = ui.choice();
    op_and_type_fields(ui, choice, flow);
    toggle_fields(ui, choice, flow);
    ui.change().choose(std::move(choice));
}

// Words of `key` and of how it ends: "needed", "not_needed", …
std::string need_key(const SyncPoint& point) {
    std::string key = analysis::kSyncNeeds[static_cast<std::size_t>(point.need)];
    std::replace(key.begin(), key.end(), ' ', '_');
    return "sizes.need." + key;
}

// What was found of a barrier, with the reason.
std::string point_text(const Ui& ui, const SyncPoint& point) {
    std::string text = ui.tr()(need_key(point) + ".told");
    const auto& report = ui.view<SizesView>().barriers.answer;
    if (point.need == SyncPoint::Need::needed && report && report->shapes == 1)
        text += " " + ui.tr()("sizes.without_told",
                              arg("verdict", figures::judgement_text(point.without, ui.tr())));
    else if (point.need == SyncPoint::Need::needed)
        text += " " + ui.tr()("sizes.without", arg("n", point.without.n),
                              arg("group", point.without.group),
                              arg("verdict", figures::judgement_without(point, ui.tr())));
    if (!point.flags.empty()) text += " " + ui.tr()("sizes.flags", arg("flags", point.flags));
    if (!point.scope.empty())
        text += " " + ui.tr()(point.together ? "sizes.scope_together" : "sizes.flags",
                              arg("flags", point.scope));
    return text;
}

std::vector<LineNote> barrier_notes(const Ui& ui, std::uint32_t line) {
    std::vector<LineNote> notes;
    const auto& report = ui.view<SizesView>().barriers.answer;
    if (!report) return notes;
    for (const SyncPoint& each : report->points)
        if (each.line == line)
            notes.push_back({LineNote::Look::badge, ui.tr()(need_key(each)), point_text(ui, each)});
    return notes;
}

// Several lines of text; a click on them acts as the command does. Whether it was clicked.
bool text_button(const Ui& ui, const std::string& id, const char* command, const std::string& text,
                 float width) {
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float pad = ui.px(8);
    const float height =
        ImGui::CalcTextSize(text.c_str(), nullptr, false, width - 2 * pad).y + 2 * pad;
    const bool clicked =
        act_button(ui, id.c_str(), "", false, {width, std::max(height, ui.px(kTouch))});
    command_tip(ui, ui.session.command(command));
    const ImVec2 below = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({point.x + pad, point.y + pad});
    wrapped(text, width - 2 * pad);
    ImGui::SetCursorScreenPos(below);
    return clicked;
}

// A search: its button, that it is at work, or why it failed; whether it has found anything.
template <typename Answer>
bool search_head(Ui& ui, const char* command, const session::Asked<Answer>& asked, bool primary,
                 float width) {
    command_button(ui, command, ui.tr()(fmt::format("command.{}", command)),
                   primary && !asked.answer, width);
    if (asked.waiting) wrapped_label(ui, ui.tr()("sizes.searching"), width);
    if (asked.problem) problem_card(ui, *asked.problem, width);
    return asked.answer.has_value();
}

void numbers_found(Ui& ui, const analysis::InputSearchResult& found, float width) {
    for (std::size_t i = 0; i < found.found.size(); ++i) {
        const analysis::FoundNumbers& each = found.found[i];
        std::vector<std::string> numbers = each.numbers;
        if (!found.varied.empty()) numbers = each.arguments;
        std::erase_if(numbers, [&](const std::string& argument) {
            return !found.varied.empty() &&
                   !contains(found.varied, argument.substr(0, argument.find(':')));
        });
        const std::string text =
            ui.tr()("sizes.numbers", arg("numbers", fmt::format("{}", fmt::join(numbers, ", "))),
                    arg("group", each.judgement.group),
                    arg("verdict", figures::judgement_text(each.judgement, ui.tr())));
        if (text_button(ui, fmt::format("numbers {}", i), "sizes.numbers", text, width)) {
            SizesView& view = ui.change<SizesView>();
            view.open(view.run_of_numbers(i));
            return;
        }
    }
    wrapped_label(ui,
                  ui.tr()(found.found.empty() ? "sizes.no_numbers" : "sizes.tried",
                          arg("count", found.tried)),
                  width);
    if (found.unjudged > 0)
        wrapped_label(ui, ui.tr()("sizes.unjudged", arg("count", found.unjudged)), width);
    if (!found.depends) wrapped_label(ui, ui.tr()("sizes.independent"), width);
}

void points_found(Ui& ui, const analysis::BarrierReport& report, float width) {
    for (std::size_t i = 0; i < report.points.size(); ++i) {
        const SyncPoint& each = report.points[i];
        const std::string text =
            fmt::format("{}  {}\n{}", each.line, each.text, point_text(ui, each));
        if (!ui.view<SizesView>().opens_without(each)) {
            wrapped(text, width);
            ImGui::Dummy({0, ui.px(4)});
            continue;
        }
        if (text_button(ui, fmt::format("without {}", i), "sizes.without", text, width)) {
            SizesView& view = ui.change<SizesView>();
            view.open(view.run_without(i));
            return;
        }
    }
    if (report.points.empty()) wrapped_label(ui, ui.tr()("sizes.no_barrier"), width);
    if (report.advises()) wrapped_label(ui, ui.tr()("sizes.alone"), width);
    wrapped_label(ui, ui.tr()("sizes.racy", arg("shapes", report.shapes), arg("racy", report.racy)),
                  width);
    if (report.cure)
        wrapped(
            ui.tr()("sizes.cure", arg("call", report.cure->call), arg("line", report.cure->line)),
            width);
    else if (report.racy > 0)
        wrapped_label(ui, ui.tr()("sizes.no_cure", arg("places", report.places)), width);
}

void found_inside(Ui& ui, float width) {
    const SizesView& view = ui.view<SizesView>();
    if (search_head(ui, "sizes.inputs", view.inputs, true, width))
        numbers_found(ui, *view.inputs.answer, width);
    ImGui::Dummy({0, ui.px(6)});
    // What was clicked has taken the answers away.
    if (!ui.session.shows<SizesView>()) return;
    if (search_head(ui, "sizes.barriers", view.barriers, view.inputs.answer.has_value(), width))
        points_found(ui, *view.barriers.answer, width);
}

}  // namespace

void sizes_panel(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "sizes", area);
    const float width = ImGui::GetContentRegionAvail().x;
    const float button = words_width(ui.tr()("command.sizes.open")) + ui.px(24);
    kernel_title(ui, chosen_title(ui), std::max(0.0F, width - button - ui.px(12)));
    ImGui::SameLine();
    ImGui::SetCursorPosX(std::max(0.0F, line_end() - button));
    command_button(ui, "sizes.open", ui.tr()("command.sizes.open"));
    sizes_controls(ui, width);
    const SizesView& view = ui.view<SizesView>();
    if (view.map.problem) problem_card(ui, *view.map.problem, width);
    const bool apart = !ui.narrow() && !ui.low();
    if (view.map.answer) {
        const analysis::SizeMap& map = *view.map.answer;
        const std::string words = map_sentence(ui, map);
        const float box = message_height(ui, words, width);
        const float rest = ImGui::GetContentRegionAvail().y - box - ui.px(8);
        map_in(ui, map, {width, std::max(ui.px(80), apart ? rest : rest * 0.6F)});
        message_box(ui, words, map.complete() ? map_tone(map) : Tone::plain, width, box);
    } else if (view.map.waiting) {
        label(ui, ui.tr()("sizes.searching"));
    }
    if (!apart && ui.session.shows<SizesView>()) {
        ImGui::Dummy({0, ui.px(4)});
        const Scope child = begin_child("found");
        found_inside(ui, ImGui::GetContentRegionAvail().x - ui.px(4));
    }
}

void sizes_text(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "kernel", area);
    kernel_inside(ui, ImGui::GetContentRegionAvail(), {0, barrier_notes, false});
}

void sizes_found(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "found", area);
    found_inside(ui, ImGui::GetContentRegionAvail().x - ui.px(4));
}

void present_sizes(Ui& ui) {
    const auto& map = ui.view<SizesView>().map.answer;
    if (!map) return label(ui, ui.tr()("sizes.searching"));
    draw_presented(ui, {.title = chosen_title(ui),
                        .sentence = map_sentence(ui, *map),
                        .tone = map_tone(*map),
                        .picture = [&](ImVec2 room) { map_in(ui, *map, room); }});
}

void save_sizes(Ui& ui, const std::filesystem::path& file, const std::string& suffix) {
    const analysis::SizeMap& map = *ui.view<SizesView>().map.answer;
    const analysis::RunSpec spec = spec_of(ui.choice(), ui.session.catalogue());
    if (suffix == ".csv") return write_file(file, figures::size_map_csv(map));
    if (suffix == ".json")
        return write_file(file, figures::size_map_json(map, spec).dump(2) + "\n");
    figures::save(size_map_figure(map, figures::map_subject(spec, map), file_options(ui),
                                  ui.metrics, ui.tr()),
                  ui.palette, ui.metrics, file);
}

}  // namespace lab::gui
