import { derivedValues, sealedColumns } from '../bootstrap/encrypted-columns.js';
import { withDatabase } from '../bootstrap/operator.js';
import { recordAudit, requireRole } from '../shared/security/audit/record.js';
import { loadConfig, type Config } from '../shared/kernel/config.js';
import type { Context } from '../shared/kernel/context.js';
import { requireDatabase } from '../shared/database/store.js';
import { inTransaction } from '../shared/database/transaction.js';
import { forgetPreviousFile, openKeyRing, replaceKeyFile } from '../shared/security/master-key.js';
import { countSealed, resealAll, type SealedCount } from '../shared/security/reseal.js';
import { commandLog, withOperator } from './acting.js';
import { misused, type Command } from './command.js';

export const masterKeyCommand: Command = {
  usage: `Usage: npm run lastro -- master-key list
       npm run lastro -- master-key rotate

list    the encrypted values: column, number and key; the values that no key decrypts, and the remedy
rotate  encrypts all values with a new key. After an interruption it continues where it stopped; repeating it changes nothing.

With MASTER_KEY in the environment: start the program with the new key as MASTER_KEY and the old one as MASTER_KEY_PREVIOUS, run this
command with the same keys, and then start the program without MASTER_KEY_PREVIOUS. The program may be running meanwhile.
Several processes: never restart them with the new key one after the other, since those that know only the old one cannot decrypt what the
others encrypt. Restart all of them together; or first restart each with the old key as MASTER_KEY and the new one as MASTER_KEY_PREVIOUS.
rotate requires the role administer. Without MASTER_KEY the key is the file master.key in DATA_DIR: stop the program, and run this command, which generates the new key.

Exit code 0: done. 1: some values cannot be decrypted, or the command failed, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const [act, ...more] = args;
    if (more.length === 0 && act === 'list') return list(loadConfig());
    if (more.length === 0 && act === 'rotate') return rotate(loadConfig());
    return Promise.resolve(misused(masterKeyCommand));
  },
};

async function list(config: Config): Promise<number> {
  requireDatabase(config);
  const keyRing = openKeyRing(config);
  const counts = await withDatabase(config, commandLog(config), ({ manager }) =>
    countSealed(manager, keyRing, sealedColumns),
  );
  const lines = [
    `The master key is ${keyRing.id}.`,
    '',
    'Encrypted:',
    ...counts.flatMap(linesOf),
    '',
    'Not stored, but derived from the master key:',
  ];
  const derived = derivedValues.map(({ name, afterRotation }) => `  ${name}. After a rotation: ${afterRotation}`);
  process.stdout.write(`${[...lines, ...derived].join('\n')}\n`);
  return counts.some(({ lost }) => lost.size > 0) ? 1 : 0;
}

function linesOf({ kind, column, opened, lost, lostRows }: SealedCount): string[] {
  const name = `  ${kind.table}.${column} (${kind.name}): `;
  const right = [...opened].map(([id, count]) => `${count} under ${id}`);
  const wrong = [...lost].map(([id, count]) => `${count} under ${id}, which cannot be decrypted`);
  const all = [...right, ...wrong];
  const rows = lostRows.length === 0 ? [] : [`    ${kind.whenLost} The first of them: ${lostRows.join(', ')}`];
  return [`${name}${all.length === 0 ? 'none' : all.join('; ')}`, ...rows];
}

async function rotate(config: Config): Promise<number> {
  const byFile = config.masterKey === undefined;
  if (!byFile && config.masterKeyPrevious === undefined) {
    process.stderr.write(
      'MASTER_KEY_PREVIOUS is not set. Generate a key with `openssl rand -base64 32`, start the program with it as MASTER_KEY and ' +
        'the current key as MASTER_KEY_PREVIOUS, and run this command with the same keys.\n',
    );
    return 2;
  }
  if (byFile && config.database.url !== undefined) {
    process.stderr.write(
      'With DATABASE_URL another process may be running on the database with the key of the file, and could no longer decrypt. Start all ' +
        'processes with the key as MASTER_KEY, then rotate with MASTER_KEY and MASTER_KEY_PREVIOUS.\n',
    );
    return 2;
  }
  // The database is opened first: where a program already runs on the folder, this fails before any key is replaced.
  const work = async (context: Context) => {
    const action = 'rotateMasterKey';
    requireRole(context, 'administer', action);
    if (byFile) replaceKeyFile(config);
    const keyRing = openKeyRing(config);
    // Resealing commits piece by piece; the audit entry confirms that all of it is done.
    const done = await resealAll(context.manager, keyRing, sealedColumns);
    await inTransaction(context, (tx) => recordAudit(tx, { action, subject: { type: 'masterKey', id: keyRing.id } }));
    for (const { kind, column, resealed, present, lost } of done) {
      const rest = lost === 0 ? '' : `, ${lost} that no key decrypts`;
      process.stdout.write(
        `${kind.table}.${column}: ${resealed} encrypted again, ${present} under ${keyRing.id}${rest}\n`,
      );
    }
    if (byFile) forgetPreviousFile(config);
    else process.stdout.write('MASTER_KEY_PREVIOUS is no longer needed: start the program without it.\n');
    const lost = done.reduce((sum, one) => sum + one.lost, 0);
    if (lost === 0) return 0;
    process.stderr.write(
      `${lost} values cannot be decrypted: \`npm run lastro -- master-key list\` shows the remedy.\n`,
    );
    return 1;
  };
  return withOperator(config, work, { beside: !byFile });
}
