#pragma once

#include <armdyn/examination.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace armdyn {

/// The positions of an arm, and a search among them.
class JointSpace {
 public:
  explicit JointSpace(const Robot& robot);

  /// Positions to try: zero if allowed, the named poses, right angles, and then random ones.
  [[nodiscard]] const std::vector<std::vector<double>>& samples() const { return samples_; }

  using Function = std::function<double(std::span<const double> q)>;

  /// The smallest value among the samples and whatever a search finds that starts at the best of
  /// them and moves one joint at a time. A value of at most `enough` ends the search.
  [[nodiscard]] AtPosition smallest(const Function& function, double enough) const;
  [[nodiscard]] AtPosition smallest(const Function& function) const;
  [[nodiscard]] AtPosition largest(const Function& function) const;

 private:
  [[nodiscard]] bool contains(std::span<const double> q) const;
  void add_named_positions(const Robot& robot);
  void add_right_angles(const Robot& robot);
  void add_random_positions();
  [[nodiscard]] AtPosition descend(const Function& function, AtPosition start, double enough) const;

  std::vector<Range> ranges_;
  std::vector<std::vector<double>> samples_;
};

}  // namespace armdyn
