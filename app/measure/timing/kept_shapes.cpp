#include "measure/timing/kept_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "base/problem.h"

namespace lab::measure {
namespace {

constexpr int kKeptSchema = 1;

// FNV-1a, 64 bits: the same on every machine, which std::hash need not be.
std::string number_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return fmt::format("{:016x}", hash);
}

nlohmann::json json_of(const KeptShape& shape) {
    return {{"device", shape.key.device},   {"driver", shape.key.driver},
            {"variant", shape.key.variant}, {"text", shape.key.text},
            {"op", shape.key.op},           {"type", shape.key.type},
            {"size", shape.key.size},       {"group", shape.shape.group},
            {"set", shape.shape.set},       {"ms", shape.ms},
            {"table_ms", shape.table_ms},   {"tried", shape.tried},
            {"found", shape.found}};
}

KeptShape shape_of(const nlohmann::json& json) {
    KeptShape shape;
    json.at("device").get_to(shape.key.device);
    json.at("driver").get_to(shape.key.driver);
    json.at("variant").get_to(shape.key.variant);
    json.at("text").get_to(shape.key.text);
    json.at("op").get_to(shape.key.op);
    json.at("type").get_to(shape.key.type);
    json.at("size").get_to(shape.key.size);
    json.at("group").get_to(shape.shape.group);
    json.at("set").get_to(shape.shape.set);
    json.at("ms").get_to(shape.ms);
    json.at("table_ms").get_to(shape.table_ms);
    json.at("tried").get_to(shape.tried);
    json.at("found").get_to(shape.found);
    return shape;
}

std::vector<KeptShape> read_shapes(const fs::path& file, std::optional<Problem>& problem) {
    std::vector<KeptShape> shapes;
    if (!fs::exists(file)) return shapes;
    try {
        const nlohmann::json json = nlohmann::json::parse(read_file(file));
        if (json.at("schema").get<int>() != kKeptSchema) {
            problem = Problem("The launch shapes that were kept are not used",
                              "Another version of this program wrote them",
                              "The table's are used; --shapes search finds them anew, in the "
                              "place of those",
                              file.string());
            return shapes;
        }
        for (const nlohmann::json& each : json.at("shapes"))
            shapes.push_back(shape_of(each));
    } catch (const nlohmann::json::exception&) {
        problem = Problem("The launch shapes that were kept cannot be read", "The file is damaged",
                          "The table's are used; --shapes search finds them anew", file.string());
        return {};
    } catch (const Problem& unread) {
        problem = unread;
        return {};
    }
    return shapes;
}

void put(std::vector<KeptShape>& shapes, KeptShape shape) {
    const auto same = std::find_if(shapes.begin(), shapes.end(), [&](const KeptShape& kept_shape) {
        return kept_shape.key == shape.key;
    });
    if (same == shapes.end())
        shapes.push_back(std::move(shape));
    else
        *same = std::move(shape);
}

}  // namespace

ShapeKey shape_key(const results::DeviceInfo& device, const catalogue::Variant& variant,
                   const catalogue::Shape& shape, std::uint64_t n) {
    return {device.name,
            device.driver,
            variant.id,
            number_of(variant.text),
            name_of(shape.op),
            info(shape.type).name,
            static_cast<unsigned>(n <= 1 ? 0 : std::bit_width(n - 1))};
}

fs::path kept_shapes_file() {
    return cache_folder() / "launch-shapes.json";
}

KeptShapes::KeptShapes(fs::path file)
    : file_(std::move(file)), shapes_(read_shapes(file_, problem_)) {}

const KeptShape* KeptShapes::find(const ShapeKey& key) const {
    const auto found = std::find_if(shapes_.begin(), shapes_.end(),
                                    [&](const KeptShape& shape) { return shape.key == key; });
    return found == shapes_.end() ? nullptr : &*found;
}

void KeptShapes::keep(KeptShape shape) {
    std::optional<Problem> ignored;
    std::vector<KeptShape> others = read_shapes(file_, ignored);
    put(others, shape);
    put(shapes_, std::move(shape));
    nlohmann::json all = nlohmann::json::array();
    for (const KeptShape& each : others)
        all.push_back(json_of(each));
    write_file(file_, nlohmann::json{{"schema", kKeptSchema}, {"shapes", all}}.dump(1) + "\n");
}

}  // namespace lab::measure
