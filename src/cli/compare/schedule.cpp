#include "cli/compare/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dynamics/counts.hpp"
#include "report/document.hpp"

namespace armdyn {

namespace {

ScheduledOperations scheduled(const std::vector<Task>& tasks, std::size_t processors) {
  const bool all = processors == 0;
  const Timetable table =
      list_schedule(tasks, all ? std::numeric_limits<std::size_t>::max() : processors);
  ScheduledOperations result{work(tasks), critical_path(tasks), processors, table.at_work(tasks)};
  if (all && result.steps() > 0) result.processors = *std::ranges::max_element(result.at_work);
  return result;
}

Fields fields_of(const std::string& label, const ScheduledOperations& of) {
  const auto operations = static_cast<double>(of.operations);
  const auto steps = static_cast<double>(std::max<std::size_t>(of.steps(), 1));
  const double speed_up = operations / steps;
  const double idle = 1.0 - speed_up / static_cast<double>(std::max<std::size_t>(of.processors, 1));
  return {{for_people, "Operations at once", Value::word("  " + label)},
          {"operations", "operations", Value::count(of.operations)},
          {"levels", "levels", Value::count(of.levels)},
          {"processors", "processors", Value::count(of.processors)},
          {"steps", "steps", Value::count(of.steps())},
          {"speed_up", "speed-up", {speed_up, fmt::format("{:.2f}", speed_up)}},
          {"idle", "idle", {idle, fmt::format("{:.0f} %", 100.0 * idle)}}};
}

/// Table 5 of paper 001, and what its durations come to.
struct LongestTerms {
  explicit LongestTerms(std::size_t dof)
      : printed(published_simultaneous_steps().at(static_cast<std::int64_t>(dof))),
        multiplications(critical_path(terms_of_table_4(dof, TermDuration::multiplications))),
        additions(critical_path(terms_of_table_4(dof, TermDuration::additions))) {}
  Operations printed;
  std::size_t multiplications, additions;
};

bool has_modified(std::span<const ScheduledMethod> methods) {
  return std::ranges::find(methods, Method::modified_newton_euler, &ScheduledMethod::method) !=
         methods.end();
}

}  // namespace

std::vector<ScheduledMethod> schedule(const Arm& arm, std::span<const Method> methods,
                                      std::size_t processors) {
  std::vector<ScheduledMethod> result;
  result.reserve(methods.size());
  for (const Method method : methods) {
    result.push_back({method, scheduled(written_operations(arm, method), processors),
                      scheduled(folded_operations(arm, method), processors)});
  }
  return result;
}

Sections schedule_sections(std::span<const ScheduledMethod> methods, std::size_t dof) {
  FieldTable table;
  Json list = Json::list();
  for (const ScheduledMethod& method : methods) {
    const Fields as_written = fields_of("as written", method.as_written);
    const Fields folded = fields_of("without this arm's zeros and ones", method.folded);
    list.push_back({{"method", name(method.method)},
                    {"as_written", object(as_written)},
                    {"needed", object(folded)}});
    table.rows.push_back({words(std::string(name(method.method)))});
    table.rows.push_back(as_written);
    table.rows.push_back(folded);
  }
  Json schedule{{"methods", list}};
  Document found;
  found.sections.push_back({"", table, "", true});
  found.add(
      std::string("levels: the longest chain of operations that need one another, one step "
                  "each; joints' frames (written)\nor sines (without zeros) are there"));
  if (has_modified(methods)) {
    const LongestTerms terms(dof);
    found.add(fmt::format(
        "paper 001 (Turney, Mudge, Lee 1980), Table 5: {} multiplications, {} additions one after "
        "the other ({}, {}); by "
        "the\ndurations of its Table 4 and what needs what: {}, {} (27n + 6, 36n + 9)",
        terms.printed.multiplications, terms.printed.additions,
        published_simultaneous_steps().multiplications.text(),
        published_simultaneous_steps().additions.text(), terms.multiplications, terms.additions));
    schedule["table_5"] = {
        {"printed",
         {{"multiplications", terms.printed.multiplications},
          {"additions", terms.printed.additions}}},
        {"longest_chain",
         {{"multiplications", terms.multiplications}, {"additions", terms.additions}}}};
  }
  found.add("schedule", schedule);
  return found.sections;
}

std::vector<Panel> schedule_panels(std::span<const ScheduledMethod> methods) {
  const auto stair = [](const char* label, const ScheduledOperations& of) {
    Curve curve{label, {0.0}, {0.0}};
    for (std::size_t step = 0; step < of.steps(); ++step) {
      for (const std::size_t x : {step, step + 1}) {
        curve.x.push_back(static_cast<double>(x));
        curve.y.push_back(static_cast<double>(of.at_work[step]));
      }
    }
    curve.x.push_back(static_cast<double>(of.steps()));
    curve.y.push_back(0.0);
    return curve;
  };
  std::vector<Panel> panels;
  panels.reserve(methods.size());
  for (const ScheduledMethod& method : methods) {
    panels.push_back(
        {std::string(name(method.method)),
         "processors at work",
         "",
         {stair("as written", method.as_written), stair("without zeros and ones", method.folded)},
         {}});
  }
  return panels;
}

}  // namespace armdyn
