// Pictures of the verbs: nothing is cut, no text lies on another.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <tuple>
#include <vector>

#include "support/packed_numbers.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/svg_texts.hpp"

namespace armdyn::testing {
namespace {

/// In place of gnuplot, whose picture is then what it was told to draw.
void pretend_a_gnuplot_that_copies(const Shell& shell) {
  shell.write("gnuplot", "#!/bin/sh\necho '<svg>'; cat; echo '</svg> %%EOF IEND'\n");
  shell.write("fc-list", "#!/bin/sh\necho font\n");
  ASSERT_EQ(shell.run("chmod +x gnuplot fc-list").exit_code, 0);
}

/// What a verb with a picture has drawn.
std::string script_of(const Shell& shell, const std::string& command) {
  const Outcome outcome = shell.run("PATH=$PWD:$PATH $armdyn " + command + " --plot a.svg");
  EXPECT_EQ(outcome.exit_code, 0) << command << outcome.err;
  return shell.read("a.svg");
}

TEST(Pictures, LeaveOutTheJointsThatRestWhereverTheyAre) {
  const Shell shell;
  pretend_a_gnuplot_that_copies(shell);
  const std::string verb = "trajectory " + test_data() + "/arms/three.yaml --duration 1 --rate 8 ";
  for (const auto& [from, to, resting] : {std::tuple{"-0.5,0.3,-0.4", "0.5,0.3,-0.4", "reach, tip"},
                                          {"0.5,0.1,-0.4", "0.5,0.3,-0.4", "turn, tip"},
                                          {"0.5,0.3,-0.4", "0.5,0.3,0.4", "turn, reach"},
                                          {"0.5,0.3,-0.4", "-0.5,0.3,0.4", "reach"}}) {
    const std::string script = script_of(shell, verb + "-o o.csv --from " + from + " --to " + to);
    EXPECT_NE(script.find("at rest and not drawn: " + std::string(resting) + "' at"), script.npos)
        << resting;
  }
}

// Joint 6 turns without a torque: its center of mass is on its axis. Joint 1 stays.
TEST(Pictures, ShowJointsThatMoveWithoutTorque) {
  const Shell shell;
  pretend_a_gnuplot_that_copies(shell);
  std::string header = "t", rows;
  for (const char* quantity : {"q", "qd", "qdd"}) {
    for (int i = 1; i <= 6; ++i) header += std::string(",") + quantity + std::to_string(i);
  }
  for (const char* row :
       {"0,0,1,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0", "1,0,1,0,0,0,1,0,0,0,0,0,1,0,0,0,0,0,0"}) {
    rows += std::string("\n") + row;
  }
  shell.write("m.csv", header + rows + "\n");
  for (const std::string verb : {"torque", "vary"}) {
    const std::string options = verb == "vary" ? " --samples 2 --uncertainty mass=5%" : "";
    const std::string script = script_of(
        shell, verb + " puma560 m.csv -o o.csv --quiet --without friction,rotors" + options);
    EXPECT_NE(script.find("at rest and not drawn: waist, forearm' at"), script.npos)
        << verb << script;
    EXPECT_NE(script.find("flange"), script.npos) << verb;
  }
}

TEST(Pictures, OfMotionsWithoutTimesCountTheirRowsFromBlockToBlock) {
  const Shell shell;
  pretend_a_gnuplot_that_copies(shell);
  ASSERT_EQ(shell
                .run("awk 'BEGIN { print \"q1,q2,qd1,qd2,qdd1,qdd2\"; for (k = 0; k < 40000; ++k) "
                     "print k / 40000 \",0.1,0.1,0,0,0\" }' >m.csv")
                .exit_code,
            0);
  for (const std::string verb : {"torque", "compare", "vary"}) {
    const std::string options =
        verb == "vary" ? " --samples 2 --uncertainty mass=5% -o o.csv" : " ";
    const std::string output = verb == "torque" ? " -o o.csv" : "";
    const std::string script =
        script_of(shell, verb + " craig-rr m.csv --quiet" + options + output);
    EXPECT_NE(script.find("set xrange [1:40000]"), script.npos) << verb;
  }
}

TEST(Pictures, HaveBothSidesOfABandAtTheSameTimes) {
  const Shell shell;
  const Outcome made = shell.run(
      "$armdyn trajectory ur5e --excite --duration 12 --rate 500 --seed 2 -o m.csv --quiet && "
      "$armdyn torque ur5e m.csv --keep-motion -o log.csv --quiet && "
      "awk -F, -v OFS=, 'BEGIN {srand(3)} NR > 1 {for (i = 20; i <= 25; ++i) $i += rand()} 1' "
      "log.csv > noisy.csv && $armdyn observe ur5e noisy.csv --report page.html --quiet");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string page = shell.read("page.html"), tag = "<script type=\"application/json\"";
  const std::size_t from = page.find('{', page.find(tag));
  const auto data = nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
  std::size_t bands = 0;
  for (const auto& panel : data["figures"][0]["panels"]) {
    for (std::size_t c = 0; c + 1 < panel["curves"].size(); ++c) {
      if (!panel["curves"][c]["begins_band"]) continue;
      const nlohmann::json& x = panel["curves"][c]["x"];
      EXPECT_EQ(x, panel["curves"][c + 1]["x"]) << panel["title"];
      EXPECT_EQ(unpacked(x[0], x[1], x[2]).back(), 12.0);
      ++bands;
    }
  }
  EXPECT_EQ(bands, 6U);
}

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
