#include "analysis/memory_traffic.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

#include "analysis/rows.h"
#include "analysis/warps.h"
#include "base/ranges.h"

namespace lab::analysis {
namespace {

using machine::Action;
using machine::ActionKind;
using machine::ObjectInfo;
using machine::Space;

const ObjectInfo& object_of(const machine::Run& run, const Action& action) {
    return run.machine().context(action.launch).objects[action.object];
}

const lang::Place& place_of(const machine::Run& run, const Action& action) {
    return run.machine().context(action.launch).code->places[action.place];
}

bool is_request(const machine::Run& run, const Action& action) {
    return action.kind <= ActionKind::atomic && object_of(run, action).space != Space::constant;
}

// Calls each(time, action) for all of them.
template <typename Each>
void for_requests(const machine::Run& run, Each each) {
    for (std::uint64_t time = 0; time < run.trace().size(); ++time)
        if (const Action& action = run.trace().action(time); is_request(run, action))
            each(time, action);
}

// Turns or sectors beyond what was needed.
std::uint64_t waste_of(const Request& request) {
    return request.local ? request.degree - request.least_degree
                         : request.sectors - std::min(request.sectors, request.ideal_sectors);
}

// What tells which of two requests is dearer: local memory first, then the waste, then how many
// bytes and so how many lanes the picture shows.
auto rank_of(const Request& request) {
    return std::tuple(request.local, waste_of(request), request.useful_bytes);
}

std::vector<LaneBytes> touched_by(const machine::Run& run, const Action& action) {
    const machine::Context& context = run.machine().context(action.launch);
    const ObjectInfo& object = object_of(run, action);
    const std::uint64_t base = object.space == Space::local ? object.base : 0;
    const std::uint64_t size = lang::info(action.type).bytes;
    std::vector<LaneBytes> bytes;
    for_accesses(
        run.trace(), context, action, [&](std::uint64_t item, const machine::Access& access) {
            const std::uint64_t first = base + access.index * size;
            const auto lane = static_cast<std::uint32_t>(item % context.local % context.lanes);
            bytes.push_back({lane, item, first, first + size});
        });
    return bytes;
}

RequestDetail detail_of(const machine::Run& run, std::uint64_t time) {
    const Action& action = run.trace().action(time);
    const machine::Context& context = run.machine().context(action.launch);
    const ObjectInfo& object = object_of(run, action);
    const lang::Place& place = place_of(run, action);
    const lang::Source& source = context.code->sources[place.file];
    const machine::Config& config = run.machine().job().config;
    RequestDetail detail;
    detail.cost = request_of(run, action);
    detail.kind = action.kind;
    detail.file = source.name;
    detail.text = lang::line_of(source, place.line);
    detail.array = object.name;
    detail.shape = object.shape;
    detail.line = place.line;
    detail.launch = action.launch;
    detail.group = action.group;
    detail.space = context.space;
    detail.warp = action.warp;
    detail.pass = PassNumbers(run).of(action.launch, action.pass);
    detail.warp_lanes = context.lanes_in(action.warp);
    detail.element_bytes = static_cast<std::uint32_t>(lang::info(object.element).bytes);
    detail.array_first = detail.cost.local ? object.base : 0;
    detail.array_end = detail.array_first + object.bytes;
    detail.touched = touched_by(run, action);
    detail.banks = config.banks;
    detail.bank_bytes = config.bank_bytes;
    detail.sector_bytes = config.sector_bytes;
    detail.line_bytes = config.line_bytes;
    return detail;
}

}  // namespace

std::optional<RequestDetail> most_expensive_request(const machine::Run& run,
                                                    std::optional<std::uint32_t> line) {
    std::optional<std::uint64_t> best;
    Request dearest;
    for_requests(run, [&](std::uint64_t time, const Action& action) {
        if (line && place_of(run, action).line != *line) return;
        const Request request = request_of(run, action);
        if (best && rank_of(request) <= rank_of(dearest)) return;
        best = time;
        dearest = request;
    });
    return best ? request_at(run, *best) : std::nullopt;
}

std::optional<RequestDetail> request_at(const machine::Run& run, std::uint64_t time) {
    if (time >= run.trace().size() || !is_request(run, run.trace().action(time)))
        return std::nullopt;
    RequestDetail detail = detail_of(run, time);
    for_requests(run, [&](std::uint64_t, const Action& action) {
        if (place_of(run, action).line != detail.line || action.kind != detail.kind ||
            object_of(run, action).name != detail.array)
            return;
        ++detail.requests;
        detail.costly += waste_of(request_of(run, action)) > 0 ? 1U : 0U;
    });
    return detail;
}

std::vector<std::uint64_t> request_times(
    const machine::Run& run, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& lines) {
    std::vector<std::uint64_t> times;
    for_requests(run, [&](std::uint64_t time, const Action& action) {
        const std::uint32_t line = place_of(run, action).line;
        const bool wanted = lines.empty() || any_of(lines, [line](const auto& range) {
                                return line >= range.first && line <= range.second;
                            });
        if (wanted) times.push_back(time);
    });
    return times;
}

std::vector<std::uint32_t> lines_with_requests(const machine::Run& run) {
    std::set<std::uint32_t> lines;
    for_requests(run, [&](std::uint64_t, const Action& action) {
        lines.insert(place_of(run, action).line);
    });
    return {lines.begin(), lines.end()};
}

namespace {

using nlohmann::json;

std::uint64_t div_up(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

// Stretches of memory [first, end), which it puts in order and joins.
using Stretches = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Stretches joined(Stretches all) {
    sort(all);
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
    const ObjectInfo& object = object_of(run, action);
    Request request;
    request.local = object.space == Space::local;
    const Stretches all = touched(run, action, request.local ? object.base : 0);
    for (const auto& [first, end] : all)
        request.useful_bytes += end - first;
    if (request.local) {
        const std::vector<std::uint64_t> words = blocks_of(all, config.bank_bytes);
        std::vector<std::uint64_t> counts(config.banks);
        for (const std::uint64_t word : words)
            ++counts[word % config.banks];
        request.degree = *std::max_element(counts.begin(), counts.end());
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
    for_requests(run, [&](std::uint64_t, const Action& action) {
        const ObjectInfo& object = object_of(run, action);
        const Request request = request_of(run, action);
        const lang::Place& place = place_of(run, action);
        const std::string& file =
            run.machine().context(action.launch).code->sources[place.file].name;
        LineTraffic& line = lines[{file, place.line, object.name, request.local, action.kind}];
        if (line.requests == 0) {
            line.file = file;
            line.array = object.name;
            line.line = place.line;
            line.kind = action.kind;
        }
        add(line, request);
        add(request.local ? traffic.local : traffic.global, request);
    });
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

std::map<std::uint32_t, LineCost> line_costs(const machine::Run& run) {
    std::map<std::uint32_t, LineCost> result;
    const machine::Trace& trace = run.trace();
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const Action& action = trace.action(time);
        if (trace.continues(time)) continue;
        const auto& code = *run.machine().context(action.launch).code;
        LineCost& line = result[code.places[action.place].line];
        const auto lanes = static_cast<std::uint64_t>(std::popcount(action.mask));
        line.hits += lanes;
        if (action.kind == ActionKind::barrier) line.waits += lanes;
    }
    for (const LineTraffic& traffic : traffic_of(run).lines) {
        LineCost& line = result[traffic.line];
        line.requests += traffic.requests;
        line.taken += traffic.local ? traffic.turns : traffic.sectors;
        line.least += traffic.local ? traffic.least_turns : traffic.ideal_sectors;
    }
    for (const DivergentBranch& branch : branches_of(run)) {
        result[branch.line].times += branch.times;
        result[branch.line].splits += branch.splits;
    }
    return result;
}

RunCosts costs_of(const machine::Run& run) {
    RunCosts costs;
    const LaneCount lanes = lanes_of(run).total;
    costs.offered = lanes.offered;
    costs.idle = lanes.offered - lanes.active;
    const Traffic traffic = traffic_of(run);
    costs.sectors = traffic.global.sectors;
    costs.least_sectors = traffic.global.ideal_sectors;
    costs.lines = traffic.global.lines;
    costs.bank_cycles = traffic.local.turns;
    costs.least_bank_cycles = traffic.local.least_turns;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const machine::Action& action = run.trace().action(time);
        costs.barriers += action.kind == machine::ActionKind::barrier && action.warp == 0;
    }
    std::pair<std::uint64_t, std::uint64_t> most;
    for (const auto& [line, cost] : line_costs(run)) {
        const std::pair wasted{cost.taken - std::min(cost.taken, cost.least), cost.splits};
        if (wasted <= most) continue;
        most = wasted;
        costs.line = line;
    }
    return costs;
}

}  // namespace lab::analysis
