// armdyn equations: the equations of motion, written down.

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include "cli/equations/options.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/output_file.hpp"
#include "model/shown_text.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

std::string json_with(const EquationsOptions& options, const RobotFile& file, const Json& more) {
  Document answer = answer_frame(file, options.robot, options.output);
  answer.add(more);
  return json_of(answer);
}

}  // namespace

Ending run(const EquationsOptions& options) {
  const std::string& path = options.output.output;
  refuse_if(
      options.check && is_stream(path),
      "--check writes a second file beside that of -o, which is no regular file: {}; name one",
      in_one_line(path));
  const RobotFile file = open_robot(options.robot, options.output, {{"--q", options.q}});
  if (options.prove || !options.verify.empty()) {
    const EquationsAnswer answer =
        options.prove ? prove_equivalence(options, file) : verify_sheet(options, file);
    write_file(path, options.output.json ? json_with(options, file, answer.json) : answer.text);
    return answer.ending;
  }
  const auto* const markup = std::get_if<Markup>(&options.form);
  if (markup != nullptr || options.is_as_paper_004) {
    const EquationsAnswer answer = options.is_as_paper_004
                                       ? written_arrays(options, file)
                                       : written_closed_forms(options, file, *markup);
    write_file(path, answer.text);
    if (options.output.json) {
      say_summary(json_with(options, file, answer.json), true);
    } else {
      print_warnings(answer.warnings);
    }
    return Ending::done;
  }
  const WrittenFunction function = code_function(options, file);

  OutputFile output(path);
  const auto test = open_if_named(options.check_file);
  output.write(code_text(function, std::get<Language>(options.form), options.as_float));
  if (test) test->write(code_check_text(options, file, function));
  OutputFile::commit({test.get(), &output});

  const FormulaCount costs = count(*function.graph, function.values);
  if (options.output.json) {
    say_summary(json_with(options, file,
                          {{"function", function.name},
                           {"operations",
                            {{"multiplications", costs.multiplications},
                             {"additions", costs.additions},
                             {"divisions", costs.divisions},
                             {"sines", costs.sines},
                             {"others", costs.others}}}}),
                true);
  } else if (!options.output.quiet && path != "-") {
    say("{}: {}, {}\n", path, function.name, count_text(costs));
  }
  return Ending::done;
}

}  // namespace armdyn
