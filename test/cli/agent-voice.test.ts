import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bench, openBench } from "./support.ts";

let bench: Bench;
const run = (...args: string[]) => bench.patchbay(["agent", "voice", ...args]);
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.remove());

test("what listens and what speaks is set, shown, changed in parts, and switched off", async () => {
  expect((await run("helper")).stdout).toMatch(/Voice notes\s+stay files[\s\S]*Answers\s+are not spoken/);
  const listen = "whisper-1@https://api.openai.com/v1";
  const set = await run("helper", "--json", "--listen", listen, "--listen-key", "${OPENAI_API_KEY}");
  expect(set.json()).toMatchObject({
    voice: {
      listen: {
        model: "whisper-1",
        baseUrl: "https://api.openai.com/v1",
        apiKey: "${OPENAI_API_KEY}",
        maxMinutes: 10,
      },
      speak: null,
    },
  });
  const more = await run(
    "helper",
    "--json",
    "--speak",
    "kokoro@http://localhost:8880/v1",
    "--when",
    "always",
    "--max-minutes",
    "3",
  );
  expect(more.json()).toMatchObject({
    voice: {
      listen: { apiKey: "${OPENAI_API_KEY}", maxMinutes: 3 },
      speak: { model: "kokoro", voice: "alloy", when: "always" },
    },
  });
  expect((await run("helper")).stdout).toContain("voice alloy, always");
  // A key stays with its address.
  const moved = await run("helper", "--json", "--listen", "whisper-1@https://elsewhere.example/v1");
  expect(moved.json<{ voice: { listen: object } }>().voice.listen).not.toHaveProperty("apiKey");
  const off = await run("helper", "--json", "--listen", "off", "--speak", "off");
  expect(off.json()).toMatchObject({ voice: { listen: null, speak: null } });
});

test.each([
  [["--listen", "whisper-1"], 2, "--listen expects MODEL@URL or off"],
  [["--speak", "tts@ftp://x"], 2, "--speak expects MODEL@URL or off"],
  [["--max-minutes", "many"], 2, "--max-minutes expects"],
  [["--when", "often"], 2, "Allowed choices are voice, always"],
  [["--voice", "nova"], 1, "No service speaks its answers yet."],
  [["--listen", "w@https://name:pass@x.org/v1"], 1, "address"],
  [["--listen", "w@https://x.org/v1?key=sk-written-out"], 1, "address"],
  [["--listen", "w@https://x.org/v1", "--listen-key", "sk-written-out"], 1, "secret"],
])("%j is refused in words", async (args, code, words) => {
  const ended = await run("helper", ...args);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toContain("sk-written-out");
});
