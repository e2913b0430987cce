import { expect, test } from "vitest";
import { pickOne, pickSome } from "./picked.ts";

const colours = ["Red", "Dark green", "red wine"].map((label, at) => ({ value: String(at), label }));
const ports = ["8080", "2", "any"].map((label) => ({
  value: `port-${label}`,
  label,
  keys: [label.charAt(0)],
}));

test.each([
  ["red", colours, ["0"]],
  ["  DARK   GREEN ", colours, ["1"]],
  ["3", colours, ["2"]],
  ["8080", ports, ["port-8080"]],
  // A text that is a number comes before the place in the list.
  ["2", ports, ["port-2"]],
  ["3", ports, ["port-any"]],
  ["PORT-ANY", ports, ["port-any"]],
  ["a", ports, ["port-any"]],
])("%j picks its option by text, number, value or key", (typed, options, values) => {
  expect(pickOne(typed, options)).toEqual({ values });
});

test.each([
  ["0", "“0” is none of the options."],
  ["4", "“4” is none of the options."],
  ["re", "“re” is none of the options."],
  ["blue\u001b[2J", "“blue␛[2J” is none of the options."],
])("%j is refused: %s", (typed, wrong) => {
  expect(pickOne(typed, colours)).toEqual({ wrong });
});

test("a text that several options have is not guessed", () => {
  const twins = ["red", "Red"].map((label, at) => ({ value: String(at), label }));
  expect(pickOne("red", twins)).toEqual({ wrong: "2 options read “red”: give the number of one." });
});

test.each([
  ["2, 1", ["1", "0"]],
  ["1 2", ["0", "1"]],
  ["red wine, Red, 3", ["2", "0"]],
])("several are picked with commas between: %j", (typed, values) => {
  expect(pickSome(typed, colours)).toEqual({ values });
});

test("several with one that is none are refused whole", () => {
  expect(pickSome("red, blue", colours)).toEqual({ wrong: "“blue” is none of the options." });
});
