// What the five documents measured on their own hardware: data, not measurements of this machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalogue/variant.h"

namespace lab::results {

struct DocumentFigure {
    std::string document, hardware, variant;
    std::uint64_t n = 0, group = 0;  // group 0: not given
    std::map<std::string, std::string> set;
    double ms = 0;
};

struct Measurements;

// Whether the results are comparable: the documents add numbers of four bytes.
bool comparable_with_documents(const Measurements& measurements);

// From assets/documents.json. Throws Problem.
std::vector<DocumentFigure> document_figures();

// The same without toggles at their default, as in rows of results.
std::vector<DocumentFigure> without_defaults(std::vector<DocumentFigure> figures,
                                             const catalogue::Catalogue& catalogue);

}  // namespace lab::results
