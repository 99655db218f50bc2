#include "log/row_reader.hpp"

#include <fmt/format.h>

namespace armdyn {

namespace {

/// The columns that must be there: "t,tau1..tau6".
std::string header_example(const Robot& robot, const std::vector<WantedGroup>& wanted) {
  std::string text;
  for (const auto& [quantity, need, instead] : wanted) {
    if (need == Need::optional) continue;
    if (!text.empty()) text += ',';
    text += range_text(column_names(quantity, robot.dof()));
  }
  return text;
}

}  // namespace

RowReader::RowReader(InputFile& input, const Robot& robot, const std::vector<WantedGroup>& wanted,
                     ExtraColumns extra)
    : input_(input),
      reader_(input, {.live = true}, HeaderLine::written, header_example(robot, wanted)),
      plan_(plan_columns(reader_.header(), robot, wanted, {.extra = extra})) {}

bool RowReader::next() {
  if (in_block_ && ++row_ < block_.rows) return true;
  do {
    if (!reader_.next(text_)) return false;
    bytes_read_ += text_.text().size();
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

double later_time(const RowReader& reader, std::size_t column,
                  const std::optional<double>& before) {
  const double t = reader.at(column);
  if (before && t <= *before) {
    throw reader.wrong(
        fmt::format("t is {} after {}, it must increase from row to row", t, *before));
  }
  return t;
}

void append_time(const RowReader& reader, std::size_t column, std::vector<double>& times) {
  std::optional<double> before;
  if (!times.empty()) before = times.back();
  times.push_back(later_time(reader, column, before));
}

}  // namespace armdyn
