#pragma once

// Test whether one constant load explains a log, as observe does it.

#include <armdyn/identification.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "observation/observer.hpp"

namespace armdyn {

/// Rows of a log that is fitted; of a long one every second, fourth, …, in bounded memory.
class RowsOfLog {
 public:
  using Spans = std::vector<std::span<const double>>;
  explicit RowsOfLog(std::string name) : name_(std::move(name)) {}

  /// Adds a block; `breaks` are its rows that come after a gap.
  void add(std::span<const double> t, std::span<const std::size_t> breaks, const Spans& q,
           const Spans& qd, const Spans& qdd, const Spans& tau);

  /// Warning of loads that come or go in the log, by the residual of the new robot.
  [[nodiscard]] std::optional<std::string> load_change(const Identification& found) const;

 private:
  void keep_every_second();

  std::string name_;
  ObservedLog log_;
  std::size_t every_ = 1, seen_ = 0;
  bool comes_after_gap_ = false;
};

}  // namespace armdyn
