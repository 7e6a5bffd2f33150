import type { Context } from '../../../../shared/context.js';
import { messageOf } from '../../../../shared/thrown.js';
import { backoffMs } from '../../../../shared/work-queue/backoff.js';
import { endClaim } from '../../../../shared/work-queue/work-items.store.js';
import type { Hold } from '../../../../shared/work-queue/work-queue.js';
import { keepFindings } from '../../ledger/keep-findings.js';
import { custodyOf, type Custodies, type OutputRef } from '../custody/custody.js';
import { applySighting } from './apply-sighting.js';
import { deleteSetAside, outputOf, saveSetAside, setAsideDeposits, type SetAside } from './set-aside.store.js';

/** Delay before the next attempt: doubled with each one. */
const waits = { firstMs: 5_000, mostMs: 600_000 };
/** After so many attempts an operator must investigate. */
const triesBeforeFinding = 3;

/** Sets a deposit aside that could not be applied, so that it holds up no other; it is tried again, and after some attempts a finding alerts an operator. */
export async function setAside(context: Context, synthetic: boolean, output: OutputRef, error: unknown): Promise<void> {
  const dueAt = new Date(context.clock.now().getTime() + backoffMs(1, waits));
  await saveSetAside(context, synthetic, output, { error: wordsOf(error), dueAt });
  tellSetAside(context, output, error);
}

/** Tries a deposit that was set aside again, with custody's current data. */
export async function retrySetAside(
  context: Context,
  custodies: Custodies,
  one: SetAside,
  { lease, deadline }: Pick<Hold, 'lease' | 'deadline'>,
): Promise<void> {
  const output = outputOf(one);
  try {
    const lookUp = custodyOf(custodies, one.synthetic).lookUpDeposits(context, [output]);
    const [sighting] = await Promise.race([lookUp, aborted(deadline)]);
    if (sighting === undefined) throw new Error('Custody no longer knows the deposit');
    await applySighting(context, one.synthetic, sighting);
    await deleteSetAside(context, one.id, lease);
  } catch (error) {
    const attempts = one.attempts + 1;
    const end = { afterMs: backoffMs(attempts, waits), set: 'attempts = $5, error = $6' };
    const parameters = [attempts, wordsOf(error)];
    const isOurs = await endClaim(
      context,
      setAsideDeposits([one.synthetic]),
      { id: one.id, lease },
      { ...end, parameters },
    );
    if (!isOurs) return;
    tellSetAside(context, output, error);
    if (attempts >= triesBeforeFinding) await findSetAside(context, one.synthetic, output, wordsOf(error));
  }
}

function tellSetAside({ log }: Context, { network, transaction, output }: OutputRef, err: unknown): void {
  log.error({ err, network, transaction, output }, 'A deposit could not be applied; it is set aside');
}

/** Alerts an operator. */
async function findSetAside(
  context: Context,
  synthetic: boolean,
  { network, transaction, output }: OutputRef,
  reason: string,
): Promise<void> {
  await keepFindings(context, [
    {
      invariant: 'DEPOSIT_SET_ASIDE',
      currency: null,
      synthetic,
      subject: clean(`${network} ${transaction} ${output}`).slice(0, 200),
      expected: 'a deposit that is applied',
      actual: reason,
    },
  ]);
}

/** Rejects when the signal is aborted: a call to custody is not waited for beyond its lease. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(new Error('Custody did not respond in time', { cause: signal.reason }));
      },
      { once: true },
    );
  });
}

function wordsOf(error: unknown): string {
  const text = clean(messageOf(error)).slice(0, 500);
  return text === '' ? 'It failed without an error message' : text;
}

/** Removes characters that PostgreSQL does not store in text. */
function clean(text: string): string {
  return text.replaceAll('\0', '');
}
