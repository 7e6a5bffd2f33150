import type { exceptionsPortuguese } from './exceptions.pt-BR.js';

export const exceptionsEnglish: typeof exceptionsPortuguese = {
  approvalBars: {
    ALREADY_APPROVED: 'You have approved it: another operator is needed.',
    ISSUED_CREDENTIAL: 'You issued the credential of this request: other operators approve it.',
    ISSUED_KEY:
      'Another approver, or the issuer of the credential, issued your key, or you issued theirs: another operator approves it.',
  },
  trading: 'Trading',
  runs: 'Running',
  halted: 'Halted',
  since: (time: string) => `since ${time}`,
  haltTrading: 'Halt all trading',
  haltTradingText:
    'New orders are rejected in all markets within 1 second, real and synthetic. Open ones can be cancelled. Companies see the reason.',
  resumeTrading: 'Resume trading',
  currencies: 'Halted currencies',
  noCurrencies: 'No currency is halted.',
  synthetic: 'synthetic',
  haltedAt: 'Halted',
  resumeCurrencyText:
    'Trading of the currency resumes, and all of its open findings are resolved with this reason. If the cause persists, there is a new finding.',
  reconcile: 'Reconcile now',
  lastSeen: (time: string) => `last seen ${time}`,
  resolve: 'Resolve',
  resolveFinding: 'Resolve the finding',
  resolveFindingText:
    'If it is the last finding that halts its currency, trading of it resumes. If the cause persists, there is a new finding.',
  orders: 'Orders in quarantine',
  noOrders: 'No order is in quarantine.',
  order: 'Order',
  sides: { BUY: 'Buy', SELL: 'Sell' },
  waitsSince: 'Waits since',
  atVenues: 'At the venues',
  execution: (venue: string, amount: string, price: string, filled: string, looks: string) =>
    `${venue}: ${amount} at ${price}, filled ${filled}, looked up ${looks} times without finding it`,
  hedges: 'Open hedges',
  noHedges: 'No open hedges.',
  quote: 'Quote',
  traded: 'Traded',
  executed: 'Executed',
  overdue: 'Overdue',
  resolveExecution: (venue: string) => `What happened at ${venue}?`,
  resolveExecutionText:
    'Check at the venue first: what is said here goes into the ledger, and later reports change nothing.',
  outcomes: { FILLED: 'Filled', CANCELLED: 'Cancelled', REJECTED: 'Never accepted' },
  filledAmount: 'Filled amount',
  filledHint: 'In the base currency. Leave it empty if it was cancelled without a fill.',
  averagePrice: 'Average price',
  source: 'How this is known',
  stuck: 'Withdrawals of unknown outcome',
  noStuck: 'The outcome of every withdrawal is known.',
  unconfirmed: 'Unconfirmed',
  resolveWithdrawal: 'What happened to this withdrawal?',
  resolveWithdrawalText:
    'Check at the custody and on the network first: a withdrawal that is said not to be sent returns its amount to the wallet.',
  withdrawalOutcomes: {
    SENT: 'Sent: it waits for confirmations',
    CONFIRMED: 'Sent, and it has arrived',
    RETURNED: 'Sent, and it came back',
    FAILED: 'Not sent, and never will be',
  },
  transaction: 'Transaction',
  transactionHint: 'Id on the network; required for what was sent, unless it is known.',
  seenByCompany: 'Up to 500 characters. The company sees it if the withdrawal fails.',
  deposits: 'Deposits in quarantine',
  noDeposits: 'No deposit is in quarantine.',
  seen: 'Seen',
  missing: 'Missing',
  wallet: 'wallet',
  resolveDeposit: 'Resolve the deposit',
  resolveDepositText:
    'The network reversed the deposit after its use. What the client still had was taken back. Until the rest is decided the wallet withdraws no currency.',
  depositOutcomes: {
    REVERSED: 'Take the rest back from the client',
    WRITTEN_OFF: 'Take back what the client has; the platform bears the rest',
  },
};
