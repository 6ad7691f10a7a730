#include "lang/record/record.h"

#include <fmt/format.h>

#include "lang/record/printer.h"

namespace lab::lang {
namespace {

// A device's own compiler may have ways that OpenCL C has no word for.
constexpr const char* kExtensions = R"(#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
)";

// Numbers of groups and work-items as the simulator has them (base/index_space.h).
constexpr const char* kNumbers = R"(uint lab_group(void)
{
    return (uint)(get_group_id(0) +
                  get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)));
}
uint lab_local(void)
{
    return (uint)(get_local_id(0) +
                  get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));
}
uint lab_item(void)
{
    return lab_group() * (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)) +
           lab_local();
}
)";

// NVIDIA's mem_fence orders for the group only; tickets are the device's.
constexpr const char* kRecord = R"(#ifdef __NV_CL_C_VERSION
#define LAB_FENCE() asm volatile("membar.gl;" ::: "memory")
#else
#define LAB_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#endif
uint lab_ticket(volatile global uint* lab_trace, uint lab_count)
{
    LAB_FENCE();
    const uint lab_begin = atomic_add(lab_trace, lab_count);
    LAB_FENCE();
    return lab_begin;
}
uint lab_until(volatile global uint* lab_trace)
{
    LAB_FENCE();
    const uint lab_end = atomic_add(lab_trace, 0u);
    LAB_FENCE();
    return lab_end;
}
void lab_note(volatile global uint* lab_trace, uint lab_number, uint lab_end, uint lab_site,
              ulong lab_address, ulong lab_before, ulong lab_after)
{
    if (lab_number >= lab_trace[1])
        return;
    volatile global uint* lab_to = lab_trace + lab_trace[3] + lab_number * 9u;
    lab_to[0] = lab_end;
    lab_to[1] = lab_item();
    lab_to[2] = lab_site;
    lab_to[3] = (uint)lab_address;
    lab_to[4] = (uint)(lab_address >> 32);
    lab_to[5] = (uint)lab_before;
    lab_to[6] = (uint)(lab_before >> 32);
    lab_to[7] = (uint)lab_after;
    lab_to[8] = (uint)(lab_after >> 32);
}
void lab_base(volatile global uint* lab_trace, uint lab_number, ulong lab_address)
{
    lab_trace[4 + 2 * lab_number] = (uint)lab_address;
    lab_trace[5 + 2 * lab_number] = (uint)(lab_address >> 32);
}
)";

// One access in eight waits, most a little, few long: so that now and then one work-item falls far
// behind. lab_noise: a random number, and how many waits are left, so that a loop that spins ends.
constexpr const char* kDelays = R"(void lab_wait(volatile global uint* lab_trace, uint* lab_noise)
{
    if (lab_noise[1] == 0u)
        return;
    const uint lab_state = lab_noise[0] * 747796405u + 2891336453u;
    lab_noise[0] = lab_state;
    uint lab_random = ((lab_state >> ((lab_state >> 28) + 4u)) ^ lab_state) * 277803737u;
    lab_random ^= lab_random >> 22;
    if ((lab_random & 7u) != 0u)
        return;
    lab_noise[1] -= 1u;
    const uint lab_turns = 1u << ((lab_random >> 3) % 15u);
    uint lab_x = lab_random;
    for (uint lab_i = 0; lab_i < lab_turns; ++lab_i)
        lab_x = lab_x * 1664525u + 1013904223u;
    if (lab_x == lab_random)  // hardly ever, but the loop cannot be left out
        lab_trace[2] = lab_x;
}
uint lab_mixed(uint lab_x)
{
    lab_x = (lab_x ^ (lab_x >> 16)) * 0x85EBCA6Bu;
    lab_x = (lab_x ^ (lab_x >> 13)) * 0xC2B2AE35u;
    return lab_x ^ (lab_x >> 16);
}
)";

}  // namespace

Printer::Printer(const Compiled& compiled, const RecordOptions& options)
    : compiled_(compiled), options_(options), kernel_(*compiled.kernel) {}

std::string Printer::state() const {
    return options_.delays ? "lab_trace, lab_noise" : "lab_trace";
}

std::string Printer::parameters() const {
    return options_.delays ? "volatile global uint* lab_trace, uint* lab_noise"
                           : "volatile global uint* lab_trace";
}

std::string Printer::base(std::size_t object, const std::string& address) const {
    const std::size_t locals = made_.objects.size() - made_.globals;
    if (object < made_.globals)
        return fmt::format("if (lab_item() == 0u) lab_base(lab_trace, {}u, {});", object, address);
    return fmt::format("if (lab_local() == 0u) lab_base(lab_trace, {}u + lab_group() * {}u, {});",
                       object, locals, address);
}

// Lanes that act together wait together: neighbours by 32 have one random number.
std::string Printer::kernel_begin() const {
    std::string text;
    if (options_.delays)
        text +=
            "    uint lab_noise[2];\n"
            "    lab_noise[0] = lab_mixed(lab_seed + lab_mixed(lab_group() * 64u +\n"
            "                             lab_local() / 32u + 1u));\n"
            "    lab_noise[1] = 64u;\n";
    if (!options_.record) return text;
    for (std::size_t i = 0; i < made_.objects.size(); ++i)
        if (made_.objects[i].is_parameter)
            text += "    " + base(i, fmt::format("(ulong){}", made_.objects[i].name)) + '\n';
    return text;
}

std::string Printer::prelude() const {
    std::string text = std::string(kExtensions) + kNumbers;
    if (options_.record) text += kRecord;
    if (options_.delays) text += kDelays;
    return text;
}

RecordedText Printer::print() {
    const auto add_objects = [&](Space space) {
        for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
            const Type& type = *kernel_.parameters[i]->type;
            if (type.is_pointer() && type.space == space)
                made_.objects.push_back({kernel_.parameters[i]->name, space, true, i, 0});
        }
    };
    add_objects(Space::global);
    made_.globals = made_.objects.size();
    add_objects(Space::local);
    for (const Variable& variable : compiled_.tree->variables)
        if (variable.space == Space::local && !variable.is_argument)
            made_.objects.push_back({variable.name, Space::local, false, 0, variable.type->bytes});
    made_.parameters = kernel_.parameters.size();

    std::string constants;
    for (const Variable* variable : compiled_.tree->globals) {
        body_.clear();
        declare(*variable, 0);
        constants += body_;
    }
    used_functions(kernel_);
    std::string heads;
    for (const FunctionDefinition* each : used_)
        if (each != &kernel_) heads += head(*each) + ";\n";
    for (const FunctionDefinition* each : used_)
        function(*each);
    made_.text.name = compiled_.sources[kTextFile].name;
    made_.text.text = prelude() + structures_ + constants + helpers_ + heads + functions_;
    return std::move(made_);
}

RecordedText recorded_text(const Text& text, std::string_view kernel,
                           const RecordOptions& options) {
    const Compiled compiled = compile(text, kernel);
    if (!compiled.code) throw problem_of(compiled.diagnostics, compiled.sources);
    return Printer(compiled, options).print();
}

}  // namespace lab::lang
