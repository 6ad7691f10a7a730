#include "cli/cell_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <vector>

#include "base/problem.h"

namespace lab::cli {
namespace {

using machine::Machine;

// The parts of "buf/1[3]@57".
struct CellWords {
    std::string name;
    std::optional<std::uint64_t> group, time;
    std::uint64_t index = 0;
};

[[noreturn]] void bad_cell(const std::string& text, const std::string& what, const std::string& why,
                           const std::string& hint) {
    throw Problem(what, why, hint, "--cell " + text);
}

CellWords words_of(const std::string& text) {
    static const std::regex kForm(R"(([^\[\]/@]+)(?:/(\d{1,9}))?\[(\d{1,15})\](?:@(\d{1,15}))?)");
    std::smatch found;
    if (!std::regex_match(text, found, kForm))
        bad_cell(
            text, fmt::format("'{}' is not a cell", text),
            "A cell is an array and an index, for local memory with its group, and with a time "
            "behind @ if it is not the end",
            "Write data[3], data[3]@57 or buf/1[3]@57");
    const auto number = [&](std::size_t i) -> std::optional<std::uint64_t> {
        if (!found[i].matched) return std::nullopt;
        return std::stoull(found[i].str());
    };
    return {found[1].str(), number(2), number(4), *number(3)};
}

// The names of all arrays that cells can be asked of.
std::string array_names(const machine::Run& run) {
    std::vector<std::string> names;
    const Machine& machine = run.machine();
    for (std::size_t i = 0; i < machine.job().buffers.size(); ++i)
        names.push_back(analysis::buffer_name(machine, i));
    const machine::Context& context = machine.context(0);
    for (std::size_t i = 1; i <= context.visible; ++i)
        if (context.objects[i].space == machine::Space::local)
            names.push_back(context.objects[i].name + "/0");
    return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void no_array(const std::string& text, const CellWords& words,
                           const machine::Run& run) {
    bad_cell(text,
             fmt::format("There is no {} '{}'", words.group ? "local array" : "buffer", words.name),
             words.group ? "" : "Of a local array the group must be told, too",
             "Arrays are " + array_names(run));
}

CellAt global_cell(const std::string& text, const CellWords& words, const machine::Run& run) {
    const auto& buffers = run.machine().job().buffers;
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
        if (analysis::buffer_name(run.machine(), i) != words.name) continue;
        const std::uint64_t count = buffers[i].bytes / lang::info(buffers[i].element).bytes;
        if (words.index >= count)
            bad_cell(text, fmt::format("'{}' has no element {}", words.name, words.index),
                     fmt::format("It has {}, counted from 0", count), "Choose one of them");
        return {{false, 0, 0, i, words.index}, words.time.value_or(run.trace().size())};
    }
    no_array(text, words, run);
}

// Between the first and the last action of a group, its local memory is there.
struct Stay {
    std::uint64_t first = 0, last = 0;
    bool any = false;
};
Stay stay_of(const machine::Run& run, std::uint32_t launch, std::uint32_t group) {
    Stay stay;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const machine::Action& action = run.trace().action(time);
        if (action.launch != launch || action.group != group) continue;
        if (!stay.any) stay.first = time;
        stay.any = true;
        stay.last = time;
    }
    return stay;
}

CellAt local_cell(const std::string& text, const CellWords& words, const machine::Run& run) {
    const Machine& machine = run.machine();
    // At a time: of the launch that is on then. Else of the last one that has such a group.
    const std::uint64_t actions = run.trace().size();
    std::uint32_t first = 0, end = static_cast<std::uint32_t>(machine.job().launches.size());
    if (words.time && actions > 0) {
        first = run.trace().action(std::min(*words.time, actions - 1)).launch;
        end = first + 1;
    }
    const auto group = static_cast<std::uint32_t>(*words.group);
    bool known = false;
    for (std::uint32_t launch = end; launch-- > first;) {
        const machine::Context& context = machine.context(launch);
        for (std::uint32_t i = 1; i <= context.visible; ++i) {
            const machine::ObjectInfo& object = context.objects[i];
            if (object.space != machine::Space::local || object.name != words.name) continue;
            known = true;
            const std::uint64_t count = object.bytes / lang::info(object.element).bytes;
            if (words.index >= count)
                bad_cell(text, fmt::format("'{}' has no element {}", words.name, words.index),
                         fmt::format("It has {}, counted from 0", count), "Choose one of them");
            const Stay stay = stay_of(run, launch, group);
            if (!stay.any) break;
            const std::uint64_t time = words.time.value_or(stay.last);
            if (time < stay.first || time > stay.last)
                bad_cell(text, fmt::format("Group {} does not run after {} actions", group, time),
                         "Local memory is there as long as its group",
                         fmt::format("Choose a time from {} to {}", stay.first, stay.last));
            return {{true, launch, group, i, words.index}, time};
        }
    }
    if (!known) no_array(text, words, run);
    bad_cell(
        text, fmt::format("There is no group {} that did anything then", group), "",
        fmt::format("Groups count from 0; the first launch has {}", machine.context(0).groups));
}

}  // namespace

CellAt parse_cell(const std::string& text, const machine::Run& run) {
    const CellWords words = words_of(text);
    if (words.time && *words.time > run.trace().size())
        bad_cell(text, fmt::format("There is no time {}", *words.time),
                 fmt::format("The run has {} actions", run.trace().size()),
                 fmt::format("Choose a time from 0 to {}", run.trace().size()));
    return words.group ? local_cell(text, words, run) : global_cell(text, words, run);
}

}  // namespace lab::cli
