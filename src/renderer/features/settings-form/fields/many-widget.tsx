import { ariaDescribedByIds, type WidgetProps } from "@rjsf/utils";
import { cx } from "../../../ui/class-names.ts";

/** More choices than this are scrolled. */
const mostInSight = 12;

/** Any number of offered values: a box to tick for each. */
export function ManyWidget({ id, value, options, onChange, disabled, readonly, label, schema }: WidgetProps) {
  const choices = options.enumOptions ?? [];
  const chosen: unknown[] = Array.isArray(value) ? value : [];
  const fixed = disabled || readonly;
  return (
    <fieldset
      id={id}
      aria-label={schema.title ?? label}
      aria-describedby={ariaDescribedByIds(id)}
      className={cx(
        "flex flex-wrap gap-2 py-1",
        choices.length > mostInSight && "max-h-56 overflow-y-auto rounded-md border border-line p-2",
      )}
    >
      {choices.map((choice, index) => (
        <label
          key={String(choice.value)}
          className="flex items-center gap-2 rounded-md border border-line bg-raised px-2.5 py-1 text-sm has-checked:border-accent"
        >
          <input
            type="checkbox"
            id={`${id}-${index}`}
            className="size-4 accent-(--accent)"
            disabled={fixed}
            checked={chosen.includes(choice.value)}
            onChange={({ target }) =>
              // In the order in which they are offered, whichever was ticked first.
              onChange(
                choices
                  .map((each) => each.value as unknown)
                  .filter((each) => (each === choice.value ? target.checked : chosen.includes(each))),
              )
            }
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
