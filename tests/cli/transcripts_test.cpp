// tests/transcripts: command lines and all that they print; see README.md there.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <regex>
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

std::string each_replaced(std::string text, const std::string& from, const std::string& to) {
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

/// Keys of a text in JSON, each once, in lines of 100 characters; nothing for another text.
std::string keys_of(const std::string& text) {
  static const std::regex key("^ *\"([a-z][a-z_0-9-]*)\":");
  std::set<std::string> keys;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::smatch found;
    if (std::regex_search(line, found, key)) keys.insert(found[1]);
  }
  std::string lines;
  std::size_t width = 100;
  for (const std::string& one : keys) {
    const bool fits = width + one.size() < 100;
    lines += (fits ? " " : lines.empty() ? "keys: " : "\n") + one;
    width = (fits ? width : 0) + one.size() + 1;
  }
  return lines.empty() ? "" : lines + "\n";
}

/// How many lines and numbers with a fraction a text has, and one number each of its words and of
/// its numbers, which changes wherever says_the_same() would see a change.
std::string figures_of(const std::string& text) {
  std::uint32_t words = 2166136261U;  // Fowler, Noll and Vo's FNV-1a
  std::size_t count = 0;
  double sum = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::string word = text.substr(i, std::max<std::size_t>(number_length(text, i), 1));
    i += word.size();
    const double number = std::strtod(word.c_str(), nullptr);
    const bool is_number = word.size() > 1 && word.find_first_of(".e") != word.npos;
    if (is_number && std::isfinite(number)) {  // or else part of a hexadecimal one
      // Logarithms, so that a large number hides no small one; of one sign, so that none cancel.
      const double size = std::asinh(number / 1e-6);
      const double weight = 1 + 0.5 * std::sin(static_cast<double>(++count));
      sum += weight * (size > 0 ? size : -0.37 * size);
      word = "#";
    }
    for (const char c : word) words = (words ^ static_cast<unsigned char>(c)) * 16777619U;
  }
  std::ostringstream line;
  line << std::count(text.begin(), text.end(), '\n') << " lines, " << count << " numbers: words "
       << words << ", numbers " << std::fixed << std::setprecision(6) << sum << "\n";
  return line.str();
}

/// What "| digest" or "| digest 'PATTERN'" at the end of a command lets through: lines with the
/// pattern, keys of JSON, and one line that changes with any word or number.
class Digest {
 public:
  /// Takes it off the command.
  explicit Digest(std::string& command) {
    static const std::regex written(" \\| digest( '([^']*)')?$");
    std::smatch found;
    if (!std::regex_search(command, found, written)) return;
    is_there_ = true;
    if (found[2].length() > 0) pattern_ = found[2];
    command.resize(static_cast<std::size_t>(found.position()));
  }
  [[nodiscard]] std::string of(const std::string& text) const {
    if (!is_there_) return text;
    std::string shown;
    std::istringstream in(text);
    const std::regex pattern(pattern_, std::regex::extended);
    for (std::string line; !pattern_.empty() && std::getline(in, line);) {
      if (std::regex_search(line, pattern)) shown += line + "\n";
    }
    return shown + keys_of(text) + figures_of(text);
  }

 private:
  bool is_there_ = false;
  std::string pattern_;
};

/// A transcript with what its commands print now.
std::string transcript_now(const fs::path& file) {
  const Shell shell;
  std::string folder = shell.run("pwd -P").out;
  folder.pop_back();
  const auto printed = [&](std::string command) {
    const Digest digest(command);
    const Outcome outcome =
        shell.run("exec </dev/null; export LC_ALL=C; data='" + test_data() + "'; robots='" +
                  shipped_robots_folder() + "'; armdyn() { \"$armdyn\" \"$@\"; }\n" + command);
    const auto named = [&](std::string text) {
      text = each_replaced(text, folder, "$PWD");
      text = each_replaced(text, test_data(), "$data");
      text = each_replaced(text, ARMDYN_VERSION, "$version");
      text = each_replaced(text, shipped_robots_folder(), "$robots");
      return each_replaced(
          text, (fs::path(program_path()).parent_path().parent_path() / "share/armdyn/robots"),
          "$robots");
    };
    std::string text =
        marked(digest.of(named(outcome.out)), "  ") + marked(named(outcome.err), "  2| ");
    if (outcome.exit_code != 0) text += "  [" + std::to_string(outcome.exit_code) + "]\n";
    return text;
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
                         [](const auto& name) { return each_replaced(name.param, "/", "_"); });

/// Set of all transcripts, as its reader meets it.
struct ReadingMatter {
  int commands = 0, lines = 0, printed = 0;
  std::set<std::string> distinct;
  std::vector<std::string> unexplained;  ///< FILE:LINE of commands far below a sentence
  std::vector<std::string> of_nothing;   ///< likewise of shares without a word on their whole
};

ReadingMatter all_transcripts() {
  const std::regex share("  (share|ratio|relative|percent|per cent|%)(  |$)");
  ReadingMatter all;
  for (const std::string& name : transcripts()) {
    std::ifstream in(transcripts_folder() + "/" + name + ".txt");
    int number = 0, since_sentence = 1000;
    for (std::string line; std::getline(in, line); ++all.lines) {
      ++number;
      if (line.empty()) continue;
      if (!line.starts_with("  ")) {
        since_sentence = 0;
      } else if (line.starts_with("  $ ")) {
        ++all.commands;
        if (++since_sentence > 12) all.unexplained.push_back(name + ":" + std::to_string(number));
      } else if (!line.starts_with("  > ") && !line.starts_with("  [")) {
        ++all.printed;
        all.distinct.insert(line);
        if (std::regex_search(line, share)) {
          all.of_nothing.push_back(name + ":" + std::to_string(number));
        }
      }
    }
  }
  return all;
}

TEST(TranscriptFolders, CanBeReviewed) {
  const ReadingMatter all = all_transcripts();
  EXPECT_LE(all.commands, 900);
  EXPECT_LE(all.lines, 16'000);
  EXPECT_GE(static_cast<double>(all.distinct.size()), 0.85 * all.printed)
      << all.distinct.size() << " of " << all.printed << " lines are distinct";
  EXPECT_EQ(all.unexplained, std::vector<std::string>{})
      << "more than 12 commands below a sentence that says what they show";
  EXPECT_EQ(all.of_nothing, std::vector<std::string>{}) << "a column head without its whole";
}

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
