// Pointers whose address space is left open: `int* p`. OpenCL C 1.2 takes that as private. From 2.0
// on they are generic; here each has the space of what it is first given, and a function is read
// anew for the spaces of its arguments. One that is given local and global memory points to either.
#include <fmt/format.h>

#include <utility>

#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

// Constant memory is no part of the generic space.
bool differs(const Type* pointer, const Expression* given) {
    const Type* type = given->type;
    return pointer->is_pointer() && type != nullptr && type->is_pointer() && !type->is_event() &&
           type->space != pointer->space && type->space != Space::constant;
}

}  // namespace

const Type* Parser::in_space_of(const Type* pointer, const E* given) {
    if (!differs(pointer, given)) return pointer;
    const Space space = given->type->space;
    if (space == Space::generic)
        diagnostics_.warning(given->place,
                             "a pointer that names no memory points to local or global memory here",
                             "OpenCL C 1.2 has no such pointers");
    else
        diagnostics_.warning(
            given->place,
            fmt::format("a pointer that names no memory points to {} memory here", name_of(space)),
            fmt::format("OpenCL C 1.2 wants {} before its type", name_of(space)));
    return types_.pointer(pointer->element, space, pointer->to_const);
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
        *each =
            make(E::Kind::convert,
                 types_.pointer((*each)->type->element, Space::generic, (*each)->type->to_const),
                 (*each)->place, {*each});
    return true;
}

const FunctionDefinition* Parser::instance_for(const FunctionDefinition* function,
                                               const std::vector<E*>& given) {
    Instance instance{function->name, {}};
    bool any = false;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Variable& parameter = *function->parameters[i];
        instance.spaces.emplace_back();
        if (!parameter.any_space || !differs(parameter.type, value(given[i]))) continue;
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
    instantiated_.insert(function);
    const FunctionDefinition* known = tree_.find(instance.name);
    if (known == nullptr) {
        instance_ = instance;
        instantiate(*function);
        known = tree_.find(instance.name);
    }
    return known != nullptr ? known : function;
}

// Reads the function's text once more, as it stands outside of all others.
void Parser::instantiate(const FunctionDefinition& function) {
    const Deeper deeper(*this);
    const std::size_t position = std::exchange(at_, function.first_token);
    FunctionDefinition* outer = std::exchange(function_, nullptr);
    const bool outermost = std::exchange(outermost_, false);
    const bool within = std::exchange(within_expression_, false);
    const int loops = std::exchange(loops_, 0), breakable = std::exchange(breakable_, 0);
    std::vector<Scope> scopes = std::exchange(scopes_, {});
    scopes_.push_back(std::move(scopes.front()));
    const int depth = depth_;
    try {
        external_declaration();
    } catch (const Recover&) {
        depth_ = depth;
    }
    instance_.reset();
    scopes.front() = std::move(scopes_.front());
    scopes_ = std::move(scopes);
    at_ = position;
    function_ = outer;
    outermost_ = outermost;
    within_expression_ = within;
    loops_ = loops;
    breakable_ = breakable;
}

// With pointers of open space it may be right for other spaces than private: then its errors wait.
const Statement* Parser::body_once(FunctionDefinition& definition) {
    bool open = false;
    for (const Variable* parameter : definition.parameters)
        open = open || (parameter->any_space && parameter->type->space == Space::private_);
    if (!open || definition.is_kernel) return block(false);
    const std::size_t reported = diagnostics_.all().size();
    const auto names = reported_;
    const bool failed = diagnostics_.failed();
    const Statement* body = block(false);
    if (failed || !diagnostics_.failed()) return body;
    withheld_[&definition] = diagnostics_.take_after(reported);
    reported_ = names;
    return body;
}

const Statement* Parser::body_of(FunctionDefinition& definition) {
    const std::size_t start = at_, reported = diagnostics_.all().size();
    const std::size_t variables = tree_.variables.size();
    const auto names = reported_;
    const Scope scope = scopes_.back();
    for (;;) {
        const std::size_t mixed = mixed_.size();
        const Statement* body = body_once(definition);
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

void Parser::report_withheld() {
    for (const auto& [function, errors] : withheld_)
        if (!instantiated_.contains(function))
            for (const Diagnostic& each : errors)
                diagnostics_.add(each);
}

// to_global(p) and the like, whose answer the pointer's type knows; nothing for other names.
Expression* Parser::space_call(std::string_view name, const std::vector<E*>& given,
                               const Place& place) {
    if (given.size() != 1 || given[0]->type == nullptr || !given[0]->type->is_pointer())
        return nullptr;
    const Type* pointer = given[0]->type;
    if (pointer->space == Space::generic) {
        if (name != "get_fence" && !name.starts_with("to_")) return nullptr;
        error(place, fmt::format("'{}' of a pointer to several memories is not supported", name),
              "Use a pointer to each");
        return broken(place);
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
        return make(E::Kind::convert, types_.pointer(pointer->element, space, pointer->to_const),
                    place, {constant(types_.scalar(Scalar::int_), 0, place)});
    }
    return nullptr;
}

}  // namespace lab::lang
