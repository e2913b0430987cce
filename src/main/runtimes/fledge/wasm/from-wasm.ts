import { z } from "zod";
import type { FromWasm } from "./wire.ts";

const fromWasm = z.discriminatedUnion("t", [
  z.object({ t: z.literal("message"), text: z.string() }),
  z.object({
    t: z.literal("request"),
    kind: z.enum(["exec", "store_set", "store_get", "metadata"]),
    text: z.string(),
  }),
  z.object({ t: z.literal("printed"), stream: z.enum(["stdout", "stderr"]), base64: z.string() }),
  z.object({ t: z.literal("warning"), text: z.string() }),
  z.object({ t: z.literal("ended"), code: z.number().int() }),
  z.object({ t: z.literal("failed"), message: z.string() }),
]);

/** The message in a line of the process, in which a module runs that may have broken out of its engine; null: none. */
export function readFromWasm(line: string): FromWasm | null {
  try {
    return fromWasm.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
