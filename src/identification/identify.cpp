#include "identification/identify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/friction.hpp"
#include "dynamics/regressor_columns.hpp"
#include "identification/consistent_fit.hpp"
#include "math/columns.hpp"
#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/require.hpp"
#include "math/statistics.hpp"
#include "model/file_accuracy.hpp"
#include "model/limits_of_input.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

using Kind = ParameterKind;

/// β of base parameters, and the delay if it is fitted.
Eigen::VectorXd beta_of(const IdentificationModel& model, std::span<const double> parameters,
                        double delay_found = 0.0) {
  std::vector<double> values = model.base().values(parameters);
  if (model.finds_delay()) values.push_back(delay_found);
  return eigen(values);
}

/// Information on the base parameters with the delay unknown.
Eigen::MatrixXd without_delay(const IdentificationModel& model,
                              const Eigen::MatrixXd& information) {
  if (!model.finds_delay()) return information;
  const Eigen::Index size = information.rows() - 1;
  const Eigen::VectorXd shared = information.col(size).head(size);
  const double own = information(size, size);
  const Eigen::MatrixXd all = information.topLeftCorner(size, size);
  return own > 0.0 ? Eigen::MatrixXd(all - shared * shared.transpose() / own) : all;
}

}  // namespace

void require_motion(const LogEquations& log, const Robot& robot, const std::string& file,
                    const std::vector<std::string>& remarks) {
  constexpr double at_rest = 1e-4;  // rad/s, m/s
  if (log.rows().blocks() == 0) {
    throw InputError(file +
                     ": is too short; the first and the last half second are judged apart, and "
                     "nothing lies between them");
  }
  bool moves = false;
  std::vector<std::string> without_torque;
  std::vector<double> constants;
  for (std::size_t j = 0; j < robot.dof(); ++j) {
    if (log.speed(j) <= at_rest) continue;
    moves = true;
    const std::optional<double> constant = log.constant_torque(j);
    if (!constant) continue;
    without_torque.push_back(robot.joints[j].name);
    constants.push_back(*constant);
  }
  if (!moves) {
    throw InputError(fmt::format("{}: no joint moves; identification needs motion{}{}", file,
                                 remarks.empty() ? "" : "; ", fmt::join(remarks, "; ")));
  }
  if (without_torque.empty()) return;
  if (log.row_count() == 1) {
    throw InputError(file +
                     ": the smoothing window leaves one row; give a --window far shorter "
                     "than the log");
  }
  const bool is_one = std::ranges::count(constants, constants.front()) == std::ssize(constants);
  throw InputError(
      fmt::format("{}: the torque of {} is {} in all rows, as if it were not measured", file,
                  listed(without_torque),
                  is_one ? fmt::format("{:.6g}", constants.front() + 0.0) : "one number"));
}

namespace {

/// Blocks of each log's rows, or of its ends, between two shares of them.
std::vector<LogPart> parts_of(const std::vector<LogEquations>& logs, double from, double to,
                              const TorqueFitRows& (LogEquations::*of)() const) {
  return each(logs, [&](const LogEquations& log) {
    const auto blocks = static_cast<double>((log.*of)().blocks());
    return LogPart{&(log.*of)(), static_cast<std::size_t>(std::lround(from * blocks)),
                   static_cast<std::size_t>(std::lround(to * blocks))};
  });
}

/// Factor of all measured torques over the predicted ones, if there is one other than 1.
std::optional<double> common_gain(const std::vector<LogEquations>& logs, std::size_t joints) {
  constexpr double alike = 0.995;  // correlation
  constexpr double same = 0.03, beside_1 = 0.05;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const LogEquations& log : logs) {
    for (std::size_t j = 0; j < joints; ++j) {
      const LogEquations::Likeness own = log.likeness(j);
      if (own.correlation < alike) return std::nullopt;
      least = std::min(least, own.slope);
      most = std::max(most, own.slope);
    }
  }
  const double gain = (least + most) / 2.0;
  const bool is_common = most - least < same * gain && std::abs(gain - 1.0) > beside_1;
  return is_common ? std::optional(gain) : std::nullopt;
}

/// Ten parameters of a body that β has uncombined, 0 for others.
std::array<double, body_parameters> alone(const IdentificationModel& model, const TorqueFit& fit,
                                          std::size_t first) {
  constexpr double significant = 2.0;  // errors of the mass; else there is no body
  std::array<double, body_parameters> body{};
  const std::vector<BaseParameter>& combinations = model.base().combinations;
  for (std::size_t b = 0; b < combinations.size(); ++b) {
    const std::size_t k = combinations[b].first - first;  // from 0 on, if it is of the body
    if (k >= body.size() || !combinations[b].others.empty()) continue;
    body[k] = fit.beta[index(b)];
    if (k == 0 && !(body[k] > significant * fit.errors[index(b)])) return {};
  }
  return body;
}

/// Makes the model's bodies possible ones, as the prior needs them. A payload that the robot does not
/// have is taken from torques alone; returns its first parameter then.
std::optional<std::size_t> make_possible(const IdentificationModel& model, const TorqueFit& fit,
                                         Identification& found,
                                         std::vector<DynamicParameter>& parameters) {
  std::optional<std::size_t> by_torques;
  constexpr double least_mass_share = 1e-3;  // of the arm's
  const double least_mass = std::max(1e-6, least_mass_share * mass_of_links(found.robot));
  for (std::size_t first = 0; first < parameters.size(); ++first) {
    const DynamicParameter& p = parameters[first];
    if (p.kind != Kind::mass || !model.is_free(first)) continue;
    Joint& joint = joint_at(found.robot, p.joint);
    MassProperties& body = p.of_payload ? found.robot.payload : joint.body;
    const bool is_there = !p.of_payload || !body.is_none();
    if (is_there && (!is_physically_consistent(body) || body.mass == 0.0)) {
      found.projected.push_back(p.of_payload ? "payload" : joint.name);
    }
    if (const auto seen = alone(model, fit, first); !is_there && seen[0] > 0.0) {
      body = body_of(seen);
      by_torques = first;
    }
    body = possible_body(body, least_mass);
    const std::vector<double> prior = body_vector(body);
    for (std::size_t k = 0; k < body_parameters; ++k) parameters[first + k].value = prior[k];
  }
  return by_torques;
}

/// Gives parameters of a body whose prior is β itself no smaller errors than those of β: that prior is
/// no knowledge beside the data.
void rely_on_torques(const IdentificationModel& model, const TorqueFit& fit, std::size_t first,
                     ConsistentFit& full) {
  const std::vector<BaseParameter>& combinations = model.base().combinations;
  for (std::size_t b = 0; b < combinations.size(); ++b) {
    const std::size_t k = combinations[b].first;
    const double error = fit.errors[index(b)];
    const bool is_of_body = k >= first && k < first + body_parameters;
    if (!is_of_body || !combinations[b].others.empty() || std::isinf(error)) continue;
    const auto i =
        static_cast<std::size_t>(std::ranges::find(model.free(), k) - model.free().begin());
    full.errors[i] = std::max(full.errors[i], error);
    full.from_data[i] = 1.0;
  }
}

/// Task of finding all free parameters near those of the robot, by the combinations of `fit`.
ConsistentFitTask consistent_task(const IdentificationModel& model, const TorqueFit& fit,
                                  const std::vector<DynamicParameter>& parameters,
                                  const std::vector<LogEquations>& logs,
                                  const std::vector<Misfit>& measured) {
  const std::vector<BaseParameter>& combinations = model.base().combinations;
  ConsistentFitTask task;
  task.prior_weight = model.task().prior;
  task.beta = fit.beta.head(index(combinations.size()));
  task.information = without_delay(model, fit.information);
  task.combinations = Eigen::MatrixXd::Zero(task.beta.size(), index(model.free().size()));
  std::vector<Eigen::Index> place(parameters.size(), -1);
  for (const std::size_t k : model.free()) {
    const DynamicParameter& p = parameters[k];
    place[k] = index(task.parameters.size());
    task.parameters.push_back(p);
    if (is_of_body(p)) {
      task.prior_scale.push_back(0.0);
      continue;
    }
    // Value that would explain the whole torque by itself; of an offset, a tenth of that.
    double column = 0.0;
    for (const LogEquations& log : logs) column = std::max(column, log.column_rms(k));
    const double share = p.kind == Kind::offset ? 0.1 : 1.0;
    const double torque =
        share * std::max(measured[joint_that_shows(p, model.robot())].torque_rms, 1e-6);
    task.prior_scale.push_back(std::max(p.value, torque / std::max(column, 1e-6)));
  }
  for (std::size_t b = 0; b < combinations.size(); ++b) {
    const auto row = index(b);
    task.combinations(row, place[combinations[b].first]) = 1.0;
    for (const auto& [k, factor] : combinations[b].others) {
      task.combinations(row, place[k]) = factor;
    }
  }
  return task;
}

/// Sets a parameter of a drive or spring, or with a mass all ten of its body, to the first of these values.
void put(Robot& robot, const DynamicParameter& p, std::span<const double> values) {
  if (p.kind == Kind::mass) {
    (p.of_payload ? robot.payload : joint_at(robot, p.joint).body) =
        body_of(values.first(body_parameters));
  } else if (p.kind == Kind::stiffness) {
    robot.springs[p.spring].stiffness = values.front();
  } else if (!is_of_body(p)) {
    Joint& joint = joint_at(robot, p.joint);
    set_drive_parameter(joint.friction, joint.motor, p.kind, values.front());
  }
}

/// Raises static friction below the Coulomb level to that.
void raise_breakaway(Robot& robot) {
  for (Joint& joint : robot.joints) {
    const TwoSided& coulomb = joint.friction.coulomb;
    std::optional<TwoSided>& breakaway = joint.friction.breakaway;
    if (!breakaway) continue;
    *breakaway = {std::max(breakaway->positive, coulomb.positive),
                  std::max(breakaway->negative, coulomb.negative)};
  }
}

/// Notes the covariance of the new robot's base parameters with the robot, and the offsets that are
/// no part of it.
void note_accuracy(const IdentificationModel& model,
                   const std::vector<DynamicParameter>& parameters,
                   const Eigen::MatrixXd& combinations, const Eigen::MatrixXd& covariance,
                   Identification& found) {
  const Eigen::MatrixXd of_base = combinations * covariance * combinations.transpose();
  IdentifiedParameters identified;
  for (Eigen::Index i = 0; i < of_base.rows(); ++i) {
    const DynamicParameter& first =
        parameters[model.base().combinations[static_cast<std::size_t>(i)].first];
    identified.names.push_back(name(first));
    identified.offsets.push_back(first.kind == Kind::offset ? found.offsets[first.joint] : 0.0);
    for (Eigen::Index j = 0; j <= i; ++j) identified.covariance.push_back(of_base(i, j));
  }
  FileAccuracy accuracy = found.robot.file_accuracy ? *found.robot.file_accuracy : FileAccuracy{};
  accuracy.identified = std::move(identified);
  found.robot.file_accuracy = std::make_shared<const FileAccuracy>(std::move(accuracy));
}

/// Compares the fits of each log alone. Where they differ by more than chance, the errors are no less
/// than those of the means of these fits, widened (29.7); the residuals of all logs, and so the errors
/// as they were, have the differences in them already. The ends of each log follow the rest of all,
/// in the same order.
void widen_errors(const std::vector<LogPart>& logs, const std::vector<LogPart>& all,
                  const Eigen::VectorXd& start, TorqueFit& whole, Identification& found) {
  constexpr double chance = 1.75;        // of the root mean square of z
  constexpr double chance_of_one = 3.0;  // of one parameter's z
  const auto size = start.size();
  std::vector<TorqueFit> fits;
  for (std::size_t l = 0; l < logs.size(); ++l) {
    std::vector<LogPart> parts{all[l]};
    if (all.size() > logs.size()) parts.push_back(all[logs.size() + l]);
    fits.push_back(fit_torques(parts, start));
  }
  auto& between = *(found.between_logs = Identification::Disagreement{});
  Eigen::VectorXd z = Eigen::VectorXd::Zero(size);
  Eigen::VectorXd of_mean = whole.errors;  // errors of the means of the fits
  double squares = 0.0, freedom = 0.0;
  for (Eigen::Index i = 0; i < size; ++i) {
    double weights = 0.0, sum = 0.0, sum_of_squares = 0.0, own = -1.0;
    for (const TorqueFit& fit : fits) {
      if (!std::isfinite(fit.errors[i]) || !(fit.errors[i] > 0.0)) continue;
      const double weight = 1.0 / square(fit.errors[i]), away = fit.beta[i] - whole.beta[i];
      weights += weight;
      sum += weight * away;
      sum_of_squares += weight * away * away;
      own += 1.0;
    }
    if (weights > 0.0) of_mean[i] = 1.0 / std::sqrt(weights);
    if (own < 1.0) continue;
    const double spread = std::max(0.0, sum_of_squares - square(sum) / weights);
    squares += spread;
    freedom += own;
    z[i] = std::sqrt(spread / own);
  }
  if (freedom > 0.0) between.rms_z = std::sqrt(squares / freedom);
  between.is_random = between.rms_z < chance;
  Eigen::Index worst = 0;
  z.maxCoeff(&worst);
  between.worst = static_cast<std::size_t>(worst);
  for (const TorqueFit& fit : fits) between.of_logs.push_back({fit.beta[worst], fit.errors[worst]});
  if (between.is_random) return;
  const Eigen::ArrayXd wider =
      (z.array() > chance_of_one).select(z.array(), 0.0).max(between.rms_z);
  const Eigen::ArrayXd own = whole.errors, errors = own.max(wider * of_mean.array());
  const Eigen::VectorXd share = (errors > own).select(own / errors, 1.0);
  whole.errors = errors;
  whole.information = share.asDiagonal() * whole.information * share.asDiagonal();
}

/// Tests whether the residual of the joints' torques is below that of the given robot, in the mean
/// over joints. A residual above the torque counts as the whole torque; a joint that nearly
/// rests where it is judged counts by its torque in the fitted rows.
bool is_better(const std::vector<Misfit>& judged, const std::vector<Misfit>& fitted) {
  constexpr double least_gain = 1e-3;  // less is chance
  constexpr double at_rest = 0.1;      // of the torque in the fitted rows
  double before = 0.0, after = 0.0;    // sums over joints
  for (std::size_t j = 0; j < judged.size(); ++j) {
    const Misfit& joint = judged[j];
    const double whole = std::max({joint.torque_rms, joint.before, at_rest * fitted[j].torque_rms});
    if (whole == 0.0) continue;
    before += joint.before / whole;
    after += joint.rms / whole;
  }
  return after < (1.0 - least_gain) * before;
}

/// Joints whose residual by least squares is above half the torque, beyond noise that fits of the
/// torques average away; or of most joints more than half of what it is in the rows held out. Where
/// it explains next to nothing of most joints, the residual counts, noise or not. Where the physically
/// consistent parameters leave so much of most joints, these residuals count.
std::vector<std::size_t> unexplained_joints(const Identification& found) {
  constexpr double most = 0.5;    // of the torque
  constexpr double noise = 3.0;   // factor of the residual without smoothing
  constexpr double hidden = 1.5;  // times, where the robot predicts no torque that is not there
  constexpr double alike = 1.1;
  constexpr double at_rest = 0.1;  // of the torque in the fitted rows
  constexpr double nearly_all = 0.9;
  constexpr double made = 0.2;
  const std::vector<std::size_t> joints = in_order(found.unconstrained.size());
  const auto shares_of = [&](const std::vector<Misfit>& misfits) {
    return each(joints, [&](std::size_t j) {
      const Misfit& left = misfits[j];
      const double torque = std::max(left.torque_rms, at_rest * found.fitted[j].torque_rms);
      return torque > 0.0 ? left.rms / torque : 0.0;
    });
  };
  std::vector<double> shares = shares_of(found.unconstrained), of_robot = shares_of(found.held_out);
  // Noise excuses where something is explained. Where ROBOT's parameters make the torques, or the new
  // ones did in the rows that were fitted, the rows held out move what these did not.
  const bool is_explained = median_of(shares) < nearly_all;
  const auto is_excused = [&](std::size_t j, const Misfit& left) {
    const Misfit &held_out = found.held_out[j], &fitted = found.fitted[j];
    const bool is_light = held_out.before <= alike * held_out.torque_rms;
    return (is_explained && left.measured_rms >= (is_light ? hidden : noise) * left.rms) ||
           held_out.before <= most * held_out.torque_rms ||
           (found.fit.condition > poor_condition && fitted.rms < made * fitted.torque_rms);
  };
  for (const std::size_t j : joints) {
    if (is_excused(j, found.unconstrained[j])) shares[j] = 0.0;
    if (is_excused(j, found.held_out[j])) of_robot[j] = 0.0;
  }
  if (is_explained && median_of(of_robot) > most) shares = of_robot;
  const bool are_most = median_of(shares) > most;
  // In a weighing the torques are known hardly better than what it leaves of the joints that it
  // explains.
  const auto is_below_noise = [&](std::size_t j) {
    return !found.fits_whole_arm && std::ranges::any_of(joints, [&](std::size_t k) {
      return found.robot.joints[k].type == found.robot.joints[j].type && shares[k] <= most &&
             found.unconstrained[j].rms <= noise * found.unconstrained[k].rms;
    });
  };
  std::vector<std::size_t> unexplained;
  for (const std::size_t j : joints) {
    const bool is_much = found.unconstrained[j].rms > most * found.fitted[j].torque_rms;
    if (shares[j] > most && (are_most || is_much) && !is_below_noise(j)) unexplained.push_back(j);
  }
  return unexplained;
}

}  // namespace

Identification identify(const Robot& as_it_was, const IdentificationModel& model,
                        const std::vector<LogEquations>& logs,
                        const std::vector<LogEquations>& held_out) {
  const std::size_t n = model.robot().dof();
  Identification found;
  found.robot = model.robot();
  found.held_out_is_tail = held_out.empty();
  found.gain = common_gain(logs, n);
  for (std::size_t j = 0; j < n; ++j) {
    const bool moves = std::ranges::any_of(
        logs, [&](const LogEquations& log) { return log.speed(j) > model.task().min_speed; });
    if (!moves) found.still.push_back(found.robot.joints[j].name);
  }

  const double until = held_out.empty() ? fitted_share : 1.0;
  const std::vector<LogPart> fitted = parts_of(logs, 0.0, until, &LogEquations::rows);
  std::vector<LogPart> all_fitted = fitted;
  if (!held_out.empty()) append(all_fitted, parts_of(logs, 0.0, 1.0, &LogEquations::ends));
  const std::vector<LogPart> judged = held_out.empty()
                                          ? parts_of(logs, until, 1.0, &LogEquations::rows)
                                          : parts_of(held_out, 0.0, 1.0, &LogEquations::rows);

  std::vector<DynamicParameter> parameters = model.regressor().parameters();
  const BaseParameters& base = model.base();
  const Eigen::VectorXd file_beta = beta_of(model, each(parameters, &DynamicParameter::value));
  TorqueFit fit = fit_torques(all_fitted, file_beta);
  found.fit = static_cast<const FitFigures&>(fit);
  found.errors_cover = fit.shows_errors();
  if (logs.size() > 1) widen_errors(fitted, all_fitted, file_beta, fit, found);
  found.unconstrained = misfits(judged, fit.beta);
  if (model.finds_delay()) {
    const auto last = fit.beta.size() - 1;
    found.delay = {fit.beta[last], fit.errors[last]};
  }

  const std::optional<std::size_t> by_torques = make_possible(model, fit, found, parameters);
  const ConsistentFitTask task =
      consistent_task(model, fit, parameters, logs, misfits(fitted, fit.beta));
  ConsistentFit full = fit_consistent(task);
  if (by_torques) rely_on_torques(model, fit, *by_torques, full);
  std::vector<double> of_robot = each(parameters, &DynamicParameter::value);
  std::vector<double> with_offsets = of_robot;
  found.offsets.resize(n);
  for (std::size_t i = 0; i < model.free().size(); ++i) {
    const std::size_t k = model.free()[i];
    const DynamicParameter& p = parameters[k];
    found.parameters.push_back({p, full.parameters[i], full.errors[i], full.from_data[i]});
    of_robot[k] = with_offsets[k] = full.parameters[i];
    if (p.kind == Kind::offset) found.offsets[p.joint] = std::exchange(of_robot[k], 0.0);
    put(found.robot, p, std::span(full.parameters).subspan(i));
  }
  raise_breakaway(found.robot);
  note_accuracy(model, parameters, task.combinations, full.covariance, found);

  const Eigen::VectorXd beta = beta_of(model, of_robot);
  found.fitted = misfits(fitted, beta);
  found.held_out = misfits(judged, beta);
  found.held_out_ends =
      misfits(parts_of(held_out.empty() ? logs : held_out, 0.0, 1.0, &LogEquations::ends), beta);
  found.held_out_offset = misfits(
      judged, beta_of(model, with_offsets, found.delay.value_or(Identification::Estimate{}).value));
  for (std::size_t b = 0; b < base.combinations.size(); ++b) {
    const auto row = index(b);
    found.base_parameters.push_back({to_text(base.combinations[b], parameters),
                                     unit(parameters[base.combinations[b].first], as_it_was),
                                     file_beta[row], fit.beta[row], fit.errors[row], beta[row]});
  }
  found.is_better = is_better(found.held_out, found.fitted);
  found.fits_whole_arm = model.fits_whole_arm();
  found.unexplained = unexplained_joints(found);
  return found;
}

namespace {

/// Throws InputError unless the log has all columns of a fit, with numbers within limits.
void require_columns(const LogRows& log, const std::string& name, std::size_t dof) {
  if (!log.smoothing) {
    throw InputError(name + ": identify needs torques, read with `derive` and `smooth`");
  }
  const auto require_column = [&](const std::string& place, const std::vector<double>& column,
                                  double most) {
    if (column.size() != log.t.size()) {
      throw InputError(fmt::format("{}: rows of {}: found {}, expected {}, as t has", name, place,
                                   column.size(), log.t.size()));
    }
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (std::abs(column[row]) <= most) continue;
      throw InputError(fmt::format("{}: {}[{}] is {}, expected {}", name, place, row, column[row],
                                   limits_of_input::expected(most)));
    }
  };
  const LogRows::Smoothing& fits = *log.smoothing;
  constexpr double any = std::numeric_limits<double>::max();
  const struct {
    const char* name;
    const Columns& columns;
    double most;
  } groups[] = {{"q", log.q, limits_of_input::position},
                {"qd", log.qd, limits_of_input::rate},
                {"qdd", log.qdd, limits_of_input::rate},
                {"tau", log.tau, limits_of_input::rate},
                {"measured_tau", fits.measured_tau, limits_of_input::rate},
                {"tau_rate", fits.tau_rate, any},
                {"rate_variance", fits.rate_variance, any},
                {"wrench", log.wrench, limits_of_input::rate}};
  for (const auto& group : groups) {
    const bool is_wrench = &group.columns == &log.wrench;
    const std::size_t count = group.columns.size();
    if (is_wrench ? count != 0 && count != 6 : count != dof) {
      throw InputError(
          fmt::format("{}: columns of {}: found {}, expected {}", name, group.name, count,
                      is_wrench ? "none or 6" : fmt::format("{}, one per joint", dof)));
    }
    for (std::size_t j = 0; j < count; ++j) {
      require_column(fmt::format("{}[{}]", group.name, j), group.columns[j], group.most);
    }
  }
  require_column("is_at_end", fits.is_at_end, any);
  if (!(fits.window >= 0.0 && fits.window <= any)) {
    throw InputError(
        fmt::format("{}: window is {}, expected seconds, 0 or more", name, fits.window));
  }
}

LogEquations equations_of(const LogRows& log, const std::string& name, const Robot& robot,
                          const IdentificationModel& model, EquationWorker& worker) {
  require_columns(log, name, robot.dof());
  constexpr std::size_t most = 1024;  // rows at a time
  LogEquations equations(name, model);
  LogEquations::Block block;
  for (std::size_t first = 0, count = 0; first < log.t.size(); first += count) {
    count = std::min(most, log.t.size() - first);
    const auto part = [&](const Columns& columns) {
      return each(columns, [&](const std::vector<double>& column) {
        return std::span(column).subspan(first, count);
      });
    };
    const LogEquations::Rows::Spans q = part(log.q), qd = part(log.qd), qdd = part(log.qdd),
                                    wrench = part(log.wrench);
    worker({count, places(q), places(qd), places(qdd), places(wrench)}, block);
    const LogRows::Smoothing& fits = *log.smoothing;
    equations.add(block, {count, std::span(log.t).subspan(first, count), qd, qdd, part(log.tau),
                          part(fits.measured_tau), part(fits.tau_rate), part(fits.rate_variance),
                          fits.window, std::span(fits.is_at_end).subspan(first, count)});
  }
  equations.finish();
  require_motion(equations, robot, name);
  return equations;
}

}  // namespace

Identification identify(const Robot& robot, std::span<const LogRows> logs,
                        std::span<const LogRows> held_out, const IdentificationOptions& task) {
  require(!logs.empty(), "identification needs a log");
  const IdentificationModel model(robot, task);
  EquationWorker worker(model, BlockInverseDynamics(normalize(robot)));
  bool errors_cover = true;
  const auto equations_of_all = [&](std::span<const LogRows> all, const std::string& kind) {
    std::vector<LogEquations> equations;
    for (const LogRows& log : all) {
      const std::string name = kind + std::to_string(equations.size() + 1);
      equations.push_back(equations_of(log, name, robot, model, worker));
      errors_cover = errors_cover && (!log.report.derived || log.report.derived->errors_cover());
    }
    return equations;
  };
  const std::vector<LogEquations> fitted = equations_of_all(logs, "log "),
                                  judged = equations_of_all(held_out, "held-out log ");
  Identification found = identify(robot, model, fitted, judged);
  found.errors_cover = found.errors_cover && errors_cover;
  return found;
}

}  // namespace armdyn
