#include "io/robot/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "io/text/nearest_name.hpp"
#include "io/text/number_text.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/proximal_form.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

constexpr std::size_t most_joints = 100;  // of an arm
constexpr std::size_t most_named = 12;    // of a list in a message

/// Tells whether a joint moves by itself; floating and planar ones do, and are refused on a chain.
bool is_free(const UrdfJoint& joint) {
  return joint.kind != UrdfJoint::Kind::fixed && joint.mimics.empty();
}

/// Links as nodes, joints as edges down from the root.
class Tree {
 public:
  /// Reports errors of links and joints that make no tree.
  Tree(const Urdf& urdf, Report& report) : urdf_(urdf) {
    for (std::size_t i = 0; i < urdf.links.size(); ++i) index_.emplace(urdf.links[i].name, i);
    above_.assign(urdf.links.size(), nullptr);
    below_.resize(urdf.links.size());
    for (const UrdfJoint& joint : urdf.joints) connect(joint, report);
    if (!report.has_error()) find_order(report);
    depth_.assign(urdf.links.size(), 0);
    for (auto link = order_.rbegin(); link != order_.rend(); ++link) {
      for (const UrdfJoint* joint : below_[*link]) {
        depth_[*link] = std::max(depth_[*link], depth_[child(*joint)] + (is_free(*joint) ? 1 : 0));
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

  /// Longest way down from a link, in free joints.
  [[nodiscard]] std::size_t depth(std::size_t link) const { return depth_[link]; }

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

  /// Free joints on a link and all held to it. On an arm, a joint that others mimic and that carries
  /// none is of its gripper, and left out.
  [[nodiscard]] std::vector<const UrdfJoint*> arms_on(std::size_t link, bool is_arm) const {
    std::vector<const UrdfJoint*> arms;
    for (const std::size_t held : held_to(link)) {
      for (const UrdfJoint* joint : below_[held]) {
        if (!is_free(*joint)) continue;
        const bool grips = is_arm && mimicked_.contains(joint->name) && depth(child(*joint)) == 0;
        if (!grips) arms.push_back(joint);
      }
    }
    return arms;
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
    if (!joint.mimics.empty()) mimicked_.insert(joint.mimics);
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
      report.error({"", first.line},
                   "every link has a parent, so that {} hangs on itself; expected a "
                   "tree with one root",
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
                   "hangs on itself in a ring of joints; expected a tree");
      return;
    }
  }

  const Urdf& urdf_;
  std::map<std::string, std::size_t> index_;
  std::vector<const UrdfJoint*> above_;
  std::vector<std::vector<const UrdfJoint*>> below_;
  std::vector<std::size_t> order_;  // parents before children
  std::vector<std::size_t> depth_;
  std::set<std::string> mimicked_;
};

/// A possible end of an arm.
struct Candidate {
  std::size_t link = 0;
  std::size_t joints = 0;
};

/// Ends of the arms that begin at a link. Branches shorter than the arm that carries them are its
/// gripper.
std::vector<Candidate> candidates(const Tree& tree, std::size_t base) {
  std::vector<Candidate> open{{base, 0}}, ends;
  while (!open.empty()) {
    const Candidate at = open.back();
    open.pop_back();
    const auto arms = tree.arms_on(at.link, at.joints > 0);
    const bool grips = at.joints >= 2 && std::ranges::all_of(arms, [&](const UrdfJoint* joint) {
                         return arms.size() > 1 && tree.depth(tree.child(*joint)) + 1 < at.joints;
                       });
    if (arms.empty() || grips) {
      ends.push_back(at);
      continue;
    }
    for (const UrdfJoint* joint : arms) open.push_back({tree.child(*joint), at.joints + 1});
  }
  return ends;
}

/// Tool frame on the last link of an arm: the only end of fixed links there, or one of such a name.
std::size_t tool_link(const Tree& tree, std::size_t last) {
  std::vector<std::size_t> fixed{last}, ends;
  for (std::size_t k = 0; k < fixed.size(); ++k) {
    const std::size_t before = fixed.size();
    for (const UrdfJoint* joint : tree.below(fixed[k])) {
      if (joint->kind == UrdfJoint::Kind::fixed) fixed.push_back(tree.child(*joint));
    }
    if (fixed.size() == before) ends.push_back(fixed[k]);
  }
  if (ends.size() == 1) return ends.front();
  for (const std::string_view word : {"tool0", "tcp", "tool", "end_effector", "ee", "flange"}) {
    for (const std::size_t link : fixed) {
      if (tree.link(link).name.find(word) != std::string::npos) return link;
    }
  }
  return last;
}

std::string not_unique(const Tree& tree, std::size_t base, const std::vector<Candidate>& ends) {
  std::vector<Candidate> sorted = ends;
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Candidate::joints);
  const auto tip = [&](const Candidate& end) {
    return fmt::format("{} ({})", tree.link(tool_link(tree, end.link)).name,
                       counted(end.joints, "joint"));
  };
  return fmt::format("{} chains end at {}; choose one, and where it begins: --base {} --tip {}",
                     ends.size(), listed(each(sorted, tip), most_named), tree.link(base).name,
                     tree.link(tool_link(tree, sorted.front().link)).name);
}

/// Name of a joint in a robot file.
std::string joint_word(const std::string& name, std::set<std::string>& taken) {
  std::string word;
  for (const char c : name) word += is_letter_or_digit(c) || c == '-' ? c : '_';
  if (word.empty() || !is_letter(word[0])) word = "j" + word;
  while (!taken.insert(word).second) word += "_";
  return word;
}

class ChainMaker {
 public:
  ChainMaker(const Tree& tree, Report& report) : tree_(tree), report_(report) {}

  std::optional<UrdfChain> make(const Urdf& urdf, std::size_t base, std::size_t tip) {
    find_path(base, tip);
    if (!path_is_possible(base, tip)) return std::nullopt;
    UrdfChain result;
    SerialChain& chain = result.chain;
    chain.name = joint_word(urdf.name, taken_);
    taken_.clear();
    chain.base_link = tree_.link(base).name;
    chain.base = pose_in_root(base);
    chain.tip_link = tree_.link(tip).name;
    const std::vector<MassProperties> bodies = composite_bodies();

    Transform origin;
    for (const UrdfJoint* joint : path_) {
      origin = origin * placed(joint->origin);
      if (!joint->moves()) continue;
      ChainJoint made;
      made.link = joint->child;
      made.origin = origin;
      made.axis = joint->axis;
      made.joint.name = joint_word(joint->name, taken_);
      made.joint.type =
          joint->kind == UrdfJoint::Kind::prismatic ? JointType::prismatic : JointType::revolute;
      made.joint.body = bodies[tree_.child(*joint)];
      made.joint.friction = joint->friction;
      made.joint.motor = joint->motor;
      made.joint.limits = joint->limits;
      if (made.joint.name != joint->name) {
        report_.warning(joint->at(),
                        "a name of letters, digits, _ and - is needed; it is called {}",
                        made.joint.name);
      }
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

  bool path_is_possible(std::size_t base, std::size_t tip) {
    std::size_t free = 0;
    for (const UrdfJoint* joint : path_) {
      if (joint->moves() && !joint->mimics.empty()) {
        report_.error(joint->at(),
                      "follows {} (mimic), and is part of the chain; armdyn has no joints "
                      "that follow others",
                      joint->mimics);
      } else if (!joint->moves() && joint->kind != UrdfJoint::Kind::fixed) {
        report_.error(joint->at(),
                      "is {}, and part of the chain; expected revolute, continuous, prismatic "
                      "or fixed; --base {} begins behind it",
                      joint->kind == UrdfJoint::Kind::floating ? "floating" : "planar",
                      joint->child);
      }
      if (joint->moves()) ++free;
    }
    if (free == 0 || free > most_joints) {
      report_.error(
          {"", path_.empty() ? 0 : path_.front()->line}, "{}",
          free == 0 ? fmt::format("found no joint that moves from {} to {}; expected at least one",
                                  tree_.link(base).name, tree_.link(tip).name)
                    : fmt::format("found a chain of {} joints; an arm has at most {}; --base and "
                                  "--tip choose a part",
                                  free, most_joints));
    }
    return !report_.has_error();
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

  /// Body of each link with all links on it that no joint of the chain moves.
  std::vector<MassProperties> composite_bodies() const {
    std::vector<MassProperties> bodies(tree_.order().size());
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i] = tree_.link(i).body;
    for (auto link = tree_.order().rbegin(); link != tree_.order().rend(); ++link) {
      const UrdfJoint* above = tree_.above(*link);
      if (above == nullptr || (above->moves() && on_path_.contains(above))) continue;
      MassProperties& parent = bodies[tree_.parent(*above)];
      parent = joined(parent, placed(above->origin), bodies[*link]);
    }
    return bodies;
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
        const bool is_own = above->moves() && on_path_.contains(above);
        made.parent = parent->second;
        made.joints = placed.links[made.parent].joints + (is_own ? 1 : 0);
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
      if (links.empty()) line = link.line;
      links.push_back(link.name);
    }
    if (links.empty()) return;
    report_.warning(
        {"", line},
        "no mass, neither own nor of what is fixed to it: {}; torques lack what is missing",
        listed(links, most_named));
  }

  const Tree& tree_;
  Report& report_;
  std::vector<const UrdfJoint*> path_;  // base to tip, fixed ones too
  std::set<const UrdfJoint*> on_path_;
  std::set<std::string> taken_;
};

}  // namespace

std::optional<UrdfChain> choose_chain(const Urdf& urdf, const RobotReading& reading,
                                      Report& report) {
  const Tree tree(urdf, report);
  if (report.has_error()) return std::nullopt;
  const std::size_t base = reading.base.empty() ? tree.root() : tree.named("--base", reading.base);
  std::size_t tip = 0;
  if (!reading.tip.empty()) {
    tip = tree.named("--tip", reading.tip);
    std::size_t link = tip;
    while (link != base && tree.above(link) != nullptr) link = tree.parent(*tree.above(link));
    if (link != base) {
      throw Error(fmt::format("--tip: {} does not hang on {}, where the chain is to begin",
                              reading.tip, tree.link(base).name));
    }
  } else {
    const std::vector<Candidate> ends = candidates(tree, base);
    if (ends.size() > 1) {
      report.error({"", tree.link(base).line}, "{}", not_unique(tree, base, ends));
      return std::nullopt;
    }
    tip = tool_link(tree, ends.front().link);
  }
  return ChainMaker(tree, report).make(urdf, base, tip);
}

}  // namespace armdyn
