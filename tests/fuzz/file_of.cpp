#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "fuzz/fuzz.hpp"

namespace armdyn::fuzz {

std::string file_of(std::string_view bytes, const std::string& ending) {
  namespace fs = std::filesystem;
  static const fs::path folder =
      fs::is_directory("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
  const fs::path path = folder / ("armdyn-fuzz-" + std::to_string(::getpid()) + ending);
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path.string();
}

}  // namespace armdyn::fuzz
