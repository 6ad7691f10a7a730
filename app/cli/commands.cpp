#include <fmt/format.h>

#include <array>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "catalogue/number.h"
#include "catalogue/shape_options.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/report.h"
#include "draw/palette.h"
#include "draw/pass_figure.h"
#include "draw/save.h"
#include "service/service.h"
#include "worker/protocol.h"

namespace lab::cli {
namespace {

// Options live as long as the command's action.
template <typename Options>
std::shared_ptr<Options> make() {
    return std::make_shared<Options>();
}

template <typename Data>
void print_json(const Data& data) {
    std::cout << nlohmann::json(data).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << '\n';
}

template <typename Names>
std::vector<std::string> words(const Names& names) {
    return {std::begin(names), std::end(names)};
}

void add_json(CLI::App& app, bool& json) {
    app.add_flag("--json", json, "Print JSON instead of text");
}

// What a kernel folder's broken files are is said, but never stops what does not need them.
Catalogue catalogue() {
    Catalogue loaded = load_catalogue();
    for (const Problem& problem : loaded.problems)
        warn(problem);
    if (loaded.variants.empty())
        throw Problem("There is no kernel that can be read", "",
                      "Install the program again, or mend the files",
                      (data_folder() / "kernels").string());
    return loaded;
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

constexpr auto kLongestRow = std::chrono::minutes(10);  // without a sign of life

struct MeasureOptions {
    std::vector<std::string> variants;
    std::string sizes;
    ShapeOptions shape;
    int repeat = 10;
    bool json = false;
    std::vector<std::string> files;
};

MeasureRequest request_of(const MeasureOptions& options, const Catalogue& all) {
    MeasureRequest request{options.variants, {}, options.shape.shape(), options.repeat};
    const bool counted = request.shape.input.kind == Input::Kind::values ||
                         request.shape.input.kind == Input::Kind::file;
    if (!options.sizes.empty() && (request.shape.n || counted))
        throw Problem("The number of elements is given twice",
                      counted ? "The input has as many as it has" : "By --n and by --sizes",
                      "Leave --sizes out", "--sizes");
    request.sizes = request.shape.n ? std::vector{*request.shape.n}
                                    : parse_sizes(options.sizes.empty() ? "2^20" : options.sizes);
    if (request.variants == std::vector<std::string>{"all"}) {
        request.variants.clear();
        for (const Variant& variant : all.variants)
            request.variants.push_back(variant.id);
    }
    return request;
}

Action measure_command(CLI::App& app) {
    auto options = make<MeasureOptions>();
    app.add_option("variants", options->variants, "Ids with commas between them, or all")
        ->required()
        ->delimiter(',');
    options->shape.type = "float";
    options->shape.input = "random:1";
    options->shape.add_to(app);
    app.add_option(
        "--sizes", options->sizes,
        "Numbers of elements: a list, 1000,10Mi; a range by doubling, 2^16..2^26 [2^20]");
    app.add_option("--repeat", options->repeat, "Counted runs a row")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    app.add_option("-o,--output", options->files, "Write all samples to a file: json")
        ->type_name("FILE");
    add_json(app, options->json);
    return [options] {
        for (const std::string& file : options->files)
            check_result_suffix(file);
        const Catalogue all = catalogue();
        const auto measured =
            ask("measure", request_of(*options, all), progress_line(), kLongestRow)
                .get<Measurements>();
        if (options->json)
            print_json(measured);
        else
            std::cout << text_of(measured);
        for (const std::string& file : options->files) {
            write_file(file, nlohmann::json(measured).dump(1) + "\n");
            std::cerr << fmt::format("wrote {}\n", file);
        }
        for (const Problem& problem : measured.problems)
            warn(problem);
        if (measured.rows.empty() && !measured.problems.empty())
            return measured.problems.front().exit;
        for (const Row& row : measured.rows)
            if (!row.right) return Exit::found;
        return measured.problems.empty() ? Exit::done : measured.problems.front().exit;
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
    Command{"measure", "Time variants at full size and check their results", measure_command},
    Command{"serve", "Answer requests, JSON lines, from standard input", serve_command},
};

}  // namespace

std::span<const Command> commands() {
    return kCommands;
}

}  // namespace lab::cli
