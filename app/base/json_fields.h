// JSON for plain structs, field by field, with to_json and from_json declared in their headers:
// nlohmann's own macro makes them inline, so every file would need all of it.
#pragma once

#include <nlohmann/json.hpp>

#define LAB_JSON_FIELDS(Type, ...)                                                 \
    void to_json(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t) {   \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))   \
    }                                                                              \
    void from_json(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) { \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__)) \
    }

// The same for a type that has got more fields: one that is missing is as the type has it.
#define LAB_JSON_FIELDS_OR_DEFAULT(Type, ...)                                                   \
    void to_json(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t) {                \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))                \
    }                                                                                           \
    void from_json(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) {              \
        const Type nlohmann_json_default_obj{};                                                 \
        NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM_WITH_DEFAULT, __VA_ARGS__)) \
    }
