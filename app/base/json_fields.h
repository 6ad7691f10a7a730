// JSON for plain structs, field by field. nlohmann's own macro makes its functions inline, so every
// file would need all of it; here the struct's header only declares to_json and from_json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#define LAB_JSON_PAIR(Kind, Put, Get, From, Type, ...)                                      \
    Kind void Put(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t){            \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))} Kind void \
    Get(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) {                     \
        [[maybe_unused]] const Type& nlohmann_json_default_obj = nlohmann_json_t;           \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(From, __VA_ARGS__))                        \
    }

#define LAB_JSON_FIELDS(Type, ...) \
    LAB_JSON_PAIR(, to_json, from_json, NLOHMANN_JSON_FROM, Type, __VA_ARGS__)
// The same, but fields may be missing: those keep their values.
#define LAB_JSON_FIELDS_OR_DEFAULT(Type, ...) \
    LAB_JSON_PAIR(, to_json, from_json, NLOHMANN_JSON_FROM_WITH_DEFAULT, Type, __VA_ARGS__)
// The same for a struct that only its file knows as JSON, perhaps only to read it.
#define LAB_JSON_LOCAL_FIELDS(Type, ...)                                                 \
    LAB_JSON_PAIR([[maybe_unused]] static, to_json, from_json, NLOHMANN_JSON_FROM, Type, \
                  __VA_ARGS__)

// The same as static `put_fields` and `get_fields`, for the fields that need no code of their own.
#define LAB_JSON_SOME_FIELDS(Type, ...) \
    LAB_JSON_PAIR(static, put_fields, get_fields, NLOHMANN_JSON_FROM, Type, __VA_ARGS__)
#define LAB_JSON_SOME_FIELDS_OR_DEFAULT(Type, ...)                                       \
    LAB_JSON_PAIR(static, put_fields, get_fields, NLOHMANN_JSON_FROM_WITH_DEFAULT, Type, \
                  __VA_ARGS__)

namespace lab {

// Explains what is wrong with JSON that the user may have edited: a phrase for Problem::why, "Line
// 3, column 5 (byte 41) is no JSON: unexpected ']'; …", or what is missing or has the wrong type.
// `text` is what was read.
std::string json_trouble(const nlohmann::json::exception& error, std::string_view text);

}  // namespace lab
