// What a run of a user kernel left.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>

#include "analysis/rows.h"
#include "lang/code.h"
#include "simulation/user_kernel.h"

namespace lab::simulation {
namespace {

// For each element the text of its value, "?" where nobody has written.
std::vector<std::string> values_of(const machine::Machine& machine, const machine::State& state,
                                   std::size_t buffer) {
    const machine::Buffer& of = machine.job().buffers[buffer];
    const machine::PagedBuffer& memory = state.memory[buffer];
    const unsigned size = lang::info(of.element).bytes;
    std::vector<std::string> values;
    for (std::uint64_t i = 0; i * size < of.bytes; ++i) {
        const std::uint64_t index = i * size;
        const machine::Page& page = *memory.pages[index >> machine::kPageBits];
        const bool known = page.written.all(index & (machine::kPageBytes - 1), size);
        values.push_back(known ? lang::text_of(machine.value(state, buffer, i), of.element) : "?");
    }
    return values;
}

// Of the buffers that the kernel may write.
std::string text_of_written(
    const machine::Job& job,
    const std::function<std::vector<std::string>(std::size_t buffer)>& values) {
    std::string text;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const auto& parameters = job.launches[0].code->parameters;
        const auto& arguments = job.launches[0].arguments;
        bool written = false;
        for (std::size_t k = 0; k < arguments.size(); ++k)
            written = written || (arguments[k].kind == machine::Argument::Kind::buffer &&
                                  arguments[k].buffer == i && !parameters[k].read_only);
        if (!written) continue;
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", job.buffers[i].name,
                            fmt::join(values(i), " "));
    }
    return text;
}

}  // namespace

std::string contents_of(const machine::Machine& machine, const machine::State& state) {
    return text_of_written(machine.job(),
                           [&](std::size_t buffer) { return values_of(machine, state, buffer); });
}

std::string result_text(const machine::Machine& machine, const machine::State& state) {
    std::string text = contents_of(machine, state);
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    const std::vector<machine::Buffer>& buffers = machine.job().buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i].of_program)
            add(fmt::format("{}: {}", buffers[i].name,
                            fmt::join(values_of(machine, state, i), " ")));
    if (!state.prints) return text;
    std::map<std::uint64_t, std::string> printed;  // by work-item
    for (const machine::Print& each : *state.prints)
        printed[each.item] += each.text;
    for (const auto& [item, what] : printed) {
        std::string shown;
        for (const char c : what)
            shown += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '"' ? "\\\"" : std::string(1, c);
        add(fmt::format("work-item {} prints \"{}\"", machine.space().item_name(item), shown));
    }
    return text;
}

std::string contents_on_device(const machine::Machine& machine, const machine::State& usual,
                               const std::vector<std::vector<std::byte>>& contents,
                               std::byte unwritten) {
    return text_of_written(machine.job(), [&](std::size_t buffer) {
        std::vector<std::string> values = values_of(machine, usual, buffer);
        const machine::Scalar type = machine.job().buffers[buffer].element;
        const unsigned size = lang::info(type).bytes;
        for (std::size_t i = 0; i < values.size() && (i + 1) * size <= contents[buffer].size();
             ++i) {
            const std::byte* at = contents[buffer].data() + i * size;
            std::uint64_t bits = 0;
            std::memcpy(&bits, at, size);
            const std::string value = lang::text_of(lang::canonical(type, bits), type);
            const bool untouched =
                machine.job().buffers[buffer].initial.empty() &&
                std::all_of(at, at + size, [&](std::byte each) { return each == unwritten; });
            values[i] = untouched && values[i] != value ? "?" : value;
        }
        return values;
    });
}

analysis::StepTable head_of(const UserKernel& kernel, const machine::Run& run,
                            const Options& options) {
    analysis::StepTable table;
    const machine::Job& job = run.machine().job();
    table.variant = run.machine().context(0).code->kernel;
    table.title = title_of(kernel);
    if (!job.buffers.empty()) {
        const machine::Buffer& start = job.buffers[start_of(job)];
        table.type = lang::info(start.element).name;
        table.n = start.bytes / lang::info(start.element).bytes;
    }
    table.group = kernel.local.items();
    table.space = run.machine().space();
    table.source = "machine";
    table.device = text_of(options);
    table.machine = analysis::machine_used(options.config, options.order);
    table.right = !run.fault();
    if (run.fault()) note_fault(table, *run.fault());
    return table;
}

UserKernelResult result_of(const UserKernel& kernel, const machine::Run& run,
                           const Options& options) {
    UserKernelResult result;
    const machine::Machine& machine = run.machine();
    const machine::Job& job = machine.job();
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const machine::Buffer& buffer = job.buffers[i];
        UserKernelResult::Contents contents{buffer.name, lang::info(buffer.element).name, false,
                                            values_of(machine, run.end(), i)};
        contents.written = buffer.initial.empty() || buffer.initial != machine.bytes(run.end(), i);
        result.buffers.push_back(std::move(contents));
    }
    result.table = head_of(kernel, run, options);
    if (!job.buffers.empty())
        result.table.rows = analysis::stale_rows(run, start_of(job), &result.table.stale_known);
    return result;
}

}  // namespace lab::simulation
