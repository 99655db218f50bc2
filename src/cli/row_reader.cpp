#include "cli/row_reader.hpp"

#include <fmt/format.h>

namespace armdyn {

RowReader::RowReader(InputFile& input, const Robot& robot, const std::vector<WantedGroup>& wanted,
                     ExtraColumns extra)
    : input_(input),
      reader_(input),
      plan_(plan_columns(reader_.header(), robot, wanted, {.extra = extra})) {}

bool RowReader::next() {
  if (in_block_ && ++row_ < block_.rows) return true;
  do {
    if (!reader_.next(text_)) return false;
    reader_.parse(text_, plan_, block_);
  } while (block_.rows == 0);
  row_ = 0;
  in_block_ = true;
  return true;
}

std::vector<double> RowReader::at(std::size_t first, std::size_t count) const {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = at(first + i);
  return values;
}

InputError RowReader::wrong(const std::string& what) const {
  return InputError(fmt::format("{}:{}: {}", input_.name(), block_.lines[row_], what));
}

void append_time(const RowReader& reader, std::size_t column, std::vector<double>& times) {
  const double t = reader.at(column);
  if (!times.empty() && t <= times.back()) {
    throw reader.wrong(
        fmt::format("t is {} after {}, it must increase from row to row", t, times.back()));
  }
  times.push_back(t);
}

}  // namespace armdyn
