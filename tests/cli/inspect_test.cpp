// inspect as a user runs it: numbers as JSON, text for reading, and what it refuses.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/case_matrices.hpp"
#include "support/near.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

using Json = nlohmann::json;

std::string list(const std::vector<double>& values) {
  std::ostringstream text;
  text.precision(17);
  for (const double value : values) text << (text.str().empty() ? "" : ",") << value;
  return text.str();
}

Json inspect(const Shell& shell, const std::string& arguments) {
  const Outcome outcome = shell.run("$armdyn inspect " + arguments + " --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return Json::parse(outcome.out);
}

Matrix matrix_at(const Json& json, const char* key) {
  return matrix(json.at(key).get<std::vector<std::vector<double>>>());
}

std::vector<double> vector_at(const Json& json, const char* key) {
  return json.at(key).get<std::vector<double>>();
}

TEST(Inspect, GivesTheReferenceCasesUnderTheirKeys) {
  const Shell shell;
  for (const std::string name : {"rr_craig", "cart_pole", "puma560_standard"}) {
    for (const CaseMatrices& x : read_case_matrices(name)) {
      const Json json = inspect(shell, test_data() + "/cases/robots/" + name + ".yaml --q " +
                                           list(x.q) + " --qd " + list(x.qd));
      expect_near(matrix_at(json, "T"), x.T, 1e-12, "T");
      expect_near(matrix_at(json, "J"), x.J, 1e-12, "J");
      expect_near(matrix_at(json, "Jdot"), x.Jdot, 1e-12, "Jdot", 1e-3);
      expect_near(matrix_at(json, "M"), x.M, 1e-12, "M");
      expect_near(matrix_at(json, "M_links"), x.M_links, 1e-12, "M_links");
      expect_near(matrix_at(json, "C"), x.christoffel_C, 1e-12, "C");
      expect_near(matrix_at(json, "craig_B"), x.craig_B, 1e-12, "craig_B", 1e-3);
      expect_near(matrix_at(json, "craig_C"), x.craig_C, 1e-12, "craig_C");
      expect_near(vector_at(json, "V"), x.V, 1e-12, "V");
      expect_near(vector_at(json, "G"), x.G, 1e-12, "G");
      if (x.cartesian) {
        expect_near(matrix_at(json, "Mx"), x.Mx, 1e-11, "Mx");
        expect_near(vector_at(json, "Vx"), x.Vx, 1e-11, "Vx");
        expect_near(vector_at(json, "Gx"), x.Gx, 1e-11, "Gx");
        EXPECT_TRUE(json.at("cartesian_refusal").is_null());
      } else {
        EXPECT_TRUE(json.at("Mx").is_null());
        EXPECT_TRUE(json.at("craig_Cx").is_null());
        EXPECT_TRUE(json.at("cartesian_refusal").is_string());
      }
    }
  }
}

TEST(Inspect, TakesAListDegreesOrAPose) {
  const Shell shell;
  const std::string pi = "3.141592653589793";
  const Json plain =
      inspect(shell, "puma560 --q 0,0.7853981633974483," + pi + ",0,0.7853981633974483,0");
  for (const std::string same :
       {"\"0,45,180,0,45,0 deg\"", "qn", "0,pi/4,pi,0,pi/4,0", "\" 0, 45 ,180,0,45,0 deg\""}) {
    EXPECT_EQ(inspect(shell, "puma560 --q " + same).at("M"), plain.at("M")) << same;
  }
  // The slide of this arm is in m either way.
  EXPECT_EQ(vector_at(inspect(shell, "craig-rp --q \"180,0.5 deg\""), "q"),
            (std::vector<double>{3.141592653589793, 0.5}));
  EXPECT_EQ(vector_at(inspect(shell, "craig-rp --q -pi/2,0.5 --qd -1,2"), "qd"),
            (std::vector<double>{-1.0, 2.0}));
}

TEST(Inspect, ShowsTheWorldPoseOnlyWhereTheRobotHasABase) {
  const Shell shell;
  EXPECT_FALSE(inspect(shell, "puma560").contains("T_world"));
  EXPECT_TRUE(inspect(shell, "two-link-spong").contains("T_world"));
}

TEST(Inspect, HasTaskRowsForOtherThanSixJoints) {
  const Shell shell;
  const Json seven = inspect(shell, "kuka-iiwa14 --q 0.1,0.2,0.3,0.4,0.5,0.6,0.7");
  EXPECT_TRUE(seven.at("Mx").is_null());
  EXPECT_EQ(seven.at("cartesian_refusal"),
            "Cartesian terms need six joints or chosen task rows (--rows vx,vy,...); this arm has "
            "7 joints");
  const Json three = inspect(shell, "kuka-iiwa14 --q 0.1,0.2,0.3,0.4,0.5,0.6,0.7 --rows vz,vx,wy");
  EXPECT_EQ(three.at("rows"), Json({"vz", "vx", "wy"}));
  EXPECT_EQ(three.at("options").at("rows"), three.at("rows"));
  EXPECT_TRUE(seven.at("options").at("rows").is_null());
  EXPECT_EQ(matrix_at(three, "Mx").rows(), 3U);
  EXPECT_EQ(matrix_at(three, "craig_Bx").columns(), 21U);
  EXPECT_EQ(matrix_at(three, "craig_Bx").rows(), 7U);
}

TEST(Inspect, RefusesOnlyTheCartesianTermsAtASingularity) {
  const Shell shell;
  const Json json = inspect(shell, "puma560 --q \"0,10,20,0,0,0 deg\"");
  for (const char* key : {"Mx", "Vx", "Gx", "craig_Bx", "craig_Cx"}) {
    EXPECT_TRUE(json.at(key).is_null()) << key;
  }
  EXPECT_EQ(
      json.at("cartesian_refusal"),
      "J is singular here as far as doubles can tell: in some direction the hand cannot move");
  EXPECT_EQ(matrix_at(json, "M").rows(), 6U);
  EXPECT_LT(json.at("manipulability").get<double>(), 1e-16);
}

TEST(Inspect, GivesTheLinearModelWhereItIsAskedFor) {
  const Shell shell;
  const Json plain = inspect(shell, "puma560 --q qr");
  EXPECT_FALSE(plain.contains("A"));
  const Json linear = inspect(shell, "puma560 --q qr --linearize");
  EXPECT_EQ(matrix_at(linear, "A").rows(), 12U);
  EXPECT_EQ(matrix_at(linear, "B").columns(), 6U);
  expect_near(matrix_at(linear, "dtau_dqdd"), matrix_at(linear, "M"), 1e-14, "M");
  EXPECT_FALSE(linear.contains("Ad"));
  EXPECT_TRUE(linear.at("options").at("sample_time").is_null());
  const Json sampled = inspect(shell, "puma560 --q qr --sample-time 0.01");
  EXPECT_EQ(sampled.at("options").at("sample_time"), 0.01);
  EXPECT_EQ(matrix_at(sampled, "A"), matrix_at(linear, "A"));
  EXPECT_NEAR(matrix_at(sampled, "Ad")(0, 6), 0.01, 1e-3);
}

TEST(Inspect, RefusesOnlyTheLinearModelWhereTheMassMatrixIsSingular) {
  const Shell shell;
  const Json json = inspect(shell, "six-link-jaeri --linearize");  // thin rods, stretched
  EXPECT_TRUE(json.at("A").is_null());
  EXPECT_EQ(json.at("linear_refusal"),
            "the mass matrix is singular at this position, so accelerations do not follow from "
            "torques");
  EXPECT_EQ(matrix_at(json, "dtau_dq").rows(), 6U);
}

TEST(Inspect, GoesToAnEquilibrium) {
  const Shell shell;
  const Json json = inspect(shell, "craig-rr --q \"-80,5 deg\" --equilibrium");
  expect_near(vector_at(json, "q"), {-1.5707963267948966, 0.0}, 1e-12, "q");
  EXPECT_EQ(json.at("equilibrium").at("falling_directions"), 0);
  EXPECT_LT(largest(vector_at(json, "G")), 1e-12);
}

TEST(Inspect, ReadsLikeATextbook) {
  const Shell shell;
  const Outcome outcome =
      shell.run("$armdyn inspect two-link-spong --q 0.3,0.7 --qd 0.5,-0.4 --rows vx,vy --links");
  EXPECT_EQ(outcome.exit_code, 0);
  const std::string start =
      R"(two-link-spong
              q rad    deg      qd    M qd        V          G       tau
  1 shoulder      0.3   17.189   0.5     0.87945  0.077306  16.708    16.785
  2 elbow         0.7   40.107  -0.4     0.21621  0.080527   2.6502    2.7307
  kinetic energy 0.17662 J, potential 8.476 J (zero at the origin of {0})
  tau: what the drives deliver, losses included; positive G holds the arm up; N·m

Link frames in {0}: origin (m), directions of x and z
     px        py        pz  xx       xy       xz  zx  zy  zz
  1   0.95534   0.29552   0   0.9553   0.2955   0   0   0   1
  2   1.4956    1.137     0   0.5403   0.8415   0   0   0   1
)";
  EXPECT_EQ(outcome.out.substr(0, start.size()), start);
  const std::string end =
      R"(Outward: each link in axes of its frame {i}; v_dot and F contain -g
  link 1 shoulder
                     x       y       z
  omega      rad/s   0       0       0.5
  omega_dot  rad/s²  0       0       0
  v          m/s     0       0.5     0
  v_dot      m/s²    2.6491  9.3719  0
  F          N       2.7741  9.3719  0
  N          N·m     0       0       0

  link 2 elbow
                     x        y        z
  omega      rad/s   0        0        0.1
  omega_dot  rad/s²  0        0        0
  v          m/s     0.32211  0.48242  0
  v_dot      m/s²    8.0536   5.4614   0
  F          N       8.0586   5.4614   0
  N          N·m     0        0        0

Inward: what link i-1 exerts on link i, in axes of {i}, the moment about the origin of {i-1}
  link 2 elbow
                  x       y       z
  force      N    8.0586  5.4614  0
  moment     N·m  0       0       2.7307

  link 1 shoulder
                  x        y      z
  force      N    5.4193  18.74   0
  moment     N·m  0        0     16.785
)";
  EXPECT_EQ(outcome.out.substr(outcome.out.size() - end.size()), end);
}

std::size_t characters(const std::string& utf8) {
  std::size_t count = 0;
  for (const char byte : utf8) count += (byte & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

TEST(Inspect, FitsATerminalOfAHundredColumns) {
  const Shell shell;
  for (const std::string robot : {"puma560", "kuka-iiwa14", "stanford", "six-link-jaeri"}) {
    const Outcome outcome =
        shell.run("$armdyn inspect " + robot + " --links --sample-time 0.01 --rows vx,wz");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(characters(line), 100U) << line;
  }
}

TEST(Inspect, GivesDegreesToRevoluteJointsAlone) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn inspect craig-rp --q pi/2,0.5");
  const std::string start =
      R"(craig-rp (at rest: V = 0)
              q rad, m       deg   G     tau
  1 shoulder         1.5708   90   0       0
  2 slide            0.5          19.62   19.62
)";
  EXPECT_EQ(outcome.out.substr(0, start.size()), start);
}

TEST(Inspect, WarnsOfWhatIsOddAboutTheState) {
  const Shell shell;
  const Outcome outcome =
      shell.run("$armdyn inspect ur5 --q 0,0,0,0,1e-4,7 --rows vx,vy,vz,wx,wy,wz");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("joint 6 (wrist_3) at 7 is outside of its limits -6.283 .. 6.283 rad"),
            std::string::npos)
      << outcome.err;
}

class InspectMistake : public ::testing::Test {
 protected:
  void expect(const std::string& arguments, int exit_code, const std::string& message) const {
    const Outcome outcome = shell.run("$armdyn inspect " + arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments;
    EXPECT_EQ(outcome.err, "armdyn: " + message + "\n") << arguments;
    EXPECT_EQ(outcome.out, "");
  }

  Shell shell;
};

TEST_F(InspectMistake, WrongNumberOfJoints) {
  expect("craig-rr --q 1,2,3", 2,
         "--q: found 3 numbers in \"1,2,3\", expected 2, one per joint of craig-rr");
  expect("craig-rr --qd \"90 deg\"", 2,
         "--qd: found 1 number in \"90 deg\", expected 2, one per joint of craig-rr");
}
TEST_F(InspectMistake, NoNumber) {
  expect("craig-rr --q 1,x", 2, "--q: found \"x\" in \"1,x\", expected a number");
  expect("craig-rr --q \"90 deg,0\"", 2,
         "--q: found \"90 deg\" in \"90 deg,0\", expected a number; ' deg' stands once, after the "
         "whole list");
}
TEST_F(InspectMistake, UnknownPose) {
  expect("craig-rp --q exmple", 2,
         "--q: craig-rp has no pose 'exmple', it has example; did you mean 'example'?");
}
TEST_F(InspectMistake, UnknownRow) {
  expect("craig-rr --rows vx,vt", 2,
         "--rows: found \"vt\", expected one of vx, vy, vz, wx, wy, wz; did you mean 'vx'?");
  expect("craig-rr --rows vx,vx", 2, "--rows: vx stands twice in \"vx,vx\"");
}
TEST_F(InspectMistake, SampleTimeOfZero) {
  expect("craig-rr --sample-time 0", 2,
         "--sample-time: found \"0\", expected seconds greater than 0");
}
TEST_F(InspectMistake, MovingEquilibrium) {
  expect("craig-rr --equilibrium --qd 1,1", 2,
         "--equilibrium is a state of rest; leave out --qd and --qdd");
}
TEST_F(InspectMistake, OutputOverTheRobotFile) {
  (void)shell.run("cp " + shipped_robots_folder() + "/craig-rr.yaml rr.yaml");
  expect("rr.yaml -o ./rr.yaml", 2, "the output './rr.yaml' is the robot file; name another file");
}
TEST_F(InspectMistake, AbsurdVelocity) {
  expect(
      "craig-rr --q 0,1 --qd 1e200,0", 5,
      "a part of the torque of shoulder is not a finite number: qd of shoulder, 1e+200 rad/s, is "
      "too large");
}
TEST_F(InspectMistake, NoEquilibrium) {
  expect("craig-rp --equilibrium --gravity -3,0,0", 5,
         "no equilibrium found from this start: gravity still asks 6 of joint 2 after 100 steps. "
         "Start nearer to one, or check that the arm has one");
}

}  // namespace
}  // namespace armdyn::testing
