#pragma once

#include <armdyn/equations.hpp>
#include <armdyn/robot.hpp>

#include "dynamics/mass_matrix.hpp"
#include "dynamics/newton_euler.hpp"
#include "dynamics/regressor_columns.hpp"
#include "dynamics/states.hpp"
#include "dynamics/torque_derivatives.hpp"

// Newton-Euler, composite and articulated bodies for one state at a time, with a three-vector in one
// register.

namespace armdyn {

/// A register of AVX2, aligned alike by files that are compiled without.
typedef double FourDoubles __attribute__((vector_size(32), aligned(32)));

/// A double, as the scalar of vectors that are a register each.
struct [[gnu::may_alias]] Packed {
  double value = 0.0;

  Packed() = default;
  Packed(double number) : value(number) {}
  operator double() const { return value; }
};

inline std::span<const Packed> as_packed(std::span<const double> values) {
  return {reinterpret_cast<const Packed*>(values.data()), values.size()};
}
inline std::span<Packed> as_packed(std::span<double> values) {
  return {reinterpret_cast<Packed*>(values.data()), values.size()};
}

template <>
struct Vec<Packed> {
  FourDoubles values{};  ///< x, y, z, and one that is not used

  Vec() = default;
  Vec(double x, double y, double z) : values{x, y, z, z} {}
  explicit Vec(const FourDoubles& xyz) : values(xyz) {}
};

/// A 3×3 matrix by rows.
struct PackedRows {
  Vec<Packed> row_x, row_y, row_z;
};

/// Rows for Rᵀv, columns for R v.
template <>
struct Mat<Packed> {
  PackedRows rows, columns;

  Mat() = default;
  Mat(const PackedRows& by_rows, const PackedRows& by_columns)
      : rows(by_rows), columns(by_columns) {}
  Mat(const Vec<Packed>& x, const Vec<Packed>& y, const Vec<Packed>& z)
      : rows{x, y, z},
        columns{{x.values[0], y.values[0], z.values[0]},
                {x.values[1], y.values[1], z.values[1]},
                {x.values[2], y.values[2], z.values[2]}} {}
};

template <>
struct SymMat<Packed> : PackedRows {
  SymMat() = default;
  explicit SymMat(const PackedRows& rows) : PackedRows(rows) {}
  SymMat(double xx, double yy, double zz, double xy, double yz, double xz)
      : PackedRows{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}} {}
};

template <>
struct ArticulatedBody<Packed> {
  SymMat<Packed> J;
  PackedRows B;
  SymMat<Packed> A;
};

template <>
struct MovingBody<Packed> {
  CompositeBody<Packed> inertia;
  Vec<Packed> momentum;
  PackedRows spread_rate;
  Packed trace;
  ForceAndMoment<Packed> load;
};

/// One number of four joints each.
struct Quad {
  FourDoubles values{};

  Quad() = default;
  Quad(double k) : values{k, k, k, k} {}
  explicit Quad(const FourDoubles& four) : values(four) {}
};

struct PackedBody {
  double mass;
  Vec<Packed> com;
  SymMat<Packed> inertia;
};
struct PackedCompositeBody : CompositeBody<Packed> {};
struct PackedArticulatedBody : ArticulatedBody<Packed> {};

/// A link and where its joint is.
struct PackedLink {
  JointType joint;
  double sin, cos;       ///< of θ, with q
  double d_at_0, d;      ///< of a prismatic joint, without and with q
  Vec<Packed> by_alpha;  ///< 1, cos α, sin α
  Vec<Packed> column_z;  ///< of R
  Vec<Packed> p;         ///< of a revolute joint; of another a, −sin α, cos α
  PackedBody body;
};
template <class Body>
struct PackedLinkOf {
  JointType joint;
  Body body;
};

/// Links, as algorithms know an arm.
template <class Link>
struct PackedChain {
  std::vector<Link> links;
  Vec3 v_dot_0;
  Transform tool;

  [[nodiscard]] std::size_t dof() const { return links.size(); }
};

/// An arm whose RNEA, CRBA and ABA give their bits in doubles, signs of zeros included;
/// of derivatives of the torques, likewise.
class PackedArm {
 public:
  /// Makes one; nothing where the machine lacks AVX2, or ARMDYN_SIMD names less.
  static std::optional<PackedArm> of(const Arm& arm);

  /// Computes newton_euler; gravity may be another than the arm's.
  void torque(const Vec3& v_dot_0, const MotionOf<Packed>& motion, const Wrench* wrench,
              std::span<Packed> tau);
  /// Forms the joints' frames at q, as `torque` does too.
  void place(std::span<const Packed> q);
  /// Computes composite_body for the frames last formed, four rows of M at a time.
  void mass_matrix(std::span<Packed> M);
  /// Computes armdyn::articulate for the frames last formed, which it copies. To solve with these
  /// takes less time in doubles, since every operation waits for the one before.
  void articulate(std::span<const double> rotors, std::span<Transform> frames,
                  std::span<ArticulatedJoint<double>> joints);
  /// Computes newton_euler for q̈ = 0, articulate and solve_articulated, whose recursions inward go on
  /// side by side, since each waits for itself: the torques h, the pivots, and q̈ by force − h.
  void accelerate(const Vec3& v_dot_0, const MotionOf<Packed>& at_rate, const Wrench* wrench,
                  std::span<const double> rotors, std::span<const Packed> force,
                  std::span<Packed> h, std::span<double> pivots, std::span<double> qdd);
  /// Computes the tool frame, and the columns of its Jacobian, 6×dof by rows.
  [[nodiscard]] Transform tool(std::span<const Packed> q);
  void jacobian(std::span<const Packed> q, std::span<double> J);
  /// Computes joint_terms and pair_derivatives, the latter for four joints at a time.
  void derivatives(const MotionOf<Packed>& motion, const Wrench* wrench, const DerivativeRows& out);
  /// Computes the text link_columns for four unit bodies at a time, three such groups for the ten of a
  /// body. Y has `columns`, those of drives before those of a payload.
  void link_columns(const MotionOf<Packed>& motion,
                    std::span<const CompositeBody<Quad, Quad>> bodies, std::size_t columns,
                    std::span<double> Y);
  /// Computes factor_ltdl, four entries at a time, solve_ltdl for the n columns of X, several side by
  /// side, and invert_ltdl.
  static void factor(std::size_t n, std::span<double> M);
  static void solve(std::size_t n, std::span<const Packed> factors, std::span<double> X);
  static void invert(std::size_t n, std::span<const Packed> factors, std::span<double> inverse);

 private:
  struct OfFourJoints {
    FourDoubles sin_theta, cos_theta;
  };

  explicit PackedArm(const Arm& arm);
  void turn(std::span<const Packed> q);

  PackedChain<PackedLink> arm_;
  PackedChain<PackedLinkOf<PackedCompositeBody>> composite_;
  PackedChain<PackedLinkOf<PackedArticulatedBody>> articulated_;
  std::vector<OfFourJoints> offsets_;
  std::vector<LinkState<Packed>> states_;
  std::vector<ArticulatedJoint<Packed>> joints_;
  std::vector<ForceAndMoment<Packed>> unit_loads_;
  std::vector<LinkRates<Packed>>
      rates_;  ///< and the next two: empty until derivatives are asked for
  std::vector<JointTerms<Packed>> terms_;
  std::vector<JointTerms<Quad>> terms_of_four_;
  std::vector<ModifiedLinkState<Packed>> moving_;  ///< likewise for the regressor
  std::vector<Frame<Packed>> in_base_;             ///< likewise for the Jacobian
};

}  // namespace armdyn
