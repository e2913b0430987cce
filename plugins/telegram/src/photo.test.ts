import { expect, test } from "vitest";
import { fitsAsPhoto, pictureSize } from "./photo.ts";

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));

test.each([
  ["a PNG", "89504e470d0a1a0a 0000000d49484452 00000320 00000258", 800, 600],
  ["a JPEG", "ffd8 ffe00004 0000 ffc0 0011 08 0258 0320 03", 800, 600],
  [
    "a progressive JPEG after a table and fill bytes",
    "ffd8 ffc40003 00 ff ffc2 0011 08 0258 0320 03",
    800,
    600,
  ],
  ["a lossy WebP", "52494646 00000000 57454250 56503820 00000000 000000 9d012a 2003 5802", 800, 600],
  ["a lossless WebP", "52494646 00000000 57454250 5650384c 00000000 2f 1fc39500", 800, 600],
  ["an extended WebP", "52494646 00000000 57454250 56503858 0a000000 00000000 1f0300 570200", 800, 600],
])("the size of %s is read", (_what, bytes, width, height) => {
  expect(pictureSize(hex(bytes))).toEqual({ width, height });
});

test.each(["", "ffd8", "ffd8 ffe0 ffff", "89504e47 0d0a", "52494646 00000000 57454250", "474946383961"])(
  "of %s, which is broken or something else, none is",
  (bytes) => {
    expect(pictureSize(hex(bytes))).toBeNull();
  },
);

test.each([
  ["image/png", 10, true],
  ["image/gif", 10, false],
  ["text/plain", 10, false],
  ["image/jpeg", 10 * 1024 * 1024 + 1, false],
])("a file of the type %s with %i bytes and an unknown size: %s", (type, bytes, fits) => {
  expect(fitsAsPhoto(type, new Uint8Array(bytes))).toBe(fits);
});
