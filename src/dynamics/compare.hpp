#pragma once

#include <armdyn/equations.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <limits>
#include <random>

#include "dynamics/newton_euler.hpp"
#include "model/serial_chain.hpp"

// Comparisons: of formulations for one arm, and of two descriptions in one state.

namespace armdyn {

/// One way to compute the torque of the links, dof entries, N·m or N; without friction and rotors,
/// which take no part in a comparison. A copy has its own workspace.
struct ComparedMethod {
  std::string name;
  std::function<void(const MotionState&, const Wrench& wrench, std::span<double> tau)> torque;
  /// Rows up to here are all computed, later ones by `is_computed`.
  std::size_t dense_rows = std::numeric_limits<std::size_t>::max();
};

/// The method of that arm. Throws std::invalid_argument where a size is wrong.
[[nodiscard]] ComparedMethod compared_method(const Arm& arm, Method method);

/// Torques of the methods in one state.
struct ComparedState {
  /// Per joint |M_links q̈| + |V| + |G| + |Jᵀ wrench|, with a floor for states in which these cancel
  /// (eq. 13.1); N·m or N. A difference is relative to the largest of them.
  std::vector<double> scale;
  /// Per method, dof entries; empty where it was left out.
  std::vector<std::vector<double>> tau;
  /// Per method, dof entries: tau less the 50-digit reference; empty where either was left out.
  std::vector<std::vector<double>> error;
  /// Per method where it has an error, dof entries: how large that can be; empty otherwise.
  std::vector<std::vector<double>> bound = {};
};

/// Runs the methods, state after state. One object per thread.
class StateComparer {
 public:
  StateComparer(const Arm& arm, std::vector<ComparedMethod> methods);

  /// Runs the methods and the reference, if they are computed of this row, which counts from
  /// 0. Throws std::invalid_argument where a size is wrong, NotFinite where a torque is no finite
  /// number, or its square is none.
  void compare(const MotionState& state, const Wrench& wrench, ComparedState& out,
               std::size_t row = 0);

 private:
  void measure(const MotionState& state, const Wrench& wrench, std::span<double> scale);

  Arm arm_;
  std::vector<ComparedMethod> methods_;
  InverseDynamics terms_;
  std::vector<double> inertia_, velocity_, gravity_, wrench_, unused_;
};

/// The largest of a series, and where it was.
struct LargestAt {
  double value = 0.0;
  std::size_t row = 0;      ///< from 0
  std::optional<double> t;  ///< s, where the motion has a time
};

/// Difference of two methods at one joint, over all rows that both computed.
struct JointDifference {
  LargestAt absolute;  ///< N·m or N
  LargestAt relative;  ///< to the largest scale of its row's joints
  double there = 0.0;  ///< the difference where it is relatively largest, N·m or N
  double rms = 0.0;    ///< N·m or N
};

struct PairDifference {
  std::size_t first = 0, second = 0;  ///< methods; second less first
  std::vector<JointDifference> joints;
  std::size_t rows = 0;
};

/// Distance of a method from the 50-digit reference, in units in the last place (ulp) of a double
/// as large as the joint's scale is over all rows (RMS).
struct MethodError {
  std::vector<LargestAt> largest;  ///< per joint, ulp
  std::vector<double> rms;         ///< per joint, ulp
  double overall_rms = 0.0;        ///< ulp
  std::size_t rows = 0;            ///< that the method computed
};

/// Gathers compared states, in order, into figures of all of them.
class Comparison {
 public:
  Comparison(std::vector<std::string> methods, std::size_t dof, double tolerance);

  /// Throws std::invalid_argument for a state of other methods or joints.
  void add(const ComparedState& state, std::optional<double> t = {});

  [[nodiscard]] const std::vector<std::string>& methods() const { return methods_; }
  [[nodiscard]] double tolerance() const { return tolerance_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t reference_rows() const { return reference_rows_; }

  /// Pairs of methods, the first of the list with each later one first.
  [[nodiscard]] std::vector<PairDifference> differences() const;
  [[nodiscard]] std::vector<MethodError> errors() const;

  /// The place where relative differences are largest; nothing without rows or with one method.
  struct Worst {
    std::size_t first = 0, second = 0, joint = 0;
    JointDifference difference;
  };
  [[nodiscard]] std::optional<Worst> worst() const;
  /// Tests that no relative difference is above the tolerance. A torque that is not a number agrees
  /// with none.
  [[nodiscard]] bool agree() const;
  /// Number of verified digits of a joint's largest torque: the largest k with a bound of at most
  /// 10⁻ᵏ of the largest in all rows that have bounds; nothing where that torque is 0.
  [[nodiscard]] std::optional<std::size_t> verified_digits(std::size_t method,
                                                           std::size_t joint) const;

 private:
  void require_fitting(const ComparedState& state) const;

  std::vector<std::string> methods_;
  std::size_t dof_;
  double tolerance_;
  std::size_t rows_ = 0, reference_rows_ = 0;
  std::vector<PairDifference> pairs_;  // rms holds the sum of squares
  std::vector<MethodError> errors_;    // likewise, and N·m or N
  std::vector<std::size_t> error_rows_;
  std::vector<double> scale_squares_;        // per joint, over the rows with a reference
  std::vector<std::vector<double>> bounds_;  // per method and joint, the largest
  std::vector<double> peaks_;                // of the joints' torques
};

// Comparisons of long motions: what would take minutes is computed ever more thinly.

/// The method of that arm, dense for about a minute of arithmetic.
[[nodiscard]] ComparedMethod thinned_method(const Arm& arm, Method method);

/// The 50-digit reference is computed on this many rows before it is thinned out.
inline constexpr std::size_t dense_reference_rows = 5000;

/// Tests whether a row (from 0) is computed by something that is thinned out after `dense_rows`:
/// then every second row up to twice as many, every fourth up to four times, and so on.
[[nodiscard]] bool is_computed(std::size_t row, std::size_t dense_rows);

/// A state with memory of its own.
struct TimedState {
  std::vector<double> q, qd, qdd;
  Wrench wrench;
};
/// Seconds that a method takes for one of these states, the best of several runs over all of them.
[[nodiscard]] double seconds_per_state(const ComparedMethod& method,
                                       std::span<const TimedState> states);

// References of 50 digits (certified.cpp).

/// A number of twice a double's digits: head + tail, head being the nearest double.
struct TwoDoubles {
  double head = 0.0;
  double tail = 0.0;
};

/// The torque of the links, without friction and rotors, by newton_euler in 50 digits: N·m
/// or N, dof entries, right to some 30 digits for this arm's and this state's doubles. Slow: about
/// a thousand times the time in doubles.
void reference_torque(const Arm& arm, const MotionState& state, const Wrench& wrench,
                      std::span<TwoDoubles> tau);

/// Loads of the joints if no two forces or moments canceled, N·m or N: the inward recursion
/// on magnitudes (docs/derivation.md eq. 13.2), of a mechanism in its chains.
[[nodiscard]] std::vector<double> gross_loads(const Arm& arm, const MotionState& motion,
                                              const Wrench& wrench);

/// Mx, Vx and Gx of this arm's and this state's doubles, by (9.13)-(9.15) with M from strobing,
/// computed with 50 digits and then rounded; where J or M is singular, not finite. Slow: a
/// millisecond or a few. No more rows than joints.
[[nodiscard]] CartesianTerms reference_cartesian(const Arm& arm, std::span<const double> q,
                                                 std::span<const double> qd,
                                                 std::span<const TaskRow> rows, TaskAxes axes);

// Descriptions that should be of one arm: results of each in the same state, and how far apart they
// are (docs/derivation.md, 1.1).

/// Results that two descriptions of an arm have in common, whatever their frames. In the world.
struct ArmState {
  Transform tcp;                ///< tool frame
  Matrix jacobian;              ///< of its origin, 6×dof
  std::vector<double> gravity;  ///< G, dof entries, N·m or N
  std::vector<double> torque;   ///< M q̈ + V + G, without friction and rotors
  double effort = 0.0;          ///< Σ |f| times the arm's size + |n| over the links: a scale of τ
};

/// Computes them by Denavit-Hartenberg table and Newton-Euler recursion.
[[nodiscard]] ArmState state_of(const Arm& arm, const MotionState& motion);

/// Computes them from joint frames and axes alone: by velocities and accelerations of the links in
/// the world, and the virtual work of their forces on each joint's motion (eq. 1.21).
[[nodiscard]] ArmState state_of(const SerialChain& chain, const MotionState& motion);

/// Random states within the limits of joints, the same ones each time.
class RandomMotion {
 public:
  explicit RandomMotion(const std::vector<Joint>& joints);
  [[nodiscard]] std::vector<double> position();
  /// Numbers from −largest to largest, one per joint.
  [[nodiscard]] std::vector<double> numbers(double largest);

 private:
  const std::vector<Joint>& joints_;
  std::mt19937_64 random_{19};
};

/// Largest differences between two descriptions of an arm over many states.
struct Deviation {
  double tcp = 0.0;                                ///< of the TCP's position, over the arm's size
  double turn = 0.0;                               ///< of the TCP's orientation, rad
  double jacobian = 0.0;                           ///< over J's largest entry
  double gravity = 0.0;                            ///< N·m or N
  double torque = 0.0;                             ///< N·m or N
  double gravity_scale = 0.0, torque_scale = 0.0;  ///< largest entries of G and τ in any state
  double effort = 0.0;                             ///< likewise

  void add(const ArmState& a, const ArmState& b, double size);
};

/// The largest differences over that many random states. A description is an Arm or a SerialChain.
template <class First, class Second>
Deviation deviation(const First& first, const Second& second, const std::vector<Joint>& joints,
                    double size, std::size_t count) {
  RandomMotion random(joints);
  Deviation result;
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<double> q = random.position(), qd = random.numbers(2.0),
                              qdd = random.numbers(5.0);
    result.add(state_of(first, {q, qd, qdd}), state_of(second, {q, qd, qdd}), size);
  }
  return result;
}

}  // namespace armdyn
