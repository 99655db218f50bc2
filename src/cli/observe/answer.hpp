#pragma once

#include <armdyn/robot.hpp>

#include <array>
#include <optional>

#include "observation/contacts.hpp"
#include "report/document.hpp"

namespace armdyn {

/// What exerted a contact, at the point of --at.
struct Touch {
  ContactWrench force;                  ///< alone
  std::optional<ContactWrench> wrench;  ///< with a moment, if the arm has joints enough
  Vec3 impulse;                         ///< of the force over the contact, N·s
  std::optional<std::array<double, 6>>
      sensor;  ///< force and moment about the TCP by the log, in {0}

  /// Tests whether no force at that point explains the torques.
  [[nodiscard]] bool has_moment() const;
  /// That force, or the wrench where it has a moment.
  [[nodiscard]] const ContactWrench& acting() const { return has_moment() ? *wrench : force; }
};

/// The answer of observe.
struct ObserveAnswer {
  const Robot& robot;
  const ObservedLog& log;
  const LoadHistory& loads;
  const ExternalTorques& torques;
  const ContactEvents& contacts;
  std::vector<Touch> touches;  ///< of each contact
  std::vector<DriveGain> gains;
  bool by_momentum = false;

  [[nodiscard]] Sections sections() const;
  /// Forces at a point in the proximal frame of a link, for a picture; {0} is in the world there.
  [[nodiscard]] std::vector<ForceArrow> arrows(std::size_t link, const Vec3& at,
                                               const Mat3& base) const;
  /// "one contact, 3.21 to 3.48 s, felt by joints 1 to 4, 38 ± 6 N along −x; a load of …"
  [[nodiscard]] std::string sentence() const;

 private:
  [[nodiscard]] FieldTable touched() const;
  [[nodiscard]] FieldTable held() const;
};

/// The answer of currents with a known load.
[[nodiscard]] Sections drive_gain_sections(const Robot& robot, const std::vector<DriveGain>& gains);

}  // namespace armdyn
