import { recordAudit } from '../../../../shared/security/audit/record.js';
import type { Context } from '../../../../shared/kernel/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../../shared/kernel/errors.js';
import { isUuid } from '../../../../shared/kernel/ids.js';
import { listCurrencies } from '../../markets/market.store.js';
import { tellAll, type NewsOf } from '../../streams/tell-readers.js';
import { type Account, postJournal } from '../post-journals.js';
import { correctionCause, correctionIssues, toPosting, type Correction, type Known } from './correction.js';

export interface PostedCorrection extends CorrectionRow {
  /** Whether it was posted before, so that nothing changed. */
  readonly repeated: boolean;
}

/** Earlier journals stay; posting again with the key changes nothing. @throws {ApiError} BAD_REQUEST, INSUFFICIENT_BALANCE, CONFLICT for a key of another correction */
export async function postCorrection(context: Context, correction: Correction): Promise<PostedCorrection> {
  refuse('BAD_REQUEST', correctionIssues(correction, await readKnown(context, correction)));
  const { key, synthetic } = correction;
  const reason = correction.reason.trim();
  const postings = correction.postings.map(toPosting);
  return inTransaction(context, async (tx) => {
    const journal = { key: `correction:${key}`, cause: correctionCause, causeId: key, synthetic, postings };
    const { id: journalId, repeated } = await postJournal(tx, journal);
    const row = repeated
      ? await requireSame(tx, key, reason)
      : await insertCorrection(tx, { key, journalId, synthetic, reason, operatorId: tx.principal.ownerId });
    await recordAudit(tx, {
      action: 'postCorrection',
      subject: { type: 'journal', id: journalId },
      // A field named `key` is redacted in the audit log.
      after: { correctionKey: key, synthetic, reason, postings: correction.postings, repeated },
    });
    if (!repeated)
      await tellAll(
        tx,
        postings.flatMap(({ account }) => newsOf(account, synthetic)),
      );
    return { ...row, repeated };
  });
}

async function readKnown(context: Context, { postings, synthetic }: Correction): Promise<Known> {
  const ids = postings.flatMap(({ walletId }) =>
    walletId != null && isUuid(walletId) ? [walletId.toLowerCase()] : [],
  );
  const names = postings.flatMap(({ venue }) => venue ?? []);
  const [currencies, wallets, venues] = [
    await listCurrencies(context),
    await findWallets(context, ids, synthetic),
    await findVenues(context, names, synthetic),
  ];
  return {
    decimals: new Map(currencies.map(({ code, decimals }) => [code, decimals])),
    wallets: new Set(wallets),
    venues: new Set(venues),
  };
}

/** The ledger has compared the postings; the reason is not part of a journal. */
async function requireSame(tx: Context, key: string, reason: string): Promise<CorrectionRow> {
  const row = await findCorrection(tx, key);
  if (row?.reason.trim() === reason) return row;
  throw new ApiError('CONFLICT', { message: 'Another correction was posted with the same key: use a new key' });
}

function newsOf(account: Account, synthetic: boolean): NewsOf[] {
  if (account.kind !== 'AVAILABLE') return [];
  return [{ wallet: { id: account.walletId, synthetic }, currencies: [account.currency] }];
}

interface CorrectionRow {
  readonly key: string;
  readonly journalId: string;
  readonly synthetic: boolean;
  readonly reason: string;
  readonly operatorId: string;
  readonly postedAt: Date;
}

const columns = `key, journal_id AS "journalId", synthetic, reason, operator_id AS "operatorId", posted_at AS "postedAt"`;

async function insertCorrection(
  { manager }: Context,
  { key, journalId, synthetic, reason, operatorId }: Omit<CorrectionRow, 'postedAt'>,
): Promise<CorrectionRow> {
  const row = await manager.row<CorrectionRow>(
    `INSERT INTO trading.corrections (key, journal_id, synthetic, reason, operator_id, posted_at)
     SELECT $1::text, id, synthetic, $4::text, $5::text, posted_at FROM trading.journals WHERE id = $2 AND synthetic = $3
     RETURNING ${columns}`,
    [key, journalId, synthetic, reason, operatorId],
  );
  if (row === undefined) throw new Error(`There is no journal ${journalId}`);
  return row;
}

function findCorrection({ manager }: Context, key: string): Promise<CorrectionRow | undefined> {
  return manager.row(`SELECT ${columns} FROM trading.corrections WHERE key = $1`, [key]);
}

function findWallets({ manager }: Context, ids: readonly string[], synthetic: boolean): Promise<string[]> {
  return manager.values('SELECT id FROM trading.wallets WHERE id = ANY ($1::uuid[]) AND synthetic = $2', [
    ids,
    synthetic,
  ]);
}

/** Returns the names that are live or synthetic venues: the ledger has an account for them, or an operator added them. */
function findVenues({ manager }: Context, names: readonly string[], synthetic: boolean): Promise<string[]> {
  return manager.values(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE EXISTS (SELECT FROM trading.ledger_accounts WHERE owner = name AND kind = 'VENUE' AND synthetic = $2)
       OR (NOT $2 AND EXISTS (SELECT FROM trading.venues WHERE venues.name = name.name))`,
    [names, synthetic],
  );
}
