import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { machineIn } from "../../../test/machine.ts";
import type { Capabilities } from "../../vm/host.ts";

let directory: string;
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "janet-os-")));
});
afterAll(() => rmSync(directory, { recursive: true }));

const { run, failure } = machineIn(() => directory);

describe("files", () => {
  it("are written, added to and read", async () => {
    expect(await run(`(spit "a.txt" "one\\ntwo") (spit "a.txt" "\\nthree" :a) (slurp "a.txt")`)).toBe(
      '@"one\\ntwo\\nthree"',
    );
    expect(
      await run(`(with [f (file/open "a.txt" :r)]
        [(file/read f 2) (file/read f :line) (file/tell f) (file/read f :all) (file/read f 1) (file/read f :all)])`),
    ).toBe('(@"on" @"e\\n" 4 @"two\\nthree" nil @"")');
    expect(await run(`(seq [l :in (file/lines (file/open "a.txt"))] (string l))`)).toBe(
      '@["one\\n" "two\\n" "three"]',
    );
  });

  it("are changed in place", async () => {
    expect(
      await run(`(spit "b.txt" "0123456789")
        (def f (file/open "b.txt" :r+))
        (:read f 2) (:write f "ab" @"c") (:seek f :cur 1) (def rest (:read f :all))
        (:seek f :set 0) (def all (:read f :all)) (:seek f :end -1)
        [(:tell f) rest all (:close f) (protect (:read f 1))]`),
    ).toBe('(9 @"6789" @"01abc56789" nil (false "file is closed"))');
  });

  it("say what cannot be", async () => {
    expect(await failure(`(slurp "none")`)).toBe('"could not open file none"');
    expect(await run(`(file/open "none")`)).toBe("nil");
    expect(await failure(`(file/open "none" :rn)`)).toBe(
      '"failed to open file none: No such file or directory"',
    );
    expect(await failure(`(file/open "a" :x)`)).toBe('"invalid flag x, expected w, a, or r"');
    expect(await failure(`(file/write (file/open "a.txt") "x")`)).toBe('"file is not writeable"');
    expect(await failure(`(file/read (file/open "w.txt" :w) 1)`)).toBe('"file is not readable"');
    expect(await failure(`(spit "no/such/dir" "x")`)).toContain("could not open file no/such/dir");
    expect(await failure(`(slurp ".")`)).toBe(`"cannot open directory: ${directory}"`);
    expect(await failure("(file/close stdout)")).toBe('"file not closable"');
  });

  it("may be temporary", async () => {
    expect(await run(`(def f (file/temp)) (:write f "x") (:seek f :set 0) (:read f :all)`)).toBe('@"x"');
  });
});

describe("paths", () => {
  it("are made, told of and removed", async () => {
    expect(
      await run(`[(os/mkdir "d") (os/mkdir "d") (spit "d/f" "abc") (os/dir "d") (os/stat "d" :mode) (os/stat "d/f" :size)
        (os/stat "none") (os/rename "d/f" "d/g") (os/dir "d" @["x"]) (os/chmod "d/g" 8r600) (os/stat "d/g" :permissions)
        (os/symlink "g" "d/l") (os/readlink "d/l") (os/lstat "d/l" :mode) (os/stat "d/l" :mode)
        (= (os/realpath "d/l") (string (os/cwd) "/d/g")) (os/rm "d/l") (os/rm "d/g") (os/rmdir "d") (os/stat "d")]`),
    ).toBe(
      '(true false nil @["f"] :directory 3 nil nil @["x" "g"] nil "rw-------" nil "g" :link :file true nil nil nil nil)',
    );
    expect(await failure(`(os/rm "none")`)).toBe('"No such file or directory: none"');
    expect(await failure(`(os/dir "none")`)).toBe('"cannot open directory none: No such file or directory"');
    expect(await failure(`(os/stat "." :nope)`)).toBe('"unexpected keyword :nope"');
  });

  it("are relative to the engine's own directory", async () => {
    const before = process.cwd();
    expect(await run(`(os/mkdir "sub") (os/cd "sub") (spit "in-sub" "x") (os/cd "..") (os/dir "sub")`)).toBe(
      '@["in-sub"]',
    );
    expect(process.cwd()).toBe(before);
  });
});

describe("capabilities", () => {
  it("deny by a Janet error unless the host gives them", async () => {
    for (const [source, words] of [
      [`(slurp "/etc/passwd")`, "reading files is not allowed: /etc/passwd"],
      [`(spit "x" "y")`, `writing files is not allowed: ${join(directory, "x")}`],
      [`(file/open "x" :r+)`, `reading files is not allowed: ${join(directory, "x")}`],
      [`(os/stat "/etc")`, "reading files is not allowed: /etc"],
      [`(os/dir "/")`, "reading files is not allowed: /"],
      [`(os/rm "/etc/passwd")`, "writing files is not allowed: /etc/passwd"],
      [`(os/cd "/")`, "reading files is not allowed: /"],
      [`(dofile "/x.janet")`, "reading files is not allowed: /x.janet"],
      [`(require "./x")`, `reading files is not allowed: ${join(directory, "x.jimage")}`],
      [`(os/execute ["ls" "-l"] :p)`, "starting programs is not allowed: ls"],
      [`(os/spawn ["ls"] :p)`, "starting programs is not allowed: ls"],
      [`(os/shell "ls")`, "starting programs is not allowed: /bin/sh"],
      [`(net/connect "example.com" 80)`, "using the network is not allowed: example.com:80"],
      [`(net/listen "127.0.0.1" "0")`, "using the network is not allowed: 127.0.0.1:0"],
      [`(os/getenv "HOME")`, "reading the environment is not allowed: HOME"],
      ["(os/environ)", "reading the environment is not allowed"],
      ["(os/exit 1)", "ending the program is not allowed"],
    ] as const)
      expect(await failure(source, {}), source).toBe(JSON.stringify(words));
  });

  it("judge a path by where its links lead", async () => {
    const [open, closed] = [join(directory, "open"), join(directory, "closed")];
    for (const each of [open, closed]) mkdirSync(each);
    writeFileSync(join(closed, "secret"), "s");
    symlinkSync(closed, join(open, "link"));
    symlinkSync(join(closed, "secret"), join(open, "file"));
    const only: Capabilities = {
      readFiles: (path) => path.startsWith(open),
      writeFiles: (path) => path.startsWith(open),
    };
    const denied = (doing: string) => `"${doing} is not allowed: ${join(closed, "secret")}"`;
    expect(await failure(`(slurp "open/link/secret")`, only)).toBe(denied("reading files"));
    expect(await failure(`(slurp "open/file")`, only)).toBe(denied("reading files"));
    expect(await failure(`(slurp "open/../closed/secret")`, only)).toBe(denied("reading files"));
    expect(await failure(`(spit "open/file" "x")`, only)).toBe(denied("writing files"));
    expect(await failure(`(os/rm "open/link/secret")`, only)).toBe(denied("writing files"));
    expect(await run(`(os/rm "open/file") (spit "open/new" "x") (slurp "open/new")`, only)).toBe('@"x"');
  });

  it("keep a changed environment within the engine", async () => {
    expect(
      await run(
        `(os/setenv "JANET_TEST_X" "1") [(os/getenv "JANET_TEST_X") (os/execute ["sh" "-c" "exit $JANET_TEST_X"] :p)]`,
      ),
    ).toBe('("1" 1)');
    expect(process.env.JANET_TEST_X).toBeUndefined();
  });
});

describe("time", () => {
  it("is taken apart and put together", async () => {
    expect(await run("(os/mktime (os/date 951782399))")).toBe("951782399");
    expect(await run("(freeze (os/date 951782399))")).toBe(
      "{:dst false :hours 23 :minutes 59 :month 1 :month-day 27 :seconds 59 :week-day 1 :year 2000 :year-day 58}",
    );
    expect(await run(`(os/strftime "%a %A %d %b %B %j %U %W %I%p %y %% %x %X %Z %w|%c" 951782399)`)).toBe(
      '"Mon Monday 28 Feb February 059 09 09 11PM 00 % 02/28/00 23:59:59 GMT 1|Mon Feb 28 23:59:59 2000"',
    );
    expect(await failure(`(os/strftime "%F" 0)`)).toBe(`"invalid conversion specifier '%F'"`);
    expect(await run(`(os/mktime {:year 2024 :month 0 :month-day 30 :hours 25})`)).toBe("1706749200");
  });

  it("passes", async () => {
    expect(
      await run(
        "(def a (os/clock :monotonic)) (os/sleep 0.02) (def d (- (os/clock :monotonic) a)) (and (>= d 0.015) (< d 5))",
      ),
    ).toBe("true");
    expect(
      await run("(map type [(os/time) (os/clock) (os/clock :cputime :int) (os/clock :realtime :tuple)])"),
    ).toBe("@[:number :number :number :tuple]");
    expect(await failure("(os/date 1e15)")).toBe('"Value too large for defined data type"');
    expect(await failure("(os/clock :nope)")).toBe(
      '"expected :realtime, :monotonic, or :cputime, got :nope"',
    );
  });
});

describe("the machine", () => {
  it("says what it is", async () => {
    expect(
      await run(
        "[(keyword? (os/arch)) (pos? (os/cpu-count)) (length (os/cryptorand 9)) (boolean? (os/isatty))]",
      ),
    ).toBe("(true true 9 true)");
  });
});
