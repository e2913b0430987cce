import { z } from "zod";

/** What a host asks at its door, in one line. */
const questionSchema = z.union([
  z.strictObject({
    connect: z.strictObject({ host: z.string().min(1).max(260), port: z.number().int().min(1).max(65_535) }),
  }),
  z.strictObject({ lookup: z.string().min(1).max(260) }),
  z.strictObject({
    records: z.strictObject({
      name: z.string().min(1).max(260),
      type: z.enum(["SRV", "TXT", "MX", "CNAME"]),
    }),
  }),
  z.strictObject({
    tried: z.strictObject({
      wall: z.enum(["files", "programs", "signals", "network"]),
      target: z.string().max(1_000),
    }),
  }),
]);
export type Question = z.infer<typeof questionSchema>;

/** Null for a line that is no question. */
export function parseQuestion(line: string): Question | null {
  try {
    const parsed = questionSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
