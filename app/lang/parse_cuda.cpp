// What CUDA C++ has beyond OpenCL C: templates, references, casts by name, and its own calls.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ranges.h"
#include "base/text.h"
#include "lang/code.h"
#include "lang/parser.h"

namespace lab::lang {
namespace {

constexpr std::size_t kMostInstances = 200;  // instances of templates; more are refused
constexpr std::size_t kMostArguments = 256;  // parts of structures; more are refused
constexpr int kAdditive = 8;                 // the level of + and -, which < and > are above

// The value of a template's parameter that nothing names: what a guessed launch has in a group.
constexpr std::uint64_t kUsualValue = 16;

struct CudaAtomic {
    std::string_view name;
    Builtin builtin;
    std::string_view opencl;
    std::string_view types;  // i: int, u: unsigned, l: unsigned long long, s: long long, f, d
    std::uint8_t arguments = 2;
};
constexpr std::array<CudaAtomic, 11> kCudaAtomics{
    {{"atomicAdd", Builtin::atomic_add, "add", "iulfd"},
     {"atomicSub", Builtin::atomic_sub, "sub", "iu"},
     {"atomicExch", Builtin::atomic_xchg, "xchg", "iulf"},
     {"atomicMin", Builtin::atomic_min, "min", "iuls"},
     {"atomicMax", Builtin::atomic_max, "max", "iuls"},
     {"atomicInc", Builtin::atomic_wrap_inc, "wrap_inc", "u"},
     {"atomicDec", Builtin::atomic_wrap_dec, "wrap_dec", "u"},
     {"atomicCAS", Builtin::atomic_cmpxchg, "cmpxchg", "iul", 3},
     {"atomicAnd", Builtin::atomic_and, "and", "iuls"},
     {"atomicOr", Builtin::atomic_or, "or", "iuls"},
     {"atomicXor", Builtin::atomic_xor, "xor", "iuls"}}};

const CudaAtomic* cuda_atomic_of(std::string_view name) {
    for (const std::string_view end : {"_block", "_system"})
        if (name.ends_with(end)) name.remove_suffix(end.size());
    for (const CudaAtomic& each : kCudaAtomics)
        if (each.name == name) return &each;
    return nullptr;
}

char letter_of(const Type& type) {
    return !type.is_scalar()                ? '?'
           : type.scalar == Scalar::int_    ? 'i'
           : type.scalar == Scalar::uint    ? 'u'
           : type.scalar == Scalar::ulong   ? 'l'
           : type.scalar == Scalar::long_   ? 's'
           : type.scalar == Scalar::float_  ? 'f'
           : type.scalar == Scalar::double_ ? 'd'
                                            : '?';
}

std::string types_of_letters(std::string_view letters) {
    constexpr std::string_view kLetters = "iulsfd";
    constexpr std::array<std::string_view, 6> kNames{"int",       "unsigned", "unsigned long long",
                                                     "long long", "float",    "double"};
    std::vector<std::string_view> names;
    for (const char each : letters)
        names.push_back(kNames[kLetters.find(each)]);
    return fmt::format("{}", fmt::join(names, ", "));
}

constexpr std::array<CudaWord, 16> kCudaTypes{{{"dim3", "uint3"},
                                               {"int8_t", "char"},
                                               {"uint8_t", "uchar"},
                                               {"int16_t", "short"},
                                               {"uint16_t", "ushort"},
                                               {"int32_t", "int"},
                                               {"uint32_t", "uint"},
                                               {"u_int32_t", "uint"},
                                               {"int64_t", "long"},
                                               {"uint64_t", "ulong"},
                                               {"u_int64_t", "ulong"},
                                               {"longlong2", "long2"},
                                               {"longlong4", "long4"},
                                               {"ulonglong2", "ulong2"},
                                               {"ulonglong4", "ulong4"},
                                               {"clock_t", "long"}}};

struct LeftOut {
    std::string_view words, why, instead;
};
constexpr std::array<LeftOut, 9> kLeftOut{
    {{"cluster_group block_tile_memory this_cluster multi_grid_group this_multi_grid",
      "these cooperative groups are left out", "Write thread_block, or thread_block_tile<32>"},
     {"__cluster_dims__", "clusters of thread blocks are left out",
      "Let blocks meet in global memory, by atomics"},
     {"cudaTextureObject_t cudaSurfaceObject_t tex1Dfetch tex1D tex2D tex3D",
      "textures are left out", "Use a buffer"},
     {"pipeline aligned_size_t __pipeline_memcpy_async",
      "copies that go on by themselves are left out", "Copy in a loop, then write __syncthreads()"},
     {"curandState curandState_t curandStateMtgp32_t", "random numbers of the library are left out",
      "Pass a buffer of them"},
     {"new", "kernels here allocate nothing", "Pass a buffer"},
     {"half half2 __half __half2 __nv_bfloat16", "half precision is left out in CUDA",
      "Write float"},
     {"__shfl __shfl_up __shfl_down __shfl_xor __ballot __any __all",
      "which lanes come is not said, and CUDA has it no more",
      "Write its form with _sync and a mask of the lanes first: 0xffffffff"},
     {"clock clock64", "there is no clock here", "A run has steps here, not seconds"}}};

// Of a dimension: threadIdx.x and the like.
constexpr std::array<CudaWord, 4> kIndexWords{{{"threadIdx", "get_local_id"},
                                               {"blockIdx", "get_group_id"},
                                               {"blockDim", "get_local_size"},
                                               {"gridDim", "get_num_groups"}}};

using ExpressionKind = Expression::Kind;

}  // namespace

std::string_view Parser::word(std::string_view text) const {
    return host_ == nullptr ? text : cuda_specifier(text);
}

const Type* Parser::named_type(std::string_view word) {
    if (host_ == nullptr) return types_.named(word);
    for (const CudaWord& each : kCudaTypes)
        if (each.word == word) return types_.named(each.opencl);
    const Type* type = types_.named(word);
    if (type == nullptr || type->is_event() || type->width > 4 || type->is_half() ||
        word.starts_with("atomic_") || word.starts_with("memory_"))
        return nullptr;
    return type;
}

// A word with brackets behind it that says how to compile; false if there is none.
bool Parser::skipped_attribute(Layout* layout) {
    if (!is_cuda_attribute(peek().text) || at("__attribute__")) return false;
    refuse_left_out(peek());
    const bool aligns = !at("__launch_bounds__") && layout != nullptr;
    next();
    if (!aligns) {
        skip_balanced("(", ")");
        return true;
    }
    expect("(", "the alignment");
    const auto value = constant_integer("an alignment").value_or(1);
    if (value > 0 && value <= 4096) layout->alignment = static_cast<std::uint64_t>(value);
    expect(")", "the alignment");
    return true;
}

// static_assert, which is _Static_assert in C; false if there is none.
bool Parser::static_assertion() {
    if (!accept(host_ != nullptr ? "static_assert" : "_Static_assert")) return false;
    const Place place = expect("(", "static_assert");
    const auto holds = constant_of(*truth(conditional()), true);
    if (!holds) error(place, "static_assert needs a constant");
    if (holds && *holds == 0) error(place, "this static_assert does not hold");
    if (accept(",")) (void)text_literal();
    expect(")", "static_assert");
    expect(";", "static_assert");
    return true;
}

// At file scope or in a function; false if OpenCL C has such, too.
bool Parser::cuda_declaration() {
    if (accept("using")) {
        const Token& name = next();
        expect("=", "the name of a type");
        declare(std::string(name.text), {.type = type_name()}, name.place);
        expect(";", "the type");
        return true;
    }
    if (function_ == nullptr && at("template")) {
        template_declaration();
        return true;
    }
    for (std::size_t i = 0; peek(i).kind == Token::Kind::identifier; ++i)
        if (peek(i + 1).kind == Token::Kind::identifier || at("*", i + 1) || at("<", i + 1) ||
            at("&", i + 1) || at("operator", i))  // else it is a name that is declared
            refuse_left_out(peek(i));
    return false;
}

// Templates: the text of each is read anew for each set of arguments.

void Parser::template_declaration() {
    next();
    if (!at("<")) return explicit_instance();
    next();
    Template made;
    while (!at(">") && peek().kind != Token::Kind::end) {
        Template::Parameter parameter;
        if (accept("typename") || accept("class")) {
            if (at("."))
                syntax_error("templates of any number of arguments are left out",
                             "Write a function for each number");
        } else {
            parameter.type = specifiers().type;
        }
        // A macro, such as one of --set, may stand for its name: then nobody can name it.
        if (!at("=") && !at(",") && !at(">")) parameter.name = next().text;
        if (accept("=")) {
            parameter.usual = at_;
            for (int depth = 0; peek().kind != Token::Kind::end; next()) {
                if (depth == 0 && (at(",") || at(">"))) break;
                depth += at("(") ? 1 : at(")") ? -1 : 0;
            }
        }
        made.parameters.push_back(std::move(parameter));
        if (!accept(",")) break;
    }
    expect(">", "the template's parameters");
    made.first = at_;
    made.is_structure = word(peek().text) == "struct";
    if (made.parameters.empty())
        return made.is_structure ? special_structure() : special_function();
    if (at("union") || at("using"))
        syntax_error("only functions and structures can be templates here",
                     "Write a struct for each type");
    if (made.is_structure) {
        made.name = peek(1).text;
        skip_declaration();
        templates_.push_back(std::move(made));
        return;
    }
    std::size_t open = 0;  // the bracket behind its name
    for (;; ++open) {
        made.is_kernel = made.is_kernel || at("__global__", open);
        if (at("{", open) || at(";", open) || peek(open).kind == Token::Kind::end)
            syntax_error("only functions can be templates here", "Write a function");
        if (!at("(", open)) continue;
        if (open > 0 && !is_cuda_attribute(peek(open - 1).text)) break;
        while (!at(")", open) && peek(open).kind != Token::Kind::end)
            ++open;
    }
    made.name = peek(open - 1).text;
    while (!at("{", open) && !at(";", open) && peek(open).kind != Token::Kind::end)
        ++open;
    const bool has_body = at("{", open);
    skip_declaration();
    if (!has_body) return;  // that follows
    templates_.push_back(std::move(made));
}

// template __global__ void sum<float, 256>(…);
void Parser::explicit_instance() {
    while (!at("<") && !at(";") && peek().kind != Token::Kind::end)
        next();
    const Template* from = template_named(tokens_[at_ - 1].text);
    if (from == nullptr || !at("<")) syntax_error("there is no such template before this line");
    const Template copy = *from;
    Bindings bound = template_arguments(copy);
    if (complete(copy, bound)) template_instance(copy, bound);
    skip_declaration();
}

const Parser::Template* Parser::template_named(std::string_view name) const {
    for (const Template& each : templates_)
        if (each.name == name) return &each;
    return nullptr;
}

// Between < and >.
Parser::Bindings Parser::template_arguments(const Template& from) {
    const Template copy = from;  // others may be read meanwhile
    Bindings bound;
    expect("<", "the template's name");
    while (!at(">") && peek().kind != Token::Kind::end) {
        if (bound.size() == copy.parameters.size())
            syntax_error(fmt::format("'{}' has {} parameters in its template", copy.name,
                                     copy.parameters.size()));
        Binding each;
        if (copy.parameters[bound.size()].type == nullptr) {
            each.type = type_name();
        } else {
            const E* given = binary(kAdditive);
            each.value = constant_of(*given);
            if (!each.value && given->type != nullptr)
                error(given->place, "a template's argument must be a constant");
        }
        bound.push_back(each);
        if (!accept(",")) break;
    }
    expect(">", "the template's arguments");
    return bound;
}

Parser::Scope Parser::scope_of(const Template& from, const Bindings& bound) const {
    Scope scope;
    for (std::size_t i = 0; i < bound.size(); ++i) {
        Symbol symbol;
        symbol.type = bound[i].type;
        if (bound[i].value) symbol.enumerator = static_cast<std::int64_t>(*bound[i].value);
        if (bound[i].value) symbol.of = from.parameters[i].type;
        if (bound[i].type != nullptr || bound[i].value)
            scope.names[from.parameters[i].name] = symbol;
    }
    return scope;
}

// From the types of a call's arguments; false if they do not fit.
bool Parser::deduce(const Template& from, const std::vector<E*>& given, Bindings& bound) {
    bound.resize(from.parameters.size());
    std::size_t at = from.first;
    while (!tokens_[at].is("(") || is_cuda_attribute(tokens_[at - 1].text))
        ++at;
    ++at;
    for (std::size_t argument = 0;; ++argument) {
        int depth = 0, stars = 0;
        std::size_t which = from.parameters.size();
        std::size_t number = which;  // the parameter that such an argument of a class has
        const Type* of_class = nullptr;
        bool usual = false;
        if (tokens_[at].is(")")) return argument >= given.size();
        for (; depth > 0 || !(tokens_[at].is(",") || tokens_[at].is(")")); ++at) {
            if (tokens_[at].kind == Token::Kind::end) return false;
            depth += tokens_[at].is("(") ? 1 : tokens_[at].is(")") ? -1 : 0;
            usual = usual || tokens_[at].is("=");
            if (tokens_[at].is("*") || tokens_[at].is("[")) ++stars;
            if (const Symbol* known = find(tokens_[at].text);
                known != nullptr && known->type != nullptr && !known->type->class_name.empty())
                of_class = known->type;
            for (std::size_t i = 0; i < from.parameters.size(); ++i)
                if (tokens_[at].is(from.parameters[i].name)) {
                    std::size_t& found = from.parameters[i].type == nullptr ? which : number;
                    if (found == from.parameters.size()) found = i;
                }
        }
        const bool last = tokens_[at++].is(")");
        if (argument >= given.size()) {
            if (!usual) return false;
        } else {
            const Type* type = value(given[argument])->type;
            if (type == nullptr) return false;
            // CUDA's own functions are not templates: theirs promote.
            if (stars == 0 && type->is_scalar() && type->scalar < Scalar::int_ &&
                type->class_name.empty() && tokens_[from.first].place.file == kPreludeFile &&
                !from.name.starts_with(kGroupPrefix))
                type = types_.scalar(Scalar::int_);
            for (; stars > 0 && type->is_pointer(); --stars)
                type = type->element;
            if (stars > 0) return false;
            if (of_class != nullptr) {
                if (type->class_name != of_class->class_name) return false;
                if (number < from.parameters.size() && !bound[number].value)
                    bound[number].value = type->count;
                type = type->element;
            }
            if (which < from.parameters.size() && bound[which].type == nullptr)
                bound[which].type = type;
        }
        if (last) return argument + 1 >= given.size();
    }
}

// Gives what is still open its default; without one, of a kernel, what is usual.
bool Parser::complete(const Template& from, Bindings& bound) {
    bound.resize(from.parameters.size());
    for (std::size_t i = 0; i < bound.size(); ++i) {
        const Template::Parameter& parameter = from.parameters[i];
        if (bound[i].type != nullptr || bound[i].value) continue;
        if (parameter.usual != 0) {
            const std::size_t position = std::exchange(at_, parameter.usual);
            scopes_.push_back(scope_of(from, bound));
            if (parameter.type == nullptr)
                bound[i].type = type_name();
            else
                bound[i].value = constant_of(*binary(kAdditive));
            scopes_.pop_back();
            at_ = position;
        } else if (!from.is_kernel) {
            return false;
        } else if (parameter.type == nullptr) {
            bound[i].type = types_.scalar(Scalar::float_);
        } else {
            bound[i].value = parameter.type->scalar == Scalar::bool_ ? 0 : kUsualValue;
        }
    }
    return true;
}

std::string Parser::instance_name(const Template& from, const Bindings& bound) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < bound.size(); ++i)
        if (!from.parameters[i].name.empty())
            words.push_back(
                bound[i].type != nullptr
                    ? bound[i].type->name
                    : fmt::format("{}", static_cast<std::int64_t>(bound[i].value.value_or(0))));
    return fmt::format("{}<{}>", from.name, fmt::join(words, ", "));
}

// Read from its first token, which of a special case is not the template's.
const Type* Parser::structure_instance(const Template& from, const Bindings& bound,
                                       std::size_t first) {
    const std::string name = instance_name(from, bound);
    const auto [known, is_new] = structures_.try_emplace({from.first, name});
    if (!is_new) return known->second;
    if (structures_.size() > kMostInstances)
        syntax_error(fmt::format("a text has {} instances of templates at most", kMostInstances));
    const Scope scope = scope_of(from, bound);
    const SetWithin<std::optional<Instance>> outer(instance_,
                                                   Instance{name, {}, nullptr, &known->second});
    read_again(first, &scope);
    return known->second;
}

// template <> struct Name<double> { … };
void Parser::special_structure() {
    const std::size_t first = at_;
    next();
    const Template* from = template_named(next().text);
    if (from == nullptr || !at("<")) syntax_error("there is no such template before this line");
    const Template copy = *from;
    structure_instance(copy, template_arguments(copy), first);
    skip_declaration();
}

// template <> int name<int>(…) { … }
void Parser::special_function() {
    const std::size_t first = at_;
    while (!at("<") && !at("(") && peek().kind != Token::Kind::end)
        next();
    const Template* from = template_named(tokens_[at_ - 1].text);
    if (from == nullptr || !at("<"))
        syntax_error("which template this is a special case of is not said",
                     "Write the types of its template behind its name: f<int>");
    const Template copy = *from;
    const std::string name = instance_name(copy, template_arguments(copy));
    const auto [known, is_new] = instances_.try_emplace({copy.first, name});
    if (is_new) {
        instance_ = Instance{name, {}, &known->second};
        read_again(first, nullptr);
    }
    skip_declaration();
}

// Member functions: each is a function whose first argument is `this`.

bool Parser::at_method() const {
    for (std::size_t i = 0; peek(i).kind != Token::Kind::end; ++i) {
        if (at("operator", i) || at("~", i)) return true;
        if (at("(", i))
            return i > 0 && peek(i - 1).kind == Token::Kind::identifier &&
                   !is_cuda_attribute(peek(i - 1).text);
        for (const std::string_view sign : {";", "=", "{", "}", "["})
            if (at(sign, i)) return false;
    }
    return false;
}

std::string Parser::method_name(const Type& of, std::string_view name) {
    return fmt::format("{}<{}>", name, of.name);
}

void Parser::method() {
    if (at("template"))
        syntax_error("templates within structures are left out", "Write a function beside it");
    Specifiers base;
    Declarator declared;
    while (qualifier(base)) {
    }
    declared.place = peek().place;
    if (at("~") || (at("(", 1) && method_of_->name.ends_with(peek().text)))
        syntax_error("constructors are left out", "Write its members in braces: {1, 2}");
    if (accept("operator")) {  // to another type
        declared.name = "operator";
        declared.type = type_name(&declared.any_space);
        declared.is_function = true;
    } else {
        base = specifiers();
        declared = declarator(base, true);
    }
    declared.name = method_name(*method_of_, declared.name);
    if (declared.name.starts_with("operator<") && tree_.find(declared.name) != nullptr &&
        !instance_)
        return;  // the same of a const object
    function(base, declared);
}

// `this`; null outside of methods.
const Variable* Parser::object_of_method() {
    const Symbol* symbol = host_ != nullptr ? find("this") : nullptr;
    const Variable* variable = symbol != nullptr ? symbol->variable : nullptr;
    const bool is_object = variable != nullptr && variable->type->is_pointer() &&
                           variable->type->element->is_structure();
    return is_object ? variable : nullptr;
}

// Nothing where it is none, or a variable of the function hides it.
Expression* Parser::member_of_this(std::string_view name, const Place& place) {
    constexpr std::size_t kOfFunction = 2;  // the first scope that is of a method
    const Variable* self = object_of_method();
    if (self == nullptr) return nullptr;
    for (std::size_t i = kOfFunction; i < scopes_.size(); ++i)
        if (scopes_[i].names.contains(name)) return nullptr;
    return member_named(dereference(named(*self, place), place), name, place);
}

// The object, or the base in it, whose structure has that member function; null: none has.
Expression* Parser::having(E* object, std::string_view method) {
    while (host_ != nullptr && object->type != nullptr && object->type->is_structure()) {
        if (tree_.find(method_name(*object->type, method)) != nullptr) return object;
        const bool has_base = !is_open(*object->type) && object->type->members[0].name.empty();
        if (!has_base) return nullptr;
        object = member_at(object, 0, object->place);
    }
    return nullptr;
}

// The base of that type in it, if it has one; else itself.
Expression* Parser::based(E* object, const Type* type) {
    E* base = object;
    while (host_ != nullptr && base->type != nullptr && base->type->is_structure() &&
           base->type != type && !is_open(*base->type) && base->type->members[0].name.empty())
        base = member_at(base, 0, object->place);
    return base->type == type ? base : object;
}

// What a method is given as `this`.
Expression* Parser::object_of(E* expr, const Place& place) {
    const bool made = !expr->lvalue && expr->type->is_structure();  // by a call, say
    E* at = made ? make(ExpressionKind::address, types_.pointer(expr->type, expr->space, false),
                        place, {expr})
                 : address(expr, place);
    return at->type == nullptr ? at
                               : cast(at, types_.pointer(expr->type, expr->space, false), place);
}

// An operator of one's own, of the first of them or of all; nothing if there is none.
Expression* Parser::own_operator(std::string_view sign, std::vector<E*> given, const Place& place) {
    if (host_ == nullptr || given[0]->type == nullptr) return nullptr;
    const std::string name = fmt::format("operator{}", sign);
    if (E* object = having(given[0], name)) {
        given[0] = object_of(object, place);
        return typed(place, [&] {
            return call_of(method_name(*object->type, name), {}, given, place, place);
        });
    }
    const bool fits = any_of(tree_.functions, [&](const FunctionDefinition& each) {
        if (each.name != name || each.parameters.size() != given.size()) return false;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const Variable& to = *each.parameters[i];
            if (given[i]->type != (to.is_reference ? to.type->element : to.type)) return false;
        }
        return true;
    });
    return fits ? typed(place, [&] { return call_of(name, {}, given, place, place); }) : nullptr;
}

// By its operator T, if it has one.
Expression* Parser::converted_by_own(E* expr) {
    E* object = having(expr, "operator");
    if (object == nullptr) return expr;
    const Place& place = expr->place;
    return typed(place, [&] {
        return call_of(method_name(*object->type, "operator"), {}, {object_of(object, place)},
                       place, place);
    });
}

const FunctionDefinition* Parser::template_instance(const Template& from, const Bindings& bound) {
    const std::string name = instance_name(from, bound);
    const auto [known, is_new] = instances_.try_emplace({from.first, name});
    if (!is_new) return known->second;
    if (instances_.size() > kMostInstances)
        syntax_error(fmt::format("a text has {} instances of templates at most", kMostInstances));
    const Scope scope = scope_of(from, bound);
    instance_ = Instance{name, {}, &known->second};
    read_again(from.first, &scope);
    if (known->second != nullptr) bound_[known->second] = scope;
    return known->second;
}

// One of each kernel that the host does not launch. What is wrong in some of them counts where one
// is chosen, or where no other kernel is left.
void Parser::instantiate_kernels() {
    if (host_ == nullptr) return;
    const std::vector<Template> all = templates_;
    for (const Template& each : all) {
        if (!each.is_kernel || diagnostics_.full()) continue;
        const bool exists =
            any_of(instances_, [&](const auto& one) { return one.first.first == each.first; });
        Bindings bound;
        if (exists || !complete(each, bound)) continue;
        const std::size_t reported = diagnostics_.all().size();
        const bool failed = diagnostics_.failed();
        const FunctionDefinition* made = template_instance(each, bound);
        if (failed || !diagnostics_.failed() || made == nullptr || made->body == nullptr) continue;
        const_cast<FunctionDefinition*>(made)->errors = diagnostics_.take_after(reported);
    }
    const std::vector<const FunctionDefinition*> kernels = tree_.kernels();
    if (all_of(kernels, [](const auto* each) { return !each->errors.empty(); }))
        for (const FunctionDefinition* each : kernels)
            for (const Diagnostic& error : each->errors)
                diagnostics_.add(error);
}

// The function that a call means: one without a template where that fits exactly; none, where it is
// one of CUDA's own after all.
const FunctionDefinition* Parser::cuda_overload(const std::string& name,
                                                const std::vector<E*>& given, Bindings bound,
                                                const FunctionDefinition* plain) {
    bool exact = plain != nullptr && bound.empty() && plain->parameters.size() >= given.size();
    for (std::size_t i = 0; exact && i < given.size(); ++i) {
        const Type* to = plain->parameters[i]->type;
        const Type* from = value(given[i])->type;
        if (plain->parameters[i]->is_reference) to = to->element;
        const bool pointers = from != nullptr && from->is_pointer() && to->is_pointer();
        exact = from == to || (pointers && from->element == to->element);
        if (!exact && pointers && cuda_atomic_of(name) != nullptr) return nullptr;
    }
    if (exact) return plain;
    const std::vector<Template> all = templates_;
    for (const Template& each : all) {
        Bindings own = bound;
        if (each.name != name || !deduce(each, given, own) || !complete(each, own)) continue;
        if (each.is_kernel) break;
        return template_instance(each, own);
    }
    return plain;
}

// Default arguments, and addresses for references.
void Parser::complete_arguments(const FunctionDefinition& function, std::vector<E*>& given) {
    for (std::size_t i = given.size(); i < function.parameters.size(); ++i) {
        const auto usual = usual_.find(function.parameters[i]);
        if (usual == usual_.end()) break;
        const std::size_t position = std::exchange(at_, usual->second);
        given.push_back(assignment());
        at_ = position;
    }
    for (std::size_t i = 0; i < given.size() && i < function.parameters.size(); ++i) {
        const Variable& to = *function.parameters[i];
        given[i] = based(given[i], to.is_reference ? to.type->element : to.type);
        if (to.is_reference) given[i] = address(given[i], given[i]->place);
    }
}

// Declarations.

// True if a value of this type has a pointer in it, besides itself.
bool Parser::holds_pointer(const Type& type) {
    bool holds = false;
    type.for_parts([&](const Type& part, std::uint64_t) {
        holds = holds || part.is_pointer() || holds_pointer(part);
    });
    return holds;
}

// A kernel's argument that holds pointers: its host passes each number and pointer in it, and
// `list`, of the whole, puts them together.
void Parser::spread_argument(const Type& type, const std::string& name, std::uint64_t offset,
                             E& list, std::vector<Variable*>& variables) {
    for (const Type::Member& member : type.members)
        spread_argument(*member.type, member.name.empty() ? name : name + "_" + member.name,
                        offset + member.offset, list, variables);
    for (std::uint64_t i = 0; type.is_array() && i < type.count; ++i)
        spread_argument(*type.element, fmt::format("{}_{}", name, i),
                        offset + i * type.element->bytes, list, variables);
    const bool unreachable =
        type.is_pointer() && (type.element->is_pointer() || !reaches(type.space, Space::global));
    if (type.overlaid || unreachable || variables.size() > kMostArguments) {
        error(list.place, fmt::format("a kernel's argument cannot be or hold a {} here", type.name),
              "Pass a buffer of it");
        throw Recover();
    }
    if (!type.in_registers()) return;
    Declarator declared{.type = &type, .name = name, .place = list.place};
    if (type.is_pointer()) declared.type = types_.in_space(&type, Space::global);
    if (type.scalar == Scalar::bool_) declared.type = types_.scalar(Scalar::uchar);
    variables.push_back(make_variable(declared, {}));
    variables.back()->is_argument = true;
    list.operands.push_back(
        convert(value(named(*variables.back(), list.place)), &type, "initialise"));
    list.offsets.push_back(offset);
}

// auto name = value; auto* and auto& too.
void Parser::auto_declaration(const Specifiers& base, Statement& statement) {
    do {
        bool is_const = base.is_const;
        for (;; next()) {
            if (at("const"))
                is_const = true;
            else if (at("*"))
                is_const = false;
            else if (!skipped_attribute())
                break;
            else
                --at_;  // next() of the loop
        }
        const bool reference = accept("&");
        Declarator declared;
        declared.place = peek().place;
        declared.name = next().text;
        declared.is_const = base.is_const;
        const bool bracket = !at("=");
        if (!accept("=") && !accept("(") && !accept("{"))
            syntax_error("what is auto needs a value", "Write = and its value");
        E* given = assignment();
        E* pointer = !reference ? nullptr
                     : is_const ? referent(given, given->type)
                                : address(given, declared.place);
        declared.is_reference = pointer != nullptr;
        given = pointer != nullptr ? pointer : value(given);
        if (bracket && !accept(")")) expect("}", "the value");
        declared.type = given->type != nullptr ? given->type : types_.scalar(Scalar::int_);
        Variable* variable = make_variable(declared, base);
        variable->initial = given;
        const bool failed = given->type == nullptr;
        declare(declared.name, {.variable = failed ? nullptr : variable, .broken = failed},
                declared.place);
        Statement* one = make(Statement::Kind::declare, joined(declared.place, given->place));
        one->variable = variable;
        statement.statements.push_back(one);
        if (given->type != nullptr) name_constant(*variable);
    } while (accept(","));
    expect(";", "the declaration");
}

// A const number with a constant value is one, as in the length of an array.
void Parser::name_constant(Variable& variable) {
    if (!variable.is_const || !variable.type->is_scalar() || variable.initial == nullptr) return;
    const auto bits = constant_of(*variable.initial, true);
    if (host_ == nullptr) variable.value = bits;  // it is read where it stands
    if (host_ == nullptr) return;
    Symbol* symbol = find(variable.name.substr(variable.name.rfind(':') + 1));  // f::n: static
    if (!bits || symbol == nullptr || symbol->variable != &variable) return;
    symbol->enumerator = static_cast<std::int64_t>(*bits);
    symbol->of = variable.type;
}

const Type* Parser::dynamic_pointer(const Type* declared) {
    return types_.pointer(declared->is_array() ? declared->element : declared, Space::local, false);
}

// What extern __shared__ T name[] is to its function: the last argument, of as many bytes as the
// launch says. All such names are one memory.
Expression* Parser::dynamic_shared(const Type* pointer, const std::string& name,
                                   const Place& place) {
    if (!function_->is_dynamic) {
        for (const FunctionDefinition& each : tree_.functions)
            if (contains(each.calls, function_)) {
                error(place,
                      fmt::format("'{}' is called before its shared memory is declared, whose "
                                  "size the launch gives",
                                  function_->name),
                      "Move it before the function that calls it");
                throw Recover();
            }
        Variable& variable = tree_.variables.emplace_back();
        variable.name = name;
        variable.type = pointer;
        variable.place = place;
        variable.is_argument = true;
        function_->parameters.push_back(&variable);
        function_->is_dynamic = true;
    }
    E* first = named(*function_->parameters.back(), place);
    return first->type == pointer ? first : cast(first, pointer, place);
}

// Words within expressions.

Expression* Parser::cuda_word(const Token& token) {
    if (at("<") || at("(") || at("{") || at(".")) {
        if (E* made = cast_word(token)) return made;
        if (token.is("numeric_limits") && at("<")) return numeric_limit(token.place);
    }
    if (find(token.text) == nullptr)
        if (E* made = index_word(token)) return made;
    if (token.is("true") || token.is("false"))
        return constant(truth_type(), token.is("true") ? 1 : 0, token.place);
    if (token.is("warpSize") && find(token.text) == nullptr)
        return to_arithmetic(opencl_call("get_max_sub_group_size", {}, token.place),
                             types_.scalar(Scalar::int_));
    if (at_type_word(token.text)) {
        --at_;
        return made_by_type(token.place);
    }
    refuse_left_out(token);
    return nullptr;
}

void Parser::refuse_left_out(const Token& token) {
    for (const LeftOut& each : kLeftOut)
        if (find_word(each.words, token.text) != std::string_view::npos &&
            find(token.text) == nullptr && tree_.find(token.text) == nullptr) {
            error(token.place, std::string(each.why), std::string(each.instead));
            throw Recover();
        }
}

// static_cast<T>(value) and its like.
Expression* Parser::cast_word(const Token& token) {
    if (!at("<") ||
        !(token.is("static_cast") || token.is("reinterpret_cast") || token.is("const_cast")))
        return nullptr;
    next();
    bool any_space = false;
    const Type* type = type_name(&any_space);
    expect(">", "the type");
    expect("(", "the type");
    E* given = value(expression());
    const Place place = joined(token.place, expect(")", "the value"));
    if (any_space) type = in_space_of(type, given);
    return cast(given, type, place);
}

// std::numeric_limits<T>::max() and its like; the names of namespaces are gone.
Expression* Parser::numeric_limit(const Place& begin) {
    next();
    const Type* type = type_name();
    expect(">", "the type");
    const std::string name(next().text);
    expect("(", name);
    const Place place = joined(begin, expect(")", name));
    const auto of_floats = [&](auto of, auto bits) -> std::optional<std::uint64_t> {
        using Limits = std::numeric_limits<decltype(of)>;
        if (name == "max") return std::bit_cast<decltype(bits)>(Limits::max());
        if (name == "lowest") return std::bit_cast<decltype(bits)>(Limits::lowest());
        if (name == "min") return std::bit_cast<decltype(bits)>(Limits::min());
        if (name == "epsilon") return std::bit_cast<decltype(bits)>(Limits::epsilon());
        if (name == "infinity") return std::bit_cast<decltype(bits)>(Limits::infinity());
        if (name == "quiet_NaN") return std::bit_cast<decltype(bits)>(Limits::quiet_NaN());
        return std::nullopt;
    };
    const ScalarInfo& scalar = info(type->scalar);
    std::optional<std::uint64_t> bits;
    if (type->is_scalar() && type->scalar == Scalar::float_)
        bits = of_floats(float{}, std::uint32_t{});
    else if (type->is_scalar() && type->scalar == Scalar::double_)
        bits = of_floats(double{}, std::uint64_t{});
    else if (type->is_scalar() && is_integer(type->scalar)) {
        const unsigned width = type->scalar == Scalar::bool_ ? 1 : 8U * scalar.bytes;
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - width);
        if (name == "max") bits = scalar.is_signed ? all >> 1U : all;
        if (name == "min" || name == "lowest") bits = scalar.is_signed ? ~(all >> 1U) : 0;
    }
    if (!bits)
        return broken(place, fmt::format("numeric_limits<{}> has no '{}' here", type->name, name),
                      "It has max, min and lowest, and of floats epsilon, infinity and quiet_NaN");
    return constant(type, canonical(type->scalar, *bits), place);
}

// assert(condition), with the text of its condition.
Expression* Parser::assert_call(const Place& place) {
    const std::size_t first = at_ + 1;
    const std::vector<E*> given = arguments();
    const Place whole = joined(place, expect(")", "the condition"));
    std::string text;
    for (std::size_t i = first; i + 1 < at_; ++i)
        text += (tokens_[i].space_before && i > first ? " " : "") + std::string(tokens_[i].text);
    Call call{{.builtin = Builtin::assertion}, "assert", given, whole};
    take_count(call, 1, 1);
    E* fails = unary_node(Operator::not_, value(given[0]), whole);
    call.given = {unary_node(Operator::not_, fails, whole)};
    if (call.given[0]->type == nullptr) throw Broken();
    E* result = made(call, types_.scalar(Scalar::void_));
    result->format = &tree_.formats.emplace_back(1);
    tree_.formats.back().front().text = std::move(text);
    return result;
}

// Classes of numbers and pointers: cooperative groups, and references that are atomic.

const Type* Parser::class_of_prelude(std::string_view name, const Place& place) {
    const bool group = name.starts_with(kGroupPrefix);
    const Type* type =
        types_.of_class(group ? fmt::format("cg::{}", name.substr(kGroupPrefix.size()))
                              : fmt::format("cuda::{}", name),
                        *types_.scalar(Scalar::uint), nullptr, 0);
    declare(std::string(name), {.type = type}, place);
    return type;
}

// Of a number, or of a type and a scope; a tile's parent is left away.
const Type* Parser::class_instance(const Type& type) {
    constexpr std::uint64_t kAnyone = 3, kWidest = 32;
    const Place place = next().place;
    const Type* element = nullptr;
    std::optional<std::uint64_t> count;
    if (at_type())
        element = type_name();
    else
        count = constant_of(*binary(kAdditive));
    const bool refers = type.class_name == "cuda::atomic_ref";
    const bool atomic = refers || type.class_name == "cuda::atomic";
    if (accept(",")) {
        if (at_type())
            (void)type_name();
        else
            count = constant_of(*binary(kAdditive));
    }
    expect(">", "the arguments of its template");
    if (atomic && element != nullptr && element->is_scalar())
        return types_.of_class(type.class_name,
                               refers ? *types_.pointer(element, Space::private_, false) : *element,
                               element, count.value_or(kAnyone));
    const bool tile = type.class_name == "cg::thread_block_tile";
    if (atomic || (tile && (!count || !std::has_single_bit(*count) || *count > kWidest))) {
        error(place, atomic ? "atomics are of numbers" : "a tile has 1, 2, 4, 8, 16 or 32 threads");
        throw Recover();
    }
    return types_.of_class(type.class_name, *types_.scalar(Scalar::uint), element,
                           count.value_or(0));
}

Expression* Parser::class_member(E* expr, const std::string& name, const Place& place) {
    if (E* ref = atomic_in(expr)) {
        std::vector<E*> given = arguments();
        const Place whole = joined(place, expect(")", "the arguments"));
        return typed(whole, [&] { return atomic_member(ref, name, std::move(given), whole); });
    }
    const std::string function = fmt::format("{}{}", kGroupPrefix, name);
    if (!at("(") || (tree_.find(function) == nullptr && template_named(function) == nullptr))
        return broken(place, fmt::format("a {} has no '{}' here", expr->type->name, name));
    return typed(place, [&] { return call(function, place, expr); });
}

// Its orders follow what it is given, if they are written; without, it is sequentially consistent.
Expression* Parser::atomic_member(E* ref, std::string_view name, std::vector<E*> given,
                                  const Place& place) {
    constexpr std::uint64_t kAcquire = 2, kRelease = 3, kBoth = 4, kSequential = 5;
    const Type& type = *ref->type;
    const std::string function = fmt::format("atomic_{}_explicit", name);
    const auto known = find_function(function);
    if (!known || known->arguments == 0)
        refuse(place, fmt::format("a {} has no '{}' here", type.class_name, name));
    const auto order = [&](std::uint64_t value) {
        return constant(types_.scalar(Scalar::int_), value, place);
    };
    E* pointer = make(ExpressionKind::convert, types_.pointer(type.element, type.space, false),
                      ref->place, {ref});
    given.insert(given.begin(), pointer);
    const std::size_t arguments = known->arguments, orders = known->number;
    if (orders == 2 && given.size() > 1) given[1] = address(given[1], place);
    if (given.size() == arguments) given.push_back(order(kSequential));
    if (orders == 2 && given.size() == arguments + 1) {  // of one that fails: it writes nothing
        const std::uint64_t one = constant_of(*given.back()).value_or(kSequential);
        given.push_back(order(one == kBoth ? kAcquire : one == kRelease ? 0 : one));
    }
    given.push_back(order(type.count));
    for (E*& each : given)
        if ((each = value(each))->type == nullptr) throw Broken();
    Call made{*known, name, std::move(given), place};
    return builtin_call(made);
}

// A reference to an atomic object, or itself; nothing for what is neither.
Expression* Parser::atomic_in(E* expr) {
    if (expr->type == nullptr || is_atomic_ref(*expr->type) || !expr->lvalue)
        return expr->type != nullptr && is_atomic_ref(*expr->type) ? expr : nullptr;
    const Type& type = *expr->type;
    if (!is_atomic_object(type)) return nullptr;
    const Type* ref =
        types_.of_class("cuda::atomic_ref", *types_.pointer(type.element, expr->space, false),
                        type.element, type.count);
    return make(ExpressionKind::convert, ref, expr->place, {address(expr, expr->place)});
}

// The address of what a reference is given, or what another one refers to.
Expression* Parser::referred(E* expr) {
    if (expr->type != nullptr && is_atomic_ref(*expr->type)) return expr;
    return address(expr, expr->place);
}

// What const T& refers to: a pointer to that T; null where it is bound to a copy, as to any value.
Expression* Parser::referent(E* given, const Type* type) {
    if (given->type != type || type == nullptr) return nullptr;
    if (given->kind == ExpressionKind::conditional) {
        E* yes = referent(const_cast<E*>(given->operands[1]), type);
        E* no = yes != nullptr ? referent(const_cast<E*>(given->operands[2]), type) : nullptr;
        return no == nullptr ? nullptr
                             : choose(const_cast<E*>(given->operands[0]), yes, no, given->place);
    }
    const bool lies = given->lvalue && given->kind != ExpressionKind::swizzle;
    return lies ? address(given, given->place) : nullptr;
}

// Whether a class's name and arguments are followed by what makes one.
bool Parser::at_temporary() const {
    if (host_ == nullptr || !at("<", 1)) return false;
    std::size_t end = 1;
    while (!at(">", end) && !at(";", end) && peek(end).kind != Token::Kind::end)
        ++end;
    return at(">", end) && (at("(", end + 1) || at("{", end + 1));
}

// T(value), T{value}, T().
Expression* Parser::made_by_type(const Place& place) {
    Specifiers own;
    const Type* type = type_specifier(own);
    if (type == nullptr || !(at("(") || at("{")))
        syntax_error("expected an expression, found a type", "A conversion is written (type)value");
    if (type->is_structure() && at("(") && at(")", 1)) {
        next();
        E* list = make(ExpressionKind::initializer, type, next().place);
        Variable& variable = tree_.variables.emplace_back();
        variable.name = "literal";
        variable.type = type;
        variable.in_memory = true;
        variable.place = place;
        variable.initial = list;
        E* object = make(ExpressionKind::variable, type, joined(place, list->place));
        object->variable = &variable;
        object->lvalue = object->is_literal = true;
        return object;
    }
    if (type->is_structure() && at("("))
        syntax_error("constructors are left out", "Write its members in braces: {1, 2}");
    if (at("{") && !type->is_scalar()) return compound_literal(type, place);
    const std::string_view close = next().is("(") ? ")" : "}";
    if (accept(close)) return cast(constant(types_.scalar(Scalar::int_), 0, place), type, place);
    E* given = value(expression());
    if (is_atomic_ref(*type)) type = in_space_of(type, given = referred(given));
    return cast(given, type, joined(place, expect(close, "the value")));
}

Expression* Parser::index_word(const Token& token) {
    for (const CudaWord& each : kIndexWords) {
        if (!token.is(each.word)) continue;
        const auto part = [&](std::size_t dimension, const Place& place) {
            E* number = constant(types_.scalar(Scalar::int_), dimension, place);
            return to_arithmetic(opencl_call(each.opencl, {number}, place),
                                 types_.scalar(Scalar::uint));
        };
        if (!accept("."))
            return make(ExpressionKind::build, types_.named("uint3"), token.place,
                        {part(0, token.place), part(1, token.place), part(2, token.place)});
        const std::size_t dimension = std::string_view("xyz").find(peek().text);
        if (dimension == std::string_view::npos || peek().text.size() != 1)
            syntax_error(fmt::format("'{}' has x, y and z", token.text));
        return part(dimension, joined(token.place, next().place));
    }
    return nullptr;
}

Expression* Parser::opencl_call(std::string_view name, std::vector<E*> given, const Place& place) {
    Call call{{}, name, std::move(given), place};
    if (E* result = made_of_type(call)) return result;
    call.known = *find_function(name);
    return builtin_call(call);
}

// A call of what CUDA brings along.
Expression* Parser::cuda_call(Call& call) {
    const std::string_view name = call.name;
    if (cuda_atomic_of(name) != nullptr) return cuda_atomic(call);
    if (name.starts_with("make_"))
        if (const Type* type = named_type(name.substr(5)); type != nullptr && type->is_vector()) {
            take_count(call, type->width, type->width);
            std::vector<const E*> parts;
            for (E* each : call.given)
                parts.push_back(convert(each, types_.scalar(type->scalar), "pass"));
            for (const E* each : parts)
                if (each->type == nullptr) throw Broken();
            return make(ExpressionKind::build, type, call.place, std::move(parts));
        }
    if (name == "atomic_thread_fence") {
        call.given.insert(call.given.begin(), constant(types_.scalar(Scalar::int_), 3, call.place));
        return opencl_call("atomic_work_item_fence", std::move(call.given), call.place);
    }
    const CudaFunction known = cuda_function(name);
    if (known.name.empty()) {
        if (host_->functions.contains(name))
            refuse(call.place, fmt::format("'{}' is a function of the host", name),
                   "Write __device__ before it");
        refuse(call.place, fmt::format("there is no function '{}'", name), function_hint(name));
    }
    if (!known.constants.empty()) take_count(call, 0, 0);
    const bool floats = name.ends_with("f") && !known.opencl.ends_with("f");
    for (E*& each : call.given)
        if (known.takes != Scalar::void_)
            each = convert(each, types_.scalar(known.takes), "pass");
        else if (floats && each->type->is_scalar() && each->type->is_integral() &&
                 &each == call.given.data())
            each = to_arithmetic(each, types_.scalar(Scalar::float_));
        else if (floats && each->type == types_.scalar(Scalar::double_))
            each = to_arithmetic(each, types_.scalar(Scalar::float_));
    for (const E* each : call.given)
        if (each->type == nullptr) throw Broken();
    for (const std::uint64_t each : known.constants)
        call.given.push_back(constant(types_.scalar(Scalar::int_), each, call.place));
    E* result = opencl_call(known.opencl, std::move(call.given), call.place);
    if (result->known.builtin == Builtin::atomic_fence) result->known.name = known.name;
    const bool counts = known.opencl == "popcount" || known.opencl == "clz";
    return counts ? to_arithmetic(result, types_.scalar(Scalar::int_)) : result;
}

// Relaxed; for all of the device, where the name says nothing else.
Expression* Parser::cuda_atomic(Call& call) {
    const CudaAtomic& atomic = *cuda_atomic_of(call.name);
    take_count(call, atomic.arguments, atomic.arguments);
    const E* cell = call.given[0];
    if (!cell->type->is_pointer() || !reaches(Space::generic, cell->type->space) ||
        cell->type->to_const)
        wrong_argument(call, cell, "a pointer to global or shared memory first");
    const Type* type = cell->type->element;
    if (atomic.types.find(letter_of(*type)) == std::string_view::npos)
        refuse(cell->place, fmt::format("'{}' does not take a {} here", call.name, type->name),
               fmt::format("It takes {}: write a loop with atomicCAS of one of its types",
                           types_of_letters(atomic.types)));
    take_numbers(call, 1, type);
    call.known = {.builtin = atomic.builtin, .arguments = atomic.arguments};
    const bool wraps = atomic.builtin >= Builtin::atomic_wrap_inc;
    call.known.name = wraps
                          ? atomic.opencl
                          : find_function(fmt::format("{}_{}", type->bytes == 8 ? "atom" : "atomic",
                                                      atomic.opencl))
                                ->name;
    call.known.scope = call.name.ends_with("_block") ? MemoryScope::group : MemoryScope::device;
    call.known.scoped = true;
    return made(call, type);
}

// __lanes(mask, call): what CUDA's own functions say of a call that lanes make together.
Expression* Parser::named_lanes(const Call& call) {
    E* mask = to_arithmetic(call.given[0], types_.scalar(Scalar::uint));
    const E* of = call.given[1];
    E* result = make(ExpressionKind::builtin, of->type, call.place, of->operands);
    result->known = of->known;
    result->known.named = true;
    result->known.collective.uniform = false;
    result->operands.push_back(mask);
    return result;
}

}  // namespace lab::lang
