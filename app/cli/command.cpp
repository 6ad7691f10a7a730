#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "base/paths.h"
#include "catalogue/number.h"
#include "worker/client.h"

namespace lab::cli {
namespace {

std::string duration_text(double seconds) {
    const auto whole = static_cast<int>(seconds);
    return whole < 100 ? fmt::format("{} s", whole) : fmt::format("{} min", (whole + 30) / 60);
}

}  // namespace

void warn(const Problem& problem) {
    std::cerr << "problem: " << problem.text() << '\n';
}

OnProgress progress_line(const std::string& unit) {
    if (isatty(STDERR_FILENO) == 0) return {};
    return [unit](const nlohmann::json& object) {
        const std::size_t done = object.value("done", std::size_t{0});
        const std::size_t total = object.value("total", std::size_t{0});
        const double left = object.value("seconds_left", 0.0);
        std::string line = fmt::format("{} of {} {}", done, total, unit);
        if (left >= 1) line += fmt::format(", about {} left", duration_text(left));
        std::cerr << fmt::format("\r{:<60}{}", line, done == total ? "\n" : "") << std::flush;
    };
}

void add_json(CLI::App& app, bool& json) {
    app.add_flag("--json", json, "Print JSON instead of text");
}

void add_delays(CLI::App& app, std::optional<std::uint32_t>& seed) {
    app.add_option("--delays", seed,
                   "Short waits before accesses, drawn by this seed, so that rare results come")
        ->type_name("SEED");
}

catalogue::Catalogue catalogue() {
    catalogue::Catalogue loaded = catalogue::load_catalogue();
    for (const Problem& problem : loaded.problems)
        warn(problem);
    if (loaded.variants.empty())
        throw Problem("There is no kernel that can be read", "",
                      "Install the program again, or fix the files",
                      (data_folder() / "kernels").string());
    return loaded;
}

std::vector<std::string> variant_ids(const std::vector<std::string>& asked,
                                     const catalogue::Catalogue& all) {
    std::vector<std::string> ids;
    for (const std::string& id : asked) {
        if (id == "all") {
            ids.clear();
            for (const catalogue::Variant& variant : all.variants)
                ids.push_back(variant.id);
            return ids;
        }
        (void)all.find(id);
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    return ids;
}

Problem interrupted(const std::string& what, const std::string& kept) {
    return {what + " was interrupted", "Ctrl+C was pressed, or it was asked to end", kept, "",
            Exit::interrupted};
}

std::uint64_t parse_count(const std::string& text) {
    const std::uint64_t count = catalogue::parse_size(text);
    if (count == 0)
        throw Problem("The number of runs must be 1 or more", "", "Write --count 1000", "--count");
    return count;
}

nlohmann::json ask(const std::string& method, const nlohmann::json& parameters,
                   const OnProgress& progress, std::chrono::milliseconds limit) {
    std::mutex mutex;
    std::condition_variable arrived;
    bool waiting = false;
    worker::Client::Options options;
    options.program = program_path();
    options.wake = [&] {
        const std::lock_guard lock(mutex);
        waiting = true;
        arrived.notify_one();
    };
    worker::Client client(options);
    std::optional<nlohmann::json> result;
    std::optional<Problem> problem;
    client.send(method, parameters,
                {progress, [&](const nlohmann::json& object) { result = object; },
                 [&](const Problem& of) { problem = of; }},
                limit);
    const InterruptsNoted noted;
    while (!result && !problem) {
        {
            std::unique_lock lock(mutex);
            arrived.wait_for(lock, std::chrono::milliseconds(100), [&] { return waiting; });
            waiting = false;
        }
        client.poll();
        if (InterruptsNoted::seen() && !result && !problem)
            throw interrupted("The run", "What came until then is kept");
    }
    if (problem) throw Problem(*problem);
    return *result;
}

}  // namespace lab::cli
