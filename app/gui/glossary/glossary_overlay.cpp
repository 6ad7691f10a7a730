// All words of the glossary: a list that follows what is typed, and the card of the chosen one.
#include <algorithm>
#include <vector>

#include "gui/glossary/glossary_card.h"
#include "gui/glossary/word_picture.h"
#include "gui/parts/pick_list.h"
#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"
#include "session/shell/find_command.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct GlossaryListState {
    PickState pick;
    std::optional<std::size_t> asked;  // the word to begin with
};

}  // namespace

void open_word(const Ui& ui, std::size_t word) {
    ui.state<GlossaryListState>().asked = word;
    ui.change().show("glossary");
}

void glossary_overlay(Ui& ui) {
    GlossaryListState& state = ui.state<GlossaryListState>();
    PickState& pick = state.pick;
    const session::GlossaryBook& book = ui.session.glossary();
    const bool appears = overlay_appears(ui);
    if (appears || state.asked) {
        pick = {};
        pick.at = state.asked.value_or(0);
        pick.moved = state.asked.has_value();
        state.asked.reset();
    }
    const ImVec2 window = ui.window();
    const float width = std::min(980.0F, window.x - 24);
    const float top = std::min(70.0F, window.y * 0.1F);
    const float height = std::min(620.0F, window.y - top - 16);
    begin_overlay(ui, "glossary", {ui.px((window.x - width) / 2), ui.px(top)},
                  {ui.px(width), ui.px(height)});
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool stacked = width < 620;
    const float list = stacked ? room.x : std::min(ui.px(280), room.x * 0.34F);
    {
        const TextStyle style(ui, Face::bold, 16);
        ImGui::TextUnformatted(ui.tr()("command.glossary").c_str());
    }
    if (close_button(ui, "close", line_end())) ui.change().show("");
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float below = ImGui::GetContentRegionAvail().y;
    ImGui::BeginChild("words", {list, stacked ? below * 0.32F : below});
    const bool entered = pick_field(ui, pick, ui.tr()("glossary.hint"), list);
    const std::vector<std::size_t> places = session::find_words(book.glossary(), pick.text);
    std::vector<PickEntry> entries;
    for (const std::size_t place : places)
        entries.push_back({book.glossary().words[place].title, {}, {}, true, false});
    pick_list(ui, pick, entries, ImGui::GetContentRegionAvail().y, entered);
    if (places.empty()) {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        wrapped(ui.tr()("glossary.none"), list);
    }
    ImGui::EndChild();
    if (entered) pick.wants_focus = true;
    const std::optional<std::size_t> word =
        places.empty() ? std::nullopt : std::optional(places[std::min(pick.at, places.size() - 1)]);
    if (book.shown() != word || appears) ui.change().glossary().show(word);
    if (word) {
        const float gap = ui.px(18);
        const ImVec2 at{stacked ? point.x : point.x + list + gap,
                        stacked ? point.y + below * 0.32F + gap : point.y};
        ImGui::SetCursorScreenPos(at);
        ImGui::BeginChild("word", {ImGui::GetContentRegionAvail().x, 0});
        const ImVec2 card = ImGui::GetContentRegionAvail();
        const float needed = word_card_words(ui, *word, card.x) + ui.px(140);
        word_card(ui, *word, card.x, std::max(card.y, needed));
        ImGui::EndChild();
    }
    end_overlay();
}

}  // namespace lab::gui
