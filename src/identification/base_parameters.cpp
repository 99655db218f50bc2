#include <armdyn/regressor.hpp>

#include <fmt/format.h>
#include <armdyn/eigen.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

#include "math/decompositions.hpp"
#include "math/uniform.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

namespace {

using Kind = ParameterKind;

/// Of a column's norm: what is left of it beside the columns before is rounding.
constexpr double rounding = 1e-9;

/// Kinds that come first before those that are left to combinations.
std::size_t place(Kind kind) {
  constexpr std::array order{Kind::rotor_inertia,
                             Kind::coulomb,
                             Kind::sigmoid,
                             Kind::breakaway,
                             Kind::viscous,
                             Kind::motor_coulomb,
                             Kind::motor_viscous,
                             Kind::Izz,
                             Kind::Ixx,
                             Kind::Ixy,
                             Kind::Ixz,
                             Kind::Iyz,
                             Kind::mx,
                             Kind::my,
                             Kind::mass,
                             Kind::mz,
                             Kind::Iyy,
                             Kind::offset};
  return static_cast<std::size_t>(std::ranges::find(order, kind) - order.begin());
}

/// The regressor at random states of the robot, row over row, of the chosen columns.
Eigen::MatrixXd random_regressor(const Robot& robot, const Regressor& regressor,
                                 std::span<const std::size_t> chosen, std::uint64_t seed) {
  const std::size_t n = robot.dof();
  const std::size_t states = 4 * chosen.size() / n + 8;
  std::mt19937_64 random(seed);
  Eigen::MatrixXd Y(static_cast<Eigen::Index>(states * n),
                    static_cast<Eigen::Index>(chosen.size()));
  std::vector<double> q(n), qd(n), qdd(n);
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto [lower, upper] = position_range(robot.joints[i]);
      q[i] = uniform(random, lower, upper);
      const double x = uniform(random, -1.0, 1.0);
      qd[i] = 3.0 * x * x * x;  // slow enough now and then for what rises steeply at rest
      qdd[i] = uniform(random, -10.0, 10.0);
    }
    const Matrix at = regressor.matrix({q, qd, qdd});
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        Y(static_cast<Eigen::Index>(s * n + i), static_cast<Eigen::Index>(k)) = at(i, chosen[k]);
      }
    }
  }
  return Y;
}

}  // namespace

std::vector<double> BaseParameters::values(std::span<const double> parameters) const {
  std::vector<double> values;
  values.reserve(combinations.size());
  for (const BaseParameter& combination : combinations) {
    double value = parameters[combination.first];
    for (const auto& [k, factor] : combination.others) value += factor * parameters[k];
    values.push_back(value);
  }
  return values;
}

BaseParameters base_parameters(const Robot& robot, const Regressor& regressor,
                               std::span<const std::size_t> chosen, std::uint64_t seed) {
  const std::vector<DynamicParameter>& all = regressor.parameters();
  if (regressor.dof() != robot.dof()) {
    throw std::invalid_argument("the regressor is of another robot");
  }
  if (std::ranges::any_of(chosen, [&](std::size_t k) { return k >= all.size(); })) {
    throw std::invalid_argument("the regressor has no such parameter");
  }
  std::vector<std::size_t> order(chosen.begin(), chosen.end());
  if (order.empty()) {
    order.resize(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const bool is_left[] = {place(all[a].kind) >= place(Kind::mass),
                            place(all[b].kind) >= place(Kind::mass)};
    if (is_left[0] != is_left[1]) return is_left[1];
    // What is left to combinations: link after link, so that the nearest to the base comes first.
    if (is_left[0] && all[a].joint != all[b].joint) return all[a].joint < all[b].joint;
    return place(all[a].kind) < place(all[b].kind);
  });

  const Eigen::MatrixXd Y = random_regressor(robot, regressor, order, seed);
  BaseParameters base;
  Eigen::MatrixXd Q(Y.rows(), 0), first(Y.rows(), 0);
  std::vector<std::size_t> dependent;
  const double largest = Y.colwise().norm().maxCoeff();
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Eigen::VectorXd column = Y.col(static_cast<Eigen::Index>(k));
    if (!(column.norm() > rounding * largest)) {
      base.without_effect.push_back(order[k]);
      continue;
    }
    Eigen::VectorXd rest = column;
    for (int pass = 0; pass < 2; ++pass) rest -= Q * (Q.transpose() * rest);
    if (!(rest.norm() > rounding * column.norm())) {
      dependent.push_back(k);
      continue;
    }
    Q.conservativeResize(Eigen::NoChange, Q.cols() + 1);
    Q.rightCols<1>() = rest.normalized();
    first.conservativeResize(Eigen::NoChange, first.cols() + 1);
    first.rightCols<1>() = column;
    base.combinations.push_back({order[k], {}});
  }
  const auto sort = [&base] {
    std::ranges::sort(base.combinations, {}, &BaseParameter::first);
    std::ranges::sort(base.without_effect);
  };
  if (dependent.empty()) {
    sort();
    return base;
  }

  const Eigen::VectorXd scale = first.colwise().norm();
  const Eigen::MatrixXd units = first * scale.cwiseInverse().asDiagonal();
  for (const std::size_t k : dependent) {
    const Eigen::VectorXd column = Y.col(static_cast<Eigen::Index>(k));
    const Eigen::VectorXd shares = least_squares(units, column / column.norm());
    for (Eigen::Index b = 0; b < shares.size(); ++b) {
      if (std::abs(shares[b]) < 10.0 * rounding) continue;
      double factor = shares[b] * column.norm() / scale[b];
      const double whole = std::round(factor);
      if (std::abs(factor - whole) < 1e-9) factor = whole;
      base.combinations[static_cast<std::size_t>(b)].others.emplace_back(order[k], factor);
    }
  }
  sort();
  return base;
}

std::string words(const BaseParameter& combination, std::span<const DynamicParameter> parameters) {
  std::string text = name(parameters[combination.first]);
  for (const auto& [k, factor] : combination.others) {
    const double size = std::abs(factor);
    text += factor < 0.0 ? " - " : " + ";
    if (size != 1.0) text += fmt::format("{:.6g} ", size);
    text += name(parameters[k]);
  }
  return text;
}

}  // namespace armdyn
