import { createHash, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import ssri from "ssri";
import type { Attestation, Subject } from "./sigstore-authority.ts";
import { packFolder } from "./verdaccio.ts";

export interface Published {
  /** `right`: signed with the registry's key. `forged`: with another key, under the id of the right one. */
  signature?: "right" | "forged" | "none";
  /** Whether the registry announces a checksum of the archive. */
  integrity?: boolean;
  /** The account that the registry says published it. */
  account?: string;
  /** Makes the proof of its source that the registry hands out for this archive. */
  prove?(subject: Subject): Promise<Attestation>;
}

/** A small npm registry that signs what it is told to sign, as registry.npmjs.org does. */
export interface SigningRegistry extends AsyncDisposable {
  readonly url: string;
  /** The status that it answers with when it is asked for its keys; 200 gives them. */
  keysStatus: number;
  /** What it answers when it is asked for weaknesses; null: it does not know the question. */
  advisories: Record<string, unknown> | null;
  publish(dir: string, how?: Published): Promise<void>;
}

export async function startSigningRegistry(): Promise<SigningRegistry> {
  const right = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const wrong = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keyid = "SHA256:test-registry";
  const packages = new Map<string, { versions: Record<string, unknown>; latest: string }>();
  const archives = new Map<string, Buffer>();
  const attestations = new Map<string, Attestation[]>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://registry").pathname).slice(1);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    };
    const archive = archives.get(path);
    const found = packages.get(path);
    const proofs = attestations.get(path);
    if (path === "-/npm/v1/keys") {
      const key = right.publicKey.export({ type: "spki", format: "der" }).toString("base64");
      answer(registry.keysStatus, { keys: [{ keyid, keytype: "ecdsa-sha2-nistp256", key, expires: null }] });
    } else if (path === "-/npm/v1/security/advisories/bulk") {
      request.resume();
      answer(registry.advisories ? 200 : 404, registry.advisories ?? {});
    } else if (archive) answer(200, archive);
    else if (proofs) answer(200, { attestations: proofs });
    else if (found) {
      answer(200, { name: path, "dist-tags": { latest: found.latest }, versions: found.versions, time: {} });
    } else answer(404, {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const registry: SigningRegistry = {
    url,
    keysStatus: 200,
    advisories: {},
    async publish(dir, { signature = "right", integrity = true, account, prove } = {}) {
      const file = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
      const { name, version } = file;
      const archive = await packFolder(dir);
      const path = `${name}/-/${name}-${version}.tgz`;
      archives.set(path, archive);
      const sum = ssri.fromData(archive, { algorithms: ["sha512"] }).toString();
      const sign = (key: KeyObject) =>
        createSign("SHA256").update(`${name}@${version}:${sum}`).sign(key, "base64");
      const signed = signature === "none" ? null : sign((signature === "right" ? right : wrong).privateKey);
      const proofsAt = `-/npm/v1/attestations/${name}@${version}`;
      const sha512 = createHash("sha512").update(archive).digest("hex");
      const proof = await prove?.({ name, version, sha512 });
      if (proof) attestations.set(proofsAt, [proof]);
      const dist = {
        tarball: `${url}${path}`,
        ...(integrity && { integrity: sum, shasum: createHash("sha1").update(archive).digest("hex") }),
        ...(signed && { signatures: [{ keyid, sig: signed }] }),
        ...(proof && {
          attestations: { url: `${url}${proofsAt}`, provenance: { predicateType: proof.predicateType } },
        }),
      };
      const { versions } = packages.get(name) ?? { versions: {} };
      packages.set(name, {
        versions: {
          ...versions,
          [version]: {
            ...file,
            _id: `${name}@${version}`,
            dist,
            ...(account && { _npmUser: { name: account } }),
          },
        },
        latest: version,
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return registry;
}
