// The recursion of paper 004, section 3, in its own arrays (docs/derivation.md, 22.1).

#include <algorithm>

#include "cli/equations/options.hpp"
#include "dynamics/friction.hpp"
#include "dynamics/link_frames.hpp"
#include "math/rigid.hpp"
#include "model/proximal_form.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

namespace {

/// A number with its formula, which of constants is their digits. Products and sums leave out what
/// is 0 by its formula.
struct Noted {
  Noted() = default;
  explicit Noted(double constant) : text(fmt::format("{}", constant + 0.0)), value(constant) {}
  Noted(std::string formula, double result, bool adds = false)
      : text(std::move(formula)), value(result), is_sum(adds) {}

  std::string text = "0";
  double value = 0.0;
  bool is_sum = false;

  [[nodiscard]] bool is_zero() const { return text == "0"; }
  [[nodiscard]] bool is_negative() const { return !is_sum && text[0] == '-'; }
  [[nodiscard]] std::string magnitude() const {
    return is_sum ? "(" + text + ")" : text.substr(is_negative() ? 1 : 0);
  }
};

Noted operator-(const Noted& x) {
  return {(x.is_zero() || x.is_negative() ? "" : "-") + x.magnitude(), -x.value};
}
Noted operator+(const Noted& a, const Noted& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const std::string sign = b.is_negative() ? " - " : " + ";
  return {a.text + sign + (b.is_sum ? b.text : b.magnitude()), a.value + b.value, true};
}
Noted operator-(const Noted& a, const Noted& b) {
  return a + -b;
}
Noted operator*(const Noted& a, const Noted& b) {
  if (a.is_zero() || b.is_zero()) return {};
  const std::string sign = a.is_negative() != b.is_negative() ? "-" : "";
  return {sign + a.magnitude() + "·" + b.magnitude(), a.value * b.value};
}

using S = Noted;

struct Statement {
  std::string name, formula;
  int equation;  ///< (3.1) to (3.48); 0: none
  double value;
};

/// The recursion of an arm of a standard table whose joints turn. Joints and frames count from 1.
class ArrayRecursion {
 public:
  ArrayRecursion(const Robot& robot, const Arm& arm) : robot_(robot), arm_(arm) {}

  std::vector<Statement> statements(std::span<const double> q, std::span<const double> qd,
                                    std::span<const double> qdd) {
    B_ = set("B(", 1, {}, 4);
    CX_ = set("CX(", 1, {}, 10);
    H_ = set("H(", 1, constant<S>(arm_.v_dot_0), 22);
    for (std::size_t i = 1; i <= arm_.dof(); ++i) {
      rates_[i] = {fmt::format("q̇{}", i), qd[i - 1]};
      set_table(i, q[i - 1], A_[i], R_[i]);
      move(i, {fmt::format("q̈{}", i), qdd[i - 1]});
      load(i);
    }
    add_torques();
    return std::move(statements_);
  }

 private:
  static constexpr int each = 1;  // of a vector's entries has an equation of its own

  /// The motion of frame i from that of frame i-1, (3.4) to (3.23).
  void move(std::size_t i, const S& acceleration) {
    const S& rate = rates_[i];
    const Vec<S> DD =
        set("DD(", i, {CX_.x + B_.y * rate, CX_.y - B_.x * rate, CX_.z + acceleration}, 11);
    B_ = set("B(", i + 1, transposed_times(A_[i], Vec<S>{B_.x, B_.y, B_.z + rate}), 5, each);
    CX_ = set("CX(", i + 1, transposed_times(A_[i], DD), 12, each);
    const Vec<S> CC = set("CC(", i, cross(CX_, R_[i]), 19),
                 BB = set("BB(", i, cross(B_, R_[i]), 20);
    const Vec<S> BBB = set("BBB(", i, cross(B_, BB), 21);
    H_ = set("H(", i + 1, CC + BBB + transposed_times(A_[i], H_), 23, each);
  }

  /// Force and moment that this motion of body i needs, (3.26) to (3.37).
  void load(std::size_t i) {
    const bool is_as_written = i < arm_.dof() || robot_.payload.is_none();
    const MassProperties body =
        is_as_written ? robot_.joints[i - 1].body
                      : moved(inverse(arm_.user_frame.back()), arm_.links.back().body);
    AR_[i] = set("AR(", i, constant<S>(body.com), 26);
    const Vec<S> CAR = set("CAR(", i, cross(CX_, AR_[i]), 27);
    const Vec<S> BAR = set("BAR(", i, cross(B_, AR_[i]), 28);
    const Vec<S> B2 = set("B2(", i, cross(B_, BAR), 29);
    const Vec<S> AA = set("AA(", i, CAR + B2 + H_, 31, each);
    F_[i] = set("F(", i, number("m", i, body.mass) * AA, 34);
    const SymMat<S> J = tensor(i, body.inertia);
    const Vec<S> XJC = set("XJC(", i, J * CX_, 34), XJB = set("XJB(", i, J * B_, 35);
    AN_[i] = set("AN(", i, XJC + set("BIB(", i, cross(B_, XJB), 36), 37);
  }

  /// Forces, moments and torques of the joints, from the last to the first, (3.38) to (3.48).
  void add_torques() {
    const std::size_t n = arm_.dof();
    Vec<S> RF = set("RF(", n + 1, {}, 38), U = set("U(", n + 1, {}, 39);
    A_[n + 1] = set_axes(n + 1, {});
    for (std::size_t i = n; i > 0; --i) {
      const Vec<S> YK = set("YK(", i, transposed_times(A_[i + 1], R_[i]), 41);
      const Vec<S> U2 = set("U2(", i, U + set("YKR(", i, cross(YK, RF), 42), 43);
      RF = set("RF(", i, A_[i + 1] * RF + F_[i], 40);
      const Vec<S> AU2 = set("AU2(", i, A_[i + 1] * U2, 44);
      const Vec<S> PF = set("PF(", i, cross(R_[i] + AR_[i], F_[i]), 0);
      U = set("U(", i, AU2 + PF + AN_[i], 45, each);
      S tau = dot(A_[i].row_z, U);
      const double viscous = viscous_friction(arm_.drives[i - 1]);
      if (viscous != 0.0) tau = tau + number("b", i, viscous) * rates_[i];
      set(fmt::format("τ{}", i), tau, 48);
    }
  }

  /// Makes a statement, and names its value from here on.
  S set(const std::string& name, const S& x, int equation) {
    statements_.push_back({name, x.text, equation, x.value});
    return {name, x.value};
  }
  /// "B(", i: its entries are B(1,i), B(2,i), B(3,i).
  Vec<S> set(const std::string& array, std::size_t i, const Vec<S>& v, int equation, int step = 0) {
    const auto entry = [&](int row, const S& x) {
      return set(fmt::format("{}{},{})", array, row, i), x, equation + step * (row - 1));
    };
    return {entry(1, v.x), entry(2, v.y), entry(3, v.z)};
  }
  Mat<S> set_axes(std::size_t i, const Mat<S>& A) {  // (3.1)
    return {set("A(1,", i, A.row_x, 1), set("A(2,", i, A.row_y, 1), set("A(3,", i, A.row_z, 1)};
  }

  /// A number of the arm that has a name.
  S number(const char* letter, std::size_t i, double value) {
    return set(fmt::format("{}{}", letter, i), S(value), 0);
  }

  /// (3.18); the table's numbers as (1.5) has them.
  void set_table(std::size_t i, double q, Mat<S>& A, Vec<S>& R) {
    const auto& [turn, place] = arm_.user_frame[i - 1];
    const S a = number("a", i, place.x), d = number("d", i, arm_.links[i - 1].d);
    const S gamma = number("γ", i, turn.row_y.y), eta = number("η", i, turn.row_z.y);
    const double offset = robot_.joints[i - 1].dh.theta;
    const Mat3 axes = joint_frame<double>(arm_.links[i - 1], q).R;  // before α of the link before
    const S angle = S{fmt::format("q{}", i), q} + S(offset);
    const S c = set(fmt::format("c{}", i), {"cos(" + angle.text + ")", axes.row_x.x}, 0);
    const S s = set(fmt::format("s{}", i), {"sin(" + angle.text + ")", -axes.row_x.y}, 0);
    A = set_axes(i, {{c, -(s * gamma), s * eta}, {s, c * gamma, -(c * eta)}, {{}, eta, gamma}});
    R = {a, d * eta, d * gamma};
  }

  SymMat<S> tensor(std::size_t i, const SymMat3& I) {
    const auto entry = [&](int row, int column, double value) {
      if (value == 0.0 && row != column) return S{};
      return set(fmt::format("J({},{},{})", row, column, i), S(value), 0);
    };
    return {entry(1, 1, I.xx), entry(2, 2, I.yy), entry(3, 3, I.zz),
            entry(1, 2, I.xy), entry(2, 3, I.yz), entry(1, 3, I.xz)};
  }

  const Robot& robot_;
  const Arm& arm_;
  std::vector<Statement> statements_;
  // The paper's arrays, by joint; B, CX and H hold those of the last frame reached.
  std::vector<Mat<S>> A_{arm_.dof() + 2};
  std::vector<Vec<S>> R_{arm_.dof() + 1}, AR_ = R_, F_ = R_, AN_ = R_;
  std::vector<S> rates_{arm_.dof() + 1};
  Vec<S> B_, CX_, H_;
};

}  // namespace

EquationsAnswer written_arrays(const EquationsOptions& options, const RobotFile& file) {
  const Robot& robot = file.robot;
  refuse_if(!std::ranges::all_of(robot.joints, turns) || robot.convention != Convention::standard,
            "--as paper-004 needs a standard table with revolute joints only; {} has another",
            in_one_line(robot.name));
  const EquationsState state(options, robot);
  const Arm arm = normalize(robot);
  std::string text =
      fmt::format("# {}: torques by the arrays of paper 004, section 3, and its equations\n# {}\n",
                  in_one_line(robot.name), own_line(file.digest));
  Json statements = Json::list();
  for (const auto& [name, formula, equation, value] :
       ArrayRecursion(robot, arm).statements(state.q, state.qd, state.qdd)) {
    Json found{{"left", name}, {"right", formula}};
    if (equation > 0) found["equation"] = fmt::format("3.{}", equation);
    if (state.is_given) found["value"] = value;
    const bool has_value = state.is_given && formula != S(value).text;
    text += fmt::format("{} = {}{}{}\n", name, formula,
                        has_value ? fmt::format(" = {:.6g}", value + 0.0) : "",
                        equation > 0 ? fmt::format("  # (3.{})", equation) : "");
    statements.push_back(found);
  }
  std::vector<std::string> warnings;
  const bool has_rotors = std::ranges::any_of(
      robot.joints, [](const Joint& joint) { return joint.motor.rotor_inertia != 0.0; });
  if (has_friction_beside_viscous(robot) || has_rotors || !robot.couplings.empty()) {
    warnings.emplace_back(
        "paper 004 has no rotors, no coupled motors and no friction other than viscous; they are "
        "left out");
  }
  return {text, {{"statements", statements}, {"warnings", warnings}}, warnings};
}

}  // namespace armdyn
