// Every file in robots/ gives the gravity torques and the inertias that its published table gives.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "io/robot/yaml_tree.hpp"
#include "support/case_table.hpp"
#include "support/paths.hpp"
#include "text/number_text.hpp"

namespace armdyn::testing {
namespace {

using Row = std::vector<double>;

YamlNode read_tables() {
  std::ostringstream text;
  text << std::ifstream(test_data() + "/robot_tables.yaml").rdbuf();
  YamlTree tree = parse_yaml(text.str());
  if (!tree.root) throw std::runtime_error("robot_tables.yaml cannot be read");
  return *std::move(tree.root);
}

Row numbers(const YamlNode& entry, const std::string& key) {
  Row values;
  for (const YamlNode& item : find(entry, key)->items) {
    const auto angle = parse_pi(item.text);
    values.push_back(angle ? *angle : parse_number(item.text).value());
  }
  return values;
}

Robot links_alone(const std::string& name) {
  Robot robot = read_robot_file(shipped_robots_folder() + "/" + name + ".yaml").robot;
  for (Joint& joint : robot.joints) {
    joint.friction = {};
    joint.motor = {};
  }
  return robot;
}

Row gravity_torque(const Robot& robot, const Row& q) {
  const Row zero(q.size(), 0.0);
  return torque(normalize(robot), {q, zero, zero});
}

Row inertia_diagonal(Robot robot, const Row& q) {
  robot.gravity = {};
  const Arm arm = normalize(robot);
  const Row zero(q.size(), 0.0);
  Row diagonal(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    Row qdd = zero;
    qdd[i] = 1.0;
    diagonal[i] = torque(arm, {q, zero, qdd})[i];
  }
  return diagonal;
}

/// N, which is N·m at 1 m: the size of what cancels where a table says 0.
double weight(const Robot& robot) {
  double mass = 0.0;
  for (const Joint& joint : robot.joints) mass += joint.body.mass;
  return 9.81 * mass;
}

/// Half a unit of the ninth digit, and what the 12 digits of the table's q leave of `scale`.
void expect_nine_digits(const Row& found, const Row& table, double scale) {
  ASSERT_EQ(found.size(), table.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], table[i], 5.01e-9 * std::abs(table[i]) + 1e-12 * scale)
        << "joint " << i + 1;
  }
}

std::set<std::string> shipped_names() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() == ".yaml") names.insert(entry.path().stem());
  }
  return names;
}

TEST(ShippedArms, HaveATableEach) {
  std::set<std::string> names;
  for (const YamlEntry& robot : read_tables().entries) names.insert(robot.key);
  EXPECT_EQ(shipped_names(), names);
}

TEST(ShippedArms, GiveTheGravityTorquesAndInertiasOfTheirTables) {
  const YamlNode tables = read_tables();
  for (const YamlEntry& table : tables.entries) {
    const Robot robot = links_alone(table.key);
    for (const YamlNode& pose : table.value.items) {
      SCOPED_TRACE(table.key + ", line " + std::to_string(pose.mark.line));
      const Row q = numbers(pose, "q");
      expect_nine_digits(gravity_torque(robot, q), numbers(pose, "gravity"), weight(robot));
      const Row inertia = numbers(pose, "inertia");
      expect_nine_digits(inertia_diagonal(robot, q), inertia, scale_of(inertia));
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
