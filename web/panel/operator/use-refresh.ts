import { useEffect } from 'react';

const refreshMs = 10_000;
/** How long after the last key or movement a screen is still refreshed: each request prolongs the session, which must end on a screen that nobody watches. */
const watchedMs = 120_000;

/** Reads a screen again and again while somebody is looking at it. */
export function useRefresh(reload: () => void): void {
  useEffect(() => {
    let lastMs = Date.now();
    const note = () => {
      lastMs = Date.now();
    };
    const events = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;
    for (const event of events) document.addEventListener(event, note, { passive: true });
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && Date.now() - lastMs < watchedMs) reload();
    }, refreshMs);
    return () => {
      clearInterval(timer);
      for (const event of events) document.removeEventListener(event, note);
    };
  }, [reload]);
}
