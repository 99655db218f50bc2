#pragma once

// The run of a verb on the command line: robots and logs are files or pipes, rows and texts go into
// files or standard output, warnings to standard error. All files take their places at its end, or
// none does.

#include <map>
#include <memory>
#include <optional>

#include "cli/options/part_file.hpp"
#include "cli/options/run.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/output_file.hpp"

namespace armdyn {

/// Prints a text on standard output.
void print_text(const std::string& text);

/// A table on a terminal: its first rows, and a line on how to get the others.
class FirstRows final : public ByteSink {
 public:
  explicit FirstRows(ByteSink& terminal) : terminal_(terminal) {}

  void write(std::string_view bytes) override;
  void replace_beginning(std::function<std::string(std::uintmax_t)> make) override {
    terminal_.replace_beginning(std::move(make));
  }
  [[nodiscard]] const std::string& name() const override { return terminal_.name(); }
  void end();

 private:
  static constexpr std::size_t shown = 20;

  ByteSink& terminal_;
  std::size_t rows_ = 0;  // with the header
};

class FileRun : public Run {
 public:
  /// As of Run; the outputs are claimed already.
  explicit FileRun(const VerbCall& call) : Run(call), verb_(call.verb) {}

  TableInput open(const std::string& argument, const std::vector<std::string>& topics) override;
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
  /// The rows that this run computes; none: all. Sets what becomes of them. `input` gives the digest
  /// of what they are computed from.
  virtual std::optional<RowRange> part_of(const TableSource& table,
                                          const std::function<Json()>& input, BlockJobFrame& job);

  /// The facts that the bytes of all rows follow from: version, robot, options, input.
  [[nodiscard]] Json identity(const std::function<Json()>& input);

  std::unique_ptr<OutputFile> rows_;
  Json identity_;  // of a part
  WrittenRows of_part_;

 private:
  RobotFile open_robot(const std::vector<NamedText>& positions) override;
  void begin(LogReader& log, BlockJobFrame& job) override;
  void begin(TableSource& table, BlockJobFrame& job, std::optional<std::uintmax_t> total,
             const std::function<Json()>& input) override;

  [[nodiscard]] static bool is_main(const NamedOutput& output);
  /// Opens the picture's file, unless there is none.
  void open_plot();
  /// Opens the picture and the artifacts that are asked for, before work that may be long.
  void open_outputs();
  /// The file of an artifact, opened once.
  [[nodiscard]] OutputFile& file_of(const NamedOutput& output, Existing existing);
  /// Writes the artifacts; returns their files.
  [[nodiscard]] std::vector<OutputFile*> written(const std::vector<Artifact>& artifacts);
  /// The document in the file of -o, unless that holds rows or an artifact; else as a text to be
  /// printed after the files took their places; neither where nobody requested it.
  struct Shown {
    OutputFile* file = nullptr;
    std::string text = {};
  };
  [[nodiscard]] Shown show_document(Answer& answer, bool is_nothing);
  /// Prints the answer on standard output, or on standard error while an option names that for
  /// other data. Throws FileError where JSON cannot be written there though somebody reads it.
  void print(const std::string& text) const;
  /// Tests whether standard output has other data than the document.
  [[nodiscard]] bool has_data_on_standard_output() const;

  std::string verb_;
  std::unique_ptr<OutputFile> plot_;
  std::map<std::string, std::unique_ptr<OutputFile>> artifacts_;  // by their options
  const NamedOutput* of_rows_ = nullptr;
  std::optional<FirstRows> first_rows_;
  bool is_drawn_ = false;
  std::unique_ptr<ProgressLine> progress_;
  std::vector<std::string> said_;
};

}  // namespace armdyn
