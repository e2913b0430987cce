import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "../class-names.ts";

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
  className?: string;
}

/** A menu that stays in the landmark of its button, so that screen readers announce the right region. */
export function Menu({ trigger, children, align = "start", className }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align={align}
        sideOffset={6}
        collisionPadding={12}
        className={cx(
          "z-50 min-w-52 rounded-lg border border-line bg-raised p-1.5 shadow-high animate-appear",
          className,
        )}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  onSelect(): void;
  icon?: ReactNode;
  children: ReactNode;
  danger?: boolean;
  disabled?: boolean;
}

export function MenuItem({ onSelect, icon, children, danger, disabled }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      disabled={disabled}
      className={cx(
        "flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none select-none",
        "data-[disabled]:opacity-45 data-[highlighted]:bg-sunk",
        danger ? "text-bad" : "text-ink",
      )}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

interface MenuTickProps {
  checked: boolean;
  onChange(checked: boolean): void;
  children: ReactNode;
}

/** A choice that stays: the menu stays open for what it changes. */
export function MenuTick({ checked, onChange, children }: MenuTickProps) {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className="flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm text-ink outline-none select-none data-[highlighted]:bg-sunk"
    >
      <span
        className={cx(
          "grid size-4 shrink-0 place-items-center rounded-sm border",
          checked ? "border-accent bg-accent text-on-accent" : "border-line-strong bg-surface",
        )}
      >
        {checked && <Check className="size-3" strokeWidth={3} aria-hidden="true" />}
      </span>
      {children}
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-line" />;
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2.5 pt-1 pb-1.5 text-xs font-medium text-hint">
      {children}
    </DropdownMenu.Label>
  );
}
