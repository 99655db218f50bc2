// armdyn equations: the equations of motion, written down.

#include "cli/options/run.hpp"
#include "cli/equations/options.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

/// Equations, or verdicts, as a text; the document summarizes it.
Answer written(const EquationsOptions& options, Run& run, const EquationsAnswer& found) {
  Answer answer{run.document()};
  Document& document = answer.document;
  document.add(found.json);
  document.add(only_for(Audience::people,
                        found.sections.empty() ? Sections{{"", found.text}} : found.sections));
  document.warnings = found.warnings;
  for (const double q : parse_position("--q", options.q, run.robot().robot)) {
    document.views.q.push_back({"", {0.0}, {q}});
  }
  answer.artifacts = {{"-o", found.text}};
  answer.is_in_artifact = true;
  answer.ending = found.ending;
  return answer;
}

/// Code, and beside it a program that tests it.
Answer written_code(const EquationsOptions& options, Run& run) {
  const RobotFile& file = run.robot();
  const WrittenFunction function = code_function(options, file);
  Answer answer{run.document()};
  const FormulaCount costs = count(*function.graph, function.values);
  answer.document.add(Json{{"warnings", Json::list()},
                           {"function", function.name},
                           {"operations",
                            {{"multiplications", costs.multiplications},
                             {"additions", costs.additions},
                             {"divisions", costs.divisions},
                             {"sines", costs.sines},
                             {"others", costs.others}}}});
  if (const std::string& path = options.output.output; path != "-") {
    answer.document.add(fmt::format("{}: {}, {}", path, function.name, count_text(costs)));
  }
  answer.artifacts = {
      {"-o", code_text(function, std::get<Language>(options.format), options.as_float)}};
  if (run.wants("--format javascript")) {
    answer.artifacts.push_back({"--format javascript", types_text(function)});
  }
  if (run.wants("--check")) {
    answer.artifacts.push_back({"--check", code_check_text(options, file, function)});
  }
  return answer;
}

}  // namespace

Answer write_equations(const EquationsOptions& options, Run& run) {
  const RobotFile& file = run.robot({{"--q", options.q}});
  if (options.prove || !options.verify.empty()) {
    Answer answer =
        written(options, run,
                options.prove ? prove_equivalence(options, file) : verify_sheet(options, run));
    if (options.output.json) answer.artifacts.clear();  // the document is the answer
    return answer;
  }
  if (options.is_as_paper_004) require_serial(file.robot, "--as paper-004");
  if (options.is_as_paper_004) return written(options, run, written_arrays(options, file));
  if (!std::holds_alternative<Markup>(options.format)) return written_code(options, run);
  const bool with_latex = run.wants_arm();
  return written(options, run, written_closed_forms(options, file, with_latex));
}

}  // namespace armdyn
