// armdyn check, as a user runs it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

const std::string sound_arm = R"(armdyn: 1
name: arm
convention: standard
angle_unit: deg
joints:
  - name: shoulder
    type: revolute
    dh: {a: 0.4, alpha: -90, d: 0.1, theta: 90}
    mass: 4
    com: [-0.2, 0, 0]
    inertia: {xx: 0.01, yy: 0.06, zz: 0.06}
    motor: {rotor_inertia: 1.0e-4, gear_ratio: 100}
  - name: slide
    type: prismatic
    dh: {a: 0, alpha: 0, d: 0.2, theta: -90}
    mass: 2
    com: [0, 0, -0.1]
    inertia: {xx: 0.01, yy: 0.01, zz: 0.001}
    limits: {position: [0, 0.3], torque: 100}
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

class Check : public ::testing::Test {
 protected:
  void SetUp() override { shell.write("arm.yaml", sound_arm); }

  [[nodiscard]] bool says(const Outcome& outcome, const std::string& words) const {
    return outcome.out.find(words) != std::string::npos;
  }

  Shell shell;
};

TEST_F(Check, ShowsTheModelAsItWasUnderstood) {
  const Outcome outcome = shell.run("$armdyn check arm.yaml");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(
      outcome.out,
      R"(arm.yaml: no problems found in units, table, inertias, friction, limits and mass matrix

arm

Denavit-Hartenberg table, standard: T = Rz(θ) Tz(d) Tx(a) Rx(α), joint i acts along z of {i-1}
joint          type  a [m]  α [deg]  α [rad]     d [m]  θ [deg]    θ [rad]
shoulder   revolute    0.4      -90    -pi/2       0.1  q1 + 90  q1 + pi/2
slide     prismatic      0        0        0  q2 + 0.2      -90      -pi/2

Mass, center of mass in {i}, and the box that has such a mass and inertia
link      mass [kg]  x [m]  y [m]  z [m]                  box [m]
shoulder          4   -0.2      0      0    0.406 x 0.122 x 0.122
slide             2      0      0   -0.1  0.239 x 0.0548 x 0.0548

Inertia tensor about the center of mass in axes of {i} [kg·m²]
link        xx    yy     zz  xy  yz  xz
shoulder  0.01  0.06   0.06   0   0   0
slide     0.01  0.01  0.001   0   0   0

Principal moments [kg·m²], each with the axis of {i} nearest to its own and how far off
link      smallest  axis  middle  axis  largest  axis
shoulder      0.01     x    0.06     y     0.06     z
slide        0.001     z    0.01     y     0.01     x

Load of each joint over its range: the extremes that a search found
joint     inertia of the links  of the rotor  largest gravity  torque limit
shoulder    0.57 to 0.87 kg·m²             1            0 N·m             -
slide                2 to 2 kg             -              0 N           100

total mass   6 kg
reach        the TCP reaches up to 0.6481 m from the origin of {0}, 0.6403 m from the axis of joint
             1, found by a search
mass matrix  positive definite at all sampled positions; worst reciprocal condition number 0.37
             (scaled), at q = 0,0 deg, for motions of shoulder, slide
)");
}

TEST_F(Check, HintsAtDryFrictionThatTheTorqueLimitDoesNotOvercome) {
  const std::string lift = replaced(replaced(sound_arm, "alpha: -90", "alpha: 0"), "torque: 100",
                                    "torque: 20");  // gravity asks for 19.62 N
  const auto check = [&](const std::string& friction) {
    shell.write("lift.yaml",
                replaced(lift, "limits:", "friction: {" + friction + "}\n    limits:"));
    return shell.run("$armdyn check lift.yaml");
  };
  EXPECT_TRUE(says(check("coulomb: 0.3"), "lift.yaml: no problems"));
  EXPECT_TRUE(says(check("coulomb: 0.5"),
                   "gravity asks for up to 19.62 N, at q = 0,0 deg, and dry friction holds up to "
                   "0.5, together more than the limit of 20: there the drive cannot lift"));
  EXPECT_TRUE(
      says(check("coulomb: 2, static: 21"),
           "dry friction holds up to 21 N, more than the limit of 20: the drive never moves "
           "the joint"));
}

TEST_F(Check, HintsAtNumbersOfTheOtherConvention) {
  const auto check = [&](const std::string& robot, const std::string& from, const std::string& to) {
    return shell.run("$armdyn robots show " + robot + " | sed 's/convention: " + from +
                     "/convention: " + to + "/' | $armdyn check -");
  };
  EXPECT_TRUE(says(check("ur5e", "standard", "modified"),
                   "turn about one axis; are the numbers those of a standard table?"));
  EXPECT_TRUE(says(check("puma560", "standard", "modified"),
                   "in a modified table this row makes wrist and flange turn about one axis; are "
                   "the numbers those of a standard table?"));
  EXPECT_TRUE(says(check("franka-panda", "modified", "standard"),
                   "turn about one axis; are the numbers those of a modified table?"));
  EXPECT_TRUE(says(check("craig-rp", "modified", "standard"),
                   "in a standard table this row makes shoulder and slide rotate about and move "
                   "along one axis, which the tool never leaves; are the numbers those of a "
                   "modified table?"));
  const std::string standard = R"(armdyn: 1
name: rp
convention: CONVENTION
joints:
  - {name: shoulder, type: revolute, dh: {alpha: pi/2}, mass: 3}
  - {name: slide, type: prismatic, dh: {d: 0.2}, mass: 2}
)";
  shell.write("rp.yaml", replaced(standard, "CONVENTION", "modified"));
  EXPECT_TRUE(
      says(shell.run("$armdyn check rp.yaml"), "are the numbers those of a standard table?"));
  shell.write("rp.yaml", replaced(standard, "CONVENTION", "standard"));
  EXPECT_FALSE(says(shell.run("$armdyn check rp.yaml"), "are the numbers those of"));
  // A column that turns and lifts is the same by both conventions.
  shell.write("rp.yaml", replaced(replaced(standard, "CONVENTION", "modified"), "pi/2", "0"));
  EXPECT_FALSE(says(shell.run("$armdyn check rp.yaml"), "are the numbers those of"));
}

TEST_F(Check, AsksOfAPlanarArmForNoInertiaButZz) {
  const std::string planar = R"(armdyn: 1
name: planar
convention: modified
joints:
  - {name: a, type: revolute, dh: {alpha: pi/2}, mass: 1, inertia: {zz: 0.1}}
  - {name: b, type: revolute, dh: {a: 0.5}, mass: 1, inertia: {zz: 0.1}}
)";
  shell.write("planar.yaml", planar);
  EXPECT_EQ(shell.run("$armdyn inspect planar.yaml").err, "");
  const Outcome sound = shell.run("$armdyn check planar.yaml");
  EXPECT_TRUE(says(sound, "zz alone counts"));
  EXPECT_FALSE(says(sound, "inconsistent"));
  shell.write("bent.yaml", replaced(planar, "a: 0.5", "a: 0.5, alpha: 0.1"));
  EXPECT_EQ(shell.run("$armdyn inspect bent.yaml").err,
            "bent.yaml: 2 warnings about the model; armdyn check bent.yaml shows them\n");
  shell.write("bent.yaml", replaced(planar, "zz: 0.1}", "zz: 0.1, xx: 0.01}"));
  EXPECT_EQ(shell.run("$armdyn inspect bent.yaml").err,
            "bent.yaml: 1 warning about the model; armdyn check bent.yaml shows it\n");
}

// Uniform rods, each by its moment about its own joint: m (L²/3 − c²) about its center.
TEST_F(Check, AsksOfAPlanarArmForNoInertiaButZzAboutAnyPoint) {
  const auto planar = [](const std::string& convention, double com, const std::string& about) {
    return "armdyn: 1\nname: planar\nconvention: " + convention + "\ngravity: [0, -9.81, 0]\n" +
           "joints:\n  - {type: revolute, dh: {a: 0.5}, mass: 0.9, com: [" + std::to_string(com) +
           ", 0, 0], inertia: {zz: 0.075}, " + about + "}\n" +
           "  - {type: revolute, dh: {a: 0.5}, mass: 0.9, com: [" + std::to_string(com) +
           ", 0, 0], inertia: {zz: 0.075}, " + about + "}\n";
  };
  shell.write("modified.yaml", planar("modified", 0.25, "inertia_about: origin"));
  shell.write("standard.yaml", planar("standard", -0.25, "inertia_frame: {xyz: [-0.5, 0, 0]}"));
  for (const char* const file : {"modified.yaml", "standard.yaml"}) {
    const Outcome sound = shell.run("$armdyn check " + std::string(file) + " --json");
    const auto found = nlohmann::json::parse(sound.out);
    EXPECT_TRUE(found["findings"].empty()) << file;
    EXPECT_NEAR(found["joints"][0]["inertia"]["zz"], 0.01875, 1e-15);
    EXPECT_EQ(found["joints"][0]["inertia"]["yy"], 0.0);
  }
  shell.write("light.yaml", replaced(shell.read("modified.yaml"), "zz: 0.075", "zz: 0.05"));
  EXPECT_TRUE(says(shell.run("$armdyn check light.yaml"), "with 1 warning")) << "below m c²";
}

TEST_F(Check, OfAnUnusableFileListsTheErrorsAndExitsOne) {
  shell.write("bad.yaml",
              replaced(replaced(sound_arm, "mass: 4", "mass: -4"), "dh: {a: 0.4", "dh: {b: 0.4"));
  const Outcome outcome = shell.run("$armdyn check bad.yaml");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out,
            "bad.yaml: 2 errors; the file cannot be used\n"
            "bad.yaml:8:10: error: joints[0].dh.b: unknown key (known: a, alpha, d, "
            "theta)\n"
            "bad.yaml:9:11: error: joints[0].mass: found -4; expected 0 or more, in kg\n");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Check, ReportsFindingsOfTheFileAndOfTheArm) {
  shell.write("bad.yaml", replaced(replaced(sound_arm, "alpha: -90", "alpha: 1.5708"),
                                   "inertia: {xx: 0.01, yy: 0.06, zz: 0.06}\n    motor: "
                                   "{rotor_inertia: 1.0e-4, gear_ratio: 100}",
                                   "motor: {rotor_inertia: 5, gear_ratio: 100}"));
  const Outcome outcome = shell.run("$armdyn check bad.yaml --quiet");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(
      outcome.out,
      "bad.yaml: can be used, with 2 warnings\n"
      "bad.yaml:8:25: warning: joints[0].dh.alpha: found 1.5708 deg, which looks like "
      "radians; if so, write pi/2\n"
      "bad.yaml:11:12: warning: joints[0].motor: reflected to the joint (times gear_ratio²) the "
      "rotor has 5e+04 kg·m², 1.039e+05 times the arm's largest inertia about a joint; if "
      "rotor_inertia is already that at the joint, gear_ratio is 1\n");
}

TEST_F(Check, WithStrictExitsOneOnAWarningOnly) {
  EXPECT_EQ(shell.run("$armdyn check arm.yaml --strict").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn check puma560").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn check puma560 --strict").exit_code, 1);
  EXPECT_EQ(shell.run("$armdyn check six-link-jaeri").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn check six-link-jaeri --strict").exit_code, 1);  // M singular
}

TEST(ShippedRobots, AreJudgedAsInTheListing) {
  const Shell judge;
  const std::string listing = test_data() + "/shipped_verdicts.txt";
  const std::string each = "for f in *.yaml; do $armdyn check $f --quiet; done";
  const Outcome verdicts = judge.run("cd '" + shipped_robots_folder() + "'; " + each);
  EXPECT_EQ(verdicts.exit_code, 0);
  EXPECT_EQ(verdicts.out, judge.run("cat '" + listing + "'").out)
      << "Is each new verdict right? Then renew " << listing << " in the folder robots by\n"
      << each << " >../tests/data/shipped_verdicts.txt\n";
}

TEST_F(Check, OfAFileThatCannotBeReadExitsFour) {
  const Outcome outcome = shell.run("$armdyn check none.yaml");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "armdyn: cannot read none.yaml: No such file or directory\n");
}

TEST_F(Check, ReadsStandardInput) {
  const Outcome outcome = shell.run("echo 'armdyn: 2' | $armdyn check -");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out,
            "standard input: 1 error; the file cannot be used\n"
            "standard input:1:9: error: armdyn: found version 2; this program reads version 1 of "
            "the file format\n");
}

TEST_F(Check, DoesNotReplaceTheRobotFileByItsReport) {
  const Outcome outcome = shell.run("ln arm.yaml arm.txt; $armdyn check arm.yaml -o arm.txt");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "armdyn: the output 'arm.txt' is an input; name another file\n");
  EXPECT_EQ(shell.read("arm.yaml"), sound_arm);
}

TEST_F(Check, EditsTheRobotBeforeLookingAtIt) {
  EXPECT_TRUE(says(shell.run("$armdyn check arm.yaml --without rotors"), "no rotor inertia"));
  EXPECT_TRUE(says(shell.run("$armdyn check arm.yaml --payload 1.5"), "and a payload of 1.5 kg"));
  EXPECT_TRUE(says(shell.run("$armdyn check arm.yaml --gravity 0,9.81,0 --quiet"), "no problems"));
}

TEST_F(Check, AsJsonHasTheSameUnderKeys) {
  const Outcome outcome = shell.run("$armdyn check arm.yaml --json --strict");
  EXPECT_EQ(outcome.exit_code, 0);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["version"], ARMDYN_VERSION);
  EXPECT_EQ(json["robot"]["name"], "arm");
  EXPECT_EQ(json["robot"]["file"], "arm.yaml");
  EXPECT_EQ(json["options"]["strict"], true);
  EXPECT_EQ(json["convention"], "standard");
  EXPECT_EQ(json["joints"][1]["type"], "prismatic");
  EXPECT_EQ(json["joints"][0]["dh"]["a"], 0.4);
  EXPECT_EQ(json["joints"][0]["rotor_inertia"], 1.0);
  EXPECT_EQ(json["joints"][0]["physically_consistent"], true);
  EXPECT_EQ(json["joints"][0]["principal_moments"][0], 0.01);
  EXPECT_EQ(json["joints"][1]["torque_limit"], 100);
  EXPECT_EQ(json["total_mass"], 6);
  EXPECT_EQ(json["mass_matrix"]["kind"], "regular");
  EXPECT_EQ(json["reach"]["q"].size(), 2U);
  EXPECT_EQ(json["error_count"], 0);
  EXPECT_EQ(json["warning_count"], 0);
  EXPECT_TRUE(json["findings"].empty());
}

TEST_F(Check, AsJsonListsFindingsWithTheirPlace) {
  shell.write("bad.yaml", replaced(sound_arm, "mass: 4", "mass: heavy"));
  const Outcome outcome = shell.run("$armdyn check bad.yaml --json");
  EXPECT_EQ(outcome.exit_code, 1);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["error_count"], 1);
  EXPECT_TRUE(json["robot"]["name"].is_null());
  EXPECT_EQ(json["findings"][0],
            (nlohmann::json{{"severity", "error"},
                            {"path", "joints[0].mass"},
                            {"message", "found \"heavy\"; expected a number in kg"},
                            {"line", 9},
                            {"column", 11}}));
}

TEST_F(Check, IsWhatOtherVerbsPointToForWarnings) {
  const std::string motion = "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n";
  shell.write("in.csv", motion);
  shell.write("my arm.yaml", replaced(sound_arm, "mass: 4", "mass: 0"));
  EXPECT_EQ(shell.run("$armdyn torque 'my arm.yaml' in.csv --quiet").err,
            "my arm.yaml: 1 warning about the model; armdyn check \"my arm.yaml\" shows it\n");
  const auto first_line_of = [this](const std::string& arguments) {
    const std::string said = shell.run("$armdyn torque " + arguments + " -o out.csv").err;
    return said.substr(0, said.find('\n'));
  };
  EXPECT_EQ(first_line_of("arm.yaml in.csv").find("about the model"), std::string::npos);
  EXPECT_EQ(first_line_of("'my arm.yaml' in.csv"),
            "my arm.yaml: 1 warning about the model; armdyn check \"my arm.yaml\" shows it");
  EXPECT_EQ(first_line_of("puma560 puma560-pick-and-place"),
            "puma560.yaml: 3 warnings about the model; armdyn check puma560 shows them");
}

/// The slide has 2 kg at (0, 0, −0.1); seen from (0.3, 0, 0) with x and y exchanged by a turn of 90
/// degrees, it is 0.3 m away along y and 0.1 m along −z.
TEST_F(Check, GivesTensorsInAnyFrameAndMomentsAboutAnyLine) {
  const Outcome text =
      shell.run("$armdyn check arm.yaml --frame \"0.3,0,0,0,0,90 deg\" --line 0.3,0,0,0,0,2");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(says(text,
                   "Inertia tensor about the origin and in the axes of --frame, which stands in "
                   "{i} [kg·m²]\n"
                   "link        xx    yy     zz  xy    yz  xz\n"
                   "shoulder  1.06  0.01   1.06   0     0   0\n"
                   "slide     0.21  0.03  0.181   0  0.06   0\n"
                   "\n"
                   "Ellipsoid of inertia about that origin, semi-axes [1/√(kg·m²)]\n"
                   "link      longest  middle  shortest\n"
                   "shoulder       10  0.9713    0.9713\n"
                   "slide        10.5   2.225     2.182\n"
                   "\n"
                   "Moment of inertia about --line, given in {i} [kg·m²]\n"
                   "link      moment\n"
                   "shoulder    1.06\n"
                   "slide      0.181\n"))
      << text.out;
  const std::string verb = "$armdyn check arm.yaml --frame ";
  const nlohmann::json found =
      nlohmann::json::parse(shell.run(verb + "0.3,0,0,0,0,pi/2 --line 0.3,0,0,0,0,2 --json").out);
  const nlohmann::json slide = found["joints"][1], tensor = slide["inertia_in_frame"];
  EXPECT_NEAR(tensor["xx"].get<double>(), 0.01 + 2 * (0.01 + 0.09), 1e-15);
  EXPECT_NEAR(tensor["yy"].get<double>(), 0.01 + 2 * 0.01, 1e-15);
  EXPECT_NEAR(tensor["zz"].get<double>(), 0.001 + 2 * 0.09, 1e-15);
  EXPECT_NEAR(tensor["yz"].get<double>(), -2 * 0.3 * -0.1, 1e-15);
  EXPECT_NEAR(slide["moment_about_line"].get<double>(), 0.001 + 2 * 0.09, 1e-15);
  EXPECT_EQ(found["options"]["frame"], "0.3,0,0,0,0,pi/2");
  EXPECT_EQ(shell.run(verb + "1,2").err,
            "armdyn: --frame: found \"1,2\", expected x,y,z in m, or x,y,z,roll,pitch,yaw\n");
  EXPECT_EQ(shell.run("$armdyn check arm.yaml --line 1,2,3,0,0,0").err,
            "armdyn: --line: found \"1,2,3,0,0,0\", expected a point x,y,z in m and a direction "
            "that is not 0,0,0, e.g. 0,0,0,0,0,1\n");
}

// A point mass has no moment about the line to it, whatever rounding leaves of it.
TEST_F(Check, TheEllipsoidOfAPointMassHasNoEndAlongItsLine) {
  for (const char* const frame : {"0,0,0", "0.1,0.2,0.3,0.4,0.5,0.6", "-7,30,200,-1,2,0.3"}) {
    const auto found = nlohmann::json::parse(
        shell.run(std::string("$armdyn check craig-rr --json --frame=") + frame).out);
    for (const auto& joint : found["joints"]) {
      const nlohmann::json& axes = joint["ellipsoid_in_frame"]["semi_axes"];
      EXPECT_TRUE(axes[0].is_null() && axes[1].is_number() && axes[2].is_number()) << axes;
    }
  }
}

TEST_F(Check, SaysOfLimitsInTheWrongOrderNotThatAPoseIsOutside) {
  shell.write("turned.yaml",
              replaced(sound_arm, "[0, 0.3]", "[0.3, 0]") + "poses: {a: [0, 0.1]}\n");
  const auto json = nlohmann::json::parse(shell.run("$armdyn check turned.yaml --json").out);
  EXPECT_EQ(json["error_count"], 1);
  EXPECT_EQ(json["warning_count"], 0) << json["findings"].dump(1);
}

// A round trip through URDF changes every frame of the table and nothing of the arm.
TEST_F(Check, SaysWhereAnotherDescriptionOfTheArmDiffers) {
  ASSERT_EQ(shell.run("$armdyn convert staubli-tx40 -o same.urdf --quiet").exit_code, 0);
  const Outcome same =
      shell.run("$armdyn check staubli-tx40 --without rotors,friction --against same.urdf --json");
  ASSERT_EQ(same.exit_code, 0) << same.err;
  const auto found = nlohmann::json::parse(same.out)["difference"];
  ASSERT_EQ(found["numbers"].size(), 2U) << found["numbers"].dump(1);  // URDF has no couplings
  EXPECT_EQ(found["numbers"][1]["quantity"], "position of the motor");
  EXPECT_EQ(found["numbers"][1]["here"], "32 q5 + 32 q6");
  EXPECT_EQ(found["numbers"][1]["there"], "q6");
  const auto& torque = found["torque"];
  EXPECT_GT(torque["largest"].get<double>(), 10.0);
  EXPECT_LT(torque["largest_difference"].get<double>(), 1e-12 * torque["largest"].get<double>());

  shell.write("other.yaml",
              replaced(replaced(sound_arm, "mass: 4", "mass: 4.5"), "a: 0.4", "a: 0.41"));
  const Outcome other = shell.run("$armdyn check arm.yaml --against other.yaml");
  EXPECT_EQ(other.exit_code, 0);
  EXPECT_TRUE(says(other,
                   "shoulder  distance to the next axis [m]             0.4   0.41\n"
                   "shoulder  mass [kg]                                 4     4.5\n"
                   "shoulder  center of mass from the joint's axis [m]  0.2   0.21\n"))
      << other.out;

  // Each pose by its joint and unit; of the last joint the center of mass from the axis before.
  const std::string rest = "poses: {rest: [10, 0.2]}\n";
  shell.write("posed.yaml", sound_arm + rest);
  shell.write("other.yaml", replaced(sound_arm, "com: [0, 0, -0.1]", "com: [0, 0, -0.15]") +
                                replaced(rest, "0.2", "0.25"));
  const auto posed = nlohmann::json::parse(
      shell.run("$armdyn check posed.yaml --against other.yaml --json").out)["difference"];
  ASSERT_EQ(posed["numbers"].size(), 2U) << posed.dump(1);
  for (const auto& number : posed["numbers"]) EXPECT_EQ(number["joint"], "slide");
  EXPECT_EQ(posed["numbers"][0]["quantity"],
            "center of mass from the axis before, along the joint's axis [m]");
  EXPECT_NEAR(
      posed["numbers"][0]["here"].get<double>() - posed["numbers"][0]["there"].get<double>(), 0.05,
      1e-12);
  EXPECT_EQ(posed["numbers"][1]["quantity"], "pose rest [m]");
  EXPECT_EQ(posed["numbers"][1]["here"], 0.2);
  EXPECT_EQ(posed["numbers"][1]["there"], 0.25);

  shell.write("held.yaml", sound_arm + "payload: {mass: 1, com: [0, 0, 0.05]}\n");
  shell.write("lower.yaml", sound_arm + "payload: {mass: 1, com: [0, 0, 0.06]}\n");
  EXPECT_TRUE(says(shell.run("$armdyn check held.yaml --against lower.yaml"),
                   "payload  center of mass along z of the tool [m]  0.05  0.06\n"));

  // Axes 3 and 5 both meet axis 4: only along it does d of the forearm show.
  const Outcome longer = shell.run(
      "$armdyn robots copy puma560 && sed 's/d: 0.4318/d: 0.5318/' puma560.yaml > longer.yaml && "
      "$armdyn check ./puma560.yaml --against longer.yaml --json");
  const auto lengths = nlohmann::json::parse(longer.out.substr(longer.out.find('{')))["difference"];
  ASSERT_EQ(lengths["numbers"].size(), 1U) << lengths.dump(1);
  EXPECT_EQ(lengths["numbers"][0]["joint"], "forearm");
  EXPECT_NEAR(lengths["numbers"][0]["here"].get<double>(), 0.4318, 1e-12);
  EXPECT_NEAR(lengths["numbers"][0]["there"].get<double>(), 0.5318, 1e-12);

  EXPECT_EQ(shell.run("$armdyn check palletizer --against palletizer").exit_code, 0);
  const Outcome bent = shell.run(
      "$armdyn robots show palletizer | sed 's/mass: 120/mass: 126/; s/a: 1.4,/a: 1.41,/' > "
      "bent.yaml; $armdyn check palletizer --against bent.yaml");
  EXPECT_EQ(bent.exit_code, 0) << bent.out;
  EXPECT_TRUE(says(bent, "forearm"));
  const Outcome fewer = shell.run("$armdyn check arm.yaml --against puma560");
  EXPECT_EQ(fewer.exit_code, 3);
  EXPECT_EQ(fewer.err,
            "--against: arm has 2 joints, puma560 has 6; arms are compared joint for joint\n");
}

TEST(CheckAxes, AreThatFarFromThoseOfTheFrame) {
  const Shell shell;
  // 0.01, 0.02 and 0.025 kg·m², turned by 30° about z.
  shell.write("turned.yaml", R"(
armdyn: 1
name: turned
convention: modified
joints:
  - {name: turned, type: revolute, dh: {}, mass: 1,
     inertia: {xx: 0.0125, yy: 0.0175, zz: 0.025, xy: -0.004330127018922193}}
)");
  const Outcome outcome = shell.run("$armdyn check turned.yaml");
  EXPECT_NE(outcome.out.find("0.01  x 30°    0.02  y 30°    0.025     z"), std::string::npos)
      << outcome.out;
}

TEST(CheckUrdf, RefusesAnAttributeThatIsThereTwice) {
  const Shell shell;
  shell.write("twice.urdf",
              "<robot name=\"a\"><link name=\"base\"/><link name=\"b\"/>\n"
              "<joint name=\"j\" type=\"revolute\"><parent link=\"base\" link=\"b\"/>"
              "<child link=\"b\"/></joint></robot>\n");
  const Outcome outcome = shell.run("$armdyn check twice.urdf");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("\ntwice.urdf:2: error: found an unreadable attribute; expected "
                             "name=\"value\", each name once\n"),
            std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace armdyn::testing
