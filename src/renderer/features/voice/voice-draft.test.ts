import { expect, test } from "vitest";
import { voiceSchema } from "../../../contract/agent.ts";
import { keysOf, voiceDraftOf, voiceMissing, voiceOf } from "./voice-draft.ts";

const service = { baseUrl: "https://api.openai.com/v1", model: "m", apiKey: "${KEY}" };
const voice = {
  listen: { ...service, maxMinutes: 5 },
  speak: { ...service, voice: "alloy", when: "always" as const },
};

test("settings that are shown and saved stay what they are", () => {
  expect(voiceOf(voiceDraftOf(voice))).toEqual(voice);
  expect(voiceOf(voiceDraftOf())).toEqual({ listen: null, speak: null });
  expect(voiceSchema.parse(voiceOf(voiceDraftOf(voice)))).toEqual(voice);
});

test("what is switched on needs its fields, what is off needs none", () => {
  const empty = voiceDraftOf();
  expect(voiceMissing(empty)).toEqual([]);
  empty.listen.on = true;
  empty.speak.when = "voice";
  expect(voiceMissing(empty)).toEqual([
    "listen.baseUrl",
    "listen.model",
    "speak.baseUrl",
    "speak.model",
    "speak.voice",
  ]);
  expect(
    voiceMissing({ ...empty, listen: { ...empty.listen, baseUrl: "x", model: "m", maxMinutes: "0" } }),
  ).toContain("listen.maxMinutes");
});

test("a typed key goes to the agent's vault, and only its name into the settings", () => {
  const draft = voiceDraftOf({ ...voice, speak: null });
  draft.listen.key = "sk-new";
  draft.speak.key = "typed, then switched off";
  expect(keysOf(draft)).toEqual([{ name: "SPEECH_TO_TEXT_KEY", value: "sk-new" }]);
  expect(voiceOf(draft).listen).toMatchObject({ apiKey: "${SPEECH_TO_TEXT_KEY}" });
});
