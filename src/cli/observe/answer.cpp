#include "cli/observe/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/rigid.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

/// "2.003 ± 0.012": the error in two digits, the value to its last.
std::string with_error(double value, double error) {
  if (!(error > 0.0) || !std::isfinite(error)) return short_number(value);
  const int decimals = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  return fmt::format("{:.{}f} ± {:.{}f}", value, decimals, error, decimals);
}

Value vector_value(const std::array<double, 3>& v) {
  return {Json::list(v[0], v[1], v[2]),
          fmt::format("{} {} {}", short_number(v[0]), short_number(v[1]), short_number(v[2]))};
}

Value vector_value(const Eigen::Vector3d& v) {
  return vector_value(std::array{v[0], v[1], v[2]});
}

/// "joints 1 to 4", "joint 2", "joints 1, 2 and 5".
std::string joint_range(const std::vector<std::size_t>& joints) {
  if (joints.empty()) return "no joint alone";
  if (joints.size() == 1) return fmt::format("joint {}", joints[0] + 1);
  const bool is_range = joints.back() - joints.front() + 1 == joints.size();
  if (is_range) return fmt::format("joints {} to {}", joints.front() + 1, joints.back() + 1);
  return "joints " + listed(each(joints, [](std::size_t j) { return std::to_string(j + 1); }));
}

/// "−x", or the direction's components.
std::string direction_text(const std::array<double, 3>& v, double size) {
  constexpr double nearly = 0.95;
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(v[k]) > nearly * size) {
      return fmt::format("{}{}", v[k] < 0.0 ? "−" : "", "xyz"[k]);
    }
  }
  return fmt::format("({:.2f}, {:.2f}, {:.2f})", v[0] / size, v[1] / size, v[2] / size);
}

double strength(const Vec3& v) {
  return std::sqrt(dot(v, v));
}

/// Standard deviation of the size of a vector.
double size_error(const ContactWrench::Estimate& of) {
  const auto v = coordinates(of.value), error = coordinates(of.error);
  const double size = strength(of.value);
  double variance = 0.0;
  for (std::size_t k = 0; k < 3; ++k) variance += square(v[k] * error[k] / size);
  return std::sqrt(variance);
}

/// ", 38 ± 6 N along −x", or with a moment ", … and 2.1 ± 0.3 N·m about −x"; "at least" of what the
/// filter has flattened.
std::string touch_text(const Touch& touch, bool is_short) {
  const ContactWrench& of = touch.acting();
  std::string text;
  for (const auto& [estimate, unit, way] :
       {std::tuple(of.force, "N", "along"), {of.moment, "N·m", "about"}}) {
    const double size = strength(estimate.value);
    if (!(size > 0.0)) continue;
    text += fmt::format("{}{}{} {} {} {}", text.empty() ? ", " : " and ",
                        is_short ? "at least " : "", with_error(size, size_error(estimate)), unit,
                        way, direction_text(coordinates(estimate.value), size));
  }
  return text;
}

/// "a load of 2.001 ± 0.012 kg at (0.01, 0.02, 0.05) m": its center in the tool frame, if that is
/// known.
std::string load_text(const LoadInterval& load) {
  constexpr double known = 0.1;  // m
  std::string mass = fmt::format("a load of {} kg", with_error(load.mass(), load.mass_error()));
  const Eigen::Vector3d at = load.com();
  if (!(load.com_error().norm() < known)) return mass;
  return fmt::format("{} at ({:.3f}, {:.3f}, {:.3f}) m", mass, at[0], at[1], at[2]);
}

/// "3.21 to 3.48 s".
std::string span_text(double from, double to) {
  return fmt::format("{} to {} s", Value::moment(from).brief, Value::moment(to).brief);
}

Json wrench_data(const Touch& touch) {
  const ContactWrench& wrench = *touch.wrench;
  const auto six = [](const Vec3& force, const Vec3& moment) {
    return Json::list(force.x, force.y, force.z, moment.x, moment.y, moment.z);
  };
  return {{"value", six(wrench.force.value, wrench.moment.value)},
          {"error", six(wrench.force.error, wrench.moment.error)},
          {"condition", wrench.condition},
          {"undetermined", wrench.undetermined},
          {"ellipsoid", wrench.axes}};
}

FieldTable gain_table(const Robot& robot, const std::vector<DriveGain>& gains) {
  FieldTable table;
  for (const DriveGain& gain : gains) {
    const Joint& joint = robot.joints[gain.joint];
    table.rows.push_back({{"joint", "torque over current", Value::word(joint.name)},
                          {"gain", "gain", Value::number(gain.value)},
                          {"error", "±", Value::number(gain.error)},
                          {for_people, "", Value::word(torque_unit(joint) + std::string("/A"))}});
  }
  return table;
}

}  // namespace

Sections drive_gain_sections(const Robot& robot, const std::vector<DriveGain>& gains) {
  std::vector<std::size_t> others = in_order(robot.dof());
  std::erase_if(others, [&](std::size_t j) {
    return std::ranges::find(gains, j, &DriveGain::joint) != gains.end();
  });
  std::string text = fmt::format("drive gains of {} of {} from the load of {} kg", gains.size(),
                                 counted(robot.dof(), "joint"), short_number(robot.payload.mass));
  if (!others.empty()) {
    text += "; it changes the currents too little at " + listed(joint_names(robot, others));
  }
  return {{"", robot.name + ": " + text},
          {"verdict", Json(text)},
          {"drive_gains", gain_table(robot, gains), "", true}};
}

bool Touch::has_moment() const {
  constexpr double certain = 3.090;  // standard deviations: 0.999 on one side
  if (!wrench || force.free < 1.0) return false;
  // χ² by Wilson and Hilferty (1931).
  const double k = 2.0 / (9.0 * force.free);
  return square(force.left) > force.free * std::pow(1.0 - k + certain * std::sqrt(k), 3);
}

std::string ObserveAnswer::sentence() const {
  std::string text = "no contact";
  if (const auto& events = contacts.events; !events.empty()) {
    const auto strongest = static_cast<std::size_t>(
        std::ranges::max_element(events, {}, &Contact::distance) - events.begin());
    const Contact& event = events[strongest];
    text = events.size() == 1 ? "one contact, "
                              : fmt::format("{} contacts, the clearest ", events.size());
    const double start = log.t[event.from], end = log.t[event.to - 1];
    text += span_text(start, end) + ", felt by " + joint_range(event.joints) +
            touch_text(touches[strongest], end - start < event_with_whole_force(filter_width(log)));
  }
  const auto end = [&](const LoadInterval& load) {
    return log.t[std::min(load.to, log.rows() - 1)];
  };
  std::vector<std::string> found;
  for (const LoadInterval& load : loads.intervals) {
    if (!load.is_body()) continue;
    const bool is_whole = load.from == 0 && load.to == log.rows();
    found.push_back(fmt::format(
        "{} {}", load_text(load),
        is_whole ? "over the whole log" : "from " + span_text(log.t[load.from], end(load))));
  }
  return text + "; " + (found.empty() ? "no load" : listed(found));
}

FieldTable ObserveAnswer::touched() const {
  FieldTable touched;
  for (std::size_t k = 0; k < contacts.events.size(); ++k) {
    const Contact& event = contacts.events[k];
    const Touch& touch = touches[k];
    const ContactWrench& acts = touch.acting();
    const auto of_moment = [&touch](const Vec3& part) {
      return Value::data(touch.has_moment() ? Json(coordinates(part)) : Json());
    };
    const auto span = std::span(log.t).subspan(event.from, event.to - event.from);
    touched.rows.push_back(
        {{"start", "contact from", Value::moment(span.front())},
         {"end", "to [s]", Value::moment(span.back())},
         {"joints", "felt by", {Json(joint_names(robot, event.joints)), joint_range(event.joints)}},
         {"peak", "peak |τ|", Value::number(event.peak)},
         {"distance", "distance", Value::number(event.distance)},
         {"link", for_programs,
          Value::data(event.joints.empty() ? Json()
                                           : Json(robot.joints[event.joints.back()].name))},
         {"force", "force in {0} [N]", vector_value(coordinates(acts.force.value))},
         {"force_error", "±", vector_value(coordinates(acts.force.error))},
         {"moment", for_programs, of_moment(acts.moment.value)},
         {"moment_error", for_programs, of_moment(acts.moment.error)},
         {"impulse", "impulse [N·s]", vector_value(coordinates(touch.impulse))},
         {"condition", "condition", Value::number(acts.condition)},
         {"undetermined", for_programs, Value::data(Json(acts.undetermined))},
         {"ellipsoid", for_programs, Value::data(Json(acts.axes))},
         {"wrench", for_programs, Value::data(touch.wrench ? wrench_data(touch) : Json())},
         {"sensor", for_programs, Value::data(touch.sensor ? Json(*touch.sensor) : Json())}});
  }
  return touched;
}

FieldTable ObserveAnswer::held() const {
  FieldTable held;
  for (const LoadInterval& load : loads.intervals) {
    if (!load.is_body()) continue;
    held.rows.push_back({{"start", "load from", Value::moment(log.t[load.from])},
                         {"end", "to [s]", Value::moment(log.t[std::min(load.to, log.rows() - 1)])},
                         {"mass", "mass [kg]", Value::number(load.mass())},
                         {"mass_error", "±", Value::number(load.mass_error())},
                         {"com", "center of mass [m]", vector_value(load.com())},
                         {"com_error", "±", vector_value(load.com_error())}});
  }
  return held;
}

Sections ObserveAnswer::sections() const {
  const std::string what = robot.name + ": " + sentence();
  const auto thresholds =
      each(contacts.thresholds, [](double limit) { return fmt::format("{:.3g}", limit); });
  const auto of_taps = each(contacts.tap_thresholds, [](double limit) {
    return std::isfinite(limit) ? fmt::format("{:.3g}", limit) : std::string("none");
  });
  const Json tap_data = each(contacts.tap_thresholds, [](double limit) {
    return std::isfinite(limit) ? Json(limit) : Json();
  });
  return {{"", what},
          {"verdict", Json(sentence())},
          {"contacts", touched(), "", true},
          {"payloads", held(), "", true},
          {"thresholds", joint_values(contacts.thresholds)},
          {"tap_thresholds", tap_data},
          {"", fmt::format("thresholds: {}; of taps of 20 ms: {}", fmt::join(thresholds, ", "),
                           fmt::join(of_taps, ", "))},
          {"noise", joint_values(torques.noise)},
          {"residual", Json(by_momentum ? "momentum" : "direct")},
          {"filter", Json(filter_width(log))},
          {"drive_gains", gain_table(robot, gains), "", true}};
}

std::vector<ForceArrow> ObserveAnswer::arrows(std::size_t link, const Vec3& at,
                                              const Mat3& base) const {
  std::vector<ForceArrow> found;
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const Contact& event = contacts.events[k];
    const Touch& touch = touches[k];
    const Vec3 force = touch.acting().force.value;
    if (!(strength(force) > 0.0)) continue;
    found.push_back({link, at, base * force, log.t[event.from], log.t[event.to - 1],
                     fmt::format("{:.3g} N", strength(force))});
  }
  return found;
}

}  // namespace armdyn
