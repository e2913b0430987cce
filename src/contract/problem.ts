import { z } from "zod";
import { errorCodes, type Problem } from "./errors.ts";

export const problemSchema: z.ZodType<Problem> = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  help: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
