// What a run writes is nothing that it reads, and no file that a person wrote.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"

namespace armdyn {
namespace {

using testing::Outcome;
using testing::Shell;

/// Rows of a motion of two joints with measured torques.
std::string two_joint_log() {
  std::string log = "t,q1,q2,qd1,qd2,qdd1,qdd2,tau1,tau2\n";
  for (int row = 0; row < 300; ++row) {
    const double t = 0.01 * row;
    log += fmt::format("{0},{1},{1},{2},{2},{3},{3},{2},{2}\n", t, std::sin(t), std::cos(t),
                       -std::sin(t));
  }
  return log;
}

class Outputs : public ::testing::Test {
 protected:
  Outputs() {
    shell.write("m.csv", two_joint_log());
    (void)shell.run(
        "$armdyn robots copy craig-rr arm.yaml; ln arm.yaml arm.txt; cp m.csv via.csv; ln via.csv "
        "via.log");
    shell.write("q.csv", "q1,q2\n0,0\n1,1\n");
    shell.write("t.csv", "t\n0\n1\n");
    shell.write("gains.csv", "100,30\n30,100\n");
    shell.write("batch.csv", "torques\nm.csv\n");
    shell.write("numbers.csv", "tau1,tau2\n1,1\n");
    shell.write("spare.yaml", shell.read("arm.yaml"));
    (void)shell.run(
        "ln spare.yaml spare.txt; ln arm.yaml x.part-1-of-1; for f in *.csv *.txt; do ln $f "
        "${f%.*}.svg; done; ln arm.yaml arm.out");
  }
  void expect_refused(const std::string& command, const std::string& file) const {
    const std::string before = shell.read(file);
    const Outcome outcome = shell.run("$armdyn " + command);
    EXPECT_EQ(outcome.exit_code, 2) << command << "\n" << outcome.err;
    EXPECT_EQ(outcome.err, "armdyn: the output '" + file + "' is an input; name another file\n")
        << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_EQ(shell.read(file), before) << command;
  }
  Shell shell;
};

TEST_F(Outputs, AreNothingThatIsRead) {
  for (const auto& [command, file] : {
           std::pair{"check spare.txt --against arm.txt -o arm.txt", "arm.txt"},
           {"check arm.txt -o arm.out", "arm.out"},
           {"torque arm.txt m.csv -o m.csv", "m.csv"},
           {"torque arm.txt m.csv --plot m.svg -o out.csv", "m.svg"},
           {"torque arm.txt - -o m.csv <m.csv", "m.csv"},
           {"torque arm.txt q=q.csv,t=t.csv --derive -o t.csv", "t.csv"},
           {"torque arm.txt m.csv --part 1/1 -o x", "x.part-1-of-1"},
           {"trajectory arm.txt --via via.csv -o via.csv", "via.csv"},
           {"trajectory arm.txt --via via.csv -o o.csv --plot via.svg", "via.svg"},
           {"simulate arm.txt m.csv -o m.csv", "m.csv"},
           {"simulate arm.txt --batch batch.csv -o batch.csv", "batch.csv"},
           {"simulate arm.txt --batch batch.csv -o m.csv", "m.csv"},
           {"simulate arm.txt --batch numbers.csv m.csv -o m.csv", "m.csv"},
           {"track arm.txt m.csv --kp gains.csv --kv gains.csv -o gains.csv", "gains.csv"},
           {"track arm.txt m.csv --model spare.txt -o spare.txt", "spare.txt"},
           {"inspect arm.txt --q 0,0 -o arm.txt", "arm.txt"},
           {"inspect arm.txt m.csv --what tau -o m.csv", "m.csv"},
           {"compare arm.txt m.csv --differences m.csv", "m.csv"},
           {"vary arm.txt via.log --uncertainty mass=5% --samples 2 --worst via.log", "via.log"},
           {"identify arm.txt m.csv --held-out via.log -o via.log", "via.log"},
           {"identify arm.txt via.log m.csv -o via.log", "via.log"},
           {"equations arm.txt -o arm.txt", "arm.txt"},
           {"convert arm.txt --force -o arm.yaml", "arm.yaml"},
       }) {
    expect_refused(command, file);
  }
}

// The robot is not there: nothing is read before the names of outputs are looked at.
TEST_F(Outputs, ThatArePersonsNeedForce) {
  for (const char* const ending :
       {"yaml", "yml", "urdf", "xml", "mjcf", "c", "h", "hpp", "cpp", "py", "m", "tex"}) {
    const std::string file = std::string("mine.") + ending;
    shell.write(file, "written by armdyn's user\n");
    std::vector<std::string> verbs;
    if (!std::set<std::string>{"yaml", "yml", "urdf", "xml", "mjcf"}.contains(ending)) {
      verbs.push_back("equations no.yaml -o ");
    }
    if (!std::set<std::string>{"urdf", "xml", "mjcf"}.contains(ending)) {
      verbs.insert(verbs.end(), {"identify no.yaml m.csv -o ",
                                 "vary no.yaml m.csv --uncertainty mass=5% --worst "});
    }
    for (const std::string& verb : verbs) {
      const Outcome outcome = shell.run("$armdyn " + verb + file);
      EXPECT_EQ(outcome.exit_code, 4) << verb << file;
      EXPECT_EQ(outcome.err, "armdyn: there is a file '" + file +
                                 "' already; name another one, or replace it with --force\n");
      EXPECT_EQ(shell.run("$armdyn " + verb + file + " --force").exit_code, 4) << verb << file;
    }
    for (const std::string verb :
         {"torque no.yaml m.csv", "inspect no.yaml", "check no.yaml",
          "trajectory no.yaml --from 0,0 --to 1,1 --duration 1", "simulate no.yaml --duration 1",
          "compare no.yaml", "track no.yaml m.csv", "join", "torque no.yaml m.csv --part 1/2",
          "vary no.yaml m.csv --uncertainty mass=5%"}) {
      const std::string option = verb == "join" ? "" : "-o ";
      for (const std::string& name : {file, std::string("new.") + ending}) {
        const Outcome outcome = shell.run("$armdyn " + verb + " " + option + name);
        EXPECT_EQ(outcome.exit_code, 2) << verb << name;
        EXPECT_NE(outcome.err.find("found \"" + name + "\", the name of a"), std::string::npos)
            << outcome.err;
        EXPECT_FALSE(shell.exists(std::string("new.") + ending));
      }
    }
    EXPECT_EQ(shell.read(file), "written by armdyn's user\n");
  }
  shell.write("mine_check.c", "int main(void) { return 0; }\n");
  EXPECT_EQ(shell
                .run("$armdyn equations no.yaml --format c --check -o mine2.c; $armdyn equations "
                     "no.yaml --format c --check --force -o mine.c")
                .exit_code,
            4);
  EXPECT_EQ(shell.run("$armdyn equations no.yaml --format c --check -o mine.c").exit_code, 4);
  EXPECT_EQ(shell.run("$armdyn robots show ur5e -o mine.yaml").exit_code, 4);
  EXPECT_EQ(shell.run("$armdyn robots show ur5e -o mine.yaml --force").exit_code, 0);
}

TEST_F(Outputs, ThatAreYamlTakeNoNameOfAnotherKind) {
  const auto expect_refused = [&](const std::string& command, const std::string& option,
                                  const std::string& file, const std::string& what) {
    const Outcome outcome = shell.run("$armdyn " + command + file);
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_EQ(outcome.err, "armdyn: " + option + ": found \"" + file + "\", " + what + "\n");
    EXPECT_FALSE(shell.exists(file)) << command;
  };
  const std::string identify = "identify no.yaml m.csv -o ",
                    vary = "vary no.yaml m.csv --uncertainty mass=5% --worst ";
  for (const std::string file : {"new.urdf", "new.xml", "new.MJCF"}) {
    for (const auto& [command, option] : {std::pair<std::string, std::string>{identify, "-o"},
                                          {vary, "--worst"},
                                          {"robots show ur5e -o ", "-o"},
                                          {"robots copy ur5e ", "FILE"},
                                          {"new -o ", "-o"}}) {
      expect_refused(command, option, file,
                     "a name of URDF or MJCF; give one that ends in .yaml, and armdyn convert "
                     "makes URDF and MJCF of the file");
    }
  }
  for (const std::string file : {"new.csv", "new.npy", "new.JSON"}) {
    const std::string what = "which does not name a robot file; give one that ends in .yaml";
    expect_refused(identify, "-o", file, what);
    expect_refused(vary, "--worst", file, what);
  }
}

// Nothing is said where another output cannot be written.
TEST_F(Outputs, AreOpenBeforeTheAnswerIsSaid) {
  for (const std::string verb :
       {"check craig-rr --plot", "check craig-rr --report", "inspect craig-rr --q 0,0 --report",
        "compare craig-rr m.csv --report", "equations craig-rr --report",
        "equations craig-rr --prove --report", "track craig-rr m.csv --plot"}) {
    const std::string file = verb.ends_with("plot") ? " none/a.svg" : " none/a.html";
    const Outcome outcome = shell.run("$armdyn " + verb + file);
    EXPECT_EQ(outcome.exit_code, 4) << verb << outcome.err;
    EXPECT_EQ(outcome.out, "") << verb;
  }
}

TEST_F(Outputs, ThatArmdynWroteAreReplaced) {
  for (const std::string code :
       {"--format c --check -o arm_c.c", "--format python --check -o arm_py.py",
        "--format python --symbols all -o arm_all.py", "--format matlab --check -o arm_m.m",
        "--format javascript --check -o arm_js.mjs", "--format cpp --check -o arm.hpp",
        "--format c --what regressor -o regressor.c", "--format latex -o torque.tex",
        "--format listing -o listing.m", "--format text -o torque.txt"}) {
    EXPECT_EQ(shell.run("$armdyn equations arm.yaml " + code).exit_code, 0) << code;
    const Outcome again = shell.run("$armdyn equations spare.yaml " + code);
    EXPECT_EQ(again.exit_code, 0) << code << again.err;
  }
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(shell.run("$armdyn torque arm.yaml m.csv -o out.csv").exit_code, 0);
    EXPECT_EQ(shell.run("$armdyn torque arm.yaml m.csv -o out.npy").exit_code, 0);
  }
}

// Whatever a link is called, and in whichever case an ending is.
TEST_F(Outputs, KeepWhatAPersonWroteBehindALink) {
  const std::string before = shell.read("spare.yaml");
  (void)shell.run("ln -s spare.yaml link.csv; cp spare.yaml CAPITALS.YAML");
  for (const std::string name : {"link.csv", "CAPITALS.YAML"}) {
    EXPECT_EQ(shell.run("$armdyn torque arm.yaml m.csv -o " + name).exit_code, 2) << name;
    EXPECT_EQ(shell.read(name), before) << name;
  }
}

}  // namespace
}  // namespace armdyn
