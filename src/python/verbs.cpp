// The command line's verbs for values instead of files. Keywords are their options.

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <armdyn/error.hpp>
#include <armdyn/identification.hpp>
#include <armdyn/simulation.hpp>
#include <armdyn/trajectory.hpp>
#include <boost/noncopyable.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>

#include "cli/check/check.hpp"
#include "cli/command_line.hpp"
#include "cli/equations/options.hpp"
#include "cli/inspect/options.hpp"
#include "cli/options/array_run.hpp"
#include "cli/options/option_list.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "cli/simulate/options.hpp"
#include "cli/size/options.hpp"
#include "cli/trajectory/options.hpp"
#include "io/file/interrupt.hpp"
#include "io/file/output_file.hpp"
#include "log/log_reader.hpp"
#include "math/rigid.hpp"
#include "model/shown_text.hpp"
#include "motion/path_limits.hpp"
#include "python/robot.hpp"

namespace armdyn::python {

namespace {

// --- Answers

bool is_number(const Json& value) {
  return std::visit(
      [](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        return std::is_arithmetic_v<Held> && !std::is_same_v<Held, bool>;
      },
      value.held());
}

/// The shape of nested lists of numbers; nothing for other values.
std::optional<std::vector<py::ssize_t>> shape_of(const Json& value) {
  if (is_number(value)) return std::vector<py::ssize_t>{};
  const Json::List& entries = value.entries();
  if (entries.empty()) return std::nullopt;
  const auto first = shape_of(entries.front());
  if (!first) return std::nullopt;
  for (const Json& entry : entries) {
    if (shape_of(entry) != first) return std::nullopt;
  }
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(entries.size())};
  shape.insert(shape.end(), first->begin(), first->end());
  return shape;
}

void append_numbers(const Json& value, std::vector<double>& numbers) {
  if (is_number(value)) numbers.push_back(value.as<double>());
  for (const Json& entry : value.entries()) append_numbers(entry, numbers);
}

/// The value as a Python object, with arrays for lists of numbers.
py::object object_of(const Json& value) {
  return std::visit(
      [&value](const auto& held) -> py::object {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::nullptr_t>) {
          return py::none();
        } else if constexpr (std::is_same_v<Held, Json::Members>) {
          py::dict found;
          for (const auto& [key, entry] : held) found[py::str(key)] = object_of(entry);
          return found;
        } else if constexpr (std::is_same_v<Held, Json::List>) {
          if (const auto shape = shape_of(value)) {
            std::vector<double> numbers;
            append_numbers(value, numbers);
            return owned(std::move(numbers), *shape);
          }
          py::list found;
          for (const Json& entry : held) found.append(object_of(entry));
          return found;
        } else {
          return py::cast(held);
        }
      },
      value.held());
}

/// A Result of that kind with these fields.
py::object record(const char* kind, const py::kwargs& fields) {
  return py::module_::import("armdyn._result").attr(kind)(**fields);
}

/// The data of an answer, made while signals are looked for, as a Result of that kind.
py::object answered(const char* kind, const std::function<Document()>& make) {
  Document answer;
  until_interrupted([&] { answer = make(); });
  return record(kind, object_of(data_of(answer)));
}

/// A verb's answer on values.
struct Called {
  int ending = 0;
  Json data;
  std::string message;
  std::map<std::string, std::string> texts;  ///< artifacts under -o
  std::string rows;                          ///< bytes of a .npy file; empty: none
};

/// Writes a text where a keyword names a file for it. Throws as OutputFile.
void write_named(const Artifact& artifact, const std::vector<NamedOutput>& outputs) {
  const auto named = std::ranges::find(outputs, artifact.option, &NamedOutput::option);
  if (!artifact.text || named == outputs.end() || named->path->empty()) return;
  write_file(*named->path, *artifact.text);
}

/// Runs a verb on a robot, which its keywords have edited, and tables in memory.
Called call(const Robot& robot, const std::string& verb_name, std::vector<std::string> arguments,
            const TablesInMemory& tables, const py::kwargs& options) {
  const std::vector<Verb> verbs = all_verbs();
  const Verb& verb = *std::ranges::find(verbs, verb_name, &Verb::name);
  std::vector<Keyword> words = robot.edits();
  for (Keyword& word : keywords(options)) words.push_back(std::move(word));
  arguments.insert(arguments.begin(), robot.file().path);
  Called called;
  until_interrupted([&] {
    const Answer answer = verb.call(
        arguments, words,
        [&](const RobotOptions* of_robot, const OutputOptions& output,
            const std::vector<NamedOutput>& outputs, const std::function<Answer(Run&)>& work) {
          ArrayRun run(robot.file(), tables, of_robot, output, outputs);
          Answer given = work(run);
          called.rows = run.take_rows();
          for (const Artifact& artifact : given.artifacts) {
            if (artifact.option != "-o") {
              write_named(artifact, outputs);
            } else if (artifact.text) {
              called.texts[artifact.option] = *artifact.text;
            }
          }
          return given;
        });
    called.ending = exit_code(answer.ending);
    called.data = data_of(answer.document);
    called.message = answer.message;
  });
  return called;
}

py::object check(const Robot& robot, const py::kwargs& keywords) {
  const auto options = robot.options<CheckOptions>(keywords);
  return answered("Check", [&] {
    const CheckReport report = examine_file(robot.file().path, options);
    robot.require_unchanged(report.digest);
    return check_answer(report, options);
  });
}

py::object inspect(const Robot& robot, const py::object& q, const py::object& qd,
                   const py::object& qdd, const py::kwargs& keywords) {
  for (const auto& [name, value] : {std::pair("q", q), {"qd", qd}, {"qdd", qdd}}) {
    if (!value.is_none()) keywords[name] = keyword(name, value).value;
  }
  const auto options = robot.options<InspectOptions>(keywords);
  return answered("Inspection", [&] {
    return inspection_answer(armdyn::inspect(robot.model(), options), robot.file(), options);
  });
}

/// The times of a cycle. Throws ValueError unless they have shape (N,), are finite and increase.
std::vector<double> times_of_cycle(const py::object& values) {
  std::optional<std::vector<double>> times = numbers_of(values);
  if (!times || times->size() < 2) {
    throw py::value_error("size: expected t of shape (N,), two times or more");
  }
  for (std::size_t k = 1; k < times->size(); ++k) {
    const double before = (*times)[k - 1], t = (*times)[k];
    if (t > before && std::isfinite(t - before)) continue;
    throw py::value_error(fmt::format(
        "size: t is {} after {} in row {}, expected finite times that increase", t, before, k));
  }
  return *std::move(times);
}

py::object size(const Robot& robot, const py::object& t, const py::object& q, const py::object& qd,
                const py::object& qdd, const py::object& given_hand, const py::kwargs& keywords) {
  const std::size_t n = robot.dof();
  const TableArgument table(robot, t);
  const auto columns = [&table](const py::object& values, std::size_t width, const char* name) {
    const Rows rows(table(name, values), width, name);
    std::vector<std::vector<double>> of_rows(width, std::vector<double>(rows.size()));
    std::vector<double> row(width);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      rows.read(k, row);
      for (std::size_t i = 0; i < width; ++i) of_rows[i][k] = row[i];
    }
    return of_rows;
  };
  const py::object hand = table("hand", given_hand, false);
  Cycle cycle{columns(q, n, "q"),
              columns(qd, n, "qd"),
              columns(qdd, n, "qdd"),
              hand.is_none() ? std::vector<std::vector<double>>{} : columns(hand, 6, "hand"),
              times_of_cycle(table("t", t)),
              {}};
  for (const auto* const all : {&cycle.q, &cycle.qd, &cycle.qdd, &cycle.hand}) {
    if (all->empty() || all->front().size() == cycle.t.size()) continue;
    throw py::value_error(fmt::format("size: expected as many rows as times, {}", cycle.t.size()));
  }
  cycle.set_steps();
  const auto options = robot.options<SizeOptions>(keywords);
  return answered("Sizing", [&] {
    const SizeAnswer found = size_answer(robot.file(), std::move(cycle), options);
    Document answer = answer_frame(robot.file(), options);
    answer.add(found.sections);
    answer.warnings = found.warnings;
    return answer;
  });
}

/// Equations, written down.
struct Equations {
  std::string text;
  std::optional<std::string> latex;  ///< of closed forms
  std::vector<std::string> warnings;
};

Equations equations(const Robot& robot, const py::kwargs& keywords) {
  const auto options = robot.options<EquationsOptions>(keywords);
  Equations written;
  const auto take = [&written](const EquationsAnswer& answer) {
    written = {answer.text, std::nullopt, answer.warnings};
    if (!answer.latex.empty()) written.latex = answer.latex;
  };
  until_interrupted([&] {
    if (options.prove) {
      take(prove_equivalence(options, robot.file()));
    } else if (!options.verify.empty()) {
      take(verify_sheet(options, robot.file()));
    } else if (std::holds_alternative<Markup>(options.form)) {
      take(written_closed_forms(options, robot.file(), true));
    } else if (options.is_as_paper_004) {
      take(written_arrays(options, robot.file()));
    } else {
      written.text = code_text(code_function(options, robot.file()),
                               std::get<Language>(options.form), options.as_float);
    }
  });
  return written;
}

// --- Motions

/// All numbers, row after row.
std::vector<double> numbers_of_rows(const Rows& rows) {
  std::vector<double> numbers(rows.size() * rows.width());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows.read(k, std::span(numbers).subspan(k * rows.width(), rows.width()));
  }
  return numbers;
}

/// Rows of a motion and its torques, quantity by quantity.
struct RowStore : RecordedRows {
  std::vector<double> tau;

  void add(const auto& row) {
    t.push_back(row.t);
    for (const auto& [values, more] : {std::pair(&q, std::span<const double>(row.q)),
                                       {&qd, row.qd},
                                       {&qdd, row.qdd},
                                       {&tau, row.tau}}) {
      values->insert(values->end(), more.begin(), more.end());
    }
  }
};

/// Array (N,), or (N, width).
py::array array_of(std::vector<double>&& values, std::size_t width = 0) {
  const auto size = static_cast<py::ssize_t>(values.size());
  const auto columns = static_cast<py::ssize_t>(width);
  return owned(std::move(values), width == 0 ? std::vector<py::ssize_t>{size}
                                             : std::vector<py::ssize_t>{size / columns, columns});
}

/// Array (N, width) of columns.
py::array array_of_columns(const LogRows::Columns& columns) {
  ColumnsOut out(columns.front().size(), columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) std::ranges::copy(columns[k], out.column(k));
  return ColumnsOut::split(std::move(out), columns.size()).front();
}

/// t, q, qd and qdd, by these names.
py::dict arrays_of(RecordedRows&& rows, std::size_t dof) {
  using namespace py::literals;
  return py::dict("t"_a = array_of(std::move(rows.t)), "q"_a = array_of(std::move(rows.q), dof),
                  "qd"_a = array_of(std::move(rows.qd), dof),
                  "qdd"_a = array_of(std::move(rows.qdd), dof));
}

py::object trajectory(const Robot& robot, const py::object& from, const py::object& to,
                      const py::kwargs& keywords) {
  for (const auto& [name, value] : {std::pair("from", from), {"to", to}}) {
    if (!value.is_none()) keywords[name] = keyword(name, value).value;
  }
  const auto options = robot.options<TrajectoryOptions>(keywords);
  RecordedRows rows;
  Sections sections;
  until_interrupted([&] {
    PlannedMotion plan = plan_motion(options, robot.model());
    sections = std::move(plan.found);
    rows = motion_rows(plan.motion, row_times(plan.motion, options));
  });
  py::dict found = arrays_of(std::move(rows), robot.dof());
  for (const Section& section : sections) {
    found[section.key.c_str()] = object_of(object(std::get<Fields>(section.content)));
  }
  return record("Motion", found);
}

// --- Simulation

bool is_frame(const py::object& argument) {
  return py::module_::import("armdyn._table").attr("is_frame")(argument).cast<bool>();
}

/// File of a log: the one that is named, or a temporary one with a frame's numbers.
struct LogFile : boost::noncopyable {
  explicit LogFile(const py::object& given) {
    if (!is_frame(given)) {
      path = text_or_path(given);
      return;
    }
    folder = py::module_::import("armdyn._table").attr("saved")(given);
    path = folder.attr("name").cast<std::string>() + "/frame.npy";
  }

  ~LogFile() {
    if (folder.is_none()) return;
    try {
      folder.attr("cleanup")();
    } catch (const py::error_already_set&) {  // the folder stays among temporary files
    }
  }

  /// Reads it, in another thread; messages name a frame "frame.npy".
  void read(const std::function<void()>& work) const {
    try {
      until_interrupted(work);
    } catch (const InputError& error) {
      throw InputError(in_message(error.what()));
    }
  }

  /// A text without the temporary folder.
  [[nodiscard]] std::string in_message(std::string text) const {
    constexpr std::string_view name = "frame.npy";
    if (!folder.is_none()) replace_all(text, path.substr(0, path.size() - name.size()), "");
    return text;
  }

  std::string path;
  py::object folder = py::none();
};

/// Torques of Python: None, n numbers for all times, (t, tau), or a table of these, which may have a
/// hand wrench and the state at the start.
struct Torques {
  Torques(const Robot& robot, const py::object& argument) {
    const std::size_t dof = robot.dof();
    const py::object given = pair_of(robot, argument);
    if (given.is_none()) {
      constant.assign(dof, 0.0);
    } else if (is_pair(given)) {
      const auto pair = py::reinterpret_borrow<py::tuple>(given);
      std::optional<std::vector<double>> times = numbers_of(pair[0]);
      samples.emplace(pair[1], dof, "tau");
      if (!times || times->size() != samples->size() || samples->is_one()) {
        throw py::value_error(fmt::format(
            "torque: expected (t, tau) with t of shape (N,) and tau of shape (N, {})", dof));
      }
      if (hand) require_same_size({&*samples, &*hand});
      t = std::move(*times);
    } else {
      const Rows one(given, dof, "torque");
      if (!one.is_one()) {
        throw py::value_error("torque: expected one torque per joint, or (t, tau)");
      }
      constant = numbers_of_rows(one);
    }
  }

  /// Tells (t, tau) from the torques of two joints.
  static bool is_pair(const py::object& given) {
    return py::isinstance<py::tuple>(given) && py::len(given) == 2 &&
           py::hasattr(given[py::int_(0)], "__len__");
  }

  /// The pair (t, tau) of a table, of which it keeps the rest; other arguments unchanged.
  py::object pair_of(const Robot& robot, const py::object& argument) {
    const std::size_t dof = robot.dof();
    if (py::isinstance(argument, py::module_::import("armdyn._result").attr("Result"))) {
      const TableArgument table(robot, argument);
      const auto rows = [&](const char* name, std::size_t width) {
        return optional_rows(table(name, py::none(), false), width, name);
      };
      hand = rows("hand", 6);
      for (const auto& [name, start] : {std::pair("q", &first_q), {"qd", &first_qd}}) {
        const std::optional<Rows> states = rows(name, dof);
        if (!states || states->size() == 0) continue;
        states->read(0, start->emplace(dof));
      }
      return py::make_tuple(table("t", py::none()), table("tau", py::none()));
    }
    if (!is_frame(argument)) return argument;
    const LogFile file(argument);
    std::vector<double> times, torques, wrenches;
    file.read([&] {
      InputFile input(file.path);
      TorqueRows rows(input, robot.model(), false);
      for (TorqueSample sample; rows.next(sample);) {
        times.push_back(sample.t);
        torques.insert(torques.end(), sample.tau.begin(), sample.tau.end());
        if (rows.has_wrench())
          std::ranges::copy(stacked(sample.hand), std::back_inserter(wrenches));
      }
      first_q = rows.first_q();
      first_qd = rows.first_qd();
    });
    if (!wrenches.empty()) hand.emplace(array_of(std::move(wrenches), 6), 6, "hand");
    return py::make_tuple(array_of(std::move(times)), array_of(std::move(torques), dof));
  }

  [[nodiscard]] double start() const { return t.empty() ? 0.0 : t.front(); }

  [[nodiscard]] std::unique_ptr<TorqueInput> input(Interpolation interpolation) const {
    if (!samples) return std::make_unique<ConstantTorque>(constant);
    return std::make_unique<SampledTorque>(
        [this, k = std::size_t{0}](TorqueSample& sample) mutable {
          if (k == t.size()) return false;
          sample.t = t[k];
          sample.tau.resize(samples->width());
          samples->read(k, sample.tau);
          if (hand) {
            std::array<double, 6> wrench{};
            hand->read(k, wrench);
            sample.hand = wrench_of(wrench);
          }
          ++k;
          return true;
        },
        interpolation);
  }

  std::vector<double> constant, t;
  std::optional<Rows> samples, hand;
  std::optional<std::vector<double>> first_q, first_qd;
};

std::vector<double> one_row(const py::object& values, std::size_t dof, const std::string& name,
                            const std::optional<std::vector<double>>& otherwise) {
  if (values.is_none()) return otherwise.value_or(std::vector<double>(dof));
  const Rows rows(values, dof, name);
  if (!rows.is_one()) throw py::value_error(fmt::format("{}: expected one row", name));
  return numbers_of_rows(rows);
}

py::object simulate(const Robot& robot, const py::object& q0, const py::object& qd0,
                    const py::object& torque, const py::kwargs& keywords) {
  const std::size_t n = robot.dof();
  const Torques torques(robot, torque);
  const std::vector<double> q = one_row(q0, n, "q0", torques.first_q),
                            qd = one_row(qd0, n, "qd0", torques.first_qd);
  if (!torques.samples && !keywords.contains("duration")) {
    throw py::value_error("simulate: duration is missing; only torques (t, tau) have an end");
  }
  const auto options = robot.options<SimulateOptions>(
      keywords, torques.samples ? std::vector<std::string>{"-"} : std::vector<std::string>{});
  SimulationOptions used = simulation_options(options, robot.model());
  used.start = torques.start();

  RowStore rows;
  std::vector<double> wrenches;
  SimulationSummary summary(robot.model());
  std::vector<std::string> warnings;
  until_interrupted([&] {
    const auto input = torques.input(options.interpolation);
    summary.run(robot.arm(), q, qd, *input, used, [&](const SimulationRow& row) {
      rows.add(row);
      if (torques.hand) std::ranges::copy(stacked(row.hand), std::back_inserter(wrenches));
    });
    warnings = summary.remarks();
    if (const auto held = held_to(*input, summary.result.t)) warnings.push_back(*held);
    std::ranges::transform(warnings, warnings.begin(), with_keywords);
  });
  summary.failure = with_keywords(summary.failure);
  const py::array tau = array_of(std::move(rows.tau), n);
  py::dict run = arrays_of(std::move(rows), n);
  run["tau"] = tau;
  if (torques.hand) run["hand"] = array_of(std::move(wrenches), 6);
  const Json said = data_of(Document{summary.sections()});
  for (const auto& [key, value] : said.members()) {
    if (run.contains(key.c_str())) continue;
    run[key.c_str()] =
        key == "message" ? py::cast(with_keywords(value.as_text())) : object_of(value);
  }
  run["warnings"] = warnings;
  py::object found = record("Simulation", run);
  if (!summary.failure.empty()) raise_with("NumericsError", summary.failure, "run", found);
  return found;
}

/// Results of runs, simulated some lanes at a time.
std::vector<BatchResult> simulate_all(const Robot& robot, const std::vector<BatchRun>& runs,
                                      const SimulationOptions& options, int threads) {
  const BatchSimulation simulation(robot.arm(), options);
  std::vector<BatchResult> results(runs.size());
  const auto make_work = [&]() -> RowsWork {
    return [&, own = simulation](std::size_t begin, std::size_t count) mutable {
      std::ranges::move(own(std::span(runs).subspan(begin, count)),
                        results.begin() + static_cast<std::ptrdiff_t>(begin));
    };
  };
  in_blocks(runs.size(), threads, make_work, 4 * simulation.lanes());
  return results;
}

py::object simulate_batch(const Robot& robot, const py::object& q0s, const py::object& qd0s,
                          const py::object& tau, int threads, const py::kwargs& keywords) {
  if (!keywords.contains("duration")) {
    throw py::value_error("simulate_batch: duration is missing");
  }
  const auto options = robot.options<SimulateOptions>(keywords);
  const std::size_t n = robot.dof();
  const Rows q(q0s, n, "q0s");
  if (q.is_one()) throw py::value_error("q0s: expected an array of shape (N, n), a row per run");
  const std::optional<Rows> qd = optional_rows(qd0s, n, "qd0s"),
                            torques = optional_rows(tau, n, "tau");
  if (qd) require_same_size({&q, &*qd});
  if (torques && !torques->is_one()) require_same_size({&q, &*torques});
  std::vector<BatchRun> runs(q.size());
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const auto row_of = [&](const std::optional<Rows>& rows) {
      std::vector<double> row(n);
      if (rows) rows->read(rows->is_one() ? 0 : k, row);
      return row;
    };
    runs[k].q0.resize(n);
    q.read(k, runs[k].q0);
    runs[k].qd0 = row_of(qd);
    runs[k].tau = row_of(torques);
  }
  const std::vector<BatchResult> results =
      simulate_all(robot, runs, simulation_options(options, robot.model()), threads);

  RowStore rows;
  std::vector<double> imbalance;
  py::list ends, failures;
  for (const BatchResult& result : results) {
    rows.add(result);
    imbalance.push_back(result.energy.imbalance());
    ends.append(name(result.end));
    failures.append(result.failure);
  }
  py::dict found = arrays_of(std::move(rows), n);
  found["imbalance"] = array_of(std::move(imbalance));
  found["end"] = ends;
  found["failure"] = failures;
  return record("SimulationBatch", found);
}

// --- Logs

struct ReadLogOptions {
  std::string path;
  LogOptions log;
  OutputOptions output;
};

void declare(OptionList& list, ReadLogOptions& options) {
  list.argument("LOG", options.path, as_written, "a CSV or .npy file, or a bag of ROS 2");
  declare_log(list, options.log);
}

py::object read_log(const py::object& given, const Robot& robot, const py::kwargs& keywords) {
  const LogFile file(given);
  const auto options = parse_keywords<ReadLogOptions>({file.path}, python::keywords(keywords));
  LogRows log;
  file.read([&] { log = armdyn::read_log(file.path, robot.model(), options.log); });
  py::dict found;
  found["t"] = log.t.empty() ? py::object(py::none()) : array_of(std::move(log.t));
  for (const auto& [name, columns] : {std::pair("q", &log.q),
                                      {"qd", &log.qd},
                                      {"qdd", &log.qdd},
                                      {"tau", &log.tau},
                                      {"hand", &log.hand}}) {
    found[name] = columns->empty() ? py::object(py::none()) : array_of_columns(*columns);
  }
  found["recognised"] = log.report.recognised;
  log.report.first_unreadable = file.in_message(log.report.first_unreadable);
  found["warnings"] = log_warnings(log.report);
  found["input"] = object_of(data_of(Document{log_sections(log.report, robot.model())})["input"]);
  return record("Log", found);
}

py::object slow_down_motion(const Robot& robot, const py::object& t, const py::object& q,
                            const py::object& qd, const py::object& qdd, const py::object& hand) {
  const std::size_t n = robot.dof();
  const TableArgument table(robot, t);
  const Rows positions(table("q", q), n, "q"), velocities(table("qd", qd), n, "qd"),
      accelerations(table("qdd", qdd), n, "qdd");
  const std::optional<Rows> wrenches = optional_rows(table("hand", hand, false), 6, "hand");
  require_same_size({&positions, &velocities, &accelerations});
  if (wrenches) require_same_size({&positions, &*wrenches});
  std::optional<std::vector<double>> times = numbers_of(table("t", t));
  if (!times || times->size() != positions.size() || positions.is_one()) {
    throw py::value_error("slow_down: expected t of shape (N,) with q, qd and qdd of shape (N, n)");
  }
  const RecordedRows rows{std::move(*times), numbers_of_rows(positions),
                          numbers_of_rows(velocities), numbers_of_rows(accelerations)};
  const std::vector<double> of_hand = wrenches ? numbers_of_rows(*wrenches) : std::vector<double>{};
  Fields found;
  until_interrupted([&] {
    const HandWrench wrench = wrenches ? hand_between(rows.t, of_hand) : HandWrench{};
    const Trajectory motion = recorded(rows);
    PathDemands demands(robot.model(), path_limits(robot.model()));
    found = slow_down_fields(robot.model(), demands, slow_down(demands, motion, wrench),
                             motion.end() - motion.begin());
  });
  return record("SlowDown", object_of(object(found)));
}

using Names = std::vector<std::string>;

template <class Options>
std::string help(const char* text, const Names& without = {}) {
  std::string help = fmt::format("{}\n\nKeywords:\n", text);
  for (const auto& [name, what] : keywords_of<Options>()) {
    if (std::ranges::count(without, name) > 0) continue;
    help += fmt::format("    {}: {}\n", name, with_keywords(what));
  }
  return help;
}

/// Defines a verb with its options as keywords, `without` those of files and texts. It is done with
/// the robot as its keywords edit it.
template <class Options, class Result, class... Given, class... More>
void define(RobotClass& robots, const char* name, const char* text, const Names& without,
            Result (*verb)(const Robot&, Given...), const More&... more) {
  robots.def(
      name,
      [verb, without](const Robot& robot, Given... given) {
        const py::kwargs& options = std::get<sizeof...(Given) - 1>(std::tie(given...));
        for (const Keyword& option : keywords(options)) {
          if (std::ranges::count(without, option.name) > 0)
            throw UsageError("there is no option '{}'", option.name);
        }
        return verb(robot.edited(options), given...);
      },
      more..., help<Options>(text, without).c_str());
}

}  // namespace

void define_verbs(py::module_& module, RobotClass& robot) {
  using namespace py::literals;
  py::class_<Equations>(module, "Equations", "Equations of motion, written down.")
      .def_readonly("text", &Equations::text)
      .def_readonly("latex", &Equations::latex, "None where the equations are no closed form.")
      .def_readonly("warnings", &Equations::warnings)
      .def("__str__", [](const Equations& it) { return it.text; })
      .def("__repr__", [](const Equations& it) { return it.text; })
      .def("_repr_latex_", [](const Equations& it) { return it.latex; });

  const Names of_logs{"columns",    "no_header", "topic",   "ignore_extra", "rate",
                      "motor_side", "derive",    "window",  "gaps",         "from_time",
                      "to_time",    "resample",  "max_rows"};
  define<TrajectoryOptions>(robot, "trajectory",
                            R"(A motion between two joint positions (n,), rad or m; also through
waypoints, on a straight line of the hand, or for identification. Attributes of the result: t (N,),
s; q, qd, qdd (N, n); with optimise also excitation, as in the JSON summary.)",
                            {}, &trajectory, "q_from"_a = py::none(), "q_to"_a = py::none());
  define<SimulateOptions>(robot, "simulate",
                          R"(The motion that torques make, from q0, qd0 (n,), rad or m, per s
(default: those of the first row of a table, else zeros). torque: n numbers for all times, or
(t, tau) with shapes (N,), (N, n), or a table of these, also with a hand wrench; N·m or N.
Attributes of the result: t, q, qd, qdd, tau, and hand where there is one, row by row; energy, end,
joints and the other keys of the JSON summary.)",
                          {"q0", "qd0", "topic", "ignore_extra", "stepwise"}, &simulate,
                          "q0"_a = py::none(), "qd0"_a = py::none(), py::kw_only(),
                          "torque"_a = py::none());
  define<SimulateOptions>(robot, "simulate_batch",
                          R"(Many simulations from the rows of q0s, qd0s (N, n), each with its
torque tau: (N, n), or (n,) for all. Attributes of the result, a row per run: t, q, qd, qdd at the
end; imbalance of energy, J; end; failure.)",
                          {"q0", "qd0", "topic", "ignore_extra", "stepwise", "every",
                           "estimate_error", "interpolation"},
                          &simulate_batch, "q0s"_a, "qd0s"_a = py::none(), py::kw_only(),
                          "tau"_a = py::none(), "threads"_a = 0);
  robot.def("_call", [](const Robot& self, const std::string& verb, const Names& arguments,
                        const std::map<std::string, py::bytes>& given, const py::kwargs& options) {
    const TablesInMemory tables(given.begin(), given.end());
    const Called called = call(self, verb, arguments, tables, options);
    std::map<std::string, py::str> texts(called.texts.begin(), called.texts.end());
    return py::make_tuple(
        called.ending, object_of(called.data), called.message, texts,
        called.rows.empty() ? py::object(py::none()) : py::object(py::bytes(called.rows)));
  });
  robot.def("slow_down", &slow_down_motion, "t"_a, "q"_a = py::none(), "qd"_a = py::none(),
            "qdd"_a = py::none(), py::kw_only(), "hand"_a = py::none(),
            R"(The fastest uniform slowing of a motion t (N,), s, q, qd, qdd (N, n) at which all
limits of the robot hold: factor, duration, binding, feasible, is_numeric; or, where no speed helps,
obstacle alone. hand: (N, 6), what the tool exerts. ValueError for other shapes, and for t that does
not increase.)");
  define<CheckOptions>(
      robot, "check",
      "Whether the model is sound: the JSON of armdyn check, lists of numbers as arrays.", {},
      &check);
  define<InspectOptions>(robot, "inspect",
                         R"(The terms of the equations of motion at q, qd, qdd (n,): the JSON of
armdyn inspect, lists of numbers as arrays.)",
                         of_logs, &inspect, "q"_a = py::none(), "qd"_a = py::none(),
                         "qdd"_a = py::none());
  define<SizeOptions>(robot, "size",
                      R"(What a cycle of t (N,), s, and q, qd, qdd (N, n) asks of drives and supply,
and whether their ratings give it: the JSON of armdyn size. hand: (N, 6), the wrench on the
environment.)",
                      of_logs, &size, "t"_a, "q"_a = py::none(), "qd"_a = py::none(),
                      "qdd"_a = py::none(), "hand"_a = py::none());
  define<EquationsOptions>(robot, "equations",
                           R"(The equations of motion, written down: str() of it is what armdyn
equations prints; latex, of closed forms, which notebooks show; warnings.)",
                           {"check", "force"}, &equations);
  module.def("read_log", &read_log, "path"_a, "robot"_a,
             help<ReadLogOptions>(
                 R"(A log as the command line understands it: a file, or a frame with columns by
name. Attributes of the result: t (N,), s; q, qd, qdd, tau (N, n), hand (N, 6) in SI units, None
where the log has none; recognised, warnings, input.)")
                 .c_str());
}

}  // namespace armdyn::python
