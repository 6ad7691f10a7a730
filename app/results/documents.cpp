#include "results/documents.h"

#include "base/json_fields.h"
#include "results/program_data.h"
#include "results/result.h"

namespace lab::results {

void to_json(nlohmann::json& json, const DocumentFigure& figure);
void from_json(const nlohmann::json& json, DocumentFigure& figure);
LAB_JSON_FIELDS(DocumentFigure, document, hardware, variant, n, group, set, ms)

bool comparable_with_documents(const Measurements& measurements) {
    return measurements.op == "add" && !measurements.rows.empty() &&
           measurements.rows.front().bytes == 4 * measurements.rows.front().n;
}

std::vector<DocumentFigure> document_figures() {
    return read_list<DocumentFigure>("assets/documents.json", "figures",
                                     "The documents' figures cannot be read");
}

std::vector<DocumentFigure> without_defaults(std::vector<DocumentFigure> figures,
                                             const catalogue::Catalogue& catalogue) {
    for (DocumentFigure& figure : figures)
        for (const catalogue::Variant& variant : catalogue.variants) {
            if (variant.id != figure.variant) continue;
            std::erase_if(figure.set, [&](const auto& setting) {
                const catalogue::Toggle* toggle = variant.toggle(setting.first);
                return toggle != nullptr && !toggle->values.empty() &&
                       toggle->values.front() == setting.second;
            });
        }
    return figures;
}

}  // namespace lab::results
