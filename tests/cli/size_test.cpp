// The program as a user runs it to choose drives.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

using nlohmann::json;

/// A slide of 8 kg up and down, with these ratings of its motor.
class Size : public ::testing::Test {
 protected:
  Size() {
    shell.write("cycle.csv",
                "t,q1,qd1,qdd1\n0,0,0,2\n1,1,2,2\n1,1,2,-2\n2,2,0,-2\n2,2,0,-2\n"
                "3,1,-2,-2\n3,1,-2,2\n4,0,0,2\n");
  }
  void write_arm(const std::string& ratings, const std::string& supply = "") const {
    shell.write("slide.yaml",
                "armdyn: 1\nname: slide\nconvention: modified\ngravity: [0, 0, -2]\njoints:\n"
                "  - {name: lift, type: prismatic, dh: {}, mass: 8,\n"
                "     motor: {gear_ratio: 200, rotor_inertia: 1.0e-4" +
                    ratings + "}}\n" + supply);
  }
  [[nodiscard]] Outcome run(const std::string& options) const {
    return shell.run("$armdyn size slide.yaml cycle.csv " + options);
  }

  Shell shell;
};

// Gravity of 2 m/s² takes 16 N, and 8 kg with a rotor of 4 kg speed up with 2 m/s²: 40 N, 0.2 N·m.
TEST_F(Size, SaysWhatTheDriveNeeds) {
  write_arm("");
  const Outcome outcome = run("--json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json found = json::parse(outcome.out);
  const json& joint = found["joints"][0];
  EXPECT_EQ(joint["peak"], 40.0);
  EXPECT_EQ(joint["motor_peak"], 0.2);
  EXPECT_EQ(joint["motor_speed"], 400.0);
  EXPECT_NEAR(joint["rms"], std::sqrt((40.0 * 40.0 + 8.0 * 8.0) / 2.0), 1e-12);
  EXPECT_EQ(found["cycle"], 4.0);
  EXPECT_NEAR(joint["inertia_ratio"][0], 2.0, 1e-12);
  EXPECT_FALSE(found.contains("ratings"));
  EXPECT_NEAR(found["supply"]["peak_power"], 80.0, 1e-12);
  EXPECT_NE(outcome.out.find("lift: motor.peak_torque, motor.continuous_torque"),
            std::string::npos);
}

TEST_F(Size, AnswersOneWhereARatingFails) {
  write_arm(", peak_torque: 0.2, max_speed: 500");
  EXPECT_EQ(run("").exit_code, 0);
  const Outcome fails = run("--safety 1.1");
  EXPECT_EQ(fails.exit_code, 1);
  EXPECT_NE(fails.out.find("motor.peak_torque"), std::string::npos) << fails.out;
  EXPECT_NE(fails.out.find("FAIL"), std::string::npos) << fails.out;
  EXPECT_NE(fails.out.find("PASS"), std::string::npos) << fails.out;
}

TEST_F(Size, CountsTheDwellWithWhatItHolds) {
  write_arm("");
  const json found = json::parse(run("--dwell 2 --json").out);
  EXPECT_EQ(found["cycle"], 6.0);
  const double squares = 4.0 * (40.0 * 40.0 + 8.0 * 8.0) / 2.0 + 2.0 * 16.0 * 16.0;
  EXPECT_NEAR(found["joints"][0]["rms"], std::sqrt(squares / 6.0), 1e-12);
}

TEST_F(Size, SaysThatAWindingRunsAway) {
  write_arm(
      ", torque_constant: 0.05, resistance: 2, thermal: {winding_to_housing: 2, "
      "housing_to_ambient: 4, winding_capacity: 20, housing_capacity: 300, max_winding: 120}");
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("runs away"), std::string::npos) << outcome.out;
}

TEST_F(Size, RefusesAMotionWithoutTime) {
  write_arm("");
  shell.write("cycle.csv", "q1,qd1,qdd1\n0,0,0\n1,0,0\n");
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("cycle.csv: a cycle takes time"), std::string::npos) << outcome.err;
}

TEST_F(Size, WarnsOfAMotionThatDoesNotComeBack) {
  write_arm("");
  shell.write("cycle.csv", "t,q1,qd1,qdd1\n0,0,0,0\n1,1,0,0\n");
  EXPECT_NE(run("").err.find("does not end where it begins (lift)"), std::string::npos);
}

}  // namespace
}  // namespace armdyn::testing
