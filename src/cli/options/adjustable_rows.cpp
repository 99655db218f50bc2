#include "cli/options/adjustable_rows.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "dynamics/adjustable_torque.hpp"
#include "math/thinned_columns.hpp"
#include "report/packed_numbers.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_numbers = 52'000;      // 2001 rows of six joints
constexpr std::size_t most_characters = 200'000;  // of the rows of a page of 400 kB
constexpr std::size_t few_rows = 100;

std::size_t characters(const std::vector<std::vector<double>>& columns) {
  std::size_t sum = 0;
  for (const std::vector<double>& column : columns) sum += compact_json(packed(column)).size();
  return sum;
}

}  // namespace

AdjustableRows::AdjustableRows(const Robot& robot)
    : robot_(robot), arm_(normalize(robot)), columns_(1 + 4 * robot.dof()), peaks_(robot.dof()) {}

void AdjustableRows::add(std::span<const double> values) {
  const std::size_t number = count_++, first_tau = values.size() - peaks_.size();
  for (std::size_t i = 0; i < peaks_.size(); ++i) {
    Row& peak = peaks_[i];
    const double tau = std::abs(values[first_tau + i]);
    if (!peak.values.empty() && tau <= std::abs(peak.values[first_tau + i])) continue;
    peak = {number, {values.begin(), values.end()}};
  }
  if (number % stride_ != 0) return;
  if (columns_[0].size() >= most_numbers / columns_.size()) {
    thin_out();
    if (number % stride_ != 0) return;
  }
  for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].push_back(values[k]);
}

void AdjustableRows::add(double t, const MotionState& state, const Wrench& wrench) {
  std::vector<double> row{t};
  const std::vector<double> tau = torque(arm_, state, wrench);
  for (const std::span<const double> group : {state.q, state.qd, state.qdd, std::span(tau)}) {
    row.insert(row.end(), group.begin(), group.end());
  }
  add(row);
}

void AdjustableRows::thin_out() {
  stride_ *= 2;
  for (std::vector<double>& column : columns_) keep_every_second(column);
}

void AdjustableRows::insert_peaks() {
  std::ranges::sort(peaks_, std::ranges::greater(), &Row::number);
  const auto same = [](const Row& a, const Row& b) { return a.number == b.number; };
  peaks_.erase(std::unique(peaks_.begin(), peaks_.end(), same), peaks_.end());
  for (const auto& [number, values] : peaks_) {
    if (number % stride_ == 0) continue;
    const auto place = static_cast<std::ptrdiff_t>(number / stride_ + 1);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      columns_[k].insert(columns_[k].begin() + place, values[k]);
    }
  }
}

std::optional<AdjustableTorque> AdjustableRows::finish(bool has_wrench, std::vector<double> rms) {
  if (columns_[0].empty()) return {};
  while (columns_[0].size() > few_rows && characters(columns_) > most_characters) thin_out();
  insert_peaks();
  try {
    return AdjustableTorque{adjustable_torque(robot_), std::move(columns_), has_wrench,
                            std::move(rms), count_};
  } catch (const std::length_error&) {
    return {};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace armdyn
