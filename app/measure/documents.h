// What the five documents measured on their own hardware: data, not measurements of this machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lab {

struct DocumentFigure {
    std::string document, hardware, variant;
    std::uint64_t n = 0, group = 0;  // group 0: not told
    std::map<std::string, std::string> set;
    double ms = 0;
};

// Of assets/documents.json. Throws Problem.
std::vector<DocumentFigure> document_figures();

}  // namespace lab
