// Expressions of a wanted type. None has side effects, and none is undefined, whatever the values
// of the places it reads.
#pragma once

#include <string>

#include "context.h"

namespace lab::differential {

// Of exactly this type, so that it fits overloaded functions and vector operators.
std::string expression(Context& context, Type type, unsigned depth);
// A place or a literal.
std::string leaf(Context& context, Type type);
// A scalar that is zero or not. The ?: of OpenCL takes no floating-point one.
enum class Scalars { any, integers };
std::string condition(Context& context, unsigned depth, Scalars scalars = Scalars::any);
// Any integer scalar, as an index is before it is brought into bounds.
std::string index(Context& context, unsigned depth);
// An int from -2^20 to 2^20, made with plain signed operators.
std::string small_integer(Context& context);
// The same value with NaN, whose bits are free, replaced: fit to be stored where bytes are
// compared.
std::string storable(Context& context, Type type, unsigned depth);
// A place's text with its indices.
std::string spelled(Context& context, const Place& place);

// The rooms that expression() chooses from.
std::string integer_expression(Context& context, Element element, unsigned depth);
std::string float_expression(Context& context, Element element, unsigned depth);
std::string vector_expression(Context& context, Type type, unsigned depth);
std::string conversion(Context& context, Type type, unsigned depth);
// A call of a built-in function; nothing when none returns the type.
std::string builtin_call(Context& context, Type type, unsigned depth);

}  // namespace lab::differential
