#include "simulation/plan_job.h"

#include <array>
#include <cstring>

#include "lang/code.h"

namespace lab::simulation {
namespace {

using machine::Scalar;

constexpr std::uint32_t kUnits = 8;  // of a machine on which all groups are resident

std::vector<std::byte> repeated(const catalogue::Values& one, std::uint64_t count) {
    const std::vector<std::byte> element = bytes_in(one);
    std::vector<std::byte> bytes;
    bytes.reserve(element.size() * count);
    for (std::uint64_t i = 0; i < count; ++i)
        bytes.insert(bytes.end(), element.begin(), element.end());
    return bytes;
}

std::uint64_t register_of(catalogue::Type type, std::int64_t value) {
    const std::vector<std::byte> bytes = bytes_in(one_value(type, value));
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), bytes.size());
    return lang::canonical(scalar_of(type), bits);
}

machine::Buffer buffer_of(const catalogue::PlannedBuffer& planned, const catalogue::Shape& shape,
                          const catalogue::Values& input) {
    const catalogue::Type type = planned.type.value_or(shape.type);
    machine::Buffer buffer;
    buffer.name = planned.name;
    buffer.element = scalar_of(type);
    buffer.element_bytes = info(type).bytes;
    buffer.bytes = planned.count * info(type).bytes;
    switch (planned.fill) {
        case catalogue::Argument::Fill::input:
            buffer.initial = bytes_in(input);
            buffer.is_input = true;
            break;
        case catalogue::Argument::Fill::identity:
            buffer.initial = repeated(identity(shape.op, type), planned.count);
            break;
        case catalogue::Argument::Fill::number:
            buffer.initial = repeated(one_value(type, planned.number), planned.count);
            break;
        case catalogue::Argument::Fill::none:
        case catalogue::Argument::Fill::values:
            break;
    }
    return buffer;
}

machine::Argument argument_of(const catalogue::PlannedArgument& planned, catalogue::Type element) {
    const catalogue::Type type = planned.type.value_or(element);
    machine::Argument argument;
    switch (planned.kind) {
        case catalogue::Argument::Kind::buffer:
            argument.kind = machine::Argument::Kind::buffer;
            argument.buffer = planned.buffer;
            break;
        case catalogue::Argument::Kind::local:
            argument.kind = machine::Argument::Kind::local;
            argument.bytes = planned.count * info(type).bytes;
            break;
        case catalogue::Argument::Kind::scalar:
            argument.components = {register_of(type, planned.value)};
            break;
    }
    return argument;
}

}  // namespace

std::size_t start_of(const catalogue::Plan& plan) {
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (plan.buffers[i].fill == catalogue::Argument::Fill::input) return i;
    return plan.result.value_or(0);
}

Scalar scalar_of(catalogue::Type type) {
    static constexpr std::array<Scalar, 6> kScalars{Scalar::int_,  Scalar::uint,   Scalar::long_,
                                                    Scalar::ulong, Scalar::float_, Scalar::double_};
    return kScalars[static_cast<std::size_t>(type)];
}

std::vector<std::byte> bytes_in(const catalogue::Values& values) {
    std::vector<std::byte> bytes(catalogue::count_of(values) *
                                 catalogue::info(catalogue::type_of(values)).bytes);
    if (!bytes.empty()) std::memcpy(bytes.data(), catalogue::bytes_of(values), bytes.size());
    return bytes;
}

std::vector<analysis::Cell> cells_of(const catalogue::Values& values) {
    const std::vector<std::byte> bytes = bytes_in(values);
    std::vector<analysis::Cell> cells(catalogue::count_of(values));
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i].value = analysis::value_in(bytes, i, scalar_of(catalogue::type_of(values)));
    return cells;
}

catalogue::Target target_of(const machine::Config& config) {
    catalogue::Target target;
    target.units = config.resident != 0 ? config.resident : kUnits;
    target.max_group = config.max_group;
    target.cpu = config.cpu;
    return target;
}

lang::Code compile(const catalogue::Variant& variant, const catalogue::Shape& shape) {
    const catalogue::KernelText text = kernel_text(variant, shape);
    return lang::compile_or_throw({text.file, text.text, text.macros}, variant.entry);
}

machine::Job job_of(const catalogue::Variant& variant, const catalogue::Shape& shape,
                    const catalogue::Plan& plan, const catalogue::Values& input,
                    const machine::Config& config) {
    machine::Job job;
    job.config = config;
    for (const catalogue::PlannedBuffer& planned : plan.buffers)
        job.buffers.push_back(buffer_of(planned, shape, input));
    if (plan.rounds > 0 && plan.result) job.buffers[*plan.result].is_input = true;
    const auto code = std::make_shared<const lang::Code>(compile(variant, shape));
    for (const catalogue::Launch& planned : plan.launches) {
        machine::Launch launch;
        launch.code = code;
        launch.range = {planned.global, planned.local};
        launch.variables = planned.variables;
        for (const catalogue::PlannedArgument& argument : planned.arguments)
            launch.arguments.push_back(argument_of(argument, shape.type));
        job.launches.push_back(std::move(launch));
    }
    return job;
}

}  // namespace lab::simulation
