// CSV in all dialects, and NPY where the bytes begin as such: an InputError, or as many finite
// numbers as rows, the same for every size of blocks.

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <cmath>
#include <optional>

#include "fuzz/fuzz.hpp"
#include "io/table/npy_table.hpp"
#include "io/table/table_format.hpp"
#include "log/columns.hpp"

namespace {

using namespace armdyn;

/// All columns, one after the other; nothing where the table is refused.
std::optional<std::vector<double>> numbers(const std::string& path, const Robot& robot,
                                           BlockLimits limits) {
  try {
    const TableInput input(path);
    const auto reader = input.open(limits);
    const ColumnPlan plan = plan_columns(reader->header(), robot,
                                         {{Quantity::time, Need::optional},
                                          {Quantity::position, Need::required},
                                          {Quantity::velocity, Need::optional}},
                                         {.ignore_extra = true});
    std::vector<std::vector<double>> columns(plan.columns.size());
    RawBlock block;
    Table table;
    while (reader->next(block)) {
      reader->parse(block, plan, table);
      fuzz::require(table.lines.size() == table.rows, "every row has a line");
      for (std::size_t i = 0; i < columns.size(); ++i) {
        for (std::size_t row = 0; row < table.rows; ++row) {
          fuzz::require(std::isfinite(table.columns[i][row]), "numbers are finite");
          columns[i].push_back(table.columns[i][row]);
        }
      }
    }
    std::vector<double> all;
    for (const auto& column : columns) all.insert(all.end(), column.begin(), column.end());
    return all;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::bytes_of(data, size);
  const std::string path = fuzz::file_of(bytes, bytes.starts_with(npy_magic) ? ".npy" : ".csv");
  fuzz::require_same_in_blocks(
      [&](const BlockLimits& limits) { return numbers(path, fuzz::two_joints(), limits); });
  return 0;
}
