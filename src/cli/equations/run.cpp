// armdyn equations: the equations of motion, written down.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/equations/closed_forms.hpp"
#include "cli/equations/code.hpp"
#include "cli/equations/options.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/output_file.hpp"
#include "report/json_text.hpp"
#include "report/report.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

/// "puma.c" gives "puma_check.c".
std::string check_path(const std::string& path) {
  const std::filesystem::path file(path);
  return (file.parent_path() / (file.stem().string() + "_check" + file.extension().string()))
      .string();
}

/// The text goes to the output, or the JSON in its place; else that is said beside it.
Ending write(const EquationsOptions& options, const RobotFile& file, const EquationsAnswer& answer,
             bool as_json) {
  nlohmann::json json = json_frame(file, options.robot, options.output);
  json.update(answer.json);
  OutputFile output(options.output.output);
  output.write(as_json ? json_text(json) : answer.text);
  output.commit();
  if (options.output.json && !as_json) {
    say("{}", json_text(json));
  } else {
    print_warnings(answer.warnings);
  }
  return answer.ending;
}

}  // namespace

Ending run(const EquationsOptions& options) {
  const std::string& path = options.output.output;
  const std::string check = options.check ? check_path(path) : "";
  const RobotFile file = robot_beside_outputs(options.robot, options.output, {{"--check", check}});
  if (options.prove) {
    return write(options, file, prove_equivalence(options, file), options.output.json);
  }
  if (options.form == EquationForm::text || options.form == EquationForm::latex) {
    return write(options, file, closed_forms_answer(options, file), false);
  }
  const WrittenFunction function = code_function(options, file);

  OutputFile output(path);
  output.write(code_text(options, function));
  if (options.check) {
    OutputFile self_test(check);
    self_test.write(code_check_text(options, file, function));
    self_test.commit();
  }
  output.commit();

  const FormulaCount costs = count(*function.graph, function.values);
  if (options.output.json) {
    nlohmann::json json = json_frame(file, options.robot, options.output);
    json["function"] = function.name;
    json["operations"] = {{"multiplications", costs.multiplications},
                          {"additions", costs.additions},
                          {"divisions", costs.divisions},
                          {"sines", costs.sines},
                          {"others", costs.others}};
    say("{}", json_text(json));
  } else if (!options.output.quiet && path != "-") {
    say("{}: {}, {}\n", path, function.name, count_text(costs));
  }
  return Ending::done;
}

}  // namespace armdyn
