import { addDays } from '../../../shared/kernel/calendar/days.js';
import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { type Context, today } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockAccount } from '../accounts/account.store.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import type { EndTokens } from './end-token.js';
import {
  findDueDigest,
  listDueDigests,
  markDigest,
  type DueDays,
  latestPosition,
  newsFor,
  type NewsGroup,
} from './digest.store.js';
import { formatDate, formatNumber } from '../../../shared/kernel/format/format.js';
import type { Mail } from '../../../shared/work/mail/mail.js';
import type { MailLinks } from '../accounts/account.mails.js';
import { compose, type MailLanguage, type Reader } from '../accounts/compose-mail.js';
import { groupBy } from '../../../shared/kernel/group-by.js';

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

/** Sends daily ones on business days, weekly ones on the first of the week. What was published since the last digest stands in exactly one; without any there is no mail. */
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

interface NamedOperation {
  readonly name: string;
  readonly slug: string;
}

interface Digest {
  readonly day: string;
  readonly news: readonly NewsGroup[];
  /** Operations by ticker in upper case. */
  readonly names: ReadonlyMap<string, NamedOperation>;
  readonly links: MailLinks;
  readonly endToken: string;
}

/** Operations of one mail; of the others it says how many there are. */
const mostOperations = 50;

const kinds: Readonly<Record<MailLanguage, Readonly<Record<string, readonly [one: string, other: string]>>>> = {
  PT_BR: {
    PU: ['preço unitário', 'preços unitários'],
    PAYMENT: ['pagamento', 'pagamentos'],
    DOCUMENT: ['documento', 'documentos'],
    COMMUNICATION: ['comunicado', 'comunicados'],
    REPORT: ['relatório de gestão', 'relatórios de gestão'],
    OTHER: ['atualização de dados', 'atualizações de dados'],
  },
  EN: {
    PU: ['unit price', 'unit prices'],
    PAYMENT: ['payment', 'payments'],
    DOCUMENT: ['document', 'documents'],
    COMMUNICATION: ['communication', 'communications'],
    REPORT: ['management report', 'management reports'],
    OTHER: ['update of its data', 'updates of its data'],
  },
};

function digestMail(reader: Reader, { day, news, names, links, endToken }: Digest): Mail {
  const language = reader.language ?? 'PT_BR';
  const english = language === 'EN';
  const operations = [...groupBy(news, ({ ticker }) => ticker)].flatMap(([ticker, groups]) => {
    const named = names.get(ticker);
    return named === undefined ? [] : [{ ...named, ticker, groups }];
  });
  const others = operations.length - mostOperations;
  const unsubscribe = links.endDigests(endToken, language);
  const mail = compose(reader, {
    subject: english
      ? `What was published about the operations that you follow: ${day}`
      : `O que foi publicado sobre as operações que você segue: ${formatDate(day)}`,
    paragraphs: [
      english
        ? 'Since the digest before, this was published about the operations that you follow.'
        : 'Desde o resumo anterior, isto foi publicado sobre as operações que você segue.',
      ...(others > 0 ? [english ? `And about ${others} other operations.` : `E sobre mais ${others} operações.`] : []),
      english
        ? `How often digests come is chosen in your account: ${links.mailSettings}`
        : `A frequência dos resumos se escolhe na sua conta: ${links.mailSettings}`,
      english ? `No more digests: ${unsubscribe}` : `Não receber mais resumos: ${unsubscribe}`,
    ],
    items: operations.slice(0, mostOperations).map(({ name, slug, ticker, groups }) => ({
      label: `${name} (${ticker})`,
      link: links.operation(slug, language),
      text: groups.map((group) => sentence(group, language)).join('; '),
    })),
  });
  return { ...mail, unsubscribe };
}

/** Returns a part such as `3 documentos`, `preço unitário de AURORA1S1: R$ 1.000,12 em 23/11/2026` or `2 pagamentos (correções)`. */
function sentence({ kind, count, correction, seriesTicker, unitPrice, reference }: NewsGroup, language: MailLanguage) {
  const english = language === 'EN';
  const [one, other] = kinds[language][kind] ?? kinds[language]['OTHER'] ?? ['', ''];
  const corrected = correction ? (english ? ', corrected' : ', com correção') : '';
  if (unitPrice === null) {
    const of = seriesTicker === null ? '' : ` (${seriesTicker})`;
    return `${count} ${count === 1 ? one : other}${of}${corrected}`;
  }
  const price = english ? `BRL ${unitPrice}` : `R$ ${formatNumber(unitPrice, 8)}`;
  const date = english ? reference : formatDate(reference);
  const of = seriesTicker === null ? '' : english ? ` of ${seriesTicker}` : ` de ${seriesTicker}`;
  const earlier = count === 1 ? '' : english ? `, and ${count - 1} earlier` : `, e mais ${count - 1}`;
  return `${one}${of}: ${price}, ${date}${earlier}${corrected}`;
}
