import { type Command, Option } from "commander";
import { type AgentView, PatchbayError, type SpeechService, type Voice } from "../contract/index.ts";
import { type Perform, usageError, withClient } from "./command.ts";
import { table } from "./terminal/output.ts";

interface VoiceOptions {
  listen?: string;
  listenKey?: string;
  maxMinutes?: string;
  speak?: string;
  speakKey?: string;
  voice?: string;
  when?: "voice" | "always";
}

const off: Voice = { listen: null, speak: null };

/** `patchbay agent voice`: what listens to an agent's voice notes, and what speaks its answers. */
export function addVoiceCommand(agent: Command, perform: Perform): void {
  const command = agent
    .command("voice <id>")
    .description("show or set what listens to voice notes and what speaks answers")
    .option("--listen <service>", "turn voice notes into text: MODEL@URL, or off")
    .option("--listen-key <reference>", "its key as a secret: ${NAME}, or none")
    .option("--max-minutes <n>", "leave longer voice notes as files (default: 10)")
    .option("--speak <service>", "speak answers: MODEL@URL, or off")
    .option("--speak-key <reference>", "its key as a secret: ${NAME}, or none")
    .option("--voice <name>", "the voice, as the service calls it (default: alloy)")
    .addOption(
      new Option(
        "--when <when>",
        "which answers are spoken: those to voice notes, or all (default: voice)",
      ).choices(["voice", "always"]),
    )
    .action((agentId: string, options: VoiceOptions) => {
      const change = changeOf(command, options);
      return perform(
        withClient(async ({ output }, client) => {
          const before = await client.agents.get({ agentId });
          const voice = change(before.voice ?? off);
          if (voice === null) {
            output.result(before.voice ?? off, () => voiceText(before));
            return;
          }
          const { revision } = before;
          const saved = await client.agents.update({ agentId, voice, revision });
          output.result(
            saved,
            () => `${output.paint.good("✓")} ${saved.name} is saved.\n${voiceText(saved)}`,
          );
        }),
      );
    });
}

/** What the options make of the settings; null without options. Wrong ones end the command before it asks anything. */
function changeOf(command: Command, options: VoiceOptions): (before: Voice) => Voice | null {
  if (Object.keys(options).length === 0) return () => null;
  const listening = options.listen === undefined ? undefined : serviceOf(command, "--listen", options.listen);
  const speaking = options.speak === undefined ? undefined : serviceOf(command, "--speak", options.speak);
  const minutes = options.maxMinutes === undefined ? undefined : Number(options.maxMinutes);
  if (minutes !== undefined && !(Number.isInteger(minutes) && minutes >= 1 && minutes <= 120))
    usageError(command, "--max-minutes expects a whole number from 1 to 120");
  return (before) => {
    const heardBy = listening === undefined ? before.listen : listening;
    const spokenBy = speaking === undefined ? before.speak : speaking;
    const { listenKey, maxMinutes, speakKey, voice, when } = options;
    if (heardBy === null && (listenKey ?? maxMinutes) !== undefined)
      throw nothingSet("listens to its voice notes", "--listen MODEL@URL");
    if (spokenBy === null && (speakKey ?? voice ?? when) !== undefined)
      throw nothingSet("speaks its answers", "--speak MODEL@URL");
    return {
      listen: heardBy && {
        ...keyed(heardBy, before.listen, listenKey),
        maxMinutes: minutes ?? before.listen?.maxMinutes ?? 10,
      },
      speak: spokenBy && {
        ...keyed(spokenBy, before.speak, speakKey),
        voice: voice ?? before.speak?.voice ?? "alloy",
        when: when ?? before.speak?.when ?? "voice",
      },
    };
  };
}

function nothingSet(what: string, option: string): PatchbayError {
  return new PatchbayError("BAD_INPUT", `No service ${what} yet.`, { help: `Name one with ${option}.` });
}

/** The service with its key: the given one, or the one that it has. A key stays with its address. */
function keyed(service: SpeechService, before: SpeechService | null, key: string | undefined): SpeechService {
  const { model, baseUrl } = service;
  const kept = before?.baseUrl === baseUrl ? before.apiKey : undefined;
  const apiKey = key === "none" ? undefined : (key ?? kept);
  return { model, baseUrl, ...(apiKey !== undefined && { apiKey }) };
}

function serviceOf(command: Command, option: string, text: string): SpeechService | null {
  if (text === "off") return null;
  const [, model, baseUrl] = /^(.+?)@(https?:\/\/.+)$/.exec(text) ?? [];
  if (model === undefined || baseUrl === undefined)
    return usageError(command, `${option} expects MODEL@URL or off, as whisper-1@https://api.openai.com/v1`);
  return { model, baseUrl };
}

function voiceText({ voice = off }: AgentView): string {
  const { listen, speak } = voice;
  const service = ({ model, baseUrl, apiKey }: SpeechService) =>
    `${model} at ${baseUrl}, ${apiKey === undefined ? "without a key" : `key ${apiKey}`}`;
  return table([
    ["Voice notes", listen ? `${service(listen)}; up to ${listen.maxMinutes} minutes` : "stay files"],
    [
      "Answers",
      speak
        ? `${service(speak)}; voice ${speak.voice}, ${speak.when === "always" ? "always" : "to voice notes"}`
        : "are not spoken",
    ],
  ]);
}
