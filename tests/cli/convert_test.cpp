// armdyn convert, and URDF files in other verbs, as a user runs them.

#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>

#include <array>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

std::string urdf(const std::string& name) {
  return test_data() + "/urdf/" + name + ".urdf";
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Convert, MakesTablesOfUrdfAndProvesThem) {
  const Shell shell;
  for (const std::string convention : {"standard", "modified"}) {
    const Outcome outcome =
        shell.run("$armdyn convert " + urdf("crane_with_gripper") + " --snap 0,0 --convention " +
                  convention + " --force -o crane.yaml");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_part(outcome.out, "crane.yaml: 4 joints, " + convention + " table");
    expect_part(outcome.out,
                "input and output are the same arm, joints of the input fixed at zero: "
                "left_finger_joint, right_finger_joint\n");
    expect_part(outcome.err,
                "off the chain, taken as fixed at zero with what they carry: "
                "left_finger_joint, right_finger_joint");
    expect_part(outcome.out, "rotor inertias from drake:rotor_inertia of lift");
    const Outcome check = shell.run("$armdyn check crane.yaml --quiet");
    EXPECT_EQ(check.exit_code, 0) << check.out;
  }
}

TEST(Convert, SaysAWarningOnceOnAPage) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn convert " + urdf("crane_with_gripper") +
                                    " -o crane.yaml --report page.html");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string page = shell.read("page.html"), said = "warning: off the chain, taken as fixed";
  ASSERT_NE(page.find(said), page.npos);
  EXPECT_EQ(page.find(said, page.find(said) + 1), page.npos);
}

TEST(Convert, SaysThatAxesWereSnappedOntoOneLine) {
  const Shell shell;
  const auto joint = [](const std::string& number, const std::string& from,
                        const std::string& xyz) {
    return "<joint name='j" + number + "' type='revolute'><parent link='" + from +
           "'/><child link='l" + number + "'/><origin xyz='" + xyz +
           "'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='9' velocity='9'/></joint>";
  };
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
           "izz='1'/></inertial></link>";
  };
  shell.write("line.urdf", "<robot name='line'>" + link("base") + link("l1") + link("l2") +
                               joint("1", "base", "0 0 0") + joint("2", "l1", "3e-7 4e-7 1") +
                               "</robot>");
  const Outcome outcome = shell.run("$armdyn convert line.urdf -o line.yaml --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto snapped = nlohmann::json::parse(outcome.out)["snapped"];
  ASSERT_EQ(snapped.size(), 1U) << snapped.dump();
  EXPECT_EQ(snapped[0]["what"], "axes of j1 and j2 in one line");
  EXPECT_NEAR(snapped[0]["length"].get<double>(), 5e-7, 1e-15);
}

TEST(Convert, SaysAWarningOnceInTextAndJson) {
  const Shell shell;
  const std::string convert = "$armdyn convert " + urdf("crane_with_gripper") + " -o crane.yaml";
  const std::string text = shell.run(convert).err, said = "off the chain, taken as fixed";
  ASSERT_NE(text.find(said), text.npos) << text;
  EXPECT_EQ(text.find(said, text.find(said) + 1), text.npos) << text;

  const auto json = nlohmann::json::parse(shell.run(convert + " --force --json").out);
  expect_part(json["model_warnings"].dump(), said);
  EXPECT_EQ(json["fixed_joints"].dump(), R"(["left_finger_joint","right_finger_joint"])");
  ASSERT_FALSE(json["notes"].empty());
  EXPECT_EQ(json["notes"].dump().find(said), std::string::npos) << json["notes"];
}

TEST(Convert, SaysWhatWasSnapped) {
  const Shell shell;
  const Outcome outcome =
      shell.run("$armdyn convert " + urdf("calibrated") + " --snap 1e-3,1e-6 -o c.yaml --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_TRUE(json["agree"]);
  EXPECT_FALSE(json["snapped"].empty());
  for (const auto& one : json["snapped"]) {
    EXPECT_LE(one["angle"], 1e-3);
    EXPECT_LE(one["length"], 1e-6);
  }
  EXPECT_GT(json["tcp_displacement"]["position"]["value"], 0.0);
  EXPECT_LT(json["tcp_displacement"]["position"]["value"], 0.01);

  const std::string text =
      shell.run("$armdyn convert " + urdf("calibrated") + " --snap 1e-3,1e-6 --force -o c.yaml")
          .out;
  const double place = json["tcp_displacement"]["position"]["value"],
               turn = json["snapped"][0]["angle"];
  expect_part(text,
              fmt::format("snapped: the TCP moves by at most {:.4g} µm and", place * 1e6 + 5e-4));
  expect_part(text, fmt::format(": {:.4g} µrad off\n", turn * 1e6));
  const std::string yaml = shell.read("c.yaml");
  expect_part(yaml, "\n# snapped: the TCP moves by at most ");
  for (const auto& one : json["snapped"]) {
    expect_part(yaml, "\n#   " + one["what"].get<std::string>() + ": ");
  }
}

TEST(Convert, AloneSnaps) {
  const Shell shell;
  const std::string arm = urdf("calibrated");
  expect_part(shell.run("$armdyn inspect " + arm + " --snap 0,0").err,
              "inspect has no option --snap; convert has it");
  const Outcome check = shell.run("$armdyn check " + arm);
  expect_part(check.out, "rpy: 1.5708 is taken as a right angle, 2 such angles in all; ");
  expect_part(shell.run("$armdyn compare " + arm + " --costs").err,
              "where axes of a URDF are nearly parallel, armdyn convert --snap makes a table");
}

TEST(Convert, WritesRightAnglesOfFewDigitsToUrdfAsTheyAre) {
  const Shell shell;
  shell.write("right.yaml",
              "armdyn: 1\nname: right\nconvention: modified\njoints:\n"
              "  - {type: revolute, mass: 1, dh: {a: 0, alpha: 0, d: 0.1, theta: 0}}\n"
              "  - {type: revolute, mass: 1, dh: {a: 0.2, alpha: 1.5708, d: 0.1, theta: 0}}\n");
  ASSERT_EQ(shell.run("$armdyn convert right.yaml -o right.urdf").exit_code, 0);
  EXPECT_EQ(shell.run("grep -c '1.5708 0 0' right.urdf").out, "1\n");
  ASSERT_EQ(shell.run("$armdyn convert right.urdf --tip tool -o other.urdf").exit_code, 0);
  EXPECT_EQ(shell.run("grep -c '1.5708 0 0' other.urdf").out, "1\n");
}

TEST(Convert, GivesNearlyParallelAxesAnOriginUnlessTheyAreSnapped) {
  const Shell shell;
  const std::string convert = "$armdyn convert " + urdf("calibrated") + " --force -o c.yaml";
  ASSERT_EQ(shell.run(convert).exit_code, 0);
  EXPECT_EQ(shell.run("grep -c origin: c.yaml").out, "2\n");
  EXPECT_EQ(shell.run(convert + " --convention standard").exit_code, 2);
  ASSERT_EQ(shell.run(convert + " --convention standard --snap 2e-3,1e-6").exit_code, 0);
  EXPECT_EQ(shell.run("grep -c origin: c.yaml").out, "0\n");
}

TEST(Convert, SaysHowFarAxesThatNearlyIntersectAreApart) {
  const Shell shell;
  std::string arm = shell.run("cat " + urdf("calibrated")).out;
  const std::string apart = "0 0.0001 0";
  ASSERT_NE(arm.find(apart), std::string::npos);
  shell.write("near.urdf", arm.replace(arm.find(apart), apart.size(), "4e-07 0.0001 0"));
  expect_part(shell.run("$armdyn convert near.urdf -o c.yaml").out,
              "axes of pan and lift intersecting: 0.4 µm off\n");
}

// Of an arm of which nothing is snapped, allowed is the rounding: a billionth of each scale.
TEST(Convert, AllowsRoundingOfEachQuantityByItsScale) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn convert puma560 -o p.urdf --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out)["differences"];
  ASSERT_EQ(rows.size(), 5U);
  const std::array names{"tcp", "rotation", "jacobian", "gravity", "torque"};
  std::set<double> found;
  for (std::size_t k = 0; k < names.size(); ++k) {
    EXPECT_EQ(rows[k]["quantity"], names[k]);
    const double largest = rows[k]["largest"], allowed = rows[k]["allowed"];
    EXPECT_LE(largest, allowed);
    found.insert(largest);
    if (k < 3) {
      EXPECT_NEAR(allowed, 1e-9, 1e-20);
    }
  }
  EXPECT_EQ(found.size(), names.size());  // each row has its own
  // Gravity takes some 45 N·m at most, and the random states' torques more.
  const double gravity = rows[3]["allowed"], torque = rows[4]["allowed"];
  EXPECT_NEAR(gravity, 45e-9, 15e-9);
  EXPECT_GT(torque, 1.2 * gravity);
}

// The axes stand along gravity but for the last digit of a right angle, so that gravity torque and
// its scale are nothing but rounding.
TEST(Convert, AllowsRoundingWhereGravityDoesNoWork) {
  const Shell shell;
  const char* const link =
      "'><inertial><origin xyz='0.3 0.2 0.1'/><mass value='3'/><inertia ixx='0.3' ixy='0' ixz='0' "
      "iyy='0.3' iyz='0' izz='0.3'/></inertial></link>";
  shell.write(
      "planar.urdf",
      fmt::format("<robot name='planar'><link name='base'/><link name='one{0}<link name='two{0}"
                  "<joint name='a' type='continuous'><origin xyz='0.1 0 0' "
                  "rpy='1.5707963267948966 0.7 0.4'/><axis xyz='-0.644217687237691 "
                  "0.764842187284488 0'/><parent link='base'/><child link='one'/></joint>"
                  "<joint name='b' type='continuous'><origin xyz='0.4 0 0'/><axis "
                  "xyz='-0.644217687237691 0.764842187284488 0'/><parent link='one'/><child "
                  "link='two'/></joint></robot>",
                  link));
  for (const char* const ending : {"yaml", "urdf", "xml"}) {
    const Outcome outcome = shell.run(fmt::format("$armdyn convert planar.urdf -o p.{}", ending));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
}

TEST(Convert, WritesUrdfAndMjcf) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn convert ur5e -o a.urdf --quiet").exit_code, 0);
  EXPECT_EQ(shell.run("$armdyn convert ur5e -o a.xml --quiet").exit_code, 0);
  expect_part(shell.read("a.xml"), "<mujoco model=\"ur5e\">");
  EXPECT_EQ(shell.run("$armdyn convert puma560 -o g.urdf --quiet").exit_code, 0);
  expect_part(shell.read("g.urdf"), "<type>transmission_interface/SimpleTransmission</type>");
  expect_part(shell.read("g.urdf"), "<mechanicalReduction>107.815</mechanicalReduction>");
  // The same arm again: the same torques of the same motion.
  EXPECT_EQ(shell.run("$armdyn convert a.urdf -o b.yaml --quiet").exit_code, 0);
  shell.write("m.csv",
              "q1,q2,q3,q4,q5,q6,qd1,qd2,qd3,qd4,qd5,qd6,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6\n"
              "0.1,-1,0.7,0.4,-0.3,2,1,2,-1,0.5,1,2,3,-2,1,4,2,1\n");
  const auto numbers = [&shell](const std::string& robot) {
    const Outcome outcome = shell.run("$armdyn torque " + robot + " m.csv --quiet");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::vector<double> values;
    std::string line = outcome.out.substr(outcome.out.find('\n') + 1);
    for (std::size_t at = 0; at < line.size(); at = line.find_first_of(",\n", at) + 1) {
      values.push_back(std::stod(line.substr(at)));
    }
    return values;
  };
  const std::vector<double> first = numbers("ur5e");
  ASSERT_EQ(first.size(), 6U);
  for (const char* robot : {"a.urdf", "b.yaml"}) {
    const std::vector<double> again = numbers(robot);
    ASSERT_EQ(again.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(again[i], first[i], 1e-12 * 60.0) << robot;
  }
}

TEST(Convert, NamesEachLinkOnceWhateverTheJointsAreCalled) {
  const Shell shell;
  std::string robot = "armdyn: 1\nname: named\nconvention: modified\njoints:\n";
  for (const char* const name : {"base", "tool", "payload"}) {
    robot += fmt::format(
        "  - {{name: {}, type: revolute, dh: {{a: 0.3, alpha: pi/2, d: 0, theta: 0}}, mass: 1, "
        "com: [0.1, 0, 0], inertia: {{xx: 0.01, yy: 0.01, zz: 0.01}}}}\n",
        name);
  }
  shell.write("named.yaml", robot +
                                "tool: {xyz: [0.1, 0, 0]}\n"
                                "payload: {mass: 1, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}\n");
  for (const char* const ending : {"urdf", "xml"}) {
    const Outcome outcome = shell.run(fmt::format("$armdyn convert named.yaml -o n.{}", ending));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const Outcome names = shell.run(
        fmt::format("grep -o '<\\(link\\|body\\) name=\"[^\"]*\"' n.{} | sort | uniq -d", ending));
    EXPECT_EQ(names.out, "");
  }
  shell.write(
      "clash.urdf",
      "<robot name='r'><link name='b'/>"
      "<joint name='tip' type='continuous'><parent link='b'/><child link='l'/></joint>"
      "<link name='l'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.012' "
      "ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<joint name='f' type='fixed'><parent link='l'/><child link='tip'/>"
      "<origin xyz='0.1 0 0'/></joint><link name='tip'/></robot>");
  const Outcome kept = shell.run("$armdyn convert clash.urdf -o kept.urdf");
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  expect_part(shell.read("kept.urdf"), "<link name=\"tip\"/>");
}

TEST(Convert, SaysOfFrictionOnlyThatItIsTheMotors) {
  const Shell shell;
  shell.write("geared.yaml",
              "armdyn: 1\nname: geared\nconvention: modified\njoints:\n  - {name: turn, type: "
              "revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 2, friction: {viscous: 0.5, "
              "coulomb: 1}, motor: {gear_ratio: -50, viscous: 1.0e-4, coulomb: 0.02}}\n");
  const Outcome outcome = shell.run("$armdyn convert geared.yaml -o geared.urdf --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("beyond one Coulomb level"), outcome.out.npos) << outcome.out;
  expect_part(outcome.out, "which part of friction is the motor's");
  (void)shell.run("sed -i 's/, viscous: 1.0e-4, coulomb: 0.02//' geared.yaml");
  const Outcome plain = shell.run("$armdyn convert geared.yaml -o plain.urdf --json");
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_EQ(plain.out.find("the motor's"), plain.out.npos) << plain.out;
}

TEST(Convert, KeepsWhatOurOwnFilesSay) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn convert puma560 --convention modified -o m.yaml --quiet").exit_code,
            0);
  const Outcome back = shell.run("$armdyn convert m.yaml --convention standard -o s.yaml");
  EXPECT_EQ(back.exit_code, 0);
  expect_part(back.out, "not in the output: the comments of m.yaml");
  const auto joints = [&shell](const std::string& robot) {
    return nlohmann::json::parse(shell.run("$armdyn check " + robot + " --json").out)["joints"];
  };
  const auto first = joints("puma560"), again = joints("s.yaml");
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(again[i]["dh"], first[i]["dh"]);
    EXPECT_EQ(again[i]["mass"], first[i]["mass"]);
  }
}

TEST(Convert, RefusesWhatMakesNoSense) {
  const Shell shell;
  const auto expect_refusal = [&shell](const std::string& arguments, int code,
                                       const std::string& message) {
    const Outcome outcome = shell.run("$armdyn convert " + arguments);
    EXPECT_EQ(outcome.exit_code, code) << arguments;
    expect_part(outcome.err, message);
  };
  expect_refusal("ur5e -o arm.sdf", 2, "expected a name that ends in .yaml, .urdf, .xml or .fmu");
  expect_refusal("ur5e --tip tool -o a.yaml", 2, "--base and --tip are for URDF and MJCF files");
  expect_refusal("ur5e --convention standard -o a.urdf", 2, "need a Denavit-Hartenberg table");
  expect_refusal(urdf("calibrated") + " --snap 1 -o a.yaml", 2, "expected an angle in rad and");
  expect_refusal(urdf("calibrated") + " --snap 1,1 -o a.yaml", 2, "at most 0.01 rad");
  expect_refusal(urdf("calibrated") + " --tip tool1 -o a.yaml", 2, "did you mean \"tool0\"?");
  expect_refusal("two-link-rods -o a.xml", 3, "link shoulder_link: MuJoCo refuses");
  EXPECT_EQ(shell.list(), "");
}

TEST(Convert, OutputIsNotItsInput) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn convert ur5e -o a.urdf --quiet").exit_code, 0);
  const std::string before = shell.read("a.urdf");
  const Outcome outcome = shell.run("$armdyn convert a.urdf -o a.urdf");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(shell.read("a.urdf"), before);
}

TEST(UrdfFiles, ServeInEveryVerb) {
  const Shell shell;
  const std::string arm = urdf("crane_with_gripper");
  const Outcome check = shell.run("$armdyn check " + arm);
  EXPECT_EQ(check.exit_code, 0);
  expect_part(check.out, "Denavit-Hartenberg table, modified");
  expect_part(check.out, "crane_with_gripper.urdf:102: warning: off the chain");
  for (const std::string& verb :
       {"inspect " + arm, "compare " + arm + " --samples 20",
        "trajectory " + arm + " --from 0,0,0,0 --to 0.1,0.1,0.1,0.1 --duration 1"}) {
    const Outcome outcome = shell.run("$armdyn " + verb);
    EXPECT_EQ(outcome.exit_code, 0) << verb << outcome.err;
  }
  const Outcome piped = shell.run("$armdyn check - --quiet < " + arm);
  EXPECT_EQ(piped.exit_code, 0) << piped.out << piped.err;
}

TEST(UrdfFiles, WithAFollowerThatLimitsItsJointConvertToTheSameArm) {
  const Shell shell;
  const auto joint = [](const std::string& name, const std::string& from, const std::string& to,
                        const std::string& rest) {
    return "<link name='" + to + "'><inertial><mass value='2'/><origin xyz='0.1 0 0'/>" +
           "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>" +
           "<joint name='" + name + "' type='revolute'><parent link='" + from + "'/><child link='" +
           to + "'/><origin xyz='0.3 0 0'/><axis xyz='0 0 1'/>" + rest + "</joint>";
  };
  shell.write("bar.urdf",
              "<robot name='bar'><link name='base'/>" +
                  joint("lift", "base", "lower", "<limit lower='-2' upper='2' velocity='3'/>") +
                  joint("reach", "lower", "upper",
                        "<limit lower='-0.5' upper='0.5' velocity='1'/>"
                        "<mimic joint='lift' multiplier='-0.5' offset='0.25'/>") +
                  "</robot>");
  const Outcome outcome = shell.run("$armdyn convert bar.urdf -o bar.yaml");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Outcome inspected = shell.run("$armdyn check bar.yaml --json");
  EXPECT_EQ(inspected.exit_code, 0) << inspected.out;
  expect_part(shell.read("bar.yaml"), "position: [-0.5, 1.5]");  // (±0.5 − 0.25) / −0.5
}

/// A tree of two arms on a trunk, with a finger that follows another and a payload.
const std::string tree = R"(armdyn: 1
name: tree
convention: standard
gravity: [0, 0, -9.81]
base: {xyz: [0.1, 0.2, 0.3], rpy: [0.2, 0, 0.5]}
joints:
  - {name: trunk, type: revolute, dh: {a: 0.1, alpha: pi/2, d: 0.4, theta: 0.2}, mass: 8,
     com: [0, 0.1, 0.05], inertia: {xx: 0.2, yy: 0.3, zz: 0.25, xy: 0.01}}
  - {name: left, type: revolute, origin: {xyz: [0, 0.1, 0.3], rpy: [0.3, -0.2, 1]},
     dh: {a: 0.3, alpha: 0.4, d: 0, theta: 0}, mass: 3, com: [-0.1, 0, 0.02],
     inertia: {xx: 0.02, yy: 0.03, zz: 0.04}, friction: {viscous: 0.3, coulomb: 0.2},
     limits: {position: [-2, 2], velocity: 3, torque: 50}}
  - {name: right, type: revolute, parent: trunk, dh: {a: 0.25, alpha: -0.7, d: 0.1, theta: 1},
     mass: 2, com: [-0.1, 0.02, 0], inertia: {xx: 0.02, yy: 0.02, zz: 0.03},
     motor: {rotor_inertia: 1.0e-4, gear_ratio: 50}}
  - {name: slide, type: prismatic, parent: left, dh: {a: 0, alpha: 0, d: 0.2, theta: 0}, mass: 1,
     com: [0.01, 0, 0.05], inertia: {xx: 0.002, yy: 0.003, zz: 0.002}}
  - {name: finger, type: prismatic, parent: left, follows: {row: {slide: -0.5}, offset: 0.1},
     dh: {a: 0.1, alpha: 0, d: 0.2, theta: 0.3}, mass: 0.5, com: [0, 0, 0.03],
     inertia: {xx: 0.001, yy: 0.001, zz: 0.001}, friction: {viscous: 0.1}}
tool: {link: slide, xyz: [0, 0, 0.1], rpy: [0, 0.4, 0]}
payload: {mass: 1.5, com: [0, 0, 0.05], inertia: {xx: 0.003, yy: 0.003, zz: 0.003}}
)";

TEST(Convert, WritesBranchesAndFollowersAsUrdfAndMjcf) {
  const Shell shell;
  shell.write("tree.yaml", tree);
  for (const std::string ending : {"urdf", "xml"}) {
    const Outcome outcome = shell.run("$armdyn convert tree.yaml -o tree." + ending);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    expect_part(outcome.out, "input and output are the same arm");
    EXPECT_EQ(ending == "xml", outcome.out.find("the order of its joints; there it is trunk, left, "
                                                "slide, right") != outcome.out.npos);
    const Outcome back = shell.run("$armdyn convert tree." + ending + " -o back_" + ending +
                                   ".yaml && $armdyn check back_" + ending + ".yaml --quiet");
    EXPECT_EQ(back.exit_code, 0) << back.out << back.err;
  }
  const Outcome arms = shell.run("$armdyn convert dual-arm-planar -o arms.xml --quiet");
  ASSERT_EQ(arms.exit_code, 0) << arms.err;
  const auto compared = nlohmann::json::parse(
      shell.run("$armdyn check dual-arm-planar --against arms.xml --json").out);
  EXPECT_LT(compared["difference"]["tool"]["largest_distance"].get<double>(), 1e-9);  // its tool
  expect_part(shell.read("tree.urdf"),
              "<mimic joint=\"slide\" multiplier=\"-0.5\" offset=\"0.1\"/>");
  expect_part(shell.read("tree.xml"),
              "<joint joint1=\"finger\" joint2=\"slide\" polycoef=\"0.1 -0.5 0 0 0\"/>");
  const Outcome spring = shell.run("$armdyn convert balanced-link -o b.urdf");
  EXPECT_EQ(spring.exit_code, 0) << spring.err;
  expect_part(spring.out,
              "not in the output: springs, which the comparison leaves out: lower, upper");
  expect_part(shell.run("$armdyn convert five-bar-spong -o f.xml").err,
              "URDF and MJCF cannot have parallel_to_1, a joint that follows several");
  expect_part(shell.run("$armdyn convert scara-quill -o s.urdf").err,
              "URDF cannot have the helical joint quill");
}

// Two-point springs are tendons between sites, those on rows over joints; a preload shifts the length at
// rest, and a sum at rest below 0 is that of the opposite row. A helical joint is a hinge and a prismatic joint.
TEST(Mjcf, HasSpringsAndHelicalJoints) {
  const Shell shell;
  shell.write("m.yaml", R"(armdyn: 1
name: sprung
convention: modified
joints:
  - {name: a, type: revolute, dh: {a: 0, alpha: 0.3, d: 0.2, theta: 0}, mass: 2, com: [0.1, 0.05, 0],
     inertia: {xx: 0.02, yy: 0.03, zz: 0.04}}
  - {name: b, type: helical, pitch: 0.05, dh: {a: 0.4, alpha: -0.5, d: 0, theta: 0.2}, mass: 1,
     com: [0.2, 0, 0.1], inertia: {xx: 0.01, yy: 0.02, zz: 0.02}}
  - {name: c, type: revolute, parent: a, follows: {row: {b: -1}, offset: 0.3},
     dh: {a: 0.1, alpha: 1.2, d: 0.1, theta: 0}, mass: 0.5, com: [0.1, 0, 0],
     inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}
tool: {link: b, xyz: [0.1, 0, 0]}
springs:
  - {name: wound, row: {a: 1, b: -0.5}, stiffness: 12, rest: -0.4, preload: 3}
  - {name: pulled, from: {link: base, at: [0.1, 0.3, 0]}, to: {link: b, at: [0.2, 0, 0.05]},
     stiffness: 150, free_length: 0.3, preload: 12}
  - {name: gas, from: {link: base, at: [0, 0.3, 0]}, to: {link: c, at: [0.1, 0, 0]},
     table: [[0.1, -100], [0.5, -80]]}
)");
  ASSERT_EQ(shell.run("sed '/name: gas/,$d' m.yaml > plain.yaml").exit_code, 0);
  const Outcome out = shell.run("$armdyn convert m.yaml -o m.xml");
  ASSERT_EQ(out.exit_code, 0) << out.out << out.err;
  expect_part(out.out, "not in the output: springs, which the comparison leaves out: gas\n");
  expect_part(out.out, "input and output are the same arm");
  const std::string text = shell.read("m.xml");
  expect_part(text, "<fixed name=\"wound\" stiffness=\"12\" springlength=\"0.65\">");
  expect_part(text, "<joint joint=\"a\" coef=\"-1\"/>");
  expect_part(text, "<spatial name=\"pulled\" stiffness=\"150\" springlength=\"0.2199999");
  expect_part(text, "<joint joint1=\"b_slide\" joint2=\"b\"");
  EXPECT_EQ(out.out.find("order of its joints"), std::string::npos) << out.out;
  const Outcome same = shell.run("$armdyn check plain.yaml --against m.xml");
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  // Its torques at rest are those that MuJoCo 2.2.2 has of it, qfrc_bias − qfrc_passive, taken to q.
  shell.write("q.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0.5,1.2,0,0,0,0\n-1.1,2.3,0,0,0,0\n");
  for (const char* const file : {"plain.yaml", "m.xml"}) {
    const Outcome torques = shell.run(std::string("$armdyn torque ") + file +
                                      " q.csv --quiet | tail -n 2 | tr '\n' ','");
    const std::vector<double> expected{5.99544291209386, -6.0122621135712135, -25.3313396037509,
                                       9.19198704205727};
    std::istringstream numbers(torques.out);
    for (const double of_mujoco : expected) {
      double found = 0.0;
      char comma = 0;
      numbers >> found >> comma;
      EXPECT_NEAR(found, of_mujoco, 1e-10) << file << torques.out << torques.err;
    }
  }
}

// A prismatic joint that follows a revolute one on its axis: the link between keeps its mass.
TEST(Mjcf, KeepsTheMassBetweenAJointAndItsFollowerOnOneAxis) {
  const Shell shell;
  shell.write("y.yaml", R"(armdyn: 1
name: y
convention: modified
gravity: [0, 0, 0]
joints:
  - {name: a, type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 5, com: [0.2, 0, 0],
     inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  - {name: b, type: prismatic, follows: {row: {a: 0.5}}, dh: {a: 0, alpha: 0, d: 0, theta: 0},
     mass: 3, com: [0.1, 0, 0], inertia: {xx: 0.2, yy: 0.2, zz: 0.2}}
tool: {link: b, xyz: [0.1, 0, 0]}
)");
  const Outcome outcome = shell.run("$armdyn convert y.yaml -o y.xml");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  expect_part(outcome.out, "input and output are the same arm");
  expect_part(shell.run("$armdyn check y.xml").out, "total mass   8 kg\n");
  // By hand: 0.1 + 5 0.2² + 0.2 + 3 0.1², and 3 0.5² along the axis.
  shell.write("on.csv", "q1,qd1,qdd1\n0.7,0,1\n");
  const Outcome torque = shell.run("$armdyn torque y.xml on.csv --quiet | tail -n 1");
  ASSERT_FALSE(torque.out.empty()) << torque.err;
  EXPECT_NEAR(std::stod(torque.out), 1.28, 1e-12);
}

TEST(UrdfFiles, WithSeveralChainsNameTheCommandThatChoosesOne) {
  const Shell shell;
  std::string text = "<robot name=\"two\"><link name=\"base\"/>\n";
  for (const std::string name : {"a", "b"}) {
    text += "<link name=\"" + name + "\"/><joint name=\"j" + name +
            "\" type=\"continuous\"><parent link=\"base\"/><child link=\"" + name +
            "\"/></joint>\n";
  }
  shell.write("two.urdf", text + "</robot>");
  const Outcome outcome = shell.run("$armdyn inspect two.urdf");
  EXPECT_EQ(outcome.exit_code, 0);
  expect_part(outcome.err, "all are taken, with the tool at a; --base base --tip a takes one");

  const Outcome chosen = shell.run("$armdyn check two.urdf --tip b");
  expect_part(chosen.out, "chain from base to b, 1 joint");
  expect_part(shell.run("$armdyn inspect two.urdf --tip nosuch").err,
              "--tip: there is no link \"nosuch\"; there are base, a, b\n");
  expect_part(shell.run("$armdyn inspect two.urdf --tip bas").err, "did you mean \"base\"?");
  EXPECT_EQ(shell.run("$armdyn inspect ur5e --tip b").exit_code, 2);
}

}  // namespace
}  // namespace armdyn::testing
