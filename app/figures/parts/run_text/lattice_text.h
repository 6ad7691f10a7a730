// The words of the lattice view: rows, cells pointed at, and the sentence under it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/rows/lattice.h"
#include "base/translations.h"
#include "figures/parts/run_text/pass_text.h"

namespace lab::figures {

// As the step view calls the rows.
std::vector<RowLabel> lattice_labels(const analysis::Lattice& lattice, const Translations& tr);

// A cell with its value, who wrote it and from where, and what went wrong there: one line each.
std::vector<std::string> lattice_cell_text(const analysis::Lattice& lattice, std::size_t row,
                                           std::uint64_t cell, const Translations& tr);
// Several neighbours that are too narrow to be distinguished.
std::vector<std::string> lattice_range_text(const analysis::Lattice& lattice, std::size_t row,
                                            std::uint64_t first, std::uint64_t last,
                                            const Translations& tr);

// What one sees in it: how the work shrinks from pass to pass, how far apart partners stand, what
// races did, and what came out.
std::string lattice_sentence(const analysis::Lattice& lattice, const Translations& tr);

}  // namespace lab::figures
