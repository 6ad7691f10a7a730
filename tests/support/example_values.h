// Values of cells for tests, by their text.
#pragma once

#include <string>

#include "analysis/step_table.h"

namespace lab::analysis {

inline CellValue int_value(const std::string& text) {
    return value_of(text, lang::Scalar::int_);
}

}  // namespace lab::analysis
