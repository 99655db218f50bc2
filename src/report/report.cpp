#include "report/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/say.hpp"

namespace armdyn {

std::string warnings_text(const std::vector<std::string>& warnings) {
  std::string text;
  for (const std::string& warning : warnings) text += "armdyn: warning: " + warning + "\n";
  return text;
}

void print_warnings(const std::vector<std::string>& warnings) {
  say("{}", warnings_text(warnings));
}

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all;
  for (const std::vector<std::string>& list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string recognised_line(const std::string& file, const std::string& recognised) {
  return recognised.empty() ? "" : fmt::format("{}: {}\n", file, recognised);
}

Fields rows_head(const Robot& robot, std::size_t rows, const Value& moments) {
  return {words(robot.name + ": "),
          {"rows", "{}", Value::count(rows, "row")},
          {"t", ", t = {} s", moments}};
}

nlohmann::json joint_values(std::span<const double> values) {
  nlohmann::json list = nlohmann::json::array();
  for (const double value : values) list.push_back(*Value::number(value).exact);
  return list;
}

}  // namespace armdyn
