import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeConsent } from "../../src/cli/terminal/consent-words.ts";
import type { Consent } from "../../src/contract/index.ts";
import { type Bench, openBench } from "../catalog/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type Published, startSigningRegistry } from "../support/signing-registry.ts";
import { startVerdaccio } from "../support/verdaccio.ts";

const words = (job: { log: { text: string }[] }) => job.log.map(({ text }) => text).join("\n");

/** A published plugin that depends on one published package. */
async function withDependency(
  bench: Bench,
  npm: { publish(dir: string, how?: Published): Promise<void> },
  of: Published,
) {
  const dep = join(bench.work, "dep");
  await mkdir(dep, { recursive: true });
  await writeFile(
    join(dep, "package.json"),
    JSON.stringify({ name: "helper-lib", version: "1.0.0", main: "index.js" }),
  );
  await writeFile(join(dep, "index.js"), "module.exports = 1;\n");
  await npm.publish(dep, of);
  const packageFile = { dependencies: { "helper-lib": "^1.0.0" } };
  await npm.publish(await writePlugin(join(bench.work, "uses"), { key: "uses", packageFile }));
}

test("a package whose signature fits is installed, and that is said", async () => {
  await using bench = await openBench();
  await using npm = await startSigningRegistry();
  await npm.publish(await writePlugin(join(bench.work, "p"), { key: "signed" }));
  const job = await bench.install("patchbay-plugin-signed", { registry: npm.url });
  expect(job.problem).toBeNull();
  expect(bench.registry.get("signed")?.source.vouched).toEqual({
    signature: "verified",
    provenance: { status: "missing" },
    withoutIntegrity: [],
    advisories: [],
  });
  expect(job.consent?.source.vouched?.signature).toBe("verified");
});

test("a package with a forged signature is refused", async () => {
  await using bench = await openBench();
  await using npm = await startSigningRegistry();
  await npm.publish(await writePlugin(join(bench.work, "p"), { key: "forged" }), { signature: "forged" });
  const job = await bench.install("patchbay-plugin-forged", { registry: npm.url });
  expect(job).toMatchObject({ status: "failed", problem: { code: "SIGNATURE_INVALID" } });
  expect(job.problem?.message).toContain("patchbay-plugin-forged@");
  expect(bench.registry.get("forged")).toBeUndefined();
  expect(await bench.placed()).toEqual([]);
});

test("a dependency with a forged signature refuses the whole package", async () => {
  await using bench = await openBench();
  await using npm = await startSigningRegistry();
  await withDependency(bench, npm, { signature: "forged" });
  const job = await bench.install("patchbay-plugin-uses", { registry: npm.url });
  expect(job).toMatchObject({ status: "failed", problem: { code: "SIGNATURE_INVALID" } });
  expect(job.problem?.message).toContain("helper-lib@1.0.0");
  expect(await bench.placed()).toEqual([]);
});

test("a signature that was left out is missed at consent", async () => {
  await using bench = await openBench();
  await using npm = await startSigningRegistry();
  await npm.publish(await writePlugin(join(bench.work, "p"), { key: "bare" }), { signature: "none" });
  const job = await bench.install("patchbay-plugin-bare", { registry: npm.url });
  expect(job.consent?.source.vouched?.signature).toBe("missing");
  expect(words(job)).toContain("It has no signature, although the registry signs packages");
});

test("a package that names a publisher itself does not pass for that publisher's", async () => {
  await using bench = await openBench();
  await using npm = await startSigningRegistry();
  const packageFile = { author: "The Patchbay Team", _npmUser: { name: "patchbay" } };
  const dir = await writePlugin(join(bench.work, "p"), { key: "posing", packageFile });
  const fromFolder = await bench.install(dir);
  expect(fromFolder.consent).toMatchObject({ publisher: "The Patchbay Team" });
  expect(fromFolder.consent?.source.vouched).toBeUndefined();
  expect(describeConsent(fromFolder.consent as Consent)).toContain(
    "Publisher: The Patchbay Team (not verified: the package says so itself)",
  );
  // Without a signature that fits, a registry's word about accounts is nobody's word.
  await npm.publish(dir, { signature: "none", account: "patchbay" });
  const unsigned = await bench.install("patchbay-plugin-posing", { registry: npm.url });
  expect(unsigned.consent?.source.vouched).toMatchObject({ signature: "missing" });
  expect(unsigned.consent?.source.vouched?.publisher).toBeUndefined();
});

test("the account that published a signed package is shown as verified, in clean words", async () => {
  await using bench = await openBench();
  await using npm = await startSigningRegistry();
  const dir = await writePlugin(join(bench.work, "p"), { key: "known", packageFile: { author: "Somebody" } });
  await npm.publish(dir, { account: "ada\u202e\u0007" });
  const { consent } = await bench.install("patchbay-plugin-known", { registry: npm.url });
  expect(consent?.source.vouched?.publisher).toBe("ada\ufffd␇");
  const card = describeConsent(consent as Consent);
  expect(card).toContain("Publisher: ada\ufffd␇ (verified by the registry)");
  for (const line of [
    "Source: npm: patchbay-plugin-known@",
    "Integrity: sha512-",
    "Signature: verified",
    "Known weaknesses: none",
  ])
    expect(card).toContain(line);
});

test("keys that are kept back are said, and do not pass for a registry that signs nothing", async () => {
  await using bench = await openBench();
  await using npm = await startSigningRegistry();
  npm.keysStatus = 403;
  await npm.publish(await writePlugin(join(bench.work, "p"), { key: "keyless" }), { signature: "forged" });
  const job = await bench.install("patchbay-plugin-keyless", { registry: npm.url });
  expect(job.consent?.source.vouched?.signature).toBe("unchecked");
});

test("a dependency without a checksum is named", async () => {
  await using bench = await openBench();
  await using npm = await startSigningRegistry();
  await withDependency(bench, npm, { signature: "none", integrity: false });
  const job = await bench.install("patchbay-plugin-uses", { registry: npm.url });
  expect(job.consent?.source.vouched?.withoutIntegrity).toEqual(["helper-lib@1.0.0"]);
  expect(words(job)).toContain("The registry gives no checksum for helper-lib@1.0.0");
});

test("known weaknesses are shown before the person agrees, in clean words", async () => {
  await using bench = await openBench();
  await using npm = await startSigningRegistry();
  npm.advisories = {
    "helper-lib": [
      {
        id: 1,
        title: "Runs\u001b[31m\u202e anything",
        severity: "critical",
        vulnerable_versions: "<2.0.0",
        url: "javascript:1",
      },
    ],
  };
  await withDependency(bench, npm, {});
  const job = await bench.install("patchbay-plugin-uses", { registry: npm.url });
  expect(job.consent?.source.vouched?.advisories).toEqual([
    { packageName: "helper-lib", title: "Runs [31m  anything", severity: "critical", range: "<2.0.0" },
  ]);
  expect(words(job)).toContain("Known weakness (critical) of helper-lib <2.0.0");
});

test("a registry without keys and advisories, as verdaccio is: both are said", async () => {
  await using bench = await openBench();
  await using npm = await startVerdaccio();
  await npm.publish(await writePlugin(join(bench.work, "p"), { key: "plain" }));
  const job = await bench.install("patchbay-plugin-plain", { registry: npm.url });
  expect(job.problem).toBeNull();
  expect(job.consent?.source.vouched).toMatchObject({ signature: "no_keys", advisories: null });
  expect(words(job)).toContain("could not be checked: the registry does not answer that");
});
