#include "cli/identify/load_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/each.hpp"
#include "math/thinned_columns.hpp"
#include "model/shown_text.hpp"
#include "observation/load_history.hpp"
#include "report/document.hpp"

namespace armdyn {

void RowsOfLog::add(std::span<const double> t, std::span<const std::size_t> breaks, const Spans& q,
                    const Spans& qd, const Spans& qdd, const Spans& tau) {
  constexpr std::size_t most = 20'000;  // rows
  for (Columns* columns : {&log_.q, &log_.qd, &log_.qdd, &log_.tau}) columns->resize(q.size());
  for (std::size_t row = 0; row < t.size(); ++row) {
    comes_after_gap_ = comes_after_gap_ || std::ranges::binary_search(breaks, row);
    if (seen_++ % every_ != 0) continue;
    if (std::exchange(comes_after_gap_, false) && log_.rows() > 0) {
      log_.breaks.push_back(log_.rows());
    }
    log_.t.push_back(t[row]);
    for (std::size_t j = 0; j < q.size(); ++j) {
      log_.q[j].push_back(q[j][row]);
      log_.qd[j].push_back(qd[j][row]);
      log_.qdd[j].push_back(qdd[j][row]);
      log_.tau[j].push_back(tau[j][row]);
    }
    if (log_.rows() == most) keep_every_second();
  }
}

void RowsOfLog::keep_every_second() {
  armdyn::keep_every_second(log_.t);
  for (Columns* columns : {&log_.q, &log_.qd, &log_.qdd, &log_.tau}) {
    for (std::vector<double>& column : *columns) armdyn::keep_every_second(column);
  }
  for (std::size_t& row : log_.breaks) row = (row + 1) / 2;
  log_.breaks.erase(std::unique(log_.breaks.begin(), log_.breaks.end()), log_.breaks.end());
  every_ *= 2;
}

std::optional<std::string> RowsOfLog::load_change(const Identification& found) const {
  constexpr double slow = 0.03;    // rad/s, m/s
  constexpr double certain = 4.0;  // standard deviations
  constexpr std::size_t fewest = 20;
  if (log_.rows() < fewest) return {};
  ErrorRegressor regressor(found.robot, slow);
  Columns left = direct_residual(found.robot, log_);
  for (std::size_t j = 0; j < left.size(); ++j) {
    for (double& x : left[j]) x -= found.offsets[j];
  }
  const LoadHistory loads = find_loads(regressor, log_, left, {});
  std::vector<std::string> changes;
  for (std::size_t k = 1; k < loads.intervals.size(); ++k) {
    const LoadInterval &before = loads.intervals[k - 1], &now = loads.intervals[k];
    const double mass = now.mass() - before.mass();
    const double error = std::hypot(now.mass_error(), before.mass_error());
    if (std::abs(mass) < certain * error) continue;
    changes.push_back(fmt::format("by {:+.2g} ± {:.1g} kg at {} s", mass, error,
                                  Value::moment(log_.t[now.from]).brief));
  }
  if (changes.empty()) return {};
  return fmt::format(
      "{}: no constant load explains the torques; the load seems to change {}; armdyn observe "
      "finds loads and contacts",
      name_, listed(changes));
}

}  // namespace armdyn
