#pragma once

// What a verb may ask of whoever runs it, and what it gives back. A verb is a function of its
// options, without access to paths, pipes, terminals or signals. The command line runs it on files
// (file_run.hpp).

#include <boost/noncopyable.hpp>

#include <list>

#include "cli/options/option_list.hpp"
#include "log/log_reader.hpp"
#include "log/motion_rows.hpp"

namespace armdyn {

/// A whole text beside rows and document: a robot file, code.
struct Artifact {
  std::string option;               ///< that names its file: "-o", "--worst"
  std::optional<std::string> text;  ///< none: it is not written
  bool replaces = true;             ///< an existing file
};

/// Result of a verb. The document is the answer; it goes to standard output, or to standard
/// error while that has rows or an artifact.
struct Answer {
  Document document = {};
  std::vector<Artifact> artifacts = {};
  Ending ending = Ending::done;
  bool is_in_artifact = false;  ///< the document, so that people need not see it again
  /// The reason of an ending that is not `done`, where the document does not have it. Of numerics
  /// that failed as a whole people see this alone.
  std::string message = {};
  Json notes = {};  ///< of a part, what a summary of the whole needs beside the rows
};

/// The fate of rows when a signal comes.
enum class AtSignal {
  lost,  ///< the run ends without them
  kept,  ///< those written so far are the answer; the verb looks at `interrupted()` and ends
};

/// The world of a verb: its inputs, the places of its rows and pictures, and who listens.
class Run : boost::noncopyable {
 public:
  /// All that the call names must outlive the run.
  explicit Run(const VerbCall& call)
      : robot_options_(call.robot), output_(call.output), outputs_(call.outputs) {}
  virtual ~Run() = default;

  // Inputs.

  /// The robot that was given, edited; the same one every time. Reports its warnings, and those of
  /// `positions`, texts of options.
  const RobotFile& robot(const std::vector<NamedText>& positions = {});

  /// The table that an argument names, of a bag some topics.
  [[nodiscard]] virtual TableInput open(const std::string& argument,
                                        const std::vector<std::string>& topics) = 0;
  /// Throws UsageError where nobody gives a motion.
  virtual void require_motion(const std::string& /*argument*/) const {}
  /// Tests whether an argument stands for an input that nobody gives.
  [[nodiscard]] virtual bool is_absent(const std::string& /*argument*/) const { return false; }
  /// The digest of the bytes of an input, before those of a part. Throws FileError where it
  /// cannot be read twice.
  [[nodiscard]] virtual std::string digest(const std::string& /*argument*/) const { return {}; }
  /// The beginning of an input that is there though no argument names it; empty if there is none.
  [[nodiscard]] virtual std::string unread_input() const { return {}; }
  /// The rows of a motion for the robot: q, and t, qd, qdd and those of `also` that it has. The
  /// options must outlive the run.
  LogReader& log(const std::string& motion, const LogOptions& options,
                 const std::vector<Quantity>& also, const Rates& needed = {});

  /// The rows of another table, one by one, with these groups.
  RowReader& reader(const std::string& argument, const std::vector<std::string>& topics,
                    const std::vector<WantedGroup>& groups, const ColumnOptions& columns,
                    HeaderLine header = HeaderLine::written);

  /// Sends the rows of a log, or of the part that is asked for, through a job.
  template <class Result>
  void blocks(LogReader& log, BlockJob<Result> job) {
    begin(log, job);
    log.run(std::move(job));
    end_progress();
  }
  /// The same of any table: `total` is what its progress counts up to, if known; `input` gives the
  /// digest of what the rows of a part are computed from.
  template <class Result>
  void blocks(TableSource& table, const TablePlan& plan, BlockJob<Result> job,
              std::optional<std::uintmax_t> total = {}, const std::function<Json()>& input = {}) {
    begin(table, job, total, input);
    run_blocks(table, plan, job);
    end_progress();
  }
  /// Notes of parts that were made elsewhere, and whose rows `blocks` took instead of computing them:
  /// Answer::notes.
  [[nodiscard]] virtual std::vector<Json> notes_of_parts() const { return {}; }
  /// Warning of a table, a "motion", without a row, or of a part of it that has none.
  [[nodiscard]] std::string has_no_rows(const std::string& what) const;
  /// All rows of a log.
  [[nodiscard]] Table read_all(LogReader& log) const { return log.read_all(output_.threads); }
  /// Does all jobs, in the threads of --threads. Throws what one of them throws, and then does no more.
  void do_all(const std::vector<std::function<void()>>& jobs) const;

  // What is wanted.

  /// Tests whether an output is requested by the option that names its file: "-o", "--worst".
  [[nodiscard]] virtual bool wants(const std::string& option) const = 0;
  /// Tests whether somebody looks at curves, or at the arm that moves.
  [[nodiscard]] bool wants_curves() const { return wants("--plot") || wants_arm(); }
  [[nodiscard]] bool wants_arm() const { return wants("--report"); }
  /// Tests whether somebody sees more of the answer than warnings.
  [[nodiscard]] virtual bool wants_answer() const { return true; }

  // Outputs.

  /// The place for rows that an option names, opened now.
  virtual ByteSink& rows(const std::string& option = "-o", AtSignal at_signal = AtSignal::lost) = 0;

  /// Draws the picture now; false after a signal, which loses it. Pictures that are not drawn
  /// by this are drawn when the answer is given.
  [[nodiscard]] virtual bool draw(const Views& views) = 0;

  /// The beginning of every answer: version, robot name and digest, the options used; and warnings
  /// of the model.
  [[nodiscard]] Document document();

  // Whoever listens while the work goes on; by default nobody.

  /// Reports warnings before work that may fail or take long. They belong into the document as well.
  virtual void warn(const std::vector<std::string>& /*warnings*/) {}
  /// Reports lines about a model, and the warnings of another robot.
  virtual void report(const std::vector<std::string>& /*lines*/) {}
  virtual void report(const RobotFile& /*file*/, const RobotOptions& /*options*/) {}
  /// Reports what kind of log a table was recognized as.
  void recognized(const std::string& name, const ColumnPlan& plan);
  /// Prints a line, ended, for people who want more than warnings.
  virtual void remark(const std::string& /*line*/) {}
  /// Shows how much of `total` is done.
  virtual void show_progress(std::optional<std::uintmax_t> /*total*/, std::uintmax_t /*done*/,
                             std::uintmax_t /*rows*/) {}
  virtual void end_progress() {}
  /// Names what the third number of `show_progress` counts: "motions", unless it is rows.
  void count_progress_in(const char* what) { progress_counts_ = what; }
  /// Throws Interrupted once a signal has come.
  void throw_if_interrupted() const;

 protected:
  [[nodiscard]] virtual RobotFile open_robot(const std::vector<NamedText>& positions) = 0;
  /// Completes a job about a log: threads, progress, the part.
  virtual void begin(LogReader& log, BlockJobFrame& job);
  virtual void begin(TableSource& table, BlockJobFrame& job, std::optional<std::uintmax_t> total,
                     const std::function<Json()>& input);
  void show_progress_of(BlockJobFrame& job, std::optional<std::uintmax_t> total);

  /// The place that an option names; null: it does not.
  [[nodiscard]] const NamedOutput* place(const std::string& option) const;
  [[nodiscard]] const std::vector<NamedOutput>& outputs() const { return outputs_; }

  const RobotOptions* const robot_options_;
  const OutputOptions& output_;
  const char* progress_counts_ = "rows";

 private:
  const std::vector<NamedOutput> outputs_;
  std::optional<RobotFile> robot_;
  std::list<LogReader> logs_;
  std::list<RowReader> readers_;
};

}  // namespace armdyn
