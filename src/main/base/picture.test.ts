import { expect, test } from "vitest";
import { pngOf } from "../../../test/png/png.ts";
import { pictureAddress, pictureIn } from "./picture.ts";

const png = pngOf([20, 120, 90], 8);
const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffc0001108000300050301", "hex");
const riff = (kind: string, rest: Buffer) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${kind}`), Buffer.alloc(4), rest, Buffer.alloc(16)]);

test.each<[string, Buffer, object]>([
  ["PNG", png, { kind: "image/png", width: 8, height: 8 }],
  ["JPEG", jpeg, { kind: "image/jpeg", width: 5, height: 3 }],
  [
    "JPEG with a filled part",
    Buffer.concat([jpeg.subarray(0, 20), Buffer.from([0xff]), jpeg.subarray(20)]),
    { kind: "image/jpeg", width: 5, height: 3 },
  ],
  [
    "WebP with loss",
    riff("VP8 ", Buffer.from("0000009d012a07000900", "hex")),
    { kind: "image/webp", width: 7, height: 9 },
  ],
  [
    "WebP without loss",
    riff("VP8L", Buffer.from("2f06000200", "hex")),
    { kind: "image/webp", width: 7, height: 9 },
  ],
  [
    "WebP with more",
    riff("VP8X", Buffer.from("00000000060000080000", "hex")),
    { kind: "image/webp", width: 7, height: 9 },
  ],
])("a %s says how large it is", (_name, bytes, picture) => {
  expect(pictureIn(bytes, 9)).toEqual(picture);
  expect(pictureIn(bytes, 4)).toBeNull();
});

test.each<[string, Buffer]>([
  ["a drawing", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="steal()"/>${" ".repeat(40)}`)],
  ["a page", Buffer.from(`<!doctype html><script>steal()</script>${" ".repeat(40)}`)],
  ["an animation", Buffer.from(`GIF89a${"\0".repeat(40)}`)],
  ["nothing", Buffer.alloc(0)],
  ["a JPEG that never says its size", Buffer.from("ffd8ffe00010", "hex")],
  ["a JPEG whose parts have no length", Buffer.from(`ffd8${"ffe00000".repeat(4)}`, "hex")],
  ["a PNG cut short", png.subarray(0, 20)],
  ["a PNG that unpacks to more pixels than there is memory", pngOf([0, 0, 0], 8, 60_000)],
  ["a PNG of no size", pngOf([0, 0, 0], 8, 0)],
])("%s is none", (_name, bytes) => {
  expect(pictureAddress(bytes, 2_048)).toBeUndefined();
});

test("a picture becomes an address by what it is, whatever it was called", () => {
  expect(pictureAddress(png, 2_048)).toBe(`data:image/png;base64,${png.toString("base64")}`);
});
