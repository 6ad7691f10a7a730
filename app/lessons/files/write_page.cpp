#include "lessons/files/write_page.h"

#include <fmt/format.h>

#include "base/paths.h"
#include "base/text.h"

namespace lab::lessons {
namespace {

namespace fs = std::filesystem;

std::string place_text(const Place& place) {
    if (place.kind == Place::Kind::start) return "start";
    if (place.kind == Place::Kind::end) return "end";
    return fmt::format("{} {}", place.kind == Place::Kind::row ? "pass" : "action", place.row);
}

void write_kernel(const fs::path& file, const std::string& text) {
    std::error_code error;
    if (fs::exists(file, error) && read_file(file) != text)
        throw Problem(fmt::format("There is another {} in the folder", file.filename().string()),
                      "Pages of the lesson may show it", "Rename one of the two", file.string());
    write_file(file, text);
}

}  // namespace

std::string show_text(const Show& show) {
    const Show usual;
    std::string text = fmt::format("kernel: {}\n", show.kernel);
    const auto add = [&](const char* key, const std::string& value) {
        text += fmt::format("{}: {}\n", key, value);
    };
    const catalogue::Shape& shape = show.shape;
    if (!shape.set.empty()) {
        std::string settings;
        for (const auto& [name, value] : shape.set)
            settings += fmt::format("{}{}={}", settings.empty() ? "" : ", ", name, value);
        add("set", settings);
    }
    add("input", catalogue::text_of(shape.input));
    if (shape.n && shape.input.kind != catalogue::Input::Kind::values)
        add("n", fmt::format("{}", *shape.n));
    if (shape.group > 0) add("group", fmt::format("{}", shape.group));
    if (shape.op != usual.shape.op) add("op", name_of(shape.op));
    if (shape.type != usual.shape.type) add("type", info(shape.type).name);
    if (show.lanes != usual.lanes) add("lanes", fmt::format("{}", show.lanes));
    if (show.resident != usual.resident)
        add("resident", show.resident == 0 ? "all" : fmt::format("{}", show.resident));
    if (!show.order.empty()) {
        const bool turns = show.order.starts_with(machine::kTurnsPrefix);
        add("order", turns ? show.order.substr(machine::kTurnsPrefix.size()) : show.order);
    }
    if (show.global.given()) add("global", size_text(show.global));
    if (show.local.given()) add("local", size_text(show.local));
    if (show.offset.given()) add("offset", size_text(show.offset));
    for (const std::string& argument : show.arguments)
        add("arg", argument);
    add("at", place_text(show.at));
    if (show.view != usual.view) add("view", show.view);
    return text;
}

void add_page(const fs::path& folder, const std::string& heading, const Show& show,
              const std::string& kernel) {
    const std::string title(trimmed(heading));
    if (title.empty()) throw Problem("The page has no heading", "", "Write what it shows or asks");
    const fs::path file = folder / "lesson.md";
    std::error_code error;
    std::string text;
    if (fs::exists(file, error)) {
        text = read_file(file);
        if (text.find(fmt::format("\n## {}\n", title)) != std::string::npos)
            throw Problem("The lesson has a page with this heading",
                          "Answers are kept under the heading of a page", "Write another one",
                          file.string());
    } else {
        text = fmt::format("---\ntitle: {}\n---\n", folder.filename().string());
    }
    if (!kernel.empty()) write_kernel(folder / show.kernel, kernel);
    write_file(file, fmt::format("{}\n## {}\n\n```show\n{}```\n", text, title, show_text(show)));
}

}  // namespace lab::lessons
