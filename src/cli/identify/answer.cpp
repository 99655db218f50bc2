#include "cli/identify/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/each.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"
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

/// Tests whether a base parameter is not 0, where that is known.
std::optional<bool> is_certain(const Identification& found, const Identification::Base& base) {
  const std::optional<double> covers = error(found, base.error);
  return covers ? std::optional(std::abs(base.value) > significant * *covers) : std::nullopt;
}

/// A row per joint; experts see the residuals on other rows and of other fits, too.
std::vector<Fields> residual_rows(const Identification& found, const Robot& robot, bool all) {
  return each(in_order(robot.dof()), [&](std::size_t j) -> Fields {
    const Misfit &fitted = found.fitted[j], &held_out = found.held_out[j];
    const Misfit& ends = found.held_out_ends[j];
    const Misfit &rows = found.held_out_all[j], &moving = found.held_out_moving[j];
    const Misfit &offset = found.held_out_offset[j], &free = found.unconstrained[j];
    return {
        {"name", "residual / torque", Value::word(robot.joints[j].name)},
        {"torque_rms", "torque RMS", Value::number(fitted.torque_rms)},
        {for_people, "", Value::word(torque_unit(robot.joints[j]))},
        {"fitted_before", "fit: before", share(fitted.before, fitted.torque_rms)},
        {"fitted_after", "fit: after", share(fitted.rms, fitted.torque_rms)},
        {"held_out_before", "held out: before", share(held_out.before, held_out.torque_rms)},
        {"held_out_after", "held out: after", share(held_out.rms, held_out.torque_rms)},
        {"held_out_moving_before", "moving rows: before", share(moving.before, moving.torque_rms)},
        {"held_out_moving", "moving rows: after", share(moving.rms, moving.torque_rms)},
        {"held_out_unfiltered", label_if(all, "unfiltered"),
         share(held_out.measured_rms, held_out.measured_torque_rms)},
        {"held_out_judged", label_if(all, "judged / held-out rows"),
         share(held_out.rows, rows.rows)},
        {"held_out_all_before", label_if(all, "all rows: before"),
         share(rows.before, rows.torque_rms)},
        {"held_out_all", label_if(all, "all rows: after"), share(rows.rms, rows.torque_rms)},
        {"held_out_at_ends", label_if(all, "at the ends"), share(ends.rms, ends.torque_rms)},
        {"held_out_with_offset", label_if(all, "with offset and delay"),
         share(offset.rms, offset.torque_rms)},
        {"held_out_unconstrained", label_if(all, "least squares"),
         share(free.rms, free.torque_rms)},
        {"offset", label_if(all, "offset"), Value::number(found.offsets[j])},
        {for_people, label_if(all, ""), Value::word(torque_unit(robot.joints[j]))}};
  });
}

std::vector<Fields> base_rows(const IdentifyAnswer& answer) {
  const Identification& found = answer.found;
  return each(in_order(found.base_parameters.size()), [&](std::size_t b) -> Fields {
    const Identification::Base& base = found.base_parameters[b];
    const std::optional<bool> certain = is_certain(found, base);
    return {{for_people, "base parameter", Value::word(answer.base_names[b])},
            {"prior", "file", Value::number(base.prior)},
            {"value", "found", Value::number(base.value)},
            {"error", "error", error_value(found, base.error)},
            {"significant", "", {certain, certain.value_or(true) ? "" : "~0"}},
            {"fitted", "new file", Value::number(base.fitted)},
            {"unit", "unit", Value::word(base.unit)},
            {"combination", for_programs, Value::word(base.combination)}};
  });
}

/// Combinations of several parameters.
FieldTable combinations(const IdentifyAnswer& answer) {
  FieldTable table{{}, true};
  for (std::size_t b = 0; b < answer.base_names.size(); ++b) {
    const std::string &name = answer.base_names[b],
                      &words = answer.found.base_parameters[b].combination;
    if (words == name) continue;
    table.rows.push_back({{for_people, "base parameter", Value::word(name)},
                          {for_people, "combination", Value::word(words)}});
  }
  return table;
}

std::vector<Fields> full_rows(const Identification& found, const Robot& robot) {
  return each(found.parameters, [&](const Identification::Full& full) -> Fields {
    return {{"name", "parameter", Value::word(name(full.parameter))},
            {"prior", "prior", Value::number(full.parameter.value)},
            {"value", "value", Value::number(full.value)},
            {"error", "error", error_value(found, full.error)},
            {"from_data", "from the data", share(full.from_data, 1.0)},
            {"unit", "unit", Value::word(unit(full.parameter, robot))}};
  });
}

/// Fitted rows and parameters, and how well the rows determine them.
Fields fit_words(const IdentifyAnswer& answer) {
  const Identification& found = answer.found;
  const auto certain = std::ranges::count_if(found.base_parameters, [&](const auto& base) {
    return is_certain(found, base).value_or(false);
  });
  const auto milliseconds = [](double s) {
    return Value{s, fmt::format("{:.2g}", 1e3 * std::abs(s))};
  };
  Fields fields{
      {"rows", "{} fitted", Value::count(answer.rows, "row")},
      {"held_out_rows", found.held_out_is_tail ? ", the last {} held out" : ", {} held out",
       Value::count(answer.held_out_rows, "row")},
      {for_people, "; {}", Value::count(found.base_parameters.size(), "base parameter")},
      {"significant_count", label_if(found.errors_cover, ", {} of them significant"),
       Value::count(static_cast<std::uint64_t>(certain))},
      {"between_logs", for_programs,
       found.between_logs ? Value::number(found.between_logs->rms_z) : Value{}},
      {"condition", "; condition number {}", Value::number(found.fit.condition)},
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

namespace {

/// "0.2 to 2.29 %": the joints' residuals over their torques.
std::string shares(const std::vector<Misfit>& joints, double Misfit::*residual) {
  std::optional<Range> range;
  for (const Misfit& joint : joints) {
    if (!(joint.torque_rms > 0.0)) continue;
    const double share = joint.*residual / joint.torque_rms;
    if (!range) range = Range{share, share};
    *range = {std::min(range->lower, share), std::max(range->upper, share)};
  }
  return range ? fmt::format("{:.2f} to {:.2f} %", 100.0 * range->lower, 100.0 * range->upper)
               : "none";
}

/// Tests whether other parameters than those of bodies that can be explain the torques.
bool needs_other_bodies(const Identification& found) {
  return std::ranges::all_of(found.unexplained, [&found](std::size_t j) {
    return found.unconstrained[j].rms < 0.5 * found.held_out[j].rms;
  });
}
std::string no_parameters(const Identification& found) {
  return needs_other_bodies(found) ? "no physically consistent parameters" : "no parameters";
}

/// Whether the robot is identified, and how well its file predicts torques.
std::string verdict(const Identification& found, const Robot& robot) {
  const std::string reason =
      !found.is_better    ? "on the held-out data the fit is no better than the robot file"
      : found.is_answer() ? ""
                          : no_parameters(found) + " explain the torques of " +
                                listed(joint_names(robot, found.unexplained));
  const char* const part =
      reason.empty() && found.fit.condition > poor_condition ? " in part: poor excitation" : "";
  return fmt::format("{}: {}identified{}{}; residual {} of the held-out torques (robot file: {})",
                     robot.name, reason.empty() ? "" : "not ", part,
                     reason.empty() ? "" : ": " + reason, shares(found.held_out, &Misfit::rms),
                     shares(found.held_out, &Misfit::before));
}

std::string fate_of_file(const IdentifyAnswer& answer) {
  const std::string& file = answer.output;
  if (answer.is_written) return "new robot file: " + file;
  if (file.empty()) return "new robot file: none; -o FILE writes one";
  return file + " is not written" + (answer.found.is_better ? "; --force writes it" : "");
}

/// "payload: 1.17 ± 0.01 kg, center of mass ...", where one was fitted. Errors of the center are
/// bounds, since those of mass and first moments may be correlated.
std::string payload_words(const Identification& found, const Robot& robot) {
  const MassProperties& payload = found.robot.payload;
  std::vector<double> errors;  // of m, mx, my, mz
  for (const Identification::Full& full : found.parameters) {
    if (full.parameter.of_payload && errors.size() < 4) errors.push_back(full.error);
  }
  if (errors.empty() || payload.mass == 0.0) return "";
  const auto with_error = [&](double value, double deviation) {
    const std::optional<double> covers = error(found, deviation);
    return short_number(value) + (covers ? fmt::format(" ± {:.2g}", *covers) : "");
  };
  const std::array<double, 3> center = coordinates(payload.com);
  std::vector<std::string> places;
  for (std::size_t k = 0; k < center.size(); ++k) {
    const double deviation = (errors[k + 1] + std::abs(center[k]) * errors[0]) / payload.mass;
    places.push_back(with_error(center[k], deviation));
  }
  const auto before = each(coordinates(robot.payload.com), short_number);
  return fmt::format(
      "payload: {} kg, center of mass ({}) m in the tool frame; robot file: {} kg at ({}) m",
      with_error(payload.mass, errors[0]), fmt::join(places, ", "),
      short_number(robot.payload.mass), fmt::join(before, ", "));
}

}  // namespace

Sections IdentifyAnswer::sections() const {
  const auto for_experts = all ? Audience::all : Audience::programs;
  const std::string payload = payload_words(found, robot), followers = numbered_followers(robot);
  return {{"", verdict(found, robot)},
          {"", fate_of_file(*this), "", false, output.empty() ? Audience::terminal : Audience::all},
          {"", payload.empty() ? Content(Json()) : payload},
          {"", fit_words(*this)},
          {"joints", FieldTable{residual_rows(found, robot, all)}, "", true},
          {"base_parameters", FieldTable{base_rows(*this), true}, "", true},
          {"", combinations(*this), "", true, for_experts},
          {"", followers.empty() ? Content(Json()) : followers},
          {"parameters", FieldTable{full_rows(found, robot)}, "", false, Audience::programs},
          {"better", Json(found.is_better)},
          {"unexplained", Json(joint_names(robot, found.unexplained))}};
}

namespace {

std::vector<std::string> warnings_of_prior(const Identification& found) {
  std::vector<std::string> warnings;
  if (!found.projected.empty()) {
    warnings.push_back("mass and inertia of the robot file are not physically consistent: " +
                       listed(found.projected) + "; the nearest consistent ones are the prior");
  }
  if (!found.still.empty()) {
    const bool is_one = found.still.size() == 1;
    warnings.push_back(
        fmt::format("{} hardly {}; parameters that only {} own motion determines keep the robot "
                    "file's values: friction, rotors, inertias",
                    listed(found.still), is_one ? "moves" : "move", is_one ? "its" : "their"));
  }
  return warnings;
}

std::vector<std::string> warnings_of_followers(const Identification& found, const Robot& robot) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < robot.followers.size(); ++k) {
    const bool follows_one = joint_row(robot, robot, robot.dof() + k).joints.size() == 1;
    if (follows_one && robot.followers[k].friction != found.robot.followers[k].friction) {
      names.push_back(robot.followers[k].name);
    }
  }
  if (names.empty()) return {};
  return {
      "torques cannot separate the friction of a joint from that of its followers; the new file "
      "has the friction of " +
      listed(names) + " at the joints that they follow"};
}

std::vector<std::string> warnings_of_torques(const IdentifyAnswer& answer) {
  const Identification& found = answer.found;
  std::vector<std::string> warnings;
  if (!found.unexplained.empty()) {
    const auto shares = each(found.unexplained, [&](std::size_t j) {
      const Misfit& left = (needs_other_bodies(found) ? found.held_out : found.unconstrained)[j];
      return fmt::format("{} {:.0f} %", answer.robot.joints[j].name,
                         100.0 * left.rms / left.torque_rms);
    });
    warnings.push_back(fmt::format(
        "{} explain these torques; residual of the held-out torques: {}{}",
        found.fits_whole_arm ? no_parameters(found) : "the parameters that are fitted do not",
        listed(shares),
        answer.is_misread ? ""
                          : ". Do positions and torques belong to the same joints, in the robot's "
                            "order, in rad or m, at the same time?"));
  }
  const double arm = mass_of_links(answer.robot);
  const double load = found.robot.payload.mass;
  if (load != answer.robot.payload.mass && load > arm && arm > 0.0) {
    warnings.push_back(fmt::format(
        "a payload of {} kg on an arm of {} kg: are the torques in N·m or N, those of the joints?",
        short_number(load), short_number(arm)));
  }
  if (found.gain) {
    warnings.push_back(fmt::format(
        "the torques of all joints are {:.3g} times those of the robot file: wrong masses and "
        "friction in the file and a wrong gain of the measurement have this same effect",
        *found.gain));
  }
  return warnings;
}

std::vector<std::string> warnings_of_unseen(const IdentifyAnswer& answer) {
  std::vector<std::string> warnings;
  constexpr std::size_t most_named = 12;
  std::vector<std::string> unseen;
  for (std::size_t b = 0; b < answer.base_names.size(); ++b) {
    if (std::isinf(answer.found.base_parameters[b].error)) unseen.push_back(answer.base_names[b]);
  }
  if (!unseen.empty()) {
    warnings.push_back("the motion does not excite " + listed(unseen, most_named) +
                       "; they keep the robot file's values: those joints should move more");
  }
  return warnings;
}

std::vector<std::string> warnings_of_logs(const IdentifyAnswer& answer) {
  const Identification& found = answer.found;
  std::vector<std::string> warnings;
  if (const auto& between = found.between_logs; between && !between->is_random) {
    std::vector<std::string> of_logs;
    for (std::size_t l = 0; l < answer.logs.size(); ++l) {
      const auto& [value, error] = between->of_logs[l];
      of_logs.push_back(
          fmt::format("{} ± {:.2g} in {}", short_number(value), error, answer.logs[l]));
    }
    const std::string worst = between->worst < answer.base_names.size()
                                  ? answer.base_names[between->worst]
                                  : "the delay of the torques";
    warnings.push_back(fmt::format(
        "the logs contradict one another: the estimates of single logs differ by {:.3g} standard "
        "errors (RMS), most {}: {}; the reported errors are increased accordingly",
        between->rms_z, worst, fmt::join(of_logs, ", ")));
  }
  return warnings;
}

constexpr double few_judged = 0.1;  // of the rows

/// Joints that move, with few rows that are judged.
std::vector<std::string> hardly_judged(const IdentifyAnswer& answer) {
  const Identification& found = answer.found;
  std::vector<std::string> joints;
  for (std::size_t j = 0; j < found.held_out.size(); ++j) {
    const std::string& name = answer.robot.joints[j].name;
    const bool is_still = std::ranges::count(found.still, name) > 0;
    const bool is_few = found.held_out[j].rows < few_judged * found.held_out_all[j].rows;
    if (is_few && !is_still) joints.push_back(name);
  }
  return joints;
}

std::vector<std::string> warnings_of_fit(const IdentifyAnswer& answer) {
  const Identification& found = answer.found;
  std::vector<std::string> warnings;
  if (found.fit.condition > poor_condition) {
    warnings.push_back(fmt::format(
        "poor excitation: condition number {:.3g} (good: below {:.0f}); {}; armdyn trajectory "
        "--excite --optimize generates a better trajectory",
        found.fit.condition, poor_condition,
        found.errors_cover
            ? "combinations with large errors show which joints should move more, together or "
              "faster"
            : "standard errors are not reported, since they would be too small; joints should move "
              "more, together or faster"));
  }
  if (const std::vector<std::string> joints = hardly_judged(answer); !joints.empty()) {
    warnings.push_back(fmt::format(
        "less than {:.0f} % of the held-out rows are judged at {}: at the others the joint rests, "
        "or dry friction reverses within the smoothing window; a shorter --window judges more",
        100.0 * few_judged, listed(joints)));
  }
  if (found.fit.outlying > 0) {
    warnings.push_back(
        fmt::format("{} of {} intervals of a joint's rows {} less weight: {} residuals are much "
                    "larger than the others', as with a contact",
                    found.fit.outlying, found.fit.blocks, found.fit.outlying == 1 ? "has" : "have",
                    found.fit.outlying == 1 ? "its" : "their"));
  }
  return warnings;
}

}  // namespace

std::vector<std::string> IdentifyAnswer::warnings() const {
  return joined({warnings_of_prior(found), warnings_of_followers(found, robot),
                 warnings_of_torques(*this), warnings_of_unseen(*this), warnings_of_logs(*this),
                 warnings_of_fit(*this)});
}

std::string IdentifyAnswer::comment(const std::string& prior) const {
  std::string text = fmt::format(
      "Identified by armdyn identify from {}; what the logs do not determine is from {}.\n"
      "#\n# {}\n#\n# Values with one standard deviation, from the logs and the prior together; "
      "in brackets the share\n# of the logs.",
      in_one_line(listed(logs)), in_one_line(prior),
      robot.name + ": " + sentence(fit_words(*this)));
  for (const Identification::Full& full : found.parameters) {
    if (full.parameter.kind == ParameterKind::offset) continue;
    text += fmt::format("\n#   {:<14} {:>11} ± {:<9} {:<10} [{:.0f} %]", name(full.parameter),
                        short_number(full.value), error_value(found, full.error).brief,
                        unit(full.parameter, robot), 100.0 * full.from_data);
  }
  return text + "\n#";
}

}  // namespace armdyn
