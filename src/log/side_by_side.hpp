#pragma once

// Logs with a file for each quantity, rows side by side: "q=q.csv,tau=tau.npy,t=t.csv".

#include <armdyn/robot.hpp>

#include <string>
#include <vector>

#include "io/table/bag_table.hpp"

namespace armdyn {

/// Files of a log of that kind; none of others.
[[nodiscard]] std::vector<std::string> files_side_by_side(const std::string& log);

/// Opens a log: a file, "-", a bag with some topics to read (BagTable), or files side by side,
/// which are read as one table with the usual names of columns. Each has a column per joint (t: one,
/// wrench: six), which the numbers or names of joints in a header put in order, and as many rows as
/// the others. Files may have a t of their own: then the rows have that of the file of t, else of q,
/// else of the first, and the others have there what is between their rows.
/// Throws Error for topics of a log that is no bag; reading throws InputError, FileError.
[[nodiscard]] TableInput open_log(const std::string& log, const Robot& robot,
                                  const std::vector<std::string>& topics);

}  // namespace armdyn
