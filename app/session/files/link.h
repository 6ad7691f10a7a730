// A link that holds a moment: the address of the page for browsers, and in its fragment, which no
// server sees, what a .redlab file holds. "m=" and the JSON, deflated (RFC 1951), in base64url (RFC
// 4648) without padding.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "session/files/state_file.h"

namespace lab::session {

// Where the page is served on one's own computer, unless a link has told of another place.
inline constexpr const char* kLocalPage = "http://localhost:8017/";

// Whether a file's name or an argument is such a link, with or without the address before it.
bool looks_like_link(std::string_view text);
// The part before the fragment; empty if there is none.
std::string page_of_link(std::string_view link);

std::string fragment_of(const Session& session);
// Throws Problem if the link is damaged, holds more than a moment may, or one of a later version.
SavedState read_link(std::string_view link, std::span<const ViewType* const> views);

// Copies a link to what is on screen, and says so.
void copy_link(Session& session);

}  // namespace lab::session
