/** How long later callers wait for a value that is still being computed: its source may never reply. */
const patienceMs = 5_000;

/** A value that is computed once for everybody who asks for it at the same time. */
export interface Building<T> {
  readonly value: Promise<T>;
  /** Whether callers should wait for it: it has settled, or started only a short time ago. */
  isDependable(): boolean;
}

/** Records when the computation of `value` started and that it has settled. */
export function buildingOf<T>(value: Promise<T>): Building<T> {
  const begunAt = performance.now();
  let ended = false;
  const end = () => {
    ended = true;
  };
  value.then(end, end);
  return { value, isDependable: () => ended || performance.now() - begunAt < patienceMs };
}
