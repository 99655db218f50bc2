#pragma once

#include <armdyn/error.hpp>

#include <string>
#include <vector>

#include "cli/convert/proof.hpp"
#include "report/document.hpp"

namespace armdyn {

/// What `convert` says of what it did.
struct ConvertAnswer {
  std::string input, output;       ///< as given
  std::string what;                ///< "6 joints, modified table"
  std::vector<std::string> notes;  ///< chain and extensions taken
  std::vector<std::string> lost;   ///< what the output cannot say
  ChainTable table;                ///< of a URDF that becomes a table
  std::vector<Finding> warnings;   ///< of the input
  Proof proof;
};

[[nodiscard]] Sections convert_sections(const ConvertAnswer& answer);

}  // namespace armdyn
