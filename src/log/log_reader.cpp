#include "log/log_reader.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <string_view>

#include "log/log_options.hpp"

namespace armdyn {

namespace {

std::vector<WantedGroup> wanted_columns(const LogOptions& log, const std::vector<Quantity>& also,
                                        const LogReader::Rates& needed) {
  const bool needs_time = !log.rate && (log.derive || log.resample || log.from_time || log.to_time);
  const std::string_view derive = "--derive takes qd and qdd from q over t";
  const auto rate = [&](Quantity quantity, bool is_needed) {
    return WantedGroup{quantity, is_needed && !log.derive ? Need::required : Need::optional,
                       derive};
  };
  std::vector<WantedGroup> wanted{{Quantity::time, needs_time ? Need::required : Need::optional},
                                  {Quantity::position, Need::required}};
  if (!log.smooth) {
    wanted.push_back(rate(Quantity::velocity, needed.qd));
    wanted.push_back(rate(Quantity::acceleration, needed.qdd));
  }
  for (const Quantity quantity : also) wanted.push_back({quantity, Need::optional});
  return wanted;
}

ColumnPlan plan_log(const LogOptions& options, const Header& header, const Robot& robot,
                    const std::vector<Quantity>& also, const LogReader::Rates& needed) {
  const ExtraColumns extra = options.ignore_extra ? ExtraColumns::ignore : ExtraColumns::refuse;
  ColumnPlan plan =
      plan_columns(header, robot, wanted_columns(options, also, needed), {extra, options.columns});
  if (options.gaps == Gaps::skip || options.gaps == Gaps::bridge) {
    plan.bad_rows = BadRows::leave_out;
  }
  return plan;
}

}  // namespace

LogReader::LogReader(const LogOptions& options, InputFile& input, const Robot& robot,
                     const std::vector<Quantity>& also, const Rates& needed)
    : file_(input.name()),
      reader_(input, {}, options.no_header ? HeaderLine::absent : HeaderLine::written),
      parsed_(plan_log(options, reader_.header(), robot, also, needed)),
      rows_(options, parsed_, robot, file_) {}

void LogReader::with_place(const Table& in, const std::function<void()>& work) const {
  try {
    work();
  } catch (const NotFinite& error) {
    throw NumericsError(fmt::format("{}:{}: {}", file_, in.lines[error.row()], error.what()));
  }
}

}  // namespace armdyn
