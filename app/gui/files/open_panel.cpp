#include "gui/files/open_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/paths.h"
#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"
#include "lessons/files/lesson.h"
#include "session/files/link.h"
#include "session/files/new_file.h"
#include "session/files/open_file.h"
#include "session/shell/find_command.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

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
    ui.change().show("");
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
    {
        const TextStyle style(ui, Face::bold, kTextSize + 1);
        ImGui::TextUnformatted(ui.tr()("command.open").c_str());
    }
    if (close_button(ui, "close", line_end())) ui.change().show("");
    const TextStyle style(ui, Face::mono, kSmallSize, Role::muted);
    wrapped(state.folder.string(), width - ui.px(40));
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
    std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
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
        try {
            go_to(state, session::folder_to_open(ui.session));
        } catch (const Problem& problem) {
            state.problem = problem;
        }
    }
    const ImVec2 window = ui.window();
    const float width = std::min(640.0F, window.x - 24);
    const float top = std::min(70.0F, window.y * 0.1F);
    const float height = std::min(520.0F, window.y - top - 16);
    begin_overlay(ui, "open", {ui.px((window.x - width) / 2), ui.px(top)},
                  {ui.px(width), ui.px(height)});
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
                 : session::typed_path(state.pick.text, state.folder));
    else if (chosen)
        take(ui, state, state.folder / names[*chosen]);
    else if (entered)
        state.pick.wants_focus = true;
    end_overlay();
}

}  // namespace lab::gui
