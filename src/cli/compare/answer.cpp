
#include <algorithm>
#include <cmath>

#include "cli/compare/options.hpp"
#include "cli/options/shared_answers.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

using namespace std::string_literals;

namespace {

std::string brief(double value) {
  return value == 0.0 ? "0" : fmt::format("{:.1e}", value);
}
std::string ulps(double value) {
  return std::isfinite(value) && value < 1e5 ? fmt::format("{:.2f}", value) : brief(value);
}

/// "row 3, t = 0.2 s"; without the time where the motion has none.
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

Json data_of(const LargestAt& at) {
  Json data{{"value", at.value}, {"row", at.row + 1}};
  if (at.t) data["time"] = *at.t;
  return data;
}

/// Differences of one pair, a row per joint.
std::vector<Fields> difference_rows(const ComparisonReport& report, const PairDifference& pair) {
  const auto worst = report.comparison.worst();
  const bool timed = worst && worst->difference.relative.t.has_value();
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < pair.joints.size(); ++i) {
    const Joint& joint = report.file.robot.joints[i];
    const JointDifference& found = pair.joints[i];
    Fields& row = rows.emplace_back();
    const auto add = [&](const char* key, const char* label, const LargestAt& at) {
      const bool is_somewhere = at.value != 0.0;
      row.push_back({key, label, {data_of(at), brief(at.value)}});
      if (&at == &found.absolute) row.push_back({"unit", "", Value::word(torque_unit(joint))});
      row.push_back(
          {for_people, "at row", is_somewhere ? Value::count(at.row + 1) : Value::word("")});
      row.push_back({for_people, label_if(timed, "t [s]"),
                     is_somewhere ? Value::moment(at.t.value_or(0.0)) : Value::word("")});
    };
    row.push_back({"name", "Largest differences", {joint.name, "  " + joint.name}});
    add("absolute", "|Δτ|", found.absolute);
    add("relative", "of scale", found.relative);
    row.push_back({"rms", "RMS |Δτ|", {found.rms, brief(found.rms)}});
  }
  return rows;
}

FieldTable difference_table(const ComparisonReport& report) {
  const auto& names = report.comparison.methods();
  FieldTable table;
  for (const PairDifference& pair : report.comparison.differences()) {
    table.rows.push_back({words(names[pair.first] + ", " + names[pair.second])});
    for (const Fields& row : difference_rows(report, pair)) table.rows.push_back(row);
  }
  return table;
}

/// A row per joint, or of the arm as a whole.
std::vector<Fields> verified_digits(const ComparisonReport& report) {
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < report.arm.dof(); ++i) {
    const std::string& joint = report.file.robot.joints[i].name;
    Fields& row = rows.emplace_back(
        Fields{{"name", "Verified digits of the largest torque", {joint, "  " + joint}}});
    for (std::size_t m = 0; m < report.comparison.methods().size(); ++m) {
      const std::string& method = report.comparison.methods()[m];
      const std::optional<std::size_t> digits = report.comparison.verified_digits(m, i);
      row.push_back({method, method, digits ? Value::count(*digits) : Value{nullptr, ""}});
    }
  }
  return rows;
}

FieldTable error_table(const ComparisonReport& report) {
  const std::vector<MethodError> errors = report.comparison.errors();
  FieldTable table;
  const auto add = [&](const std::string& name, const auto& rms, const auto& largest) {
    Fields& row = table.rows.emplace_back();
    row.push_back({for_people, "Error against 50 digits, ulp", Value::word(name)});
    for (std::size_t m = 0; m < errors.size(); ++m) {
      const std::string& method = report.comparison.methods()[m];
      row.push_back({for_people, method + ": RMS", Value::word(rms(errors[m]))});
      row.push_back({for_people, method + ": largest", Value::word(largest(errors[m]))});
    }
  };
  for (std::size_t i = 0; i < report.arm.dof(); ++i) {
    add(
        "  " + report.file.robot.joints[i].name,
        [i](const MethodError& error) { return ulps(error.rms[i]); },
        [i](const MethodError& error) { return ulps(error.largest[i].value); });
  }
  add(
      "  all joints", [](const MethodError& error) { return ulps(error.overall_rms); },
      [](const MethodError& error) {
        return ulps(std::ranges::max(error.largest, {}, &LargestAt::value).value);
      });
  return table;
}

/// Notes on formulations that are too slow for every row.
std::vector<std::string> notes(const ComparisonReport& report) {
  const Comparison& comparison = report.comparison;
  std::vector<std::string> all;
  const auto note = [&](const std::string& what, std::size_t rows) {
    if (rows < comparison.rows()) {
      all.push_back(fmt::format("{} on {} of {} rows, fewer toward the end, to keep the run short",
                                what, rows, comparison.rows()));
    }
  };
  const std::vector<MethodError> errors = comparison.errors();
  for (std::size_t m = 0; m < errors.size(); ++m) note(comparison.methods()[m], errors[m].rows);
  note("50-digit reference", comparison.reference_rows());
  return all;
}

Json differences(const ComparisonReport& report) {
  const auto& names = report.comparison.methods();
  return each(report.comparison.differences(), [&](const PairDifference& pair) {
    return Json{{"methods", Json::list(names[pair.first], names[pair.second])},
                {"rows", pair.rows},
                {"joints", objects({difference_rows(report, pair)})}};
  });
}

Json reference(const ComparisonReport& report) {
  const std::vector<MethodError> errors = report.comparison.errors();
  const auto of_method = [&](std::size_t m) {
    const auto of_joint = [&](std::size_t i) {
      return Json{{"name", report.file.robot.joints[i].name},
                  {"largest", data_of(errors[m].largest[i])},
                  {"rms", errors[m].rms[i]}};
    };
    return Json{{"method", report.comparison.methods()[m]},
                {"rows", errors[m].rows},
                {"rms", errors[m].overall_rms},
                {"joints", each(in_order(report.arm.dof()), of_joint)}};
  };
  return {{"digits", 50},
          {"rows", report.comparison.reference_rows()},
          {"unit", "ulp"},
          {"methods", each(in_order(errors.size()), of_method)}};
}

/// Sentence part on the verified digits, of the joint and the method with the fewest.
std::string certainty(const ComparisonReport& report) {
  std::optional<std::size_t> fewest;
  std::string joint;
  for (std::size_t m = 0; m < report.comparison.methods().size(); ++m) {
    for (std::size_t i = 0; i < report.arm.dof(); ++i) {
      const std::optional<std::size_t> digits = report.comparison.verified_digits(m, i);
      if (!digits || (fewest && *digits >= *fewest)) continue;
      fewest = digits;
      joint = report.file.robot.joints[i].name;
    }
  }
  if (!fewest) return "";
  const std::string digits = counted(*fewest, "verified digit");
  if (report.options.input_error == InputAccuracy::decimal ||
      std::pow(10.0, -static_cast<double>(*fewest)) <= report.comparison.tolerance()) {
    return fmt::format("; at least {} of every joint's largest torque", digits);
  }
  return fmt::format("; but only {} of {}'s largest torque, in which larger terms cancel", digits,
                     joint);
}

}  // namespace

std::array<std::string, 2> verdict(const ComparisonReport& report) {
  const Comparison& comparison = report.comparison;
  const auto worst = comparison.worst();
  if (!worst) return {"nothing to compare"};
  const JointDifference& found = worst->difference;
  if (found.relative.value == 0.0) {
    return {"the formulations agree in every digit", certainty(report)};
  }
  const std::string pair =
      comparison.methods()[worst->first] + " and " + comparison.methods()[worst->second];
  const Joint& joint = report.file.robot.joints[worst->joint];
  const std::string where =
      fmt::format("at {} (joint {}), {}", joint.name, worst->joint + 1, place(found.relative));
  const std::string size = fmt::format("by {} {}, {} of the row's scale", brief(found.there),
                                       torque_unit(joint), brief(found.relative.value));
  const std::string tolerance = number_text(comparison.tolerance());
  if (!comparison.agree()) {
    return {fmt::format("{} disagree {}: {}; tolerance {}", pair, where, size, tolerance)};
  }
  return {"the formulations agree", fmt::format("; {} differ most {}: {}, of {} allowed{}", pair,
                                                where, size, tolerance, certainty(report))};
}

/// Tables of differences, of digits that are verified, and of errors.
Sections tables_of(const ComparisonReport& report) {
  Sections tables;
  if (report.comparison.methods().size() > 1) {
    tables.push_back({"", difference_table(report), "", true});
    tables.push_back({"",
                      "scale of a row: the largest |Mq̈| + |V| + |G| + |wrench| of its "
                      "joints, and at least 1/1000 of the gross load; friction and rotors take no "
                      "part"s});
  }
  tables.push_back({"verified_digits", FieldTable{verified_digits(report)}, "", true});
  tables.push_back(
      {"", "proven with 50 digits, the set-up of the arm included, for "s +
               text_of_value(report.options.input_error,
                             {"the doubles of the robot", "the decimals of the robot file",
                              "every robot whose numbers round to those of the file"})});
  if (report.options.output.all) {
    tables.push_back({"", error_table(report), "", true});
    tables.push_back(
        {"",
         "1 ulp: the last place of a double as large as the joint's |Mq̈| + |V| + |G| + |wrench| "
         "(RMS)"s});
  }
  return tables;
}

Document answer(const ComparisonReport& report, Document found) {
  const CompareOptions& options = report.options;
  const Comparison& comparison = report.comparison;
  const auto where_rows = comparison.rows() > 0 ? Audience::all : Audience::programs;
  const auto [answer, evidence] = verdict(report);
  found.add("verdict", Json(answer + evidence));
  found.add(report.file.robot.name + ": " + answer);
  found.add(Paragraphs{"", {source_of_states(report) + evidence}});
  if (report.log) {
    found.add(log_sections(*report.log, report.file.robot, options.output.all));
  }
  found.add(Json{{"rows", comparison.rows()}, {"agree", comparison.agree()}});
  found.add("differences", differences(report));
  found.add("reference", reference(report));
  Sections tables = tables_of(report);
  const std::vector<std::string> all_notes = notes(report);
  for (const std::string& note : all_notes) tables.push_back({"", note});
  found.add(comparison.rows() > 0 ? tables : only_for(Audience::programs, tables));
  found.add("notes", Json(all_notes));
  if (options.costs) found.add(cost_sections(report.costs, report.file.robot, report.arm));
  found.add("costs", costs(report.costs, report.arm));
  if (!report.schedule.empty()) {
    const bool names_steps = options.output.json && options.processors.value_or(0) > 0;
    found.add(schedule_sections(report.schedule, report.arm.dof(), names_steps));
  }
  found.sections.push_back({"costs", FieldTable{times(report.costs)}, "", true, where_rows});
  found.warnings = report.log ? log_warnings(*report.log) : std::vector<std::string>();
  if (comparison.rows() == 0) found.warnings->emplace_back("the motion has a header but no rows");
  return found;
}

}  // namespace armdyn
