import { addDays } from '../../../shared/calendar/days.js';
import { loadCalendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { today } from '../../../shared/today.js';
import { lockAccount } from '../accounts/account.store.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { digestMail, type NamedOperation } from './digest.mail.js';
import type { EndTokens } from './end-token.js';
import { findDueDigest, listDueDigests, markDigest, type DueDays } from './digest.store.js';
import { latestPosition, newsFor } from './operation-news.store.js';

/** Returns the public operations among some tickers in upper case, by these. */
export type NameOperations = (
  context: Context,
  tickers: readonly string[],
) => Promise<ReadonlyMap<string, NamedOperation>>;

export interface DigestParts {
  readonly desk: MailDesk;
  readonly nameOperations: NameOperations;
  readonly endTokens: EndTokens;
}

const batch = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Mails the digests that are due: daily ones on business days, and weekly ones on the first business day of the week. What was published since the last
 * digest stands in exactly one, however often this runs, and by how many processes; without any there is no mail.
 */
export async function mailDigests(context: Context, parts: DigestParts, stopping?: AbortSignal): Promise<void> {
  const day = today(context);
  if (!(await loadCalendar(context.manager)).isBusinessDay(day)) return;
  const days = { today: day, monday: mondayOf(day) };
  let after = firstId;
  for (;;) {
    const accounts = await listDueDigests(context, after, days, batch);
    for (const accountId of accounts) {
      if (stopping?.aborted === true) return;
      await mailDigest(context, parts, accountId, days);
    }
    const last = accounts.at(-1);
    if (last === undefined || accounts.length < batch) return;
    after = last;
  }
}

/** Returns the Monday of the week of a day. */
function mondayOf(day: string): string {
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -sinceMonday);
}

/** The account is locked first, so that two processes do not both find its digest due. */
async function mailDigest(
  context: Context,
  { desk, nameOperations, endTokens }: DigestParts,
  accountId: string,
  days: DueDays,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account?.disabledAt !== null) return;
    const digest = await findDueDigest(tx, accountId, days);
    if (digest === undefined) return;
    const upTo = await latestPosition(tx);
    const news = await newsFor(tx, accountId, { after: digest.after, upTo });
    const names = await nameOperations(tx, [...new Set(news.map(({ ticker }) => ticker))]);
    // What is no longer public is not told of.
    const shown = news.filter(({ ticker }) => names.has(ticker));
    if (shown.length > 0) {
      const reader = { email: account.email, name: account.name, language: digest.language };
      const content = {
        day: days.today,
        news: shown,
        names,
        links: desk.links,
        endToken: endTokens.tokenFor(accountId),
      };
      await desk.queueMail(tx, digestMail(reader, content));
    }
    await markDigest(tx, accountId, upTo, days.today);
  });
}
