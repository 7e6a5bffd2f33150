/** Returns how long to wait after an attempt, in milliseconds: `firstMs` after the first, then twice as long each time, `mostMs` at most. */
export function backoffMs(attempt: number, { firstMs, mostMs }: { readonly firstMs: number; readonly mostMs: number }) {
  return Math.min(firstMs * 2 ** Math.min(Math.max(attempt - 1, 0), 40), mostMs);
}
