import { existsSync } from "node:fs";

/** How a language server is started, and for which files. */
export interface ServerSpec {
  /** Its name on screens. */
  name: string;
  /** The program, looked up in the workspace's `node_modules/.bin` and in the search path, or by its path; then its arguments. */
  command: readonly [string, ...string[]];
  /** The names of languages in the protocol, by the ends of files without the dot. */
  languages: Readonly<Record<string, string>>;
  /** The options with which it begins, in its own form. */
  initial?: unknown;
  /** The command that installs it; absent where none is known for this system. */
  install?: string;
}

const script = { js: "javascript", mjs: "javascript", cjs: "javascript", jsx: "javascriptreact" };
const typed = { ts: "typescript", mts: "typescript", cts: "typescript", tsx: "typescriptreact" };
const python = { py: "python", pyi: "python" };
const c = { c: "c", h: "c", cc: "cpp", cpp: "cpp", cxx: "cpp", hh: "cpp", hpp: "cpp" };

/** Servers that are used where their program is there; of two for the same files the first that is. */
export const knownServers: readonly ServerSpec[] = [
  {
    name: "TypeScript",
    command: ["typescript-language-server", "--stdio"],
    languages: { ...typed, ...script },
    install: "npm install -g typescript-language-server typescript",
    // Else it answers from the one file alone while it reads the project.
    initial: { tsserver: { useSyntaxServer: "never" } },
  },
  {
    name: "Pyright",
    command: ["pyright-langserver", "--stdio"],
    languages: python,
    install: "npm install -g pyright",
  },
  { name: "Python LSP", command: ["pylsp"], languages: python, install: "pipx install python-lsp-server" },
  {
    name: "gopls",
    command: ["gopls"],
    languages: { go: "go" },
    install: "go install golang.org/x/tools/gopls@latest",
  },
  {
    name: "rust-analyzer",
    command: ["rust-analyzer"],
    languages: { rs: "rust" },
    install: "rustup component add rust-analyzer",
  },
  { name: "clangd", command: ["clangd"], languages: c, ...installClangd() },
];

function installClangd(): { install?: string } {
  if (process.platform === "darwin") return { install: "brew install llvm" };
  if (process.platform === "win32") return { install: "winget install LLVM.LLVM" };
  const found = [
    ["/usr/bin/apt-get", "sudo apt-get install clangd"],
    ["/usr/bin/dnf", "sudo dnf install clang-tools-extra"],
    ["/usr/bin/pacman", "sudo pacman -S clang"],
  ].find(([marker = ""]) => existsSync(marker));
  return found?.[1] === undefined ? {} : { install: found[1] };
}

const languageNames: Readonly<Record<string, string>> = Object.assign(
  {},
  ...knownServers.map(({ languages }) => languages),
);

/** A server that the person configured. Files that no known server has are of the language that their end names. */
export function configured({
  command,
  files,
}: {
  command: readonly string[];
  files: readonly string[];
}): ServerSpec {
  const [program = "", ...args] = command;
  const ends = files.map((end) => end.replace(/^\*?\./, "").toLowerCase());
  return {
    name: program.split(/[\\/]/).at(-1) || program,
    command: [program, ...args],
    languages: Object.fromEntries(ends.map((end) => [end, languageNames[end] ?? end])),
  };
}
