import { z } from "zod";
import {
  effectSchema,
  isPicture,
  PatchbayError,
  type RecordEvent,
  recordEventSchema,
  type SessionEntry,
  sessionEntrySchema,
  type TestPart,
  testPartSchema,
} from "../../../../contract/index.ts";
import type { SecretLookup } from "../../ports.ts";
import { encode } from "../../record/encode.ts";
import { addressOf } from "../../record/parts.ts";
import { whole } from "../../record/read-record.ts";
import { redactDeep } from "../../redact.ts";
import type { ReplayedSession } from "../recorded/replay-session.ts";
import { offerSchema, worldSchema } from "./world-schema.ts";

/** Version of the format. */
const version = 1;
/** Most bytes of a file. */
export const mostTestBytes = 8 * 1024 * 1024;
/** Most characters that its large parts may come to when they are put together; each also counts for `part` more. */
const mostWhole = 64 * 1024 * 1024;
const part = 2_000;

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** A turn that was kept as a test. Nothing in it is opened: what is called a path in it is a text. */
const testFileSchema = z.object({
  patchbayReplay: z.literal(version),
  name: z.string().max(200),
  keptAt: z.iso.datetime(),
  /** What has to be the same. */
  expect: z.array(testPartSchema).min(1).max(10),
  /** The turn as it stands in the record, large parts by their digests. */
  events: z.array(recordEventSchema).min(1).max(50_000),
  blobs: z.record(digest, z.string()),
  /** The conversation before the turn, and its own lines. */
  entries: z.array(sessionEntrySchema).max(100_000),
  /** The pictures among them: their names in the conversation, and their bytes in base64. */
  files: z.record(z.string().max(300), z.base64()),
});

/** What a replay of a kept turn needs. */
export interface KeptTurn extends ReplayedSession {
  name: string;
  expect: TestPart[];
  /** The lines of the turn's record. */
  lines: string[];
  getBlob(address: string): Promise<string | undefined>;
}

/** What a person would have to be the same, when they say nothing else. */
const usual: TestPart[] = ["calls", "decisions", "text"];

/**
 * A recorded turn as the text of a file, without stored secrets.
 * @throws PatchbayError PAYLOAD_TOO_LARGE
 */
export async function writeTestFile(
  turn: {
    name: string;
    keptAt: string;
    /** With their large parts put together. */
    events: readonly RecordEvent[];
    entries: readonly SessionEntry[];
    files: ReplayedSession["files"];
  },
  secrets: Pick<SecretLookup, "redact" | "hasNone">,
): Promise<string> {
  const blobs: Record<string, string> = {};
  const events = turn.events.map((event) => {
    const encoded = encode(event, secrets);
    for (const [address, text] of encoded.blobs) blobs[address] = text;
    return encoded.line;
  });
  const { name, keptAt } = turn;
  const entries = redactDeep(turn.entries, secrets);
  const files: Record<string, string> = {};
  for (const one of picturesIn(entries)) {
    const bytes = await turn.files.read(one).catch(() => undefined);
    if (bytes) files[one] = bytes.toString("base64");
  }
  const file: z.infer<typeof testFileSchema> = {
    patchbayReplay: version,
    name: secrets.redact(name).slice(0, 200),
    keptAt,
    expect: usual,
    events,
    blobs,
    entries: [...entries],
    files,
  };
  const text = `${JSON.stringify(file, null, 1)}\n`;
  if (Buffer.byteLength(text) > mostTestBytes)
    throw new PatchbayError(
      "PAYLOAD_TOO_LARGE",
      "This turn is too large to be kept as a test: more than 8 MiB.",
      {
        help: "Keep a shorter one, or one with fewer pictures before it.",
      },
    );
  return text;
}

/** @throws PatchbayError REPLAY_FILE_INVALID, with a sentence that says what is wrong */
export async function readTestFile(text: string): Promise<KeptTurn> {
  if (Buffer.byteLength(text) > mostTestBytes) throw invalid("The file is larger than 8 MiB.");
  const { name, expect, events, blobs, entries, files } = parsed(text);
  for (const [address, blob] of Object.entries(blobs))
    if (addressOf(blob) !== address) throw invalid("A part of the file is not what it was when it was kept.");
  const known = new Map(Object.entries(blobs));
  let left = mostWhole;
  const getBlob = async (address: string) => {
    const blob = known.get(address);
    left -= part + (blob?.length ?? 0);
    if (left < 0) throw invalid("The parts of the file are too large when they are put together.");
    return blob;
  };
  await check(events, getBlob);
  left = mostWhole;
  const pictures = new Map(Object.entries(files));
  return {
    name,
    expect,
    lines: events.map((event) => JSON.stringify(event)),
    getBlob,
    entries,
    files: {
      read: async (one) => {
        const bytes = pictures.get(one);
        return bytes === undefined ? undefined : Buffer.from(bytes, "base64");
      },
    },
  };
}

function parsed(text: string): z.infer<typeof testFileSchema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid("The file is no JSON, or only a part of it.");
  }
  const head = z.object({ patchbayReplay: z.number() }).safeParse(json);
  if (!head.success) throw invalid("The file is not a turn that Patchbay kept as a test.");
  if (head.data.patchbayReplay !== version)
    throw invalid(
      "The file was written by another version of Patchbay, in a format that this one does not read.",
    );
  const file = testFileSchema.safeParse(json);
  if (!file.success) throw invalid("The file was damaged or changed: a part of it is not what it has to be.");
  return file.data;
}

/** Checks what the events hold in their large parts, as far as a replay relies on it. */
async function check(
  events: readonly RecordEvent[],
  getBlob: (address: string) => Promise<string | undefined>,
): Promise<void> {
  const all = await whole(events, getBlob);
  const [begun, ...rest] = all;
  if (begun?.type !== "turn_begun" || all.at(-1)?.type !== "turn_ended")
    throw invalid("The file does not have a whole turn in it.");
  const isOne = rest.every(({ type, turnId }) => type !== "turn_begun" && turnId === begun.turnId);
  const isCounted = all.every(({ seq }, index) => seq === index);
  if (!isOne || !isCounted || !all.every(isReadable)) throw invalid("The turn in the file is damaged.");
}

const responseSchema = z.looseObject({
  role: z.literal("assistant"),
  content: z.array(z.looseObject({ type: z.string() })),
  stopReason: z.string(),
  usage: z.looseObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
  }),
});
const outputSchema = z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }).nullable();

function isReadable(event: RecordEvent): boolean {
  switch (event.type) {
    case "turn_begun":
      return worldSchema.safeParse(event.world).success;
    case "offer_changed":
      return offerSchema.safeParse(event.offer).success;
    case "model_answered":
      return responseSchema.safeParse(event.response).success;
    case "tool_answered":
      return outputSchema.safeParse(event.output ?? null).success;
    case "effects_asked":
      return z.array(effectSchema).safeParse(event.effects).success;
    default:
      return true;
  }
}

/** The names under which the pictures of messages are kept. */
function picturesIn(entries: readonly SessionEntry[]): Set<string> {
  const attachments = entries.flatMap((entry) => ("attachments" in entry ? (entry.attachments ?? []) : []));
  const shown = attachments.filter((one) => one.workspacePath === undefined && isPicture(one));
  return new Set(shown.map(({ file }) => file));
}

function invalid(message: string): PatchbayError {
  return new PatchbayError("REPLAY_FILE_INVALID", message);
}
