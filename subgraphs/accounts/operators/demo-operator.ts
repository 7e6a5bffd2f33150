import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { roles } from '../../../shared/graphql/roles.js';
import { mintKey } from '../api-keys/key-form.js';
import { addGivenKey, auditedKey } from './mint-operator-key.js';
import { keyDays } from './operator.js';
import {
  findOperator,
  insertOperator,
  lockOperator,
  readOperatorStanding,
  type OperatorRow,
} from './operator.store.js';

const email = 'olga@demo.lastro.example';
const name = 'Olga Operadora';

/**
 * Adds the demo's operator with all roles if there is no operator yet, and its key, which is derived from the master key; existing or
 * revoked ones stay unchanged.
 * @param random source of the key
 * @returns the key
 */
export async function addDemoOperator(tx: Context, random: (size: number) => Uint8Array): Promise<string> {
  const minted = mintKey('svc_op_', random);
  const operator = await demoOperator(tx);
  if (operator === undefined) return minted.text;
  const key = await addGivenKey(tx, operator.id, keyDays.usual, minted);
  if (key.added) {
    const subject = { type: 'operator', id: operator.id };
    await recordAudit(tx, { action: 'addOperatorKey', subject, after: { email, name, roles, ...auditedKey(key) } });
  }
  return minted.text;
}

/** Returns the operator of the demo; undefined if there are only others, or it was revoked. */
async function demoOperator(tx: Context): Promise<OperatorRow | undefined> {
  const known = await findOperator(tx, email);
  if (known !== undefined) {
    const operator = await lockOperator(tx, known);
    return operator?.revokedAt === null ? operator : undefined;
  }
  if ((await readOperatorStanding(tx)).any) return undefined;
  const createdAt = tx.clock.now();
  const operator = { id: newId(createdAt.getTime()), email, name, roles, createdAt, revokedAt: null };
  return (await insertOperator(tx, operator)) ? operator : undefined;
}
