// Result files: JSON with every sample, CSV for a spreadsheet.
#pragma once

#include <filesystem>
#include <string>

#include "results/result.h"

namespace lab::results {

// The kind of file that the suffix asks for: json or csv. Throws Problem for another.
void check_result_suffix(const std::filesystem::path& file);

// Writes the file whole or not at all. Throws Problem.
void write_results(const Measurements& results, const std::filesystem::path& file);

// Throws Problem, where = the file, if it is missing, damaged or of another version.
Measurements read_results(const std::filesystem::path& file);

// A header line, then a line a row: RFC 4180, UTF-8, times in milliseconds.
std::string csv_of(const Measurements& results);

}  // namespace lab::results
