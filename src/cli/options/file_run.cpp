#include "cli/options/file_run.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/options/named_files.hpp"
#include "io/file/input_file.hpp"
#include "io/plot/plot.hpp"
#include "log/side_by_side.hpp"
#include "math/characters.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace fs = std::filesystem;

// Names of files that a verb writes.

namespace {

constexpr std::array<std::string_view, 13> code_endings{
    ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".py", ".m", ".tex", ".js", ".mjs", ".ts", ".mts"};
constexpr std::string_view mark_begins = "by armdyn ";

/// The ending of the file that a path leads to through links, in small letters.
std::string ending_of(const std::string& path) {
  std::error_code error;
  const fs::path led_to = fs::weakly_canonical(path, error);
  return in_small_letters((error ? fs::path(path) : led_to).extension().string());
}

/// Tests whether there is a file that a person may have written: any robot file, and code without
/// the mark of armdyn.
bool may_be_hand_written(const std::string& path, bool is_code) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  if (!is_code) return true;
  constexpr std::size_t first_lines = 1024;
  const std::string begin = InputFile(path).read(first_lines);
  const std::size_t at = begin.find(mark_begins), number = at + mark_begins.size();
  return at == begin.npos || number >= begin.size() || !is_digit(begin[number]);
}

/// Content that such an ending promises, other than robot files, code, rows and summaries;
/// null for none. `draws`: the verb has --plot.
const char* other_kind(std::string_view ending, bool draws) {
  if (ending == ".svg" || ending == ".png" || ending == ".pdf") {
    return draws ? "a picture (--plot)" : "a picture";
  }
  if (ending == ".html") return "a page (--report)";
  if (ending == ".db3" || ending == ".mcap") return "a bag";
  for (const std::string_view other : {".xlsx", ".xls", ".ods", ".mat", ".parquet", ".h5"}) {
    if (ending == other) return "another kind of table";
  }
  return nullptr;
}

void refuse_misleading_name(const NamedOutput& output, bool draws) {
  if (output.force == &kept_when_opened) return;
  const auto part = parse_part_name(*output.path);
  const std::string path = part ? part->whole : *output.path;
  const std::string ending = ending_of(path);
  const bool is_code = std::ranges::count(code_endings, ending) > 0;
  const bool is_source = is_code || robot_file_kind(ending);
  const bool is_drawn = output.option == "--plot" || output.option == "--report";
  const char* const kind = is_code     ? "a file with code"
                           : is_source ? "a robot file"
                           : is_drawn  ? nullptr
                                       : other_kind(ending, draws);
  if (kind == nullptr) return;
  if (output.force == nullptr || !is_source) {
    throw UsageError(
        "{}: found \"{}\", the name of {}, which is not written here; expected another ending{}",
        output.option, in_one_line(path), kind, output.force == nullptr ? ", e.g. .csv" : "");
  }
  if (*output.force || !may_be_hand_written(path, is_code)) return;
  throw FileError("there is a file '" + in_one_line(path) +
                  "' already; name another one, or replace it with --force");
}

}  // namespace

std::optional<RobotFileKind> robot_file_kind(const std::string& name) {
  using enum RobotFileKind;
  const std::string small = in_small_letters(name);
  for (const auto& [ending, kind] : {std::pair{".yaml", yaml},
                                     {".yml", yaml},
                                     {".urdf", urdf},
                                     {".xml", mjcf},
                                     {".mjcf", mjcf}}) {
    if (small.ends_with(ending)) return kind;
  }
  return {};
}

void refuse_other_than_yaml(const std::string& option, const std::string& path) {
  refuse_if(robot_file_kind(path).value_or(RobotFileKind::yaml) != RobotFileKind::yaml,
            "{}: found \"{}\", a name of URDF or MJCF; give one that ends in .yaml, and armdyn "
            "convert makes URDF and MJCF of the file",
            option, in_one_line(path));
  const std::string ending = ending_of(path);
  refuse_if(ending == ".csv" || ending == ".npy" || ending == ".json",
            "{}: found \"{}\", which does not name a robot file; give one that ends in .yaml",
            option, in_one_line(path));
}

void check_names(const std::vector<NamedOutput>& outputs) {
  for (const NamedOutput& output : outputs) {
    if (output.path->empty()) continue;
    if (output.option == "--plot") check_plot_target(*output.path);
    if (output.option == "--report") const OutputFile can_be_written(*output.path);
    for (const NamedOutput& other : outputs) {
      if (&other == &output) break;
      if (other.path->empty() || !are_one_file(*other.path, *output.path)) continue;
      throw UsageError("{} and {} both name '{}'; give one of them another file", output.option,
                       other.option, in_one_line(*other.path));
    }
  }
  const bool draws = std::ranges::count(outputs, "--plot", &NamedOutput::option) > 0;
  for (const NamedOutput& output : outputs) {
    if (!output.path->empty()) refuse_misleading_name(output, draws);
  }
}

void claim(const std::vector<NamedOutput>& outputs) {
  check_names(outputs);
  std::vector<std::string> paths;
  for (const NamedOutput& output : outputs) {
    if (!output.path->empty()) paths.push_back(*output.path);
  }
  refuse_to_read(paths);
}

std::string own_line(const std::string& digest) {
  return fmt::format("{}{} from {}", mark_begins, ARMDYN_VERSION, digest);
}

bool is_written(const std::vector<NamedOutput>& outputs, const std::string& path) {
  return std::ranges::any_of(outputs, [&](const NamedOutput& output) {
    return !output.path->empty() && are_one_file(*output.path, path);
  });
}

void write_texts(const std::map<std::string, std::string>& texts,
                 const std::vector<Keyword>& keywords) {
  for (const auto& [option, path] : keywords) {
    if (const auto text = texts.find(option); text != texts.end() && !path.empty()) {
      write_file(path, text->second);
    }
  }
}

// The run.

namespace {

/// The answer in the format that was asked for.
std::string rendered(const Document& answer, const OutputOptions& options) {
  return options.json ? json_of(answer) : in_lines(options.format(answer));
}

/// Width of a text: COLUMNS, or that of the terminal there.
std::size_t width_of_output(int descriptor) {
  constexpr double narrowest = 40, widest = 1000;
  const char* const columns = std::getenv("COLUMNS");
  if (const auto given = parse_number(columns == nullptr ? "" : columns); given && *given > 0.0) {
    return static_cast<std::size_t>(std::clamp(*given, narrowest, widest));
  }
  winsize size{};
  const bool is_terminal = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_terminal ? static_cast<std::size_t>(std::clamp<double>(size.ws_col, narrowest, widest))
                     : usual_width;
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

}  // namespace

void FirstRows::write(std::string_view bytes) {
  for (std::size_t end = 0; !bytes.empty(); bytes.remove_prefix(end)) {
    end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    if (rows_ <= shown) terminal_.write(bytes.substr(0, end));
    if (bytes[end - 1] == '\n') ++rows_;
  }
}

void FirstRows::end() {
  if (rows_ <= shown + 1) return;
  terminal_.write(fmt::format("... and {} more: -o FILE writes all, | less shows all\n",
                              counted(rows_ - 1 - shown, "row")));
}

TableInput FileRun::open(const std::string& argument, const std::vector<std::string>& topics) {
  const Robot& arm = robot().robot;  // first: ROBOT is the argument that people get wrong
  refuse_if(robot_file_kind(argument).has_value(),
            "found '{}', the name of a robot file, expected a motion or another table",
            in_one_line(argument));
  return open_log(find_motion(argument), arm, topics);
}

void FileRun::require_motion(const std::string& argument) const {
  refuse_if(argument == "-" && robot_options_->robot == "-",
            "{}: ROBOT and MOTION cannot both be standard input; name a file for one of them",
            verb_);
  refuse_if(is_absent(argument),
            "{}: MOTION is missing; name a CSV or .npy file or a shipped motion, or pipe one in",
            verb_);
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
  const bool is_cut = *of_rows_->path == "-" && !output_.is_whole && isatty(STDOUT_FILENO) != 0;
  return is_cut ? first_rows_.emplace(*rows_) : static_cast<ByteSink&>(*rows_);
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

void FileRun::warn(const std::vector<std::string>& warnings) {
  if (output_.json) return;
  print_warnings(warnings);
  append(said_, warnings);
}

void FileRun::report(const std::vector<std::string>& lines) {
  if (output_.json) return;
  for (const std::string& line : lines) say("{}{}", line, line.ends_with('\n') ? "" : "\n");
}

void FileRun::report(const RobotFile& file, const RobotOptions& options) {
  if (!output_.json) print_warnings(file, options);
}

void FileRun::remark(const std::string& line) {
  if (output_.speaks()) say("{}", line);
}

void FileRun::show_progress(std::optional<std::uintmax_t> total, std::uintmax_t done,
                            std::uintmax_t rows) {
  if (!progress_)
    progress_ = std::make_unique<ProgressLine>(total, output_.quiet, progress_counts_);
  progress_->show(done, rows);
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
  std::erase_if(warnings,
                [&](const std::string& one) { return std::ranges::count(said_, one) > 0; });
  const Shown shown = is_shown ? show_document(answer, is_nothing) : Shown{};
  if (first_rows_) first_rows_->end();
  OutputFile* const rows = is_empty ? nullptr : rows_.get();
  const bool is_last = rows == nullptr || is_main(*of_rows_);  // the last one is the main one
  append(files, is_last ? std::array{shown.file, rows} : std::array{rows, shown.file});
  const bool is_part = output_.part && answer.ending != Ending::interrupted;  // for join
  OutputFile::commit(files,
                     is_part ? part_trailer(*output_.part, identity_, of_part_, answer.notes) : "");
  print(shown.text);
  if (page) remark("report: " + page->name() + "\n");
  if (is_drawn_ && plot_) remark("picture: " + plot_->name() + "\n");
  if (output_.json) return answer.ending;
  if (!failed) print_warnings(warnings);
  if (!answer.message.empty()) say("armdyn: {}\n", answer.message);
  return answer.ending;
}

std::optional<RowRange> FileRun::part_of(const TableSource& table,
                                         const std::function<Json()>& input, BlockJobFrame& job) {
  if (!output_.part) return {};
  const RowRange rows = rows_of_part(rows_of_parts(table, output_.part->of), output_.part->number);
  identity_ = identity(input);
  job.written = &of_part_;
  return rows;
}

Json FileRun::identity(const std::function<Json()>& input) {
  Json facts = data_of(document());
  facts.erase("model_warnings");
  facts["robot"].erase("file");
  facts["input"] = input();
  return facts;
}

RobotFile FileRun::open_robot(const std::vector<NamedText>& positions) {
  RobotFile file = load_robot(*robot_options_);
  append(file.warnings, lists_in_degrees(positions, file.robot));
  report(file, *robot_options_);
  return file;
}

void FileRun::begin(LogReader& log, BlockJobFrame& job) {
  open_outputs();
  if (const auto part = part_of(
          log.table(), [&] { return log.input().digest(); }, job)) {
    job.lines = {part->first_line, part->end_line};
  }
  Run::begin(log, job);
}

void FileRun::begin(TableSource& table, BlockJobFrame& job, std::optional<std::uintmax_t> total,
                    const std::function<Json()>& input) {
  open_outputs();
  if (const auto part = input ? part_of(table, input, job) : std::nullopt) {
    table.keep(*part);
    job.first_row = part->first;
    total = part->end > part->begin ? part->end - part->begin : part->rows;
  }
  Run::begin(table, job, total, input);
}

bool FileRun::is_main(const NamedOutput& output) {
  return output.option == "-o" || output.option == "OUT";
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
    (void)file_of(output, Existing::replaced);
  }
}

OutputFile& FileRun::file_of(const NamedOutput& output, Existing existing) {
  std::unique_ptr<OutputFile>& file = artifacts_[output.option];
  if (!file) file = std::make_unique<OutputFile>(*output.path, existing);
  return *file;
}

std::vector<OutputFile*> FileRun::written(const std::vector<Artifact>& artifacts) {
  std::vector<OutputFile*> files;
  for (const auto& [option, text, replaces] : artifacts) {
    if (!text) continue;
    OutputFile& file = file_of(*place(option), replaces ? Existing::replaced : Existing::kept);
    file.write(*text);
    files.push_back(&file);
  }
  return files;
}

FileRun::Shown FileRun::show_document(Answer& answer, bool is_nothing) {
  const NamedOutput* const main = place("-o");
  const bool has_file = !is_nothing && main != nullptr && !main->path->empty() &&
                        main != of_rows_ &&
                        std::ranges::count(answer.artifacts, "-o", &Artifact::option) == 0;
  const bool is_unwanted = answer.is_in_artifact || (output_.quiet && !has_file);
  if (is_unwanted && !output_.json) return {};
  if (!has_file || is_standard_output(*main->path)) {
    const bool is_beside_data = !has_file && has_data_on_standard_output();
    answer.document.width = width_of_output(is_beside_data ? STDERR_FILENO : STDOUT_FILENO);
  }
  const std::string text = rendered(answer.document, output_);
  if (!has_file) return {nullptr, text};
  OutputFile& file = file_of(*main, Existing::replaced);
  file.write(text);
  return {&file};
}

void FileRun::print(const std::string& text) const {
  if (text.empty()) return;
  if (!has_data_on_standard_output()) return print_text(text);
  errno = 0;
  if (write_to_standard_error(text) || !output_.json || errno == EPIPE || errno == EBADF) return;
  throw FileError(fmt::format("the summary on standard error: cannot write: {}",
                              std::generic_category().message(errno)));
}

bool FileRun::has_data_on_standard_output() const {
  return std::ranges::any_of(
      outputs(), [](const NamedOutput& other) { return is_standard_output(*other.path); });
}

void print_text(const std::string& text) {
  OutputFile output("-");
  if (interrupted()) output.finish_lines_when_interrupted();
  output.write(text);
  output.commit();
}

Ending run_on_files(const VerbCall& call) {
  FileRun run(call);
  return run.end(call.work(run));
}

}  // namespace armdyn
