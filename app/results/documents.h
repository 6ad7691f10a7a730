// The five documents measured these on their own hardware: data, not measurements of this machine.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "catalogue/kernel.h"
namespace lab::results {

struct DocumentFigure {
    std::string document, hardware, variant;
    std::uint64_t n = 0, group = 0;  // group 0: not given
    std::map<std::string, std::string> set;
    double ms = 0;
};

struct Measurements;

// True if the results are comparable: the documents add numbers of four bytes.
bool comparable_with_documents(const Measurements& measurements);

// From assets/documents.json. Throws Problem.
std::vector<DocumentFigure> document_figures();

// The same without toggles at their default, as in rows of results.
std::vector<DocumentFigure> without_defaults(std::vector<DocumentFigure> figures,
                                             const catalogue::Catalogue& catalogue);

// Memory bandwidths from datasheets: a limit beside the measured one.
struct Datasheet {
    std::string device;  // a part of the driver's device name; "!" before words that must
                         // not be in it, as for "H100 !PCIe !NVL"
    double gigabytes_per_second = 0;
    std::string source;
};

// From assets/datasheets.json. Throws Problem.
std::vector<Datasheet> datasheets();

// The first that matches a device of this name; null if none does.
const Datasheet* datasheet_of(const std::string& device, std::span<const Datasheet> all);

}  // namespace lab::results
