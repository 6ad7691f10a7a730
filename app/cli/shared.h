// What the commands of the command line share.
#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catalogue/variant.h"

namespace lab::cli {

// Options live as long as the command's action.
template <typename Options>
std::shared_ptr<Options> make() {
    return std::make_shared<Options>();
}

template <typename Data>
void print_json(const Data& data) {
    std::cout << nlohmann::json(data).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << '\n';
}

void add_json(CLI::App& app, bool& json);

// Of `trials` and `record`.
inline constexpr const char* kDelaysHelp =
    "Short waits before accesses, drawn by this seed, so that rare results come";

// The shipped kernels. What a kernel folder's broken files are is said, but never stops what does
// not need them.
catalogue::Catalogue catalogue();

// `all`, or these, each once. Throws Problem for one that there is not.
std::vector<std::string> variant_ids(const std::vector<std::string>& asked,
                                     const catalogue::Catalogue& all);

}  // namespace lab::cli
