// The sentences below a lineage tree: whether each input is in the result once, and where those
// that are not were lost.
#pragma once

#include <string>
#include <vector>

#include "analysis/lineage/lineage_tree.h"
#include "base/translations.h"

namespace lab::figures {

// "once", "twice", "3 times".
std::string times_text(std::uint64_t times, const Translations& tr);
// Without what was left out of the picture: it tells of the whole trees.
std::string lineage_sentence(const analysis::LineageTree& tree, const Translations& tr);
// A sentence for each way in which inputs were lost, at most three.
std::vector<std::string> loss_sentences(const analysis::LineageTree& tree, const Translations& tr);

}  // namespace lab::figures
