import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inOrder, type Mount, outermost } from "./mounts.ts";

let root: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-mounts-")));
  mkdirSync(join(root, "a/b/c"), { recursive: true });
  mkdirSync(join(root, "data"));
  symlinkSync(join(root, "data"), join(root, "a/link"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const bound = (access: "read" | "write", at: string, from = at): Mount => ({
  at: join(root, at),
  from: join(root, from),
  access,
  options: [`${access} ${from} at ${at}`],
  isOptional: true,
});
const hidden = (at: string): Mount => ({ at: join(root, at), options: [`hidden ${at}`] });
const order = (...mounts: Mount[]) => inOrder(mounts).flatMap(({ options }) => options);

test("what lies nearer to the root is mounted first", () => {
  expect(order(bound("write", "a/b"), hidden("a"))).toEqual(["hidden a", "write a/b at a/b"]);
});

test("of several at one place the last counts, if it is there", () => {
  expect(order(bound("read", "a"), bound("write", "a"), bound("write", "a"))).toEqual(["write a at a"]);
  expect(order(bound("read", "a"), bound("write", "a", "missing"))).toEqual(["read a at a"]);
  expect(order(hidden("missing"), bound("read", "missing"))).toEqual(["hidden missing"]);
});

test("what a folder shows anyway is not mounted again", () => {
  expect(order(bound("read", "a"), bound("read", "a/b/c"))).toEqual(["read a at a"]);
});

test("what a folder does not show in the same way is mounted", () => {
  const through = [bound("read", "a"), hidden("a/b"), bound("read", "a/b/c")];
  expect(order(...through)).toEqual(["read a at a", "hidden a/b", "read a/b/c at a/b/c"]);
  expect(order(bound("write", "a", "data"), bound("read", "a/b"))).toHaveLength(2);
  expect(order(bound("write", "a"), bound("read", "a/b"))).toHaveLength(2);
  expect(order(bound("read", "a"), bound("write", "a/b"))).toHaveLength(2);
  expect(order(bound("write", "a"), bound("write", "a/b"))).toHaveLength(2);
});

test("a link in a folder is mounted, because it leads to what the folder does not show", () => {
  expect(order(bound("read", "a"), bound("read", "a/link"))).toHaveLength(2);
  const paths = ["a/b", "a", "a/link", "a/b/c", "data", "a"].map((path) => join(root, path));
  expect(outermost(paths)).toEqual(["a", "a/link", "data"].map((path) => join(root, path)));
});
