// A view that no file of the app knows: it counts. That it works shows that a view is one entry.
#pragma once

#include "gui/ui.h"
#include "session/view.h"

namespace lab {

class CounterView : public session::View, public session::Walk {
  public:
    using View::View;

    std::size_t count = 0;
    std::size_t choices = 0;  // how often another kernel was chosen

    std::size_t position() const override { return count; }
    std::size_t last_position() const override { return 9; }
    void go_to(std::size_t position) override { count = position; }
    using View::walk;
    const Walk* walk() const override { return this; }
    void choice_changed() override { ++choices; }
    session::ExportOffer export_offer() const override;
};

extern const session::ViewType kCounterView;
extern const gui::WindowView kCounterWindow;

}  // namespace lab
