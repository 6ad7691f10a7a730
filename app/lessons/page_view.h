// What of a page is drawn: its picture, as `view` names it, and what stands beside it, as `panel`.
#pragma once

#include <cstdint>
#include <optional>

#include "lessons/lesson.h"
namespace lab::lessons {

enum class PageView : std::uint8_t { rows, schedule, lattice, chart };
// What asks for a schedule shows one anyhow.
PageView view_of(const Page& page);

// Why the page cannot show what `view` and `panel` name; empty: it can. Throws Problem where the
// page's run cannot be made at all.
std::optional<Problem> cannot_show(const Page& page, Runs& runs);

// Whether the panel would tell the answer, and so comes with it.
bool panel_waits(const Page& page);

// The line whose memory request is shown: a marked one, if there is one; empty: what costs most.
std::optional<std::uint32_t> memory_line(const Show& show, const machine::Run& run);

}  // namespace lab::lessons
