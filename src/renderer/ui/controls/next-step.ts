import { useLayoutEffect, useRef, useState } from "react";

/** A button or link that would be the next step of its screen. */
interface Wish {
  element: HTMLElement;
  /** Lower goes first; of equals the first on the screen does. */
  rank: number;
  tell(isNext: boolean): void;
}

const wishes = new Set<Wish>();

/** A dialog is a screen of its own; a panel beside the page is not. */
const screenOf = ({ element }: Wish) => element.closest('[role="dialog"], [role="alertdialog"]');

function goesBefore(one: Wish, other: Wish): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank;
  return (
    (one.element.compareDocumentPosition(other.element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
    one !== other
  );
}

function settle(): void {
  const next = new Map<Element | null, Wish>();
  for (const wish of wishes) {
    const best = next.get(screenOf(wish));
    if (!best || goesBefore(wish, best)) next.set(screenOf(wish), wish);
  }
  for (const wish of wishes) wish.tell(next.get(screenOf(wish)) === wish);
}

interface WishOptions {
  /** It wants to be the next step at all. */
  wanted: boolean;
  /** It goes before others: what waits for the person, or keeps what they have begun. */
  ahead?: boolean | undefined;
  /** It cannot be pressed now, so that one that can goes before it. */
  disabled?: boolean | undefined;
}

/** One screen has one next step, the only orange button on it: says whether this one is it. */
export function useNextStep<T extends HTMLElement>({ wanted, ahead, disabled }: WishOptions) {
  const ref = useRef<T>(null);
  const [isNext, tell] = useState(true);
  const rank = disabled ? 2 : ahead ? 0 : 1;
  useLayoutEffect(() => {
    const element = ref.current;
    if (!wanted || !element) return;
    const wish = { element, rank, tell };
    wishes.add(wish);
    settle();
    return () => {
      wishes.delete(wish);
      settle();
    };
  }, [wanted, rank]);
  return { ref, isNext: wanted && isNext };
}
