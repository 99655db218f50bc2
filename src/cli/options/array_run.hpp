#pragma once

// The run of a verb on values, for Python, C++ and tests: a robot and tables in memory; rows and
// texts come back as values.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/run.hpp"

namespace armdyn {

/// Tables by the arguments that name them: the bytes of a file of the same name, "motion.npy".
using TablesInMemory = std::map<std::string, std::string>;

class ArrayRun final : public Run {
 public:
  /// As of Run. The robot is the one that the options' edits make; null: it is read.
  ArrayRun(const RobotFile* robot, const TablesInMemory& tables, const RobotOptions* options,
           const OutputOptions& output, const std::vector<NamedOutput>& outputs);
  ~ArrayRun() override;

  InputFile open(const std::string& argument, const std::vector<std::string>& topics) override;
  /// Values are wanted, and texts in files that options name.
  [[nodiscard]] bool wants(const std::string& option) const override {
    return option == "-o" || place(option) != nullptr;
  }
  ByteSink& rows(const std::string& option, AtSignal at_signal) override;
  bool draw(const Views& /*views*/) override { return true; }
  void warn(const std::vector<std::string>& /*warnings*/) override {}
  void report(const std::vector<std::string>& /*lines*/) override {}
  void report(const RobotFile& /*file*/, const RobotOptions& /*options*/) override {}
  void remark(const std::string& /*line*/) override {}
  void show_progress(std::optional<std::uintmax_t> /*total*/, std::uintmax_t /*done*/,
                     std::uintmax_t /*rows*/) override {}
  void end_progress() override {}

  /// The bytes of a .npy file with the rows by name, once all are there; none where the verb has
  /// none.
  [[nodiscard]] std::string take_rows();

 private:
  RobotFile open_robot(const std::vector<NamedText>& positions) override;

  class Memory;

  const RobotFile* given_;
  const TablesInMemory& tables_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace armdyn
