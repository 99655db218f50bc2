#include "log/motion_file.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "io/text/brief_text.hpp"
#include "log/motion_row.hpp"
#include "log/rate_check.hpp"

namespace armdyn {

std::vector<WantedGroup> motion_groups() {
  constexpr std::string_view derive =
      "armdyn torque --derive --keep-motion takes qd and qdd from q over t";
  return {{Quantity::time, Need::required},
          {Quantity::position, Need::required},
          {Quantity::velocity, Need::required, derive},
          {Quantity::acceleration, Need::required, derive}};
}

RecordedRows read_motion(RowReader& reader, const Robot& robot,
                         std::vector<std::string>& warnings) {
  RecordedRows rows;
  RateCheck rates(reader.plan(), robot, false);  // track has no --columns
  const MotionColumns columns = motion_columns(reader.plan());
  const std::pair<Quantity, std::vector<double>*> groups[] = {{Quantity::position, &rows.q},
                                                              {Quantity::velocity, &rows.qd},
                                                              {Quantity::acceleration, &rows.qdd}};
  while (reader.next()) {
    append_time(reader, *reader.plan().first(Quantity::time), rows.t);
    for (const auto& [quantity, values] : groups) {
      const std::vector<double> here = reader.at(*reader.plan().first(quantity), robot.dof());
      values->insert(values->end(), here.begin(), here.end());
    }
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      rates.add(i, rows.t.back(), reader.at(columns.q + i), reader.at(*columns.qd + i),
                reader.at(*columns.qdd + i));
    }
  }
  if (rows.t.size() < 2) {
    throw InputError(fmt::format("{}: found {}, a motion has at least 2", reader.file(),
                                 counted(rows.t.size(), "row")));
  }
  for (const std::string& warning : rates.warnings()) warnings.push_back(warning);
  return rows;
}

}  // namespace armdyn
