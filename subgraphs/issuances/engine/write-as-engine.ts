import { importInput } from '../../../shared/import/import.js';
import { lockedByImport } from '../../../shared/import/lock.js';
import type { Kind } from '../../../shared/import/model/kind.js';
import { ErrorList } from '../../../shared/import/domain.js';
import { requireTakenBack, stageAbove } from '../../../shared/import/revert.js';
import type { Context } from '../../../shared/kernel/context.js';
import { endAct } from '../../../shared/security/audit/record.js';
import { issuancesImport } from '../import/domain.js';

/** Blocks imports until the transaction ends. @throws {Error} while one is being written: the relay tries again later */
export async function requireNoneWriting(tx: Context): Promise<void> {
  if (await lockedByImport(tx))
    throw new Error('An import is being written: what the engine announced is taken after it');
}

export interface EngineAct {
  /** Names the engine's act in the audit log, and is the reason of corrections. */
  readonly label: string;
  readonly kinds: readonly Kind[];
  readonly stage: (tx: Context) => Promise<void>;
}

/** Writes records that the engine announced as one act, with the consequences of an import, in the relay's transaction. */
export async function writeAsEngine(tx: Context, { label, kinds, stage }: EngineAct): Promise<void> {
  // Tables are staged of what is written and of what others belong to: two dozen for each announcement cost more than what it says.
  const own = issuancesImport.kinds.filter((kind) => kind.unique || kinds.includes(kind));
  const report = await importInput(
    tx,
    [{ ...issuancesImport, kinds: own }],
    {
      action: 'takeBook',
      names: [label],
      stage: async ({ tx: act, staging }) => {
        await stage(act);
        for (const kind of kinds) staging.touched.add(kind);
        for (const kind of own.toReversed()) await stageAbove(act, kind);
      },
      described: () => Promise.resolve([]),
    },
    { errors: new ErrorList([label]), correct: `Recálculo do motor de preços: ${label}` },
  );
  requireTakenBack(report);
  // Later writes of other consumers in this transaction belong to no act, and may need the names of the temporary tables.
  await endAct(tx);
  await tx.manager.execute('DISCARD TEMPORARY');
}
