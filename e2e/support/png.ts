import { inflateSync } from "node:zlib";

/** Pixels as four bytes each, row after row. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Reads a screenshot: 8 bits a channel, with or without alpha, not interlaced. */
export function readPng(file: Buffer): Pixels {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = file[25] === 6 ? 4 : 3;
  if (file[24] !== 8 || (file[25] !== 6 && file[25] !== 2) || file[28] !== 0)
    throw new Error("This is not a PNG of the kind that screenshots are.");
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const lines = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels);
  const data = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1)
      data[pixel * 4 + channel] = lines[pixel * channels + channel] ?? 0;
    data[pixel * 4 + 3] = 255;
  }
  return { data, width, height };
}

/** Takes back the filters of the PNG format, section 9.2 of its specification. */
function unfiltered(raw: Buffer, stride: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const left = x >= step ? (out[y * stride + x - step] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (out[(y - 1) * stride + x - step] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      out[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
