import { QueryFailedError } from 'typeorm';
import type { Context } from '../../../shared/context.js';
import { Fault } from '../../../shared/errors.js';

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
  /** Id of the journal (UUID); of one that was posted before, the id that it got then. */
  readonly id: string;
  /** Whether it was posted before, so that nothing was changed. */
  readonly repeated: boolean;
}

/** Posts journals of one world. See `postJournals` for the errors. */
export async function writeJournals(
  { manager }: Context,
  synthetic: boolean,
  journals: readonly JournalRecord[],
): Promise<PostedJournal[]> {
  try {
    const [row]: { posted: PostedJournal[] }[] = await manager.query('SELECT trading.post_journals($1, $2) AS posted', [
      synthetic,
      JSON.stringify(journals),
    ]);
    return row?.posted ?? [];
  } catch (error) {
    throw toFault(error) ?? error;
  }
}

const codes = {
  /** Another journal has the key. */
  LD001: 'CONFLICT',
  /** The hold is not there, or has too little left. */
  LD002: 'CONFLICT',
} as const;

function toFault(error: unknown): Fault | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { message, ...driver }: Error & { code?: unknown; constraint?: unknown } = error.driverError;
  if (driver.constraint === 'ledger_accounts_client_balance')
    return new Fault('INSUFFICIENT_BALANCE', { cause: error });
  const code = Object.entries(codes).find(([state]) => state === driver.code)?.[1];
  return code === undefined ? undefined : new Fault(code, { message, cause: error });
}
