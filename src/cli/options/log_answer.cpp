#include "cli/options/log_answer.hpp"

#include <fmt/format.h>

#include "io/text/number_text.hpp"
#include "motion/derive.hpp"
#include "report/document.hpp"

namespace armdyn {

namespace {

/// Rows, or gaps between them, that are not as they should be.
struct Flaw {
  const char* key;
  std::size_t count;
  std::string warning;  ///< empty: no reason to warn
};

std::vector<Flaw> flaws(const LogReport& report) {
  const auto rows = [](const char* key, std::size_t count, const std::string& what) {
    return Flaw{key, count, counted(count, "row") + " " + what};
  };
  const bool leaves_out = report.leaves_rows_out;
  const std::string left_out = leaves_out ? "left out " : "";
  const std::string before = leaves_out ? "last row kept" : "row before";
  return {rows("unreadable", report.unreadable,
               "left out that could not be read, the first: " + report.first_unreadable),
          rows("repeated_stamps", report.repeated.count(),
               left_out + "with the t of the row before: " + report.repeated.places()),
          rows("falling_stamps", report.falling.count(),
               left_out + "with a t before that of the " + before + ": " + report.falling.places()),
          rows("missing_rows", report.missing.count(),
               "missing, a few at a time: " + report.missing.places()),
          {"gaps", report.gaps.count(),
           fmt::format("{} of more than {} usual steps, {}: before {}",
                       counted(report.gaps.count(), "gap"), MotionRows::gap_from,
                       report.bridges_gaps ? "bridged" : "skipped", report.gaps.places())},
          rows("too_few", report.too_few,
               fmt::format("left out in stretches of fewer than {} rows", LocalFit::fewest_points)),
          {"outside", report.outside, ""}};
}

/// How certain q is, and what was derived from it; one row per joint.
std::vector<Fields> uncertainties(const LogReport::Derived& derived, const Robot& robot) {
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < derived.joints.size(); ++i) {
    const auto& [q, qd, qdd, qd_at_ends, qdd_at_ends] = derived.joints[i];
    rows.push_back({{for_people, "joint", Value::word(robot.joints[i].name)},
                    {"noise", "noise of q", Value::number(q)},
                    {"qd_uncertainty", "qd ±", Value::number(qd)},
                    {"qdd_uncertainty", "qdd ±", Value::number(qdd)},
                    {"qd_uncertainty_at_ends", "qd at the ends ±", Value::number(qd_at_ends)},
                    {"qdd_uncertainty_at_ends", "qdd at the ends ±", Value::number(qdd_at_ends)}});
  }
  return rows;
}

Json input_data(const LogReport& report, const FieldTable& uncertainties) {
  Json input{{"rows_in", report.rows_in}};
  for (const Flaw& flaw : flaws(report)) input[flaw.key] = flaw.count;
  if (!report.recognised.empty()) input["recognised"] = report.recognised;
  if (const auto& steps = report.steps) {
    input["steps"] = Json::list(steps->usual, steps->shortest, steps->longest);
  }
  if (const auto& derived = report.derived) {
    input["derived"] = {{"window", derived->window},
                        {"qd", derived->qd},
                        {"qdd", derived->qdd},
                        {"joints", objects(uncertainties)}};
  }
  return input;
}

}  // namespace

Sections log_sections(const LogReport& report, const Robot& robot) {
  Document found;
  FieldTable joints;
  if (const auto& derived = report.derived) {
    joints.rows = uncertainties(*derived, robot);
    if (report.rows_out > 0) {
      found.add(fmt::format("{} derived from q over t: polynomials of degree {} over {} s, {}{}",
                            derived->qd && derived->qdd ? "qd and qdd"
                            : derived->qd               ? "qd"
                                                        : "qdd",
                            LocalFit::degree, short_number(derived->window),
                            derived->is_window_given ? "as given" : "chosen from the data",
                            derived->finds_rest
                                ? "; what is slower than three standard uncertainties is at rest"
                                : ""));
      found.add(joints);
    }
  }
  if (report.outside > 0) {
    found.add(counted(report.outside, "row") + " outside the time asked for");
  }
  if (report.steps && report.steps->longest > 1.02 * report.steps->shortest) {
    found.add(fmt::format("steps of t: usually {} s, {} to {} s", short_number(report.steps->usual),
                          short_number(report.steps->shortest),
                          short_number(report.steps->longest)));
  }
  found.add("input", input_data(report, joints));
  return found.sections;
}

bool window_is_narrow(const LogReport& report) {
  constexpr double narrow = 0.8;  // of the window that the data choose
  return report.derived && report.derived->window < narrow * report.derived->best_window;
}

std::vector<std::string> log_warnings(const LogReport& report) {
  std::vector<std::string> warnings = report.remarks;
  for (const auto& [key, count, warning] : flaws(report)) {
    if (count > 0 && !warning.empty()) warnings.push_back(warning);
  }
  if (window_is_narrow(report)) {
    warnings.push_back(fmt::format(
        "--window {} s is narrower than the {} s that the data choose: noise in qdd and "
        "dτ/dt counts for more, and no errors of parameters are given that would cover the truth",
        short_number(report.derived->window), short_number(report.derived->best_window)));
  }
  warnings.insert(warnings.end(), report.disagreements.begin(), report.disagreements.end());
  return warnings;
}

}  // namespace armdyn
