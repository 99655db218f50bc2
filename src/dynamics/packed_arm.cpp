// RNEA, CRBA and ABA on vectors that are one register each. This file alone is compiled for AVX2:
// its functions have these types in their names, or are in the unnamed namespace, so that no linker
// takes one of them for another file's. The set-up is in inverse_dynamics.cpp.

#include "dynamics/packed_arm.hpp"

#include <cstring>

#include "math/ltdl.hpp"
#include "math/sin_cos.hpp"

namespace armdyn {

namespace {

using Number = FourDoubles;
typedef std::uint64_t Bits __attribute__((vector_size(32)));

inline Bits bits_of(const Number& number) {
  return reinterpret_cast<Bits>(number);
}
inline Number number_of(const Bits& bits) {
  return reinterpret_cast<Number>(bits);
}

#include "math/sin_cos_formula.hpp"

using Vector = Vec<Packed>;

/// Entries of a, and of b from 4 on.
template <int x, int y, int z, int unused = 7>
Number chosen(const Number& a, const Number& b) {
  return __builtin_shufflevector(a, b, x, y, z, unused);
}
template <int x, int y, int z>
Number permuted(const Number& a) {
  return chosen<x, y, z, 3>(a, a);
}
inline Number yzx(const Number& a) {
  return permuted<1, 2, 0>(a);
}
template <int k>
Number spread(const Number& a) {
  return chosen<k, k, k, k>(a, a);
}
inline Number spread(double k) {
  return Number{k, k, k, k};
}

inline Number negated_x(const Number& a) {
  return number_of(bits_of(a) ^ Bits{sign_bit, 0, 0, 0});
}
inline Number negated_y(const Number& a) {
  return number_of(bits_of(a) ^ Bits{0, sign_bit, 0, 0});
}

/// a v.x + b v.y + c v.z.
inline Vector combined(const Vector& a, const Vector& b, const Vector& c, const Vector& v) {
  return Vector(a.values * spread<0>(v.values) + b.values * spread<1>(v.values) +
                c.values * spread<2>(v.values));
}

}  // namespace

// Operations on vectors, as armdyn/vector.hpp and math/rigid.hpp have them.

inline Vector operator+(const Vector& u, const Vector& v) {
  return Vector(u.values + v.values);
}
inline Vector operator-(const Vector& u, const Vector& v) {
  return Vector(u.values - v.values);
}
inline Vector scaled(const Vector& v, const Packed& k) {
  return Vector(v.values * spread(k));
}
inline Packed dot(const Vector& u, const Vector& v) {
  const Number products = u.values * v.values;
  return products[0] + products[1] + products[2];
}
inline Vector operator*(double k, const Vector& v) {
  return Vector(spread(k) * v.values);
}
inline Vector cross(const Vector& u, const Vector& v) {
  return Vector(yzx(u.values * yzx(v.values) - yzx(u.values) * v.values));
}
inline Packed component_z(const Vector& v) {
  return v.values[2];
}
inline Vector along_z(const Packed& k) {
  return {0.0, 0.0, k};
}
inline Vector plus_z(const Vector& v, const Packed& k) {
  return Vector(v.values + Number{-0.0, -0.0, k, k});
}
inline Vector z_cross(const Vector& v) {
  return Vector(chosen<0, 1, 6>(negated_x(permuted<1, 0, 2>(v.values)), Number{}));
}
inline Vector cross_z(const Vector& v) {
  return Vector(chosen<0, 1, 6>(negated_y(permuted<1, 0, 2>(v.values)), Number{}));
}
inline Vector moved_by_joint(const Vector& v, const Vector& omega, const Packed& k,
                             const Packed& l) {
  const Number across = negated_y(permuted<1, 0, 2>(omega.values) * spread(k));
  return Vector(v.values + chosen<0, 1, 4>(across, spread(l)));
}
inline PackedRows operator+(const PackedRows& A, const PackedRows& B) {
  return {A.row_x + B.row_x, A.row_y + B.row_y, A.row_z + B.row_z};
}
inline PackedRows operator*(double k, const PackedRows& A) {
  return {k * A.row_x, k * A.row_y, k * A.row_z};
}
inline PackedRows transposed(const PackedRows& A) {
  const Number x = A.row_x.values, y = A.row_y.values, z = A.row_z.values;
  const Number first_and_last = chosen<0, 4, 2, 6>(x, y);
  return {Vector(chosen<0, 1, 4>(first_and_last, z)),
          Vector(chosen<0, 1, 5>(chosen<1, 5, 3>(x, y), z)),
          Vector(chosen<2, 3, 6>(first_and_last, z))};
}
inline Vector column_z(const PackedRows& A) {
  return transposed(A).row_z;
}
inline Vector column_z(const SymMat<Packed>& A) {
  return A.row_z;
}
inline PackedRows cross(const Vector& p, const PackedRows& A) {
  const Number x = spread<0>(p.values), y = spread<1>(p.values), z = spread<2>(p.values);
  return {Vector(A.row_z.values * y - A.row_y.values * z),
          Vector(A.row_x.values * z - A.row_z.values * x),
          Vector(A.row_y.values * x - A.row_x.values * y)};
}
inline PackedRows product(const Packed& k, const Vector& u, const Vector& v) {
  const Number w = u.values * spread(k);
  return {Vector(spread<0>(w) * v.values), Vector(spread<1>(w) * v.values),
          Vector(spread<2>(w) * v.values)};
}

/// Takes of two entries that should be equal that above the diagonal.
inline SymMat<Packed> symmetric(const PackedRows& A) {
  return SymMat<Packed>(
      {A.row_x, Vector(chosen<1, 5, 6>(A.row_x.values, A.row_y.values)), column_z(A)});
}
inline SymMat<Packed> operator+(const SymMat<Packed>& A, const SymMat<Packed>& B) {
  return SymMat<Packed>(PackedRows(A) + PackedRows(B));
}
inline const PackedRows& full(const SymMat<Packed>& A) {
  return A;
}
inline SymMat<Packed> with_transposed(const PackedRows& A) {
  return SymMat<Packed>(A + transposed(A));
}
inline SymMat<Packed> square(const Packed& k, const Vector& u) {
  return symmetric(product(k, u, u));
}

inline Vector transposed_times(const Mat<Packed>& R, const Vector& v) {
  return combined(R.rows.row_x, R.rows.row_y, R.rows.row_z, v);
}
inline Vector operator*(const Mat<Packed>& R, const Vector& v) {
  return combined(R.columns.row_x, R.columns.row_y, R.columns.row_z, v);
}
inline Vector operator*(const SymMat<Packed>& A, const Vector& v) {
  return combined(A.row_x, A.row_y, A.row_z, v);
}
inline Vector transposed_times(const PackedRows& A, const Vector& v) {
  return combined(A.row_x, A.row_y, A.row_z, v);
}
inline Vector operator*(const PackedRows& A, const Vector& v) {
  return transposed_times(transposed(A), v);
}
inline Vector column_z(const Mat<Packed>& A) {
  return A.columns.row_z;
}
inline Mat<Packed> operator*(const Mat<Packed>& A, const Mat<Packed>& B) {
  const auto& [x, y, z] = B.columns;
  const PackedRows columns{A * x, A * y, A * z};
  return {transposed(columns), columns};
}
inline PackedRows rotated(const Mat<Packed>& R, const PackedRows& A) {
  const Vector x = R * A.row_x, y = R * A.row_y, z = R * A.row_z;
  const auto row = [&](const Vector& r) {
    return Vector(x.values * spread(r.values[0]) + y.values * spread(r.values[1]) +
                  z.values * spread(r.values[2]));
  };
  return {row(R.rows.row_x), row(R.rows.row_y), row(R.rows.row_z)};
}
inline SymMat<Packed> rotated(const Mat<Packed>& R, const SymMat<Packed>& A) {
  return symmetric(rotated(R, PackedRows(A)));
}
inline SymMat<Packed> moved_inertia(const Vector& p, const Vector& h) {
  const Number d = p.values * h.values;
  const Number first = permuted<1, 0, 0>(d), second = permuted<2, 2, 1>(d);
  const Number diagonal = first + second + first + second;
  const Number beside =  // xy, yz, xz
      number_of(bits_of(p.values * yzx(h.values)) ^ sign_bit) - yzx(p.values) * h.values;
  return SymMat<Packed>({Vector(chosen<4, 1, 2>(permuted<0, 0, 2>(beside), diagonal)),
                         Vector(chosen<0, 5, 2>(permuted<0, 0, 1>(beside), diagonal)),
                         Vector(chosen<0, 1, 6>(permuted<2, 1, 1>(beside), diagonal))});
}

inline Mat<Packed> acceleration_matrix(const Vector& omega, const Vector& omega_dot) {
  const Number squares = omega.values * omega.values,
               sums = permuted<1, 0, 0>(squares) + permuted<2, 2, 1>(squares);
  const Number d = number_of(bits_of(sums) ^ sign_bit);
  const Number products = omega.values * yzx(omega.values);  // xy, yz, zx
  const Number along = permuted<2, 0, 1>(omega_dot.values);  // z, x, y
  const Number below = products + along, above = products - along;
  // Rows: (d.x, xy − z, xz + y), (xy + z, d.y, yz − x), (xz − y, yz + x, d.z).
  const PackedRows rows{
      Vector(chosen<0, 5, 6>(d, permuted<0, 0, 2>(chosen<4, 1, 2>(below, above)))),
      Vector(chosen<4, 1, 6>(d, permuted<0, 0, 1>(chosen<0, 5, 2>(below, above)))),
      Vector(chosen<4, 5, 2>(d, permuted<2, 1, 1>(chosen<0, 1, 6>(below, above))))};
  return {rows, transposed(rows)};
}
inline SymMat<Packed> mass_spread(const SymMat<Packed>& I) {
  const Number d = chosen<0, 1, 6>(chosen<0, 5, 2>(I.row_x.values, I.row_y.values), I.row_z.values);
  const Number diagonal = 0.5 * (permuted<1, 0, 0>(d) + permuted<2, 2, 1>(d) - d);
  const auto row = [](const Vector& v) { return number_of(bits_of(v.values) ^ sign_bit); };
  return SymMat<Packed>({Vector(chosen<4, 1, 2>(row(I.row_x), diagonal)),
                         Vector(chosen<0, 5, 2>(row(I.row_y), diagonal)),
                         Vector(chosen<0, 1, 6>(row(I.row_z), diagonal))});
}

inline Quad operator+(const Quad& a, const Quad& b) {
  return Quad(a.values + b.values);
}
inline Quad operator-(const Quad& a, const Quad& b) {
  return Quad(a.values - b.values);
}
inline Quad operator*(const Quad& a, const Quad& b) {
  return Quad(a.values * b.values);
}

template <class S>
const SymMat<S>& constant(const SymMat<Packed>& A) {
  return A;
}
template <class S>
const CompositeBody<S>& composite(const PackedCompositeBody& body) {
  return body;
}
template <class S>
const ArticulatedBody<S>& articulated(const PackedArticulatedBody& body) {
  return body;
}

inline Frame<Packed> joint_frame(const PackedLink& link, const Packed& /*q*/) {
  const Number s = spread(link.sin), c = spread(link.cos);
  const Number k = link.by_alpha.values;
  const PackedRows columns{Vector(chosen<0, 5, 6>(c, s) * k), Vector(chosen<4, 1, 2>(c, -s) * k),
                           link.column_z};
  Vector p = link.p;
  if (!is_turning(link.joint)) p.values *= Number{1.0, link.d, link.d, link.d};
  return {{transposed(columns), columns}, p};
}

/// Sines and cosines of four joints at a time, by the formula of sin_cos.
void PackedArm::turn(std::span<const Packed> q) {
  const std::size_t last = q.size() - 1;
  for (std::size_t first = 0; first <= last; first += 4) {
    const auto at = [&](std::size_t k) -> double { return q[first + k < last ? first + k : last]; };
    const Number x{at(0), at(1), at(2), at(3)};
    const Bits sign = bits_of(x) & sign_bit;
    const Number angle = number_of(bits_of(x) ^ sign);
    auto [s, c] = evaluate(reduce_moderate(angle), sign);
    const Bits moderate = reinterpret_cast<Bits>(angle < cody_waite_limit);
    if ((moderate[0] & moderate[1] & moderate[2] & moderate[3]) == 0) {
      for (std::size_t k = 0; k < 4; ++k) {
        const SinCos found = sin_cos(at(k));
        s[k] = found.sin;
        c[k] = found.cos;
      }
    }
    const auto& [sin_theta, cos_theta] = offsets_[first / 4];
    const Number sine = sin_theta * c + cos_theta * s;
    const Number cosine = cos_theta * c - sin_theta * s;
    for (std::size_t k = 0; k < 4 && first + k <= last; ++k) {
      PackedLink& link = arm_.links[first + k];
      if (is_turning(link.joint)) {
        link.sin = sine[k];
        link.cos = cosine[k];
      } else {
        link.d = link.d_at_0 + x[k];
      }
    }
  }
}

void PackedArm::torque(const Vec3& v_dot_0, const MotionOf<Packed>& motion, const Wrench* wrench,
                       std::span<Packed> tau) {
  turn(motion.q);
  arm_.v_dot_0 = v_dot_0;
  ForceAndMoment<Packed> outer;
  if (wrench != nullptr) outer = constant<Packed>(*wrench);
  newton_euler<Packed>(arm_, motion.q, motion.qd, motion.qdd, wrench == nullptr ? nullptr : &outer,
                       states_, tau);
}

void PackedArm::place(std::span<const Packed> q) {
  turn(q);
  for (std::size_t i = 0; i < q.size(); ++i) states_[i].frame = joint_frame(arm_.links[i], q[i]);
}

/// The frames of these states.
struct PackedFrames {
  const std::vector<LinkState<Packed>>& states;
  const Frame<Packed>& operator[](std::size_t i) const { return states[i].frame; }
};

namespace {

Vec3 plain(const Vector& v) {
  return {v.values[0], v.values[1], v.values[2]};
}
Transform plain(const Frame<Packed>& frame) {
  const auto& [R, p] = frame;
  return {{plain(R.rows.row_x), plain(R.rows.row_y), plain(R.rows.row_z)}, plain(p)};
}
ArticulatedJoint<double> plain(const ArticulatedJoint<Packed>& joint) {
  return {plain(joint.moment), plain(joint.force), joint.pivot};
}

/// The frames of these states, or the joints, in doubles.
struct PlainFrames {
  const std::vector<LinkState<Packed>>& states;
  Transform operator[](std::size_t i) const { return plain(states[i].frame); }
};
struct PlainJoints {
  const std::vector<ArticulatedJoint<Packed>>& joints;
  ArticulatedJoint<double> operator[](std::size_t i) const { return plain(joints[i]); }
};

}  // namespace

void PackedArm::articulate(std::span<const double> rotors, std::span<Transform> frames,
                           std::span<ArticulatedJoint<double>> joints) {
  armdyn::articulate<Packed>(articulated_, PackedFrames{states_}, rotors, joints_);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i] = plain(states_[i].frame);
    joints[i] = plain(joints_[i]);
  }
}

void PackedArm::accelerate(const Vec3& v_dot_0, const MotionOf<Packed>& at_rate,
                           const Wrench* wrench, std::span<const double> rotors,
                           std::span<const Packed> force, std::span<Packed> h,
                           std::span<double> pivots, std::span<double> qdd) {
  turn(at_rate.q);
  arm_.v_dot_0 = v_dot_0;
  ForceAndMoment<Packed> outer;
  if (wrench != nullptr) outer = constant<Packed>(*wrench);
  const PackedFrames frames{states_};
  ArticulatedBody<Packed> beyond;
  ForceAndMoment<Packed> load;
  const auto at_joint = [&](std::size_t i) {
    ArticulatedJoint<Packed>& joint = joints_[i];
    articulate_joint<Packed>(articulated_, frames, rotors, i, beyond, joint);
    pivots[i] = joint.pivot;
    qdd[i] = respond<Packed>(articulated_, frames, i, joint, force[i] - h[i], load);
  };
  newton_euler_outward<Packed>(arm_, at_rate, states_);
  newton_euler_inward<Packed>(arm_, wrench == nullptr ? nullptr : &outer, states_, h, at_joint);
  accelerate_outward<double>(articulated_, PlainFrames{states_}, PlainJoints{joints_}, qdd);
}

namespace {

/// Vectors side by side.
Vec<Quad> side_by_side(const Vector& i, const Vector& j, const Vector& k, const Vector& l) {
  const Number a = i.values, b = j.values, c = k.values, d = l.values;
  const Number ab_xz = chosen<0, 4, 2, 6>(a, b), cd_xz = chosen<0, 4, 2, 6>(c, d);
  const Number ab_y = chosen<1, 5, 3, 7>(a, b), cd_y = chosen<1, 5, 3, 7>(c, d);
  return {Quad(chosen<0, 1, 4, 5>(ab_xz, cd_xz)), Quad(chosen<0, 1, 4, 5>(ab_y, cd_y)),
          Quad(chosen<2, 3, 6, 7>(ab_xz, cd_xz))};
}

/// Writes the first of the four, as many as there are `left`.
void copy(const Quad& from, double* to, std::size_t left) {
  if (left >= 4) {
    std::memcpy(to, &from, sizeof from);
  } else {
    for (std::size_t k = 0; k < left; ++k) to[k] = from.values[k];
  }
}

/// The same vector four times.
Vec<Quad> in_four(const Vector& v) {
  return {Quad(spread<0>(v.values)), Quad(spread<1>(v.values)), Quad(spread<2>(v.values))};
}

/// Terms of four joints.
JointTerms<Quad> side_by_side(const JointTerms<Packed>* joints) {
  const auto vector = [&](const auto& of) {
    return side_by_side(of(joints[0]), of(joints[1]), of(joints[2]), of(joints[3]));
  };
  const auto twist = [&](Twist<Packed> JointTerms<Packed>::*which) -> Twist<Quad> {
    return {vector([&](const auto& x) { return (x.*which).v; }),
            vector([&](const auto& x) { return (x.*which).omega; })};
  };
  const auto load = [&](ForceAndMoment<Packed> JointTerms<Packed>::*which) -> ForceAndMoment<Quad> {
    return {vector([&](const auto& x) { return (x.*which).force; }),
            vector([&](const auto& x) { return (x.*which).moment; })};
  };
  using Terms = JointTerms<Packed>;
  return {twist(&Terms::unit),
          twist(&Terms::rate),
          twist(&Terms::acceleration),
          load(&Terms::of_qdd),
          load(&Terms::of_qd),
          load(&Terms::of_q),
          vector([](const auto& x) { return x.coriolis; })};
}

/// What by_inner_joint and by_outer_joint read of the joint of their torque.
JointTerms<double> one_joint(const JointTerms<Packed>& joint) {
  JointTerms<double> terms;
  terms.unit = {plain(joint.unit.v), plain(joint.unit.omega)};
  terms.of_qdd = {plain(joint.of_qdd.force), plain(joint.of_qdd.moment)};
  terms.coriolis = plain(joint.coriolis);
  return terms;
}

}  // namespace

void PackedArm::derivatives(const MotionOf<Packed>& motion, const Wrench* wrench,
                            const DerivativeRows& out) {
  const std::size_t n = arm_.dof(), groups = offsets_.size();
  if (terms_.empty()) {
    rates_.resize(n);
    terms_.resize(4 * groups);
    terms_of_four_.resize(groups);
  }
  turn(motion.q);
  ForceAndMoment<Packed> outer;
  if (wrench != nullptr) outer = constant<Packed>(*wrench);
  joint_terms<Packed>(arm_, motion, wrench == nullptr ? nullptr : &outer, rates_,
                      std::span(terms_).first(n));
  for (std::size_t g = 0; g < groups; ++g) terms_of_four_[g] = side_by_side(&terms_[4 * g]);

  for (std::size_t i = 0; i < n; ++i) {
    const JointTerms<double> joint = one_joint(terms_[i]);
    const auto put = [&](std::size_t g, const PairDerivatives<Quad>& found) {
      const std::size_t at = i * n + 4 * g, left = n - 4 * g;
      copy(found.dq, &out.dq[at], left);
      copy(found.dqd, &out.dqd[at], left);
      copy(found.dqdd, &out.dqdd[at], left);
    };
    const std::size_t own = i / 4;
    for (std::size_t g = 0; g < own; ++g) put(g, by_inner_joint(joint, terms_of_four_[g]));
    for (std::size_t g = groups; --g > own;) put(g, by_outer_joint(joint, terms_of_four_[g]));
    const PairDerivatives<Quad> inner = by_inner_joint(joint, terms_of_four_[own]);
    const PairDerivatives<Quad> beyond = by_outer_joint(joint, terms_of_four_[own]);
    const auto is_beyond = Bits{0, 1, 2, 3} > i % 4;
    const auto either = [&](const Quad& a, const Quad& b) {
      return Quad(is_beyond ? b.values : a.values);
    };
    put(own, {either(inner.dq, beyond.dq), either(inner.dqd, beyond.dqd),
              either(inner.dqdd, beyond.dqdd)});
  }
}

Transform PackedArm::tool(std::span<const Packed> q) {
  turn(q);
  return plain(chain_frames<Packed>(arm_, q, [](std::size_t, const Frame<Packed>&) {}));
}

void PackedArm::jacobian(std::span<const Packed> q, std::span<double> J) {
  const std::size_t n = q.size();
  in_base_.resize(n);
  turn(q);
  const Vector tip =
      chain_frames<Packed>(arm_, q, [&](std::size_t i, const auto& T) { in_base_[i] = T; }).p;
  for (std::size_t first = 0; first < n; first += 4) {
    Twist<Packed> columns[4];
    for (std::size_t k = 0; k < 4 && first + k < n; ++k) {
      columns[k] = jacobian_column(arm_.links[first + k].joint, in_base_[first + k], tip);
    }
    const auto& [a, b, c, d] = columns;
    double* row = &J[first];
    for (const auto& [x, y, z] :
         {side_by_side(a.v, b.v, c.v, d.v), side_by_side(a.omega, b.omega, c.omega, d.omega)}) {
      for (const Quad& entries : {x, y, z}) {
        copy(entries, row, n - first);
        row += n;
      }
    }
  }
}

void PackedArm::mass_matrix(std::span<Packed> M) {
  const std::size_t n = composite_.dof();
  CompositeBody<Packed> body{};
  for (std::size_t i = n; i-- > 0;) {
    const CompositeBody<Packed>& own = composite_.links[i].body;
    body = i + 1 < n ? own + carried(states_[i + 1].frame, body) : own;
    unit_loads_[i] = unit_load(composite_.links[i].joint, body);
  }
  // Rows last, last − 1, ... in the four lanes, each from its own joint on.
  for (std::size_t end = n; end > 0; end = end > 4 ? end - 4 : 0) {
    const std::size_t last = end - 1;
    ForceAndMoment<Quad> load;
    for (std::size_t j = last;; --j) {
      const std::size_t lane = last - j;
      if (lane < 4) {
        const Bits begins = reinterpret_cast<Bits>(Bits{0, 1, 2, 3} == lane);
        const auto put = [&](const Vector& from, Vec<Quad>& to) {
          const Vec<Quad> all = in_four(from);
          to.x = Quad(begins ? all.x.values : to.x.values);
          to.y = Quad(begins ? all.y.values : to.y.values);
          to.z = Quad(begins ? all.z.values : to.z.values);
        };
        put(unit_loads_[j].force, load.force);
        put(unit_loads_[j].moment, load.moment);
      }
      const Number row =
          joint_load(composite_.links[j].joint, load.force, load.moment).values;  // (7.6)
      Packed* const entry = &M[last * n + j];
      entry[0] = row[0];
      if (lane >= 1) *(entry - n) = row[1];
      if (lane >= 2) *(entry - 2 * n) = row[2];
      if (lane >= 3) *(entry - 3 * n) = row[3];
      if (j == 0) break;
      const auto& [R, p] = states_[j].frame;
      const Mat3 outward{plain(R.rows.row_x), plain(R.rows.row_y), plain(R.rows.row_z)};
      load.force = outward * load.force;
      load.moment = outward * load.moment + cross(plain(p), load.force);  // (7.7)
    }
  }
}

void PackedArm::link_columns(const MotionOf<Packed>& motion,
                             std::span<const CompositeBody<Quad, Quad>> bodies, std::size_t columns,
                             std::span<double> Y) {
  const std::size_t n = arm_.dof();
  moving_.resize(n);
  turn(motion.q);
  move_links<Packed>(arm_, motion, moving_);
  for (std::size_t b = 0; 3 * b < bodies.size(); ++b) {
    std::size_t i = b < n ? b : n - 1;
    const std::size_t first = b < n ? body_parameters * b : columns - body_parameters;
    ModifiedLinkState<Quad> x;
    x.omega = in_four(moving_[i].omega);
    x.omega_dot = in_four(moving_[i].omega_dot);
    x.v_dot = in_four(moving_[i].v_dot);
    const PackedRows& A = moving_[i].A.rows;
    x.A = {in_four(A.row_x), in_four(A.row_y), in_four(A.row_z)};
    // The six unit inertias, two of them in the last four lanes, need no force.
    auto [force, moment] = own_load(bodies[3 * b], x);
    Vec<Quad> turning[] = {rotation_moment(bodies[3 * b + 1].inertia, x.omega, x.omega_dot, x.A),
                           rotation_moment(bodies[3 * b + 2].inertia, x.omega, x.omega_dot, x.A)};
    for (;; --i) {
      const JointType joint = arm_.links[i].joint;
      double* const row = &Y[i * columns + first];
      copy(joint_load(joint, force, moment), row, 4);
      copy(joint_load(joint, {}, turning[0]), row + 4, 4);
      copy(joint_load(joint, {}, turning[1]), row + 8, 2);
      if (i == 0) break;
      const auto& [R, p] = moving_[i].frame;
      const auto& [row_x, row_y, row_z] = R.rows;
      const Mat3 outward{plain(row_x), plain(row_y), plain(row_z)};
      force = outward * force;
      moment = outward * moment + cross(plain(p), force);
      for (Vec<Quad>& of_inertia : turning) of_inertia = outward * of_inertia;
    }
  }
}

namespace {

/// Entries of 4·w columns.
template <std::size_t w>
struct Panel {
  Number values[w];

  friend Panel operator-(const Panel& a, const Panel& b) {
    Panel c;
    for (std::size_t k = 0; k < w; ++k) c.values[k] = a.values[k] - b.values[k];
    return c;
  }
  friend Panel operator*(double a, const Panel& b) {
    Panel c;
    for (std::size_t k = 0; k < w; ++k) c.values[k] = a * b.values[k];
    return c;
  }
  friend Panel operator/(const Panel& a, double b) {
    Panel c;
    for (std::size_t k = 0; k < w; ++k) c.values[k] = a.values[k] / b;
    return c;
  }
};

// The next two are for more than eight joints: solve_ltdl and factor_ltdl with each row in registers until it
// is complete, the same operations on each entry in the same order. With fewer each sum would wait for
// itself.

using WidePanel = Panel<4>;
constexpr std::size_t few_joints = 8, width = 16;

void solve_wide(std::size_t n, std::span<const Packed> factors, std::span<WidePanel> x,
                std::size_t size) {
  for (std::size_t i = size; i-- > 0;) {
    WidePanel sum = x[i];
    for (std::size_t k = size; --k > i;) sum = sum - factors[k * n + i] * x[k];
    x[i] = sum;
  }
  for (std::size_t k = 0; k < size; ++k) {
    WidePanel sum = x[k] / factors[k * n + k];
    for (std::size_t i = 0; i < k; ++i) sum = sum - factors[k * n + i] * x[i];
    x[k] = sum;
  }
}

void factor_wide(std::size_t n, std::span<double> M) {
  const std::size_t panels = (n + width - 1) / width;
  thread_local std::vector<WidePanel> rows;  // of D L
  rows.resize(n * panels);
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t p = 0; p * width <= i; ++p) {
      WidePanel sum;
      const std::size_t left = n - p * width;
      std::memcpy(&sum, &M[i * n + p * width], (left < width ? left : width) * sizeof(double));
      for (std::size_t k = n; --k > i;) sum = sum - M[k * n + i] * rows[k * panels + p];
      rows[i * panels + p] = sum;
    }
    const auto* const row = reinterpret_cast<const Packed*>(&rows[i * panels]);
    const double inverse_pivot = 1.0 / row[i];
    for (std::size_t j = 0; j < i; ++j) M[i * n + j] = row[j] * inverse_pivot;
    M[i * n + i] = row[i];
  }
}

/// Calls solve(panel, size) for as many columns of X after the other as a panel has: their first
/// `rows(end)` rows, where `end` is behind the last of them.
template <class P>
void solve_panels(std::size_t n, std::span<double> X, const auto& rows, const auto& solve) {
  constexpr std::size_t columns = sizeof(P) / sizeof(double);
  thread_local std::vector<P> panel;
  panel.resize(n);
  for (std::size_t first = 0; first < n; first += columns) {
    const std::size_t end = n - first < columns ? n : first + columns;
    const std::size_t bytes = (end - first) * sizeof(double), size = rows(end);
    for (std::size_t i = 0; i < size; ++i) std::memcpy(&panel[i], &X[i * n + first], bytes);
    solve(std::span(panel), size);
    for (std::size_t i = 0; i < size; ++i) std::memcpy(&X[i * n + first], &panel[i], bytes);
  }
}

/// Solves for such rows of all columns of X.
void solve_columns(std::size_t n, std::span<const Packed> factors, std::span<double> X,
                   const auto& rows) {
  if (n <= few_joints) {
    solve_panels<Panel<2>>(n, X, rows, [&](std::span<Panel<2>> panel, std::size_t size) {
      solve_ltdl<Panel<2>, Packed>(n, factors, panel, size);
    });
  } else {
    solve_panels<WidePanel>(n, X, rows, [&](std::span<WidePanel> panel, std::size_t size) {
      solve_wide(n, factors, panel, size);
    });
  }
}

}  // namespace

void PackedArm::factor(std::size_t n, std::span<double> M) {
  n <= few_joints ? factor_ltdl<Packed>(n, as_packed(M)) : factor_wide(n, M);
}

void PackedArm::solve(std::size_t n, std::span<const Packed> factors, std::span<double> X) {
  solve_columns(n, factors, X, [n](std::size_t /*end*/) { return n; });
}

void PackedArm::invert(std::size_t n, std::span<const Packed> factors, std::span<double> inverse) {
  std::memset(inverse.data(), 0, inverse.size_bytes());
  for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = 1.0;
  solve_columns(n, factors, inverse, [](std::size_t end) { return end; });
  mirror_upper<Packed>(n, as_packed(inverse));
}

}  // namespace armdyn
