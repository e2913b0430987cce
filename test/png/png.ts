import { crc32, deflateSync } from "node:zlib";

/** A PNG of one colour. `sides`: what its head says of its size, where it is to lie. */
export function pngOf([red, green, blue]: [number, number, number], size = 64, sides = size): Buffer {
  const row = Buffer.concat([
    Buffer.from([0]),
    Buffer.concat(Array.from({ length: size }, () => Buffer.from([red, green, blue]))),
  ]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(sides, 0);
  head.writeUInt32BE(sides, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const body = Buffer.concat([Buffer.from(kind), content]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
