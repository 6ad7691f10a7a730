#include <cstdlib>

#include <gmock/gmock.h>

#include "figures/run_text.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

// Sums of 16 ones by spans, as a LatticeObserver would leave it: item i adds the cell `half` after
// its own.
analysis::Lattice lattice_tree() {
    analysis::Lattice lattice;
    lattice.width = 16;
    analysis::LatticeArray array;
    array.cells = 16;
    for (int i = 0; i < 16; ++i)
        for (const int byte : {1, 0, 0, 0})
            array.initial.push_back(static_cast<std::byte>(byte));
    lattice.arrays.push_back(array);
    lattice.head.rows.emplace_back();
    lattice.rows.emplace_back().cells.assign(16,
                                             static_cast<std::uint8_t>(analysis::CellState::input));
    for (std::uint32_t span = 2; span <= 16; span *= 2) {
        analysis::Row pass;
        pass.launch = 1;
        pass.number = static_cast<std::uint32_t>(lattice.rows.size());
        pass.global = 16;
        pass.local = 16;
        pass.array = "data";
        pass.items_known = true;
        lattice.head.rows.push_back(pass);
        analysis::LatticeRow row;
        row.before = lattice.rows.size() - 1;
        row.cells.assign(16, static_cast<std::uint8_t>(analysis::CellState::spent));
        for (std::uint32_t cell = 0; cell < 16; cell += span) {
            row.cells[cell] = static_cast<std::uint8_t>(analysis::CellState::written);
            row.changes.push_back({cell, cell, static_cast<std::uint32_t>(row.from.size())});
            row.from.insert(row.from.end(), {cell, cell + span / 2});
            row.values.push_back(static_cast<std::byte>(span));
            row.values.insert(row.values.end(), 3, std::byte{0});
        }
        row.written = row.active = static_cast<std::uint32_t>(row.changes.size());
        lattice.rows.push_back(std::move(row));
    }
    lattice.head.result = lattice.head.expected = "16";
    lattice.head.right = true;
    return lattice;
}

class LatticeWords : public testing::Test {
  protected:
    LatticeWords() { setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1); }
};

TEST_F(LatticeWords, SayWhatIsLeftOutOfThePicture) {
    analysis::Lattice lattice = lattice_tree();
    const std::string whole = lattice_sentence(lattice, translations_in("en"));
    EXPECT_THAT(whole, Not(HasSubstr("Not shown")));
    EXPECT_THAT(whole, Not(HasSubstr("left out")));
    EXPECT_THAT(whole, Not(HasSubstr("looked for")));
    lattice.unshown = {"scratch", "sums"};
    lattice.head.rows.back().skipped = 7;
    lattice.head.stale_known = false;
    const std::string text = lattice_sentence(lattice, translations_in("en"));
    EXPECT_THAT(text, HasSubstr("more than 262144 cells: scratch, sums."));
    EXPECT_THAT(text, HasSubstr("Rows left out before the last one: 7."));
    EXPECT_THAT(text, HasSubstr("Stale reads were not all looked for"));
}

TEST_F(LatticeWords, SayWhatOneSeesInTheWhole) {
    const std::string text = lattice_sentence(lattice_tree(), translations_in("en"));
    EXPECT_THAT(text, HasSubstr("halve"));
    EXPECT_THAT(text, HasSubstr("8, 4, 2, 1"));
    EXPECT_THAT(text, HasSubstr("1, 2, 4, 8"));
    EXPECT_THAT(text, HasSubstr("16, which is right"));
    EXPECT_THAT(text, Not(HasSubstr("race")));
}

TEST_F(LatticeWords, SayInWhichPassesTheWorkHalvesWhereItIsNotInAll) {
    analysis::Lattice lattice = lattice_tree();
    lattice.rows[1].active = 5;
    const std::string text = lattice_sentence(lattice, translations_in("en"));
    EXPECT_THAT(text, HasSubstr("From pass 2 to pass 4"));
    EXPECT_THAT(text, HasSubstr("4, 2, 1"));
    lattice.rows[2].active = 7;
    EXPECT_THAT(lattice_sentence(lattice, translations_in("en")), Not(HasSubstr("halve")));
}

TEST_F(LatticeWords, TellACellWithItsValueItsWriterAndItsSources) {
    const analysis::Lattice lattice = lattice_tree();
    const auto words = lattice_cell_text(lattice, 2, 8, translations_in("en"));
    ASSERT_EQ(words.size(), 2U);
    EXPECT_THAT(words[0], HasSubstr("pass 2"));
    EXPECT_EQ(words[1], "cell 8: 4, written by item 8 from cells 8 and 10");
    // What was left alone has the value of the last pass that wrote it.
    EXPECT_THAT(lattice_cell_text(lattice, 4, 8, translations_in("en"))[1], HasSubstr("cell 8: 8"));
    EXPECT_THAT(lattice_cell_text(lattice, 4, 15, translations_in("en"))[1],
                HasSubstr("cell 15: 1"));
}

TEST_F(LatticeWords, TellWhatWasReadWhereTheRowAboveShowsAnotherValue) {
    analysis::Lattice lattice = lattice_tree();
    lattice.head.rows[1].array = lattice.head.rows[2].array = "data";
    lattice.head.rows[2].other_reads = {{0, 2, analysis::CellValue{1}},
                                        {8, 10, analysis::CellValue{1}}};
    const auto words = lattice_cell_text(lattice, 2, 8, translations_in("en"));
    ASSERT_EQ(words.size(), 3U);
    EXPECT_EQ(words[2], "Item 8 read data[10] as 1, before or after it held 2.");
    EXPECT_EQ(lattice_cell_text(lattice, 2, 12, translations_in("en")).size(), 2U);
}

TEST_F(LatticeWords, CountWhatIsTooNarrowToBeToldApart) {
    analysis::Lattice lattice = lattice_tree();
    lattice.rows[1].cells[4] |= analysis::kRacedBit;
    const auto words = lattice_range_text(lattice, 1, 0, 7, translations_in("en"));
    ASSERT_EQ(words.size(), 3U);
    EXPECT_THAT(words[1], HasSubstr("cells 0 to 7: 4 written"));
    EXPECT_THAT(words[2], HasSubstr("1"));
}

TEST_F(LatticeWords, CountTheItemsAtWork) {
    const auto labels = lattice_labels(lattice_tree(), translations_in("en"));
    ASSERT_EQ(labels.size(), 5U);
    EXPECT_EQ(labels[1].items, "8 of 16 items work");
    EXPECT_EQ(labels[4].items, "1 of 16 items works");
}

TEST_F(LatticeWords, AreThereInEveryLanguage) {
    for (const char* language : kLanguages) {
        analysis::Lattice lattice = lattice_tree();
        lattice.rows[1].cells[4] |= analysis::kRacedBit;
        lattice.stale_reads = 3;
        lattice.head.right = false;
        const std::string text = lattice_sentence(lattice, translations_in(language));
        EXPECT_THAT(text, HasSubstr("16")) << language;
        EXPECT_THAT(text, Not(HasSubstr("{"))) << language;
        EXPECT_THAT(text, Not(HasSubstr("lattice."))) << language;
    }
}

}  // namespace
}  // namespace lab::figures
