import type { LiveFailure, OtlpSettings } from "../../../../contract/index.ts";
import type { Clock } from "../../../base/clock.ts";
import { resolveReferences } from "../../../secrets/index.ts";
import type { SecretLookup } from "../../ports.ts";

/** Milliseconds that a receiver may take to answer. */
const ANSWER_MS = 10_000;

/** Answers after which OTLP says to try again. */
const passing = new Set([408, 429, 502, 503, 504]);

/** What became of an attempt. `again`: it is to be repeated; `afterMs`: when the receiver says, else null. */
export type Sent =
  | { kind: "sent" }
  | { kind: "again"; failure: LiveFailure | null; afterMs: number | null }
  | { kind: "given_up"; failure: LiveFailure | null };

/** Sends one request of OTLP over HTTP. Never rejects. */
export async function send(
  { endpoint, headers }: OtlpSettings,
  body: string,
  secrets: Pick<SecretLookup, "resolve">,
  signal: AbortSignal,
  clock: Clock,
): Promise<Sent> {
  const { config, missing } = resolveReferences(headers, (name) => secrets.resolve(name, ""));
  const [name] = missing;
  if (name !== undefined) return { kind: "again", failure: { kind: "secret", name }, afterMs: null };
  const patience = new AbortController();
  const cancel = clock.after(ANSWER_MS, () => patience.abort());
  try {
    const response = await fetch(tracesAt(endpoint), {
      method: "POST",
      headers: { ...config, "content-type": "application/json" },
      body,
      // A key in a header is for this address alone.
      redirect: "manual",
      signal: AbortSignal.any([signal, patience.signal]),
    });
    await response.body?.cancel();
    if (response.ok) return { kind: "sent" };
    const failure: LiveFailure = { kind: "refused", status: response.status };
    if (!passing.has(response.status)) return { kind: "given_up", failure };
    return { kind: "again", failure, afterMs: waitOf(response.headers.get("retry-after")) };
  } catch (error) {
    return { kind: "again", failure: { kind: "unreachable", why: whyOf(error) }, afterMs: null };
  } finally {
    cancel();
  }
}

/** The address that takes traces. */
export function tracesAt(endpoint: string): string {
  const url = new URL(endpoint);
  if (!url.pathname.endsWith("/v1/traces")) url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url.href;
}

function waitOf(retryAfter: string | null): number | null {
  const seconds = Number(retryAfter ?? "");
  return retryAfter !== null && seconds > 0 ? seconds * 1_000 : null;
}

/** Reasons that the screens have words for. */
function whyOf(error: unknown): Extract<LiveFailure, { kind: "unreachable" }>["why"] {
  if (error instanceof Error && error.name === "TimeoutError") return "slow";
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ECONNREFUSED") return "closed";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "unknown_host";
  return "broken";
}
