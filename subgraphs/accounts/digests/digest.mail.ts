import { formatDate, formatNumber } from '../../../shared/format/format.js';
import type { Mail } from '../../../shared/mail/mail.js';
import type { MailLinks } from '../accounts/account.mails.js';
import { compose, type MailLanguage, type Reader } from '../accounts/compose-mail.js';
import { groupBy } from '../../../shared/group-by.js';
import type { NewsGroup } from './operation-news.store.js';

/** An operation as digests name it. */
export interface NamedOperation {
  readonly name: string;
  readonly slug: string;
}

interface Digest {
  readonly day: string;
  readonly news: readonly NewsGroup[];
  /** Operations by ticker in upper case. */
  readonly names: ReadonlyMap<string, NamedOperation>;
  readonly links: MailLinks;
  /** Token by which its reader ends digests. */
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

/** Builds the digest of what was published about followed operations. */
export function digestMail(reader: Reader, { day, news, names, links, endToken }: Digest): Mail {
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
