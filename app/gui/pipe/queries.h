// What can be asked of the running app through its pipe, one table.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "gui/pipe/spots.h"
#include "gui/shell/frame_times.h"
#include "gui/shell/window.h"
#include "session/shell/session.h"

namespace lab::gui {

// Where the answers are found.
struct Subject {
    session::Session& session;
    const Spots& spots;
    Window& window;
    FrameTimes& times;
    const FrameCost& first_frame;  // from the process's start
    float scale;                   // pixels a point
};

struct Query {
    const char* method;
    bool when_quiet;  // it is answered once nothing is under way, else after the next frame
    bool pixels;      // it needs the next frame's picture
    nlohmann::json (*answer)(Subject& subject, const nlohmann::json& parameters);  // throws Problem
};

std::span<const Query> queries();
const Query& query(std::string_view method);  // throws Problem if there is none

}  // namespace lab::gui
