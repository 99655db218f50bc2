#include "cli/motion_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/row_reader.hpp"

namespace armdyn {

RecordedRows read_motion(InputFile& input, const Robot& robot, ExtraColumns extra) {
  RecordedRows rows;
  const std::pair<Quantity, std::vector<double>*> groups[] = {{Quantity::position, &rows.q},
                                                              {Quantity::velocity, &rows.qd},
                                                              {Quantity::acceleration, &rows.qdd}};
  std::vector<WantedGroup> wanted{{Quantity::time, Need::required}};
  for (const auto& group : groups) wanted.push_back({group.first, Need::required});
  RowReader reader(input, robot, wanted, extra);
  while (reader.next()) {
    append_time(reader, *reader.plan().first(Quantity::time), rows.t);
    for (const auto& [quantity, values] : groups) {
      const std::vector<double> here = reader.at(*reader.plan().first(quantity), robot.dof());
      values->insert(values->end(), here.begin(), here.end());
    }
  }
  if (rows.t.size() < 2) {
    throw InputError(fmt::format("{}: found {} row{}, a motion has at least 2", input.name(),
                                 rows.t.size(), rows.t.size() == 1 ? "" : "s"));
  }
  return rows;
}

}  // namespace armdyn
