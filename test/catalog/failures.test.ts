import { fork } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { packFolder, startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { openBench } from "./support.ts";

let npm: TestRegistry;
beforeAll(async () => {
  npm = await startVerdaccio();
});
afterAll(() => npm.close());

async function serve(listener: RequestListener): Promise<{ url: string; server: Server } & AsyncDisposable> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    server,
    [Symbol.asyncDispose]: close,
  };
}

test("a registry that is down is named", async () => {
  await using bench = await openBench();
  const gone = await serve(() => {});
  await gone[Symbol.asyncDispose]();
  const job = await bench.install("anything", { registry: gone.url });
  expect(job).toMatchObject({
    status: "failed",
    phase: "resolve",
    problem: {
      code: "REGISTRY_UNREACHABLE",
      message: `The registry ${new URL(gone.url).host} did not answer.`,
    },
  });
  expect(await bench.staged()).toEqual([]);
});

test.each([500, 503, 401, 403])("a registry that answers %i is named with its answer", async (status) => {
  await using bench = await openBench();
  await using server = await serve((_request, response) => response.writeHead(status).end("{}"));
  const job = await bench.install("anything", { registry: server.url });
  expect(job.problem).toMatchObject({
    code: "REGISTRY_REFUSED",
    message: `The registry ${new URL(server.url).host} answered with error ${status}.`,
  });
});

test("a registry that answers with a web page is named", async () => {
  await using bench = await openBench();
  await using server = await serve((_request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html>sign in</html>"),
  );
  const job = await bench.install("anything", { registry: server.url });
  expect(job.problem?.code).toBe("REGISTRY_REFUSED");
});

test("a phase that takes too long is stopped", async () => {
  await using bench = await openBench({ limits: { resolve: 400 } });
  await using server = await serve(() => {});
  const job = await bench.install("anything", { registry: server.url });
  expect(job).toMatchObject({
    status: "failed",
    problem: { code: "JOB_TIMEOUT", details: { phase: "resolve" } },
  });
  expect(await bench.staged()).toEqual([]);
});

test("cancelling during the download ends it at once and leaves nothing", async () => {
  await using bench = await openBench();
  await npm.publish(await writePlugin(join(bench.work, "slow"), { key: "slow" }));
  const asked = Promise.withResolvers<void>();
  await using server = await serve(async (request, response) => {
    if (request.url?.endsWith(".tgz")) {
      response.writeHead(200, { "content-type": "application/octet-stream", "content-length": "1000000" });
      response.write("a first piece");
      asked.resolve();
      return;
    }
    const answer = await fetch(new URL(request.url ?? "/", npm.url));
    const text = (await answer.text()).replaceAll(npm.url, server.url);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  });
  const { id } = await bench.jobs.install({ spec: "patchbay-plugin-slow", registry: server.url, yes: true });
  await asked.promise;
  expect(bench.jobs.get(id).phase).toBe("download");
  bench.jobs.cancel(id);
  const job = await bench.jobs.ended(id);
  expect(job).toMatchObject({ status: "cancelled", problem: { code: "ABORTED" } });
  expect(await bench.staged()).toEqual([]);
  expect(await bench.placed()).toEqual([]);
});

test.each([
  [
    "breaks off",
    (piece: Buffer, response: ServerResponse) => response.write(piece, () => response.destroy()),
  ],
  ["ends too early", (piece: Buffer, response: ServerResponse) => response.end(piece)],
])("a download that %s fails the job and leaves nothing", async (_what, answer) => {
  await using bench = await openBench();
  const archive = await packFolder(
    await writePlugin(join(bench.work, "p"), { files: { "t.txt": randomText() } }),
  );
  await using server = await serve((_request, response) => {
    response.writeHead(200, { "content-length": String(archive.length) });
    answer(archive.subarray(0, 5_000), response);
  });
  const job = await bench.install(`${server.url}broken.tgz`);
  expect(job.status).toBe("failed");
  expect(["REGISTRY_UNREACHABLE", "ARCHIVE_DAMAGED"]).toContain(job.problem?.code);
  expect(await bench.placed()).toEqual([]);
  expect(await bench.staged()).toEqual([]);
});

test("the process that fetches does not outlive the app", async () => {
  await using bench = await openBench();
  const asked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  await using server = await serve((request) => {
    asked.resolve();
    request.socket.once("close", () => gone.resolve());
  });
  const child = fork(
    new URL("install-in-a-loop.ts", import.meta.url),
    [bench.work, bench.home, `${server.url}a.tgz`],
    {
      execArgv: ["--no-warnings"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    },
  );
  await asked.promise;
  child.kill("SIGKILL");
  await gone.promise;
});

test("a failed job can be tried again, and taken off the list", async () => {
  await using bench = await openBench();
  const dir = join(bench.work, "later");
  const failed = await bench.install(dir);
  expect(failed.problem).toMatchObject({ code: "SOURCE_MISSING", message: `There is no folder at ${dir}.` });
  await writePlugin(dir, { key: "later" });
  await bench.jobs.retry(failed.id);
  await bench.untilConsent(failed.id);
  bench.jobs.consent(failed.id, { accept: true });
  expect(await bench.jobs.ended(failed.id)).toMatchObject({ status: "done", problem: null });
  await bench.jobs.remove(failed.id);
  expect(bench.jobs.list()).toEqual([]);
  expect(() => bench.jobs.get(failed.id)).toThrow("That installation is no longer in the list.");
});

test("an archive cut short is refused as damaged", async () => {
  await using bench = await openBench();
  const whole = await packFolder(
    await writePlugin(join(bench.work, "cut"), { files: { "big.txt": randomText() } }),
  );
  const file = join(bench.work, "cut.tgz");
  for (const length of [whole.length - 40, Math.floor(whole.length / 2), 30, 0]) {
    await writeFile(file, whole.subarray(0, length));
    const job = await bench.install(file);
    expect(job.problem?.code, `cut at ${length} of ${whole.length}`).toBe("ARCHIVE_DAMAGED");
  }
  await writeFile(file, whole);
  expect((await bench.install(file)).problem).toBeNull();
  expect(bench.registry.get("echo")).toMatchObject({ trust: "unverified", source: { kind: "tarball" } });
});

test("a file that is no archive is refused as damaged", async () => {
  await using bench = await openBench();
  const file = join(bench.work, "text.tgz");
  await writeFile(file, "this is a letter, not an archive ".repeat(100));
  expect((await bench.install(file)).problem?.code).toBe("ARCHIVE_DAMAGED");
});

test("an archive installs from an address, and a missing one is named", async () => {
  await using bench = await openBench();
  const archive = await packFolder(await writePlugin(join(bench.work, "web"), { key: "web" }));
  await using server = await serve((request, response) => {
    if (request.url === "/web.tgz") response.writeHead(200).end(archive);
    else response.writeHead(404).end();
  });
  expect((await bench.install(`${server.url}web.tgz`)).problem).toBeNull();
  expect((await bench.install(`${server.url}other.tgz`)).problem).toMatchObject({
    code: "PACKAGE_NOT_FOUND",
    message: `The server ${new URL(server.url).host} has no file at /other.tgz.`,
  });
});

test("a package that is no plugin is refused", async () => {
  await using bench = await openBench();
  const dir = join(bench.work, "plain");
  const { writeFiles } = await import("../support/fixture-plugin.ts");
  await writeFiles(dir, { "readme.md": "nothing here" });
  expect((await bench.install(dir)).problem?.code).toBe("NOT_A_PLUGIN");
  expect(await bench.placed()).toEqual([]);
});

test("a manifest that changes each time it is read is refused and nothing is placed", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "moody"), { key: "moody" });
  const text = await readFile(join(dir, "index.js"), "utf8");
  await writeFile(join(dir, "index.js"), text.replace('"Says what it is told."', "String(Math.random())"));
  const job = await bench.install(dir);
  expect(job.problem).toMatchObject({
    code: "MANIFEST_CHANGED",
    message: "Echo describes itself differently each time it is read.",
  });
  expect(bench.registry.list()).toEqual([]);
  expect(await bench.placed()).toEqual([]);
});

test.each([
  ["loops for ever", "for (;;);", "INSPECT_TIMEOUT"],
  ["never finishes its import", "await new Promise(() => setInterval(() => {}, 1e6));", "INSPECT_TIMEOUT"],
  ["exits the process", "process.exit(0);", "INSPECT_CRASHED"],
  ["throws", 'throw new Error("not today");', "INSPECT_CRASHED"],
])("a manifest that %s fails the job at inspect, and nothing is placed", async (_what, prelude, code) => {
  await using bench = await openBench({ inspectMs: 2_000 });
  const job = await bench.install(await writePlugin(join(bench.work, "bad"), { key: "bad", prelude }));
  expect(job).toMatchObject({ status: "failed", phase: "inspect", problem: { code } });
  expect(await bench.placed()).toEqual([]);
  expect(await bench.staged()).toEqual([]);
});

test("a manifest that prints 10 MB installs all the same", async () => {
  await using bench = await openBench();
  const prelude = 'process.stdout.write("x".repeat(10_000_000));';
  const job = await bench.install(await writePlugin(join(bench.work, "loud"), { key: "loud", prelude }));
  expect(job.problem).toBeNull();
  expect(JSON.stringify(job).length).toBeLessThan(20_000);
});

test("what is no spec is refused with a sentence", async () => {
  await using bench = await openBench();
  expect((await bench.install("./relative/folder")).problem).toMatchObject({
    code: "SPEC_UNSUPPORTED",
    message: "“./relative/folder” is not a whole path.",
  });
  expect((await bench.install("svn+ssh://host/repo")).problem?.code).toBe("SPEC_UNSUPPORTED");
});

/** A text that does not compress, so that cutting the archive short also cuts its content. */
function randomText(): string {
  let seed = 1;
  return Array.from({ length: 20_000 }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (seed % 90));
  }).join("");
}
