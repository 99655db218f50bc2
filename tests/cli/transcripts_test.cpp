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

class Transcripts : public ::testing::TestWithParam<std::string> {};

TEST_P(Transcripts, SayWhatTheProgramPrints) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(transcripts_folder() + "/" + GetParam())) {
    ++files;
    const std::string now = transcript_now(entry.path());
    if (std::getenv("ARMDYN_REFRESH") != nullptr) {
      std::ofstream(entry.path()) << now;
      continue;
    }
    std::istringstream found(now);
    std::ifstream expected(entry.path());
    std::string line, other, command;
    for (int number = 1; std::getline(found, line); ++number) {
      if (line.starts_with("  $ ")) command = line;
      if (!std::getline(expected, other)) other = "the end";
      ASSERT_TRUE(says_the_same(line, other)) << entry.path().string() << ":" << number << "\n"
                                              << command << "\nprints\n"
                                              << line << "\nnot\n"
                                              << other;
    }
    EXPECT_FALSE(std::getline(expected, other)) << entry.path() << " goes on:\n" << other;
  }
  EXPECT_GT(files, 0);
}

const std::vector<std::string> verbs{"check",   "compare", "convert", "equations",  "identify",
                                     "inspect", "join",    "new",     "robots",     "simulate",
                                     "size",    "torque",  "track",   "trajectory", "vary"};

INSTANTIATE_TEST_SUITE_P(Of, Transcripts, ::testing::ValuesIn(verbs),
                         [](const auto& verb) { return verb.param; });

TEST(TranscriptFolders, AreThoseOfTheVerbs) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(transcripts_folder())) {
    if (entry.is_directory()) names.insert(entry.path().filename());
  }
  EXPECT_EQ(names, std::set<std::string>(verbs.begin(), verbs.end()));
}

}  // namespace
}  // namespace armdyn::testing
