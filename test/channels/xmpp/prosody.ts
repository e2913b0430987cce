import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ServerProcess } from "../server-process.ts";
import { freePort } from "../tcp-proxy.ts";
import type { Certificate } from "./certificates.ts";

const run = promisify(execFile);

/** A real XMPP server with a folder and ports of its own. */
export class Prosody {
  readonly port: number;
  readonly httpPort: number;
  readonly #folder: string;
  readonly #certificate: Certificate | undefined;
  #process!: ServerProcess;

  /** @param certificate with it only encrypted connections are let in */
  static async open(accounts: readonly string[], certificate?: Certificate): Promise<Prosody> {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-prosody-"));
    await chmod(folder, 0o777);
    const server = new Prosody(folder, await freePort(), await freePort(), certificate);
    await mkdir(join(folder, "data"));
    await chmod(join(folder, "data"), 0o777);
    await writeFile(server.#config, server.#settings(), { mode: 0o644 });
    for (const account of accounts) await server.setPassword(account, `secret-of-${account}`);
    await server.start();
    return server;
  }

  private constructor(folder: string, port: number, httpPort: number, certificate: Certificate | undefined) {
    this.#folder = folder;
    this.#certificate = certificate;
    this.port = port;
    this.httpPort = httpPort;
  }

  async setPassword(account: string, password: string): Promise<void> {
    await run("prosodyctl", ["--root", "--config", this.#config, "register", account, "localhost", password]);
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
    const pair = this.#certificate;
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
authentication = "internal_hashed"
log = { info = "*console" }
modules_enabled = {
  ${pair ? '"tls"; ' : ""}"roster"; "saslauth"; "disco"; "ping"; "message"; "presence"; "iq"; "smacks"; "offline"; "blocklist"; "pep"; "private";
}
VirtualHost "localhost"
${pair ? `  ssl = { certificate = "${pair.certificate}"; key = "${pair.key}" }` : ""}
Component "conference.localhost" "muc"
  muc_room_locking = false
  restrict_room_creation = false
Component "upload.localhost" "http_file_share"
  http_host = "127.0.0.1"
  http_external_url = "http://127.0.0.1:${this.httpPort}/"
`;
  }
}
