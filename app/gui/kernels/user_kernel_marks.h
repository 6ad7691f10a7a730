// What the editor of a kernel shows beside its text.
#pragma once

#include <vector>

#include "session/shell/session.h"

namespace lab::gui {

struct EditorMarks {
    std::vector<session::TextMark> marks;  // of the compiler, then of the run
    std::size_t errors = 0;                // of the compiler alone
    std::uint32_t before = 0;              // lines of the text that are not shown above it
    std::uint32_t now = 0;                 // the line of the run's last action; 0: none
    bool ran = false;                      // the text as it stands is the one that ran

    bool has_error(std::uint32_t line) const;
};

// `line`: of the run's last action; 0: none.
EditorMarks editor_marks(const session::Session& session, std::uint32_t line);

}  // namespace lab::gui
