import { describe, expect, it } from "vitest";
import { createEngine } from "../../engine.ts";
import { pretty } from "../../print/pretty.ts";

async function run(source: string): Promise<string> {
  const engine = createEngine({
    host: {
      capabilities: { readFiles: () => true, environment: () => true, subprocess: () => true },
      cwd: "/",
    },
  });
  try {
    return pretty(await engine.evaluate(source));
  } finally {
    engine.dispose();
  }
}

describe("sandbox", () => {
  it("takes what it names, for good", async () => {
    expect(
      await run(`(sandbox :fs-read :net) [(protect (os/stat "/")) (string? (os/getenv "PATH" ""))]`),
    ).toBe('((false "reading files is not allowed: /") true)');
    expect(
      await run(
        `(sandbox :all) (map |(first (protect ($))) [|(os/dir "/") |(os/getenv "X") |(os/shell "x")])`,
      ),
    ).toBe("@[false false false]");
  });
});
