import { ChevronsUpDown } from "lucide-react";
import { Popover } from "radix-ui";
import { type InputHTMLAttributes, type KeyboardEvent, type Ref, useId, useState } from "react";
import type { ListedModel } from "../../../contract/models/listed.ts";
import { matching } from "./model-facts.ts";
import { ModelOptions, mostDrawn } from "./model-options.tsx";

interface ModelComboboxProps extends Pick<InputHTMLAttributes<HTMLInputElement>, "id" | "placeholder"> {
  ref?: Ref<HTMLInputElement> | undefined;
  value: string;
  /** What can be chosen; empty: not known, and every name can be typed. */
  models: readonly ListedModel[];
  listLabel: string;
  onChange(value: string): void;
  onFocus(): void;
}

/** The name of a model: typed, or chosen from the list of its provider, which what is typed narrows. */
export function ModelCombobox({
  value,
  models,
  listLabel,
  onChange,
  onFocus,
  ref,
  ...field
}: ModelComboboxProps) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState(false);
  const [active, setActive] = useState(-1);
  const shown = typed ? matching(models, value) : models;
  const isOpen = open && shown.length > 0;

  const choose = (model: string) => {
    onChange(model);
    setOpen(false);
    setActive(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = Math.min(shown.length, mostDrawn) - 1;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (shown.length === 0) return;
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive(isOpen ? Math.max(0, Math.min(last, active + step)) : 0);
      setOpen(true);
    }
    const model = shown[active];
    if (event.key === "Enter" && isOpen && model) {
      event.preventDefault();
      choose(model.id);
    }
    if (event.key === "Escape" && isOpen) {
      // The list is closed by it, and not the dialog that it stands in.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };

  return (
    <Popover.Root open={isOpen}>
      <Popover.Anchor asChild>
        <div className="relative w-full">
          <input
            {...field}
            ref={ref}
            className="field pr-9 font-mono text-sm"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onFocus={() => {
              setTyped(false);
              setOpen(true);
              onFocus();
            }}
            onClick={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setTyped(true);
              setActive(-1);
              setOpen(true);
              onChange(event.target.value);
            }}
          />
          {models.length > 0 && (
            <ChevronsUpDown
              className="pointer-events-none absolute top-1/2 right-3 size-3.5 -translate-y-1/2 text-hint"
              aria-hidden="true"
            />
          )}
        </div>
      </Popover.Anchor>
      <Popover.Content
        align="start"
        sideOffset={4}
        collisionPadding={12}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        // It is part of the field, and no dialog of its own.
        role="presentation"
        className="z-50 w-(--radix-popover-trigger-width) rounded-lg border border-line bg-raised shadow-high"
      >
        <ModelOptions
          id={listId}
          label={listLabel}
          models={shown}
          active={active}
          chosen={value}
          onChoose={choose}
        />
      </Popover.Content>
    </Popover.Root>
  );
}
