import { expect, test } from "vitest";
import { placeIn } from "./place.ts";

test.each([
  [
    "a stack of Node",
    "TypeError: no\n    at node:internal/x:1:2\n    at count (file:///home/a/plugins/brittle/src/index.js:33:11)\n    at async Object.handler (file:///x/out/host.js:1:1)",
    "/home/a/plugins/brittle",
    { file: "src/index.js", line: 33 },
  ],
  [
    "a stack of Node without a name",
    "Error: no\n    at /home/a/plugins/brittle/main.mjs:7:3",
    "/home/a/plugins/brittle",
    { file: "main.mjs", line: 7 },
  ],
  [
    "a traceback of Python, which ends with the place",
    'Traceback\n  File "/usr/lib/python3.12/asyncio.py", line 1, in run\n  File "/p/__init__.py", line 4, in hook\n  File "/p/more.py", line 9, in inner',
    "/p",
    { file: "more.py", line: 9 },
  ],
  [
    "a stack trace of Janet",
    "error: no\n  in check [/p/guard.janet] on line 12, column 3\n  in _thunk [/p/guard.janet] on line 20",
    "/p",
    { file: "guard.janet", line: 12 },
  ],
  [
    "a place of Janet",
    "guard.janet:3:1: compile error: unknown symbol x",
    null,
    { file: "guard.janet", line: 3 },
  ],
  ["nothing", "It is out of paper.", "/p", null],
])("the place in the plugin is found in %s", (_, text, folder, place) => {
  expect(placeIn([text], folder)).toEqual(place);
});
