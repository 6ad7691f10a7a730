#include "gui/glossary/glossary_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "figures/parts/run_text/pass_text.h"
#include "gui/glossary/word_picture.h"
#include "gui/learn/page_text.h"
#include "gui/parts/widgets.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr float kWordSize = 17, kNameColumn = 66, kLeastPicture = 90, kCardPad = 14;

struct Explained {
    std::optional<std::size_t> word;  // asked for in this frame
    ImVec2 low, high;                 // where it stands
    std::string note;
    std::vector<std::size_t> marked;  // in this frame
    std::optional<std::size_t> scrolled_to;
};

struct NameLine {
    const char* system;
    std::string lessons::Word::*name;
};
constexpr std::array kNameLines{NameLine{"OpenCL", &lessons::Word::opencl},
                                NameLine{"CUDA", &lessons::Word::cuda},
                                NameLine{"WebGPU", &lessons::Word::webgpu}};

bool has_names(const lessons::Word& word) {
    return !word.opencl.empty() || !word.cuda.empty() || !word.webgpu.empty();
}

// Returns the height of the words; draws them if `draw`.
float words_part(const Ui& ui, const lessons::Word& word, const std::string& note, float width,
                 bool draw) {
    const ImVec2 point = ImGui::GetCursorScreenPos();
    float y = point.y;
    if (!note.empty()) {
        const lessons::Text words = lessons::words_of(note);
        const PageTextStyle muted{kSmallSize, Role::muted};
        if (draw) page_text(ui, words, width, muted);
        y += page_text_height(ui, words, width, muted) + ui.px(6);
    }
    {
        const TextStyle style(ui, Face::bold, kWordSize);
        if (draw)
            ImGui::GetWindowDrawList()->AddText({point.x, y}, ui.colour(Role::text),
                                                word.title.c_str());
        y += ImGui::GetTextLineHeight() + ui.px(4);
    }
    const PageTextStyle text{kTextSize, Role::text};
    if (draw) {
        ImGui::SetCursorScreenPos({point.x, y});
        page_text(ui, word.words, width, text);
    }
    y += page_text_height(ui, word.words, width, text) + ui.px(8);
    const float column = ui.px(kNameColumn);
    const PageTextStyle small{kSmallSize, Role::text}, label{kSmallSize, Role::muted};
    // What no language has a name for is a word of mathematics.
    for (const NameLine& line : kNameLines) {
        if (!has_names(word)) break;
        const std::string& own = word.*line.name;
        const lessons::Text name =
            lessons::words_of(own.empty() ? ui.tr()("glossary.no_name") : own);
        if (draw) {
            ImGui::SetCursorScreenPos({point.x, y});
            page_text(ui, lessons::words_of(line.system), column, label);
            ImGui::SetCursorScreenPos({point.x + column, y});
            page_text(ui, name, width - column, own.empty() ? label : small);
        }
        y += page_text_height(ui, name, width - column, small);
    }
    return y - point.y;
}

struct CardPlace {
    ImVec2 at, size;
};

// Below the word, else above it, else beside it; never on it.
CardPlace place_card(const Ui& ui, const Explained& shown) {
    const ImVec2 window = ImGui::GetMainViewport()->Size;
    const float edge = ui.px(8), gap = ui.px(6), pad = 2 * ui.px(kCardPad);
    const bool memory = ui.session.glossary().glossary().words[*shown.word].picture ==
                        lessons::Word::Picture::memory;
    const float width = std::min(ui.px(memory ? 560.0F : 440.0F), window.x - 2 * edge);
    const float words = word_card_words(ui, *shown.word, width - pad, shown.note) + pad;
    const float best = words + ui.px(word_picture_height(ui, *shown.word) + 26);
    // Where there is no room for the picture, the card is as high as its words.
    const auto fitting = [&](float room) {
        const float height = std::min(best, room);
        return height < words + ui.px(kLeastPicture + 26) ? std::min(words, room) : height;
    };
    const float above = shown.low.y - gap - edge, below = window.y - shown.high.y - gap - edge;
    const float x = std::clamp(shown.low.x - ui.px(30), edge, window.x - width - edge);
    if (below >= best || (below >= above && below >= words))
        return {{x, shown.high.y + gap}, {width, fitting(below)}};
    if (above >= words) {
        const float height = fitting(above);
        return {{x, shown.low.y - gap - height}, {width, height}};
    }
    // Beside it, as high as the window.
    const float right = window.x - shown.high.x - gap - edge, left = shown.low.x - gap - edge;
    const float wide = std::min(width, std::max(left, right));
    const float high = fitting(window.y - 2 * edge);
    const float top = std::clamp(shown.low.y - high / 2, edge, window.y - edge - high);
    return {{right >= left ? shown.high.x + gap : shown.low.x - gap - wide, top}, {wide, high}};
}

}  // namespace

float word_card_words(const Ui& ui, std::size_t word, float width, const std::string& note) {
    return words_part(ui, ui.session.glossary().glossary().words[word], note, width, false);
}

void word_card(Ui& ui, std::size_t word, float width, float height, const std::string& note) {
    const session::GlossaryBook& book = ui.session.glossary();
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float words = words_part(ui, book.glossary().words[word], note, width, true);
    float y = point.y + words + ui.px(8);
    const float line = ui.px(18), room = height - (y - point.y) - line;
    ImGui::SetCursorScreenPos({point.x, y});
    if (room >= ui.px(kLeastPicture) && book.run() != nullptr && book.shown() == word) {
        word_picture(ui, {width, room});
        y += room;
        ImGui::SetCursorScreenPos({point.x, y});
        label(ui, ui.metrics.shortened(figures::subtitle(book.run()->table, ui.tr()),
                                       width / ui.scale, kSmallSize, Face::sans));
    }
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({width, height});
}

void explain(const Ui& ui, std::size_t word, ImVec2 low, ImVec2 high, std::string note) {
    Explained& state = ui.state<Explained>();
    const bool focused = ui.session.glossary().focus() == word;
    const bool hovered =
        ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort | ImGuiHoveredFlags_NoSharedDelay);
    if (focused && state.scrolled_to != word) ImGui::SetScrollHereY(0.3F);
    if (focused) state.scrolled_to = word;
    if (!hovered && !(focused && !state.word)) return;
    state.word = word;
    state.low = low;
    state.high = high;
    state.note = std::move(note);
}

void explain_item(const Ui& ui, const char* word_id, const std::string& note) {
    if (const auto word = ui.session.glossary().glossary().find(word_id))
        explain(ui, *word, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), note);
    else
        tip(ui, note);
}

void marked_part(const Ui& ui, std::size_t word, std::size_t part, ImVec2 low, ImVec2 high) {
    const session::GlossaryBook& book = ui.session.glossary();
    const std::string& id = book.glossary().words[word].id;
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const float dot = ui.px(1.5F), y = high.y - ui.px(1.5F);
    for (float x = low.x; x < high.x; x += 2.2F * dot)
        into.AddRectFilled({x, y}, {x + dot, y + dot}, ui.colour(Role::act));
    if (book.focus() == word)
        into.AddRect({low.x - ui.px(1), low.y - ui.px(2)}, {high.x + ui.px(1), high.y + ui.px(2)},
                     ui.colour(Role::act), ui.px(4), 0, ui.px(1.6F));
    ImGui::SetCursorScreenPos(low);
    const std::string name = part == 0 ? "word." + id : fmt::format("word.{}.{}", id, part + 1);
    if (ImGui::InvisibleButton(name.c_str(), {std::max(high.x - low.x, 1.0F), high.y - low.y}))
        open_word(ui, word);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    explain(ui, word, low, high);
}

void mark_words(const Ui& ui, const std::string& text, ImVec2 point, float width) {
    std::vector<lessons::FoundWord> found = ui.session.glossary().finder().find(text);
    std::erase_if(found, [&](const auto& each) { return !mark_word(ui, each.word); });
    ImFont* font = ImGui::GetFont();
    const float size = ImGui::GetFontSize(), line = ImGui::GetTextLineHeight();
    const char* const end = text.data() + text.size();
    float y = point.y;
    for (const char* begin = text.data(); begin < end && !found.empty(); y += line) {
        const char* stop = font->CalcWordWrapPosition(size, begin, end, width);
        stop = std::find(begin, stop, '\n');
        for (const lessons::FoundWord& each : found) {
            const char* const word = text.data() + each.begin;
            const char *first = std::max(word, begin), *last = std::min(word + each.length, stop);
            if (first >= last) continue;
            const float left = ImGui::CalcTextSize(begin, first).x;
            const float right = ImGui::CalcTextSize(begin, last).x;
            marked_part(ui, each.word, first > word ? 1 : 0, {point.x + left, y},
                        {point.x + right, y + line + ui.px(1)});
        }
        begin = stop;
        if (begin < end && *begin == '\n')
            ++begin;
        else
            while (begin < end && *begin == ' ')  // as ImGui does after a line
                ++begin;
    }
}

bool mark_word(const Ui& ui, std::size_t word) {
    std::vector<std::size_t>& marked = ui.state<Explained>().marked;
    if (std::find(marked.begin(), marked.end(), word) != marked.end()) return false;
    marked.push_back(word);
    return true;
}

void word_tip(Ui& ui) {
    Explained& state = ui.state<Explained>();
    const session::GlossaryBook& book = ui.session.glossary();
    ui.change().glossary().set_in_sight(std::exchange(state.marked, {}));
    // Where a field has the keys, Escape is no command, but it closes the card all the same.
    if (book.focus() && ImGui::GetIO().WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Escape)) {
        ui.change().glossary().drop_focus();
        state.word.reset();
    }
    if (!book.focus()) state.scrolled_to.reset();
    const bool list = ui.session.overlay() == "glossary";
    if (list || (state.word && *state.word >= book.glossary().words.size())) state.word.reset();
    if (!list && book.shown() != state.word) ui.change().glossary().show(state.word);
    if (!state.word) return;
    const CardPlace place = place_card(ui, state);
    ImGui::SetNextWindowPos(place.at);
    ImGui::SetNextWindowSize(place.size);
    ImGui::PushStyleColor(ImGuiCol_PopupBg, ui.colour4(Role::panel));
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colour4(Role::idle));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(kCardPad), ui.px(kCardPad)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(8));
    ImGui::Begin("word", nullptr,
                 ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoInputs |
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    word_card(ui, *state.word, room.x, room.y, state.note);
    ImGui::End();
    state.word.reset();
}

}  // namespace lab::gui
