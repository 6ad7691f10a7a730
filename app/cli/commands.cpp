#include <fmt/format.h>

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "catalogue/shape_options.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/shared.h"
#include "draw/palette.h"
#include "draw/pass_figure.h"
#include "draw/save.h"
#include "service/service.h"
#include "worker/protocol.h"

namespace lab::cli {
namespace {

template <typename Names>
std::vector<std::string> words(const Names& names) {
    return {std::begin(names), std::end(names)};
}

Action devices_command(CLI::App& app) {
    auto json = make<bool>();
    add_json(app, *json);
    return [json] {
        const auto found = ask("devices", nlohmann::json::object()).get<Devices>();
        if (*json)
            print_json(found);
        else
            std::cout << text_of(found);
        for (const Problem& problem : found.problems)
            warn(problem);
        return found.devices.empty() ? Exit::no_device : Exit::done;
    };
}

Action variants_command(CLI::App& app) {
    auto json = make<bool>();
    add_json(app, *json);
    return [json] {
        const Catalogue all = catalogue();
        if (*json)
            print_json(json_of(all));
        else
            std::cout << text_of(all);
        return all.problems.empty() ? Exit::done : Exit::usage;
    };
}

struct StepOptions {
    std::string variant, source = "device", theme = "light", language = "en";
    ShapeOptions shape;
    bool json = false;
    std::vector<std::string> files;
};

Action step_command(CLI::App& app) {
    auto options = make<StepOptions>();
    app.add_option("variant", options->variant, "Id of a variant; `variants` lists them")
        ->required();
    options->shape.add_to(app);
    app.add_option("--source", options->source, "Where the states come from")
        ->check(CLI::IsMember({"device"}))
        ->capture_default_str();
    app.add_option("-o,--output", options->files, "Draw the passes to a file: svg, png or pdf")
        ->type_name("FILE");
    app.add_option("--theme", options->theme, "Of the drawing")
        ->check(CLI::IsMember(words(draw::kThemes)))
        ->capture_default_str();
    app.add_option("--lang", options->language, "Of the drawing")
        ->check(CLI::IsMember(words(kLanguages)))
        ->capture_default_str();
    add_json(app, options->json);
    return [options] {
        for (const std::string& file : options->files)
            draw::check_suffix(file);
        (void)catalogue().find(options->variant);
        const nlohmann::json request{{"variant", options->variant},
                                     {"shape", options->shape.shape()}};
        const auto passes = ask("step", request).get<Passes>();
        if (options->json)
            print_json(passes);
        else
            std::cout << text_of(passes);
        if (!options->files.empty()) {
            const draw::Fonts fonts;
            const Translations words(options->language);
            const draw::Scene figure =
                draw::pass_figure(passes, draw::PassFigureOptions{}, fonts, words);
            for (const std::string& file : options->files) {
                draw::save(figure, draw::load_palette(options->theme), fonts, file);
                std::cerr << fmt::format("wrote {}\n", file);
            }
        }
        return passes.right ? Exit::done : Exit::found;
    };
}

Action serve_command(CLI::App&) {
    return [] {
        worker::end_with_parent();
        worker::serve_standard_streams(service::methods());
        return Exit::done;
    };
}

constexpr std::array kCommands{
    Command{"devices", "List the OpenCL devices, and what is missing", devices_command},
    Command{"variants", "List the variants of the reduction", variants_command},
    Command{"step", "Run a small reduction and show its values after each pass", step_command},
    Command{"trials", "Run one small case many times and count the results", trials_command},
    Command{"check", "Hold variants against the host in many cases", check_command},
    Command{"measure", "Time variants at full size and check their results", measure_command},
    Command{"serve", "Answer requests, JSON lines, from standard input", serve_command},
};

}  // namespace

std::span<const Command> commands() {
    return kCommands;
}

}  // namespace lab::cli
