import { z } from "zod";
import type { HostServices } from "../../runtime.ts";
import type { RemoteServer } from "../connection/remote.ts";
import { type Filling, textOf } from "../server/parts.ts";
import type { KnownAs } from "./client-id.ts";
import { type FoundProvider, unsound } from "./find-provider.ts";

type Profiles = HostServices["credentials"];

const profile = "client of the server";
const usedSchema = z.object({ id: z.string(), issuer: z.string() });

/** The OAuth client that a server's description names, with the secret that the person has for it; null: it names none. */
export function givenClient(server: RemoteServer, filling: Filling): KnownAs | null {
  const [id, secret] = [server.clientId, server.clientSecret].map((part) =>
    part === undefined ? "" : textOf(part, filling).trim(),
  );
  if (!id) return null;
  const { redirectPort: port } = server;
  // What is known with a port was made with this name of the computer; without one every form is taken.
  return { id, ...(secret && { secret }), ...(port !== undefined && { port, host: "localhost" }) };
}

/**
 * The client as it is used at a provider. Its secret belongs to the provider of its first sign-in: a server that names another one
 * later does not get it sent there.
 *
 * @param host the server's
 * @throws PatchbayError PROVIDER_FAILED
 */
export async function clientAt(
  given: KnownAs,
  { issuer, secretsBy }: FoundProvider,
  { profiles, host }: { profiles: Profiles; host: string },
): Promise<KnownAs> {
  if (given.secret === undefined) return given;
  const stored = (await profiles.get(profile))?.used;
  const used = stored === undefined ? null : usedSchema.parse(JSON.parse(stored));
  if (used?.id === given.id && used.issuer !== issuer)
    throw unsound(host, `the secret of its client was for ${new URL(used.issuer).host}`);
  await profiles.set(profile, { used: JSON.stringify({ id: given.id, issuer }) });
  return { ...given, auth: secretsBy };
}
