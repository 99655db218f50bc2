// The verbs of the command line on values: one way from keywords to an answer.

#include <pybind11/stl.h>

#include <algorithm>
#include <tuple>

#include "cli/command_line.hpp"
#include "cli/options/array_run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/simulate/options.hpp"
#include "log/row_writer.hpp"
#include "python/robot.hpp"

namespace armdyn::python {

namespace {

// --- A log as it is read, a verb of Python alone

struct ReadLogOptions : VerbOptions {
  std::string log;
  LogOptions reading;
};

void declare(OptionList& list, ReadLogOptions& options) {
  declare_robot(list, options.robot);
  list.argument("LOG", options.log, as_written, "a CSV or .npy file, or a bag of ROS 2");
  declare_log(list, options.reading);
}

Answer read_log(const ReadLogOptions& options, Run& run) {
  LogReader& log = run.log(options.log, options.reading,
                           {Quantity::torque, Quantity::contact_wrench}, Rates{false, false});
  const armdyn::Robot& robot = run.robot().robot;
  BlockWriter<Nothing> writer(run.rows());
  for (const Quantity quantity :
       {Quantity::time, Quantity::position, Quantity::velocity, Quantity::acceleration,
        Quantity::torque, Quantity::contact_wrench}) {
    if (const auto first = log.plan().first(quantity)) writer.add(quantity, robot.dof(), *first);
  }
  BlockJob<> job;
  writer.print(job);
  run.blocks(log, job);
  const LogReport report = log.report();
  Answer answer;
  answer.document.add("recognized", Json(report.recognized));
  answer.document.add(log_sections(report, robot));
  answer.document.warnings = log_warnings(report);
  return answer;
}

// --- Verbs

std::vector<Verb> verbs() {
  std::vector<Verb> all = all_verbs();
  all.push_back(verb<ReadLogOptions>("read_log", "A log as the command line understands it.", "",
                                     declare, read_log));
  return all;
}

/// Runs a verb with words and keywords, names of tables in memory among them; for a robot that its
/// keywords have edited, or for the one that the first word names. Writes texts into the files that
/// keywords name. Returns exit code, document as JSON, message, text and rows.
py::tuple call(const Robot* robot, const std::string& name, std::vector<std::string> words,
               const std::map<std::string, py::bytes>& given, const py::dict& options) {
  const Verb verb = verb_named(verbs(), name);
  const TablesInMemory tables(given.begin(), given.end());
  std::vector<Keyword> all = robot != nullptr ? robot->edits() : std::vector<Keyword>{};
  append(all, keywords(options));
  std::function<RobotFile(const RobotOptions&)> edited;
  if (robot != nullptr) {
    words.insert(words.begin(), robot->file().path);
    edited = [robot](const RobotOptions&) { return robot->file(); };
  }
  ValueAnswer found;
  until_interrupted([&] {
    found = call_on_values(verb, words, all, tables, edited);
    write_texts(found.texts, all);
  });
  const auto& [answer, rows, texts] = found;
  const Json data = data_of(answer.document);
  if (const Json& digest = data["robot"]["digest"]; robot != nullptr && !digest.is_null()) {
    robot->require_unchanged(digest.as_text());
  }
  const auto text = texts.find("output");
  return py::make_tuple(exit_code(answer.ending), json_of(data, answer.document.keeps_order),
                        answer.message,
                        text != texts.end() ? py::object(py::str(text->second)) : py::none(),
                        rows.empty() ? py::object(py::none()) : py::object(py::bytes(rows)));
}

// --- Many simulations, whose ends and failures are those of each

/// The runs from the rows of arrays; torques are of each run, or one for all.
std::vector<BatchRun> runs_of(std::size_t dof, const py::object& q0s, const py::object& qd0s,
                              const py::object& tau) {
  const Rows q(q0s, dof, "q0s");
  if (q.is_one()) throw py::value_error("q0s: expected an array of shape (N, n), a row per run");
  const std::optional<Rows> qd = optional_rows(qd0s, dof, "qd0s"),
                            torques = optional_rows(tau, dof, "tau");
  if (qd) require_same_size({&q, &*qd});
  if (torques && !torques->is_one()) require_same_size({&q, &*torques});
  std::vector<BatchRun> runs(q.size());
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const auto row_of = [&](const std::optional<Rows>& rows) {
      std::vector<double> row(dof);
      if (rows) rows->read(rows->is_one() ? 0 : k, row);
      return row;
    };
    runs[k].q0 = row_of(q);
    runs[k].qd0 = row_of(qd);
    runs[k].tau = row_of(torques);
  }
  return runs;
}

py::object simulate_batch(const Robot& unedited, const py::object& q0s, const py::object& qd0s,
                          const py::object& tau, int threads, const py::kwargs& options) {
  const Robot robot = unedited.edited(options);
  const std::size_t n = robot.dof();
  std::vector<Keyword> words = robot.edits();
  for (const Keyword& word : keywords(options)) {
    for (const char* const of_one : {"q0", "qd0", "topic", "columns", "ignore_extra", "every",
                                     "estimate_error", "interpolation"}) {
      refuse_if(word.name == of_one, "there is no option '{}'", of_one);
    }
    words.push_back(word);
  }
  const auto parsed = parse_keywords<SimulateOptions>({robot.file().path}, words);
  const std::vector<BatchRun> runs = runs_of(n, q0s, qd0s, tau);
  const BatchSimulation simulation(robot.arm(), simulation_options(parsed, robot.model()));
  std::vector<BatchResult> results(runs.size());
  const auto make_work = [&]() -> RowsWork {
    return [&, own = simulation](std::size_t begin, std::size_t count) mutable {
      std::ranges::move(own(std::span(runs).subspan(begin, count)),
                        results.begin() + static_cast<std::ptrdiff_t>(begin));
    };
  };
  in_blocks(runs.size(), threads, make_work, 4 * simulation.lanes());

  const auto rows = static_cast<py::ssize_t>(results.size());
  const auto array = [&](py::ssize_t width, const auto& values_of) {
    std::vector<double> all;
    for (const BatchResult& result : results) append(all, values_of(result));
    return owned(std::move(all), width == 0 ? std::vector{rows} : std::vector{rows, width});
  };
  const auto of_joints = [&](std::vector<double> BatchResult::*values) {
    return array(static_cast<py::ssize_t>(n), [&](const BatchResult& of) { return of.*values; });
  };
  using namespace py::literals;
  return py::module_::import("armdyn._result")
      .attr("SimulationBatch")(
          "t"_a = array(0, [](const BatchResult& of) { return std::array{of.t}; }),
          "q"_a = of_joints(&BatchResult::q), "qd"_a = of_joints(&BatchResult::qd),
          "qdd"_a = of_joints(&BatchResult::qdd),
          "imbalance"_a =
              array(0, [](const BatchResult& of) { return std::array{of.energy.imbalance()}; }),
          "end"_a = each(results, [](const BatchResult& of) { return name(of.end); }),
          "failure"_a = each(results, &BatchResult::failure));
}

/// Name, purpose and keywords of each verb, these with their types and help.
auto described() {
  return each(verbs(), [](const Verb& verb) {
    const auto keywords = each(keywords_of(verb), [](const KeywordHelp& keyword) {
      return std::tuple(keyword.name, keyword.type, keyword.help);
    });
    return std::tuple(verb.name, verb.purpose, keywords);
  });
}

}  // namespace

void define_verbs(py::module_& module, RobotClass& robot) {
  using namespace py::literals;
  robot.def("simulate_batch", &simulate_batch, "q0s"_a, "qd0s"_a = py::none(), py::kw_only(),
            "tau"_a = py::none(), "threads"_a = 0,
            R"(Many simulations from the rows of q0s, qd0s (N, n), each with its
torque tau: (N, n), or (n,) for all. Keywords are those of simulate that are not of one run alone.
Attributes of the result, a row per run: t, q, qd, qdd at the end; imbalance of energy, J; end;
failure.)");
  module.def("call", &call, "A verb on words, tables in memory and keywords.");
  module.def("verbs", &described, "Name, purpose and keywords of each verb.");
}

}  // namespace armdyn::python
