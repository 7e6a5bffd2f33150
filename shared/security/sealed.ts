/** Columns that hold sealed texts of one purpose. The key ring seals only what is declared here. */
export interface Sealed {
  /** The purpose the key is derived for; must never change, or existing values no longer open. */
  readonly purpose: string;
  /** Name as `schema.table`. */
  readonly table: string;
  /** Columns of the primary key, with their types. */
  readonly key: Readonly<Record<string, 'uuid' | 'text'>>;
  /** Byte columns: sealed values, or empty or null when there is none. */
  readonly columns: readonly string[];
  /** The name of the rows, in the plural, for lists and messages. */
  readonly name: string;
  /** One sentence on the consequence for rows that no key can open, and on the remedy. */
  readonly whenLost: string;
}

export const sealedMail: Sealed = {
  purpose: 'mail',
  table: 'shared.mails',
  key: { id: 'uuid' },
  columns: ['body'],
  name: 'messages that wait to be sent, or are in the development mailbox',
  whenLost: 'They are not sent; their recipients have to request them again.',
};

export const sealedResponse: Sealed = {
  purpose: 'idempotent-answer',
  table: 'shared.idempotent_answers',
  key: { owner: 'text', key: 'text' },
  columns: ['answer'],
  name: 'responses stored under their idempotency keys',
  whenLost:
    'A request that is repeated with its key gets 409 for 24 hours after the first one, and does not run again.',
};
