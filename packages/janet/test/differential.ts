/**
 * Compares our engine with a real Janet, from JANET or PATH: `node packages/janet/test/differential.ts`. Both run the same
 * Janet program, which evaluates the codes of the truth data and of `test/programs` one by one, and must print the same. Without a
 * Janet it says so and ends with 0.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const here = import.meta.dirname;

function janetPath(): string | undefined {
  if (process.env.JANET !== undefined) return process.env.JANET;
  const names = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "janet"));
  return names.find((name) => existsSync(name));
}

/** Source text of a Janet string. */
function literal(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return `"${bytes.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;
}

function codes(): string[] {
  const truth = process.env.JANET_TRUTH ?? join(here, "../../../../../shared/data/janet-truth.json");
  const cases = existsSync(truth)
    ? (JSON.parse(readFileSync(truth, "utf8")) as { cases: { code: string }[] }).cases
    : [];
  const programs = readdirSync(join(here, "programs")).filter((name) => name.endsWith(".janet"));
  return [
    ...cases.map(({ code }) => code),
    ...programs.sort().map((name) => readFileSync(join(here, "programs", name), "utf8")),
  ];
}

/** Prints one line per code: what was printed, and the last value or the error. */
const runner = (all: string[]): string => `
(defn run [code]
  (def out @"")
  (def env (make-env))
  (put env :out out)
  (put env :err @"")
  (var result nil)
  (var failure nil)
  (var left code)
  (defn fail [phase value]
    (unless failure (set failure [phase (if (string? value) value (string/format "%q" value))]))
    (put env :exit true))
  (run-context
    {:env env
     :source "case"
     :chunks (fn [buf _] (when left (buffer/push buf left) (set left nil)) buf)
     :on-parse-error (fn [p _] (fail :parse (parser/error p)))
     :on-compile-error (fn [message & _] (fail :compile message))
     :on-status (fn [f value]
                  (if (= :dead (fiber/status f))
                    (set result value)
                    (fail :run value)))})
  (string/format "%q" [out (or failure [:value (string/format "%q" result)])]))
${all.map((code) => `(print (run ${literal(code)}))`).join("\n")}
`;

function lines(program: string, file: string): string[] {
  const { stdout, stderr, status } = spawnSync(program, [file], {
    encoding: "utf8",
    timeout: 300_000,
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(-2_000)}`);
  // Addresses differ from run to run.
  return stdout
    .trimEnd()
    .replace(/0x[0-9A-Fa-f]{6,}/g, "0x…")
    .split("\n");
}

const janet = janetPath();
if (janet === undefined) console.log("Skipped: there is no janet in JANET or PATH.");
else {
  const directory = mkdtempSync(join(tmpdir(), "janet-differential-"));
  const file = join(directory, "runner.janet");
  const all = codes();
  writeFileSync(file, runner(all));
  try {
    const theirs = lines(janet, file);
    const ours = lines(join(here, "../bin/patchbay-janet.mjs"), file);
    const different = all.map((_, at) => at).filter((at) => ours[at] !== theirs[at]);
    for (const at of different) console.log(`${all[at]}\n   theirs ${theirs[at]}\n   ours   ${ours[at]}`);
    console.log(`${all.length - different.length} equal, ${different.length} different`);
    process.exitCode = different.length > 0 ? 1 : 0;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
