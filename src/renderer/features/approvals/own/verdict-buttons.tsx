import { Button } from "../../../ui/controls/button.tsx";

interface VerdictButtonsProps {
  busy: boolean;
  /** The one that Enter presses. */
  no: string;
  once: string;
  /** A yes that lasts; null: there is none. */
  lasting: { label: string; act(): void } | null;
  onOnce(): void;
}

/** The answers to something that Patchbay asks: no, which is the form's own, and at the other end what allows it. */
export function VerdictButtons({ busy, no, once, lasting, onOnce }: VerdictButtonsProps) {
  return (
    <>
      <Button look="accent" ahead size="sm" type="submit" busy={busy}>
        {no}
      </Button>
      <Button size="sm" className="ml-auto" disabled={busy} onClick={onOnce}>
        {once}
      </Button>
      {lasting && (
        <Button size="sm" disabled={busy} onClick={lasting.act}>
          {lasting.label}
        </Button>
      )}
    </>
  );
}
