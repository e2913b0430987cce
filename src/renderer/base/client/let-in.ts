import { gatewayPaths } from "../../../contract/gateway.ts";
import { checkCore } from "./core-proof.ts";
import { LinkError } from "./link-error.ts";
import { forgetLink, keepToken, readKey } from "./token.ts";

/** A token that is older than this is replaced when it is used next; milliseconds. */
const renewAfterMs = 60 * 60 * 1_000;

/**
 * A token of this page that the core takes. The core has proved to be ours before it is shown anything: the code of a
 * link is exchanged for a token, and an old token for a new one.
 * @throws LinkError `refused` when nothing here lets this page in, `unreachable` when nobody answers
 */
export async function letIn(signal: AbortSignal): Promise<string> {
  const key = readKey();
  if (!key) throw new LinkError("refused");
  if (key.kind === "token") {
    await checkCore(key.text, signal);
    return Date.now() - key.keptAt < renewAfterMs ? key.text : exchange("renewScreen", key.text, signal);
  }
  try {
    await checkCore(key.text, signal);
    const token = await exchange("openScreen", key.text, signal);
    forgetLink();
    return token;
  } catch (error) {
    if (!(error instanceof LinkError) || error.failure !== "refused") throw error;
    // A link that was opened before, perhaps in this very tab, which then has a token.
    forgetLink();
    return letIn(signal);
  }
}

/** Replaces the page's token while the page is open, so that one that was copied is soon worth nothing. */
export function renewWhileOpen(signal: AbortSignal): void {
  const renew = () => {
    if (readKey()?.kind !== "token") return;
    // Where it fails, the connection tells why, and the next one replaces the token.
    letIn(AbortSignal.any([signal, AbortSignal.timeout(10_000)])).catch(() => {});
  };
  const timer = setInterval(renew, renewAfterMs + 1_000);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

async function exchange(
  path: "openScreen" | "renewScreen",
  bearer: string,
  signal: AbortSignal,
): Promise<string> {
  let answer: Response;
  try {
    const headers = { authorization: `Bearer ${bearer}` };
    answer = await fetch(gatewayPaths[path], { method: "POST", headers, signal, cache: "no-store" });
  } catch {
    throw new LinkError("unreachable");
  }
  if (answer.status === 401) throw new LinkError("refused");
  const { token } = (await answer.json().catch(() => ({}))) as { token?: unknown };
  if (typeof token !== "string") throw new LinkError("unreachable");
  keepToken(token);
  return token;
}
