#include "model/inertia.hpp"

#include <Eigen/Eigenvalues>

#include "math/rigid.hpp"

namespace armdyn {

SymMat3 about_com(const SymMat3& about_origin, double mass, const Vec3& com) {
  return about_origin + point_inertia(-mass, com);
}

Vec3 principal_moments(const SymMat3& inertia) {
  Eigen::Matrix3d tensor;
  tensor << inertia.xx, inertia.xy, inertia.xz,  //
      inertia.xy, inertia.yy, inertia.yz,        //
      inertia.xz, inertia.yz, inertia.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(tensor, Eigen::EigenvaluesOnly);
  const Eigen::Vector3d& moments = solver.eigenvalues();
  return {moments(0), moments(1), moments(2)};
}

}  // namespace armdyn
