#pragma once

#include <armdyn/robot.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

// Logs of motions and torques (docs/logs.md).

namespace armdyn {

/// A choice of columns, as in `q=actual_q_{0..5}`.
struct ColumnChoice {
  std::string name;     ///< t, q, qd, qdd, tau, i, wrench, or one column: q3, q_elbow, fx
  std::string columns;  ///< as the header says; `{0..5}` counts; -NAME, 2*NAME, NAME-90deg
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
  /// Takes qd, qdd and tau all from fits through the same windows, also where the log has qd or
  /// qdd; leaves out rows that are not in the middle of their window. With `derive`.
  bool smooth = false;
  /// Adds columns with the standard uncertainty of derived numbers. With `derive`.
  bool derive_errors = false;
  /// Sets qd of joints at rest to 0: of those slower than `dead_zone` or, without that, where qd is
  /// derived, than three of the row's standard uncertainties.
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
  /// Standard deviations, means over rows: of q, and of its derivatives in the middle of their
  /// window and off it; nothing where there are no such rows.
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

    /// Tells whether the window is so much narrower than the best one that errors of a fit are too
    /// small.
    [[nodiscard]] bool is_narrow() const { return window < 0.8 * best_window; }
    [[nodiscard]] bool errors_cover() const { return !is_narrow() && !is_sparse; }
  };

  std::string recognised;  ///< kind of log; empty: none in particular
  std::size_t rows_in = 0, rows_out = 0;
  Incident repeated, falling;  ///< rows whose t is that of the row before, or before it
  Incident strange;            ///< rows whose t alone is far from those before and after
  double first_strange = 0.0;  ///< s
  Incident missing;            ///< rows, a few at a time
  Incident gaps;
  std::size_t outside = 0;     ///< rows before or after the time asked for
  std::size_t unreadable = 0;  ///< rows
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
  Columns hand;           ///< fx, fy, fz, nx, ny, nz: on the environment, N and N·m
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

}  // namespace armdyn
