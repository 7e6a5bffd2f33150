import { moment, money } from '../frame/language.js';
import type { Operations } from './graph/operations.js';
import { originatorTexts } from './texts.js';

type Receivable = Pick<
  Operations['receivables']['data']['receivables']['nodes'][number],
  'status' | 'openBalance' | 'settledAt' | 'writtenOffAt'
>;

/** What has become of a contract, and when. */
export function ReceivableStatus({ status, settledAt, writtenOffAt }: Omit<Receivable, 'openBalance'>) {
  const { batch } = originatorTexts.get();
  const at = writtenOffAt ?? settledAt;
  return (
    <>
      {writtenOffAt === null ? batch.receivableStates[status] : batch.writtenOff}
      {at === null ? null : <span className="sub">{moment(at)}</span>}
    </>
  );
}

/** Returns the open balance as the totals count it: nothing is open of a contract that was not assigned, or that was written off. */
export function openBalanceOf({ status, openBalance, writtenOffAt }: Omit<Receivable, 'settledAt'>): string | null {
  return status === 'PENDING' || writtenOffAt !== null ? null : money(openBalance);
}
