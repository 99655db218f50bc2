// armdyn vary: what torques does this motion need if the arm is not quite that of its file?

#include <algorithm>
#include <exception>

#include "cli/options/part_file.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/robot_formats.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "cli/options/shared_options.hpp"
#include "cli/vary/torque_need.hpp"
#include "log/row_writer.hpp"
#include "math/statistics.hpp"
#include "model/mechanism.hpp"
#include "model/motors.hpp"
#include "model/robot_fields.hpp"
#include "text/number_text.hpp"

namespace armdyn {

struct VaryOptions : VerbOptions {
  VaryOptions() { output.output = ""; }  // no rows

  std::string motion = "-";
  UncertaintyOptions uncertainty;
  int samples = 1000;
  std::uint64_t seed = 1;
  std::string worst;  ///< a robot file to be written; empty: none
  bool strict = false;
  LogOptions log;
  PlotOptions plot;
};

namespace {

/// A sampled number, and how much of the excess of an arm's largest share goes where it is as in the
/// file.
struct Cause {
  std::string name;
  double of_excess = 0.0;
};

/// The causes that make an arm the worst one.
struct WorstArm {
  std::size_t where = 0;      ///< in TorqueNeed::shares
  std::vector<Cause> causes;  ///< largest first; none where no share is above the file's
};

WorstArm worst_arm(const Robot& of_file, const RobotSampler& draws, std::uint64_t sample,
                   const StoredMotion& motion, const TorqueNeed& nominal) {
  const auto shares_of = [&](const std::vector<Robot>& robots) {
    ArmsOnMotion arms = arms_on(motion.places, of_file);
    std::vector<std::vector<double>> shares;
    shares.reserve(robots.size());
    for (const TorqueNeed& need : torque_needs(arms, robots, motion)) {
      shares.push_back(need.shares(robots[shares.size()], nominal));
    }
    return shares;
  };
  const std::vector<double> shares = shares_of({draws(sample).robot}).front();
  WorstArm worst;
  worst.where = static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin());
  const double share = shares[worst.where];
  const double excess = share - nominal.shares(of_file, nominal)[worst.where];
  if (!(excess > 0.0)) return worst;
  const std::vector<RobotSampler::SampledNumber> drawn = draws.sampled_numbers();
  constexpr std::size_t at_a_time = 64;
  for (std::size_t first = 0; first < drawn.size(); first += at_a_time) {
    const auto some = std::span(drawn).subspan(first, std::min(at_a_time, drawn.size() - first));
    const auto without =
        shares_of(each(some, [&](const auto& one) { return draws(sample, one.place).robot; }));
    for (std::size_t k = 0; k < some.size(); ++k) {
      worst.causes.push_back({some[k].name, (share - without[k][worst.where]) / excess});
    }
  }
  std::ranges::stable_sort(worst.causes, std::greater{}, &Cause::of_excess);
  return worst;
}

constexpr std::size_t columns_before_joints = 3;  // sample, clipped, share

// The answer of `vary` about many arms: quantiles of their torques, limits, the worst one.

constexpr std::array quantiles{0.5, 0.95, 0.99};

Value percent(double share) {
  return {share, fmt::format("{:.3g} %", 100.0 * share)};
}

/// An interval of 95 % confidence; one end may be unknown.
Value confidence(const std::optional<double>& lower, const std::optional<double>& upper) {
  const Value from = Value::number(lower), to = Value::number(upper);
  return {Json::list(from.exact, to.exact), from.brief + " to " + to.brief};
}

TorqueNeed nominal_need(const Robot& of_file, const StoredMotion& motion) {
  ArmsOnMotion arms = arms_on(motion.places, of_file);
  return torque_needs(arms, {of_file}, motion).front();
}

class VarySummary {
 public:
  /// `draws` where limits may follow from sampled parameters.
  VarySummary(const Robot& robot, const StoredMotion& motion, const RobotSampler* draws)
      : robot_(robot),
        motion_(motion),
        draws_(draws),
        nominal_(nominal_need(robot, motion)),
        limits_torque_(has_any_torque_limit(robot)),
        exceeded_joints_(robot.dof()),
        exceeded_motors_(nominal_.motors.size()),
        peaks_(robot.dof()),
        rms_(robot.dof()) {}

  /// Rows of samples, in any order: sample, clipped, share, peak1.., rms1.., and where motors that turn
  /// with several joints have torque limits motor_peak1..
  void add(std::span<const std::vector<double>> rows) {
    const std::size_t n = robot_.dof(), count = rows.front().size();
    const auto peak = rows.subspan(3, n), rms = rows.subspan(3 + n, n);
    for (std::size_t i = 0; i < n; ++i) {
      peaks_[i].insert(peaks_[i].end(), peak[i].begin(), peak[i].end());
      rms_[i].insert(rms_[i].end(), rms[i].begin(), rms[i].end());
    }
    for (std::size_t row = 0; row < count; ++row) {
      const double share = rows[2][row];
      if (share > worst_share_) {
        worst_share_ = share;
        worst_ = static_cast<std::uint64_t>(rows[0][row]);
      }
      if (rows[1][row] > 0.0) ++clipped_;
      if (!limits_torque_ || share < 1.0) continue;
      if (share > 1.0) ++exceeded_;
      const auto sample = static_cast<std::uint64_t>(rows[0][row]);
      const std::optional<RobotSampler::Sample> drawn =
          draws_ == nullptr ? std::nullopt : std::optional((*draws_)(sample));
      const Robot& arm = drawn ? drawn->robot : robot_;
      for (std::size_t i = 0; i < n; ++i) {
        const std::optional<double>& limit = arm.joints[i].limits.torque;
        if (limit && peak[i][row] > *limit) ++exceeded_joints_[i];
      }
      std::vector<RowLimit> limits = row_limits(arm, RowLimit::Kind::torque);
      for (std::size_t m = 0; m < exceeded_motors_.size(); ++m) {
        const double reached = rows[3 + 2 * n + limits[m].joint][row];
        if (RowReach{std::move(limits[m]), {{reached, 0.0}}}.exceeds_limit()) ++exceeded_motors_[m];
      }
    }
    samples_ += count;
    first_ = std::min(first_, static_cast<std::uint64_t>(rows[0].front()));
  }

  [[nodiscard]] const TorqueNeed& nominal() const { return nominal_; }
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  /// The least number of a sample that was added.
  [[nodiscard]] std::uint64_t first_sample() const { return first_; }
  /// The sample of the arm with the largest share, the first of several; 0 without one.
  [[nodiscard]] std::uint64_t worst_sample() const { return worst_; }
  /// Arms that exceed a torque limit.
  [[nodiscard]] std::uint64_t exceeded() const { return exceeded_; }

  /// `exceeded`, `worst`, `samples`, `clipped`, `peak`, `rms`, `motors`, `causes`; under the keys of
  /// docs/commands/vary.md. To be called once all samples are there; sorts what was added.
  [[nodiscard]] Sections sections(const WorstArm& arm) {
    Sections found;
    if (samples_ > 0 && limits_torque_) found.push_back({"exceeded", limits()});
    if (samples_ > 0) found.push_back({"worst", worst(arm)});
    found.push_back({"", head()});
    if (samples_ == 0) return found;
    found.push_back({"peak", FieldTable{joints(peaks_, nominal_.peak, true)}, "", true});
    found.push_back({"rms", FieldTable{joints(rms_, nominal_.rms, false)}, "", true});
    if (!exceeded_motors_.empty()) found.push_back({"motors", motors(), "", true});
    constexpr std::size_t most = 8;
    FieldTable causes;
    for (const auto& [name, of_excess] : arm.causes) {
      if (causes.rows.size() == most || !(of_excess > 0.0)) break;
      causes.rows.push_back({{"name", "what makes it the worst", Value::word(name)},
                             {"of_excess", "of the excess, by itself", percent(of_excess)}});
    }
    if (!causes.rows.empty()) found.push_back({"causes", causes, "", true});
    return found;
  }

  [[nodiscard]] std::vector<std::string> remarks() const {
    std::vector<std::string> remarks;
    const auto worst_row = [](double) { return "its worst row for the arm of the file"; };
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      add_if_exceeded(robot_.joints[i], &Limits::torque, {nominal_.peak[i]}, worst_row, remarks);
    }
    const auto row = [](double at) { return fmt::format("row {} for the arm of the file", at); };
    add_if_exceeded(robot_, nominal_.motors, row, remarks);
    return remarks;
  }

 private:
  [[nodiscard]] Fields head() const {
    return {
        words(samples_ == 0 ? robot_.name + ": " : ""),
        {"samples", "{}", Value::count(samples_, "sampled robot")},
        {"rows", ", each on {}", Value::count(motion_.tally.rows(), "row")},
        {"t", ", t = {} s", moments(motion_.tally)},
        {"clipped",
         label_if(clipped_ > 0,
                  "; in {} a sampled inertia was not physically consistent and was clipped"),
         Value::count(clipped_)},
        {"rms_over", for_programs, Value::word(motion_.tally.is_over_time() ? "time" : "rows")}};
  }

  [[nodiscard]] Fields limits() const {
    const auto [lower, upper] = share_interval(exceeded_, samples_);
    return {
        words(robot_.name + ": "),
        {"count", "a torque limit is exceeded by {}", Value::count(exceeded_)},
        words(" of " + counted(samples_, "sampled robot")),
        {"share", ", {}", percent(static_cast<double>(exceeded_) / static_cast<double>(samples_))},
        {"confidence",
         " (95 % confidence: {})",
         {Json::list(lower, upper), percent(lower).brief + " to " + percent(upper).brief}}};
  }

  [[nodiscard]] Fields worst(const WorstArm& arm) const {
    const std::size_t n = robot_.dof();
    const std::string where = arm.where < n
                                  ? robot_.joints[arm.where].name
                                  : limited_name(robot_, nominal_.motors[arm.where - n].limit);
    return {words(limits_torque_ ? "" : robot_.name + ": "),
            {"sample", "the worst is sample {}", Value::count(worst_)},
            {"share", limits_torque_ ? ": {} of the torque limit" : ": {} of the nominal peak",
             percent(worst_share_)},
            {"where", " of {}", Value::word(where)}};
  }

  [[nodiscard]] FieldTable motors() const {
    FieldTable table;
    for (std::size_t m = 0; m < exceeded_motors_.size(); ++m) {
      const auto& [limit, peak] = nominal_.motors[m];
      table.rows.push_back({{"name", "peak |τ|", Value::word(limited_name(robot_, limit))},
                            {"nominal", "nominal", Value::number(peak.value)},
                            {"unit", "", Value::word(limit_unit(robot_, limit))},
                            {"limit", "limit", Value::number(limit.most)},
                            {"exceeded", "arms beyond", Value::count(exceeded_motors_[m])}});
    }
    return table;
  }

  [[nodiscard]] std::vector<Fields> joints(std::vector<std::vector<double>>& values,
                                           const std::vector<double>& nominal, bool are_peaks) {
    const bool limits = are_peaks && has_limit(robot_, &Limits::torque);
    std::vector<Fields> rows;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<double>& sorted = values[i];
      std::ranges::sort(sorted);
      const auto at = [&](std::optional<std::uint64_t> rank) {
        return rank && !sorted.empty() ? std::optional(sorted[*rank - 1]) : std::nullopt;
      };
      const Joint& joint = robot_.joints[i];
      Fields& row = rows.emplace_back(
          Fields{{"name", are_peaks ? "peak |τ| of" : "RMS of τ of", Value::word(joint.name)},
                 {"nominal", "nominal", Value::number(nominal[i])},
                 {"unit", "", Value::word(torque_unit(joint))}});
      for (const double p : quantiles) {
        const QuantileRanks ranks = quantile_ranks(sorted.size(), p);
        const std::string share = fmt::format("{:.0f}", 100 * p);
        row.push_back({"q" + share, share + " %", Value::number(at(ranks.estimate))});
        row.push_back({"q" + share + "_confidence", "confidence",
                       confidence(at(ranks.lower), at(ranks.upper))});
      }
      row.push_back({"largest", "largest", Value::number(at(sorted.size()))});
      if (!are_peaks) continue;
      row.push_back({"limit", label_if(limits, "limit"), Value::number(joint.limits.torque)});
      row.push_back(
          {"exceeded", label_if(limits, "arms beyond"), Value::count(exceeded_joints_[i])});
    }
    return rows;
  }

  const Robot& robot_;
  const StoredMotion& motion_;
  const RobotSampler* draws_;
  TorqueNeed nominal_;
  bool limits_torque_;  ///< some joint, or some motor that turns with several
  std::uint64_t samples_ = 0, clipped_ = 0, exceeded_ = 0, worst_ = 0, first_ = UINT64_MAX;
  double worst_share_ = -1.0;
  std::vector<std::uint64_t> exceeded_joints_, exceeded_motors_;
  std::vector<std::vector<double>> peaks_, rms_;
};

// Quantiles of torques among many arms, row by row of their motion, for a picture.

constexpr std::size_t arms_of_fan = 1000, torques_of_fan = 4'000'000;  // at most

/// Rows of a motion that are drawn: all or, of a long one, in stretches of equal length the first,
/// the last, and those of each joint's lowest and highest torque.
std::vector<std::size_t> rows_of_fan(const Columns& tau) {
  const std::size_t most = torques_of_fan / (arms_of_fan * std::max<std::size_t>(1, tau.size()));
  return rows_with_extremes({tau.begin(), tau.end()}, most);
}

Columns at_rows(const std::vector<std::size_t>& rows, const Columns& columns) {
  Columns kept(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const std::size_t row : rows) kept[c].push_back(columns[c][row]);
  }
  return kept;
}

/// Sorts the torques of all arms joint by joint and row by row: the k-th then has the k-th smallest.
void sort_torques(std::vector<Columns>& arms) {
  std::vector<double> sorted(arms.size());
  for (std::size_t i = 0; !arms.empty() && i < arms[0].size(); ++i) {
    for (std::size_t row = 0; row < arms[0][i].size(); ++row) {
      for (std::size_t k = 0; k < arms.size(); ++k) sorted[k] = arms[k][i][row];
      std::ranges::sort(sorted);
      for (std::size_t k = 0; k < arms.size(); ++k) arms[k][i][row] = sorted[k];
    }
  }
}

/// So many that each thread has several blocks. What follows from the motion alone is computed once
/// for each.
std::size_t arms_of_a_block(const VaryOptions& options) {
  const std::size_t blocks = std::size_t{4} * or_all_cores(options.output.threads);
  return std::clamp<std::size_t>(static_cast<std::size_t>(options.samples) / blocks, 1, 64);
}

/// Rows of samples.
struct VaryRows {
  Columns columns;
};

/// The motion, the sampled robots, and the remarks on them.
class Variation {
 public:
  Variation(const VaryOptions& options, Run& run)
      : options_(options),
        run_(run),
        file_(run.robot()),
        uncertainty_(uncertainty_of(options.uncertainty, file_)),
        log_(run.log(options.motion, options.log, {Quantity::contact_wrench})),
        motion_(log_, options.output.threads),
        draws_(file_.robot, uncertainty_, options.seed, arm_of_parameters(file_, options.robot)),
        samples_(static_cast<std::uintmax_t>(options.samples), arms_of_a_block(options)),
        summary_(file_.robot, motion_, limits_vary() ? &draws_ : nullptr) {}

  Answer answer() {
    draw_arms();
    Answer answer{run_.document()};
    Document& document = answer.document;
    const std::uint64_t sample = summary_.worst_sample();
    const bool has_worst = sample != 0 && run_.wants_answer();
    if (run_.wants_curves()) document.views = views(sample);
    document.add(summary_.sections(
        has_worst ? worst_arm(file_.robot, draws_, sample, motion_, summary_.nominal())
                  : WorstArm{}));
    document.add(log_sections(log_.report(), file_.robot));
    document.warnings = joined({log_warnings(log_.report()), summary_.remarks()});
    if (summary_.samples() == 0) document.warnings->push_back(run_.has_no_rows("sample"));
    if (sample != 0 && run_.wants("--worst")) answer.artifacts = {{"--worst", worst_robot(sample)}};
    if (options_.strict && summary_.exceeded() > 0) answer.ending = Ending::no;
    return answer;
  }

 private:
  /// Draws the arms, and writes a row for each where these are wanted.
  void draw_arms() {
    BlockJob<VaryRows> job;
    std::optional<BlockWriter<VaryRows>> writer;
    if (run_.wants("-o")) {
      writer.emplace(run_.rows()).add_groups(file_.robot.dof(), groups(), &VaryRows::columns);
      writer->print(job);
    }
    job.make_worker = [this] {
      const auto arms = std::make_shared<ArmsOnMotion>(arms_on(motion_.places, file_.robot));
      return [this, arms](const Table& samples, VaryRows& rows) {
        compute(*arms, samples, rows.columns);
      };
    };
    job.in_order = [this](const Table&, const VaryRows& rows) { summary_.add(rows.columns); };
    // The motion's numbers may come from several files.
    run_.blocks(samples_, {}, std::move(job), static_cast<std::uintmax_t>(options_.samples),
                [this] { return motion_.digest(); });
  }

  [[nodiscard]] std::vector<Quantity> groups() const {
    std::vector<Quantity> groups{Quantity::sample, Quantity::peak_torque, Quantity::rms_torque};
    if (!summary_.nominal().motors.empty()) groups.push_back(Quantity::motor_peak_torque);
    return groups;
  }

  /// Tests whether torque limits may follow from sampled parameters.
  [[nodiscard]] bool limits_vary() const {
    const auto is_formula = [](const WrittenNumber& number) {
      const auto field = field_at(number.path);
      const bool is_limit = field && field->has(role::limit);
      const bool is_of_torque =
          is_limit && (field->unit == RobotUnit::effort || field->unit == RobotUnit::motor_effort);
      return is_of_torque && !parse_number(number.text);
    };
    return !uncertainty_.parameters.empty() &&
           std::ranges::any_of(file_.written.numbers, is_formula);
  }

  /// The first arms' torques at some rows of the motion, by arm and joint, drawn once more.
  [[nodiscard]] std::vector<Columns> first_arms(const Columns& motion) const {
    CountedRows samples(summary_.samples(), arms_of_a_block(options_));
    samples.keep({.first = summary_.first_sample() - 1,
                  .rows = std::min<std::uint64_t>(summary_.samples(), arms_of_fan)});
    const std::vector<Column> inputs = places(motion);
    std::vector<Columns> arms;
    BlockJob<std::vector<Columns>> job;
    job.threads = options_.output.threads;
    job.make_worker = [&] {
      const auto program = std::make_shared<ArmsOnMotion>(arms_on(motion_.places, file_.robot));
      return [&, program](const Table& block, std::vector<Columns>& found) {
        const std::vector<Robot> robots =
            each(block.lines, [&](std::size_t sample) { return draws_(sample).robot; });
        found = std::vector<Columns>(robots.size(), Columns(file_.robot.dof()));
        program->set_arms(each(robots, [](const Robot& robot) { return normalize(robot); }));
        program->torque(motion_block(inputs, motion_.places, program->dof(), motion.front().size()),
                        [&](std::size_t arm, std::size_t /*first*/, std::size_t rows,
                            std::span<const Column> tau) {
                          for (std::size_t i = 0; i < tau.size(); ++i) {
                            found[arm][i].insert(found[arm][i].end(), tau[i], tau[i] + rows);
                          }
                        });
        for (std::size_t k = 0; k < robots.size(); ++k) {
          if (found[k][0].empty()) found[k] = torques(robots[k], motion, motion_.places);
        }
      };
    };
    job.in_order = [&](const Table&, const std::vector<Columns>& found) { append(arms, found); };
    run_blocks(samples, {}, job);
    return arms;
  }

  /// The arm of the file, the worst, and of the first arms the median and two bands, over the motion.
  [[nodiscard]] Views views(std::uint64_t worst) const {
    const Robot& robot = file_.robot;
    const Table held = motion_.held();
    const Columns all = torques(robot, held.columns, motion_.places);
    const std::vector<std::size_t> rows = rows_of_fan(all);
    const Columns motion = at_rows(rows, held.columns);
    std::vector<Columns> arms = first_arms(motion);
    sort_torques(arms);
    std::vector<Columns> curves{at_rows(rows, all)};
    if (worst > 0) {
      const auto quantile = [&](double p) {
        return arms[quantile_ranks(arms.size(), p).estimate - 1];
      };
      curves.insert(curves.end(),
                    {quantile(0.5), torques(draws_(worst).robot, motion, motion_.places),
                     quantile(0.05), quantile(0.95), quantile(0.25), quantile(0.75)});
    }
    const std::string outer = "5 to 95 % of the arms", inner = "25 to 75 %";
    JointPicture picture(robot, options_.plot,
                         {{"τ",
                           Measure::torque,
                           {"arm of the file", "median", "worst arm", outer, outer, inner, inner},
                           curves.size()}});
    if (!motion_.time) picture.count_rows();
    auto gap = held.breaks.begin();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto next = std::upper_bound(gap, held.breaks.end(), rows[k]);
      if (std::exchange(gap, next) != next) picture.break_off();
      const double x =
          motion_.time ? held.columns[*motion_.time][rows[k]] : static_cast<double>(rows[k] + 1);
      for (std::size_t i = 0; i < robot.dof(); ++i) {
        picture.add_positions(i, {&x, 1}, {&held.columns[motion_.places.q + i][rows[k]], 1});
        for (std::size_t c = 0; c < curves.size(); ++c) {
          picture.add(0, c, i, {&x, 1}, {&curves[c][i][k], 1});
        }
      }
    }
    Figure titled = titled_figure("torques of " + counted(summary_.samples(), "arm"),
                                  options_.motion, robot, options_.robot);
    if (arms.size() < summary_.samples()) {
      titled.subtitle += fmt::format("{}median and bands of the first {} arms",
                                     titled.subtitle.empty() ? "" : "; ", arms.size());
    }
    return picture.views(titled);
  }

  /// Draws the samples whose numbers are the lines of a block, and computes their rows. Throws
  /// NumericsError naming the sample.
  void compute(ArmsOnMotion& arms, const Table& samples, Columns& rows) const {
    const TorqueNeed& nominal = summary_.nominal();
    const std::size_t n = file_.robot.dof();
    resize(rows, columns_before_joints + (nominal.motors.empty() ? 2 : 3) * n, samples.rows);
    std::vector<Robot> robots;
    std::exception_ptr wrong;  // of the first sample that cannot be drawn
    for (std::size_t row = 0; row < samples.rows && !wrong; ++row) {
      try {
        auto [robot, clipped] = draws_(samples.lines[row]);
        rows[1][row] = static_cast<double>(clipped);
        robots.push_back(std::move(robot));
      } catch (...) {
        wrong = std::current_exception();
      }
    }
    const std::vector<TorqueNeed> needs = torque_needs(arms, robots, motion_, samples.lines);
    for (std::size_t row = 0; row < needs.size(); ++row) {
      const TorqueNeed& need = needs[row];
      for (std::size_t i = 0; i < n; ++i) {
        rows[columns_before_joints + i][row] = need.peak[i];
        rows[columns_before_joints + n + i][row] = need.rms[i];
      }
      for (const auto& [limit, peak] : need.motors) {
        rows[columns_before_joints + 2 * n + limit.joint][row] = peak.value;
      }
      rows[0][row] = static_cast<double>(samples.lines[row]);
      rows[2][row] = std::ranges::max(need.shares(robots[row], nominal));
    }
    if (wrong) std::rethrow_exception(wrong);
  }

  [[nodiscard]] std::string worst_robot(std::uint64_t sample) const {
    const std::string what = fmt::format("sample {} of armdyn vary --uncertainty {} --seed {}",
                                         sample, options_.uncertainty.text, options_.seed);
    Robot robot = draws_(sample).robot;
    robot.file_accuracy.reset();
    return robot_text(robot, what);
  }

  const VaryOptions& options_;
  Run& run_;
  const RobotFile& file_;
  Uncertainty uncertainty_;
  LogReader& log_;
  StoredMotion motion_;
  RobotSampler draws_;
  CountedRows samples_;
  VarySummary summary_;
};

const Choices<Distribution> distributions{{"uniform", Distribution::uniform},
                                          {"normal", Distribution::normal}};

Answer vary(const VaryOptions& options, Run& run) {
  run.require_motion(options.motion);
  return Variation(options, run).answer();
}

void declare(OptionList& list, VaryOptions& options) {
  declare_robot(list, options.robot);
  declare_motion(list, options.motion, "CSV or .npy file with q1..,qd1..,qdd1..");
  declare_uncertainty(list, options.uncertainty).required();
  list.option("--distribution", "NAME", options.uncertainty.bounds.distribution, distributions,
              "uniform | normal (default: uniform)");
  list.option("--samples", "N", options.samples, parse_count,
              "number of sampled robots (default: 1000)");
  list.option("--seed", "S", options.seed, parse_seed, "seed of the samples (default: 1)");
  list.text("--worst", "FILE", options.worst,
            "write the sampled robot with the largest share of a torque limit");
  declare_model(list, "--worst", options.worst, options.output.force);
  list.check([&options] { refuse_other_than_yaml("--worst", options.worst); });
  list.flag("--strict", options.strict, "exit 1 if a sampled robot exceeds a torque limit");
  declare_log(list, options.log);
  declare_plot(list, options.plot, "the torques as quantiles among the arms");
  declare_output(list, options.output);
  declare_part(list, options.output);
}

}  // namespace

Verb vary_verb() {
  return verb<VaryOptions>(
      "vary", "Monte Carlo: torques under parameter uncertainty",
      "  armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5%,com=5mm,inertia=10%\n"
      "  armdyn trajectory ur5e --from upright --to \"45,-60,30,0,60,90 deg\" --duration 2 -o "
      "motion.csv\n"
      "  armdyn vary ur5e motion.csv --uncertainty mass=5%,com=5mm --plot torques.svg\n"
      "  armdyn vary ur5e motion.csv --payload 2 --uncertainty payload=10% --samples 10000 -o "
      "arms.npy --worst worst.yaml\n",
      declare, vary);
}

}  // namespace armdyn
