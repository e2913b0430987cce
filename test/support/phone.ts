import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Pairing {
  status: "waiting" | "linked" | "refused" | "expired" | "cancelled";
  number: number;
  token: string;
  identityKey: string;
}

/**
 * Plays a messenger's service and the person's phone. The page at `/` has the buttons of the phone, for trying it by
 * hand.
 */
export class PhoneSimulator {
  readonly pairings = new Map<string, Pairing>();
  /** The failures of the service's next answers, in order; after them it works again. */
  failures: ("500" | "html" | "hang-up")[] = [];
  account = "+49 151 000";
  goodForMs = 60_000;
  /** Prefix of the codes that the person types. */
  codePrefix = "CODE";
  /** How often the service was asked for the state of a pairing. */
  asked = 0;
  /** The requests of plugins that wait at a place, see {@link hold}. */
  readonly #holds = new Map<string, ServerResponse[]>();
  readonly #server: Server;

  static async open(): Promise<PhoneSimulator> {
    const phone = new PhoneSimulator();
    await new Promise<void>((resolve) => phone.#server.listen(0, "127.0.0.1", resolve));
    return phone;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      const [, place] = /^\/hold\/(\w+)$/.exec(request.url ?? "") ?? [];
      const waiting = place === undefined ? undefined : this.#holds.get(place);
      if (waiting) return void waiting.push(response);
      if (place !== undefined) return void response.end();
      const answer = this.#answer(request.method ?? "", request.url ?? "");
      if (answer === null) return void request.socket.destroy();
      response.writeHead(answer.status, { "content-type": answer.type });
      response.end(answer.body);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get latest(): Pairing {
    const pairing = [...this.pairings.values()].at(-1);
    if (!pairing) throw new Error("Nothing is being paired.");
    return pairing;
  }

  /** The text of the QR code that the phone must scan. */
  qrOf(number: number): string {
    return `phone:pair?id=${this.pairings.size}&n=${number}&key=${"k".repeat(24)}`;
  }

  rotate(): void {
    this.latest.number += 1;
  }

  scan(): void {
    this.latest.status = "linked";
  }

  refuse(): void {
    this.latest.status = "refused";
  }

  /** Ends the newest pairing as when nobody scanned its codes. */
  expire(): void {
    this.latest.status = "expired";
  }

  /** From now on a plugin that reaches this place of the pairing waits there until {@link letGo}. */
  hold(place: "checked" | "started"): void {
    this.#holds.set(place, []);
  }

  letGo(place: "checked" | "started"): void {
    for (const response of this.#holds.get(place) ?? []) response.end();
    this.#holds.delete(place);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(method: string, path: string): { status: number; type: string; body: string } | null {
    const json = (body: unknown) => ({ status: 200, type: "application/json", body: JSON.stringify(body) });
    if (method === "GET") return { status: 200, type: "text/html", body: page };
    if (path === "/phone/scan" || path === "/phone/refuse" || path === "/phone/rotate") {
      if (path.endsWith("scan")) this.scan();
      else if (path.endsWith("refuse")) this.refuse();
      else this.rotate();
      return json({ ok: true });
    }
    if (path === "/pairings") {
      const id = `p${this.pairings.size + 1}`;
      const token = `session-token-${id}-${"s".repeat(16)}`;
      this.pairings.set(id, { status: "waiting", number: 1, token, identityKey: `identity-${id}-key` });
      return json({ id });
    }
    const [, id, doing] = /^\/pairings\/(\w+)\/(\w+)$/.exec(path) ?? [];
    const pairing = this.pairings.get(id ?? "");
    if (!pairing) return { status: 404, type: "text/plain", body: "no such pairing" };
    if (doing === "cancel") {
      if (pairing.status === "waiting") pairing.status = "cancelled";
      return json({ ok: true });
    }
    this.asked += 1;
    const failure = this.failures.shift();
    if (failure === "hang-up") return null;
    if (failure === "500") return { status: 500, type: "text/plain", body: "out of order" };
    if (failure === "html") return { status: 200, type: "text/html", body: "<h1>Maintenance</h1>" };
    const { status, number, token, identityKey } = pairing;
    const { goodForMs, account } = this;
    const linked = status === "linked" && { token, identityKey, account };
    return json({
      status,
      number,
      of: 6,
      qr: this.qrOf(number),
      code: `${this.codePrefix}-${number}`,
      goodForMs,
      ...linked,
    });
  }
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Phone</title><h1>Phone</h1>
<button onclick="fetch('/phone/scan',{method:'POST'})">Scan</button>
<button onclick="fetch('/phone/refuse',{method:'POST'})">Refuse</button>
<button onclick="fetch('/phone/rotate',{method:'POST'})">Next code</button></html>`;
