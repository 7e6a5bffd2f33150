/** Waits; rejects with the reason of the signal when it is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(reasonOf(signal));
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      if (signal !== undefined) reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('The call was aborted', { cause: reason });
}

/** Milliseconds before attempt `attempt + 1`: they double, up to 8 seconds, and a part is by chance, so that clients do not come together. */
export function backoff(attempt: number, firstMs: number): number {
  const longest = Math.min(firstMs * 2 ** (attempt - 1), 8_000);
  return longest / 2 + (Math.random() * longest) / 2;
}
