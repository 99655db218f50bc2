#pragma once

// Arms whose numbers are drawn within tolerances.

#include <armdyn/arm.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armdyn {

class Enclosed;

enum class Distribution {
  uniform,
  normal,  ///< a standard deviation of a third of the bound, cut at the bound
};

/// A parameter of the arm's file, and the largest error of its value, in the unit of the file.
struct UncertainParameter {
  Parameter parameter;
  double bound = 0.0;
};

/// Bounds of the distance of an arm's numbers from those of its file: 0 or more, shares below 1.
struct Uncertainty {
  double mass = 0.0;      ///< of each link, as a share of it
  double com = 0.0;       ///< of each coordinate of a link's centre of mass, m
  double inertia = 0.0;   ///< of each principal moment of a link, as a share of it
  double friction = 0.0;  ///< of all friction of a joint and its motor together, as a share
  double payload = 0.0;   ///< of its mass, with which its inertia goes, as a share
  Distribution distribution = Distribution::uniform;
  std::vector<UncertainParameter> parameters{};
};

/// Samples arms within the bounds: parameters first, then the other numbers of the arm that follows
/// from them. Links without mass stay the same. A link whose inertia is then farther from that of a
/// body than the file's gets a smaller largest principal moment, which is within the bounds where
/// no moment of the file is below 0 (docs/derivation.md, 24.2).
class RobotSampler {
 public:
  /// Needs `of_parameters` where parameters are uncertain. Throws std::invalid_argument where it is
  /// missing there, and for bounds out of their ranges.
  RobotSampler(Robot robot, const Uncertainty& uncertainty, std::uint64_t seed,
               RobotOfParameters of_parameters = {});

  struct Sample {
    Robot robot;
    std::size_t moved = 0;  ///< links of which a principal moment was made smaller
  };
  /// The sample of that number, the same whatever else was sampled; the number drawn at the place
  /// `as_in_file` stays the file's. Throws what `of_parameters` throws.
  [[nodiscard]] Sample operator()(std::uint64_t sample,
                                  std::optional<std::uint32_t> as_in_file = {}) const;

  /// The arm with drawn numbers at these points between their bounds, −1 to 1, by their places.
  [[nodiscard]] Sample at(std::span<const double> places) const;

  struct Extreme {
    double value = 0.0;
    std::vector<double> places;  ///< of an arm with that value, for `at`
    std::vector<double> parts;   ///< of the value, by place
  };
  /// The largest Σ slopes[k] εk among the arms of any distribution, with the k-th number at εk
  /// between its bounds and moments of a link that are those of a body (docs/derivation.md, 35.10).
  [[nodiscard]] Extreme largest(std::span<const double> slopes) const;

  /// A number that is drawn, by its place in a sample's stream.
  struct Drawn {
    std::uint32_t place = 0;
    std::string name;  ///< "mass of elbow"
  };
  [[nodiscard]] std::vector<Drawn> drawn() const;

 private:
  /// Encloses all arms within the bounds, whatever their distribution (docs/derivation.md, 35.10): drawn numbers have the ε of
  /// their place. Throws Error for a parameter on which others than masses, inertias and friction
  /// depend, or these otherwise than linearly.
  friend RobotOf<Enclosed> enclosed(const RobotSampler& draws);
  [[nodiscard]] RobotOf<Enclosed> enclosed() const;
  [[nodiscard]] Sample sampled(
      const std::function<double(std::uint32_t place)>& between_bounds) const;
  void add_parameters(RobotOf<Enclosed>& all) const;
  void add_inertia(std::size_t link, SymMat<Enclosed>& inertia) const;

  Robot robot_;
  Uncertainty uncertainty_;
  std::uint64_t seed_;
  RobotOfParameters of_parameters_;
  std::vector<PrincipalInertia> principal_;  // of the links
  std::vector<std::vector<Vec3>> corners_;   // of the region of their moments, by their ε
};

}  // namespace armdyn
