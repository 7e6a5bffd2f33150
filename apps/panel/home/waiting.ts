import { useRouterState } from '@tanstack/react-router';
import { createContext, useCallback, useEffect, useRef, useState } from 'react';
import { loadPart } from '../frame/load-part.js';
import { lastChange, sessionKey, useSession } from '../frame/session.js';
import { site } from '../frame/site.js';
import type { Found } from './parts.js';

export interface Waiting {
  readonly found: readonly Found[];
  readonly isLoading: boolean;
  /** Whether the whole service works, as its status page says; undefined while that is not known. */
  readonly works?: boolean | undefined;
  /** An error that is no response of the server, for the error boundary of the home. */
  readonly thrown?: { readonly error: unknown } | undefined;
  readonly reload: () => void;
}

export const WaitingContext = createContext<Waiting>({ found: [], isLoading: true, reload: () => undefined });

/** How long the counts stay, unless this tab changes something. */
const freshMs = 60_000;

/** Reads when the home is opened, and with another page or the focus where it is old. No timer does: requests keep the session alive. */
export function useWaiting(): Waiting {
  const session = useSession();
  const key = sessionKey();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const [state, setState] = useState<{ readonly key: string; readonly found: readonly Found[] }>({ key, found: [] });
  const [isLoading, setLoading] = useState(true);
  const [works, setWorks] = useState<boolean>();
  const [thrown, setThrown] = useState<{ readonly error: unknown }>();
  const readAt = useRef(-Infinity);
  const latest = useRef(session);
  latest.current = session;
  const reload = useCallback(() => {
    const { current } = latest;
    if (current?.due !== null) return;
    const turn = performance.now();
    readAt.current = turn;
    setLoading(true);
    setThrown(undefined);
    if (site !== 'operators')
      fetch('/status.json')
        .then(async (response) => {
          const status = (await response.json()) as { readonly works: boolean; readonly limited: boolean };
          setWorks(status.works && !status.limited);
        })
        // The banner of the connection says that there is no response.
        .catch(() => setWorks(undefined));
    loadPart(() => import('./parts.js'))
      .then(({ readParts }) => readParts(current))
      .then((found) => {
        if (readAt.current === turn) setState({ key: sessionKey(), found });
      })
      .catch((error: unknown) => {
        if (readAt.current === turn) setThrown({ error });
      })
      .finally(() => {
        if (readAt.current === turn) setLoading(false);
      });
  }, []);
  useEffect(() => {
    readAt.current = -Infinity;
  }, [key]);
  useEffect(() => {
    const refresh = () => {
      if (performance.now() - readAt.current > freshMs || readAt.current < lastChange()) reload();
    };
    if (pathname === '/') reload();
    else refresh();
    addEventListener('focus', refresh);
    return () => removeEventListener('focus', refresh);
  }, [pathname, key, reload]);
  return { found: state.key === key ? state.found : [], isLoading, works, thrown, reload };
}
