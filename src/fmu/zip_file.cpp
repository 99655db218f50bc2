#include "fmu/zip_file.hpp"

#include <zlib.h>
#include <armdyn/error.hpp>

#include <cstdint>
#include <limits>

namespace armdyn {

namespace {

/// Little-endian numbers of two or four bytes.
void put(std::string& bytes, std::uint64_t value, int count) {
  for (int k = 0; k < count; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xff);
}

std::string deflated(std::string_view content) {
  z_stream stream{};
  constexpr int without_header = -15;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, without_header, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error("zlib could not begin to compress");
  }
  std::string bytes(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int status = deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw Error("zlib could not compress");
  return bytes;
}

}  // namespace

std::string zip_of(std::span<const ZipMember> members) {
  std::string archive, directory;
  for (const auto& [name, content] : members) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max() / 2;
    if (content.size() > most || archive.size() > most) throw Error("too much for a ZIP archive");
    const std::string packed = deflated(content);
    std::string header;          // what a member and the directory have in common
    put(header, 20, 2);          // version needed: deflate
    put(header, 0x0800, 2);      // names in UTF-8
    put(header, 8, 2);           // deflate
    put(header, 0x00210000, 4);  // 1980-01-01
    put(header,
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())),
        4);
    put(header, packed.size(), 4);
    put(header, content.size(), 4);
    put(header, name.size(), 2);
    put(header, 0, 2);  // no extra field
    put(directory, 0x02014b50, 4);
    put(directory, 0x0314, 2);  // made on Unix, which reads the mode below
    directory += header;
    put(directory, 0, 6);                             // no comment, disk 0, no text
    put(directory, std::uint64_t{0100644} << 16, 4);  // mode
    put(directory, archive.size(), 4);
    directory += name;
    put(archive, 0x04034b50, 4);
    for (const std::string& part : {header, name, packed}) archive += part;
  }
  const std::size_t begin = archive.size();
  archive += directory;
  put(archive, 0x06054b50, 4);
  put(archive, 0, 4);  // disk 0
  put(archive, members.size(), 2);
  put(archive, members.size(), 2);
  put(archive, directory.size(), 4);
  put(archive, begin, 4);
  put(archive, 0, 2);  // no comment
  return archive;
}

}  // namespace armdyn
