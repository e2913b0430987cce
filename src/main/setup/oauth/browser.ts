import * as oauth from "oauth4webapi";
import { PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { signInFailure } from "./failure.ts";
import { type Loopback, openLoopback, type Verdict } from "./loopback.ts";
import { grantOf, type Provider, requestOptions } from "./provider.ts";
import type { Grant, SignIn, SignInRequest } from "./types.ts";

/** The sign-in fails when the browser has not come back after this many milliseconds. */
export const BROWSER_MS = 10 * 60_000;

/**
 * Signs in with an authorization code, PKCE (RFC 7636, S256) and `state`. The listener on this machine is open before
 * the browser is (RFC 8252). A request with another `state` gets a page that says so, and changes nothing.
 *
 * @throws PatchbayError PORT_IN_USE, SETUP_INVALID
 */
export async function signInByBrowser(
  request: SignInRequest,
  provider: Provider,
  clock: Clock,
): Promise<SignIn> {
  const { authorization_endpoint: endpoint } = provider.server;
  if (!endpoint) throw new PatchbayError("SETUP_INVALID", `${provider.name} has no page to sign in at.`);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const ended = new AbortController();
  const { promise: result, resolve, reject } = Promise.withResolvers<Grant>();
  // A rejection must not count as unhandled while nobody awaits the result.
  result.catch(() => {});
  let back: URL | null = null;
  const loopback: Loopback = await openLoopback(request.redirect ?? {}, clock, (url) => {
    if (url.searchParams.get("state") !== state) return notOurs;
    // The first answer counts; a page that is loaded again says the same.
    if (!back) {
      back = url;
      exchange(url).then(resolve, (error: unknown) => reject(signInFailure(error, provider.name)));
    }
    return url.searchParams.has("error") ? refused(provider.name) : arrived;
  });
  const stopClock = clock.after(BROWSER_MS, () => {
    reject(new PatchbayError("SIGN_IN_TIMEOUT", "The browser did not come back from the sign-in."));
    void loopback.close();
  });

  async function exchange(url: URL): Promise<Grant> {
    stopClock();
    const { server, client, auth } = provider;
    refuseOtherIssuer(url, provider);
    const parameters = oauth.validateAuthResponse(server, client, url, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      parameters,
      loopback.redirectUri,
      verifier,
      requestOptions(server.token_endpoint ?? endpoint ?? "", ended.signal, provider.bound),
    );
    const answer = await oauth.processAuthorizationCodeResponse(server, client, response);
    return grantOf(answer, provider, request, clock.now());
  }

  const url = new URL(endpoint);
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  for (const [name, value] of Object.entries({
    ...request.parameters,
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: loopback.redirectUri,
    ...(request.scopes && { scope: request.scopes.join(" ") }),
    ...(provider.bound && { resource: provider.bound.resource }),
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  })) {
    url.searchParams.set(name, value);
  }
  return {
    way: "browser",
    url: url.href,
    expiresAt: clock.now() + BROWSER_MS,
    result,
    async close() {
      stopClock();
      const stopped = new PatchbayError("ABORTED", "The sign-in was stopped.");
      reject(stopped);
      ended.abort(stopped);
      await loopback.close();
    },
  };
}

/**
 * Refuses an answer of another provider than the one that was asked (RFC 9207), whose words are not to be believed either.
 *
 * @throws PatchbayError PROVIDER_FAILED
 */
function refuseOtherIssuer({ searchParams }: URL, { name, server, bound }: Provider): void {
  if (!bound) return;
  const iss = searchParams.get("iss");
  const isMissing = iss === null && server.authorization_response_iss_parameter_supported === true;
  if (!isMissing && (iss === null || iss === server.issuer)) return;
  const what = isMissing ? "the answer does not say whose it is" : "the answer is another provider's";
  throw new PatchbayError(
    "PROVIDER_FAILED",
    `The sign-in of ${name} does not check out (${what}). No token was sent.`,
  );
}

const arrived: Verdict = {
  title: "You are back",
  text: "Go back to Patchbay; this page can be closed.",
  ok: true,
};
const notOurs: Verdict = {
  title: "Not this sign-in",
  text: "This page belongs to another sign-in, perhaps an older one. Use the page that Patchbay opened last.",
  ok: false,
};
const refused = (provider: string): Verdict => ({
  title: "Not signed in",
  text: `${provider} did not sign you in. Patchbay says why.`,
  ok: false,
});
