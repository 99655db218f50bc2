#pragma once

// The run of a verb on the command line: robots and logs are files or pipes, rows and texts go into
// files or standard output, remarks to standard error. All files take their places at its end, or
// none does.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "cli/options/part_file.hpp"
#include "cli/options/run.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "io/plot/plot.hpp"
#include "io/robot/robot_text.hpp"
#include "log/side_by_side.hpp"

namespace armdyn {

/// The answer in the format that was asked for.
inline std::string rendered(const Document& answer, const OutputOptions& options) {
  return options.json ? json_of(answer) : in_lines(options.format(answer));
}

/// The same with the warnings below a text, or of a text the warnings alone if it shall be quiet.
/// It is made before an output is put in its place, and printed after, so that a failure leaves
/// nothing new.
inline std::string summary_of(const Document& answer, const OutputOptions& options) {
  if (options.json) return json_of(answer);
  const bool says_report = !options.quiet && !options.report.empty() && options.is_plain();
  return (options.quiet ? "" : rendered(answer, options)) +
         warnings_text(answer.warnings.value_or(std::vector<std::string>{})) +
         (says_report ? "report: " + options.report + "\n" : "");
}

/// The answer as a page, to be committed with the other outputs; null where none was asked for.
inline std::unique_ptr<OutputFile> report_of(const Document& answer, const OutputOptions& options) {
  if (options.report.empty()) return nullptr;
  auto file = std::make_unique<OutputFile>(options.report);
  PageHead head{ARMDYN_VERSION, options.command, {}};
  const std::vector<ShippedFile> motions = shipped_motions();
  for (const std::string& text : options.inputs) {
    std::error_code none;
    const auto shipped = find(motions, text);
    const bool is_file = std::filesystem::is_regular_file(text, none);
    if (!is_file && !shipped) continue;
    const InputFile input(is_file ? text : shipped->path);
    constexpr std::uintmax_t most = std::uintmax_t{8} << 20U;  // takes milliseconds
    head.inputs.emplace_back(
        text, digest_of(input, most) +
                  (*input.size() <= most
                       ? ""
                       : fmt::format(", of the first 8 MiB of its {} bytes", *input.size())));
  }
  file->write(page_of(answer, head));
  return file;
}

/// Prints a summary on standard error. Throws FileError where it is JSON and cannot be written
/// though somebody reads it.
inline void say_summary(const std::string& text, bool is_json) {
  errno = 0;
  if (write_to_standard_error(text) || !is_json) return;
  if (errno == EPIPE || errno == EBADF) return;  // nobody wants it
  throw FileError(fmt::format("the summary on standard error: cannot write: {}",
                              std::generic_category().message(errno)));
}

class FileRun : public Run {
 public:
  /// As of Run; the outputs are claimed already.
  explicit FileRun(const VerbCall& call) : Run(call), verb_(call.verb) {}

  TableInput open(const std::string& argument, const std::vector<std::string>& topics) override {
    const Robot& arm = robot().robot;  // first: ROBOT is the argument that people get wrong
    return open_log(find_motion(argument), arm, topics);
  }
  void require_motion(const std::string& argument) const override {
    refuse_if(argument == "-" && robot_options_->robot == "-",
              "{}: ROBOT and MOTION cannot both be standard input; name a file for one of them",
              verb_);
    refuse_if(is_absent(argument),
              "{}: MOTION is missing; name a CSV or .npy file or a shipped motion, or pipe one in",
              verb_);
  }
  [[nodiscard]] bool is_absent(const std::string& argument) const override {
    return argument == "-" && isatty(STDIN_FILENO) != 0;
  }
  [[nodiscard]] std::string digest(const std::string& argument) const override {
    return digest_of(InputFile(find_motion(argument)));
  }
  [[nodiscard]] std::string unread_input() const override {
    constexpr std::size_t most = 4096;
    return peek_standard_input(most);
  }
  [[nodiscard]] bool wants(const std::string& option) const override {
    return place(option) != nullptr;
  }
  [[nodiscard]] bool wants_answer() const override {
    return !output_.quiet || output_.json || !output_.report.empty();
  }
  ByteSink& rows(const std::string& option, AtSignal at_signal) override {
    of_rows_ = place(option);
    rows_ = std::make_unique<OutputFile>(table_target(*of_rows_->path));
    if (at_signal == AtSignal::kept) rows_->finish_lines_when_interrupted();
    open_plot();
    return *rows_;
  }
  bool draw(const Views& views) override {
    if (views.figures.empty() || std::exchange(is_drawn_, true)) return true;
    open_plot();
    if (!plot_) return true;
    try {
      write_figure(views.figures.front(), *plot_);
      return true;
    } catch (const Interrupted&) {
      plot_.reset();
      return false;
    }
  }
  void warn(const std::vector<std::string>& warnings) override {
    if (output_.json) return;
    print_warnings(warnings);
    append(said_, warnings);
  }
  void report(const std::vector<std::string>& lines) override {
    if (output_.json) return;
    for (const std::string& line : lines) say("{}{}", line, line.ends_with('\n') ? "" : "\n");
  }
  void report(const RobotFile& file, const RobotOptions& options) override {
    if (!output_.json) print_warnings(file, options);
  }
  void remark(const std::string& line) override {
    if (output_.speaks()) say("{}", line);
  }
  void show_progress(std::optional<std::uintmax_t> total, std::uintmax_t done,
                     std::uintmax_t rows) override {
    if (!progress_)
      progress_ = std::make_unique<ProgressLine>(total, output_.quiet, progress_counts_);
    progress_->show(done, rows);
  }
  void end_progress() override { progress_.reset(); }

  /// Gives the answer: puts all files into their places, then prints.
  [[nodiscard]] Ending end(Answer answer) {
    end_progress();
    Document& document = answer.document;
    const bool failed = answer.ending == Ending::failed && !answer.message.empty();
    const bool is_empty = answer.ending != Ending::done && (!rows_ || rows_->is_empty());
    const bool is_nothing = is_empty && answer.ending == Ending::interrupted;
    if (!failed && !is_nothing && !draw(document.views)) throw Interrupted();
    if (!is_drawn_ || is_nothing) plot_.reset();
    const bool is_shown = output_.json || !failed;
    const auto page = is_shown && !is_nothing ? report_of(document, output_) : nullptr;
    std::vector<OutputFile*> files{plot_.get(), page.get()};
    if (!is_nothing) append(files, written(answer.artifacts));

    std::vector<std::string> warnings = document.warnings.value_or(std::vector<std::string>{});
    if (!output_.json) {
      std::erase_if(warnings,
                    [&](const std::string& one) { return std::ranges::count(said_, one) > 0; });
      document.warnings = warnings;
    }
    const bool is_beside = is_nothing || is_summary(answer);
    std::string said;
    if (is_beside && answer.is_in_artifact && !output_.json) {
      said = warnings_text(warnings);
    } else if (is_beside && is_shown) {
      said = summary_of(document, output_);
    }
    const Shown shown = is_beside || !is_shown ? Shown{} : show_document(answer);
    OutputFile* const rows = is_empty ? nullptr : rows_.get();
    const bool is_last = rows == nullptr || is_main(*of_rows_);  // the last one is the main one
    append(files, is_last ? std::array{shown.file, rows} : std::array{rows, shown.file});
    const bool is_part = output_.part && answer.ending != Ending::interrupted;  // for join
    OutputFile::commit(
        files, is_part ? part_trailer(*output_.part, identity_, of_part_, answer.notes) : "");
    if (is_beside) say_summary(said, output_.json);
    if (!shown.text.empty()) write_file("-", shown.text);
    say_after(answer, is_beside ? std::vector<std::string>{} : warnings);
    return answer.ending;
  }

 protected:
  /// The rows that this run computes; none: all. Sets what becomes of them. `input` gives the digest
  /// of what they are computed from.
  virtual std::optional<RowRange> part_of(const TableSource& table,
                                          const std::function<Json()>& input, BlockJobFrame& job) {
    if (!output_.part) return {};
    const RowRange rows =
        rows_of_part(rows_of_parts(table, output_.part->of), output_.part->number);
    identity_ = identity(input);
    job.written = &of_part_;
    return rows;
  }

  /// The facts that the bytes of all rows follow from: version, robot, options, input.
  [[nodiscard]] Json identity(const std::function<Json()>& input) {
    Json facts = data_of(document());
    facts.erase("model_warnings");
    facts["robot"].erase("file");
    facts["input"] = input();
    return facts;
  }

  std::unique_ptr<OutputFile> rows_;
  Json identity_;  // of a part
  WrittenRows of_part_;

 private:
  RobotFile open_robot(const std::vector<NamedText>& positions) override {
    RobotFile file = load_robot(*robot_options_);
    append(file.warnings, lists_in_degrees(positions, file.robot));
    report(file, *robot_options_);
    return file;
  }
  void begin(LogReader& log, BlockJobFrame& job) override {
    open_outputs();
    if (const auto part = part_of(
            log.table(), [&] { return log.input().digest(); }, job)) {
      job.lines = {part->first_line, part->end_line};
    }
    Run::begin(log, job);
  }
  void begin(TableSource& table, BlockJobFrame& job, std::optional<std::uintmax_t> total,
             const std::function<Json()>& input) override {
    open_outputs();
    if (const auto part = input ? part_of(table, input, job) : std::nullopt) {
      table.keep(*part);
      job.first_row = part->first;
      total = part->end > part->begin ? part->end - part->begin : part->rows;
    }
    Run::begin(table, job, total, input);
  }

  [[nodiscard]] static bool is_main(const NamedOutput& output) {
    return output.option == "-o" || output.option == "OUT";
  }
  /// Opens the picture's file, unless there is none.
  void open_plot() {
    if (const NamedOutput* const plot = place("--plot"); plot != nullptr && !plot_) {
      plot_ = std::make_unique<OutputFile>(*plot->path);
    }
  }
  /// Opens the picture and the artifacts that are asked for, before work that may be long.
  void open_outputs() {
    open_plot();
    for (const NamedOutput& output : outputs()) {
      const bool is_artifact = output.option != "--plot" && output.option != "--report";
      if (!is_artifact || output.path->empty() || &output == of_rows_) continue;
      std::unique_ptr<OutputFile>& file = artifacts_[output.option];
      if (!file) file = std::make_unique<OutputFile>(*output.path);
    }
  }
  /// Writes the artifacts; returns their files.
  [[nodiscard]] std::vector<OutputFile*> written(const std::vector<Artifact>& artifacts) {
    std::vector<OutputFile*> files;
    for (const auto& [option, text, replaces] : artifacts) {
      if (!text) continue;
      std::unique_ptr<OutputFile>& file = artifacts_[option];
      const Existing existing = replaces ? Existing::replaced : Existing::kept;
      if (!file) file = std::make_unique<OutputFile>(*place(option)->path, existing);
      file->write(*text);
      files.push_back(file.get());
    }
    return files;
  }
  /// Tells whether the document is a summary on standard error, beside other data.
  [[nodiscard]] bool is_summary(const Answer& answer) const {
    return (of_rows_ != nullptr && is_main(*of_rows_)) ||
           std::ranges::any_of(answer.artifacts, [&](const Artifact& artifact) {
             const NamedOutput& there = *place(artifact.option);
             return *there.path == "-" || !there.is_optional;
           });
  }
  /// The document where it is no summary: in its file, or as a text for standard output, which comes
  /// after the files; neither where nobody wants it.
  struct Shown {
    OutputFile* file = nullptr;
    std::string text = {};
  };
  [[nodiscard]] Shown show_document(Answer& answer) {
    const NamedOutput* const main = place("-o");
    if (output_.quiet && !output_.json && (main == nullptr || main->is_optional)) return {};
    const bool is_taken = std::ranges::any_of(answer.artifacts, [&](const Artifact& artifact) {
      return is_main(*place(artifact.option));
    });
    Document& shown = answer.document;
    if (!output_.json) shown.warnings.reset();  // they come after it
    if (main == nullptr) return {nullptr, summary_of(shown, output_)};
    if (is_taken) return {nullptr, rendered(shown, output_)};
    std::unique_ptr<OutputFile>& file = artifacts_[main->option];
    if (!file) file = std::make_unique<OutputFile>(*main->path);
    file->write(rendered(shown, output_));
    return {file.get()};
  }
  /// Prints what people read after the answer.
  void say_after(const Answer& answer, const std::vector<std::string>& warnings) const {
    if (output_.json) return;
    if (is_drawn_ && plot_ && !output_.quiet) say("picture: {}\n", plot_->name());
    print_warnings(warnings);
    if (!answer.message.empty()) say("armdyn: {}\n", answer.message);
  }

  std::string verb_;
  std::unique_ptr<OutputFile> plot_;
  std::map<std::string, std::unique_ptr<OutputFile>> artifacts_;  // by their options
  const NamedOutput* of_rows_ = nullptr;
  bool is_drawn_ = false;
  std::unique_ptr<ProgressLine> progress_;
  std::vector<std::string> said_;
};

}  // namespace armdyn
