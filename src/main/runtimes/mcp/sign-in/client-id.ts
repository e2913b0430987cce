import { createServer } from "node:net";
import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import type { HostServices } from "../../runtime.ts";
import { type FoundProvider, failedFetch } from "./find-provider.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

/** The port of the redirect address that a person registers by hand. */
const OWN_PORT = 47_813;
const path = "/callback";

/** As what Patchbay is known at a provider. */
export interface KnownAs {
  id: string;
  secret?: string;
  auth?: "post" | "basic";
  /** The port that the browser must come back to; absent: any. */
  port?: number;
  /** What this computer is called in the address to come back to; absent: 127.0.0.1. */
  host?: "localhost";
}

const knownSchema = z.object({
  id: z.string().min(1),
  secret: z.string().optional(),
  auth: z.enum(["post", "basic"]).optional(),
  port: z.number().int().optional(),
  /** Whether the provider made it for Patchbay, which can then have another. */
  registered: z.boolean(),
});

type Profiles = HostServices["credentials"];

/** The redirect address that a person registers by hand. */
export const ownRedirect = `http://127.0.0.1:${OWN_PORT}${path}`;

const registrationSchema = z.object({
  client_id: z.string().min(1).max(2_000),
  client_secret: z.string().max(4_000).optional(),
  token_endpoint_auth_method: z.string().optional(),
});

/** Client ids, kept for each provider by the name that it has for itself. */
export class ClientIds {
  readonly #profiles: Profiles;

  constructor(profiles: Profiles) {
    this.#profiles = profiles;
  }

  /** What was registered or entered before; undefined when that cannot be used any more. */
  async kept({ issuer }: Pick<FoundProvider, "issuer">): Promise<KnownAs | undefined> {
    const stored = (await this.#profiles.get(nameOf(issuer)))?.client;
    if (stored === undefined) return undefined;
    const { registered, ...known } = knownSchema.parse(JSON.parse(stored));
    // One that was made for a port that is taken by now is made again for another.
    if (registered && known.port !== undefined && !(await isFree(known.port))) return undefined;
    return known as KnownAs;
  }

  /** Keeps a client id that the person entered, whose redirect address is `ownRedirect`. */
  async enter(provider: FoundProvider, id: string, secret: string | undefined): Promise<KnownAs> {
    const known: KnownAs = { id, ...(secret && { secret, auth: provider.secretsBy }), port: OWN_PORT };
    await this.#keep(provider, known, false);
    return known;
  }

  /**
   * Has the provider register Patchbay (RFC 7591), with a redirect address at a port that is free now.
   *
   * @returns null when it does not register apps by itself
   * @throws PatchbayError PROVIDER_FAILED, PROVIDER_UNREACHABLE
   */
  async register(
    provider: FoundProvider,
    { fetch }: Pick<ProviderFetch, "fetch">,
    server: string,
  ): Promise<KnownAs | null> {
    const { registrationEndpoint: endpoint } = provider;
    if (endpoint === undefined) return null;
    const port = await freePort();
    let answer: Response;
    try {
      answer = await fetch(endpoint, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({
          client_name: "Patchbay",
          application_type: "native",
          redirect_uris: [`http://127.0.0.1:${port}${path}`],
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          token_endpoint_auth_method: "none",
        }),
      });
    } catch (error) {
      throw failedFetch(error, new URL(endpoint).host, server);
    }
    if (!answer.ok) return null;
    const parsed = registrationSchema.safeParse(await answer.json().catch(() => undefined));
    if (!parsed.success)
      throw new PatchbayError(
        "PROVIDER_FAILED",
        `${provider.host} registered Patchbay, but did not say under which client id.`,
      );
    const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = parsed.data;
    const auth = method === "client_secret_basic" ? "basic" : "post";
    const known: KnownAs = {
      id,
      ...(secret !== undefined && method !== "none" && { secret, auth }),
      port,
    };
    await this.#keep(provider, known, true);
    return known;
  }

  #keep({ issuer }: FoundProvider, known: KnownAs, registered: boolean): Promise<void> {
    // One text, because each value of a profile is hidden wherever it is seen, and a port or an id is no secret.
    return this.#profiles.set(nameOf(issuer), { client: JSON.stringify({ ...known, registered }) });
  }
}

function nameOf(issuer: string): string {
  return `client of ${issuer}`;
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer().once("error", reject);
  probe.listen(0, "127.0.0.1", () => {
    const place = probe.address();
    probe.close(() => resolve(typeof place === "object" && place ? place.port : OWN_PORT));
  });
  return promise;
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer().once("error", () => resolve(false));
  probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  return promise;
}
