#pragma once

// Mechanics of a URDF or MJCF: its links and joints, before a chain is chosen.

#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/robot/xml_tree.hpp"
#include "model/check.hpp"
#include "model/file_accuracy.hpp"
#include "model/serial_chain.hpp"

namespace armdyn {

struct UrdfLink {
  std::string name;
  int line = 0;
  int inertial_line = 0;            ///< 0: it has no <inertial>
  Placement inertial{};             ///< the inertial frame in the link's
  SymMat3 written{};                ///< as in the file, in axes of the inertial frame
  MassProperties body{};            ///< in the link's frame
  bool is_between = false;          ///< two joints of a body of MJCF, so that it has no mass
  bool is_of_unknown_mass = false;  ///< that of a mesh
};

struct UrdfJoint {
  enum class Kind { revolute, continuous, prismatic, fixed, floating, planar, ball };
  std::string name;
  int line = 0;
  int limit_line = 0;
  Kind kind = Kind::fixed;
  std::string parent{}, child{};
  Placement origin{};
  Vec3 axis{1.0, 0.0, 0.0};  ///< unit vector
  Friction friction{};
  Motor motor{};
  Limits limits{};
  double stiffness = 0.0, spring_rest = 0.0;  ///< of a spring at the joint, of MJCF
  std::string mimics = {};                    ///< the joint that it follows
  /// Its position is the factor times that joint's, plus the offset; none: no such sum.
  std::optional<double> factor = 1.0;
  double offset = 0.0;
  double at_model_zero = 0.0;        ///< position in the file's model, of MJCF
  std::optional<double> pitch = {};  ///< of a helical joint: two of MJCF

  /// Place for findings.
  [[nodiscard]] Report::At at() const { return {"joint " + name, line}; }
  /// Tests whether it turns about its axis or moves along it.
  [[nodiscard]] bool moves() const {
    return kind == Kind::revolute || kind == Kind::continuous || kind == Kind::prismatic;
  }
};

struct Urdf {
  bool is_mjcf = false;  ///< its angles are computed, from quaternions too, and have no digits
  std::string name{};
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<std::string> notes{};  ///< on numbers taken from extensions
  Vec3 gravity{0.0, 0.0, -9.81};     ///< m/s², as MJCF has it
  /// Links that MJCF ties to one another; the second may be the world, without a name.
  struct Loop {
    std::string kind;
    int line = 0;
    std::string first, second;
  };
  std::vector<Loop> loops{};
  /// A spring of MJCF's tendons, on a sum of joint positions or between the origins of two links: no load
  /// from `rest` to `end`, rad or m, and the stiffness outside.
  struct Tendon {
    std::string name;
    std::vector<Followed> row;
    std::string from, to;
    double stiffness = 0.0, rest = 0.0, end = 0.0;
  };
  std::vector<Tendon> tendons{};
};

/// An arm chosen from a tree, all else joined to its links at the zero pose.
struct UrdfChain {
  SerialChain chain;
  AsPlaced placed;                       ///< the same by the numbers of the file
  std::vector<const UrdfJoint*> joints;  ///< of the chain, in the tree
  std::vector<std::string> fixed;        ///< joints that can move, and are none of the chain
  std::vector<std::string> notes;        ///< on the choice, and on numbers taken from extensions
  /// Instead of the chain, where joints follow others or links branch; its joints are `joints`, the
  /// followers last.
  std::optional<Robot> mechanism{};
};

/// Chooses a chain, and takes its right angles as right. Reports errors of the tree and of the choice, and as
/// warnings joints taken as fixed. Throws Error where there is no such link.
[[nodiscard]] std::optional<UrdfChain> choose_chain(Urdf& urdf, const RobotFileOptions& reading,
                                                    Report& report);

/// All findings of a URDF in the order of the file, warnings and a chain only if none is an error.
struct UrdfReport {
  std::optional<UrdfChain> chain;
  std::vector<Finding> findings;
  std::shared_ptr<const Urdf> tree;  ///< of the chain
  std::string included{};            ///< bytes of the files that an MJCF includes
};

/// Reads an MJCF, and the files that it includes into `root`, whose bytes `included` gets; sites are
/// links without mass. Throws FileError.
[[nodiscard]] Urdf read_mjcf(XmlElement& root, const std::string& file, Report& report,
                             std::string& included);
/// Reports what a chain of an MJCF cannot have: loops, and bodies of unknown mass.
void judge_mjcf(const Urdf& tree, const UrdfChain& chain, Report& report);

[[nodiscard]] UrdfReport examine_urdf(std::string_view bytes, const RobotFileOptions& reading,
                                      const std::string& file);

/// Tests whether a file is read as URDF or MJCF, by its name or its beginning, that of XML.
[[nodiscard]] bool is_urdf(const std::string& file, std::string_view bytes);

/// Lines on the TCP's motion by snapped positions, and on each of these.
[[nodiscard]] std::vector<std::string> snapped_lines(const ChainTable& table);

/// Gives a finding about a chain's robot, of a path such as joints[2].inertia, its element and line.
void locate_in(const UrdfChain& chain, const Urdf& tree, Finding& finding);

}  // namespace armdyn
