#include "io/robot/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <tuple>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "math/rotation.hpp"
#include "model/mechanism.hpp"
#include "model/proximal_form.hpp"
#include "model/shown_text.hpp"
#include "text/nearest_name.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_joints = 100;  // of an arm
constexpr std::size_t most_named = 12;    // of a list in a message
constexpr std::size_t most_ends = 100;    // of chains, in a message

/// Tests whether a chain may go through a joint, unless it follows another.
bool is_of_arm(const UrdfJoint& joint) {
  return joint.moves() || joint.kind == UrdfJoint::Kind::fixed;
}

/// Tests whether a joint moves by itself; floating and planar ones do, and are refused on a chain.
bool is_free(const UrdfJoint& joint) {
  return joint.kind != UrdfJoint::Kind::fixed && joint.mimics.empty();
}

/// What hangs on a link, itself among it.
struct Carried {
  std::size_t joints = 0;  ///< free ones, on the longest way down
  std::size_t links = 1;
  double mass = 0.0;   ///< kg
  double reach = 0.0;  ///< m, along the longest way down
};

/// Links as nodes, joints as edges down from the root.
class Tree {
 public:
  /// Reports errors of links and joints that make no tree.
  Tree(const Urdf& urdf, Report& report) : urdf_(urdf) {
    for (std::size_t i = 0; i < urdf.links.size(); ++i) index_.emplace(urdf.links[i].name, i);
    above_.assign(urdf.links.size(), nullptr);
    below_.resize(urdf.links.size());
    for (const UrdfJoint& joint : urdf.joints) connect(joint, report);
    for (const UrdfJoint& joint : urdf.joints) {
      const auto is_followed = [&joint](const UrdfJoint& other) {
        return &other != &joint && other.name == joint.mimics;
      };
      if (joint.mimics.empty() || std::ranges::any_of(urdf.joints, is_followed)) continue;
      report.warning(joint.at(), "mimic: there is no other joint {}; this one is fixed",
                     shown_text(joint.mimics));
      following_none_.push_back(&joint);
    }
    if (!report.has_error()) find_order(report);
    carried_.resize(urdf.links.size());
    for (auto link = order_.rbegin(); link != order_.rend(); ++link) {
      Carried& all = carried_[*link];
      all.mass = urdf.links[*link].body.mass;
      for (const UrdfJoint* joint : below_[*link]) {
        const Carried& one = carried_by(*joint);
        all.joints = std::max(all.joints, one.joints + (is_free(*joint) ? 1 : 0));
        all.links += one.links;
        all.mass += one.mass;
        all.reach = std::max(all.reach, length(joint->origin.xyz) + one.reach);
      }
    }
  }

  [[nodiscard]] std::size_t root() const { return order_.front(); }
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
  [[nodiscard]] const std::vector<const UrdfJoint*>& below(std::size_t link) const {
    return below_[link];
  }
  [[nodiscard]] const UrdfJoint* above(std::size_t link) const { return above_[link]; }
  [[nodiscard]] const UrdfLink& link(std::size_t i) const { return urdf_.links[i]; }
  [[nodiscard]] std::size_t child(const UrdfJoint& joint) const { return index_.at(joint.child); }
  [[nodiscard]] std::size_t parent(const UrdfJoint& joint) const { return index_.at(joint.parent); }
  [[nodiscard]] std::size_t at(const std::string& link) const { return index_.at(link); }

  /// Link of an option. Throws Error.
  [[nodiscard]] std::size_t named(const std::string& option, const std::string& name) const {
    const auto found = index_.find(name);
    if (found != index_.end()) return found->second;
    std::vector<std::string> names;
    for (const UrdfLink& link : urdf_.links) names.push_back(in_one_line(link.name));
    const std::string near =
        did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()));
    throw Error(fmt::format("{}: there is no link {}{}", option, shown_text(name),
                            near.empty() ? "; there are " + listed(names, 12) : near));
  }

  /// Joints on a link and all on it that would follow a joint that there is not.
  [[nodiscard]] std::vector<const UrdfJoint*> following_none(std::size_t base) const {
    std::vector<const UrdfJoint*> joints;
    for (const UrdfJoint* joint : following_none_) {
      if (joint->moves() && hangs_on(base, parent(*joint))) joints.push_back(joint);
    }
    return joints;
  }

  /// What a joint moves.
  [[nodiscard]] const Carried& carried_by(const UrdfJoint& joint) const {
    return carried_[child(joint)];
  }

  /// Way down from a link to another, along the origins of the joints between, in m.
  [[nodiscard]] double way(std::size_t from, std::size_t to) const {
    double sum = 0.0;
    for (; to != from; to = parent(*above_[to])) sum += length(above_[to]->origin.xyz);
    return sum;
  }

  /// Links held to this one by joints that are not free, itself first.
  [[nodiscard]] std::vector<std::size_t> held_to(std::size_t link) const {
    std::vector<std::size_t> held{link};
    for (std::size_t k = 0; k < held.size(); ++k) {
      for (const UrdfJoint* joint : below_[held[k]]) {
        if (!is_free(*joint)) held.push_back(child(*joint));
      }
    }
    return held;
  }

  /// Joints on a link and all held to it that are free, or that follow others.
  [[nodiscard]] std::vector<const UrdfJoint*> joints_on(std::size_t link, bool free) const {
    std::vector<const UrdfJoint*> joints;
    for (const std::size_t held : held_to(link)) {
      for (const UrdfJoint* joint : below_[held]) {
        if (free ? is_free(*joint) : !joint->mimics.empty()) joints.push_back(joint);
      }
    }
    return joints;
  }

  /// Tests whether a link is another or hangs on it.
  [[nodiscard]] bool hangs_on(std::size_t base, std::size_t link) const {
    while (link != base && above_[link] != nullptr) link = parent(*above_[link]);
    return link == base;
  }

  /// Body of each link with all links on it that no joint of the arm moves.
  [[nodiscard]] std::vector<MassProperties> composite_bodies(const auto& is_own) const {
    std::vector<MassProperties> bodies = each(urdf_.links, &UrdfLink::body);
    for (auto link = order_.rbegin(); link != order_.rend(); ++link) {
      const UrdfJoint* above = above_[*link];
      if (above == nullptr || is_own(*above)) continue;
      MassProperties& on = bodies[parent(*above)];
      on = joined(on, placed(above->origin), bodies[*link]);
    }
    return bodies;
  }

 private:
  void connect(const UrdfJoint& joint, Report& report) {
    const auto parent = index_.find(joint.parent), child = index_.find(joint.child);
    for (const auto& [end, name, found] :
         {std::tuple{"parent", joint.parent, parent}, std::tuple{"child", joint.child, child}}) {
      if (found == index_.end()) {
        report.error(joint.at(), "{}: there is no link {}", end, shown_text(name));
      }
    }
    if (parent == index_.end() || child == index_.end()) return;
    const UrdfJoint*& above = above_[child->second];
    if (above != nullptr) {
      report.error(joint.at(),
                   "child: link {} is already the child of joint {} in line {}; expected "
                   "one parent per link",
                   joint.child, above->name, above->line);
      return;
    }
    above = &joint;
    below_[parent->second].push_back(&joint);
  }

  void find_order(Report& report) {
    std::vector<std::string> roots;
    for (std::size_t i = 0; i < above_.size(); ++i) {
      if (above_[i] != nullptr) continue;
      order_.push_back(i);
      roots.push_back(fmt::format("{} (line {})", urdf_.links[i].name, urdf_.links[i].line));
    }
    const UrdfLink& first = urdf_.links.front();
    if (roots.empty()) {
      report.error(
          {"", first.line},
          "every link has a parent, so that {} is its own ancestor; expected a tree with one root",
          first.name);
    } else if (roots.size() > 1) {
      report.error({"", first.line}, "{} links have no parent joint: {}; expected one, the root",
                   roots.size(), listed(roots, most_named));
    }
    if (roots.size() != 1) return;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      for (const UrdfJoint* joint : below_[order_[k]]) order_.push_back(child(*joint));
    }
    for (std::size_t i = 0; order_.size() < urdf_.links.size() && i < urdf_.links.size(); ++i) {
      if (std::ranges::find(order_, i) != order_.end()) continue;
      report.error({"link " + link(i).name, link(i).line},
                   "its joints form a ring; expected a tree");
      return;
    }
  }

  const Urdf& urdf_;
  std::map<std::string, std::size_t> index_;
  std::vector<const UrdfJoint*> above_;
  std::vector<std::vector<const UrdfJoint*>> below_;
  std::vector<const UrdfJoint*> following_none_;
  std::vector<std::size_t> order_;  // parents before children
  std::vector<Carried> carried_;
};

/// Width of a joint's range, rad or m; 0 without limits.
double width(const UrdfJoint& joint) {
  const Range range = joint.limits.position.value_or(Range{});
  return range.upper - range.lower;
}

/// Tests whether two joints move much the same, as those of a gripper do: no finger turns by more
/// than half a turn.
bool move_the_same(const Tree& tree, const UrdfJoint& a, const UrdfJoint& b) {
  const auto [light, heavy] = std::minmax(tree.carried_by(a).mass, tree.carried_by(b).mass);
  return a.kind == b.kind && heavy <= 2.0 * light && width(a) <= std::numbers::pi;
}

/// Tests whether two branches, by their first joints, are alike.
bool are_alike(const Tree& tree, const UrdfJoint& a, const UrdfJoint& b) {
  const Carried &by_a = tree.carried_by(a), &by_b = tree.carried_by(b);
  return move_the_same(tree, a, b) && by_a.joints == by_b.joints && by_a.links == by_b.links &&
         a.limits.torque == b.limits.torque && a.limits.velocity == b.limits.velocity &&
         std::abs(width(a) - width(b)) <= 1e-6;
}

/// Tests whether branches are plainly fingers: the longest are alike.
bool are_fingers(const Tree& tree, const std::vector<const UrdfJoint*>& branches) {
  if (branches.size() > most_joints) return false;
  std::size_t alike = 0, single = 0;  // joints of the longest
  for (const UrdfJoint* one : branches) {
    const auto count = std::ranges::count_if(
        branches, [&](const UrdfJoint* other) { return are_alike(tree, *one, *other); });
    std::size_t& longest = count > 1 ? alike : single;
    longest = std::max(longest, tree.carried_by(*one).joints + 1);
  }
  return single < alike;
}

/// A possible end of an arm.
struct Candidate {
  std::size_t link = 0;
  std::size_t joints = 0;
  double length = 0.0;  ///< m, behind the first joint
  double mass = 0.0;    ///< kg, behind the last fork
};

/// Ends of the arms that begin at a link, in the order of the file. A gripper ends an arm: a joint
/// that one beside it follows, moving the same, or fingers, which have fewer joints and half the
/// length of the arm at most. Where branches may be a gripper or not, the arm may end there, too.
std::vector<Candidate> candidates(const Tree& tree, std::size_t base) {
  std::vector<Candidate> open{{.link = base}}, ends;
  while (!open.empty()) {
    const Candidate at = open.back();
    open.pop_back();
    std::vector<const UrdfJoint*> arms = tree.joints_on(at.link, true);
    std::multimap<std::string_view, const UrdfJoint*> followers;
    for (const UrdfJoint* joint : tree.joints_on(at.link, false)) {
      followers.emplace(joint->mimics, joint);
    }
    bool may_end = false;
    std::erase_if(arms, [&](const UrdfJoint* joint) {
      if (at.joints == 0 || tree.carried_by(*joint).joints > 0) return false;
      const auto [begin, end] = followers.equal_range(joint->name);
      const bool may_grip = joint->kind != UrdfJoint::Kind::continuous;
      const bool grips = may_grip && std::any_of(begin, end, [&](const auto& follower) {
                           return move_the_same(tree, *joint, *follower.second);
                         });
      may_end = may_end || (begin != end && !grips);
      return grips;
    });
    const bool all_shorter =
        at.joints > 1 && arms.size() > 1 && std::ranges::all_of(arms, [&](const UrdfJoint* joint) {
          const Carried& branch = tree.carried_by(*joint);
          return branch.joints + 1 < at.joints && 2.0 * branch.reach <= at.length;
        });
    if (all_shorter && are_fingers(tree, arms)) arms.clear();
    if (arms.empty() || all_shorter || may_end) ends.push_back(at);
    const bool is_fork = arms.size() > 1;
    for (auto joint = arms.rbegin(); joint != arms.rend(); ++joint) {
      const std::size_t child = tree.child(**joint);
      open.push_back({child, at.joints + ((*joint)->moves() ? 1 : 0),
                      at.joints == 0 ? 0.0 : at.length + tree.way(at.link, child),
                      is_fork ? tree.carried_by(**joint).mass : at.mass});
    }
  }
  return ends;
}

/// Tool frame on the last link of an arm: the only end of fixed links there, or one of such a name.
struct ToolLink {
  std::size_t link;
  bool is_named = false;
};
ToolLink tool_link(const Tree& tree, std::size_t last) {
  std::vector<std::size_t> fixed{last}, ends;
  for (std::size_t k = 0; k < fixed.size(); ++k) {
    const std::size_t before = fixed.size();
    for (const UrdfJoint* joint : tree.below(fixed[k])) {
      if (joint->kind == UrdfJoint::Kind::fixed) fixed.push_back(tree.child(*joint));
    }
    if (fixed.size() == before) ends.push_back(fixed[k]);
  }
  for (const std::string_view word :
       {"tool0", "tcp", "tool", "end_effector", "ee", "attachment", "flange"}) {
    for (const std::size_t link : fixed) {
      if (tree.link(link).name.find(word) == std::string::npos) continue;
      return {ends.size() == 1 ? ends.front() : link, true};
    }
  }
  return {ends.size() == 1 ? ends.front() : last};
}

/// Name of a kind of joint that no arm has.
const char* kind_word(const UrdfJoint& joint) {
  return joint.kind == UrdfJoint::Kind::floating ? "floating"
         : joint.kind == UrdfJoint::Kind::ball   ? "a ball joint"
                                                 : "planar";
}

/// The reason why the joints on a link are no mechanism together; empty: they are.
std::string obstacle_to_all(const Urdf& urdf, const Tree& tree, std::size_t base) {
  std::size_t free = 0;
  for (const UrdfJoint& joint : urdf.joints) {
    if (!tree.hangs_on(base, tree.parent(joint))) continue;
    if (!is_of_arm(joint)) return fmt::format("joint {} is {}", joint.name, kind_word(joint));
    if (is_free(joint)) ++free;
  }
  if (free <= most_joints) return "";
  return fmt::format("they have {} joints, and an arm at most {}", free, most_joints);
}

/// Several ends that an arm may have.
struct SeveralEnds {
  std::size_t likely;  ///< link of the tool frame at the first end that has mass
  std::string text;    ///< all of them, and the options that choose that one
};
SeveralEnds several_ends(const Tree& tree, std::size_t base, std::vector<Candidate> ends,
                         const std::string& obstacle) {
  std::ranges::stable_sort(ends, std::ranges::greater{}, [&tree](const Candidate& end) {
    return std::tuple(end.joints, tool_link(tree, end.link).is_named, end.mass);
  });
  const auto tip = [&](const Candidate& end) {
    return fmt::format("{} ({})", tree.link(tool_link(tree, end.link).link).name,
                       counted(end.joints, "joint"));
  };
  const auto has_mass = [](const Candidate& end) { return end.mass > 0.0; };
  const auto heavy = std::ranges::find_if(ends, has_mass);
  const Candidate& likely = heavy == ends.end() ? ends.front() : *heavy;
  std::size_t begin = likely.link;
  while (begin != base && is_of_arm(*tree.above(begin))) begin = tree.parent(*tree.above(begin));
  const std::size_t end = tool_link(tree, likely.link).link;
  const std::string& name = tree.link(end).name;
  return {end, fmt::format("{} chains end at {}; {}; --base {} --tip {} takes one", ends.size(),
                           listed(each(ends, tip), most_ends),
                           obstacle.empty() ? "all are taken, with the tool at " + name
                                            : "not taken together, since " + obstacle,
                           tree.link(begin).name, name)};
}

/// Joint at the end of an arm that follows one of the arm's, or none.
const UrdfJoint* follower_at_end(const Tree& tree, std::size_t base, std::size_t end) {
  std::set<std::string> own;
  for (std::size_t link = end; link != base; link = tree.parent(*tree.above(link))) {
    own.insert(tree.above(link)->name);
  }
  const auto followers = tree.joints_on(end, false);
  const auto found = std::ranges::find_if(
      followers, [&](const UrdfJoint* joint) { return own.contains(joint->mimics); });
  return found == followers.end() ? nullptr : *found;
}

/// Name of a joint in a robot file.
std::string joint_word(const std::string& name, std::set<std::string>& taken) {
  std::string word;
  for (const char c : name) word += is_letter_or_digit(c) || c == '-' ? c : '_';
  if (word.empty() || !is_letter(word[0])) word = "j" + word;
  while (!taken.insert(word).second) word += "_";
  return word;
}

/// The joint of a robot, by that name, with the body of its link.
Joint named_joint(const UrdfJoint& joint, const std::string& name, const MassProperties& body,
                  Report& report) {
  if (name != joint.name) {
    report.warning(joint.at(), "a name of letters, digits, _ and - is needed; it is called {}",
                   name);
  }
  Joint made;
  made.name = name;
  made.type = joint.kind == UrdfJoint::Kind::prismatic ? JointType::prismatic : JointType::revolute;
  made.pitch = joint.pitch;
  made.body = body;
  made.friction = joint.friction;
  made.motor = joint.motor;
  made.limits = joint.limits;
  return made;
}

/// The rotation that takes z to a unit vector: quarter turns where that is along an axis.
Mat3 z_to(const Vec3& u) {
  const double side = u.z < 0.0 ? -1.0 : 1.0;
  const double x = side * u.x, y = side * u.y, z = side * u.z, k = 1.0 / (1.0 + z);
  return {{1.0 - x * x * k, -side * (x * y * k), side * x},
          {-(x * y * k), side * (1.0 - y * y * k), side * y},
          {-x, -side * y, side * z}};
}

/// Makes a robot of a tree's joints where they stand, each about the z of its own frame.
class MechanismMaker {
 public:
  MechanismMaker(const Tree& tree, std::size_t base, Report& report)
      : tree_(tree), base_(base), report_(report) {}

  /// Takes these joints as those with a position of their own, and all that follow them, below links
  /// that they move or on the way to the tip.
  void choose(const Urdf& urdf, std::vector<const UrdfJoint*> own, std::size_t tip) {
    own_ = std::move(own);
    tendons_ = urdf.tendons;
    taken_.insert(own_.begin(), own_.end());
    std::set<const UrdfJoint*> way;
    for (std::size_t link = tip; link != base_; link = tree_.parent(*tree_.above(link))) {
      way.insert(tree_.above(link));
    }
    for (bool found = true; found;) {
      found = false;
      for (const UrdfJoint& joint : urdf.joints) {
        if (!joint.moves() || taken_.contains(&joint) || !joint.factor || *joint.factor == 0.0) {
          continue;
        }
        const bool follows = std::ranges::any_of(
            taken_, [&](const UrdfJoint* other) { return other->name == joint.mimics; });
        if (!follows || !(way.contains(&joint) || is_carried(joint))) continue;
        followers_.push_back(&joint);
        taken_.insert(&joint);
        found = true;
      }
    }
  }
  /// Tests whether the arm is more than a chain: by joints that follow others, helical ones, or springs.
  [[nodiscard]] bool is_needed() const {
    return !followers_.empty() || std::ranges::any_of(own_, [](const UrdfJoint* joint) {
      return joint->stiffness > 0.0 || joint->pitch;
    }) || std::ranges::any_of(tendons_, [this](const Urdf::Tendon& of) { return acts(of); });
  }
  [[nodiscard]] bool takes(const UrdfJoint& joint) const { return taken_.contains(&joint); }
  [[nodiscard]] std::vector<const UrdfJoint*> joints() const {
    std::vector<const UrdfJoint*> all = own_;
    append(all, followers_);
    return all;
  }

  /// The robot, but for name, gravity and base.
  Robot make(std::size_t tip) {
    Robot robot;
    robot.convention = Convention::modified;
    const std::vector<MassProperties> bodies =
        tree_.composite_bodies([this](const UrdfJoint& joint) { return takes(joint); });
    std::set<std::string> words;
    for (const UrdfJoint* joint : joints()) names_[joint->name] = joint_word(joint->name, words);
    for (const UrdfJoint* joint : joints()) {
      const auto [parent, to_parent] = carrier(tree_.parent(*joint));
      const Transform axis{z_to(joint->axis), {}};
      Joint made = named_joint(
          *joint, names_[joint->name],
          moved(Transform{transposed(axis.R), {}}, bodies[tree_.child(*joint)]), report_);
      made.parent = parent == nullptr ? std::string(base_name) : names_[parent->name];
      made.origin = placement_of(to_parent * placed(joint->origin) * axis);
      if (std::ranges::find(own_, joint) != own_.end()) {
        robot.joints.push_back(std::move(made));
      } else {
        made.motor = {};
        made.limits.torque.reset();
        made.follows = {{{names_[joint->mimics], *joint->factor}}, joint->offset};
        robot.followers.push_back(std::move(made));
      }
    }
    for (const UrdfJoint* joint : followers_) add_rotor(*joint, robot);
    for (const UrdfJoint* joint : joints()) {
      if (joint->stiffness == 0.0) continue;
      Spring& spring = robot.springs.emplace_back();
      spring.name = names_[joint->name];
      spring.row = {{names_[joint->name], 1.0}};
      spring.rest = joint->spring_rest;
      spring.stiffness = joint->stiffness;
    }
    for (const Urdf::Tendon& tendon : tendons_) {
      if (acts(tendon)) robot.springs.push_back(spring_of(tendon));
    }
    const auto [last, tool] = carrier(tip);
    if (last != nullptr) robot.tool_link = names_[last->name];
    robot.tool = placement_of(tool);
    limit_by_followers(robot);
    return robot;
  }

  /// The moving joint of the mechanism that carries a link, or null, and the link in its frame, or in
  /// that of the base.
  [[nodiscard]] std::pair<const UrdfJoint*, Transform> carrier(std::size_t link) const {
    Transform T;
    while (link != base_) {
      const UrdfJoint* const above = tree_.above(link);
      if (takes(*above)) return {above, Transform{transposed(z_to(above->axis)), {}} * T};
      T = placed(above->origin) * T;
      link = tree_.parent(*above);
    }
    return {nullptr, T};
  }

 private:
  /// Tests whether a joint of the mechanism carries this one, or the base, as that of a bar.
  [[nodiscard]] bool is_carried(const UrdfJoint& joint) const {
    bool is_on_base = true;  // by joints that do not move
    for (const UrdfJoint* above = &joint; above != nullptr;
         above = tree_.above(tree_.parent(*above))) {
      if (takes(*above)) return true;
      is_on_base = is_on_base && (above == &joint || !above->moves());
      if (tree_.parent(*above) == base_) return is_on_base;
    }
    return false;
  }

  /// Adds the rotor of a joint to that of the joint which it follows, by the ratio of their speeds.
  void add_rotor(const UrdfJoint& follower, Robot& robot) const {
    double ratio = follower.motor.gear_ratio;
    const UrdfJoint* joint = &follower;
    for (; !joint->mimics.empty(); joint = taken(joint->mimics)) ratio *= *joint->factor;
    const auto own = std::ranges::find(own_, joint) - own_.begin();
    Motor& motor = robot.joints[static_cast<std::size_t>(own)].motor;
    ratio /= motor.gear_ratio;
    motor.rotor_inertia += ratio * ratio * follower.motor.rotor_inertia;
  }

  [[nodiscard]] const UrdfJoint* taken(const std::string& name) const {
    const auto found = std::ranges::find(taken_, name, &UrdfJoint::name);
    return found == taken_.end() ? nullptr : *found;
  }
  [[nodiscard]] bool acts(const Urdf::Tendon& tendon) const {
    if (tendon.row.empty()) {
      const std::size_t from = tree_.at(tendon.from), to = tree_.at(tendon.to);
      return tree_.hangs_on(base_, from) && tree_.hangs_on(base_, to) &&
             carrier(from).first != carrier(to).first;
    }
    return std::ranges::any_of(tendon.row,
                               [this](const Followed& of) { return taken(of.joint) != nullptr; });
  }
  /// The spring of a tendon; joints that are none of the mechanism are at 0.
  [[nodiscard]] Spring spring_of(const Urdf::Tendon& tendon) const {
    Spring spring;
    spring.name = tendon.name;
    for (const auto& [joint, factor] : tendon.row) {
      if (taken(joint) != nullptr) spring.row.push_back({names_.at(joint), factor});
    }
    const bool is_on_row = !spring.row.empty();
    if (!is_on_row) {
      const auto point = [this](const std::string& site) {
        const auto [above, T] = carrier(tree_.at(site));
        return LinkPointOf<double>{
            above == nullptr ? std::string(base_name) : names_.at(above->name), T.p};
      };
      spring.from = point(tendon.from);
      spring.to = point(tendon.to);
    }
    (is_on_row ? spring.rest : spring.free_length) = tendon.rest;
    const double k = tendon.stiffness;
    if (tendon.end == tendon.rest) {
      spring.stiffness = k;
    } else {
      spring.piecewise = {{-1.0, k}, {0.0, 0.0}, {tendon.end - tendon.rest, k}};
    }
    return spring;
  }

  const Tree& tree_;
  std::size_t base_;
  Report& report_;
  std::vector<const UrdfJoint*> own_, followers_;
  std::set<const UrdfJoint*> taken_;
  std::vector<Urdf::Tendon> tendons_;
  std::map<std::string, std::string> names_;  // of the robot's joints, by those of the file
};

/// The right angle that an angle has the digits of, as 1.5708 and 3.14159 have; else the angle.
double typed_angle(double radians, double within) {
  constexpr double units_off = 5.0;  // of the last digit: truncated, or those of a float
  const std::string text = number_text(radians);
  const std::size_t point = std::min(text.find('.'), text.size() - 1);
  const double unit = std::pow(10.0, -static_cast<double>(text.size() - point - 1));
  const double right = nearly_right(radians, std::min(within, units_off * unit));
  return right == 0.0 ? radians : right;
}

/// Takes angles of joints that are right but for their digits as right. Those of MJCF have no digits.
void take_right_angles(Urdf& urdf, double within, Report& report) {
  constexpr double matters = 1e-8;  // rad
  std::vector<std::pair<const UrdfJoint*, double>> taken;
  for (UrdfJoint& joint : urdf.joints) {
    for (double* const angle : {&joint.origin.rpy.x, &joint.origin.rpy.y, &joint.origin.rpy.z}) {
      const double right =
          urdf.is_mjcf ? nearly_right(*angle, within) : typed_angle(*angle, within);
      if (std::abs(right - *angle) > matters) taken.emplace_back(&joint, *angle);
      *angle = right;
    }
  }
  if (taken.empty()) return;
  const auto& [joint, angle] = taken.front();
  report.warning(
      joint->at(),
      "rpy: {:.9g} is taken as a right angle{}; armdyn convert --snap 0,0 takes it as written",
      angle, taken.size() == 1 ? "" : fmt::format(", {} such angles in all", taken.size()));
}

/// Makes a chain of a tree, whose right angles are taken as right: of a table, which a person reads and closed
/// forms are written of, farther off than of a mechanism.
class ChainMaker {
 public:
  ChainMaker(const Tree& tree, double right_within, Report& report)
      : tree_(tree), right_within_(right_within), report_(report) {}

  /// A mechanism of the chain to the tip and of what follows its joints, or of all joints; nothing
  /// where the chain has none that follows another.
  std::optional<UrdfChain> make_mechanism(Urdf& urdf, std::size_t base, std::size_t tip,
                                          bool of_all_joints = false) {
    std::vector<const UrdfJoint*> own;
    find_path(base, tip);
    for (const UrdfJoint* joint : path_) {
      if (joint->moves() && joint->mimics.empty()) own.push_back(joint);
    }
    if (of_all_joints) {
      own.clear();
      for (const UrdfJoint& joint : urdf.joints) {
        if (joint.moves() && joint.mimics.empty() && tree_.hangs_on(base, tree_.parent(joint)))
          own.push_back(&joint);
      }
    }
    MechanismMaker mechanism(tree_, base, report_);
    mechanism.choose(urdf, own, tip);
    if (!mechanism.is_needed() && !of_all_joints) return std::nullopt;
    UrdfChain result;
    result.joints = mechanism.joints();
    on_path_.insert(result.joints.begin(), result.joints.end());
    if (!of_all_joints && !path_is_possible(base, tip, &mechanism)) return std::nullopt;
    constexpr double as_written = 1e-9;  // rad, off a right angle
    take_right_angles(urdf, std::min(right_within_, as_written), report_);
    Robot& robot = result.mechanism.emplace(mechanism.make(tip));
    robot.name = joint_word(urdf.name, taken_);
    robot.gravity = urdf.gravity;
    robot.base = placement_of(pose_in_root(base));
    result.chain.base_link = tree_.link(base).name;
    result.chain.tip_link = tree_.link(tip).name;
    for (const UrdfJoint& joint : urdf.joints) {
      if (joint.kind != UrdfJoint::Kind::fixed && !mechanism.takes(joint)) {
        result.fixed.push_back(joint.name);
      }
    }
    (void)as_placed(base, tip);  // its warning of joints that are taken as fixed
    const std::string followers =
        robot.followers.empty()
            ? ""
            : fmt::format(", and {} that follow{} others", robot.followers.size(),
                          robot.followers.size() == 1 ? "s" : "");
    result.notes.push_back(fmt::format("mechanism from {} to {}, {}{}", result.chain.base_link,
                                       result.chain.tip_link, counted(robot.dof(), "joint"),
                                       followers));
    return result;
  }

  std::optional<UrdfChain> make(Urdf& urdf, std::size_t base, std::size_t tip) {
    find_path(base, tip);
    if (!path_is_possible(base, tip)) return std::nullopt;
    take_right_angles(urdf, right_within_, report_);
    UrdfChain result;
    SerialChain& chain = result.chain;
    chain.name = joint_word(urdf.name, taken_);
    taken_.clear();
    chain.gravity = urdf.gravity;
    chain.base_link = tree_.link(base).name;
    chain.base = pose_in_root(base);
    chain.tip_link = tree_.link(tip).name;
    const std::vector<MassProperties> bodies =
        tree_.composite_bodies([this](const UrdfJoint& joint) { return is_own(joint); });

    Transform origin;
    for (const UrdfJoint* joint : path_) {
      origin = origin * placed(joint->origin);
      if (!joint->moves()) continue;
      ChainJoint made;
      made.link = joint->child;
      made.origin = origin;
      made.axis = joint->axis;
      made.joint = named_joint(*joint, joint_word(joint->name, taken_), bodies[tree_.child(*joint)],
                               report_);
      chain.joints.push_back(std::move(made));
      result.joints.push_back(joint);
      origin = {};
    }
    chain.tip = origin;
    for (const UrdfJoint& joint : urdf.joints) {
      if (joint.kind != UrdfJoint::Kind::fixed && !on_path_.contains(&joint)) {
        result.fixed.push_back(joint.name);
      }
    }
    result.placed = as_placed(base, tip);
    warn_of_massless(result);
    result.notes.push_back(fmt::format("chain from {} to {}, {}", chain.base_link, chain.tip_link,
                                       counted(chain.joints.size(), "joint")));
    return result;
  }

 private:
  void find_path(std::size_t base, std::size_t tip) {
    for (std::size_t link = tip; link != base; link = tree_.parent(*tree_.above(link))) {
      path_.push_back(tree_.above(link));
    }
    std::ranges::reverse(path_);
    on_path_.insert(path_.begin(), path_.end());
  }

  bool path_is_possible(std::size_t base, std::size_t tip,
                        const MechanismMaker* mechanism = nullptr) {
    std::size_t free = 0;
    std::string without;  // the first that follows
    for (const UrdfJoint* joint : path_) {
      if (mechanism != nullptr && !joint->mimics.empty() && mechanism->takes(*joint)) continue;
      if (joint->moves() && !joint->mimics.empty()) {
        if (without.empty()) {
          without = free > 0 ? fmt::format("--tip {} ({}) ends before it", joint->parent,
                                           counted(free, "joint"))
                             : fmt::format("--base {} begins behind it", joint->child);
        }
        report_.error(
            joint->at(),
            "follows {} (mimic); expected another joint of the arm, a factor and an offset, and no "
            "circle; {}",
            joint->mimics, without);
      } else if (!is_of_arm(*joint)) {
        report_.error(joint->at(),
                      "is {}, and part of the chain; expected revolute, continuous, prismatic "
                      "or fixed; --base {} begins behind it",
                      kind_word(*joint), joint->child);
      }
      if (joint->moves()) ++free;
    }
    if (free == 0 || free > most_joints) {
      report_.error(
          {"", path_.empty() ? 0 : path_.front()->line}, "{}",
          free == 0
              ? fmt::format("found no joint that moves from {} to {}; expected at least one{}",
                            tree_.link(base).name, tree_.link(tip).name, fixed_by_mimic(base))
              : fmt::format("found a chain of {} joints; an arm has at most {}; --base and "
                            "--tip choose a part",
                            free, most_joints));
    }
    return !report_.has_error();
  }

  /// Continues a message that no joint moves by those that follow none; empty without any.
  [[nodiscard]] std::string fixed_by_mimic(std::size_t base) const {
    const std::vector<std::string> fixed =
        each(tree_.following_none(base), [](const UrdfJoint* joint) {
          return fmt::format("{} (mimic of {})", joint->name, shown_text(joint->mimics));
        });
    if (fixed.empty()) return "";
    return "; fixed, since there is no such other joint: " + listed(fixed, most_named);
  }

  Transform pose_in_root(std::size_t link) {
    Transform pose;
    std::vector<std::string> frozen;
    for (const UrdfJoint* joint = tree_.above(link); joint != nullptr;
         joint = tree_.above(tree_.parent(*joint))) {
      pose = placed(joint->origin) * pose;
      if (joint->kind != UrdfJoint::Kind::fixed) frozen.push_back(joint->name);
    }
    if (!frozen.empty()) {
      report_.warning({"", tree_.link(link).line},
                      "below the base of the chain, taken as fixed at zero: {}",
                      listed(frozen, most_named));
    }
    return pose;
  }

  [[nodiscard]] bool is_own(const UrdfJoint& joint) const {
    return joint.moves() && on_path_.contains(&joint);
  }

  /// Links from the root to the tip, and others on those that move, their joints fixed.
  [[nodiscard]] AsPlaced as_placed(std::size_t base, std::size_t tip) {
    std::set<std::size_t> way{tip};
    for (const UrdfJoint* above = tree_.above(tip); above != nullptr;
         above = tree_.above(tree_.parent(*above))) {
      way.insert(tree_.parent(*above));
    }
    AsPlaced placed;
    std::map<std::size_t, std::size_t> places;  // of links, in `placed`
    std::vector<std::string> frozen;
    int line = tree_.link(base).line;
    for (const std::size_t link : tree_.order()) {
      const UrdfJoint* above = tree_.above(link);
      const auto parent = above == nullptr ? places.end() : places.find(tree_.parent(*above));
      const bool hangs = parent != places.end() && placed.links[parent->second].joints > 0;
      if (!hangs && !way.contains(link)) continue;
      const UrdfLink& own = tree_.link(link);
      AsPlaced::Link made{.inertial = own.inertial, .body = {own.body.mass, {}, own.written}};
      if (above != nullptr) {
        made.parent = parent->second;
        made.joints = placed.links[made.parent].joints + (is_own(*above) ? 1 : 0);
        made.origin = above->origin;
        made.axis = above->axis;
        if (hangs && above->kind != UrdfJoint::Kind::fixed && !on_path_.contains(above)) {
          if (frozen.empty()) line = above->line;
          frozen.push_back(above->name);
        }
      }
      if (link == tip) placed.tool = placed.links.size();
      places.emplace(link, placed.links.size());
      placed.links.push_back(made);
    }
    if (!frozen.empty()) {
      report_.warning({"", line}, "off the chain, taken as fixed at zero with what {} carr{}: {}",
                      frozen.size() == 1 ? "it" : "they", frozen.size() == 1 ? "ies" : "y",
                      listed(frozen, most_named));
    }
    return placed;
  }

  void warn_of_massless(const UrdfChain& result) {
    std::vector<std::string> links;
    int line = 0;
    for (std::size_t i = 0; i < result.joints.size(); ++i) {
      if (result.chain.joints[i].joint.body.mass > 0.0) continue;
      const UrdfLink& link = tree_.link(tree_.child(*result.joints[i]));
      if (link.is_between) continue;
      if (links.empty()) line = link.line;
      links.push_back(link.name);
    }
    if (links.empty()) return;
    report_.warning({"", line},
                    "links without mass, also in what is fixed to them: {}; torques lack theirs",
                    listed(links, most_named));
  }

  const Tree& tree_;
  double right_within_;  // rad
  Report& report_;
  std::vector<const UrdfJoint*> path_;  // base to tip, fixed ones too
  std::set<const UrdfJoint*> on_path_;
  std::set<std::string> taken_;
};

}  // namespace

std::optional<UrdfChain> choose_chain(Urdf& urdf, const RobotFileOptions& reading, Report& report) {
  const double right_within = reading.snap.value_or(Snap{}).angle;
  const Tree tree(urdf, report);
  if (report.has_error()) return std::nullopt;
  const std::size_t base = reading.base.empty() ? tree.root() : tree.named("--base", reading.base);
  std::size_t tip = 0;
  if (!reading.tip.empty()) {
    tip = tree.named("--tip", reading.tip);
    if (!tree.hangs_on(base, tip)) {
      throw Error(fmt::format("--tip: {} is no descendant of {}, where the chain begins",
                              reading.tip, tree.link(base).name));
    }
  } else {
    const std::vector<Candidate> ends = candidates(tree, base);
    if (ends.size() > 1) {
      const std::string obstacle = obstacle_to_all(urdf, tree, base);
      const SeveralEnds found = several_ends(tree, base, ends, obstacle);
      const Report::At at{"", tree.link(base).line};
      if (!obstacle.empty()) {
        report.error(at, "{}", found.text);
        return std::nullopt;
      }
      report.warning(at, "{}", found.text);
      return ChainMaker(tree, right_within, report).make_mechanism(urdf, base, found.likely, true);
    }
    const std::size_t end = ends.front().link;
    const UrdfJoint* follower = follower_at_end(tree, base, end);
    tip = tool_link(tree, follower == nullptr ? end : tree.child(*follower)).link;
  }
  auto mechanism =
      ChainMaker(tree, right_within, report).make_mechanism(urdf, base, tip, reading.all_joints);
  if (mechanism || report.has_error()) return mechanism;
  return ChainMaker(tree, right_within, report).make(urdf, base, tip);
}

}  // namespace armdyn
