#pragma once

#include <armdyn/vector.hpp>

namespace armdyn {

/// Inertia tensor about the centre of mass, from the one about the origin of the same axes
/// (parallel-axis theorem).
[[nodiscard]] SymMat3 about_com(const SymMat3& about_origin, double mass, const Vec3& com);

/// Principal moments of inertia, smallest first.
[[nodiscard]] Vec3 principal_moments(const SymMat3& inertia);

}  // namespace armdyn
