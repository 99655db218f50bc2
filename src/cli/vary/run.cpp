// armdyn vary: what torques does this motion need if the arm is not quite that of its file?

#include <fmt/format.h>
#include <armdyn/arm.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "cli/options/log_answer.hpp"
#include "cli/options/part_file.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/vary/answer.hpp"
#include "cli/vary/arms.hpp"
#include "cli/vary/options.hpp"
#include "dynamics/friction.hpp"
#include "io/file/output_file.hpp"
#include "io/robot/robot_text.hpp"
#include "io/table/npy_table.hpp"
#include "io/table/table_format.hpp"
#include "log/side_by_side.hpp"
#include "model/shown_text.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

constexpr std::size_t arms_of_a_block = 16;

/// Refuses to vary what the robot does not have.
void require_what_varies(const Uncertainty& uncertainty, const Robot& robot) {
  const auto rubs = [](const Joint& joint) { return has_friction({joint.friction, joint.motor}); };
  if (uncertainty.payload > 0.0 && robot.payload.mass == 0.0) {
    throw UsageError(fmt::format(
        "vary: {} has no payload that could vary; give one with --payload MASS", robot.name));
  }
  if (uncertainty.friction > 0.0 && std::ranges::none_of(robot.joints, rubs)) {
    throw UsageError(fmt::format("vary: {} has no friction that could vary", robot.name));
  }
  for (const Joint& joint : robot.joints) {
    constexpr double rounding = 1e-9;
    const Vec3 moments = principal_moments(joint.body.inertia);
    const bool has_room = moments.x >= -rounding * std::abs(moments.z);
    if (uncertainty.inertia == 0.0 || joint.body.mass == 0.0 || has_room) continue;
    throw UsageError(fmt::format(
        "vary: --uncertainty inertia has no room at the link of {}: a principal moment is {:.4g} "
        "kg·m², below 0, and draws would be farther from an inertia that a body has; mend it in "
        "the file (armdyn check shows it), or leave inertia out",
        joint.name, moments.x));
  }
}

RobotFile robot_that_varies(const VaryOptions& options) {
  refuse_terminal("vary", options.motion);
  RobotFile file = open_robot(options.robot, options.output);
  require_what_varies(options.uncertainty, file.robot);
  return file;
}

/// The motion, the arms that are drawn, and what is said of them.
class ManyArms {
 public:
  explicit ManyArms(const VaryOptions& options)
      : options_(options),
        file_(robot_that_varies(options)),
        input_(open_log(find_motion(options.motion), file_.robot, options.log.topics)),
        log_(options.log, input_, file_.robot, {Quantity::hand_wrench}),
        motion_(held_motion()),
        draws_(file_.robot, uncertainty_of(options, file_), options.seed, arm_of_parameters()),
        samples_(static_cast<std::uintmax_t>(options.samples), arms_of_a_block),
        summary_(file_.robot, motion_) {}

  [[nodiscard]] TableSource& samples() { return samples_; }
  [[nodiscard]] VarySummary& summary() { return summary_; }
  [[nodiscard]] const Robot& robot() const { return file_.robot; }
  [[nodiscard]] std::unique_ptr<OutputFile> open_worst() const {
    return open_if_named(options_.worst);
  }

  [[nodiscard]] BlockJob<ArmRows> job() const {
    BlockJob<ArmRows> job;
    job.threads = static_cast<unsigned>(options_.output.threads);
    job.make_worker = [this] {
      return ArmWorker(draws_, motion_, summary_.nominal(), summary_.scales());
    };
    return job;
  }

  /// With the digest of the motion's numbers, which may come from several files.
  [[nodiscard]] Json identity() const {
    Digest digest;
    for (const std::vector<double>& column : motion_.columns) {
      std::string bytes(column.size() * sizeof(double), '\0');
      std::memcpy(bytes.data(), column.data(), bytes.size());
      digest.add(bytes);
    }
    return job_identity(file_, options_.robot, options_.output, digest.text());
  }

  /// Writes the worst arm, where it is asked for, and says the rest; `more` goes into the JSON.
  [[nodiscard]] RowJob::Said answer(const Json& more, std::unique_ptr<OutputFile>& worst) {
    Document answer = answer_frame(file_, options_.robot, options_.output);
    answer.add(log_sections(log_.report(), file_.robot));
    const std::uint64_t sample = summary_.worst_sample();
    answer.add(summary_.sections(
        sample == 0 ? WorstArm{}
                    : worst_arm(draws_, sample, motion_, summary_.nominal(), summary_.scales())));
    answer.add(more);
    write_worst(worst);
    std::vector<std::string> warnings = joined({log_warnings(log_.report()), summary_.remarks()});
    const bool is_answer = options_.output.output.empty();
    if (is_answer && !options_.output.json) print_warnings(std::exchange(warnings, {}));
    answer.warnings = warnings;
    return {summary_of(answer, options_.output), options_.output.json, is_answer,
            options_.strict && summary_.broken() > 0 ? Ending::no : Ending::done};
  }

 private:
  HeldMotion held_motion() {
    print_recognised(input_.name(), log_.plan(), options_.output);
    return {log_, input_.name(), static_cast<unsigned>(options_.output.threads)};
  }

  /// The arm of drawn parameters, beside which those of --set stay, and changed by the same options.
  [[nodiscard]] RobotOfParameters arm_of_parameters() const {
    return [this](const ParameterValues& drawn) {
      ParameterValues values = drawn;
      values.insert(options_.robot.set.begin(), options_.robot.set.end());
      try {
        Robot robot = file_.of_parameters(values);
        edit(robot, options_.robot);
        return robot;
      } catch (const InputError& error) {
        std::vector<std::string> texts;
        for (const auto& [name, parameter] : drawn) {
          texts.push_back(fmt::format("{}={}", name, parameter.value));
        }
        throw InputError(fmt::format("{}: --uncertainty draws an arm that cannot be, {}:\n{}",
                                     in_one_line(file_.path), fmt::join(texts, ", "),
                                     error.what()));
      }
    };
  }

  void write_worst(std::unique_ptr<OutputFile>& file) const {
    const std::uint64_t sample = summary_.worst_sample();
    if (sample == 0) file.reset();
    if (!file) return;
    const std::string what = fmt::format("sample {} of armdyn vary --uncertainty {} --seed {}",
                                         sample, options_.uncertainty_text, options_.seed);
    file->write(robot_yaml(draws_(sample).robot, what));
  }

  const VaryOptions& options_;
  RobotFile file_;
  InputFile input_;
  LogReader log_;
  HeldMotion motion_;
  RobotSampler draws_;
  CountedRows samples_;
  VarySummary summary_;
};

class VaryJob final : public RowJob {
 public:
  explicit VaryJob(const VaryOptions& options) : arms_(options), writer_(npy_format) {
    add_arm_columns(writer_, arms_.robot());
  }

  [[nodiscard]] Json identity() const override { return arms_.identity(); }
  [[nodiscard]] std::vector<RowRange> split(std::uintmax_t rows_of_each) const override {
    return arms_.samples().split(rows_of_each);
  }
  [[nodiscard]] std::string head(std::uintmax_t rows) const override {
    return writer_.columns().head(rows);
  }
  [[nodiscard]] std::size_t row_bytes() const override { return writer_.columns().row_bytes(); }

  [[nodiscard]] Done run(const RowRange& range) override {
    Done done;
    arms_.samples().keep(range);
    BlockJob<ArmRows> job = arms_.job();
    job.in_order = [&](const Table& in, const ArmRows& rows) {
      writer_.append_rows(done.bytes, in, rows);
    };
    run_blocks(arms_.samples(), {}, job);
    return done;
  }

  [[nodiscard]] Said finish(const std::vector<Json>& /*summaries*/, const std::string& file,
                            const Json& more) override {
    constexpr std::uintmax_t rows_at_a_time = 4096;
    const InputFile array(file);
    ArmRows rows;
    std::string bytes;
    for (std::uintmax_t at = head(0).size(); at < *array.size(); at += bytes.size()) {
      const std::uintmax_t left = (*array.size() - at) / row_bytes();
      const auto count = static_cast<std::size_t>(std::min(left, rows_at_a_time));
      bytes.resize(count * row_bytes());
      array.read_at(at, bytes.data(), bytes.size());
      resize(rows, row_bytes() / sizeof(double), count);
      for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t column = 0; column < rows.size(); ++column) {
          std::memcpy(&rows[column][row], &bytes[row * row_bytes() + column * sizeof(double)],
                      sizeof(double));
        }
      }
      arms_.summary().add(rows);
    }
    auto worst = arms_.open_worst();
    Said said = arms_.answer(more, worst);
    OutputFile::commit({worst.get()});
    return said;
  }

 private:
  mutable ManyArms arms_;
  BlockWriter<ArmRows> writer_;
};

}  // namespace

Ending run(const VaryOptions& options) {
  ManyArms arms(options);
  const auto output = open_if_named(table_target(options.output.output));
  auto worst = arms.open_worst();
  std::optional<BlockWriter<ArmRows>> writer;
  BlockJob<ArmRows> job = arms.job();
  if (output) {
    writer.emplace(*output);
    add_arm_columns(*writer, arms.robot());
    writer->print(job);
  }
  RowRange range{.rows = static_cast<std::uintmax_t>(options.samples)};
  WrittenRows written;
  if (options.part) {
    range = rows_of_part(arms.samples(), *options.part);
    job.written = &written;
  }
  arms.samples().keep(range);
  ProgressLine progress(range.rows, options.output.quiet);
  job.in_order = [&](const Table&, const ArmRows& rows) { arms.summary().add(rows); };
  job.progress = [&](const Progress& done) { progress.show(done.rows, done.rows); };
  run_blocks(arms.samples(), {}, job);
  progress.clear();

  const RowJob::Said said = arms.answer(Json::object(), worst);
  OutputFile::commit({worst.get(), output.get()},
                     options.part ? part_trailer(*options.part, arms.identity(), written) : "");
  print(said);
  return said.ending;
}

std::unique_ptr<RowJob> row_job(const VaryOptions& options) {
  return std::make_unique<VaryJob>(options);
}

}  // namespace armdyn
