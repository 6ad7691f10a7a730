#include "analysis/prove.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "analysis/formula.h"
#include "analysis/hazards.h"
#include "analysis/launch_guess.h"
#include "base/expression.h"
#include "base/ranges.h"
#include "lang/compile.h"

namespace lab::analysis {
namespace symbolic {
namespace {

using formula::Answer;
using formula::Op;
using formula::Question;
using formula::Scope;
using formula::Term;
using formula::Terms;
using lang::Builtin;
using lang::Place;
using lang::Space;
using E = lang::Expression;
using S = lang::Statement;
using Kind = E::Kind;

struct NotOfThatKind {
    Place place;
    std::string what;
};
struct GaveUp {
    std::string why;
    std::uint32_t line = 0, other = 0;
};
struct WrittenAfterAll {};  // an array that was taken for one that nobody writes

// What a pointer points into: a buffer, or local memory.
struct Array {
    std::string name;
    Space space = Space::global;
};
constexpr std::uint8_t kPointerBits = 64;
constexpr const char* kUnknownPointer = "a pointer of which it is not known where it points";

// A number, or a pointer: an array and the distance from its start in bytes. Neither: a value that
// is not followed, such as a float.
struct Value {
    const Term* term = nullptr;
    const Array* array = nullptr;
    bool operator==(const Value&) const = default;
};

struct Access {
    const Array* array;
    const Term* address;
    const Term* guard;
    std::uint64_t bytes;
    bool writes, atomic;
    Place place;
};

// A launch of any size: its ids, sizes and arguments, and what is known of them.
struct LaunchModel {
    Terms terms;
    std::uint32_t dims = 1;
    const Term* n = nullptr;
    std::array<const Term*, 3> local_id{}, group_id{}, local_size{}, num_groups{};
    std::array<const Term*, 3> base{}, global_size{};  // base: the group's first global id
    std::vector<const Term*> facts;
    std::map<const lang::Variable*, Value> arguments;
    std::map<const void*, Array> arrays;
};

bool is_number(const lang::Type& type) {
    return type.is_scalar() && !type.is_floating() && !type.is_event();
}
bool is_followed(const lang::Variable& variable) {
    return variable.space == Space::private_ && !variable.in_memory && !variable.at_file_scope &&
           (variable.type->is_pointer() || is_number(*variable.type));
}
std::uint8_t width_of(const lang::Type& type) {
    return type.is_pointer() ? kPointerBits : static_cast<std::uint8_t>(8 * type.bytes);
}
// True if it certainly is, without overflow or with it, of a power of two; or of what is not one,
// as long as nothing overflows, which no array is large enough for.
bool is_multiple(const Term* of, std::uint64_t bytes) {
    if (of->is_value()) return of->value % bytes == 0;
    if (of->op == Op::multiply)
        return is_multiple(of->parts[0], bytes) || is_multiple(of->parts[1], bytes);
    if (of->op == Op::add)
        return is_multiple(of->parts[0], bytes) && is_multiple(of->parts[1], bytes);
    if (of->op == Op::choose)
        return is_multiple(of->parts[1], bytes) && is_multiple(of->parts[2], bytes);
    return of->op == Op::shift_left && is_multiple(of->parts[0], bytes);
}
bool is_signed(const lang::Type& type) {
    return type.is_scalar() && lang::info(type.scalar).is_signed;
}

// Calls visit(expression) for each in a statement, and in the functions that it calls.
class Visitor {
  public:
    explicit Visitor(std::function<void(const E&)> visit) : visit_(std::move(visit)) {}
    std::vector<const lang::Variable*> declared;

    void in(const S* statement) {
        if (statement == nullptr) return;
        in(statement->condition);
        in(statement->step);
        in(statement->initial);
        if (statement->kind == S::Kind::declare) {
            declared.push_back(statement->variable);
            in(statement->variable->initial);
        }
        for (const S* each : statement->statements)
            in(each);
    }
    void in(const E* expr) {
        if (expr == nullptr) return;
        visit_(*expr);
        in(expr->body);
        for (const E* each : expr->operands)
            in(each);
        if (expr->function != nullptr && functions_.insert(expr->function).second)
            in(expr->function->body);
    }

  private:
    std::function<void(const E&)> visit_;
    std::set<const lang::FunctionDefinition*> functions_;
};

bool is_group_collective(const E& expr) {
    return expr.known.builtin >= Builtin::reduce && expr.known.builtin <= Builtin::elect &&
           expr.known.collective.of == lang::Collective::Of::group;
}

// The solver, and what a proof has taken of it.
struct Spent {
    formula::Solver solver;
    std::uint64_t questions = 0;
    // That the solver did not find out: whether something is so, and whether a guess holds.
    std::uint64_t unknown = 0, unsettled = 0;
};

// Walks over a kernel's text once, as one work-item with symbols for values; each question is then
// about two of them. Accesses between two barriers meet; what memory holds is any value.
class Walk {
  public:
    // Barriers are met by all; or the accesses to local or global memory, in a group, or to global
    // memory by two groups, do not race.
    enum class Mode : std::uint8_t { converge, local, global, across };

    Walk(LaunchModel& model, Mode mode, const ProofOptions& options, Spent& spent,
         std::set<const Array*>& written)
        : model_(model),
          t_(model.terms),
          mode_(mode),
          options_(options),
          spent_(spent),
          written_(written) {}

    void run(const lang::FunctionDefinition& kernel) {
        State s;
        s.guard = t_.truth(true);
        for (const auto& [variable, value] : model_.arguments)
            if (is_followed(*variable)) s.env[key_of(variable)] = value;
        frames_.emplace_back();
        exec(*kernel.body, s);
        judge();
    }

  private:
    struct State {
        const Term* guard = nullptr;  // true if the work-item comes here
        std::map<std::uint32_t, Value> env;
        std::vector<std::uint32_t> live;    // accesses since the last barrier, in order
        bool entry = false;                 // no barrier since the loop's turn began
        bool mutes = false, muted = false;  // further accesses are met elsewhere: from a barrier on
    };
    struct Loop {
        std::vector<State> breaks, continues;
    };
    struct Frame {
        std::vector<std::pair<State, Value>> returns;
    };
    // A variable that a loop changes, and what may be known of it at the start of each turn.
    struct Changed {
        const lang::Variable* variable;
        Value first;
        const Term* step = nullptr;            // it is first + step * k
        bool uniform = false;                  // grows alike in all work-items of a group
        bool power = false;                    // of two
        bool at_most = true, at_least = true;  // as at first
        const Term* now = nullptr;
    };
    using Guess = std::vector<Changed>;
    using Changes =
        std::map<std::uint32_t, std::vector<const E*>>;  // by key, of what a loop changes

    static bool is_dead(const State& s) { return s.guard->is(0); }
    std::uint32_t key_of(const void* what) {
        return keys_.try_emplace(what, static_cast<std::uint32_t>(keys_.size())).first->second;
    }
    const Array* array_of(const lang::Variable& variable) {
        const Space space =
            variable.space == Space::private_ ? variable.type->space : variable.space;
        return &model_.arrays.try_emplace(&variable, Array{variable.name, space}).first->second;
    }
    [[noreturn]] static void out_of_reach(const Place& place, std::string what) {
        throw NotOfThatKind{place, std::move(what)};
    }

    // States.

    Value chosen(const Term* condition, const Value& a, const Value& b) {
        if (a == b) return a;
        if (a.array != b.array || a.term == nullptr || b.term == nullptr ||
            a.term->width != b.term->width)
            return {};
        return {t_.choose(condition, a.term, b.term), a.array};
    }
    State merged(const Term* condition, State a, State b) {
        if (is_dead(a) || is_dead(b)) {
            State& alive = is_dead(a) ? b : a;
            join_live(alive, is_dead(a) ? a : b);
            return alive;
        }
        State s = a;
        s.guard = t_.either(a.guard, b.guard);
        s.env.clear();
        for (const auto& [key, value] : a.env) {
            const auto other = b.env.find(key);
            if (other == b.env.end()) continue;
            s.env.emplace(key, chosen(condition, value, other->second));
        }
        join_live(s, b);
        s.muted = a.muted && b.muted;
        s.mutes = a.mutes && b.mutes;
        return s;
    }
    static void join_live(State& into, const State& from) {
        std::vector<std::uint32_t> all;
        std::set_union(into.live.begin(), into.live.end(), from.live.begin(), from.live.end(),
                       std::back_inserter(all));
        into.live = std::move(all);
        into.entry = into.entry || from.entry;
    }
    // Who left meets no barrier that comes later, and none is between him and those around it.
    void join_left(State& s, const State& left) {
        for (const std::uint32_t each : left.live) {
            if (std::binary_search(s.live.begin(), s.live.end(), each)) continue;
            Access access = accesses_[each];
            access.guard = t_.both(access.guard, left.guard);
            s.live.push_back(static_cast<std::uint32_t>(accesses_.size()));
            accesses_.push_back(access);
        }
    }
    void join_left(State& s, const std::vector<State>& left, std::size_t from) {
        for (std::size_t i = from; i < left.size(); ++i)
            join_left(s, left[i]);
    }
    void join_returned(State& s, std::size_t from) {
        const auto& returns = frames_.back().returns;
        for (std::size_t i = from; i < returns.size(); ++i)
            join_left(s, returns[i].first);
    }
    template <typename Then, typename Else>
    void branch(State& s, const Term* condition, Then then, Else otherwise) {
        State a = s, b = s;
        a.guard = t_.both(s.guard, condition);
        b.guard = t_.both(s.guard, t_.negation(condition));
        const Term *a_guard = a.guard, *b_guard = b.guard;
        const std::size_t returned = frames_.back().returns.size();
        Loop* const around = loops_.empty() ? nullptr : &loops_.back();
        const std::size_t broken = around == nullptr ? 0 : around->breaks.size();
        const std::size_t continued = around == nullptr ? 0 : around->continues.size();
        const std::uint64_t barriers = barriers_;
        const auto count = [&] { return static_cast<std::uint32_t>(accesses_.size()); };
        const std::uint32_t first = count();
        if (!is_dead(a)) then(a);
        // Some go one way while others go the other one, and meet none of its barriers.
        const std::uint32_t second = count();
        const bool ordered = barriers != barriers_ && mode_ != Mode::across;
        if (!ordered) join_live(b, a);
        if (!is_dead(b)) otherwise(b);
        for (std::uint32_t i = first; ordered && i < second; ++i)
            for (std::uint32_t k = second; k < count(); ++k)
                pair_up(i, k);
        const Term* guard = a.guard == a_guard && b.guard == b_guard ? s.guard : nullptr;
        s = merged(condition, std::move(a), std::move(b));
        if (guard != nullptr) s.guard = guard;
        join_returned(s, returned);
        if (around == nullptr) return;
        join_left(s, around->breaks, broken);
        join_left(s, around->continues, continued);
    }

    // Questions.

    using Asked = std::vector<std::string>;  // formulas by name
    // Asks what `ask(question)` requires, first with products that are only ordered.
    template <typename Ask>
    Answer answer_to(Ask ask, std::uint64_t effort) {
        Question ordered = question(Question::Products::ordered);
        const Asked asked = ask(ordered);
        Answer answer = ordered.ask(spent_.solver, asked, effort);
        if (!ordered.is_exact() && answer.how != Answer::How::unmet) {
            Question exact = question(Question::Products::exact);
            const Asked again = ask(exact);
            answer = exact.ask(spent_.solver, again, effort);
        }
        // What the solver does not find out in that effort is little likely to be found out at all;
        // a guess that is taken back for that may not be needed.
        constexpr std::uint64_t kPatience = 6, kPatienceWithGuesses = 30;
        if (answer.how == Answer::How::unknown &&
            (silent_ > 0 ? ++spent_.unsettled > kPatienceWithGuesses
                         : ++spent_.unknown > kPatience))
            throw GaveUp{"the solver gave up too often"};
        return answer;
    }
    Question question(Question::Products products) {
        if (options_.cancel != nullptr && *options_.cancel) throw GaveUp{"it was interrupted"};
        if (++spent_.questions > options_.most_questions)
            throw GaveUp{
                fmt::format("{} questions to the solver do not suffice", spent_.questions - 1)};
        Question q(mode_ != Mode::across, products);
        for (const auto* facts : {&model_.facts, &facts_})
            for (const Term* fact : *facts)
                for (int item = 0; item < (fact->scope == Scope::launch ? 1 : 2); ++item)
                    q.require(q.name(fact, item));
        std::vector<std::string> differ;
        const auto& ids = mode_ == Mode::across ? model_.group_id : model_.local_id;
        for (std::uint32_t d = 0; d < model_.dims; ++d) {
            if (!ids[d]->is_value())
                differ.push_back(
                    fmt::format("(not (= {} {}))", q.name(ids[d], 0), q.name(ids[d], 1)));
            if (mode_ != Mode::across || model_.base[d]->is_value()) continue;
            // The groups' shares follow each other.
            for (int item = 0; item < 2; ++item) {
                const auto a = [&](const auto& all) { return q.name(all[d], item); };
                const auto b = [&](const auto& all) { return q.name(all[d], 1 - item); };
                q.require(fmt::format("(=> (bvult {} {}) (bvule (bvadd {} {}) {}))",
                                      a(model_.group_id), b(model_.group_id), a(model_.base),
                                      a(model_.local_size), b(model_.base)));
                q.require(fmt::format("(=> (= {} {}) (= {} {}))", a(model_.group_id),
                                      b(model_.group_id), a(model_.base), b(model_.base)));
            }
        }
        q.require(formula::any_of(differ));
        return q;
    }
    void require_uniform(const Term* guard, const Place& place) {
        if (mode_ != Mode::converge || silent_ > 0 || guard->scope < Scope::item) return;
        const auto differs = [&](Question& q) {
            q.require(q.name(guard, 0));
            q.require(fmt::format("(not {})", q.name(guard, 1)));
            return Asked();
        };
        if (answer_to(differs, options_.effort).how != Answer::How::unmet)
            out_of_reach(place, "perhaps not all work-items of a group come here");
    }

    void judge() {
        if (pairs_.empty()) return;
        if (judge(pairs_)) return;
        for (const auto& pair : pairs_)
            if (!judge({pair}))
                throw GaveUp{"the solver gave up on these two", accesses_[pair.first].place.line,
                             accesses_[pair.second].place.line};
    }
    // Throws GaveUp if some of these may race; false if the solver does not know.
    bool judge(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
        const auto meet = [&](Question& q) {
            Asked races;
            for (const auto& [first, second] : pairs) {
                const Access &a = accesses_[first], &b = accesses_[second];
                const std::string x = q.name(a.address, 0), y = q.name(b.address, 1);
                std::string met = fmt::format("(= {} {})", x, y);
                if (a.bytes != b.bytes || !is_multiple(a.address, a.bytes) ||
                    !is_multiple(b.address, b.bytes))
                    met = fmt::format(
                        "(or (bvult (bvsub {0} {1}) (_ bv{2} 64)) (bvult (bvsub {1} {0}) (_ bv{3} "
                        "64)))",
                        x, y, b.bytes, a.bytes);
                races.push_back(q.define(
                    fmt::format("(and {} {} {})", q.name(a.guard, 0), q.name(b.guard, 1), met)));
            }
            q.require(formula::any_of(races));
            return races;
        };
        const Answer answer = answer_to(meet, options_.effort);
        if (answer.how != Answer::How::met) return answer.how == Answer::How::unmet;
        const std::size_t at = position_of(answer.values, true);
        const auto& [first, second] = pairs[std::min(at, pairs.size() - 1)];
        throw GaveUp{"these two may meet", accesses_[first].place.line,
                     accesses_[second].place.line};
    }

    // Memory.

    void record(State& s, const Array& array, const Term* address, std::uint64_t bytes, bool writes,
                bool atomic, const Place& place) {
        if (array.space == Space::constant || array.space == Space::private_) return;
        if (writes && written_.insert(&array).second && trusted_.contains(&array))
            throw WrittenAfterAll();
        const bool local = array.space == Space::local;
        if (mode_ == Mode::converge || local != (mode_ == Mode::local) || s.muted || silent_ > 0)
            return;
        const auto now = static_cast<std::uint32_t>(accesses_.size());
        accesses_.push_back({&array, address, s.guard, bytes, writes, atomic, place});
        for (const std::uint32_t each : s.live)
            pair_up(each, now);
        pair_up(now, now);
        s.live.push_back(now);
    }
    void pair_up(std::uint32_t first, std::uint32_t second) {
        const Access &a = accesses_[first], &b = accesses_[second];
        const bool atomic = a.atomic && b.atomic && a.bytes == b.bytes;
        if (a.array == b.array && (a.writes || b.writes) && !atomic)
            pairs_.emplace_back(first, second);
    }

    // Any value of that type.
    Value fresh(const lang::Type& type) {
        if (!is_number(type)) return {};
        return {t_.symbol(Scope::item, width_of(type)), nullptr};
    }

    struct Location {
        const lang::Variable* variable = nullptr;  // that is followed
        const Array* array = nullptr;              // else; null: private memory
        const Term* address = nullptr;
        std::uint64_t bytes = 0;
    };
    const Term* distance(std::uint64_t bytes) { return t_.value(kPointerBits, bytes); }

    Location location(const E& expr, State& s) {
        switch (expr.kind) {
            case Kind::variable: {
                const lang::Variable& variable = *expr.variable;
                for (const E* each : expr.operands)  // of a literal in braces
                    eval(*each, s);
                if (is_followed(variable)) return {&variable};
                if (variable.space == Space::private_) return {};
                return {nullptr, array_of(variable), distance(0), expr.type->bytes};
            }
            case Kind::dereference: {
                const Value pointer = eval(*expr.operands[0], s);
                if (!is_known(pointer, *expr.operands[0]->type, expr.place)) return {};
                return {nullptr, pointer.array, pointer.term, expr.type->bytes};
            }
            case Kind::member: {
                Location of = location(*expr.operands[0], s);
                of.variable = nullptr;
                of.bytes = expr.type->bytes;
                if (of.array != nullptr)
                    of.address = t_.add(
                        of.address, distance(expr.operands[0]->type->members[expr.index].offset));
                return of;
            }
            case Kind::swizzle: {
                Location of = location(*expr.operands[0], s);
                of.variable = nullptr;
                if (expr.operands[0]->kind == Kind::swizzle) return of;
                const auto [least, most] =
                    std::minmax_element(expr.lanes.begin(), expr.lanes.end());
                const std::uint64_t bytes = lang::info(expr.type->scalar).bytes;
                of.bytes = (*most - *least + 1U) * bytes;
                if (of.array != nullptr) of.address = t_.add(of.address, distance(*least * bytes));
                return of;
            }
            default:
                eval(expr, s);
                return {};
        }
    }
    void touch(const Location& at, State& s, bool writes, const Place& place) {
        if (at.array != nullptr) record(s, *at.array, at.address, at.bytes, writes, false, place);
    }
    Value load(const Location& at, State& s, const E& expr) {
        if (at.variable != nullptr) {
            const auto found = s.env.find(key_of(at.variable));
            if (found != s.env.end()) return found->second;
            return s.env[key_of(at.variable)] = fresh(*at.variable->type);
        }
        touch(at, s, false, expr.place);
        const lang::Type& type = *expr.type;
        // Who wrote it, such as the host to a variable of the program, need not be in the text.
        if (at.array != nullptr && type.is_pointer()) out_of_reach(expr.place, kUnknownPointer);
        const Value any = fresh(type);
        // What nobody writes is the same for all who read it.
        if (any.term == nullptr || at.array == nullptr || at.array->space == Space::local ||
            at.array->space == Space::private_ || written_.contains(at.array))
            return any;
        trusted_.insert(at.array);
        return {t_.apply(fmt::format("{} of {} {}", type.bytes, key_of(at.array), at.array->name),
                         width_of(type), {at.address}),
                nullptr};
    }
    void store(const Location& at, State& s, const Value& value, const E& expr) {
        if (at.variable != nullptr)
            s.env[key_of(at.variable)] = value;
        else
            touch(at, s, true, expr.place);
    }

    // Expressions.

    Value truth_value(const Term* condition, const lang::Type& type) {
        if (!type.is_scalar()) return {};
        const std::uint8_t width = width_of(type);
        return {t_.choose(condition, t_.value(width, 1), t_.value(width, 0)), nullptr};
    }
    const Term* number(const E& expr, State& s) {
        const Value value = eval(expr, s);
        if (value.term != nullptr && value.array == nullptr) return value.term;
        return t_.symbol(Scope::item, width_of(*expr.type));
    }
    const Term* truth(const E& expr, State& s) {
        const Value value = eval(expr, s);
        if (value.term == nullptr || value.array != nullptr) return t_.symbol(Scope::item, 0);
        return t_.negation(t_.equal(value.term, t_.value(value.term->width, 0)));
    }

    // The share of a group is one thing, however a text works it out.
    const Term* product(const Term* a, const Term* b) {
        const std::uint8_t width = a->width;
        std::vector<const Term*> factors;
        const std::function<void(const Term*)> split = [&](const Term* term) {
            if (term->op == Op::multiply)
                for (const Term* each : term->parts)
                    split(each);
            else
                factors.push_back(term);
        };
        split(a);
        split(b);
        const auto is = [](const Term* factor, const Term* what) {
            return factor == what || (factor->op == Op::zero_extend && factor->parts[0] == what);
        };
        for (std::uint32_t d = 0; d < model_.dims; ++d)
            for (const auto& [by, all] : {std::pair{model_.group_id[d], model_.base[d]},
                                          std::pair{model_.num_groups[d], model_.global_size[d]}}) {
                const auto size = std::find_if(factors.begin(), factors.end(), [&](const Term* f) {
                    return is(f, model_.local_size[d]);
                });
                const auto group = std::find_if(factors.begin(), factors.end(),
                                                [&, &by = by](const Term* f) { return is(f, by); });
                if (by->is_value() || size == factors.end() || group == factors.end()) continue;
                *group = t_.resized(all, width, false);
                factors.erase(size);
            }
        const Term* result = factors[0];
        for (std::size_t i = 1; i < factors.size(); ++i)
            result = t_.multiply(result, factors[i]);
        return result;
    }

    Value arithmetic(lang::Operator how, const Term* a, const Term* b, const lang::Type& type) {
        using lang::Operator;
        const bool with_sign = is_signed(type);
        const auto count = [&] {
            const Term* same = t_.resized(b, a->width, false);
            return t_.bits(Op::bits_and, same, t_.value(a->width, a->width - 1U));
        };
        if (how != Operator::shl && how != Operator::shr && a->width != b->width)
            return fresh(type);
        switch (how) {
            case Operator::add:
                return {t_.add(a, b), nullptr};
            case Operator::sub:
                return {t_.subtract(a, b), nullptr};
            case Operator::mul:
                return {product(a, b), nullptr};
            case Operator::div:
                return {t_.divide(a, b, with_sign), nullptr};
            case Operator::rem:
                return {t_.remainder(a, b, with_sign), nullptr};
            case Operator::shl:
                return {t_.shift_left(a, count()), nullptr};
            case Operator::shr:
                return {t_.shift_right(a, count(), with_sign), nullptr};
            case Operator::and_:
                return {t_.bits(Op::bits_and, a, b), nullptr};
            case Operator::or_:
                return {t_.bits(Op::bits_or, a, b), nullptr};
            case Operator::xor_:
                return {t_.bits(Op::bits_xor, a, b), nullptr};
            default:
                return fresh(type);
        }
    }
    Value compare(const E& expr, const Term* a, const Term* b) {
        using lang::Operator;
        const bool with_sign = is_signed(*expr.operands[0]->type);
        const Operator how = expr.operator_;
        if (how == Operator::gt || how == Operator::ge) std::swap(a, b);
        const Term* holds = nullptr;
        if (how == Operator::eq || how == Operator::ne)
            holds = t_.equal(a, b);
        else if (how == Operator::lt || how == Operator::gt)
            holds = t_.less(a, b, with_sign);
        else
            holds = t_.at_most(a, b, with_sign);
        return truth_value(how == Operator::ne ? t_.negation(holds) : holds, *expr.type);
    }
    Value binary(const E& expr, State& s) {
        const E &left = *expr.operands[0], &right = *expr.operands[1];
        const Value a = eval(left, s), b = eval(right, s);
        if (a.term == nullptr || b.term == nullptr || a.array != nullptr || b.array != nullptr)
            return fresh(*expr.type);
        if (expr.operator_ >= lang::Operator::eq && expr.operator_ <= lang::Operator::ge)
            return a.term->width == b.term->width ? compare(expr, a.term, b.term)
                                                  : fresh(*expr.type);
        return arithmetic(expr.operator_, a.term, b.term, *expr.type);
    }

    Value moved(const Value& pointer, const lang::Type& type, const Term* by,
                const lang::Type& of_by, bool minus) {
        if (pointer.array == nullptr) return {};
        const Term* bytes = t_.multiply(t_.resized(by, kPointerBits, is_signed(of_by)),
                                        distance(type.element->bytes));
        return {minus ? t_.subtract(pointer.term, bytes) : t_.add(pointer.term, bytes),
                pointer.array};
    }

    // lvalue = lvalue operator_ value
    Value update(const E& expr, State& s) {
        const E& to = *expr.operands[0];
        const bool step = expr.kind == Kind::increment;
        const bool minus = step ? expr.minus : expr.operator_ == lang::Operator::sub;
        const Value value = step ? Value() : eval(*expr.operands[1], s);
        const Location at = location(to, s);
        const Value before = load(at, s, to);
        Value after = fresh(*to.type);
        const lang::Type& one = *to.type;
        if (to.type->is_pointer()) {
            const Term* by = step ? distance(1) : value.term;
            const lang::Type& of_by = step ? one : *expr.operands[1]->type;
            if (by != nullptr) after = moved(before, *to.type, by, of_by, minus);
        } else if (before.term != nullptr && step) {
            after = arithmetic(minus ? lang::Operator::sub : lang::Operator::add, before.term,
                               t_.value(before.term->width, 1), one);
            if (one.scalar == lang::Scalar::bool_) after = fresh(one);
        } else if (before.term != nullptr && value.term != nullptr &&
                   !expr.compute->is_floating() && expr.compute->is_scalar()) {
            const Term* a = converted(before.term, *to.type, *expr.compute);
            const Value result = arithmetic(expr.operator_, a, value.term, *expr.compute);
            if (result.term != nullptr)
                after = {converted(result.term, *expr.compute, one), nullptr};
        }
        store(at, s, after, to);
        return step && !expr.prefix ? before : after;
    }

    const Term* converted(const Term* term, const lang::Type& from, const lang::Type& to) {
        if (to.scalar == lang::Scalar::bool_ && from.scalar != lang::Scalar::bool_)
            return truth_value(t_.negation(t_.equal(term, t_.value(term->width, 0))), to).term;
        return t_.resized(term, width_of(to), is_signed(from));
    }

    Value eval(const E& expr, State& s) {
        const auto operand = [&](std::size_t i) -> const E& { return *expr.operands[i]; };
        switch (expr.kind) {
            case Kind::constant:
                if (!is_number(*expr.type)) return {};
                return {t_.value(width_of(*expr.type), expr.bits), nullptr};
            case Kind::variable:
            case Kind::dereference:
            case Kind::member:
                return load(location(expr, s), s, expr);
            case Kind::swizzle:
                if (expr.lvalue) return load(location(expr, s), s, expr);
                eval(operand(0), s);
                return fresh(*expr.type);
            case Kind::unary: {
                const Value a = eval(operand(0), s);
                if (a.term == nullptr || a.array != nullptr) return fresh(*expr.type);
                const Term* zero = t_.value(a.term->width, 0);
                if (expr.operator_ == lang::Operator::not_)
                    return truth_value(t_.equal(a.term, zero), *expr.type);
                if (expr.operator_ == lang::Operator::negate)
                    return {t_.subtract(zero, a.term), nullptr};
                return {t_.bits(Op::bits_xor, a.term, t_.value(a.term->width, ~std::uint64_t{0})),
                        nullptr};
            }
            case Kind::binary:
                return binary(expr, s);
            case Kind::logical_and:
            case Kind::logical_or: {
                const bool is_and = expr.kind == Kind::logical_and;
                const Term* a = truth(operand(0), s);
                const Term* b = t_.truth(!is_and);
                branch(
                    s, is_and ? a : t_.negation(a),
                    [&](State& inner) { b = truth(operand(1), inner); }, [](State&) {});
                return truth_value(is_and ? t_.both(a, b) : t_.either(a, b), *expr.type);
            }
            case Kind::conditional: {
                const Term* condition = truth(operand(0), s);
                Value a, b;
                branch(
                    s, condition, [&](State& inner) { a = eval(operand(1), inner); },
                    [&](State& inner) { b = eval(operand(2), inner); });
                if (condition->is_value()) return condition->is(1) ? a : b;
                const Value either = chosen(condition, a, b);
                return either.term == nullptr ? fresh(*expr.type) : either;
            }
            case Kind::assign: {
                const Value value = eval(operand(1), s);
                const Location at = location(operand(0), s);
                store(at, s, value, operand(0));
                return value;
            }
            case Kind::compound:
            case Kind::increment:
                return update(expr, s);
            case Kind::address:
            case Kind::decay: {
                const Location at = location(operand(0), s);
                return {at.address, at.array};
            }
            case Kind::offset: {
                const Value pointer = eval(operand(0), s);
                const Term* by = number(operand(1), s);
                return moved(pointer, *expr.type, by, *operand(1).type, expr.minus);
            }
            case Kind::convert: {
                const Value value = eval(operand(0), s);
                const lang::Type& from = *operand(0).type;
                if (expr.type->is_pointer()) return from.is_pointer() ? value : Value();
                if (value.term == nullptr || value.array != nullptr || !is_number(*expr.type) ||
                    expr.saturate)
                    return fresh(*expr.type);
                return {converted(value.term, from, *expr.type), nullptr};
            }
            case Kind::call:
                return call(expr, s);
            case Kind::builtin:
                return builtin(expr, s);
            case Kind::comma: {
                Value last;
                for (const E* each : expr.operands)
                    last = eval(*each, s);
                return last;
            }
            case Kind::statements:
                out_of_reach(expr.place, "a statement within an expression");
            default:
                for (const E* each : expr.operands)
                    eval(*each, s);
                return fresh(*expr.type);
        }
    }

    Value call(const E& expr, State& s) {
        const lang::FunctionDefinition& function = *expr.function;
        if (function.body == nullptr) out_of_reach(expr.place, "a function without a body");
        std::vector<Value> given;
        for (const E* each : expr.operands)
            given.push_back(eval(*each, s));
        for (std::size_t i = 0; i < function.parameters.size(); ++i)
            if (is_followed(*function.parameters[i]))
                s.env[key_of(function.parameters[i])] = given[i];
        frames_.emplace_back();
        exec(*function.body, s);
        State result = s;
        Value value = {};
        for (auto& [state, returned] : frames_.back().returns) {
            value = is_dead(result) ? returned : chosen(state.guard, returned, value);
            result = merged(state.guard, std::move(state), std::move(result));
        }
        frames_.pop_back();
        s = std::move(result);
        return value.term == nullptr ? fresh(*expr.type) : value;
    }

    Value id(const std::array<const Term*, 3>& of, const E& expr, State& s, std::uint64_t beyond) {
        // One id for all dimensions has no operand.
        const bool linear = expr.operands.empty();
        const Term* d = linear ? t_.value(32, 0) : number(*expr.operands[0], s);
        if (!d->is_value() || (linear && model_.dims > 1)) return fresh(*expr.type);
        const std::uint8_t width = width_of(*expr.type);
        if (d->value >= model_.dims) return {t_.value(width, beyond), nullptr};
        return {t_.resized(of[d->value], width, false), nullptr};
    }

    void barrier(const E& expr, State& s) {
        ++barriers_;
        require_uniform(s.guard, expr.place);
        if (expr.known.scope > lang::MemoryScope::device)
            out_of_reach(expr.place, "a barrier of less than a group");
        const Term* flags = number(*expr.operands[0], s);
        if (!flags->is_value())
            out_of_reach(expr.place, "flags of a barrier that are not constant");
        if (orders(flags->value)) {
            s.live.clear();
            s.entry = false;
            s.muted = s.muted || s.mutes;
        }
    }
    bool orders(std::uint64_t flags) const {
        return (mode_ == Mode::local && (flags & lang::kFenceLocal) != 0) ||
               (mode_ == Mode::global && (flags & lang::kFenceGlobal) != 0);
    }

    // False for private memory.
    static bool is_known(const Value& pointer, const lang::Type& type, const Place& place) {
        if (pointer.array == nullptr && type.space != Space::private_)
            out_of_reach(place, kUnknownPointer);
        return pointer.array != nullptr;
    }
    void write_through(const Value& to, const E& pointer, State& s) {
        if (is_known(to, *pointer.type, pointer.place))
            record(s, *to.array, to.term, pointer.type->element->bytes, true, false, pointer.place);
    }

    Value atomic(const E& expr, State& s) {
        const lang::Type& pointer = *expr.operands[0]->type;
        if (!pointer.is_pointer()) out_of_reach(expr.place, "an atomic of this kind");
        const Value to = eval(*expr.operands[0], s);
        for (std::size_t i = 1; i < expr.operands.size(); ++i) {
            const Value value = eval(*expr.operands[i], s);
            if (expr.operands[i]->type->is_pointer()) write_through(value, *expr.operands[i], s);
        }
        if (!is_known(to, pointer, expr.place)) return fresh(*expr.type);
        using lang::MemoryScope;
        const bool wide = expr.known.scope == MemoryScope::device ||
                          (expr.known.scope == MemoryScope::group && mode_ != Mode::across);
        record(s, *to.array, to.term, pointer.element->bytes,
               expr.known.builtin != Builtin::atomic_load,
               wide && expr.known.builtin != Builtin::atomic_init, expr.place);
        return fresh(*expr.type);
    }

    Value builtin(const E& expr, State& s) {
        const Builtin what = expr.known.builtin;
        switch (what) {
            case Builtin::work_dim:
                return {t_.value(width_of(*expr.type), model_.dims), nullptr};
            case Builtin::global_size:
                return id(model_.global_size, expr, s, 1);
            case Builtin::local_size:
                return id(model_.local_size, expr, s, 1);
            case Builtin::num_groups:
                return id(model_.num_groups, expr, s, 1);
            case Builtin::local_id:
                return id(model_.local_id, expr, s, 0);
            case Builtin::group_id:
                return id(model_.group_id, expr, s, 0);
            case Builtin::global_id: {
                std::array<const Term*, 3> ids{};
                for (std::uint32_t d = 0; d < model_.dims; ++d)
                    ids[d] = t_.add(model_.base[d], model_.local_id[d]);
                return id(ids, expr, s, 0);
            }
            case Builtin::barrier:
                barrier(expr, s);
                return {};
            case Builtin::min:
            case Builtin::max: {
                const Value a = eval(*expr.operands[0], s), b = eval(*expr.operands[1], s);
                if (a.term == nullptr || b.term == nullptr || a.term->width != b.term->width ||
                    !expr.type->is_scalar())
                    return fresh(*expr.type);
                const Term* less = t_.less(a.term, b.term, is_signed(*expr.type));
                return {what == Builtin::min ? t_.choose(less, a.term, b.term)
                                             : t_.choose(less, b.term, a.term),
                        nullptr};
            }
            case Builtin::grid_barrier:
                out_of_reach(expr.place, "a barrier of the grid");
            case Builtin::async_copy:
            case Builtin::async_strided_copy:
            case Builtin::wait_events:
                out_of_reach(expr.place, "an asynchronous copy");
            default:
                break;
        }
        if ((what >= Builtin::sub_group_size && what <= Builtin::sub_group_local_id) ||
            what == Builtin::sub_group_barrier ||
            (what >= Builtin::reduce && what <= Builtin::lt_mask && !is_group_collective(expr)))
            out_of_reach(expr.place, "a function of sub-groups");
        if ((what >= Builtin::atomic_add && what <= Builtin::atomic_wrap_dec) ||
            (what >= Builtin::atomic_init && what <= Builtin::atomic_compare_exchange))
            return atomic(expr, s);
        if (is_group_collective(expr)) {
            ++barriers_;
            require_uniform(s.guard, expr.place);
        }
        std::vector<Value> given;
        for (const E* each : expr.operands)
            given.push_back(eval(*each, s));
        if (what == Builtin::vload || what == Builtin::vstore || what == Builtin::vload_half ||
            what == Builtin::vstore_half) {
            const bool writes = what == Builtin::vstore || what == Builtin::vstore_half;
            const E& pointer = *expr.operands.back();
            const std::size_t index = expr.operands.size() - 2;
            const Value to = given.back();
            if (is_known(to, *pointer.type, expr.place)) {
                if (given[index].term == nullptr) out_of_reach(expr.place, "an index of this kind");
                const std::uint64_t each =
                    std::max<std::uint64_t>(expr.known.number, 1) * pointer.type->element->bytes;
                if (expr.known.aligned) out_of_reach(expr.place, "vectors of halves");
                const Term* at = t_.multiply(t_.resized(given[index].term, kPointerBits,
                                                        is_signed(*expr.operands[index]->type)),
                                             distance(each));
                record(s, *to.array, t_.add(to.term, at), each, writes, false, expr.place);
            }
            return fresh(*expr.type);
        }
        for (std::size_t i = 0; i < given.size() && what != Builtin::print; ++i)
            if (expr.operands[i]->type->is_pointer() && what != Builtin::prefetch)
                write_through(given[i], *expr.operands[i], s);
        return fresh(*expr.type);
    }

    // Statements.

    void exec(const S& statement, State& s) {
        if (is_dead(s)) return;
        switch (statement.kind) {
            case S::Kind::empty:
                return;
            case S::Kind::block:
                for (const S* each : statement.statements)
                    if (!is_dead(s)) exec(*each, s);
                return;
            case S::Kind::declare:
                declare(*statement.variable, s);
                return;
            case S::Kind::expression:
                eval(*statement.condition, s);
                return;
            case S::Kind::if_: {
                const Term* condition = truth(*statement.condition, s);
                branch(
                    s, condition, [&](State& inner) { exec(*statement.statements[0], inner); },
                    [&](State& inner) {
                        if (statement.statements.size() > 1) exec(*statement.statements[1], inner);
                    });
                return;
            }
            case S::Kind::loop:
            case S::Kind::do_: {
                if (statement.initial != nullptr) exec(*statement.initial, s);
                const std::size_t returned = frames_.back().returns.size();
                loop(statement, s);
                join_returned(s, returned);
                return;
            }
            case S::Kind::break_:
                loops_.back().breaks.push_back(s);
                s.guard = t_.truth(false);
                return;
            case S::Kind::continue_:
                loops_.back().continues.push_back(s);
                s.guard = t_.truth(false);
                return;
            case S::Kind::return_: {
                Value value;
                if (statement.condition != nullptr) value = eval(*statement.condition, s);
                frames_.back().returns.emplace_back(s, value);
                s.guard = t_.truth(false);
                return;
            }
            case S::Kind::switch_:
                out_of_reach(statement.place, "a switch");
        }
    }
    void declare(const lang::Variable& variable, State& s) {
        Value value;
        if (variable.initial != nullptr) value = eval(*variable.initial, s);
        if (!is_followed(variable)) return;
        s.env.erase(key_of(&variable));
        if (variable.initial != nullptr && variable.initial->kind != Kind::initializer)
            s.env[key_of(&variable)] = value;
    }

    // Loops.

    bool has_barrier(const S& loop) {
        bool found = false;
        Visitor visitor([&](const E& expr) {
            if (expr.kind != Kind::builtin) return;
            if (mode_ == Mode::converge && is_group_collective(expr)) found = true;
            if (expr.known.builtin != Builtin::barrier) return;
            const E& flags = *expr.operands[0];
            found = found || mode_ == Mode::converge || flags.kind != Kind::constant ||
                    orders(flags.bits);
        });
        visitor.in(&loop);
        return found && mode_ != Mode::across;
    }

    const Term* condition(const S& loop, State& s) {
        return loop.condition == nullptr ? t_.truth(true) : truth(*loop.condition, s);
    }
    // One turn; what leaves the loop meanwhile goes to `exits`.
    State turn(const S& loop, State s, std::vector<State>& exits) {
        const std::size_t depth = loops_.size();
        loops_.emplace_back();
        exec(*loop.statements[0], s);
        for (State& each : loops_[depth].continues)
            s = merged(each.guard, each, std::move(s));
        std::move(loops_[depth].breaks.begin(), loops_[depth].breaks.end(),
                  std::back_inserter(exits));
        loops_.pop_back();
        if (loop.step != nullptr && !is_dead(s)) eval(*loop.step, s);
        return s;
    }
    State joined(std::vector<State>& states) {
        State s = std::move(states[0]);
        for (std::size_t i = 1; i < states.size(); ++i)
            s = merged(states[i].guard, std::move(states[i]), std::move(s));
        return s;
    }

    // A loop whose turns are counted by constants, turn by turn. False if it is none, or is long.
    bool unroll(const S& loop, State& s) {
        // Turns of a loop that is unrolled; of a longer one a guess is proved.
        constexpr int kMostTurns = 20;
        constexpr std::uint64_t kAllTurns = 300;
        const auto accesses = accesses_.size(), pairs = pairs_.size(), facts = facts_.size();
        const std::size_t returns = frames_.back().returns.size();
        std::vector<State> exits;
        State at = s;
        for (int i = 0; i <= kMostTurns && unrolled_ < kAllTurns; ++i) {
            if (i > 0 || loop.kind == S::Kind::loop) {
                const Term* goes_on = condition(loop, at);
                if (!goes_on->is_value()) break;
                if (goes_on->is(0)) {
                    exits.push_back(at);
                    s = joined(exits);
                    return true;
                }
            }
            ++unrolled_;
            const std::size_t left = exits.size(), before = frames_.back().returns.size();
            at = turn(loop, at, exits);
            join_returned(at, before);
            join_left(at, exits, left);
            if (is_dead(at)) {
                exits.push_back(at);
                s = joined(exits);
                return true;
            }
        }
        accesses_.resize(accesses);
        pairs_.resize(pairs);
        facts_.resize(facts);
        frames_.back().returns.resize(returns);
        return false;
    }

    // What may be known at the start of a turn of all that the loop changes.
    Guess first_guess(const S& loop, State& s, bool aligned) {
        Changes changes;
        Visitor visitor([&](const E& expr) {
            if (expr.kind == Kind::assign || expr.kind == Kind::compound ||
                expr.kind == Kind::increment) {
                const E& to = *expr.operands[0];
                if (to.kind == Kind::variable && is_followed(*to.variable))
                    changes[key_of(to.variable)].push_back(&expr);
            }
        });
        visitor.in(loop.condition);
        visitor.in(loop.step);
        visitor.in(loop.statements[0]);
        Guess guess;
        for (const auto& [key, how] : changes) {
            const lang::Variable* variable = how[0]->operands[0]->variable;
            if (contains(visitor.declared, variable) || !s.env.contains(key)) continue;
            Changed changed{.variable = variable, .first = s.env[key], .uniform = aligned};
            if (changed.first.term == nullptr) continue;
            changed.power = !variable->type->is_pointer() && lab::all_of(how, [](const E* each) {
                using lang::Operator;
                return each->kind == Kind::assign ||
                       (each->kind == Kind::compound &&
                        (each->operator_ == Operator::mul || each->operator_ == Operator::div ||
                         each->operator_ == Operator::shl || each->operator_ == Operator::shr));
            });
            changed.step = step_of(*variable, how, changes, visitor.declared, s);
            guess.push_back(changed);
        }
        return guess;
    }
    // The step of a variable that is only ever counted on by one constant, or by one power of two
    // that the loop does not change.
    const Term* step_of(const lang::Variable& variable, const std::vector<const E*>& how,
                        const Changes& changes, const std::vector<const lang::Variable*>& declared,
                        State& s) {
        using lang::Operator;
        if (variable.type->scalar == lang::Scalar::bool_) return nullptr;  // 1 and 1 are 1
        const std::uint8_t width = width_of(*variable.type);
        const std::uint64_t unit = variable.type->is_pointer() ? variable.type->element->bytes : 1;
        const Term* step = nullptr;
        for (const E* each : how) {
            const Term* by = nullptr;
            if (each->kind == Kind::increment) {
                by = t_.value(width, unit);
            } else if (each->kind == Kind::compound &&
                       (each->operator_ == Operator::add || each->operator_ == Operator::sub)) {
                bool fixed = true;
                Visitor visitor([&](const E& expr) {
                    const bool known = expr.kind == Kind::variable && is_followed(*expr.variable) &&
                                       !changes.contains(key_of(expr.variable)) &&
                                       !contains(declared, expr.variable) &&
                                       s.env.contains(key_of(expr.variable));
                    fixed = fixed &&
                            (known || expr.kind == Kind::constant || expr.kind == Kind::unary ||
                             expr.kind == Kind::binary || expr.kind == Kind::convert ||
                             (expr.kind == Kind::builtin &&
                              (expr.known.builtin == Builtin::local_size ||
                               expr.known.builtin == Builtin::global_size ||
                               expr.known.builtin == Builtin::num_groups)));
                });
                visitor.in(each->operands[1]);
                if (!fixed) return nullptr;
                const Term* value = eval(*each->operands[1], s).term;
                if (value == nullptr) return nullptr;
                by = t_.multiply(t_.resized(value, width, is_signed(*each->operands[1]->type)),
                                 t_.value(width, unit));
            }
            // A product of two unknown numbers is too much for the solver.
            const bool simple = by != nullptr && (by->is_value() || by->op == Op::shift_left);
            if (!simple || (step != nullptr && step != by)) return nullptr;
            step = by;
        }
        return step;
    }

    // The state at the start of any turn, of which the guess holds.
    State head_of(const State& entry, Guess& guess, const Term* runs) {
        State head = entry;
        head.guard = t_.both(entry.guard, runs);
        for (Changed& each : guess) {
            const Term* first = each.first.term;
            const Scope scope = each.uniform ? Scope::group : Scope::item;
            const bool shared = each.uniform && first->scope < Scope::item;
            if (each.power)
                each.now = t_.any_power(shared ? Scope::group : Scope::item, first->width);
            else if (each.step != nullptr)
                // Turns that count alike are as many only where the steps are the same.
                each.now = t_.add(
                    first,
                    t_.multiply(t_.symbol(each.step->scope < Scope::item ? scope : Scope::item,
                                          first->width),
                                each.step));
            else if (each.uniform && !shared)
                each.now = t_.add(first, t_.symbol(scope, first->width));
            else
                each.now = t_.symbol(scope, first->width);
            head.env[key_of(each.variable)] = {each.now, each.first.array};
        }
        return head;
    }
    // What is guessed of one work-item alone, in a state at the start of a turn.
    const Term* bound(const Changed& each, const Term* now, bool upper) {
        const bool with_sign = is_signed(*each.variable->type);
        return upper ? t_.at_most(now, each.first.term, with_sign)
                     : t_.at_most(each.first.term, now, with_sign);
    }
    void assume(const Guess& guess, const Term* guard) {
        const auto fact = [&](const Term* what) {
            facts_.push_back(t_.either(t_.negation(guard), what));
        };
        for (const Changed& each : guess) {
            if (each.at_most) fact(bound(each, each.now, true));
            if (each.at_least) fact(bound(each, each.now, false));
        }
    }

    struct Claim {
        bool* flag;
        std::string wrong;   // names a formula
        bool never = false;  // it is wrong in any case
    };
    // All that is guessed, of a state in which a turn begins.
    std::vector<Claim> claims(Guess& guess, const State& s, Question& q, bool with_other) {
        std::vector<Claim> all;
        const auto value = [&](const Changed& each) {
            const auto found = s.env.find(key_of(each.variable));
            const Value now = found == s.env.end() ? Value() : found->second;
            if (now.array != each.first.array || now.term == nullptr)
                out_of_reach(each.variable->place,
                             "a pointer, or a number, that a loop takes elsewhere");
            return now.term;
        };
        const auto add = [&](bool& flag, const Term* right) {
            if (flag && !right->is(1))
                all.push_back(
                    {&flag, q.define(fmt::format("(not {})", q.name(right, 0))), right->is(0)});
        };
        for (Changed& each : guess) {
            const Term* now = value(each);
            const Term* zero = t_.value(now->width, 0);
            const Term* less = t_.add(now, t_.value(now->width, ~std::uint64_t{0}));
            add(each.power, t_.both(t_.negation(t_.equal(now, zero)),
                                    t_.equal(t_.bits(Op::bits_and, now, less), zero)));
            add(each.at_most, bound(each, now, true));
            add(each.at_least, bound(each, now, false));
            const Term* grown = t_.subtract(now, each.first.term);
            if (each.uniform && with_other && grown->scope == Scope::item)
                all.push_back(
                    {&each.uniform,
                     q.define(fmt::format("(not (= {} {}))", q.name(grown, 0), q.name(grown, 1))),
                     false});
        }
        return all;
    }
    // Takes back what does not hold in such a state; true if all did.
    bool weaken(Guess& guess, const State& s, const Term* guard, bool with_other) {
        if (guard->is(0)) return true;
        // All that is guessed that is wrong, or whether one of it is.
        const auto wrong = [&](Question& q, const bool* one) {
            q.require(q.name(guard, 0));
            if (with_other) q.require(q.name(guard, 1));
            Asked all;
            for (const Claim& each : claims(guess, s, q, with_other))
                if (one == nullptr || each.flag == one) all.push_back(each.wrong);
            q.require(formula::any_of(all));
            return all;
        };
        Question names(true);
        const std::vector<Claim> all = claims(guess, s, names, with_other);
        const auto holds_never = [](const Claim& each) { return each.never; };
        if (lab::any_of(all, holds_never)) {
            for (const Claim& each : all)
                if (each.never) *each.flag = false;
            return false;
        }
        if (all.empty()) return true;
        const std::uint64_t effort = options_.effort / 4;
        const Answer answer = answer_to([&](Question& q) { return wrong(q, nullptr); }, effort);
        for (std::size_t i = 0; answer.how != Answer::How::unmet && i < all.size(); ++i) {
            bool* const flag = all[i].flag;
            *flag = answer.how == Answer::How::met
                        ? !answer.values[i]
                        : answer_to([&](Question& q) { return wrong(q, flag); }, effort).how ==
                              Answer::How::unmet;
        }
        return answer.how == Answer::How::unmet;
    }
    // Houdini (Flanagan, Leino 2001): guesses all, and takes back what a turn does not keep.
    void infer(const S& loop, const State& start, Guess& guess, bool aligned, const Term* runs) {
        if (guess.empty()) return;
        ++silent_;
        while (!weaken(guess, start, start.guard, false))
            continue;
        for (;;) {
            const std::size_t facts = facts_.size(), returns = frames_.back().returns.size();
            std::vector<State> exits;
            const State end = any_turn(loop, start, guess, runs, exits);
            State next = end;
            const Term* goes_on = condition(loop, next);
            // Where the next turn begins: after the condition only if it stands at the end.
            const bool kept = weaken(guess, loop.kind == S::Kind::do_ ? next : end,
                                     t_.both(end.guard, goes_on), aligned);
            facts_.resize(facts);
            frames_.back().returns.resize(returns);
            if (kept) break;
        }
        --silent_;
    }
    // A turn that begins in any state of which the guess holds. Leaves facts.
    State any_turn(const S& loop, const State& start, Guess& guess, const Term* runs,
                   std::vector<State>& exits) {
        State head = head_of(start, guess, runs);
        if (loop.kind == S::Kind::loop) {
            const Term* goes_on = condition(loop, head);
            head.guard = t_.both(head.guard, goes_on);
        }
        assume(guess, head.guard);
        return turn(loop, std::move(head), exits);
    }
    // A turn before, or after, the one that is looked at: until its first barrier.
    void neighbour(const S& loop, State s, const State& around, std::vector<State>& exits) {
        const std::size_t left = exits.size(), returns = frames_.back().returns.size();
        s.mutes = true;
        turn(loop, std::move(s), exits);
        const auto heard = [&](State& state) {
            state.mutes = around.mutes;
            state.muted = around.muted;
        };
        for (std::size_t i = left; i < exits.size(); ++i)
            heard(exits[i]);
        for (std::size_t i = returns; i < frames_.back().returns.size(); ++i)
            heard(frames_.back().returns[i].first);
    }

    void loop(const S& loop, State& s) {
        if (unroll(loop, s)) return;
        if (s.muted) {
            // What it may leave behind, whose accesses are met elsewhere.
            for (const Changed& each : first_guess(loop, s, false))
                s.env[key_of(each.variable)] = {t_.symbol(Scope::item, each.first.term->width),
                                                each.first.array};
            return;
        }
        State start = s;  // before the condition
        const Term* starts = loop.kind == S::Kind::loop ? condition(loop, s) : t_.truth(true);
        const State around = s;
        State entry = s;
        entry.guard = t_.both(s.guard, starts);
        std::vector<State> exits{s};
        exits[0].guard = t_.both(s.guard, t_.negation(starts));
        if (is_dead(entry)) {
            s = std::move(exits[0]);
            return;
        }
        start.guard = entry.guard;
        start.live = entry.live;
        const bool aligned = has_barrier(loop);
        Guess guess = first_guess(loop, start, aligned);
        const Term* runs = t_.symbol(aligned ? Scope::group : Scope::item, 0);
        infer(loop, start, guess, aligned, runs);
        if (aligned)
            in_step(loop, std::move(start), std::move(entry), guess, runs, around, exits);
        else
            apart(loop, std::move(start), guess, runs, exits);
        s = joined(exits);
    }
    // A loop whose turns all work-items of a group begin together: a turn meets itself, and its
    // neighbours as far as no barrier is between them.
    void in_step(const S& loop, State start, State entry, Guess& guess, const Term* runs,
                 const State& around, std::vector<State>& exits) {
        const bool races = mode_ != Mode::converge;
        if (races) neighbour(loop, std::move(entry), around, exits);  // the first one
        start.live.clear();
        start.entry = true;
        State end = any_turn(loop, start, guess, runs, exits);
        if (races && end.entry && !is_dead(end))
            out_of_reach(loop.place, "a loop of which not every turn meets a barrier");
        end.entry = around.entry;
        require_uniform(end.guard, loop.place);
        const Term* guard = end.guard;
        const Term* goes_on = condition(loop, end);
        require_uniform(t_.both(guard, goes_on), loop.place);
        if (races) {
            State next = end;
            next.guard = t_.both(guard, goes_on);
            neighbour(loop, std::move(next), around, exits);
        }
        end.guard = t_.both(guard, t_.negation(goes_on));
        exits.push_back(std::move(end));
        for (State& each : exits)
            each.entry = around.entry && each.entry;
    }
    // A loop in which each work-item goes on for itself: any turn meets any other.
    void apart(const S& loop, State start, Guess& guess, const Term* runs,
               std::vector<State>& exits) {
        std::vector<std::pair<State, Value>>& returns = frames_.back().returns;
        const std::size_t returned = returns.size();
        std::vector<State> left;
        State any = any_turn(loop, start, guess, runs, left);
        condition(loop, any);
        for (const State& each : left)
            join_live(any, each);
        for (std::size_t i = returned; i < returns.size(); ++i)
            join_live(any, returns[i].first);
        returns.resize(returned);
        // What follows comes after the last turn, whose symbols are its own.
        left.clear();
        ++silent_;
        State last = any_turn(loop, start, guess, t_.truth(true), left);
        last.guard = t_.both(last.guard, t_.negation(condition(loop, last)));
        --silent_;
        left.push_back(std::move(last));
        const Term* ends = t_.truth(false);
        for (State& each : left) {
            join_live(each, any);
            ends = t_.either(ends, each.guard);
            exits.push_back(std::move(each));
        }
        for (std::size_t i = returned; i < returns.size(); ++i) {
            join_live(returns[i].first, any);
            ends = t_.either(ends, returns[i].first.guard);
        }
        // Who never leaves it meets no barrier, and nobody passes one without it.
        if (mode_ == Mode::converge) facts_.push_back(t_.either(t_.negation(start.guard), ends));
    }
    LaunchModel& model_;
    Terms& t_;
    const Mode mode_;
    const ProofOptions& options_;
    Spent& spent_;
    std::set<const Array*>& written_;
    std::set<const Array*> trusted_;
    std::map<const void*, std::uint32_t> keys_;
    std::deque<Access> accesses_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
    std::vector<const Term*> facts_;
    std::deque<Loop> loops_;
    std::deque<Frame> frames_;
    std::uint64_t barriers_ = 0, unrolled_ = 0;
    int silent_ = 0;
};

// Reads an expression of a header as a term of 64 bits; null: it is not known.
struct HeaderTerm {
    struct Operator {
        std::string_view sign;
        int rank;
    };
    using Value = const Term*;
    using Reader = ExpressionReader<HeaderTerm>;
    static constexpr std::array<Operator, 13> kOperators{{{"||", 1},
                                                          {"&&", 2},
                                                          {"==", 3},
                                                          {"!=", 3},
                                                          {"<=", 4},
                                                          {">=", 4},
                                                          {"<", 4},
                                                          {">", 4},
                                                          {"+", 5},
                                                          {"-", 5},
                                                          {"*", 6},
                                                          {"/", 6},
                                                          {"%", 6}}};
    static constexpr std::string_view kPrefixes = "!-";
    static constexpr bool kTernary = false;
    // Parentheses of an expression in each other, and signs before a value; more are refused.
    static constexpr std::size_t kMostNested = 100, kMostPrefixes = 100;

    Terms& t;
    const std::map<std::string, const Term*, std::less<>>& known;

    const Term* of(const Term* truth) { return t.choose(truth, t.value(64, 1), t.value(64, 0)); }
    const Term* is_true(const Term* a) { return t.negation(t.equal(a, t.value(64, 0))); }

    static bool truth(Value) { return false; }
    [[noreturn]] static void misread(Misread, std::size_t, std::string_view) {
        throw std::logic_error("a header's expression was read before");
    }
    Value number(std::string_view text, std::size_t) {
        return t.value(64, std::stoull(std::string(text)));
    }
    Value name(std::string_view word, std::size_t, bool) {
        const auto found = known.find(word);
        return found == known.end() ? nullptr : found->second;
    }
    Value prefix(char sign, Value a, bool) {
        if (a == nullptr) return a;
        return sign == '!' ? of(t.negation(is_true(a))) : t.subtract(t.value(64, 0), a);
    }
    Value infix(const Operator& operation, Value a, Value b, std::size_t, bool) {
        if (a == nullptr || b == nullptr) return nullptr;
        const std::string_view sign = operation.sign;
        if (sign == "||") return of(t.either(is_true(a), is_true(b)));
        if (sign == "&&") return of(t.both(is_true(a), is_true(b)));
        if (sign == "==") return of(t.equal(a, b));
        if (sign == "!=") return of(t.negation(t.equal(a, b)));
        if (sign == "<=") return of(t.at_most(a, b, true));
        if (sign == ">=") return of(t.at_most(b, a, true));
        if (sign == "<") return of(t.less(a, b, true));
        if (sign == ">") return of(t.less(b, a, true));
        if (sign == "+") return t.add(a, b);
        if (sign == "-") return t.subtract(a, b);
        if (sign == "*") return a->is_value() || b->is_value() ? t.multiply(a, b) : nullptr;
        if (!b->is_value() || b->value == 0) return nullptr;
        return sign == "/" ? t.divide(a, b, true) : t.remainder(a, b, true);
    }
    Value call(Reader& reader, std::string_view name, std::size_t, bool) {
        std::vector<const Term*> given;
        do
            given.push_back(reader.expression(true));
        while (reader.take(","));
        reader.need(")");
        if (lab::any_of(given, [](const Term* each) { return each == nullptr; })) return nullptr;
        if (name == "min" || name == "max") {
            const Term* less = t.less(given[0], given[1], true);
            return name == "min" ? t.choose(less, given[0], given[1])
                                 : t.choose(less, given[1], given[0]);
        }
        if (name == "choose") return t.choose(is_true(given[0]), given[1], given[2]);
        return nullptr;
    }
};

// Work-items of a group; a proof says nothing of larger ones.
constexpr std::uint64_t kLargestGroup = 1024;
constexpr std::uint64_t kAllItems = std::uint64_t{1} << 31;

// The sizes of one dimension; 0: any.
void add_dimension(LaunchModel& m, std::uint32_t d, std::uint64_t local, std::uint64_t count) {
    Terms& t = m.terms;
    const auto number = [&](std::uint64_t value) { return t.value(32, value); };
    const Term*& size = m.local_size[d];
    if (local != 0) {
        size = number(local);
    } else {
        size = t.symbol(Scope::launch, 32);
        m.facts.push_back(t.at_most(number(1), size));
        m.facts.push_back(t.at_most(size, number(kLargestGroup)));
    }
    m.local_id[d] = size->is(1) ? number(0) : t.symbol(Scope::item, 32);
    m.facts.push_back(t.less(m.local_id[d], size));
    m.num_groups[d] = count != 0 ? number(count) : t.symbol(Scope::launch, 32);
    m.facts.push_back(t.less(number(0), m.num_groups[d]));
    m.group_id[d] = count == 1 ? number(0) : t.symbol(Scope::group, 32);
    m.facts.push_back(t.less(m.group_id[d], m.num_groups[d]));
    if (count == 1 || local != 0) {
        m.base[d] = t.multiply(m.group_id[d], size);
        m.global_size[d] = t.multiply(m.num_groups[d], size);
        if (count != 1)
            m.facts.push_back(t.at_most(m.num_groups[d], t.divide(number(kAllItems), size, false)));
        return;
    }
    // The product of two unknown numbers, by what is needed of it.
    m.base[d] = t.symbol(Scope::group, 32);
    m.global_size[d] = t.symbol(Scope::launch, 32);
    m.facts.push_back(t.at_most(m.global_size[d], number(kAllItems)));
    m.facts.push_back(t.at_most(m.num_groups[d], m.global_size[d]));
    m.facts.push_back(t.at_most(m.group_id[d], m.base[d]));
    m.facts.push_back(t.at_most(m.base[d], m.global_size[d]));
    m.facts.push_back(t.at_most(size, t.subtract(m.global_size[d], m.base[d])));
    m.facts.push_back(
        t.either(t.negation(t.equal(m.group_id[d], number(0))), t.equal(m.base[d], number(0))));
}

// A fence by which what a work-item reads orders it with others, which two of them in one interval
// do not tell.
std::optional<Place> fence_of(const lang::FunctionDefinition& kernel) {
    std::optional<Place> found;
    Visitor visitor([&](const E& expr) {
        const bool fences =
            expr.kind == Kind::builtin &&
            ((expr.known.builtin >= Builtin::fence && expr.known.builtin <= Builtin::write_fence) ||
             expr.known.builtin == Builtin::atomic_fence);
        if (fences && !found) found = expr.place;
    });
    visitor.in(kernel.body);
    return found;
}

class Attempt {
  public:
    Attempt(const RunSpec& spec, const lang::Compiled& compiled)
        : spec_(spec), plan_(spec.kernel.plan), kernel_(*compiled.kernel) {
        model_.n = t_.symbol(Scope::launch, 64);
        if (spec.kernel.by_form())
            by_form();
        else
            by_header();
    }

    void run(const ProofOptions& options) {
        // From facts that contradict each other all would follow.
        Spent spent;
        Question any(true);
        for (const Term* fact : model_.facts)
            any.require(any.name(fact, 0));
        if (any.ask(spent.solver, {}, options.effort).how != Answer::How::met)
            throw GaveUp{"no launch is known that meets all that the proof would assume"};
        std::set<const Array*> written;
        using Mode = Walk::Mode;
        for (const Mode mode : {Mode::converge, Mode::local, Mode::global, Mode::across})
            for (bool again = true; again;) {
                again = false;
                try {
                    Walk(model_, mode, options, spent, written).run(kernel_);
                } catch (const WrittenAfterAll&) {
                    again = true;
                }
            }
    }
    std::vector<std::string> assumptions;

  private:
    void by_form() {
        const catalogue::LaunchForm& form = *plan_.form;
        if (form.offset.given()) throw NotOfThatKind{kernel_.place, "an offset of the global ids"};
        if (form.global.given() && form.global.items() > kAllItems)
            throw NotOfThatKind{kernel_.place, "more than 2^31 work-items"};
        std::uint64_t dims = std::max(form.global.dims, form.local.dims);
        Visitor visitor([&](const E& expr) {
            if (expr.kind == Kind::builtin && expr.known.builtin >= Builtin::global_size &&
                expr.known.builtin <= Builtin::group_id && !expr.operands.empty() &&
                expr.operands[0]->kind == Kind::constant && !form.global.given())
                dims = std::max(dims, std::min<std::uint64_t>(expr.operands[0]->bits + 1, 3));
        });
        visitor.in(kernel_.body);
        for (std::uint64_t d = 0; d < kernel_.required_group.size(); ++d)
            if (kernel_.required_group[d] > 1) dims = std::max(dims, d + 1);
        model_.dims = static_cast<std::uint32_t>(dims);
        for (std::uint32_t d = 0; d < model_.dims; ++d) {
            std::uint64_t local = form.local.given() ? form.local.sizes[d] : 0;
            if (!kernel_.required_group.empty())
                local = d < kernel_.required_group.size() ? kernel_.required_group[d] : 1;
            const std::uint64_t count =
                form.global.given() && local != 0 ? form.global.sizes[d] / local : 0;
            add_dimension(model_, d, local, count);
        }
        for (const lang::Variable* each : kernel_.parameters)
            bind(*each, nullptr);
        say_sizes();
        if (form.local.given()) assumptions.push_back("groups of " + size_text(form.local));
        if (form.global.given()) assumptions.push_back(size_text(form.global) + " work-items");
        if (model_.dims > 1)
            assumptions.push_back(fmt::format("{} dimensions", model_.dims));
        else
            assumptions.emplace_back("one dimension");
        assumptions.emplace_back("whole groups, and global ids from 0 on");
        assumptions.emplace_back(
            "buffers that do not overlap, no access out of bounds, no division by 0");
    }

    void by_header() {
        const bool one_group = plan_.global.text() == "group";
        add_dimension(model_, 0, 0, one_group ? 1 : 0);
        say_sizes();
        if (one_group) assumptions.emplace_back("one group");
        std::map<std::string, const Term*, std::less<>> known;
        known["n"] = model_.n;
        known["group"] = t_.resized(model_.local_size[0], 64, false);
        known["groups"] = t_.resized(model_.num_groups[0], 64, false);
        for (const auto& [name, value] : catalogue::toggle_settings(spec_.kernel, spec_.shape))
            known[name] = t_.value(
                64, static_cast<std::uint64_t>(spec_.kernel.toggle(name)->number_of(value)));
        // It is the n of each launch: of what is legal for all of it, it need not be.
        if (plan_.kind == catalogue::PlanKind::partials) {
            known.erase("n");
            known.erase("groups");
        }
        HeaderTerm reader{t_, known};
        const auto term = [&](const catalogue::Expression& expression) {
            return HeaderTerm::Reader(expression.text(), reader).whole();
        };
        const Term* n = model_.n;
        model_.facts.push_back(t_.at_most(t_.value(64, 1), n));
        model_.facts.push_back(t_.less(n, t_.value(64, std::uint64_t{1} << 48)));
        for (const catalogue::Legal& each : plan_.legal)
            take(term(each.condition), each.text, true);
        const catalogue::Expectation& expect = plan_.expect;
        if (expect.kind == catalogue::Expect::races && !expect.when.empty())
            take(term(expect.when), "what its header does not say of: " + expect.text, false);
        const Term* pass = nullptr;
        if (plan_.kind == catalogue::PlanKind::per_pass) {
            // A number that the host doubles is a power of two.
            const std::string name = plan_.pass.name;
            const Term* power = t_.any_power(Scope::launch, 64);
            known[name] = power;
            const Term* next = term(plan_.pass.next);
            const Term* first = term(plan_.pass.first);
            const bool doubles = first != nullptr && first->is_value() && first->value != 0 &&
                                 (first->value & (first->value - 1)) == 0 &&
                                 next == t_.multiply(power, t_.value(64, 2));
            pass = doubles ? power : t_.symbol(Scope::launch, 64);
            known[name] = pass;
            const Term* condition = term(plan_.pass.condition);
            if (condition != nullptr) model_.facts.push_back(reader.is_true(condition));
        }
        known["n"] = n;
        for (std::size_t i = 0; i < kernel_.parameters.size() && i < plan_.arguments.size(); ++i) {
            const catalogue::ArgumentPlan& plan = plan_.arguments[i];
            bind(*kernel_.parameters[i], plan.value.empty() ? nullptr : term(plan.value));
        }
        assumptions.emplace_back(
            "n of at least 1, below 2^48 and within its argument's type, no access out of bounds, "
            "no division by 0");
    }
    // What must not be 0, or must be.
    void take(const Term* condition, const std::string& text, bool holds) {
        if (condition == nullptr) return;
        const Term* is = t_.equal(condition, t_.value(64, 0));
        const Term* fact = holds ? t_.negation(is) : is;
        if (fact->is_value()) return;  // of 0: it is meant to race, which is not assumed away
        model_.facts.push_back(fact);
        assumptions.push_back(text);
    }

    void bind(const lang::Variable& parameter, const Term* value) {
        const lang::Type& type = *parameter.type;
        if (type.is_pointer()) {
            const Array* array =
                &model_.arrays.try_emplace(&parameter, Array{parameter.name, type.space})
                     .first->second;
            model_.arguments[&parameter] = {t_.value(kPointerBits, 0), array};
        } else if (is_followed(parameter)) {
            const std::uint8_t width = width_of(type);
            if (value == nullptr) value = t_.symbol(Scope::launch, width);
            const Term* given = t_.resized(value, width, false);
            if (value->width > width)
                model_.facts.push_back(t_.equal(t_.resized(given, value->width, false), value));
            model_.arguments[&parameter] = {given, nullptr};
        }
    }
    void say_sizes() {
        if (!lab::all_of(model_.local_size,
                         [](const Term* each) { return each == nullptr || each->is_value(); }))
            assumptions.push_back(fmt::format("groups of 1 to {} work-items", kLargestGroup));
        assumptions.emplace_back("at most 2^31 work-items");
    }

    const RunSpec& spec_;
    const catalogue::LaunchPlan& plan_;
    const lang::FunctionDefinition& kernel_;
    LaunchModel model_;
    Terms& t_ = model_.terms;
};

struct Counterexample {
    std::string run;  // options of `hazards`; empty: none was found
    std::uint32_t line = 0, other = 0;
};

// A small shape in which the simulator meets a race, and the race. Where a header says that some
// shapes race, a race in one of those refutes nothing.
Counterexample confirmed(const RunSpec& spec, const ProofOptions& options) {
    Counterexample meant;
    bool all_meant = true;
    for (const std::uint64_t group : {2U, 4U, 3U, 8U, 64U, 128U})
        for (const std::uint64_t times : {1U, 2U, 4U})
            try {
                const std::uint64_t n = times * group;
                RunSpec run = spec;
                std::string text;
                if (spec.kernel.by_form()) {
                    catalogue::LaunchForm form = *spec.kernel.plan.form;
                    if (!form.local.given()) form.local = Extent(group);
                    if (!form.global.given()) form.global = Extent(n);
                    form = guessed_launch(form, spec.machine);
                    text = launch_text(form);
                    run.kernel = catalogue::kernel_of(std::move(form));
                } else {
                    run.shape.n = n;
                    run.shape.group = group;
                    text = fmt::format("--n {} --group {}", n, group);
                }
                HazardSearchOptions how;
                how.first_race = true;
                how.most_steps = 2'000'000;
                how.cancel = options.cancel;
                const machine::Job job = job_of(run);
                const bool is_meant = job.expect == catalogue::Expect::races;
                all_meant = all_meant && is_meant;
                if (job.launches.empty() || (is_meant && (!all_meant || !meant.run.empty())))
                    continue;
                const std::vector<Hazard> found =
                    search_hazards(job, run.machine.order, how).hazards;
                const auto race = find_if(found, [](const Hazard& each) {
                    return each.severity == Hazard::Severity::race;
                });
                if (race == nullptr) continue;
                const Counterexample shown{text, race->sides[0].line, race->sides[1].line};
                if (!is_meant) return shown;
                meant = shown;
            } catch (const Problem&) {  // not launched in this shape
            }
    return all_meant ? meant : Counterexample();
}

}  // namespace
}  // namespace symbolic

Proof prove(const RunSpec& spec, const ProofOptions& options) {
    using namespace symbolic;
    const lang::Compiled compiled =
        lang::compile_or_throw(catalogue::text_of(spec.kernel, spec.shape), spec.kernel.entry);
    Proof proof;
    const auto line_of = [](const Place& place) {
        return place.file == lang::kTextFile ? place.line : 0;
    };
    try {
        Attempt attempt(spec, compiled);
        attempt.run(options);
        proof.verdict = Proof::Verdict::proved;
        proof.assumptions = attempt.assumptions;
        return proof;
    } catch (const NotOfThatKind& found) {
        proof.verdict = Proof::Verdict::not_of_that_kind;
        proof.why = found.what;
        proof.line = line_of(found.place);
    } catch (const GaveUp& found) {
        proof.why = found.why;
        proof.line = found.line;
        proof.other = found.other;
        if (const auto fence = fence_of(*compiled.kernel)) {
            proof.verdict = Proof::Verdict::not_of_that_kind;
            proof.why = "a fence orders what work-items hand to each other";
            proof.line = line_of(*fence);
            proof.other = 0;
        }
    }
    if (options.confirm) {
        Counterexample found = confirmed(spec, options);
        if (!found.run.empty()) {
            proof.verdict = Proof::Verdict::refuted;
            proof.why = "these two race";
            proof.line = found.line;
            proof.other = found.other;
            proof.run = std::move(found.run);
        }
    }
    return proof;
}

void to_json(nlohmann::json& json, const Proof& proof) {
    json = nlohmann::json::object();
    json["verdict"] = kProofVerdicts[static_cast<std::size_t>(proof.verdict)];
    json["assumptions"] = proof.assumptions;
    if (!proof.why.empty()) json["why"] = proof.why;
    if (proof.line != 0) json["line"] = proof.line;
    if (proof.other != 0) json["other"] = proof.other;
    if (!proof.run.empty()) json["run"] = proof.run;
}

}  // namespace lab::analysis
