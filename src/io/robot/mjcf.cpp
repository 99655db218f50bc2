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
#include <sstream>

#include "io/file/input_file.hpp"
#include "io/robot/urdf.hpp"
#include "math/ltdl.hpp"
#include "math/rotation.hpp"
#include "model/check.hpp"
#include "model/proximal_form.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

// MJCF, MuJoCo's files, as a tree of links. What an element lacks is in its default class; a
// body of several joints becomes as many links.

namespace armdyn {

namespace {

constexpr std::size_t most_links = 10'000;
constexpr std::size_t largest_classes = std::size_t{16} << 20U;  // bytes, of all default classes

using MjcfAttributes = std::map<std::string, std::string, std::less<>>;
/// Defaults of a class, by the kind of element.
using MjcfDefaults = std::map<std::string, MjcfAttributes, std::less<>>;

/// Rotation by an angle about an axis of any length but 0.
Mat3 turned_about(const Vec3& axis, double angle) {
  return rotation_about((angle / length(axis)) * axis);
}

Vec3 direction_of(const Vec3& v) {
  return (1.0 / length(v)) * v;
}

/// The shortest rotation that brings z into a direction.
Mat3 rotation_of_z(const Vec3& to) {
  const Vec3 z{0.0, 0.0, 1.0}, axis = cross(z, to);
  const double sine = length(axis);
  if (sine < 1e-10 * length(to))
    return to.z < 0.0 ? rotation_about({std::numbers::pi, 0.0, 0.0}) : Mat3{};
  return turned_about(axis, std::atan2(sine, to.z));
}

/// Numbers of an attribute; of those that may have fewer than their default, its others follow.
std::string over_default(std::string_view name, std::string own, const std::string& before) {
  if (name != "size" && name != "polycoef") return own;
  std::istringstream words(own), others(before);
  for (std::string word; others >> word;) {
    if (std::string mine; !(words >> mine)) own += " " + word;
  }
  return own;
}

/// An element with the defaults of its class.
class MjcfElement {
 public:
  MjcfElement(const XmlElement& element, const MjcfAttributes& defaults, Report& report)
      : element_(element), defaults_(defaults), report_(report) {}

  [[nodiscard]] Report::At at() const {
    const std::string* const name = element_.attribute("name");
    return {element_.name + (name ? " " + *name : ""), element_.line};
  }
  void error(const std::string& message) const { report_.error(at(), "{}", message); }
  /// Warns of an angle that is read in rad.
  void doubt_radians(double angle) const {
    if (!looks_like_degrees(angle)) return;
    report_.slip(Slip::angle_unit, at(),
                 "found the angle {}, which looks like degrees; <compiler angle> is radian", angle);
  }

  /// A text, or null.
  [[nodiscard]] const std::string* text(std::string_view name) const {
    if (const std::string* own = element_.attribute(name)) return own;
    const auto found = defaults_.find(name);
    return found == defaults_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::string text(std::string_view name, const char* otherwise) const {
    const std::string* const found = text(name);
    return found ? *found : otherwise;
  }

  /// Numbers, none where there is no such attribute; reports an error where they are too few or many.
  [[nodiscard]] std::vector<double> numbers(std::string_view name, std::size_t least,
                                            std::size_t most) const {
    const std::string* const found = text(name);
    if (found == nullptr) return {};
    const auto before = defaults_.find(name);
    std::istringstream words(
        before == defaults_.end() ? *found : over_default(name, *found, before->second));
    std::vector<double> numbers;
    for (std::string word; words >> word;) {
      const auto number = parse_number(word);
      if (!number || numbers.size() == most) {
        numbers.clear();
        break;
      }
      numbers.push_back(*number);
    }
    if (numbers.size() >= least) return numbers;
    error(
        fmt::format("{}: found {}; expected {} finite numbers", name, shown_text(*found),
                    least == most ? fmt::to_string(least) : fmt::format("{} to {}", least, most)));
    return {};
  }
  [[nodiscard]] std::optional<double> number(std::string_view name) const {
    const std::vector<double> found = numbers(name, 1, 1);
    return found.empty() ? std::nullopt : std::optional(found[0]);
  }
  [[nodiscard]] std::optional<Vec3> vector(std::string_view name) const {
    const std::vector<double> found = numbers(name, 3, 3);
    return found.empty() ? std::nullopt : std::optional(Vec3{found[0], found[1], found[2]});
  }
  /// A vector of a length above 0; reports an error for one without.
  [[nodiscard]] std::optional<Vec3> direction(std::string_view name) const {
    const auto found = vector(name);
    if (!found || length(*found) > 0.0) return found;
    error(fmt::format("{}: found a vector of length 0; expected a direction", name));
    return std::nullopt;
  }
  /// Range of what is limited, where `limited` is true, or by itself where there is one.
  [[nodiscard]] std::optional<Range> range(std::string_view name, std::string_view limited,
                                           bool by_itself) const {
    const std::string says = text(limited, "auto");
    const std::vector<double> found = numbers(name, 2, 2);
    if (found.empty() || says == "false" || (says == "auto" && !by_itself)) return std::nullopt;
    if (found[0] < found[1]) return Range{found[0], found[1]};
    error(fmt::format("{}: found {} to {}; expected the smaller first", name, found[0], found[1]));
    return std::nullopt;
  }

 private:
  const XmlElement& element_;
  const MjcfAttributes& defaults_;
  Report& report_;
};

/// Settings of <compiler> and <option>.
struct MjcfSettings {
  double angle_unit = std::numbers::pi / 180.0;  ///< rad
  std::string sequence = "xyz";                  ///< of Euler angles
  bool limits_by_range = true;                   ///< a range is a limit without `limited`
  std::string from_geoms = "auto";               ///< masses
  std::array<double, 2> groups{0.0, 5.0};        ///< of geoms with mass
  double least_mass = 0.0, least_moment = 0.0;
  bool balance = false;
  double total_mass = 0.0;  ///< kg; 0: as it is
  Vec3 gravity{0.0, 0.0, -9.81};
  std::set<std::string, std::less<>> disabled;  ///< flags

  [[nodiscard]] bool has_all(std::initializer_list<std::string_view> flags) const {
    return std::ranges::none_of(flags, [this](auto flag) { return disabled.contains(flag); });
  }
};

constexpr std::array orientations{"quat", "axisangle", "euler", "xyaxes", "zaxis"};

/// Placement of a frame as an element has it.
Transform placed_in(const MjcfElement& element, const MjcfSettings& settings) {
  Transform T{{}, element.vector("pos").value_or(Vec3{})};
  if (const auto q = element.numbers("quat", 4, 4); !q.empty()) {
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const Vec3 axis{q[1], q[2], q[3]};
    if (size == 0.0) element.error("quat: found four zeros; expected a rotation, such as 1 0 0 0");
    if (length(axis) > 0.0) T.R = turned_about(axis, 2.0 * std::atan2(length(axis), q[0]));
  }
  if (const auto a = element.numbers("axisangle", 4, 4); !a.empty()) {
    const Vec3 axis{a[0], a[1], a[2]};
    if (length(axis) == 0.0)
      element.error("axisangle: found an axis of length 0");
    else
      T.R = turned_about(axis, a[3] * settings.angle_unit);
  }
  if (const auto angles = element.vector("euler")) {
    T.R = {};
    const std::array<double, 3> turns = coordinates(settings.angle_unit * *angles);
    const double most =
        std::ranges::max(coordinates(*angles), {}, [](double x) { return std::abs(x); });
    if (settings.angle_unit == 1.0) element.doubt_radians(most);
    for (std::size_t i = 0; i < 3; ++i) {
      const char letter = settings.sequence[i];
      const bool moves = letter >= 'x';  // about the axes as they have turned already
      const int axis = letter - (moves ? 'x' : 'X');
      const Mat3 turn = rotation_about(
          {axis == 0 ? turns[i] : 0.0, axis == 1 ? turns[i] : 0.0, axis == 2 ? turns[i] : 0.0});
      T.R = moves ? T.R * turn : turn * T.R;
    }
  }
  if (const auto axes = element.numbers("xyaxes", 6, 6); !axes.empty()) {
    const Vec3 x{axes[0], axes[1], axes[2]}, y{axes[3], axes[4], axes[5]};
    if (length(cross(x, y)) == 0.0) {
      element.error("xyaxes: found parallel axes; expected two of a plane");
    } else {
      const Vec3 ex = direction_of(x), ez = direction_of(cross(x, y));
      T.R = transposed(Mat3{ex, cross(ez, ex), ez});
    }
  }
  if (const auto z = element.direction("zaxis")) T.R = rotation_of_z(*z);
  return T;
}

/// Tests whether a geom is of the groups that make inertias.
bool counts(const MjcfElement& geom, const MjcfSettings& settings) {
  const double group = geom.number("group").value_or(0.0);
  return group >= settings.groups[0] && group <= settings.groups[1];
}

Transform frame_of_geom(const MjcfElement& geom, const MjcfSettings& settings) {
  const auto ends = geom.numbers("fromto", 6, 6);
  if (ends.empty()) return placed_in(geom, settings);
  const Vec3 from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
  return {rotation_of_z(from - to), 0.5 * (from + to)};
}

/// Mass of a geom, with center and inertia in the body's frame; without mass where it is none, and
/// nothing where it cannot be known.
std::optional<MassProperties> mass_of_geom(const MjcfElement& geom, const MjcfSettings& settings) {
  using std::numbers::pi;
  const std::string type = geom.text("type", geom.text("mesh") ? "mesh" : "sphere");
  const double given = geom.number("mass").value_or(-1.0);
  const double density = geom.number("density").value_or(1000.0);
  if (!counts(geom, settings)) return MassProperties{};
  if (given == 0.0 || (given < 0.0 && density == 0.0)) return MassProperties{};
  if (type == "plane" || type == "hfield") return MassProperties{};
  if (geom.text("mesh") || type == "mesh" || type == "sdf" ||
      geom.text("shellinertia", "false") == "true") {
    return std::nullopt;
  }
  std::vector<double> size = geom.numbers("size", 1, 3);
  size.resize(3);
  const Transform place = frame_of_geom(geom, settings);
  if (const auto ends = geom.numbers("fromto", 6, 6); !ends.empty()) {
    const Vec3 from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
    const bool is_round = type == "capsule" || type == "cylinder";
    size = {size[0], is_round ? length(from - to) / 2 : size[0], length(from - to) / 2};
  }
  const double a = size[0], b = size[1], c = size[2];
  const auto body = [&](double volume, const auto& tensor) {
    const double mass = given > 0.0 ? given : density * volume;
    return moved(place, MassProperties{mass, {}, tensor(mass)});
  };
  if (type == "sphere") {
    return body(4.0 / 3.0 * pi * a * a * a, [&](double m) { return sphere_inertia(m, a); });
  }
  if (type == "box") {
    return body(8.0 * a * b * c, [&](double m) {
      return box_inertia(m, {2.0 * a, 2.0 * b, 2.0 * c});
    });
  }
  if (type == "cylinder") {
    return body(2.0 * pi * a * a * b, [&](double m) { return cylinder_inertia(m, a, 2.0 * b); });
  }
  if (type == "ellipsoid") {
    return body(4.0 / 3.0 * pi * a * b * c, [&](double m) {
      return SymMat3{
          m * (b * b + c * c) / 5, m * (a * a + c * c) / 5, m * (a * a + b * b) / 5, 0.0, 0.0, 0.0};
    });
  }
  if (type == "capsule") {  // a cylinder between two half balls
    return body(2.0 * pi * a * a * b + 4.0 / 3.0 * pi * a * a * a, [&](double m) {
      const double balls = m * 4.0 * a / (4.0 * a + 6.0 * b), h = 2.0 * b;
      const double aside =
          balls * h * (3.0 * a + 2.0 * h) / 8;  // of the half balls, by their distance
      return cylinder_inertia(m - balls, a, h) + sphere_inertia(balls, a) +
             SymMat3{aside, aside, 0.0, 0.0, 0.0, 0.0};
    });
  }
  geom.error(
      fmt::format("type: found {}; expected sphere, capsule, ellipsoid, cylinder, box or mesh",
                  shown_text(type)));
  return MassProperties{};
}

/// Brings the files that an MJCF includes into its tree, each once, from its own folder and below.
class MjcfIncludes {
 public:
  MjcfIncludes(const std::string& file, Report& report)
      : folder_(std::filesystem::path(file).parent_path()), report_(report) {
    std::error_code failed;  // then names that leave the folder and come back are refused
    whole_folder_ = std::filesystem::absolute(file, failed).lexically_normal().parent_path();
  }

  void expand(XmlElement& element) {
    for (std::size_t i = 0; i < element.children.size() && !report_.has_error(); ++i) {
      XmlElement& child = element.children[i];
      if (child.name != "include") {
        expand(child);
        continue;
      }
      std::vector<XmlElement> included = read(child);
      element.children.erase(element.children.begin() + static_cast<std::ptrdiff_t>(i));
      element.children.insert(element.children.begin() + static_cast<std::ptrdiff_t>(i),
                              std::move_iterator(included.begin()),
                              std::move_iterator(included.end()));
      --i;  // what was brought in may include others
    }
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  /// The elements of a file, with the line of what includes it.
  std::vector<XmlElement> read(const XmlElement& include) {
    const std::string* const name = include.attribute("file");
    const Report::At at{"include", include.line};
    if (name == nullptr || name->empty()) {
      report_.error(at, "file is missing; expected file=\"...\"");
      return {};
    }
    const std::filesystem::path path =
        (whole_folder_ / *name).lexically_normal().lexically_proximate(whole_folder_);
    if (path.is_absolute() || *path.begin() == "..") {
      report_.error(at, "{} is outside the folder of this file; only files in it are included",
                    shown_text(*name));
    } else if (!read_.insert(path.string()).second) {
      report_.error(at, "{} is included twice; expected each file once", shown_text(*name));
    } else {
      InputFile file((folder_ / path).string());
      const std::string bytes = file.read(largest_xml - std::min(bytes_.size(), largest_xml));
      bytes_ += bytes;
      XmlTree tree = parse_xml(bytes);
      if (bytes_.size() >= largest_xml) {
        report_.error(at, "the included files are larger than {} MB together", largest_xml >> 20U);
      } else if (!tree.root) {
        report_.error(at, "{}, line {}: {}", shown_text(*name), tree.problems.front().line,
                      tree.problems.front().message);
      } else {
        for (XmlElement& child : tree.root->children) set_line(child, include.line);
        return std::move(tree.root->children);
      }
    }
    return {};
  }
  static void set_line(XmlElement& element, int line) {
    element.line = line;
    for (XmlElement& child : element.children) set_line(child, line);
  }

  std::filesystem::path folder_, whole_folder_;
  Report& report_;
  std::set<std::string> read_;
  std::string bytes_;
};

/// Elements that change torques and are not taken, with the lines where they stand first.
class MjcfNotTaken {
 public:
  void add(const std::string& what, int line) {
    if (known_.insert(what).second)
      what_.push_back(line > 0 ? fmt::format("{} (line {})", what, line) : what);
  }
  void report(Report& report, int line) const {
    if (what_.empty()) return;
    report.warning({"", line}, "ignored, so that torques lack it: {}", listed(what_, 12));
  }

 private:
  std::set<std::string> known_;
  std::vector<std::string> what_;
};

/// Settings of a file and its default classes.
class MjcfClasses {
 public:
  MjcfClasses(const XmlElement& root, MjcfNotTaken& not_taken, Report& report)
      : not_taken_(not_taken), report_(report) {
    classes_["main"] = {};
    for (const XmlElement& part : root.children) {
      if (part.name == "compiler") read_compiler(part);
      if (part.name == "option") read_option(part);
      if (part.name == "default") read_defaults(part, "main");
    }
  }

  [[nodiscard]] const MjcfSettings& settings() const { return settings_; }

  /// An element with the defaults of its own class, or of that of what it is in.
  [[nodiscard]] MjcfElement given(const XmlElement& element, const std::string& kind,
                                  const std::string& of_parent) const {
    const std::string* const own = element.attribute("class");
    const auto found = classes_.find(own ? *own : of_parent);
    if (found == classes_.end()) {
      report_.error({element.name, element.line}, "there is no default class {}",
                    shown_text(own ? *own : of_parent));
      return plain(element);
    }
    const auto of_kind = found->second.find(kind);
    return {element, of_kind == found->second.end() ? none_ : of_kind->second, report_};
  }
  /// An element of a kind that has no defaults.
  [[nodiscard]] MjcfElement plain(const XmlElement& element) const {
    return {element, none_, report_};
  }
  /// Class of what is in an element and names none.
  [[nodiscard]] static std::string class_below(const XmlElement& element,
                                               const std::string& outer_class) {
    const std::string* const own = element.attribute("childclass");
    return own ? *own : outer_class;
  }

 private:
  void read_compiler(const XmlElement& element) {
    const MjcfElement compiler = plain(element);
    settings_.angle_unit =
        compiler.text("angle", settings_.angle_unit == 1.0 ? "radian" : "degree") == "radian"
            ? 1.0
            : std::numbers::pi / 180.0;
    settings_.sequence = compiler.text("eulerseq", settings_.sequence.c_str());
    if (settings_.sequence.size() != 3 ||
        settings_.sequence.find_first_not_of("xyzXYZ") != std::string::npos) {
      compiler.error(fmt::format("eulerseq: found {}; expected three of x, y, z",
                                 shown_text(settings_.sequence)));
      settings_.sequence = "xyz";
    }
    if (compiler.text("coordinate", "local") == "global") {
      compiler.error(
          "coordinate: found global, expected local; MuJoCo 2.3.3 and older read the file and save "
          "it "
          "as local");
    }
    settings_.limits_by_range =
        compiler.text("autolimits", settings_.limits_by_range ? "true" : "false") == "true";
    settings_.from_geoms = compiler.text("inertiafromgeom", settings_.from_geoms.c_str());
    if (const auto groups = compiler.numbers("inertiagrouprange", 2, 2); !groups.empty()) {
      settings_.groups = {groups[0], groups[1]};
    }
    settings_.least_mass = compiler.number("boundmass").value_or(settings_.least_mass);
    settings_.least_moment = compiler.number("boundinertia").value_or(settings_.least_moment);
    settings_.balance =
        compiler.text("balanceinertia", settings_.balance ? "true" : "false") == "true";
    settings_.total_mass = compiler.number("settotalmass").value_or(settings_.total_mass);
  }

  void read_option(const XmlElement& element) {
    const MjcfElement option = plain(element);
    settings_.gravity = option.vector("gravity").value_or(settings_.gravity);
    for (const char* const fluid : {"density", "viscosity"}) {
      if (option.number(fluid).value_or(0.0) != 0.0)
        not_taken_.add(std::string("the fluid's ") + fluid, element.line);
    }
    if (const XmlElement* flag = element.child("flag")) {
      for (const auto& [name, value] : flag->attributes) {
        if (value == "disable") settings_.disabled.insert(name);
      }
      if (!settings_.has_all({"gravity"})) settings_.gravity = {};
    }
  }

  /// About as many bytes as a copy of these takes, since each class has all of the one around it.
  static std::size_t size_of(const MjcfDefaults& defaults) {
    constexpr std::size_t entry = 150;
    std::size_t bytes = entry;
    for (const auto& [kind, attributes] : defaults) {
      bytes += entry;
      for (const auto& [key, value] : attributes) bytes += entry + key.size() + value.size();
    }
    return bytes;
  }
  void read_defaults(const XmlElement& element, const std::string& outer) {
    const std::string* const own = element.attribute("class");
    const std::string name = own ? *own : outer;
    if (name != outer) {
      if (copied_ > largest_classes) return;  // that has its error
      if ((copied_ += size_of(classes_[outer])) > largest_classes) {
        report_.error({"default", element.line},
                      "the default classes are larger than {} MB together", largest_classes >> 20U);
        return;
      }
      classes_[name] = classes_[outer];
    }
    for (const XmlElement& part : element.children) {
      if (part.name == "default") continue;
      MjcfAttributes& attributes = classes_[name][is_actuator(part.name) ? "actuator" : part.name];
      for (const auto& [key, value] : part.attributes)
        attributes[key] = over_default(key, value, attributes[key]);
    }
    for (const XmlElement& part : element.children) {
      if (part.name == "default") read_defaults(part, name);
    }
  }
  static bool is_actuator(std::string_view kind) {
    constexpr std::array<std::string_view, 9> kinds{"general",  "motor",       "position",
                                                    "velocity", "intvelocity", "damper",
                                                    "cylinder", "muscle",      "adhesion"};
    return std::ranges::find(kinds, kind) != kinds.end();
  }

  MjcfNotTaken& not_taken_;
  Report& report_;
  MjcfAttributes none_;
  MjcfSettings settings_;
  std::map<std::string, MjcfDefaults> classes_;
  std::size_t copied_ = 0;  // bytes, from class to class
};

/// Inertia 1/(M⁻¹)ᵢᵢ that each joint moves while all others are free, at the placement in the file; free
/// and ball joints count as six and three. Nothing where a mass is unknown, a motion has none, or
/// there are too many.
std::vector<double> free_inertias(const Urdf& tree) {
  constexpr std::size_t most_axes = 300;
  struct Axis {
    Vec3 along, about, at;
  };
  struct PlacedLink {
    Transform frame{};
    std::vector<std::size_t> moved_by{};
  };
  std::vector<Axis> axes;
  std::vector<std::size_t> first_axis;  // of each joint
  std::map<std::string, PlacedLink> links{{"world", {}}};
  for (const UrdfJoint& joint : tree.joints) {
    PlacedLink link = links.at(joint.parent);
    link.frame = link.frame * placed(joint.origin);
    const auto add = [&](const Vec3& along, const Vec3& about) {
      link.moved_by.push_back(axes.size());
      axes.push_back({along, about, link.frame.p});
    };
    first_axis.push_back(axes.size());
    const Vec3 axis = link.frame.R * joint.axis;
    if (joint.kind == UrdfJoint::Kind::prismatic) {
      add(axis, {});
      link.frame.p = link.frame.p + joint.at_model_zero * axis;
    } else if (joint.moves()) {
      add({}, axis);
      link.frame.R = link.frame.R * rotation_about(joint.at_model_zero * joint.axis);
    } else if (joint.kind != UrdfJoint::Kind::fixed) {
      for (const Vec3& unit : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        add({}, unit);
        if (joint.kind == UrdfJoint::Kind::floating) add(unit, {});
      }
    }
    if (axes.size() > most_axes) return {};
    links.emplace(joint.child, std::move(link));
  }
  const std::size_t n = axes.size();
  std::vector<double> M(n * n), inverse(n * n), column(n);
  for (const UrdfLink& link : tree.links) {
    const auto& [frame, moved_by] = links.at(link.name);
    if (link.is_of_unknown_mass && !moved_by.empty()) return {};
    const MassProperties body = moved(frame, link.body);
    const auto velocity = [&body](const Axis& axis) {
      return axis.along + cross(axis.about, body.com - axis.at);
    };
    for (const std::size_t i : moved_by) {
      const Vec3 momentum = body.mass * velocity(axes[i]), spin = body.inertia * axes[i].about;
      for (const std::size_t k : moved_by)
        M[i * n + k] += dot(momentum, velocity(axes[k])) + dot(spin, axes[k].about);
    }
  }
  for (std::size_t j = 0; j < tree.joints.size(); ++j) {
    if (tree.joints[j].moves()) M[first_axis[j] * (n + 1)] += tree.joints[j].motor.rotor_inertia;
  }
  factor_ltdl<double>(n, M);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(M[i * (n + 1)] > 0.0)) return {};
  }
  invert_ltdl<double>(n, M, inverse, column);
  std::vector<double> inertias(tree.joints.size());
  for (std::size_t j = 0; j < inertias.size(); ++j) {
    if (tree.joints[j].moves()) inertias[j] = 1.0 / inverse[first_axis[j] * (n + 1)];
  }
  return inertias;
}

/// Masses, centers and inertias of bodies.
class MjcfInertias {
 public:
  MjcfInertias(const MjcfClasses& classes, Report& report)
      : classes_(classes), settings_(classes.settings()), report_(report) {}

  /// Reads those of a body, whose frame stands in its link's, and with `pose` in its parent's.
  void read(const XmlElement& element, const Transform& frame, const Transform& pose,
            const std::string& child_class, UrdfLink& link) const {
    const XmlElement* const inertial = element.child("inertial");
    MassProperties body;
    Transform at;  // of the inertial frame in the body's
    const auto of_geoms =
        settings_.from_geoms == "false" || (inertial != nullptr && settings_.from_geoms != "true")
            ? MassProperties{}
            : mass_of_geoms(element, {}, child_class);
    link.is_of_unknown_mass = !of_geoms;
    if (inertial != nullptr && of_geoms && of_geoms->mass == 0.0) {
      link.inertial_line = inertial->line;
      const MjcfElement given = classes_.plain(*inertial);
      at = placed_in(given, settings_);
      body.mass = given.number("mass").value_or(0.0);
      const auto diagonal = given.vector("diaginertia");
      const auto full = given.numbers("fullinertia", 6, 6);
      const bool turns = std::ranges::any_of(
          orientations, [&given](const char* name) { return given.text(name) != nullptr; });
      if (turns && !full.empty()) {
        given.error(fmt::format("fullinertia: found beside {}; expected one of them",
                                fmt::join(orientations, ", ")));
      }
      if (diagonal) body.inertia = {diagonal->x, diagonal->y, diagonal->z, 0.0, 0.0, 0.0};
      if (!full.empty()) body.inertia = {full[0], full[1], full[2], full[3], full[5], full[4]};
      if (body.mass < 0.0)
        given.error(fmt::format("mass: found {}; expected 0 or more, in kg", body.mass));
    } else if (of_geoms && of_geoms->mass > 0.0) {
      link.inertial_line = element.line;
      at.p = of_geoms->com;
      body = {of_geoms->mass, {}, of_geoms->inertia};
    } else if (settings_.least_mass > 0.0) {
      std::vector<Transform> geoms;
      if (settings_.from_geoms != "false") find_geoms(element, {}, child_class, geoms);
      // Without geoms MuJoCo takes the body's pose in its parent for the inertial frame's in the body.
      if (geoms.size() < 2) at = geoms.empty() ? pose : geoms.front();
    }
    bound(body, element);
    link.inertial = placement_of(frame * at);
    link.written = body.inertia;
    link.body = moved(placed(link.inertial), body);
  }

 private:
  /// Adds the frames in the body of the geoms of a body or frame that count.
  void find_geoms(const XmlElement& element, const Transform& frame, const std::string& outer_class,
                  std::vector<Transform>& found) const {
    for (const XmlElement& part : element.children) {
      if (part.name == "frame") {
        const std::string inner = classes_.class_below(part, outer_class);
        const Transform place = placed_in(classes_.given(part, "", inner), settings_);
        find_geoms(part, frame * place, inner, found);
      } else if (part.name == "geom") {
        const MjcfElement geom = classes_.given(part, "geom", outer_class);
        if (counts(geom, settings_)) found.push_back(frame * frame_of_geom(geom, settings_));
      }
    }
  }
  /// Mass of the geoms of a body or frame; nothing where one's cannot be known.
  std::optional<MassProperties> mass_of_geoms(const XmlElement& element, const Transform& frame,
                                              const std::string& outer_class) const {
    MassProperties sum;
    for (const XmlElement& part : element.children) {
      std::optional<MassProperties> one = MassProperties{};
      if (part.name == "frame") {
        const std::string inner = classes_.class_below(part, outer_class);
        const Transform place = placed_in(classes_.given(part, "", inner), settings_);
        one = mass_of_geoms(part, frame * place, inner);
      } else if (part.name == "geom") {
        one = mass_of_geom(classes_.given(part, "geom", outer_class), settings_);
        if (one) one = moved(frame, *one);
      }
      if (!one) return std::nullopt;
      sum = joined(sum, {}, *one);
    }
    return sum;
  }

  /// Applies the compiler's bounds to a body in its inertial frame.
  void bound(MassProperties& body, const XmlElement& element) const {
    body.mass = std::max(body.mass, settings_.least_mass);
    const bool is_consistent = satisfies_triangle_inequality(body.inertia);
    if (is_consistent && settings_.least_moment <= 0.0) return;
    const auto [moments, axes] = principal_inertia(body.inertia);
    std::array<double, 3> least = coordinates(moments);
    for (double& moment : least) moment = std::max(moment, settings_.least_moment);
    if (least[0] + least[1] < least[2] && settings_.balance)
      least.fill((least[0] + least[1] + least[2]) / 3);
    body.inertia = rotated(transposed(axes), SymMat3{least[0], least[1], least[2], 0.0, 0.0, 0.0});
    if (satisfies_triangle_inequality(body.inertia)) return;
    report_.error({"body inertia", element.line},
                  "principal moments {:.4g}, {:.4g}, {:.4g} kg·m²: none may be below 0 or above "
                  "the sum of the others",
                  least[0], least[1], least[2]);
  }

  const MjcfClasses& classes_;
  const MjcfSettings& settings_;
  Report& report_;
};

/// Names of a file that its sections beside the bodies refer to.
struct MjcfNames {
  std::set<std::string> bodies{"world"}, joints;  ///< names of sites are among the bodies'
  std::set<std::string> sites;                    ///< that are links
  std::set<std::string> mocap_bodies;
};

/// Reader of the sections beside the bodies: actuators, equalities, tendons.
class MjcfSections {
 public:
  MjcfSections(const MjcfClasses& classes, const MjcfNames& names, MjcfNotTaken& not_taken,
               Urdf& tree)
      : classes_(classes),
        settings_(classes.settings()),
        names_(names),
        not_taken_(not_taken),
        tree_(tree) {}

  void read(const XmlElement& section) {
    if (section.name == "actuator") {
      for (const XmlElement& part : section.children) read_actuator(part);
    } else if (section.name == "equality" && settings_.has_all({"equality"})) {
      for (const XmlElement& part : section.children) read_equality(part);
    } else if (section.name == "tendon" && settings_.has_all({"passive", "spring"})) {
      for (const XmlElement& part : section.children) read_tendon(part);
    } else if (section.name == "deformable") {
      not_taken_.add(section.name, section.line);
    }
  }

 private:
  [[nodiscard]] UrdfJoint* find_joint(const std::string* name) {
    if (name == nullptr) return nullptr;
    const auto found = std::ranges::find(tree_.joints, *name, &UrdfJoint::name);
    return found == tree_.joints.end() ? nullptr : &*found;
  }

  /// Takes the torque that an actuator can make as a limit of its joint.
  void read_actuator(const XmlElement& element) {
    const MjcfElement given = classes_.given(element, "actuator", "main");
    const std::string* const name = given.text("joint");
    UrdfJoint* const joint = find_joint(name ? name : given.text("jointinparent"));
    if (joint == nullptr || !joint->moves()) return;
    const auto gears = given.numbers("gear", 1, 6);
    const double gear = gears.empty() ? 1.0 : std::abs(gears[0]);
    auto range = given.range("forcerange", "forcelimited", settings_.limits_by_range);
    if (!range && element.name == "motor")
      range = given.range("ctrlrange", "ctrllimited", settings_.limits_by_range);
    if (!range || gear == 0.0) return;
    const double most = gear * std::max(std::abs(range->lower), std::abs(range->upper));
    if (most > 0.0) joint->limits.torque = std::min(most, joint->limits.torque.value_or(most));
  }

  /// Takes a tendon that is a spring alone, over joints or straight from site to site.
  void read_tendon(const XmlElement& element) {
    const MjcfElement given = classes_.given(element, "tendon", "main");
    Urdf::Tendon tendon;
    tendon.name = given.text("name", "");
    tendon.stiffness = given.number("stiffness").value_or(0.0);
    const bool is_spring = tendon.stiffness > 0.0 && given.number("damping").value_or(0.0) == 0.0 &&
                           given.number("frictionloss").value_or(0.0) == 0.0 &&
                           given.number("armature").value_or(0.0) == 0.0;
    const bool is_taken = is_spring && (element.name == "fixed" ? read_row(element, tendon)
                                                                : read_ends(element, tendon));
    const auto lengths = given.numbers("springlength", 1, 2);
    const bool has_lengths = !lengths.empty() && lengths[0] >= 0.0;
    if (has_lengths) {
      tendon.rest = lengths.front();
      tendon.end = lengths.back();
    }
    // A rest by the springs' references is known for rows alone.
    if (is_taken && (has_lengths || !tendon.row.empty())) {
      tree_.tendons.push_back(std::move(tendon));
    } else {
      not_taken_.add("tendon", element.line);
    }
  }
  bool read_row(const XmlElement& element, Urdf::Tendon& tendon) {
    for (const XmlElement& part : element.children) {
      const UrdfJoint* const joint = find_joint(part.attribute("joint"));
      if (part.name != "joint" || joint == nullptr) return false;
      const double factor = classes_.given(part, "", "main").number("coef").value_or(0.0);
      tendon.row.push_back({joint->name, factor});
      tendon.rest += factor * joint->spring_rest;
    }
    tendon.end = tendon.rest;
    return !tendon.row.empty();
  }
  bool read_ends(const XmlElement& element, Urdf::Tendon& tendon) {
    std::vector<std::string> sites;
    for (const XmlElement& part : element.children) {
      const std::string* const site = part.attribute("site");
      if (part.name != "site" || site == nullptr) return false;
      sites.push_back(*site);
    }
    if (sites.size() != 2 || !names_.sites.contains(sites[0]) || !names_.sites.contains(sites[1]))
      return false;
    tendon.from = sites[0];
    tendon.to = sites[1];
    return true;
  }

  void read_equality(const XmlElement& element) {
    const MjcfElement given = classes_.given(element, "equality", "main");
    if (given.text("active", "true") == "false") return;
    UrdfJoint* const follower =
        element.name == "joint" ? find_joint(given.text("joint1")) : nullptr;
    const std::string* const other = given.text("joint2");
    if (follower != nullptr && other != nullptr) {
      follower->mimics = *other;
      const UrdfJoint* const followed = find_joint(other);
      const auto polynomial = given.numbers("polycoef", 1, 5);
      const auto coefficient = [&](std::size_t k) {
        return k < polynomial.size() ? polynomial[k] : k == 1 ? 1.0 : 0.0;
      };
      follower->factor.reset();
      if (followed == nullptr || coefficient(2) != 0.0 || coefficient(3) != 0.0 ||
          coefficient(4) != 0.0) {
        return;
      }
      follower->factor = coefficient(1);
      follower->offset =
          follower->at_model_zero + coefficient(0) - coefficient(1) * followed->at_model_zero;
      return;
    }
    const auto end = [&](std::string_view key) { return given.text(key, ""); };
    const bool of_bodies = element.name == "connect" || element.name == "weld";
    for (const char* const key : {"body1", "body2"}) {  // what a user moves, not the arm
      if (!of_bodies || !names_.mocap_bodies.contains(end(key))) continue;
      not_taken_.add(fmt::format("equality {} to the mocap body {}", element.name, end(key)),
                     element.line);
      return;
    }
    if (of_bodies)
      tree_.loops.push_back({element.name, element.line, end("body1"), end("body2")});
    else
      not_taken_.add("equality " + element.name, element.line);
  }

  const MjcfClasses& classes_;
  const MjcfSettings& settings_;
  const MjcfNames& names_;
  MjcfNotTaken& not_taken_;
  Urdf& tree_;
};

/// Tests whether a joint is prismatic, the next in the body of a hinge, along its axis, and only follows it.
bool makes_screw(const Urdf& tree, const UrdfJoint& hinge, const UrdfJoint& slide) {
  using Kind = UrdfJoint::Kind;
  constexpr double parallel = 1e-12;
  const bool turns = hinge.kind == Kind::continuous || hinge.kind == Kind::revolute;
  const bool follows =
      slide.mimics == hinge.name && slide.factor.value_or(0.0) != 0.0 && slide.offset == 0.0;
  const bool is_on_axis = slide.parent == hinge.child && slide.origin == Placement{} &&
                          length(cross(hinge.axis, slide.axis)) <= parallel;
  const bool is_plain = slide.stiffness == 0.0 && slide.friction == Friction{} &&
                        slide.motor == Motor{} && !slide.limits.position && !slide.limits.torque;
  const auto is_made_between = [&](const UrdfLink& link) {  // carries one joint, no mass
    return link.is_between && link.name == hinge.child;
  };
  const auto names_it = [&](const Followed& of) { return of.joint == slide.name; };
  return turns && slide.kind == Kind::prismatic && follows && is_on_axis && is_plain &&
         std::ranges::any_of(tree.links, is_made_between) &&
         std::ranges::count(tree.joints, slide.name, &UrdfJoint::mimics) == 0 &&
         std::ranges::none_of(tree.tendons, [&](const Urdf::Tendon& tendon) {
           return std::ranges::any_of(tendon.row, names_it);
         });
}

/// Makes hinges helical whose body has such a joint beside them.
void join_screws(Urdf& tree) {
  for (std::size_t i = 0; i + 1 < tree.joints.size(); ++i) {
    if (!makes_screw(tree, tree.joints[i], tree.joints[i + 1])) continue;
    UrdfJoint& hinge = tree.joints[i];
    const UrdfJoint slide = std::move(tree.joints[i + 1]);
    const double turn = std::copysign(2.0 * std::numbers::pi, dot(hinge.axis, slide.axis));
    hinge.pitch = turn * *slide.factor;
    std::erase_if(tree.links, [&](const UrdfLink& link) { return link.name == hinge.child; });
    hinge.child = slide.child;
    tree.joints.erase(tree.joints.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

class MjcfReader {
 public:
  MjcfReader(const MjcfClasses& classes, MjcfNotTaken& not_taken, Report& report)
      : classes_(classes), settings_(classes.settings()), not_taken_(not_taken), report_(report) {}

  Urdf read(const XmlElement& root) {
    const std::string* const name = root.attribute("model");
    tree_.name = name == nullptr || name->empty() ? "robot" : *name;
    tree_.gravity = settings_.gravity;
    tree_.links.push_back({"world", root.line});
    for (const XmlElement& part : root.children) {
      if (part.name == "worldbody") collect_names(part);
    }
    for (const XmlElement& part : root.children) {
      if (part.name == "worldbody") read_content(part, {"world", {}}, {}, "main");
    }
    MjcfSections sections(classes_, names_, not_taken_, tree_);
    for (const XmlElement& part : root.children) sections.read(part);
    if (settings_.total_mass > 0.0) scale_masses();
    if (!timed_springs_.empty() && !report_.has_error()) compute_timed_springs();
    join_screws(tree_);
    return std::move(tree_);
  }

 private:
  /// A link, and a frame that is fixed in it.
  struct Holder {
    std::string link;
    Transform frame;
  };

  void collect_names(const XmlElement& element) {
    for (const XmlElement& part : element.children) {
      const std::string* const name = part.attribute("name");
      if (name && part.name == "body" && classes_.plain(part).text("mocap", "false") == "true")
        names_.mocap_bodies.insert(*name);
      if (name && (part.name == "body" || part.name == "joint" || part.name == "freejoint")) {
        if (!(part.name == "body" ? names_.bodies : names_.joints).insert(*name).second) {
          report_.error({part.name + " " + *name, part.line}, "the name is used twice");
        }
      }
      collect_names(part);
    }
  }
  static std::string name_of(const XmlElement& element, const std::string& otherwise,
                             std::set<std::string>& taken) {
    if (const std::string* const name = element.attribute("name")) return *name;
    std::string made = otherwise;
    for (std::size_t i = taken.size(); !taken.insert(made).second; ++i) {
      made = fmt::format("{}_{}", otherwise, i);
    }
    return made;
  }

  /// Reads the bodies, frames and sites in an element, whose frame is in a holder.
  void read_content(const XmlElement& element, const Holder& holder, const Transform& frame,
                    const std::string& outer_class) {
    for (const XmlElement& part : element.children) {
      const std::string child_class = classes_.class_below(part, outer_class);
      const auto place = [&](const char* kind) {
        return frame * placed_in(classes_.given(part, kind, child_class), settings_);
      };
      if (part.name == "body") {
        read_body(part, holder, place(""), child_class);
      } else if (part.name == "frame") {
        read_content(part, holder, place(""), child_class);
      } else if (part.name == "site") {
        const std::string* const site = part.attribute("name");
        if (site && has_room(part) && names_.bodies.insert(*site).second) {
          add_link(*site, part.line, {holder.link, holder.frame * place("site")});
          names_.sites.insert(*site);
        }
      } else if (part.name == "joint" && element.name == "frame") {
        report_.error({"joint", part.line}, "stands in a <frame>; expected it in the body itself");
      } else if (part.name == "replicate" || part.name == "attach" || part.name == "composite" ||
                 part.name == "flexcomp") {
        report_.error(
            {part.name, part.line},
            "not read; load the file in MuJoCo and save it, and what it makes is written out");
      }
    }
  }

  /// Adds a link that is fixed to a holder, with its frame there.
  void add_link(const std::string& name, int line, const Holder& holder) {
    tree_.joints.push_back({.name = name + "_fixed",
                            .line = line,
                            .parent = holder.link,
                            .child = name,
                            .origin = placement_of(holder.frame)});
    tree_.links.push_back({name, line});
  }

  /// Tests whether there may be one more link; reports an error for the first too many.
  bool has_room(const XmlElement& element) {
    const std::size_t count = tree_.links.size();
    if (count == most_links) {
      report_.error({element.name, element.line},
                    "more than {} bodies, joints and sites; is this a robot?", most_links);
      tree_.links.push_back({});
    }
    return count < most_links;
  }

  /// Reads a body, which stands in its parent's frame, and that in a holder.
  void read_body(const XmlElement& element, Holder holder, const Transform& pose,
                 const std::string& child_class) {
    if (!has_room(element)) return;
    holder.frame = holder.frame * pose;
    const std::string name = name_of(element, "body", names_.bodies);
    std::vector<const XmlElement*> joints;
    for (const XmlElement& part : element.children) {
      if (part.name == "joint" || part.name == "freejoint") joints.push_back(&part);
    }
    if (is_object(element, holder)) {
      tree_.notes.push_back(fmt::format("left out: {}, which floats and has no joints", name));
      if (settings_.total_mass > 0.0) left_out_ += mass_below(element, child_class);
      return;
    }
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (!has_room(*joints[i])) return;
      const bool is_last = i + 1 == joints.size();
      const std::string link = is_last ? name : name_of({}, name + "_between", names_.bodies);
      holder = read_joint(*joints[i], holder, link, name, child_class);
      tree_.links.push_back({.name = link, .line = element.line, .is_between = !is_last});
    }
    if (joints.empty()) {
      add_link(name, element.line, holder);
      holder = {name, {}};
    }
    MjcfInertias(classes_, report_)
        .read(element, holder.frame, pose, child_class, tree_.links.back());
    if (const double share = classes_.plain(element).number("gravcomp").value_or(0.0);
        share != 0.0) {
      not_taken_.add("gravcomp", element.line);
    }
    read_content(element, holder, {}, child_class);
  }

  /// Tests whether a body of the world floats and carries no joints: an object, no arm.
  static bool is_object(const XmlElement& element, const Holder& holder) {
    if (holder.link != "world") return false;
    const auto floats = [](const XmlElement& part) {
      const std::string* const type = part.attribute("type");
      return part.name == "freejoint" || (part.name == "joint" && type && *type == "free");
    };
    return std::ranges::any_of(element.children, floats) && count_joints(element) == 1;
  }
  /// Mass of a body and of all on it, kg.
  [[nodiscard]] double mass_below(const XmlElement& element, const std::string& child_class) const {
    UrdfLink link;
    if (element.name == "body")
      MjcfInertias(classes_, report_).read(element, {}, {}, child_class, link);
    double mass = link.body.mass;
    for (const XmlElement& part : element.children) {
      if (part.name != "body" && part.name != "frame") continue;
      mass += mass_below(part, classes_.class_below(part, child_class));
    }
    return mass;
  }
  static std::size_t count_joints(const XmlElement& element) {
    std::size_t count = element.name == "joint" || element.name == "freejoint" ? 1 : 0;
    for (const XmlElement& part : element.children) count += count_joints(part);
    return count;
  }

  /// Reads a joint of a body whose frame is in a holder, and returns the body's frame in the joint's
  /// link.
  Holder read_joint(const XmlElement& element, const Holder& holder, const std::string& link,
                    const std::string& body, const std::string& child_class) {
    const MjcfElement given = classes_.given(element, "joint", child_class);
    UrdfJoint joint{.name = name_of(element, body, names_.joints),
                    .line = element.line,
                    .parent = holder.link,
                    .child = link};
    const std::string type = element.name == "freejoint" ? "free" : given.text("type", "hinge");
    using Kind = UrdfJoint::Kind;
    constexpr std::array<std::pair<std::string_view, Kind>, 4> kinds{{{"hinge", Kind::continuous},
                                                                      {"slide", Kind::prismatic},
                                                                      {"free", Kind::floating},
                                                                      {"ball", Kind::ball}}};
    const auto kind = std::ranges::find(kinds, type, &std::pair<std::string_view, Kind>::first);
    if (kind == kinds.end()) {
      given.error(
          fmt::format("type: found {}; expected hinge, slide, ball or free", shown_text(type)));
      return {link, {}};
    }
    joint.kind = kind->second;
    const Vec3 pos = joint.kind == Kind::floating ? Vec3{} : given.vector("pos").value_or(Vec3{});
    const Transform to_axis{{}, pos};
    Transform at_zero;  // from where the body stands at q = ref
    if (joint.moves()) {
      const bool turns = joint.kind == Kind::continuous;
      const double unit = turns ? settings_.angle_unit : 1.0;
      joint.axis = direction_of(given.direction("axis").value_or(Vec3{0.0, 0.0, 1.0}));
      const double ref = unit * given.number("ref").value_or(0.0);
      joint.at_model_zero = ref;
      if (turns)
        at_zero.R = rotation_about(-ref * joint.axis);
      else
        at_zero.p = -ref * joint.axis;
      const auto limit = given.range("range", "limited", settings_.limits_by_range);
      if (limit && settings_.has_all({"limit"})) {
        joint.kind = turns ? Kind::revolute : Kind::prismatic;
        joint.limits.position = Range{unit * limit->lower, unit * limit->upper};
        if (turns && unit == 1.0) given.doubt_radians(limit->upper);
        joint.limit_line = element.line;
      }
      read_drive(given, joint);
      joint.spring_rest = unit * given.number("springref").value_or(0.0);
    }
    joint.origin = placement_of(holder.frame * to_axis * at_zero);
    tree_.joints.push_back(std::move(joint));
    return {link, {{}, -1.0 * pos}};
  }

  void read_drive(const MjcfElement& given, UrdfJoint& joint) {
    const auto size = [&given](const char* name) {
      const double value = given.number(name).value_or(0.0);
      if (value < 0.0) given.error(fmt::format("{}: found {}; expected 0 or more", name, value));
      return std::max(value, 0.0);
    };
    joint.motor.rotor_inertia = size("armature");
    const bool has_springs = settings_.has_all({"passive", "spring"}),
               has_dampers = settings_.has_all({"passive", "damper"});
    if (has_dampers) joint.friction.viscous = size("damping");
    const double dry = settings_.has_all({"frictionloss"}) ? size("frictionloss") : 0.0;
    joint.friction.coulomb = {dry, dry};
    if (has_springs) joint.stiffness = size("stiffness");
    if (const auto timed = given.numbers("springdamper", 2, 2);
        has_springs && has_dampers && !timed.empty() && timed[0] > 0.0 && timed[1] > 0.0) {
      timed_springs_.push_back({tree_.joints.size(), timed[0], timed[1]});
    }
    if (const auto range =
            given.range("actuatorfrcrange", "actuatorfrclimited", settings_.limits_by_range)) {
      joint.limits.torque = std::max(std::abs(range->lower), std::abs(range->upper));
    }
  }

  void scale_masses() {
    double total = left_out_;
    for (const UrdfLink& link : tree_.links) total += link.body.mass;
    if (total == 0.0) return;
    for (UrdfLink& link : tree_.links) {
      const double k = settings_.total_mass / total;
      const auto scaled = [k](const SymMat3& I) {
        return SymMat3{k * I.xx, k * I.yy, k * I.zz, k * I.xy, k * I.yz, k * I.xz};
      };
      link.body = {k * link.body.mass, link.body.com, scaled(link.body.inertia)};
      link.written = scaled(link.written);
    }
  }

  /// Computes stiffness and damping from time constants and damping ratios, as MuJoCo does.
  void compute_timed_springs() {
    const std::vector<double> inertias = free_inertias(tree_);
    for (const auto& [j, time, ratio] : timed_springs_) {
      UrdfJoint& joint = tree_.joints[j];
      if (inertias.empty()) {
        not_taken_.add("springdamper of " + joint.name, joint.line);
        continue;
      }
      joint.stiffness = inertias[j] / (time * time * ratio * ratio);
      joint.friction.viscous = 2.0 * inertias[j] / time;
    }
  }

  const MjcfClasses& classes_;
  const MjcfSettings& settings_;
  MjcfNotTaken& not_taken_;
  Report& report_;
  double left_out_ = 0.0;  // kg, of objects
  MjcfNames names_;
  struct TimedSpring {
    std::size_t joint;
    double time, ratio;  // time constant, s, and damping ratio
  };
  std::vector<TimedSpring> timed_springs_;
  Urdf tree_;
};

}  // namespace

void judge_mjcf(const Urdf& tree, const UrdfChain& chain, Report& report) {
  std::map<std::string, const UrdfJoint*> above;
  for (const UrdfJoint& joint : tree.joints) above.emplace(joint.child, &joint);
  const auto moved_by = [&](std::string link) {  // the last joint of the chain that moves it
    for (auto found = above.find(link); found != above.end(); found = above.find(link)) {
      if (std::ranges::count(chain.joints, found->second) > 0) return found->second->name;
      link = found->second->parent;
    }
    return std::string();
  };
  for (const Urdf::Loop& loop : tree.loops) {
    if (moved_by(loop.first) == moved_by(loop.second)) continue;
    report.error({"equality " + loop.kind, loop.line},
                 "ties {} to {}, which joints of the chain move apart; armdyn has no loops; --base "
                 "and --tip choose a chain without it",
                 loop.first, loop.second.empty() ? "the world" : loop.second);
  }
  std::vector<std::string> unknown;
  int line = 0;
  for (const UrdfLink& link : tree.links) {
    if (!link.is_of_unknown_mass || moved_by(link.name).empty()) continue;
    if (unknown.empty()) line = link.line;
    unknown.push_back(link.name);
  }
  if (unknown.empty()) return;
  report.error(
      {"", line},
      "without <inertial>, and with a mesh or a shell, whose mass armdyn does not compute: "
      "{}; with saveinertial=\"true\" in <compiler>, MuJoCo (3.3.1 or newer) saves a file with the "
      "<inertial> of each body",
      listed(unknown, 12));
}

Urdf read_mjcf(XmlElement& root, const std::string& file, Report& report, std::string& included) {
  MjcfIncludes includes(file, report);
  includes.expand(root);
  included = includes.bytes();
  if (report.has_error()) return {};
  MjcfNotTaken not_taken;
  const MjcfClasses classes(root, not_taken, report);
  Urdf tree = MjcfReader(classes, not_taken, report).read(root);
  tree.is_mjcf = true;
  not_taken.report(report, root.line);
  return tree;
}

}  // namespace armdyn
