// Small kernels of OpenCL C, and what they leave in their only buffer.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "lang/compile.h"
#include "machine/run.h"

namespace lab::machine {

struct Items {
    std::uint64_t global = 1, local = 1;
    std::uint32_t lanes = 4;
    std::uint32_t resident = 2;  // groups at once; 0: all
};

template <typename T>
std::string numbers(const std::vector<std::byte>& bytes) {
    std::string text;
    for (std::size_t index = 0; index + sizeof(T) <= bytes.size(); index += sizeof(T)) {
        T value{};
        std::memcpy(&value, bytes.data() + index, sizeof(T));
        if constexpr (std::is_integral_v<T> && sizeof(T) == 1)
            text += fmt::format("{}{}", index == 0 ? "" : " ", static_cast<int>(value));
        else if (value != value)
            text += index == 0 ? "nan" : " nan";
        else
            text += fmt::format("{}{}", index == 0 ? "" : " ", value);
    }
    return text;
}

inline std::string numbers(Scalar type, const std::vector<std::byte>& bytes) {
    switch (type) {
        case Scalar::char_:
            return numbers<std::int8_t>(bytes);
        case Scalar::uchar:
            return numbers<std::uint8_t>(bytes);
        case Scalar::short_:
            return numbers<std::int16_t>(bytes);
        case Scalar::ushort:
            return numbers<std::uint16_t>(bytes);
        case Scalar::int_:
            return numbers<std::int32_t>(bytes);
        case Scalar::uint:
            return numbers<std::uint32_t>(bytes);
        case Scalar::long_:
            return numbers<std::int64_t>(bytes);
        case Scalar::ulong:
            return numbers<std::uint64_t>(bytes);
        case Scalar::float_:
            return numbers<float>(bytes);
        default:
            return numbers<double>(bytes);
    }
}

constexpr std::uint64_t kLocalBytes = 64;  // of an argument in local memory

// One launch, with a buffer of zeros as its only argument, but for memory of the group.
inline Job small_job(lang::Code code, std::size_t elements, const Items& items) {
    Job job;
    job.config.lanes = items.lanes;
    job.config.resident = items.resident;
    Buffer out;
    out.name = "out";
    out.element = code.parameters.at(0).type;
    out.element_bytes = lang::info(out.element).bytes;
    out.bytes = elements * out.element_bytes;
    out.initial.assign(out.bytes, std::byte{0});
    job.buffers.push_back(out);
    Launch launch;
    launch.range = {items.global, items.local};
    for (const lang::Parameter& parameter : code.parameters) {
        Argument argument;
        const bool local = parameter.kind == lang::Parameter::Kind::local;
        argument.kind = local ? Argument::Kind::local : Argument::Kind::buffer;
        if (local) argument.bytes = kLocalBytes;
        launch.arguments.push_back(argument);
    }
    launch.code = std::make_shared<const lang::Code>(std::move(code));
    job.launches.push_back(launch);
    return job;
}

// The elements of the text's only buffer once its kernel has run; or what went wrong.
inline std::string outcome(const std::string& text, std::size_t elements, Items items = {}) {
    lang::Compiled compiled = lang::compile({"test.cl", text, ""});
    if (!compiled.code) return text_of(compiled.diagnostics, compiled.sources);
    const Run run(small_job(std::move(*compiled.code), elements, items), SchedulingPolicy{});
    if (run.fault()) return "fault: " + run.fault()->what;
    for (const Finding& finding : run.findings())
        ADD_FAILURE() << finding.what << "\n" << text;
    return numbers(run.machine().job().buffers[0].element, run.machine().bytes(run.end(), 0));
}

inline std::size_t words_in(const std::string& text) {
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
}

inline std::string kernel_of(const std::string& type, const std::string& body) {
    return fmt::format("kernel void f(global {}* out) {{ {} }}\n", type, body);
}

struct Value {
    const char* type;  // of the buffer
    const char* expression;
    const char* is;
};

inline void expect(std::span<const Value> values) {
    for (const Value& value : values) {
        const std::string text =
            kernel_of(value.type, fmt::format("out[0] = {};", value.expression));
        EXPECT_EQ(outcome(text, 1), value.is) << value.type << ": " << value.expression;
    }
}

struct Doing {
    const char* type;
    const char* statements;
    const char* gives;  // the buffer's elements, one after another
};

inline void expect(std::span<const Doing> all) {
    for (const Doing& doing : all)
        EXPECT_EQ(outcome(kernel_of(doing.type, doing.statements), words_in(doing.gives)),
                  doing.gives)
            << doing.type << ": " << doing.statements;
}

// The same for functions before the kernel, and for several work-items.
struct Program {
    const char* text;
    const char* gives;
    Items items = {};
};

}  // namespace lab::machine
