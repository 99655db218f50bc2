// Answers in Markdown and LaTeX say what their text says.

#include <gtest/gtest.h>

#include <cctype>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace armdyn::testing {
namespace {

class Formats : public ::testing::Test {
 protected:
  Formats() {
    (void)shell.run(
        "$armdyn trajectory ur3e --from 0,-1,1,0,1,0 --to 1,-1.2,1.4,0.3,1,0.5 --duration 1 -o "
        "m.csv --quiet");
  }
  /// Answers of verbs: those that are data, and summaries beside other data.
  static const std::vector<std::string>& answers() {
    static const std::vector<std::string> commands{
        "check ur3e",
        "inspect ur3e --all",
        "compare ur3e m.csv",
        "size ur3e m.csv",
        "vary ur3e m.csv --uncertainty mass=5% --samples 20",
        "robots",
        "torque ur3e m.csv -o tau.csv",
        "track ur3e m.csv -o x.csv",
        "trajectory ur3e --from 0,0,0,0,0,0 --to 1,1,1,1,1,1 --duration 1 -o x.csv",
        "simulate ur3e --duration 0.01 -o x.csv",
        "convert ur3e -o x.urdf --force"};
    return commands;
  }
  [[nodiscard]] std::string answer(const std::string& command, const std::string& format) const {
    const Outcome outcome =
        shell.run("$armdyn " + command + " --format " + format + " 2>&1 | sed '/armdyn: /d'");
    return outcome.out;
  }
  Shell shell;
};

/// Numbers with at least three digits, which tables do not cut or repeat by chance.
std::multiset<std::string> numbers_of(const std::string& text) {
  std::multiset<std::string> numbers;
  std::string number;
  for (const char c : text + " ") {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
      number += c;
      continue;
    }
    if (number.size() > 3) numbers.insert(number);
    number.clear();
  }
  return numbers;
}

TEST_F(Formats, OfMarkdownHaveTheNumbersOfTheText) {
  for (std::string command : answers()) {
    if (command.starts_with("compare")) continue;  // has times of this run
    const std::string text = answer(command, "text"), markdown = answer(command, "markdown");
    EXPECT_EQ(numbers_of(text), numbers_of(markdown)) << command << "\n" << markdown;
    EXPECT_EQ(text.find("| --- |"), text.npos);
    std::istringstream lines(markdown);
    std::size_t bars = 0, tables = 0;
    for (std::string line; std::getline(lines, line);) {
      std::size_t here = 0;
      for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '|' && (at == 0 || line[at - 1] != '\\')) ++here;
      }
      if (line.starts_with("| ---")) {
        EXPECT_EQ(here, bars) << line;
        ++tables;
      }
      bars = here;
    }
    if (!command.starts_with("convert") && !command.starts_with("simulate")) {
      EXPECT_GE(tables, 1U) << command;
    }
  }
}

TEST_F(Formats, OfLatexArePrintedByPdflatex) {
  const bool prints = shell.run("command -v pdflatex").exit_code == 0;
  if (!prints) std::cout << "pdflatex is missing: nothing is printed\n";
  const auto expect_printed = [&](const std::string& command) {
    if (!prints) return;
    const Outcome outcome = shell.run("pdflatex -interaction=nonstopmode -halt-on-error a.tex");
    EXPECT_EQ(outcome.exit_code, 0) << command << "\n" << outcome.out;
    EXPECT_EQ(outcome.out.find("Missing character"), std::string::npos) << command;
  };
  for (const std::string& command : answers()) {
    const std::string latex = answer(command, "latex");
    shell.write("a.tex",
                "\\documentclass{article}\n\\begin{document}\n" + latex + "\\end{document}\n");
    expect_printed(command);
  }
  for (const std::string what : {"torque", "recursion", "lagrangian", "cartesian", "frames"}) {
    (void)shell.run("rm -f a.tex");
    const std::string command =
        "equations two-link-spong --format latex --standalone -o a.tex --q 0.1,0.2 --what " + what;
    EXPECT_EQ(shell.run("$armdyn " + command).exit_code, 0);
    EXPECT_EQ(shell.read("a.tex").find("% by armdyn "), 0U);
    expect_printed(command);
    // It is armdyn's own, and may be replaced.
    EXPECT_EQ(shell.run("$armdyn " + command).exit_code, 0);
  }
}

TEST_F(Formats, AreOneAtATime) {
  const Outcome both = shell.run("$armdyn check ur3e --json --format latex");
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(both.err.find("--json and --format contradict one another; give one of them"),
            std::string::npos)
      << both.err;
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --standalone").err,
            "armdyn: --standalone needs --format latex; give both\n");
}

}  // namespace
}  // namespace armdyn::testing
