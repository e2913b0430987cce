import { expect, it } from "vitest";
import { Inspector } from "./inspect.ts";
import { settingsSchema } from "./settings.ts";

const place = { home: "/home/ada", workspace: "/home/ada/w", cwd: "/home/ada/w", temporary: ["/tmp"] };
const inspector = new Inspector(settingsSchema.parse({}), place);

// Each was let through by the reading without a grammar.
it.each([
  "((a=1<<EOF))\nrm -rf /\n",
  "for ((i=1<<2;i<3;i++)); do\nrm -rf /\ndone",
  "((x = 1 << 3, y = 2))\nrm -rf /",
  "function f() ((1<<2))\nrm -rf /",
  'echo "$(case a in a) rm -rf /;; esac)"',
  'echo ${x:-"}"}; rm -rf /',
  "echo ${x:-'}'}; rm -rf /",
  "{ cat; } <<E | sh\nrm -rf /\nE",
])("is blocked because the grammar says what runs: %j", (command) => {
  expect(inspector.command(command)?.rule).toBe("removeEverything");
});

it.each([
  "echo $((1<<2))\nls",
  "((a=1<<2))\nrm -rf build",
  'case "$1" in start) ls;; *) echo "rm -rf /";; esac',
  "cat <<'E'\nrm -rf /\nE",
  'for f in *.txt; do cp "$f" /tmp/; done',
])("is let through: %j", (command) => {
  expect(inspector.command(command)).toBeNull();
});
