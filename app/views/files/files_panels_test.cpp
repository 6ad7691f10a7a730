#include "views/files/files_panels.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/paths.h"
#include "gui/ui.h"
#include "session/view.h"
#include "support/temporary_folder.h"
#include "views/files/files.h"
#include "views/shell/shell.h"

namespace lab::gui {
namespace {

std::vector<std::string> names(const std::vector<FolderEntry>& entries) {
    std::vector<std::string> texts;
    for (const FolderEntry& entry : entries)
        texts.push_back(entry.name + (entry.folder ? "/" : ""));
    return texts;
}

TEST(OpenPanel, ShowsFoldersAndWhatCanBeOpenedInOrder) {
    const TemporaryFolder folder;
    for (const char* name : {"b.redlab", "a.json", "C.JSON", "text.txt", ".hidden.json", "none"})
        std::ofstream(folder.path() / name) << "x";
    for (const char* name : {"z", ".config", "a folder"})
        fs::create_directory(folder.path() / name);
    EXPECT_THAT(names(entries_of(folder.path(), false)),
                testing::ElementsAre("../", "a folder/", "z/", "C.JSON", "a.json", "b.redlab"));
    EXPECT_THAT(names(entries_of(folder.path(), true)), testing::Contains(".hidden.json"));
    EXPECT_EQ(entries_of(folder.path(), false).back().size, "1 B");
}

TEST(OpenPanel, AFolderOfLessonsIsOfferedFirst) {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() / "one");
    EXPECT_THAT(names(entries_of(folder.path(), false)), testing::ElementsAre("../", "one/"));
    std::ofstream(folder.path() / "one" / "lesson.md") << "x";
    EXPECT_THAT(names(entries_of(folder.path(), false)), testing::ElementsAre(".", "../", "one/"));
    EXPECT_THAT(names(entries_of(folder.path() / "one", false)),
                testing::ElementsAre(".", "../", "lesson.md"));
}

TEST(OpenPanel, TheRootLeadsNoFurtherUp) {
    EXPECT_NE(entries_of("/", false).front().name, "..");
}

TEST(OpenPanel, AFolderThatIsNoneIsAProblem) {
    const TemporaryFolder folder;
    EXPECT_THROW(entries_of(folder.path() / "none", false), Problem);
    fs::create_symlink(folder.path() / "none", folder.path() / "broken.json");
    EXPECT_THAT(names(entries_of(folder.path(), false)),
                testing::ElementsAre("../", "broken.json"));
}

TEST(OpenPanel, KindsOfFilesHaveNamesInEveryLanguage) {
    setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    for (const session::FileKind& kind : session::file_kinds())
        for (const char* language : kLanguages) {
            const Translations words(language);
            EXPECT_TRUE(words.texts().contains(std::string("file.") + kind.id)) << kind.id;
            EXPECT_THAT(words("open.kinds"), testing::HasSubstr(kind.suffix));
        }
}

TEST(Overlays, AreOpenedByCommandsAndHaveIdsOfTheirOwn) {
    const std::vector<const session::ViewType*> views = types_of(window_views());
    const session::CommandTable commands(views);
    std::vector<std::string> ids;
    for (const Overlay& overlay : overlays()) {
        EXPECT_NO_THROW(commands.find(overlay.id)) << overlay.id;
        EXPECT_THAT(ids, testing::Not(testing::Contains(overlay.id)));
        ids.emplace_back(overlay.id);
    }
}

}  // namespace
}  // namespace lab::gui
