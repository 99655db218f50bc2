#pragma once

#include <Eigen/Core>
#include <armdyn/trajectory.hpp>

#include "math/each.hpp"
#include "motion/joint_path.hpp"

namespace armdyn {

/// A pose on the path of a TCP.
struct TcpStop {
  std::vector<double> q;  ///< goal of self-motions, which leave the TCP pose
  Transform tcp;
  double blend = 0.0;  ///< distance from it at which the TCP may pass, m; between lines alone
};

/// An arm's postures while its TCP moves straight from pose to pose (docs/derivation.md, 10.2), as
/// a function of s: of one line its share, 0 to 1, of several about the distance in m.
class TcpLine {
 public:
  /// Leads the TCP from its pose at `from` from stop to stop; each but the last has a blend.
  /// Throws NumericsError as straight_line does, and where the TCP reverses at a blend.
  TcpLine(const Arm& arm, std::span<const double> from, const std::vector<TcpStop>& stops,
          TcpOrientation orientation);

  /// Joint positions and their derivatives by s (eq. 10.8).
  struct Posture {
    Eigen::VectorXd q, dq, ddq;
  };
  [[nodiscard]] Posture at(double s) const { return with_derivatives(s, solved(s)); }

  [[nodiscard]] std::size_t dof() const { return arm_.dof(); }

  /// Begins of lines and blended corners, 0 first, and the end.
  [[nodiscard]] const std::vector<double>& knots() const { return shares_->knots(); }

  /// The s between the steps taken to follow the line, which are shorter where joints move faster.
  [[nodiscard]] std::vector<double> between_steps() const {
    return each(std::span(places_).subspan(1, places_.size() - 2), &Place::s);
  }

 private:
  /// A posture on the line, and its distance from singular ones (eq. 10.11).
  struct Place {
    double s = 0.0;
    Eigen::VectorXd q;
    double dexterity = 0.0;
  };
  /// p_B − p_A and φ of (10.7), and the joint path; per m where there are several lines.
  struct Line {
    Vec3 way, turn;
    Eigen::VectorXd joints;
  };
  /// Desired pose of the TCP, and its derivatives by s.
  struct Wanted {
    Transform tcp;
    Vec3 v, omega, v_rate, omega_rate;
  };

  void follow(const Eigen::VectorXd& of_free);
  void approach(double s);
  void refuse_singular_minimum() const;
  void refuse_other_posture() const;
  void add_place(double s, const Eigen::VectorXd& q);
  [[noreturn]] void refuse_singular(double s, const Eigen::VectorXd& q) const;
  [[nodiscard]] Eigen::VectorXd predicted(const Place& from, double s) const;

  [[nodiscard]] Wanted wanted(double s, bool with_rates) const;
  [[nodiscard]] Eigen::VectorXd free_way(double s, double PathSample::*of) const;
  [[nodiscard]] Eigen::VectorXd rest(double s, const Eigen::VectorXd& q) const;
  [[nodiscard]] Eigen::MatrixXd rates_matrix(const Eigen::VectorXd& q) const;
  [[nodiscard]] Posture with_derivatives(double s, const Eigen::VectorXd& q) const;
  [[nodiscard]] Eigen::VectorXd corrected(double s, Eigen::VectorXd q) const;
  [[nodiscard]] Eigen::VectorXd solved(double s) const;
  [[nodiscard]] std::string where(double s) const;

  Arm arm_;
  Eigen::VectorXd from_, to_;
  Transform start_;  // the TCP at `from`
  std::vector<Line> lines_;
  std::optional<JointPath> shares_;  // part gone of each line
  Eigen::Index task_ = 6;            // rows of J that are followed
  Eigen::Index rank_ = 6;            // of these, in general
  Eigen::MatrixXd free_;             // Nᵀ of (10.9)
  std::vector<Place> places_;
};

/// Motion along TCP lines, blended at the corners, from the pose at `from`, with t = s. Throws
/// as TcpLine.
[[nodiscard]] Trajectory tcp_lines(const Arm& arm, std::span<const double> from,
                                   const std::vector<TcpStop>& stops, TcpOrientation orientation);

}  // namespace armdyn
