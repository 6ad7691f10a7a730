#include "lang/instrument.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace lab::lang {
namespace {

// What is inserted are names, so that one and the same text is right wherever a macro's body with a
// barrier in it comes to stand: in the kernel, and in a function that is called by it.
constexpr const char* kSnapshot = " LAB_SNAPSHOT";     // after a barrier
constexpr const char* kState = "LAB_STATE";            // a further argument of a call
constexpr const char* kParameters = "LAB_PARAMETERS";  // of a function
constexpr const char* kArguments = "LAB_ARGUMENTS";    // further parameters of the kernel
constexpr const char* kBegin = " LAB_BEGIN";           // of the kernel
constexpr const char* kEnd = "LAB_END ";
constexpr const char* kDeclared = " LAB_DECLARED_{}";  // after variable k

// A function's tokens; of one that is only declared, the first two.
struct Range {
    const FunctionDefinition* function = nullptr;
    std::size_t open = 0, close = 0;  // the parentheses of its parameters
    std::size_t begin = 0, end = 0;   // the braces of its body
    bool has_body() const { return end != 0; }
};

[[noreturn]] void cannot(const std::string& why, const Sources& sources, const Place& place) {
    throw Problem("The kernel cannot be watched after each barrier", why,
                  "Step it on the machine, or launch by launch",
                  fmt::format("{}:{}:{}", sources[place.file].name, place.line, place.column),
                  Exit::kernel_fault);
}

class Insertions {
  public:
    explicit Insertions(const Sources& sources) : sources_(sources) {}

    void before(const Token& token, const std::string& text) { put(token, 0, text, 0); }
    void after(const Token& token, const std::string& text) {
        put(token, token.text.size(), text, 0);
    }
    void instead(const Token& token, const std::string& text) {
        put(token, 0, text, token.text.size());
    }

    std::string applied() const {
        const std::string& from = sources_[kTextFile].text;
        std::string text;
        std::size_t line = 1, start = 0, copied = 0;
        for (const auto& [at, edit] : edits_) {
            for (; line < at.first; ++line)
                start = from.find('\n', start) + 1;
            const std::size_t place = start + at.second - 1;
            text.append(from, copied, place - copied);
            text += edit.text;
            copied = place + edit.removed;
        }
        return text.append(from, copied);
    }

  private:
    struct Edit {
        std::string text;
        std::size_t removed = 0;
        bool operator==(const Edit&) const = default;
    };

    // Where the token is spelled; what a macro's body gives many times is changed there, once.
    void put(const Token& token, std::size_t offset, const std::string& text, std::size_t removed) {
        const Place& place = token.place;
        const bool in_macro = place.macro_line != 0;
        if ((in_macro ? place.macro_file : place.file) != kTextFile)
            cannot("A macro that stands outside of the file takes part in it", sources_, place);
        const auto line = in_macro ? place.macro_line : place.line;
        const auto column = in_macro ? place.macro_column : place.column;
        const auto [at, is_new] = edits_.try_emplace({line, column + offset}, Edit{text, removed});
        if (!is_new && at->second != Edit{text, removed})
            cannot("A macro stands for different things there", sources_, place);
    }

    const Sources& sources_;
    std::map<std::pair<std::size_t, std::size_t>, Edit> edits_;  // by line and column
};

class Instrumenter {
  public:
    Instrumenter(const Compiled& compiled, const FunctionDefinition& kernel)
        : compiled_(compiled),
          tokens_(compiled.preprocessed.tokens),
          kernel_(kernel),
          insertions_(compiled.sources) {}

    Instrumented make() {
        find_ranges();
        find_waiting();
        watch_parameters();
        for (const Range& range : ranges_)
            if (waiting_.contains(range.function)) function(range);
        made_.parameters = kernel_.parameters.size();
        const Source& text = compiled_.sources[kTextFile];
        made_.text = {text.name, insertions_.applied(),
                      compiled_.sources[kTextFile - 1].text + macros()};
        return std::move(made_);
    }

  private:
    // The token that closes the parenthesis or brace at `open`.
    std::size_t closing(std::size_t open) const {
        const bool brace = tokens_[open].is("{");
        int depth = 0;
        for (std::size_t i = open; i < tokens_.size(); ++i) {
            if (tokens_[i].is(brace ? "{" : "(")) ++depth;
            if (tokens_[i].is(brace ? "}" : ")") && --depth == 0) return i;
        }
        return open;  // in no text that could be parsed
    }

    bool is_call(std::size_t index) const {
        return tokens_[index].kind == Token::Kind::identifier && tokens_[index + 1].is("(");
    }
    bool is_barrier(std::size_t index) const {
        return is_call(index) &&
               (tokens_[index].is("barrier") || tokens_[index].is("work_group_barrier"));
    }

    void find_ranges() {
        bool pending = false;  // the last one may have a body
        for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
            if (const FunctionDefinition* called = function_at(i)) {
                ranges_.push_back({called, i + 1, closing(i + 1), 0, 0});
                pending = true;
                i = ranges_.back().close;
            } else if (tokens_[i].is("{")) {
                const std::size_t end = closing(i);
                if (pending) {
                    ranges_.back().begin = i;
                    ranges_.back().end = end;
                }
                pending = false;
                i = end;
            } else if (tokens_[i].is(";")) {
                pending = false;
            }
        }
    }

    const FunctionDefinition* function_at(std::size_t index) const {
        return is_call(index) ? compiled_.tree->find(tokens_[index].text) : nullptr;
    }

    // The kernel, and the functions in which a work-item may come to a barrier.
    void find_waiting() {
        waiting_.insert(&kernel_);
        for (const Range& range : ranges_)
            for (std::size_t i = range.begin; i < range.end; ++i)
                if (is_barrier(i)) waiting_.insert(range.function);
        for (std::size_t before = ~std::size_t{0}; before != waiting_.size();) {
            before = waiting_.size();
            for (const Range& range : ranges_)
                for (const FunctionDefinition* called : range.function->calls)
                    if (waiting_.contains(called)) waiting_.insert(range.function);
        }
    }

    void watch_parameters() {
        for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
            const Variable& parameter = *kernel_.parameters[i];
            const Type& type = *parameter.type;
            if (!type.is_pointer()) continue;
            if (type.space == Space::local || (type.space == Space::global && !type.to_const))
                made_.watched.push_back({parameter.name, type.space, true, i, 0});
        }
    }

    void function(const Range& range) {
        const bool is_kernel = range.function == &kernel_;
        if (!is_kernel && range.function->is_kernel)
            cannot(fmt::format("The kernel '{}' waits too", range.function->name),
                   compiled_.sources, tokens_[range.open].place);
        add_to_list(range.open, range.close, is_kernel ? kArguments : kParameters);
        if (!range.has_body()) return;
        if (is_kernel) insertions_.after(tokens_[range.begin], kBegin);
        bool returns = false;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            returns = returns || tokens_[i].is("return");
            if (is_barrier(i))
                insertions_.after(tokens_[closing(i + 1)], kSnapshot);
            else if (const FunctionDefinition* called = function_at(i); waiting_.contains(called))
                add_to_list(i + 1, closing(i + 1), kState);
            else
                check_collective(i);
            if (is_kernel) i = variable(i);
        }
        if (!is_kernel || returns) return;
        insertions_.before(tokens_[range.end], kEnd);
        made_.at_end = true;
    }

    void add_to_list(std::size_t open, std::size_t close, const char* what) {
        if (close == open + 2 && tokens_[open + 1].is("void"))
            insertions_.instead(tokens_[open + 1], what);
        else
            insertions_.before(tokens_[close],
                               fmt::format("{}{}", close == open + 1 ? "" : ", ", what));
    }

    // They are barriers to the machine, and it is the device's own affair how they wait.
    void check_collective(std::size_t index) const {
        if (!is_call(index)) return;
        const auto known = find_function(tokens_[index].text);
        if (known && known->builtin == Builtin::wait_events)
            cannot("A wait for copies is a barrier of the device's own", compiled_.sources,
                   tokens_[index].place);
        if (known && known->builtin >= Builtin::reduce && known->builtin <= Builtin::vote_all &&
            known->collective.of == Collective::Of::group)
            cannot(fmt::format("'{}' waits within the device's library", tokens_[index].text),
                   compiled_.sources, tokens_[index].place);
    }

    // Local variables of the declaration that `at` stands in; the last token that was looked at.
    std::size_t variable(std::size_t index) {
        if (local_at(index) == nullptr) return index;
        std::string text;
        int depth = 0;
        for (;; ++index) {
            if (tokens_[index].is("(") || tokens_[index].is("[")) ++depth;
            if (tokens_[index].is(")") || tokens_[index].is("]")) --depth;
            if (depth == 0 && tokens_[index].is(";")) break;
            if (const Variable* found = local_at(index)) {
                text += fmt::format(kDeclared, made_.watched.size());
                made_.watched.push_back({found->name, Space::local, false, 0, found->type->bytes});
            }
        }
        insertions_.after(tokens_[index], text);
        return index;
    }

    const Variable* local_at(std::size_t index) const {
        if (tokens_[index].kind != Token::Kind::identifier) return nullptr;
        for (const Variable& variable : compiled_.tree->variables)
            if (variable.space == Space::local && !variable.is_argument &&
                variable.place == tokens_[index].place && variable.name == tokens_[index].text)
                return &variable;
        return nullptr;
    }

    static std::string pointer(Space space) {
        return fmt::format("volatile {} uchar*", name_of(space));
    }

    std::string macros() const {
        std::string state = "lab_head, lab_to, lab_count";
        std::string parameters =
            "volatile global uint* lab_head, global uchar* lab_to, uint* lab_count";
        std::string begin = "uint lab_taken = 0; uint* lab_count = &lab_taken;";
        std::string copies, declared;
        for (std::size_t k = 0; k < made_.watched.size(); ++k) {
            const Watched& watched = made_.watched[k];
            const std::string type = pointer(watched.space);
            state += fmt::format(", lab_{}", k);
            parameters += fmt::format(", {} lab_{}", type, k);
            begin +=
                fmt::format(" {} lab_{} = {};", type, k,
                            watched.is_parameter ? fmt::format("({}){}", type, watched.name) : "0");
            if (!watched.is_parameter)
                declared += fmt::format("#define LAB_DECLARED_{0} lab_{0} = ({1})&{2};\n", k, type,
                                        watched.name);
            copies += fmt::format(R"(        if (lab_{0} != 0)
            for (uint lab_i = lab_id; lab_i < lab_head[{1}]; lab_i += lab_items)
                lab_at[lab_i] = lab_{0}[lab_i];
        lab_at += lab_head[{1}];
)",
                                  k, k + 2);
        }
        std::string text =
            fmt::format("#define LAB_STATE {}\n#define LAB_PARAMETERS {}\n", state, parameters);
        text += fmt::format("#define LAB_BEGIN {}\n{}", begin, declared);
        text +=
            "#define LAB_ARGUMENTS volatile global uint* lab_head, global uchar* lab_to\n"
            "#define LAB_SNAPSHOT , lab_snapshot(LAB_STATE)\n"
            "#define LAB_END lab_snapshot(LAB_STATE);\n";
        return text + fmt::format(kFunction, copies, made_.watched.size() + 2);
    }

    // Groups and work-items are numbered as in base/index_space.h. The group's size is asked for
    // outside of the loops' conditions, because of PoCL 3.1.
    static constexpr const char* kFunction = R"(void lab_snapshot(LAB_PARAMETERS)
{{
    const uint lab_id = get_local_id(0) +
        get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    const uint lab_items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const ulong lab_group = get_group_id(0) +
        get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint lab_number = *lab_count;
    const uint lab_most = lab_head[0];
    if (lab_number < lab_most) {{
        global uchar* lab_at = lab_to + (lab_group * lab_most + lab_number) * lab_head[1];
{}    }}
    *lab_count = lab_number + 1;
    if (lab_id == 0)
        lab_head[{} + lab_group] = lab_number + 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}}
)";

    const Compiled& compiled_;
    const std::vector<Token>& tokens_;
    const FunctionDefinition& kernel_;
    Insertions insertions_;
    std::vector<Range> ranges_;
    std::set<const FunctionDefinition*> waiting_;
    Instrumented made_;
};

}  // namespace

Instrumented instrument(const Text& text, std::string_view kernel) {
    const Compiled compiled = compile(text, kernel);
    if (!compiled.code) throw problem_of(compiled.diagnostics, compiled.sources);
    Instrumented instrumented = Instrumenter(compiled, *compiled.kernel).make();
    instrumented.text.includes = text.includes;
    // A macro may be used where what was inserted is wrong.
    const Compiled again = compile(instrumented.text, compiled.kernel->name);
    const auto count = [](const Compiled& of, std::string_view name) {
        const auto& tokens = of.preprocessed.tokens;
        return std::count_if(tokens.begin(), tokens.end(),
                             [&](const Token& token) { return token.is(name); });
    };
    const auto barriers = count(compiled, "barrier") + count(compiled, "work_group_barrier");
    const auto snapshots = count(again, "lab_snapshot") - 1 - (instrumented.at_end ? 1 : 0);
    if (!again.code || barriers != snapshots)
        cannot("Its macros are used for more than one thing", compiled.sources,
               compiled.kernel->place);
    return instrumented;
}

}  // namespace lab::lang
