#pragma once

// The torques of a CSV file as a simulation asks for them: one row after the other.

#include <armdyn/simulation.hpp>

#include <cstdint>
#include <optional>
#include <vector>

#include "io/file/input_file.hpp"
#include "log/row_reader.hpp"

namespace armdyn {

/// Reads t, tau and, where they are there, a hand wrench and the state of the first row; in bounded
/// memory. Throws InputError, FileError, and Interrupted before the first row.
class TorqueRows {
 public:
  TorqueRows(const std::string& path, const Robot& robot, ExtraColumns extra);

  /// The next row; false at the end, and where a signal comes first. Throws InputError where t does
  /// not increase.
  bool next(TorqueSample& sample);
  /// Whether `next` may have to wait.
  [[nodiscard]] bool may_wait() const { return !input_.is_regular() && reader_.is_at_block_end(); }

  [[nodiscard]] const InputFile& file() const { return input_; }
  [[nodiscard]] const ColumnPlan& plan() const { return reader_.plan(); }
  [[nodiscard]] std::uintmax_t bytes_read() const { return reader_.bytes_read(); }
  [[nodiscard]] bool has_wrench() const { return has(Quantity::hand_wrench); }
  /// q of the present row, where there are such columns.
  [[nodiscard]] std::optional<std::vector<double>> q() const;
  /// q, qd of the first row, where there are such columns; known once a row has been read.
  [[nodiscard]] const std::optional<std::vector<double>>& first_q() const { return first_q_; }
  [[nodiscard]] const std::optional<std::vector<double>>& first_qd() const { return first_qd_; }

 private:
  bool read_row();
  [[nodiscard]] bool has(Quantity quantity) const { return reader_.plan().has(quantity); }
  [[nodiscard]] std::vector<double> values(Quantity quantity, std::size_t count) const;

  InputFile input_;
  RowReader reader_;
  std::size_t dof_;
  std::optional<double> last_t_;
  std::optional<std::vector<double>> first_q_, first_qd_;
};

}  // namespace armdyn
