#include "support/driver/queries.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_internal.h>  // a window by its name

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/paths.h"
#include "figures/painters/save.h"
#include "support/driver/state_json.h"
#include "views/learn/learn.h"

namespace lab::driver {
namespace {

using nlohmann::json;

json window_part(const Subject& subject) {
    return {{"width", subject.app.window.width()},
            {"height", subject.app.window.height()},
            {"pixels_per_point", subject.app.scale},
            {"frames", subject.app.window.frames()}};
}

json hands_part(const Subject&) {
    return {{"typing", ImGui::GetIO().WantTextInput},
            {"list_open", ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)}};
}

// Where the card of a word is; null: there is none.
json card_part(const Subject&) {
    const ImGuiWindow* card = ImGui::FindWindowByName("word");
    if (card == nullptr || !card->Active || card->Hidden) return nullptr;
    return {card->Pos.x, card->Pos.y, card->Size.x, card->Size.y};
}

struct Part {
    const char* name;
    json (*of)(const Subject& subject);
};
// For the window, beside the session's own.
constexpr std::array kParts{
    Part{"window", window_part},
    Part{"hands", hands_part},
    Part{"card", card_part},
};

json state(const Subject& subject, const json&) {
    json object = session::state_json(subject.app.session);
    for (const Part& part : kParts)
        object[part.name] = part.of(subject);
    return object;
}

json widgets(const Subject& subject, const json&) {
    json object = json::array();
    for (const Widget& widget : subject.widgets.of_frame())
        if (!widget.id.empty()) object.push_back(widget);
    return object;
}

json nothing(const Subject&, const json&) {
    return json::object();
}

json stats(const Subject& subject, const json& parameters) {
    json object = subject.app.times.stats(subject.app.first_frame, subject.app.window.frames());
    if (parameters.value("forget", false)) subject.app.times.forget();
    return object;
}

json quit(const Subject& subject, const json&) {
    subject.app.session.wants_to_quit = true;
    return json::object();
}

struct Pixels {
    int x = 0, y = 0, width = 0, height = 0;
};

// "area": [x, y, width, height] in pixels, as widgets have it; without one the whole window.
Pixels area_of(const json& parameters, const gui::Window& window) {
    if (!parameters.contains("area")) return {0, 0, window.width(), window.height()};
    const auto asked = parameters.at("area").get<std::array<double, 4>>();
    const auto whole = [](double value, int most) {
        return static_cast<int>(std::clamp(std::round(value), 0.0, static_cast<double>(most)));
    };
    Pixels pixels;
    pixels.x = whole(asked[0], window.width());
    pixels.y = whole(asked[1], window.height());
    pixels.width = whole(asked[2], window.width() - pixels.x);
    pixels.height = whole(asked[3], window.height() - pixels.y);
    if (pixels.width == 0 || pixels.height == 0)
        throw Problem("There is nothing of the window in that area", "",
                      R"(Write "area": [x, y, width, height] in pixels of the window)", "area");
    return pixels;
}

json screenshot(const Subject& subject, const json& parameters) {
    const auto file = parameters.value("file", std::string());
    if (file.empty())
        throw Problem("A screenshot needs a file", "", R"(Write "parameters": {"file": "a.png"})",
                      "file");
    const Pixels area = area_of(parameters, subject.app.window);
    const std::vector<std::uint8_t> all = subject.app.window.pixels();
    constexpr std::size_t kBytes = 4;  // a pixel
    std::vector<std::uint8_t> pixels;
    pixels.reserve(static_cast<std::size_t>(area.width) * static_cast<std::size_t>(area.height) *
                   kBytes);
    for (int row = area.y; row < area.y + area.height; ++row) {
        const auto first =
            (static_cast<std::size_t>(row) * static_cast<std::size_t>(subject.app.window.width()) +
             static_cast<std::size_t>(area.x)) *
            kBytes;
        const auto length = static_cast<std::size_t>(area.width) * kBytes;
        pixels.insert(pixels.end(), all.begin() + static_cast<std::ptrdiff_t>(first),
                      all.begin() + static_cast<std::ptrdiff_t>(first + length));
    }
    write_file(file, figures::png_of_pixels(area.width, area.height, pixels));
    return {{"file", file}, {"width", area.width}, {"height", area.height}};
}

// What is right on the page of the view Learn, as `lesson check` works it out; and every line that
// is, or every place that is offered.
json learn_answer(const Subject& subject, const json&) {
    const auto& learn = subject.app.session.view<session::LearnView>();
    if (learn.page() == nullptr || !learn.page()->ask)
        throw Problem("This page asks nothing", "", "Open one that does");
    const lessons::Question& question = learn.open.question;
    lessons::Runs runs({subject.app.session.catalogue(), learn.course[learn.lesson_place].folder});
    return {{"right", lessons::right_answer(*learn.page(), question, runs)},
            {"picks", question.picks},
            {"several", question.several},
            {"ordered", question.picked == lessons::Picked::order}};
}

// What another program would have put there.
json clipboard(const Subject&, const json& parameters) {
    ImGui::SetClipboardText(parameters.value("text", std::string()).c_str());
    return json::object();
}

constexpr std::array kQueries{
    Query{"state", false, state},           Query{"widgets", false, widgets},
    Query{"settle", true, nothing},         Query{"stats", false, stats},
    Query{"screenshot", false, screenshot}, Query{"learn_answer", true, learn_answer},
    Query{"clipboard", false, clipboard},   Query{"quit", false, quit},
};

}  // namespace

std::span<const Query> queries() {
    return kQueries;
}

const Query& query(std::string_view method) {
    std::vector<std::string_view> names;
    for (const Query& candidate : kQueries) {
        if (method == candidate.method) return candidate;
        names.emplace_back(candidate.method);
    }
    throw Problem(fmt::format("There is no method '{}'", method), "",
                  fmt::format("The methods are: {}", fmt::join(names, ", ")));
}

}  // namespace lab::driver
