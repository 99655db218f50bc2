#pragma once

#include <armdyn/error.hpp>

#include <optional>
#include <string>
#include <vector>

#include "io/robot/urdf_tree.hpp"
#include "model/serial_chain.hpp"

namespace armdyn {

/// Which chain of a tree; empty: the root, and where the only arm ends.
struct ChainChoice {
  std::string base, tip;
};

/// An arm chosen from a tree, everything else folded into its links at the zero pose.
struct UrdfChain {
  SerialChain chain;
  std::vector<const UrdfJoint*> joints;  ///< of the chain, in the tree
  std::vector<std::string> notes;        ///< what was chosen
};

/// What keeps it from being a tree, and a chain from being found, is added to `findings`; so are, as
/// warnings, joints that are taken as fixed. `file` is for the command line that a message proposes.
/// Throws Error where there is no such link.
[[nodiscard]] std::optional<UrdfChain> choose_chain(const Urdf& urdf, const ChainChoice& choice,
                                                    const std::string& file,
                                                    std::vector<Finding>& findings);

}  // namespace armdyn
