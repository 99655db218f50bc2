#pragma once

#include <armdyn/trajectory.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "io/plot/plot.hpp"
#include "log/header_meaning.hpp"
#include "report/say.hpp"

namespace armdyn {

/// The lists stay texts until the robot is known.
struct TrajectoryOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string from;
  std::string to;
  std::string to_hand;  ///< instead of `to`: where the hand is to be
  std::string via;      ///< a CSV file of waypoints; empty: none
  std::string along;    ///< a motion file whose path is to be taken; empty: none
  bool line = false;    ///< of the hand
  bool time_optimal = false;
  std::optional<double> torque_limits;  ///< share of those of the robot that counts
  bool excite = false;
  bool optimise = false;           ///< the excitation
  std::optional<double> duration;  ///< s
  std::string limits;              ///< empty: none
  double rate = 1000.0;            ///< rows per second
  double max_rows = 0.0;
  Profile profile = Profile::quintic;  ///< with `via` monotone, unless given
  HandOrientation orientation = HandOrientation::interpolated;
  int harmonics = 5;
  std::uint64_t seed = 1;
  bool stop = false;  ///< at all waypoints
  std::vector<ColumnChoice> columns{};
  bool no_header = false;
  bool ignore_extra = false;
  std::vector<std::string> topics;  ///< of a bag
  PlotOptions plot;
};

void declare(OptionList& list, TrajectoryOptions& options);
[[nodiscard]] Ending run(const TrajectoryOptions& options);

}  // namespace armdyn
