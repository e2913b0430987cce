/** How many of something wait, in the rail; nothing while none does. */
export function RailCount({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  return (
    <span className="grid h-[18px] min-w-[22px] place-items-center rounded-full bg-accent px-1.5 text-[11px] font-bold text-on-accent">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}
