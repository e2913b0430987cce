import * as oauth from "oauth4webapi";
import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { AgentPlugins } from "../../registry/index.ts";
import { covers } from "../../runtimes/setup-state.ts";
import type { Vault } from "../../secrets/index.ts";
import { isOver, signInFailure } from "../oauth/failure.ts";
import { signInForItself } from "../oauth/for-itself.ts";
import { grantOf, type Provider, providerOf, requestOptions } from "../oauth/provider.ts";
import type { Grant } from "../oauth/types.ts";
import { readRecord } from "./record.ts";

/** A token is renewed this long before it expires, milliseconds. */
export const AHEAD_MS = 60_000;

const grantSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  idToken: z.string().optional(),
  tokenType: z.string(),
  scope: z.string().optional(),
  expiresAt: z.number().optional(),
  client: z.object({
    id: z.string(),
    secret: z.string().optional(),
    auth: z.enum(["post", "basic", "key"]).optional(),
  }),
  forItself: z.boolean().optional(),
  resource: z.string().optional(),
  inside: z.array(z.string()).optional(),
  endpoints: z.object({ issuer: z.string(), token: z.string(), revocation: z.string().optional() }),
});

export interface GrantsOptions {
  vault: Pick<Vault, "resolve" | "set" | "hide" | "hideInside">;
  agentPlugins: Pick<AgentPlugins, "get">;
  clock?: Clock;
}

/** The sign-ins of plugins after their setup: kept in the vault, renewed ahead of their expiry, revoked at the end. */
export class Grants {
  readonly #options: GrantsOptions;
  readonly #clock: Clock;
  /** One renewal at a time for each sign-in, because a refresh token may work only once. */
  readonly #renewals = new Map<string, Promise<Grant>>();
  readonly #ended = new AbortController();

  constructor(options: GrantsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * An access token that is valid now; renewed first when it is about to expire.
   *
   * @param refused the token that the service has just refused; it is not given again
   * @param sentTo the address that it is sent to, which must be the one that it is for
   * @throws PatchbayError CREDENTIALS_REFUSED when the person has to sign in again; PROVIDER_UNREACHABLE,
   * PROVIDER_FAILED
   */
  async token(agentId: string, key: string, refused?: string, sentTo?: string): Promise<string> {
    const place = `${agentId} ${key}`;
    const name = this.#nameOf(agentId, key);
    const grant = name && this.#read(name, agentId);
    if (!grant) throw signInAgain("Nobody has signed in for this plugin yet.");
    if (sentTo !== undefined && !isFor(grant, sentTo))
      throw signInAgain("The sign-in is for another address than the one that is set now.");
    const isFresh = grant.expiresAt === undefined || grant.expiresAt - AHEAD_MS > this.#clock.now();
    if (isFresh && refused !== grant.accessToken) return grant.accessToken;
    let renewal = this.#renewals.get(place);
    if (!renewal) {
      renewal = this.#renew(name, agentId, grant).finally(() => this.#renewals.delete(place));
      this.#renewals.set(place, renewal);
    }
    return (await renewal).accessToken;
  }

  /** Whether somebody has signed in for it. */
  has(agentId: string, key: string): boolean {
    return this.#nameOf(agentId, key) !== null;
  }

  /** The rights that its sign-in has, where the provider said so. @throws PatchbayError VAULT_CLOSED */
  scopes(agentId: string, key: string): string[] {
    const name = this.#nameOf(agentId, key);
    const grant = name ? this.#read(name, agentId) : null;
    return (grant?.scope ?? "").split(" ").filter((scope) => scope !== "");
  }

  /**
   * Revokes the sign-in at the provider, as far as that can be done. What is stored here stays.
   *
   * @throws PatchbayError VAULT_CLOSED, SHUTTING_DOWN when the app closes meanwhile
   */
  async revoke(agentId: string, key: string): Promise<void> {
    const name = this.#nameOf(agentId, key);
    const grant = name && this.#read(name, agentId);
    if (grant) await this.#revoke(grant);
  }

  /**
   * Tells the vault the tokens of the stored sign-in, so that it hides them in every text. Does nothing without a
   * sign-in.
   */
  learn(agentId: string, key: string): void {
    const name = this.#nameOf(agentId, key);
    if (name) this.#options.vault.hideInside(name, agentId, tokenFields);
  }

  /** Stops what is being asked of providers. */
  async close(): Promise<void> {
    this.#ended.abort(new PatchbayError("SHUTTING_DOWN", "Patchbay is closing."));
    await Promise.allSettled(this.#renewals.values());
  }

  async #renew(name: string, agentId: string, grant: Grant): Promise<Grant> {
    if (grant.refreshToken === undefined && !grant.forItself)
      throw signInAgain("The sign-in has expired and cannot be renewed.");
    const provider = providerOf(grant);
    let renewed: Grant;
    try {
      renewed = await this.#renewedAt(provider, grant);
    } catch (error) {
      if (isOver(error)) throw signInAgain(`${provider.name} does not accept the sign-in any more.`);
      throw signInFailure(error, provider.name);
    }
    this.#hide(renewed);
    await this.#options.vault.set(name, agentId, JSON.stringify(renewed));
    return renewed;
  }

  /** The same sign-in with a new token. @throws what the library and the network throw */
  async #renewedAt(provider: Provider, grant: Grant): Promise<Grant> {
    const { server, client, auth, bound } = provider;
    const { refreshToken = "", idToken, scope, client: known } = grant;
    const request = {
      ...(known.secret !== undefined && { clientSecret: known.secret }),
      ...(scope !== undefined && { scopes: scope.split(" ") }),
    };
    if (grant.forItself) return signInForItself(provider, request, this.#clock.now(), this.#ended.signal);
    const options = requestOptions(grant.endpoints.token, this.#ended.signal, bound);
    const response = await oauth.refreshTokenGrantRequest(server, client, auth, refreshToken, options);
    const answer = await oauth.processRefreshTokenResponse(server, client, response);
    return {
      refreshToken,
      ...(idToken && { idToken }),
      ...grantOf(answer, provider, request, this.#clock.now()),
    };
  }

  async #revoke(grant: Grant): Promise<void> {
    const { revocation } = grant.endpoints;
    if (!revocation) return;
    const { server, client, auth, bound } = providerOf(grant);
    const options = requestOptions(revocation, this.#ended.signal, bound);
    for (const token of [grant.refreshToken, grant.accessToken]) {
      if (!token) continue;
      // A provider that cannot be reached must not prevent signing out here.
      await oauth
        .revocationRequest(server, client, auth, token, options)
        .then(oauth.processRevocationResponse)
        .catch(() => this.#ended.signal.throwIfAborted());
    }
  }

  #nameOf(agentId: string, key: string): string | null {
    return readRecord(this.#options.agentPlugins.get(agentId, key)).finished?.grant ?? null;
  }

  #read(name: string, agentId: string): Grant | null {
    const stored = this.#options.vault.resolve(name, agentId);
    if (stored === undefined) return null;
    const parsed = grantSchema.safeParse(JSON.parse(stored));
    if (!parsed.success) return null;
    this.#hide(parsed.data);
    return parsed.data;
  }

  /** The vault hides the whole entry as one text; the tokens inside it must be hidden one by one, too. */
  #hide({ accessToken, refreshToken, idToken, client }: Grant): void {
    for (const value of [accessToken, refreshToken, idToken, client.secret]) {
      if (value) this.#options.vault.hide(value);
    }
  }
}

/** The fields of a stored sign-in that hold what must not be shown. */
const tokenFields = ["accessToken", "refreshToken", "idToken", "secret"];

/** Whether the tokens of a sign-in may be sent to an address: to what they are for, and below it. */
function isFor({ resource }: Grant, address: string): boolean {
  return resource !== undefined && covers(resource, address);
}

function signInAgain(message: string): PatchbayError {
  return new PatchbayError("CREDENTIALS_REFUSED", message);
}
