// simulate --stepwise: a controller in the loop.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "support/csv_columns.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

/// A program of docs/commands/simulate.md: the block that is headed so.
std::string program_of_docs(const std::string& heading) {
  std::ostringstream page;
  page << std::ifstream(docs_folder() + "/commands/simulate.md").rdbuf();
  const std::string text = page.str(), head = "```" + heading + "\n";
  const std::size_t begin = text.find(head) + head.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

class Stepwise : public ::testing::Test {
 protected:
  const Shell shell;

  /// What comes of these torques.
  [[nodiscard]] Outcome simulate(const std::string& torques, const std::string& options) const {
    shell.write("tau.csv", torques);
    return shell.run("timeout 20 $armdyn simulate craig-rr --stepwise --quiet < tau.csv " +
                     options);
  }
  void expect_refusal(const std::string& torques, const std::string& options, int exit_code,
                      const std::string& message) const {
    const Outcome outcome = simulate(torques, options);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_EQ(outcome.err, message);
  }
};

/// The loop of the programs in docs, by the controller of track.
TEST_F(Stepwise, RunsTheControllersOfDocs) {
  shell.write("controller.py", program_of_docs("python controller.py"));
  shell.write("controller.sh", program_of_docs("sh controller.sh"));
  shell.write("still.csv", "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n2,0,0,0,0,0,0\n");
  const Outcome track = shell.run(
      "$armdyn track craig-rr still.csv --controller pd --kp 60,20 --kv 12,4 --step 0.01 "
      "--without gravity --q0 0.5,-0.5 --quiet");
  ASSERT_EQ(track.exit_code, 0) << track.err;
  const std::string path = "PATH=$(dirname \"$armdyn\"):$PATH; ";
  const Outcome python = shell.run(path + "timeout 60 python3 controller.py");
  EXPECT_EQ(python.exit_code, 0) << python.err;
  const CsvColumns expected = csv_columns(track.out);
  char last[80];
  std::snprintf(last, sizeof last, "q at t = 2 s: %.2e, %.2e\n", expected.at("q1").back(),
                expected.at("q2").back());
  EXPECT_EQ(python.out, last);
  const Outcome posix = shell.run(path + "timeout 60 sh controller.sh");
  EXPECT_EQ(posix.exit_code, 0) << posix.err;
  const CsvColumns found = csv_columns(shell.read("states.csv"));
  ASSERT_EQ(found.at("t").size(), 201U);
  for (const std::string name : {"t", "q1", "q2", "qd1", "qd2"}) {
    for (std::size_t k = 0; k < found.at(name).size(); ++k) {
      EXPECT_NEAR(found.at(name)[k], expected.at(name)[k], 1e-3)
          << name << " " << k;  // awk's digits
    }
  }
}

/// Each read waits, and would wait for ever; nothing has been written when the first state comes.
TEST_F(Stepwise, WritesOneStateBeforeItReadsOneRow) {
  shell.write("ping.py", R"(import os, subprocess, sys
arm = subprocess.Popen([os.environ["armdyn"], "simulate", "craig-rr", "-", "--stepwise", "--step",
                        "0.001", "--every", "20", "--quiet"],
                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
lines = [arm.stdout.readline(), arm.stdout.readline()]
arm.stdin.write("t,tau2,tau1\n")
for k in range(5):
    arm.stdin.write(lines[-1].split(",")[0] + ",0.5,1\n")
    lines.append(arm.stdout.readline())
arm.stdin.close()
sys.stdout.write("".join(lines) + arm.stdout.read())
sys.exit(arm.wait())
)");
  const Outcome outcome = shell.run("export armdyn; timeout 20 python3 ping.py");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("t"), (std::vector<double>{0, 0.02, 0.04, 0.06, 0.08, 0.1}));
  shell.write("tau.csv", "t,tau1,tau2\n0,1,0.5\n0.1,1,0.5\n");
  const CsvColumns expected =
      csv_columns(shell.run("$armdyn simulate craig-rr tau.csv --every 20 --quiet").out);
  for (const std::string name : {"q1", "q2", "qd1", "qd2"}) {
    EXPECT_EQ(found.at(name), expected.at(name)) << name;
  }
}

TEST_F(Stepwise, EndsAtTheLimitWithTheStateThere) {
  shell.write("wheel.yaml",
              "armdyn: 1\nname: wheel\nconvention: modified\njoints:\n"
              "  - {name: hub, type: revolute, dh: {}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1},\n"
              "     limits: {position: [-1, 0.005]}}\n");
  const Outcome outcome = shell.run(
      "printf 'tau1\\n1\\n1\\n1\\n' | $armdyn simulate wheel.yaml --stepwise --step 0.08");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("q1").back(), 0.005);
  EXPECT_NEAR(found.at("t").back(), 0.1, 1e-9);  // q = t²/2
  EXPECT_EQ(found.at("t").size(), 3U);
}

TEST_F(Stepwise, WritesIntoADevice) {
  shell.write("tau.csv", "tau1,tau2\n0,0\n0,0\n");
  const Outcome outcome =
      shell.run("$armdyn simulate craig-rr --stepwise --step 0.01 -o /dev/null < tau.csv");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("craig-rr: 3 rows"), 0U) << outcome.out;
}

TEST_F(Stepwise, SaysWhatDoesNotGoWithIt) {
  const std::string rows = "tau1,tau2\n1,2\n";
  expect_refusal(
      rows, "", 2,
      "armdyn: --stepwise needs --step, the time from state to state, e.g. --step 0.01\n");
  expect_refusal(rows, "--step 0.1 --interpolation linear", 2,
                 "armdyn: --stepwise holds each row of torques; leave out --interpolation\n");
  expect_refusal(rows, "--step 0.1 --batch tau.csv --duration 1", 2,
                 "armdyn: --stepwise is for one simulation; leave out --batch\n");
  expect_refusal(rows, "--step 0.1 -o states.csv", 2,
                 "armdyn: --stepwise writes states for a controller to read; leave out -o, or name "
                 "a pipe\n");
  expect_refusal("t,tau1,tau2\n0,1,2\n0.05,1,2\n", "--step 0.1", 3,
                 "standard input:3: t is 0.05, expected 0.1, that of the state\n");
  expect_refusal("tau1,tau2\n1,2\n1,none\n", "--step 0.1", 3,
                 "standard input:3: column \"tau2\": found \"none\", expected a number\n");
}

}  // namespace
}  // namespace armdyn::testing
