import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "../server-process.ts";
import { freePort } from "../tcp-proxy.ts";
import { Atheme, LINK } from "./atheme.ts";
import { alone, type IrcPlace, type IrcServer, OPERATOR } from "./irc-server.ts";

/** ngircd with Atheme: accounts that only WHOIS tells; no IRCv3, no SASL, no MONITOR. */
export class Ngircd implements IrcServer {
  readonly port: number;
  readonly services: Atheme;
  readonly #folder: string;
  readonly #place: IrcPlace;
  readonly #limits: boolean;
  #process!: ServerProcess;

  /**
   * @param password what the server asks of everybody; empty: nothing
   * @param services whether they are linked
   * @param limits whether people are held up as they are by ngircd's own defaults
   */
  static async open(
    password = "",
    services = false,
    place: IrcPlace = alone,
    limits = false,
  ): Promise<Ngircd> {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-ngircd-"));
    // Started as root it becomes another user, who must be able to read this; services must write here.
    await chmod(folder, 0o777);
    const port = await freePort();
    const server = new Ngircd(folder, port, await Atheme.open("ngircd", folder, port), place, limits);
    await server.configure(password);
    await server.start();
    if (services) await server.services.start();
    return server;
  }

  private constructor(folder: string, port: number, services: Atheme, place: IrcPlace, limits: boolean) {
    this.#folder = folder;
    this.port = port;
    this.services = services;
    this.#place = place;
    this.#limits = limits;
  }

  /** Other servers come in where people do. */
  get linkPort(): number {
    return this.port;
  }

  async configure(password: string): Promise<void> {
    const { name, neighbour } = this.#place;
    await writeFile(
      this.#config,
      `[Global]
Name = ${name}
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
${this.#limits ? "" : "MaxPenaltyTime = 0"}
MaxJoins = 20
PingTimeout = 120
PongTimeout = 20
[Options]
DNS = no
Ident = no
PAM = no
SyslogFacility = local1
[Operator]
Name = ${OPERATOR.name}
Password = ${OPERATOR.password}
[Server]
Name = ${LINK.name}
MyPassword = ${LINK.password}
PeerPassword = ${LINK.password}
ServiceMask = *Serv
${
  neighbour
    ? `[Server]
Name = ${neighbour.name}
Host = 127.0.0.1
Port = ${neighbour.port}
MyPassword = ${LINK.password}
PeerPassword = ${LINK.password}
Passive = yes
`
    : ""
}`,
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
    await this.services.stop();
    await this.#process.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #config(): string {
    return join(this.#folder, "ngircd.conf");
  }
}
