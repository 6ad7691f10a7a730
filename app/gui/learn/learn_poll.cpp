// A poll of hands beside the presented picture: the choices, a bar for each, and a field for the
// hands of the one that is counted. The field has the keys as long as it is there, so that a digit
// is a count and not a command.
#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "gui/learn/learn_marks.h"
#include "gui/learn/learn_panels.h"
#include "gui/learn/page_text.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using session::LearnView;
using session::Stage;

constexpr float kChoice = 17, kField = 58;  // points

struct PollState {
    std::uint64_t version = 0;  // of the page and the place whose field it is
    std::size_t place = 0;
    std::string hands, value;
    bool takes_keys = false;  // the field has come just now
};

// What has to happen while the field has the keys of the window.
void keys_of_window(Ui& ui, const session::HandPoll& poll) {
    if (ImGui::GetIO().KeyAlt) return;  // a command, which works in a field
    struct Forwarded {
        ImGuiKey key;
        const char* command;
    };
    constexpr std::array kForwarded{Forwarded{ImGuiKey_RightArrow, "step.forward"},
                                    Forwarded{ImGuiKey_LeftArrow, "step.back"},
                                    Forwarded{ImGuiKey_Escape, "cancel"}};
    for (const Forwarded& each : kForwarded)
        if (ImGui::IsKeyPressed(each.key)) ui.run(each.command);
    const std::size_t count = poll.places();
    LearnView& view = ui.change<LearnView>();
    const bool next = ImGui::IsKeyPressed(ImGuiKey_DownArrow) ||
                      (!poll.by_value && (ImGui::IsKeyPressed(ImGuiKey_Enter) ||
                                          ImGui::IsKeyPressed(ImGuiKey_KeypadEnter)));
    if (count > 0 && next) view.point_poll((poll.place + 1) % count);
    if (count > 0 && ImGui::IsKeyPressed(ImGuiKey_UpArrow))
        view.point_poll((poll.place + count - 1) % count);
}

void take_keys(PollState& state) {
    if (state.takes_keys || !ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
    state.takes_keys = false;
}

std::string text_of(const Ui& ui, const session::PollChoice& choice) {
    const LearnView& view = ui.view<LearnView>();
    if (!choice.option) return choice.text;
    const lessons::Option& option = view.shown_page().question.options[*choice.option];
    return option.label ? lessons::plain_text({view.shown_page().labels[*option.label]})
                        : option_text(ui, option);
}

lessons::Text words_of(const Ui& ui, const session::PollChoice& choice) {
    const LearnView& view = ui.view<LearnView>();
    lessons::Paragraph words;
    if (choice.option && view.shown_page().question.options[*choice.option].label)
        words.spans = view.shown_page()
                          .labels[*view.shown_page().question.options[*choice.option].label]
                          .spans;
    else
        words.spans = {{text_of(ui, choice), false, false, false, ""}};
    return {words};
}

// The hands, as a bar below the words and a number behind it; or the field for them.
void choice_row(Ui& ui, std::size_t place, float width, bool told) {
    const session::HandPoll& poll = *ui.view<LearnView>().poll_of_hands();
    const session::PollChoice& choice = poll.choices[place];
    const bool counted = poll.place == place && !told;
    const Mark mark = told && choice.right ? Mark::right : Mark::none;
    const float pad = ui.px(10), field = ui.px(kField);
    const PageTextStyle style{kChoice, told && !choice.right ? Role::muted : Role::text};
    const lessons::Text words = words_of(ui, choice);
    const float inner = width - 3 * pad - field;
    const float high = std::max(page_text_height(ui, words, inner, style) + 2 * pad + ui.px(8),
                                ui.px(kTouch) + pad);
    const ImVec2 point = ImGui::GetCursorScreenPos(), end{point.x + width, point.y + high};
    if (counted) ImGui::SetNextItemAllowOverlap();
    if (ImGui::InvisibleButton(fmt::format("poll.{}", place + 1).c_str(), {width, high}))
        ui.change<LearnView>().point_poll(place);
    if (!told) tip(ui, ui.tr()("learn.poll.tip"), "Up, Down");
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(point, end, ui.colour(fill_of(mark, counted)), ui.px(7));
    into.AddRect(point, end, ui.colour(edge_of(mark, counted)), ui.px(7), 0,
                 ui.px(counted || mark == Mark::right ? 2.0F : 1.2F));
    ImGui::SetCursorScreenPos({point.x + pad, point.y + pad * 0.8F});
    page_text(ui, words, inner, style);
    const std::uint32_t most = std::max<std::uint32_t>(poll.most(), 1);
    const float bar = inner * static_cast<float>(choice.hands) / static_cast<float>(most);
    const float y = end.y - pad * 0.7F - ui.px(6);
    into.AddRectFilled({point.x + pad, y}, {point.x + pad + inner, y + ui.px(6)},
                       ui.colour(Role::idle_fill), ui.px(3));
    if (choice.hands > 0)
        into.AddRectFilled({point.x + pad, y},
                           {point.x + pad + std::max(bar, ui.px(6)), y + ui.px(6)},
                           ui.colour(mark == Mark::right ? Role::wrote
                                     : told              ? Role::idle
                                                         : Role::act),
                           ui.px(3));
    const float left = end.x - pad - field;
    const TextStyle number(ui, Face::mono, kChoice);
    if (counted) {
        PollState& state = ui.state<PollState>();
        ImGui::SetCursorScreenPos({left, point.y + (high - ImGui::GetFrameHeight()) / 2});
        ImGui::SetNextItemWidth(field);
        take_keys(state);
        // Of this place alone: a field that has the keys gives back what is in it when it ends.
        ImGui::PushID(static_cast<int>(place));
        if (ImGui::InputText("###poll.hands", &state.hands,
                             ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_AutoSelectAll))
            ui.change<LearnView>().count_hands(
                static_cast<std::uint32_t>(std::strtoul(state.hands.c_str(), nullptr, 10)));
        ImGui::PopID();
        tip(ui, ui.tr()("learn.poll.hands.tip"));
    } else {
        const std::string text = choice.hands > 0 ? fmt::format("{}", choice.hands) : "";
        const ImVec2 size = ImGui::CalcTextSize(text.c_str());
        into.AddText({end.x - pad - size.x - ui.px(4), point.y + (high - size.y) / 2},
                     ui.colour(Role::text), text.c_str());
    }
    ImGui::SetCursorScreenPos(after);
}

// A value that somebody says; Enter makes it a choice.
void value_row(Ui& ui, float width) {
    const session::HandPoll& poll = *ui.view<LearnView>().poll_of_hands();
    PollState& state = ui.state<PollState>();
    const bool here = poll.place == poll.choices.size();
    if (!here) {
        if (act_button(ui, "poll.more", ui.tr()("learn.poll.more"), false, {width, ui.px(kTouch)}))
            ui.change<LearnView>().point_poll(poll.choices.size());
        tip(ui, ui.tr()("learn.poll.value.tip"), "Down");
        return;
    }
    label(ui, ui.tr()("learn.poll.value"));
    const TextStyle number(ui, Face::mono, kChoice);
    ImGui::SetNextItemWidth(width);
    take_keys(state);
    if (ImGui::InputText("###poll.value", &state.value, ImGuiInputTextFlags_EnterReturnsTrue)) {
        ui.change<LearnView>().count_value(state.value);
        state.value.clear();
    }
    tip(ui, ui.tr()("learn.poll.value.tip"), "Enter");
}

}  // namespace

void learn_poll(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    if (view.stage() == Stage::question && ImGui::GetIO().WantTextInput)
        keys_of_window(ui, *view.poll_of_hands());
    if (!view.poll_of_hands()) return;  // another page has come
    const session::HandPoll& poll = *view.poll_of_hands();
    PollState& state = ui.state<PollState>();
    if (state.place != poll.place || state.version != view.shown_page().version) {
        state.place = poll.place;
        state.version = view.shown_page().version;
        const bool choice = poll.place < poll.choices.size();
        const std::uint32_t hands = choice ? poll.choices[poll.place].hands : 0;
        state.hands = hands > 0 ? fmt::format("{}", hands) : "";
        state.takes_keys = true;
    }
    const bool told = view.told();
    // Its frames are drawn around its edges.
    const float rim = ui.px(1);
    room.x -= 2 * rim;
    ImGui::Indent(rim);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + rim);
    if (!told) label(ui, ui.tr()("learn.poll"));
    for (std::size_t place = 0; place < poll.choices.size(); ++place)
        choice_row(ui, place, room.x, told);
    if (poll.by_value && !told) value_row(ui, room.x);
    if (poll.by_value && told && poll.choices.empty()) {
        const TextStyle style(ui, Face::bold, kChoice, Role::wrote);
        wrapped(view.shown_page().question.answer, room.x);
    }
    ImGui::Dummy({room.x, 0});
    ImGui::Unindent(rim);
}

}  // namespace lab::gui
