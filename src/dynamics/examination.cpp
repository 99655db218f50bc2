#include "dynamics/examination.hpp"

#include <fmt/format.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <utility>

#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/statistics.hpp"
#include "model/check.hpp"
#include "model/joint_kind.hpp"
#include "model/mechanism.hpp"
#include "model/row_limits.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

using std::numbers::pi;
// Numbers of positions for up to 8 joints; fewer for longer chains, each of whose values takes
// longer.
constexpr std::size_t right_angle_count = 1024;
constexpr std::size_t random_count = 512;
constexpr std::size_t start_count = 48;
constexpr std::size_t finalist_count = 8;  // the starts with the best values after first_sweeps
constexpr std::size_t first_sweeps = 2;
constexpr std::size_t last_sweeps = 200;

std::size_t affordable(std::size_t count, std::size_t least, std::size_t dof) {
  return dof <= 8 ? count : std::clamp<std::size_t>(count * 64 / (dof * dof), least, count);
}

/// Positions of one joint where its axis lines up with others; ends and middle of a prismatic joint.
std::vector<double> landmarks(JointType type, const Range& range) {
  const double middle = range.lower + (range.upper - range.lower) / 2;
  if (!is_turning(type)) return {range.lower, middle, range.upper};
  std::vector<double> angles;
  for (const double angle : {0.0, pi / 2, -pi / 2, pi}) {
    if (range.lower <= angle && angle <= range.upper) angles.push_back(angle);
  }
  if (angles.empty()) angles.push_back(middle);
  return angles;
}

/// Tests whether it is lower by more than rounding, so that plain positions stay.
bool is_lower(double value, double than) {
  return value < than - 2e-15 * std::abs(than);
}

}  // namespace

/// a1 cos x + b1 sin x + a2 cos 2x + b2 sin 2x: eq. 9.29 but for its constant.
class Wave {
 public:
  /// Fits the values at x = 0, 2π/5, … 8π/5.
  explicit Wave(const std::array<double, 5>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double x = 2.0 * pi * static_cast<double>(k) / 5.0, share = 0.4 * values[k];
      a1_ += share * std::cos(x);
      b1_ += share * std::sin(x);
      a2_ += share * std::cos(2.0 * x);
      b2_ += share * std::sin(2.0 * x);
    }
  }

  [[nodiscard]] double at(double x) const {
    const double c = std::cos(x), s = std::sin(x);
    return a1_ * c + b1_ * s + a2_ * (c * c - s * s) + b2_ * 2.0 * s * c;
  }

  /// Places where it is lower than on either side, −π to π, once or twice.
  [[nodiscard]] std::vector<double> minima() const {
    constexpr std::size_t count = 16;
    std::array<double, count> values{};
    const auto place = [](std::size_t k) { return 2.0 * pi * static_cast<double>(k) / count - pi; };
    for (std::size_t k = 0; k < count; ++k) values[k] = at(place(k));
    std::vector<double> found;
    for (std::size_t k = 0; k < count; ++k) {
      if (values[k] > values[(k + 1) % count] || values[k] > values[(k + count - 1) % count]) {
        continue;
      }
      found.push_back(minimum_near(place(k), 2.0 * pi / count));
    }
    return found;
  }

 private:
  /// Newton's method, downhill, no step longer than `longest`.
  [[nodiscard]] double minimum_near(double x, double longest) const {
    for (int step = 0; step < 20; ++step) {
      const double c = std::cos(x), s = std::sin(x), c2 = c * c - s * s, s2 = 2.0 * s * c;
      const double slope = -a1_ * s + b1_ * c + 2.0 * (-a2_ * s2 + b2_ * c2);
      const double curvature = std::abs(a1_ * c + b1_ * s + 4.0 * (a2_ * c2 + b2_ * s2));
      const double move =
          curvature == 0.0 ? 0.0 : std::clamp(-slope / curvature, -longest, longest);
      x += move;
      if (std::abs(move) < 1e-15) break;
    }
    return x;
  }

  double a1_ = 0.0, b1_ = 0.0, a2_ = 0.0, b2_ = 0.0;
};

Range examined_range(const Joint& joint) {
  const Range limits = position_range(joint), turn = unlimited_range(JointType::revolute);
  const bool more_than_a_turn =
      is_turning(joint.type) && limits.lower <= turn.lower && limits.upper >= turn.upper;
  return more_than_a_turn ? turn : limits;
}

/// The way down from a start.
class JointSpace::Descent {
 public:
  Descent(const JointSpace& space, const Function& function, const Guide& guide, double enough)
      : axes_(space.axes_), function_(function), guide_(guide), enough_(enough) {}

  /// Moves every joint by itself to its minimum, and all of them on in the direction in which that
  /// went; so often, or until it does not help.
  void sweep(AtPosition& best, std::size_t times) const {
    for (std::size_t k = 0; k < times && best.value > enough_; ++k) {
      const AtPosition before = best;
      for (std::size_t i = 0; i < axes_.size(); ++i) to_minimum(best, i);
      go_on(best, before);
      if (best.value == before.value) break;
    }
  }

 private:
  void to_minimum(AtPosition& best, std::size_t i) const {
    const auto& [type, range] = axes_[i];
    if (range.lower == range.upper) return;
    std::vector<double> q = best.q;
    const Function guide = guide_ ? guide_(q) : function_;
    const auto at = [&](double q_i) {
      q[i] = q_i;
      return guide(q);
    };
    q[i] = is_turning(type) ? angle_of_minimum(at, best.q[i], range) : place_of_minimum(at, range);
    take_if_better(best, q);
  }

  template <class At>
  static double angle_of_minimum(const At& at, double here, const Range& range) {
    std::array<double, 5> values{};
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = at(here + 2.0 * pi * static_cast<double>(k) / 5.0);
    }
    const Wave wave(values);
    double best = here, lowest = wave.at(0.0);
    const auto try_angle = [&](double angle) {
      const double value = wave.at(angle - here);
      if (!(value < lowest)) return;
      best = angle;
      lowest = value;
    };
    try_angle(range.lower);
    try_angle(range.upper);
    for (const double minimum : wave.minima()) {
      const double turns = std::ceil((range.lower - here - minimum) / (2.0 * pi));
      const double angle = here + minimum + 2.0 * pi * turns;
      if (angle <= range.upper) try_angle(std::max(angle, range.lower));
    }
    return best;
  }

  /// The minimum of the parabola through the ends and the middle.
  template <class At>
  static double place_of_minimum(const At& at, const Range& range) {
    const double half = (range.upper - range.lower) / 2.0, middle = range.lower + half;
    const double lower = at(range.lower), value = at(middle), upper = at(range.upper);
    const double bend = lower - 2.0 * value + upper;
    if (bend > 0.0) {
      const double place = middle + half * (lower - upper) / (2.0 * bend);
      if (place > range.lower && place < range.upper) return place;
    }
    return lower < upper ? range.lower : range.upper;
  }

  void go_on(AtPosition& best, const AtPosition& before) const {
    std::vector<double> way(best.q.size());
    for (std::size_t i = 0; i < way.size(); ++i) way[i] = best.q[i] - before.q[i];
    for (double share = 1.0; share < 1e3; share *= 2.0) {
      std::vector<double> q = best.q;
      for (std::size_t i = 0; i < q.size(); ++i) {
        q[i] = std::clamp(q[i] + share * way[i], axes_[i].range.lower, axes_[i].range.upper);
      }
      if (!take_if_better(best, q)) return;
    }
  }

  bool take_if_better(AtPosition& best, const std::vector<double>& q) const {
    const double value = function_(q);
    if (!is_lower(value, best.value)) return false;
    best = {value, q};
    return true;
  }

  const std::vector<Axis>& axes_;
  const Function& function_;
  const Guide& guide_;
  double enough_;
};

JointSpace::JointSpace(const Robot& robot) {
  axes_ = each(robot.joints, [](const Joint& joint) {
    return Axis{joint.type, examined_range(joint)};
  });
  const auto add_if_within = [this](const std::vector<double>& q) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (q[i] < axes_[i].range.lower || q[i] > axes_[i].range.upper) return;
    }
    samples_.push_back(q);
  };
  add_if_within(std::vector<double>(axes_.size()));
  for (const NamedPose& pose : robot.poses) add_if_within(pose.q);
  add_right_angles();
  std::mt19937_64 random(2);
  for (std::size_t k = 0; k < affordable(random_count, 16, axes_.size()); ++k) {
    std::vector<double>& q = samples_.emplace_back();
    for (const Axis& axis : axes_) {
      q.push_back(uniform(random, axis.range.lower, axis.range.upper));
    }
  }
}

void JointSpace::add_right_angles() {
  std::vector<std::vector<double>> choices;
  double combinations = 1.0;
  choices.reserve(axes_.size());
  for (const auto& [type, range] : axes_) {
    choices.push_back(landmarks(type, range));
    combinations *= static_cast<double>(choices.back().size());
  }
  const std::size_t most = affordable(right_angle_count, 16, axes_.size());
  const bool all = combinations <= static_cast<double>(most);
  const std::size_t count = all ? static_cast<std::size_t>(combinations) : most;
  std::mt19937_64 random(1);
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t rest = k;
    std::vector<double> q;
    for (const std::vector<double>& angles : choices) {
      q.push_back(angles[(all ? rest : random()) % angles.size()]);
      rest /= angles.size();
    }
    samples_.push_back(q);
  }
}

AtPosition JointSpace::smallest(const Function& function, const Guide& guide, double enough) const {
  std::vector<AtPosition> tried;
  tried.reserve(samples_.size());
  for (const std::vector<double>& q : samples_) {
    tried.push_back({function(q), q});
    if (tried.back().value <= enough) return tried.back();
  }
  std::ranges::stable_sort(tried, {}, &AtPosition::value);

  // The best, and others from all over the ranking: the way to the top may start low.
  const std::size_t dof = axes_.size();
  const std::size_t finalists = affordable(finalist_count, 1, dof);
  const std::size_t apart =
      std::max<std::size_t>(1, tried.size() / affordable(start_count, 1, dof));
  std::vector<AtPosition> starts;
  for (std::size_t k = 0; k < tried.size(); k += k < finalists ? 1 : apart) {
    starts.push_back(tried[k]);
  }

  const Descent descent(*this, function, guide, enough);
  for (AtPosition& start : starts) descent.sweep(start, first_sweeps);
  std::ranges::stable_sort(starts, {}, &AtPosition::value);
  if (starts.size() > finalists) starts.resize(finalists);
  for (AtPosition& finalist : starts) descent.sweep(finalist, affordable(last_sweeps, 2, dof));
  const AtPosition& lowest = *std::ranges::min_element(starts, {}, &AtPosition::value);
  return is_lower(lowest.value, tried.front().value) ? lowest : tried.front();
}

AtPosition JointSpace::largest(const Function& function) const {
  AtPosition found = smallest([&function](std::span<const double> q) { return -function(q); });
  found.value = -found.value;
  return found;
}

namespace {

// M counts as singular below this ratio of its eigenvalues: with one, accelerations have four
// digits left.
constexpr double singular = 1e-12;

// A joint takes part in a motion with at least this share of its largest component.
constexpr double part = 0.1;

/// The links at rest in their positions: what each position asks of the joints.
class Links {
 public:
  explicit Links(Arm arm)
      : arm_(std::move(arm)),
        strobe_(arm_),
        rotors_(rotor_inertias(arm_)),
        states_(dof()),
        zero_(dof()),
        tau_(dof()) {}

  [[nodiscard]] const Arm& arm() const { return arm_; }
  [[nodiscard]] std::size_t dof() const { return arm_.dof(); }
  /// Rotor inertias, reflected to the joints.
  [[nodiscard]] const std::vector<double>& rotors() const { return rotors_.diagonal; }

  std::span<const double> gravity(std::span<const double> q) {
    if (!arm_.is_serial()) {
      tau_ = links_torque<double>(arm_, q, zero_, zero_);
      return tau_;
    }
    newton_euler<double>(arm_, q, zero_, zero_, nullptr, states_, tau_);
    return tau_;
  }

  /// Column i of the mass matrix, without rotors.
  std::span<const double> inertias(std::span<const double> q, std::size_t i) {
    return strobe_.inertias(q, i);
  }

  /// M by rows, with rotors.
  std::vector<double> mass_matrix(std::span<const double> q) {
    std::vector<double> M(dof() * dof());
    strobe_.mass_matrix(q, M);
    add_rotors<double>(rotors_, M);
    mirror_lower<double>(dof(), M);
    return M;
  }

  /// The tool frame's origin in {0}, or in the frame in which joint 1 turns about z.
  [[nodiscard]] Vec3 tool(std::span<const double> q, bool seen_from_joint_1) const {
    if (!arm_.is_serial()) return tool_frame_at<double>(arm_, q).p;
    Vec3 p = arm_.tool.p;
    for (std::size_t i = dof(); i-- > (seen_from_joint_1 ? 1U : 0U);) {
      const Transform frame = joint_frame(arm_.links[i], q[i]);
      p = frame * p;
    }
    return p;
  }

 private:
  Arm arm_;
  Strobe strobe_;
  RotorInertias rotors_;
  std::vector<LinkState<double>> states_;
  std::vector<double> zero_, tau_;
};

/// The largest magnitude of a torque that gravity asks for, G_i or a sum of them, which has the
/// form (9.29) as long as it keeps its sign.
AtPosition largest_gravity(const JointSpace& space, const JointSpace::Function& torque) {
  const auto minus_size = [&](std::span<const double> q) { return -std::abs(torque(q)); };
  const auto guide = [&](std::span<const double> here) -> JointSpace::Function {
    const double sign = torque(here) < 0.0 ? 1.0 : -1.0;
    return [&torque, sign](std::span<const double> q) { return sign * torque(q); };
  };
  AtPosition found = space.smallest(minus_size, guide);
  found.value = -found.value + 0.0;
  return found;
}

std::vector<JointLoad> joint_loads(const JointSpace& space, Links& links) {
  return each(in_order(links.dof()), [&](std::size_t i) {
    bool finite = std::isfinite(links.rotors()[i]);
    const auto seen = [&finite](double value) {
      finite = finite && std::isfinite(value);
      return value;
    };
    const auto inertia = [&](std::span<const double> q) { return seen(links.inertias(q, i)[i]); };
    const auto gravity = [&](std::span<const double> q) { return seen(links.gravity(q)[i]); };
    JointLoad load{space.smallest(inertia), space.largest(inertia), largest_gravity(space, gravity),
                   links.rotors()[i]};
    if (!finite) refuse_not_finite("the load of " + joint_name(links.arm(), i));
    return load;
  });
}

/// Eigenvalues and eigenvectors of the scaled mass matrix.
class ScaledMassMatrix {
 public:
  ScaledMassMatrix(Links& links, const std::vector<JointLoad>& loads) : links_(links) {
    scale_.resize(index(loads.size()));
    for (std::size_t i = 0; i < loads.size(); ++i) {
      scale_(index(i)) =
          1.0 / std::sqrt(std::abs(loads[i].largest_inertia.value + loads[i].rotor_inertia));
    }
  }

  double ratio(std::span<const double> q) { return ratio_of(solve(q).values); }

  /// vᵀ M v − ρ wᵀ M w for the motions v of least and w of most energy at a position, where the
  /// ratio is ρ. It is 0 there, and below 0 where the ratio is below ρ (eq. 9.30).
  JointSpace::Function ratio_guide(std::span<const double> here) {
    const auto [values, vectors] = solve(here);
    const Eigen::Index last = values.size() - 1;
    return [this, ratio = ratio_of(values), v = Eigen::VectorXd(vectors.col(0)),
            w = Eigen::VectorXd(vectors.col(last))](std::span<const double> q) {
      const Eigen::MatrixXd M = scaled(q);
      return v.dot(M * v) - ratio * w.dot(M * w);
    };
  }

  /// The joints that move with the least inertia at q; all such, if several motions have none.
  std::vector<std::size_t> idle_joints(std::span<const double> q) {
    const auto [values, vectors] = solve(q);
    const double idle = std::max(values(0), singular * values(values.size() - 1));
    const Eigen::Index count = (values.array() <= idle).count();  // of the first
    const Eigen::MatrixXd motions = vectors.leftCols(count).cwiseAbs();
    const Eigen::RowVectorXd least = part * motions.colwise().maxCoeff();
    return where(links_.dof(), [&](std::size_t joint) {
      return (motions.row(index(joint)).array() >= least.array()).any();
    });
  }

 private:
  /// Smallest over largest of the values in their order; -1 where none is above 0.
  static double ratio_of(const Eigen::VectorXd& values) {
    const double last = values(values.size() - 1);
    return last > 0.0 ? values(0) / last : -1.0;
  }

  Eigen::MatrixXd scaled(std::span<const double> q) {
    const std::vector<double> entries = links_.mass_matrix(q);
    const Eigen::Map<const Eigen::MatrixXd> M(entries.data(), scale_.size(), scale_.size());
    return scale_.asDiagonal() * M * scale_.asDiagonal();
  }

  SymmetricEigen solve(std::span<const double> q) { return symmetric_eigen(scaled(q)); }

  Links& links_;
  Eigen::VectorXd scale_;
};

/// A distance, whose square has the form (9.29).
AtPosition largest_root(const JointSpace& space, const JointSpace::Function& square) {
  AtPosition found = space.largest(square);
  found.value = std::sqrt(found.value);
  return found;
}

/// Joints that move nothing with inertia at any position: against the largest of the arm, rounding.
std::vector<std::size_t> joints_without_inertia(const std::vector<JointLoad>& loads) {
  double largest = 0.0;
  for (const JointLoad& load : loads) {
    largest = std::max(largest, std::abs(load.largest_inertia.value + load.rotor_inertia));
  }
  return where(loads.size(), [&](std::size_t i) {
    const double inertia = loads[i].largest_inertia.value + loads[i].rotor_inertia;
    return std::abs(inertia) <= 1e-24 * largest;
  });
}

MassMatrixVerdict judge_mass_matrix(const JointSpace& space, Links& links,
                                    const std::vector<JointLoad>& loads) {
  using Kind = MassMatrixVerdict::Kind;
  MassMatrixVerdict verdict;
  verdict.joints = joints_without_inertia(loads);
  if (!verdict.joints.empty()) {
    verdict.kind = Kind::singular_everywhere;
    verdict.smallest_ratio.q = space.samples().front();
    return verdict;
  }

  ScaledMassMatrix scaled(links, loads);
  const auto ratio = [&scaled](std::span<const double> q) { return scaled.ratio(q); };
  const auto guide = [&scaled](std::span<const double> q) { return scaled.ratio_guide(q); };
  verdict.smallest_ratio = space.smallest(ratio, guide, -1.0);
  if (verdict.smallest_ratio.value < -singular) {
    verdict.kind = Kind::indefinite;
  } else if (verdict.smallest_ratio.value <= singular) {
    verdict.smallest_ratio = space.smallest(ratio, guide, singular);  // the first and plainest such
    verdict.smallest_ratio.value = 0.0;
    const bool everywhere = std::ranges::all_of(
        space.samples(), [&](const std::vector<double>& q) { return ratio(q) <= singular; });
    verdict.kind = everywhere ? Kind::singular_everywhere : Kind::singular_somewhere;
  }
  verdict.joints = scaled.idle_joints(verdict.smallest_ratio.q);
  return verdict;
}

// A rotor beyond this many times the arm's largest inertia is suspicious. Published wrists have
// rotors far above their own links, but not above the whole arm (1.3 times in an invented one);
// an inertia that is reflected twice is too large by the square of the gear ratio.
constexpr double heavy_rotor = 100.0;

// A torque limit this many times what any joint of the arm needs, or one that accelerates its joint
// by less than that where it is lightest, is suspicious. What an arm needs is to carry gravity and
// to accelerate by 10 rad/s² (m/s²). Published arms: 3 times at most, and 42 rad/s² at least.
constexpr double ample = 100.0;
constexpr double brisk = 10.0, hardly = 0.1;

// All limits this many times what their own joints need are suspicious: of published arms one has 3
// times or less, and in kg·cm would have 10 times and more.
constexpr double all_ample = 9.0;

template <class... Value>
void warn(Examination& result, std::string path, fmt::format_string<Value...> message,
          Value&&... value) {
  result.warnings.push_back(
      {Severity::warning, std::move(path), fmt::format(message, std::forward<Value>(value)...)});
}

/// "joint wrist", "joints wrist and flange", "joints shoulder, elbow and wrist".
std::string joint_names(const Robot& robot, const std::vector<std::size_t>& joints) {
  std::string names = joints.size() == 1 ? "joint " : "joints ";
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (k > 0) names += k + 1 == joints.size() ? " and " : ", ";
    names += robot.joints[joints[k]].name;
  }
  return names;
}

void remark_on_mass_matrix(const Robot& robot, Examination& result) {
  using Kind = MassMatrixVerdict::Kind;
  const auto& [kind, smallest, joints] = result.mass_matrix;
  if (kind == Kind::regular) return;
  const char* const remark =
      kind == Kind::singular_everywhere
          ? "singular at every position: {1} can move without moving any inertia, so motions "
            "cannot be simulated; give a link its moments of inertia, or a motor its rotor_inertia"
      : kind == Kind::singular_somewhere
          ? "singular at q = {0}: there {1} can move without moving any inertia, and a simulation "
            "cannot pass; give a link its moments of inertia, or a motor its rotor_inertia"
          : "not positive definite at q = {0}: a motion of {1} would have negative kinetic energy, "
            "and cannot be simulated; correct the inconsistent inertias";
  warn(result, joints.size() == 1 ? joint_path(joints.front()) : "joints", "the mass matrix is {}",
       fmt::format(fmt::runtime(remark), position_text(robot, smallest.q),
                   joint_names(robot, joints)));
}

/// The largest `of` of the loads of joints of that type.
double largest_of_type(const Robot& robot, JointType type, const Examination& result, auto of) {
  double largest = 0.0;
  for (std::size_t k = 0; k < robot.dof(); ++k) {
    if (robot.joints[k].type == type) largest = std::max(largest, of(result.loads[k]));
  }
  return largest;
}

void remark_on_gravity(const Robot& robot, std::span<const FrictionContact> contacts, std::size_t i,
                       Examination& result) {
  const Joint& joint = robot.joints[i];
  const auto& [torque, q] = result.loads[i].largest_gravity;
  if (!joint.limits.torque) return;
  const double limit = *joint.limits.torque;
  const std::string path = joint_path(i) + ".limits.torque";
  const char* const unit = unit_text(RobotUnit::effort, joint.type);
  const TwoSided band = widest_breakaway(contacts, i);
  const double friction = std::max(band.positive, band.negative);
  if (torque > limit) {
    warn(result, path,
         "gravity alone asks for {:.4g} {} at q = {}, more than the limit of {:.4g}; are masses, "
         "lengths and the limit in SI units?",
         torque, unit, position_text(robot, q), limit);
  } else if (friction > limit) {
    warn(result, path,
         "dry friction holds up to {:.4g} {}, more than the limit of {:.4g}: the drive never moves "
         "the joint; is friction in N·m at the joint, and a motor's at its rotor?",
         friction, unit, limit);
  } else if (friction > 0.0 && torque + friction > limit) {
    warn(result, path,
         "gravity asks for up to {:.4g} {}, at q = {}, and dry friction holds up to {:.4g}, "
         "together more than the limit of {:.4g}: there the drive cannot lift",
         torque, unit, position_text(robot, q), friction, limit);
  }
}

void remark_on_motors(const Robot& robot, Examination& result) {
  const std::vector<RowLimit> limits = row_limits(robot, RowLimit::Kind::torque);
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const auto& [torque, q] = result.motor_gravity[k];
    if (torque <= limits[k].most) continue;
    warn(result, "couplings",
         "gravity alone asks the motor of {} for {:.4g} N·m at q = {}, more than its limit of "
         "{:.4g}; are the limits those of motors, in N·m?",
         robot.joints[limits[k].joint].name, torque, position_text(robot, q), limits[k].most);
  }
}

/// What carries a joint against gravity and accelerates it by 10 rad/s² (m/s²), N·m (N).
double need_of(const JointLoad& load) {
  return load.largest_gravity.value + brisk * (load.largest_inertia.value + load.rotor_inertia);
}

/// Tests whether all limits of torque are ample, and warns of the one that is so least.
bool all_limits_are_ample(const Robot& robot, Examination& result) {
  std::size_t least = 0;
  double share = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Joint& joint = robot.joints[i];
    const double need = need_of(result.loads[i]);
    if (!joint.limits.torque || !is_turning(joint.type) || !(need > 0.0)) return false;
    if (*joint.limits.torque >= share * need) continue;
    share = *joint.limits.torque / need;
    least = i;
  }
  const bool carries =
      result.loads[least].largest_gravity.value > 0.1 * need_of(result.loads[least]);
  if (robot.dof() < 2 || share < all_ample || !carries) return false;
  warn(result, joint_path(least) + ".limits.torque",
       "found {:.4g} N·m, {:.4g} times what carries this joint against gravity and accelerates it "
       "by "
       "10 rad/s², and the other limits are larger still beside what they need; are they in kg·cm "
       "(0.0981 N·m), N·cm or N·mm, or are masses too small?",
       *robot.joints[least].limits.torque, share);
  return true;
}

void remark_on_torque_limit(const Robot& robot, std::size_t i, Examination& result) {
  const Joint& joint = robot.joints[i];
  if (!joint.limits.torque) return;
  const double limit = *joint.limits.torque;
  const char* const unit = unit_text(RobotUnit::effort, joint.type);
  const char* const position_unit = unit_text(RobotUnit::position, joint.type);
  const double need = largest_of_type(robot, joint.type, result, need_of);
  const JointLoad& load = result.loads[i];
  const double lightest = load.smallest_inertia.value + load.rotor_inertia;
  const std::string path = joint_path(i) + ".limits.torque";
  if (need > 0.0 && limit > ample * need) {
    warn(result, path,
         "found {:.4g} {}, {:.4g} times what carries any joint against gravity and accelerates it "
         "by 10 {}/s²; is the limit in N·mm, or are masses too small?",
         limit, unit, limit / need, position_unit);
  } else if (lightest > 0.0 && limit < hardly * lightest) {
    warn(result, path,
         "found {:.4g} {}, which accelerates the joint by {:.2g} {}/s² at most; is the limit in "
         "kN·m, or are masses or lengths too large?",
         limit, unit, limit / lightest, position_unit);
  }
}

void remark_on_rotor(const Robot& robot, std::size_t i, Examination& result) {
  const JointType type = robot.joints[i].type;
  const double largest = largest_of_type(
      robot, type, result, [](const JointLoad& load) { return load.largest_inertia.value; });
  const double rotor = result.loads[i].rotor_inertia;
  if (largest <= 0.0 || rotor <= heavy_rotor * largest) return;
  warn(result, joint_path(i) + ".motor",
       "reflected to the joint (times gear_ratio²) the rotor has {:.4g} {}, {:.4g} times the arm's "
       "largest inertia about a joint; if rotor_inertia is already that at the joint, gear_ratio "
       "is 1",
       rotor, unit_text(RobotUnit::joint_inertia, type), rotor / largest);
}

void add_notes(const Robot& robot, Examination& result) {
  const auto note = [&](const std::string& words, auto concerns) {
    const auto joints =
        where(robot.dof(), [&](std::size_t i) { return concerns(robot.joints[i]); });
    if (!joints.empty()) result.notes.push_back(joint_names(robot, joints) + ": " + words);
  };
  note(
      "negative gear ratio; the rotor turns against the joint, and torques depend on its magnitude "
      "only",
      [](const Joint& j) { return j.motor.gear_ratio < 0.0; });
  note("no inertia; the link counts as a point mass",
       [](const Joint& j) { return j.body.mass > 0.0 && j.body.inertia == SymMat3{}; });
  note("no limits of position; examined from -1 to 1 m",
       [](const Joint& j) { return !is_turning(j.type) && !j.limits.position; });
  for (const RowLimit& limit : row_limits(robot, RowLimit::Kind::position)) {
    result.notes.push_back(
        joint_at(robot, limit.joint).name +
        ": follows several joints; the arm is examined beyond its limits of position, too");
  }
  const auto has_rotor = [](const Joint& joint) { return joint.motor.rotor_inertia > 0.0; };
  if (!has_any_friction(robot) && std::ranges::none_of(robot.joints, has_rotor)) {
    result.notes.emplace_back(
        "no rotor inertia and no friction: torques of fast motions, and of slow ones under load, "
        "come out too small for a geared arm");
  }
}

void add_remarks(const Robot& robot, Examination& result) {
  remark_on_mass_matrix(robot, result);
  const auto is_limited = [](const Joint& joint) { return joint.limits.torque.has_value(); };
  if (std::ranges::any_of(robot.joints, is_limited) && has_doubtful_units(robot)) {
    result.notes.emplace_back(
        "limits of torque are not judged, since lengths, masses or inertias look like those of "
        "another unit");
  } else {
    const bool are_ample = all_limits_are_ample(robot, result);
    const std::vector<FrictionContact> of_arm = friction_contacts(normalize(robot));
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      remark_on_gravity(robot, of_arm, i, result);
      if (!are_ample) remark_on_torque_limit(robot, i, result);
    }
    remark_on_motors(robot, result);
  }
  for (std::size_t i = 0; i < robot.dof(); ++i) remark_on_rotor(robot, i, result);
  add_notes(robot, result);
}

}  // namespace

Examination examine(const Robot& robot) {
  const JointSpace space(robot);
  Links links(normalize(robot));

  Examination result;
  result.loads = joint_loads(space, links);
  result.total_mass = mass_of_links(robot);
  result.reach = largest_root(space, [&](std::span<const double> q) {
    const Vec3 p = links.tool(q, false);
    return p.x * p.x + p.y * p.y + p.z * p.z;
  });
  if (links.arm().is_serial() && is_turning(robot.joints.front().type)) {
    result.axis_reach = largest_root(space, [&](std::span<const double> q) {
      const Vec3 p = links.tool(q, true);
      return p.x * p.x + p.y * p.y;
    });
  }
  if (!std::isfinite(result.total_mass + result.reach.value + result.axis_reach.value)) {
    refuse_not_finite("the mass or the reach of the arm");
  }
  result.mass_matrix = judge_mass_matrix(space, links, result.loads);
  for (const RowLimit& motor : row_limits(robot, RowLimit::Kind::torque)) {
    result.motor_gravity.push_back(largest_gravity(
        space, [&](std::span<const double> q) { return motor.of_row(links.gravity(q)); }));
  }
  add_remarks(robot, result);
  return result;
}

}  // namespace armdyn
