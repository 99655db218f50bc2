#pragma once

// Writers of groups of columns, by blocks and row by row.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "io/file/byte_sink.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/table.hpp"
#include "io/table/table_format.hpp"
#include "log/quantity.hpp"

namespace armdyn {

/// Printer of groups of columns. All are added first; printing may then happen in several threads. An
/// array in NumPy's format is plain where the order of the groups is known without names, else
/// structured.
class TableWriter {
 public:
  /// Prints rows for no output.
  explicit TableWriter(const TableFormat& format) : format_(&format) {}

  /// Prints in the format of the output's name. The output must outlive the writer's use, and gets
  /// all its bytes from here.
  /// Columns of angles of that robot are in the unit that people see (shown_unit).
  explicit TableWriter(ByteSink& output, const Robot* robot = nullptr);

  /// Adds the columns of a group.
  void add(Quantity quantity, std::size_t dof);

  /// Allows NaN for unknown numbers: an empty cell, and in an array NaN.
  void allow_unknown() { may_be_unknown_ = true; }

  /// Appends the header. Throws FileError where the format does not suit the output.
  void append_header(std::string& bytes) const;

  /// Columns so far.
  [[nodiscard]] std::size_t width() const { return names_.size(); }

  /// Appends rows. Numbers of a text are the shortest that read back to the same double; 0 stands for
  /// −0. Throws NotFinite for a number that is not finite.
  void append_rows(std::string& bytes, const Places& columns, std::size_t rows) const;

 private:
  /// Bytes before so many rows.
  [[nodiscard]] std::string head(std::uintmax_t rows) const;
  void require_finite(const Places& columns, std::size_t rows) const;

  const TableFormat* format_;
  const Robot* robot_ = nullptr;  // null: SI
  ByteSink* output_ = nullptr;    // if there is one
  std::vector<Quantity> groups_;
  std::vector<std::string> names_;
  std::vector<std::string_view> units_;  // of SI, where people see the columns in others
  bool may_be_unknown_ = false;
};

/// Printer of groups of columns of blocks and of the results computed from them.
template <class Result>
class BlockWriter {
 public:
  explicit BlockWriter(ByteSink& output, const Robot* robot = nullptr)
      : output_(&output), writer_(output, robot) {}

  /// Adds columns of the input that begin with `first`.
  void add(Quantity quantity, std::size_t dof, std::size_t first) {
    writer_.add(quantity, dof);
    const std::size_t count = column_names(quantity, dof).size();
    groups_.push_back([=](const Table& input, const Result&) {
      return std::span(input.columns).subspan(first, count);
    });
  }

  /// Adds groups that a member of the result, or what else `get` makes of it, has as Columns, one
  /// behind the other from `first` on. Returns the place behind them.
  template <class Get>
  std::size_t add_groups(std::size_t dof, std::span<const Quantity> groups, Get get,
                         std::size_t first = 0) {
    for (const Quantity group : groups) {
      const std::size_t count = column_names(group, dof).size();
      takers_.push_back([=, from = writer_.width()](Columns& printed, Result& result) {
        Columns& to = std::invoke(get, result);
        if (to.size() < first + count) to.resize(first + count);
        for (std::size_t k = 0; k < count; ++k) std::swap(to[first + k], printed.at(from + k));
      });
      writer_.add(group, dof);
      groups_.push_back([=](const Table&, const Result& result) {
        return std::span(std::invoke(get, result)).subspan(first, count);
      });
      first += count;
    }
    return first;
  }

  /// Allows NaN for unknown numbers, as TableWriter does.
  void allow_unknown() { writer_.allow_unknown(); }

  void append_rows(std::string& bytes, const Table& input, const Result& result) const {
    Places places;
    for (const auto& group : groups_) {
      for (const std::vector<double>& column : group(input, result)) {
        places.push_back(column.data());
      }
    }
    writer_.append_rows(bytes, places, input.rows);
  }

  /// Makes the job print its output by this, which must outlive it.
  void print(BlockJob<Result>& job) const {
    job.output = output_;
    job.print_header = [this](std::string& bytes) { writer_.append_header(bytes); };
    job.print = [this](std::string& bytes, const Table& input, const Result& result) {
      append_rows(bytes, input, result);
    };
    job.take = [this](Columns& printed, Result& result) {
      for (const auto& take : takers_) take(printed, result);
    };
  }

 private:
  using Group = std::function<std::span<const std::vector<double>>(const Table&, const Result&)>;

  ByteSink* output_;
  TableWriter writer_;
  std::vector<Group> groups_;
  std::vector<std::function<void(Columns& printed, Result& result)>> takers_;
};

/// Printer of groups of columns, a block of rows at a time. The output must outlive it.
class RowWriter {
 public:
  RowWriter(ByteSink& output, const Robot& robot, const std::vector<Quantity>& groups);

  /// Adds one row: the values of each group, in the order of the groups.
  void add(std::initializer_list<std::span<const double>> values);
  /// Writes the rows added so far.
  void flush();

 private:
  ByteSink& output_;
  TableWriter writer_;
  Columns columns_;  // of a block
  Places places_;
  std::size_t rows_ = 0;
  std::string bytes_;
};

}  // namespace armdyn
