import { Badge, Facts, noted, Section, Stats, TableSection } from '../../design/basics.js';
import { decimal, moment, percent } from '../frame/language.js';
import { attemptText } from '../frame/failure.js';
import { Said } from '../frame/parts.js';
import type { Operations } from './graph/operations.js';
import { developerTexts } from '../texts.js';
import { failureNote, webhookState } from '../home/item.js';

type Webhook = Operations['webhook']['data']['webhook'];
type Listed = Operations['webhooks']['data']['webhooks']['items'][number];

export function WebhookStatus({ webhook }: { readonly webhook: Pick<Listed, 'status' | 'createdAt' | 'health'> }) {
  const { webhooks: text } = developerTexts.get();
  const { createdAt, health } = webhook;
  const state = webhookState(webhook);
  const badge = <Badge tone={state === 'HEALTHY' ? 'good' : 'bad'}>{text.states[state]}</Badge>;
  const since = text.failing(moment(health.lastSuccessAt ?? createdAt));
  return noted(badge, state === 'HEALTHY' ? null : failureNote(since, health.lastFailure));
}

/** How the receiver did: its last day, and the deliveries of 30 days by their status. */
export function WebhookHealth({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks: text, words } = developerTexts.get();
  const { health } = webhook;
  const { successShare, medianMs, p95Ms, lastFailure } = health;
  const inMs = (value: number | null) => (value === null ? '—' : text.milliseconds(decimal(value)));
  return (
    <>
      <Section id="health" title={text.lastDay}>
        <Stats
          items={[
            { label: words.attempts, value: decimal(health.attempts) },
            { label: text.success, value: successShare === null ? '—' : percent(String(successShare * 100), 1) },
            { label: text.median, value: inMs(medianMs) },
            { label: text.p95, value: inMs(p95Ms) },
          ]}
        />
        <Facts
          items={[
            [text.lastSuccess, moment(health.lastSuccessAt)],
            [
              words.lastFailure,
              lastFailure &&
                noted(
                  moment(lastFailure.at),
                  lastFailure.responseStatus ?? <Said text={attemptText(lastFailure.error ?? '')} />,
                ),
            ],
          ]}
        />
      </Section>
      <Section id="month" title={text.health}>
        <Stats
          items={(['delivered', 'pending', 'failed', 'skipped'] as const).map((name) => ({
            label: text.deliveryStates[stateOf[name]],
            value: decimal(webhook[name].totalCount),
          }))}
        />
      </Section>
    </>
  );
}

const stateOf = { delivered: 'DELIVERED', pending: 'PENDING', failed: 'FAILED', skipped: 'SKIPPED' } as const;

export function Redeliveries({ rows }: { readonly rows: Webhook['redeliveries'] }) {
  const { webhooks: text, words } = developerTexts.get();
  if (rows.length === 0) return null;
  return (
    <TableSection
      id="redeliveries"
      title={text.redeliveries}
      rows={rows}
      columns={[
        { label: words.created, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
        {
          label: text.deliveries,
          kind: 'wide',
          cell: ({ statuses, type }) =>
            noted(
              statuses.map((status) => text.deliveryStates[status]).join(', '),
              type === null ? text.allEvents : <code>{type}</code>,
            ),
        },
        {
          label: text.period,
          cell: ({ from, until }) => (
            <>
              {moment(from)} – {moment(until)}
            </>
          ),
        },
        {
          label: text.progress,
          kind: 'number',
          cell: ({ started, matched }) => text.startedOf(decimal(started), decimal(matched)),
        },
        {
          label: words.status,
          cell: ({ status, statusLabel }) => <Badge tone={tones[status]}>{statusLabel}</Badge>,
        },
      ]}
    />
  );
}

const tones = { RUNNING: 'warn', DONE: 'good', ENDED: 'bad' } as const;
