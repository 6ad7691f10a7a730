// Says of each barrier, fence and atomic of a kernel if it is needed, by judging many shapes
// without it; and where one more barrier would cure all races.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/simulate.h"
#include "analysis/size_map.h"

namespace lab::analysis {

struct SyncPoint {
    enum class Kind : std::uint8_t {
        barrier,
        sub_group_barrier,
        fence,
        atomic,
        volatile_,
    } kind = Kind::barrier;
    enum class Need : std::uint8_t {
        needed,      // some shape is worse without it, or goes wrong in another way
        not_needed,  // none of these shapes is, nor does
        not_reached,
        orders_nothing,  // volatile: no race or result of the language's model depends on it
        unknown,         // some race, all fault or never end, or some results are not all known
    } need = Need::not_needed;
    std::uint32_t line = 0, column = 0;
    std::string text;  // the source line
    // A shape that shows that the point is needed: as it is, and without the point.
    ShapeJudgement with, without;
    // Narrower ones that would do in these shapes: of both flags one, and the group's scope in the
    // place of the device's; `together`: if all of the text have it, since scopes have to fit.
    std::string flags, scope;
    bool together = false;
};
inline constexpr std::array kSyncKinds{"barrier", "sub-group barrier", "fence", "atomic",
                                       "volatile"};
inline constexpr std::array kSyncNeeds{"needed", "not needed", "not reached", "orders nothing",
                                       "unknown"};

// One more barrier, before the statement in that line, after which no shape has a race.
struct AddedBarrier {
    std::uint32_t line = 0;
    std::string call;  // "barrier(CLK_LOCAL_MEM_FENCE)"
};

struct BarrierReport {
    std::vector<SyncPoint> points;     // by line
    std::size_t shapes = 0, racy = 0;  // launched; of these, with a race as the kernel is
    std::optional<AddedBarrier> cure;  // of these races
    std::size_t places = 0;            // where a barrier was tried
    bool cancelled = false;

    // True if a point may be left out, or be narrower: each by itself, with the others as they are.
    bool advises() const;
};
void to_json(nlohmann::json& json, const BarrierReport& report);
void from_json(const nlohmann::json& json, BarrierReport& report);

// Groups of 1 to 8 work-items, each with numbers of elements that fill them and that do not.
std::vector<RunSpec> shapes_for_barriers(const RunSpec& spec);
// `shapes`: runs of one kernel, of one operator and type. Throws Problem if it does not compile.
BarrierReport judge_barriers(const std::vector<RunSpec>& shapes,
                             const std::atomic<bool>* cancel = nullptr);

}  // namespace lab::analysis
