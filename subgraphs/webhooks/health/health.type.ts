import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { HealthRow } from './health.store.js';

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
