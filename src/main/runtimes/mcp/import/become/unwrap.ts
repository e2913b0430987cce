import type { ListedClient } from "../clients/listed.ts";
import { signInOf } from "../clients/listed.ts";
import { Fields } from "../text/fields.ts";
import { parseText } from "../text/parse-text.ts";

/** What a command line really starts, behind the program that fetches and starts it. */
export type Unwrapped =
  | { kind: "npm"; name: string; range: string; args: string[] }
  | { kind: "pypi" | "oci" | "program"; command: string; args: string[] }
  | {
      kind: "remote";
      url: string;
      transport: "auto" | "http" | "sse";
      headers: [name: string, value: string][];
      signIn?: ListedClient;
    };

const packageName =
  /^(@[a-z0-9~-][a-z0-9._~-]*\/[a-z0-9~-][a-z0-9._~-]*|[a-z0-9~-][a-z0-9._~-]*)(?:@([^@\s/:]+))?$/i;

/** Looks behind `npx`, `cmd /c`, `bunx`, `pnpm dlx`, `uvx`, `docker run` and `mcp-remote`. Nothing is asked or started. */
export function unwrap(command: string, args: readonly string[]): Unwrapped {
  const program = (command.split(/[\\/]/).at(-1) ?? command)
    .replace(/\.(?:cmd|exe|ps1|bat)$/i, "")
    .toLowerCase();
  const [first = "", ...rest] = args;
  const asIs: Unwrapped = { kind: "program", command, args: [...args] };
  switch (program) {
    case "cmd":
      return /^\/c$/i.test(first) && rest[0] !== undefined && !/[&|<>^%"]/.test(rest.join(" "))
        ? unwrap(rest[0], rest.slice(1))
        : asIs;
    case "npx":
    case "bunx":
      return packageOf(args) ?? asIs;
    case "npm":
      return (/^(?:exec|x)$/.test(first) ? packageOf(rest) : null) ?? asIs;
    case "bun":
      return (first === "x" ? packageOf(rest) : null) ?? asIs;
    case "pnpm":
    case "yarn":
      return (/^(?:dlx|exec)$/.test(first) ? packageOf(rest) : null) ?? asIs;
    case "pnpx":
      return packageOf(args) ?? asIs;
    case "uvx":
    case "pipx":
      return { kind: "pypi", command, args: [...args] };
    case "uv":
      return first === "tool" && rest[0] === "run"
        ? { kind: "pypi", command: "uvx", args: rest.slice(1) }
        : asIs;
    case "docker":
    case "podman":
      return first === "run" ? { kind: "oci", command, args: [...args] } : asIs;
    default:
      return asIs;
  }
}

/** `-y @acme/x@1 --flag`: the package and what follows it. Null where something else than a package of the registry is meant. */
function packageOf(args: readonly string[]): Unwrapped | null {
  let named: string | null = null;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [, given] = /^(?:-p=?|--package=)(.+)$/.exec(arg) ?? [];
    if (/^(?:-y|--yes|-q|--quiet|--silent|--prefer-offline|--bun|--)$/.test(arg)) continue;
    if (arg === "-p" || arg === "--package") named = args[++at] ?? "";
    else if (given !== undefined) named = given;
    else break;
  }
  const first = args[at];
  if (first === undefined || first.startsWith("-")) return null;
  const [, name, range = "latest"] = packageName.exec(named ?? first) ?? [];
  if (name === undefined) return null;
  // Another program of the package than the one that is called like it is started by npx itself.
  if (named !== null && first !== name.split("/").at(-1)) return null;
  const rest = args.slice(at + 1);
  if (name === "mcp-remote") return remoteOf(rest);
  return { kind: "npm", name, range, args: rest[0] === "--" ? rest.slice(1) : rest };
}

/** `mcp-remote URL --header "K: V" --transport sse-only` is a connection that Patchbay makes itself. */
function remoteOf(args: readonly string[]): Unwrapped | null {
  const [url] = args;
  if (url === undefined || url.startsWith("-")) return null;
  const headers: [string, string][] = [];
  let transport: "auto" | "http" | "sse" = "auto";
  let signIn: ListedClient = {};
  for (let at = 1; at < args.length; at++) {
    const value = args[at + 1] ?? "";
    if (args[at] === "--header" || args[at] === "-H") {
      const [, name, text] = /^([^:\s]+):\s*(.*)$/s.exec(value) ?? [];
      if (name !== undefined && text !== undefined) headers.push([name, text]);
      at++;
    } else if (args[at] === "--transport") {
      transport = value.startsWith("sse") ? "sse" : value.startsWith("http") ? "http" : "auto";
      at++;
    } else if (args[at] === "--static-oauth-client-info") {
      const client = parseText(value, "json");
      if (client.kind === "value") signIn = signInOf(new Fields({ oauth: client.value }));
      at++;
    }
  }
  return { kind: "remote", url, transport, headers, signIn };
}
