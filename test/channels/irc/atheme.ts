import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ServerProcess } from "../server-process.ts";

/** The name and the password under which services link to a server. */
export const LINK = { name: "services.test.local", password: "linkpass" };

const NOBODY = 65_534;
const modules = [
  "backend/opensex",
  "crypto/rawsha1",
  ...["main", "identify", "register", "logout", "ghost", "group", "info"].map((name) => `nickserv/${name}`),
  ...["main", "register", "flags", "invite", "akick", "set_core", "set_mlock", "sync"].map(
    (name) => `chanserv/${name}`,
  ),
  ...["main", "plain"].map((name) => `saslserv/${name}`),
];

/** Atheme, the services of many networks (NickServ, ChanServ, SASL), linked to a server on this machine. */
export class Atheme {
  readonly #folder: string;
  #process: ServerProcess | null = null;

  /**
   * @param folder where the database is kept; anybody must be able to write there
   * @param port where the server takes links
   */
  static async open(protocol: "inspircd" | "ngircd", folder: string, port: number): Promise<Atheme> {
    const service = (nick: string, more = "") =>
      `${nick.toLowerCase()} { nick = "${nick}"; user = "${nick}"; host = "${LINK.name}"; real = "${nick}"; ${more} };`;
    await writeFile(
      join(folder, "atheme.conf"),
      `${[`protocol/${protocol}`, ...modules].map((name) => `loadmodule "modules/${name}";`).join("\n")}
serverinfo {
  name = "${LINK.name}"; desc = "Services"; numeric = "00A"; recontime = 1; netname = "TestNet";
  adminname = "x"; adminemail = "a@test.local"; registeremail = "a@test.local"; mta = "/bin/true";
  loglevel = { error; info; }; maxlogins = 50; maxusers = 0; maxnicks = 5; maxchans = 50;
  emaillimit = 1000; emailtime = 1; auth = none; casemapping = rfc1459;
};
uplink "irc.test.local" {
  host = "127.0.0.1"; port = ${port}; send_password = "${LINK.password}"; receive_password = "${LINK.password}";
};
${service("NickServ", "aliases {}; access {}; spam; maxnicks = 5;")}
${service("ChanServ", "aliases {}; access {}; fantasy; changets;")}
${service("SaslServ")}
database {};
general {};
`,
      { mode: 0o644 },
    );
    return new Atheme(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves when it is linked. */
  async start(): Promise<void> {
    const file = (name: string) => join(this.#folder, name);
    const args = ["-n", "-c", file("atheme.conf"), "-D", this.#folder, "-p", file("atheme.pid")];
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    this.#process = await ServerProcess.start(
      "atheme-services",
      [...args, "-l", file("atheme.log")],
      /finished synching/,
      {},
      user,
    );
  }

  /** It keeps what was registered. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }
}
