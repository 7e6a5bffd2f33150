/** How long the refusal of a request that was shed is held, and how many are held at once; those beyond are sent at once. */
const holdMs = 1_000;
const maxHeld = 2_000;
/** Refusals that are sent in one turn of the event loop, so that other requests are read soon. */
const sentInOneTurn = 32;

type Refuse = () => void;

/**
 * Holds the refusals of requests that were shed. A client that is refused often comes again at once: sooner refusals would take
 * the time in which others can be served.
 */
export function createRefusals(): (refuse: Refuse) => void {
  const held: { readonly due: number; readonly refuse: Refuse }[] = [];
  let scheduled = false;
  const schedule = () => {
    const [first] = held;
    scheduled = first !== undefined;
    if (first === undefined) return;
    const waitMs = first.due - performance.now();
    if (waitMs > 0) setTimeout(send, waitMs);
    else setImmediate(send);
  };
  const send = () => {
    const now = performance.now();
    const due = held.findIndex((one) => one.due > now);
    for (const { refuse } of held.splice(0, Math.min(sentInOneTurn, due < 0 ? held.length : due))) refuse();
    schedule();
  };
  return (refuse) => {
    if (held.length >= maxHeld) {
      refuse();
      return;
    }
    held.push({ due: performance.now() + holdMs, refuse });
    if (!scheduled) schedule();
  };
}
