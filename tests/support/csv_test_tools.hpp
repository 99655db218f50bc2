#pragma once

// What the tests of the CSV path share: robots, inputs held in memory, messages of errors, folders.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <armdyn/robot.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/table/csv_table.hpp"

namespace armdyn {

inline Robot robot_of(const std::vector<JointType>& types) {
  Robot robot;
  for (const JointType type : types) {
    robot.joints.emplace_back();
    robot.joints.back().type = type;
  }
  return robot;
}

inline Robot revolute_robot(std::size_t dof) {
  return robot_of(std::vector<JointType>(dof, JointType::revolute));
}

/// Hands out a text, at most `chunk` bytes at a time.
inline ByteSource source_of(const std::string& text, std::size_t chunk = std::string::npos) {
  return [text, chunk, at = std::size_t{0}](char* data, std::size_t size) mutable {
    const std::size_t count = std::min({size, chunk, text.size() - at});
    std::memcpy(data, text.data() + at, count);
    at += count;
    return count;
  };
}

/// The message of the exception of that type; fails the test if none comes.
template <class Exception, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "no exception was thrown";
  return {};
}

/// A folder of its own for each test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "armdyn-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace armdyn
