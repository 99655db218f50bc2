#include "dynamics/arm_program.hpp"

#include <algorithm>
#include <stdexcept>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/columns.hpp"
#include "math/each.hpp"
#include "model/robot_fields.hpp"
#include "model/spring_law.hpp"
#include "program/staged_program.hpp"

namespace armdyn {

namespace {

using S = Expression;

/// Calls `number(x)` for each number of an arm that its torque follows from, drives on rows left
/// out; of two arms `number(x, other's)`.
template <class... Other>
void for_each_torque_number(const auto& number, const Arm& arm, Other&... other) {
  const auto plain = [&](const RobotField& /*field*/, const auto& x, auto&... others) {
    number(x, others...);
  };
  const Numbers look(plain);
  const auto each_of = [&](const auto& x, auto&... others) { look(RobotField{}, x, others...); };
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const Link& link = arm.links[i];
    each_of(link.a, other.links[i].a...);
    each_of(link.cos_alpha, other.links[i].cos_alpha...);
    each_of(link.sin_alpha, other.links[i].sin_alpha...);
    each_of(link.d, other.links[i].d...);
    each_of(link.cos_theta, other.links[i].cos_theta...);
    each_of(link.sin_theta, other.links[i].sin_theta...);
    each_of(link.body, other.links[i].body...);
    each_of(arm.drives[i].friction, other.drives[i].friction...);
    each_of(arm.drives[i].motor, other.drives[i].motor...);
  }
  each_of(arm.v_dot_0, other.v_dot_0...);
  each_of(arm.tool.p, other.tool.p...);
  each_of(arm.tool.R.row_x, other.tool.R.row_x...);
  each_of(arm.tool.R.row_y, other.tool.R.row_y...);
  each_of(arm.tool.R.row_z, other.tool.R.row_z...);
  const auto each_of_row = [&](const JointRowOf<double>& row, auto&... others) {
    for (std::size_t j = 0; j < row.factors.size(); ++j)
      each_of(row.factors[j], others.factors[j]...);
    each_of(row.offset, others.offset...);
  };
  for (std::size_t c = 0; c < arm.chains.size(); ++c) {
    const Chain& chain = arm.chains[c];
    for_each_torque_number(number, chain.arm, other.chains[c].arm...);
    for (std::size_t i = 0; i < chain.rows.size(); ++i) {
      each_of_row(chain.rows[i], other.chains[c].rows[i]...);
    }
  }
  for (std::size_t s = 0; s < arm.springs.size(); ++s) {
    each_of(arm.springs[s].pieces.front().from, other.springs[s].pieces.front().from...);
    each_of(arm.springs[s].pieces.front().load, other.springs[s].pieces.front().load...);
    each_of(arm.springs[s].pieces.front().stiffness, other.springs[s].pieces.front().stiffness...);
    each_of_row(arm.springs[s].row, other.springs[s].row...);
    each_of(arm.springs[s].from.at, other.springs[s].from.at...);
    each_of(arm.springs[s].to.at, other.springs[s].to.at...);
  }
}

JointRowOf<S> without_numbers(const JointRowOf<double>& row) {
  return {row.joints, std::vector<S>(row.factors.size()), S(0.0)};
}
/// The arm of other numbers, which are not set yet.
ArmOf<S> without_numbers(const Arm& arm) {
  ArmOf<S> numbers;
  for (const Link& link : arm.links) numbers.links.push_back({.joint = link.joint, .body = {}});
  numbers.drives.resize(arm.dof());
  for (const auto& [chain, rows, joints] : arm.chains) {
    const auto of_row = [](const JointRowOf<double>& row) { return without_numbers(row); };
    numbers.chains.push_back({without_numbers(chain), each(rows, of_row), joints});
  }
  for (const auto& [pieces, row, from, to] : arm.springs) {
    numbers.springs.push_back(
        {{{}}, without_numbers(row), {from.chain, from.link, {}}, {to.chain, to.link, {}}});
  }
  return numbers;
}

std::vector<double> numbers_of(const Arm& arm) {
  std::vector<double> numbers;
  for_each_torque_number([&](double x) { numbers.push_back(x); }, arm);
  return numbers;
}

/// A direction as numbers: one is 1, or none is.
struct Sides {
  S positive, negative;
};
S signed_level(const TwoSidedOf<S>& level, const Sides& direction) {
  return level.positive * direction.positive - level.negative * direction.negative;
}

/// Fills a column with a value of a joint in each row.
template <class Value>
constexpr auto fill_with(Value) {
  return +[](const Friction& friction, Column q, Column qd, std::span<double> column) {
    for (std::size_t row = 0; row < column.size(); ++row) {
      column[row] = Value{}(friction, q[row], qd[row]);
    }
  };
}
/// What friction follows from: the direction as its two sides, and factors.
constexpr std::array friction_columns{
    fill_with([](const Friction&, double, double qd) { return qd > 0.0 ? 1.0 : 0.0; }),
    fill_with([](const Friction&, double, double qd) { return qd < 0.0 ? 1.0 : 0.0; }),
    fill_with([](const Friction& f, double q, double) { return ripple_factor(f.ripple, q); }),
    fill_with([](const Friction& f, double, double qd) { return stribeck_factor(f, qd); }),
    fill_with([](const Friction& f, double, double qd) {
      return f.sigmoid.amplitude == 0.0 ? 0.0 : sigmoid_share(f.sigmoid, qd);
    })};

struct GivenFactors {
  S of_ripple, of_stribeck, of_sigmoid;

  [[nodiscard]] S ripple(const auto& /*friction*/) const { return of_ripple; }
  [[nodiscard]] S stribeck(const auto& /*friction*/) const { return of_stribeck; }
  [[nodiscard]] S sigmoid(const auto& /*friction*/) const { return of_sigmoid; }
};

/// A motor whose gear is known.
struct MotorNumbers {
  S rotor_inertia;
  double gear_ratio;
  S viscous;
  TwoSidedOf<S> coulomb;
};

}  // namespace

/// Arms that have numbers in common, and numbers other than 0 where they differ.
class ArmsOnMotion::Family {
 public:
  /// The arms that differ from `one` where this one does.
  Family(const Arm& one, const Arm& arm, WrenchInput wrench)
      : arm_(arm),
        has_drives_(arm.row_drives.empty() &&
                    std::ranges::equal(one.drives, arm.drives, differ_in_levels_alone)),
        common_(numbers_of(arm)) {
    std::vector<double> of_one = numbers_of(one);
    if (!has_drives_) of_one.resize(common_.size());
    for (std::size_t k = 0; k < common_.size(); ++k) {
      if (common_[k] != of_one[k] && common_[k] != 0.0) varying_.push_back(k);
    }
    make_program(wrench);
    clear();
    resize(tau_, arm.dof(), program_->block_size());
    resize(friction_, friction_columns.size() * arm.dof(), program_->block_size());
  }

  [[nodiscard]] bool has(const std::vector<double>& numbers) const {
    if (numbers.size() != common_.size()) return false;
    auto next = varying_.begin();
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const bool varies = next != varying_.end() && *next == k;
      if (varies) ++next;
      if (varies ? numbers[k] == 0.0 : numbers[k] != common_[k]) return false;
    }
    return true;
  }

  void clear() {
    arms_.clear();
    numbers_.assign(varying_.size(), {});
  }
  void add(std::size_t arm, const std::vector<double>& numbers) {
    arms_.push_back(arm);
    for (std::size_t k = 0; k < varying_.size(); ++k) numbers_[k].push_back(numbers[varying_[k]]);
  }

  void torque(const std::vector<Arm>& arms, const MotionBlock& motion, const Take& take) {
    if (arms_.empty()) return;
    const std::size_t n = arm_.dof(), most = program_->block_size();
    program_->set_numbers(places(std::as_const(numbers_)), arms_.size());
    const std::vector<Column> tau = places(std::as_const(tau_));
    for (std::size_t first = 0; first < motion.rows; first += most) {
      const std::size_t rows = std::min(most, motion.rows - first);
      const std::vector<Column> inputs = inputs_of(motion, first, rows);
      const std::span all(inputs);
      program_->set_columns(inputs, rows);
      for (std::size_t k = 0; k < arms_.size(); ++k) {
        program_->run(k, places(tau_));
        if (!has_drives_) {
          add_drive_torques(arms[arms_[k]],
                            {rows, all.first(n), all.subspan(n, n), all.subspan(2 * n, n), {}},
                            places(tau_));
        }
        take(arms_[k], first, rows, tau);
      }
    }
  }

 private:
  void make_program(WrenchInput input) {
    Graph graph(most_formulas);
    const std::size_t n = arm_.dof(), before_wrench = (3 + friction_columns.size()) * n;
    std::vector<S> inputs;
    for (std::size_t k = 0; k < before_wrench; ++k) inputs.push_back(graph.input(k));
    const auto group = [&](std::size_t k) { return std::span<const S>(inputs).subspan(k * n, n); };
    const auto q = group(0), qd = group(1), qdd = group(2);
    std::size_t columns = before_wrench;
    ForceAndMoment<S> wrench;
    for (Vec<S>* v : {&wrench.force, &wrench.moment}) {
      if (input == WrenchInput::absent) break;
      *v = {graph.input(columns), graph.input(columns + 1), graph.input(columns + 2)};
      columns += 3;
    }
    const ArmOf<S> numbers = with_inputs(graph, columns);
    std::vector<S> tau =
        links_torque<S>(numbers, q, qd, qdd, input == WrenchInput::present ? &wrench : nullptr);
    for (std::size_t i = 0; has_drives_ && i < n; ++i) {
      const auto& [friction, motor] = numbers.drives[i];
      const Sides direction{group(3)[i], group(4)[i]};
      const bool has_ripple = arm_.drives[i].friction.ripple.amplitude != 0.0;
      const GivenFactors factors{has_ripple ? group(5)[i] : S(1.0), group(6)[i], group(7)[i]};
      const MotorNumbers of_motor{motor.rotor_inertia, arm_.drives[i].motor.gear_ratio,
                                  motor.viscous, motor.coulomb};
      tau[i] = tau[i] + (friction_torque_by<S>(factors, friction, qd[i], direction) +
                         motor_torque<S>(of_motor, qd[i], qdd[i], direction));
    }
    program_.emplace(graph, columns, tau);
  }

  /// The arm with its numbers that vary as inputs.
  ArmOf<S> with_inputs(Graph& graph, std::size_t first) const {
    ArmOf<S> numbers = without_numbers(arm_);
    std::size_t k = 0, inputs = 0;
    const auto convert = [&](double x, S& to) {
      const bool varies = inputs < varying_.size() && varying_[inputs] == k++;
      to = varies ? graph.input(first + inputs++) : S(x);
    };
    for_each_torque_number(convert, arm_, numbers);
    return numbers;
  }

  std::vector<Column> inputs_of(const MotionBlock& motion, std::size_t first, std::size_t rows) {
    std::vector<Column> inputs;
    const auto add = [&](std::span<const Column> columns) {
      for (const Column column : columns) inputs.push_back(column + first);
    };
    add(motion.q);
    add(motion.qd);
    add(motion.qdd);
    for (std::size_t k = 0; k < friction_.size(); ++k) {
      const std::size_t i = k % arm_.dof();
      if (has_drives_) {
        friction_columns[k / arm_.dof()](arm_.drives[i].friction, motion.q[i] + first,
                                         motion.qd[i] + first, std::span(friction_[k]).first(rows));
      }
      inputs.push_back(friction_[k].data());
    }
    add(motion.wrench);
    return inputs;
  }

  Arm arm_;
  bool has_drives_;  ///< in its program
  std::vector<double> common_;
  std::vector<std::size_t> varying_;  ///< places of the numbers that differ
  std::optional<StagedProgram> program_;
  std::vector<std::size_t> arms_;
  Columns numbers_, tau_, friction_;
};

ArmsOnMotion::ArmsOnMotion(const Arm& one, WrenchInput wrench) : one_(one), wrench_(wrench) {}
ArmsOnMotion::~ArmsOnMotion() = default;
ArmsOnMotion::ArmsOnMotion(ArmsOnMotion&&) noexcept = default;
ArmsOnMotion& ArmsOnMotion::operator=(ArmsOnMotion&&) noexcept = default;

ArmsOnMotion::Family& ArmsOnMotion::family_of(const Arm& arm, const std::vector<double>& numbers) {
  for (const auto& family : families_) {
    if (family->has(numbers)) return *family;
  }
  return *families_.emplace_back(std::make_unique<Family>(one_, arm, wrench_));
}

void ArmsOnMotion::set_arms(std::vector<Arm> arms) try {
  constexpr std::size_t most_families = 16;
  if (families_.size() > most_families) families_.clear();
  for (const auto& family : families_) family->clear();
  arms_ = std::move(arms);
  for (std::size_t k = 0; k < arms_.size() && !is_too_long_; ++k) {
    if (!std::ranges::all_of(arms_[k].springs, is_polynomial<double>)) continue;
    const std::vector<double> numbers = numbers_of(arms_[k]);
    family_of(arms_[k], numbers).add(k, numbers);
  }
} catch (const std::length_error&) {
  is_too_long_ = true;
}

void ArmsOnMotion::torque(const MotionBlock& motion, const Take& take) {
  for (const auto& family : families_) family->torque(arms_, motion, take);
}

}  // namespace armdyn
