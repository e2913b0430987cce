import type { Command } from "commander";
import { type Perform, withClient } from "../command.ts";

/** `patchbay audit verify`: whether the log of what was done is as it was written. */
export function addAuditCommands(program: Command, perform: Perform): void {
  const audit = program.command("audit").description("the log of what was done");

  audit
    .command("verify")
    .description("check that no line of the log was changed, removed or put in; exit code 1 when one was")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const verdict = await client.diagnostics.verifyAudit();
          const { ok, entries, from, to, faults, notes } = verdict;
          output.result(verdict, () => {
            const span = from && to ? ` from ${from} to ${to}` : "";
            const mark = ok ? output.paint.good("✓") : output.paint.bad("✗");
            return [
              `${mark} ${entries} entries${span}: ${ok ? "unbroken" : "broken"}.`,
              ...faults.map(({ day, line, at, text }) => {
                const place = day
                  ? `${day}.jsonl line ${line}${at ? ` (${at})` : ""}: `
                  : at
                    ? `Noticed ${at}: `
                    : "";
                return `  ${place}${text}`;
              }),
              ...notes.map((note) => `  ${note}`),
              ...(ok
                ? []
                : [
                    "  Something other than Patchbay wrote to the folder audit. Keep a copy of it, compare with a",
                    "  backup, and look at who else can write there.",
                  ]),
            ].join("\n");
          });
          return ok ? 0 : 1;
        }),
      ),
    );
}
