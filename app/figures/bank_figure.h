// The bank grid: one request of a warp to local memory, with a column per bank; or to global
// memory, with a row per cache line, and which bytes of the fetched sectors were needed.
#pragma once

#include "analysis/memory_traffic.h"
#include "figures/figure_page.h"
namespace lab::figures {

// Orange marks what a request waits for beyond what was needed, as barriers are orange: it costs
// time and is no mistake, so it is not vermilion. A hatch and the number of the bank cycle say the
// same.
Scene bank_figure(const analysis::RequestDetail& request, const RunSubject& subject,
                  const FigureOptions& options, const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
