import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

export interface IrcScript {
  /** What CAP LS offers. */
  caps?: string;
  nak?: boolean;
  /** The answer to SASL: 903 (default), 904, … */
  sasl?: string;
  /** Refuses nicks: the numeric, by nick. */
  nicks?: Record<string, string>;
  /** Said instead of a welcome; then the connection is closed. */
  refuse?: string;
  /** Hangs up before or right after the welcome, so many times. */
  hangUp?: { when: "before" | "after"; times: number };
  /** Answers to JOIN: the numeric, by channel. */
  joins?: Record<string, string>;
  /** Answers to PRIVMSG: the numeric, by target. */
  targets?: Record<string, string>;
  /** What it says with them. */
  words?: string;
  /** Never answers PING. */
  mute?: boolean;
  /** Takes the connection and says nothing. */
  speechless?: boolean;
  /** What it calls its software (004). */
  software?: string;
  isupport?: string;
  /** Says what is there for a nick (WHOIS). Default: what the lines said so far tell of it. */
  people?: Record<string, { userhost: string; account?: string; signon?: number }>;
}

/** An IRC server that says what a script tells it, for what ngircd has not: SASL, tags, and everything that goes wrong. */
export class ScriptedIrc implements AsyncDisposable {
  readonly port: number;
  readonly script: IrcScript;
  /** Every line that came in, without CRLF. */
  readonly lines: string[] = [];
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #bot: Socket | null = null;
  #nick = "*";
  readonly #heard = new Map<string, { userhost: string; account?: string; signon?: number }>();

  static async open(script: IrcScript = {}): Promise<ScriptedIrc> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new ScriptedIrc(server, script);
  }

  private constructor(server: Server, script: IrcScript) {
    this.#server = server;
    this.script = script;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (socket) => this.#accept(socket));
  }

  get nick(): string {
    return this.#nick;
  }

  /** Says a line to the bot. */
  say(line: string): void {
    const [, tags = "", nick, userhost] = /^(?:@(\S+) )?:([^!\s]+)!(\S+) PRIVMSG/.exec(line) ?? [];
    if (nick !== undefined && userhost !== undefined) {
      const account = /(?:^|;)account=([^;]+)/.exec(tags)?.[1];
      this.#heard.set(nick, { userhost, ...(account !== undefined && { account }) });
    }
    this.#bot?.write(`${line}\r\n`);
  }

  /** Bytes as they are. */
  sayBytes(bytes: Buffer): void {
    this.#bot?.write(bytes);
  }

  hangUp(): void {
    this.#bot?.destroy();
  }

  /** What the bot said to somebody or in a channel. */
  said(target: string): string[] {
    const start = `PRIVMSG ${target} `;
    return this.lines
      .filter((line) => line.startsWith(start))
      .map((line) => line.slice(start.length).replace(/^:/, ""));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #accept(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    // Its answers are many small packets.
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    this.#bot = socket;
    let rest = "";
    let negotiating = false;
    let user = false;
    let welcomed = false;
    const { script } = this;
    const say = (line: string) => void (script.speechless || socket.write(`${line}\r\n`));
    const numeric = (code: string, words: string) => say(`:irc.test ${code} ${this.#nick} ${words}`);
    const welcome = () => {
      if (negotiating || !user || welcomed || this.#nick === "*") return;
      const { hangUp } = script;
      if (hangUp?.when === "before" && hangUp.times > 0) {
        hangUp.times -= 1;
        socket.destroy();
        return;
      }
      if (script.refuse !== undefined) {
        for (const line of script.refuse.split("\n")) say(line.replace("<nick>", this.#nick));
        socket.end();
        return;
      }
      welcomed = true;
      numeric("001", `:Welcome ${this.#nick}!ada@bot.example`);
      if (script.software !== undefined) numeric("004", `irc.test ${script.software} ao mtov`);
      numeric("005", `${script.isupport ?? "CASEMAPPING=rfc1459 CHANTYPES=# NETWORK=Script"} :are supported`);
      numeric("422", ":No MOTD");
      if (hangUp?.when === "after" && hangUp.times > 0) {
        hangUp.times -= 1;
        socket.destroy();
      }
    };
    const receive = (line: string) => {
      this.lines.push(line);
      const [command = "", ...words] = line.split(" ");
      const first = words[0]?.replace(/^:/, "") ?? "";
      switch (command) {
        case "CAP":
          if (first === "LS" && script.caps !== undefined) {
            negotiating = true;
            say(`:irc.test CAP * LS :${script.caps}`);
          } else if (first === "REQ") {
            say(`:irc.test CAP * ${script.nak ? "NAK" : "ACK"} ${words.slice(1).join(" ")}`);
          } else if (first === "END") {
            negotiating = false;
            welcome();
          }
          return;
        case "AUTHENTICATE":
          if (first === "PLAIN") say("AUTHENTICATE +");
          else {
            const code = script.sasl === "908" ? "904" : (script.sasl ?? "903");
            if (script.sasl === "908") numeric("908", "EXTERNAL :are available SASL mechanisms");
            if (code === "903") numeric("900", `${this.#nick}!ada@bot.example ada :You are now logged in`);
            numeric(code, ":SASL");
          }
          return;
        case "NICK": {
          const refusal = script.nicks?.[first];
          if (refusal) {
            numeric(refusal, `${first} :Nickname is already in use`);
            return;
          }
          if (welcomed) say(`:${this.#nick}!ada@bot.example NICK :${first}`);
          this.#nick = first;
          welcome();
          return;
        }
        case "USER":
          user = true;
          welcome();
          return;
        case "PING":
          if (!script.mute) say(`:irc.test PONG irc.test :${first}`);
          return;
        case "JOIN": {
          const refusal = script.joins?.[first];
          if (refusal) numeric(refusal, `${first} :Cannot join channel`);
          else say(`:${this.#nick}!ada@bot.example JOIN ${first}`);
          return;
        }
        case "WHOIS": {
          const found = script.people?.[first] ?? this.#heard.get(first);
          if (found && script.targets?.[first] !== "401") {
            const [user = "", host = ""] = found.userhost.split("@");
            numeric("311", `${first} ${user} ${host} * :${first}`);
            if (found.account !== undefined) numeric("330", `${first} ${found.account} :is logged in as`);
            numeric("317", `${first} 0 ${found.signon ?? 1} :seconds idle, signon time`);
          } else numeric("401", `${first} :No such nick`);
          numeric("318", `${first} :End of WHOIS`);
          return;
        }
        case "PRIVMSG": {
          const refusal = script.targets?.[first];
          if (refusal) numeric(refusal, `${first} :${script.words ?? "No such nick/channel"}`);
          return;
        }
      }
    };
    socket.on("data", (chunk) => {
      const parts = (rest + chunk.toString("utf8")).split("\r\n");
      rest = parts.pop() ?? "";
      for (const line of parts) receive(line);
    });
  }
}
