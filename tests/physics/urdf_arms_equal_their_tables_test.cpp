// An arm by frames and axes, as URDF has it, is the same arm as the table that is made of it: by the
// virtual work of its links, by the Newton-Euler recursion on the table, and by Orocos KDL on a tree
// that is built here from the XML, where it is installed; what is written for MuJoCo, by MuJoCo.

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#ifdef ARMDYN_HAS_KDL
#include <tinyxml2.h>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <map>
#endif

#ifdef ARMDYN_HAS_MUJOCO
#include <mujoco/mujoco.h>
#include <cstdio>
#include <memory>
#endif

#include "dynamics/compare.hpp"
#include "io/robot/robot_text.hpp"
#include "io/robot/urdf.hpp"
#include "math/rotation.hpp"
#include "model/mechanism.hpp"
#include "model/serial_chain.hpp"
#include "support/near.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Those of this project, and those of the folder that ARMDYN_URDF_FOLDER names.
std::vector<std::filesystem::path> urdf_files() {
  std::vector<std::filesystem::path> files;
  const char* others = std::getenv("ARMDYN_URDF_FOLDER");
  for (const std::string& folder : {test_data() + "/urdf", std::string(others ? others : "")}) {
    if (folder.empty()) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".urdf") files.push_back(entry.path());
    }
  }
  return files;
}

constexpr Snap none{0.0, 0.0};

/// With all angles as they are written, 1.5708 too.
SerialChain chain_in(const std::filesystem::path& path) {
  UrdfReport report = examine_urdf(content(path), {.snap = none}, path.string());
  EXPECT_TRUE(report.chain) << path;
  return std::move(report.chain->chain);
}

std::vector<Joint> joints_of(const SerialChain& chain) {
  std::vector<Joint> joints;
  joints.reserve(chain.joints.size());
  for (const ChainJoint& joint : chain.joints) joints.push_back(joint.joint);
  return joints;
}

void expect_same(const Deviation& found, double tolerance, const std::string& what) {
  EXPECT_LE(found.tcp, tolerance) << what;
  EXPECT_LE(found.turn, tolerance) << what;
  EXPECT_LE(found.jacobian, tolerance) << what;
  EXPECT_LE(found.gravity, tolerance * found.gravity_scale) << what;
  EXPECT_LE(found.torque, tolerance * found.torque_scale) << what;
}

/// Chains whose axes meet, are parallel, are one, or are askew, in frames turned at random.
SerialChain random_chain(RandomArm& random, std::mt19937_64& dice) {
  SerialChain chain;
  chain.name = "random";
  chain.base = {rotation_about(random.vector(2.0)), random.vector(0.5)};
  const std::size_t dof = 1 + dice() % 7;
  const Robot bodies = random.robot(dof);
  Vec3 axis{0.0, 0.0, 1.0};
  for (std::size_t i = 0; i < dof; ++i) {
    ChainJoint joint;
    joint.joint = bodies.joints[i];
    joint.joint.dh = {};
    joint.link = "link" + std::to_string(i);
    const Mat3 turned = rotation_about(random.vector(2.0));
    // The axis before, seen from the new frame.
    const Vec3 before = transposed(turned) * axis;
    Vec3 own = random.vector(1.0);
    switch (dice() % 4) {
      case 0:  // parallel to the one before, either way
        own = (dice() % 2 == 0 ? 1.0 : -1.0) * before;
        break;
      case 1:  // at right angles
        own = cross(before, own);
        break;
      default:
        break;
    }
    joint.axis = (1.0 / std::sqrt(dot(own, own))) * own;
    Vec3 place = random.vector(0.5);
    if (dice() % 3 == 0) place = random.numbers(1, 0.4).front() * axis;  // on the axis before
    if (dice() % 5 == 0) place = {};
    joint.origin = {turned, place};
    axis = joint.axis;
    chain.joints.push_back(joint);
  }
  chain.tip = {rotation_about(random.vector(2.0)), random.vector(0.2)};
  chain.payload = bodies.payload;
  return chain;
}

/// The table, and the standard one where all joints are by their rows.
std::vector<Robot> in_both_conventions(const Robot& robot) {
  if (is_mechanism(robot)) return {robot};
  return {robot, in_convention(robot, Convention::standard)};
}

TEST(ChainsAndTables, AreTheSameArmInBothConventions) {
  RandomArm random(20);
  std::mt19937_64 dice(20);
  for (int round = 0; round < 300; ++round) {
    const SerialChain chain = random_chain(random, dice);
    const ChainTable table = table_of(chain, none);
    for (const Robot& robot : in_both_conventions(table.robot)) {
      expect_same(deviation(chain, normalize(robot), robot.joints, size_of(chain), 3), 1e-11,
                  "round " + std::to_string(round));
    }
  }
}

TEST(ChainsAndTables, ComeBackFromTables) {
  RandomArm random(21);
  for (int round = 0; round < 100; ++round) {
    const Robot robot = random.robot(1 + static_cast<std::size_t>(round) % 7);
    const SerialChain chain = chain_of(robot);
    const double size = size_of(chain);
    expect_same(deviation(normalize(robot), chain, robot.joints, size, 3), 1e-12, "as frames");
    for (const Convention convention : {Convention::modified, Convention::standard}) {
      expect_same(deviation(normalize(robot), normalize(in_convention(robot, convention)),
                            robot.joints, size, 3),
                  1e-12, "in the other convention");
    }
  }
}

TEST(ChainsAndTables, OfUrdfFilesAreTheSameArm) {
  for (const auto& path : urdf_files()) {
    const SerialChain chain = chain_in(path);
    const ChainTable table = table_of(chain, none);
    double angles = 0.0;
    for (const Snapped& one : table.snapped) angles += one.angle;
    for (const Robot& robot : in_both_conventions(table.robot)) {
      expect_same(deviation(chain, normalize(robot), robot.joints, size_of(chain), 50),
                  1e-12 + 20.0 * angles, path.string());
    }
  }
}

/// The joints that do not stand by their row alone.
std::vector<std::string> names_by_origin(const Robot& robot) {
  std::vector<std::string> names;
  for (const Joint& joint : robot.joints) {
    if (joint.origin) names.push_back(joint.name);
  }
  return names;
}

TEST(ChainsAndTables, OfNearlyParallelAxesHaveAnOriginThere) {
  const SerialChain chain = chain_in(test_data() + "/urdf/calibrated.urdf");
  const ChainTable table = table_of(chain, none);
  EXPECT_TRUE(table.snapped.empty());
  EXPECT_EQ(names_by_origin(table.robot), (std::vector<std::string>{"elbow", "wrist1"}));
  for (const Joint& joint : table.robot.joints) EXPECT_LT(std::abs(joint.dh.d), 1.0);
  expect_same(deviation(chain, normalize(table.robot), joints_of(chain), size_of(chain), 200),
              1e-14, "calibrated");
}

// As a calibration writes them: each joint turned by micro-radians to a hundredth, and shifted.
TEST(ChainsAndTables, OfCalibratedArmsHaveTheTorquesOfTheirFiles) {
  std::mt19937_64 dice(62);
  std::uniform_real_distribution<double> sides(-1.0, 1.0), exponent(-6.0, -2.0);
  std::size_t arms = 0, by_origin = 0;
  for (const auto& file : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (file.path().extension() != ".yaml") continue;
    const Robot robot = read_robot_file(file.path().string()).robot;
    if (robot.dof() < 3) continue;
    SerialChain chain = chain_of(robot);
    for (ChainJoint& joint : chain.joints) {
      const double turn = std::pow(10.0, exponent(dice));
      joint.origin.R =
          joint.origin.R * rotation_about({turn * sides(dice), turn * sides(dice), turn});
      joint.origin.p = joint.origin.p + Vec3{1e-3 * sides(dice), 1e-4 * sides(dice), 1e-5};
    }
    const Robot read = parse_robot_file(urdf_text(chain, "calibrated"), "calibrated.urdf").robot;
    EXPECT_FALSE(read.joints.empty());
    by_origin += names_by_origin(read).size();
    expect_same(deviation(chain, normalize(read), joints_of(chain), size_of(chain), 20), 1e-12,
                file.path().string());
    ++arms;
  }
  EXPECT_GE(arms, 20U);
  EXPECT_GE(by_origin, 20U);
}

TEST(ChainsAndTables, AreSnappedByNoMoreThanWasAsked) {
  const SerialChain chain = chain_in(test_data() + "/urdf/calibrated.urdf");
  const Snap snap{1e-3, 1e-4};
  const ChainTable table = table_of(chain, snap);
  EXPECT_FALSE(table.snapped.empty());
  double share = 0.0;
  for (const Snapped& one : table.snapped) {
    EXPECT_LE(one.angle, snap.angle) << one.what;
    EXPECT_LE(one.length, snap.length) << one.what;
    share += one.angle + one.length / size_of(chain);
  }
  const Deviation found =
      deviation(chain, normalize(table.robot), joints_of(chain), size_of(chain), 200);
  EXPECT_GT(found.tcp, 1e-7);
  EXPECT_LE(found.tcp, 4.0 * share);
  EXPECT_LE(found.torque, 4.0 * share * found.effort);
}

TEST(Urdf, WrittenReadsBackAsTheSameArm) {
  RandomArm random(22);
  std::mt19937_64 dice(22);
  for (int round = 0; round < 50; ++round) {
    const SerialChain chain =
        round % 2 == 0 ? random_chain(random, dice) : chain_of(random.robot(5));
    const UrdfReport read = examine_urdf(
        urdf_text(chain, "test"), {.base = chain.base_link, .tip = chain.tip_link}, "written.urdf");
    ASSERT_TRUE(read.chain);
    expect_same(deviation(chain, read.chain->chain, joints_of(chain), size_of(chain), 3), 1e-12,
                "round " + std::to_string(round));
    for (std::size_t i = 0; i < chain.joints.size(); ++i) {
      EXPECT_EQ(read.chain->chain.joints[i].joint.name, chain.joints[i].joint.name);
      EXPECT_EQ(read.chain->chain.joints[i].joint.friction, chain.joints[i].joint.friction);
      EXPECT_EQ(read.chain->chain.joints[i].joint.motor, chain.joints[i].joint.motor);
    }
  }
}

TEST(Mjcf, WrittenIsTheSameArmByItsOwnFrames) {
  RandomArm random(23);
  std::mt19937_64 dice(23);
  for (int round = 0; round < 50; ++round) {
    const SerialChain chain = random_chain(random, dice);
    const std::vector<double> armatures(chain.joints.size(), 0.1);
    const UrdfReport read =
        examine_urdf(mjcf_text(chain, armatures, "test"), {.tip = chain.tip_link}, "");
    ASSERT_TRUE(read.chain) << error_lines(read.findings, "");
    expect_same(deviation(chain, read.chain->chain, joints_of(chain), size_of(chain), 3), 1e-11,
                "round " + std::to_string(round));
  }
}

#ifdef ARMDYN_HAS_MUJOCO

/// Torques of MuJoCo's links and armatures, from what is written for it.
void expect_torques_of_mujoco(const SerialChain& chain, const std::string& what) {
  std::vector<double> armatures;
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    armatures.push_back(0.01 * static_cast<double>(i + 1));
  }
  const std::string path = ::testing::TempDir() + "armdyn-in-mujoco.xml";
  std::ofstream(path) << mjcf_text(chain, armatures, "test");
  char error[500] = "";
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(
      mj_loadXML(path.c_str(), nullptr, error, sizeof error), mj_deleteModel);
  std::filesystem::remove(path);
  if (!model) throw std::runtime_error(what + ": " + error);
  model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE;
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()),
                                                               mj_deleteData);
  const std::size_t n = chain.joints.size();
  ASSERT_EQ(model->nv, static_cast<int>(n)) << what;
  const std::vector<Joint> joints = joints_of(chain);
  RandomMotion random(joints);
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> q = random.position(), qd = random.numbers(2.0),
                              qdd = random.numbers(5.0);
    std::copy(q.begin(), q.end(), data->qpos);
    std::copy(qd.begin(), qd.end(), data->qvel);
    std::copy(qdd.begin(), qdd.end(), data->qacc);
    mj_inverse(model.get(), data.get());
    const ArmState state = state_of(chain, {q, qd, qdd});
    std::vector<double> expected = state.torque;
    for (std::size_t i = 0; i < n; ++i) expected[i] += armatures[i] * qdd[i];
    expect_near({data->qfrc_inverse, data->qfrc_inverse + n}, expected, 1e-9, what);
    const mjtNum* tcp = data->site_xpos;
    expect_near({tcp[0], tcp[1], tcp[2]}, {state.tcp.p.x, state.tcp.p.y, state.tcp.p.z}, 1e-9,
                what + ", tcp", size_of(chain));
  }
}

TEST(Mjcf, IsTheSameArmInMujoco) {
  for (const auto& path : urdf_files()) {
    const SerialChain chain = chain_in(path);
    try {
      (void)mjcf_text(chain, std::vector<double>(chain.joints.size()), "test");
    } catch (const InputError& refused) {
      std::printf("%s is not written for MuJoCo: %s\n", path.stem().c_str(), refused.what());
      continue;
    }
    expect_torques_of_mujoco(chain, path.string());
  }
  RandomArm random(24);
  std::mt19937_64 dice(24);
  for (int round = 0; round < 50; ++round) {
    expect_torques_of_mujoco(random_chain(random, dice), "round " + std::to_string(round));
  }
}

#else

TEST(Mjcf, IsTheSameArmInMujoco) {
  GTEST_SKIP() << "MuJoCo is not installed (libmujoco-dev)";
}

#endif

#ifdef ARMDYN_HAS_KDL

KDL::Vector kdl_vector(const char* text) {
  double x = 0.0, y = 0.0, z = 0.0;
  if (text != nullptr) std::istringstream(text) >> x >> y >> z;
  return {x, y, z};
}

KDL::Frame kdl_frame(const tinyxml2::XMLElement* element) {
  const auto* origin = element->FirstChildElement("origin");
  if (origin == nullptr) return KDL::Frame::Identity();
  const KDL::Vector rpy = kdl_vector(origin->Attribute("rpy"));
  return {KDL::Rotation::RPY(rpy.x(), rpy.y(), rpy.z()), kdl_vector(origin->Attribute("xyz"))};
}

KDL::RigidBodyInertia kdl_inertia(const tinyxml2::XMLElement* link) {
  const auto* inertial = link->FirstChildElement("inertial");
  if (inertial == nullptr) return KDL::RigidBodyInertia::Zero();
  const auto* I = inertial->FirstChildElement("inertia");
  const auto entry = [I](const char* name) { return I->DoubleAttribute(name); };
  return kdl_frame(inertial) *
         KDL::RigidBodyInertia(inertial->FirstChildElement("mass")->DoubleAttribute("value"),
                               KDL::Vector::Zero(),
                               KDL::RotationalInertia(entry("ixx"), entry("iyy"), entry("izz"),
                                                      entry("ixy"), entry("ixz"), entry("iyz")));
}

/// As kdl_parser makes it: a segment per link, its joint at the link's origin. Only what the chain
/// moves; the others are fixed.
KDL::Tree kdl_tree(const std::filesystem::path& path, const SerialChain& chain, std::string& root) {
  tinyxml2::XMLDocument document;
  document.Parse(content(path).c_str());
  std::map<std::string, const tinyxml2::XMLElement*> links, above;
  const auto* robot = document.RootElement();
  for (const auto* e = robot->FirstChildElement("link"); e; e = e->NextSiblingElement("link")) {
    links[e->Attribute("name")] = e;
  }
  for (const auto* e = robot->FirstChildElement("joint"); e; e = e->NextSiblingElement("joint")) {
    above[e->FirstChildElement("child")->Attribute("link")] = e;
  }
  for (const auto& [name, link] : links) {
    if (!above.contains(name)) root = name;
  }
  KDL::Tree tree(root);
  std::map<std::string, bool> done{{root, true}};
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [name, joint] : above) {
      const std::string parent = joint->FirstChildElement("parent")->Attribute("link");
      if (done[name] || !done[parent]) continue;
      const bool moves = std::ranges::any_of(
          chain.joints, [&, link = name](const ChainJoint& one) { return one.link == link; });
      const KDL::Frame frame = kdl_frame(joint);
      KDL::Joint made(joint->Attribute("name"), KDL::Joint::None);
      if (moves) {
        const auto* axis = joint->FirstChildElement("axis");
        const KDL::Vector a = axis ? kdl_vector(axis->Attribute("xyz")) : KDL::Vector(1, 0, 0);
        const bool slides = std::string(joint->Attribute("type")) == "prismatic";
        made = KDL::Joint(joint->Attribute("name"), frame.p, frame.M * a,
                          slides ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
      }
      tree.addSegment(KDL::Segment(name, made, frame, kdl_inertia(links.at(name))), parent);
      done[name] = grows = true;
    }
  }
  return tree;
}

/// KDL's chain leaves out what hangs beside it, so bodies are those of the folded chain; its frames
/// and joints are the tree's own.
KDL::Chain kdl_chain(const KDL::Tree& tree, const std::string& root, const SerialChain& chain) {
  KDL::Chain path;
  EXPECT_TRUE(tree.getChain(root, chain.tip_link, path));
  // What hangs beside the path is added where it is fixed, by KDL's own frames.
  KDL::Chain whole;
  for (unsigned i = 0; i < path.getNrOfSegments(); ++i) {
    const KDL::Segment& segment = path.getSegment(i);
    KDL::RigidBodyInertia sum = segment.getInertia();
    std::vector<std::pair<KDL::SegmentMap::const_iterator, KDL::Frame>> open{
        {tree.getSegment(segment.getName()), KDL::Frame::Identity()}};
    const std::string next = i + 1 < path.getNrOfSegments() ? path.getSegment(i + 1).getName() : "";
    while (!open.empty()) {
      const auto [at, place] = open.back();
      open.pop_back();
      for (const auto& child : at->second.children) {
        if (child->first == next) continue;
        const KDL::Frame frame = place * child->second.segment.getFrameToTip();
        sum = sum + frame * child->second.segment.getInertia();
        open.emplace_back(child, frame);
      }
    }
    whole.addSegment(
        KDL::Segment(segment.getName(), segment.getJoint(), segment.getFrameToTip(), sum));
  }
  return whole;
}

TEST(ChainsAndTables, EqualOrocosKdl) {
  for (const auto& path : urdf_files()) {
    const SerialChain chain = chain_in(path);
    std::string root;
    const KDL::Tree tree = kdl_tree(path, chain, root);
    const KDL::Chain peer = kdl_chain(tree, root, chain);
    const auto n = static_cast<unsigned>(chain.joints.size());
    ASSERT_EQ(peer.getNrOfJoints(), n) << path;
    const KDL::Vector gravity(0, 0, -9.81);
    KDL::ChainIdSolver_RNE inverse(peer, gravity);
    KDL::ChainDynParam parameters(peer, gravity);
    KDL::ChainFkSolverPos_recursive forward(peer);
    const Arm arm = normalize(table_of(chain, none).robot);
    double snapped = 0.0;
    for (const Snapped& one : table_of(chain, none).snapped) snapped += one.angle;

    const std::vector<Joint> joints = joints_of(chain);
    RandomMotion random(joints);
    for (int k = 0; k < 20; ++k) {
      std::vector<double> q = random.position(), qd = random.numbers(2.0),
                          qdd = random.numbers(5.0);
      KDL::JntArray q_(n), qd_(n), qdd_(n), tau(n);
      for (unsigned i = 0; i < n; ++i) {
        q_(i) = q[i];
        qd_(i) = qd[i];
        qdd_(i) = qdd[i];
      }
      ASSERT_GE(inverse.CartToJnt(q_, qd_, qdd_,
                                  KDL::Wrenches(peer.getNrOfSegments(), KDL::Wrench::Zero()), tau),
                0);
      std::vector<double> expected(n);
      for (unsigned i = 0; i < n; ++i) expected[i] = tau(i);
      const ArmState by_frames = state_of(chain, {q, qd, qdd});
      expect_near(by_frames.torque, expected, 1e-12, path.string() + ", torque by frames");
      const double tolerance = 1e-12 + 20.0 * snapped;
      const ArmState by_table = state_of(arm, {q, qd, qdd});
      expect_near(by_table.torque, expected, tolerance, path.string() + ", torque by table");

      KDL::Frame tcp;
      ASSERT_GE(forward.JntToCart(q_, tcp), 0);
      const std::vector<double> place{tcp.p.x(), tcp.p.y(), tcp.p.z()};
      expect_near({by_table.tcp.p.x, by_table.tcp.p.y, by_table.tcp.p.z}, place, tolerance,
                  path.string() + ", tcp", size_of(chain));

      KDL::JntSpaceInertiaMatrix M(static_cast<int>(n));
      ASSERT_GE(parameters.JntToMass(q_, M), 0);
      for (unsigned j = 0; j < n; ++j) {
        std::vector<double> still(n), unit(n), column(n);
        unit[j] = 1.0;
        for (unsigned i = 0; i < n; ++i) column[i] = M(i, j);
        std::vector<double> found = state_of(chain, {q, still, unit}).torque;
        const std::vector<double> G = by_frames.gravity;
        for (unsigned i = 0; i < n; ++i) found[i] -= G[i];
        expect_near(found, column, 1e-12, path.string() + ", M", largest(G) + largest(column));
      }
    }
  }
}

#else

TEST(ChainsAndTables, EqualOrocosKdl) {
  GTEST_SKIP() << "Orocos KDL is not installed (liborocos-kdl-dev)";
}

#endif

}  // namespace
}  // namespace armdyn::testing
