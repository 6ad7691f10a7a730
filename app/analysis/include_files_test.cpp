#include "catalogue/form.h"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/simulate.h"
#include "base/paths.h"
#include "machine/run.h"
#include "support/example_shapes.h"
#include "support/temporary_folder.h"

namespace lab::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::vector<std::string> names_of(const lang::Sources& sources) {
    std::vector<std::string> names;
    for (const lang::Source& source : sources)
        names.push_back(source.included_as);
    return names;
}

TEST(IncludeFiles, AreFoundBesideTheTextAndInFolders) {
    const TemporaryFolder folder;
    write(folder.path() / "k/one.h", " # include \"sub/two.h\"\n#include \"one.h\"\n");
    write(folder.path() / "k/sub/two.h", "#include \"three.h\"\n");
    write(folder.path() / "k/sub/three.h", "");
    write(folder.path() / "inc/four.h", "");
    const std::string file = folder.path() / "k/k.cl";
    const std::string text =
        "#include \"one.h\"\n// #include \"not.h\"\n#include <four.h>\n#include \"gone.h\"\n";
    EXPECT_THAT(names_of(catalogue::include_files(file, text, {})),
                ElementsAre("one.h", "sub/two.h", "three.h"));
    EXPECT_THAT(names_of(catalogue::include_files(file, text, {folder.path() / "inc"})),
                ElementsAre("one.h", "four.h", "sub/two.h", "three.h"));
    EXPECT_THAT(catalogue::include_files("nowhere/k.cl", "#include \"one.h\"\n", {}), IsEmpty());
}

catalogue::LaunchForm kernel_in(const fs::path& folder, const std::string& text) {
    catalogue::LaunchForm kernel;
    kernel.file = (folder / "k.cl").string();
    kernel.text = text;
    kernel.global = kernel.local = 1;
    kernel.arguments = {"out:int[1]"};
    return kernel;
}

TEST(IncludeFiles, StandInTheTextsThatIncludeThem) {
    const TemporaryFolder folder;
    write(folder.path() / "twice.h",
          "#ifndef TWICE\n#define TWICE(x) (2 * (x))\n#include \"more.h\"\n#endif\n");
    write(folder.path() / "more.h",
          "#pragma once\n#include \"twice.h\"\nint more(int x) { return x + 1; }\n");
    const machine::Run run(
        job_of(kernel_in(folder.path(),
                         "#include \"twice.h\"\n#include \"more.h\"\n#if 0\n#include \"gone.h\"\n"
                         "#endif\nkernel void f(global int* out) { *out = TWICE(more(20)); }\n")),
        {});
    EXPECT_EQ(contents_of(run.machine(), run.end()), "out: 42");
}

TEST(IncludeFiles, AreJoinedForCompilersWithoutFiles) {
    const lang::Sources files{
        {"a", "#pragma once\nint a;\n#include \"b.h\"\n", "a.h"},
        {"b", "#ifndef B\n#define B\n#include \"b.h\"\nint b;\n#endif", "b.h"}};
    EXPECT_EQ(
        catalogue::with_includes("#include \"a.h\" // first\n  # include <b.h>\n#include \"a.h\"\n"
                                 "#include \"gone.h\"\nend",
                                 files),
        "#pragma once\nint a;\n#ifndef B\n#define B\n\nint b;\n#endif\n\n"
        "#ifndef B\n#define B\n\nint b;\n#endif\n\n#include \"gone.h\"\nend");
}

TEST(IncludeFiles, AreNamedByTheirErrors) {
    const TemporaryFolder folder;
    write(folder.path() / "bad.h", "\nint f( { }\n");
    try {
        job_of(
            kernel_in(folder.path(), "#include \"bad.h\"\nkernel void k(global int* out) { }\n"));
        FAIL();
    } catch (const Problem& problem) {
        EXPECT_THAT(problem.where, HasSubstr("bad.h:2:"));
    }
    try {
        job_of(kernel_in(folder.path(), "#include \"gone.h\"\nkernel void k(global int* o) { }\n"));
        FAIL();
    } catch (const Problem& problem) {
        EXPECT_THAT(problem.why, HasSubstr("#include \"gone.h\" is not found"));
    }
}

}  // namespace
}  // namespace lab::analysis
