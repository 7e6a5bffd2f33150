import type { Manager } from '../../database/manager.js';
import type { ImportDomain } from '../domain.js';
import { isImportRule } from '../../registry.js';
import { brokenBy } from '../import-rules.js';
import { pathOf } from '../read/source.js';
import { maxErrorsShown, type ErrorList } from '../report.js';
import { duplicates } from './duplicates.js';
import { unknownOwners } from './references.js';

interface Finding {
  readonly file: number;
  readonly line: number;
  readonly path: string;
  readonly field: string;
  readonly rule: string;
  /** The values of the rule. */
  readonly given: Readonly<Record<string, string>>;
  /** The total number of findings of the query, of which only the first are returned. */
  readonly total: string;
}

/** Checks the staged input of a domain as a whole and against existing records. */
export async function checkStaged(manager: Manager, { kinds, checks }: ImportDomain, errors: ErrorList): Promise<void> {
  for (const check of [...kinds.flatMap((kind) => [duplicates(kind), ...unknownOwners(kind)]), ...checks]) {
    const found = await manager.rows<Finding>(
      `SELECT c.*, count(*) OVER () AS total FROM (${check}) c ORDER BY c.file, c.line LIMIT ${maxErrorsShown}`,
    );
    for (const { file, line, path, field, rule, given } of found) {
      if (!isImportRule(rule)) throw new Error(`A check names the rule ${rule}, which is not registered`);
      errors.add(file, line, pathOf({ path }, field), brokenBy(rule, Object.entries(given)));
    }
    errors.addUnshown(Number(found[0]?.total ?? 0) - found.length);
  }
}
