#pragma once

#include <armdyn/regressor.hpp>
#include <armdyn/robot.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

// Logs of motions and torques (docs/logs.md), and the identification of an arm's parameters from
// them (docs/derivation.md, sections 28-30).

namespace armdyn {

/// A choice of columns, as in `q=actual_q_{0..5}`.
struct ColumnChoice {
  std::string name;     ///< t, q, qd, qdd, tau, i, wrench, or one column: q3, q_elbow, fx
  std::string columns;  ///< as the header has it; `{0..5}` counts; -NAME, 2*NAME, NAME-90deg,
                        ///< NAME+NAME, unwrap(NAME), NAME@50ms
};

/// Treatment of rows that are missing, cannot be read, or come at a wrong time.
enum class Gaps {
  refuse,  ///< stop at the first
  skip,    ///< leave out, and connect nothing across a gap
  bridge,  ///< leave out, and connect across gaps
};

/// Options of reading a log (docs/logs.md).
struct LogOptions {
  std::vector<std::string> topics{};  ///< of a bag
  std::vector<ColumnChoice> columns{};
  bool no_header = false;
  bool ignore_extra = false;
  bool motor_side = false;  ///< q, qd, qdd and tau are of the motors
  bool as_given = false;    ///< the meaning of columns is not checked by the robot's torques
  /// Rate of rows that have no t, the first at 0; Hz, above 0.
  std::optional<double> rate{};

  std::optional<Gaps> gaps{};  ///< absent: refuse where time matters
  bool derive = false;
  /// Computes qd, qdd and tau by polynomials in the same windows, even if the log has qd or qdd.
  /// Leaves out rows that are not in the middle of their window. With `derive`.
  bool smooth = false;
  /// Adds columns with the standard uncertainty of derived numbers. With `derive`.
  bool derive_errors = false;
  /// Sets qd of joints at rest to 0, those slower than `dead_zone`. Without that, and where qd is
  /// derived, the threshold is three of the row's standard uncertainties.
  bool finds_rest = false;
  std::optional<double> dead_zone{};  ///< rad/s, m/s, 0 or more
  std::optional<double> window{};     ///< s, above 0, with `derive`; nothing: chosen from the data
  std::optional<double> from_time{};  ///< s
  std::optional<double> to_time{};    ///< s
  std::optional<double> resample{};   ///< Hz, above 0
  double max_rows = std::numeric_limits<double>::infinity();  ///< resampled between two, above 0
};

/// An irregularity of a log: the number of its lines, and the first of them.
class Incident {
 public:
  void add(std::size_t line, std::size_t count = 1);
  [[nodiscard]] std::size_t count() const { return count_; }
  /// "lines 3, 7, 9 and 12 more"
  [[nodiscard]] std::string places() const;

 private:
  std::size_t count_ = 0;
  std::size_t places_ = 0;
  std::vector<std::size_t> first_;
};

/// Report on the rows of a log: left out, irregular, derived.
struct LogReport {
  struct Steps {
    double usual = 0.0, shortest = 0.0, longest = 0.0;  ///< s, of t; without gaps
  };
  /// Standard deviations, as means over rows. They are of q, and of its derivatives in the middle
  /// of their window and off it; nothing where there are no such rows.
  struct Uncertainty {
    double q = 0.0;
    std::optional<double> qd, qdd, qd_at_ends, qdd_at_ends;
  };
  struct Derived {
    bool qd = false, qdd = false;
    double window = 0.0;       ///< width of the fits, s
    double best_window = 0.0;  ///< as chosen from the data, where torques are smoothed
    bool is_window_given = false;
    bool finds_rest = false;  ///< by the uncertainties
    std::vector<Uncertainty> joints;
    /// Rows are too far apart for fits to follow the motion; looked at where torques are smoothed.
    bool is_sparse = false;

    /// True if the window is so much narrower than the best one that errors of a fit are too
    /// small.
    [[nodiscard]] bool is_narrow() const { return window < 0.8 * best_window; }
    [[nodiscard]] bool errors_cover() const { return !is_narrow() && !is_sparse; }
  };

  std::string recognized;  ///< kind of log; empty: none in particular
  std::size_t rows_in = 0, rows_out = 0;
  Incident repeated, falling;  ///< rows whose t is that of the row before, or before it
  Incident strange;            ///< rows whose t alone is far from those before and after
  double first_strange = 0.0;  ///< s
  Incident missing;            ///< rows, a few at a time
  Incident gaps;
  std::size_t outside = 0;          ///< rows before or after the time asked for
  std::set<std::size_t> unwrapped;  ///< joints whose angles were kept within a turn
  std::size_t unreadable = 0;       ///< rows
  std::string first_unreadable;
  std::size_t at_ends = 0;      ///< rows left out for not being in the middle of their window
  std::size_t too_few = 0;      ///< rows in stretches that are too short to derive from
  bool leaves_rows_out = true;  ///< those of `repeated` and `falling`; else they are only counted
  bool bridges_gaps = false;
  std::optional<Steps> steps;  ///< of rows that were not only looked at
  std::optional<Derived> derived;
  std::vector<std::string> remarks{};      ///< of the input
  std::vector<std::string> disagreements;  ///< of q, qd and qdd: joints and factors
};

/// A log by columns, in SI units: q[2] are the positions of the third joint, a number per row.
/// Quantities that the log does not have are empty.
struct LogRows {
  using Columns = std::vector<std::vector<double>>;

  std::vector<double> t;  ///< s
  Columns q, qd, qdd;     ///< rad or m, per s, per s²
  Columns tau;            ///< N·m or N
  Columns wrench;         ///< fx, fy, fz, nx, ny, nz: on the environment, N and N·m
  LogReport report;

  /// Results of the fits of tau, with LogOptions::smooth.
  struct Smoothing {
    Columns measured_tau, tau_rate, rate_variance;  ///< dτ/dt, and the variance of the noise in it
    double window = 0.0;                            ///< of the fits, s
    std::vector<double> is_at_end;  ///< 1: of the first or the last half second; 0: not
  };
  std::optional<Smoothing> smoothing;
};

/// Reads a whole log: CSV, NumPy, a bag of ROS 2, or files side by side,
/// "q=q.csv,tau=tau.npy,t=t.csv". Throws FileError, InputError with the place for a header or rows
/// that the options refuse, and std::invalid_argument for options out of their ranges. Messages
/// name the program's options.
[[nodiscard]] LogRows read_log(const std::string& path, const Robot& robot,
                               const LogOptions& options = {});

// Identification.

enum class FrictionLaw { as_the_robot, viscous, coulomb, sigmoid };

/// Options of `identify`.
struct IdentificationOptions {
  FrictionLaw friction = FrictionLaw::as_the_robot;
  std::vector<std::string>
      free;  ///< payload, rotors, friction, offsets, delay, names of joints; none: all
             ///< but the payload
  std::vector<std::string> fix{};
  double prior = 1.0;  ///< weight of the robot, above 0
  /// Speed below which rows do not count where dry friction jumps, rad/s, m/s, 0 or more.
  double min_speed = 0.01;
};

/// Residuals in one joint's torques, of base parameters β or of a robot.
struct Misfit {
  double rows = 0.0;
  double rms = 0.0;                                      ///< of the residual
  double before = 0.0;                                   ///< of the robot as it was
  double torque_rms = 0.0;                               ///< of the smoothed torque about its mean
  double measured_rms = 0.0, measured_torque_rms = 0.0;  ///< the same without smoothing of torques
};
/// Condition of a fit above which an excitation is poor.
inline constexpr double poor_condition = 200.0;
/// Condition above which β has errors that the spread of the blocks does not show.
inline constexpr double unreliable_condition = 1e3;

/// Figures on the quality of a fit of torques.
struct FitFigures {
  std::vector<double> noise;  ///< standard deviation of each joint's residual
  double correlation = 1.0;   ///< rows that are worth one independent row
  double condition = 1.0;     ///< of the columns, each scaled to 1, among those that are excited
  std::size_t outlying = 0, blocks = 0;  ///< blocks of joints that fit much worse and count less

  /// True if the spread of the blocks shows the errors.
  [[nodiscard]] bool shows_errors() const { return condition <= unreliable_condition; }
};

/// The new robot, and its errors and misfits.
struct Identification {
  struct Base {
    std::string combination, unit;
    double prior = 0.0, value = 0.0, error = 0.0;  ///< error: one standard deviation, or infinite
    double fitted = 0.0;                           ///< of the new robot
  };
  struct Full {
    DynamicParameter parameter;  ///< with the prior's value
    double value = 0.0, error = 0.0, from_data = 0.0;
  };
  Robot robot;  ///< the new one; offsets are no part of it
  std::vector<Base> base_parameters;
  std::vector<Full> parameters;
  std::vector<std::string> projected;  ///< bodies of the prior that were inconsistent
  std::vector<std::string> still;      ///< joints that stay below min_speed in any fitted log
  FitFigures fit;
  std::vector<Misfit> fitted, held_out;  ///< of the new robot, by joint
  std::vector<Misfit> held_out_offset;   ///< with the offsets and the delay of the fitted logs
  std::vector<Misfit> held_out_ends;     ///< of the new robot, in the first and last half seconds
  /// Misfits of the new robot in all rows held out, and in those where joints move; torque that
  /// friction holds at rest is no residual.
  std::vector<Misfit> held_out_all, held_out_moving;
  std::vector<Misfit> unconstrained;  ///< of β, with offsets and delay, in the rows held out
  std::vector<double> offsets;        ///< of the measured torques
  struct Estimate {
    double value = 0.0, error = 0.0;
  };
  std::optional<Estimate> delay;  ///< of the measured torques after the motion, s; if looked for
  /// Fits of each log alone, over their errors (29.7); where there are several logs.
  struct Disagreement {
    double rms_z = 0.0;
    bool is_random = true;          ///< else errors are widened
    std::size_t worst = 0;          ///< of β
    std::vector<Estimate> of_logs;  ///< of that entry
  };
  std::optional<Disagreement> between_logs;
  std::optional<double>
      gain;                  ///< of all measured torques over those of the robot as it was, if one
  bool errors_cover = true;  ///< those of parameters; not of too narrow windows or poor excitation
  bool held_out_is_tail = false;  ///< the last fifth of each log, for want of another
  bool is_better = false;         ///< than the prior, in the rows held out
  bool fits_whole_arm = true;     ///< no parameter of the arm was kept
  /// Joints of whose torque held out β leaves more than half.
  std::vector<std::size_t> unexplained;

  /// True if the new robot may take the prior's place: it is better, and where the whole arm was
  /// fitted, its parameters make the torques.
  [[nodiscard]] bool is_answer() const {
    return is_better && (unexplained.empty() || !fits_whole_arm);
  }
};

/// Identifies the arm's parameters from logs that were read with `derive` and `smooth`. Those of
/// `held_out` are held-out data; without them, the last fifth of each log is. Leaves held_out_all
/// and held_out_moving empty, which need the rows again. Messages name the program's options.
/// * Throws std::invalid_argument without logs, for numbers out of range and for unknown names.
/// * Throws InputError for a log without torques, smoothing or motion, with columns of unlike
///   length, or not one per joint.
/// * Throws InputError for numbers that are not finite.
[[nodiscard]] Identification identify(const Robot& robot, std::span<const LogRows> logs,
                                      std::span<const LogRows> held_out = {},
                                      const IdentificationOptions& options = {});

}  // namespace armdyn
