#include "gui/choice_fields.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // a letter as UTF-8
#include <imgui_stdlib.h>

#include "figures/pass_text.h"
#include "figures/run_text.h"
#include "session/session.h"

namespace lab::gui {

std::string title_of(const Ui& ui, const catalogue::Kernel& variant) {
    return figures::variant_title(variant.id, variant.title, ui.tr());
}

std::string chosen_title(const Ui& ui) {
    const session::RunChoice& choice = ui.choice();
    if (choice.user_kernel) return catalogue::title_of(*choice.user_kernel);
    const catalogue::Kernel* variant = ui.session.variant();
    return variant != nullptr ? title_of(ui, *variant) : choice.variant;
}

void beside_title(const Ui& ui, const std::string& text, float room) {
    if (room > ui.px(30)) return fitted_line(ui, text, room, Face::sans, kTextSize, Role::muted);
    text_line(ui, "", Face::sans, kTextSize);
}

float kernel_title(Ui& ui, const std::string& title, float room) {
    const TextStyle style(ui, Face::bold, kTitleSize);
    if (!ui.folds_list() && shown_view(ui).has(Place::left)) {
        fitted_line(ui, title, room, Face::bold, kTitleSize);
        return ImGui::GetItemRectSize().x;
    }
    constexpr float kSign = 30;  // points, of the triangle behind it
    const session::Command& command = ui.session.command("variant.list");
    const std::string words = ui.metrics.shortened(title, std::max(room / ui.scale - kSign, 40.0F),
                                                   kTitleSize, Face::bold);
    const ImVec2 point = ImGui::GetCursorScreenPos(), text = ImGui::CalcTextSize(words.c_str());
    const ImVec2 size{text.x + ui.px(kSign), ui.px(32)};
    if (ImGui::InvisibleButton(command.id, size)) ui.run(command);
    const Pen pen(ui);
    const bool lit = ImGui::IsItemHovered() || ui.session.overlay == "variant.list";
    if (lit)
        pen.fill({point.x - ui.px(6), point.y}, {point.x + size.x, point.y + size.y},
                 Role::act_fill, ui.px(6));
    const Role role = lit ? Role::act : Role::text;
    pen.text({point.x, point.y + (size.y - text.y) / 2}, words, role);
    const ImVec2 sign{point.x + text.x + ui.px(14), point.y + size.y / 2};
    pen.triangle({sign.x - ui.px(5), sign.y - ui.px(3)}, {sign.x + ui.px(5), sign.y - ui.px(3)},
                 {sign.x, sign.y + ui.px(4)}, role);
    command_tip(ui, command);
    return size.x;
}

std::string obstacle_text(const Ui& ui, const results::DeviceInfo& device,
                          const catalogue::Kernel& variant, catalogue::Type type) {
    // In the order of Need.
    static constexpr std::array kKeys{"lacks.sub_groups", "lacks.group_collectives",
                                      "lacks.atomics", "lacks.ptx"};
    catalogue::Shape shape;  // with the toggles as the header has them
    shape.type = type;
    const std::vector<catalogue::Need> missing = missing_needs(device, variant, shape);
    return missing.empty() ? "" : ui.tr()(kKeys.at(static_cast<std::size_t>(missing.front())));
}

std::string op_name(const Ui& ui, catalogue::Op op) {
    return ui.tr()(std::string("op.") + name_of(op));
}

std::string type_name(catalogue::Type type) {
    return info(type).name;
}

std::vector<std::uint64_t> group_sizes() {
    return {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
}

void key_tip(Ui& ui, const char* first, const char* second) {
    const session::Command& command = ui.session.command(first);
    std::string keys = command.key;
    if (second != nullptr) keys += fmt::format("   {}", ui.session.command(second).key);
    tip(ui, ui.tr()(std::string("command.") + command.id + ".tip"), keys.c_str());
}

void toggle_fields(Ui& ui, session::RunChoice& choice, Flow& flow) {
    const catalogue::Kernel* variant = ui.session.variant();
    if (variant == nullptr) return;
    for (const catalogue::Toggle& toggle : variant->toggles)
        flow.field(toggle.name, 122, [&](float width) {
            const auto set = choice.shape.set.find(toggle.name);
            std::string value = set == choice.shape.set.end() ? toggle.values.front() : set->second;
            if (value_combo(ui, ("###" + toggle.name).c_str(), toggle.values, value, width,
                            [](const std::string& each) { return each; }))
                choice.shape.set[toggle.name] = value;
            tip(ui, ui.tr()("field.toggle.tip", arg("name", toggle.name)));
        });
}

namespace {

struct Typed {
    std::string text;                  // as it is being typed
    std::optional<std::string> shown;  // what held when that began
};

struct TypedState {
    std::map<std::string, Typed> fields;  // by id
};

}  // namespace

std::optional<std::string> typed(const Ui& ui, const std::string& id, const std::string& now,
                                 float width, const std::string& hint) {
    auto& [text, shown] = ui.state<TypedState>().fields[id];
    if (shown != now) shown = text = now;
    ImGui::SetNextItemWidth(width);
    ImGui::InputTextWithHint(("###" + id).c_str(), hint.c_str(), &text);
    if (!ImGui::IsItemDeactivatedAfterEdit()) return std::nullopt;
    shown.reset();
    return text;
}

// A combo of what the kernel takes; of a single thing it says why there is no other.
template <typename Value, typename Words>
static void taken_field(Ui& ui, const char* id, const std::vector<Value>& taken, Value& value,
                        const char* command, const char* only, float width, const Words& words) {
    ImGui::BeginDisabled(taken.size() == 1);
    value_combo(ui, id, taken, value, width, words);
    ImGui::EndDisabled();
    if (taken.size() == 1)
        tip(ui, ui.tr()(only));
    else
        key_tip(ui, command);
}

void op_and_type_fields(Ui& ui, session::RunChoice& choice, Flow& flow) {
    flow.field(ui.tr()("field.op"), 100, [&](float w) {
        taken_field(ui, "###op", ops_taken(ui.session), choice.shape.op, "op.next", "field.op.only",
                    w, [&](catalogue::Op op) { return op_name(ui, op); });
    });
    flow.field(ui.tr()("field.type"), 80, [&](float w) {
        taken_field(ui, "###type", types_taken(ui.session), choice.shape.type, "type.next",
                    "field.type.only", w, type_name);
    });
}

namespace {

void keep_early_letters(PickState& state) {
    if (state.typing) return;
    for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters) {
        char bytes[5] = {};
        if (letter < 32 || letter == 127) continue;
        ImTextCharToUtf8(bytes, static_cast<unsigned>(letter));
        state.text += bytes;
    }
}

void move_by_keys(PickState& state, std::size_t count) {
    const auto by = [&](ImGuiKey key, std::ptrdiff_t step) {
        if (count == 0 || !ImGui::IsKeyPressed(key)) return;
        const auto last = static_cast<std::ptrdiff_t>(count) - 1;
        auto position = static_cast<std::ptrdiff_t>(state.at) + step;
        if (step == 1 && position > last) position = 0;
        if (step == -1 && position < 0) position = last;
        state.at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(position, 0, last));
        state.moved = true;
    };
    by(ImGuiKey_DownArrow, 1);
    by(ImGuiKey_UpArrow, -1);
    by(ImGuiKey_PageDown, 10);
    by(ImGuiKey_PageUp, -10);
}

void folder_mark(const Ui& ui, ImVec2 point, float size) {
    const Pen pen(ui);
    pen.fill({point.x, point.y + size * 0.1F}, {point.x + size * 0.45F, point.y + size * 0.3F},
             Role::muted, ui.px(1));
    pen.fill({point.x, point.y + size * 0.2F}, {point.x + size, point.y + size * 0.9F}, Role::muted,
             ui.px(2));
}

// One line; whether it was clicked.
bool line(const Ui& ui, const PickEntry& entry, bool here) {
    const float height = ui.px(kTouch);
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton("line", {width, height});
    const Pen pen(ui);
    if (here || ImGui::IsItemHovered())
        pen.fill(point, {point.x + width, point.y + height},
                 here ? Role::act_fill : Role::idle_fill, ui.px(6));
    if (here)
        pen.fill({point.x, point.y + ui.px(5)}, {point.x + ui.px(3), point.y + height - ui.px(5)},
                 Role::act, ui.px(2));
    float x = point.x + ui.px(12);
    float end = point.x + width - ui.px(10);
    const auto write = [&](const std::string& text, Face face, float size, Role role, float from,
                           float to) {
        const TextStyle style(ui, face, size, role);
        const std::string fits = ui.metrics.shortened(text, (to - from) / ui.scale, size, face);
        pen.text({from, point.y + (height - ImGui::GetFontSize()) / 2}, fits, role);
        return words_width(fits);
    };
    if (!entry.key.empty()) {
        const float wide =
            ui.px(ui.metrics.text_width(entry.key, kSmallSize, Face::mono)) + ui.px(2);
        write(entry.key, Face::mono, kSmallSize, Role::muted, end - wide, end + ui.px(8));
        end -= wide + ui.px(12);
    }
    if (entry.folder) {
        folder_mark(ui, {x, point.y + (height - ui.px(13)) / 2}, ui.px(13));
        x += ui.px(22);
    }
    x += write(entry.title, here ? Face::bold : Face::sans, kTextSize,
               entry.enabled ? Role::text : Role::idle, x, end) +
         ui.px(12);
    if (end - x > ui.px(40)) write(entry.detail, Face::sans, kSmallSize, Role::muted, x, end);
    return pressed;
}

}  // namespace

bool pick_field(const Ui& ui, PickState& state, const std::string& hint, float width) {
    keep_early_letters(state);
    const std::string before = state.text;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), ui.px(9)});
    ImGui::SetNextItemWidth(width);
    if (state.wants_focus) ImGui::SetKeyboardFocusHere();
    state.wants_focus = false;
    const bool entered = ImGui::InputTextWithHint("###typed", hint.c_str(), &state.text,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    state.typing = ImGui::IsItemActive();
    ImGui::PopStyleVar();
    if (state.text != before) state.at = 0;
    return entered;
}

std::optional<std::size_t> pick_list(const Ui& ui, PickState& state,
                                     std::span<const PickEntry> entries, float height,
                                     bool entered) {
    move_by_keys(state, entries.size());
    state.at = entries.empty() ? 0 : std::min(state.at, entries.size() - 1);
    std::optional<std::size_t> chosen;
    if (entered && !entries.empty()) chosen = state.at;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(2)});
    ImGui::BeginChild("entries", {0, height});
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Scope id = with_id(static_cast<int>(i));
        if (line(ui, entries[i], i == state.at)) {
            state.at = i;
            chosen = i;
        }
        if (state.moved && i == state.at) ImGui::SetScrollHereY(0.5F);
    }
    state.moved = false;
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return chosen;
}

void variables_table(const Ui& ui, const std::vector<analysis::VariableRow>& rows,
                     const IndexSpace& space, std::uint64_t first_item, std::uint64_t running) {
    if (rows.empty()) return label(ui, ui.tr()("side.no_variables"));
    const auto columns = static_cast<int>(rows.front().values.size()) + 1;
    if (!ImGui::BeginTable("variables", columns,
                           ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                               ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_BordersInnerV))
        return;
    {
        ImGui::TableSetupScrollFreeze(1, 1);
        const TextStyle style(ui, Face::mono, kSmallSize);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        for (int lane = 0; lane + 1 < columns; ++lane) {
            ImGui::TableNextColumn();
            const bool on = (running >> lane & 1U) != 0;
            bold_line(ui,
                      ui.tr()("warp.item",
                              arg("item",
                                  space.item_name(first_item + static_cast<std::uint64_t>(lane)))),
                      kSmallSize, on ? Role::act : Role::muted);
        }
        for (const analysis::VariableRow& row : rows) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row.name.c_str());
            tip(ui, fmt::format("{} {}, {}", row.type, row.name,
                                ui.tr()("state.line", arg("line", row.line))));
            for (std::size_t lane = 0; lane < row.values.size(); ++lane) {
                ImGui::TableNextColumn();
                const bool on = (running >> lane & 1U) != 0;
                coloured(ui, row.values[lane], on ? Role::text : Role::muted);
            }
        }
    }
    ImGui::EndTable();
}

}  // namespace lab::gui
