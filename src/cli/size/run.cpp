// armdyn size: do the drives and the supply carry this motion?

#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/options/adjustable_rows.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/value_text.hpp"
#include "cli/size/options.hpp"
#include "log/log_reader.hpp"
#include "math/each.hpp"
#include "math/statistics.hpp"

namespace armdyn {

namespace {

/// Sizes a cycle as its rows are read.
class CycleReader {
 public:
  CycleReader(const LogReader& log, const Robot& robot, bool keeps_rows)
      : at_(motion_columns(log.plan())),
        time_(log.plan().first(Quantity::time)),
        dof_(robot.dof()),
        read_{cycle_sizer(robot, keeps_rows), keeps_rows, {}, {}} {}

  void add(const Table& block) {
    if (!time_) return;
    const auto columns = [&](std::size_t first, std::size_t count) {
      const auto begin = block.columns.begin() + static_cast<std::ptrdiff_t>(first);
      return Columns(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    Cycle rows{columns(at_.q, dof_),    columns(*at_.qd, dof_),
               columns(*at_.qdd, dof_), at_.wrench ? columns(*at_.wrench, 6) : Columns{},
               block.columns[*time_],   {}};
    if (rows.t.empty()) return;
    rows.set_steps();
    if (before_) rows.steps[0] = time_step(*before_, rows.t[0]);
    before_ = rows.t.back();
    for (const std::size_t row : block.breaks) rows.steps[row] = 0.0;
    for (const double step : rows.steps) takes_time_ = takes_time_ || step > 0.0;
    for (std::size_t row = 0; row < rows.t.size();) {
      const std::size_t end = std::min(rows.t.size(), row + rows_of_piece - piece_.t.size());
      piece_.append(rows, row, end);
      row = end;
      if (piece_.t.size() == rows_of_piece) add_piece();
    }
  }

  /// Throws InputError unless time passes.
  [[nodiscard]] ReadCycle take(const std::string& file) {
    add_piece();
    if (time_ && read_.rows == 0) {
      throw InputError(file + ": the motion has a header but no rows");
    }
    if (takes_time_) return std::move(read_);
    throw InputError(file +
                     ": a cycle needs times; expected a column t that increases, or --log-rate");
  }

 private:
  // Sums go piece by piece, so that they are the same from a file and from arrays, whose blocks differ.
  static constexpr std::size_t rows_of_piece = 1024;

  void add_piece() {
    if (!piece_.t.empty()) read_.add(std::exchange(piece_, {}));
  }

  MotionColumns at_;
  std::optional<std::size_t> time_;
  std::size_t dof_;
  bool takes_time_ = false;
  std::optional<double> before_;
  Cycle piece_;
  ReadCycle read_;
};

}  // namespace

void ReadCycle::add(const Cycle& block) {
  sizer.add(block);
  if (keeps_rows) all.append(block);
  if (rows == 0) {
    for (int end = 0; end < 2; ++end) ends.append(block, block.t.size() - 1);
    for (std::size_t i = 0; i < block.q.size(); ++i) ends.q[i][0] = block.q[i][0];
    ends.t[0] = block.t[0];
  }
  rows += block.t.size();
  Cycle last;
  last.append(block, block.t.size() - 1);
  for (const auto columns : {&Cycle::q, &Cycle::qd, &Cycle::qdd, &Cycle::wrench}) {
    for (std::size_t i = 0; i < (last.*columns).size(); ++i) {
      (ends.*columns)[i][1] = (last.*columns)[i][0];
    }
  }
  ends.t[1] = last.t[0];
  for (std::size_t i = 0; i < block.qd.size(); ++i) {
    const auto [least, most] = bounds_of(block.qd[i]);
    ends.qd[i][0] = std::max({std::abs(ends.qd[i][0]), most, -least});
  }
}

static std::optional<AdjustableTorque> adjustable_cycle(const SizeAnswer& answer,
                                                        const Robot& robot) {
  const Cycle& cycle = answer.cycle;
  AdjustableRows rows(robot);
  const bool has_wrench = !cycle.wrench.empty();
  for (std::size_t row = 0; row < cycle.t.size(); ++row) {
    const auto at_row = [row](const std::vector<double>& column) { return column[row]; };
    const std::vector<double> q = each(cycle.q, at_row), qd = each(cycle.qd, at_row),
                              qdd = each(cycle.qdd, at_row), w = each(cycle.wrench, at_row);
    rows.add(cycle.t[row], {q, qd, qdd},
             has_wrench ? Wrench{{w[0], w[1], w[2]}, {w[3], w[4], w[5]}} : Wrench{});
  }
  std::optional<AdjustableTorque> adjustable =
      rows.finish(has_wrench, each(answer.sizing.drives, &DriveNeed::rms));
  for (std::size_t i = 0; adjustable && i < robot.dof(); ++i) {
    adjustable->has_plain_gear.push_back(answer.sizing.drives[i].is_single &&
                                         robot.joints[i].motor.efficiency == Efficiency{});
  }
  return adjustable;
}

Answer size(const SizeOptions& options, Run& run) {
  run.require_motion(options.motion);
  LogReader& log = run.log(options.motion, options.log, {Quantity::contact_wrench});
  const RobotFile& file = run.robot();
  const Robot& robot = file.robot;
  CycleReader reader(
      log, robot,
      run.wants_curves() || !options.catalog.empty() || !options.uncertainty.text.empty());
  BlockJob<> job;
  job.in_order = [&](const Table& block, const Nothing&) { reader.add(block); };
  run.blocks(log, job);
  ReadCycle cycle = reader.take(log.input().name());
  Answer answer{run.document()};
  Document& document = answer.document;
  if (run.wants_arm()) {
    document.views.q = each(cycle.all.q, [&](const std::vector<double>& q) -> Curve {
      return {"", cycle.all.t, q};
    });
  }
  const SizeAnswer found = size_answer(run, std::move(cycle), options);
  if (run.wants_curves()) document.views.figures = {size_figure(robot, found, options)};
  if (run.wants_arm()) document.views.adjustable = adjustable_cycle(found, robot);
  document.add(found.sections);
  document.add(log_sections(log.report(), robot));
  document.warnings = joined({log_warnings(log.report()), found.warnings});
  if (!found.passes) answer.ending = Ending::no;
  return answer;
}

void declare(OptionList& list, SizeOptions& options) {
  declare_robot(list, options.robot);
  declare_motion(list, options.motion, "one cycle: CSV or .npy file with t,q1..,qd1..,qdd1..");
  list.option("--hold", "SECONDS", options.hold, parse_duration_or_zero,
              "hold the final position for this time, s (default: 0)");
  list.option("--safety", "FACTOR", options.safety, parse_positive_number,
              "safety factor against the ratings (default: 1)");
  declare_uncertainty(list, options.uncertainty);
  list.option("--catalog", "FILE", options.catalog, as_written,
              "CSV catalog, or a shipped one: list drives that pass, lightest first");
  declare_plot(list, options.plot, "torques within their curves, temperatures, power of the bus");
  declare_log(list, options.log);
  declare_output(list, options.output);
}

Verb size_verb() {
  return verb<SizeOptions>(
      "size", "Drive sizing: motors, gears and supply for a duty cycle",
      "  armdyn trajectory scara-quill --from 0,0,0 --to 1.2,-0.8,30 --duration 1 -o cycle.csv\n"
      "  armdyn size scara-quill cycle.csv --hold 0.5\n"
      "  armdyn size scara-quill cycle.csv --safety 1.3 --json -o sizing.json\n"
      "  armdyn size scara-quill cycle.csv --catalog made-up-drives --plot drives.svg\n"
      "  armdyn size puma560 puma560-pick-and-place --payload 2 --uncertainty "
      "mass=5%,payload=10%\n",
      declare, size);
}

}  // namespace armdyn
