#include "catalogue/shape.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/problem.h"

namespace lab::catalogue {
namespace {

std::uint64_t count(const nlohmann::json& json, const char* name) {
    if (!json.is_number_unsigned())
        throw Problem(fmt::format("'{}' is {}, which is no count", name, json.dump()), "",
                      "Give a whole number from 0 up", name);
    return json.get<std::uint64_t>();
}

}  // namespace

std::string settings_text(const std::map<std::string, std::string>& set) {
    std::string text;
    for (const auto& [name, value] : set) {
        if (!text.empty()) text += ' ';
        text += name;
        text += '=';
        text += value;
    }
    return text;
}

void to_json(nlohmann::json& json, const Shape& shape) {
    json = {
        {"group", shape.group},          {"op", name_of(shape.op)}, {"type", info(shape.type).name},
        {"input", text_of(shape.input)}, {"set", shape.set},        {"device", shape.device}};
    if (shape.n) json["n"] = *shape.n;
}

void from_json(const nlohmann::json& json, Shape& shape) {
    if (json.contains("n")) shape.n = count(json.at("n"), "n");
    if (json.contains("group")) shape.group = count(json.at("group"), "group");
    shape.op = parse_op(json.value("op", "add"));
    shape.type = parse_type(json.value("type", "int"));
    shape.input = parse_input(json.value("input", "ramp"));
    shape.set = json.value("set", std::map<std::string, std::string>{});
    shape.device = json.value("device", "");
}

}  // namespace lab::catalogue
