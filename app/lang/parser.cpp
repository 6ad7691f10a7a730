#include "lang/parser.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "base/problem.h"
#include "base/text.h"

namespace lab::lang {

constexpr int kDeepestNesting = 200;  // statements and expressions in each other; deeper is refused

const FunctionDefinition* Tree::find(std::string_view name) const {
    for (const FunctionDefinition& function : functions)
        if (function.name == name) return &function;
    return nullptr;
}

std::vector<const FunctionDefinition*> Tree::kernels() const {
    std::vector<const FunctionDefinition*> found;
    for (const FunctionDefinition& function : functions)
        if (function.is_kernel && function.body != nullptr) found.push_back(&function);
    return found;
}

// Pointers in structures point to global memory; where that is wrong, to others.
std::unique_ptr<Tree> parse(const std::vector<Token>& tokens, Diagnostics& diagnostics,
                            const HostCode* host) {
    std::unique_ptr<Tree> first;
    std::optional<Diagnostics> errors;
    for (const Space members : {Space::global, Space::private_, Space::generic}) {
        auto tree = std::make_unique<Tree>();
        tree->types.of_cuda = host != nullptr;
        Diagnostics found = diagnostics;
        Parser parser(tokens, *tree, found, host, members);
        parser.program();
        const bool done = !found.failed();
        if (done || !errors) {
            first = std::move(tree);
            errors = std::move(found);
        }
        if (done || !parser.assumes_members()) break;
    }
    diagnostics = std::move(*errors);
    return first;
}

Parser::Parser(const std::vector<Token>& tokens, Tree& tree, Diagnostics& diagnostics,
               const HostCode* host, Space members)
    : tokens_(tokens),
      tree_(tree),
      types_(tree.types),
      diagnostics_(diagnostics),
      host_(host),
      members_(members) {
    scopes_.emplace_back();
}

Parser::Deeper::Deeper(Parser& parser) : parser_(parser) {
    if (++parser_.depth_ <= kDeepestNesting) return;
    --parser_.depth_;
    parser_.syntax_error(fmt::format("this is nested deeper than {} levels", kDeepestNesting),
                         "Split it into functions or variables");
}

const Token& Parser::peek(std::size_t ahead) const {
    const std::size_t place = at_ + ahead;
    return place < tokens_.size() ? tokens_[place] : tokens_.back();
}

const Token& Parser::next() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
}

bool Parser::accept(std::string_view text) {
    if (!at(text)) return false;
    next();
    return true;
}

std::string Parser::found() const {
    const Token& token = peek();
    if (token.kind == Token::Kind::end) return "found the end of the text";
    return fmt::format("found '{}'", token.text.substr(0, 40));
}

Place Parser::expect(std::string_view text, std::string_view after) {
    if (at(text)) return next().place;
    // A missing ; is best shown where it should stand, and what follows is read as if it stood
    // there.
    if (at_ > 0 && (text == ";" || text == ")" || text == "]") && peek().line_start) {
        Place place = tokens_[at_ - 1].place;
        if (place.macro_line == 0) place.column += place.length;
        place.length = 1;
        error(place, fmt::format("expected '{}' after {}", text, after));
        if (text == ";") return place;
        throw Recover();
    }
    syntax_error(fmt::format("expected '{}' after {}, {}", text, after, found()));
}

// Messages name types as "a float"; these are the only ones whose names begin with a vowel.
// What is wrong in CUDA's own functions is so of the call.
void Parser::error(const Place& given, std::string message, std::string hint) {
    const bool own = given.file == kPreludeFile && called_at_.line != 0;
    const Place& place = own ? called_at_ : given;
    for (const char* type : {"a int", "a event_t"})
        for (std::size_t index = 0; (index = message.find(type, index)) != std::string::npos;
             ++index)
            if (index == 0 || message[index - 1] == ' ') message.insert(index + 1, 1, 'n');
    diagnostics_.error(place, std::move(message), std::move(hint));
}

void Parser::syntax_error(std::string message, std::string hint) {
    error(peek().place, std::move(message), std::move(hint));
    throw Recover();
}

void Parser::skip_balanced(std::string_view open, std::string_view close) {
    int depth = 0;
    while (peek().kind != Token::Kind::end) {
        if (at(open)) ++depth;
        if (at(close) && --depth <= 0) {
            next();
            return;
        }
        next();
    }
}

// To behind the ';' of this statement, or to the '}' that ends the block around it. `open`: braces
// of the statement that are open already.
void Parser::skip_statement(int open) {
    while (peek().kind != Token::Kind::end) {
        if (at("}") && open == 0) return;
        if (at("{") && open == 0) {
            skip_balanced("{", "}");
            return;
        }
        if (at("{")) ++open;
        if (at("}")) --open;
        const bool ends = at(";") && open == 0;
        next();
        if (ends) return;
    }
}

void Parser::skip_declaration() {
    while (peek().kind != Token::Kind::end) {
        if (at("{")) {
            skip_balanced("{", "}");
            accept(";");
            return;
        }
        if (accept(";") || accept("}")) return;
        next();
    }
}

// After an error in a declaration, what it would have declared: uses of that are no further news.
void Parser::mark_broken(std::size_t from) {
    for (std::size_t i = from; i + 1 < tokens_.size() && i < at_; ++i) {
        const Token& token = tokens_[i];
        const Token& then = tokens_[i + 1];
        const bool in_brackets = i > 0 && tokens_[i - 1].is("*") && then.is(")");
        if (token.kind != Token::Kind::identifier || at_type_word(token.text) ||
            !(then.is(";") || then.is(",") || then.is("=") || then.is("[") || in_brackets))
            continue;
        scopes_.back().names.try_emplace(std::string(token.text), Symbol{.broken = true});
    }
}

Symbol* Parser::find(std::string_view name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (const auto found = scope->names.find(name); found != scope->names.end())
            return &found->second;
    return nullptr;
}

void Parser::declare(const std::string& name, Symbol symbol, const Place& place) {
    if (name.empty()) return;
    auto& names = scopes_.back().names;
    if (const auto before = names.find(name); before != names.end() && !before->second.broken) {
        const Variable* variable = before->second.variable;
        error(place, fmt::format("'{}' is already declared in this scope", name),
              variable != nullptr ? fmt::format("The first is in line {}", variable->place.line)
                                  : "Choose another name");
        return;
    }
    names[name] = symbol;
}

const Type* Parser::tag(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (const auto found = scope->tags.find(name); found != scope->tags.end())
            return found->second;
    return nullptr;
}

void Parser::program() {
    while (peek().kind != Token::Kind::end && !diagnostics_.full()) {
        const std::size_t before = at_;
        const std::size_t scopes = scopes_.size();
        if (at("}")) {  // after an error it mostly belongs to what was skipped
            if (!diagnostics_.failed()) error(peek().place, "this '}' closes no '{'");
            next();
            continue;
        }
        try {
            external_declaration();
        } catch (const Recover&) {
            scopes_.resize(scopes);
            depth_ = loops_ = breakable_ = 0;
            skip_declaration();
            if (!tokens_[before].is("typedef")) continue;
            if (tokens_[at_ - 1].is("}")) skip_declaration();  // to behind its names
            mark_broken(before);
        }
        if (at_ == before) next();  // whatever it is, it must not stop us
    }
    instantiate_kernels();
    for (const auto& [function, errors] : withheld_)
        if (!instantiated_.contains(function))
            for (const Diagnostic& each : errors)
                diagnostics_.add(each);
}

namespace {

constexpr std::uint32_t kDeepestType = 100;  // types in each other; deeper is refused

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// What to use in place of a type that is not supported; empty for any other word.
const char* instead_of(std::string_view type) {
    if (is_one_of(type, {"image1d_t", "image1d_buffer_t", "image1d_array_t", "image2d_t",
                         "image2d_array_t", "image2d_depth_t", "image2d_array_depth_t",
                         "image2d_msaa_t", "image3d_t", "sampler_t"}))
        return "Images are left out: use a buffer";
    if (is_one_of(type, {"queue_t", "clk_event_t", "ndrange_t", "pipe", "reserve_id_t", "complex"}))
        return "Reductions get by with buffers of numbers";
    return "";
}

// Words that may begin or continue a declaration, apart from names of types.
bool is_specifier(std::string_view word) {
    return is_one_of(word,
                     {"const",       "volatile",      "restrict",  "__restrict", "__restrict__",
                      "__const",     "__volatile",    "kernel",    "__kernel",   "global",
                      "__global",    "local",         "__local",   "__generic",  "constant",
                      "__constant",  "private",       "__private", "inline",     "__inline",
                      "__inline__",  "static",        "extern",    "typedef",    "register",
                      "auto",        "unsigned",      "signed",    "struct",     "enum",
                      "union",       "__attribute__", "read_only", "write_only", "__read_only",
                      "__write_only"});
}

}  // namespace

bool Parser::at_type(std::size_t ahead) {
    const Token& token = peek(ahead);
    return token.kind == Token::Kind::identifier && at_type_word(token.text);
}

bool Parser::at_type_word(std::string_view word) {
    if (is_specifier(this->word(word))) return true;
    if (const Template* known = template_named(word); known != nullptr && known->is_structure)
        return true;
    if (const Symbol* symbol = find(word)) return symbol->type != nullptr;
    return *instead_of(word) != '\0' || named_type(word) != nullptr;
}

void Parser::attribute(Specifiers* specifiers, Layout* layout) {
    next();
    expect("(", "__attribute__");
    expect("(", "__attribute__");
    while (!at(")") && peek().kind != Token::Kind::end) {
        std::string_view name = next().text;
        if (name.size() > 4 && name.substr(0, 2) == "__") name = name.substr(2, name.size() - 4);
        if (name == "packed" && layout != nullptr) layout->packed = true;
        if (name == "overloadable" && specifiers != nullptr) specifiers->is_overloadable = true;
        if (name == "aligned" && layout != nullptr && !at("(")) layout->alignment = 16;
        if (!at("(")) continue;
        const bool group = name == "reqd_work_group_size" && specifiers != nullptr;
        if (group || (name == "aligned" && layout != nullptr)) {
            const Place place = next().place;
            do {
                const char* what = group ? "a work-group size" : "an alignment";
                const auto value = static_cast<std::uint64_t>(constant_integer(what).value_or(1));
                if (group)
                    specifiers->required_group.push_back(value);
                else if (value == 0 || value > 4096 || !std::has_single_bit(value))
                    error(place, "an alignment is a power of two, 4096 at most");
                else
                    layout->alignment = value;
            } while (accept(","));
            expect(")", "the attribute's value");
        } else {
            skip_balanced("(", ")");
        }
    }
    expect(")", "the attribute");
    expect(")", "the attribute");
}

// One word that is no type; false if there is none.
bool Parser::qualifier(Specifiers& specifiers) {
    if (peek().kind != Token::Kind::identifier) return false;
    if (host_ != nullptr && skipped_attribute()) return true;
    const std::string_view word = this->word(peek().text);
    std::string_view plain = word;
    if (plain.substr(0, 2) == "__" && plain != "__attribute__") plain.remove_prefix(2);
    constexpr std::array kSpaces{Space::global, Space::local, Space::constant, Space::private_};
    const auto space = std::find_if(kSpaces.begin(), kSpaces.end(),
                                    [&](Space each) { return plain == name_of(each); });
    if (word == "__generic") {
    } else if (space != kSpaces.end()) {
        if (specifiers.space && *specifiers.space != *space)
            error(peek().place, "two different address spaces for one type",
                  "Leave one of them away");
        specifiers.space = *space;
    } else if (plain == "const")
        specifiers.is_const = true;
    else if (plain == "typedef")
        specifiers.is_typedef = true;
    else if (plain == "kernel")
        specifiers.is_kernel = true;
    else if (word == "__attribute__") {
        attribute(&specifiers);
        return true;
    } else if (plain == "extern")
        specifiers.is_extern = true;
    else if (plain == "static")
        specifiers.is_static = true;
    else if (is_one_of(plain, {"restrict", "restrict__"}))
        specifiers.is_restrict = true;
    else if (host_ != nullptr && word == "auto")
        return false;
    else if (host_ == nullptr && is_one_of(word, {"register", "auto"}))
        error(peek().place, fmt::format("OpenCL C has no '{}'", word), "Leave it away");
    else if (!is_one_of(plain,
                        {"volatile", "inline", "inline__", "register", "read_only", "write_only"}))
        return false;
    next();
    return true;
}

const Type* Parser::type_specifier(Specifiers& specifiers) {
    if (host_ != nullptr && accept("auto")) {
        specifiers.is_auto = true;
        return types_.scalar(Scalar::int_);  // until its value is read
    }
    if (word(peek().text) == "struct" || at("union")) return structure_specifier();
    if (at("enum")) return enum_specifier();
    if (peek().kind == Token::Kind::identifier && find(peek().text) == nullptr)
        if (const char* instead = instead_of(peek().text); *instead != '\0')
            syntax_error(fmt::format("'{}' is not supported here", peek().text), instead);
    // unsigned, signed, long and the rest in any order, as C has them.
    int longs = 0;
    bool is_unsigned = false, is_int = false, any = false;
    std::optional<Scalar> base;
    for (;; next()) {
        if (qualifier(specifiers)) {
            --at_;  // next() of the loop
            continue;
        }
        if (at("unsigned"))
            is_unsigned = true;
        else if (at("long") && !base)
            ++longs;
        else if (at("int") && !is_int && base != Scalar::char_)
            is_int = true;
        else if (at("char") && !base && !is_int && longs == 0)
            base = Scalar::char_;
        else if (at("short") && !base && longs == 0)
            base = Scalar::short_;
        else if (!at("signed"))
            break;
        any = true;
    }
    if (any) {
        if (longs > 1 && host_ == nullptr)
            error(peek().place, "'long long' is no type of OpenCL C", "Write long");
        const Scalar written = longs > 0 ? Scalar::long_ : base.value_or(Scalar::int_);
        return types_.scalar(integer_of(info(written).bytes, !is_unsigned));
    }
    const Token& token = peek();
    if (token.kind != Token::Kind::identifier) return nullptr;
    if (const Template* known = template_named(token.text);
        known != nullptr && known->is_structure && at("<", 1)) {
        const Template copy = *known;
        next();
        Bindings bound = template_arguments(copy);
        if (complete(copy, bound)) return structure_instance(copy, bound, copy.first);
        syntax_error(fmt::format("'{}' needs {} arguments of its template", copy.name,
                                 copy.parameters.size()));
    }
    const Symbol* symbol = find(token.text);
    const Type* type = symbol != nullptr ? symbol->type : named_type(token.text);
    if (symbol == nullptr)
        specifiers.is_size =
            is_one_of(token.text, {"size_t", "ptrdiff_t", "intptr_t", "uintptr_t"});
    if (type != nullptr) next();
    if (type != nullptr && !type->class_name.empty() && at("<")) return class_instance(*type);
    return type;
}

Specifiers Parser::specifiers() {
    Specifiers result;
    result.place = peek().place;
    for (;;) {
        if (qualifier(result)) continue;
        if (result.type != nullptr) break;
        result.type = type_specifier(result);
        if (result.type == nullptr) break;
        if (result.type->is_void() && !result.place.line) break;
    }
    if (result.type == nullptr) {
        const Token& token = peek();
        if (const Symbol* symbol = find(token.text); symbol != nullptr && symbol->broken)
            throw Recover();
        if (host_ != nullptr) refuse_left_out(token);
        if (token.kind == Token::Kind::identifier && !token.text.empty()) {
            using Missing = Diagnostic::Missing;
            diagnostics_.missing(token.place, at_type(1) ? Missing::qualifier : Missing::type,
                                 std::string(token.text),
                                 fmt::format("'{}' is no type", token.text), kTypesThereAre);
            throw Recover();
        }
        syntax_error(fmt::format("expected a type, {}", found()));
    }
    if (result.is_restrict && !result.type->is_pointer())
        error(result.place, "'restrict' is for pointers", "Write it behind the *");
    return result;
}

void Parser::check_depth(const Type& type) {
    if (type.depth >= kDeepestType)
        syntax_error(fmt::format("types are nested deeper than {} levels", kDeepestType));
}

void Parser::typedef_name(const Declarator& declared) {
    if (declared.is_function) syntax_error("types of functions are not supported here");
    if (declared.type->is_array() && declared.type->count == 0)
        error(declared.place, "the array has no length", "Write it between [ and ]");
    const Symbol* before = find(declared.name);
    if (before != nullptr && before->type == declared.type) return;  // the same again is allowed
    declare(declared.name, {.type = declared.type}, declared.place);
}

void Parser::external_declaration() {
    if (accept(";")) return;
    declaration_start_ = at_;
    if (method_of_ != nullptr) return method();
    if (static_assertion() || (host_ != nullptr && cuda_declaration())) return;
    Specifiers base = specifiers();
    if (accept(";")) return;  // a structure or enum alone
    do {
        while (at("__attribute__"))
            attribute(&base);
        const Declarator declared = declarator(base, true);
        if (base.is_typedef)
            typedef_name(declared);
        else if (host_ != nullptr && base.is_extern && declared.space == Space::local)
            declare(declared.name, {.dynamic = dynamic_pointer(declared.type)}, declared.place);
        else if (declared.is_function) {
            function(base, declared);
            return;
        } else
            file_scope_variable(base, declared);
    } while (accept(","));
    expect(";", "the declaration");
}

void Parser::file_scope_variable(const Specifiers& base, const Declarator& declared) {
    if (declared.space == Space::local && host_ == nullptr)
        error(declared.place,
              fmt::format("'{}' outside of functions cannot be local", declared.name),
              "Declare it in the kernel, or pass it as an argument");
    Variable* variable = make_variable(declared, base);
    tree_.globals.push_back(variable);
    program_variable(*variable, declared);
}

// One of the program, however often its function is called, or read for other address spaces.
void Parser::static_variable(const Specifiers& base, const Declarator& declared) {
    Variable*& variable = statics_[{function_->origin, at_}];
    if (variable == nullptr) {
        variable = make_variable(declared, base);
        variable->name = fmt::format("{}::{}", function_->origin, declared.name);
        tree_.globals.push_back(variable);
    }
    program_variable(*variable, declared);
}

void Parser::program_variable(Variable& made, const Declarator& declared) {
    Variable* variable = &made;
    variable->at_file_scope = declared.space != Space::local;
    variable->in_memory = true;
    const bool open = declared.space == Space::private_;
    if (open && host_ != nullptr && declared.is_const)
        variable->space = Space::constant;
    else if (open)
        variable->space = Space::global;
    declare(declared.name, {.variable = variable}, declared.place);
    if (accept("=") || (host_ != nullptr && at("{")))
        initialize(*variable);
    else if (declared.space == Space::constant && host_ == nullptr)
        error(declared.place, fmt::format("constant '{}' has no value", declared.name),
              "Write = and its value");
    else if (declared.space == Space::constant && !declared.type->is_pointer()) {
        E* zero = constant(types_.scalar(Scalar::int_), 0, declared.place);
        variable->initial = declared.type->in_registers()
                                ? convert(zero, declared.type, "initialise")
                                : make(E::Kind::initializer, declared.type, declared.place);
        diagnostics_.warning(declared.place,
                             fmt::format("constant '{}' has no value: it is 0 here", declared.name),
                             "Write = and what the host copies to it");
    }
    name_constant(*variable);
    if (open && host_ == nullptr && !diagnostics_.failed())
        diagnostics_.warning(
            declared.place,
            function_ != nullptr
                ? fmt::format("'{}' is static, so it is global: OpenCL C 1.2 has none in functions",
                              declared.name)
                : fmt::format("'{}' outside of functions is global: OpenCL C 1.2 wants constant",
                              declared.name),
            "Write constant or global before its type");
}

Variable* Parser::make_variable(const Declarator& declared, const Specifiers& base) {
    Variable& variable = tree_.variables.emplace_back();
    variable.name = declared.name;
    variable.type = declared.type;
    variable.space = declared.space;
    variable.is_const = declared.is_const;
    variable.any_space = declared.any_space;
    variable.is_reference = declared.is_reference;
    variable.may_refer = declared.may_refer;
    if (declared.any_space) open_pointers_.emplace(&variable, at_);
    if (mixed_.contains(at_)) {
        variable.type = types_.in_space(declared.type, Space::generic);
        variable.any_space = false;
        if (host_ == nullptr) warn_of_open(declared.place, Space::generic);
    }
    variable.place = declared.place;
    variable.in_memory = !declared.type->in_registers() || declared.space != Space::private_;
    if (is_open(*declared.type)) {
        error(declared.place, not_known(*declared.type), "Give its members before this line");
        throw Recover();
    }
    if (declared.type->is_void()) {
        error(declared.place, fmt::format("'{}' cannot be of type void", declared.name));
        variable.type = types_.scalar(Scalar::int_);
        variable.in_memory = false;
    }
    if (base.is_kernel) error(base.place, "only functions can be kernels");
    return &variable;
}

// Types that are made where they are named: structures, enumerators, pointers and arrays.
constexpr std::size_t kMostMembers = 1000;  // members of a structure; more are refused
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;  // of a type; more are refused
constexpr std::uint64_t kMostTypeLeaves = kMostBytes;         // numbers of a type; more are refused

// Not so is a structure without members, and an array of them or of no length.
static bool is_complete(const Type& type) {
    if (type.is_array()) return type.count > 0 && is_complete(*type.element);
    return !type.is_void() && !is_open(type);
}

// Those that can be named, with what is in members without a name.
static std::size_t visible_members(const Type& type) {
    std::size_t count = type.members.size();
    for (const Type::Member& member : type.members)
        if (member.name.empty()) count += visible_members(*member.type);
    return count;
}

const Type* Parser::structure_specifier() {
    const std::string kind(next().text);
    Layout layout;
    while (at("__attribute__"))
        attribute(nullptr, &layout);
    while (host_ != nullptr && skipped_attribute(&layout)) {
    }
    const Place place = peek().place;
    std::string name;
    if (peek().kind == Token::Kind::identifier) name = next().text;
    if (place.file == kPreludeFile && at(";")) return class_of_prelude(name, place);
    const bool instance = instance_ && instance_->structure != nullptr;
    while (instance && !at("{") && !at(":") && peek().kind != Token::Kind::end)
        next();  // the arguments of a special case
    const Type* base = nullptr;
    if (host_ != nullptr && accept(":")) {
        while (accept("public") || accept("private") || accept("protected")) {
        }
        Specifiers own;
        base = type_specifier(own);
        if (base == nullptr || !base->is_structure() || !is_complete(*base) || !at("{"))
            syntax_error("a structure has one other structure as its base here");
    }
    const bool has_members = at("{");
    if (!has_members) {
        if (const Type* known = tag(name)) return known;
        if (name.empty()) syntax_error(fmt::format("expected a name or '{{', {}", found()));
    }
    const auto before = scopes_.back().tags.find(name);
    const bool known = before != scopes_.back().tags.end();
    if (known && !is_open(*before->second))
        error(place, fmt::format("'{} {}' is already declared", kind, name));
    Type* type = known ? const_cast<Type*>(before->second)
                       : types_.structure(instance       ? instance_->name
                                          : name.empty() ? kind
                                                         : kind + " " + name);
    if (instance) {
        *instance_->structure = type;
        instance_.reset();
    }
    if (!name.empty()) scopes_.back().tags[name] = type;
    if (host_ != nullptr && !known) declare(name, {.type = type}, place);
    if (!has_members) return type;
    std::vector<std::size_t> methods;
    try {
        methods = structure_members(*type, base, kind == "union", layout);
    } catch (const Recover&) {  // it is known, and variables of it are no further news
        Types::set_members(*type, {{"", types_.scalar(Scalar::uchar), 0}}, false);
        throw;
    }
    const Scope bound = scopes_.size() > 1 ? scopes_[1] : Scope{};
    for (const std::size_t each : methods)
        read_again(each, &bound, type);
    return type;
}

// `base`: of CUDA, or null; it is a member without a name. Returns where member functions begin.
std::vector<std::size_t> Parser::structure_members(Type& type, const Type* base, bool overlaid,
                                                   Layout layout) {
    const Deeper deeper(*this);
    next();
    std::vector<Type::Member> members;
    std::vector<std::size_t> methods;
    std::size_t visible = 0;
    if (base != nullptr) {
        members.push_back({"", base, 0});
        visible = 1 + visible_members(*base);
    }
    const auto too_many = [&] {
        syntax_error(fmt::format("a structure has {} members at most", kMostMembers),
                     "Write an array");
    };
    while (!at("}") && peek().kind != Token::Kind::end) {
        if (host_ != nullptr && at(":", 1)) {  // public:
            next(), next();
            continue;
        }
        if (host_ != nullptr && at_method()) {
            methods.push_back(at_);
            skip_declaration();
            continue;
        }
        const Specifiers head = specifiers();
        if (host_ != nullptr && head.is_static)
            syntax_error("static members are left out", "Declare it outside of the structure");
        if (at(";") && head.type->is_structure()) {  // without a name: its members are ours
            if (!is_complete(*head.type)) syntax_error("a structure cannot hold itself");
            if ((visible += 1 + visible_members(*head.type)) > kMostMembers) too_many();
            next();
            members.push_back({"", head.type, 0});
            continue;
        }
        do {
            Declarator member = declarator(head, true);
            if (host_ != nullptr && member.any_space && !member.is_reference) {
                member.type = types_.in_space(member.type, members_);
                assumes_members_ = true;
            }
            if (member.is_reference || member.may_refer)
                syntax_error("references within structures are left out", "Write a pointer");
            if (member.type == nullptr || !is_complete(*member.type))
                syntax_error("a member of a structure needs a complete type");
            if (member.space != Space::private_)
                error(member.place,
                      fmt::format("a member cannot lie in {} memory", name_of(member.space)),
                      "Its structure lies where a variable of it is declared");
            if (at(":")) syntax_error("bit-fields are not supported here", "Use masks and shifts");
            for (const Type::Member& other : members)
                if (other.name == member.name)
                    error(member.place, fmt::format("two members are named '{}'", member.name));
            if (++visible > kMostMembers) too_many();
            std::uint64_t own = member.layout.alignment;
            if (own == 0 && member.layout.packed) own = 1;
            if (!member.layout.packed && !layout.packed && own != 0)
                own = std::max(own, member.type->alignment);
            members.push_back({member.name, member.type, 0, own});
        } while (accept(","));
        expect(";", "the member");
    }
    const Place end = expect("}", "the members");
    while (at("__attribute__"))
        attribute(nullptr, &layout);
    if (members.empty() && host_ != nullptr)
        members.push_back({"", types_.scalar(Scalar::uchar), 0});
    if (members.empty()) error(end, "a structure needs a member");
    Types::set_members(type, std::move(members), overlaid, layout.packed, layout.alignment);
    if (type.bytes > kMostBytes || type.leaves > kMostTypeLeaves)
        error(end, "the structure is too large", "Pass a buffer of it");
    check_depth(type);
    return methods;
}

const Type* Parser::enum_specifier() {
    next();
    if (host_ != nullptr && !accept("class")) (void)accept("struct");
    const Token& name = peek();
    if (name.kind == Token::Kind::identifier) next();
    const Type* type = types_.scalar(Scalar::int_);
    if (host_ != nullptr && accept(":")) type = type_name();
    if (!accept("{")) return type;
    if (host_ != nullptr && name.kind == Token::Kind::identifier)
        declare(std::string(name.text), {.type = type}, name.place);
    std::int64_t value = 0;
    while (!at("}") && peek().kind != Token::Kind::end) {
        if (peek().kind != Token::Kind::identifier)
            syntax_error(fmt::format("expected a name, {}", found()));
        const Token& one = next();
        if (accept("=")) value = constant_integer("an enumerator").value_or(0);
        const auto number = static_cast<std::int32_t>(value);
        value = std::int64_t{number} + 1;
        declare(std::string(one.text), {.enumerator = number}, one.place);
        if (!accept(",")) break;
    }
    expect("}", "the enumerators");
    return type;
}

const Type* Parser::array_suffixes(const Type* element) {
    std::vector<std::uint64_t> counts;
    std::vector<Place> places;
    while (at("[")) {
        places.push_back(next().place);
        if (at("]")) {
            if (!counts.empty()) error(peek().place, "only the first length may be left out");
            counts.push_back(counts.empty() ? 0 : 1);  // 0: as long as its list says
        } else {
            const Place place = peek().place;
            const auto count = constant_integer("the length of an array");
            if (count && *count <= 0) error(place, "an array needs a length of 1 or more");
            counts.push_back(count && *count > 0 ? static_cast<std::uint64_t>(*count) : 1);
        }
        expect("]", "the length of the array");
    }
    for (std::size_t i = counts.size(); i-- > 0;) {
        if (counts[i] > kMostBytes ||
            counts[i] * std::max<std::uint64_t>(1, element->bytes) > kMostBytes) {
            error(places[i], "the array is too large", "Pass it as a buffer");
            counts[i] = 1;
        }
        check_depth(*element);
        if (is_open(*element))
            error(places[i], not_known(*element), "Give its members before this line");
        element = types_.array(element, counts[i]);
    }
    return element;
}

Declarator Parser::declarator(const Specifiers& base, bool name_needed) {
    const Deeper deeper(*this);
    Declarator result;
    result.type = base.type;
    result.space = base.space.value_or(Space::private_);
    result.is_const = base.is_const || result.space == Space::constant;
    result.any_space = is_atomic_ref(*base.type) ||
                       (at("*") && !at("*", 1) && !base.space && !base.type->is_pointer());
    while (accept("*")) {
        check_depth(*result.type);
        result.type = types_.pointer(result.type, result.space, result.is_const);
        Specifiers own;
        while (qualifier(own)) {
        }
        result.space = own.space.value_or(Space::private_);
        result.is_const = own.is_const;
    }
    if (host_ != nullptr && accept("&")) {
        const bool refers = result.type->class_name.empty() || is_atomic_object(*result.type);
        result.is_reference = refers && !result.is_const;
        result.may_refer = refers && result.is_const;
        result.any_space = result.is_reference;
        if (result.is_reference) result.type = types_.pointer(result.type, Space::private_, false);
    }
    result.place = peek().place;
    if (at("(") && !at_type(1) && !at(")", 1)) {
        next();
        if (at("*") && at(")", 2) && at("[", 3) && !at("]", 4)) {  // (*name)[N]
            next();
            result.name = next().text;
            next();
            result.type =
                types_.pointer(array_suffixes(result.type), result.space, result.is_const);
            result.any_space = host_ != nullptr && result.space == Space::private_;
            result.space = Space::private_;
            result.is_const = false;
            return result;
        }
        if (at("*"))
            syntax_error("pointers to functions are not supported here",
                         "Call functions by their names");
        const Declarator named = declarator(base, name_needed);
        expect(")", "the declarator");
        result.name = named.name;
        result.place = named.place;
    } else if (host_ != nullptr && at("operator")) {
        result.name = next().text;
        do {
            result.name += next().text;
        } while (!at("(") && peek().kind != Token::Kind::end);
    } else if (peek().kind == Token::Kind::identifier && !at_type()) {
        result.name = next().text;
    } else if (peek().kind == Token::Kind::identifier && name_needed &&
               (host_ != nullptr || find(peek().text) != nullptr)) {
        result.name = next().text;  // an inner variable named as an outer type
    } else if (name_needed) {
        syntax_error(fmt::format("expected a name after '{}', {}", base.type->name, found()));
    }
    if (host_ != nullptr && instance_ && at("<")) skip_balanced("<", ">");  // a special case
    if (at("("))
        result.is_function = true;
    else
        result.type = array_suffixes(result.type);
    result.any_space = result.any_space && result.type->is_pointer();
    while (at("__attribute__"))
        attribute(nullptr, &result.layout);
    return result;
}

const Type* Parser::type_name(bool* any_space) {
    const Specifiers base = specifiers();
    const Declarator named = declarator(base, false);
    if (any_space != nullptr) *any_space = named.any_space;
    return named.type;
}

// Functions and the values that variables begin with.
constexpr std::size_t kMostFunctions = 1000;  // functions of a text; more are refused

std::vector<Variable*> Parser::parameters(bool is_kernel) {
    std::vector<Variable*> variables;
    spread_.clear();
    expect("(", "the function's name");
    if (at("void") && at(")", 1)) next();
    if (method_of_ != nullptr) {
        const bool placed = instance_ && !instance_->spaces.empty() && instance_->spaces[0];
        const Space space = placed ? *instance_->spaces[0] : Space::private_;
        variables.push_back(make_variable({.type = types_.pointer(method_of_, space, false),
                                           .name = "this",
                                           .place = peek().place,
                                           .any_space = true},
                                          {}));
        variables.back()->is_argument = true;
    }
    while (!at(")") && peek().kind != Token::Kind::end) {
        if (at("...")) syntax_error("functions with any number of arguments are not supported");
        const Specifiers base = specifiers();
        Declarator declared = declarator(base, false);
        if (declared.is_function) syntax_error("pointers to functions are not supported here");
        if (is_kernel && host_ == nullptr && base.is_size && declared.type->is_scalar())
            error(declared.place, "a kernel's argument cannot be or hold a size_t here",
                  "Use uint or ulong, which the host has, too");
        if (declared.type->is_array()) {  // a pointer, as C has it
            declared.any_space = host_ != nullptr && declared.space == Space::private_;
            declared.type =
                types_.pointer(declared.type->element, declared.space, declared.is_const);
        } else if (declared.space != Space::private_) {
            error(
                declared.place,
                fmt::format("an argument in {} memory must be a pointer", name_of(declared.space)),
                "Write * before its name");
            declared.type = types_.pointer(declared.type, declared.space, declared.is_const);
        }
        declared.space = Space::private_;
        if (reads_kernel_ && holds_pointer(*declared.type)) {
            spread_.push_back(make_variable(declared, base));
            E* list = make(E::Kind::initializer, declared.type, declared.place);
            spread_argument(*declared.type, declared.name, 0, *list, variables);
            spread_.back()->initial = list;
            if (!accept(",")) break;
            continue;
        }
        if (reads_kernel_ && declared.any_space) {
            declared.any_space = false;
            declared.type = types_.in_space(declared.type, Space::global);
        } else if (reads_kernel_ && declared.type == types_.scalar(Scalar::bool_)) {
            declared.type = types_.scalar(Scalar::uchar);  // OpenCL C passes none
        }
        if (instance_ && variables.size() < instance_->spaces.size() &&
            instance_->spaces[variables.size()]) {
            const Space space = *instance_->spaces[variables.size()];
            declared.is_reference = declared.is_reference || declared.may_refer;
            declared.type = declared.may_refer ? types_.pointer(declared.type, space, true)
                                               : types_.in_space(declared.type, space);
        }
        Variable* variable = make_variable(declared, base);
        variable->is_argument = true;
        variables.push_back(variable);
        if (host_ != nullptr && accept("=")) {
            usual_[variable] = at_;
            assignment();
        }
        if (!accept(",")) break;
    }
    expect(")", "the arguments");
    return variables;
}

static bool holds_bool(const Type& type) {
    bool holds = type.is_scalar() && type.scalar == Scalar::bool_;
    type.for_parts([&](const Type& part, std::uint64_t) { holds = holds || holds_bool(part); });
    return holds;
}

void Parser::check_kernel(const FunctionDefinition& definition, const Specifiers& base) {
    if (base.is_static && host_ == nullptr)
        error(definition.place, "a kernel cannot be static", "Leave it away");
    if (!definition.result->is_void())
        error(definition.place, "a kernel returns nothing",
              "Write kernel void, and a buffer for results");
    for (const Variable* argument : definition.parameters) {
        const Type& type = *argument->type;
        if (type.is_pointer() && type.element->is_pointer())
            error(argument->place, "a kernel takes no pointers to pointers",
                  "Pass one buffer and where its parts begin");
        else if (type.is_event())
            error(argument->place, "a kernel's argument cannot be or hold a event_t here");
        else if (type.is_pointer() && type.space == Space::private_)
            error(
                argument->place,
                fmt::format("the kernel's argument '{}' points to private memory", argument->name),
                fmt::format("Write global, local or constant before {}", type.element->name));
        if (host_ == nullptr && holds_bool(type))
            error(argument->place, "a kernel's argument cannot be or hold a bool here", "Use int");
    }
}

// The function of that name; of several, as __attribute__((overloadable)) allows, the one with such
// arguments.
FunctionDefinition* Parser::declared_before(const std::string& name, bool is_overloadable,
                                            const std::vector<Variable*>& given) {
    FunctionDefinition* found = nullptr;
    for (FunctionDefinition& known : tree_.functions) {
        if (known.name != name) continue;
        const bool same =
            std::equal(known.parameters.begin(), known.parameters.end(), given.begin(), given.end(),
                       [](const Variable* a, const Variable* b) { return a->type == b->type; });
        if (same || !(is_overloadable || known.is_overloadable)) found = &known;
    }
    return found;
}

// Those that its text names.
static std::size_t arguments_of(const FunctionDefinition& function) {
    return function.parameters.size() - (function.is_dynamic ? 1 : 0);
}

// The function that such arguments call; of several, the one whose types they have or come nearest
// to.
const FunctionDefinition* Parser::overload(const std::string& name, const std::vector<E*>& given) {
    const FunctionDefinition* best = tree_.find(name);
    if (best == nullptr || !best->is_overloadable) return best;
    std::size_t fewest = SIZE_MAX;
    for (const FunctionDefinition& known : tree_.functions) {
        if (known.name != name || arguments_of(known) < given.size()) continue;
        if (arguments_of(known) > given.size() && !usual_.contains(known.parameters[given.size()]))
            continue;
        std::size_t differences = 0;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const Type* to = known.parameters[i]->type;
            if (known.parameters[i]->is_reference) to = to->element;
            const Type* from = value(given[i])->type;
            if (from == nullptr || from == to) continue;
            const bool pointers = from->is_pointer() && to->is_pointer() &&
                                  from->space == to->space && from->element == to->element;
            const bool numbers = from->is_scalar() && to->is_scalar();
            const bool promoted = numbers && conversion_rank(from->scalar, to->scalar) < 2;
            differences += pointers || promoted                                  ? 1
                           : numbers && from->is_floating() == to->is_floating() ? 2
                           : numbers                                             ? 20
                                                                                 : 2000;
        }
        if (differences < fewest) {
            fewest = differences;
            best = &known;
        }
    }
    return best;
}

void Parser::function(const Specifiers& base, const Declarator& given_name) {
    const std::size_t first_token = declaration_start_;
    Declarator declared = given_name;
    if (instance_) declared.name = instance_->name;
    const auto named = instance_ ? instance_->function : nullptr;
    const std::string instance_origin = instance_ ? instance_->origin : "";
    scopes_.emplace_back();
    reads_kernel_ = host_ != nullptr && base.is_kernel;
    std::vector<Variable*> given;
    try {
        given = parameters(base.is_kernel);
    } catch (const Recover&) {  // calls of it are no further news
        scopes_.front().names.try_emplace(declared.name, Symbol{.broken = true});
        throw;
    }
    instance_.reset();
    reads_kernel_ = false;
    while (host_ != nullptr && (accept("const") || accept("noexcept"))) {
    }
    Specifiers after = base;
    after.is_overloadable = after.is_overloadable || host_ != nullptr;
    while (at("__attribute__"))
        attribute(&after);

    FunctionDefinition* definition = declared_before(declared.name, after.is_overloadable, given);
    if (definition != nullptr && definition->body != nullptr && at("{"))
        error(declared.place, fmt::format("'{}' is already defined", declared.name),
              fmt::format("The first is in line {}", definition->place.line));
    if (definition != nullptr &&
        (definition->parameters.size() != given.size() || definition->result != declared.type))
        error(declared.place, fmt::format("'{}' is declared in another way before", declared.name));
    if (definition == nullptr) {
        if (tree_.functions.size() == kMostFunctions)
            syntax_error(fmt::format("a text has {} functions at most", kMostFunctions));
        definition = &tree_.functions.emplace_back();
    }
    if (named != nullptr) *named = definition;
    if (method_of_ != nullptr) {
        methods_[definition] = method_of_;
        bound_[definition] = scopes_[1];
    }
    for (std::size_t i = 0; i < definition->parameters.size(); ++i)
        if (const auto usual = usual_.find(definition->parameters[i]); usual != usual_.end())
            usual_.emplace(given[i], usual->second);
    const bool again = definition->body != nullptr;
    definition->name = declared.name;
    definition->origin = instance_origin.empty() ? declared.name : instance_origin;
    definition->result = declared.type;
    definition->any_space = declared.any_space;
    definition->is_reference = declared.is_reference;
    if (declared.may_refer) may_refer_.insert(definition);
    definition->place = declared.place;
    definition->parameters = given;
    definition->is_kernel = definition->is_kernel || base.is_kernel;
    definition->is_overloadable = definition->is_overloadable || after.is_overloadable;
    if (!after.required_group.empty()) definition->required_group = after.required_group;
    if (definition->is_kernel) check_kernel(*definition, base);
    if (at("{") && is_open(*declared.type))
        error(declared.place, not_known(*declared.type), "Give its members before this line");
    const std::vector<Variable*> spread = std::exchange(spread_, {});
    if (accept(";")) {
        scopes_.pop_back();
        return;
    }
    if (!at("{"))
        syntax_error(fmt::format("expected '{{' or ';' after the arguments, {}", found()));
    for (std::size_t i = 0; i < given.size(); ++i) {
        Variable* variable = given[i];
        if (variable->name.empty() && host_ != nullptr)
            variable->name = fmt::format("unnamed_{}", i);
        if (variable->name.empty())
            error(variable->place, "an argument of a function with a body needs a name");
        declare(variable->name, {.variable = variable}, variable->place);
    }
    for (Variable* variable : spread)
        declare(variable->name, {.variable = variable}, variable->place);
    function_ = definition;
    outermost_ = definition->is_kernel;
    if (!again) definition->first_token = first_token;
    Statement* body = body_of(*definition);
    for (const Variable* variable : spread) {
        Statement* made = make(Statement::Kind::declare, variable->place);
        made->variable = variable;
        body->statements.insert(body->statements.begin(), made);
    }
    if (!again) definition->body = body;
    function_ = nullptr;
    scopes_.pop_back();
}

void Parser::initialize(Variable& variable) {
    const Type* type = variable.type;
    if (variable.is_reference || is_atomic_ref(*type)) {
        const bool braces = accept("{");
        E* given = referred(assignment());
        if (braces) expect("}", "what it refers to");
        take_space(variable, given);
        variable.initial = initializer_value(variable.type, given);
        return;
    }
    if (variable.may_refer && !at("{")) {
        E* given = assignment();
        if (E* pointer = referent(given, type)) {
            variable.is_reference = true;
            variable.in_memory = false;
            variable.type = pointer->type;
            given = pointer;
        }
        variable.initial = initializer_value(variable.type, given);
        return;
    }
    if (variable.space == Space::local && function_ != nullptr) {
        error(peek().place, "a local variable cannot be given a value where it is declared",
              "Let one work-item assign it, then a barrier");
        assignment();
        return;
    }
    if (at("{") && type->is_vector()) {  // as a vector literal, in braces
        variable.initial = vector_parts(type, next().place, "}");
        return;
    }
    if (at("{")) {
        E* list = make(E::Kind::initializer, type, peek().place);
        if (type->is_array() && type->count == 0) {
            // The list says how long.
            E probe = *list;
            const Type* endless = types_.array(type->element, std::uint64_t{1} << 24);
            initializer_list(probe, endless, 0, true, nullptr);
            std::uint64_t end = 0;
            for (std::size_t i = 0; i < probe.offsets.size(); ++i)
                end = std::max(end, probe.offsets[i] + 1);
            const std::uint64_t size = std::max<std::uint64_t>(1, type->element->bytes);
            list->operands = probe.operands;
            list->offsets = probe.offsets;
            variable.type =
                types_.array(type->element, std::max<std::uint64_t>(1, (end + size - 1) / size));
            list->type = variable.type;
        } else {
            initializer_list(*list, type, 0, true, nullptr);
        }
        if (type->in_registers()) {  // int x = {1};
            variable.initial = list->operands.empty() ? nullptr : list->operands.front();
            return;
        }
        variable.initial = list;
        return;
    }
    if (type->is_array() && type->element->is_scalar() && info(type->element->scalar).bytes == 1 &&
        peek().kind == Token::Kind::string) {
        variable.initial = text_list(variable);
        return;
    }
    if (type->is_array()) {
        error(peek().place, "an array is initialised by a list", "Write { and its elements }");
        assignment();
        return;
    }
    if (!variable.any_space) {
        variable.initial = initializer_value(type, nullptr);
        return;
    }
    E* given = value(assignment());
    take_space(variable, given);
    variable.initial = initializer_value(variable.type, given);
}

// `given`: already read; else it is the next in the text.
const Expression* Parser::initializer_value(const Type* type, E* given) {
    E* value = given != nullptr ? given : assignment();
    if (type->is_structure()) {
        value = based(value, type);
        if (value->type != nullptr && value->type != type)
            error(value->place,
                  fmt::format("a {} cannot be given a {}", type->name, value->type->name));
        return value;
    }
    return folded(convert(value, type, "initialise"));
}

// Outside of functions nothing is read: what const numbers begin with is put in their places.
Expression* Parser::folded(E* expr) {
    const auto bits = function_ == nullptr ? constant_of(*expr, true) : std::nullopt;
    return bits ? constant(expr->type, *bits, expr->place) : expr;
}

// What stands at `offset` of the object that `list` initialises: a value, a list of its own, or as
// many values of the list around it as it takes. `given`: the first of those, if it is read
// already.
void Parser::initializer_part(E& list, const Type* type, std::uint64_t offset, E* given) {
    if (given == nullptr && at("{") && !type->is_vector()) {
        initializer_list(list, type, offset, true, nullptr);
        return;
    }
    if (type->is_array() || type->is_structure()) {
        E* first = given != nullptr ? given : assignment();
        if (first->type == nullptr || !type->is_structure() || first->type != type) {
            initializer_list(list, type, offset, false, first);
            return;
        }
        given = first;
    }
    if (given == nullptr && at("{"))
        list.operands.push_back(vector_parts(type, next().place, "}"));
    else
        list.operands.push_back(initializer_value(type, given));
    list.offsets.push_back(offset);
    if (list.operands.size() > 100'000) syntax_error("the list is too long");
}

// .member = or [index] = in a list; which element of the type it names.
std::uint64_t Parser::designator(const Type& type) {
    std::uint64_t index = 0;
    if (accept(".")) {
        const Token& name = next();
        while (index < type.members.size() && type.members[index].name != name.text)
            ++index;
        if (!type.is_structure() || index == type.members.size())
            syntax_error(fmt::format("'{}' has no member '{}'", type.name, name.text));
    } else {
        next();
        const auto value = constant_integer("an index");
        expect("]", "the index");
        if (!type.is_array() || !value || *value < 0 ||
            static_cast<std::uint64_t>(*value) >= type.count)
            syntax_error(fmt::format("a {} has no such element", type.name));
        index = static_cast<std::uint64_t>(*value);
    }
    if (at(".") || at("["))
        syntax_error("name elements in braces of their own", "Write {.a = {.b = 1}}");
    expect("=", "the name of an element");
    return index;
}

// One list in braces, or what an aggregate takes of the list around it.
void Parser::initializer_list(E& list, const Type* type, std::uint64_t offset, bool braces,
                              E* given) {
    const Deeper deeper(*this);
    if (braces) expect("{", "=");
    const std::uint64_t most = type->is_array()        ? type->count
                               : !type->is_structure() ? 1
                               : type->overlaid        ? 1
                                                       : type->members.size();
    for (std::uint64_t i = 0; i < most; ++i) {
        if (given == nullptr && (at("}") || peek().kind == Token::Kind::end)) break;
        const bool chosen = at(".") || at("[");
        if (chosen && braces) i = designator(*type);
        if (chosen && !braces) syntax_error("name elements in braces of their own", "Write { }");
        const bool member = type->is_structure();
        const Type* of = type->is_array() ? type->element : member ? type->members[i].type : type;
        const std::uint64_t within = type->is_array() ? i * of->bytes
                                     : member         ? type->members[i].offset
                                                      : 0;
        initializer_part(list, of, offset + within, given);
        given = nullptr;
        if (i + 1 >= most && !braces) return;
        if (!at(",")) break;
        if (!braces && (at("}", 1) || at(".", 1) || at("[", 1))) return;
        next();
        if (braces && (at(".") || at("["))) i = ~std::uint64_t{0};  // whichever it names
    }
    if (!braces) return;
    if (!at("}") && peek().kind != Token::Kind::end && most > 0 && tokens_[at_ - 1].is(","))
        syntax_error(fmt::format("there are more values than a {} has", type->name));
    expect("}", "the values");
}

namespace {
using StatementKind = Statement::Kind;
}

constexpr std::size_t kMostCases = 1000;  // cases of a switch; more are refused

Statement* Parser::make(StatementKind kind, const Place& place) {
    Statement& statement = tree_.statements.emplace_back();
    statement.kind = kind;
    statement.place = place;
    return &statement;
}

Statement* Parser::block(bool own_scope) {
    const Deeper deeper(*this);
    Statement* statement = make(StatementKind::block, peek().place);
    const Place open = expect("{", "the head");
    if (own_scope) scopes_.emplace_back();
    while (!at("}")) {
        if (peek().kind == Token::Kind::end) {
            if (!unclosed_) error(open, "this '{' is never closed", "Write } where the block ends");
            unclosed_ = true;
            throw Recover();
        }
        if (diagnostics_.full()) throw Recover();
        block_item(*statement);
    }
    next();
    if (own_scope) scopes_.pop_back();
    return statement;
}

// A statement or declaration, or a label of the switch whose block this is; and the way on after an
// error in it.
void Parser::block_item(Statement& result, Statement* of_switch) {
    const std::size_t before = at_, scopes = scopes_.size();
    const int depth = depth_, loops = loops_, breakable = breakable_;
    const bool outermost = outermost_;
    bool is_declaration = false;
    try {
        if (of_switch != nullptr && case_label(*of_switch)) {
            of_switch->cases.back().before = result.statements.size();
            return;
        }
        while (at("__attribute__"))  // such as opencl_unroll_hint
            attribute(nullptr);
        is_declaration = at_type() && !(at("(", 1) && !at("*", 2)) && !at_temporary();
        if (static_assertion() || (host_ != nullptr && cuda_declaration())) return;
        if (is_declaration)
            declaration(result);
        else
            result.statements.push_back(statement());
    } catch (const Recover&) {
        scopes_.resize(scopes);
        depth_ = depth;
        loops_ = loops;
        breakable_ = breakable;
        outermost_ = outermost;
        int open = 0;
        for (std::size_t i = before; i < at_; ++i)
            open += tokens_[i].is("{") ? 1 : tokens_[i].is("}") ? -1 : 0;
        skip_statement(std::max(0, open));
        if (is_declaration) mark_broken(before);
        if (at_ == before) next();
    }
}

void Parser::declaration(Statement& statement) {
    const Specifiers base = specifiers();
    if (accept(";")) return;
    if (base.is_auto) return auto_declaration(base, statement);
    do {
        Declarator declared = declarator(base, true);
        if (base.is_typedef) {
            typedef_name(declared);
            continue;
        }
        if (host_ != nullptr && base.is_extern && declared.space == Space::local) {
            const Type* pointer = dynamic_pointer(declared.type);
            declare(declared.name, {.dynamic = pointer}, declared.place);
            dynamic_shared(pointer, declared.name, declared.place);
            continue;
        }
        if (base.is_extern && declared.space == Space::private_ && !declared.is_function)
            error(declared.place, "a variable of a function cannot be extern here",
                  "Pass a buffer for what lasts");
        const bool direct =  // T name(value)
            host_ != nullptr && declared.is_function && !at_type(1) && !at(")", 1);
        if (direct) {
            declared.is_function = false;
            next();
        }
        if (declared.is_function)
            syntax_error("a function cannot be declared inside of another",
                         "Move it before this function");
        if (base.is_static && !declared.is_function &&
            (declared.space != Space::local || host_ == nullptr)) {
            if (declared.space == Space::local)
                error(declared.place,
                      fmt::format("'{}' is static, so it cannot be local", declared.name),
                      "Leave 'static' away");
            if (direct) syntax_error("what is static takes its value here behind '='");
            static_variable(base, declared);
            continue;
        }
        Variable* variable = make_variable(declared, base);
        if (declared.space == Space::local && !outermost_ && host_ == nullptr)
            error(declared.place, "local variables are declared at the top level of a kernel only",
                  "Declare it there and pass a pointer to it");
        if (declared.space == Space::global)
            error(declared.place, "a variable cannot lie in global memory",
                  "Pass a buffer as an argument, or leave 'global' away");
        declare(declared.name, {.variable = variable}, declared.place);
        Statement* one = make(StatementKind::declare, declared.place);
        one->variable = variable;
        if (direct || accept("=") || (host_ != nullptr && at("{"))) {
            initialize(*variable);
            if (direct) expect(")", "the value");
            name_constant(*variable);
            one->place = joined(declared.place, tokens_[at_ - 1].place);
        } else if (variable->type->is_array() && variable->type->count == 0) {
            error(declared.place, "the array has no length", "Write it between [ and ]");
        } else if (variable->is_reference || variable->may_refer) {
            error(declared.place, fmt::format("'{}' refers to nothing", declared.name),
                  "Write = and what it refers to");
        }
        statement.statements.push_back(one);
    } while (accept(","));
    expect(";", "the declaration");
}

const Statement* Parser::statement_inside() {
    const SetWithin inside(outermost_, false);
    scopes_.emplace_back();
    if (at_type() && !at("(", 1))
        syntax_error("a declaration needs a block around it here", "Write { }");
    const Statement* result = statement();
    scopes_.pop_back();
    return result;
}

const Statement* Parser::statement() {
    const Deeper deeper(*this);
    const Place place = peek().place;
    if (at("{")) {
        const SetWithin inside(outermost_, false);
        return block(true);
    }
    if (accept(";")) return make(StatementKind::empty, place);
    if (at("if")) return if_statement();
    if (at("for")) return for_statement();
    if (at("while")) return while_statement();
    if (at("do")) return do_statement();
    if (at("switch")) return switch_statement();
    if (at("break")) return jump(StatementKind::break_, breakable_, "loop or switch");
    if (at("continue")) return jump(StatementKind::continue_, loops_, "loop");
    if (at("return")) return return_statement();
    if (at("goto"))
        syntax_error("'goto' is not supported here", "Use loops, break, continue and return");
    if (at("case") || at("default"))
        syntax_error(fmt::format("'{}' stands in no switch of its own level", peek().text),
                     "Case labels belong directly into the block of a switch");
    if (at("else")) syntax_error("'else' without an 'if' before it");
    if (at("asm") || at("__asm__") || at("__asm"))
        syntax_error("inline assembly is not supported here", "It is for one kind of device only");
    if (peek().kind == Token::Kind::identifier && at(":", 1))
        syntax_error("labels are not supported here", "Use loops, break, continue and return");

    if (is_block_in_brackets()) {  // its value is not used
        next();
        const SetWithin inside(outermost_, false);
        const Statement* result = block(true);
        expect(")", "the statements");
        expect(";", "the expression");
        return result;
    }
    Statement* made = make(StatementKind::expression, place);
    E* value = expression();
    if (host_ != nullptr && value->kind == E::Kind::comma && value->operands[0]->format != nullptr)
        value = const_cast<E*>(value->operands[0]);  // printf, whose result nobody asks for
    made->condition = value;
    made->place = value->place;
    expect(";", "the expression");
    last_expression_ = value;
    return made;
}

bool Parser::is_block_in_brackets() const {
    if (!at("(") || !at("{", 1)) return false;
    std::size_t end = 0, open = 0;
    do {
        if (peek(end).kind == Token::Kind::end) return false;
        if (at("(", end)) ++open;
        if (at(")", end)) --open;
        ++end;
    } while (open > 0);
    return at(";", end);
}

// ({ … }) of GNU C, whose value is that of its last expression.
Expression* Parser::statement_expression() {
    const Place open = next().place;
    if (function_ == nullptr) syntax_error("statements stand in functions only");
    const Statement* body = nullptr;
    {
        const SetWithin loops(loops_, 0), breakable(breakable_, 0);
        const SetWithin outermost(outermost_, false), within(within_expression_, true);
        body = block(true);
    }
    const Place place = joined(open, expect(")", "the statements"));
    E* expr = make(E::Kind::statements, types_.scalar(Scalar::void_), place, {});
    expr->body = body;
    const Statement* last = body->statements.empty() ? nullptr : body->statements.back();
    if (last == nullptr || last->kind != StatementKind::expression ||
        last->condition != last_expression_)
        return expr;
    E* result = value(last_expression_);
    if (result->type == nullptr) return broken(place);
    if (result->type->is_void()) return expr;
    if (result->type->is_structure())
        return broken(place, "statements in an expression cannot give a structure",
                      "Write a function");
    expr = make(E::Kind::statements, result->type, place, {result});
    expr->body = body;
    return expr;
}

Expression* Parser::condition(const char* of) {
    if (!accept("(")) syntax_error(fmt::format("expected '(' after '{}', {}", of, found()));
    if (at_type() && peek(1).kind == Token::Kind::identifier)
        syntax_error("a declaration in a condition is left out", "Declare it before");
    E* expr = truth(expression());
    expect(")", "the condition");
    return expr;
}

const Statement* Parser::if_statement() {
    Statement* statement = make(StatementKind::if_, next().place);
    if (host_ != nullptr) accept("constexpr");
    statement->condition = condition("if");
    statement->statements.push_back(statement_inside());
    if (accept("else")) statement->statements.push_back(statement_inside());
    return statement;
}

const Statement* Parser::for_statement() {
    Statement* statement = make(StatementKind::loop, next().place);
    expect("(", "'for'");
    scopes_.emplace_back();
    const SetWithin inside(outermost_, false);
    Statement* first = make(StatementKind::block, peek().place);
    for (std::size_t i = 0; host_ != nullptr && peek(i).kind != Token::Kind::end; ++i) {
        if (at(";", i) || at("?", i) || at("(", i) || at(")", i)) break;
        if (at(":", i))
            syntax_error("'for' over all elements is left out",
                         "Count an index: for (int i = 0; i < n; ++i)");
    }
    if (at_type() && !at("(", 1)) {
        declaration(*first);
    } else if (!accept(";")) {
        Statement* one = make(StatementKind::expression, peek().place);
        one->condition = expression();
        expect(";", "the first part of 'for'");
        first->statements.push_back(one);
    }
    statement->initial = first;
    if (!at(";")) statement->condition = truth(expression());
    expect(";", "the condition of 'for'");
    if (!at(")")) statement->step = expression();
    expect(")", "the head of 'for'");
    loop_body(*statement);
    scopes_.pop_back();
    return statement;
}

void Parser::loop_body(Statement& loop) {
    ++loops_, ++breakable_;
    loop.statements.push_back(statement_inside());
    --loops_, --breakable_;
}

const Statement* Parser::while_statement() {
    Statement* statement = make(StatementKind::loop, next().place);
    statement->condition = condition("while");
    loop_body(*statement);
    return statement;
}

const Statement* Parser::do_statement() {
    Statement* statement = make(StatementKind::do_, next().place);
    loop_body(*statement);
    expect("while", "the body of 'do'");
    statement->condition = condition("while");
    expect(";", "'do … while'");
    return statement;
}

const Statement* Parser::switch_statement() {
    Statement* statement = make(StatementKind::switch_, next().place);
    expect("(", "'switch'");
    E* expr = value(expression());
    if (expr->type != nullptr && !(expr->type->is_scalar() && expr->type->is_integral()))
        error(expr->place,
              fmt::format("a switch needs an integer, this is a {}", expr->type->name));
    statement->condition = promoted(expr);
    expect(")", "the value of 'switch'");
    const SetWithin inside(outermost_, false);
    Statement* body = make(StatementKind::block, peek().place);
    scopes_.emplace_back();
    ++breakable_;
    if (accept("{")) {
        while (!at("}") && peek().kind != Token::Kind::end && !diagnostics_.full())
            block_item(*body, statement);
        expect("}", "the block of 'switch'");
    } else {
        while (case_label(*statement)) {
        }
        body->statements.push_back(this->statement());
    }
    --breakable_;
    scopes_.pop_back();
    statement->statements.push_back(body);
    return statement;
}

bool Parser::case_label(Statement& statement) {
    const Place place = peek().place;
    Statement::Case test_case;
    if (accept("default")) {
        test_case.is_default = true;
    } else if (accept("case")) {
        E* value = promoted(conditional());
        const Type* type = statement.condition->type;
        if (type != nullptr && value->type != nullptr && value->type->is_scalar() &&
            value->type->is_integral())
            value = to_arithmetic(value, type);
        const auto bits = value->type != nullptr && value->type->is_integral()
                              ? constant_of(*value, true)
                              : std::nullopt;
        if (!bits && value->type != nullptr) error(value->place, "a case needs a constant integer");
        test_case.value = bits.value_or(0);
        if (value->type == nullptr) test_case.value = ~std::uint64_t{0} - statement.cases.size();
    } else {
        return false;
    }
    if (statement.cases.size() == kMostCases)
        syntax_error(fmt::format("a switch has {} cases at most", kMostCases),
                     "Look it up in a table");
    if (at("...")) syntax_error("a range of cases is left out", "Write a case for each, or if");
    expect(":", "the case");
    for (const Statement::Case& other : statement.cases)
        if (other.is_default == test_case.is_default &&
            (test_case.is_default || other.value == test_case.value))
            error(place, test_case.is_default ? "a second 'default' in one switch"
                                              : "this case stands twice in one switch");
    statement.cases.push_back(test_case);
    return true;
}

const Statement* Parser::jump(StatementKind kind, int depth, const char* where) {
    Statement* statement = make(kind, peek().place);
    const std::string word(next().text);
    if (depth == 0) error(statement->place, fmt::format("'{}' stands in no {}", word, where));
    expect(";", fmt::format("'{}'", word));
    return statement;
}

// A variable that its own name alone reaches: a function that it is passed to sees no change of it.
static bool is_own_copy(const Expression& given) {
    if (given.kind == Expression::Kind::conditional)
        return is_own_copy(*given.operands[1]) && is_own_copy(*given.operands[2]);
    const Expression* root = &given;
    while (root->kind == Expression::Kind::member)
        root = root->operands[0];
    return root->kind == Expression::Kind::variable && root->space == Space::private_ &&
           !root->variable->is_pointed_to;
}

// Whether what is returned may be such a variable.
static bool has_own_copy(const Expression& given) {
    if (given.kind != Expression::Kind::conditional) return is_own_copy(given);
    return has_own_copy(*given.operands[1]) || has_own_copy(*given.operands[2]);
}

const Statement* Parser::return_statement() {
    Statement* statement = make(StatementKind::return_, next().place);
    if (within_expression_)
        error(statement->place, "'return' in the midst of an expression is not supported here",
              "Write a function in place of ({ … })");
    const Type* result = function_ != nullptr ? function_->result : nullptr;
    if (!at(";")) {
        E* expr = expression();
        if (result != nullptr && result->is_void()) {
            if (expr->type != nullptr && !expr->type->is_void())
                error(expr->place, fmt::format("'{}' returns nothing", function_->name));
            // return f(); of nothing: calls it.
            if (expr->type != nullptr && expr->type->is_void()) statement->condition = expr;
        } else if (result != nullptr) {
            const bool undecided = may_refer_.erase(function_) > 0;
            E* refers = undecided && !has_own_copy(*expr) ? referent(expr, result) : nullptr;
            if (refers != nullptr) {
                function_->is_reference = true;
                result = function_->result = refers->type;
                expr = refers;
            } else if (function_->is_reference) {
                expr = address(expr, expr->place);
            }
            if (function_->any_space)
                result = function_->result = in_space_of(result, expr = value(expr));
            statement->condition = result->is_structure() ? expr : convert(expr, result, "return");
            if (result->is_structure() && expr->type != nullptr && expr->type != result)
                error(expr->place, fmt::format("'{}' returns a {}, this is a {}", function_->name,
                                               result->name, expr->type->name));
        }
    } else if (result != nullptr && !result->is_void()) {
        error(statement->place, fmt::format("'{}' returns a {}", function_->name, result->name),
              "Write the value after 'return'");
    }
    expect(";", "'return'");
    return statement;
}

namespace {

struct Level {
    std::string_view text;
    int level;
    std::optional<Operator> how;  // nothing: && or ||
};

// Of C's binary operators, the loosest first.
constexpr std::array<Level, 18> kLevels{{{"||", 0, {}},
                                         {"&&", 1, {}},
                                         {"|", 2, Operator::or_},
                                         {"^", 3, Operator::xor_},
                                         {"&", 4, Operator::and_},
                                         {"==", 5, Operator::eq},
                                         {"!=", 5, Operator::ne},
                                         {"<", 6, Operator::lt},
                                         {">", 6, Operator::gt},
                                         {"<=", 6, Operator::le},
                                         {">=", 6, Operator::ge},
                                         {"<<", 7, Operator::shl},
                                         {">>", 7, Operator::shr},
                                         {"+", 8, Operator::add},
                                         {"-", 8, Operator::sub},
                                         {"*", 9, Operator::mul},
                                         {"/", 9, Operator::div},
                                         {"%", 9, Operator::rem}}};
constexpr int kTightest = 9;

// For an operation with that sign: what a macro's body does with its arguments stands where the
// macro is used, not where its arguments are.
Place place_of(const Token& sign, const Place& left, const Place& right) {
    return sign.place.macro_line != 0 && left.macro_line == 0 ? sign.place : joined(left, right);
}

}  // namespace

Expression* Parser::expression() {
    E* expr = assignment();
    while (at(",")) {
        const Place place = next().place;
        E* right = value(assignment());
        if (expr->type == nullptr || right->type == nullptr) {
            expr = broken(place);
        } else {
            expr =
                make(E::Kind::comma, right->type, joined(expr->place, right->place), {expr, right});
            expr->space = right->space;
        }
    }
    return expr;
}

Expression* Parser::assignment() {
    const Deeper deeper(*this);
    E* left = conditional();
    if (accept("=")) {
        E* right = assignment();
        return assign(left, right, joined(left->place, right->place));
    }
    // += and the like; what compares was read by conditional().
    const std::string_view sign = peek().text;
    for (const Level& of : kLevels)
        if (of.how && sign.size() == of.text.size() + 1 && sign.starts_with(of.text) &&
            accept(fmt::format("{}=", of.text))) {
            E* right = assignment();
            const Place place = joined(left->place, right->place);
            if (E* own = own_operator(fmt::format("{}=", of.text), {left, right}, place))
                return own;
            return compound(*of.how, left, right, place);
        }
    return left;
}

Expression* Parser::conditional() {
    E* condition = binary(0);
    if (!at("?")) return condition;
    const Deeper deeper(*this);
    next();
    if (at(":")) syntax_error("'?:' with nothing between is left out", "Write x ? x : y");
    E* yes = expression();
    expect(":", "the first choice of '?'");
    E* no = conditional();
    return choose(condition, yes, no, joined(condition->place, no->place));
}

Expression* Parser::binary(int level) {
    if (level > kTightest) return cast_or_unary();
    E* left = binary(level + 1);
    for (;;) {
        const Level* found = nullptr;
        for (const Level& of : kLevels)
            if (of.level == level && at(of.text)) found = &of;
        if (found == nullptr) return left;
        const bool both = found->level == 1;
        const Token& sign = next();
        E* right = binary(level + 1);
        const Place place = place_of(sign, left->place, right->place);
        if (E* own = found->how ? own_operator(sign.text, {left, right}, place) : nullptr)
            left = own;
        else if (found->how)
            left = binary_node(*found->how, left, right, place);
        else
            left = logical(both ? Operator::and_ : Operator::or_, left, right, place);
    }
}

Expression* Parser::cast_or_unary() {
    if (!at("(") || !at_type(1) || (host_ != nullptr && at("(", 2))) return unary();
    const Deeper deeper(*this);
    const Place place = next().place;
    bool any_space = false;
    const Type* type = type_name(&any_space);
    expect(")", "the type");
    if (type->is_vector() && at("(")) {
        next();
        return postfix_of(vector_parts(type, place, ")"));
    }
    if (at("{")) return postfix_of(compound_literal(type, place));
    E* expr = cast_or_unary();
    if (any_space) type = in_space_of(type, expr = value(expr));
    return cast(expr, type, joined(place, expr->place));
}

// (type){ list }: a variable without a name.
Expression* Parser::compound_literal(const Type* type, const Place& place) {
    if (type->is_vector()) {
        next();
        return vector_parts(type, place, "}");
    }
    if (function_ == nullptr || type->is_void())
        syntax_error("a literal in braces is of a complete type, and stands in a function");
    Variable& variable = tree_.variables.emplace_back();
    variable.name = "literal";
    variable.type = type;
    variable.in_memory = true;
    variable.place = place;
    initialize(variable);
    if (variable.type->is_scalar() || variable.type->is_pointer()) {
        if (variable.initial == nullptr) return constant(variable.type, 0, place);
        return const_cast<E*>(variable.initial);
    }
    // With its values, so that they count as parts of it.
    E* expr =
        make(E::Kind::variable, variable.type, place,
             variable.initial != nullptr ? variable.initial->operands : std::vector<const E*>());
    expr->variable = &variable;
    expr->lvalue = expr->is_literal = true;
    return expr;
}

// The components of a vector, up to the bracket that closes them.
Expression* Parser::vector_parts(const Type* type, const Place& place, std::string_view close) {
    std::vector<const E*> parts;
    std::size_t components = 0;
    bool wrong = false;
    do {
        E* part = value(assignment());
        const bool number = part->type != nullptr && part->type->is_arithmetic();
        if (number && (part->type->is_scalar() || part->type->scalar == type->scalar)) {
            components += part->type->width;
            part = folded(to_arithmetic(part, types_.vector(type->scalar, part->type->width)));
        } else {
            wrong = true;
            if (part->type != nullptr)
                error(part->place,
                      fmt::format("a {} cannot be part of a {}", part->type->name, type->name),
                      number ? fmt::format("Write convert_{}{}( )", info(type->scalar).name,
                                           part->type->width)
                             : "");
        }
        parts.push_back(part);
    } while (accept(",") && !at(close));
    const Place end = expect(close, "the components");
    const Place whole = joined(place, end);
    if (wrong) return broken(whole);
    if (components != type->width && !(parts.size() == 1 && components == 1))
        return broken(whole, fmt::format("a {} takes {} components, but {} are given", type->name,
                                         type->width, components));
    return make(E::Kind::build, type, whole, std::move(parts));
}

Expression* Parser::unary() {
    const Deeper deeper(*this);
    const Place place = peek().place;
    if (at("++") || at("--")) {
        const bool minus = next().text == "--";
        E* expr = unary();
        return increment(expr, true, minus, joined(place, expr->place));
    }
    if (at("sizeof") || (host_ != nullptr && at("alignof"))) return size_of();
    static constexpr std::array<std::string_view, 6> kUnary{"-", "+", "!", "~", "*", "&"};
    for (const std::string_view sign : kUnary) {
        if (!at(sign)) continue;
        next();
        E* of = cast_or_unary();
        const Place whole = joined(place, of->place);
        if (sign == "*") return dereference(value(of), whole);
        if (sign == "&") return address(of, whole);
        if (sign == "+") {
            of = value(of);
            if (of->type != nullptr && !of->type->is_arithmetic())
                return broken(whole,
                              fmt::format("'+' needs a number, this is a {}", of->type->name));
            return promoted(of);
        }
        return unary_node(sign == "-"   ? Operator::negate
                          : sign == "!" ? Operator::not_
                                        : Operator::complement,
                          value(of), whole);
    }
    return postfix_of(primary());
}

Expression* Parser::postfix_of(E* expr) {
    for (;;) {
        const Place place = peek().place;
        if (at("[")) {
            expr = index(expr);
        } else if (at(".") || at("->")) {
            const bool arrow = next().text == "->";
            expr = member(expr, arrow);
        } else if (at("++") || at("--")) {
            const bool minus = next().text == "--";
            expr = increment(expr, false, minus, joined(expr->place, place));
        } else if (E* object = at("(") ? having(expr, "operator()") : nullptr) {
            const std::string name = method_name(*object->type, "operator()");
            expr = typed(place, [&] { return call(name, place, object_of(object, place)); });
        } else if (at("(")) {
            syntax_error("only functions can be called", "Name a function before '('");
        } else {
            return expr;
        }
    }
}

// The innermost parts of expressions: names, calls, elements, members.

Expression* Parser::size_of() {
    const bool alignment = at("alignof");
    const Place place = next().place;
    const Type* type = nullptr;
    if (at("(") && at_type(1)) {
        next();
        type = type_name();
        expect(")", "the type");
    } else {
        type = unary()->type;
    }
    if (type == nullptr) return broken(place);
    if (type->is_void() || is_open(*type))
        return broken(place, fmt::format("'{}' has no size", type->name));
    return constant(types_.scalar(Scalar::ulong), alignment ? type->alignment : type->bytes, place);
}

Expression* Parser::index(E* expr) {
    next();
    E* by = value(expression());
    const Place end = expect("]", "the index");
    const Place place = joined(expr->place, end);
    if (E* own = own_operator("[]", {expr, by}, place)) return own;
    if (expr->type != nullptr && expr->type->is_vector()) {
        // Compilers take a constant there.
        const auto lane =
            by->type != nullptr && by->type->is_integral() ? constant_of(*by) : std::nullopt;
        if (lane && *lane < expr->type->width)
            return swizzle(expr, fmt::format("s{:x}", *lane), place);
        if (expr->lvalue && expr->kind != E::Kind::swizzle && by->type != nullptr) {
            const Type* component = types_.scalar(expr->type->scalar);
            E* first = cast(address(expr, place),
                            types_.pointer(component, expr->space, expr->is_const), place);
            return dereference(offset(first, by, false, place), place);
        }
        return broken(place, "a vector has no [ ] with a variable between them",
                      "Write .x, .y, .s0, or copy it to an array with vstore");
    }
    E* pointer = value(expr);
    if (pointer->type == nullptr || by->type == nullptr) return broken(place);
    if (!pointer->type->is_pointer() && by->type->is_pointer()) std::swap(pointer, by);
    if (!pointer->type->is_pointer())
        return broken(place, fmt::format("a {} has no elements", pointer->type->name),
                      "Only arrays and pointers have [ ]");
    return dereference(offset(pointer, by, false, place), place);
}

Expression* Parser::member(E* expr, bool arrow) {
    if (peek().kind != Token::Kind::identifier)
        syntax_error(fmt::format("expected a member's name, {}", found()));
    const Token& name = next();
    const Place place = place_of(name, expr->place, name.place);
    if (arrow) expr = dereference(value(expr), place);
    if (expr->type == nullptr) return broken(place);
    if (expr->type->is_vector()) return swizzle(expr, name.text, place);
    if (!expr->type->class_name.empty()) return class_member(expr, std::string(name.text), place);
    if (!expr->type->is_structure())
        return broken(place, fmt::format("a {} has no members", expr->type->name),
                      expr->type->is_pointer() ? "Write -> for a pointer to a structure" : "");
    if (E* found = member_named(expr, name.text, place)) return found;
    if (E* object = at("(") ? having(expr, name.text) : nullptr)
        return typed(place, [&] {
            return call(method_name(*object->type, name.text), place, object_of(object, place));
        });
    return broken(name.place, fmt::format("'{}' has no member '{}'", expr->type->name, name.text));
}

Expression* Parser::member_at(E* expr, std::size_t index, const Place& place) {
    E* result = make(E::Kind::member, expr->type->members[index].type, place, {expr});
    result->index = static_cast<std::uint32_t>(index);
    result->lvalue = expr->lvalue;
    result->is_const = expr->is_const;
    result->space = expr->space;
    return result;
}

// Also of structures within that have no name; nothing if there is no such member.
Expression* Parser::member_named(E* expr, std::string_view name, const Place& place) {
    const Deeper deeper(*this);
    for (std::size_t i = 0; i < expr->type->members.size(); ++i) {
        const Type::Member& member = expr->type->members[i];
        if (member.name != name && !member.name.empty()) continue;
        E* result = member_at(expr, i, place);
        if (member.name == name) return result;
        if (E* inner = member_named(result, name, place)) return inner;
    }
    return nullptr;
}

Expression* Parser::swizzle(E* expr, std::string_view name, const Place& place) {
    const std::uint8_t width = expr->type->width;
    std::vector<std::uint8_t> lanes;
    const std::uint8_t padded = width == 3 ? 4 : width;
    const auto every = [&](std::uint8_t first, std::uint8_t step) {
        for (unsigned i = first; lanes.size() < padded / 2U; i += step)
            lanes.push_back(static_cast<std::uint8_t>(i));
    };
    if (name == "lo")
        every(0, 1);
    else if (name == "hi")
        every(padded / 2, 1);
    else if (name == "even")
        every(0, 2);
    else if (name == "odd")
        every(1, 2);
    else {
        const bool numbered = name.size() > 1 && (name[0] == 's' || name[0] == 'S');
        const std::string_view names = numbered ? "0123456789abcdef" : "xyzw";
        for (const char c : name.substr(numbered ? 1 : 0)) {
            const bool upper = numbered && c >= 'A' && c <= 'F';
            const std::size_t lane = names.find(static_cast<char>(upper ? c + 32 : c));
            lanes.push_back(lane == std::string_view::npos ? 255 : static_cast<std::uint8_t>(lane));
        }
    }
    // .hi and .odd of three have a component that nobody may ask for.
    if (width == 3)
        for (std::uint8_t& lane : lanes)
            if (lane == 3 && (name == "hi" || name == "odd")) lane = 2;
    const std::size_t count = lanes.size();
    bool fits = count == 3 || (count <= 16 && std::has_single_bit(count));
    bool twice = false;
    for (std::size_t i = 0; i < count; ++i) {
        fits = fits && lanes[i] < width;
        for (std::size_t k = 0; k < i; ++k)
            twice = twice || lanes[i] == lanes[k];
    }
    if (!fits)
        return broken(place, fmt::format("a {} has no components '{}'", expr->type->name, name),
                      "Write .x .y .z .w, .s0 to .sf, .lo .hi .even .odd, or several: .xy");
    E* result =
        make(E::Kind::swizzle, types_.vector(expr->type->scalar, static_cast<std::uint8_t>(count)),
             place, {expr});
    result->lanes = std::move(lanes);
    result->lvalue = expr->lvalue && !twice;
    result->is_const = expr->is_const;
    result->space = expr->space;
    return result;
}

Expression* Parser::primary() {
    const Token& token = peek();
    if (token.kind == Token::Kind::number) return number();
    if (token.kind == Token::Kind::character) return character();
    if (token.kind == Token::Kind::identifier) return identifier();
    if (token.kind == Token::Kind::string) return text_constant();
    if (at("(") && at("{", 1)) return statement_expression();
    if (host_ != nullptr && at("["))
        syntax_error("lambdas are left out",
                     "Write a __device__ function, and call it by its name");
    if (at("(")) {
        const Deeper deeper(*this);
        const Place open = next().place;
        E* expr = expression();
        const Place end = expect(")", "the expression");
        // A macro's brackets around what its argument names: that is where it is read or written.
        if (open.macro_line == 0 || expr->place.macro_line != 0 || !expr->lvalue)
            expr->place = joined(open, end);
        return expr;
    }
    syntax_error(fmt::format("expected an expression, {}", found()));
}

Expression* Parser::identifier() {
    const Token& token = next();
    const std::string name(token.text);
    if (host_ != nullptr)
        if (E* known = cuda_word(token)) return known;
    if (at_type_word(name)) {
        --at_;
        syntax_error(fmt::format("expected an expression, found the type '{}'", name),
                     fmt::format("A conversion is written ({})value", name));
    }
    Symbol* symbol = find(name);
    const bool object = host_ != nullptr && symbol != nullptr && symbol->variable != nullptr &&
                        symbol->variable->type->is_structure();
    if ((at("(") && !object) || (at("<") && template_named(name) != nullptr))
        return typed(token.place, [&] { return call(name, token.place); });
    if (symbol == nullptr && peek().kind == Token::Kind::identifier && !peek().line_start) {
        // A declaration is meant.
        scopes_.back().names.try_emplace(std::string(peek().text), Symbol{.broken = true});
        if (reported_.insert(name).second)
            diagnostics_.missing(token.place, Diagnostic::Missing::type, name,
                                 fmt::format("'{}' is no type", name), kTypesThereAre);
        throw Recover();
    }
    if (E* own = member_of_this(name, token.place)) return own;
    if (symbol == nullptr) {
        if (reported_.insert(name).second)
            diagnostics_.missing(token.place, Diagnostic::Missing::value, name,
                                 fmt::format("'{}' is not declared", name),
                                 find_function(name) || tree_.find(name) != nullptr
                                     ? "It is a function: write ( ) behind it"
                                     : variable_hint(name));
        return broken(token.place);
    }
    if (symbol->enumerator)
        return constant(symbol->of != nullptr ? symbol->of : types_.scalar(Scalar::int_),
                        static_cast<std::uint64_t>(*symbol->enumerator), token.place);
    Variable* variable = symbol->variable;
    if (symbol->dynamic != nullptr) return dynamic_shared(symbol->dynamic, name, token.place);
    if (variable == nullptr) return broken(token.place);
    E* expr = named(*variable, token.place);
    return variable->is_reference ? dereference(expr, token.place) : expr;
}

static std::string meant_or(std::string_view name, const std::vector<std::string>& known,
                            const char* otherwise) {
    const std::string meant = nearest(name, known);
    return meant.empty() ? otherwise : fmt::format("Is '{}' meant?", meant);
}

std::string Parser::variable_hint(std::string_view name) const {
    std::vector<std::string> known{"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"};
    for (const Scope& scope : scopes_)
        for (const auto& [each, symbol] : scope.names)
            if (!symbol.broken) known.push_back(each);
    return meant_or(name, known, "Declare it, or pass it with --set NAME=VALUE");
}

std::string Parser::function_hint(std::string_view name) const {
    std::vector<std::string> known = function_names();
    for (const FunctionDefinition& function : tree_.functions)
        known.push_back(function.name);
    return meant_or(
        name, known,
        host_ == nullptr
            ? "Define it before this line; OpenCL C's own are listed in its specification"
            : "It is none of those of CUDA's that there are here: write it, with "
              "__device__, before this line");
}

std::vector<Expression*> Parser::arguments() {
    std::vector<E*> given;
    expect("(", "the function");
    while (!at(")") && peek().kind != Token::Kind::end) {
        given.push_back(assignment());
        if (!accept(",")) break;
    }
    return given;
}

Expression* Parser::call(const std::string& name, const Place& place, E* object) {
    const Deeper deeper(*this);
    const auto not_here = host_ == nullptr ? unsupported_function(name) : std::nullopt;
    if (not_here && tree_.find(name) == nullptr && !find_function(name)) {
        error(place, fmt::format("'{}' is not supported here: {}", name, not_here->why),
              std::string(not_here->instead));
        throw Recover();
    }
    const Symbol* symbol = find(name);
    if (symbol != nullptr && !symbol->broken)
        error(place, fmt::format("'{}' is no function", name),
              symbol->variable != nullptr ? fmt::format("It is a variable, declared in line {}",
                                                        symbol->variable->place.line)
                                          : "");
    if (tree_.find(name) == nullptr && symbol == nullptr) {
        if (name == "printf") return print_call(place);
        if (host_ != nullptr && name == "assert") return assert_call(place);
        if (name == "vec_step") return vec_step(place);
    }
    Bindings bound;
    if (at("<")) bound = template_arguments(*template_named(name));
    std::vector<E*> given = arguments();
    if (object != nullptr) given.insert(given.begin(), object);
    const Place whole = joined(place, expect(")", "the arguments"));
    if (const Variable* self = object == nullptr ? object_of_method() : nullptr)
        if (E* own = having(dereference(named(*self, place), place), name)) {
            const bool itself = own->kind == E::Kind::dereference;
            given.insert(given.begin(), itself ? named(*self, place) : object_of(own, place));
            return call_of(method_name(*own->type, name), {}, std::move(given), place, whole);
        }
    return call_of(name, std::move(bound), std::move(given), place, whole);
}

// `whole`: with its arguments.
Expression* Parser::call_of(const std::string& name, Bindings bound, std::vector<E*> given,
                            const Place& place, const Place& whole) {
    const Symbol* symbol = find(name);
    if (place.file != kPreludeFile) called_at_ = whole;
    const FunctionDefinition* function = overload(name, given);
    if (host_ != nullptr) function = cuda_overload(name, given, std::move(bound), function);
    Call call{{}, name, std::move(given), whole};
    if (function == nullptr) {
        for (E*& expr : call.given)
            expr = value(expr);
        for (const E* of : call.given)
            if (of->type == nullptr) throw Broken();
        if (host_ != nullptr && name == "__lanes") return named_lanes(call);
        if (host_ != nullptr && place.file != kPreludeFile) return cuda_call(call);
        if (E* result = made_of_type(call)) return result;
        if (E* result = space_call(call)) return result;
        if (const auto known = find_function(name)) {
            call.known = *known;
            return builtin_call(call);
        }
        if (name == "__grid_barrier" && place.file == kPreludeFile) {
            call.known = {.builtin = Builtin::grid_barrier, .arguments = 1};
            return builtin_call(call);
        }
        if (symbol == nullptr && reported_.insert(name).second)
            error(place, fmt::format("there is no function '{}'", name), function_hint(name));
        throw Broken();
    }
    if (host_ != nullptr) complete_arguments(*function, call.given);
    take_count(call, arguments_of(*function), arguments_of(*function));
    function = instance_for(function, call.given);
    if (function->is_dynamic && function_ != nullptr) {
        const Variable& last = *function->parameters.back();
        call.given.push_back(dynamic_shared(last.type, last.name, whole));
    }
    std::vector<const E*> operands;
    for (std::size_t i = 0; i < call.given.size(); ++i) {
        const E* of = call.given[i];
        const Type* type = function->parameters[i]->type;
        if (!type->is_structure())
            of = convert(call.given[i], type, "pass");
        else if (of->type != nullptr && of->type != type)
            error(of->place, fmt::format("'{}' takes a {} here, this is a {}", name, type->name,
                                         of->type->name));
        if (of->type == nullptr) throw Broken();
        operands.push_back(of);
    }
    if (function_ != nullptr) function_->calls.push_back(function);
    E* made = make(E::Kind::call, function->result, whole, std::move(operands));
    made->function = function;
    return function->is_reference ? dereference(made, whole) : made;
}

// Pointers whose address space is left open: `int* p`. OpenCL C 1.2 takes that as private. From 2.0
// on they are generic; here each has the space of what it is first given, and a function is read
// anew for the spaces of its arguments. One that is given local and global memory points to either.
// Constant memory is no part of the generic space; CUDA's pointers may point to it.
static bool differs(const Type* pointer, const Expression* given, bool cuda) {
    const Type* type = given->type;
    return pointer->is_pointer() && type != nullptr && type->is_pointer() && !type->is_event() &&
           type->space != pointer->space && (cuda || type->space != Space::constant);
}

void Parser::warn_of_open(const Place& place, Space space) {
    const bool either = space == Space::generic;
    diagnostics_.warning(
        place,
        fmt::format("a pointer that names no memory points to {} memory here",
                    either ? "local or global" : name_of(space)),
        either ? "OpenCL C 1.2 has no such pointers"
               : fmt::format("OpenCL C 1.2 wants {} before its type", name_of(space)));
}

const Type* Parser::in_space_of(const Type* pointer, const E* given) {
    if (!differs(pointer, given, host_ != nullptr)) return pointer;
    const Space space = given->type->space;
    if (host_ != nullptr) return types_.in_space(pointer, space);
    warn_of_open(given->place, space);
    return types_.in_space(pointer, space);
}

void Parser::take_space(Variable& variable, const E* given) {
    variable.type = in_space_of(variable.type, given);
    if (given->type != nullptr && given->type->is_pointer()) variable.any_space = false;
}

// What such a pointer is assigned after its first address; if that is in the
// other kind of memory, its function is read once more, with the pointer to
// either.
Expression* Parser::elsewhere(const Variable& variable, E* from) {
    const auto open = open_pointers_.find(&variable);
    if (open == open_pointers_.end() || !variable.type->is_pointer()) return from;
    from = value(from);
    const bool other = from->type != nullptr && from->type->is_pointer() &&
                       !reaches(variable.type->space, from->type->space) &&
                       reaches(Space::generic, from->type->space) &&
                       reaches(Space::generic, variable.type->space);
    if (!other) return from;
    mixed_.insert(open->second);
    return make(E::Kind::convert, variable.type, from->place, {from});
}

// Two pointers become such if they are to different kinds of memory; whether
// they are to one then.
bool Parser::meet(E*& a, E*& b) {
    if (a->type->space == b->type->space) return true;
    if (!reaches(Space::generic, a->type->space) || !reaches(Space::generic, b->type->space))
        return false;
    for (E** each : {&a, &b})
        *each = make(E::Kind::convert, types_.in_space((*each)->type, Space::generic),
                     (*each)->place, {*each});
    return true;
}

const FunctionDefinition* Parser::instance_for(const FunctionDefinition* function,
                                               std::vector<E*>& given) {
    Instance instance;
    instance.name = instance.origin = function->name;
    bool any = false;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Variable& parameter = *function->parameters[i];
        instance.spaces.emplace_back();
        E* refers = parameter.may_refer && !is_own_copy(*given[i])
                        ? referent(given[i], parameter.type)
                        : nullptr;
        if (refers != nullptr && function->body == nullptr) {
            error(given[i]->place,
                  fmt::format("'{}' refers to this, but its text does not stand before the call",
                              function->name),
                  "Move the function before the one that calls it");
            throw Broken();
        }
        if (refers != nullptr)
            given[i] = refers;
        else if (!parameter.any_space ||
                 !differs(parameter.type, value(given[i]), host_ != nullptr))
            continue;
        instance.spaces.back() = value(given[i])->type->space;
        instance.name += fmt::format("_{}{}", name_of(*instance.spaces.back()), i);
        any = true;
    }
    const auto withheld = withheld_.find(function);
    // Told as often as it is called so: a caller's own errors may be withheld, and dropped.
    if (!any && withheld != withheld_.end())
        for (const Diagnostic& each : withheld->second)
            diagnostics_.add(each);
    if (!any || function->body == nullptr) return function;
    if (host_ != nullptr) instance.name += fmt::format("_{}", function->first_token);
    instantiated_.insert(function);
    const FunctionDefinition* known = tree_.find(instance.name);
    if (known == nullptr) {
        instance_ = instance;
        const auto bound = bound_.find(function);
        const auto method = methods_.find(function);
        read_again(function->first_token, bound != bound_.end() ? &bound->second : nullptr,
                   method != methods_.end() ? method->second : nullptr);
        known = tree_.find(instance.name);
    }
    return known != nullptr ? known : function;
}

// Reads a function's text once more, as it stands outside of all others. `bound`: what its
// template's parameters are. `method_of`: the structure that it is a member of.
void Parser::read_again(std::size_t first_token, const Scope* bound, const Type* method_of) {
    const Deeper deeper(*this);
    const SetWithin position(at_, first_token), start(declaration_start_, first_token);
    const SetWithin of(method_of_, method_of);
    const SetWithin<FunctionDefinition*> outer(function_, nullptr);
    const SetWithin outermost(outermost_, false), within(within_expression_, false);
    const SetWithin loops(loops_, 0), breakable(breakable_, 0);
    std::vector<Scope> scopes = std::exchange(scopes_, {});
    scopes_.push_back(std::move(scopes.front()));
    if (bound != nullptr) scopes_.push_back(Scope(*bound));
    const int depth = depth_;
    try {
        external_declaration();
    } catch (const Recover&) {
        depth_ = depth;
    }
    instance_.reset();
    scopes.front() = std::move(scopes_.front());
    scopes_ = std::move(scopes);
}

// With pointers of open space it may be right for other spaces than private: then its errors wait.
Statement* Parser::body_once(FunctionDefinition& definition) {
    bool open = false;
    for (const Variable* parameter : definition.parameters)
        open = open || (parameter->any_space && parameter->type->space == Space::private_);
    if (!open || definition.is_kernel) return block(false);
    const std::size_t reported = diagnostics_.all().size();
    const auto names = reported_;
    const bool failed = diagnostics_.failed();
    Statement* body = block(false);
    if (failed || !diagnostics_.failed()) return body;
    withheld_[&definition] = diagnostics_.take_after(reported);
    reported_ = names;
    return body;
}

Statement* Parser::body_of(FunctionDefinition& definition) {
    const std::size_t start = at_, reported = diagnostics_.all().size();
    const std::size_t variables = tree_.variables.size();
    const auto names = reported_;
    const Scope scope = scopes_.back();
    for (;;) {
        const std::size_t mixed = mixed_.size();
        Statement* body = body_once(definition);
        if (mixed_.size() == mixed || diagnostics_.full()) return body;
        // What other functions, read for it, are wrong in is said once.
        const std::size_t first = tokens_[start].place.line, last = tokens_[at_ - 1].place.line;
        for (const Diagnostic& each : diagnostics_.take_after(reported))
            if (each.place.line < first || each.place.line > last) diagnostics_.add(each);
        at_ = start;
        withheld_.erase(&definition);
        reported_ = names;
        scopes_.back() = scope;
        // What it declared in local memory is declared again.
        for (std::size_t i = variables; i < tree_.variables.size(); ++i)
            if (tree_.variables[i].space == Space::local)
                tree_.variables[i].space = Space::private_;
    }
}

// to_global(p) and the like, whose answer the pointer's type knows; nothing for other names.
Expression* Parser::space_call(const Call& call) {
    const auto& [known, name, given, place] = call;
    if (given.size() != 1 || !given[0]->type->is_pointer()) return nullptr;
    const Type* pointer = given[0]->type;
    if (pointer->space == Space::generic) {
        if (name != "get_fence" && !name.starts_with("to_")) return nullptr;
        refuse(place, fmt::format("'{}' of a pointer to several memories is not supported", name),
               "Use a pointer to each");
    }
    if (name == "get_fence")
        return constant(types_.scalar(Scalar::uint),
                        pointer->space == Space::global  ? 2
                        : pointer->space == Space::local ? 1
                                                         : 0,
                        place);
    for (const Space space : {Space::global, Space::local, Space::private_}) {
        if (name != fmt::format("to_{}", name_of(space))) continue;
        if (pointer->space == space) return given[0];
        return make(E::Kind::convert, types_.in_space(pointer, space), place,
                    {constant(types_.scalar(Scalar::int_), 0, place)});
    }
    return nullptr;
}

}  // namespace lab::lang
