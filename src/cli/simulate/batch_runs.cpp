#include "cli/simulate/batch_runs.hpp"

#include <armdyn/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/file/interrupt.hpp"
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

void RunNumbers::pass(Table& parsed, bool is_end, Table& group) {
  if (is_end) {
    group.resize(parsed.columns.size(), 0);
    return;
  }
  std::swap(group, parsed);  // no copy
  group.first_row = numbered_;
  numbered_ += group.rows;
}

void NotesByGroup::put(const Table& group, GroupNotes notes) {
  const std::lock_guard lock(mutex_);
  notes_[group.first_row] = std::move(notes);
}

GroupNotes NotesByGroup::take(const Table& group) {
  const std::lock_guard lock(mutex_);
  return std::move(notes_.extract(group.first_row).mapped());
}

void BatchLayout::add_to(GroupWriter& writer) const {
  writer.add(Quantity::run, dof, From::result, run);
  writer.add(Quantity::run_end, dof, From::result, exit);
  writer.add(Quantity::time, dof, From::result, t);
  writer.add(Quantity::position, dof, From::result, q());
  writer.add(Quantity::velocity, dof, From::result, qd());
  writer.add(Quantity::acceleration, dof, From::result, qdd());
  writer.add(Quantity::torque, dof, From::result, tau());
  if (has_wrench) writer.add(Quantity::hand_wrench, dof, From::result, wrench());
  writer.add(Quantity::energy_audit, dof, From::result, energy());
}

std::optional<std::vector<double>> BatchWorker::values(const Table& group, std::size_t row,
                                                       Quantity quantity) const {
  const std::optional<std::size_t> first = source_.plan.first(quantity);
  if (!first) return {};
  std::vector<double> result;
  for (std::size_t i = 0; i < column_names(quantity, layout_.dof).size(); ++i) {
    result.push_back(group.columns[*first + i][row]);
  }
  return result;
}

/// The torques over time of one run, if it has such.
BatchWorker::File BatchWorker::file_of(const Table& group, std::size_t row) const {
  if (!source_.plan.text_cell) return source_.torques;
  const std::string& name = group.texts[row];
  const auto where = [&] {
    return fmt::format("{}: column \"{}\": ", place(source_.file, group, row), torque_file_column);
  };
  if (name.empty() || name == "-") {
    throw InputError(where() + (name.empty() ? "found an empty cell" : "found \"-\"") +
                     ", expected the name of a file with torques");
  }
  const bool is_absolute = name.front() == '/';
  try {
    return source_.files.get(is_absolute ? name : source_.folder + name);
  } catch (const FileError& error) {
    throw FileError(where() + error.what());
  }
}

BatchRun BatchWorker::run_of(const Table& group, std::size_t row, const File& file) const {
  const std::vector<double> zero(layout_.dof);
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
  if (const auto w = values(group, row, Quantity::hand_wrench)) {
    run.hand = {{(*w)[0], (*w)[1], (*w)[2]}, {(*w)[3], (*w)[4], (*w)[5]}};
  }
  return run;
}

void BatchWorker::operator()(const Table& group, Table& result) {
  std::vector<File> files;
  std::vector<BatchRun> runs;
  for (std::size_t row = 0; row < group.rows; ++row) {
    files.push_back(file_of(group, row));
    runs.push_back(run_of(group, row, files.back()));
  }
  const std::vector<BatchResult> found = simulation_(runs);
  result.resize(layout_.columns(), group.rows);
  GroupNotes notes;
  const std::optional<std::size_t> number = source_.plan.first(Quantity::run);
  for (std::size_t row = 0; row < group.rows; ++row) {
    const BatchResult& one = found[row];
    if (one.end == SimulationEnd::stopped) throw Interrupted();
    write(one,
          number ? group.columns[*number][row] : static_cast<double>(group.first_row + row + 1),
          result, row);
    if (!one.failure.empty()) notes.failures.push_back({row, one.failure});
    if (one.coarse_step) {
      ++notes.coarse_runs;
      if (one.coarse_step->is_worse_than(notes.coarsest)) notes.coarsest = one.coarse_step;
    }
    if (files[row] && one.t > files[row]->samples.back().t) ++notes.held_runs;
    notes.steps += one.steps;
  }
  notes_.put(group, std::move(notes));
}

void BatchWorker::write(const BatchResult& found, double number, Table& result,
                        std::size_t row) const {
  std::size_t column = 0;
  const auto add = [&](double value) {
    result.columns[column++][row] = value + 0.0;  // no -0
  };
  add(number);
  add(exit_code(ending(found.end)));
  add(found.limit ? static_cast<double>(found.limit->joint + 1) : 0.0);
  add(found.t);
  for (const std::vector<double>* group : {&found.q, &found.qd, &found.qdd, &found.tau}) {
    for (const double value : *group) add(value);
  }
  if (layout_.has_wrench) {
    const auto& [f, n] = found.hand;
    for (const double value : {f.x, f.y, f.z, n.x, n.y, n.z}) add(value);
  }
  add(found.energy.work);
  add(found.energy.losses);
  add(found.energy.imbalance());
}

}  // namespace armdyn
