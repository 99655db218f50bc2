#pragma once

// The run of a verb on the command line: robots and logs are files or pipes, rows and texts go into
// files or standard output, remarks to standard error. All files take their places at its end, or
// none does.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/run.hpp"
#include "io/file/output_file.hpp"

namespace armdyn {

class FileRun : public Run {
 public:
  /// As of Run; the outputs are claimed already.
  FileRun(std::string verb, const RobotOptions* robot, const OutputOptions& output,
          const std::vector<NamedOutput>& outputs);

  InputFile open(const std::string& argument, const std::vector<std::string>& topics) override;
  void require_motion(const std::string& argument) const override;
  [[nodiscard]] bool is_absent(const std::string& argument) const override;
  [[nodiscard]] std::string digest(const std::string& argument) const override;
  [[nodiscard]] std::string unread_input() const override;
  [[nodiscard]] bool wants(const std::string& option) const override;
  [[nodiscard]] bool wants_answer() const override;
  ByteSink& rows(const std::string& option, AtSignal at_signal) override;
  bool draw(const Views& views) override;
  void warn(const std::vector<std::string>& warnings) override;
  void report(const std::vector<std::string>& lines) override;
  void report(const RobotFile& file, const RobotOptions& options) override;
  void remark(const std::string& line) override;
  void show_progress(std::optional<std::uintmax_t> total, std::uintmax_t done,
                     std::uintmax_t rows) override;
  void end_progress() override { progress_.reset(); }

  /// Gives the answer: puts all files into their places, then prints.
  [[nodiscard]] Ending end(Answer answer);

 protected:
  /// The rows that this run computes; none: all. Sets what becomes of them. `identity` is what the
  /// bytes of all rows follow from.
  virtual std::optional<RowRange> part_of(const TableSource& table,
                                          const std::function<Json()>& identity,
                                          BlockJobFrame& job);

  std::unique_ptr<OutputFile> rows_;
  Json identity_;  // of a part
  WrittenRows of_part_;

 private:
  RobotFile open_robot(const std::vector<NamedText>& positions) override;
  void begin(LogReader& log, BlockJobFrame& job) override;
  void begin(TableSource& table, BlockJobFrame& job, std::optional<std::uintmax_t> total,
             const std::function<Json()>& identity) override;

  [[nodiscard]] static bool is_main(const NamedOutput& output) {
    return output.option == "-o" || output.option == "OUT";
  }
  /// Opens the picture's file, unless there is none.
  void open_plot();
  /// Opens the picture and the artifacts that are asked for, before work that may be long.
  void open_outputs();
  /// Writes the artifacts; returns their files.
  [[nodiscard]] std::vector<OutputFile*> written(const std::vector<Artifact>& artifacts);
  /// Tells whether the document is a summary on standard error, beside other data.
  [[nodiscard]] bool is_summary(const Answer& answer) const;
  /// The document where it is no summary: in its file, or as a text for standard output, which comes
  /// after the files; neither where nobody wants it.
  struct Shown {
    OutputFile* file = nullptr;
    std::string text = {};
  };
  [[nodiscard]] Shown show_document(Answer& answer);
  /// Prints what people read after the answer.
  void say_after(const Answer& answer, const std::vector<std::string>& warnings) const;

  std::string verb_;
  std::unique_ptr<OutputFile> plot_;
  std::map<std::string, std::unique_ptr<OutputFile>> artifacts_;  // by their options
  const NamedOutput* of_rows_ = nullptr;
  bool is_drawn_ = false;
  std::unique_ptr<ProgressLine> progress_;
  std::vector<std::string> said_;
};

}  // namespace armdyn
