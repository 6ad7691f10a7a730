#include "gui/files/export_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "base/paths.h"
#include "gui/shell/ui.h"
#include "session/files/export_file.h"

namespace lab::gui {

void export_shown(Ui& ui, const fs::path& file) {
    const auto known = session::export_suffixes(ui.session);
    if (known.empty())
        throw Problem("There is nothing here to export", "",
                      "Step a kernel, or measure, and export what is shown then");
    const std::string suffix = suffix_of(file);
    if (std::find(known.begin(), known.end(), suffix) == known.end())
        throw Problem(fmt::format("'{}' is no format that this can be exported in",
                                  suffix.empty() ? file.filename().string() : suffix),
                      "", fmt::format("End the name in one of: {}", fmt::join(known, ", ")),
                      file.string());
    shown_view(ui).save(ui, file, suffix);
}

}  // namespace lab::gui
