#pragma once

#include <armdyn/regressor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace armdyn {

/// A combination of parameters on which torques depend and which, unlike its parts, torques can
/// tell: 1 times the first parameter and the others times their factors.
struct BaseParameter {
  std::size_t first = 0;  ///< index into π
  std::vector<std::pair<std::size_t, double>> others;
};

/// The smallest set of combinations β with Y π = Y_first β (docs/derivation.md, section 28; Gautier
/// 1991).
struct BaseParameters {
  std::vector<BaseParameter> combinations;
  std::vector<std::size_t> without_effect;  ///< entries of π on which no torque depends

  /// β of a π, of as many entries as the regressor has.
  [[nodiscard]] std::vector<double> values(std::span<const double> parameters) const;
};

/// Of the chosen entries of π, or of all of them, from the regressor at random states. Which
/// parameters come first is settled by what they are, not by the states: what drives have, I_zz,
/// I_xx, I_xy, I_xz, I_yz, m x, m y before m, m z and I_yy, those from the base to the hand.
/// The robot's ranges of position are kept; velocities are to 3 rad/s, m/s, accelerations to
/// 10 rad/s², m/s². Throws std::invalid_argument for the regressor of another robot, and where
/// chosen entries are none of its.
[[nodiscard]] BaseParameters base_parameters(const Robot& robot, const Regressor& regressor,
                                             std::span<const std::size_t> chosen = {},
                                             std::uint64_t seed = 1);

/// "Izz2 + 0.186624 m3 + mz3"
[[nodiscard]] std::string words(const BaseParameter& combination,
                                std::span<const DynamicParameter> parameters);

}  // namespace armdyn
