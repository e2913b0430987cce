/** A picture by its first bytes: its kind, and how large it is drawn, in pixels. */
export interface Picture {
  kind: "image/png" | "image/jpeg" | "image/webp";
  width: number;
  height: number;
}

/**
 * What the bytes are a picture of; null where they are none that is shown. Drawings (SVG) can hold code and are never taken,
 * and neither is one that does not say how large it is: a few bytes can stand for more pixels than there is memory.
 *
 * @param mostPixels of its width and of its height
 */
export function pictureIn(bytes: Buffer, mostPixels: number): Picture | null {
  const picture = pngIn(bytes) ?? jpegIn(bytes) ?? webpIn(bytes);
  if (picture === null) return null;
  const { width, height } = picture;
  const fits = width > 0 && height > 0 && width <= mostPixels && height <= mostPixels;
  return fits ? picture : null;
}

/** The picture as a `data:` address; undefined where it is none that is shown (see `pictureIn`). */
export function pictureAddress(bytes: Buffer, mostPixels: number): string | undefined {
  const picture = pictureIn(bytes, mostPixels);
  return picture === null ? undefined : `data:${picture.kind};base64,${bytes.toString("base64")}`;
}

const pngBegin = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

function pngIn(bytes: Buffer): Picture | null {
  if (bytes.length < 24 || !bytes.subarray(0, pngBegin.length).equals(pngBegin)) return null;
  return { kind: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Parts of a JPEG that begin a frame and say its size; 0xc4, 0xc8 and 0xcc are something else. */
const isFrame = (mark: number) => mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);

function jpegIn(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const mark = bytes[at + 1] as number;
    if (isFrame(mark))
      return { kind: "image/jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    // A part may be filled up in front; all others say how long they are.
    at += mark === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function webpIn(bytes: Buffer): Picture | null {
  if (bytes.length < 30 || bytes.toString("latin1", 0, 4) !== "RIFF") return null;
  const kind = "image/webp";
  switch (bytes.toString("latin1", 8, 16)) {
    case "WEBPVP8 ":
      return { kind, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "WEBPVP8L": {
      const bits = bytes.readUInt32LE(21);
      return { kind, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "WEBPVP8X":
      return { kind, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
