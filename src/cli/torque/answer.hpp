#pragma once

// What `torque` says about a whole motion: peaks, RMS, shares of the limits, residuals.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "motion/friction_fit.hpp"
#include "report/answer.hpp"
#include "report/extreme.hpp"

namespace armdyn {

/// Columns of one block of rows; one span per joint. `t` and `measured` are empty if not there.
struct TorqueColumns {
  std::size_t rows = 0;
  std::span<const double> t;
  std::vector<std::span<const double>> q, qd, tau, measured;
};

class TorqueSummary {
 public:
  explicit TorqueSummary(const Robot& robot);

  void add(const TorqueColumns& block);

  /// A table for reading, with one line per joint.
  [[nodiscard]] std::string text() const;
  /// rows, t, joints; under the keys of docs/commands.md.
  [[nodiscard]] nlohmann::json json() const;
  /// Limits that are exceeded, one sentence each.
  [[nodiscard]] std::vector<std::string> broken_limits() const;
  /// Other things that a user should know.
  [[nodiscard]] std::vector<std::string> remarks() const;

 private:
  struct JointRecord {
    // With the row from 1 for the time where there is none.
    Extreme torque, velocity, residual;
    Extreme below, above;  ///< how far the position leaves its limits
    Extreme position;      ///< |q|
    double squares = 0.0;
    double residual_squares = 0.0;
    Correlation correlation;  // of the measured and the computed torque
    FrictionFit friction;     // in the residual
    std::size_t rows_at_rest = 0;
  };

  void add(const TorqueColumns& block, std::size_t joint);
  [[nodiscard]] Fields head() const;
  [[nodiscard]] std::vector<Fields> joints() const;
  [[nodiscard]] std::string friction_hints() const;
  [[nodiscard]] std::string place(double at) const;
  [[nodiscard]] std::string note_on_rest() const;
  [[nodiscard]] double rms(double squares) const;

  const Robot& robot_;
  std::vector<JointRecord> records_;
  std::size_t rows_ = 0;
  double first_time_ = 0.0;
  double last_time_ = 0.0;
  bool has_time_ = false;
  bool has_measured_ = false;
};

}  // namespace armdyn
