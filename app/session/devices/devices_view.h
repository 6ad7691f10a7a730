// The devices view: what OpenCL finds on this computer.
#pragma once

#include <string>

#include "results/device_info.h"
#include "session/shell/asked.h"
#include "session/shell/view.h"

namespace lab::session {

class DevicesView : public View {
  public:
    using View::View;

    const Asked<results::Devices>& devices() const { return devices_; }
    std::string in_use() const;  // an id; empty while the devices are not known

    // View
    void start() override;
    bool busy() const override { return devices_.waiting; }
    std::vector<PlacedProblem> problems() const override;

  private:
    Asked<results::Devices> devices_;
};

extern const ViewType kDevicesView;

}  // namespace lab::session
