#pragma once

#include <functional>
#include <memory>

#include "cli/options/common_options.hpp"
#include "cli/options/row_job.hpp"
#include "report/say.hpp"

namespace armdyn {

/// In MPI_COMM_WORLD.
[[nodiscard]] int rank_of_this();

/// Does a job on all ranks of MPI_COMM_WORLD, which all call this: each makes the job by itself and
/// is handed chunks of rows until there are no more. The array has the same bytes for any number of
/// ranks. What goes wrong anywhere ends all ranks with one message and one exit code; rows that are
/// finished stay for `resume`.
[[nodiscard]] Ending run_on_ranks(const std::function<std::unique_ptr<RowJob>()>& make,
                                  const OutputOptions& output, bool resume);

}  // namespace armdyn
