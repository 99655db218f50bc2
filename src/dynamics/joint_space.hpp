#pragma once

#include <armdyn/examination.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace armdyn {

/// The positions of an arm, and a search among them. What it finds is found, not proved: another
/// position may have more.
class JointSpace {
 public:
  explicit JointSpace(const Robot& robot);

  /// Positions to try: zero if allowed, the named poses, right angles, and then random ones.
  [[nodiscard]] const std::vector<std::vector<double>>& samples() const { return samples_; }

  using Function = std::function<double(std::span<const double> q)>;

  /// The smallest value that a search finds of a function with the form (9.29) in each joint alone,
  /// as gravity torques, inertias and squares of distances have it. The search starts at the best
  /// samples and at others, and goes from minimum to minimum along one joint at a time.
  [[nodiscard]] AtPosition smallest(const Function& function) const;
  [[nodiscard]] AtPosition largest(const Function& function) const;

  /// For a position, a function with the form (9.29) that is lower elsewhere only where another
  /// function is.
  using Guide = std::function<Function(std::span<const double> q)>;

  /// The same of any function, which the search follows by its guide. A value of at most `enough`
  /// ends the search.
  [[nodiscard]] AtPosition smallest(const Function& function, const Guide& guide,
                                    double enough) const;

 private:
  struct Axis {
    JointType type;
    Range range;
  };

  [[nodiscard]] bool contains(std::span<const double> q) const;
  void add_named_positions(const Robot& robot);
  void add_right_angles();
  void add_random_positions();

  class Descent;

  std::vector<Axis> axes_;
  std::vector<std::vector<double>> samples_;
};

}  // namespace armdyn
