#pragma once

// The series behind an excitation (docs/derivation.md, eq. 10.12).

#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <vector>

#include "motion/fourier.hpp"

namespace armdyn {

/// One series per joint with coefficients by chance, as large as its limits allow. Throws as
/// `excite`.
[[nodiscard]] std::vector<FourierSeries> series_by_chance(const Excitation& wanted);

/// Takes from the coefficients what keeps a joint from resting without acceleration at the ends.
void rest_at_the_ends(FourierSeries& series);

/// A series times a factor; the centre stays.
[[nodiscard]] FourierSeries scaled(FourierSeries series, double factor);

/// The largest factor that keeps a joint's series within its limits.
[[nodiscard]] double largest_factor(FourierSeries series, const Excitation& wanted,
                                    std::size_t joint);

/// The motion of one series per joint, less what rounding adds at the limits.
[[nodiscard]] Trajectory fourier_motion(const Excitation& wanted,
                                        std::vector<FourierSeries> joints);

}  // namespace armdyn
