#include "analysis/lanes/traffic.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

namespace lab::analysis {
namespace {

using machine::Action;
using machine::ActionKind;
using machine::ObjectInfo;
using machine::Space;
using nlohmann::json;

std::uint64_t div_up(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

// Stretches of memory [first, end), which it puts in order and joins.
using Stretches = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Stretches joined(Stretches all) {
    std::sort(all.begin(), all.end());
    Stretches stretches;
    for (const auto& [first, end] : all)
        if (!stretches.empty() && first <= stretches.back().second)
            stretches.back().second = std::max(stretches.back().second, end);
        else
            stretches.emplace_back(first, end);
    return stretches;
}

// The different blocks of `size` bytes that the stretches, in order, touch.
std::vector<std::uint64_t> blocks_of(const Stretches& all, std::uint64_t size) {
    std::vector<std::uint64_t> blocks;
    for (const auto& [first, end] : all)
        for (std::uint64_t block = first / size; block * size < end; ++block)
            if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
    return blocks;
}

Stretches touched(const machine::Run& run, const Action& action, std::uint64_t base) {
    const std::uint64_t size = lang::info(action.type).bytes;
    Stretches all;
    for (const machine::Access& access : run.trace().accesses(action)) {
        const std::uint64_t first = base + access.index * size;
        all.emplace_back(first, first + size);
    }
    return joined(std::move(all));
}

std::uint64_t most_in_a_bank(const std::vector<std::uint64_t>& words, std::uint32_t banks) {
    std::vector<std::uint64_t> counts(banks);
    for (const std::uint64_t word : words)
        ++counts[word % banks];
    return *std::max_element(counts.begin(), counts.end());
}

bool is_access(const Action& action) {
    return action.kind == ActionKind::load || action.kind == ActionKind::store ||
           action.kind == ActionKind::atomic;
}

void add(LineTraffic& to, const Request& request) {
    ++to.requests;
    to.useful_bytes += request.useful_bytes;
    if (!request.local) {
        to.sectors += request.sectors;
        to.lines += request.lines;
        to.ideal_sectors += request.ideal_sectors;
        return;
    }
    to.local = true;
    ++to.degrees[request.degree];
    to.turns += request.degree;
    to.least_turns += request.least_degree;
}

json json_of(const LineTraffic& traffic) {
    json object{{"requests", traffic.requests}, {"useful_bytes", traffic.useful_bytes}};
    if (traffic.local) {
        object["bank_turns"] = traffic.turns;
        object["least_bank_turns"] = traffic.least_turns;
        object["degrees"] = json::array();
        for (const auto& [degree, requests] : traffic.degrees)
            object["degrees"].push_back({{"degree", degree}, {"requests", requests}});
    } else {
        object["sectors"] = traffic.sectors;
        object["lines"] = traffic.lines;
        object["ideal_sectors"] = traffic.ideal_sectors;
    }
    object["efficiency"] = traffic.requests == 0 ? json() : json(efficiency(traffic));
    return object;
}

}  // namespace

Request request_of(const machine::Run& run, const Action& action) {
    const machine::Config& config = run.machine().job().config;
    const ObjectInfo& object = run.machine().context(action.launch).objects[action.object];
    Request request;
    request.local = object.space == Space::local;
    const Stretches all = touched(run, action, request.local ? object.base : 0);
    for (const auto& [first, end] : all)
        request.useful_bytes += end - first;
    if (request.local) {
        const std::vector<std::uint64_t> words = blocks_of(all, config.bank_bytes);
        request.degree = most_in_a_bank(words, config.banks);
        request.least_degree = div_up(words.size(), config.banks);
        return request;
    }
    request.sectors = blocks_of(all, config.sector_bytes).size();
    request.lines = blocks_of(all, config.line_bytes).size();
    request.ideal_sectors =
        std::max<std::uint64_t>(1, div_up(request.useful_bytes, config.sector_bytes));
    return request;
}

double efficiency(const LineTraffic& traffic) {
    const std::uint64_t least = traffic.local ? traffic.least_turns : traffic.ideal_sectors;
    const std::uint64_t all = traffic.local ? traffic.turns : traffic.sectors;
    return all == 0 ? 0 : static_cast<double>(least) / static_cast<double>(all);
}

Traffic traffic_of(const machine::Run& run) {
    Traffic traffic;
    traffic.local.local = true;
    using Key = std::tuple<std::string, std::uint32_t, std::string, bool, ActionKind>;
    std::map<Key, LineTraffic> lines;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const Action& action = run.trace().action(time);
        if (!is_access(action)) continue;
        const machine::Context& context = run.machine().context(action.launch);
        const ObjectInfo& object = context.objects[action.object];
        if (object.space == Space::constant) continue;
        const Request request = request_of(run, action);
        const lang::Place& place = context.code->places[action.place];
        const std::string& file = context.code->sources[place.file].name;
        LineTraffic& line = lines[{file, place.line, object.name, request.local, action.kind}];
        if (line.requests == 0) {
            line.file = file;
            line.array = object.name;
            line.line = place.line;
            line.kind = action.kind;
        }
        add(line, request);
        add(request.local ? traffic.local : traffic.global, request);
    }
    for (auto& [key, line] : lines)
        traffic.lines.push_back(std::move(line));
    return traffic;
}

void to_json(json& out, const Traffic& traffic) {
    out = {{"global", json_of(traffic.global)},
           {"local", json_of(traffic.local)},
           {"lines", json::array()}};
    for (const LineTraffic& line : traffic.lines) {
        json one = json_of(line);
        one["file"] = line.file;
        one["line"] = line.line;
        one["array"] = line.array;
        one["space"] = line.local ? "local" : "global";
        one["kind"] = machine::name_of(line.kind);
        out["lines"].push_back(std::move(one));
    }
}

}  // namespace lab::analysis
