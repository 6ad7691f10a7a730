#include "views/shell/app.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "base/platform.h"
#include "base/problem.h"
#include "figures/painters/save.h"
#include "gui/ui.h"
#include "session/kernels.h"
#include "views/files/files.h"
#include "views/files/files_panels.h"
#include "views/lattice/lattice.h"
#include "views/learn/learn.h"
#include "views/shell/options.h"
#include "views/shell/shell.h"
#include "views/step/step.h"

namespace lab::gui {
namespace {

using std::chrono::seconds;

// A screenshot waits for the worker's answers, but not forever.
constexpr auto kLongestShot = seconds(120);
constexpr int kFramesToSettle = 4;
// The window's size in points that no scale goes below, unless it is smaller at scale 1: in less
// the controls would take the diagram's room.
constexpr float kLeastWidth = 1050, kLeastHeight = 600;

// Milliseconds since this process was started, by the kernel's account (its ticks are 10 ms).
double age_ms() {
    std::ifstream stat("/proc/self/stat");
    std::string line;
    std::getline(stat, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string field;
    for (int i = 0; i < 19; ++i)
        fields >> field;
    double start = 0;  // the 22nd field: starttime, in clock ticks since boot
    fields >> start;
    double up = 0;
    std::ifstream("/proc/uptime") >> up;
    return (up - start / static_cast<double>(sysconf(_SC_CLK_TCK))) * 1000;
}

// Does the commands whose keys were pressed; while text is being typed those that type nothing,
// and none while a list is open.
void press_keys(session::Session& session, std::span<const KeyPress> presses) {
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
    const bool typing = ImGui::GetIO().WantTextInput;
    for (const KeyPress& press : presses) {
        if (typing && !works_in_text_fields(press)) continue;
        const bool digit =
            press.modifiers == 0 && press.key >= GLFW_KEY_0 && press.key <= GLFW_KEY_9;
        if (digit && session.shown().takes_digits()) continue;
        // What follows the key that opens a field is typed into it.
        if (overlay_takes_text(session)) return;
        for (const session::Command& command : session.commands().all())
            if (parse_key(command.key) == press) session.run(command);
    }
}

class App {
  public:
    App(Options options, const AttachHook& attach)
        : options_(std::move(options)),
          shot_(!options_.screenshot.empty()),
          window_({"Reduction Lab", options_.settings.width, options_.settings.height, shot_}),
          screen_fonts_(metrics_),
          session_(session_options(), options_.settings, options_.problem) {
        if (!shot_) window_.set_icon(window_icons());
        if (attach) hook_ = attach(window_);
    }

    void run() {
        begin();
        const auto started = Clock::now();
        while (!window_.closed() && !session_.wants_to_quit) {
            draw();
            if (session_.wants_to_quit) break;
            if (shot_ && settled()) break;
            if (shot_ && Clock::now() > started + kLongestShot) break;
            window_.wait(next_frame());
            process_input();
        }
        hook_ = {};
        if (!shot_) remember();
        if (shot_) save_shot();
        if (options_.stats) print_stats();
    }

    // What --set says of the file that is open.
    void take_set() {
        session::RunChoice choice = session_.settings().choice;
        if (options_.set.empty()) return;
        if (!choice.user_kernel) {
            choice.shape.set = options_.set;
            return session_.amend(std::move(choice));
        }
        for (const auto& each : options_.set) {
            std::erase_if(choice.user_kernel->defines, [&](const std::string& define) {
                return define.starts_with(each.first + "=");
            });
            choice.user_kernel->defines.push_back(each.first + "=" + each.second);
        }
        session::set_launch(session_, *choice.user_kernel);
        session::guess_launch(session_);
    }

    void begin() {
        if (options_.example) {
            session::RunChoice choice = session_.settings().choice;
            choice.shape = session::example_of(session_, choice.variant);
            session_.amend(std::move(choice));
        }
        if (options_.state) session::show_saved(session_, *options_.state, false);
        for (const std::string& file : options_.files)
            session::open_file(session_, file);
        if (!options_.files.empty()) take_set();
        // A picture is of the whole run, unless it is asked for another step.
        if (!shot_ && !options_.state)
            session_.view<session::StepView>().begin_at = session_.settings().step;
        std::string keys;
        for (const session::Command& command : session_.commands().all())
            keys += std::string(command.key) + "\n";
        platform::take_keys(keys);
        session_.start();
        if (!options_.lesson.empty()) begin_at_page();
        session_.presenting = options_.present;
        if (options_.measure) session_.run("measure.run");
        if (options_.cursor)
            session_.view<session::StepView>().after_run(
                [cursor = *options_.cursor](auto& session) {
                    session.template view<session::StepView>().set_cursor(cursor);
                });
        session_.view<session::LatticeView>().picture.begin_at = options_.place;
    }

    // A frame of a page, which calls when the last one said; what was changed is kept at once.
    void turn() {
        // The signs of another writing system come with a page of their own.
        if ((session_.settings().language == "zh") != (options_.settings.language == "zh")) {
            remember();
            return platform::reload();
        }
        process_input();
        platform::run_waiting();
        draw();
        window_.wait(next_frame());
    }

    void remember() {
        run_edits(session_);  // what was typed a moment ago is remembered, too
        session_.set_step(session_.view<session::StepView>().cursor);
        session_.save_settings();
    }

  private:
    void draw() {
        hook_.before();
        one_frame();
        if (platform::kBrowser) offer_commands();
        if (first_frame_.wall_ms == 0) first_frame_ = {age_ms(), process_cpu_ms(), false};
        hook_.after({session_, window_, times_, first_frame_, scale()});
    }

    void offer_commands() {
        const Translations& tr = session_.words();
        const std::string view = "view." + session_.settings().view;
        std::string lines = tr.language() + "\t" + tr("command." + view) + "\t" + view + "\n";
        for (const session::CommandGroup& group : session_.commands().groups()) {
            std::string here;
            for (const session::Command& command : group.commands)
                if (!is_missing(command) && command.enabled(session_))
                    here += fmt::format("{}\t{}\t{}\n", command.id, command.key,
                                        tr(std::string("command.") + command.id));
            if (!here.empty()) lines += "\t" + tr(std::string("menu.") + group.id) + "\n" + here;
        }
        if (lines != offered_) platform::offer(offered_ = std::move(lines));
    }

    // What has come in since the last frame.
    void process_input() {
        session_.poll();
        if (!overlay_shown_ && !session_.busy()) show_overlay();
        for (const fs::path& file : window_.take_drops())
            session::open_file(session_, file);
        const platform::News news = platform::take_news();
        if (news.left_full_screen) session_.presenting = false;
        for (const std::string& command : news.commands)
            session_.run(command);
        if (news.copy_refused) {
            if (const std::size_t said = session_.notices.toasts().size(); said > 0)
                session_.notices.forget_toast(said - 1);  // that it was copied
            session_.notices.report("copy",
                                    {"The browser did not let it be copied", "",
                                     "A link stands in the address line too: copy it from there"},
                                    true);
        }
    }

    session::Session::Options session_options() {
        session::Session::Options options;
        options.views = views_;
        if (!platform::kBrowser)
            options.worker = program_path().parent_path() / "reduction-lab-cli";
        options.wake = [this] { window_.wake(); };
        options.remember = !shot_;
        options.recalled = options_.recalled;
        options.copy = [](const std::string& text) { ImGui::SetClipboardText(text.c_str()); };
        options.export_shown = [this](const fs::path& file) {
            Ui ui(session_, window_views(), panels_, palette_, metrics_, screen_fonts_, scale());
            export_shown(ui, file);
        };
        return options;
    }

    void begin_at_page() {
        session::LearnView& learn = session_.view<session::LearnView>();
        go_to_page(learn, options_.lesson, "");
        if (options_.page > 0) open_page(learn, options_.page - 1);
    }

    float content_scale() const { return shot_ ? 1 : window_.content_scale(); }

    float most_scale() const {
        const float wide = static_cast<float>(window_.width()) / kLeastWidth;
        const float high = static_cast<float>(window_.height()) / kLeastHeight;
        return std::max(1.0F, std::min(wide, high) / content_scale());
    }

    // Pixels a point. While presenting the window has always about as many of them: what is on it
    // is read from the last row, whatever the scale at the desk is. A phone is read from near.
    float scale() const {
        if (session_.presenting && shown_view_presents())
            return std::max(std::min(static_cast<float>(window_.width()) / 800,
                                     static_cast<float>(window_.height()) / 500),
                            content_scale());
        return std::min(session_.settings().scale, most_scale()) * content_scale();
    }

    void one_frame() {
        times_.begin();
        session_.most_scale = most_scale();
        if (!shot_) window_.fill_screen(session_.presenting);
        const session::Settings& settings = session_.settings();
        if (palette_.name != settings.theme) palette_ = figures::load_palette(settings.theme);
        set_style(palette_, screen_fonts_, scale());
        Ui ui(session_, window_views(), panels_, palette_, metrics_, screen_fonts_, scale());
        const figures::Colour& ground = palette_[Role::background];
        window_.frame(
            [&] {
                // An open list is walked by the arrow keys; elsewhere they are the app's own.
                ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
                const bool list = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
                flags = list ? flags | ImGuiConfigFlags_NavEnableKeyboard
                             : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
                press_keys(session_, window_.take_presses());
                draw_window(ui);
            },
            {ground.r, ground.g, ground.b});
        times_.end(session_.shown().moving());
        if (!shot_ && !ImGui::IsAnyMouseDown()) {
            if (window_.width() > 0 && !session_.presenting)
                session_.set_window(window_.width(), window_.height());
            session_.save_settings();
        }
    }

    bool shown_view_presents() const {
        for (const WindowView& view : window_views())
            if (view.type == &session_.shown_type()) return view.present != nullptr;
        return false;
    }

    // When the next frame is due although nothing happens; empty: never.
    std::optional<Clock::time_point> next_frame() const {
        const auto moves = session_.next_move();
        const auto hooks = hook_.next_frame(session_);
        return moves && hooks ? std::min(*moves, *hooks) : moves ? moves : hooks;
    }

    // Whether everything asked for is there, and has been on screen for a few frames.
    bool settled() {
        settled_frames_ = session_.busy() ? 0 : settled_frames_ + 1;
        return settled_frames_ > kFramesToSettle;
    }

    // Once there is something that it could be of.
    void show_overlay() {
        overlay_shown_ = true;
        if (options_.overlay == "log")
            session_.log_shown = true;
        else if (!options_.overlay.empty())
            session_.overlay = options_.overlay;
    }

    void save_shot() {
        const std::vector<std::uint8_t> pixels = window_.pixels();
        write_file(options_.screenshot,
                   figures::png_of_pixels(window_.width(), window_.height(), pixels));
        std::puts(("wrote " + options_.screenshot).c_str());
    }

    void print_stats() const {
        std::puts(times_.stats(first_frame_, window_.frames()).dump().c_str());
    }

    const Options options_;
    bool shot_;
    figures::Fonts metrics_;
    Window window_;
    ScreenFonts screen_fonts_;
    std::vector<const session::ViewType*> views_ = types_of(window_views());
    session::Session session_;
    figures::Palette palette_;
    PanelStates panels_;
    bool overlay_shown_ = false;
    std::string offered_;  // by offer_commands() last
    int settled_frames_ = 0;
    FrameCost first_frame_;  // from the process's start
    FrameTimes times_;
    FrameHook hook_;
};

void run_page(const Options& options) {
    const auto app = std::make_shared<App>(options, AttachHook());
    app->begin();
    platform::run_frames([app] { app->turn(); }, [app] { app->remember(); });
}

}  // namespace

int run_app(int argc, char** argv, const AttachHook& attach) {
    return run_main([&] {
        int exit = 0;
        const auto options = parse_options(argc, argv, exit);
        if (!options) return exit;
        if (options->check_display)
            const Window window({"Reduction Lab", 64, 64, true});
        else if (platform::kBrowser)
            run_page(*options);
        else
            App(*options, attach).run();
        return 0;
    });
}

static double now_ms(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// The least of `sorted` that `part` of them do not exceed; in microseconds' precision.
static double quantile(const std::vector<double>& sorted, double part) {
    if (sorted.empty()) return 0;
    const auto rank =
        static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size())));
    const double value = sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
    return std::round(value * 1e3) / 1e3;
}

static nlohmann::json summary_of(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return {{"median", quantile(times, 0.5)},
            {"p99", quantile(times, 0.99)},
            {"most", quantile(times, 1)}};
}

double process_cpu_ms() {
    return now_ms(CLOCK_PROCESS_CPUTIME_ID);
}

void FrameTimes::begin() {
    wall_ = now_ms(CLOCK_MONOTONIC);
    cpu_ = process_cpu_ms();
}

void FrameTimes::end(bool playing) {
    costs_.push_back({now_ms(CLOCK_MONOTONIC) - wall_, process_cpu_ms() - cpu_, playing});
    if (costs_.size() > kMost) costs_.pop_front();
}

nlohmann::json FrameTimes::stats(const FrameCost& first, std::uint64_t frames) const {
    const auto of = [this](bool only_playing) {
        std::vector<double> wall, cpu;
        for (const FrameCost& cost : costs_)
            if (cost.playing || !only_playing) {
                wall.push_back(cost.wall_ms);
                cpu.push_back(cost.cpu_ms);
            }
        return nlohmann::json{
            {"count", wall.size()}, {"wall_ms", summary_of(wall)}, {"cpu_ms", summary_of(cpu)}};
    };
    return {{"first_frame_ms", first.wall_ms},
            {"first_frame_cpu_ms", first.cpu_ms},
            {"frames", frames},
            {"frame_times", {{"all", of(false)}, {"playing", of(true)}}}};
}

constexpr const char* kIcon = "org.reduction_lab.ReductionLab.png";
constexpr int kSizes[] = {16, 32, 48, 128};  // pixels; what window managers ask for

std::vector<figures::Pixels> window_icons() {
    std::vector<figures::Pixels> icons;
    const fs::path folder = data_folder().parent_path() / "icons" / "hicolor";
    for (const int size : kSizes) {
        const fs::path file = folder / fmt::format("{0}x{0}", size) / "apps" / kIcon;
        (void)thrown_by([&] {  // of a damaged file the other sizes do
            if (fs::exists(file)) icons.push_back(figures::pixels_of_png(read_file(file)));
        });
    }
    return icons;
}

}  // namespace lab::gui
