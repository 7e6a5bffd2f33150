import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useIsDown } from './connection.js';
import { Cancelled, thrownFailure, type Failure } from './failure.js';
import type { Documents, Graph } from './graph.js';

/** State of a query. Old data stays while new data loads, and is dropped if the load fails and the variables have changed. */
export interface Query<Data> {
  readonly data: Data | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Reads a document, and reads it again with other variables, by `reload`, and when a server that did not respond is back. */
export function useQuery<Operations extends Documents<Operations>, Name extends keyof Operations>(
  graph: Graph<Operations>,
  name: Name,
  variables: Operations[Name]['variables'],
): Query<Operations[Name]['data']> {
  const [state, setState] = useState<{
    readonly data?: Operations[Name]['data'];
    readonly of?: string;
    readonly failure?: Failure;
    readonly isLoading: boolean;
  }>({ isLoading: true });
  const [thrown, setThrown] = useState<{ readonly error: unknown }>();
  const latest = useRef(0);
  const key = JSON.stringify(variables);
  const reload = useCallback(() => {
    const turn = ++latest.current;
    setState(({ failure: _failure, ...before }) => ({ ...before, isLoading: true }));
    graph
      .query(name, JSON.parse(key) as Operations[Name]['variables'])
      .then(
        (data) => {
          if (turn === latest.current) setState({ data, of: key, isLoading: false });
        },
        (error: unknown) => {
          if (turn !== latest.current) return;
          const failure = thrownFailure(error);
          setState((before) => ({ ...(before.of === key ? before : {}), failure, isLoading: false }));
        },
      )
      .catch((error: unknown) => setThrown({ error }));
  }, [graph, name, key]);
  useEffect(() => {
    reload();
    return () => {
      latest.current++;
    };
  }, [reload]);
  useReloadWhenBack(state.failure, reload);
  // For the error boundary around the screen.
  if (thrown !== undefined) throw thrown.error;
  const { data, failure, isLoading } = state;
  return useMemo(() => ({ data, failure, isLoading, reload }), [data, failure, isLoading, reload]);
}

function useReloadWhenBack(failure: Failure | undefined, reload: () => void): void {
  const isDown = useIsDown();
  const waits = failure?.code === 'NO_RESPONSE';
  useEffect(() => {
    if (!waits || isDown) return;
    reload();
  }, [waits, isDown, reload]);
}

/** How long after the last key or movement a screen is still refreshed: each request prolongs the session, which must end on a screen that nobody watches. */
const watchedMs = 120_000;

/** Reads a screen again and again while somebody is looking at it; not without an interval. */
export function useRefresh(reload: () => void, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    let lastMs = Date.now();
    const note = () => {
      lastMs = Date.now();
    };
    const events = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;
    for (const event of events) document.addEventListener(event, note, { passive: true });
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && Date.now() - lastMs < watchedMs) reload();
    }, everyMs);
    return () => {
      clearInterval(timer);
      for (const event of events) document.removeEventListener(event, note);
    };
  }, [reload, everyMs]);
}

const typingMs = 300;

export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(text);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Runs one mutation at a time and holds its last failure. */
export interface Action {
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  /** Runs the act. Resolves to whether it has worked. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
  readonly clear: () => void;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [thrown, setThrown] = useState<{ readonly error: unknown }>();
  const run = useCallback(async (act: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
      return true;
    } catch (error) {
      if (error instanceof Cancelled) return false;
      try {
        setFailure(thrownFailure(error));
      } catch (unexpected) {
        setThrown({ error: unexpected });
      }
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  const clear = useCallback(() => setFailure(undefined), []);
  if (thrown !== undefined) throw thrown.error;
  return { isBusy, failure, run, clear };
}
