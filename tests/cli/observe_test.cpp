// observe as a user runs it: logs with noise, of arms that the files do not know.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "support/csv_columns.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

using Random = std::mt19937_64;

double normal(Random& random) {
  return std::normal_distribution<double>()(random);
}

/// A shipped file in which each mass is another by a tenth.
std::string with_other_masses(const Shell& shell, const std::string& robot, Random& random) {
  std::string text = shell.run("cat " + shipped_robots_folder() + "/" + robot + ".yaml").out, made;
  const std::regex mass(R"((\bmass: *)([0-9.e+-]+))");
  for (std::smatch found; std::regex_search(text, found, mass); text = found.suffix()) {
    const double other = std::stod(found[2]) * (1.0 + 0.1 * normal(random));
    made += found.prefix().str() + fmt::format("{}{:.6g}", found[1].str(), other);
  }
  return made + text;
}

/// Log of sums of sines for 15 s, with the torques of the robot file in `arguments`.
CsvColumns log_of(const Shell& shell, const std::string& arguments, std::size_t joints,
                  Random& random) {
  std::uniform_real_distribution<double> share(0.5, 1.0);
  std::vector<std::array<double, 3>> waves;  // amplitude, rate, phase
  for (std::size_t k = 0; k < 3 * joints; ++k) {
    const double h = 1.0 + static_cast<double>(k % 3);
    waves.push_back({0.6 * share(random) / h, h * share(random), 6.0 * share(random)});
  }
  std::string csv = "t";
  for (const char* const of : {"q", "qd", "qdd"}) {
    for (std::size_t j = 0; j < joints; ++j) csv += fmt::format(",{}{}", of, j + 1);
  }
  for (int row = 0; row < 1500; ++row) {
    const double t = 0.01 * row;
    csv += fmt::format("\n{}", t);
    for (int order = 0; order < 3; ++order) {
      for (std::size_t j = 0; j < joints; ++j) {
        double sum = 0.0;
        for (std::size_t k = 3 * j; k < 3 * j + 3; ++k) {
          const auto& [a, w, phase] = waves[k];
          sum += a * std::pow(w, order) * std::sin(w * t + phase + 1.5707963267948966 * order);
        }
        csv += fmt::format(",{}", sum);
      }
    }
  }
  shell.write("motion.csv", csv + "\n");
  const Outcome made =
      shell.run("$armdyn torque " + arguments + " motion.csv --keep-motion --quiet");
  EXPECT_EQ(made.exit_code, 0) << made.err;
  return csv_columns(made.out);
}

/// Writes t and columns with these letters in front, of all joints.
void write(const Shell& shell, const std::string& name, const CsvColumns& log,
           const std::vector<std::string>& letters, std::size_t joints) {
  std::vector<std::string> names{"t"};
  for (const std::string& of : letters) {
    for (std::size_t j = 0; j < joints; ++j) names.push_back(fmt::format("{}{}", of, j + 1));
  }
  std::string csv = fmt::format("{}", fmt::join(names, ","));
  for (std::size_t row = 0; row < log.at("t").size(); ++row) {
    for (const std::string& of : names) {
      csv += fmt::format("{}{}", of == "t" ? '\n' : ',', log.at(of)[row]);
    }
  }
  shell.write(name, csv + "\n");
}

// Covariance of the parameters, noise of the torques, and what fits of derivatives leave.
TEST(Observe, CoversTheTorquesOfAnIdentifiedArmInItsBands) {
  const std::map<std::string, std::size_t> robots{
      {"kuka-iiwa14", 7}, {"puma560", 6}, {"ur16e", 6}, {"staubli-tx40", 6}};
  std::size_t within = 0, all = 0;
  Random random(3);
  for (const auto& [robot, joints] : robots) {
    const Shell shell;
    shell.write("file.yaml", with_other_masses(shell, robot, random));
    for (const std::string name : {"first", "second"}) {
      CsvColumns log = log_of(shell, robot, joints, random);
      double largest = 0.0;
      for (std::size_t j = 0; j < joints; ++j) {
        for (const double tau : log[fmt::format("tau{}", j + 1)]) {
          largest = std::max(largest, std::abs(tau));
        }
      }
      for (std::size_t j = 0; j < joints; ++j) {
        for (double& tau : log[fmt::format("tau{}", j + 1)]) tau += 2e-3 * largest * normal(random);
        for (double& q : log[fmt::format("q{}", j + 1)]) q += 1e-6 * normal(random);
      }
      write(shell, name + ".csv", log, {"q", "tau"}, joints);
    }
    const Outcome found = shell.run(
        "$armdyn identify file.yaml first.csv -o found.yaml --quiet > /dev/null && "
        "$armdyn observe file.yaml second.csv --model found.yaml -o external.csv");
    ASSERT_EQ(found.exit_code, 0) << found.err;
    EXPECT_NE(found.out.find(": no contact; no load"), std::string::npos) << found.out;
    const CsvColumns rows = csv_columns(shell.read("external.csv"));
    const CsvColumns motion = csv_columns(shell.read("motion.csv"));
    for (std::size_t row = 30; row + 30 < rows.at("t").size(); ++row) {
      for (std::size_t j = 0; j < joints; ++j) {
        const std::string of = std::to_string(j + 1);
        if (std::abs(motion.at("qd" + of)[row]) < 0.06) continue;  // dry friction at rest
        ++all;
        if (rows.at("tau_ext_low" + of)[row] <= 0.0 && rows.at("tau_ext_high" + of)[row] >= 0.0) {
          ++within;
        }
      }
    }
  }
  EXPECT_GT(all, 25'000U);
  const double share = static_cast<double>(within) / static_cast<double>(all);
  EXPECT_GE(share, 0.93);
  EXPECT_LE(share, 0.97);
}

// Fitted to torques of the other sign, an arm would have negative masses.
TEST(Observe, NamesColumnsThatAreOthers) {
  const Shell shell;
  Random random(8);
  const CsvColumns right = log_of(shell, "ur10e", 6, random);
  for (const auto& [factor, reading] :
       {std::pair{-1.0, "tau=-tau{1..6}"}, {1000.0, "tau1=tau1[mN.m]"}}) {
    CsvColumns log = right;
    for (std::size_t j = 0; j < 6; ++j) {
      for (double& tau : log[fmt::format("tau{}", j + 1)]) {
        tau = factor * (tau + 0.2 * normal(random));
      }
    }
    write(shell, "log.csv", log, {"q", "qd", "tau"}, 6);
    for (const std::string free : {"", " --unloaded log.csv"}) {
      const Outcome found = shell.run("$armdyn observe ur10e log.csv" + free);
      EXPECT_EQ(found.exit_code, 3);
      EXPECT_EQ(found.out, "");
      EXPECT_NE(found.err.find(reading), std::string::npos) << found.err;
    }
    const Outcome given = shell.run("$armdyn observe ur10e log.csv --as-given");
    EXPECT_EQ(given.exit_code, factor < 0.0 ? 1 : 0) << given.err;
    EXPECT_EQ(given.err.find("not physically consistent") != std::string::npos, factor < 0.0)
        << given.err;
  }
}

constexpr std::array gains{11.9, 10.2, 9.1, 4.7, 4.4, 3.9};  // N·m/A

/// Adds currents with friction and noise.
void add_currents(CsvColumns& log, Random& random) {
  for (std::size_t j = 0; j < gains.size(); ++j) {
    const std::string of = std::to_string(j + 1);
    for (std::size_t row = 0; row < log["t"].size(); ++row) {
      const double qd = log["qd" + of][row], friction = (qd > 0.0 ? 0.4 : -0.4) + 0.05 * qd;
      log["i" + of].push_back(log["tau" + of][row] / gains[j] + friction + 0.02 * normal(random));
    }
  }
}

/// Compares the gains that are found with those that are; how many there are.
std::size_t compare(const Outcome& found) {
  const auto answer = nlohmann::json::parse(found.out);
  for (const auto& of : answer["drive_gains"]) {
    const std::vector<std::string> names{"shoulder_pan", "shoulder_lift", "elbow",
                                         "wrist_1",      "wrist_2",       "wrist_3"};
    const auto j = std::ranges::find(names, of["joint"].get<std::string>()) - names.begin();
    const double gain = gains.at(static_cast<std::size_t>(j));
    EXPECT_NEAR(of["gain"].get<double>(), gain, 4.0 * of["error"].get<double>()) << of;
    EXPECT_LT(of["error"].get<double>(), 0.1 * gain) << of;
  }
  return answer["drive_gains"].size();
}

TEST(Observe, FindsDriveGainsFromAKnownLoad) {
  const Shell shell;
  Random random(5);
  for (const std::string load : {"0", "4,0.01,0,0.08"}) {
    CsvColumns log = log_of(shell, "ur10e --payload " + load, 6, random);
    add_currents(log, random);
    write(shell, load == "0" ? "free.csv" : "loaded.csv", log, {"q", "i"}, 6);
  }
  const std::string line = "$armdyn observe ur10e loaded.csv --unloaded free.csv";
  const Outcome found = shell.run(line + " --payload 4,0.01,0,0.08 --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_GE(compare(found), 5U) << found.out;
  const Outcome said = shell.run(line + " --payload 4,0.01,0,0.08 --columns 'i=i{1..6}'");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_EQ(said.out.find("ur10e: drive gains of "), 0U) << said.out;
  const Outcome unknown = shell.run(line);
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_NE(unknown.err.find("with --payload and --unloaded it computes drive gains"),
            std::string::npos)
      << unknown.err;
}

// As large a noise as a wrist's torque makes a slope too small.
TEST(Observe, FindsDriveGainsBesideANoisyTorque) {
  const Shell shell;
  Random random(6);
  CsvColumns log = log_of(shell, "ur10e", 6, random);
  add_currents(log, random);
  for (std::size_t j = 0; j < 6; ++j) {
    for (double& tau : log[fmt::format("tau{}", j + 1)]) tau += 0.3 * normal(random);
  }
  write(shell, "log.csv", log, {"q", "tau", "i"}, 6);
  const Outcome found = shell.run("$armdyn observe ur10e log.csv --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_GE(compare(found), 4U) << found.out;
}

TEST(Observe, FindsALoadInCurrents) {
  const Shell shell;
  Random random(7);
  std::string text = shell.run("cat " + shipped_robots_folder() + "/ur10e.yaml").out;
  text = std::regex_replace(text, std::regex("\n( +)mass:"),
                            "\n$1motor: {gear_ratio: 101, torque_constant: 0.11}\n$1mass:");
  shell.write("arm.yaml", text);
  CsvColumns log = log_of(shell, "arm.yaml --payload 3,0,0.01,0.07", 6, random);
  for (std::size_t j = 0; j < 6; ++j) {
    for (const double tau : log[fmt::format("tau{}", j + 1)]) {
      log[fmt::format("i{}", j + 1)].push_back((tau + 0.2 * normal(random)) / (101 * 0.11));
    }
  }
  write(shell, "log.csv", log, {"q", "i"}, 6);
  const Outcome found = shell.run("$armdyn observe arm.yaml log.csv --json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto answer = nlohmann::json::parse(found.out);
  EXPECT_TRUE(answer["contacts"].empty()) << answer["verdict"];
  ASSERT_EQ(answer["payloads"].size(), 1U);
  EXPECT_NEAR(answer["payloads"][0]["mass"].get<double>(), 3.0, 0.02);
}

}  // namespace
}  // namespace armdyn::testing
