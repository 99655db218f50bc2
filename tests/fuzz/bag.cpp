// Bags, MCAP unless the bytes begin as a database: an InputError, or rows of finite numbers, the
// same for every size of blocks.

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "io/table/bag_table.hpp"
#include "log/columns.hpp"

namespace {

using namespace armdyn;

/// All rows, one after the other; nothing where the bag is refused.
std::optional<std::vector<double>> numbers(const std::string& path,
                                           const std::vector<std::string>& topics,
                                           const Robot& robot, BlockLimits limits) {
  try {
    BagTable table(path, topics, {"shoulder", "elbow"}, limits);
    const ColumnPlan plan = plan_columns(table.header(), robot,
                                         {{Quantity::time, Need::required},
                                          {Quantity::position, Need::required},
                                          {Quantity::velocity, Need::optional},
                                          {Quantity::hand_wrench, Need::optional}});
    std::vector<double> all;
    RawBlock block;
    Table rows;
    while (table.next(block)) {
      table.parse(block, plan, rows);
      fuzz::require(rows.lines.size() == rows.rows, "every row has a line");
      for (std::size_t row = 0; row < rows.rows; ++row) {
        for (const std::vector<double>& column : rows.columns) {
          fuzz::require(std::isfinite(column[row]), "numbers are finite");
          all.push_back(column[row]);
        }
      }
    }
    static_cast<void>(table.remarks());
    return all;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::bytes_of(data, size);
  const std::string path = fuzz::file_of(bytes, bytes.starts_with("SQLite") ? ".db3" : ".mcap");
  using Topics = std::vector<std::string>;
  for (const Topics& topics : {Topics{}, Topics{"/goal"}, Topics{"/joint_states", "/wrench"}}) {
    fuzz::require_same_in_blocks([&](const BlockLimits& limits) {
      return numbers(path, topics, fuzz::two_joints(), limits);
    });
  }
  return 0;
}
