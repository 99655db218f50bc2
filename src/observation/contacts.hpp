#pragma once

// Contacts in external torques, and the wrench that explains them (docs/derivation.md, section 37).

#include <armdyn/vector.hpp>

#include "observation/external_torques.hpp"

namespace armdyn {

struct Contact {
  std::size_t from = 0, to = 0,
              worst = 0;            ///< rows; of the largest distance inside the filter's flanks
  std::vector<std::size_t> joints;  ///< that feel it
  double peak = 0.0;                ///< largest |torque|, N·m or N
  double distance = 0.0;            ///< Mahalanobis's, there
};

/// Duration of the shortest contact in which a filter of width T leaves 99 % of a force somewhere.
constexpr double event_with_whole_force(double T) {
  return 12.0 * T;
}

struct ContactEvents {
  std::vector<Contact> events;
  std::vector<double> thresholds;  ///< of each joint, N·m or N
  /// Torque of a tap of 20 ms that is found; infinite where noise is not like normal noise.
  std::vector<double> tap_thresholds;
};

/// Events, and taps of at most 30 ms, with less than so many false ones per second, with 95 % confidence. So many
/// seconds at the ends of each stretch, where derivatives are poor, do not count.
[[nodiscard]] ContactEvents find_contacts(const ObservedLog& log, const ExternalTorques& torques,
                                          const LoadHistory& loads, double false_alarms,
                                          double at_ends);

enum class ContactPart { force, wrench };

/// A wrench at a point of the arm, which exerts it, in axes of {0} (eq. 37.11).
struct ContactWrench {
  struct Estimate {
    Vec3 value, error;
  };
  Estimate force;                         ///< N
  Estimate moment{};                      ///< N·m, about the point; 0 for a force alone
  double condition = 1.0;                 ///< of the point's Jacobian over the torques' errors
  std::vector<std::vector<double>> axes;  ///< of its error ellipsoid, standard deviations long
  std::vector<std::string> undetermined;  ///< "x", "nz": what the posture does not determine
  double left = 0.0;                      ///< of the torques over their errors, as a length
  double free = 0.0;                      ///< number of torques beyond those that it takes
};
/// `to_contact` is the robot to the point's link, with its tool frame there.
[[nodiscard]] ContactWrench contact_wrench(const Robot& to_contact, std::span<const double> q,
                                           std::span<const double> torques,
                                           std::span<const double> errors, ContactPart part);

}  // namespace armdyn
