#include "views/shell/options.h"

#include <array>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "base/help.h"
#include "base/ranges.h"
#include "base/text.h"
#include "base/translations.h"
#include "catalogue/number.h"
#include "catalogue/shape.h"
#include "gui/ui.h"
#include "results/request.h"
#include "session/view.h"
#include "views/shell/shell.h"

namespace lab::gui {
namespace {

// "1600x1000" into the settings.
void read_size(const std::string& text, session::Settings& settings) {
    const auto [width, height] = width_and_height(text).value_or(std::pair(0, 0));
    if (width < 320 || height < 240 || width > 8192 || height > 8192)
        throw Problem(fmt::format("'{}' is no size of a window", text),
                      "It is width x height in pixels, from 320x240 to 8192x8192",
                      "Write --size 1600x1000", "--size");
    settings.width = width;
    settings.height = height;
}

template <typename Names>
std::string joined(const Names& names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

// Where the view has a shape of its own.
void read_own_shape(const CLI::App& app, const catalogue::Shape& given, const std::string& view,
                    session::Settings& settings) {
    for (const WindowView& each : window_views()) {
        if (each.type->id != view || each.type->view_shape == nullptr) continue;
        session::RunShape& shape = settings.*each.type->view_shape;
        if (app.count("--n") > 0)
            shape.n = std::clamp(given.n.value_or(shape.n), session::kLeastLattice,
                                 session::kMostLattice);
        if (app.count("--group") > 0) shape.group = given.group;
        if (app.count("--input") > 0) shape.input = given.input;
    }
}

// "ROW:CELL", and ":ZOOM" where it is to be seen from so far.
session::LatticeStart read_place(const std::string& text) {
    session::LatticeStart start;
    std::istringstream in(text);
    char first = 0, second = 0;
    in >> start.place.row >> first >> start.place.cell;
    bool good = !in.fail() && first == ':';
    if (good && !in.eof()) {
        in >> second >> start.zoom;
        good = !in.fail() && in.eof() && second == ':' && start.zoom >= 1;
    }
    if (!good)
        throw Problem(fmt::format("'{}' is no place in the lattice", text),
                      "It is a row and a cell, and how many times closer than the whole",
                      "Write --at 3:512, or --at 3:512:40", "--at");
    return start;
}

// A moment that cannot be read is a problem in the window: who opened it by a click sees no other.
void open_state(const std::string& file, Options& options) {  // or a link
    try {
        const auto views = types_of(window_views());
        const bool link = session::looks_like_link(file);
        options.state = link ? session::read_link(file, views) : session::read_saved(file, views);
        const std::string view = options.state->settings.view;
        options.settings = keep_appearance(options.state->settings, options.settings);
        options.settings.view = view;
        if (link) options.settings.page = session::page_of_link(file);
    } catch (const Problem& problem) {
        options.problem = problem;
    }
}

// The window's commands for the manual page: under each group's heading its commands with their
// keys.
std::string commands_and_keys() {
    const Translations tr("en");
    std::string text =
        "*Commands and keys*\n\nWhile text is typed into a field, only keys with Alt, Ctrl and F "
        "act. Every control tells "
        "its key when the mouse rests on it.\n";
    const std::vector<const session::ViewType*> views = types_of(window_views());
    const session::CommandTable commands(views);
    for (const session::CommandGroup& group : commands.groups()) {
        text += fmt::format("\n{}:\n", tr(std::string("menu.") + group.id));
        for (const session::Command& command : group.commands) {
            const std::string id = std::string("command.") + command.id;
            const std::string key = command.key;
            text += fmt::format("  {}{}\n{:28}{}.\n", tr(id), key.empty() ? "" : " (" + key + ")",
                                "", tr(id + ".tip"));
        }
    }
    return text;
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, int& exit) {
    Options options;
    std::string variant, state, size, view, language, terms, theme, source, order, place, page;
    float scale = 0;
    std::size_t cursor = 0;
    catalogue::ShapeOptions shape;
    catalogue::MachineShapeOptions machine;

    CLI::App app("Reduction Lab: parallel reduction on OpenCL, stepped and timed", "reduction-lab");
    manual::prepare(app, commands_and_keys);
    app.footer(
        "Commands and keys: F1 in the app, and --help-all. Without a window: reduction-lab-cli "
        "--help");
    app.add_option(
           "files", options.files,
           "Kernels (.cl, .cu), moments (.redlab, or a link that holds one) and results of other "
           "machines (.json) to open")
        ->type_name("FILE");
    app.add_option("--state", state,
                   "Moment to begin with, as Ctrl+S saves it; other options change it")
        ->type_name("FILE");
    app.add_option("--variant", variant, "Variant to begin with, an id")->type_name("ID");
    shape.add_to(app);
    for (const char* remembered : {"--op", "--type", "--input"})
        app.get_option(remembered)->default_str("");
    manual::add_choice(app, "--source", source, {"device", "machine"},
                       "device: the schedule as on the device, where that can be told; machine: "
                       "the simulator's usual one");
    machine.add_to(app);
    app.add_option(
        "--order", order,
        "Of the machine: in-order, reversed, round-robin, random:SEED, or a file of turns");
    const auto views =
        mapped<std::string>(window_views(), [](const auto& each) { return each.type->id; });
    std::vector<std::string> known_views = views;  // until version 0.1 the devices were one
    known_views.emplace_back(session::kDevicesPanel);
    manual::add_choice(app, "--view", view, known_views,
                       "View to begin with: " + joined(views) + "; devices opens that panel");
    manual::add_choice(app, "--lang", language, kLanguages, "Language");
    manual::add_choice(app, "--terms", terms, session::kTerms,
                       "Terms of opencl or cuda; auto: as the kernel's text has them");
    manual::add_choice(app, "--theme", theme, session::themes(), "Colours");
    app.add_option("--scale", scale, "Size of everything on screen, 0.75 to 3")
        ->check(manual::between(session::kSmallestScale, session::kLargestScale));
    app.add_option("--size", size, "Size of the window in pixels, as 1600x1000")->type_name("WxH");
    manual::add_choice(app, "--show", options.overlay,
                       {"menu", "palette", "help", "open", "export", "devices", "log"},
                       "Open over the view");
    app.add_option("--screenshot", options.screenshot,
                   "Write a picture of the window to a PNG file and end")
        ->type_name("FILE");
    app.add_option("--cursor", cursor, "Pass to show; 0 is the start");
    app.add_option("--at", place, "In the lattice view: row and cell to look at, and how closely")
        ->type_name("ROW:CELL[:ZOOM]");
    app.add_option("--page", page, "In the view Learn: lesson, and its page, as 03-two-groups:4")
        ->type_name("LESSON[:N]");
    app.add_flag("--present", options.present,
                 "Begin with the picture and its sentence alone, as F11 shows them");
    app.add_flag("--measure", options.measure, "Start a measurement at once");
    app.add_flag("--stats", options.stats, "Print times and counts of frames at the end, as JSON");
    app.add_flag("--check-display", options.check_display,
                 "Only try whether a window can be opened; exit 3 if not");
    if (const auto status = manual::parse(app, argc, argv)) {
        exit = *status;
        return {};
    }
    // A screenshot is the same whatever the person who takes it has chosen before.
    if (options.screenshot.empty()) options.settings = session::load_settings(options.problem);
    session::Settings& settings = options.settings;
    const session::RunChoice remembered = settings.choice;
    // A link that begins the app is its first moment, and no change that could be undone.
    if (state.empty() && !options.files.empty() &&
        session::looks_like_link(options.files.front())) {
        state = options.files.front();
        options.files.erase(options.files.begin());
    }
    if (!state.empty()) open_state(state, options);
    if (!variant.empty()) {  // instead of a file that was open at the end of the last time
        settings.choice.variant = variant;
        settings.choice.user_kernel.reset();
        settings.choice.opened.reset();
    }
    options.example = !variant.empty() && state.empty();
    const auto is_given = [&](const char* name) { return app.count(name) > 0; };
    if (any_of(std::array{"--n", "--group", "--op", "--type", "--input", "--set", "--device"},
               is_given)) {
        options.example = false;
        const catalogue::Shape given = shape.shape();
        read_own_shape(app, given, view, settings);
        catalogue::Shape& now = settings.choice.shape;
        if (is_given("--input") || is_given("--n")) {
            now.input = given.input;
            now.n = given.n;
        }
        if (is_given("--group")) now.group = given.group;
        if (is_given("--op")) now.op = given.op;
        if (is_given("--type")) now.type = given.type;
        // Several are for measuring; what is stepped stays on one.
        const bool several = results::names_several(given.device);
        if (is_given("--device")) settings.measure.shape.device = several ? given.device : "";
        if (is_given("--device") && !several) now.device = given.device;
        now.set = given.set;
        options.set = given.set;
    }
    analysis::MachineUsed& used = settings.choice.machine;
    machine.apply_to(used);
    if (!order.empty()) used.order = order;
    if (source == "device") used.order = session::kAutomatic;
    if (source == "machine" && used.order == session::kAutomatic) used.order = "round-robin";
    options.recalled = settings.choice == remembered;
    if (!view.empty()) settings.view = view;
    if (settings.view == session::kDevicesPanel && (!view.empty() || options.state) &&
        options.overlay.empty())
        options.overlay = session::kDevicesPanel;
    if (!language.empty()) settings.language = language;
    if (!terms.empty()) settings.terms = terms;
    if (!theme.empty()) settings.theme = theme;
    if (scale > 0) settings.scale = scale;
    if (!size.empty()) read_size(size, settings);
    if (is_given("--cursor")) options.cursor = cursor;
    if (!place.empty()) options.place = read_place(place);
    if (!page.empty()) {
        const auto colon = page.find(':');
        options.lesson = page.substr(0, colon);
        if (colon != std::string::npos)
            options.page = static_cast<std::size_t>(catalogue::parse_size(page.substr(colon + 1)));
        if (view.empty()) settings.view = "learn";
    }
    return options;
}

}  // namespace lab::gui
