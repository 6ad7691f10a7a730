#include "lang/cuda.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include <fmt/format.h>

#include "lang/builtins.h"
#include "lang/type.h"

namespace lab::lang {
namespace {

constexpr std::array<CudaWord, 14> kSpecifiers{{{"__global__", "kernel"},
                                                {"__shared__", "local"},
                                                {"__constant__", "constant"},
                                                {"__device__", "inline"},
                                                {"__host__", "inline"},
                                                {"__managed__", "inline"},
                                                {"__forceinline__", "inline"},
                                                {"__noinline__", "inline"},
                                                {"__inline__", "inline"},
                                                {"__grid_constant__", "inline"},
                                                {"class", "struct"},
                                                {"__restrict__", "restrict"},
                                                {"__restrict", "restrict"},
                                                {"constexpr", "const"}}};
constexpr std::array<std::string_view, 16> kPlainWords{
    "kernel",    "__kernel",   "global",      "__global",    "local",     "__local",
    "constant",  "__constant", "private",     "__private",   "__generic", "restrict",
    "read_only", "write_only", "__read_only", "__write_only"};

// The order and the scope of a fence come with it, as memory_order_seq_cst and memory_scope_….
// What has no type beside it takes several.
const std::array<CudaFunction, 42>& functions() {
    static const std::array<CudaFunction, 42> table{
        {{"__syncthreads", "barrier", {3}},
         {"__threadfence_block", "atomic_work_item_fence", {3, 5, 1}},
         {"__threadfence", "atomic_work_item_fence", {3, 5, 2}},
         {"__threadfence_system", "atomic_work_item_fence", {3, 5, 3}},
         {"umin", "min", {}, Scalar::uint},
         {"umax", "max", {}, Scalar::uint},
         {"__popc", "popcount", {}, Scalar::uint},
         {"__popcll", "popcount", {}, Scalar::ulong},
         {"__clz", "clz", {}, Scalar::int_},
         {"__clzll", "clz", {}, Scalar::long_},
         {"__mul24", "mul24", {}, Scalar::int_},
         {"__umul24", "mul24", {}, Scalar::uint},
         {"__mulhi", "mul_hi", {}, Scalar::int_},
         {"__umulhi", "mul_hi", {}, Scalar::uint},
         {"__mul64hi", "mul_hi", {}, Scalar::long_},
         {"__umul64hi", "mul_hi", {}, Scalar::ulong},
         {"__hadd", "hadd", {}, Scalar::int_},
         {"__rhadd", "rhadd", {}, Scalar::int_},
         {"__uhadd", "hadd", {}, Scalar::uint},
         {"__urhadd", "rhadd", {}, Scalar::uint},
         {"__float_as_int", "as_int", {}, Scalar::float_},
         {"__float_as_uint", "as_uint", {}, Scalar::float_},
         {"__int_as_float", "as_float", {}, Scalar::int_},
         {"__uint_as_float", "as_float", {}, Scalar::uint},
         {"__double_as_longlong", "as_long", {}, Scalar::double_},
         {"__longlong_as_double", "as_double", {}, Scalar::long_},
         {"nearbyint", "rint"},
         {"nearbyintf", "rint", {}, Scalar::float_},
         {"__float2int_rn", "convert_int_sat_rte", {}, Scalar::float_},
         {"__float2int_rz", "convert_int_sat_rtz", {}, Scalar::float_},
         {"__float2int_rd", "convert_int_sat_rtn", {}, Scalar::float_},
         {"__float2int_ru", "convert_int_sat_rtp", {}, Scalar::float_},
         {"__float2uint_rn", "convert_uint_sat_rte", {}, Scalar::float_},
         {"__float2uint_rz", "convert_uint_sat_rtz", {}, Scalar::float_},
         {"__double2int_rn", "convert_int_sat_rte", {}, Scalar::double_},
         {"__double2int_rz", "convert_int_sat_rtz", {}, Scalar::double_},
         {"__int2float_rn", "convert_float_rte", {}, Scalar::int_},
         {"__uint2float_rn", "convert_float_rte", {}, Scalar::uint},
         {"__fdividef", "native_divide", {}, Scalar::float_},
         {"__powf", "native_powr", {}, Scalar::float_},
         {"__fmaf_rn", "fma", {}, Scalar::float_},
         {"__fma_rn", "fma", {}, Scalar::double_}}};
    return table;
}

// One declaration at file scope.
struct Unit {
    std::size_t first = 0, last = 0;
    bool of_device = false, is_function = false;
    std::vector<std::string_view> names;  // that it declares
};

bool is_name_of(const Token& token) {
    return token.kind == Token::Kind::identifier;
}

bool is_aggregate(std::string_view word) {
    return word == "struct" || word == "class" || word == "union" || word == "enum";
}

class FileScope {
  public:
    explicit FileScope(const std::vector<Token>& tokens) : tokens_(tokens) {}

    std::vector<Unit> units() {
        while (tokens_[at_].kind != Token::Kind::end) {
            if (tokens_[at_].is(";") || tokens_[at_].is("}")) {  // the latter of a namespace
                ++at_;
            } else if (is("using", "namespace") || (is("namespace") && tokens_[at_ + 2].is("="))) {
                skip_to(";");
            } else if (is("namespace") || (is("inline", "namespace"))) {
                skip_to("{");
            } else if (is("extern") && tokens_[at_ + 1].kind == Token::Kind::string) {
                at_ += tokens_[at_ + 2].is("{") ? 3 : 2;
            } else {
                unit();
            }
        }
        return std::move(units_);
    }

  private:
    bool is(std::string_view word, std::string_view then = {}) const {
        return tokens_[at_].is(word) && (then.empty() || tokens_[at_ + 1].is(then));
    }

    void skip_to(std::string_view sign) {
        while (tokens_[at_].kind != Token::Kind::end && !tokens_[at_].is(sign))
            ++at_;
        if (tokens_[at_].kind != Token::Kind::end) ++at_;
    }

    void unit() {
        Unit result;
        result.first = at_;
        const std::size_t head_at = behind_template();
        const bool type =
            (is_aggregate(tokens_[head_at].text) && (head_at == at_ || is_structure(head_at))) ||
            is("typedef") || is("using");
        const bool is_enum = is("enum") || is("typedef", "enum");
        int depth = 0;
        bool value = false, head = true;
        for (; tokens_[at_].kind != Token::Kind::end; ++at_) {
            const Token& token = tokens_[at_];
            if (depth == 0 && token.is(";")) break;
            const bool behind = at_ >= head_at;  // a template's parameters
            if (depth == 0 && behind && token.is("=")) value = true;
            if (depth == 0 && token.is("(") && at_ > head_at && !type && !value && head &&
                is_name_of(tokens_[at_ - 1]) && !result.is_function &&
                !is_cuda_attribute(tokens_[at_ - 1].text)) {
                result.is_function = true;
                result.names = {tokens_[at_ - 1].text};  // and none of its template's
            }
            if (token.is("{")) head = false;
            if (head) mark(token, result);
            if (is_name_of(token) && behind &&
                (is_enum ||
                 ((depth == 0 || tokens_[at_ - 1].is("*")) && declares(at_, result, type))))
                result.names.push_back(token.text);
            if (token.is("(") || token.is("{") || token.is("[")) ++depth;
            if (token.is(")") || token.is("}") || token.is("]")) --depth;
            if (depth < 0) break;
            if (depth == 0 && token.is("}") && !type && !value) break;
        }
        result.last = tokens_[at_].kind == Token::Kind::end ? at_ : at_ + 1;
        at_ = result.last;
        units_.push_back(std::move(result));
    }

    // Where a template's parameters end, or the unit begins.
    std::size_t behind_template() const {
        std::size_t at = at_ + 1;
        if (!is("template", "<")) return at_;
        for (int depth = 0; tokens_[at].kind != Token::Kind::end; ++at) {
            depth += tokens_[at].is("<")    ? 1
                     : tokens_[at].is(">")  ? -1
                     : tokens_[at].is(">>") ? -2
                                            : 0;
            if (depth <= 0) return at + 1;
        }
        return at_;
    }
    // Whether braces follow its name, and the arguments of a special case.
    bool is_structure(std::size_t at) const {
        while (tokens_[at].kind != Token::Kind::end && !tokens_[at].is("(") && !tokens_[at].is(";"))
            if (tokens_[at++].is("{")) return true;
        return false;
    }

    static void mark(const Token& token, Unit& unit) {
        for (const std::string_view word :
             {"__global__", "__device__", "__constant__", "__shared__", "__managed__"})
            unit.of_device = unit.of_device || token.text == word;
    }

    // A name that is followed by what only declared ones are, or that a type is given.
    bool declares(std::size_t at, const Unit& unit, bool type) const {
        const Token& then = tokens_[at + 1];
        if (at == unit.first) return false;
        if (type && (is_aggregate(tokens_[at - 1].text) || tokens_[at - 1].is("using")))
            return true;
        if (is_aggregate(tokens_[at - 1].text) && then.is("<")) return true;  // a special case
        if (type && tokens_[at - 1].is("*") && then.is(")")) return true;     // of a function
        const bool after_type = (type && tokens_[at - 1].is("}")) || is_name_of(tokens_[at - 1]) ||
                                tokens_[at - 1].is("*") || tokens_[at - 1].is("&") ||
                                tokens_[at - 1].is(",");
        return !unit.is_function && after_type &&
               (then.is("=") || then.is(";") || then.is("[") || then.is(",") || then.is("{"));
    }

    const std::vector<Token>& tokens_;
    std::size_t at_ = 0;
    std::vector<Unit> units_;
};

// Reads the host's functions.
class HostReader {
  public:
    // `declared`: names that the device knows, too. `instances`: explicit ones of templates, as
    // launches name them.
    HostReader(std::span<const Token> tokens, const std::set<std::string_view>& declared,
               HostCode& into, std::vector<Token>& instances)
        : tokens_(tokens.begin(), tokens.end()),
          declared_(declared),
          into_(into),
          instances_(instances) {
        for (Token& token : tokens_)
            if (token.is("true") || token.is("false")) {
                token.text = token.is("true") ? "1" : "0";
                token.kind = Token::Kind::number;
            }
    }

    void read() {
        for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
            if (tokens_[i].is("<<") && tokens_[i + 1].is("<")) launch(i);
            const bool calls = tokens_[i + 1].is("(");
            if (calls && (tokens_[i].is("cudaMalloc") || tokens_[i].is("cudaMallocManaged")))
                allocation(i + 1);
            if (calls && (tokens_[i].text.starts_with("cudaMemset") ||
                          tokens_[i].text.starts_with("cudaMemcpy")))
                filling(i);
            if (!is_name_of(tokens_[i])) continue;
            if (is_handed_on(i)) into_.written.emplace(tokens_[i].text);
            if (tokens_[i + 1].is("[")) store(i);
            if (is_name_of(tokens_[i - 1]))
                declared(i);
            else if (changes(i))
                into_.unsure.emplace(tokens_[i].text);
        }
    }

  private:
    struct Listed {
        std::vector<std::span<const Token>> parts;
        std::size_t end = 0;  // behind what closes it
    };

    std::span<const Token> between(std::size_t first, std::size_t end) const {
        return std::span(tokens_).subspan(first, end - first);
    }

    // The parts between commas, from behind the opening sign.
    Listed list(std::size_t first, std::string_view close, std::string_view then = {}) const {
        Listed result;
        int depth = 0;
        std::size_t begin = first;
        for (std::size_t i = first; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            const bool ends = depth == 0 && token.is(close) &&
                              (then.empty() || (i + 1 < tokens_.size() && tokens_[i + 1].is(then)));
            if (ends || (depth == 0 && token.is(","))) {
                if (i > begin) result.parts.push_back(between(begin, i));
                begin = i + 1;
            }
            if (ends) {
                result.end = i + (then.empty() ? 1 : 2);
                return result;
            }
            if (token.is("(") || token.is("{") || token.is("[")) ++depth;
            if (token.is(")") || token.is("}") || token.is("]")) --depth;
            if (token.is(";") || depth < 0) break;
        }
        return {};
    }

    // Casts are left out, and a size stands for its type.
    static std::string text(std::span<const Token> tokens) {
        Types types;
        types.of_cuda = true;
        std::string result;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const auto is = [&](std::size_t ahead, std::string_view sign) {
                return i + ahead < tokens.size() && tokens[i + ahead].is(sign);
            };
            const auto type_at = [&](std::size_t ahead) -> const Type* {
                if (i + ahead >= tokens.size()) return nullptr;
                const std::string_view word = tokens[i + ahead].text;
                return word == "unsigned" ? types.scalar(Scalar::uint) : types.named(word);
            };
            if (is(0, "sizeof") && is(1, "(") && type_at(2) != nullptr && is(3, ")")) {
                result += fmt::format(" {}", type_at(2)->bytes);
                i += 3;
            } else if (is(0, "(") && type_at(1) != nullptr && is(2, ")")) {
                i += 2;
            } else if (tokens[i].kind == Token::Kind::number) {
                std::string_view digits = tokens[i].text;
                std::uint64_t scale = 1;
                if (is(1, "<<") && i + 2 < tokens.size()) {  // of small numbers
                    scale <<=
                        std::strtoul(std::string(tokens[i + 2].text).c_str(), nullptr, 0) & 31U;
                    i += 2;
                }
                const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
                if (scale > 1) result += fmt::format(" {} *", scale);
                result +=
                    fmt::format(" {}", digits.substr(0, hex ? digits.find_first_of("uUlL")
                                                            : digits.find_first_of("uUlLfF")));
            } else {
                result += " ";
                result += tokens[i].text;
            }
        }
        return result.empty() ? result : result.substr(1);
    }

    // dim3(a, b), {a, b}, or a number.
    std::vector<std::string> sizes(std::span<const Token> tokens) const {
        std::size_t open = 0;
        if (!tokens.empty() && tokens[0].is("dim3")) open = 1;
        if (open < tokens.size() && (open == 1 || tokens[0].is("{"))) {
            const auto first = static_cast<std::size_t>(tokens.data() - tokens_.data()) + open + 1;
            std::vector<std::string> found;
            for (const auto& part : list(first, tokens[open].is("{") ? "}" : ")").parts)
                found.push_back(text(part));
            return found;
        }
        if (tokens.size() == 1 && !into_.unsure.contains(tokens[0].text))
            if (const auto known = dims_.find(tokens[0].text); known != dims_.end())
                return known->second;
        return {text(tokens)};
    }

    void launch(std::size_t at) {
        const Listed shape = list(at + 2, ">>", ">");
        if (shape.parts.size() < 2 || shape.end >= tokens_.size()) return;
        HostLaunch made;
        std::size_t name = at - 1;
        if (tokens_[name].is(">"))
            while (name > 0 && !tokens_[name].is("<"))
                --name;
        if (name < at - 1 && name > 0) --name;
        std::vector<Token> named(tokens_.begin() + static_cast<std::ptrdiff_t>(name),
                                 tokens_.begin() + static_cast<std::ptrdiff_t>(at));
        made.kernel = named[0].text;
        made.place = named[0].place;
        for (std::size_t i = 1; i < named.size(); ++i) {
            if (const auto known = numbers_.find(named[i].text); known != numbers_.end())
                named[i] = known->second;
            made.kernel += std::string(named[i].text) + (named[i].is(",") ? " " : "");
        }
        if (named.size() > 1) instance(named);
        made.grid = sizes(shape.parts[0]);
        made.block = sizes(shape.parts[1]);
        if (shape.parts.size() > 2) made.shared = text(shape.parts[2]);
        if (tokens_[shape.end].is("("))
            for (const auto& part : list(shape.end + 1, ")").parts)
                made.arguments.push_back(text(part));
        into_.launches.push_back(std::move(made));
    }

    // Of constants and types that the device's code can know, too.
    void instance(const std::vector<Token>& named) {
        Types types;
        for (std::size_t i = 1; i < named.size(); ++i)
            if (is_name_of(named[i]) && !declared_.contains(named[i].text) &&
                types.named(named[i].text) == nullptr)
                return;
        Token word = named[0], semicolon = word;
        word.text = "template";
        semicolon.text = ";";
        semicolon.kind = Token::Kind::punctuation;
        instances_.push_back(word);
        instances_.insert(instances_.end(), named.begin(), named.end());
        instances_.push_back(semicolon);
    }

    // cudaMalloc(&name, bytes), with a cast or not.
    void allocation(std::size_t open) {
        const Listed given = list(open + 1, ")");
        if (given.parts.size() < 2) return;
        const auto pointer = given.parts[0].back().text;
        const auto [known, is_new] = into_.bytes.emplace(pointer, text(given.parts[1]));
        if (!is_new && known->second != text(given.parts[1])) into_.unsure.emplace(pointer);
    }

    // Whether a function of the host is given it, which may fill it.
    bool is_handed_on(std::size_t at) const {
        const Token &before = tokens_[at - 1], &then = tokens_[at + 1];
        if (!(before.is("(") || before.is(",")) || !(then.is(")") || then.is(","))) return false;
        int depth = 0;
        std::size_t open = at - 1;
        for (; open > 0 && (depth > 0 || !tokens_[open].is("(")); --open) {
            if (tokens_[open].is(";") || tokens_[open].is("{")) return false;
            depth += tokens_[open].is(")") ? 1 : tokens_[open].is("(") ? -1 : 0;
        }
        const Token& function = tokens_[open > 0 ? open - 1 : 0];
        return is_name_of(function) && !function.text.starts_with("cuda") &&
               !function.text.starts_with("CU") && !function.is("free") && !function.is("printf") &&
               !function.is("sizeof");
    }

    // Whether a variable gets another value there than where it is declared.
    bool changes(std::size_t at) const {
        constexpr std::array<std::string_view, 14> kChanges{
            "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--", ">>"};
        const auto is_change = [&](const Token& token) {
            return std::find(kChanges.begin(), kChanges.end(), token.text) != kChanges.end();
        };
        const Token& before = tokens_[at - 1];
        const bool streamed = before.is(">>") && at > 1 && is_name_of(tokens_[at - 2]);
        const bool handed =
            before.is("&") && at > 1 &&
            (tokens_[at - 2].is(",") ||
             (at > 2 && tokens_[at - 2].is("(") && !tokens_[at - 3].text.starts_with("cuda")));
        const bool part = tokens_[at + 1].is(".") && at + 3 < tokens_.size() &&
                          is_change(tokens_[at + 3]);  // grid.x = 2
        return streamed || handed || part || before.is("++") || before.is("--") ||
               (is_change(tokens_[at + 1]) && !tokens_[at + 1].is(">>") && !before.is("*") &&
                !before.is("."));
    }

    // cudaMemset(name, value, bytes); cudaMemcpy(name, …), whose values are not known.
    void filling(std::size_t at) {
        const Listed given = list(at + 2, ")");
        if (given.parts.size() < 3) return;
        const std::string pointer(given.parts[0].back().text);
        if (tokens_[at].is("cudaMemset") || tokens_[at].is("cudaMemsetAsync"))
            fill(pointer, {text(given.parts[1]), text(given.parts[2]), true});
        else
            into_.written.insert(pointer);
    }

    void fill(const std::string& pointer, const HostFill& with) {
        const auto [known, is_new] = into_.fills.emplace(pointer, with);
        if (!is_new) into_.written.insert(pointer);
    }

    // Whether what follows is not done in each turn of the loop.
    bool chooses(std::size_t from, std::size_t to) const {
        return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(from),
                           tokens_.begin() + static_cast<std::ptrdiff_t>(to),
                           [](const Token& each) {
                               return each.is("if") || each.is("switch") || each.is("continue");
                           });
    }

    // name[i] = value; of a loop for (int i = 0; i < count; …), or of another.
    void store(std::size_t at) {
        const Listed index = list(at + 2, "]");
        if (index.end == 0 || index.end >= tokens_.size() || !tokens_[index.end].is("=")) return;
        const std::string pointer(tokens_[at].text);
        std::size_t loop = at, end = index.end;
        while (loop > 0 && !tokens_[loop].is("for"))
            --loop;
        while (end < tokens_.size() && !tokens_[end].is(";"))
            ++end;
        const auto is = [&](std::size_t ahead, std::string_view word) {
            return loop + ahead < tokens_.size() && tokens_[loop + ahead].is(word);
        };
        const std::string_view counter = tokens_[at + 2].text;
        std::size_t close = loop + 9;
        while (close < at && !tokens_[close].is(";"))
            ++close;
        const bool counts = is(1, "(") && is(3, counter) && is(4, "=") &&
                            tokens_[loop + 5].text == "0" && is(6, ";") && is(7, counter) &&
                            is(8, "<") && index.end == at + 4 && close < at && !chooses(close, at);
        if (counts)
            fill(pointer, {text(between(index.end + 1, end)), text(between(loop + 9, close))});
        else
            into_.written.insert(pointer);
    }

    // Type name = value, and dim3 name(a, b).
    void declared(std::size_t at, bool is_dim3 = false) {
        const Token& then = tokens_[at + 1];
        const std::string name(tokens_[at].text);
        if ((is_dim3 || tokens_[at - 1].is("dim3")) && (then.is("(") || then.is("{"))) {
            const Listed found = list(at + 2, then.is("(") ? ")" : "}");
            for (const auto& part : found.parts)
                dims_[name].push_back(text(part));
            if (found.end + 2 < tokens_.size() && tokens_[found.end].is(","))
                declared(found.end + 1, true);  // dim3 grid(2), block(64)
        } else if (then.is("=")) {
            std::size_t end = at + 2;
            int depth = 0;
            for (; end < tokens_.size() && !tokens_[end].is(";"); ++end) {
                if (depth == 0 && tokens_[end].is(",")) break;
                depth += tokens_[end].is("(") ? 1 : tokens_[end].is(")") ? -1 : 0;
            }
            const std::string value = text(between(at + 2, end));
            const auto [known, is_new] = into_.values.emplace(name, value);
            if (!is_new && known->second != value) into_.unsure.insert(name);
            if (end == at + 3 && tokens_[at + 2].kind == Token::Kind::number)
                numbers_.insert_or_assign(tokens_[at].text, tokens_[at + 2]);
        }
    }

    std::vector<Token> tokens_;
    const std::set<std::string_view>& declared_;
    HostCode& into_;
    std::vector<Token>& instances_;
    std::map<std::string, std::vector<std::string>, std::less<>> dims_;
    std::map<std::string_view, Token> numbers_;  // of constants, as declared last
};

// cooperative_groups::sync becomes __cg_sync, and so does sync where `using` brings it in, if no
// function of the text has its name. `declared`: the text's own names.
void name_groups(std::vector<Token>& tokens,
                 const std::map<std::string_view, std::string_view>& groups,
                 const std::set<std::string_view>& declared) {
    std::set<std::string_view> spaces{"cooperative_groups"}, used;
    bool all = false;
    const auto is = [&](std::size_t at, std::string_view word) {
        return at < tokens.size() && tokens[at].is(word);
    };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is(i, "namespace") && is(i + 2, "=") && is_name_of(tokens[i + 3]) &&
            spaces.contains(tokens[i + 3].text))
            spaces.insert(tokens[i + 1].text);
        if (!is_name_of(tokens[i]) || !spaces.contains(tokens[i].text)) continue;
        all = all || (i > 1 && is(i - 1, "namespace") && is(i - 2, "using"));
        if (!is(i + 1, ":") || !is(i + 2, ":")) continue;
        const auto found = groups.find(tokens[i + 3].text);
        if (found == groups.end()) continue;
        tokens[i + 3].text = found->second;
        if (i > 0 && is(i - 1, "using")) used.insert(found->first);
    }
    for (std::size_t i = 1; i < tokens.size() && (all || !used.empty()); ++i)
        if (const auto found = groups.find(tokens[i].text);
            found != groups.end() && is_name_of(tokens[i]) && !is(i - 1, ".") && !is(i - 1, "->") &&
            !declared.contains(found->first) && (all || used.contains(found->first)))
            tokens[i].text = found->second;
}

}  // namespace

bool is_cuda_attribute(std::string_view word) {
    static constexpr std::array<std::string_view, 6> kWords{"__launch_bounds__", "__align__",
                                                            "alignas",           "__maxnreg__",
                                                            "__cluster_dims__",  "__attribute__"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool is_cuda(std::string_view file, std::string_view text) {
    return file.ends_with(".cu") || file.ends_with(".cuh") || text.starts_with("//! cuda");
}

HostCode take_host_code(std::vector<Token>& tokens) {
    HostCode host;
    const std::vector<Unit> units = FileScope(tokens).units();
    std::vector<bool> kept(units.size());
    const auto own = [&](const Unit& unit) {
        return tokens[unit.first].place.file != kPreludeFile;
    };
    std::map<std::string_view, std::string_view> groups;
    std::set<std::string_view> own_names;
    std::multimap<std::string_view, std::size_t> declaring;  // what is read where it is named
    for (std::size_t i = 0; i < units.size(); ++i)
        for (const std::string_view name : units[i].names) {
            if (own(units[i])) {
                own_names.insert(name);
            } else if (name.starts_with(kGroupPrefix)) {
                groups.emplace(name.substr(kGroupPrefix.size()), name);
                declaring.emplace(kGroupPrefix, i);  // all of them
            }
        }
    name_groups(tokens, groups, own_names);
    for (std::size_t i = 0; i < units.size(); ++i)
        if (!units[i].is_function || !own(units[i]) || tokens[units[i].first].is("constexpr"))
            for (const std::string_view name : units[i].names)
                declaring.emplace(name, i);
    std::set<std::string_view> named;
    std::vector<std::string_view> news;
    const auto name = [&](const Token& token) {
        const bool group = token.text.starts_with(kGroupPrefix);
        const std::string_view word = group ? kGroupPrefix : token.text;
        if (is_name_of(token) && named.insert(word).second) news.push_back(word);
    };
    const auto keep = [&](std::size_t index) {
        if (kept[index]) return;
        kept[index] = true;
        for (std::size_t i = units[index].first; i < units[index].last; ++i)
            name(tokens[i]);
    };
    for (std::size_t i = 0; i < units.size(); ++i)
        if (units[i].of_device && own(units[i])) keep(i);
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i)  // name<T, B><<<: what B is, counts
        if (tokens[i].is(">") && tokens[i + 1].is("<<") && tokens[i + 2].is("<"))
            for (std::size_t k = i; k > 0 && !tokens[k].is("<") && i - k < 64; --k)
                name(tokens[k]);
    while (!news.empty()) {
        const auto [first, last] = declaring.equal_range(news.back());
        news.pop_back();
        for (auto each = first; each != last; ++each)
            keep(each->second);
    }
    std::set<std::string_view> declared;
    for (std::size_t i = 0; i < units.size(); ++i)
        if (kept[i]) declared.insert(units[i].names.begin(), units[i].names.end());
    std::vector<Token> left, instances;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const Unit& unit = units[i];
        const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(unit.first);
        const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(unit.last);
        if (kept[i]) left.insert(left.end(), begin, end);
        if (!own(unit)) continue;
        if (!kept[i] || !unit.is_function)
            HostReader({tokens.data() + unit.first, unit.last - unit.first}, declared, host,
                       instances)
                .read();
        if (!kept[i] && unit.is_function) host.functions.emplace(unit.names.front());
    }
    left.insert(left.end(), instances.begin(), instances.end());
    left.push_back(tokens.back());
    // A namespace is no part of a name here, and what [[…]] says changes nothing.
    std::vector<Token> plain;
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto follow = [&](std::string_view sign) {
            return i + 1 < left.size() && left[i].is(sign) && left[i + 1].is(sign);
        };
        if (follow("[")) {
            while (i + 1 < left.size() && !follow("]"))
                ++i;
            ++i;
            continue;
        }
        if (left[i].is(":") && i + 1 < left.size() && left[i + 1].is(":")) {
            if (!plain.empty() && is_name_of(plain.back())) plain.pop_back();
            ++i;
            continue;
        }
        const bool brings = left[i].is("using") && !left[std::min(i + 2, left.size() - 1)].is("=");
        if (brings || (left[i].is("namespace") && left[std::min(i + 2, left.size() - 1)].is("="))) {
            while (i + 1 < left.size() && !left[i].is(";"))
                ++i;
            continue;
        }
        plain.push_back(left[i]);
    }
    tokens = std::move(plain);
    return host;
}

std::string_view cuda_specifier(std::string_view word) {
    for (const CudaWord& each : kSpecifiers)
        if (each.word == word) return each.opencl;
    const bool plain = std::find(kPlainWords.begin(), kPlainWords.end(), word) != kPlainWords.end();
    return plain ? std::string_view() : word;
}

CudaFunction cuda_function(std::string_view name) {
    for (const CudaFunction& each : functions())
        if (each.name == name) return each;
    const auto numbers = [](std::string_view of) {
        const auto known = find_function(of);
        return known && known->builtin <= Builtin::max ? known->name : std::string_view();
    };
    const bool quick = name.starts_with("__");  // __expf
    if (name.ends_with("f")) {
        const std::string plain =
            fmt::format("{}{}", quick ? "native_" : "",
                        name.substr(quick ? 2 : 0, name.size() - (quick ? 3 : 1)));
        const auto known = find_function(plain);
        const bool floats = known && known->builtin == Builtin::pure &&
                            (known->signature == Signature::floats ||
                             known->signature == Signature::floats_scalars ||
                             known->signature == Signature::float_int);
        if (floats) return {name, known->name};
    }
    if (!numbers(name).empty()) return {name, numbers(name)};
    const auto known = find_function(name);
    const bool two = known && known->builtin >= Builtin::modf &&
                     known->builtin <= Builtin::remquo && known->builtin != Builtin::fract;
    return two ? CudaFunction{name, known->name} : CudaFunction{};
}

}  // namespace lab::lang
