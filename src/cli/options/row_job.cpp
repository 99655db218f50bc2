#include "cli/options/row_job.hpp"

#include "io/file/output_file.hpp"
#include "report/say.hpp"

namespace armdyn {

void print(const RowJob::Said& said) {
  if (!said.is_answer) {
    say("{}", said.text);
    return;
  }
  OutputFile out("-");
  out.write(said.text);
  out.commit();
}

}  // namespace armdyn
