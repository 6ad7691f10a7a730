// The names of cells: what the text would write for each, and which cell has a name.
#include "lang/type.h"

#include <gtest/gtest.h>

namespace lab::lang {
namespace {

// Each cell of an array of this type has a name that leads back to it, or to the first cell of what
// has that name.
void expect_names_lead_back(const Type& type, std::uint64_t unit) {
    const ArrayShape shape = shape_of(type);
    std::string before;
    std::uint64_t first = 0;
    for (std::uint64_t i = 0; i < type.bytes / unit; ++i) {
        const std::string name = shape.at(i);
        if (name != before) first = i;
        before = name;
        const auto found = shape.index_of(name);
        ASSERT_TRUE(found) << type.name << name;
        EXPECT_TRUE(shape.at(*found).starts_with(name)) << type.name << name;
        EXPECT_TRUE(shape.at(*found) != name || *found == first) << type.name << name;
    }
}

TEST(ArrayShape, NamesOfCellsLeadBackToThem) {
    Types types;
    const Type* number = types.scalar(Scalar::int_);
    const Type* vector = types.vector(Scalar::int_, 4);
    Type* pair = types.structure("pair");
    types.set_members(*pair,
                      {{"sum", number, 0}, {"sums", types.array(number, 2), 0}, {"v", vector, 0}},
                      false, false, 0);
    Type* mixed = types.structure("mixed");
    types.set_members(*mixed, {{"tag", types.scalar(Scalar::char_), 0}, {"p", pair, 0}}, false,
                      false, 0);
    for (const Type* each : {number, vector, static_cast<const Type*>(pair)}) {
        expect_names_lead_back(*each, 4);
        expect_names_lead_back(*types.array(each, 3), 4);
        expect_names_lead_back(*types.array(types.array(each, 3), 2), 4);
    }
    expect_names_lead_back(*types.array(mixed, 2), 1);
    const ArrayShape shape = shape_of(*types.array(types.array(mixed, 2), 2));
    EXPECT_EQ(shape.at(3 * mixed->bytes + mixed->members[1].offset + 4), "[1][1].p.sums[0]");
    EXPECT_EQ(shape.at(0), "[0][0].tag");
    EXPECT_EQ(shape.at(1), "[0][0]");  // between the members
    for (const char* wrong : {"", "[0", "[0]]", "[-1]", "[0][2]", "[0].q", "[0].p.sums[2]", "[a]",
                              "[0][0][0]", "[99999999999999999999]"})
        EXPECT_EQ(shape.index_of(wrong), std::nullopt) << wrong;
}

// Each structure holds two of the one before.
TEST(ArrayShape, TooManyMembersAreNumbered) {
    Types types;
    const Type* last = types.scalar(Scalar::int_);
    for (int depth = 0; depth < 24; ++depth) {
        Type* next = types.structure("S" + std::to_string(depth));
        types.set_members(*next, {{"a", last, 0}, {"b", last, 0}}, false, false, 0);
        last = next;
        EXPECT_EQ(shape_of(*last).parts.empty(), depth >= 9) << depth;
    }
    EXPECT_EQ(shape_of(*types.array(last, 2)).at(1), "[0]");
}

}  // namespace
}  // namespace lab::lang
