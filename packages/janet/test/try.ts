/** Runs cases of the truth data and prints which fail: `node packages/janet/test/try.ts [group-prefix…] [--quiet]`. */
import { outcomeOf, type TruthCase, truthCases } from "./truth-cases.ts";

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const quiet = process.argv.includes("--quiet");
const { runCase } = (await import(`${import.meta.dirname}/../src/cli/cases.ts`)) as {
  runCase(code: string): Promise<Partial<TruthCase>>;
};
const counts = new Map<string, [number, number]>();
for (const one of truthCases() ?? []) {
  if (wanted.length > 0 && !wanted.some((prefix) => one.group.startsWith(prefix))) continue;
  const count = counts.get(one.group) ?? [0, 0];
  counts.set(one.group, count);
  const want = JSON.stringify(outcomeOf(one));
  const got = await runCase(one.code).then(
    (outcome) => JSON.stringify(outcomeOf(outcome)),
    (reason: unknown) => String((reason as Error)?.stack ?? reason),
  );
  if (got === want) count[0]++;
  else {
    count[1]++;
    if (!quiet) console.log(`${one.group}: ${one.code}\n   want ${want}\n   got  ${got}`);
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
