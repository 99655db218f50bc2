#include "io/table/csv_table.hpp"
#include "io/table/table_format.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "io/file/output_file.hpp"
#include "log/columns.hpp"
#include "log/row_writer.hpp"
#include "model/shown_unit.hpp"
#include "support/csv_test_tools.hpp"

namespace armdyn {
namespace {

Table written_table(std::vector<std::vector<double>> columns) {
  Table table;
  table.rows = columns.front().size();
  table.columns = std::move(columns);
  return table;
}

std::string rows_of(const TableWriter& writer, const Table& table) {
  Places places;
  for (const std::vector<double>& column : table.columns) places.push_back(column.data());
  std::string bytes;
  writer.append_rows(bytes, places, table.rows);
  return bytes;
}

TEST(TableWriter, WritesAnglesInDegreesForPeople) {
  Robot robot;
  robot.joints.resize(2);
  robot.joints[1].type = JointType::prismatic;
  OutputFile output("/dev/null");
  show_degrees(true);
  BlockWriter<Columns> writer(output, &robot);
  writer.add(Quantity::acceleration, 2, 0);
  writer.add_groups(2, std::array{Quantity::torque}, std::identity());
  BlockJob<Columns> job;
  writer.print(job);
  std::string bytes;
  job.print_header(bytes);
  job.print(bytes, written_table({{std::numbers::pi}, {2.0}}), Columns{{3.0}, {4.0}});
  show_degrees(false);
  EXPECT_EQ(bytes, "qdd1[deg/s^2],qdd2,tau1,tau2\n180,2,3,4\n");
}

TEST(TableWriter, PrintsColumnsOfInputAndResultSideBySide) {
  OutputFile output("/dev/null");
  BlockWriter<Columns> writer(output);
  writer.add(Quantity::time, 2, 2);
  writer.add(Quantity::position, 2, 0);
  writer.add_groups(1, std::array{Quantity::torque}, std::identity());
  const Table input = written_table({{1, 2}, {-0.5, 1e-7}, {0, 0.1}});
  const Columns result{{1e22, -0.0}};
  BlockJob<Columns> job;
  writer.print(job);
  std::string text;
  job.print_header(text);
  job.print(text, input, result);
  EXPECT_EQ(text, "t,q1,q2,tau1\n0,1,-0.5,1e+22\n0.1,2,1e-07,0\n");
  Columns printed{{0, 0.1}, {1, 2}, {-0.5, 1e-7}, {1e22, 0}}, taken;
  // The root of an MPI job takes the rows of parts.
  job.take(printed, taken);
  EXPECT_EQ(taken, result);
}

TEST(TableWriter, MakesTheResultOfWhatWasPrinted) {
  struct Computed {
    Columns tau, power;
  };
  OutputFile output("/dev/null");
  BlockWriter<Computed> writer(output);
  writer.add(Quantity::time, 2, 0);
  writer.add_groups(2, std::array{Quantity::torque, Quantity::torque_error}, &Computed::tau);
  writer.add_groups(1, std::array{Quantity::velocity}, &Computed::power);
  BlockJob<Computed> job;
  writer.print(job);
  Columns printed{{0, 1}, {1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}};
  Computed found;
  job.take(printed, found);
  EXPECT_EQ(found.tau, (Columns{{1, 2}, {3, 4}, {5, 6}, {7, 8}}));
  EXPECT_EQ(found.power, (Columns{{9, 10}}));
}

TEST(TableWriter, PrintsNothingForNoRows) {
  TableWriter writer(csv_format);
  writer.add(Quantity::time, 2);
  EXPECT_EQ(rows_of(writer, written_table({{}})), "");
}

TEST(TableWriter, WhatItPrintsIsReadBackBitForBit) {
  std::mt19937_64 random(2);
  Table input = written_table({{}, {}, {}});
  for (auto& column : input.columns) {
    while (column.size() < 5000) {
      const double number = std::bit_cast<double>(random());
      if (std::abs(number) <= 1e15) column.push_back(number);  // what a table may hold
    }
  }
  input.rows = 5000;
  TableWriter writer(csv_format);
  writer.add(Quantity::torque, 3);
  std::string text;
  writer.append_header(text);
  text += rows_of(writer, input);

  CsvTable reader(source_of(text), "torques.csv", {text.size() + 1, text.size() + 1});
  RawBlock block;
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

/// What is written of one table with those groups of two joints, and read again by names.
std::string array_of(const std::vector<Quantity>& groups, const Table& table,
                     const std::string& path) {
  OutputFile output(path);
  TableWriter writer(output);
  for (const Quantity quantity : groups) writer.add(quantity, 2);
  std::string bytes;
  writer.append_header(bytes);
  bytes += rows_of(writer, table);
  bytes += rows_of(writer, table);
  output.write(bytes);
  output.commit();
  return content_of(path);
}

TEST(TableWriter, RefusesWhatIsNoFiniteNumberUnlessItMayBeUnknown) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> good{1, 2, 3}, bad{4, 5, nan};
  TableWriter writer(csv_format);
  writer.add(Quantity::torque, 2);
  std::string text;
  for (const std::size_t column : {0U, 1U}) {
    try {
      writer.append_rows(text,
                         {(column == 0 ? bad : good).data(), (column == 0 ? good : bad).data()}, 3);
      ADD_FAILURE();
    } catch (const NotFinite& error) {
      EXPECT_EQ(error.row(), 2U);
      EXPECT_EQ(error.what(), "tau" + std::to_string(column + 1) +
                                  " is not a finite number: an input is too large");
    }
  }
  EXPECT_EQ(text, "");
  writer.allow_unknown();
  writer.append_rows(text, {good.data(), bad.data()}, 3);
  EXPECT_EQ(text, "1,4\n2,5\n3,\n");
}

TEST(TableWriter, WritesAPlainArrayWhereTheOrderTellsWhatIsWhat) {
  const Folder folder;
  const Table table = written_table({{0.0, 0.5}, {1, 2}, {-1, -0.0}});
  const std::string bytes =
      array_of({Quantity::time, Quantity::torque}, table, folder.path("tau.npy"));
  const std::string head = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }";
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(bytes.substr(10, 118), head + std::string(117 - head.size(), ' ') + "\n");
  ASSERT_EQ(bytes.size(), 128 + 4 * 3 * sizeof(double));
  const std::vector<double> rows{0, 1, -1, 0.5, 2, 0.0};
  const auto* const first = reinterpret_cast<const char*>(rows.data());  // NOLINT: its bytes
  EXPECT_EQ(bytes.substr(128, 48), std::string(first, 48));
  EXPECT_EQ(bytes.substr(176), std::string(first, 48));
}

TEST(TableWriter, WritesNamesIntoAnArrayWhereTheOrderDoesNotTell) {
  const Folder folder;
  const Table table = written_table({{1}, {2}, {3}, {4}});
  const std::string bytes =
      array_of({Quantity::torque, Quantity::inertia_part}, table, folder.path("parts.npy"));
  EXPECT_EQ(bytes.find("{'descr': [('tau1', '<f8'), ('tau2', '<f8'), ('tau_inertia1', '<f8'), "
                       "('tau_inertia2', '<f8')], 'fortran_order': False, 'shape': (2,), }   "),
            10U);
  EXPECT_EQ((bytes.size() - 2 * 4 * sizeof(double)) % 64, 0U);
}

TEST(TableWriter, WritesTheLargestNamesInTheSecondVersion) {
  const Folder folder;
  OutputFile output(folder.path("wide.npy"));
  TableWriter writer(output);
  writer.add(Quantity::reaction, 700);
  std::string bytes;
  writer.append_header(bytes);
  EXPECT_EQ(bytes.substr(6, 2), std::string("\2\0", 2));
  EXPECT_EQ(bytes.size() % 64, 0U);
  EXPECT_NE(bytes.find("('n700z', '<f8')], 'fortran_order': False, 'shape': (0,), }"),
            std::string::npos);
}

TEST(TableWriter, WritesNoArrayToADevice) {
  const Folder folder;
  const std::string path = folder.path("null.npy");
  std::filesystem::create_symlink("/dev/null", path);
  EXPECT_EQ(message_of<FileError>([&] { OutputFile output(table_target(path)); }),
            "cannot write " + path +
                ": it is a pipe, device or descriptor, and a NumPy array begins with the number of "
                "its rows, "
                "which is known at the end; name a regular file, or one that does not end in "
                ".npy");
}

}  // namespace
}  // namespace armdyn
