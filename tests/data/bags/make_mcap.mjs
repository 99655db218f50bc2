// Writes one file with @mcap/core, as make_bags.py says on standard input.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { McapWriter } from "@mcap/core";

const job = JSON.parse(readFileSync(0, "utf8"));
const parts = [];
let size = 0n;
const writable = {
  position: () => size,
  write: async (bytes) => {
    parts.push(Uint8Array.from(bytes));
    size += BigInt(bytes.byteLength);
  },
};
const compressChunk = (data) =>
  job.compression === "none"
    ? { compression: "", compressedData: data }
    : {
        compression: job.compression,
        compressedData: execFileSync(job.compression, ["-q", "-c"], { input: data }),
      };
const writer = new McapWriter({
  writable,
  useChunks: job.chunks,
  chunkSize: 4096,
  compressChunk,
  useStatistics: job.index,
  useSummaryOffsets: job.index,
  useChunkIndex: job.index,
  useMessageIndex: job.index,
  repeatSchemas: job.index,
  repeatChannels: job.index,
});
await writer.start({ profile: "ros2", library: "@mcap/core" });
const channels = new Map();
let sequence = 0;
for (const { topic, type, time, data } of job.messages) {
  if (!channels.has(topic)) {
    const schemaId = await writer.registerSchema({
      name: type, encoding: "ros2msg", data: new TextEncoder().encode("# as the type says\n"),
    });
    channels.set(topic, await writer.registerChannel({
      topic, schemaId, messageEncoding: job.encoding ?? "cdr", metadata: new Map(),
    }));
  }
  const logTime = BigInt(time);
  await writer.addMessage({
    channelId: channels.get(topic), sequence: sequence++, logTime, publishTime: logTime,
    data: Buffer.from(data, "hex"),
  });
}
await writer.end();
writeFileSync(job.file, Buffer.concat(parts));
