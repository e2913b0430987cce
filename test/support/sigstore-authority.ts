import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fulcioHandler, initializeCA, initializeCTLog, initializeTLog, rekorHandler } from "@sigstore/mock";
import { attest } from "sigstore";
import { writeTrustedRoot } from "./tuf-cache.ts";

/** A published archive, as a proof of its source names it. */
export interface Subject {
  name: string;
  version: string;
  /** SHA-512 of the archive, in hex. */
  sha512: string;
}

/** What a registry keeps of one proof. */
export interface Attestation {
  predicateType: string;
  bundle: Awaited<ReturnType<typeof attest>>;
}

/** An authority of the test's own that certifies signers and logs what they sign, as Sigstore does. */
export interface SigstoreAuthority extends AsyncDisposable {
  /** Signs that an archive was built from a repository; a workflow of that repository signs, or of the one in `signer`. */
  prove(subject: Subject, repository: string, signer?: string): Promise<Attestation>;
  /** Makes this authority the only one that the checks with this download cache trust. */
  trustedBy(npmCache: string): Promise<void>;
}

const predicateType = "https://slsa.dev/provenance/v1";

export async function startSigstoreAuthority(): Promise<SigstoreAuthority> {
  const pair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = createServer(async (request, response) => {
    const handler = handlers.find(({ path }) => path === request.url);
    const { statusCode, response: body } = handler
      ? await handler.fn(await text(request))
      : { statusCode: 404, response: "" };
    response.writeHead(statusCode, { "content-type": "application/json" });
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const certificateLog = await initializeCTLog(pair());
  const certifier = await initializeCA(pair(), certificateLog);
  // The log signs under the name that the trusted root has for it.
  const log = await initializeTLog("https://rekor.sigstore.dev", pair());
  const handlers = [fulcioHandler(certifier), rekorHandler(log)];
  return {
    async prove(subject, repository, signer = repository) {
      const statement = JSON.stringify(statementOf(subject, repository));
      const bundle = await attest(Buffer.from(statement), "application/vnd.in-toto+json", {
        fulcioURL: url,
        rekorURL: url,
        identityToken: identityOf(signer),
        // As npm does: the kind of entry that the log keeps as it was sent, and the chain within the proof.
        legacyCompatibility: true,
      });
      return { predicateType, bundle };
    },
    trustedBy: (npmCache) =>
      writeTrustedRoot(npmCache, {
        certificate: bytesOf(certifier.rootCertificate),
        certificateLog: certificateLog.publicKey,
        log: log.publicKey,
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function statementOf({ name, version, sha512 }: Subject, repository: string) {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: `pkg:npm/${name}@${version}`, digest: { sha512 } }],
    predicateType,
    predicate: {
      buildDefinition: {
        buildType: "https://slsa-framework.github.io/github-actions-buildtypes/workflow/v1",
        externalParameters: {
          workflow: { ref: "refs/heads/main", repository, path: ".github/workflows/publish.yml" },
        },
        resolvedDependencies: [{ uri: `git+${repository}@refs/heads/main` }],
      },
      runDetails: { builder: { id: "https://github.com/actions/runner/github-hosted" } },
    },
  };
}

/** The identity of a workflow, in the form of a token whose signature the stand-in does not look at. */
function identityOf(repository: string): string {
  const workflow = `${repository}/.github/workflows/publish.yml@refs/heads/main`;
  const claims = {
    iss: "https://token.actions.githubusercontent.com",
    aud: "sigstore",
    sub: workflow,
    repository: new URL(repository).pathname.slice(1),
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.${part({})}`;
}

function bytesOf(view: ArrayBufferView): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}
