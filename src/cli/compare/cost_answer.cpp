#include "cli/compare/options.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

using namespace std::string_literals;

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Table whose last column, formulas of any length, is flush left.
std::string with_formulas(Rows rows) {
  const std::size_t columns = rows.front().size();
  std::vector<std::string> formulas;
  for (std::vector<std::string>& row : rows) {
    row.resize(columns);
    formulas.push_back(std::move(row.back()));
    row.back() = "|";  // where they begin
  }
  const std::string aligned = text_table(rows);
  const auto lines = static_cast<std::size_t>(std::ranges::count(aligned, '\n'));
  formulas.insert(formulas.begin(), lines - rows.size(), "");  // of a line with groups of columns
  std::istringstream table(aligned);
  std::string text;
  for (const std::string& formula : formulas) {
    std::string line;
    std::getline(table, line);
    line.back() = ' ';
    line += formula;
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

/// Adds a row with multiplications and additions of each count, blank where there is none; `formula`
/// is its last cell.
void add_row(Rows& rows, const std::string& label,
             const std::vector<std::optional<Operations>>& counts,
             const std::string& formula = "") {
  std::vector<std::string>& row = rows.emplace_back(1, label);
  for (const auto& count : counts) {
    row.push_back(count ? fmt::format("{}", count->multiplications) : "");
    row.push_back(count ? fmt::format("{}", count->additions) : "");
  }
  row.push_back(formula);
}

/// Tests whether M and C^i come by strobing; Lagrange's equation has them as terms.
bool can_strobe(Method method) {
  return method != Method::lagrange;
}

/// Tests whether τ is a projection in the papers' frames, where the joint axis is (0, sin α, cos
/// α).
bool projects(Method method) {
  return method == Method::newton_euler || method == Method::modified_newton_euler;
}
Operations in_papers_frames(const MethodCost& cost, std::int64_t n) {
  const Operations& written = cost.count.recursion.as_written;
  return projects(cost.method) ? written + Operations{2 * n, n} : written;
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
  std::vector<CountLine> lines{
      {"as_written", "counted, as written", cost.count.recursion.as_written},
      {"principal", can_strobe(cost.method) ? "counted, with principal axes" : "",
       cost.count.recursion.principal},
      {"needed", "counted, without this arm's zeros and ones", cost.count.recursion.needed},
      {"in_papers_frames",
       projects(cost.method) ? "as written, with τ projected as in the papers" : "",
       in_papers_frames(cost, n), "+ 2n, + n"}};
  for (const PublishedCount& formula : published_counts()) {
    if (formula.method != cost.method) continue;
    lines.push_back({"", fmt::format("{}: {}", formula.source, formula.what),
                     formula.operations.at(n), formula_text(formula.operations)});
  }
  return lines;
}

std::string counts_text(const std::vector<MethodCost>& costs, const Arm& arm) {
  const auto n = static_cast<std::int64_t>(arm.dof());
  Rows rows{{fmt::format("Cost of one state, n = {}", n), "multiplications", "additions", ""}};
  for (const MethodCost& cost : costs) {
    rows.emplace_back(1, std::string(name(cost.method)));
    for (const auto& [key, label, operations, formula] : count_lines(cost, n)) {
      if (!label.empty()) add_row(rows, "  " + label, {operations}, formula);
    }
  }
  const MethodCount& any = costs.front().count;
  rows.emplace_back(1,
                    fmt::format("set-up of each: {}, and",
                                any.sines == 1 ? "1 sine and cosine"
                                               : fmt::format("{} sines and cosines", any.sines)));
  add_row(rows, "  the joints' frames, as written", {any.frames.as_written});
  return "paper 001: Turney, Mudge, Lee 1980; paper 003: Lee, Chung, Mudge, Turney 1982\n" +
         with_formulas(rows);
}

/// A paper's table, and the counted cost of the same terms: one entry per group of rows.
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
  Rows rows{{fmt::format("{}, {}, n = {}", table.printed->source, table.printed->what, n),
             "printed", "", "counted", ""},
            {"", "mult", "add", "mult", "add"}};
  if (has_principal) {
    rows[0].insert(rows[0].end(), {"principal", "axes"});
    rows[1].insert(rows[1].end(), {"mult", "add"});
  }
  for (std::vector<std::string>& head : rows) head.emplace_back();
  const auto add = [&](const std::string& label, const PublishedOperations& printed,
                       const std::optional<Count>& counted) {
    std::vector<std::optional<Operations>> counts{printed.at(n), {}};
    if (has_principal) counts.emplace_back();
    if (counted) counts[1] = counted->as_written;
    if (counted && has_principal) counts[2] = counted->principal;
    add_row(rows, label, counts, formula_text(printed));
  };
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    const PublishedGroup& group = table.printed->groups[g];
    const bool stands_alone = group.rows.size() == 1;
    for (const PublishedTerm& row : group.rows) {
      add(fmt::format("  {}", row.term), row.operations,
          stands_alone ? table.groups[g] : std::nullopt);
    }
    if (stands_alone) continue;
    add(fmt::format("    these: {}", fmt::join(group.counted, ", ")), group.sum(), table.groups[g]);
  }
  add("  total", table.printed_total(), table.counted_total());
  return with_formulas(rows);
}

/// Ratio of paper 003's two tables, by its text and by the tables.
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
      "additions; counted {:.0f} and {:.0f}; its text gives about 100 for six joints\n",
      ratio(many.multiplications, few.multiplications), ratio(many.additions, few.additions),
      ratio(many_counted.multiplications, few_counted.multiplications),
      ratio(many_counted.additions, few_counted.additions));
}

/// The papers' tables, term by term.
std::string tables_text(const std::vector<MethodCost>& costs, const Arm& arm) {
  std::string text;
  for (const MethodCost& cost : costs) {
    for (const CountedTable& table : counted_tables(arm, cost.method)) {
      text += "\n" + table_text(table, static_cast<std::int64_t>(arm.dof()));
    }
    if (cost.method == Method::lagrange) text += ratio_text(arm);
  }
  return text;
}

std::string strobing_text(const std::vector<MethodCost>& costs, const Arm& arm) {
  const auto n = static_cast<std::int64_t>(arm.dof());
  Rows rows{{"M and C^i by strobing", "M: multiplications", "additions", "C^i: multiplications",
             "additions", ""}},
      steps{{"A step of simulation: RK4, M by strobing", "multiplications", "additions", ""}};
  for (const MethodCost& cost : costs) {
    if (!can_strobe(cost.method)) continue;
    const auto [M, C, step] = count_strobing(arm, cost.method);
    for (Rows* const table : {&rows, &steps}) table->push_back({std::string(name(cost.method))});
    add_row(rows, "  counted, as written", {M.as_written, C.as_written});
    add_row(rows, "  counted, without zeros and ones", {M.needed, C.needed});
    const std::string divisions = fmt::format("and {} divisions", step.as_written.divisions);
    add_row(steps, "  counted, as written", {step.as_written}, divisions);
    add_row(steps, "  counted, without zeros and ones", {step.needed}, divisions);
  }
  if (rows.size() == 1) return "";
  add_row(rows, "paper 001 §6, with its Table 3",
          {published_strobing_of_mass_matrix(n), published_strobing_of_velocity_matrices(n)});
  return "\n" + with_formulas(rows) + "\n" + with_formulas(steps);
}

std::string prismatic_note(const Robot& robot) {
  const auto prismatic = std::ranges::count(robot.joints, false, turns);
  if (prismatic == 0) return "";
  return fmt::format(
      "The papers' formulas are for revolute joints alone; {} of this arm's {} {} "
      "prismatic.\n",
      prismatic, counted(robot.dof(), "joint"), prismatic == 1 ? "is" : "are");
}

Json data_of(const Operations& operations) {
  return {{"multiplications", operations.multiplications}, {"additions", operations.additions}};
}

Json data_of(const Count& count) {
  return {{"as_written", data_of(count.as_written)},
          {"principal", data_of(count.principal)},
          {"needed", data_of(count.needed)}};
}

Json data_of(const PublishedOperations& operations, std::int64_t n) {
  Json found = data_of(operations.at(n));
  found["formulas"] = {{"multiplications", operations.multiplications.text()},
                       {"additions", operations.additions.text()}};
  return found;
}
Json data_of(const PublishedTerm& row, std::int64_t n) {
  Json found = data_of(row.operations, n);
  found["term"] = row.term;
  return found;
}

Json json_tables(const Arm& arm, Method method) {
  const auto n = static_cast<std::int64_t>(arm.dof());
  return each(counted_tables(arm, method), [n](const CountedTable& table) {
    const auto group = [&](std::size_t g) {
      const PublishedGroup& printed = table.printed->groups[g];
      const auto row = [n](const PublishedTerm& term) { return data_of(term, n); };
      return Json{{"printed", each(printed.rows, row)},
                  {"terms", printed.counted},
                  {"counted", table.groups[g] ? data_of(*table.groups[g]) : Json()}};
    };
    return Json{{"source", table.printed->source},
                {"what", table.printed->what},
                {"groups", each(in_order(table.groups.size()), group)}};
  });
}

}  // namespace

std::vector<Fields> times(const std::vector<MethodCost>& costs) {
  return each(costs, [&](const MethodCost& cost) -> Fields {
    const double ratio = cost.seconds / costs.front().seconds;
    return {{"method", "Time of one state", Value::word(std::string(name(cost.method)))},
            {"seconds", "µs", {cost.seconds, fmt::format("{:.3g}", 1e6 * cost.seconds)}},
            {"ratio",
             "over " + std::string(name(costs.front().method)),
             {ratio, fmt::format("{:.3g}", ratio)}}};
  });
}

Sections cost_sections(const std::vector<MethodCost>& costs, const Robot& robot, const Arm& arm) {
  std::string text = counts_text(costs, arm) + prismatic_note(robot) + tables_text(costs, arm) +
                     strobing_text(costs, arm);
  text.pop_back();
  return {{"", text, "", true}};
}

Json costs(const std::vector<MethodCost>& all, const Arm& arm) {
  const auto n = static_cast<std::int64_t>(arm.dof());
  return each(all, [&](const MethodCost& cost) {
    Json entry;
    for (const CountLine& line : count_lines(cost, n)) {
      if (!line.key.empty()) entry[line.key] = data_of(line.operations);
    }
    entry["frames"] = data_of(cost.count.frames);
    entry["sines"] = cost.count.sines;
    if (!arm.is_serial()) return entry;  // formulas and tables are of serial arms
    Json& formulas = entry["published"] = Json::list();
    for (const PublishedCount& formula : published_counts()) {
      if (formula.method != cost.method) continue;
      Json found = data_of(formula.operations, n);
      found["source"] = formula.source;
      found["what"] = formula.what;
      formulas.push_back(found);
    }
    entry["tables"] = json_tables(arm, cost.method);
    if (can_strobe(cost.method)) {
      const auto [M, C, step] = count_strobing(arm, cost.method);
      entry["strobing"] = {{"mass_matrix", data_of(M)},
                           {"velocity_matrices", data_of(C)},
                           {"simulation_step", data_of(step)}};
    }
    return entry;
  });
}

namespace {

ScheduledOperations scheduled(const char* key, const char* label, std::vector<Task> tasks,
                              std::size_t processors) {
  if (processors == 0) processors = fewest_processors(tasks);
  Timetable table = list_schedule(tasks, processors);
  const std::size_t levels = critical_path(tasks);
  return {key, label, std::move(tasks), levels, processors, std::move(table)};
}

Fields fields_of(const ScheduledOperations& of) {
  const std::size_t count = work(of.tasks);
  const std::size_t levels = std::max<std::size_t>(of.levels, 1);
  const auto operations = static_cast<double>(count);
  const double speed_up = operations / static_cast<double>(std::max<std::size_t>(of.table.end, 1));
  const double idle = 1.0 - speed_up / static_cast<double>(std::max<std::size_t>(of.processors, 1));
  return {{for_people, "Operations at once", Value::word("  "s + of.label)},
          {"operations", "operations", Value::count(count)},
          {"levels", "levels", Value::count(of.levels)},
          {"bound", "bound", Value::count((count + levels - 1) / levels)},
          {"processors", "processors", Value::count(of.processors)},
          {"steps", "steps", Value::count(of.table.end)},
          {"speed_up", "speed-up", {speed_up, fmt::format("{:.2f}", speed_up)}},
          {"idle", "idle", {idle, fmt::format("{:.0f} %", 100.0 * idle)}}};
}

/// Operations, those that they need, their times and processors: entry k of each list is operation
/// k.
Json timetable_of(const ScheduledOperations& of) {
  const auto operation = [](const Task& task) {
    return task.term.empty() ? std::string(1, task.does)
                             : fmt::format("{} {}", task.term, task.does);
  };
  return {{"operations", each(of.tasks, operation)},
          {"needs", each(of.tasks, &Task::needs)},
          {"begins", of.table.begins},
          {"processors", of.table.processors}};
}

/// Table 5 of paper 001 by its rows, and the longest chain by its durations.
Sections table_5(std::size_t dof) {
  const auto n = static_cast<std::int64_t>(dof);
  const PublishedGroup& printed = published_simultaneous_steps();
  Rows rows{{fmt::format("paper 001, Table 5, n = {}", n), "mult", "add", ""}};
  for (const PublishedTerm& row : printed.rows) {
    add_row(rows, fmt::format("  {}", row.term), {row.operations.at(n)},
            formula_text(row.operations));
  }
  add_row(rows, "  total", {printed.sum().at(n)}, formula_text(printed.sum()));
  const auto chain = [dof](TermDuration duration) {
    return static_cast<std::int64_t>(critical_path(terms_of_table_4(dof, duration)));
  };
  const Operations longest{chain(TermDuration::multiplications), chain(TermDuration::additions)};
  add_row(rows, "  by dependencies and Table 4", {longest}, "27n + 6, 36n + 9");
  std::string text = with_formulas(rows);
  text.pop_back();
  const auto term = [n](const PublishedTerm& row) { return data_of(row, n); };
  const Json data{{"rows", each(printed.rows, term)},
                  {"printed", data_of(printed.sum().at(n))},
                  {"longest_chain", data_of(longest)}};
  return {{"", text, "", true}, {"schedule", Json{{"table_5", data}}}};
}

}  // namespace

std::vector<ScheduledMethod> schedule(const Arm& arm, std::span<const Method> methods,
                                      std::size_t processors) {
  return each(methods, [&](Method method) -> ScheduledMethod {
    const std::vector<Task> written = written_operations(arm, method);
    const std::vector<Task> folded = folded_operations(arm, method);
    return {
        method,
        {scheduled("as_written", "as written", written, processors),
         scheduled("balanced", "the same, sums balanced", with_balanced_sums(written), processors),
         scheduled("needed", "without this arm's zeros and ones", folded, processors),
         scheduled("needed_balanced", "the same, sums balanced", with_balanced_sums(folded),
                   processors)}};
  });
}

Sections schedule_sections(std::span<const ScheduledMethod> methods, std::size_t dof,
                           bool names_steps) {
  FieldTable table;
  Json list = Json::list();
  for (const auto& [method, readings] : methods) {
    Json entry{{"method", name(method)}};
    table.rows.push_back({words(std::string(name(method)))});
    for (const ScheduledOperations& reading : readings) {
      table.rows.push_back(fields_of(reading));
      entry[reading.key] = object(table.rows.back());
      if (names_steps) entry[reading.key]["timetable"] = timetable_of(reading);
    }
    list.push_back(entry);
  }
  Document found;
  found.sections.push_back({"", table, "", true});
  found.add(
      "levels: the longest chain of dependent operations, one step each; joints' frames (written) "
      "or sines\n(without zeros) are inputs; bound: operations over levels; fewer processors need "
      "more steps;\nspeed-up: over one processor; idle: of the processors' steps"s);
  found.add("schedule", Json{{"methods", list}});
  if (std::ranges::count(methods, Method::modified_newton_euler, &ScheduledMethod::method) > 0) {
    found.add(table_5(dof));
  }
  return found.sections;
}

std::vector<Panel> schedule_panels(std::span<const ScheduledMethod> methods) {
  const auto stair = [](const ScheduledOperations& of) {
    Curve curve{of.label, {0.0}, {0.0}};
    const std::vector<std::size_t> at_work = of.table.at_work(of.tasks);
    for (std::size_t step = 0; step < at_work.size(); ++step) {
      for (const std::size_t x : {step, step + 1}) {
        curve.x.push_back(static_cast<double>(x));
        curve.y.push_back(static_cast<double>(at_work[step]));
      }
    }
    curve.x.push_back(static_cast<double>(at_work.size()));
    curve.y.push_back(0.0);
    return curve;
  };
  return each(methods, [&](const ScheduledMethod& of) -> Panel {
    return {std::string(name(of.method)),
            "processors at work",
            "",
            {stair(of.readings[0]), stair(of.readings[2])},
            {}};
  });
}

}  // namespace armdyn
