// The words of the lattice view: rows, cells pointed at, and the sentence under it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/translations.h"
#include "figures/parts/pass_words.h"
#include "analysis/rows/lattice.h"

namespace lab::draw {

// As the step view calls the rows.
std::vector<RowLabel> lattice_labels(const Lattice& of, const Translations& tr);

// A cell with its value, who wrote it and from where, and what went wrong there: a line each.
std::vector<std::string> lattice_cell_words(const Lattice& of, std::size_t row, std::uint64_t cell,
                                            const Translations& tr);
// Several neighbours that are too narrow to be told apart.
std::vector<std::string> lattice_range_words(const Lattice& of, std::size_t row,
                                             std::uint64_t first, std::uint64_t last,
                                             const Translations& tr);

// What one sees in it: how the work shrinks from pass to pass, how far apart partners stand, what
// races did, and what came out.
std::string lattice_sentence(const Lattice& of, const Translations& tr);

}  // namespace lab::draw
