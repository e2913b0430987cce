import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { PatchbayError } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import { howItEnded } from "../../../platform/how-it-ended.ts";
import type { HostExit } from "../../../platform/platform.ts";
import { UNREADABLE } from "./spoken-transport.ts";

/** The sentence for a server whose program ended right after its start. */
export function endedAtStart(plugin: string, exit: HostExit, lastLines: readonly string[]): PatchbayError {
  return new PatchbayError(
    "START_FAILED",
    `${plugin} ended right after its start: it ${howItEnded(exit)}.${lastWords(lastLines)}`,
    { details: { code: exit.code, signal: exit.signal, lastLines: [...lastLines] } },
  );
}

/** The sentence for a server whose program ended while a call was under way. */
export function endedInCall(during: string, exit: HostExit, lastLines: readonly string[]): PatchbayError {
  return new PatchbayError(
    "HOST_CRASHED",
    `It ended during ${during}: it ${howItEnded(exit)}.${lastWords(lastLines)}`,
    {
      details: { code: exit.code, signal: exit.signal, lastLines: [...lastLines] },
    },
  );
}

function lastWords(lines: readonly string[]): string {
  const said = lines.filter((line) => line.trim() !== "").slice(-3);
  return said.length === 0 ? "" : ` Its last lines: ${said.join(" / ").slice(0, 600)}`;
}

/** Where a fault happened. */
export interface FaultPlace {
  plugin: string;
  /** What was asked for: the title of a tool, `its list of tools`. */
  what: string;
  /** The host of a remote server; null for a program. */
  host: string | null;
  /** Milliseconds that it had. */
  limitMs: number;
}

/** What a person reads of an error of the protocol's library. */
export function faultOf(error: unknown, { plugin, what, host, limitMs }: FaultPlace): PatchbayError {
  const own = ownFault(error);
  if (own) return own;
  if (error instanceof InsufficientScopeError)
    return new PatchbayError("CREDENTIALS_REFUSED", rightsSentence(what, error.requiredScope), {
      cause: error,
    });
  if (SdkHttpError.isInstance(error)) return httpFault(error.status, host ?? plugin, error);
  if (SdkError.isInstance(error)) {
    switch (error.code) {
      case SdkErrorCode.RequestTimeout:
        return new PatchbayError(
          "TOOL_TIMEOUT",
          `${what} gave no answer in ${Math.round(limitMs / 1_000)} s.`,
          {
            cause: error,
          },
        );
      case SdkErrorCode.InputRequiredRoundsExceeded:
        return new PatchbayError(
          "TOOL_FAILED",
          `${plugin} asked again and again; the call of ${what} was stopped.`,
          {
            cause: error,
          },
        );
      case SdkErrorCode.UnsupportedResultType:
        return new PatchbayError(
          "TOOL_FAILED",
          `${what} runs as a background task, which Patchbay cannot do.`,
          { cause: error },
        );
      case SdkErrorCode.InvalidResult:
        return unreadable(what, error);
      case SdkErrorCode.ClientHttpUnexpectedContent:
        return new PatchbayError(
          "SERVER_UNREACHABLE",
          `${host ?? plugin} answered with something else than messages of MCP, such as a web page.`,
          { cause: error },
        );
      default:
    }
  }
  // What an address answered is no JSON, or no message.
  if (
    host !== null &&
    error instanceof Error &&
    ["SyntaxError", "ZodError", "$ZodError"].includes(error.name)
  )
    return unreadable(what, error);
  if (ProtocolError.isInstance(error) && error.code === UNREADABLE) return unreadable(what, error);
  if (ProtocolError.isInstance(error))
    return new PatchbayError("TOOL_FAILED", `${plugin} refused ${what}: ${firstLine(error.message)}`, {
      cause: error,
    });
  if (host !== null)
    return new PatchbayError("SERVER_UNREACHABLE", `${host} cannot be reached (${reasonOf(error)}).`, {
      cause: error,
    });
  return new PatchbayError("TOOL_FAILED", `${what} failed: ${reasonOf(error)}.`, { cause: error });
}

function unreadable(what: string, cause: Error): PatchbayError {
  return new PatchbayError("TOOL_FAILED", `${what} answered in a form that cannot be read.`, { cause });
}

/** Patchbay's own error, also where the library has wrapped it. */
function ownFault(error: unknown): PatchbayError | undefined {
  if (error instanceof PatchbayError) return error;
  if (!(error instanceof Error)) return undefined;
  return ownFault(causeOf(error));
}

function causeOf(error: Error): unknown {
  return error.cause ?? ("data" in error && isObject(error.data) ? error.data.cause : undefined);
}

function rightsSentence(what: string, scopes = ""): string {
  const rights = scopes
    .split(/\s+/)
    .filter((scope) => scope !== "")
    .slice(0, 20);
  const needs =
    rights.length === 0
      ? "more rights than it was given"
      : `the ${rights.length === 1 ? "right" : "rights"} ${cleanLine(rights.join(", "))}`;
  return `${what} needs ${needs}. Sign in again to grant ${rights.length === 1 ? "it" : "them"}.`;
}

function httpFault(status: number, host: string, cause: Error): PatchbayError {
  if (status === 401) return new PatchbayError("CREDENTIALS_REFUSED", `${host} refuses the key.`, { cause });
  if (status === 403)
    return new PatchbayError(
      "CREDENTIALS_REFUSED",
      `${host} does not allow this with the key that it was given.`,
      {
        cause,
      },
    );
  return new PatchbayError("SERVER_UNREACHABLE", `${host} answered with an error (${status}).`, { cause });
}

/** What is behind an error, in words: the library wraps that of the network into its own, some deep. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no reason was given";
  const known = "code" in error ? reasons[String(error.code)] : undefined;
  if (known !== undefined) return known;
  const inner = causeOf(error);
  return inner instanceof Error ? reasonOf(inner) : "it broke off without a word";
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "its name is not known",
  ETIMEDOUT: "it took too long",
  ECONNRESET: "the connection was cut",
  ERR_STREAM_PREMATURE_CLOSE: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  HPE_INVALID_CONSTANT: "it does not speak HTTP",
  EPROTO: "its TLS does not work",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no network",
  EAI_AGAIN: "its name could not be looked up",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "nobody vouches for its certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "nobody vouches for its certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "nobody vouches for its certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is another host's",
  UND_ERR_CONNECT_TIMEOUT: "it took too long",
};

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 500);
}
