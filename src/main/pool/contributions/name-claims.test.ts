import { expect, test } from "vitest";
import { NameClaims } from "./name-claims.ts";

const names = (...list: string[]) => new Set(list);

test("whoever claims a name first keeps it for as long as they claim it", () => {
  const claims = new NameClaims();
  claims.set("later-in-the-alphabet", names("say", "hear"));
  expect(claims.set("a", names("say"))).toEqual(names("a", "later-in-the-alphabet"));
  expect(claims.ownerOf("say")).toBe("later-in-the-alphabet");
  expect(claims.lostBy("a")).toEqual({ name: "say", owner: "later-in-the-alphabet" });
  expect(claims.lostBy("later-in-the-alphabet")).toBeNull();

  expect(claims.set("later-in-the-alphabet", names("hear"))).toEqual(names("a", "later-in-the-alphabet"));
  expect(claims.ownerOf("say")).toBe("a");
  expect(claims.lostBy("a")).toBeNull();
});

test("with an order of their own a later one can take a name over", () => {
  const claims = new NameClaims((left, right) => left < right);
  claims.set("b", names("greet"));
  claims.set("c", names("greet"));
  claims.set("a", names("greet"));
  expect(claims.ownerOf("greet")).toBe("a");
  claims.set("a", names());
  expect(claims.ownerOf("greet")).toBe("b");
});

test("names that nobody claims any more are free, and a plugin without names is forgotten", () => {
  const claims = new NameClaims();
  claims.set("a", names("x"));
  claims.set("a", names());
  expect(claims.ownerOf("x")).toBeUndefined();
  expect(claims.lostBy("a")).toBeNull();
});

test("a change touches nobody with whom it shares no name", () => {
  const claims = new NameClaims();
  claims.set("a", names("x"));
  claims.set("b", names("y"));
  expect(claims.set("b", names("y", "z"))).toEqual(names("b"));
});
