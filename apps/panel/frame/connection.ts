import { createStore, useStore } from './store.js';

/** Whether the server responds. A page that finds out that it does not asks again and again, and says when it does. */
const isDown = createStore(false);
const isReceiving = createStore(false);
let timer: ReturnType<typeof setTimeout> | undefined;
const leastMs = 2_000;
const mostMs = 15_000;

export function noteNoResponse(): void {
  isDown.set(true);
  if (timer === undefined) again(leastMs);
}

export function noteResponse(): void {
  clearTimeout(timer);
  timer = undefined;
  isDown.set(false);
}

function again(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void ask(Math.min(ms * 2, mostMs)), ms);
}

/** Asks whether the server is ready, which it is not while it starts or stops; where it is not, asks again later. Returns whether it is. */
async function ask(nextMs: number): Promise<boolean> {
  const isReady = await fetch('/readyz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isReady) {
    noteResponse();
  } else {
    isDown.set(true);
    again(nextMs);
  }
  return isReady;
}

/** Asks at once, as where a connection was lost. Returns whether the server is ready; where it is not, the banner says so. */
export function askNow(): Promise<boolean> {
  return ask(leastMs);
}

/** Resolves when the server responds; at once where nobody has found out that it does not. */
export function whenUp(): Promise<void> {
  if (!isDown.get()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = isDown.onChange(() => {
      stop();
      resolve();
    });
  });
}

export function watchConnection(): void {
  addEventListener('offline', noteNoResponse);
  addEventListener('online', () => void askNow());
}

export const useIsDown = (): boolean => useStore(isDown);

export const noteSocket = isReceiving.set;

export const useIsReceiving = (): boolean => useStore(isReceiving);
