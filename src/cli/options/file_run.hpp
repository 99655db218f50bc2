#pragma once

// The run of a verb on the command line: robots and logs are files or pipes, rows and texts go into
// files or standard output, warnings to standard error. All files take their places at its end, or
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
    std::erase_if(warnings,
                  [&](const std::string& one) { return std::ranges::count(said_, one) > 0; });
    const Shown shown = is_shown ? show_document(answer, is_nothing) : Shown{};
    OutputFile* const rows = is_empty ? nullptr : rows_.get();
    const bool is_last = rows == nullptr || is_main(*of_rows_);  // the last one is the main one
    append(files, is_last ? std::array{shown.file, rows} : std::array{rows, shown.file});
    const bool is_part = output_.part && answer.ending != Ending::interrupted;  // for join
    OutputFile::commit(
        files, is_part ? part_trailer(*output_.part, identity_, of_part_, answer.notes) : "");
    print(shown.text);
    if (page) remark("report: " + page->name() + "\n");
    if (is_drawn_ && plot_) remark("picture: " + plot_->name() + "\n");
    say_after(answer, warnings);
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
  /// The document in the file of -o, unless that holds rows or an artifact; else as a text to be
  /// printed after the files took their places; neither where nobody wants it.
  struct Shown {
    OutputFile* file = nullptr;
    std::string text = {};
  };
  [[nodiscard]] Shown show_document(const Answer& answer, bool is_nothing) {
    const NamedOutput* const main = place("-o");
    const bool has_file =
        !is_nothing && main != nullptr && main != of_rows_ && answer.artifacts.empty();
    const bool is_unwanted = answer.is_in_artifact || (output_.quiet && !has_file);
    if (is_unwanted && !output_.json) return {};
    const std::string text = rendered(answer.document, output_);
    if (!has_file) return {nullptr, text};
    std::unique_ptr<OutputFile>& file = artifacts_[main->option];
    if (!file) file = std::make_unique<OutputFile>(*main->path);
    file->write(text);
    return {file.get()};
  }
  /// Prints the answer on standard output, or on standard error while an option names that for
  /// other data. Throws FileError where JSON cannot be written there though somebody reads it.
  void print(const std::string& text) const {
    if (text.empty()) return;
    if (std::ranges::none_of(
            outputs(), [](const NamedOutput& other) { return is_standard_output(*other.path); })) {
      OutputFile output("-");
      if (interrupted()) output.finish_lines_when_interrupted();
      output.write(text);
      return output.commit();
    }
    errno = 0;
    if (write_to_standard_error(text) || !output_.json || errno == EPIPE || errno == EBADF) return;
    throw FileError(fmt::format("the summary on standard error: cannot write: {}",
                                std::generic_category().message(errno)));
  }
  /// Prints what people read after the answer.
  void say_after(const Answer& answer, const std::vector<std::string>& warnings) const {
    if (output_.json) return;
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
