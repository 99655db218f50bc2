#include "report/answer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace armdyn {

namespace {

Fields energy(const Value& hand) {
  return {{"start", "energy: {} J at the start", Value::number(1.23456)},
          {"hand", ", of the hand {} J", hand},
          {"steps", for_programs, Value::count(3)},
          {for_people, ", {}", Value::count(1, "run")}};
}

std::vector<Fields> joints() {
  return {{words("first, second")},
          {{"name", "joint", Value::word("elbow")},
           {"peak", "peak |τ|", Value::number(-0.0)},
           {"limit", "limit", Value::number(std::nullopt)},
           {"stops", label_if(false, "stops"), Value::count(2)},
           {for_people, "share", Value::share(1.0, 8.0)}}};
}

}  // namespace

TEST(Answer, SaysFieldsInTheirWordsAndGivesThemUnderTheirKeys) {
  EXPECT_EQ(sentence(energy(Value::number(2.0))),
            "energy: 1.235 J at the start, of the hand 2 J, 1 run");
  EXPECT_EQ(object(energy(Value::number(2.0))).dump(), R"({"hand":2.0,"start":1.23456,"steps":3})");
}

TEST(Answer, LeavesOutFieldsWithoutAValue) {
  EXPECT_EQ(sentence(energy({})), "energy: 1.235 J at the start, 1 run");
  EXPECT_EQ(object(energy({})).dump(), R"({"start":1.23456,"steps":3})");
}

TEST(Answer, IsATableForPeopleAndAListOfObjectsForPrograms) {
  EXPECT_EQ(table(joints()),
            "joint          peak |τ|  limit  share\n"
            "first, second\n"
            "elbow                 0      -   12 %\n");
  EXPECT_EQ(list(joints()),
            "joint          peak |τ|  limit  share\n"
            "first, second\n"
            "elbow          0         -      12 %\n");
  EXPECT_EQ(objects(joints()).dump(), R"([{},{"name":"elbow","peak":0.0,"stops":2}])");
}

TEST(Answer, HasOneFormForEachKindOfValue) {
  EXPECT_EQ(Value::range(-0.0, 1.5).brief, "0 to 1.5");
  EXPECT_EQ(Value::moments(0.0, 1.0000001).brief, "0 to 1");
  EXPECT_EQ(Value::magnitude(1.23e-9).brief, "1.2e-09");
  EXPECT_EQ(Value::count(2, "row").brief, "2 rows");
  EXPECT_FALSE(Value::share(1.0, std::nullopt).exact);
}

}  // namespace armdyn
