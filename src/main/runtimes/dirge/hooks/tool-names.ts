/**
 * What dirge calls the tools that an agent of Patchbay has by itself. Hooks compare `:tool` with these.
 * Source: specs/dirge.md, 6.
 */
const builtins: ReadonlyMap<string, string> = new Map([
  ["shell", "bash"],
  ["read_file", "read"],
  ["write_file", "write"],
  ["list_files", "list_dir"],
]);

/**
 * The name under which a plugin of dirge knows a tool: its own and those of other plugins of dirge are bare, and Patchbay's
 * built-in ones are called as in dirge. Tools of other systems keep their whole name.
 *
 * @param isDirge whether a namespace belongs to a plugin of dirge
 */
export function theirToolName(name: string, isDirge: (namespace: string) => boolean): string {
  const at = name.indexOf("__");
  if (at > 0 && isDirge(name.slice(0, at))) return name.slice(at + 2);
  return builtins.get(name) ?? name;
}
