/** The pauses of a loop that looks for work: short while there is work, long where nothing waits, unless it is woken. */
export interface Pace {
  /** Waits `leastMs` if woken since the last pause, else up to `mostMs`; a wake-up ends it, but not before `leastMs`. A stop ends it at once. */
  rest(leastMs: number, mostMs: number): Promise<void>;
  readonly wake: () => void;
}

export function createPace(stopped: AbortSignal): Pace {
  let isWoken = false;
  let hurry: () => void = () => undefined;
  return {
    rest: async (leastMs, mostMs) => {
      const begunMs = performance.now();
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          stopped.removeEventListener('abort', end);
          resolve();
        };
        let timer = setTimeout(end, stopped.aborted ? 0 : isWoken ? leastMs : mostMs);
        stopped.addEventListener('abort', end);
        hurry = () => {
          clearTimeout(timer);
          timer = setTimeout(end, Math.max(0, leastMs - (performance.now() - begunMs)));
        };
      });
      hurry = () => undefined;
      isWoken = false;
    },
    wake: () => {
      if (isWoken) return;
      isWoken = true;
      hurry();
    },
  };
}
