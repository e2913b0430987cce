import type { Value } from "../values/value.ts";
import type { Vm } from "../vm/vm.ts";

/**
 * Puts a module's path into a template of `module/paths`: `:all:` the path, `:@all:` the path with a first segment such as `@site`
 * replaced by the dynamic binding `:site`, `:cur:` the directory of the file that is running, `:dir:` the directory and `:name:`
 * the name in the path, `:native:` the ending of native modules, `:sys:` where installed modules are.
 */
export function expandPath(vm: Vm, path: string, template: string): string {
  const filled = template.replace(/:(all|@all|cur|dir|name|native|sys):/g, (_all, what: string) => {
    if (what === "all") return path;
    if (what === "@all") return site(vm, path);
    if (what === "cur") return directory(text(vm.dyn("current-file"))) || ".";
    if (what === "dir") return directory(path) || ".";
    if (what === "name") return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
    if (what === "native") return process.platform === "win32" ? ".dll" : ".so";
    return text(vm.dyn("syspath"));
  });
  return normal(filled);
}

function site(vm: Vm, path: string): string {
  const [, name, rest] = /^@([^/]*)(.*)$/s.exec(path) ?? [];
  return name === undefined ? path : text(vm.dyn(name)) + rest;
}

function text(value: Value): string {
  return typeof value === "string" ? value : "";
}

/** Without the last segment; "" when it is the only one. */
function directory(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) || "/" : "";
}

/** Without segments that lead nowhere. A relative path stays one. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return (path.startsWith("/") ? "/" : "") + parts.join("/");
}
