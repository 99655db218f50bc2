#include "cli/identify/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

constexpr double significant = 2.0;   // standard errors away from 0
constexpr double least_delay = 1e-5;  // s, that is worth a word

Value share(double rms, double of) {
  if (!(of > 0.0)) return {};
  return {rms / of, fmt::format("{:.2f} %", 100.0 * rms / of)};
}

/// A standard deviation, where errors cover the truth.
std::optional<double> error(const Identification& found, double value) {
  return found.errors_cover && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Value error_value(const Identification& found, double value) {
  const std::optional<double> covers = error(found, value);
  return {covers, covers ? fmt::format("{:.2g}", *covers) : "none"};
}

/// Tells whether a base parameter is not 0, where that is known.
std::optional<bool> is_certain(const Identification& found, const Identification::Base& base) {
  const std::optional<double> covers = error(found, base.error);
  return covers ? std::optional(std::abs(base.value) > significant * *covers) : std::nullopt;
}

std::vector<Fields> residual_rows(const Identification& found, const Robot& robot) {
  return each(in_order(robot.dof()), [&](std::size_t j) -> Fields {
    const Misfit &fitted = found.fitted[j], &held_out = found.held_out[j];
    const Misfit& ends = found.held_out_ends[j];
    const Misfit &all = found.held_out_all[j], &moving = found.held_out_moving[j];
    const Misfit &offset = found.held_out_offset[j], &free = found.unconstrained[j];
    return {
        {"joint", "residual over torque", Value::word(robot.joints[j].name)},
        {"torque_rms", "torque rms", Value::number(fitted.torque_rms)},
        {for_people, "", Value::word(torque_unit(robot.joints[j]))},
        {"fitted_before", "fit: before", share(fitted.before, fitted.torque_rms)},
        {"fitted_after", "fit: after", share(fitted.rms, fitted.torque_rms)},
        {"held_out_before", "held out: before", share(held_out.before, held_out.torque_rms)},
        {"held_out_after", "held out: after", share(held_out.rms, held_out.torque_rms)},
        {"held_out_unfiltered", "held out: unfiltered",
         share(held_out.measured_rms, held_out.measured_torque_rms)},
        {"held_out_judged", "rows judged", share(held_out.rows, all.rows)},
        {"held_out_moving_before", "moving rows: before", share(moving.before, moving.torque_rms)},
        {"held_out_moving", "moving rows: after", share(moving.rms, moving.torque_rms)},
        {"held_out_all_before", "all rows: before", share(all.before, all.torque_rms)},
        {"held_out_all", "all rows: after", share(all.rms, all.torque_rms)},
        {"held_out_at_ends", "at the ends", share(ends.rms, ends.torque_rms)},
        {"held_out_with_offset", "with offset and delay", share(offset.rms, offset.torque_rms)},
        {"held_out_unconstrained", "least squares", share(free.rms, free.torque_rms)},
        {"offset", "offset", Value::number(found.offsets[j])},
        {for_people, "", Value::word(torque_unit(robot.joints[j]))}};
  });
}

std::vector<Fields> base_rows(const Identification& found) {
  return each(found.base, [&](const Identification::Base& base) -> Fields {
    const std::optional<bool> certain = is_certain(found, base);
    return {{for_people, "base parameter", Value::word(base.words.substr(0, base.words.find(' ')))},
            {"prior", "file", Value::number(base.prior)},
            {"value", "found", Value::number(base.value)},
            {"error", "error", error_value(found, base.error)},
            {"significant", "", {certain, certain.value_or(true) ? "" : "~0"}},
            {"robot", "new file", Value::number(base.fitted)},
            {"unit", "unit", Value::word(base.unit)},
            {"combination", "which is", Value::word(base.words)}};
  });
}

std::vector<Fields> full_rows(const Identification& found, const Robot& robot) {
  return each(found.full, [&](const Identification::Full& full) -> Fields {
    return {{"parameter", "parameter", Value::word(name(full.parameter))},
            {"prior", "prior", Value::number(full.parameter.value)},
            {"value", "value", Value::number(full.value)},
            {"error", "error", error_value(found, full.error)},
            {"from_data", "from the data", share(full.from_data, 1.0)},
            {"unit", "unit", Value::word(unit(full.parameter, robot))}};
  });
}

Fields head(const IdentifyAnswer& answer) {
  const Identification& found = answer.found;
  const auto certain = std::ranges::count_if(
      found.base, [&](const auto& base) { return is_certain(found, base).value_or(false); });
  const auto milliseconds = [](double s) {
    return Value{s, fmt::format("{:.2g}", 1e3 * std::abs(s))};
  };
  Fields fields{
      words(answer.robot.name + ": "),
      {"rows", "{} fitted", Value::count(answer.rows, "row")},
      {"held_out_rows", found.held_out_is_tail ? ", the last {} held out" : ", {} held out",
       Value::count(answer.held_out_rows, "row")},
      {"base_parameters", "; {}", Value::count(found.base.size(), "base parameter")},
      {"significant", label_if(found.errors_cover, ", {} of them not 0"),
       Value::count(static_cast<std::uint64_t>(certain))},
      {"between_logs", for_programs,
       found.between_logs ? Value::number(found.between_logs->rms_z) : Value{}},
      {"condition", "; condition {}", Value::number(found.fit.condition)},
      {"rows_as_one", label_if(found.fit.correlation > 1.0, "; noise correlated over {} rows"),
       Value::number(found.fit.correlation)}};
  if (const auto& delay = found.delay) {
    const bool is_certain =
        found.fit.shows_errors() &&
        std::abs(delay->value) > std::max(least_delay, significant * delay->error);
    const std::string order = delay->value > 0.0 ? "after" : "before";
    fields.push_back(
        {"delay", label_if(is_certain, "; the torques come {}"), milliseconds(delay->value)});
    fields.push_back({"delay_error",
                      label_if(is_certain, " ± {} ms " + order + " the motion, taken into account"),
                      found.fit.shows_errors() ? milliseconds(delay->error) : Value{}});
  }
  return fields;
}

}  // namespace

Sections IdentifyAnswer::sections() const {
  Sections sections{
      {"", head(*this)},
      {"joints", FieldTable{residual_rows(found, robot)}, "", true},
      {"base", FieldTable{base_rows(found), true}, "", true},
      {"parameters", FieldTable{full_rows(found, robot)}, "", false, Audience::programs},
      {"is_better", Json(found.is_better)},
      {"unexplained", Json(joint_names(robot, found.unexplained))}};
  const auto say = [&](const std::string& text) { sections.push_back({"", text, "", true}); };
  if (!found.is_better) {
    say("On what was held out the fit is no better than the robot file" +
        (output.empty() ? "." : "; " + output + " is not written."));
  } else if (!is_written && !found.is_answer()) {
    say("No parameters make these torques" +
        (output.empty() ? "." : "; " + output + " is not written, --force writes it."));
  } else if (!output.empty()) {
    say("new robot file: " + output);
  }
  return sections;
}

namespace {

std::vector<std::string> warnings_of_prior(const Identification& found) {
  std::vector<std::string> warnings;
  if (!found.moved.empty()) {
    warnings.push_back("mass and inertia of the robot file are not physically consistent: " +
                       listed(found.moved) + "; the nearest consistent ones are the prior");
  }
  if (!found.still.empty()) {
    const bool is_one = found.still.size() == 1;
    warnings.push_back(fmt::format(
        "{} hardly {}; what only {} own motion shows stays as the robot file has it: friction, "
        "rotors, inertias",
        listed(found.still), is_one ? "moves" : "move", is_one ? "its" : "their"));
  }
  return warnings;
}

std::vector<std::string> warnings_of_torques(const IdentifyAnswer& answer) {
  const Identification& found = answer.found;
  std::vector<std::string> warnings;
  if (!found.unexplained.empty()) {
    const auto shares = each(found.unexplained, [&](std::size_t j) {
      const Misfit& free = found.unconstrained[j];
      return fmt::format("{} {:.0f} %", answer.robot.joints[j].name,
                         100.0 * free.rms / free.torque_rms);
    });
    warnings.push_back(fmt::format(
        "{} make these torques from this motion; of what was held out {} are left: do positions "
        "and torques belong to the same joints, in the robot's order, in rad or m, at the same "
        "time?",
        found.fits_whole_arm ? "no parameters" : "the parameters that are fitted do not",
        listed(shares)));
  }
  if (found.gain) {
    warnings.push_back(fmt::format(
        "the torques of all joints are {:.3g} times those of the robot file: masses, rotors and "
        "friction of such a size and a gain of the measurement look the same",
        *found.gain));
  }
  return warnings;
}

std::vector<std::string> warnings_of_unseen(const Identification& found) {
  std::vector<std::string> warnings;
  constexpr std::size_t most_named = 12;
  std::vector<std::string> unseen;
  for (const Identification::Base& base : found.base) {
    if (std::isinf(base.error)) unseen.push_back(base.words.substr(0, base.words.find(' ')));
  }
  if (!unseen.empty()) {
    warnings.push_back("the motion shows nothing of " + listed(unseen, most_named) +
                       "; there the robot file's values stay: those joints should move more");
  }
  return warnings;
}

std::vector<std::string> warnings_of_logs(const IdentifyAnswer& answer) {
  const Identification& found = answer.found;
  std::vector<std::string> warnings;
  if (const auto& between = found.between_logs; between && !between->is_chance) {
    std::vector<std::string> of_logs;
    for (std::size_t l = 0; l < answer.logs.size(); ++l) {
      const auto& [value, error] = between->of_logs[l];
      of_logs.push_back(
          fmt::format("{} ± {:.2g} in {}", short_number(value), error, answer.logs[l]));
    }
    const std::string worst = between->worst < found.base.size() ? found.base[between->worst].words
                                                                 : "the delay of the torques";
    warnings.push_back(fmt::format(
        "the logs contradict one another: parameters that each gives alone differ by {:.3g} times "
        "their errors in the root mean square, most {}: {}; the errors by each log's own residuals "
        "are widened by at least as much",
        between->rms_z, worst.substr(0, worst.find(" + ")), fmt::join(of_logs, ", ")));
  }
  return warnings;
}

std::vector<std::string> warnings_of_fit(const Identification& found) {
  std::vector<std::string> warnings;
  if (found.fit.condition > poor_condition) {
    warnings.push_back(fmt::format(
        "poor excitation: condition {:.3g}, below {:.0f} is good; {}; armdyn trajectory --excite "
        "--optimize makes a better motion",
        found.fit.condition, poor_condition,
        found.errors_cover
            ? "combinations with large errors show which joints should move more, together or "
              "faster"
            : "no errors are given, since they would not cover the truth: joints should move "
              "more, together or faster"));
  }
  if (found.fit.outlying > 0) {
    warnings.push_back(fmt::format(
        "{} of {} stretches of a joint's rows fit much worse than the others, as in a contact or "
        "where dry friction reverses, and count less",
        found.fit.outlying, found.fit.blocks));
  }
  return warnings;
}

}  // namespace

std::vector<std::string> IdentifyAnswer::warnings() const {
  return joined({warnings_of_prior(found), warnings_of_torques(*this), warnings_of_unseen(found),
                 warnings_of_logs(*this), warnings_of_fit(found)});
}

std::string IdentifyAnswer::comment(const std::string& prior) const {
  std::string text = fmt::format(
      "By armdyn identify from {} and, where that is silent, {}.\n#\n# {}\n#\n"
      "# Values with one standard deviation, from the logs and the prior together; in brackets how "
      "much\n# of it comes from the logs.",
      in_one_line(listed(logs)), in_one_line(prior), sentence(head(*this)));
  for (const Identification::Full& full : found.full) {
    if (full.parameter.kind == ParameterKind::offset) continue;
    text += fmt::format("\n#   {:<14} {:>11} ± {:<9} {:<10} [{:.0f} %]", name(full.parameter),
                        short_number(full.value), error_value(found, full.error).brief,
                        unit(full.parameter, robot), 100.0 * full.from_data);
  }
  return text + "\n#";
}

}  // namespace armdyn
