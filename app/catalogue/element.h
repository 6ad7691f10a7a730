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

// Elements of one type, as the host holds them. The alternatives are in the order of Type.
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
// Throw Problem, listing the valid names.
Type parse_type(std::string_view name);
Op parse_op(std::string_view name);

// The lines, with line ends, that define T, COMBINE(a, b), IDENTITY and WITH_OPERATOR(prefix)
// (joins the prefix and add, min, max or mul into one name) for a kernel.
std::string element_macros(Op op, Type type);
// The same for a compare-exchange of T: WORD, the unsigned integer as wide as T; AS_WORD(x) and
// AS_T(w), which keep the bits; CMPXCHG(p, old, new) on words.
std::string atomic_macros(Type type);

Values make_values(Type type, std::size_t count);  // zeros
Values values_from(Type type, std::span<const std::byte> bytes);
Values identity(Op op, Type type);  // one element: the operator's identity
Values one_value(Type type, std::int64_t value);
Type type_of(const Values& values);
std::size_t count_of(const Values& values);
void* bytes_of(Values& values);
const void* bytes_of(const Values& values);

// The shortest decimal text that reads back to the same value; "nan", "inf" or "-inf" if the
// element is not finite.
std::string text_of(const Values& values, std::size_t index);

}  // namespace lab::catalogue
