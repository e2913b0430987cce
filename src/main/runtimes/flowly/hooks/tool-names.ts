/**
 * What Flowly calls the tools that an agent of Patchbay has by itself. Guards compare `ctx.tool_name` with these.
 * Source: specs/flowly.md, 5 and 6.4.
 */
const builtins: ReadonlyMap<string, string> = new Map([
  ["shell", "exec"],
  ["read_file", "read_file"],
  ["write_file", "write_file"],
  ["list_files", "list_dir"],
]);

/**
 * The name under which a plugin of Flowly knows a tool: its own and those of other Flowly plugins are bare, and
 * Patchbay's built-in ones are called as in Flowly. Tools of other systems keep their whole name.
 *
 * @param isFlowly whether a namespace belongs to a plugin of Flowly
 */
export function theirToolName(name: string, isFlowly: (namespace: string) => boolean): string {
  const at = name.indexOf("__");
  if (at > 0 && isFlowly(name.slice(0, at))) return name.slice(at + 2);
  return builtins.get(name) ?? name;
}
