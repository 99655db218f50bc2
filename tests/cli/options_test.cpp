// What can be counted in the declarations of options.

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "cli/command_line.hpp"
#include "math/characters.hpp"
#include "support/program.hpp"

namespace armdyn {

namespace {

/// First word of a help text, in the singular: "formulation" of "formulations to compare".
std::string first_word(const std::string& help) {
  const auto end = std::ranges::find_if_not(help, is_letter);
  std::string word(help.begin(), end);
  if (word.ends_with('s')) word.pop_back();
  return word;
}

}  // namespace

TEST(Options, OfOneNameHaveOnePurpose) {
  std::map<std::string, std::map<std::string, std::string>> purposes;  // word, verb
  for (const Verb& verb : all_verbs()) {
    CLI::App app;
    const auto kept = verb.declare(app, {});
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        if (name != "help") purposes[name][first_word(option->get_description())] = verb.name;
      }
    }
  }
  EXPECT_GT(purposes.size(), 100U);
  for (const auto& [name, words] : purposes) {
    EXPECT_EQ(words.size(), 1U) << name << ": " << ::testing::PrintToString(words);
  }
}

TEST(Options, AreInOneGroupOfTheHelpEach) {
  const std::set<std::string> groups(help_group::all.begin(), help_group::all.end());
  for (const Verb& verb : all_verbs()) {
    CLI::App app;
    const auto kept = verb.declare(app, {});
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_lnames().empty() || option->get_lnames().front() == "help") continue;
      EXPECT_TRUE(groups.contains(option->get_group())) << verb.name << option->get_name();
    }
  }
}

TEST(Options, OfAVerbAloneFitOneScreen) {
  for (const Verb& verb : all_verbs()) {
    const std::string help = testing::Shell().run("$armdyn " + verb.name + " -h").out;
    EXPECT_LE(std::ranges::count(help, '\n'), 24) << help;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      const auto is_begin = [](unsigned char byte) { return (byte & 0xC0U) != 0x80U; };
      EXPECT_LE(std::ranges::count_if(line, is_begin), 80) << line;
      EXPECT_EQ(std::ranges::count(line, '('), std::ranges::count(line, ')')) << line;
    }
  }
}

TEST(Options, BeforeTheVerbAreAnsweredByTheOrder) {
  const testing::Shell shell;
  EXPECT_EQ(shell.run("$armdyn craig-rr torque").err,
            "armdyn: the verb comes first: armdyn torque, and then 'craig-rr'\n");
  EXPECT_EQ(shell.run("$armdyn -o x.csv torque craig-rr m.csv").err,
            "armdyn: the verb comes first: armdyn torque, and then '-o'\n");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr m.csv --slow-down 0.9").err,
            "armdyn: torque: The following argument was not expected: 0.9 (--slow-down takes no "
            "value); armdyn torque --help shows examples\n");
}

TEST(Options, TakeNamesOfAlgorithmsInTheField) {
  const testing::Shell shell;
  const std::string verb = "$armdyn torque puma560 puma560-pick-and-place --method ";
  const testing::Outcome known = shell.run(verb + "RNEA");
  EXPECT_EQ(known.exit_code, 0) << known.err;
  EXPECT_EQ(known.out, shell.run(verb + "newton-euler").out);
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --what D").out,
            shell.run("$armdyn equations craig-rr --what M").out);
  EXPECT_EQ(shell.run("$armdyn equations craig-rr --format latex -o rr.py").err,
            "armdyn: -o: found \"rr.py\", a name of another --format\n");
  EXPECT_EQ(shell.run("$armdyn torque craig-rr m.csv -o t.xlsx").err,
            "armdyn: -o: found \"t.xlsx\", the name of another kind of table, which is not written "
            "here; expected another ending, e.g. .csv\n");
}

}  // namespace armdyn
