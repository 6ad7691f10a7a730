// Exports what a view shows: destination, format, and a repeat by one key.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::session {

class Session;

// The suffixes in which the current view can be exported here, the usual one first; may be empty.
std::vector<const char*> export_suffixes(const Session& session);

// Writes what is shown in that format, beside what was exported before. What fails is reported.
void export_also(Session& session, const std::string& suffix);

// The suggested file: the last folder and format of this view, with a name for what is shown or the
// name that was given last; always a file that does not exist yet. Throws Problem if
// there is no folder. `suffix`: another format than the last one.
std::filesystem::path suggested_export(const Session& session, const std::string& suffix = {});

// Writes what is shown, under the next free name if `file` exists. Reports the place, and remembers
// it for next time. If it throws Problem, nothing is written.
void export_to(Session& session, const std::filesystem::path& file);

// As last time in this view; the first time, asks.
void export_again(Session& session);

}  // namespace lab::session
