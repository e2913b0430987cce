import type { McpServer, Part } from "../server/server-file.ts";

type ProgramServer = Extract<McpServer, { type: "program" }>;

/** What a command has fetched before it starts it, where that stands in its arguments. */
export interface Fetched {
  by: "docker" | "podman" | "uvx" | "pipx" | "dnx" | "npx";
  /** The package or image as it stands there; null: it is filled in. */
  spec: string | null;
  /** Where in the arguments. */
  at: number;
  /** It stands behind `--from` or `--spec`, and the name of a program follows. */
  behind: boolean;
  /** The same is fetched each time. */
  exact: boolean;
}

/** What the command of a server has fetched; null: nothing that a registry would have. */
export function fetchedBy(server: McpServer): Fetched | null {
  if (server.type !== "program") return null;
  const by = (server.command.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|cmd)$/i, "");
  switch (by) {
    case "docker":
    case "podman":
      return imageOf(server, by);
    case "uvx":
      return packageOf(server, { by, skip: 0, behind: /^--from$/ });
    case "pipx":
      return server.args[0] === "run" ? packageOf(server, { by, skip: 1, behind: /^--spec$/ }) : null;
    case "dnx":
      return packageOf(server, { by, skip: 0, behind: null });
    case "npx":
      return packageOf(server, { by, skip: 0, behind: /^(?:-p|--package)$/ });
    default:
      return null;
  }
}

/** The same server with another package or image in its command. */
export function fetching(
  server: ProgramServer,
  { at }: Pick<Fetched, "at">,
  ...parts: Part[]
): ProgramServer {
  return { ...server, args: server.args.toSpliced(at, 1, ...parts) };
}

/** Options of `docker run` that have no value behind them; all others have one. */
const dockerSwitches =
  /^(?:-[diPqt]+|--(?:detach|disable-content-trust|help|init|interactive|no-healthcheck|oom-kill-disable|privileged|publish-all|quiet|read-only|rm|sig-proxy|tty|use-api-socket))$/;

function imageOf({ args }: ProgramServer, by: "docker" | "podman"): Fetched | null {
  if (args[0] !== "run") return null;
  const at = behindOptions(args, 1, (option) => !dockerSwitches.test(option));
  if (at === null) return null;
  const spec = textAt(args, at);
  const exact = spec !== null && (/@sha256:[0-9a-f]{64}$/.test(spec) || /:[^/:]*\d[^/:]*$/.test(spec));
  return { by, spec, at, behind: false, exact };
}

/** Options of uvx, pipx, dnx and npx that have a value behind them; all others are switches. */
const valued =
  /^(?:-[PbcfipwC]|--(?:with(?:-editable|-requirements)?|python|index|default-index|index-url|extra-index-url|find-links|cache-dir|config-file|directory|project|env-file|constraints|build-constraints|overrides|index-strategy|keyring-provider|resolution|prerelease|link-mode|python-platform|config-setting|exclude-newer|color|allow-insecure-host|pip-args|framework|source|add-source|verbosity|registry|call|version))$/;

function packageOf(
  { args }: ProgramServer,
  {
    by,
    skip,
    behind,
  }: { by: Exclude<Fetched["by"], "docker" | "podman">; skip: number; behind: RegExp | null },
): Fetched | null {
  const program = behindOptions(args, skip, (option) => valued.test(option) || behind?.test(option) === true);
  const named = args.findIndex(
    (arg, at) => at >= skip && at < (program ?? args.length) && typeof arg === "string" && behind?.test(arg),
  );
  const at = named < 0 ? program : named + 1;
  if (at === null) return null;
  const spec = textAt(args, at);
  // Further packages would come in whatever version they have.
  const more = args
    .slice(skip, program ?? undefined)
    .some((arg) => arg === "--with" || /^--with=/.test(String(arg)));
  const exact = spec !== null && !more && isExact(spec, by);
  return { by, spec, at, behind: named >= 0, exact };
}

function isExact(spec: string, by: Fetched["by"]): boolean {
  if (/^(?:git\+|https?:|\.{0,2}[\\/]|[A-Za-z]:\\)/.test(spec)) return /@[0-9a-f]{40}$/.test(spec);
  if (by === "npx") return /.@\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(spec);
  return /(?:==|.@)v?\d[\w.!+-]*$/.test(spec);
}

/** Where what is no option begins; null: nothing does. */
function behindOptions(
  args: readonly Part[],
  from: number,
  hasValue: (option: string) => boolean,
): number | null {
  for (let at = from; at < args.length; at++) {
    const arg = args[at];
    if (arg === "--") return at + 1 < args.length ? at + 1 : null;
    if (typeof arg !== "string") {
      // `--key=‹value›` is an option as well.
      const [head] = arg !== undefined && "join" in arg ? arg.join : [];
      if (typeof head === "string" && head.startsWith("-")) continue;
      return at;
    }
    if (!arg.startsWith("-")) return at;
    if (!arg.includes("=") && hasValue(arg)) at++;
  }
  return null;
}

function textAt(args: readonly Part[], at: number): string | null {
  const arg = args[at];
  return typeof arg === "string" ? arg : null;
}
