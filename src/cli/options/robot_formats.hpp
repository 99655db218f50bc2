#pragma once

// Texts of robots in all formats, and the arms that such texts describe.

#include "cli/options/option_list.hpp"
#include "io/robot/urdf.hpp"

namespace armdyn {

/// Text of a robot file that reads back as the same robot, behind a comment.
[[nodiscard]] std::string robot_text(const Robot& robot, const std::string& comment);
/// URDF or MJCF of a chain. Throws InputError for a link whose mass or inertia MuJoCo refuses.
[[nodiscard]] std::string chain_text(RobotFileKind kind, const SerialChain& chain,
                                     const std::string& comment);
/// Tests whether a format has a place for a spring.
[[nodiscard]] bool can_hold(RobotFileKind kind, const Spring& spring);

/// The arm of a text: the table of a robot file, or the chain of a URDF or MJCF.
struct DescribedArm {
  std::optional<RobotFile> file;
  std::optional<UrdfChain> chain;
  std::vector<Finding> warnings;
  std::string digest;
  bool has_comments = false;  ///< in a robot file
};
/// Reads a text; the path is for messages. Throws InputError where its content is wrong.
[[nodiscard]] DescribedArm described_arm(const std::string& text, const std::string& path,
                                         const RobotFileOptions& reading = {});
/// The same of a file. Throws FileError.
[[nodiscard]] DescribedArm read_described_arm(const std::string& path,
                                              const RobotFileOptions& reading);

/// Findings of a robot file, and how many of them are values still to be filled in. Throws FileError.
[[nodiscard]] RobotFileReport examined_file(const std::string& path,
                                            const RobotFileOptions& reading, std::size_t& blanks);

/// A joint with the motor and gear of these entries, "rating: 5, efficiency: 0.9". Throws InputError
/// for the first that is wrong.
[[nodiscard]] Joint driven_joint(const std::string& motor, const std::string& gear);

}  // namespace armdyn
