// equations --verify: whether formulas of a sheet are this arm's.

#include "symbolic/verify.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/equations/closed_forms.hpp"
#include "io/file/input_file.hpp"

namespace armdyn {

namespace {

constexpr std::size_t largest_sheet = 1'000'000;

std::string sheet_text(const std::string& path) {
  InputFile file(path);
  std::string text(largest_sheet + 1, ' ');
  std::size_t size = 0;
  while (const std::size_t count = file.read(&text[size], text.size() - size)) size += count;
  if (size > largest_sheet)
    throw InputError(file.name() + ": more than 1 MB are no sheet of formulas");
  text.resize(size);
  return text;
}

/// For programs and for people.
constexpr std::array<std::pair<const char*, const char*>, 6> verdict_words{
    {{"equal", "equal, proved"},
     {"within-digits", "equal within the digits of its decimals"},
     {"up-to-a-constant", "equal up to a constant, proved"},
     {"other-factorisation", "C q̇ = V holds, proved, but it is not Christoffel's"},
     {"undecided", "undecided: too long to be proved; equal at three points by chance"},
     {"different", "different, proved"}}};

const auto& words_of(const FormulaVerdict& verdict) {
  return verdict_words[static_cast<std::size_t>(verdict.agreement)];
}

std::string text_of(const FormulaVerdict& verdict) {
  std::string text = wrapped(fmt::format("  {}  ", verdict.entry), words_of(verdict).second);
  if (!verdict.missing.empty()) text += wrapped("      missing: ", verdict.missing);
  if (!verdict.surplus.empty()) text += wrapped("      surplus: ", verdict.surplus);
  for (const std::string& factor : verdict.factors) text += wrapped("      factor: ", factor);
  return text;
}

}  // namespace

EquivalenceAnswer verify_sheet(const EquationsOptions& options, const RobotFile& file) {
  VerifyRequest request{.entry = options.entry,
                        .symbols = symbols_of(options, file),
                        .did_you_mean = [](const std::string& name, const auto& known) {
                          return did_you_mean(name, known);
                        }};
  for (const std::string& name : options.names) {
    const std::size_t sign = name.find('=');
    request.names.emplace_back(name.substr(0, sign), name.substr(sign + 1));
  }
  if (options.names_what) request.what = options.closed;
  const std::string name = options.verify == "-" ? "standard input" : in_one_line(options.verify);
  const std::vector<FormulaVerdict> verdicts =
      verify(file, name, sheet_text(options.verify), request);

  std::string text = fmt::format("{}: formulas of {}\n\n", in_one_line(file.robot.name), name);
  Json list = Json::list();
  for (const FormulaVerdict& verdict : verdicts) {
    text += text_of(verdict);
    list.push_back({{"entry", verdict.entry},
                    {"place", verdict.place},
                    {"verdict", words_of(verdict).first},
                    {"missing", verdict.missing},
                    {"surplus", verdict.surplus},
                    {"factors", verdict.factors}});
  }
  const bool differ = std::ranges::any_of(
      verdicts, [](const FormulaVerdict& v) { return v.agreement == Agreement::different; });
  return {text, Json{{"verdicts", list}}, differ ? Ending::no : Ending::done};
}

}  // namespace armdyn
