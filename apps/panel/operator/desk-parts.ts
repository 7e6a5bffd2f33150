import type { Operations } from './graph.js';

export type DeskData = Operations['desk']['data'];
export type DeskWithdrawal = DeskData['transferWithdrawals']['nodes'][number];
export type ExceptionData = Operations['deskExceptions']['data'];

export interface DeskParts {
  readonly mayAct: boolean;
  readonly mayAdminister: boolean;
  readonly isBusy: boolean;
  readonly run: (act: () => Promise<unknown>) => void;
  readonly onDone: (said?: string) => void;
}
