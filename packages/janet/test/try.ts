/** Runs cases of the truth data and prints which fail: `node packages/janet/test/try.ts [group-prefix…] [--quiet]`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Case {
  group: string;
  code: string;
  value?: string;
  error?: string;
  phase?: string;
  errorType?: string;
  stdout?: string;
}
const file =
  process.env.JANET_TRUTH ?? join(import.meta.dirname, "../../../../../shared/data/janet-truth.json");
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] };
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const quiet = process.argv.includes("--quiet");
// A case runs in an environment of its own; `runCase` is in src/cli/cases.ts.
const { runCase } = (await import(`${import.meta.dirname}/../src/cli/cases.ts`)) as {
  runCase(code: string): Promise<Omit<Case, "group" | "code">>;
};
const counts = new Map<string, [number, number]>();
for (const wantedCase of cases) {
  if (wanted.length > 0 && !wanted.some((prefix) => wantedCase.group.startsWith(prefix))) continue;
  const { group, code, value, error, phase, errorType, stdout } = wantedCase;
  const count = counts.get(group) ?? [0, 0];
  counts.set(group, count);
  const got = await runCase(code).catch((reason: unknown) => ({
    crash: String((reason as Error)?.stack ?? reason),
  }));
  const facts = (of: Partial<Case>) =>
    JSON.stringify([of.value, of.error, of.phase, of.errorType, of.stdout].map((fact) => fact ?? null));
  const crash = (got as { crash?: string }).crash;
  if (
    crash === undefined &&
    facts(got as Partial<Case>) === facts({ value, error, phase, errorType, stdout })
  )
    count[0]++;
  else {
    count[1]++;
    if (!quiet)
      console.log(
        `${group}: ${code}\n   want ${facts(wantedCase)}\n   got  ${crash ?? facts(got as Partial<Case>)}`,
      );
  }
}
let passed = 0;
let failed = 0;
for (const [group, [good, bad]] of counts) {
  passed += good;
  failed += bad;
  if (bad > 0 || wanted.length > 0) console.log(`${group}: ${good} passed, ${bad} failed`);
}
console.log(`${passed} passed, ${failed} failed`);
