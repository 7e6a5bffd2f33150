import { ArgsType, Directive, ObjectType } from 'type-graphql';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { healthStates, type HealthState, type ManagedWebhookRow, type HealthRow } from './managed-webhook.store.js';
import { args, fields, id, int, nullable, of, text, time } from '../../../shared/graphql/fields.js';

const HealthStateEnum = describeEnum<HealthState>(
  'WebhookHealthState',
  'How a webhook does, worst first.',
  {
    DEACTIVATED: 'All attempts of a delivery failed, or the receiver responded with 410: nothing is sent to it',
    FAILING: 'The last attempt failed',
    HEALTHY: 'The last attempt succeeded, or none was made',
  },
  {
    DEACTIVATED: ['Desativado', 'Deactivated'],
    FAILING: ['Com falhas', 'Failing'],
    HEALTHY: ['Saudável', 'Healthy'],
  },
);

const DeactivationReasonEnum = describeEnum<'FAILED' | 'GONE'>(
  'WebhookDeactivationReason',
  'Why a webhook was deactivated.',
  {
    FAILED: 'All attempts of a delivery failed',
    GONE: 'The receiver responded with 410',
  },
  {
    FAILED: ['Todas as tentativas falharam', 'All attempts failed'],
    GONE: ['O receptor respondeu 410', 'The receiver responded with 410'],
  },
);

export const managedPage = { usual: 50, most: 100 } as const;

@ArgsType()
export class ManagedWebhooksArgs extends args({
  ...ofPage(managedPage),
  state: nullable.of(() => HealthStateEnum, 'Only webhooks in this state; all when omitted.'),
}) {}

/** An account as this subgraph refers to it. All but its id belongs to accounts, which decides who may see it. */
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ simpleResolvers: true, description: 'An account to which something belongs, as operators see it.' })
export class AccountContact extends fields({
  id: id('Id (UUID).'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A webhook of any account, as operators see it.' })
export class ManagedWebhook extends fields({
  id: id('Id (UUID).'),
  ownerId: id('Id of the account to which it belongs.'),
  host: text('Host of its URL, with the port if it is not the default. Paths can hold secrets and are not shown.'),
  state: of(() => HealthStateEnum, 'How it does.'),
  createdAt: time('Time of creation.'),
  deactivatedAt: nullable.time('Time of its deactivation; null while it is active.'),
  deactivationReason: nullable.of(
    () => DeactivationReasonEnum,
    'Why it was deactivated; null where `deactivatedAt` is.',
  ),
}) {}

export const ManagedWebhookConnection = connectionType(ManagedWebhook, {
  name: 'ManagedWebhook',
  nodes: 'webhooks of all accounts',
  order: 'worst first, and within a state oldest first',
});

export function toManagedWebhook(row: ManagedWebhookRow): Shape<ManagedWebhook> {
  const { id, ownerId, url, rank, createdAt, deactivatedAt, deactivatedWhy } = row;
  const state = healthStates[rank] ?? 'HEALTHY';
  return { id, ownerId, host: new URL(url).host, state, createdAt, deactivatedAt, deactivationReason: deactivatedWhy };
}

@ObjectType({ simpleResolvers: true, description: 'A failed attempt.' })
export class WebhookFailure extends fields({
  at: time('Time at which the attempt began.'),
  responseStatus: nullable.int('HTTP status of the response; null without a complete response.'),
  error: nullable.text('Reason for which there was no complete response.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'How a receiver did in the last 24 hours, by its last 1,000 attempts that have ended.',
})
export class WebhookHealth extends fields({
  attempts: int('Number of attempts, at most 1,000.'),
  successShare: nullable.float('Share of the attempts with 200 in time, from 0 to 1; null without an attempt.'),
  medianMs: nullable.int('Median of the durations, in milliseconds; null without an attempt.'),
  p95Ms: nullable.int('Duration below which 95 % of the attempts ended, in milliseconds; null without an attempt.'),
  lastSuccessAt: nullable.time('Time of the last success ever; null without one.'),
  lastFailure: nullable.of(
    () => WebhookFailure,
    'The last failure among the last 1,000 attempts, also before the last day; null without one.',
  ),
}) {}

/** Converts the row of a webhook; one without attempts has none. */
export function toHealth(row: HealthRow | undefined): Readonly<WebhookHealth> {
  const { attempts = 0, successes = 0, medianMs = null, p95Ms = null, lastSuccessAt = null } = row ?? {};
  return {
    attempts,
    successShare: attempts === 0 ? null : successes / attempts,
    medianMs,
    p95Ms,
    lastSuccessAt,
    lastFailure:
      row?.failedAt == null ? null : { at: row.failedAt, responseStatus: row.failureStatus, error: row.failureError },
  };
}
