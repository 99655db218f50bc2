#pragma once

// The run of a verb that makes one part of its rows for whoever hands the parts out.

#include <optional>
#include <string>
#include <vector>

#include "cli/options/file_run.hpp"

namespace armdyn {

/// A part to be made: its rows, and what the bytes of the whole follow from.
struct PartOrder {
  RowRange rows;
  Json identity;
};

/// The run of one part, of which nobody hears before it is there: the options are quiet, and name it
/// as --part does.
class RangeRun final : public FileRun {
 public:
  RangeRun(const std::string& verb, const RobotOptions* robot, const OutputOptions& output,
           const std::vector<NamedOutput>& outputs, PartOrder order)
      : FileRun(verb, robot, output, outputs), order_(std::move(order)) {}

  [[nodiscard]] bool wants_answer() const override { return false; }

  /// Puts the part into its place; returns the number of its rows. Throws Interrupted where not all
  /// of them are there.
  std::uintmax_t end(const Answer& answer) {
    if (answer.ending == Ending::interrupted) throw Interrupted();
    rows_->commit(part_trailer(*output_.part, identity_, of_part_, answer.notes));
    return of_part_.count;
  }

 private:
  std::optional<RowRange> part_of(const TableSource& /*table*/,
                                  const std::function<Json()>& /*identity*/,
                                  BlockJobFrame& job) override {
    identity_ = order_.identity;
    job.written = &of_part_;
    return order_.rows;
  }

  PartOrder order_;
};

}  // namespace armdyn
