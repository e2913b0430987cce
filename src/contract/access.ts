import { z } from "zod";

/** What only the person at this machine may do; each is confirmed before it is done. */
export const personActSchema = z.enum([
  /** Installing or updating a plugin, with all that its consent card says. */
  "install",
  /** Writing all secrets into a file. */
  "backup",
  /** Setting or removing the passphrase of the stored secrets. */
  "passphrase",
  /** Changing what an agent may do without a question. */
  "policy",
  /** Letting the owners of a channel decide waiting calls from its chats. */
  "deciding",
  /** Giving a plugin more than it has. */
  "grant",
  /** Going on although something is known to be unsafe. */
  "risk",
  /** Allowing one call of a tool; asked of programs alone, because the screens show the call. */
  "run",
  /** Stopping an agent's turns at breakpoints, looking at what they are about, and changing it. */
  "pause",
  /** Opening one more screen. */
  "screen",
  /** Letting another program use the tools of an agent. */
  "program",
  /** Sending what happens in turns to another program or machine, each time it happens. */
  "send",
]);
export type PersonAct = z.infer<typeof personActSchema>;

/** `code`: the one that Patchbay shows in the terminal where it runs. `passphrase`: that of the stored secrets. */
export const confirmationWaySchema = z.enum(["code", "passphrase"]);
export type ConfirmationWay = z.infer<typeof confirmationWaySchema>;

/** Details of the error CONFIRMATION_NEEDED. No ways: nobody can be asked here. */
export const confirmationAskedSchema = z.object({
  act: personActSchema,
  ways: z.array(confirmationWaySchema),
});
export type ConfirmationAsked = z.infer<typeof confirmationAskedSchema>;

/** How a procedure is guarded: `when` looks at the input, which fits the procedure's schema. */
export interface PersonOnly {
  act: PersonAct;
  /** Absent: always. */
  when?(input: unknown): boolean;
  /** `programs`: asked only of those who come with the token of the command line. Default: of everybody. */
  of?: "programs";
}

/** What the contract says of a procedure besides its input and output. */
export interface ProcedureMeta {
  personOnly?: readonly PersonOnly[];
}

/** A browser's page, or a tab of it, that may talk to this Patchbay. */
export const screenSchema = z.object({
  id: z.string(),
  /** Browser and system, as the browser names them. */
  name: z.string(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime(),
  /** Without being used until then, it ends. */
  expiresAt: z.iso.datetime(),
  /** The one that asks. */
  current: z.boolean(),
});
export type Screen = z.infer<typeof screenSchema>;
