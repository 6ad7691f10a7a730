// The devices that OpenCL finds on this computer, and the one that kernels run on.
#pragma once

#include <string>
#include <vector>

#include "results/device_info.h"
#include "session/shell/asked.h"
#include "session/shell/view.h"

namespace lab::session {

class Session;

// Its panel over the view, and the name of the view that it was until version 0.1: settings and
// moments may still have it.
inline constexpr char kDevicesPanel[] = "devices";

class Devices {
  public:
    explicit Devices(Session& session) : session_(session) {}

    const Asked<results::Devices>& found() const { return found_; }
    std::string in_use() const;  // an id; empty while the devices are not known
    const results::DeviceInfo* device_in_use() const;  // null while it is not known

    void start();  // looks for them, also again
    bool busy() const { return found_.waiting; }
    std::vector<PlacedProblem> problems() const;

  private:
    Session& session_;
    Asked<results::Devices> found_;
};

}  // namespace lab::session
