import { createServer, type Server, type ServerResponse } from "node:http";
import { PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { systemCode } from "../../store/index.ts";

export interface LoopbackOptions {
  host?: "127.0.0.1" | "localhost";
  /** Absent: any port that is free on both loopback addresses. */
  port?: number;
  path?: string;
}

/** The page that answers the browser. `ok`: the request belonged to this sign-in. */
export type Verdict = { title: string; text: string; ok: boolean };

/** The place that a provider sends the browser back to. Bound before the browser opens. */
export interface Loopback {
  readonly redirectUri: string;
  close(): Promise<void>;
}

/** How long the last page may take to be sent, milliseconds. */
const LAST_ANSWER_MS = 500;

/** How many ports are tried when one is free on only one of the two loopback addresses. */
const ATTEMPTS = 5;

/**
 * Listens on 127.0.0.1 and, where the machine has IPv6, on ::1 at the same port: otherwise another program could take
 * the other address.
 *
 * @param arrived judges a request that came to the address; its words are shown in the browser
 * @throws PatchbayError PORT_IN_USE
 */
export async function openLoopback(
  options: LoopbackOptions,
  clock: Clock,
  arrived: (url: URL) => Verdict,
): Promise<Loopback> {
  const { host = "127.0.0.1", port, path = "/callback" } = options;
  for (let attempt = 1; ; attempt += 1) {
    const servers = [create(), create()] as const;
    try {
      const bound = await listen(servers[0], "127.0.0.1", port ?? 0);
      await listen(servers[1], "::1", bound).catch((error: unknown) => {
        // On a machine without IPv6 no other program can listen on ::1 either.
        if (!["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(systemCode(error) ?? "")) throw error;
      });
      return {
        redirectUri: `http://${host}:${bound}${path}`,
        close: () => closeAll(servers, clock),
      };
    } catch (error) {
      await closeAll(servers, clock);
      const taken = systemCode(error) === "EADDRINUSE";
      if (taken && port === undefined && attempt < ATTEMPTS) continue;
      if (!taken) throw error;
      throw new PatchbayError(
        "PORT_IN_USE",
        `The sign-in needs port ${port ?? "of its own"}, which another program uses.`,
        {
          help: "Close the other program, or another sign-in that waits, and try again.",
          details: { port },
        },
      );
    }
  }

  function create(): Server {
    return createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      if (request.method !== "GET" || url.pathname !== path) return answer(response, 404, notFound);
      const verdict = arrived(url);
      answer(response, verdict.ok ? 200 : 400, verdict);
    });
  }
}

const notFound: Verdict = { title: "Nothing here", text: "This address is for a sign-in.", ok: false };

function answer(response: ServerResponse, status: number, { title, text }: Verdict): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${inHtml(title)}</title><body style="font:16px system-ui;margin:15vh auto;max-width:28rem;text-align:center"><h1>${inHtml(title)}</h1><p>${inHtml(text)}</p></body></html>`,
  );
}

function inHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, ipv6Only: host === "::1" }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

async function closeAll(servers: readonly Server[], clock: Clock): Promise<void> {
  await Promise.all(servers.map((server) => close(server, clock)));
}

async function close(server: Server, clock: Clock): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Answers that are being sent may finish; idle connections are closed at once.
  server.closeIdleConnections();
  const cancel = clock.after(LAST_ANSWER_MS, () => server.closeAllConnections());
  await closed;
  cancel();
}
