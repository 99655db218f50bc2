#include "log/dialects.hpp"

#include <array>

namespace armdyn {
namespace {

using enum Quantity;

constexpr std::array plain_patterns{
    ColumnPattern{time, "t"},
    ColumnPattern{time, "time"},
    ColumnPattern{time, "timestamp"},
    ColumnPattern{time, "time_s"},
    ColumnPattern{time, "time_ms", "ms"},
    ColumnPattern{time, "time_us", "us"},
    ColumnPattern{time, "time_ns", "ns"},
    ColumnPattern{position, "q{#}"},
    ColumnPattern{position, "q_{#}"},
    ColumnPattern{position, "q[{#}]"},
    ColumnPattern{velocity, "qd{#}"},
    ColumnPattern{velocity, "qd_{#}"},
    ColumnPattern{velocity, "qd[{#}]"},
    ColumnPattern{velocity, "dq{#}"},
    ColumnPattern{velocity, "dq_{#}"},
    ColumnPattern{velocity, "dq[{#}]"},
    ColumnPattern{acceleration, "qdd{#}"},
    ColumnPattern{acceleration, "qdd_{#}"},
    ColumnPattern{acceleration, "qdd[{#}]"},
    ColumnPattern{acceleration, "ddq{#}"},
    ColumnPattern{acceleration, "ddq_{#}"},
    ColumnPattern{acceleration, "ddq[{#}]"},
    ColumnPattern{torque, "tau{#}"},
    ColumnPattern{torque, "tau_{#}"},
    ColumnPattern{torque, "tau[{#}]"},
};

constexpr std::array short_word_patterns{
    ColumnPattern{time, "time"},
    ColumnPattern{time, "timestamp"},
    ColumnPattern{position, "pos{#}"},
    ColumnPattern{position, "pos_{#}"},
    ColumnPattern{position, "pos_{joint}"},
    ColumnPattern{velocity, "vel{#}"},
    ColumnPattern{velocity, "vel_{#}"},
    ColumnPattern{velocity, "vel_{joint}"},
    ColumnPattern{acceleration, "acc{#}"},
    ColumnPattern{acceleration, "acc_{#}"},
    ColumnPattern{acceleration, "acc_{joint}"},
    ColumnPattern{torque, "torque{#}"},
    ColumnPattern{torque, "torque_{#}"},
    ColumnPattern{torque, "torque_{joint}"},
    ColumnPattern{torque, "trq{#}"},
    ColumnPattern{torque, "trq_{#}"},
};

constexpr std::array word_patterns{
    ColumnPattern{time, "time"},
    ColumnPattern{time, "timestamp"},
    ColumnPattern{position, "position{#}"},
    ColumnPattern{position, "position_{#}"},
    ColumnPattern{position, "position[{#}]"},
    ColumnPattern{position, "position_{joint}"},
    ColumnPattern{velocity, "velocity{#}"},
    ColumnPattern{velocity, "velocity_{#}"},
    ColumnPattern{velocity, "velocity[{#}]"},
    ColumnPattern{velocity, "velocity_{joint}"},
    ColumnPattern{acceleration, "acceleration{#}"},
    ColumnPattern{acceleration, "acceleration_{#}"},
    ColumnPattern{acceleration, "acceleration[{#}]"},
    ColumnPattern{acceleration, "acceleration_{joint}"},
    ColumnPattern{torque, "effort{#}"},
    ColumnPattern{torque, "effort_{#}"},
    ColumnPattern{torque, "effort[{#}]"},
    ColumnPattern{torque, "effort_{joint}"},
    ColumnPattern{torque, "torque_{#}"},
    ColumnPattern{torque, "torque_{joint}"},
};

constexpr std::array ros_patterns{
    ColumnPattern{time, "%time", "ns"},
    ColumnPattern{position, "field.position{#}"},
    ColumnPattern{velocity, "field.velocity{#}"},
    ColumnPattern{torque, "field.effort{#}"},
};

constexpr std::array plotjuggler_patterns{
    ColumnPattern{time, "__time"},
    ColumnPattern{position, "{*}/{joint}/position"},
    ColumnPattern{velocity, "{*}/{joint}/velocity"},
    ColumnPattern{acceleration, "{*}/{joint}/acceleration"},
    ColumnPattern{torque, "{*}/{joint}/effort"},
};

constexpr std::array rtde_patterns{
    ColumnPattern{time, "timestamp"},           ColumnPattern{position, "actual_q_{#}"},
    ColumnPattern{position, "target_q_{#}"},    ColumnPattern{velocity, "actual_qd_{#}"},
    ColumnPattern{velocity, "target_qd_{#}"},   ColumnPattern{acceleration, "target_qdd_{#}"},
    ColumnPattern{torque, "target_moment_{#}"},
};
constexpr std::array rtde_currents{
    ForeignColumns{"actual_current_{#}", "a current, not a torque"},
    ForeignColumns{"target_current_{#}", "a current, not a torque"},
};

constexpr std::array libfranka_patterns{
    ColumnPattern{time, "time", "ms"},
    ColumnPattern{position, "state.q[{#}]"},
    ColumnPattern{velocity, "state.dq[{#}]"},
    ColumnPattern{torque, "state.tau_J[{#}]"},
};

constexpr std::array sunrise_patterns{
    ColumnPattern{position, "axisQMsr_{*}[{#}]"},
    ColumnPattern{torque, "axisTauMsr_{*}[{#}]"},
};

constexpr std::array krc_patterns{
    ColumnPattern{time, "time"},
    ColumnPattern{time, "timestamp"},
    ColumnPattern{position, "A{#}", "deg"},
    ColumnPattern{position, "AIPos.A{#}", "deg"},
    ColumnPattern{position, "$AXIS_ACT.A{#}", "deg"},
};
constexpr std::array krc_currents{
    ForeignColumns{"MACur.A{#}", "a current, not a torque"},
};

constexpr std::array dialects{
    Dialect{.name = "a plain table", .patterns = plain_patterns, .refuses_unknown = true},
    Dialect{.name = "a log with pos, vel, acc", .patterns = short_word_patterns},
    Dialect{.name = "a log with position, velocity, effort", .patterns = word_patterns},
    Dialect{.name = "a ROS log (rostopic echo -p)",
            .patterns = ros_patterns,
            .joint_names = "field.name{#}"},
    Dialect{.name = "a PlotJuggler export", .patterns = plotjuggler_patterns},
    Dialect{.name = "a UR RTDE log", .patterns = rtde_patterns, .foreign = rtde_currents},
    Dialect{.name = "a libfranka log", .patterns = libfranka_patterns},
    Dialect{.name = "a KUKA Sunrise recording",
            .patterns = sunrise_patterns,
            .whole_seconds = "ZeitInSec",
            .nanoseconds = "ZeitInNanoSec"},
    Dialect{.name = "a KUKA axis log", .patterns = krc_patterns, .foreign = krc_currents},
};

}  // namespace

std::span<const Dialect> known_dialects() {
  return dialects;
}

}  // namespace armdyn
