import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { csvLine } from '../../../shared/kernel/format/csv-line.js';
import { toWindows1252 } from '../../../shared/kernel/format/windows-1252.js';
import { slicer } from '../../../shared/kernel/turns.js';
import { reasonsOf, returnHeaderLine, returnLine, returnTrailerLine } from '../cnab444/return-cnab444.js';
import { decisionOf, type BatchFormat, type CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { messageIn, type ErrorLanguage } from '../files/error-file.js';
import { receivablesAt, type ReceivableRow } from '../receivables/receivable.store.js';
import { toReceivable } from '../receivables/receivable.type.js';

export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** How a format is written: what comes before the contracts, each of them, and what comes behind. */
interface ReturnWriter {
  readonly extension: string;
  readonly mediaType: string;
  readonly before: () => string;
  readonly line: (row: ReceivableRow, number: number) => string;
  readonly after: (count: number) => string;
  /** UTF-8 when omitted. */
  readonly encode?: (text: string) => Buffer;
}

const linesPerRead = 1_000;

/**
 * Returns the contracts of a decided batch that were refused, each with its errors, in the format in which the batch was sent: all of a rejected one, some without errors of their own.
 * @param originatorName for the header of CNAB 444
 * @param language of the errors in a CSV file; JSON has both languages
 */
export async function returnFile(
  context: Context,
  batch: CreditBatchRow,
  originatorName: string,
  language: ErrorLanguage,
): Promise<Download> {
  const { extension, mediaType, before, line, after, encode } = writersFor(batch, originatorName, language)[
    batch.format
  ];
  const parts = [before()];
  let count = 0;
  for await (const row of rowsOf(context, batch)) {
    if (isAccepted(row)) continue;
    count += 1;
    parts.push(line(row, count));
  }
  parts.push(after(count));
  const text = parts.join('');
  const bytes = encode?.(text) ?? Buffer.from(text);
  return { fileName: `retorno-${batch.id}.${extension}`, mediaType, bytes };
}

/** Reads the contracts of a batch in their order, with what the caller may see of them; yields to other work in between. */
export async function* rowsOf(
  context: Context,
  { id: batchId }: Pick<CreditBatchRow, 'id'>,
): AsyncGenerator<ReceivableRow> {
  const slice = slicer();
  for (let after: number | null = null; ;) {
    const place: { batchId: string; after: number | null } = { batchId, after };
    const [rows = []] = await receivablesAt(context, [{ ...place, backward: false, first: linesPerRead }]);
    for (const row of rows) {
      if (slice.isOver()) await slice.next();
      yield { ...row, ...toReceivable(row, context.principal) };
    }
    if (rows.length < linesPerRead) return;
    after = rows.at(-1)?.position ?? null;
  }
}

export function isAccepted({ status }: Pick<ReceivableRow, 'status'>): boolean {
  return status === 'OPEN' || status === 'SETTLED';
}

const columns = ['position', 'externalId', 'debtorDocument', 'faceValue', 'dueDate', 'purchasePrice', 'errors'];

function writersFor(
  batch: CreditBatchRow,
  originatorName: string,
  language: ErrorLanguage,
): Readonly<Record<BatchFormat, ReturnWriter>> {
  const { id: batchId, status, mode, rejectionReason, processedAt, createdAt } = batch;
  const objectOf = (row: ReceivableRow) =>
    JSON.stringify({
      ...{ position: row.position, externalId: row.externalId, debtorDocument: row.debtorDocument },
      ...{ faceValue: row.faceValue, dueDate: row.dueDate, purchasePrice: row.purchasePrice },
      errors: row.refusal ?? [],
    });
  const head = { batchId, status, mode, rejectionReason, ...decisionOf(batch) };
  const decidedOn = civilDate(processedAt ?? createdAt);
  return {
    JSON: {
      ...{ extension: 'json', mediaType: 'application/json; charset=utf-8' },
      before: () => `${JSON.stringify(head).slice(0, -1)},"contracts":[`,
      line: (row, number) => `${number === 1 ? '' : ','}${objectOf(row)}`,
      after: () => ']}\n',
    },
    NDJSON: {
      ...{ extension: 'ndjson', mediaType: 'application/x-ndjson' },
      before: () => '',
      line: (row) => `${objectOf(row)}\n`,
      after: () => '',
    },
    CSV: {
      ...{ extension: 'csv', mediaType: 'text/csv; charset=utf-8; header=present' },
      before: () => csvLine(columns, ';'),
      line: ({ position, externalId, debtorDocument, faceValue, dueDate, purchasePrice, ...row }) => {
        const errors = (row.refusal ?? []).map((error) => `${error.field} ${messageIn(error, language)}`).join(' | ');
        const cells = [externalId, debtorDocument, faceValue, dueDate, purchasePrice ?? '', errors];
        return csvLine([String(position), ...cells], ';');
      },
      after: () => '',
    },
    CNAB444: {
      // A record has 444 bytes, by which many programs read it.
      ...{ extension: 'ret', mediaType: 'text/plain; charset=windows-1252', encode: toWindows1252 },
      before: () => `${returnHeaderLine(originatorName, decidedOn)}\r\n`,
      line: (row, number) => {
        return `${returnLine(row, reasonsOf(row.refusal), { number: number + 1, decidedOn })}\r\n`;
      },
      after: (count) => `${returnTrailerLine(count + 2)}\r\n`,
    },
  };
}
