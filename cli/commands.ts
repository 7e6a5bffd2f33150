import type { Command } from './command.js';

/** A command as the list shows it. Its module is loaded only when it runs: most commands need only a part of the program. */
interface Listed {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export const commands: readonly Listed[] = [
  {
    name: 'import',
    summary: 'bring operations, estates, prices, payments, credits and index values into the house',
    load: async () => (await import('./import.js')).importCommand,
  },
  {
    name: 'imports',
    summary: 'list imports, show what one changed, or take one back',
    load: async () => (await import('./imports.js')).importsCommand,
  },
  {
    name: 'void',
    summary: 'take a record that should never have been published out of what is published',
    load: async () => (await import('./void.js')).voidCommand,
  },
  {
    name: 'export',
    summary: 'write everything, or an operation, into files that import reads',
    load: async () => (await import('./export.js')).exportCommand,
  },
  {
    name: 'tranche',
    summary: 'move a series to another status, or make its schedule',
    load: async () => (await import('./tranche.js')).trancheCommand,
  },
  {
    name: 'payment',
    summary: 'record that an instalment of a series was paid to the holders',
    load: async () => (await import('./payment.js')).paymentCommand,
  },
  {
    name: 'asset',
    summary: 'record a payment of a debtor, or write a credit off',
    load: async () => (await import('./asset.js')).assetCommand,
  },
  {
    name: 'cnab444',
    summary: 'make a batch of credits, or of settlements, of a CNAB 444 file',
    load: async () => (await import('./cnab444.js')).cnab444Command,
  },
  {
    name: 'criteria',
    summary: 'say which credits an estate takes in',
    load: async () => (await import('./criteria.js')).criteriaCommand,
  },
  {
    name: 'contract',
    summary: 'say which token contract a series has, or read one again',
    load: async () => (await import('./contract.js')).contractCommand,
  },
  {
    name: 'reprice',
    summary: 'make the unit prices that are due now, or those of a series anew',
    load: async () => (await import('./reprice.js')).repriceCommand,
  },
  {
    name: 'report',
    summary: "make a month's management report final, or issue it again",
    load: async () => (await import('./report.js')).reportCommand,
  },
  {
    name: 'developer-key',
    summary: "make a developer's key for an account",
    load: async () => (await import('./developer-key.js')).developerKeyCommand,
  },
  {
    name: 'key',
    summary: 'give a key a limit of requests of its own',
    load: async () => (await import('./key.js')).keyCommand,
  },
  {
    name: 'account',
    summary: 'disable or enable an account, or end its sessions',
    load: async () => (await import('./account.js')).accountCommand,
  },
  {
    name: 'originator',
    summary: 'onboard the clients of credit assignment and their keys',
    load: async () => (await import('./originator.js')).originatorCommand,
  },
  {
    name: 'trader',
    summary: 'onboard companies that trade, and their credentials',
    load: async () => (await import('./trader.js')).traderCommand,
  },
  {
    name: 'transfer',
    summary: 'approve, reject and resolve withdrawals and deposits',
    load: async () => (await import('./transfer.js')).transferCommand,
  },
  {
    name: 'market',
    summary: 'halt, resume, change and add markets; halt all trading',
    load: async () => (await import('./market.js')).marketCommand,
  },
  {
    name: 'order',
    summary: 'settle orders whose fate at a venue is not known',
    load: async () => (await import('./order.js')).orderCommand,
  },
  {
    name: 'ledger',
    summary: 'reconcile the ledger, resolve what is found, list open hedges',
    load: async () => (await import('./ledger.js')).ledgerCommand,
  },
  {
    name: 'venue',
    summary: 'add and retire the exchanges that orders are routed to',
    load: async () => (await import('./venue.js')).venueCommand,
  },
  {
    name: 'master-key',
    summary: 'list what is sealed and under which key, or seal it all under a new one',
    load: async () => (await import('./master-key.js')).masterKeyCommand,
  },
  {
    name: 'operator',
    summary: 'add and revoke operators, their keys and roles',
    load: async () => (await import('./operator.js')).operatorCommand,
  },
  {
    name: 'audit',
    summary: 'list or export the audit log',
    load: async () => (await import('./audit.js')).auditCommand,
  },
  {
    name: 'migrate',
    summary: 'bring the database to the last migration',
    load: async () => (await import('./migrate.js')).migrateCommand,
  },
  {
    name: 'generate',
    summary: 'rewrite every committed artefact that is made from the code',
    load: async () => (await import('./generate.js')).generateCommand,
  },
];
