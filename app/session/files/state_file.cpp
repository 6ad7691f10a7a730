#include "session/files/state_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/json_fields.h"
#include "base/paths.h"
#include "session/files/new_file.h"
#include "session/files/saved_count.h"
#include "session/race/race.h"
#include "session/shell/session.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::session {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kLargestState = std::size_t{16} << 20U;  // bytes; typed input may be long

// For the settings, what is of one user or one screen alone. Until version 0.1 a moment had the
// language and looks of who saved it.
constexpr std::array kHabits{"language", "theme",  "scale",  "width", "height", "hints_done",
                             "exports",  "folder", "solved", "step",  "page"};

// Settings of another version may have words that are not known here: elsewhere the first of the
// list is taken, here that would be another moment than the one that was handed out.
void refuse_unknown(const json& settings, const Settings& read,
                    std::span<const ViewType* const> views) {
    const std::string source = settings.value("source", "device");  // of earlier versions
    const bool known = read.view == kDevicesPanel ||
                       std::any_of(views.begin(), views.end(),
                                   [&](const ViewType* view) { return view->id == read.view; });
    const std::array<std::pair<const char*, std::string>, 2> words{
        {{"view", known ? read.view : ""}, {"source", source == "machine" ? source : "device"}}};
    for (const auto& [key, taken] : words)
        if (const std::string asked = settings.value(key, taken); asked != taken)
            throw unknown_in_state(fmt::format("Its {} is '{}'", key, asked));
}

SavedState saved_from(const json& file, std::span<const ViewType* const> views) {
    if (!file.is_object() || file.value("schema", "") != kStateSchema)
        throw Problem("The file holds no moment of Reduction Lab",
                      fmt::format("It does not say \"schema\": \"{}\"", kStateSchema),
                      fmt::format("Give a {} file that Ctrl+S saved", kStateSuffix));
    if (const int version = file.at("version").get<int>(); version != kVersion)
        throw Problem(
            "The moment was saved by another version of the program",
            fmt::format("The file's version is {}, this program knows {}", version, kVersion),
            "Open it with the version that saved it, or a newer one");
    SavedState state;
    json settings = file.at("settings");
    for (const char* habit : kHabits)
        settings.erase(habit);
    settings.get_to(state.settings);
    refuse_unknown(settings, state.settings, views);
    const json parts = file.value("parts", json::object());
    for (const ViewType* view : views)
        if (view->read != nullptr && parts.contains(view->id))
            state.parts.push_back(view->read(parts.at(view->id)));
    return state;
}

std::string local_time() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    return fmt::format("{:%Y-%m-%d %H.%M}", parts);
}

}  // namespace

std::uint64_t saved_count(const json& part, const char* key) {
    const json& count = part.at(key);
    if (count.is_number_unsigned() && count.get<std::uint64_t>() < (1ULL << 53U))
        return count.get<std::uint64_t>();
    throw Problem("The moment could not be read; everything is as it was",
                  fmt::format("Its {} is {}, which is no count", key, count.dump()),
                  "The file is damaged: ask for it again, or undo what was edited");
}

Problem unknown_in_state(const std::string& what) {
    return Problem("The moment has something that this version does not know", what,
                   "Open it with the version that saved it, or a newer one");
}

json saved_json(const Session& session) {
    json settings = session.settings();
    for (const char* habit : kHabits)
        settings.erase(habit);
    // What was found for this computer's device is to be seen on another one, too.
    const auto& run = session.view<StepView>().simulated().run;
    if (is_automatic(session.settings().choice) && run &&
        run->subject.machine.order.kind == machine::Order::Kind::list) {
        const simulation::Options& shown = run->subject.machine;
        settings["machine"] = analysis::MachineUsed{
            shown.config.lanes, shown.config.resident,
            std::string(machine::kTurnsPrefix) + text_of_turns(shown.order.turns)};
    }
    json parts = json::object();
    for (const ViewType* view : session.options().views)
        if (view->save != nullptr) parts[view->id] = view->save(session);
    return {{"schema", kStateSchema},
            {"version", kVersion},
            {"program", LAB_VERSION},
            {"settings", settings},
            {"parts", parts}};
}

SavedState read_saved(const fs::path& file, std::span<const ViewType* const> views) {
    return read_saved_text(read_file(file, kLargestState), views, file.string());
}

SavedState read_saved_text(const std::string& text, std::span<const ViewType* const> views,
                           const std::string& where) {
    try {
        return saved_from(json::parse(text), views);
    } catch (const Problem& problem) {
        throw Problem(problem.what_happened, problem.why, problem.hint, where);
    } catch (const json::exception& error) {
        throw Problem("The moment could not be read; everything is as it was",
                      json_trouble(error, text),
                      "The file is damaged: ask for it again, or undo what was edited", where);
    }
}

bool looks_like_saved(std::string_view text) {
    return text.find(fmt::format("\"{}\"", kStateSchema)) != std::string_view::npos;
}

void show_saved(Session& session, const SavedState& state, bool with_settings) {
    if (with_settings) {
        session.restore(state.settings);
        session.set_view(state.settings.view);
    }
    for (const auto& put : state.parts)
        put(session);
}

void save_state(Session& session) {
    try {
        const std::string stem =
            fmt::format("{} {}", session.settings().choice.variant, local_time());
        const fs::path file = new_file(documents_folder(), stem, kStateSuffix);
        write_file(file,
                   saved_json(session).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
        if (!platform::kBrowser) session.copy(file.string());
        session.notices().say(
            session.words()(kSavedText, fmt::arg("name", file.filename().string())));
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    }
}

}  // namespace lab::session
