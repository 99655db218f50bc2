#include "dynamics/not_finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace armdyn {

namespace {

/// Something that may be too large, and what takes it away.
struct Candidate {
  double size = 0.0;
  std::string text;
  std::function<void(Inputs&)> remove;
};

/// Of what is no number, as large as can be.
double size_of(std::initializer_list<double> values) {
  double largest = 0.0;
  for (const double value : values) {
    if (!(std::abs(value) <= largest)) largest = std::abs(value);
  }
  return std::isnan(largest) ? HUGE_VAL : largest;
}

class Candidates {
 public:
  explicit Candidates(const Inputs& inputs) : inputs_(inputs) {
    for (std::size_t i = 0; i < inputs.arm.dof(); ++i) {
      const bool turns = inputs.arm.links[i].joint == JointType::revolute;
      add_joint("q", &Inputs::q, i, turns ? "rad" : "m");
      add_joint("qd", &Inputs::qd, i, turns ? "rad/s" : "m/s");
      add_joint("qdd", &Inputs::qdd, i, turns ? "rad/s²" : "m/s²");
      add_joint("tau", &Inputs::tau, i, turns ? "N·m" : "N");
      add_link(i);
      add_drive(i);
    }
    for (std::size_t c = 0; c < inputs.arm.coupled_motors.size(); ++c) add_coupled_motors(c);
    add_vector("the force at the hand", "N", inputs.hand.force,
               [](Inputs& in) { in.hand.force = {}; });
    add_vector("the moment at the hand", "N·m", inputs.hand.moment,
               [](Inputs& in) { in.hand.moment = {}; });
    add_vector("gravity", "m/s²", inputs.arm.v_dot_0, [](Inputs& in) { in.arm.v_dot_0 = {}; });
    add_vector("the way from the last link to the tool", "m", inputs.arm.tool.p,
               [](Inputs& in) { in.arm.tool.p = {}; });
    std::ranges::stable_sort(list_, std::ranges::greater{}, &Candidate::size);
  }

  [[nodiscard]] const std::vector<Candidate>& list() const { return list_; }

 private:
  void add(double size, std::string text, std::function<void(Inputs&)> remove) {
    if (size > 0.0) list_.push_back({size, std::move(text), std::move(remove)});
  }

  void add_joint(const char* name, std::vector<double> Inputs::*values, std::size_t i,
                 const char* unit) {
    if ((inputs_.*values).empty()) return;
    const double value = (inputs_.*values)[i];
    add(size_of({value}),
        fmt::format("{} of {}, {:.6g} {}", name, joint_name(inputs_.arm, i), value, unit),
        [values, i](Inputs& in) { (in.*values)[i] = 0.0; });
  }

  void add_vector(const char* name, const char* unit, const Vec3& v,
                  std::function<void(Inputs&)> remove) {
    const double size = size_of({v.x, v.y, v.z});
    add(size, fmt::format("{}, {:.6g} {}", name, size, unit), std::move(remove));
  }

  void add_link(std::size_t i) {
    constexpr double largest_sensible = 1e100;
    const auto& [mass, com, I] = inputs_.arm.links[i].body;
    const double place = size_of({com.x, com.y, com.z});
    const double inertia = size_of({I.xx, I.yy, I.zz, I.xy, I.yz, I.xz});
    const std::string link =
        fmt::format("link {}{}", i + 1, i + 1 == inputs_.arm.dof() ? " with its payload" : "");
    // Where the mass is too large, so is the inertia that follows from it.
    const std::string text =
        std::max(mass, place) < largest_sensible
            ? fmt::format("the inertia of {}, {:.6g} kg·m²", link, inertia)
        : mass >= place ? fmt::format("the mass of {}, {:.6g} kg", link, mass)
                        : fmt::format("the centre of mass of {}, {:.6g} m away", link, place);
    add(std::max({mass, place, inertia}), text, [i](Inputs& in) { in.arm.links[i].body = {}; });

    const double length = size_of({inputs_.arm.links[i].a, inputs_.arm.links[i].d});
    add(length, fmt::format("the length of link {}, {:.6g} m", i + 1, length), [i](Inputs& in) {
      in.arm.links[i].a = 0.0;
      in.arm.links[i].d = 0.0;
    });
  }

  void add_drive(std::size_t i) {
    const auto& [friction, motor] = inputs_.arm.drives[i];
    // All by name: one more entry does not compile until it is looked at here.
    const auto& [viscous, coulomb, breakaway, stribeck_velocity, ripple, sigmoid] = friction;
    const TwoSided& level = breakaway.value_or(coulomb);
    const double size = size_of(
        {viscous, level.positive, level.negative, stribeck_velocity, ripple.amplitude,
         ripple.harmonic, sigmoid.amplitude, sigmoid.slope, sigmoid.offset, motor.rotor_inertia,
         motor.gear_ratio, motor.viscous, motor.coulomb.positive, motor.coulomb.negative});
    add(size, fmt::format("the friction or the motor of {}", joint_name(inputs_.arm, i)),
        [i](Inputs& in) { in.arm.drives[i] = {}; });
  }

  void add_coupled_motors(std::size_t c) {
    const CoupledMotors& coupled = inputs_.arm.coupled_motors[c];
    double size = 0.0;
    for (const double ratio : coupled.matrix) size = std::max(size, std::abs(ratio));
    std::string joints;
    for (std::size_t m = 0; m < coupled.motors.size(); ++m) {
      const Motor& motor = coupled.motors[m];
      size = std::max(size, size_of({motor.rotor_inertia, motor.viscous, motor.coulomb.positive,
                                     motor.coulomb.negative}));
      joints += (m > 0 ? " and " : "") + joint_name(inputs_.arm, coupled.joints[m]);
    }
    add(size, fmt::format("the coupling or the motors of {}", joints), [c](Inputs& in) {
      for (Motor& motor : in.arm.coupled_motors[c].motors) motor = {};
    });
  }

  const Inputs& inputs_;
  std::vector<Candidate> list_;
};

/// What the caller gave that is no number at all.
std::optional<std::string> not_a_number(const Inputs& inputs) {
  for (const auto& [name, values] :
       {std::pair{"q", &inputs.q}, std::pair{"qd", &inputs.qd}, std::pair{"qdd", &inputs.qdd},
        std::pair{"tau", &inputs.tau}}) {
    const auto found = std::ranges::find_if(*values, [](double x) { return std::isnan(x); });
    if (found == values->end()) continue;
    const auto i = static_cast<std::size_t>(found - values->begin());
    return fmt::format("{} of {} is not a number", name, joint_name(inputs.arm, i));
  }
  return std::nullopt;
}

std::string listed(const std::vector<const Candidate*>& causes) {
  constexpr std::size_t most = 2;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, causes.size()); ++k) {
    text += (k > 0 ? ", and " : "") + causes[k]->text;
  }
  if (causes.size() > most) text += fmt::format(", and {} more", causes.size() - most);
  return text + (causes.size() == 1 ? ", is too large" : ", are too large");
}

}  // namespace

Inputs inputs_of(const Arm& arm, const MotionState& state, const Wrench& hand) {
  const auto values = [](std::span<const double> all) {
    return std::vector<double>(all.begin(), all.end());
  };
  return {arm, values(state.q), values(state.qd), values(state.qdd), {}, hand};
}

/// Takes candidates away, the largest first, until the result is finite, and gives back each with
/// which it stays so.
std::string too_large(const Inputs& inputs, const IsFinite& is_finite) {
  if (const std::optional<std::string> cause = not_a_number(inputs)) return *cause;
  const Candidates candidates(inputs);
  if (candidates.list().empty()) return "its inputs are too large";
  const auto is_finite_without = [&](const std::vector<const Candidate*>& removed) {
    Inputs left = inputs;
    for (const Candidate* const candidate : removed) candidate->remove(left);
    try {
      return is_finite(left);
    } catch (const NumericsError&) {  // an arm without a mass, say
      return false;
    }
  };
  std::vector<const Candidate*> causes;
  for (const Candidate& candidate : candidates.list()) {
    causes.push_back(&candidate);
    if (is_finite_without(causes)) break;
  }
  if (!is_finite_without(causes)) return listed({&candidates.list().front()});
  for (std::size_t k = 0; causes.size() > 1 && k < causes.size();) {
    std::vector<const Candidate*> others = causes;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    if (is_finite_without(others)) {
      causes = std::move(others);
    } else {
      ++k;
    }
  }
  return listed(causes);
}

void refuse_not_finite(const std::string& found, const Inputs& inputs, const IsFinite& is_finite) {
  throw NotFinite(
      fmt::format("{} is not a finite number: {}", found, too_large(inputs, is_finite)));
}

}  // namespace armdyn
