#include "math/counted.hpp"

#include <gtest/gtest.h>

#include "math/rigid.hpp"

namespace armdyn {
namespace {

/// Multiplications and additions: as written, principal, needed.
template <class Work>
std::array<std::int64_t, 6> counts(Work work) {
  Counted::tally() = {};
  work();
  const auto& [written, principal, needed] = Counted::tally();
  return {written.multiplications, written.additions,      principal.multiplications,
          principal.additions,     needed.multiplications, needed.additions};
}
using Counts = std::array<std::int64_t, 6>;

TEST(Counted, TeachesWithAnExampleThatIsTrue) {
  const Counted q;
  const auto [s, c] = sin_cos(q);
  const Counted row_x = -s, row_y(0.0), row_z = c;
  const Counted w1_x(0.0), w1_y(0.0), w1_z;
  EXPECT_EQ(counts([&] { row_x* w1_x + row_y* w1_y + row_z* w1_z; }), (Counts{3, 2, 3, 2, 1, 0}));
}

TEST(Counted, NeedsNoProductWithZeroOrOne) {
  const Counted x, zero(0.0), one(1.0), minus_one(-1.0), two(2.0);
  EXPECT_EQ(counts([&] { x* zero; }), (Counts{1, 0, 1, 0, 0, 0}));
  EXPECT_EQ(counts([&] { x* one; }), (Counts{1, 0, 1, 0, 0, 0}));
  EXPECT_EQ(counts([&] { minus_one* x; }), (Counts{1, 0, 1, 0, 0, 0}));
  EXPECT_EQ(counts([&] { two* x; }), (Counts{1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(counts([&] { x* x; }), (Counts{1, 0, 1, 0, 1, 0}));
}

TEST(Counted, NeedsNoSumWithZero) {
  const Counted x, zero(0.0), two(2.0);
  EXPECT_EQ(counts([&] { x + zero; }), (Counts{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(counts([&] { zero - x; }), (Counts{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(counts([&] { x - two; }), (Counts{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(counts([&] { -x; }), (Counts{0, 0, 0, 0, 0, 0}));
}

TEST(Counted, ComputesWithKnownNumbersBeforehand) {
  const Counted x, two(2.0), three(3.0);
  EXPECT_EQ(counts([&] { (two * three - Counted(5.0)) * x; }), (Counts{2, 1, 2, 1, 0, 0}));
  EXPECT_EQ(counts([&] { sin_cos(two).sin* three; }), (Counts{1, 0, 1, 0, 0, 0}));
}

TEST(Counted, LeavesOutZerosOfATensorAndNothingElseForPrincipalAxes) {
  const SymMat3 principal{1.0, 2.0, 3.0, 0.0, 0.0, 0.0};
  const SymMat3 full{1.0, 2.0, 3.0, 0.1, 0.2, 0.3};
  const Vec<Counted> v;
  EXPECT_EQ(counts([&] { principal* v; }), (Counts{9, 6, 3, 0, 2, 0}));
  EXPECT_EQ(counts([&] { full* v; }), (Counts{9, 6, 9, 6, 8, 6}));
  const Mat<Counted> turn{{Counted(), Counted(), Counted(0.0)},
                          {Counted(), Counted(), Counted(0.0)},
                          {Counted(0.0), Counted(0.0), Counted(1.0)}};
  EXPECT_EQ(counts([&] { turn* v; }), (Counts{9, 6, 9, 6, 4, 2}));
}

TEST(Counted, CountsDivisionsAndSinesApart) {
  const Counted x, zero(0.0), one(1.0);
  Counted::tally() = {};
  x / x;
  zero / x;
  x / one;
  sin_cos(x);
  sin_cos(one);
  EXPECT_EQ(Counted::tally().as_written.divisions, 3);
  EXPECT_EQ(Counted::tally().needed.divisions, 1);
  EXPECT_EQ(Counted::tally().as_written.sines, 2);
  EXPECT_EQ(Counted::tally().needed.sines, 1);
  EXPECT_EQ(Counted::tally().as_written.multiplications, 0);
}

}  // namespace
}  // namespace armdyn
