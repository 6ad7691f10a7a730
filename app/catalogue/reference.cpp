#include "catalogue/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "base/platform.h"
#include "base/ranges.h"
#include "catalogue/job.h"

namespace lab::catalogue {
namespace {

template <typename Wide, typename N, typename Combine>
Wide pairwise(std::span<const N> x, Combine combine) {
    constexpr std::size_t kBlock = 128;
    if (x.size() <= kBlock) {
        Wide sum = static_cast<Wide>(x.front());
        for (const N value : x.subspan(1))
            sum = combine(sum, static_cast<Wide>(value));
        return sum;
    }
    const std::size_t half = x.size() / 2;
    return combine(pairwise<Wide>(x.first(half), combine),
                   pairwise<Wide>(x.subspan(half), combine));
}

// The halves of the halves of x, in order, down to some that one thread does in a few milliseconds.
template <typename N>
std::vector<std::span<const N>> halved(std::span<const N> x) {
    constexpr std::size_t kSmallEnough = std::size_t{1} << 20U;
    std::vector<std::span<const N>> parts{x};
    while (parts.front().size() > kSmallEnough) {
        std::vector<std::span<const N>> halves;
        for (const std::span<const N> part : parts) {
            halves.push_back(part.first(part.size() / 2));
            halves.push_back(part.subspan(part.size() / 2));
        }
        parts = std::move(halves);
    }
    return parts;
}

// act(part) of each of them, by all processors.
template <typename Made, typename N, typename Act>
std::vector<Made> of_each(const std::vector<std::span<const N>>& parts, Act act) {
    std::vector<Made> mades(parts.size());
    in_parallel(parts.size(), 1, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i)
            mades[i] = act(parts[i]);
    });
    return mades;
}

// The same tree as of pairwise alone, so the same result however many threads there are.
template <typename Wide, typename N, typename Combine>
Wide pairwise_by_all(std::span<const N> x, Combine combine) {
    std::vector<Wide> level = of_each<Wide>(
        halved(x), [&](std::span<const N> part) { return pairwise<Wide>(part, combine); });
    for (; level.size() > 1; level.resize(level.size() / 2))
        for (std::size_t i = 0; i < level.size() / 2; ++i)
            level[i] = combine(level[2 * i], level[2 * i + 1]);
    return level.front();
}

template <typename N>
N combined(Op op, N a, N b) {
    if constexpr (std::is_floating_point_v<N>) {
        return op == Op::add       ? a + b
               : op == Op::product ? a * b
               : op == Op::min     ? std::fmin(a, b)
                                   : std::fmax(a, b);
    } else {
        using U = std::make_unsigned_t<N>;  // wraps as devices do
        const auto x = static_cast<U>(a), y = static_cast<U>(b);
        return op == Op::add       ? static_cast<N>(x + y)
               : op == Op::product ? static_cast<N>(x * y)
               : op == Op::min     ? std::min(a, b)
                                   : std::max(a, b);
    }
}

bool exact_in_its_type(Op op, bool floating) {
    return !floating || op == Op::min || op == Op::max;
}

template <typename N>
bool leaves(long double value) {
    return value < static_cast<long double>(std::numeric_limits<N>::min()) ||
           value > static_cast<long double>(std::numeric_limits<N>::max());
}

// The furthest that any selection of the factors goes, up or down: powers of two.
struct Reach {
    long double up = 0, down = 0;
};

template <typename N>
Reach reach_of(std::span<const N> factors) {
    Reach reach;
    for (const N factor : factors)
        if (factor != 0 && std::isfinite(factor))
            (std::abs(factor) > 1 ? reach.up : reach.down) += std::log2(std::abs(factor));
    return reach;
}

// What an integer sum or product would be in a type that holds it.
template <typename N>
void note_unwrapped(Reference& into, std::span<const N> x, Op op) {
    // Holds any sum of up to 2^31 narrow ones, and is faster than floating point.
    using Sum = std::conditional_t<sizeof(N) <= sizeof(std::int32_t), std::int64_t, long double>;
    into.exact = op == Op::add ? 0 : 1;
    const bool zero = op == Op::product && contains(x, N{0});
    for (const long double part : of_each<long double>(halved(x), [&](std::span<const N> of) {
             if (op == Op::add)
                 return static_cast<long double>(std::accumulate(of.begin(), of.end(), Sum{0}));
             long double all = zero ? 0 : 1;
             for (std::size_t i = 0; i < of.size() && all != 0 && std::isfinite(all); ++i)
                 all *= static_cast<long double>(of[i]);
             return all;
         }))
        into.exact = op == Op::add ? into.exact + part : into.exact * part;
    into.wraps = leaves<N>(into.exact);
}

template <typename N>
void work_out(Reference& into, std::span<const N> x, Op op) {
    std::vector<N> value = std::get<std::vector<N>>(into.value);  // the identity
    if (exact_in_its_type(op, std::is_floating_point_v<N>)) {
        const N neutral = value[0];
        for (const N part : of_each<N>(halved(x), [&](std::span<const N> elements) {
                 N all = neutral;
                 for (const N element : elements)
                     all = combined(op, all, element);
                 return all;
             }))
            value[0] = combined(op, value[0], part);
        into.exact = static_cast<long double>(value[0]);
        if constexpr (std::is_floating_point_v<N>)
            into.only_nan = !x.empty() && all_of(x, [](N of) { return std::isnan(of); });
        else if (op == Op::add || op == Op::product)
            note_unwrapped(into, x, op);
    } else if constexpr (std::is_floating_point_v<N>) {
        using Wide = std::conditional_t<std::is_same_v<N, float>, double, long double>;
        if (!x.empty() && op == Op::add) {
            into.exact = pairwise_by_all<Wide>(x, [](Wide a, Wide b) { return a + b; });
            into.magnitude =
                pairwise_by_all<Wide>(x, [](Wide a, Wide b) { return std::abs(a) + std::abs(b); });
            if (x.size() == 1) into.magnitude = std::abs(into.exact);
            into.may_leave_range = into.magnitude > std::numeric_limits<N>::max();
        } else if (!x.empty()) {
            into.exact = pairwise_by_all<Wide>(x, [](Wide a, Wide b) { return a * b; });
            into.magnitude = std::abs(into.exact);
            Reach whole;
            for (const Reach& part : of_each<Reach>(halved(x), reach_of<N>)) {
                whole.up += part.up;
                whole.down += part.down;
            }
            into.may_leave_range = whole.up >= std::numeric_limits<N>::max_exponent ||
                                   whole.down <= std::numeric_limits<N>::min_exponent;
        } else {
            into.exact = static_cast<long double>(value[0]);
        }
        value[0] = static_cast<N>(into.exact);
    }
    into.value = value;
}

template <typename N>
Verdict judged(N result, N right, const Reference& reference, Op op, std::uint64_t depth) {
    Verdict verdict;
    const bool left_range =
        !std::isfinite(result) || std::abs(result) < std::numeric_limits<N>::min();
    if (reference.may_leave_range && left_range && std::isfinite(right)) {
        verdict.right = true;
        return verdict;
    }
    if (std::isnan(right) || std::isinf(right)) {
        verdict.right = std::isnan(right) ? std::isnan(result) : result == right;
        return verdict;
    }
    const long double u = std::numeric_limits<N>::epsilon() / 2;
    const std::uint64_t roundings =
        op == Op::product ? std::max<std::uint64_t>(reference.n, 1) - 1 : depth;
    const long double steps =
        std::min<long double>(static_cast<long double>(roundings) * u, 1.0L / 16);
    const long double bound = steps / (1 - steps) * reference.magnitude +
                              std::numeric_limits<N>::denorm_min();  // underflow rounds too
    const long double error = std::isfinite(result)
                                  ? std::abs(static_cast<long double>(result) - reference.exact)
                                  : std::numeric_limits<long double>::infinity();
    const long double scale = reference.exact == 0 ? 1 : std::abs(reference.exact);
    verdict.right = error <= bound + u * std::abs(reference.exact);
    verdict.error = static_cast<double>(error / scale);
    verdict.bound = static_cast<double>(bound / scale);
    return verdict;
}

}  // namespace

Reference reference(const Values& input, Op op) {
    Reference result;
    result.n = count_of(input);
    result.value = identity(op, type_of(input));
    std::visit(
        [&](const auto& x) {
            using N = typename std::decay_t<decltype(x)>::value_type;
            work_out<N>(result, std::span<const N>(x), op);
        },
        input);
    return result;
}

Reference ring_of_ones(Op op, Type type, std::uint64_t rounds) {
    Reference result;
    result.value = one_value(type, 1);
    std::visit(
        [&](auto& values) {
            auto& value = values[0];
            for (std::uint64_t round = 0; round < rounds; ++round)
                value = combined(op, value, combined(op, value, value));
            using N = std::decay_t<decltype(value)>;
            if (op != Op::add) return;
            result.exact = std::pow(3.0L, static_cast<long double>(rounds));
            if constexpr (std::is_integral_v<N>) result.wraps = leaves<N>(result.exact);
        },
        result.value);
    return result;
}

Verdict judge(const Values& result, const Reference& reference, Op op, std::uint64_t depth) {
    const bool floating = info(type_of(result)).floating;
    return std::visit(
        [&](const auto& values) {
            using N = typename std::decay_t<decltype(values)>::value_type;
            const N right = std::get<std::vector<N>>(reference.value)[0];
            const N got = values[0];
            if constexpr (std::is_floating_point_v<N>)
                if (!exact_in_its_type(op, floating))
                    return judged(got, right, reference, op, depth);
            Verdict verdict;
            if constexpr (std::is_floating_point_v<N>)
                verdict.right = got == right || (std::isnan(got) && reference.only_nan);
            else
                verdict.right = got == right;
            return verdict;
        },
        result);
}

namespace {

Values every(const Values& values, std::uint64_t step) {
    return std::visit(
        [step](const auto& of) -> Values {
            std::decay_t<decltype(of)> picked;
            for (std::size_t i = 0; i < of.size(); i += step)
                picked.push_back(of[i]);
            return picked;
        },
        values);
}

Values first_of(const Values& values) {
    return std::visit(
        [](const auto& of) -> Values { return std::decay_t<decltype(of)>(1, of.front()); }, values);
}

bool same(const Values& values, std::size_t index, const Values& right) {
    return std::visit(
        [&](const auto& of) { return of[index] == std::get<std::decay_t<decltype(of)>>(right)[0]; },
        values);
}

// In so many significant digits; with an exponent only where it is large: "120", "3.6e14".
std::string rounded(long double value, int digits) {
    const std::string some = fmt::format("{:.{}e}", value, digits - 1);
    std::string text =
        fmt::format("{:.{}g}", std::strtold(some.c_str(), nullptr), std::max(digits, 12));
    if (const auto plus = text.find("e+"); plus != std::string::npos) {
        text.erase(plus + 1, 1);
        while (text[plus + 1] == '0' && plus + 2 < text.size())
            text.erase(plus + 1, 1);
    }
    return text;
}

// In as many digits as show how far it is from another value.
std::string apart(long double value, long double error) {
    int digits = 2;
    while (digits < 18 &&
           std::abs(std::strtold(rounded(value, digits).c_str(), nullptr) - value) > error / 20)
        ++digits;
    return rounded(value, digits);
}

// Of an integer: in full as long as it is read at a glance.
std::string in_short(long double value) {
    constexpr long double kMostInFull = 1e12L;  // integers written in full; larger ones are rounded
    return std::abs(value) < kMostInFull ? fmt::format("{:.0f}", value)
           : std::isinf(value)           ? "over 1e4932"
                                         : rounded(value, 3);
}

}  // namespace

std::string unwrapped(const Reference& right) {
    return right.wraps ? in_short(right.exact) : std::string();
}

Exactness exactness_of(const Outcome& outcome, const Reference& right) {
    if (!outcome.verdict.right) return {};
    if (right.wraps) return {Exactness::Kind::wrapped, unwrapped(right), {}};
    if (outcome.result == text_of(right.value, 0) || !info(type_of(right.value)).floating)
        return {};
    const long double size = std::abs(right.exact), scale = size == 0 ? 1 : size;
    if (outcome.verdict.bound == 0 && outcome.verdict.error == 0)
        return right.only_nan || right.magnitude == 0
                   ? Exactness()
                   : Exactness{Exactness::Kind::left_range, rounded(right.exact, 6), {}};
    const long double bound = outcome.verdict.bound * scale;
    return {bound < size ? Exactness::Kind::within : Exactness::Kind::no_digit,
            apart(right.exact, outcome.verdict.error * scale), rounded(bound, 2)};
}

Reference right_for(const Job& job, const Values& input) {
    if (job.rounds == 0) return reference(input, job.op);
    Reference result = ring_of_ones(job.op, job.type, job.rounds);
    result.n = count_of(input);
    return result;
}

Values value_of(const Values& cells, const Job& job) {
    const bool parts = job.expect == Expect::partial && !job.launches.empty();
    return parts ? reference(every(cells, job.every), job.op).value : first_of(cells);
}

Outcome outcome_of(const Values& cells, const Job& job) {
    return outcome_of(cells, job, *job.right);
}

Outcome outcome_of(const Values& cells, const Job& job, const Reference& right) {
    if (job.rounds > 0) {
        for (std::size_t i = 0; i < count_of(cells); ++i)
            if (!same(cells, i, right.value)) return {{false, 0, 0}, text_of(cells, i)};
        return {{true, 0, 0}, text_of(right.value, 0)};
    }
    const Values whole = value_of(cells, job);
    if (job.expect == Expect::nothing) return {{true, 0, 0}, text_of(whole, 0)};
    return {judge(whole, right, job.op, job.depth), text_of(whole, 0)};
}

Outcome outcome_without_launch(const Job& job, const Values& input) {
    return outcome_of(count_of(input) > 0 ? input : job.right->value, job);
}

}  // namespace lab::catalogue
