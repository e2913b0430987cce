import { expect, test } from "vitest";
import { pyRepr, pyStr } from "./text.ts";
import { PyError } from "./values.ts";
import { readYaml } from "./yaml.ts";

/** Each recorded with PyYAML 6.0.3 on Python 3.11. */
test.each([
  ["7.0", "7.0"],
  ["3.14_15", "3.1415"],
  ["6.0e+22", "6e+22"],
  ["6.0e+15", "6000000000000000.0"],
  ["0.00012", "0.00012"],
  ["0.000012", "1.2e-05"],
  ["1.0e+400", "inf"],
  ["2e5", "2e5"],
  ["-0b11", "-3"],
  ["0777", "511"],
  ["0778", "0778"],
  ["-0", "0"],
  ["2:03", "123"],
  ["-1:30", "-90"],
  ["1:02:03.5", "3723.5"],
  ["On", "True"],
  ["oN", "oN"],
  ["Y", "Y"],
  ["", "None"],
  ["-.inf", "-inf"],
  ["+.nan", "+.nan"],
  ["2031-07-09", "2031-07-09"],
  ["2031-7-9 1:02:03", "2031-07-09 01:02:03"],
  ["2031-07-09T01:02:03.25-03:30", "2031-07-09 01:02:03.250000-03:30"],
  ["! 12", "12"],
  ["!!str 12", "12"],
  ["!!float 2", "2.0"],
  ["!!binary AP8=", "b'\\x00\\xff'"],
  ["!!set {a}", "{'a'}"],
  ["!!pairs [a: 1, a: 2]", "[('a', 1), ('a', 2)]"],
  ['"\\t\\u00e9"', "\té"],
  ["[\n1,\n2\n]", "[1, 2]"],
  ["'one\ntwo\n\nthree'", "one two\nthree"],
  ["&a [x, *a]", "['x', [...]]"],
  ["&a {x: *a}", "{'x': {...}}"],
  ["{1: a, 1.0: b, true: c, null: [2031-07-09]}", "{1: 'c', None: [datetime.date(2031, 7, 9)]}"],
  ['it\'s "both"', 'it\'s "both"'],
])("the value %j is %s", (text, expected) => {
  expect(pyStr(value(`v: ${text}\n`))).toBe(expected);
});

test.each([
  ["a: 1\nb: 2\na: 3\n", "{'a': 3, 'b': 2}"],
  ["x: &x {a: 1, b: 2}\n<<: *x\nb: 3\n", "{'a': 1, 'b': 3, 'x': {'a': 1, 'b': 2}}"],
  ["<<: [{a: 1}, {a: 2, b: 2}]\n", "{'a': 1, 'b': 2}"],
  ["=: 1\n", "{'=': 1}"],
  ["%YAML 1.2\n---\na: yes\n...\n", "{'a': True}"],
  ["", "None"],
  ["# nothing\n", "None"],
  ["a: 'x\ty' # \tz\nb: |\n  p\tq\n", "{'a': 'x\\ty', 'b': 'p\\tq\\n'}"],
  ["? [a]\n: 1\n".replace("[a]", "a"), "{'a': 1}"],
])("the document %j is %s", (text, expected) => {
  expect(pyRepr(value(text))).toBe(expected);
});

test.each([
  ["a: =\n"],
  ["a: <<\n"],
  ["a:\tb\n"],
  ["a: b\tc\n"],
  ["a: [b,\tc]\n"],
  ["a: b\t\n"],
  ["a: b \t# c\n"],
  ["a: |\t\n  b\n"],
  ["a: 1\n---\nb: 2\n"],
  ["a: 1\n---\n"],
  ["%YAML 2.0\n---\na: 1\n"],
  ["a: *b\n"],
  ["a: *b\nc: &b 1\n"],
  ["a: &b 1\nc: &b 2\n"],
  ["? [a]\n: 1\n"],
  ["? {a: 1}\n: 1\n"],
  ["a: !x 1\n"],
  ["a: !!python/name:os.system ''\n"],
  ["<<: 5\n"],
  ["a: 2031-02-30\n"],
  ["a: 0x_\n"],
  ["a: [b?c]\n"],
  ["a: [b\n"],
  [": b\n"],
  ["a: 'b\n"],
  ["a: b\n  c: d\n"],
  ['a: "\\q"\n'],
  ["a: b\u0007\n"],
  ["a: b\n...\nc\n"],
  [`a: ${"9".repeat(4301)}\n`],
])("%j is refused", (text) => {
  expect(() => value(text)).toThrow(PyError);
});

/** The value of `v` when the document has that key alone; the whole document otherwise. */
function value(text: string) {
  const read = readYaml(text);
  const only = read !== null && typeof read === "object" && "get" in read ? read.get("v") : undefined;
  return only === undefined ? read : only;
}
