import * as oauth from "oauth4webapi";
import { PatchbayError } from "../../../contract/index.ts";

/** Words for what providers say in codes (RFC 6749, 7009, 8628), where they give no words of their own. */
const inWords: Readonly<Record<string, string>> = {
  access_denied: "access was not allowed",
  expired_token: "the code has expired",
  invalid_client: "it does not know this client id, or not with this secret",
  invalid_grant: "the sign-in is not valid any more",
  invalid_request: "it did not understand the request",
  invalid_scope: "it does not offer the access that the plugin asks for",
  server_error: "it has a problem of its own",
  temporarily_unavailable: "it is busy",
  unauthorized_client: "this plugin may not sign people in that way",
  unsupported_response_type: "it does not offer this way of signing in",
};

/** Turns any failure of a request to a provider into a PatchbayError with a sentence for the person. */
export function signInFailure(error: unknown, provider: string): PatchbayError {
  if (error instanceof PatchbayError) return error;
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return refusal(error.error, error.error_description, provider);
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    // Who names the client in a header is refused in a header, too (RFC 6749, 5.2).
    if (error.status === 401) return refusal("invalid_client", undefined, provider);
    return new PatchbayError("SIGN_IN_FAILED", `${provider} refused the request (${error.status}).`);
  }
  if (isNetworkFailure(error)) {
    return new PatchbayError("PROVIDER_UNREACHABLE", `${provider} did not answer.`, { cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new PatchbayError("PROVIDER_FAILED", `${provider} answered something that is no sign-in answer.`, {
    details: { reason },
    cause: error,
  });
}

/** @param code as in the answer of the provider, which may be anything */
export function refusal(code: string, description: string | undefined, provider: string): PatchbayError {
  const words = sentence(description) ?? inWords[code];
  const denied = code === "access_denied";
  const message = denied
    ? `${provider} did not let the plugin in${words ? `: ${words}` : ""}.`
    : `${provider} refused the sign-in${words ? `: ${words}` : ` (${code.slice(0, 100)})`}.`;
  return new PatchbayError(denied ? "SIGN_IN_DENIED" : "SIGN_IN_FAILED", message, {
    details: { error: code.slice(0, 200) },
  });
}

/** Whether the provider said that this grant is over, rather than being unable to answer. */
export function isOver(error: unknown): boolean {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error.status === 401;
  return (
    error instanceof oauth.ResponseBodyError &&
    ["invalid_grant", "invalid_client", "unauthorized_client", "access_denied"].includes(error.error)
  );
}

/** How an address is named to the person. */
export function providerName(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "The provider";
}

function sentence(text: string | undefined): string | undefined {
  const words = text
    ?.replace(/\s+/g, " ")
    .replace(/[.\s]+$/, "")
    .trim()
    .slice(0, 300);
  return words ? words : undefined;
}

function isNetworkFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "TimeoutError" || (error instanceof TypeError && error.message === "fetch failed");
}
