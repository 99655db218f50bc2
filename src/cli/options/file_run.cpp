#include "cli/options/file_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/options/part_file.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/interrupt.hpp"
#include "io/plot/plot.hpp"
#include "io/robot/robot_text.hpp"
#include "io/table/table_format.hpp"
#include "log/side_by_side.hpp"
#include "math/each.hpp"

namespace armdyn {

namespace fs = std::filesystem;

namespace {

/// The answer in the format that was asked for.
std::string rendered(const Document& answer, const OutputOptions& options) {
  return options.json ? json_of(answer) : in_lines(options.format(answer));
}

/// The same with the warnings below a text, or of a text the warnings alone if it shall be quiet.
/// It is made before an output is put in its place, and printed after, so that a failure leaves
/// nothing new.
std::string summary_of(const Document& answer, const OutputOptions& options) {
  if (options.json) return json_of(answer);
  const bool says_report = !options.quiet && !options.report.empty() && options.is_plain();
  return (options.quiet ? "" : rendered(answer, options)) +
         warnings_text(answer.warnings.value_or(std::vector<std::string>{})) +
         (says_report ? "report: " + options.report + "\n" : "");
}

/// The answer as a page, to be committed with the other outputs; null where none was asked for.
std::unique_ptr<OutputFile> report_of(const Document& answer, const OutputOptions& options) {
  if (options.report.empty()) return nullptr;
  auto file = std::make_unique<OutputFile>(options.report);
  PageHead head{ARMDYN_VERSION, options.command, {}};
  const std::vector<ShippedFile> motions = shipped_motions();
  for (const std::string& text : options.inputs) {
    std::error_code none;
    const auto shipped = find(motions, text);
    const bool is_file = fs::is_regular_file(text, none);
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
void say_summary(const std::string& text, bool is_json) {
  errno = 0;
  if (write_to_standard_error(text) || !is_json) return;
  if (errno == EPIPE || errno == EBADF) return;  // nobody wants it
  throw FileError(fmt::format("the summary on standard error: cannot write: {}",
                              std::generic_category().message(errno)));
}

}  // namespace

FileRun::FileRun(std::string verb, const RobotOptions* robot, const OutputOptions& output,
                 const std::vector<NamedOutput>& outputs)
    : Run(robot, output, outputs), verb_(std::move(verb)) {}

// Inputs.

RobotFile FileRun::open_robot(const std::vector<NamedText>& positions) {
  RobotFile file = load_robot(*robot_options_);
  append(file.warnings, lists_in_degrees(positions, file.robot));
  report(file, *robot_options_);
  return file;
}

void FileRun::report(const RobotFile& file, const RobotOptions& options) {
  if (!output_.json) print_warnings(file, options);
}

void FileRun::require_motion(const std::string& argument) const {
  require_motion_input(verb_, *robot_options_, argument);
}

bool FileRun::is_absent(const std::string& argument) const {
  return argument == "-" && isatty(STDIN_FILENO) != 0;
}

std::string FileRun::digest(const std::string& argument) const {
  return digest_of(InputFile(find_motion(argument)));
}

std::string FileRun::unread_input() const {
  constexpr std::size_t most = 4096;
  return peek_standard_input(most);
}

InputFile FileRun::open(const std::string& argument, const std::vector<std::string>& topics) {
  const Robot& arm = robot().robot;  // first: ROBOT is the argument that people get wrong
  return open_log(find_motion(argument), arm, topics);
}

void FileRun::report(const std::vector<std::string>& lines) {
  if (output_.json) return;
  for (const std::string& line : lines) say("{}{}", line, line.ends_with('\n') ? "" : "\n");
}

void FileRun::remark(const std::string& line) {
  if (output_.speaks()) say("{}", line);
}

std::optional<RowRange> FileRun::part_of(const TableSource& table,
                                         const std::function<Json()>& identity,
                                         BlockJobFrame& job) {
  if (!output_.part) return {};
  const RowRange rows = rows_of_part(rows_of_parts(table, output_.part->of), output_.part->number);
  identity_ = identity();
  job.written = &of_part_;
  return rows;
}

void FileRun::begin(LogReader& log, BlockJobFrame& job) {
  open_outputs();
  const auto identity = [&] {
    return job_identity(robot(), *robot_options_, output_, digest_of(log.input()));
  };
  if (const auto part = part_of(log.table(), identity, job)) {
    job.lines = {part->first_line, part->end_line};
  }
  Run::begin(log, job);
}

void FileRun::begin(TableSource& table, BlockJobFrame& job, std::optional<std::uintmax_t> total,
                    const std::function<Json()>& identity) {
  open_outputs();
  if (const auto part = identity ? part_of(table, identity, job) : std::nullopt) {
    table.keep(*part);
    job.first_row = part->first;
    total = part->end > part->begin ? part->end - part->begin : part->rows;
  }
  Run::begin(table, job, total, identity);
}

// Outputs.

bool FileRun::wants(const std::string& option) const {
  return place(option) != nullptr;
}

bool FileRun::wants_answer() const {
  return !output_.quiet || output_.json || !output_.report.empty();
}

ByteSink& FileRun::rows(const std::string& option, AtSignal at_signal) {
  of_rows_ = place(option);
  rows_ = std::make_unique<OutputFile>(table_target(*of_rows_->path));
  if (at_signal == AtSignal::kept) rows_->finish_lines_when_interrupted();
  open_plot();
  return *rows_;
}

void FileRun::open_plot() {
  if (const NamedOutput* const plot = place("--plot"); plot != nullptr && !plot_) {
    plot_ = std::make_unique<OutputFile>(*plot->path);
  }
}

void FileRun::open_outputs() {
  open_plot();
  for (const NamedOutput& output : outputs()) {
    const bool is_artifact = output.option != "--plot" && output.option != "--report";
    if (!is_artifact || output.path->empty() || &output == of_rows_) continue;
    std::unique_ptr<OutputFile>& file = artifacts_[output.option];
    if (!file) file = std::make_unique<OutputFile>(*output.path);
  }
}

bool FileRun::draw(const Views& views) {
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

void FileRun::show_progress(std::optional<std::uintmax_t> total, std::uintmax_t done,
                            std::uintmax_t rows) {
  if (!progress_)
    progress_ = std::make_unique<ProgressLine>(total, output_.quiet, progress_counts_);
  progress_->show(done, rows);
}

void FileRun::warn(const std::vector<std::string>& warnings) {
  if (output_.json) return;
  print_warnings(warnings);
  append(said_, warnings);
}

// The end.

bool FileRun::is_summary(const Answer& answer) const {
  return (of_rows_ != nullptr && is_main(*of_rows_)) ||
         std::ranges::any_of(answer.artifacts, [&](const Artifact& artifact) {
           const NamedOutput& there = *place(artifact.option);
           return *there.path == "-" || !there.is_optional;
         });
}

std::vector<OutputFile*> FileRun::written(const std::vector<Artifact>& artifacts) {
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

void FileRun::say_after(const Answer& answer, const std::vector<std::string>& warnings) const {
  if (output_.json) return;
  if (is_drawn_ && plot_ && !output_.quiet) say("picture: {}\n", plot_->name());
  print_warnings(warnings);
  if (!answer.message.empty()) say("armdyn: {}\n", answer.message);
}

FileRun::Shown FileRun::show_document(Answer& answer) {
  const NamedOutput* const main = place("-o");
  if (output_.quiet && !output_.json && (main == nullptr || main->is_optional)) return {};
  const bool is_taken = std::ranges::any_of(
      answer.artifacts, [&](const Artifact& artifact) { return is_main(*place(artifact.option)); });
  Document& shown = answer.document;
  if (!output_.json) shown.warnings.reset();  // they come after it
  if (main == nullptr) return {nullptr, summary_of(shown, output_)};
  if (is_taken) return {nullptr, rendered(shown, output_)};
  std::unique_ptr<OutputFile>& file = artifacts_[main->option];
  if (!file) file = std::make_unique<OutputFile>(*main->path);
  file->write(rendered(shown, output_));
  return {file.get()};
}

Ending FileRun::end(Answer answer) {
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
  OutputFile::commit(files,
                     is_part ? part_trailer(*output_.part, identity_, of_part_, answer.notes) : "");
  if (is_beside) say_summary(said, output_.json);
  if (!shown.text.empty()) write_file("-", shown.text);
  say_after(answer, is_beside ? std::vector<std::string>{} : warnings);
  return answer.ending;
}

Ending run_on_files(const std::string& verb, const RobotOptions* robot, const OutputOptions& output,
                    const std::vector<NamedOutput>& outputs,
                    const std::function<Answer(Run&)>& work) {
  FileRun run(verb, robot, output, outputs);
  return run.end(work(run));
}

}  // namespace armdyn
