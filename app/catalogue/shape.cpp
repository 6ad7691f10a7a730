#include "catalogue/shape.h"

#include <nlohmann/json.hpp>

namespace lab {

void to_json(nlohmann::json& json, const Shape& shape) {
    json = {
        {"group", shape.group},          {"op", name_of(shape.op)}, {"type", info(shape.type).name},
        {"input", text_of(shape.input)}, {"set", shape.set},        {"device", shape.device}};
    if (shape.n) json["n"] = *shape.n;
}

void from_json(const nlohmann::json& json, Shape& shape) {
    if (json.contains("n")) shape.n = json.at("n").get<std::uint64_t>();
    shape.group = json.value("group", std::uint64_t{0});
    shape.op = parse_op(json.value("op", "add"));
    shape.type = parse_type(json.value("type", "int"));
    shape.input = parse_input(json.value("input", "ramp"));
    shape.set = json.value("set", std::map<std::string, std::string>{});
    shape.device = json.value("device", "");
}

}  // namespace lab
