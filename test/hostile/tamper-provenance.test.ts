import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeConsent } from "../../src/cli/terminal/consent-words.ts";
import type { Consent, Job } from "../../src/contract/index.ts";
import { type Bench, openBench } from "../catalog/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { startSigningRegistry } from "../support/signing-registry.ts";
import {
  type Attestation,
  type SigstoreAuthority,
  type Subject,
  startSigstoreAuthority,
} from "../support/sigstore-authority.ts";
import { writeTrustedRoot } from "../support/tuf-cache.ts";

const repository = "https://github.com/ada/weather";

let authority: SigstoreAuthority;
let stranger: SigstoreAuthority;

beforeAll(async () => {
  authority = await startSigstoreAuthority();
  stranger = await startSigstoreAuthority();
});

afterAll(async () => {
  await authority[Symbol.asyncDispose]();
  await stranger[Symbol.asyncDispose]();
});

/** What becomes of a published plugin with a proof. */
async function installProven(
  bench: Bench,
  key: string,
  prove: (subject: Subject) => Promise<Attestation>,
  trust: (npmCache: string) => Promise<void> = authority.trustedBy,
): Promise<Job> {
  await trust(bench.options.storage.places.npmCache);
  await using npm = await startSigningRegistry();
  await npm.publish(await writePlugin(join(bench.work, "p"), { key }), { prove });
  return await bench.install(`patchbay-plugin-${key}`, { registry: npm.url });
}

/** Nothing of the package is there, and the person reads which package was refused and why. */
async function expectRefused(bench: Bench, key: string, job: Job, reason: RegExp) {
  expect(job).toMatchObject({ status: "failed", consent: null, problem: { code: "SIGNATURE_INVALID" } });
  expect(bench.registry.get(key)).toBeUndefined();
  expect(await bench.placed()).toEqual([]);
  expect(job.problem?.message).toContain(`does not vouch for the package patchbay-plugin-${key}@1.0.0`);
  expect(job.problem?.details?.reason).toMatch(reason);
  expect(job.log.map(({ text }) => text)).toContain(job.problem?.message);
}

test("a proof of its source that fits is said, with the repository", async () => {
  await using bench = await openBench();
  const job = await installProven(bench, "proven", (subject) => authority.prove(subject, repository));
  expect(job.problem).toBeNull();
  const proven = { signature: "verified", provenance: { status: "verified", repository } };
  expect(job.consent?.source.vouched).toMatchObject(proven);
  expect(bench.registry.get("proven")?.source.vouched).toMatchObject(proven);
  expect(describeConsent(job.consent as Consent)).toContain(`Built from: ${repository} (verified)`);
});

test("a proof of another archive is refused", async () => {
  await using bench = await openBench();
  const other = "ab".repeat(64);
  const job = await installProven(bench, "swapped", (subject) =>
    authority.prove({ ...subject, sha512: other }, repository),
  );
  await expectRefused(bench, "swapped", job, /doesn't match what was signed: (ab){64}/);
});

test("a proof of another package is refused", async () => {
  await using bench = await openBench();
  const job = await installProven(bench, "renamed", (subject) =>
    authority.prove({ ...subject, name: "patchbay-plugin-weather" }, repository),
  );
  await expectRefused(
    bench,
    "renamed",
    job,
    /doesn't match what was signed: pkg:npm\/patchbay-plugin-weather@/,
  );
});

test("a proof that was changed after it was signed is refused", async () => {
  await using bench = await openBench();
  const job = await installProven(bench, "changed", async (subject) => {
    const [mine, theirs] = [await authority.prove(subject, "https://github.com/eve/mine"), "ada/weather"];
    const envelope = mine.bundle.dsseEnvelope;
    const statement = Buffer.from(envelope?.payload ?? "", "base64").toString("utf8");
    const payload = Buffer.from(statement.replaceAll("eve/mine", theirs)).toString("base64");
    return { ...mine, bundle: { ...mine.bundle, dsseEnvelope: { ...envelope, payload } } } as Attestation;
  });
  await expectRefused(bench, "changed", job, /failed to verify attestation/);
});

test("a proof signed by an unknown authority is refused", async () => {
  await using bench = await openBench();
  const job = await installProven(bench, "stranger", (subject) => stranger.prove(subject, repository));
  await expectRefused(bench, "stranger", job, /Failed to verify certificate chain/);
});

test("a package whose name reads like trouble with the network does not get a wrong proof excused", async () => {
  await using bench = await openBench();
  const job = await installProven(bench, "fetch-stuff", (subject) => stranger.prove(subject, repository));
  await expectRefused(bench, "fetch-stuff", job, /Failed to verify certificate chain/);
});

test("a proof that names a repository other than its signer's is refused", async () => {
  await using bench = await openBench();
  const job = await installProven(bench, "borrowed", (subject) =>
    authority.prove(subject, repository, "https://github.com/eve/mine"),
  );
  await expectRefused(bench, "borrowed", job, /github\.com\/eve\/mine signed its proof/);
});

test("a proof that there are no roots of trust for is said to be unchecked, and names no repository", async () => {
  await using bench = await openBench();
  const prove = (subject: Subject) => stranger.prove(subject, repository);
  const job = await installProven(bench, "rootless", prove, (npmCache) => writeTrustedRoot(npmCache, null));
  expect(job.problem).toBeNull();
  expect(job.consent?.source.vouched?.provenance).toEqual({ status: "unchecked" });
  const card = describeConsent(job.consent as Consent);
  expect(card).toContain("Built from: could not be checked");
  expect(card).not.toContain(repository);
});
