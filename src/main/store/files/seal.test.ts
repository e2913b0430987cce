import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import type { Problem } from "../../../contract/index.ts";
import { openStateFile, type StateFile } from "./state-file.ts";

interface Row {
  id: string;
  count: number;
}
let folder: string;
let path: string;
let notices: Problem[];
/** How many rows the schema has checked. */
let checks: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-seal-"));
  path = join(folder, "rows.json");
  notices = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function rowsSchema(least = 0): z.ZodType<Row[]> {
  const row = z.object({ id: z.string(), count: z.number().min(least) });
  return z.array(
    row.refine(() => {
      checks += 1;
      return true;
    }),
  );
}

function open(schema = rowsSchema(), version = 1): StateFile<Row[]> {
  checks = 0;
  const onNotice = (problem: Problem) => notices.push(problem);
  const migrations = { 1: (old: unknown) => old };
  return openStateFile({ path, schema, version, migrations, initial: () => [], onNotice });
}

function many(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({ id: `row ${index}`, count: index }));
}

it("a large file that nobody has touched is read without checking it again", () => {
  open().update(() => many(1_000));
  const again = open();
  expect(again.get()).toEqual(many(1_000));
  expect(checks).toBe(0);
  again.update((rows) => rows.slice(1));
  expect(open().get()).toEqual(many(1_000).slice(1));
  expect(checks).toBe(0);
});

it("a large file that somebody has edited is checked", () => {
  open().update(() => many(1_000));
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace('"row 500"', '"row five hundred"'));
  expect(open().get()[500]?.id).toBe("row five hundred");
  expect(checks).toBe(1_000);
  expect(notices).toEqual([]);
  writeFileSync(path, text.replace('"row 500"', "500"));
  expect(open().get()).toEqual(many(1_000));
  expect(notices.map(({ code }) => code)).toEqual(["STATE_FILE_DAMAGED"]);
});

it("a file of another version, or checked against another schema, is checked", () => {
  open().update(() => many(1_000));
  expect(open(rowsSchema(), 2).get()).toHaveLength(1_000);
  expect(checks).toBe(1_000);
  expect(open(rowsSchema(-1)).get()).toHaveLength(1_000);
  expect(checks).toBe(1_000);
});

it("what is not in the schema does not come back through a seal", () => {
  const more = many(1_000).map((row) => ({ ...row, more: true }));
  open().update(() => more);
  expect(open().get()).toEqual(many(1_000));
});

it("a value that does not fit is never sealed", () => {
  const file = open();
  file.update(() => many(1_000));
  file.rewrite(many(1_000).map((row) => ({ ...row, count: `${row.count}` as unknown as number })));
  expect(open().get()).toEqual(many(1_000));
  expect(notices.map(({ code }) => code)).toEqual(["STATE_FILE_DAMAGED"]);
});

it("a small file stays as a person would write it", () => {
  open().update(() => many(2));
  expect(readFileSync(path, "utf8")).toBe(
    `${JSON.stringify({ schemaVersion: 1, data: many(2) }, null, 2)}\n`,
  );
  expect(open().get()).toEqual(many(2));
  expect(checks).toBe(2);
});
