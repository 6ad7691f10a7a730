#include "figures/painters/save.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include "base/text.h"
#include "figures/scene.h"

namespace lab::figures {
namespace {

struct FontNames {
    const char* family;
    int weight;
};
// In the order of Face.
constexpr std::array<FontNames, 3> kFonts{
    {{"Inter, 'Noto Sans CJK SC', sans-serif", 400},
     {"Inter, 'Noto Sans CJK SC', sans-serif", 600},
     {"'JetBrains Mono', 'Noto Sans CJK SC', monospace", 400}}};
constexpr std::array<const char*, 3> kAnchors{"start", "middle", "end"};  // in the order of Anchor

// At most two decimals, and none that say nothing.
std::string number(float value) {
    if (!std::isfinite(value)) return "0";
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char32_t code : decode_utf8(text)) {
        switch (code) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\t':
            case '\n':
            case '\r':
                out += ' ';
                break;
            // XML 1.0 has no way to write the other control characters and these two.
            case 0xFFFE:
            case 0xFFFF:
                append_utf8(out, 0xFFFD);
                break;
            default:
                append_utf8(out, code < 0x20 ? 0xFFFD : code);
        }
    }
    return out;
}

// The same of what may have several lines, as the tips that browsers show may.
std::string escaped_lines(std::string_view text) {
    std::string out;
    for (const std::string_view line : text_lines(text))
        out += escaped(line) + '\n';
    out.pop_back();
    return out;
}

std::string hex(const Colour& colour) {
    const auto part = [](float value) {
        return static_cast<int>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", part(colour.r), part(colour.g), part(colour.b));
}

class SvgWriter {
  public:
    explicit SvgWriter(const Palette& palette) : palette_(palette) {}

    void paint(const Shape& shape) {
        std::visit([this, &shape](const auto& what) { paint(what, shape.tip); }, shape.what);
    }

    std::string body;
    std::set<Role> hatches;

  private:
    template <typename... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(body), format, std::forward<Args>(args)...);
    }

    std::string fill(Role role) const {
        return fmt::format(R"( fill="{}")", role == Role::none ? "none" : hex(palette_[role]));
    }

    std::string stroke(const Stroke& stroke) const {
        if (stroke.role == Role::none) return {};
        const float width = stroke.width * palette_.stroke_scale;
        std::string out = fmt::format(R"( stroke="{}" stroke-width="{}")",
                                      hex(palette_[stroke.role]), number(width));
        const auto [dash, gap] = dash_lengths(stroke.dash, width);
        if (stroke.dash != Dash::solid)
            out += fmt::format(R"( stroke-dasharray="{} {}" stroke-linecap="round")", number(dash),
                               number(gap));
        return out;
    }

    // Ends the element `name`, whose start tag is still open.
    void close(const char* name, const std::string& content, const std::string& tip) {
        const std::string title =
            tip.empty() ? "" : fmt::format("<title>{}</title>", escaped_lines(tip));
        if (content.empty() && title.empty()) {
            body += "/>\n";
        } else {
            put(">{}{}</{}>\n", title, content, name);
        }
    }

    void box(const Rect& rect, const std::string& paint) {
        put(R"(<rect x="{}" y="{}" width="{}" height="{}")", number(rect.x), number(rect.y),
            number(std::max(rect.width, 0.0F)), number(std::max(rect.height, 0.0F)));
        if (rect.radius > 0) put(R"( rx="{}")", number(rect.radius));
        body += paint;
    }

    void paint(const Rect& rect, const std::string& tip) {
        if (rect.hatch) {
            hatches.insert(rect.stroke.role);
            box(rect, fill(rect.fill));
            close("rect", "", "");
            box(rect, fmt::format(" fill=\"url(#hatch-{})\"{}", name_of(rect.stroke.role),
                                  stroke(rect.stroke)));
        } else {
            box(rect, fill(rect.fill) + stroke(rect.stroke));
            // What is not painted is felt by the mouse only if it is asked to be.
            if (rect.fill == Role::none && !tip.empty()) body += R"( pointer-events="all")";
        }
        close("rect", "", tip);
    }

    void paint(const Path& path, const std::string& tip) {
        if (path.points.empty()) return;
        body += R"(<path d=")";
        for (std::size_t i = 0; i < path.points.size(); ++i) {
            const char* command = i == 0 ? "M" : " ";
            if (i == 1) command = path.curved ? "C" : "L";
            put("{}{} {}", command, number(path.points[i].x), number(path.points[i].y));
        }
        put(R"({}"{}{})", path.closed ? "Z" : "", fill(path.fill), stroke(path.stroke));
        if (path.opacity < 1 && path.fill != Role::none)
            put(R"( fill-opacity="{}")", number(std::max(path.opacity, 0.0F)));
        if (path.stroke.role != Role::none) {
            if (path.stroke.dash == Dash::solid) body += R"( stroke-linecap="round")";
            body += R"( stroke-linejoin="round")";
        }
        close("path", "", tip);
    }

    void paint(const Text& text, const std::string& tip) {
        const FontNames& font = kFonts[static_cast<std::size_t>(text.face)];
        put(R"(<text x="{}" y="{}" font-family="{}" font-size="{}")", number(text.x),
            number(text.y), font.family, number(text.size));
        if (font.weight != 400) put(R"( font-weight="{}")", font.weight);
        if (text.face == Face::mono) body += R"( font-variant-ligatures="none")";
        if (text.anchor != Anchor::start)
            put(R"( text-anchor="{}")", kAnchors[static_cast<std::size_t>(text.anchor)]);
        if (text.text.find("  ") != std::string::npos) body += R"( xml:space="preserve")";
        if (tip.empty())
            body += R"( pointer-events="none")";  // the tip is that of what lies under it
        body += fill(text.role);
        close("text", escaped(text.text), tip);
    }

    const Palette& palette_;
};

std::string hatch_pattern(Role role, const Palette& palette) {
    return fmt::format(
        R"(<pattern id="hatch-{}" width="{}" height="{}" patternUnits="userSpaceOnUse" )"
        "patternTransform=\"rotate(45)\"><path d=\"M0 0V{}\" stroke=\"{}\" stroke-width=\"{}\" "
        R"(stroke-opacity="{}"/></pattern>)",
        name_of(role), number(kHatchSpacing), number(kHatchSpacing), number(kHatchSpacing),
        hex(palette[role]), number(2 * kHatchWidth * palette.stroke_scale), number(kHatchOpacity));
}

// The frame around what is painted: `about` gives title and description.
std::string document(const Scene& about, float width, float height, const std::set<Role>& hatches,
                     const std::string& body, const Palette& palette) {
    std::string out = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" )"
        "height=\"{1}\" role=\"img\" aria-labelledby=\"figure-title figure-description\">\n"
        "<title id=\"figure-title\">{2}</title>\n<desc id=\"figure-description\">{3}</desc>\n",
        number(width), number(height), escaped(about.title), escaped(about.description));
    if (!hatches.empty()) {
        out += "<defs>";
        for (const Role role : hatches)
            out += hatch_pattern(role, palette);
        out += "</defs>\n";
    }
    out += fmt::format("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
                       hex(palette[Role::panel]));
    return out + body + "</svg>\n";
}

}  // namespace

std::string svg(const Scene& scene, const Palette& palette) {
    SvgWriter painter(palette);
    for (const Shape& shape : scene.shapes)
        painter.paint(shape);
    return document(scene, scene.width, scene.height, painter.hatches, painter.body, palette);
}

std::string animated_svg(std::span<const Scene> scenes, const Palette& palette, double seconds) {
    if (scenes.empty()) return svg({}, palette);
    SvgWriter painter(palette);
    float width = 0, height = 0;
    const auto count = static_cast<double>(scenes.size());
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Scene& scene = scenes[i];
        width = std::max(width, scene.width);
        height = std::max(height, scene.height);
        const bool last = i + 1 == scenes.size();
        painter.body += fmt::format("<g visibility=\"{}\">\n", last ? "visible" : "hidden");
        if (scenes.size() > 1) {
            const auto place = static_cast<double>(i);
            painter.body += fmt::format(
                R"(<animate attributeName="visibility" calcMode="discrete" )"
                "values=\"{}visible{}\" keyTimes=\"{}{:.6g}{}\" dur=\"{:g}s\" "
                "repeatCount=\"indefinite\"/>\n",
                i > 0 ? "hidden;" : "", last ? "" : ";hidden", i > 0 ? "0;" : "", place / count,
                last ? "" : fmt::format(";{:.6g}", (place + 1) / count), seconds * count);
        }
        for (const Shape& shape : scene.shapes)
            painter.paint(shape);
        painter.body += "</g>\n";
    }
    return document(scenes.back(), width, height, painter.hatches, painter.body, palette);
}

}  // namespace lab::figures
