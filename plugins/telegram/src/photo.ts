/** Telegram's limits for a picture that is shown as one: bytes, width and height together in pixels, and how long it is. */
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_SIDES = 10_000;
const MOST_RATIO = 20;

/** Whether a file can be sent as a picture; any other goes as a document, which has no such limits. */
export function fitsAsPhoto(mimeType: string, bytes: Uint8Array): boolean {
  if (!/^image\/(jpeg|png|webp)$/.test(mimeType) || bytes.length > MOST_BYTES) return false;
  const size = pictureSize(bytes);
  // Telegram knows more of a picture than its first bytes tell, and says so when it refuses one.
  if (!size) return true;
  const { width, height } = size;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return short > 0 && width + height <= MOST_SIDES && long / short <= MOST_RATIO;
}

/** Width and height of a PNG, JPEG or WebP in pixels, from its header; null for anything else, or a broken one. */
export function pictureSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
    if (view.getUint16(0) === 0xffd8) return jpegSize(view);
    if (view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57454250) return webpSize(view);
    return null;
  } catch {
    // The file ends before its header does.
    return null;
  }
}

function jpegSize(view: DataView): { width: number; height: number } | null {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // Fill bytes and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    else at += 2 + view.getUint16(at + 2);
  }
}

function webpSize(view: DataView): { width: number; height: number } | null {
  switch (view.getUint32(12)) {
    case 0x56503820: // "VP8 "
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // "VP8L": 14 bits each, one less than the size
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // "VP8X"
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return null;
  }
}

const uint24 = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
