#pragma once

// What the user asked for, per verb: plain, validated values. command_line.cpp fills them.

#include <armdyn/control.hpp>
#include <armdyn/dynamics.hpp>
#include <armdyn/error.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>
#include <armdyn/trajectory.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/columns.hpp"

namespace armdyn {

/// The command line is wrong (exit code 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Which robot, and how it is to be edited before anything is computed.
struct RobotOptions {
  std::string robot;                      ///< a file, or the bare name of a shipped robot
  std::optional<Vec3> gravity;            ///< replaces the file's, m/s² in the world
  std::optional<MassProperties> payload;  ///< replaces the file's, in the tool frame
  bool without_friction = false;
  bool without_motor = false;
  bool without_payload = false;
  bool without_gravity = false;
};

/// Where results and messages go.
struct OutputOptions {
  std::string output = "-";
  bool json = false;
  bool quiet = false;
  int threads = 0;  ///< 0: all cores
};

/// What to do where rows are missing, cannot be read, or come at a wrong time.
enum class Gaps {
  unsaid,  ///< refuse where time matters
  refuse,  ///< stop at the first
  skip,    ///< leave out, and connect nothing across a gap
  bridge,  ///< leave out, and connect across gaps
};

/// How a motion file is to be understood.
struct LogOptions {
  std::vector<ColumnChoice> columns;
  bool no_header = false;
  bool ignore_extra = false;

  Gaps gaps = Gaps::unsaid;
  bool derive = false;
  std::optional<double> window;     ///< s; nothing: chosen from the data
  std::optional<double> from_time;  ///< s
  std::optional<double> to_time;    ///< s
  std::optional<double> resample;   ///< Hz
};

struct TorqueOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion = "-";
  Method method = Method::newton_euler;
  bool terms = false;
  bool reactions = false;
  bool keep_motion = false;
  LogOptions log;
  bool strict = false;
  std::string plot;  ///< empty: none
};

struct CompareOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion;  ///< empty: random states
  int random = 1000;
  std::uint64_t seed = 1;
  std::vector<Method> methods;
  double tolerance = 1e-9;
  LogOptions log;
  std::string differences;  ///< empty: none
  std::string plot;         ///< empty: none
};

/// The lists stay texts until the robot is known: they may name its poses, and degrees are for its
/// revolute joints.
struct InspectOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string q;              ///< empty: zero
  std::string qd;             ///< empty: zero
  std::string qdd;            ///< empty: zero
  std::vector<TaskRow> rows;  ///< empty: all six, for an arm of six joints
  bool links = false;
  bool linearize = false;
  std::optional<double> sample_time;  ///< s
  bool equilibrium = false;
};

/// The lists stay texts until the robot is known, as in InspectOptions.
struct TrajectoryOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string from;
  std::string to;
  std::string via;    ///< a CSV file of waypoints; empty: none
  bool line = false;  ///< of the hand
  bool excite = false;
  std::optional<double> duration;  ///< s
  std::string limits;              ///< empty: none
  double rate = 1000.0;            ///< rows per second
  Profile profile = Profile::quintic;
  HandOrientation orientation = HandOrientation::interpolated;
  int harmonics = 5;
  std::uint64_t seed = 1;
  bool ignore_extra = false;
  std::string plot;  ///< empty: none
};

/// Positions and velocities stay texts until the robot is known.
struct SimulateOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string torques;             ///< empty: none, the drives are without torque
  std::string batch;               ///< a file with one simulation per row; empty: none
  std::string q0;                  ///< empty: of the first row, or zero
  std::string qd0;                 ///< empty: of the first row, or zero
  std::optional<double> duration;  ///< s; absent: to the last row
  double step = 1e-3;              ///< s
  int every = 1;
  Integrator integrator = Integrator::rk4;
  double tolerance = 1e-9;
  Interpolation interpolation = Interpolation::linear;
  std::optional<ForwardMethod> forward;  ///< absent: the fastest
  bool stop_at_limits = true;
  bool estimate_error = false;
  bool ignore_extra = false;
  std::string plot;  ///< empty: none
};

/// The lists and gains stay texts until the robot is known.
struct TrackOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion = "-";
  Controller controller = Controller::computed_torque;
  std::string kp, kv;         ///< empty: those of paper 003
  double sample_time = 0.01;  ///< s; 0: torque at all times
  int delay = 0;              ///< samples
  Method method = Method::newton_euler;
  RobotOptions model;   ///< the arm as the controller knows it; no name: the arm itself
  std::string encoder;  ///< empty: exact
  bool saturate = false;
  std::string q0, qd0;  ///< empty: on the motion
  double step = 1e-3;   ///< s
  int every = 1;
  Integrator integrator = Integrator::rk4;
  double tolerance = 1e-9;
  bool stop_at_limits = true;
  bool ignore_extra = false;
  std::string plot;  ///< empty: none
};

struct CheckOptions {
  RobotOptions robot;
  OutputOptions output;
  bool strict = false;
};

/// What `robots` does with the shipped robots and motions.
struct RobotsOptions {
  enum class Action { list, show, copy };
  OutputOptions output;
  Action action = Action::list;
  std::string name;
  std::string target;  ///< of a copy; empty: the same name here
  bool force = false;
};

/// What robot file `new` is to write.
struct NewOptions {
  OutputOptions output;
  std::string name = "my-arm";
  std::optional<Convention> convention;  ///< absent: left open in the file
  std::vector<JointType> joints{6, JointType::revolute};
  bool force = false;
};

}  // namespace armdyn
