// docs/tutorials.md: its files and commands as they stand, and what it says that they print.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

/// Without gnuplot the rest of the commands is run.
std::string as_far_as_possible(const Shell& shell, const std::string& commands) {
  const std::regex plot(R"( --plot \w+\.svg)");
  if (!std::regex_search(commands, plot) || shell.run("command -v gnuplot").exit_code == 0) {
    return commands;
  }
  std::cout << "not run for lack of gnuplot: --plot\n";
  return std::regex_replace(commands, plot, "");
}

Outcome run_as_it_stands(const Shell& shell, const std::string& commands) {
  return shell.run("PATH=$(dirname \"$armdyn\"):$PATH; set -e; " +
                   as_far_as_possible(shell, commands));
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == text.npos) return "there is no " + begin;
  const std::size_t first = from + begin.size();
  return text.substr(first, text.find(end, first) - first);
}

std::string examples_of_help(const Shell& shell, const std::string& verb) {
  return between(shell.run("$armdyn " + verb + " --help").out, "Examples:\n", "\n\n") + "\n";
}

TEST(Tutorials, AreRunAsTheyStand) {
  std::ifstream page(docs_folder() + "/tutorials.md");
  ASSERT_TRUE(page);
  const Shell shell;
  int commands_run = 0, lines_found = 0;
  std::string said;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("```")) continue;
    std::istringstream head(line.substr(3));
    std::string kind, file, block;
    head >> kind >> file;
    while (std::getline(page, line) && line != "```") block += line + "\n";
    if (!file.empty()) {
      shell.write(file, block);
    } else if (kind == "sh") {
      const Outcome outcome = run_as_it_stands(shell, block);
      EXPECT_EQ(outcome.exit_code, 0) << block << outcome.err;
      said = outcome.out + outcome.err;
      ++commands_run;
    } else {
      EXPECT_EQ(kind, "text");
      std::istringstream lines(block);
      while (std::getline(lines, line)) {
        EXPECT_NE(said.find(line), said.npos) << line << "\nis not in\n" << said;
        ++lines_found;
      }
    }
  }
  EXPECT_GE(commands_run, 17);
  EXPECT_GE(lines_found, 40);
}

/// As GitHub names a heading in links.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const bool is_kept = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    if (is_kept || c == ' ') {
      anchor += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return anchor;
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  std::istringstream lines(page);
  bool is_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code || !line.starts_with("#")) continue;
    anchors.insert(anchor_of(line.substr(line.find(' ') + 1)));
  }
  return anchors;
}

// Pages are installed with what stands beside them; the README's folders are linked anew.
TEST(Pages, LinkToWhatIsInstalledWithThem) {
  const std::filesystem::path docs = docs_folder();
  static const std::regex link(R"(\]\(([^)\s#]*)(#[^)\s]*)?\))");
  int links = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(docs)) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = text_of(entry.path());
    for (std::sregex_iterator it(page.begin(), page.end(), link), end; it != end; ++it, ++links) {
      const std::string file = (*it)[1], anchor = (*it)[2];
      if (file.starts_with("http")) continue;
      const std::filesystem::path target =
          file.empty() ? entry.path() : entry.path().parent_path() / file;
      const bool is_installed = target.extension() == ".md" || file == "robot-file.schema.json" ||
                                file.starts_with("pictures/");
      EXPECT_TRUE(is_installed && std::filesystem::exists(target)) << entry.path() << ": " << file;
      if (anchor.empty()) continue;
      EXPECT_TRUE(anchors_of(text_of(target)).contains(anchor.substr(1)))
          << entry.path() << ": " << file << anchor;
    }
  }
  EXPECT_GT(links, 60);
}

TEST(Pages, OfCommandsBeginWithTheirContents) {
  const std::filesystem::path docs = docs_folder();
  std::vector<std::filesystem::path> pages{docs / "commands.md"};
  for (const auto& entry : std::filesystem::directory_iterator(docs / "commands")) {
    pages.push_back(entry.path());
  }
  EXPECT_GT(pages.size(), 15U);
  for (const std::filesystem::path& file : pages) {
    const std::string page = text_of(file);
    const std::size_t end = std::min(page.find("\n## "), page.size());
    for (const std::string& anchor : anchors_of(page.substr(end))) {
      EXPECT_NE(page.substr(0, end).find("(#" + anchor + ")"), page.npos) << file << anchor;
    }
  }
}

/// The commands of a page's blocks that begin with armdyn, without what is piped into others.
std::vector<std::string> commands_of(const std::string& page) {
  std::vector<std::string> commands;
  std::istringstream lines(page);
  std::string kind;  // of the block
  for (std::string line, command; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      kind = kind.empty() ? line.substr(3) + " " : "";
      continue;
    }
    const bool is_session = kind.starts_with("console");
    if (!is_session && !kind.starts_with("sh")) continue;
    const bool is_command = !is_session || line.starts_with("$ ") || !command.empty();
    if (!is_command) continue;
    command += line.starts_with("$ ") ? line.substr(2) : line;
    if (command.ends_with('\\')) {
      command.pop_back();
      continue;
    }
    const std::size_t end = std::min({command.find('|'), command.find(" #"), command.find(" >")});
    if (command.starts_with("armdyn ")) commands.push_back(command.substr(0, end));
    command.clear();
  }
  return commands;
}

// Files that a command reads are not there: then it ends with 4, and not with 2.
TEST(Pages, HaveValidCommandLines) {
  const std::filesystem::path docs = docs_folder();
  std::vector<std::filesystem::path> pages{docs.parent_path() / "README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(docs)) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  const Shell shell;
  std::size_t count = 0;
  static const std::regex has_placeholder("[ /][A-Z]{4,}|\\$[A-Z]");
  for (const std::filesystem::path& page : pages) {
    for (const std::string& command : commands_of(text_of(page))) {
      if (std::regex_search(command, has_placeholder)) continue;
      const Outcome outcome =
          shell.run("PATH=$(dirname \"$armdyn\"):$PATH; " + command + " < /dev/null");
      EXPECT_NE(outcome.exit_code, 2) << page << ": " << command << "\n" << outcome.err;
      ++count;
    }
  }
  EXPECT_GE(count, 100U);
}

/// Examples of `datasheet` take minutes, and tests/cli/mpi_test.cpp has those of armdyn-mpi.
TEST(Help, HasExamplesThatRunAsTheyStand) {
  for (const std::string verb :
       {"torque", "simulate", "trajectory", "track", "size", "identify", "observe", "inspect",
        "equations", "compare", "vary", "robots", "new", "check", "convert", "join"}) {
    const Shell shell;  // an empty folder
    const std::string examples = examples_of_help(shell, verb);
    EXPECT_GE(std::ranges::count(examples, '\n'), 2) << verb;
    const Outcome outcome = run_as_it_stands(shell, examples);
    EXPECT_EQ(outcome.exit_code, 0) << examples << outcome.err;
  }
}

TEST(Pages, OfVerbsBeginWithTheExamplesOfTheirHelp) {
  const std::filesystem::path docs = docs_folder();
  const Shell shell;
  int pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(docs / "commands")) {
    const std::string verb = entry.path().stem();
    if (verb == "armdyn-mpi") continue;
    const std::string examples = examples_of_help(shell, verb);
    const std::string indented = std::regex_replace(
        between(text_of(entry.path()), "\n```sh\n", "```"), std::regex("(^|\n)(?=.)"), "$1  ");
    EXPECT_EQ(indented, examples) << entry.path();
    ++pages;
  }
  EXPECT_EQ(pages, 16);
}

}  // namespace
}  // namespace armdyn::testing
