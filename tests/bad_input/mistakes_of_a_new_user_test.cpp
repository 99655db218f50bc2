// Typical mistakes, each with the one message and the exit code that it ends in.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

const std::string rr_header = "q1,q2,qd1,qd2,qdd1,qdd2\n";
const std::string at_rest = rr_header + "0,0,0,0,0,0\n";

class Mistake : public ::testing::Test {
 protected:
  void SetUp() override { shell.write("still.csv", at_rest); }

  void expect(const std::string& command, int exit_code, const std::string& message) const {
    const Outcome outcome = shell.run(command);
    EXPECT_EQ(outcome.exit_code, exit_code) << command << "\n" << outcome.err;
    EXPECT_EQ(outcome.err, message) << command;
  }

  Shell shell;
};

// --- the command line: 2
// ---------------------------------------------------------------------------

TEST_F(Mistake, NoVerb) {
  const Outcome outcome = shell.run("$armdyn");
  EXPECT_EQ(outcome.exit_code, 2);
  const std::string begin =
      "armdyn: a verb is missing; armdyn --help shows examples\n\nUse:\n  torque ";
  EXPECT_EQ(outcome.err.substr(0, begin.size()), begin);
  for (const std::string verb : {"inspect", "join"}) {
    EXPECT_NE(outcome.err.find("\n  " + verb + " "), std::string::npos) << outcome.err;
  }
}
TEST_F(Mistake, NamesOfTheFieldLeadToVerbs) {
  for (const auto& [word, verb] : {std::pair{"dynamics", "torque"}, std::pair{"rnea", "torque"},
                                   std::pair{"inverse", "torque"}, std::pair{"forward", "simulate"},
                                   std::pair{"fk", "inspect"}}) {
    expect(std::string("$armdyn ") + word + " puma560", 2,
           std::string("armdyn: there is no verb '") + word + "'; did you mean '" + verb +
               "'? (armdyn --help shows examples)\n");
  }
}
/// Verbs of the program's help.
std::vector<std::string> verbs(const Shell& shell) {
  const std::string all =
      shell.run("$armdyn --help | sed -n '/^Use:$/,$s/^  \\([a-z]*\\) .*/\\1/p'").out;
  std::istringstream lines(all);
  return {std::istream_iterator<std::string>(lines), {}};
}
TEST_F(Mistake, ShortHelpFitsAScreen) {
  const std::vector<std::string> all = verbs(shell);
  EXPECT_EQ(all.size(), 17U);
  for (const std::string& verb : all) {
    const Outcome help = shell.run("$armdyn " + verb + " -h");
    EXPECT_EQ(help.exit_code, 0);
    std::istringstream lines(help.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      const auto more = std::ranges::count_if(
          line, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; });
      EXPECT_LE(line.size() - static_cast<std::size_t>(more), 80U) << line;
    }
    EXPECT_LE(count, 24) << verb << "\n" << help.out;
  }
}
TEST_F(Mistake, HelpHasEachOptionOnceInGroupsOfOneOrder) {
  const std::vector<std::string> groups{
      "Options:",      "Integration:", "Robot and model:",
      "Reading logs:", "Output:",      "Special cases and papers:"};
  for (const std::string& verb : verbs(shell)) {
    std::istringstream lines(shell.run("$armdyn " + verb + " --help").out);
    std::set<std::string> names;
    std::size_t group = 0;
    for (std::string line; std::getline(lines, line);) {
      const auto at = std::ranges::find(groups, line);
      if (at != groups.end()) {
        const auto found = static_cast<std::size_t>(at - groups.begin());
        EXPECT_TRUE(found >= group) << verb << ": " << line;
        group = found;
      }
      if (!line.starts_with("  -")) continue;
      const std::string name = line.substr(2, line.find(' ', 2) - 2);
      EXPECT_TRUE(names.insert(name).second) << verb << ": " << name << " is given twice";
    }
    EXPECT_GE(names.size(), 2U) << verb;
  }
}
TEST_F(Mistake, WordsForOptionsAreUnderstood) {
  for (const auto& [words, options] :
       {std::pair{"help", "--help"}, std::pair{"help torque", "torque --help"},
        std::pair{"version", "--version"}, std::pair{"-V", "--version"},
        std::pair{"torque -V", "--version"}}) {
    const Outcome as_words = shell.run(std::string("$armdyn ") + words);
    EXPECT_EQ(as_words.exit_code, 0) << as_words.err;
    EXPECT_FALSE(as_words.out.empty()) << words;
    EXPECT_EQ(as_words.out, shell.run(std::string("$armdyn ") + options).out);
  }
  expect(
      "$armdyn help torqe", 2,
      "armdyn: there is no verb 'torqe'; did you mean 'torque'? (armdyn --help shows examples)\n");
}
TEST_F(Mistake, MisspeltVerb) {
  expect(
      "$armdyn torqe craig-rr still.csv", 2,
      "armdyn: there is no verb 'torqe'; did you mean 'torque'? (armdyn --help shows examples)\n");
}
TEST_F(Mistake, RobotAndMotionFromOnePipe) {
  for (const std::string verb : {"torque", "track", "vary", "size"}) {
    const std::string options = verb == "vary" ? " --uncertainty mass=5%" : "";
    expect("$armdyn robots show craig-rr | $armdyn " + verb + " -" + options, 2,
           "armdyn: " + verb +
               ": ROBOT and MOTION cannot both be standard input; "
               "name a file for one of them\n");
  }
}
TEST_F(Mistake, TwoInputsFromOnePipe) {
  shell.write("move.csv", "t," + rr_header + "0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n");
  for (const std::string command :
       {"compare - -", "inspect - - --what V", "simulate - -", "simulate - --batch - --duration 1",
        "trajectory - --via -", "trajectory - --limits 1 --time-optimal --along -",
        "check - --against -", "track - move.csv --model -", "equations - --verify -",
        "torque craig-rr q=-,t=-"}) {
    expect("$armdyn robots show craig-rr | $armdyn " + command, 2,
           "armdyn: two inputs cannot both be standard input; name a file for one of them\n");
  }
  expect("$armdyn robots show craig-rr > rr.yaml; $armdyn compare - - < rr.yaml", 2,
         "armdyn: two inputs cannot both be standard input; name a file for one of them\n");
}
TEST_F(Mistake, OptionForTheValueOfAnOption) {
  expect("$armdyn torque craig-rr still.csv -o --quiet", 2,
         "armdyn: torque: -o needs a value; found --quiet, which is an option itself (a file of "
         "that name is ./--quiet)\n");
  expect("$armdyn torque craig-rr still.csv --plot -o t.csv", 2,
         "armdyn: torque: --plot needs a value; found -o, which is an option itself (a file of "
         "that name is ./-o)\n");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr still.csv -o ./--quiet").exit_code, 0);
}
TEST_F(Mistake, OptionBeforeTheVerb) {
  expect("$armdyn --terms torque craig-rr still.csv", 2,
         "armdyn: the verb comes first: armdyn torque, and then '--terms'\n");
}
TEST_F(Mistake, MisspeltOption) {
  expect("$armdyn torque craig-rr still.csv --tems", 2,
         "armdyn: torque has no option --tems; did you mean '--terms'? (armdyn torque --help lists "
         "them)\n");
}
TEST_F(Mistake, NoRobot) {
  expect("$armdyn torque", 2,
         "armdyn: torque: ROBOT is required; armdyn torque --help shows examples\n");
}
TEST_F(Mistake, MotionBeforeTheRobot) {
  expect("$armdyn torque still.csv craig-rr", 2,
         "armdyn: ROBOT comes first, and 'still.csv' is a motion or another table\n");
  expect("$armdyn track puma560-pick-and-place puma560", 2,
         "armdyn: ROBOT comes first, and 'puma560-pick-and-place' is a motion or another table\n");
}
TEST_F(Mistake, GravityUpwardAsAnOption) {
  const std::string message =
      "--gravity: found [0, 0, 9.81], a field that pulls upward; z of the world points up, so "
      "write "
      "-9.81 for z, and base for an arm that hangs";
  expect("$armdyn torque ur5e zero.csv --gravity 0,0,9.81", 4,
         "armdyn: warning: " + message +
             "\narmdyn: cannot read zero.csv: No such file or directory\n");
  const Outcome check = shell.run("$armdyn check ur5e --gravity 0,0,9.81");
  EXPECT_NE(check.out.find("warning: " + message), std::string::npos) << check.out;
  const Outcome down = shell.run("$armdyn inspect ur5e --gravity 0,0,-9.81");
  EXPECT_EQ(down.err, "");
}
TEST_F(Mistake, GravityAndSpeedInAnotherUnit) {
  const std::string message =
      "armdyn: warning: --gravity: found [0, 0, -981], 100 times gravity on earth; is the unit "
      "m/s²?\n";
  EXPECT_EQ(shell.run("$armdyn inspect ur5e --gravity 0,0,-981").err, message);
  EXPECT_EQ(shell.run("$armdyn inspect ur5e --gravity 0,0,-24.8").err, "");
  shell.write("mm.yaml",
              "armdyn: 1\nname: mm\nconvention: modified\nlength_unit: mm\n"
              "gravity: [0, -9810, 0]\njoints:\n"
              "  - {type: prismatic, dh: {}, mass: 1, com: [200, 0, 0], limits: {velocity: 500},\n"
              "     friction: {coulomb: 1, static: 2, stribeck_velocity: 20}}\n");
  const Outcome check = shell.run("$armdyn check mm.yaml --quiet");
  EXPECT_NE(check.out.find("found [0, -9810, 0], 1000 times gravity on earth"), std::string::npos)
      << check.out;
  EXPECT_NE(check.out.find("stribeck_velocity: found 20 m/s, beyond the joint's limit of 0.5 m/s; "
                           "friction is in SI units"),
            std::string::npos)
      << check.out;
}
TEST_F(Mistake, GravityThatIsTheFilesReversed) {
  const std::string message =
      "armdyn: warning: --gravity: found [0, 9.81, 0], the reverse of the file's [0, -9.81, 0]; "
      "the "
      "field is given, which pulls downward\n";
  EXPECT_EQ(shell.run("$armdyn inspect craig-rr --gravity 0,9.81,0").err, message);
  EXPECT_EQ(shell.run("$armdyn inspect craig-rr --gravity 0,-1.62,0").err, "");
  EXPECT_EQ(shell.run("$armdyn inspect craig-rr --gravity 9.81,0,0").err, "");
}
TEST_F(Mistake, EquationsAsTextInAFileOfCode) {
  for (const auto& [file, form] :
       {std::pair{"arm.c", "c"}, std::pair{"arm.hpp", "cpp"}, std::pair{"arm.py", "python"},
        std::pair{"arm.m", "matlab"}, std::pair{"arm.js", "javascript"},
        std::pair{"arm.mjs", "javascript"}, std::pair{"arm.tex", "latex"}}) {
    const std::string command = std::string("$armdyn equations craig-rr -o ") + file;
    EXPECT_EQ(shell.run(command).err, "armdyn: warning: " + std::string(file) +
                                          " is written as text; --format " + form +
                                          " writes code\n");
    EXPECT_EQ(shell.run(command + " --force --quiet --format " + form).err, "");
  }
  EXPECT_EQ(shell.run("$armdyn equations craig-rr -o arm.txt").err, "");
}
TEST_F(Mistake, DegreesInAPositionWithoutAUnit) {
  const std::string hint =
      " rad, which looks like degrees; for degrees write ' deg' after the whole list\n";
  EXPECT_EQ(shell.run("$armdyn inspect two-link-rods --q 30,90").err,
            "armdyn: warning: --q: found 30" + hint);
  EXPECT_EQ(shell.run("$armdyn inspect two-link-rods --q '30,90 deg'").err, "");
  EXPECT_EQ(shell.run("$armdyn inspect two-link-rods --q 3,-12").err, "");
  for (const std::string verb :
       {"simulate two-link-rods --duration 0.01", "track two-link-rods m.csv"}) {
    const Outcome outcome = shell.run(
        "$armdyn trajectory two-link-rods --from 0,0 --to 1,1 --duration 1 --quiet -o m.csv; "
        "$armdyn " +
        verb + " --quiet -o out.csv --q0 0,90");
    EXPECT_EQ(outcome.err.find("armdyn: warning: --q0: found 90" + hint), 0U) << outcome.err;
  }
  EXPECT_NE(shell
                .run("$armdyn trajectory ur5e --from upright --to-tcp 0.4,-0.2,0.3,180,0,90 "
                     "--duration 2 -o m.csv")
                .err.find("armdyn: warning: --to-tcp: found 180" + hint),
            std::string::npos);
  EXPECT_NE(shell.run("$armdyn check ur5e --frame 0.2,0,0,0,0,90")
                .out.find("--frame: found 90 rad, which looks like degrees"),
            std::string::npos);
  shell.write("via.csv", "x,y,z,roll,pitch,yaw\n0.4,-0.2,0.3,180,0,90\n0.4,0.2,0.3,180,0,90\n");
  EXPECT_NE(shell.run("$armdyn trajectory ur5e --via via.csv --limits 1,2 -o m.csv")
                .err.find("roll, pitch, yaw: found 180 rad, which looks like degrees; name the "
                          "columns roll[deg], pitch[deg], yaw[deg]"),
            std::string::npos);
  const Outcome json = shell.run("$armdyn inspect two-link-rods --q 30,90 --json");
  EXPECT_EQ(json.err, "");
  EXPECT_NE(json.out.find("--q: found 30 rad"), std::string::npos);
}
TEST_F(Mistake, TooManyArguments) {
  const Outcome outcome = shell.run("$armdyn torque craig-rr still.csv out.csv");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("out.csv"), std::string::npos) << outcome.err;
}
TEST_F(Mistake, OptionWithoutItsValue) {
  const Outcome outcome = shell.run("$armdyn torque craig-rr still.csv --gravity");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("--gravity"), std::string::npos) << outcome.err;
}
TEST_F(Mistake, GravityOfTwoNumbers) {
  expect("$armdyn torque craig-rr still.csv --gravity 0,-9.81", 2,
         "armdyn: --gravity: found \"0,-9.81\", expected three numbers x,y,z in m/s^2, e.g. "
         "0,0,-9.81\n");
}
TEST_F(Mistake, GravityThatIsNotANumber) {
  for (const std::string text : {"nan", "1e999", "inf", "0x1", ""}) {
    expect("$armdyn torque craig-rr still.csv --gravity=0,0," + text, 2,
           "armdyn: --gravity: found \"" + text + "\" in \"0,0," + text +
               "\", expected three numbers x,y,z in m/s^2, e.g. 0,0,-9.81\n");
  }
}
TEST_F(Mistake, UnknownPart) {
  expect(
      "$armdyn torque craig-rr still.csv --without frictoin", 2,
      "armdyn: --without: found \"frictoin\", expected one of friction, rotors, payload, gravity; "
      "did you mean 'friction'?\n");
}
TEST_F(Mistake, MotorWhichIsTwoParts) {
  for (const std::string option : {"--without", "--model-without"}) {
    expect("$armdyn track craig-rr still.csv " + option + " payload,motor", 2,
           "armdyn: " + option +
               ": found \"motor\", which is two parts: write rotors for the inertia of its rotor, "
               "friction for all friction, at the joint and at the motor, or friction,rotors\n");
  }
}
TEST_F(Mistake, NegativePayload) {
  expect("$armdyn torque craig-rr still.csv --payload -1", 2,
         "armdyn: --payload: the mass is -1, expected 0 kg or more\n");
}
TEST_F(Mistake, NoThreads) {
  expect("$armdyn torque craig-rr still.csv --threads 0", 2,
         "armdyn: --threads: found \"0\", expected a whole number from 1 to 1024\n");
}
TEST_F(Mistake, OutputIsTheInput) {
  expect("$armdyn torque craig-rr still.csv -o ./still.csv", 2,
         "armdyn: the output './still.csv' is an input; name another file\n");
  expect("ln -s still.csv link.csv; $armdyn torque craig-rr still.csv -o link.csv", 2,
         "armdyn: the output 'link.csv' is an input; name another file\n");
  EXPECT_EQ(shell.read("still.csv"), at_rest);
}
TEST_F(Mistake, OneOutputForTwoThings) {
  for (const std::string verb :
       {"torque craig-rr still.csv", "simulate craig-rr --duration 1", "compare craig-rr still.csv",
        "track craig-rr still.csv", "trajectory craig-rr --from 0,0 --to 1,1 --duration 1"}) {
    expect("$armdyn " + verb + " -o out.svg --plot ./out.svg", 2,
           "armdyn: -o and --plot both name './out.svg'; give one of them another file\n");
  }
  EXPECT_FALSE(shell.exists("out.svg"));
  expect(
      "touch out.svg; ln -s out.svg link.svg; $armdyn torque craig-rr still.csv -o out.svg "
      "--plot link.svg",
      2, "armdyn: -o and --plot both name 'link.svg'; give one of them another file\n");
  const std::string compare = "$armdyn compare craig-rr --samples 10 ";
  EXPECT_EQ(shell.run(compare + "-o /dev/null --differences /dev/null").exit_code, 0);
}
TEST_F(Mistake, OutputIsTheRobotFile) {
  ASSERT_EQ(shell.run("$armdyn robots copy craig-rr arm.yaml").exit_code, 0);
  const std::string file = shell.read("arm.yaml");
  ASSERT_EQ(shell.run("ln arm.yaml arm.csv").exit_code, 0);
  for (const std::string command :
       {"torque arm.yaml still.csv -o", "simulate arm.yaml --duration 1 -o", "compare arm.yaml -o",
        "compare arm.yaml --differences"}) {
    expect("$armdyn " + command + " ./arm.csv", 2,
           "armdyn: the output './arm.csv' is an input; name another file\n");
  }
  EXPECT_EQ(shell.read("arm.yaml"), file);
}
TEST_F(Mistake, PictureOfAnUnknownKind) {
  expect("$armdyn torque craig-rr still.csv --plot torques.gif", 2,
         "armdyn: --plot: 'torques.gif' must end in .svg, .png or .pdf\n");
}

// --- files that cannot be opened: 4
// ------------------------------------------------------------------

TEST_F(Mistake, MisspeltShippedRobot) {
  expect("$armdyn torque pumma560 still.csv", 4,
         "armdyn: there is no file 'pumma560', and no shipped robot of that name; did you mean "
         "'puma560'?\n");
}
TEST_F(Mistake, MissingRobotFile) {
  expect("$armdyn torque arm.yaml still.csv", 4,
         "armdyn: cannot read arm.yaml: No such file or directory\n");
}
TEST_F(Mistake, MissingMotion) {
  expect("$armdyn torque craig-rr motion.csv", 4,
         "armdyn: cannot read motion.csv: No such file or directory\n");
}
TEST_F(Mistake, FolderForAFile) {
  expect("$armdyn torque . still.csv", 4, "armdyn: cannot read .: Is a directory\n");
  expect("$armdyn torque craig-rr .", 4, "armdyn: cannot read .: Is a directory\n");
}
TEST_F(Mistake, OutputFolderDoesNotExist) {
  expect("$armdyn torque craig-rr still.csv -o results/out.csv", 4,
         "armdyn: cannot write results/out.csv: there is no folder results; create it first\n");
}
TEST_F(Mistake, FullDisk) {
  expect(
      "$armdyn torque puma560 puma560-pick-and-place --quiet >/dev/full 2>err.txt; code=$?; "
      "tail -n 1 err.txt >&2; exit $code",
      4, "armdyn: cannot write standard output: No space left on device\n");
}
TEST_F(Mistake, ClosedPipeEndsQuietly) {
  const Outcome outcome = shell.run(
      "bash -c '$armdyn torque puma560 puma560-pick-and-place --quiet --json | head -n 1; exit "
      "${PIPESTATUS[0]}'");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "t,tau1,tau2,tau3,tau4,tau5,tau6\n");
  EXPECT_EQ(outcome.err, "");
}

// --- the content of files: 3
// -------------------------------------------------------------------------

TEST_F(Mistake, MissingColumn) {
  shell.write("in.csv", "q1,q2,qd1,qd2,qdd1\n1,2,3,4,5\n");
  expect("$armdyn torque craig-rr in.csv", 3,
         "in.csv:1: missing column qdd2; the file has q1, q2, qd1, qd2, qdd1\n");
}
TEST_F(Mistake, NoHeader) {
  shell.write("in.csv", "0,0,0,0,0,0\n");
  const Outcome outcome = shell.run("$armdyn torque craig-rr in.csv");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err.substr(0, 9), "in.csv:1:") << outcome.err;
}
TEST_F(Mistake, EmptyMotion) {
  const Outcome outcome = shell.run("$armdyn torque craig-rr </dev/null");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err,
            "standard input: the input is empty; expected a header line such as t,q1,qd1,qdd1\n");
}
TEST_F(Mistake, TextInANumbersPlace) {
  shell.write("in.csv", at_rest + "1,2,x3,4,5,6\n");
  expect("$armdyn torque craig-rr in.csv -o out.csv", 3,
         "in.csv:3: column \"qd1\": found \"x3\", expected a number\n");
  EXPECT_EQ(shell.list(), "in.csv still.csv ");
}
TEST_F(Mistake, LeavesAnEarlierResultAlone) {
  shell.write("in.csv", at_rest + "1,2,3,4,5\n");
  shell.write("out.csv", "earlier\n");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr in.csv -o out.csv").exit_code, 3);
  EXPECT_EQ(shell.read("out.csv"), "earlier\n");
  EXPECT_EQ(shell.list(), "in.csv out.csv still.csv ");
}
TEST_F(Mistake, DegreesForRadiansInAMotion) {
  shell.write("in.csv", rr_header + "90,45,0,0,0,0\n");
  const Outcome outcome = shell.run("$armdyn torque craig-rr in.csv");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find(
                "armdyn: warning: shoulder, elbow: q reaches 90, 45 rad, as if q were in degrees; "
                "--columns \"q=q{1..2}[deg],qd=qd{1..2}[deg/s],qdd=qdd{1..2}[deg/s^2]\" reads it "
                "so\n"),
            std::string::npos)
      << outcome.err;
  shell.write("timed.csv", "t," + rr_header + "0,90,45,0,0,0,0\n1,90,45,0,0,0,0\n");
  const std::string tracked = shell.run("$armdyn track craig-rr timed.csv -o track.csv").err;
  EXPECT_NE(tracked.find("shoulder, elbow: q reaches 90, 45 rad, as if q were in degrees\n"),
            std::string::npos)
      << tracked;
  // Three of six joints turn too far for radians, one does not, and two stand still.
  const std::string all =
      shell
          .run(
              "$armdyn trajectory ur5e --from 0,-1,1,0,0,0 --to 1,-1.5,1,0.2,0,0 --duration 1 "
              "--rate 50 --degrees | sed 's/\\[[^]]*\\]//g' | $armdyn torque ur5e - -o out.csv")
          .err;
  EXPECT_NE(all.find("--columns \"q=q{1..6}[deg],qd=qd{1..6}[deg/s],qdd=qdd{1..6}[deg/s^2]\""),
            std::string::npos)
      << all;
}

}  // namespace
}  // namespace armdyn::testing
