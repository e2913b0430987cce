import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ServerProcess } from "../server-process.ts";
import { freePort } from "../tcp-proxy.ts";
import type { Certificate } from "./certificates.ts";
import type { XmppServer } from "./server.ts";

export interface ProsodyOptions {
  /** With it only encrypted connections are let in. */
  certificate?: Certificate;
  /** Keep no messages. Default: all are kept, of accounts and of rooms. */
  forgetful?: boolean;
}

export class Prosody implements XmppServer {
  readonly port: number;
  readonly httpPort: number;
  readonly #folder: string;
  readonly #options: ProsodyOptions;
  #process!: ServerProcess;

  static async open(accounts: readonly string[], options: ProsodyOptions = {}): Promise<Prosody> {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-prosody-"));
    await chmod(folder, 0o777);
    const server = new Prosody(folder, await freePort(), await freePort(), options);
    await mkdir(join(folder, "data"));
    await chmod(join(folder, "data"), 0o777);
    await writeFile(server.#config, server.#settings(), { mode: 0o644 });
    await Promise.all(accounts.map((account) => server.setPassword(account, `secret-of-${account}`)));
    await server.start();
    return server;
  }

  private constructor(folder: string, port: number, httpPort: number, options: ProsodyOptions) {
    this.#folder = folder;
    this.#options = options;
    this.port = port;
    this.httpPort = httpPort;
  }

  /** Written where the server looks at each sign-in: `prosodyctl` would take half a second for each. */
  async setPassword(account: string, password: string): Promise<void> {
    const file = join(this.#folder, "data", "localhost", "accounts", `${account}.dat`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `return { ["password"] = "${password}"; };\n`, { mode: 0o644 });
  }

  async start(): Promise<void> {
    this.#process = await ServerProcess.start(
      "prosody",
      ["-F", "--root", "--config", this.#config],
      /Activated service 'c2s'/,
    );
  }

  async restart(): Promise<void> {
    await this.#process.stop();
    await this.start();
  }

  async close(): Promise<void> {
    await this.#process.stop("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #config(): string {
    return join(this.#folder, "prosody.cfg.lua");
  }

  #settings(): string {
    const { certificate: pair, forgetful } = this.#options;
    return `
daemonize = false
run_as_root = true
data_path = "${join(this.#folder, "data")}"
pidfile = "${join(this.#folder, "prosody.pid")}"
interfaces = { "127.0.0.1" }
c2s_ports = { ${this.port} }
c2s_direct_tls_ports = {}
s2s_ports = {}
http_ports = { ${this.httpPort} }
http_interfaces = { "127.0.0.1" }
https_ports = {}
modules_disabled = { "s2s"${pair ? "" : ', "tls"'} }
c2s_require_encryption = ${pair !== undefined}
authentication = "internal_plain"
-- Its files are read whole for each question to the archive; those with many messages use SQL.
storage = { archive = "sql"; muc_log = "sql" }
sql = { driver = "SQLite3"; database = "${join(this.#folder, "archive.sqlite")}" }
log = { info = "*console" }
modules_enabled = {
  ${pair ? '"tls"; ' : ""}${forgetful ? "" : '"mam"; '}"roster"; "saslauth"; "disco"; "ping"; "time"; "message"; "presence"; "iq"; "smacks"; "offline"; "blocklist"; "pep"; "private";
}
VirtualHost "localhost"
${pair ? `  ssl = { certificate = "${pair.certificate}"; key = "${pair.key}" }` : ""}
Component "conference.localhost" "muc"
  ${forgetful ? "" : 'modules_enabled = { "muc_mam" }'}
  muc_room_locking = false
  restrict_room_creation = false
Component "upload.localhost" "http_file_share"
  http_host = "127.0.0.1"
  http_external_url = "http://127.0.0.1:${this.httpPort}/"
`;
  }
}
