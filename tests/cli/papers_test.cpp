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
    const CsvColumns in = csv_columns(motion.ends_with(".csv") ? shell.read(motion) : [&] {
      std::ifstream file(shipped_robots_folder() + "/motions/" + motion + ".csv");
      std::string csv;
      for (std::string line; std::getline(file, line);) {
        if (!line.starts_with('#')) csv += line + "\n";
      }
      return csv;
    }());
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
  EXPECT_NEAR(forces.at("wrench1")[0], expected[0], 1e-14);
  EXPECT_NEAR(forces.at("wrench2")[0], expected[1], 1e-14);
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

}  // namespace
}  // namespace armdyn::testing
