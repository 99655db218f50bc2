#include <armdyn/error.hpp>
#include <armdyn/simulation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "math/rigid.hpp"
#include "simulation/require.hpp"
#include "simulation/step_ends.hpp"

namespace armdyn {

namespace {

void copy(const std::vector<double>& from, std::span<double> tau) {
  require(from.size() == tau.size(), "torques need one entry per joint");
  std::ranges::copy(from, tau.begin());
}

}  // namespace

ConstantTorque::ConstantTorque(std::vector<double> tau, const Wrench& hand)
    : tau_(std::move(tau)), hand_(hand) {}

double ConstantTorque::begin_stretch(double /*t*/, std::span<const double> /*q*/,
                                     std::span<const double> /*qd*/) {
  return forever;
}

void ConstantTorque::evaluate(double /*t*/, std::span<const double> /*q*/,
                              std::span<const double> /*qd*/, std::span<double> tau, Wrench& hand) {
  copy(tau_, tau);
  hand = hand_;
}

SampledTorque::SampledTorque(Source source, Interpolation interpolation)
    : source_(std::move(source)), interpolation_(interpolation) {
  if (!source_(from_)) throw InputError("there are no torques: not one row");
  read_next();
}

void SampledTorque::read_next() {
  has_next_ = source_(to_);
  if (has_next_ && !(to_.t > from_.t)) {
    throw InputError(fmt::format("t must increase from row to row: {} follows {}", to_.t, from_.t));
  }
}

double SampledTorque::begin_stretch(double t, std::span<const double> /*q*/,
                                    std::span<const double> /*qd*/) {
  before_first_ = t < from_.t;
  if (before_first_) return from_.t;
  while (has_next_ && to_.t <= t) {
    std::swap(from_, to_);
    read_next();
  }
  return has_next_ ? to_.t : forever;
}

void SampledTorque::evaluate(double t, std::span<const double> /*q*/,
                             std::span<const double> /*qd*/, std::span<double> tau, Wrench& hand) {
  if (interpolation_ == Interpolation::hold || before_first_ || !has_next_ || t <= from_.t) {
    copy(from_.tau, tau);
    hand = from_.hand;
    return;
  }
  if (t >= to_.t) {
    copy(to_.tau, tau);
    hand = to_.hand;
    return;
  }
  const double u = (t - from_.t) / (to_.t - from_.t);
  copy(from_.tau, tau);
  require(to_.tau.size() == tau.size(), "torques need one entry per joint");
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] += u * (to_.tau[i] - tau[i]);
  hand = {from_.hand.force + u * (to_.hand.force - from_.hand.force),
          from_.hand.moment + u * (to_.hand.moment - from_.hand.moment)};
}

}  // namespace armdyn
