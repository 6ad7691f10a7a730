// A program as typed trees: every node knows its type and its place.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "lang/builtins.h"
#include "lang/source.h"
#include "lang/type.h"
namespace lab::lang {

struct Expression;
struct Statement;

struct Variable {
    std::string name;
    const Type* type = nullptr;
    Space space = Space::private_;  // of the variable itself
    bool is_const = false;
    bool in_memory = false;  // its address is taken, or its type does not fit registers
    bool is_argument = false;
    bool is_assigned = false;    // somewhere, apart from its initial value
    bool at_file_scope = false;  // constant data
    bool any_space = false;      // a pointer whose address space its text leaves open
    bool is_reference = false;   // of C++: a pointer, and its name stands for what it points to
    bool may_refer = false;      // const T& of C++: a copy, until it is given what lies in memory
    bool is_pointed_to = false;  // something has its address
    Place place;
    const Expression* initial = nullptr;  // an Expression of kind `initializer` where it is a list
    std::optional<std::uint64_t> value = {};  // of a const number that begins with a constant
};

enum class Operator : std::uint8_t {
    add,
    sub,
    mul,
    div,
    rem,
    shl,
    shr,
    and_,
    or_,
    xor_,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    negate,
    complement,
    not_,
};

// Every conversion is its own node. Operands of arithmetic have the type of the result, those of a
// comparison a common type; shift counts keep their own.
struct Expression {
    enum class Kind : std::uint8_t {
        constant,     // `bits`, as a register holds it: see code.h
        variable,     // `variable`; an lvalue
        unary,        // operator_ of one operand
        binary,       // operator_ of two; a comparison of vectors gives a mask of 0 and -1
        logical_and,  // of two scalars; the second only where the first is not 0
        logical_or,
        conditional,  // condition, then, else; only one of the two is evaluated
        assign,       // lvalue, value
        compound,   // lvalue, value of type `compute`: lvalue = lvalue operator_ value in `compute`
        increment,  // lvalue; `prefix`, `minus`
        dereference,  // pointer; an lvalue
        address,      // lvalue
        decay,        // an array lvalue to a pointer to its first element
        offset,       // pointer, integer: pointer + integer, or - where `minus`
        difference,   // two pointers
        member,       // structure, `index`; an lvalue where its operand is
        swizzle,      // vector, `lanes`; an lvalue where its operand is
        build,        // a vector of its operands' components, one after another; a scalar fills it
        convert,      // arithmetic to arithmetic, not scalar to vector; pointer to pointer
        reinterpret,  // as_…: the same bits
        call,         // `function` of operands
        builtin,      // `known` of operands
        comma,        // two
        statements,   // ({ … }) of GNU C: `body`, and its last expression's value, if it has one
        initializer,  // a { list }: operands with their `offsets` in bytes; the rest is 0
    } kind = Kind::constant;

    const Type* type = nullptr;
    Place place;
    bool lvalue = false, is_const = false;
    Space space = Space::private_;  // of an lvalue, or a structure's value: where it lies
    bool prefix = false, minus = false;
    bool is_literal = false;  // of a variable: it has no name, and begins where it stands
    bool saturate = false;    // of convert
    Rounding rounding = Rounding::none;  // of convert
    Operator operator_ = Operator::add;
    std::uint32_t index = 0;
    std::uint32_t depth = 1;  // of the tree below
    std::uint64_t bits = 0;
    const Type* compute = nullptr;
    const Variable* variable = nullptr;
    const struct FunctionDefinition* function = nullptr;
    const PrintFormat* format = nullptr;  // of printf
    const struct Statement* body = nullptr;
    Function known{};
    std::vector<std::uint8_t> lanes;
    std::vector<const Expression*> operands;
    std::vector<std::uint64_t> offsets;
};

struct Statement {
    enum class Kind : std::uint8_t {
        empty,
        block,       // statements
        declare,     // variable
        expression,  // condition
        if_,         // condition, statements: then, maybe else
        loop,        // initial, condition (may be missing), step (may be missing), one statement
        do_,         // one statement, condition
        switch_,     // condition, one block; its cases are in `cases`
        break_,
        continue_,
        return_,  // condition: the value, may be missing
    } kind = Kind::empty;

    struct Case {
        std::uint64_t value = 0;  // as the condition's type holds it
        bool is_default = false;
        std::size_t before = 0;  // index of the statement in the block that follows it
    };

    Place place;
    const Variable* variable = nullptr;
    const Expression* condition = nullptr;
    const Expression* step = nullptr;
    const Statement* initial = nullptr;
    std::vector<const Statement*> statements;
    std::vector<Case> cases;
};

struct FunctionDefinition {
    std::string name;
    const Type* result = nullptr;
    std::vector<Variable*> parameters;
    const Statement* body = nullptr;  // null while it is only declared
    bool is_kernel = false;
    bool any_space = false;       // of the pointer that it returns, until it does
    bool is_reference = false;    // that pointer is a reference of C++: a call is what it points to
    std::size_t first_token = 0;  // of its text, once it has a body
    bool is_overloadable = false;  // others have its name, and other arguments
    // CUDA: its last argument is the launch's shared memory; who calls a function hands it on.
    bool is_dynamic = false;
    std::string origin;  // the function that this one is, read for other address spaces
    std::vector<const FunctionDefinition*> calls;
    std::vector<std::uint64_t> required_group;  // reqd_work_group_size; empty: any
    std::vector<Diagnostic> errors;  // of an instance that nobody asks for, until it is chosen
    Place place;
};

// Owns all nodes.
struct Tree {
    Types types;
    std::deque<Expression> expressions;
    std::deque<Statement> statements;
    std::deque<Variable> variables;
    std::deque<PrintFormat> formats;
    std::deque<FunctionDefinition> functions;
    std::vector<const Variable*> globals;  // at file scope: constant data, CUDA's shared variables

    const FunctionDefinition* find(std::string_view name) const;
    std::vector<const FunctionDefinition*> kernels() const;
};

}  // namespace lab::lang
