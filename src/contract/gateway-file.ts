import { z } from "zod";

/** `gateway.json` in the home folder: how to reach the running app. */
export const gatewayFileSchema = z.object({
  /** Without a slash at the end: `http://127.0.0.1:49152`. */
  url: z.url(),
  token: z.string(),
  pid: z.number().int(),
});
export type GatewayFile = z.infer<typeof gatewayFileSchema>;
