#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "dynamics/kinematics.hpp"
#include "dynamics/sizes.hpp"
#include "math/decompositions.hpp"
#include "math/eigen.hpp"
#include "math/rigid.hpp"

namespace armdyn {

namespace {

constexpr std::array<std::string_view, 6> row_names{"vx", "vy", "vz", "wx", "wy", "wz"};

std::vector<Transform> frames_in_base(const Arm& arm, std::span<const double> q) {
  std::vector<Transform> frames(arm.dof());
  link_frames<double>(arm, q, frames);
  return frames;
}

Matrix six_rows(std::span<const Twist<double>> columns) {
  Matrix J(6, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& [v, omega] = columns[i];
    J(0, i) = v.x;
    J(1, i) = v.y;
    J(2, i) = v.z;
    J(3, i) = omega.x;
    J(4, i) = omega.y;
    J(5, i) = omega.z;
  }
  return J;
}

}  // namespace

ArmPose pose(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  ArmPose result;
  Transform link;
  for (const Transform& frame : frames_in_base(arm, q)) {
    link = frame;
    result.frames.push_back(link * arm.user_frame[result.frames.size()]);
  }
  result.hand = link * arm.tool;
  result.hand_in_world = arm.base * result.hand;
  return result;
}

Matrix jacobian(const Arm& arm, std::span<const double> q) {
  require_one_per_joint(arm, q);
  const std::vector<Transform> frames = frames_in_base(arm, q);
  std::vector<Twist<double>> columns(arm.dof());
  jacobian<double>(arm, frames, tool_frame<double>(arm, frames).p, columns);
  return six_rows(columns);
}

Matrix jacobian_rate(const Arm& arm, std::span<const double> q, std::span<const double> qd) {
  require_one_per_joint(arm, q, qd);
  const std::vector<Transform> frames = frames_in_base(arm, q);
  std::vector<Twist<double>> links(arm.dof());
  std::vector<Twist<double>> columns(arm.dof());
  link_velocities<double>(arm, frames, qd, links);
  jacobian_rate<double>(arm, frames, links, tool_frame<double>(arm, frames).p, columns);
  return six_rows(columns);
}

std::string_view name(TaskRow row) {
  return row_names[static_cast<std::size_t>(row)];
}

const std::vector<TaskRow>& all_task_rows() {
  static const std::vector<TaskRow> all{TaskRow::vx, TaskRow::vy, TaskRow::vz,
                                        TaskRow::wx, TaskRow::wy, TaskRow::wz};
  return all;
}

Matrix select_rows(const Matrix& six_rows, std::span<const TaskRow> rows) {
  if (six_rows.rows() != 6) throw std::invalid_argument("task rows are taken from six rows");
  Matrix selected(rows.size(), six_rows.columns());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < six_rows.columns(); ++j) {
      selected(i, j) = six_rows(static_cast<std::size_t>(rows[i]), j);
    }
  }
  return selected;
}

Dexterity dexterity(const Matrix& J) {
  if (J.entries().empty()) throw std::invalid_argument("a Jacobian needs rows and columns");
  const Eigen::VectorXd values = singular_values(eigen(J));
  const double largest = values(0);
  const double smallest = values(values.size() - 1);
  const double rounding = static_cast<double>(std::max(J.rows(), J.columns())) *
                          std::numeric_limits<double>::epsilon() * largest;
  return {values.prod(),
          smallest <= rounding ? std::numeric_limits<double>::infinity() : largest / smallest};
}

}  // namespace armdyn
