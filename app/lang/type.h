// The types of OpenCL C: scalars, vectors, pointers, arrays, structures.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
namespace lab::lang {

// In the order of C's ranks; each unsigned type follows its signed one.
enum class Scalar : std::uint8_t {
    void_,
    bool_,
    char_,
    uchar,
    short_,
    ushort,
    int_,
    uint,
    long_,
    ulong,
    half_,
    float_,
    double_,
};

struct ScalarInfo {
    const char* name;
    std::uint8_t bytes;
    bool floating, is_signed;
};
inline constexpr std::array<ScalarInfo, 13> kScalars{{{"void", 0, false, false},
                                                      {"bool", 1, false, false},
                                                      {"char", 1, false, true},
                                                      {"uchar", 1, false, false},
                                                      {"short", 2, false, true},
                                                      {"ushort", 2, false, false},
                                                      {"int", 4, false, true},
                                                      {"uint", 4, false, false},
                                                      {"long", 8, false, true},
                                                      {"ulong", 8, false, false},
                                                      {"half", 2, true, true},
                                                      {"float", 4, true, true},
                                                      {"double", 8, true, true}}};
inline const ScalarInfo& info(Scalar scalar) {
    return kScalars[static_cast<std::size_t>(scalar)];
}

// Names the cells of an array as the text has them.
struct ArrayShape {
    bool scalar = false;                   // one element, which has no index
    std::vector<std::uint64_t> rows = {};  // of an array of arrays: how many, inwards
    std::uint64_t element = 1;             // cells of each element
    std::vector<ArrayShape> parts = {};    // members or components of an element; none of a number
    std::string name = {};                 // of a part: ".sum", ".x"
    std::uint64_t first = 0, cells = 0;    // of a part: where in the element it lies

    // "[3]", "[1][3]", "[3].sum", ".x"; empty of a scalar.
    std::string at(std::uint64_t index) const;
    // The first cell of what has that name, or that number in one index; empty if none has.
    std::optional<std::uint64_t> index_of(std::string_view text) const;
    bool is_plain() const { return !scalar && rows.empty() && parts.empty() && element == 1; }
};
struct Type;
ArrayShape shape_of(const Type& type);
// The same of the memory that a pointer to this type points to.
ArrayShape shape_pointed_to(const Type& type);
inline bool is_integer(Scalar scalar) {
    return scalar >= Scalar::bool_ && scalar <= Scalar::ulong;
}
Scalar integer_of(std::uint8_t bytes, bool is_signed);  // 1, 2, 4 or 8 bytes

// A rounding mode of a conversion, and the suffix of functions that have it; `none` has no suffix.
enum class Rounding : std::uint8_t { none, even, zero, up, down };
inline constexpr std::array<std::string_view, 5> kRoundings{"", "_rte", "_rtz", "_rtp", "_rtn"};

enum class Space : std::uint8_t { private_, local, global, constant, generic };  // local or global
const char* name_of(Space space);

// Types are made by a Types and compared by address; they live as long as it does.
struct Type {
    enum class Kind : std::uint8_t {
        scalar,
        vector,
        pointer,
        array,
        structure
    } kind = Kind::scalar;
    Scalar scalar = Scalar::void_;  // of a scalar, and of a vector's components
    std::uint8_t width = 1;         // a vector's components: 2, 3, 4, 8 or 16
    bool to_const = false;          // a pointer's target may not be written
    Space space = Space::private_;  // a pointer's target
    const Type* element = nullptr;  // a pointer's target, an array's element
    std::uint64_t count = 0;        // an array's elements
    std::uint64_t bytes = 0, alignment = 1;
    std::uint64_t leaves = 1;     // scalars in it, counting all members of a union
    Scalar unit = Scalar::uchar;  // scalar that its memory consists of; uchar if several
    std::uint32_t depth = 0;      // how deep its types are nested

    struct Member {
        std::string name;
        const Type* type;
        std::uint64_t offset;
        std::uint64_t alignment = 0;  // 0, until its structure is laid out: what that asks for
    };
    std::vector<Member> members;  // of a structure
    bool overlaid = false;        // a union: all members begin at 0
    std::string name;             // as in messages
    // Names the class of CUDA that a number or a pointer stands for: "cg::thread_block_tile" of 32;
    // its argument is `count` or, if it is a type, `element`. Empty: it is none.
    std::string class_name;

    bool is_void() const { return kind == Kind::scalar && scalar == Scalar::void_; }
    bool is_scalar() const { return kind == Kind::scalar && scalar != Scalar::void_; }
    bool is_vector() const { return kind == Kind::vector; }
    bool is_pointer() const { return kind == Kind::pointer; }
    bool is_array() const { return kind == Kind::array; }
    bool is_structure() const { return kind == Kind::structure; }
    bool is_event() const { return name == "event_t"; }
    bool is_arithmetic() const { return is_scalar() || is_vector(); }
    bool is_floating() const { return is_arithmetic() && info(scalar).floating; }
    bool is_half() const { return is_arithmetic() && scalar == Scalar::half_; }
    bool is_integral() const { return is_arithmetic() && !info(scalar).floating; }
    // Held in registers, one for each component; arrays and structures lie in memory.
    bool in_registers() const { return is_arithmetic() || is_pointer(); }

    // Calls each(type, offset) for the elements of an array, or the members of a structure.
    template <typename Each>
    void for_parts(Each each) const {
        for (std::uint64_t i = 0; is_array() && i < count; ++i)
            each(*element, i * element->bytes);
        for (const Member& member : members)
            each(*member.type, member.offset);
    }
};

class Types {
  public:
    Types();
    const Type* scalar(Scalar scalar) const { return scalars_[static_cast<std::size_t>(scalar)]; }
    const Type* vector(Scalar scalar, std::uint8_t width);  // width 1: the scalar itself
    const Type* pointer(const Type* target, Space space, bool to_const);
    const Type* in_space(const Type* pointer_type, Space space) {  // but in other memory the same
        const Type* plain = pointer(pointer_type->element, space, pointer_type->to_const);
        if (pointer_type->class_name.empty()) return plain;
        return of_class(pointer_type->class_name, *plain, plain->element, pointer_type->count);
    }
    // One that behaves as `plain` does, and is another type.
    const Type* of_class(std::string_view name, const Type& plain, const Type* element,
                         std::uint64_t count);
    const Type* array(const Type* element, std::uint64_t count);
    Type* structure(std::string name);  // a new one; set_members gives it its layout
    // `packed`: without gaps. `alignment`: of the whole, at least; 0: as its members have it.
    static void set_members(Type& structure, std::vector<Type::Member> members, bool overlaid,
                            bool packed = false, std::uint64_t alignment = 0);
    const Type* event() const { return event_; }

    // As vectors made from now on lie in CUDA: three components as three, aligned to one of them,
    // and none to more than 16 bytes.
    bool of_cuda = false;

    // The OpenCL C type with that name: "uint", "float4", "size_t"; null for any other word.
    const Type* named(std::string_view word);

  private:
    const Type* add(Type type);
    std::deque<Type> all_;
    std::map<std::tuple<const Type*, Space, bool>, const Type*> pointers_;
    std::map<std::pair<const Type*, std::uint64_t>, const Type*> arrays_;
    std::map<std::tuple<std::string, const Type*, const Type*, std::uint64_t>, const Type*>
        classes_;
    std::vector<const Type*> scalars_;
    const Type* event_ = nullptr;
};

}  // namespace lab::lang
