// What is reduced: the element type, the operator, and arrays of elements.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lab::catalogue {

enum class Type : std::uint8_t { int_, uint_, long_, ulong_, float_, double_ };
enum class Op : std::uint8_t { add, min, max, product };

// Elements of one type, in the host's form of it. The alternatives are in the order of Type.
using Values =
    std::variant<std::vector<std::int32_t>, std::vector<std::uint32_t>, std::vector<std::int64_t>,
                 std::vector<std::uint64_t>, std::vector<float>, std::vector<double>>;

struct TypeInfo {
    Type type;
    const char* name;  // in OpenCL C, and on the command line
    std::size_t bytes;
    bool floating;
};
struct OpInfo {
    Op op;
    const char* name;
};

std::span<const TypeInfo> types();
std::span<const OpInfo> ops();
const TypeInfo& info(Type type);
const char* name_of(Op op);
// Throw Problem, with the names there are.
Type parse_type(std::string_view name);
Op parse_op(std::string_view name);

// The lines that define T, COMBINE(a, b), IDENTITY and WITH_OPERATOR(prefix) (the prefix and a
// word, add, min, max or mul, as one name) for a kernel, each with its end.
std::string element_macros(Op op, Type type);
// The same of what a compare-exchange of T takes: WORD, the unsigned integer as wide as T;
// AS_WORD(x) and AS_T(w), the same bits as one and as the other; CMPXCHG(p, old, new) on words.
std::string atomic_macros(Type type);

Values make_values(Type type, std::size_t count);  // zeros
Values values_from(Type type, std::span<const std::byte> bytes);
Values identity(Op op, Type type);  // the operator's neutral element, one of it
Values one_value(Type type, std::int64_t value);
Type type_of(const Values& values);
std::size_t count_of(const Values& values);
void* bytes_of(Values& values);
const void* bytes_of(const Values& values);

// The shortest decimal text that reads back to the same value; "nan", "inf" and "-inf" where an
// element is not a finite number.
std::string text_of(const Values& values, std::size_t index);

}  // namespace lab::catalogue
