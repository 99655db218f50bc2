// armdyn convert: robot files of other kinds, with proof.

#include <fmt/format.h>
#include <armdyn/error.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>

#include "cli/convert/answer.hpp"
#include "cli/convert/options.hpp"
#include "cli/options/robot_argument.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/friction.hpp"
#include "io/file/output_file.hpp"
#include "io/robot/robot_bytes.hpp"
#include "io/robot/robot_text.hpp"
#include "io/robot/urdf_file.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"
#include "report/document.hpp"
#include "report/joint_words.hpp"
#include "report/say.hpp"

namespace armdyn {

namespace {

enum class Kind { yaml, urdf, mjcf };

Kind kind_of(const std::string& output) {
  if (output == "-" || output.ends_with(".yaml") || output.ends_with(".yml")) return Kind::yaml;
  if (output.ends_with(".urdf")) return Kind::urdf;
  if (output.ends_with(".xml") || output.ends_with(".mjcf")) return Kind::mjcf;
  throw UsageError(
      fmt::format("-o: found \"{}\", expected a name that ends in .yaml, .urdf or .xml", output));
}

/// The input: a table of our own, or a chain.
struct Input {
  std::optional<Robot> robot;
  std::optional<SerialChain> chain;
  std::string digest;
  bool has_parameters = false;
};

Input read_input(const ConvertOptions& options, const std::string& path, ConvertAnswer& answer) {
  const std::string bytes = read_robot_bytes(path);
  if (!is_urdf(path, bytes)) {
    if (!options.chain.base.empty() || !options.chain.tip.empty() || options.snap) {
      throw UsageError(
          fmt::format("--base, --tip and --snap are for URDF files, and {} is none", answer.input));
    }
    RobotFile file = parse_robot_file(bytes, path, options.set);
    require_parameters(options.set, file.written, answer.input);
    answer.warnings = std::move(file.warnings);
    return {std::move(file.robot), std::nullopt, std::move(file.digest),
            !file.written.parameters.empty()};
  }
  require_parameters(options.set, {}, answer.input);
  UrdfReport urdf = examine_urdf(bytes, options.chain, path);
  if (!urdf.chain) throw InputError(error_lines(urdf.findings, path));
  answer.warnings = std::move(urdf.findings);
  answer.notes = urdf.chain->notes;
  const auto& taken = urdf.tree->notes;
  answer.notes.insert(answer.notes.end(), taken.begin(), taken.end());
  return {std::nullopt, std::move(urdf.chain->chain), digest_of(bytes), false};
}

void refuse_unsound(const Robot& robot, const std::string& path) {
  std::vector<Finding> findings = check(robot);
  if (has_error(findings)) throw InputError(error_lines(findings, path));
}

/// What is written, and what it says when it is read again.
struct Written {
  std::string text;
  Description arm;
  std::vector<Joint> joints;
};

/// A comment about what is written.
std::string origin(const ConvertAnswer& answer) {
  return "From " + in_one_line(answer.input) + ", by armdyn convert.";
}

Written write_table(const Input& input, const ConvertOptions& options, const std::string& path,
                    ConvertAnswer& answer) {
  Robot robot;
  std::string comment = origin(answer);
  if (input.chain) {
    ChainTable& table = answer.table = table_of(*input.chain, options.snap.value_or(Snap{}));
    refuse_unsound(table.robot, path);
    if (!table.snapped.empty()) comment += "\n# " + snapped_text(table);
    robot = in_convention(table.robot, options.convention.value_or(Convention::modified));
  } else {
    robot = in_convention(*input.robot, options.convention.value_or(input.robot->convention));
    answer.lost.push_back("the comments of " + answer.input);
    if (input.has_parameters) answer.lost.push_back("its parameters: numbers are in their place");
  }
  answer.what = fmt::format("{}, {} table", counted(robot.dof(), "joint"), name(robot.convention));
  const std::string text = robot_yaml(robot, comment);
  const Robot read = parse_robot_file(text, answer.output).robot;
  return {text, normalise(read), read.joints};
}

/// As URDF and MJCF can say it; what they cannot is added to `lost`.
SerialChain plain_chain(const Input& input, std::vector<std::string>& lost) {
  SerialChain chain = input.chain ? *input.chain : chain_of(*input.robot);
  std::vector<std::string> simplified, merged, limited, uncoupled;
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    Joint& joint = chain.joints[i].joint;
    if (input.robot && find_coupling(*input.robot, i) != nullptr) {
      uncoupled.push_back(joint.name);
      joint.motor = {};
    }
    const auto& [friction, motor] = std::pair{joint.friction, joint.motor};
    const Drive plain = plain_drive({friction, motor});
    if (friction != Friction{.viscous = friction.viscous, .coulomb = friction.coulomb} ||
        plain.friction.coulomb.positive !=
            friction.coulomb.positive + std::abs(motor.gear_ratio) * motor.coulomb.positive) {
      simplified.push_back(joint.name);
    }
    Limits& limits = joint.limits;
    if (limits.acceleration || limits.jerk) limited.push_back(joint.name);
    limits.acceleration = limits.jerk = std::nullopt;
    if (motor.viscous != 0.0 || !motor.coulomb.is_none()) merged.push_back(joint.name);
    joint.friction = plain.friction;
    joint.motor = plain.motor;
  }
  const auto lose = [&lost](const std::vector<std::string>& names, const std::string& what) {
    if (names.empty()) return;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    lost.push_back(what + ": " + list);
  };
  lose(simplified,
       "friction beyond one Coulomb level, the mean of both directions, and viscous friction");
  lose(limited, "limits of acceleration and jerk");
  lose(merged, "which part of friction is the motor's; all of it is at the joint");
  lose(uncoupled, "couplings, and all of the motors that they couple");
  if (input.robot && !input.robot->poses.empty()) lost.emplace_back("named poses");
  return chain;
}

std::vector<Joint> joints_of(const SerialChain& chain) {
  std::vector<Joint> joints;
  joints.reserve(chain.joints.size());
  for (const ChainJoint& joint : chain.joints) joints.push_back(joint.joint);
  return joints;
}

Written write_urdf(const Input& input, ConvertAnswer& answer) {
  const SerialChain chain = plain_chain(input, answer.lost);
  if (chain.gravity != SerialChain{}.gravity) {
    answer.lost.push_back("gravity, which URDF has not; give it to the program that reads it");
  }
  answer.what = counted(chain.joints.size(), "joint");
  const std::string text = urdf_text(chain, origin(answer));
  UrdfReport read =
      examine_urdf(text, {.base = chain.base_link, .tip = chain.tip_link}, answer.output);
  if (!read.chain) throw InputError(error_lines(read.findings, answer.output));
  SerialChain written = std::move(read.chain->chain);
  written.gravity = chain.gravity;
  std::vector<Joint> joints = joints_of(written);
  return {text, std::move(written), std::move(joints)};
}

Written write_mjcf(const Input& input, ConvertAnswer& answer) {
  const SerialChain chain = plain_chain(input, answer.lost);
  std::vector<double> armatures;
  armatures.reserve(chain.joints.size());
  for (const ChainJoint& joint : chain.joints) {
    armatures.push_back(rotor_torque(joint.joint.motor, 1.0));
  }
  answer.what = counted(chain.joints.size(), "joint") + " in MJCF";
  const std::string text = mjcf_text(chain, armatures, origin(answer));
  return {text, chain_of_mjcf(text), {}};
}

/// Names, limits and drives of the output are those of the input, as plain as the output's kind.
void require_same_joints(const std::vector<Joint>& input, const std::vector<Joint>& output) {
  const auto same = [](const Joint& a, const Joint& b) {
    const auto& [p, v, t, acceleration, jerk] = a.limits;
    const auto& [P, V, T, other_acceleration, other_jerk] = b.limits;
    const bool same_range =
        p.has_value() == P.has_value() && (!p || (p->lower == P->lower && p->upper == P->upper));
    return a.name == b.name && a.type == b.type && same_range && v == V && t == T &&
           acceleration == other_acceleration && jerk == other_jerk && a.friction == b.friction &&
           a.motor == b.motor;
  };
  if (!std::ranges::equal(input, output, same)) {
    throw NumericsError("names, limits or drives do not read back as they were written");
  }
}

void say_answer(const ConvertAnswer& answer, const Input& input, const ConvertOptions& options) {
  const OutputOptions& output = options.output;
  RobotOptions named;
  named.robot = options.input;
  named.set = options.set;
  RobotFile file;
  file.path = answer.input;
  file.digest = input.digest;
  file.robot.name = input.robot ? input.robot->name : input.chain->name;
  file.robot.gravity = input.robot ? input.robot->gravity : input.chain->gravity;
  Document document = answer_frame(file, named, output);
  document.data("options").erase("without");
  if (input.chain) {
    const Snap snap = options.snap.value_or(Snap{});
    document.data("options")["snap"] = Json::list(snap.angle, snap.length);
  }
  document.model_warnings.emplace();
  for (const Finding& warning : answer.warnings) {
    document.model_warnings->push_back(to_text(warning, answer.input));
  }
  document.add(convert_sections(answer));
  OutputOptions spoken = output;
  spoken.quiet = output.quiet && answer.proof.agrees;
  say_summary(summary_of(document, spoken), output.json);
}

}  // namespace

Ending run(const ConvertOptions& options) {
  const Kind kind = kind_of(options.output.output);
  if (kind != Kind::yaml && (options.convention || options.snap)) {
    throw UsageError("--convention and --snap are of Denavit-Hartenberg tables; " +
                     options.output.output + " has none");
  }
  const std::string path = find_robot(options.input);
  ConvertAnswer answer;
  answer.input = options.input;
  answer.output = options.output.output == "-" ? "standard output" : options.output.output;

  const Input input = read_input(options, path, answer);
  const Written written = kind == Kind::yaml   ? write_table(input, options, path, answer)
                          : kind == Kind::urdf ? write_urdf(input, answer)
                                               : write_mjcf(input, answer);
  std::vector<std::string> unused;
  const SerialChain plain = plain_chain(input, unused);
  const std::vector<Joint> joints = input.robot && kind == Kind::yaml ? input.robot->joints
                                    : kind == Kind::yaml              ? joints_of(*input.chain)
                                                                      : joints_of(plain);
  if (kind != Kind::mjcf) require_same_joints(joints, written.joints);
  const Description read =
      input.chain ? Description(*input.chain) : Description(normalise(*input.robot));
  answer.proof = prove(read, written.arm, joints, size_of(plain), answer.table.snapped);
  if (answer.proof.agrees) write_file(options.output.output, written.text);
  say_answer(answer, input, options);
  return answer.proof.agrees ? Ending::done : Ending::no;
}

}  // namespace armdyn
