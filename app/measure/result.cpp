#include "measure/result.h"

#include <algorithm>

#include "base/json_fields.h"

namespace lab {

LAB_JSON_FIELDS(Row, variant, title, n, group, bytes, device_ms, wall_ms, result, expected, error,
                bound, right)

double median(std::vector<double> samples) {
    if (samples.empty()) return 0;
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    if (samples.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(samples.begin(), middle)) / 2;
}

double Row::device_median() const {
    return median(device_ms);
}
double Row::wall_median() const {
    return median(wall_ms);
}

double Row::gigabytes_per_second() const {
    const double ms = device_median();
    return ms > 0 ? static_cast<double>(bytes) / ms * 1e-6 : 0;
}

void to_json(nlohmann::json& json, const Measurements& of) {
    json = {{"schema", 1},
            {"device", of.device},
            {"op", of.op},
            {"type", of.type},
            {"input", of.input},
            {"repeat", of.repeat},
            {"cache", "warm"},  // one input, read
                                // again by each run
            {"rows", of.rows},
            {"problems", of.problems}};
    for (std::size_t i = 0; i < of.rows.size(); ++i) {
        json["rows"][i]["device_ms_median"] = of.rows[i].device_median();
        json["rows"][i]["wall_ms_median"] = of.rows[i].wall_median();
        json["rows"][i]["gb_per_s"] = of.rows[i].gigabytes_per_second();
    }
}

void from_json(const nlohmann::json& json, Measurements& of) {
    if (const int schema = json.value("schema", 0); schema != 1)
        throw Problem("The results are of another version",
                      "Their schema is " + std::to_string(schema) + ", this program reads 1",
                      "Measure again with this version");
    json.at("device").get_to(of.device);
    json.at("op").get_to(of.op);
    json.at("type").get_to(of.type);
    json.at("input").get_to(of.input);
    json.at("repeat").get_to(of.repeat);
    json.at("rows").get_to(of.rows);
    json.at("problems").get_to(of.problems);
}

}  // namespace lab
