import { oc as base } from "@orpc/contract";
import { z } from "zod";
import type { ProcedureMeta } from "../access.ts";
import { agentIdSchema } from "../agent.ts";
import { isObject } from "../is-object.ts";
import { pluginKeySchema } from "../plugin.ts";

/** Begins each procedure of the contract. */
export const oc = base.$meta<ProcedureMeta>({});

/** For `personOnly`: the field of the input has this value; any, when none is named. */
export function has(field: string, value?: unknown): (input: unknown) => boolean {
  return (input) =>
    isObject(input) && (value === undefined ? input[field] !== undefined : input[field] === value);
}

/**
 * For `personOnly`: the tools of an agent get another folder, or its model or its voice another address, which then gets
 * the key, and the recordings of people.
 */
export function leadsElsewhere(input: unknown): boolean {
  if (!isObject(input)) return false;
  const { workspace, model, voice } = input;
  if (
    workspace !== undefined ||
    (isObject(model) && (typeof model.baseUrl === "string" || isObject(model.options)))
  )
    return true;
  return isObject(voice) && [voice.listen, voice.speak].some(isObject);
}

/** For `personOnly`: the settings name a program that is to be the Python of plugins, or a language server. */
export function namesProgram(input: unknown): boolean {
  if (!isObject(input)) return false;
  const { python, languageServers } = input;
  return typeof python === "string" || (Array.isArray(languageServers) && languageServers.length > 0);
}

/** For `personOnly`: the settings say where traces are sent. */
export function sendsTraces(input: unknown): boolean {
  return isObject(input) && isObject(input.otlp);
}

export const agentRef = z.object({ agentId: agentIdSchema });
export const pluginRef = z.object({ key: pluginKeySchema });
export const agentPluginRef = agentRef.extend(pluginRef.shape);
export const sessionRef = agentRef.extend({ sessionId: z.string() });
export const idRef = z.object({ id: z.string() });
export const done = z.object({ ok: z.literal(true) });
export const reportRef = idRef.extend({ leaveOut: z.array(z.string()).default([]) });
/** Names of secrets that were stored, and names that kept the value that they had. */
export const broughtIn = z.object({ stored: z.array(z.string()), kept: z.array(z.string()) });
