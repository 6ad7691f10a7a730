// Draws in which shapes a kernel works: a cell per shape, by colour and sign, and the rule below.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "analysis/barriers.h"
#include "analysis/size_map.h"
#include "base/translations.h"
#include "figures/figure_page.h"
#include "figures/font.h"
#include "figures/run_text.h"
#include "figures/scene.h"
namespace lab::figures {

// The sign of a verdict, one character of ASCII, wherever it is shown.
char verdict_sign(analysis::ShapeVerdict verdict);
// "n", "group size": a side of the map, or a quantity of a rule.
std::string axis_text(const std::string& axis, const Translations& tr);
// "n 5, group size 4: wrong, 19 in the place of 15".
std::string map_cell_text(const analysis::SizeMap& map, std::size_t row, std::size_t column,
                          const Translations& tr);
// "race, line 8 with line 9": a verdict and its reason.
std::string judgement_text(const analysis::ShapeJudgement& judgement, const Translations& tr);
// The same of the shape that shows why a barrier, fence or atomic is needed.
std::string judgement_without(const analysis::SyncPoint& point, const Translations& tr);
// Says in how many shapes it works, and by which rule it does not: one that holds in every cell.
std::string size_map_sentence(const analysis::SizeMap& map, const Translations& tr);

// Has what all cells share; the sides are left out.
RunSubject map_subject(const analysis::RunSpec& spec, const analysis::SizeMap& map);
// A head, and a line for each cell.
std::string size_map_csv(const analysis::SizeMap& map);
// The map, what all its cells share, and its sentence in English.
nlohmann::json size_map_json(const analysis::SizeMap& map, const analysis::RunSpec& spec);
// `subject` has what all cells share; the rest is not set. A cell is named "shape ROW COLUMN"; one
// that is not judged yet is empty. Without a heading there is no sentence, either.
Scene size_map_figure(const analysis::SizeMap& map, const RunSubject& subject,
                      const FigureOptions& options, const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
