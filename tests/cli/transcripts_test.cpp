// tests/transcripts: command lines and all that they print; see README.md there.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace armdyn::testing {
namespace {

namespace fs = std::filesystem;

std::string transcripts_folder() {
  return fs::path(test_data()).parent_path() / "transcripts";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Lines of a text, each behind `mark`.
std::string marked(const std::string& text, const std::string& mark) {
  std::string lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines += mark + line + "\n";
  if (!text.empty() && text.back() != '\n') lines.insert(lines.size() - 1, " (no-eol)");
  return lines;
}

/// How long the number is that stands at `at`; 0 for none.
std::size_t number_length(const std::string& text, std::size_t at) {
  const auto digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
  };
  std::size_t end = at + (at < text.size() && text[at] == '-' ? 1 : 0);
  if (!digit(end)) return 0;
  while (digit(end)) ++end;
  if (end < text.size() && text[end] == '.') ++end;
  while (digit(end)) ++end;
  if (end >= text.size() || text[end] != 'e') return end - at;
  const std::size_t exponent =
      end + 1 + (end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 1 : 0);
  if (!digit(exponent)) return end - at;
  end = exponent;
  while (digit(end)) ++end;
  return end - at;
}

/// The same, but for the last digits of numbers with a fraction, which another libm may round
/// otherwise: a relative 1e-9, or 1e-11 beside a sum of terms of size 1.
bool says_the_same(const std::string& found, const std::string& expected) {
  std::size_t i = 0, j = 0;
  while (i < found.size() && j < expected.size()) {
    const std::size_t length = number_length(found, i), other = number_length(expected, j);
    if (length == 0 || other == 0) {
      if (found[i++] != expected[j++]) return false;
      continue;
    }
    const std::string a = found.substr(i, length), b = expected.substr(j, other);
    i += length;
    j += other;
    if (a == b) continue;
    if (a.find_first_of(".e") == a.npos || b.find_first_of(".e") == b.npos) return false;
    const double x = std::strtod(a.c_str(), nullptr), y = std::strtod(b.c_str(), nullptr);
    if (!(std::abs(x - y) <= 1e-11 + 1e-9 * std::max(std::abs(x), std::abs(y)))) return false;
  }
  return i == found.size() && j == expected.size();
}

/// A transcript with what its commands print now.
std::string transcript_now(const fs::path& file) {
  const Shell shell;
  const std::string folder = shell.run("pwd -P").out;
  const auto printed = [&](const std::string& command) {
    const Outcome outcome =
        shell.run("exec </dev/null; export LC_ALL=C; data='" + test_data() + "'; robots='" +
                  shipped_robots_folder() + "'; armdyn() { \"$armdyn\" \"$@\"; }\n" + command);
    std::string text = marked(outcome.out, "  ") + marked(outcome.err, "  2| ");
    if (outcome.exit_code != 0) text += "  [" + std::to_string(outcome.exit_code) + "]\n";
    text = replaced(text, folder.substr(0, folder.size() - 1), "$PWD");
    text = replaced(text, test_data(), "$data");
    text = replaced(text, shipped_robots_folder(), "$robots");
    return replaced(text,
                    (fs::path(program_path()).parent_path().parent_path() / "share/armdyn/robots"),
                    "$robots");
  };
  std::ifstream in(file);
  std::string text, command;
  const auto run = [&] {
    if (!command.empty()) text += printed(command);
    command.clear();
  };
  for (std::string line; std::getline(in, line);) {
    const bool goes_on = line.starts_with("  > ") || line == "  >";
    if (!goes_on) run();
    if (line.starts_with("  $ ")) {
      command = line.substr(4);
    } else if (goes_on) {
      command += "\n" + (line.size() > 4 ? line.substr(4) : "");
    } else if (line.starts_with("  ")) {
      continue;
    }
    text += line + "\n";
  }
  run();
  return text;
}

/// VERB/NAME of each.
std::vector<std::string> transcripts() {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(transcripts_folder())) {
    const fs::path file = entry.path().lexically_relative(transcripts_folder());
    if (file.extension() == ".txt") names.push_back(file.parent_path() / file.stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Transcripts : public ::testing::TestWithParam<std::string> {};

TEST_P(Transcripts, SayWhatTheProgramPrints) {
  const fs::path file = transcripts_folder() + "/" + GetParam() + ".txt";
  const std::string now = transcript_now(file);
  if (std::getenv("ARMDYN_REFRESH") != nullptr) {
    std::ofstream(file) << now;
    return;
  }
  std::istringstream found(now);
  std::ifstream expected(file);
  std::string line, other, command;
  for (int number = 1; std::getline(found, line); ++number) {
    if (line.starts_with("  $ ")) command = line;
    if (!std::getline(expected, other)) other = "the end";
    ASSERT_TRUE(says_the_same(line, other)) << file.string() << ":" << number << "\n"
                                            << command << "\nprints\n"
                                            << line << "\nnot\n"
                                            << other;
  }
  EXPECT_FALSE(std::getline(expected, other)) << file << " goes on:\n" << other;
}

INSTANTIATE_TEST_SUITE_P(Of, Transcripts, ::testing::ValuesIn(transcripts()),
                         [](const auto& name) { return replaced(name.param, "/", "_"); });

TEST(TranscriptFolders, AreThoseOfTheVerbs) {
  std::set<std::string> folders, verbs;
  for (const std::string& name : transcripts()) folders.insert(name.substr(0, name.find('/')));
  for (const auto& entry : fs::directory_iterator(docs_folder() + "/commands")) {
    if (entry.path().stem() != "armdyn-mpi") verbs.insert(entry.path().stem());
  }
  verbs.insert("join");  // has no page
  EXPECT_EQ(folders, verbs);
}

}  // namespace
}  // namespace armdyn::testing
