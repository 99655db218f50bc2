#include "log/log_reader.hpp"

#include <fmt/format.h>
#include <armdyn/identification.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "io/file/interrupt.hpp"
#include "log/rate_check.hpp"
#include "log/side_by_side.hpp"
#include "math/each.hpp"
#include "math/hypotenuse.hpp"
#include "math/require.hpp"
#include "math/rigid.hpp"
#include "math/rotation.hpp"
#include "model/check.hpp"
#include "model/proximal_form.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

std::vector<WantedGroup> wanted_columns(const LogOptions& log, const std::vector<Quantity>& also,
                                        const Rates& needed) {
  const bool needs_time = !log.rate && (log.derive || log.resample || log.from_time || log.to_time);
  const std::string_view derive = "--derive computes qd and qdd from q";
  const auto rate = [&](Quantity quantity, bool is_needed) {
    return WantedGroup{quantity, is_needed && !log.derive ? Need::required : Need::optional,
                       derive};
  };
  std::vector<WantedGroup> wanted{{Quantity::time, needs_time ? Need::required : Need::optional,
                                   "--log-rate HZ is for rows at equal times without t"},
                                  {Quantity::position, Need::required}};
  if (log.smooth) {
    wanted.push_back({Quantity::velocity, Need::looked_at});
    wanted.push_back({Quantity::acceleration, Need::looked_at});
  } else {
    wanted.push_back(rate(Quantity::velocity, needed.qd));
    wanted.push_back(rate(Quantity::acceleration, needed.qdd));
  }
  for (const Quantity quantity : also) wanted.push_back({quantity, Need::optional});
  return wanted;
}

/// Tests whether rows that cannot be read are left out.
bool leaves_out(const LogOptions& options) {
  return options.gaps == Gaps::skip || options.gaps == Gaps::bridge;
}

ColumnPlan plan_log(const LogOptions& options, const Header& header, const Robot& robot,
                    const std::vector<Quantity>& also, const Rates& needed) {
  ColumnPlan plan = plan_columns(header, robot, wanted_columns(options, also, needed),
                                 {.ignore_extra = options.ignore_extra,
                                  .choices = options.columns,
                                  .may_have_no_header = true,
                                  .takes_currents = true,
                                  .leaves_out_unmeasured = true});
  if (leaves_out(options)) {
    plan.bad_rows = BadRows::leave_out;
  } else {
    plan.remedy = rows_remedy;
  }
  return plan;
}

}  // namespace

LogReader::LogReader(const LogOptions& options, TableInput input, const Robot& robot,
                     const std::vector<Quantity>& also, const Rates& needed)
    : input_(std::move(input)),
      table_(input_.open({.keeps_bad_rows = leaves_out(options)},
                         options.no_header ? HeaderLine::absent : HeaderLine::written)),
      parsed_(plan_log(options, table_->header(), robot, also, needed)),
      rows_(options, parsed_, robot, input_.name(), table_->file_of_lines()) {}

namespace {

/// Required columns: "t,tau1..tau6".
std::string header_example(const Robot& robot, const std::vector<WantedGroup>& wanted) {
  std::string text;
  for (const WantedGroup& group : wanted) {
    if (group.need == Need::optional) continue;
    if (!text.empty()) text += ',';
    text += range_text(column_names(group.quantity, robot.dof()));
  }
  return text;
}

}  // namespace

RowReader::RowReader(TableInput input, const Robot& robot, const std::vector<WantedGroup>& wanted,
                     const ColumnOptions& columns, HeaderLine header)
    : input_(std::move(input)),
      table_(input_.open({.live = true}, header, header_example(robot, wanted))),
      plan_(plan_columns(table_->header(), robot, wanted, columns)) {
  if (plan_.steps.empty()) return;
  throw InputError(input_.name() +
                   ": --columns: unwrap, NAME+NAME and NAME@TIME are for motions and logs");
}

bool RowReader::next() {
  if (in_block_ && ++row_ < block_.rows) return true;
  do {
    if (!table_->next(text_)) return false;
    bytes_read_ += text_.size();
    table_->parse(text_, plan_, block_);
  } while (block_.rows == 0);
  row_ = 0;
  in_block_ = true;
  return true;
}

std::vector<double> RowReader::at(std::size_t first, std::size_t count) const {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = at(first + i);
  return values;
}

std::string RowReader::place() const {
  return fmt::format("{}:{}", table_->file_of_lines(), block_.lines[row_]);
}

InputError RowReader::wrong(const std::string& what) const {
  return InputError(place() + ": " + what);
}

namespace {

/// Time of the current row. Throws InputError where it is not later than the one before.
double later_time(const RowReader& reader, std::size_t column,
                  const std::optional<double>& before) {
  const double t = reader.at(column);
  if (before && t <= *before) {
    throw reader.wrong(
        fmt::format("t is {} after {}, it must increase from row to row", t, *before));
  }
  return t;
}

/// Appends the time of the current row, which must increase.
void append_time(const RowReader& reader, std::size_t column, std::vector<double>& times) {
  std::optional<double> before;
  if (!times.empty()) before = times.back();
  times.push_back(later_time(reader, column, before));
}

}  // namespace

std::vector<WantedGroup> motion_groups() {
  constexpr std::string_view derive =
      "armdyn torque --derive --keep-motion computes qd and qdd from q";
  return {{Quantity::time, Need::required},
          {Quantity::position, Need::required},
          {Quantity::velocity, Need::required, derive},
          {Quantity::acceleration, Need::required, derive}};
}

RecordedRows read_motion(RowReader& reader, const Robot& robot, Doubts& doubts) {
  RecordedRows rows;
  RateCheck rates(reader.plan(), robot, {});  // track has no --columns
  const std::pair<Quantity, std::vector<double>*> groups[] = {{Quantity::position, &rows.q},
                                                              {Quantity::velocity, &rows.qd},
                                                              {Quantity::acceleration, &rows.qdd}};
  while (reader.next()) {
    append_time(reader, *reader.plan().first(Quantity::time), rows.t);
    for (const auto& [quantity, values] : groups) {
      append(*values, reader.at(*reader.plan().first(quantity), robot.dof()));
    }
    const auto last = [&](const std::vector<double>& values) {
      return std::span(values).last(robot.dof());
    };
    rates.add(rows.t.back(), last(rows.q), last(rows.qd), last(rows.qdd));
  }
  if (rows.t.size() < 2) {
    throw InputError(fmt::format("{}: found {}, a motion has at least 2", reader.input().name(),
                                 counted(rows.t.size(), "row")));
  }
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    rates.reach(i, each(in_order(rows.t.size()),
                        [&](std::size_t row) { return rows.q[row * robot.dof() + i]; }));
  }
  const Doubts found = rates.doubts();
  doubts = {reader.remarks(), found.are_misread};
  append(doubts.sentences, found.sentences);
  return rows;
}

std::vector<WantedGroup> waypoint_groups() {
  return {{Quantity::time, Need::optional},
          {Quantity::position, Need::required, {}, Quantity::tcp_position},
          {Quantity::tcp_position, Need::optional},
          {Quantity::tcp_angles, Need::optional},
          {Quantity::tcp_quaternion, Need::optional},
          {Quantity::dwell, Need::optional},
          {Quantity::blend, Need::optional}};
}

namespace {

/// Values of a group in the current row; nothing without the group, or if its cells are empty.
std::optional<std::vector<double>> given(const RowReader& reader, Quantity quantity,
                                         std::size_t dof) {
  const std::optional<std::size_t> first = reader.plan().first(quantity);
  if (!first) return {};
  const std::vector<std::string> names = column_names(quantity, dof);
  std::vector<double> values = reader.at(*first, names.size());
  const auto is_empty = [](double value) { return std::isnan(value); };
  if (std::ranges::all_of(values, is_empty)) return {};
  const auto missing = std::ranges::find_if(values, is_empty);
  if (missing == values.end()) return values;
  throw reader.wrong(fmt::format("{} is empty, {} must all be there or none",
                                 names[static_cast<std::size_t>(missing - values.begin())],
                                 range_text(names)));
}

std::optional<TcpGoal> tcp_goal(const RowReader& reader) {
  constexpr double whole = 1e-3;  // of a written quaternion's length from 1
  const auto place = given(reader, Quantity::tcp_position, 0);
  const auto angles = given(reader, Quantity::tcp_angles, 0);
  const auto quaternion = given(reader, Quantity::tcp_quaternion, 0);
  if (!place && !angles && !quaternion) return {};
  if (!place) throw reader.wrong("has an orientation of the TCP without its position x, y, z");
  if (angles && quaternion) {
    throw reader.wrong("has roll, pitch, yaw and qx..qw; leave one of them empty");
  }
  for (std::size_t k = 0; angles && k < 3; ++k) {
    if (!looks_like_degrees((*angles)[k])) continue;
    throw reader.wrong(
        fmt::format("roll, pitch, yaw: found {} rad, which looks like degrees; name "
                    "the columns roll[deg], pitch[deg], yaw[deg]",
                    (*angles)[k]));
  }
  Placement placement{{(*place)[0], (*place)[1], (*place)[2]}, {}};
  if (angles) placement.rpy = {(*angles)[0], (*angles)[1], (*angles)[2]};
  TcpGoal goal{placed(placement), !angles && !quaternion};
  if (quaternion) {
    const Vec3 v{(*quaternion)[0], (*quaternion)[1], (*quaternion)[2]};
    const double sine = length(v), cosine = (*quaternion)[3], size = hypotenuse(sine, cosine);
    if (std::abs(size - 1.0) > whole) {
      throw reader.wrong(fmt::format("(qx, qy, qz, qw) has the length {:.6g}, expected 1", size));
    }
    if (sine > 0.0) goal.tcp.R = rotation_about(2.0 * std::atan2(sine, cosine) / sine * v);
  }
  return goal;
}

WantedWaypoint wanted_waypoint(const RowReader& reader, const Robot& robot) {
  WantedWaypoint wanted{given(reader, Quantity::position, robot.dof()), tcp_goal(reader)};
  if (wanted.q && wanted.tcp) {
    throw reader.wrong("has joint positions and a TCP position; leave one of them empty");
  }
  if (!wanted.q && !wanted.tcp) {
    throw reader.wrong("has neither joint positions nor a TCP position");
  }
  const std::string move = reader.text();
  wanted.on_line = move == "line";
  if (wanted.on_line || move == "joint" || move.empty()) return wanted;
  throw reader.wrong(
      fmt::format("{} is {}, expected joint or line", move_column, shown_text(move)));
}

}  // namespace

Waypoints read_waypoints(RowReader& reader, const Robot& robot, const AddWaypoint& add) {
  const std::optional<std::size_t> time = reader.plan().first(Quantity::time);
  const auto read = [&](Quantity quantity, std::vector<double>& values) {
    if (!reader.plan().has(quantity)) return 0.0;
    const std::optional<std::vector<double>> found = given(reader, quantity, 1);
    values.push_back(found ? found->front() : 0.0);
    if (values.back() >= 0.0) return values.back();
    throw reader.wrong(fmt::format("{} is {}, it cannot be below 0",
                                   column_names(quantity, 1).front(), values.back()));
  };

  constexpr const char* no_blend =
      "the motion stops where a line begins and ends; leave out the blend there";
  Waypoints waypoints;
  double blend = 0.0;
  bool on_line = false;
  std::string last_row;
  while (reader.next()) {
    last_row = reader.place();
    const WantedWaypoint wanted = wanted_waypoint(reader, robot);
    if (time) append_time(reader, *time, waypoints.t);
    try {
      add(waypoints, wanted);
    } catch (const NumericsError& error) {
      throw NumericsError(reader.place() + ": " + error.what());
    }
    const double dwell = read(Quantity::dwell, waypoints.dwell);
    if (wanted.on_line && time) {
      throw reader.wrong("a line finds its own time; leave out the column t or this line");
    }
    if (blend > 0.0 && on_line != wanted.on_line) throw reader.wrong(no_blend);
    on_line = wanted.on_line && waypoints.q.size() > 1;  // the first is only a begin
    blend = read(Quantity::blend, waypoints.blend);
    if (blend == 0.0) continue;
    if (time) throw reader.wrong("a waypoint with a time t is passed at it; leave out its blend");
    if (dwell > 0.0) throw reader.wrong("has a dwell and a blend; leave out one of them");
  }
  if (blend > 0.0 && on_line) throw InputError(last_row + ": " + no_blend);
  if (const std::size_t count = waypoints.q.size(); count < 2) {
    throw InputError(fmt::format("{}: found {}, expected at least 2", reader.input().name(),
                                 counted(count, "waypoint")));
  }
  return waypoints;
}

TorqueRows::TorqueRows(const TableInput& input, const Robot& robot, const ColumnOptions& columns,
                       Need time)
    : reader_(input, robot,
              {{Quantity::time, time},
               {Quantity::torque, Need::required,
                "armdyn torque --keep-motion computes torques from a motion"},
               {Quantity::contact_wrench, Need::optional},
               {Quantity::position, Need::optional},
               {Quantity::velocity, Need::optional}},
              columns),
      dof_(robot.dof()) {}

std::vector<double> TorqueRows::values(Quantity quantity, std::size_t count) const {
  return reader_.at(*reader_.plan().first(quantity), count);
}

std::optional<std::vector<double>> TorqueRows::q() const {
  if (!has(Quantity::position)) return {};
  return values(Quantity::position, dof_);
}

bool TorqueRows::read_row() {
  try {
    return reader_.next();
  } catch (const Interrupted&) {
    if (!last_t_) throw;
    return false;
  }
}

bool TorqueRows::next(TorqueSample& sample, std::optional<double> due) {
  if (!read_row()) {
    if (last_t_) return false;
    throw InputError(input().name() + ": has a header but no row of torques");
  }
  if (!last_t_) {
    first_q_ = q();
    if (has(Quantity::velocity)) first_qd_ = values(Quantity::velocity, dof_);
  }
  sample.t = has(Quantity::time)
                 ? later_time(reader_, *reader_.plan().first(Quantity::time), last_t_)
                 : due.value();
  if (due && std::abs(sample.t - *due) > 1e-9 * (1.0 + std::abs(*due))) {
    throw reader_.wrong(fmt::format("t is {}, expected {}, that of the state", sample.t, *due));
  }
  last_t_ = sample.t;
  sample.tau = values(Quantity::torque, dof_);
  if (has_wrench()) sample.wrench = wrench_of(values(Quantity::contact_wrench, 6));
  return true;
}

// --- A whole log

Table LogReader::read_all(unsigned threads) {
  Table all;
  all.columns.resize(plan().columns.size());
  BlockJob<> job;
  job.threads = threads;
  job.in_order = [&](const Table& block, const Nothing&) {
    all.columns.resize(block.columns.size());
    for (std::size_t i = 0; i < all.columns.size(); ++i) append(all.columns[i], block.columns[i]);
    for (const std::size_t row : block.breaks) all.breaks.push_back(all.rows + row);
    all.rows += block.rows;
  };
  run(job);
  return all;
}

namespace {

/// Throws std::invalid_argument for options that the command line refuses, too.
void require_possible(const LogOptions& options) {
  const auto is_above_0 = [](double x) { return x > 0.0 && std::isfinite(x); };
  const double dead_zone = options.dead_zone.value_or(0.0);
  require(is_above_0(options.rate.value_or(1.0)), "a log's rate is a finite number above 0");
  require(is_above_0(options.resample.value_or(1.0)), "a log is resampled at a rate above 0");
  require(is_above_0(options.window.value_or(1.0)), "a window is a finite time above 0");
  require(dead_zone >= 0.0 && std::isfinite(dead_zone), "a dead zone is a speed of 0 or more");
  require(std::isfinite(options.from_time.value_or(0.0)) &&
              std::isfinite(options.to_time.value_or(0.0)),
          "the times that a log is read from and to are finite");
  require(options.max_rows > 0.0, "a log's max_rows is above 0");
  require(options.derive || !(options.smooth || options.window || options.derive_errors),
          "smooth, window and derive_errors of a log need derive");
}

}  // namespace

LogRows read_log(const std::string& path, const Robot& robot, const LogOptions& options) {
  require_possible(options);
  LogReader reader(options, open_log(path, robot, options.topics), robot,
                   {Quantity::torque, Quantity::contact_wrench}, Rates{false, false});
  Table all = reader.read_all();
  const std::size_t n = robot.dof();
  const auto take = [&all](std::optional<std::size_t> first, std::size_t width) {
    LogRows::Columns group(first ? width : 0);
    for (std::size_t k = 0; k < group.size() && all.rows > 0; ++k) {
      group[k] = std::move(all.columns[*first + k]);
    }
    return group;
  };
  const auto group = [&](Quantity quantity, std::size_t width) {
    return take(reader.plan().first(quantity), width);
  };
  LogRows found;
  if (reader.plan().has(Quantity::time)) found.t = group(Quantity::time, 1).front();
  found.q = group(Quantity::position, n);
  found.qd = group(Quantity::velocity, n);
  found.qdd = group(Quantity::acceleration, n);
  found.tau = group(Quantity::torque, n);
  found.wrench = group(Quantity::contact_wrench, 6);
  if (options.smooth && !found.tau.empty() && all.rows > 0) {
    const std::size_t beside = reader.beside_smoothed();
    found.smoothing = {take(beside, n), take(beside + n, n), take(beside + 2 * n, n),
                       all.columns[beside + 3 * n].front(),
                       std::move(all.columns[beside + 3 * n + 1])};
  }
  found.report = reader.report();
  return found;
}

}  // namespace armdyn
