import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Collection, StaleRow, type Storage } from "../../src/main/store/storage.ts";

/** The parts of a storage that this suite tests: those that do not depend on where the data lies. */
export type StoragePart = Pick<Storage, "rows" | "drop" | "log" | "sessions" | "blobs" | "files" | "leases">;

/** One store under test, and what a test can do to it. */
export interface Ground {
  /** Opens the store as a new process would after this one has ended. */
  open(): StoragePart;
  /** Makes the next write fail without changing anything. */
  failNext(): void;
  /** Lets another process take the lease over although its holder still runs. */
  takeOver(): Promise<void>;
  /** Lets the time of its clock pass. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

const rowSchema = z.object({ pluginKey: z.string(), note: z.string().optional(), count: z.number() });
type Row = z.infer<typeof rowSchema>;
const collection: Collection<Row> = { name: "agent-plugins", schema: rowSchema, version: 1 };
const scope = { agentId: "ada" };
const row = (count: number, more: Partial<Row> = {}): Row => ({ pluginKey: "mail", count, ...more });
const counted = (current: Row | undefined): Row => row((current?.count ?? 0) + 1);
const lineSchema = z.object({ at: z.string(), kind: z.string() });
const line = (kind: string) => ({ at: "2026-01-01T00:00:00.000Z", kind });

/** The tests that every adapter of the storage port must pass. */
export function storageConformance(name: string, lay: () => Promise<Ground>): void {
  const on = (what: string, run: (ground: Ground) => Promise<void>) =>
    test(what, async () => {
      const ground = await lay();
      try {
        await run(ground);
      } finally {
        await ground.close();
      }
    });

  describe(`rows over ${name}`, () => {
    on("an awaited write is read at once, and by whoever opens the store next", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      expect(rows.get("mail")).toBeUndefined();
      await rows.change("mail", () => row(1));
      expect(rows.get("mail")).toEqual(row(1));
      await rows.close();
      const again = ground.open().rows(collection, scope);
      expect([...again.all()]).toEqual([["mail", row(1)]]);
      await again.close();
    });

    on("memory does not change before the write is durable", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      const written = rows.change("mail", () => row(1));
      expect(rows.get("mail")).toBeUndefined();
      await written;
      expect(rows.get("mail")).toEqual(row(1));
      await rows.close();
    });

    on("writes for which nobody waited happen in their order", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      await Promise.all(Array.from({ length: 20 }, () => rows.change("mail", counted)));
      expect(rows.get("mail")?.count).toBe(20);
      await rows.close();
      const again = ground.open().rows(collection, scope);
      expect(again.get("mail")?.count).toBe(20);
      await again.close();
    });

    on("a write that fails leaves memory and store as they were, and the next one works", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      await rows.change("mail", () => row(1));
      ground.failNext();
      await expect(rows.change("mail", counted)).rejects.toMatchObject({ code: "WRITE_FAILED" });
      expect(rows.get("mail")).toEqual(row(1));
      await rows.change("mail", counted);
      await rows.close();
      const again = ground.open().rows(collection, scope);
      expect(again.get("mail")).toEqual(row(2));
      await again.close();
    });

    on("what somebody else wrote in the meantime is not overwritten", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      const first = await rows.put("mail", row(1), 0);
      await expect(rows.put("mail", row(2), 0)).rejects.toBeInstanceOf(StaleRow);
      expect(rows.get("mail")).toEqual(row(1));
      expect(await rows.put("mail", row(3), first)).toBeGreaterThan(first);
      expect(rows.revision("mail")).toBeGreaterThan(first);
      expect(rows.revision("nothing")).toBe(0);
      await rows.close();
    });

    on("a document can be removed, one by one or with its collection", async (ground) => {
      const storage = ground.open();
      const rows = storage.rows(collection, scope);
      await rows.change("mail", () => row(1));
      await rows.change("mail", () => undefined);
      expect(rows.all().size).toBe(0);
      await rows.change("mail", () => row(1));
      rows.discard();
      await storage.drop("agent-plugins", scope);
      const again = ground.open().rows(collection, scope);
      expect(again.all().size).toBe(0);
      await again.close();
    });

    on("one agent's rows are not another's", async (ground) => {
      const storage = ground.open();
      const [ada, bob] = [storage.rows(collection, scope), storage.rows(collection, { agentId: "bob" })];
      await ada.change("mail", () => row(1));
      expect(bob.get("mail")).toBeUndefined();
      await Promise.all([ada.close(), bob.close()]);
    });

    on("what does not fit the schema is not stored", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      await expect(rows.change("mail", () => row("one" as unknown as number))).rejects.toMatchObject({
        code: "INTERNAL",
      });
      expect(rows.get("mail")).toBeUndefined();
      await rows.close();
    });

    on("what is changed later is seen at once and stored within half a second", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      await rows.change("mail", () => row(1, { note: "old" }));
      rows.mergeLater("mail", { count: 2 });
      rows.mergeLater("mail", { note: undefined });
      expect(rows.get("mail")).toEqual(row(2));
      const before = ground.open().rows(collection, scope);
      expect(before.get("mail")).toEqual(row(1, { note: "old" }));
      before.discard();
      await ground.pass(500);
      const after = ground.open().rows(collection, scope);
      expect(after.get("mail")).toEqual(row(2));
      after.discard();
      rows.discard();
    });

    on("who waits for what was changed later hears when it is durable, or why it is not", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      await rows.change("mail", () => row(1));
      const merged = rows.mergeLater("mail", { count: 2 });
      await Promise.all([ground.pass(500), merged]);
      const seen = ground.open().rows(collection, scope);
      expect(seen.get("mail")).toEqual(row(2));
      seen.discard();
      ground.failNext();
      const failed = expect(rows.putLater("mail", row(3))).rejects.toMatchObject({ code: "WRITE_FAILED" });
      await Promise.all([ground.pass(500), failed]);
      const discarded = rows.removeLater("mail");
      rows.discard();
      await expect(discarded).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
      await expect(rows.putLater("mail", row(4))).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
    });

    on("a flood of changes is written at most twice a second, and loses no last value", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      const before = await rows.put("mail", row(0), 0);
      for (let ms = 10; ms <= 10_000; ms += 10) {
        rows.mergeLater("mail", { count: ms });
        await ground.pass(10);
      }
      await ground.pass(500);
      expect(rows.revision("mail") - before).toBeGreaterThanOrEqual(18);
      expect(rows.revision("mail") - before).toBeLessThanOrEqual(20);
      const again = ground.open().rows(collection, scope);
      expect(again.get("mail")).toEqual(row(10_000));
      again.discard();
      rows.discard();
    });

    on(
      "a write of now takes along what was to be written later, and loses nothing of what came meanwhile",
      async (ground) => {
        const rows = ground.open().rows(collection, scope);
        await rows.change("mail", () => row(1));
        rows.mergeLater("mail", { note: "first" });
        const written = rows.change("mail", (current) => current && { ...current, count: 2 });
        rows.mergeLater("mail", { note: "second" });
        await written;
        expect(rows.get("mail")).toEqual(row(2, { note: "second" }));
        await rows.close();
        const again = ground.open().rows(collection, scope);
        expect(again.get("mail")).toEqual(row(2, { note: "second" }));
        await again.close();
      },
    );

    on("what was to be written later stays in memory when it fails, and is tried again", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      await rows.change("mail", () => row(1));
      rows.putLater("mail", row(7));
      ground.failNext();
      await expect(rows.flush()).rejects.toMatchObject({ code: "WRITE_FAILED" });
      expect(rows.get("mail")).toEqual(row(7));
      await ground.pass(5_000);
      const again = ground.open().rows(collection, scope);
      expect(again.get("mail")).toEqual(row(7));
      again.discard();
      rows.discard();
    });

    on("nothing is written after closing or discarding", async (ground) => {
      const rows = ground.open().rows(collection, scope);
      await rows.change("mail", () => row(1));
      rows.putLater("mail", row(2));
      const queued = rows.change("mail", () => row(3));
      rows.discard();
      await expect(queued).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
      await expect(rows.change("mail", () => row(4))).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
      const again = ground.open().rows(collection, scope);
      expect(again.get("mail")).toEqual(row(1));
      await again.close();
    });
  });

  describe(`logs over ${name}`, () => {
    const definition = { place: { kind: "audit" as const, day: "2026-01-01" }, schema: lineSchema };

    on(
      "entries stand in the order in which they were appended, and are read from a position on",
      async (ground) => {
        const log = ground.open().log(definition);
        await Promise.all([log.append(line("a"), line("b")), log.append(line("c"))]);
        const { entries, next } = await log.read();
        expect(entries.map(({ kind }) => kind)).toEqual(["a", "b", "c"]);
        expect(await log.read(next)).toEqual({ entries: [], next });
        await log.append(line("ü"));
        expect((await log.read(next)).entries).toEqual([line("ü")]);
        await log.close();
        const again = ground.open().log(definition);
        expect((await again.readAll()).map(({ kind }) => kind)).toEqual(["a", "b", "c", "ü"]);
        await again.close();
      },
    );
  });

  describe(`conversations over ${name}`, () => {
    const schema = z.object({ type: z.string(), text: z.string() });
    const place = (kind: "session" | "record", sessionId: string) => ({ kind, agentId: "ada", sessionId });
    const said = (text: string) => ({ type: "user", text });

    on("are found by their logs, and by nothing that lies beside them", async (ground) => {
      const storage = ground.open();
      expect(await storage.sessions("ada")).toEqual([]);
      const one = storage.log({ place: place("session", "one"), schema });
      const two = storage.log({ place: place("session", "two"), schema });
      const record = storage.log({ place: place("record", "three"), schema });
      await Promise.all([one, two, record].map((log) => log.append(said("hi"))));
      await storage.blobs("ada", "four").put(Buffer.from("x"));
      expect((await ground.open().sessions("ada")).sort()).toEqual(["one", "two"]);
      expect(await ground.open().sessions("bob")).toEqual([]);
      await Promise.all([one, two, record].map((log) => log.close()));
    });

    on("are glanced at: from a position on, and only what is asked for", async (ground) => {
      const log = ground.open().log({ place: place("session", "one"), schema });
      expect(await log.size()).toBe(0);
      expect(await log.glance(0, ["user"])).toEqual({ entries: [], next: 0 });
      await log.append(said("hi"), { type: "tool", text: "long" }, said("ü"));
      const other = ground.open().log({ place: place("session", "one"), schema });
      const { entries, next } = await other.glance(0, ["user", "title"]);
      expect(entries).toEqual([said("hi"), said("ü")]);
      const before = await other.size();
      await log.append({ type: "title", text: "Talk" });
      expect(await other.size()).toBeGreaterThan(before);
      expect((await other.glance(next, ["user", "title"])).entries).toEqual([
        { type: "title", text: "Talk" },
      ]);
      await Promise.all([log.close(), other.close()]);
    });

    on("have records that begin anew and keep their older half until the next time", async (ground) => {
      const log = ground.open().log({ place: place("record", "one"), schema });
      await log.append(said("1"));
      expect(await log.turnOver()).toBe(0);
      expect(await log.size()).toBe(0);
      await log.append(said("2"));
      expect(await log.readAll()).toEqual([said("1"), said("2")]);
      expect(await log.turnOver()).toBeGreaterThan(0);
      await log.append(said("3"));
      await log.close();
      const again = ground.open().log({ place: place("record", "one"), schema });
      expect(await again.readAll()).toEqual([said("2"), said("3")]);
      await again.remove();
      expect(await again.readAll()).toEqual([]);
      await again.append(said("4"));
      expect(await again.readAll()).toEqual([said("4")]);
      await again.close();
    });
  });

  describe(`blobs over ${name}`, () => {
    on("are listed, what was put or touched longest ago first", async (ground) => {
      const blobs = ground.open().blobs("ada", "session-1");
      expect(await blobs.list()).toEqual([]);
      const [a, b, c] = ["a", "bb", "ccc"].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
      const first = await blobs.put(a);
      const second = await blobs.put(b);
      const third = await blobs.put(c);
      for (const address of [third, first, second]) {
        await ground.pass(1_000);
        await blobs.touch(address);
      }
      await blobs.touch("0".repeat(64));
      expect(await ground.open().blobs("ada", "session-1").list()).toEqual([
        { address: third, bytes: 3 },
        { address: first, bytes: 1 },
        { address: second, bytes: 2 },
      ]);
      await ground.pass(1_000);
      await blobs.put(c);
      expect((await blobs.list()).at(-1)?.address).toBe(third);
    });

    on("lie under the digest of what they are", async (ground) => {
      const blobs = ground.open().blobs("ada", "session-1");
      const content = Buffer.from("a request");
      const address = await blobs.put(content);
      expect(address).toMatch(/^[0-9a-f]{64}$/);
      expect(await blobs.put(content)).toBe(address);
      expect(await ground.open().blobs("ada", "session-1").get(address)).toEqual(content);
      expect(await ground.open().blobs("ada", "session-2").has(address)).toBe(false);
      await blobs.remove(address);
      await blobs.remove(address);
      expect(await blobs.has(address)).toBe(false);
      expect(await blobs.get("../../vault.json")).toBeUndefined();
    });
  });

  describe(`files of conversations over ${name}`, () => {
    on("are read under the names that they got, and lead nowhere else", async (ground) => {
      const files = ground.open().files("ada", "one");
      expect(await files.read("plan.pdf")).toBeUndefined();
      expect(await files.add("plan.pdf", Buffer.from("first"))).toBe("plan.pdf");
      expect(await files.add("plan.pdf", Buffer.from("second"))).toBe("plan-2.pdf");
      const again = ground.open();
      expect(String(await again.files("ada", "one").read("plan.pdf"))).toBe("first");
      expect(String(await again.files("ada", "one").read("plan-2.pdf"))).toBe("second");
      expect(await again.files("ada", "one", "uploads").read("plan.pdf")).toBeUndefined();
      expect(await again.files("ada", "two").read("plan.pdf")).toBeUndefined();
      await expect(files.add("../plan.pdf", Buffer.from("out"))).rejects.toMatchObject({ code: "BAD_INPUT" });
      expect(await files.read("../one.jsonl")).toBeUndefined();
      expect(await ground.open().sessions("ada")).toEqual([]);
    });
  });

  describe(`the lease over ${name}`, () => {
    on("has one holder at a time, and a later one numbers on in the same epoch", async (ground) => {
      const first = await ground.open().leases.acquire();
      await expect(ground.open().leases.acquire()).rejects.toMatchObject({ code: "HOME_IN_USE" });
      await first.release();
      await first.release();
      const second = await ground.open().leases.acquire();
      expect(second.holder).not.toBe(first.holder);
      expect(second.generation).toBe(first.generation + 1);
      expect(second.epoch).toBe(first.epoch);
      expect(second.sequence - first.sequence).toBeGreaterThan(1_000_000_000);
      expect(Number.isSafeInteger(second.sequence)).toBe(true);
      await second.release();
    });

    on("who has lost it writes nothing any more, and hears of it", async (ground) => {
      const storage = ground.open();
      const lease = await storage.leases.acquire();
      const rows = storage.rows(collection, scope);
      const log = storage.log({ place: { kind: "audit", day: "2026-01-01" }, schema: lineSchema });
      const blobs = storage.blobs("ada", "session-1");
      await rows.change("mail", () => row(1));
      await log.append(line("kept"));
      const kept = await blobs.put(Buffer.from("kept"));
      const files = storage.files("ada", "session-1");
      await files.add("kept.txt", Buffer.from("kept"));
      await ground.takeOver();
      const refused = { code: "LEASE_LOST" };
      await expect(rows.change("mail", counted)).rejects.toMatchObject(refused);
      expect(lease.lost.aborted).toBe(true);
      expect(lease.lost.reason).toMatchObject(refused);
      await expect(log.append(line("too late"))).rejects.toMatchObject(refused);
      await expect(blobs.put(Buffer.from("too late"))).rejects.toMatchObject(refused);
      await expect(blobs.remove(kept)).rejects.toMatchObject(refused);
      const gateway = { url: "http://127.0.0.1:1", token: "t", pid: process.pid };
      await expect(lease.announce(gateway)).rejects.toMatchObject(refused);
      await expect(files.add("late.txt", Buffer.from("too late"))).rejects.toMatchObject(refused);
      await expect(storage.drop("agent-plugins", scope)).rejects.toMatchObject(refused);
      rows.putLater("mail", row(9));
      await lease.release();
      await rows.close();
      await log.close();
      const other = ground.open();
      const seen = other.rows(collection, scope);
      expect(seen.get("mail")).toEqual(row(1));
      await seen.close();
      const lines = other.log({ place: { kind: "audit", day: "2026-01-01" }, schema: lineSchema });
      expect(await lines.readAll()).toEqual([line("kept")]);
      await lines.close();
      expect(await other.blobs("ada", "session-1").has(kept)).toBe(true);
      expect(await other.files("ada", "session-1").read("late.txt")).toBeUndefined();
    });

    on(
      "who has lost it appends nothing a tenth of a second later, though nobody looked at it since",
      async (ground) => {
        const storage = ground.open();
        const lease = await storage.leases.acquire();
        const log = storage.log({ place: { kind: "audit", day: "2026-01-01" }, schema: lineSchema });
        const blobs = storage.blobs("ada", "session-1");
        await log.append(line("kept"));
        await ground.takeOver();
        await ground.pass(100);
        const refused = { code: "LEASE_LOST" };
        await expect(log.append(line("too late"))).rejects.toMatchObject(refused);
        await expect(blobs.put(Buffer.from("too late"))).rejects.toMatchObject(refused);
        expect(lease.lost.aborted).toBe(true);
        await lease.release();
        await log.close();
      },
    );

    on("who has lost it hears of it even when there is nothing to write", async (ground) => {
      const lease = await ground.open().leases.acquire();
      await ground.takeOver();
      await ground.pass(5_000);
      expect(lease.lost.aborted).toBe(true);
      await lease.release();
    });

    on("is kept for as long as its holder lives", async (ground) => {
      const lease = await ground.open().leases.acquire();
      for (let beat = 0; beat < 10; beat += 1) await ground.pass(5_000);
      await expect(ground.open().leases.acquire()).rejects.toMatchObject({ code: "HOME_IN_USE" });
      expect(lease.lost.aborted).toBe(false);
      await lease.release();
    });
  });
}
