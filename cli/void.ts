import { parseArgs } from 'node:util';
import { importDomains } from '../bootstrap/imports.js';
import { requireRole } from '../shared/audit/record.js';
import { loadConfig } from '../shared/config.js';
import { printReport } from '../shared/import/print-report.js';
import { requireReason } from '../shared/reason.js';
import { voidRecord } from '../shared/import/void.js';
import { refused, withOperator } from './acting.js';
import type { Command } from './command.js';
import { misused } from './misuse.js';

const options = { reason: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const;

export const voidCommand: Command = {
  usage: `Usage: npm run lastro -- void <kind> <name>… --reason "<why>" [--dry-run]

Withdraws a record that should never have been published, with all records that belong to it. It stays in the history, and
\`imports revert\` restores it. A record has the same name as in the reports of imports:

  void unitPrices AURORA1S1 2026-01-02 --reason "typed wrongly"
  void payments CRI-AURORA-1 AURORA1S1 19 Juros --reason "it was not paid"
  void contracts CRI-AURORA-1 CCB-2025-000123 --reason "sold before the issue"
  void documents CRI-AURORA-1 A-1024 --reason "wrong file"
  void tranches PAT-AURORA AURORA-TK1 --reason "published by mistake"

The kinds are those of \`import --csv-columns\` and of the JSON schemas, except index values, instalments and data from a chain: correct those by an import.
The reason is published. A tokenized series, an estate or an operation is withdrawn: its unit prices and final reports are kept but hidden, and are restored
with it; its name stays reserved. A series whose tokens have holders, an estate with open credits that originators assigned, and the on-chain data of an
operation cannot be voided: the message says what to do instead.

  --dry-run  print the records that would be withdrawn, and write nothing

It requires the role publish. The server may be running. Exit code 0: done. 1: refused, with the reason on standard error. 2: wrong use.`,
  run: (args) => {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [kind, ...names] = positionals;
    const { reason, 'dry-run': dryRun = false } = values;
    if (kind === undefined || names.length === 0 || reason === undefined)
      return Promise.resolve(misused(voidCommand.usage, args));
    return withOperator(loadConfig(), async (context) => {
      requireRole(context, 'publish', 'voidRecord');
      const report = await voidRecord(context, importDomains, kind, names, { reason: requireReason(reason), dryRun });
      const right = report.errorCount === 0;
      (right ? process.stdout : process.stderr).write(printReport(report, `${kind} ${names.join(' ')} voided.`));
      return right ? 0 : 1;
    }).catch(refused);
  },
};
