// Lists that come with the program, in its data folder.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json_fields.h"
#include "base/paths.h"
#include "base/problem.h"

namespace lab::results {

// The list `key` of the data folder's file. Throws Problem that says `trouble` if it is damaged.
template <typename T>
std::vector<T> read_list(const char* name, const char* key, const char* trouble) {
    const fs::path file = data_folder() / name;
    const std::string text = read_file(file);
    try {
        return nlohmann::json::parse(text).at(key);
    } catch (const nlohmann::json::exception& error) {
        throw Problem(trouble, json_trouble(error, text), "Install the program again",
                      file.string());
    }
}

}  // namespace lab::results
