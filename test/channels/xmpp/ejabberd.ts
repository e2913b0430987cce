import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ServerProcess } from "../server-process.ts";
import { freePort } from "../tcp-proxy.ts";
import type { XmppServer } from "./server.ts";

const HOST = "localhost";

export interface EjabberdOptions {
  /** Keep no messages. Default: all are kept, of accounts and of rooms. */
  forgetful?: boolean;
}

/**
 * ejabberd in one process: no node name, so there is neither a cookie nor epmd, and nothing is left when it ends. It is
 * told what to do over its HTTP interface.
 */
export class Ejabberd implements XmppServer {
  readonly port: number;
  readonly #httpPort: number;
  readonly #folder: string;
  readonly #options: EjabberdOptions;
  readonly #libraries: string;
  #process!: ServerProcess;

  static async open(accounts: readonly string[], options: EjabberdOptions = {}): Promise<Ejabberd> {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-ejabberd-"));
    // Where its program is differs by processor; its own command knows it.
    const command = await readFile("/usr/sbin/ejabberdctl", "utf8");
    const [, libraries = ""] = /^ERL_LIBS='([^']+)'/m.exec(command) ?? [];
    const server = new Ejabberd(folder, await freePort(), await freePort(), libraries, options);
    await mkdir(join(folder, "data"));
    const database = new DatabaseSync(server.#archive);
    database.exec(await readFile("/usr/share/ejabberd/sql/lite.sql", "utf8"));
    database.close();
    await writeFile(server.#config, server.#settings());
    await server.start();
    try {
      // One after the other: at once, they wait for each other's locks for minutes.
      for (const account of accounts) await server.#register(account);
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  private constructor(
    folder: string,
    port: number,
    httpPort: number,
    libraries: string,
    options: EjabberdOptions,
  ) {
    this.#folder = folder;
    this.port = port;
    this.#httpPort = httpPort;
    this.#libraries = libraries;
    this.#options = options;
  }

  /** Calls one of the commands of `ejabberdctl`, with its arguments by name. */
  async command(name: string, args: Record<string, unknown>): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.#httpPort}/api/${name}`, {
      method: "POST",
      body: JSON.stringify(args),
    });
    if (!response.ok) throw new Error(`ejabberd refused ${name}: ${await response.text()}`);
    return response.json();
  }

  async setPassword(account: string, password: string): Promise<void> {
    await this.command("change_password", { user: account, host: HOST, newpass: password });
  }

  async start(): Promise<void> {
    // Without the thread that watches the terminal, and with two schedulers that do not spin while they wait for work, it
    // starts in a second of processor time.
    const args = [
      "-noinput",
      "+S",
      "2",
      "+sbwt",
      "none",
      "+sbwtdcpu",
      "none",
      "+sbwtdio",
      "none",
      "-mnesia",
      "dir",
      `"${join(this.#folder, "data")}"`,
      "-s",
      "ejabberd",
    ];
    this.#process = await ServerProcess.start(
      "erl",
      args,
      /Start accepting TCP connections .* ejabberd_http/,
      {
        ERL_LIBS: this.#libraries,
        ERL_CRASH_DUMP: join(this.#folder, "crash"),
        EJABBERD_CONFIG_PATH: this.#config,
        EJABBERD_LOG_PATH: join(this.#folder, "ejabberd.log"),
      },
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

  get #archive(): string {
    return join(this.#folder, "archive.sqlite");
  }

  get #config(): string {
    return join(this.#folder, "ejabberd.yml");
  }

  #register(account: string): Promise<unknown> {
    return this.command("register", { user: account, host: HOST, password: `secret-of-${account}` });
  }

  #settings(): string {
    // Its own store writes the whole archive of an account again with each message; those who run it use SQL.
    const archive = this.#options.forgetful ? "" : "  mod_mam: { default: always, db_type: sql }\n";
    return `
loglevel: info
hosts: [${HOST}]
listen:
  - { port: ${this.port}, ip: "127.0.0.1", module: ejabberd_c2s, max_stanza_size: 262144, access: all }
  - port: ${this.#httpPort}
    ip: "127.0.0.1"
    module: ejabberd_http
    request_handlers: { /api: mod_http_api, /upload: mod_http_upload }
sql_type: sqlite
sql_database: "${this.#archive}"
auth_method: internal
auth_password_format: scram
disable_sasl_mechanisms: [digest-md5, X-OAUTH2]
api_permissions:
  tests: { who: { ip: 127.0.0.1/8 }, what: "*" }
modules:
${archive}  mod_admin_extra: {}
  mod_caps: {}
  mod_disco: {}
  mod_http_api: {}
  mod_http_upload: { put_url: "http://127.0.0.1:${this.#httpPort}/upload", docroot: "${join(this.#folder, "files")}" }
  mod_muc: { default_room_options: { moderated: false, mam: ${this.#options.forgetful !== true} } }
  mod_muc_admin: {}
  mod_offline: {}
  mod_ping: {}
  mod_roster: {}
  mod_time: {}
  mod_stream_mgmt: { resend_on_timeout: if_offline }
`;
  }
}
