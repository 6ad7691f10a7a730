#include "session/kernels/user_kernel_memory.h"

#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "session/kernels/kernel_editor.h"

namespace lab::session {
namespace {

using nlohmann::json;

constexpr std::size_t kMostMemory = std::size_t{8} << 20U;  // bytes, with what JSON escapes

json json_of(const OpenedKernel& kernel) {
    json object{{"edited", kernel.edited}};
    if (kernel.choice.user_kernel) {
        simulation::UserKernel user_kernel = *kernel.choice.user_kernel;
        if (!kernel.edited) user_kernel.text.clear();
        object["own"] = user_kernel;
    } else {
        object["file"] = file_of(kernel.choice);
        object["variant"] = kernel.choice.variant;
        object["set"] = kernel.choice.shape.set;
        if (kernel.edited) object["text"] = text_of(kernel.choice);
    }
    return object;
}

OpenedKernel kernel_of(const json& from) {
    OpenedKernel kernel;
    kernel.edited = from.at("edited").get<bool>();
    if (from.contains("own")) {
        kernel.choice.user_kernel = from.at("own").get<simulation::UserKernel>();
    } else {
        kernel.choice.opened =
            OpenedVariant{from.at("file").get<std::string>(), from.value("text", "")};
        kernel.choice.variant = from.at("variant").get<std::string>();
        from.at("set").get_to(kernel.choice.shape.set);
    }
    return kernel;
}

// Whether there is a text to show.
bool take_text(OpenedKernel& kernel) {
    if (kernel.edited) return true;
    try {
        std::string text = read_kernel_file(file_of(kernel.choice));
        (kernel.choice.user_kernel ? kernel.choice.user_kernel->text : kernel.choice.opened->text) =
            std::move(text);
        return true;
    } catch (const Problem&) {
        return false;  // moved or deleted since, and nothing of it is lost here
    }
}

}  // namespace

std::filesystem::path kernels_file() {
    return config_folder() / "kernels.json";
}

std::string memory_text(const std::vector<OpenedKernel>& opened) {
    std::size_t first = opened.size(), bytes = 0;
    while (first > 0 && opened.size() - first < kMostRemembered) {
        const OpenedKernel& next = opened[first - 1];
        bytes += next.edited ? text_of(next.choice).size() : 0;
        if (bytes > kMostRememberedText) break;
        --first;
    }
    json kernels = json::array();
    for (std::size_t i = first; i < opened.size(); ++i)
        kernels.push_back(json_of(opened[i]));
    return json{{"schema", 1}, {"kernels", kernels}}.dump(2, ' ', false,
                                                          json::error_handler_t::replace) +
           "\n";
}

std::vector<OpenedKernel> opened_of_memory(const std::string& text) {
    std::vector<OpenedKernel> kernels;
    try {
        const json memory = json::parse(text);
        for (const json& each : memory.at("kernels")) {
            OpenedKernel kernel = kernel_of(each);
            if (!file_of(kernel.choice).empty() && take_text(kernel))
                kernels.push_back(std::move(kernel));
        }
    } catch (const json::exception& damaged) {
        throw Problem("This is no memory of opened kernels", damaged.what(),
                      "Open the kernels again");
    }
    return kernels;
}

std::vector<OpenedKernel> load_opened(std::optional<Problem>& problem) {
    const std::filesystem::path file = kernels_file();
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return {};
    try {
        return opened_of_memory(read_file(file, kMostMemory));
    } catch (const Problem& damaged) {
        std::filesystem::rename(file, file.string() + ".damaged", error);
        problem = Problem("The kernels that were open could not be read",
                          damaged.why.empty() ? damaged.what_happened : damaged.why,
                          "The old file is kept beside as kernels.json.damaged", file.string());
        return {};
    }
}

}  // namespace lab::session
