/** A figure above a timeline, with its name. */
export function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-mute">{name}</dt>
      <dd className="font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
