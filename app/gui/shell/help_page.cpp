// Help: what colours and words mean, and every command with its key and what it does.
#include <algorithm>
#include <array>
#include <vector>

#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct Meaning {
    const char* id;  // its words are the translation "help.colour.<id>"
    Role edge, fill;
};
constexpr std::array kMeanings{
    Meaning{"act", Role::act, Role::act_fill},       Meaning{"read", Role::read, Role::read_fill},
    Meaning{"wrote", Role::wrote, Role::wrote_fill}, Meaning{"barrier", Role::barrier, Role::none},
    Meaning{"race", Role::race, Role::race_fill},    Meaning{"idle", Role::idle, Role::idle_fill},
};

// Words of the glossary.
constexpr std::array kConcepts{"work-item",    "work-group", "warp",       "barrier",      "launch",
                               "local-memory", "data-race",  "divergence", "bank-conflict"};

constexpr float kKeyRoom = 118;  // points

void heading(const Ui& ui, const std::string& words) {
    const TextStyle style(ui, Face::bold, kTextSize + 1, Role::act);
    ImGui::TextUnformatted(words.c_str());
}

// A key as keyboards show it.
void key_cap(const Ui& ui, const std::string& key) {
    const TextStyle style(ui, Face::mono, kSmallSize);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const ImVec2 text = ImGui::CalcTextSize(key.c_str());
    const ImVec2 high{point.x + text.x + ui.px(12), point.y + text.y + ui.px(4)};
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(point, high, ui.colour(Role::background), ui.px(4));
    into.AddRect(point, high, ui.colour(Role::border), ui.px(4), 0, ui.px(1));
    into.AddText({point.x + ui.px(6), point.y + ui.px(2)}, ui.colour(Role::text), key.c_str());
    ImGui::Dummy({high.x - point.x, high.y - point.y});
}

void command_line(const Ui& ui, const session::Command& command, float width) {
    const float left = ImGui::GetCursorPosX();
    const float top = ImGui::GetCursorPosY();
    key_cap(ui, std::string_view(command.id) == "help" ? "F1  ?" : command.key);
    ImGui::SetCursorPos({left + ui.px(kKeyRoom), top});
    ImGui::BeginGroup();
    const float room = width - ui.px(kKeyRoom);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(1)});
    {
        const TextStyle style(ui, Face::bold, kTextSize);
        wrapped(ui.tr()(std::string("command.") + command.id), room);
    }
    {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        wrapped(ui.tr()(std::string("command.") + command.id + ".tip"), room);
    }
    ImGui::PopStyleVar();
    ImGui::EndGroup();
}

void meaning_line(const Ui& ui, const Meaning& meaning, float width) {
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const ImVec2 high{point.x + ui.px(34), point.y + ui.px(20)};
    if (meaning.fill == Role::none) {
        const float y = (point.y + high.y) / 2;
        into.AddLine({point.x, y}, {high.x, y}, ui.colour(meaning.edge), ui.px(3));
    } else {
        into.AddRectFilled(point, high, ui.colour(meaning.fill), ui.px(4));
        into.AddRect(point, high, ui.colour(meaning.edge), ui.px(4), 0, ui.px(1.6F));
    }
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(46));
    const TextStyle style(ui, Face::sans, kTextSize);
    wrapped(ui.tr()(std::string("help.colour.") + meaning.id), width - ui.px(46));
    ImGui::Dummy({0, ui.px(3)});
}

void concept_line(const Ui& ui, const char* id, float width) {
    const lessons::Glossary& glossary = ui.session.glossary().glossary;
    const auto place = glossary.find(id);
    if (!place) return;
    const lessons::Word& word = glossary.words[*place];
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(1)});
    {
        const TextStyle style(ui, Face::bold, kTextSize);
        wrapped(word.title, width);
    }
    {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        wrapped(plain_text(word.words), width);
    }
    ImGui::PopStyleVar();
    ImGui::Dummy({0, ui.px(3)});
}

// Chapters go, in their order, to the column that is shortest by then.
struct Columns {
    const Ui& ui;
    float width, left, top;
    std::vector<float> ends;

    template <typename Draw>
    void chapter(Draw&& draw) {
        const auto least = std::min_element(ends.begin(), ends.end());
        const auto column = static_cast<float>(least - ends.begin());
        ImGui::SetCursorPos({left + column * (width + ui.px(28)), *least});
        ImGui::BeginGroup();
        draw();
        ImGui::EndGroup();
        *least = ImGui::GetCursorPosY() + ui.px(18);
    }
};

void chapters(Ui& ui, float room) {
    const int count = std::clamp(static_cast<int>(room / ui.px(400)), 1, 3);
    Columns columns{ui,
                    (room - static_cast<float>(count - 1) * ui.px(28)) / static_cast<float>(count),
                    ImGui::GetCursorPosX(), ImGui::GetCursorPosY(),
                    std::vector<float>(static_cast<std::size_t>(count), ImGui::GetCursorPosY())};
    columns.chapter([&] {
        heading(ui, ui.tr()("help.colours"));
        for (const Meaning& meaning : kMeanings)
            meaning_line(ui, meaning, columns.width);
    });
    columns.chapter([&] {
        heading(ui, ui.tr()("help.concepts"));
        for (const char* id : kConcepts)
            concept_line(ui, id, columns.width);
    });
    for (const session::CommandGroup& group : ui.session.commands().groups())
        columns.chapter([&] {
            heading(ui, ui.tr()(std::string("menu.") + group.id));
            for (const session::Command& command : group.commands)
                command_line(ui, command, columns.width);
        });
    ImGui::SetCursorPos(
        {columns.left, *std::max_element(columns.ends.begin(), columns.ends.end())});
    ImGui::Dummy({1, 1});
}

void scroll_by_keys(const Ui& ui) {
    const float page = ImGui::GetWindowHeight() - ui.px(60);
    if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) ImGui::SetScrollY(ImGui::GetScrollY() + page);
    if (ImGui::IsKeyPressed(ImGuiKey_PageUp))
        ImGui::SetScrollY(std::max(ImGui::GetScrollY() - page, 0.0F));
}

}  // namespace

void help_page(Ui& ui) {
    const ImVec2 window = ui.window();
    const float margin = ui.px(window.x < 800 ? 12 : 40);
    const float top = ui.px(60);
    begin_overlay(ui, "help", {margin, top},
                  {ui.px(window.x) - 2 * margin, ui.px(window.y) - top - ui.px(14)}, false);
    {
        const TextStyle style(ui, Face::bold, kTitleSize);
        ImGui::TextUnformatted(ui.tr()("command.help").c_str());
    }
    if (close_button(ui, "close", line_end())) ui.change().show("");
    {
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        wrapped(ui.tr()("help.how"), ImGui::GetContentRegionAvail().x - ui.px(40));
    }
    ImGui::Dummy({0, ui.px(4)});
    ImGui::BeginChild("chapters");
    scroll_by_keys(ui);
    chapters(ui, ImGui::GetContentRegionAvail().x - ui.px(8));
    ImGui::EndChild();
    end_overlay();
}

}  // namespace lab::gui
