#include "cli/options/row_job.hpp"

#include "cli/options/verb_frame.hpp"
#include "io/file/output_file.hpp"

namespace armdyn {

void print(const RowJob::Said& said) {
  if (!said.is_answer) {
    say_summary(said.text, said.is_json);
    return;
  }
  write_file("-", said.text);
}

}  // namespace armdyn
