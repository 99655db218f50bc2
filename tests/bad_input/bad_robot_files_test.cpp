#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.hpp"

// Every robots/NAME.yaml is wrong or suspicious in some way; robots/NAME.expected is all that is
// said about it.

namespace armdyn {
namespace {

std::filesystem::path directory() {
  return std::filesystem::path(bad_input_folder()) / "robots";
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory())) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class BadRobotFile : public testing::TestWithParam<std::string> {};

TEST_P(BadRobotFile, IsAnsweredInTheseWords) {
  const std::string name = GetParam() + ".yaml";
  std::string found;
  for (const Finding& finding : examine_robot_file((directory() / name).string()).findings) {
    found += to_text(finding, name) + "\n";
  }
  EXPECT_EQ(found, content(directory() / (GetParam() + ".expected")));
}

INSTANTIATE_TEST_SUITE_P(All, BadRobotFile, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace armdyn
