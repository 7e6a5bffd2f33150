import { useSyncExternalStore } from 'react';
import { Cancelled } from './failure.js';

/** A step-up that an act waits for. Several acts wait for the same one. */
interface Pending {
  readonly promise: Promise<void>;
  readonly settle: (proved: boolean) => void;
}

let pending: Pending | undefined;
const listeners = new Set<() => void>();

function set(next: Pending | undefined): void {
  pending = next;
  for (const listener of listeners) listener();
}

/** Opens the dialog in which the owner proves to be there. @throws {Cancelled} when it is closed without a proof */
export function askForStepUp(): Promise<void> {
  if (pending !== undefined) return pending.promise;
  let settle: Pending['settle'] = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = (proved) => {
      set(undefined);
      if (proved) resolve();
      else reject(new Cancelled());
    };
  });
  set({ promise, settle });
  return promise;
}

/** What an act waits for; undefined where none waits. */
export function useStepUpRequest(): Pending | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pending,
  );
}
