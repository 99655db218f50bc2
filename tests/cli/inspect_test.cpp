// inspect as a user runs it: numbers as JSON, text for reading, and what it refuses.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "support/case_matrices.hpp"
#include "support/csv_columns.hpp"
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
        EXPECT_FALSE(json.contains("cartesian_refusal"));
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
       {"\"0,45,180,0,45,0 deg\"", "0,pi/4,pi,0,pi/4,0", "\" 0, 45 ,180,0,45,0 deg\""}) {
    EXPECT_EQ(inspect(shell, "puma560 --q " + same).at("M"), plain.at("M")) << same;
  }
  EXPECT_EQ(vector_at(inspect(shell, "puma560 --q qn"), "q"),
            vector_at(inspect(shell, "puma560 --q 0,pi/4,-pi,0,pi/4,0"), "q"));
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
  EXPECT_EQ(
      seven.at("cartesian_refusal"),
      "Cartesian terms need six joints or chosen task rows (--task-rows vx,vy,...); this arm has "
      "7 joints");
  const Json three =
      inspect(shell, "kuka-iiwa14 --q 0.1,0.2,0.3,0.4,0.5,0.6,0.7 --task-rows vz,vx,wy");
  EXPECT_EQ(three.at("task_rows"), Json({"vz", "vx", "wy"}));
  EXPECT_EQ(three.at("options").at("task_rows"), three.at("task_rows"));
  EXPECT_FALSE(seven.at("options").contains("task_rows"));
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
  EXPECT_EQ(json.at("cartesian_refusal"),
            "J is singular here in double precision: in some direction the TCP cannot move");
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
  EXPECT_FALSE(linear.at("options").contains("sample_time"));
  const Json sampled = inspect(shell, "puma560 --q qr --sample-time 0.01");
  EXPECT_EQ(sampled.at("options").at("sample_time"), 0.01);
  EXPECT_EQ(matrix_at(sampled, "A"), matrix_at(linear, "A"));
  EXPECT_NEAR(matrix_at(sampled, "Ad")(0, 6), 0.01, 1e-3);
}

TEST(Inspect, ShowsEveryRowOfTheLinearModel) {
  const Shell shell;
  const std::string verb = "two-link-spong --q 0.3,0.7 --qd 0.5,-0.4 --linearize";
  const Matrix A = matrix_at(inspect(shell, verb), "A");
  std::istringstream text(shell.run("$armdyn inspect " + verb).out);
  std::string line, label;
  while (std::getline(text, line) && !line.starts_with("A: d/dt")) {
  }
  std::getline(text, line);  // q1 q2 .. qd2
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(std::getline(text, line));
    std::istringstream row(line);
    row >> label;
    EXPECT_EQ(label, (i < 2 ? "q" : "qd") + std::to_string(i % 2 + 1));
    for (std::size_t j = 0; j < 4; ++j) {
      double shown = 0.0;
      ASSERT_TRUE(row >> shown) << line;
      EXPECT_NEAR(shown, A(i, j), 1e-3 * std::abs(A(i, j)) + 1e-9) << i << ", " << j;
    }
  }
  ASSERT_TRUE(std::getline(text, line));
  EXPECT_EQ(line, "");
}

TEST(Inspect, RefusesOnlyTheLinearModelWhereTheMassMatrixIsSingular) {
  const Shell shell;
  const Json json = inspect(shell, "six-link-jaeri --linearize");  // thin rods, stretched
  EXPECT_TRUE(json.at("A").is_null());
  EXPECT_EQ(json.at("linear_refusal"),
            "the mass matrix is singular at this position, so accelerations do not follow from "
            "torques");
  EXPECT_EQ(matrix_at(json, "dtau_dq").rows(), 6U);
  const Json sampled = inspect(shell, "six-link-jaeri --sample-time 0.1");
  EXPECT_EQ(sampled.at("sample_time"), 0.1);
  for (const char* const key : {"A", "B", "Ad", "Bd"}) EXPECT_TRUE(sampled.at(key).is_null());
}

/// Paper 000's section on Cartesian space, for its arm of two links with masses at their ends: seen
/// in axes {e_1, e_2} along and across link 2, where the TCP is, M_x = diag(m2 + m1/s2², m2) and
/// G_x = (m1 g c1/s2 + m2 g s12, m2 g c12).
TEST(Inspect, FollowsPaper000ToTheHandOfTheArmOfTwoLinks) {
  const Shell shell;
  const double q1 = 0.3, q2 = 0.7, m1 = 4.6, m2 = 2.3, g = 9.81;
  const double along = m2 + m1 / std::pow(std::sin(q2), 2);
  const double c = std::cos(q1 + q2), s = std::sin(q1 + q2);
  const double G_along = m1 * g * std::cos(q1) / std::sin(q2) + m2 * g * s, G_across = m2 * g * c;
  const Json json = inspect(shell, "craig-rr --q example --task-rows vx,vy");
  expect_near(matrix_at(json, "Mx"),
              matrix({{along * c * c + m2 * s * s, (along - m2) * s * c},
                      {(along - m2) * s * c, along * s * s + m2 * c * c}}),
              1e-13, "Mx");
  expect_near(vector_at(json, "Gx"), {G_along * c - G_across * s, G_along * s + G_across * c},
              1e-13, "Gx");
  EXPECT_TRUE(inspect(shell, "craig-rr --q 0.3,0 --task-rows vx,vy").contains("cartesian_refusal"));
}

TEST(Inspect, ShowsTheMatricesOfPaper001) {
  const Shell shell;
  const Json json = inspect(shell, "puma560 --q qr --qd 1,2,3,4,5,6 --what Ci,V,links,kinetic");
  const std::vector<double> V = vector_at(json, "V"), qd{1, 2, 3, 4, 5, 6};
  ASSERT_EQ(json.at("Ci").size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const std::vector<double> row =
        times(matrix(json.at("Ci").at(i).get<std::vector<std::vector<double>>>()), qd);
    double V_i = 0.0;
    for (std::size_t j = 0; j < 6; ++j) V_i += qd[j] * row[j];
    EXPECT_NEAR(V_i, V[i], 1e-13);
    const Json& link = json.at("links").at(i);
    for (const char* key : {"v_c", "v_c_dot", "angular_momentum", "A", "K"}) {
      EXPECT_EQ(link.at(key).size(), 3U) << key;
    }
    EXPECT_EQ(matrix_at(link, "Ja").columns(), 4U);
  }
  const Json& tcp = json.at("links").at(5);  // Corke: 0.09 kg, center of mass 32 mm up z
  expect_near(matrix_at(tcp, "Ja"),
              matrix({{2e-5, 0, 0, 0},
                      {0, 2e-5, 0, 0},
                      {0, 0, 13e-5 + 0.09 * 0.032 * 0.032, 0.09 * 0.032},
                      {0, 0, 0.09 * 0.032, 0.09}}),
              1e-15, "Ja");
  const Outcome text = shell.run("$armdyn inspect craig-rr --q example --what Ci");
  EXPECT_EQ(text.out, R"(Ci: symmetric, V_i = qdᵀ Ci qd (paper 001: Turney, Mudge, Lee 1980)
  of joint 1
      1         2
  1   0        -0.37043
  2  -0.37043  -0.37043
  of joint 2
     1        2
  1  0.37043  0
  2  0        0
)");
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
  const Outcome outcome = shell.run(
      "$armdyn inspect two-link-spong --q 0.3,0.7 --qd 0.5,-0.4 --task-rows vx,vy --links --all");
  EXPECT_EQ(outcome.exit_code, 0);
  const std::string start =
      R"(two-link-spong
              q rad    deg      qd    M qd        V          G       tau
  1 shoulder      0.3   17.189   0.5     0.87945  0.077306  16.708    16.785
  2 elbow         0.7   40.107  -0.4     0.21621  0.080527   2.6502    2.7307
  kinetic energy 0.17662 J, potential 8.476 J (zero at the origin of {0})
  qd rad/s, qdd rad/s², M qd kg·m²/s, V, G and tau N·m
  tau: what the drives deliver, losses included; positive G holds the arm up

Link frames in {0}: origin (m), directions of x and z
     px        py        pz  xx       xy       xz  zx  zy  zz
  1   0.95534   0.29552   0   0.9553   0.2955   0   0   0   1
  2   1.4956    1.137     0   0.5403   0.8415   0   0   0   1
)";
  EXPECT_EQ(outcome.out.substr(0, start.size()), start);
  const std::string end =
      R"(Outward: each link in axes of its frame {i}; v_dot, v_c_dot and F contain -g
  link 1 shoulder
                             x       y       z
  omega             rad/s    0       0       0.5
  omega_dot         rad/s²   0       0       0
  v                 m/s      0       0.5     0
  v_dot             m/s²     2.6491  9.3719  0
  v_c               m/s      0       0.25    0
  v_c_dot           m/s²     2.7741  9.3719  0
  F                 N        2.7741  9.3719  0
  N                 N·m      0       0       0
  angular_momentum  kg·m²/s  0       0       0
  about the origin of {0}, in its axes
                               x  y  z
  angular_momentum_0  kg·m²/s  0  0  0.125
  moment_0            N·m      0  0  4.6859
  kinetic energy 0.03125 J, potential 1.4495 J

  link 2 elbow
                             x        y        z
  omega             rad/s    0        0        0.1
  omega_dot         rad/s²   0        0        0
  v                 m/s      0.32211  0.48242  0
  v_dot             m/s²     8.0536   5.4614   0
  v_c               m/s      0.32211  0.43242  0
  v_c_dot           m/s²     8.0586   5.4614   0
  F                 N        8.0586   5.4614   0
  N                 N·m      0        0        0
  angular_momentum  kg·m²/s  0        0        0
  about the origin of {0}, in its axes
                               x  y   z
  angular_momentum_0  kg·m²/s  0  0   0.75445
  moment_0            N·m      0  0  12.099
  kinetic energy 0.14537 J, potential 7.0265 J

Inward: force and moment of link i-1 on link i, in axes of {i}, the moment about the origin of {i-1}
  link 2 elbow
               x       y       z
  force   N    8.0586  5.4614  0
  moment  N·m  0       0       2.7307

  link 1 shoulder
               x        y      z
  force   N    5.4193  18.74   0
  moment  N·m  0        0     16.785

Paper 001 (Turney, Mudge, Lee 1980): A (1/s²), K (kg·m²), modified form; Ja (kg·m², kg·m, kg)
  link 1 shoulder
      A               K        Ja
  x  -0.25   0     0  0  0  0   0.25  0  0  -0.5
  y   0     -0.25  0  0  0  0   0     0  0   0
  z   0      0     0  0  0  0   0     0  0   0
                               -0.5   0  0   1

  link 2 elbow
      A               K        Ja
  x  -0.01   0     0  0  0  0   0.25  0  0  -0.5
  y   0     -0.01  0  0  0  0   0     0  0   0
  z   0      0     0  0  0  0   0     0  0   0
                               -0.5   0  0   1
)";
  EXPECT_EQ(outcome.out.substr(outcome.out.size() - end.size()), end);
}

TEST(Inspect, FitsATerminalOfAHundredColumns) {
  const Shell shell;
  for (const std::string robot : {"puma560", "kuka-iiwa14", "stanford", "six-link-jaeri"}) {
    const Outcome outcome = shell.run("$armdyn inspect " + robot +
                                      " --links --sample-time 0.01 --task-rows vx,wz --all");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(characters(line), 100U) << line;
  }
}

TEST(Inspect, OpensOnOneScreen) {
  const Shell shell;
  for (const std::string robot : {"puma560", "franka-panda", "craig-rp", "stanford"}) {
    const std::string verb = "$armdyn inspect " + robot + " --qd ",
                      ones = robot == "craig-rp"       ? "1,1"
                             : robot == "franka-panda" ? "1,1,1,1,1,1,1"
                                                       : "1,1,1,1,1,1";
    const std::string text = shell.run(verb + ones).out;
    EXPECT_LE(std::ranges::count(text, '\n'), 35) << text;
    for (const std::string part : {" V ", " G ", "tau", "T: the tool in {0}, m\n",
                                   "condition number", "M: mass matrix", "--all shows"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
    const std::string all = shell.run(verb + ones + " --all").out;
    for (const std::string part :
         {"\nLink frames", "\nJ: ", "\nJdot", "\nC: ", "\ncraig_B", "\nMx"}) {
      EXPECT_EQ(text.find(part), std::string::npos) << part;
      EXPECT_NE(all.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(all.find("--all shows"), std::string::npos);
    EXPECT_EQ(shell.run(verb + ones + " --json").out, shell.run(verb + ones + " --json --all").out);
  }
  const std::string tcp = shell.run("$armdyn inspect craig-rr --q 0.3,0.7 --task-rows vx,vy").out;
  EXPECT_NE(tcp.find("\nMx: Cartesian mass matrix, kg"), std::string::npos) << tcp;
  EXPECT_EQ(tcp.find("\nJ: "), std::string::npos) << tcp;
  EXPECT_EQ(shell.run("$armdyn inspect puma560 puma560-pick-and-place --what T --all").err,
            "armdyn: inspect: --all is for one state, and 'puma560-pick-and-place' stands for "
            "MOTION; leave one of them out\n");
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
      shell.run("$armdyn inspect ur5 --q 0,0,0,0,1e-4,7 --task-rows vx,vy,vz,wx,wy,wz");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(
      outcome.err.find("wrist_3: q is 0.7168 rad outside its limits -6.283 to 6.283 rad at 7 rad"),
      std::string::npos)
      << outcome.err;
}

TEST(Inspect, ShowsOnlyWhatIsAskedFor) {
  const Shell shell;
  const std::string state = "ur5e --q 0.3,-1,0.8,0.2,0.5,0.1 --qd 1,0.5,-0.5,0.2,0,0.3 ";
  const Json all = inspect(shell, state);
  Json some = inspect(shell, state + "--what M,G,J");
  EXPECT_EQ(some["options"]["what"], Json({"M", "G", "J"}));
  EXPECT_FALSE(some["options"].contains("derive")) << "is about a motion";
  for (const std::string key : {"M", "G", "J"}) EXPECT_EQ(some.at(key), all.at(key));
  for (const std::string key :
       {"version", "robot", "options", "model_warnings", "warnings", "M", "G", "J"}) {
    some.erase(key);
  }
  EXPECT_TRUE(some.empty()) << some;

  const std::string text = shell.run("$armdyn inspect " + state + "--what M,condition").out;
  EXPECT_NE(text.find("M: mass matrix"), std::string::npos);
  EXPECT_NE(text.find("condition number"), std::string::npos);
  for (const std::string other : {"Jacobian", "Link frames", "M_links", "manipulability", "tau"}) {
    EXPECT_EQ(text.find(other), std::string::npos) << other;
  }
}

std::vector<double> of_row(const CsvColumns& table, const std::vector<std::string>& names,
                           std::size_t row) {
  std::vector<double> values;
  for (const std::string& name : names) values.push_back(table.at(name).at(row));
  return values;
}

/// Over a motion: the same numbers as at each of its states.
TEST(Inspect, OverAMotionGivesItsStates) {
  const Shell shell;
  ASSERT_EQ(shell
                .run("$armdyn trajectory stanford --from 0,-1,0.4,0.2,0.5,0 --to "
                     "1,0.5,0.7,-1,0.9,2 --duration 1 --rate 10 -o motion.csv")
                .exit_code,
            0);
  const Outcome outcome = shell.run(
      "$armdyn inspect stanford motion.csv --what T,J,M,M_links,C,V,G,tau,condition,kinetic,"
      "potential -o terms.csv --threads 2");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns motion = csv_columns(shell.read("motion.csv"));
  const CsvColumns terms = csv_columns(shell.read("terms.csv"));
  const auto entries = [&](const std::string& name, std::size_t rows, std::size_t row) {
    Matrix A(rows, 6);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        A(i, j) = terms.at(name + std::to_string(i + 1) + "_" + std::to_string(j + 1)).at(row);
      }
    }
    return A;
  };
  const auto joints = [](const std::string& name) {
    std::vector<std::string> names;
    for (int i = 1; i <= 6; ++i) names.push_back(name + std::to_string(i));
    return names;
  };
  for (const std::size_t row : {0U, 3U, 7U, 10U}) {
    const auto at = [&](const std::string& name) { return of_row(motion, joints(name), row); };
    const Json state = inspect(shell, "stanford --q " + list(at("q")) + " --qd " + list(at("qd")) +
                                          " --qdd " + list(at("qdd")));
    for (const std::string key : {"M", "M_links", "C"}) {
      expect_near(entries(key, 6, row), matrix_at(state, key.c_str()), 1e-15, key);
    }
    expect_near(entries("J", 6, row), matrix_at(state, "J"), 1e-15, "J");
    for (const std::string key : {"V", "G", "tau"}) {
      expect_near(of_row(terms, joints(key), row), vector_at(state, key.c_str()), 1e-13, key);
    }
    for (const std::string key : {"condition", "kinetic", "potential"}) {
      EXPECT_NEAR(terms.at(key)[row], state.at(key), 1e-13 * std::abs(terms.at(key)[row])) << key;
    }
    const Matrix T = matrix_at(state, "T");
    EXPECT_EQ(of_row(terms, {"x", "y", "z"}, row), (std::vector{T(0, 3), T(1, 3), T(2, 3)}));
    EXPECT_EQ(of_row(terms, {"R1_1", "R1_2", "R3_2"}, row),
              (std::vector{T(0, 0), T(0, 1), T(2, 1)}));
    expect_near(of_row(terms, {"vx", "vy", "vz", "wx", "wy", "wz"}, row),
                times(matrix_at(state, "J"), at("qd")), 1e-14, "twist");
  }
}

/// Power: what the drives put in without losses is the change of energy; and the TCP's velocity is
/// that of its place. By central differences over time.
TEST(Inspect, OverAMotionKeepsTheBalanceOfPower) {
  const Shell shell;
  ASSERT_EQ(shell
                .run("$armdyn trajectory kuka-iiwa14 --from 0,0.3,-0.4,1,0,0.6,0 --to "
                     "1,-0.5,0.7,-1,0.9,0.2,1 --duration 4 -o motion.csv")
                .exit_code,
            0);
  ASSERT_EQ(shell
                .run("$armdyn inspect kuka-iiwa14 motion.csv --what T,kinetic,potential,tau "
                     "--without friction -o terms.csv")
                .exit_code,
            0);
  const CsvColumns motion = csv_columns(shell.read("motion.csv"));
  const CsvColumns terms = csv_columns(shell.read("terms.csv"));
  for (std::size_t k = 1; k + 1 < 4001; k += 137) {
    const auto rate = [&](const std::string& name) {
      const std::vector<double>& values = terms.at(name);
      return (values[k + 1] - values[k - 1]) / 2e-3;
    };
    double power = 0.0;
    for (int i = 1; i <= 7; ++i) {
      const std::string joint = std::to_string(i);
      power += motion.at("qd" + joint)[k] * terms.at("tau" + joint)[k];
    }
    EXPECT_NEAR(rate("kinetic") + rate("potential"), power, 2e-3);
    EXPECT_NEAR(rate("x"), terms.at("vx")[k], 2e-5);
    EXPECT_NEAR(rate("z"), terms.at("vz")[k], 2e-5);
  }
}

TEST(Inspect, OverAMotionAsksForNoMoreThanItNeeds) {
  const Shell shell;
  shell.write("q.csv", "q1,q2\n0.1,0.2\n0.3,0.5\n");
  const Outcome outcome = shell.run("$armdyn inspect craig-rr q.csv --what T,M --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')),
            "x,y,z,R1_1,R1_2,R1_3,R2_1,R2_2,R2_3,R3_1,R3_2,R3_3,M1_1,M1_2,M2_1,M2_2");
  EXPECT_EQ(shell.run("$armdyn inspect craig-rr q.csv --what V").err,
            "q.csv:1: missing columns qd1..qd2; the file has q1, q2; --derive computes qd and qdd "
            "from q\n");
  // What inspect writes, others pass over.
  shell.write("both.csv",
              "t,q1,q2,qd1,qd2,qdd1,qdd2,x,vx,M1_2,G2,condition\n"
              "0,0,0,0,0,0,0,1,2,3,4,5\n");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr both.csv --quiet").exit_code, 0);
}

TEST(Inspect, OverAMotionGivesTaskTermsAndJacobiansOfLinks) {
  const Shell shell;
  shell.write("in.csv", "q1,q2,qd1,qd2\n0.3,0.7,0.5,-0.4\n");
  const std::string view =
      " --task-rows vx,vy --axes tool --point origin --what Mx,Vx,Gx,link_jacobians";
  const CsvColumns rows =
      csv_columns(shell.run("$armdyn inspect craig-rr in.csv --quiet" + view).out);
  const Json at = inspect(shell, "craig-rr --q 0.3,0.7 --qd 0.5,-0.4" + view);
  for (const std::size_t i : {0U, 1U}) {
    const std::string row = std::to_string(i + 1);
    EXPECT_EQ(rows.at("Vx" + row)[0], at["Vx"][i]);
    EXPECT_EQ(rows.at("Gx" + row)[0], at["Gx"][i]);
    for (const std::size_t j : {0U, 1U}) {
      const std::string column = "_" + std::to_string(j + 1);
      EXPECT_EQ(rows.at("Mx" + row + column)[0], at["Mx"][i][j]);
      for (std::size_t k = 0; k < 6; ++k) {
        const Json& J = at["link_jacobians"][i][k];
        EXPECT_EQ(rows.at("Jlinks" + std::to_string(6 * i + k + 1) + column)[0],
                  j < J.size() ? J[j].get<double>() : 0.0);
      }
    }
  }
  shell.write("straight.csv", "q1,q2\n0.3,0\n");  // a singular posture
  EXPECT_EQ(
      shell.run("$armdyn inspect craig-rr straight.csv --quiet --task-rows vx,vy --what Gx").out,
      "Gx1,Gx2\n,\n");
  const Outcome refused = shell.run("$armdyn inspect craig-rr in.csv --what Mx");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("at most as many task rows as the arm has joints"), std::string::npos);
}

TEST(Inspect, OverAMotionLeavesTheConditionOfASingularPostureEmpty) {
  const Shell shell;
  shell.write("q.csv", "q1,q2\n0.1,0.2\n0.3,0.5\n");
  const Outcome outcome = shell.run(
      "$armdyn inspect craig-rr q.csv --what condition,manipulability --task-rows vz --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "condition,manipulability\n,0\n,0\n");
}

TEST(Inspect, FindsAStableEquilibrium) {
  const Shell shell;
  const std::string verb = "two-link-spong --q \"88,3 deg\" --what q,equilibrium --equilibrium ";
  EXPECT_EQ(inspect(shell, verb).at("equilibrium").at("falling_directions"), 2);
  const Json hanging = inspect(shell, verb + "--stable");
  EXPECT_EQ(hanging.at("equilibrium").at("falling_directions"), 0);
  EXPECT_NEAR(std::remainder(vector_at(hanging, "q")[0], 2 * std::numbers::pi),
              -std::numbers::pi / 2, 1e-13);
  EXPECT_NEAR(std::remainder(vector_at(hanging, "q")[1], 2 * std::numbers::pi), 0.0, 1e-13);
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
  expect("craig-rr --q \"0 90 deg\"", 2,
         "--q: found \"0 90\" in \"0 90 deg\", expected 2 numbers separated by commas");
  expect("craig-rr --q \"90 deg,0\"", 2,
         "--q: found \"90 deg\" in \"90 deg,0\", expected a number; ' deg', with its blank, stands "
         "once, after the "
         "whole list");
  for (const std::string unit : {"degrees", "°"}) {
    expect("craig-rr --q \"1,0 " + unit + "\"", 2,
           "--q: found \"0 " + unit + "\" in \"1,0 " + unit +
               "\", expected a number; ' deg', with its blank, stands once, after the whole list");
  }
}
TEST_F(InspectMistake, UnknownPose) {
  expect("craig-rp --q exmple", 2,
         "--q: craig-rp has no pose 'exmple', it has example; did you mean 'example'?");
}
TEST_F(InspectMistake, UnknownRow) {
  expect("craig-rr --task-rows vx,vt", 2,
         "--task-rows: found \"vt\", expected one of vx, vy, vz, wx, wy, wz; did you mean 'vx'?");
  expect("craig-rr --task-rows vx,vx", 2, "--task-rows: vx is given twice in \"vx,vx\"");
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
  (void)shell.run("cp " + shipped_robots_folder() + "/craig-rr.yaml rr");
  expect("./rr -o rr", 2, "the output 'rr' is an input; name another file");
}
TEST_F(InspectMistake, AbsurdVelocity) {
  expect("craig-rr --q 0,1 --qd 1e200,0", 2,
         "--qd: found \"1e200,0\", expected magnitudes of at most 1e+15 in SI units");
}
TEST_F(InspectMistake, AbsurdVelocityInAMotion) {
  shell.write("motion.csv", "q1,q2,qd1,qd2\n0,1,1,0\n0,1,2,0\n0,1,1e200,0\n");
  for (const std::string part : {"C", "V", "kinetic"}) {
    const Outcome outcome =
        shell.run("$armdyn inspect craig-rr motion.csv --what " + part + " -o out.csv");
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_EQ(outcome.err.rfind("motion.csv:4: ", 0), 0U) << outcome.err;
    EXPECT_FALSE(shell.exists("out.csv"));
  }
}
TEST_F(InspectMistake, PartsAndMotions) {
  shell.write("q.csv", "q1,q2\n0.1,0.2\n");
  const std::string parts =
      "T,J,Jdot,manipulability,condition,link_jacobians,Mx,Vx,Gx,M,M_links,V,G,C,kinetic,"
      "potential,momentum,tau";
  expect("craig-rr q.csv", 2,
         "inspect: a MOTION needs --what LIST with any of " + parts +
             "; for one state, give --q and no MOTION");
  expect("craig-rr q.csv --what T,links", 2,
         "--what: links is shown for one state; over a MOTION take any of " + parts);
  expect("craig-rr q.csv --what T --q 0,0", 2,
         "inspect: --q is for one state, and 'q.csv' stands for MOTION; leave one of them out");
  expect("craig-rr --what M,M", 2, "--what: M is given twice in \"M,M\"");
  expect("craig-rr --what Ad", 2, "--what: Ad needs --sample-time");
  expect("craig-rr --stable", 2, "--stable needs --equilibrium; give both");
}
TEST_F(InspectMistake, NoEquilibrium) {
  expect("craig-rp --equilibrium --gravity -3,0,0", 5,
         "no equilibrium found from this start: the gravity torque of slide is still 6 after 100 "
         "steps. "
         "Start nearer to one, or check that the arm has one");
}

}  // namespace
}  // namespace armdyn::testing
