#pragma once

// The chapters "Contact" and "Power" of a data sheet.

#include "cli/datasheet/sheet_arm.hpp"
#include "log/named_rows.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// Regions of the body by a CSV file; of the standard where it has no name.
inline std::vector<BodyRegion> regions_of(const std::string& file) {
  if (file.empty()) return body_regions();
  std::vector<BodyRegion> found;
  read_named_rows(
      file, "table of body regions", {"region", "force", "stiffness", "mass"},
      [&found](NamedRow row) {
        const auto number = [&row](const char* column) {
          return parse_positive_number(column, row[column]);
        };
        found.push_back({row["region"], number("force"), number("stiffness"), number("mass")});
      });
  return found;
}

inline Sections contact_chapter(const SheetArm& arm, const AtPosition& effective_mass,
                                const std::string& regions) {
  const Robot& robot = arm.robot;
  const double by_standard = 0.5 * mass_of_links(robot) + robot.payload.mass;
  const double exact = effective_mass.value;
  const std::string assumed = fmt::format(
      "The speed at which a free contact reaches the force of a body region. {}An estimate, no "
      "certification.",
      regions.empty() ? "Check the forces against ISO/TS 15066, table A.2. " : "");
  const Fields head{
      {"effective_mass", "largest effective mass found in the direction of motion: {} kg",
       exact > 0.0 ? Value::number(exact) : Value{}},
      {"half_mass",
       std::string(exact > 0.0 ? "; half" : "half") + " of the moving mass, with the payload {} kg",
       Value::number(by_standard)},
      {"q", for_programs, Value::data(joint_values(effective_mass.q))}};
  FieldTable table;
  for (const BodyRegion& region : regions_of(regions)) {
    const auto speed = [&region](double mass) {
      return mass > 0.0 ? Value::number(permitted_speed(region, mass)) : Value{};
    };
    table.rows.push_back({{"region", "region", Value::word(in_one_line(region.name))},
                          {"force", "force [N]", Value::number(region.force)},
                          {"speed", "speed [m/s]", speed(exact)},
                          {"speed_by_half_mass", "by half the mass [m/s]", speed(by_standard)}});
  }
  return {{"", Paragraphs{"", {assumed}}, "Contact", true},
          {"contact", Sections{{"", head}, {"regions", table}}}};
}

inline Sections power_chapter(const SheetArm& arm, const WorstCycle& cycle, bool is_of_low_speed) {
  const auto& [from, to, sizing, rms] = cycle;
  const std::string assumed = fmt::format(
      "Power of all motors in the worst cycle found, by size: between two random positions and "
      "back, from rest to rest, at the guaranteed accelerations{}. Copper losses and efficiency "
      "count where the file has them.",
      is_of_low_speed ? " of low speed" : "");
  const Fields head{
      {"peak", "peak {} W", Value::number(sizing.supply.power.value)},
      {"returned", ", returned {} W", Value::number(sizing.supply.returned_power.value)},
      {"rms", "; RMS {} W", Value::number(rms)},
      {"mean", ", mean {} W", Value::number(sizing.supply.mean_power)},
      {"duration", "; cycle of {} s", Value::number(sizing.duration)},
      {"from", for_programs, Value::data(joint_values(from))},
      {"to", for_programs, Value::data(joint_values(to))}};
  FieldTable joints;
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const DriveNeed& drive = sizing.drives[i];
    joints.rows.push_back(
        {{"name", "joint", Value::word(arm.robot.joints[i].name)},
         {"peak", arm.label("torque", "N·m", "N"), Value::number(drive.torque.value)},
         {"rms", "RMS", Value::number(drive.rms)},
         {"peak_power", "power [W]", Value::number(drive.power.value)},
         {"mean_power", "mean [W]", Value::number(drive.mean_power)}});
  }
  return {{"", Paragraphs{"", {assumed}}, "Power", true},
          {"power", Sections{{"", head}, {"joints", joints}}}};
}

}  // namespace armdyn
