import { isIP } from "node:net";

/** Whether a rule (see `hostRuleSchema`) covers a host and port. A null port: the name alone is asked for. */
export function covers(rule: string, host: string, port: number | null): boolean {
  const { name, port: only } = partsOf(rule);
  if (only !== null && port !== null && only !== port) return false;
  if (!name.startsWith("*.")) return name === host;
  return isIP(host) === 0 && host.endsWith(name.slice(1));
}

export function anyCovers(rules: readonly string[], host: string, port: number | null): boolean {
  return rules.some((rule) => covers(rule, host, port));
}

/** A host with its port as rules are written: addresses of version 6 in brackets. */
export function ruleFor(host: string, port: number | null): string {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return port === null ? name : `${name}:${port}`;
}

/**
 * Whether it is an IP address or a name in the form that the network knows, ASCII alone: names in other letters are asked
 * for as `xn--…`, and nothing that imitates another name or changes how a question is read gets into one.
 */
export function isHost(text: string): boolean {
  if (isIP(text)) return true;
  const parts = text.split(".");
  return text.length <= 253 && parts.every((part) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(part));
}

function partsOf(rule: string): { name: string; port: number | null } {
  const text = rule.trim().toLowerCase();
  if (isIP(text)) return { name: text, port: null };
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return { name: bracketed ?? plain ?? text, port: port === undefined ? null : Number(port) };
}
