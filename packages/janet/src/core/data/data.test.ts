import { describe, expect, it } from "vitest";
import { runCase } from "../../cli/cases.ts";

/** The value of a program as `%q` shows it, or the text of its error. */
async function answer(code: string): Promise<string | undefined> {
  const { value, error } = await runCase(code);
  return error ?? value;
}

async function expectAnswers(rows: Record<string, string>): Promise<void> {
  const answers: Record<string, string | undefined> = {};
  for (const code of Object.keys(rows)) answers[code] = await answer(code);
  expect(answers).toEqual(rows);
}

describe("the data library", () => {
  it("counts negative positions of slices from past the end, and those of array/remove from the end", () =>
    expectAnswers({
      '(string/slice "hello" 1 -2)': '"ell"',
      "(array/slice [1 2 3] nil -1)": "@[1 2 3]",
      "(array/slice @[1 2 3] -5)": "start index -5 out of range [-4,3]",
      "(array/remove @[1 2 3] -1)": "@[1 2]",
      "(array/insert @[1 2] -1 3)": "@[1 2 3]",
    }));

  it("names the first argument that is wrong", () =>
    expectAnswers({
      "(string/replace-all 1 2 3)": "bad slot #0, expected string, symbol, keyword or buffer, got 1",
      '(string/find "" "a" -1)': "expected non-negative start index",
      '(buffer/push-uint16 @"" "be" -1)': 'bad slot #1, expected keyword, got "be"',
      '(buffer/blit @"abc" "d" 0 0 9)': "src-end index 9 out of range [-2,1]",
    }));

  it("splits at most into as many parts as it is told, from a start on", () =>
    expectAnswers({
      '(string/split "," "a,b,c" 0 2)': '@["a" "b,c"]',
      '(string/split "," "a,b,c" 2)': '@["a,b" "c"]',
    }));

  it("finds overlapping occurrences, and replaces those that do not overlap", () =>
    expectAnswers({
      '(string/find-all "aa" "aaaa")': "@[0 1 2]",
      '(string/replace-all "aa" "b" "aaaaa")': '"bba"',
    }));

  it("may be given a function that replaces, which gets the match", () =>
    expectAnswers({
      '(string/replace "b" (fn [x] 12) "abc")': '"a12c"',
      '(string/replace-all "a" string/ascii-upper "banana")': '"bAnAnA"',
    }));

  it("writes over a buffer without making it shorter", () =>
    expectAnswers({
      '(buffer/push-at @"abc" 1 "z")': '@"azc"',
      '(buffer/format-at @"abc" -1 "%d" 7)': '@"abc7"',
      '(buffer/blit @"abc" "XYZ" 1)': '@"aXYZ"',
    }));

  it("keeps the entries of prototypes apart until it is told to flatten them", () =>
    expectAnswers({
      "(length (struct/with-proto {:a 1} :b 2))": "1",
      "((struct/with-proto {:a 1} :b 2) :a)": "1",
      "(table/proto-flatten (table/setproto @{:a 1} @{:a 2 :b 3}))": "@{:a 1 :b 3}",
    }));

  it("ends a lookup in a table that is its own prototype", () =>
    expectAnswers({ "(do (def t @{}) (table/setproto t t) (get t :a))": "nil" }));

  it("refuses sizes that would take all memory", () =>
    expectAnswers({
      "(array/new-filled 2000000000)": "out of memory",
      "(put @[] 2000000000 1)": "out of memory",
      '(string/repeat "ab" 2000000000)': "result string is too long",
    }));
});

describe("the number library", () => {
  it("computes with boxed integers on either side, and in strings", () =>
    expectAnswers({
      '(+ "2" (int/s64 1))': "<core/s64 3>",
      "(- 5 (int/s64 1))": "<core/s64 4>",
      "(brushift (int/s64 -8) 1)": "<core/s64 -4>",
      "(mod -7 (int/s64 3))": "<core/s64 2>",
      "(int/s64 [1])": "can not convert tuple (1) to 64 bit signed integer",
    }));

  it("asks tables and structs for the methods of operators and of compare", () =>
    expectAnswers({
      "(+ @{:+ (fn [a b] [:plus b])} 1)": "(:plus 1)",
      "(+ 1 @{:r+ (fn [a b] [:plus b])})": "(:plus 1)",
      "(compare @{:compare (fn [a b] nil)} 5)": "1",
      "(compare 5 @{:compare (fn [a b] 42)})": "-42",
    }));

  it("gives random numbers by their seed", () =>
    expectAnswers({
      "(= (math/rng-uniform (math/rng 7)) (math/rng-uniform (math/rng 7)))": "true",
      '(do (math/seedrandom "x") (def a (math/random)) (math/seedrandom "x") (= a (math/random)))': "true",
      "(math/rng 1.5)": "bad slot #0, expected string, symbol, keyword or buffer, got 1.5",
    }));

  it("moves doubles by one step and takes them apart", () =>
    expectAnswers({
      "(math/next 0 1)": "4.94065645841247e-324",
      "(math/frexp -3)": "(-0.75 2)",
      "(math/ldexp 1 2000)": "inf",
      "(math/gcd -4 6)": "2",
      "(math/hypot 5 1)": "5.09901951359278",
    }));
});
