import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readWindowBounds, writeWindowBounds } from "./window-bounds.ts";

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const bounds = { x: 100, y: 80, width: 1000, height: 700, maximized: false };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-window-"));
  file = join(folder, "window.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the window's place", () => {
  test("is as it was left", () => {
    writeWindowBounds(file, bounds);
    expect(readWindowBounds(file, [screen])).toEqual(bounds);
  });

  test("is forgotten when its screen is gone", () => {
    writeWindowBounds(file, { ...bounds, x: 2500 });
    expect(readWindowBounds(file, [screen])).toBeUndefined();
    expect(readWindowBounds(file, [screen, { ...screen, x: 1920 }])).toMatchObject({ x: 2500 });
  });

  test("is forgotten when the file is damaged", () => {
    writeFileSync(file, '{"x":100,');
    expect(readWindowBounds(file, [screen])).toBeUndefined();
  });

  test("is not kept where nothing can be written, and nobody is bothered with it", () => {
    writeFileSync(join(folder, "blocked"), "");
    const blocked = join(folder, "blocked", "window.json");
    expect(() => writeWindowBounds(blocked, bounds)).not.toThrow();
    expect(readWindowBounds(blocked, [screen])).toBeUndefined();
  });
});
