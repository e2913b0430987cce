import type { Readable, Writable } from "node:stream";

type Params = Record<string, unknown>;
interface Answer {
  id?: number;
  method?: string;
  params?: Params;
  result?: Params;
  error?: { message: string };
  sessionId?: string;
}
interface Attached {
  sessionId: string;
  targetInfo: { targetId: string; openerId?: string };
  waitingForDebugger: boolean;
}
type Listener = (params: Params) => void;

/** The DevTools protocol over the two pipes of a Chromium that was started with `--remote-debugging-pipe`. */
export class CdpConnection {
  readonly #input: Writable;
  readonly #pending = new Map<number, { resolve(result: Params): void; reject(error: Error): void }>();
  readonly #sessions = new Map<string, CdpSession>();
  #lastId = 0;
  #rest = "";
  #pagesToCome = 0;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    input.on("error", () => this.#fail());
    output.on("error", () => this.#fail());
    output.setEncoding("utf8");
    output.on("data", (chunk: string) => this.#take(chunk));
    output.on("close", () => this.#fail());
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** From now on every page that the app did not open itself is closed before it has loaded anything. */
  async refuseForeignPages(): Promise<void> {
    await this.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: "page" }],
    });
  }

  async openPage(size: {
    width: number;
    height: number;
  }): Promise<{ targetId: string; session: CdpSession }> {
    this.#pagesToCome++;
    const answer = await this.send("Target.createTarget", { url: "about:blank", newWindow: true, ...size });
    const targetId = String(answer.targetId);
    return { targetId, session: await this.#attach(targetId) };
  }

  async #attach(targetId: string): Promise<CdpSession> {
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const session = new CdpSession(this, String(sessionId));
    this.#sessions.set(session.id, session);
    return session;
  }

  #take(chunk: string): void {
    const messages = (this.#rest + chunk).split("\0");
    this.#rest = messages.pop() ?? "";
    for (const text of messages) this.#dispatch(JSON.parse(text) as Answer);
  }

  #dispatch(answer: Answer): void {
    if (answer.id === undefined) {
      if (answer.method === "Target.attachedToTarget") this.#judgePage(answer.params as unknown as Attached);
      else if (answer.method && answer.sessionId)
        this.#sessions.get(answer.sessionId)?.deliver(answer.method, answer.params ?? {});
      return;
    }
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (answer.error) pending?.reject(new Error(answer.error.message));
    else pending?.resolve(answer.result ?? {});
  }

  #judgePage({ sessionId, targetInfo, waitingForDebugger }: Attached): void {
    if (!waitingForDebugger) return;
    const ours = this.#pagesToCome > 0 && targetInfo.openerId === undefined;
    if (ours) this.#pagesToCome--;
    // Whatever it asks for is held back for ever; it must run all the same, because a page that waits cannot be closed.
    if (!ours) this.#order("Fetch.enable", {}, sessionId);
    this.#order("Runtime.runIfWaitingForDebugger", {}, sessionId);
    if (!ours) this.#order("Target.closeTarget", { targetId: targetInfo.targetId });
  }

  /** A command to a page that may be gone before it arrives. */
  #order(method: string, params: Params, sessionId?: string): void {
    void this.send(method, params, sessionId).catch(() => {});
  }

  #fail(): void {
    for (const { reject } of this.#pending.values()) reject(new Error("Chromium is gone."));
    this.#pending.clear();
  }
}

/** The protocol for one page. */
export class CdpSession {
  readonly id: string;
  readonly #connection: CdpConnection;
  readonly #listeners = new Map<string, Listener>();

  constructor(connection: CdpConnection, id: string) {
    this.#connection = connection;
    this.id = id;
  }

  send(method: string, params: Params = {}): Promise<Params> {
    return this.#connection.send(method, params, this.id);
  }

  /** One listener a method; parameters as the protocol documents them. */
  on<P>(method: string, listener: (params: P) => void): void {
    this.#listeners.set(method, listener as Listener);
  }

  deliver(method: string, params: Params): void {
    this.#listeners.get(method)?.(params);
  }
}
