import { csvLine } from '../../../shared/kernel/format/csv-line.js';
import { FailureError } from '../frame/failure.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { tradingTexts } from './texts.js';

const rowsPerPage = 100;
/** Pages of a file: more movements are for programs. */
const mostPages = 100;

/** Returns the movements of a period as CSV, with the ids and causes of the contract. @throws {FailureError} for more than fit into a file */
export async function statementFile(
  period: Omit<Operations['statement']['variables'], 'first' | 'after'>,
): Promise<string> {
  const { balances: text } = tradingTexts.get();
  const lines = [csvLine(['journalId', 'postedAt', 'cause', 'reason', 'available', 'locked', 'balance'], ';')];
  let after: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const { statement }: Operations['statement']['data'] = await graph.query('statement', {
      ...period,
      first: rowsPerPage,
      after,
    });
    for (const { journalId, postedAt, cause, reason, available, locked, balance } of statement.movements)
      lines.push(csvLine([journalId, postedAt, cause, reason ?? '', available, locked, balance.total], ';'));
    if (!statement.pageInfo.hasNextPage) return lines.join('');
    after = statement.pageInfo.endCursor;
  }
  throw new FailureError({ code: 'TOO_LONG', message: '', said: text.tooLong, details: [] });
}
