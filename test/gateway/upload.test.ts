import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { create } from "tar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Job } from "../../src/contract/index.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { type Client, connectSocket } from "./support.ts";

describe("a package file that a screen hands over", () => {
  let folder: string;
  let home: string;
  let app: RunningApp;
  let client: Client;
  let close: () => void;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "patchbay-upload-"));
    home = join(folder, "home");
    app = await startApp(home);
    const { client: connected, socket } = await connectSocket(app);
    client = connected;
    close = () => socket.close();
  });
  afterAll(async () => {
    close();
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ended = async ({ id }: Job): Promise<Job> => {
    for await (const job of await client.jobs.watch({ id })) {
      if (job.question) await client.jobs.consent({ id, accept: true, question: job.question });
      if (job.endedAt !== null) return job;
    }
    throw new Error("the stream ended early");
  };
  const uploads = async () =>
    (await readdir(join(home, "staging")).catch(() => [])).filter((name) => name.startsWith("upload-"));

  it("is installed, also when it is larger than any other message, and is not kept", async () => {
    await cp(resolve("test/fixtures/plugins/echo"), join(folder, "package"), { recursive: true });
    await writeFile(join(folder, "package", "filler.bin"), randomBytes(12 * 1024 * 1024));
    const packed = join(folder, "echo.tgz");
    await create({ file: packed, cwd: folder, gzip: true }, ["package"]);
    const job = await client.jobs.upload({ file: new File([await readFile(packed)], "../echo-1.0.0.tgz") });
    expect(job.spec.startsWith(join(home, "staging"))).toBe(true);
    expect(await ended(job)).toMatchObject({ status: "done", sourceKind: "tarball", pluginKey: "echo" });
    await expect.poll(uploads).toEqual([]);
  });

  it("that is no archive fails with its reason, can be tried again, and goes with its job", async () => {
    const job = await client.jobs.upload({ file: new File(["no archive"], "broken.tgz") });
    const failed = await ended(job);
    expect(failed.status).toBe("failed");
    expect(failed.problem?.message).toBeTruthy();
    const again = await ended(await client.jobs.retry({ id: job.id }));
    expect(again.problem?.code).toBe(failed.problem?.code);
    await client.jobs.remove({ id: job.id });
    await expect.poll(uploads).toEqual([]);
  });

  it("that is not named like one is refused before anything is written", async () => {
    await expect(client.jobs.upload({ file: new File(["text"], "notes.txt") })).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
    expect(await uploads()).toEqual([]);
  });
});
