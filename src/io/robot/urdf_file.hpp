#pragma once

#include <armdyn/robot_file.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/robot/urdf_chain.hpp"
#include "io/robot/urdf_tree.hpp"
#include "model/serial_chain.hpp"

namespace armdyn {

/// All findings of a URDF, errors first, each part in the order of the file; a chain only if none is
/// an error.
struct UrdfReport {
  std::optional<UrdfChain> chain;
  std::vector<Finding> findings;
  std::shared_ptr<const Urdf> tree;  ///< that the chain was chosen from
};

[[nodiscard]] UrdfReport examine_urdf(std::string_view bytes, const ChainChoice& choice,
                                      const std::string& file);

/// Whether this is to be read as URDF, by its name or since it begins as XML does.
[[nodiscard]] bool is_urdf(const std::string& file, std::string_view bytes);

/// How far that was off: "3.6 µrad".
[[nodiscard]] std::string amount_text(const Snapped& one);
/// "the hand moves by at most 12 µm and 20 µrad"
[[nodiscard]] std::string hand_text(const ChainTable& table);
/// In one line what was snapped, and by how much the hand moves at most.
[[nodiscard]] std::string snapped_text(const ChainTable& table);

/// Gives a finding about a chain's robot, with a path such as joints[2].inertia, element and line.
void locate_in(const UrdfChain& chain, const Urdf& tree, Finding& finding);

}  // namespace armdyn
