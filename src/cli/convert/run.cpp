// armdyn convert: robot files of other kinds, with proof.

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <set>

#include "cli/options/named_files.hpp"
#include "cli/options/robot_formats.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "dynamics/compare.hpp"
#include "dynamics/friction.hpp"
#include "fmu/fmu_file.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"
#include "model/robot_fields.hpp"
#include "model/serial_chain.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

struct ConvertOptions : VerbOptions {
  std::optional<Convention> convention;  ///< absent: the input's, else modified
  FmuKind fmu;
};

namespace {

/// An arm by its file: a table, or frames and axes.
using Description = std::variant<Arm, SerialChain>;

/// A quantity in which input and output are compared.
struct Compared {
  const char *key, *label;
  double Deviation::*value;
};
constexpr std::array compared{Compared{"tcp", "TCP, position", &Deviation::tcp},
                              Compared{"rotation", "TCP, orientation", &Deviation::turn},
                              Compared{"jacobian", "Jacobian", &Deviation::jacobian},
                              Compared{"gravity", "gravity torque", &Deviation::gravity},
                              Compared{"torque", "torque", &Deviation::torque}};

/// Proof that input and output are one arm: their differences at random states.
struct Proof {
  std::size_t states = 0;
  Deviation found, allowed;  ///< allowed are 1e-9, and as much as snapping can make
  std::string unit;          ///< of the torques
  [[nodiscard]] bool agrees() const {
    return std::ranges::all_of(
        compared, [this](const Compared& one) { return found.*one.value <= allowed.*one.value; });
  }
};

/// The answer of `convert`.
struct ConvertAnswer {
  std::string input, output;       ///< as given
  std::string what;                ///< "6 joints, modified table"
  std::vector<std::string> notes;  ///< chain and extensions taken
  std::vector<std::string> fixed;  ///< joints of a URDF that can move, and are none of the chain
  std::vector<std::string> lost;   ///< parts of the input that the output cannot hold
  ChainTable table;                ///< of a URDF that becomes a table
  std::vector<Finding> warnings;   ///< of the input
  Proof proof;
};

/// Tests whether the output is a Functional Mock-up Unit (FMU).
bool is_fmu(const ConvertOptions& options) {
  return options.output.output.ends_with(".fmu");
}

/// Largest differences, those allowed, and their units.
FieldTable deviation_table(const Proof& proof) {
  const auto of = [&](double scale) {
    return fmt::format("{}, of {}", proof.unit, short_number(scale));
  };
  const std::array<std::string, compared.size()> units{
      "of the arm's size", "rad", "of its largest entry", of(proof.found.gravity_scale),
      of(proof.found.torque_scale)};
  FieldTable table;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    const auto& [key, label, value] = compared[k];
    table.rows.push_back({{"quantity", "input against output", {key, label}},
                          {"largest", "largest difference", Value::magnitude(proof.found.*value)},
                          {"allowed", "allowed", Value::magnitude(proof.allowed.*value)},
                          {"unit", "", Value::word(units[k])}});
  }
  return table;
}

Sections convert_sections(const ConvertAnswer& answer) {
  Document found;
  found.add(Json{{"output", answer.output}, {"what", answer.what}});
  const bool agrees = answer.proof.agrees();
  if (agrees) found.add(fmt::format("{}: {} from {}", answer.output, answer.what, answer.input));
  found.add("notes", Paragraphs{"  ", answer.notes});
  const bool snapped_any = !answer.table.snapped.empty();
  if (snapped_any) found.add(fmt::format("{}", fmt::join(snapped_lines(answer.table), "\n")));
  found.add("snapped", Json(each(answer.table.snapped, [](const Snapped& one) {
              return Json{{"what", one.what}, {"angle", one.angle}, {"length", one.length}};
            })));
  found.add("differences", deviation_table(answer.proof));
  found.add(Json{{"states", answer.proof.states}, {"agree", agrees}});
  found.add("fixed_joints", Json(answer.fixed));
  const std::string but_fixed =
      answer.fixed.empty() ? "" : ", joints of the input fixed at zero: " + listed(answer.fixed);
  found.add(fmt::format("{} random states: {}", answer.proof.states,
                        agrees ? "input and output are the same arm" + in_one_line(but_fixed)
                               : "not the same arm to that accuracy; nothing is written"));
  found.add("not_in_output", Paragraphs{"not in the output: ", answer.lost});
  if (snapped_any) {
    found.add("tcp_displacement", Json{{"position", Json{{"value", answer.table.tcp_displacement}}},
                                       {"rotation", Json{{"value", answer.table.tcp_rotation}}}});
  }
  return found.sections;
}

constexpr std::size_t state_count = 200;
constexpr double rounding = 1e-9;
constexpr double rounding_of_axes = 1e-14;  // rad, all of them together

Proof prove(const Description& input, const Description& output, const std::vector<Joint>& joints,
            double size, const std::vector<Snapped>& snapped) {
  const Deviation found = std::visit(
      [&](const auto& first, const auto& second) {
        return deviation(first, second, joints, size, state_count);
      },
      input, output);
  if (!std::isfinite(size + found.gravity_scale + found.torque_scale + found.effort)) {
    throw NumericsError(
        "the torques of the input are no finite numbers: a length, mass or inertia is too large");
  }

  double angles = 0.0, lengths = 0.0;
  for (const Snapped& one : snapped) {
    angles += one.angle;
    lengths += one.length;
  }
  // A snap turns an axis and shifts it by that angle times a lever within the arm's size; a turn
  // about a wrong axis is wrong by up to twice as much.
  const double share = angles + (size > 0.0 ? lengths / size : 0.0);
  const double of_effort = 4.0 * share + rounding_of_axes;
  std::set<std::string, std::greater<>> units;
  for (const Joint& joint : joints) units.insert(torque_unit(joint));
  return {state_count,
          found,
          {.tcp = rounding + 4.0 * share,
           .turn = rounding + 2.0 * angles,
           .jacobian = rounding + 4.0 * share * std::max(1.0, size),
           .gravity = rounding * found.gravity_scale + of_effort * found.effort,
           .torque = rounding * found.torque_scale + of_effort * found.effort},
          fmt::format("{}", fmt::join(units, " or "))};
}

/// "2e-5,1e-6": an angle, rad, and a length, m.
Snap parse_snap(const std::string& option, const std::string& text) {
  const std::vector<std::string> parts = split_list(text);
  require(parts.size() == 2, option, text, "an angle in rad and a length in m, as in 2e-5,1e-6");
  const Snap snap{parse_tolerance(option, parts[0]), parse_tolerance(option, parts[1])};
  require(snap.angle <= 0.01 && snap.length <= 0.01, option, text,
          "at most 0.01 rad and 0.01 m: more is another arm");
  return snap;
}

void declare(OptionList& list, ConvertOptions& options) {
  const Choices<Convention> tables{std::span(conventions)};
  const Choices<FmiVersion> versions{{"2", FmiVersion::fmi2}, {"3", FmiVersion::fmi3}};
  list.text("INPUT", "", options.robot.robot,
            "robot file, URDF, MJCF, or the name of a shipped robot")
      .required();
  list.text("-o,--output", "FILE", options.output.output,
            "output file: .yaml, .urdf, .xml for MJCF, or .fmu (default: -, YAML)")
      .for_command_line();
  declare_reading(list, options.robot.reading);
  list.option("--snap", "ANGLE,LENGTH", options.robot.reading.snap, parse_snap,
              "URDF, MJCF: axes this close count as parallel, orthogonal or intersecting, rad and "
              "m (default: 2e-5,1e-6)")
      .special()
      .unechoed();
  list.option("--convention", "NAME", options.convention, tables,
              "DH convention of the output: " + tables.text() + " (default: the input's)");
  const auto to_fmu = [&options] { return is_fmu(options); };
  list.option("--fmi", "VERSION", options.fmu.version, versions,
              "version of the FMI standard of an FMU: " + versions.text() + " (default: 2)")
      .echoed_if(to_fmu)
      .for_command_line();
  list.option("--step", "H", options.fmu.step, parse_duration,
              "step of the integrator in an FMU, s (default: 0.001)")
      .echoed_if(to_fmu)
      .for_command_line();
  list.flag("--controlled", options.fmu.is_controlled,
            "put a computed-torque controller into an FMU: inputs are desired motions")
      .echoed_if(to_fmu)
      .for_command_line();
  list.check([&list, to_fmu] {
    const bool names_fmu =
        list.is_given("--fmi") || list.is_given("--step") || list.is_given("--controlled");
    refuse_if(!to_fmu() && names_fmu,
              "--fmi, --step and --controlled are of an FMU; give -o a name that ends in .fmu");
  });
  declare_model(list, "-o", options.output.output, options.output.force);
  declare_format(list, options.output);
  declare_quiet(list, options.output);
  declare_report(list, options.output);
}

}  // namespace

Answer convert(const ConvertOptions& options, Run& run);

Verb convert_verb() {
  return verb<ConvertOptions>("convert",
                              "Convert robot models: YAML, URDF, MJCF, FMU, DH conventions",
                              "  armdyn convert puma560 --convention modified -o puma.yaml\n"
                              "  armdyn convert ur5e -o ur5e.urdf\n"
                              "  armdyn convert ur5e -o ur5e.xml\n"
                              "  armdyn convert ur5e -o ur5e.fmu --fmi 3\n",
                              declare, convert);
}

namespace {

RobotFileKind kind_of(const ConvertOptions& options) {
  const std::string& output = options.output.output;
  if (output == "-" || is_fmu(options)) return RobotFileKind::yaml;
  if (const auto kind = robot_file_kind(output)) return *kind;
  throw UsageError("-o: found \"{}\", expected a name that ends in .yaml, .urdf, .xml or .fmu",
                   output);
}

// URDF and MJCF get angles as they are, 1.5708 too.
constexpr Snap angles_as_written{0.0, 0.0};

/// The input: the robot of a table, or of a tree of links, or the chain of a URDF.
struct Input {
  std::optional<Robot> robot;
  std::optional<SerialChain> chain;
  std::string digest;
  bool has_parameters = false;
};

Input read_input(const ConvertOptions& options, const std::string& path, ConvertAnswer& answer) {
  RobotFileOptions reading = options.robot.reading;
  if (kind_of(options) != RobotFileKind::yaml) reading.snap = angles_as_written;
  DescribedArm arm = read_described_arm(path, reading);
  require_use(options.robot.reading, arm.file.value_or(RobotFile{}), answer.input);
  answer.warnings = std::move(arm.warnings);
  if (arm.has_comments) answer.lost.push_back("the comments of " + answer.input);
  if (arm.file) {
    return {std::move(arm.file->robot), {}, arm.digest, !arm.file->written.parameters.empty()};
  }
  answer.notes = arm.chain->notes;
  answer.fixed = arm.chain->fixed;
  if (arm.chain->mechanism) return {std::move(arm.chain->mechanism), {}, arm.digest};
  return {{}, std::move(arm.chain->chain), arm.digest};
}

/// The text that is written, and the arm read from it.
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
    ChainTable& table = answer.table =
        table_of(*input.chain, options.robot.reading.snap.value_or(Snap{}));
    const std::vector<Finding> findings = check(table.robot);
    if (has_error(findings)) throw InputError(error_lines(findings, path));
    if (!table.snapped.empty()) {
      comment += fmt::format("\n# {}", fmt::join(snapped_lines(table), "\n# "));
    }
    robot = in_convention(table.robot, options.convention.value_or(Convention::modified));
  } else {
    robot = in_convention(*input.robot, options.convention.value_or(input.robot->convention));
  }
  answer.what = fmt::format("{}, {} table", counted(robot.dof(), "joint"), name(robot.convention));
  const std::string text = robot_text(robot, comment);
  const Robot read = described_arm(text, answer.output).file->robot;
  return {text, normalize(read), read.joints};
}

template <std::equality_comparable T>
requires(!RobotPart<T>) bool are_same(const T& a, const T& b) {
  return a == b;
}
bool are_same(const std::optional<Range>& a, const std::optional<Range>& b) {
  return a.has_value() == b.has_value() && (!a || (a->lower == b->lower && a->upper == b->upper));
}
/// Compares all fields of a part but those that `prove` compares.
template <RobotPart P>
bool are_same(const P& a, const P& b) {
  bool all = true;
  const auto compare = [&all](const RobotField& field, const auto& one, const auto& other) {
    if (!field.has(role::placed | role::body)) all = all && are_same(one, other);
  };
  fields(compare, a, b);
  return all;
}

/// Something that a format lacks: fields with one of these roles, and the joints that have it.
struct Loss {
  std::string what;
  unsigned roles = 0;
  std::vector<std::string> joints{};
};

/// Notes a loss of a joint, of several that fit the last; one that fits none is that field.
void lose(std::vector<Loss>& losses, const RobotField& field, const std::string& joint) {
  const auto fits = [&field](const Loss& loss) {
    return loss.roles == 0 ? loss.what == field.name : field.has(loss.roles);
  };
  const auto found = std::find_if(losses.rbegin(), losses.rend(), fits);
  Loss& loss = found != losses.rend() ? *found : losses.emplace_back(Loss{std::string(field.name)});
  if (loss.joints.empty() || loss.joints.back() != joint) loss.joints.push_back(joint);
}

void report(const std::vector<Loss>& losses, std::vector<std::string>& lost) {
  for (const auto& [what, roles, joints] : losses) {
    if (!joints.empty()) lost.push_back(fmt::format("{}: {}", what, fmt::join(joints, ", ")));
  }
}

/// Makes fields of a joint the usual ones where a format lacks them.
struct Reduction {
  unsigned format;
  const std::string& joint;
  std::vector<Loss>& losses;
  unsigned roles = 0;  ///< of the part

  template <class T>
  void operator()(RobotField field, T& value, const T& usual) {
    field.roles |= roles;
    if (field.has(format | role::placed | role::body)) return;
    if constexpr (RobotPart<T>) {
      fields(Reduction{format, joint, losses, field.roles & role::of_parts}, value, usual);
    } else if (!are_same(value, usual)) {
      lose(losses, field, joint);
      value = usual;
    }
  }
};

/// Adds what a robot has beside its joints, and URDF and MJCF lack.
void lose_beside_joints(const Robot& robot, std::vector<std::string>& lost) {
  const auto look = [&lost](const RobotField& field, const auto& value, const auto& usual) {
    if (field.has(role::urdf | role::placed | role::coupling)) return;
    bool is_usual = false;
    if constexpr (requires { value.empty(); }) {
      is_usual = value.empty();
    } else if constexpr (requires { value == usual; }) {
      is_usual = value == usual;
    }
    if (!is_usual) lost.emplace_back(field.name);
  };
  const Robot usual{};
  fields(look, robot, usual);
}

/// Leaves out the springs that a format cannot hold, and adds them to `lost`.
void leave_out_springs(RobotFileKind kind, Robot& robot, std::vector<std::string>& lost) {
  const auto is_lost = [kind](const Spring& spring) { return !can_hold(kind, spring); };
  std::vector<std::string> names;
  for (const Spring& spring : robot.springs) {
    if (is_lost(spring)) names.push_back(spring.name);
  }
  std::erase_if(robot.springs, is_lost);
  if (names.empty()) return;
  lost.push_back(
      fmt::format("springs, which the comparison leaves out: {}", fmt::join(names, ", ")));
}

/// The chain with what URDF and MJCF can hold; adds the rest to `lost`.
SerialChain plain_chain(const Input& input, std::vector<std::string>& lost) {
  SerialChain chain = input.chain ? *input.chain : tree_of(*input.robot, "URDF and MJCF");
  std::vector<Loss> losses{
      {"friction beyond one Coulomb level, the mean of both directions, and viscous friction",
       role::joint_friction},
      {"limits of acceleration and jerk", role::limit},
      {"which part of friction is the motor's; all of it is at the joint", role::motor},
      {"couplings, and all of the motors that they couple", role::coupling},
      {"ratings and efficiency of motors and gears", role::rating}};
  const Joint usual{};
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    Joint& joint = chain.joints[i].joint;
    if (input.robot && motor_row(*input.robot, i)) {
      lose(losses, field("", role::coupling), joint.name);
      Motor only_rated;
      only_rated.efficiency = joint.motor.efficiency;
      only_rated.ratings = joint.motor.ratings;
      joint.motor = only_rated;
    }
    const Drive plain = plain_drive({joint.friction, joint.motor});
    const double positive = joint.friction.coulomb.positive +
                            std::abs(joint.motor.gear_ratio) * joint.motor.coulomb.positive;
    if (plain.friction.coulomb.positive != positive) {
      lose(losses, field("", role::joint_friction), joint.name);
    }
    fields(Reduction{role::urdf, joint.name, losses}, joint, usual);
    if (joint.follows) joint.limits.torque.reset();  // it has no motor
    joint.friction = plain.friction;
    joint.motor = plain.motor;
  }
  report(losses, lost);
  if (input.robot) lose_beside_joints(*input.robot, lost);
  return chain;
}

std::vector<Joint> joints_of(const SerialChain& chain) {
  return each(chain.joints, &ChainJoint::joint);
}

/// Puts the joints of a file in the order of the input, and adds theirs to `lost` where it is another:
/// MJCF nests bodies.
void restore_order(const SerialChain& chain, std::vector<Joint>& joints,
                   std::vector<std::string>& lost) {
  const auto place = [&chain](const Joint& joint) {
    return std::ranges::find(chain.joints, joint.name,
                             [](const ChainJoint& of) { return of.joint.name; });
  };
  if (std::ranges::is_sorted(joints, {}, place)) return;
  lost.push_back(fmt::format("the order of its joints; there it is {}",
                             fmt::join(each(joints, &Joint::name), ", ")));
  std::ranges::sort(joints, {}, place);
}

/// The arm that is read back from a text of the chain or tree; its gravity is that one, if given.
Written read_back(const std::string& text, const SerialChain& chain, const std::string& base,
                  const std::optional<Vec3>& gravity, ConvertAnswer& answer) {
  const bool is_tree = !chain.tip_parent.empty();
  DescribedArm read = described_arm(
      text, answer.output,
      {.base = base, .tip = chain.tip_link, .snap = angles_as_written, .all_joints = is_tree});
  if (std::optional<Robot>& mechanism = read.chain->mechanism) {
    mechanism->gravity = gravity.value_or(mechanism->gravity);
    restore_order(chain, mechanism->joints, answer.lost);
    restore_order(chain, mechanism->followers, answer.lost);
    std::vector<Joint> joints = mechanism->joints;
    append(joints, mechanism->followers);
    return {text, normalize(*mechanism), std::move(joints)};
  }
  SerialChain written = std::move(read.chain->chain);
  written.gravity = gravity.value_or(written.gravity);
  std::vector<Joint> joints = joints_of(written);
  return {text, std::move(written), std::move(joints)};
}

Written write_urdf(const Input& input, ConvertAnswer& answer) {
  const SerialChain chain = plain_chain(input, answer.lost);
  for (const ChainJoint& joint : chain.joints) {
    if (!joint.joint.pitch) continue;
    throw Error(fmt::format("URDF cannot have the helical joint {}", joint.joint.name));
  }
  if (chain.gravity != SerialChain{}.gravity) {
    answer.lost.push_back(
        "gravity, which a URDF cannot hold; set it in the program that reads the file");
  }
  answer.what = counted(chain.joints.size(), "joint");
  return read_back(chain_text(RobotFileKind::urdf, chain, origin(answer)), chain, chain.base_link,
                   chain.gravity, answer);
}

Written write_mjcf(const Input& input, ConvertAnswer& answer) {
  const SerialChain chain = plain_chain(input, answer.lost);
  std::vector<Loss> losses{
      {"limits of velocity", role::limit},
      {"gear ratios; armature is the rotor's inertia at the joint", role::motor}};
  const Joint usual{};
  for (Joint joint : joints_of(chain)) {
    fields(Reduction{role::mjcf, joint.name, losses}, joint, usual);
  }
  report(losses, answer.lost);
  answer.what = counted(chain.joints.size(), "joint") + " in MJCF";
  return read_back(chain_text(RobotFileKind::mjcf, chain, origin(answer)), chain, "", {}, answer);
}

/// Throws NumericsError unless fields of the output, but those that `prove` compares, are those of
/// the input.
void require_same_joints(const std::vector<Joint>& input, const std::vector<Joint>& output) {
  const auto is_same = [](const Joint& a, const Joint& b) { return are_same(a, b); };
  if (!std::ranges::equal(input, output, is_same)) {
    throw NumericsError("names, limits or drives do not read back as they were written");
  }
}

/// The document of an answer. Its warnings about the model are reported at once.
Document document_of(const ConvertAnswer& answer, const Input& input, const ConvertOptions& options,
                     Run& run) {
  RobotFile file{
      input.robot.value_or(answer.table.robot), {}, find_robot(options.robot.robot), input.digest};
  if (input.chain) {
    file.robot.name = input.chain->name;
    file.robot.gravity = input.chain->gravity;
  }
  Document document = answer_frame(file, options);
  document.data("options").erase("without");
  if (input.chain) {
    const Snap snap = options.robot.reading.snap.value_or(Snap{});
    document.data("options")["snap"] = Json::list(snap.angle, snap.length);
  }
  document.model_warnings =
      each(answer.warnings, [&](const Finding& warning) { return to_text(warning, file.path); });
  run.report(*document.model_warnings);
  const Sections sections = convert_sections(answer);
  document.add(sections);
  // A proof that fails is no summary that --quiet leaves out.
  if (options.output.quiet && !answer.proof.agrees()) run.report({text_of(Document{sections})});
  return document;
}

}  // namespace

Answer convert(const ConvertOptions& options, Run& run) {
  const RobotFileKind kind = kind_of(options);
  const bool is_table = kind == RobotFileKind::yaml;
  refuse_if(!is_table && (options.convention || options.robot.reading.snap),
            "--convention and --snap need a Denavit-Hartenberg table; {} has none",
            options.output.output);
  const std::string path = find_robot(options.robot.robot);
  ConvertAnswer answer;
  answer.input = options.robot.robot;
  answer.output = options.output.output == "-" ? "standard output" : options.output.output;

  Input input = read_input(options, path, answer);
  if (!is_table && input.robot) leave_out_springs(kind, *input.robot, answer.lost);
  const bool is_serial = !input.robot || !is_mechanism(*input.robot);
  if (input.has_parameters)
    answer.lost.push_back("its parameters: their values are written instead");
  const Written written = is_table                      ? write_table(input, options, path, answer)
                          : kind == RobotFileKind::urdf ? write_urdf(input, answer)
                                                        : write_mjcf(input, answer);
  std::vector<std::string> unused;
  const bool is_plain = is_serial || !is_table;
  const SerialChain plain = is_plain ? plain_chain(input, unused) : SerialChain{};
  std::vector<Joint> joints = !is_table     ? joints_of(plain)
                              : input.robot ? input.robot->joints
                                            : joints_of(*input.chain);
  if (kind != RobotFileKind::mjcf) require_same_joints(joints, written.joints);
  std::erase_if(joints, [](const Joint& joint) { return joint.follows.has_value(); });
  const Description read =
      input.chain ? Description(*input.chain) : Description(normalize(*input.robot));
  answer.proof = prove(read, written.arm, joints,
                       is_serial ? size_of(plain) : size_of(*input.robot), answer.table.snapped);
  const bool agrees = answer.proof.agrees();
  std::optional<std::string> text;
  if (agrees)
    text = is_fmu(options)
               ? fmu_of(written.text, options.output.output, options.fmu, "armdyn " ARMDYN_VERSION)
               : written.text;
  return {
      document_of(answer, input, options, run), {{"-o", text}}, agrees ? Ending::done : Ending::no};
}

}  // namespace armdyn
