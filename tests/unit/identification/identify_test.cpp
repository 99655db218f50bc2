#include "identification/identify.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "identification/consistent_fit.hpp"
#include "math/rigid.hpp"
#include "support/random_arm.hpp"
#include "support/refused_argument.hpp"

namespace armdyn::testing {
namespace {

/// Three joints that turn, bodies with volume, viscous and Coulomb friction, rotors.
Robot arm() {
  RandomArm random(5);
  Robot robot = random.robot(3);
  robot.name = "arm";
  robot.convention = Convention::modified;
  robot.base = {};
  robot.payload = {};
  const double alpha[] = {0.0, -1.5707963267948966, 0.3};
  for (std::size_t i = 0; i < 3; ++i) {
    Joint& joint = robot.joints[i];
    joint.name = std::string("joint") + static_cast<char>('A' + i);
    joint.type = JointType::revolute;
    joint.dh = {0.3, alpha[i], 0.1, 0.2};
    joint.body = {
        5.0 - static_cast<double>(i), {0.1, 0.05, -0.04}, box_inertia(4.0, {0.3, 0.2, 0.1})};
    joint.friction = {.viscous = 0.5, .coulomb = {1.0, 1.0}};
    joint.motor = {.rotor_inertia = 1e-4, .gear_ratio = 50.0, .coulomb = {}};
  }
  return robot;
}

struct Log {
  std::vector<std::vector<double>> q, qd, qdd, tau, tau_rate;
};

/// What the robot does on sums of sines, with independent noise in its torques, which come `late`.
Log log_of(const Robot& robot, std::size_t rows, double noise, std::uint64_t seed,
           double late = 0.0) {
  const std::size_t n = robot.dof();
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, noise);
  Log log;
  for (auto* columns : {&log.q, &log.qd, &log.qdd, &log.tau, &log.tau_rate}) {
    columns->assign(n, std::vector<double>(rows));
  }
  const Arm moved = normalize(robot);
  std::vector<double> q(n), qd(n), qdd(n);
  const auto place = [&](double t) {
    for (std::size_t i = 0; i < n; ++i) {
      q[i] = qd[i] = qdd[i] = 0.0;
      for (int h = 1; h <= 3; ++h) {
        const double w = h * (0.9 + 0.37 * static_cast<double>(i));
        const double a = 0.8 / h, phase = static_cast<double>(i) + 2.0 * h;
        q[i] += a * std::sin(w * t + phase);
        qd[i] += a * w * std::cos(w * t + phase);
        qdd[i] -= a * w * w * std::sin(w * t + phase);
      }
    }
  };
  for (std::size_t k = 0; k < rows; ++k) {
    constexpr double step = 1e-4;
    const double t = 20.0 * static_cast<double>(k) / static_cast<double>(rows);
    place(t - late - step);
    const std::vector<double> before = torque(moved, {q, qd, qdd});
    place(t - late + step);
    const std::vector<double> after = torque(moved, {q, qd, qdd});
    place(t - late);
    const std::vector<double> tau = torque(moved, {q, qd, qdd});
    place(t);
    for (std::size_t i = 0; i < n; ++i) {
      log.q[i][k] = q[i];
      log.qd[i][k] = qd[i];
      log.qdd[i][k] = qdd[i];
      log.tau[i][k] = tau[i] + normal(random);
      log.tau_rate[i][k] = (after[i] - before[i]) / (2 * step);
    }
  }
  return log;
}

/// `rate_noise`: variances of the noise in log.tau_rate, of joints.
LogEquations equations_of(const Log& log, const Robot& prior, const IdentificationModel& model,
                          const std::vector<double>& rate_noise = {}) {
  const auto pointers = [](const std::vector<std::vector<double>>& columns) {
    std::vector<Column> all;
    for (const auto& column : columns) all.push_back(column.data());
    return all;
  };
  const auto spans = [](const std::vector<std::vector<double>>& columns) {
    return std::vector<std::span<const double>>(columns.begin(), columns.end());
  };
  const std::vector<Column> q = pointers(log.q), qd = pointers(log.qd), qdd = pointers(log.qdd);
  LogEquations::Block block;
  EquationWorker worker(model, BlockInverseDynamics(normalize(prior)));
  worker({log.q[0].size(), q, qd, qdd, {}}, block);
  LogEquations equations("log", model);
  const auto tau = spans(log.tau);
  const std::size_t rows = log.q[0].size();
  const std::vector<double> inside(rows, 0.0);
  std::vector<double> t(rows);
  for (std::size_t k = 0; k < rows; ++k)
    t[k] = 20.0 * static_cast<double>(k) / static_cast<double>(rows);
  std::vector<std::vector<double>> variances;
  for (std::size_t j = 0; j < log.q.size(); ++j) {
    variances.emplace_back(log.q[0].size(), rate_noise.empty() ? 0.0 : rate_noise[j]);
  }
  equations.add(block, {rows, t, spans(log.qd), spans(log.qdd), tau, tau, spans(log.tau_rate),
                        spans(variances), 0.03, inside});
  equations.finish();
  return equations;
}

/// A robot file that is wrong by a third.
Robot wrong(Robot robot) {
  for (Joint& joint : robot.joints) {
    joint.body.mass *= 1.3;
    joint.body.com = 0.7 * joint.body.com;
    joint.friction.viscous *= 0.5;
    joint.motor.rotor_inertia = 0.0;
  }
  return robot;
}

Identification identified(const Robot& truth, const Robot& prior, double noise,
                          std::uint64_t seed = 1, IdentificationOptions task = {}) {
  const IdentificationModel model(prior, std::move(task));
  std::vector<LogEquations> logs;
  logs.push_back(equations_of(log_of(truth, 3000, noise, seed), prior, model));
  return identify(prior, model, logs, {});
}

std::vector<double> true_base(const Robot& truth, const Robot& prior) {
  const IdentificationModel model(prior, {});
  std::vector<double> pi;
  const Regressor regressor(truth);
  for (const DynamicParameter& p : regressor.parameters()) pi.push_back(p.value);
  return model.base().values(pi);
}

TEST(Identify, FindsTheArmThatMadeTheTorques) {
  const Robot truth = arm();
  const Identification found = identified(truth, wrong(truth), 1e-3);
  const std::vector<double> expected = true_base(truth, wrong(truth));
  ASSERT_EQ(found.base_parameters.size(), expected.size());
  for (std::size_t b = 0; b < expected.size(); ++b) {
    EXPECT_NEAR(found.base_parameters[b].value, expected[b], 2e-3)
        << found.base_parameters[b].combination;
    EXPECT_NEAR(found.base_parameters[b].fitted, expected[b], 2e-3)
        << found.base_parameters[b].combination;
  }
  EXPECT_TRUE(found.is_better);
  for (const Misfit& joint : found.held_out) EXPECT_LT(joint.rms, 1.2e-3);
  for (const Joint& joint : found.robot.joints) {
    EXPECT_TRUE(is_physically_consistent(joint.body)) << joint.name;
    EXPECT_GT(joint.body.mass, 0.0);
  }
}

// The mass of link 2, 0.03 m off axis 1, counts as 0.03² m² there, and through a gear of 1000 as
// 9e-10 m² at the rotor.
TEST(BaseParameters, KeepSharesThatGearsMakeSmall) {
  Robot robot = arm();
  robot.joints.resize(2);
  robot.joints[0].motor.gear_ratio = 1000.0;
  robot.joints[1].dh = {.a = 0.03, .alpha = 0.0, .d = 0.1, .theta = 0.2};
  const Regressor regressor(robot);
  const auto& parameters = regressor.parameters();
  double factor = 0.0;
  for (const BaseParameter& combination : base_parameters(robot, regressor).combinations) {
    const DynamicParameter& first = parameters[combination.first];
    if (first.kind != ParameterKind::rotor_inertia || first.joint != 0) continue;
    for (const auto& [k, share] : combination.others) {
      if (parameters[k].kind == ParameterKind::mass && parameters[k].joint == 1) factor = share;
    }
  }
  EXPECT_NEAR(factor, 9e-10, 1e-16);
}

// Without noise, residuals are roundings, which differ from block to block by any factor.
TEST(Identify, RoundingIsNoMisfit) {
  const Robot truth = arm();
  EXPECT_EQ(identified(truth, wrong(truth), 0.0).fit.outlying, 0U);
}

TEST(Identify, HoldsOutTheLastFifthOfAShortLog) {
  const Robot truth = arm(), prior = wrong(truth);
  const IdentificationModel model(prior, {});
  std::vector<LogEquations> logs;
  logs.push_back(equations_of(log_of(truth, 240, 1e-3, 1), prior, model));
  const Identification found = identify(prior, model, logs, {});
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(found.held_out[j].rows / (found.held_out[j].rows + found.fitted[j].rows), 0.2,
                0.05);
  }
  EXPECT_TRUE(found.is_better);
}

TEST(Identify, FindsADelayOfTheTorques) {
  const Robot truth = arm(), prior = wrong(truth);
  const std::vector<double> expected = true_base(truth, prior);
  const auto found_with = [&](const IdentificationOptions& task) {
    const IdentificationModel model(prior, task);
    std::vector<LogEquations> logs;
    logs.push_back(equations_of(log_of(truth, 3000, 0.01, 7, 0.004), prior, model));
    return identify(prior, model, logs, {});
  };
  const Identification found = found_with({});
  ASSERT_TRUE(found.delay.has_value());
  EXPECT_NEAR(found.delay->value, 0.004, 4e-5);  // up to terms of (δω)²
  const Identification blind = found_with({.free = {}, .fix = {"delay"}});
  EXPECT_FALSE(blind.delay.has_value());
  double away = 0.0, blindly_away = 0.0;
  for (std::size_t b = 0; b < expected.size(); ++b) {
    away = std::max(away, std::abs(found.base_parameters[b].value - expected[b]));
    blindly_away = std::max(blindly_away, std::abs(blind.base_parameters[b].value - expected[b]));
  }
  EXPECT_LT(away, 0.2 * blindly_away);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LT(found.held_out_offset[j].rms, 0.5 * blind.held_out_offset[j].rms);
  }
}

// Against sums over the rows themselves.
// A column with noise is fitted too small by the share of signal in its squares; that is taken out.
TEST(Identify, NoiseInTheSlopesOfTorquesDoesNotHideADelay) {
  constexpr double late = 0.004;  // s
  const Robot truth = arm();
  const IdentificationModel model(truth, {});
  constexpr int runs = 40;
  int covered = 0;
  double mean = 0.0, unaware = 0.0;
  for (int run = 0; run < runs; ++run) {
    Log log = log_of(truth, 3000, 0.02, 100 + static_cast<std::uint64_t>(run), late);
    std::vector<double> variances;  // a tenth of the signal
    for (const auto& column : log.tau_rate) {
      variances.push_back(0.1 *
                          std::inner_product(column.begin(), column.end(), column.begin(), 0.0) /
                          static_cast<double>(column.size()));
    }
    std::mt19937_64 random(static_cast<std::uint64_t>(run) + 1);
    std::normal_distribution<double> normal;
    for (std::size_t j = 0; j < 3; ++j) {
      for (double& rate : log.tau_rate[j]) rate += std::sqrt(variances[j]) * normal(random);
    }
    const auto delay = [&](const std::vector<double>& said) {
      std::vector<LogEquations> logs;
      logs.push_back(equations_of(log, truth, model, said));
      return *identify(truth, model, logs, {}).delay;
    };
    const auto [value, error] = delay(variances);
    covered += std::abs(value - late) <= 2.0 * error ? 1 : 0;
    mean += value / runs;
    unaware += delay({}).value / runs;
  }
  EXPECT_NEAR(mean, late, 0.04 * late);
  EXPECT_LT(unaware, 0.8 * late);
  EXPECT_GE(covered, 35);
}

TEST(Identify, KeepsResidualsOfSmoothedAndMeasuredTorques) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  TorqueFitRows rows({{0, 2}});
  const Eigen::Vector3d beta(1.5, 7.0, -0.5);
  double smoothed = 0.0, measured = 0.0, sum = 0.0, squares = 0.0;
  constexpr int count = 500;
  for (int k = 0; k < count; ++k) {
    const double y0 = normal(random), y2 = normal(random), rough = 0.3 * normal(random);
    const double tau = 1.4 * y0 - 0.6 * y2 + 0.1 * normal(random);
    rows.add(0, std::vector<double>{rough, y0, y2, tau}, {tau, tau + rough, 0.0});
    rows.end_moment();
    const double residual = 1.5 * y0 - 0.5 * y2 - tau;
    smoothed += residual * residual;
    measured += (residual - rough) * (residual - rough);
    sum += tau + rough;
    squares += (tau + rough) * (tau + rough);
  }
  rows.finish();
  const Misfit found = misfits(std::vector<LogPart>{{&rows, 0, rows.blocks()}}, beta).front();
  EXPECT_NEAR(found.rms, std::sqrt(smoothed / count), 1e-12);
  EXPECT_NEAR(found.measured_rms, std::sqrt(measured / count), 1e-12);
  EXPECT_NEAR(found.measured_torque_rms, std::sqrt(squares / count - (sum / count) * (sum / count)),
              1e-12);
}

// Too long for as many blocks of the first length; the second joint has a row in every third moment.
TEST(Identify, KeepsALongLogInBlocksOfNeighbors) {
  TorqueFitRows rows({{0, 2}, {1}});
  const Eigen::Vector3d beta(0.4, -1.1, 0.25);
  constexpr int moments = 50'037;
  double squares[2] = {}, measured_squares[2] = {}, count[2] = {};
  std::vector<double> until;  // of the first joint's squares, by moments
  for (int k = 0; k < moments; ++k) {
    const double a = std::sin(0.013 * k), b = std::cos(0.031 * k), noise = 0.1 * std::sin(7.0 * k);
    for (const std::size_t j : {0U, 1U}) {
      if (j == 1 && k % 3 != 0) continue;
      const double explained = j == 0 ? 0.4 * a + 0.25 * b : -1.1 * a, tau = explained + 0.05 * b;
      const std::vector<double> row =
          j == 0 ? std::vector{noise, a, b, tau} : std::vector{noise, a, tau};
      rows.add(j, row, {tau, tau + noise, 0.5, 0.0});
      squares[j] += 0.0025 * b * b;
      measured_squares[j] += (0.05 * b + noise) * (0.05 * b + noise);
      count[j] += 1.0;
    }
    until.push_back(squares[0]);
    rows.end_moment();
  }
  rows.finish();
  EXPECT_LE(rows.blocks(), TorqueFitRows::most_blocks);
  EXPECT_GT(rows.blocks(), TorqueFitRows::most_blocks / 4);
  std::size_t end = 0;
  for (std::size_t block = 0; block < rows.blocks(); ++block) {
    const std::size_t begin = end;
    end += static_cast<std::size_t>(rows.triangle(block, 0).rows);
    const double before = begin == 0 ? 0.0 : until[begin - 1];
    EXPECT_NEAR(rows.misfit(block, 0, beta), until[end - 1] - before, 1e-10) << block;
    if (block > 0 && block + 1 < rows.blocks()) {
      EXPECT_EQ(rows.triangle(block, 0).rows, rows.triangle(0, 0).rows);
    }
  }
  EXPECT_EQ(end, static_cast<std::size_t>(moments));
  const std::vector<Misfit> found = misfits(std::vector<LogPart>{{&rows, 0, rows.blocks()}}, beta);
  for (const std::size_t j : {0U, 1U}) {
    EXPECT_EQ(found[j].rows, count[j]);
    EXPECT_NEAR(found[j].rms, std::sqrt(squares[j] / count[j]), 1e-12);
    EXPECT_NEAR(found[j].measured_rms, std::sqrt(measured_squares[j] / count[j]), 1e-12);
    EXPECT_NEAR(found[j].before, 0.5, 1e-12);
  }
}

// Of 16 blocks with a mean each, a block left out moves the mean of all by 16/15 of its part (29.4).
TEST(Identify, HasTheErrorsOfLeavingOutBlocks) {
  const std::vector<double> away{1.0,  -1.0, 2.0,  -2.0, 1.5, -1.5, 0.5, -0.5,
                                 1.25, -1.0, -0.5, 0.25, 1.0, -1.0, 1.0, -1.0};
  const std::vector<std::vector<Eigen::Index>> used(1, std::vector<Eigen::Index>(1));
  TorqueFitRows rows(used);
  for (const double block : away) {
    for (int k = 0; k < 128; ++k) {
      const double tau = 7.0 + block + (k % 2 == 0 ? 0.1 : -0.1);
      rows.add(0, std::vector<double>{0.0, 1.0, tau}, {tau, tau, 0.0});
      rows.end_moment();
    }
  }
  rows.finish();
  ASSERT_EQ(rows.blocks(), away.size());
  double sum = 0.0, squares = 0.0;
  for (const double block : away) {
    const double part = block / 16.0 * block / 15.0;
    sum += part;
    squares += part * part;
  }
  const double freedom = sum * sum / squares;
  EXPECT_GT(freedom, 8.0);
  const TorqueFit fit =
      fit_torques(std::vector<LogPart>{{&rows, 0, rows.blocks()}}, Eigen::VectorXd::Zero(1));
  EXPECT_EQ(fit.outlying, 0U);
  EXPECT_NEAR(fit.beta[0], 7.0, 1e-12);
  EXPECT_NEAR(fit.errors[0], std::sqrt(sum * freedom / (freedom - 2.0)), 1e-5 * fit.errors[0]);
}

// Noise as smoothing over 12 rows leaves it, of which a short log's blocks must show how long it is
// correlated.
TEST(Identify, ErrorsOfAShortLogCoverTheTruth) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  constexpr int draws = 300, count = 250, smoothed = 12;
  const Eigen::Vector2d beta(3.0, -2.0);
  int covered = 0;
  for (int draw = 0; draw < draws; ++draw) {
    TorqueFitRows rows({{0, 1}});
    std::deque<double> noise(smoothed);
    for (double& x : noise) x = normal(random);
    for (int k = 0; k < count; ++k) {
      noise.pop_front();
      noise.push_back(normal(random));
      const double y = std::sin(0.05 * k);
      const double tau =
          beta[0] + beta[1] * y + std::accumulate(noise.begin(), noise.end(), 0.0) / smoothed;
      rows.add(0, std::vector<double>{0.0, 1.0, y, tau}, {tau, tau, 0.0});
      rows.end_moment();
    }
    rows.finish();
    const TorqueFit fit =
        fit_torques(std::vector<LogPart>{{&rows, 0, rows.blocks()}}, Eigen::VectorXd::Zero(2));
    for (Eigen::Index i = 0; i < 2; ++i) {
      covered += std::abs(fit.beta[i] - beta[i]) <= 2.0 * fit.errors[i] ? 1 : 0;
    }
  }
  EXPECT_GT(covered, static_cast<int>(0.92 * 2 * draws));
}

TEST(Identify, KeepsTheSpreadOfTorquesBesideALargeMean) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  const std::vector<std::vector<Eigen::Index>> used(1, std::vector<Eigen::Index>(1));
  TorqueFitRows rows(used);
  double sum = 0.0, squares = 0.0;
  constexpr int count = 500;
  for (int k = 0; k < count; ++k) {
    const double tau = normal(random);
    rows.add(0, std::vector<double>{0.0, 1.0, tau}, {1e8 + tau, 1e8 + tau, 0.0});
    rows.end_moment();
    sum += tau;
    squares += tau * tau;
  }
  rows.finish();
  const Misfit found =
      misfits(std::vector<LogPart>{{&rows, 0, rows.blocks()}}, Eigen::VectorXd::Zero(1)).front();
  const double spread = std::sqrt(squares / count - (sum / count) * (sum / count));
  EXPECT_NEAR(found.torque_rms, spread, 1e-6);
  EXPECT_NEAR(found.measured_torque_rms, spread, 1e-6);
}

TEST(Identify, SaysThatAGainAndHeavierBodiesLookTheSame) {
  const Robot truth = arm();
  const auto gain_of = [&](double gain, double of_first) {
    Log log = log_of(truth, 2000, 0.05, 3);
    for (auto* columns : {&log.tau, &log.tau_rate}) {
      for (auto& column : *columns) {
        for (double& tau : column) tau *= gain;
      }
    }
    for (double& tau : log.tau[0]) tau *= of_first;
    const IdentificationModel model(truth, {});
    std::vector<LogEquations> logs;
    logs.push_back(equations_of(log, truth, model));
    return identify(truth, model, logs, {}).gain;
  };
  EXPECT_NEAR(gain_of(1.2, 1.0).value_or(0.0), 1.2, 0.01);
  EXPECT_FALSE(gain_of(1.0, 1.0).has_value());
  EXPECT_FALSE(gain_of(1.0, 1.2).has_value());
}

// Two standard errors cover the truth in 95 of 100 cases, more where correlation is looked for.
TEST(Identify, ErrorsCoverTheTruth) {
  const Robot truth = arm(), prior = wrong(truth);
  const std::vector<double> expected = true_base(truth, prior);
  std::vector<int> covered(expected.size());
  constexpr int runs = 100;
  int all = 0;
  for (int run = 0; run < runs; ++run) {
    const Identification found =
        identified(truth, prior, 0.5, 100 + static_cast<std::uint64_t>(run));
    for (std::size_t b = 0; b < expected.size(); ++b) {
      const bool is_covered = std::abs(found.base_parameters[b].value - expected[b]) <=
                              2.0 * found.base_parameters[b].error;
      covered[b] += is_covered ? 1 : 0;
      all += is_covered ? 1 : 0;
    }
  }
  const double share = all / (100.0 * static_cast<double>(expected.size()));
  EXPECT_GT(share, 0.94);
  EXPECT_LT(share, 0.995);
  for (std::size_t b = 0; b < covered.size(); ++b) EXPECT_GE(covered[b], 88) << b;
}

/// Of three logs of 3000 rows, the last of another robot than the others.
Identification of_three_logs(const Robot& truth, const Robot& last, std::uint64_t seed) {
  const Robot prior = wrong(truth);
  const IdentificationModel model(prior, {});
  std::vector<LogEquations> logs;
  for (const std::uint64_t log : {0U, 1U, 2U}) {
    logs.push_back(
        equations_of(log_of(log == 2 ? last : truth, 3000, 0.5, 3 * seed + log), prior, model));
  }
  return identify(prior, model, logs, {});
}

TEST(Identify, HoldsThreeLogsAgainstTheirMean) {
  const Robot truth = arm();
  Robot other = truth;
  for (Joint& joint : other.joints) joint.friction.viscous += 0.3;
  constexpr int seeds = 8;
  double alike = 0.0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Identification same = of_three_logs(truth, truth, seed);
    ASSERT_TRUE(same.between_logs);
    EXPECT_TRUE(same.between_logs->is_random);
    alike += same.between_logs->rms_z / seeds;

    const Identification found = of_three_logs(truth, other, seed);
    const Identification::Disagreement& between = *found.between_logs;
    EXPECT_FALSE(between.is_random);
    ASSERT_EQ(between.of_logs.size(), 3U);
    ASSERT_LT(between.worst, found.base_parameters.size());
    double weights = 0.0, sum = 0.0, spread = 0.0;
    for (const auto& [value, error] : between.of_logs) {
      weights += 1.0 / (error * error);
      sum += value / (error * error);
    }
    for (const auto& [value, error] : between.of_logs) {
      spread += std::pow((value - sum / weights) / error, 2);
    }
    const double z = std::sqrt(spread / 2.0);
    EXPECT_GT(z, 3.0);
    EXPECT_LT(between.rms_z, z);
  }
  EXPECT_GT(alike, 0.6);  // below 1, since errors cover correlation that is not there
  EXPECT_LT(alike, 0.98);
}

// Logs of an arm with more and with less friction, so that the arm between is the truth.
TEST(Identify, HasHalfTheDifferenceOfTwoLogsForAnError) {
  const Robot truth = arm(), prior = wrong(truth);
  const std::vector<double> expected = true_base(truth, prior);
  const IdentificationModel model(prior, {});
  const auto found_of = [&](double change, std::uint64_t seed) {
    std::vector<LogEquations> logs;
    for (const double sign : {1.0, -1.0}) {
      Robot robot = truth;
      for (Joint& joint : robot.joints) joint.friction.viscous += sign * change;
      logs.push_back(equations_of(log_of(robot, 1500, 0.3, seed++), prior, model));
    }
    return identify(prior, model, logs, {});
  };
  constexpr double change = 0.3;
  constexpr int draws = 20;
  std::map<std::string, double> errors;  // mean over draws
  double covered_alike = 0.0, covered = 0.0;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const Identification alike = found_of(0.0, 100 + 2 * draw);
    const Identification unlike = found_of(change, 300 + 2 * draw);
    EXPECT_TRUE(alike.between_logs->is_random) << alike.between_logs->rms_z;
    EXPECT_FALSE(unlike.between_logs->is_random) << unlike.between_logs->rms_z;
    const auto share_covered = [&](const Identification& found) {
      double count = 0.0;
      for (std::size_t b = 0; b < expected.size(); ++b) {
        const double away = std::abs(found.base_parameters[b].value - expected[b]);
        count += away <= 2.0 * found.base_parameters[b].error ? 1.0 : 0.0;
      }
      return count / static_cast<double>(expected.size());
    };
    covered_alike += share_covered(alike) / draws;
    covered += share_covered(unlike) / draws;
    for (const Identification::Base& base : unlike.base_parameters)
      errors[base.combination] += base.error / draws;
  }
  EXPECT_GT(covered_alike, 0.94);
  EXPECT_LT(covered_alike, 0.995);
  EXPECT_GT(covered, 0.94);
  for (const char* name : {"viscous1", "viscous2", "viscous3"}) {
    EXPECT_NEAR(errors.at(name), change, 0.2 * change) << name;
  }
}

TEST(Identify, FindsThePayloadAlone) {
  const Robot bare = arm();
  Robot loaded = bare;
  loaded.payload = {2.5, {0.02, 0.0, 0.06}, box_inertia(2.5, {0.1, 0.1, 0.1})};
  const Identification found = identified(loaded, bare, 0.01, 1, {.free = {"payload"}});
  // Three joints do not tell all of it; what they tell predicts what was held out.
  for (const Misfit& joint : found.held_out_offset) EXPECT_LT(joint.rms, 0.0125);
  for (const Misfit& joint : found.held_out) EXPECT_GT(joint.before, 0.1);
  EXPECT_TRUE(is_physically_consistent(found.robot.payload));
  EXPECT_EQ(found.robot.joints[0].body.mass, bare.joints[0].body.mass);
}

// The torques of two light wrist joints are below the noise that all joints have.
TEST(Identify, ExcusesTorquesBelowTheNoiseOfAWeighing) {
  Robot bare = arm();
  for (const double alpha : {1.5707963267948966, -1.2}) {
    bare.joints.push_back(bare.joints[2]);
    Joint& wrist = bare.joints.back();
    wrist.name += std::to_string(bare.dof());
    wrist.dh = {0.0, alpha, 0.0, 0.0};
    wrist.body = {0.1, {0.0, 0.0, 0.01}, box_inertia(0.1, {0.05, 0.05, 0.05})};
    wrist.friction = {};
    wrist.motor = {};
  }
  Robot loaded = bare;
  loaded.payload = {0.2, {0.0, 0.0, 0.01}, box_inertia(0.2, {0.02, 0.02, 0.02})};
  const IdentificationModel model(bare, {.free = {"payload"}});
  const auto unexplained = [&](const Log& log) {
    std::vector<LogEquations> logs;
    logs.push_back(equations_of(log, bare, model));
    return identify(bare, model, logs, {}).unexplained;
  };
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_TRUE(unexplained(log_of(loaded, 3000, 1.5, seed)).empty()) << seed;
  }
  Log exchanged = log_of(loaded, 3000, 0.01, 1);
  std::swap(exchanged.tau[2], exchanged.tau[3]);
  EXPECT_EQ(unexplained(exchanged), (std::vector<std::size_t>{2, 3}));
}

// The start of a payload that the file has not is β; it may not count as knowledge beside β.
TEST(Identify, ErrorsOfAnUnknownPayloadCoverTheTruth) {
  Robot bare = arm();
  for (const double alpha : {1.5707963267948966, -1.2, 1.3}) {
    bare.joints.push_back(bare.joints[bare.dof() - 3]);
    bare.joints.back().name += "'";
    bare.joints.back().dh.alpha = alpha;
  }
  Robot loaded = bare;
  loaded.payload = {2.0, {0.05, -0.03, 0.1}, box_inertia(2.0, {0.1, 0.05, 0.08})};
  const std::vector<double> expected = body_vector(loaded.payload);
  constexpr int runs = 30;
  double covered = 0.0, count = 0.0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const Identification found = identified(loaded, bare, 2.0, 50 + run, {.free = {"payload"}});
    for (const Identification::Full& full : found.parameters) {
      if (!full.parameter.of_payload) continue;
      const auto base = std::ranges::find(found.base_parameters, name(full.parameter),
                                          &Identification::Base::combination);
      ASSERT_NE(base, found.base_parameters.end()) << name(full.parameter);
      EXPECT_GE(full.error, base->error);
      EXPECT_EQ(full.from_data, 1.0);
      const double truth = expected[static_cast<std::size_t>(full.parameter.kind)];
      covered += std::abs(full.value - truth) <= 2.0 * full.error ? 1.0 : 0.0;
      count += 1.0;
    }
  }
  EXPECT_EQ(count, 10 * runs);
  EXPECT_GT(covered / count, 0.93);
}

TEST(Identify, IsNoBetterThanAPriorThatIsRight) {
  const Robot truth = arm();
  const IdentificationModel model(truth, {.free = {}, .prior = 1e-9});
  std::vector<LogEquations> noisy, clean;
  noisy.push_back(equations_of(log_of(truth, 600, 30.0, 3), truth, model));
  clean.push_back(equations_of(log_of(truth, 600, 0.1, 4), truth, model));
  EXPECT_FALSE(identify(truth, model, noisy, clean).is_better);
}

// Two joints whose friction the prior has a little wrong are fitted to nothing; the third was fitted
// with another friction than it is judged with.
TEST(Identify, IsNoBetterWhereSmallResidualsVanishAndALargeOneGrows) {
  const Robot truth = arm();
  Robot prior = truth, fitted_one = truth;
  for (Joint& joint : prior.joints) joint.friction.coulomb = {1.1, 1.1};
  fitted_one.joints[1].friction.coulomb = {1.6, 1.6};
  const IdentificationModel model(prior, {});
  std::vector<LogEquations> fitted, judged;
  fitted.push_back(equations_of(log_of(fitted_one, 3000, 1e-5, 3), prior, model));
  judged.push_back(equations_of(log_of(truth, 3000, 1e-5, 4), prior, model));
  const Identification found = identify(prior, model, fitted, judged);
  double shares = 0.0, factors = 1.0;
  for (const Misfit& joint : found.held_out) {
    shares += (joint.rms - joint.before) / joint.torque_rms;
    factors *= joint.rms / joint.before;
  }
  EXPECT_LT(factors, 1e-3);
  EXPECT_GT(shares, 0.01);
  EXPECT_FALSE(found.is_better);
}

TEST(Identify, RefusesATorqueThatIsTheSameInAllRows) {
  const Robot robot = arm();
  const IdentificationModel model(robot, {});
  Log log = log_of(robot, 1000, 0.01, 1);
  const auto refusal = [&] {
    return refused_as<InputError>(
        [&] { require_motion(equations_of(log, robot, model), robot, "log.csv"); });
  };
  std::ranges::fill(log.tau[1], 5.0);
  EXPECT_EQ(refusal(),
            "log.csv: the torque of jointB is 5 in all rows, as if it were not measured");
  std::ranges::fill(log.tau[2], 0.0);
  EXPECT_EQ(refusal(),
            "log.csv: the torque of jointB, jointC is one number in all rows, as if it were not "
            "measured");
  log.tau[1][500] = 4.0;
  EXPECT_EQ(refusal(),
            "log.csv: the torque of jointC is 0 in all rows, as if it were not measured");
  std::ranges::fill(log.qd[2], 0.0);  // one that rests may weigh the same throughout
  EXPECT_EQ(refusal(), "");
}

TEST(Identify, BlamesTheWindowWhereOneRowIsLeft) {
  const Robot robot = arm();
  const IdentificationModel model(robot, {});
  const Log log = log_of(robot, 1, 0.01, 1);
  const std::string message = refused_as<InputError>(
      [&] { require_motion(equations_of(log, robot, model), robot, "log.csv"); });
  EXPECT_EQ(message,
            "log.csv: the smoothing window leaves one row; give a --window far shorter than the "
            "log");
}

TEST(Identify, TellsWhetherAnythingMoves) {
  const Robot robot = arm();
  const IdentificationModel model(robot, {});
  Log log = log_of(robot, 1000, 0.01, 1);
  EXPECT_NO_THROW(require_motion(equations_of(log, robot, model), robot, "log.csv"));
  for (auto& column : log.qd) std::ranges::fill(column, 0.0);
  EXPECT_THROW(require_motion(equations_of(log, robot, model), robot, "log.csv"), InputError);
}

TEST(Identify, OfRowsInMemoryIsThatOfTheirEquations) {
  const Robot truth = arm(), prior = wrong(truth);
  const std::size_t count = 3000;  // several blocks
  const Log log = log_of(truth, count, 0.01, 5);
  const std::vector<std::vector<double>> none(truth.dof(), std::vector<double>(count));
  LogRows rows;
  for (std::size_t k = 0; k < count; ++k) rows.t.push_back(20.0 * static_cast<double>(k) / count);
  rows.q = log.q;
  rows.qd = log.qd;
  rows.qdd = log.qdd;
  rows.tau = log.tau;
  EXPECT_THROW((void)identify(prior, {&rows, 1}), InputError);  // not smoothed
  rows.report.derived = LogReport::Derived{};
  rows.smoothing = {log.tau, log.tau_rate, none, 0.03, std::vector<double>(count)};
  const IdentificationModel model(prior, {});
  std::vector<LogEquations> logs;
  logs.push_back(equations_of(log, prior, model));
  const Identification expected = identify(prior, model, logs, {});
  const Identification found = identify(prior, {&rows, 1});
  ASSERT_EQ(found.base_parameters.size(), expected.base_parameters.size());
  for (std::size_t b = 0; b < found.base_parameters.size(); ++b) {
    EXPECT_EQ(found.base_parameters[b].value, expected.base_parameters[b].value);
    EXPECT_EQ(found.base_parameters[b].error, expected.base_parameters[b].error);
  }
  EXPECT_EQ(found.robot.joints[0].body.mass, expected.robot.joints[0].body.mass);
  EXPECT_TRUE(found.is_better);
}

TEST(Identify, TakesAHandWrenchOffTheTorques) {
  const Robot truth = arm();
  const std::size_t count = 3000;
  const Log log = log_of(truth, count, 0.0, 5);
  LogRows rows;
  rows.q = log.q;
  rows.qd = log.qd;
  rows.qdd = log.qdd;
  rows.tau = log.tau;
  rows.wrench.resize(6);
  const Arm moved = normalize(truth);
  for (std::size_t k = 0; k < count; ++k) {
    rows.t.push_back(20.0 * static_cast<double>(k) / count);
    const double s = std::sin(rows.t.back()), c = std::cos(0.7 * rows.t.back());
    const std::array<double, 6> wrench{30.0 * s, -20.0 * c, 10.0 + s, 2.0 * c, 3.0 * s, -1.0};
    for (std::size_t i = 0; i < 6; ++i) rows.wrench[i].push_back(wrench[i]);
    const auto row = [k](const std::vector<std::vector<double>>& columns) {
      return std::vector<double>{columns[0][k], columns[1][k], columns[2][k]};
    };
    const std::vector<double> q = row(log.q), qd = row(log.qd), qdd = row(log.qdd);
    const std::vector<double> tau = torque(moved, {q, qd, qdd}, wrench_of(wrench));
    for (std::size_t i = 0; i < 3; ++i) rows.tau[i][k] = tau[i];
  }
  const std::vector<std::vector<double>> none(3, std::vector<double>(count));
  rows.report.derived = LogReport::Derived{};
  rows.smoothing = {rows.tau, none, none, 0.03, std::vector<double>(count)};
  const Robot prior = wrong(truth);
  const Identification found = identify(prior, {&rows, 1});
  const std::vector<double> expected = true_base(truth, prior);
  ASSERT_EQ(found.base_parameters.size(), expected.size());
  for (std::size_t b = 0; b < expected.size(); ++b) {
    EXPECT_NEAR(found.base_parameters[b].value, expected[b], 1e-9)
        << found.base_parameters[b].combination;
  }
  rows.wrench.pop_back();
  EXPECT_THROW((void)identify(prior, {&rows, 1}), InputError);
}

TEST(Identify, RefusesRowsInMemoryThatAreNotWhole) {
  const Robot robot = arm();
  const std::size_t count = 1000;
  const Log log = log_of(robot, count, 0.01, 5);
  const std::vector<std::vector<double>> none(robot.dof(), std::vector<double>(count));
  LogRows whole;
  whole.t.resize(count);
  whole.q = log.q;
  whole.qd = log.qd;
  whole.qdd = log.qdd;
  whole.tau = log.tau;
  whole.smoothing = {log.tau, log.tau_rate, none, 0.03, std::vector<double>(count)};
  const auto refusal_of = [&](const LogRows& rows) {
    return refused_as<InputError>([&] { (void)identify(robot, {&rows, 1}); });
  };
  EXPECT_EQ(refusal_of(whole), "");  // without a report, too
  const auto refusal_with = [&](auto&& change) {
    LogRows rows = whole;
    change(rows);
    return refusal_of(rows);
  };
  EXPECT_EQ(refusal_with([](LogRows& rows) { rows.tau.clear(); }),
            "log 1: columns of tau: found 0, expected 3, one per joint");
  EXPECT_EQ(refusal_with([](LogRows& rows) { rows.qdd[1].resize(7); }),
            "log 1: rows of qdd[1]: found 7, expected 1000, as t has");
  EXPECT_EQ(refusal_with([](LogRows& rows) { rows.smoothing->tau_rate[2].pop_back(); }),
            "log 1: rows of tau_rate[2]: found 999, expected 1000, as t has");
  EXPECT_EQ(refusal_with([](LogRows& rows) { rows.smoothing->is_at_end.clear(); }),
            "log 1: rows of is_at_end: found 0, expected 1000, as t has");
  EXPECT_EQ(refusal_with([](LogRows& rows) { rows.tau[0][5] = std::nan(""); }),
            "log 1: tau[0][5] is nan, expected magnitudes of at most 1e+15 in SI units");
  EXPECT_NE(refusal_with([](LogRows& rows) { rows.smoothing->rate_variance[0][0] = INFINITY; }),
            "");
  EXPECT_NE(refusal_with([](LogRows& rows) { rows.smoothing->window = std::nan(""); }), "");
  EXPECT_NE(refusal_with([&](LogRows& rows) {
              rows.t.clear();
              for (auto* group : {&rows.q, &rows.qd, &rows.qdd, &rows.tau}) {
                for (auto& column : *group) column.clear();
              }
              const std::vector<std::vector<double>> empty(robot.dof());
              rows.smoothing = {empty, empty, empty, 0.03, {}};
            }),
            "");
  EXPECT_THROW((void)identify(robot, {}), std::invalid_argument);
}

// Without bodies (30.1) is quadratic: x = (h β + w p/s²)/(h + w/s²), but friction is not below 0.
TEST(Identify, WeighsThePriorOfDrivesAgainstTheData) {
  const double prior = 0.5, scale = 0.2, weight = 3.0, of_prior = weight / (scale * scale);
  const auto fit = [&](ParameterKind kind, double information, double beta) {
    ConsistentFitTask task;
    task.parameters = {{kind, 0, false, prior}};
    task.prior_scale = {scale};
    task.combinations = Eigen::MatrixXd::Identity(1, 1);
    task.beta = Eigen::VectorXd::Constant(1, beta);
    task.information = Eigen::MatrixXd::Constant(1, 1, information);
    task.prior_weight = weight;
    return fit_consistent(task);
  };
  for (const double information : {0.0, 20.0, 1e6}) {
    for (const double beta : {0.1, 0.5, 2.0, -4.0}) {
      const double best = (information * beta + of_prior * prior) / (information + of_prior);
      const double error = 1.0 / std::sqrt(information + of_prior);
      for (const ParameterKind kind : {ParameterKind::viscous, ParameterKind::offset}) {
        const ConsistentFit found = fit(kind, information, beta);
        const bool is_bounded = kind == ParameterKind::viscous;
        EXPECT_NEAR(found.parameters[0], is_bounded ? std::max(best, 0.0) : best, 1e-7) << beta;
        EXPECT_NEAR(found.errors[0], error, 1e-9);
        EXPECT_NEAR(found.from_data[0], information / (information + of_prior), 1e-9);
      }
    }
  }
}

// Where the data are silent, a body is that of the prior; where they are loud, that of the data.
TEST(Identify, KeepsTheBodyOfThePriorOrTakesThatOfTheData) {
  const std::vector<double> prior =
      body_vector({3.0, {0.1, -0.2, 0.3}, {0.05, 0.06, 0.07, 0.004, -0.003, 0.002}});
  const std::vector<double> data =
      body_vector({2.0, {0.2, 0.1, -0.1}, {0.04, 0.05, 0.03, -0.002, 0.001, 0.003}});
  ConsistentFitTask task;
  for (std::size_t k = 0; k < prior.size(); ++k) {
    task.parameters.push_back({static_cast<ParameterKind>(k), 0, false, prior[k]});
    task.prior_scale.push_back(1.0);
  }
  task.combinations = Eigen::MatrixXd::Identity(10, 10);
  task.beta = Eigen::Map<const Eigen::VectorXd>(data.data(), 10);
  for (const bool is_loud : {false, true}) {
    task.information = (is_loud ? 1e10 : 0.0) * Eigen::MatrixXd::Identity(10, 10);
    const ConsistentFit found = fit_consistent(task);
    for (std::size_t k = 0; k < 10; ++k) {
      EXPECT_NEAR(found.parameters[k], is_loud ? data[k] : prior[k], 1e-6) << k;
      EXPECT_NEAR(found.from_data[k], is_loud ? 1.0 : 0.0, 1e-4) << k;
    }
  }
}

TEST(Identify, FitsTheFrictionOfItsLaw) {
  Robot robot =
      arm();  // a joint with both laws, one without, one with static friction and a motor's
  robot.joints.push_back(robot.joints[0]);
  robot.joints[3].name = "jointD";  // and one with a sigmoid alone
  robot.joints[0].friction.sigmoid = robot.joints[3].friction.sigmoid = {0.5, 10.0, 0.0};
  robot.joints[1].friction = robot.joints[3].friction;
  robot.joints[1].friction.sigmoid = {};
  robot.joints[1].friction.coulomb = robot.joints[3].friction.coulomb = {};
  robot.joints[2].friction.breakaway = TwoSided{2.0, 2.0};
  robot.joints[2].friction.stribeck_velocity = 0.1;
  robot.joints[2].motor.coulomb = {0.02, 0.02};
  robot.joints[2].motor.viscous = 1e-3;
  const auto fitted = [&](FrictionLaw law) {
    const IdentificationModel model(robot, {.friction = law, .free = {}});
    std::string names;
    for (const std::size_t k : model.free()) {
      const DynamicParameter& p = model.regressor().parameters()[k];
      const bool is_friction =
          p.kind > ParameterKind::rotor_inertia && p.kind < ParameterKind::offset;
      if (is_friction) names += name(p) + " ";
    }
    return names;
  };
  EXPECT_EQ(fitted(FrictionLaw::as_the_robot),
            "viscous1 coulomb1 sigmoid1 viscous2 coulomb2 static3 motor_viscous3 motor_coulomb3 "
            "viscous4 sigmoid4 ");
  EXPECT_EQ(fitted(FrictionLaw::viscous), "viscous1 viscous2 motor_viscous3 viscous4 ");
  EXPECT_EQ(fitted(FrictionLaw::coulomb),
            "viscous1 coulomb1 viscous2 coulomb2 static3 motor_viscous3 motor_coulomb3 viscous4 "
            "coulomb4 ");
  EXPECT_EQ(fitted(FrictionLaw::sigmoid),
            "viscous1 sigmoid1 viscous2 sigmoid2 sigmoid3 motor_viscous3 viscous4 sigmoid4 ");
}

TEST(Identify, RefusesNumbersThatATaskDoesNotTake) {
  for (const double weight : {-1.0, 0.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(IdentificationModel(arm(), {.free = {}, .prior = weight}), std::invalid_argument);
  }
  for (const double speed : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(IdentificationModel(arm(), {.free = {}, .min_speed = speed}),
                 std::invalid_argument);
  }
}

TEST(Identify, MovesABodyThatIsNone) {
  const MassProperties flat{1.0, {0.1, 0.0, 0.0}, {0.0, 0.0, 0.2, 0.0, 0.0, 0.0}};
  const MassProperties found = possible_body(flat, 0.01);
  EXPECT_FALSE(is_physically_consistent(flat));
  EXPECT_TRUE(is_physically_consistent(found));
  EXPECT_EQ(found.mass, 1.0);
  EXPECT_EQ(possible_body({}, 0.01).mass, 0.01);
  const MassProperties box{1.0, {}, box_inertia(1.0, {0.1, 0.2, 0.3})};
  EXPECT_EQ(possible_body(box, 0.01).inertia, box.inertia);
}

TEST(Identify, RefusesNamesThatAreNoPartOfTheRobot) {
  EXPECT_THROW(IdentificationModel(arm(), {.free = {"elbow"}}), std::invalid_argument);
}

}  // namespace
}  // namespace armdyn::testing
