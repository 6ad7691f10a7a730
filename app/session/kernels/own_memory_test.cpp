#include "session/kernels/own_memory.h"

#include <gmock/gmock.h>

#include "base/paths.h"
#include "support/example_session.h"

namespace lab::session {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kOne = "kernel void one(global int* a) { a[get_global_id(0)] = 1; }\n";
constexpr const char* kTwo = "kernel void two(global int* b) { b[get_global_id(0)] = 2; }\n";

// Two files are open, and the first one, which is not shown, was edited.
struct TwoFiles {
    ExampleSession first;
    fs::path one = first.folder.path() / "one.cl", two = first.folder.path() / "two.cl";

    TwoFiles() {
        write_file(one, kOne);
        write_file(two, kTwo);
        first.session.start();
        first.session.kernels().open(one);
        first.session.kernels().edit(std::string(kOne) + "// mine\n");
        first.session.kernels().open(two);
        first.session.save_settings();
    }
    // The next start.
    std::unique_ptr<Session> again() {
        std::optional<Problem> problem;
        auto made = std::make_unique<Session>(first.options(), load_settings(problem));
        EXPECT_FALSE(problem);
        made->start();
        return made;
    }
};

const Choice& of_file(const Session& session, const fs::path& file) {
    for (const Choice& choice : session.kernels().editor().opened())
        if (file_of(choice) == file.string()) return choice;
    throw std::runtime_error("not open: " + file.string());
}

TEST(OwnMemory, AllOpenedKernelsAreThereAgainWithTheirEdits) {
    TwoFiles of;
    const auto session = of.again();
    ASSERT_THAT(session->kernels().editor().opened(), SizeIs(2));
    EXPECT_EQ(session->kernels().editor().file(), of.two.string());
    EXPECT_TRUE(session->kernels().editor().edited(of.one.string()));
    EXPECT_FALSE(session->kernels().editor().edited(of.two.string()));
    session->kernels().choose_opened(of_file(*session, of.one));
    EXPECT_EQ(session->kernels().editor().draft(), std::string(kOne) + "// mine\n");
    EXPECT_TRUE(session->kernels().editor().unsaved());
    EXPECT_EQ(read_file(of.one), kOne);
}

TEST(OwnMemory, AFileWithoutEditsIsReadAnewAndLeftOutWhereItIsGone) {
    TwoFiles of;
    of.first.session.kernels().choose_opened(of_file(of.first.session, of.one));
    of.first.session.save_settings();
    write_file(of.two, std::string(kTwo) + "// theirs\n");
    {
        const auto session = of.again();
        EXPECT_THAT(text_of(of_file(*session, of.two)), HasSubstr("theirs"));
    }
    fs::remove(of.two);
    EXPECT_THAT(of.again()->kernels().editor().opened(), SizeIs(1));
}

TEST(OwnMemory, WhatIsClosedIsGoneUntilThatIsUndone) {
    TwoFiles of;
    Session& session = of.first.session;
    session.kernels().close(of_file(session, of.one));
    EXPECT_THAT(session.kernels().editor().opened(), SizeIs(1));
    EXPECT_FALSE(session.kernels().editor().edited(of.one.string()));
    session.save_settings();
    EXPECT_THAT(of.again()->kernels().editor().opened(), SizeIs(1));
    session.undo();
    EXPECT_EQ(session.kernels().editor().file(), of.one.string());
    EXPECT_THAT(session.kernels().editor().draft(), HasSubstr("// mine"));
}

TEST(OwnMemory, ADamagedOneIsKeptAsideAndSaid) {
    TwoFiles of;
    write_file(kernels_file(), "{\"kernels\": [{\"edited\": 7}]}");
    std::optional<Problem> problem;
    EXPECT_THAT(load_opened(problem), SizeIs(0));
    ASSERT_TRUE(problem);
    EXPECT_TRUE(fs::exists(kernels_file().string() + ".damaged"));
}

TEST(OwnMemory, HoldsTheLastOnesUpToItsBounds) {
    std::vector<OpenedKernel> many(40);
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i].edited = true;
        many[i].choice.own.emplace();
        many[i].choice.own->file = std::to_string(i) + ".cl";
        many[i].choice.own->text = "//";
    }
    const auto back = opened_of_memory(memory_text(many));
    ASSERT_THAT(back, SizeIs(kMostRemembered));
    EXPECT_EQ(file_of(back.back().choice), "39.cl");
    for (OpenedKernel& kernel : many)
        kernel.choice.own->text.assign(100'000, 'x');
    EXPECT_THAT(opened_of_memory(memory_text(many)), SizeIs(kMostRememberedText / 100'000));
}

}  // namespace
}  // namespace lab::session
