import { createServer } from "node:net";
import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import { systemClock } from "../../../base/clock.ts";
import type { HostServices } from "../../runtime.ts";
import type { ClientAuth } from "../../setup-state.ts";
import { type FoundProvider, failedFetch } from "./find-provider.ts";
import { ownDocument } from "./own-document.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

/** The port of the redirect address that a person registers by hand. */
const OWN_PORT = 47_813;
const path = "/callback";

/** As what Patchbay is known at a provider. */
export interface KnownAs {
  id: string;
  secret?: string;
  auth?: ClientAuth;
  /** The port that the browser must come back to; absent: any. */
  port?: number;
  /** What this computer is called in the address to come back to; absent: 127.0.0.1. */
  host?: "localhost";
}

const knownSchema = z.object({
  id: z.string().min(1),
  secret: z.string().optional(),
  auth: z.enum(["post", "basic", "key"]).optional(),
  port: z.number().int().optional(),
  /** Whether the provider made it for Patchbay, which can then have another. */
  registered: z.boolean(),
  /** When its secret is no good any more, milliseconds since 1970. */
  until: z.number().optional(),
});
type Kept = z.infer<typeof knownSchema>;

type Profiles = HostServices["credentials"];

/** As what Patchbay may be known beside what it was given at the provider. */
export interface Otherwise {
  /** The client that came with the server; null: none. */
  given: (() => Promise<KnownAs>) | null;
  /** Address of the public document that describes Patchbay; null: there is none. */
  document: string | null;
  /** The server's host. */
  server: string;
  signal: AbortSignal;
}

/** The redirect address that a person registers by hand. */
export const ownRedirect = `http://127.0.0.1:${OWN_PORT}${path}`;

const registrationSchema = z.object({
  client_id: z.string().min(1).max(2_000),
  client_secret: z.string().max(4_000).optional(),
  client_secret_expires_at: z.number().nonnegative().optional().catch(undefined),
  token_endpoint_auth_method: z.string().optional(),
});

/** Client ids, kept for each provider by the name that it has for itself. */
export class ClientIds {
  readonly #profiles: Profiles;
  readonly #open: Set<string>;

  /** @param open clients with which a sign-in has begun and not come to its end, of all wizards since the app started */
  constructor(profiles: Profiles, open: Set<string>) {
    this.#profiles = profiles;
    this.#open = open;
  }

  /**
   * Makes Patchbay known at a provider: by what the person entered there, else by what came with the server, else by
   * the document, else by what the provider registered. That is registered anew when the last sign-in with it did not come to its
   * end: the provider may have forgotten it, and says so to the browser alone.
   *
   * @returns null when nothing of that can be, and the person has to enter a client id
   * @throws PatchbayError SETUP_FAILED for a faulty document, PROVIDER_FAILED, PROVIDER_UNREACHABLE
   */
  async known(
    provider: FoundProvider,
    through: Pick<ProviderFetch, "fetch">,
    { given, document, server, signal }: Otherwise,
  ): Promise<KnownAs | null> {
    const kept = await this.#kept(provider);
    if (kept && !kept.registered) return knownAs(kept);
    if (given) return given();
    if (document !== null && provider.takesDocuments)
      return { id: document, ...(await ownDocument(document, path, signal)) };
    const isOpen = kept !== undefined && this.#open.has(openName(provider, kept));
    const known =
      kept && !isOpen && (await isUsable(kept))
        ? knownAs(kept)
        : await this.#register(provider, through, server);
    if (known) this.#open.add(openName(provider, known));
    return known;
  }

  /** The machine account that the person entered for a provider, and for no other; null: none. */
  async account({ issuer }: FoundProvider): Promise<KnownAs | null> {
    const stored = (await this.#profiles.get(accountName(issuer)))?.client;
    return stored === undefined ? null : knownAs(knownSchema.parse(JSON.parse(stored)));
  }

  keepAccount({ issuer }: FoundProvider, account: KnownAs): Promise<void> {
    const client = JSON.stringify({ ...account, registered: false });
    return this.#profiles.set(accountName(issuer), { client });
  }

  /** Whether the person entered a client id, which comes before all others. */
  async isEntered(provider: FoundProvider): Promise<boolean> {
    return (await this.#kept(provider))?.registered === false;
  }

  /** A sign-in has come to its end with what Patchbay is known as. */
  async proved(provider: FoundProvider): Promise<void> {
    const kept = await this.#kept(provider);
    if (kept) this.#open.delete(openName(provider, kept));
  }

  /** Keeps a client id that the person entered, whose redirect address is `ownRedirect`. */
  async enter(provider: FoundProvider, id: string, secret: string | undefined): Promise<KnownAs> {
    const known: KnownAs = { id, ...(secret && { secret, auth: provider.secretsBy }), port: OWN_PORT };
    await this.#keep(provider, { ...known, registered: false });
    return known;
  }

  /**
   * Has the provider register Patchbay (RFC 7591), with a redirect address at a port that is free now.
   *
   * @returns null when it does not register apps by itself
   * @throws PatchbayError PROVIDER_FAILED, PROVIDER_UNREACHABLE
   */
  async #register(
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
          token_endpoint_auth_method: provider.takesPublic ? "none" : `client_secret_${provider.secretsBy}`,
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
    const { client_id: id, client_secret: secret, client_secret_expires_at: until = 0 } = parsed.data;
    const { token_endpoint_auth_method: method } = parsed.data;
    const auth = method === "client_secret_basic" ? "basic" : "post";
    const known: KnownAs = {
      id,
      ...(secret !== undefined && method !== "none" && { secret, auth }),
      port,
    };
    await this.#keep(provider, {
      ...known,
      registered: true,
      // In seconds, and 0 for one that holds for ever (RFC 7591).
      ...(known.secret !== undefined && until > 0 && { until: until * 1_000 }),
    });
    return known;
  }

  async #kept({ issuer }: FoundProvider): Promise<Kept | undefined> {
    const stored = (await this.#profiles.get(nameOf(issuer)))?.client;
    return stored === undefined ? undefined : knownSchema.parse(JSON.parse(stored));
  }

  #keep({ issuer }: FoundProvider, kept: Kept): Promise<void> {
    // One text, because each value of a profile is hidden wherever it is seen, and a port or an id is no secret.
    return this.#profiles.set(nameOf(issuer), { client: JSON.stringify(kept) });
  }
}

function knownAs({ id, secret, auth, port }: Kept): KnownAs {
  return {
    id,
    ...(secret !== undefined && { secret, ...(auth && { auth }) }),
    ...(port !== undefined && { port }),
  };
}

/** Whether a client that the provider made can be used once more. One whose port is taken is made again for another. */
async function isUsable({ until, port }: Kept): Promise<boolean> {
  if (until !== undefined && until <= systemClock.now()) return false;
  return port === undefined || isFree(port);
}

function openName({ issuer }: FoundProvider, { id }: KnownAs): string {
  return JSON.stringify([issuer, id]);
}

function accountName(issuer: string): string {
  return `account at ${issuer}`;
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
