#pragma once

// Torques over time that several simulations share.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/common_options.hpp"
#include "log/columns.hpp"

namespace armdyn {

/// All rows of one file.
struct TorqueFile {
  std::vector<TorqueSample> samples;  ///< at least one
  bool has_wrench = false;
  std::optional<std::vector<double>> first_q, first_qd;  ///< where there are such columns
};

/// A file's torques anew, from the first.
[[nodiscard]] std::unique_ptr<TorqueInput> torques_of(std::shared_ptr<const TorqueFile> file,
                                                      Interpolation interpolation);

/// Files by their paths, each in memory once, as long as somebody uses it. For any thread.
class TorqueFiles {
 public:
  TorqueFiles(const Robot& robot, ExtraColumns extra) : robot_(robot), extra_(extra) {}

  /// Throws as TorqueRows.
  [[nodiscard]] std::shared_ptr<const TorqueFile> get(const std::string& path);

  /// As what the columns of the files so far were recognised: a line for the user about the first
  /// by name, which counts the others; or nothing.
  [[nodiscard]] std::string recognised();

 private:
  [[nodiscard]] std::shared_ptr<const TorqueFile> read(const std::string& path);

  const Robot& robot_;
  ExtraColumns extra_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const TorqueFile>> files_;
  std::map<std::string, std::string> recognised_;  ///< by the file's name, where it is to be said
};

}  // namespace armdyn
