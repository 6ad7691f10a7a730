// Lowers a typed tree to code for the machine.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "lang/code.h"
#include "lang/source.h"
#include "lang/tree.h"
namespace lab::lang {

// Instructions of a kernel, its functions inlined; more are refused.
inline constexpr std::size_t kMostInstructions = 200'000;
inline constexpr std::uint32_t kMostRegisters = 20'000;  // of a kernel; more are refused

// `kernel` must have a body. Errors: recursion, too much code or memory.
Code lower(const Tree& tree, const FunctionDefinition& kernel, Diagnostics& diagnostics);

// Walks a kernel's tree and writes its code; private to lower*.cpp.

// The registers of a value, one for each component.
using Registers = std::vector<std::uint32_t>;

// As much as a type may need: it lies right.
inline constexpr std::uint64_t kAnyAlignment = std::uint64_t{1} << 16U;

// Returns the alignment of what lies `offset` bytes into something of that alignment.
inline std::uint64_t alignment_at(std::uint64_t alignment, std::uint64_t offset) {
    return offset == 0 ? alignment : std::min(alignment, offset & (~offset + 1));
}

// Where an lvalue lies: in registers, or in memory behind a pointer.
struct Location {
    Registers registers;                 // the components that it names; empty: in memory
    const Variable* variable = nullptr;  // if in registers
    std::uint32_t pointer = 0;           // if in memory
    Space space = Space::private_;
    const Type* type = nullptr;
    const Place* place = nullptr;             // of its accesses
    std::uint64_t alignment = kAnyAlignment;  // of what lies there: less in a packed structure
    std::vector<std::uint8_t> lanes;          // for a swizzle in memory: which components
};

// The form of an operation for `number`, given its form for i32.
inline Op typed(Op first, Number number) {
    return static_cast<Op>(static_cast<std::uint8_t>(first) + static_cast<std::uint8_t>(number));
}

class Lowering {
  public:
    Lowering(const Tree& tree, const FunctionDefinition& kernel, Diagnostics& diagnostics);
    Code code();

  private:
    struct Stop {};  // after an error
    using E = Expression;
    using Patches = std::vector<std::size_t>;  // instructions whose target is still open

    struct Storage {
        Registers registers;
        std::int32_t object = -1;
        std::uint32_t defined = 0;  // register that is 1 once a value is assigned; 0: not needed
        std::uint32_t name = 0;     // of undefined_names
    };
    // A function being inlined.
    struct Frame {
        const FunctionDefinition* function;
        std::uint32_t return_slot = 0;
        Registers result;
        std::int32_t result_object = -1;
    };

    // Instructions.
    std::size_t emit(Instruction instruction, const Place* place = nullptr);
    void count_step();
    Instruction& last() { return code_.instructions.back(); }
    std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions.size()); }
    void compact();
    void patch(const Patches& jumps, std::uint32_t target);
    std::uint32_t operation(Op op, std::uint32_t a, std::uint32_t b = 0,
                            std::optional<std::uint32_t> want = {});
    std::uint32_t wrapped(std::uint32_t from, Scalar type, std::optional<std::uint32_t> want = {});
    void move(std::uint32_t to, std::uint32_t from);
    void move(const Registers& to, const Registers& from);
    std::uint32_t in_a_row(const Registers& given);
    void end_shown(std::size_t first);
    std::uint32_t place_index(const Place& given);
    std::uint32_t fresh(std::size_t count = 1);
    Registers fresh_registers(std::size_t count);
    std::uint32_t uniform(Uniform::Kind kind, std::uint32_t index, std::uint64_t value);
    std::uint32_t constant(std::uint64_t value) {
        return uniform(Uniform::Kind::constant, 0, value);
    }
    std::uint32_t slot() { return code_.masks++; }
    [[noreturn]] void stop(std::string message, std::string hint = {});

    // Variables and objects.
    Storage& declare(const Variable& variable);
    Storage& storage(const Variable& variable);
    std::int32_t add_object(Object object, std::uint64_t alignment);
    std::uint32_t object_pointer(std::int32_t object);
    void constant_data(const Variable& variable);
    void write_constant(const Expression& expression, std::byte* to);
    void parameter(std::size_t index);
    void components_of(const Type& type, std::vector<Scalar>& scalars);
    void spread(const Type& type, std::uint32_t pointer, std::uint64_t alignment,
                const Registers& given, std::size_t& next);

    // Statements.
    void statement(const Statement& of);
    void statements(const Statement& block);
    void declare(const Statement& statement);
    std::pair<std::uint32_t, std::size_t> begin_if(std::uint32_t condition,
                                                   const Place* place = nullptr);
    void if_statement(const Statement& statement);
    void loop(const Statement& statement, bool test_first);
    void in_turns();  // the last instruction, which a group waits for together
    void switch_statement(const Statement& statement);
    Registers statement_expression(const E& expr);
    std::uint32_t choice(const Statement& statement, std::uint32_t condition);
    void leave(std::uint32_t slot);
    void return_statement(const Statement& statement);
    void join(std::uint32_t slot);

    // Expressions.
    Registers value(const E& expr, std::optional<std::uint32_t> want = {});
    std::uint32_t scalar(const E& expr);
    void effect(const E& expr);  // for its side effects only
    Registers unary(const E& expr, std::optional<std::uint32_t> want);
    Registers binary(const E& expr, std::optional<std::uint32_t> want);
    // n, if a register is known to hold 2^n.
    std::optional<unsigned> exponent_of(std::uint32_t reg) const;
    Registers arithmetic(Operator how, const Type& type, const Registers& a, const Registers& b,
                         std::optional<std::uint32_t> want);
    Registers compare(Operator how, const Type& type, const Registers& a, const Registers& b,
                      std::optional<std::uint32_t> want);
    Registers logical(const E& expr);
    Registers conditional(const E& expr);
    Registers assign(const E& expr);
    Registers compound(const E& expr);
    Registers increment(const E& expr, bool used);
    Registers convert(const E& expr, std::optional<std::uint32_t> want);
    std::uint32_t converted(std::uint32_t from, Scalar from_type, Scalar to, std::uint16_t how,
                            std::optional<std::uint32_t> want);
    Registers half_step(const Registers& before, bool minus);
    Registers reinterpret(const E& expr);
    Registers values(const E& expr);
    Registers build(const E& expr);
    Registers variable(const E& expr);
    std::uint32_t offset_pointer(std::uint32_t pointer, std::uint32_t by, std::int64_t scale);
    std::uint32_t element_pointer(std::uint32_t pointer, std::uint32_t by, bool back,
                                  const E& expr);

    // Memory.
    Location location(const E& expr);
    Location location(const Storage& own, const Type& type);
    void begin_literal(const E& expr);
    Registers load(const Location& from, std::optional<std::uint32_t> want = {});
    void store(const Location& to, const Registers& value);
    Registers load_at(std::uint32_t pointer, Space space, Scalar type, std::uint8_t count,
                      std::optional<std::uint32_t> want = {});
    void store_at(std::uint32_t pointer, Space space, Scalar type, const Registers& value);
    // The same where it may lie at any byte. `flags`: of the instructions; kAligned only if it
    // does.
    Registers load_lying(std::uint32_t pointer, Space space, Scalar type, std::uint8_t count,
                         std::uint64_t alignment, std::uint8_t flags,
                         std::optional<std::uint32_t> want = {});
    void store_lying(std::uint32_t pointer, Space space, Scalar type, const Registers& value,
                     std::uint64_t alignment, std::uint8_t flags);
    void mark_alignment(std::uint64_t alignment, std::uint8_t flags);  // of the last instruction
    // The address of an lvalue, or of a structure's value; `beyond`: of an element it may be that
    // behind the last.
    std::uint32_t pointer_to(const E& expr, bool beyond = false);
    static bool is_inner_element(const E& element);
    static bool overlays_pointers(const E& member);  // of a union
    std::uint32_t element_of_inner(const E& element, bool beyond);
    std::uint64_t alignment_of(const E& expr) const;  // of an lvalue in memory, or a structure
    void copy(const Type& type, std::uint32_t to, Space to_space, std::uint32_t from,
              Space from_space, std::uint64_t alignment);
    void copy(const E& from, std::uint32_t to, Space to_space, std::uint64_t alignment);
    void initialize(std::uint32_t pointer, Space space, const Type& type, const E& list);
    void zero(const Type& type, std::uint32_t pointer, Space space, std::uint64_t offset,
              const E& list);

    // Calls.
    Registers call(const E& expr);
    void body_of(const FunctionDefinition& function, bool simple);
    void return_value(const Statement& statement);
    void pass_argument(const Variable& parameter, const E& expr, const Registers& given);
    Registers builtin(const E& expr, std::optional<std::uint32_t> want);
    Registers pure(const E& expr);
    Registers select(const E& expr);
    Registers fence(const E& expr);
    Registers fence(const E& expr, unsigned does);
    Registers any_or_all(const E& expr);
    Registers shuffle(const E& expr);
    std::uint32_t where_in(Builtin what, std::uint64_t dimension);
    Registers where(const E& expr);
    Registers vector_memory(const E& expr);
    Registers geometric(const E& expr);
    std::uint32_t dot(const Registers& a, const Registers& b, Scalar type);
    Registers print(const E& expr);
    Registers copy_together(const E& expr);
    Registers wait_events(const E& expr);
    Registers barrier(const E& expr);
    std::uint32_t collective_of(const E& expr, std::uint32_t given, std::uint32_t second);
    Registers ballot(const E& expr);
    Registers ordered_atomic(const E& expr);
    std::uint32_t atomic_operation(Builtin what, Scalar type, std::uint32_t pointer,
                                   std::uint32_t b, std::uint32_t c, std::uint64_t order);
    Registers atomic(const E& expr);
    Registers sub_group_barrier(const E& expr);
    Registers collective(const E& expr);
    Registers two_results(const E& expr);
    std::uint32_t pure_operation(Fn fn, Scalar type, std::uint32_t a, std::uint32_t b = 0,
                                 std::uint32_t c = 0);

    const Tree& tree_;
    const FunctionDefinition& kernel_;
    Diagnostics& diagnostics_;
    bool drops_const_ = false;  // what points to const may also be reached by another pointer
    Code code_;
    const Place* place_;  // of the part that is being lowered, which its instructions have
    std::map<const Variable*, Storage> storage_;
    std::map<std::tuple<Uniform::Kind, std::uint32_t, std::uint64_t>, std::uint32_t> uniforms_;
    std::vector<Frame> frames_;
    std::uint32_t top_ = 1;  // the next free register; 0 is never one
    std::uint32_t break_slot_ = 0, continue_slot_ = 0;
    Patches* reconvergence_ = nullptr;  // jumps of lanes that left, to where lanes may rejoin
    int loop_depth_ = 0;
    std::vector<std::uint32_t> turns_;  // registers that count the turns of loops around here
    Place called_at_;                   // the innermost call that the text makes
    std::size_t steps_ = 0;             // statements and calls so far: some emit no instruction
    std::map<const FunctionDefinition*, bool> simple_;  // whether it returns at its end only
    std::map<std::string, std::uint32_t> arrays_;       // places in Code::arrays
};

// Marks the instructions whose results can carry lineage: what comes from memory, and what is
// computed from that.
void mark_lineage(Code& code);

}  // namespace lab::lang
