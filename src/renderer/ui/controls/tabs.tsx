import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";

interface TabsProps<T extends string> {
  value: T;
  onChange(value: T): void;
  tabs: { value: T; label: string; count?: number }[];
  label: string;
  children: ReactNode;
}

/** Tabs in one line, which scrolls where it has too little room; the one that is shown is in sight. */
export function Tabs<T extends string>({ value, onChange, tabs, label, children }: TabsProps<T>) {
  return (
    <RadixTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as T)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <RadixTabs.List
        aria-label={label}
        className="flex shrink-0 gap-1 overflow-x-auto overflow-y-hidden page-x shadow-[inset_0_-1px_0_var(--line)] [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.value}
            ref={tab.value === value ? comeIntoSight : undefined}
            value={tab.value}
            className="relative shrink-0 rounded-t-md focus-visible:-outline-offset-2 border-b-2 border-transparent px-3 py-2 text-sm font-medium text-mute transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && (
              <>
                {" "}
                <span className="figure ml-1 text-hint">{tab.count}</span>
              </>
            )}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {children}
    </RadixTabs.Root>
  );
}

/** Called with the tab that is shown now, each time that is another one. */
function comeIntoSight(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

export const TabPanel = RadixTabs.Content;
