#pragma once

// Estimates of the base parameters by torques, in bounded memory.

#include <Eigen/Core>
#include <armdyn/identification.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace armdyn {

/// Rows y β ≈ τ of each joint, kept as triangles R of their QR decompositions, block after block of
/// neighboring rows (docs/derivation.md, eq. 29.1). Where there are too many blocks, each two become
/// one.
class TorqueFitRows {
 public:
  /// Entries of β, parameters and the delay of a log, on which each joint's torque depends.
  using UsedColumns = std::vector<std::vector<Eigen::Index>>;
  static constexpr std::size_t most_blocks = 128;

  explicit TorqueFitRows(const UsedColumns& used);

  /// Torques of a joint, N·m or N.
  struct Torque {
    double smoothed = 0.0, measured = 0.0;
    double before = 0.0;         ///< smoothed one less that of the robot as it was
    double rate_variance = 0.0;  ///< of the noise in dτ/dt, the last used column if there is one
  };
  /// Adds a row of one joint: `row` has the measured torque less the smoothed one, the used columns,
  /// and the part of the smoothed one that they explain.
  void add(std::size_t joint, std::span<const double> row, const Torque& torque);
  /// Ends a moment, after all its rows were added.
  void end_moment();
  /// Ends the log, before any result is taken.
  void finish();

  [[nodiscard]] std::size_t joints() const { return joints_.size(); }
  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }

  struct Sums {
    double rows = 0.0;
    double sum = 0.0, squares = 0.0;  ///< of the smoothed torque about the first one
    double measured_sum = 0.0, measured_squares = 0.0;  ///< of the measured one
    double before = 0.0;                                ///< squares of Torque::before
    double rate_noise = 0.0;  ///< part of noise in the squares of the last used column
    void add(const Sums& others);
  };
  struct Triangle : Sums {
    Eigen::MatrixXd R;  ///< upper; the columns of a row
    /// Used columns, and that of τ.
    [[nodiscard]] auto columns() const { return R.middleCols(1, R.cols() - 2); }
    [[nodiscard]] auto torque() const { return R.rightCols<1>(); }
    void join(const Triangle& later);
  };
  /// Rows of a joint in a block.
  [[nodiscard]] const Triangle& triangle(std::size_t block, std::size_t joint) const {
    return blocks_[block][joint];
  }
  [[nodiscard]] const std::vector<Eigen::Index>& used(std::size_t joint) const {
    return joints_[joint].used;
  }
  enum class Of { smoothed, measured };
  /// Sum of squared residuals of a joint's torques in a block.
  [[nodiscard]] double misfit(std::size_t block, std::size_t joint, const Eigen::VectorXd& beta,
                              Of torques = Of::smoothed) const;

 private:
  struct Joint {
    std::vector<Eigen::Index> used;
    Eigen::MatrixXd waiting;  // rows in no triangle yet
    Eigen::Index count = 0;
    Sums sums;               // of the waiting rows
    double reference = 0.0;  // the first torque
    bool has_reference = false;
  };
  void flush();

  std::vector<Joint> joints_;
  std::vector<std::vector<Triangle>> blocks_;
  std::size_t moments_ = 0, block_moments_;  // in the last block; of a full one
  std::size_t waiting_ = 0;                  // moments in no block yet
};

/// Selected blocks of a log.
struct LogPart {
  const TorqueFitRows* rows = nullptr;
  std::size_t from = 0, to = 0;  ///< blocks
};

[[nodiscard]] std::vector<Misfit> misfits(std::span<const LogPart> parts,
                                          const Eigen::VectorXd& beta);

/// Weighted least-squares estimate of β (eq. 29.2-29.4).
struct TorqueFit : FitFigures {
  Eigen::VectorXd beta,
      errors;                   ///< errors: one standard deviation; infinite where nothing is known
  Eigen::MatrixXd information;  ///< of β, corrected for correlations of neighboring rows
};
/// Fits torques; β stays at `start` where they depend on none of it.
[[nodiscard]] TorqueFit fit_torques(std::span<const LogPart> parts, const Eigen::VectorXd& start);

}  // namespace armdyn
