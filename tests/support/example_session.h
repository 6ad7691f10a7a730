// For tests: a session in folders of its own, so that no test sees what another one saved.
#pragma once

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "base/paths.h"
#include "support/all_views.h"
#include "support/temporary_folder.h"

namespace lab::session {

struct ExampleSession {
    TemporaryFolder folder;
    std::vector<std::string> copied;  // to the clipboard
    std::vector<fs::path> exported;   // by the window's part
    Session session;

    explicit ExampleSession(Settings settings = {})
        : session((prepare(folder), options()), std::move(settings)) {}

    static int prepare(const TemporaryFolder& folder) {
        setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
        setenv("XDG_CONFIG_HOME", (folder.path() / "config").c_str(), 1);
        // What PoCL compiled stays where it is: all of it anew takes most of a test's time.
        setenv("POCL_CACHE_DIR", (cache_folder().parent_path() / "pocl" / "kcache").c_str(), 0);
        setenv("HOME", folder.path().c_str(), 1);
        fs::create_directories(folder.path() / "Documents");
        return 0;
    }
    fs::path documents() const { return folder.path() / "Documents"; }

    Session::Options options() {
        Session::Options result = all_views();
        result.copy = [this](const std::string& text) { copied.push_back(text); };
        result.export_shown = [this](const fs::path& file) {
            write_file(file, "picture");
            exported.push_back(file);
        };
        return result;
    }

    // Until nothing is under way; whether that came. The count is no criterion, only an end.
    bool settle() {
        for (int i = 0; i < 20000; ++i) {
            session.poll();
            if (!session.busy()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
};

}  // namespace lab::session
