// Where outputs go: descriptors are written to, files are replaced whole, several together; the
// answer has standard output unless an option names that for other data.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
  EXPECT_EQ(
      shell.run("$armdyn equations craig-rr --format c --check -o /dev/fd/3 3>>log").exit_code, 2);
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
        " $armdyn compare craig-rr --samples 5 --quiet -o a.csv --differences b.csv; "
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
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 19) << outcome.err;
    EXPECT_EQ(shell.list(), "arm.yaml codes ");
    EXPECT_EQ(shell.run("mkdir one && cd one && $armdyn " + verb).exit_code, 0);
    EXPECT_EQ(shell.read("arm.yaml"), shell.read("one/arm.yaml"));
    (void)shell.run("rm -r arm.yaml codes one");
  }
}

/// Command lines by verb.
class Streams : public OutputPlaces {
 protected:
  using Lines = std::vector<std::pair<std::string, std::string>>;

  void SetUp() override {
    const Outcome made = shell.run(
        "$armdyn trajectory craig-rr --excite --limits 2,6 --duration 5 --rate 50 -o m.csv --quiet;"
        "$armdyn torque craig-rr m.csv --payload 1 --keep-motion -o log.csv --quiet");
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  /// What a command line prints on standard output; on standard error are warnings alone.
  [[nodiscard]] std::string answer(const std::string& line) const {
    const Outcome outcome = shell.run("$armdyn " + line +
                                      " 2>err; code=$?; sed '/^armdyn: warning: /d' err >&2; "
                                      "exit $code");
    EXPECT_EQ(outcome.exit_code, 0) << line << outcome.err;
    EXPECT_EQ(outcome.err, "") << line;
    return outcome.out;
  }
  [[nodiscard]] static bool is_json(const std::string& text) {
    return nlohmann::json::accept(text);
  }

  /// -o holds rows, a robot file or code.
  const Lines beside_data{{"torque", "craig-rr m.csv -o o.csv"},
                          {"simulate", "craig-rr --duration 0.1 -o o.csv"},
                          {"trajectory", "craig-rr --from 0,0 --to 1,1 --duration 1 -o o.csv"},
                          {"track", "craig-rr m.csv -o o.csv"},
                          {"vary", "craig-rr m.csv --uncertainty mass=5% --samples 3 -o o.csv"},
                          {"inspect", "craig-rr m.csv --what tau -o o.csv"},
                          {"identify", "craig-rr log.csv --force -o o.yaml"},
                          {"observe", "craig-rr log.csv -o o.csv"},
                          {"equations", "craig-rr --format c --force -o o.c"},
                          {"new", "my-arm --types RP --force -o o.yaml"},
                          {"convert", "craig-rr --force -o o.yaml"}};
  /// -o holds the answer itself.
  const Lines answers{{"check", "craig-rr"},
                      {"compare", "craig-rr --samples 3"},
                      {"size", "craig-rr m.csv"},
                      {"datasheet", "craig-rr --what contact --boxes 10"},
                      {"inspect", "craig-rr --q 0,1"},
                      {"equations", "craig-rr --prove"},
                      {"robots", "list"}};
};

TEST_F(Streams, HaveTheAnswerOnStandardOutputWhereDataGoToAFile) {
  for (const auto& [verb, options] : beside_data) {
    const std::string line = verb + " " + options;
    const std::string file = options.substr(options.rfind(' ') + 1);
    const std::string text = answer(line);
    EXPECT_NE(text, "") << line;
    EXPECT_FALSE(is_json(text)) << line;
    EXPECT_EQ(answer(line + " --quiet"), "");
    EXPECT_TRUE(is_json(answer(line + " --quiet --json"))) << line;
    EXPECT_TRUE(is_json(answer(line + " --json"))) << line;
    const std::string data = shell.read(file);
    EXPECT_NE(data, "") << line;

    const std::string to = line.substr(0, line.rfind(' ')) + " ";
    for (const std::string place : {"-", "/dev/stdout", "/dev/fd/3 3>&1"}) {
      if (verb == "convert" && place != "-") continue;  // whose files end in .yaml, .urdf, .xml
      const Outcome json = shell.run("$armdyn " + to + place + " --json");
      EXPECT_EQ(json.out, data) << to << place;
      EXPECT_TRUE(is_json(json.err)) << to << place << json.err;
      EXPECT_EQ(shell.run("$armdyn " + to + place).out, data) << to << place;
    }
  }
}

TEST_F(Streams, HaveTheAnswerOnStandardOutputOrInItsFile) {
  for (const auto& [verb, options] : answers) {
    const std::string line = verb + " " + options;
    const std::string text = answer(line);
    EXPECT_FALSE(is_json(text)) << line;
    EXPECT_TRUE(is_json(answer(line + " --json"))) << line;
    EXPECT_EQ(answer(line + " -o a.txt"), "");
    const std::size_t measured = text.find("Time of one state");  // of compare
    EXPECT_EQ(shell.read("a.txt").substr(0, measured), text.substr(0, measured)) << line;
    EXPECT_EQ(answer(line + " --json -o a.json"), "");
    EXPECT_TRUE(is_json(shell.read("a.json"))) << line;
  }
}

TEST_F(Streams, OfOtherOutputsLeaveTheAnswerWhereItIs) {
  const std::string vary = "vary craig-rr m.csv --uncertainty mass=5% --samples 3 ";
  const std::string text = answer(vary + "--worst w.yaml");
  EXPECT_EQ(answer(vary), text);
  EXPECT_EQ(answer(vary + "-o v.csv --worst w.yaml --force"), text);
  EXPECT_EQ(shell.run("$armdyn " + vary + "--worst -").err, text);
  const std::string torque = "torque craig-rr m.csv ";
  const std::string summary = answer(torque + "-o t.csv");
  EXPECT_EQ(shell.run("$armdyn " + torque).err, summary);
  const Outcome page = shell.run("$armdyn " + torque + "-o t.csv --report t.html");
  EXPECT_EQ(page.out, summary);
  EXPECT_EQ(page.err, "report: t.html\n");
  for (const std::string k : {"1", "2"}) {
    EXPECT_TRUE(is_json(answer(torque + "-o t.csv --json --part " + k + "/2")));
  }
  EXPECT_EQ(answer("join t.csv"), "t.csv: 2 parts joined\n");
  EXPECT_TRUE(is_json(answer("join t.csv --json")));
  EXPECT_TRUE(is_json(answer("robots copy craig-rr c.yaml --json")));
  const Outcome differences = shell.run("$armdyn compare craig-rr --differences - -o a.txt");
  EXPECT_EQ(differences.out.find("q1,q2,"), 0U);
  EXPECT_EQ(differences.err, "");
}

TEST_F(Streams, AreThoseOfEveryVerb) {
  std::set<std::string> tested{"join"};
  for (const Lines* const lines : {&beside_data, &answers}) {
    for (const auto& [verb, options] : *lines) tested.insert(verb);
  }
  const std::string verbs = shell.run("$armdyn -h | awk '/^  [a-z]/ {print $1}'").out;
  std::string expected;
  for (const std::string& verb : tested) expected += verb + "\n";
  EXPECT_EQ(shell.run("echo '" + verbs + "' | sed '/^$/d' | LC_ALL=C sort").out, expected);
}

TEST_F(Streams, OfATerminalHaveTheFirstRows) {
  const auto on_terminal = [&](const std::string& line) {
    return shell.run("script -qec '$armdyn " + line + "' /dev/null </dev/null | tr -d '\\r'").out;
  };
  const std::string all = shell.run("$armdyn torque craig-rr m.csv --quiet").out;
  std::size_t end = 0;
  for (int line = 0; line < 21; ++line) end = all.find('\n', end) + 1;
  EXPECT_EQ(on_terminal("torque craig-rr m.csv --quiet"),
            all.substr(0, end) + "... and 231 rows more: -o FILE writes all, | less shows all\n");
  EXPECT_EQ(on_terminal("torque craig-rr m.csv --quiet -o -"), all);
  ASSERT_EQ(shell.run("head -n 21 m.csv >short.csv; sed 1d short.csv | cut -d , -f 2,3 >tau").err,
            "");
  EXPECT_EQ(on_terminal("torque craig-rr short.csv --quiet"),
            shell.run("$armdyn torque craig-rr short.csv --quiet").out);
  // States for a controller.
  ASSERT_EQ(shell.run("{ echo tau1,tau2; cat tau tau; } >steps.csv").err, "");
  const std::string steps = "simulate craig-rr steps.csv --stepwise --step 0.001 --quiet";
  EXPECT_EQ(on_terminal(steps), shell.run("$armdyn " + steps).out);
}

TEST_F(Streams, HaveWarningsOnStandardErrorAlone) {
  shell.write("far.csv", "t,q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0,0\n1,9,0,0,0,0,0\n");
  for (const std::string quiet : {"", " --quiet"}) {
    const Outcome outcome =
        shell.run("$armdyn trajectory puma560 --via far.csv --profile cubic -o o.csv" + quiet);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out.find("warning"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.err.find("armdyn: warning: waist: q is "), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("warnings about the model"), std::string::npos) << outcome.err;
  }
  const Outcome json =
      shell.run("$armdyn trajectory puma560 --via far.csv --profile cubic -o o.csv --json");
  EXPECT_EQ(json.err, "");
  EXPECT_FALSE(nlohmann::json::parse(json.out)["warnings"].empty());
}

}  // namespace
}  // namespace armdyn::testing
