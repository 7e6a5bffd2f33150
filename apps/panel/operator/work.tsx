import { useRef, useState } from 'react';
import { Button } from '../../design/controls/controls.js';
import { ActDialog } from '../frame/ask.js';
import { Loaded, Note, PageHead, textOf, useNote } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useQuery, useRefresh } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { ReasonInput } from './reason-button.js';
import { operatorTexts } from '../texts.js';
import { queueRows, type Asked, type ActParts, type Job } from './work-domains.js';
import { Items, Queues } from './work-queues.js';
import { Badge, noted, Section, type Tone, Table } from '../../design/basics.js';
import { decimal, moment } from '../frame/language.js';

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

const toneOf: Readonly<Record<Run['outcome'], Tone>> = {
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
            <Badge tone={toneOf[lastRun.outcome]}>{text.outcomes[lastRun.outcome]}</Badge> {moment(lastRun.startedAt)}
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
