#pragma once

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <functional>
#include <limits>

// Extremes of a robot over its whole range of positions: found by search, not proved. Every value
// is there at its position; that no other position has more (or less) is most likely, no more.

namespace armdyn {

/// Something at a position of the arm.
struct AtPosition {
  double value = 0.0;
  std::vector<double> q;  ///< dof entries, rad or m
};

/// Extremes of one joint, over all positions.
struct JointLoad {
  AtPosition smallest_inertia;  ///< of M's diagonal without rotors, kg·m² or kg
  AtPosition largest_inertia;   ///< likewise
  AtPosition largest_gravity;   ///< |G|, N·m or N
  double rotor_inertia = 0.0;   ///< reflected to the joint, kg·m² or kg
};

/// States whether the mass matrix can be inverted. Joints have units and sizes of their own, so M is
/// scaled first: entry (i, j) is divided by √(D_i D_j), D_i the largest M_ii at any position.
struct MassMatrixVerdict {
  enum class Kind {
    regular,  ///< wherever the search came
    singular_somewhere,
    singular_everywhere,
    indefinite,  ///< somewhere: some motion would have negative kinetic energy
  };
  Kind kind = Kind::regular;
  AtPosition smallest_ratio;        ///< of smallest to largest eigenvalue; 0 where singular
  std::vector<std::size_t> joints;  ///< that take part in the motion of least inertia there
};

struct Examination {
  double total_mass = 0.0;  ///< of all links, without the payload, kg
  AtPosition reach;         ///< of the tool frame's origin, from that of {0}, m
  AtPosition axis_reach;    ///< likewise from the axis of joint 1, m; the joint must be revolute
  MassMatrixVerdict mass_matrix;
  std::vector<JointLoad> loads;  ///< one per joint
  /// |torque| at the motors of row_limits, in their order; N·m.
  std::vector<AtPosition> motor_gravity;
  std::vector<Finding> warnings;   ///< what is suspicious in the above
  std::vector<std::string> notes;  ///< what is in order, but good to know
};

/// Tries the positions within the joint limits (without: a turn of a revolute joint, −1 to 1 m of a
/// prismatic one): zero, the named poses, right angles and random ones, and searches on from some
/// of them by the exact extremes along each joint (docs/derivation.md, 9.8). The same robot gives
/// the same result. The robot must have no error in `check`. Throws NotFinite where a load is no
/// finite number.
[[nodiscard]] Examination examine(const Robot& robot);

/// The range in which a joint is examined: within its limits, but not more than a turn; rad or m.
[[nodiscard]] Range examined_range(const Joint& joint);

/// The positions of an arm, and a search among them. What it finds is found, not proved: another
/// position may have more.
class JointSpace {
 public:
  explicit JointSpace(const Robot& robot);

  /// Positions to try: zero if allowed, the named poses, right angles, and then random ones.
  [[nodiscard]] const std::vector<std::vector<double>>& samples() const { return samples_; }

  using Function = std::function<double(std::span<const double> q)>;

  /// A function with the form (9.29), for a position, that is lower elsewhere only where another
  /// function is.
  using Guide = std::function<Function(std::span<const double> q)>;

  /// The smallest value that a search finds of a function with the form (9.29) in each joint alone,
  /// as gravity torques, inertias and squares of distances have it, or of any function, which the
  /// search follows by its guide. The search starts at the best samples and at others, and goes from
  /// minimum to minimum along one joint at a time. A value of at most `enough` ends it.
  [[nodiscard]] AtPosition smallest(const Function& function, const Guide& guide = {},
                                    double enough = -std::numeric_limits<double>::infinity()) const;
  /// Finds the largest value of a function with that form.
  [[nodiscard]] AtPosition largest(const Function& function) const;

 private:
  struct Axis {
    JointType type;
    Range range;
  };

  /// Adds all combinations of right angles, or that many of them.
  void add_right_angles();

  class Descent;

  std::vector<Axis> axes_;
  std::vector<std::vector<double>> samples_;
};

}  // namespace armdyn
