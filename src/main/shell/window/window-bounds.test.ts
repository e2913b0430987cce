import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readWindowBounds, writeWindowBounds } from "./window-bounds.ts";

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const bounds = { x: 100, y: 80, width: 1000, height: 700, maximized: false };
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-window-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("the window's place", () => {
  test("is as it was left", () => {
    writeWindowBounds(home, bounds);
    expect(readWindowBounds(home, [screen])).toEqual(bounds);
  });

  test("is forgotten when its screen is gone", () => {
    writeWindowBounds(home, { ...bounds, x: 2500 });
    expect(readWindowBounds(home, [screen])).toBeUndefined();
    expect(readWindowBounds(home, [screen, { ...screen, x: 1920 }])).toMatchObject({ x: 2500 });
  });

  test("is forgotten when the file is damaged", () => {
    writeFileSync(join(home, "window.json"), '{"x":100,');
    expect(readWindowBounds(home, [screen])).toBeUndefined();
  });

  test("is not kept where nothing can be written, and nobody is bothered with it", () => {
    writeWindowBounds(join(home, "file", "inside"), bounds);
    writeFileSync(join(home, "blocked"), "");
    expect(() => writeWindowBounds(join(home, "blocked"), bounds)).not.toThrow();
    expect(readWindowBounds(join(home, "blocked"), [screen])).toBeUndefined();
  });
});
