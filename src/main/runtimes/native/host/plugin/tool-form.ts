import { isObject } from "../../../../../contract/is-object.ts";
import { HostError } from "../../../hosted/node/host-error.ts";

/**
 * How a tool's `execute` takes its arguments: `(input, call)` as in the contract, or `(toolCallId, params, signal,
 * onUpdate)` as tools written for pi do. `unclear`: nothing tells; it is called as the contract says, with a guard.
 */
export type ToolForm = "patchbay" | "pi" | "unclear";

/** The forms of the tools of one plugin. Where one tool is unclear, it is of the form of the others, if they agree. */
export function formsOf(tools: readonly Record<string, unknown>[]): ToolForm[] {
  const forms = tools.map(formOf);
  const clear = new Set(forms.filter((form) => form !== "unclear"));
  const [common] = clear.size === 1 ? clear : [];
  return forms.map((form) => (form === "unclear" ? (common ?? form) : form));
}

/**
 * The form of one tool: what it says itself (`form`), fields that only one kind has, the number of its parameters, and how
 * they are named and used. Code that is minified, bound or takes `...args` may leave it unclear.
 */
function formOf(tool: Record<string, unknown>): ToolForm {
  if (tool.form === "pi" || tool.form === "patchbay") return tool.form;
  if (tool.form !== undefined) {
    throw new HostError(
      "MANIFEST_INVALID",
      `The tool \`${String(tool.name)}\` says \`form: ${JSON.stringify(tool.form)}\`; it must be "patchbay" or "pi".`,
    );
  }
  if ("prepareArguments" in tool || "executionMode" in tool) return "pi";
  if (typeof tool.execute !== "function") return "unclear";
  if (tool.execute.length >= 3) return "pi";
  if ("readOnly" in tool) return "patchbay";
  return formOfSource(tool.execute, argumentNames(tool));
}

function formOfSource(execute: unknown, names: ReadonlySet<string>): ToolForm {
  const source = Function.prototype.toString.call(execute).replace(/\/\*[\s\S]*?\*\//g, "");
  const parameters = parametersOf(source);
  if (!parameters) return "unclear";
  const [first = "", second = "", third] = parameters.list;
  if (parameters.list.some((one) => one.startsWith("..."))) return "unclear";
  if (third !== undefined) return "pi";
  if (/^_*(?:tool)?_?(?:call)?_?id\b/i.test(first)) return "pi";
  if (first.startsWith("{") || /^_*(?:input|args?|arguments|params?|parameters)\b/i.test(first))
    return "patchbay";
  const firstRead = fieldsRead(first, parameters.body);
  const secondRead = fieldsRead(second, parameters.body);
  if (firstRead.some((field) => names.has(field))) return "patchbay";
  if (secondRead.some((field) => names.has(field) && !ofCall.has(field))) return "pi";
  if (secondRead.some((field) => ofCall.has(field))) return "patchbay";
  // With a single parameter that is used for nothing else, it is the input.
  return second === "" && first !== "" ? "patchbay" : "unclear";
}

/** What a call has, by the contract. */
const ofCall = new Set(["toolCallId", "agentId", "sessionId", "caller", "signal", "onUpdate", "effects"]);

/** The names of the arguments that a tool takes. Schemas of libraries are objects with getters; only plain ones are read. */
export function argumentNames({ parameters }: { parameters?: unknown }): ReadonlySet<string> {
  const properties = isObject(parameters) ? parameters.properties : undefined;
  return new Set(isObject(properties) ? Object.keys(properties) : []);
}

/** The fields that a function reads of one of its parameters: `{a, b}` in its place, `x.a`, `{a, b} = x`. */
function fieldsRead(parameter: string, body: string): string[] {
  if (parameter.startsWith("{")) return destructured(parameter.slice(1, parameter.lastIndexOf("}")));
  const name = /^[A-Za-z_$][\w$]*/.exec(parameter)?.[0];
  if (name === undefined) return [];
  const own = name.replaceAll("$", "\\$");
  const read = [...body.matchAll(new RegExp(`(?<![\\w$.])${own}\\s*\\??\\.\\s*([A-Za-z_$][\\w$]*)`, "g"))];
  const taken = [...body.matchAll(new RegExp(`\\{([^{}]{0,2000})\\}\\s*=\\s*${own}(?![\\w$.])`, "g"))];
  return [
    ...read.map(([, field]) => field ?? ""),
    ...taken.flatMap(([, fields]) => destructured(fields ?? "")),
  ];
}

function destructured(fields: string): string[] {
  return splitAtCommas(fields).flatMap((part) => /^\s*["']?([A-Za-z_$][\w$]*)/.exec(part)?.[1] ?? []);
}

/** The texts of a function's parameters and of its body; null for what is not written in JavaScript. */
function parametersOf(source: string): { list: string[]; body: string } | null {
  if (/\{\s*\[native code\]\s*\}\s*$/.test(source)) return null;
  const arrow = /^(?:async\s+)?([A-Za-z_$][\w$]*)\s*=>/.exec(source);
  if (arrow && arrow[1] !== "async") return { list: [arrow[1] ?? ""], body: source.slice(arrow[0].length) };
  const open = source.indexOf("(");
  const close = open < 0 ? -1 : closing(source, open);
  if (close < 0) return null;
  const list = splitAtCommas(source.slice(open + 1, close)).map((one) => one.trim());
  return { list: list.filter((one) => one !== ""), body: source.slice(close + 1) };
}

/** Where the bracket at `open` is closed. Texts and comments are not told from code: a guess that fails is unclear. */
function closing(source: string, open: number): number {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    const sign = source[at] ?? "";
    if ("([{".includes(sign)) depth += 1;
    else if (")]}".includes(sign)) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if ("([{".includes(sign)) depth += 1;
    else if (")]}".includes(sign)) depth -= 1;
    else if (sign === "," && depth === 0) {
      parts.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  return [...parts, text.slice(begin)];
}

/**
 * The second argument for a tool whose form is unclear. When the tool looks there for one of its arguments, it is written
 * for pi: it is told so, instead of working with nothing.
 */
export function guarded<T extends object>(call: T, name: string, names: ReadonlySet<string>): T {
  return new Proxy(call, {
    get(target, field, receiver) {
      if (typeof field === "string" && names.has(field) && !(field in target)) {
        throw new HostError(
          "TOOL_FAILED",
          `The tool \`${name}\` looks for \`${field}\` in its second parameter, as tools written for pi do, and does not say that it is one. The plugin's author must add \`form: "pi"\` to the tool.`,
        );
      }
      return Reflect.get(target, field, receiver);
    },
  });
}
