// armdyn new: a robot file to fill in.

#include <filesystem>

#include "cli/options/named_files.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/options/verb_frame.hpp"
#include "math/characters.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"
#include "text/quoted_word.hpp"

namespace armdyn {

/// Options of `new`, about the robot file that it writes.
struct NewOptions {
  OutputOptions output;
  std::string name = "my-arm";
  std::optional<Convention> convention;  ///< absent: left open in the file
  std::vector<JointType> joints{6, JointType::revolute};
};

namespace {

std::vector<JointType> parse_revolute_count(const std::string& option, const std::string& text) {
  const auto count = static_cast<std::size_t>(parse_joint_count(option, text));
  return std::vector<JointType>(count, JointType::revolute);
}

std::vector<JointType> parse_joint_types(const std::string& option, const std::string& text) {
  constexpr auto most = static_cast<std::size_t>(parse_joint_count.most);
  require(!text.empty() && text.size() <= most && text.find_first_not_of("RrPp") == text.npos,
          option, text,
          fmt::format("R (revolute) or P (prismatic) for each joint, at most {}, e.g. RRPR", most));
  return each(text, [](char letter) {
    return letter == 'R' || letter == 'r' ? JointType::revolute : JointType::prismatic;
  });
}

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
  };
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, fits);
}

std::string parse_name(const std::string& option, const std::string& text) {
  refuse_if(robot_file_kind(text).has_value(),
            "{}: found \"{}\", the name of a file; -o {} writes it", option, text, text);
  require(is_name(text), option, text, "a letter, then letters, digits, \".\", \"_\" or \"-\"");
  return text;
}

/// The name of a file, without its ending, if `parse_name` would take it; else `otherwise`.
std::string name_from_path(const std::string& path, const std::string& otherwise) {
  const std::string stem = std::filesystem::path(path).stem();
  return is_name(stem) ? stem : otherwise;
}

void declare(OptionList& list, NewOptions& options) {
  const Choices<Convention> tables{std::span(conventions)};
  list.argument("NAME", options.name, parse_name,
                "name of the robot (default: that of the output file)");
  list.option("--convention", "NAME", options.convention, tables,
              "DH convention: " + tables.text() + " (default: left open in the file)");
  list.option("--joints", "N", options.joints, parse_revolute_count,
              "number of revolute joints (default: 6)");
  list.option("--types", "RRP..", options.joints, parse_joint_types,
              "R (revolute) or P (prismatic) for each joint");
  list.option("-o,--output", "FILE", options.output.output, as_written,
              "output file (default: -, standard output)")
      .for_command_line();
  list.writes("-o", options.output.output, &kept_when_opened);
  list.flag("--force", options.output.force, "overwrite a file that exists");
  list.flag("--json", options.output.json, "answer as JSON").for_command_line();
  declare_quiet(list, options.output);
  list.check([&list, &options] {
    if (!list.is_given("NAME")) options.name = name_from_path(options.output.output, options.name);
    const std::filesystem::path file = options.output.output;
    refuse_if(!robot_file_kind(file) && file.has_extension(),
              "-o: found \"{}\", expected a name that ends in .yaml or .yml, or has no ending",
              in_one_line(options.output.output));
    refuse_other_than_yaml("-o", options.output.output);
    refuse_if(list.is_given("--joints") && list.is_given("--types"),
              "--joints and --types both give the number of joints; give one of them");
  });
}

constexpr const char* standard_words =
    R"(#   standard: T = Rz(theta) Tz(d) Tx(a) Rx(alpha); joint i acts along z of frame {i-1}, and {i}
#             is at the far end of link i. A plain link of length a has com: [-a/2, 0, 0].
)";

constexpr const char* modified_words =
    R"(#   modified: T = Rx(alpha) Tx(a) Rz(theta) Tz(d), where row i has alpha and a of the link
#             before; joint i acts along z of frame {i}, which is at the near end of link i. A
#             plain link has com: [a/2, 0, 0], with the a of the next row.
)";

/// Line that names the schema to editors; empty where the program is not installed, since the place
/// where it was built does not belong in a user's file.
std::string schema_line() {
  const std::string schema = schema_of_robots();
  std::error_code none;
  const auto kind = std::filesystem::symlink_status(schema, none);
  if (!std::filesystem::is_regular_file(kind)) return "";
  return fmt::format("# yaml-language-server: $schema={}\n#\n", schema);
}

std::string head(const NewOptions& options) {
  return schema_line() + fmt::format(R"(# {}: a robot arm for armdyn.
#
# Fill in the blanks; "armdyn check FILE" lists those that are left, and then what looks wrong.
# Units are m, kg, s, N, N·m and kg·m²; angles are in degrees (or pi/2 and the like, in radians).
# Lines that begin with "# " and a key are for what your data sheet may have: remove the "# ".
# docs/robot-file.md has more: parameters, shapes of bodies, friction that rises smoothly or sticks,
# motors that turn with several joints.

armdyn: 1
name: {}
description: ""   # what it is; source and confidence of the numbers
source: ""        # who published them, and where
)",
                                     options.name, yaml_text(options.name));
}

std::string convention(const NewOptions& options) {
  if (!options.convention) {
    return fmt::format(R"(
# Which Denavit-Hartenberg table you have. The same numbers in the other one are another arm.
{}{}convention:       # standard or modified
)",
                       standard_words, modified_words);
  }
  const bool standard = *options.convention == Convention::standard;
  return fmt::format(R"(
# The kind of Denavit-Hartenberg table:
{}convention: {}
)",
                     standard ? standard_words : modified_words, name(*options.convention));
}

constexpr const char* surroundings = R"(
angle_unit: deg   # of alpha, theta, rpy, poses, and limits but torque, where joints turn
gravity: [0, 0, -9.81]   # m/s², in the world frame

# Frame {0} in the world, if it is not the world frame: m; roll, pitch, yaw.
# base: {xyz: [0, 0, 0], rpy: [0, 0, 0]}

# From base to end effector: each joint, with the link that it moves.
joints:
)";

constexpr const char* joint_words = R"(
  # dh       m and degrees; theta, of a prismatic joint d, is that at q = 0
  # mass     kg
  # com      [x, y, z]: center of mass, expressed in the frame {i} of this row, m
  # inertia  tensor about the center of mass, along the axes of {i}, kg·m²; xy = -∫xy dm. Tables
  #          of products of inertia (+∫xy dm) need the other sign. A table about the origin of {i}
  #          needs the line inertia_about. Without this line, the link is a point mass.
  # friction at the joint: viscous N·m·s/rad, coulomb N·m (two numbers: one for each direction)
  # motor    at the rotor: rotor_inertia kg·m², gear_ratio rotor speed over joint speed
  # limits   position degrees, or m; velocity, acceleration, jerk: per s, s², s³; torque N·m or N
)";

std::string joint(std::size_t number, JointType type) {
  const bool turns = is_turning(type);
  return fmt::format(R"(
  - name: j{0}
    type: {1}
    dh: {{a: , alpha: , d: {2}, theta: {3}}}
    mass:
    com:
    inertia: {{xx: , yy: , zz: , xy: 0, yz: 0, xz: 0}}
    # inertia_about: origin
    # friction: {{viscous: , coulomb: }}
    # motor: {{rotor_inertia: , gear_ratio: }}
    # limits: {{position: , velocity: , torque: }}
)",
                     number, name(type), turns ? "" : "0", turns ? "0" : "");
}

std::string tail(const NewOptions& options) {
  std::string zeros = "0";
  for (std::size_t i = 1; i < options.joints.size(); ++i) zeros += ", 0";
  return fmt::format(R"(
# The tool frame, seen from the last frame of the table: m; roll, pitch, yaw.
# tool: {{xyz: [0, 0, 0], rpy: [0, 0, 0]}}

# What the end effector holds: kg, and m in the tool frame; it may have an inertia too.
# payload: {{mass: 1, com: [0, 0, 0.05]}}

# Positions with names, for use instead of lists of numbers.
# poses:
#   home: [{}]
)",
                     zeros);
}

/// A robot file with all keys explained and blanks in place of numbers, which `check` lists.
std::string robot_template(const NewOptions& options) {
  std::string text = head(options) + convention(options) + surroundings + joint_words;
  for (std::size_t i = 0; i < options.joints.size(); ++i) text += joint(i + 1, options.joints[i]);
  return text + tail(options);
}

Answer write_new(const NewOptions& options, Run& run) {
  const std::string& file = options.output.output;
  std::string types;
  for (const JointType type : options.joints) types += letter(type);
  Answer answer{run.document()};
  answer.document.add(Json{{"name", options.name}, {"file", file}, {"types", types}});
  if (file != "-") {
    answer.document.add(fmt::format("{}: {} to fill in; armdyn check {} lists the rest", file,
                                    counted(options.joints.size(), "joint"), shell_word(file)));
  }
  answer.artifacts = {{"-o", robot_template(options), options.output.force}};
  return answer;
}

}  // namespace

Verb new_verb() {
  return verb<NewOptions>("new", "Write a template of a robot file",
                          "  armdyn new my-arm -o my-arm.yaml\n"
                          "  armdyn new scara --convention standard --types RRPR -o scara.yaml\n",
                          declare, write_new);
}

}  // namespace armdyn
