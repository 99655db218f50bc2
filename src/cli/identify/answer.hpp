#pragma once

#include <armdyn/robot.hpp>

#include "identification/identify.hpp"
#include "report/document.hpp"

namespace armdyn {

/// The answer of identify.
struct IdentifyAnswer {
  const Identification& found;
  const Robot& robot;                   ///< as it was
  std::vector<std::string> base_names;  ///< of its base parameters, each that of its first term
  std::size_t rows = 0, held_out_rows = 0;
  std::vector<std::string> logs;  ///< that were fitted
  std::string output;             ///< the new robot file, if one is wanted
  bool is_written = false;        ///< the new robot file
  bool is_misread = false;        ///< a warning names what a log seems to be
  bool all = false;               ///< people see what only experts read, too

  [[nodiscard]] Sections sections() const;
  /// Reasons why the result may be worth less than it seems.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// The comment of the new robot file: where its numbers come from and how certain they are.
  [[nodiscard]] std::string comment(const std::string& prior) const;
};

}  // namespace armdyn
