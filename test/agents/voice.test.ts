import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Voice } from "../../src/contract/index.ts";
import { LISTEN_MS, SPEAK_MS } from "../../src/main/agents/voice/speech-service.ts";
import { VoiceNotes } from "../../src/main/agents/voice/voice.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { oggOf, type SpeechAnswer, speechServer } from "./speech-server.ts";
import { message, Workbench } from "./workbench.ts";

let workspace: string;
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), "patchbay-voice-"));
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

const note = (bytes: Buffer, more: object = {}) => ({
  name: "voice.oga",
  mimeType: "audio/ogg",
  data: bytes.toString("base64"),
  voice: {},
  ...more,
});
const listening = (baseUrl: string, more: object = {}): Voice => ({
  listen: { baseUrl, model: "whisper-1", apiKey: "${SPEECH_TO_TEXT_KEY}", maxMinutes: 10, ...more },
  speak: null,
});
const speaking = (baseUrl: string, when: "voice" | "always", more: Partial<Voice> = {}): Voice => ({
  listen: null,
  ...more,
  speak: { baseUrl, model: "tts-1", voice: "alloy", when, apiKey: "${TEXT_TO_SPEECH_KEY}" },
});

async function bench(voice: Voice, answers: unknown[] = [{ say: "Fine." }]) {
  const opened = await Workbench.open({ voice, workspace });
  opened.secrets.set("SPEECH_TO_TEXT_KEY", "sk-listen").set("TEXT_TO_SPEECH_KEY", "sk-speak");
  await opened.script(answers);
  return opened;
}

const userText = async ({ agents }: Workbench, sessionId: string) =>
  (await agents.sessions.entries("a", sessionId)).flatMap((entry) =>
    entry.type === "user" ? [entry.text] : [],
  );

test("a voice note becomes the text of the turn; the recording goes to the service with the key, and stays a file", async () => {
  await using server = await speechServer({ body: JSON.stringify({ text: " hello there \n" }) });
  await using work = await bench(listening(server.url));
  const recording = oggOf(12);

  const channel = work.agents.channels.of("a", "telegram");
  const answer = await channel.prompt(
    message("look at this", { messageId: "1", attachments: [note(recording, { voice: { seconds: 99 } })] }),
  );

  expect(answer).toMatchObject({ text: "Fine." });
  expect(server.requests).toHaveLength(1);
  const [asked] = server.requests;
  expect(asked).toMatchObject({
    path: "/v1/audio/transcriptions",
    fields: { model: "whisper-1", response_format: "json" },
    file: { name: "voice.ogg", type: "audio/ogg" },
  });
  expect(asked?.headers.authorization).toBe("Bearer sk-listen");
  expect(asked?.file?.bytes.equals(recording)).toBe(true);
  const [text] = await userText(work, answer.sessionId);
  expect(text).toMatch(
    /^look at this\n\[Voice note, 0:12\] hello there\n\[Attached file: attachments\/voice\.oga /,
  );
});

test("a message that comes again is not listened to twice", async () => {
  await using server = await speechServer();
  await using work = await bench(listening(server.url));
  const channel = work.agents.channels.of("a", "telegram");
  const same = message("", { messageId: "1", attachments: [note(oggOf(3))] });
  expect(await channel.prompt(same)).toEqual(await channel.prompt(same));
  expect(server.requests).toHaveLength(1);
});

test("without a service, and where it is no sound, a voice note is a file like any other", async () => {
  await using server = await speechServer();
  await using work = await bench(listening(server.url), [{ say: "A" }, { say: "B" }, { say: "C" }]);
  const channel = work.agents.channels.of("a", "telegram");
  const text = (mimeType: string) => note(Buffer.from("#!/bin/sh"), { name: "x.sh", mimeType });
  await channel.prompt(message("", { attachments: [text("text/x-sh")] }));
  const song = note(oggOf(200), { name: "song.ogg" }) as { voice?: object };
  delete song.voice;
  await channel.prompt(message("", { attachments: [song] }));
  work.agent = { ...work.agent, voice: { listen: null, speak: null } };
  const { sessionId } = await channel.prompt(message("", { attachments: [note(oggOf(1))] }));
  expect(server.requests).toEqual([]);
  expect((await userText(work, sessionId)).join()).not.toContain("Voice note");
});

test("bytes that are no sound, or none that services read, stay here whatever the channel calls them", async () => {
  await using server = await speechServer();
  const kinds = {
    secret: "-----BEGIN PRIVATE KEY-----",
    silk: "\u0002#!SILK_V3",
    amr: "#!AMR\n",
    picture: "\u0089PNG\r\n",
  };
  const names = Object.keys(kinds);
  await using work = await bench(
    listening(server.url),
    names.map((say) => ({ say })),
  );
  const channel = work.agents.channels.of("a", "telegram");
  for (const [name, content] of Object.entries(kinds)) {
    const attachments = [note(Buffer.from(content, "latin1"))];
    expect(await channel.prompt(message("", { attachments }))).toMatchObject({
      text: `I could not listen to your voice note: it is in a format that speech services do not read.\n\n${name}`,
    });
  }
  expect(server.requests).toEqual([]);
  expect(work.audit.filter(({ kind }) => kind === "agent.voice_failed")).toHaveLength(names.length);
  expect(work.audit.filter(({ kind }) => kind === "agent.voice_used")).toEqual([]);
});

test("what went to which service is in the audit, without a word of it", async () => {
  await using hears = await speechServer();
  await using speaks = await speechServer({ body: oggOf(1) });
  const { listen } = listening(hears.url);
  await using work = await bench(speaking(speaks.url, "voice", { listen }));
  const recording = oggOf(2);
  await work.agents.channels.of("a", "telegram").prompt(message("", { attachments: [note(recording)] }));
  const used = { kind: "agent.voice_used", agentId: "a", pluginKey: "telegram" };
  expect(work.audit.filter(({ kind }) => kind.startsWith("agent.voice"))).toEqual([
    { ...used, what: "listen", host: `127.0.0.1:${hears.port}`, bytes: recording.length },
    { ...used, what: "speak", host: `127.0.0.1:${speaks.port}`, bytes: "Fine.".length },
  ]);
});

test("what could not be heard is said in the language of the agent's chats, also when a kill comes before the answer", async () => {
  await using server = await speechServer({ status: 401 });
  await using work = await Workbench.open({ voice: listening(server.url), workspace });
  work.language = "de";
  work.secrets.set("SPEECH_TO_TEXT_KEY", "sk-listen");
  await work.script([{ say: "Gut.", delayMs: 200 }]);
  const channel = () => work.agents.channels.of("a", "telegram");
  const same = { messageId: "1", attachments: [note(oggOf(3))] };
  const stop = new AbortController();
  const cut = channel().prompt({
    ...message("", { ...same, signal: stop.signal }),
    onDelta: () => stop.abort(),
  });
  await expect(cut).rejects.toMatchObject({ code: "ABORTED" });
  await work.agents.sessions.close();

  const deltas: string[] = [];
  const answer = await channel().prompt({ ...message("", same), onDelta: (text) => void deltas.push(text) });
  const sorry =
    "Die Sprachnachricht konnte ich nicht anhören: der Sprachdienst nimmt seinen Schlüssel nicht an.";
  expect(answer.text).toBe(`${sorry}\n\nGut.`);
  expect(deltas.join("")).toBe(answer.text);
  // It was listened to once, and is told once, however often it is asked for.
  expect(server.requests).toHaveLength(1);
  expect(await channel().prompt(message("", same))).toEqual(answer);
});

const failures: [string, SpeechAnswer, string][] = [
  [
    "a key that is refused",
    { status: 401, body: '{"error":{"message":"Incorrect API key sk-listen"}}' },
    "refused its key",
  ],
  [
    "a limit",
    { status: 429, headers: { "retry-after": "20" }, body: "{}" },
    "is asked too often at the moment",
  ],
  ["a broken server", { status: 500, body: "<html>oops</html>" }, "has a problem of its own (500)"],
  ["a wrong address", { status: 404, body: "" }, "is not at its address, or does not know its model"],
  [
    "a recording that is too large for it",
    { status: 413, body: "" },
    "does not take recordings of this size",
  ],
  [
    "a redirection",
    { status: 307, headers: { location: "http://127.0.0.1:1/" } },
    "sends Patchbay to another address",
  ],
  ["an endless answer", { endless: true }, "answered with too much"],
  ["an answer that is cut", { cut: true }, "broke off its answer"],
  ["an empty answer", { body: "" }, "did not answer as expected"],
  ["silence", { body: '{"text":"  "}' }, "understood nothing in it"],
  ["an answer of another kind", { body: "[1]" }, "did not answer as expected"],
];
for (const [what, served, words] of failures)
  test(`${what} is said in one sentence before the answer, and the file stays`, async () => {
    await using server = await speechServer(served);
    await using work = await bench(listening(server.url));
    const deltas: string[] = [];

    const answer = await work.agents.channels
      .of("a", "telegram")
      .prompt(message("", { attachments: [note(oggOf(61))], onDelta: (text: string) => deltas.push(text) }));

    const sorry = `I could not listen to your voice note: the speech service ${words}.`;
    expect(answer.text).toBe(`${sorry}\n\nFine.`);
    expect(deltas.join("")).toBe(answer.text);
    expect(await userText(work, answer.sessionId)).toEqual([
      expect.stringMatching(
        /^\[Voice note, 1:01, which could not be heard: .*\]\n\[Attached file: attachments\/voice/,
      ),
    ]);
    expect(work.audit).toContainEqual(
      expect.objectContaining({
        kind: "agent.voice_failed",
        agentId: "a",
        pluginKey: "telegram",
        what: "listen",
      }),
    );
    const kept = JSON.stringify([
      work.audit,
      answer,
      await work.agents.sessions.entries("a", answer.sessionId),
    ]);
    expect(kept).not.toContain("sk-listen");
    expect(server.requests).toHaveLength(1);
  });

test("what is too long, one too many, or has no key is not sent; each says so", async () => {
  await using server = await speechServer();
  await using work = await bench(listening(server.url, { maxMinutes: 1 }), [
    { say: "A" },
    { say: "<NO_REPLY>" },
    { say: "C" },
  ]);
  const channel = work.agents.channels.of("a", "telegram");
  const sorry = "I could not listen to your voice note:";

  // What is in the file counts, not what the channel says of it.
  const long = await channel.prompt(
    message("", { attachments: [note(oggOf(61), { voice: { seconds: 1 } })] }),
  );
  expect(long.text).toBe(`${sorry} it is longer than 1 min.\n\nA`);
  expect(server.requests).toEqual([]);

  const six = Array.from({ length: 6 }, () => note(oggOf(1)));
  const many = await channel.prompt(message("", { attachments: six }));
  expect(many).toMatchObject({ text: `${sorry} only 5 of one message are listened to.` });
  expect(many).not.toHaveProperty("silent");
  expect(server.requests).toHaveLength(5);

  work.secrets.delete("SPEECH_TO_TEXT_KEY");
  const locked = await channel.prompt(message("", { attachments: [note(oggOf(1))] }));
  expect(locked.text).toBe(`${sorry} the speech service has no key in the vault.\n\nC`);
  expect(server.requests).toHaveLength(5);
});

test("a service that is not there, and Patchbay itself", async () => {
  const server = await speechServer();
  await server[Symbol.asyncDispose]();
  await using work = await bench(listening(server.url));
  const { agent } = work;
  const heard = (ownPorts: number[]) =>
    new VoiceNotes({
      secrets: { resolve: () => "key", redact: (text) => text },
      clock: work.clock,
      audit: { record: (...events) => void work.audit.push(...events) },
      ownPorts: () => ownPorts,
    }).hear(
      agent,
      { ...message(""), attachments: [note(oggOf(1))] },
      { channel: "t", signal: new AbortController().signal },
    );
  expect(await heard([])).toMatchObject({
    sorry: expect.stringContaining("the speech service did not answer."),
  });
  expect(await heard([server.port])).toMatchObject({ sorry: expect.stringContaining("is Patchbay itself.") });
});

test("a service that says nothing for a minute is given up, and a stopped turn gives it up at once", async () => {
  await using server = await speechServer({ hang: true });
  await using work = await bench(listening(server.url));
  const clock = new FakeClock();
  const notes = new VoiceNotes({
    secrets: { resolve: () => "key", redact: (text) => text },
    clock,
    audit: { record: () => {} },
  });
  const stop = new AbortController();
  const hear = () =>
    notes.hear(
      work.agent,
      { ...message(""), attachments: [note(oggOf(1))] },
      { channel: "t", signal: stop.signal },
    );
  const late = hear();
  await server.asked;
  clock.advance(LISTEN_MS);
  expect((await late).sorry).toContain("the speech service took too long.");
  expect(clock.waiting).toBe(0);

  const stopped = hear();
  stop.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
});

test("an answer to a voice note is spoken: text and sound go out, also when it is asked for again", async () => {
  await using hears = await speechServer();
  const sound = oggOf(4);
  await using speaks = await speechServer({ body: sound, headers: { "content-type": "audio/ogg" } });
  const { listen } = listening(hears.url);
  const say = "**Yes**, see [the page](https://example.com/a).\n\n```sh\nrm -rf /tmp/x\n```\n- Done";
  await using work = await bench(speaking(speaks.url, "voice", { listen }), [{ say }, { say: "Written." }]);
  const channel = work.agents.channels.of("a", "telegram");
  const spoken = message("", { messageId: "1", attachments: [note(oggOf(2))] });

  const answer = await channel.prompt(spoken);

  const voice = {
    name: "answer.ogg",
    mimeType: "audio/ogg",
    data: sound.toString("base64"),
    voice: { seconds: 4 },
  };
  expect(answer).toMatchObject({ text: say, attachments: [voice] });
  expect(speaks.requests).toMatchObject([
    {
      path: "/v1/audio/speech",
      fields: {
        model: "tts-1",
        voice: "alloy",
        response_format: "opus",
        input: "Yes, see the page.\n\nDone",
      },
    },
  ]);
  expect(speaks.requests[0]?.headers.authorization).toBe("Bearer sk-speak");
  await work.agents.sessions.close();
  expect(await channel.prompt(spoken)).toEqual(answer);
  expect(await channel.prompt(message("typed"))).not.toHaveProperty("attachments");
  expect(speaks.requests).toHaveLength(1);
});

test("answers are always spoken where that is wanted, but commands, silence and code alone are not", async () => {
  await using speaks = await speechServer({ body: Buffer.from("RIFF....WAVEfmt ") });
  await using work = await bench(speaking(speaks.url, "always"), [
    { say: "Hello." },
    { say: "<NO_REPLY>" },
    { say: "```\nls\n```" },
  ]);
  const channel = work.agents.channels.of("a", "telegram");
  const first = await channel.prompt(message("hi"));
  expect(first.attachments).toMatchObject([{ name: "answer.wav", mimeType: "audio/wav", voice: {} }]);
  for (const text of ["/help", "be quiet", "list it"])
    expect(await channel.prompt(message(text))).not.toHaveProperty("attachments");
  expect(speaks.requests).toHaveLength(1);
});

test("what the platform itself understood of a voice note is answered with a voice, too", async () => {
  await using speaks = await speechServer({ body: oggOf(1) });
  await using work = await bench(speaking(speaks.url, "voice"));
  const answer = await work.agents.channels.of("a", "wechat").prompt(message("hello", { spoken: true }));
  expect(answer.attachments).toHaveLength(1);
});

for (const [what, served] of [
  ["refuses", { status: 401, body: "sk-speak is wrong" }],
  ["answers with a page", { body: "<html>" }],
  ["answers with nothing", { body: "" }],
  ["never ends", { endless: true }],
] satisfies [string, SpeechAnswer][])
  test(`a service for speech that ${what} costs nothing but the voice`, async () => {
    await using speaks = await speechServer(served);
    await using work = await bench(speaking(speaks.url, "always"));
    const answer = await work.agents.channels.of("a", "telegram").prompt(message("hi"));
    expect(answer).toEqual({ sessionId: answer.sessionId, text: "Fine." });
    expect(work.audit).toContainEqual(expect.objectContaining({ kind: "agent.voice_failed", what: "speak" }));
    expect(JSON.stringify(work.audit)).not.toContain("sk-speak");
  });

test("answers wait half a minute for their voices and no longer, also those whose turn at the service has not come", async () => {
  await using server = await speechServer({ hang: true });
  await using work = await bench(speaking(server.url, "always"));
  const clock = new FakeClock();
  const notes = new VoiceNotes({
    secrets: { resolve: () => "key", redact: (text) => text },
    clock,
    audit: { record: (...events) => void work.audit.push(...events) },
  });
  const place = { channel: "telegram", signal: new AbortController().signal };
  const six = Array.from({ length: 6 }, () => notes.speak(work.agent, "Fine.", message("hi"), place));
  await expect.poll(() => server.requests.length).toBe(4);
  clock.advance(SPEAK_MS);
  expect(await Promise.all(six)).toEqual([null, null, null, null, null, null]);
  expect(clock.waiting).toBe(0);
  const noted = (kind: string) => work.audit.filter((event) => event.kind === kind);
  expect(noted("agent.voice_used")).toHaveLength(4);
  expect(noted("agent.voice_failed")).toHaveLength(6);
});
