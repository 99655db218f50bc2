#pragma once

// What a verb writes: files that it does not read, one for each option, and none of a person's.

#include <string>
#include <vector>

namespace armdyn {

/// An option that names a file to be written; empty: none.
struct NamedOutput {
  const char* option;
  const std::string* path;
  const bool* force;  ///< of robot files and code, which replace a person's only by it; null: rows,
                      ///< a summary or a picture, which take no name of such a file
};

/// To be called once all names are there, before anything is read. Throws UsageError where two
/// outputs are one file, or where one is a person's; from here on no InputFile is one of them.
void claim(const std::vector<NamedOutput>& outputs);

/// By which code of armdyn's own is known, within its first lines: "by armdyn 1.0 from DIGEST".
[[nodiscard]] std::string own_line(const std::string& digest);

}  // namespace armdyn
