import { QueryFailedError } from 'typeorm';
import { z } from 'zod';
import type { Context } from '../../../shared/context.js';
import { ApiError, type ErrorCode } from '../../../shared/errors.js';

/** A journal as `trading.post_journals` takes it; amounts are decimal text. */
export interface JournalRecord {
  readonly id: string;
  readonly key: string;
  readonly cause: string;
  readonly causeId: string;
  readonly postings: readonly {
    readonly owner: string;
    readonly kind: string;
    readonly currency: string;
    readonly amount: string;
  }[];
  readonly holds: readonly (
    | { readonly act: 'release'; readonly id: string }
    | { readonly act: 'open' | 'spend'; readonly id: string; readonly amount: string }
  )[];
}

export interface PostedJournal {
  /** Id of the journal (UUID); for one posted before, its first id. */
  readonly id: string;
  /** Whether it was posted before, so that nothing changed. */
  readonly repeated: boolean;
}

/** Posts journals of one world. See `postJournals` for the errors. */
export async function writeJournals(
  { manager }: Context,
  synthetic: boolean,
  journals: readonly JournalRecord[],
): Promise<PostedJournal[]> {
  try {
    const row = await manager.row<{ posted: PostedJournal[] }>('SELECT trading.post_journals($1, $2) AS posted', [
      synthetic,
      JSON.stringify(journals),
    ]);
    return row?.posted ?? [];
  } catch (error) {
    throw toApiError(error) ?? error;
  }
}

/** Returns those of the given keys under which a journal was posted. */
export async function findPosted({ manager }: Context, keys: readonly string[]): Promise<Set<string>> {
  const rows = await manager.rows<{ key: string }>('SELECT key FROM trading.journals WHERE key = ANY ($1)', [keys]);
  return new Set(rows.map(({ key }) => key));
}

/** The errors that callers receive, by SQLSTATE or by the name of the violated constraint. */
const refusals: Readonly<Record<string, { readonly code: ErrorCode; readonly message?: string }>> = {
  LD001: { code: 'CONFLICT', message: 'Another journal was posted with the same key' },
  LD002: { code: 'CONFLICT', message: 'The hold does not exist, or its remaining amount is too small' },
  holds_pkey: { code: 'CONFLICT', message: 'Another hold has the same id' },
  ledger_accounts_client_balance: { code: 'INSUFFICIENT_BALANCE' },
};

/** The fields of a PostgreSQL error. */
const driverForm = z.object({ code: z.string().optional(), constraint: z.string().optional() });

/** @param error its message, which is only logged, names the journal or hold, and the amount left */
function toApiError(error: unknown): ApiError | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { code = '', constraint = '' } = driverForm.parse(error.driverError);
  const refusal = refusals[constraint] ?? refusals[code];
  return refusal && new ApiError(refusal.code, { ...refusal, cause: error });
}
