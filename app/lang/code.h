// A kernel as code for the machine: instructions over registers, with structured control flow.
//
// The lanes whose bit is set in the execution mask run each instruction together. A register holds
// 64 bits per lane (see below); a vector takes several registers, one for each component.
// Registers with kUniform set are the same for all lanes of a launch: constants, arguments, sizes.
// Masks are kept in numbered slots; slot 0 is always empty. Functions are inlined, so there is no
// stack.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "lang/builtins.h"
#include "lang/source.h"
#include "lang/type.h"
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
    atomic,                    // visible; extra: Builtin; to = old, b and c operands; imm: its order
    barrier,                   // visible; extra: kFenceLocal, kFenceGlobal; or kFenceComputed: a;
                               // and its scope
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
    fence,      // no effect here, but observers see it; extra: memory, order and scope
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
// The flags of a fence or an atomic say what it does: acquire, release, or both; with
// memory_order_seq_cst.
inline constexpr std::uint16_t kAcquires = 4, kReleases = 8, kSeqCst = 32;
inline constexpr std::uint16_t kFenceComputed = 16;  // of a barrier: its flags are a
inline constexpr std::uint16_t kTogether = 16;       // of a fence: a barrier of the sub-group
inline constexpr std::uint16_t kWholeGrid = 512;     // of a barrier: all groups come to it
inline constexpr std::uint16_t kStoresOnly = 1;      // of an atomic: it reads nothing
// The memory scope of a fence, a barrier or an atomic, whose other bits are above.
inline constexpr unsigned kScopeShift = 6;
inline constexpr std::uint16_t kScopeBits = 3U << kScopeShift;
inline MemoryScope scope_of(std::uint16_t flags) {
    return static_cast<MemoryScope>(flags >> kScopeShift & 3U);
}
inline constexpr std::uint16_t bits_of(MemoryScope scope) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(scope) << kScopeShift);
}
// An atomic of OpenCL 1.x is memory_order_relaxed. OpenCL C 3.0 gives it the scope of its group and
// lets a compiler give it a wider one, as all that we know do: the device's.
inline constexpr std::uint16_t kLegacyAtomic = 256;
inline constexpr std::uint16_t kPlainAtomic = bits_of(MemoryScope::device) | kLegacyAtomic;
// The upper half of a compare-exchange's flags is for one that fails, and has this bit, so that it
// is never 0.
inline constexpr unsigned kFailureShift = 16;
inline constexpr std::uint16_t kOfFailure = 16;
// Flags of an instruction.
inline constexpr std::uint8_t kCarries = 1;  // its result may carry lineage
// Reads what may be unwritten: as part of a structure's copy, or as nobody uses what it finds.
inline constexpr std::uint8_t kFindsAny = 4;
inline constexpr std::uint8_t kAligned = 8;  // a whole vector, which lies at multiples of its size
inline constexpr std::uint8_t kChooses = 2;  // a comparison that lineage_of_choice asks for
inline constexpr std::uint8_t kLoose = 16;   // of a packed structure: at any byte
inline constexpr std::uint8_t kAllLanes = 32;  // of a sub_collective: all must come to it
inline constexpr std::uint8_t kAsserts = 32;   // of a division: by a condition that must hold
// In a sub_collective, those that the mask c names must come; in its fence, the mask is a.
inline constexpr std::uint8_t kNamedLanes = 64;
inline constexpr std::uint8_t kInLocal = 32, kInGlobal = 64;  // of an atomic: where it may be
inline constexpr std::uint8_t kMayFail = 128;  // of a compare-exchange: for no reason, too
// Marks what a group waits for in loops of which all must be in the same turn, which c tells.
inline constexpr std::uint8_t kInTurns = 128;

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
inline bool is_of_grid(const Instruction& instruction) {
    return instruction.op == Op::barrier && (instruction.extra & kWholeGrid) != 0;
}

// Puts lanes that rested back to work.
inline bool adds_lanes(Op op) {
    return op == Op::else_ || op == Op::join || op == Op::again || op == Op::case_;
}

// Returns true for divisions of integers, where 0 is a fault.
inline bool divides(Op op) {
    return (op >= Op::div_i32 && op <= Op::div_u64) || (op >= Op::rem_i32 && op <= Op::rem_u64);
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
    ArrayShape shape = {};
};

struct Parameter {
    enum class Kind : std::uint8_t { buffer, local, value } kind = Kind::value;
    std::string name;
    Scalar type = Scalar::int_;       // of the elements
    std::vector<Scalar> components;   // of a value: a vector's, or all scalars of a structure
    std::uint64_t element_bytes = 4;  // of what it points to
    bool read_only = false;           // a pointer to const, and the kernel never gets round that
    std::string type_name;
    ArrayShape shape = {};  // of what it points to
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
    // That the text asks for: 2 if it calls get_global_id(1), but not with 2. What CUDA's own
    // functions read for themselves is no wish of the text.
    std::uint32_t dims = 1;
    std::uint64_t private_bytes = 0, local_bytes = 0;
    bool has_barrier = false;
    // CUDA's rules hold: a barrier waits for those that have not ended, and one order is of all
    // memory.
    bool is_cuda = false;
    std::vector<std::uint64_t> required_group;
    Sources sources;  // what the places point into

    const Place& place(const Instruction& instruction) const { return places[instruction.place]; }
};

// True if it asks which lanes of a warp are there, as __activemask() does: CUDA leaves open which
// come together.
bool asks_who_is_there(const Code& code);
bool asks_who_is_there(const Instruction& instruction);

// True if the kernel's behaviour may depend on the width of a warp (in OpenCL, on its sub-groups).
bool depends_on_lanes(const Code& code);

// How a register holds a value of any type: 64 bits, sign-extended for signed integers,
// zero-extended for everything else. A half is its bits: it is computed with as a float.

inline std::uint64_t canonical(Scalar scalar, std::uint64_t bits) {
    switch (scalar) {
        case Scalar::bool_:
        case Scalar::uchar:
            return static_cast<std::uint8_t>(bits);
        case Scalar::char_:
            return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(bits)});
        case Scalar::short_:
            return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(bits)});
        case Scalar::ushort:
        case Scalar::half_:
            return static_cast<std::uint16_t>(bits);
        case Scalar::int_:
            return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)});
        case Scalar::uint:
        case Scalar::float_:
            return static_cast<std::uint32_t>(bits);
        default:
            return bits;
    }
}

// The shortest text that reads back to the same value.
std::string text_of(std::uint64_t bits, Scalar scalar);

// The bits of a half: the nearest one, or that on the asked side.
std::uint64_t half_of(double value, Rounding rounding = Rounding::even);
float value_of_half(std::uint16_t bits);

inline float float_of(std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
inline double double_of(std::uint64_t bits) {
    return std::bit_cast<double>(bits);
}
inline std::uint64_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
inline std::uint64_t bits_of(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

// Lists the registers that an instruction reads and writes, for analyses that follow values.

namespace operands {

// How many of a, b, c it reads.
inline unsigned inputs(const Instruction& instruction) {
    switch (instruction.op) {
        case Op::select:
        case Op::pure:
        case Op::atomic:
            return 3;
        case Op::offset:
        case Op::difference:
        case Op::and_:
        case Op::or_:
        case Op::xor_:
        case Op::group_collective:
            return 2;
        case Op::sub_collective:
            return (instruction.flags & kNamedLanes) != 0 ? 3 : 2;
        case Op::global_id:
        case Op::local_id:
        case Op::group_id:
        case Op::lane_id:
        case Op::warp_id:
        case Op::undefine:
        case Op::lineage_of_choice:  // looks at lineage alone
        case Op::print:              // a row of registers
        case Op::group_copy:         // the same
            return 0;
        case Op::barrier:
            return (instruction.extra & kFenceComputed) != 0 ? 1 : 0;
        case Op::fence:
            return (instruction.flags & kNamedLanes) != 0 ? 1 : 0;
        case Op::if_:
        case Op::test:
        case Op::case_:
            return 1;
        default:
            break;
    }
    if (instruction.op >= Op::jump) return 0;
    return instruction.op < Op::negate_i32 ? 2 : 1;
}

inline bool stores(const Instruction& instruction) {
    return instruction.op == Op::store || instruction.op == Op::store_private;
}

// Reads `count` registers from `to` on.
inline bool reads_row(const Instruction& instruction) {
    return stores(instruction) || instruction.op == Op::print;
}

inline bool writes(const Instruction& instruction) {
    return instruction.op < Op::jump && !reads_row(instruction) && instruction.op != Op::barrier &&
           instruction.op != Op::check_defined && instruction.op != Op::lineage_of_choice &&
           instruction.op != Op::check_index && instruction.op != Op::group_wait;
}

}  // namespace operands

// Calls `each` with every register that it reads; uniform ones are left out.
template <typename Each>
void for_inputs(const Instruction& instruction, Each each) {
    const std::uint32_t given[] = {instruction.a, instruction.b, instruction.c};
    for (unsigned i = 0; i < operands::inputs(instruction); ++i)
        if ((given[i] & kUniform) == 0) each(given[i]);
    if (instruction.op == Op::group_copy)
        for (std::uint32_t i = 0; i < kCopyOperands; ++i)
            each(instruction.a + i);
    if (is_waiting(instruction.op) && (instruction.flags & kInTurns) != 0) each(instruction.c);
    if (!operands::reads_row(instruction)) return;
    for (std::uint32_t i = 0; i < instruction.count; ++i)
        if ((instruction.to & kUniform) == 0) each(instruction.to + i);
}

// Calls `each` with every register that it writes.
template <typename Each>
void for_outputs(const Instruction& instruction, Each each) {
    if (!operands::writes(instruction)) return;
    const bool several = instruction.op == Op::load || instruction.op == Op::load_private;
    for (std::uint32_t i = 0; i < (several ? instruction.count : 1U); ++i)
        each(instruction.to + i);
}

struct Tree;
struct FunctionDefinition;
// Lowers a typed tree to code for the machine. `kernel` must have a body. Errors: recursion, too
// much code or memory.
Code lower(const Tree& tree, const FunctionDefinition& kernel, Diagnostics& diagnostics);

// Marks the instructions whose results can carry lineage: what comes from memory, and what is
// computed from that.
void mark_lineage(Code& code);
// Marks the exchanges of which nobody uses what they find.
void mark_dropped(Code& code);

}  // namespace lab::lang
