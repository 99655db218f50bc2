#include "log/waypoint_file.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace armdyn {

std::vector<WantedGroup> waypoint_groups() {
  return {{Quantity::time, Need::optional}, {Quantity::position, Need::required}};
}

Waypoints read_waypoints(RowReader& reader, const Robot& robot) {
  const std::optional<std::size_t> time = reader.plan().first(Quantity::time);
  const std::size_t position = *reader.plan().first(Quantity::position);

  Waypoints waypoints;
  auto& [t, q] = waypoints;
  while (reader.next()) {
    std::vector<double> here = reader.at(position, robot.dof());
    if (time) {
      append_time(reader, *time, t);
    } else if (!q.empty() && here == q.back()) {
      throw reader.wrong(
          "this waypoint repeats the one before; leave it out, or give each waypoint a time t");
    }
    q.push_back(std::move(here));
  }
  if (q.size() < 2) {
    throw InputError(fmt::format("{}: found {} waypoint{}, expected at least 2", reader.file(),
                                 q.size(), q.size() == 1 ? "" : "s"));
  }
  return waypoints;
}

}  // namespace armdyn
