#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "catalogue/number.h"
#include "gui/measure/measure_panels.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

void bar(const Ui& ui, float part, bool right) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ImGui::GetTextLineHeight();
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(
        {point.x, point.y + height * 0.2F},
        {point.x + std::max(width * std::clamp(part, 0.0F, 1.0F), ui.px(2)),
         point.y + height * 0.8F},
        ui.colour(right ? Role::act : Role::race), ui.px(3));
    ImGui::Dummy({width, height});
}

void right_aligned(const std::string& text) {
    const float x = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x -
                    ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SetCursorPosX(x);
    ImGui::TextUnformatted(text.c_str());
}

// What a narrow table leaves out.
struct TableShape {
    bool bars = true, wall = true, words = true;  // words: beside the tick of a right row
    bool groups = false;                          // whether rows are distinguished by them
    bool devices = false;                         // likewise
    int columns() const { return 5 + (bars ? 1 : 0) + (wall ? 1 : 0); }
};

// A tick is for what is known to be right.
const char* sign_of(const results::Row& row) {
    return !row.right ? "✗" : row.expect == "unknown" ? "–" : row.expect == "races" ? "!" : "✓";
}

std::string verdict_of(const Ui& ui, const results::Row& row) {
    if (!row.right)
        return ui.tr()(row.expect == "races" ? "measure.races_wrong" : "measure.wrong_for",
                       fmt::arg("got", row.result), fmt::arg("want", row.expected));
    if (row.expect == "unknown") return unknown_text(ui, row);
    if (row.expect == "partial") return "✓ " + ui.tr()("measure.partial");
    if (row.expect == "races") return "! " + ui.tr()("measure.races");
    return ui.tr()(row.exact.empty() ? "measure.right" : "measure.right_wrapped");
}

// Of a right float, how far it may be from the exact value, and is; of an integer that wrapped, the
// exact value.
std::string nearness_of(const Ui& ui, const results::Row& row) {
    if (row.right && !row.exact.empty())
        return "\n" + ui.tr()("measure.wrapped", fmt::arg("exact", row.exact));
    if (!row.right || row.bound <= 0) return {};
    return "\n" + ui.tr()("measure.within", fmt::arg("error", fmt::format("{:.1e}", row.error)),
                          fmt::arg("bound", fmt::format("{:.1e}", row.bound)));
}

void table_row(Ui& ui, const results::Row& row, const std::string& device, double best,
               const TableShape& shape) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    {
        const TextStyle style(ui, Face::sans, kTextSize);
        std::string title = title_of(ui, row);
        for (const auto& [name, value] : row.set)
            title += fmt::format(" {}={}", name, value);
        if (shape.groups && row.kind == "variant")
            title += " · " + ui.tr()("chart.group", fmt::arg("group", row.group));
        if (shape.devices) title += " · " + device;
        if (row.cache == "warm") title += " · " + ui.tr()("measure.warm");
        std::string more = launch_text(ui, row);
        if (const std::string parts = parts_text(ui, row); !parts.empty())
            more += (more.empty() ? "" : "\n") + parts;
        ImGui::TextUnformatted(ui.metrics
                                   .shortened(title, ImGui::GetContentRegionAvail().x / ui.scale,
                                              kTextSize, Face::sans)
                                   .c_str());
        tip(ui, more.empty() ? title : title + "\n" + more);
    }
    const TextStyle style(ui, Face::mono, kTextSize);
    const auto cell = [](const std::string& text) {
        ImGui::TableNextColumn();
        right_aligned(text);
    };
    cell(catalogue::size_text(row.n));
    cell(catalogue::figure_text(row.device_median()));
    if (shape.wall) {
        cell(catalogue::figure_text(row.wall_median()));
        if (row.device_median() > row.wall_median()) tip(ui, ui.tr()("column.wall.less"));
    }
    cell(catalogue::figure_text(row.gigabytes_per_second()));
    if (shape.bars) {
        ImGui::TableNextColumn();
        bar(ui, best > 0 ? static_cast<float>(row.gigabytes_per_second() / best) : 0, row.right);
    }
    ImGui::TableNextColumn();
    const TextStyle verdict(ui, Face::sans, kTextSize,
                            !row.right                ? Role::race
                            : row.expect == "unknown" ? Role::muted
                            : row.expect == "races"   ? Role::barrier_text
                                                      : Role::wrote);
    const std::string words = verdict_of(ui, row);
    const std::string fitting = ui.metrics.shortened(
        words, ImGui::GetContentRegionAvail().x / ui.scale, kTextSize, Face::sans);
    ImGui::TextUnformatted(shape.words ? fitting.c_str() : sign_of(row));
    tip(ui, row.expect == "unknown" ? unknown_tip(ui, row) : words + nearness_of(ui, row));
}

// Whether a variant has rows of several group sizes at one n.
bool by_group(const results::Measurements* results) {
    std::map<std::tuple<std::string, std::string, std::uint64_t>, std::uint64_t> first;
    return std::any_of(results->rows.begin(), results->rows.end(), [&](const results::Row& row) {
        const auto key = std::tuple(row.variant, catalogue::settings_text(row.set), row.n);
        return first.try_emplace(key, row.group).first->second != row.group;
    });
}

}  // namespace

std::string title_of(const Ui& ui, const results::Row& row) {
    return ui.tr().get("variant." + row.variant + ".title", row.title);
}

std::string unknown_text(const Ui& ui, const results::Row& row) {
    return ui.tr()(row.expected.empty()         ? "measure.unknown"
                   : row.expected == row.result ? "measure.unknown.same"
                                                : "measure.unknown.differs");
}

std::string unknown_tip(const Ui& ui, const results::Row& row) {
    std::string text =
        unknown_text(ui, row) + "\n" +
        ui.tr()("measure.unknown.why", fmt::arg("bytes", catalogue::bytes_text(row.bytes)));
    if (!row.result.empty())
        text += "\n" + ui.tr()("measure.unknown.device", fmt::arg("values", row.result));
    if (row.expected != row.result && !row.expected.empty())
        text += "\n" + ui.tr()("measure.unknown.simulator", fmt::arg("values", row.expected));
    return text;
}

std::string launch_text(const Ui& ui, const results::Row& row) {
    if (row.chosen_by.empty() || !row.parts.empty()) return {};  // parts have each their own
    std::string shape;
    for (const auto& [name, value] : row.chosen)
        if (name != "group") shape += fmt::format("  {}={}", name, value);
    shape = ui.tr()("chart.group", fmt::arg("group", row.group)) + shape;
    return ui.tr()("measure.launched." + row.chosen_by, fmt::arg("shape", shape));
}

void measure_table(Ui& ui, std::span<const results::Measurements* const> all) {
    const float room = ImGui::GetContentRegionAvail().x / ui.scale;
    const bool groups = std::any_of(all.begin(), all.end(), by_group);  // longer names
    const bool devices = all.size() > 1;
    const bool names = groups || devices;
    const TableShape shape{room > (names ? 980 : 780), room > 700, room > 560, groups, devices};
    const float tight = shape.words ? 1 : 0.72F;
    const float verdicts = std::clamp(room * 0.19F, 130.0F, 210.0F);
    if (!ImGui::BeginTable("rows", shape.columns(),
                           ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY |
                               ImGuiTableFlags_PadOuterX | ImGuiTableFlags_NoSavedSettings))
        return;
    double best = 0;
    for (const results::Measurements* results : all)
        for (const results::Row& row : results->rows)
            if (row.ranked() || row.expect == "unknown")
                best = std::max(best, row.gigabytes_per_second());
    struct Column {
        const char* key;
        float points;
    };
    std::vector<Column> columns{Column{"column.variant", 0},
                                Column{"column.n", 70},
                                Column{"column.device", 90},
                                Column{"column.wall", 90},
                                Column{"column.bandwidth", 70},
                                Column{"", 0},
                                Column{"column.checked", shape.words ? verdicts : 30.0F}};
    std::erase_if(columns, [&](const Column& column) {
        const std::string_view key = column.key;
        return (key.empty() && !shape.bars) || (key == "column.wall" && !shape.wall);
    });
    for (const Column& column : columns)
        ImGui::TableSetupColumn(column.key,
                                column.points > 0 ? ImGuiTableColumnFlags_WidthFixed
                                                  : ImGuiTableColumnFlags_WidthStretch,
                                column.points > 0  ? ui.px(column.points * tight)
                                : *column.key != 0 ? 1.6F
                                                   : 1.0F);
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableNextRow();
    for (const Column& column : columns) {
        ImGui::TableNextColumn();
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        const bool number = column.points > 0 && std::string_view(column.key) != "column.checked";
        const bool no_room = !shape.words && std::string_view(column.key) == "column.checked";
        const std::string words = *column.key == 0 || no_room ? "" : ui.tr()(column.key);
        if (number)
            right_aligned(words);
        else
            ImGui::TextUnformatted(words.c_str());
        if (std::string_view(column.key) == "column.wall") tip(ui, ui.tr()("column.wall.tip"));
    }
    for (const results::Measurements* results : all)
        for (const results::Row& row : results->rows)
            table_row(ui, row, results->device.name, best, shape);
    ImGui::EndTable();
}

}  // namespace lab::gui
