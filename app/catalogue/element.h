// A reduction is made of the element type, the operator, and arrays of elements.
#pragma once

#include <cstdint>
#include <optional>
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

// The numbers to reduce: typed in, from a file, counted up, or random.

// "7,1,6,8" | "@FILE" | "ramp" | "random:SEED" | "bits:SEED", as on the command line.
struct Input {
    enum class Kind : std::uint8_t { values, file, ramp, random, bits } kind = Kind::ramp;
    std::string text;        // the values, or the file's name
    std::uint64_t seed = 0;  // for random and bits

    bool operator==(const Input&) const = default;
};

Input parse_input(std::string_view text);  // throws Problem
std::string text_of(const Input& input);   // as parse_input reads it

// The elements. `ramp` is 1, 2, 3, …; `random` gives whole numbers 0 to 99 for integer types, and
// multiples of 2^-24 in [0, 1) for float and double; for a product, odd numbers 1 to 99, and floats
// within 2^-14 of 1 (mostly 1 or -1 for more than 8191, so that the product can be right), whose
// product neither vanishes nor leaves the type. `bits` is harder on a kernel than on a reader: all
// the bits of an integer (the lowest set, for a product), and floats of both signs and magnitudes
// 2^-10 to 2^11 (for a product, within 2^-14 of 1 and -1). Each element depends only on the seed
// and its index. `n` is how many; if empty, as many as the values or the file have (8 for a ramp or
// random numbers). Throws Problem if the values or the file do not have `n` numbers, or hold
// anything that is not a number of the type.
Values make_values(const Input& input, Type type, std::optional<std::uint64_t> n, Op op = Op::add);

}  // namespace lab::catalogue
