/** The word of an entry; a narrow rail leaves it to screen readers. */
export function RailWord({ children }: { children: string }) {
  return <span className="flex-1 truncate text-left group-data-narrow/rail:sr-only">{children}</span>;
}
