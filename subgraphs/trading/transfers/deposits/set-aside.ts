import type { Context } from '../../../../shared/context.js';
import { messageOf } from '../../../../shared/thrown.js';
import { keepFindings } from '../../ledger/keep-findings.js';
import type { Custody, OutputRef } from '../custody/custody.js';
import { applySighting } from './apply-sighting.js';
import { deleteSetAside, saveSetAside, takeSetAside, type SetAside } from './set-aside.store.js';

/** Deposits per retry run. */
const atOnce = 20;
/** Backoff before the next attempt: doubled with each one, up to `mostWaitMs`. */
const firstWaitMs = 5_000;
const mostWaitMs = 600_000;
/** How long a run leases its deposits. */
const leaseMs = 120_000;
/** After so many attempts an operator must investigate. */
const triesBeforeFinding = 3;

/** Sets a deposit aside that could not be applied, so that it holds up no other; it is tried again, and after some attempts a finding alerts an operator. */
export async function setAside(
  context: Context,
  synthetic: boolean,
  output: OutputRef,
  error: unknown,
  triesBefore = 0,
): Promise<void> {
  const waitMs = Math.min(firstWaitMs * 2 ** Math.min(triesBefore, 20), mostWaitMs);
  const dueAt = new Date(context.clock.now().getTime() + waitMs);
  const reason = wordsOf(error);
  await saveSetAside(context, synthetic, output, { error: reason, dueAt });
  const { network, transaction, output: index } = output;
  context.log.error(
    { err: error, network, transaction, output: index },
    'A deposit could not be applied; it is set aside',
  );
  if (triesBefore + 1 < triesBeforeFinding) return;
  await keepFindings(context, [
    {
      invariant: 'DEPOSIT_SET_ASIDE',
      currency: null,
      synthetic,
      subject: clean(`${network} ${transaction} ${index}`).slice(0, 200),
      expected: 'a deposit that is taken in',
      actual: reason,
    },
  ]);
}

/** Tries deposits that were set aside again, with custody's current data. Returns how many could be applied. */
export async function retrySetAside(context: Context, custody: Custody, synthetic: boolean): Promise<number> {
  const until = new Date(context.clock.now().getTime() + leaseMs);
  let count = 0;
  for (const one of await takeSetAside(context, synthetic, { until, limit: atOnce })) {
    if (await retry(context, custody, synthetic, one)) count += 1;
  }
  return count;
}

async function retry(context: Context, custody: Custody, synthetic: boolean, one: SetAside): Promise<boolean> {
  try {
    const [sighting] = await custody.lookUpDeposits(context, [one.output]);
    if (sighting === undefined) throw new Error('Custody no longer knows the deposit');
    await applySighting(context, synthetic, sighting);
    await deleteSetAside(context, one.key);
    return true;
  } catch (error) {
    await setAside(context, synthetic, one.output, error, one.attempts);
    return false;
  }
}

function wordsOf(error: unknown): string {
  const text = clean(messageOf(error)).slice(0, 500);
  return text === '' ? 'It failed without an error message' : text;
}

/** Removes characters that PostgreSQL does not store in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '');
}
