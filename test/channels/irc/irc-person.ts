import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

/** How long a line is waited for, in milliseconds. */
const PATIENCE_MS = 45_000;

/** Somebody with an IRC client: speaks the wire format, knows nothing of the bot. */
export class IrcPerson {
  readonly nick: string;
  /** `#channel` or the nick of who wrote directly, and what was said. */
  readonly heard: { where: string; from: string; text: string }[] = [];
  readonly #port: number;
  readonly #channels: readonly string[];
  readonly #onLine: () => void;
  #socket: Socket | null = null;
  #lines: string[] = [];
  #waiting: (() => void)[] = [];

  constructor(nick: string, port: number, channels: readonly string[], onLine: () => void) {
    this.nick = nick;
    this.#port = port;
    this.#channels = channels;
    this.#onLine = onLine;
  }

  /** @param account the password of the account that is called as the nick; made when there is none */
  async connect(password = "", account?: string): Promise<void> {
    const socket = connect(this.#port, "127.0.0.1");
    this.#socket = socket;
    this.#lines = [];
    socket.on("error", () => {});
    socket.on("close", () => this.#wake());
    await once(socket, "connect");
    createInterface({ input: socket }).on("line", (line) => this.#receive(line));
    if (password !== "") this.send(`PASS ${password}`);
    this.send(`NICK ${this.nick}`);
    this.send(`USER ${this.nick} 0 * :${this.nick}`);
    await this.line(/ 001 /);
    if (account !== undefined) await this.#identify(account);
    for (const channel of this.#channels) {
      this.send(`JOIN ${channel}`);
      await this.line(new RegExp(` 366 \\S+ ${channel} `));
    }
  }

  send(line: string): void {
    this.#socket?.write(`${line}\r\n`);
  }

  /** Says something in a room or to somebody directly. */
  say(where: string, text: string): void {
    this.send(`PRIVMSG ${where} :${text}`);
  }

  /** Resolves when the nick is changed. */
  async rename(nick: string): Promise<void> {
    const from = this.lineCount;
    this.send(`NICK ${nick}`);
    await this.line(new RegExp(` NICK :?${nick}$`), from);
  }

  /** Leaves; resolves when the server has taken note of it. */
  async quit(): Promise<void> {
    this.send("QUIT");
    const isOver = () =>
      this.#socket?.closed !== false || this.#lines.some((line) => line.startsWith("ERROR "));
    while (!isOver()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.disconnect();
  }

  /** Whether the server still knows them, when it has dealt with everything sent before. */
  async isThere(): Promise<boolean> {
    const from = this.lineCount;
    this.send("PING there");
    for (;;) {
      if (this.#socket === null || this.#socket.closed) return false;
      if (this.linesFrom(from).some((line) => /PONG .*there$/.test(line))) return true;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Resolves when the server has dealt with everything sent before. */
  async synced(): Promise<void> {
    const token = `sync-${Math.random()}`;
    this.send(`PING ${token}`);
    await this.line(new RegExp(`PONG .*${token}`));
  }

  /** Resolves with the first line since connecting that matches. */
  async line(pattern: RegExp, from = 0): Promise<string> {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    const late = once(limit, "abort");
    for (;;) {
      const found = this.#lines.slice(from).find((line) => pattern.test(line));
      if (found !== undefined) return found;
      await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), late]);
      if (limit.aborted)
        throw new Error(`${this.nick} waited too long for ${pattern}.\n${this.#lines.slice(-20).join("\n")}`);
    }
  }

  /** Signs in with NickServ, which may not be there yet, or may not know the account yet. */
  async #identify(password: string): Promise<void> {
    const started = performance.now();
    while (performance.now() - started < PATIENCE_MS) {
      const from = this.lineCount;
      this.send(`PRIVMSG NickServ :IDENTIFY ${this.nick} ${password}`);
      const answer = await this.line(
        / (?:NOTICE \S+ :.*(?:identified|registered|logged in)|401 \S+ NickServ)/i,
        from,
      );
      if (/now identified|already logged in/.test(answer)) return;
      if (/not a registered/.test(answer)) {
        this.send(`PRIVMSG NickServ :REGISTER ${password} ${this.nick}@test.local`);
        await this.line(/is now registered/, from);
        return;
      }
      await wait(50);
    }
    throw new Error(`${this.nick} cannot sign in with NickServ.\n${this.#lines.slice(-20).join("\n")}`);
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  linesFrom(from: number): readonly string[] {
    return this.#lines.slice(from);
  }

  disconnect(): void {
    this.#socket?.destroy();
  }

  #receive(line: string): void {
    if (line.startsWith("PING ")) this.send(`PONG ${line.slice(5)}`);
    this.#lines.push(line);
    const [, from, target, text] = /^(?:@\S+ )?:([^!\s]+)\S* PRIVMSG (\S+) :(.*)$/.exec(line) ?? [];
    if (from !== undefined && target !== undefined && text !== undefined) {
      this.heard.push({ where: target.startsWith("#") ? target : from, from, text });
    }
    this.#wake();
    this.#onLine();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
