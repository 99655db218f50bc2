// armdyn equations: the equations of motion, written down.

#include "cli/equations/options.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/output_file.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

/// The answer for a summary as JSON or a page.
Document document_of(const EquationsOptions& options, const RobotFile& file, const Json& more,
                     const Sections& sections = {}) {
  Document answer = answer_frame(file, options);
  answer.add(more);
  answer.add(only_for(Audience::people, sections));
  return answer;
}

/// Writes equations, or verdicts, and their page.
Ending write_answer(const EquationsOptions& options, const RobotFile& file,
                    const EquationsAnswer& answer, bool writes_json) {
  Document document =
      document_of(options, file, answer.json,
                  answer.sections.empty() ? Sections{{"", answer.text}} : answer.sections);
  document.warnings = answer.warnings;
  for (const double q : parse_position("--q", options.q, file.robot)) {
    document.views.q.push_back({"", {0.0}, {q}});
  }
  const auto report = report_of(document, options.output);
  OutputFile output(options.output.output);
  output.write(writes_json ? json_of(document) : answer.text);
  OutputFile::commit({report.get(), &output});
  return answer.ending;
}

}  // namespace

Ending run(const EquationsOptions& options) {
  const std::string& path = options.output.output;
  refuse_if(
      options.check && is_stream(path),
      "--check writes a second file beside that of -o, which is no regular file: {}; name one",
      in_one_line(path));
  const RobotFile file = open_robot(options, {{"--q", options.q}});
  if (options.prove || !options.verify.empty()) {
    const EquationsAnswer answer =
        options.prove ? prove_equivalence(options, file) : verify_sheet(options, file);
    if (!options.output.json) print_warnings(answer.warnings);
    return write_answer(options, file, answer, options.output.json);
  }
  if (std::holds_alternative<Markup>(options.form) || options.is_as_paper_004) {
    const EquationsAnswer answer =
        options.is_as_paper_004
            ? written_arrays(options, file)
            : written_closed_forms(options, file, !options.output.report.empty());
    const Ending ending = write_answer(options, file, answer, false);
    if (options.output.json) {
      say_summary(json_of(document_of(options, file, answer.json)), true);
    } else {
      print_warnings(answer.warnings);
    }
    return ending;
  }
  const WrittenFunction function = code_function(options, file);

  OutputFile output(path);
  const auto test = open_if_named(options.check_file);
  output.write(code_text(function, std::get<Language>(options.form), options.as_float));
  if (test) test->write(code_check_text(options, file, function));
  OutputFile::commit({test.get(), &output});

  const FormulaCount costs = count(*function.graph, function.values);
  if (options.output.json) {
    say_summary(json_of(document_of(options, file,
                                    {{"warnings", Json::list()},
                                     {"function", function.name},
                                     {"operations",
                                      {{"multiplications", costs.multiplications},
                                       {"additions", costs.additions},
                                       {"divisions", costs.divisions},
                                       {"sines", costs.sines},
                                       {"others", costs.others}}}})),
                true);
  } else if (!options.output.quiet && path != "-") {
    say("{}: {}, {}\n", path, function.name, count_text(costs));
  }
  return Ending::done;
}

}  // namespace armdyn
