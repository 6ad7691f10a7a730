// Exporting what a view shows: where to, in which format, and again by one key.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace lab::session {

class Session;

// The suffixes that the view in force can be exported in, the usual one first; none: it cannot.
std::span<const char* const> export_suffixes(const Session& session);

// What is asked for first: the last folder and format of this view, under a name that says what is
// shown, or the name that was given last; always a file that does not exist yet. Throws Problem if
// there is no folder. `suffix`: another format than the last one.
std::filesystem::path suggested_export(const Session& session, const std::string& suffix = {});

// Writes what is shown, under the next free name where `file` exists already. Says where it is, and
// remembers it for the next time. Throws Problem, and nothing is written.
void export_to(Session& session, const std::filesystem::path& file);

// As last time in this view; where there was none, asks.
void export_again(Session& session);

}  // namespace lab::session
