/** Writes docs/cli.md from what the built command says of itself: `npm run cli-docs`. With `--check` it only compares. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const file = "docs/cli.md";
const head = `# The command line

In a checkout the command is \`./bin/patchbay\`. It talks to the running Patchbay of the same home folder or, when none runs, does the
work itself. Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped on request (Ctrl+C, Ctrl+D at a question, or a signal). With \`--json\` it prints one JSON document on stdout and nothing else; a failure
is \`{"error": {"code", "message", "help"}}\`. \`patchbay channel …\` is an older name of \`patchbay plugin …\`.

This page is written by \`npm run cli-docs\`.
`;

const text = `${head}${sectionsOf([])}`;
if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") === text) process.exit(0);
  console.error(`${file} is not what the command says of itself. Run npm run cli-docs.`);
  process.exit(1);
}
writeFileSync(file, text);

/** A section for each command, depth first, in the order of the help. */
function sectionsOf(path) {
  const help = execFileSync(process.execPath, ["bin/patchbay", ...path, "--help"], {
    encoding: "utf8",
    env: { ...process.env, COLUMNS: "100" },
  });
  const own = help.replace(/\n+Global Options:[\s\S]*?(?=\n\n|\s*$)/, "").trimEnd();
  const section = `\n## ${["patchbay", ...path].join(" ")}\n\n\`\`\`\n${own}\n\`\`\`\n`;
  const commands = /\nCommands:\n([\s\S]*)$/.exec(help)?.[1] ?? "";
  const names = [...commands.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map((match) => match[1])
    .filter((name) => name !== "help");
  return section + names.map((name) => sectionsOf([...path, name])).join("");
}
