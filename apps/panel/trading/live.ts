import { startTransition, useEffect, useRef, useState } from 'react';
import type { Failure } from '../frame/failure.js';
import { graph, type Operations } from './graph/operations.js';

export type TickerData = Operations['tickerLive']['data']['ticker']['ticker'];
type DepthData = Operations['depthLive']['data']['depth']['depth'];
export type Level = DepthData['bids'][number];

export interface Live<Data> {
  readonly data: Data | undefined;
  /** Seconds since the last event; undefined before the first. */
  readonly silentSeconds: number | undefined;
  readonly failure: Failure | undefined;
}

interface Feeds {
  readonly tickerLive: TickerData;
  readonly depthLive: DepthData;
}

const contents: { readonly [Name in keyof Feeds]: (event: Operations[Name]['data']) => Feeds[Name] } = {
  tickerLive: (event) => event.ticker.ticker,
  depthLive: (event) => event.depth.depth,
};

/** After this silence a price counts as stale, and orders wait. */
export const staleSeconds = 10;

export function isStale({ silentSeconds, failure }: Live<unknown>): boolean {
  return failure !== undefined || silentSeconds === undefined || silentSeconds >= staleSeconds;
}

export function useFeed<Name extends keyof Feeds>(name: Name, synthetic: boolean, symbol: string): Live<Feeds[Name]> {
  const [state, setState] = useState<{ readonly data?: Feeds[Name]; readonly at?: number; readonly failure?: Failure }>(
    {},
  );
  const now = useNow();
  useEffect(() => {
    setState({});
    return graph.subscribe(name, { synthetic, symbol }, ({ data, failure }) => {
      if (failure !== undefined) setState((before) => ({ ...before, failure }));
      else if (data !== undefined) {
        const state = { data: contents[name](data), at: performance.now() };
        // A key that is pressed meanwhile is drawn first.
        startTransition(() => setState(state));
      }
    });
  }, [name, synthetic, symbol]);
  const { data, at, failure } = state;
  const silentSeconds = at === undefined ? undefined : Math.max(0, Math.floor((now - at) / 1_000));
  return { data, silentSeconds, failure };
}

export function useWalletEvents<Name extends 'ordersLive' | 'balancesLive'>(
  name: Name,
  wallet: { readonly synthetic: boolean; readonly profileId: string | null },
  onEvent: (event: Operations[Name]['data']) => void,
): void {
  const { synthetic, profileId } = wallet;
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(
    () =>
      graph.subscribe(name, { synthetic, profileId }, ({ data }) => {
        if (data !== undefined) latest.current(data);
      }),
    [name, synthetic, profileId],
  );
}

export function useNow(): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(performance.now());
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
