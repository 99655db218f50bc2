#pragma once

// External torques with their bands, and contacts (docs/derivation.md, section 37).

#include <armdyn/vector.hpp>

#include "observation/load_history.hpp"

namespace armdyn {

/// Rows at the log's times: external torques τ − model, and where 95 % of the true ones are.
struct ExternalTorques {
  Columns value, low, high;
  Columns beyond_load;        ///< without the torques of the loads
  Columns error;              ///< standard deviation of either
  std::vector<double> noise;  ///< of each joint, after the filter
};

struct Contact {
  std::size_t from = 0, to = 0, worst = 0;  ///< rows; of the largest distance
  std::vector<std::size_t> joints;          ///< that feel it
  double peak = 0.0;                        ///< largest |torque|, N·m or N
  double distance = 0.0;                    ///< Mahalanobis's, there
};

struct ContactEvents {
  std::vector<Contact> events;
  std::vector<double> thresholds;  ///< of each joint, N·m or N
};

/// Width T of the filter: 10 ms, or two usual steps.
[[nodiscard]] double filter_width(const ObservedLog& log);

[[nodiscard]] ExternalTorques external_torques(const Robot& robot, ErrorRegressor& regressor,
                                               const ObservedLog& log, const Columns& between,
                                               const LoadHistory& loads);

/// Events with less than so many false ones per second, with 95 % confidence. So many
/// seconds at the ends of each stretch, where derivatives are poor, do not count.
[[nodiscard]] ContactEvents find_contacts(const ObservedLog& log, const ExternalTorques& torques,
                                          const LoadHistory& loads, double false_alarms,
                                          double at_ends);

/// A force at a point of the arm, which exerts it, in axes of {0} (eq. 37.11).
struct ContactForce {
  Vec3 value, error;
  double condition = 1.0;           ///< of the point's Jacobian over the torques' errors
  std::vector<Vec3> axes;           ///< of its error ellipsoid, standard deviations long
  std::vector<std::string> untold;  ///< "x": components that the posture does not determine
};
/// `hand` is the robot to the point's link, with its tool frame there.
[[nodiscard]] ContactForce contact_force(const Robot& hand, std::span<const double> q,
                                         std::span<const double> torques,
                                         std::span<const double> errors);

}  // namespace armdyn
