import type { ReactNode } from 'react';
import type { OpenDialog } from './act-dialog.js';
import type { Operations } from './graph/operations.js';

export type DeskData = Operations['desk']['data'];
export type ExceptionData = Operations['deskExceptions']['data'];

/** An act that needs a reason. */
export interface Asked {
  readonly title: string;
  readonly act: string;
  readonly text: ReactNode;
  readonly run: (reason: string) => Promise<unknown>;
}

/** What each part of the desk works with. */
export interface DeskParts {
  readonly mayAct: boolean;
  /** Whether the operator may resolve findings, and resume currencies. */
  readonly mayAdminister: boolean;
  readonly isBusy: boolean;
  readonly run: (act: () => Promise<unknown>) => void;
  readonly ask: (asked: Asked) => void;
  readonly open: OpenDialog;
  /** Reads the desk again. */
  readonly onDone: () => void;
}
