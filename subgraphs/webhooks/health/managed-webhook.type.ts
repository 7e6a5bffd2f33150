import { ArgsType, Directive, Field, ID, ObjectType, Float, Int } from 'type-graphql';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { connectionArgs } from '../../../shared/graphql/page-args.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { healthStates, type HealthState, type ManagedWebhookRow, type HealthRow } from './managed-webhook.store.js';

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
export class ManagedWebhooksArgs extends connectionArgs(managedPage) {
  @Field(() => HealthStateEnum, { nullable: true, description: 'Only webhooks in this state; all when omitted.' })
  state?: HealthState | null;
}

/** An account as this subgraph refers to it. All but its id belongs to accounts, which decides who may see it. */
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ simpleResolvers: true, description: 'An account to which something belongs, as operators see it.' })
export class AccountContact {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A webhook of any account, as operators see it.' })
export class ManagedWebhook {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => ID, { description: 'Id of the account to which it belongs.' })
  ownerId!: string;

  @Field(() => String, {
    description: 'Host of its URL, with the port if it is not the default. Paths can hold secrets and are not shown.',
  })
  host!: string;

  @Field(() => HealthStateEnum, { description: 'How it does.' })
  state!: HealthState;

  @Field(() => Date, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Time of its deactivation; null while it is active.',
  })
  deactivatedAt!: Date | null;

  @Field(() => DeactivationReasonEnum, {
    nullable: true,
    description: 'Why it was deactivated; null where `deactivatedAt` is.',
  })
  deactivationReason!: 'FAILED' | 'GONE' | null;
}

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
export class WebhookFailure {
  @Field(() => Date, { description: 'Time at which the attempt began.' })
  at!: Date;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the response; null without a complete response.' })
  responseStatus!: number | null;

  @Field(() => String, { nullable: true, description: 'Reason for which there was no complete response.' })
  error!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'How a receiver did in the last 24 hours, by its last 1,000 attempts that have ended.',
})
export class WebhookHealth {
  @Field(() => Int, { description: 'Number of attempts, at most 1,000.' })
  attempts!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Share of the attempts with 200 in time, from 0 to 1; null without an attempt.',
  })
  successShare!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Median of the durations, in milliseconds; null without an attempt.',
  })
  medianMs!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Duration below which 95 % of the attempts ended, in milliseconds; null without an attempt.',
  })
  p95Ms!: number | null;

  @Field(() => Date, { nullable: true, description: 'Time of the last success ever; null without one.' })
  lastSuccessAt!: Date | null;

  @Field(() => WebhookFailure, {
    nullable: true,
    description: 'The last failure among the last 1,000 attempts, also before the last day; null without one.',
  })
  lastFailure!: WebhookFailure | null;
}

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
