#include <armdyn/verb.hpp>

#include <algorithm>

#include "cli/command_line.hpp"
#include "cli/options/array_run.hpp"
#include "cli/options/verb_frame.hpp"
#include "text/number_text.hpp"

namespace armdyn {

using namespace std::string_literals;

namespace {

/// The option -o of a VerbOption, which gets no keyword.
constexpr const char* output_name = "output";

}  // namespace

void NamedColumns::add(std::string name, std::vector<double> numbers) {
  for (const auto& [other, there] : columns_) {
    if (other == name) throw UsageError("column {} is there twice", name);
    if (there.size() == numbers.size()) continue;
    throw UsageError("column {} has {}, column {} has {}; expected as many", name,
                     counted(numbers.size(), "number"), other, there.size());
  }
  columns_.emplace_back(std::move(name), std::move(numbers));
}

std::span<const double> NamedColumns::operator[](std::string_view name) const {
  for (const auto& [other, numbers] : columns_) {
    if (other == name) return numbers;
  }
  const auto names = each(columns_, [](const auto& column) { return column.first; });
  throw UsageError("there is no column {}{}", name, did_you_mean(std::string(name), names));
}

VerbOption::VerbOption(std::string of, double number)
    : name(std::move(of)), value(number_text(number)) {}

VerbOption::VerbOption(std::string of, std::span<const double> numbers)
    : name(std::move(of)), value(fmt::format("{}", fmt::join(each(numbers, &number_text), ","))) {}

VerbAnswer call(const std::string& verb, const RobotFile& robot,
                const std::vector<VerbArgument>& arguments,
                const std::vector<VerbOption>& options) {
  std::vector<std::string> words{robot.path};
  TablesInMemory tables;
  for (const VerbArgument& argument : arguments) {
    if (const auto* const table = std::get_if<NamedColumns>(&argument)) {
      words.push_back(fmt::format("table{}.npy", words.size()));
      tables[words.back()] = bytes_of(*table);
    } else {
      words.push_back(std::get<std::string>(argument));
    }
  }
  std::vector<Keyword> keywords;
  for (const VerbOption& option : options) {
    if (option.name == output_name) {
      append(words, std::vector{"-o"s, option.value});
    } else {
      keywords.push_back({option.name, option.value});
    }
  }
  const auto edited = [&robot](const RobotOptions& of) {
    const RobotFileOptions& reading = of.reading;
    refuse_if(!reading.set.empty() || !(reading.base + reading.tip).empty(),
              "set, base and tip are of reading a robot file; give them to it");
    RobotFile file = robot;
    edit(file.robot, of, file.warnings);
    return file;
  };
  ValueAnswer found =
      call_on_values(verb_named(all_verbs(), verb), words, keywords, tables, edited);
  const Answer& answer = found.answer;
  if (answer.ending == Ending::failed) throw NumericsError(answer.message);
  return {answer.ending == Ending::done, data_of(answer.document), columns_of(found.rows),
          std::move(found.texts)};
}

}  // namespace armdyn
