#include "views/files/files_panels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>
#include <qrcodegen.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <system_error>
#include <utility>

#include "base/paths.h"
#include "base/platform.h"
#include "base/ranges.h"
#include "figures/painters/save.h"
#include "gui/choice_fields.h"
#include "gui/widgets.h"
#include "lessons/lesson.h"
#include "session/app_commands.h"
#include "views/files/files.h"

namespace lab::gui {

void export_shown(Ui& ui, const fs::path& file) {
    const auto known = session::export_suffixes(ui.session);
    if (known.empty())
        throw Problem("There is nothing here to export", "",
                      "Step a kernel, or measure, and export what is shown then");
    const std::string suffix = suffix_of(file);
    if (!contains(known, suffix))
        throw Problem(fmt::format("'{}' is no format that this can be exported in",
                                  suffix.empty() ? file.filename().string() : suffix),
                      "", fmt::format("End the name in one of: {}", fmt::join(known, ", ")),
                      file.string());
    shown_view(ui).save(ui, file, suffix);
}

std::string format_name(const char* suffix) {
    std::string name = suffix + 1;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return static_cast<char>(c - 32); });
    return name;
}

// The steps as slides.

namespace {

struct StepRange {
    std::size_t first = 0, last = 0;  // positions of the walk, both included
};

constexpr std::array kAnimations{".gif", ".svg"};  // its formats; a browser has no GIF
constexpr double kSeconds = 1.5;                   // each step of an animation

// Each step of the range as a slide; what is on screen stays where it is.
std::vector<figures::Scene> step_slides(Ui& ui, StepRange range) {
    session::Walk& walk = ui.change().walk();
    const std::size_t here = walk.position();
    std::vector<figures::Slide> all;
    try {
        for (std::size_t step = range.first; step <= range.last; ++step) {
            walk.go_to(step);
            all.push_back(shown_view(ui).slide(ui));
        }
    } catch (...) {
        walk.go_to(here);
        throw;
    }
    walk.go_to(here);
    return figures::slides(all, ui.metrics);
}

StepRange within(const Ui& ui, StepRange range) {
    const std::size_t last = ui.session.walk().last_position();
    range.last = std::min(range.last, last);
    range.first = std::min(range.first, range.last);
    return range;
}

std::string animated_gif(const Ui& ui, const std::vector<figures::Scene>& scenes) {
    constexpr double kPixels = 4.0 / 3;  // a point: 1280 x 720 for a slide
    std::optional<figures::Gif> gif;
    for (const figures::Scene& scene : scenes) {
        const figures::Pixels frame = figures::pixels_of(scene, ui.palette, ui.metrics, kPixels);
        if (!gif) gif.emplace(frame.width, frame.height, static_cast<int>(100 * kSeconds));
        gif->add(frame);
    }
    return std::move(*gif).finish();
}

// Whether the view on screen can be drawn step by step.
bool has_steps(const Ui& ui) {
    return shown_view(ui).slide != nullptr && ui.session.walk().last_position() > 0 &&
           !session::export_suffixes(ui.session).empty();
}

// One file that plays the steps over and over, or one numbered file per step: "name-01.png"; each
// step looks as while presenting. Each is written whole or not at all; what is on screen stays
// where it is. Returns the files. Throws Problem for a format that cannot be written.
fs::path save_animation(Ui& ui, StepRange range, const fs::path& file) {
    const std::string suffix = suffix_of(file) == ".svg" ? ".svg" : ".gif";
    const std::vector<figures::Scene> scenes = step_slides(ui, within(ui, range));
    const fs::path written = new_file(file.parent_path(), file.stem().string(), suffix);
    write_file(written, suffix == ".svg" ? figures::animated_svg(scenes, ui.palette, kSeconds)
                                         : animated_gif(ui, scenes));
    return written;
}

std::vector<fs::path> save_each_step(Ui& ui, StepRange range, const fs::path& file) {
    figures::check_suffix(file);
    range = within(ui, range);
    const std::string suffix = file.extension().string();
    const auto digits = std::max<std::size_t>(2, std::to_string(range.last).size());
    std::vector<fs::path> written;
    std::size_t step = range.first;
    for (const figures::Scene& scene : step_slides(ui, range)) {
        const std::string stem = fmt::format("{}-{:0{}}", file.stem().string(), step++, digits);
        written.push_back(new_file(file.parent_path(), stem, suffix));
        figures::save(scene, ui.palette, ui.metrics, written.back());
    }
    return written;
}

// The field.

enum class What : std::uint8_t { shown, animation, each_step };

struct ExportState {
    What what = What::shown, formats_of = What::shown;
    StepRange range;
    std::size_t of_last = 0;  // what `range` was set for
    std::string path, suggested;
    std::string suffix;  // asked for by its button; empty: the usual one
    std::optional<Problem> problem;
    bool refocus = false;  // the field wants the keys back
};

// The name that was suggested becomes the one for that format; one that was typed stays.
void take_format(Ui& ui, ExportState& state, const std::string& suffix) {
    const bool typed = state.path != state.suggested;
    state.suffix = suffix;
    state.suggested = shown_path(session::suggested_export(ui.session, suffix));
    state.path = typed ? fs::path(state.path).replace_extension(suffix).string() : state.suggested;
}

// What can be had of what is chosen. Where that is another thing now, the usual format of it.
std::vector<const char*> known_formats(const Ui& ui, What what) {
    std::vector<const char*> known;
    if (what == What::animation)
        known.assign(kAnimations.begin() + (platform::kBrowser ? 1 : 0), kAnimations.end());
    if (what != What::animation)
        for (const char* suffix : session::export_suffixes(ui.session))
            if (what == What::shown || figures::is_picture(fs::path("picture").concat(suffix)))
                known.push_back(suffix);
    return known;
}

void formats(Ui& ui, ExportState& state) {
    const std::vector<const char*> known = known_formats(ui, state.what);
    const auto is_chosen = [&](const char* suffix) {
        return fs::path(state.path).extension() == suffix;
    };
    const bool other = std::exchange(state.formats_of, state.what) != state.what;
    if (other && !known.empty() && (state.what == What::animation || none_of(known, is_chosen)))
        take_format(ui, state, known.front());
    bool first = true;
    for (const char* suffix : known) {
        const std::string words = format_name(suffix);
        if (!first) ImGui::SameLine(0, ui.px(2));
        first = false;
        if (pill(ui, (std::string("export") + suffix).c_str(), words, is_chosen(suffix)))
            take_format(ui, state, suffix);
        tip(ui, ui.tr()("export.format.tip"));
    }
}

// What was typed gives way where something else is shown by now.
void suggest(Ui& ui, ExportState& state) {
    if (overlay_appears(ui)) {
        state.problem.reset();
        state.suffix.clear();
        state.formats_of = What::shown;
    }
    const auto problem = thrown_by([&] {
        const std::string now = shown_path(session::suggested_export(ui.session, state.suffix));
        if (overlay_appears(ui) || now != state.suggested) state.path = state.suggested = now;
    });
    if (problem) state.problem = problem;
}

// One step, all of them in one moving picture, or a picture each.
void steps(Ui& ui, ExportState& state) {
    if (!has_steps(ui)) {
        state.what = What::shown;
        return;
    }
    const std::size_t last = ui.session.walk().last_position();
    if (std::exchange(state.of_last, last) != last || overlay_appears(ui)) state.range = {0, last};
    static constexpr std::array<std::pair<What, const char*>, 3> kChoices{
        {{What::shown, "export.shown"},
         {What::animation, "export.animation"},
         {What::each_step, "export.each_step"}}};
    for (const auto& [what, key] : kChoices) {
        if (pill(ui, key, ui.tr()(key), state.what == what, 9)) state.what = what;
        tip(ui, ui.tr()(std::string(key) + ".tip"));
        ImGui::SameLine(0, ui.px(2));
    }
    if (state.what == What::shown) return ImGui::NewLine();
    const auto number = [&](const char* id, std::size_t& value) {
        int typed = static_cast<int>(value);
        ImGui::SetNextItemWidth(ui.px(60));
        if (ImGui::InputInt(id, &typed, 0))
            value = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(typed, 0)), 0, last);
        tip(ui, ui.tr()("export.range.tip", arg("last", last)));
    };
    ImGui::SameLine(0, ui.px(12));
    number("###first", state.range.first);
    ImGui::SameLine(0, ui.px(4));
    ImGui::TextUnformatted("–");
    ImGui::SameLine(0, ui.px(4));
    number("###last", state.range.last);
}

void save_steps(Ui& ui, const ExportState& state) {
    const fs::path file = lab::typed_path(state.path, documents_folder());
    fs::path written;
    std::size_t count = 1;
    if (state.what == What::animation) {
        written = save_animation(ui, state.range, file);
    } else {
        const std::vector<fs::path> files = save_each_step(ui, state.range, file);
        count = files.size();
        written = files.front();
    }
    if (!platform::kBrowser) ui.change().copy(written.string());
    const std::string name = written.filename().string();
    ui.change().notices.say(
        count == 1 ? ui.tr()(session::kSavedText, arg("name", name))
                   : ui.tr()("toast.saved_steps", arg("name", name), arg("count", count)));
}

void save(Ui& ui, ExportState& state) {
    try {
        if (state.what == What::shown)
            session::export_to(ui.change(), lab::typed_path(state.path, documents_folder()));
        else
            save_steps(ui, state);
        ui.change().overlay = "";
    } catch (const Problem& problem) {
        state.problem = problem;
        state.refocus = true;
        ui.change().notices.report("file", problem, false);
    }
}

}  // namespace

void export_field(Ui& ui) {
    ExportState& state = ui.state<ExportState>();
    suggest(ui, state);
    const ImVec2 window = ui.window();
    const float width = std::min(620.0F, window.x - 24);
    const Scope overlay =
        begin_overlay(ui, "export", {ui.px(window.x - width - 12), ui.px(60)}, {ui.px(width), 0});
    framed_line(ui, ui.tr()("command.export"), Face::bold, kTextSize + 1);
    ImGui::SameLine(0, ui.px(16));
    formats(ui, state);
    ImGui::SameLine();
    close_overlay_button(ui);
    const std::string words = ui.tr()("export.save");
    const float button = words_width(words) + ui.px(30);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ui.px(8));
    // Where it was refused one goes on typing.
    if (overlay_appears(ui) || std::exchange(state.refocus, false)) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputText("###path", &state.path,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_ElideLeft);
    tip(ui, ui.tr()("export.path.tip"));
    ImGui::SameLine();
    const bool pressed = act_button(ui, "save", words, true, {button, 0});
    tip(ui, ui.tr()("export.path.tip"), "Enter");
    steps(ui, state);
    label(ui, ui.tr()(state.what == What::shown       ? "export.how"
                      : state.what == What::animation ? "export.animation.tip"
                                                      : "export.each_step.tip"));
    if (state.problem) problem_card(ui, *state.problem, ImGui::GetContentRegionAvail().x);
    if (entered || pressed) save(ui, state);
}

// The link to what is on screen: to scan off the wall, to copy, to set into a page of one's own.

namespace {

struct LinkState {
    std::string link, frame;
    std::vector<std::vector<bool>> code;  // true: a dark module; empty: none would be of use
};

// A code of at most this many modules a side is read off a wall by a phone in the last row.
constexpr int kMostModules = 97;  // version 20: 858 bytes
constexpr int kQuiet = 4;         // modules left white around it (ISO/IEC 18004)

std::vector<std::vector<bool>> code_of(const std::string& text) {
    try {
        const auto code = qrcodegen::QrCode::encodeText(text.c_str(), qrcodegen::QrCode::Ecc::LOW);
        const int side = code.getSize();
        if (side > kMostModules) return {};
        std::vector<std::vector<bool>> modules(static_cast<std::size_t>(side));
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                modules[static_cast<std::size_t>(y)].push_back(code.getModule(x, y));
        return modules;
    } catch (const qrcodegen::data_too_long&) {
        return {};
    }
}

// Black on white in every theme, as readers want it; each module a whole number of pixels.
void draw_code(const std::vector<std::vector<bool>>& code, float room) {
    const float modules = static_cast<float>(code.size()) + 2 * kQuiet;
    const float module = std::max(1.0F, std::floor(room / modules));
    const ImVec2 from(std::floor(ImGui::GetCursorScreenPos().x +
                                 (ImGui::GetContentRegionAvail().x - module * modules) / 2),
                      std::floor(ImGui::GetCursorScreenPos().y));
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(from, {from.x + module * modules, from.y + module * modules},
                       IM_COL32_WHITE);
    for (std::size_t y = 0; y < code.size(); ++y)
        for (std::size_t x = 0; x < code.size(); ++x)
            if (code[y][x]) {
                const ImVec2 low(from.x + module * static_cast<float>(x + kQuiet),
                                 from.y + module * static_cast<float>(y + kQuiet));
                into.AddRectFilled(low, {low.x + module, low.y + module}, IM_COL32_BLACK);
            }
    ImGui::Dummy({0, module * modules});
}

void field_to_copy(Ui& ui, const char* id, std::string& text) {
    const std::string words = ui.tr()("link.copy");
    const float button = words_width(words) + ui.px(30);
    ImGui::PushID(id);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ui.px(8));
    ImGui::InputText("###text", &text,
                     ImGuiInputTextFlags_ReadOnly | ImGuiInputTextFlags_AutoSelectAll);
    tip(ui, ui.tr()(std::string(id) + ".tip"));
    ImGui::SameLine();
    if (act_button(ui, "copy", words, false, {button, 0})) ui.copy(text);
    tip(ui, ui.tr()(std::string(id) + ".tip"));
    ImGui::PopID();
}

}  // namespace

void link_panel(Ui& ui) {
    LinkState& state = ui.state<LinkState>();
    const ImVec2 window = ui.window();
    const float width = std::min(560.0F, window.x - 24);
    const Scope overlay =
        begin_overlay(ui, "link", {ui.px((window.x - width) / 2), ui.px(40)}, {ui.px(width), 0});
    if (overlay_appears(ui)) {
        state.link = session::link_of(ui.session);
        const std::size_t fragment = state.link.find('#');
        const std::string page = state.link.substr(0, fragment);
        state.frame = fmt::format(
            R"(<iframe src="{}{}embed{}" width="960" height="600" allow="clipboard-write; fullscreen"></iframe>)",
            page, page.find('?') == std::string::npos ? '?' : '&', state.link.substr(fragment));
        state.code.clear();
        if (!session::stays_here(state.link)) state.code = code_of(state.link);
    }
    framed_line(ui, ui.tr()("link.title"), Face::bold, kTextSize + 1);
    ImGui::SameLine();
    close_overlay_button(ui);
    if (state.code.empty()) {
        const bool here = session::stays_here(state.link);
        wrapped_label(ui, ui.tr()(here ? "link.local" : "link.too_long"),
                      ImGui::GetContentRegionAvail().x);
    } else {
        draw_code(state.code, ui.px(std::min(width - 24, window.y - 40 - 190)));
    }
    field_to_copy(ui, "link.link", state.link);
    label(ui, ui.tr()("link.frame"));
    field_to_copy(ui, "link.frame", state.frame);
}

// The panel to open files.

namespace {

struct OpenPanelState {
    PickState pick;
    fs::path folder;  // whose entries these are
    std::vector<FolderEntry> entries;
    std::optional<Problem> problem;  // of the folder that was to be shown
};

constexpr std::size_t kMostEntries = 5000;

std::string size_words(std::uintmax_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    if (bytes < 1024 * 1024) return fmt::format("{} kB", (bytes + 512) / 1024);
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

void go_to(OpenPanelState& state, const fs::path& folder) {
    try {
        const fs::path whole = fs::weakly_canonical(folder);
        state.entries = entries_of(whole, false);
        state.folder = whole;
        state.problem.reset();
        state.pick = {};
    } catch (const Problem& problem) {
        state.problem = problem;
    } catch (const fs::filesystem_error& error) {
        state.problem = Problem("The folder cannot be shown", error.what(), "Check the path");
    }
}

bool is_path(const std::string& text) {
    return session::looks_like_link(text) || text.find('/') != std::string::npos || text == "~" ||
           text == "..";
}

void take(Ui& ui, OpenPanelState& state, const fs::path& path) {
    std::error_code error;
    if (path.filename() != "." && fs::is_directory(path, error)) {
        go_to(state, path);
        state.pick.wants_focus = true;
        return;
    }
    ui.change().overlay = "";
    session::open_file(ui.change(), path.filename() == "." ? path.parent_path() : path);
}

std::vector<PickEntry> matching(const Ui& ui, const OpenPanelState& state,
                                std::vector<std::string>& names) {
    std::vector<PickEntry> entries;
    const std::string& typed = state.pick.text;
    for (const FolderEntry& entry : state.entries) {
        const bool lessons = entry.name == ".";
        if (!is_path(typed) && !typed.empty() &&
            (lessons || !session::letters_in(typed, entry.name)))
            continue;
        PickEntry shown;
        shown.title = lessons ? ui.tr()("open.lessons") : entry.name;
        shown.key = entry.size;
        shown.folder = entry.folder;
        entries.push_back(std::move(shown));
        names.push_back(entry.name);
    }
    return entries;
}

void heading(Ui& ui, const OpenPanelState& state, float width) {
    bold_line(ui, ui.tr()("command.open"), kTextSize + 1);
    close_overlay_button(ui);
    wrapped(ui, state.folder.string(), width - ui.px(40), Face::mono, kSmallSize, Role::muted);
}

}  // namespace

std::vector<FolderEntry> entries_of(const fs::path& folder, bool hidden) {
    std::error_code error;
    fs::directory_iterator files(folder, fs::directory_options::none, error);
    if (error)
        throw Problem("The folder cannot be shown", error.message(),
                      "Check the path, or choose another folder", folder.string());
    std::vector<FolderEntry> entries;
    for (; files != fs::directory_iterator() && entries.size() < kMostEntries;
         files.increment(error)) {
        const std::string name = files->path().filename().string();
        if (!hidden && name.starts_with('.')) continue;
        if (files->is_directory(error))
            entries.push_back({name, true, ""});
        else if (session::is_known_suffix(files->path()))
            entries.push_back({name, false, size_words(files->file_size(error))});
    }
    sort(entries, [](const FolderEntry& a, const FolderEntry& b) {
        return a.folder != b.folder ? a.folder : a.name < b.name;
    });
    if (folder.has_relative_path()) entries.insert(entries.begin(), {"..", true, ""});
    if (!lessons::lesson_folders(folder).empty()) entries.insert(entries.begin(), {".", false, ""});
    return entries;
}

void open_panel(Ui& ui) {
    OpenPanelState& state = ui.state<OpenPanelState>();
    if (overlay_appears(ui)) {
        state = {};
        if (auto problem = thrown_by([&] { go_to(state, session::folder_to_open(ui.session)); }))
            state.problem = std::move(problem);
    }
    const Scope overlay = begin_list_overlay(ui, "open", 640, 520);
    const float inner = ImGui::GetContentRegionAvail().x;
    heading(ui, state, inner);
    const bool entered = pick_field(ui, state.pick, ui.tr()("open.hint"), inner);
    if (state.problem) problem_card(ui, *state.problem, inner);
    std::vector<std::string> names;
    const std::vector<PickEntry> entries = matching(ui, state, names);
    const bool typed_path = is_path(state.pick.text);
    const auto chosen =
        pick_list(ui, state.pick, entries, ImGui::GetContentRegionAvail().y - ui.px(26),
                  entered && !typed_path);
    label(ui, ui.tr()("open.kinds"));
    if (entered && typed_path)
        take(ui, state,
             session::looks_like_link(state.pick.text)
                 ? fs::path(state.pick.text)
                 : lab::typed_path(state.pick.text, state.folder));
    else if (chosen)
        take(ui, state, state.folder / names[*chosen]);
    else if (entered)
        state.pick.wants_focus = true;
}

}  // namespace lab::gui
