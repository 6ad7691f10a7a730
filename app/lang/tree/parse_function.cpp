// Functions and the values that variables begin with.
#include <fmt/format.h>

#include <algorithm>

#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

constexpr std::size_t kMostFunctions = 1000;

}  // namespace

std::vector<Variable*> Parser::parameters() {
    std::vector<Variable*> variables;
    expect("(", "the function's name");
    if (at("void") && at(")", 1)) next();
    while (!at(")") && peek().kind != Token::Kind::end) {
        if (at("...")) syntax_error("functions with any number of arguments are not supported");
        const Specifiers base = specifiers();
        Declarator declared = declarator(base, false);
        if (declared.is_function) syntax_error("pointers to functions are not supported here");
        if (declared.type->is_array())  // a pointer, as C has it
            declared.type =
                types_.pointer(declared.type->element, declared.space, declared.is_const);
        else if (declared.space != Space::private_) {
            error(
                declared.place,
                fmt::format("an argument in {} memory must be a pointer", name_of(declared.space)),
                "Write * before its name");
            declared.type = types_.pointer(declared.type, declared.space, declared.is_const);
        }
        declared.space = Space::private_;
        if (instance_ && variables.size() < instance_->spaces.size() &&
            instance_->spaces[variables.size()])
            declared.type =
                types_.pointer(declared.type->element, *instance_->spaces[variables.size()],
                               declared.type->to_const);
        Variable* variable = make_variable(declared, base);
        variable->is_argument = true;
        variables.push_back(variable);
        if (!accept(",")) break;
    }
    expect(")", "the arguments");
    return variables;
}

void Parser::check_kernel(const FunctionDefinition& definition) {
    if (!definition.result->is_void())
        error(definition.place, "a kernel returns nothing",
              "Write kernel void, and a buffer for results");
    for (const Variable* argument : definition.parameters) {
        const Type& type = *argument->type;
        if (type.is_pointer() && type.element->is_pointer())
            error(argument->place, "a kernel takes no pointers to pointers",
                  "Pass one buffer and where its parts begin");
        else if (type.is_pointer() && type.space == Space::private_)
            error(
                argument->place,
                fmt::format("the kernel's argument '{}' points to private memory", argument->name),
                fmt::format("Write global, local or constant before {}", type.element->name));
        if (type.is_scalar() && type.scalar == Scalar::bool_)
            error(argument->place, "a kernel's argument cannot be a bool", "Use int");
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

// The function that such arguments call; of several, the one whose types they have or come nearest
// to.
const FunctionDefinition* Parser::overload(const std::string& name, const std::vector<E*>& given) {
    const FunctionDefinition* best = tree_.find(name);
    if (best == nullptr || !best->is_overloadable) return best;
    std::size_t fewest = SIZE_MAX;
    for (const FunctionDefinition& known : tree_.functions) {
        if (known.name != name || known.parameters.size() != given.size()) continue;
        std::size_t differences = 0;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const Type* to = known.parameters[i]->type;
            const Type* from = value(given[i])->type;
            if (from == nullptr || from == to) continue;
            const bool pointers = from->is_pointer() && to->is_pointer() &&
                                  from->space == to->space && from->element == to->element;
            const bool numbers = from->is_scalar() && to->is_scalar();
            differences += pointers || (numbers && from->is_floating() == to->is_floating()) ? 1
                           : numbers                                                         ? 10
                                                                                             : 1000;
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
    scopes_.emplace_back();
    std::vector<Variable*> given;
    try {
        given = parameters();
    } catch (const Recover&) {  // calls of it are no further news
        Symbol symbol;
        symbol.broken = true;
        scopes_.front().names.try_emplace(declared.name, symbol);
        throw;
    }
    instance_.reset();
    Specifiers after = base;
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
        tree_.functions.emplace_back();
        definition = &tree_.functions.back();
    }
    const bool again = definition->body != nullptr;
    definition->name = declared.name;
    definition->result = declared.type;
    definition->any_space = declared.any_space;
    definition->place = declared.place;
    definition->parameters = given;
    definition->is_kernel = definition->is_kernel || base.is_kernel;
    definition->is_overloadable = definition->is_overloadable || after.is_overloadable;
    if (!after.required_group.empty()) definition->required_group = after.required_group;
    if (definition->is_kernel) check_kernel(*definition);
    if (accept(";")) {
        scopes_.pop_back();
        return;
    }
    if (!at("{"))
        syntax_error(fmt::format("expected '{{' or ';' after the arguments, {}", found()));
    for (Variable* variable : given) {
        Symbol symbol;
        symbol.variable = variable;
        if (variable->name.empty())
            error(variable->place, "an argument of a function with a body needs a name");
        declare(variable->name, symbol, variable->place);
    }
    function_ = definition;
    outermost_ = definition->is_kernel;
    if (!again) definition->first_token = first_token;
    const Statement* body = body_of(*definition);
    if (!again) definition->body = body;
    function_ = nullptr;
    scopes_.pop_back();
}

void Parser::initialize(Variable& variable) {
    const Type* type = variable.type;
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
        if (value->type != nullptr && value->type != type)
            error(value->place,
                  fmt::format("a {} cannot be given a {}", type->name, value->type->name));
        return value;
    }
    return convert(value, type, "initialise");
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

}  // namespace lab::lang
