import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "../server-process.ts";
import { freePort } from "../tcp-proxy.ts";
import { Atheme, LINK } from "./atheme.ts";
import { alone, type IrcPlace, type IrcServer, OPERATOR } from "./irc-server.ts";

const modules = [
  "cap",
  "ircv3",
  ...[
    "accounttag",
    "batch",
    "capnotify",
    "ctctags",
    "echomessage",
    "invitenotify",
    "msgid",
    "servertime",
  ].map((name) => `ircv3_${name}`),
  ...["services_account", "sasl", "botmode", "monitor", "namesx", "svshold", "spanningtree"],
];

/** InspIRCd 3 with Atheme: accounts, SASL, IRCv3 and MONITOR, as on most networks of today. */
export class Inspircd implements IrcServer {
  readonly port: number;
  readonly services: Atheme;
  /** For other servers. */
  readonly linkPort: number;
  readonly #folder: string;
  readonly #place: IrcPlace;
  #process!: ServerProcess;

  /** @param services whether they are linked from the start */
  static async open(password = "", services = true, place: IrcPlace = alone): Promise<Inspircd> {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-inspircd-"));
    // Services run as another user when this is root.
    await chmod(folder, 0o777);
    const linkPort = await freePort();
    const atheme = await Atheme.open("inspircd", folder, linkPort);
    const server = new Inspircd(folder, await freePort(), linkPort, atheme, place);
    await server.configure(password);
    await server.start();
    if (services) await atheme.start();
    return server;
  }

  private constructor(folder: string, port: number, linkPort: number, services: Atheme, place: IrcPlace) {
    this.#folder = folder;
    this.linkPort = linkPort;
    this.port = port;
    this.services = services;
    this.#place = place;
  }

  async configure(password: string): Promise<void> {
    const folder = this.#folder;
    const { name, number, neighbour } = this.#place;
    const link = (to: string, port: number) =>
      `<link name="${to}" ipaddr="127.0.0.1" port="${port}" allowmask="127.0.0.0/8"
  sendpass="${LINK.password}" recvpass="${LINK.password}">`;
    await writeFile(
      join(folder, "inspircd.conf"),
      `<path configdir="${folder}" datadir="${folder}" logdir="${folder}" runtimedir="${folder}">
<server name="${name}" description="Test" network="TestNet" id="${number}TS">
<admin name="Test" nick="Test" email="test@test.local">
<bind address="127.0.0.1" port="${this.port}" type="clients">
<bind address="127.0.0.1" port="${this.linkPort}" type="servers">
<connect name="all" allow="*" ${password === "" ? "" : `password="${password}"`} timeout="60" pingfreq="120"
  hardsendq="1M" softsendq="1M" recvq="1M" localmax="1000" globalmax="1000" fakelag="no" commandrate="1000000"
  threshold="1000000" resolvehostnames="no" useident="no" maxchans="50">
<class name="all" commands="*" usermodes="*" chanmodes="*" privs="*" snomasks="*">
<type name="Admin" classes="all">
<oper name="${OPERATOR.name}" password="${OPERATOR.password}" host="*@*" type="Admin">
<dns server="127.0.0.1" timeout="1">
<options prefixquit="Quit: " splitwhois="no">
<performance quietbursts="yes" netbuffersize="10240" clonesonconnect="no">
<log method="file" type="*" level="default" target="inspircd.log">
<pid file="${join(folder, "inspircd.pid")}">
${modules.map((name) => `<module name="${name}">`).join("\n")}
<sasl target="${LINK.name}">
<uline server="${LINK.name}" silent="yes">
${link(LINK.name, this.linkPort)}
${neighbour ? link(neighbour.name, neighbour.port) : ""}
`,
    );
  }

  async start(): Promise<void> {
    const args = ["--runasroot", "--nofork", "--config", join(this.#folder, "inspircd.conf")];
    this.#process = await ServerProcess.start("inspircd", args, /is now running as/);
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
}
