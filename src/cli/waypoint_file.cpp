#include "cli/waypoint_file.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <utility>

#include "io/table_reader.hpp"

namespace armdyn {

namespace {

/// Says which line of the file is wrong.
class Complaint {
 public:
  Complaint(const InputFile& input, const Table& block) : input_(input), block_(block) {}

  [[nodiscard]] InputError at(std::size_t row, const std::string& what) const {
    return InputError(fmt::format("{}:{}: {}", input_.name(), block_.lines[row], what));
  }

 private:
  const InputFile& input_;
  const Table& block_;
};

std::vector<double> row_of(const Table& block, std::size_t first, std::size_t count,
                           std::size_t row) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(block.columns[first + i][row]);
  return values;
}

}  // namespace

Waypoints read_waypoints(InputFile& input, const Robot& robot, ExtraColumns extra) {
  TableReader reader(input);
  const ColumnPlan plan = plan_columns(
      reader.header(), robot,
      {{Quantity::time, Need::optional}, {Quantity::position, Need::required}}, {extra});
  const std::optional<std::size_t> time = plan.first(Quantity::time);
  const std::size_t position = *plan.first(Quantity::position);

  Waypoints waypoints;
  auto& [t, q] = waypoints;
  TextBlock text;
  Table block;
  const Complaint wrong(input, block);
  while (reader.next(text)) {
    reader.parse(text, plan, block);
    for (std::size_t row = 0; row < block.rows; ++row) {
      std::vector<double> here = row_of(block, position, robot.dof(), row);
      if (time) {
        const double now = block.columns[*time][row];
        if (!t.empty() && now <= t.back()) {
          throw wrong.at(row, fmt::format("t is {} after {}, it must increase from one waypoint to "
                                          "the next",
                                          now, t.back()));
        }
        t.push_back(now);
      } else if (!q.empty() && here == q.back()) {
        throw wrong.at(
            row,
            "this waypoint repeats the one before; leave it out, or give each waypoint a "
            "time t");
      }
      q.push_back(std::move(here));
    }
  }
  if (q.size() < 2) {
    throw InputError(fmt::format("{}: found {} waypoint{}, expected at least 2", input.name(),
                                 q.size(), q.size() == 1 ? "" : "s"));
  }
  return waypoints;
}

}  // namespace armdyn
