import { ChannelFailure, reasonOf } from "@patchbay/plugin-sdk/channel";
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from "@slack/web-api";

/** Codes that mean that the workspace, or a person in it, has taken away the app's rights. */
const refusedTokens = new Set([
  "invalid_auth",
  "not_authed",
  "token_revoked",
  "token_expired",
  "account_inactive",
  "team_disabled",
  "user_removed_from_team",
  "not_allowed_token_type",
]);
/** Codes of failures inside Slack, which pass by themselves. */
const passing = new Set([
  "fatal_error",
  "internal_error",
  "service_unavailable",
  "request_timeout",
  "team_added_to_org",
]);

/** What a failed call of Slack means for the channel. */
export function slackFailure(error: unknown): ChannelFailure {
  if (error instanceof ChannelFailure) return error;
  if (error instanceof WebAPIRateLimitedError) {
    const retryAfterMs = error.retryAfter * 1000;
    return new ChannelFailure("rate-limited", `too many requests for Slack, ${error.retryAfter} s`, {
      retryAfterMs,
    });
  }
  if (error instanceof WebAPIHTTPError) {
    return new ChannelFailure("offline", `Slack answered ${error.statusCode}`, { cause: error });
  }
  if (error instanceof WebAPIRequestError) {
    return new ChannelFailure("offline", `no answer from Slack: ${reasonOf(error.original)}`, {
      cause: error,
    });
  }
  if (error instanceof WebAPIPlatformError) return platformFailure(error.data);
  return new ChannelFailure("offline", error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}

/** What a failed upload means: a server that refuses the bytes will refuse them again. */
export function uploadFailure(error: unknown): ChannelFailure {
  const failure = slackFailure(error);
  const status = failure.cause instanceof WebAPIHTTPError ? failure.cause.statusCode : 0;
  if (status < 400 || status >= 500 || status === 408) return failure;
  const why = status === 413 ? "larger than Slack takes" : `Slack did not take the file (${status})`;
  return new ChannelFailure("refused", why, { cause: error });
}

/** The platform's word for what is wrong; null when it is something else. */
export function slackCode(error: unknown): string | null {
  return error instanceof WebAPIPlatformError ? error.data.error : null;
}

function platformFailure(data: { error: string; needed?: unknown }): ChannelFailure {
  const { error: code, needed } = data;
  if (refusedTokens.has(code)) return credentialsFailure(code);
  if (code === "ratelimited") return new ChannelFailure("rate-limited", code, { retryAfterMs: 5_000 });
  if (passing.has(code)) return new ChannelFailure("offline", `Slack answered ${code}`);
  if (code === "missing_scope") {
    return new ChannelFailure(
      "refused",
      `the Slack app lacks the permission ${needed}; add it and install the app again`,
    );
  }
  return new ChannelFailure("refused", sentences[code] ?? `Slack refused it: ${code}`);
}

export function credentialsFailure(code: string): ChannelFailure {
  return new ChannelFailure("credentials", `Slack does not accept the tokens any more (${code}).`);
}

const sentences: Record<string, string> = {
  channel_not_found: "there is no such channel",
  not_in_channel: "the app is not in the channel; invite it there",
  is_archived: "the channel is archived",
  msg_too_long: "too long for Slack",
};
