#include "analysis/formula.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/problem.h"

namespace lab::analysis::formula {
namespace {

constexpr std::array kNames{"",       "",      "",       "not",    "and",   "ite",   "=",
                            "bvult",  "bvule", "bvslt",  "bvsle",  "bvadd", "bvmul", "bvudiv",
                            "bvurem", "bvshl", "bvlshr", "bvashr", "bvand", "bvor",  "bvxor"};

std::uint64_t mask(std::uint8_t width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << std::max<int>(width, 1)) - 1;
}
std::int64_t as_signed(std::uint64_t value, std::uint8_t width) {
    return static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}

std::uint64_t folded(Op op, std::uint8_t width, std::uint64_t a, std::uint64_t b) {
    const std::int64_t left = as_signed(a, std::max<std::uint8_t>(width, 1));
    const std::int64_t right = as_signed(b, std::max<std::uint8_t>(width, 1));
    switch (op) {
        case Op::equal:
            return a == b ? 1 : 0;
        case Op::less:
            return a < b ? 1 : 0;
        case Op::at_most:
            return a <= b ? 1 : 0;
        case Op::signed_less:
            return left < right ? 1 : 0;
        case Op::signed_at_most:
            return left <= right ? 1 : 0;
        case Op::add:
            return a + b;
        case Op::multiply:
            return a * b;
        case Op::divide:
            return b == 0 ? ~std::uint64_t{0} : a / b;
        case Op::remainder:
            return b == 0 ? a : a % b;
        case Op::shift_left:
            return b >= width ? 0 : a << b;
        case Op::shift_right:
            return b >= width ? 0 : a >> b;
        case Op::signed_shift_right:
            return static_cast<std::uint64_t>(left >> std::min<std::uint64_t>(b, 63));
        case Op::bits_and:
            return a & b;
        case Op::bits_or:
            return a | b;
        default:
            return a ^ b;
    }
}

}  // namespace

const Term* Terms::make(Op op, std::uint8_t width, std::vector<const Term*> parts,
                        std::uint64_t value, std::string name, Scope scope) {
    if (parts.size() == 2 && parts[0]->is_value() && parts[1]->is_value() && op >= Op::equal &&
        op <= Op::bits_xor)
        return this->value(width, folded(op, parts[0]->width, parts[0]->value, parts[1]->value));
    auto [at, is_new] = known_.try_emplace({op, width, value, name, parts}, nullptr);
    if (is_new) {
        for (const Term* each : parts)
            scope = std::max(scope, each->scope);
        all_.push_back({op, width, scope, value, std::move(name), std::move(parts),
                        static_cast<std::uint32_t>(all_.size())});
        at->second = &all_.back();
    }
    return at->second;
}

const Term* Terms::value(std::uint8_t width, std::uint64_t value) {
    return make(Op::value, width, {}, value & mask(width));
}
const Term* Terms::symbol(Scope scope, std::uint8_t width) {
    return make(Op::symbol, width, {}, 0, fmt::format("s{}", symbols_++), scope);
}
const Term* Terms::apply(const std::string& function, std::uint8_t width,
                         std::vector<const Term*> operands) {
    return make(Op::apply, width, std::move(operands), 0, function);
}
const Term* Terms::power(std::uint8_t width, const Term* exponent) {
    return shift_left(value(width, 1), exponent);
}
const Term* Terms::any_power(Scope scope, std::uint8_t width) {
    const auto bits = static_cast<std::uint8_t>(std::countr_zero(unsigned{width}));
    return power(width, resized(symbol(scope, bits), width, false));
}

const Term* Terms::negation(const Term* a) {
    if (a->is_value()) return truth(a->value == 0);
    return a->op == Op::not_ ? a->parts[0] : make(Op::not_, 0, {a});
}
const Term* Terms::both(const Term* a, const Term* b) {
    if (a->is(0) || b->is(0) || a == negation(b)) return truth(false);
    if (a->is(1) || a == b) return b;
    return b->is(1) ? a : make(Op::and_, 0, {a, b});
}
const Term* Terms::either(const Term* a, const Term* b) {
    return negation(both(negation(a), negation(b)));
}
const Term* Terms::choose(const Term* condition, const Term* a, const Term* b) {
    if (a == b || condition->is(1)) return a;
    if (condition->is(0)) return b;
    if (a->width == 0) return either(both(condition, a), both(negation(condition), b));
    return make(Op::choose, a->width, {condition, a, b});
}

const Term* Terms::equal(const Term* a, const Term* b) {
    if (a == b) return truth(true);
    if (a->is_value()) std::swap(a, b);
    // A truth value that was made a number and is asked for again.
    if (b->is_value() && a->op == Op::choose && a->parts[1]->is_value() && a->parts[2]->is_value())
        return choose(a->parts[0], truth(a->parts[1]->value == b->value),
                      truth(a->parts[2]->value == b->value));
    return make(Op::equal, 0, {a, b});
}
const Term* Terms::less(const Term* a, const Term* b, bool is_signed) {
    if (a == b) return truth(false);
    return make(is_signed ? Op::signed_less : Op::less, 0, {a, b});
}
const Term* Terms::at_most(const Term* a, const Term* b, bool is_signed) {
    return negation(less(b, a, is_signed));
}

const Term* Terms::add(const Term* a, const Term* b) {
    if (a->is_value()) std::swap(a, b);
    if (b->is(0)) return a;
    if (b->is_value() && a->op == Op::add && a->parts[1]->is_value())
        return add(a->parts[0], add(a->parts[1], b));
    // What is counted in the same unit is added in it.
    if (a->op == Op::multiply && b->op == Op::multiply)
        for (const std::size_t i : {0U, 1U})
            for (const std::size_t k : {0U, 1U})
                if (a->parts[i] == b->parts[k] && !a->parts[i]->is_value())
                    return multiply(add(a->parts[1 - i], b->parts[1 - k]), a->parts[i]);
    return make(Op::add, a->width, {a, b});
}
const Term* Terms::subtract(const Term* a, const Term* b) {
    if (a == b) return value(a->width, 0);
    return add(a, multiply(b, value(b->width, ~std::uint64_t{0})));
}

bool Terms::is_power(const Term* a) const {
    if (a->is_value()) return (a->value & (a->value - 1)) == 0;
    if (a->op == Op::shift_left || a->op == Op::shift_right) return is_power(a->parts[0]);
    if (a->op == Op::choose) return is_power(a->parts[1]) && is_power(a->parts[2]);
    return a->op == Op::zero_extend && is_power(a->parts[0]);
}

const Term* Terms::multiply(const Term* a, const Term* b) {
    if (a->is_value()) std::swap(a, b);
    if (b->is(0) || b->is(1)) return b->is(0) ? b : a;
    if (b->is_value() && a->op == Op::multiply && a->parts[1]->is_value())
        return multiply(a->parts[0], multiply(a->parts[1], b));
    // A product with a power of two is a shift, and exactly so.
    const auto is_shifted = [&](const Term* x) {
        return x->op == Op::shift_left && x->parts[0]->is_value() && is_power(x->parts[0]);
    };
    if (is_shifted(a)) std::swap(a, b);
    if (is_shifted(b)) return shift_left(multiply(a, b->parts[0]), b->parts[1]);
    for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}})
        if (y->op == Op::choose && is_power(y))
            return choose(y->parts[0], multiply(x, y->parts[1]), multiply(x, y->parts[2]));
    return make(Op::multiply, a->width, {a, b});
}

const Term* Terms::negative(const Term* a) {
    return less(a, value(a->width, 0), true);
}
const Term* Terms::size_of(const Term* a) {
    if (a->is_value() && as_signed(a->value, a->width) >= 0) return a;
    // 2^31 is its own size, too.
    if (a->op == Op::shift_left && a->parts[0]->is(1)) return a;
    return choose(negative(a), subtract(value(a->width, 0), a), a);
}
const Term* Terms::divide(const Term* a, const Term* b, bool is_signed) {
    if (is_signed) {
        const Term* size = divide(size_of(a), size_of(b), false);
        return choose(equal(bits(Op::bits_xor, choose(negative(a), value(1, 1), value(1, 0)),
                                 choose(negative(b), value(1, 1), value(1, 0))),
                            value(1, 1)),
                      subtract(value(a->width, 0), size), size);
    }
    if (b->is(1)) return a;
    if (b->is_value() && is_power(b) && b->value != 0)
        return shift_right(
            a, value(a->width, static_cast<std::uint64_t>(std::countr_zero(b->value))), false);
    if (b->op == Op::shift_left && b->parts[0]->is(1)) return shift_right(a, b->parts[1], false);
    return make(Op::divide, a->width, {a, b});
}
const Term* Terms::remainder(const Term* a, const Term* b, bool is_signed) {
    if (is_signed) {
        const Term* size = remainder(size_of(a), size_of(b), false);
        return choose(negative(a), subtract(value(a->width, 0), size), size);
    }
    // Of no bit where it is 0, and then all of a: as SMT-LIB has it, too.
    if (is_power(b)) return bits(Op::bits_and, a, add(b, value(b->width, ~std::uint64_t{0})));
    return make(Op::remainder, a->width, {a, b});
}
const Term* Terms::shift_left(const Term* a, const Term* b) {
    if (b->is(0) || a->is(0)) return a;
    return make(Op::shift_left, a->width, {a, b});
}
const Term* Terms::shift_right(const Term* a, const Term* b, bool is_signed) {
    if (b->is(0) || a->is(0)) return a;
    return make(is_signed ? Op::signed_shift_right : Op::shift_right, a->width, {a, b});
}
const Term* Terms::bits(Op op, const Term* a, const Term* b) {
    if (a->is_value()) std::swap(a, b);
    if (b->is(0)) return op == Op::bits_and ? b : a;
    if (op == Op::bits_and && b->is(mask(b->width))) return a;
    return make(op, a->width, {a, b});
}
const Term* Terms::resized(const Term* a, std::uint8_t width, bool is_signed) {
    if (a->width == width) return a;
    if (a->is_value())
        return value(width, is_signed ? static_cast<std::uint64_t>(as_signed(a->value, a->width))
                                      : a->value);
    if (a->width > width) {
        if (a->op == Op::zero_extend || a->op == Op::sign_extend)
            return resized(a->parts[0], width, a->op == Op::sign_extend);
        if (a->op == Op::choose)
            return choose(a->parts[0], resized(a->parts[1], width, false),
                          resized(a->parts[2], width, false));
        const auto part = [&](std::size_t i) { return resized(a->parts[i], width, false); };
        if (a->op == Op::add) return add(part(0), part(1));
        if (a->op == Op::multiply) return multiply(part(0), part(1));
        if (a->op >= Op::bits_and && a->op <= Op::bits_xor) return bits(a->op, part(0), part(1));
        if (a->op == Op::shift_left && a->parts[0]->is(1))
            return choose(less(a->parts[1], value(a->width, width)), power(width, part(1)),
                          value(width, 0));
        return make(Op::low_bits, width, {a});
    }
    if (a->op == Op::zero_extend) return resized(a->parts[0], width, false);
    if (a->op == Op::choose && is_power(a) && !is_signed)
        return choose(a->parts[0], resized(a->parts[1], width, false),
                      resized(a->parts[2], width, false));
    // A power of two stays one. What was shifted out of it does not come back.
    if (a->op == Op::shift_left && a->parts[0]->is(1) && !is_signed) {
        const Term* exponent = a->parts[1];
        return choose(less(exponent, value(a->width, a->width)),
                      power(width, resized(exponent, width, false)), value(width, 0));
    }
    return make(is_signed ? Op::sign_extend : Op::zero_extend, width, {a});
}

std::string Question::name(const Term* term, int item) {
    if (term->is_value()) {
        if (term->width == 0) return term->value != 0 ? "true" : "false";
        return fmt::format("(_ bv{} {})", term->value, term->width);
    }
    const bool shared =
        term->scope == Scope::launch || (term->scope == Scope::group && same_group_);
    if (shared) item = 0;
    if (const auto found = names_.find({term, item}); found != names_.end()) return found->second;
    std::string operands;
    for (const Term* each : term->parts)
        operands += " " + name(each, item);
    const std::string sort = term->width == 0 ? "Bool" : fmt::format("(_ BitVec {})", term->width);
    const std::string name = fmt::format("t{}{}", term->number, item == 0 ? "a" : "b");
    std::string formula;
    switch (term->op) {
        case Op::symbol:
            break;
        case Op::apply:
            if (declared_.insert(term->name).second) {
                std::string of;
                for (const Term* each : term->parts)
                    of += fmt::format(" (_ BitVec {})", each->width);
                functions_ += fmt::format("(declare-fun |{}| ({}) {})\n", term->name, of, sort);
            }
            formula = fmt::format("(|{}|{})", term->name, operands);
            break;
        case Op::zero_extend:
        case Op::sign_extend:
            formula = fmt::format("((_ {} {}){})",
                                  term->op == Op::zero_extend ? "zero_extend" : "sign_extend",
                                  term->width - term->parts[0]->width, operands);
            break;
        case Op::low_bits:
            formula = fmt::format("((_ extract {} 0){})", term->width - 1, operands);
            break;
        default:
            formula = fmt::format("({}{})", kNames[static_cast<std::size_t>(term->op)], operands);
    }
    const bool unknown = term->op >= Op::multiply && term->op <= Op::remainder &&
                         !term->parts[0]->is_value() && !term->parts[1]->is_value();
    const bool open = unknown && products_ == Products::ordered;
    text_ += formula.empty() || open
                 ? fmt::format("(declare-const {} {})\n", name, sort)
                 : fmt::format("(define-fun {} () {} {})\n", name, sort, formula);
    names_.emplace(std::pair(term, item), name);
    if (open)
        bound({name,
               {this->name(term->parts[0], item), this->name(term->parts[1], item)},
               term->width,
               term->op});
    return name;
}

// Requires of a product, a quotient or a rest what every one of them meets.
void Question::bound(Product product) {
    const auto& [name, factors, width, op] = product;
    const auto& [a, b] = factors;
    const auto number = [width_ = width](std::uint64_t value) {
        return fmt::format("(_ bv{} {})", value, width_);
    };
    const auto when = [&](const std::string& condition, const std::string& then) {
        require(fmt::format("(=> {} {})", condition, then));
    };
    if (op == Op::multiply) {
        // True only if a product of these is below 2^bits.
        const auto is_below = [&](const std::string& x, const std::string& y, int bits) {
            std::vector<std::string> ways;
            for (int k = 4; k < bits; k += 4)
                ways.push_back(fmt::format("(and (bvult {} {}) (bvult {} {}))", x,
                                           number(std::uint64_t{1} << k), y,
                                           number(std::uint64_t{1} << (bits - k))));
            return define(any_of(ways));
        };
        // Room for the bytes of an element.
        const int room = std::max(0, width - 4);
        when(is_below(a, b, room),
             fmt::format("(bvult {} {})", name, number(std::uint64_t{1} << room)));
        const std::string whole = is_below(a, b, width);
        for (const std::size_t i : {0U, 1U}) {
            const std::string &count = factors[i], &unit = factors[1 - i];
            when(fmt::format("(= {} {})", count, number(0)),
                 fmt::format("(= {} {})", name, number(0)));
            when(fmt::format("(and {} (not (= {} {})))", whole, count, number(0)),
                 fmt::format("(bvuge {} {})", name, unit));
            for (const Product& other : bounded_)
                for (const std::size_t k : {0U, 1U}) {
                    if (other.op != Op::multiply || other.factors[k] != unit) continue;
                    const std::string& others = other.factors[1 - k];
                    const std::string both =
                        define(fmt::format("(and {} {})", whole, is_below(others, unit, width)));
                    when(fmt::format("(= {} {})", count, others),
                         fmt::format("(= {} {})", name, other.name));
                    when(fmt::format("(and {} (bvult {} {}))", both, count, others),
                         fmt::format("(bvule (bvadd {} {}) {})", name, unit, other.name));
                    when(fmt::format("(and {} (bvult {} {}))", both, others, count),
                         fmt::format("(bvule (bvadd {} {}) {})", other.name, unit, name));
                }
        }
    } else {
        const std::string half = fmt::format("(bvlshr {} {})", a, number(1));
        if (op == Op::divide)
            when(fmt::format("(bvult {} {})", number(1), b),
                 fmt::format("(bvule {} {})", name, half));
        require(fmt::format("(bvule {} {})", name, a));
        const std::string less = fmt::format("(bvult {} {})", a, b);
        if (op == Op::divide)
            when(fmt::format("(not (= {} {}))", b, number(0)),
                 fmt::format("(= {} (= {} {}))", less, name, number(0)));
        else
            when(fmt::format("(not (= {} {}))", b, number(0)),
                 fmt::format("(and (bvult {} {}) (=> {} (= {} {})))", name, b, less, name, a));
        for (const Product& other : bounded_)
            if (other.op == op && other.factors[1] == b)
                when(fmt::format("(= {} {})", a, other.factors[0]),
                     fmt::format("(= {} {})", name, other.name));
    }
    bounded_.push_back(std::move(product));
}

std::string Question::define(const std::string& formula) {
    const std::string name = fmt::format("d{}", defined_++);
    text_ += fmt::format("(define-fun {} () Bool {})\n", name, formula);
    return name;
}

Solver::~Solver() {
    stop();
}

void Solver::stop() {
    if (!process_) return;
    process_->in.close();
    kill_group(process_->id);
    while (::waitpid(process_->id, nullptr, 0) < 0 && errno == EINTR)
        continue;
    process_.reset();
}

std::string Solver::answer(const std::string& commands, std::uint64_t effort) {
    constexpr int kMegabytes = 1500;
    constexpr std::string_view kEnd = "end of the answer\n";
    try {
        if (!process_)
            process_ = start_process("z3", {"-in", "-smt2", fmt::format("-memory:{}", kMegabytes)});
    } catch (const Problem& problem) {
        throw Problem("The solver z3 could not be started", problem.why,
                      "Install the package z3: apt-get install z3");
    }
    const std::string input = fmt::format("(reset)(set-option :rlimit {})\n{}(echo \"{}\")\n",
                                          effort, commands, kEnd.substr(0, kEnd.size() - 1));
    const IgnoreSigpipe ignored;
    // It says nothing before it has read nearly all of it.
    for (std::size_t at = 0; at < input.size();) {
        const ssize_t count = ::write(process_->in.number(), input.data() + at, input.size() - at);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) break;
        at += static_cast<std::size_t>(count);
    }
    std::string output;
    std::array<char, 4096> buffer{};
    while (!output.ends_with(kEnd)) {
        const ssize_t count = ::read(process_->out.number(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        output.append(buffer.data(), static_cast<std::size_t>(count));
    }
    if (!output.ends_with(kEnd) || output.find("out of memory") != std::string::npos) stop();
    return output;
}

Answer Question::ask(Solver& solver, const std::vector<std::string>& values,
                     std::uint64_t effort) const {
    std::string commands = functions_ + text_ + "(check-sat)\n";
    if (!values.empty()) commands += fmt::format("(get-value ({}))\n", fmt::join(values, " "));
    const std::string output = solver.answer(commands, effort);
    Answer answer;
    if (output.find("out of memory") != std::string::npos) return answer;
    if (output.starts_with("(error"))
        throw Problem("The solver z3 does not take a formula", output.substr(0, 200),
                      "This is a fault of this program: please report it");
    if (output.starts_with("unsat")) answer.how = Answer::How::unmet;
    if (!output.starts_with("sat")) return answer;
    answer.how = Answer::How::met;
    // "sat ((d1 false) (d2 true))": every second word is a value.
    std::size_t words = 0;
    for (std::size_t at = 3; at < output.size();) {
        const std::size_t end = std::min(output.find_first_of(" ()\n", at), output.size());
        const std::string_view word = std::string_view(output).substr(at, end - at);
        at = end + 1;
        if (word.empty() || ++words % 2 == 1) continue;
        answer.values.push_back(word == "true");
    }
    answer.values.resize(values.size());
    return answer;
}

std::string any_of(const std::vector<std::string>& formulas) {
    return formulas.empty() ? "false" : fmt::format("(or {})", fmt::join(formulas, " "));
}

}  // namespace lab::analysis::formula
