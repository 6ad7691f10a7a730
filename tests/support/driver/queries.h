// What can be asked of the running app through its pipe, one table.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "support/driver/widget_registry.h"
#include "views/shell/app.h"

namespace lab::driver {

// Where the answers are found.
struct Subject {
    const gui::FrameView& app;
    const WidgetRegistry& widgets;
};

struct Query {
    const char* method;
    bool when_quiet;  // it is answered once nothing is under way, else after the next frame
    nlohmann::json (*answer)(const Subject& subject,
                             const nlohmann::json& parameters);  // throws Problem
};

std::span<const Query> queries();
const Query& query(std::string_view method);  // throws Problem if there is none

}  // namespace lab::driver
