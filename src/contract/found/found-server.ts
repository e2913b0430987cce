import { z } from "zod";
import { pluginKeySchema } from "../plugin.ts";

/**
 * Something about an MCP server of another program that a person should know before they bring it. `what` is a name, a path or a
 * text of the other program's file; never a secret.
 */
export const foundNoteSchema = z.object({
  code: z.enum([
    /** An environment variable that its file refers to is not set here; `was` is how it stands there. */
    "unset",
    /** The other program asks for it, or keeps it where Patchbay cannot read it. */
    "asked",
    "env_file",
    "headers_helper",
    "command_input",
    "file_value",
    "auto_approve",
    /** Its folder to be started in; the person may grant it. */
    "folder",
    /** The same, where it is no folder of this computer, or one that holds the home folder. */
    "folder_not_offered",
    /** A variable that would change how every program runs. */
    "left_out",
    "secret_argument",
    "shell",
    "sandbox",
    /** How many of its tools are switched off there. */
    "tools_off",
    // Why it cannot be brought.
    "no_start",
    "socket",
    "websocket",
    "bad_address",
    "too_large",
  ]),
  what: z.string(),
  was: z.string().optional(),
});
export type FoundNote = z.infer<typeof foundNoteSchema>;
export type FoundNoteCode = FoundNote["code"];

/** What an MCP server of another program becomes here. */
export const foundServerSchema = z.object({
  /** How it is fetched or reached. */
  how: z.enum(["npm", "pypi", "oci", "bundle", "remote", "program"]),
  /** The programs whose files list it, by the names that people know. */
  clients: z.array(z.string()),
  files: z.array(z.string()),
  /** The whole command or address, with ‹names› for what is filled in. */
  command: z.string(),
  /** What is handed over or asked for; no values. `set`: its value is known and comes along. */
  inputs: z.array(z.object({ name: z.string(), secret: z.boolean(), set: z.boolean() })),
  notes: z.array(foundNoteSchema),
  /** The key that it gets unless another is given. */
  key: pluginKeySchema,
  /** Another plugin that has this key; null: it is free. */
  takenBy: z.string().nullable(),
});
export type FoundServer = z.infer<typeof foundServerSchema>;
