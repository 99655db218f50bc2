// What verbs remark on mistakes they do not say of shipped arms and motions; --quiet leaves warnings.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

namespace fs = std::filesystem;

/// Parts of remarks.
const std::vector<std::string> remarks{" sticks ",
                                       "the start is q = 0",
                                       "looks like",
                                       "ROBOT comes first",
                                       "pulls upward",
                                       "the reverse of",
                                       "never moves the joint",
                                       "turn about one axis",
                                       "the tool never leaves",
                                       "is not read; if it is the time",
                                       "another order",
                                       "exchanged",
                                       "narrower than",
                                       "the drive cannot lift"};

void expect_silence(const Shell& shell, const std::string& command) {
  const Outcome outcome = shell.run(command);
  const bool is_singular = outcome.err.find("mass matrix is singular") != std::string::npos;
  EXPECT_TRUE(outcome.exit_code <= 1 || is_singular) << command << "\n" << outcome.err;
  for (const std::string& remark : remarks) {
    EXPECT_EQ((outcome.out + outcome.err).find(remark), std::string::npos)
        << command << "\n"
        << outcome.out << outcome.err;
  }
}

TEST(Remarks, AreSilentOnAllShippedArms) {
  const Shell shell;
  std::size_t arms = 0;
  for (const auto& file : fs::directory_iterator(shipped_robots_folder())) {
    if (file.path().extension() != ".yaml") continue;
    ++arms;
    const std::string name = file.path().stem();
    expect_silence(shell, "$armdyn check " + name);
    expect_silence(shell, "$armdyn inspect " + name);
    expect_silence(shell, "$armdyn trajectory " + name +
                              " --excite --limits 1,2 --duration 5 --rate 100 -o m.csv");
    expect_silence(shell, "$armdyn equations " + name + " --format c -o code.c");
    expect_silence(shell, "$armdyn torque " + name + " m.csv --keep-motion -o tau.csv");
    expect_silence(shell, "$armdyn simulate " + name + " tau.csv --duration 0.2 -o s.csv");
    expect_silence(shell, "$armdyn track " + name + " m.csv -o t.csv");
  }
  EXPECT_GE(arms, 25U);
}

TEST(Remarks, AreSilentOnAllShippedMotions) {
  const Shell shell;
  std::size_t motions = 0;
  for (const auto& file : fs::directory_iterator(shipped_robots_folder() + "/motions")) {
    const std::string name = file.path().stem();
    ++motions;
    for (const std::string arm : {"puma560", "puma560-akb", "puma560-roboop"}) {
      expect_silence(shell, "$armdyn torque " + arm + " " + name + " --keep-motion -o tau.csv");
      expect_silence(shell, "$armdyn simulate " + arm + " tau.csv --duration 0.2 -o s.csv");
      expect_silence(shell, "$armdyn track " + arm + " " + name + " -o t.csv");
      expect_silence(shell, "$armdyn compare " + arm + " " + name);
    }
  }
  EXPECT_EQ(motions, 2U);
}

/// Lines of messages that are warnings.
std::string warnings_in(const std::string& messages) {
  std::istringstream lines(messages);
  std::string line, found;
  while (std::getline(lines, line)) {
    if (line.find(" warning") != line.npos) found += line + "\n";
  }
  return found;
}

TEST(Quiet, LeavesTheWarningsOfEveryVerb) {
  const Shell shell;
  const std::string urdf = "'" + test_data() + "/arms/slide.urdf'";
  const std::string made =
      "$armdyn trajectory " + urdf +
      " --from 0,0.1 --to 1,0.3 --duration 1 --rate 50 -o m.csv && $armdyn torque " + urdf +
      " m.csv --keep-motion -o log.csv";
  ASSERT_EQ(shell.run(made).exit_code, 0);
  for (const std::string verb :
       {"check URDF", "compare URDF m.csv", "convert URDF -o out.yaml --force",
        "equations URDF --symbols none", "equations URDF --format c -o out.c",
        "identify URDF log.csv", "inspect URDF", "inspect URDF m.csv --what M -o out.csv",
        "simulate URDF log.csv -o out.csv", "size URDF m.csv", "torque URDF m.csv -o out.csv",
        "track URDF m.csv -o out.csv", "track craig-rp m.csv --model URDF -o out.csv",
        "trajectory URDF --along m.csv --time-optimal -o out.csv",
        "vary URDF m.csv --uncertainty mass=5% --samples 3 -o out.csv"}) {
    std::string command = "$armdyn " + verb;
    command.replace(command.find("URDF"), 4, urdf);
    const Outcome loud = shell.run(command), quiet = shell.run(command + " --quiet");
    EXPECT_EQ(quiet.exit_code, loud.exit_code) << command << quiet.err;
    const std::string warnings = warnings_in(loud.out + loud.err);
    EXPECT_NE(warnings.find("warning"), std::string::npos) << command << loud.err;
    EXPECT_EQ(warnings_in(quiet.out + quiet.err), warnings) << command;
  }
}

}  // namespace
}  // namespace armdyn::testing
