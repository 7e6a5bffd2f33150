import { byOperation } from '../operations/by-operation.js';
import { columnsOf } from '../../../shared/database/columns.js';
import type { Indexer } from '../../../shared/format/format.js';
import type { RiskClass } from '../../../shared/securities/risk-class.js';

/** A series of an operation. */
export interface SeriesRow {
  readonly id: string;
  readonly operationId: string;
  readonly number: number;
  readonly ticker: string;
  readonly class: RiskClass;
  readonly status: string;
  readonly indexer: Indexer;
  readonly indexerPercent: string;
  readonly rate: string;
  readonly remunerationLabel: string | null;
  readonly issueDate: string;
  readonly maturityDate: string;
  readonly isin: string | null;
  readonly ifCode: string | null;
  readonly unitValue: string;
  readonly quantity: string;
  readonly issuedTotal: string;
  readonly raisedAmount: string | null;
  readonly subscribedQuotas: string | null;
}

export const seriesColumns = columnsOf<SeriesRow>()(
  'id operationId number ticker class status indexer indexerPercent rate remunerationLabel issueDate::text',
  'maturityDate::text isin ifCode unitValue quantity issuedTotal raisedAmount subscribedQuotas',
);

export const seriesOf = byOperation<SeriesRow>(
  `SELECT ${seriesColumns} FROM issuances.series WHERE operation_id = ANY ($1) ORDER BY number`,
);
