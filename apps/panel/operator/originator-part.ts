import type { Operations } from './graph/operations.js';

export type Originator = NonNullable<Operations['originatorById']['data']['originator']>;

/** What each part of the page of an originator works with. */
export interface OriginatorPart {
  readonly originator: Originator;
  readonly mayAct: boolean;
  /** Says what was done, and reads the originator again. */
  readonly onDone: (said: string) => void;
}
