#include "gui/window_view.h"

#include <algorithm>
#include <vector>

#include "gui/ui.h"

namespace lab::gui {

namespace {

bool wants_width(const Ui& ui) {
    const WindowView& view = shown_view(ui);
    return view.wants_width != nullptr && view.wants_width(ui);
}

}  // namespace

bool Ui::narrow() const {
    return (window().x < 1100 || wants_width(*this)) && !session.presenting();
}

bool WindowView::has(Place place) const {
    return std::any_of(panels.begin(), panels.end(),
                       [place](const Panel& panel) { return panel.place == place; });
}

std::vector<const session::ViewType*> types_of(std::span<const WindowView> views) {
    std::vector<const session::ViewType*> types;
    for (const WindowView& view : views)
        types.push_back(view.type);
    return types;
}

const WindowView& shown_view(const Ui& ui) {
    return *std::find_if(ui.views.begin(), ui.views.end(), [&](const WindowView& view) {
        return view.type == &ui.session.shown_type();
    });
}

}  // namespace lab::gui
