import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { attachedSchema, mostAttachments, mostPieceBytes, versionsSchema } from "../conversation/attached.ts";
import { foundSessionSchema, sessionEntrySchema, sessionSchema, traceEntrySchema } from "../turn.ts";
import { turnEventSchema } from "../turn-event.ts";
import { agentRef, done, oc, sessionRef } from "./refs.ts";

const fileFormat = z.enum(["markdown", "json"]);

export const sessions = {
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions" })
    .input(agentRef)
    .output(z.array(sessionSchema)),
  create: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions" })
    .input(agentRef.extend({ title: z.string().optional() }))
    .output(sessionSchema),
  /** Newest first, at most 50; without words all of them. */
  search: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/search" })
    .input(agentRef.extend({ words: z.string().max(500) }))
    .output(z.array(foundSessionSchema)),
  rename: oc
    .route({ method: "PATCH", path: "/agents/{agentId}/sessions/{sessionId}" })
    .input(sessionRef.extend({ title: z.string().trim().min(1).max(200) }))
    .output(sessionSchema),
  /** Puts a conversation to the top of lists, or takes it down from there. */
  pin: oc
    .route({ method: "PUT", path: "/agents/{agentId}/sessions/{sessionId}/pin" })
    .input(sessionRef.extend({ pinned: z.boolean() }))
    .output(sessionSchema),
  /**
   * The conversation as a file. `markdown`: to be read, as it stands now; `json`: every line of it, those of versions that were left, too.
   * Stored secrets are taken out.
   */
  export: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/export" })
    .input(sessionRef.extend({ format: fileFormat }))
    .output(z.file()),
  /** Writes the same file to the person's downloads folder. Works only where the core runs with a desktop. */
  save: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/save" })
    .input(sessionRef.extend({ format: fileFormat }))
    .output(z.object({ path: z.string() })),
  entries: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}" })
    .input(sessionRef)
    .output(z.array(sessionEntrySchema)),
  trace: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/trace" })
    .input(sessionRef)
    .output(z.array(traceEntrySchema)),
  close: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/close" })
    .input(sessionRef)
    .output(done),
  /** Stops what runs in it and removes it; it is kept for a while, see `removed`. */
  remove: oc
    .route({ method: "DELETE", path: "/agents/{agentId}/sessions/{sessionId}" })
    .input(sessionRef)
    .output(done),
  watch: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/events" })
    .input(sessionRef)
    .output(eventIterator(turnEventSchema)),
  /**
   * Takes a file for a later message, in pieces of at most 4 MiB: the first one begins it, each further one names it and where it goes on.
   * It is whole when `bytes` of it are there. What is never sent is dropped with the end of the app.
   */
  attach: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/attachments" })
    .input(
      sessionRef.extend({
        name: z.string().min(1).max(1_000),
        mimeType: z.string().max(200),
        /** Of the whole file. */
        bytes: z.coerce.number().int().min(0),
        piece: z.file().max(mostPieceBytes, "a piece has at most 4 MiB"),
        goesOn: z.object({ id: z.uuid(), at: z.coerce.number().int() }).optional(),
      }),
    )
    .output(z.object({ id: z.uuid(), received: z.number().int() })),
  /** A file that came with a message or went out with an answer, by its name in the session's folder. */
  file: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/files/{file}" })
    .input(sessionRef.extend({ file: z.string().min(1).max(300) }))
    .output(z.file()),
  /** Fetches a picture that a text of the conversation names, because the person wants to see it. Any other answer is refused. */
  picture: oc
    .route({ method: "POST", path: "/agents/{agentId}/picture" })
    // Whatever address is named is asked.
    .meta({ personOnly: [{ act: "grant", of: "programs" }] })
    .input(agentRef.extend({ url: z.string().max(8_000) }))
    .output(z.file()),
  /** The other versions of messages and answers that stand in the conversation now; only of those that have any. */
  versions: oc
    .route({ method: "GET", path: "/agents/{agentId}/sessions/{sessionId}/versions" })
    .input(sessionRef)
    .output(z.array(versionsSchema)),
  /**
   * Runs one turn (or a slash command) and streams it; the last event is `turn_ended` or `command`. `attachments`: files that were handed in
   * with `attach`, or that came with the message of `instead`. `instead`: the turn whose message this one takes the place of; it stays as
   * another version. A text may be empty where there are attachments.
   */
  prompt: oc
    .route({ method: "POST", path: "/agents/{agentId}/prompt" })
    .input(
      agentRef
        .extend({
          text: z.string().max(1_000_000),
          sessionId: z.string().optional(),
          attachments: z.array(attachedSchema).max(mostAttachments).optional(),
          instead: z.string().optional(),
        })
        .refine(({ text, attachments }) => text !== "" || (attachments?.length ?? 0) > 0, {
          error: "a message needs a text or an attachment",
          path: ["text"],
        }),
    )
    .output(eventIterator(turnEventSchema)),
  /** Runs the last turn once more where it failed or was stopped, without repeating its message; streams as `prompt` does. */
  retry: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/retry" })
    .input(sessionRef)
    .output(eventIterator(turnEventSchema)),
  /**
   * Goes on from an entry of the conversation's tree, when nothing runs in it any more. `before`: before it; a message's text is then
   * given back, to be written anew.
   */
  fork: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/fork" })
    .input(sessionRef.extend({ entryId: z.string(), at: z.enum(["before", "at"]) }))
    .output(z.object({ restore: z.string().nullable() })),
  /** Names an entry; null takes its name away. */
  label: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/label" })
    .input(sessionRef.extend({ entryId: z.string(), label: z.string().trim().min(1).max(200).nullable() }))
    .output(done),
  abort: oc
    .route({ method: "POST", path: "/agents/{agentId}/sessions/{sessionId}/abort" })
    .input(sessionRef)
    .output(done),
};
