import type { Operations } from './graph/operations.js';

export type DeskData = Operations['desk']['data'];
export type DeskWithdrawal = DeskData['transferWithdrawals']['nodes'][number];
export type ExceptionData = Operations['deskExceptions']['data'];

/** The name of a network as people write it: `PIX`, `Bitcoin`. */
export const networkName = (network: string) =>
  network.length === 3 ? network.toUpperCase() : network.charAt(0).toUpperCase() + network.slice(1);

export interface DeskParts {
  readonly mayAct: boolean;
  readonly mayAdminister: boolean;
  readonly isBusy: boolean;
  readonly run: (act: () => Promise<unknown>) => void;
  readonly onDone: (said?: string) => void;
}
