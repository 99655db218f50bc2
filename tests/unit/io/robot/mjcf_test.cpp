// MJCF files: the arm that is read is MuJoCo's, and what a chain cannot have is refused.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <array>
#include <numbers>
#include <span>

#include "dynamics/friction.hpp"
#include "io/robot/robot_text.hpp"
#include "io/robot/urdf.hpp"
#include "math/each.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

/// A file of one body that turns about z, with more in the body and in the file.
std::string mjcf_of(const std::string& in_body, const std::string& in_file = "",
                    const std::string& joint = "<joint name='j'/>") {
  return "<mujoco>" + in_file + "<worldbody><body name='b'>" + joint + in_body +
         "</body></worldbody></mujoco>";
}
constexpr const char* inertial = "<inertial pos='0 0 0' mass='2' diaginertia='0.1 0.2 0.25'/>";

std::string mjcf_findings(const std::string& text, const RobotFileOptions& choice = {}) {
  std::string all;
  for (const Finding& finding : examine_urdf(text, choice, "r.xml").findings) {
    all += to_text(finding, "r.xml") + "\n";
  }
  return all;
}

Joint only_joint(const std::string& text) {
  const UrdfReport report = examine_urdf(text, {}, "r.xml");
  if (!report.chain) throw std::runtime_error(mjcf_findings(text));
  return report.chain->chain.joints.at(0).joint;
}

TEST(MjcfFile, OfManyFeaturesIsTheArmOfMujoco) {
  // MuJoCo 2.2.2's mj_inverse and site_xpos of that file, without damping, friction and limits: q,
  // qd and qdd of four joints, torques, and the place of the TCP in the world.
  constexpr std::array<std::array<double, 19>, 3> of_mujoco{
      {{-1.09064370014117, -0.177660368640474, -1.65302625903755, 0.111059165093939,
        -0.724111088756547, -0.767948931103582, -0.322511156953824, 1.47520582441169,
        4.78222896214204, -2.36129159215257, -4.84089640837992, -1.69160751671591, 23.6777959819654,
        40.6503140389701, -45.2625348889944, -0.259495055356181, -1.11493195524985,
        -0.408836460256402, 0.970574512177337},
       {-0.42823076212691, 0.776126322252297, -0.949664898280794, 1.40517834103678,
        0.697321704650239, -0.616108239429644, 1.0030509084695, -1.30378895138362, 1.72317267928306,
        4.295281899283, -2.45105937681964, 2.9076350632787, -3.30404357355529, 5.17862907217383,
        -34.2111579551096, 0.463431895080013, 0.146173311489079, -1.07867059198201,
        0.788322005686721},
       {1.75051735239954, -0.570099037373057, -0.0694523759141108, -0.604974486420489,
        -0.204696812542929, -1.22657751881609, 0.454813879440321, -0.893941185096381,
        -1.1535043932418, -3.99526025991013, 4.51248346914627, -0.534941105083753, 1.53930990931582,
        14.7375676401463, 78.8512655832718, -0.113891498479445, 0.226651445200249,
        -0.390697839827389, 1.05908141452649}}};
  const RobotFileOptions exact{.tip = "tcp", .snap = Snap{0.0, 0.0}};
  const auto is_that_of_mujoco = [&of_mujoco](Robot robot) {
    for (Joint& joint : robot.joints) remove_friction(joint);
    const Arm arm = normalize(robot);
    for (const auto& row : of_mujoco) {
      const std::span<const double> all(row);
      const std::vector<double> tau =
          torque(arm, {all.subspan(0, 4), all.subspan(4, 4), all.subspan(8, 4)});
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(tau[i], row[12 + i], 1e-8) << i;
      const Vec3 tcp = pose(arm, all.first(4)).tcp_in_world.p;
      EXPECT_NEAR(tcp.x, row[16], 1e-12);
      EXPECT_NEAR(tcp.y, row[17], 1e-12);
      EXPECT_NEAR(tcp.z, row[18], 1e-12);
    }
  };
  const std::string path = test_data() + "/mjcf/many_features.xml";
  is_that_of_mujoco(read_robot_file(path, exact).robot);
  // Written again, with two joints in one body, since MuJoCo refuses links without mass.
  const SerialChain chain = examine_urdf(read_robot_bytes(path), exact, path).chain->chain;
  const auto armature = [](const ChainJoint& of) { return of.joint.motor.rotor_inertia; };
  const std::string again = mjcf_text(chain, each(chain.joints, armature), "");
  EXPECT_EQ(again.find("mass=\"0\""), again.npos);
  is_that_of_mujoco(parse_robot_file(again, "again.xml", exact).robot);
}

TEST(MjcfFile, GivesDrivesAndLimitsOfItsClasses) {
  const RobotFile file = read_robot_file(test_data() + "/mjcf/many_features.xml", {.tip = "tcp"});
  const auto& joints = file.robot.joints;
  ASSERT_EQ(joints.size(), 4U);
  EXPECT_EQ(joints[0].limits.torque, 100.0);  // gear 2 times 50
  EXPECT_EQ(joints[0].friction.viscous, 1.0);
  EXPECT_EQ(joints[0].friction.coulomb, (TwoSided{2.0, 2.0}));
  EXPECT_DOUBLE_EQ(joints[1].limits.position->lower, -std::numbers::pi / 2);
  EXPECT_EQ(joints[2].type, JointType::prismatic);
  EXPECT_EQ(joints[2].motor.rotor_inertia, 0.3);
  EXPECT_EQ(joints[2].limits.position->upper, 0.4);
  EXPECT_EQ(joints[3].friction.viscous, 0.2);
  EXPECT_EQ(joints[3].limits.torque, 8.0);
  EXPECT_EQ(file.robot.gravity, (Vec3{0.5, -0.3, -9.7}));
}

TEST(MjcfFile, LimitsNeedAutolimitsOrTheWord) {
  const auto range = [](const std::string& limited, const std::string& compiler) {
    return only_joint(mjcf_of(inertial, compiler, "<joint range='-1 2'" + limited + "/>"))
        .limits.position;
  };
  const std::string off = "<compiler autolimits='false' angle='radian'/>";
  EXPECT_TRUE(range("", ""));
  EXPECT_FALSE(range("", off));
  EXPECT_EQ(range(" limited='true'", off)->upper, 2.0);
  EXPECT_FALSE(range(" limited='false'", ""));
}

TEST(MjcfFile, BoundsOfTheCompilerHold) {
  const auto body = [](const std::string& compiler, const std::string& inertia) {
    return only_joint(mjcf_of("<inertial pos='0 0 0' mass='2' diaginertia='" + inertia + "'/>",
                              "<compiler " + compiler + "/>"))
        .body;
  };
  EXPECT_EQ(body("boundmass='5'", "0.1 0.2 0.25").mass, 5.0);
  EXPECT_NEAR(body("boundinertia='0.15'", "0.1 0.2 0.25").inertia.xx, 0.15, 1e-15);
  EXPECT_NEAR(body("balanceinertia='true'", "0.1 0.2 0.6").inertia.zz, 0.3, 1e-15);
  EXPECT_DOUBLE_EQ(body("settotalmass='3'", "0.1 0.2 0.25").inertia.yy, 0.3);
  EXPECT_THROW(body("boundmass='0'", "0.1 0.2 0.6"), std::runtime_error);
}

// A body without mass, on its own and with a geom that has none, against MuJoCo 2.2.2's qfrc_bias.
TEST(MjcfFile, BoundsActWhereMujocoPutsThem) {
  const auto torques = [](const std::string& geom) {
    const UrdfReport report = examine_urdf(
        "<mujoco><compiler angle='radian' boundmass='0.5' boundinertia='0.01'/><worldbody>"
        "<body name='a' pos='0 0 1'><joint axis='0 1 0'/>"
        "<inertial pos='0.1 0 0' mass='2' diaginertia='0.02 0.03 0.04'/>"
        "<body name='c' pos='0.3 0 0' euler='0.2 0.1 0'><joint axis='1 0 0' pos='0 0.1 0'/>" +
            geom +
            "<body name='d' pos='0.2 0.1 0'><joint axis='0 1 0'/>"
            "<inertial pos='0.1 0 0.3' mass='1' diaginertia='0.02 0.03 0.04'/>"
            "</body></body></body></worldbody></mujoco>",
        {}, "r.xml");
    const Arm arm = normalize(table_of(report.chain->chain, {0.0, 0.0}).robot);
    return torque(arm, {std::vector{0.3, -0.4, 0.5}, std::vector{1.0, 0.5, -0.7},
                        std::vector{0.0, 0.0, 0.0}});
  };
  const auto expect = [](const std::vector<double>& found, const std::vector<double>& of_mujoco) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], of_mujoco[i], 1e-12);
  };
  expect(torques(""), {-12.347151430683139, -0.034932909749268548, -2.9497627786995837});
  expect(torques("<geom type='capsule' size='.1' fromto='0.05 0.1 0.2 0.2 0.4 0.1' mass='0'/>"),
         {-11.692766836171799, 1.1859896308539764, -2.9497627786995828});
}

// Masses are those of MuJoCo 2.2.2.
TEST(MjcfFile, SizesOfGeomsGoOnWithThoseOfTheirClass) {
  const auto mass = [](const std::string& geom) {
    return only_joint(
               mjcf_of(
                   "<geom " + geom + "/>",
                   "<default><geom type='capsule' size='0.05 0.2'/><default class='thick'><geom "
                   "size='0.1'/></default></default>"))
        .body.mass;
  };
  const auto capsule = [](double r, double half) {
    return 1000.0 * std::numbers::pi * r * r * (2.0 * half + 4.0 / 3.0 * r);
  };
  EXPECT_NEAR(mass(""), capsule(0.05, 0.2), 1e-12);
  EXPECT_NEAR(mass("size='0.07'"), capsule(0.07, 0.2), 1e-12);
  EXPECT_NEAR(mass("size='0.07 0.3'"), capsule(0.07, 0.3), 1e-12);
  EXPECT_NEAR(mass("class='thick'"), capsule(0.1, 0.2), 1e-12);
  EXPECT_NEAR(mass("class='thick' size='0.04'"), capsule(0.04, 0.2), 1e-12);
}

TEST(MjcfFile, ABodyWithoutGeomsKeepsItsInertial) {
  const auto mass = [](const std::string& compiler, const std::string& geom) {
    return only_joint(mjcf_of(inertial + geom, "<compiler " + compiler + "/>")).body.mass;
  };
  const std::string from_geoms = "inertiafromgeom='true'", geom = "<geom size='1' mass='3'/>";
  EXPECT_EQ(mass(from_geoms, ""), 2.0);
  EXPECT_EQ(mass(from_geoms, geom), 3.0);
  EXPECT_EQ(mass(from_geoms + " inertiagrouprange='1 2'", geom), 2.0);
  EXPECT_EQ(mass("", geom), 2.0);
}

TEST(MjcfFile, FlagsDisableWhatTheyName) {
  const auto joint = [](const std::string& flags) {
    return only_joint(mjcf_of(inertial, "<option><flag " + flags + "/></option>",
                              "<joint damping='2' frictionloss='3' range='-10 10'/>"));
  };
  EXPECT_EQ(joint("contact='disable'").friction.viscous, 2.0);
  for (const char* const flags : {"passive='disable'", "damper='disable'"})
    EXPECT_EQ(joint(flags).friction.viscous, 0.0);
  EXPECT_EQ(joint("frictionloss='disable'").friction.coulomb, TwoSided{});
  EXPECT_FALSE(joint("limit='disable'").limits.position);
  EXPECT_TRUE(joint("limit='enable'").limits.position);
  for (const char* const flags : {"passive='disable'", "spring='disable'"}) {
    const UrdfReport report =
        examine_urdf(mjcf_of(inertial, std::string("<option><flag ") + flags + "/></option>",
                             "<joint name='j' stiffness='5'/>"),
                     {}, "r.xml");
    EXPECT_TRUE(report.chain && !report.chain->mechanism) << flags;
  }
}

TEST(MjcfFile, RotorsOfFollowersCountAtTheJointThatMovesThem) {
  const auto inertia = [](const std::string& rotors) {  // at q1, without those of links
    const std::string text =
        "<mujoco><worldbody><body><joint name='a' axis='0 0 1'/>" + std::string(inertial) +
        "<body><joint name='b' type='slide'" + rotors + "/>" + inertial + "<body><joint name='c'" +
        rotors + "/>" + inertial +
        "</body></body></body></worldbody><equality><joint joint1='b' joint2='a' "
        "polycoef='0.1'/><joint joint1='c' joint2='b' polycoef='0 -3'/></equality></mujoco>";
    const UrdfReport report = examine_urdf(text, {}, "r.xml");
    if (!report.chain || !report.chain->mechanism) throw std::runtime_error(mjcf_findings(text));
    const std::vector<double> still{0.0}, on{1.0};
    return torque(normalize(*report.chain->mechanism), {still, still, on})[0];
  };
  EXPECT_NEAR(inertia(" armature='0.2'") - inertia(""), 0.2 * (1.0 + 9.0), 1e-14);
}

// A slide that follows a hinge on its axis makes it helical only where both move one body: a body between
// them has a mass of its own, and may carry others.
TEST(MjcfFile, OnlyJointsOfOneBodyMakeAHelicalOne) {
  const std::string hinge = "<joint name='h'/>", slide = "<joint name='s' type='slide'/>",
                    a = "<inertial pos='0.2 0 0' mass='5' diaginertia='0.1 0.1 0.1'/>",
                    b = "<inertial pos='0.1 0 0' mass='3' diaginertia='0.2 0.2 0.2'/>",
                    c = "<inertial pos='0.4 0 0' mass='2' diaginertia='0.1 0.1 0.1'/>";
  const auto file_of = [](const std::string& bodies) {
    return "<mujoco><option gravity='0 0 0'/><worldbody>" + bodies +
           "</worldbody><equality><joint joint1='s' joint2='h' polycoef='0 0.5'/></equality>"
           "</mujoco>";
  };
  const auto read = [](const std::string& text, const RobotFileOptions& choice = {}) {
    return parse_robot_file(text, "r.xml", choice).robot;
  };
  const auto expect_of = [](const Robot& robot, double mass, const std::vector<double>& M) {
    double total = 0.0;
    for (const Joint& joint : robot.joints) total += joint.body.mass;
    for (const Joint& joint : robot.followers) total += joint.body.mass;
    EXPECT_EQ(total, mass);
    ASSERT_EQ(robot.joints.size() * robot.joints.size(), M.size());
    const std::vector<double> still(robot.joints.size());
    for (std::size_t i = 0; i < still.size(); ++i) {
      std::vector<double> on = still;
      on[i] = 1.0;
      const std::vector<double> tau = torque(normalize(robot), {still, still, on});
      for (std::size_t k = 0; k < on.size(); ++k) {
        EXPECT_NEAR(tau[k], M[i * on.size() + k], 1e-14) << i << k;
      }
    }
  };
  // By hand, about z: A 0.1 + 5 0.2², B 0.2 + 3 0.1² and 3 0.5² as it slides, C 0.1 + 2 0.4².
  const double of_a = 0.3, of_b = 0.98, of_c = 0.42;
  const Robot screw = read(file_of("<body name='B'>" + hinge + slide + b + "</body>"));
  EXPECT_TRUE(screw.followers.empty());
  EXPECT_DOUBLE_EQ(screw.joints.at(0).pitch.value_or(0.0), std::numbers::pi);
  expect_of(screw, 3.0, {of_b});

  const std::string on_a = "<body name='B'>" + slide + b + "</body>",
                    fork = on_a + "<body name='C'><joint name='k'/>" + c + "</body>";
  const Robot two = read(file_of("<body name='A'>" + hinge + a + on_a + "</body>"));
  ASSERT_EQ(two.followers.size(), 1U);
  EXPECT_FALSE(two.joints.at(0).pitch);
  expect_of(two, 8.0, {of_a + of_b});

  const std::string three = file_of("<body name='A'>" + hinge + a + fork + "</body>");
  expect_of(read(three), 10.0, {of_a + of_b + of_c, of_c, of_c, of_c});
  expect_of(read(three, {.tip = "A"}), 10.0, {of_a + of_b + of_c});  // C is fixed to A
  expect_of(read(three, {.base = "A", .tip = "C"}), 2.0, {of_c});
  // Without mass, too, a body may carry others.
  expect_of(read(file_of("<body name='A'>" + hinge + fork + "</body>")), 5.0,
            {of_b + of_c, of_c, of_c, of_c});
}

TEST(MjcfFile, DoubtsDegreesThatItReadsInRadians) {
  const std::string radian = "<compiler angle='radian'/>", link = inertial;
  const std::string turned = "<body name='c' euler='90 0 0'><joint/>" + link + "</body>";
  const std::string doubt = "found the angle 90, which looks like degrees";
  EXPECT_NE(mjcf_findings(mjcf_of(link + turned, radian)).find(doubt), std::string::npos);
  EXPECT_EQ(mjcf_findings(mjcf_of(link + turned)).find(doubt), std::string::npos);
  const std::string limited = "<joint name='j' limited='true' range='-90 90'/>";
  EXPECT_NE(mjcf_findings(mjcf_of(link, radian, limited)).find(doubt), std::string::npos);
  EXPECT_EQ(mjcf_findings(mjcf_of(link, "", limited)).find(doubt), std::string::npos);
}

// MuJoCo refuses such a file, too.
TEST(MjcfFile, HasNoFullInertiaBesideAnOrientation) {
  const std::string full = "fullinertia='0.1 0.2 0.25 0 0 0'/>",
                    own = "<inertial pos='0 0 0' mass='2' ";
  EXPECT_EQ(mjcf_findings(mjcf_of(own + full)).find("fullinertia"), std::string::npos);
  EXPECT_NE(mjcf_findings(mjcf_of(own + "euler='10 0 0' " + full))
                .find("fullinertia: found beside quat, axisangle, euler, xyaxes, zaxis"),
            std::string::npos);
}

TEST(MjcfFile, NamesWhatItDoesNotTake) {
  EXPECT_EQ(mjcf_findings(
                mjcf_of("<geom type='mesh' mesh='m'/>",
                        "<option density='1.2'/><equality><weld body1='hand' body2='b'/></equality>"
                        "<worldbody><body name='hand' mocap='true'/></worldbody>",
                        "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/><joint name='j'/>")),
            "r.xml:1: warning: ignored, so that torques lack it: the fluid's density (line 1), "
            "equality weld to the mocap body hand (line 1)\n");
}

TEST(MjcfFile, TimeConstantsOfSpringsGiveStiffnessAndDamping) {
  // A base that floats, a ball joint and a branch count in the inertia that a joint moves. Numbers:
  // jnt_stiffness and dof_damping of MuJoCo 2.2.2.
  const std::string text =
      "<mujoco><compiler angle='radian'/><worldbody><body name='base' pos='0 0 1'><freejoint/>"
      "<geom size='0.3'/><body name='a' pos='0.1 0 0'><joint name='j1' axis='0 1 1' ref='0.4' "
      "springdamper='0.1 0.7' springref='0.2' armature='0.01' stiffness='3'/><geom type='capsule' "
      "size='0.05' fromto='0 0 0 0.4 0 0'/><body name='b' pos='0.4 0 0'><joint name='j2' "
      "type='slide' axis='1 0.2 0' springdamper='0.2 1'/><geom type='box' size='0.1 0.05 0.07' "
      "pos='0.02 0 0.1'/><body name='c' pos='0.1 0 0'><joint name='k' type='ball'/><geom "
      "size='0.1' pos='0.2 0 0'/></body></body></body><body name='d' pos='0 0.1 0'><joint "
      "name='m' axis='0 0 1' springdamper='0.3 0.5'/><geom size='0.05 0.2' type='cylinder' "
      "pos='0 0.2 0'/></body></body></worldbody></mujoco>";
  const auto of_mujoco = [&text](const std::string& tip, const std::string& joint, double stiffness,
                                 double damping) {
    const UrdfReport report = examine_urdf(text, {.base = "base", .tip = tip}, "r.xml");
    ASSERT_TRUE(report.chain && report.chain->mechanism) << mjcf_findings(text);
    const Robot& robot = *report.chain->mechanism;
    const auto spring = std::ranges::find_if(
        robot.springs, [&joint](const Spring& one) { return one.row.at(0).joint == joint; });
    ASSERT_NE(spring, robot.springs.end()) << joint;
    EXPECT_NEAR(spring->stiffness, stiffness, 1e-12 * stiffness) << joint;
    EXPECT_NEAR(std::ranges::find(robot.joints, joint, &Joint::name)->friction.viscous, damping,
                1e-12 * damping)
        << joint;
  };
  of_mujoco("b", "j1", 123.95272093003783, 12.14736665114371);
  of_mujoco("b", "j2", 157.33675888376922, 62.934703553507703);
  of_mujoco("d", "m", 5.298023190883506, 0.79470347863252588);
}

TEST(MjcfFile, SpringsOfJointsPullToTheirReference) {
  const UrdfReport report =
      examine_urdf(mjcf_of(inertial, "", "<joint name='j' stiffness='3' springref='90' ref='20'/>"),
                   {}, "r.xml");
  ASSERT_TRUE(report.chain && report.chain->mechanism) << mjcf_findings(mjcf_of(inertial));
  const Robot& robot = *report.chain->mechanism;
  ASSERT_EQ(robot.springs.size(), 1U);
  EXPECT_EQ(robot.springs[0].stiffness, 3.0);
  EXPECT_EQ(robot.springs[0].rest, 0.5 * std::numbers::pi);
  // qfrc_passive is -stiffness (qpos - springref); the drive takes it up.
  const std::vector<double> q{0.2}, still{0.0};
  EXPECT_NEAR(torque(normalize(robot), {q, still, still})[0], 3.0 * (0.2 - 0.5 * std::numbers::pi),
              1e-14);
}

TEST(MjcfFile, TendonsThatAreSpringsAreTaken) {
  const auto robot_with = [](const std::string& tendons) {
    const std::string text =
        "<mujoco><worldbody><site name='w' pos='0 0 1'/><body name='b'><joint name='j' axis='0 1 "
        "0' "
        "springref='30'/><site name='s' pos='0.3 0 0'/>" +
        std::string(inertial) + "<body name='c' pos='0.5 0 0'><joint name='k' axis='0 1 0'/>" +
        inertial + "</body></body></worldbody><tendon>" + tendons + "</tendon></mujoco>";
    const UrdfReport report = examine_urdf(text, {}, "r.xml");
    if (!report.chain || !report.chain->mechanism) throw std::runtime_error(mjcf_findings(text));
    return *report.chain->mechanism;
  };
  // Its load is -stiffness (length - springlength), and nothing between two lengths.
  const Spring row = robot_with(
                         "<fixed stiffness='4'><joint joint='j' coef='2'/>"
                         "<joint joint='k' coef='-1'/></fixed>")
                         .springs.at(0);
  EXPECT_EQ(row.row, (std::vector<Followed>{{"j", 2.0}, {"k", -1.0}}));
  EXPECT_DOUBLE_EQ(row.rest, std::numbers::pi / 3);
  EXPECT_EQ(row.stiffness, 4.0);
  const Robot robot = robot_with(
      "<spatial name='t' stiffness='50' springlength='0.9 1'><site site='w'/><site site='s'/>"
      "</spatial>");
  ASSERT_EQ(robot.springs.size(), 1U);
  const auto load = [&robot](double q) {
    const double length = std::hypot(0.3 * std::cos(q), 1.0 + 0.3 * std::sin(q)),
                 slope = 0.3 * std::cos(q) / length,
                 stretch = length < 0.9   ? length - 0.9
                           : length > 1.0 ? length - 1.0
                                          : 0.0;
    Robot massless = robot;
    for (Joint& joint : massless.joints) joint.body = {};
    const std::vector<double> at{q, 0.2}, still{0.0, 0.0};
    EXPECT_NEAR(torque(normalize(massless), {at, still, still})[0], 50.0 * stretch * slope, 1e-13)
        << q;
  };
  for (const double q : {-1.2, -0.4, -0.3, 0.1, 0.8}) load(q);
  EXPECT_NE(mjcf_findings(mjcf_of(inertial,
                                  "<tendon><fixed stiffness='4' armature='1'><joint joint='j' "
                                  "coef='2'/></fixed></tendon>"))
                .find("torques lack it: tendon"),
            std::string::npos);
  EXPECT_THROW(robot_with("<spatial stiffness='5'><site site='w'/><site site='s'/></spatial>"),
               std::runtime_error);  // its rest is not written
}

TEST(MjcfFile, WhatAChainCannotHaveIsRefused) {
  const auto says = [](const std::string& text, const std::string& part) {
    const std::string found = mjcf_findings(text);
    EXPECT_NE(found.find(part), found.npos) << found;
  };
  says(mjcf_of("<geom type='mesh' mesh='m'/>"), "whose mass armdyn does not compute: b;");
  says(mjcf_of(inertial, "", "<joint type='ball'/>"), "is a ball joint");
  says(mjcf_of(inertial, "", "<freejoint/><joint name='k'/>"), "is floating");
  says(mjcf_of(inertial, "<equality><connect body1='b' anchor='0 0 0'/></equality>"),
       "ties b to the world");
  says(mjcf_of(std::string(inertial) + "<body name='c'><joint name='k'/>" + inertial + "</body>",
               "<equality><joint joint1='k' joint2='j' polycoef='0 1 1'/></equality>"),
       "follows j");
  says(mjcf_of(inertial, "<compiler coordinate='global'/>"), "coordinate: found global");
  says(mjcf_of(inertial, "", "<joint class='none'/>"), "there is no default class \"none\"");
  says(mjcf_of(inertial, "", "<joint axis='0 0'/>"),
       "axis: found \"0 0\"; expected 3 finite numbers");
  says(mjcf_of("<replicate count='3'/>"), "replicate: not read");
}

TEST(MjcfFile, OfManyBodiesIsRefusedAtOnce) {
  std::string bodies;
  for (int i = 0; i < 20'000; ++i) bodies += "<body><joint/></body>";
  EXPECT_EQ(mjcf_findings(mjcf_of(inertial + bodies)),
            "r.xml:1: error: body: more than 10000 bodies, joints and sites; is this a robot?\n");
  std::string joints;
  for (int i = 0; i < 20'000; ++i) joints += "<joint/>";
  EXPECT_EQ(mjcf_findings(mjcf_of(inertial, "", joints)),
            "r.xml:1: error: joint: more than 10000 bodies, joints and sites; is this a robot?\n");
}

// Each has a copy of all that the one around it has.
TEST(MjcfFile, OfLargeDefaultClassesIsRefused) {
  std::string classes = "<default><joint user='" + std::string(1'000'000, '1') + "'/>";
  for (int i = 0; i < 1000; ++i) classes += "<default class='c" + std::to_string(i) + "'/>";
  EXPECT_EQ(mjcf_findings(mjcf_of(inertial, classes + "</default>")),
            "r.xml:1: error: default: the default classes are larger than 16 MB together\n");
}

TEST(MjcfFile, IncludesFilesOfItsOwnFolderOnce) {
  const auto says = [](const std::string& includes, const std::string& part) {
    const std::string path = test_data() + "/mjcf/r.xml";
    std::string all;
    for (const Finding& finding : examine_urdf(mjcf_of(inertial, includes), {}, path).findings) {
      all += to_text(finding, "r.xml") + "\n";
    }
    EXPECT_NE(all.find(part), all.npos) << all;
  };
  const std::string classes = "<include file='many_features_classes.xml'/>";
  says(classes + classes, "is included twice");
  says("<include file='../arms/many_features_classes.xml'/>", "is outside the folder");
  says("<include file='../mjcf/many_features_classes.xml'/>" + classes, "is included twice");
  says("<include file='/etc/hostname'/>", "is outside the folder");
  says("<include/>", "file is missing");
  EXPECT_THROW(says("<include file='none.xml'/>", ""), FileError);
}

}  // namespace
}  // namespace armdyn::testing
