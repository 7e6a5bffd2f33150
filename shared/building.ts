/** How long those who come later rely on something that is still being made: what it waits for may never reply. */
const patienceMs = 5_000;

/** Something that is made once for all who ask for it at the same time. */
export interface Building<T> {
  readonly value: Promise<T>;
  /** Whether to wait for it: it has ended, or has not been going on for long. */
  isDependable(): boolean;
}

/** Remembers when the making of `value` began, and that it ended. */
export function buildingOf<T>(value: Promise<T>): Building<T> {
  const begunAt = performance.now();
  let ended = false;
  const end = () => {
    ended = true;
  };
  value.then(end, end);
  return { value, isDependable: () => ended || performance.now() - begunAt < patienceMs };
}
