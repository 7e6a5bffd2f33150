import type { ErrorCode } from '../../../shared/registry.js';
import type { Context } from '../../../shared/kernel/context.js';
import type {
  BatchLoader,
  ErrorLoader,
  BatchErrorRow,
  BatchRow,
  BatchTable,
  OwnedBatch,
  RejectionRule,
} from './batch.store.js';

/** Changes of a batch that are announced. Only settlement batches have PAYMENTS_REVERSED, and only credit batches APPROVED. */
export type BatchChange = 'SUBMITTED' | 'APPROVED' | 'PROCESSED' | 'REJECTED' | 'CANCELLED' | 'PAYMENTS_REVERSED';

export interface Rejection {
  readonly reason: string;
  /** The rules of which the sentence is made. */
  readonly rules: readonly RejectionRule[];
  readonly errorCount: number;
  readonly errors: readonly BatchErrorRow[];
}

/** The errors of the lines that are refused while the others of their batch are accepted. */
export type Refused = Pick<Rejection, 'errorCount' | 'errors'>;

/** A kind has its table, events, checks and effect: `creditBatches`, whose lines are contracts, and `settlementBatches`, whose lines are payments; all else about batches is the same for both. */
export interface BatchKind<Row extends BatchRow> extends BatchTable<Row> {
  /** Name in log messages: `credit batch`. */
  readonly name: string;
  /** The error for a batch that does not exist or belongs to someone else. */
  readonly notFound: ErrorCode;
  /** The topics of its events, by change. A change without a topic is not announced; streams of updates read the last topic of a change. */
  readonly topics: Readonly<Partial<Record<BatchChange, readonly string[]>>>;
  /** Topic of the internal event with which a piece of an accepted batch goes to tokenization. */
  readonly pieceTopic: string;
  /** Topic of the event with which tokenization confirms a piece. */
  readonly confirmationTopic: string;
  readonly load: BatchLoader<Row>;
  readonly loadErrors: ErrorLoader;
  /** Returns the fields of its events that are its own, under their wire names. */
  eventData(batch: Row): object;
  /** Rejects the submission of a batch that its estate does not accept. */
  requireSubmittable?(tx: Context, batch: Row): Promise<void>;
  /** Checks a batch whose row is locked; undefined when all of it is to be accepted. Locks what the decision depends on. */
  check(tx: Context, batch: Row): Promise<Rejection | Refused | undefined>;
  /** Applies the lines of a batch that passed the checks, and returns it with their totals. */
  accept<Owned extends Row>(tx: Context, batch: Owned): Promise<Owned>;
  /** Returns the payload of the event for the lines at `count` positions from the given one on. */
  piece(tx: Context, batch: OwnedBatch<Row>, from: number, count: number): Promise<object>;
}
