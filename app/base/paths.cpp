#include "base/paths.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <random>
#include <system_error>
#include <vector>

#include "base/child_process.h"
#include "base/platform.h"
#include "base/problem.h"
#include "base/text.h"

namespace lab {
namespace {

struct ErrorHint {
    int error;
    const char* hint;
};

constexpr std::array<ErrorHint, 11> kWriteHints{{
    {EACCES, "Choose a place that you may write to"},
    {EPERM, "Choose a place that you may write to"},
    {EROFS, "Choose a place that you may write to"},
    {ENOSPC, "Free some space, or choose another disk"},
    {EDQUOT, "Free some space, or choose another disk"},
    {EFBIG, "The system allows no file of this size here; choose another place"},
    {EISDIR, "Name a file inside that folder"},
    {ENOTDIR, "A part of the path is a file where a folder is needed; choose another path"},
    {EEXIST, "A part of the path is a file where a folder is needed; choose another path"},
    {ENAMETOOLONG, "Choose a shorter name"},
    {ELOOP, "The links on this path lead in a circle; choose another path"},
}};

Problem cannot_write(const fs::path& path, int error) {
    const char* hint = "Choose another place";
    for (const ErrorHint& entry : kWriteHints)
        if (entry.error == error) hint = entry.hint;
    return {fmt::format("'{}' could not be written", path.string()),
            std::generic_category().message(error), hint, path.string()};
}

Problem cannot_read(const fs::path& path, std::string why, std::string hint) {
    return {fmt::format("'{}' could not be read", path.string()), std::move(why), std::move(hint),
            path.string()};
}

Problem cannot_read(const fs::path& path, int error) {
    const char* hint = "Check the path";
    if (error == ENOENT) hint = "Check the name; there is no such file";
    if (error == EACCES) hint = "Ask its owner for the right to read it, or copy it";
    return cannot_read(path, std::generic_category().message(error), hint);
}

Problem too_large(const fs::path& path, std::size_t limit) {
    return cannot_read(path,
                       fmt::format("It is larger than {} bytes, the most accepted here", limit),
                       "Choose a smaller file; this may be the wrong one");
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
    return value == nullptr ? "" : value;
}

// The XDG rules: a relative path counts as not set.
fs::path user_folder(const char* set_by, const char* in_home) {
    fs::path folder = variable(set_by);
    if (!folder.is_absolute()) folder = home_folder() / in_home;
    return folder / "reduction-lab";
}

// 0, or the error.
int write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

// 0, or the error. Some file systems (and all devices) know no syncing: no reason to fail.
int sync(int file) {
    if (::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP) return 0;
    return errno;
}

// What `path` leads to; it need not exist.
fs::path follow_links(const fs::path& path) {
    fs::path target = path;
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
        if (links == 40) throw cannot_write(path, ELOOP);
        target = target.parent_path() / fs::read_symlink(target, error);
        if (error) throw cannot_write(path, error.value());
    }
    return target;
}

// A file that is removed unless it was put into its place.
class TemporaryFile {
  public:
    TemporaryFile(const fs::path& folder, const fs::path& target) : target_(target) {
        std::random_device random;
        do {
            path_ = folder / fmt::format(".reduction-lab-{:08x}.tmp", random());
            // Not mkstemp: a new file is to have the permissions that the user's umask gives.
            file_ = Descriptor(
                ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
        } while (!file_.open() && errno == EEXIST);
        if (!file_.open()) throw cannot_write(target, errno);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (!path_.empty()) ::unlink(path_.c_str());
    }

    void fill(std::string_view bytes) {
        int error = write_all(file_.number(), bytes);
        if (error == 0) error = sync(file_.number());
        if (error != 0) throw cannot_write(target_, error);
    }

    void take_permissions(const struct stat& old) {
        // Another's file stays another's where we may give it away; else it becomes ours.
        if (::fchown(file_.number(), old.st_uid, old.st_gid) != 0) errno = 0;
        if (::fchmod(file_.number(), old.st_mode & 07777) != 0) throw cannot_write(target_, errno);
    }

    void put_into_place() {
        if (::rename(path_.c_str(), target_.c_str()) != 0) throw cannot_write(target_, errno);
        path_.clear();
    }

  private:
    fs::path target_, path_;
    Descriptor file_;
};

}  // namespace

fs::path program_path() {
    std::error_code error;
    fs::path path = fs::read_symlink("/proc/self/exe", error);
    if (error)
        throw Problem("The place of the running program was not found", error.message(),
                      "See that /proc is mounted", "/proc/self/exe");
    return path;
}

fs::path data_folder() {
    const std::string chosen = variable("REDUCTION_LAB_DATA");
    fs::path folder = !chosen.empty()
                          ? fs::path(chosen)
                          : program_path().parent_path().parent_path() / "share" / "reduction-lab";
    std::error_code error;
    if (fs::is_directory(folder, error)) return folder;
    throw Problem(
        "The program's own data were not found",
        fmt::format("'{}'{} is no folder", folder.string(),
                    chosen.empty() ? "" : ", which REDUCTION_LAB_DATA names,"),
        "Set REDUCTION_LAB_DATA to the folder that holds kernels/ and assets/, or install "
        "the program again",
        folder.string());
}

fs::path home_folder() {
    if (fs::path home = variable("HOME"); home.is_absolute()) return home;
    std::array<char, 4096> text{};
    passwd entry{};
    passwd* found = nullptr;
    ::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &found);
    if (found != nullptr && found->pw_dir != nullptr && *found->pw_dir == '/') return found->pw_dir;
    throw Problem("Your home folder was not found", "HOME is not set, and the system knows none",
                  "Set HOME to a folder that you may write to");
}

fs::path config_folder() {
    return user_folder("XDG_CONFIG_HOME", ".config");
}
fs::path cache_folder() {
    return user_folder("XDG_CACHE_HOME", ".cache");
}

fs::path documents_folder() {
    const fs::path home = home_folder();
    std::vector<fs::path> places;
    // A line of the file that desktops write: XDG_DOCUMENTS_DIR="$HOME/Documents"
    std::ifstream lines(config_folder().parent_path() / "user-dirs.dirs");
    for (std::string line; std::getline(lines, line);) {
        constexpr std::string_view key = "XDG_DOCUMENTS_DIR=\"";
        if (!line.starts_with(key) || !line.ends_with('"')) continue;
        const std::string value = line.substr(key.size(), line.size() - key.size() - 1);
        constexpr std::string_view in_home = "$HOME/";
        if (value.starts_with(in_home)) places.push_back(home / value.substr(in_home.size()));
        if (value.starts_with('/')) places.emplace_back(value);
    }
    places.push_back(home / "Documents");
    std::error_code error;
    for (const fs::path& place : places)
        if (fs::is_directory(place, error)) return place;
    return home;
}

fs::path new_file(const fs::path& folder, const std::string& stem, const std::string& suffix) {
    std::string name = stem;
    std::replace(name.begin(), name.end(), '/', '-');
    fs::path file = folder / (name + suffix);
    std::error_code error;
    for (int number = 2; fs::exists(fs::symlink_status(file, error)); ++number)
        file = folder / (name + "-" + std::to_string(number) + suffix);
    return file;
}

fs::path typed_path(const std::string& text, const fs::path& folder) {
    const std::string words(trimmed(text));
    if (words.empty()) return folder;
    if (words == "~") return home_folder();
    if (words.starts_with("~/")) return home_folder() / words.substr(2);
    return folder / words;
}

std::string suffix_of(const fs::path& file) {
    std::string suffix = file.extension().string();
    for (char& letter : suffix)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return suffix;
}

std::string read_file(const fs::path& path, std::size_t limit) {
    // Non-blocking, so that a pipe that nobody writes to is empty and not a wait without end.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file.open()) throw cannot_read(path, errno);
    struct stat about {};
    if (::fstat(file.number(), &about) != 0) throw cannot_read(path, errno);
    if (S_ISDIR(about.st_mode)) throw cannot_read(path, "It is a folder", "Name a file inside it");
    if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode))
        throw cannot_read(path, "It is a device, no file", "Name a file");
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size > limit) throw too_large(path, limit);

    // The size is a hint: a file may grow, and those under /proc claim to be empty.
    std::string bytes;
    std::size_t filled = 0;
    for (;;) {
        if (filled == bytes.size())
            bytes.resize(std::max({size + 1, filled * 2, std::size_t{4096}}));
        const ssize_t count = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
        if (count < 0 && errno == EAGAIN) {
            pollfd more{file.number(), POLLIN, 0};
            ::poll(&more, 1, -1);
            continue;
        }
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw cannot_read(path, errno);
        if (count == 0) break;
        filled += static_cast<std::size_t>(count);
        if (filled > limit) throw too_large(path, limit);
    }
    bytes.resize(filled);
    return bytes;
}

std::string read_text_file(const fs::path& path, std::size_t limit) {
    std::string text = read_file(path, limit);
    const auto is_no_text = [&](const char* why) {
        return Problem("The file is no text in UTF-8", why, "Save it as UTF-8 text", path.string());
    };
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        throw is_no_text("It is in UTF-16");
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    if (text.find('\0') != std::string::npos) throw is_no_text("It holds bytes of zero");
    if (!is_utf8(text)) throw is_no_text("Its letters are in another encoding");
    std::string lines;
    lines.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r')
            lines += text[i];
        else if (i + 1 == text.size() || text[i + 1] != '\n')
            lines += '\n';
    }
    return lines;
}

void write_file(const fs::path& path, std::string_view bytes) {
    if (path.empty()) throw Problem("The file has no name", "", "Name a file to write to");
    const fs::path target = follow_links(path);
    struct stat old {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if ((exists && S_ISDIR(old.st_mode)) || !target.has_filename())
        throw cannot_write(path, EISDIR);
    if (exists && !S_ISREG(old.st_mode)) {
        const Descriptor there(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
        const int failed = there.open() ? write_all(there.number(), bytes) : errno;
        if (failed != 0) throw cannot_write(path, failed);
        return;
    }
    // The rename needs no right to write the old file; its owner's wish counts all the same.
    if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
        throw cannot_write(path, errno);

    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw cannot_write(path, error.value());

    TemporaryFile temporary(folder, target);
    temporary.fill(bytes);
    if (exists) temporary.take_permissions(old);
    temporary.put_into_place();
    // From here on the new file is there; syncing its folder makes the rename outlive a power cut.
    const Descriptor synced(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (synced.open()) sync(synced.number());
    platform::file_written(target);
}

}  // namespace lab
