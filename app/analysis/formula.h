// Formulas over bit-vectors, whose terms are shared and simplified as they are made; and the solver
// z3, a program of its own, which says if they can be met.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/child_process.h"

namespace lab::analysis::formula {

enum class Op : std::uint8_t {
    value,
    symbol,
    apply,  // of a function of which nothing is known but that it is one
    not_,
    and_,
    choose,
    equal,
    less,  // unsigned
    at_most,
    signed_less,
    signed_at_most,
    add,
    multiply,
    divide,  // unsigned
    remainder,
    shift_left,
    shift_right,
    signed_shift_right,
    bits_and,
    bits_or,
    bits_xor,
    zero_extend,
    sign_extend,
    low_bits,
};

// Says how many values a symbol has: one for all, one per group, or one per work-item.
enum class Scope : std::uint8_t { launch, group, item };

struct Term {
    Op op = Op::value;
    std::uint8_t width = 0;  // in bits; 0: a truth value
    Scope scope = Scope::launch;
    std::uint64_t value = 0;
    std::string name;  // of a symbol or a function
    std::vector<const Term*> parts;
    std::uint32_t number = 0;

    bool is_value() const { return op == Op::value; }
    bool is(std::uint64_t number_) const { return op == Op::value && value == number_; }
};

// Makes terms; equal ones are one. Arithmetic wraps, and a shift by the width or more gives 0 (or
// the sign), as in SMT-LIB.
class Terms {
  public:
    const Term* value(std::uint8_t width, std::uint64_t value);
    const Term* truth(bool value) { return this->value(0, value ? 1 : 0); }
    const Term* symbol(Scope scope, std::uint8_t width);  // a new one
    const Term* apply(const std::string& function, std::uint8_t width,
                      std::vector<const Term*> operands);
    const Term* power(std::uint8_t width, const Term* exponent);  // 2^exponent
    // 2 to the power of a new symbol; any power of two that the width has.
    const Term* any_power(Scope scope, std::uint8_t width);

    const Term* negation(const Term* a);
    const Term* both(const Term* a, const Term* b);
    const Term* either(const Term* a, const Term* b);
    const Term* choose(const Term* condition, const Term* a, const Term* b);
    const Term* equal(const Term* a, const Term* b);
    const Term* less(const Term* a, const Term* b, bool is_signed = false);
    const Term* at_most(const Term* a, const Term* b, bool is_signed = false);

    const Term* add(const Term* a, const Term* b);
    const Term* subtract(const Term* a, const Term* b);
    const Term* multiply(const Term* a, const Term* b);
    // Rounded towards 0. What a division by 0 gives is of no interest: it is a fault.
    const Term* divide(const Term* a, const Term* b, bool is_signed);
    const Term* remainder(const Term* a, const Term* b, bool is_signed);
    const Term* shift_left(const Term* a, const Term* b);
    const Term* shift_right(const Term* a, const Term* b, bool is_signed);
    const Term* bits(Op op, const Term* a, const Term* b);
    const Term* resized(const Term* a, std::uint8_t width, bool is_signed);

  private:
    const Term* make(Op op, std::uint8_t width, std::vector<const Term*> parts,
                     std::uint64_t value = 0, std::string name = {}, Scope scope = Scope::launch);
    const Term* negative(const Term* a);  // a < 0
    const Term* size_of(const Term* a);   // |a|
    bool is_power(const Term* a) const;   // it has this form, or is 0

    std::deque<Term> all_;
    std::map<std::tuple<Op, std::uint8_t, std::uint64_t, std::string, std::vector<const Term*>>,
             const Term*>
        known_;
    std::uint32_t symbols_ = 0;
};

struct Answer {
    enum class How : std::uint8_t { met, unmet, unknown } how = How::unknown;
    std::vector<bool> values;  // of what was asked for, where it can be met
};

// A question about two work-items, 0 and 1, of one group or of two.
// The solver, which is asked one question after another: to start it takes longer than most
// answers. Throws Problem where it is not installed.
class Solver {
  public:
    Solver() = default;
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;
    ~Solver();
    // Says what it answers to these commands, which it takes as if they were the first. It stops
    // after so much effort, a count of its own.
    std::string answer(const std::string& commands, std::uint64_t effort);

  private:
    void stop();

    std::optional<ChildProcess> process_;
};

class Question {
  public:
    // Says what a product or a quotient of two unknown numbers is: `exact` is often too much for
    // the solver; `ordered` is any number that keeps their order, as shares of a row do: what
    // cannot be met so cannot be met at all, and nothing else follows.
    enum class Products : std::uint8_t { exact, ordered };

    explicit Question(bool same_group, Products products = Products::exact)
        : same_group_(same_group), products_(products) {}

    // The name in the text of a term as that work-item has it.
    std::string name(const Term* term, int item);
    void require(const std::string& formula) { text_ += "(assert " + formula + ")\n"; }
    std::string define(const std::string& formula);  // the name of one
    // Asks if all that is required can be met, and which of these formulas then hold.
    Answer ask(Solver& solver, const std::vector<std::string>& values, std::uint64_t effort) const;
    bool is_exact() const { return bounded_.empty(); }  // no product or quotient is left open

  private:
    struct Product {
        std::string name;
        std::array<std::string, 2> factors;
        std::uint8_t width = 0;
        Op op = Op::multiply;  // or divide, or remainder
    };
    void bound(Product product);

    bool same_group_;
    Products products_;
    std::vector<Product> bounded_;
    std::string text_, functions_;
    std::map<std::pair<const Term*, int>, std::string> names_;
    std::set<std::string> declared_;
    int defined_ = 0;
};

// "(or a b)"; of none "false".
std::string any_of(const std::vector<std::string>& formulas);

}  // namespace lab::analysis::formula
