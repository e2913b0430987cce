import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A certificate and its key, as files. */
export interface Certificate {
  certificate: string;
  key: string;
}

/** An authority that nobody knows, and what it signs for `localhost`. */
export class TestAuthority {
  readonly #folder: string;
  #pem = "";

  static async open(): Promise<TestAuthority> {
    const authority = new TestAuthority(await mkdtemp(join(tmpdir(), "patchbay-certificates-")));
    await authority.#found();
    return authority;
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** What a computer is given that is to trust it. */
  get pem(): string {
    return this.#pem;
  }

  /** @param name the host that it is for */
  async sign(name: string): Promise<Certificate> {
    const file = (ending: string) => join(this.#folder, `${name}.${ending}`);
    await writeFile(file("ext"), `subjectAltName=DNS:${name}\n`);
    await this.#openssl(
      "req",
      "-subj",
      `/CN=${name}`,
      "-keyout",
      file("key"),
      "-out",
      file("csr"),
      ...newKey,
    );
    await this.#openssl(
      "x509",
      "-req",
      ...["-in", file("csr"), "-out", file("crt"), "-days", "2", "-extfile", file("ext")],
      ...["-CA", this.#file("ca.crt"), "-CAkey", this.#file("ca.key"), "-CAcreateserial"],
    );
    return this.#readable({ certificate: file("crt"), key: file("key") });
  }

  async selfSigned(name: string): Promise<Certificate> {
    const own = { certificate: this.#file("own.crt"), key: this.#file("own.key") };
    const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`, "-days", "2"];
    await this.#openssl("req", "-x509", ...subject, "-keyout", own.key, "-out", own.certificate, ...newKey);
    return this.#readable(own);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #found(): Promise<void> {
    await chmod(this.#folder, 0o755);
    const [key, certificate] = [this.#file("ca.key"), this.#file("ca.crt")];
    const subject = ["-subj", "/CN=Patchbay test authority", "-days", "2"];
    await this.#openssl("req", "-x509", ...subject, "-keyout", key, "-out", certificate, ...newKey);
    this.#pem = await readFile(certificate, "utf8");
  }

  /** The server may run as somebody else. */
  async #readable(pair: Certificate): Promise<Certificate> {
    await chmod(pair.key, 0o644);
    return pair;
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  async #openssl(...words: string[]): Promise<void> {
    await run("openssl", words);
  }
}

const newKey = ["-newkey", "rsa:2048", "-nodes"];
