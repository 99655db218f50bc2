// The verbs as functions of the library: the same answers as those of the program, and as of its
// single calls.

#include <gtest/gtest.h>

#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/verb.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

RobotFile robot_file(const std::string& name) {
  return read_robot_file(shipped_robots_folder() + "/" + name + ".yaml");
}

/// A swing of two joints, two periods of 2 s, with all that its rates are.
NamedColumns swing() {
  constexpr std::size_t rows = 81;
  std::vector<double> t(rows), q1(rows), q2(rows), qd1(rows), qd2(rows), qdd1(rows), qdd2(rows);
  constexpr double w = 3.0;
  for (std::size_t k = 0; k < rows; ++k) {
    t[k] = 0.05 * static_cast<double>(k);
    q1[k] = 0.4 * std::sin(w * t[k]);
    q2[k] = 0.7 * std::cos(w * t[k]);
    qd1[k] = 0.4 * w * std::cos(w * t[k]);
    qd2[k] = -0.7 * w * std::sin(w * t[k]);
    qdd1[k] = -w * w * q1[k];
    qdd2[k] = -w * w * q2[k];
  }
  return {{"t", t},     {"q1", q1},     {"q2", q2},    {"qd1", qd1},
          {"qd2", qd2}, {"qdd1", qdd1}, {"qdd2", qdd2}};
}

TEST(Call, ComputesTheTorquesOfSingleCalls) {
  const RobotFile file = robot_file("craig-rr");
  const NamedColumns motion = swing();
  const VerbAnswer answer = call("torque", file, {motion}, {{"reactions", true}});
  ASSERT_EQ(answer.rows.rows(), motion.rows());
  const Arm arm = normalize(file.robot);
  for (std::size_t k = 0; k < motion.rows(); ++k) {
    const std::vector<double> q{motion["q1"][k], motion["q2"][k]};
    const std::vector<double> qd{motion["qd1"][k], motion["qd2"][k]};
    const std::vector<double> qdd{motion["qdd1"][k], motion["qdd2"][k]};
    const std::vector<double> tau = torque(arm, {q, qd, qdd});
    EXPECT_NEAR(answer.rows["tau1"][k], tau[0], 1e-12 * std::abs(tau[0]) + 1e-12);
    EXPECT_NEAR(answer.rows["tau2"][k], tau[1], 1e-12 * std::abs(tau[1]) + 1e-12);
  }
}

TEST(Call, AnswersWhatTheProgramPrints) {
  Shell shell;
  shell.write("swing.csv", [] {
    const NamedColumns motion = swing();
    std::string text;
    for (const auto& [name, numbers] : motion.all()) text += (text.empty() ? "" : ",") + name;
    for (std::size_t k = 0; k < motion.rows(); ++k) {
      std::string row;
      for (const auto& [name, numbers] : motion.all()) {
        row += (row.empty() ? "\n" : ",") + nlohmann::json(numbers[k]).dump();
      }
      text += row;
    }
    return text + "\n";
  }());
  const std::pair<std::string, std::vector<VerbOption>> calls[] = {
      {"size", {{"safety", 1.5}}},
      {"track", {{"sample_time", 0.01}}},
      {"vary", {{"uncertainty", "mass=5%"}, {"samples", 5}}},
      {"compare", {}},
  };
  for (const auto& [verb, options] : calls) {
    std::string words;
    for (const VerbOption& option : options) {
      std::string name = option.name;
      std::ranges::replace(name, '_', '-');
      words += " --" + name + " " + option.value;
    }
    const bool has_rows = verb == "track" || verb == "vary";
    const Outcome printed = shell.run("$armdyn " + verb + " craig-rr swing.csv --json" + words +
                                      (has_rows ? " -o rows.csv" : ""));
    const auto expected = nlohmann::json::parse(printed.out.empty() ? printed.err : printed.out);
    const VerbAnswer answer = call(verb, robot_file("craig-rr"), {swing()}, options);
    EXPECT_EQ(answer.has_passed, printed.exit_code == 0) << verb;
    EXPECT_EQ(answer.data["robot"]["name"].as_text(), "craig-rr");
    for (const auto& [key, value] : answer.data.members()) {
      EXPECT_TRUE(expected.contains(key)) << verb << " " << key;
    }
    EXPECT_EQ(answer.rows.rows() > 0, has_rows) << verb;
  }
}

TEST(Call, EditsTheRobot) {
  const RobotFile file = robot_file("craig-rr");
  const NamedColumns motion = swing();
  RobotFile heavy = file, floating = file;
  heavy.robot.payload.mass = 5.0;
  floating.robot.gravity = {};
  const auto tau = [&](const RobotFile& arm, const std::vector<VerbOption>& options) {
    const VerbAnswer answer = call("torque", arm, {motion}, options);
    const std::span<const double> column = answer.rows["tau1"];
    return std::vector<double>(column.begin(), column.end());
  };
  EXPECT_EQ(tau(file, {{"payload", 5.0}}), tau(heavy, {}));
  EXPECT_EQ(tau(file, {{"without", "gravity"}}), tau(floating, {}));
  EXPECT_NE(tau(file, {{"payload", 5.0}}), tau(file, {}));
  EXPECT_THROW(tau(file, {{"set", "m=1"}}), Error);
}

TEST(Call, TellsWhetherTheAnswerIsYes) {
  const RobotFile arm = robot_file("puma560");
  EXPECT_TRUE(call("check", arm).has_passed);
  EXPECT_TRUE(call("compare", arm, {}, {{"samples", 20}}).has_passed);
  EXPECT_FALSE(call("compare", arm, {}, {{"samples", 20}, {"max_error", 1e-30}}).has_passed);
}

TEST(Call, GivesTheTextsOfFiles) {
  const VerbAnswer answer = call("convert", robot_file("puma560"), {}, {{"output", "arm.urdf"}});
  EXPECT_NE(answer.texts.at("output").find("<robot"), std::string::npos);
}

TEST(Call, SaysWhatIsWrong) {
  const RobotFile file = robot_file("craig-rr");
  const auto message = [&](const std::string& verb, const std::vector<VerbOption>& options) {
    try {
      (void)call(verb, file, {swing()}, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("torqe", {}), "there is no verb 'torqe'; did you mean 'torque'?");
  EXPECT_EQ(message("torque", {{"bound", true}}),
            "there is no option 'bound'; did you mean 'bounds'?");
  NamedColumns table = swing();
  EXPECT_THROW(table.add("q1", std::vector<double>(81)), Error);
  EXPECT_THROW(table.add("q3", {1.0}), Error);
  EXPECT_THROW((void)table["qd3"], Error);
}

}  // namespace
}  // namespace armdyn::testing
