import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import type { Fetch } from "../../../platform/walls/network/judged-fetch.ts";
import { covers, isSafeAddress } from "../../setup-state.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

const address = z.string().max(4_000).refine(isSafeAddress);
const scopes = z.array(z.string().min(1).max(500)).max(200);

/** What a server says of itself (RFC 9728). */
const resourceSchema = z.object({
  resource: z.string().max(4_000),
  authorization_servers: z.array(z.string().max(4_000)).max(50).optional().catch(undefined),
  scopes_supported: scopes.optional().catch(undefined),
});

/** What a provider says of itself (RFC 8414, OpenID Connect Discovery). */
const providerSchema = z.object({
  issuer: z.string().max(4_000),
  authorization_endpoint: address.optional(),
  token_endpoint: address,
  registration_endpoint: address.optional(),
  revocation_endpoint: address.optional(),
  scopes_supported: scopes.optional().catch(undefined),
  grant_types_supported: z.array(z.string()).optional().catch(undefined),
  code_challenge_methods_supported: z.array(z.string()).optional().catch(undefined),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
});

/** Who signs people in for a server. */
export interface FoundProvider {
  issuer: string;
  /** The provider as a person knows it: its host. */
  host: string;
  /** What tokens are for. */
  resource: string;
  /** The rights that the server lists as its own; undefined: it lists none. */
  scopes: string[] | undefined;
  /** Its tokens can be renewed while nobody is there (`offline_access`). */
  renews: boolean;
  /** The page that people sign in at. */
  authorizationEndpoint: string | undefined;
  tokenEndpoint: string;
  registrationEndpoint: string | undefined;
  revocationEndpoint: string | undefined;
  answersWithIssuer: boolean;
  /** It takes the address of a public document as a client id. */
  takesDocuments: boolean;
  /** It signs people in, in their browser. */
  signsPeople: boolean;
  /** It signs clients in for themselves, without a person (`client_credentials`); one that does not say what it does may. */
  signsMachines: boolean;
  /** It takes a client's signature instead of its secret (`private_key_jwt`). */
  takesKeys: boolean;
  /** It takes apps without a secret. */
  takesPublic: boolean;
  /** How it takes client secrets. */
  secretsBy: "post" | "basic";
}

/**
 * Finds out who signs people in for a server that refused a request: from what the refusal points to, else from the two
 * well-known places of the server. What is said there is not believed before it checks out: the resource must be the server,
 * the provider must name itself to the letter, and it must take PKCE with S256.
 *
 * @param pointed the address in the refusal (`resource_metadata`)
 * @returns null when the server says nothing about a sign-in
 * @throws PatchbayError PROVIDER_FAILED, PROVIDER_UNREACHABLE
 */
export async function findProvider(
  server: URL,
  pointed: URL | undefined,
  { fetch }: Pick<ProviderFetch, "fetch">,
): Promise<FoundProvider | null> {
  if (pointed && pointed.origin !== server.origin)
    throw unsound(server.host, "it points to the description of another host");
  const path = server.pathname === "/" ? "" : server.pathname.replace(/\/$/, "");
  const wellKnown = "/.well-known/oauth-protected-resource";
  const places = [
    ...new Set([pointed?.href, `${server.origin}${wellKnown}${path}`, server.origin + wellKnown]),
  ];
  let said: z.infer<typeof resourceSchema> | undefined;
  for (const place of places) {
    if (place === undefined) continue;
    const found = resourceSchema.safeParse(await jsonAt(fetch, place, server.host));
    if (!found.success) continue;
    said = found.data;
    break;
  }
  if (said && !covers(said.resource, server.href))
    throw unsound(server.host, "it is for another address than this server");
  // Servers before June 2025 have no such description and sign people in themselves.
  const issuer = said ? said.authorization_servers?.[0] : server.origin;
  if (issuer === undefined) return null;
  if (!isSafeAddress(issuer) || new URL(issuer).search !== "" || new URL(issuer).hash !== "")
    throw unsound(server.host, "the provider that it names is at no secure address");
  const provider = await providerAt(fetch, issuer, server.host);
  if (provider === null) {
    if (!said) return null;
    throw unsound(server.host, `${new URL(issuer).host} does not say how one signs in`);
  }
  if (provider.issuer !== issuer)
    throw unsound(server.host, "the provider calls itself otherwise than the server does");
  const grants = provider.grant_types_supported;
  const hasPage = provider.authorization_endpoint !== undefined;
  const signsPeople = hasPage && (grants?.includes("authorization_code") ?? true);
  const signsMachines = grants?.includes("client_credentials") ?? hasPage;
  if (!signsPeople && !signsMachines) throw withoutAddresses(server.host);
  if (signsPeople && !provider.code_challenge_methods_supported?.includes("S256"))
    throw unsound(server.host, "the provider does not protect the way back to Patchbay");
  const methods = provider.token_endpoint_auth_methods_supported;
  return {
    issuer,
    host: new URL(issuer).host,
    resource: said?.resource ?? server.href,
    scopes: said?.scopes_supported,
    renews: provider.scopes_supported?.includes("offline_access") ?? false,
    authorizationEndpoint: provider.authorization_endpoint,
    tokenEndpoint: provider.token_endpoint,
    registrationEndpoint: provider.registration_endpoint,
    revocationEndpoint: provider.revocation_endpoint,
    answersWithIssuer: provider.authorization_response_iss_parameter_supported ?? false,
    takesDocuments: provider.client_id_metadata_document_supported ?? false,
    signsPeople,
    signsMachines,
    takesKeys: methods?.includes("private_key_jwt") ?? true,
    takesPublic: methods?.includes("none") ?? true,
    // Every provider should take the header; the form is for those that say that they take it alone.
    secretsBy: secretsBy(methods),
  };
}

function secretsBy(methods: readonly string[] = []): "post" | "basic" {
  const isPost = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return isPost ? "post" : "basic";
}

/** The sentence for a sign-in that is not to be trusted. @param what it is, in a few words */
export function unsound(host: string, what: string, cause?: unknown): PatchbayError {
  return new PatchbayError(
    "PROVIDER_FAILED",
    `The sign-in of ${host} does not check out (${what}). No token was sent.`,
    cause === undefined ? {} : { cause },
  );
}

function withoutAddresses(host: string): PatchbayError {
  return unsound(host, "the provider's addresses are missing or not secure");
}

/** The description of a provider, from the three places in order; null where there is none. */
async function providerAt(
  fetch: Fetch,
  issuer: string,
  host: string,
): Promise<z.infer<typeof providerSchema> | null> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname.replace(/\/$/, "");
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of new Set(places)) {
    const found = await jsonAt(fetch, place, host);
    if (found === undefined) continue;
    const parsed = providerSchema.safeParse(found);
    if (parsed.success) return parsed.data;
    throw withoutAddresses(host);
  }
  return null;
}

/** The JSON at an address; undefined where there is none, or something else. */
async function jsonAt(fetch: Fetch, place: string, host: string): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(place, { headers: { accept: "application/json" } });
  } catch (error) {
    throw failedFetch(error, new URL(place).host, host);
  }
  if (answer.status >= 300 && answer.status < 400)
    throw unsound(host, `${new URL(place).host} sends on to another place`);
  if (answer.status !== 200) return undefined;
  return answer.json().catch(() => undefined);
}

/** What a person reads of a request to a provider that got no answer. @param at the provider's host, `of` the server's */
export function failedFetch(error: unknown, at: string, of: string): PatchbayError {
  if (!(error instanceof PatchbayError))
    return new PatchbayError("PROVIDER_UNREACHABLE", `${at}, where one signs in, did not answer.`, {
      cause: error,
    });
  switch (error.code) {
    case "HOST_NOT_ALLOWED":
      return unsound(of, `it leads to ${at}, which it may not reach`, error);
    case "PAYLOAD_TOO_LARGE":
      return unsound(of, `${at} answers with far too much`, error);
    default:
      return error;
  }
}
