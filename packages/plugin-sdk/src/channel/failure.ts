/**
 * Why a call of a transport failed, as the toolkit has to act on it.
 *
 * - `offline`: the platform cannot be reached; tried again once it can
 * - `rate-limited`: tried again after `retryAfterMs`
 * - `refused`: the platform will never take this one (blocked by the person, no permission, message gone); given up
 * - `credentials`: the platform does not accept the credentials any more; nothing is tried until the person signs in
 * - `fatal`: going on would do harm (a second copy with the same account); nothing is tried until the person restarts it
 */
export type FailureKind = "offline" | "rate-limited" | "refused" | "credentials" | "fatal";

/** What transports throw. Anything else that they throw counts as `offline`. */
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

export function failureOf(error: unknown): ChannelFailure {
  if (error instanceof ChannelFailure) return error;
  return new ChannelFailure("offline", error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
