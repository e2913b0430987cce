import { z } from "zod";

/** What the store says of the app that has it open: how it is reached. */
export const gatewayFileSchema = z.object({
  /** Without a slash at the end: `http://127.0.0.1:49152`. */
  url: z.url(),
  token: z.string(),
  pid: z.number().int(),
});
export type GatewayFile = z.infer<typeof gatewayFileSchema>;
