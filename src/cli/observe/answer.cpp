#include "cli/observe/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/each.hpp"
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

/// "along −x", or the direction's components.
std::string direction_text(const std::array<double, 3>& v, double size) {
  constexpr double nearly = 0.95;
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(v[k]) > nearly * size) {
      return fmt::format("along {}{}", v[k] < 0.0 ? "−" : "", "xyz"[k]);
    }
  }
  return fmt::format("along ({:.2f}, {:.2f}, {:.2f})", v[0] / size, v[1] / size, v[2] / size);
}

std::string force_text(const ContactForce& force) {
  const auto v = coordinates(force.value), error = coordinates(force.error);
  const double size = std::hypot(v[0], v[1], v[2]);
  if (!(size > 0.0)) return {};
  double variance = 0.0;
  for (std::size_t k = 0; k < 3; ++k) variance += std::pow(v[k] * error[k] / size, 2);
  return fmt::format(", {} N {}", with_error(size, std::sqrt(variance)), direction_text(v, size));
}

/// "3.21 to 3.48 s".
std::string span_text(double from, double to) {
  return fmt::format("{} to {} s", Value::moment(from).brief, Value::moment(to).brief);
}

}  // namespace

std::string ObserveAnswer::sentence() const {
  std::string text = "no contact";
  if (const auto& events = contacts.events; !events.empty()) {
    const auto strongest = static_cast<std::size_t>(
        std::ranges::max_element(events, {}, &Contact::distance) - events.begin());
    const Contact& event = events[strongest];
    text = events.size() == 1 ? "one contact, "
                              : fmt::format("{} contacts, the clearest ", events.size());
    text += span_text(log.t[event.from], log.t[event.to - 1]) + ", felt by " +
            joint_range(event.joints) + force_text(forces[strongest]);
  }
  const auto end = [&](const LoadInterval& load) {
    return log.t[std::min(load.to, log.rows() - 1)];
  };
  std::vector<std::string> found;
  for (const LoadInterval& load : loads.intervals) {
    if (!load.is_body()) continue;
    const bool is_whole = load.from == 0 && load.to == log.rows();
    found.push_back(fmt::format(
        "a load of {} kg {}", with_error(load.mass(), load.mass_error()),
        is_whole ? "over the whole log" : "from " + span_text(log.t[load.from], end(load))));
  }
  return text + "; " + (found.empty() ? "no load" : listed(found));
}

Sections ObserveAnswer::sections() const {
  const std::string what = robot.name + ": " + sentence();
  FieldTable touched, held, gained;
  for (std::size_t k = 0; k < contacts.events.size(); ++k) {
    const Contact& event = contacts.events[k];
    const ContactForce& force = forces[k];
    const auto numbers = each(event.joints, [](std::size_t j) { return j + 1; });
    const auto span = std::span(log.t).subspan(event.from, event.to - event.from);
    touched.rows.push_back(
        {{"start", "contact from", Value::moment(span.front())},
         {"end", "to [s]", Value::moment(span.back())},
         {"joints", "felt by", {Json(numbers), joint_range(event.joints)}},
         {"peak", "peak |τ|", Value::number(event.peak)},
         {"distance", "distance", Value::number(event.distance)},
         {"force", "force in {0} [N]", vector_value(coordinates(force.value))},
         {"force_error", "±", vector_value(coordinates(force.error))},
         {"condition", "condition", Value::number(force.condition)},
         {"untold", for_programs, Value::data(Json(force.untold))},
         {"ellipsoid", for_programs, Value::data(Json(each(force.axes, [](const Vec3& axis) {
            return Json::list(axis.x, axis.y, axis.z);
          })))}});
  }
  for (const LoadInterval& load : loads.intervals) {
    if (!load.is_body()) continue;
    held.rows.push_back({{"from", "load from", Value::moment(log.t[load.from])},
                         {"to", "to [s]", Value::moment(log.t[std::min(load.to, log.rows() - 1)])},
                         {"mass", "mass [kg]", Value::number(load.mass())},
                         {"mass_error", "±", Value::number(load.mass_error())},
                         {"com", "center of mass [m]", vector_value(load.com())},
                         {"com_error", "±", vector_value(load.com_error())}});
  }
  for (const DriveGain& gain : gains) {
    gained.rows.push_back(
        {{"joint", "torque over current", Value::word(robot.joints[gain.joint].name)},
         {"gain", "gain", Value::number(gain.value)},
         {"error", "±", Value::number(gain.error)}});
  }
  const auto thresholds =
      each(contacts.thresholds, [](double limit) { return fmt::format("{:.3g}", limit); });
  return {{"", what},
          {"sentence", Json(sentence())},
          {"contacts", touched, "", true},
          {"payloads", held, "", true},
          {"thresholds", joint_values(contacts.thresholds)},
          {"", fmt::format("thresholds: {}", fmt::join(thresholds, ", "))},
          {"noise", joint_values(torques.noise)},
          {"residual", Json(by_momentum ? "momentum" : "direct")},
          {"filter", Json(filter_width(log))},
          {"drive_gains", gained, "", true}};
}

}  // namespace armdyn
