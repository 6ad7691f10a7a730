#include "measure/documents.h"

#include "base/json_fields.h"
#include "base/paths.h"
#include "base/problem.h"

namespace lab {

void to_json(nlohmann::json& json, const DocumentFigure& figure);
void from_json(const nlohmann::json& json, DocumentFigure& figure);
LAB_JSON_FIELDS(DocumentFigure, document, hardware, variant, n, group, set, ms)

std::vector<DocumentFigure> document_figures() {
    const fs::path file = data_folder() / "assets/documents.json";
    try {
        return nlohmann::json::parse(read_file(file)).at("figures");
    } catch (const nlohmann::json::exception& error) {
        throw Problem("The documents' figures cannot be read", error.what(),
                      "Install the program again", file.string());
    }
}

}  // namespace lab
