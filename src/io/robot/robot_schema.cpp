#include "io/robot/robot_schema.hpp"

#include <fmt/format.h>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <deque>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "math/each.hpp"
#include "math/rigid.hpp"
#include "model/file_accuracy.hpp"
#include "model/mechanism.hpp"
#include "model/proximal_form.hpp"
#include "model/robot_numbers.hpp"
#include "model/serial_chain.hpp"

namespace armdyn {

namespace {

constexpr std::array shape_keys{
    YamlKey{"box", "three edges [x, y, z]"},
    YamlKey{"cylinder", "[radius, length], its axis along z"},
    YamlKey{"rod", "a length along z"},
    YamlKey{"sphere", "a radius"},
    YamlKey{"density", "a number in kg/m³, of a rod in kg/m"},
    YamlKey{"mass", "a number in kg"},
    YamlKey{"com", "three lengths [x, y, z]"},
    YamlKey{"rpy", "three angles [roll, pitch, yaw]"},
};

FileUnit unit_of_angles(const Notation& written) {
  return written.angles == AngleUnit::deg ? degree : radian;
}
FileUnit unit_of_lengths(const Notation& written) {
  return written.lengths == LengthUnit::mm ? FileUnit{1000.0} : FileUnit{};
}

/// Reads a number; one below 0 becomes 0, with an error.
double magnitude(const YamlValue& value, const FileUnit& unit = {}) {
  const double number = value.number(unit).value_or(0.0);
  if (number < 0.0) value.not_expected(", 0 or more");
  return std::max(number, 0.0);
}

std::vector<double> lengths(const YamlValue& value, std::size_t count, const FileUnit& unit) {
  if (count == 1) return {magnitude(value, unit)};
  std::vector<double> found;
  if (const auto entries = value.list("a length", count)) {
    for (const YamlValue& entry : *entries) found.push_back(magnitude(entry, unit));
  }
  found.resize(count);
  return found;
}

/// A number as the text of its formula (model/formula.hpp).
struct FormulaText {
  FormulaText(double number = 0.0) : text(fmt::format("{}", number)) {}  // implicit, as a scalar's
  explicit FormulaText(std::string formula) : text(std::move(formula)) {}
  std::string text;
};
FormulaText operator*(const FormulaText& a, const FormulaText& b) {
  if (a.text == "0" || b.text == "1") return a;
  if (b.text == "0" || a.text == "1") return b;
  return FormulaText("(" + a.text + ")*(" + b.text + ")");
}
FormulaText operator/(const FormulaText& a, const FormulaText& b) {
  return a * FormulaText("1/(" + b.text + ")");
}
FormulaText operator+(const FormulaText& a, const FormulaText& b) {
  return a.text == "0" ? b : b.text == "0" ? a : FormulaText(a.text + "+" + b.text);
}

enum class Shape { box, cylinder, rod, sphere };
struct ShapeKey {
  std::string_view key;
  std::size_t lengths;
};
constexpr std::array shapes{ShapeKey{"box", 3}, ShapeKey{"cylinder", 2}, ShapeKey{"rod", 1},
                            ShapeKey{"sphere", 1}};

/// Mass and tensor of a uniform body (1.10-1.12) from its mass or density, of a rod per length.
template <class S>
MassPropertiesOf<S> uniform_body(Shape shape, S mass, bool is_density, const std::vector<S>& of) {
  const S &a = of.front(), &l = of.back(), pi(std::numbers::pi);
  const bool is_box = shape == Shape::box, is_sphere = shape == Shape::sphere;
  if (is_density) {
    mass = mass * (is_box                     ? a * of[1] * l
                   : shape == Shape::cylinder ? pi * a * a * l
                   : is_sphere                ? S(4.0) / S(3.0) * pi * a * a * a
                                              : l);
  }
  const SymMat<S> I = is_box      ? box_inertia(mass, Vec<S>{a, of[1], l})
                      : is_sphere ? sphere_inertia(mass, a)
                                  : cylinder_inertia(mass, shape == Shape::rod ? S(0.0) : a, l);
  return {mass, {}, I};
}

/// Reads a uniform body of a robot file, as `shape: {box: [x, y, z], density: ρ}`
/// (docs/robot-file.md; docs/derivation.md, 1.10-1.13).
MassProperties read_shape(const YamlValue& value, const Notation& written) {
  if (!value.is_map()) return {};
  const YamlMap map(value, shape_keys);
  const auto found =
      where(shapes.size(), [&](std::size_t k) { return map.find(shapes[k].key).has_value(); });
  if (found.size() > 1) {
    map.find(shapes[found[1]].key)
        ->error(fmt::format("found beside {}; expected one of them", shapes[found[0]].key));
    return {};
  }
  if (found.empty()) {
    value.error("found no shape; expected one of box, cylinder, rod, sphere");
    return {};
  }
  const auto density = map.find("density"), mass = map.find("mass");
  if (density.has_value() == mass.has_value()) {
    value.error(density ? "found density and mass; expected one of them"
                        : "found neither density nor mass; expected one of them");
    return {};
  }
  const auto shape = static_cast<Shape>(found[0]);
  const auto [key, count] = shapes.at(found[0]);
  const std::vector<double> sizes = lengths(*map.find(key), count, unit_of_lengths(written));
  const double given = magnitude(density ? *density : *mass);
  Placement placement;
  if (const auto com = map.find("com")) {
    placement.xyz = com->vector(unit_of_lengths(written)).value_or(Vec3{});
  }
  if (const auto rpy = map.find("rpy")) {
    placement.rpy = rpy->vector(unit_of_angles(written)).value_or(Vec3{});
  }

  const std::string of = value.path() + ".", kilograms = of + (density ? "density" : "mass");
  const auto paths = each(in_order(sizes.size()), [&, name = of + std::string(key)](std::size_t i) {
    return sizes.size() == 1 ? name : fmt::format("{}[{}]", name, i);
  });
  const auto ranged = [&value](const std::string& path) {
    const NumberAsWritten as = value.noted(path);
    return Ranged(as.value, as.half_unit);
  };
  const auto text = [&value](const std::string& path) { return FormulaText(value.formula(path)); };
  MassProperties body = uniform_body(shape, given, density.has_value(), sizes);
  auto within = uniform_body(shape, ranged(kilograms), density.has_value(), each(paths, ranged));
  auto formula = uniform_body(shape, text(kilograms), density.has_value(), each(paths, text));
  PlacementOf<Ranged> ranged_axes;
  for_each_number([&](const std::string& path, const RobotField& /*field*/, double x,
                      Ranged& to) { to = Ranged(x, ranged(of + path).radius); },
                  placement, ranged_axes);
  const Mat3 R = placed(placement).R;
  body.com = placement.xyz;
  body.inertia = rotated(R, body.inertia);  // (1.13)
  within.inertia = rotated(placed(placement, ranged_axes).R, within.inertia);
  formula.inertia = rotated(constant<FormulaText>(R), formula.inertia);

  const std::string at = value.path().substr(0, value.path().rfind('.') + 1);
  std::vector<WrittenNumber> numbers;
  for_each_number(
      [&](const std::string& path, const RobotField& field, double x, const Ranged& known,
          const FormulaText& by) {
        const bool is_as_written = field.unit == RobotUnit::length;
        value.note(at + path,
                   is_as_written ? value.noted(of + path) : NumberAsWritten{x, known.radius, true});
        numbers.push_back({at + path, is_as_written ? value.formula(of + path) : by.text, x});
      },
      body, within, formula);
  value.write_formulas({of + std::string(key), kilograms, of + "com"}, numbers);
  return body;
}

constexpr bool required = true;
constexpr std::string_view a_screw = "six numbers [ωx, ωy, ωz, vx, vy, vz]";
/// Frames in which bodies may be given.
constexpr std::array<std::string_view, 2> body_frames{"link", "base"};
constexpr std::string_view a_shape = "a map such as {box: [0.1, 0.1, 0.4], density: 2700}";

/// Words of a file for the two values of a type, in their order, the usual one first.
using ChoiceWords = std::array<std::string_view, 2>;
template <class T>
constexpr ChoiceWords choice{};
template <>
constexpr ChoiceWords choice<bool>{"false", "true"};
template <>
constexpr ChoiceWords choice<AngleUnit>{"rad", "deg"};
template <>
constexpr ChoiceWords choice<LengthUnit>{"m", "mm"};
template <>
constexpr ChoiceWords choice<Bearing>{"ball", "roller"};

template <class T>
concept Chosen = (std::is_enum_v<T> && !std::same_as<T, JointType> &&
                  !std::same_as<T, Convention>) ||
                 std::same_as<T, bool>;

/// Words for conventions; with the last there is no table.
constexpr std::array<std::string_view, 3> convention_words{"standard", "modified", "screws"};
constexpr std::size_t screws = 2;

/// Keys of a part, each with the expectation of messages.
class KeyList {
 public:
  KeyList() = default;
  template <RobotPart P>
  explicit KeyList(const P& part) {
    fields(*this, part);
  }
  /// Keys of a part with a body, which may stand in other keys than the mass, as a joint's place may
  /// in others than dh.
  template <RobotPart P>
  KeyList(const P& part, bool has_mass, bool has_row) : KeyList(part) {
    add("inertia_about", "com or origin");
    add("inertia_frame", "a map such as {xyz: [0, 0, 0.1], rpy: [0, 0, pi/2]}");
    add("shape", std::string(a_shape));
    if constexpr (std::same_as<P, Joint>) {
      add("screw", std::string(a_screw));
      add("bodies", "a list of maps with mass, com and inertia, or a shape");
      add("body_frame", fmt::format("{}", fmt::join(body_frames, " or ")));
    }
    for (YamlKey& key : keys_) {
      key.required =
          key.required && (has_mass || key.name != "mass") && (has_row || key.name != "dh");
    }
  }
  void add(std::string_view key, std::string expected, bool is_required = false) {
    keys_.push_back({key, texts_.emplace_back(std::move(expected)), is_required});
  }
  void operator()(const RobotField& field, const auto& member) {
    std::string form(field.form);
    if constexpr (requires { words(field, member); }) {
      if (form.empty()) form = words(field, member);
    }
    const bool is_known = std::ranges::find(keys_, field.key, &YamlKey::name) != keys_.end();
    if (is_known || field.key.find('.') != field.key.npos) return;  // of a part read elsewhere
    add(field.key, std::move(form), field.has(role::required));
  }
  [[nodiscard]] const std::vector<YamlKey>& keys() const { return keys_; }

 private:
  static std::string words(const RobotField& field, const double& /*number*/) {
    if (field.unit == RobotUnit::angle) return std::string(an_angle);
    if (field.unit == RobotUnit::radians) return "an angle in rad such as 0.5 or -pi/2";
    if (field.unit == RobotUnit::length) return "a length such as 0.4";
    if (field.rule == Rule::share) return "a number from 0 to 1";
    if (field.rule == Rule::positive_share) return "a number, more than 0 and at most 1";
    if (field.unit == RobotUnit::none || is_angle(field, JointType::revolute)) return "a number";
    return "a number in " + unit_text(field.unit);
  }
  static std::string words(const RobotField& field, const TwoSided& level) {
    return words(field, level.positive) + ", or two: [positive direction, negative direction]";
  }
  template <class T>
  static std::string words(const RobotField& field, const std::optional<T>& /*value*/) {
    return words(field, T{});
  }
  static std::string words(const RobotField& field, const Vec3& /*vector*/) {
    return field.unit == RobotUnit::angle ? "three angles [roll, pitch, yaw]"
           : field.unit == RobotUnit::length
               ? "three lengths [x, y, z]"
               : "three numbers [x, y, z] in " + unit_text(field.unit);
  }
  static std::string words(const RobotField& /*field*/, const Range& /*range*/) {
    return "two positions [lower, upper]";
  }
  static std::string words(const RobotField& field, const std::string& /*text*/) {
    return field.key == "name" ? "a name" : "a text";
  }
  template <Chosen T>
  static std::string words(const RobotField& /*field*/, const T& /*value*/) {
    return fmt::format("{}", fmt::join(choice<T>, " or "));
  }
  static std::string words(const RobotField& /*field*/, JointType /*value*/) {
    return fmt::format("{}", fmt::join(joint_words, ", "));
  }
  static std::string words(const RobotField& /*field*/, Convention /*value*/) {
    return fmt::format("{}", fmt::join(convention_words, ", "));
  }
  static std::string words(const RobotField& /*field*/, bool /*truth*/) { return "true or false"; }
  /// Words of a map: "a map {amplitude, harmonic, phase}" where all keys belong together.
  template <RobotPart P>
  static std::string words(const RobotField& /*field*/, const P& part) {
    std::vector<std::string_view> names;
    bool in_full = false;
    fields(
        [&](const RobotField& entry, const auto& /*member*/) {
          names.push_back(entry.key);
          in_full = in_full || entry.has(role::in_full);
        },
        part);
    if (in_full) return fmt::format("a map {{{}}}", fmt::join(names, ", "));
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("a map with {} or {}", fmt::join(names, ", "), last);
  }

  std::deque<std::string> texts_;  // to which the keys refer
  std::vector<YamlKey> keys_;
};

template <RobotPart P>
const std::vector<YamlKey>& keys_of() {
  static const KeyList list(P{});
  return list.keys();
}

/// Keys of a part with a body.
template <RobotPart P>
const std::vector<YamlKey>& body_keys(bool has_mass, bool has_row) {
  static const std::array lists{KeyList(P{}, false, false), KeyList(P{}, false, true),
                                KeyList(P{}, true, false), KeyList(P{}, true, true)};
  return lists[(has_mass ? 2U : 0U) + (has_row ? 1U : 0U)].keys();
}

struct RobotKeys : KeyList {
  RobotKeys() {
    add("armdyn", "1, the version of this file format", required);
    const Robot robot;
    fields(*this, robot);
    add("angle_unit", "rad or deg");
    add("length_unit", "m or mm");
    add("parameters", "a map of names to numbers");
    add("body_frame", fmt::format("{}", fmt::join(body_frames, " or ")));
    add("identified", "a map with parameters and covariance");
  }
};

constexpr std::array identified_keys{
    YamlKey{"parameters", "a list of names such as [m1, Izz2]", required},
    YamlKey{"offsets", "a list of numbers, one per parameter"},
    YamlKey{"covariance", "a list of rows, the first with one number, the next with two", required},
};

constexpr std::array coupling_keys{
    YamlKey{"motors", "a list of joints' numbers such as [5, 6]", required},
    YamlKey{"matrix", "a list of rows, one per motor, such as [[45, 0], [32, 32]]", required},
    YamlKey{"offsets", "a list of motor positions in rad, one per motor"},
    YamlKey{"limits", "a map with velocity and torque of the motors"},
};

constexpr std::array motor_limits_keys{
    YamlKey{"velocity", "a list of numbers in rad/s, one per motor"},
    YamlKey{"torque", "a list of numbers in N·m, one per motor"},
};

/// Index of the word at a key, 0 without one or for a wrong one.
std::size_t read_word(const YamlMap& map, std::string_view key,
                      std::span<const std::string_view> words) {
  const auto value = map.find(key);
  return value ? value->one_of(words).value_or(0) : 0;
}

/// Keys of the tool: a placement, and the joint in whose frame it is.
struct ToolKeys : KeyList {
  ToolKeys() : KeyList(Placement{}) { add("link", "the name of a joint"); }
};

template <Chosen T>
T read_choice(const YamlMap& map, std::string_view key) {
  return static_cast<T>(read_word(map, key, choice<T>));
}

template <RobotPart P>
YamlMap body_map(const YamlValue& value) {
  const auto has = [&value](std::string_view key) { return find(value.node(), key) != nullptr; };
  return {value, body_keys<P>(!has("shape") && !has("bodies"), !has("axis") && !has("screw"))};
}

/// What else than its fields a file has for the place of a joint and its body.
struct JointNotation {
  std::optional<std::array<double, 6>> screw{};  ///< ω and v in {0}, where all joints are at 0
  bool is_helical = false, is_body_in_base = false;
};

struct ReadJoints {
  std::vector<Joint> own, followers;
  std::vector<JointNotation> notations;  ///< of both
};
ReadJoints read_joints(const YamlValue& value, Notation& written, const YamlMap& robot);
std::vector<Coupling> read_couplings(const YamlValue& value);
using JointTypes = std::map<std::string, JointType>;  // by names, of followers, too
std::vector<Spring> read_springs(const YamlValue& value, const JointTypes& joints,
                                 Notation& written);
/// Reads the covariance of identified parameters; nothing where a part cannot be read.
std::optional<IdentifiedParameters> read_identified(const YamlValue& value) {
  const YamlMap map(value, identified_keys);
  const auto parameters = map.find("parameters"), covariance = map.find("covariance"),
             offsets = map.find("offsets");
  const auto names = parameters ? parameters->list("a parameter's name") : std::nullopt;
  if (!names || !covariance) return std::nullopt;
  IdentifiedParameters found;
  for (const YamlValue& entry : *names) found.names.push_back(entry.text().value_or(""));
  const auto numbers = [](const YamlValue& of, std::size_t size, std::vector<double>& to) {
    const auto entries = of.list("a number", size);
    for (std::size_t k = 0; entries && k < size; ++k) {
      to.push_back((*entries)[k].parameter().value_or(Parameter{}).value);
    }
  };
  const std::size_t size = found.names.size();
  if (offsets) numbers(*offsets, size, found.offsets);
  found.offsets.resize(size);
  const auto rows = covariance->list("a row of numbers", size);
  for (std::size_t i = 0; rows && i < size; ++i) {
    numbers((*rows)[i], i + 1, found.covariance);
    if (found.covariance.size() != (i + 1) * (i + 2) / 2) return std::nullopt;
    if (found.covariance.back() >= 0.0) continue;
    (*rows)[i].error("found a variance below 0; expected the last number of a row to be 0 or more");
    return std::nullopt;
  }
  return rows ? std::optional(std::move(found)) : std::nullopt;
}

std::vector<NamedPose> read_poses(const YamlValue& value, const std::vector<Joint>& joints,
                                  const Notation& written);
std::optional<Placement> finish_body(const YamlMap& map, Notation& written, MassProperties& body);

/// Reads as many numbers as the row has, which keeps its own for other values.
std::vector<double> read_row(const YamlValue& value, std::vector<double> row) {
  const auto entries = value.list("a number", row.size());
  for (std::size_t k = 0; entries && k < row.size(); ++k) {
    row[k] = (*entries)[k].number().value_or(row[k]);
  }
  return row;
}

/// Reads a placement from the rows of a homogeneous matrix.
Placement read_matrix(const YamlValue& value, const Notation& written) {
  const auto rows = value.list("a row of four numbers", 4);
  if (!rows) return {};
  std::array<std::array<double, 4>, 4> T{};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto entries = (*rows)[i].list("a number", 4);
    if (!entries) return {};
    for (std::size_t j = 0; j < 4; ++j) {
      const bool is_length = i < 3 && j == 3;
      const FileUnit unit = is_length ? unit_of_lengths(written) : FileUnit{};
      T[i][j] = (*entries)[j].number(unit).value_or(i == j ? 1.0 : 0.0);
    }
  }
  // So that they are no fields, whose formulas would be those of numbers.
  value.move_formulas(value.path() + "[", value.path() + ".matrix[");
  const auto row = [&T](std::size_t i) { return Vec3{T[i][0], T[i][1], T[i][2]}; };
  const Mat3 R{row(0), row(1), row(2)};
  constexpr double of_decimals = 2e-3;  // as 0.707 for √½
  const Mat3 square = R * transposed(R), one;
  double off = 0.0;
  for (const Vec3 difference :
       {square.row_x - one.row_x, square.row_y - one.row_y, square.row_z - one.row_z}) {
    off = std::max(off, length(difference));
  }
  if (T[3] != std::array{0.0, 0.0, 0.0, 1.0}) {
    (*rows)[3].error("found another last row than 0, 0, 0, 1; expected a homogeneous matrix");
  } else if (off > of_decimals || dot(cross(R.row_x, R.row_y), R.row_z) < 0.0) {
    value.error(
        "found no rotation in the first three rows and columns; expected unit vectors, "
        "square to each other and right-handed");
  } else {
    return placement_of({R, {T[0][3], T[1][3], T[2][3]}});
  }
  return {};
}

Placement read_placement(const YamlValue& value, Notation& written);

/// Reader of the fields of a part in a map; others keep their values.
class FieldReader {
 public:
  FieldReader(const YamlMap& map, Notation& written, JointType type = JointType::revolute)
      : map_(map), written_(written), type_(type) {}

  void operator()(const RobotField& field, auto& target) {
    unit_ = unit(field);
    if (const auto value = map_.find(field.key)) read(*value, target);
  }
  template <Chosen T>
  void operator()(const RobotField& field, T& target) {
    target = read_choice<T>(map_, field.key);
  }
  void operator()(const RobotField& field, JointType& target) {
    const std::size_t word = read_word(map_, field.key, joint_words);
    type_ = target = word == 1 ? JointType::prismatic : JointType::revolute;
    is_helical_ = joint_words[word] == joint_words.back();
  }
  void operator()(const RobotField& field, Convention& target) {
    const std::size_t word = read_word(map_, field.key, convention_words);
    target = word == 0 ? Convention::standard : Convention::modified;
  }
  void operator()(const RobotField& field, std::vector<Joint>& target) {
    if (joints_ != nullptr) {
      target = std::move(followers_);
      return;
    }
    if (const auto value = map_.find(field.key)) {
      auto [own, followers, notations] = read_joints(*value, written_, map_);
      for (const auto* const joints : {&own, &followers}) {
        for (const Joint& joint : *joints) types_.emplace(joint.name, joint.type);
      }
      target = std::move(own);
      followers_ = std::move(followers);
      notations_ = std::move(notations);
    }
    joints_ = &target;
  }
  void operator()(const RobotField& field, Placement& target) {
    const auto value = map_.find(field.key);
    if (value && field.key == "tool" && value->node().kind != YamlNode::Kind::sequence) {
      static const ToolKeys keys;
      const YamlMap map(*value, keys.keys());
      if (const auto link = map.find("link")) tool_link_ = link->text().value_or("");
      fields(FieldReader(map, written_), target);
    } else if (value) {
      const YamlNode* const link = armdyn::find(value->node(), "link");  // of `followers_last`
      if (field.key == "tool" && link != nullptr) tool_link_ = link->text;
      read_part(*value, target);
    }
  }
  void operator()(const RobotField& field, std::string& target) {
    if (field.key == tool_link_key) target = tool_link_;
    if (const auto value = map_.find(field.key)) target = value->text().value_or(target);
  }

  [[nodiscard]] bool is_helical() const { return is_helical_; }
  /// Of the robot's joints, in their numbers' order.
  [[nodiscard]] const std::vector<JointNotation>& notations() const { return notations_; }

 private:
  void read(const YamlValue& value, double& to) const { to = value.number(unit_).value_or(to); }
  void read(const YamlValue& value, Vec3& to) const { to = value.vector(unit_).value_or(to); }
  void read(const YamlValue& value, std::string& to) const { to = value.text().value_or(to); }
  void read(const YamlValue& value, TwoSided& to) const { to = level(value).value_or(to); }
  void read(const YamlValue& value, std::optional<Vec3>& to) const { to = value.vector(unit_); }
  void read(const YamlValue& value, std::optional<double>& to) const { to = value.number(unit_); }
  void read(const YamlValue& value, std::optional<TwoSided>& to) const { to = level(value); }
  void read(const YamlValue& value, std::optional<Range>& to) const {
    const auto ends = value.list(unit_.is_angle ? an_angle : "a length", 2);
    if (!ends) return;
    const auto lower = (*ends)[0].number(unit_), upper = (*ends)[1].number(unit_);
    if (lower && upper) to = Range{*lower, *upper};
  }
  void read(const YamlValue& value, std::vector<SpeedTorque>& curve) const {
    const auto points = value.list("a point [rad/s, N·m]");
    for (std::size_t k = 0; points && k < points->size(); ++k) {
      const std::vector<double> numbers = read_row((*points)[k], {0.0, 0.0});
      curve.push_back({numbers[0], numbers[1]});
    }
  }
  void read(const YamlValue& value, std::vector<SpringPoint>& to) const {
    const auto points = value.list("two numbers");
    for (std::size_t k = 0; points && k < points->size(); ++k) {
      SpringPoint& point = to.emplace_back(SpringPoint{static_cast<double>(k), 0.0});
      const auto numbers = (*points)[k].list(unit_.is_angle ? an_angle : "a number", 2);
      if (!numbers) continue;
      point.at = (*numbers)[0].number(unit_).value_or(point.at);
      point.value = (*numbers)[1].number().value_or(0.0);
    }
  }
  void read(const YamlValue& value, Efficiency& to) const {
    if (value.node().kind == YamlNode::Kind::map) return read_part(value, to);
    to.driving = to.back_driving = value.number().value_or(1.0);
  }
  void read(const YamlValue& value, RobotPart auto& part) const { read_part(value, part); }
  template <RobotPart P>
  void read(const YamlValue& value, std::optional<P>& part) const {
    read_part(value, part.emplace());
  }
  void read(const YamlValue& value, MassProperties& payload) const {
    const YamlMap map = body_map<MassProperties>(value);
    fields(FieldReader(map, written_), payload);
    finish_body(map, written_, payload);
  }
  void read(const YamlValue& value, std::vector<Followed>& row) const {
    if (!value.is_map()) return;
    for (const YamlEntry& entry : value.node().entries) {
      row.push_back({entry.key, value.entry(entry, "a number").number().value_or(1.0)});
    }
  }
  void read(const YamlValue& value, std::vector<Coupling>& to) const { to = read_couplings(value); }
  void read(const YamlValue& value, std::vector<Spring>& to) const {
    to = read_springs(value, types_, written_);
  }
  void read(const YamlValue& value, std::vector<NamedPose>& to) const {
    to = read_poses(value, *joints_, written_);
  }
  void read_part(const YamlValue& value, Placement& place) const {
    place = read_placement(value, written_);
  }
  template <RobotPart P>
  void read_part(const YamlValue& value, P& part) const {
    const YamlMap map(value, keys_of<P>());
    fields(FieldReader(map, written_, type_), part);
  }
  [[nodiscard]] FileUnit unit(const RobotField& field) const {
    if (field.unit == RobotUnit::radians) return radian;
    if (is_angle(field, type_)) return unit_of_angles(written_);
    const bool is_length = field.unit == RobotUnit::length || is_coordinate(field);
    return is_length ? unit_of_lengths(written_) : FileUnit{};
  }
  [[nodiscard]] static std::optional<TwoSided> level(const YamlValue& value) {
    if (value.node().kind != YamlNode::Kind::sequence) {
      const auto both = value.number();
      return both ? std::optional(TwoSided{*both, *both}) : std::nullopt;
    }
    const auto sides = value.list("a number in N·m or N", 2);
    if (!sides) return std::nullopt;
    const auto positive = (*sides)[0].number(), negative = (*sides)[1].number();
    if (!positive || !negative) return std::nullopt;
    return TwoSided{*positive, *negative};
  }

  const YamlMap& map_;
  Notation& written_;
  JointType type_;
  FileUnit unit_;  // of the current field
  bool is_helical_ = false;
  const std::vector<Joint>* joints_ = nullptr;
  std::vector<Joint> followers_;
  JointTypes types_;
  std::vector<JointNotation> notations_;
  std::string tool_link_;
};

/// Reads a placement from its matrix, or from its place and angles.
Placement read_placement(const YamlValue& value, Notation& written) {
  const std::vector<YamlNode>& rows = value.node().items;
  const bool has_rows = !rows.empty() && rows.front().kind == YamlNode::Kind::sequence;
  if (has_rows) return read_matrix(value, written);
  Placement place;
  const YamlMap map(value, keys_of<Placement>());
  fields(FieldReader(map, written), place);
  return place;
}

/// Reads the keys shape, inertia_about and inertia_frame of a body. Returns the frame of its inertia,
/// if it is given in one.
std::optional<Placement> finish_body(const YamlMap& map, Notation& written, MassProperties& body) {
  const auto shape = map.find("shape"), frame = map.find("inertia_frame");
  if (shape) {
    for (const char* key : {"mass", "com", "inertia", "inertia_about", "inertia_frame"}) {
      if (const auto value = map.find(key)) {
        value->error("found beside shape, which sets it; expected one of them");
      }
    }
    body = read_shape(*shape, written);
    return std::nullopt;
  }
  const auto about = map.find("inertia_about");
  if (about && frame) {
    frame->error("found beside inertia_about, which sets its place; expected one of them");
    return std::nullopt;
  }
  constexpr std::array<std::string_view, 2> points{"com", "origin"};
  if (!frame && read_word(map, "inertia_about", points) != 1) return std::nullopt;
  const Placement given = frame ? read_placement(*frame, written) : Placement{};
  const YamlValue& from = frame ? *frame : *about;
  const std::string at = from.path().substr(0, from.path().rfind('.') + 1);
  const auto ranged = [&from](const std::string& before) {
    return [&from, before](const std::string& path, const RobotField& /*field*/, double x,
                           Ranged& to) { to = Ranged(x, from.noted(before + path).half_unit); };
  };
  MassPropertiesOf<Ranged> ranged_body;
  for_each_number(ranged(at), body, ranged_body);
  PlacementOf<Ranged> ranged_frame;
  for_each_number(ranged(at + "inertia_frame."), given, ranged_frame);
  ranged_body.inertia = inertia_from(placed(given, ranged_frame), ranged_body);
  body.inertia = inertia_from(placed(given), body);
  for_each_number(
      [&](const std::string& path, const RobotField& /*field*/, double x, const Ranged& known) {
        from.note(at + "inertia." + path, {x, known.radius, true});
      },
      body.inertia, ranged_body.inertia);
  if (!is_origin(given) || at == "payload.") {
    from.move_formulas(at + "inertia.", at + "inertia_frame.");
  }
  return given;
}

/// Reports an error at each of these keys that is found beside the one.
void only_one_of(const YamlMap& map, std::string_view one,
                 std::initializer_list<const char*> others, const char* message) {
  for (const char* key : others) {
    if (const auto value = map.find(key)) value->error(fmt::format(fmt::runtime(message), one));
  }
}

/// Reads the body of a link from several (1.9). Returns whether there are some.
bool read_bodies(const YamlMap& map, Notation& written, MassProperties& body) {
  const auto value = map.find("bodies");
  if (!value) return false;
  only_one_of(map, "bodies", {"mass", "com", "inertia", "inertia_about", "inertia_frame", "shape"},
              "found beside {}, which set it; expected one of them");
  body = {};
  const auto entries = value->list("a map with mass, com and inertia, or a shape");
  if (entries && entries->empty()) value->not_expected(", with one or more");
  for (std::size_t k = 0; entries && k < entries->size(); ++k) {
    const YamlMap one = body_map<MassProperties>((*entries)[k]);
    MassProperties part;
    fields(FieldReader(one, written), part);
    finish_body(one, written, part);
    body = joined(body, Transform{}, part);
  }
  return true;
}

/// Reads the screw of a joint in its own keys' place (38.12).
std::optional<std::array<double, 6>> read_screw(const YamlMap& map, JointType type, bool is_helical,
                                                const Notation& written) {
  const auto value = map.find("screw");
  if (!value) return std::nullopt;
  only_one_of(map, "screw", {"dh", "axis", "axis_point", "pitch"},
              "found beside {}, which sets it; expected one of them");
  const auto entries = value->list("a number", 6);
  if (!entries) return std::nullopt;
  std::array<double, 6> screw{};
  for (std::size_t i = 0; i < 3; ++i) screw[i] = (*entries)[i].number().value_or(0.0);
  const bool turns = screw != std::array<double, 6>{};
  const FileUnit of_v = turns ? unit_of_lengths(written) : FileUnit{};
  for (std::size_t i = 3; i < 6; ++i) screw[i] = (*entries)[i].number(of_v).value_or(0.0);

  const Vec3 omega{screw[0], screw[1], screw[2]}, v{screw[3], screw[4], screw[5]};
  const double size = length(turns ? omega : v), pitch = dot(omega, v);
  constexpr double of_decimals = 1e-3, no_pitch = 1e-6;  // as of 0.707; m per rad
  const auto error = [&value](const std::string& text) {
    value->error(text);
    return std::nullopt;
  };
  if (turns != is_turning(type)) {
    return error(turns ? "found a rotation of a prismatic joint; expected ω = 0"
                       : "found no rotation; expected type: prismatic, or ω of length 1");
  }
  if (std::abs(size - 1.0) > of_decimals) {
    return error(
        fmt::format("found {} of length {:.6g}; expected length 1", turns ? "ω" : "v", size));
  }
  if (is_helical == (std::abs(pitch) <= no_pitch) && turns) {
    return error(is_helical
                     ? "found ω square to v, a screw without a pitch; expected type: revolute"
                     : fmt::format("found a pitch of {:.6g} m per turn, from v along ω; "
                                   "expected type: helical, or v square to ω",
                                   pitch * 2.0 * std::numbers::pi));
  }
  return screw;
}

/// Reads the joints; those that follow others are the last (`followers_last`).
ReadJoints read_joints(const YamlValue& value, Notation& written, const YamlMap& robot) {
  ReadJoints read;
  const auto entries = value.list("a map with type, dh and mass");
  if (!entries) return read;
  const auto convention = robot.find("convention");
  const bool has_no_table = convention && convention->node().text == convention_words[screws];
  const bool all_in_base = read_word(robot, "body_frame", body_frames) == 1;
  for (const YamlValue& entry : *entries) {
    const YamlMap map = body_map<Joint>(entry);
    const bool follows = map.find("follows").has_value();
    Joint& joint = (follows ? read.followers : read.own).emplace_back();
    joint.name = fmt::format("j{}", read.own.size() + read.followers.size());
    FieldReader reader(map, written);
    fields(reader, joint);
    JointNotation& notation = read.notations.emplace_back();
    notation.is_helical = reader.is_helical();
    notation.screw = read_screw(map, joint.type, reader.is_helical(), written);
    const auto pitch = map.find("pitch");
    const bool has_screw = map.find("screw").has_value();
    if (reader.is_helical() && joint.pitch.value_or(0.0) == 0.0 && !has_screw) {
      (pitch ? *pitch : *map.find("type"))
          .error(
              "found a helical joint without a pitch; expected the length that it moves along "
              "its axis in one turn, other than 0");
    } else if (pitch && !reader.is_helical()) {
      pitch->error("found at a joint that is not helical; expected type: helical");
    }
    if (joint.axis) only_one_of(map, "axis", {"dh"}, "found beside {}; expected one of them");
    if (const auto point = map.find("axis_point"); point && !joint.axis && !has_screw) {
      point->error("found without an axis; expected axis as well");
    }
    if (const auto row = map.find("dh"); row && has_no_table) {
      row->error(
          "found in a file with convention: screws, which has no table; expected axis or "
          "screw, or another convention");
    }
    const bool in_base =
        map.find("body_frame") ? read_word(map, "body_frame", body_frames) == 1 : all_in_base;
    const bool has_bodies = read_bodies(map, written, joint.body);
    const auto frame = has_bodies ? std::nullopt : finish_body(map, written, joint.body);
    written.inertia_frames.push_back(in_base ? std::nullopt : frame);
    notation.is_body_in_base = in_base;
    if (in_base) {  // no fields, whose formulas would be those of numbers
      for (const char* key : {".mass", ".com", ".inertia"}) {
        entry.move_formulas(entry.path() + key, entry.path() + ".body_frame" + key);
      }
    }
  }
  return read;
}

/// Takes screws to axes in the links' frames (38.12), and bodies in base axes to the links' frames.
void place_joints(const std::vector<JointNotation>& notations, Robot& robot) {
  const bool is_any = std::ranges::any_of(
      notations, [](const JointNotation& of) { return of.screw || of.is_body_in_base; });
  if (!is_any) return;
  const std::vector<double> x = positions_at_zero(robot);
  std::vector<Transform> links(notations.size());
  for (const std::size_t k : joints_from_base(robot)) {
    Joint& joint = k < robot.dof() ? robot.joints[k] : robot.followers[k - robot.dof()];
    const std::optional<std::size_t> parent = parent_of(robot, k);
    const Transform before = parent ? links[*parent] : Transform{};
    if (const auto& screw = notations[k].screw) {
      const Vec3 omega{(*screw)[0], (*screw)[1], (*screw)[2]},
          v{(*screw)[3], (*screw)[4], (*screw)[5]};
      const Transform home = before * (joint.origin ? placed(*joint.origin) : Transform{});
      const bool turns = is_turning(joint.type);
      joint.axis = transposed_times(home.R, turns ? omega : v);
      if (turns) {
        const double square = dot(omega, omega);
        joint.axis_point = inverse(home) * ((1.0 / square) * cross(omega, v));
        if (notations[k].is_helical) joint.pitch = 2.0 * std::numbers::pi * dot(omega, v) / square;
      }
    }
    links[k] = before * link_frame_at(joint, robot.convention, x[k]);
    if (notations[k].is_body_in_base) joint.body = moved(inverse(links[k]), joint.body);
  }
}

/// Reads a coupling; without motors where these cannot be read.
Coupling read_coupling(const YamlValue& value) {
  const YamlMap map(value, coupling_keys);
  Coupling coupling;
  const auto motors = map.find("motors");
  const auto numbers = motors ? motors->list("a joint's number, from 1 on") : std::nullopt;
  if (numbers && numbers->empty()) motors->not_expected(", with one or more");
  if (!numbers || numbers->empty()) return coupling;
  for (const YamlValue& entry : *numbers) {
    const auto number = entry.parameter();
    if (number && !(number->value >= 1.0 && number->value <= 1e6 &&
                    number->value == std::floor(number->value))) {
      entry.not_expected();
    } else if (number) {
      coupling.joints.push_back(static_cast<std::size_t>(number->value) - 1);
    }
  }
  const std::size_t size = numbers->size();
  coupling.offsets.resize(size);
  if (const auto matrix = map.find("matrix")) {
    const auto rows = matrix->list("a row of numbers, one per motor", size);
    for (std::size_t m = 0; m < size; ++m) {
      std::vector<double> row(size);
      row[m] = 1.0;  // what cannot be read is no singular matrix as well
      if (rows) row = read_row((*rows)[m], row);
      append(coupling.matrix, row);
    }
  }
  if (const auto offsets = map.find("offsets")) {
    coupling.offsets = read_row(*offsets, coupling.offsets);
  }
  if (const auto value_of_limits = map.find("limits")) {
    const YamlMap limits(*value_of_limits, motor_limits_keys);
    const auto velocity = limits.find("velocity"), torque = limits.find("torque");
    const std::vector<double> positive(size, 1.0);
    if (velocity) coupling.velocity_limits = read_row(*velocity, positive);
    if (torque) coupling.torque_limits = read_row(*torque, positive);
  }
  return coupling.joints.size() < size ? Coupling{} : coupling;
}

std::vector<Coupling> read_couplings(const YamlValue& value) {
  std::vector<Coupling> couplings;
  const auto entries = value.list("a map with motors and matrix");
  if (!entries) return couplings;
  bool is_known = true;  // couplings behind an unknown one would get other numbers
  for (const YamlValue& entry : *entries) {
    Coupling coupling = read_coupling(entry);
    is_known = is_known && !coupling.joints.empty();
    if (is_known) couplings.push_back(std::move(coupling));
  }
  return couplings;
}

/// Reads springs; `rest` is an angle unless the first joint of the row is prismatic.
std::vector<Spring> read_springs(const YamlValue& value, const JointTypes& joints,
                                 Notation& written) {
  std::vector<Spring> springs;
  const auto entries = value.list("a map with stiffness or a table, and row or from and to");
  for (std::size_t k = 0; entries && k < entries->size(); ++k) {
    const YamlValue& entry = (*entries)[k];
    const YamlMap map(entry, keys_of<Spring>());
    Spring& spring = springs.emplace_back();
    spring.name = fmt::format("spring{}", k + 1);
    const YamlNode* const row = find(entry.node(), "row");
    const bool is_named = row != nullptr && !row->entries.empty();
    const auto first = joints.find(is_named ? row->entries[0].key : "");
    const JointType type = row == nullptr          ? JointType::prismatic
                           : first == joints.end() ? JointType::revolute
                                                   : first->second;
    fields(FieldReader(map, written, type), spring);
    const bool has_from = map.find("from").has_value(), has_to = map.find("to").has_value();
    if ((row != nullptr) == has_from || has_from != has_to) {
      entry.error("expected a row, or from and to, the two ends of a spring");
    }
  }
  return springs;
}

std::vector<NamedPose> read_poses(const YamlValue& value, const std::vector<Joint>& joints,
                                  const Notation& written) {
  std::vector<NamedPose> poses;
  if (!value.is_map()) return poses;
  for (const YamlEntry& entry : value.node().entries) {
    const YamlValue pose = value.entry(entry, "a list of joint positions");
    std::vector<double>& q = poses.emplace_back(NamedPose{entry.key, {}}).q;
    const auto positions = pose.list("a joint position");
    for (std::size_t i = 0; positions && i < positions->size(); ++i) {
      const bool turns = i >= joints.size() || is_turning(joints[i].type);
      const FileUnit unit = turns ? unit_of_angles(written) : unit_of_lengths(written);
      q.push_back((*positions)[i].number(unit).value_or(0.0));
    }
  }
  return poses;
}

/// Tests whether the version is 1. A missing one is reported with the other missing keys, and the
/// file read on.
bool version_is_known(const YamlMap& map) {
  const auto version = map.find("armdyn");
  if (!version || version->number().value_or(1.0) == 1.0) return true;
  version->error("found version " + version->node().text +
                 "; this program reads version 1 of the file format");
  return false;
}

/// Leaves nothing but zz of the inertias that were given by zz alone about another point, in a planar
/// arm: the products of mass and distance in the others are of no body.
void keep_zz_alone(ReadRobot& read) {
  constexpr double rounding = 1e-12;
  if (is_mechanism(read.robot) || !is_planar(read.robot)) return;
  for (std::size_t i = 0; i < read.written.inertia_frames.size(); ++i) {
    MassProperties& body = read.robot.joints[i].body;
    const auto& frame = read.written.inertia_frames[i];
    if (!frame || std::abs(placed(*frame).R.row_z.z) < 1.0 - rounding) continue;
    const Vec3 arm = body.com - frame->xyz;
    const double least = rounding * (std::abs(body.inertia.zz) + body.mass * dot(arm, arm));
    const auto [xx, yy, zz, xy, yz, xz] = inertia_in(placed(*frame), body);
    const double other =
        std::max({std::abs(xx), std::abs(yy), std::abs(xy), std::abs(yz), std::abs(xz)});
    if (other <= least) body.inertia = {.zz = body.inertia.zz};
  }
}

}  // namespace

void followers_last(YamlNode& root) {
  const auto joints = std::ranges::find(root.entries, "joints", &YamlEntry::key);
  if (joints == root.entries.end()) return;
  std::vector<YamlNode>& items = joints->value.items;
  const auto has = [](const YamlNode& item, std::string_view key) {
    return find(item, key) != nullptr;
  };
  const auto is_own = [&has](const YamlNode& item) { return !has(item, "follows"); };
  const bool are_maps = std::ranges::all_of(
      items, [](const YamlNode& item) { return item.kind == YamlNode::Kind::map; });
  if (!are_maps || std::ranges::all_of(items, is_own)) return;
  const auto add = [&has](YamlNode& item, const char* key, const std::string& text) {
    if (has(item, key)) return;
    YamlNode value;
    value.kind = YamlNode::Kind::scalar;
    value.mark = item.mark;
    value.text = text;
    value.quoted = true;
    item.entries.push_back({key, item.mark, std::move(value)});
  };
  std::string before(base_name);
  for (std::size_t k = 0; k < items.size(); ++k) {
    add(items[k], "name", fmt::format("j{}", k + 1));
    add(items[k], "parent", before);
    before = find(items[k], "name")->text;
  }
  const YamlMark end = items.back().mark;
  std::stable_partition(items.begin(), items.end(), is_own);
  const auto tool = std::ranges::find(root.entries, "tool", &YamlEntry::key);
  if (tool == root.entries.end()) {
    YamlNode map;
    map.kind = YamlNode::Kind::map;
    map.mark = end;
    add(map, "link", before);
    root.entries.push_back({"tool", map.mark, map});
  } else {
    add(tool->value, "link", before);  // a matrix has it beside its rows
  }
}

std::optional<ReadRobot> read_robot(const YamlNode& root, const ParameterValues& set,
                                    std::vector<Finding>& findings) {
  WrittenNumbers written;
  const YamlValue value(root, "", "the keys armdyn, name, convention and joints", findings,
                        written);
  if (!value.is_map()) return std::nullopt;
  const std::size_t found_before = findings.size();
  static const RobotKeys keys;
  const YamlMap map(value, keys.keys());
  if (!version_is_known(map)) {
    // Unknown and missing keys mean nothing in another version.
    findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(found_before),
                   findings.end() - 1);
    return std::nullopt;
  }
  ReadRobot read;
  read.written.angles = read_choice<AngleUnit>(map, "angle_unit");
  read.written.lengths = read_choice<LengthUnit>(map, "length_unit");
  if (const auto parameters = map.find("parameters")) read_parameters(*parameters, set, written);
  FieldReader reader(map, read.written);
  fields(reader, read.robot);
  place_joints(reader.notations(), read.robot);
  keep_zz_alone(read);
  FileAccuracy accuracy;
  if (const auto identified = map.find("identified")) {
    accuracy.identified = read_identified(*identified);
  }
  accuracy.numbers = std::move(written.by_path);
  read.robot.file_accuracy = std::make_shared<const FileAccuracy>(std::move(accuracy));
  read.parametrization = std::move(written.formulas);
  read.blanks = std::move(written.blanks);
  read.parametrization.meter = unit_of_lengths(read.written).over;
  for (const auto& frame : read.written.inertia_frames) {
    read.parametrization.inertia_about_origin.push_back(frame && is_origin(*frame));
  }
  return read;
}

}  // namespace armdyn
