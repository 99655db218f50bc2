#include <armdyn/equations.hpp>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "dynamics/sizes.hpp"
#include "math/decompositions.hpp"
#include "math/eigen.hpp"

// The equations of motion as the hand feels them (docs/derivation.md, 9.4).

namespace armdyn {

namespace {

constexpr double singular_condition = 1e12;  // of J: beyond, it is singular but for its rounding
constexpr double warning_condition = 1e3;    // beyond, less than ten digits are sure

/// What J, a task Jacobian, does to a term of the joints, and back.
struct TaskMap {
  Eigen::MatrixXd J;
  Eigen::MatrixXd Mx;       // Λ
  Eigen::MatrixXd to_task;  // J̄ᵀ: joint torques to task forces
};

/// J⁻ᵀ M J⁻¹ and J⁻ᵀ; needs no M⁻¹, which some arms lack.
TaskMap square_map(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M) {
  const Eigen::MatrixXd to_task =
      solve(J.transpose(), Eigen::MatrixXd::Identity(J.rows(), J.rows()));
  return {J, solve(J.transpose(), solve(J.transpose(), M).transpose()), to_task};
}

/// Λ = (J M⁻¹ Jᵀ)⁻¹ and J̄ᵀ = Λ J M⁻¹ (eq. 9.12, 9.13).
TaskMap consistent_map(const Eigen::MatrixXd& J, const MassInverse& M_inverse) {
  const Eigen::MatrixXd accelerations = M_inverse * J.transpose();  // M⁻¹ Jᵀ
  const Eigen::MatrixXd mobility = J * accelerations;
  const Eigen::MatrixXd lambda =
      solve_symmetric(mobility, Eigen::MatrixXd::Identity(J.rows(), J.rows()));
  return {J, lambda, solve_symmetric(mobility, accelerations.transpose())};
}

std::string number(double value, int digits) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(digits);
  text << value;
  return text.str();
}

std::string near_singular(double condition) {
  const int digits = std::max(0, static_cast<int>(14.0 - 2.0 * std::log10(condition)));
  return "near a singularity of J (condition number " + number(condition, 3) + "): about " +
         std::to_string(digits) + " digits of the Cartesian terms are sure";
}

/// ∂J/∂q_j for every j: J̇ is linear in q̇ (eq. 9.17).
std::vector<Eigen::MatrixXd> jacobian_slopes(const Arm& arm, std::span<const double> q,
                                             std::span<const TaskRow> rows) {
  std::vector<double> unit(arm.dof(), 0.0);
  std::vector<Eigen::MatrixXd> slopes;
  for (double& joint : unit) {
    joint = 1.0;
    slopes.emplace_back(eigen(select_rows(jacobian_rate(arm, q, unit), rows)));
    joint = 0.0;
  }
  return slopes;
}

/// Jᵀ (J̄ᵀ b − Λ a) for each velocity product's b and a (eq. 9.16).
VelocityCoefficients task_coefficients(const TaskMap& task, const VelocityCoefficients& joints,
                                       const std::vector<Eigen::MatrixXd>& slopes) {
  const std::size_t n = slopes.size();
  Eigen::MatrixXd squares(task.J.rows(), index(n));
  Eigen::MatrixXd products(task.J.rows(), index(n * (n - 1) / 2));
  Eigen::Index pair = 0;
  for (std::size_t j = 0; j < n; ++j) {
    squares.col(index(j)) = slopes[j].col(index(j));
    for (std::size_t k = j + 1; k < n; ++k) {
      products.col(pair++) = slopes[j].col(index(k)) + slopes[k].col(index(j));
    }
  }
  const auto seen = [&task](const Matrix& torques, const Eigen::MatrixXd& accelerations) {
    return matrix(task.J.transpose() * (task.to_task * eigen(torques) - task.Mx * accelerations));
  };
  return {seen(joints.B, products), seen(joints.C, squares)};
}

}  // namespace

Cartesian cartesian(const Arm& arm, std::span<const double> q, std::span<const double> qd,
                    std::span<const TaskRow> rows) {
  require_one_per_joint(arm, q, qd);
  if (rows.empty()) throw std::invalid_argument("a task needs at least one row");
  const Matrix J = select_rows(jacobian(arm, q), rows);

  Cartesian result;
  result.rows.assign(rows.begin(), rows.end());
  result.dexterity = dexterity(J);
  const auto refused = [&result](std::string why) {
    result.refusal = std::move(why);
    return result;
  };
  if (J.rows() > J.columns()) {
    return refused("J has " + std::to_string(J.rows()) + " rows for " +
                   std::to_string(J.columns()) + " joints: choose no more task rows than joints");
  }
  if (result.dexterity.condition > singular_condition) {
    return refused("J is singular here: in some direction the hand cannot move");
  }
  if (result.dexterity.condition > warning_condition) {
    result.warning = near_singular(result.dexterity.condition);
  }

  const Equations joints = equations(arm, q, qd);
  TaskMap task;
  if (J.rows() == J.columns()) {
    task = square_map(eigen(J), eigen(joints.M));
  } else {
    const MassInverse M_inverse(eigen(joints.M));
    if (!M_inverse.regular()) {
      return refused("the mass matrix is singular here, and fewer task rows than joints need M⁻¹");
    }
    task = consistent_map(eigen(J), M_inverse);
  }

  const Matrix Jdot = select_rows(jacobian_rate(arm, q, qd), rows);
  CartesianTerms terms;
  terms.Mx = matrix(task.Mx);
  terms.Vx =
      plain_vector(task.to_task * eigen(joints.V) - task.Mx * (eigen(Jdot) * eigen(qd)));  // (9.14)
  terms.Gx = plain_vector(task.to_task * eigen(joints.G));                                 // (9.15)
  terms.craig = task_coefficients(task, joints.craig, jacobian_slopes(arm, q, rows));
  result.terms = std::move(terms);
  return result;
}

}  // namespace armdyn
