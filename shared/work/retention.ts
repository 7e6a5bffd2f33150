import type { Context } from '../kernel/context.js';
import type { Job } from './scheduler.js';
import { untilFew } from '../kernel/turns.js';

/** A day longer than cursors of events are valid (`outbox/event-feed.ts`). */
const eventDays = 8;

/** Days that finished work is kept; idempotent responses carry their own expiry (24 h). Internal events go once published: they name debtors. */
const kept = [
  { table: 'outbox', key: 'id', past: 'internal AND published_at < $1', days: 0 },
  { table: 'outbox', key: 'id', past: 'published_at < $1', days: eventDays },
  { table: 'mails', key: 'id', past: 'coalesce(sent_at, failed_at) < $1', days: 30 },
  // Held back by an operator and never released.
  { table: 'mails', key: 'id', past: 'quarantined_at < $1', days: 30 },
  { table: 'job_ticks', key: '(job, scheduled_at)', past: 'scheduled_at < $1', days: 30 },
  { table: 'idempotent_answers', key: '(owner, key)', past: 'expires_at < $1', days: 0 },
] as const;

const batch = 5_000;

/** Deletes expired rows in batches, so that no lock is held for long. */
async function forget(context: Context, stopping?: AbortSignal): Promise<void> {
  for (const { table, key, past, days } of kept) {
    const before = new Date(context.clock.now().getTime() - days * 86_400_000);
    const forgetSome = () =>
      context.manager.execute(
        `DELETE FROM shared.${table} WHERE ${key} IN (SELECT ${key.replace(/[()]/g, '')} FROM shared.${table} WHERE ${past} LIMIT ${batch})`,
        [before],
      );
    await untilFew(batch, forgetSome, stopping);
  }
}

export const retentionJob: Job = { name: 'shared.retention', cron: '17 * * * *', run: forget };
