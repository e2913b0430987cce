import type { SignInWay } from "../../../contract/index.ts";
import type { SetupPluginState } from "../../runtimes/runtime.ts";
import type { ClientAuth } from "../../runtimes/setup-state.ts";

/** What a plugin asks to be signed in with. */
export type SignInRequest = Extract<SetupPluginState, { kind: "awaiting_oauth" }>;
/** What of that every request for tokens needs. `scopes`: absent: the rights that the client has anyway. */
export type TokenRequest = Pick<SignInRequest, "clientSecret" | "scopes">;

/** What a provider gave, with all that is needed to renew and revoke it. Kept in the vault. */
export interface Grant {
  accessToken: string;
  refreshToken?: string;
  idToken?: string;
  tokenType: string;
  scope?: string;
  /** Milliseconds since 1970. */
  expiresAt?: number;
  /** `secret`: the client's secret or, where `auth` is `key`, its private key. */
  client: { id: string; secret?: string; auth?: ClientAuth };
  /** The client signed in for itself, without a person, and does so again instead of renewing. */
  forItself?: boolean;
  /** What it is for (RFC 8707): the tokens are sent to this address and below it alone. Absent: where the plugin wants. */
  resource?: string;
  /** Origins of the provider that may be reached although they are not on the public internet. */
  inside?: string[];
  endpoints: { issuer: string; token: string; revocation?: string };
}

/** A sign-in that waits for the person. */
export interface SignIn {
  readonly way: SignInWay;
  /** The page to sign in at. */
  readonly url: string;
  readonly userCode?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** @throws PatchbayError SIGN_IN_DENIED, SIGN_IN_FAILED, SIGN_IN_TIMEOUT, PROVIDER_UNREACHABLE, PROVIDER_FAILED */
  readonly result: Promise<Grant>;
  /** Ends its listener and timers; `result` then rejects with ABORTED if it has not settled. */
  close(): Promise<void>;
}

/** How the wizard signs a person in; `sign-in.ts` is the one that ships. */
export interface SignsIn {
  ways(request: SignInRequest, signal: AbortSignal): Promise<SignInWay[]>;
  start(request: SignInRequest, way: SignInWay, signal: AbortSignal): Promise<SignIn>;
  /** Signs the client in for itself: there is no page, and nobody to wait for. */
  forItself(request: SignInRequest, signal: AbortSignal): Promise<Grant>;
}
