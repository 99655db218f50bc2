// armdyn robots and armdyn new, as a user runs them.

#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> shipped(const std::string& folder, const std::string& ending) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ending) names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

/// Names of arms and mechanisms.
std::vector<std::string> shipped_robots() {
  std::vector<std::string> names = shipped(shipped_robots_folder(), ".yaml");
  for (const std::string& name : shipped(shipped_robots_folder() + "/mechanisms", ".yaml")) {
    names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

TEST(Robots, AreListedWithAWordOnEach) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn robots");
  EXPECT_EQ(outcome.exit_code, 0);
  const std::vector<std::string> found = lines(outcome.out);
  std::size_t row = 0;
  EXPECT_EQ(found[row++].substr(0, 26), "robot             joints  ");
  for (const std::string& name : shipped_robots()) {
    EXPECT_TRUE(found.at(row).starts_with(name + " ")) << found[row];
    ++row;
  }
  for (const std::string& line : found) EXPECT_LE(characters(line), 100U) << line;
  EXPECT_NE(
      outcome.out.find("stanford          RRPRRR   M-L-  Stanford arm, third joint prismatic"),
      std::string::npos)
      << outcome.out;
  for (const std::string& name : shipped(shipped_robots_folder() + "/motions", ".csv")) {
    EXPECT_NE(outcome.out.find("motion " + name + ": "), std::string::npos) << name;
  }
}

TEST(Robots, AllSayWhatTheyAreAndHowFarToTrustThem) {
  const Shell shell;
  const auto json = nlohmann::json::parse(shell.run("$armdyn robots --json").out);
  EXPECT_EQ(json["robots"].size(), shipped_robots().size());
  for (const auto& robot : json["robots"]) {
    EXPECT_NE(robot["description"], "") << robot["name"];
    EXPECT_NE(robot["confidence"], "") << robot["name"];
    EXPECT_NE(robot["source"], "") << robot["name"];
  }
  for (const auto& motion : json["motions"]) EXPECT_NE(motion["description"], "") << motion["name"];
}

TEST(Robots, AreShownAsTheyStandInTheFile) {
  const Shell shell;
  const Outcome outcome =
      shell.run("$armdyn robots show craig-rr; cp " + shipped_robots_folder() + "/craig-rr.yaml .");
  EXPECT_EQ(outcome.out, shell.read("craig-rr.yaml"));
}

TEST(Robots, AreShownAndCopiedWithTheirEntryAsJson) {
  const Shell shell;
  const auto list = nlohmann::json::parse(shell.run("$armdyn robots --json").out);
  const auto entry = [](const nlohmann::json& all, const std::string& name) {
    for (const auto& one : all) {
      if (one["name"] == name) return one;
    }
    return nlohmann::json();
  };
  for (const std::string kind : {"robots", "motions"}) {
    const std::string name = kind == "robots" ? "ur5e" : "puma560-pick-and-place";
    nlohmann::json expected = entry(list[kind], name);
    ASSERT_FALSE(expected.is_null());
    expected["version"] = list["version"];
    EXPECT_EQ(nlohmann::json::parse(shell.run("$armdyn robots show --json " + name).out), expected);
    expected["copy"] = "mine";
    EXPECT_EQ(nlohmann::json::parse(
                  shell.run("$armdyn robots copy --force --json " + name + " mine").out),
              expected);
  }
}

TEST(Robots, AreCopiedOutButNeverOverWhatIsThere) {
  const Shell shell;
  const Outcome copied = shell.run("$armdyn robots copy craig-rr");
  EXPECT_EQ(copied.exit_code, 0);
  EXPECT_EQ(copied.out, "craig-rr.yaml: a copy of the shipped craig-rr\n");
  EXPECT_EQ(shell.read("craig-rr.yaml"), shell.run("$armdyn robots show craig-rr").out);

  const Outcome again = shell.run("echo mine > craig-rr.yaml; $armdyn robots copy craig-rr");
  EXPECT_EQ(again.exit_code, 4);
  EXPECT_EQ(again.err,
            "armdyn: there is a file 'craig-rr.yaml' already; name another one, or replace it with "
            "--force\n");
  EXPECT_EQ(shell.read("craig-rr.yaml"), "mine\n");
  EXPECT_EQ(shell.run("$armdyn robots copy craig-rr --force").exit_code, 0);
  EXPECT_NE(shell.read("craig-rr.yaml"), "mine\n");
}

TEST(Robots, AreCopiedToANameOrAFolder) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn robots copy craig-rr mine.yaml --quiet").out, "");
  EXPECT_TRUE(shell.exists("mine.yaml"));
  EXPECT_EQ(shell.run("mkdir arms; $armdyn robots copy puma560-pick-and-place arms").exit_code, 0);
  EXPECT_TRUE(shell.exists("arms/puma560-pick-and-place.csv"));
  const Outcome nowhere = shell.run("$armdyn robots copy ur5e nowhere/");
  EXPECT_EQ(nowhere.exit_code, 4);
  EXPECT_EQ(nowhere.err,
            "armdyn: cannot write nowhere/: there is no folder nowhere/; create it first\n");
}

TEST(Robots, ThatAreNotThereAreNamedWithTheNearest) {
  const Shell shell;
  const Outcome outcome = shell.run("$armdyn robots show pumma560");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(outcome.err,
            "armdyn: no shipped robot or motion is named 'pumma560'; did you mean 'puma560'?; "
            "armdyn robots lists them\n");
}

TEST(Robots, AnswersMistakesWithWhatToDo) {
  const Shell shell;
  const auto expect = [&](const std::string& arguments, const std::string& message) {
    const Outcome outcome = shell.run("$armdyn robots " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.err, "armdyn: robots: " + message + "\n") << arguments;
  };
  expect("puma560",
         "found the name \"puma560\", expected an action before it; armdyn robots show puma560 "
         "prints the file");
  expect("print", "found \"print\", expected one of list, show, copy");
  expect("show", "NAME is missing; armdyn robots lists the names; then: armdyn robots show NAME");
  expect("list puma560",
         "list takes no name; armdyn robots show puma560 prints the file, armdyn check puma560 "
         "describes the model");
  expect("show puma560 --report p.html",
         "--report is for list; armdyn check puma560 --report p.html describes it");
  expect("show puma560 out.yaml", "FILE is for copy; give -o FILE instead");
  expect("copy puma560 -o out.yaml", "-o is for list and show; give FILE behind NAME instead");
}

// --- new

/// Puts numbers of a plain arm where the template has blanks.
std::string filled(std::string text) {
  const auto fill = [&](const std::string& blank, const std::string& value) {
    for (std::size_t at = text.find(blank); at != text.npos; at = text.find(blank, at + 1)) {
      text.replace(at, blank.size(), value);
    }
  };
  fill("{a: , alpha: , d: , ", "{a: 0.3, alpha: 0, d: 0, ");
  fill("{a: , alpha: , d: 0, theta: }", "{a: 0, alpha: 0, d: 0.1, theta: 0}");
  fill("\n    mass:\n    com:\n", "\n    mass: 3\n    com: [0, 0, 0]\n");
  fill("inertia: {xx: , yy: , zz: ,", "inertia: {xx: 0.01, yy: 0.01, zz: 0.01,");
  fill("convention:       # standard or modified", "convention: modified");
  fill("# friction: {viscous: , coulomb: }", "friction: {viscous: 1, coulomb: 2}");
  fill("# motor: {rotor_inertia: , gear_ratio: }",
       "motor: {rotor_inertia: 1.0e-4, gear_ratio: 80}");
  fill("# limits: {position: , velocity: , torque: }",
       "limits: {position: [-30, 30], velocity: 1, torque: 200}");
  for (const std::string key : {"inertia_about", "base", "tool", "payload", "poses", "  home"}) {
    fill("# " + key + ":", key + ":");
  }
  return text;
}

TEST(New, HasNothingButBlanksForErrors) {
  const Shell shell;
  for (const std::string options :
       {"", "--convention standard", "--convention modified --types RPP", "--joints 2"}) {
    const Outcome outcome =
        shell.run("$armdyn new my-arm " + options + " | $armdyn check - --json");
    const nlohmann::json report = nlohmann::json::parse(outcome.out);
    for (const auto& finding : report["findings"]) {
      EXPECT_TRUE(finding["message"].get<std::string>().starts_with("found nothing; expected "))
          << finding;
    }
    const std::string verdict = "standard input: " + std::to_string(report["findings"].size()) +
                                " blanks to fill in; the file cannot be used\n";
    EXPECT_TRUE(shell.run("$armdyn new my-arm " + options + " | $armdyn check - --quiet")
                    .out.starts_with(verdict))
        << verdict;
  }
}

TEST(New, IsSoundWhenTheBlanksAreFilledAndTheOptionalLinesUsed) {
  const Shell shell;
  for (const std::string options :
       {"", "--convention standard", "--convention modified --types RPP", "--joints 1"}) {
    shell.write("arm.yaml", filled(shell.run("$armdyn new my-arm " + options).out));
    const Outcome outcome = shell.run("$armdyn check arm.yaml --quiet");
    EXPECT_EQ(
        outcome.out,
        "arm.yaml: no problems found in units, table, inertias, friction, limits and mass matrix\n")
        << options;
  }
}

TEST(New, HasTheJointsAndTheConventionThatWereAskedFor) {
  const Shell shell;
  shell.write("arm.yaml",
              filled(shell.run("$armdyn new scara --convention standard --types RRPr").out));
  const auto json = nlohmann::json::parse(shell.run("$armdyn check arm.yaml --json").out);
  EXPECT_EQ(json["robot"]["name"], "scara");
  EXPECT_EQ(json["convention"], "standard");
  std::string types;
  for (const auto& joint : json["joints"]) types += joint["type"].get<std::string>()[0];
  EXPECT_EQ(types, "rrpr");
}

TEST(New, TakesItsNameFromTheFile) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn new -o big-arm.yaml").exit_code, 0);
  EXPECT_NE(shell.read("big-arm.yaml").find("\nname: big-arm\n"), std::string::npos);
  EXPECT_NE(shell.run("$armdyn new").out.find("\nname: my-arm\n"), std::string::npos);
}

TEST(New, SaysWhatItWroteAndWhatComesNext) {
  const Shell shell;
  EXPECT_EQ(shell.run("$armdyn new scara --types RRPR -o scara.yaml").out,
            "scara.yaml: 4 joints to fill in; armdyn check scara.yaml lists the rest\n");
  EXPECT_EQ(shell.run("$armdyn new --types R -o 'my arm.yaml'").out,
            "my arm.yaml: 1 joint to fill in; armdyn check \"my arm.yaml\" lists the rest\n");
  EXPECT_EQ(shell.run("$armdyn new --types R -o 'a$b'\\''c.yaml'").out,
            "a$b'c.yaml: 1 joint to fill in; armdyn check 'a$b'\\''c.yaml' lists the rest\n");
  EXPECT_EQ(shell.run("$armdyn new -o scara.yaml --force --quiet").out, "");
  EXPECT_EQ(shell.run("$armdyn new").err, "");
  const auto json =
      nlohmann::json::parse(shell.run("$armdyn new scara --types RRPR --json -o b.yaml").out);
  EXPECT_EQ(json["name"], "scara");
  EXPECT_EQ(json["file"], "b.yaml");
  EXPECT_EQ(json["types"], "RRPR");
}

TEST(New, DoesNotReplaceWhatSomebodyFilledIn) {
  const Shell shell;
  shell.write("arm.yaml", "mine\n");
  const Outcome outcome = shell.run("$armdyn new -o arm.yaml");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(shell.read("arm.yaml"), "mine\n");
  EXPECT_EQ(shell.run("$armdyn new -o arm.yaml --force").exit_code, 0);
}

TEST(New, IsReadableInAHundredColumns) {
  const Shell shell;
  for (const std::string& line : lines(shell.run("$armdyn new").out)) {
    EXPECT_TRUE(characters(line) <= 100 || line.starts_with("# yaml-language-server")) << line;
  }
}

TEST(New, AnswersMistakesWithWhatToDo) {
  const Shell shell;
  const auto expect = [&](const std::string& arguments, const std::string& message) {
    const Outcome outcome = shell.run("$armdyn new " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.err, "armdyn: " + message + "\n") << arguments;
  };
  expect("'my arm'",
         "NAME: found \"my arm\", expected a letter, then letters, digits, \".\", \"_\" or \"-\"");
  expect("two.yaml", "NAME: found \"two.yaml\", the name of a file; -o two.yaml writes it");
  expect("--convention Standard",
         "--convention: found \"Standard\", expected one of standard, modified; did you mean "
         "'standard'?");
  expect("--types RRX",
         "--types: found \"RRX\", expected R (revolute) or P (prismatic) for each joint, at most "
         "100, e.g. RRPR");
  expect("--joints 101", "--joints: found \"101\", expected a whole number from 1 to 100");
  expect("--joints 3 --types RRP",
         "--joints and --types both give the number of joints; give one of them");
}

}  // namespace
/// A copy that was made to be edited, and then not read.
TEST(Robots, WarnWhereAFileHereHasTheNameOfAShippedOne) {
  const Shell shell;
  (void)shell.run("$armdyn robots copy craig-rr");
  const std::string warning =
      "craig-rr is the shipped robot, the file craig-rr.yaml here is not read; write craig-rr.yaml "
      "to use it";
  const std::string run = "$armdyn simulate craig-rr --duration 0 -o out.csv";
  EXPECT_EQ(shell.run(run + " --quiet").err, "armdyn: warning: " + warning + "\n");
  const auto json = nlohmann::json::parse(shell.run(run + " --json").out);
  EXPECT_EQ(json["model_warnings"], nlohmann::json::array({warning}));
  EXPECT_EQ(shell.run("$armdyn check craig-rr --quiet").err, "armdyn: warning: " + warning + "\n");
  EXPECT_EQ(shell.run("$armdyn simulate craig-rr.yaml --duration 0 -o out.csv --quiet").err, "");
}

TEST(Robots, WarnWhereAFileHereIsReadInPlaceOfAShippedOne) {
  const Shell shell;
  (void)shell.run("$armdyn robots copy craig-rr; mv craig-rr.yaml craig-rr");
  const Outcome outcome = shell.run("$armdyn simulate craig-rr --duration 0 -o out.csv --quiet");
  EXPECT_EQ(outcome.exit_code, 0);
  const std::string before =
      "armdyn: warning: craig-rr is read from this folder; for the shipped robot of that name, "
      "write ";
  ASSERT_TRUE(outcome.err.starts_with(before)) << outcome.err;
  const std::string there =
      outcome.err.substr(before.size(), outcome.err.size() - 1 - before.size());
  const Outcome shipped = shell.run("$armdyn simulate " + there + " --duration 0 --quiet -o 2.csv");
  EXPECT_EQ(shipped.err, "");
  EXPECT_EQ(shell.run("cp craig-rr mine; $armdyn check mine --quiet").err, "");
}

/// A folder that cannot be read is said to be that, and hinders no file of one's own.
TEST(Robots, SayThatTheirFolderCannotBeRead) {
  const Shell shell;
  (void)shell.run(
      "$armdyn robots copy craig-rr; mkdir -p p/bin p/share/armdyn; cp $armdyn p/bin/; "
      "ln -s robots p/share/armdyn/robots");
  const Outcome outcome = shell.run("p/bin/armdyn check craig-rr");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_TRUE(outcome.err.starts_with("armdyn: the folder of shipped robots ")) << outcome.err;
  EXPECT_NE(outcome.err.find("p/share/armdyn/robots cannot be read: Too many levels"),
            std::string::npos)
      << outcome.err;
  const Outcome own = shell.run("p/bin/armdyn check ./craig-rr.yaml --quiet");
  EXPECT_EQ(own.exit_code, 0) << own.err;
}

TEST(Robots, NameTheFileThatIsThereUnderAnEnding) {
  const Shell shell;
  (void)shell.run("$armdyn robots copy craig-rr scara.yaml; echo t,tau1 > push.csv");
  const Outcome robot = shell.run("$armdyn check scara");
  EXPECT_EQ(robot.exit_code, 4);
  EXPECT_EQ(robot.err,
            "armdyn: there is no file 'scara', and no shipped robot of that name; there is a file "
            "'scara.yaml' here: write scara.yaml\n");
  EXPECT_EQ(shell.run("$armdyn torque scara.yaml push").err,
            "armdyn: there is no file 'push', and no shipped motion of that name; there is a file "
            "'push.csv' here: write push.csv\n");
}

}  // namespace armdyn::testing
