import { useSyncExternalStore } from 'react';

/** Whether the server responds. A page that finds out that it does not asks again and again, and says when it does. */
let isDown = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const leastMs = 2_000;
const mostMs = 15_000;

function set(down: boolean): void {
  if (isDown === down) return;
  isDown = down;
  for (const listener of listeners) listener();
}

/** Notes that a request had no response. */
export function noteNoResponse(): void {
  set(true);
  if (timer === undefined) again(leastMs);
}

/** Notes that the server has responded. */
export function noteResponse(): void {
  clearTimeout(timer);
  timer = undefined;
  set(false);
}

function again(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    void ask(Math.min(ms * 2, mostMs));
  }, ms);
}

/** Asks whether the server is ready; it is not while it starts or stops. */
async function ask(nextMs: number): Promise<void> {
  try {
    const { ok } = await fetch('/readyz', { cache: 'no-store' });
    if (ok) noteResponse();
    else again(nextMs);
  } catch {
    again(nextMs);
  }
}

/** Asks at once. */
export function askNow(): void {
  void ask(leastMs);
}

export function watchConnection(): void {
  addEventListener('offline', noteNoResponse);
  addEventListener('online', askNow);
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Whether the server does not respond. */
export function useIsDown(): boolean {
  return useSyncExternalStore(onConnectionChange, () => isDown);
}
