import * as oauth from "oauth4webapi";
import { PatchbayError } from "../../../contract/index.ts";
import { isLoopback } from "../../runtimes/setup-state.ts";
import { providerName, signInFailure } from "./failure.ts";
import type { Grant, SignInRequest } from "./types.ts";

/** Milliseconds that one answer of a provider may take. */
const ANSWER_MS = 15_000;

/** A provider as one sign-in needs it. */
export interface Provider {
  readonly name: string;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly auth: oauth.ClientAuth;
}

/**
 * The endpoints of a provider: those that the plugin gave, the others as its issuer describes them.
 *
 * @throws PatchbayError PROVIDER_UNREACHABLE, PROVIDER_FAILED, SETUP_INVALID
 */
export async function findProvider(request: SignInRequest, signal: AbortSignal): Promise<Provider> {
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

/** The provider of a grant that was given earlier. */
export function providerOf({ client, endpoints }: Grant): Provider {
  return {
    name: providerName(endpoints.token),
    server: {
      issuer: endpoints.issuer,
      token_endpoint: endpoints.token,
      ...(endpoints.revocation && { revocation_endpoint: endpoints.revocation }),
    },
    client: { client_id: client.id },
    auth: authOf(client.secret),
  };
}

/** Options for a request to an address: a time limit, and plain http only to this machine. */
export function requestOptions(address: string, signal: AbortSignal) {
  const { protocol, hostname } = new URL(address);
  return {
    signal: () => AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    [oauth.allowInsecureRequests]: protocol === "http:" && isLoopback(hostname),
  };
}

/** What the provider answered, with all that is needed later. */
export function grantOf(
  answer: oauth.TokenEndpointResponse,
  provider: Provider,
  request: { clientSecret?: string },
  now: number,
): Grant {
  const { server, client } = provider;
  return {
    accessToken: answer.access_token,
    ...(answer.refresh_token && { refreshToken: answer.refresh_token }),
    ...(answer.id_token && { idToken: answer.id_token }),
    tokenType: answer.token_type,
    ...(answer.scope && { scope: answer.scope }),
    ...(answer.expires_in !== undefined && { expiresAt: now + answer.expires_in * 1_000 }),
    client: { id: client.client_id, ...(request.clientSecret && { secret: request.clientSecret }) },
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

function authOf(secret: string | undefined): oauth.ClientAuth {
  return secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret);
}
