#pragma once

namespace armdyn {

/// A constant vector: three numbers in the axes of the frame that its user names.
struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;

  bool operator==(const Vec3&) const = default;
};

/// A constant symmetric 3×3 matrix. As an inertia it is the *tensor*: xy = −∫xy dm, kg·m².
struct SymMat3 {
  double xx = 0.0;
  double yy = 0.0;
  double zz = 0.0;
  double xy = 0.0;
  double yz = 0.0;
  double xz = 0.0;

  bool operator==(const SymMat3&) const = default;
};

/// A constant rotation, by rows: takes a vector's components from the moved frame to the fixed one.
struct Mat3 {
  Vec3 row_x{1.0, 0.0, 0.0};
  Vec3 row_y{0.0, 1.0, 0.0};
  Vec3 row_z{0.0, 0.0, 1.0};

  bool operator==(const Mat3&) const = default;
};

/// A constant rigid transform: rotation and origin of the moved frame, seen from the fixed frame.
struct Transform {
  Mat3 R;
  Vec3 p;  ///< m

  bool operator==(const Transform&) const = default;
};

/// A force and a moment; the frame, the point and who exerts it are said where it is used.
struct Wrench {
  Vec3 force;   ///< N
  Vec3 moment;  ///< N·m
};

}  // namespace armdyn
