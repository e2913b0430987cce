/**
 * Why a call of a transport failed, and what the toolkit does about it:
 *
 * - `offline`: the platform cannot be reached; tried again once it can
 * - `rate-limited`: tried again after `retryAfterMs`
 * - `refused`: the platform will never take this one (blocked by the person, no permission, message gone); given up
 * - `away`: the person whom the conversation belongs to is not there as themselves now, and nobody else may read it; it
 * waits for `port.back` or for some later try, for a day, and is then dropped
 * - `nobody`: the person whom the conversation belongs to will not be there again; dropped, and no problem of the channel
 * - `credentials`: the platform does not accept the credentials any more; nothing is tried until the person signs in
 * - `fatal`: somebody has to change something elsewhere first (a ban, a switch at the platform); tried again with long
 * pauses, from a minute to an hour
 */
export type FailureKind =
  | "offline"
  | "rate-limited"
  | "refused"
  | "away"
  | "nobody"
  | "credentials"
  | "fatal";

/** The error that transports throw. Any other error counts as `offline`. */
export class ChannelFailure extends Error {
  readonly kind: FailureKind;
  /** Milliseconds, for `rate-limited`. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ChannelFailure";
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Sentences for Node's error codes when a server cannot be reached. The code is added in brackets. */
const systemWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing answers there; check the server and the port",
  ECONNRESET: "The connection was cut",
  EPIPE: "The connection was cut",
  ETIMEDOUT: "The server does not answer",
  EHOSTUNREACH: "There is no way to the server",
  ENETUNREACH: "There is no network",
  ENOTFOUND: "There is no server of that name",
  EAI_AGAIN: "The name of the server cannot be looked up now",
  CERT_HAS_EXPIRED: "The certificate of the server has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate of the server is not known to this computer",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate of the server is not known to this computer",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate of the server is not known to this computer",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate belongs to another server",
};

export function failureOf(error: unknown): ChannelFailure {
  if (error instanceof ChannelFailure) return error;
  const message = wordsOf(error);
  const words = systemWords[codeOf(error)];
  return new ChannelFailure("offline", words === undefined ? message : `${words} (${message})`, {
    cause: error,
  });
}

/** Why a request got no answer, as the end of a sentence: an explanation, with the system's error code in brackets. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = codeOf(cause);
  const words = systemWords[code];
  if (words !== undefined) return `${words.charAt(0).toLowerCase()}${words.slice(1)} (${code})`;
  const message = cause instanceof Error ? cause.message : String(cause);
  // `fetch` fails with this message for ports that it reserves for other services.
  return message === "bad port" ? "no web server may use this port" : code || message;
}

/** What an error says. Some libraries throw errors without a word. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return error.name === "TimeoutError" ? "The server stopped answering." : "Nothing says why.";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
