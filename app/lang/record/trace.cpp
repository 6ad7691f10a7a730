#include "lang/record/trace.h"

#include <algorithm>

#include "lang/code/value.h"

namespace lab::lang {
namespace {

namespace word = trace_words;

std::uint64_t wide(std::span<const std::uint32_t> words, std::size_t at) {
    return words[at] | std::uint64_t{words[at + 1]} << 32U;
}

class Reader {
  public:
    Reader(const RecordedText& text, std::span<const std::uint32_t> words,
           std::span<const std::uint64_t> bytes, std::uint32_t local)
        : text_(text), words_(words), bytes_(bytes) {
        made_.local = local;
    }

    RecordedLaunch read() {
        const std::uint32_t count = std::min(words_[word::kTickets], words_[word::kCapacity]);
        for (std::uint32_t ticket = 0; ticket < count;) {
            const auto entry =
                words_.subspan(words_[word::kEntries] + std::size_t{ticket} * word::kEntry);
            const Site& site = text_.sites.at(entry[word::kSite]);
            if (ticket + site.count > count) break;
            RecordedAccess access;
            access.begin = ticket;
            access.end = entry[word::kEnd];
            access.item = entry[word::kItem];
            access.site = entry[word::kSite];
            access.first = static_cast<std::uint32_t>(made_.elements.size());
            if (site.kind != Site::Kind::barrier) place(access, site, wide(entry, word::kAddress));
            for (std::uint32_t i = 0; i < site.count; ++i) {
                const auto each = entry.subspan(std::size_t{i} * word::kEntry);
                made_.elements.push_back({canonical(site.type, wide(each, word::kBefore)),
                                          canonical(site.type, wide(each, word::kAfter))});
            }
            made_.accesses.push_back(access);
            ticket += site.count;
        }
        return std::move(made_);
    }

  private:
    void place(RecordedAccess& access, const Site& site, std::uint64_t address) const {
        const std::size_t locals = text_.objects.size() - text_.globals;
        const std::size_t group = access.item / made_.local;
        for (std::size_t i = 0; i < text_.objects.size(); ++i) {
            if (text_.objects[i].space != site.space) continue;
            const std::size_t number = i < text_.globals ? i : i + group * locals;
            const std::uint64_t base = wide(words_, word::kBases + 2 * number);
            if (address < base || address - base >= bytes_[i]) continue;
            access.object = static_cast<std::int32_t>(i);
            access.offset = address - base;
            return;
        }
    }

    const RecordedText& text_;
    std::span<const std::uint32_t> words_;
    std::span<const std::uint64_t> bytes_;
    RecordedLaunch made_;
};

}  // namespace

RecordedLaunch read_trace(const RecordedText& text, std::span<const std::uint32_t> words,
                          std::span<const std::uint64_t> bytes, std::uint32_t local) {
    return Reader(text, words, bytes, local).read();
}

}  // namespace lab::lang
