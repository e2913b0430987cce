import { expect, test } from "vitest";
import { minutesText, oggSecondsOf, soundKindOf } from "./sound.ts";

const page = (samples: bigint, content: string) => {
  const head = Buffer.alloc(27);
  head.write("OggS", 0, "latin1");
  head.writeBigInt64LE(samples, 6);
  return Buffer.concat([head, Buffer.from(content, "latin1")]);
};

test.each([
  ["OggS....", "audio/ogg", "ogg"],
  ["RIFF\0\0\0\0WAVE", "audio/wav", "wav"],
  ["fLaC", "audio/flac", "flac"],
  ["\0\0\0\x18ftypM4A ", "audio/mp4", "m4a"],
  ["\x1a\x45\xdf\xa3....", "audio/webm", "webm"],
  ["ID3\x04....", "audio/mpeg", "mp3"],
  ["\xff\xfb\x90d", "audio/mpeg", "mp3"],
  ["\xff\xf1\x50\x80", "audio/aac", "aac"],
])("%j is %s", (text, mimeType, ending) => {
  expect(soundKindOf(Buffer.from(text, "latin1"))).toEqual({ mimeType, ending });
});

test.each(["", "{}", "<html>", "#!AMR\n", "\x02#!SILK_V3"])("%j is no sound that is known", (text) => {
  expect(soundKindOf(Buffer.from(text, "latin1"))).toBeNull();
});

test("the length of Opus is counted in its last page", () => {
  expect(oggSecondsOf(Buffer.concat([page(0n, "OpusHead"), page(48_000n * 90n, "x")]))).toBe(90);
  for (const broken of [
    page(-1n, "OpusHead"),
    page(1n, "vorbis"),
    Buffer.from("OggSOpusHead").subarray(4),
    Buffer.alloc(0),
  ])
    expect(oggSecondsOf(broken)).toBeUndefined();
  expect([0, 9.6, 61, 3_600].map(minutesText)).toEqual(["0:00", "0:10", "1:01", "60:00"]);
});
