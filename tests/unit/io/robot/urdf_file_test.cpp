// URDF files: what is taken of them, which chain, and what is said of files that are wrong.

#include "io/robot/urdf.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/robot_file.hpp>

#include <chrono>
#include <numbers>

#include "io/robot/robot_text.hpp"
#include "model/file_accuracy.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

std::string crane() {
  return read_robot_bytes(test_data() + "/urdf/crane_with_gripper.urdf");
}

/// Links and joints "base - a - b", all about z, 0.1 m apart.
std::string arm_of(const std::vector<std::string>& links) {
  std::string text = "<robot name=\"r\">\n<link name=\"" + links.front() + "\"/>\n";
  for (std::size_t i = 1; i < links.size(); ++i) {
    text += "<link name=\"" + links[i] + "\"/>\n<joint name=\"j_" + links[i] +
            "\" type=\"continuous\"><parent link=\"" + links[i - 1] + "\"/><child link=\"" +
            links[i] + "\"/><origin xyz=\"0 0 0.1\"/></joint>\n";
  }
  return text;
}

/// A link and the joint that moves it, 0.1 m above another link, with a mass in kg.
std::string moved(const std::string& link, const std::string& above, double mass,
                  const std::string& kind = "revolute", double upper = 2.9,
                  const std::string& mimics = "") {
  const std::string body =
      mass > 0.0 ? "<inertial><mass value=\"" + std::to_string(mass) +
                       "\"/><inertia ixx=\"0.02\" iyy=\"0.02\" izz=\"0.02\"/></inertial>"
                 : "";
  return "<link name=\"" + link + "\">" + body + "</link><joint name=\"j_" + link + "\" type=\"" +
         kind + "\"><parent link=\"" + above + "\"/><child link=\"" + link +
         "\"/><origin xyz=\"0 0 0.1\"/><limit lower=\"" + std::to_string(-upper) + "\" upper=\"" +
         std::to_string(upper) + "\" effort=\"9\" velocity=\"2\"/>" +
         (mimics.empty() ? "" : "<mimic joint=\"j_" + mimics + "\"/>") + "</joint>\n";
}

/// Links l1, l2, .. on "base", each of them moved, lighter from one to the next.
std::string arm_of_links(int joints, double mass = 3.0) {
  std::string text = "<robot name=\"r\">\n<link name=\"base\"/>\n", above = "base";
  for (int i = 1; i <= joints; ++i) {
    const std::string link = "l" + std::to_string(i);
    text += moved(link, above, mass / i);
    above = link;
  }
  return text;
}

std::string findings(const std::string& text, const RobotFileOptions& choice = {}) {
  std::string all;
  for (const Finding& finding : examine_urdf(text, choice, "r.urdf").findings) {
    all += to_text(finding, "r.urdf") + "\n";
  }
  return all;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(Urdf, IsReadWithAllThatItSaysOfMechanics) {
  const UrdfReport report = examine_urdf(crane(), {}, "crane.urdf");
  ASSERT_TRUE(report.chain);
  const SerialChain& chain = report.chain->chain;
  EXPECT_EQ(chain.name, "crane");
  EXPECT_EQ(chain.base_link, "world");
  EXPECT_EQ(chain.tip_link, "flange");
  ASSERT_EQ(chain.joints.size(), 4U);

  const Joint& turn = chain.joints[0].joint;
  EXPECT_EQ(turn.name, "turn");
  EXPECT_FALSE(turn.limits.position);
  EXPECT_EQ(turn.limits.torque, 150.0);
  EXPECT_EQ(turn.friction.viscous, 0.7);
  EXPECT_EQ(turn.friction.coulomb, (TwoSided{1.5, 1.5}));

  const Joint& lift = chain.joints[1].joint;
  EXPECT_EQ(lift.motor.gear_ratio, 80.0);
  EXPECT_EQ(lift.motor.rotor_inertia, 0.0003);
  EXPECT_EQ(lift.limits.position->lower, -1.5);
  EXPECT_EQ(chain.joints[1].axis, (Vec3{0.0, -1.0, 0.0}));
  EXPECT_DOUBLE_EQ(lift.body.mass, 3.25 + 1.75);
  EXPECT_EQ(chain.joints[2].joint.type, JointType::prismatic);
  EXPECT_DOUBLE_EQ(chain.joints[3].joint.body.mass, 0.6 + 0.1);
  EXPECT_EQ(chain.joints[2].joint.limits.velocity, 0.5);  // also below 1
}

TEST(Urdf, FoldsFixedLinksWithTheirWholeInertia) {
  // Two point-like bodies 0.4 m apart: by hand, m1 m2/(m1 + m2) d² about the common center.
  const std::string text = R"(<robot name="r"><link name="base"/>
<link name="a"><inertial><mass value="3"/><inertia ixx="0.1" iyy="0.2" izz="0.25"/></inertial></link>
<link name="b"><inertial><origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.02" izz="0.025"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>
<joint name="f" type="fixed"><parent link="a"/><child link="b"/><origin xyz="0 0 0.3"/></joint>
</robot>)";
  const UrdfReport report = examine_urdf(text, {}, "r.urdf");
  ASSERT_TRUE(report.chain);
  const MassProperties& body = report.chain->chain.joints[0].joint.body;
  EXPECT_DOUBLE_EQ(body.mass, 4.0);
  EXPECT_DOUBLE_EQ(body.com.z, 0.1);
  const double reduced = 3.0 * 1.0 / 4.0 * 0.4 * 0.4;
  EXPECT_DOUBLE_EQ(body.inertia.xx, 0.1 + 0.02 + reduced);
  EXPECT_DOUBLE_EQ(body.inertia.yy, 0.2 + 0.01 + reduced);
  EXPECT_DOUBLE_EQ(body.inertia.zz, 0.25 + 0.025);
}

TEST(Urdf, FreezesWhatHangsBesideTheChain) {
  EXPECT_EQ(findings(crane()),
            "r.urdf:102: warning: off the chain, taken as fixed at zero with what they carry: "
            "left_finger_joint, right_finger_joint\n");
}

TEST(Urdf, ChainIsThatBetweenBaseAndTip) {
  const UrdfReport report = examine_urdf(crane(), {.base = "tower", .tip = "slider"}, "r.urdf");
  ASSERT_TRUE(report.chain);
  ASSERT_EQ(report.chain->chain.joints.size(), 2U);
  EXPECT_EQ(report.chain->chain.joints[0].joint.name, "lift");
  EXPECT_EQ(report.chain->chain.joints[1].joint.name, "reach");
  EXPECT_NE(
      findings(crane(), {.base = "tower", .tip = "slider"}).find("below the base of the chain"),
      std::string::npos);
  EXPECT_THROW(findings(crane(), {.base = "towr"}), Error);
  EXPECT_THROW(findings(crane(), {.base = "slider", .tip = "tower"}), Error);
}

TEST(Urdf, OfTwoArmsListsTheirEnds) {
  std::string text = arm_of({"torso", "l1", "l2", "l3"});
  const std::string second = arm_of({"x", "r1", "r2"});
  text += replaced(second.substr(second.find("<link name=\"r1\"")), "<parent link=\"x\"",
                   "<parent link=\"torso\"") +
          "</robot>";
  EXPECT_EQ(findings(text),
            "r.urdf:2: warning: 2 chains end at l3 (3 joints), r2 (2 joints); all are taken, with "
            "the tool at l3; --base torso --tip l3 takes one\n");
  EXPECT_TRUE(examine_urdf(text, {.tip = "r2"}, "r.urdf").chain);
}

TEST(Urdf, JointsThatAreNoneOfAnArmAreRefusedOnTheChain) {
  const std::string text = arm_of({"base", "l1", "l2", "l3"}) + "</robot>";
  for (const std::string kind : {"floating", "planar"}) {
    const std::string second = "\"j_l2\" type=\"";
    EXPECT_EQ(findings(replaced(text, second + "continuous", second + kind)),
              "r.urdf:6: error: joint j_l2: is " + kind +
                  ", and part of the chain; expected revolute, continuous, prismatic or fixed; "
                  "--base l2 begins behind it\n");
  }
}

TEST(Urdf, ShortBranchesAtTheEndOfAnArmAreItsGripper) {
  const auto with_branches = [](const std::vector<std::string>& left,
                                const std::vector<std::string>& right) {
    std::string text = arm_of({"base", "upper", "lower"});
    for (const std::vector<std::string>& links : {left, right}) {
      std::string above = "lower";
      for (const std::string& link : links) {
        text += "<link name=\"" + link + "\"/>\n<joint name=\"j_" + link +
                "\" type=\"continuous\"><parent link=\"" + above + "\"/><child link=\"" + link +
                "\"/></joint>\n";
        above = link;
      }
    }
    return text + "</robot>";
  };
  const UrdfReport fingers = examine_urdf(with_branches({"l1"}, {"r1"}), {}, "r.urdf");
  ASSERT_TRUE(fingers.chain);
  EXPECT_EQ(fingers.chain->chain.joints.size(), 2U);
  EXPECT_NE(findings(with_branches({"l1", "l2"}, {"r1", "r2"})).find("2 chains end at"),
            std::string::npos);
}

/// The tip of the chain that is taken and its joints, "l7 7", or the message.
std::string taken(const std::string& text) {
  const UrdfReport report = examine_urdf(text + "</robot>", {}, "r.urdf");
  if (!report.chain) return report.findings.front().message;
  for (const Finding& finding : report.findings) {
    if (finding.message.find("chains end at") != std::string::npos) return finding.message;
  }
  const SerialChain& chain = report.chain->chain;
  if (const auto& mechanism = report.chain->mechanism) {
    return chain.tip_link + " " + std::to_string(mechanism->dof()) + " and " +
           std::to_string(mechanism->followers.size());
  }
  return chain.tip_link + " " + std::to_string(chain.joints.size());
}

TEST(Urdf, ASideBranchNeverCutsTheArm) {
  for (const int joints : {6, 7}) {
    for (const double mass : {0.0, 3.0}) {
      const std::string end = "l" + std::to_string(joints);
      for (int link = 0; link < joints; ++link) {
        const std::string above = link == 0 ? "base" : "l" + std::to_string(link);
        const std::string found = taken(arm_of_links(joints, mass) +
                                        moved("pulley", above, mass / 60.0, "revolute", 1.0));
        EXPECT_NE(
            found.find(" chains end at " + end + " (" + std::to_string(joints) + " joints), "),
            found.npos)
            << above << ": " << found;
        EXPECT_TRUE(found.ends_with("; --base base --tip " + end + " takes one"))
            << above << ": " << found;
      }
    }
  }
}

TEST(Urdf, OfABranchAtEachLinkAllEndsAreListedLongestFirst) {
  std::string text = arm_of_links(7) + moved("d0", "base", 0.0);
  for (int link = 1; link < 7; ++link) {
    text += moved("d" + std::to_string(link), "l" + std::to_string(link), 0.0);
  }
  EXPECT_EQ(taken(text),
            "10 chains end at l7 (7 joints), d6 (7 joints), l6 (6 joints), d5 (6 joints), l5 (5 "
            "joints), d4 (5 joints), d3 (4 joints), d2 (3 joints), d1 (2 joints), d0 (1 joint); "
            "all are taken, with the tool at l7; --base base --tip l7 takes one");
}

TEST(Urdf, TheTipThatIsProposedCarriesMassAndBeginsBehindAFloatingBase) {
  std::string cable, above = "body";
  for (int i = 0; i < 9; ++i) {
    const std::string link = "c" + std::to_string(i);
    cable += moved(link, above, 0.0);
    above = link;
  }
  const std::string arm = replaced(arm_of_links(6), "parent link=\"base\"", "parent link=\"body\"");
  EXPECT_EQ(
      taken(arm + moved("body", "base", 9.0, "floating") + cable),
      "2 chains end at c8 (9 joints), l6 (6 joints); not taken together, since joint j_body is "
      "floating; --base body --tip l6 takes one");
}

TEST(Urdf, FingersAreAlikeAndSmall) {
  const auto finger = [](const std::string& name, int joints, double upper) {
    std::string text, above = "l6";
    for (int i = 0; i < joints; ++i) {
      text += moved(name + std::to_string(i), above, 0.05, "revolute", upper);
      above = name + std::to_string(i);
    }
    return text;
  };
  const std::string arm = arm_of_links(6), pair = finger("a", 2, 0.8) + finger("b", 2, 0.8);
  EXPECT_EQ(taken(arm + pair), "l6 6");
  EXPECT_EQ(taken(arm + pair + finger("c", 1, 0.3)), "l6 6");
  for (const int thumb : {2, 3}) {
    EXPECT_NE(taken(arm + pair + finger("c", 2, 0.8) + finger("thumb", thumb, 0.5))
                  .find("5 chains end at "),
              std::string::npos);
  }
  const std::string unlike =
      "4 chains end at c1 (8 joints), a1 (8 joints), b1 (8 joints), l6 (6 joints); all are taken, "
      "with the tool at ";
  EXPECT_EQ(taken(arm + finger("c", 2, 0.5) + pair), unlike + "c1; --base base --tip c1 takes one");
  EXPECT_NE(taken(arm + finger("a", 2, 0.8) + finger("b", 2, 0.9)).find("3 chains end at"),
            std::string::npos);
  EXPECT_NE(taken(arm + finger("a", 1, 2.9) + finger("b", 1, 2.9)).find("3 chains end at"),
            std::string::npos);
  EXPECT_NE(taken(arm + pair + finger("c", 4, 0.8)).find("chains end at c3 (10 joints), "),
            std::string::npos);
  const std::string idlers = finger("a", 1, 0.8) + finger("b", 1, 0.8) + finger("c", 1, 0.8);
  EXPECT_NE(taken(arm + idlers + finger("end", 2, 2.0)).find("chains end at end1 (8 joints), "),
            std::string::npos);
  EXPECT_NE(taken(arm + idlers + moved("l7", "l6", 0.4)).find("chains end at l7 (7 joints), "),
            std::string::npos);
  // Two arms on a torso of more joints than they have.
  std::string arms = arm_of_links(4);
  for (const std::string side : {"left", "right"}) {
    std::string above = "l4";
    for (const char* const part : {"1", "2", "3"}) {
      arms += moved(side + part, above, 0.5, "revolute", 1.5);
      above = side + part;
    }
  }
  EXPECT_EQ(taken(arms),
            "2 chains end at left3 (7 joints), right3 (7 joints); all are taken, with the tool at "
            "left3; --base base --tip left3 takes one");
}

TEST(Urdf, JointsThatFollowThoseOfTheArmBelongToIt) {
  for (const std::string followed : {"l2", "l5"}) {  // at the end
    EXPECT_EQ(taken(arm_of_links(5) + moved("l6", "l5", 0.5, "revolute", 2.9, followed)),
              "l6 5 and 1");
  }
  const std::string first =
      replaced(arm_of_links(3), "velocity=\"2\"/>", "velocity=\"2\"/><mimic joint=\"j_l3\"/>");
  EXPECT_EQ(taken(first), "l3 2 and 1");
  EXPECT_EQ(taken(arm_of_links(6) + moved("rod", "l3", 0.1, "revolute", 2.9, "l2")), "l6 6 and 1");
}

TEST(Urdf, JointsThatFollowInACircleAreRefused) {
  std::string text =
      replaced(arm_of_links(3), "velocity=\"2\"/>", "velocity=\"2\"/><mimic joint=\"j_l2\"/>");
  const std::size_t second = text.find("velocity=\"2\"/>", text.find("mimic"));
  text.insert(second + 14, "<mimic joint=\"j_l1\"/>");
  EXPECT_EQ(
      taken(text),
      "follows j_l2 (mimic); expected another joint of the arm, a factor and an offset, and no "
      "circle; --base l1 begins behind it");
}

TEST(Urdf, AJointThatOneBesideItFollowsGripsIfBothMoveTheSame) {
  const std::string arm = arm_of_links(6);
  const auto pair = [&](double mass, double upper) {
    return taken(arm + moved("a", "l6", 0.1, "revolute", upper) +
                 moved("b", "l6", mass, "revolute", upper, "a"));
  };
  EXPECT_EQ(pair(0.12, 0.8), "l6 6");
  const std::string unlike =
      "2 chains end at a (7 joints), l6 (6 joints); all are taken, with the tool at a; --base base "
      "--tip a takes one";
  EXPECT_EQ(pair(0.01, 0.8), unlike);
  EXPECT_EQ(pair(0.12, 2.9), unlike);
}

TEST(Urdf, NamesAllJointsThatAreNoneOfTheChain) {
  const std::string text = arm_of_links(4) + moved("side", "base", 0.1) +
                           moved("rod", "l2", 0.1, "revolute", 1.0, "l2") +
                           moved("plate", "l4", 0.1, "fixed") + "</robot>";
  const UrdfReport report = examine_urdf(text, {.base = "l1", .tip = "l3"}, "r.urdf");
  ASSERT_TRUE(report.chain);
  EXPECT_EQ(report.chain->fixed, (std::vector<std::string>{"j_l1", "j_l4", "j_side"}));
}

TEST(Urdf, AxesAreDirections) {
  const UrdfReport report = examine_urdf(
      replaced(crane(), "<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 2\"/>"), {}, "r.urdf");
  ASSERT_TRUE(report.chain);
  EXPECT_EQ(report.chain->chain.joints[0].axis, (Vec3{0.0, 0.0, 1.0}));
}

TEST(Urdf, NumbersOfItsTableAreComputed) {
  std::string text = arm_of({"base", "a", "b"}) + "</robot>";
  text = replaced(text, "xyz=\"0 0 0.1\"", "xyz=\"0.1 0.2 0.3\" rpy=\"0.3 0.2 0.1\"");
  const Robot robot = parse_robot_file(text, "r.urdf").robot;
  ASSERT_NE(robot.base.rpy.y, 0.0);
  const auto& numbers = robot.file_accuracy->numbers;
  for (const char* const path :
       {"base.xyz[0]", "base.rpy[1]", "tool.xyz[2]", "tool.rpy[0]", "joints[0].dh.alpha",
        "joints[0].mass", "joints[0].com[2]", "joints[0].inertia.xy", "payload.mass"}) {
    EXPECT_TRUE(numbers.at(path).is_computed) << path;
  }
  EXPECT_EQ(numbers.at("base.rpy[1]").value, robot.base.rpy.y);
  EXPECT_FALSE(numbers.at("joints[0].friction.viscous").is_computed);
  EXPECT_FALSE(numbers.contains("gravity[2]"));
}

TEST(Urdf, AFollowerHasItsFactorAndOffset) {
  const std::string text = replaced(
      crane(), "<axis xyz=\"0.6 0 0.8\"/>",
      "<axis xyz=\"0.6 0 0.8\"/><mimic joint=\"lift\" multiplier=\"-0.5\" offset=\"0.2\"/>");
  const Robot robot = parse_robot_file(text, "r.urdf", {.tip = "flange"}).robot;
  ASSERT_EQ(robot.followers.size(), 1U);
  EXPECT_EQ(robot.followers[0].name, "reach");
  const Follows expected{{{"lift", -0.5}}, 0.2};
  EXPECT_EQ(robot.followers[0].follows, expected);
}

TEST(Urdf, ErrorsAreReportedTogetherWithTheirLines) {
  std::string text = replaced(crane(), "<axis xyz=\"0 -1 0\"/>", "<axis xyz=\"0 nan 0\"/>");
  text = replaced(text, "<mass value=\"1.2\"/>", "<mass value=\"-1.2\"/>");
  text = replaced(text, "type=\"prismatic\"", "type=\"prismatik\"");
  text = replaced(text, "ixx=\"0.0008\" ", "");
  text = replaced(text, "<origin xyz=\"0.1 0 0.02\"", "<origin xyz=\"0.1 0\"");
  text = replaced(text, "lower=\"-2\" upper=\"2\"", "lower=\"2\" upper=\"-2\"");
  EXPECT_EQ(
      findings(text),
      "r.urdf:38: error: joint lift, axis: xyz: found \"0 nan 0\"; expected three finite "
      "numbers\n"
      "r.urdf:67: error: joint reach: type: found \"prismatik\"; expected revolute, continuous, "
      "prismatic or fixed; did you mean \"prismatic\"?\n"
      "r.urdf:78: error: link slider, inertial, mass: value: found -1.2; expected 0 or more, in "
      "kg\n"
      "r.urdf:85: error: joint roll, origin: xyz: found \"0.1 0\"; expected three finite "
      "numbers\n"
      "r.urdf:87: error: joint roll, limit: found lower 2 above upper -2\n"
      "r.urdf:93: error: link wrist, inertial, inertia: ixx is missing; expected a number\n");
}

// Each mistake in its own file: the whole message, or where it is a warning, the warning.
TEST(Urdf, EveryMistakeIsNamedWithItsPlace) {
  const auto expect = [](const char* what, const char* by, const std::string& message) {
    const std::string found = findings(replaced(crane(), what, by));
    EXPECT_NE(found.find("r.urdf:" + message + "\n"), found.npos) << by << '\n' << found;
  };
  const std::string in_turn = "23: error: joint turn, limit: ";
  expect("effort=\"150\"", "effort=\"-150\"", in_turn + "effort: found -150; expected 0 or more");
  expect("velocity=\"2\"", "velocity=\"-2\"", in_turn + "velocity: found -2; expected 0 or more");
  expect("effort=\"150\"", "effort=\"1,5\"",
         in_turn + "effort: found \"1,5\"; expected a finite number");
  const std::string in_dynamics = "24: error: joint turn, dynamics: ";
  expect("damping=\"0.7\"", "damping=\"-0.7\"",
         in_dynamics + "damping: found -0.7; expected 0 or more");
  expect("friction=\"1.5\"", "friction=\"-1.5\"",
         in_dynamics + "friction: found -1.5; expected 0 or more");
  expect("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 0\"/>",
         "22: error: joint turn, axis: xyz: found a vector of length 0; expected a direction, such "
         "as \"0 0 1\"");
  expect("<mass value=\"5.5\"/>", "",
         "28: error: link tower, inertial: <mass value=\"...\"/> is missing");
  expect("<mass value=\"5.5\"/>", "<mass/>",
         "30: error: link tower, inertial, mass: value is missing; expected a number");
  expect("<child link=\"tower\"/>", "", "18: error: joint turn: <child link=\"...\"/> is missing");
  expect("<parent link=\"foot\"/>", "<parent/>",
         "19: error: joint turn, parent: link is missing; expected link=\"...\"");
  expect("<link name=\"rail\"/>", "<link/>",
         "66: error: link: name is missing; expected name=\"...\"");
  expect("<link name=\"rail\"/>", "<link name=\"rail\"/><link name=\"boom\"/>",
         "66: error: link boom: the name is used twice; first in line 42");
  expect("<limit lower=\"-2\" upper=\"2\" effort=\"20\" velocity=\"3\"/>", "",
         "82: warning: joint roll: <limit> is missing; the joint has no limits");
  expect("lower=\"-2\" upper=\"2\"", "lower=\"2\" upper=\"2\"",
         "87: warning: joint roll, limit: lower and upper are both 2; taken as no limit of "
         "position");
  expect(
      "<inertia ixx=\"0.05\" ixy=\"0.002\" ixz=\"-0.003\" iyy=\"0.06\" iyz=\"0.004\" "
      "izz=\"0.03\"/>",
      "",
      "28: warning: link tower, inertial: <inertia> is missing; the link is taken as a point "
      "mass");
}

TEST(Urdf, ThatIsNoTreeIsRefused) {
  const std::string arm = arm_of({"base", "a", "b"});
  EXPECT_EQ(findings(arm + "<link name=\"lost\"/></robot>"),
            "r.urdf:2: error: 2 links have no parent joint: base (line 2), lost (line 7); expected "
            "one, the root\n");
  EXPECT_EQ(
      findings(arm + "<joint name=\"j\" type=\"fixed\"><parent link=\"b\"/><child "
                     "link=\"base\"/></joint></robot>"),
      "r.urdf:2: error: every link has a parent, so that base is its own ancestor; expected a tree "
      "with one root\n");
  EXPECT_EQ(findings(arm + "<joint name=\"j\" type=\"fixed\"><parent link=\"c\"/><child "
                           "link=\"b\"/></joint></robot>"),
            "r.urdf:7: error: joint j: parent: there is no link \"c\"\n");
  EXPECT_EQ(findings(arm + "<joint name=\"j\" type=\"fixed\"><parent link=\"base\"/><child "
                           "link=\"b\"/></joint></robot>"),
            "r.urdf:7: error: joint j: child: link b is already the child of joint j_b in line 6; "
            "expected one parent per link\n");
  EXPECT_EQ(findings(arm + "<link name=\"c\"/><link name=\"d\"/><joint name=\"j\" "
                           "type=\"fixed\"><parent link=\"c\"/><child link=\"d\"/></joint><joint "
                           "name=\"k\" type=\"fixed\"><parent link=\"d\"/><child "
                           "link=\"c\"/></joint></robot>"),
            "r.urdf:7: error: link c: its joints form a ring; expected a tree\n");
}

TEST(Urdf, ThatIsNoneIsRefused) {
  EXPECT_EQ(findings("solid part"),
            "r.urdf:1: error: a text stands here that belongs to no element; is this XML?\n");
  EXPECT_EQ(findings(""), "r.urdf: error: the file is empty, or holds no XML\n");
  EXPECT_EQ(findings("<robot name=\"r\"><link name=\"a\"></robot>"),
            "r.urdf:1: error: this element is not closed where it should be, or closed twice\n");
  EXPECT_EQ(findings("<robot name=\"r\">\n<link name=\"a\">"),
            "r.urdf:2: error: the file ends inside an element\n");
  EXPECT_EQ(findings("<robot name=\"r\"/>\n<robot name=\"s\"/>"),
            "r.urdf:2: error: something follows the first element; XML has one at the top\n");
  EXPECT_EQ(findings("\n<!DOCTYPE robot [<!ENTITY a \"b\">]>\n<robot name=\"&a;\"/>"),
            "r.urdf:2: error: an entity is defined here; write what it stands for in its place\n");
  std::string deep;
  for (int level = 0; level < 101; ++level) deep += "<robot name=\"r\">";
  EXPECT_EQ(findings(deep),
            "r.urdf:1: error: elements lie deeper in one another than 100 levels\n");
  EXPECT_EQ(findings("<sdf version=\"1.6\"/>"),
            "r.urdf:1: error: found <sdf>; expected <robot>, as in URDF, or <mujoco>, as in MJCF; "
            "this is "
            "SDF\n");
  EXPECT_EQ(findings("<robot name=\"r\">\n<xacro:arm/>\n</robot>"),
            "r.urdf:2: error: this is xacro, which has to be expanded first: xacro r.urdf > "
            "expanded.urdf (with ROS's xacro, or that of pip install xacro)\n");
  EXPECT_EQ(findings("<robot name=\"r\"><link name=\"a\"/></robot>"),
            "r.urdf: error: found no joint that moves from a to a; expected at least one\n");
}

TEST(Urdf, LeftoversOfXacroAreIgnoredWhereNothingUsesThem) {
  const std::string arm = arm_of({"base", "a"});
  const auto with = [&](const std::string& part) { return findings(arm + part + "</robot>"); };
  const std::string plain = with("");
  const auto warnings = [&](const std::string& part, const std::string& message) {
    EXPECT_EQ(with(part), plain + "r.urdf:5: warning: " + message + "\n") << part;
  };
  warnings("<xacro:property name=\"w\" value=\"0.2\"/>",
           "xacro:property: nothing in this file uses it; ignored");
  warnings("<xacro:property name=\"w\" value=\"${2*v}\"/><xacro:property name=\"h\"/>",
           "xacro:property: nothing in this file uses it; ignored");
  warnings("<xacro:arg name=\"w\" default=\"$(env W)\"/>",
           "xacro:arg: nothing in this file uses it; ignored");
  warnings("<xacro:macro name=\"m\" params=\"x\"><link name=\"${x}\"/></xacro:macro>",
           "xacro:macro: nothing in this file uses it; ignored");
  warnings("<xacro:include filename=\"colors.xacro\"/>",
           "xacro:include: not read; what that file adds to the arm is missing");
  for (const char* const used :
       {"<link name=\"${x}\"/>", "<gazebo><ns>$(arg ns)</ns></gazebo>", "<xacro:m x=\"1\"/>",
        "<xacro:if value=\"1\"/>", "<xacro:include filename=\"$(find a)/b.xacro\"/>"}) {
    EXPECT_EQ(with("<xacro:property name=\"w\" value=\"0.2\"/>" + std::string(used)),
              "r.urdf:5: error: this is xacro, which has to be expanded first: xacro r.urdf > "
              "expanded.urdf (with ROS's xacro, or that of pip install xacro)\n")
        << used;
  }
}

TEST(Urdf, CommentsMayHaveDashes) {
  const std::string arm = arm_of({"base", "a"}) + "</robot>";
  EXPECT_EQ(findings(replaced(arm, "<link", "<!-- -- base --\n---- --><link")),
            replaced(findings(arm), "urdf:3", "urdf:4"));
}

TEST(Urdf, JointsHangOnTheWorldWithoutItsLink) {
  const std::string arm = arm_of({"world", "base", "a"}) + "</robot>";
  const std::string without = replaced(arm, "<link name=\"world\"/>\n", "");
  const UrdfReport whole = examine_urdf(arm, {}, "r.urdf"),
                   found = examine_urdf(without, {}, "r.urdf");
  ASSERT_TRUE(found.chain) << findings(without);
  EXPECT_EQ(found.chain->chain.joints.size(), whole.chain->chain.joints.size());
  EXPECT_EQ(found.chain->chain.base_link, "world");
  EXPECT_NE(findings(without).find("r.urdf:3: warning: joint j_base: parent: there is no link "
                                   "world; it is taken as one without mass\n"),
            std::string::npos)
      << findings(without);
}

TEST(Urdf, ALinkOfGramsAndAnArmOfAKilometerAreSuspicious) {
  const auto arm = [](double mass, const std::string& way) {
    std::string text = "<robot name=\"r\">\n<link name=\"base\"/>\n", above = "base";
    for (const char* const link : {"a", "b", "c"}) {
      text += replaced(moved(link, above, link == std::string("b") ? mass : 2.0), "0 0 0.1", way);
      above = link;
    }
    return findings(text + "</robot>");
  };
  EXPECT_EQ(arm(2.0, "0 0 0.5"), "");
  EXPECT_EQ(arm(0.007, "0 0 0.5"),
            "r.urdf:4: warning: link b: found 0.007 kg, of a link beside a with 2 kg; is the unit "
            "kg?; 1 more warning follows from this\n");
  EXPECT_EQ(arm(2.0, "0 0 40"),
            "r.urdf:3: warning: joint j_a: from here to c the chain is 120 m long, longer than any "
            "arm; lengths are in m\n");
}

TEST(Urdf, WarnsOfFrequentFaults) {
  const auto with = [](const std::string& inertial) {
    return R"(<robot name="r"><link name="base"/><link name="a">)" + inertial +
           R"(</link><link name="b"/><joint name="j" type="continuous"><parent link="base"/>
<child link="a"/></joint><joint name="k" type="continuous"><parent link="a"/><child link="b"/>
<origin xyz="0.5 0 0"/></joint></robot>)";
  };
  const auto body = [&with](const std::string& com, const std::string& inertia) {
    return findings(with("<inertial><origin xyz=\"" + com + "\"/><mass value=\"2\"/><inertia " +
                         inertia + "/></inertial>"));
  };
  const std::string sound =
      body("0.2 0 0", R"(ixx="0.01" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1")");
  EXPECT_EQ(sound,
            "r.urdf:1: warning: links without mass, also in what is fixed to them: b; torques lack "
            "theirs\n");
  const auto expect_warning = [](const std::string& found, const std::string& part) {
    EXPECT_NE(found.find(part), std::string::npos) << found;
  };
  // Nothing hangs on what does not move with the arm.
  const std::string sensor =
      "<link name=\"s\"><inertial><mass value=\"0.1\"/><inertia ixx=\"9\" iyy=\"1\" "
      "izz=\"1\"/></inertial></link><joint name=\"m\" type=\"fixed\"><parent link=\"";
  const std::string end = "\"/><child link=\"s\"/></joint></robot>";
  EXPECT_EQ(findings(replaced(with(""), "</robot>", sensor + "base" + end)), findings(with("")));
  expect_warning(findings(replaced(with(""), "</robot>", sensor + "b" + end)),
                 "inertia is not physically consistent");
  expect_warning(body("0.2 0 0", R"(ixx="0.01" ixy="0.1" ixz="0.1" iyy="0" iyz="0" izz="0")"),
                 "URDF's order is ixx, ixy, ixz, iyy, iyz, izz");
  expect_warning(body("0.2 0 0", R"(ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001")"),
                 "ixx = iyy = izz = 0.001 looks like a placeholder");
  expect_warning(body("-0.2 0 0", R"(ixx="0.01" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1")"),
                 "on the other side of the joint than the link");
  const std::string behind = with(
      "<inertial><origin xyz=\"-0.2 0 0\"/><mass value=\"2\"/><inertia ixx=\"0.01\" "
      "iyy=\"0.1\" izz=\"0.1\"/></inertial>");
  const std::string fork = findings(replaced(behind, "</robot>",
                                             "<link name=\"c\"/><joint name=\"m\" type=\"fixed\">"
                                             "<parent link=\"a\"/><child link=\"c\"/><origin "
                                             "xyz=\"-0.4 0 0\"/></joint></robot>"));
  EXPECT_NE(findings(behind).find("on the other side of the joint"), std::string::npos);
  EXPECT_EQ(fork.find("on the other side of the joint"), std::string::npos) << fork;
  expect_warning(body("200 0 0", R"(ixx="0.01" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1")"),
                 "looks like millimeters");
  for (const auto& [length, is_too_long] : {std::pair{"50", true}, {"49.9", false}}) {
    const std::string far = findings(replaced(with(""), "0.5 0 0", std::string(length) + " 0 0"));
    EXPECT_EQ(far.find("its origin is 50 m away, which looks like millimeters") != far.npos,
              is_too_long)
        << far;
  }
  expect_warning(body("0.2 0 0", R"(ixx="100" ixy="0" ixz="0" iyy="100" iyz="0" izz="90")"),
                 "are the units kg and kg·m²?");
  expect_warning(findings(with("<inertial><mass value=\"0\"/><inertia ixx=\"0\" iyy=\"0\" "
                               "izz=\"0\"/></inertial>")),
                 "mass 0; the link weighs nothing");
  expect_warning(
      findings(replaced(crane(), "lower=\"-1.5\" upper=\"1.2\"", "lower=\"-150\" upper=\"120\"")),
      "looks like degrees");
  expect_warning(findings(replaced(with(""), "0.5 0 0\"", "0.5 0 0\" rpy=\"90 0 45\"")),
                 "its origin has the angle 90, which looks like degrees; URDF has radians");
  expect_warning(findings(replaced(crane(), "<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 2\"/>")),
                 "r.urdf:22: warning: joint turn, axis: xyz: the axis has length 2");
  expect_warning(findings(replaced(crane(), "damping=\"0.2\"", "damping=\"0.2\" stiffness=\"3\"")),
                 "dynamics stiffness: unknown, and ignored");
  expect_warning(findings(replaced(with(""), "0.5 0 0\"", "0.5 0 0\" ryp=\"1 0 0\"")),
                 "origin ryp: unknown, and ignored");
  expect_warning(findings(with("<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
                               "izzz=\"1\" izz=\"1\"/></inertial>")),
                 "inertia izzz: unknown, and ignored");
}

TEST(Urdf, OfLeftAndRightHasMirroredCentersOfMass) {
  const auto side = [](const std::string& name, const std::string& y, const std::string& com) {
    return "<link name=\"" + name + "\"><inertial><origin xyz=\"0 " + com +
           " 0\"/><mass value=\"1\"/><inertia ixx=\"0.02\" iyy=\"0.02\" "
           "izz=\"0.02\"/></inertial></link>"
           "<joint name=\"" +
           name + "_joint\" type=\"continuous\"><parent link=\"base\"/><child link=\"" + name +
           "\"/><origin xyz=\"0 " + y + " 0\"/></joint>\n";
  };
  const std::string head = "<robot name=\"r\"><link name=\"base\"/>\n";
  for (const auto& [left, right] : {std::pair<std::string, std::string>{"left_arm", "right_arm"},
                                    {"LeftArm", "RightArm"},
                                    {"my_left_arm", "my_right_arm"},
                                    {"l_arm", "r_arm"},
                                    {"L_arm", "R_arm"},
                                    {"arm_l", "arm_r"},
                                    {"arm_L", "arm_R"}}) {
    const RobotFileOptions choice{.tip = left};
    EXPECT_EQ(findings(head + side(left, "0.2", "0.05") + side(right, "-0.2", "-0.05") + "</robot>",
                       choice),
              "");
    EXPECT_EQ(findings(head + side(left, "0.2", "0.05") + side(right, "-0.2", "0.05") + "</robot>",
                       choice),
              "r.urdf:2: warning: link " + left +
                  ", inertial: the center of mass has y = 0.05, as that of " + right +
                  " in line 3, whose joint is on the other side; is it mirrored?\n");
  }
  for (const auto& [one, other] : {std::pair("tail_a", "tair_a"), {"arm_la", "arm_ra"}}) {
    EXPECT_EQ(findings(head + side(one, "0.2", "0.05") + side(other, "-0.2", "0.05") + "</robot>",
                       {.tip = one}),
              "");
  }
}

TEST(Urdf, IsKnownByItsNameOrItsFirstCharacter) {
  const std::string mark = "\xEF\xBB\xBF";  // of UTF-8
  for (const std::string& text :
       {std::string("<robot/>"), mark + "<robot/>", mark + " \r\n\t<a/>"}) {
    EXPECT_TRUE(is_urdf("arm", text)) << text;
  }
  for (const std::string& text : {std::string(), mark, mark + "armdyn: 1", std::string("a: <b>")}) {
    EXPECT_FALSE(is_urdf("arm.yaml", text)) << text;
    EXPECT_TRUE(is_urdf("arm.urdf", text) && is_urdf("arm.xacro", text)) << text;
  }
  EXPECT_EQ(findings(mark + arm_of({"base", "l1"}) + "</robot>"),
            findings(arm_of({"base", "l1"}) + "</robot>"));
}

// The numbers of another order, or of other signs, are those of a body of which each product of
// inertia matters.
TEST(Urdf, SaysWhichSlipExplainsAnImpossibleInertia) {
  const auto warning = [](const std::string& inertia) {
    return findings(R"(<robot name="r"><link name="base"/><link name="a"><inertial><mass value="2"/>
<inertia )" + inertia +
                    R"(/></inertial></link><joint name="j" type="continuous"><parent link="base"/>
<child link="a"/></joint></robot>)");
  };
  const std::string order = "in the order xx, yy, zz, xy, xz, yz they are consistent",
                    signs = "with the other sign of ixy, iyz and ixz it is consistent";
  for (const char* const slipped :  // a rod in each plane of axes
       {R"(ixx="0.11" ixy="0.11" ixz="0.205" iyy="-0.1" iyz="0" izz="0")",
        R"(ixx="0.11" ixy="0.205" ixz="0.11" iyy="0" iyz="-0.1" izz="0")",
        R"(ixx="0.205" ixy="0.11" ixz="0.11" iyy="0" iyz="0" izz="-0.1")"}) {
    EXPECT_NE(warning(slipped).find(order), std::string::npos) << slipped;
  }
  const std::string rod = R"(ixx="0.21" ixy="0.1" ixz="0.1" iyy="0.21" iyz="0.1" izz="0.21")";
  EXPECT_NE(warning(rod).find(signs), std::string::npos);
  for (const char* const product : {"ixy", "ixz", "iyz"}) {  // two signs turned are a turned rod
    const std::string turned = std::string(product) + "=\"";
    const std::string found = warning(replaced(rod, turned + "0.1", turned + "-0.1"));
    EXPECT_EQ(found.find("physically consistent"), std::string::npos) << found;
  }
}

TEST(Urdf, TakesTheGearOfATransmission) {
  const std::string rotor = "<drake:rotor_inertia value=\"1e-4\"/>";
  const std::string plain = "<mechanicalReduction>50</mechanicalReduction>",
                    drake = "<drake:gear_ratio value=\"80\"/>", back = replaced(drake, "80", "-1");
  const auto motor = [](const std::string& parts) {
    const std::string text = arm_of({"base", "l1", "l2"}) +
                             "<transmission name=\"t\"><joint name=\"j_l2\"/><actuator "
                             "name=\"m\">" +
                             parts + "</actuator></transmission></robot>";
    const UrdfReport report = examine_urdf(text, {}, "r.urdf");
    EXPECT_EQ(report.chain->chain.joints[0].joint.motor.gear_ratio, 1.0);
    return std::pair(report.chain->chain.joints[1].joint.motor, report.chain->notes);
  };
  EXPECT_EQ(motor(plain).first.gear_ratio, 50.0);
  for (const std::string& parts : {drake, plain + drake, drake + plain}) {
    EXPECT_EQ(motor(parts).first.gear_ratio, 80.0) << parts;
  }
  EXPECT_EQ(motor(back).first.gear_ratio, -1.0);
  EXPECT_EQ(motor(plain + rotor).first.rotor_inertia, 1e-4);
  for (const char* const worded : {"", " ", "N/A", "1:100", "0", "inf"}) {
    const std::string parts = replaced(plain, "50", worded);
    EXPECT_EQ(motor(parts).first.gear_ratio, 1.0) << worded;
  }
  const std::string gears = "gear ratios from transmissions of j_l2",
                    rotors = "rotor inertias from drake:rotor_inertia of j_l2";
  const auto notes = [&motor](const std::string& parts) {  // behind that on the chain
    const std::vector<std::string> all = motor(parts).second;
    return std::vector(all.begin() + 1, all.end());
  };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes(plain), Notes{gears + "; without rotor inertias they change no torque"});
  EXPECT_EQ(notes(plain + rotor), (Notes{gears, rotors}));
  EXPECT_EQ(notes(back), Notes{});
  EXPECT_EQ(notes(back + rotor), Notes{rotors});
}

TEST(Urdf, FixedLinksMakeAFingerNoLonger) {
  std::string text = arm_of({"base", "upper", "lower"});
  for (const std::string finger : {"l", "r"}) {
    text += "<link name=\"" + finger + "\"/><link name=\"" + finger + "_tip\"/><joint name=\"j_" +
            finger + "\" type=\"continuous\"><parent link=\"lower\"/><child link=\"" + finger +
            "\"/></joint><joint name=\"f_" + finger + "\" type=\"fixed\"><parent link=\"" + finger +
            "\"/><child link=\"" + finger + "_tip\"/></joint>\n";
  }
  const UrdfReport report = examine_urdf(text + "</robot>", {}, "r.urdf");
  ASSERT_TRUE(report.chain) << findings(text + "</robot>");
  EXPECT_EQ(report.chain->chain.joints.size(), 2U);
}

TEST(Urdf, NamesOfJointsBecomeWordsOfARobotFile) {
  std::string text = arm_of({"base", "a", "b", "c", "d"}) + "</robot>";
  const std::vector<std::pair<std::string, std::string>> names{
      {"1st", "j1st"}, {"my joint", "my_joint"}, {"my_joint", "my_joint_"}, {"-x", "j-x"}};
  const std::vector<std::string> links{"a", "b", "c", "d"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    text = replaced(text, "\"j_" + links[k] + "\"", "\"" + names[k].first + "\"");
  }
  const std::string found = findings(text);
  for (const auto& [name, word] : names) {
    EXPECT_NE(
        found.find("warning: joint " + name + ": a name of letters, digits, _ and - is needed; " +
                   "it is called " + word + "\n"),
        std::string::npos)
        << found;
  }
  const UrdfReport report = examine_urdf(text, {}, "r.urdf");
  ASSERT_TRUE(report.chain);
  for (std::size_t k = 0; k < names.size(); ++k) {
    EXPECT_EQ(report.chain->chain.joints[k].joint.name, names[k].second);
  }
}

TEST(Urdf, WhatHasNoNameIsNotNamedTwice) {
  EXPECT_EQ(findings("<robot name=\"r\"><link/>\n<link/></robot>"),
            "r.urdf:1: error: link: name is missing; expected name=\"...\"\n"
            "r.urdf:2: error: link: name is missing; expected name=\"...\"\n");
}

TEST(Urdf, AFollowerElsewhereShortensNoChain) {
  const auto with = [](const std::string& followed) {
    return arm_of({"base", "upper", "lower", "hand"}) +
           "<link name=\"cover\"/><joint name=\"follower\" type=\"continuous\"><parent "
           "link=\"upper\"/><child link=\"cover\"/><mimic joint=\"" +
           followed + "\"/></joint></robot>";
  };
  for (const char* const followed : {"j_lower", "j_upper", "j_hand"}) {
    const UrdfReport report = examine_urdf(with(followed), {}, "r.urdf");
    ASSERT_TRUE(report.chain && report.chain->mechanism) << followed;
    EXPECT_EQ(report.chain->mechanism->dof(), 3U) << followed;
  }
}

TEST(Urdf, AFollowerOfNoOtherJointIsFixedWithAWarning) {
  for (const std::string followed : {"j_lowr", "j_hand"}) {
    const std::string text =
        arm_of({"base", "upper", "lower"}) +
        "<link name=\"hand\"/><joint name=\"j_hand\" type=\"continuous\"><parent "
        "link=\"lower\"/><child link=\"hand\"/><mimic joint=\"" +
        followed + "\"/></joint></robot>";
    const std::string warning = "warning: joint j_hand: mimic: there is no other joint \"" +
                                followed + "\"; this one is fixed\n";
    EXPECT_NE(findings(text).find(warning), std::string::npos) << findings(text);
  }
}

TEST(Urdf, WhereNoJointMovesThoseThatFollowNoneAreNamed) {
  const std::string text =
      "<robot name=\"r\"><link name=\"base\"/><link name=\"arm\"/><joint name=\"lift\" "
      "type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/><mimic "
      "joint=\"lfit\"/></joint></robot>";
  EXPECT_EQ(findings(text),
            "r.urdf: error: found no joint that moves from base to base; expected at least one; "
            "fixed, since there is no such other joint: lift (mimic of \"lfit\")\n");
}

TEST(Urdf, AFollowerOnALinkThatIsFixedToTheBaseIsTaken) {
  const std::string text =
      arm_of({"base", "upper", "lower"}) +
      "<link name=\"stand\"/><joint name=\"foot\" type=\"fixed\"><parent link=\"base\"/><child "
      "link=\"stand\"/></joint><link name=\"bar\"/><joint name=\"swings\" "
      "type=\"continuous\"><parent "
      "link=\"stand\"/><child link=\"bar\"/><mimic joint=\"j_upper\"/></joint></robot>";
  const UrdfReport report = examine_urdf(text, {}, "r.urdf");
  ASSERT_TRUE(report.chain && report.chain->mechanism);
  ASSERT_EQ(report.chain->mechanism->followers.size(), 1U);
  EXPECT_EQ(report.chain->mechanism->followers[0].name, "swings");
  EXPECT_EQ(report.chain->mechanism->followers[0].parent, "base");
}

TEST(Urdf, NamesAllThatHasNoMassOrIsFixedAndTheLineOfTheFirst) {
  const std::string text = arm_of({"base", "l1", "l2", "l3", "l4"}) + "</robot>";
  EXPECT_EQ(findings(text, {.base = "l2"}),
            "r.urdf:5: warning: below the base of the chain, taken as fixed at zero: j_l2, j_l1\n"
            "r.urdf:7: warning: links without mass, also in what is fixed to them: l3, l4; torques "
            "lack theirs\n");
}

TEST(Urdf, OfSeveralEndsOfFixedLinksTheToolIsKnownByItsName) {
  const auto tip = [](const std::vector<std::string>& ends) {
    std::string text = arm_of({"base", "l1", "l2"});
    for (const std::string& end : ends) {
      text += "<link name=\"" + end + "\"/><joint name=\"f_" + end +
              "\" type=\"fixed\"><parent link=\"l2\"/><child link=\"" + end + "\"/></joint>\n";
    }
    return examine_urdf(text + "</robot>", {}, "r.urdf").chain->chain.tip_link;
  };
  EXPECT_EQ(tip({}), "l2");
  EXPECT_EQ(tip({"camera"}), "camera");
  EXPECT_EQ(tip({"camera", "lamp"}), "l2");
  const std::vector<std::string> words{"tool0", "tcp", "tool", "end_effector", "ee", "flange"};
  for (std::size_t k = 0; k < words.size(); ++k) {
    EXPECT_EQ(tip({"camera", "my_" + words[k]}), "my_" + words[k]);
    if (k == 0) continue;
    EXPECT_EQ(tip({words[k], "my_" + words[k - 1]}), "my_" + words[k - 1]);
  }
}

TEST(Urdf, HasAtMostAHundredJoints) {
  std::vector<std::string> links{"base"};
  while (links.size() < 101) links.push_back("l" + std::to_string(links.size()));
  EXPECT_TRUE(examine_urdf(arm_of(links) + "</robot>", {}, "r.urdf").chain);
  links.push_back("more");
  EXPECT_NE(findings(arm_of(links) + "</robot>")
                .find("found a chain of 101 joints; an arm has at "
                      "most 100"),
            std::string::npos);
}

TEST(Urdf, OfAnySizeIsJudgedInBoundedTime) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> links;
  for (int i = 0; i <= 10'000; ++i) links.push_back("l" + std::to_string(i));
  EXPECT_NE(
      findings(arm_of(links) + "</robot>").find("a chain of 10000 joints; an arm has at most 100"),
      std::string::npos);

  std::string star = "<robot name=\"r\"><link name=\"base\"/>\n";
  for (int i = 0; i < 10'000; ++i) {
    const std::string n = std::to_string(i);
    star += "<link name=\"l" + n + "\"/><joint name=\"j" + n +
            "\" type=\"continuous\"><parent link=\"base\"/><child link=\"l" + n + "\"/></joint>\n";
  }
  EXPECT_NE(findings(star + "</robot>").find("10000 chains end at"), std::string::npos);

  std::string bomb = "<!DOCTYPE r [<!ENTITY a \"xxxxxxxxxx\">";
  for (char c = 'b'; c <= 'z'; ++c) {
    bomb += std::string("<!ENTITY ") + c + " \"";
    for (int k = 0; k < 10; ++k) bomb += std::string("&") + static_cast<char>(c - 1) + ";";
    bomb += "\">";
  }
  EXPECT_NE(findings(bomb + "]><robot name=\"&z;\"><link name=\"&z;\"/></robot>"), "");

  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_NE(findings(deep).find("deeper"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace armdyn::testing
