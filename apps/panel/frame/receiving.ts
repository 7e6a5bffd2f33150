import { useSyncExternalStore } from 'react';

/** Whether the WebSocket for events is open. */
let isOpen = false;
const listeners = new Set<() => void>();

export function noteSocket(open: boolean): void {
  if (isOpen === open) return;
  isOpen = open;
  for (const listener of listeners) listener();
}

function onSocketChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether events can come now. */
export function useIsReceiving(): boolean {
  return useSyncExternalStore(onSocketChange, () => isOpen);
}
