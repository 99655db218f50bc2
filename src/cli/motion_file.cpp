#include "cli/motion_file.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "cli/report.hpp"
#include "cli/row_reader.hpp"
#include "cli/text_table.hpp"

namespace armdyn {

RecordedRows read_motion(InputFile& input, const Robot& robot, ExtraColumns extra,
                         const OutputOptions& output) {
  RecordedRows rows;
  const std::pair<Quantity, std::vector<double>*> groups[] = {{Quantity::position, &rows.q},
                                                              {Quantity::velocity, &rows.qd},
                                                              {Quantity::acceleration, &rows.qdd}};
  constexpr std::string_view derive =
      "armdyn torque --derive --keep-motion takes qd and qdd from q over t";
  const std::vector<WantedGroup> wanted{{Quantity::time, Need::required},
                                        {Quantity::position, Need::required},
                                        {Quantity::velocity, Need::required, derive},
                                        {Quantity::acceleration, Need::required, derive}};
  RowReader reader(input, robot, wanted, extra);
  print_recognised(input.name(), reader.plan(), output);
  while (reader.next()) {
    append_time(reader, *reader.plan().first(Quantity::time), rows.t);
    for (const auto& [quantity, values] : groups) {
      const std::vector<double> here = reader.at(*reader.plan().first(quantity), robot.dof());
      values->insert(values->end(), here.begin(), here.end());
    }
  }
  if (rows.t.size() < 2) {
    throw InputError(fmt::format("{}: found {}, a motion has at least 2", input.name(),
                                 counted(rows.t.size(), "row")));
  }
  return rows;
}

}  // namespace armdyn
