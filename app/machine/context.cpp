#include "machine/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/problem.h"

namespace lab::machine {
namespace {

using lang::Code;
using lang::Parameter;
using lang::Uniform;

constexpr std::size_t kMostVisible = 250;
constexpr std::uint64_t kMostLocalBytes = std::uint64_t{1} << 30;  // of one argument

std::uint8_t shift_of(Scalar element) {
    const unsigned bytes = std::max<unsigned>(1, lang::info(element).bytes);
    return static_cast<std::uint8_t>(std::countr_zero(bytes));
}

[[noreturn]] void bad_argument(const Code& code, std::size_t index, const std::string& why) {
    throw Problem(
        fmt::format("Argument {} of the kernel '{}' does not fit", index + 1, code.kernel), why,
        fmt::format("It is: {} {}", code.parameters[index].type_name, code.parameters[index].name),
        "--arg");
}

class Maker {
  public:
    Maker(const Job& job, std::uint32_t launch) : job_(job), launch_(job.launches[launch]) {
        made_.code = launch_.code.get();
        made_.launch = launch;
        made_.lanes = job.config.lanes;
        made_.registers = made_.code->registers + 1;
        made_.masks = made_.code->masks;
    }

    Context make() {
        sizes();
        made_.objects.emplace_back();  // nothing
        arguments();
        declared(Space::local);
        declared(Space::constant);
        declared(Space::global);
        made_.visible = made_.objects.size() - 1;
        if (made_.visible > kMostVisible)
            throw Problem(fmt::format("The kernel '{}' has too many arrays", made_.code->kernel),
                          fmt::format("{} of {} at most", made_.visible, kMostVisible),
                          "Join some of them");
        declared(Space::private_);
        uniforms();
        return std::move(made_);
    }

  private:
    void sizes() {
        const std::uint64_t local = launch_.local, global = launch_.global;
        constexpr std::uint64_t kMostItems = std::uint64_t{1} << 31;
        if (local == 0 || global == 0 || global % local != 0 || global > kMostItems)
            throw Problem(
                fmt::format("{} work-items in groups of {} cannot be launched", global, local),
                "The first must be a multiple of the second, neither 0", "Choose other sizes",
                "--global, --local");
        if (local > job_.config.max_group)
            throw Problem(fmt::format("A group of {} work-items is too large", local),
                          fmt::format("This machine takes {} at most", job_.config.max_group),
                          "Choose a smaller group", "--local");
        const auto& required = made_.code->required_group;
        if (!required.empty() && required[0] != local)
            throw Problem(
                fmt::format("The kernel '{}' wants groups of {}", made_.code->kernel, required[0]),
                "It says so by reqd_work_group_size",
                fmt::format("Launch it with groups of {}", required[0]), "--local");
        made_.local = static_cast<std::uint32_t>(local);
        made_.global = global;
        made_.groups = static_cast<std::uint32_t>(global / local);
        made_.warps = (made_.local + made_.lanes - 1) / made_.lanes;
    }

    void place(ObjectInfo& info) {
        if (info.space == Space::local) {
            info.base = (made_.local_bytes + 15U) / 16U * 16U;
            made_.local_bytes = info.base + info.bytes;
            info.node_base = made_.local_nodes;
            made_.local_nodes += (info.bytes >> info.shift) + 1;
        } else if (info.space == Space::private_) {
            info.node_base = made_.private_nodes;
            made_.private_nodes += (info.bytes >> info.shift) + 1;
        }
    }

    void arguments() {
        const auto& parameters = made_.code->parameters;
        if (launch_.arguments.size() != parameters.size())
            throw Problem(
                fmt::format("The kernel '{}' takes {} arguments, but {} are given",
                            made_.code->kernel, parameters.size(), launch_.arguments.size()),
                "", "Give one --arg for each, in the kernel's order", "--arg");
        for (std::size_t i = 0; i < parameters.size(); ++i)
            pointers_.push_back(argument(i, parameters[i], launch_.arguments[i]));
    }

    // The number of the object that an argument points to; 0: none.
    std::size_t argument(std::size_t index, const Parameter& parameter, const Argument& given) {
        using Kind = Argument::Kind;
        if (parameter.kind == Parameter::Kind::value) {
            if (given.kind != Kind::value || given.components.size() != parameter.components.size())
                bad_argument(
                    *made_.code, index,
                    parameter.components.size() == 1
                        ? std::string("A number is needed")
                        : fmt::format("{} numbers are needed", parameter.components.size()));
            return 0;
        }
        if (given.kind == Kind::null) return 0;
        const bool local = parameter.kind == Parameter::Kind::local;
        if ((given.kind == Kind::local) != local || given.kind == Kind::value)
            bad_argument(*made_.code, index,
                         local ? "Local memory is needed" : "A buffer is needed");
        ObjectInfo info;
        info.name = parameter.name;
        info.element = parameter.type;
        info.element_bytes = parameter.element_bytes;
        info.space = local ? Space::local : Space::global;
        info.read_only = false;
        if (local) {
            if (given.bytes > kMostLocalBytes)
                bad_argument(*made_.code, index, fmt::format("{} bytes at most", kMostLocalBytes));
            info.bytes = given.bytes;
            info.shift = shift_of(parameter.type);
        } else {
            const Buffer& buffer = job_.buffers.at(given.buffer);
            info.bytes = buffer.bytes;
            info.buffer = given.buffer;
            info.shift = shift_of(buffer.element);
        }
        place(info);
        made_.objects.push_back(std::move(info));
        return made_.objects.size() - 1;
    }

    void declared(Space space) {
        declared_.resize(made_.code->objects.size());
        for (std::size_t i = 0; i < made_.code->objects.size(); ++i) {
            const lang::Object& object = made_.code->objects[i];
            if (object.space != space) continue;
            ObjectInfo info;
            info.name = object.name;
            info.space = space;
            info.element = object.element;
            info.element_bytes = std::max<std::uint64_t>(1, lang::info(object.element).bytes);
            info.bytes = object.bytes;
            info.base = object.offset;
            info.shift = shift_of(object.element);
            info.read_only = space == Space::constant;
            info.buffer = space == Space::global ? buffer_of(object) : i;
            place(info);
            made_.objects.push_back(std::move(info));
            declared_[i] = made_.objects.size() - 1;
        }
        made_.private_bytes =
            (made_.code->private_bytes + 15U) / 16U * 16U;  // aligned for each item
    }

    std::size_t buffer_of(const lang::Object& object) const {
        std::size_t number = 0;
        while (number + 1 < job_.buffers.size() &&
               (!job_.buffers[number].of_program || job_.buffers[number].name != object.name ||
                job_.buffers[number].bytes != object.bytes))
            ++number;
        return number;
    }

    std::uint64_t value_of(const Uniform& uniform) const {
        switch (uniform.kind) {
            case Uniform::Kind::constant:
                return uniform.value;
            case Uniform::Kind::argument:
                if (made_.code->parameters[uniform.index].kind != Parameter::Kind::value)
                    return std::uint64_t{pointers_[uniform.index]} << kOffsetBits;
                return launch_.arguments[uniform.index].components[uniform.value];
            case Uniform::Kind::object:
                return std::uint64_t{declared_[uniform.index]} << kOffsetBits;
            case Uniform::Kind::global_size:
                return made_.global;
            case Uniform::Kind::local_size:
                return made_.local;
            case Uniform::Kind::num_groups:
                return made_.groups;
            case Uniform::Kind::lanes:
                return made_.lanes;
            case Uniform::Kind::warps:
                return made_.warps;
        }
        return 0;
    }

    void uniforms() {
        const auto& uniforms = made_.code->uniforms;
        for (const Uniform& uniform : uniforms)
            made_.uniforms.insert(made_.uniforms.end(), made_.lanes, value_of(uniform));
        made_.no_nodes.resize(made_.uniforms.size());
    }

    const Job& job_;
    const Launch& launch_;
    Context made_;
    std::vector<std::size_t> pointers_, declared_;
};

}  // namespace

std::uint64_t group_bytes(const Context& context, bool lineage) {
    const std::uint64_t items = std::uint64_t{context.warps} * context.lanes;
    const std::uint64_t node = lineage ? sizeof(Node) : 0;
    const std::uint64_t each = context.registers * (sizeof(std::uint64_t) + node) +
                               context.private_bytes * 9 / 8 + context.private_nodes * node;
    return items * each + context.local_bytes * 9 / 8 + context.local_nodes * node;
}

Context make_context(const Job& job, std::uint32_t launch) {
    return Maker(job, launch).make();
}

}  // namespace lab::machine
