import * as oauth from "oauth4webapi";
import { PatchbayError } from "../../../contract/index.ts";
import { judgedFetch } from "../../platform/walls/network/judged-fetch.ts";
import { publicJudge } from "../../platform/walls/network/public-judge.ts";
import { smallAnswers } from "../../platform/walls/network/small-answers.ts";
import { type ClientAuth, isLoopback, type SignInProvider } from "../../runtimes/setup-state.ts";
import { byKey } from "./client-key.ts";
import { providerName, signInFailure } from "./failure.ts";
import type { Grant, SignInRequest, TokenRequest } from "./types.ts";

/** Milliseconds that one answer of a provider may take. */
const ANSWER_MS = 15_000;
/** Most bytes of one answer of a provider that a server named. */
const MOST_BYTES = 256 * 1_024;

/** A provider as one sign-in needs it. */
export interface Provider {
  readonly name: string;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly auth: oauth.ClientAuth;
  /** What its tokens are for; its own endpoints are then judged before each connection. Absent: anything. */
  readonly bound?: { resource: string; inside: string[]; clientAuth?: ClientAuth };
}

/**
 * The endpoints of a provider: those that the plugin gave, the others as its issuer describes them.
 *
 * @throws PatchbayError PROVIDER_UNREACHABLE, PROVIDER_FAILED, SETUP_INVALID
 */
export async function findProvider(request: SignInRequest, signal: AbortSignal): Promise<Provider> {
  if (request.provider) return knownProvider(request, request.provider);
  const address = request.issuer ?? request.authorizationEndpoint ?? request.tokenEndpoint;
  if (!address) throw new PatchbayError("SETUP_INVALID", "The plugin does not say where to sign in.");
  const name = providerName(address);
  const found = request.issuer === undefined ? undefined : await discover(request.issuer, name, signal);
  const server: oauth.AuthorizationServer = {
    ...(found ?? { issuer: new URL(address).origin }),
    ...(request.authorizationEndpoint && { authorization_endpoint: request.authorizationEndpoint }),
    ...(request.tokenEndpoint && { token_endpoint: request.tokenEndpoint }),
    ...(request.deviceAuthorizationEndpoint && {
      device_authorization_endpoint: request.deviceAuthorizationEndpoint,
    }),
    ...(request.revocationEndpoint && { revocation_endpoint: request.revocationEndpoint }),
  };
  if (!server.token_endpoint) {
    throw new PatchbayError("SETUP_INVALID", `The plugin does not say where ${name} gives out tokens.`);
  }
  return {
    name,
    server,
    client: { client_id: request.clientId },
    auth: authOf(request.clientSecret),
  };
}

/** A provider of which all was found out before. @throws PatchbayError SETUP_INVALID */
function knownProvider(request: SignInRequest, known: SignInProvider): Provider {
  const { issuer, answersWithIssuer, resource, inside, clientAuth, forItself = false } = known;
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint, clientId, clientSecret } = request;
  const name = providerName(issuer);
  if (!tokenEndpoint || (!authorizationEndpoint && !forItself))
    throw new PatchbayError("SETUP_INVALID", `Nothing says where ${name} gives out tokens.`);
  return {
    name,
    server: {
      issuer,
      ...(authorizationEndpoint && { authorization_endpoint: authorizationEndpoint }),
      token_endpoint: tokenEndpoint,
      ...(revocationEndpoint && { revocation_endpoint: revocationEndpoint }),
      authorization_response_iss_parameter_supported: answersWithIssuer,
    },
    client: { client_id: clientId },
    auth: authOf(clientSecret, clientAuth),
    bound: { resource, inside, ...(clientAuth && { clientAuth }) },
  };
}

/** The provider of a grant that was given earlier. */
export function providerOf({ client, endpoints, resource, inside = [] }: Grant): Provider {
  return {
    name: providerName(endpoints.token),
    server: {
      issuer: endpoints.issuer,
      token_endpoint: endpoints.token,
      ...(endpoints.revocation && { revocation_endpoint: endpoints.revocation }),
    },
    client: { client_id: client.id },
    auth: authOf(client.secret, client.auth),
    ...(resource !== undefined && {
      bound: { resource, inside, ...(client.auth && { clientAuth: client.auth }) },
    }),
  };
}

/**
 * Options for a request to an address: a time limit, and plain http only to this machine. Where the tokens are bound to a
 * resource, the request names it, and the address is judged: it must be on the public internet, or allowed by the person.
 */
export function requestOptions(address: string, signal: AbortSignal, bound?: Provider["bound"]) {
  const { protocol, hostname } = new URL(address);
  return {
    signal: () => AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    [oauth.allowInsecureRequests]: protocol === "http:" && isLoopback(hostname),
    ...(bound && {
      additionalParameters: { resource: bound.resource },
      [oauth.customFetch]: boundFetch(bound.inside),
    }),
  };
}

/** `fetch` for a provider that a server named: only to places that it may have, and only small answers. */
function boundFetch(inside: readonly string[]) {
  const judge = publicJudge(inside.map((origin) => new URL(origin)));
  const fetch = smallAnswers(judgedFetch(judge), MOST_BYTES);
  return (address: string, { method, headers, body, signal }: oauth.CustomFetchOptions<string, unknown>) =>
    fetch(address, {
      method,
      headers,
      ...((typeof body === "string" || body instanceof URLSearchParams) && { body }),
      ...(signal && { signal }),
    }).catch((cause: unknown) => {
      if (cause instanceof PatchbayError)
        throw new PatchbayError(
          "PROVIDER_FAILED",
          `The sign-in of ${new URL(address).host} does not check out (${cause.code === "HOST_NOT_ALLOWED" ? "it leads into your network" : "its answer is too large"}). No token was sent.`,
          { cause },
        );
      throw signal?.aborted ? cause : new TypeError("fetch failed", { cause });
    });
}

/** What the provider answered, with all that is needed later. Rights that it does not name are those that were asked for. */
export function grantOf(
  answer: oauth.TokenEndpointResponse,
  provider: Provider,
  request: TokenRequest,
  now: number,
): Grant {
  const { server, client, bound } = provider;
  const scope = answer.scope ?? request.scopes?.join(" ");
  return {
    accessToken: answer.access_token,
    ...(answer.refresh_token && { refreshToken: answer.refresh_token }),
    ...(answer.id_token && { idToken: answer.id_token }),
    tokenType: answer.token_type,
    ...(scope && { scope }),
    ...(answer.expires_in !== undefined && { expiresAt: now + answer.expires_in * 1_000 }),
    client: {
      id: client.client_id,
      ...(request.clientSecret && { secret: request.clientSecret }),
      ...(bound?.clientAuth && { auth: bound.clientAuth }),
    },
    ...(bound && { resource: bound.resource, inside: bound.inside }),
    endpoints: {
      issuer: server.issuer,
      token: server.token_endpoint ?? "",
      ...(server.revocation_endpoint && { revocation: server.revocation_endpoint }),
    },
  };
}

async function discover(
  issuer: string,
  name: string,
  signal: AbortSignal,
): Promise<oauth.AuthorizationServer> {
  const address = new URL(issuer);
  try {
    return await discoverAs("oidc", address, signal);
  } catch (error) {
    // Plain OAuth 2.0 (RFC 8414) puts the description at another address than OpenID Connect.
    if (!(error instanceof oauth.OperationProcessingError)) throw signInFailure(error, name);
  }
  try {
    return await discoverAs("oauth2", address, signal);
  } catch (error) {
    throw signInFailure(error, name);
  }
}

async function discoverAs(
  algorithm: "oidc" | "oauth2",
  issuer: URL,
  signal: AbortSignal,
): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, {
    algorithm,
    ...requestOptions(issuer.href, signal),
  });
  return oauth.processDiscoveryResponse(issuer, response);
}

function authOf(secret: string | undefined, way: ClientAuth = "post"): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  switch (way) {
    case "post":
      return oauth.ClientSecretPost(secret);
    case "basic":
      return oauth.ClientSecretBasic(secret);
    case "key":
      return byKey(secret);
  }
}
