import { launchers } from "../../../../../contract/found/given-form.ts";

/** A name for a server of which only its command is known: of its package, its image or its file. */
export function nameOf(command: string, args: readonly string[]): string {
  const program = command.split(/[\\/]/).at(-1) ?? command;
  const isLauncher = launchers.test(program);
  const meant = isLauncher
    ? args.find((arg) => !/^(?:-|\/c$|run$|dlx$|exec$|x$|tool$|[A-Za-z_]+=|npx$|uvx$)/.test(arg))
    : undefined;
  const plain = (meant ?? program).replace(/(?<=.)@[^/]*$/, "").replace(/:[\w.-]+$/, "");
  const last =
    plain
      .split(/[\\/]/)
      .filter((piece) => piece !== "")
      .at(-1) ?? program;
  return last.replace(/\.(?:m?js|ts|py|exe|sh)$/, "") || program;
}
