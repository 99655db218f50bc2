// A time that no motion on a path goes below (docs/derivation.md, 10.13).

#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/linear_form.hpp"
#include "motion/joint_path.hpp"
#include "motion/time_optimal.hpp"

namespace armdyn {

namespace {

/// From least to largest, all over a cell.
LinearForm between(double least, double largest) {
  return {0.5 * (least + largest), 0.0, 0.5 * (largest - least)};
}

/// A limit on a cell: |A s̈ + B ṡ² + C ṡ + D| ≤ most, forms over the cell.
struct CellLimit {
  LinearForm A, B, C, D;
  double most = 0.0;
};

struct BoundCell {
  double h = 0.0;
  std::vector<CellLimit> limits{};
  double least_time = 0.0;  ///< by limits of velocity alone: ∫ |C| ds over them
};

class LeastDuration {
 public:
  LeastDuration(const JointPath& path, PathDemands& demands)
      : path_(path),
        demands_(demands),
        arm_(demands.arm()),
        weightless_(weightless(arm_)),
        rotors_(rotor_inertias(arm_)),
        links_(arm_.dof()) {}

  double find(std::size_t count) {
    nodes_ = path_nodes(path_, demands_, count);
    std::vector<double> top(nodes_.size(), std::numeric_limits<double>::infinity());
    cells_.clear();
    for (std::size_t c = 0; c + 1 < nodes_.size(); ++c) {
      cells_.push_back(cell(c));
      for (const std::size_t end : {c, c + 1}) top[end] = std::min(top[end], top_at(c, end));
    }
    for (const std::size_t node : stops_among(nodes_, path_)) top[node] = 0.0;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      top[c + 1] = std::min(top[c + 1], step(c, top[c], true));
    }
    for (std::size_t c = cells_.size(); c-- > 0;) {
      top[c] = std::min(top[c], step(c, top[c + 1], false));
    }
    double time = 0.0;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      time += std::max(cells_[c].least_time, least_time(cells_[c].h, top[c], step(c, top[c], true),
                                                        top[c + 1], step(c, top[c + 1], false)));
    }
    constexpr double rounding = 1e-12;  // of a sum of positive numbers
    return time * (1.0 - rounding);
  }

 private:
  /// Over a cell, below the straight lines from x0 to x0_end and from x1_begin to x1.
  static double least_time(double h, double x0, double x0_end, double x1, double x1_begin) {
    const auto straight = [](double way, double a, double b) {
      const double sum = std::sqrt(a) + std::sqrt(b);
      return sum > 0.0 && std::isfinite(sum) ? 2.0 * way / sum : 0.0;
    };
    if (!std::isfinite(x0_end) && !std::isfinite(x1_begin)) return 0.0;
    if (!std::isfinite(x0_end) || x0 >= x1_begin) return straight(h, x1_begin, x1);
    if (!std::isfinite(x1_begin) || x1 >= x0_end) return straight(h, x0, x0_end);
    const double up = x0_end - x0, down = x1_begin - x1;  // x0 + up σ = x1 + down (1 − σ)
    const double share = std::clamp((x1 + down - x0) / (up + down), 0.0, 1.0);
    const double peak = std::max(x0 + up * share, x1 + down * (1.0 - share));
    return straight(share * h, x0, peak) + straight((1.0 - share) * h, peak, x1);
  }

  /// q, q', q'' of a joint over a cell of half-width e about s (their Taylor polynomials).
  static std::array<LinearForm, 3> over(const JointPath& path, std::size_t piece, std::size_t i,
                                        double s, double e) {
    const PathSample at = path.at(piece, i, s);
    const double first = path.at(piece, i, s - e).d3, last = path.at(piece, i, s + e).d3;
    const double inner = 2.0 * at.d3 - 0.5 * (first + last);  // Bernstein's form of q'''
    const double third = std::max({std::abs(first), std::abs(inner), std::abs(last)});
    const double fourth = std::max(std::abs(inner - first), std::abs(last - inner)) / e;
    const double second = std::abs(at.d2) + e * third;
    const double half = 0.5 * e * e;
    constexpr double digits = 1e-14;
    const auto form = [](double value, double slope, double rest) {
      return LinearForm{value, slope, rest + digits * (std::abs(value) + std::abs(slope))};
    };
    return {form(at.q, at.d1 * e, half * second), form(at.d1, at.d2 * e, half * third),
            form(at.d2, at.d3 * e, half * fourth)};
  }

  BoundCell cell(std::size_t c) {
    const std::size_t n = arm_.dof(), piece = path_.piece_at(nodes_[c]);
    const double s = std::midpoint(nodes_[c], nodes_[c + 1]), h = nodes_[c + 1] - nodes_[c];
    std::vector<LinearForm> q, slope, curvature;
    for (std::size_t i = 0; i < n; ++i) {
      const auto [at, first, second] = over(path_, piece, i, s, 0.5 * h);
      q.push_back(at);
      slope.push_back(first);
      curvature.push_back(second);
    }
    const std::vector<LinearForm> zero(n);
    std::vector<LinearForm> first(n), second(n), level(n), viscous(n);
    newton_euler<LinearForm>(weightless_, std::span<const LinearForm>(q), zero, slope, nullptr,
                             links_, first);
    newton_euler<LinearForm>(weightless_, std::span<const LinearForm>(q), slope, curvature, nullptr,
                             links_, second);
    newton_euler<LinearForm>(arm_, std::span<const LinearForm>(q), zero, zero, nullptr, links_,
                             level);
    const auto add_rotors = [&](std::vector<LinearForm>& tau,
                                const std::vector<LinearForm>& rates) {
      for (std::size_t i = 0; i < n; ++i) tau[i] = tau[i] + rotors_.diagonal[i] * rates[i];
      for (const auto& [i, j, inertia] : rotors_.coupled) {
        tau[i] = tau[i] + inertia * rates[j];
        tau[j] = tau[j] + inertia * rates[i];
      }
    };
    add_rotors(first, slope);
    add_rotors(second, curvature);
    add_friction(piece, nodes_[c], nodes_[c + 1], q, slope, level, viscous);
    BoundCell found{h};
    for (const PathLimit& limit : demands_.limits()) {
      const auto sum = [&](const std::vector<LinearForm>& x) {
        LinearForm total;
        for (std::size_t i = 0; i < n; ++i) {
          if (limit.of_joints[i] != 0.0) total = total + limit.of_joints[i] * x[i];
        }
        return total;
      };
      if (limit.of == PathLimit::Of::torque) {
        found.limits.push_back({sum(first), sum(second), sum(viscous), sum(level), limit.most});
      } else if (limit.of == PathLimit::Of::velocity) {
        const LinearForm C = sum(slope);
        found.limits.push_back({{}, {}, C, {}, limit.most});
        found.least_time =
            std::max(found.least_time, h * (std::abs(C.middle) - C.rest) / limit.most);
      } else {
        found.limits.push_back({sum(slope), sum(curvature), {}, {}, limit.most});
      }
    }
    return found;
  }

  /// 1, −1: the way of a contact over a part of a piece; 0: unknown.
  [[nodiscard]] int way(std::size_t piece, std::size_t contact, double from, double to) const {
    const auto [least, largest] =
        std::ranges::minmax(path_.slopes(piece, demands_.contact_weights(contact), from, to));
    const double nothing = 1e-12 * std::max(-least, largest);
    if (least >= -nothing && largest > nothing) return 1;
    return largest <= nothing && least < -nothing ? -1 : 0;
  }

  /// Friction of joints and motors over a cell: what is viscous, and the rest as wide as it can be
  /// at any speed.
  void add_friction(std::size_t piece, double from, double to, const std::vector<LinearForm>& q,
                    const std::vector<LinearForm>& slope, std::vector<LinearForm>& level,
                    std::vector<LinearForm>& viscous) const {
    const auto dry = [](const TwoSided& least, const TwoSided& most, int direction) {
      if (direction == 1) return between(least.positive, most.positive);
      if (direction == -1) return between(-most.negative, -least.negative);
      return between(-most.negative, most.positive);
    };
    for (std::size_t i = 0; i < arm_.dof(); ++i) {
      const auto& [friction, motor] = arm_.drives[i];
      const int direction = way(piece, i, from, to);
      const double G = std::abs(motor.gear_ratio);
      const bool falls = stribeck_velocity(arm_.drives[i]).has_value() || direction == 0;
      const TwoSided top = falls ? friction.breakaway.value_or(friction.coulomb) : friction.coulomb;
      level[i] = level[i] +
                 ripple_factor(friction.ripple, q[i]) * dry(friction.coulomb, top, direction) +
                 G * dry(motor.coulomb, motor.coulomb, direction);
      viscous[i] = viscous[i] + (friction.viscous + G * G * motor.viscous) * slope[i];
      if (const double amplitude = friction.sigmoid.amplitude; amplitude != 0.0) {
        const double at_rest = logistic(friction.sigmoid.slope * friction.sigmoid.offset);
        level[i] = level[i] + between(direction == 1 ? 0.0 : -amplitude * at_rest,
                                      direction == -1 ? 0.0 : amplitude * (1.0 - at_rest));
      }
    }
    for (const CoupledMotors& coupled : arm_.coupled_motors) {
      for (std::size_t m = 0; m < coupled.joints.size(); ++m) {
        const Motor& motor = coupled.motors[m];
        const LinearForm speed = motor_rate<LinearForm>(coupled, m, slope);
        const LinearForm level_m =
            dry(motor.coulomb, motor.coulomb, way(piece, coupled.joints[m], from, to));
        for (std::size_t j = 0; j < coupled.joints.size(); ++j) {
          const std::size_t joint = coupled.joints[j];
          level[joint] = level[joint] + coupled.ratio(m, j) * level_m;
          viscous[joint] = viscous[joint] + coupled.ratio(m, j) * motor.viscous * speed;
        }
      }
    }
  }

  /// The largest ṡ² at an end of a cell for which some s̈ keeps all limits.
  double top_at(std::size_t c, std::size_t node) {
    demands_.go_to(path_, path_.piece_at(nodes_[c]), nodes_[node], std::vector<int>(arm_.dof()));
    std::vector<SpeedRow> rows;
    const double end = node == c ? -1.0 : 1.0;
    for (std::size_t k = 0; k < cells_[c].limits.size(); ++k) {
      const PathDemand& at = demands_.demands()[k];
      const auto& [A, B, C, D, most] = cells_[c].limits[k];
      const double level = D.middle + end * D.slope;
      rows.push_back({at.a, at.b, at.c, level - D.rest - most});
      rows.push_back({-at.a, -at.b, -at.c, -level - D.rest - most});
    }
    constexpr double rounding = 1e-9;
    constexpr double fastest = 1e9;
    const double z = largest_speed(rows, fastest).z * (1.0 + rounding);
    return z < 0.0 ? 0.0 : z < fastest ? z * z : std::numeric_limits<double>::infinity();
  }

  /// What ṡ² is at most at one end of a cell if it is at most x0 at the other: the least straight
  /// line over the cell on which some limit forbids to rise faster (eq. 10.45).
  [[nodiscard]] double step(std::size_t c, double x0, bool forwards) const {
    double best = std::numeric_limits<double>::infinity();
    if (std::isinf(x0)) return best;
    const double h = cells_[c].h;
    for (const CellLimit& limit : cells_[c].limits) {
      for (const double side : {1.0, -1.0}) {
        const auto seen = [&](const LinearForm& x) {
          const LinearForm of_side = side > 0.0 ? x : -x;
          return forwards ? of_side : of_side.mirrored();
        };
        const LinearForm A = forwards ? seen(limit.A) : -seen(limit.A);
        if (A.least() <= 0.0) continue;
        const LinearForm B = seen(limit.B), C = seen(limit.C), D = seen(limit.D);
        double u = rise(A, B, C, D, limit.most, x0, x0);
        for (int n = 0; n < 10; ++n) {
          const double x1 = std::max(0.0, x0 + 2.0 * h * u);
          const double needed = rise(A, B, C, D, limit.most, x0, x1);
          constexpr double rounding = 1e-13;
          if (needed <= (x1 - x0) / (2.0 * h)) {
            best = std::min(best, x1 * (1.0 + rounding));
            break;
          }
          u = needed + rounding * std::abs(needed) + 0.1 * std::max(0.0, needed - u) * n;
        }
      }
    }
    return best;
  }

  /// The least s̈ that a limit forbids to exceed all over a cell, on the straight line from x0 to x1.
  static double rise(const LinearForm& A, const LinearForm& B, const LinearForm& C,
                     const LinearForm& D, double most, double x0, double x1) {
    const LinearForm x{0.5 * (x0 + x1), 0.5 * (x1 - x0), 0.0};
    const double r0 = std::sqrt(x0), r1 = std::sqrt(x1), middle = std::sqrt(x.middle);
    const LinearForm chord{0.5 * (r0 + r1), 0.5 * (r1 - r0), 0.0};
    const LinearForm tangent{middle, middle > 0.0 ? 0.5 * x.slope / middle : 0.0, 0.0};
    LinearForm root = C.least() >= 0.0 ? chord : tangent;
    if (C.least() < 0.0 && C.largest() > 0.0) {
      root.rest = std::abs(tangent.middle - chord.middle) + std::abs(tangent.slope - chord.slope);
    }
    const LinearForm K = B * x + C * root + D - LinearForm(most);
    double needed = -std::numeric_limits<double>::infinity();
    for (const double end : {-1.0, 1.0}) {
      const double level = K.middle + end * K.slope - K.rest, a = A.middle + end * A.slope;
      needed = std::max(needed, -level / (level < 0.0 ? a - A.rest : a + A.rest));
    }
    return needed;
  }

  const JointPath& path_;
  PathDemands& demands_;
  Arm arm_, weightless_;
  RotorInertias rotors_;
  std::vector<LinkState<LinearForm>> links_;
  std::vector<double> nodes_;
  std::vector<BoundCell> cells_;
};

}  // namespace

double least_duration(const JointPath& path, PathDemands& demands, double duration) {
  constexpr double close = 1e-3;
  constexpr std::size_t fewest = 512, most = 8192;
  LeastDuration bound(path, demands);
  double best = 0.0;
  for (std::size_t cells = fewest; cells <= most; cells *= 2) {
    best = std::max(best, bound.find(cells));
    if (duration - best <= close * duration) break;
  }
  return best;
}

}  // namespace armdyn
