#include "io/table_writer.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "csv_test_tools.hpp"
#include "io/table_reader.hpp"

namespace armdyn {
namespace {

Table table_of(std::vector<std::vector<double>> columns) {
  Table table;
  table.rows = columns.front().size();
  table.columns = std::move(columns);
  return table;
}

TEST(TableWriter, PrintsColumnsOfInputAndResultSideBySide) {
  TableWriter writer;
  writer.add("t", From::input, 2);
  writer.add(Quantity::position, 2, From::input, 0);
  writer.add(Quantity::torque, 1, From::result, 0);
  const Table input = table_of({{1, 2}, {-0.5, 1e-7}, {0, 0.1}});
  const Table result = table_of({{1e22, -0.0}});
  std::string text;
  writer.append_header(text);
  writer.append_rows(text, input, result);
  EXPECT_EQ(text, "t,q1,q2,tau1\n0,1,-0.5,1e+22\n0.1,2,1e-07,-0\n");
}

TEST(TableWriter, PrintsNothingForNoRows) {
  TableWriter writer;
  writer.add("t", From::input, 0);
  std::string text;
  writer.append_rows(text, table_of({{}}), Table());
  EXPECT_EQ(text, "");
}

TEST(TableWriter, WhatItPrintsIsReadBackBitForBit) {
  std::mt19937_64 random(2);
  Table input = table_of({{}, {}, {}});
  for (auto& column : input.columns) {
    while (column.size() < 5000) {
      const double number = std::bit_cast<double>(random());
      if (std::isfinite(number)) column.push_back(number);
    }
  }
  input.rows = 5000;
  TableWriter writer;
  writer.add(Quantity::torque, 3, From::input, 0);
  std::string text;
  writer.append_header(text);
  writer.append_rows(text, input, Table());

  TableReader reader(source_of(text), "torques.csv", {text.size() + 1, text.size() + 1});
  TextBlock block;
  Table back;
  ASSERT_TRUE(reader.next(block));
  reader.parse(block, plan_columns(reader.header(), revolute_robot(3), {{Quantity::torque}}), back);
  ASSERT_EQ(back.rows, input.rows);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t row = 0; row < back.rows; ++row) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(back.columns[i][row]),
                std::bit_cast<std::uint64_t>(input.columns[i][row]));
    }
  }
}

}  // namespace
}  // namespace armdyn
