#include "datasheet/datasheet.hpp"

#include <armdyn/error.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "math/each.hpp"
#include "model/joint_kind.hpp"
#include "model/mechanism.hpp"

namespace armdyn {

namespace {

double magnitude(const Range& range) {
  return std::max(std::abs(range.lower), std::abs(range.upper));
}

/// Most of a drive's friction at any position and any speed up to this one, N·m or N.
double most_friction(const Drive& drive, double speed) {
  const auto& [friction, motor] = drive;
  return magnitude(dry_range(friction, 0)) * (1.0 + friction.ripple.amplitude) +
         std::abs(motor.gear_ratio) * magnitude(dry_range(motor, 0)) +
         magnitude(smooth_range(friction, 0)) + viscous_friction(drive) * speed;
}

/// Number of the first link of a chain that moves, or of its links.
std::size_t first_that_moves(const std::vector<JointRowOf<double>>& rows) {
  std::size_t i = 0;
  while (i < rows.size() && rows[i].joints.empty()) ++i;
  return i;
}

/// Axis in {0} of a link of a serial arm that rotates about the vertical through {0}; else none.
std::optional<Vec3> vertical_axis(const Arm& arm, std::span<const double> q, std::size_t link) {
  const auto [R, p] = link_frames<double>(arm, q)[link];
  const Vec3 z = column_z(R);
  const bool is_vertical =
      is_turning(arm.links[link].joint) && cross(z, arm.v_dot_0) == Vec3{} && cross(z, p) == Vec3{};
  return is_vertical ? std::optional(z) : std::nullopt;
}

/// Tests whether joint 1 rotates all links about the vertical through {0}, and moves nothing else.
bool turns_about_the_vertical(const Arm& arm) {
  const std::vector<double> zero(arm.dof());
  if (arm.is_serial()) return vertical_axis(arm, zero, 0).has_value();
  std::optional<Vec3> turn;  // of all chains, per rad of joint 1
  const auto moves = [](const JointRowOf<double>& row) {
    return std::ranges::count(row.joints, std::size_t{0}) > 0;
  };
  return std::ranges::all_of(arm.chains,
                             [&](const Chain& chain) {
                               const std::size_t first = first_that_moves(chain.rows);
                               if (first == chain.rows.size() ||
                                   chain.rows[first].joints != std::vector<std::size_t>{0} ||
                                   std::ranges::count_if(chain.rows, moves) != 1) {
                                 return false;
                               }
                               const std::vector<double> at =
                                   joint_positions<double>(chain.rows, zero);
                               const std::optional<Vec3> z = vertical_axis(chain.arm, at, first);
                               if (!z) return false;
                               const Vec3 own = chain.rows[first].factors[0] * *z;
                               if (!turn) turn = own;
                               return own == *turn;
                             }) &&
         std::ranges::none_of(arm.springs, [&moves](const auto& spring) {
           const bool is_on_row = !spring.row.joints.empty();
           return is_on_row ? moves(spring.row) : !spring.from.link || !spring.to.link;
         });
}

/// Positions of the joints of the chain that ends at the tool.
template <class S>
std::vector<S> tool_chain_positions(const Arm& arm, std::span<const S> q) {
  if (arm.is_serial()) return {q.begin(), q.end()};
  return joint_positions<S>(arm.chains.front().rows, q);
}

/// Adds what each joint moves in a chain. The first link that it moves turns about its own axis alone, or
/// moves along it; others add to the inertia.
void add_moved(const MovingLinks& moving, const std::vector<JointRowOf<double>>* rows,
               const std::vector<Range>& ranges, std::vector<Moved>& moved) {
  const std::vector<MovingLink>& links = moving.links;
  const auto row_of = [&](const MovingLink& link) {
    return rows == nullptr ? JointRowOf<double>{{link.row}, {1.0}, 0.0} : (*rows)[link.row];
  };
  double reach = 0.0;  // most distance of the link's origin from {0}
  std::vector<double> beyond;
  for (const MovingLink& link : links) {
    const auto& [joints, factors, offset] = row_of(link);
    reach += length(link.before.p);
    if (!is_turning(link.joint)) {
      reach += std::abs(offset);
      for (std::size_t k = 0; k < joints.size(); ++k) {
        reach += std::abs(factors[k]) * magnitude(ranges[joints[k]]);
      }
    }
    const auto& I = link.body.inertia;
    beyond.push_back(
        std::pow(std::sqrt(link.body.mass) * reach + std::sqrt(I.xx + I.yy + I.zz), 2.0));
  }
  for (std::size_t m = links.size(); m-- > 1;) beyond[m - 1] += beyond[m];
  std::vector<bool> moves(moved.size());
  for (std::size_t m = 0; m < links.size(); ++m) {
    const CompositeBody<double>& body = links[m].body;
    const double own = is_turning(links[m].joint) ? body.inertia.zz : body.mass;
    const auto& [joints, factors, offset] = row_of(links[m]);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      if (moves[joints[k]]) continue;
      moves[joints[k]] = true;
      auto& [least, mass, inertia] = moved[joints[k]];
      least += factors[k] * factors[k] * own;
      mass += links[m].mass;
      inertia += beyond[m];
    }
  }
}

/// Tests whether each link takes energy to turn, which published inertias may contradict.
bool takes_energy(const Arm& chain) {
  return std::ranges::all_of(chain.links, [](const Link& link) {
    const auto& [x, y, z] = principal_moments(link.body.inertia);
    return std::min({x, y, z}) >= 0.0;
  });
}

double lower_end(double x) {
  return x;
}
double lower_end(const TaylorModel& x) {
  return x.lower();
}

/// The arm whose only mass is a unit point mass at that place in the tool frame.
MovingArm unit_load_alone(const Arm& loaded, const Vec3& center) {
  Arm arm = loaded;
  const auto unload = [](Arm& chain) {
    for (Link& link : chain.links) link.body = {};
  };
  unload(arm);
  for (Chain& chain : arm.chains) unload(chain.arm);
  arm.springs.clear();
  Arm& to_tool = arm.is_serial() ? arm : arm.chains.front().arm;
  to_tool.links.back().body = {1.0, to_tool.tool * center, {}};
  return MovingArm(std::move(arm));
}

struct PayloadConditions {
  const LimitedArm& limited;
  const LoadCase& load;
  MovingArm load_alone = unit_load_alone(limited.arm, load.center);

  template <class S>
  bool operator()(std::span<const S> q, Tightest<S>& tightest) const {
    S beyond(0.0);
    if (load.reach) {
      const std::vector<S> x = tool_chain_positions(limited.arm, q);
      beyond = square_of_distance<S>(limited.tcp, x) - S(*load.reach * *load.reach);
      if (lower_end(beyond) > 0.0) return false;
    }
    const bool at_rest = load.accelerations.empty();
    const TermsOf of = at_rest ? TermsOf::rest : TermsOf::accelerations;
    const auto own = motion_terms<S>(limited.arm, q, of, base_rows);
    const auto unit = motion_terms<S>(load_alone, q, of, base_rows);
    for (std::size_t i = 0; i < limited.dof(); ++i) {
      if (!tightest.is_open(i)) continue;
      const std::size_t row = base_rows + i;
      S constant(0.0), factor(0.0);
      for (std::size_t j = 0; j < load.accelerations.size(); ++j) {
        const S rotor(i == j ? limited.rotors[i] : 0.0);
        const double a = load.accelerations[j];
        constant = constant + a * above_magnitude(S(own.inertia(row, j) + rotor));
        factor = factor + a * above_magnitude(unit.inertia(row, j));
      }
      const double most = limited.torques[i] - (at_rest ? 0.0 : limited.losses[i]);
      if (std::isinf(most)) continue;
      for (const double sign : {1.0, -1.0}) {
        tightest.add({constant + sign * own.rest[row], factor + sign * unit.rest[row], most, i,
                      load.reach ? &beyond : nullptr});
      }
    }
    return true;
  }
};

/// Σ speeds_jk q̇_j q̇_k over |q̇_j| ≤ speeds_j: what is above it, at the corners of these speeds, by
/// the signs of q̇ (39.7). `keep(sum)` is called for each.
template <class S>
void for_each_corner(std::span<const S> products, std::span<const double> speeds,
                     const auto& keep) {
  const std::size_t n = speeds.size();
  S squares(0.0);
  for (std::size_t k = 0; k < n; ++k) {
    squares =
        squares + speeds[k] * speeds[k] * above_positive_part(products[MotionTerms<S>::pair(k, k)]);
  }
  for (std::size_t signs = 0; signs < std::size_t{1} << (n - 1); ++signs) {
    const auto speed = [&](std::size_t k) {
      return (signs >> k & 1U) != 0 ? -speeds[k] : speeds[k];
    };
    S sum = squares;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < k; ++j) {
        sum = sum + speed(j) * speed(k) * products[MotionTerms<S>::pair(j, k)];
      }
    }
    keep(sum, speed);
  }
}

/// Products of the speeds of a corner from which the sum is raised, joint by joint, to a maximum.
double raised(std::span<const double> products, std::vector<double> qd,
              std::span<const double> speeds) {
  const std::size_t n = qd.size();
  const auto product = [&](std::size_t j, std::size_t k) {
    return products[MotionTerms<double>::pair(std::min(j, k), std::max(j, k))];
  };
  for (int sweep = 0; sweep < 4; ++sweep) {
    for (std::size_t j = 0; j < n; ++j) {
      double slope = 0.0;
      for (std::size_t k = 0; k < n; ++k) slope += k == j ? 0.0 : product(j, k) * qd[k];
      const double bend = product(j, j);
      const double corner = slope < 0.0 ? -speeds[j] : speeds[j];
      qd[j] = bend < 0.0 ? std::clamp(-0.5 * slope / bend, -speeds[j], speeds[j]) : corner;
    }
  }
  double sum = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j <= k; ++j) sum += product(j, k) * qd[j] * qd[k];
  }
  return sum;
}

/// Adds conditions whose constants are `constant` and the largest sum of the products: in a form above
/// it for each corner, or of doubles its value.
template <class S>
void add_at_all_speeds(const std::vector<S>& products, std::span<const double> speeds,
                       const Condition<S>& condition, Tightest<S>& tightest) {
  const auto with = [&](const S& sum) {
    Condition<S> at_speeds = condition;
    at_speeds.constant = condition.constant + sum;
    return at_speeds;
  };
  if constexpr (std::is_same_v<S, double>) {
    double most = -std::numeric_limits<double>::infinity();
    std::vector<double> best(speeds.size());
    for_each_corner<S>(products, speeds, [&](double sum, const auto& speed) {
      if (sum <= most) return;
      most = sum;
      for (std::size_t k = 0; k < best.size(); ++k) best[k] = speed(k);
    });
    tightest.add(with(raised(products, best, speeds)));
  } else {
    S above(0.0);  // all corners
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      for (std::size_t j = 0; j <= k; ++j) {
        const S& product = products[MotionTerms<S>::pair(j, k)];
        above = above + speeds[j] * speeds[k] *
                            (j == k ? above_positive_part(product) : above_magnitude(product));
      }
    }
    if (!tightest.is_lowered_by(with(above))) return;
    for_each_corner<S>(products, speeds,
                       [&](const S& sum, const auto& /*speed*/) { tightest.add(with(sum)); });
  }
}

template <class S>
std::vector<S> scaled_list(std::span<const S> list, double k) {
  return each(list, [k](const S& x) { return S(k * x); });
}

struct AccelerationConditions {
  const LimitedArm& limited;
  std::span<const double> ratio;
  std::vector<double> speeds;

  template <class S>
  bool operator()(std::span<const S> q, Tightest<S>& tightest) const {
    const bool at_rest = std::ranges::all_of(speeds, [](double most) { return most == 0.0; });
    const auto terms = motion_terms<S>(
        limited.arm, q, at_rest ? TermsOf::accelerations : TermsOf::speeds, base_rows);
    for (std::size_t i = 0; i < limited.dof(); ++i) {
      if (std::isinf(limited.torques[i]) || !tightest.is_open(i)) continue;
      const std::size_t row = base_rows + i;
      S factor(0.0);
      for (std::size_t j = 0; j < limited.dof(); ++j) {
        const S rotor(i == j ? limited.rotors[i] : 0.0);
        factor = factor + ratio[j] * above_magnitude(S(terms.inertia(row, j) + rotor));
      }
      for (const double sign : {1.0, -1.0}) {
        const Condition<S> slow{sign * terms.rest[row], factor,
                                limited.torques[i] - limited.losses[i], i};
        if (at_rest) {
          tightest.add(slow);
        } else {
          add_at_all_speeds<S>(scaled_list(terms.speeds.row(row), sign), speeds, slow, tightest);
        }
      }
    }
    return true;
  }
};

/// Number of directions across the vertical: any is within half the angle between neighbors of one.
constexpr std::size_t directions_around = 16;

std::vector<Vec3> directions_of(BaseLoad load, const Vec3& up) {
  if (load == BaseLoad::vertical || load == BaseLoad::turning) return {up};
  const Vec3 aside = std::abs(up.x) < 0.5 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
  Vec3 across = cross(up, aside);
  across = 1.0 / length(across) * across;
  const Vec3 along = cross(up, across);
  std::vector<Vec3> directions;
  for (std::size_t k = 0; k < directions_around / 2; ++k) {  // and their opposites
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / directions_around;
    directions.push_back(std::cos(angle) * across + std::sin(angle) * along);
  }
  return directions;
}

/// −(the load) as the largest x with load + x ≤ 0.
struct BaseConditions {
  const LimitedArm& limited;
  std::vector<Vec3> directions;
  std::size_t first_row;         ///< of the force or the moment
  std::span<const double> most;  ///< accelerations, or of stops torques
  bool stops;
  bool is_about_joint_1;  ///< the load is the moment about the axis of a serial arm's joint 1

  /// Most of |u · A_j| / M_jj where |u · A_j| is at most `most_of_load`: by the energies of both motions
  /// (39.12a).
  [[nodiscard]] double largest_share(std::size_t j, double most_of_load,
                                     double least_in_box) const {
    if (j == 0 && is_about_joint_1) return 1.0;
    if (limited.moved.empty()) return std::numeric_limits<double>::infinity();
    const auto& [least, mass, inertia] = limited.moved[j];
    const double own = std::max(least + limited.rotors[j], least_in_box);
    if (!(own > 0.0)) return std::numeric_limits<double>::infinity();
    const double by_energy = std::sqrt((first_row == 0 ? mass : inertia) / own);
    return std::min(by_energy, most_of_load / own) * (1.0 + 1e-12);
  }

  template <class S>
  bool operator()(std::span<const S> q, Tightest<S>& tightest) const {
    const auto terms = motion_terms<S>(limited.arm, q, TermsOf::speeds);
    for (const Vec3& u : directions) {
      const auto along = [&](const auto& entry) {
        return S(u.x * entry(first_row) + u.y * entry(first_row + 1) + u.z * entry(first_row + 2));
      };
      const S rest = along([&](std::size_t r) { return terms.rest[r]; });
      std::vector<S> products, inertia;
      for (std::size_t c = 0; c < terms.speeds.columns(); ++c) {
        products.push_back(along([&](std::size_t r) { return terms.speeds(r, c); }));
      }
      for (std::size_t j = 0; j < limited.dof(); ++j) {
        inertia.push_back(along([&](std::size_t r) { return terms.inertia(r, j); }));
      }
      S driven(0.0);
      for (std::size_t j = 0; j < limited.dof(); ++j) {
        if (stops) {  // (39.12)
          const S own = terms.inertia(base_rows + j, j) + S(limited.rotors[j]);
          const double largest = largest_share(j, armdyn::magnitude(inertia[j]), lower_end(own));
          driven = driven + most[j] * above_magnitude(kept(S(inertia[j] / own), largest));
        } else {
          driven = driven + most[j] * above_magnitude(inertia[j]);
        }
      }
      for (const double sign : {1.0, -1.0}) {
        add_at_all_speeds<S>(scaled_list(std::span<const S>(products), sign), limited.speeds,
                             {sign * rest + driven, S(1.0), 0.0}, tightest);
      }
    }
    return true;
  }
};

/// Coordinates of the search (39.2b): positions of joints. Of one that may stand anywhere, with an axis
/// parallel to that before, it is the angle of its link in the axes that both have in common.
class Coordinates {
 public:
  /// Positions alone.
  Coordinates() = default;
  explicit Coordinates(const LimitedArm& limited) {
    const MovingArm& arm = limited.arm;
    if (arm.chains.size() > 1 || !arm.springs.empty()) return;
    const auto* const rows = arm.is_serial() ? nullptr : &arm.chains.front().rows;
    const std::vector<MovingLink>& links = arm.moving.front().links;
    double way = 1.0;
    for (const MovingLink& link : links) {
      const JointRowOf<double>& row =
          rows == nullptr ? JointRowOf<double>{{link.row}, {1.0}, 0.0} : (*rows)[link.row];
      if (links.size() != arm.dof() || row.factors != std::vector{1.0}) {
        angles_.clear();  // followers, or helical joints
        return;
      }
      const std::size_t joint = row.joints.front();
      way = link.is_parallel ? way * link.before.R.row_z.z : 1.0;
      const auto [lower, upper] = limited.ranges[joint];
      const bool is_turn = upper - lower == 2.0 * std::numbers::pi;
      angles_.push_back({joint, way, link.is_parallel, link.is_parallel && is_turn});
    }
  }

  template <class S>
  [[nodiscard]] std::vector<S> positions(std::span<const S> x) const {
    std::vector<S> q(x.begin(), x.end());
    S angle(0.0);
    for (const auto& [joint, way, is_parallel, is_own] : angles_) {
      if (!is_parallel) angle = S(0.0);
      if (is_own) q[joint] = within_turn(S(way * (x[joint] - angle)));
      angle = is_own ? x[joint] : S(angle + way * x[joint]);
    }
    return q;
  }

 private:
  static TaylorModel within_turn(const TaylorModel& q) { return q; }
  static double within_turn(double q) { return std::remainder(q, 2.0 * std::numbers::pi); }

  struct Angle {
    std::size_t joint;
    double way;  ///< of its axis along the common z, 1 or −1
    bool is_parallel;
    bool is_own;  ///< it is a coordinate
  };
  std::vector<Angle> angles_;
};

template <class Conditions>
ProvenLimit search(const LimitedArm& arm, const Conditions& conditions, SearchEffort effort,
                   const Coordinates& coordinates = {},
                   double least = -std::numeric_limits<double>::infinity()) {
  effort.least = least;
  const bool may_cancel = arm.arm.chains.size() > 1 || !arm.arm.springs.empty();
  const auto at = [&]<class S>(std::span<const S> x, Tightest<S>& tightest) {
    const std::vector<S> q = coordinates.positions(x);
    return conditions(std::span<const S>(q), tightest);
  };
  ProvenLimit limit = LimitSearch(arm.ranges, at, effort, may_cancel).run();
  if (limit.exists()) limit.q = coordinates.positions(std::span<const double>(limit.q));
  return limit;
}

}  // namespace

LimitedArm::LimitedArm(const Robot& robot)
    : arm(normalize(robot)), tcp(unit_load_alone(arm, {}).moving.front()) {
  if (!arm.row_drives.empty()) {
    throw InputError(robot.name +
                     ": datasheet cannot take motors or friction that turn with several joints");
  }
  rotors = rotor_inertias(arm).diagonal;
  constexpr double none = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < dof(); ++i) {
    const Limits& limits = robot.joints[i].limits;
    ranges.push_back(examined_range(robot.joints[i]));
    torques.push_back(limits.torque.value_or(none));
    speeds.push_back(limits.velocity.value_or(0.0));
    losses.push_back(most_friction(arm.drives[i], speeds.back()));
  }
  if (takes_energy(arm) && std::ranges::all_of(arm.chains, takes_energy, &Chain::arm)) {
    moved.resize(dof());
    for (std::size_t c = 0; c < arm.moving.size(); ++c) {
      add_moved(arm.moving[c], arm.is_serial() ? nullptr : &arm.chains[c].rows, ranges, moved);
    }
  }
  if (turns_about_the_vertical(arm)) {
    const auto [lower, upper] = ranges.front();
    ranges.front() = {lower + 0.5 * (upper - lower), lower + 0.5 * (upper - lower)};
  }
}

double LimitedArm::reach(std::span<const double> q) const {
  const std::vector<double> x = tool_chain_positions(arm, q);
  return std::sqrt(square_of_distance<double>(tcp, x));
}

double inertia_about(const LimitedArm& arm, std::size_t joint, std::span<const double> q) {
  const auto terms = motion_terms<double>(arm.arm, q, TermsOf::accelerations, base_rows);
  return terms.inertia(base_rows + joint, joint) + arm.rotors[joint];
}

std::vector<std::vector<double>> random_positions(const std::vector<Range>& ranges,
                                                  std::size_t count) {
  std::mt19937_64 random(4);
  std::vector<std::vector<double>> positions;
  for (std::size_t k = 0; k < count; ++k) {
    positions.push_back(each(
        ranges, [&](const Range& range) { return uniform(random, range.lower, range.upper); }));
  }
  return positions;
}

ProvenLimit largest_payload(const LimitedArm& arm, const LoadCase& load,
                            const SearchEffort& effort) {
  return search(arm, PayloadConditions{arm, load}, effort, Coordinates(arm), 0.0);
}

std::vector<WristLoad> wrist_loads(const Robot& robot) {
  constexpr std::size_t positions_tried = 4000;
  Robot load_alone = robot;
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) joint_at(load_alone, k).body = {};
  load_alone.springs.clear();
  const LimitedArm limited(load_alone);
  std::vector<WristLoad> loads;
  for (std::size_t i = 3; i < limited.dof(); ++i) loads.push_back({i});
  for (const std::vector<double>& q : random_positions(limited.ranges, positions_tried)) {
    const auto terms = motion_terms<double>(limited.arm, q, TermsOf::accelerations, base_rows);
    for (auto& [joint, moment, inertia] : loads) {
      const std::size_t row = base_rows + joint;
      moment = std::max(moment, std::abs(terms.rest[row]));
      inertia = std::max(inertia, terms.inertia(row, joint));
    }
  }
  return loads;
}

ProvenLimit largest_accelerations(const LimitedArm& arm, std::span<const double> ratio,
                                  double speed_share, const SearchEffort& effort) {
  std::vector<double> speeds = arm.speeds;
  for (double& speed : speeds) speed *= speed_share;
  return search(arm, AccelerationConditions{arm, ratio, std::move(speeds)}, effort, {}, 0.0);
}

BaseLoadBound largest_base_load(const LimitedArm& arm, BaseLoad load, During during,
                                std::span<const double> most, const SearchEffort& effort) {
  const double g = length(arm.arm.v_dot_0);
  const Vec3 up = g > 0.0 ? 1.0 / g * arm.arm.v_dot_0 : Vec3{0.0, 0.0, 1.0};
  const bool is_force = load == BaseLoad::vertical || load == BaseLoad::horizontal;
  const std::vector<Vec3> directions = directions_of(load, up);
  const BaseConditions conditions{
      arm,
      directions,
      is_force ? std::size_t{0} : std::size_t{3},
      most,
      during == During::stop,
      load == BaseLoad::turning && arm.arm.is_serial() && turns_about_the_vertical(arm.arm)};
  const ProvenLimit limit = search(arm, conditions, effort);
  const double around =
      directions.size() > 1 ? std::cos(std::numbers::pi / directions_around) : 1.0;
  return {0.0 - limit.guaranteed / around, 0.0 - limit.found, limit.q};
}

}  // namespace armdyn
