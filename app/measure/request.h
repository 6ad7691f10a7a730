// What is asked to be measured.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "catalogue/shape.h"

namespace lab {

struct MeasureRequest {
    std::vector<std::string> variants;  // ids
    std::vector<std::uint64_t> sizes;
    Shape shape;      // n is not used
    int repeat = 10;  // counted runs a row, 1 or more
};

void to_json(nlohmann::json& json, const MeasureRequest& request);
void from_json(const nlohmann::json& json, MeasureRequest& request);

}  // namespace lab
