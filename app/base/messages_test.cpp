#include "base/messages.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace lab {
namespace {

using nlohmann::json;

Messages russian(json table) {
    for (auto& [english, text] : table.items())
        text = json{{"ru", text}};
    return {table, "ru"};
}

TEST(Messages, GapsKeepWhatIsInThem) {
    const Messages messages = russian({{"'{name}' of a {type}", "{type}: «{name}»"}});
    EXPECT_EQ(messages.translated("'+' of a global int*"), "global int*: «+»");
    EXPECT_EQ(messages.translated("'+' of an int"), "'+' of an int");
    EXPECT_EQ(Messages().translated("'+' of a float"), "'+' of a float");
}

TEST(Messages, InEnglishOnlyWhatAWindowSaysOtherwise) {
    const json table{{"Pass it with --set", {{"en", "Give it in Macros"}, {"ru", "Задайте"}}},
                     {"It races", {{"ru", "Гонка"}}}};
    const Messages messages(table, "en");
    EXPECT_EQ(messages.translated("Pass it with --set"), "Give it in Macros");
    EXPECT_EQ(messages.translated("It races"), "It races");
}

TEST(Messages, TheOneWithTheMostLettersCounts) {
    const Messages messages =
        russian({{"{name} failed", "A {name}"}, {"{name} failed early", "B {name}"}});
    EXPECT_EQ(messages.translated("x failed"), "A x");
    EXPECT_EQ(messages.translated("x failed early"), "B x");
}

TEST(Messages, ASentenceInASentenceMustBeKnown) {
    const Messages messages =
        russian({{"{place}: error: {said}", "{place}: ошибка: {said}"}, {"it is late", "поздно"}});
    EXPECT_EQ(messages.translated("a.cl:3: error: it is late"), "a.cl:3: ошибка: поздно");
    EXPECT_EQ(messages.translated("a.cl:3: error: it rains"), "a.cl:3: error: it rains");
}

TEST(Messages, LineByLineWithBracesThatAreNoGaps) {
    const Messages messages = russian({{"Write { }", "Напишите { }"}, {"this '{' stays", "«{»"}});
    EXPECT_EQ(messages.translated("Write { }\n  x = {a};\n\n    this '{' stays\n"),
              "Напишите { }\n  x = {a};\n\n    «{»\n");
}

TEST(Terms, AMarkIsOfTheTableOrNamesBoth) {
    const json table{{"en", {{"item", "thread"}, {"an item", "a thread"}}},
                     {"ru", {{"группу", "блок"}}}};
    const std::string text = "[[an item]] of a[[i]], [[each group|every block]][[, too|]], [[left";
    EXPECT_EQ(Terms().resolved(text), "an item of ai, each group, too, [[left");
    EXPECT_EQ(Terms(table, "en").resolved(text), "a thread of ai, every block, [[left");
    EXPECT_EQ(Terms(table, "ru").resolved("на [[группу]], [[item]]"), "на блок, item");
}

TEST(Terms, EnglishWithoutMarksIsRenamedButForNamesAndWhatIsQuoted) {
    const json table{{"en", {{"item", "thread"}, {"items", "threads"}, {"group", "block"}}}};
    const Terms cuda(table, "en");
    EXPECT_EQ(cuda.renamed("items of group 1, the group's item"),
              "threads of block 1, the block's thread");
    const std::string same = "'an item' is in my_group, group_id, --group, item-sum and grouped";
    EXPECT_EQ(cuda.renamed(same), same);
    EXPECT_EQ(cuda.renamed("item 1\n    int item;\nitem 2"), "thread 1\n    int item;\nthread 2");
    EXPECT_EQ(Terms().renamed("an item"), "an item");
    const Messages messages({{"an item waits", {{"en", "it waits for [[a group|a block]]"}}}}, "en",
                            cuda);
    EXPECT_EQ(messages.translated("an item waits\nan item"), "it waits for a block\nan thread");
}

// The table that the program ships.
TEST(ShippedMessages, EveryOneIsInEveryLanguageWithGapsThatEnglishHas) {
    std::ifstream file(std::string(LAB_SOURCE_DIR) + "/assets/lang/messages.json");
    const json table = json::parse(file);
    const auto gaps = [](const std::string& text) {
        std::set<std::string> names;
        for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1))
            if (const std::size_t close =
                    text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_2", open + 1);
                close > open + 1 && close < text.size() && text[close] == '}')
                names.insert(text.substr(open, close - open));
        return names;
    };
    for (const auto& [english, texts] : table.items()) {
        const std::set<std::string> known = gaps(english);
        EXPECT_EQ(texts.size(), texts.contains("en") ? 3U : 2U) << english;
        for (const auto& [language, text] : texts.items()) {
            EXPECT_FALSE(text.get<std::string>().empty()) << english;
            for (const std::string& gap : gaps(text))
                EXPECT_TRUE(known.contains(gap)) << language << ": " << english << ": " << gap;
        }
    }
}

}  // namespace
}  // namespace lab
