#include "cli/vary/fan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "math/statistics.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_torques = 4'000'000;

/// Quantiles of a line and the sides of two bands, drawn behind the arm of the file and the worst.
constexpr std::array fan_quantiles{0.5, 0.05, 0.95, 0.25, 0.75};

/// Rows between which nothing of a joint's course is lost, four of each stretch at most.
void keep_extremes(std::span<const double> tau, std::size_t stretches,
                   std::set<std::size_t>& rows) {
  ThinnedSeries series(stretches);
  for (std::size_t row = 0; row < tau.size(); ++row) {
    series.append(static_cast<double>(row), tau[row]);
  }
  for (const double row : series.points().x) rows.insert(static_cast<std::size_t>(row));
}

}  // namespace

TorqueFan::TorqueFan(const HeldMotion& motion, const Columns& tau) : motion_(motion) {
  const std::size_t most_rows = most_torques / (most_arms * std::max<std::size_t>(1, tau.size()));
  std::set<std::size_t> rows;
  std::size_t stretches = most_rows;
  do {
    stretches = std::max<std::size_t>(1, stretches / 2);
    rows.clear();
    for (const std::vector<double>& column : tau) keep_extremes(column, stretches, rows);
  } while (rows.size() > most_rows && stretches > 1);
  rows_.assign(rows.begin(), rows.end());
  nominal_ = at_rows(tau);
}

Columns TorqueFan::at_rows(const Columns& columns) const {
  Columns kept(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const std::size_t row : rows_) kept[c].push_back(columns[c][row]);
  }
  return kept;
}

JointPanel TorqueFan::panel() {
  const std::string outer = "5 to 95 % of the arms", inner = "25 to 75 %";
  return {"τ",
          Measure::torque,
          {"arm of the file", "median", "worst arm", outer, outer, inner, inner},
          7};
}

void TorqueFan::draw(const Columns& worst, JointPicture& picture) const {
  const std::size_t n = nominal_.size();
  std::vector<std::uint64_t> ranks;
  for (const double p : fan_quantiles) ranks.push_back(quantile_ranks(arms_.size(), p).estimate);
  std::size_t breaks = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::size_t before = breaks;
    while (breaks < motion_.breaks.size() && motion_.breaks[breaks] <= rows_[k]) ++breaks;
    if (breaks > before) picture.break_off();
    const double x = motion_.t.empty() ? static_cast<double>(rows_[k] + 1) : motion_.t[rows_[k]];
    const auto add = [&](std::size_t curve, const auto& torque_of) {
      std::vector<double> tau(n);
      for (std::size_t i = 0; i < n; ++i) tau[i] = torque_of(i);
      picture.add(0, curve, x, tau);
    };
    add(0, [&](std::size_t i) { return nominal_[i][k]; });
    if (!worst.empty()) add(2, [&](std::size_t i) { return worst[i][k]; });
    if (arms_.empty()) continue;
    Columns sorted(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (const Columns& arm : arms_) sorted[i].push_back(arm[i][k]);
      std::ranges::sort(sorted[i]);
    }
    for (std::size_t c = 0; c < ranks.size(); ++c) {
      add(c == 0 ? 1 : 2 + c, [&](std::size_t i) { return sorted[i][ranks[c] - 1]; });
    }
  }
}

}  // namespace armdyn
