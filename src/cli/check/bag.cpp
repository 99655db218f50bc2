// armdyn check BAG: what is in this bag?

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "cli/check/answer.hpp"
#include "cli/options/verb_frame.hpp"
#include "io/file/output_file.hpp"
#include "io/table/bag_table.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

Ending check_bag(const CheckOptions& options) {
  const std::string& path = options.robot.robot;
  const BagContent content = survey_bag(path);
  FieldTable topics;
  std::uint64_t messages = 0;
  for (const BagTopic& topic : content.topics) {
    messages += topic.messages;
    const std::string rows(rows_of(topic));
    topics.rows.push_back({{"name", "topic", Value::word(in_one_line(topic.name))},
                           {"type", "type", Value::word(in_one_line(topic.type))},
                           {"encoding", "encoding", Value::word(in_one_line(topic.encoding))},
                           {"messages", "messages", Value::count(topic.messages)},
                           {"rate", "rate [Hz]", Value::number(topic.rate())},
                           {"rows", "read as", rows.empty() ? Value{} : Value::word(rows)}});
  }
  Document answer;
  answer.add("bag", Json(path));
  answer.add(fmt::format("{}: {}, {}", in_one_line(path), counted(topics.rows.size(), "topic"),
                         counted(messages, "message")));
  answer.add("topics", topics);
  answer.warnings = content.remarks;
  if (!options.plot.empty()) throw UsageError("check: --plot draws an arm, and a bag is none");
  OutputFile output(options.output.output);
  output.write(options.output.json ? json_of(answer) : in_lines(text_of(answer)));
  const auto page = report_of(answer, options.output);
  OutputFile::commit({page.get(), &output});
  if (!options.output.json) print_warnings(content.remarks);
  return options.strict && !content.remarks.empty() ? Ending::no : Ending::done;
}

}  // namespace armdyn
