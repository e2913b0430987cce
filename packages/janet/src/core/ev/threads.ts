import type { Value } from "../../values/value.ts";
import { JanetError } from "../../vm/janet-error.ts";
import { bytesAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { channelAt } from "./channel.ts";
import { taskFiber } from "./tasks.ts";
import { waitFor } from "./wait.ts";

/** `ev/thread`. There is one thread: what Janet runs in another is a task here, and values are shared instead of copied. */
export function install(core: Registrar): void {
  core.cgen(
    "ev/thread",
    1,
    4,
    "(ev/thread main &opt value flags supervisor)",
    "Runs a function as a task that begins with `value` and, without flag n, waits for its end. There is only one thread.",
    function* (args, vm) {
      const flags = (args[2] ?? null) === null ? "" : bytesAt(args, 2);
      const supervisor = (args[3] ?? null) === null ? undefined : channelAt(args, 3);
      const task = vm.tasks.spawn(taskFiber(args, vm), args[1] ?? null, supervisor);
      if (flags.includes("n")) return null;
      task.observed = true;
      yield* waitFor((resolve, reject) => {
        task.atEnd.push((end) => {
          if (!("error" in end)) resolve(null);
          else reject(end.error instanceof JanetError ? new JanetError(end.error.value as Value) : end.error);
        });
        return () => vm.tasks.cancel(task, new JanetError("parent canceled"));
      });
      return null;
    },
  );
}
