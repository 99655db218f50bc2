#pragma once

// A motion file on its way into a verb that computes with its rows, block by block.

#include <armdyn/robot.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/table/block_pipeline.hpp"
#include "io/table/part.hpp"
#include "io/table/table_reader.hpp"
#include "log/columns.hpp"
#include "log/log_options.hpp"
#include "log/motion_rows.hpp"

namespace armdyn {

class LogReader {
 public:
  /// Which of qd and qdd must be there, or be derived.
  struct Rates {
    bool qd = true, qdd = true;
  };

  /// Reads q, and t, qd, qdd and those of `also` as far as they are there. The options and the
  /// input must outlive the reader. Throws InputError for a header that does not do.
  LogReader(const LogOptions& options, InputFile& input, const Robot& robot,
            const std::vector<Quantity>& also, const Rates& needed);
  /// The same; needs qd and qdd.
  LogReader(const LogOptions& options, InputFile& input, const Robot& robot,
            const std::vector<Quantity>& also)
      : LogReader(options, input, robot, also, Rates{}) {}

  /// Columns of the blocks that the job's worker gets.
  [[nodiscard]] const ColumnPlan& plan() const { return rows_.plan(); }

  /// As MotionRows has it.
  [[nodiscard]] std::size_t beside_smoothed() const { return rows_.beside_smoothed(); }

  /// Where the rows of a part are; as rows_of_part.
  [[nodiscard]] RowRange part(const Part& part) const { return rows_of_part(reader_, part); }

  /// What became of the rows.
  [[nodiscard]] LogReport report() const { return rows_.report(); }

  /// Sends the rows that count through the job, whose filter is that of the options.
  /// Throws NumericsError with file and line where the job throws NotFinite for a row.
  template <class Result>
  void run(BlockJob<Result> job) {
    job.filter = [this](Table& in, bool is_end, Table& handed_on) {
      return rows_.pass(in, is_end, handed_on);
    };
    using Work = typename BlockJob<Result>::Work;
    job.make_worker = [this, make = std::move(job.make_worker)]() -> Work {
      return [this, work = make()](const Table& in, Result& result) mutable {
        with_place(in, [&] { work(in, result); });
      };
    };
    if (job.print) {
      job.print = [this, print = std::move(job.print)](std::string& bytes, const Table& in,
                                                       const Result& result) {
        with_place(in, [&] { print(bytes, in, result); });
      };
    }
    if (job.in_order) {
      job.in_order = [this, in_order = std::move(job.in_order)](const Table& in,
                                                                const Result& result) {
        with_place(in, [&] { in_order(in, result); });
      };
    }
    run_blocks(reader_, parsed_, job);
  }

 private:
  void with_place(const Table& in, const std::function<void()>& work) const;

  std::string file_;
  TableReader reader_;
  ColumnPlan parsed_;
  MotionRows rows_;
};

}  // namespace armdyn
