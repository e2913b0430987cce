/// <reference path="./node-forge.d.ts" />
import { generateKeyPair, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { promisify } from "node:util";
import type { Certificate, Extension } from "node-forge";
import { type Clock, systemClock } from "../../../base/clock.ts";

/** How long certificates hold, in milliseconds: longer than any run, because nobody keeps them. */
const VALID_MS = 3 * 365 * 24 * 60 * 60 * 1_000;
/** How far back they hold: clocks differ. */
const BACK_MS = 24 * 60 * 60 * 1_000;

const issuer = [{ name: "commonName", value: "Patchbay, for the plugins of this run" }];

/** Certificate and private key of a host, as PEM. */
export interface HostIdentity {
  cert: string;
  key: string;
}

interface Keys {
  publicKey: string;
  privateKey: string;
}

/** Issues certificates for hosts to the processes that trust it. Its private key never leaves the memory of the core. */
export class Authority {
  /** Its own certificate, as PEM. */
  readonly certificate: string;
  readonly #forge: typeof import("node-forge").default;
  readonly #own: Keys;
  /** One key serves all hosts: nobody but the core has it. */
  readonly #hosts: Keys;
  readonly #issued = new Map<string, HostIdentity>();
  readonly #clock: Clock;

  /** Makes a new one, with new keys. Takes about a tenth of a second, beside the thread of the core. */
  static async make(clock: Clock = systemClock): Promise<Authority> {
    // Only those who have such a plugin pay for the library.
    const [{ default: forge }, own, hosts] = await Promise.all([import("node-forge"), newKeys(), newKeys()]);
    return new Authority(forge, own, hosts, clock);
  }

  private constructor(forge: typeof import("node-forge").default, own: Keys, hosts: Keys, clock: Clock) {
    this.#forge = forge;
    this.#own = own;
    this.#hosts = hosts;
    this.#clock = clock;
    this.certificate = this.#issue(own.publicKey, issuer, [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
      { name: "subjectKeyIdentifier" },
    ]);
  }

  /** @param host a name, or an IP address without brackets */
  identityOf(host: string): HostIdentity {
    const known = this.#issued.get(host);
    if (known) return known;
    // The subject has at most 64 characters, names of hosts up to 253; who checks looks at the alternative names.
    const cert = this.#issue(
      this.#hosts.publicKey,
      [{ name: "commonName", value: "A host, by way of Patchbay" }],
      [
        { name: "basicConstraints", cA: false },
        { name: "keyUsage", digitalSignature: true },
        { name: "extKeyUsage", serverAuth: true },
        { name: "subjectAltName", altNames: [isIP(host) ? { type: 7, ip: host } : { type: 2, value: host }] },
      ],
    );
    const identity = { cert, key: this.#hosts.privateKey };
    this.#issued.set(host, identity);
    return identity;
  }

  #issue(publicKey: string, subject: typeof issuer, extensions: Extension[]): string {
    const { pki, md } = this.#forge;
    const certificate: Certificate = pki.createCertificate();
    const now = this.#clock.now();
    certificate.publicKey = pki.publicKeyFromPem(publicKey);
    // The first bit of a number is its sign.
    certificate.serialNumber = `01${randomBytes(15).toString("hex")}`;
    certificate.validity.notBefore = new Date(now - BACK_MS);
    certificate.validity.notAfter = new Date(now + VALID_MS);
    certificate.setSubject(subject);
    certificate.setIssuer(issuer);
    certificate.setExtensions(extensions);
    certificate.sign(pki.privateKeyFromPem(this.#own.privateKey), md.sha256.create());
    return pki.certificateToPem(certificate);
  }
}

let made: Promise<Authority> | undefined;

/** The authority of this run of Patchbay. */
export function authorityOfThisRun(): Promise<Authority> {
  made ??= Authority.make();
  return made;
}

function newKeys(): Promise<Keys> {
  return promisify(generateKeyPair)("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
}
