#include "dynamics/published_counts.hpp"

namespace armdyn {

namespace {

// Derived and explained in docs/derivation.md, section 12.
constexpr PublishedCount published[] = {
    {Method::newton_euler, "paper 001", "Table 1", "108n − 12", "100n − 9",
     [](std::int64_t n) {
       return Operations{108 * n - 12, 100 * n - 9};
     }},
    {Method::newton_euler, "paper 003", "Table 2, with its controller", "119n − 24", "107n − 21",
     [](std::int64_t n) {
       return Operations{119 * n - 24, 107 * n - 21};
     }},
    {Method::newton_euler, "paper 001", "corrected", "124n − 24", "101n − 24",
     [](std::int64_t n) {
       return Operations{124 * n - 24, 101 * n - 24};
     }},

    {Method::modified_newton_euler, "paper 001", "Table 1, principal axes", "90n − 27", "88n − 24",
     [](std::int64_t n) {
       return Operations{90 * n - 27, 88 * n - 24};
     }},
    {Method::modified_newton_euler, "paper 001", "corrected, full tensor", "106n − 33", "95n − 33",
     [](std::int64_t n) {
       return Operations{106 * n - 33, 95 * n - 33};
     }},

    {Method::lagrange, "paper 001", "Table 1", "27/2 n³ + 165/2 n² + 5n", "40/3 n³ + 58n² − 64/3 n",
     [](std::int64_t n) {
       return Operations{(27 * n * n * n + 165 * n * n + 10 * n) / 2,
                         (40 * n * n * n + 174 * n * n - 64 * n) / 3};
     }},
    {Method::lagrange, "paper 003", "Table 1, with its controller",
     "128/3 n⁴ + 515/3 n³ + 850/3 n² + 82/3 n", "98/3 n⁴ + 787/6 n³ + 640/3 n² + 131/6 n",
     [](std::int64_t n) {
       return Operations{(128 * n * n * n * n + 515 * n * n * n + 850 * n * n + 82 * n) / 3,
                         (196 * n * n * n * n + 787 * n * n * n + 1280 * n * n + 131 * n) / 6};
     }},
    {Method::lagrange, "paper 001", "appendix, corrected", "27/2 n³ + 181/2 n² + 13n",
     "40/3 n³ + 74n² − 16/3 n",
     [](std::int64_t n) {
       return Operations{(27 * n * n * n + 181 * n * n + 26 * n) / 2,
                         (40 * n * n * n + 222 * n * n - 16 * n) / 3};
     }},
};

// Table 3 of paper 001, per link: outward (ω, α, A, a, ā) and inward (f, n).
constexpr Operations outward{9 + 9 + 6 + 18 + 9, 7 + 9 + 9 + 15 + 9};
constexpr Operations inward{12 + 9 + 15 + 6 + 6 + 9, 9 + 6 + 9 + 3 + 3 + 6 + 15};

}  // namespace

std::span<const PublishedCount> published_counts() {
  return published;
}

Operations published_strobing_of_mass_matrix(std::int64_t n) {
  return n * (n + 1) / 2 * (outward + inward);
}

Operations published_strobing_of_velocity_matrices(std::int64_t n) {
  return n * (n + 1) * (2 * n + 1) / 6 * outward + n * (n + 1) / 2 * inward;
}

}  // namespace armdyn
