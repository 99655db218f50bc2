// Signals end every verb with 130 and leave nothing behind but the rows that a verb promises.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/sanitized.hpp"

namespace armdyn::testing {
namespace {

class Signals : public ::testing::Test {
 protected:
  /// Starts a command in the background as $p, waits until `condition` holds, does `then`, and
  /// gives the exit code of the command. A command that does not end is killed.
  [[nodiscard]] Outcome act(const std::string& command, const std::string& condition,
                            const std::string& then) const {
    return shell.run("timeout -s KILL 100 sh -c 'echo $$ >\"$PWD.pid\"; exec \"$@\"' - " + command +
                     " & t=$!; for i in $(seq 3000); do p=$(cat $PWD.pid) && [ -n \"$p\" ] && { " +
                     condition +
                     "; } && break; sleep 0.02; [ -n \"$p\" ] && [ ! -e /proc/$p ] && break; done "
                     "2>/dev/null; " +
                     then + "; wait $t; code=$?; rm -f $PWD.pid; (exit $code)");
  }

  /// A gnuplot that says that it was started, in files `drawing` and `helper`, and never ends.
  void pretend_a_slow_gnuplot() const {
    ASSERT_EQ(shell.run("mkdir -p bin").exit_code, 0);
    shell.write(
        "bin/gnuplot",
        "#!/bin/sh\ncat >/dev/null\nsleep 1000 &\necho $! >helper\necho $$ >drawing\nwait\n");
    ASSERT_EQ(shell.run("chmod +x bin/gnuplot").exit_code, 0);
  }

  Shell shell;
};

constexpr const char* writes = "ls -A | grep -q '^\\.out\\.csv\\.armdyn-'";
constexpr const char* term = "kill -TERM $p";

constexpr const char* long_motion =
    "$armdyn trajectory puma560 --from 0,0,0,0,0,0 --to 1,1,1,1,1,1 --duration 90 --rate 1000000 "
    "--quiet -o out.csv";

TEST_F(Signals, EndAMotionThatIsWritten) {
  const Outcome outcome = act(long_motion, writes, term);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(shell.list(), "");
}

TEST_F(Signals, EndASearchThatNoLoopOfAVerbSees) {
  std::string joints;
  for (int i = 0; i < 60; ++i) {
    joints +=
        "  - {type: revolute, dh: {a: 0.1, alpha: 0.3, d: 0.1, theta: 0}, mass: 1, com: [0.1, 0, "
        "0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n";
  }
  shell.write("long.yaml", "armdyn: 1\nname: long\nconvention: standard\njoints:\n" + joints);
  // Nothing shows that the search has begun: as early as the handlers are there, as late as it may.
  const std::string handles =
      "grep -q 'SigCgt:.*[4-7c-f]...$' /proc/$p/status";  // bit 14 of the mask: SIGTERM
  for (const std::string verb :
       {"check long.yaml", "compare long.yaml --samples 1000000000",
        "trajectory puma560 --excite --limits 1,1 --harmonics 1000 -o out.csv"}) {
    const Outcome outcome = act("$armdyn " + verb, handles, term);
    EXPECT_EQ(outcome.exit_code, 130) << verb << outcome.err;
    EXPECT_EQ(shell.list(), "long.yaml ");
  }
}

/// Says which of gnuplot and what it started lives on, and removes their files.
constexpr const char* gone =
    "for f in drawing helper; do q=$(cat $f); for i in $(seq 500); do "
    "[ -e /proc/$q ] && ! grep -q ') Z' /proc/$q/stat || break; sleep 0.02; done; "
    "[ ! -e /proc/$q ] || grep -q ') Z' /proc/$q/stat || { echo $f lives; kill -KILL $q; }; done; "
    "rm -r bin drawing helper";

TEST_F(Signals, OfOtherKindsEndGnuplotToo) {
  for (const std::string name : {"QUIT", "USR1"}) {
    pretend_a_slow_gnuplot();
    const Outcome outcome =
        act("env PATH=$PWD/bin:$PATH $armdyn torque puma560 puma560-pick-and-place -o out.csv "
            "--plot out.svg",
            "[ -s drawing ]", "ulimit -c 0; kill -" + name + " $p");
    EXPECT_NE(outcome.exit_code, 0) << name;
    EXPECT_EQ(shell.run(gone).out, "") << name;
  }
}

TEST_F(Signals, EndGnuplotAndAllThatItStarted) {
  for (const std::string verb :
       {"torque puma560 puma560-pick-and-place", "compare puma560 --samples 10",
        "trajectory puma560 --from 0,0,0,0,0,0 --to 1,1,1,1,1,1 --duration 1"}) {
    pretend_a_slow_gnuplot();
    const Outcome outcome =
        act("env PATH=$PWD/bin:$PATH $armdyn " + verb + " -o out.csv --plot out.svg",
            "[ -s drawing ]", term);
    EXPECT_EQ(outcome.exit_code, 130) << verb;
    EXPECT_EQ(shell.run(gone).out, "") << verb;
    EXPECT_EQ(shell.list(), "") << verb;
  }
}

TEST_F(Signals, LeaveTheRowsOfASimulationWhosePictureIsDrawn) {
  pretend_a_slow_gnuplot();
  const Outcome outcome = act(
      "env PATH=$PWD/bin:$PATH $armdyn simulate craig-rr --duration 0.1 -o out.csv --plot out.svg",
      "[ -s drawing ]", term);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_NE(outcome.err.find("armdyn: interrupted at t = 0.1 s; the 101 rows so far are kept\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(shell.list(), "bin drawing helper out.csv ");
  EXPECT_EQ(shell.run("wc -l <out.csv").out, "102\n");
}

TEST_F(Signals, EndAnAdaptiveIntegratorFarFromItsNextRow) {
  const Outcome outcome = act(
      "$armdyn simulate craig-rr --integrator dopri5 --step 1e7 --duration 1e8 --quiet -o out.csv",
      std::string(writes) + " && sleep 0.1", term);  // till the first step has begun
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("2 rows so far are kept\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(shell.run("wc -l <out.csv").out, "3\n");
}

TEST_F(Signals, AtAnyMomentLeaveATargetWholeOrUntouched) {
  const std::string reference =
      "$armdyn torque puma560 puma560-pick-and-place --quiet -o whole.csv";
  ASSERT_EQ(shell.run(reference).exit_code, 0);
  const std::string command = "$armdyn torque puma560 puma560-pick-and-place --quiet -o out.csv";
  for (int i = 0; i < 40; ++i) {
    shell.write("out.csv", "old");
    const std::string moment = "sleep 0.0" + std::to_string(i / 10) + std::to_string(i % 10);
    const Outcome outcome = shell.run(command + " & p=$!; " + moment + "; kill -" +
                                      (i % 2 == 0 ? "INT" : "HUP") + " $p; wait $p");
    const std::string left = shell.read("out.csv");
    EXPECT_TRUE(left == "old" || left == shell.read("whole.csv")) << moment;
    EXPECT_EQ(shell.list(), "out.csv whole.csv ") << moment;
    const bool may_end_so = outcome.exit_code == 130 || outcome.exit_code == 129 ||
                            (outcome.exit_code == 0 && left != "old");
    EXPECT_TRUE(may_end_so) << outcome.exit_code << ", " << moment;
  }
}

TEST_F(Signals, OfATimeThatAnotherHasSetEndAVerbAsOthersDo) {
  const Outcome outcome = act(long_motion, writes, "kill -ALRM $p");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(shell.list(), "");
  const Outcome simulation =
      act("timeout -s ALRM 0.5 $armdyn simulate craig-rr --duration 9e4 --quiet -o out.csv",
          "[ ! -e /proc/$p ]", "true");
  EXPECT_EQ(simulation.exit_code, 124) << simulation.err;  // of timeout itself
  EXPECT_NE(simulation.err.find(" rows so far are kept\n"), std::string::npos) << simulation.err;
  EXPECT_EQ(shell.list(), "out.csv ");
}

TEST_F(Signals, OfATimeAreIgnoredWhereTheyWereBefore) {
  shell.write("ignores", "trap '' ALRM; exec " + std::string(long_motion) + "\n");
  const Outcome outcome =
      act("sh ignores", writes,
          "kill -ALRM $p; sleep 0.4; grep -q ') Z' /proc/$p/stat || echo lives; kill -TERM $p");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "lives\n");
}

TEST_F(Signals, ThatNoProgramCatchesLeaveWhatTheNextRunRemoves) {
  const Outcome killed = act(long_motion, writes, "kill -KILL $p");
  EXPECT_NE(shell.list().find(".out.csv.armdyn-"), std::string::npos) << killed.exit_code;
  ASSERT_EQ(shell.run("$armdyn robots -o out.csv").exit_code, 0);
  EXPECT_EQ(shell.list(), "out.csv ");
}

TEST_F(Signals, OfOtherKindsRemoveTheTemporaryToo) {
  std::vector<std::string> names{"QUIT", "USR1", "XCPU", "ABRT", "RTMIN", "VTALRM", "RTMAX"};
  if (!is_sanitized) names.emplace_back("SEGV");  // which sanitizers handle
  for (const std::string& name : names) {
    const Outcome outcome = act(long_motion, writes, "ulimit -c 0; kill -" + name + " $p");
    EXPECT_NE(outcome.exit_code, 0) << name;
    EXPECT_EQ(shell.list(), "") << name;
  }
}

TEST_F(Signals, DoNotLetOneRunRemoveWhatAnotherWrites) {
  const Outcome outcome =
      act(long_motion, writes, "$armdyn robots -o out.csv; ls -A | grep -c armdyn-; kill -TERM $p");
  EXPECT_EQ(outcome.out, "1\n");
  EXPECT_EQ(shell.list(), "out.csv ");
}

TEST_F(Signals, OfAFileThatMayNotGrowAreErrors) {
  const Outcome outcome = shell.run(
      "ulimit -f 8; $armdyn trajectory puma560 --from 0,0,0,0,0,0 --to 1,1,1,1,1,1 --duration 10 "
      "--quiet -o out.csv");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_NE(outcome.err.find("armdyn: cannot write out.csv: File too large\n"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(shell.list(), "");
}

}  // namespace
}  // namespace armdyn::testing
