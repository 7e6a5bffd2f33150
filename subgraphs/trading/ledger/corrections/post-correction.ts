import { recordAudit } from '../../../../shared/security/audit/record.js';
import type { Context } from '../../../../shared/kernel/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../../shared/kernel/errors.js';
import { isUuid } from '../../../../shared/kernel/ids.js';
import { listCurrencies } from '../../markets/market.store.js';
import { tellAll, type NewsOf } from '../../streams/tell-readers.js';
import { type Account, postJournal } from '../post-journals.js';
import { correctionCause, correctionIssues, toPosting, type Correction, type Known } from './correction.js';
import { findCorrection, findVenues, findWallets, insertCorrection, type CorrectionRow } from './correction.store.js';

export interface PostedCorrection extends CorrectionRow {
  /** Whether it was posted before, so that nothing changed. */
  readonly repeated: boolean;
}

/**
 * Posts a journal that corrects the ledger, for the calling operator. Earlier journals stay as they are; posting it again with its
 * key changes nothing. A client's funds that are set aside (`LOCKED`) cannot be named.
 * @throws {ApiError} BAD_REQUEST with every error; INSUFFICIENT_BALANCE where a client's balance would fall below zero; CONFLICT for a key that
 * was used for another correction
 */
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

/** A client whose account changed receives its new balance. */
function newsOf(account: Account, synthetic: boolean): NewsOf[] {
  if (account.kind !== 'AVAILABLE') return [];
  return [{ wallet: { id: account.walletId, synthetic }, currencies: [account.currency] }];
}
