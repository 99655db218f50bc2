// The papers' experiments, run as docs/experiments.md says: its commands print what stands there,
// and the files that they leave have the figures.

#include <gtest/gtest.h>
#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <regex>
#include <sstream>

#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "support/csv_columns.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A command of the page, and what it is to print.
struct Step {
  std::string command, printed;
};

/// One section of the page: the programs for awk and the commands, in their order.
struct Section {
  std::map<std::string, std::string> programs;
  std::vector<Step> steps;
};

Section read_section(const std::string& heading) {
  std::istringstream page(content(docs_folder() + "/experiments.md"));
  Section section;
  bool inside = false, in_command = false;
  std::string block, line;
  while (std::getline(page, line)) {
    if (line.starts_with("## ")) inside = line.starts_with("## " + heading);
    if (!inside) continue;
    if (line.starts_with("```")) {
      block = line.substr(3);
      continue;
    }
    if (block.starts_with("awk ")) section.programs[block.substr(4)] += line + "\n";
    if (block != "console") continue;
    if (line.starts_with("$ ")) {
      section.steps.push_back({line.substr(2), ""});
      in_command = true;
    } else if (in_command && line.starts_with("  ")) {
      section.steps.back().command += "\n" + line;
    } else {
      section.steps.back().printed += line + "\n";
      in_command = false;
    }
  }
  return section;
}

/// Without what is rounding: a line is cut at a number below 1e-12. Rows of blanks are one blank.
std::string without_rounding(const std::string& text) {
  const std::string narrow = std::regex_replace(text, std::regex(" +"), " ");
  return std::regex_replace(narrow, std::regex(" -?[0-9.]+e-1[3-9][^\n]*"), " nothing");
}

class Experiments : public ::testing::Test {
 protected:
  const Shell shell;
  std::string folder;
  std::string printed;  // by all commands

  /// Runs the commands of a section in a folder of its own, which stays.
  void run_section(const std::string& heading) {
    folder = std::string(experiments_folder() + "/") + heading;
    fs::remove_all(folder);
    fs::create_directories(folder);
    const Section section = read_section(heading);
    ASSERT_GE(section.steps.size(), 3U);
    for (const auto& [name, program] : section.programs) {
      std::ofstream(folder + "/" + name) << program;
    }
    for (const Step& step : section.steps) {
      const Outcome outcome =
          shell.run("cd '" + folder + "' && PATH=$(dirname \"$armdyn\"):$PATH && {\n" +
                    step.command + "\n} 2>&1");
      EXPECT_EQ(without_rounding(outcome.out), without_rounding(step.printed)) << step.command;
      printed += outcome.out;
    }
  }

  [[nodiscard]] CsvColumns table(const std::string& name) const {
    return csv_columns(content(folder + "/" + name));
  }

  void expect_printed(const std::vector<std::string>& figures) const {
    for (const std::string& figure : figures) {
      EXPECT_NE(printed.find(figure), std::string::npos) << figure;
    }
  }

  void expect_pictures(const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
      EXPECT_NE(content(folder + "/" + name).find("</svg>"), std::string::npos) << name;
    }
  }

  void SetUp() override {
    if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "no gnuplot";
  }
};

TEST_F(Experiments, OfPaper003ComputedTorqueOnAPuma) {
  run_section("Paper 003");
  const CsvColumns track = table("paper003-track.csv");
  double largest = 0.0;
  for (const std::string joint : {"1", "2", "3", "4", "5", "6"}) {
    for (const double e : track.at("e" + joint)) largest = std::max(largest, std::abs(e));
  }
  EXPECT_LT(largest, 4.26e-4);  // the paper's bound
  EXPECT_NEAR(largest, 2.53e-4, 0.005e-4);
  expect_printed({"largest error 5.10e-04 rad", "largest error 9.87e-04 rad",
                  "deviation below 1e-10 rad", "deviation 1.34e-04 rad", "deviation 2.70e-04 rad",
                  "deviation 5.44e-04 rad"});
  expect_pictures({"paper003.svg"});
}

/// How far the TCP is from the vertical through the paper's A, and how far it is turned from its
/// orientation at A.
struct HandError {
  double distance = 0.0, angle = 0.0;
};

HandError largest_hand_error(const CsvColumns& motion) {
  const Arm arm = normalize(shipped_robot("six-link-jaeri"));
  const auto tcp = [&](std::size_t k) {
    std::vector<double> q;
    for (const std::string joint : {"1", "2", "3", "4", "5", "6"}) {
      q.push_back(motion.at("q" + joint)[k]);
    }
    return pose(arm, q).tcp;
  };
  HandError error;
  const Transform first = tcp(0);
  for (std::size_t k = 0; k < motion.at("t").size(); ++k) {
    const Transform here = tcp(k);
    const Vec3 turned = rotation_vector(here.R * transposed(first.R));
    error.distance = std::max(error.distance, std::hypot(here.p.x + 0.1, here.p.y - 0.35));
    error.angle = std::max(error.angle, std::sqrt(dot(turned, turned)));
  }
  return error;
}

TEST_F(Experiments, OfPaper004TorquesOfASixLinkArm) {
  run_section("Paper 004");
  const HandError in_step = largest_hand_error(table("joints.csv"));
  EXPECT_NEAR(in_step.distance, 10.9e-3, 0.05e-3);
  EXPECT_NEAR(in_step.angle, 2.62 * std::numbers::pi / 180, 0.005 * std::numbers::pi / 180);
  const HandError on_line = largest_hand_error(table("line.csv"));
  EXPECT_LT(on_line.distance, 1e-9);
  EXPECT_LT(on_line.angle, 1e-9);
  expect_printed({"\n-58.9 N·m\n"});
  expect_pictures({"paper004-motion.svg", "paper004-joints.svg", "paper004-line.svg",
                   "paper004-viscous.svg", "paper004-load.svg"});
}

TEST_F(Experiments, OfPaper004HaveTheHandWhereThePaperSays) {
  const auto expect_hand = [&](const std::string& q, const std::vector<double>& p) {
    const Outcome outcome = shell.run("$armdyn inspect six-link-jaeri --json --q '" + q + "'");
    const auto T = nlohmann::json::parse(outcome.out)["T"];
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(T[i][3], p[i], 1e-5) << q;
  };
  expect_hand("2.7533,0.1502,85.7259,-33.7722,-85.0428,33.6731 deg", {-0.1, 0.35, 1.63});
  expect_hand("10.4705,8.7346,44.3932,-17.1186,-51.8741,13.6195 deg", {-0.1, 0.35, 1.83});
  expect_hand("A", {-0.1, 0.35, 1.63});
  expect_hand("B", {-0.1, 0.35, 1.83});
}

TEST_F(Experiments, OfPaper000ClosedFormOfAnRRArm) {
  run_section("Paper 000");
  const CsvColumns rows = table("rr-torque.csv");
  const double m1 = 4.6, m2 = 2.3, l1 = 0.5, l2 = 0.5, g = 9.81;
  ASSERT_EQ(rows.at("t").size(), 201U);
  for (std::size_t k = 0; k < rows.at("t").size(); ++k) {
    const auto at = [&](const std::string& name) { return rows.at(name)[k]; };
    const double c2 = std::cos(at("q2")), s2 = std::sin(at("q2"));
    const double w1 = at("qd1"), w2 = at("qd2"), a1 = at("qdd1"), a2 = at("qdd2");
    const double gravity2 = m2 * l2 * g * std::cos(at("q1") + at("q2"));
    const double tau1 = m2 * l2 * l2 * (a1 + a2) + m2 * l1 * l2 * c2 * (2 * a1 + a2) +
                        (m1 + m2) * l1 * l1 * a1 - m2 * l1 * l2 * s2 * w2 * w2 -
                        2 * m2 * l1 * l2 * s2 * w1 * w2 + gravity2 +
                        (m1 + m2) * l1 * g * std::cos(at("q1"));
    const double tau2 =
        m2 * l1 * l2 * c2 * a1 + m2 * l1 * l2 * s2 * w1 * w1 + gravity2 + m2 * l2 * l2 * (a1 + a2);
    EXPECT_NEAR(at("tau1"), tau1, 1e-12) << k;
    EXPECT_NEAR(at("tau2"), tau2, 1e-12) << k;
  }
  expect_pictures({"paper000.svg"});
}

}  // namespace
}  // namespace armdyn::testing
