#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace armdyn {

/// A curve for a picture, from a stream of any length in bounded memory. The x axis is cut into
/// buckets of equal width, doubled whenever the stream has outgrown them; each bucket keeps its
/// first, lowest, highest and last sample where they are, so no peak is lost. A short series is
/// kept exactly. The outcome depends on the samples alone, not on how they were handed over.
class ThinnedSeries {
 public:
  struct Points {
    std::vector<double> x;
    std::vector<double> y;
  };

  static constexpr std::size_t default_buckets = 2000;

  /// Up to 2 * buckets samples are kept exactly, and never are more than 4 * buckets.
  explicit ThinnedSeries(std::size_t buckets = default_buckets);

  /// x must not decrease: an InputError says where it does. A sample that is not finite is left
  /// out.
  void append(double x, double y);
  /// What comes is not connected with what was there: in between there is a point without a y.
  void break_off() { ++stretch_; }
  void append(std::span<const double> x, std::span<const double> y);

  /// NaN for y in gaps.
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
  void put_in_bucket(const Sample& sample);
  std::size_t bucket_of(double x);
  void halve_indices(unsigned times);

  std::size_t bucket_count_;
  std::uint64_t count_ = 0;
  std::uint64_t stretch_ = 0;
  double last_x_ = 0;
  double width_ = 0;             // of a bucket; 0 while the samples are kept exactly
  std::vector<Sample> samples_;  // all of them, until there are buckets; then only the first
  std::vector<Bucket> buckets_;  // those that hold a sample, by index
};

}  // namespace armdyn
