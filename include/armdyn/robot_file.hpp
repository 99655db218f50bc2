#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armdyn {

/// A named number of a robot file, for its formulas.
struct Parameter {
  std::string name;
  double value = 0.0;
  bool has_pi = false;  ///< as an angle it is in radians
  /// Half a unit of its last decimal, or that of its formula's parameters as it reaches this one.
  double half_unit = 0.0;
  /// Characters of its formula and of the longest chain of formulas before it.
  std::size_t length = 0;
  std::string formula{};  ///< of parameters before it; empty: a number
};

/// Parameters by name, in place of those of a file.
using ParameterValues = std::map<std::string, Parameter, std::less<>>;

/// Distance from parallel, at right angles or intersecting within which axes are taken as such; by
/// default that of `convert`.
struct Snap {
  double angle = 2e-5;   ///< rad
  double length = 1e-6;  ///< m
};

/// Options of reading a robot file.
struct RobotFileOptions {
  ParameterValues set{};  ///< values in place of those of its parameters
  /// Links of a URDF where the chain begins and ends; empty: the root, and where the only arm ends.
  std::string base{}, tip{};
  std::optional<Snap> snap{};  ///< of a URDF's axes; absent: as written
  bool all_joints = false;     ///< takes all joints of a URDF, not only those that move the tip
};

/// A number of a robot as its file has it, a formula of parameters or not.
struct WrittenNumber {
  std::string path;    ///< joints[0].com[0]
  std::string text;    ///< 2*l1
  double value = 0.0;  ///< in SI units
};

/// Parameters of a file and the numbers that are formulas of them; empty for a file without.
struct Parametrization {
  std::vector<Parameter> parameters;  ///< in the order of the file
  std::vector<WrittenNumber> numbers;
  std::vector<bool> inertia_about_origin;  ///< per joint
  double meter = 1.0;                      ///< in the file's unit of length
};

/// Function that makes the robot of a file with values in place of those of its parameters. Throws
/// InputError, one line per error, where the file is wrong with these.
using RobotOfParameters = std::function<Robot(const ParameterValues&)>;

/// A robot read from a file that has no error; warnings may remain.
struct RobotFile {
  Robot robot;
  std::vector<Finding> warnings;  ///< each with line and column
  std::string path;               ///< as given
  std::string digest;             ///< of the file's bytes: "fnv1a64:" and 16 hexadecimal digits
  Parametrization written{};
  RobotOfParameters of_parameters{};  ///< of a YAML file
};

/// Reads and checks a robot file (docs/robot-file.md); "-" is standard input. Values for parameters
/// that it does not have, and a choice of links in a file that is no URDF, are ignored. Throws
/// FileError where the file cannot be read, and Error where a URDF has no link of that name. Throws
/// InputError where its content is wrong, with one line per error, at most 50.
[[nodiscard]] RobotFile read_robot_file(const std::string& path,
                                        const RobotFileOptions& reading = {});

/// All findings of a robot file, errors first, each part in the order of the file; `robot` is there
/// only if none is an error. Has no warnings of a file that does not follow the schema, since
/// defaults stand in for values.
struct RobotFileReport {
  std::optional<Robot> robot;
  std::vector<Finding> findings;
  std::string digest;
  std::vector<std::string> notes{};  ///< of a URDF: the chain and the extensions that were taken
  Parametrization written{};
  RobotOfParameters of_parameters{};
  /// Sets line and column of a finding about that robot, from other checks.
  std::function<void(Finding&)> locate = [](Finding&) {};
};
/// Reads and checks a robot file as read_robot_file does. Throws FileError where it cannot be read.
[[nodiscard]] RobotFileReport examine_robot_file(const std::string& path,
                                                 const RobotFileOptions& reading = {});

/// "FILE:12:7: error: joints[2].dh.alpha: message", the form in which all findings are shown. Line
/// and column, or the path, are left out where they are not known.
[[nodiscard]] std::string to_text(const Finding& finding, const std::string& file);

/// The errors among them, one line each, at most 50.
[[nodiscard]] std::string error_lines(const std::vector<Finding>& findings,
                                      const std::string& file);

// Arms whose numbers are sampled within tolerances.

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
  double com = 0.0;       ///< of each coordinate of a link's center of mass, m
  double inertia = 0.0;   ///< of each principal moment of a link, as a share of it
  double friction = 0.0;  ///< of all friction of a joint and its motor together, as a share
  double payload = 0.0;   ///< of its mass, with which its inertia goes, as a share
  Distribution distribution = Distribution::uniform;
  std::vector<UncertainParameter> parameters{};
};

/// Samples arms within the bounds: parameters first, then the other numbers of the arm that follows
/// from them. Links without mass stay the same. Inertias farther from physical consistency than the
/// file's are clipped: the largest principal moment becomes smaller. It is within the bounds where
/// no moment of the file is below 0 (docs/derivation.md, 24.2).
class RobotSampler {
 public:
  /// Needs `of_parameters` where parameters are uncertain. Throws std::invalid_argument where it is
  /// missing there, and for bounds out of their ranges.
  RobotSampler(Robot robot, const Uncertainty& uncertainty, std::uint64_t seed,
               RobotOfParameters of_parameters = {});

  struct Sample {
    Robot robot;
    std::size_t clipped = 0;  ///< links with a principal moment that was clipped
  };
  /// The sample of that number, the same whatever else was sampled; the number sampled at the place
  /// `as_in_file` stays the file's. Throws what `of_parameters` throws.
  [[nodiscard]] Sample operator()(std::uint64_t sample,
                                  std::optional<std::uint32_t> as_in_file = {}) const;

  /// The arm with numbers at these points between their bounds, −1 to 1, by their places.
  [[nodiscard]] Sample at(std::span<const double> places) const;

  struct Extreme {
    double value = 0.0;
    std::vector<double> places;  ///< of an arm with that value, for `at`
    std::vector<double> parts;   ///< of the value, by place
  };
  /// The largest Σ slopes[k] εk among the arms of any distribution (docs/derivation.md, 35.10). εk
  /// is the k-th number between its bounds; moments of links are physically consistent.
  [[nodiscard]] Extreme largest(std::span<const double> slopes) const;

  /// A number that is sampled, by its place in a sample's stream.
  struct SampledNumber {
    std::uint32_t place = 0;
    std::string name;  ///< "mass of elbow"
  };
  [[nodiscard]] std::vector<SampledNumber> sampled_numbers() const;

 private:
  /// Encloses all arms within the bounds, whatever their distribution (docs/derivation.md, 35.10): sampled numbers have the ε of
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
