#pragma once

// Curves over time or over one another, whoever draws them: gnuplot (io/plot) or a page (report).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace armdyn {

/// Curve for a picture, from a stream of any length in bounded memory. The x axis is cut into buckets
/// of equal width, doubled whenever the stream has outgrown them; each bucket keeps its first,
/// lowest, highest and last sample, so that no peak is lost. A short series is kept exactly. The
/// result depends on the samples alone, not on their division into calls.
class ThinnedSeries {
 public:
  struct Points {
    std::vector<double> x;
    std::vector<double> y;
  };

  static constexpr std::size_t default_buckets = 2000;

  /// Keeps up to 2 * buckets samples exactly, and at most 4 * buckets.
  explicit ThinnedSeries(std::size_t buckets = default_buckets);

  /// Appends a sample, unless it is not finite. Throws InputError where x decreases.
  void append(double x, double y);
  /// Separates later samples from earlier ones by a point without a y.
  void break_off() { ++stretch_; }
  void append(std::span<const double> x, std::span<const double> y);

  /// Points, with NaN for y in gaps.
  Points points() const;
  bool empty() const { return count_ == 0; }

 private:
  struct Sample {
    double x;
    double y;
    std::uint64_t order;
    std::uint64_t stretch;
  };
  struct Bucket {
    std::size_t index;
    Sample first;
    Sample lowest;
    Sample highest;
    Sample last;
  };

  void start_buckets();
  void put(const Sample& sample);
  void add(const Bucket& bucket);
  /// Takes the first samples that belong to the last bucket; returns their number.
  std::size_t append_to_last_bucket(std::span<const double> x, std::span<const double> y);
  std::size_t bucket_of(double x);
  void halve_indices(unsigned times);

  std::size_t bucket_count_;
  std::uint64_t count_ = 0;
  std::uint64_t stretch_ = 0;
  double last_x_ = 0;
  double width_ = 0;             // of a bucket; 0 while the samples are kept exactly
  double end_ = 0;               // of the last bucket, from the first sample on
  std::vector<Sample> samples_;  // all, until there are buckets; then only the first
  std::vector<Bucket> buckets_;  // those that hold a sample, by index
};

/// At most so many rows of columns of one length: the first and last, and the lowest and highest of
/// each column in stretches of equal numbers of rows.
[[nodiscard]] std::vector<std::size_t> rows_with_extremes(
    const std::vector<std::span<const double>>& columns, std::size_t most);

/// A curve. A value that is not finite is a gap. Curves with the same label look the same in every
/// panel; the first label is drawn as a thin black line, the second as a wide light one behind it,
/// and both are seen where they coincide. Neighbors of one label are the sides of a band.
struct Curve {
  std::string label;           // shown at its end; empty: not shown
  std::vector<double> x, y;    // as many of both
  bool is_parametric = false;  ///< x goes back and forth, as of a cycle in torque over speed
};

/// A text at a place of a panel.
struct Note {
  double x, y;
  std::string text;
};

struct Panel {
  std::string title;
  std::string y_label;
  std::string unit;  // of y: N·m
  std::vector<Curve> curves;
  /// Limits, noted above the panel; those of `near_limits` are dashed lines, too.
  std::vector<double> limits = {};
  std::vector<Note> notes = {};
  bool is_drawing = false;          ///< with both axes in one scale
  std::string x_label{}, x_unit{};  ///< of an axis of its own; empty: the figure's
  bool has_zero = false;            ///< y's axis begins or ends at 0
};

struct Figure {
  std::string title;
  std::string subtitle;
  std::vector<Panel> panels;
  std::string x_label = "t";
  std::string x_unit = "s";
  std::size_t columns = 0;  // of panels; 0: one or two, as many as fit well
};

// What a drawing shows of the numbers.

struct AxisRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  double span() const { return high - low; }
  double largest() const { return empty() ? 0 : std::max(std::abs(low), std::abs(high)); }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Tests whether a point is in no gap. gnuplot could not add numbers beyond 1e305.
[[nodiscard]] bool is_drawn(const Curve& curve, std::size_t i);
/// Range of the drawn points along a coordinate.
[[nodiscard]] AxisRange range_of_curves(const Panel& panel, std::vector<double> Curve::*coordinate);
/// Range of the curves of a panel. Flat curves get a range around them; rounding noise beside the
/// other panels of the same unit gets one in which it looks like zero.
[[nodiscard]] AxisRange y_range(const Figure& figure, const Panel& panel);
/// Writes a number for the reader, four digits: 186.4, 12346 or −4·10⁶.
[[nodiscard]] std::string brief_number(double value);

// Parts common to all drawings of a figure.

/// Labels of its curves, each once; their places are the numbers of their styles.
[[nodiscard]] std::vector<std::string> labels_of(const Figure& figure);
/// Style of a curve of the panel; without a label that of its place.
[[nodiscard]] std::size_t style_number(const std::vector<std::string>& labels, const Panel& panel,
                                       std::size_t curve);
struct CurveStyle {
  const char *color, *ink;  ///< of the line, and of its name, darker
  double width;             ///< pixels
  const char* dashes;       ///< lengths in pixels, "(7,4)", or "solid"
  int layer;                ///< lower ones are drawn first
};

/// Styles of curves by their number, in colors of Okabe and Ito, which color-blind readers distinguish;
/// in gray, dashes and widths do. Behind them begins the list anew.
inline constexpr std::array<CurveStyle, 7> curve_styles{{
    {"#000000", "#000000", 1.5, "solid", 1},
    {"#56b4e9", "#2e80b2", 3.6, "solid", 0},
    {"#d55e00", "#b85000", 1.8, "(7,4)", 2},
    {"#009e73", "#007f5c", 2.0, "solid", 1},
    {"#cc79a7", "#a84d80", 2.4, "(3,2)", 2},
    {"#0072b2", "#0072b2", 1.8, "(9,3,2,3)", 1},
    {"#e69f00", "#966800", 2.4, "(4,4)", 1},
}};

/// Tests whether the curve and the one behind it are the sides of a band.
[[nodiscard]] bool begins_band(const Panel& panel, std::size_t curve);
/// Limits near enough to the curves for a line, or that all of the curves exceed.
[[nodiscard]] std::vector<double> near_limits(const Figure& figure, const Panel& panel);
/// Text of the limits: "limit ±186 N·m", "limits −0.8 to 3.9 rad", "limit 3 N·m"; empty without any.
[[nodiscard]] std::string limit_note(const Panel& panel);

}  // namespace armdyn
