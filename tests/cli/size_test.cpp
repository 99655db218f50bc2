// The program as a user runs it to choose drives.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "support/program.hpp"
#include "support/sanitized.hpp"

namespace armdyn::testing {
namespace {

using nlohmann::json;

/// Characters of UTF-8.
auto columns_of(const std::string& line) {
  return std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
}

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

// The second joint has no motor, which is no motor of ratio 1.
TEST_F(Size, ShowsMotorsOfTheFileAlone) {
  shell.write("two.yaml",
              "armdyn: 1\nname: two\nconvention: modified\njoints:\n"
              "  - {name: a, type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 1, com: "
              "[1, 0, 0],\n     motor: {gear_ratio: 50, peak_torque: 9}}\n"
              "  - {name: b, type: revolute, dh: {a: 1, alpha: 0, d: 0, theta: 0}, mass: 1, com: "
              "[1, 0, 0]}\n");
  const Outcome moved = shell.run(
      "$armdyn trajectory two.yaml --from 0,0 --to 1,1 --duration 1 --rate 50 --quiet | $armdyn "
      "size two.yaml -");
  EXPECT_NE(moved.out.find("no motor in the file: b\n"), std::string::npos) << moved.out;
  EXPECT_NE(moved.out.find("no gear in the file: b\n"), std::string::npos) << moved.out;
  EXPECT_EQ(moved.out.find("gear.rated_torque"), std::string::npos) << moved.out;
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
  const json found = json::parse(run("--hold 2 --json").out);
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
  EXPECT_NE(outcome.out.find("runaway"), std::string::npos) << outcome.out;
}

TEST_F(Size, SaysWhatOfTheTemperatureIsNotJudged) {
  const std::string thermal =
      ", thermal: {winding_to_housing: 2, housing_to_ambient: 4, winding_capacity: 20, "
      "housing_capacity: 300";
  const auto not_judged = [&](const std::string& ratings) {
    write_arm(ratings + "}");
    return json::parse(run("--json").out)["not_judged"].dump();
  };
  for (const char* const incomplete : {", torque_constant: 5", ", resistance: 2", ""}) {
    EXPECT_TRUE(not_judged(incomplete + thermal + ", max_winding: 120").find("max_winding") !=
                std::string::npos);
  }
  const std::string motor = ", torque_constant: 5, resistance: 2" + thermal;
  EXPECT_TRUE(not_judged(motor).find("motor.thermal.max_winding") != std::string::npos);
  EXPECT_FALSE(not_judged(motor + ", max_winding: 120").find("thermal") != std::string::npos);
}

// A motor without a load is as warm as it may be, and not warmer.
TEST_F(Size, PassesAMotorThatStaysAtAnAmbientAtItsLimit) {
  write_arm(
      ", torque_constant: 5, resistance: 2, thermal: {winding_to_housing: 2, "
      "housing_to_ambient: 4, winding_capacity: 20, housing_capacity: 300, max_winding: 25}");
  shell.write("cycle.csv", "t,q1,qd1,qdd1\n0,0,0,0\n4,0,0,0\n");
  const Outcome outcome = run("--gravity 0,0,0");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find(" 0 % "), std::string::npos) << outcome.out;
}

constexpr double outwards = 1e-8;  // by which bounds are rounded at the most, N

// 8 kg ± 10 % take 4 N/kg in the worst row, the rotor 8 N; 2 (8 ± 0.8) N hold it where nothing moves.
TEST_F(Size, BoundsTheTorquesOfAllArms) {
  write_arm("");
  const json found = json::parse(run("--uncertainty mass=10% --json").out);
  const json& bounds = found["tolerances"][0];
  EXPECT_NEAR(bounds["peak"][0], 7.2 * 4.0 + 8.0, outwards);
  EXPECT_NEAR(bounds["peak"][1], 8.8 * 4.0 + 8.0, outwards);
  EXPECT_LE(bounds["peak"][0], 7.2 * 4.0 + 8.0);
  EXPECT_GE(bounds["peak"][1], 8.8 * 4.0 + 8.0);
  EXPECT_NEAR(bounds["found_peak"], 8.8 * 4.0 + 8.0, 1e-9);
  EXPECT_NEAR(bounds["motor_peak"][1], (8.8 * 4.0 + 8.0) / 200.0, 1e-9);
  EXPECT_NEAR(bounds["rms"], std::sqrt((43.2 * 43.2 + 8.0 * 8.0) / 2.0), outwards);
  EXPECT_EQ(bounds["arm"], json::parse(R"({"mass of lift": 1.0})"));
  EXPECT_NE(run("--uncertainty mass=10%").out.find("most by lift: mass of lift +"),
            std::string::npos);
}

TEST_F(Size, BoundsWhatFollowsLinearlyFromParameters) {
  shell.write("slide.yaml",
              "armdyn: 1\nname: slide\nconvention: modified\ngravity: [0, 0, -2]\n"
              "parameters: {m: 8, l: 0.3, k: 2}\njoints:\n"
              "  - {name: lift, type: prismatic, dh: {a: l}, mass: m, com: [0.1, 0, 0],\n"
              "     inertia: {zz: m*0.01}, friction: {viscous: k^2},\n"
              "     motor: {gear_ratio: 200, rotor_inertia: 1.0e-4}}\n");
  const json found = json::parse(run("--uncertainty m=10% --json").out);
  const double friction = 4.0 * 2.0;  // 4 N·s/m at the most, 2 m/s
  EXPECT_NEAR(found["tolerances"][0]["peak"][1], 8.8 * 4.0 + 8.0 + friction, outwards);
  const Outcome length = run("--uncertainty m=10%,l=2mm");
  EXPECT_EQ(length.exit_code, 2);
  EXPECT_NE(length.err.find("--uncertainty: l changes joints[0].dh.a;"), std::string::npos)
      << length.err;
  const Outcome square = run("--uncertainty k=10%");
  EXPECT_EQ(square.exit_code, 2);
  EXPECT_NE(square.err.find("joints[0].friction.viscous depends on parameters otherwise than"),
            std::string::npos)
      << square.err;
}

// 0.2 N·m at the motor with its own gear; the rotor of 1e-4 kg·m² takes 0.04 N·m of it.
TEST_F(Size, ListsTheLightestDrivesThatPass) {
  write_arm("");
  shell.write("drives.csv",
              "# by hand\npart,name,mass,rotor_inertia,peak_torque,torque_speed,gear_ratio\n"
              "motor,weak,0.1,1e-4,0.15,,\n"
              "motor,plain,0.5,1e-4,0.25,,\n"
              "motor,strong,0.5,1e-4,0.5,,\n"
              "motor,quick,0.2,1e-4,0.5,\"[[0, 0.5], [300, 0.5]]\",\n");
  const json found = json::parse(run("--catalog drives.csv --json").out);
  ASSERT_EQ(found["catalog"].size(), 2U);
  EXPECT_EQ(found["catalog"][0]["motor"], "strong");  // as heavy, with more margin
  EXPECT_NEAR(found["catalog"][0]["share"], 0.4, 1e-12);
  EXPECT_EQ(found["catalog"][1]["motor"], "plain");
  EXPECT_EQ(run("--catalog drives.csv").exit_code, 0);
  shell.write("drives.csv",
              "part;name;mass;rotor_inertia;peak_torque\n"
              "motor;plain;0,5;1e-4;0,25\nmotor;strong;0.5;1e-4;5,0e-1\n");
  EXPECT_EQ(json::parse(run("--catalog drives.csv --json").out)["catalog"], found["catalog"]);
  EXPECT_NE(run("--catalog drives.csv").out.find("mass of a drive is not added"),
            std::string::npos);

  shell.write(
      "gears.csv",
      "part,name,mass,gear_ratio,efficiency,repeated_peak_torque\n"
      "gear,small,0.3,100,0.8,30\ngear,near,0.4,100,\"{driving: 0.8, back_driving: 0.5}\",31\n");
  const json none = json::parse(run("--catalog gears.csv --json").out);
  ASSERT_EQ(none["catalog"].size(), 1U);
  EXPECT_EQ(none["catalog"][0]["gear"], "near");
  EXPECT_EQ(none["catalog"][0]["verdict"], "FAIL");
  EXPECT_EQ(none["catalog"][0]["rating"], "gear.repeated_peak_torque");
  EXPECT_EQ(run("--catalog gears.csv").exit_code, 1);

  shell.write("gears.csv",
              "part,name,mass,rotor_inertia,gear_ratio,repeated_peak_torque\n"
              "motor,heavy,2,1e-4,,\nmotor,light,1,3e-4,,\nmotor,middle,1.5,7e-5,,\n"
              "gear,near,0.4,0,100,3\n");
  EXPECT_EQ(json::parse(run("--catalog gears.csv --json").out)["catalog"][0]["motor"], "light");
}

TEST_F(Size, SaysWhatIsWrongWithACatalog) {
  write_arm("");
  const std::string head = "part,name,mass,peak_torque,gear_ratio\n";
  const auto refused = [&](const std::string& text, const std::string& message) {
    shell.write("drives.csv", text);
    const Outcome outcome = run("--catalog drives.csv");
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  };
  refused("", "drives.csv: expected a header with part, name, mass");
  refused(head + "motor,a,1,2,\nmotor,b,1,-2,\n",
          "drives.csv:3: motor.peak_torque: found -2; expected more than 0");
  refused(head + "gear,a,1,2,\n", "drives.csv:2: gear.peak_torque");
  refused(head + "motor,a,1,2,50\n", "drives.csv:2: gear_ratio is of gears, not of motors");
  refused(head + "motor,a,heavy,2,\n",
          "drives.csv:2: found part \"motor\" and mass \"heavy\", expected motor or gear, and kg");
  refused("part,name,mass,peak_torque,peak_torque\nmotor,a,1,2,3\n",
          "drives.csv:2: column \"peak_torque\" is there twice");
  refused(head + "motor,a,1\n", "drives.csv:2: found 3 cells, expected 5 as in the header");
}

TEST_F(Size, SaysItAllIn100Columns) {
  write_arm(
      ", peak_torque: 0.2, max_speed: 500, torque_constant: 0.05, resistance: 0.01, thermal: "
      "{winding_to_housing: 2, housing_to_ambient: 4, winding_capacity: 20, housing_capacity: 300}",
      "supply: {peak_power: 100, capacitor: 2}\n");
  shell.write("drives.csv", "part,name,mass,peak_torque\nmotor,strong,0.5,0.5\n");
  const Outcome outcome = run("--uncertainty mass=10%,com=5mm,inertia=10% --catalog drives.csv");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(columns_of(line), 100) << line;
  }
}

TEST_F(Size, DrawsWhatDrivesAreAskedFor) {
  write_arm(
      ", peak_torque: 0.5, continuous_torque: 0.3, max_speed: 500, torque_constant: 0.05, "
      "resistance: 0.01, thermal: {winding_to_housing: 2, housing_to_ambient: 4, "
      "winding_capacity: 20, housing_capacity: 300}");
  const Outcome outcome = run("--plot drives.svg");
  if (outcome.err.find("gnuplot is needed") != std::string::npos) GTEST_SKIP() << "no gnuplot";
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string picture = shell.read("drives.svg");
  for (const char* words : {"motor speed [rad/s]", "continuous", "winding [°C]", "P [W]"}) {
    EXPECT_NE(picture.find(words), std::string::npos) << words;
  }
}

TEST_F(Size, ShowsOnAPageWhatDrivesAreAskedFor) {
  write_arm(", peak_torque: 0.5, continuous_torque: 0.3, max_speed: 500");
  ASSERT_EQ(run("--report page.html").exit_code, 0);
  const std::string page = shell.read("page.html");
  for (const char* words : {"motor speed", "continuous", "motor |τ|", "bus"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
}

TEST_F(Size, RefusesAMotionWithoutTime) {
  write_arm("");
  shell.write("cycle.csv", "q1,qd1,qdd1\n0,0,0\n1,0,0\n");
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("cycle.csv: a cycle needs times"), std::string::npos) << outcome.err;
}

TEST_F(Size, WarnsOfAMotionThatDoesNotComeBack) {
  write_arm("");
  shell.write("cycle.csv", "t,q1,qd1,qdd1\n0,0,0,0\n1,1,0,0\n");
  EXPECT_NE(run("").err.find("does not end where it begins (lift)"), std::string::npos);
}

// A cell is pasted into a robot file, in which "5, max_speed: 10" would be two keys.
TEST_F(Size, TakesOneValueFromEachCellOfACatalog) {
  write_arm("");
  const std::string head = "part,name,mass,peak_torque,max_speed\nmotor,m,1,";
  for (const std::string cell :
       {"\"5, continuous_torque: 1, max_speed: 10\"", "\"5}, gear: {rated_torque: 1\"", "5 # 1",
        "*other", "\"[1], [2]\"", "\"{a: [1}]\"", "\"[\"\"1\"\"]\"", "five", "!!int 5", "&a 5"}) {
    shell.write("drives.csv", head + cell + ",\n");
    const Outcome outcome = run("--catalog drives.csv");
    EXPECT_EQ(outcome.exit_code, 3) << cell << outcome.out;
    EXPECT_EQ(outcome.err.find("drives.csv:2: "), 0U) << outcome.err;
  }
  for (const std::string comma : {"\"0,5\"", "\"1,5\""}) {
    for (const std::string& row :
         {head + comma + ",\n", "part,name,mass\nmotor,m," + comma + "\n"}) {
      shell.write("drives.csv", row);
      EXPECT_NE(run("--catalog drives.csv")
                    .err.find("; decimal commas are read where ; or tabs part the columns"),
                std::string::npos)
          << row;
    }
  }
  shell.write("drives.csv", "part,name,mass,\"peak_torque: 5, max_speed\"\nmotor,m,1,5\n");
  EXPECT_NE(
      run("--catalog drives.csv").err.find("drives.csv:2: column \"peak_torque: 5, max_speed"),
      std::string::npos);
}

TEST_F(Size, KeepsTheBestOfManyDrivesInBoundedMemory) {
  write_arm("");
  std::string drives = "part,name,mass,rotor_inertia,gear_ratio\n";
  for (int k = 0; k < 200; ++k) {
    drives += "motor,m" + std::to_string(k) + "," + std::to_string(200 - k) + ",1e-4,\n";
    drives += "gear,g" + std::to_string(k) + ",1,0," + std::to_string(100 + k) + "\n";
  }
  shell.write("drives.csv", drives);
  long kilobytes = 0;
  const Outcome outcome = shell.run(
      "$armdyn size slide.yaml cycle.csv --catalog drives.csv --json -o found.json", kilobytes);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const json found = json::parse(shell.read("found.json"))["catalog"];
  ASSERT_EQ(found.size(), 1000U);
  EXPECT_EQ(found[0]["motor"], "m199");
  EXPECT_EQ(found[999]["motor"], "m195");
  EXPECT_LT(kilobytes, is_sanitized ? 500 * 1024 : 64 * 1024);
}

}  // namespace
}  // namespace armdyn::testing
