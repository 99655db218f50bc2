#include "cli/equations/options.hpp"

#include <fmt/format.h>

#include "cli/options/shared_options.hpp"

namespace armdyn {

namespace {

std::vector<std::string> parse_symbols(const std::string& option, const std::string& text) {
  std::vector<std::string> symbols = split_list(text);
  if (symbols.empty()) {
    throw UsageError(fmt::format("{}: found \"{}\", expected all, none, or names", option, text));
  }
  if (text == "none") symbols.clear();
  return symbols;
}

void declare(OptionList& list, EquationsOptions& options) {
  const Choices<Equation> whats{{"torque", Equation::torque},   {"M", Equation::mass_matrix},
                                {"V", Equation::velocity},      {"G", Equation::gravity},
                                {"forward", Equation::forward}, {"jacobian", Equation::jacobian}};
  const Choices<EquationForm> forms{{"listing", EquationForm::listing},
                                    {"c", EquationForm::c},
                                    {"python", EquationForm::python},
                                    {"matlab", EquationForm::matlab}};
  const Choices<bool> precisions{{"double", false}, {"float", true}};
  declare_robot(list, options.robot);
  list.option("--what", "NAME", options.what, whats,
              "which equations: " + whats.text() + " (default: torque)");
  list.option("--form", "NAME", options.form, forms,
              "how they are written: " + forms.text() + " (default: c)");
  list.option("--symbols", "LIST", options.symbols, parse_symbols,
              "numbers of the links that are inputs of the code: all, none, or names like "
              "m3,cx3,Ixx3 (default: none)");
  list.option("--precision", "NAME", options.as_float, precisions,
              "of the code: " + precisions.text() + " (default: double)");
  list.flag("--check", options.check,
            "beside the code FILE a program FILE_check that tests it with values of armdyn");
  list.option("-o,--output", "FILE", options.output.output, as_written,
              "output file (default: - , standard output)")
      .unechoed();
  list.flag("--json", options.output.json, "summary as JSON").unechoed();
  list.flag("--quiet", options.output.quiet, "no summary as text").unechoed();
  list.check([&options] {
    if (options.form == EquationForm::listing && (options.check || options.as_float)) {
      throw UsageError("--check and --precision are of code; a listing is for people");
    }
    if (options.check && options.output.output == "-") {
      throw UsageError("--check writes a second file beside that of -o; name one");
    }
  });
}

}  // namespace

Verb equations_verb() {
  return verb<EquationsOptions>(
      "equations", "The equations of motion, written down",
      "  armdyn equations puma560 --form c --check -o puma560_torque.c\n"
      "  armdyn equations ur5e --what M --precision float\n"
      "  armdyn equations puma560 --symbols m6,cx6,cy6,cz6 -o puma560_torque.c\n",
      declare);
}

}  // namespace armdyn
