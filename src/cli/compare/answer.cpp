#include "cli/compare/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/compare/options.hpp"
#include "cli/options/log_answer.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/published_counts.hpp"
#include "io/text/brief_text.hpp"
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

/// Lines of a table, each with a text of its own to the right.
std::string with_last_column(const std::string& table, const std::vector<std::string>& texts) {
  std::vector<std::string> lines;
  std::istringstream in(table);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, character_count(line));
  std::string result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    result += lines[i];
    if (!texts[i].empty()) {
      result += std::string(width - character_count(lines[i]) + 3, ' ') + texts[i];
    }
    result += "\n";
  }
  return result;
}

/// The terms of Lagrange's equation need no strobing.
bool can_strobe(Method method) {
  return method != Method::lagrange;
}

/// In the papers' frames the joint axis is (0, sin α, cos α); τ is a projection on it.
Operations in_papers_frames(const MethodCost& cost, std::int64_t n) {
  return cost.method == Method::lagrange ? cost.count.recursion.as_written
                                         : cost.count.recursion.as_written + Operations{2 * n, n};
}

std::vector<PublishedCount> published(Method method) {
  const auto all = published_counts();
  std::vector<PublishedCount> counts(all.begin(), all.end());
  std::erase_if(counts, [&](const PublishedCount& count) { return count.method != method; });
  return counts;
}

std::string formula_text(const PublishedOperations& operations) {
  return fmt::format("{}, {}", operations.multiplications.text(), operations.additions.text());
}

/// One line of the table of counts.
struct CountLine {
  std::string key;    ///< empty: for people alone
  std::string label;  ///< empty: for programs alone
  Operations operations;
  std::string formula = "";
};

std::vector<CountLine> count_lines(const MethodCost& cost, std::int64_t n) {
  const bool projects = cost.method != Method::lagrange;
  std::vector<CountLine> lines{
      {"as_written", "counted, as written", cost.count.recursion.as_written},
      {"principal", projects ? "counted, with principal axes" : "", cost.count.recursion.principal},
      {"needed", "counted, without this arm's zeros and ones", cost.count.recursion.needed},
      {"in_papers_frames", projects ? "as written, with τ projected as in the papers" : "",
       in_papers_frames(cost, n), "+ 2n, + n"}};
  for (const PublishedCount& formula : published(cost.method)) {
    lines.push_back({"", fmt::format("{}: {}", formula.source, formula.what),
                     formula.operations.at(n), formula_text(formula.operations)});
  }
  return lines;
}

std::string counts_text(const ComparisonReport& report) {
  const auto n = static_cast<std::int64_t>(report.arm.dof());
  Rows rows{{fmt::format("Cost of one state, n = {}", n), "multiplications", "additions"}};
  std::vector<std::string> formulas{""};
  const auto add_heading = [&](const std::string& heading) {
    rows.push_back({heading});
    formulas.emplace_back();
  };
  const auto add = [&](const CountLine& line) {
    if (line.label.empty()) return;
    rows.push_back({"  " + line.label, fmt::format("{}", line.operations.multiplications),
                    fmt::format("{}", line.operations.additions)});
    formulas.push_back(line.formula);
  };
  for (const MethodCost& cost : report.costs) {
    add_heading(std::string(name(cost.method)));
    for (const CountLine& line : count_lines(cost, n)) add(line);
  }
  const MethodCount& any = report.costs.front().count;
  add_heading(fmt::format("set-up of each: {} sines and cosines, and", any.sines));
  add({"", "the joints' frames, as written", any.frames.as_written});
  return with_last_column(text_table(rows), formulas);
}

/// A paper's table, and what the same terms of our text cost: one entry per group of rows.
struct CountedTable {
  const PublishedTable* printed = nullptr;
  std::vector<std::optional<Count>> groups;

  [[nodiscard]] PublishedOperations printed_total() const {
    PublishedOperations total;
    for (const PublishedGroup& group : printed->groups) total = total + group.sum();
    return total;
  }
  [[nodiscard]] Count counted_total() const {
    Count total;
    for (const std::optional<Count>& group : groups) total = total + group.value_or(Count{});
    return total;
  }
};

std::vector<CountedTable> counted_tables(const Arm& arm, Method method) {
  std::vector<CountedTable> tables;
  for (const PublishedTable& printed : published_tables()) {
    if (printed.method != method) continue;
    const std::vector<TermCount> terms = printed.counts_printed_lagrange
                                             ? count_printed_lagrange_terms(arm)
                                             : count_terms(arm, method);
    CountedTable& table = tables.emplace_back(CountedTable{&printed, {}});
    for (const PublishedGroup& group : printed.groups) {
      std::optional<Count>& sum = table.groups.emplace_back();
      for (const TermCount& term : terms) {
        if (std::ranges::find(group.counted, term.term) == group.counted.end()) continue;
        sum = sum.value_or(Count{}) + term.count;
      }
    }
  }
  return tables;
}

std::string table_text(const CountedTable& table, std::int64_t n) {
  const bool has_principal = table.printed->method != Method::lagrange;
  const auto cells = [&](const std::string& label, const PublishedOperations& printed,
                         const std::optional<Count>& counted) {
    const Operations at_n = printed.at(n);
    std::vector<std::string> row{label, fmt::format("{}", at_n.multiplications),
                                 fmt::format("{}", at_n.additions)};
    if (!counted) return row;
    const auto add = [&row](const Operations& operations) {
      row.push_back(fmt::format("{}", operations.multiplications));
      row.push_back(fmt::format("{}", operations.additions));
    };
    add(counted->as_written);
    if (has_principal) add(counted->principal);
    return row;
  };
  Rows rows{{fmt::format("{}, {}, n = {}", table.printed->source, table.printed->what, n),
             "printed", "", "counted", ""},
            {"", "mult", "add", "mult", "add"}};
  if (has_principal) {
    rows[0].insert(rows[0].end(), {"principal", "axes"});
    rows[1].insert(rows[1].end(), {"mult", "add"});
  }
  std::vector<std::string> formulas(2);
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    const PublishedGroup& group = table.printed->groups[g];
    const bool stands_alone = group.rows.size() == 1;
    for (const PublishedTerm& row : group.rows) {
      rows.push_back(cells(fmt::format("  {}", row.term), row.operations,
                           stands_alone ? table.groups[g] : std::nullopt));
      formulas.push_back(formula_text(row.operations));
    }
    if (stands_alone) continue;
    rows.push_back(cells(fmt::format("    these: {}", fmt::join(group.counted, ", ")), group.sum(),
                         table.groups[g]));
    formulas.push_back(formula_text(group.sum()));
  }
  rows.push_back(cells("  total", table.printed_total(), table.counted_total()));
  formulas.push_back(formula_text(table.printed_total()));
  return with_last_column(text_table(rows), formulas);
}

/// What paper 003 says of its two tables, and what they say.
std::string ratio_text(const Arm& arm) {
  const auto n = static_cast<std::int64_t>(arm.dof());
  const auto of_003 = [&](Method method) {
    std::vector<CountedTable> tables = counted_tables(arm, method);
    std::erase_if(tables, [](const CountedTable& t) { return t.printed->source != "paper 003"; });
    return tables.front();
  };
  const CountedTable lagrange = of_003(Method::lagrange), newton = of_003(Method::newton_euler);
  const auto ratio = [](std::int64_t many, std::int64_t few) {
    return static_cast<double>(many) / static_cast<double>(few);
  };
  const Operations many = lagrange.printed_total().at(n), few = newton.printed_total().at(n);
  const Operations many_counted = lagrange.counted_total().as_written;
  const Operations few_counted = newton.counted_total().as_written;
  return fmt::format(
      "paper 003, Table 1 over Table 2: {:.0f} times the multiplications, {:.0f} times the "
      "additions; counted {:.0f} and {:.0f}; its text says about 100 for six joints\n",
      ratio(many.multiplications, few.multiplications), ratio(many.additions, few.additions),
      ratio(many_counted.multiplications, few_counted.multiplications),
      ratio(many_counted.additions, few_counted.additions));
}

/// The papers' tables, term by term.
std::string tables_text(const ComparisonReport& report) {
  std::string text;
  for (const MethodCost& cost : report.costs) {
    for (const CountedTable& table : counted_tables(report.arm, cost.method)) {
      text += "\n" + table_text(table, static_cast<std::int64_t>(report.arm.dof()));
    }
    if (cost.method == Method::lagrange) text += ratio_text(report.arm);
  }
  return text;
}

std::string strobing_text(const ComparisonReport& report) {
  const auto n = static_cast<std::int64_t>(report.arm.dof());
  Rows rows{{"M and C^i by strobing", "M: multiplications", "additions", "C^i: multiplications",
             "additions"}};
  const auto add = [&](const std::string& label, const Operations& M, const Operations& C) {
    rows.push_back({label, fmt::format("{}", M.multiplications), fmt::format("{}", M.additions),
                    fmt::format("{}", C.multiplications), fmt::format("{}", C.additions)});
  };
  for (const MethodCost& cost : report.costs) {
    if (!can_strobe(cost.method)) continue;
    const auto [M, C] = count_strobing(report.arm, cost.method);
    rows.push_back({std::string(name(cost.method))});
    add("  counted, as written", M.as_written, C.as_written);
    add("  counted, without zeros and ones", M.needed, C.needed);
  }
  if (rows.size() == 1) return "";
  add("paper 001 §6, with its Table 3", published_strobing_of_mass_matrix(n),
      published_strobing_of_velocity_matrices(n));
  return "\n" + text_table(rows);
}

/// One row per method.
std::vector<Fields> times(const ComparisonReport& report) {
  std::vector<Fields> rows;
  for (const MethodCost& cost : report.costs) {
    const double ratio = cost.seconds / report.costs.front().seconds;
    rows.push_back({{"method", "Time of one state", Value::word(std::string(name(cost.method)))},
                    {"seconds", "µs", {cost.seconds, fmt::format("{:.3g}", 1e6 * cost.seconds)}},
                    {"ratio", "ratio", {number(ratio), fmt::format("{:.3g}", ratio)}}});
  }
  return rows;
}

std::string prismatic_note(const Robot& robot) {
  const auto prismatic = static_cast<std::size_t>(
      std::ranges::count(robot.joints, JointType::prismatic, &Joint::type));
  return prismatic == 0 ? ""
                        : fmt::format(
                              "The formulas count revolute joints; {} of this arm's {} "
                              "joints {} prismatic.\n",
                              prismatic, robot.dof(), prismatic == 1 ? "is" : "are");
}

Json json(const Operations& operations) {
  return {{"multiplications", operations.multiplications}, {"additions", operations.additions}};
}

Json json(const Count& count) {
  return {{"as_written", json(count.as_written)},
          {"principal", json(count.principal)},
          {"needed", json(count.needed)}};
}

Json json(const PublishedOperations& operations, std::int64_t n) {
  Json found = json(operations.at(n));
  found["formulas"] = {{"multiplications", operations.multiplications.text()},
                       {"additions", operations.additions.text()}};
  return found;
}

Json json_tables(const Arm& arm, Method method) {
  const auto n = static_cast<std::int64_t>(arm.dof());
  Json tables = Json::array();
  for (const CountedTable& table : counted_tables(arm, method)) {
    Json groups = Json::array();
    for (std::size_t g = 0; g < table.groups.size(); ++g) {
      Json& group = groups.emplace_back();
      for (const PublishedTerm& row : table.printed->groups[g].rows) {
        Json found = json(row.operations, n);
        found["term"] = row.term;
        group["printed"].push_back(found);
      }
      group["terms"] = table.printed->groups[g].counted;
      group["counted"] = table.groups[g] ? json(*table.groups[g]) : Json(nullptr);
    }
    tables.push_back(
        {{"source", table.printed->source}, {"what", table.printed->what}, {"groups", groups}});
  }
  return tables;
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

Json json_costs(const ComparisonReport& report) {
  const auto n = static_cast<std::int64_t>(report.arm.dof());
  Json costs = objects(times(report));
  for (std::size_t m = 0; m < costs.size(); ++m) {
    const MethodCost& cost = report.costs[m];
    Json& entry = costs[m];
    for (const CountLine& line : count_lines(cost, n)) {
      if (!line.key.empty()) entry[line.key] = json(line.operations);
    }
    entry["frames"] = json(cost.count.frames);
    entry["sines"] = cost.count.sines;
    entry["published"] = Json::array();
    for (const PublishedCount& formula : published(cost.method)) {
      Json found = json(formula.operations, n);
      found["source"] = formula.source;
      found["what"] = formula.what;
      entry["published"].push_back(found);
    }
    entry["tables"] = json_tables(report.arm, cost.method);
    if (can_strobe(cost.method)) {
      const auto [M, C] = count_strobing(report.arm, cost.method);
      entry["strobing"] = {{"mass_matrix", json(M)}, {"velocity_matrices", json(C)}};
    }
  }
  return costs;
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
    all += "\n" + counts_text(report) + prismatic_note(report.file.robot) + tables_text(report) +
           strobing_text(report);
  }
  if (!report.schedule.empty()) all += "\n" + schedule_text(report.schedule, report.arm.dof());
  if (report.comparison.rows() > 0) all += "\n" + table(times(report));
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
  json["costs"] = json_costs(report);
  if (!report.schedule.empty()) {
    json["schedule"] = schedule_json(report.schedule, report.arm.dof());
  }
  json["notes"] = notes(report);
  json["warnings"] = warnings(report);
  return json;
}

}  // namespace armdyn
