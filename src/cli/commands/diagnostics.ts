import { resolve } from "node:path";
import type { Command } from "commander";
import { type Perform, withClient } from "../command.ts";
import { writeNew } from "../files/write-new.ts";
import { table } from "../terminal/output.ts";

interface ExportOptions {
  to?: string;
  list?: boolean;
  leaveOut?: string[];
}

/** `patchbay diagnostics export`: what somebody who helps needs to see, without secrets. */
export function addDiagnosticsCommands(program: Command, perform: Perform): void {
  const diagnostics = program.command("diagnostics").description("what somebody who helps needs to see");

  diagnostics
    .command("export [file]")
    .description("write a zip with versions, settings, states, logs and traces; every secret is taken out")
    .option("--to <file>", "where to write it (default: a new file in this folder)")
    .option("--list", "only show what it would hold")
    .option("--leave-out <name...>", "leave files out, by their names in the list")
    .action((file: string | undefined, options: ExportOptions) =>
      perform(
        withClient(async ({ output, cwd }, client) => {
          const report = await client.diagnostics.gather();
          if (options.list) {
            output.result(report, () =>
              table(report.files.map(({ name, bytes }) => [output.paint.bold(name), `${bytes} bytes`])),
            );
            return 0;
          }
          const leaveOut = options.leaveOut ?? [];
          const archive = await client.diagnostics.archive({ id: report.id, leaveOut });
          const path = resolve(cwd, options.to ?? file ?? report.fileName);
          writeNew(path, Buffer.from(await archive.arrayBuffer()));
          const files = report.files.filter(({ name }) => !leaveOut.includes(name));
          output.result({ ok: true, file: path, bytes: archive.size, files }, () =>
            [
              `${output.paint.good("✓")} ${path} is written: ${files.length} files, ${archive.size} bytes.`,
              "  Look into it before you hand it on; `--list` shows what it holds.",
            ].join("\n"),
          );
          return 0;
        }),
      ),
    );
}
