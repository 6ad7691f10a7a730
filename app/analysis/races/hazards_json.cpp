#include "analysis/races/hazards.h"
#include "base/json_fields.h"

namespace lab::analysis {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HazardSide, does, file, line, column, length, text, item, group,
                                   global_id, group_id, pass, turn, value)
NLOHMANN_JSON_SERIALIZE_ENUM(Hazard::Severity,
                             {{Hazard::Severity::note, "note"}, {Hazard::Severity::race, "race"}})
LAB_JSON_FIELDS(Hazard, severity, kinds, could, across_groups, update, copy, note, launch, object,
                space, index, sides, count, shown, times_shown, time, what, why, hint,
                lockstep_lanes, hidden, schedule, schedules, here, independent_only)

}  // namespace lab::analysis
