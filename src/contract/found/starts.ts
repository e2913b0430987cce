import { z } from "zod";

/** What a command line does that a person should look at twice. */
export const commandRiskSchema = z.enum(["administrator", "removes", "loads", "mounts", "privileged"]);
export type CommandRisk = z.infer<typeof commandRiskSchema>;

/** How a plugin is started that is a program of its own, or where it is reached. Shown before a person agrees. */
export const startsSchema = z.object({
  way: z.enum(["program", "address"]),
  /** The whole command line or address, with ‹names› for what is filled in; never shortened. */
  command: z.string(),
  /** Names of the environment variables, or headers, that it is given. */
  given: z.array(z.string()),
  risks: z.array(commandRiskSchema),
  /** Its program may fetch it first, which takes a while at the first start. */
  fetches: z.boolean(),
  /** It takes whatever version is newest when it fetches it. Absent: it does not. */
  newest: z.literal(true).optional(),
  /** Secrets that stand in its command line, where other programs of this computer can read them. */
  openSecrets: z.array(z.string()),
  /** A program that it needs and that was not found, and the folders in which it was looked for. */
  missing: z.object({ program: z.string(), folders: z.array(z.string()) }).optional(),
});
export type Starts = z.infer<typeof startsSchema>;

/** Whether a host, with or without a port, is this computer itself. */
export function isThisComputer(host: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host);
}
