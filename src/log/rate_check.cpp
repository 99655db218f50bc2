#include "log/rate_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "io/table/unit.hpp"
#include "log/header_meaning.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/rotation.hpp"
#include "math/statistics.hpp"
#include "model/check.hpp"
#include "model/joint_kind.hpp"
#include "model/other_reading.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {
namespace {

constexpr std::array quantities{Quantity::position, Quantity::velocity, Quantity::acceleration};
constexpr std::array derivative_names{"q", "qd", "qdd"};
constexpr double two_turns_in_degrees = 720.0;

bool is_near(double factor, double expected) {
  constexpr double tolerance = 0.05;
  return std::abs(factor / expected - 1.0) < tolerance;
}

}  // namespace

bool jumps_by_a_turn(double step, double beside) {
  constexpr double slow = 1.0;  // rad from row to row
  return is_near(std::abs(step), 2.0 * std::numbers::pi) && std::abs(beside) < slow;
}

// --- SlopeComparison

void SlopeComparison::restart() {
  before_.reset();
  for (Level& level : levels_) {
    level.half.reset();
    level.last.reset();
  }
}

void SlopeComparison::add(double t, double value, double rate) {
  constexpr double longest = 5.0;  // mean steps; a longer one is a gap
  if (!std::isfinite(value) || !std::isfinite(rate)) return;
  if (before_ && t == before_->t) return;
  if (before_ && t < before_->t) restart();
  if (before_) {
    const double step = t - before_->t;
    if (steps_ > 0.0 && step > longest * duration_ / steps_) {
      restart();
    } else {
      add({step, value - before_->value, step * (before_->rate + rate) / 2.0}, 0);
    }
    duration_ += step;
    steps_ += 1.0;
  }
  before_ = {t, value, rate};
}

void SlopeComparison::add(const Stretch& stretch, std::size_t level) {
  Level& sums = levels_[level];
  const double slope = stretch.rise / stretch.duration, rate = stretch.integral / stretch.duration;
  sums.count += 1.0;
  sums.slope_squares += square(slope);
  sums.rate_squares += square(rate);
  sums.products += slope * rate;
  if (sums.last) {
    sums.pairs += 1.0;
    sums.slope_changes += square(slope - sums.last->first);
    sums.rate_changes += square(rate - sums.last->second);
  }
  sums.last = {slope, rate};
  if (level + 1 == levels) return;
  if (!sums.half) {
    sums.half = stretch;
    return;
  }
  const Stretch both{sums.half->duration + stretch.duration, sums.half->rise + stretch.rise,
                     sums.half->integral + stretch.integral};
  sums.half.reset();
  add(both, level + 1);
}

std::optional<SlopeComparison::Likeness> SlopeComparison::likeness() const {
  constexpr double fewest = 8.0;  // stretches
  constexpr double smooth = 0.5;  // squared change over square: an eighth of a turn per stretch
  std::optional<Likeness> best;
  for (const Level& sums : levels_) {
    if (sums.count < fewest || sums.slope_squares == 0.0 || sums.rate_squares == 0.0) continue;
    const double per_pair = sums.count / sums.pairs;
    if (!(sums.slope_changes * per_pair < smooth * sums.slope_squares)) continue;
    if (!(sums.rate_changes * per_pair < smooth * sums.rate_squares)) continue;
    const double correlation = sums.products / std::sqrt(sums.slope_squares * sums.rate_squares);
    if (best && std::abs(correlation) <= std::abs(best->correlation)) continue;
    best = Likeness{correlation, sums.products / sums.rate_squares};
  }
  return best;
}

double SlopeComparison::Likeness::left() const {
  return std::sqrt(std::max(0.0, 1.0 - square(correlation)));
}

double SlopeComparison::Likeness::left_as_given() const {
  const double rate = correlation / factor;  // over the slope
  return std::sqrt(std::max(0.0, 1.0 - 2.0 * correlation * rate + square(rate)));
}

// (10.22)
std::optional<double> SlopeComparison::factor() const {
  const std::optional<Likeness> found = likeness();
  if (!found) return {};
  const double left = found->left() / clearly;  // noise of the rate makes a factor of its own
  if (left >= explained) return {};
  return is_named(left, found->left_as_given()) ? found->factor : 1.0;
}

// --- RateCheck

namespace {

constexpr double unlike_all = 0.2, unlike_another = 0.8;  // correlations of a joint's own

bool is_unlike(const SlopeComparison& own, double unlike) {
  constexpr double opposite = -0.9;
  const auto found = own.likeness();
  return found && found->correlation < unlike && found->correlation > opposite;
}

}  // namespace

ColumnReading RateRecord::reading(Quantity quantity, std::size_t joint) const {
  return named ? column_reading(plan, robot, quantity, joint) : ColumnReading();
}

RateCheck::RateCheck(const ColumnPlan& plan, const Robot& robot,
                     std::optional<std::vector<ColumnChoice>> named)
    : seen_{.plan = plan,
            .robot = robot,
            .named = std::move(named),
            .joints = std::vector<std::array<SlopeComparison, 2>>(robot.dof()),
            .reach = std::vector<double>(robot.dof()),
            .least = std::vector<double>(robot.dof(), HUGE_VAL),
            .is_whole = std::vector<bool>(robot.dof(), true)} {
  const auto is_in_file = [&](Quantity quantity) {
    const std::optional<std::size_t> first = plan.first(quantity);
    return first && *first < plan.columns.size();
  };
  for (std::size_t pair = 0; pair < seen_.looks.size(); ++pair) {
    seen_.across[pair].resize(robot.dof());
    seen_.looks[pair] = plan.has(Quantity::time) && is_in_file(quantities[pair]) &&
                        is_in_file(quantities[pair + 1]);
  }
}

void RateCheck::reach(std::size_t joint, std::span<const double> q, bool mends_jumps) {
  seen_.reach[joint] = std::max(seen_.reach[joint], largest_magnitude(q));
  for (const double x : q) seen_.least[joint] = std::min(seen_.least[joint], x);
  seen_.is_whole[joint] =
      seen_.is_whole[joint] && std::ranges::all_of(q, [](double x) { return x == std::floor(x); });
  if (mends_jumps || !seen_.plan.has(Quantity::time) || !is_turning(seen_.robot.joints[joint].type))
    return;
  for (std::size_t row = 1; q.size() > 2 && row < q.size(); ++row) {
    const auto step = [&](std::size_t to) { return q[to] - q[to - 1]; };
    if (std::abs(step(row)) < std::numbers::pi) continue;  // nearly all
    if (jumps_by_a_turn(step(row), step(row == 1 ? 2 : row - 1))) seen_.turns.insert(joint);
  }
}

void RateCheck::add(double t, std::span<const double> q, std::span<const double> qd,
                    std::span<const double> qdd) {
  constexpr std::size_t now_and_then = 64, most_joints = 50;
  const bool looks_across = ++rows_ % now_and_then == 0 && seen_.joints.size() <= most_joints;
  const std::array values{q, qd, qdd};
  for (std::size_t pair = 0; pair < seen_.looks.size(); ++pair) {
    if (!seen_.looks[pair]) continue;
    for (std::size_t i = 0; i < seen_.joints.size(); ++i) {
      seen_.joints[i][pair].add(t, values[pair][i], values[pair + 1][i]);
      std::vector<SlopeComparison>& others = seen_.across[pair][i];
      if (looks_across && others.empty() && is_unlike(seen_.joints[i][pair], unlike_another)) {
        others.resize(seen_.joints.size());
      }
      for (std::size_t j = 0; j < others.size(); ++j) {
        others[j].add(t, values[pair][i], values[pair + 1][j]);
      }
    }
  }
}

void RateCheck::restart() {
  for (auto& comparisons : seen_.joints) {
    for (SlopeComparison& comparison : comparisons) comparison.restart();
  }
  for (auto& joints : seen_.across) {
    for (auto& others : joints) {
      for (SlopeComparison& comparison : others) comparison.restart();
    }
  }
}

namespace {

constexpr double nothing_wrong = 1.2;

/// Factor of degrees, or of mm.
double unit_factor(const Joint& joint) {
  return by_kind(joint.type, degrees(1.0), 1000.0);
}

using ColumnFactors = std::array<double, 3>;

bool has_degrees(const ColumnFactors& factors) {
  return std::ranges::any_of(factors,
                             [](double factor) { return is_near(std::abs(factor), degrees(1.0)); });
}

/// Cause of a factor between a slope and its rate.
struct Cause {
  std::string text;       ///< empty: nothing is wrong
  bool is_known = false;  ///< a unit, or a gear
  double factor = 1.0;
};

Cause cause_of(double factor, const Joint& joint, std::size_t pair) {
  const double magnitude = std::abs(factor), gear = std::abs(joint.motor.gear_ratio);
  const char *const of = derivative_names[pair], *const rate = derivative_names[pair + 1];
  const auto sentence = [&](const std::string& about, const std::string& reason, double sign) {
    return fmt::format("the slope of {} is about {}{} times {}{}{}", of, factor < 0.0 ? "-" : "",
                       about, rate, reason,
                       sign < 0.0 ? "; one of the two has the opposite sign" : "");
  };
  const bool is_angle = is_turning(joint.type);
  const double unit = unit_factor(joint);
  const std::string unit_text = is_angle ? "57.3" : "1000";
  const auto in_unit = [&](const char* one, const char* other) {
    return fmt::format(", as if {} were in {} and {} were not", one, is_angle ? "degrees" : "mm",
                       other);
  };
  const auto of_motor = [](const char* one, const char* other) {
    return fmt::format(
        ", as if {} were of the motor, behind a gear of that ratio, and {} of the joint", one,
        other);
  };
  struct Known {
    double factor;
    std::string about, reason;
    double sign;
  };
  std::vector<Known> all{{unit, unit_text, in_unit(of, rate), factor},
                         {1.0 / unit, "1/" + unit_text, in_unit(rate, of), factor}};
  if (is_angle) {
    const double rpm = std::numbers::pi / 30.0;
    const auto in_rpm = [](const char* what) {
      return fmt::format(", as if {} were in rpm", what);
    };
    if (pair == 0) all.push_back({rpm, "0.105", in_rpm(rate), factor});
    if (pair == 1) all.push_back({1.0 / rpm, "9.55", in_rpm(of), factor});
  }
  if (gear > nothing_wrong || gear < 1.0 / nothing_wrong) {
    const double sign = factor * joint.motor.gear_ratio;
    all.push_back({gear, short_number(gear), of_motor(of, rate), sign});
    all.push_back({1.0 / gear, "1/" + short_number(gear), of_motor(rate, of), sign});
  }
  for (const Known& known : all) {
    if (!is_near(magnitude, known.factor)) continue;
    return {sentence(known.about, known.reason, known.sign), true,
            std::copysign(known.factor, factor)};
  }
  const bool is_about_one = magnitude < nothing_wrong && magnitude > 1.0 / nothing_wrong;
  if (factor > 0.0 && is_about_one) return {};
  return {sentence(fmt::format("{:.2g}", magnitude), "", factor), false,
          std::copysign(rounded(magnitude), factor)};
}

/// Factors of q, qd and qdd over what they should be: those of units and gears make larger numbers of
/// what they are on; of others, first the fewest, then those that leave q.
std::vector<ColumnFactors> factors_of(const std::array<Cause, 2>& over) {
  const ColumnFactors over_qdd{over[0].factor * over[1].factor, over[1].factor, 1.0};
  std::vector<ColumnFactors> all;
  for (const double right : over_qdd) {
    ColumnFactors& factors = all.emplace_back(over_qdd);
    for (double& factor : factors) factor = is_near(factor / right, 1.0) ? 1.0 : factor / right;
  }
  const bool is_known = std::ranges::all_of(
      over, [](const Cause& cause) { return cause.text.empty() || cause.is_known; });
  if (is_known) {
    const auto size = [](double factor) { return std::abs(factor); };
    const auto right = std::ranges::min_element(over_qdd, {}, size);
    return {all[static_cast<std::size_t>(right - over_qdd.begin())]};
  }
  const auto fewest = *std::ranges::max_element(
      all, {}, [](const ColumnFactors& factors) { return std::ranges::count(factors, 1.0); });
  return fewest == all[0] ? std::vector{fewest} : std::vector{fewest, all[0]};
}

/// A fault, with the choices of --columns that mend it, or others that do; none: none does.
struct Remark {
  std::string text;
  std::vector<ColumnChoice> choices, otherwise;
  bool is_of_degrees = false;
};

struct Encoder {
  double steps = 0.0;  ///< in a turn
  double zero = 0.0;   ///< steps
};

/// Factor that all slopes have over their rates, as if t were another time.
struct Pace {
  double factor = 1.0;          ///< 1: none
  double step = 0.0;            ///< mean of t, s
  std::array<bool, 2> is_of{};  ///< of q over qd, of qd over qdd
};

bool time_has_unit(const RateRecord& seen) {
  const auto has_unit = [](const std::string& cell) {
    return name_and_unit(cell, Quantity::time).unit.has_value();
  };
  return seen.plan.stamp ||
         has_unit(seen.plan.header[seen.plan.columns[*seen.plan.first(Quantity::time)].cell]) ||
         std::ranges::any_of(*seen.named, [&](const ColumnChoice& choice) {
           return choice.name == "t" && has_unit(choice.columns);
         });
}

/// Joints whose q counts the steps of an encoder.
std::set<std::size_t> counted_joints(const RateRecord& seen) {
  const std::vector<std::size_t> whole = where(seen.joints.size(), [&](std::size_t i) {
    return is_turning(seen.robot.joints[i].type) && seen.is_whole[i];
  });
  const auto is_far = [&](std::size_t i) { return seen.reach[i] > two_turns_in_degrees; };
  if (!std::ranges::any_of(whole, is_far)) return {};
  return {whole.begin(), whole.end()};
}

/// Steps in a turn by the slope over qd in rad/s or deg/s, or else the power of 2 that has all counts
/// in a turn; zero in the middle of those that are never negative.
Encoder encoder_of(const RateRecord& seen, std::size_t joint,
                   const std::set<std::size_t>& counted) {
  constexpr double most_turns = 2.0, alike = 0.01;
  double most = 0.0, least = 0.0;
  for (const std::size_t i : counted) {
    most = std::max(most, seen.reach[i]);
    least = std::min(least, seen.least[i]);
  }
  const double whole = std::exp2(std::floor(std::log2(most)) + 1.0);
  Encoder found{least < 0.0 ? 2.0 * whole : whole, 0.0};
  const double slope = std::abs(seen.joints[joint][0].factor().value_or(1.0));  // 1: qd counts, too
  for (const double turn : {360.0, 2.0 * std::numbers::pi}) {
    const double steps = slope * turn, power = std::exp2(std::round(std::log2(steps)));
    if (is_near(slope, 1.0) || steps * most_turns < seen.reach[joint] - seen.least[joint]) continue;
    found.steps = std::abs(steps / power - 1.0) < alike ? power : rounded(steps);
  }
  if (least >= 0.0) found.zero = std::max(whole, found.steps) / 2.0;
  return found;
}

/// Factors of the columns of a joint whose q counts so many steps in a turn.
ColumnFactors factors_of_counts(double steps, const std::array<SlopeComparison, 2>& joint) {
  const double q = steps / (2.0 * std::numbers::pi), of_q = joint[0].factor().value_or(q);
  const auto plain = [](double factor) { return is_near(factor, 1.0) ? 1.0 : factor; };
  const double qd = plain(q / std::abs(of_q));
  return {std::copysign(q, of_q), qd, plain(qd / joint[1].factor().value_or(qd))};
}

/// Known factors of all joints are of their units or gears, but for a joint that has one twice.
Pace pace_of(const RateRecord& seen) {
  constexpr double alike = 0.1, beside_1 = 0.1, beside_1_alone = 0.5;
  Pace pace;
  std::vector<double> factors;
  std::size_t moving = 0;
  bool is_explained = true;
  const std::set<std::size_t> counted = counted_joints(seen);
  for (std::size_t i = 0; i < seen.joints.size(); ++i) {
    if (counted.contains(i)) continue;
    std::size_t factors_seen = 0;
    for (std::size_t pair = 0; pair < seen.looks.size(); ++pair) {
      const std::optional<double> factor = seen.joints[i][pair].factor();
      if (!factor) continue;
      const bool is_known = cause_of(*factor, seen.robot.joints[i], pair).is_known;
      is_explained = is_explained && is_known && factors_seen == 0;
      if (factors_seen++ == 0) ++moving;
      factors.push_back(std::abs(*factor));
      pace.step = seen.joints[i][pair].step();
      pace.is_of[pair] = true;
    }
  }
  if (is_explained) return {};
  const double usual = median_of(factors), least = moving > 1 ? beside_1 : beside_1_alone;
  const bool is_of_all = std::ranges::all_of(factors, [&](double factor) {
    return std::max(factor, 1.0 / factor) > 1.0 + least && std::abs(factor / usual - 1.0) < alike;
  });
  if (is_of_all) pace.factor = usual;
  return pace;
}

/// Remark that t is in ms or so, if slopes are so much smaller than their rates, or if there are
/// no rates and rows are further apart than those of any log; or that it runs too fast or slowly.
std::optional<Remark> other_time(const RateRecord& seen, const Pace& pace, double usual_step) {
  constexpr double slowest = 0.9;  // s
  ColumnReading t = seen.reading(Quantity::time, 0);
  const auto choices = [&] {
    return t.cell.empty() ? std::vector<ColumnChoice>{} : std::vector{ColumnChoice{"t", t.text()}};
  };
  if (!seen.compares() && !t.cell.empty() && !time_has_unit(seen) && usual_step > slowest) {
    const char* const unit = usual_step < 1e3 * slowest   ? "ms"
                             : usual_step < 1e6 * slowest ? "us"
                                                          : "ns";
    t.read_in(unit, find_unit("s", unit)->to_si(1.0));
    return Remark{fmt::format("rows are usually {} s apart, as if t were in {}",
                              short_number(usual_step), unit),
                  choices(),
                  {}};
  }
  if (pace.factor == 1.0) return {};
  const auto [slopes, rates, other] =
      pace.is_of[0] && pace.is_of[1] ? std::array{"slopes of q and qd are", "qd and qdd", ""}
      : pace.is_of[0] ? std::array{"slope of q is", "qd", ", or qd is in another unit"}
                      : std::array{"slope of qd is", "qdd", ", or qdd is in another unit"};
  const std::size_t column = *seen.plan.first(Quantity::time);
  const bool is_stamped = column >= seen.plan.columns.size();  // by --log-rate
  for (const double in_second : {1e3, 1e6, 1e9}) {
    if (is_stamped || !is_near(pace.factor * in_second, 1.0)) continue;
    const double read_as = seen.plan.columns[column].unit.divide;  // t of 1 s
    const auto unit = unit_name("s", {1.0, in_second * read_as});
    if (!unit) continue;
    t.read_in(std::string(*unit), 1.0 / in_second);
    return Remark{fmt::format("the {} about 1/{:.0f} of {} at all joints, as if t were in {}",
                              slopes, in_second, rates, *unit),
                  choices(),
                  {}};
  }
  const double step = usual_step > 0.0 ? usual_step : pace.step, right = pace.factor * step;
  Remark remark{
      fmt::format(
          "the {} about {:.3g} times {} at all joints, as if rows were {} s apart, not {}{}",
          slopes, pace.factor, rates, number_text(rounded(right)), short_number(step), other),
      {},
      {}};
  if (is_stamped)
    remark.text += fmt::format("; --log-rate {} reads them so", number_text(rounded(1.0 / right)));
  t.scale(rounded(pace.factor));
  if (!seen.plan.stamp) remark.choices = choices();
  return remark;
}

/// Finds for each joint the one whose rate is like its slope, if its own is not; else itself.
std::vector<std::size_t> likes(const RateRecord& seen, std::size_t pair) {
  std::vector<std::size_t> own = in_order(seen.joints.size());
  std::vector<std::size_t> like = own;
  std::set<std::size_t> others;
  for (std::size_t i = 0; i < seen.joints.size(); ++i) {
    if (!is_unlike(seen.joints[i][pair], unlike_another)) continue;
    double least = seen.joints[i][pair].likeness()->left();
    for (std::size_t j = 0; j < seen.across[pair][i].size(); ++j) {
      const auto found = seen.across[pair][i][j].likeness();
      if (!found || found->correlation < 0.0 || !is_named(found->left(), least)) continue;
      least = found->left();
      like[i] = j;
    }
    // Joints that move alike cannot be separated.
    if (like[i] != i && !others.insert(like[i]).second) return own;
  }
  return like;
}

/// Remark on the fewest columns whose exchange makes all fit one of q, qd and qdd; or else on all that
/// do not fit q, since the motion alone cannot separate these.
Remark exchange(const RateRecord& seen) {
  const std::array like{likes(seen, 0), likes(seen, 1)};
  Remark remark;
  bool mends = true;
  for (std::size_t pair = 0; pair < like.size(); ++pair) {
    std::vector<std::string> joints, others;
    std::set<std::size_t> alike;
    for (std::size_t i = 0; i < seen.joints.size(); ++i) {
      alike.insert(like[pair][i]);
      if (like[pair][i] == i) continue;
      joints.push_back(seen.robot.joints[i].name);
      others.push_back(seen.robot.joints[like[pair][i]].name);
    }
    mends = mends && alike.size() == seen.joints.size();
    if (joints.empty()) continue;
    remark.text += fmt::format(
        "{}{}: the slope of {} is like {} of {} (correlation above 0.9) and not like their own "
        "(below 0.8), as if columns were exchanged",
        remark.text.empty() ? "" : "; ", fmt::join(joints, ", "), derivative_names[pair],
        derivative_names[pair + 1], fmt::join(others, ", "));
  }
  if (remark.text.empty() || !mends) return remark;

  // Places of the columns of each joint of q in q, qd and qdd.
  std::array<std::vector<std::size_t>, 3> places{in_order(seen.joints.size()), like[0], like[0]};
  for (std::size_t& place : places[2]) place = like[1][place];
  std::array<std::vector<ColumnChoice>, 3> fitting;  // q, qd, qdd
  for (std::size_t base = 0; base < fitting.size(); ++base) {
    for (std::size_t k = 0; k < quantities.size(); ++k) {
      if (k == 2 && !seen.looks[1]) continue;  // not in the file
      for (std::size_t i = 0; i < seen.joints.size(); ++i) {
        const auto at = std::ranges::find(places[base], i) - places[base].begin();
        const std::size_t joint = places[k][static_cast<std::size_t>(at)];
        if (joint == i) continue;
        const std::string name = seen.reading(quantities[k], joint).text();
        if (name.empty()) return remark;
        fitting[base].push_back({fmt::format("{}{}", derivative_names[k], i + 1), name});
      }
    }
  }
  const auto fewest = std::ranges::min_element(fitting, {}, &std::vector<ColumnChoice>::size);
  remark.choices = *fewest;
  if (fewest != fitting.begin()) remark.otherwise = fitting[0];
  if (!seen.looks[1]) remark.otherwise = fitting[1];
  return remark;
}

/// Choices that take factors off columns of the file, by units that these have not yet, or by arithmetic.
std::vector<ColumnChoice> mending(const RateRecord& seen, const std::vector<std::size_t>& joints,
                                  const std::vector<std::vector<ColumnFactors>>& factors,
                                  const std::set<std::size_t>& counted, std::size_t fit) {
  constexpr std::array<const char*, 3> angles{"deg", "deg/s", "deg/s^2"};
  constexpr std::array<const char*, 3> lengths{"mm", "mm/s", "mm/s^2"};
  std::vector<ColumnChoice> choices;
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const std::optional<std::size_t> first = seen.plan.first(quantities[k]);
    if (!first || *first >= seen.plan.columns.size()) continue;  // not in the file
    for (const std::size_t i : joints) {
      if (fit >= factors[i].size() || factors[i][fit][k] == 1.0) continue;
      const double factor = factors[i][fit][k], size = std::abs(factor);
      const bool turns = is_turning(seen.robot.joints[i].type);
      const bool is_rpm = turns && k == 1 && is_near(size, 30.0 / std::numbers::pi);
      ColumnReading reading = seen.reading(quantities[k], i);
      if (is_near(size, unit_factor(seen.robot.joints[i]))) {
        reading.read_in((turns ? angles : lengths)[k], 1.0 / unit_factor(seen.robot.joints[i]));
      } else if (is_rpm) {
        reading.read_in("rpm", std::numbers::pi / 30.0);
      } else if (!is_near(size, 1.0)) {
        reading.scale(1.0 / size);
      }
      if (factor < 0.0) reading.scale(-1.0);
      if (k == 0 && counted.contains(i)) {
        const Encoder encoder = encoder_of(seen, i, counted);
        reading.offset -= factor < 0.0 ? -encoder.zero / size : encoder.zero / size;
      }
      const std::string text = reading.text();
      if (text.empty()) return {};
      choices.push_back({fmt::format("{}{}", derivative_names[k], i + 1), text});
    }
  }
  return choices;
}

/// Sentences, each with one value of --columns for all remarks, to copy.
std::vector<std::string> sentences(const RateRecord& seen, const std::vector<Remark>& remarks) {
  const auto line = [&](bool otherwise) {
    std::vector<ColumnChoice> choices;
    for (const Remark& remark : remarks) {
      const auto& of_this =
          otherwise && !remark.otherwise.empty() ? remark.otherwise : remark.choices;
      append(choices, of_this);
    }
    return choices_text(seen.named.value_or(std::vector<ColumnChoice>{}), choices,
                        seen.joints.size());
  };
  std::vector<std::string> all;
  for (const Remark& remark : remarks) {
    all.push_back(remark.text);
    if (remark.choices.empty()) continue;
    const std::string other = remark.otherwise.empty() ? "" : fmt::format(", or {},", line(true));
    all.back() += fmt::format("; --columns {}{} reads it so", line(false), other);
  }
  return all;
}

}  // namespace

Doubts RateCheck::doubts(double usual_step) const {
  const Pace pace = pace_of(seen_);
  std::map<std::string, std::vector<std::size_t>> found;
  std::vector<std::string> order;
  std::vector<std::vector<ColumnFactors>> factors(seen_.joints.size());
  std::set<ColumnFactors> units;  // seen of revolute joints
  // Revolute joints, and prismatic ones, that move too far, without another cause.
  std::array<std::vector<std::size_t>, 2> far;
  std::array<std::vector<std::string>, 2> reaches;
  std::vector<std::size_t> turning;
  std::size_t moving = 0;  // revolute joints
  const std::set<std::size_t> counted = counted_joints(seen_);
  for (std::size_t i = 0; i < seen_.joints.size(); ++i) {
    const bool turns = is_turning(seen_.robot.joints[i].type);
    if (turns) turning.push_back(i);
    std::string text;
    std::array<Cause, 2> over;
    bool is_seen = false;
    for (std::size_t pair = 0; pair < 2; ++pair) {
      const std::optional<double> factor = seen_.joints[i][pair].factor();
      if (!factor) continue;
      is_seen = true;
      over[pair] = cause_of(*factor / pace.factor, seen_.robot.joints[i], pair);
      if (!over[pair].text.empty()) text += (text.empty() ? "" : "; ") + over[pair].text;
    }
    factors[i] = factors_of(over);
    if (counted.contains(i)) {
      const Encoder encoder = encoder_of(seen_, i, counted);
      factors[i] = {factors_of_counts(encoder.steps, seen_.joints[i])};
      is_seen = false;
      text = fmt::format(
          "q is in whole numbers, as if encoder steps were counted, {} in a turn and zero at {}",
          number_text(encoder.steps), number_text(encoder.zero));
    } else if (text.empty() && (looks_like_degrees(seen_.robot, i, seen_.reach[i]) ||
                                looks_like_mm(seen_.robot.joints[i], seen_.reach[i]))) {
      factors[i].front().fill(unit_factor(seen_.robot.joints[i]));
      is_seen = true;
      far[turns ? 0 : 1].push_back(i);
      reaches[turns ? 0 : 1].push_back(short_number(seen_.reach[i]));
    }
    if (turns && is_seen) {
      units.insert(factors[i].front());
      ++moving;
    }
    if (text.empty()) continue;
    if (!found.contains(text)) order.push_back(text);
    found[text].push_back(i);
  }
  // q and qd both in degrees agree: joints that stay within two turns are like most others that move.
  if (2 * far[0].size() > moving) units.erase({1.0, 1.0, 1.0});
  const bool all_alike = units.size() == 1 && has_degrees(*units.begin());
  std::vector<Remark> remarks;
  if (auto time = other_time(seen_, pace, usual_step)) remarks.push_back(std::move(*time));
  bool is_said = false;  // of all revolute joints
  const auto add = [&](const std::string& text, const std::vector<std::size_t>& joints) {
    const bool is_of_all = all_alike && is_turning(seen_.robot.joints[joints.front()].type);
    const auto names = each(joints, [&](std::size_t i) { return seen_.robot.joints[i].name; });
    remarks.push_back({fmt::format("{}: {}", listed(names), text),
                       {},
                       {},
                       has_degrees(factors[joints.front()].front())});
    if (is_of_all) {
      for (const std::size_t i : turning) factors[i] = {*units.begin()};
    }
    if (!is_of_all || !is_said) {
      const std::vector<std::size_t>& of = is_of_all ? turning : joints;
      remarks.back().choices = mending(seen_, of, factors, counted, 0);
      remarks.back().otherwise = mending(seen_, of, factors, counted, 1);
    }
    is_said = is_said || is_of_all;
  };
  for (const std::string& text : order) add(text, found[text]);
  for (const auto& [kind, unit, other] : {std::tuple{0U, "rad", "degrees"}, {1U, "m", "mm"}}) {
    if (far[kind].empty() || (kind == 0 && is_said)) continue;
    add(fmt::format("q reaches {} {}, as if q were in {}", fmt::join(reaches[kind], ", "), unit,
                    other),
        far[kind]);
  }
  for (const std::size_t i : seen_.turns) {
    constexpr const char* text =
        "{}: q jumps by a turn from row to row, as if angles were kept within one turn";
    remarks.push_back({fmt::format(text, seen_.robot.joints[i].name), {}, {}});
    ColumnReading q = seen_.reading(Quantity::position, i);
    if (q.cell.empty()) continue;
    q.cell = "unwrap(" + q.cell + ")";
    remarks.back().choices = {{fmt::format("q{}", i + 1), q.text()}};
  }
  Remark exchanged = exchange(seen_);
  if (!exchanged.text.empty()) remarks.push_back(std::move(exchanged));
  for (std::size_t pair = 0; pair < seen_.looks.size(); ++pair) {
    const std::vector<std::size_t> like = likes(seen_, pair);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < seen_.joints.size(); ++i) {
      const bool is_explained = like[i] != i || (pair == 0 && seen_.turns.contains(i));
      if (!is_explained && is_unlike(seen_.joints[i][pair], unlike_all))
        names.push_back(seen_.robot.joints[i].name);
    }
    if (names.empty()) continue;
    remarks.push_back(
        {fmt::format("{}: the slope of {} is not like {} (correlation below 0.2), as if one of the "
                     "two were something else",
                     listed(names), derivative_names[pair], derivative_names[pair + 1]),
         {},
         {}});
  }
  const auto is_misread = [](const Remark& of) { return of.is_of_degrees || !of.choices.empty(); };
  return {sentences(seen_, remarks), std::ranges::any_of(remarks, is_misread)};
}

}  // namespace armdyn
