import type { ReactNode } from 'react';
import { language } from '../frame/language.js';
import { Loaded } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';

type Published = Operations['publishedOperations']['data']['operations']['nodes'][number];

/** An operation of the watchlist; undefined where it is not published now. */
export interface FollowedOperation {
  readonly ticker: string;
  readonly operation: Published | undefined;
}

interface Props {
  /** Tickers as in the watchlist, in upper case. */
  readonly tickers: readonly string[];
  readonly children: (operations: readonly FollowedOperation[], reload: () => void) => ReactNode;
}

/** Reads operations by ticker, in their order. `followedOperations` with further fields would have an error for each unpublished one. */
export function FollowedOperations({ tickers, children }: Props) {
  return tickers.length === 0 ? children([], () => undefined) : <Read tickers={tickers}>{children}</Read>;
}

function Read({ tickers, children }: Props) {
  const query = useQuery(graph, 'publishedOperations', { tickers, locale: language.graph });
  return (
    <Loaded query={query}>
      {({ operations }) => {
        const published = new Map(operations.nodes.map((one) => [one.ticker.toUpperCase(), one]));
        return children(
          tickers.map((ticker) => ({ ticker, operation: published.get(ticker) })),
          query.reload,
        );
      }}
    </Loaded>
  );
}
