#include "log/row_writer.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <limits>

#include "log/columns.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "model/shown_unit.hpp"

namespace armdyn {

TableWriter::TableWriter(ByteSink& output, const Robot* robot)
    : format_(&table_format(output.name())), robot_(robot), output_(&output) {}

void TableWriter::add(Quantity quantity, std::size_t dof) {
  const std::size_t first = names_.size();
  append(names_, column_names(quantity, dof));
  groups_.push_back(quantity);
  if (robot_ == nullptr || !shows_degrees()) return;
  for (std::size_t k = first; k < names_.size(); ++k) {
    const std::string_view unit = dimension_of(quantity, k - first, *robot_).value_or("");
    const std::string shown = shown_unit(unit);
    units_.push_back(unit);
    if (shown != unit) names_[k] += "[" + shown + "]";
  }
}

std::string TableWriter::head(std::uintmax_t rows) const {
  const bool has_names = !units_.empty() || (output_ != nullptr && output_->needs_names());
  return format_->head(names_, has_names || !is_plain_order(groups_), rows);
}

void TableWriter::append_header(std::string& bytes) const {
  const std::string empty = head(0);
  if (format_->counts_rows) {
    output_->replace_beginning([writer = *this,
                                size = std::uintmax_t{empty.size()}](std::uintmax_t written) {
      return writer.head((written - std::min(written, size)) / (writer.width() * sizeof(double)));
    });
  }
  bytes += empty;
}

void TableWriter::require_finite(const Places& columns, std::size_t rows) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::span<const double> column(columns[i], rows);
    if (all_within(column, std::numeric_limits<double>::max())) continue;
    throw NotFinite(names_[i] + " is not a finite number: an input is too large",
                    first_not_finite(column));
  }
}

void TableWriter::append_rows(std::string& bytes, const Places& columns, std::size_t rows) const {
  if (!may_be_unknown_) require_finite(columns, rows);
  if (units_.empty()) return format_->append_rows(bytes, columns, rows);
  Columns shown;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    shown.push_back(each(std::span(columns[k], rows),
                         [&](double value) { return shown_value(value, units_[k]); }));
  }
  format_->append_rows(bytes, places(std::as_const(shown)), rows);
}

namespace {

constexpr std::size_t rows_of_a_block = 256;

}  // namespace

RowWriter::RowWriter(ByteSink& output, const Robot& robot, const std::vector<Quantity>& groups)
    : output_(output), writer_(output, &robot) {
  std::size_t columns = 0;
  for (const Quantity group : groups) {
    writer_.add(group, robot.dof());
    columns += column_names(group, robot.dof()).size();
  }
  resize(columns_, columns, rows_of_a_block);
  places_ = places(std::as_const(columns_));
  writer_.append_header(bytes_);
}

void RowWriter::add(std::initializer_list<std::span<const double>> values) {
  std::size_t column = 0;
  for (const std::span<const double> group : values) {
    for (const double value : group) columns_[column++][rows_] = value;
  }
  if (++rows_ == rows_of_a_block) flush();
}

void RowWriter::flush() {
  writer_.append_rows(bytes_, places_, rows_);
  rows_ = 0;
  output_.write(bytes_);
  bytes_.clear();
}

}  // namespace armdyn
