#pragma once

#include <armdyn/dynamics.hpp>

#include <cstddef>
#include <vector>

#include "program/schedule.hpp"

// The torque of the links as tasks for several processors (docs/derivation.md, section 23; paper
// 001, table 5).

namespace armdyn {

/// Every operation of a formulation's text, one step each. The joints' frames are there, as in the
/// papers.
[[nodiscard]] std::vector<Task> written_operations(const Arm& arm, Method method);

/// Those of the arm's program (section 14). The joints' sines are there.
[[nodiscard]] std::vector<Task> folded_operations(const Arm& arm, Method method);

/// The terms of the modified recursion for n revolute joints, each as long as table 4 of paper 001
/// says that its multiplications or its additions take, one after the other (eq. 23.3).
enum class TermDuration { multiplications, additions };
[[nodiscard]] std::vector<Task> terms_of_table_4(std::size_t n, TermDuration duration);

}  // namespace armdyn
