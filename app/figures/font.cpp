#include "figures/font.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <ft2build.h>

#include "base/paths.h"
#include "base/problem.h"
#include "base/text.h"

#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_TRUETYPE_TABLES_H

namespace lab::figures {
namespace {

constexpr std::size_t kFiles = static_cast<std::size_t>(FontFile::count_);
constexpr char32_t kReplacementGlyph = 0xFFFD;

struct FileInfo {
    const char* stem;
    const char* family;   // to be found in a collection of several faces
    const char* package;  // of Debian
};
constexpr std::array<FileInfo, kFiles> kFileInfo{
    {{"sans", "Inter", "fonts-inter"},
     {"bold", "Inter", "fonts-inter"},
     {"mono", "JetBrains Mono", "fonts-jetbrains-mono"},
     {"cjk", "Noto Sans CJK SC", "fonts-noto-cjk"}}};

const FileInfo& info(FontFile file) {
    return kFileInfo[static_cast<std::size_t>(file)];
}

Problem font_problem(FontFile file, std::string what, std::string where) {
    return {fmt::format("The font '{}' {}", info(file).stem, std::move(what)),
            "Figures are drawn with fonts of their own, to look the same everywhere",
            fmt::format("Install {} ({} in Debian), then build or install this program again",
                        info(file).family, info(file).package),
            std::move(where)};
}

FontFile file_of(Face face) {
    return static_cast<FontFile>(face);
}

// What a control character would do has no place in a line of text.
char32_t printable(char32_t code) {
    if (code == '\t' || code == '\n' || code == '\r') return ' ';
    return code < 0x20 || (code >= 0x7F && code < 0xA0) ? kReplacementGlyph : code;
}

}  // namespace

fs::path font_path(FontFile file) {
    const fs::path folder = data_folder() / "fonts";
    for (const char* suffix : {".otf", ".ttf", ".ttc"}) {
        fs::path path = folder / fmt::format("{}{}", info(file).stem, suffix);
        if (fs::exists(path)) return path;
    }
    throw font_problem(file, "is missing", folder.string());
}

struct Fonts::Faces {
    struct Metrics {
        float ascent = 0, descent = 0, cap_height = 0;  // of an em
    };
    struct Loaded {
        FT_Face face = nullptr;
        Metrics metrics;
        std::array<FT_UInt, 128> ascii_glyph{};
        std::array<float, 128> ascii_advance{};  // of an em
    };

    FT_Library library = nullptr;
    std::array<Loaded, kFiles> files;

    Faces() = default;
    Faces(const Faces&) = delete;
    Faces& operator=(const Faces&) = delete;
    ~Faces() {
        for (const Loaded& file : files)
            if (file.face != nullptr) FT_Done_Face(file.face);
        if (library != nullptr) FT_Done_FreeType(library);
    }

    void load(FontFile file);

    const Loaded& operator[](FontFile file) const { return files[static_cast<std::size_t>(file)]; }

    static float advance(const Loaded& in, FT_UInt glyph) {
        FT_Fixed units = 0;
        FT_Get_Advance(in.face, glyph, FT_LOAD_NO_SCALE, &units);
        return static_cast<float>(units) / static_cast<float>(in.face->units_per_EM);
    }

    struct Found {
        FontFile file;
        FT_UInt glyph;
        char32_t code;
        float advance;  // of an em
    };
    // The glyph in `first`, else in cjk, else the sign for a character that cannot be shown.
    Found find(char32_t code, FontFile first) const {
        if (code < 128) {
            const Loaded& loaded = (*this)[first];
            return {first, loaded.ascii_glyph[code], code, loaded.ascii_advance[code]};
        }
        for (const char32_t tried : {code, kReplacementGlyph})
            for (const FontFile file : {first, FontFile::cjk})
                if (const FT_UInt glyph = FT_Get_Char_Index((*this)[file].face, tried))
                    return {file, glyph, tried, advance((*this)[file], glyph)};
        return {first, 0, kReplacementGlyph, advance((*this)[first], 0)};
    }
};

void Fonts::Faces::load(FontFile file) {
    const fs::path path = font_path(file);
    Loaded& loaded = files[static_cast<std::size_t>(file)];
    // A collection holds a face a language; its number of faces is known once one is open.
    FT_Long count = 1;
    for (FT_Long index = 0; index < count; ++index) {
        FT_Face face = nullptr;
        if (FT_New_Face(library, path.c_str(), index, &face) != 0)
            throw font_problem(file, "cannot be read", path.string());
        count = face->num_faces;
        const bool wanted =
            std::string_view(face->family_name != nullptr ? face->family_name : "") ==
            info(file).family;
        if (loaded.face != nullptr && !wanted) {
            FT_Done_Face(face);
            continue;
        }
        if (loaded.face != nullptr) FT_Done_Face(loaded.face);
        loaded.face = face;
        if (wanted) break;
    }
    if (!FT_IS_SCALABLE(loaded.face)) throw font_problem(file, "has no outlines", path.string());

    const auto em = static_cast<float>(loaded.face->units_per_EM);
    loaded.metrics = {static_cast<float>(loaded.face->ascender) / em,
                      -static_cast<float>(loaded.face->descender) / em, 0.7F};
    const void* table = FT_Get_Sfnt_Table(loaded.face, FT_SFNT_OS2);
    if (const auto* os2 = static_cast<const TT_OS2*>(table);
        os2 != nullptr && os2->version >= 2 && os2->sCapHeight > 0)
        loaded.metrics.cap_height = static_cast<float>(os2->sCapHeight) / em;
    for (FT_ULong code = 0; code < 128; ++code) {
        loaded.ascii_glyph[code] = FT_Get_Char_Index(loaded.face, printable(char32_t(code)));
        loaded.ascii_advance[code] = advance(loaded, loaded.ascii_glyph[code]);
    }
}

Fonts::Fonts() {
    const auto faces = std::make_shared<Faces>();
    if (FT_Init_FreeType(&faces->library) != 0)
        throw Problem("The font library FreeType did not start", "", "Free some memory");
    for (std::size_t file = 0; file < kFiles; ++file)
        faces->load(static_cast<FontFile>(file));
    faces_ = faces;
}

float Fonts::text_width(std::string_view text, float size, Face face) const {
    float ems = 0;
    for (const char32_t code : decode_utf8(text))
        ems += faces_->find(printable(code), file_of(face)).advance;
    return ems * size;
}

std::vector<GlyphRun> Fonts::shape(std::string_view text, float size, Face face) const {
    std::vector<GlyphRun> runs;
    float ems = 0;
    for (const char32_t code : decode_utf8(text)) {
        const auto found = faces_->find(printable(code), file_of(face));
        if (runs.empty() || runs.back().file != found.file) runs.push_back({found.file, {}, {}});
        GlyphRun& run = runs.back();
        const std::size_t before = run.text.size();
        append_utf8(run.text, found.code);
        run.glyphs.push_back({found.glyph, ems * size, run.text.size() - before});
        ems += found.advance;
    }
    return runs;
}

float Fonts::ascent(float size, Face face) const {
    return (*faces_)[file_of(face)].metrics.ascent * size;
}
float Fonts::descent(float size, Face face) const {
    return (*faces_)[file_of(face)].metrics.descent * size;
}
float Fonts::cap_height(float size, Face face) const {
    return (*faces_)[file_of(face)].metrics.cap_height * size;
}

Text Fonts::line_at(Point point, std::string words, float size, Face face, Role role,
                    Anchor anchor) const {
    const float baseline = point.y + cap_height(size, face) / 2;
    return {point.x, baseline, std::move(words), size, face, role, anchor};
}

Box Fonts::bounds(const Text& text) const {
    const float width = text_width(text.text, text.size, text.face);
    const float before = text.anchor == Anchor::start    ? 0
                         : text.anchor == Anchor::middle ? width / 2
                                                         : width;
    return {text.x - before, text.y - ascent(text.size, text.face), text.x - before + width,
            text.y + descent(text.size, text.face)};
}

std::string Fonts::shortened(const std::string& text, float width, float size, Face face) const {
    if (text_width(text, size, face) <= width) return text;
    const float room = width - text_width("…", size, face);
    std::string kept;
    float used = 0;
    for (const char32_t code : decode_utf8(text)) {
        used += faces_->find(printable(code), file_of(face)).advance * size;
        if (used > room) break;
        append_utf8(kept, code);
    }
    return kept + "…";
}

// The exponent without its plus sign and its leading zeros.
static std::string short_exponent(std::string text) {
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    const bool below = text[e + 1] == '-';
    const std::size_t digits = text.find_first_not_of('0', e + 2);
    return text.substr(0, e) + (below ? "e-" : "e") + text.substr(digits);
}

// "1.5e9" of 1500000000 in two digits, "0.13" of 0.125; the shorter of the two forms.
static std::string in_digits(long double value, int digits) {
    std::string plain = short_exponent(fmt::format("{:.{}g}", value, digits));
    std::string text = fmt::format("{:.{}e}", value, digits - 1);
    const std::size_t e = text.find('e');
    std::string front = text.substr(0, e);
    if (front.find('.') != std::string::npos) {
        front.erase(front.find_last_not_of('0') + 1);
        if (front.back() == '.') front.pop_back();
    }
    if (text.find_first_not_of('0', e + 2) == std::string::npos) return plain;  // e+00
    text = short_exponent(front + text.substr(e));
    return text.size() < plain.size() ? text : plain;
}

std::string Fonts::shortened_value(const std::string& text, float width, float size,
                                   Face face) const {
    if (text_width(text, size, face) <= width) return text;
    char* end = nullptr;
    const long double value = std::strtold(text.c_str(), &end);
    if (text.empty() || *end != 0 || !std::isfinite(value))
        return shortened(text, width, size, face);
    for (int digits = 17; digits > 0; --digits) {
        std::string some = in_digits(value, digits);
        if (std::strtold(some.c_str(), nullptr) != value) some.insert(0, "≈");
        if (text_width(some, size, face) <= width) return some;
    }
    return shortened(text, width, size, face);
}

std::shared_ptr<FT_FaceRec_> Fonts::handle(FontFile file) const {
    return {faces_, (*faces_)[file].face};
}

}  // namespace lab::figures
