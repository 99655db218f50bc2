#include "cli/options/log_options.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/options/named_choice.hpp"
#include "log/log_options.hpp"

namespace armdyn {

namespace {

constexpr std::array<std::pair<std::string_view, Gaps>, 3> rules{
    {{"refuse", Gaps::refuse}, {"skip", Gaps::skip}, {"bridge", Gaps::bridge}}};

}  // namespace

Gaps parse_gaps(const std::string& text) {
  return choose("--gaps", text, rules);
}

std::string_view name(Gaps gaps) {
  return name_of(rules, gaps);
}

nlohmann::json options_json(const LogOptions& options) {
  nlohmann::json echoed{{"no_header", options.no_header},
                        {"ignore_extra", options.ignore_extra},
                        {"derive", options.derive}};
  if (!options.columns.empty()) {
    nlohmann::json& columns = echoed["columns"];
    for (const ColumnChoice& choice : options.columns) columns[choice.name] = choice.columns;
  }
  if (options.gaps != Gaps::unsaid) echoed["gaps"] = name(options.gaps);
  const auto echo = [&](const char* key, const std::optional<double>& value) {
    if (value) echoed[key] = *value;
  };
  echo("window", options.window);
  echo("from_time", options.from_time);
  echo("to_time", options.to_time);
  echo("resample", options.resample);
  return echoed;
}

}  // namespace armdyn
