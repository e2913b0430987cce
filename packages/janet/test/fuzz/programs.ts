import fc from "fast-check";
import { makeCore } from "../../src/core/core.ts";
import { Sym } from "../../src/values/names.ts";

const core = makeCore();
const names: string[] = [];
for (let slot = 0; slot < core.slots; slot++) {
  const name = core.liveAt(slot) ? core.keyAt(slot) : null;
  if (name instanceof Sym) names.push(name.name);
}

const specials = [..."def var fn do quote if splice while break set quasiquote unquote upscope".split(" ")];

const numbers =
  "0 1 -1 2 3 5 -3 0.5 1e300 -1e-300 255 256 65536 2147483647 2147483648 -2147483648 1e15 9007199254740993 math/nan math/inf -0 0x10 1_000";
const texts = [
  '""',
  '"a"',
  '"abc abc"',
  '"\\xff\\0\\n"',
  '"%q %d %s %v %5.2f"',
  '"(+ 1"',
  '"{\\"a\\": [1, null]}"',
  '"../x"',
  '"10"',
];
const others = [
  "nil",
  "true",
  "false",
  ":a",
  ":b",
  ":",
  "'x",
  "'(1 [2] {:a 3})",
  "[]",
  "()",
  "[1 2 3]",
  "{}",
  "{:a 1 :b [2]}",
  "@[]",
  "@[3 1 2]",
  "@{}",
  "@{:a 1 2 @[]}",
  '@""',
  '@"buffer"',
  "(fn [x] x)",
  "(fn [& xs] xs)",
  "(fn [] (error :no))",
  "(fn [a &opt b] (yield a))",
  "inc",
  "print",
  "+",
  "<",
  "(int/s64 5)",
  '(int/u64 "18446744073709551615")',
  "(coro (yield 1) (yield 2) (error 3))",
  "(fiber/new (fn [x] (yield x)) :yi)",
  "(fiber/current)",
  "(peg/compile '(<- 1))",
  "(parser/new)",
  "(math/rng 1)",
  "(ev/chan 1)",
  "(ev/lock)",
  "(curenv)",
  "(gensym)",
  "(let [a @[1]] (array/push a a) a)",
  "(let [t @{:x 1}] (put t :t t) (table/setproto t @{:y 2}))",
  "(let [t @{}] (table/setproto t t))",
  "(range 40)",
  "(generate [x :range [0 5]] x)",
  "stdout",
  ":constructor",
  "'toString",
  '"__proto__"',
  "x",
  "y",
];

const atom = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...numbers.split(" ")) },
  { weight: 2, arbitrary: fc.constantFrom(...texts) },
  { weight: 5, arbitrary: fc.constantFrom(...others) },
  { weight: 1, arbitrary: fc.constantFrom(...names) },
);

const joined = (parts: readonly string[]) => parts.join(" ");
const grammarWords =
  "* + some any between at-least at-most repeat opt ? if if-not not ! to thru > look <- capture % accumulate group / replace drop cmt cms -> backref backmatch $ line column constant argument number sub til split lenprefix nth only-tags unref error int uint-be set range debug 2";

const { form, grammar } = fc.letrec<{ form: string; grammar: string; pattern: string; list: string }>(
  (tie) => {
    const of = (
      build: (...parts: string[]) => string,
      ...kinds: ("form" | "grammar" | "pattern" | "list")[]
    ): fc.Arbitrary<string> => fc.tuple(...kinds.map((kind) => tie(kind))).map((parts) => build(...parts));
    return {
      list: fc.array(tie("form"), { maxLength: 4 }).map(joined),
      form: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        atom,
        {
          weight: 6,
          arbitrary: fc.tuple(fc.constantFrom(...names), tie("list")).map(([f, args]) => `(${f} ${args})`),
        },
        fc.tuple(fc.constantFrom(...specials), tie("list")).map(([f, args]) => `(${f} ${args})`),
        of((a, b) => `(${a} ${b})`, "form", "list"),
        of((p, a, b) => `(let [${p} ${a}] ${b})`, "pattern", "form", "list"),
        of((p, a) => `(def ${p} ${a})`, "pattern", "form"),
        of((a, b) => `(var x ${a}) (set x ${b})`, "form", "form"),
        of((a, b, c) => `(if ${a} ${b} ${c})`, "form", "form", "form"),
        of((p, a, b) => `((fn [${p}] ${a}) ${b})`, "pattern", "list", "list"),
        of((p, a, b) => `(defn f [${p}] ${a}) (f ${b})`, "pattern", "list", "list"),
        of((p, a, b) => `(defmacro m [${p}] ${a}) (m ${b})`, "pattern", "list", "list"),
        of((a, b) => `(try ${a} ([e f] ${b}))`, "form", "list"),
        of((p, a, b) => `(each ${p} ${a} ${b})`, "pattern", "form", "list"),
        of((p, a, b) => `(seq [${p} :in ${a} :while ${b}] x)`, "pattern", "form", "form"),
        of((a, b) => `(var i 0) (while (< (++ i) 4) ${a} (if ${b} (break)))`, "form", "form"),
        of((a, p, b) => `(match ${a} ${p} ${b})`, "form", "pattern", "form"),
        of((a, b) => `~(${a} ,${b} ,;[1 2])`, "list", "form"),
        of((a, b) => `(defer ${a} ${b})`, "form", "list"),
        of((a, b) => `(label l ${a} (return l ${b}))`, "form", "form"),
        of((a) => `(resume (coro ${a}) 1)`, "list"),
        of((a) => `(ev/spawn ${a}) (ev/sleep 0)`, "list"),
        of((a) => `(unmarshal (marshal ${a} make-image-dict) load-image-dict)`, "form"),
        of((a) => `(eval '${a})`, "form"),
        of((a) => `|(${a} $ $1 $&)`, "form"),
        fc.tuple(tie("grammar"), tie("form")).map(([g, text]) => `(peg/match ~${g} ${text})`),
        fc.tuple(tie("grammar"), fc.constantFrom(...texts)).map(([g, text]) => `(peg/match ~${g} ${text})`),
        of((a) => `(string/format "%q %p %j %m" ${a} ${a} ${a} ${a})`, "form"),
      ),
      pattern: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("x", "y", "_", "&", "&opt", "$", "nil"),
        of((a, b) => `[${a} ${b}]`, "pattern", "pattern"),
        of((a) => `[${a} & y]`, "pattern"),
        of((a) => `{:a ${a} :keys 1}`, "pattern"),
        fc.constantFrom("& xs", "&opt x", "&keys x", "&named a b", "x y"),
      ),
      grammar: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(
          ...'1 2 0 -1 "a" "abc" "" :d :a+ :s* true false :t :main'.split(" "),
          '(set "abc ")',
          '(range "az")',
        ),
        {
          weight: 4,
          arbitrary: fc
            .tuple(fc.constantFrom(...grammarWords.split(" ")), fc.array(tie("grammar"), { maxLength: 3 }))
            .map(([word, parts]) => `(${word} ${joined(parts)})`),
        },
        of((a) => `(/ ${a} ,(fn [& xs] xs))`, "grammar"),
        of((a) => `(<- ${a} :t)`, "grammar"),
        of((a, b) => `{:main ${a} :t ${b}}`, "grammar", "grammar"),
      ),
    };
  },
);

/** Text that is hardly ever a program. */
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."()[]{}@'~,;|\"`#\\ \n:&$.-+0x".split(""),
        "@(",
        "@[",
        "@{",
        '@"',
        "``",
        "\\x4",
        "\\u0041",
      ),
      atom,
      fc.string({ maxLength: 4, unit: "binary" }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

/** Programs that work, changed a little. */
function changed(sources: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(400),
    length: fc.nat(12),
    by: fc.oneof(atom, form, fc.constantFrom(...names), fc.constantFrom("", "(", ")", " ", "@", "'", "]")),
  });
  return fc
    .tuple(fc.constantFrom(...sources), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([source, changes]) =>
      changes.reduce((text, { at, length, by }) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + by + text.slice(place + length);
      }, source),
    );
}

/** A program goes on after each of its forms, whatever comes of it. */
const guarded = (forms: readonly string[]) =>
  ["(def x 1) (def y @[1])", ...forms.map((each) => `(try (eval '(do ${each})) ([e] e))`)].join("\n");

/** Calls of functions and macros with simple arguments. */
const call = fc
  .tuple(fc.constantFrom(...names), fc.array(atom, { maxLength: 4 }))
  .map(([name, args]) => `(${name} ${joined(args)})`);

/** Sources to try. @param sources programs to begin with */
export function programs(sources: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.array(form, { minLength: 1, maxLength: 4 }).map((forms) => forms.join("\n")) },
    { weight: 5, arbitrary: fc.array(form, { minLength: 1, maxLength: 6 }).map(guarded) },
    { weight: 5, arbitrary: fc.array(call, { minLength: 1, maxLength: 12 }).map(guarded) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(grammar, fc.constantFrom(...texts))
        .map(([g, t]) => `(peg/replace-all ~${g} string ${t})`),
    },
    { weight: 1, arbitrary: soup },
    ...(sources.length > 0 ? [{ weight: 5, arbitrary: changed(sources) }] : []),
  );
}
