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

/** Returns the open balance; null where nothing is open of a contract. */
export function openBalanceOf({ openBalance }: Pick<Receivable, 'openBalance'>): string | null {
  return openBalance === null ? null : money(openBalance);
}
