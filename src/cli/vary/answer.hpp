#pragma once

// What `vary` says about many arms: quantiles of their torques, limits, the worst one.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/vary/arms.hpp"
#include "report/document.hpp"

namespace armdyn {

class VarySummary {
 public:
  VarySummary(const Robot& robot, const HeldMotion& motion);

  /// Rows of samples, in any order.
  void add(std::span<const std::vector<double>> rows);

  [[nodiscard]] const TorqueNeed& nominal() const { return nominal_; }
  [[nodiscard]] const std::vector<double>& scales() const { return scales_; }
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  /// Of the arm with the largest share, the first of several; 0 without a sample.
  [[nodiscard]] std::uint64_t worst_sample() const { return worst_; }
  /// Arms that exceed a torque limit.
  [[nodiscard]] std::uint64_t broken() const { return broken_; }

  /// samples, moved, peak, rms, motors, broken, worst, causes; under the keys of docs/commands.md. To
  /// be called once all samples are there; sorts what was added.
  [[nodiscard]] Sections sections(const WorstArm& worst);
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  [[nodiscard]] Fields head() const;
  [[nodiscard]] Fields limits() const;
  [[nodiscard]] Fields worst(const WorstArm& arm) const;
  [[nodiscard]] FieldTable motors() const;
  [[nodiscard]] std::vector<Fields> joints(std::vector<std::vector<double>>& values,
                                           const std::vector<double>& nominal, bool are_peaks);

  const Robot& robot_;
  const HeldMotion& motion_;
  TorqueNeed nominal_;
  std::vector<double> scales_;
  bool limits_torque_;  ///< some joint, or some motor of a coupling
  std::uint64_t samples_ = 0, moved_ = 0, broken_ = 0, worst_ = 0;
  double worst_share_ = -1.0;
  std::vector<std::uint64_t> broken_joints_, broken_motors_;
  std::vector<std::vector<double>> peaks_, rms_;
};

}  // namespace armdyn
