#include "views/shell/shell.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/ranges.h"
#include "gui/choice_fields.h"
#include "gui/glossary.h"
#include "gui/widgets.h"
#include "session/app_commands.h"
#include "views/files/files_panels.h"
#include "views/learn/learn_panels.h"

namespace lab::gui {

constexpr std::array kOverlays{
    Overlay{"menu", menu},
    Overlay{"palette", palette, true},
    Overlay{"help", help_page},
    Overlay{"glossary", glossary_overlay, true},
    Overlay{"variant.list", variant_overlay},
    Overlay{"learn.course", course_overlay},
    Overlay{"learn.hand_in", hand_in_field, true},
    Overlay{"learn.exam", exam_field, true},
    Overlay{"learn.add_page", add_page_field, true},
    Overlay{session::kDevicesPanel, device_panel},
    Overlay{"open", open_panel, true},
    Overlay{"export", export_field, true},
    Overlay{"link", link_panel},
};

std::span<const Overlay> overlays() {
    return kOverlays;
}

bool overlay_takes_text(const session::Session& session) {
    return any_of(kOverlays, [&](const Overlay& overlay) {
        return overlay.takes_text && session.overlay == overlay.id;
    });
}

void draw_overlays(Ui& ui) {
    const std::string wanted = ui.session.overlay;
    follow_overlay(ui);
    for (const Overlay& overlay : kOverlays)
        if (wanted == overlay.id) overlay.draw(ui);
    word_tip(ui);
    notices(ui);
}

// Help: what colours and words mean, and every command with its key and what it does.
namespace {

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
    bold_line(ui, words, kTextSize + 1, Role::act);
}

// A key as keyboards show it.
void key_cap(const Ui& ui, const std::string& key) {
    const TextStyle style(ui, Face::mono, kSmallSize);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const ImVec2 text = ImGui::CalcTextSize(key.c_str());
    const ImVec2 high{point.x + text.x + ui.px(12), point.y + text.y + ui.px(4)};
    const Pen pen(ui);
    pen.fill(point, high, Role::background, ui.px(4));
    pen.frame(point, high, Role::border, ui.px(4), ui.px(1));
    pen.text({point.x + ui.px(6), point.y + ui.px(2)}, key, Role::text);
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
    wrapped(ui, ui.tr()(std::string("command.") + command.id), room, Face::bold, kTextSize);
    wrapped_label(ui, ui.tr()(std::string("command.") + command.id + ".tip"), room);
    ImGui::PopStyleVar();
    ImGui::EndGroup();
}

void meaning_line(const Ui& ui, const Meaning& meaning, float width) {
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const Pen pen(ui);
    const ImVec2 high{point.x + ui.px(34), point.y + ui.px(20)};
    if (meaning.fill == Role::none) {
        const float y = (point.y + high.y) / 2;
        pen.line({point.x, y}, {high.x, y}, meaning.edge, ui.px(3));
    } else {
        pen.fill(point, high, meaning.fill, ui.px(4));
        pen.frame(point, high, meaning.edge, ui.px(4), ui.px(1.6F));
    }
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(46));
    const TextStyle style(ui, Face::sans, kTextSize);
    wrapped(ui.tr()(std::string("help.colour.") + meaning.id), width - ui.px(46));
    ImGui::Dummy({0, ui.px(3)});
}

void concept_line(const Ui& ui, const char* id, float width) {
    const lessons::Glossary& glossary = ui.session.glossary.glossary;
    const auto place = glossary.find(id);
    if (!place) return;
    const lessons::Word& word = glossary.words[*place];
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(1)});
    wrapped(ui, word.title, width, Face::bold, kTextSize);
    wrapped_label(ui, plain_text(word.words), width);
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

}  // namespace

void help_page(Ui& ui) {
    const ImVec2 window = ui.window();
    const float margin = ui.px(window.x < 800 ? 12 : 40);
    const float top = ui.px(60);
    const Scope overlay =
        begin_overlay(ui, "help", {margin, top},
                      {ui.px(window.x) - 2 * margin, ui.px(window.y) - top - ui.px(14)}, false);
    bold_line(ui, ui.tr()("command.help"), kTitleSize);
    close_overlay_button(ui);
    wrapped(ui, ui.tr()("help.how"), ImGui::GetContentRegionAvail().x - ui.px(40), Face::sans,
            kTextSize, Role::muted);
    ImGui::Dummy({0, ui.px(4)});
    const Scope child = begin_child("chapters");
    scroll_by_keys(ui);
    chapters(ui, ImGui::GetContentRegionAvail().x - ui.px(8));
}

// The palette: a command, a kernel or a word of the glossary by a few letters of its name.
namespace {

struct PaletteState : PickState {};

PickEntry entry_of(const Ui& ui, const session::Found& found) {
    PickEntry entry{found.title, {}, {}, found.enabled};
    if (found.variant != nullptr)
        entry.detail = ui.tr().get("chapter." + found.variant->chapter, found.variant->chapter);
    if (found.opened != nullptr) entry.detail = ui.tr()("chapter.opened");
    if (found.word) entry.detail = ui.tr()("command.glossary");
    if (found.command == nullptr) return entry;
    entry.key = found.command->key;
    for (const session::CommandGroup& group : ui.session.commands().groups())
        for (const session::Command& each : group.commands)
            if (std::string_view(each.id) == found.command->id)
                entry.detail = ui.tr()(std::string("menu.") + group.id);
    return entry;
}

void take(Ui& ui, const session::Found& found) {
    ui.change().overlay = "";
    if (found.variant != nullptr)
        choose_kernel(ui.change(), found.variant->id);
    else if (found.opened != nullptr)
        choose_opened(ui.change(), *found.opened);
    else if (found.word)
        open_word(ui, *found.word);
    else
        ui.run(*found.command);
}

}  // namespace

void palette(Ui& ui) {
    PickState& pick = ui.state<PaletteState>();
    if (overlay_appears(ui)) pick = {};
    const Scope overlay = begin_list_overlay(ui, "palette", 580, 460);
    const float inner = ImGui::GetContentRegionAvail().x;
    const bool entered = pick_field(ui, pick, ui.tr()("palette.hint"), inner);
    const auto found = session::find(ui.session, pick.text, ui.tr());
    const auto entries =
        mapped<PickEntry>(found, [&](const auto& each) { return entry_of(ui, each); });
    const float below = ui.px(50);
    const auto chosen =
        pick_list(ui, pick, entries, ImGui::GetContentRegionAvail().y - below, entered);
    wrapped_label(ui, found.empty() ? ui.tr()("palette.none") : found[pick.at].explained, inner);
    if (chosen && found[*chosen].enabled)
        take(ui, found[*chosen]);
    else if (entered)
        pick.wants_focus = true;
}

// The log of problems, at the bottom of the window while it is wanted.
namespace {

std::string time_of(const session::LogEntry& entry) {
    const std::time_t at = std::chrono::system_clock::to_time_t(entry.at);
    std::tm parts{};
    localtime_r(&at, &parts);
    return fmt::format("{:%H:%M:%S}", parts);
}

std::string where_of(const Ui& ui, const session::LogEntry& entry) {
    return ui.tr().get("log." + entry.where, entry.where);
}

std::string text_of(const Ui& ui, const session::LogEntry& entry) {
    const std::string times = entry.times > 1 ? fmt::format(" ({}x)", entry.times) : "";
    return fmt::format("{} {}{}\n{}\n", time_of(entry), where_of(ui, entry), times,
                       entry.problem.text());
}

void entry_lines(const Ui& ui, const session::LogEntry& entry, float width) {
    text_line(ui, time_of(entry), Face::mono, kSmallSize, Role::muted);
    ImGui::SameLine(0, ui.px(10));
    const std::string times = entry.times > 1 ? fmt::format(" ×{}", entry.times) : "";
    bold_line(ui, "! " + where_of(ui, entry) + times, kSmallSize, Role::race);
    ImGui::SameLine(ui.px(170));
    ImGui::BeginGroup();
    const float room = width - ui.px(170);
    const Problem problem = translated(entry.problem, ui.tr());
    wrapped(ui, as_sentence(ui, problem.what_happened), room, Face::bold, kTextSize);
    const auto small = [&](const std::string& words, Face face) {
        if (words.empty()) return;
        wrapped(ui, words, room, face, kSmallSize, Role::muted);
    };
    small(problem.where, Face::mono);
    small(problem.why, problem.why.find('\n') == std::string::npos ? Face::sans : Face::mono);
    if (!problem.hint.empty())
        wrapped(ui, as_sentence(ui, problem.hint), room, Face::sans, kTextSize);
    ImGui::EndGroup();
}

void header(Ui& ui) {
    const auto& log = ui.session.notices.log();
    framed_line(ui, ui.tr()("command.log"), Face::bold, kTextSize + 1);
    ImGui::SameLine(0, ui.px(16));
    ImGui::BeginDisabled(log.empty());
    if (ImGui::Button((ui.tr()("log.copy_all") + "###copy_all").c_str())) {
        std::string all;
        for (const session::LogEntry& entry : log)
            all += text_of(ui, entry) + "\n";
        ui.copy(all);
    }
    tip(ui, ui.tr()("log.copy_all.tip"));
    ImGui::SameLine();
    if (ImGui::Button((ui.tr()("log.clear") + "###clear").c_str())) ui.change().notices.clear_log();
    tip(ui, ui.tr()("log.clear.tip"));
    ImGui::EndDisabled();
    if (close_button(ui, "close", line_end())) ui.change().log_shown = false;
    command_tip(ui, ui.session.command("log"));
}

}  // namespace

float log_height(const Ui& ui) {
    return ui.px(std::clamp(ui.window().y * 0.27F, 110.0F, 240.0F));
}

void log_panel(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "log", area);
    header(ui);
    const Scope child = begin_child("entries");
    const float width = ImGui::GetContentRegionAvail().x;
    const auto& log = ui.session.notices.log();
    if (log.empty()) wrapped(ui, ui.tr()("log.empty"), width, Face::sans, kTextSize, Role::muted);
    const float button = words_width(ui.tr()("log.copy")) + ui.px(40);
    for (std::size_t i = log.size(); i-- > 0;) {  // the newest first
        const Scope id = with_id(static_cast<int>(i));
        const ImVec2 point = ImGui::GetCursorPos();
        entry_lines(ui, log[i], width - button);
        const float next = ImGui::GetCursorPosY();
        ImGui::SetCursorPos({width - button + ui.px(8), point.y});
        if (ImGui::SmallButton((ui.tr()("log.copy") + "###copy").c_str()))
            ui.copy(text_of(ui, log[i]));
        tip(ui, ui.tr()("log.copy.tip"));
        ImGui::SetCursorPos({point.x, std::max(next, ImGui::GetCursorPosY()) + ui.px(2)});
        ImGui::Separator();
    }
}

}  // namespace lab::gui
