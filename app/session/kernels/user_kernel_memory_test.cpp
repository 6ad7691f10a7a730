#include "session/kernels/user_kernel_memory.h"

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
        auto result = std::make_unique<Session>(first.options(), load_settings(problem));
        EXPECT_FALSE(problem);
        result->start();
        return result;
    }
};

const Choice& of_file(const Session& session, const fs::path& file) {
    for (const Choice& choice : session.kernels().editor().opened())
        if (file_of(choice) == file.string()) return choice;
    throw std::runtime_error("not open: " + file.string());
}

TEST(UserKernelMemory, AllOpenedKernelsAreThereAgainWithTheirEdits) {
    TwoFiles files;
    const auto session = files.again();
    ASSERT_THAT(session->kernels().editor().opened(), SizeIs(2));
    EXPECT_EQ(session->kernels().editor().file(), files.two.string());
    EXPECT_TRUE(session->kernels().editor().edited(files.one.string()));
    EXPECT_FALSE(session->kernels().editor().edited(files.two.string()));
    session->kernels().choose_opened(of_file(*session, files.one));
    EXPECT_EQ(session->kernels().editor().draft(), std::string(kOne) + "// mine\n");
    EXPECT_TRUE(session->kernels().editor().unsaved());
    EXPECT_EQ(read_file(files.one), kOne);
}

TEST(UserKernelMemory, AFileWithoutEditsIsReadAnewAndLeftOutWhereItIsGone) {
    TwoFiles files;
    files.first.session.kernels().choose_opened(of_file(files.first.session, files.one));
    files.first.session.save_settings();
    write_file(files.two, std::string(kTwo) + "// theirs\n");
    {
        const auto session = files.again();
        EXPECT_THAT(text_of(of_file(*session, files.two)), HasSubstr("theirs"));
    }
    fs::remove(files.two);
    EXPECT_THAT(files.again()->kernels().editor().opened(), SizeIs(1));
}

TEST(UserKernelMemory, WhatIsClosedIsGoneUntilThatIsUndone) {
    TwoFiles files;
    Session& session = files.first.session;
    session.kernels().close(of_file(session, files.one));
    EXPECT_THAT(session.kernels().editor().opened(), SizeIs(1));
    EXPECT_FALSE(session.kernels().editor().edited(files.one.string()));
    session.save_settings();
    EXPECT_THAT(files.again()->kernels().editor().opened(), SizeIs(1));
    session.undo();
    EXPECT_EQ(session.kernels().editor().file(), files.one.string());
    EXPECT_THAT(session.kernels().editor().draft(), HasSubstr("// mine"));
}

TEST(UserKernelMemory, ADamagedOneIsKeptAsideAndSaid) {
    TwoFiles files;
    write_file(kernels_file(), "{\"kernels\": [{\"edited\": 7}]}");
    std::optional<Problem> problem;
    EXPECT_THAT(load_opened(problem), SizeIs(0));
    ASSERT_TRUE(problem);
    EXPECT_TRUE(fs::exists(kernels_file().string() + ".damaged"));
}

TEST(UserKernelMemory, HoldsTheLastOnesUpToItsBounds) {
    std::vector<OpenedKernel> many(40);
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i].edited = true;
        many[i].choice.user_kernel.emplace();
        many[i].choice.user_kernel->file = std::to_string(i) + ".cl";
        many[i].choice.user_kernel->text = "//";
    }
    const auto back = opened_of_memory(memory_text(many));
    ASSERT_THAT(back, SizeIs(kMostRemembered));
    EXPECT_EQ(file_of(back.back().choice), "39.cl");
    for (OpenedKernel& kernel : many)
        kernel.choice.user_kernel->text.assign(100'000, 'x');
    EXPECT_THAT(opened_of_memory(memory_text(many)), SizeIs(kMostRememberedText / 100'000));
}

}  // namespace
}  // namespace lab::session
