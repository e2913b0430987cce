import { z } from "zod";

const text = z.string().nullish();
const time = z.number();

export const aboutSchema = z.looseObject({ mode: text, version: text });
/** What only a signal-cli-rest-api says of itself, and no other server at the same port. */
export const bridgeSchema = z.object({
  versions: z.array(z.string()).min(1),
  build: z.number(),
  mode: z.string().min(1),
  version: text,
});
export const accountsSchema = z.array(z.string());
export const linkSchema = z.object({ device_link_uri: z.string().min(1) });
/** The timestamp has 64 bits on the wire, so it is kept as text. */
export const sentSchema = z.object({ timestamp: z.union([z.string(), z.number()]).transform(String) });
export const problemSchema = z.object({ error: text, challenge_tokens: z.array(z.string()).nullish() });

const dataSchema = z.object({
  timestamp: time.nullish(),
  message: text,
  viewOnce: z.boolean().nullish(),
  groupInfo: z.object({ groupId: z.string(), type: text }).nullish(),
  mentions: z
    .array(
      z.object({
        number: text,
        uuid: text,
        name: text,
        start: z.number().int().nonnegative(),
        length: z.number(),
      }),
    )
    .nullish(),
  quote: z
    .object({ id: z.number(), author: text, authorUuid: text, authorNumber: text, text: text })
    .nullish(),
  attachments: z
    .array(
      z.object({
        id: z.string(),
        contentType: text,
        filename: text,
        size: z.number().nullish(),
        /** Newer bridges say it (signal-cli pull request 2100). */
        isVoiceNote: z.boolean().nullish().catch(null),
      }),
    )
    .nullish(),
  reaction: z.unknown().optional(),
  remoteDelete: z.unknown().optional(),
});
export type DataMessage = z.infer<typeof dataSchema>;

export const envelopeSchema = z.object({
  source: text,
  sourceNumber: text,
  sourceUuid: text,
  sourceName: text,
  sourceDevice: z.number().nullish(),
  timestamp: time,
  dataMessage: dataSchema.nullish(),
  editMessage: z.object({ targetSentTimestamp: time, dataMessage: dataSchema }).nullish().catch(undefined),
  syncMessage: z.unknown().optional(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** One frame of the receiving socket. */
export const frameSchema = z.object({
  account: text,
  envelope: envelopeSchema.optional(),
  exception: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type Frame = z.infer<typeof frameSchema>;

/** The id of a group as it must be written for sending. Received messages use another form of the same id. */
export function groupRecipient(internalId: string): string {
  return `group.${Buffer.from(internalId).toString("base64")}`;
}

/** The form in which ids of people and groups are compared. */
export function normalId(id: string): string {
  if (id.startsWith("group.")) return id;
  if (/^[A-Za-z0-9+/]{43}=$/.test(id)) return groupRecipient(id);
  return id.startsWith("+") ? `+${id.replace(/\D/g, "")}` : id.toLowerCase();
}
