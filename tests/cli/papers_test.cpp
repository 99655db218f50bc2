// docs/papers.md: every number of the papers once, and commands that work as printed.

#include <gtest/gtest.h>
#include <armdyn/vector.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/csv_columns.hpp"
#include "support/near.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

std::vector<std::string> page() {
  std::ifstream file(docs_folder() + "/papers.md");
  EXPECT_TRUE(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// "2.4-2.6" is 2.4, 2.5, 2.6; "1, 3" both; "2-1 to 2-3" likewise; "Table 1-2" two tables.
std::vector<std::string> numbers(const std::string& cell) {
  std::vector<std::string> found;
  std::istringstream parts(std::regex_replace(cell, std::regex(" to "), "..") + ",");
  for (std::string part; std::getline(parts >> std::ws, part, ',');) {
    static const std::regex shape(
        R"(((?:Table |Figure )?)((?:[0-9AB]+[.-])?)([0-9]+)(?:(?:-|\.\.)((?:[0-9AB]+[.-])?)([0-9]+))?)");
    std::smatch match;
    const bool is_named = part.starts_with("Table") || part.starts_with("Figure");
    // "Table 1-2": a range of whole numbers.
    static const std::regex named(R"((Table |Figure )((?:A\.)?)([0-9]+)(?:-([0-9]+))?)");
    if (is_named ? std::regex_match(part, match, named) : std::regex_match(part, match, shape)) {
      const std::string head = match[1].str() + match[2].str();
      const int first = std::stoi(match[3]);
      const std::string end = is_named ? match[4] : match[5];
      const int last = end.empty() ? first : std::stoi(end);
      for (int i = first; i <= last; ++i) found.push_back(head + std::to_string(i));
    } else {
      ADD_FAILURE() << "no number: " << part;
    }
  }
  return found;
}

/// Commands of a line.
std::vector<std::string> commands(const std::string& line) {
  static const std::regex command("`([^`]*armdyn [^`]*)`");
  std::vector<std::string> found;
  for (std::sregex_iterator it(line.begin(), line.end(), command), end; it != end; ++it) {
    found.push_back((*it)[1]);
  }
  return found;
}

/// All of "3." up to "3.21".
void add(std::multiset<std::string>& all, const std::string& head, int last) {
  for (int i = 1; i <= last; ++i) all.insert(head + std::to_string(i));
}

Outcome run(const Shell& shell, const std::string& command) {
  return shell.run("PATH=$(dirname \"$armdyn\"):$PATH; " + command);
}

/// The commands of that number's row.
std::vector<std::string> commands_of(const std::string& paper, const std::string& number) {
  std::string at;
  for (const std::string& line : page()) {
    if (line.starts_with("## ")) at = line.substr(3, 3);
    if (at == paper && line.starts_with("| " + number + " |")) return commands(line);
  }
  ADD_FAILURE() << "no row " << number << " of paper " << paper;
  return {};
}

using Json = nlohmann::json;

Json json_of(const Shell& shell, const std::string& command) {
  const Outcome outcome = run(shell, command + " --json");
  EXPECT_EQ(outcome.exit_code, 0) << command << outcome.err;
  return Json::parse(outcome.out);
}

Matrix matrix_of(const Json& rows) {
  return matrix(rows.get<std::vector<std::vector<double>>>());
}

Vec3 vector_of(const Json& three) {
  return {three.at(0), three.at(1), three.at(2)};
}

TEST(Papers, HaveEveryNumberOnce) {
  std::map<std::string, std::multiset<std::string>> found, expected;
  std::string paper;
  for (const std::string& line : page()) {
    if (line.starts_with("## ")) paper = line.substr(3, 3);
    if (!line.starts_with("| ") || line.starts_with("| number") || line.starts_with("| ---"))
      continue;
    for (const std::string& number : numbers(line.substr(2, line.find(" |") - 2))) {
      found[paper].insert(number);
    }
  }
  add(expected["000"], "", 9);
  auto& of_001 = expected["001"];
  const int chapters_of_001[] = {28, 11, 21, 34, 2};
  for (int i = 0; i < 5; ++i) add(of_001, std::to_string(i + 1) + ".", chapters_of_001[i]);
  add(of_001, "Table ", 5);
  add(of_001, "Figure ", 4);
  add(expected["002"], "2-", 6);
  auto& of_003 = expected["003"];
  add(of_003, "2.", 22);
  add(of_003, "3.", 27);
  add(of_003, "4.", 41);
  add(of_003, "Table ", 2);
  add(of_003, "Figure ", 8);
  auto& of_004 = expected["004"];
  add(of_004, "2.", 39);
  add(of_004, "3.", 48);
  add(of_004, "A.", 34);
  add(of_004, "B.", 23);
  add(of_004, "Table ", 1);
  add(of_004, "Figure ", 12);
  of_004.insert("Figure A.1");
  for (const auto& [name, numbers] : expected) EXPECT_EQ(found[name], numbers) << name;
  EXPECT_EQ(found.size(), expected.size());
}

TEST(Papers, HaveCommandsThatWork) {
  const Shell shell;
  if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "no gnuplot";
  int count = 0;
  for (const std::string& line : page()) {
    for (const std::string& command : commands(line)) {
      const Outcome outcome = run(shell, command);
      EXPECT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.err;
      ++count;
    }
  }
  EXPECT_GT(count, 50);
}

// What the rows show, against the papers' equations written out here.

/// A row of a standard table, and its joint.
struct Row {
  double a, alpha, d, theta;
};

constexpr double right = std::numbers::pi / 2.0;

const std::vector<Row> puma{{0, right, 0, 0},      {0.4318, 0, 0, 0}, {0.0203, -right, 0.15005, 0},
                            {0, right, 0.4318, 0}, {0, -right, 0, 0}, {0, 0, 0, 0}};
const std::vector<Row> six_link{{0, -right, 0.7, right},   {0.5, 0, 0, -right},
                                {0, right, 0, right},      {0, -right, 0.35, 0},
                                {0.15, -right, 0, -right}, {0.28, 0, 0, 0}};

/// 001 (1.10), (1.13): T of a joint.
Matrix T_of(const Row& row, double q) {
  const double c = std::cos(row.theta + q), s = std::sin(row.theta + q);
  const double ca = std::cos(row.alpha), sa = std::sin(row.alpha);
  return matrix({{c, -ca * s, sa * s, row.a * c},
                 {s, ca * c, -sa * c, row.a * s},
                 {0, sa, ca, row.d},
                 {0, 0, 0, 1}});
}

Matrix product(const Matrix& A, const Matrix& B) {
  Matrix C(A.rows(), B.columns());
  for (std::size_t i = 0; i < C.rows(); ++i) {
    for (std::size_t j = 0; j < C.columns(); ++j) {
      for (std::size_t k = 0; k < A.columns(); ++k) C(i, j) += A(i, k) * B(k, j);
    }
  }
  return C;
}

TEST(Papers, ShowTheFrameOfEachJointAndTheirChains) {
  const Shell shell;
  const std::tuple<const char*, const char*, const std::vector<Row>&> rows[] = {
      {"001", "1.10", puma},
      {"001", "1.13-1.17", puma},
      {"003", "2.1-2.2", puma},
      {"004", "2.30", six_link},
      {"004", "Figure 4-5", six_link}};
  for (const auto& [paper, number, table] : rows) {
    const std::string command = commands_of(paper, number).at(0);
    const Json shown = json_of(shell, command);
    const Json state = json_of(shell, std::regex_replace(command, std::regex("--only .*"), ""));
    Matrix chain = matrix({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
    for (std::size_t i = 0; i < 6; ++i) {
      const Matrix T = T_of(table[i], state.at("q").at(i));
      expect_near(matrix_of(shown.at("joint_frames").at(i)), T, 1e-15, number);
      chain = product(chain, T);
      if (shown.contains("frames")) {
        expect_near(matrix_of(shown["frames"][i]), chain, 1e-14, number);
      }
    }
    if (shown.contains("T")) expect_near(matrix_of(shown["T"]), chain, 1e-14, number);
  }
}

/// Links, from T of each joint and J^a, and how they move and what they take by the papers'
/// recursion for standard tables: 001 (3.15)-(3.20), 003 (3.21)-(3.26), 004 (2.31)-(2.38); for a
/// slide 002 and 004. All of the joints but `slide` turn.
class PapersRecursion {
 public:
  PapersRecursion(const Json& state, std::size_t slide) {
    const std::size_t n = state.at("q").size();
    links_.resize(n);
    Link before;
    before.a = {0, 0, 9.81};
    for (std::size_t i = 0; i < n; ++i) {
      Link& x = links_[i];
      set_body(state, i);
      const double qd = state.at("qd").at(i), qdd = state.at("qdd").at(i);
      const bool turns = i != slide;
      const Vec3 z = turns ? Vec3{0, 0, 1} : Vec3{};
      x.omega = x.into(before.omega + qd * z);
      x.alpha = x.into(before.alpha + qdd * z + cross(before.omega, qd * z));
      x.v = x.into(before.v) + cross(x.omega, x.r);
      x.a = cross(x.alpha, x.r) + cross(x.omega, cross(x.omega, x.r)) + x.into(before.a);
      if (!turns) {
        const Vec3 along = x.into({0, 0, 1});
        x.v = x.v + qd * along;
        x.a = x.a + qdd * along + 2.0 * cross(x.omega, qd * along);
      }
      x.v_c = x.v + cross(x.omega, x.r_c);
      x.a_c = cross(x.alpha, x.r_c) + cross(x.omega, cross(x.omega, x.r_c)) + x.a;
      x.F = x.mass * x.a_c;
      x.L = x.I * x.omega;
      x.N = x.I * x.alpha + cross(x.omega, x.L);
      before = x;
    }
    Vec3 f, n_beyond;
    for (std::size_t i = n; i-- > 0;) {
      Link& x = links_[i];
      if (i + 1 < n) {
        f = links_[i + 1].out_of(f);
        n_beyond = links_[i + 1].out_of(n_beyond);
      }
      n_beyond = n_beyond + cross(x.r_c + x.r, x.F) + cross(x.r, f) + x.N;
      f = f + x.F;
      x.f = f;
      x.n = n_beyond;
      x.tau = dot(i == slide ? f : n_beyond, x.into({0, 0, 1}));
    }
  }

  void expect_in(const Json& state) const {
    double kinetic = 0.0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Link& x = links_[i];
      const Json& shown = state.at("links").at(i);
      const std::pair<const char*, Vec3> vectors[] = {{"omega", x.omega},
                                                      {"omega_dot", x.alpha},
                                                      {"v", x.v},
                                                      {"v_dot", x.a},
                                                      {"v_c", x.v_c},
                                                      {"v_c_dot", x.a_c},
                                                      {"F", x.F},
                                                      {"N", x.N},
                                                      {"force", x.f},
                                                      {"moment", x.n},
                                                      {"angular_momentum", x.L}};
      for (const auto& [key, value] : vectors) {
        const Vec3 difference = vector_of(shown.at(key)) - value;
        EXPECT_LT(std::sqrt(dot(difference, difference)),
                  1e-12 * (1.0 + std::sqrt(dot(value, value))))
            << key << " of link " << i + 1;
      }
      // 001 (5.1): A b is the acceleration of a point b, and K is about the centre of mass.
      const Vec3 b{0.3, -0.2, 0.5};
      const Vec3 A_b = cross(x.alpha, b) + cross(x.omega, cross(x.omega, b));
      const std::vector<double> found = times(matrix_of(shown.at("A")), {b.x, b.y, b.z});
      expect_near(found, {A_b.x, A_b.y, A_b.z}, 1e-13, "A");
      kinetic += 0.5 * x.mass * dot(x.v_c, x.v_c) + 0.5 * dot(x.omega, x.L);
    }
    EXPECT_NEAR(state.at("kinetic"), kinetic, 1e-12 * kinetic);
  }

  [[nodiscard]] std::vector<double> tau() const {
    std::vector<double> tau;
    for (const Link& x : links_) tau.push_back(x.tau);
    return tau;
  }

 private:
  struct Link {
    Mat3 R;  ///< of {i} in {i−1}
    Vec3 r, r_c, omega, alpha, v, a, v_c, a_c, F, N, L, f, n;
    double mass = 0.0, tau = 0.0;
    Mat3 I;

    [[nodiscard]] Vec3 into(const Vec3& x) const { return transposed(R) * x; }
    [[nodiscard]] Vec3 out_of(const Vec3& x) const { return R * x; }
  };

  /// 001 (1.14), (1.27), (1.28).
  void set_body(const Json& state, std::size_t i) {
    Link& x = links_[i];
    const Json& T = state.at("joint_frames").at(i);
    const Json& Ja = state.at("links").at(i).at("Ja");
    x.R = {vector_of(T.at(0)), vector_of(T.at(1)), vector_of(T.at(2))};
    x.r = x.into({T.at(0).at(3), T.at(1).at(3), T.at(2).at(3)});
    x.mass = Ja.at(3).at(3);
    x.r_c = x.mass > 0.0 ? 1.0 / x.mass * vector_of(Ja.at(3)) : Vec3{};
    const Vec3 rows[] = {vector_of(Ja.at(0)) - x.mass * x.r_c.x * x.r_c,
                         vector_of(Ja.at(1)) - x.mass * x.r_c.y * x.r_c,
                         vector_of(Ja.at(2)) - x.mass * x.r_c.z * x.r_c};
    const double trace = rows[0].x + rows[1].y + rows[2].z;
    x.I = {Vec3{trace, 0, 0} - rows[0], Vec3{0, trace, 0} - rows[1], Vec3{0, 0, trace} - rows[2]};
  }

  std::vector<Link> links_;
};

TEST(Papers, ShowLinksAsTheRecursionHasThem) {
  const Shell shell;
  const std::size_t none = 100, third = 2;
  const std::tuple<const char*, const char*, std::size_t> rows[] = {
      {"001", "3.15-3.18", none},   {"001", "5.1-5.2", none},   {"001", "2.11", none},
      {"002", "2-4 to 2-5", third}, {"002", "2-6", third},      {"003", "3.4-3.5", none},
      {"003", "3.7-3.10", none},    {"003", "3.21-3.24", none}, {"004", "2.13-2.14", none},
      {"004", "2.19-2.22", none},   {"004", "2.31-2.36", none}, {"004", "2.37-2.38", none},
      {"004", "A.26-A.27", none},   {"004", "A.28-A.34", none}};
  for (const auto& [paper, number, slide] : rows) {
    SCOPED_TRACE(std::string(paper) + " " + number);
    const std::string command = commands_of(paper, number).back();
    const Json state =
        json_of(shell, std::regex_replace(command, std::regex("--without [^ ]*|--only [^ ]*"), "") +
                           " --without friction,rotors");
    const PapersRecursion recursion(state, slide);
    recursion.expect_in(state);
    const Json shown = json_of(shell, command);
    for (const Json& key : shown.at("options").at("only")) {
      EXPECT_EQ(shown.at(key), state.at(key)) << key;
    }
    if (command.ends_with("--links")) {
      EXPECT_EQ(shown.at("links"), state.at("links"));
    }
    const std::vector<double> tau = recursion.tau();
    expect_near(state.at("tau").get<std::vector<double>>(), tau, 1e-12, "tau");
    // 001 (2.11), 003 (3.7): M q̈ + V + G, and V_i = q̇ᵀ C^i q̇.
    const std::vector<double> qd = state.at("qd"), qdd = state.at("qdd"), V = state.at("V");
    std::vector<double> by_Ci;
    for (const Json& C : state.at("Ci")) by_Ci.push_back(dot(qd, times(matrix_of(C), qd)));
    expect_near(by_Ci, V, 1e-12, "Ci", 1.0);
    expect_near(sum(sum(times(matrix_of(state.at("M")), qdd), V), state.at("G")), tau, 1e-12, "M");
    // 001 (2.1), 003 (3.5): m g h.
    double potential = 0.0;
    for (std::size_t i = 0; i < 6; ++i) {
      const Matrix moment =
          product(matrix_of(state.at("frames").at(i)), matrix_of(state.at("links").at(i).at("Ja")));
      potential += 9.81 * moment(2, 3);
    }
    EXPECT_NEAR(state.at("potential"), potential, 1e-12 * (1.0 + std::abs(potential)));
  }
}

TEST(Papers, ShowTheTorqueOfAForceAtTheHand) {
  const Shell shell;
  const std::vector<std::string> of_8 = commands_of("000", "8");
  ASSERT_EQ(run(shell, of_8.at(0)).exit_code, 0);
  const CsvColumns forces = csv_columns(shell.read("forces.csv"));
  const Json state = json_of(shell, of_8.at(1));
  const Matrix J = matrix_of(state.at("J")), T = matrix_of(state.at("T"));
  std::vector<double> F(6);  // in {0}
  const char* names[] = {"fx", "fy", "fz", "nx", "ny", "nz"};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      F[i] += T(i, j) * forces.at(names[j])[0];
      F[3 + i] += T(i, j) * forces.at(names[3 + j])[0];
    }
  }
  const std::vector<double> expected = times(transposed(J), F);
  EXPECT_NEAR(forces.at("wrench1")[0], expected[0], 1e-14);
  EXPECT_NEAR(forces.at("wrench2")[0], expected[1], 1e-14);
  EXPECT_GT(std::abs(expected[0]), 1.0);
}

// 003 (4.4): with the torque at all times errors are free of the arm.
TEST(Papers, ShowErrorsUnderFullGains) {
  const Shell shell;
  for (const std::string& command : commands_of("003", "4.4")) {
    ASSERT_EQ(run(shell, command).exit_code, 0);
  }
  const CsvColumns found = csv_columns(shell.read("gains.csv"));
  std::array<double, 4> x{found.at("e1")[0], found.at("e2")[0], 0.0, 0.0};
  ASSERT_NEAR(x[0], -0.1, 1e-15);
  ASSERT_NEAR(x[1], 0.2, 1e-15);
  const auto rate = [](const std::array<double, 4>& e) {
    return std::array<double, 4>{e[2], e[3], -(20 * e[2] + 3 * e[3] + 100 * e[0] + 30 * e[1]),
                                 -(3 * e[2] + 18 * e[3] + 30 * e[0] + 80 * e[1])};
  };
  const auto moved = [](const std::array<double, 4>& e, const std::array<double, 4>& k, double h) {
    return std::array<double, 4>{e[0] + h * k[0], e[1] + h * k[1], e[2] + h * k[2],
                                 e[3] + h * k[3]};
  };
  const std::vector<double>& t = found.at("t");
  for (std::size_t row = 1; row < t.size(); ++row) {
    const double h = t[row] - t[row - 1];
    const auto k1 = rate(x), k2 = rate(moved(x, k1, h / 2)), k3 = rate(moved(x, k2, h / 2)),
               k4 = rate(moved(x, k3, h));
    for (std::size_t i = 0; i < 4; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    EXPECT_NEAR(found.at("e1")[row], x[0], 1e-7);
    EXPECT_NEAR(found.at("e2")[row], x[1], 1e-7);
  }
}

// 004 (2.39): b q̇ beside the rest; puma560-roboop prints b at the rotors.
TEST(Papers, ShowTorqueWithViscousFriction) {
  const Shell shell;
  const std::string command = commands_of("004", "2.39").at(0);
  const Json with = json_of(shell, command);
  const Json without =
      json_of(shell, std::regex_replace(command, std::regex("--only tau"), "--without friction"));
  const double gears[] = {-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686};
  const double rotors[] = {0.00148, 8.17e-4, 0.00138, 7.12e-5, 8.26e-5, 3.67e-5};
  for (std::size_t i = 0; i < 6; ++i) {
    const double qd = without.at("qd").at(i);
    const double friction =
        with.at("tau").at(i).get<double>() - without.at("tau").at(i).get<double>();
    EXPECT_NEAR(friction, gears[i] * gears[i] * rotors[i] * qd, 1e-12) << i;
    EXPECT_GT(std::abs(friction), 0.01);
  }
}

// Strobing, and Runge-Kutta's four points, on an arm that falls.
TEST(Papers, SimulateAnArmThatMoves) {
  const Shell shell;
  std::vector<CsvColumns> found;
  for (const std::string& line : page()) {
    for (const std::string& command : commands(line)) {
      if (!command.starts_with("armdyn simulate")) continue;
      ASSERT_EQ(run(shell, command).exit_code, 0);
      found.push_back(csv_columns(shell.read(command.substr(command.find("-o ") + 3))));
    }
  }
  ASSERT_EQ(found.size(), 2U);
  const Outcome exact = shell.run(
      "$armdyn simulate puma560 --q0 qn --without friction --duration 0.5 --forward composite "
      "--integrator rkf78 --tolerance 1e-12 --quiet");
  const CsvColumns expected = csv_columns(exact.out);
  for (const CsvColumns& columns : found) {
    for (const std::string joint : {"1", "2", "3", "4", "5", "6"}) {
      EXPECT_NEAR(columns.at("q" + joint).back(), expected.at("q" + joint).back(), 1e-7);
    }
    EXPECT_GT(std::abs(columns.at("q2").back() - columns.at("q2").front()), 0.5);
  }
}

// 003 (4.41), and 004, figure 6: in the middle third the hand goes 3/2 Δ/T.
TEST(Papers, ShowTheSameControllerTwiceAndTheTrapezoid) {
  const Shell shell;
  ASSERT_EQ(run(shell, commands_of("003", "4.41").at(0)).exit_code, 0);
  ASSERT_EQ(run(shell, "armdyn track puma560 puma560-pick-and-place --without friction -o both.csv")
                .exit_code,
            0);
  const CsvColumns one = csv_columns(shell.read("by-lagrange.csv"));
  const CsvColumns other = csv_columns(shell.read("both.csv"));
  for (const std::string joint : {"1", "2", "3", "4", "5", "6"}) {
    expect_near(one.at("e" + joint), other.at("e" + joint), 1e-7, "e");
  }
  std::string trapezoid = commands_of("004", "Figure 6").at(0);
  trapezoid = trapezoid.substr(0, trapezoid.find("--plot"));
  ASSERT_EQ(run(shell, trapezoid).exit_code, 0);
  const CsvColumns line =
      csv_columns(shell.run("$armdyn inspect six-link-jaeri line.csv --only T --quiet").out);
  for (std::size_t k = 0; k < line.at("t").size(); ++k) {
    const double t = line.at("t")[k];
    const double speed = 0.15 * std::min({1.0, 1.5 * t, 1.5 * (2.0 - t)});
    EXPECT_NEAR(line.at("vz")[k], speed, 1e-9) << t;
  }
}

// 004 (A.5)-(A.9): about the z axis of {0}, on which joint 1 turns with 2 rad/s and 3 rad/s².
TEST(Papers, ShowAngularMomentumAboutAFixedAxis) {
  const Shell shell;
  std::string command = commands_of("004", "A.1-A.9").at(0);
  command = command.substr(0, command.find(" --only"));
  const Json state = json_of(shell, command);
  double sum = 0.0;
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& link = state.at("links").at(i);
    const Matrix T = matrix_of(state.at("frames").at(i));
    const Matrix Ja = product(product(T, matrix_of(link.at("Ja"))), transposed(T));
    const double I = Ja(0, 0) + Ja(1, 1);
    EXPECT_NEAR(link.at("angular_momentum_0").at(2), I * 2.0, 1e-14);
    EXPECT_NEAR(link.at("moment_0").at(2), I * 3.0, 1e-13);
    sum += I;
  }
  EXPECT_NEAR(state.at("M").at(0).at(0), sum, 1e-13);
}

// 004 (A.19), (A.20).
TEST(Papers, ShowTheEllipsoidOfInertia) {
  const Shell shell;
  std::string command = commands_of("004", "A.16-A.20").at(0);
  const Json found = Json::parse(run(shell, command).out);
  for (const Json& joint : found.at("joints")) {
    const Json& I = joint.at("inertia_in_frame");
    const Json& ellipsoid = joint.at("ellipsoid_in_frame");
    for (std::size_t k = 0; k < 3; ++k) {
      if (ellipsoid.at("semi_axes").at(k).is_null()) continue;  // no moment about that axis
      const double a = ellipsoid["semi_axes"][k];
      const Vec3 x = a * vector_of(ellipsoid.at("directions").at(k));
      const double one =
          I.at("xx").get<double>() * x.x * x.x + I.at("yy").get<double>() * x.y * x.y +
          I.at("zz").get<double>() * x.z * x.z + 2.0 * I.at("yz").get<double>() * x.y * x.z +
          2.0 * I.at("xz").get<double>() * x.z * x.x + 2.0 * I.at("xy").get<double>() * x.x * x.y;
      EXPECT_NEAR(one, 1.0, 1e-12);
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
