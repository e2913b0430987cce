/** What kind of sound some bytes are, as services and platforms name it. */
export interface SoundKind {
  mimeType: string;
  /** The ending of the file's name, by which services tell the format. */
  ending: string;
}

/** The kind of sound by its first bytes; null for what is not known. */
export function soundKindOf(bytes: Buffer): SoundKind | null {
  const at = (text: string, offset: number) =>
    bytes.subarray(offset, offset + text.length).toString("latin1") === text;
  if (at("OggS", 0)) return { mimeType: "audio/ogg", ending: "ogg" };
  if (at("RIFF", 0) && at("WAVE", 8)) return { mimeType: "audio/wav", ending: "wav" };
  if (at("fLaC", 0)) return { mimeType: "audio/flac", ending: "flac" };
  if (at("ftyp", 4)) return { mimeType: "audio/mp4", ending: "m4a" };
  if (bytes.length > 4 && bytes.readUInt32BE(0) === 0x1a45dfa3)
    return { mimeType: "audio/webm", ending: "webm" };
  // Frames of MPEG audio have a layer; those of AAC, which begin alike, have none.
  const isFrame = bytes.length > 2 && bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0;
  if (isFrame && ((bytes[1] ?? 0) & 0x06) === 0) return { mimeType: "audio/aac", ending: "aac" };
  if (at("ID3", 0) || isFrame) return { mimeType: "audio/mpeg", ending: "mp3" };
  return null;
}

/** Opus counts its samples at this rate, whatever the recording had. */
const OPUS_RATE = 48_000;

/** Seconds of an Ogg file with Opus in it, from the count in its last page; undefined for anything else. */
export function oggSecondsOf(bytes: Buffer): number | undefined {
  if (!bytes.subarray(0, 64).includes("OpusHead")) return undefined;
  const page = bytes.lastIndexOf("OggS");
  if (page < 0 || bytes.length < page + 14) return undefined;
  const samples = bytes.readBigInt64LE(page + 6);
  return samples < 0n ? undefined : Number(samples) / OPUS_RATE;
}

/** `0:12` */
export function minutesText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
