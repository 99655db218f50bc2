// docs/papers.md: every number of the papers once, and commands that work as
// printed.

#include <gtest/gtest.h>
#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iomanip>
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

/// "2.4-2.6" is 2.4, 2.5, 2.6; "1, 3" both; "2-1 to 2-3" likewise; "Table 1-2"
/// two tables.
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
    const Json state = json_of(shell, std::regex_replace(command, std::regex("--what .*"), ""));
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

/// A link's body, from J^a: 001 (1.14), (1.27), (1.28).
struct Body {
  explicit Body(const Json& Ja) : mass(Ja.at(3).at(3)) {
    r_c = mass > 0.0 ? 1.0 / mass * vector_of(Ja.at(3)) : Vec3{};
    const Vec3 rows[] = {vector_of(Ja.at(0)) - mass * r_c.x * r_c,
                         vector_of(Ja.at(1)) - mass * r_c.y * r_c,
                         vector_of(Ja.at(2)) - mass * r_c.z * r_c};
    const double trace = rows[0].x + rows[1].y + rows[2].z;
    I = {Vec3{trace, 0, 0} - rows[0], Vec3{0, trace, 0} - rows[1], Vec3{0, 0, trace} - rows[2]};
  }

  double mass;
  Vec3 r_c;
  Mat3 I;
};

std::vector<Body> bodies_of(const Json& state) {
  std::vector<Body> bodies;
  for (const Json& link : state.at("links")) bodies.emplace_back(link.at("Ja"));
  return bodies;
}

/// How links move and what they take, from T of each joint, by the papers'
/// recursions: for standard tables 001 (3.15)-(3.21), 003 (3.21)-(3.27), 004
/// (2.31)-(2.39), for modified ones 000 and 002. All of the joints but `slide`
/// turn.
class PapersRecursion {
 public:
  struct State {
    std::vector<double> q, qd, qdd;
  };
  static constexpr std::size_t no_slide = 100;

  PapersRecursion(const std::vector<Matrix>& T, const std::vector<Body>& bodies, const State& state,
                  Convention convention, std::size_t slide = no_slide, double g = 9.81)
      : standard_(convention == Convention::standard) {
    const std::size_t n = T.size();
    links_.resize(n);
    Link before;
    before.a = {0, 0, g};
    for (std::size_t i = 0; i < n; ++i) {
      Link& x = links_[i];
      x.R = {row(T[i], 0), row(T[i], 1), row(T[i], 2)};
      x.p = {T[i](0, 3), T[i](1, 3), T[i](2, 3)};
      x.body = &bodies[i];
      move(x, before, state.qd[i], state.qdd[i], i == slide);
      const Vec3& r_c = x.body->r_c;
      x.v_c = x.v + cross(x.omega, r_c);
      x.a_c = cross(x.alpha, r_c) + cross(x.omega, cross(x.omega, r_c)) + x.a;
      x.F = x.body->mass * x.a_c;
      x.L = x.body->I * x.omega;
      x.N = x.body->I * x.alpha + cross(x.omega, x.L);
      before = x;
    }
    Link none;
    none.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t i = n; i-- > 0;) {
      Link& x = links_[i];
      const Link& beyond = i + 1 < n ? links_[i + 1] : none;
      const Vec3 f = beyond.R * beyond.f, moment = beyond.R * beyond.n;
      const Vec3 r = standard_ ? x.into(x.p) : Vec3{};  // from the point that n_i is about to {i}
      x.f = x.F + f;
      x.n = x.N + cross(x.body->r_c + r, x.F) + cross(standard_ ? r : beyond.p, f) + moment;
      x.tau = dot(i == slide ? x.f : x.n, x.axis(standard_));
    }
  }
  /// As `inspect` shows T, J^a and the state.
  PapersRecursion(const Json& state, const std::vector<Body>& bodies, Convention convention,
                  std::size_t slide = no_slide, double g = 9.81)
      : PapersRecursion(matrices(state.at("joint_frames")), bodies,
                        {state.at("q"), state.at("qd"), state.at("qdd")}, convention, slide, g) {}

  void expect_in(const Json& state) const {
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
      // 001 (5.1): A b is the acceleration of a point b, and K is about the
      // center of mass.
      const Vec3 b{0.3, -0.2, 0.5};
      const Vec3 A_b = cross(x.alpha, b) + cross(x.omega, cross(x.omega, b));
      const std::vector<double> found = times(matrix_of(shown.at("A")), {b.x, b.y, b.z});
      expect_near(found, {A_b.x, A_b.y, A_b.z}, 1e-13, "A");
    }
    EXPECT_NEAR(state.at("kinetic"), kinetic(), 1e-12 * kinetic());
  }

  [[nodiscard]] std::vector<double> tau() const {
    std::vector<double> tau;
    for (const Link& x : links_) tau.push_back(x.tau);
    return tau;
  }
  [[nodiscard]] double kinetic() const {
    double sum = 0.0;
    for (const Link& x : links_) {
      sum += 0.5 * x.body->mass * dot(x.v_c, x.v_c) + 0.5 * dot(x.omega, x.L);
    }
    return sum;
  }
  /// Force and moment that link i − 1 exerts on link i.
  [[nodiscard]] std::array<Vec3, 2> wrench(std::size_t i) const {
    return {links_[i].f, links_[i].n};
  }

 private:
  struct Link {
    Mat3 R;  ///< of {i} in {i−1}
    Vec3 p;  ///< from the origin of {i−1} to that of {i}, in axes of {i−1}
    const Body* body = nullptr;
    Vec3 omega, alpha, v, a, v_c, a_c, F, N, L, f, n;
    double tau = 0.0;

    [[nodiscard]] Vec3 into(const Vec3& x) const { return transposed(R) * x; }
    /// Of the joint: z of {i−1} of a standard table, of {i} of a modified one.
    [[nodiscard]] Vec3 axis(bool standard) const {
      return standard ? into({0, 0, 1}) : Vec3{0, 0, 1};
    }
  };

  static Vec3 row(const Matrix& T, std::size_t i) { return {T(i, 0), T(i, 1), T(i, 2)}; }
  static std::vector<Matrix> matrices(const Json& list) {
    std::vector<Matrix> found;
    for (const Json& rows : list) found.push_back(matrix_of(rows));
    return found;
  }

  void move(Link& x, const Link& before, double qd, double qdd, bool slides) const {
    const Vec3 z = x.axis(standard_), r = x.into(x.p);
    const Vec3 w = x.into(before.omega), alpha = x.into(before.alpha);
    x.omega = slides ? w : w + qd * z;
    x.alpha = slides ? alpha : alpha + qdd * z + cross(w, qd * z);
    // The way from {i−1} to {i} turns with link i of a standard table, with
    // link i − 1 of a modified.
    const Vec3& turn = standard_ ? x.omega : w;
    x.v = x.into(before.v) + cross(turn, r);
    x.a = x.into(before.a) + cross(standard_ ? x.alpha : alpha, r) + cross(turn, cross(turn, r));
    if (!slides) return;
    x.v = x.v + qd * z;
    x.a = x.a + qdd * z + 2.0 * cross(x.omega, qd * z);
  }

  bool standard_;
  std::vector<Link> links_;
};

/// Replaces the parts and the neglect that a command asks for.
std::string in_full(const std::string& command) {
  return std::regex_replace(command, std::regex("--without [^ ]*|--what [^ ]*"), "") +
         " --without friction,rotors";
}

TEST(Papers, ShowLinksAsTheRecursionHasThem) {
  const Shell shell;
  ASSERT_EQ(run(shell, commands_of("002", "2-4 to 2-5").at(0)).exit_code, 0);  // its arm
  const std::size_t none = PapersRecursion::no_slide, third = 2;
  using enum Convention;
  const std::tuple<const char*, const char*, Convention, std::size_t> rows[] = {
      {"000", "4", standard, none},         {"001", "2.1", standard, none},
      {"001", "2.6", standard, none},       {"001", "3.15-3.18", standard, none},
      {"001", "5.1-5.2", standard, none},   {"001", "2.11", standard, none},
      {"001", "1.24-1.28", standard, none}, {"002", "2-4 to 2-5", modified, third},
      {"002", "2-6", modified, third},      {"003", "3.4-3.5", standard, none},
      {"003", "3.7-3.10", standard, none},  {"003", "3.21-3.24", standard, none},
      {"003", "2.18-2.22", standard, none}, {"004", "2.11", standard, none},
      {"004", "2.13-2.14", standard, none}, {"004", "2.19-2.22", standard, none},
      {"004", "2.31-2.36", standard, none}, {"004", "2.37-2.38", standard, none},
      {"004", "A.26-A.27", standard, none}, {"004", "A.28-A.34", standard, none}};
  for (const auto& [paper, number, convention, slide] : rows) {
    SCOPED_TRACE(std::string(paper) + " " + number);
    const std::string command = commands_of(paper, number).back();
    const Json state = json_of(shell, in_full(command));
    const std::vector<Body> bodies = bodies_of(state);
    const PapersRecursion recursion(state, bodies, convention, slide);
    recursion.expect_in(state);
    const Json shown = json_of(shell, command);
    for (const Json& key : shown.at("options").value("what", Json::array())) {
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

// 001 (3.1)-(3.14), 003 (3.11)-(3.20), 004 (2.11)-(2.29): the same vectors in axes of {0}.
TEST(Papers, ShowVectorsSeenFromTheBase) {
  const Shell shell;
  for (const auto& [paper, number, at] :
       {std::tuple("001", "3.1-3.14", 0U), {"003", "3.11-3.20", 1U}, {"004", "2.25-2.29", 0U}}) {
    SCOPED_TRACE(std::string(paper) + " " + number);
    const std::string command = commands_of(paper, number).at(at);
    const Json shown = json_of(shell, command);
    const Json own = json_of(shell, std::regex_replace(command, std::regex("--axes base"), ""));
    const std::vector<Body> bodies = bodies_of(own);
    PapersRecursion(own, bodies, Convention::standard)
        .expect_in(
            json_of(shell, in_full(std::regex_replace(command, std::regex("--axes base"), ""))));
    for (std::size_t i = 0; i < 6; ++i) {
      const Json& T = own.at("frames").at(i);
      const Mat3 R{vector_of(T.at(0)), vector_of(T.at(1)), vector_of(T.at(2))};
      for (const char* key : {"omega", "omega_dot", "v", "v_dot", "v_c", "v_c_dot", "F", "N",
                              "angular_momentum", "force", "moment"}) {
        const Vec3 expected = R * vector_of(own.at("links").at(i).at(key));
        const Vec3 off = vector_of(shown.at("links").at(i).at(key)) - expected;
        EXPECT_LT(std::sqrt(dot(off, off)), 1e-13 * (1.0 + std::sqrt(dot(expected, expected))))
            << key << i + 1;
      }
    }
  }
}

CsvColumns shipped_motion(const std::string& name = "puma560-pick-and-place") {
  std::ifstream file(shipped_robots_folder() + "/motions/" + name + ".csv");
  std::string csv;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) csv += line + "\n";
  }
  return csv_columns(csv);
}

/// Columns q1, q2 and so on of a row.
std::vector<double> row_of(const CsvColumns& columns, const std::string& prefix, std::size_t row) {
  std::vector<double> values;
  for (std::size_t i = 1; i <= 6; ++i) {
    values.push_back(columns.at(prefix + std::to_string(i))[row]);
  }
  return values;
}

// 001 (3.19)-(3.21), (5.2), 003 (3.6), (3.20), (3.25)-(3.27), 004 figures 7
// to 12.
TEST(Papers, ShowTorquesOfMotionsAsTheRecursionHasThem) {
  const Shell shell;
  ASSERT_EQ(run(shell, std::regex_replace(commands_of("004", "Figure 6").at(0),
                                          std::regex("--plot.*"), ""))
                .exit_code,
            0);
  const std::tuple<const char*, const char*, const char*, const std::vector<Row>&> rows[] = {
      {"000", "5", "puma560", puma},
      {"001", "3.19-3.20", "puma560", puma},
      {"001", "3.21", "puma560", puma},
      {"001", "5.1-5.2", "puma560", puma},
      {"003", "3.6", "puma560", puma},
      {"003", "3.25-3.26", "puma560", puma},
      {"003", "3.11-3.20", "puma560", puma},
      {"003", "3.27", "puma560", puma},
      {"004", "Figure 7-12", "six-link-jaeri", six_link}};
  for (const auto& [paper, number, arm, table] : rows) {
    SCOPED_TRACE(std::string(paper) + " " + number);
    std::string command = commands_of(paper, number).at(0);
    command = command.substr(0, command.find(" --plot"));
    ASSERT_EQ(run(shell, command).exit_code, 0);
    static const std::regex words("armdyn torque [^ ]+ ([^ ]+).*-o ([^ ]+)");
    std::smatch files;
    ASSERT_TRUE(std::regex_search(command, files, words)) << command;
    const std::string motion = files[1];
    const CsvColumns in =
        motion.ends_with(".csv") ? csv_columns(shell.read(motion)) : shipped_motion(motion);
    const CsvColumns out = csv_columns(shell.read(files[2]));
    const std::vector<Body> bodies =
        bodies_of(json_of(shell, std::string("armdyn inspect ") + arm + " --what links"));
    const std::size_t step = std::max<std::size_t>(1, in.at("q1").size() / 40);
    for (std::size_t k = 0; k < in.at("q1").size(); k += step) {
      const PapersRecursion::State state{row_of(in, "q", k), row_of(in, "qd", k),
                                         row_of(in, "qdd", k)};
      std::vector<Matrix> T;
      for (std::size_t i = 0; i < 6; ++i) T.push_back(T_of(table[i], state.q[i]));
      const PapersRecursion recursion(T, bodies, state, Convention::standard);
      if (command.find("--reactions") == command.npos) {
        expect_near(row_of(out, "tau", k), recursion.tau(), 1e-12, "tau");
        continue;
      }
      for (std::size_t i = 0; i < 6; ++i) {
        const auto [f, n] = recursion.wrench(i);
        const std::string joint = std::to_string(i + 1);
        const std::tuple<char, char, double> entries[] = {{'f', 'x', f.x}, {'f', 'y', f.y},
                                                          {'f', 'z', f.z}, {'n', 'x', n.x},
                                                          {'n', 'y', n.y}, {'n', 'z', n.z}};
        for (const auto& [letter, axis, value] : entries) {
          EXPECT_NEAR(out.at(letter + joint + axis)[k], value, 1e-9) << k << letter << joint;
        }
      }
    }
  }
}

/// The RR arm of 000 in the state of a command.
struct TwoLinks {
  explicit TwoLinks(const Json& at)
      : s1(std::sin(at.at("q").at(0).get<double>())),
        c1(std::cos(at.at("q").at(0).get<double>())),
        s2(std::sin(at.at("q").at(1).get<double>())),
        c2(std::cos(at.at("q").at(1).get<double>())),
        qd1(at.at("qd").at(0)),
        qd2(at.at("qd").at(1)) {}

  static constexpr double m1 = 4.6, m2 = 2.3, l1 = 0.5, l2 = 0.5, g = 9.81;
  double s1, c1, s2, c2, qd1, qd2;
  double s12 = s1 * c2 + c1 * s2, c12 = c1 * c2 - s1 * s2, h = m2 * l1 * l2 * s2;
  Matrix M = matrix(
      {{m2 * l2 * l2 + 2 * l1 * l2 * m2 * c2 + l1 * l1 * (m1 + m2), m2* l2* l2 + l1* l2* m2* c2},
       {m2 * l2 * l2 + l1 * l2 * m2 * c2, m2* l2* l2}});
  std::vector<double> V{-h * qd2 * qd2 - 2 * h * qd1 * qd2, h* qd1* qd1};
  std::vector<double> G{m2 * l2 * g * c12 + (m1 + m2) * l1 * g * c1, m2* l2* g* c12};
  Matrix J = matrix({{-l1 * s1 - l2 * s12, -l2* s12}, {l1 * c1 + l2 * c12, l2* c12}});
  Matrix J_dot = matrix({{-l1 * c1 * qd1 - l2 * c12 * (qd1 + qd2), -l2* c12*(qd1 + qd2)},
                         {-l1 * s1 * qd1 - l2 * s12 * (qd1 + qd2), -l2* s12*(qd1 + qd2)}});
};

TEST(Papers, ShowTheTermsOfTheRRArm) {
  const Shell shell;
  const auto shown = [&shell](const char* number) {
    return json_of(
        shell, std::regex_replace(commands_of("000", number).at(0), std::regex("--what .*"), ""));
  };
  const auto numbers = [](const Json& list) { return list.get<std::vector<double>>(); };
  const Json of_6 = shown("6"), of_7 = shown("7"), of_9 = shown("9");
  const double h = TwoLinks(of_6).h;
  expect_near(matrix_of(of_6.at("craig_B")), matrix({{-2 * h}, {0}}), 1e-14, "B");
  expect_near(matrix_of(of_6.at("craig_C")), matrix({{0, -h}, {h, 0}}), 1e-14, "C");
  const TwoLinks at(of_7);
  expect_near(matrix_of(of_7.at("M")), at.M, 1e-14, "M");
  expect_near(numbers(of_7.at("V")), at.V, 1e-14, "V");
  expect_near(numbers(of_7.at("G")), at.G, 1e-14, "G");
  // (9): torques Jᵀ F are those of the joints, for F = M_x ẍ + V_x + G_x with ẍ
  // = J q̈ + J̇ q̇.
  const TwoLinks of_wrench(of_9);
  const std::vector<double> qd{of_wrench.qd1, of_wrench.qd2}, qdd{0.7, -1.3};
  const std::vector<double> x_dd = sum(times(of_wrench.J, qdd), times(of_wrench.J_dot, qd));
  const std::vector<double> F = sum(
      sum(times(matrix_of(of_9.at("Mx")), x_dd), numbers(of_9.at("Vx"))), numbers(of_9.at("Gx")));
  expect_near(times(transposed(of_wrench.J), F),
              sum(sum(times(of_wrench.M, qdd), of_wrench.V), of_wrench.G), 1e-13, "F");
  expect_near(times(transposed(of_wrench.J), numbers(of_9.at("Gx"))), of_wrench.G, 1e-13, "Gx");
}

Mat3 tensor_of(const Json& inertia) {
  const double xy = inertia.at("xy"), yz = inertia.at("yz"), xz = inertia.at("xz");
  return {{inertia.at("xx"), xy, xz}, {xy, inertia.at("yy"), yz}, {xz, yz, inertia.at("zz")}};
}

// 004 A.13: I_c about a line through the center of mass, and m times the distance squared. A.14-A.15:
// the sums of the masses' products of coordinates about another point.
TEST(Papers, ShowInertiasAboutLinesAndPoints) {
  const Shell shell;
  const Json of_line = json_of(shell, commands_of("004", "A.13").at(0)).at("joints");
  const Json of_point = json_of(shell, commands_of("004", "A.14-A.15").at(0)).at("joints");
  const Vec3 point{0, 0, 0.1}, along = 1.0 / std::sqrt(3.0) * Vec3{1, 1, 1};
  double largest = 0.0;
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& link = of_line.at(i);
    const double m = link.at("mass");
    const Vec3 c = vector_of(link.at("com")), apart = cross(c - point, along);
    const double about_line =
        dot(along, tensor_of(link.at("inertia")) * along) + m * dot(apart, apart);
    EXPECT_NEAR(link.at("moment_about_line"), about_line, 1e-15 * (1.0 + about_line));
    const Mat3 I = tensor_of(of_point.at(i).at("inertia")),
               there = tensor_of(of_point.at(i).at("inertia_in_frame"));
    EXPECT_NEAR(there.row_x.x, I.row_x.x + m * (c.y * c.y + c.z * c.z), 1e-15);
    EXPECT_NEAR(there.row_y.y, I.row_y.y + m * (c.x * c.x + c.z * c.z), 1e-15);
    EXPECT_NEAR(there.row_z.z, I.row_z.z + m * (c.x * c.x + c.y * c.y), 1e-15);
    EXPECT_NEAR(there.row_x.y, I.row_x.y - m * c.x * c.y, 1e-15);
    EXPECT_NEAR(there.row_y.z, I.row_y.z - m * c.y * c.z, 1e-15);
    EXPECT_NEAR(there.row_x.z, I.row_x.z - m * c.x * c.z, 1e-15);
    largest = std::max(largest, about_line);
  }
  EXPECT_GT(largest, 0.01);
}

// 004 A.21: I d = λ d for each principal moment and its axis.
TEST(Papers, ShowPrincipalMomentsOfInertia) {
  const Shell shell;
  const Json shown = json_of(shell, "armdyn check puma560");
  ASSERT_EQ(commands_of("004", "A.21").at(0), "armdyn check puma560 --json");
  for (const Json& link : shown.at("joints")) {
    const Mat3 I = tensor_of(link.at("inertia"));
    for (std::size_t k = 0; k < 3; ++k) {
      const double moment = link.at("principal_moments").at(k);
      const Vec3 axis = vector_of(link.at("principal_axes").at(k)), off = I * axis - moment * axis;
      EXPECT_NEAR(dot(axis, axis), 1.0, 1e-14);
      EXPECT_LT(std::sqrt(dot(off, off)), 1e-15 * (1.0 + moment));
    }
  }
}

TEST(Papers, ShowTheTableOfTheSixLinkArm) {
  const Shell shell;
  const Json joints = json_of(shell, commands_of("004", "Table 1").at(0)).at("joints");
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& dh = joints.at(i).at("dh");
    const Row& row = six_link[i];
    EXPECT_EQ(dh.at("a"), row.a);
    EXPECT_EQ(dh.at("alpha"), row.alpha);
    EXPECT_EQ(dh.at("d"), row.d);
    EXPECT_EQ(dh.at("theta"), row.theta);
  }
}

// 003 (4.2), (4.3): the errors' roots are those of s² + kv s + kp, which is stable.
TEST(Papers, ShowRootsOfTheErrors) {
  const Shell shell;
  const Json shown = json_of(shell, commands_of("003", "4.2-4.3").at(0));
  const Json& loop = shown.at("closed_loop");
  EXPECT_EQ(loop.at("conditions").at("hold"), true);
  EXPECT_EQ(loop.at("continuous").at("eigenvalues").size(), 12U);
  for (const Json& root : loop.at("continuous").at("eigenvalues")) {
    const double re = root.at(0), im = root.at(1);
    EXPECT_NEAR(re * re - im * im + 20.0 * re + 100.0, 0.0, 1e-12);
    EXPECT_NEAR(2.0 * re * im + 20.0 * im, 0.0, 1e-5);
    EXPECT_LT(re, 0.0);
  }
}

// 000 (1)-(3), by the modified recursion; gravity of these two arms is along −y
// of {0}.
TEST(Papers, ShowPointsOfMovingBodies) {
  const Shell shell;
  for (const char* number : {"1, 3", "2"}) {
    const std::string command = commands_of("000", number).at(0);
    const Json state = json_of(shell, in_full(command) + " --gravity 0,0,-9.81");
    const std::vector<Body> bodies = bodies_of(state);
    const std::size_t slide = number[0] == '2' ? 1 : PapersRecursion::no_slide;
    PapersRecursion(state, bodies, Convention::modified, slide).expect_in(state);
    const Json weightless = json_of(shell, in_full(command) + " --gravity 0,0,0");
    PapersRecursion(weightless, bodies, Convention::modified, slide, 0.0).expect_in(weightless);
  }
}

/// Jacobian of the last frame, 001 (1.18): z × way for a joint that turns.
Matrix jacobian_of(const std::vector<Row>& table, const std::vector<double>& q) {
  Matrix T = matrix({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}), J(6, q.size());
  std::vector<std::pair<Vec3, Vec3>> axes;
  for (std::size_t i = 0; i < q.size(); ++i) {
    axes.push_back({{T(0, 2), T(1, 2), T(2, 2)}, {T(0, 3), T(1, 3), T(2, 3)}});
    T = product(T, T_of(table[i], q[i]));
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto& [z, o] = axes[i];
    const Vec3 v = cross(z, Vec3{T(0, 3), T(1, 3), T(2, 3)} - o);
    const double column[] = {v.x, v.y, v.z, z.x, z.y, z.z};
    for (std::size_t k = 0; k < 6; ++k) J(k, i) = column[k];
  }
  return J;
}

TEST(Papers, ShowJacobiansAndTheirRates) {
  const Shell shell;
  for (const auto& [paper, number] : {std::pair("001", "1.18-1.19"), {"003", "2.11-2.14"}}) {
    const std::string command = commands_of(paper, number).at(0);
    const Json shown = json_of(shell, command);
    const Json state = json_of(shell, in_full(command));
    const std::vector<double> q = state.at("q"), qd = state.at("qd");
    expect_near(matrix_of(shown.at("J")), jacobian_of(puma, q), 1e-14, number);
    constexpr double h = 1e-6;
    std::vector<double> after = q, before = q;
    for (std::size_t i = 0; i < q.size(); ++i) {
      after[i] += h * qd[i];
      before[i] -= h * qd[i];
    }
    const Matrix J_after = jacobian_of(puma, after), J_before = jacobian_of(puma, before);
    Matrix rate(6, q.size());
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < q.size(); ++j) {
        rate(i, j) = (J_after(i, j) - J_before(i, j)) / (2.0 * h);
      }
    }
    expect_near(matrix_of(shown.at("Jdot")), rate, 1e-8, number);
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
  EXPECT_NEAR(forces.at("tau_wrench1")[0], expected[0], 1e-14);
  EXPECT_NEAR(forces.at("tau_wrench2")[0], expected[1], 1e-14);
  EXPECT_GT(std::abs(expected[0]), 1.0);
  EXPECT_GT(std::abs(expected[1]), 1.0);
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
  const std::vector<std::string> of_2_39 = commands_of("004", "2.39");
  ASSERT_EQ(run(shell, of_2_39.at(0)).exit_code, 0);
  const std::string& command = of_2_39.at(1);
  const Json shown = json_of(shell, command), state = json_of(shell, in_full(command));
  const std::vector<Body> bodies = bodies_of(state);
  std::vector<double> tau = PapersRecursion(state, bodies, Convention::standard).tau();
  const double gears[] = {-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686};
  const double rotors[] = {0.00148, 8.17e-4, 0.00138, 7.12e-5, 8.26e-5, 3.67e-5};
  for (std::size_t i = 0; i < 6; ++i) {
    tau[i] += gears[i] * gears[i] * rotors[i] * state.at("qd").at(i).get<double>();
  }
  expect_near(shown.at("tau").get<std::vector<double>>(), tau, 1e-13, "tau");
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
      "$armdyn simulate puma560 --q0 qn --without friction "
      "--duration 0.5 --method composite "
      "--integrator rkf78 --tolerance 1e-12 --quiet");
  const CsvColumns expected = csv_columns(exact.out);
  for (const CsvColumns& columns : found) {
    for (const std::string joint : {"1", "2", "3", "4", "5", "6"}) {
      EXPECT_NEAR(columns.at("q" + joint).back(), expected.at("q" + joint).back(), 1e-7);
    }
    EXPECT_GT(std::abs(columns.at("q2").back() - columns.at("q2").front()), 0.5);
  }
}

// 003 (4.41), and 004, figure 6: in the middle third the TCP goes 3/2 Δ/T.
TEST(Papers, ShowTheSameControllerTwiceAndTheTrapezoid) {
  const Shell shell;
  ASSERT_EQ(run(shell, commands_of("003", "4.41").at(0)).exit_code, 0);
  ASSERT_EQ(run(shell,
                "armdyn track puma560 puma560-pick-and-place --without "
                "friction -o both.csv")
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
      csv_columns(shell.run("$armdyn inspect six-link-jaeri line.csv --what T --quiet").out);
  for (std::size_t k = 0; k < line.at("t").size(); ++k) {
    const double t = line.at("t")[k];
    const double speed = 0.15 * std::min({1.0, 1.5 * t, 1.5 * (2.0 - t)});
    EXPECT_NEAR(line.at("vz")[k], speed, 1e-9) << t;
  }
}

// 004 (A.5)-(A.9): about the z axis of {0}, on which joint 1 turns with 2 rad/s
// and 3 rad/s².
TEST(Papers, ShowAngularMomentumAboutAFixedAxis) {
  const Shell shell;
  std::string command = commands_of("004", "A.1-A.9").at(0);
  command = command.substr(0, command.find(" --what"));
  const Json state = json_of(shell, command);
  const std::string text = run(shell, commands_of("004", "A.1-A.9").at(1)).out;
  double sum = 0.0;
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& link = state.at("links").at(i);
    const Matrix T = matrix_of(state.at("frames").at(i));
    const Matrix Ja = product(product(T, matrix_of(link.at("Ja"))), transposed(T));
    const double I = Ja(0, 0) + Ja(1, 1);
    EXPECT_NEAR(link.at("angular_momentum_0").at(2), I * 2.0, 1e-14);
    EXPECT_NEAR(link.at("moment_0").at(2), I * 3.0, 1e-13);
    std::ostringstream printed;
    printed << std::setprecision(5) << I * 2.0;
    EXPECT_NE(text.find(printed.str(), text.find("angular_momentum_0")), std::string::npos);
    sum += I;
  }
  EXPECT_NEAR(state.at("M").at(0).at(0), sum, 1e-13);
}

// 003 §5: a multiplication takes 3.3 µs there, an addition 0.5 µs, and 0.45 µs more from memory.
TEST(Papers, ShowTheTimeOfAControllerOnAPdp11) {
  const Shell shell;
  const Json found =
      json_of(shell, "armdyn compare puma560 --samples 10 --method newton-euler --costs");
  double milliseconds = 0.0;
  for (const Json& one : found.at("costs").at(0).at("published")) {
    if (one.at("source") != "paper 003") continue;
    milliseconds = 1e-3 * (one.at("multiplications").get<double>() * (3.3 + 0.45) +
                           one.at("additions").get<double>() * (0.5 + 0.45));
  }
  EXPECT_NEAR(milliseconds, 3.2, 0.05);
}

// Craig's example of (9): at the TCP of the RR arm, in its axes.
TEST(Papers, ShowCartesianTermsInAxesOfTheTool) {
  const Shell shell;
  const std::string command = commands_of("000", "9").at(1);
  const Json found = json_of(shell, std::regex_replace(command, std::regex("--what .*"), ""));
  const TwoLinks x(found);
  const double m1 = x.m1, m2 = x.m2, l1 = x.l1, l2 = x.l2, s2 = x.s2;
  expect_near(matrix_of(found.at("Mx")), matrix({{m2 + m1 / (s2 * s2), 0}, {0, m2}}), 1e-13, "Mx");
  const double a = -(m2 * l1 * x.c2 + m2 * l2) * x.qd1 * x.qd1 - m2 * l2 * x.qd2 * x.qd2 -
                   (2 * m2 * l2 + m2 * l1 * x.c2 + m1 * l1 * x.c2 / (s2 * s2)) * x.qd1 * x.qd2;
  expect_near(found.at("Vx").get<std::vector<double>>(),
              {a, m2 * l1 * s2 * x.qd1 * x.qd1 + l1 * m2 * s2 * x.qd1 * x.qd2}, 1e-13, "Vx");
  expect_near(found.at("Gx").get<std::vector<double>>(),
              {m1 * x.g * x.c1 / s2 + m2 * x.g * x.s12, m2 * x.g * x.c12}, 1e-13, "Gx");
  const Json shown = json_of(shell, command);
  for (const char* key : {"Mx", "Vx", "Gx"}) EXPECT_EQ(shown.at(key), found.at(key));
}

/// The command of a line of the page without a number.
std::string command_with(const std::string& words) {
  for (const std::string& line : page()) {
    for (const std::string& command : commands(line)) {
      if (command.find(words) != command.npos) return command;
    }
  }
  ADD_FAILURE() << words;
  return "";
}

// 000: the masses of the RR arm hang straight down.
TEST(Papers, ShowReferencePotentials) {
  const Json found = json_of(Shell(), command_with("--what u_ref"));
  expect_near(found.at("u_ref").get<std::vector<double>>(), {4.6 * 9.81 * 0.5, 2.3 * 9.81 * 1.0},
              1e-12, "u_ref");
}

// 001, sections 3 and 6: torques without gravity are M q̈ and q̇ᵀ C^i q̇.
TEST(Papers, ShowStrobedMatrices) {
  const Shell shell;
  const std::string command = command_with("strobed_Ci");
  const Json shown = json_of(shell, command),
             state =
                 json_of(shell, in_full(command) +
                                    " --qd 1,-0.8,0.6,0.9,-0.5,0.4 --qdd 0.5,1,-0.7,0.3,0.8,-0.6"
                                    " --gravity 0,0,0");
  const std::vector<Body> bodies = bodies_of(state);
  const std::vector<double> qd = state.at("qd"), qdd = state.at("qdd");
  std::vector<double> V;
  for (const Json& C : shown.at("strobed_Ci")) V.push_back(dot(qd, times(matrix_of(C), qd)));
  expect_near(
      sum(times(matrix_of(shown.at("strobed_M")), qdd), V),
      PapersRecursion(state, bodies, Convention::standard, PapersRecursion::no_slide, 0.0).tau(),
      1e-12, "tau");
}

// 001 (1.18): origins of the links move as J q̇ says; the last one is the tool of this arm.
TEST(Papers, ShowJacobiansOfLinks) {
  const Shell shell;
  const std::vector<std::string> of = commands_of("001", "1.18-1.19");
  const Json com = json_of(shell, of.at(1)), origin = json_of(shell, of.at(2));
  const Json state = json_of(shell, "armdyn inspect puma560 --q qr --qd 1,1,1,1,1,1");
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& link = state.at("links").at(i);
    const Json& T = state.at("frames").at(i);
    const Mat3 R{vector_of(T.at(0)), vector_of(T.at(1)), vector_of(T.at(2))};
    for (const auto& [shown, key] : {std::pair(&com, "v_c"), {&origin, "v"}}) {
      const Matrix J = matrix_of(shown->at("link_jacobians").at(i));
      const std::vector<double> v = times(J, std::vector<double>(J.columns(), 1.0));
      const Vec3 expected = R * vector_of(link.at(key));
      expect_near({v[0], v[1], v[2]}, {expected.x, expected.y, expected.z}, 1e-13, key, 1.0);
    }
  }
  expect_near(matrix_of(origin.at("link_jacobians").at(5)), jacobian_of(puma, state.at("q")), 1e-14,
              "J");
}

// 004, figure 4.
TEST(Papers, ShowTheLimitsOfTheSixLinkArm) {
  const Shell shell;
  ASSERT_EQ(run(shell, commands_of("004", "Figure 4-5").at(1)).exit_code, 0);
  std::string file = shell.read("figure-4.yaml");
  for (const auto& [word, number] : {std::pair("pi/2", right), {"pi", 2.0 * right}}) {
    std::ostringstream digits;
    digits << std::setprecision(17) << number;
    file = std::regex_replace(file, std::regex(word), digits.str());
  }
  static const std::regex range("position: \\[([^,]*), ([^\\]]*)\\]");
  std::sregex_iterator found(file.begin(), file.end(), range);
  const std::pair<double, double> degrees[] = {{-200, 200}, {-30, 120}, {-90, 90},
                                               {-180, 180}, {-90, 90},  {-60, 60}};
  for (std::size_t i = 0; i < 6; ++i) {
    ASSERT_NE(found, std::sregex_iterator());
    EXPECT_NEAR(std::stod((*found)[1]), degrees[i].first * right / 90.0, 1e-14);
    EXPECT_NEAR(std::stod((*found++)[2]), degrees[i].second * right / 90.0, 1e-14);
  }
}

// 004 (A.19), (A.20).
TEST(Papers, ShowTheEllipsoidOfInertia) {
  const Shell shell;
  std::string command = commands_of("004", "A.16-A.20").at(0);
  const std::string text = run(shell, command).out;
  const std::size_t table = text.find("Ellipsoid of inertia");
  ASSERT_NE(table, std::string::npos);
  const Json found = json_of(shell, command);
  for (const Json& joint : found.at("joints")) {
    const Json& I = joint.at("inertia_in_frame");
    const Json& ellipsoid = joint.at("ellipsoid_in_frame");
    for (std::size_t k = 0; k < 3; ++k) {
      if (ellipsoid.at("semi_axes").at(k).is_null()) continue;  // no moment about that axis
      const double a = ellipsoid["semi_axes"][k];
      std::ostringstream printed;
      printed << std::setprecision(4) << a;
      EXPECT_NE(text.find(printed.str(), table), std::string::npos) << printed.str();
      const Vec3 x = a * vector_of(ellipsoid.at("directions").at(k));
      const double one =
          I.at("xx").get<double>() * x.x * x.x + I.at("yy").get<double>() * x.y * x.y +
          I.at("zz").get<double>() * x.z * x.z + 2.0 * I.at("yz").get<double>() * x.y * x.z +
          2.0 * I.at("xz").get<double>() * x.z * x.x + 2.0 * I.at("xy").get<double>() * x.x * x.y;
      EXPECT_NEAR(one, 1.0, 1e-12);
    }
  }
}

/// Multiplications and additions.
struct Cost {
  double times, plus;

  friend Cost operator+(Cost a, Cost b) { return {a.times + b.times, a.plus + b.plus}; }
  friend Cost operator-(Cost a, Cost b) { return {a.times - b.times, a.plus - b.plus}; }
  friend Cost operator*(double n, Cost a) { return {n * a.times, n * a.plus}; }
};
using Costs = std::vector<Cost>;
constexpr double n = 6.0, n2 = n * n, n3 = n * n2, n4 = n * n3;

Cost total(const Costs& all) {
  Cost sum{0, 0};
  for (const Cost& one : all) sum = sum + one;
  return sum;
}

void expect_cost(const Json& shown, const Cost& expected, const std::string& what) {
  EXPECT_NEAR(shown.at("multiplications"), expected.times, 1e-9) << what;
  EXPECT_NEAR(shown.at("additions"), expected.plus, 1e-9) << what;
}

/// Rows of a table as the paper prints them, and what the operators of its equations cost, by the
/// groups of terms that the program has.
struct CostTable {
  const char *paper, *number, *method, *source, *what;
  Costs printed, counted;
};

// 001, tables 1 to 4, and 003, tables 1 and 2.
TEST(Papers, ShowTheCostsOfTheirTables) {
  const Cost turned{9, 6}, crossed{6, 3}, scaled{3, 0}, added{0, 3}, product{64, 48};
  const Cost omega = n * (turned + Cost{0, 1}), alpha = n * (turned + Cost{2, 3}),
             a = n * (3 * crossed + turned + 2 * added), a_c = n * (3 * crossed + 2 * added),
             f = (n - 1) * (turned + added), N = n * (2 * turned + crossed + added),
             n_i = (n - 1) * (turned + 2 * crossed + 3 * added) + crossed + added,
             traces = n * Cost{18, 15};
  // The sums that an arrangement needs: of links q and joints i, j, k up to q, i.e. of 1, q, q²,
  // and q³ over all links.
  const double s1 = n * (n + 1) / 2, s2 = n * (n + 1) * (2 * n + 1) / 6, s3 = s1 * s1;
  const double pairs = (s2 + s1) / 2;    // j ≤ k ≤ q
  const double products = (n3 - n) / 6;  // i < j < k, of ∂²T that are formed
  const double pairs_of_D = pairs, of_H = (s3 + s2) / 2;
  // Products for ∂T/∂q_i where i > 1; for ∂²T where j > 1, and where j < k.
  const double derivatives_of_D = (pairs - n) + products,
               derivatives_of_H = (s3 - s1) / 2 + s3 - s2;
  const Cost T = n * (n - 1) / 2 * product, controller{2 * n, 4 * n}, sums{n3 + 2 * n2, n3 + n2};
  const CostTable tables[] = {
      {"001",
       "Table 3",
       "newton-euler",
       "paper 001",
       "Table 3",
       {n * Cost{9, 7}, n * Cost{9, 9}, n * Cost{6, 9}, n * Cost{18, 15}, n * Cost{9, 9},
        (n - 1) * Cost{12, 9}, n * Cost{9, 6}, n * Cost{15, 9}, n * Cost{6, 3}, n * Cost{6, 3},
        n * Cost{9, 6}, n * Cost{0, 15}},
       {omega, alpha, a + a_c, n * scaled + f, N + n_i}},
      {"001",
       "Table 4",
       "modified-newton-euler",
       "paper 001",
       "Table 4, principal axes",
       {n * Cost{9, 7}, n * Cost{9, 9}, n * Cost{6, 9}, (n - 1) * Cost{18, 15}, n * Cost{12, 9},
        (n - 1) * Cost{9, 9}, n * Cost{6, 3}, n * Cost{6, 3}, n * Cost{6, 3}, n * Cost{9, 6},
        n * Cost{0, 15}},
       {omega, alpha, n * Cost{6, 9}, turned + (n - 1) * (2 * turned + added),
        n * (turned + added + scaled), f, traces + n_i}},
      {"001",
       "Table 2",
       "lagrange",
       "paper 001",
       "Table 2",
       {n * (n - 1) * Cost{32, 24},
        n * (n - 1) * Cost{32, 24},
        n * (n2 - 1) * Cost{32.0 / 3.0, 8},
        {17.0 / 6.0 * n3 + 17.0 / 2.0 * n2 + 209.0 / 3.0 * n, 16.0 / 3.0 * n3 + 80.0 / 3.0 * n},
        {8 * n2 + 8 * n, 8 * n2 + 7 * n},
        {2 * n2 + 2 * n, 2 * n2 + n}},
       {T, T, products * product,
        s1 * Cost{16, 16} + pairs * Cost{17, 16} + products * Cost{0, 1} + n * product,
        s1 * Cost{16, 16}}},
      {"003",
       "Table 1-2",
       "newton-euler",
       "paper 003",
       "Table 2",
       {n * Cost{9, 7},
        n * Cost{9, 9},
        n * Cost{27, 22},
        n * Cost{15, 14},
        n * Cost{3, 0},
        {9 * n - 9, 9 * n - 6},
        n * Cost{24, 18},
        {21 * n - 15, 24 * n - 15},
        controller},
       {omega, alpha, a, a_c, n * scaled, f, N, n_i}},
      {"003",
       "Table 1-2",
       "lagrange",
       "paper 003",
       "Table 1",
       {n * (n - 1) * Cost{32, 24},
        {36 * n2 - 28 * n, 51.0 / 2.0 * n2 - 45.0 / 2.0 * n},
        {0, n2 / 2 - n / 2},
        {128.0 / 3.0 * n3 + 128 * n2 + 256.0 / 3.0 * n,
         65.0 / 2.0 * n3 + 195.0 / 2.0 * n2 + 65 * n},
        {0, n3 / 6 - n / 6},
        {128.0 / 3.0 * n4 + 128 * n3 + 256.0 / 3.0 * n2,
         65.0 / 2.0 * n4 + 195.0 / 2.0 * n3 + 65 * n2},
        {0, n4 / 6 - n2 / 6},
        controller,
        sums},
       {T, (s1 - n) * product + s1 * Cost{15, 11} + Cost{0, s1 - n},
        pairs_of_D * (2 * product + Cost{0, 3}) + derivatives_of_D * product +
            Cost{0, pairs_of_D - s1},
        of_H * (2 * product + Cost{0, 3}) + derivatives_of_H * product + Cost{0, of_H - n * s1},
        sums}}};
  const Shell shell;
  for (const CostTable& table : tables) {
    SCOPED_TRACE(std::string(table.paper) + " " + table.what);
    const Json shown = json_of(shell, commands_of(table.paper, table.number).at(0));
    const Json& costs = shown.at("costs");
    const auto of = std::ranges::find_if(
        costs, [&](const Json& one) { return one.at("method") == table.method; });
    ASSERT_NE(of, costs.end());
    const Json& groups_of = of->at("tables");
    const auto found = std::ranges::find_if(groups_of, [&](const Json& one) {
      return one.at("source") == table.source && one.at("what") == table.what;
    });
    ASSERT_NE(found, groups_of.end());
    std::size_t row = 0, group = 0;
    for (const Json& one : found->at("groups")) {
      for (const Json& printed : one.at("printed")) {
        ASSERT_LT(row, table.printed.size());
        expect_cost(printed, table.printed[row++], printed.at("term"));
      }
      if (one.at("counted").is_null()) continue;
      ASSERT_LT(group, table.counted.size());
      expect_cost(one.at("counted").at("as_written"), table.counted[group++],
                  one.at("terms").dump());
    }
    EXPECT_EQ(row, table.printed.size());
    EXPECT_EQ(group, table.counted.size());
    const bool is_of_controller = std::string(table.what) == "Table 1";  // another text
    if (!is_of_controller) expect_cost(of->at("as_written"), total(table.counted), table.method);
    const auto whole = std::ranges::find_if(
        of->at("published"), [&](const Json& one) { return one.at("source") == table.source; });
    expect_cost(*whole, total(table.printed), "total");
  }
  // 001, table 1, has the totals of tables 2 to 4, and 003 says "about 100" of its two.
  const std::vector<std::string> command = commands_of("001", "Table 1");
  const std::string text = run(shell, command.at(0)).out;
  const Cost lagrange = total(tables[4].printed), newton_euler = total(tables[3].printed);
  std::ostringstream ratio;
  ratio << "Table 1 over Table 2: " << std::round(lagrange.times / newton_euler.times)
        << " times the multiplications, " << std::round(lagrange.plus / newton_euler.plus)
        << " times the additions";
  EXPECT_NE(text.find(ratio.str()), std::string::npos) << ratio.str();
  const Json all = json_of(shell, command.at(0)).at("costs");
  // Principal axes: I α and I ω are products with three numbers, and two products of (A K) remain
  // in each component of the trace.
  for (std::size_t k = 0; k < 2; ++k) {
    const Cost counted = total(tables[k].counted);
    expect_cost(all.at(k).at("principal"), counted - n * Cost{12, 12}, "principal axes");
    // Projection of n_i on the axis of joint i, (0, sin α, cos α).
    expect_cost(all.at(k).at("in_papers_frames"), counted + n * Cost{2, 1}, "in its frames");
    // 001, sections 6 and 7: M by n evaluations, C^i by n(n + 1)/2; a step takes four times M, C + G
    // and the solution by L D Lᵀ, and the sums of Runge and Kutta over 2n numbers.
    const Json& strobing = all.at(k).at("strobing");
    expect_cost(strobing.at("mass_matrix").at("as_written"), n * counted, "M");
    expect_cost(strobing.at("velocity_matrices").at("as_written"), s1 * counted, "C");
    const Cost solution{(n3 - n) / 6 + 3 * (s1 - n), (n3 - n) / 6 + 2 * (s1 - n) + n};
    const Cost runge_kutta = 2 * n * (Cost{4, 0} + Cost{2, 3} + Cost{2, 3} + Cost{1, 1});
    expect_cost(strobing.at("simulation_step").at("as_written"),
                4 * ((n + 1) * counted + solution) + runge_kutta, "step");
  }
}

// 001, table 5, by the durations of its table 4: each term waits for those that it needs.
TEST(Papers, ShowTheStepsOnParallelProcessors) {
  const Shell shell;
  const Json shown = json_of(shell, commands_of("001", "Table 5").at(0)).at("schedule");
  const Costs rows{{9, 7}, {9, 9}, {6, 9}, {9, 7}, {9, 9}, n * Cost{18, 15}, n * Cost{9, 12}};
  const Json& table = shown.at("table_5");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    expect_cost(table.at("rows").at(k), rows[k], table.at("rows").at(k).at("term"));
  }
  expect_cost(table.at("printed"), total(rows), "total");
  const auto longest_chain = [](double Cost::*of) {
    const auto cost = [of](double times, double plus) { return Cost{times, plus}.*of; };
    constexpr std::size_t links = 6;
    double omega = 0, alpha = 0, A = 0, a = 0;
    std::array<double, links> ma{}, trace{}, moment{};
    for (std::size_t i = 0; i < links; ++i) {
      if (i > 0) a = std::max(a, A) + cost(18, 15);  // of the base it is known
      alpha = std::max(omega, alpha) + cost(9, 9);
      omega += cost(9, 7);
      A = std::max(omega, alpha) + cost(6, 9);
      ma[i] = std::max(a, A) + cost(12, 9);
      trace[i] = A + cost(6, 3);
      moment[i] = ma[i] + cost(6, 3);
    }
    double f = 0, end = 0;
    for (std::size_t i = links; i-- > 0;) {
      double begin = std::max(trace[i], moment[i]);
      if (i + 1 < links) {
        const double Rf = std::max(f, ma[i]) + cost(9, 9);  // R f_i+1, and the sum f_i
        begin = std::max({begin, end + cost(9, 6), Rf + cost(6, 3)});
        f = Rf;
      } else {
        f = ma[i];
      }
      end = begin + cost(0, 15);
    }
    return std::max(f, end);
  };
  expect_cost(table.at("longest_chain"), {longest_chain(&Cost::times), longest_chain(&Cost::plus)},
              "longest chain");
  const double levels[] = {10 * n + 4, 9 * n + 5};
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(shown.at("methods").at(k).at("as_written").at("levels"), levels[k]);
  }
  for (const Json& method : shown.at("methods")) {
    for (const char* text : {"as_written", "balanced", "needed", "needed_balanced"}) {
      const Json& one = method.at(text);
      const double operations = one.at("operations"), steps = one.at("steps"),
                   processors = one.at("processors");
      EXPECT_EQ(one.at("bound"), std::ceil(operations / one.at("levels").get<double>()));
      EXPECT_EQ(steps, one.at("levels"));
      EXPECT_NEAR(one.at("speed_up"), operations / steps, 1e-12);
      EXPECT_NEAR(one.at("idle"), 1.0 - operations / (processors * steps), 1e-12);
    }
  }
}

// 004 (3.1)-(3.48): each array by its definition in section 3, of vectors that the recursion has.
TEST(Papers, ShowTheArraysOfPaper004) {
  const Shell shell;
  const std::string command = commands_of("004", "3.1-3.48").at(0);
  std::map<std::string, double> shown;
  std::set<std::string> equations;
  const Json listing = Json::parse(run(shell, command + " --json").err);
  for (const Json& one : listing.at("statements")) {
    shown[one.at("left")] = one.at("value");
    if (one.contains("equation")) equations.insert(one.at("equation"));
  }
  const Json state = json_of(
      shell, "armdyn inspect six-link-jaeri" + command.substr(command.find(" --q "), command.npos));
  const std::vector<Body> bodies = bodies_of(state);
  PapersRecursion(state, bodies, Convention::standard).expect_in(state);
  std::size_t count = 0;
  const auto expect = [&](const std::string& array, std::size_t i, const Vec3& expected) {
    const double entries[] = {expected.x, expected.y, expected.z};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string name =
          array + "(" + std::to_string(k + 1) + "," + std::to_string(i + 1) + ")";
      ASSERT_TRUE(shown.contains(name)) << name;
      EXPECT_NEAR(shown.at(name), entries[k], 1e-11) << name;
      ++count;
    }
  };
  Vec3 B, CX, H{0, 0, 9.81};
  const auto links = state.at("links");
  for (std::size_t i = 0; i < 6; ++i) {
    const double qd = state.at("qd").at(i), qdd = state.at("qdd").at(i);
    const Row& row = six_link[i];
    const Matrix T = T_of(row, state.at("q").at(i));
    const Json& link = links.at(i);
    const auto of = [&link](const char* key) { return vector_of(link.at(key)); };
    for (std::size_t k = 0; k < 9; ++k) {
      const std::string name = "A(" + std::to_string(k / 3 + 1) + "," + std::to_string(k % 3 + 1) +
                               "," + std::to_string(i + 1) + ")";
      EXPECT_NEAR(shown.at(name), T(k / 3, k % 3), 1e-15) << name;
      ++count;
    }
    const Vec3 R{row.a, row.d * std::sin(row.alpha), row.d * std::cos(row.alpha)};  // (3.18)
    expect("B", i, B);
    expect("CX", i, CX);
    expect("H", i, H);
    expect("DD", i, {CX.x + B.y * qd, CX.y - B.x * qd, CX.z + qdd});
    B = of("omega");
    CX = of("omega_dot");
    H = of("v_dot");
    expect("CC", i, cross(CX, R));
    expect("BB", i, cross(B, R));
    expect("BBB", i, cross(B, cross(B, R)));
    const Vec3& AR = bodies[i].r_c;
    expect("AR", i, AR);
    expect("CAR", i, cross(CX, AR));
    expect("BAR", i, cross(B, AR));
    expect("B2", i, cross(B, cross(B, AR)));
    expect("AA", i, of("v_c_dot"));
    const Vec3 F = of("F");
    expect("F", i, F);
    const Vec3 XJB = bodies[i].I * B;
    expect("XJC", i, bodies[i].I * CX);
    expect("XJB", i, XJB);
    expect("BIB", i, cross(B, XJB));
    expect("AN", i, of("N"));
    expect("RF", i, of("force"));
    expect("U", i, of("moment"));
    expect("PF", i, cross(R + AR, F));
    const Vec3 z{T(2, 0), T(2, 1), T(2, 2)};  // of {i−1}, in axes of {i}
    EXPECT_NEAR(shown.at("τ" + std::to_string(i + 1)), dot(z, of("moment")), 1e-11);
    ++count;
    const bool is_last = i == 5;  // A(·,·,7) is that of the tool, which is {6}
    const Matrix next = is_last ? matrix({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}})
                                : T_of(six_link[i + 1], state.at("q").at(i + 1));
    const Mat3 A{{next(0, 0), next(0, 1), next(0, 2)},
                 {next(1, 0), next(1, 1), next(1, 2)},
                 {next(2, 0), next(2, 1), next(2, 2)}};
    const Vec3 f = is_last ? Vec3{} : vector_of(links.at(i + 1).at("force")),
               moment = is_last ? Vec3{} : vector_of(links.at(i + 1).at("moment"));
    const Vec3 YK = transposed(A) * R, U2 = moment + cross(YK, f);
    expect("YK", i, YK);
    expect("YKR", i, cross(YK, f));
    expect("U2", i, U2);
    expect("AU2", i, A * U2);
  }
  expect("B", 6, B);
  expect("CX", 6, CX);
  expect("H", 6, H);
  expect("RF", 6, {});
  expect("U", 6, {});
  // What is left are constants of the arm: a, d, γ, η, c, s, m and J.
  for (const auto& [name, value] : shown) {
    static const std::regex constant(
        R"(([adcsm]|γ|η)[1-6]|J\([123],[123],[1-6]\)|A\([123],[123],7\))");
    if (std::regex_match(name, constant)) ++count;
  }
  EXPECT_EQ(count, shown.size());
  EXPECT_GT(equations.size(), 30U);
}

// 001 (4.1)-(4.34): Lagrange's equation from energies of the recursion's velocities makes its
// torques. With K = q̇ᵀ M q̇ / 2, d/dt ∂K/∂q̇ − ∂K/∂q + ∂U/∂q; derivatives are differences.
TEST(Papers, ShowThatNewtonEulerAndLagrangeAreTheSame) {
  const Shell shell;
  const std::vector<std::string> of = commands_of("001", "4.1-4.34");
  const std::string proof = run(shell, of.at(0)).out;
  EXPECT_NE(proof.find("the torques are identically equal"), std::string::npos) << proof;
  const Json compared = json_of(shell, of.at(1));
  EXPECT_EQ(compared.at("agree"), true);
  const Json state = json_of(shell, in_full(commands_of("001", "2.11").at(0)));
  const std::vector<Body> bodies = bodies_of(state);
  const std::vector<double> q = state.at("q"), qd = state.at("qd"), qdd = state.at("qdd");
  const auto at = [&](const std::vector<double>& q_at, const std::vector<double>& qd_at) {
    std::vector<Matrix> T;
    for (std::size_t i = 0; i < 6; ++i) T.push_back(T_of(puma[i], q_at[i]));
    const PapersRecursion moving(T, bodies, {q_at, qd_at, std::vector<double>(6)},
                                 Convention::standard);
    double potential = 0.0;
    Matrix chain = matrix({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
    for (std::size_t i = 0; i < 6; ++i) {
      chain = product(chain, T[i]);
      const Vec3& r = bodies[i].r_c;
      potential += 9.81 * bodies[i].mass *
                   (chain(2, 0) * r.x + chain(2, 1) * r.y + chain(2, 2) * r.z + chain(2, 3));
    }
    return std::pair(moving.kinetic(), potential);
  };
  const auto moved = [](std::vector<double> x, std::size_t i, double by) {
    x[i] += by;
    return x;
  };
  // ∂K/∂q̇_i is a difference without error, since K is quadratic in q̇.
  const auto momentum = [&](const std::vector<double>& q_at, const std::vector<double>& qd_at,
                            std::size_t i) {
    return (at(q_at, moved(qd_at, i, 1)).first - at(q_at, moved(qd_at, i, -1)).first) / 2.0;
  };
  constexpr double h = 1e-5;
  std::vector<double> later_q = q, later_qd = qd, before_q = q, before_qd = qd, tau;
  for (std::size_t i = 0; i < 6; ++i) {
    later_q[i] += h * qd[i];
    later_qd[i] += h * qdd[i];
    before_q[i] -= h * qd[i];
    before_qd[i] -= h * qdd[i];
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const auto [K_up, U_up] = at(moved(q, i, h), qd);
    const auto [K_down, U_down] = at(moved(q, i, -h), qd);
    tau.push_back((momentum(later_q, later_qd, i) - momentum(before_q, before_qd, i) -
                   (K_up - K_down) + (U_up - U_down)) /
                  (2.0 * h));
  }
  expect_near(state.at("tau").get<std::vector<double>>(), tau, 1e-9, "tau");
}

/// The PUMA of 003 under computed torque that is held for 0.01 s, with gains of 100 and 20: errors at
/// the rows of the motion, by Runge and Kutta's four points in steps of 0.001 s.
class HeldTorque {
 public:
  explicit HeldTorque(std::vector<Body> bodies) : bodies_(std::move(bodies)) {}

  using Numbers = std::vector<double>;
  [[nodiscard]] Numbers tau(const Numbers& q, const Numbers& qd, const Numbers& qdd) const {
    Numbers sum = recursion(q, qd, qdd, 9.81);
    for (std::size_t i = 0; i < 6; ++i) sum[i] += rotor(i) * qdd[i];
    return sum;
  }
  [[nodiscard]] Numbers acceleration(const Numbers& q, const Numbers& qd,
                                     const Numbers& tau) const {
    const Numbers h = recursion(q, qd, Numbers(6), 9.81);
    std::array<Numbers, 6> rows;  // of M, and τ − V − G
    for (std::size_t j = 0; j < 6; ++j) {
      Numbers one(6);
      one[j] = 1.0;
      const Numbers column = recursion(q, Numbers(6), one, 0.0);
      for (std::size_t i = 0; i < 6; ++i) rows[i].push_back(column[i] + (i == j ? rotor(i) : 0.0));
    }
    for (std::size_t i = 0; i < 6; ++i) rows[i].push_back(tau[i] - h[i]);
    for (std::size_t k = 0; k < 6; ++k) {
      for (std::size_t i = 0; i < 6; ++i) {
        if (i == k) continue;
        const double factor = rows[i][k] / rows[k][k];
        for (std::size_t j = k; j < 7; ++j) rows[i][j] -= factor * rows[k][j];
      }
    }
    Numbers qdd;
    for (std::size_t i = 0; i < 6; ++i) qdd.push_back(rows[i][6] / rows[i][i]);
    return qdd;
  }
  /// Moves the arm on by 0.001 s.
  void step(Numbers& q, Numbers& qd, const Numbers& tau) const {
    constexpr double h = 0.001;
    const auto sum = [](Numbers x, double by, const Numbers& rate) {
      for (std::size_t i = 0; i < 6; ++i) x[i] += by * rate[i];
      return x;
    };
    const Numbers v1 = qd, a1 = acceleration(q, qd, tau);
    const Numbers v2 = sum(qd, h / 2, a1), a2 = acceleration(sum(q, h / 2, v1), v2, tau);
    const Numbers v3 = sum(qd, h / 2, a2), a3 = acceleration(sum(q, h / 2, v2), v3, tau);
    const Numbers v4 = sum(qd, h, a3), a4 = acceleration(sum(q, h, v3), v4, tau);
    for (std::size_t i = 0; i < 6; ++i) {
      q[i] += h / 6 * (v1[i] + 2 * v2[i] + 2 * v3[i] + v4[i]);
      qd[i] += h / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]);
    }
  }

 private:
  [[nodiscard]] Numbers recursion(const Numbers& q, const Numbers& qd, const Numbers& qdd,
                                  double g) const {
    std::vector<Matrix> T;
    for (std::size_t i = 0; i < 6; ++i) T.push_back(T_of(puma[i], q[i]));
    return PapersRecursion(T, bodies_, {q, qd, qdd}, Convention::standard,
                           PapersRecursion::no_slide, g)
        .tau();
  }
  /// G² J of puma560's motors.
  static double rotor(std::size_t i) {
    constexpr double gears[] = {-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686};
    return gears[i] * gears[i] * (i < 3 ? 2.0e-4 : 3.3e-5);
  }

  std::vector<Body> bodies_;
};

// 003 (4.1), and figures 3 to 8, for the first 1.2 s of the motion; its rows are 2.5 ms apart.
TEST(Papers, ShowErrorsUnderComputedTorque) {
  const Shell shell;
  std::vector<CsvColumns> shown;
  for (const char* number : {"4.1", "Figure 3-8"}) {
    std::string command = commands_of("003", number).at(0);
    command = command.substr(0, command.find(" --plot"));
    ASSERT_EQ(run(shell, command).exit_code, 0);
    shown.push_back(csv_columns(shell.read(command.substr(command.find("-o ") + 3))));
  }
  const HeldTorque arm(bodies_of(json_of(shell, "armdyn inspect puma560 --what links")));
  const CsvColumns desired = shipped_motion();
  std::vector<double> q = row_of(desired, "q", 0), qd = row_of(desired, "qd", 0), tau;
  double largest_error = 0.0;
  for (std::size_t row = 0; row < 1200; ++row) {
    if (row % 10 == 0) {
      const std::size_t k = 4 * (row / 10);
      const std::vector<double> to = row_of(desired, "q", k), rate = row_of(desired, "qd", k);
      std::vector<double> qdd = row_of(desired, "qdd", k), e;
      for (std::size_t i = 0; i < 6; ++i) {
        e.push_back(to[i] - q[i]);
        qdd[i] += 100.0 * e[i] + 20.0 * (rate[i] - qd[i]);
      }
      largest_error = std::max(largest_error, largest(e));
      tau = arm.tau(q, qd, qdd);
      for (const CsvColumns& found : shown) {
        ASSERT_NEAR(desired.at("t")[k], found.at("t")[row], 1e-12);
        expect_near(row_of(found, "e", row), e, 1e-9, "e", 1.0);
        expect_near(row_of(found, "tau", row), tau, 1e-7, "tau");
      }
    }
    arm.step(q, qd, tau);
  }
  EXPECT_GT(largest_error, 1e-4);
}

// 000: a tensor in another frame, here turned by 90° about z: x there is y here, and y there −x. 004
// (A.9): the moment about z of {i}.
TEST(Papers, ShowInertiasInOtherFrames) {
  const Shell shell;
  const Json turned = json_of(shell, command_with("--frame 0.2,0,0,0,0,pi/2"));
  for (const Json& link : turned.at("joints")) {
    const Vec3 c = vector_of(link.at("com")) - Vec3{0.2, 0, 0};
    const double m = link.at("mass");
    const Mat3 I = tensor_of(link.at("inertia")), there = tensor_of(link.at("inertia_in_frame"));
    EXPECT_NEAR(there.row_x.x, I.row_y.y + m * (c.x * c.x + c.z * c.z), 1e-15);
    EXPECT_NEAR(there.row_y.y, I.row_x.x + m * (c.y * c.y + c.z * c.z), 1e-15);
    EXPECT_NEAR(there.row_z.z, I.row_z.z + m * (c.x * c.x + c.y * c.y), 1e-15);
    EXPECT_NEAR(there.row_x.y, -(I.row_x.y - m * c.x * c.y), 1e-15);
    EXPECT_NEAR(there.row_x.z, I.row_y.z - m * c.y * c.z, 1e-15);
    EXPECT_NEAR(there.row_y.z, -(I.row_x.z - m * c.x * c.z), 1e-15);
  }
  const Json about_z = json_of(shell, commands_of("004", "A.1-A.9").at(2));
  for (const Json& link : about_z.at("joints")) {
    const Vec3 c = vector_of(link.at("com"));
    EXPECT_NEAR(link.at("moment_about_line"),
                link.at("inertia").at("zz").get<double>() +
                    link.at("mass").get<double>() * (c.x * c.x + c.y * c.y),
                1e-15);
  }
}

// 000: k_i, u_i, B_x and C_x of the RR arm. V − M J⁻¹ J̇ q̇ = B_x [q̇q̇] + C_x [q̇²].
TEST(Papers, ShowEnergiesOfLinksAndCartesianCoefficients) {
  const Shell shell;
  const Json state = json_of(shell, command_with("-0.4 --links"));
  const TwoLinks x(state);
  const double v2 = x.l1 * x.l1 * x.qd1 * x.qd1 + x.l2 * x.l2 * (x.qd1 + x.qd2) * (x.qd1 + x.qd2) +
                    2 * x.l1 * x.l2 * x.c2 * x.qd1 * (x.qd1 + x.qd2);
  const double k[] = {x.m1 * x.l1 * x.l1 * x.qd1 * x.qd1 / 2, x.m2 * v2 / 2},
               u[] = {x.m1 * x.g * x.l1 * x.s1, x.m2 * x.g * (x.l1 * x.s1 + x.l2 * x.s12)};
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(state.at("links").at(i).at("kinetic"), k[i], 1e-14);
    EXPECT_NEAR(state.at("links").at(i).at("potential"), u[i], 1e-13);
  }
  const Json shown = json_of(shell, command_with("craig_Bx,craig_Cx"));
  const std::vector<double> rates[] = {{1.0, 0.0}, {0.0, 1.0}, {0.6, -0.7}};
  for (const std::vector<double>& qd : rates) {
    const TwoLinks at({{"q", {0.3, 0.7}}, {"qd", qd}});
    const std::vector<double> a = times(at.J_dot, qd);
    const double det = at.J(0, 0) * at.J(1, 1) - at.J(0, 1) * at.J(1, 0);
    const std::vector<double> bias = times(at.M, {(at.J(1, 1) * a[0] - at.J(0, 1) * a[1]) / det,
                                                  (at.J(0, 0) * a[1] - at.J(1, 0) * a[0]) / det});
    expect_near(sum(times(matrix_of(shown.at("craig_Bx")), {qd[0] * qd[1]}),
                    times(matrix_of(shown.at("craig_Cx")), {qd[0] * qd[0], qd[1] * qd[1]})),
                {at.V[0] - bias[0], at.V[1] - bias[1]}, 1e-13, "V", 1.0);
  }
}

// 000: Jᵀ M_x J = M, and J of the links' centers of mass, over a motion.
TEST(Papers, ShowMassesAndJacobiansOverAMotion) {
  const Shell shell;
  ASSERT_EQ(run(shell, command_with("--what Mx,link_jacobians")).exit_code, 0);
  const CsvColumns found = csv_columns(shell.read("task.csv")), motion = shipped_motion();
  const std::vector<Body> bodies = bodies_of(json_of(shell, "armdyn inspect puma560 --what links"));
  const HeldTorque arm(bodies);
  const auto entry = [&](const std::string& name, std::size_t row, std::size_t i, std::size_t j) {
    return found.at(name + std::to_string(i + 1) + "_" + std::to_string(j + 1))[row];
  };
  for (const std::size_t row : {0U, 700U, 1300U, 2100U}) {
    const std::vector<double> q = row_of(motion, "q", row), none(6);
    Matrix M(6, 6), Mx(6, 6);
    for (std::size_t j = 0; j < 6; ++j) {
      std::vector<double> one(6);
      one[j] = 1.0;
      const std::vector<double> with = arm.tau(q, none, one), without = arm.tau(q, none, none);
      for (std::size_t i = 0; i < 6; ++i) {
        M(i, j) = with[i] - without[i];
        Mx(i, j) = entry("Mx", row, i, j);
      }
    }
    const Matrix J = jacobian_of(puma, q);
    expect_near(product(product(transposed(J), Mx), J), M, 1e-11, "Mx");
    Matrix T = matrix({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
    for (std::size_t i = 0; i < 6; ++i) {
      const std::vector<Row> table(puma.begin(), puma.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      const Matrix origin =
          jacobian_of(table, {q.begin(), q.begin() + static_cast<std::ptrdiff_t>(i) + 1});
      T = product(T, T_of(puma[i], q[i]));
      const Vec3& r = bodies[i].r_c;
      const Vec3 way{T(0, 0) * r.x + T(0, 1) * r.y + T(0, 2) * r.z,
                     T(1, 0) * r.x + T(1, 1) * r.y + T(1, 2) * r.z,
                     T(2, 0) * r.x + T(2, 1) * r.y + T(2, 2) * r.z};
      for (std::size_t j = 0; j <= i; ++j) {
        const Vec3 z{origin(3, j), origin(4, j), origin(5, j)};
        const Vec3 v = Vec3{origin(0, j), origin(1, j), origin(2, j)} + cross(z, way);
        const double expected[] = {v.x, v.y, v.z, z.x, z.y, z.z};
        for (std::size_t k = 0; k < 6; ++k) {
          EXPECT_NEAR(entry("Jlinks", row, 6 * i + k, j), expected[k], 1e-14) << i << j << k;
        }
      }
    }
  }
}

// docs/errata.md: what joint 2 of 004 needs to hold still at A by its arrays, with one equation as it
// is printed.
TEST(Papers, HoldWithAnotherTorqueByTheirMisprints) {
  const Json state = json_of(Shell(), "armdyn inspect six-link-jaeri --q A");
  const std::vector<Body> bodies = bodies_of(state);
  const auto holding = [&](const std::string& printed) {
    std::vector<Mat3> A;
    std::vector<Vec3> F, R, AR;
    Vec3 H{0, 0, 9.81};
    for (std::size_t i = 0; i < 6; ++i) {
      const Matrix T = T_of(six_link[i], state.at("q").at(i));
      A.push_back(
          {{T(0, 0), T(0, 1), T(0, 2)}, {T(1, 0), T(1, 1), T(1, 2)}, {T(2, 0), T(2, 1), T(2, 2)}});
      const Vec3 p{T(0, 3), T(1, 3), T(2, 3)};
      R.push_back(transposed(A[i]) * p);  // (3.18)
      AR.push_back(printed.starts_with("3.26") ? -0.5 * p : bodies[i].r_c);
      H = transposed(A[i]) * H;
      F.push_back(bodies[i].mass * H);
    }
    A.push_back({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    Vec3 RF, U;
    for (std::size_t i = 6; i-- > 1;) {
      const double d = six_link[i].d * std::cos(six_link[i].alpha);
      const Vec3 way = printed.starts_with("3.41") ? Vec3{six_link[i].a, d, d} : R[i];
      const Vec3 U2 = U + cross(transposed(A[i + 1]) * way, RF);
      const Vec3 lever = printed.find("lever") != printed.npos ? -1.0 * AR[i] : R[i] + AR[i];
      RF = A[i + 1] * RF + F[i];
      U = A[printed.starts_with("3.44") ? i : i + 1] * U2 + cross(lever, F[i]);
    }
    return dot(transposed(A[1]) * Vec3{0, 0, 1}, U);
  };
  std::ifstream file(docs_folder() + "/errata.md");
  std::size_t rows = 0;
  bool is_in_table = false;
  for (std::string line; std::getline(file, line);) {
    static const std::regex row("\\| (right|3\\.[0-9]+ as printed.*) \\| ((?:−)?)([0-9.]+) \\|");
    is_in_table = is_in_table || line.starts_with("| equation | holding torque");
    std::smatch match;
    if (!is_in_table || !std::regex_match(line, match, row)) continue;
    const double shown = std::stod(match[3]) * (match[2].length() > 0 ? -1.0 : 1.0);
    EXPECT_NEAR(holding(match[1]), shown, 0.05) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 5U);
}

}  // namespace
}  // namespace armdyn::testing
