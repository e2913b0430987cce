import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "../server-process.ts";
import { freePort } from "../tcp-proxy.ts";

/** A real IRC server with a folder and a port of its own. */
export class Ngircd {
  readonly port: number;
  readonly #folder: string;
  #process!: ServerProcess;

  /** @param password what the server asks of everybody; empty: nothing */
  static async open(password = ""): Promise<Ngircd> {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-ngircd-"));
    // Started as root it becomes another user, who must be able to read this.
    await chmod(folder, 0o755);
    const server = new Ngircd(folder, await freePort());
    await server.configure(password);
    await server.start();
    return server;
  }

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  async configure(password: string): Promise<void> {
    await writeFile(
      this.#config,
      `[Global]
Name = irc.test.local
Info = Test
Network = TestNet
Listen = 127.0.0.1
Ports = ${this.port}
MotdPhrase = Hello
PidFile =
${password === "" ? "" : `Password = ${password}`}
[Limits]
MaxConnectionsIP = 0
MaxNickLength = 30
MaxPenaltyTime = 0
MaxJoins = 20
PingTimeout = 120
PongTimeout = 20
[Options]
DNS = no
Ident = no
PAM = no
SyslogFacility = local1
`,
      { mode: 0o644 },
    );
  }

  async start(): Promise<void> {
    this.#process = await ServerProcess.start("ngircd", ["-n", "-f", this.#config], /Server ".*" .*ready/);
  }

  async restart(): Promise<void> {
    await this.#process.stop();
    await this.start();
  }

  async close(): Promise<void> {
    await this.#process.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #config(): string {
    return join(this.#folder, "ngircd.conf");
  }
}
