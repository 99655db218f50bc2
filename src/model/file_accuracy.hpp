#pragma once

// The accuracy of a robot's numbers, for error bounds of the decimals that its file has.

#include <armdyn/robot.hpp>

#include <map>

namespace armdyn {

/// Accuracy of a number that was read from a file.
struct NumberAsWritten {
  double value = 0.0;        ///< as read; of a number that has changed since, nothing here counts
  double half_unit = 0.0;    ///< of its last decimal, in SI units
  bool is_computed = false;  ///< from numbers of the file, and so a few roundings off
};

/// The arm of a URDF by the numbers of its file, which a table rounds: the links from the
/// world to the tool and those fixed to them, each after its parent.
struct AsPlaced {
  struct Link {
    std::size_t parent = 0;        ///< in `links`; of the first: itself
    std::size_t joints = 0;        ///< number of the arm's joints between the world and this link
    PlacementOf<double> origin{};  ///< in the parent's frame, at q = 0
    Vec3 axis{0.0, 0.0, 1.0};      ///< of its own joint, a unit vector
    PlacementOf<double> inertial{};
    MassPropertiesOf<double> body{};  ///< in the inertial frame
  };
  std::vector<Link> links;
  std::size_t tool = 0;  ///< the link whose frame is the tool's
};

/// Accuracy of the base parameters of an identified arm (docs/derivation.md, section 30).
struct IdentifiedParameters {
  std::vector<std::string> names;  ///< the first parameter of each: "Izz2", "offset3"
  std::vector<double> offsets;     ///< of the torques in the logs; 0 for other parameters
  std::vector<double> covariance;  ///< lower triangle by rows, in SI units

  [[nodiscard]] double covariance_of(std::size_t i, std::size_t j) const {
    return i < j ? covariance_of(j, i) : covariance[i * (i + 1) / 2 + j];
  }
};

/// What a file states about the accuracy of its robot's numbers.
struct FileAccuracy {
  /// By their paths in the file: "joints[2].friction.coulomb", "joints[0].com[1]". Other numbers are
  /// exactly their doubles.
  std::map<std::string, NumberAsWritten> numbers{};
  std::optional<AsPlaced> as_placed{};  ///< of a table made from a URDF
  std::optional<IdentifiedParameters> identified{};
};

}  // namespace armdyn
