import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isSpaceKey,
  isUpKey,
  makeTheme,
  type Status,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from "@inquirer/core";
import { type PickOption, pickOne, pickSome } from "./picked.ts";

export interface PickQuestion {
  message: string;
  options: readonly PickOption[];
  /** Whether any number of options may be picked, or exactly one. */
  several: boolean;
  /** The values that Enter takes; empty: nothing is picked before the person did. */
  chosen: readonly string[];
}

/** How many options are seen at once. */
const pageSize = 12;

/**
 * A question with options, which the library's own lists do not ask as wanted: what is typed is seen and may be the number or
 * the text of an option, and what fits none is refused. Arrow keys work too, and the space bar where several may be picked.
 */
export const pick = createPrompt<string[], PickQuestion>((question, done) => {
  const { options, several } = question;
  const theme = makeTheme({});
  const [status, setStatus] = useState<Status>("idle");
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(
    several ? 0 : options.findIndex(({ value }) => question.chosen.includes(value)),
  );
  const [ticked, setTicked] = useState<readonly string[]>(question.chosen);
  const [wrong, setWrong] = useState("");
  const prefix = usePrefix({ status, theme });

  useKeypress((key, line) => {
    if (status !== "idle") return;
    if (isEnterKey(key)) {
      const picked = meant();
      if ("values" in picked) {
        setTicked(picked.values);
        setStatus("done");
        done(picked.values);
        return;
      }
      // The line was emptied by Enter: what was typed stays, to be corrected.
      line.write(typed);
      setWrong(picked.wrong);
      return;
    }
    setWrong("");
    const step = isUpKey(key) ? -1 : isDownKey(key) ? 1 : 0;
    const ticks = several && isSpaceKey(key) && typed.trim() === "";
    if (step === 0 && !ticks) {
      setTyped(line.line);
      return;
    }
    line.clearLine(0);
    setTyped("");
    if (step !== 0) setAt(Math.min(Math.max(at + step, 0), options.length - 1));
    const here = options[at]?.value;
    if (ticks && here !== undefined)
      setTicked(ticked.includes(here) ? ticked.filter((value) => value !== here) : [...ticked, here]);
  });

  function meant() {
    if (typed.trim() !== "") return several ? pickSome(typed, options) : pickOne(typed, options);
    const here = options[at];
    if (several)
      return { values: options.map(({ value }) => value).filter((value) => ticked.includes(value)) };
    return here ? { values: [here.value] } : { wrong: "Choose one of them: there is no default." };
  }

  const message = theme.style.message(question.message, status);
  const list = usePagination({
    items: options,
    active: Math.max(at, 0),
    pageSize,
    loop: false,
    renderItem({ item, index }) {
      const mark = several ? (ticked.includes(item.value) ? "◉ " : "◯ ") : "";
      const note = !several && question.chosen.includes(item.value) ? " (default)" : "";
      const line = `${index === at ? "❯" : " "} ${index + 1}  ${mark}${item.label}${note}`;
      return index === at ? theme.style.highlight(line) : line;
    },
  });
  if (status === "done") {
    const labels = options.filter(({ value }) => ticked.includes(value)).map(({ label }) => label);
    return `${prefix} ${message} ${theme.style.answer(labels.join(", ") || "none")}`;
  }
  const ways = several
    ? "numbers or texts with commas between, or ↑ ↓ and the space bar; then Enter"
    : "a number or a text, or ↑ ↓; then Enter";
  return [
    `${prefix} ${message} ${typed}`,
    [list, wrong && theme.style.error(wrong), theme.style.help(ways)].filter(Boolean).join("\n"),
  ];
});
