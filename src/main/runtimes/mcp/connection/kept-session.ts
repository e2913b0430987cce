import { isObject } from "../../../../contract/is-object.ts";
import type { Fetch } from "../../../platform/walls/network/judged-fetch.ts";

const header = "mcp-session-id";

/**
 * The requests of one connection, whose session may be lost: servers of the older era forget sessions, at a restart for
 * instance, and answer 404 from then on. The connection is then initialized once more, as it was at its start, and the
 * request made again in the new session; the library goes on knowing the first one.
 */
export function keptSession(fetch: Fetch): Fetch {
  let greeting: string | undefined;
  let current: string | null = null;
  let renewing: Promise<Response> | undefined;

  async function greetAgain(place: string | URL, given: Headers, signal: RequestInit["signal"]) {
    const headers = new Headers(given);
    headers.delete(header);
    headers.set("accept", "application/json, text/event-stream");
    headers.set("content-type", "application/json");
    const init = { method: "POST", headers, ...(signal && { signal }) };
    const answer = await fetch(place, { ...init, ...(greeting && { body: greeting }) });
    const session = answer.headers.get(header);
    await answer.body?.cancel();
    if (!answer.ok || session === null) return answer;
    current = session;
    headers.set(header, session);
    const done = { jsonrpc: "2.0", method: "notifications/initialized" };
    const thanks = await fetch(place, { ...init, headers, body: JSON.stringify(done) });
    await thanks.body?.cancel();
    return answer;
  }

  return async (place, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has(header)) {
      const answer = await fetch(place, init);
      if (answer.ok && typeof init.body === "string" && isGreeting(init.body)) {
        greeting = init.body;
        current = answer.headers.get(header);
      }
      return answer;
    }
    const used = current ?? headers.get(header) ?? "";
    headers.set(header, used);
    const answer = await fetch(place, { ...init, headers });
    if (answer.status !== 404 || greeting === undefined || init.method === "DELETE") return answer;
    if (current === used) {
      // One for all requests that found the session gone.
      renewing ??= greetAgain(place, headers, init.signal).finally(() => {
        renewing = undefined;
      });
      const greeted = await renewing;
      if (greeted.status === 401) return greeted;
    }
    if (current === used || current === null) return answer;
    await answer.body?.cancel();
    headers.set(header, current);
    return fetch(place, { ...init, headers });
  };
}

function isGreeting(body: string): boolean {
  const message: unknown = JSON.parse(body);
  return isObject(message) && message.method === "initialize";
}
