// The program as a user runs it to see many motions at once.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/csv_columns.hpp"
#include "support/fewest_lanes.hpp"
#include "support/simulate_verb.hpp"

namespace armdyn::testing {
namespace {

using nlohmann::json;

/// A cart of 2 kg on level rails, from −1 to 1 m, and a pendulum on it.
const std::string crane_file =
    "armdyn: 1\n"
    "name: crane\n"
    "convention: modified\n"
    "joints:\n"
    "  - {name: rail, type: prismatic, dh: {a: 0, alpha: pi/2, d: 0, theta: 0}, mass: 2,\n"
    "     limits: {position: [-1, 1]}}\n"
    "  - {name: rope, type: revolute, dh: {a: 0, alpha: 0, d: 0, theta: 0}, mass: 1,\n"
    "     com: [0.5, 0, 0], friction: {viscous: 0.1}}\n";

class SimulateBatch : public SimulateVerb {
 protected:
  SimulateBatch() {
    shell.write("crane.yaml", crane_file);
    shell.write("torques.csv", "t,tau1,tau2\n0,1,0\n0.1,-1,0.3\n0.2,0,0\n");
  }

  /// The end of one simulation by itself, as text.
  std::string end_of(const std::string& arguments) const {
    const Outcome outcome = run(arguments + " --quiet");
    const std::size_t line = outcome.out.rfind('\n', outcome.out.size() - 2) + 1;
    return outcome.out.substr(line, outcome.out.size() - 1 - line);
  }
  static std::string row(const Outcome& outcome, std::size_t which) {
    std::size_t at = 0;
    for (std::size_t k = 0; k < which; ++k) at = outcome.out.find('\n', at) + 1;
    return outcome.out.substr(at, outcome.out.find('\n', at) - at);
  }
};

/// Of the same text, what lies between the first columns and the last.
bool has_between(const std::string& row, const std::string& part) {
  return row.find("," + part + ",") != std::string::npos;
}

TEST_F(SimulateBatch, WritesTheEndOfEachRun) {
  shell.write("runs.csv", "q1,q2,qd1,qd2,tau1,tau2\n0,0.5,0.1,0,0.5,0\n0.1,0,0,0,0,0.2\n");
  const Outcome outcome = run("crane.yaml --batch runs.csv --duration 0.5");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(row(outcome, 0),
            "run,exit,joint,t,q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2,work,losses,imbalance");
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("run"), (std::vector<double>{1, 2}));
  EXPECT_EQ(found.at("exit"), (std::vector<double>{0, 0}));
  EXPECT_EQ(found.at("joint"), (std::vector<double>{0, 0}));
  EXPECT_EQ(found.at("t"), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(found.at("tau1"), (std::vector<double>{0.5, 0}));
  EXPECT_GT(found.at("losses")[0], 0.0);
  EXPECT_LT(std::abs(found.at("imbalance")[0]), 1e-9);
}

TEST_F(SimulateBatch, GivesEachRunTheEndThatItHasByItself) {
  for (const std::string& arm : {std::string("craig-rr"), std::string("two-link-spong")}) {
    shell.write("runs.csv", "q1,q2\n0.1,0.2\n-1,0.7\n2,-0.4\n");
    const Outcome batch = run(arm + " --batch runs.csv --duration 0.7 --step 0.003");
    ASSERT_EQ(batch.exit_code, 0) << batch.err;
    const char* const starts[] = {"0.1,0.2", "-1,0.7", "2,-0.4"};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string end = end_of(arm + " --q0 " + starts[k] + " --duration 0.7 --step 0.003");
      EXPECT_TRUE(has_between(row(batch, k + 1), end)) << row(batch, k + 1) << "\n" << end;
    }
  }
}

TEST_F(SimulateBatch, GivesArmsWithDryFrictionTheEndThatTheyHaveByThemselves) {
  shell.write("runs.csv",
              "q1,q2,q3,q4,q5,q6,tau1,tau2,tau3,tau4,tau5,tau6\n"
              "0,0,0,0,0,0,40,-60,10,3,0,0\n0.1,-0.5,0,0.2,0,1,0,0,0,0,0,0\n");
  const Outcome batch = run("puma560 --batch runs.csv --duration 0.2 --at-limit ignore");
  ASSERT_EQ(batch.exit_code, 0) << batch.err;
  shell.write("tau.csv", "t,tau1,tau2,tau3,tau4,tau5,tau6\n0,40,-60,10,3,0,0\n");
  EXPECT_TRUE(
      has_between(row(batch, 1), end_of("puma560 tau.csv --duration 0.2 --at-limit ignore")));
  EXPECT_TRUE(has_between(row(batch, 2), end_of("puma560 --q0 0.1,-0.5,0,0.2,0,1 --duration 0.2 "
                                                "--at-limit ignore")));
}

TEST_F(SimulateBatch, PassesRunNumbersAndStartTimesOn) {
  shell.write("runs.csv", "run,t[ms],q1[mm],q2[deg]\n17,500,100,90\n4,0,0,0\n");
  const CsvColumns found = csv_columns(run("crane.yaml --batch runs.csv --duration 0 --quiet").out);
  EXPECT_EQ(found.at("run"), (std::vector<double>{17, 4}));
  EXPECT_EQ(found.at("t"), (std::vector<double>{0.5, 0}));
  EXPECT_EQ(found.at("q1"), (std::vector<double>{0.1, 0}));
  EXPECT_DOUBLE_EQ(found.at("q2")[0], std::acos(0.0));
}

TEST_F(SimulateBatch, GoesOnFromItsOwnOutput) {
  shell.write("runs.csv", "q1,q2,tau1,tau2\n0,0.5,0.5,0\n0.1,0,0,0.2\n");
  ASSERT_EQ(run("crane.yaml --batch runs.csv --duration 0.25 -o half.csv").exit_code, 0);
  const Outcome halves = run("crane.yaml --batch half.csv --duration 0.25");
  const Outcome whole = run("crane.yaml --batch runs.csv --duration 0.5");
  ASSERT_EQ(halves.exit_code, 0) << halves.err;
  const CsvColumns a = csv_columns(halves.out), b = csv_columns(whole.out);
  EXPECT_EQ(a.at("t"), b.at("t"));
  for (const char* column : {"q1", "q2", "qd1", "qd2", "qdd1", "qdd2"}) {
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(a.at(column)[k], b.at(column)[k], 1e-12);
  }
}

TEST_F(SimulateBatch, GoesOnFromTheHandWrenchThatATorqueFileEndsWith) {
  shell.write("pull.csv",
              "t,tau1,tau2,fx,fy,fz,nx,ny,nz\n0,0,0,1,0,0,0,0,0\n0.2,0.5,0,3,0,0,0,0.1,0\n");
  shell.write("runs.csv", "torques\npull.csv\ntorques.csv\n");
  const Outcome half = run("crane.yaml --batch runs.csv --duration 0.2 -o half.csv");
  ASSERT_EQ(half.exit_code, 0) << half.err;
  const CsvColumns found = csv_columns(shell.read("half.csv"));
  EXPECT_EQ(found.at("fx"), (std::vector<double>{3, 0}));
  EXPECT_EQ(found.at("ny"), (std::vector<double>{0.1, 0}));
  const CsvColumns whole = csv_columns(run("crane.yaml pull.csv --duration 0.4").out);
  const CsvColumns on = csv_columns(run("crane.yaml --batch half.csv --duration 0.2").out);
  for (const char* column : {"q1", "q2", "qd1", "qd2", "qdd1", "qdd2"}) {
    EXPECT_NEAR(on.at(column)[0], whole.at(column).back(), 1e-12) << column;
  }
}

TEST_F(SimulateBatch, StopsRunsAtTheirLimitsWithExitOne) {
  shell.write("runs.csv", "q1,q2,qd1,qd2\n0,0,0,0\n0.9,0,5,0\n-2,0,0,0\n");
  const Outcome outcome = run("crane.yaml --batch runs.csv --duration 0.1");
  EXPECT_EQ(outcome.exit_code, 1);
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("exit"), (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(found.at("joint"), (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(found.at("q1")[1], 1.0);
  EXPECT_EQ(found.at("t")[2], 0.0);
  EXPECT_NE(outcome.err.find("crane: 3 runs, "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("; 2 ended at a limit\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(run("crane.yaml --batch runs.csv --duration 0.1 --at-limit ignore").exit_code, 0);
}

TEST_F(SimulateBatch, KeepsAllRunsWhereOneFailsAndSaysWhich) {
  shell.write("runs.csv", "q1,q2,tau1,tau2\n0,0,0,0\n0,0,0,1e13\n");
  const Outcome outcome =
      run("crane.yaml --batch runs.csv --duration 0.1 --at-limit ignore --quiet");
  EXPECT_EQ(outcome.exit_code, 5);
  const CsvColumns found = csv_columns(outcome.out);
  EXPECT_EQ(found.at("exit"), (std::vector<double>{0, 5}));
  EXPECT_TRUE(std::isfinite(found.at("q2")[1]));
  EXPECT_EQ(outcome.err.find("armdyn: warning: run 2 (runs.csv:3): the simulation diverges: "
                             "after t = "),
            0U)
      << outcome.err;
}

TEST_F(SimulateBatch, TakesTorquesOverTimeForAllRuns) {
  shell.write("runs.csv", "q1,q2\n0,0.5\n0.1,0\n");
  for (const std::string& how : {std::string(), std::string(" --interpolation hold")}) {
    const Outcome batch = run("crane.yaml torques.csv --batch runs.csv" + how);
    ASSERT_EQ(batch.exit_code, 0) << batch.err;
    EXPECT_TRUE(has_between(row(batch, 1), end_of("crane.yaml torques.csv --q0 0,0.5" + how)));
    EXPECT_TRUE(has_between(row(batch, 2), end_of("crane.yaml torques.csv --q0 0.1,0" + how)));
  }
  const Outcome piped =
      shell.run("cat torques.csv | $armdyn simulate crane.yaml - --batch runs.csv --duration 0.3");
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_NE(piped.err.find("in 2 runs the last torque is held to the end"), std::string::npos);
}

TEST_F(SimulateBatch, TakesATorqueFileForEachRun) {
  ASSERT_EQ(shell.run("mkdir sub").exit_code, 0);
  shell.write("sub/a.csv",
              "t,tau1,tau2,q1,q2,fx,fy,fz,nx,ny,nz\n"
              "0,1,0,0.2,0.4,0,0,0,0,0,0\n0.1,-1,0.3,0,0,1,0,0,0,0,0\n");
  shell.write("sub/b.csv", "t,tau1,tau2\n1,1,0\n1.05,0,0.1\n1.12,0,0\n");
  shell.write("sub/runs.csv", "torques,run\na.csv,1\n\"b.csv\",2\na.csv,3\n");
  const Outcome batch = run("crane.yaml --batch sub/runs.csv");
  ASSERT_EQ(batch.exit_code, 0) << batch.err;
  const std::string alone = end_of("crane.yaml sub/a.csv");
  EXPECT_TRUE(has_between(row(batch, 1), alone.substr(0, alone.size() - 12))) << alone;
  EXPECT_EQ(row(batch, 1).substr(1), row(batch, 3).substr(1));
  EXPECT_TRUE(has_between(row(batch, 2), end_of("crane.yaml sub/b.csv")));
}

TEST_F(SimulateBatch, HasTheSameBytesForAnyNumberOfThreadsAndInstructionSet) {
  std::string runs = "q1,q2,q3,q4,q5,q6,q7,tau1,tau2,tau3,tau4,tau5,tau6,tau7\n";
  for (int k = 0; k < 333; ++k) {
    for (int i = 0; i < 14; ++i) {
      runs += std::to_string(std::sin(1.0 + k * 0.7 + i * i)) + (i == 13 ? "\n" : ",");
    }
  }
  shell.write("runs.csv", runs);
  const std::string verb = "$armdyn simulate franka-panda --batch runs.csv --duration 0.05 --quiet";
  const Outcome one = shell.run(verb + " --threads 1");
  EXPECT_NE(one.out, "");
  for (const char* other : {" --threads 2", " --threads 7"}) {
    EXPECT_EQ(shell.run(verb + other).out, one.out) << other;
  }
  EXPECT_EQ(shell.run(with_fewest_lanes() + verb).out, one.out);
  EXPECT_EQ(shell
                .run("cat runs.csv | $armdyn simulate franka-panda --batch - --duration 0.05 "
                     "--quiet")
                .out,
            one.out);
}

TEST_F(SimulateBatch, ReadsAndWritesArrays) {
  const std::string motion =
      "$armdyn trajectory craig-rr --from 0,0 --to 1,2 --duration 1 --rate 20 --quiet -o ";
  ASSERT_EQ(shell.run(motion + "runs.csv").exit_code, 0);
  ASSERT_EQ(shell.run(motion + "runs.npy").exit_code, 0);
  const Outcome text = run("craig-rr --batch runs.csv --duration 0.2");
  EXPECT_EQ(run("craig-rr --batch runs.npy --duration 0.2").out, text.out);
  ASSERT_EQ(run("craig-rr --batch runs.npy --duration 0.2 -o ends.npy").exit_code, 0);
  shell.write("ends.csv", text.out);
  const Outcome on = run("craig-rr --batch ends.csv --duration 0.2");
  EXPECT_EQ(run("craig-rr --batch ends.npy --duration 0.2").out, on.out);
  EXPECT_EQ(csv_columns(on.out).at("t").back(), 1.4);
}

TEST_F(SimulateBatch, AsJsonHasTheKeysOfItsDescription) {
  shell.write("runs.csv", "q1,q2,qd1,qd2,tau1,tau2\n0,0,0,0,0,0\n0.9,0,5,0,0,0\n0,0,0,0,0,1e13\n");
  const json found = json::parse(
      run("crane.yaml --batch runs.csv --duration 0.1 --step 0.01 --json -o out.csv").out);
  EXPECT_EQ(found["runs"], 3);
  EXPECT_EQ(found["ends"], (json{{"complete", 1}, {"limit", 1}, {"failed", 1}}));
  EXPECT_EQ(found["failures"][0]["run"], 3);
  EXPECT_EQ(found["failures"][0]["line"], 4);
  EXPECT_EQ(found["joints"][0]["at_limit"], 1);
  EXPECT_EQ(found["joints"][0]["q_last_range"], (json{0.0, 1.0}));
  EXPECT_EQ(found["options"]["batch"], "runs.csv");
  EXPECT_EQ(found["options"]["step"], 0.01);
  EXPECT_EQ(found["options"]["ignore_extra"], false);
  EXPECT_FALSE(found["options"].contains("q0"));
  EXPECT_EQ(found["interrupted"], false);
  EXPECT_EQ(found["robot"]["name"], "crane");
  for (const char* key : {"version", "model_warnings", "steps", "imbalance", "held", "warnings"}) {
    EXPECT_TRUE(found.contains(key)) << key;
  }
}

TEST_F(SimulateBatch, WarnsOfAStepThatIsCoarse) {
  shell.write("runs.csv", "q1,q2\n0,0\n0.2,1\n");
  const Outcome outcome =
      run("crane.yaml --batch runs.csv --duration 1 --step 0.2 --at-limit ignore --quiet");
  EXPECT_EQ(outcome.err.find("armdyn: warning: in 2 runs, at the worst the step of 0.2 s is coarse "
                             "for this arm: "),
            0U)
      << outcome.err;
}

TEST_F(SimulateBatch, KeepsRunsThatHadEndedWhenInterrupted) {
  const Outcome outcome = shell.run(
      "(echo q1,q2; for i in $(seq 2000); do echo 0,0.$i; done; sleep 9) | "
      "timeout --preserve-status -s INT 6 $armdyn simulate crane.yaml --batch - --duration 0.01 "
      "--threads 1 -o out.csv");
  EXPECT_EQ(outcome.exit_code, 130);
  const std::size_t rows = csv_columns(shell.read("out.csv")).at("run").size();
  EXPECT_GT(rows, 0U);
  EXPECT_EQ(outcome.err,
            "armdyn: interrupted; the " + std::to_string(rows) + " runs that had ended are kept\n");
}

TEST_F(SimulateBatch, WritesNothingWhenInterruptedBeforeARunHasEnded) {
  shell.write("runs.csv", "q1,q2\n0,0.5\n");
  const Outcome outcome = shell.run(
      "timeout --preserve-status -s INT 0.5 $armdyn simulate crane.yaml --batch runs.csv "
      "--duration 9e4 -o out.csv");
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.err, "armdyn: interrupted; no run had ended, nothing is written\n");
  EXPECT_FALSE(shell.exists("out.csv"));
}

TEST_F(SimulateBatch, SaysWhatIsWrongWithItsOptions) {
  shell.write("runs.csv", "q1,q2\n0,0\n");
  const std::string start = "crane.yaml --batch runs.csv --duration 1 ";
  const std::string no = "armdyn: simulate: ";
  expect_refusal(start + "--q0 0,0", 2,
                 no + "--q0 cannot be used with --batch; FILE has q in columns q1..\n");
  expect_refusal(start + "--qd0 0,0", 2,
                 no + "--qd0 cannot be used with --batch; FILE has qd in columns qd1..\n");
  expect_refusal(start + "--every 5", 2,
                 no + "--every cannot be used with --batch, which writes the end of each run\n");
  expect_refusal(start + "--estimate-error", 2,
                 no +
                     "--estimate-error cannot be used with --batch; simulate one run by itself for "
                     "that\n");
  expect_refusal(start + "--plot p.svg", 2,
                 no + "--plot cannot be used with --batch; simulate one run by itself for that\n");
  expect_refusal(start + "-o runs.csv", 2,
                 "armdyn: the output 'runs.csv' is an input; name another file\n");
  expect_refusal("crane.yaml --batch runs.csv torques.csv -o torques.csv", 2,
                 "armdyn: the output 'torques.csv' is an input; name another file\n");
  shell.write("files.csv", "torques\ntorques.csv\n");
  expect_refusal("crane.yaml --batch files.csv -o torques.csv", 2,
                 "armdyn: the output 'torques.csv' is an input; name another file\n");
  expect_refusal("crane.yaml --batch runs.csv", 2,
                 no + "without torques over time, --batch needs --duration, e.g. --duration 2\n");
  expect_refusal("crane.yaml - --batch - --duration 1", 2,
                 no + "TORQUES and --batch cannot both be standard input\n");
  expect_refusal("crane.yaml --batch nowhere.csv --duration 1", 4,
                 "armdyn: cannot read nowhere.csv: No such file or directory\n");
}

TEST_F(SimulateBatch, SaysWhatIsWrongWithItsFile) {
  const auto expect = [&](const std::string& content, int exit_code, const std::string& message,
                          const std::string& torques = "--duration 1") {
    shell.write("runs.csv", content);
    expect_refusal("crane.yaml --batch runs.csv " + torques, exit_code, message);
  };
  expect("q1,q2\n0,0\n0,x\n", 3, "runs.csv:3: column \"q2\": found \"x\", expected a number\n");
  expect("qd1,qd2\n0,0\n", 3, "runs.csv:1: missing columns q1..q2; the file has qd1, qd2\n");
  expect("q1,q2,mass\n0,0,1\n", 3,
         "runs.csv:1: unknown column \"mass\"; known are run, t, q1..q2, qd1..qd2, qdd1..qdd2, "
         "tau1..tau2, fx, fy, fz, nx, ny, nz, torques and what armdyn writes (--ignore-extra skips "
         "unknown columns)\n");
  expect("q1,q2,torqeus,run\n0,0,a.csv,1\n", 3,
         "runs.csv:1: unknown column \"torqeus\"; did you mean \"torques\"? (--ignore-extra skips "
         "unknown columns)\n");
  expect("run[ms],q1,q2\n1,0,0\n", 3, "runs.csv:1: column \"run[ms]\" cannot have a unit\n");
  expect("torques,tau1,tau2\na.csv,0,0\n", 3,
         "runs.csv:1: columns tau1..tau2 and \"torques\" exclude each other\n");
  expect("q1,q2,tau1,tau2\n0,0,0,0\n", 3,
         "runs.csv:1: columns tau1..tau2 and TORQUES exclude each other\n", "torques.csv");
  expect("torques\na.csv\n", 3, "runs.csv:1: column \"torques\" and TORQUES exclude each other\n",
         "torques.csv");
  expect("torques\ntorques.csv\nno.csv\n", 4,
         "armdyn: runs.csv:3: column \"torques\": cannot read no.csv: No such file or "
         "directory\n");
  expect("torques,run\n,1\n", 3,
         "runs.csv:2: column \"torques\": found an empty cell, expected the name of a file with "
         "torques\n");
  expect("torques\n-\n", 3,
         "runs.csv:2: column \"torques\": found \"-\", expected the name of a file with torques\n");
  shell.write("bad.csv", "t,tau1,tau2\n0,1,oops\n");
  expect("torques\nbad.csv\n", 3,
         "bad.csv:2: column \"tau2\": found \"oops\", expected a number\n");
  EXPECT_EQ(run("crane.yaml --batch runs.csv -o out.csv").exit_code, 3);
  EXPECT_FALSE(shell.exists("out.csv"));
}

TEST_F(SimulateBatch, PassesOverUnknownColumnsIfTold) {
  shell.write("runs.csv", "q1,q2,mass\n0,0,1\n");
  EXPECT_EQ(run("crane.yaml --batch runs.csv --duration 0.1 --ignore-extra").exit_code, 0);
}

TEST_F(SimulateBatch, SaysThatThereAreNoRuns) {
  shell.write("runs.csv", "q1,q2\n");
  const Outcome outcome = run("crane.yaml --batch runs.csv --duration 1");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(row(outcome, 1), "");
  EXPECT_NE(outcome.err.find("warning: the batch has a header but no rows"), std::string::npos);
}

TEST_F(SimulateBatch, TakesTheSameMemoryForManyRunsAsForFew) {
  const auto peak = [&](const std::string& count) {
    long kilobytes = 0;
    const Outcome outcome =
        shell.run("(echo q1,q2; yes 0.1,0.2 | head -" + count +
                      ") | \"$armdyn\" simulate crane.yaml --batch - --duration 0.001 --quiet -o "
                      "/dev/null",
                  kilobytes);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return kilobytes;
  };
  const long few = peak("10000");
  EXPECT_GT(few, 1000);
  EXPECT_LT(peak("400000"), few + few / 2 + 8000) << "kB";
}

TEST_F(SimulateBatch, SaysThatTimesCountFromTheFirst) {
  const std::string rows = "t,tau1,tau2\n1700000000,0,0\n1700000000.01,0,0\n";
  shell.write("a.csv", rows);
  shell.write("b.csv", rows);
  shell.write("states.csv", "q1,q2\n0,0\n");
  shell.write("files.csv", "torques\na.csv\nb.csv\ntorques.csv\na.csv\n");
  shell.write("starts.csv", "t,q1,q2\n1700000000,0,0\n1700000001,0,0\n");
  const auto expect_begin = [&](const std::string& arguments, const std::string& said) {
    const Outcome outcome = run("crane.yaml " + arguments + " -o out.csv");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with(said)) << outcome.err;
    EXPECT_EQ(run("crane.yaml " + arguments + " -o out.csv --quiet").err, "");
  };
  expect_begin("--batch states.csv a.csv", "a.csv: t counts from the first stamp\n");
  expect_begin("--batch files.csv",
               "a.csv: t counts from the first stamp; likewise 1 more torque file\n");
  expect_begin("--batch starts.csv --duration 0.1", "starts.csv: t counts from the first stamp\n");
  const Outcome as_json = run("crane.yaml --batch files.csv --json -o out.csv");
  EXPECT_EQ(json::parse(as_json.out)["runs"], 4);
}

}  // namespace
}  // namespace armdyn::testing
