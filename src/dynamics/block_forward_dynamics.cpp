#include <armdyn/block_dynamics.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dynamics/block_row.hpp"
#include "dynamics/inertia_bounds.hpp"
#include "dynamics/losses.hpp"
#include "dynamics/program_runner.hpp"

namespace armdyn {

namespace {

/// Columns of own memory.
class OwnColumns {
 public:
  std::span<const ResultColumn> resize(std::size_t columns, std::size_t rows) {
    values_.resize(columns * rows);
    columns_.clear();
    for (std::size_t i = 0; i < columns; ++i) columns_.push_back(values_.data() + i * rows);
    return columns_;
  }

 private:
  std::vector<double> values_;
  std::vector<ResultColumn> columns_;
};

/// c = max(c, k |x|), sample by sample.
void raise(std::span<double> c, double k, const double* x) {
  for (std::size_t row = 0; row < c.size(); ++row) {
    const double value = k * std::abs(x[row]);
    c[row] = value > c[row] ? value : c[row];
  }
}

}  // namespace

struct BlockForwardDynamics::Workspace {
  Workspace(const Arm& given, ForwardMethod chosen)
      : arm(std::make_shared<const Arm>(given)),
        method(chosen),
        rotors(rotor_inertias(given)),
        forward([a = arm, chosen](HandInput hand) { return forward_program(*a, chosen, hand); }),
        mass_matrix([a = arm](HandInput) { return mass_matrix_program(*a); }),
        bias([a = arm](HandInput hand) { return bias_program(*a, hand); }) {}

  [[nodiscard]] std::size_t dof() const { return arm->dof(); }

  void check(const MotionBlock& motion, std::size_t groups, std::size_t found,
             std::size_t expected) const {
    require_columns(motion, dof(), groups);
    if (found != expected) throw std::invalid_argument("a block needs one column per result");
  }

  /// Upper bounds of the diagonal of M over the block.
  [[nodiscard]] std::vector<double> bounds(const MotionBlock& motion) const {
    const auto length = [&](std::size_t i) {
      const Link& link = arm->links[i];
      double travel = 0.0;
      if (link.joint == JointType::prismatic) {
        for (std::size_t row = 0; row < motion.rows; ++row) {
          travel = std::max(travel, std::abs(motion.q[i][row]));
        }
      }
      return std::abs(link.a) +
             (std::abs(link.sin_alpha) + std::abs(link.cos_alpha)) * (std::abs(link.d) + travel);
    };
    std::vector<double> result(dof());
    bound_inertias(*arm, rotors, length, result);
    return result;
  }

  /// Marks samples that need more than the program does: a pivot that may be rounding, a solution
  /// that may need refining, or what is not a number. Errs on the side of marking.
  void mark(const MotionBlock& lossless, std::span<const ResultColumn> qdd,
            std::span<const ResultColumn> h, std::span<const ResultColumn> pivots) {
    const std::vector<double> bound = bounds(lossless);
    const double rounding = 2.0 * pivot_rounding(dof());
    is_marked.assign(lossless.rows, 0);
    inertial.assign(lossless.rows, 0.0);
    torque.assign(lossless.rows, 0.0);
    for (std::size_t i = 0; i < dof(); ++i) {
      const double smallest = rounding * bound[i];
      for (std::size_t row = 0; row < lossless.rows; ++row) {
        is_marked[row] |= !(pivots[i][row] > smallest);
      }
      raise(inertial, bound[i], qdd[i]);
      raise(torque, 1.0, lossless.qdd[i]);
      raise(torque, 1.0, h[i]);
    }
    for (std::size_t row = 0; row < lossless.rows; ++row) {
      is_marked[row] |= rounding_shows(2.0 * inertial[row], torque[row]);
    }
  }

  std::shared_ptr<const Arm> arm;
  ForwardMethod method;
  std::vector<double> rotors;
  ProgramRunner forward, mass_matrix, bias;
  OwnColumns force_columns, results;
  std::vector<double> inertial, torque;
  std::vector<char> is_marked;
};

BlockForwardDynamics::BlockForwardDynamics(const Arm& arm)
    : BlockForwardDynamics(arm, fastest_method(arm.dof())) {}
BlockForwardDynamics::BlockForwardDynamics(const Arm& arm, ForwardMethod method)
    : workspace_(std::make_unique<Workspace>(arm, method)) {}
BlockForwardDynamics::BlockForwardDynamics(const BlockForwardDynamics& other)
    : workspace_(std::make_unique<Workspace>(*other.workspace_)) {}
BlockForwardDynamics& BlockForwardDynamics::operator=(const BlockForwardDynamics& other) {
  *workspace_ = *other.workspace_;
  return *this;
}
BlockForwardDynamics::BlockForwardDynamics(BlockForwardDynamics&&) noexcept = default;
BlockForwardDynamics& BlockForwardDynamics::operator=(BlockForwardDynamics&&) noexcept = default;
BlockForwardDynamics::~BlockForwardDynamics() = default;

void BlockForwardDynamics::accelerations(const MotionBlock& motion,
                                         std::span<const ResultColumn> qdd) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  w.check(motion, 3, qdd.size(), n);

  const std::span<const ResultColumn> force = w.force_columns.resize(n, motion.rows);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(motion.qdd[i], motion.rows, force[i]);
    subtract_losses(w.arm->drives[i], {{motion.q[i], motion.rows}, {motion.qd[i], motion.rows}, {}},
                    {force[i], motion.rows});
  }
  const std::vector<Column> force_in(force.begin(), force.end());
  MotionBlock lossless = motion;
  lossless.qdd = force_in;
  lossless_accelerations(lossless, qdd);
}

void BlockForwardDynamics::lossless_accelerations(const MotionBlock& motion,
                                                  std::span<const ResultColumn> qdd) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  w.check(motion, 3, qdd.size(), n);
  const std::span<const ResultColumn> rest = w.results.resize(2 * n, motion.rows);
  std::vector<ResultColumn> results(qdd.begin(), qdd.end());
  results.insert(results.end(), rest.begin(), rest.end());
  if (w.method != ForwardMethod::strobe && w.forward.run(motion, 3, results)) {
    w.mark(motion, qdd, rest.first(n), rest.last(n));
  } else {
    w.is_marked.assign(motion.rows, 1);
  }
  if (std::find(w.is_marked.begin(), w.is_marked.end(), 1) == w.is_marked.end()) return;

  ForwardDynamics dynamics(*w.arm, w.method);
  BlockRow row(n);
  std::vector<double> values(n);
  for (std::size_t k = 0; k < motion.rows; ++k) {
    if (w.is_marked[k] == 0) continue;
    row.read(motion, k);
    const auto [q, qd, force] = row.state();
    dynamics.lossless_accelerations(q, qd, force, row.hand(), values);
    for (std::size_t i = 0; i < n; ++i) qdd[i][k] = values[i];
  }
}

void BlockForwardDynamics::mass_matrix(const MotionBlock& positions,
                                       std::span<const ResultColumn> lower) {
  Workspace& w = *workspace_;
  const std::size_t n = w.dof();
  w.check(positions, 1, lower.size(), n * (n + 1) / 2);
  MotionBlock q;
  q.rows = positions.rows;
  q.q = positions.q;
  if (w.mass_matrix.run(q, 1, lower)) return;
  ForwardDynamics dynamics(*w.arm, w.method);
  std::vector<double> position(n), M(n * n);
  for (std::size_t k = 0; k < q.rows; ++k) {
    for (std::size_t i = 0; i < n; ++i) position[i] = q.q[i][k];
    dynamics.mass_matrix(position, M);
    auto column = lower.begin();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) (*column++)[k] = M[i * n + j];
    }
  }
}

void BlockForwardDynamics::bias(const MotionBlock& motion, std::span<const ResultColumn> h) {
  Workspace& w = *workspace_;
  w.check(motion, 2, h.size(), w.dof());
  if (w.bias.run(motion, 2, h)) return;
  ForwardDynamics dynamics(*w.arm, w.method);
  MotionBlock at_rest = motion;
  at_rest.qdd = motion.qd;  // not read
  BlockRow row(w.dof());
  std::vector<double> values(w.dof());
  for (std::size_t k = 0; k < motion.rows; ++k) {
    row.read(at_rest, k);
    dynamics.bias(row.state().q, row.state().qd, row.hand(), values);
    for (std::size_t i = 0; i < w.dof(); ++i) h[i][k] = values[i];
  }
}

}  // namespace armdyn
