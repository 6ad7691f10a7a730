#include "session/shell/pointed.h"

#include <utility>

#include "session/shell/session.h"

namespace lab::session {

void Pointed::end_frame(const Session& session) {
    std::string next = std::exchange(next_, {});
    const View& view = session.shown();
    const std::uint64_t version = view.links_version();
    const std::size_t position = session.walk().position();
    if (next == name_ && view_ == &view && version_ == version && position_ == position) return;
    name_ = std::move(next);
    view_ = &view;
    version_ = version;
    position_ = position;
    linked_.clear();
    const analysis::Referent referent = analysis::referent_of(name_);
    if (referent.kind != analysis::Referent::Kind::none) linked_ = view.linked(referent);
}

}  // namespace lab::session
