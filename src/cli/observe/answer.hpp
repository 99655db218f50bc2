#pragma once

#include <armdyn/robot.hpp>

#include "observation/contacts.hpp"
#include "report/document.hpp"

namespace armdyn {

/// The answer of observe.
struct ObserveAnswer {
  const Robot& robot;
  const ObservedLog& log;
  const LoadHistory& loads;
  const ExternalTorques& torques;
  const ContactEvents& contacts;
  std::vector<ContactForce> forces;  ///< of each contact
  std::vector<DriveGain> gains;
  bool by_momentum = false;

  [[nodiscard]] Sections sections() const;
  /// "one contact, 3.21 to 3.48 s, felt by joints 1 to 4, 38 ± 6 N along −x; a load of …"
  [[nodiscard]] std::string sentence() const;
};

}  // namespace armdyn
