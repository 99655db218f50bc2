// docs/papers.md: every number of the papers once, and commands that work as printed.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

std::vector<std::string> page() {
  std::ifstream file(docs_folder() + "/papers.md");
  EXPECT_TRUE(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// "2.4-2.6" is 2.4, 2.5, 2.6; "1, 3" both; "2-1 to 2-3" likewise; "Table 1-2" two tables.
std::vector<std::string> numbers(const std::string& cell) {
  std::vector<std::string> found;
  std::istringstream parts(std::regex_replace(cell, std::regex(" to "), "..") + ",");
  for (std::string part; std::getline(parts >> std::ws, part, ',');) {
    static const std::regex shape(
        R"(((?:Table |Figure )?)((?:[0-9AB]+[.-])?)([0-9]+)(?:(?:-|\.\.)((?:[0-9AB]+[.-])?)([0-9]+))?)");
    std::smatch match;
    const bool is_named = part.starts_with("Table") || part.starts_with("Figure");
    // "Table 1-2": a range of whole numbers.
    static const std::regex named(R"((Table |Figure )((?:A\.)?)([0-9]+)(?:-([0-9]+))?)");
    if (is_named ? std::regex_match(part, match, named) : std::regex_match(part, match, shape)) {
      const std::string head = match[1].str() + match[2].str();
      const int first = std::stoi(match[3]);
      const std::string end = is_named ? match[4] : match[5];
      const int last = end.empty() ? first : std::stoi(end);
      for (int i = first; i <= last; ++i) found.push_back(head + std::to_string(i));
    } else {
      ADD_FAILURE() << "no number: " << part;
    }
  }
  return found;
}

/// All of "3." up to "3.21".
void add(std::multiset<std::string>& all, const std::string& head, int last) {
  for (int i = 1; i <= last; ++i) all.insert(head + std::to_string(i));
}

TEST(Papers, HaveEveryNumberOnce) {
  std::map<std::string, std::multiset<std::string>> found, expected;
  std::string paper;
  for (const std::string& line : page()) {
    if (line.starts_with("## ")) paper = line.substr(3, 3);
    if (!line.starts_with("| ") || line.starts_with("| number") || line.starts_with("| ---"))
      continue;
    for (const std::string& number : numbers(line.substr(2, line.find(" |") - 2))) {
      found[paper].insert(number);
    }
  }
  add(expected["000"], "", 9);
  auto& of_001 = expected["001"];
  const int chapters_of_001[] = {28, 11, 21, 34, 2};
  for (int i = 0; i < 5; ++i) add(of_001, std::to_string(i + 1) + ".", chapters_of_001[i]);
  add(of_001, "Table ", 5);
  add(of_001, "Figure ", 4);
  add(expected["002"], "2-", 6);
  auto& of_003 = expected["003"];
  add(of_003, "2.", 22);
  add(of_003, "3.", 27);
  add(of_003, "4.", 41);
  add(of_003, "Table ", 2);
  add(of_003, "Figure ", 8);
  auto& of_004 = expected["004"];
  add(of_004, "2.", 39);
  add(of_004, "3.", 48);
  add(of_004, "A.", 34);
  add(of_004, "B.", 23);
  add(of_004, "Table ", 1);
  add(of_004, "Figure ", 12);
  of_004.insert("Figure A.1");
  for (const auto& [name, numbers] : expected) EXPECT_EQ(found[name], numbers) << name;
  EXPECT_EQ(found.size(), expected.size());
}

TEST(Papers, HaveCommandsThatWork) {
  const Shell shell;
  if (shell.run("command -v gnuplot").exit_code != 0) GTEST_SKIP() << "no gnuplot";
  int count = 0;
  for (const std::string& line : page()) {
    static const std::regex command("`(armdyn [^`]*)`");
    for (std::sregex_iterator it(line.begin(), line.end(), command), end; it != end; ++it) {
      const Outcome outcome = shell.run("PATH=$(dirname \"$armdyn\"):$PATH; " + (*it)[1].str());
      EXPECT_EQ(outcome.exit_code, 0) << (*it)[1] << "\n" << outcome.err;
      ++count;
    }
  }
  EXPECT_GT(count, 50);
}

}  // namespace
}  // namespace armdyn::testing
