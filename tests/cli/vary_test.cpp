// The program as a user runs it for many arms.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "io/robot/robot_text.hpp"
#include "support/csv_columns.hpp"
#include "support/fewest_lanes.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

using nlohmann::json;

constexpr double g = 9.81;

class Vary : public ::testing::Test {
 protected:
  Vary() {
    shell.write("pendulum.yaml",
                "armdyn: 1\nname: pendulum\nconvention: modified\njoints:\n"
                "  - {name: hinge, type: revolute, dh: {a: 0, alpha: pi/2, d: 0, theta: 0},\n"
                "     mass: 2, com: [0.4, 0, 0], inertia: {xx: 0.001, yy: 0.02, zz: 0.02},\n"
                "     limits: {torque: 8.2}}\n");
    shell.write("hold.csv", "q1,qd1,qdd1\n0,0,0\n");
    // Two links in a vertical plane, both stretched out.
    shell.write("two.yaml",
                "armdyn: 1\nname: two\nconvention: modified\njoints:\n"
                "  - {name: a, type: revolute, dh: {a: 0, alpha: pi/2, d: 0, theta: 0},\n"
                "     mass: 3, com: [0.25, 0, 0], inertia: {zz: 0.1, yy: 0.1}}\n"
                "  - {name: b, type: revolute, dh: {a: 0.5, alpha: 0, d: 0, theta: 0},\n"
                "     mass: 1, com: [0.2, 0, 0], inertia: {zz: 0.02, yy: 0.02}}\n");
    shell.write("hold2.csv", "q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n");
  }

  [[nodiscard]] Outcome run(const std::string& arguments) const {
    return shell.run("$armdyn vary " + arguments);
  }
  [[nodiscard]] CsvColumns rows(const std::string& arguments) const {
    const Outcome outcome = run(arguments + " --quiet -o rows.csv");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return csv_columns(shell.read("rows.csv"));
  }

  Shell shell;
};

/// P(m x ≤ y), m uniform in m0(1 ± a), x uniform in x0 ± b: the mean over m of P(x ≤ y/m).
double product_distribution(double y, double m0, double a, double x0, double b) {
  const int steps = 1000;  // errors of 1e-6, far below what 20,000 samples tell
  double sum = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double m = m0 * (1 + a * (2 * (k + 0.5) / steps - 1));
    sum += std::clamp((y / m - x0 + b) / (2 * b), 0.0, 1.0);
  }
  return sum / steps;
}

TEST_F(Vary, GivesTheSameBytesOnAnyInstructionSet) {
  const std::string verb =
      "$armdyn vary puma560 puma560-pick-and-place --uncertainty mass=10% --samples 7 --quiet -o ";
  const Outcome fewest = shell.run(with_fewest_lanes() + verb + "fewest.csv");
  ASSERT_EQ(fewest.exit_code, 0) << fewest.err;
  ASSERT_EQ(shell.run(verb + "best.csv").exit_code, 0);
  EXPECT_EQ(shell.read("best.csv"), shell.read("fewest.csv"));
}

TEST_F(Vary, PendulumsHoldingTorqueHasItsClosedForm) {
  const int samples = 20000;
  const CsvColumns found = rows("pendulum.yaml hold.csv --uncertainty mass=5%,com=5mm --samples " +
                                std::to_string(samples));
  std::vector<double> peaks = found.at("peak1");
  ASSERT_EQ(peaks.size(), std::size_t{samples});
  EXPECT_EQ(found.at("rms1"), peaks);
  double sum = 0.0, squares = 0.0;
  const double mean = 2 * g * 0.4;
  for (const double peak : peaks) {
    sum += peak - mean;
    squares += (peak - mean) * (peak - mean);
  }
  const double of_mass = 0.1 * 0.1 / 3, of_com = 0.005 * 0.005 / 3;
  const double variance = g * g * (of_mass * 0.16 + 4 * of_com + of_mass * of_com);
  EXPECT_LT(std::abs(sum / samples), 4 * std::sqrt(variance / samples));
  EXPECT_NEAR(squares / samples, variance, 4 * variance * std::sqrt(2.0 / samples));
  // Kolmogorov and Smirnov's distance is below 1.63/√n in 99 of 100 cases.
  std::ranges::sort(peaks);
  double distance = 0.0;
  for (std::size_t k = 0; k < peaks.size(); ++k) {
    const double exact = product_distribution(peaks[k] / g, 2, 0.05, 0.4, 0.005);
    distance = std::max(distance, std::abs(exact - (static_cast<double>(k) + 0.5) / samples));
  }
  EXPECT_LT(distance, 1.63 / std::sqrt(samples));
}

TEST_F(Vary, QuantilesAndShareHaveTheTrueOnesInTheirConfidence) {
  int inside = 0, all = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const Outcome outcome =
        run("pendulum.yaml hold.csv --uncertainty mass=5%,com=5mm --samples 500 --json --seed " +
            std::to_string(seed));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const json answer = json::parse(outcome.out);
    const json& peak = answer["peak"][0];
    for (const auto& [key, p] : {std::pair{"q50_confidence", 0.5}, {"q95_confidence", 0.95}}) {
      const double low = product_distribution(peak[key][0].get<double>() / g, 2, 0.05, 0.4, 0.005);
      const double high = product_distribution(peak[key][1].get<double>() / g, 2, 0.05, 0.4, 0.005);
      inside += low <= p && p <= high ? 1 : 0;
      ++all;
    }
    const double beyond = 1 - product_distribution(8.2 / g, 2, 0.05, 0.4, 0.005);
    const json& confidence = answer["exceeded"]["confidence"];
    inside += confidence[0] <= beyond && beyond <= confidence[1] ? 1 : 0;
    ++all;
  }
  EXPECT_GE(inside, all * 9 / 10) << "of " << all;
}

TEST_F(Vary, VarianceOfALinearCaseIsTheSumOfItsParts) {
  const int samples = 20000;
  const CsvColumns found =
      rows("two.yaml hold2.csv --uncertainty mass=10% --samples " + std::to_string(samples));
  // tau1 = g(m1 0.25 + m2 0.7), tau2 = g m2 0.2.
  const double one = g * 3 * 0.25 * 0.1, two = g * 0.7 * 0.1;
  double sum = 0.0, squares = 0.0;
  for (const double peak : found.at("peak1")) {
    const double off = peak - g * (0.75 + 0.7);
    sum += off;
    squares += off * off;
  }
  const double variance = (one * one + two * two) / 3;
  EXPECT_LT(std::abs(sum / samples), 4 * std::sqrt(variance / samples));
  EXPECT_NEAR(squares / samples, variance, 4 * variance * std::sqrt(2.0 / samples));
}

TEST_F(Vary, AgreesWithAnIndependentSampler) {
  const std::size_t samples = 5000;
  CsvColumns found = rows(
      "two.yaml hold2.csv --uncertainty mass=20%,com=3cm --distribution normal --samples 5000");
  std::vector<double>& peaks = found.at("peak1");
  std::mt19937_64 random(4711);
  std::normal_distribution<double> normal(0.0, 1.0 / 3);
  const auto cut = [&] {
    for (;;) {
      const double x = normal(random);
      if (std::abs(x) < 1) return x;
    }
  };
  std::vector<double> others(samples);
  for (double& other : others) {
    const double m1 = 3 * (1 + 0.2 * cut()), m2 = 1 + 0.2 * cut();
    const double x1 = 0.25 + 0.03 * cut(), x2 = 0.2 + 0.03 * cut();
    other = g * (m1 * x1 + m2 * (0.5 + x2));
  }
  std::ranges::sort(peaks);
  std::ranges::sort(others);
  double distance = 0.0;
  for (std::size_t k = 0; k < samples; ++k) {
    const auto at = std::ranges::upper_bound(others, peaks[k]) - others.begin();
    distance = std::max(distance, std::abs(static_cast<double>(at) - static_cast<double>(k + 1)));
  }
  const auto n = static_cast<double>(samples);
  EXPECT_LT(distance / n, 1.63 * std::sqrt(2 / n));
}

TEST_F(Vary, GivesTheSameBytesForAnyNumberOfThreads) {
  const std::string arguments =
      "ur5e six.csv --uncertainty mass=5%,com=5mm,inertia=10%,payload=20% --payload 3 "
      "--samples 150 --json ";
  std::string motion =
      "t,q1,q2,q3,q4,q5,q6,qd1,qd2,qd3,qd4,qd5,qd6,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6\n";
  for (int row = 0; row < 40; ++row) {
    motion += std::to_string(row * 0.01);
    for (int k = 0; k < 18; ++k) motion += "," + std::to_string(std::sin(0.1 * row + k));
    motion += "\n";
  }
  shell.write("six.csv", motion);
  const Outcome one = run(arguments + "--threads 1 -o one.csv --worst one.yaml");
  const Outcome many = run(arguments + "--threads 5 -o many.csv --worst many.yaml");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out + one.err, many.out + many.err);
  EXPECT_EQ(shell.read("one.csv"), shell.read("many.csv"));
  EXPECT_EQ(shell.read("one.yaml"), shell.read("many.yaml"));
  // A sample is the same however many there are.
  ASSERT_EQ(run(arguments + "--samples 30 -o few.csv").exit_code, 2);
  const Outcome few = shell.run(
      "$armdyn vary ur5e six.csv --uncertainty mass=5%,com=5mm,inertia=10%,payload=20% "
      "--payload 3 --samples 30 -o few.csv");
  ASSERT_EQ(few.exit_code, 0) << few.err;
  const std::string rows = shell.read("few.csv");
  EXPECT_EQ(shell.read("one.csv").substr(0, rows.size()), rows);
}

TEST_F(Vary, TheWorstArmNeedsWhatItsRowSays) {
  const Outcome outcome =
      run("two.yaml hold2.csv --uncertainty mass=5%,com=5mm,inertia=10% --samples 300 --json "
          "-o rows.csv --worst worst.yaml");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::size_t worst = json::parse(outcome.out)["worst"]["sample"].get<std::size_t>() - 1;
  const CsvColumns found = csv_columns(shell.read("rows.csv"));
  EXPECT_EQ(found.at("share")[worst], *std::ranges::max_element(found.at("share")));
  const Outcome torque = shell.run("$armdyn torque worst.yaml hold2.csv --quiet");
  ASSERT_EQ(torque.exit_code, 0) << torque.err;
  const CsvColumns tau = csv_columns(torque.out);
  EXPECT_EQ(std::abs(tau.at("tau1")[0]), found.at("peak1")[worst]);
  EXPECT_EQ(std::abs(tau.at("tau2")[0]), found.at("peak2")[worst]);
}

TEST_F(Vary, SaysWhichNumbersMakeTheWorstArm) {
  const Outcome outcome =
      run("two.yaml hold2.csv --uncertainty mass=5%,com=5mm,inertia=10% --samples 300 --json "
          "-o rows.csv --worst worst.yaml");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json said = json::parse(outcome.out);
  // Torques at rest, stretched out: b's is g m x of its own, and farther above 0.2 than a's above 1.45.
  EXPECT_EQ(said["worst"]["where"], "b");
  const Robot worst = parse_robot_file(shell.read("worst.yaml"), "worst.yaml").robot;
  const double m = worst.joints[1].body.mass, x = worst.joints[1].body.com.x;
  std::map<std::string, double> expected{{"mass of b", (m * x - x) / (m * x - 0.2)},
                                         {"com x of b", (m * x - 0.2 * m) / (m * x - 0.2)}};
  std::map<std::string, double> found;
  double before = 2.0;
  for (const json& cause : said["causes"]) {
    const double share = cause["of_excess"];
    EXPECT_LE(share, before);
    before = share;
    if (share > 1e-9) found[cause["name"]] = share;
  }
  ASSERT_EQ(found.size(), 2U) << said["causes"];
  for (const auto& [name, share] : expected) EXPECT_NEAR(found[name], share, 1e-9) << name;
  const std::string text = run("two.yaml hold2.csv --uncertainty mass=5%,com=5mm").out;
  EXPECT_NE(text.find("of the nominal peak of b\n"), std::string::npos) << text;
}

TEST_F(Vary, KeepsTheFilesArmAmongThoseOfAnInertiaThatNoBodyHas) {
  const Outcome drawn = shell.run(
      "$armdyn trajectory kuka-iiwa14 --from 0,0,0,0,0,0,0 --to 1,0.5,1,-1,1,1,1 --duration 0.8 "
      "--quiet -o m.csv 2> /dev/null; $armdyn vary kuka-iiwa14 m.csv --uncertainty inertia=0.0001% "
      "--samples "
      "200 "
      "--json -o rows.csv");
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  const CsvColumns rows = csv_columns(shell.read("rows.csv"));
  const json said = json::parse(drawn.out);
  for (std::size_t i = 0; i < 7; ++i) {
    const double nominal = said["peak"][i]["nominal"];
    const auto& peaks = rows.at("peak" + std::to_string(i + 1));
    EXPECT_LE(*std::ranges::max_element(peaks), nominal * (1 + 1e-6)) << i;
    EXPECT_GE(*std::ranges::min_element(peaks), nominal * (1 - 1e-6)) << i;
    EXPECT_GT(*std::ranges::max_element(peaks), nominal * (1 - 1e-12)) << i;
  }
}

TEST_F(Vary, RefusesInertiaWhereAMomentIsBelowZero) {
  shell.write("negative.yaml",
              "armdyn: 1\nname: n\nconvention: modified\njoints:\n"
              "  - {name: hinge, type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0},\n"
              "     mass: 2, com: [0.4, 0, 0], inertia: {xx: -0.01, yy: 0.02, zz: 0.02}}\n");
  const Outcome outcome = run("negative.yaml hold.csv --uncertainty inertia=1%");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("the inertia of the link of hinge is not physically consistent: a "
                             "principal moment is -0.01 kg·m²"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(run("negative.yaml hold.csv --uncertainty mass=1%").exit_code, 0);
}

TEST_F(Vary, CountsArmsBeyondALimit) {
  const Outcome outcome =
      run("pendulum.yaml hold.csv --uncertainty mass=5% --samples 400 --json -o rows.csv --strict");
  EXPECT_EQ(outcome.exit_code, 1);
  const CsvColumns found = csv_columns(shell.read("rows.csv"));
  const auto beyond = std::ranges::count_if(found.at("share"), [](double s) { return s > 1; });
  EXPECT_GT(beyond, 0);
  EXPECT_EQ(json::parse(outcome.out)["exceeded"]["count"], beyond);
  EXPECT_EQ(run("pendulum.yaml hold.csv --uncertainty mass=1% --samples 400 --strict").exit_code,
            0);
}

TEST_F(Vary, DrawsParametersOfTheFileAndWhatFollowsFromThem) {
  const std::string arm =
      "armdyn: 1\nname: rod\nconvention: modified\nparameters: {l: 0.8, m: 3, half: l/2, k: 2}\n"
      "joints:\n"
      "  - {name: hinge, type: revolute, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: k*m,\n"
      "     com: [half, 0, 0], inertia: {yy: m*l^2/12, zz: m*l^2/12}}\n";
  shell.write("rod.yaml", arm);
  const double samples = 4000;
  const std::string command = "rod.yaml hold.csv --set k=1 --samples 4000 --uncertainty ";
  const CsvColumns long_ = rows(command + "l=2cm"), heavy = rows(command + "m=10%");
  for (const auto& [tau, half_width] : {std::pair(long_.at("peak1"), 3 * g * 0.01),
                                        std::pair(heavy.at("peak1"), 0.1 * 3 * g * 0.4)}) {
    double mean = 0.0, variance = 0.0;
    for (const double x : tau) mean += x / samples;
    for (const double x : tau) variance += (x - mean) * (x - mean) / (samples - 1);
    EXPECT_NEAR(mean, 3 * g * 0.4, 4 * half_width / std::sqrt(3 * samples));
    EXPECT_NEAR(variance, half_width * half_width / 3, 0.06 * half_width * half_width / 3);
    EXPECT_LE(*std::ranges::max_element(tau), 3 * g * 0.4 + half_width);
    EXPECT_GE(*std::ranges::min_element(tau), 3 * g * 0.4 - half_width);
  }
  // In the unit of the file, and beside the others, it is the same draw.
  EXPECT_EQ(rows(command + "l=0.02").at("peak1"), long_.at("peak1"));
  // A length with its unit is the same whatever the unit of the file.
  shell.write("mm.yaml",
              "armdyn: 1\nname: rod\nconvention: modified\nlength_unit: mm\n"
              "parameters: {l: 800}\njoints:\n"
              "  - {type: revolute, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: 3,\n"
              "     com: [l/2, 0, 0]}\n");
  const CsvColumns in_mm = rows("mm.yaml hold.csv --samples 4000 --uncertainty l=2cm");
  EXPECT_NEAR(std::ranges::max(in_mm.at("peak1")), std::ranges::max(long_.at("peak1")), 1e-9);
  ASSERT_EQ(
      run(command + "l=2cm,mass=5%,inertia=10% --worst worst.yaml --quiet -o rows.csv").exit_code,
      0);
  const CsvColumns both = csv_columns(shell.read("rows.csv"));
  const std::vector<double> share = both.at("share");
  const auto worst = std::ranges::max_element(share) - share.begin();
  ASSERT_EQ(shell.run("$armdyn torque worst.yaml hold.csv --quiet -o tau.csv").exit_code, 0);
  EXPECT_EQ(csv_columns(shell.read("tau.csv")).at("tau1")[0],
            both.at("peak1")[static_cast<std::size_t>(worst)]);
}

// τ = m g x + F, the table's load at 0.
TEST_F(Vary, TakesSpringsWithATable) {
  shell.write("spring.yaml",
              shell.read("pendulum.yaml") +
                  "parameters: {F: 5}\n"
                  "springs: [{row: {hinge: 1}, table: [[-1, 0], [1, 2*F], [2, 30]]}]\n");
  const std::string command =
      "spring.yaml hold.csv --samples 400 --worst worst.yaml --force --uncertainty ";
  const std::vector<double> of_force = rows(command + "F=10%").at("peak1");
  EXPECT_NEAR(std::ranges::max(of_force), 2 * g * 0.4 + 5.5, 0.02);
  EXPECT_NEAR(std::ranges::min(of_force), 2 * g * 0.4 + 4.5, 0.02);
  const CsvColumns of_mass = rows(command + "mass=5%"),
                   without = rows("pendulum.yaml hold.csv --samples 400 --uncertainty mass=5%");
  for (std::size_t k = 0; k < 400; ++k) {
    EXPECT_NEAR(of_mass.at("peak1")[k], without.at("peak1")[k] + 5.0, 1e-12);
  }
  ASSERT_EQ(shell.run("$armdyn torque worst.yaml hold.csv --quiet -o tau.csv").exit_code, 0);
  EXPECT_EQ(csv_columns(shell.read("tau.csv")).at("tau1")[0],
            std::ranges::max(of_mass.at("peak1")));
}

/// Columns of a block of data that gnuplot is given.
std::vector<std::vector<double>> drawn_columns(const std::string& script, const std::string& name) {
  std::vector<std::vector<double>> columns(3);
  std::istringstream lines(script.substr(std::min(script.find(name + " << END"), script.size())));
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line) && line != "END";) {
    std::istringstream numbers(line);
    double number = 0.0;
    for (std::size_t c = 0; c < columns.size() && numbers >> number; ++c) {
      columns[c].push_back(number);
    }
  }
  return columns;
}

// Held still at three angles, a pendulum's torques are those of the first, times the cosine.
TEST_F(Vary, DrawsQuantilesOfTheTorquesOfItsArms) {
  (void)shell.run("mkdir bin");
  shell.write("bin/gnuplot", "#!/bin/sh\ncat >drawn; echo '</svg>'\n");
  (void)shell.run("chmod +x bin/gnuplot");
  shell.write("turned.csv", "q1,qd1,qdd1\n0,0,0\n0.5,0,0\n1,0,0\n");
  const auto script = [&](const std::string& motion, const std::string& more) {
    const Outcome outcome = shell.run("PATH=$PWD/bin:$PATH $armdyn vary pendulum.yaml " + motion +
                                      " --uncertainty mass=5% --quiet --plot fan.svg " + more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return shell.read("drawn");
  };
  std::vector<double> sorted = rows("pendulum.yaml hold.csv --uncertainty mass=5%").at("peak1");
  const double worst = *std::ranges::max_element(sorted);
  std::ranges::sort(sorted);
  const std::string drawn = script("turned.csv", "");
  const auto expect = [&](const std::string& block, std::size_t column, double first) {
    const std::vector<double> found = drawn_columns(drawn, block).at(column);
    ASSERT_EQ(found.size(), 3U) << block;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(found[k], first * std::cos(0.5 * static_cast<double>(k)), 1e-13) << block;
    }
  };
  expect("$p0c0", 1, 2 * g * 0.4);
  expect("$p0c1", 1, sorted[499]);
  expect("$p0c2", 1, worst);
  expect("$p0c3", 1, sorted[49]);
  expect("$p0c3", 2, sorted[949]);
  expect("$p0c5", 1, sorted[249]);
  expect("$p0c5", 2, sorted[749]);
  EXPECT_EQ(drawn_columns(drawn, "$p0c1")[0], (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(script("turned.csv", "--threads 1"), script("turned.csv", "--threads 3"));
  // More arms change the worst, and the title alone.
  const std::string of_more = script("turned.csv", "--samples 2500");
  EXPECT_EQ(drawn_columns(of_more, "$p0c3"), drawn_columns(drawn, "$p0c3"));
  EXPECT_NE(of_more.find("first 1000 arms"), std::string::npos);
  // Of a long motion the extremes are kept.
  std::string swings = "t,q1,qd1,qdd1\n";
  for (int k = 0; k < 20000; ++k) {
    swings += fmt::format("{},{},0,{}\n", 0.001 * k, 0.0, k == 12345 ? 50 : k % 7);
  }
  shell.write("swings.csv", swings);
  const auto course = drawn_columns(script("swings.csv", "--samples 50"), "$p0c1");
  EXPECT_LE(course[0].size(), 4000U);
  EXPECT_EQ(
      course[0][static_cast<std::size_t>(std::ranges::max_element(course[1]) - course[1].begin())],
      12.345);
}

TEST_F(Vary, PassesLongMotionsInBoundedMemory) {
  shell.write("rows",
              "awk 'BEGIN { print \"t,q1,q2,qd1,qd2,qdd1,qdd2\"; for (k = 0; k < ARGV[1]; ++k) "
              "printf \"%.3f,%.6f,%.6f,%.6f,%.6f,1,-1\\n\", k / 1000, sin(k / 500), cos(k / 700), "
              "cos(k / 500), sin(k / 700) }' \"$1\"\n");
  const auto peak = [&](const std::string& count) {
    long kilobytes = 0;
    const Outcome outcome =
        shell.run("rm -f log; mkfifo log; sh rows " + count +
                      " >log & \"$armdyn\" vary craig-rr log --uncertainty mass=5%,com=5mm "
                      "--samples 20 --threads 2 -o out.csv",
                  kilobytes);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("each on " + count + " rows"), std::string::npos) << outcome.out;
    return kilobytes;
  };
  const long small = peak("100000");
  const long large = peak("1000000");
  EXPECT_GT(small, 1000);
  EXPECT_LT(large, small + 10000) << "kB";
}

/// Rows after the first blocks of a motion, which are in a file, count as those in memory.
TEST_F(Vary, TellsWhereInALongMotionAnArmNeedsMost) {
  const Outcome written = shell.run(
      "awk 'BEGIN { print \"q1,qd1,qdd1\"; for (k = 0; k < 100000; ++k) "
      "print (k == 90001 ? 0 : 1.5707963267948966) \",0,\" (k == 99999 ? 7 : 0) }' >long.csv");
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const CsvColumns long_one = rows("pendulum.yaml long.csv --uncertainty mass=5% --samples 3");
  shell.write("short.csv", "q1,qd1,qdd1\n0,0,0\n1.5707963267948966,0,7\n");
  const CsvColumns short_one = rows("pendulum.yaml short.csv --uncertainty mass=5% --samples 3");
  EXPECT_EQ(long_one.at("peak1"), short_one.at("peak1"));
}

TEST_F(Vary, KeepsALongMotionInTheFolderThatTMPDIRNames) {
  const Outcome outcome = shell.run(
      "mkdir scratch; mkfifo log; { awk 'BEGIN { print \"q1,qd1,qdd1\"; for (k = 0; k < 300000; "
      "++k) "
      "print \"1,0,0\" }'; until [ -e seen ]; do sleep 0.02; done; } >log & "
      "TMPDIR=$PWD/scratch \"$armdyn\" vary pendulum.yaml log --uncertainty mass=5% --samples 3 "
      "--quiet -o out.csv & p=$!; for k in $(seq 500); do readlink /proc/$p/fd/* | "
      "grep scratch/armdyn- && break; sleep 0.02; done; touch seen; wait $p && ls scratch");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(" (deleted)\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(
      shell
          .run("TMPDIR=$PWD/nosuch \"$armdyn\" vary pendulum.yaml hold.csv --samples 3 --quiet "
               "--uncertainty mass=5% -o out.csv")
          .exit_code,
      0);
}

TEST_F(Vary, KeepsALongMotionWhereverThereAreTemporaryFiles) {
  const Outcome written = shell.run(
      "awk 'BEGIN { print \"q1,qd1,qdd1\"; for (k = 0; k < 80000; ++k) print k / 50000 \",0,0\" }' "
      ">long.csv");
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const std::string verb =
      "\"$armdyn\" vary pendulum.yaml long.csv --uncertainty mass=5% --samples 3 --quiet -o ";
  ASSERT_EQ(shell.run(verb + "out.csv").exit_code, 0);
  (void)shell.run("mkdir scratch");
  for (const std::string folder :
       {"-u TMPDIR", "TMPDIR=", "TMPDIR=$PWD/nosuch", "TMPDIR=$PWD/scratch"}) {
    const Outcome outcome = shell.run("env " + folder + " " + verb + "again.csv");
    EXPECT_EQ(outcome.exit_code, 0) << folder << outcome.err;
    EXPECT_EQ(outcome.err, "") << folder;
    EXPECT_EQ(shell.read("again.csv"), shell.read("out.csv")) << folder;
  }
  EXPECT_EQ(shell.run("ls scratch").out, "");
}

TEST_F(Vary, SaysWhatItCannotDo) {
  const auto refusal = [&](const std::string& arguments) { return run(arguments).err; };
  EXPECT_EQ(refusal("pendulum.yaml hold.csv --uncertainty mas=5%"),
            "armdyn: --uncertainty: found \"mas\", expected one of mass, com, inertia, friction, "
            "payload, as in mass=5%; did you mean 'mass'?\n");
  EXPECT_EQ(refusal("pendulum.yaml hold.csv --uncertainty mass=5"),
            "armdyn: --uncertainty: found \"mass=5\", expected above 0 and below 100 %, e.g. "
            "mass=5%\n");
  EXPECT_EQ(refusal("pendulum.yaml hold.csv --uncertainty mass=0%"),
            "armdyn: --uncertainty: found \"mass=0%\", expected above 0 and below 100 %, e.g. "
            "mass=5%\n");
  EXPECT_EQ(refusal("pendulum.yaml hold.csv --uncertainty com=5"),
            "armdyn: --uncertainty: found \"com=5\", expected a length above 0, e.g. com=5mm\n");
  EXPECT_EQ(refusal("pendulum.yaml hold.csv --uncertainty mass=5%,mass=4%"),
            "armdyn: --uncertainty: mass is given twice in \"mass=5%,mass=4%\"\n");
  EXPECT_EQ(refusal("pendulum.yaml hold.csv --uncertainty friction=5%"),
            "armdyn: --uncertainty: pendulum has no friction that could vary\n");
  EXPECT_EQ(refusal("pendulum.yaml hold.csv --uncertainty payload=5%"),
            "armdyn: --uncertainty: pendulum has no payload that could vary; give one with "
            "--payload MASS\n");
  shell.write("l.yaml",
              "armdyn: 1\nname: l\nconvention: modified\nparameters: {l: 0.8, m: 3}\njoints:\n"
              "  - {type: revolute, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: m, com: [l, 0, "
              "0]}\n");
  EXPECT_EQ(refusal("l.yaml hold.csv --uncertainty l1=2mm"),
            "armdyn: --uncertainty: found \"l1\", expected one of mass, com, inertia, friction, "
            "payload, as in mass=5%, or of the parameters of l.yaml: l, m; did you mean 'l'?\n");
  EXPECT_EQ(
      refusal("l.yaml hold.csv --uncertainty l=2in"),
      "armdyn: --uncertainty: found \"l=2in\", expected l=5% (of 0.8), l=2mm for a length, or "
      "a number above 0 in the unit of the file\n");
  const Outcome below = run("l.yaml hold.csv --uncertainty m=150% --seed 2");
  EXPECT_EQ(below.exit_code, 3);
  EXPECT_EQ(below.err.find("l.yaml: --uncertainty sampled an invalid robot, m=-"), 0U) << below.err;
  EXPECT_NE(below.err.find("l.yaml:6:69: error: joints[0].mass: found -"), std::string::npos)
      << below.err;
  shell.write("empty.csv", "q1,qd1,qdd1\n");
  EXPECT_EQ(refusal("pendulum.yaml empty.csv --uncertainty mass=5%"),
            "empty.csv: the motion has a header but no rows\n");
}

}  // namespace
}  // namespace armdyn::testing
