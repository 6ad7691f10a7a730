// What is remembered from one start to the next, in the user's configuration folder.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "catalogue/shape.h"

namespace lab::session {

// What the step view is about: one change of it is one step of undo.
struct Choice {
    std::string variant = "relaunch";
    Shape shape;

    friend bool operator==(const Choice& a, const Choice& b);
};

struct MeasureChoice {
    std::vector<std::string> variants = {"local-tree"};
    std::string sizes = "2^20..2^24";
    std::string groups;  // work-items a group, "64,128,256"; empty: what suits each variant
    Shape shape;         // its operator, type and input are used
    int repeat = 10;
    std::string shown = "bandwidth";  // as what results are shown: a chart's id, or "table"
};

struct Settings {
    std::string language = "en", theme = "light", view = "step";
    float scale = 1;
    int width = 1440, height = 900;  // of the window, in pixels
    Choice choice;
    MeasureChoice measure;

    Settings();
};

inline constexpr float kSmallestScale = 0.75F, kLargestScale = 3;

void to_json(nlohmann::json& json, const Settings& settings);
void from_json(const nlohmann::json& json, Settings& settings);

std::filesystem::path settings_file();
// The settings of the file; the standard ones if there is none. A damaged file is kept beside as
// settings.json.damaged, and `problem` says so.
Settings load_settings(std::optional<Problem>& problem);

}  // namespace lab::session
