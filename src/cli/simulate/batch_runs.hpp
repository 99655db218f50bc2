#pragma once

// From rows of a batch file to simulations, and from their results to rows.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/simulate/torque_files.hpp"
#include "io/table/table.hpp"
#include "log/columns.hpp"
#include "log/row_writer.hpp"

namespace armdyn {

/// The column of a batch file that names a torque file in each row.
inline constexpr const char* torque_file_column = "torques";

/// What the columns of a batch file are. Throws InputError for what does not go together, and where
/// something is missing.
[[nodiscard]] ColumnPlan plan_batch(const Header& header, const Robot& robot, bool has_torques,
                                    ExtraColumns extra);

/// What has become of one run.
struct BatchOutcome {
  double run = 0.0;  ///< its number
  BatchResult result;
  bool is_held = false;  ///< it went on beyond its last torque
};

/// Of the rows of a block, in their order.
using BatchOutcomes = std::vector<BatchOutcome>;

/// Prints a row for each run.
class BatchWriter {
 public:
  BatchWriter(GroupWriter writer, std::size_t dof, bool has_wrench);

  [[nodiscard]] const TableWriter& columns() const { return writer_; }
  void append_header(std::string& bytes) const { writer_.append_header(bytes); }
  void append_rows(std::string& bytes, const BatchOutcomes& runs) const;

 private:
  GroupWriter writer_;
  bool has_wrench_;
};

/// What all workers share.
struct BatchSource {
  const ColumnPlan& plan;
  std::string file;                           ///< for messages
  std::string folder;                         ///< in which torque files are looked for
  std::shared_ptr<const TorqueFile> torques;  ///< of all runs; may be null
  TorqueFiles& files;
  Interpolation interpolation;

  /// Calls `use` with the path of the file that a row names, and says where that is in its
  /// FileError. Throws InputError where the cell names none.
  void with_torque_file(const Table& group, std::size_t row,
                        const std::function<void(const std::string& path)>& use) const;
};

/// Simulates groups of rows; one per thread.
class BatchWorker {
 public:
  BatchWorker(const BatchSimulation& simulation, const BatchSource& source, std::size_t dof)
      : simulation_(simulation), source_(source), dof_(dof) {}

  /// Throws Interrupted, and InputError and FileError of a torque file.
  void operator()(const Table& group, BatchOutcomes& outcomes);

 private:
  using File = std::shared_ptr<const TorqueFile>;

  [[nodiscard]] File file_of(const Table& group, std::size_t row) const;
  [[nodiscard]] BatchRun run_of(const Table& group, std::size_t row, const File& file) const;
  [[nodiscard]] std::optional<std::vector<double>> values(const Table& group, std::size_t row,
                                                          Quantity quantity) const;

  BatchSimulation simulation_;
  const BatchSource& source_;
  std::size_t dof_;
};

}  // namespace armdyn
