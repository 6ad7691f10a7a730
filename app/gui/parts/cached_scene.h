// A panel's figure, laid out again only when something that it shows has changed.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "figures/scene/scene.h"
#include "gui/shell/ui.h"

namespace lab::gui {

class CachedScene {
  public:
    // `key`: all that the figure depends on besides language, theme and text size; `lay_out`
    // returns a figures::Scene.
    template <typename LayOut>
    const figures::Scene& get(const Ui& ui, const std::string& key, LayOut&& lay_out) {
        std::string whole = fmt::format("{}|{}|{}", key, ui.tr().language(), ui.palette.name);
        if (!scene_ || whole != key_) {
            scene_ = lay_out();
            key_ = std::move(whole);
        }
        return *scene_;
    }

  private:
    std::string key_;
    std::optional<figures::Scene> scene_;
};

}  // namespace lab::gui
