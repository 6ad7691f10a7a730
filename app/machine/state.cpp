#include "machine/state.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/problem.h"

namespace lab::machine {
namespace {

using lang::Code;
using lang::Parameter;
using lang::Uniform;

// Buffers and local arrays of a kernel; more are refused.
constexpr std::size_t kMostVisible = 250;
// Bytes of one local argument; more are refused.
constexpr std::uint64_t kMostLocalBytes = std::uint64_t{1} << 30;

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

constexpr std::uint64_t kMostItems = std::uint64_t{1} << 31;  // of a launch; more are refused

// "In y 6 is no multiple of 4".
std::string why_not_divided(const NDRange& range) {
    if (range.dims == 1) return "The first must be a multiple of the second, neither 0";
    for (std::uint32_t i = 0; i < range.dims; ++i) {
        const char name = "xyz"[i];
        if (range.global[i] == 0 || range.local[i] == 0)
            return fmt::format("In {} a size is 0", name);
        if (range.global[i] % range.local[i] != 0)
            return fmt::format("In {}, {} is no multiple of {}", name, range.global[i],
                               range.local[i]);
    }
    return fmt::format("{} work-items at most can be launched", kMostItems);
}

// "4x4": the sizes up to the last that is not 1, in `dims` dimensions at least.
std::string required_text(const std::vector<std::uint64_t>& required, std::uint32_t dims) {
    Coordinates sizes{1, 1, 1};
    for (std::size_t i = 0; i < sizes.size() && i < required.size(); ++i) {
        sizes[i] = required[i];
        if (sizes[i] != 1) dims = std::max(dims, static_cast<std::uint32_t>(i) + 1);
    }
    return size_text(sizes, dims);
}

// Throws Problem if a kernel cannot be launched so.
void check(const NDRange& range, const Code& code, std::uint32_t max_group) {
    bool divided = range.items() <= kMostItems;
    for (std::uint32_t i = 0; i < range.dims; ++i)
        divided = divided && range.global[i] != 0 && range.local[i] != 0 &&
                  range.global[i] % range.local[i] == 0;
    if (!divided)
        throw Problem(
            fmt::format("{} work-items in groups of {} cannot be launched",
                        size_text(range.global, range.dims), size_text(range.local, range.dims)),
            why_not_divided(range), "Choose other sizes", "--global, --local");
    if (range.group_items() > max_group)
        throw Problem(fmt::format("A group of {} work-items is too large",
                                  size_text(range.local, range.dims)),
                      fmt::format("This machine takes {} at most", max_group),
                      "Choose a smaller group", "--local");
    const auto& required = code.required_group;
    for (std::size_t i = 0; i < required.size() && i < range.local.size(); ++i)
        if (required[i] != range.local[i]) {
            const std::string wanted = required_text(required, range.dims);
            throw Problem(fmt::format("The kernel '{}' wants groups of {}", code.kernel, wanted),
                          "It says so by reqd_work_group_size",
                          fmt::format("Launch it with groups of {}", wanted), "--local");
        }
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
        check(launch_.range, *made_.code, job_.config.max_group);
        made_.space = IndexSpace(launch_.range);
        made_.plain = launch_.range.plain();
        made_.local = static_cast<std::uint32_t>(launch_.range.group_items());
        made_.global = launch_.range.items();
        made_.groups = static_cast<std::uint32_t>(launch_.range.groups());
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
        for (std::size_t i = 0; i < index && given.kind == Kind::buffer; ++i) {
            const Parameter& other = made_.code->parameters[i];  // that is given the same buffer
            if (launch_.arguments[i].kind == Kind::buffer &&
                launch_.arguments[i].buffer == given.buffer && other.kind == parameter.kind &&
                other.type == parameter.type && other.element_bytes == parameter.element_bytes)
                return pointers_[i];
        }
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
            info.shape = parameter.shape;
        } else {
            const Buffer& buffer = job_.buffers.at(given.buffer);
            info.bytes = buffer.bytes;
            info.buffer = given.buffer;
            info.filled = !buffer.initial.empty();
            info.shift = shift_of(buffer.element);
            if (info.shift == shift_of(parameter.type)) info.shape = parameter.shape;
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
            info.shape = object.shape;
            info.buffer = space == Space::global ? buffer_of(object) : i;
            info.filled = space == Space::global && !job_.buffers[info.buffer].initial.empty();
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
            case Uniform::Kind::work_dim:
                return launch_.range.dims;
            case Uniform::Kind::global_size:
                return launch_.range.global[uniform.index];
            case Uniform::Kind::local_size:
                return launch_.range.local[uniform.index];
            case Uniform::Kind::num_groups:
                return launch_.range.num_groups()[uniform.index];
            case Uniform::Kind::global_offset:
                return launch_.range.offset[uniform.index];
            case Uniform::Kind::group_items:
                return made_.local;
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

std::uint64_t Context::global_id(std::uint64_t group, std::uint64_t in_group,
                                 std::uint64_t dimension) const {
    return dimension == lang::kLinear
               ? space.global_linear_id(group, in_group)
               : space.global_id(group, in_group, static_cast<unsigned>(dimension));
}

std::uint64_t Context::local_id(std::uint64_t in_group, std::uint64_t dimension) const {
    return dimension == lang::kLinear ? in_group
                                      : space.local_id(in_group, static_cast<unsigned>(dimension));
}

std::uint64_t Context::group_id(std::uint64_t group, std::uint64_t dimension) const {
    return space.group_id(group, static_cast<unsigned>(dimension));
}

std::size_t GroupList::slot_from(std::uint32_t id, std::size_t low, std::size_t high) const {
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if ((*this)[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

Group& GroupList::add() {
    if (begins_.empty()) return held_.emplace_back(Group()).write();
    if (begins_.back() - begins_[begins_.size() - 2] == kBlock) {
        held_.resize(held_.size() + kBlock);
        begins_.push_back(begins_.back());
    }
    ++begins_.back();
    Shared<Group>& added = held_[place_of(size() - 1)];
    added = Shared<Group>(Group());
    return added.write();
}

void GroupList::erase(std::size_t slot) {
    using Offset = std::ptrdiff_t;
    if (begins_.empty() && held_.size() - slot <= kBlock) {
        held_.erase(held_.begin() + static_cast<Offset>(slot));
        return;
    }
    if (begins_.empty()) {
        for (std::size_t begin = 0; begin < held_.size(); begin += kBlock)
            begins_.push_back(static_cast<std::uint32_t>(begin));
        begins_.push_back(static_cast<std::uint32_t>(held_.size()));
        held_.resize((begins_.size() - 1) * kBlock);
    }
    const std::size_t block = block_of(slot);
    const auto begin = held_.begin() + static_cast<Offset>(block * kBlock);
    const auto end = begin + static_cast<Offset>(begins_[block + 1] - begins_[block]);
    const auto ended = begin + static_cast<Offset>(slot - begins_[block]);
    std::move(ended + 1, end, ended);
    *(end - 1) = {};
    for (std::size_t later = block + 1; later < begins_.size(); ++later)
        --begins_[later];
    if (2 * size() >= held_.size()) return;
    std::erase_if(held_, [](const Shared<Group>& each) { return !each; });
    begins_.clear();
}

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

const char* name_of(Branch::Kind kind) {
    static constexpr std::array kNames{"condition", "loop", "case"};
    return kNames.at(static_cast<std::size_t>(kind));
}

void Flow::branch(std::uint32_t launch, std::uint32_t place, Branch::Kind kind, std::uint64_t came,
                  std::uint64_t held) {
    if (came == 0) return;
    Branch& of = branches_[{launch, place}];
    of.kind = kind;
    of.launch = launch;
    of.place = place;
    ++of.times;
    of.held = of.held || held != 0;
    of.failed = of.failed || held != came;
    if (held == 0 || held == came) return;
    const auto lanes = static_cast<std::uint32_t>(std::popcount(held));
    of.least = of.splits == 0 ? lanes : std::min(of.least, lanes);
    of.most = std::max(of.most, lanes);
    ++of.splits;
}

std::vector<Branch> Flow::branches() const {
    std::vector<Branch> result;
    for (const auto& [at, branch] : branches_)
        result.push_back(branch);
    return result;
}

}  // namespace lab::machine
