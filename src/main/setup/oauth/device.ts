import * as oauth from "oauth4webapi";
import { PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { isSafeAddress } from "../../runtimes/setup-state.ts";
import { refusal, signInFailure } from "./failure.ts";
import { grantOf, type Provider, requestOptions } from "./provider.ts";
import type { Grant, SignIn, SignInRequest } from "./types.ts";

/** Pause between two questions when the provider names none, and what `slow_down` adds (RFC 8628), milliseconds. */
const PAUSE_MS = 5_000;
/** After this many failures in a row of the network the sign-in has failed. */
const MOST_FAILURES = 5;

/**
 * Signs in with a code that the person types at the provider's page, on any machine (RFC 8628).
 *
 * @throws PatchbayError PROVIDER_UNREACHABLE, PROVIDER_FAILED, SIGN_IN_FAILED, SETUP_INVALID
 */
export async function signInByDevice(
  request: SignInRequest,
  provider: Provider,
  clock: Clock,
  signal: AbortSignal,
): Promise<SignIn> {
  const { server, client, auth, name } = provider;
  const { device_authorization_endpoint: endpoint } = server;
  if (!endpoint) throw new PatchbayError("SETUP_INVALID", `${name} offers no sign-in by code.`);
  const code = await begin(endpoint);
  const page = code.verification_uri_complete ?? code.verification_uri;
  if (!isSafeAddress(page)) {
    throw new PatchbayError("PROVIDER_FAILED", `${name} wants to open an address that is not https.`);
  }
  const expiresAt = clock.now() + code.expires_in * 1_000;
  const ended = new AbortController();
  const { promise: result, resolve, reject } = Promise.withResolvers<Grant>();
  result.catch(() => {});
  let cancel: () => void = () => {};
  let pause = code.interval === undefined ? PAUSE_MS : code.interval * 1_000;
  let failures = 0;

  async function begin(address: string): Promise<oauth.DeviceAuthorizationResponse> {
    try {
      const parameters = {
        ...request.parameters,
        ...(request.scopes && { scope: request.scopes.join(" ") }),
      };
      const options = requestOptions(address, signal);
      const response = await oauth.deviceAuthorizationRequest(server, client, auth, parameters, options);
      return await oauth.processDeviceAuthorizationResponse(server, client, response);
    } catch (error) {
      throw signInFailure(error, name);
    }
  }

  function schedule(): void {
    if (ended.signal.aborted) return;
    if (clock.now() >= expiresAt) {
      reject(refusal("expired_token", undefined, name));
      return;
    }
    cancel = clock.after(Math.min(pause, Math.max(0, expiresAt - clock.now())), () => void ask());
  }

  async function ask(): Promise<void> {
    try {
      const options = requestOptions(server.token_endpoint ?? "", ended.signal);
      const response = await oauth.deviceCodeGrantRequest(server, client, auth, code.device_code, options);
      const answer = await oauth.processDeviceCodeResponse(server, client, response);
      resolve(grantOf(answer, provider, request, clock.now()));
    } catch (error) {
      if (isPatience(error)) {
        failures = 0;
        if (error.error === "slow_down") pause += PAUSE_MS;
        return schedule();
      }
      const failure = signInFailure(error, name);
      failures += 1;
      const passing = failure.code === "PROVIDER_UNREACHABLE" || failure.code === "PROVIDER_FAILED";
      if (passing && failures < MOST_FAILURES) return schedule();
      reject(failure);
    }
  }

  schedule();
  return {
    way: "device",
    url: page,
    userCode: code.user_code,
    expiresAt,
    result,
    async close() {
      cancel();
      const stopped = new PatchbayError("ABORTED", "The sign-in was stopped.");
      ended.abort(stopped);
      reject(stopped);
    },
  };
}

function isPatience(error: unknown): error is oauth.ResponseBodyError {
  return (
    error instanceof oauth.ResponseBodyError &&
    (error.error === "authorization_pending" || error.error === "slow_down")
  );
}
