#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/link_frames.hpp"
#include "symbolic/symbolic_arm.hpp"

// The equations of motion of an arm as formulas (docs/derivation.md, 20). Of friction the viscous
// one alone has such a form, and takes part in the torques. Frames {i} are those of the table.

namespace armdyn {

/// Place of an entry in a matrix.
struct MatrixPlace {
  std::string index;  ///< of the matrix: 1 of T1
  std::size_t row, column, rows, columns;
};

/// An equation: τ, 1, and its right side.
struct ClosedForm {
  std::string symbol, index;
  SymbolicNumber value;
  std::string latex = {};    ///< of the left side, with {} for the index; empty: of the symbol
  bool is_left_out = false;  ///< zero, as its whole row is, or as an entry of the regressor
  std::optional<MatrixPlace> place = {};
};

/// The equations that have a closed form.
enum class ClosedEquation {
  torque,       ///< τ = M q̈ + V + G, and viscous friction
  mass_matrix,  ///< M, with rotors
  velocity,     ///< V
  gravity,      ///< G
  christoffel,  ///< C of (9.10), V = C q̇
  craig,        ///< B and C of (9.11), the columns of B pair by pair
  cartesian,    ///< M_x, V_x, G_x of (9.13)-(9.15), B_x and C_x of (9.16)
  jacobian,     ///< of the tool in axes of {0} (9.2)
  regressor,    ///< Y of the bodies (27.1)
  kinetic,      ///< k of the links, and K of the arm with its rotors (9.6)
  potential,    ///< u of the links, and U (9.7)
  recursion,    ///< motion and load of each link by RNEA, outward and inward (2.1-2.14), and τ
  frames,       ///< T of each joint, {i} in {i−1} (1.1), (1.2)
  forward_kinematics,  ///< T of the tool in {0}
  lagrangian,          ///< k, u, the derivatives of L = K − U that make τ, and τ
  link_jacobian,       ///< of a point of each link, in axes of {0}
  base_parameters      ///< a, where torques are Y a, and Y (20.7)
};

/// Axes of Jacobians, Cartesian forms and the recursion, and the point of each link that Jacobians are
/// of.
struct JacobianView {
  std::optional<TaskAxes> axes = {};  ///< absent: base, and of the recursion link
  LinkPoint point = LinkPoint::com;
};

/// Cartesian forms are for the first independent rows of J, as many as there are joints; of an arm
/// with joint angles for symbols (Angles::of_joints) they are the shorter ones. Throws Error where
/// there are not so many rows, or more than three joints; std::length_error where there are too
/// many terms.
[[nodiscard]] std::vector<ClosedForm> closed_forms(const SymbolicArm& arm, ClosedEquation what,
                                                   const JacobianView& view = {});

/// τ = M q̈ + V + G by RNEA (2.1-2.14), with the rotors of (9.5).
[[nodiscard]] std::vector<SymbolicNumber> torque_by_newton_euler(const SymbolicArm& arm);
/// The same by Lagrange (6.1-6.11).
[[nodiscard]] std::vector<SymbolicNumber> torque_by_lagrange(const SymbolicArm& arm);

/// Difference of RNEA and Lagrange, and how much canceled in it.
struct Equivalence {
  std::vector<std::size_t> terms;  ///< of each joint's τ
  std::size_t left = 0;            ///< terms of all differences; 0: they are identically zero
};
[[nodiscard]] Equivalence newton_euler_less_lagrange(const SymbolicArm& arm);

// Polynomials in the order of a textbook: sums of angles collected, factors taken out, terms in the
// order of accelerations, products of velocities, squares, gravity.

/// Terms of x with sums and differences of angles of parallel axes, and 1 − c² as s²
/// (docs/derivation.md, 20.3): no normal form.
[[nodiscard]] std::vector<Term> collected(const SymbolicArm& arm, const SymbolicNumber& x);
/// The same, or those of x over the lowest powers of its divisors, which are fewer.
[[nodiscard]] std::vector<Term> printed_terms(const SymbolicArm& arm, const SymbolicNumber& x);

enum class Markup { text, latex };
/// Choice whether entries of a matrix are equations, or a matrix where it fits into a line of text.
enum class Layout { entries, matrices };

/// Equations as text in lines of at most 100 columns, or as an align* environment of amsmath. Of a
/// matrix, entries without an equation are zero; of M, they are those on the other side.
[[nodiscard]] std::string textbook(const SymbolicArm& arm, const std::vector<ClosedForm>& forms,
                                   Markup notation, Layout layout = Layout::entries);

/// Terms as a sum: "m2 l2² - m1 l1".
[[nodiscard]] std::string text(const SymbolicArm& arm, std::vector<Term> terms);

/// Left side as text: "τ1".
[[nodiscard]] std::string left_side(const SymbolicArm& arm, const ClosedForm& form);

/// Symbols of the equations with their meanings: "m1 = 4.6", "c12 = cos(q1 + q2)".
[[nodiscard]] std::string legend(const SymbolicArm& arm, const std::vector<ClosedForm>& forms);

}  // namespace armdyn
