#pragma once

#include <span>
#include <string>
#include <string_view>

namespace armdyn {

struct ZipMember {
  std::string name;  ///< with slashes
  std::string_view content;
};

/// A ZIP archive of these files, deflated, dated 1980, of the same bytes for the same files. Throws
/// Error where it would have 4 GiB or more.
[[nodiscard]] std::string zip_of(std::span<const ZipMember> members);

}  // namespace armdyn
