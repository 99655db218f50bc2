#pragma once

// From rows of a batch file to simulations, and from their results to rows.

#include <armdyn/batch_simulation.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/simulate/torque_files.hpp"
#include "io/table/table.hpp"
#include "log/columns.hpp"
#include "log/group_writer.hpp"

namespace armdyn {

/// The column of a batch file that names a torque file in each row.
inline constexpr const char* torque_file_column = "torques";

/// What the columns of a batch file are. Throws InputError for what does not go together, and where
/// something is missing.
[[nodiscard]] ColumnPlan plan_batch(const Header& header, const Robot& robot, bool has_torques,
                                    ExtraColumns extra);

/// Numbers the rows of blocks, which come in their order.
class RunNumbers {
 public:
  /// As BlockFilter.
  void pass(Table& parsed, bool is_end, Table& group);

 private:
  std::size_t numbered_ = 0;
};

/// What the results of a group say beside numbers.
struct GroupNotes {
  struct Failure {
    std::size_t row = 0;  ///< of the group
    std::string message;
  };
  std::vector<Failure> failures;
  std::size_t coarse_runs = 0;
  std::optional<CoarseStep> coarsest;
  std::size_t held_runs = 0;  ///< that went on beyond their last torque
  std::uintmax_t steps = 0;
};

/// Notes of groups on their way from any thread to the one that takes them in order.
class NotesByGroup {
 public:
  void put(const Table& group, GroupNotes notes);
  [[nodiscard]] GroupNotes take(const Table& group);

 private:
  std::mutex mutex_;
  std::map<std::size_t, GroupNotes> notes_;  ///< by the group's first row
};

/// Where the columns of results are.
struct BatchLayout {
  BatchLayout(std::size_t joints, bool wrench) : dof(joints), has_wrench(wrench) {}

  static constexpr std::size_t run = 0, exit = 1, joint = 2, t = 3;
  [[nodiscard]] std::size_t q() const { return 4; }
  [[nodiscard]] std::size_t qd() const { return q() + dof; }
  [[nodiscard]] std::size_t qdd() const { return qd() + dof; }
  [[nodiscard]] std::size_t tau() const { return qdd() + dof; }
  [[nodiscard]] std::size_t wrench() const { return tau() + dof; }
  [[nodiscard]] std::size_t energy() const { return wrench() + (has_wrench ? 6 : 0); }
  [[nodiscard]] std::size_t imbalance() const { return energy() + 2; }
  [[nodiscard]] std::size_t columns() const { return energy() + 3; }

  void add_to(GroupWriter& writer) const;

  std::size_t dof;
  bool has_wrench;
};

/// What all workers share.
struct BatchSource {
  const ColumnPlan& plan;
  std::string file;                           ///< for messages
  std::string folder;                         ///< in which torque files are looked for
  std::shared_ptr<const TorqueFile> torques;  ///< of all runs; may be null
  TorqueFiles& files;
  Interpolation interpolation;
};

/// Simulates groups of rows; one per thread.
class BatchWorker {
 public:
  BatchWorker(const BatchSimulation& simulation, const BatchSource& source,
              const BatchLayout& layout, NotesByGroup& notes)
      : simulation_(simulation), source_(source), layout_(layout), notes_(notes) {}

  /// Throws Interrupted, and InputError and FileError of a torque file.
  void operator()(const Table& group, Table& result);

 private:
  using File = std::shared_ptr<const TorqueFile>;

  [[nodiscard]] File file_of(const Table& group, std::size_t row) const;
  [[nodiscard]] BatchRun run_of(const Table& group, std::size_t row, const File& file) const;
  [[nodiscard]] std::optional<std::vector<double>> values(const Table& group, std::size_t row,
                                                          Quantity quantity) const;
  void write(const BatchResult& found, double number, Table& result, std::size_t row) const;

  BatchSimulation simulation_;
  const BatchSource& source_;
  BatchLayout layout_;
  NotesByGroup& notes_;
};

}  // namespace armdyn
