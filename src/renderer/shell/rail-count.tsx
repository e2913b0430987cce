/** How many of something wait, in the rail; nothing while none does. */
export function RailCount({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  return (
    <span className="grid h-[18px] min-w-[22px] shrink-0 place-items-center rounded-full bg-accent px-1.5 text-[11px] font-bold text-on-accent group-data-narrow/rail:absolute group-data-narrow/rail:-top-1 group-data-narrow/rail:-right-1">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}
