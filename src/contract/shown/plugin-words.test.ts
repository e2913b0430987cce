import { expect, test } from "vitest";
import { placesIn, sayer } from "./plugin-words.ts";

const say = sayer([
  {
    Server: "Server (deutsch)",
    "The server is gone.": "Der Server ist weg.",
    "Try again.": "Versuche es noch einmal.",
    "{name} cannot be reached: {reason*}": "{name} ist nicht erreichbar: {reason*}",
    "{name} cannot be reached: {reason*}. Sign in anew.": "{name}: neu anmelden ({reason*})",
    "nothing answers there ({code})": "dort antwortet niemand ({code})",
    "{label*} is missing.": "{label*} fehlt.",
    "from {a} to {b}, {a} again": "von {a} nach {b}, wieder {a}",
  },
]);

test.each([
  ["Server", "Server (deutsch)"],
  ["The server is gone.", "Der Server ist weg."],
  [
    "IRC cannot be reached: nothing answers there (E)",
    "IRC ist nicht erreichbar: dort antwortet niemand (E)",
  ],
  ["IRC cannot be reached: Server", "IRC ist nicht erreichbar: Server (deutsch)"],
  ["IRC cannot be reached: something new", "IRC ist nicht erreichbar: something new"],
  ["Server is missing.", "Server (deutsch) fehlt."],
  ["from x to y, x again", "von x nach y, wieder x"],
])("%s is said as %s", (text, said) => {
  expect(say(text)).toBe(said);
});

test("what stands at a name stays, even where it is a text that is known", () => {
  expect(say("Server cannot be reached: E")).toBe("Server ist nicht erreichbar: E");
});

test("of two that fit, the one that says more itself is taken", () => {
  expect(say("IRC cannot be reached: E. Sign in anew.")).toBe("IRC: neu anmelden (E)");
});

test("sentences and lines that are each known are said one by one, and none of them in part", () => {
  expect(say("The server is gone. Try again.")).toBe("Der Server ist weg. Versuche es noch einmal.");
  expect(say("Try again.\n\nThe server is gone.")).toBe("Versuche es noch einmal.\n\nDer Server ist weg.");
  expect(say("The server is gone. Buy another.")).toBe("The server is gone. Buy another.");
});

test("a paragraph that is known as a whole is said as a whole, beside others", () => {
  const say = sayer([{ "One. Two.": "Eins und zwei.", "Three.": "Drei.", "Four.": "Vier." }]);
  expect(say("One. Two.\n\nThree. Four.")).toBe("Eins und zwei.\n\nDrei. Vier.");
  expect(say("One. Two. Three.")).toBe("One. Two. Three.");
});

test("a pattern that is the same in both languages does not stand in the way of others", () => {
  const say = sayer([
    { "{a*}: {b*}": "{a*}: {b*}", "Note: all is well.": "x", "One: a. ": "y", "It is: so.": "So ist es." },
  ]);
  expect(say("Well. It is: so.")).toBe("Well. It is: so.");
  expect(say("It is: so. It is: so.")).toBe("So ist es. So ist es.");
});

test.each(["", "another text", "from x to y, z again", " cannot be reached: ", "is missing."])(
  "%j, which nobody translated, stays as it is",
  (text) => {
    expect(say(text)).toBe(text);
  },
);

test("an earlier list goes before a later one", () => {
  const both = sayer([{ "See {x}.": "Zuerst {x}." }, { "See {y}.": "Danach {y}.", Yes: "Ja" }]);
  expect(both("See it.")).toBe("Zuerst it.");
  expect(both("Yes")).toBe("Ja");
});

test("what a translation says of prices and patterns is no replacement of its own", () => {
  expect(sayer([{ "costs {n}": "kostet $& {n} $1" }])("costs 5")).toBe("kostet $& 5 $1");
  expect(sayer([{ "costs {n}": "kostet {n}" }])("costs $&")).toBe("kostet $&");
});

test("names in a text are found with and without the star", () => {
  expect(placesIn("{a} and {b*}, {a}; {1} and {} are none")).toEqual(["a", "b", "a"]);
});

test("a text made to be compared for long is answered at once", () => {
  const names = Array.from({ length: 300 }, (_, n) => [`{a}x{b}x{c}x{d}x{e*} ${n}`, "{a}{b}{c}{d}{e*}"]);
  const slow = sayer([Object.fromEntries(names)]);
  expect(slow("x".repeat(4_000))).toBe("x".repeat(4_000));
});
