#pragma once

// Where two descriptions of an arm differ, whatever frames each was written in.

#include <armdyn/robot.hpp>

#include <string>
#include <vector>

#include "dynamics/arm_state.hpp"
#include "report/document.hpp"

namespace armdyn {

struct Difference {
  std::string joint;
  std::string quantity;  ///< with its unit
  Value here, there;
};

struct ArmDifference {
  std::vector<Difference> numbers;
  Deviation states;  ///< over 200 states at the same q; `hand` in m
};

/// Joint for joint: type; where the next axis is; mass; where the centre of mass is, and principal
/// moments; each field of friction, motor and limits; coupled motors; poses. What differs by less than a millionth, a µm or 2e-5 rad
/// counts as the same. Throws InputError for arms of different numbers of joints.
[[nodiscard]] ArmDifference difference(const Robot& here, const Robot& there);

}  // namespace armdyn
