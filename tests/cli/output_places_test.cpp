// Where outputs go: descriptors are written to, files are replaced whole, several together.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/program.hpp"
#include "support/sanitized.hpp"

namespace armdyn::testing {
namespace {

class OutputPlaces : public ::testing::Test {
 protected:
  Shell shell;
};

TEST_F(OutputPlaces, ThatAreDescriptorsKeepWhatStands) {
  const std::string craig = "$armdyn robots show craig-rr ";
  const std::string text = shell.run(craig).out;
  (void)shell.run("ln -s /dev/fd/3 link");
  for (const std::string output :
       {"-o /dev/stdout >>log", "-o - >>log", "-o /dev/stderr 2>>log", "-o /dev/fd/3 3>>log",
        "-o link 3>>log", "-o /proc/self/fd/3 3>>log"}) {
    shell.write("log", "old\n");
    const Outcome outcome = shell.run(craig + output);
    EXPECT_EQ(outcome.exit_code, 0) << output << outcome.err;
    EXPECT_EQ(shell.read("log"), "old\n" + text) << output;
  }
  shell.write("log", "");
  EXPECT_EQ(shell.run("{ echo before; " + craig + "-o /proc/$$/fd/3; echo after; } 3>log >&3").err,
            "");
  EXPECT_EQ(shell.read("log"), "before\n" + text + "after\n");
  EXPECT_EQ(shell.run("rm log; { rm log; " + craig + "-o /dev/fd/3; cat <&4; } 3>>log 4<log").out,
            text);
  EXPECT_EQ(shell.list(), "link ");
}

TEST_F(OutputPlaces, ThatBeginWithACountOfRowsRefuseDescriptors) {
  (void)shell.run("ln -s /dev/fd/3 link.npy");
  shell.write("log", "old\n");
  const Outcome outcome =
      shell.run("$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 1 -o link.npy 3>>log");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.err.find("armdyn: cannot write link.npy: it is a pipe, device or descriptor, "),
            0U)
      << outcome.err;
  EXPECT_EQ(shell.read("log"), "old\n");
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --form c --check -o /dev/fd/3 3>>log").exit_code,
            2);
  EXPECT_EQ(shell.read("log"), "old\n");
}

TEST_F(OutputPlaces, OfOneRunAreDifferentFiles) {
  (void)shell.run("ln -s a.svg b.svg");
  const std::string motion = "$armdyn trajectory craig-rr --from 0,0 --to 1,1 --duration 1 ";
  const std::string refusal =
      "armdyn: -o and --plot both name 'a.svg'; give one of them another "
      "file\n";
  for (const std::string state : {"", "touch a.svg; "}) {
    const Outcome outcome = shell.run(state + motion + "-o b.svg --plot a.svg");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, refusal);
  }
  EXPECT_EQ(shell.run(motion + "--plot a.svg >>a.svg").err, refusal);
  EXPECT_EQ(shell.read("a.svg"), "");
}

TEST_F(OutputPlaces, OfOneRunAreAllReadyBeforeTheFirstTakesItsPlace) {
  if (is_sanitized) GTEST_SKIP() << "a sanitizer's library comes before the one that fails calls";
  const auto fail = [&](const std::string& call) {
    shell.write("a.csv", "old");
    shell.write("b.csv", "old");
    return shell.run(
        "LD_PRELOAD=" ARMDYN_FAILING_CALLS " ARMDYN_FAILED=$PWD.failed ARMDYN_FAILS=" + call +
        " $armdyn compare craig-rr --random 5 --quiet -o a.csv --differences b.csv; "
        "code=$?; rm $PWD.failed && exit $code");
  };
  for (const std::string call : {"fsync:1", "fsync:2", "rename:1"}) {
    EXPECT_EQ(fail(call).exit_code, 4) << call;
    EXPECT_EQ(shell.read("a.csv") + shell.read("b.csv"), "oldold") << call;
    EXPECT_EQ(shell.list(), "a.csv b.csv ") << call;
  }
  const Outcome second = fail("rename:2");
  EXPECT_EQ(second.exit_code, 4);
  EXPECT_EQ(second.err, "armdyn: cannot write a.csv: Input/output error; b.csv is new\n");
  EXPECT_EQ(shell.read("a.csv"), "old");
  EXPECT_EQ(shell.read("b.csv").find("q1,q2,"), 0U);
  EXPECT_EQ(shell.list(), "a.csv b.csv ");
}

TEST_F(OutputPlaces, ThatReplaceNothingAreMadeByOneOfManyRuns) {
  for (const std::string verb : {"new --types RRP -o arm.yaml", "robots copy craig-rr arm.yaml"}) {
    const Outcome outcome =
        shell.run("for i in $(seq 20); do { $armdyn " + verb + "; echo $? >>codes; } & done; wait");
    const std::string refusal =
        "armdyn: there is a file 'arm.yaml' already; name another one, or replace it with --force";
    EXPECT_EQ(shell.run("sort codes | uniq -c | tr -s ' ' | tr '\n' ';'").out, " 1 0; 19 4;");
    std::size_t refused = 0;
    for (auto at = outcome.err.find(refusal); at != std::string::npos;
         at = outcome.err.find(refusal, at + 1)) {
      ++refused;
    }
    EXPECT_EQ(refused, 19U) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 20) << outcome.err;
    EXPECT_EQ(shell.list(), "arm.yaml codes ");
    EXPECT_EQ(shell.run("mkdir one && cd one && $armdyn " + verb).exit_code, 0);
    EXPECT_EQ(shell.read("arm.yaml"), shell.read("one/arm.yaml"));
    (void)shell.run("rm -r arm.yaml codes one");
  }
}

}  // namespace
}  // namespace armdyn::testing
