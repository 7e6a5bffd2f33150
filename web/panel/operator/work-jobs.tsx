import { Badge, Section, type Tone } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { decimal, moment } from '../frame/language.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';
import type { ActParts, Job } from './work-domains.js';

type Run = NonNullable<Job['lastRun']>;

const toneOf: Readonly<Record<Run['outcome'], Tone>> = {
  RUNNING: 'plain',
  SUCCEEDED: 'good',
  FAILED: 'bad',
  CUT_OFF: 'warn',
};

/** The jobs of the scheduler, with their last runs. */
export function Jobs({ rows, may, ask }: ActParts & { readonly rows: readonly Job[] }) {
  const { work: text } = operatorTexts.get();
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
            cell: ({ name, cron }) => (
              <>
                <code>{name}</code>
                <span className="sub">
                  <span className="hidden">{text.schedule}: </span>
                  <code>{cron}</code>
                </span>
              </>
            ),
          },
          { label: text.lastRun, kind: 'wide', cell: lastRunOf },
          { label: text.duration, kind: 'number', cell: ({ lastRun }) => secondsOf(lastRun) },
          { label: text.recentFailures, kind: 'number', cell: ({ recentFailures }) => decimal(recentFailures) },
          {
            label: text.acts,
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
  return (
    <>
      {lastRun === null ? (
        text.never
      ) : (
        <>
          <Badge tone={toneOf[lastRun.outcome]}>{text.outcomes[lastRun.outcome]}</Badge> {moment(lastRun.startedAt)}
        </>
      )}
      {lastRun?.error == null ? null : (
        <span className="sub" lang="en">
          {lastRun.error}
        </span>
      )}
      {requestedAt === null ? null : <span className="sub">{text.requested(moment(requestedAt))}</span>}
    </>
  );
}

function secondsOf(run: Run | null): string | null {
  return run?.durationMs == null ? null : `${decimal((run.durationMs / 1000).toFixed(1))} s`;
}
