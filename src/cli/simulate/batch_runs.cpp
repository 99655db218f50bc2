#include "cli/simulate/batch_runs.hpp"

#include <armdyn/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "io/file/interrupt.hpp"
#include "math/rigid.hpp"
#include "report/simulation_summary.hpp"

namespace armdyn {

namespace {

bool has_column(const Header& header, const std::string& name) {
  return std::find(header.cells.begin(), header.cells.end(), name) != header.cells.end();
}

std::string place(const std::string& file, const Table& group, std::size_t row) {
  return fmt::format("{}:{}", file, group.lines[row]);
}

}  // namespace

ColumnPlan plan_batch(const Header& header, const Robot& robot, bool has_torques,
                      ExtraColumns extra) {
  const bool has_files = has_column(header, torque_file_column);
  const auto refuse = [&](const std::string& what) {
    throw InputError(fmt::format("{}: {}", place_text(header), what));
  };
  if (has_files && header.line == 0) {
    refuse(fmt::format("column \"{}\" names files, which an array cannot; write the batch as CSV",
                       torque_file_column));
  }
  if (has_files && has_torques) {
    refuse(fmt::format("column \"{}\" and TORQUES exclude each other", torque_file_column));
  }
  const bool over_time = has_files || has_torques;
  // An array without names is known by the groups that it must have.
  const Need state = over_time && header.is_written ? Need::optional : Need::required;
  ColumnPlan plan = plan_columns(header, robot,
                                 {{Quantity::run, Need::optional},
                                  {Quantity::time, Need::optional},
                                  {Quantity::position, state},
                                  {Quantity::velocity, Need::optional},
                                  {Quantity::acceleration, Need::optional},
                                  {Quantity::torque, Need::optional},
                                  {Quantity::hand_wrench, Need::optional}},
                                 {.extra = extra, .text_column = torque_file_column});
  for (const Quantity constant : {Quantity::torque, Quantity::hand_wrench}) {
    if (!over_time || !plan.has(constant)) continue;
    refuse(fmt::format("columns {} and {} exclude each other",
                       range_text(column_names(constant, robot.dof())),
                       has_files ? fmt::format("\"{}\"", torque_file_column) : "TORQUES"));
  }
  return plan;
}

BatchWriter::BatchWriter(GroupWriter writer, std::size_t dof, bool has_wrench)
    : writer_(std::move(writer)), has_wrench_(has_wrench) {
  for (const Quantity quantity :
       {Quantity::run, Quantity::run_end, Quantity::time, Quantity::position, Quantity::velocity,
        Quantity::acceleration, Quantity::torque}) {
    writer_.add(quantity, dof);
  }
  if (has_wrench) writer_.add(Quantity::hand_wrench, dof);
  writer_.add(Quantity::energy_audit, dof);
  writer_.allow_unknown();  // of a run that failed
}

void BatchWriter::append_rows(std::string& bytes, const BatchOutcomes& runs) const {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Columns columns;
  for (std::size_t row = 0; row < runs.size(); ++row) {
    std::size_t column = 0;
    const auto add = [&](double value) {
      if (row == 0) columns.emplace_back(runs.size());
      columns[column++][row] = value;
    };
    const BatchResult& found = runs[row].result;
    add(runs[row].run);
    add(exit_code(ending(found.end)));
    add(found.limit ? static_cast<double>(found.limit->joint + 1) : 0.0);
    add(found.t);
    for (const std::vector<double>* group : {&found.q, &found.qd, &found.qdd, &found.tau}) {
      for (const double value : *group) add(value);
    }
    if (has_wrench_) {
      for (const double value : stacked(found.hand)) add(value);
    }
    for (const double energy : {found.energy.work, found.energy.losses, found.energy.imbalance()}) {
      add(std::isfinite(energy) ? energy : unknown);
    }
  }
  writer_.append_rows(bytes, places(std::as_const(columns)), runs.size());
}

std::optional<std::vector<double>> BatchWorker::values(const Table& group, std::size_t row,
                                                       Quantity quantity) const {
  const std::optional<std::size_t> first = source_.plan.first(quantity);
  if (!first) return {};
  std::vector<double> result;
  for (std::size_t i = 0; i < column_names(quantity, dof_).size(); ++i) {
    result.push_back(group.columns[*first + i][row]);
  }
  return result;
}

void BatchSource::with_torque_file(const Table& group, std::size_t row,
                                   const std::function<void(const std::string& path)>& use) const {
  const std::string& name = group.texts[row];
  const auto where = [&] {
    return fmt::format("{}: column \"{}\": ", place(file, group, row), torque_file_column);
  };
  if (name.empty() || name == "-") {
    throw InputError(where() + (name.empty() ? "found an empty cell" : "found \"-\"") +
                     ", expected the name of a file with torques");
  }
  const bool is_absolute = name.front() == '/';
  try {
    use(is_absolute ? name : folder + name);
  } catch (const FileError& error) {
    throw FileError(where() + error.what());
  }
}

/// The torques over time of one run, if it has such.
BatchWorker::File BatchWorker::file_of(const Table& group, std::size_t row) const {
  if (!source_.plan.text_cell) return source_.torques;
  File file;
  source_.with_torque_file(group, row,
                           [&](const std::string& path) { file = source_.files.get(path); });
  return file;
}

BatchRun BatchWorker::run_of(const Table& group, std::size_t row, const File& file) const {
  const std::vector<double> zero(dof_);
  const auto state = [&](Quantity quantity, const auto& of_file) {
    const auto given = values(group, row, quantity);
    return given ? *given : file ? of_file(*file).value_or(zero) : zero;
  };
  BatchRun run;
  run.q0 = state(Quantity::position, [](const TorqueFile& f) { return f.first_q; });
  run.qd0 = state(Quantity::velocity, [](const TorqueFile& f) { return f.first_qd; });
  const auto start = values(group, row, Quantity::time);
  run.start = start ? start->front() : file ? file->samples.front().t : 0.0;
  if (file) {
    run.input = [file, interpolation = source_.interpolation] {
      return torques_of(file, interpolation);
    };
    return run;
  }
  run.tau = values(group, row, Quantity::torque).value_or(zero);
  if (const auto w = values(group, row, Quantity::hand_wrench)) run.hand = wrench_of(*w);
  return run;
}

void BatchWorker::operator()(const Table& group, BatchOutcomes& outcomes) {
  std::vector<File> files;
  std::vector<BatchRun> runs;
  for (std::size_t row = 0; row < group.rows; ++row) {
    files.push_back(file_of(group, row));
    runs.push_back(run_of(group, row, files.back()));
  }
  std::vector<BatchResult> found = simulation_(runs);
  const std::optional<std::size_t> number = source_.plan.first(Quantity::run);
  outcomes.clear();
  for (std::size_t row = 0; row < group.rows; ++row) {
    BatchResult& result = found[row];
    if (result.end == SimulationEnd::stopped) throw Interrupted();
    const bool is_held = files[row] && result.t > files[row]->samples.back().t;
    outcomes.push_back(
        {number ? group.columns[*number][row] : static_cast<double>(group.first_row + row + 1),
         std::move(result), is_held});
  }
}

}  // namespace armdyn
