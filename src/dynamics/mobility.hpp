#pragma once

#include <Eigen/Core>
#include <armdyn/eigen.hpp>
#include <armdyn/robot.hpp>

#include "dynamics/mass_matrix.hpp"
#include "math/rigid.hpp"

namespace armdyn {

/// The diagonal of M⁻¹ in a time that grows with n: the acceleration of each joint by a torque of 1,
/// from the articulated bodies beyond it and the response of the chain before it (docs/derivation.md
/// eq. 7.24, 7.25). The joints are those of `articulate`.
template <class Frames>
void mobilities(const Arm& arm, const Frames& frames,
                std::span<const ArticulatedJoint<double>> joints, std::span<double> result) {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  Matrix6 response = Matrix6::Zero();  // ω̇ and v̇ of link i−1 by a moment and a force on it
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto& [R, p] = frames[i];
    const Eigen::Matrix3d inward = eigen(R).transpose();
    Matrix6 X = Matrix6::Zero();
    X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = inward;
    X.bottomLeftCorner<3, 3>() = eigen(transposed(cross(p, R)));
    response = (X * response * X.transpose()).eval();

    const double of_joint = 1.0 / joints[i].pivot;
    Eigen::Matrix<double, 6, 1> u;
    u << eigen(joints[i].moment), eigen(joints[i].force);
    u *= of_joint;
    const Eigen::Matrix<double, 6, 1> w = response * u;
    result[i] = of_joint + u.dot(w);  // (7.24)
    const auto s = by_kind<Eigen::Index>(arm.links[i].joint, 2, 5);
    response.row(s) -= w.transpose();
    response.col(s) -= w;
    response(s, s) += result[i];  // (7.25)
  }
}

}  // namespace armdyn
