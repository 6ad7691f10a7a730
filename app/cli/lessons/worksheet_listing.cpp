// A kernel's lines on paper.
#include <fmt/format.h>

#include <algorithm>

#include "catalogue/header.h"
#include "catalogue/plan.h"
#include "cli/lessons/worksheet.h"
#include "lang/text/compile.h"

namespace lab::cli {

using figures::Face;
using figures::kSheetRoom;
using figures::Role;

namespace {

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines{""};
    for (const char c : text) {
        if (c == '\n')
            lines.emplace_back();
        else if (c == '\t')
            lines.back() += "    ";
        else
            lines.back() += c;
    }
    return lines;
}

}  // namespace

Listing listing_of(const std::string& text) {
    Listing listing;
    listing.text = text;
    const std::string_view header = lessons::header_of(text);
    listing.first = 1 + static_cast<std::size_t>(std::count(header.begin(), header.end(), '\n'));
    const std::vector<std::string> lines = lines_in(text);
    listing.last = lines.size();
    const auto blank = [&](std::size_t line) {
        return catalogue::trimmed(lines[line - 1]).empty();
    };
    while (listing.last > listing.first && blank(listing.last))
        --listing.last;
    while (listing.first < listing.last && blank(listing.first))
        ++listing.first;
    return listing;
}

void to_whole_statements(Listing& listing) {
    constexpr std::size_t kMost = 4;  // lines more at either end
    const std::vector<std::string> lines = lines_in(listing.text);
    const Listing whole = listing_of(listing.text);
    const auto ends_one = [&](std::size_t line) {
        std::string_view code = catalogue::trimmed(lines[line - 1]);
        code = catalogue::trimmed(code.substr(0, code.find("//")));
        return code.empty() || code.front() == '#' || code.ends_with("*/") ||
               std::string_view(";{}:").find(code.back()) != std::string_view::npos;
    };
    for (std::size_t more = 0; more < kMost && listing.last < whole.last && !ends_one(listing.last);
         ++more)
        ++listing.last;
    for (std::size_t more = 0;
         more < kMost && listing.first > whole.first && !ends_one(listing.first - 1); ++more)
        --listing.first;
}

Listing listing_of(const lessons::Show& show, const lessons::Library& library) {
    Listing listing = listing_of(lessons::text_of(show, library));
    const simulation::Subject subject = lessons::subject_of(show, library);
    if (!subject.variant) return listing;
    const catalogue::KernelText text = kernel_text(*subject.variant, show.shape);
    listing.left_out = lang::left_out_lines({text.file, text.text, text.macros});
    const auto toggles = toggle_settings(*subject.variant, show.shape);
    const std::vector<std::string> lines = lines_in(listing.text);
    for (std::uint32_t line = 1; line <= lines.size(); ++line) {
        const std::string_view code = catalogue::trimmed(lines[line - 1]);
        for (const auto& [name, value] : toggles)
            if (code.starts_with("#if") && code.find(name) != std::string_view::npos &&
                code.find("//") == std::string_view::npos)
                listing.remarks[line] = fmt::format("  // {} = {}", name, value);
    }
    return listing;
}

void add_listing(SheetBlock& block, const Listing& listing) {
    const std::vector<std::string> lines = lines_in(listing.text);
    const std::size_t last = std::min(listing.last, lines.size());
    constexpr float kNumbers = 26, kInside = 7;
    float size = 8.4F, widest = 0;
    for (std::size_t line = listing.first; line <= last; ++line)
        widest = std::max(widest, block.width(lines[line - 1], size, Face::mono));
    const float room = kSheetRoom - kNumbers - 2 * kInside;
    if (widest > room) size *= room / widest;
    const float leading = listing.roomy ? size * 2 : size * 1.42F;
    const float top = block.y;
    const float height = leading * static_cast<float>(last + 1 - listing.first) + 2 * kInside;
    figures::Rect area{0, top, kSheetRoom, height, 4, Role::background, {}, false};
    area.stroke = {Role::border, 0.6F, figures::Dash::solid};
    block.scene.add(area);
    float y = top + kInside;
    for (std::size_t line = listing.first; line <= last; ++line, y += leading) {
        const bool answer = listing.answers.contains(line);
        const bool marked = std::any_of(
            listing.marked.begin(), listing.marked.end(),
            [&](const auto& range) { return range.first <= line && line <= range.second; });
        if (answer || marked) {
            block.scene.add(figures::Rect{0.5F,
                                          y,
                                          kSheetRoom - 1,
                                          leading,
                                          0,
                                          answer ? Role::wrote_fill : Role::act_fill,
                                          {},
                                          false});
            block.scene.add(figures::Rect{
                0.5F, y, 2.4F, leading, 0, answer ? Role::wrote : Role::act, {}, false});
        }
        const float baseline = y + leading / 2 + size * 0.36F;
        const std::string number = fmt::format("{}", line);
        block.text(kInside + 14 - block.width(number, size * 0.86F, Face::mono), baseline, number,
                   size * 0.86F, Face::mono, answer ? Role::wrote : Role::muted);
        std::string code = lines[line - 1];
        if (const auto remark = listing.remarks.find(static_cast<std::uint32_t>(line));
            remark != listing.remarks.end())
            code += remark->second;
        const bool left_out = listing.left_out.contains(static_cast<std::uint32_t>(line));
        const auto comment = code.find("//");
        const float x = kInside + kNumbers;
        const float behind = block.text(x, baseline, code.substr(0, comment), size, Face::mono,
                                        left_out ? Role::idle : Role::text);
        if (left_out) {
            const auto blanks = std::min(code.find_first_not_of(' '), code.size());
            const float begin = x + block.width(code.substr(0, blanks), size, Face::mono);
            block.rule(begin, behind, y + leading / 2, Role::muted, 0.6F);
        }
        if (comment != std::string::npos)
            block.text(behind, baseline, code.substr(comment), size, Face::mono, Role::muted);
    }
    block.y = top + height;
}

std::set<std::uint64_t> changed_lines(const std::string& before, const std::string& text) {
    const auto lines = [](const std::string& all) {
        std::vector<std::string> result{""};
        for (const char c : all)
            if (c == '\n')
                result.emplace_back();
            else if (c != ' ' && c != '\t')
                result.back() += c;
        return result;
    };
    const std::vector<std::string> a = lines(before), b = lines(text);
    std::vector<std::vector<std::size_t>> same(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t k = b.size(); k-- > 0;)
            same[i][k] =
                a[i] == b[k] ? same[i + 1][k + 1] + 1 : std::max(same[i + 1][k], same[i][k + 1]);
    std::set<std::uint64_t> changed;
    std::size_t i = 0;
    for (std::size_t k = 0; k < b.size();) {
        if (i < a.size() && a[i] == b[k]) {
            ++i;
            ++k;
        } else if (i < a.size() && same[i + 1][k] >= same[i][k + 1]) {
            ++i;
        } else {
            changed.insert(++k);
        }
    }
    return changed;
}

}  // namespace lab::cli
