// Pictures of the verbs: nothing is cut, no text lies on another.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/svg_texts.hpp"

namespace armdyn::testing {
namespace {

TEST(Pictures, CutNoTextAndLetNoneLieOnAnother) {
  const Shell shell;
  if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "SKIPPED: no gnuplot";
  shell.write("via.csv", "q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n0.5,0.5,-0.5,0.3,0.3,0.2\n1,0,0,0,0,0\n");
  const std::string motion = "puma560 puma560-pick-and-place -o ";
  const std::string arms = " --samples 20 --uncertainty mass=50%";
  (void)shell.run("$armdyn torque " + motion + "log.csv --keep-motion; head -2 log.csv >one.csv");
  const std::vector<std::string> commands{
      "torque " + motion + "o.csv --terms",
      "torque puma560 log.csv -o o.csv",
      "trajectory puma560 --via via.csv --time-optimal -o o.csv",
      "simulate puma560 --q0 0,0.1,0,0,0,0 --duration 1 -o o.csv",
      "track " + motion + "o.csv",
      "vary " + motion + "o.csv" + arms,
      "vary puma560 one.csv -o o.csv" + arms,
      "identify puma560 log.csv",
      "compare puma560 log.csv",
      "compare puma560 --processors 6",
      "size puma560 puma560-pick-and-place",
      "check barrett-wam7",
      "check motoman-sia10",
  };
  for (const std::string& command : commands) {
    (void)shell.run("rm -f p.svg; $armdyn " + command + " --plot p.svg");
    const std::string svg = shell.read("p.svg");
    EXPECT_EQ(hard_to_read(svg), "") << command;
    EXPECT_GT(texts_of(svg).size(), 10U) << command;
  }
}

}  // namespace
}  // namespace armdyn::testing
