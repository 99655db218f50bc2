#include "cli/options/hypothesis_answer.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "io/text/number_text.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

namespace {

using Measured = LogHypothesis::Measured;
using Source = LogHypothesis::Source;

std::string listed(const Robot& robot, const std::vector<std::size_t>& joints) {
  return fmt::format("{}", fmt::join(joint_names(robot, joints), ", "));
}

/// "the columns seem to be of elbow, shoulder; elbow needs +90° in q".
std::string joints_text(const LogFinding& found, const Robot& robot) {
  std::vector<std::size_t> order(robot.dof());
  std::vector<std::string> moved;
  bool is_ordered = true, is_of_torque = true;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const auto& [column, torque_column, is_turned, is_torque_turned, quarter_turns] =
        found.hypothesis.joints[i];
    order[torque_column] = i;
    is_ordered = is_ordered && torque_column == i;
    is_of_torque = is_of_torque && column == i;
    std::vector<std::string> of_joint;
    if (is_turned) of_joint.emplace_back("the other sign");
    if (is_torque_turned) of_joint.emplace_back("a torque of the other sign");
    if (quarter_turns != 0) of_joint.push_back(fmt::format("{:+}° in q", 90 * quarter_turns));
    if (of_joint.empty()) continue;
    moved.push_back(fmt::format("{} needs {}", robot.joints[i].name, fmt::join(of_joint, " and ")));
  }
  std::string text;
  if (!is_ordered) {
    text = fmt::format("the {} seem to be of {}{}", is_of_torque ? "torques" : "columns",
                       listed(robot, order),
                       found.is_alphabetical ? ", as ROS sorts joints, by their names" : "");
  }
  if (moved.empty()) return text;
  return text + (text.empty() ? "" : "; ") + fmt::format("{}", fmt::join(moved, ", "));
}

std::string words(const LogFinding& found, const Robot& robot) {
  switch (found.hypothesis.measured) {
    case Measured::torques:
      return joints_text(found, robot);
    case Measured::opposite:
      return "the torques seem to have the other sign";
    case Measured::weightless:
      return "the torques seem to be without those of gravity";
    case Measured::motor_torques:
      return "the torques seem to be those of the motors";
    case Measured::motor_side:
      return "motion and torques seem to be those of the motors";
    case Measured::currents:
      break;
  }
  std::vector<std::string> scales;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    if (found.scales[i] == 0.0) continue;
    scales.push_back(fmt::format("{} {:.3g}", robot.joints[i].name, found.scales[i]));
  }
  return fmt::format(
      "the torques seem to be currents, or in another unit, so many times as large: "
      "{}",
      fmt::join(scales, ", "));
}

/// The --columns that read a log so; none where they cannot.
std::vector<ColumnChoice> choices(const LogFinding& found, const Robot& robot,
                                  const ColumnPlan& plan) {
  constexpr std::array read{Quantity::position, Quantity::velocity, Quantity::acceleration,
                            Quantity::torque};
  const Measured measured = found.hypothesis.measured;
  std::vector<ColumnChoice> choices;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Source& source = found.hypothesis.joints[i];
    for (const Quantity quantity : read) {
      const std::optional<std::size_t> first = plan.first(quantity);
      const bool is_torque = quantity == Quantity::torque;
      const std::size_t column = is_torque ? source.torque_column : source.column;
      const Source moved{column, i, source.is_turned, is_torque && source.is_torque_turned,
                         quantity == Quantity::position ? source.quarter_turns : 0};
      const bool is_same = measured == Measured::torques ? moved == Source{i, i} : !is_torque;
      if (is_same || !first || *first >= plan.columns.size()) continue;
      const std::string cell = name_in_choices(plan, robot, quantity, column);
      if (cell.empty()) return {};
      const bool turns_torque = source.is_torque_turned || measured == Measured::opposite;
      const bool is_negative = source.is_turned != (is_torque && turns_torque);
      std::string text = (is_negative ? "-" : "") + cell;
      if (measured == Measured::motor_torques) {
        text = fmt::format("{}*{}", number_text(robot.joints[i].motor.gear_ratio), cell);
      }
      if (quantity == Quantity::position && source.quarter_turns != 0) {
        text += fmt::format("{:+}deg", 90 * source.quarter_turns);
      }
      const bool is_current = measured == Measured::currents;
      const std::string name(is_current ? "i" : *joint_prefix(quantity));
      choices.push_back({fmt::format("{}{}", name, i + 1), text});
    }
  }
  return choices;
}

std::string cure(const LogFinding& found, const Robot& robot, const ColumnPlan& plan,
                 const LogOptions& options) {
  const Measured measured = found.hypothesis.measured;
  if (measured == Measured::weightless) return "; --without gravity compares them so";
  if (measured == Measured::motor_side) return "; --motor-side reads them so";
  if (measured == Measured::motor_torques && !robot.couplings.empty()) return "";
  const std::vector<ColumnChoice> line = choices(found, robot, plan);
  if (line.empty()) return "";
  return fmt::format("; --columns {} {}", choices_text(options.columns, line),
                     measured == Measured::currents
                         ? "takes them for currents, with motor.torque_constant in the robot file"
                         : "reads them so");
}

}  // namespace

std::string hypothesis_remark(const LogFinding& found, const Robot& robot, const ColumnPlan& plan,
                              const LogOptions& options) {
  std::string text = fmt::format(
      "{}: so read, {:.2g} % of the torque is left, as it stands {:.2g} % (Coulomb and viscous "
      "friction{} of each joint fitted on one half of its moving rows and judged on the other, "
      "both "
      "ways){}",
      words(found, robot), 100.0 * found.left, 100.0 * found.left_as_given,
      found.hypothesis.measured == Measured::currents ? ", and a scale," : "",
      cure(found, robot, plan, options));
  if (!found.unseen_zeros.empty()) {
    text += "; torques do not tell the zero of " + listed(robot, found.unseen_zeros);
  }
  if (!found.unseen_signs.empty()) {
    text += "; torques do not tell the sign of " + listed(robot, found.unseen_signs);
  }
  if (!found.mirrored.empty()) {
    text += fmt::format("; {} all turned around are a mirror image with the same torques",
                        listed(robot, found.mirrored));
  }
  return text;
}

}  // namespace armdyn
