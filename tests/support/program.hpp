#pragma once

#include <cstddef>
#include <string>

namespace armdyn::testing {

struct Outcome {
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// The first line of what it printed.
[[nodiscard]] std::string header(const Outcome& outcome);

/// Of UTF-8, where a character may have several bytes.
[[nodiscard]] std::size_t characters(const std::string& text);

/// Runs a shell command line in a scratch folder of its own, in which $armdyn is the built program.
/// Files that it leaves there can be read by their names.
class Shell {
 public:
  Shell();
  ~Shell();
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  [[nodiscard]] Outcome run(const std::string& command) const;
  /// The same, with the peak memory in kB of the program that the line ends with.
  [[nodiscard]] Outcome run(const std::string& command, long& peak_memory) const;
  void write(const std::string& name, const std::string& content) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] bool exists(const std::string& name) const;
  /// Names of all files, sorted, each followed by a blank.
  [[nodiscard]] std::string list() const;

 private:
  std::string folder_;
};

}  // namespace armdyn::testing
