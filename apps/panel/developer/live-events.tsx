import { useEffect, useRef, useState } from 'react';
import { Badge, noted, Section, Table } from '../../design/basics.js';
import { Button } from '../../design/controls/controls.js';
import type { Failure } from '../frame/failure.js';
import { date, decimal, language, moment } from '../frame/language.js';
import { FailureNotice, Loaded, PageHead } from '../frame/parts.js';
import { useIsReceiving } from '../frame/connection.js';
import { useQuery } from '../frame/use-graph.js';
import { FollowedOperations } from './followed-operations.js';
import { graph, type Operations } from './graph/operations.js';
import { developerTexts } from '../texts.js';

type LiveEvent = Operations['operationEvents']['data']['operationUpdated'];

const mostShown = 200;
/** Events after which the subscription begins anew, at the latest of them. */
const mostKnown = 500;

export function LiveEvents() {
  const { live: text } = developerTexts.get();
  const query = useQuery(graph, 'followed', {});
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Loaded query={query}>
        {({ followedOperations }) => {
          const followed = followedOperations.flatMap((one) => one?.ticker ?? []);
          if (followed.length === 0) return <p className="empty">{text.noneFollowed}</p>;
          return (
            <FollowedOperations tickers={followed}>
              {(operations, reload) => {
                const tickers = operations.flatMap(({ operation }) => operation?.ticker ?? []);
                return tickers.length === 0 ? (
                  <p className="empty">{text.nonePublished}</p>
                ) : (
                  <Events tickers={tickers} onRetry={reload} />
                );
              }}
            </FollowedOperations>
          );
        }}
      </Loaded>
    </>
  );
}

interface EventsProps {
  readonly tickers: readonly string[];
  /** Reads again which operations are published: one that is not makes the subscription fail. */
  readonly onRetry: () => void;
}

function Events({ tickers, onRetry }: EventsProps) {
  const { live: text } = developerTexts.get();
  return (
    <>
      <p>{text.followed(tickers.join(', '))}</p>
      <Stream key={tickers.join(' ')} tickers={tickers} onRetry={onRetry} />
      <Section id="program" title={text.program}>
        <p className="muted">{text.programText}</p>
        <pre className="code" tabIndex={0}>
          {documentOf(tickers)}
        </pre>
      </Section>
    </>
  );
}

function Stream({ tickers, onRetry }: EventsProps) {
  const { live: text } = developerTexts.get();
  const { events, failure, beginAgain } = useEvents(tickers);
  const [held, setHeld] = useState<readonly LiveEvent[]>();
  const waiting = held === undefined ? 0 : events.filter((one) => !held.includes(one)).length;
  return (
    <>
      <FailureNotice
        failure={failure}
        onRetry={() => {
          onRetry();
          beginAgain();
        }}
      />
      <div className="row spread">
        <Status isSubscribed={failure === undefined} waiting={held === undefined ? undefined : waiting} />
        <Button onPress={() => setHeld(held === undefined ? events : undefined)}>
          {held === undefined ? text.pause : text.resume}
        </Button>
      </div>
      <EventTable events={held ?? events} />
    </>
  );
}

function EventTable({ events }: { readonly events: readonly LiveEvent[] }) {
  const { live: text, words } = developerTexts.get();
  return (
    <Table
      caption={text.title}
      rows={events}
      keyOf={({ cursor }) => cursor}
      empty={text.empty}
      columns={[
        { label: words.time, kind: 'nowrap', cell: ({ occurredAt }) => moment(occurredAt) },
        {
          label: words.operation,
          kind: 'wide',
          cell: ({ operation, seriesTicker }) => noted(operation.name, <code>{seriesTicker ?? operation.ticker}</code>),
        },
        {
          label: words.kind,
          cell: ({ kindLabel, correction }) => (
            <>
              {kindLabel} {correction ? <Badge tone="warn">{text.correction}</Badge> : null}
            </>
          ),
        },
        { label: words.day, kind: 'nowrap', cell: ({ reference }) => date(reference) },
        {
          label: text.unitPrice,
          kind: 'number',
          cell: ({ unitPrice }) => (unitPrice === null ? '—' : decimal(unitPrice, 8)),
        },
        {
          label: text.data,
          kind: 'wide',
          cell: (event) => (
            <details>
              <summary>JSON</summary>
              <pre className="code" tabIndex={0}>
                {JSON.stringify(event, null, 2)}
              </pre>
            </details>
          ),
        },
      ]}
    />
  );
}

function Status({ isSubscribed, waiting }: { readonly isSubscribed: boolean; readonly waiting: number | undefined }) {
  const { live: text } = developerTexts.get();
  const comes = useIsReceiving() && isSubscribed;
  return (
    <p role="status">
      {comes ? null : <>{text.notReceiving} </>}
      {waiting !== undefined ? text.isPaused(decimal(waiting)) : comes ? text.receiving : null}
    </p>
  );
}

/** Receives the events since the page was opened, the newest first. A new connection sends them all again, and known ones are left out. */
function useEvents(tickers: readonly string[]) {
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const opened = useQuery(graph, 'eventCursor', {});
  // Where the subscription begins; further on after many events, so that a new connection does not repeat them all.
  const [begin, setBegin] = useState<{ readonly eventCursor: string }>();
  const known = useRef(new Set<string>());
  const names = tickers.join(' ');
  useEffect(() => setBegin(opened.data), [opened.data]);
  useEffect(() => {
    if (begin === undefined) return undefined;
    const variables = { tickers: names.split(' '), since: begin.eventCursor, locale: language.graph };
    return graph.subscribe('operationEvents', variables, ({ data, failure: failed }) => {
      setFailure(failed);
      if (data === undefined) return;
      const event = data.operationUpdated;
      if (known.current.has(event.cursor)) return;
      known.current.add(event.cursor);
      setEvents((before) => [event, ...before].slice(0, mostShown));
      if (known.current.size < mostKnown) return;
      known.current.clear();
      setBegin({ eventCursor: event.cursor });
    });
  }, [begin, names]);
  const beginAgain = () => {
    setFailure(undefined);
    opened.reload();
  };
  return { events, failure: opened.failure ?? failure, beginAgain };
}

function documentOf(tickers: readonly string[]): string {
  return `subscription {
  operationUpdated(tickers: ${JSON.stringify(tickers)}) {
    cursor
    kind
    occurredAt
    reference
    seriesTicker
    unitPrice
    correction
    operation { ticker }
  }
}`;
}
