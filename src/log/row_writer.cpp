#include "log/row_writer.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <limits>

#include "log/columns.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"

namespace armdyn {

TableWriter::TableWriter(ByteSink& output)
    : format_(&table_format(output.name())), output_(&output) {}

void TableWriter::add(Quantity quantity, std::size_t dof) {
  append(names_, column_names(quantity, dof));
  groups_.push_back(quantity);
}

std::string TableWriter::head(std::uintmax_t rows) const {
  const bool has_names = output_ != nullptr && output_->needs_names();
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
  format_->append_rows(bytes, columns, rows);
}

namespace {

constexpr std::size_t rows_of_a_block = 256;

}  // namespace

RowWriter::RowWriter(ByteSink& output, std::size_t dof, const std::vector<Quantity>& groups)
    : output_(output), writer_(output) {
  std::size_t columns = 0;
  for (const Quantity group : groups) {
    writer_.add(group, dof);
    columns += column_names(group, dof).size();
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
