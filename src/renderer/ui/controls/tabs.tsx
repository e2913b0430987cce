import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";

interface TabsProps<T extends string> {
  value: T;
  onChange(value: T): void;
  tabs: { value: T; label: string; count?: number }[];
  label: string;
  children: ReactNode;
}

export function Tabs<T extends string>({ value, onChange, tabs, label, children }: TabsProps<T>) {
  return (
    <RadixTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as T)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <RadixTabs.List aria-label={label} className="flex gap-1 border-b border-line page-x">
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.value}
            value={tab.value}
            className="relative -mb-px rounded-t-md border-b-2 border-transparent px-3 py-2 text-sm font-medium text-mute transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
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

export const TabPanel = RadixTabs.Content;
