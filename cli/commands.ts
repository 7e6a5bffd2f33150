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
    summary: 'import operations, estates, prices, payments, credits and index values',
    load: async () => (await import('./import.js')).importCommand,
  },
  {
    name: 'imports',
    summary: 'list imports, show the changes of one, or revert one',
    load: async () => (await import('./imports.js')).importsCommand,
  },
  {
    name: 'void',
    summary: 'withdraw a record that should never have been published',
    load: async () => (await import('./void.js')).voidCommand,
  },
  {
    name: 'export',
    summary: 'export everything, or single operations, into files that import reads',
    load: async () => (await import('./export.js')).exportCommand,
  },
  {
    name: 'tranche',
    summary: 'change the status of a series, or create its schedule',
    load: async () => (await import('./tranche.js')).trancheCommand,
  },
  {
    name: 'payment',
    summary: 'record or reverse the payment of an instalment to the holders of a series',
    load: async () => (await import('./payment.js')).paymentCommand,
  },
  {
    name: 'asset',
    summary: 'record or reverse a payment of a debtor, or write off a credit',
    load: async () => (await import('./asset.js')).assetCommand,
  },
  {
    name: 'cnab444',
    summary: 'create a batch of credits or settlements from a CNAB 444 file',
    load: async () => (await import('./cnab444.js')).cnab444Command,
  },
  {
    name: 'criteria',
    summary: 'set the eligibility criteria of the credits of an estate',
    load: async () => (await import('./criteria.js')).criteriaCommand,
  },
  {
    name: 'contract',
    summary: 'register the token contract of a series, or read its events again',
    load: async () => (await import('./contract.js')).contractCommand,
  },
  {
    name: 'reprice',
    summary: 'compute the unit prices that are due now, or all those of a series',
    load: async () => (await import('./reprice.js')).repriceCommand,
  },
  {
    name: 'report',
    summary: 'finalize the management report of a month, or reissue it',
    load: async () => (await import('./report.js')).reportCommand,
  },
  {
    name: 'developer-key',
    summary: 'create a developer key for an account',
    load: async () => (await import('./developer-key.js')).developerKeyCommand,
  },
  {
    name: 'key',
    summary: 'set the rate limit of a key',
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
    summary: 'resolve orders whose outcome at a venue is unknown',
    load: async () => (await import('./order.js')).orderCommand,
  },
  {
    name: 'ledger',
    summary: 'reconcile the ledger, resolve findings, list open hedges',
    load: async () => (await import('./ledger.js')).ledgerCommand,
  },
  {
    name: 'venue',
    summary: 'add and retire the exchanges that orders are routed to',
    load: async () => (await import('./venue.js')).venueCommand,
  },
  {
    name: 'master-key',
    summary: 'list encrypted values and their keys, or encrypt all of them with a new key',
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
    summary: 'apply the pending migrations of the database',
    load: async () => (await import('./migrate.js')).migrateCommand,
  },
  {
    name: 'generate',
    summary: 'regenerate all committed artefacts',
    load: async () => (await import('./generate.js')).generateCommand,
  },
];
