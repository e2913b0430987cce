import { afterAll, beforeAll, expect, it } from "vitest";
import { TelegramPlatform } from "./telegram-platform.ts";
import { ChannelWorld } from "./world.ts";

/** People who were let in, and the language of chats, through a real channel from end to end. */
let platform: TelegramPlatform;
let world: ChannelWorld;
beforeAll(async () => {
  platform = await TelegramPlatform.open();
  world = await ChannelWorld.open(platform);
});
afterAll(() => world?.close());

const stranger = async () => (await world.view()).people?.[0]?.userId ?? "";

it("speaks German in its chats where that is chosen, understands it, and changes while it runs", async () => {
  await world.speak("de");
  await platform.say("stranger", "lass mich rein");
  await world.hears("stranger", "Er gilt eine Stunde");
  await platform.say("user", "/hilfe");
  await world.hears("user", "/stop: Hält an");
  await platform.say("user", "/stopp");
  await world.hears("user", "Hier wird gerade nichts beantwortet.");
  await platform.say("owner", 'use shell {"command":"echo erlaubt-$((40+2))"}');
  await world.hears("owner", "Der Agent möchte shell benutzen");
  const [, number = ""] = /\(Anfrage (\w+)\)/.exec(platform.heard("owner").join("\n")) ?? [];
  await platform.say("user", `/genehmigen ${number}`);
  await world.hears("user", "Das darf nur der Besitzer entscheiden.");
  await platform.say("owner", `ja ${number}`);
  await world.hears("owner", "erlaubt-42");
  await world.speak("app");
  await platform.say("user", "/stop");
  await world.hears("user", "Nothing is being answered here.");
});

it("a plugin's form and page are answered in Patchbay, and the chat is told so, without the plugin's words", async () => {
  await world.addServer("asks-legacy", "trips", ["sure", "page", "many"]);
  const here = /The plugin trips has a question for my owner. It is answered in Patchbay, under Approvals./;
  const told = () => platform.heard("owner").filter((text) => here.test(text)).length;

  await platform.say("owner", "use trips__sure {}");
  const form = await world.question();
  expect(form).toMatchObject({ pluginKey: "trips", question: { kind: "form", message: "Are you sure?" } });
  await world.until("the chat is told", () => told() === 1);
  await world.answer(form.id, { action: "accept", values: {} });
  await world.hears("owner", 'tool said: {"action":"accept"');

  await platform.say("owner", 'use trips__page {"url":"https://example.com/sign-here"}');
  const page = await world.question();
  expect(page).toMatchObject({ question: { kind: "link", url: "https://example.com/sign-here" } });
  await world.until("the chat is told", () => told() === 2);
  await world.answer(page.id, { action: "decline" });
  await world.hears("owner", 'tool said: {"action":"decline"}');

  // A hundred questions of one call are told of once, and nobody who answers ends it.
  await platform.say("owner", "use trips__many {}");
  for (let round = 0; round < 3; round += 1) await world.answer((await world.question()).id, null);
  await world.until("the chat is told", () => told() === 3);
  for (let round = 3; round < 10; round += 1) await world.answer((await world.question()).id, null);
  await world.hears("owner", "tool said: cancel cancel");
  expect(told()).toBe(3);
  const heard = platform.heard("owner").join("\n");
  expect(heard).not.toContain("Are you sure?");
  expect(heard).not.toContain("Sign the form");
});

it("answers nobody any more who is removed: what they began is stopped, its question and what waits are dropped", async () => {
  const id = await stranger();
  await world.decide(id, "owner");
  await world.hears("stranger", "re: lass mich rein");
  await platform.say("stranger", 'use shell {"command":"echo secret-$((40+3))"}');
  await world.hears("stranger", "echo secret-");
  await platform.say("stranger", "and this");
  await world.until("the second message waits", async () => {
    const queue = (await world.view()).runtimeState?.queue as { in: number } | undefined;
    return queue?.in === 2;
  });
  await world.decide(id, "remove");
  await world.settled();
  expect(await world.waitingCalls()).toEqual([]);
  await world.until(
    "the question is withdrawn",
    () => !platform.heard("stranger").join("\n").includes("echo secret-"),
  );
  await platform.say("owner", "after the removal");
  await world.hears("owner", "re: after the removal");
  const heard = platform.heard("stranger").join("\n");
  for (const never of ["secret-43", "re: and this", "could not answer"]) expect(heard).not.toContain(never);
  expect(world.model.asked.join("\n")).not.toContain("and this");
  await platform.say("stranger", "am I still in?");
  await world.until("they wait again", async () => (await world.view()).people?.[0]?.status === "waiting");
});

it("fills in a prompt that an owner writes, says what it lacks and what is held, and has none for others", async () => {
  await world.serve("shelf", "shelf-legacy");
  await world.serve("notes", "changing");
  await platform.say("owner", "/shelf:review author=Ada tone=kind");
  await world.hears("owner", "re: Now write a review in a kind tone.");
  await platform.say("owner", "/shelf:review tone=kind");
  await world.hears("owner", "/shelf:review lacks author.");
  await platform.say("user", "/shelf:review author=Ada");
  await world.hears("user", "/shelf:review is a command for the owner of this agent.");

  await world.call("notes__become", { mode: "everything" });
  await world.until("the prompt is held", async () => !(await world.commands()).includes("notes:tidy"));
  await world.speak("de");
  await platform.say("owner", "/notes:tidy");
  await world.hears("owner", "/notes:tidy wird zurückgehalten: notes sagt darüber etwas");
  await platform.say("user", "/notes:tidy");
  await world.hears("user", "Einen Befehl /notes:tidy gibt es nicht.");
});
