#include "cli/simulate/departure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/text/number_text.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

namespace {

constexpr double far = 0.01;  // rad, m

}  // namespace

void Departure::expect(double t, std::span<const double> q) {
  ahead_.push_back({t, {q.begin(), q.end()}});
}

void Departure::meet(const SimulationRow& row) {
  while (!ahead_.empty() && ahead_.front().t <= row.t) {
    const Expected& expected = ahead_.front();
    for (std::size_t i = 0; expected.t == row.t && i < joints_.size(); ++i) {
      joints_[i].last = std::abs(row.q[i] - expected.q[i]);
      joints_[i].most.raise(joints_[i].last, row.t);
      compared_ = true;
    }
    ahead_.erase(ahead_.begin());
  }
}

Sections Departure::sections() const {
  if (!compared_) return {};
  const auto words = [this](const Record& joint, double value) {
    const auto i = static_cast<std::size_t>(&joint - joints_.data());
    return fmt::format("{} {} ({})", short_number(value), position_unit(robot_.joints[i]),
                       robot_.joints[i].name);
  };
  const auto last = std::ranges::max_element(joints_, {}, &Record::last);
  const auto most =
      std::ranges::max_element(joints_, {}, [](const Record& joint) { return joint.most.value; });
  FieldTable joints;
  for (const auto& [last_of_joint, most_of_joint] : joints_) {
    joints.rows.push_back({{"departure_last", for_programs, Value::data(last_of_joint)},
                           {"departure", for_programs, Value::data(most_of_joint.value)},
                           {"departure_time", for_programs, Value::data(most_of_joint.t)}});
  }
  return {{"joints", joints, "", false, Audience::programs},
          {"", fmt::format("off the q of TORQUES: {} at the end, at most {}, at {}",
                           words(*last, last->last), words(*most, most->most.value),
                           time_text(most->most.t))}};
}

std::optional<std::string> Departure::remark() const {
  const bool is_far =
      std::ranges::any_of(joints_, [](const Record& joint) { return joint.most.value > far; });
  if (!is_far) return {};
  return "the motion leaves the q of TORQUES: torques alone hold no arm on its way, and small "
         "errors "
         "grow; armdyn track follows a motion with a controller";
}

}  // namespace armdyn
