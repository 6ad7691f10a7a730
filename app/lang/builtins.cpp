#include "lang/builtins.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "base/ranges.h"

namespace lab::lang {
namespace {

struct Pure {
    std::string_view name;
    Fn fn;
    Signature signature;
    std::uint8_t arguments;
};

constexpr Pure kPure[] = {
#define LAB_ROW(name, signature, arguments) {#name, Fn::name, Signature::signature, arguments},
    LAB_PURE_FUNCTIONS(LAB_ROW)
#undef LAB_ROW
};

// Those that are also there as native_… and half_…, of floats alone.
constexpr std::array<std::string_view, 12> kQuick{"cos",   "exp",  "exp2",  "exp10", "log",  "log2",
                                                  "log10", "powr", "rsqrt", "sin",   "sqrt", "tan"};

struct BuiltinRow {
    std::string_view name;
    Builtin builtin;
    std::uint8_t arguments;
};

// clang-format off
constexpr BuiltinRow kPlain[] = {
    {"min", Builtin::min, 2}, {"max", Builtin::max, 2},
    {"any", Builtin::any, 1}, {"all", Builtin::all, 1}, {"select", Builtin::select, 3},
    {"shuffle", Builtin::shuffle, 2}, {"shuffle2", Builtin::shuffle2, 3}, {"dot", Builtin::dot, 2},
    {"cross", Builtin::cross, 2}, {"length", Builtin::length, 1},
    {"fast_length", Builtin::length, 1}, {"distance", Builtin::distance, 2},
    {"fast_distance", Builtin::distance, 2}, {"normalize", Builtin::normalize, 1},
    {"fast_normalize", Builtin::normalize, 1}, {"vec_step", Builtin::vec_step, 1},
    {"lgamma_r", Builtin::lgamma_r, 2}, {"remquo", Builtin::remquo, 3},
    {"printf", Builtin::print, 1},
    {"async_work_group_copy", Builtin::async_copy, 4},
    {"async_work_group_strided_copy", Builtin::async_strided_copy, 5},
    {"wait_group_events", Builtin::wait_events, 2},
    {"modf", Builtin::modf, 2}, {"fract", Builtin::fract, 2}, {"frexp", Builtin::frexp, 2},
    {"sincos", Builtin::sincos, 2},
    {"get_work_dim", Builtin::work_dim, 0},
    {"get_global_size", Builtin::global_size, 1}, {"get_global_id", Builtin::global_id, 1},
    {"get_local_size", Builtin::local_size, 1}, {"get_enqueued_local_size", Builtin::local_size, 1},
    {"get_local_id", Builtin::local_id, 1}, {"get_num_groups", Builtin::num_groups, 1},
    {"get_group_id", Builtin::group_id, 1}, {"get_global_offset", Builtin::global_offset, 1},
    {"get_global_linear_id", Builtin::global_id, 0}, {"get_local_linear_id", Builtin::local_id, 0},
    {"get_sub_group_size", Builtin::sub_group_size, 0},
    {"get_max_sub_group_size", Builtin::max_sub_group_size, 0},
    {"get_num_sub_groups", Builtin::num_sub_groups, 0},
    {"get_enqueued_num_sub_groups", Builtin::num_sub_groups, 0},
    {"get_sub_group_id", Builtin::sub_group_id, 0},
    {"get_sub_group_local_id", Builtin::sub_group_local_id, 0},
    {"barrier", Builtin::barrier, 1}, {"work_group_barrier", Builtin::barrier, 2},
    {"sub_group_barrier", Builtin::sub_group_barrier, 2},
    {"mem_fence", Builtin::fence, 1}, {"read_mem_fence", Builtin::read_fence, 1},
    {"write_mem_fence", Builtin::write_fence, 1}, {"prefetch", Builtin::prefetch, 2},
};

// Behind "atomic_", and "atom_" for those of OpenCL 1.0, which take 64 bits too.
constexpr BuiltinRow kAtomics[] = {
    {"add", Builtin::atomic_add, 2}, {"sub", Builtin::atomic_sub, 2},
    {"xchg", Builtin::atomic_xchg, 2}, {"inc", Builtin::atomic_inc, 1},
    {"dec", Builtin::atomic_dec, 1}, {"cmpxchg", Builtin::atomic_cmpxchg, 3},
    {"min", Builtin::atomic_min, 2}, {"max", Builtin::atomic_max, 2},
    {"and", Builtin::atomic_and, 2}, {"or", Builtin::atomic_or, 2},
    {"xor", Builtin::atomic_xor, 2},
};

// Of OpenCL C 2.0. `arguments`: without an order and a scope, which they take as …_explicit.
constexpr BuiltinRow kOrderedAtomics[] = {
    {"atomic_load", Builtin::atomic_load, 1}, {"atomic_store", Builtin::atomic_store, 2},
    {"atomic_exchange", Builtin::atomic_xchg, 2},
    {"atomic_compare_exchange_strong", Builtin::atomic_compare_exchange, 3},
    {"atomic_compare_exchange_weak", Builtin::atomic_compare_exchange, 3},
    {"atomic_fetch_add", Builtin::atomic_add, 2}, {"atomic_fetch_sub", Builtin::atomic_sub, 2},
    {"atomic_fetch_or", Builtin::atomic_or, 2}, {"atomic_fetch_xor", Builtin::atomic_xor, 2},
    {"atomic_fetch_and", Builtin::atomic_and, 2}, {"atomic_fetch_min", Builtin::atomic_min, 2},
    {"atomic_fetch_max", Builtin::atomic_max, 2},
    {"atomic_flag_test_and_set", Builtin::atomic_flag_set, 1},
    {"atomic_flag_clear", Builtin::atomic_flag_clear, 1},
};

// Only those lanes of a sub-group take part that come to the call.
constexpr BuiltinRow kOfLanes[] = {
    {"sub_group_shuffle", Builtin::sub_shuffle, 2},
    {"sub_group_shuffle_xor", Builtin::sub_shuffle_xor, 2},
    {"sub_group_shuffle_up", Builtin::sub_shuffle_up, 2},
    {"sub_group_shuffle_down", Builtin::sub_shuffle_down, 2},
    {"intel_sub_group_shuffle", Builtin::sub_shuffle, 2},
    {"intel_sub_group_shuffle_xor", Builtin::sub_shuffle_xor, 2},
    {"sub_group_rotate", Builtin::sub_rotate, 2},
    {"sub_group_non_uniform_all_equal", Builtin::all_equal, 1},
    {"sub_group_elect", Builtin::elect, 0},
    {"sub_group_broadcast_first", Builtin::broadcast_first, 1},
    {"sub_group_ballot", Builtin::ballot, 1},
    {"sub_group_inverse_ballot", Builtin::inverse_ballot, 1},
    {"sub_group_ballot_bit_extract", Builtin::ballot_bit_extract, 2},
    {"sub_group_ballot_bit_count", Builtin::ballot_bit_count, 1},
    {"sub_group_ballot_inclusive_scan", Builtin::ballot_inclusive_scan, 1},
    {"sub_group_ballot_exclusive_scan", Builtin::ballot_exclusive_scan, 1},
    {"sub_group_ballot_find_lsb", Builtin::ballot_find_lsb, 1},
    {"sub_group_ballot_find_msb", Builtin::ballot_find_msb, 1},
    {"get_sub_group_eq_mask", Builtin::eq_mask, 0}, {"get_sub_group_ge_mask", Builtin::ge_mask, 0},
    {"get_sub_group_gt_mask", Builtin::gt_mask, 0}, {"get_sub_group_le_mask", Builtin::le_mask, 0},
    {"get_sub_group_lt_mask", Builtin::lt_mask, 0},
};
// clang-format on

using Table = std::unordered_map<std::string, Function>;

// vload4, vload_half, vstorea_half4_rtz and the like.
void add_vector_memory(Table& table) {
    for (const std::uint8_t width : std::array<std::uint8_t, 6>{1, 2, 3, 4, 8, 16}) {
        const std::string number = width == 1 ? "" : std::to_string(width);
        if (width > 1) {
            table["vload" + number] = {.builtin = Builtin::vload, .arguments = 2, .number = width};
            table["vstore" + number] = {
                .builtin = Builtin::vstore, .arguments = 3, .number = width};
        }
        for (const bool aligned : {false, true}) {
            const std::string end = (aligned ? "a_half" : "_half") + number;
            table["vload" + end] = {.builtin = Builtin::vload_half,
                                    .arguments = 2,
                                    .number = width,
                                    .aligned = aligned};
            for (std::size_t i = 0; i < kRoundings.size(); ++i)
                table["vstore" + end + std::string(kRoundings[i])] = {
                    .builtin = Builtin::vstore_half,
                    .arguments = 3,
                    .number = width,
                    .aligned = aligned,
                    .rounding = static_cast<Fn>(static_cast<std::size_t>(Fn::half_none) + i)};
        }
    }
}

void add_collectives(Table& table) {
    static constexpr std::array<std::pair<std::string_view, Collective::How>, 7> kHow{
        {{"add", Collective::How::add},
         {"min", Collective::How::min},
         {"max", Collective::How::max},
         {"mul", Collective::How::mul},
         {"and", Collective::How::and_},
         {"or", Collective::How::or_},
         {"xor", Collective::How::xor_}}};
    for (const auto& [prefix, of] :
         {std::pair{"work_group_", Collective::Of::group},
          std::pair{"sub_group_", Collective::Of::sub_group},
          std::pair{"sub_group_non_uniform_", Collective::Of::sub_group}}) {
        const std::string start = prefix;
        Collective collective{.of = of, .uniform = !start.ends_with("non_uniform_")};
        const auto add = [&](const std::string& name, Builtin builtin, std::uint8_t arguments) {
            table[start + name] = {
                .builtin = builtin, .arguments = arguments, .collective = collective};
        };
        add("any", Builtin::vote_any, 1);
        add("all", Builtin::vote_all, 1);
        add("broadcast", Builtin::broadcast, 2);
        for (const auto& [word, how] : kHow) {
            collective.how = how;
            add("reduce_" + std::string(word), Builtin::reduce, 1);
            add("scan_inclusive_" + std::string(word), Builtin::scan_inclusive, 1);
            add("scan_exclusive_" + std::string(word), Builtin::scan_exclusive, 1);
        }
    }
    for (const BuiltinRow& each : kOfLanes)
        table[std::string(each.name)] = {
            .builtin = each.builtin,
            .arguments = each.arguments,
            .collective = {.of = Collective::Of::sub_group, .uniform = false}};
}

void add_atomics(Table& table) {
    for (const BuiltinRow& each : kAtomics) {
        Function atomic{.builtin = each.builtin, .arguments = each.arguments};
        table["atomic_" + std::string(each.name)] = atomic;
        atomic.wide = true;
        table["atom_" + std::string(each.name)] = atomic;
    }
    for (const BuiltinRow& each : kOrderedAtomics) {
        const bool compares = each.builtin == Builtin::atomic_compare_exchange;
        Function atomic{.builtin = each.builtin,
                        .arguments = each.arguments,
                        .number = static_cast<std::uint8_t>(compares ? 2 : 1),  // orders
                        .wide = true,
                        .ordered = true,
                        .weak = each.name.ends_with("_weak")};
        table[std::string(each.name)] = atomic;
        atomic.with_order = true;
        table[std::string(each.name) + "_explicit"] = atomic;
    }
    table["atomic_init"] = {.builtin = Builtin::atomic_init, .arguments = 2};
    table["atomic_work_item_fence"] = {.builtin = Builtin::atomic_fence, .arguments = 3};
}

Table make_table() {
    Table table;
    for (const Pure& pure : kPure) {
        Function result{Builtin::pure, pure.fn, pure.signature, pure.arguments};
        table[std::string(pure.name)] = result;
        result.single = true;
        if (contains(kQuick, pure.name))
            for (const char* prefix : {"native_", "half_"})
                table[prefix + std::string(pure.name)] = result;
    }
    for (const std::string prefix : {"native_", "half_"}) {
        table[prefix + "recip"] = {Builtin::pure, Fn::recip, Signature::floats, 1};
        table[prefix + "recip"].single = true;
        table[prefix + "divide"] = {Builtin::pure, Fn::divide, Signature::floats, 2};
        table[prefix + "divide"].single = true;
    }
    for (const BuiltinRow& each : kPlain)
        table[std::string(each.name)] = {.builtin = each.builtin,
                                         .arguments = each.arguments,
                                         .single = each.name.starts_with("fast_")};
    table["sub_group_barrier"].collective.of = Collective::Of::sub_group;
    add_vector_memory(table);
    add_collectives(table);
    add_atomics(table);
    return table;
}

struct Refused {
    std::string_view start;  // of the name
    Unsupported because;
};
constexpr Refused kRefused[] = {
    {"read_image", {"images are left out", "Use a buffer"}},
    {"write_image", {"images are left out", "Use a buffer"}},
    {"get_image", {"images are left out", "Use a buffer"}},
    {"enqueue_", {"kernels here start no kernels", "Let the host launch them"}},
    {"__builtin_", {"it belongs to one compiler", "Use OpenCL C's own: popcount, clz, fma, …"}},
    {"__sync", {"it is no function of OpenCL C", "Write barrier(CLK_LOCAL_MEM_FENCE)"}},
    {"__shfl", {"it is no function of OpenCL C", "Write sub_group_shuffle and the like"}},
    {"sub_group_",
     {"it is none of the sub-group functions here",
      "There are reduce, scan, broadcast, any, all, shuffle and ballot"}},
    {"work_group_",
     {"it is none of the work-group functions here",
      "There are reduce, scan, broadcast, any and all"}},
};

const Table& table() {
    static const Table result = make_table();
    return result;
}

}  // namespace

const std::vector<std::string>& function_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> texts;
        for (const auto& [name, function] : table())
            texts.push_back(name);
        std::sort(texts.begin(), texts.end());
        return texts;
    }();
    return names;
}

std::optional<Function> find_function(std::string_view name) {
    const auto found = table().find(std::string(name));
    if (found == table().end()) return std::nullopt;
    Function function = found->second;
    function.name = found->first;
    return function;
}

std::optional<Unsupported> unsupported_function(std::string_view name) {
    for (const Refused& refused : kRefused)
        if (name.starts_with(refused.start)) return refused.because;
    return std::nullopt;
}

namespace {

constexpr unsigned kMostWidth = 200;  // characters for a printed value; a wider format is refused

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class FormatReader {
  public:
    explicit FormatReader(std::string_view text) : text_(text) {}

    PrintFormat read(std::string& wrong) {
        std::string literal;
        while (at_ < text_.size() && wrong.empty()) {
            if (text_[at_] != '%') {
                literal += text_[at_++];
            } else if (++at_; here() == '%') {
                literal += text_[at_++];
            } else {
                format_.push_back(conversion(wrong));
                format_.back().text = std::move(literal);
                literal.clear();
            }
        }
        if (!literal.empty()) {
            format_.emplace_back();
            format_.back().text = std::move(literal);
        }
        return std::move(format_);
    }

  private:
    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    unsigned digits(std::string& form) {
        unsigned value = 0;
        for (; is_digit(here()); ++at_) {
            value = std::min(value * 10 + static_cast<unsigned>(here() - '0'), kMostWidth + 1);
            form += here();
        }
        return value;
    }

    PrintPart conversion(std::string& wrong) {
        PrintPart part;
        const std::size_t start = at_;
        for (; here() != '\0' && std::string_view("-+ #0").find(here()) != std::string_view::npos;
             ++at_)
            part.form += here();
        bool fits = digits(part.form) <= kMostWidth;
        if (here() == '.') {
            part.form += text_[at_++];
            fits = digits(part.form) <= kMostWidth && fits;
        }
        if (here() == 'v') {
            ++at_;
            std::string number;
            part.width = static_cast<std::uint8_t>(digits(number));
            part.is_vector = true;
            static constexpr std::array<unsigned, 5> kWidths{2, 3, 4, 8, 16};
            fits = std::find(kWidths.begin(), kWidths.end(), part.width) != kWidths.end() && fits;
        }
        const std::size_t length_at = at_;
        while (here() == 'h' || here() == 'l')
            ++at_;
        part.length = text_.substr(length_at, at_ - length_at);
        static constexpr std::array<std::string_view, 6> kLengths{"", "hh", "h", "l", "ll", "hl"};
        fits = contains(kLengths, part.length) && (part.length != "hl" || part.is_vector) && fits;
        if (!part.is_vector && part.length == "hh") part.narrow = 1;
        if (!part.is_vector && part.length == "h") part.narrow = 2;
        part.conversion = here();
        const bool known =
            part.conversion != '\0' &&
            std::string_view("diouxXfFeEgGaAcsp").find(part.conversion) != std::string_view::npos;
        if (known) ++at_;
        if (!known || !fits)
            wrong = fmt::format("'%{}' is no conversion of printf",
                                text_.substr(start, std::min<std::size_t>(at_ + 1 - start, 20)));
        return part;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    PrintFormat format_;
};

}  // namespace

PrintFormat parse_print_format(std::string_view text, std::string& wrong) {
    return FormatReader(text).read(wrong);
}

std::string padded(const std::string& text, const std::string& form) {
    const std::size_t dot = form.find('.');
    std::string shown = text;
    if (dot != std::string::npos)
        shown.resize(std::min<std::size_t>(
            shown.size(), std::strtoul(form.substr(dot + 1).c_str(), nullptr, 10)));
    const bool left = form.find('-') != std::string::npos;
    const std::size_t first = form.find_first_of("123456789");
    const std::size_t width =
        first == std::string::npos || first > dot
            ? 0
            : std::min<std::size_t>(std::strtoul(form.c_str() + first, nullptr, 10), kMostWidth);
    if (shown.size() >= width) return shown;
    const std::string blanks(width - shown.size(), ' ');
    return left ? shown + blanks : blanks + shown;
}

}  // namespace lab::lang
