// Passed to every panel: the session it shows, ways to change it, the look, and the panel's own
// state.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "figures/figure_page.h"
#include "figures/font.h"
#include "figures/scene.h"
#include "session/session.h"
namespace lab::gui {

using figures::Face;
using figures::Role;
using fmt::arg;  // of texts: ui.tr()(key, arg("n", n))

// The typefaces on screen: the same files as in exported figures, sharp at every scale.

inline constexpr float kTextSize = 14, kSmallSize = 12.5F, kTitleSize = 18;  // points

// A memory-mapped file: the fallback font has 20 MB, of which little is needed.
class MappedFile {
  public:
    explicit MappedFile(const std::filesystem::path& path);  // throws Problem
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&&) = delete;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    void* data() const { return data_; }
    std::size_t size() const { return size_; }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

// Needs a current ImGui context, and must outlive its last frame.
class ScreenFonts {
  public:
    explicit ScreenFonts(const figures::Fonts& metrics);

    ImFont* font(Face face) const { return fonts_[static_cast<std::size_t>(face)]; }
    // ImGui counts a font's size from ascent to descent; the size that gives an em of `size`.
    float imgui_size(Face face, float size) const {
        return size * heights_[static_cast<std::size_t>(face)];
    }

  private:
    std::vector<MappedFile> files_;
    std::array<ImFont*, 3> fonts_{};
    std::array<float, 3> heights_{};
};

// How the controls look, from a palette and a scale.

void set_style(const figures::Palette& palette, const ScreenFonts& fonts, float scale);

class Ui;

struct Area {
    ImVec2 at, size;  // pixels

    ImVec2 end() const { return {at.x + size.x, at.y + size.y}; }
    bool has(ImVec2 point) const {
        return point.x >= at.x && point.y >= at.y && point.x < end().x && point.y < end().y;
    }
};

// Where a panel lies. In a narrow window the right column goes first, then the left one.
enum class Place {
    left,         // the list of kernels
    left_form,    // wider, and there in any window
    centre,       // between the columns, above `bottom`
    bottom,       // below the centre
    right,        // the right column
    right_below,  // its lower part, where there is one
    whole,        // all that is beside the left column
};

struct Panel {
    const char* id;
    Place place;
    void (*draw)(Ui& ui, const Area& area);
};

// A view of the window: the session's view type, its panels, and its export. views/shell/layout.cpp
// has the table of all; to add a view, add an entry there.
struct WindowView {
    const session::ViewType* type;
    std::span<const Panel> panels;
    // Writes what is shown; `suffix`, in small letters, is one that the view offers. Throws
    // Problem.
    void (*save)(Ui& ui, const std::filesystem::path& file, const std::string& suffix) = nullptr;
    // Returns what is shown now as one of several slides.
    figures::Slide (*slide)(Ui& ui) = nullptr;
    // Draws its picture and sentence alone, in large letters, in the room of a child window; and
    // the commands that are named below them, each by its text "present.ID".
    void (*present)(Ui& ui) = nullptr;
    std::span<const char* const> present_keys{};
    // True if it wants the width of the right column, too, as in a narrow window.
    bool (*wants_width)(const Ui& ui) = nullptr;

    bool has(Place place) const;
};

std::vector<const session::ViewType*> types_of(std::span<const WindowView> views);
const WindowView& shown_view(const Ui& ui);

// The state of panels between frames: half-typed texts, laid-out pictures. Each panel has a type
// for it, created on first use.
class PanelStates {
  public:
    template <typename State>
    State& get() {
        std::shared_ptr<void>& state = states_[typeid(State)];
        if (!state) state = std::make_shared<State>();
        return *static_cast<State*>(state.get());
    }

  private:
    std::unordered_map<std::type_index, std::shared_ptr<void>> states_;
};

class Ui {
  public:
    Ui(session::Session& shown, std::span<const WindowView> window_views, PanelStates& states,
       const figures::Palette& colours, const figures::Fonts& text_metrics,
       const ScreenFonts& screen_fonts, float pixels_a_point)
        : session(shown),
          views(window_views),
          palette(colours),
          metrics(text_metrics),
          fonts(screen_fonts),
          scale(pixels_a_point),
          changed_(&shown),
          states_(&states) {}

    const session::Session& session;
    const std::span<const WindowView> views;
    const figures::Palette& palette;
    const figures::Fonts& metrics;
    const ScreenFonts& fonts;
    const float scale;  // pixels a point

    // Changing the session: a command, or what only a control of a panel can do.
    bool run(const session::Command& command) const { return changed_->run(command); }
    bool run(std::string_view command) const { return changed_->run(command); }
    session::Session& change() const { return *changed_; }
    template <typename V>
    V& change() const {
        return changed_->view<V>();
    }

    template <typename V>
    const V& view() const {
        return session.view<V>();
    }
    template <typename State>
    State& state() const {
        return states_->get<State>();
    }
    Ui smaller(float part) const {
        return {*changed_, views, *states_, palette, metrics, fonts, scale * part};
    }

    void copy(const std::string& text) const {  // which is said
        session.copy(text);
        changed_->notices.say(tr()("toast.copied"));
    }
    const session::RunChoice& choice() const { return session.settings().choice; }
    const Translations& tr() const { return session.words(); }
    float px(float points) const { return points * scale; }
    // The window's size in points: what fits into it, whatever its pixels.
    ImVec2 window() const {
        const ImVec2 size = ImGui::GetMainViewport()->Size;
        return {size.x / scale, size.y / scale};
    }
    bool phone() const { return window().x < 480; }  // held upright
    // The diagram is the last to give way. First the list of kernels becomes a button, and the
    // controls are shown on demand; in a narrow window what stands beside the diagram takes turns
    // with it; in a low one the rest is made as flat as it can be. Presenting, nothing of that is
    // there. A larger scale takes its room from the list and the controls first; `part`: of the
    // window's scale, that this one is.
    bool folds_list(float part = 1) const {
        return window().x < std::min(1400 * std::max(session.scale() * part, 1.0F), 1900.0F);
    }
    bool folds_controls(float part = 1) const {
        return window().y < std::min(780 * std::max(session.scale() * part, 1.0F), 1000.0F);
    }
    bool narrow() const;  // or the view on screen wants all of the width
    bool low() const { return window().y < 560 && !session.presenting; }
    ImVec4 colour4(Role role) const {
        const figures::Colour& rgba = palette[role];
        return {rgba.r, rgba.g, rgba.b, rgba.a};
    }
    ImU32 colour(Role role, float opacity = 1) const {
        ImVec4 rgba = colour4(role);
        rgba.w *= opacity;
        return ImGui::ColorConvertFloat4ToU32(rgba);
    }

  private:
    session::Session* changed_;
    PanelStates* states_;
};

// Until the end of the scope, text has this face, size (points) and colour.
class TextStyle {
  public:
    TextStyle(const Ui& ui, Face face, float size, Role role = Role::text) {
        ImGui::PushFont(ui.fonts.font(face), ui.fonts.imgui_size(face, size));
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(role));
    }
    ~TextStyle() {
        ImGui::PopStyleColor();
        ImGui::PopFont();
    }
    TextStyle(const TextStyle&) = delete;
    TextStyle& operator=(const TextStyle&) = delete;
};

}  // namespace lab::gui
