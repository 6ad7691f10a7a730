// A kernel as code for the machine: instructions over registers, with structured control flow.
//
// The lanes whose bit is set in the execution mask run each instruction together. A register holds
// 64 bits per lane (see value.h); a vector takes several registers, one for each component.
// Registers with kUniform set are the same for all lanes of a launch: constants, arguments, sizes.
// Masks are kept in numbered slots; slot 0 is always empty. Functions are inlined, so there is no
// stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/text/source.h"
#include "lang/tree/function.h"
#include "lang/tree/print_format.h"
#include "lang/tree/type.h"

namespace lab::lang {

// The number types of arithmetic; narrower integers are computed as i32 and wrapped.
enum class Number : std::uint8_t { i32, u32, i64, u64, f32, f64 };
Number number_of(Scalar scalar);

// clang-format off
#define LAB_NUMBERS(name) name##_i32, name##_u32, name##_i64, name##_u64, name##_f32, name##_f64
enum class Op : std::uint8_t {
    // to = a op b
    LAB_NUMBERS(add), LAB_NUMBERS(sub), LAB_NUMBERS(mul), LAB_NUMBERS(div), LAB_NUMBERS(min),
    LAB_NUMBERS(max), LAB_NUMBERS(eq), LAB_NUMBERS(ne), LAB_NUMBERS(lt), LAB_NUMBERS(le),
    LAB_NUMBERS(rem), LAB_NUMBERS(shl), LAB_NUMBERS(shr),  // no floating-point form
    and_, or_, xor_,
    // to = op a
    LAB_NUMBERS(negate), complement, not_, truth, move, wrap,  // wrap: to `type`
    convert,   // from `from` to `type`; extra: Rounding, and kSaturate
    // to = c ? a : b
    select,
    pure,      // to = Fn(extra) of a, b, c in `type`
    offset,    // to = pointer a + b * imm
    difference,  // to = (a - b) / imm
    // work-item ids; of the first three imm is the dimension, or kLinear
    global_id, local_id, group_id, lane_id, warp_id,
    undefine,  // to: nothing has been assigned
    check_defined,  // a: 0 where nothing has been assigned to variable imm
    lineage_of_choice,  // to was chosen by the comparison a
    // memory: `count` components of `type` from to, at pointer a
    load_private, store_private,
    print,       // Code::prints[imm], of `count` registers from to
    check_index,  // a: an index below imm into an inner array, which Code::arrays[c] names; extra:
                  // 1 if it has one element less, and its end is pointed to
    load, store,               // visible; extra: Space
    atomic,                    // visible; extra: Builtin; to = old, b and c operands
    barrier,                   // visible; extra: kFenceLocal, kFenceGlobal; or kFenceComputed: a
    group_collective,          // visible; waits like a barrier; to = of a (and b); extra: kind
    group_copy,                // visible; all come to it; to = event; see Copy in machine/state.h
    group_wait,                // visible; all come to it; a: an event
    sub_collective,            // the same within a warp, at once
    // control
    jump,
    if_,        // slot to = mask, slot to + 1 = lanes where a is 0; the rest go on; none: to target
    else_,      // mask = slot to + 1; none: to target
    join,       // mask = slot to without slots a, b, c; none: to target
    enter,      // slot to = mask, slot a = none
    test,       // drops lanes where a is 0; none left: to target
    again,      // mask |= slot to, which is emptied; none: to target
    leave,      // slot to |= mask, mask = none: to target
    case_,      // mask |= lanes in slot to whose a is imm (extra: = instead of |=); none: to target
    next_pass,  // next iteration of an outermost loop with visible instructions; imm 1: loop over
    fence,      // no effect here, but observers see it; extra: kFence flags
    end,
    count_,
};
#undef LAB_NUMBERS
// clang-format on

inline constexpr std::uint32_t kUniform = 0x80000000U;
inline constexpr std::uint64_t kDimensions = 3, kLinear = kDimensions;
inline constexpr std::uint32_t kReturnSlot = 1;  // of masks: the lanes that left the kernel
inline constexpr std::uint16_t kSaturate = 0x100;
inline constexpr std::uint16_t kFenceLocal = 1, kFenceGlobal = 2;  // as CLK_…_MEM_FENCE
inline constexpr std::uint16_t kFenceReads = 4, kFenceWrites = 8;  // mem_fence has both
inline constexpr std::uint16_t kFenceComputed = 16;                // of a barrier: its flags are a
// Flags of an instruction.
inline constexpr std::uint8_t kCarries = 1;  // its result may carry lineage
inline constexpr std::uint8_t kWhole = 4;    // part of a structure's copy: may be unwritten
inline constexpr std::uint8_t kAligned = 8;  // a whole vector, which lies at multiples of its size
inline constexpr std::uint8_t kChooses = 2;  // a comparison that lineage_of_choice asks for
inline constexpr std::uint8_t kLoose = 16;   // of a packed structure: at any byte

struct Instruction {
    Op op = Op::end;
    Scalar type = Scalar::int_, from = Scalar::int_;
    std::uint8_t count = 1, flags = 0;
    std::uint16_t extra = 0;
    std::uint32_t to = 0, a = 0, b = 0, c = 0;
    std::uint32_t target = 0;  // an instruction
    std::uint32_t place = 0;   // in Code::places
    std::uint64_t imm = 0;
};

inline bool is_visible(Op op) {
    return op >= Op::load && op <= Op::sub_collective;
}

inline bool is_waiting(Op op) {  // for the whole group
    return op >= Op::barrier && op <= Op::group_wait;
}

// Registers from a on that a group_copy reads: to, from, elements, stride, event.
inline constexpr std::uint32_t kCopyOperands = 5;

struct Uniform {
    enum class Kind : std::uint8_t {
        constant,  // value
        argument,  // component `value` of the kernel's argument `index`
        object,    // a pointer to Code::objects[index]
        work_dim,
        global_size,  // in dimension `index`, as the next three
        local_size,
        num_groups,
        global_offset,
        group_items,  // in all dimensions
        lanes,        // per warp: the largest sub-group
        warps,        // per group
    } kind = Kind::constant;
    std::uint32_t index = 0;
    std::uint64_t value = 0;
};

// Memory that the kernel itself declares: local variables, private arrays, constant data.
struct Object {
    std::string name;
    Space space = Space::private_;
    Scalar element = Scalar::uchar;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;        // within the group's local or the item's private memory
    std::vector<std::byte> initial;  // for constant data
};

struct Parameter {
    enum class Kind : std::uint8_t { buffer, local, value } kind = Kind::value;
    std::string name;
    Scalar type = Scalar::int_;       // of the elements
    std::vector<Scalar> components;   // of a value: a vector's, or all scalars of a structure
    std::uint64_t element_bytes = 4;  // of what it points to
    bool read_only = false;           // a pointer to const, and the kernel never gets round that
    std::string type_name;
};

// A variable, as a debugger shows it.
struct VariableInfo {
    std::string name;
    Scalar type = Scalar::int_;
    std::uint8_t width = 1;
    bool pointer = false;
    std::uint32_t reg = 0;             // its first register, if it is in registers
    std::int32_t object = -1;          // else its object
    std::uint32_t first = 0, end = 0;  // the instructions in which it is alive
    std::uint32_t line = 0;
};

struct Code {
    std::string kernel;
    std::vector<Instruction> instructions;
    std::vector<Place> places;
    std::vector<Uniform> uniforms;
    std::vector<Object> objects;
    std::vector<Parameter> parameters;
    std::vector<VariableInfo> variables;
    std::vector<std::string> undefined_names;  // for check_defined
    std::vector<std::string> arrays;           // for check_index
    std::vector<PrintFormat> prints;
    std::uint32_t registers = 0, masks = 1;
    std::uint64_t private_bytes = 0, local_bytes = 0;
    bool has_barrier = false;
    std::vector<std::uint64_t> required_group;
    Sources sources;  // what the places point into

    const Place& place(const Instruction& instruction) const { return places[instruction.place]; }
};

// Whether the kernel's behaviour may depend on the width of a warp (in OpenCL, on its sub-groups).
bool depends_on_lanes(const Code& code);

// How many dimensions the kernel asks for: 2 if it calls get_global_id(1), but not with 2.
std::uint32_t dimensions_of(const Code& code);

// A listing, one instruction per line; for tests and the curious.
std::string text_of(const Code& code);

}  // namespace lab::lang
