// Choice of the drives of a catalog that carry a cycle.

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "cli/options/named_files.hpp"
#include "cli/options/robot_formats.hpp"
#include "cli/options/run.hpp"
#include "cli/size/options.hpp"
#include "log/named_rows.hpp"
#include "math/characters.hpp"
#include "model/motors.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

/// A motor or a gear of a catalog.
struct DrivePart {
  std::string name;
  double mass = 0.0;  ///< kg
  Joint joint;        ///< with this motor or gear
};
struct Catalog {
  std::vector<DrivePart> motors, gears;
};

/// Tests whether a cell is one value of a robot file: a number, a word, or a list or map, whose brackets
/// close at its end.
bool is_value(std::string_view cell) {
  if (parse_number(cell) || std::ranges::all_of(cell, is_letter)) return true;
  int open = 0;
  for (std::size_t at = 0; at < cell.size(); ++at) {
    const std::string_view here = cell.substr(at, 1);
    if (here.find_first_of("\"'#&*!|>%@`") != here.npos) return false;
    if (here == "[" || here == "{") ++open;
    if (here == "]" || here == "}") --open;
    if (open == 0) return at > 0 && at + 1 == cell.size();
  }
  return false;
}

/// Adds a row, checked by the rules of a robot file; throws InputError.
void add_part(NamedRow row, Catalog& catalog) {
  const std::string part = row["part"], name = row["name"], mass_text = row["mass"];
  const std::optional<double> mass = parse_number(mass_text);
  const bool is_gear = part == "gear";
  if ((!is_gear && part != "motor") || !mass || *mass < 0.0) {
    throw InputError(fmt::format("found part {} and mass {}, expected motor or gear, and kg{}",
                                 shown_text(part), shown_text(mass_text), comma_advice(mass_text)));
  }
  for (const char* key : {"part", "name", "mass"}) row.erase(key);
  std::string motor, gear;
  for (const auto& [key, cell] : row) {
    const bool is_word = std::ranges::all_of(key, [](char c) { return is_letter(c) || c == '_'; });
    if (!is_word) throw InputError("column " + shown_text(key) + " is no key of motor or gear");
    if (cell.empty()) continue;
    if (!is_value(cell)) {
      throw InputError(fmt::format("column {}: found {}, expected a number{}", shown_text(key),
                                   shown_text(cell),
                                   comma_advice(cell, ", a word, or a list in brackets")));
    }
    const bool is_ratio = key == "gear_ratio" || key == "efficiency";
    if (is_ratio && !is_gear) throw InputError(key + " is of gears, not of motors");
    std::string& fields = is_gear && !is_ratio && key != "rotor_inertia" ? gear : motor;
    fields.append(key).append(": ").append(cell).append(", ");
  }
  (is_gear ? catalog.gears : catalog.motors).push_back({name, *mass, driven_joint(motor, gear)});
}

Catalog read_catalog(const std::string& path) {
  Catalog catalog;
  read_named_rows(path, "catalog of drives", {"part", "name", "mass"},
                  [&catalog](NamedRow row) { add_part(std::move(row), catalog); });
  return catalog;
}

/// A motor and a gear at a joint; null: its own.
struct Candidate {
  const DrivePart *motor, *gear;
  double mass = 0.0;
  Verdict worst{};  ///< with the largest share

  /// Key that sorts candidates: those that pass by mass, then margin; the others by their excess,
  /// then mass. Shares that differ by rounding alone are equal.
  [[nodiscard]] std::tuple<bool, double, float, double> order() const {
    const bool fails = !worst.passes();
    return {fails, fails ? 0.0 : mass, static_cast<float>(worst.share), mass};
  }
};

Candidate tried(const DrivePart* motor, const DrivePart* gear, std::size_t i, Joint joint,
                const DriveTrial& trial, double safety) {
  Candidate candidate{motor, gear};
  if (motor != nullptr) {
    candidate.mass += motor->mass;
    const Motor own = std::exchange(joint.motor, motor->joint.motor);
    joint.motor.gear_ratio = own.gear_ratio;
    joint.motor.efficiency = own.efficiency;
  }
  if (gear != nullptr) {
    candidate.mass += gear->mass;
    joint.gear = gear->joint.gear;
    joint.motor.gear_ratio = gear->joint.motor.gear_ratio;
    joint.motor.efficiency = gear->joint.motor.efficiency;
    joint.motor.rotor_inertia += gear->joint.motor.rotor_inertia;
  }
  for (const Verdict& verdict : verdicts(joint, trial(i, joint.motor, joint.gear), safety)) {
    if (verdict.share >= candidate.worst.share) candidate.worst = verdict;
  }
  return candidate;
}

std::vector<const DrivePart*> all_or_own(const std::vector<DrivePart>& parts) {
  std::vector<const DrivePart*> all(std::max<std::size_t>(parts.size(), 1));
  for (std::size_t k = 0; k < parts.size(); ++k) all[k] = &parts[k];
  return all;
}

Fields candidate_fields(const std::string& joint, const Candidate& drive) {
  const auto name = [](const DrivePart* part) {
    return part == nullptr ? Value{} : Value::word(part->name);
  };
  return {{"name", "drive of", Value::word(joint)},
          {"motor", "motor", name(drive.motor)},
          {"gear", "gear", name(drive.gear)},
          {"mass", "mass [kg]", Value::number(drive.mass)},
          {"share", "share of rated", Value::share(drive.worst.share, 1.0)},
          {"rating", "rating", Value::word(drive.worst.rating)},
          {"verdict", "", Value::word(drive.worst.word())}};
}

}  // namespace

Choice choose_drives(Run& run, const Cycle& cycle, const SizeOptions& options) {
  constexpr std::size_t shown = 10, most = 1000;
  const Robot& robot = run.robot().robot;
  const Catalog catalog = read_catalog(find_catalog(options.catalog));
  const DriveTrial trial = drive_trial(robot, cycle);
  FieldTable all, few;
  Choice choice;
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    if (motor_row(robot, i)) continue;
    std::vector<Candidate> found;
    const auto keep_first = [&] {
      std::ranges::stable_sort(found, {}, &Candidate::order);
      found.resize(std::min(found.size(), most));
    };
    for (const DrivePart* motor : all_or_own(catalog.motors)) {
      for (const DrivePart* gear : all_or_own(catalog.gears)) {
        run.throw_if_interrupted();
        if (found.size() == 2 * most) keep_first();
        found.push_back(tried(motor, gear, i, robot.joints[i], trial, options.safety));
      }
    }
    keep_first();
    choice.passes = choice.passes && found[0].worst.passes();
    for (std::size_t k = 0; k < found.size() && (k == 0 || found[k].worst.passes()); ++k) {
      all.rows.push_back(candidate_fields(robot.joints[i].name, found[k]));
      if (k < shown) few.rows.push_back(all.rows.back());
    }
  }
  const std::string heading = fmt::format(
      "Drives of {} that pass, lightest first, at most {} of each joint; where none passes, the "
      "nearest. The mass of a drive is not added to the arm.",
      in_one_line(options.catalog), shown);
  choice.sections = {{"", Paragraphs{"", {heading}}, "", true, Audience::people},
                     {"catalog", few, "", false, Audience::people},
                     {"catalog", all, "", false, Audience::programs}};
  return choice;
}

}  // namespace armdyn
