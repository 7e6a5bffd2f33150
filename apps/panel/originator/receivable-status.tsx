import { noted } from '../../design/basics.js';
import { moment, money } from '../frame/language.js';
import type { Operations } from './graph/operations.js';
import { originatorTexts } from '../texts.js';

type Receivable = Pick<
  Operations['receivables']['data']['receivables']['nodes'][number],
  'status' | 'openBalance' | 'settledAt' | 'writtenOffAt'
>;

export function ReceivableStatus({ status, settledAt, writtenOffAt }: Omit<Receivable, 'openBalance'>) {
  const { batch, words } = originatorTexts.get();
  const at = writtenOffAt ?? settledAt;
  return noted(
    writtenOffAt === null ? batch.receivableStates[status] : words.writtenOff,
    at === null ? null : moment(at),
  );
}

export function openBalanceOf({ openBalance }: Pick<Receivable, 'openBalance'>): string | null {
  return openBalance === null ? null : money(openBalance);
}
