#pragma once

#include <armdyn/kinematics.hpp>
#include <armdyn/robot.hpp>

#include <array>
#include <span>
#include <vector>

#include "dynamics/chains.hpp"
#include "dynamics/joint_motion.hpp"
#include "math/each.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"
#include "model/spring_law.hpp"

namespace armdyn {

/// The frame {i} in {i−1}: Rx(α) Tx(a) Rz(θ) Tz(d) at joint position q (eq. 1.3-1.4). The link is a
/// Link, or its constants as another scalar.
template <class S, class L>
Frame<S> joint_frame(const L& link, const S& q) {
  return at_position(link, q, [&](const auto& sine, const auto& cosine, const auto& d) -> Frame<S> {
    return {{{S(cosine), -S(sine), S(0.0)},
             {link.cos_alpha * S(sine), link.cos_alpha * S(cosine), S(-link.sin_alpha)},
             {link.sin_alpha * S(sine), link.sin_alpha * S(cosine), S(link.cos_alpha)}},
            {S(link.a), S(-link.sin_alpha * d), S(link.cos_alpha * d)}};
  });
}

/// The joints' frames at q.
template <class S, class A>
std::vector<Frame<S>> joint_frames(const A& arm, std::span<const S> q) {
  return each(in_order(arm.dof()), [&](std::size_t i) { return joint_frame(arm.links[i], q[i]); });
}

// Frames and velocities of the links, all expressed in {0} (docs/derivation.md, 9.1). Spans of
// links have one entry per link.

/// {1}…{n} in {0} (eq. 9.1), given to `keep(i, frame)`; returns the tool frame. The arm is an Arm, or
/// its constants as another scalar, here and below.
template <class S, class A>
Frame<S> chain_frames(const A& arm, std::span<const S> q, const auto& keep) {
  Frame<S> T = constant<S>(Transform{});
  for (std::size_t i = 0; i < arm.dof(); ++i) keep(i, T = T * joint_frame(arm.links[i], q[i]));
  return T * constant<S>(arm.tool);
}
template <class S, class A>
std::vector<Frame<S>> link_frames(const A& arm, std::span<const S> q) {
  std::vector<Frame<S>> in_base;
  in_base.reserve(arm.dof());
  chain_frames<S>(arm, q, [&](std::size_t, const Frame<S>& T) { in_base.push_back(T); });
  return in_base;
}

// The table's own frames {i}, in which everything is shown: of a standard table they lie behind X_i of
// (1.5), of a modified one they are the links' frames.

/// {1}…{n} of the table in {0}, from `link_frames`.
template <class S, class A>
std::vector<Frame<S>> table_frames(const A& arm, std::span<const Frame<S>> in_base) {
  return each(in_order(arm.dof()),
              [&](std::size_t i) { return in_base[i] * constant<S>(arm.user_frame[i]); });
}

/// {i} of the table in {i−1}: the T of its row (eq. 1.1, 1.2); of a mechanism in the frame of its
/// parent, those of followers behind the others.
template <class S, class A>
std::vector<Frame<S>> table_joint_frames(const A& arm, std::span<const S> q) {
  if (!arm.is_serial()) {
    std::vector<Frame<S>> frames(number_of_bodies(arm));
    for (const auto& [chain, rows, joints] : arm.chains) {
      const auto found = table_joint_frames<S>(chain, joint_positions<S>(rows, q));
      for (std::size_t i = 0; i < joints.size(); ++i) {
        const bool goes_on = i > 0 && joints[i - 1] == joints[i];  // of an origin or a helix
        Frame<S>& T = frames[joints[i]];
        T = goes_on ? T * found[i] : found[i];
      }
    }
    return frames;
  }
  return each(in_order(arm.dof()), [&](std::size_t i) {
    auto link = arm.links[i];
    if (arm.convention == Convention::standard) {  // a and α behind the joint
      link.a = link.sin_alpha = 0.0;
      link.cos_alpha = 1.0;
    }
    return joint_frame(link, q[i]) * constant<S>(arm.user_frame[i]);
  });
}

/// The tool frame in {0}, of any arm at q.
template <class S, class A>
Frame<S> tool_frame_at(const A& arm, std::span<const S> q) {
  const auto nothing = [](std::size_t, const Frame<S>&) {};
  if (arm.is_serial()) return chain_frames<S>(arm, q, nothing);
  const auto& [chain, rows, joints] = arm.chains.front();
  return chain_frames<S>(chain, joint_positions<S>(rows, q), nothing);
}

template <class S, class A>
Frame<S> tool_frame(const A& arm, std::span<const Frame<S>> in_base) {
  return in_base.back() * constant<S>(arm.tool);
}

/// Six rows, of v and of ω.
template <class S>
MatrixOf<S> matrix_of(const std::vector<Twist<S>>& columns) {
  MatrixOf<S> J(6, columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::array entries = stacked(columns[j].v, columns[j].omega);
    for (std::size_t k = 0; k < entries.size(); ++k) J(k, j) = entries[k];
  }
  return J;
}

/// Velocities of the origins of {1}…{n} and of the links (eq. 9.3).
template <class S, class A>
std::vector<Twist<S>> link_velocities(const A& arm, std::span<const Frame<S>> in_base,
                                      std::span<const S> qd) {
  std::vector<Twist<S>> links(arm.dof());
  Vec<S> v = constant<S>(Vec3{});
  Vec<S> omega = constant<S>(Vec3{});
  Vec<S> origin = constant<S>(Vec3{});
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto& [R, o] = in_base[i];
    const Vec<S> along_axis = scaled(column_z(R), qd[i]);
    v = v + cross(omega, o - origin);
    Vec<S>& moved = is_turning(arm.links[i].joint) ? omega : v;
    moved = moved + along_axis;
    origin = o;
    links[i] = {v, omega};
  }
  return links;
}

/// Velocity of a point fixed in a body whose other point moves with `known`.
template <class S>
Twist<S> moved_by(const Vec<S>& lever_arm, const Twist<S>& known) {
  return {known.v + cross(known.omega, lever_arm), known.omega};
}

/// Column of the geometric Jacobian of a point `tip` beyond a joint, whose frame is T (eq. 9.2).
template <class S>
Twist<S> jacobian_column(JointType joint, const Frame<S>& T, const Vec<S>& tip) {
  const Vec<S> z = column_z(T.R);
  return joint_twist<S>(joint, z, cross(z, tip - T.p));
}

/// Columns for the point `tip` of the last link.
template <class S, class A>
std::vector<Twist<S>> jacobian(const A& arm, std::span<const Frame<S>> in_base, const Vec<S>& tip) {
  std::vector<Twist<S>> columns(arm.dof());
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    columns[i] = jacobian_column(arm.links[i].joint, in_base[i], tip);
  }
  return columns;
}

/// Time derivatives of these columns (eq. 9.4), from the velocities of (9.3).
template <class S, class A>
std::vector<Twist<S>> jacobian_rate(const A& arm, std::span<const Frame<S>> in_base,
                                    std::span<const Twist<S>> links, const Vec<S>& tip) {
  std::vector<Twist<S>> columns(arm.dof());
  const Twist<S> tcp = moved_by(tip - in_base.back().p, links.back());
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const auto& [R, o] = in_base[i];
    const Vec<S> z = column_z(R);
    const Vec<S> z_dot = cross(links[i].omega, z);
    columns[i] = joint_twist<S>(arm.links[i].joint, z_dot,
                                cross(z_dot, tip - o) + cross(z, tcp.v - links[i].v));
  }
  return columns;
}

/// Orientation in {0} of axes, `link` being those of that link's frame of the table.
template <class S, class A>
Mat<S> axes_of(const A& arm, std::span<const Frame<S>> in_base, std::size_t link, TaskAxes axes) {
  if (axes == TaskAxes::base) return constant<S>(Mat3{});
  return axes == TaskAxes::link ? table_frames<S>(arm, in_base)[link].R
                                : tool_frame<S>(arm, in_base).R;
}

template <class S>
void turn(const Mat<S>& R, std::vector<Twist<S>>& columns) {
  for (auto& [v, omega] : columns) {
    v = transposed_times(R, v);
    omega = transposed_times(R, omega);
  }
}

/// J_chain A, over the joints of a mechanism of n (38.3), with a column per joint up to some link.
template <class S, class T>
MatrixOf<S> projected(const std::vector<JointRowOf<T>>& rows, const MatrixOf<S>& of_chain,
                      std::size_t n) {
  MatrixOf<S> J(of_chain.rows(), n);
  for (std::size_t i = 0; i < of_chain.columns(); ++i) {
    for (std::size_t j = 0; j < rows[i].joints.size(); ++j) {
      for (std::size_t k = 0; k < J.rows(); ++k) {
        S& entry = J(k, rows[i].joints[j]);
        entry = entry + rows[i].factors[j] * of_chain(k, i);
      }
    }
  }
  return J;
}

/// The Jacobian of the tool frame's origin at q, 6×dof (eq. 9.2).
template <class S, class A>
MatrixOf<S> tool_jacobian(const A& arm, std::span<const S> q, TaskAxes axes = TaskAxes::base) {
  if (!arm.is_serial()) {
    const auto& [chain, rows, joints] = arm.chains.front();
    return projected<S>(rows, tool_jacobian<S>(chain, joint_positions<S>(rows, q), axes),
                        arm.dof());
  }
  const std::vector<Frame<S>> frames = link_frames<S>(arm, q);
  std::vector<Twist<S>> columns = jacobian<S>(arm, frames, tool_frame<S>(arm, frames).p);
  if (axes != TaskAxes::base) turn(axes_of<S>(arm, frames, arm.dof() - 1, axes), columns);
  return matrix_of(columns);
}

/// The time derivative of this Jacobian (eq. 9.4), in axes R that turn Rᵀ (J̇ − ω × J) (eq. 20.6).
template <class S, class A>
MatrixOf<S> tool_jacobian_rate(const A& arm, std::span<const S> q, std::span<const S> qd,
                               TaskAxes axes = TaskAxes::base) {
  if (!arm.is_serial()) {
    const auto& [chain, rows, joints] = arm.chains.front();
    return projected<S>(
        rows,
        tool_jacobian_rate<S>(chain, joint_positions<S>(rows, q), joint_rates<S>(rows, qd), axes),
        arm.dof());
  }
  const std::vector<Frame<S>> frames = link_frames<S>(arm, q);
  const std::vector<Twist<S>> links = link_velocities<S>(arm, frames, qd);
  const Vec<S> tip = tool_frame<S>(arm, frames).p;
  std::vector<Twist<S>> rates = jacobian_rate<S>(arm, frames, links, tip);
  if (axes != TaskAxes::base) {
    const std::vector<Twist<S>> columns = jacobian<S>(arm, frames, tip);
    const Vec<S>& omega = links.back().omega;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i].v = rates[i].v - cross(omega, columns[i].v);
      rates[i].omega = rates[i].omega - cross(omega, columns[i].omega);
    }
    turn(axes_of<S>(arm, frames, arm.dof() - 1, axes), rates);
  }
  return matrix_of(rates);
}

/// Point of each link that its Jacobian is of.
enum class LinkPoint {
  com,    ///< center of mass
  origin  ///< origin of the table's frame {i}
};

/// Jacobian of a point of each link, with the columns of the joints up to it, of a mechanism with
/// those of all.
template <class S, class A>
std::vector<MatrixOf<S>> link_jacobians(const A& arm, std::span<const S> q, LinkPoint point,
                                        TaskAxes axes) {
  if (!arm.is_serial()) {
    const auto of_chains = each(arm.chains, [&](const auto& chain) {
      return link_jacobians<S>(chain.arm, joint_positions<S>(chain.rows, q), point, axes);
    });
    return each(in_order(number_of_bodies(arm)), [&](std::size_t k) {
      const auto [c, link] = chain_link(arm, k);
      return projected<S>(arm.chains[c].rows, of_chains[c][link], arm.dof());
    });
  }
  const std::vector<Frame<S>> frames = link_frames<S>(arm, q);
  return each(in_order(arm.dof()), [&](std::size_t i) {
    const Vec<S> tip = point == LinkPoint::origin ? table_frames<S>(arm, frames)[i].p
                                                  : frames[i] * constant<S>(arm.links[i].body.com);
    std::vector<Twist<S>> columns = jacobian<S>(arm, frames, tip);
    columns.resize(i + 1);
    if (axes != TaskAxes::base) turn(axes_of<S>(arm, frames, i, axes), columns);
    return matrix_of(columns);
  });
}

/// m v̇_0ᵀ r_c of link i, J: zero with its center of mass level with the origin of {0} (eq. 9.7).
template <class S, class A>
S potential_energy(const A& arm, std::size_t i, std::span<const Frame<S>> in_base) {
  const auto& [mass, com, inertia] = arm.links[i].body;
  const Vec<S> r_c = in_base[i].R * constant<S>(com) + in_base[i].p;
  return mass * dot(arm.v_dot_0, r_c);
}

/// The potential energy of the link of joint k of any arm at q, of the last with the payload.
template <class S, class A>
S link_potential_energy(const A& arm, std::size_t k, std::span<const S> q) {
  if (arm.is_serial()) return potential_energy<S>(arm, k, link_frames<S>(arm, q));
  const auto [c, link] = chain_link(arm, k);
  const auto& [chain, rows, joints] = arm.chains[c];
  return link_potential_energy<S>(chain, link, joint_positions<S>(rows, q));
}

/// The potential energy of all links of a serial arm.
template <class S, class A>
S potential_energy(const A& arm, std::span<const Frame<S>> in_base) {
  S sum(0.0);
  for (std::size_t i = 0; i < arm.dof(); ++i) sum = sum + potential_energy(arm, i, in_base);
  return sum;
}

/// A point of a mechanism in {0}, and its Jacobian over the arm's joints: three rows.
template <class S>
struct MovedPoint {
  Vec<S> place;
  std::vector<Vec<S>> columns;
};
template <class S, class A, class T>
MovedPoint<S> moved_point(const A& arm, const ChainPointOf<T>& point, std::span<const S> q) {
  MovedPoint<S> found{constant<S>(point.at), std::vector<Vec<S>>(arm.dof(), constant<S>(Vec3{}))};
  if (!point.link) return found;
  const auto& [chain, rows, joints] = arm.chains[point.chain];
  const std::vector<Frame<S>> frames = link_frames<S>(chain, joint_positions<S>(rows, q));
  found.place = frames[*point.link] * found.place;
  for (std::size_t i = 0; i <= *point.link; ++i) {
    const Twist<S> column = jacobian_column(chain.links[i].joint, frames[i], found.place);
    for (std::size_t j = 0; j < rows[i].joints.size(); ++j) {
      Vec<S>& sum = found.columns[rows[i].joints[j]];
      sum = sum + scaled(column.v, S(rows[i].factors[j]));
    }
  }
  return found;
}

/// Adds the torques that springs ask of the joints, by their energies' slopes (38.9).
template <class S, class A>
void springs_torque(const A& arm, std::span<const S> q, std::span<S> tau) {
  for (const auto& [pieces, row, from, to] : arm.springs) {
    if (!row.joints.empty()) {
      const S torque = spring_load<S>(pieces, row_rate<S>(row, q) + S(row.offset)).load;
      act_by_row<S>(row, torque, [tau](std::size_t j, const S& part) { tau[j] = tau[j] + part; });
      continue;
    }
    const MovedPoint<S> a = moved_point<S>(arm, from, q), b = moved_point<S>(arm, to, q);
    const Vec<S> force = spring_force(pieces, b.place - a.place);
    for (std::size_t j = 0; j < tau.size(); ++j) {
      tau[j] = tau[j] + dot(force, b.columns[j] - a.columns[j]);
    }
  }
}

/// Energy of the springs, J (38.9).
template <class S, class A>
S springs_energy(const A& arm, std::span<const S> q) {
  S sum(0.0);
  for (const auto& [pieces, row, from, to] : arm.springs) {
    if (!row.joints.empty()) {
      sum = sum + spring_load<S>(pieces, row_rate<S>(row, q) + S(row.offset)).energy;
      continue;
    }
    const Vec<S> r = moved_point<S>(arm, to, q).place - moved_point<S>(arm, from, q).place;
    sum = sum + spring_energy(pieces, r);
  }
  return sum;
}

/// The potential energy of all links and springs of any arm at q.
template <class S, class A>
S potential_energy_at(const A& arm, std::span<const S> q) {
  S sum(0.0);
  if (!arm.is_serial()) {
    for (const auto& [chain, rows, joints] : arm.chains) {
      sum = sum + potential_energy_at<S>(chain, joint_positions<S>(rows, q));
    }
    return sum + springs_energy<S>(arm, q);
  }
  return potential_energy<S>(arm, link_frames<S>(arm, q));
}

}  // namespace armdyn
