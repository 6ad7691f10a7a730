// A page for the whole room: its words, then what it asks with a poll of hands, then the answer.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "gui/learn/learn_panels.h"
#include "gui/parts/presented.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using session::LearnView;
using session::Stage;

// The question stands at the end of the words, in a paragraph of its own.
std::string sentence_of(const LearnView& view) {
    const lessons::Text& words = view.shown_page().words;
    const bool asks = view.page()->ask.has_value();
    if (view.stage() == Stage::answer) {
        lessons::Text after = view.right_words();
        return std::string(trimmed(lessons::plain_text(after)));
    }
    if (!asks || words.size() < 2) return std::string(trimmed(lessons::plain_text(words)));
    const auto last = words.end() - 1;
    return std::string(trimmed(lessons::plain_text(view.stage() == Stage::words
                                                       ? lessons::Text(words.begin(), last)
                                                       : lessons::Text(last, words.end()))));
}

bool asks_in_text(const LearnView& view) {
    return view.page()->ask && (view.page()->ask->kind == lessons::Kind::line ||
                                view.page()->ask->kind == lessons::Kind::edit);
}

// As clickers send them.
void keys_of_clickers(const Ui& ui) {
    if (!ui.session.overlay().empty()) return;
    if (ImGui::IsKeyPressed(ImGuiKey_PageDown, false)) ui.run("learn.reveal");
    if (ImGui::IsKeyPressed(ImGuiKey_PageUp, false)) ui.run("learn.take_back");
}

// The words of a page may be about the text of a kernel that no page before has shown.
bool brings_kernel(const LearnView& view) {
    const std::size_t place = view.page_place();
    const auto& pages = view.lesson()->pages;
    return view.stage() == Stage::words && !view.shown_page().kernel.empty() &&
           (place == 0 || pages[place - 1].show.kernel != pages[place].show.kernel);
}

// The picture, with what stands beside it: the page's panel, the choices, or a new kernel's text.
void picture(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    const bool poll = view.poll_of_hands() && view.stage() != Stage::words;
    const bool panel = !poll && !view.panel().empty() && view.panel_wanted(true);
    // What asks for a line, or for a change, is about the text.
    const bool text = view.stage() != Stage::words && asks_in_text(view);
    const auto main = text ? learn_kernel : learn_picture;
    const bool kernel = !poll && !panel && !text && brings_kernel(view);
    if (!poll && !panel && !kernel) return main(ui, room);
    const float gap = ui.px(24);
    const float share = poll ? 0.36F : kernel ? 0.52F : 0.42F;
    const float beside = std::clamp(room.x * share, ui.px(300), ui.px(520));
    const ImVec2 point = ImGui::GetCursorPos();
    main(ui, {room.x - beside - gap, room.y});
    ImGui::SetCursorPos({point.x + room.x - beside, point.y});
    ImGui::BeginChild(poll ? "learn.poll" : "learn.beside", {beside, room.y});
    if (kernel)
        learn_kernel(ui, ImGui::GetContentRegionAvail());
    else if (poll)
        learn_poll(ui, ImGui::GetContentRegionAvail());
    else
        learn_side(ui, ImGui::GetContentRegionAvail());
    ImGui::EndChild();
}

}  // namespace

void present_learn(Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    if (view.page() == nullptr) return;
    keys_of_clickers(ui);
    Presented presented;
    presented.title = view.page()->title;
    presented.position = ui.tr()("learn.of", fmt::arg("k", view.page_place() + 1),
                                 fmt::arg("n", view.lesson()->pages.size()));
    presented.sentence = sentence_of(view);
    if (view.stage() == Stage::answer) presented.tone = Tone::good;
    presented.picture = [&](ImVec2 room) { picture(ui, room); };
    draw_presented(ui, presented);
}

}  // namespace lab::gui
