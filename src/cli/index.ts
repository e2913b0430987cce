import { run } from "./program.ts";

// Whoever reads the output may have had enough of it (`| head`); that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await run(process.argv.slice(2));
