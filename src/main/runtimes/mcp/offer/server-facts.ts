import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { ServerFacts } from "../../../../contract/index.ts";

/** As a server names itself; what of it cannot be read is left out. */
const namedSchema = z.object({
  name: z.string().catch(""),
  version: z.string().catch(""),
  title: z.string().optional().catch(undefined),
  websiteUrl: z.string().optional().catch(undefined),
});

/** Most characters of a name or a version. */
const MOST = 200;

/**
 * What a running server says of itself.
 *
 * @param icon judged
 * @param instructions what it tells agents, cut to what they are told
 */
export function serverFactsOf(
  client: Client,
  { icon, instructions, prompts }: { icon: string | null; instructions: string; prompts: readonly string[] },
): ServerFacts {
  const named = namedSchema.parse(client.getServerVersion() ?? {});
  const website = named.websiteUrl && /^https:\/\/[^\s]+$/.test(named.websiteUrl) ? named.websiteUrl : null;
  return {
    name: named.name.slice(0, MOST),
    version: named.version.slice(0, MOST),
    title: named.title?.slice(0, MOST) ?? null,
    website: website !== null && website.length <= 2_000 ? website : null,
    icon,
    protocol: client.getNegotiatedProtocolVersion() ?? null,
    isModern: client.getProtocolEra() === "modern",
    instructions,
    prompts: prompts.slice(0, 200),
  };
}
