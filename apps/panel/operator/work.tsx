import { useRef, useState } from 'react';
import { Button } from '../../design/controls/controls.js';
import { ActDialog } from '../frame/ask.js';
import { Loaded, Note, PageHead, textOf, useNote } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useQuery, useRefresh } from '../frame/use-graph.js';
import { graph } from './graph/operations.js';
import { ReasonInput } from './reason-button.js';
import { operatorTexts } from '../texts.js';
import { queueRows, type Asked, type ActParts, type Job, type Item, type QueueRow } from './work-domains.js';
import { Badge, noted, Section, type Tone, Table, TableSection } from '../../design/basics.js';
import { decimal, moment, plural, wordOf } from '../frame/language.js';
import { Link } from '@tanstack/react-router';

const refreshMs = 10_000;

/** The background work: queues by state, items that fail, and jobs. It is read again while somebody watches. */
export function Work() {
  const { work: text, words } = operatorTexts.get();
  const query = useQuery(graph, 'backgroundWork', {});
  const scopes = useSession()?.scopes ?? [];
  const [asked, setAsked] = useState<Asked>();
  const [note, done] = useNote(query.reload);
  useRefresh(query.reload, refreshMs);
  const parts = { may: (role: string) => scopes.includes(role), ask: setAsked };
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <Button isBusy={query.isLoading} onPress={query.reload}>
            {words.refresh}
          </Button>
        }
      />
      <Note>{note}</Note>
      <Loaded query={query}>
        {(data) => (
          <>
            <Queues rows={queueRows(data)} {...parts} />
            <Items rows={queueRows(data)} {...parts} />
            <Jobs rows={data.scheduledJobs} {...parts} />
          </>
        )}
      </Loaded>
      {asked === undefined ? null : (
        <AskedDialog
          asked={asked}
          onClose={() => setAsked(undefined)}
          onDone={(said) => {
            setAsked(undefined);
            done(said);
          }}
        />
      )}
    </>
  );
}

function AskedDialog(props: {
  readonly asked: Asked;
  readonly onClose: () => void;
  readonly onDone: (said: string) => void;
}) {
  const { title, act, text, needsReason, run } = props.asked;
  const said = useRef('');
  return (
    <ActDialog
      title={title}
      act={act}
      kind="danger"
      fields={['reason']}
      text={text}
      onClose={props.onClose}
      run={async (values) => {
        said.current = await run(textOf(values, 'reason').trim());
      }}
      onDone={() => props.onDone(said.current)}
    >
      {needsReason === true ? <ReasonInput /> : null}
    </ActDialog>
  );
}

type Run = NonNullable<Job['lastRun']>;

const runTones: Readonly<Record<Run['outcome'], Tone>> = {
  RUNNING: 'plain',
  SUCCEEDED: 'good',
  FAILED: 'bad',
  CUT_OFF: 'warn',
};

function Jobs({ rows, may, ask }: ActParts & { readonly rows: readonly Job[] }) {
  const { work: text, words } = operatorTexts.get();
  return (
    <Section id="jobs" title={text.jobs}>
      <Table
        caption={text.jobs}
        rows={rows}
        keyOf={({ name }) => name}
        empty={text.noJobs}
        columns={[
          {
            label: text.job,
            kind: 'nowrap',
            cell: ({ name, cron }) =>
              noted(
                <code>{name}</code>,
                <>
                  <span className="visually-hidden">{text.schedule}: </span>
                  <code>{cron}</code>
                </>,
              ),
          },
          { label: text.lastRun, kind: 'wide', cell: lastRunOf },
          { label: words.duration, kind: 'number', cell: ({ lastRun }) => secondsOf(lastRun) },
          { label: text.recentFailures, kind: 'number', cell: ({ recentFailures }) => decimal(recentFailures) },
          {
            label: words.acts,
            cell: ({ name, requestedAt, lastRun }) =>
              !may('administer') || requestedAt !== null || lastRun?.outcome === 'RUNNING' ? null : (
                <Button
                  label={`${text.run}: ${name}`}
                  onPress={() => {
                    ask({
                      title: `${text.run}: ${name}`,
                      act: text.run,
                      text: text.runText,
                      run: async () => {
                        await graph.mutate('runJob', { name });
                        return text.ran(name);
                      },
                    });
                  }}
                >
                  {text.run}
                </Button>
              ),
          },
        ]}
      />
    </Section>
  );
}

function lastRunOf({ lastRun, requestedAt }: Job) {
  const { work: text } = operatorTexts.get();
  return noted(
    lastRun === null
      ? text.never
      : noted(
          <>
            <Badge tone={runTones[lastRun.outcome]}>{text.outcomes[lastRun.outcome]}</Badge> {moment(lastRun.startedAt)}
          </>,
          lastRun.error,
          'en',
        ),
    requestedAt === null ? null : text.requested(moment(requestedAt)),
  );
}

function secondsOf(run: Run | null): string | null {
  return run?.durationMs == null ? null : `${decimal((run.durationMs / 1000).toFixed(1))} s`;
}

const itemTones: Readonly<Record<Item['state'], Tone>> = {
  DUE: 'warn',
  CLAIMED: 'plain',
  WAITING: 'warn',
  GIVEN_UP: 'bad',
  QUARANTINED: 'bad',
};

interface Props extends ActParts {
  readonly rows: readonly QueueRow[];
}

function Queues({ rows, may, ask }: Props) {
  const { work: text, words } = operatorTexts.get();
  const count = (value: number, tone: Tone) => (value === 0 ? decimal(0) : <Badge tone={tone}>{decimal(value)}</Badge>);
  return (
    <Section id="queues" title={text.queues}>
      <Table
        caption={text.queues}
        rows={rows}
        keyOf={({ queue }) => queue.name}
        empty={text.noItems}
        columns={[
          { label: text.queue, kind: 'nowrap', cell: ({ queue }) => nameOf(queue.name) },
          { label: text.states.DUE, kind: 'number', cell: ({ queue }) => decimal(queue.due) },
          { label: text.states.CLAIMED, kind: 'number', cell: ({ queue }) => decimal(queue.claimed) },
          { label: text.waiting, kind: 'number', cell: ({ queue }) => decimal(queue.waiting) },
          { label: text.failing, kind: 'number', cell: ({ queue }) => count(queue.failing, 'warn') },
          { label: text.givenUp, kind: 'number', cell: ({ queue }) => count(queue.givenUp, 'bad') },
          { label: words.quarantined, kind: 'number', cell: ({ queue }) => count(queue.quarantined, 'bad') },
          { label: text.oldest, kind: 'nowrap', cell: ({ queue }) => moment(queue.oldestDueAt) },
          {
            label: words.acts,
            cell: ({ domain, queue }) =>
              domain.retry === undefined || !queue.canRetry || !may(domain.role) || queue.failing + queue.givenUp === 0
                ? null
                : actButton(ask, { ...retryOf({ domain, queue }, null), text: text.retryAllText }),
          },
        ]}
      />
      <p className="muted small">
        {text.elsewhere} <Link to="/operacao/mesa">{words.desk}</Link>. {text.receivers}{' '}
        <Link to="/operacao/webhooks">{words.webhooks}</Link>.
      </p>
    </Section>
  );
}

function Items({ rows, may, ask }: Props) {
  const { work: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="items"
      title={text.items}
      rows={rows.flatMap((row) => row.queue.items.map((item) => ({ ...row, item })))}
      keyOf={({ queue, item }) => `${queue.name} ${item.id}`}
      empty={text.noItems}
      columns={[
        {
          label: text.item,
          kind: 'wide',
          cell: ({ queue, item }) => noted(nameOf(queue.name), <code>{item.id}</code>),
        },
        {
          label: words.status,
          cell: ({ item }) => <Badge tone={itemTones[item.state]}>{text.states[item.state]}</Badge>,
        },
        {
          label: words.attempts,
          kind: 'number',
          cell: ({ item }) => (item.attempts === null ? null : decimal(item.attempts)),
        },
        {
          label: text.error,
          kind: 'wide',
          cell: ({ item }) => (item.lastError === null ? null : <span lang="en">{item.lastError}</span>),
        },
        { label: words.nextAttempt, kind: 'nowrap', cell: ({ item }) => moment(item.nextAttemptAt) },
        {
          label: words.acts,
          cell: ({ item, ...row }) => {
            const acts = may(row.domain.role) ? actsOn(row, item) : [];
            return acts.length === 0 ? null : <span className="row">{acts.map((asked) => actButton(ask, asked))}</span>;
          },
        },
      ]}
    />
  );
}

function actsOn(row: QueueRow, { id, state }: Item): readonly Asked[] {
  const { work: text } = operatorTexts.get();
  const { domain, queue } = row;
  const { hold, release } = domain;
  const title = (act: string) => `${act}: ${nameOf(queue.name)} ${id}`;
  if (state === 'QUARANTINED' && release !== undefined) {
    const run = async () => {
      await release(queue.name, id);
      return text.released;
    };
    return [{ title: title(text.release), act: text.release, text: text.releaseText, run }];
  }
  const waits = state === 'WAITING' || state === 'GIVEN_UP';
  const retries = waits && queue.canRetry ? [{ ...retryOf(row, id), text: text.releaseText }] : [];
  if (hold === undefined || !queue.canQuarantine || (state !== 'DUE' && state !== 'WAITING')) return retries;
  const run = async (reason: string) => {
    await hold(queue.name, id, reason);
    return text.heldNow;
  };
  return [...retries, { title: title(text.hold), act: text.hold, text: text.holdText, needsReason: true, run }];
}

function retryOf({ domain, queue }: QueueRow, id: string | null): Omit<Asked, 'text'> {
  const { work: text } = operatorTexts.get();
  const act = id === null ? text.retryAll : text.retry;
  return {
    title: `${act}: ${nameOf(queue.name)}${id === null ? '' : ` ${id}`}`,
    act,
    run: async () => {
      const count = (await domain.retry?.(queue.name, id)) ?? 0;
      return count === 0 ? text.retried.none : plural(count, text.retried);
    },
  };
}

function actButton(ask: (asked: Asked) => void, asked: Asked) {
  return (
    <Button key={asked.act} label={asked.title} onPress={() => ask(asked)}>
      {asked.act}
    </Button>
  );
}

function nameOf(queue: string): string {
  return wordOf(operatorTexts.get().work.names, queue);
}
