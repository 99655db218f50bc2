#include "io/robot/xml_tree.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <armdyn/robot.hpp>
#include <array>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <numbers>
#include <set>

#include "io/robot/robot_text.hpp"
#include "io/robot/yaml_tree.hpp"
#include "math/characters.hpp"
#include "math/sin_cos.hpp"
#include "model/joint_kind.hpp"
#include "model/proximal_form.hpp"
#include "model/shown_text.hpp"
#include "model/spring_law.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t most_attributes = 100, most_levels = 100, most_elements = 200'000;

/// Builder of the tree in expat's callbacks.
class XmlBuilder {
 public:
  XmlBuilder() {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), start, end);
    XML_SetCharacterDataHandler(parser_.get(), append);
    XML_SetEntityDeclHandler(parser_.get(), refuse_entity);
  }

  XmlTree parse(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    lines_before_ = static_cast<int>(std::ranges::count(text.substr(0, begin), '\n'));
    text.remove_prefix(begin);
    const XML_Status status =
        XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
    if (thrown_) std::rethrow_exception(thrown_);
    if (!problem_ && status == XML_STATUS_OK) return {std::move(top_.children.front()), {}};
    if (text.empty() || (top_.children.empty() && error() == XML_ERROR_NO_ELEMENTS)) {
      problem_ = {Severity::error, "", "the file is empty, or holds no XML"};
    } else if (!problem_) {
      refuse(why_no_xml());
    }
    return {std::nullopt, {*std::move(problem_)}};
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  [[nodiscard]] int line() const {
    return lines_before_ + static_cast<int>(XML_GetCurrentLineNumber(parser_.get()));
  }
  [[nodiscard]] XML_Error error() const { return XML_GetErrorCode(parser_.get()); }

  /// Does the work of a callback; keeps its exceptions from expat, which is written in C.
  template <class Work>
  static void guarded(void* data, Work work) {
    XmlBuilder& builder = *static_cast<XmlBuilder*>(data);
    if (builder.thrown_ || builder.problem_) return;
    try {
      work(builder);
    } catch (...) {
      builder.thrown_ = std::current_exception();
    }
    if (builder.thrown_ || builder.problem_) XML_StopParser(builder.parser_.get(), XML_FALSE);
  }

  static void start(void* data, const char* name, const char** attributes) {
    guarded(data, [&](XmlBuilder& builder) {
      XmlElement& element = builder.open_.back()->add(name);
      element.line = builder.line();
      for (; *attributes != nullptr; attributes += 2) {
        element.attributes.emplace_back(attributes[0], attributes[1]);
      }
      if (element.attributes.size() > most_attributes) {
        builder.refuse(fmt::format("an element has more than {} attributes; is this a robot file?",
                                   most_attributes));
      }
      if (++builder.elements_ > most_elements) {
        builder.refuse(fmt::format("more than {} elements; is this a robot file?", most_elements));
      }
      if (builder.open_.size() > most_levels) {
        builder.refuse(
            fmt::format("elements lie deeper in one another than {} levels", most_levels));
      }
      builder.open_.push_back(&element);
    });
  }
  void refuse(std::string why) { problem_ = {Severity::error, "", std::move(why), line()}; }

  static void end(void* data, const char* /*name*/) {
    guarded(data, [](XmlBuilder& builder) {
      std::string& text = builder.open_.back()->text;
      text = std::string(trimmed(text, blanks));
      builder.open_.pop_back();
    });
  }

  static void append(void* data, const char* text, int length) {
    guarded(data, [&](XmlBuilder& builder) {
      XmlElement& element = *builder.open_.back();
      if (element.children.empty()) element.text.append(text, static_cast<std::size_t>(length));
    });
  }

  static void refuse_entity(void* data, const char* /*name*/, int /*is_parameter*/,
                            const char* /*value*/, int /*length*/, const char* /*base*/,
                            const char* /*system*/, const char* /*public*/,
                            const char* /*notation*/) {
    guarded(data, [](XmlBuilder& builder) {
      builder.refuse("an entity is defined here; write what it stands for in its place");
    });
  }

  [[nodiscard]] std::string why_no_xml() const {
    constexpr const char* broken =
        "found something else; expected <name attribute=\"value\"> or <!-- a comment -->";
    static constexpr std::pair<XML_Error, const char*> reasons[] = {
        {XML_ERROR_NO_ELEMENTS, "the file ends inside an element"},
        {XML_ERROR_SYNTAX, "a text stands here that belongs to no element; is this XML?"},
        {XML_ERROR_TAG_MISMATCH, "this element is not closed where it should be, or closed twice"},
        {XML_ERROR_DUPLICATE_ATTRIBUTE,
         "found an unreadable attribute; expected name=\"value\", each name once"},
        {XML_ERROR_INVALID_TOKEN, broken},
        {XML_ERROR_UNCLOSED_TOKEN, broken},
        {XML_ERROR_JUNK_AFTER_DOC_ELEMENT,
         "something follows the first element; XML has one at the top"}};
    const auto* const reason =
        std::ranges::find(reasons, error(), &std::pair<XML_Error, const char*>::first);
    if (reason != std::end(reasons)) return reason->second;
    return fmt::format("not XML: {}", XML_ErrorString(error()));
  }

  std::unique_ptr<XML_ParserStruct, Free> parser_{XML_ParserCreate("UTF-8")};
  XmlElement top_;  ///< holds the root
  std::vector<XmlElement*> open_{&top_};
  int lines_before_ = 0;
  std::size_t elements_ = 0;
  std::optional<Finding> problem_;
  std::exception_ptr thrown_;
};

void print(std::string& text, const XmlElement& element, std::size_t depth) {
  const std::string indent(4 * depth, ' ');
  text += indent + "<" + element.name;
  for (const auto& [name, value] : element.attributes) {
    text += fmt::format(" {}=\"{}\"", name, markup_text(value));
  }
  if (element.children.empty() && element.text.empty()) {
    text += "/>\n";
    return;
  }
  text += ">" + markup_text(element.text);
  if (!element.children.empty()) {
    text += '\n';
    for (const XmlElement& child : element.children) print(text, child, depth + 1);
    text += indent;
  }
  text += fmt::format("</{}>\n", element.name);
}

}  // namespace

const std::string* XmlElement::attribute(std::string_view wanted) const {
  const auto found =
      std::ranges::find(attributes, wanted, &std::pair<std::string, std::string>::first);
  return found == attributes.end() ? nullptr : &found->second;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  const auto found = std::ranges::find(children, wanted, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

XmlElement& XmlElement::add(std::string child_name,
                            std::vector<std::pair<std::string, std::string>> child_attributes) {
  return children.emplace_back(XmlElement{std::move(child_name), std::move(child_attributes), {}});
}

namespace {

/// The text with blanks in place of its comments, which may have two dashes within as in many files.
std::string without_comments(std::string_view text) {
  std::string plain(text);
  std::size_t at = 0, end = 0;
  while ((at = plain.find("<!--", end)) != plain.npos) {
    end = plain.find("-->", at + 4);
    if (end == plain.npos) break;
    for (end += 3; at < end; ++at) {
      if (plain[at] != '\n') plain[at] = ' ';
    }
  }
  return plain;
}

}  // namespace

XmlTree parse_xml(std::string_view text) {
  if (auto problem = why_not_text(text, largest_xml)) return {std::nullopt, {*std::move(problem)}};
  return XmlBuilder().parse(without_comments(text));
}

namespace {

/// Text of a file, indented.
std::string xml_text(const XmlElement& root, const std::string& comment) {
  std::string safe = comment;  // in which XML has no "--"
  for (std::size_t at = 0; (at = safe.find("--", at)) != safe.npos;) safe.insert(++at, 1, ' ');
  std::string text = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {} -->\n", safe);
  print(text, root, 0);
  return text;
}

std::string text_of(std::initializer_list<double> numbers) {
  std::string text;
  for (const double number : numbers) {
    if (!text.empty()) text += ' ';
    append_number(text, number + 0.0);
  }
  return text;
}
std::string text_of(const Vec3& v) {
  return text_of({v.x, v.y, v.z});
}

/// The robot's name with characters that XML lacks escaped, and without substitutions of xacro.
std::string plain_name(const std::string& name) {
  std::string text = in_one_line(name);
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i - 1] == '$' && (text[i] == '(' || text[i] == '{')) text[i - 1] = '_';
  }
  return text;
}

/// Names of links and joints.
std::set<std::string> names_of(const SerialChain& chain) {
  std::set<std::string> taken{chain.base_link, chain.tip_link};
  for (const ChainJoint& joint : chain.joints) taken.insert({joint.link, joint.joint.name});
  return taken;
}
/// Takes the name, or a longer one that is not taken yet.
std::string fresh(std::set<std::string>& taken, std::string name) {
  while (!taken.insert(name).second) name += "_";
  return name;
}

// URDF

void add_origin(XmlElement& element, const Transform& T) {
  const Placement place = placement_of(T);
  element.add("origin", {{"xyz", text_of(place.xyz)}, {"rpy", text_of(place.rpy)}});
}

void add_inertial(XmlElement& link, const MassProperties& body) {
  if (body.is_none()) return;
  const auto& [mass, com, I] = body;
  XmlElement& inertial = link.add("inertial");
  add_origin(inertial, {{}, com});
  inertial.add("mass", {{"value", number_text(mass)}});
  inertial.add("inertia", {{"ixx", text_of({I.xx})},
                           {"ixy", text_of({I.xy})},
                           {"ixz", text_of({I.xz})},
                           {"iyy", text_of({I.yy})},
                           {"iyz", text_of({I.yz})},
                           {"izz", text_of({I.zz})}});
}

XmlElement& add_joint(XmlElement& robot, const std::string& name, const std::string& type,
                      const std::string& parent, const std::string& child,
                      const Transform& origin) {
  XmlElement& joint = robot.add("joint", {{"name", name}, {"type", type}});
  add_origin(joint, origin);
  joint.add("parent", {{"link", parent}});
  joint.add("child", {{"link", child}});
  return joint;
}

/// Adds a link that is fixed to another.
XmlElement& add_fixed_link(XmlElement& robot, std::set<std::string>& names, const std::string& link,
                           const std::string& parent, const Transform& place) {
  add_joint(robot, fresh(names, link + "_joint"), "fixed", parent, link, place);
  return robot.add("link", {{"name", link}});
}

void add_moving_joint(XmlElement& robot, const ChainJoint& chain_joint, const std::string& parent) {
  const Joint& joint = chain_joint.joint;
  const bool turns = is_turning(joint.type);
  // Limits of acceleration and jerk are left out: URDF has no words for them.
  const auto& [position, velocity, torque, acceleration, jerk] = joint.limits;
  const char* type = !turns ? "prismatic" : position ? "revolute" : "continuous";
  XmlElement& element =
      add_joint(robot, joint.name, type, parent, chain_joint.link, chain_joint.origin);
  element.add("axis", {{"xyz", text_of(chain_joint.axis)}});
  if (joint.follows) {
    const auto& [followed, factor] = joint.follows->row.front();
    element.add("mimic", {{"joint", followed},
                          {"multiplier", text_of({factor})},
                          {"offset", text_of({joint.follows->offset})}});
  }
  if (position || velocity || torque || !turns) {
    XmlElement& limit = element.add("limit");
    if (position) {
      limit.attributes = {{"lower", text_of({position->lower})},
                          {"upper", text_of({position->upper})}};
    }
    limit.attributes.emplace_back("effort", text_of({torque.value_or(0.0)}));
    limit.attributes.emplace_back("velocity", text_of({velocity.value_or(0.0)}));
  }
  const Friction& friction = joint.friction;
  if (friction == Friction{}) return;
  element.add("dynamics", {{"damping", text_of({friction.viscous})},
                           {"friction", text_of({friction.coulomb.positive})}});
}

void add_transmission(XmlElement& robot, const Joint& joint) {
  const double rotor_inertia = joint.motor.rotor_inertia, gear_ratio = joint.motor.gear_ratio;
  if (rotor_inertia == 0.0 && gear_ratio == 1.0) return;
  XmlElement& element = robot.add("transmission", {{"name", joint.name + "_transmission"}});
  element.add("type").text = "transmission_interface/SimpleTransmission";
  element.add("joint", {{"name", joint.name}});
  XmlElement& actuator = element.add("actuator", {{"name", joint.name + "_motor"}});
  actuator.add("mechanicalReduction").text = number_text(gear_ratio);
  actuator.add("drake:gear_ratio", {{"value", number_text(gear_ratio)}});
  actuator.add("drake:rotor_inertia", {{"value", number_text(rotor_inertia)}});
}

// MJCF

/// Unit quaternion w, x, y, z.
std::array<double, 4> quaternion(const Mat3& R) {
  const Vec3 phi = rotation_vector(R);
  const double angle = length(phi);
  if (angle == 0.0) return {1.0, 0.0, 0.0, 0.0};
  const auto [s, c] = sin_cos(angle / 2);
  const double k = s / angle;
  return {c, k * phi.x, k * phi.y, k * phi.z};
}

/// Adds an element at a place; an empty name is left out.
XmlElement& add_placed(XmlElement& parent, const char* kind, const std::string& name,
                       const Transform& T) {
  XmlElement& element = parent.add(kind);
  if (!name.empty()) element.attributes = {{"name", name}};
  const auto [w, x, y, z] = quaternion(T.R);
  element.attributes.emplace_back("pos", text_of(T.p));
  element.attributes.emplace_back("quat", text_of({w, x, y, z}));
  return element;
}

// Least mass and moment of inertia that MuJoCo takes of a body that moves.
constexpr double least = 1e-15;

/// Adds principal moments and axes: MuJoCo's own are good to some 9 digits only.
void add_mjcf_inertial(XmlElement& body, const MassProperties& mass, const std::string& link) {
  auto [moments, axes] = principal_inertia(mass.inertia);
  const bool is_body = satisfies_triangle_inequality(mass.inertia);
  if (!(mass.mass >= least) || !(moments.x >= least) || !is_body) {
    throw InputError(fmt::format(
        "link {}: MuJoCo refuses a mass of {} kg with principal moments {:.4g}, "
        "{:.4g}, {:.4g} kg·m²: "
        "{}",
        link, mass.mass, moments.x, moments.y, moments.z,
        is_body ? "a body that moves needs some mass and some inertia about each axis"
                : "they are not physically consistent; none may be above the sum of the others"));
  }
  moments.z = std::min(moments.z, moments.x + moments.y);  // MuJoCo allows for no rounding
  const auto [w, x, y, z] = quaternion(transposed(axes));
  body.add("inertial", {{"pos", text_of(mass.com)},
                        {"mass", number_text(mass.mass)},
                        {"quat", text_of({w, x, y, z})},
                        {"diaginertia", text_of(moments)}});
}

/// Where a spring of one stiffness has no load: the sum of its row, rad or m, or its length, m.
double unloaded(const Spring& spring) {
  const double rest = spring.row.empty() ? spring.free_length : spring.rest;
  return rest - spring.preload / spring.stiffness;
}

/// Adds a joint to a body, whose frame stands at q = 0 in that of the joint's link.
void add_mjcf_joint(XmlElement& body, const ChainJoint& chain_joint, const Transform& place,
                    double armature) {
  const Joint& joint = chain_joint.joint;
  XmlElement& element =
      body.add("joint", {{"name", joint.name},
                         {"type", by_kind(joint.type, "hinge", "slide")},
                         {"axis", text_of(transposed_times(place.R, chain_joint.axis))}});
  auto& attributes = element.attributes;
  if (place.p != Vec3{}) attributes.emplace_back("pos", text_of(inverse(place).p));
  if (const auto& range = joint.limits.position) {
    attributes.emplace_back("limited", "true");
    attributes.emplace_back("range", text_of({range->lower, range->upper}));
  }
  if (armature != 0.0) attributes.emplace_back("armature", number_text(armature));
  if (joint.friction.viscous != 0.0) {
    attributes.emplace_back("damping", number_text(joint.friction.viscous));
  }
  if (!joint.friction.coulomb.is_none()) {
    attributes.emplace_back("frictionloss", number_text(joint.friction.coulomb.positive));
  }
}

/// Adds the links that hang on one, with what hangs on them. MuJoCo's own world has the name `world`.
class MjcfBodies {
 public:
  MjcfBodies(const SerialChain& chain, const std::vector<double>& armatures)
      : chain_(chain), armatures_(armatures) {
    std::set<std::string> names = names_of(chain);
    world_ = fresh(names, "world");
    for (const ChainJoint& joint : chain.joints) {
      slides_.push_back(joint.joint.pitch ? fresh(names, joint.joint.name + "_slide") : "");
    }
    for (const Spring& spring : chain.springs) {
      if (!spring.row.empty()) continue;
      for (const auto* const end : {&spring.from, &spring.to}) {
        const bool is_first = end == &spring.from;
        ends_[end] = fresh(names, spring.name + (is_first ? "_from" : "_to"));
      }
    }
  }

  /// Name of the prismatic joint of helical joint i.
  [[nodiscard]] const std::string& slide(std::size_t i) const { return slides_[i]; }
  /// Name of the site at an end of a spring.
  [[nodiscard]] const std::string& site(const LinkPointOf<double>& end) const {
    return ends_.at(&end);
  }

  void add(XmlElement& parent, const std::string& link, const Transform& place) const {
    fill(add_placed(parent, "body", link == "world" ? world_ : link, place), link);
  }

 private:
  /// Adds the link of a joint. Links without mass before it, each with one joint on it, give their
  /// joints to its body.
  void add_moving(XmlElement& parent, std::size_t i) const {
    const std::vector<ChainJoint>& joints = chain_.joints;
    std::vector<std::size_t> before;
    Transform place = joints[i].origin;
    for (; is_between(i); place = place * joints[i].origin) {
      before.push_back(i);
      i = children_of(joints[i].link).front();
    }
    XmlElement& body =
        add_placed(parent, "body", joints[i].link == "world" ? world_ : joints[i].link, place);
    Transform to_link = before.empty() ? Transform{} : inverse(joints[before[0]].origin) * place;
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (k > 0) to_link = inverse(joints[before[k]].origin) * to_link;
      add_mjcf_joint(body, joints[before[k]], to_link, armatures_[before[k]]);
    }
    fill(body, joints[i].link);
  }
  [[nodiscard]] std::vector<std::size_t> children_of(const std::string& link) const {
    std::vector<std::size_t> children;
    for (std::size_t i = 0; i < chain_.joints.size(); ++i) {
      if (parent_of(i) == link) children.push_back(i);
    }
    return children;
  }
  /// Tests whether a joint's link only carries the next joint.
  [[nodiscard]] bool is_between(std::size_t i) const {
    const ChainJoint& joint = chain_.joints[i];
    const auto is_there = [&joint](const auto& end) { return end.first->link == joint.link; };
    return joint.joint.body.is_none() && !joint.joint.pitch && joint.link != last_link() &&
           children_of(joint.link).size() == 1 && std::ranges::none_of(ends_, is_there);
  }
  [[nodiscard]] const std::string& last_link() const {
    return chain_.tip_parent.empty() ? chain_.joints.back().link : chain_.tip_parent;
  }

  void fill(XmlElement& body, const std::string& link) const {
    const std::vector<ChainJoint>& joints = chain_.joints;
    const auto own = std::ranges::find(joints, link, &ChainJoint::link);
    if (own != joints.end()) {
      add_mjcf_inertial(body, own->joint.body, link);
      const auto i = static_cast<std::size_t>(own - joints.begin());
      add_mjcf_joint(body, *own, {}, armatures_[i]);
      if (own->joint.pitch) {
        body.add("joint", {{"name", slides_[i]}, {"type", "slide"}, {"axis", text_of(own->axis)}});
      }
    }
    for (const auto& [end, name] : ends_) {
      if (end->link == link) add_placed(body, "site", name, Transform{{}, end->at});
    }
    for (const std::size_t i : children_of(link)) add_moving(body, i);
    if (link != last_link()) return;
    if (!chain_.payload.is_none()) {
      add_mjcf_inertial(add_placed(body, "body", "", chain_.tip), chain_.payload, "payload");
    }
    add_placed(body, "site", chain_.tip_link, chain_.tip);
  }
  [[nodiscard]] const std::string& parent_of(std::size_t i) const {
    const std::string& parent = chain_.joints[i].parent;
    if (!parent.empty()) return parent;
    return i == 0 ? chain_.base_link : chain_.joints[i - 1].link;
  }

  const SerialChain& chain_;
  const std::vector<double>& armatures_;
  std::string world_;
  std::vector<std::string> slides_;  ///< of helical joints
  std::map<const LinkPointOf<double>*, std::string> ends_;
};

/// Adds the springs: one on a row of joints, or between two sites. A length at rest below 0 would stand
/// for none; that of the opposite row is above.
void add_tendons(XmlElement& mujoco, const SerialChain& chain, const MjcfBodies& bodies) {
  if (chain.springs.empty()) return;
  XmlElement& tendons = mujoco.add("tendon");
  for (const Spring& spring : chain.springs) {
    const double rest = unloaded(spring), sign = rest < 0.0 ? -1.0 : 1.0;
    XmlElement& tendon = tendons.add(spring.row.empty() ? "spatial" : "fixed",
                                     {{"name", spring.name},
                                      {"stiffness", number_text(spring.stiffness)},
                                      {"springlength", text_of({sign * rest})}});
    if (spring.row.empty()) {
      for (const auto* const end : {&spring.from, &spring.to}) {
        tendon.add("site", {{"site", bodies.site(*end)}});
      }
    }
    for (const auto& [joint, factor] : spring.row) {
      tendon.add("joint", {{"joint", joint}, {"coef", text_of({sign * factor})}});
    }
  }
}

}  // namespace

std::string urdf_text(const SerialChain& chain, const std::string& comment) {
  std::set<std::string> names = names_of(chain);
  XmlElement robot{
      "robot", {{"name", plain_name(chain.name)}, {"xmlns:drake", "http://drake.mit.edu"}}, {}};
  if (chain.base != Transform{}) {
    const std::string world = fresh(names, "world");
    robot.add("link", {{"name", world}});
    add_joint(robot, fresh(names, chain.base_link + "_joint"), "fixed", world, chain.base_link,
              chain.base);
  }
  robot.add("link", {{"name", chain.base_link}});
  std::string parent = chain.base_link;
  for (const ChainJoint& joint : chain.joints) {
    add_moving_joint(robot, joint, joint.parent.empty() ? parent : joint.parent);
    XmlElement& link = robot.add("link", {{"name", joint.link}});
    add_inertial(link, joint.joint.body);
    parent = joint.link;
  }
  const std::string& last = chain.tip_parent.empty() ? parent : chain.tip_parent;
  if (chain.tip_link != last) {
    add_fixed_link(robot, names, chain.tip_link, last, chain.tip);
  }
  if (!chain.payload.is_none()) {
    const std::string payload = fresh(names, "payload");
    add_inertial(add_fixed_link(robot, names, payload, chain.tip_link, {}), chain.payload);
  }
  for (const ChainJoint& joint : chain.joints) add_transmission(robot, joint.joint);
  return xml_text(robot, comment);
}

bool is_mjcf_spring(const Spring& spring) {
  return is_straight(spring) && spring.stiffness > 0.0 &&
         (!spring.row.empty() || unloaded(spring) >= 0.0);
}

std::string mjcf_text(const SerialChain& chain, const std::vector<double>& armatures,
                      const std::string& comment) {
  XmlElement mujoco{"mujoco", {{"model", plain_name(chain.name)}}, {}};
  mujoco.add("compiler", {{"angle", "radian"}, {"inertiafromgeom", "false"}});
  mujoco.add("option", {{"gravity", text_of(chain.gravity)}});
  const MjcfBodies bodies(chain, armatures);
  bodies.add(mujoco.add("worldbody"), chain.base_link, chain.base);
  add_tendons(mujoco, chain, bodies);
  const auto follows = [](const ChainJoint& joint) { return joint.joint.follows.has_value(); };
  XmlElement equality{"equality", {}, {}};
  const auto add_equality = [&equality](const std::string& follower, const std::string& followed,
                                        double offset, double factor) {
    equality.add("joint", {{"joint1", follower},
                           {"joint2", followed},
                           {"polycoef", text_of({offset, factor, 0.0, 0.0, 0.0})}});
  };
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    const Joint& joint = chain.joints[i].joint;
    if (joint.follows) {
      const auto& [followed, factor] = joint.follows->row.front();
      add_equality(joint.name, followed, joint.follows->offset, factor);
    }
    if (joint.pitch) {
      add_equality(bodies.slide(i), joint.name, 0.0, *joint.pitch * (0.5 * std::numbers::inv_pi));
    }
  }
  if (!equality.children.empty()) mujoco.children.push_back(std::move(equality));
  XmlElement& actuators = mujoco.add("actuator");
  for (const ChainJoint& joint : chain.joints) {
    if (follows(joint)) continue;
    XmlElement& motor =
        actuators.add("motor", {{"name", joint.joint.name}, {"joint", joint.joint.name}});
    if (const auto& torque = joint.joint.limits.torque) {
      motor.attributes.emplace_back("ctrllimited", "true");
      motor.attributes.emplace_back("ctrlrange", text_of({-*torque, *torque}));
    }
  }
  return xml_text(mujoco, comment);
}

}  // namespace armdyn
