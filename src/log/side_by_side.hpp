#pragma once

// Logs whose quantities are in files of their own, rows side by side: "q=q.csv,tau=tau.npy,t=t.csv".

#include <armdyn/robot.hpp>

#include <string>
#include <vector>

#include "io/file/input_file.hpp"

namespace armdyn {

/// The files of a log of that name; one that is not of that kind has none.
[[nodiscard]] std::vector<std::string> files_side_by_side(const std::string& log);

/// A log: a file, "-", a bag with the topics that are to be read of it (BagTable), or files side by
/// side, which are read as one table with the usual names of columns. Each has a column per
/// joint (t: one, wrench: six) in the order of the joints, with a header or without one, and as many
/// rows as the others. Throws Error for topics of what is no bag; reading throws InputError,
/// FileError.
[[nodiscard]] InputFile open_log(const std::string& log, const Robot& robot,
                                 const std::vector<std::string>& topics);

}  // namespace armdyn
