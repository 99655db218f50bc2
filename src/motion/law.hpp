#pragma once

#include <armdyn/trajectory.hpp>

#include <utility>

namespace armdyn {

/// What is behind a Trajectory. `at` is called with begin ≤ t ≤ end and dof entries.
struct Trajectory::Law {
  explicit Law(std::vector<double> times) : knots(std::move(times)) {}
  Law(const Law&) = delete;
  Law& operator=(const Law&) = delete;
  virtual ~Law() = default;

  [[nodiscard]] virtual std::size_t dof() const = 0;
  virtual void at(double t, std::span<double> q, std::span<double> qd,
                  std::span<double> qdd) const = 0;

  std::vector<double> knots;
  int probes = 64;  ///< per stretch between knots, enough to see every peak of a rate
};

/// One joint at one time.
template <class S>
struct JointSample {
  S q, qd, qdd;
};

}  // namespace armdyn
