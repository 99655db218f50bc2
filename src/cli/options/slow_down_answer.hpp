#pragma once

// What a verb says about the fastest uniform slowing of a motion at which limits hold.

#include <armdyn/robot.hpp>

#include <optional>
#include <string>

#include "motion/slow_down.hpp"
#include "report/document.hpp"

namespace armdyn {

/// "|τ| of elbow", "speed of motor of elbow".
[[nodiscard]] std::string limit_name(const Robot& robot, const PathLimit& limit);

/// factor, duration, binding, feasible, is_numeric: of a motion that takes `duration`, s; or where
/// no speed helps, the obstacle.
[[nodiscard]] Fields slow_down_fields(const Robot& robot, const PathDemands& demands,
                                      const SlowDown& found, double duration);

/// Why no speed helps, where none does.
[[nodiscard]] std::optional<std::string> slow_down_obstacle(const Robot& robot,
                                                            const PathDemands& demands,
                                                            const SlowDown& found);

}  // namespace armdyn
