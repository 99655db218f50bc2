// What verbs remark on mistakes they do not say of shipped arms and motions.

#include <gtest/gtest.h>

#include <filesystem>

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
    expect_silence(shell, "$armdyn equations " + name + " --form c -o code.c");
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

}  // namespace
}  // namespace armdyn::testing
