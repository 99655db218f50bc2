// Every family of written equations of every shipped arm, at a random state, against what `inspect`
// prints there: what is printed as text, evaluated anew, and the value that is printed beside it.

#include <gtest/gtest.h>

#include <armdyn/verb.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "model/formula.hpp"
#include "model/shown_text.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"
#include "symbolic/closed_forms.hpp"

namespace armdyn::testing {
namespace {

using Values = std::map<std::string, double>;

std::vector<std::string> shipped_arms() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

/// Without the friction that has no closed form.
RobotFile arm_of(const std::string& name) {
  RobotFile file = read_robot_file(shipped_robots_folder() + "/" + name + ".yaml");
  for (Joint& joint : file.robot.joints) {
    const double viscous = joint.friction.viscous;
    joint.friction = {};
    joint.friction.viscous = viscous;
    joint.motor.coulomb = {};
  }
  return file;
}

std::string number(std::size_t i) {
  return std::to_string(i + 1);
}

/// Reader of printed equations at a state.
class Printed {
 public:
  Printed(const std::string& text, const std::string& legend, const Values& state) : state_(state) {
    static const std::regex constant("([^ ,]+) = (-?[0-9.e-]+)(,|$)");  // an angle of the table
    for (std::sregex_iterator at(legend.begin(), legend.end(), constant), end; at != end; ++at) {
      state_[plain((*at)[1])] = std::stod((*at)[2]);
    }
    std::istringstream lines(text);
    for (std::string line, left; std::getline(lines, line);) {
      const std::size_t sign = line.find(" = ");
      if (!line.starts_with(' ')) {
        left = line.substr(0, sign);
        formulas_[left] = line.substr(sign + 3);
      } else {
        formulas_[left] += line;
      }
    }
  }

  [[nodiscard]] double value(const std::string& left) const {
    const auto name = [this](std::string_view of) {
      if (const auto known = state_.find(std::string(of)); known != state_.end())
        return known->second;
      double sum = 0.0;  // c12
      for (const char digit : of.substr(1)) sum += state_.at(std::string("q") + digit);
      return of[0] == 's' ? std::sin(sum) : std::cos(sum);
    };
    const auto products = FormulaReader<double>::Products::may_be_implied;
    return FormulaReader<double>(plain(formulas_.at(left)), name, products).read();
  }

 private:
  /// As FormulaReader has it: qd1, qdd1, ^2, delta2.
  static std::string plain(std::string text) {
    for (const auto& [sign, word] :
         {std::pair("q̇", "qd"), std::pair("q̈", "qdd"), std::pair("²", "^2"), std::pair("³", "^3"),
          std::pair("⁴", "^4"), std::pair("⁵", "^5"), std::pair("⁶", "^6"), std::pair("δ", "delta"),
          std::pair("α", "alpha")}) {
      for (std::size_t at = 0; (at = text.find(sign, at)) != text.npos;) {
        text.replace(at, std::string_view(sign).size(), word);
      }
    }
    return text;
  }

  Values state_;
  std::map<std::string, std::string> formulas_;
};

/// What `inspect` prints of an arm, by the left sides that `equations` has for it.
class Inspected {
 public:
  Inspected(const RobotFile& file, const std::vector<double>& q, const std::vector<double>& qd,
            const std::vector<double>& qdd)
      : file_(file), state_{{"q", q}, {"qd", qd}, {"qdd", qdd}}, n_(q.size()) {
    all_ = answer({});
  }

  [[nodiscard]] Values of(ClosedEquation what, const JacobianView& view,
                          const std::vector<std::string>& rows) {
    values_.clear();
    using enum ClosedEquation;
    switch (what) {
      case torque:
        add_vector("τ", all_["tau"]);
        break;
      case mass_matrix:
        add_matrix("M", all_["M"]);
        break;
      case velocity:
        add_vector("V", all_["V"]);
        break;
      case gravity:
        add_vector("G", all_["G"]);
        break;
      case christoffel:
        add_matrix("C", all_["C"]);
        break;
      case craig:
        add_craig(all_, "");
        break;
      case cartesian:
        add_cartesian(view, rows);
        break;
      case jacobian:
        add_jacobian(view);
        break;
      case regressor:
        add_regressor();
        break;
      case kinetic:
        add_energy("k", "K", "kinetic");
        break;
      case potential:
        add_energy("u", "U", "potential");
        break;
      case recursion:
        add_recursion(name_of(view, TaskAxes::link));
        break;
      case frames:
        for (std::size_t i = 0; i < n_; ++i) {
          add_frame(number(i) + ",", all_["joint_frames"][i], "[", "]");
        }
        break;
      case forward_kinematics:
        add_frame("", all_["T"], "", "");
        break;
      case lagrangian:
        add_lagrangian();
        break;
      case link_jacobian:
        add_link_jacobians(view);
        break;
      case base_parameters:
        break;  // inspect has none; unit tests hold Y a = τ
    }
    return values_;
  }
  [[nodiscard]] const Json& part(const char* key) const { return all_[key]; }
  [[nodiscard]] Json answer(const std::vector<VerbOption>& more) const {
    std::vector<VerbOption> options = state_;
    options.insert(options.end(), more.begin(), more.end());
    return call("inspect", file_, {}, options).data;
  }

 private:
  static std::string name_of(const JacobianView& view, TaskAxes usual = TaskAxes::base) {
    return text_of_value(view.axes.value_or(usual), {"base", "link", "tool"});
  }
  void add(const std::string& left, const Json& value) { values_[left] = value.as<double>(); }
  void add_vector(const std::string& symbol, const Json& v) {
    for (std::size_t i = 0; i < v.entries().size(); ++i) add(symbol + number(i), v[i]);
  }
  void add_matrix(const std::string& symbol, const Json& A) {
    for (std::size_t i = 0; i < n_; ++i) add_vector(symbol + number(i), A[i]);
  }
  void add_craig(const Json& from, const std::string& suffix) {
    for (std::size_t i = 0; i < n_; ++i) {
      std::size_t column = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        for (std::size_t k = j + 1; k < n_; ++k) {
          add("B" + suffix + "[" + number(i) + "," + number(j) + number(k) + "]",
              from["craig_B" + suffix][i][column++]);
        }
      }
    }
    add_matrix("C" + suffix, from["craig_C" + suffix]);
  }
  /// For the rows of J that the closed form has.
  void add_cartesian(const JacobianView& view, const std::vector<std::string>& names) {
    std::string rows;
    for (const std::string& name : names) rows += (rows.empty() ? "" : ",") + name;
    rows = std::regex_replace(rows, std::regex("ω"), "w");
    const Json at = answer(
        {{"task_rows", rows}, {"what", "Mx,Vx,Gx,craig_Bx,craig_Cx"}, {"axes", name_of(view)}});
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i; j < n_; ++j) {
        add("Mx[" + names[i] + "," + names[j] + "]", at["Mx"][i][j]);
      }
      add("Vx[" + names[i] + "]", at["Vx"][i]);
      add("Gx[" + names[i] + "]", at["Gx"][i]);
    }
    add_craig(at, "x");
  }
  void add_jacobian(const JacobianView& view) {
    const Json J = answer({{"what", "J"}, {"axes", name_of(view)}})["J"];
    for (std::size_t j = 0; j < n_; ++j) {
      for (std::size_t row = 0; row < 6; ++row) {
        add("J[" + rows_[row] + "," + number(j) + "]", J[row][j]);
      }
    }
  }
  void add_link_jacobians(const JacobianView& view) {
    const Json all = answer({{"what", "link_jacobians"},
                             {"axes", name_of(view)},
                             {"point", view.point == LinkPoint::com ? "com" : "origin"}});
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t row = 0; row < 6; ++row) {
        for (std::size_t j = 0; j <= i; ++j) {
          add("J[" + number(i) + "," + rows_[row] + "," + number(j) + "]",
              all["link_jacobians"][i][row][j]);
        }
      }
    }
  }
  void add_regressor() {
    const Json at = answer({{"what", "regressor"}});
    for (std::size_t k = 0; k < at["parameters"].entries().size(); ++k) {
      for (std::size_t i = 0; i < n_; ++i) {
        add("Y[" + number(i) + "," + at["parameters"][k]["name"].as_text() + "]",
            at["regressor"][i][k]);
      }
    }
  }
  void add_energy(const char* of_link, const char* of_arm, const char* key) {
    for (std::size_t i = 0; i < n_; ++i) add(of_link + number(i), all_["links"][i][key]);
    add(of_arm, all_[key]);
  }
  void add_recursion(const std::string& axes) {
    const Json links = answer({{"axes", axes}, {"what", "links"}})["links"];
    for (std::size_t i = 0; i < n_; ++i) {
      for (const auto& [symbol, key] :
           {std::pair("ω", "omega"), std::pair("ω̇", "omega_dot"), std::pair("v̇", "v_dot"),
            std::pair("v̇C", "v_c_dot"), std::pair("F", "F"), std::pair("N", "N"),
            std::pair("f", "force"), std::pair("n", "moment")}) {
        for (std::size_t k = 0; k < 3; ++k) {
          add(std::string(symbol) + "[" + number(i) + "," + "xyz"[k] + "]", links[i][key][k]);
        }
      }
    }
    add_vector("τ", all_["tau"]);
  }
  void add_frame(const std::string& of, const Json& T, const char* open, const char* close) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        add("T" + std::string(open) + of + number(i) + number(j) + close, T[i][j]);
      }
    }
  }
  void add_lagrangian() {
    add_energy("k", "K", "kinetic");
    add_energy("u", "U", "potential");
    add_vector("τ", all_["tau"]);
    add_vector("∂L/∂q̇", all_["momentum"]);
    const Json lossless = answer({{"without", "friction"}});
    for (std::size_t i = 0; i < n_; ++i) {
      double slope = -all_["G"][i].as<double>();
      for (std::size_t j = 0; j < n_; ++j) {
        slope += all_["C"][j][i].as<double>() * all_["qd"][j].as<double>();
      }
      values_["∂L/∂q" + number(i)] = slope;
      values_["d/dt ∂L/∂q̇" + number(i)] = lossless["tau"][i].as<double>() + slope;
    }
  }
  const std::vector<std::string> rows_{"vx", "vy", "vz", "ωx", "ωy", "ωz"};
  const RobotFile& file_;
  std::vector<VerbOption> state_;
  std::size_t n_;
  Json all_;
  Values values_;
};

class WrittenForms : public ::testing::TestWithParam<std::string> {
 protected:
  static constexpr double tolerance = 1e-12;  // of the largest value of a family, or of 1

  void set_arm(const RobotFile& file) {
    file_ = file;
    const std::size_t n = file.robot.dof();
    RandomArm random(17);
    q_ = random.numbers(n, 2.0);
    qd_ = random.numbers(n, 2.0);
    qdd_ = random.numbers(n, 3.0);
    for (std::size_t i = 0; i < n; ++i) {
      state_["q" + number(i)] = q_[i];
      state_["qd" + number(i)] = qd_[i];
      state_["qdd" + number(i)] = qdd_[i];
    }
  }

  [[nodiscard]] Values written(ClosedEquation what, const JacobianView& view) {
    const bool divides = what == ClosedEquation::cartesian;
    const SymbolicArm arm = symbolic_arm(file_.robot, file_.written, {Symbols::Which::none, {}},
                                         divides ? Angles::of_joints : Angles::of_sums);
    std::vector<ClosedForm> forms = closed_forms(arm, what, view);
    std::erase_if(forms, &ClosedForm::is_left_out);
    std::size_t terms = 0;
    for (const ClosedForm& form : forms) terms += form.value.terms().size();
    Values values;
    for (const ClosedForm& form : forms) {
      values[left_side(arm, form)] = evaluate(arm, form.value, q_, qd_, qdd_);
    }
    if (terms > most_printed) return values;
    const Printed printed(textbook(arm, forms, Markup::text), legend(arm, forms), state_);
    const double scale = largest(values);
    for (const auto& [left, value] : values) {
      EXPECT_NEAR(printed.value(left), value, tolerance * scale) << GetParam() << " " << left;
    }
    return values;
  }

  static double largest(const Values& values) {
    double result = 1.0;
    for (const auto& [left, value] : values) result = std::max(result, std::abs(value));
    return result;
  }

  void expect_inspected(ClosedEquation what, const JacobianView& view = {}) {
    const Values found = written(what, view);
    std::vector<std::string> rows;
    for (const auto& [left, value] : found) {
      if (left.starts_with("Gx[")) rows.push_back(left.substr(3, left.size() - 4));
    }
    Values expected = Inspected(file_, q_, qd_, qdd_).of(what, view, rows);
    ASSERT_FALSE(found.empty());
    const double allowed = tolerance * largest(expected);
    for (const auto& [left, value] : found) {
      ASSERT_TRUE(expected.contains(left)) << GetParam() << " " << left;
      EXPECT_NEAR(value, expected.at(left), allowed) << GetParam() << " " << left;
      expected.erase(left);
    }
    const bool is_symmetric = what == ClosedEquation::mass_matrix;
    for (const auto& [left, value] : expected) {  // rows of zeros, and columns of drives
      const bool is_of_drive = left.starts_with("Y[") && left.find_first_of("JbBcCo") != left.npos;
      if (is_symmetric || is_of_drive) continue;
      EXPECT_NEAR(value, 0.0, allowed) << GetParam() << " " << left;
    }
  }

  /// J q̇ of points of links, their velocities in `inspect`.
  void expect_link_velocities(const JacobianView& view) {
    const Values J = written(ClosedEquation::link_jacobian, view);
    const Inspected at(file_, q_, qd_, qdd_);
    for (std::size_t i = 0; i < q_.size(); ++i) {
      const Json& link = at.part("links")[i];
      const Json& frame = at.part("frames")[i];
      for (const auto& [letter, key] :
           {std::pair("v", view.point == LinkPoint::origin ? "v" : "v_c"),
            std::pair("ω", "omega")}) {
        for (std::size_t k = 0; k < 3; ++k) {
          double expected = view.axes == TaskAxes::link ? link[key][k].as<double>() : 0.0;
          for (std::size_t m = 0; m < 3 && view.axes == TaskAxes::base; ++m) {
            expected += frame[k][m].as<double>() * link[key][m].as<double>();
          }
          double found = 0.0;
          const std::string row = letter + std::string(1, "xyz"[k]);
          for (std::size_t j = 0; j <= i; ++j) {
            const auto entry = J.find("J[" + number(i) + "," + row + "," + number(j) + "]");
            if (entry != J.end()) found += entry->second * qd_[j];
          }
          EXPECT_NEAR(found, expected, tolerance * 10.0) << GetParam() << " " << row << number(i);
        }
      }
    }
  }

  static constexpr std::size_t most_printed = 3000;  // terms

  RobotFile file_;
  std::vector<double> q_, qd_, qdd_;
  Values state_;
};

TEST_P(WrittenForms, HaveTheValuesOfInspect) {
  RobotFile file = arm_of(GetParam());
  set_arm(file);
  using enum ClosedEquation;
  using enum TaskAxes;
  for (const ClosedEquation what : {torque, mass_matrix, velocity, gravity, kinetic, potential,
                                    recursion, frames, forward_kinematics}) {
    expect_inspected(what);
  }
  for (const TaskAxes axes : {base, link, tool}) {
    expect_inspected(jacobian, {axes});
    if (file.robot.dof() == 2) expect_inspected(cartesian, {axes});
    for (const LinkPoint point : {LinkPoint::com, LinkPoint::origin}) {
      expect_inspected(link_jacobian, {axes, point});
      if (axes != tool) expect_link_velocities({axes, point});
    }
  }
  if (file.robot.dof() < 4) expect_inspected(recursion, {base});
  if (file.robot.dof() > 6) {  // of seven joints these are of a megabyte
    file.robot.joints.resize(5);
    file.robot.tool = {};
    file.robot.couplings.clear();
    set_arm(file);
  }
  for (const ClosedEquation what : {christoffel, craig, lagrangian, regressor}) {
    expect_inspected(what);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, WrittenForms, ::testing::ValuesIn(shipped_arms()),
                         [](const auto& arm) {
                           std::string name = arm.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace armdyn::testing
