// Settings are remembered from one start to the next, in the user's configuration folder.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/simulate.h"
#include "analysis/step_table.h"
#include "base/messages.h"
#include "base/problem.h"
#include "catalogue/shape.h"
#include "results/request.h"
namespace lab::session {

using analysis::file_of;
using analysis::is_automatic;
using analysis::kAutomatic;
using analysis::OpenedVariant;
using analysis::RunChoice;

inline constexpr std::uint64_t kRandomOrders = 9;  // offered: random:1 to random:9
// Returns 7 for "random:7"; nothing for other orders.
std::optional<std::uint64_t> random_seed(const std::string& order);

struct MeasureChoice {
    std::vector<std::string> variants = {"local-tree"};
    std::string sizes = "2^20..2^24";
    std::string groups;       // work-items per group, "64,128,256"; empty: what suits each variant
    catalogue::Shape shape;   // its operator, type and input are used
    int repeat = 10;          // runs a row; 0: until the median is as precise as the next two say
    double precision = 0.01;  // of a median, relative: half of its 95 % confidence interval
    double limit_s = 0.5;     // of such runs, a row
    bool warm = false;        // leave the input in the cache
    results::LaunchShapes shapes =
        results::LaunchShapes::kept;  // without groups: where launch shapes come from
    std::string shown = "bandwidth";  // as what results are shown: a chart's id, or "table"

    bool operator==(const MeasureChoice&) const = default;
};

// How what a view shows was exported last, so that it can be done again by one key.
struct ExportHabit {
    std::string folder, name, suffix;  // ".svg"; an empty name: as what is shown suggests

    bool operator==(const ExportHabit&) const = default;
};

// For a view that runs what is chosen in a shape of its own: all else of it is as chosen.
struct RunShape {
    std::uint64_t n = 65'536, group = 256;
    catalogue::Input input;

    bool operator==(const RunShape&) const = default;
};
// Elements of a picture in the window; from fewer and more it goes to the nearest.
inline constexpr std::uint64_t kLeastLattice = 1024, kMostLattice = 65'536;

struct Settings {
    std::string language = "en", theme = "light", view;  // an empty view: the first
    std::string terms = kAutomatic;                      // of kTerms
    float scale = 1;
    int width = 1440, height = 900;  // of the window, in pixels
    RunChoice choice;
    MeasureChoice measure;
    RunShape lattice;
    // The app has learnt this of its user; neither undone nor part of a saved moment.
    std::vector<std::string> hints_done;         // ids: see app_commands.h
    std::map<std::string, ExportHabit> exports;  // by view
    std::string folder;                          // where a file was opened last
    std::vector<std::string> solved;             // variants whose challenge was met
    std::size_t step = 0;                        // the pass that was shown last
    std::string page;  // the address of the page for browsers, as a link told it

    Settings();
    bool operator==(const Settings&) const = default;
};

// Names the terms the window speaks in: those of the kernel's text, or always one API's.
inline constexpr std::array kTerms{kAutomatic, kApis[0], kApis[1]};

inline constexpr float kSmallestScale = 0.75F, kLargestScale = 3;

// `chosen` as it was, at the place, in the window and with the habits of `now`: what undo brings
// back. The view counts as a place.
Settings keep_preferences(Settings chosen, const Settings& now);
// Returns what a saved moment brings back to the user who opens it: also language, terms, theme
// and scale stay theirs.
Settings keep_appearance(Settings moment, const Settings& now);

void to_json(nlohmann::json& json, const Settings& settings);
void from_json(const nlohmann::json& json, Settings& settings);

std::filesystem::path settings_file();
// The settings of the file; the standard ones if there is none. A damaged file is kept beside as
// settings.json.damaged, and `problem` says so.
Settings load_settings(std::optional<Problem>& problem);

// The undo history: the settings before each change, and after what was undone.

// The kind of a change; changes of one kind in a row, as of the scale, may join into one step.
struct ChangeKind {
    const char* id;  // its name is the translation "change.<id>"
    bool joins = false;
    const char* view = "";  // the only view in which it is visible; empty: all
};
inline constexpr ChangeKind kChoiceChange{"choice"}, kLanguageChange{"language"},
    kThemeChange{"theme"}, kTermsChange{"terms"}, kScaleChange{"scale", true},
    kStateChange{"state"};

class UndoHistory {
  public:
    using Clock = std::chrono::steady_clock;

    struct Step {
        Settings settings;         // to go to
        ChangeKind kind;           // of the change that is undone or done again
        Clock::time_point made{};  // when that change was made
    };

    // `before`: the settings as they were. A change that joins, and comes soon after one of its own
    // kind, is part of that one.
    void record(Settings before, ChangeKind kind, Clock::time_point now = Clock::now());

    // The step to take from `now`; empty if there is none.
    std::optional<Step> undo(const Settings& now);
    std::optional<Step> redo(const Settings& now);

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }
    // When the change was made that undo() or redo() would take; empty: there is none.
    std::optional<Clock::time_point> undoable() const { return made(past_); }
    std::optional<Clock::time_point> redoable() const { return made(future_); }

  private:
    static std::optional<Clock::time_point> made(const std::vector<Step>& steps) {
        return steps.empty() ? std::nullopt : std::optional(steps.back().made);
    }
    static std::optional<Step> move(std::vector<Step>& from, std::vector<Step>& to,
                                    const Settings& now);

    std::vector<Step> past_, future_;
    std::optional<Clock::time_point> joins_until_;
};

}  // namespace lab::session
