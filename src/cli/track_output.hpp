#pragma once

// Rows of a closed loop on their way out: to the table, and to the picture.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>
#include <armdyn/trajectory.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/output_file.hpp"
#include "io/table.hpp"
#include "io/table_writer.hpp"
#include "io/thinned_series.hpp"

namespace armdyn {

/// e = desired minus actual position.
class TrackingError {
 public:
  explicit TrackingError(const Trajectory& desired);
  std::span<const double> at(double t, std::span<const double> q);

 private:
  Trajectory desired_;
  std::vector<double> e_, qd_, qdd_;
};

/// Prints t, q, qd, tau and e, a block of rows at a time.
class TrackWriter {
 public:
  TrackWriter(OutputFile& output, std::size_t dof);

  void add(const SimulationRow& row, std::span<const double> e);
  /// What has been added so far is written.
  void flush();

 private:
  OutputFile& output_;
  TableWriter writer_;
  Table block_;
  std::string text_;
};

/// Error and torque of each joint over time.
class TrackPicture {
 public:
  explicit TrackPicture(const Robot& robot) : robot_(robot), e_(robot.dof()), tau_(robot.dof()) {}

  void add(const SimulationRow& row, std::span<const double> e);
  void draw(const std::string& path) const;

 private:
  const Robot& robot_;
  std::vector<ThinnedSeries> e_, tau_;
};

/// Progress through a span of time, for a progress line that counts.
class TimeShare {
 public:
  static constexpr std::uintmax_t whole = 1'000'000;

  TimeShare(double begin, double end) : begin_(begin), end_(end) {}
  [[nodiscard]] std::uintmax_t at(double t) const {
    return static_cast<std::uintmax_t>((t - begin_) / (end_ - begin_) * static_cast<double>(whole));
  }

 private:
  double begin_, end_;
};

}  // namespace armdyn
