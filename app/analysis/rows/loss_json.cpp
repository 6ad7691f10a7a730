#include <nlohmann/json.hpp>

#include "analysis/rows/loss.h"

namespace lab::analysis {

using nlohmann::json;

const char* name_of(Loss::Kind kind) {
    switch (kind) {
        case Loss::Kind::never_read:
            return "never read";
        case Loss::Kind::read_too_early:
            return "read too early";
        case Loss::Kind::overwritten:
            return "overwritten";
        case Loss::Kind::last_stored:
            return "last stored";
        case Loss::Kind::last_read:
            return "last read";
    }
    return "";
}

json json_of(const machine::Machine& machine, const Loss& loss) {
    json object{{"kind", name_of(loss.kind)},
                {"input", text_of(machine, {false, 0, 0, loss.input.buffer, loss.input.index})},
                {"cell", text_of(machine, loss.cell)}};
    const auto put = [&](const char* name, const std::optional<AccessRef>& ref) {
        if (ref)
            object[name] = {{"time", ref->time},
                            {"item", ref->item},
                            {"launch", ref->launch + 1},
                            {"pass", ref->pass},
                            {"line", ref->line}};
    };
    put("stored", loss.stored);
    put("read", loss.read);
    put("overwritten", loss.overwritten);
    return object;
}

}  // namespace lab::analysis
