#pragma once

#include "cli/options.hpp"

namespace armdyn {

// One function per verb, in the file of its name; returns the exit code.
[[nodiscard]] int run(const InspectOptions& options);
[[nodiscard]] int run(const SimulateOptions& options);
[[nodiscard]] int run(const TorqueOptions& options);
[[nodiscard]] int run(const TrajectoryOptions& options);
[[nodiscard]] int run(const TrackOptions& options);
[[nodiscard]] int run(const CompareOptions& options);
[[nodiscard]] int run(const CheckOptions& options);
[[nodiscard]] int run(const RobotsOptions& options);
[[nodiscard]] int run(const NewOptions& options);

}  // namespace armdyn
