#include "cli/compare/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/compare/options.hpp"
#include "cli/options/log_answer.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/text/number_text.hpp"
#include "report/answer.hpp"
#include "report/joint_words.hpp"
#include "report/text_table.hpp"

namespace armdyn {

namespace {

using Json = nlohmann::json;
using Rows = std::vector<std::vector<std::string>>;

std::string brief(double value) {
  return value == 0.0 ? "0" : fmt::format("{:.1e}", value);
}
std::string ulps(double value) {
  return std::isfinite(value) && value < 1e5 ? fmt::format("{:.2f}", value) : brief(value);
}

bool has_time(const ComparisonReport& report) {
  const auto worst = report.comparison.worst();
  return worst && worst->difference.relative.t.has_value();
}

/// Row from 1, and the time if the motion has one.
std::string place(const LargestAt& at) {
  const std::string row = fmt::format("row {}", at.row + 1);
  return at.t ? row + ", " + time_text(*at.t) : row;
}

std::string source_of_states(const ComparisonReport& report) {
  const CompareOptions& options = report.options;
  const std::size_t rows = report.comparison.rows();
  if (options.motion.empty()) {
    return fmt::format("{} (seed {})", counted(rows, "random state"), options.seed);
  }
  return fmt::format("{} of {}", counted(rows, "row"),
                     options.motion == "-" ? "standard input" : options.motion);
}

/// JSON knows no infinity.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json(const LargestAt& at) {
  Json json{{"value", number(at.value)}, {"row", at.row + 1}};
  if (at.t) json["t"] = *at.t;
  return json;
}

/// Of one pair, a row per joint.
std::vector<Fields> difference_rows(const ComparisonReport& report, const PairDifference& pair) {
  const bool timed = has_time(report);
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < pair.joints.size(); ++i) {
    const Joint& joint = report.file.robot.joints[i];
    const JointDifference& found = pair.joints[i];
    Fields& row = rows.emplace_back();
    const auto add = [&](const char* key, const char* label, const LargestAt& at) {
      const bool is_somewhere = at.value != 0.0;
      row.push_back({key, label, {json(at), brief(at.value)}});
      if (&at == &found.absolute) row.push_back({"unit", "", Value::word(torque_unit(joint))});
      row.push_back(
          {for_people, "at row", is_somewhere ? Value::count(at.row + 1) : Value::word("")});
      row.push_back({for_people, label_if(timed, "t [s]"),
                     is_somewhere ? Value::moment(at.t.value_or(0.0)) : Value::word("")});
    };
    row.push_back({"name", "Largest differences", {joint.name, "  " + joint.name}});
    add("absolute", "|Δτ|", found.absolute);
    add("relative", "relative", found.relative);
    row.push_back({"rms", "RMS |Δτ|", {number(found.rms), brief(found.rms)}});
  }
  return rows;
}

std::string differences_text(const ComparisonReport& report) {
  const auto& names = report.comparison.methods();
  std::vector<Fields> rows;
  for (const PairDifference& pair : report.comparison.differences()) {
    rows.push_back({words(names[pair.first] + ", " + names[pair.second])});
    for (const Fields& row : difference_rows(report, pair)) rows.push_back(row);
  }
  return table(rows) +
         "relative to the row's scale: the largest |Mq̈| + |V| + |G| + |wrench| of its joints, and "
         "at "
         "least 1/1000 of the gross load; friction and rotors take no part\n";
}

/// A row per joint, or of the arm as a whole.
std::vector<Fields> certain_digits(const ComparisonReport& report) {
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < report.arm.dof(); ++i) {
    const std::string& joint = report.file.robot.joints[i].name;
    Fields& row = rows.emplace_back(
        Fields{{"name", "Certain digits of the largest torque", {joint, "  " + joint}}});
    for (std::size_t m = 0; m < report.comparison.methods().size(); ++m) {
      const std::string& method = report.comparison.methods()[m];
      const std::optional<std::size_t> digits = report.digits.at(m, i);
      row.push_back({method, method, digits ? Value::count(*digits) : Value::word("")});
    }
  }
  return rows;
}

/// The joint and method with the fewest.
struct FewestDigits {
  std::size_t digits = 0;
  std::size_t joint = 0;
};
std::optional<FewestDigits> fewest_digits(const ComparisonReport& report) {
  std::optional<FewestDigits> fewest;
  for (std::size_t m = 0; m < report.comparison.methods().size(); ++m) {
    for (std::size_t i = 0; i < report.arm.dof(); ++i) {
      const std::optional<std::size_t> digits = report.digits.at(m, i);
      if (digits && (!fewest || *digits < fewest->digits)) fewest = {*digits, i};
    }
  }
  return fewest;
}

std::string certain_digits_text(const ComparisonReport& report) {
  return table(certain_digits(report)) + "proven with 50 digits, the set-up of the arm included, " +
         (report.options.input_error == InputAccuracy::none ? "for the doubles of the robot\n"
          : report.options.input_error == InputAccuracy::file
              ? "for the decimals of the robot file\n"
              : "for every robot whose numbers round "
                "to those of the file\n");
}

std::string errors_text(const ComparisonReport& report) {
  const std::vector<MethodError> errors = report.comparison.errors();
  Rows rows{{"Error against 50 digits, ulp"}, {""}};
  for (const std::string& name : report.comparison.methods()) {
    rows[0].insert(rows[0].end(), {name, ""});
    rows[1].insert(rows[1].end(), {"RMS", "largest"});
  }
  for (std::size_t i = 0; i < report.arm.dof(); ++i) {
    std::vector<std::string> row{"  " + report.file.robot.joints[i].name};
    for (const MethodError& error : errors) {
      row.insert(row.end(), {ulps(error.rms[i]), ulps(error.largest[i].value)});
    }
    rows.push_back(row);
  }
  std::vector<std::string> all{"  all joints"};
  for (const MethodError& error : errors) {
    double largest = 0.0;
    for (const LargestAt& joint : error.largest) largest = std::max(largest, joint.value);
    all.insert(all.end(), {ulps(error.overall_rms), ulps(largest)});
  }
  rows.push_back(all);
  return text_table(rows) +
         "1 ulp: the last place of a double as large as the joint's |Mq̈| + |V| + |G| + |wrench| "
         "(RMS)\n";
}

/// What was too slow to compute on every row.
std::vector<std::string> notes(const ComparisonReport& report) {
  const Comparison& comparison = report.comparison;
  std::vector<std::string> all;
  const auto note = [&](const std::string& what, std::size_t rows) {
    if (rows < comparison.rows()) {
      all.push_back(
          fmt::format("{} on {} of {} rows, ever fewer towards the end, to keep the run short",
                      what, rows, comparison.rows()));
    }
  };
  const std::vector<MethodError> errors = comparison.errors();
  for (std::size_t m = 0; m < errors.size(); ++m) note(comparison.methods()[m], errors[m].rows);
  note("50-digit reference", comparison.reference_rows());
  return all;
}

Json json_differences(const ComparisonReport& report) {
  const auto& names = report.comparison.methods();
  Json pairs = Json::array();
  for (const PairDifference& pair : report.comparison.differences()) {
    pairs.push_back({{"methods", {names[pair.first], names[pair.second]}},
                     {"rows", pair.rows},
                     {"joints", objects(difference_rows(report, pair))}});
  }
  return pairs;
}

Json json_reference(const ComparisonReport& report) {
  Json methods = Json::array();
  const std::vector<MethodError> errors = report.comparison.errors();
  for (std::size_t m = 0; m < errors.size(); ++m) {
    Json joints = Json::array();
    for (std::size_t i = 0; i < report.arm.dof(); ++i) {
      joints.push_back({{"name", report.file.robot.joints[i].name},
                        {"largest", json(errors[m].largest[i])},
                        {"rms", number(errors[m].rms[i])}});
    }
    methods.push_back({{"method", report.comparison.methods()[m]},
                       {"rows", errors[m].rows},
                       {"rms", number(errors[m].overall_rms)},
                       {"joints", joints}});
  }
  return {{"digits", 50},
          {"rows", report.comparison.reference_rows()},
          {"unit", "ulp"},
          {"methods", methods}};
}

std::string digits_that_are(std::size_t count) {
  return counted(count, "digit") + (count == 1 ? " is" : " are");
}

/// What agreement does not say: how much of it is certain.
std::string certainty(const ComparisonReport& report) {
  const auto fewest = fewest_digits(report);
  if (!fewest) return "";
  const std::string& joint = report.file.robot.joints[fewest->joint].name;
  const double certain = std::pow(10.0, -static_cast<double>(fewest->digits));
  if (report.options.input_error != InputAccuracy::decimal &&
      certain > report.comparison.tolerance()) {
    return fmt::format(
        "; but of {}'s largest torque, in which larger terms cancel, {} certain", joint,
        fewest->digits == 0 ? "no digit is" : "only " + digits_that_are(fewest->digits));
  }
  return fmt::format("; of every joint's largest torque at least {} certain",
                     digits_that_are(fewest->digits));
}

}  // namespace

std::string verdict(const ComparisonReport& report) {
  const Comparison& comparison = report.comparison;
  const auto worst = comparison.worst();
  if (!worst) return "nothing to compare";
  const JointDifference& found = worst->difference;
  if (found.relative.value == 0.0) {
    return "the formulations agree in every digit" + certainty(report);
  }
  const std::string pair =
      comparison.methods()[worst->first] + " and " + comparison.methods()[worst->second];
  const Joint& joint = report.file.robot.joints[worst->joint];
  const std::string where =
      fmt::format("at {} (joint {}), {}", joint.name, worst->joint + 1, place(found.relative));
  const std::string size = fmt::format("by {} {}, {} of the row's scale", brief(found.there),
                                       torque_unit(joint), brief(found.relative.value));
  const std::string tolerance = number_text(comparison.tolerance());
  return comparison.agree()
             ? fmt::format("the formulations agree within {}; {} differ most {}: {}{}", tolerance,
                           pair, where, size, certainty(report))
             : fmt::format("{} disagree {}: {}; tolerance {}", pair, where, size, tolerance);
}

std::vector<std::string> warnings(const ComparisonReport& report) {
  if (!report.log) return {};
  std::vector<std::string> warnings = log_warnings(*report.log);
  if (report.comparison.rows() == 0) warnings.emplace_back("the motion has a header but no rows");
  return warnings;
}

std::string text(const ComparisonReport& report) {
  std::string all = fmt::format("{}: {}\n{}\n", report.file.robot.name, source_of_states(report),
                                verdict(report));
  if (report.comparison.rows() > 0) {
    if (report.comparison.methods().size() > 1) all += "\n" + differences_text(report);
    all += "\n" + certain_digits_text(report) + "\n" + errors_text(report);
    for (const std::string& note : notes(report)) all += note + "\n";
  }
  if (report.options.costs) {
    all += "\n" + costs_text(report.costs, report.file.robot, report.arm);
  }
  if (!report.schedule.empty()) all += "\n" + schedule_text(report.schedule, report.arm.dof());
  if (report.comparison.rows() > 0) all += "\n" + table(times(report.costs));
  return all;
}

nlohmann::json json(const ComparisonReport& report) {
  const CompareOptions& options = report.options;
  Json json = json_frame(report.file, options.robot, options.output);
  if (!options.motion.empty()) json["input"] = log_json(*report.log, report.file.robot);
  json["rows"] = report.comparison.rows();
  json["agree"] = report.comparison.agree();
  json["verdict"] = verdict(report);
  json["differences"] = json_differences(report);
  json["certain_digits"] = objects(certain_digits(report));
  json["reference"] = json_reference(report);
  json["costs"] = costs_json(report.costs, report.arm);
  if (!report.schedule.empty()) {
    json["schedule"] = schedule_json(report.schedule, report.arm.dof());
  }
  json["notes"] = notes(report);
  json["warnings"] = warnings(report);
  return json;
}

}  // namespace armdyn
