#include <fmt/format.h>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <numbers>
#include <set>
#include <span>
#include <sstream>

#include "io/robot/urdf.hpp"
#include "math/bound.hpp"
#include "math/each.hpp"
#include "model/check.hpp"
#include "model/proximal_form.hpp"
#include "model/shown_text.hpp"
#include "text/nearest_name.hpp"
#include "text/number_text.hpp"

namespace armdyn {

bool is_urdf(const std::string& file, std::string_view bytes) {
  if (file.ends_with(".urdf") || file.ends_with(".xacro")) return true;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != bytes.npos && bytes[first] == '<';
}

namespace {

/// Deviation of a snapped position: "3.6 µrad".
std::string amount_text(const Snapped& one) {
  return one.angle > 0.0 ? micro(one.angle, "rad") : micro(one.length, "m");
}

/// Bound of the TCP's motion: "the TCP moves by at most 12 µm and 20 µrad".
std::string tcp_text(const ChainTable& table) {
  return fmt::format("the TCP moves by at most {} and {}",
                     micro(outward(table.tcp_displacement, Bound::upper, 4), "m"),
                     micro(outward(table.tcp_rotation, Bound::upper, 4), "rad"));
}

}  // namespace

std::vector<std::string> snapped_lines(const ChainTable& table) {
  std::vector<std::string> lines{"snapped: " + tcp_text(table)};
  for (const Snapped& one : table.snapped) {
    lines.push_back("  " + in_one_line(one.what) + ": " + amount_text(one) + " off");
  }
  return lines;
}

void locate_in(const UrdfChain& chain, const Urdf& tree, Finding& finding) {
  const std::string_view path = finding.path;
  if (!path.starts_with("joints[")) return;
  const auto index = parse_number(path.substr(7, path.find(']') - 7));
  if (!index || *index >= static_cast<double>(chain.joints.size())) return;
  const UrdfJoint& joint = *chain.joints[static_cast<std::size_t>(*index)];
  const std::string_view value = path.substr(path.find(']') + 1);
  const bool is_body =
      value.starts_with(".mass") || value.starts_with(".com") || value.starts_with(".inertia");
  const bool is_limit = value.starts_with(".limits") && joint.limit_line > 0;
  finding.line = is_limit ? joint.limit_line : joint.line;
  if (is_body) {
    const auto link = std::ranges::find(tree.links, joint.child, &UrdfLink::name);
    finding.line = link->inertial_line > 0 ? link->inertial_line : link->line;
  }
  finding.path = is_body ? "link " + joint.child : "joint " + joint.name;
}

namespace {

constexpr std::array<std::string_view, 6> kinds{"revolute", "continuous", "prismatic",
                                                "fixed",    "floating",   "planar"};

std::vector<std::string> words(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

/// An element of a link or joint, with its name in messages: "joint elbow, axis".
class Place {
 public:
  Place(const XmlElement& element, std::string path, Report& report)
      : element_(element), path_(std::move(path)), report_(report) {}

  [[nodiscard]] int line() const { return element_.line; }

  void error(const std::string& message) const { report_.error({path_, line()}, "{}", message); }
  void warning(const std::string& message) const {
    report_.warning({path_, line()}, "{}", message);
  }

  [[nodiscard]] std::optional<Place> child(std::string_view name) const {
    const XmlElement* found = element_.child(name);
    if (found == nullptr) return std::nullopt;
    return Place(*found, path_ + ", " + std::string(name), report_);
  }

  /// A text; reports an error without one.
  [[nodiscard]] std::string required_text(const std::string& name) const {
    const std::string* text = element_.attribute(name);
    if (text == nullptr || text->empty()) {
      error(fmt::format("{} is missing; expected {}=\"...\"", name, name));
      return "";
    }
    return *text;
  }

  [[nodiscard]] std::optional<double> number(const std::string& name) const {
    const std::string* text = element_.attribute(name);
    if (text == nullptr) return std::nullopt;
    return number_in(name, *text);
  }
  [[nodiscard]] double required_number(const std::string& name) const {
    if (element_.attribute(name) == nullptr) error(name + " is missing; expected a number");
    return number(name).value_or(0.0);
  }
  void read(const std::string& name, Vec3& target) const {
    const std::string* text = element_.attribute(name);
    if (text == nullptr) return;
    const auto numbers = each(words(*text), parse_number);
    if (numbers.size() != 3 || !numbers[0] || !numbers[1] || !numbers[2]) {
      error(fmt::format("{}: found {}; expected three finite numbers", name, shown_text(*text)));
      return;
    }
    target = {*numbers[0], *numbers[1], *numbers[2]};
  }

  [[nodiscard]] std::optional<double> number_in(const std::string& name,
                                                const std::string& text) const {
    const auto parts = words(text);
    const auto number = parts.size() == 1 ? parse_number(parts[0]) : std::nullopt;
    if (!number) {
      error(fmt::format("{}{}found {}; expected a finite number", name, name.empty() ? "" : ": ",
                        shown_text(text)));
    }
    return number;
  }

 private:
  const XmlElement& element_;
  std::string path_;
  Report& report_;
};

Placement read_origin(const Place& place) {
  Placement origin;
  if (const auto at = place.child("origin")) {
    at->read("xyz", origin.xyz);
    at->read("rpy", origin.rpy);
  }
  return origin;
}

double not_negative(const Place& place, const std::string& name) {
  const double value = place.number(name).value_or(0.0);
  if (value >= 0.0) return value;
  place.error(fmt::format("{}: found {}; expected 0 or more", name, value));
  return 0.0;
}

UrdfLink read_link(const Place& place) {
  UrdfLink link{place.required_text("name"), place.line()};
  const auto inertial = place.child("inertial");
  if (!inertial) return link;
  link.inertial_line = inertial->line();
  link.inertial = read_origin(*inertial);
  MassProperties body;
  if (const auto mass = inertial->child("mass")) {
    body.mass = mass->required_number("value");
    if (body.mass < 0.0) {
      mass->error(fmt::format("value: found {}; expected 0 or more, in kg", body.mass));
    }
  } else {
    inertial->error("<mass value=\"...\"/> is missing");
  }
  if (const auto inertia = inertial->child("inertia")) {
    SymMat3& I = body.inertia;
    I.xx = inertia->required_number("ixx");
    I.yy = inertia->required_number("iyy");
    I.zz = inertia->required_number("izz");
    I.xy = inertia->number("ixy").value_or(0.0);
    I.yz = inertia->number("iyz").value_or(0.0);
    I.xz = inertia->number("ixz").value_or(0.0);
  } else {
    inertial->warning("<inertia> is missing; the link is taken as a point mass");
  }
  link.written = body.inertia;
  link.body = moved(placed(link.inertial), body);
  return link;
}

Vec3 read_axis(const Place& place) {
  Vec3 axis{1.0, 0.0, 0.0};
  const auto at = place.child("axis");
  if (!at) return axis;
  at->read("xyz", axis);
  const double length = std::hypot(axis.x, axis.y, axis.z);
  if (length == 0.0) {
    at->error("xyz: found a vector of length 0; expected a direction, such as \"0 0 1\"");
    return {1.0, 0.0, 0.0};
  }
  if (std::abs(length - 1.0) > 1e-9) {
    at->warning(fmt::format("xyz: the axis has length {:.10g}; it is scaled to 1", length));
  }
  return length == 1.0 ? axis : (1.0 / length) * axis;
}

/// Reads a limit of effort or velocity; 0, which exporters write for none, is none.
std::optional<double> read_magnitude(const Place& limit, const std::string& name) {
  const double value = not_negative(limit, name);
  return value > 0.0 ? std::optional(value) : std::nullopt;
}

void read_limits(const Place& place, UrdfJoint& joint) {
  const auto limit = place.child("limit");
  if (!limit) {
    if (joint.kind == UrdfJoint::Kind::revolute || joint.kind == UrdfJoint::Kind::prismatic) {
      place.warning("<limit> is missing; the joint has no limits");
    }
    return;
  }
  joint.limit_line = limit->line();
  joint.limits.velocity = read_magnitude(*limit, "velocity");
  joint.limits.torque = read_magnitude(*limit, "effort");
  if (joint.kind == UrdfJoint::Kind::continuous) return;
  const double lower = limit->number("lower").value_or(0.0);
  const double upper = limit->number("upper").value_or(0.0);
  if (lower < upper) {
    joint.limits.position = Range{lower, upper};
  } else if (lower == upper) {
    limit->warning(
        fmt::format("lower and upper are both {}; taken as no limit of position", lower));
  } else {
    limit->error(fmt::format("found lower {} above upper {}", lower, upper));
  }
}

/// Reads a joint, but for its motor.
UrdfJoint read_joint(const Place& place) {
  UrdfJoint joint{place.required_text("name"), place.line()};
  const std::string kind = place.required_text("type");
  const auto known = std::ranges::find(kinds, kind);
  if (known != kinds.end()) {
    joint.kind = static_cast<UrdfJoint::Kind>(known - kinds.begin());
  } else if (!kind.empty()) {
    place.error(fmt::format("type: found {}; expected revolute, continuous, prismatic or fixed{}",
                            shown_text(kind), did_you_mean(kind, kinds)));
  }
  for (const bool is_parent : {true, false}) {
    const std::string end = is_parent ? "parent" : "child";
    if (const auto link = place.child(end)) {
      (is_parent ? joint.parent : joint.child) = link->required_text("link");
    } else {
      place.error(fmt::format("<{} link=\"...\"/> is missing", end));
    }
  }
  joint.origin = read_origin(place);
  if (!joint.moves()) return joint;
  joint.axis = read_axis(place);
  read_limits(place, joint);
  if (const auto dynamics = place.child("dynamics")) {
    joint.friction.viscous = not_negative(*dynamics, "damping");
    const double dry = not_negative(*dynamics, "friction");
    joint.friction.coulomb = {dry, dry};
  }
  if (const auto mimic = place.child("mimic")) {
    joint.mimics = mimic->required_text("joint");
    joint.factor = mimic->number("multiplier").value_or(1.0);
    joint.offset = mimic->number("offset").value_or(0.0);
  }
  return joint;
}

/// Warns of unknown elements about dynamics, of each name once.
class NotTaken {
 public:
  explicit NotTaken(Report& report) : report_(report) {}

  void look_at_joint(const XmlElement& joint) {
    constexpr std::array<std::string_view, 9> known{"origin", "parent",      "child",
                                                    "axis",   "limit",       "dynamics",
                                                    "mimic",  "calibration", "safety_controller"};
    others(joint, known);
  }
  void look_at_link(const XmlElement& link) {
    constexpr std::array<std::string_view, 3> known{"origin", "mass", "inertia"};
    if (const XmlElement* inertial = link.child("inertial")) others(*inertial, known);
  }
  void look_at_top(const XmlElement& element) {
    if (element.name.starts_with("drake:")) add(element.name, element.line);
    if (element.name != "gazebo") return;
    constexpr std::array<std::string_view, 5> dynamic{
        "springStiffness", "springReference", "dampingFactor", "implicitSpringDamper", "joint"};
    for (const XmlElement& part : element.children) {
      if (std::ranges::find(dynamic, part.name) != dynamic.end()) {
        add("gazebo " + part.name, part.line);
      }
    }
  }
  void add(const std::string& name, int line) {
    if (!named_.insert(name).second) return;
    report_.warning({name, line},
                    "unknown, and ignored; if it matters for dynamics, torques lack it");
  }

 private:
  void others(const XmlElement& element, std::span<const std::string_view> known) {
    for (const XmlElement& part : element.children) {
      if (std::ranges::find(known, part.name) == known.end()) {
        add(element.name + " " + part.name, part.line);
      }
      const auto taken = std::ranges::find(attributes, part.name, &ElementAttributes::first);
      if (taken == attributes.end()) continue;
      for (const auto& [name, value] : part.attributes) {
        if (taken->second.find(" " + name + " ") == std::string_view::npos) {
          add(part.name + " " + name, part.line);
        }
      }
    }
  }

  /// Attributes of an element that are read, or do not matter for dynamics, between blanks.
  using ElementAttributes = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<ElementAttributes, 7> attributes{
      {{"origin", " xyz rpy "},
       {"axis", " xyz rpy "},  // rpy of old exporters
       {"limit",
        " lower upper effort velocity acceleration deceleration jerk drake:acceleration "
        "drake:jerk "},
       {"dynamics", " damping friction "},
       {"mimic", " joint multiplier offset "},
       {"mass", " value "},
       {"inertia", " ixx ixy ixz iyy iyz izz "}}};

  Report& report_;
  std::set<std::string> named_;
};

/// Takes gear and rotor from the parts of a transmission, its joint or its actuators.
void read_motor(const XmlElement& element, Motor& motor, NotTaken& not_taken, Report& report) {
  for (const XmlElement& part : element.children) {
    const Place at(part, "transmission, " + part.name, report);
    if (part.name == "mechanicalReduction" || part.name == "drake:gear_ratio") {
      if (part.name == "mechanicalReduction" && element.child("drake:gear_ratio")) continue;
      const std::string* const value = part.attribute("value");
      const std::string& text = value ? *value : part.text;
      if (text.empty()) continue;
      const double ratio = at.number_in("", text).value_or(1.0);
      if (ratio == 0.0) at.error("expected a ratio other than 0, rotor speed over joint speed");
      if (ratio != 0.0) motor.gear_ratio = ratio;
    } else if (part.name == "drake:rotor_inertia") {
      motor.rotor_inertia = not_negative(at, "value");
    } else if (part.name.starts_with("drake:") || part.name == "motorTorqueConstant") {
      not_taken.add("transmission " + part.name, part.line);
    }
  }
}

void read_transmission(const XmlElement& element, Urdf& urdf, NotTaken& not_taken, Report& report) {
  const auto count = std::ranges::count(element.children, "joint", &XmlElement::name);
  if (count > 1) not_taken.add("transmission of several joints", element.line);
  if (count != 1) return;
  const Place joint(*element.child("joint"), "transmission, joint", report);
  const std::string driven = joint.required_text("name");
  const auto found = std::ranges::find(urdf.joints, driven, &UrdfJoint::name);
  if (driven.empty()) return;
  if (found == urdf.joints.end()) {
    joint.warning(fmt::format("there is no joint {}", shown_text(driven)));
    return;
  }
  read_motor(element, found->motor, not_taken, report);
  for (const char* const part : {"joint", "actuator"}) {
    for (const XmlElement& child : element.children) {
      if (child.name == part) read_motor(child, found->motor, not_taken, report);
    }
  }
}

void note_motors(Urdf& urdf) {
  std::vector<std::string> gears, rotors;
  for (const UrdfJoint& joint : urdf.joints) {
    if (std::abs(joint.motor.gear_ratio) != 1.0) gears.push_back(joint.name);
    if (joint.motor.rotor_inertia > 0.0) rotors.push_back(joint.name);
  }
  if (!gears.empty()) {
    urdf.notes.push_back(
        fmt::format("gear ratios from transmissions of {}{}", fmt::join(gears, ", "),
                    rotors.empty() ? "; without rotor inertias they change no torque" : ""));
  }
  if (!rotors.empty()) {
    urdf.notes.push_back(
        fmt::format("rotor inertias from drake:rotor_inertia of {}", fmt::join(rotors, ", ")));
  }
}

/// What xacro would do in a file.
struct Xacro {
  int line = 0;  ///< of its first use; 0: none
  std::map<std::string, int>
      left_over;  ///< what defines something that nothing uses, with its line

  void look_at(const XmlElement& element) {
    constexpr std::array<std::string_view, 3> definitions{"xacro:property", "xacro:arg",
                                                          "xacro:macro"};
    const auto is_expression = [](const std::string& text) {
      return text.find("${") != text.npos || text.find("$(") != text.npos;
    };
    const bool defines = std::ranges::find(definitions, element.name) != definitions.end();
    const bool has_expression =
        is_expression(element.text) || std::ranges::any_of(element.attributes, [&](const auto& of) {
          return is_expression(of.second);
        });
    if (defines || (element.name == "xacro:include" && !has_expression)) {
      left_over.emplace(element.name, element.line);
    } else if (has_expression || element.name.starts_with("xacro:")) {
      if (line == 0) line = element.line;
    } else {
      for (const XmlElement& child : element.children) look_at(child);
    }
  }
};

/// Reports an XML file that is no URDF.
void require_urdf(const XmlElement& root, const std::string& file, Report& report) {
  if (root.name != "robot") {
    const char* const hint = root.name == "sdf" ? "; this is SDF" : "";
    report.error({"", root.line},
                 "found <{}>; expected <robot>, as in URDF, or <mujoco>, as in MJCF{}", root.name,
                 hint);
    return;
  }
  Xacro xacro;
  xacro.look_at(root);
  if (xacro.line > 0) {
    report.error({"", xacro.line},
                 "this is xacro, which has to be expanded first: xacro {} > expanded.urdf (with "
                 "ROS's xacro, or that of pip install xacro)",
                 std::filesystem::path(file).filename().string());
    return;
  }
  for (const auto& [name, line] : xacro.left_over) {
    report.warning({name, line}, "{}",
                   name == "xacro:include" ? "not read; what that file adds to the arm is missing"
                                           : "nothing in this file uses it; ignored");
  }
}

/// Adds the link world where joints hang on it and the file has none.
void add_world(Urdf& urdf, Report& report) {
  const auto joint = std::ranges::find(urdf.joints, "world", &UrdfJoint::parent);
  if (joint == urdf.joints.end()) return;
  if (std::ranges::find(urdf.links, "world", &UrdfLink::name) != urdf.links.end()) return;
  report.warning(joint->at(), "parent: there is no link world; it is taken as one without mass");
  urdf.links.push_back({"world", joint->line});
}

template <class Named>
void names_are_unique(const std::vector<Named>& all, const std::string& kind, Report& report) {
  std::map<std::string, int> first;
  for (const Named& one : all) {
    const auto [before, is_new] = first.emplace(one.name, one.line);
    if (is_new || one.name.empty()) continue;
    report.error({kind + " " + one.name, one.line}, "the name is used twice; first in line {}",
                 before->second);
  }
}

std::optional<Urdf> read_urdf(const XmlElement& root, const std::string& file, Report& report) {
  require_urdf(root, file, report);
  if (report.has_error()) return std::nullopt;
  Urdf urdf;
  const std::string* name = root.attribute("name");
  urdf.name = name == nullptr || name->empty() ? "robot" : *name;
  NotTaken not_taken(report);
  for (const XmlElement& element : root.children) {
    const std::string* own = element.attribute("name");
    const Place place(element, element.name + (own ? " " + *own : ""), report);
    if (element.name == "link") {
      urdf.links.push_back(read_link(place));
      not_taken.look_at_link(element);
    } else if (element.name == "joint") {
      urdf.joints.push_back(read_joint(place));
      not_taken.look_at_joint(element);
    } else {
      not_taken.look_at_top(element);
    }
  }
  add_world(urdf, report);
  Report
      of_drives;  // which other readers of URDF do not look at, so that no mistake stops this one
  for (const XmlElement& element : root.children) {
    if (element.name == "transmission") read_transmission(element, urdf, not_taken, of_drives);
  }
  for (const Finding& finding : of_drives.findings) {
    report.warning({finding.path, finding.line}, "{}; not taken", finding.message);
  }
  note_motors(urdf);
  names_are_unique(urdf.links, "link", report);
  names_are_unique(urdf.joints, "joint", report);
  if (urdf.links.empty()) {
    report.error({"", root.line}, "found no <link>; expected the links of a robot");
  }
  return urdf;
}

constexpr double longest_link = 50.0;                     // m, of a link
constexpr double widest_limit = 4.04 * std::numbers::pi;  // rad: two turns, however rounded
constexpr double outside = 0.25;                          // of a link's length, behind its joint

std::pair<std::optional<Slip>, const char*> likely_slip(const SymMat3& I) {
  // Numbers in the order xx, yy, zz, xy and then xz, yz or yz, xz in the attributes ixx, ixy, ixz,
  // iyy, iyz, izz.
  if (satisfies_triangle_inequality({I.xx, I.xy, I.xz, I.yy, I.zz, I.yz}) ||
      satisfies_triangle_inequality({I.xx, I.xy, I.xz, I.yy, I.yz, I.zz})) {
    return {Slip::row_major,
            "; in the order xx, yy, zz, xy, xz, yz they are consistent: URDF's order is "
            "ixx, ixy, ixz, iyy, iyz, izz"};
  }
  if (satisfies_triangle_inequality({I.xx, I.yy, I.zz, -I.xy, -I.yz, -I.xz})) {
    return {Slip::products,
            "; with the other sign of ixy, iyz and ixz it is consistent: URDF has those of the "
            "tensor, -∫xy dm"};
  }
  return {std::nullopt, ""};
}

/// Tests whether a tensor is a placeholder of generators and tutorials: 1 or 0.001 on the diagonal.
bool is_placeholder(const SymMat3& I) {
  constexpr std::array values{1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-6};
  return I == SymMat3{I.xx, I.xx, I.xx, 0.0, 0.0, 0.0} &&
         std::ranges::find(values, I.xx) != values.end();
}

/// Name of the mirrored link, "left_arm" for "right_arm"; empty without one.
std::string other_side(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> sides{
      {{"left", "right"}, {"Left", "Right"}, {"l_", "r_"}, {"L_", "R_"}}};
  for (const auto& [left, right] : sides) {
    const bool anywhere = left.size() > 2;
    const std::size_t at = name.find(left);
    if (at == 0 || (anywhere && at != name.npos)) {
      return std::string(name).replace(at, left.size(), right);
    }
  }
  for (const auto& [left, right] : {std::pair{"_l", "_r"}, std::pair{"_L", "_R"}}) {
    if (name.ends_with(left)) return name.substr(0, name.size() - 2) + right;
  }
  return "";
}

class Faults {
 public:
  /// Bodies are judged of the link that the first joint moves, and of what hangs on it.
  Faults(const Urdf& urdf, const UrdfJoint& first, Report& report) : urdf_(urdf), report_(report) {
    std::multimap<std::string, std::string> below;
    for (const UrdfLink& link : urdf.links) links_.emplace(link.name, &link);
    for (const UrdfJoint& joint : urdf.joints) {
      above_.emplace(joint.child, &joint);
      below.emplace(joint.parent, joint.child);
      ends_[joint.parent].push_back(joint.origin.xyz);
      size_ += length(joint.origin.xyz);
    }
    std::vector<std::string> open{first.child};
    while (!open.empty()) {
      const auto link = moved_.insert(std::move(open.back())).first;
      open.pop_back();
      const auto [begin, end] = below.equal_range(*link);
      for (auto joint = begin; joint != end; ++joint) open.push_back(joint->second);
    }
  }

  void find(const UrdfChain& chain) {
    for (const UrdfJoint& joint : urdf_.joints) judge(joint);
    judge_chain(chain);
    std::vector<const UrdfLink*> weightless;
    for (const UrdfLink& link : urdf_.links) {
      if (link.inertial_line == 0 || !moved_.contains(link.name)) continue;
      if (link.body.mass == 0.0) weightless.push_back(&link);
      const Report::At at{"link " + link.name + ", inertial", link.inertial_line};
      judge_inertia(link, at);
      judge_com(link, at);
    }
    if (!weightless.empty()) warn_of_weightless(weightless);
  }

 private:
  /// Warns of an arm that is long as a whole, and of links that weigh nothing beside others.
  void judge_chain(const UrdfChain& found) {
    double arm = length(found.chain.tip.p);
    for (const ChainJoint& joint : found.chain.joints) arm += length(joint.origin.p);
    if (!is_long_ && arm >= longest_link) {
      report_.slip(
          Slip::unit, found.joints.front()->at(),
          "from here to {} the chain is {:.4g} m long, longer than any arm; lengths are in "
          "m",
          found.chain.tip_link, arm);
    }
    const auto bodies =
        each(found.chain.joints, [](const ChainJoint& joint) { return joint.joint.body; });
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!(bodies[i].mass > 0.0)) continue;
      const std::optional<std::size_t> other = heavy_beside(bodies, i, arm);
      if (!other) continue;
      const UrdfLink& link = *links_.at(found.chain.joints[i].link);
      report_.slip(Slip::unit, {"link " + link.name, std::max(link.line, link.inertial_line)},
                   light_beside, bodies[i].mass, found.chain.joints[*other].link,
                   bodies[*other].mass);
    }
  }

  void judge(const UrdfJoint& joint) {
    if (length(joint.origin.xyz) >= longest_link) {
      is_long_ = true;
      report_.slip(Slip::unit, joint.at(),
                   "its origin is {:.4g} m away, which looks like millimeters; lengths are in m",
                   length(joint.origin.xyz));
    }
    for (const double angle : coordinates(joint.origin.rpy)) {
      if (!looks_like_degrees(angle)) continue;
      report_.slip(Slip::angle_unit, joint.at(),
                   "its origin has the angle {}, which looks like degrees; URDF has radians",
                   angle);
      break;
    }
    if (joint.kind != UrdfJoint::Kind::revolute || !joint.limits.position) return;
    const auto& [lower, upper] = *joint.limits.position;
    const double widest = std::max(std::abs(lower), std::abs(upper));
    if (widest <= widest_limit || widest > 1000.0) return;  // numbers far larger mean none
    report_.slip(Slip::angle_unit, {"joint " + joint.name + ", limit", joint.limit_line},
                 "found {} to {}, which looks like degrees; URDF has radians", lower, upper);
  }

  void judge_inertia(const UrdfLink& link, const Report::At& at) {
    const SymMat3& I = link.written;
    if (!satisfies_triangle_inequality(I)) {
      const auto [small, middle, large] = principal_moments(I);
      const auto [slip, words] = likely_slip(I);
      report_.slip(slip, at,
                   "inertia is not physically consistent: principal moments {:.4g}, {:.4g}, {:.4g} "
                   "kg·m²; none may be below 0 or above the sum of the others{}",
                   small, middle, large, words);
    } else if (is_placeholder(I)) {
      report_.warning(
          at, "ixx = iyy = izz = {} looks like a placeholder, not like this link's inertia", I.xx);
    }
    if (link.body.mass == 0.0) return;
    const double radius = std::sqrt(std::max(0.0, principal_moments(I).z) / link.body.mass);
    if (size_ > 0.0 && radius > size_ && !is_placeholder(I)) {
      report_.slip(Slip::unit, at,
                   "radius of gyration {:.3g} m, more than the distances of all joints together "
                   "({:.3g} m); are the units kg and kg·m²?",
                   radius, size_);
    }
  }

  void warn_of_weightless(const std::vector<const UrdfLink*>& links) {
    const UrdfLink& first = *links.front();
    if (links.size() == 1) {
      report_.warning({"link " + first.name + ", inertial", first.inertial_line},
                      "mass 0; the link weighs nothing");
    } else {
      report_.warning({"", first.inertial_line}, "mass 0 of {} links, which weigh nothing: {}",
                      links.size(), listed(each(links, &UrdfLink::name), 12));
    }
  }

  void judge_com(const UrdfLink& link, const Report::At& at) {
    const Vec3& com = link.body.com;
    if (length(com) >= longest_link) {
      report_.slip(Slip::unit, at,
                   "the center of mass is {:.4g} m away, which looks like millimeters; lengths "
                   "are in m",
                   length(com));
      return;
    }
    const auto ends = ends_.find(link.name);
    if (ends != ends_.end() && ends->second.size() == 1 && above_.contains(link.name)) {
      const Vec3& end = ends->second.front();
      if (length(end) >= 0.1 * size_ && dot(com, end) < -outside * dot(end, end)) {
        report_.warning(at,
                        "the center of mass [{:.4g}, {:.4g}, {:.4g}] is on the other side of the "
                        "joint than the link, whose end is at [{:.4g}, {:.4g}, {:.4g}]; is a sign "
                        "wrong?",
                        com.x, com.y, com.z, end.x, end.y, end.z);
        return;
      }
    }
    judge_mirrored(link, at);
  }

  /// Warns of a center of mass that is not mirrored in y, as its joint is.
  void judge_mirrored(const UrdfLink& link, const Report::At& at) {
    const auto other = links_.find(other_side(link.name));
    if (other == links_.end() || other->second->inertial_line == 0) return;
    const auto own = above_.find(link.name), others = above_.find(other->first);
    if (own == above_.end() || others == above_.end()) return;
    const double here = own->second->origin.xyz.y, there = others->second->origin.xyz.y;
    const bool mirrored = std::abs(here) > 1e-3 && std::abs(here + there) < 1e-6;
    if (!mirrored || std::abs(link.body.com.y) < 1e-3) return;
    if (std::abs(link.body.com.y - other->second->body.com.y) > 1e-9) return;
    report_.warning(
        at,
        "the center of mass has y = {:.4g}, as that of {} in line {}, whose joint is on "
        "the other side; is it mirrored?",
        link.body.com.y, other->first, other->second->inertial_line);
  }

  const Urdf& urdf_;
  Report& report_;
  std::map<std::string, const UrdfLink*> links_;
  std::map<std::string, const UrdfJoint*> above_;
  std::set<std::string> moved_;                    // links, by the chain
  std::map<std::string, std::vector<Vec3>> ends_;  // origins of the joints on a link
  double size_ = 0.0;
  bool is_long_ = false;  // a joint's origin
};

}  // namespace

UrdfReport examine_urdf(std::string_view bytes, const RobotFileOptions& reading,
                        const std::string& file) {
  XmlTree xml = parse_xml(bytes);
  Report report{std::move(xml.problems)};
  UrdfReport urdf;
  const bool is_mjcf = xml.root && xml.root->name == "mujoco";
  std::optional<Urdf> read;
  if (is_mjcf) {
    read = read_mjcf(*xml.root, file, report, urdf.included);
  } else if (xml.root) {
    read = read_urdf(*xml.root, file, report);
  }
  if (read) {
    const auto tree = std::make_shared<Urdf>(*std::move(read));
    urdf.tree = tree;
    if (!report.has_error()) urdf.chain = choose_chain(*tree, reading, report);
    if (urdf.chain && is_mjcf) {
      judge_mjcf(*urdf.tree, *urdf.chain, report);
    } else if (urdf.chain) {
      Faults(*urdf.tree, *urdf.chain->joints.front(), report).find(*urdf.chain);
    }
  }
  report.count_slips();
  urdf.findings = std::move(report.findings);
  if (has_error(urdf.findings)) {
    urdf.chain.reset();
    std::erase_if(urdf.findings,
                  [](const Finding& finding) { return finding.severity == Severity::warning; });
  }
  if (urdf.chain) {
    urdf.chain->notes.insert(urdf.chain->notes.end(), urdf.tree->notes.begin(),
                             urdf.tree->notes.end());
    std::string& source = urdf.chain->chain.source;
    source = (is_mjcf ? "MJCF " : "URDF ") + std::filesystem::path(file).filename().string();
    if (urdf.chain->mechanism) urdf.chain->mechanism->source = source;
  }
  std::ranges::stable_sort(urdf.findings, {}, &Finding::line);
  return urdf;
}

}  // namespace armdyn
