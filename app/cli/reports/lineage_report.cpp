#include "cli/reports/lineage_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/rows/loss.h"
#include "lang/code/value.h"

namespace lab::cli {
namespace {

using machine::Machine;
using nlohmann::json;
using simulation::ResultLineage;
using simulation::Simulation;

constexpr std::size_t kMostNames = 8;   // in a list: single ones, and stretches
constexpr std::size_t kMostLines = 64;  // of a tree
constexpr std::size_t kMostTrees = 16;
constexpr std::size_t kFewestInARow = 4;

// "data[0], data[2], data[4] to data[9] and 12 others".
std::string names_text(const Machine& machine, const std::vector<analysis::Ingredient>& inputs) {
    std::vector<std::string> names;
    std::size_t named = 0;
    while (named < inputs.size() && names.size() < kMostNames) {
        const auto name = [&](std::size_t i) {
            return text_of(machine,
                           analysis::MemoryCell{false, 0, 0, inputs[i].buffer, inputs[i].index});
        };
        std::size_t end = named + 1;
        while (end < inputs.size() && inputs[end].buffer == inputs[named].buffer &&
               inputs[end].index == inputs[end - 1].index + 1)
            ++end;
        if (end - named >= kFewestInARow) {
            names.push_back(fmt::format("{} to {}", name(named), name(end - 1)));
            named = end;
        } else {
            names.push_back(name(named++));
        }
    }
    const std::size_t others = inputs.size() - named;
    return fmt::format("{}{}", fmt::join(names, ", "),
                       others == 0   ? ""
                       : others == 1 ? " and one other"
                                     : fmt::format(" and {} others", others));
}

std::string times_text(std::uint64_t times) {
    return times == 1                      ? "once"
           : times == 2                    ? "twice"
           : times == analysis::kCountless ? "countless times"
                                           : fmt::format("{} times", times);
}

const char* is_are(std::size_t count) {
    return count == 1 ? "is" : "are";
}

// "data[0] is in it twice"; where they differ "data[0], data[2] are in it 2 to 5 times each".
std::string repeated_text(const Machine& machine, const std::vector<analysis::Ingredient>& inputs) {
    const auto [least, most] =
        std::minmax_element(inputs.begin(), inputs.end(),
                            [](const analysis::Ingredient& a, const analysis::Ingredient& b) {
                                return a.times < b.times;
                            });
    const std::string times =
        least->times == most->times
            ? times_text(most->times)
            : fmt::format("{} to {} each", least->times, times_text(most->times));
    return fmt::format("{} {} in it {}", names_text(machine, inputs), is_are(inputs.size()), times);
}

std::string unwritten_text(std::uint64_t count) {
    return count == 1
               ? std::string("a value that nobody had written is in it")
               : fmt::format("{} values that nobody had written are in it",
                             count == analysis::kCountless ? "countless" : std::to_string(count));
}

std::map<std::uint64_t, std::vector<analysis::Ingredient>> by_times(
    const std::vector<analysis::Ingredient>& inputs) {
    std::map<std::uint64_t, std::vector<analysis::Ingredient>> result;
    for (const analysis::Ingredient& each : inputs)
        result[each.times].push_back(each);
    return result;
}

bool chooses(catalogue::Op op) {
    return op == catalogue::Op::min || op == catalogue::Op::max;
}

std::string access_text(const analysis::AccessRef& ref) {
    return fmt::format("work-item {} in line {} (launch {}, pass {}, action {})", ref.item,
                       ref.line, ref.launch + 1, ref.pass, ref.time);
}

std::string loss_text(const Machine& machine, const analysis::Loss& loss) {
    const std::string cell = text_of(machine, loss.cell);
    const std::string stored =
        loss.stored ? ", stored by " + access_text(*loss.stored) : std::string(" from the start");
    switch (loss.kind) {
        case analysis::Loss::Kind::never_read:
            return "never read";
        case analysis::Loss::Kind::read_too_early:
            return fmt::format("{} read too early by {}, before it was stored there by {}", cell,
                               access_text(*loss.read), access_text(*loss.stored));
        case analysis::Loss::Kind::overwritten:
            return fmt::format("in {}{}, and overwritten by {}", cell, stored,
                               access_text(*loss.overwritten));
        case analysis::Loss::Kind::last_stored:
            return fmt::format("last seen in {}{}", cell, stored);
        case analysis::Loss::Kind::last_read:
            return fmt::format("last seen in {}, read by {}", cell, access_text(*loss.read));
    }
    return {};
}

// Inputs that were lost in the same way in one line.
std::string losses_text(const machine::Run& run, const ResultLineage& lineage) {
    const Machine& machine = run.machine();
    const std::vector<analysis::Loss> losses =
        losses_of(run, lineage.cells, lineage.account.missing);
    std::vector<std::pair<std::string, std::vector<analysis::Ingredient>>>
        ways;  // in order of the first
    for (const analysis::Loss& loss : losses) {
        const std::string way = loss_text(machine, loss);
        auto position = std::find_if(ways.begin(), ways.end(),
                                     [&](const auto& each) { return each.first == way; });
        if (position == ways.end()) position = ways.insert(position, {way, {}});
        position->second.push_back(loss.input);
    }
    std::string text;
    for (const auto& [way, inputs] : ways)
        text += fmt::format("  lost {}: {}\n", names_text(machine, inputs), way);
    if (lineage.account.missing.size() > losses.size())
        text += fmt::format("  … and {} more were lost\n",
                            lineage.account.missing.size() - losses.size());
    return text;
}

std::string composition_text(const Machine& machine, const analysis::Composition& composition) {
    std::string text;
    for (const auto& [times, inputs] : by_times(composition.inputs))
        text += fmt::format("  {} in it: {}\n", times_text(times), names_text(machine, inputs));
    if (composition.unwritten > 0)
        text += fmt::format("  {}\n", unwritten_text(composition.unwritten));
    if (composition.inputs.empty() && composition.unwritten == 0) text += "  no input is in it\n";
    return text;
}

std::string entry_text(const Machine& machine, const analysis::Ancestry::Entry& entry) {
    if (entry.node == machine::kUnwritten) return "nobody had written it";
    const std::string value = entry.value.empty() ? "in registers" : entry.value;
    if (entry.node == 0) return "no input";
    const machine::Origin& origin = machine.lineage()[entry.node];
    if (origin.is_input)
        return fmt::format(
            "{} = {}",
            text_of(machine, analysis::MemoryCell{false, 0, 0, origin.buffer, origin.index}),
            value);
    return value + (entry.cut ? " …" : "");
}

// Parts deeper indented, below what they went into.
std::string tree_text(const Machine& machine, const analysis::Ancestry& ancestry) {
    std::string text;
    std::vector<std::pair<std::size_t, std::size_t>> left{{0, 1}};  // entry, depth
    std::size_t lines = 0;
    for (; !left.empty() && lines < kMostLines; ++lines) {
        const auto [at, depth] = left.back();
        left.pop_back();
        const analysis::Ancestry::Entry& entry = ancestry.entries[at];
        text += fmt::format("{:{}}{}\n", "", 2 * depth, entry_text(machine, entry));
        if (entry.left == 0) continue;
        left.emplace_back(entry.right, depth + 1);
        left.emplace_back(entry.left, depth + 1);
    }
    const std::uint64_t hidden = ancestry.left_out == analysis::kCountless
                                     ? analysis::kCountless
                                     : ancestry.left_out + ancestry.entries.size() - lines;
    if (hidden == analysis::kCountless)
        text += "  … and countless more\n";
    else if (hidden > 0)
        text += fmt::format("  … and {} more\n", hidden);
    return text;
}

std::string value_text(const analysis::CellContents& contents) {
    return contents.written ? lang::text_of(contents.bits, contents.type)
                            : std::string("nobody has written it");
}

json tree_json(const machine::Run& run, const analysis::CellContents& contents) {
    const analysis::Ancestry ancestry = analysis::ancestry_of(run, contents.node);
    return {{"tree", json_of(run.machine(), ancestry)},
            {"left_out", ancestry.left_out},
            {"value", contents.written ? json(value_text(contents)) : json()}};
}

json composition_json(const Machine& machine, const analysis::Composition& composition) {
    return {{"inputs", json_of(machine, composition.inputs)}, {"unwritten", composition.unwritten}};
}

}  // namespace

std::string cell_text(machine::Run& run, const CellAt& cell_at) {
    const machine::State state = run.state_at(cell_at.time);
    const auto contents = contents_of(run.machine(), state, cell_at.cell);
    if (!contents) return {};
    const machine::Node node = contents->node;
    return fmt::format("\nlineage of {} after {} actions: {}\n{}{}",
                       text_of(run.machine(), cell_at.cell), cell_at.time, value_text(*contents),
                       composition_text(run.machine(), analysis::composition_of(
                                                           run.machine().lineage(), {&node, 1})),
                       tree_text(run.machine(), analysis::ancestry_of(run, node)));
}

json cell_json(machine::Run& run, const CellAt& cell_at) {
    const machine::State state = run.state_at(cell_at.time);
    const auto contents = contents_of(run.machine(), state, cell_at.cell);
    if (!contents) return nullptr;
    const machine::Node node = contents->node;
    json object = tree_json(run, *contents);
    object["cell"] = text_of(run.machine(), cell_at.cell);
    object["time"] = cell_at.time;
    object.update(composition_json(run.machine(),
                                   analysis::composition_of(run.machine().lineage(), {&node, 1})));
    return object;
}

std::string result_text(const Simulation& simulation) {
    const auto lineage = simulation::result_lineage(simulation);
    if (!lineage) return "\nlineage: no single result to ask about; ask for a --cell\n";
    const machine::Run& run = *simulation.run;
    std::string text = fmt::format("\nlineage of the result{}\n",
                                   lineage->cells.size() > 1 ? ", all parts together" : "");
    text += composition_text(run.machine(), lineage->composition);
    if (!lineage->account.missing.empty())
        text += fmt::format("  missing: {}\n", names_text(run.machine(), lineage->account.missing));
    text += losses_text(run, *lineage);
    const std::size_t shown = std::min(kMostTrees, lineage->cells.size());
    for (const analysis::MemoryCell& cell : std::span(lineage->cells).first(shown)) {
        const auto contents = contents_of(run.machine(), run.end(), cell);
        if (!contents) continue;
        text += text_of(run.machine(), cell) + "\n";
        text += tree_text(run.machine(), analysis::ancestry_of(run, contents->node));
    }
    if (shown < lineage->cells.size())
        text += fmt::format("… and {} more parts\n", lineage->cells.size() - shown);
    return text;
}

json result_json(const Simulation& simulation) {
    const auto lineage = simulation::result_lineage(simulation);
    if (!lineage) return nullptr;
    const machine::Run& run = *simulation.run;
    json object = composition_json(run.machine(), lineage->composition);
    object["missing"] = json_of(run.machine(), lineage->account.missing);
    object["repeated"] = json_of(run.machine(), lineage->account.repeated);
    object["losses"] = json::array();
    for (const analysis::Loss& loss : losses_of(run, lineage->cells, lineage->account.missing))
        object["losses"].push_back(json_of(run.machine(), loss));
    object["cells"] = json::array();
    for (const analysis::MemoryCell& cell : lineage->cells) {
        const auto contents = contents_of(run.machine(), run.end(), cell);
        if (!contents) continue;
        json one = tree_json(run, *contents);
        one["cell"] = text_of(run.machine(), cell);
        object["cells"].push_back(std::move(one));
    }
    return object;
}

std::string why_wrong(const Simulation& simulation) {
    const auto lineage = simulation::result_lineage(simulation);
    if (!lineage) return {};
    const Machine& machine = simulation.run->machine();
    const analysis::Account& account = lineage->account;
    std::vector<std::string> reasons;
    if (!account.missing.empty())
        reasons.push_back(fmt::format("{} {} not in it", names_text(machine, account.missing),
                                      is_are(account.missing.size())));
    if (!chooses(simulation.shape.op) && !account.repeated.empty())
        reasons.push_back(repeated_text(machine, account.repeated));
    if (account.unwritten > 0) reasons.push_back(unwritten_text(account.unwritten));
    if (reasons.empty()) return "each element is in it once\n";
    return fmt::format("{}\n", fmt::join(reasons, "; "));
}

}  // namespace lab::cli
