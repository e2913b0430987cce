import { describe, expect, it } from "vitest";
import { ChannelFailure, chatLanguage, chatSayer } from "../../src/channel/index.ts";
import { approval, type Bench, settled, started } from "./support.ts";

/** A channel whose chats are in German. */
const german = (change: (bench: Bench) => void = () => {}) =>
  started((bench) => {
    bench.agent.language = "de";
    change(bench);
  });

describe("in German", () => {
  it("a stranger without an account is told to sign in, and somebody who is let in is told so", async () => {
    const bench = await german((b) => {
      b.options = { access: { owners: ["olga"], users: [], everyone: false, strangers: "pair", groups: [] } };
    });
    await bench.say("hi", { conversation: "nick", from: { id: "nick", lasting: false } });
    await bench.say("hi", { conversation: "sam", from: { id: "sam" } });
    bench.agent.decide("sam", "user");
    await bench.clock.pass(10);
    expect(bench.transport.texts("nick").join(" ")).toContain("mit einem Konto angemeldet");
    expect(bench.transport.texts("sam")).toContain("Du darfst mir jetzt schreiben.");
  });

  it("a call is asked for, refused to others, and decided", async () => {
    const bench = await german((b) => {
      b.transport.limits = { piece: 500, unit: "chars" };
    });
    await bench.say("hallo");
    await bench.clock.pass(10);
    bench.agent.listener?.asked(approval());
    bench.agent.listener?.asked(approval({ requestId: "r-2", shortId: "8", whole: false }));
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm").slice(1)).toEqual([
      'Der Agent möchte shell benutzen (Anfrage 7).\n{"command":"ls"}\nAntworte genehmigen 7 oder ablehnen 7.',
      expect.stringContaining("Erlaube es in Patchbay, oder antworte ablehnen 8."),
    ]);
    await bench.say("/genehmigen 7", { conversation: "uma", from: { id: "uma" } });
    await bench.say("genehmigen 7");
    await bench.clock.pass(10);
    expect(bench.transport.texts("uma")).toEqual(["Das darf nur der Besitzer entscheiden."]);
    expect(bench.transport.texts("dm").at(-1)).toBe("Anfrage 7 (shell): erlaubt.");
    bench.agent.listener?.settled("r-2", "expired");
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm")).toContain("Anfrage 8 (shell): abgelaufen, also abgelehnt.");
  });

  it("the buttons have German labels", async () => {
    const bench = await german();
    await bench.say("hallo");
    await bench.clock.pass(10);
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    expect(bench.transport.sent.at(-1)?.piece.buttons?.map(({ label }) => label)).toEqual([
      "Erlauben",
      "Ablehnen",
    ]);
    const old = await bench.transport.port?.press({ conversation: "dm", userId: "olga", data: "other" });
    expect(old).toBe("Dieser Knopf gilt nicht mehr.");
  });

  it("a turn is stopped with stopp, and a failure is said with its reason to owners alone", async () => {
    const bench = await german();
    bench.agent.answer = () => new Promise(() => {});
    await bench.say("langsam", { conversation: "uma", from: { id: "uma" } });
    await bench.clock.pass(10);
    await bench.say("Stopp!", { conversation: "uma", from: { id: "uma" } });
    await bench.clock.pass(10);
    await bench.say("/stopp", { conversation: "uma", from: { id: "uma" } });
    await bench.clock.pass(10);
    expect(bench.transport.texts("uma")).toEqual(["Angehalten.", "Hier wird gerade nichts beantwortet."]);
    bench.agent.answer = async () => {
      throw Object.assign(new Error("The provider refused."), { code: "MODEL_KEY_REFUSED" });
    };
    await bench.say("frage", { conversation: "uma", from: { id: "uma" } });
    await bench.say("frage");
    await bench.clock.pass(60_000);
    expect(bench.transport.texts("uma").at(-1)).toMatch(/^Das konnte ich nicht beantworten/);
    expect(bench.transport.texts("dm").at(-1)).toBe(
      "Ich konnte nicht antworten: Der Anbieter des Modells hat den Schlüssel abgelehnt.",
    );
  });

  it("another bot is told that it was the last answer", async () => {
    const bench = await german((b) => {
      b.options = { manners: { botExchanges: 1 } };
    });
    const bot = { conversation: "room", from: { id: "robo", name: "Robo", bot: true } };
    for (const text of ["eins", "zwei"]) {
      await bench.say(text, { ...bot, group: { id: "team", addressed: true } });
      await bench.clock.pass(2_000);
    }
    expect(bench.transport.texts("room").join(" ")).toContain("Ich habe Robo einmal geantwortet");
  });
});

it.each([
  ["ja 7", "allow"],
  ["Genehmigen 7.", "allow"],
  ["erlauben #7", "allow"],
  ["!genehmigen 7", "allow"],
  ["nein, 7", "refuse"],
  ["/ablehnen 7", "refuse"],
  ["yes 7", "allow"],
])("a call is decided by an owner's %s, whatever the language", async (text, decision) => {
  for (const language of ["en", "de"]) {
    const bench = await started((b) => {
      b.agent.language = language;
    });
    await bench.say("hello");
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    await bench.say(text);
    await bench.clock.pass(10);
    expect(bench.agent.reviews).toMatchObject([{ request: "7", decision }]);
  }
});

it("a change of the language holds from the next sentence on, and an older Patchbay speaks English", async () => {
  const bench = await german();
  await bench.say("/stop");
  bench.agent.speak("en");
  await bench.say("/stop");
  await bench.clock.pass(10);
  expect(bench.transport.texts("dm")).toEqual([
    "Hier wird gerade nichts beantwortet.",
    "Nothing is being answered here.",
  ]);
  const older = await started((b) => {
    b.agent.followLanguage = undefined as never;
  });
  await older.say("/stop");
  await older.clock.pass(10);
  expect(older.transport.texts("dm")).toEqual(["Nothing is being answered here."]);
});

it("a plugin's own sentences can know the language", async () => {
  const bench = await german();
  const language = chatLanguage(bench.agent);
  await settled();
  expect(language()).toBe("de");
  bench.agent.speak("en");
  expect(language()).toBe("en");
  expect(chatLanguage({ prompt: bench.agent.prompt })()).toBe("en");
});

describe("sentences of the plugin's own", () => {
  const de = {
    "larger than {limit} MB": "größer als {limit} MB",
    "{service} took it not: {why*}": "{service} nahm es nicht: {why*}",
    "{service} took it not ({code})": "{service} nahm es nicht (Nummer {code})",
    busy: "überlastet",
  };

  it.each([
    ["busy", "überlastet"],
    ["larger than 10 MB", "größer als 10 MB"],
    ["Files took it not: busy", "Files nahm es nicht: überlastet"],
    ["Files took it not: code 7", "Files nahm es nicht: code 7"],
    ["Files took it not (7)", "Files nahm es nicht (Nummer 7)"],
    ["larger than  MB and something else", "larger than  MB and something else"],
    ["constructor", "constructor"],
  ])("are found in its texts: %s", async (sentence, expected) => {
    const bench = await german();
    const say = chatSayer(bench.agent, { de });
    expect(say(sentence)).toBe(expected);
    bench.agent.speak("en");
    expect(say(sentence)).toBe(sentence);
  });

  it("say in a chat why a file could not be sent", async () => {
    const bench = await german((b) => {
      b.options = { say: chatSayer(b.agent, { de }) };
      b.transport.sendFile = async () => {
        throw new ChannelFailure("refused", "larger than 10 MB");
      };
    });
    bench.agent.answer = async () => ({
      text: "Hier.",
      attachments: [{ name: "a.zip", mimeType: "application/zip", data: "UEs=" }],
    });
    await bench.say("die Datei");
    await bench.clock.pass(100);
    expect(bench.transport.texts("dm")).toEqual(["Hier.", "(a.zip: größer als 10 MB)"]);
  });
});
