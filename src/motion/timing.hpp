#pragma once

#include <armdyn/trajectory.hpp>

#include <span>

namespace armdyn {

/// Rates that the share of the way, which runs from 0 to 1 for all joints alike, may have: 1/s,
/// 1/s².
[[nodiscard]] RateLimit common_pace(std::span<const double> ways,
                                    const std::vector<RateLimit>& limits);

/// The least duration in which all joints cover their ways in step within the limits, s (eq. 10.2,
/// 10.4). Throws InputError where nothing limits a joint that moves, or no joint moves.
[[nodiscard]] double shortest_duration(std::span<const double> ways, Profile profile,
                                       const std::vector<RateLimit>& limits);

/// The duration that is asked for, or the shortest one. Throws InputError where that asked for is
/// shorter.
[[nodiscard]] double chosen_duration(const Timing& timing, double shortest);

/// By how much a motion must be slowed down in time to keep its rates within the limits; less than
/// one: it may be faster. Zero if nothing limits it.
[[nodiscard]] double stretch_to(const std::vector<RateLimit>& limits,
                                const std::vector<RateLimit>& peaks);

/// Throws std::invalid_argument unless there is a positive duration or one limit for each joint.
void require_sound(const Timing& timing, std::size_t dof);

}  // namespace armdyn
