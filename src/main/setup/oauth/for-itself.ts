import * as oauth from "oauth4webapi";
import { grantOf, type Provider, requestOptions } from "./provider.ts";
import type { Grant, TokenRequest } from "./types.ts";

/**
 * Signs a client in for itself, with its secret or its key and without a person (RFC 6749, 4.4). It is renewed in the same way.
 *
 * @param now milliseconds since 1970
 * @throws what the library and the network throw; `failure.ts` puts it into words
 */
export async function signInForItself(
  provider: Provider,
  request: TokenRequest,
  now: number,
  signal: AbortSignal,
): Promise<Grant> {
  const { server, client, auth, bound } = provider;
  const { scopes = [] } = request;
  // The parameters of this request are its own: those of the options are for the other ways.
  const { additionalParameters, ...options } = requestOptions(server.token_endpoint ?? "", signal, bound);
  const parameters = { ...additionalParameters, ...(scopes.length > 0 && { scope: scopes.join(" ") }) };
  const response = await oauth.clientCredentialsGrantRequest(server, client, auth, parameters, options);
  const answer = await oauth.processClientCredentialsResponse(server, client, response);
  // What it would be renewed with otherwise is needless: the client can ask anew.
  const { refreshToken: _, ...grant } = grantOf(answer, provider, request, now);
  return { ...grant, forItself: true };
}
