#include "analysis/lanes/memory_request.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "analysis/rows/pass_numbers.h"

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
    const bool access = action.kind == ActionKind::load || action.kind == ActionKind::store ||
                        action.kind == ActionKind::atomic;
    return access && object_of(run, action).space != Space::constant;
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
    const auto accesses = run.trace().accesses(action);
    std::vector<LaneBytes> bytes;
    std::size_t index = 0;
    for (std::uint64_t lanes = action.mask; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
        for (unsigned i = 0; i < action.count && index < accesses.size(); ++i, ++index) {
            const std::uint64_t first = base + accesses[index].index * size;
            bytes.push_back({lane,
                             std::uint64_t{action.group} * context.local +
                                 std::uint64_t{action.warp} * context.lanes + lane,
                             first, first + size});
        }
    }
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
    detail.line = place.line;
    detail.launch = action.launch;
    detail.group = action.group;
    detail.space = context.space;
    detail.warp = action.warp;
    detail.pass = PassNumbers(run).of(action.launch, action.pass);
    detail.warp_lanes = std::min(context.lanes, context.local - action.warp * context.lanes);
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

// Those of its line and array.
void count_requests(const machine::Run& run, RequestDetail& detail) {
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const Action& action = run.trace().action(time);
        if (!is_request(run, action) || place_of(run, action).line != detail.line ||
            action.kind != detail.kind || object_of(run, action).name != detail.array)
            continue;
        ++detail.requests;
        detail.costly += waste_of(request_of(run, action)) > 0 ? 1U : 0U;
    }
}

}  // namespace

std::optional<RequestDetail> most_expensive_request(const machine::Run& run,
                                                    std::optional<std::uint32_t> line) {
    const machine::Trace& trace = run.trace();
    std::optional<std::uint64_t> best;
    Request dearest;
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const Action& action = trace.action(time);
        if (!is_request(run, action)) continue;
        if (line && place_of(run, action).line != *line) continue;
        const Request request = request_of(run, action);
        if (best && rank_of(request) <= rank_of(dearest)) continue;
        best = time;
        dearest = request;
    }
    if (!best) return std::nullopt;
    RequestDetail detail = detail_of(run, *best);
    count_requests(run, detail);
    return detail;
}

std::optional<RequestDetail> request_at(const machine::Run& run, std::uint64_t time) {
    if (time >= run.trace().size() || !is_request(run, run.trace().action(time)))
        return std::nullopt;
    RequestDetail detail = detail_of(run, time);
    count_requests(run, detail);
    return detail;
}

std::vector<std::uint64_t> request_times(
    const machine::Run& run, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& lines) {
    std::vector<std::uint64_t> times;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const Action& action = run.trace().action(time);
        if (!is_request(run, action)) continue;
        const std::uint32_t line = place_of(run, action).line;
        const bool wanted =
            lines.empty() || std::any_of(lines.begin(), lines.end(), [line](const auto& range) {
                return line >= range.first && line <= range.second;
            });
        if (wanted) times.push_back(time);
    }
    return times;
}

std::vector<std::uint32_t> lines_with_requests(const machine::Run& run) {
    std::set<std::uint32_t> lines;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time)
        if (is_request(run, run.trace().action(time)))
            lines.insert(place_of(run, run.trace().action(time)).line);
    return {lines.begin(), lines.end()};
}

}  // namespace lab::analysis
