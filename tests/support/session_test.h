// A session with the real worker, for tests.
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

#include "base/paths.h"
#include "session/session.h"
#include "session/view.h"
#include "support/all_views.h"
#include "support/temporary_folder.h"
#include "views/measure/measure.h"
#include "views/race/race.h"
#include "views/step/step.h"

namespace lab::session {

// A session with the real worker, its settings in a folder of its own.
class SessionTest : public testing::Test {
  protected:
    SessionTest() {
        setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
        setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
    }

    Session::Options options(const std::string& worker = LAB_BIN_DIR "/reduction-lab-cli") {
        return all_views(worker);
    }

    template <typename Until>
    static bool wait(Session& session, Until&& until) {
        for (int i = 0; i < 20000; ++i) {  // no criterion, only an end
            session.poll();
            if (until()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    static void settle(Session& session) {
        EXPECT_TRUE(wait(session, [&] { return !session.busy(); }));
    }

    // The kernel that races between groups, under a schedule.
    static void choose_broken(Session& session, const char* order) {
        RunChoice choice = session.settings().choice;
        choice.variant = "span-modulo";
        choice.shape.set = {{"BARRIER", "group"}};
        choice.machine.order = order;
        session.choose(choice);
        settle(session);
    }

    TemporaryFolder folder_;
};

}  // namespace lab::session
